//! Sampling a clip of 67 joints on one thread, a case for each row of the tables that the figures are compared with, at every
//! instruction set of this machine: `cargo bench -p stillframe-anim --bench sample [-- NAME]`. Elements are joints.
//!
//! In `body` clips all rotations move and the translations of one block's joints; in `all` clips every number does.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::{DQuat, DVec3, Quat, Vec3};
use stillframe_anim::pose::{JointBlock, Trs};
use stillframe_anim::sample::{Baking, DTrs, RawJoint, Sample, Skeleton, UniformClip, bake};
use stillframe_base::lanes::Isa;
use stillframe_base::math::ops64;
use stillframe_base::rng::Rng;
use stillframe_base::tick::{FrameRate, TICKS_PER_SECOND, Tick};

const JOINTS: usize = 67;

/// Moments sampled before they repeat.
const MOMENTS: usize = 4096;

/// The next moment after a number of them, in a clip so long.
#[derive(Clone, Copy)]
enum Order {
    /// 60 a second.
    Forward,
    Backward,
    Random,
}

struct Case {
    name: &'static str,
    clip_ms: i64,
    order: Order,
    /// Whether translations and scales of all joints move.
    all: bool,
    /// Poses written by a call.
    instances: usize,
}

const CASES: &[Case] = &[
    Case { name: "body forward 1.3 s", clip_ms: 1300, order: Order::Forward, all: false, instances: 1 },
    Case { name: "body backward 1.3 s", clip_ms: 1300, order: Order::Backward, all: false, instances: 1 },
    Case { name: "body random 1.3 s", clip_ms: 1300, order: Order::Random, all: false, instances: 1 },
    Case { name: "body forward 15 s", clip_ms: 15_000, order: Order::Forward, all: false, instances: 1 },
    Case { name: "body backward 15 s", clip_ms: 15_000, order: Order::Backward, all: false, instances: 1 },
    Case { name: "body random 15 s", clip_ms: 15_000, order: Order::Random, all: false, instances: 1 },
    Case { name: "body 1000 instances 1.3 s", clip_ms: 1300, order: Order::Random, all: false, instances: 1000 },
    Case { name: "body 1000 instances 15 s", clip_ms: 15_000, order: Order::Random, all: false, instances: 1000 },
    Case { name: "all forward 1.3 s", clip_ms: 1300, order: Order::Forward, all: true, instances: 1 },
    Case { name: "all random 15 s", clip_ms: 15_000, order: Order::Random, all: true, instances: 1 },
];

/// A chain whose joints swing, each in its own time.
fn clip(clip_ms: i64, all: bool) -> UniformClip {
    let joints: Vec<RawJoint> = (0..JOINTS)
        .map(|node| {
            let rest = Trs { translation: Vec3::new(0.0, 0.1, 0.0), rotation: Quat::IDENTITY, scale: Vec3::ONE };
            RawJoint { node, name: format!("joint {node}"), parent: node.checked_sub(1), rest }
        })
        .collect();
    let skeleton = Skeleton::new(&joints).expect("a chain");
    let mut random = Rng::new(3).stream("swing", 0);
    let mut three = |size: f64| DVec3::from_array([(); 3].map(|()| (random.unit_f64() - 0.5) * size));
    let swings: Vec<(DVec3, DVec3)> = (0..JOINTS).map(|_| (three(6.0), three(1.0))).collect();
    let duration = Tick(clip_ms * TICKS_PER_SECOND / 1000);
    let baking = Baking { rate: FrameRate::whole(30), object_error_max_m: None };
    let mut pose = |at: Tick, pose: &mut [DTrs]| {
        for (joint, (out, (rate, size))) in pose.iter_mut().zip(&swings).enumerate() {
            let phase = *rate * at.seconds();
            let wave = DVec3::new(ops64::sin(phase.x), ops64::sin(phase.y), ops64::sin(phase.z)) * *size;
            out.rotation = DQuat::from_xyzw(wave.x, wave.y, wave.z, 1.0).normalize();
            if all || joint < 16 {
                out.translation = DVec3::new(0.0, 0.1, 0.0) + wave * 0.02;
            }
            if all {
                out.scale = DVec3::ONE + wave * 0.02;
            }
        }
    };
    bake(&skeleton, duration, &[], &baking, &mut pose).expect("a clip").0
}

fn moments(case: &Case, duration: Tick) -> Vec<Tick> {
    let mut random = Rng::new(5).stream("moments", 0);
    let forward = |i: usize| Tick(i as i64 * TICKS_PER_SECOND / 60).within(duration);
    (0..MOMENTS)
        .map(|i| match case.order {
            Order::Forward => forward(i),
            Order::Backward => duration - forward(i),
            Order::Random => Tick((random.unit_f64() * duration.0 as f64) as i64),
        })
        .collect()
}

fn cases(criterion: &mut Criterion) {
    for case in CASES {
        let clip = clip(case.clip_ms, case.all);
        let moments = moments(case, clip.duration());
        let mut poses = vec![vec![JointBlock::IDENTITY; JointBlock::count_for(JOINTS)]; case.instances];
        let mut group = criterion.benchmark_group(case.name);
        group.throughput(Throughput::Elements((JOINTS * case.instances) as u64));
        for isa in Isa::available() {
            let mut next = 0;
            group.bench_function(isa.name(), |bencher| {
                bencher.iter(|| {
                    for out in &mut poses {
                        next = (next + 1) % MOMENTS;
                        Sample { isa, clip: black_box(&clip), at: moments[next], out }.run();
                    }
                    black_box(&poses);
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, cases);
criterion_main!(benches);
