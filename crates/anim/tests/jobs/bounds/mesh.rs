//! Meshes: drawn vertices with joints and weights, and where a palette puts them.

use glam::{Affine3A, Quat, Vec3};
use proptest::prelude::*;
use stillframe_anim::bounds::{JointBoxes, point_boxes};
use stillframe_anim::pose::Affine;
use stillframe_anim::skin::{Directions, InfluenceBlock, MeshInfluences, SkinMesh, VertexBlock};
use stillframe_base::lanes::{Isa, ROW};

#[derive(Clone, Debug)]
pub struct Mesh {
    pub positions: Vec<Vec3>,
    pub influences: Vec<InfluenceBlock>,
    pub vertices: Vec<VertexBlock>,
}

impl Mesh {
    /// `bound`: joints and how much they pull; pulls are made to sum to 1.
    pub fn new(positions: &[Vec3], bound: &[Vec<(u16, f32)>]) -> Mesh {
        let count = VertexBlock::count_for(positions.len());
        let mut mesh = Mesh {
            positions: positions.to_vec(),
            influences: vec![InfluenceBlock::ZERO; count],
            vertices: vec![VertexBlock::ZERO; count],
        };
        for (vertex, (position, bound)) in positions.iter().zip(bound).enumerate() {
            let (block, lane) = (vertex / ROW, vertex % ROW);
            (0..3).for_each(|axis| mesh.vertices[block].position[axis].0[lane] = position[axis]);
            let sum: f32 = bound.iter().map(|(_, pull)| pull).sum();
            for (k, (joint, pull)) in bound.iter().enumerate() {
                mesh.influences[block].joints[lane][k] = *joint;
                mesh.influences[block].weights[lane][k] = pull / sum;
            }
        }
        mesh
    }

    /// Every vertex on one joint.
    pub fn rigid(positions: &[Vec3]) -> Mesh {
        Mesh::new(positions, &vec![vec![(0, 1.0)]; positions.len()])
    }

    pub fn boxes(&self) -> JointBoxes {
        JointBoxes::of_mesh(&self.influences, &point_boxes(&self.vertices, self.positions.len())).expect("a mesh")
    }

    pub fn skinned(&self, palette: &[Affine]) -> Vec<Vec3> {
        self.skinned_from(palette, &self.vertices)
    }

    pub fn skinned_from(&self, palette: &[Affine], vertices: &[VertexBlock]) -> Vec<Vec3> {
        let mut out = vertices.to_vec();
        SkinMesh {
            isa: Isa::detect(),
            palette,
            influences: MeshInfluences { count: 4, blocks: &self.influences },
            directions: Directions::Carried,
            vertices,
            out: &mut out,
        }
        .run();
        point_boxes(&out, self.positions.len()).into_iter().map(|point| point.min).collect()
    }
}

pub fn vector(reach: f32) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-reach..reach).prop_map(Vec3::from)
}

pub fn turns() -> impl Strategy<Value = Quat> {
    prop::array::uniform4(-1.0f32..1.0).prop_map(|q| {
        let q = Quat::from_array(q);
        if q.length_squared() > 1e-2 { q.normalize() } else { Quat::IDENTITY }
    })
}

/// Vertices of at most `joints_max` joints of `joint_count`.
pub fn meshes(joint_count: u16, joints_max: usize) -> impl Strategy<Value = Mesh> {
    let bound = prop::collection::btree_map(0..joint_count, 0.05f32..1.0, 1..=joints_max);
    prop::collection::vec((vector(2.0), bound), 1..40).prop_map(|vertices| {
        let (positions, bound): (Vec<Vec3>, Vec<_>) = vertices.into_iter().unzip();
        Mesh::new(&positions, &bound.into_iter().map(|bound| bound.into_iter().collect()).collect::<Vec<_>>())
    })
}

pub fn rigid_palettes(count: usize) -> impl Strategy<Value = Vec<Affine>> {
    let joint = (turns(), vector(3.0)).prop_map(|(q, t)| Affine3A::from_rotation_translation(q, t).into());
    prop::collection::vec(joint, count)
}

/// With uneven and negative scales, far from the origin or near.
pub fn palettes(count: usize) -> impl Strategy<Value = Vec<Affine>> {
    let joint = (turns(), vector(3.0), vector(2.0), prop_oneof![Just(1.0f32), Just(1000.0)])
        .prop_map(|(q, t, s, far)| Affine3A::from_scale_rotation_translation(s, q, t * far).into());
    prop::collection::vec(joint, count)
}
