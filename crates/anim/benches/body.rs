//! Morphs and boxes of palettes on one thread, at every instruction set of this machine: `cargo bench -p
//! stillframe-anim --bench body [-- NAME]`. Elements are vertices, those of the mesh, or joints with a box; for root
//! motion, steps.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::{Affine3A, DVec3, Quat, Vec3};
use stillframe_anim::bounds::{JointBoxes, PaletteBounds, point_boxes};
use stillframe_anim::morph::{Morph, MorphDirections, MorphSet, MorphTarget};
use stillframe_anim::pose::{Affine, Trs};
use stillframe_anim::root::{RootParts, RootTrack};
use stillframe_anim::sample::{DTrs, RawJoint, Skeleton};
use stillframe_anim::skin::{InfluenceBlock, VertexBlock};
use stillframe_anim::time::{Mode, Playback, Position, Repeat, Timeline, Track};
use stillframe_base::lanes::{Isa, ROW, Row};
use stillframe_base::rng::{Rng, Stream};
use stillframe_base::tick::Tick;

const VERTICES: usize = 10_000;
const JOINTS: usize = 67;

fn vec3(numbers: &mut Stream) -> Vec3 {
    Vec3::from_array([(); 3].map(|()| numbers.unit_f32() * 2.0 - 1.0))
}

fn vertices(numbers: &mut Stream) -> Vec<VertexBlock> {
    let mut row = || Row([(); ROW].map(|()| numbers.unit_f32() * 2.0 - 1.0));
    (0..VertexBlock::count_for(VERTICES))
        .map(|_| VertexBlock {
            position: [(); 3].map(|()| row()),
            normal: [(); 3].map(|()| row()),
            tangent: [(); 3].map(|()| row()),
        })
        .collect()
}

/// `count` targets of normals too, each a run of a tenth of the mesh's vertices or all of them.
fn targets(numbers: &mut Stream, count: usize, dense: bool) -> MorphSet {
    let size = if dense { VERTICES } else { VERTICES / 10 };
    let lists: Vec<(Vec<u32>, Vec<[f32; 3]>)> = (0..count)
        .map(|_| {
            let first = if dense { 0 } else { numbers.below((VERTICES - size) as u32) };
            ((first..first + size as u32).collect(), (0..size).map(|_| vec3(numbers).to_array()).collect())
        })
        .collect();
    let targets: Vec<MorphTarget<'_>> = lists
        .iter()
        .map(|(vertices, deltas)| MorphTarget { vertices, positions: deltas, normals: deltas, tangents: &[] })
        .collect();
    MorphSet::new(VERTICES, &targets).expect("in order")
}

fn morphs(criterion: &mut Criterion) {
    for (name, count, dense, active) in [
        ("morph PNT, 1 of 1 whole", 1, true, 1),
        ("morph PNT, 4 of 4 whole", 4, true, 4),
        ("morph PNT, 4 of 50 patches", 50, false, 4),
        ("morph PNT, 50 of 50 patches", 50, false, 50),
    ] {
        let mut numbers = Rng::new(7).stream(name, 0);
        let (base, set) = (vertices(&mut numbers), targets(&mut numbers, count, dense));
        let weights: Vec<f32> =
            (0..count).map(|target| if target % (count / active) == 0 { 0.5 } else { 0.0 }).collect();
        let mut out = base.clone();
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Elements(VERTICES as u64));
        for isa in Isa::available() {
            group.bench_function(isa.name(), |bencher| {
                bencher.iter(|| {
                    let directions = MorphDirections::Unit;
                    Morph { isa, set: &set, weights: black_box(&weights), directions, vertices: &base, out: &mut out }
                        .run();
                    black_box(&out);
                });
            });
        }
        group.finish();
    }
}

fn bounds(criterion: &mut Criterion) {
    let mut numbers = Rng::new(7).stream("bounds", 0);
    let base = vertices(&mut numbers);
    let mut joint = || (numbers.unit_f32() * JOINTS as f32) as u16;
    let influences: Vec<InfluenceBlock> = base
        .iter()
        .map(|_| InfluenceBlock {
            joints: [(); ROW].map(|()| [(); 4].map(|()| joint())),
            weights: [[0.4, 0.3, 0.2, 0.1]; ROW],
        })
        .collect();
    let boxes = JointBoxes::of_mesh(&influences, &point_boxes(&base, VERTICES)).expect("a mesh");
    let palette: Vec<Affine> = (0..JOINTS)
        .map(|_| {
            let turn = Quat::from_vec4(vec3(&mut numbers).extend(0.5)).normalize();
            Affine3A::from_rotation_translation(turn, vec3(&mut numbers)).into()
        })
        .collect();
    let mut group = criterion.benchmark_group("bounds of a palette");
    group.throughput(Throughput::Elements(JOINTS as u64));
    for isa in Isa::available() {
        group.bench_function(isa.name(), |bencher| {
            bencher.iter(|| PaletteBounds { isa, palette: black_box(&palette), boxes: &boxes }.run());
        });
    }
    group.finish();
}

fn root(criterion: &mut Criterion) {
    let root = RawJoint { node: 0, name: String::new(), parent: None, rest: Trs::IDENTITY };
    let skeleton = Skeleton::new(&[root]).expect("one joint");
    let mut pose = |at: Tick, joints: &mut [DTrs]| joints[0].translation = DVec3::Z * at.0 as f64;
    let track = RootTrack::extract(&skeleton, 0, RootParts::default(), (Tick(320), 16), &mut pose).expect("a walk");
    let playback = Playback::new(Tick(0), Tick(320), Mode::Loop(Repeat::Forever));
    let none = Track::new(Tick(0), Tick(320), Vec::new()).expect("no events");
    let timeline = Timeline::new(playback, &none).expect("a window");
    let mut group = criterion.benchmark_group("root motion");
    for (name, step) in [("a step within a loop", 7), ("a step over a seam", 300), ("a million loops", 320_000_000)] {
        group.bench_function(name, |bencher| {
            let [from, to] = [40, 40 + step].map(|tick| Position::of_tick(Tick(tick)));
            bencher.iter(|| track.between(black_box(&timeline), from, black_box(to)));
        });
    }
    group.finish();
}

criterion_group!(benches, morphs, bounds, root);
criterion_main!(benches);
