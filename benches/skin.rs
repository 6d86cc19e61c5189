//! Skinning, and the machine's memory beside it: the cases `skin/` and `machine/` of `stillframe bench`.
//! `cargo bench --bench skin [-- NAME]`.

mod table;

use criterion::{Criterion, criterion_group, criterion_main};

fn skin(criterion: &mut Criterion) {
    table::time(criterion, "skin/");
    table::time(criterion, "machine/");
}

criterion_group!(benches, skin);
criterion_main!(benches);
