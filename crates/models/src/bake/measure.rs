//! Measure: what a model weighs before and after baking, and how well its triangles are ordered.
//!
//! Overdraw is counted as meshoptimizer's analysis does: triangles that face the eye are drawn in their order onto
//! [`SIDE_PX`] squared pixels, from both ends of the three axes, without perspective; pixels that pass the depth test
//! over pixels covered in the end. 1 is the best there can be.

use glam::Vec3;
use stillframe_base::geom::Aabb;

use super::order::{misses_per_triangle, order};
use super::quantise::{Grid, Indices, Loss, quantise};
use super::{TangentWish, complete};
use crate::asset::Geometry;

const SIDE_PX: usize = 256;

/// Sums over geometries; each counts once.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sizes {
    /// As the file has it: what attributes it says, 32-bit numbers.
    pub raw_vertex_count: usize,
    pub raw_bytes: usize,
    /// Equal vertices joined, normals, tangents and coordinates made: what the renderer uses.
    pub baked_vertex_count: usize,
    pub baked_bytes: usize,
    /// Of the baked geometry in few bits, on one grid for all.
    pub quantised_bytes: usize,
    pub loss: Loss,
    pub triangle_count: usize,
    /// Vertices shaded a triangle, in the file's order and in the best we know.
    pub misses: [f64; 2],
    /// Likewise.
    pub overdraw: [f64; 2],
}

/// Bytes of the attributes that are there, and of 32-bit indices.
fn bytes(geometry: &Geometry) -> usize {
    let Geometry { positions, normals, tangents, uv0, uv1, colors, indices, .. } = geometry;
    (positions.len() + normals.len()) * 12
        + (tangents.len() + colors.len()) * 16
        + (uv0.len() + uv1.len()) * 8
        + indices.len() * 4
}

/// Bakes, orders and quantises, and keeps the figures only.
pub fn measure<'a>(geometries: impl Iterator<Item = &'a Geometry>) -> Sizes {
    let mut out = Sizes::default();
    let mut all = Aabb::EMPTY;
    let mut baked = Vec::new();
    for raw in geometries {
        out.raw_vertex_count += raw.positions.len();
        out.raw_bytes += bytes(raw);
        let done = complete(raw.clone(), TangentWish::Any).geometry;
        all = all.union(done.bounds);
        baked.push(done);
    }
    let grid = Grid::around(all);
    let mut drawn = [[0_u64; 2]; 2];
    for mut geometry in baked {
        let vertex_count = geometry.positions.len();
        out.baked_vertex_count += vertex_count;
        out.baked_bytes += bytes(&geometry);
        let count = geometry.indices.len() / 3;
        out.triangle_count += count;
        let (small, loss) = quantise(&geometry, grid);
        out.loss = out.loss.max(loss);
        out.quantised_bytes +=
            vertex_count * small.vertex_bytes() + geometry.indices.len() * Indices::width_bytes(vertex_count);
        drop(small);
        for after in 0..2 {
            if after == 1 {
                order(&mut geometry);
            }
            out.misses[after] += misses_per_triangle(&geometry.indices, vertex_count) * count as f64;
            let (shaded, covered) = overdraw(&geometry);
            drawn[after][0] += shaded;
            drawn[after][1] += covered;
        }
    }
    for after in 0..2 {
        out.misses[after] /= out.triangle_count.max(1) as f64;
        out.overdraw[after] = drawn[after][0] as f64 / drawn[after][1].max(1) as f64;
    }
    out
}

/// Pixels shaded, and pixels covered.
fn overdraw(geometry: &Geometry) -> (u64, u64) {
    let extent = (geometry.bounds.max - geometry.bounds.min).max_element();
    if geometry.indices.is_empty() || extent.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) {
        return (0, 0);
    }
    let scale = (SIDE_PX - 1) as f32 / extent;
    let (mut shaded, mut covered) = (0, 0);
    for axis in 0..3 {
        // Two eyes an axis: depths to keep the least of, and the greatest.
        let mut depths = vec![[f32::MAX, f32::MIN]; SIDE_PX * SIDE_PX];
        let (across, up) = ((axis + 1) % 3, (axis + 2) % 3);
        let corner = |vertex: u32| {
            let place = (Vec3::from(geometry.positions[vertex as usize]) - geometry.bounds.min) * scale;
            [place[across], place[up], place[axis]]
        };
        for [a, b, c] in geometry.indices.as_chunks::<3>().0 {
            shaded += fill([corner(*a), corner(*b), corner(*c)], &mut depths);
        }
        covered += depths.iter().map(|d| u64::from(d[0] < f32::MAX) + u64::from(d[1] > f32::MIN)).sum::<u64>();
    }
    (shaded, covered)
}

/// Draws a triangle where it is nearer. Out: pixels that passed.
fn fill([a, b, c]: [[f32; 3]; 3], depths: &mut [[f32; 2]]) -> u64 {
    let across = |p: [f32; 3], q: [f32; 3], x: f32, y: f32| (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]);
    let area = across(a, b, c[0], c[1]);
    if area == 0.0 {
        return 0;
    }
    let eye = usize::from(area > 0.0);
    let low = |axis: usize| (a[axis].min(b[axis]).min(c[axis]).max(0.0)) as usize;
    let high = |axis: usize| (a[axis].max(b[axis]).max(c[axis]) as usize).min(SIDE_PX - 1);
    let mut passed = 0;
    for y in low(1)..=high(1) {
        for x in low(0)..=high(0) {
            let (px, py) = (x as f32 + 0.5, y as f32 + 0.5);
            let shares = [across(b, c, px, py) / area, across(c, a, px, py) / area, across(a, b, px, py) / area];
            if shares.iter().any(|s| *s < 0.0) {
                continue;
            }
            let depth = shares[0] * a[2] + shares[1] * b[2] + shares[2] * c[2];
            let stored = &mut depths[y * SIDE_PX + x][eye];
            let is_nearer = if eye == 0 { depth < *stored } else { depth > *stored };
            if is_nearer {
                *stored = depth;
                passed += 1;
            }
        }
    }
    passed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::Shape;
    use crate::bake::shape;

    #[test]
    fn figures_of_a_sphere_and_of_a_soup() {
        let mut soup = shape(&Shape::Sphere { radius_m: 1.0, segments: 64, rings: 48 });
        let one = measure(std::iter::once(&soup));
        assert_eq!(one.raw_vertex_count, one.baked_vertex_count);
        assert!((one.overdraw[0] - 1.0).abs() < 0.01, "convex: {:?}", one.overdraw);
        assert!(one.misses[1] < 0.9 && one.quantised_bytes * 2 < one.baked_bytes, "{one:?}");
        // Every triangle with corners of its own, as STL has them.
        let indices = std::mem::take(&mut soup.indices);
        soup.positions = indices.iter().map(|i| soup.positions[*i as usize]).collect();
        soup.normals = indices.iter().map(|i| soup.normals[*i as usize]).collect();
        soup.uv0 = indices.iter().map(|i| soup.uv0[*i as usize]).collect();
        soup.tangents.clear();
        soup.indices = (0..indices.len() as u32).collect();
        let parted = measure(std::iter::once(&soup));
        assert_eq!(parted.baked_vertex_count, one.baked_vertex_count);
        assert_eq!(parted.raw_vertex_count, indices.len());
        assert!(parted.loss.position_m > 0.0 && parted.loss.position_m < 1.6e-5);
    }
}
