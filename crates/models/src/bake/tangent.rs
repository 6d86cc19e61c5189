//! Tangents: MikkTSpace where a normal map needs them, anything across the normal where none does.
//!
//! Source: Mikkelsen, "Simulation of Wrinkled Surfaces Revisited" (2008), by `bevy_mikktspace`, with our arc cosine.
//! glTF counts v downwards while MikkTSpace and normal maps count it upwards, so v is turned over on the way in; then
//! `w` needs no change.

use bevy_mikktspace::{Ops, TangentSpace, generate_tangents};
use glam::Vec3;

use crate::asset::Geometry;
use stillframe_base::math::ops;

/// The square root and arc cosine that are the same on every machine.
struct Pinned;

impl Ops for Pinned {
    fn sqrt(x: f32) -> f32 {
        x.sqrt()
    }

    fn acos(x: f32) -> f32 {
        ops::acos(x)
    }
}

/// What the generator sees of a geometry, and one tangent a corner that it says.
struct Corners<'a> {
    geometry: &'a Geometry,
    uv: &'a [[f32; 2]],
    tangents: Vec<[f32; 4]>,
}

impl Corners<'_> {
    fn vertex(&self, face: usize, corner: usize) -> usize {
        self.geometry.indices[face * 3 + corner] as usize
    }
}

impl bevy_mikktspace::Geometry<Pinned> for Corners<'_> {
    fn num_faces(&self) -> usize {
        self.geometry.indices.len() / 3
    }

    fn num_vertices_of_face(&self, _face: usize) -> usize {
        3
    }

    fn position(&self, face: usize, corner: usize) -> [f32; 3] {
        self.geometry.positions[self.vertex(face, corner)]
    }

    fn normal(&self, face: usize, corner: usize) -> [f32; 3] {
        self.geometry.normals[self.vertex(face, corner)]
    }

    fn tex_coord(&self, face: usize, corner: usize) -> [f32; 2] {
        let [u, v] = self.uv[self.vertex(face, corner)];
        [u, 1.0 - v]
    }

    fn set_tangent(&mut self, space: Option<TangentSpace>, face: usize, corner: usize) {
        if let Some(space) = space {
            self.tangents[face * 3 + corner] = space.tangent_encoded();
        }
    }
}

/// Triangles that may meet in one point: the generator walks around points by recursion.
const MEETING_MAX: usize = 4096;

/// Sum over all points of the squared number of triangles that meet there: the generator's time grows with it.
const WORK_MAX: u64 = 1 << 27;

/// Whether the generator may be given this geometry: models of people stay far below both limits.
pub fn tractable(geometry: &Geometry) -> bool {
    let key = |i: &u32| geometry.positions[*i as usize].map(|v| (v + 0.0).to_bits());
    let mut corners = geometry.indices.clone();
    corners.sort_unstable_by_key(key);
    let mut work = 0_u64;
    for meeting in corners.chunk_by(|a, b| key(a) == key(b)) {
        if meeting.len() > MEETING_MAX {
            return false;
        }
        work += (meeting.len() * meeting.len()) as u64;
    }
    work <= WORK_MAX
}

/// Makes tangents along the u of texture coordinates `set`. A vertex whose corners want different tangents (where
/// mirrored coordinates meet) becomes several; the new ones come last.
///
/// Out: for each new vertex the one that it is a copy of.
pub fn make(geometry: &mut Geometry, set: u32) -> Vec<u32> {
    let uv = if set == 0 { &geometry.uv0 } else { &geometry.uv1 };
    let mut corners = Corners { geometry, uv, tangents: vec![[0.0; 4]; geometry.indices.len()] };
    generate_tangents(&mut corners).expect("the generator has no errors");
    let corner_tangents = corners.tangents;
    let copies = split(geometry, &corner_tangents);
    clean(geometry);
    copies
}

/// Gives each corner its tangent, copying vertices whose corners disagree. The first corner's tangent stays with the
/// old vertex; copies come in the order of the corners that need them.
fn split(geometry: &mut Geometry, corner_tangents: &[[f32; 4]]) -> Vec<u32> {
    let old_count = geometry.positions.len();
    // Sorting brings the corners of one vertex with one tangent together, the earliest first.
    let key = |corner: u32| (geometry.indices[corner as usize], corner_tangents[corner as usize].map(f32::to_bits));
    let mut order: Vec<u32> = (0..corner_tangents.len() as u32).collect();
    order.sort_unstable_by(|a, b| key(*a).cmp(&key(*b)).then(a.cmp(b)));
    let mut first_like: Vec<u32> = (0..corner_tangents.len() as u32).collect();
    for pair in order.windows(2) {
        if key(pair[0]) == key(pair[1]) {
            first_like[pair[1] as usize] = first_like[pair[0] as usize];
        }
    }
    let mut tangents: Vec<Option<[f32; 4]>> = vec![None; old_count];
    let mut copies = Vec::new();
    for corner in 0..corner_tangents.len() {
        let first = first_like[corner] as usize;
        if first < corner {
            geometry.indices[corner] = geometry.indices[first];
            continue;
        }
        let vertex = geometry.indices[corner] as usize;
        if tangents[vertex].is_none() {
            tangents[vertex] = Some(corner_tangents[corner]);
        } else {
            copies.push(vertex as u32);
            tangents.push(Some(corner_tangents[corner]));
            geometry.indices[corner] = tangents.len() as u32 - 1;
        }
    }
    copy(&mut geometry.positions, &copies);
    copy(&mut geometry.normals, &copies);
    copy(&mut geometry.uv0, &copies);
    copy(&mut geometry.uv1, &copies);
    copy(&mut geometry.colors, &copies);
    geometry.tangents = tangents.into_iter().map(|t| t.unwrap_or([0.0; 4])).collect();
    copies
}

fn copy<T: Copy>(values: &mut Vec<T>, sources: &[u32]) {
    if !values.is_empty() {
        values.extend(sources.iter().map(|s| values[*s as usize]).collect::<Vec<T>>());
    }
}

/// Makes every tangent unit, with +1 or -1 as `w`; those without a length become some vector across the normal.
pub fn clean(geometry: &mut Geometry) {
    for (tangent, normal) in geometry.tangents.iter_mut().zip(&geometry.normals) {
        let [x, y, z, w] = *tangent;
        let direction = Vec3::new(x, y, z);
        let length = direction.length();
        let sign = if w < 0.0 { -1.0 } else { 1.0 };
        *tangent = if length > 1e-6 && length.is_finite() {
            (direction / length).extend(sign).to_array()
        } else {
            across(Vec3::from(*normal)).extend(sign).to_array()
        };
    }
}

/// Some tangent a vertex.
pub fn make_any(geometry: &mut Geometry) {
    geometry.tangents = geometry.normals.iter().map(|n| across(Vec3::from(*n)).extend(1.0).to_array()).collect();
}

/// A unit vector across a unit normal: across the axis that the normal is farthest from.
fn across(normal: Vec3) -> Vec3 {
    let size = normal.abs();
    let axis = if size.x <= size.y && size.x <= size.z {
        Vec3::X
    } else if size.y <= size.z {
        Vec3::Y
    } else {
        Vec3::Z
    };
    axis.cross(normal).normalize()
}
