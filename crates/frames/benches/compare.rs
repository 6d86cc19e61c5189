//! How long comparing takes: exact, labelled, FLIP, the pass path (a hash) and the fail path (decode, compare, write
//! the difference).
//!
//! `cargo bench -p stillframe-frames --bench compare`; `-- 1024` for the smaller size alone. On made frames: see
//! `stillframe_testkit::pictures`.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use stillframe_base::par::Pool;
use stillframe_frames::compare::{
    CompareOptions, Comparison, Exact, FlipOptions, Where, classes, difference_times, flip, regions,
};
use stillframe_frames::{PngEffort, decode_png, encode_png};

use stillframe_testkit::pictures::{Change, pair};

const CHANGES: [(&str, Change); 4] =
    [("equal", Change::Same), ("lsb", Change::Lsb), ("edge", Change::Edge), ("gain", Change::Gain)];

fn all(c: &mut Criterion) {
    let pool = Pool::new(0);
    for side in [1024, 4096] {
        for (name, change) in CHANGES {
            let (old, new) = pair(side, side, 4, change);
            let mut group = c.benchmark_group(format!("{name}/{side}"));
            group.sample_size(10);
            group.bench_function("exact", |b| b.iter(|| black_box(Exact::of(&old, &new).unwrap())));
            if change == Change::Same {
                group.bench_function("hash", |b| b.iter(|| black_box(new.hash())));
                group.bench_function("hash on all threads", |b| b.iter(|| black_box(new.hash_on(&pool))));
                continue;
            }
            let exact = Exact::of(&old, &new).unwrap();
            group.bench_function("classes", |b| b.iter(|| black_box(classes(&old, &new, &exact))));
            group.bench_function("regions", |b| b.iter(|| black_box(regions(&exact.mask))));
            let reference = encode_png(&old, PngEffort::Small).unwrap();
            group.bench_function("fail path", |b| {
                b.iter(|| {
                    let old = decode_png(&reference).unwrap();
                    let found = Comparison::of(&old, &new, &CompareOptions::default(), &pool).unwrap();
                    let drawn = difference_times(&old, &new, 16).unwrap();
                    black_box((found, encode_png(&drawn, PngEffort::Fast).unwrap()))
                });
            });
            let options = FlipOptions::default();
            group.bench_function("flip whole", |b| {
                b.iter(|| black_box(flip(&old, &new, &options, Where::Everywhere, &pool).unwrap().mean()));
            });
            group.bench_function("flip tiles", |b| {
                b.iter(|| black_box(flip(&old, &new, &options, Where::Differing(&exact), &pool).unwrap().mean()));
            });
            group.finish();
        }
    }
}

criterion_group!(benches, all);
criterion_main!(benches);
