//! Normals of shapes (morph targets) that the file gives none for, made by the rule that makes those of meshes.
//!
//! In: a mesh at rest, which of its corners have one normal together, where a shape moves control points. Out: what the
//! shape adds to the normals of corners. A corner's normal turns as the normal of its set does, which is the sum over
//! the set's polygons at rest and in the shape: so normals that the file made in a way of its own keep what is their
//! own, and a shape that moves nothing turns nothing.
//!
//! Source: "Game engine: principles and practice" volume 2, section 4.2 (the same grouping for shapes as for the base).

use glam::{DVec3, Vec3};

use super::layer::Outline;
use super::smoothing::{angle, polygon_normal, unit};

/// A mesh at rest, and room for one shape at a time.
pub struct Reshaping<'a> {
    outline: &'a Outline,
    /// By corner.
    sets: &'a [u32],
    normals: &'a [[f32; 3]],
    corners_of_sets: Lists,
    corners_of_points: Lists,
    /// By polygon.
    polygon_normals: Vec<DVec3>,
    /// By control point, moved while a shape is looked at.
    positions: Vec<[f64; 3]>,
    /// By polygon, while a shape is looked at: its number, and the normal there.
    polygons: Vec<(u32, DVec3)>,
    /// By set: the number of the shape that was the last to change it.
    marked: Vec<u32>,
    number: u32,
}

/// Corners by what they belong to, ascending.
struct Lists {
    starts: Vec<u32>,
    corners: Vec<u32>,
}

impl Lists {
    fn new(count: usize, of_corners: &[u32]) -> Lists {
        let mut starts = vec![0; count + 1];
        of_corners.iter().for_each(|of| starts[*of as usize + 1] += 1);
        for at in 0..count {
            starts[at + 1] += starts[at];
        }
        let (mut ends, mut corners) = (starts.clone(), vec![0; of_corners.len()]);
        for (corner, of) in (0..).zip(of_corners) {
            let end = &mut ends[*of as usize];
            corners[*end as usize] = corner;
            *end += 1;
        }
        Lists { starts, corners }
    }

    fn of(&self, at: u32) -> &[u32] {
        &self.corners[self.starts[at as usize] as usize..self.starts[at as usize + 1] as usize]
    }
}

impl<'a> Reshaping<'a> {
    /// `sets` and `normals`: one a corner.
    pub fn new(
        positions: &[[f64; 3]],
        outline: &'a Outline,
        sets: &'a [u32],
        normals: &'a [[f32; 3]],
    ) -> Reshaping<'a> {
        let polygon_count = outline.polygon_count();
        Reshaping {
            outline,
            sets,
            normals,
            corners_of_sets: Lists::new(sets.len(), sets),
            corners_of_points: Lists::new(positions.len(), &outline.points),
            polygon_normals: (0..polygon_count).map(|p| polygon_normal(positions, outline, p)).collect(),
            positions: positions.to_vec(),
            polygons: vec![(0, DVec3::ZERO); polygon_count],
            marked: vec![0; sets.len()],
            number: 0,
        }
    }

    /// What a shape adds to normals, by corner, ascending; those that it leaves are not there. Beside it, how many
    /// corners were looked at.
    ///
    /// Shapes: `points` and `deltas` have one entry a control point that moves, each once.
    pub fn turned(&mut self, points: &[u32], deltas: &[[f32; 3]]) -> (Vec<(u32, [f32; 3])>, u64) {
        self.number += 1;
        let mut effort = 0;
        // All sets that have a corner on a polygon that moves, each once.
        let mut changed: Vec<u32> = Vec::new();
        for point in points {
            for corner in self.corners_of_points.of(*point) {
                let polygon = self.outline.polygons[*corner as usize] as usize;
                if std::mem::replace(&mut self.polygons[polygon].0, self.number) == self.number {
                    continue;
                }
                for corner in self.outline.starts[polygon]..self.outline.starts[polygon + 1] {
                    let set = self.sets[corner as usize];
                    if std::mem::replace(&mut self.marked[set as usize], self.number) != self.number {
                        changed.push(set);
                    }
                    effort += 1;
                }
            }
        }
        let at_rest: Vec<DVec3> = changed.iter().map(|set| self.sum(*set, true)).collect();
        let before: Vec<[f64; 3]> = points.iter().map(|point| self.positions[*point as usize]).collect();
        for (point, delta) in points.iter().zip(deltas) {
            let position = DVec3::from(self.positions[*point as usize]) + DVec3::from(delta.map(f64::from));
            self.positions[*point as usize] = position.to_array();
        }
        for polygon in 0..self.polygons.len() {
            if self.polygons[polygon].0 == self.number {
                self.polygons[polygon].1 = polygon_normal(&self.positions, self.outline, polygon);
            }
        }
        let in_shape: Vec<DVec3> = changed.iter().map(|set| self.sum(*set, false)).collect();
        for (point, position) in points.iter().zip(before) {
            self.positions[*point as usize] = position;
        }
        let mut out = Vec::new();
        for ((set, from), to) in changed.into_iter().zip(at_rest).zip(in_shape) {
            let corners = self.corners_of_sets.of(set);
            effort += 2 * corners.len() as u64;
            if from == to || from == DVec3::ZERO || to == DVec3::ZERO {
                continue;
            }
            for corner in corners {
                let own = DVec3::from(self.normals[*corner as usize].map(f64::from));
                let added = (turned(own, from, to) - own).as_vec3();
                // Normals of any length come with files, and places that angles cannot be told of: what is no number
                // turns nothing.
                if added != Vec3::ZERO && added.is_finite() {
                    out.push((*corner, added.to_array()));
                }
            }
        }
        out.sort_unstable_by_key(|(corner, _)| *corner);
        (out, effort + self.polygons.len() as u64)
    }

    /// The unit normal of a set.
    fn sum(&self, set: u32, at_rest: bool) -> DVec3 {
        let of_corner = |corner: &u32| {
            let polygon = self.outline.polygons[*corner as usize] as usize;
            let moves = !at_rest && self.polygons[polygon].0 == self.number;
            let normal = if moves { self.polygons[polygon].1 } else { self.polygon_normals[polygon] };
            normal * angle(&self.positions, self.outline, *corner)
        };
        unit(self.corners_of_sets.of(set).iter().map(of_corner).fold(DVec3::ZERO, |sum, of| sum + of))
    }
}

/// `vector` by the shortest turn that takes one unit vector to another.
fn turned(vector: DVec3, from: DVec3, to: DVec3) -> DVec3 {
    let (axis, cosine) = (from.cross(to), from.dot(to));
    if cosine < -0.999_999 {
        // There is no shortest one: it is turned over.
        return -vector;
    }
    vector * cosine + axis.cross(vector) + axis * (axis.dot(vector) / (1.0 + cosine))
}
