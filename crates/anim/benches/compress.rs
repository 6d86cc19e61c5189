//! Compressing clips of 67 joints and making poses of them, on one thread: `cargo bench -p stillframe-anim --bench
//! compress [-- NAME]`. Of compressing, bytes are those of the source as f32, 40 a joint and frame; of decompressing,
//! elements are joints.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use stillframe_anim::RawClip;
use stillframe_anim::compress::{CompressedClip, Compression, Decompress, compress_raw};
use stillframe_anim::pose::JointBlock;
use stillframe_anim::sample::VIRTUAL_VERTEX_M;
use stillframe_base::lanes::Isa;
use stillframe_base::rng::Rng;
use stillframe_base::tick::{FrameRate, TICKS_PER_SECOND, Tick};
use stillframe_testkit::clips;

const COMPRESSION: Compression =
    Compression { rate: FrameRate::whole(30), object_error_max_m: 0.12e-3, shell_m: VIRTUAL_VERTEX_M };

/// Moments decompressed before they repeat.
const MOMENTS: usize = 4096;

/// What most of a game's clips are like, and the ends of the scale: little that moves, all that does, and turns near
/// 180 degrees.
const NAMES: &[&str] = &["walk", "idle", "noisy", "random", "fast", "long"];

fn compressing(criterion: &mut Criterion) {
    let skeleton = clips::skeleton();
    let mut group = criterion.benchmark_group("compress");
    group.sample_size(10);
    for name in NAMES {
        let raw: RawClip = clips::named(name);
        let (_, report) = compress_raw(&raw, &skeleton, &COMPRESSION).expect("within the bound");
        group.throughput(Throughput::Bytes(report.raw_bytes() as u64));
        group.bench_function(*name, |bencher| {
            bencher.iter(|| compress_raw(black_box(&raw), &skeleton, &COMPRESSION));
        });
    }
    group.finish();
}

fn decompressing(criterion: &mut Criterion) {
    let skeleton = clips::skeleton();
    let made: Vec<(&str, CompressedClip)> = NAMES
        .iter()
        .map(|name| (*name, compress_raw(&clips::named(name), &skeleton, &COMPRESSION).expect("within the bound").0))
        .collect();
    for order in ["forward", "random"] {
        let mut group = criterion.benchmark_group(format!("decompress/{order}"));
        group.throughput(Throughput::Elements(clips::JOINTS as u64));
        for (name, clip) in &made {
            let mut random = Rng::new(5).stream("moments", 0);
            let duration = clip.duration();
            let moments: Vec<Tick> = (0..MOMENTS)
                .map(|i| match order {
                    "forward" => Tick(i as i64 * TICKS_PER_SECOND / 60).within(duration),
                    _ => Tick((random.unit_f64() * duration.0 as f64) as i64),
                })
                .collect();
            let mut out = vec![JointBlock::IDENTITY; JointBlock::count_for(clips::JOINTS)];
            for isa in Isa::available() {
                let mut next = 0;
                group.bench_function(BenchmarkId::new(*name, isa.name()), |bencher| {
                    bencher.iter(|| {
                        next = (next + 1) % MOMENTS;
                        Decompress { isa, clip: black_box(clip), at: moments[next], out: &mut out }.run();
                        black_box(&out);
                    });
                });
            }
        }
        group.finish();
    }
}

criterion_group!(benches, compressing, decompressing);
criterion_main!(benches);
