//! Skin: vertices bent by joints.

use std::hint::black_box;

use stillframe_anim::pose::Affine;
use stillframe_anim::skin::{
    Directions, InfluenceBlock, MeshInfluences, SkinMesh, SkinSorted, SortedInfluences, VertexBlock,
};
use stillframe_base::lanes::{Isa, ROW};

use super::input::Numbers;
use super::{Ready, Setting};

struct Mesh {
    isa: Isa,
    palette: Vec<Affine>,
    influences: Vec<InfluenceBlock>,
    vertices: Vec<VertexBlock>,
    out: Vec<VertexBlock>,
}

pub fn mesh(setting: Setting, count: usize) -> Ready {
    let mut numbers = Numbers::new("mesh");
    let (palette, vertices) = (numbers.affines(), numbers.vertices(count));
    let mut block = || InfluenceBlock {
        joints: [(); ROW].map(|()| [(); 4].map(|()| numbers.joint_index())),
        weights: [[0.4, 0.3, 0.2, 0.1]; ROW],
    };
    let influences = vertices.iter().map(|_| block()).collect();
    let state = Mesh { isa: setting.isa, palette, influences, out: vertices.clone(), vertices };
    let run = |s: &mut Mesh| {
        let (palette, influences, vertices) = (black_box(&s.palette), &s.influences, &s.vertices);
        let influences = MeshInfluences { count: 4, blocks: influences };
        let directions = Directions::Carried;
        SkinMesh { isa: s.isa, palette, influences, directions, vertices, out: &mut s.out }.run();
        black_box(&s.out);
    };
    Ready::new(count, state, run, |s| bytemuck::cast_slice(&s.out))
}

struct Sorted {
    isa: Isa,
    palette: Vec<Affine>,
    ends: Vec<u32>,
    joints: Vec<u16>,
    weights: Vec<[u8; ROW]>,
    vertices: Vec<VertexBlock>,
    out: Vec<VertexBlock>,
}

pub fn sorted(setting: Setting, count: usize, shared: usize) -> Ready {
    let mut numbers = Numbers::new("sorted");
    let (palette, vertices) = (numbers.affines(), numbers.vertices(count));
    let ends = (1..=vertices.len()).map(|block| (block * shared) as u32).collect();
    let entries = vertices.len() * shared;
    let joints = (0..entries).map(|_| numbers.joint_index()).collect();
    let weights = (0..entries).map(|entry| [[90, 60, 65, 40, 0, 0, 0, 0][entry % shared]; ROW]).collect();
    let state = Sorted { isa: setting.isa, palette, ends, joints, weights, out: vertices.clone(), vertices };
    let run = |s: &mut Sorted| {
        let influences = SortedInfluences { ends: &s.ends, joints: &s.joints, weights: &s.weights };
        let (palette, vertices) = (black_box(&s.palette), &s.vertices);
        let directions = Directions::Carried;
        SkinSorted { isa: s.isa, palette, influences, directions, vertices, out: &mut s.out }.run();
        black_box(&s.out);
    };
    Ready::new(count, state, run, |s| bytemuck::cast_slice(&s.out))
}
