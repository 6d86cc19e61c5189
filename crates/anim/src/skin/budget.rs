//! Budget: a mesh cut into parts that name few joints each, for palettes of limited size.
//!
//! Source: Stillframe's specification of animation, 1.7. Changed: the joints of all three vertices of a triangle are united before the
//! budget is looked at. Vertex by vertex, as the book has it, a triangle can pass and overflow all the same (defect D2).

use std::collections::BTreeMap;

use super::{Influence, InfluenceList, SkinError};

/// A part of a mesh with joints of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct SubMesh {
    /// The mesh's joint of each joint of the part, in the order of their first use.
    pub joints: Vec<u16>,
    /// The mesh's vertex of each vertex of the part, in the order of their first use.
    pub vertices: Vec<u32>,
    /// Vertices of the part.
    pub triangles: Vec<[u32; 3]>,
    joint_of: BTreeMap<u16, u16>,
}

impl SubMesh {
    /// What moves a vertex of the part, in joints of the part; `influences` are the mesh's.
    pub fn influences_of(&self, vertex: usize, influences: &InfluenceList) -> Vec<Influence> {
        let of_mesh = influences.of(self.vertices[vertex] as usize);
        of_mesh.iter().map(|i| Influence { joint: self.joint_of[&i.joint], weight: i.weight }).collect()
    }
}

/// Cuts a mesh into parts of at most `joint_max` joints. Triangles keep their order and their winding; a part ends before the first
/// triangle that does not fit. A mesh without triangles has no parts.
pub fn split_by_joint_budget(
    triangles: &[[u32; 3]],
    influences: &InfluenceList,
    joint_max: usize,
) -> Result<Vec<SubMesh>, SkinError> {
    let mut parts: Vec<Part> = Vec::new();
    for (number, triangle) in triangles.iter().enumerate() {
        let joints = joints_of_triangle(number, triangle, influences)?;
        if joints.len() > joint_max {
            return Err(SkinError::TriangleJoints { triangle: number, count: joints.len(), max: joint_max });
        }
        let fits = |part: &Part| {
            let added = joints.iter().filter(|joint| !part.mesh.joint_of.contains_key(joint)).count();
            part.mesh.joints.len() + added <= joint_max
        };
        if !parts.last().is_some_and(fits) {
            parts.push(Part::EMPTY);
        }
        let Some(part) = parts.last_mut() else { unreachable!("one was pushed") };
        part.add(triangle, &joints);
    }
    Ok(parts.into_iter().map(|part| part.mesh).collect())
}

struct Part {
    mesh: SubMesh,
    vertex_of: BTreeMap<u32, u32>,
}

impl Part {
    const EMPTY: Part = Part {
        mesh: SubMesh { joints: Vec::new(), vertices: Vec::new(), triangles: Vec::new(), joint_of: BTreeMap::new() },
        vertex_of: BTreeMap::new(),
    };

    fn add(&mut self, triangle: &[u32; 3], joints: &[u16]) {
        let SubMesh { joints: own, vertices, triangles, joint_of } = &mut self.mesh;
        for &joint in joints {
            joint_of.entry(joint).or_insert_with(|| {
                own.push(joint);
                own.len() as u16 - 1
            });
        }
        triangles.push(triangle.map(|vertex| {
            *self.vertex_of.entry(vertex).or_insert_with(|| {
                vertices.push(vertex);
                vertices.len() as u32 - 1
            })
        }));
    }
}

/// In the order of the vertices, each joint once.
fn joints_of_triangle(number: usize, triangle: &[u32; 3], influences: &InfluenceList) -> Result<Vec<u16>, SkinError> {
    let mut joints = Vec::new();
    for &vertex in triangle {
        let count = influences.vertex_count();
        if vertex as usize >= count {
            return Err(SkinError::UnknownVertex { triangle: number, vertex, count });
        }
        for influence in influences.of(vertex as usize) {
            if !joints.contains(&influence.joint) {
                joints.push(influence.joint);
            }
        }
    }
    Ok(joints)
}
