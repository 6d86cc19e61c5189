//! Skins and crowds on one thread, at every instruction set of this machine: `cargo bench -p stillframe-anim --bench
//! skin [-- NAME]`. Elements are vertices, joints of crowds or, for `copy`, bytes. Names of the rows that the figures
//! of other runtimes are compared with stay as they are.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::{Affine3A, Quat, Vec3};
use stillframe_anim::crowd::{
    BakedBones, CrowdBaking, CrowdClip, CrowdRig, CullCrowd, SampleCrowd, Storage, TextureLimits, Visible, grid,
    scatter,
};
use stillframe_anim::pose::{Affine, Trs};
use stillframe_anim::sample::{DTrs, RawJoint, Skeleton};
use stillframe_anim::skin::{
    CentreBlock, Directions, DualJoint, InfluenceBlock, MeshInfluences, SkinCentres, SkinDualQuaternion, SkinMesh,
    SkinSorted, SortedInfluences, VertexBlock, dual_palette,
};
use stillframe_base::geom::{Aabb, Frustum};
use stillframe_base::lanes::{Isa, ROW, Row};
use stillframe_base::math::camera::{look_at, perspective};
use stillframe_base::rng::{Rng, Stream};
use stillframe_base::tick::{FrameRate, TICKS_PER_SECOND, Tick};

const JOINTS: usize = 67;

const SIZES: [(&str, usize); 3] = [("10k", 10_000), ("100k", 100_000), ("1M", 1_000_000)];

/// What the memory gives: a plain copy of as many bytes as a million vertices have.
const COPY_BYTES: usize = 36_000_000;

/// What a case does, at an instruction set.
type Call = Box<dyn FnMut(Isa)>;

struct Numbers(Stream);

impl Numbers {
    fn new(name: &str) -> Numbers {
        Numbers(Rng::new(7).stream(name, 0))
    }
    fn signed(&mut self) -> f32 {
        self.0.unit_f32() * 2.0 - 1.0
    }
    fn affines(&mut self, count: usize) -> Vec<Affine> {
        let affine = |_| {
            let [x, y, z, w] = [(); 4].map(|()| self.signed());
            let at = Vec3::from_array([(); 3].map(|()| self.signed()));
            Affine3A::from_rotation_translation(Quat::from_xyzw(x, y, z, w + 0.01).normalize(), at).into()
        };
        (0..count).map(affine).collect()
    }
    fn vertices(&mut self, count: usize) -> Vec<VertexBlock> {
        let mut row = || Row([(); ROW].map(|()| self.signed()));
        (0..VertexBlock::count_for(count))
            .map(|_| VertexBlock {
                position: [(); 3].map(|()| row()),
                normal: [(); 3].map(|()| row()),
                tangent: [(); 3].map(|()| row()),
            })
            .collect()
    }
    fn influences(&mut self, blocks: usize, count: usize) -> Vec<InfluenceBlock> {
        let block = |_| InfluenceBlock {
            joints: [(); ROW].map(|()| [(); 4].map(|()| self.0.below(JOINTS as u32) as u16)),
            weights: [[0.4, 0.3, 0.2, 0.1]; ROW],
        };
        (0..blocks * InfluenceBlock::sets_for(count)).map(block).collect()
    }
}

fn mesh(vertex_count: usize, count: usize, directions: Directions) -> Call {
    let mut numbers = Numbers::new("mesh");
    let (palette, vertices) = (numbers.affines(JOINTS), numbers.vertices(vertex_count));
    let (blocks, mut out) = (numbers.influences(vertices.len(), count), vertices.clone());
    Box::new(move |isa| {
        let influences = MeshInfluences { count, blocks: &blocks };
        let palette = black_box(&palette);
        SkinMesh { isa, palette, influences, directions, vertices: &vertices, out: &mut out }.run();
        black_box(&out);
    })
}

fn sorted(vertex_count: usize, shared: usize, directions: Directions) -> Call {
    let mut numbers = Numbers::new("sorted");
    let (palette, vertices) = (numbers.affines(JOINTS), numbers.vertices(vertex_count));
    let ends: Vec<u32> = (1..=vertices.len()).map(|b| (b * shared) as u32).collect();
    let entries = vertices.len() * shared;
    let joints: Vec<u16> = (0..entries).map(|_| numbers.0.below(JOINTS as u32) as u16).collect();
    let weights: Vec<[u8; ROW]> = (0..entries).map(|e| [[90, 60, 65, 40, 0, 0, 0, 0][e % shared]; ROW]).collect();
    let mut out = vertices.clone();
    Box::new(move |isa| {
        let influences = SortedInfluences { ends: &ends, joints: &joints, weights: &weights };
        let palette = black_box(&palette);
        SkinSorted { isa, palette, influences, directions, vertices: &vertices, out: &mut out }.run();
        black_box(&out);
    })
}

fn dual(vertex_count: usize, centred: bool) -> Call {
    let mut numbers = Numbers::new("dual");
    let (palette, vertices) = (numbers.affines(JOINTS), numbers.vertices(vertex_count));
    let mut rotations = vec![DualJoint::IDENTITY; JOINTS];
    dual_palette(&palette, &mut rotations).expect("rigid joints");
    let blocks = numbers.influences(vertices.len(), 4);
    let centres: Vec<CentreBlock> = vertices.iter().map(|block| CentreBlock(block.position)).collect();
    let mut out = vertices.clone();
    let directions = Directions::Carried;
    Box::new(move |isa| {
        let influences = MeshInfluences { count: 4, blocks: &blocks };
        let (rotations, vertices, out) = (black_box(&rotations), &vertices, &mut out);
        if centred {
            SkinCentres { isa, palette: &palette, rotations, influences, centres: &centres, directions, vertices, out }
                .run();
        } else {
            SkinDualQuaternion { isa, palette: rotations, influences, directions, vertices, out }.run();
        }
        black_box(&vertices);
    })
}

/// A crowd of 10,000, all of which are seen, in blocks of as many as are written before they are used; or all at once.
/// One in ten fades.
fn crowd(storage: Storage, at_once: usize) -> Call {
    let joint = |node: usize| RawJoint {
        node,
        name: String::new(),
        parent: node.checked_sub(1),
        rest: Trs { translation: Vec3::Y * 0.1, ..Trs::IDENTITY },
    };
    let skeleton = Skeleton::new(&(0..JOINTS).map(joint).collect::<Vec<RawJoint>>()).expect("a chain");
    let joints: Vec<u16> = (0..JOINTS as u16).collect();
    let inverse_binds = vec![Affine::IDENTITY; JOINTS];
    let rig = CrowdRig { skeleton: &skeleton, joints: &joints, inverse_binds: &inverse_binds };
    let rate = FrameRate::whole(30);
    let limits = TextureLimits::default();
    let baking = CrowdBaking { storage, error_max_m: 10.0, rate_min: rate, rate_max: rate, limits };
    let mut poses = [1.0, 2.0].map(|speed| {
        move |at: Tick, pose: &mut [DTrs]| {
            let part = at.seconds() * speed;
            pose.iter_mut().for_each(|joint| joint.rotation.x = part * (1.333 - part));
        }
    });
    let mut clips: Vec<CrowdClip<'_>> = poses
        .iter_mut()
        .map(|pose| CrowdClip { length: Tick(TICKS_PER_SECOND * 4 / 3), looping: false, keys: &[], pose })
        .collect();
    let (baked, _) = BakedBones::bake(rig, &mut clips, &baking).expect("any error will do");
    let mut actors = scatter(&grid(100, 100, 1.0), 2, Rng::new(7));
    for actor in actors.iter_mut().step_by(10) {
        actor.tracks[1].clip = 1 - actor.tracks[0].clip;
        actor.fade = 0.3;
    }
    let everyone: Vec<Visible> = (0..actors.len() as u32).map(|actor| Visible { actor, lod: 0 }).collect();
    let mut out = vec![Row::ZERO; at_once * baked.frames.frame_rows()];
    let mut now = Tick(0);
    Box::new(move |isa| {
        now += Tick(TICKS_PER_SECOND / 60);
        let (baked, mut phases) = (&baked.frames, [0; 2]);
        baked.clip_phases(now, &mut phases);
        for visible in everyone.chunks(at_once) {
            let out = &mut out[..visible.len() * baked.frame_rows()];
            SampleCrowd {
                isa,
                baked,
                phases: &phases,
                actors: &actors,
                visible,
                out: &mut *out,
                stream: at_once > 1_000,
            }
            .run();
            black_box(out);
        }
    })
}

fn cull() -> Call {
    let actors = scatter(&grid(100, 100, 1.0), 2, Rng::new(7));
    let bounds = [Aabb::new(Vec3::splat(-1.0), Vec3::splat(1.0)); 2];
    let eye = Vec3::new(0.0, 10.0, 60.0);
    let frustum = Frustum::new(&(perspective(1.0, 1.5, 0.1, Some(100.0)) * look_at(eye, Vec3::ZERO, Vec3::Y)));
    let mut visible = vec![Visible::default(); actors.len()];
    Box::new(move |_| {
        let (actors, lod_distances_m) = (black_box(&actors), &[20.0, 40.0][..]);
        let count =
            CullCrowd { actors, bounds: &bounds, frustum: &frustum, eye, lod_distances_m, visible: &mut visible }.run();
        black_box(count);
    })
}

fn cases() -> Vec<(String, u64, Box<dyn Fn() -> Call>)> {
    let mut cases: Vec<(String, u64, Box<dyn Fn() -> Call>)> = Vec::new();
    let carried = Directions::Carried;
    for (size, count) in SIZES {
        let mut add =
            |name: &str, make: Box<dyn Fn() -> Call>| cases.push((format!("{name}, {size}"), count as u64, make));
        add("skin PNT any mesh", Box::new(move || mesh(count, 4, carried)));
        for shared in [4, 8] {
            let name = format!("skin PNT blocks sharing {shared} joints");
            add(&name, Box::new(move || sorted(count, shared, carried)));
        }
        for influences in [1, 2, 3, 5, 6, 7, 8] {
            let name = format!("skin PNT any mesh with {influences} influences");
            add(&name, Box::new(move || mesh(count, influences, carried)));
        }
        add("skin PNT dual quaternions", Box::new(move || dual(count, false)));
        add("skin PNT centres of rotation", Box::new(move || dual(count, true)));
        for (name, directions) in [("unit", Directions::Unit), ("inverse transpose", Directions::InverseTranspose)] {
            add(&format!("skin PNT any mesh, directions {name}"), Box::new(move || mesh(count, 4, directions)));
            let name = format!("skin PNT blocks sharing 4 joints, directions {name}");
            add(&name, Box::new(move || sorted(count, 4, directions)));
        }
    }
    let joints = (10_000 * JOINTS) as u64;
    for (name, storage) in [("f32", Storage::F32), ("16 bits", Storage::Ranged16)] {
        for (size, at_once) in [("16 at a time", 16), ("at once", 10_000)] {
            let name = format!("crowd of 10k, {name}, {size}");
            cases.push((name, joints, Box::new(move || crowd(storage, at_once))));
        }
    }
    cases.push(("crowd of 10k, cull".to_owned(), 10_000, Box::new(cull)));
    cases
}

fn benches_of_cases(criterion: &mut Criterion) {
    for (name, elements, make) in cases() {
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Elements(elements));
        for isa in Isa::available() {
            // Made where it is measured: a million vertices of every case would not fit.
            group.bench_function(isa.name(), |bencher| {
                let mut call = make();
                bencher.iter(|| call(isa));
            });
        }
        group.finish();
    }
    let (from, mut to) = (vec![1u8; COPY_BYTES], vec![0u8; COPY_BYTES]);
    let mut group = criterion.benchmark_group("copy");
    group.throughput(Throughput::Bytes(2 * COPY_BYTES as u64));
    group.bench_function("36 MB", |bencher| bencher.iter(|| to.copy_from_slice(black_box(&from))));
    group.finish();
}

criterion_group!(benches, benches_of_cases);
criterion_main!(benches);
