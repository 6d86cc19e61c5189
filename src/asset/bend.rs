//! Bend: what moves the vertices of a geometry, and what becomes of them in a posture.
//!
//! Shapes are added first, then joints pull. Source: glTF 2.0, 3.7.2.2 and 3.7.3; linear blend skinning as Magnenat-Thalmann and others,
//! "Joint-dependent local deformations", 1988. `shader/bend.wgsl` is the same text for devices: the same operations in the same
//! order, so that on the software adapter it gives the same bits.

use std::cmp::Ordering;

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use super::Geometry;

/// By vertex: who pulls at it and where shapes move it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bend {
    /// Vertex `v` has the influences `starts[v][0] .. starts[v + 1][0]` and the deltas `starts[v][1] .. starts[v + 1][1]`.
    pub starts: Vec<[u32; 2]>,
    /// None at all where nothing but shapes moves it; else at least one a vertex, weights summing to 1.
    pub influences: Vec<Influence>,
    /// Of one vertex, by target.
    pub deltas: Vec<Delta>,
}

/// A joint that pulls at a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Influence {
    /// Place in [`Posture::joints`].
    pub joint: u32,
    pub weight: f32,
}

/// Where a whole share of a shape moves a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Delta {
    /// Place in [`Posture::shares`].
    pub target: u32,
    pub position: [f32; 3],
    pub normal: [f32; 3],
    pub tangent: [f32; 3],
}

/// What bends a geometry at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Posture {
    /// Rows of matrices from where vertices rest to where joints take them. The first is the node's own, for vertices that no joint
    /// pulls at.
    pub joints: Vec<[[f32; 4]; 3]>,
    /// How much of each shape is added.
    pub shares: Vec<f32>,
}

/// A geometry's vertices in a posture; the rest of it is as it was.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bent {
    pub posture: Posture,
    pub positions: Vec<[f32; 3]>,
    /// As many, or none.
    pub normals: Vec<[f32; 3]>,
    /// As many, or none.
    pub tangents: Vec<[f32; 4]>,
}

impl Bend {
    pub fn vertex_count(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    fn of(&self, vertex: usize) -> (&[Influence], &[Delta]) {
        let (from, to) = (self.starts[vertex].map(|at| at as usize), self.starts[vertex + 1].map(|at| at as usize));
        (&self.influences[from[0]..to[0]], &self.deltas[from[1]..to[1]])
    }

    /// Who pulls at a vertex.
    pub fn influences_of(&self, vertex: usize) -> &[Influence] {
        self.of(vertex).0
    }

    /// The same without shapes.
    pub fn without_deltas(self) -> Bend {
        let starts = self.starts.into_iter().map(|[influences, _]| [influences, 0]).collect();
        Bend { starts, influences: self.influences, deltas: Vec::new() }
    }

    /// An order of vertices in which those that bend alike are equal.
    pub fn compare(&self, a: u32, b: u32) -> Ordering {
        let (a, b) = (self.of(a as usize), self.of(b as usize));
        let bytes = |of: (&[Influence], &[Delta])| {
            (bytemuck::cast_slice::<_, u8>(of.0).to_vec(), bytemuck::cast_slice::<_, u8>(of.1).to_vec())
        };
        if a == b { Ordering::Equal } else { bytes(a).cmp(&bytes(b)) }
    }

    /// What bends these vertices, each named by its number here.
    pub fn of_vertices(&self, vertices: &[u32]) -> Bend {
        let mut out = Bend { starts: vec![[0; 2]], ..Bend::default() };
        for vertex in vertices {
            let (influences, deltas) = self.of(*vertex as usize);
            out.influences.extend_from_slice(influences);
            out.deltas.extend_from_slice(deltas);
            out.close();
        }
        out
    }

    /// Ends a vertex: what comes next is the next one's.
    pub fn close(&mut self) {
        self.starts.push([self.influences.len() as u32, self.deltas.len() as u32]);
    }

    /// The vertices of `rest` in a posture. Directions stay unit; those that lose their length stay as they rest.
    ///
    /// Values may overflow where a file asks for it: who shows the result checks that it is finite.
    pub fn bent(&self, rest: &Geometry, posture: Posture) -> Bent {
        assert_eq!(rest.positions.len(), self.vertex_count(), "a bend is made for its geometry");
        let (mut positions, mut normals, mut tangents) =
            (rest.positions.clone(), rest.normals.clone(), rest.tangents.clone());
        for vertex in 0..positions.len() {
            let (influences, deltas) = self.of(vertex);
            for delta in deltas {
                let share = posture.shares[delta.target as usize];
                if share != 0.0 {
                    add(&mut positions[vertex], delta.position, share);
                    normals.get_mut(vertex).into_iter().for_each(|n| add(n, delta.normal, share));
                    tangents.get_mut(vertex).into_iter().for_each(|t| add(t, delta.tangent, share));
                }
            }
            if influences.is_empty() {
                continue;
            }
            let mut rows = [[0.0_f32; 4]; 3];
            for Influence { joint, weight } in influences {
                let joint = &posture.joints[*joint as usize];
                for (row, from) in rows.iter_mut().zip(joint) {
                    for (sum, from) in row.iter_mut().zip(from) {
                        *sum += from * weight;
                    }
                }
            }
            let [x, y, z] = rows;
            let p = positions[vertex];
            positions[vertex] = rows.map(|r| ((r[0] * p[0] + r[1] * p[1]) + r[2] * p[2]) + r[3]);
            let linear = [x, y, z].map(|r| Vec3::new(r[0], r[1], r[2]));
            if let Some(normal) = normals.get_mut(vertex) {
                *normal = direction(cofactors(linear).map(|row| dot(row, *normal)), *normal);
            }
            if let Some(tangent) = tangents.get_mut(vertex) {
                let [tx, ty, tz, w] = *tangent;
                let [tx, ty, tz] = direction(linear.map(|row| dot(row, [tx, ty, tz])), [tx, ty, tz]);
                *tangent = [tx, ty, tz, w];
            }
        }
        Bent { posture, positions, normals, tangents }
    }
}

fn add<const N: usize>(to: &mut [f32; N], from: [f32; 3], share: f32) {
    for axis in 0..3 {
        to[axis] += from[axis] * share;
    }
}

fn dot(row: Vec3, v: [f32; 3]) -> f32 {
    (row.x * v[0] + row.y * v[1]) + row.z * v[2]
}

/// Rows of the matrix that turns normals as the matrix of these rows turns surfaces: determinant times inverse transpose, without a
/// division.
fn cofactors([x, y, z]: [Vec3; 3]) -> [Vec3; 3] {
    [y.cross(z), z.cross(x), x.cross(y)]
}

/// Unit length; `otherwise` where there is no direction left.
pub fn direction(vector: [f32; 3], otherwise: [f32; 3]) -> [f32; 3] {
    let [x, y, z] = vector;
    let length = ((x * x + y * y) + z * z).sqrt();
    if length > 0.0 && length.is_finite() { vector.map(|v| v * (1.0 / length)) } else { otherwise }
}
