//! Poses and clocks: the cases `anim/` of `stillframe bench`. `cargo bench --bench anim [-- NAME]`.

mod table;

use criterion::{Criterion, criterion_group, criterion_main};

fn anim(criterion: &mut Criterion) {
    table::time(criterion, "anim/");
}

criterion_group!(benches, anim);
criterion_main!(benches);
