//! Solid: meshes whose sides that face away from a light add nothing to its depth maps.
//!
//! In: a geometry and what bends it. Out: whether it is closed, with its outsides outside. Then light from outside
//! meets a side that faces it first, everywhere. Vertices at one place count as one where they bend alike: seams of
//! textures and hard edges are no holes.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::DVec3;

use crate::asset::{Bend, Geometry, GeometryId, Store, is_same};

/// What is known of the geometries of a run.
#[derive(Debug, Default)]
pub struct Solids {
    known: BTreeMap<GeometryId, (Arc<Geometry>, bool)>,
}

impl Solids {
    pub fn is_solid(&mut self, id: GeometryId, store: &Store) -> bool {
        let geometry = &store.geometries[id];
        match self.known.get(&id) {
            Some((of, known)) if is_same(of, geometry) => *known,
            _ => {
                let found = is_solid(geometry, store.bend(id));
                self.known.insert(id, (geometry.clone(), found));
                found
            }
        }
    }
}

/// Whether each edge has as many triangles on one side as on the other, and each part a volume.
fn is_solid(geometry: &Geometry, bend: Option<&Bend>) -> bool {
    let joined = joined(geometry, bend);
    let triangles = geometry.indices.as_chunks::<3>().0.iter().map(|triangle| triangle.map(|v| joined[v as usize]));
    let triangles: Vec<[u32; 3]> = triangles.filter(|[a, b, c]| a != b && b != c && c != a).collect();
    // An edge by its smaller end; its lowest bit is its direction.
    let edge = |from: u32, to: u32| u64::from(from.min(to)) << 33 | u64::from(from.max(to)) << 1 | u64::from(from > to);
    let mut edges: Vec<u64> = triangles.iter().flat_map(|&[a, b, c]| [edge(a, b), edge(b, c), edge(c, a)]).collect();
    edges.sort_unstable();
    let balance = |edges: &[u64]| edges.iter().map(|edge| if edge & 1 == 0 { 1i64 } else { -1 }).sum::<i64>();
    if triangles.is_empty() || edges.chunk_by(|a, b| a >> 1 == b >> 1).any(|edges| balance(edges) != 0) {
        return false;
    }
    let mut parts: Vec<u32> = (0..geometry.positions.len() as u32).collect();
    for [a, b, c] in &triangles {
        let root = part_of(&mut parts, *a);
        for v in [*b, *c] {
            let other = part_of(&mut parts, v);
            parts[other as usize] = root;
        }
    }
    let at = |v: u32| DVec3::from(geometry.positions[v as usize].map(f64::from));
    let mut volumes: BTreeMap<u32, f64> = BTreeMap::new();
    for &[a, b, c] in &triangles {
        let root = part_of(&mut parts, a);
        // Seen from a vertex of the part, so that places far away lose no digits.
        let origin = at(root);
        let [a, b, c] = [a, b, c].map(|v| at(v) - origin);
        *volumes.entry(root).or_default() += a.dot(b.cross(c));
    }
    volumes.values().all(|volume| *volume > 0.0)
}

/// For each vertex the first one that is always at its place.
fn joined(geometry: &Geometry, bend: Option<&Bend>) -> Vec<u32> {
    // Adding 0 makes -0 the same as 0.
    let place = |v: u32| geometry.positions[v as usize].map(|x| (x + 0.0).to_bits());
    let mut order: Vec<u32> = (0..geometry.positions.len() as u32).collect();
    order.sort_unstable_by_key(|&v| (place(v), v));
    let mut joined = vec![0; order.len()];
    for at_one_place in order.chunk_by(|&a, &b| place(a) == place(b)) {
        for &v in at_one_place {
            let first = at_one_place.iter().find(|&&first| bend.is_none_or(|bend| bends_alike(bend, first, v)));
            joined[v as usize] = *first.expect("it bends as it does itself");
        }
    }
    joined
}

fn bends_alike(bend: &Bend, a: u32, b: u32) -> bool {
    let (a, b) = (a as usize, b as usize);
    let moves = |v: usize| bend.deltas_of(v).iter().map(|delta| (delta.target, delta.position));
    a == b || bend.influences_of(a) == bend.influences_of(b) && moves(a).eq(moves(b))
}

/// The root of a vertex's part; halves the way to it.
fn part_of(parts: &mut [u32], mut v: u32) -> u32 {
    while parts[v as usize] != v {
        parts[v as usize] = parts[parts[v as usize] as usize];
        v = parts[v as usize];
    }
    v
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::{Delta, Influence};

    const CORNERS: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    const FACES: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

    /// A tetrahedron whose faces have their own vertices, and beside it a second one.
    fn two(second: [[u32; 3]; 4]) -> Geometry {
        let mut geometry = Geometry::default();
        for (faces, x) in [(FACES, 0.0), (second, 5e3)] {
            for corner in faces.iter().flatten() {
                let [a, b, c] = CORNERS[*corner as usize];
                geometry.indices.push(geometry.positions.len() as u32);
                geometry.positions.push([a + x, b, c]);
            }
        }
        geometry
    }

    #[test]
    fn closed_meshes_with_their_outsides_outside_are_solid() {
        assert!(is_solid(&two(FACES), None));
        let mut negative = two(FACES);
        negative.positions.iter_mut().step_by(2).flatten().filter(|x| **x == 0.0).for_each(|x| *x = -0.0);
        assert!(is_solid(&negative, None));
        assert!(!is_solid(&two(FACES.map(|[a, b, c]| [a, c, b])), None), "one part is inside out");
        let [first, second, third, _] = FACES;
        assert!(!is_solid(&two([first, second, third, third]), None), "a face is missing");
        let flat = two([first, first.map(|v| [0, 2, 1][v as usize]), second, second.map(|v| [1, 0, 2, 3][v as usize])]);
        assert!(!is_solid(&flat, None), "two sheets have no volume");
        assert!(!is_solid(&Geometry::default(), None));
    }

    #[test]
    fn seams_are_closed_where_both_sides_bend_alike() {
        let geometry = two(FACES);
        let count = geometry.positions.len() as u32;
        let influences = vec![Influence { joint: 0, weight: 1.0 }; count as usize];
        let mut bend = Bend { starts: (0..=count).map(|v| [v, 0]).collect(), influences, ..Bend::default() };
        assert!(is_solid(&geometry, Some(&bend)));
        bend.influences[4].joint = 1;
        assert!(!is_solid(&geometry, Some(&bend)), "the seam can open");
        bend.influences[4].joint = 0;
        bend.deltas.push(Delta { target: 0, position: [1.0; 3], normal: [0.0; 3], tangent: [0.0; 3] });
        bend.starts.iter_mut().skip(5).for_each(|at| at[1] = 1);
        assert!(!is_solid(&geometry, Some(&bend)), "a shape opens the seam");
    }
}
