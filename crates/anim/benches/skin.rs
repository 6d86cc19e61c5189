//! Skins and crowds on one thread, at every instruction set of this machine: `cargo bench -p stillframe-anim --bench skin [-- NAME]`.
//! Elements are vertices, joints of crowds or, for `copy`, bytes. Names of the rows that the figures of other runtimes are compared with
//! stay as they are.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::{Affine3A, Quat, Vec3};
use stillframe_anim::pose::Affine;
use stillframe_anim::skin::{
    CentreBlock, Directions, DualJoint, InfluenceBlock, MeshInfluences, SkinCentres, SkinDualQuaternion, SkinMesh,
    SkinSorted, SortedInfluences, VertexBlock, dual_palette,
};
use stillframe_base::lanes::{Isa, ROW, Row};
use stillframe_base::rng::{Rng, Stream};

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
