//! Wedges: what the faces of a PLY file carry instead of their vertices.
//!
//! MeshLab, OpenMVS and others write texture coordinates by face (`texcoord`: a pair for each corner), the number of
//! the face's picture (`texnumber`) and colours by face. A vertex becomes as many as the values that its faces give
//! it; a picture's faces become a part of their own.

use crate::asset::Geometry;

/// By triangle, in the order of the surface's indices. Each list is empty if no face carries such a value.
#[derive(Debug, Default)]
pub struct Wedges {
    /// v counts downwards.
    pub uvs: Vec<[[f32; 2]; 3]>,
    /// Linear.
    pub colors: Vec<[f32; 4]>,
    /// Numbers of pictures; less than 0: none.
    pub pictures: Vec<i32>,
}

/// What a corner becomes, with every attribute, its place in two lists and its value here.
pub const CORNER_BYTES: u64 = 80;

/// No vertex.
const NONE: u32 = u32::MAX;
/// How many vertices may come from one before equal ones are left to welding: a bound on the search.
const TWINS_MAX: usize = 32;

/// A corner: its vertex in the file, texture coordinates and colour.
type Corner = (u32, [u32; 2], [u32; 4]);

impl Wedges {
    pub fn is_empty(&self) -> bool {
        self.uvs.is_empty() && self.colors.is_empty() && self.pictures.is_empty()
    }

    /// Fills lists that have begun up to so many triangles.
    pub fn fill(&mut self, triangle_count: usize) {
        let Wedges { uvs, colors, pictures } = self;
        if !uvs.is_empty() {
            uvs.resize(triangle_count, [[0.0; 2]; 3]);
        }
        if !colors.is_empty() {
            colors.resize(triangle_count, [1.0; 4]);
        }
        if !pictures.is_empty() {
            pictures.resize(triangle_count, 0);
        }
    }

    /// The surface with these values at its corners, a part for each picture, by its number.
    ///
    /// Shapes: lists that are not empty have an entry for each triangle.
    pub fn split(&self, surface: Geometry) -> Vec<(i32, Geometry)> {
        if self.is_empty() {
            return vec![(0, surface)];
        }
        let mut numbers = self.pictures.clone();
        numbers.sort_unstable();
        numbers.dedup();
        if numbers.is_empty() {
            numbers.push(0);
        }
        let mut by_number: Vec<Vec<u32>> = vec![Vec::new(); numbers.len()];
        for triangle in 0..surface.indices.len() / 3 {
            let number = self.pictures.get(triangle).copied().unwrap_or(0);
            let place = numbers.binary_search(&number).expect("every number is listed");
            by_number[place].push(triangle as u32);
        }
        let mut newest = vec![NONE; surface.positions.len()];
        numbers.into_iter().zip(by_number).map(|(n, own)| (n, self.part(&surface, &own, &mut newest))).collect()
    }

    fn part(&self, surface: &Geometry, triangles: &[u32], newest: &mut [u32]) -> Geometry {
        let mut out = Geometry::default();
        // By new vertex: what it is, and the one before it that comes from the same vertex of the file.
        let mut known: Vec<(Corner, u32)> = Vec::new();
        for triangle in triangles.iter().map(|triangle| *triangle as usize) {
            let color = self.colors.get(triangle).copied();
            for corner in 0..3 {
                let vertex = surface.indices[triangle * 3 + corner];
                let uv = self.uvs.get(triangle).map(|uvs| uvs[corner]);
                let bits =
                    (vertex, uv.unwrap_or_default().map(f32::to_bits), color.unwrap_or_default().map(f32::to_bits));
                let place = vertex as usize;
                if let Some(found) = find(&known, newest[place], bits) {
                    out.indices.push(found);
                    continue;
                }
                known.push((bits, newest[place]));
                newest[place] = known.len() as u32 - 1;
                out.indices.push(newest[place]);
                out.positions.push(surface.positions[place]);
                out.normals.extend(surface.normals.get(place));
                out.uv0.extend(uv.as_ref().or(surface.uv0.get(place)));
                out.colors.extend(color.as_ref().or(surface.colors.get(place)));
            }
        }
        known.iter().for_each(|((vertex, ..), _)| newest[*vertex as usize] = NONE);
        out
    }
}

fn find(known: &[(Corner, u32)], newest: u32, corner: Corner) -> Option<u32> {
    let mut at = newest;
    for _ in 0..TWINS_MAX {
        let (found, before) = known.get(at as usize)?;
        if *found == corner {
            return Some(at);
        }
        at = *before;
    }
    None
}
