//! Skin: vertices bent by joints, as matrices, as dual quaternions and about centres of rotation.

use std::hint::black_box;

use stillframe_anim::pose::Affine;
use stillframe_anim::skin::{
    CentreBlock, Directions, DualJoint, InfluenceBlock, MeshInfluences, SkinCentres, SkinDualQuaternion, SkinMesh,
    SkinSorted, SortedInfluences, VertexBlock, dual_palette,
};
use stillframe_base::lanes::{Isa, ROW};

use super::input::Numbers;
use super::{Ready, Setting};

/// Weights by how many joints pull at a vertex; they sum to 1.
const WEIGHTS: [[f32; 8]; 8] = [
    [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [0.7, 0.3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [0.5, 0.3, 0.2, 0.0, 0.0, 0.0, 0.0, 0.0],
    [0.4, 0.3, 0.2, 0.1, 0.0, 0.0, 0.0, 0.0],
    [0.4, 0.2, 0.2, 0.1, 0.1, 0.0, 0.0, 0.0],
    [0.3, 0.2, 0.2, 0.1, 0.1, 0.1, 0.0, 0.0],
    [0.3, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1, 0.0],
    [0.2, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1],
];

struct Mesh {
    isa: Isa,
    palette: Vec<Affine>,
    duals: Vec<DualJoint>,
    count: usize,
    influences: Vec<InfluenceBlock>,
    centres: Vec<CentreBlock>,
    vertices: Vec<VertexBlock>,
    out: Vec<VertexBlock>,
}

impl Mesh {
    fn new(isa: Isa, vertex_count: usize, count: usize, palette: fn(&mut Numbers) -> Vec<Affine>) -> Mesh {
        let mut numbers = Numbers::new("mesh");
        let (palette, vertices) = (palette(&mut numbers), numbers.vertices(vertex_count));
        let sets = InfluenceBlock::sets_for(count);
        let mut block = |entry: usize| InfluenceBlock {
            joints: [(); ROW].map(|()| [(); 4].map(|()| numbers.joint_index())),
            weights: [[0, 1, 2, 3].map(|i| WEIGHTS[count - 1][entry % sets * 4 + i]); ROW],
        };
        let influences = (0..vertices.len() * sets).map(&mut block).collect();
        let (duals, centres, out) = (Vec::new(), Vec::new(), vertices.clone());
        Mesh { isa, palette, duals, count, influences, centres, vertices, out }
    }

    fn with_duals(mut self) -> Mesh {
        self.duals = vec![DualJoint::IDENTITY; self.palette.len()];
        dual_palette(&self.palette, &mut self.duals).unwrap_or_else(|error| unreachable!("they are rigid: {error}"));
        self
    }

    fn ready(self, vertex_count: usize, run: fn(&mut Mesh)) -> Ready {
        Ready::new(vertex_count, self, run, |s| bytemuck::cast_slice(&s.out))
    }
}

pub fn mesh(setting: Setting, vertex_count: usize, count: usize) -> Ready {
    Mesh::new(setting.isa, vertex_count, count, Numbers::affines).ready(vertex_count, |s| {
        let (palette, influences, vertices) = (black_box(&s.palette), &s.influences, &s.vertices);
        let influences = MeshInfluences { count: s.count, blocks: influences };
        let directions = Directions::Carried;
        SkinMesh { isa: s.isa, palette, influences, directions, vertices, out: &mut s.out }.run();
        black_box(&s.out);
    })
}

pub fn dual(setting: Setting, vertex_count: usize, count: usize) -> Ready {
    let mesh = Mesh::new(setting.isa, vertex_count, count, Numbers::rigids).with_duals();
    mesh.ready(vertex_count, |s| {
        let (palette, influences, vertices) = (black_box(&s.duals), &s.influences, &s.vertices);
        let influences = MeshInfluences { count: s.count, blocks: influences };
        let directions = Directions::Carried;
        SkinDualQuaternion { isa: s.isa, palette, influences, directions, vertices, out: &mut s.out }.run();
        black_box(&s.out);
    })
}

/// Centres are where vertices are: finding them is no part of a picture.
pub fn centres(setting: Setting, vertex_count: usize, count: usize) -> Ready {
    let mut mesh = Mesh::new(setting.isa, vertex_count, count, Numbers::rigids).with_duals();
    mesh.centres = mesh.vertices.iter().map(|block| CentreBlock(block.position)).collect();
    mesh.ready(vertex_count, |s| {
        let (palette, rotations, vertices) = (black_box(&s.palette), &s.duals, &s.vertices);
        let (influences, centres) = (MeshInfluences { count: s.count, blocks: &s.influences }, &s.centres);
        let directions = Directions::Carried;
        SkinCentres { isa: s.isa, palette, rotations, influences, centres, directions, vertices, out: &mut s.out }
            .run();
        black_box(&s.out);
    })
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
