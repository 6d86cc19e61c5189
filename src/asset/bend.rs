//! Bend: what moves the vertices of a geometry, and what becomes of them in a posture.
//!
//! Shapes are added first, then joints pull. Source: glTF 2.0, 3.7.2.2 and 3.7.3; linear blend skinning as Magnenat-Thalmann and others,
//! "Joint-dependent local deformations", 1988; dual quaternions as `stillframe_anim::skin::SkinDualQuaternion`, whose page names the paper.
//! `shader/bend.wgsl` is the same text for devices: the same operations in the same
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
    /// None at all where nothing but shapes moves it; else at least one a vertex, weights summing to 1. For [`Form::Blended`] one more a
    /// vertex, the last: its weight is the share of the dual quaternions, its joint means nothing.
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
    /// As `form` says. The first is the node's own, for vertices that no joint pulls at.
    pub joints: Vec<[[f32; 4]; 3]>,
    pub form: Form,
    /// How much of each shape is added.
    pub shares: Vec<f32>,
}

/// What a posture says of each joint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Rows of the matrix from where vertices rest to where the joint takes them.
    #[default]
    Matrices,
    /// The same as a dual quaternion: the real half, the dual half, and the scale with zeros.
    DualQuaternions,
    /// Two entries a joint: its matrix, then the same as a dual quaternion; joints that are none have zeros, and vertices that they pull at
    /// go with matrices alone. Each vertex is blended both ways, and then the results by its share.
    Blended,
    /// A vertex is its own joint: its place and its normal, of any length, then zeros. Tangents turn as normals do, the short way.
    Places,
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

    /// Where shapes move a vertex.
    pub fn deltas_of(&self, vertex: usize) -> &[Delta] {
        self.of(vertex).1
    }

    /// The same with only the shapes that are kept, by target.
    pub fn with_shapes(&self, kept: &[bool]) -> Bend {
        let mut out = Bend { starts: vec![[0; 2]], ..Bend::default() };
        for vertex in 0..self.vertex_count() {
            let (influences, deltas) = self.of(vertex);
            out.influences.extend_from_slice(influences);
            let is_kept = |delta: &&Delta| kept.get(delta.target as usize).is_some_and(|kept| *kept);
            out.deltas.extend(deltas.iter().filter(is_kept));
            out.close();
        }
        out
    }

    /// The same where vertices that no joint pulls at go with the first one.
    #[must_use]
    pub fn with_own_joint(self) -> Bend {
        if !self.influences.is_empty() {
            return self;
        }
        let starts = (0..).zip(self.starts).map(|(vertex, [_, deltas])| [vertex, deltas]).collect::<Vec<_>>();
        let influences = vec![Influence { joint: 0, weight: 1.0 }; starts.len().saturating_sub(1)];
        Bend { starts, influences, deltas: self.deltas }
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

    /// The vertices of `rest` in a posture. Directions that joints turn are unit, those that lose their length stay as they rest; shapes
    /// alone leave the length that they give.
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
            if posture.form == Form::Places {
                let [place, facing, _] = &posture.joints[influences[0].joint as usize];
                let rest_normal = normals.get(vertex).copied().unwrap_or_default();
                let normal = direction([facing[0], facing[1], facing[2]], rest_normal);
                positions[vertex] = [place[0], place[1], place[2]];
                normals.get_mut(vertex).into_iter().for_each(|own| *own = normal);
                if let Some([x, y, z, _]) = tangents.get_mut(vertex) {
                    [*x, *y, *z] = direction(turned([*x, *y, *z], rest_normal, normal), [*x, *y, *z]);
                }
                continue;
            }
            let joints = &*posture.joints;
            let rows = match posture.form {
                Form::DualQuaternions => summed(influences, |joint| &joints[joint], true).and_then(matrix_of_dual),
                Form::Blended => {
                    let (share, influences) = influences.split_last().expect("an influence and a share");
                    let linear = summed(influences, |joint| &joints[2 * joint], false);
                    let dual = summed(influences, |joint| &joints[2 * joint + 1], true).and_then(matrix_of_dual);
                    linear.map(|linear| dual.map_or(linear, |dual| mixed(linear, dual, share.weight)))
                }
                _ => summed(influences, |joint| &joints[joint], false),
            };
            let Some(rows) = rows else { continue };
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

/// The weighted sum of joints' entries. `is_dual`: of the two quaternions of a turn the one that is nearer to the first counts.
fn summed<'a>(
    influences: &[Influence],
    entry: impl Fn(usize) -> &'a [[f32; 4]; 3],
    is_dual: bool,
) -> Option<[[f32; 4]; 3]> {
    let mut rows = [[0.0_f32; 4]; 3];
    let [pivot, ..] = entry(influences.first()?.joint as usize);
    for Influence { joint, weight } in influences {
        let joint = entry(*joint as usize);
        let turn = if is_dual && dot_4(pivot, &joint[0]) < 0.0 { -weight } else { *weight };
        for ((row, from), weight) in rows.iter_mut().zip(joint).zip([turn, turn, *weight]) {
            for (sum, from) in row.iter_mut().zip(from) {
                *sum += from * weight;
            }
        }
    }
    Some(rows)
}

fn mixed(linear: [[f32; 4]; 3], dual: [[f32; 4]; 3], share: f32) -> [[f32; 4]; 3] {
    [0, 1, 2].map(|row| [0, 1, 2, 3].map(|at| linear[row][at] + (dual[row][at] - linear[row][at]) * share))
}

/// Unit vectors whose product is nearer than this to -1 are opposite.
const OPPOSITE_MAX: f32 = 1e-3;

fn add<const N: usize>(to: &mut [f32; N], from: [f32; 3], share: f32) {
    for axis in 0..3 {
        to[axis] += from[axis] * share;
    }
}

fn dot(row: Vec3, v: [f32; 3]) -> f32 {
    (row.x * v[0] + row.y * v[1]) + row.z * v[2]
}

fn dot_4(a: &[f32; 4], b: &[f32; 4]) -> f32 {
    ((a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]) + a[3] * b[3]
}

/// A vector as the shortest turn from one unit vector to another takes it; as it is where they are opposite.
fn turned(vector: [f32; 3], from: [f32; 3], to: [f32; 3]) -> [f32; 3] {
    let cross =
        |a: [f32; 3], b: [f32; 3]| [a[1] * b[2] - b[1] * a[2], a[2] * b[0] - b[2] * a[0], a[0] * b[1] - b[0] * a[1]];
    let whole = 1.0 + ((from[0] * to[0] + from[1] * to[1]) + from[2] * to[2]);
    if !(whole > OPPOSITE_MAX) {
        return vector;
    }
    let axis = cross(from, to);
    let once = cross(axis, vector);
    let twice = cross(axis, once);
    [0, 1, 2].map(|i| (vector[i] + once[i]) + twice[i] * (1.0 / whole))
}

/// Rows of the matrix that a sum of dual quaternions with scales is; none where the sum has no direction.
fn matrix_of_dual([q, d, [scale, ..]]: [[f32; 4]; 3]) -> Option<[[f32; 4]; 3]> {
    let length = dot_4(&q, &q).sqrt();
    if !(length > 0.0 && length.is_finite()) {
        return None;
    }
    let [x, y, z, w] = q.map(|n| n * (1.0 / length));
    let [dx, dy, dz, dw] = d.map(|n| n * (1.0 / length));
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xx, yy, zz) = (x * x2, y * y2, z * z2);
    let (xy, xz, yz) = (x * y2, x * z2, y * z2);
    let (wx, wy, wz) = (w * x2, w * y2, w * z2);
    let tx = 2.0 * ((w * dx - dw * x) + (y * dz - z * dy));
    let ty = 2.0 * ((w * dy - dw * y) + (z * dx - x * dz));
    let tz = 2.0 * ((w * dz - dw * z) + (x * dy - y * dx));
    Some([
        [(1.0 - (yy + zz)) * scale, (xy - wz) * scale, (xz + wy) * scale, tx],
        [(xy + wz) * scale, (1.0 - (xx + zz)) * scale, (yz - wx) * scale, ty],
        [(xz - wy) * scale, (yz + wx) * scale, (1.0 - (xx + yy)) * scale, tz],
    ])
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A vertex that goes half with matrices and half with dual quaternions is in the middle of where either takes it.
    #[test]
    fn half_of_both_ways() {
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let rest = Geometry { positions: vec![[0.3, 1.0, 0.0]; 3], ..Geometry::default() };
        let pull = |share: f32| [(0, 0.5), (1, 0.5), (0, share)].map(|(joint, weight)| Influence { joint, weight });
        let influences = [0.0, 0.5, 1.0].map(pull).concat();
        let bend = Bend { starts: vec![[0, 0], [3, 0], [6, 0], [9, 0]], influences, deltas: Vec::new() };
        let stays = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
        let turned = [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, 0.0]];
        let dual = |real: [f32; 4]| [real, [0.0; 4], [1.0, 0.0, 0.0, 0.0]];
        let near = |a: [f32; 3], b: [f32; 3]| (0..3).all(|i| (a[i] - b[i]).abs() < 1e-6);

        let joints = vec![stays, dual([0.0, 0.0, 0.0, 1.0]), turned, dual([half, 0.0, 0.0, half])];
        let bent = bend.bent(&rest, Posture { joints, form: Form::Blended, shares: Vec::new() });
        let middle = (0.5 + half) * 0.5;
        for (got, want) in bent.positions.iter().zip([0.5, middle, half]) {
            assert!(near(*got, [0.3, want, want]), "{got:?} instead of {want}");
        }
        // Joints that are no dual quaternions.
        let joints = vec![stays, [[0.0; 4]; 3], turned, [[0.0; 4]; 3]];
        let bent = bend.bent(&rest, Posture { joints, form: Form::Blended, shares: Vec::new() });
        assert!(bent.positions.iter().all(|got| near(*got, [0.3, 0.5, 0.5])), "{:?}", bent.positions);
    }

    /// Half of a right angle about X keeps its distance from the axis with dual quaternions, and comes nearer with matrices.
    #[test]
    fn half_a_turn_between_two_joints() {
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let rest = Geometry { positions: vec![[0.3, 1.0, 0.0]], normals: vec![[0.0, 1.0, 0.0]], ..Geometry::default() };
        let influences = [0, 1].map(|joint| Influence { joint, weight: 0.5 }).to_vec();
        let bend = Bend { starts: vec![[0, 0], [2, 0]], influences, deltas: Vec::new() };
        let close = |a: [f32; 3], b: [f32; 3]| (0..3).all(|i| (a[i] - b[i]).abs() < 1e-6);

        let stays = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
        let turned = [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, 0.0]];
        let linear = bend.bent(&rest, Posture { joints: vec![stays, turned], ..Posture::default() });
        assert!(close(linear.positions[0], [0.3, 0.5, 0.5]), "{:?}", linear.positions[0]);

        let dual = |real: [f32; 4]| [real, [0.0; 4], [1.0, 0.0, 0.0, 0.0]];
        // The second turn by either of its quaternions: the nearer one counts.
        for turned in [dual([half, 0.0, 0.0, half]), dual([-half, 0.0, 0.0, -half])] {
            let joints = vec![dual([0.0, 0.0, 0.0, 1.0]), turned];
            let kept = bend.bent(&rest, Posture { joints, form: Form::DualQuaternions, shares: Vec::new() });
            assert!(close(kept.positions[0], [0.3, half, half]), "{:?}", kept.positions[0]);
            assert!(close(kept.normals[0], [0.0, half, half]), "{:?}", kept.normals[0]);
        }
    }
}
