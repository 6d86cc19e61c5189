//! Welding: vertices that are equal in every attribute become one.

use std::cmp::Ordering;

use crate::asset::Geometry;

/// A vertex and a hash of its position, which brings equals together. Twelve bytes: there is one for every vertex.
struct Entry {
    hash: [u32; 2],
    vertex: u32,
}

/// Joins vertices that are equal bit for bit (with -0 as 0) and drops those that no triangle uses. The first of equals
/// stays, in its old order: the result depends on the geometry alone.
pub fn weld(geometry: &mut Geometry) {
    weld_by(geometry, &|_, _| Ordering::Equal);
}

/// The same where `other` has no objection: it orders vertices by what the geometry does not hold.
///
/// Out: the old number of every vertex that stays.
pub fn weld_by(geometry: &mut Geometry, other: &dyn Fn(u32, u32) -> Ordering) -> Vec<u32> {
    let count = geometry.positions.len();
    let mut used = vec![false; count];
    for index in &geometry.indices {
        used[*index as usize] = true;
    }
    // Sorted rather than put into a table, which a hostile file could fill with collisions: here they cost one
    // comparison more.
    let mut order: Vec<Entry> = (0..count as u32)
        .filter(|i| used[*i as usize])
        .map(|vertex| Entry { hash: hash(geometry.positions[vertex as usize]), vertex })
        .collect();
    let compare_all = |a: u32, b: u32| {
        let at = |i: u32| geometry.positions[i as usize].map(bits);
        at(a).cmp(&at(b)).then_with(|| compare(geometry, a, b)).then_with(|| other(a, b))
    };
    order.sort_unstable_by(|a, b| {
        a.hash.cmp(&b.hash).then_with(|| compare_all(a.vertex, b.vertex)).then_with(|| a.vertex.cmp(&b.vertex))
    });
    // The first of its equals for each vertex, itself or one before; then, from the first vertex on, its new number.
    let mut new_of: Vec<u32> = (0..count as u32).collect();
    for pair in order.windows(2) {
        let (before, here) = (&pair[0], &pair[1]);
        if before.hash == here.hash && compare_all(before.vertex, here.vertex) == Ordering::Equal {
            new_of[here.vertex as usize] = new_of[before.vertex as usize];
        }
    }
    drop(order);
    let mut kept = 0;
    for old in 0..count {
        if !used[old] {
            continue;
        }
        let first = new_of[old] as usize;
        new_of[old] = if first == old {
            kept += 1;
            kept - 1
        } else {
            used[old] = false;
            new_of[first]
        };
    }
    for index in &mut geometry.indices {
        *index = new_of[*index as usize];
    }
    drop(new_of);
    let stays = (0..count as u32).filter(|old| used[*old as usize]).collect();
    if kept as usize == count {
        return stays;
    }
    keep(&mut geometry.positions, &used);
    keep(&mut geometry.normals, &used);
    keep(&mut geometry.tangents, &used);
    keep(&mut geometry.uv0, &used);
    keep(&mut geometry.uv1, &used);
    keep(&mut geometry.colors, &used);
    stays
}

fn keep<T: Copy>(values: &mut Vec<T>, kept: &[bool]) {
    let mut place = 0;
    values.retain(|_| {
        place += 1;
        kept[place - 1]
    });
    values.shrink_to_fit();
}

/// Of the position's bits; any good mixing does, since equals are told apart by comparing (Steele, Lea, Flood 2014).
fn hash(position: [f32; 3]) -> [u32; 2] {
    let [x, y, z] = position.map(|v| u64::from(bits(v)));
    let mut mixed = (x | y << 32).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ z.wrapping_mul(0xD6E8_FEB8_6659_FD93);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^= mixed >> 31;
    [(mixed >> 32) as u32, mixed as u32]
}

/// Adding 0 turns -0 into 0.
fn bits(value: f32) -> u32 {
    (value + 0.0).to_bits()
}

/// Order of everything but positions.
fn compare(geometry: &Geometry, a: u32, b: u32) -> Ordering {
    fn one<const N: usize>(values: &[[f32; N]], a: u32, b: u32) -> Ordering {
        if values.is_empty() {
            return Ordering::Equal;
        }
        values[a as usize].map(bits).cmp(&values[b as usize].map(bits))
    }
    one(&geometry.normals, a, b)
        .then_with(|| one(&geometry.uv0, a, b))
        .then_with(|| one(&geometry.tangents, a, b))
        .then_with(|| one(&geometry.uv1, a, b))
        .then_with(|| one(&geometry.colors, a, b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_join_and_unused_go() {
        let p = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [9.0, 9.0, 9.0], [1.0, -0.0, 0.0], [1.0, 1.0, 0.0]];
        let mut geometry = Geometry {
            positions: p.to_vec(),
            uv0: vec![[0.0; 2]; 6],
            indices: vec![0, 1, 2, 4, 5, 2],
            ..Geometry::default()
        };
        weld(&mut geometry);
        assert_eq!(geometry.positions, [p[0], p[1], p[2], p[5]]);
        assert_eq!(geometry.indices, [0, 1, 2, 1, 3, 2]);
        assert_eq!(geometry.uv0.len(), 4);
    }

    #[test]
    fn any_other_attribute_keeps_vertices_apart() {
        let base = Geometry {
            positions: vec![[0.0; 3], [0.0; 3], [0.0; 3]],
            normals: vec![[0.0, 1.0, 0.0]; 3],
            tangents: vec![[1.0, 0.0, 0.0, 1.0]; 3],
            uv0: vec![[0.0; 2]; 3],
            uv1: vec![[0.0; 2]; 3],
            colors: vec![[1.0; 4]; 3],
            indices: vec![0, 1, 2],
            ..Geometry::default()
        };
        let welded = |change: &dyn Fn(&mut Geometry)| {
            let mut geometry = base.clone();
            change(&mut geometry);
            weld(&mut geometry);
            geometry.positions.len()
        };
        assert_eq!(welded(&|_| {}), 1);
        assert_eq!(welded(&|g| g.normals[1] = [1.0, 0.0, 0.0]), 2);
        assert_eq!(welded(&|g| g.tangents[1][3] = -1.0), 2);
        assert_eq!(welded(&|g| g.uv0[2][1] = 0.5), 2);
        assert_eq!(welded(&|g| g.uv1[2][1] = 0.5), 2);
        assert_eq!(welded(&|g| g.colors[2][3] = 0.5), 2);
        assert_eq!(welded(&|g| g.uv0 = vec![[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]), 3);
    }
}
