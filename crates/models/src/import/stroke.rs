//! Strokes: lines and points become thin solids, so that every pass, skin and shadow shows them like other surfaces.
//!
//! A line is a rod with three sides, a point an octahedron. Both look as wide as [`Wishes`] say, as a part of the
//! model's size: the mean of all directions. Without normals they are not shaded, as glTF 2.0 says (3.7.2.1).

use glam::{DVec3, Vec3};

use super::budget::Budget;
use super::{Fault, Influences, Model, ModelGeometry, MorphTarget, Wishes, far};
use crate::asset::{Geometry, Material};
use stillframe_base::geom::Aabb;

/// From the middle of a rod to its edges, as a part of its width: the mean width of a convex outline is its length
/// divided by pi, and a triangle's is three times the square root of three.
const ROD_RADIUS_RATIO: f64 = 0.604_599_788;

/// From the middle of an octahedron to its corners, as a part of its width. What a convex solid covers is on average a
/// quarter of its surface: here as much as a disk of that width.
const POINT_RADIUS_RATIO: f64 = 0.673_386_844;

/// Vertices and triangles of a stroke.
const VERTICES: usize = 6;
const TRIANGLES: usize = 8;

/// What the vertices and triangles of a stroke take.
const STROKE_BYTES: u64 = VERTICES as u64 * 88 + TRIANGLES as u64 * 12;

/// The strokes of a geometry that has no triangles yet.
#[derive(Clone, Debug)]
pub struct Strokes {
    /// Position in `Model::geometries`.
    pub geometry: usize,
    /// Vertices that lines join; a point has one vertex as both.
    pub ends: Vec<[u32; 2]>,
}

/// Makes sure that the solids of strokes can be held, and baked later.
pub fn hold(count: usize, what: &str, budget: &mut Budget) -> Result<(), Fault> {
    budget.spend(count as u64 * STROKE_BYTES, what)?;
    budget.reserve_baking((count * TRIANGLES) as u64, what)
}

/// The material of strokes that have no normals.
pub fn unlit(material: &Material) -> Material {
    Material { unlit: true, ..material.clone() }
}

/// Gives strokes their triangles; nodes stand where they belong.
pub fn widen(model: &mut Model, all: Vec<Strokes>, wishes: &Wishes) {
    if all.is_empty() {
        return;
    }
    let places = far::places(model);
    let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    // By geometry, the scale of the first node that shows it.
    let mut scales = vec![None; model.geometries.len()];
    for (node, place) in model.nodes.iter().zip(&places) {
        let model_from_parts = place.global * node.local_from_parts.as_dmat4();
        for part in &node.parts {
            let linear = glam::DMat3::from_mat4(model_from_parts);
            scales[part.geometry].get_or_insert(linear.determinant().abs());
            for point in &model.geometries[part.geometry].surface.positions {
                let point = model_from_parts.transform_point3(DVec3::from(point.map(f64::from)));
                (min, max) = (min.min(point), max.max(point));
            }
        }
    }
    let size = (max - min).length();
    // A single point has no size.
    let ratio = wishes.stroke_width_ratio();
    model.stroke_width_ratio = Some(ratio);
    let width = if size > 0.0 && size.is_finite() { size * ratio } else { ratio };
    for Strokes { geometry, ends } in all {
        let scale = scales[geometry].filter(|scale| *scale > 0.0 && scale.is_finite()).map_or(1.0, cube_root);
        let own = &mut model.geometries[geometry];
        *own = solid(own, &ends, width / scale);
    }
}

/// By Newton's method, so that every machine finds the same.
fn cube_root(x: f64) -> f64 {
    let mut root = x.sqrt().max(f64::MIN_POSITIVE);
    for _ in 0..200 {
        let next = (2.0 * root + x / (root * root)) / 3.0;
        if (next - root).abs() <= root * 1e-12 {
            return next;
        }
        root = next;
    }
    root
}

/// None where a node is scaled to next to nothing, so that no number is wide enough.
fn radius_of(radius: f64) -> f32 {
    let radius = radius as f32;
    if radius.is_finite() { radius } else { 0.0 }
}

/// Vertices of a stroke: where each stands from its end, and which end that is. Triangles face outwards.
struct Solid {
    offsets: [Vec3; VERTICES],
    /// 0 or 1.
    ends: [usize; VERTICES],
    triangles: [[u32; 3]; TRIANGLES],
}

impl Solid {
    fn of(a: Vec3, b: Vec3, width: f64) -> Solid {
        // Wide enough for the squares of all lengths.
        let along = (b.as_dvec3() - a.as_dvec3()).normalize_or_zero().as_vec3();
        if along == Vec3::ZERO {
            let radius = radius_of(width * POINT_RADIUS_RATIO);
            let offsets = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z].map(|axis| axis * radius);
            let triangles = [[0, 2, 4], [3, 0, 4], [2, 1, 4], [1, 3, 4], [2, 0, 5], [0, 3, 5], [1, 2, 5], [3, 1, 5]];
            return Solid { offsets, ends: [0; VERTICES], triangles };
        }
        let radius = radius_of(width * ROD_RADIUS_RATIO);
        let least = along.abs().min_element();
        let axis = if along.x.abs() == least {
            Vec3::X
        } else if along.y.abs() == least {
            Vec3::Y
        } else {
            Vec3::Z
        };
        let u = along.cross(axis).normalize();
        let v = along.cross(u);
        // Thirds of a turn.
        let around = [u, u * -0.5 + v * 0.866_025_4, u * -0.5 - v * 0.866_025_4].map(|side| side * radius);
        let triangles = [[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4], [2, 0, 3], [2, 3, 5], [3, 4, 5], [0, 2, 1]];
        let [first, second, third] = around;
        Solid { offsets: [first, second, third, first, second, third], ends: [0, 0, 0, 1, 1, 1], triangles }
    }
}

/// The geometry whose vertices are those of `ends` in `from`.
fn solid(from: &ModelGeometry, ends: &[[u32; 2]], width: f64) -> ModelGeometry {
    let of = &from.surface;
    let mut surface = Geometry::default();
    // By new vertex, the old one.
    let mut origins: Vec<u32> = Vec::with_capacity(ends.len() * VERTICES);
    for pair in ends {
        let [a, b] = pair.map(|vertex| Vec3::from(of.positions[vertex as usize]));
        let solid = Solid::of(a, b, width);
        let first = origins.len() as u32;
        for (offset, end) in solid.offsets.iter().zip(solid.ends) {
            origins.push(pair[end]);
            // What is as large as numbers get has no room for a width.
            let place = [a, b][end] + *offset;
            surface.positions.push(if place.is_finite() { place } else { [a, b][end] }.to_array());
            if of.normals.is_empty() {
                surface.normals.push(offset.normalize_or_zero().to_array());
            }
        }
        surface.indices.extend(solid.triangles.iter().flatten().map(|vertex| first + vertex));
    }
    surface.normals.extend(copied(&of.normals, &origins));
    surface.uv0 = copied(&of.uv0, &origins).collect();
    surface.uv1 = copied(&of.uv1, &origins).collect();
    surface.colors = copied(&of.colors, &origins).collect();
    surface.bounds = Aabb::of_points(surface.positions.iter().map(|p| Vec3::from(*p)));
    let targets = from.targets.iter().map(|target| target_of(target, &origins)).collect();
    let sources = copied(&from.sources, &origins).collect();
    ModelGeometry { surface, influences: influences_of(&from.influences, &origins), targets, sources }
}

/// Of each new vertex, what the old one has, where anything is there.
fn copied<'a, T: Copy>(values: &'a [T], origins: &'a [u32]) -> impl Iterator<Item = T> + 'a {
    origins.iter().filter_map(|vertex| values.get(*vertex as usize).copied())
}

fn influences_of(from: &Influences, origins: &[u32]) -> Influences {
    if from.starts.is_empty() {
        return Influences::default();
    }
    let mut out = Influences { starts: vec![0], ..Influences::default() };
    for vertex in origins {
        let entries = from.starts[*vertex as usize] as usize..from.starts[*vertex as usize + 1] as usize;
        out.joints.extend_from_slice(&from.joints[entries.clone()]);
        out.weights.extend_from_slice(&from.weights[entries]);
        out.starts.push(out.joints.len() as u32);
    }
    out.dual_shares = copied(&from.dual_shares, origins).collect();
    out
}

fn target_of(from: &MorphTarget, origins: &[u32]) -> MorphTarget {
    let mut out = MorphTarget { name: from.name.clone(), ..MorphTarget::default() };
    for (vertex, origin) in (0..).zip(origins) {
        let Ok(at) = from.vertices.binary_search(origin) else { continue };
        out.vertices.push(vertex);
        out.positions.push(from.positions[at]);
        out.normals.extend(from.normals.get(at));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six times the volume that triangles enclose: positive where they face outwards.
    fn volume(solid: &Solid, ends: [Vec3; 2]) -> f32 {
        let at = |vertex: u32| ends[solid.ends[vertex as usize]] + solid.offsets[vertex as usize];
        solid.triangles.iter().map(|[a, b, c]| at(*a).dot(at(*b).cross(at(*c)))).sum()
    }

    #[test]
    fn solids_face_outwards() {
        for b in [Vec3::X * 3.0, Vec3::new(0.0, -2.0, 0.1), Vec3::new(-1.0, 2.0, 3.0)] {
            let ends = [Vec3::new(0.3, 0.4, 0.5), b];
            let rod = Solid::of(ends[0], ends[1], 0.1 / ROD_RADIUS_RATIO);
            // Three quarters of the square root of three times the radius' square, times the length.
            let want = 6.0 * 1.299_038_1 * 0.01 * (ends[1] - ends[0]).length();
            assert!((volume(&rod, ends) - want).abs() < 1e-4 * want, "{b}: {}", volume(&rod, ends));
        }
        let point = Solid::of(Vec3::ONE, Vec3::ONE, 0.5 / POINT_RADIUS_RATIO);
        assert!((volume(&point, [Vec3::ONE; 2]) - 6.0 * 4.0 / 3.0 * 0.125).abs() < 1e-5);
    }

    #[test]
    fn cube_roots() {
        for x in [1e-30, 0.001, 1.0, 8.0, 1e18] {
            let root = cube_root(x);
            assert!((root * root * root / x - 1.0).abs() < 1e-10, "{x}: {root}");
        }
    }
}
