//! Welding: vertices that are equal in every attribute become one.

use std::cmp::Ordering;

use crate::asset::Geometry;

/// Joins vertices that are equal bit for bit (with -0 as 0) and drops those that no triangle uses. The first of equals
/// stays, in its old order: the result depends on the geometry alone.
pub fn weld(geometry: &mut Geometry) {
    let count = geometry.positions.len();
    let mut used = vec![false; count];
    for index in &geometry.indices {
        used[*index as usize] = true;
    }
    // Sorting brings equals together; a hash table could be filled with collisions by a hostile file.
    let mut order: Vec<(u128, u32)> =
        (0..count as u32).filter(|i| used[*i as usize]).map(|i| (position_key(geometry, i), i)).collect();
    order.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| compare(geometry, a.1, b.1)).then_with(|| a.1.cmp(&b.1)));
    let mut first_of: Vec<u32> = (0..count as u32).collect();
    for at in 1..order.len() {
        let (before, here) = (order[at - 1], order[at]);
        if before.0 == here.0 && compare(geometry, before.1, here.1) == Ordering::Equal {
            first_of[here.1 as usize] = first_of[before.1 as usize];
        }
    }
    drop(order);
    let mut new_of = vec![u32::MAX; count];
    let mut kept = Vec::new();
    for old in 0..count {
        if used[old] && first_of[old] as usize == old {
            new_of[old] = kept.len() as u32;
            kept.push(old as u32);
        }
    }
    for index in &mut geometry.indices {
        *index = new_of[first_of[*index as usize] as usize];
    }
    if kept.len() == count {
        return;
    }
    keep(&mut geometry.positions, &kept);
    keep(&mut geometry.normals, &kept);
    keep(&mut geometry.tangents, &kept);
    keep(&mut geometry.uv0, &kept);
    keep(&mut geometry.uv1, &kept);
    keep(&mut geometry.colors, &kept);
}

fn keep<T: Copy>(values: &mut Vec<T>, kept: &[u32]) {
    if !values.is_empty() {
        *values = kept.iter().map(|i| values[*i as usize]).collect();
    }
}

/// Adding 0 turns -0 into 0.
fn bits(value: f32) -> u32 {
    (value + 0.0).to_bits()
}

fn position_key(geometry: &Geometry, index: u32) -> u128 {
    let [x, y, z] = geometry.positions[index as usize].map(|v| u128::from(bits(v)));
    (x << 64) | (y << 32) | z
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
