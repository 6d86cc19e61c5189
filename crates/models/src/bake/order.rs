//! Order: triangles and vertices in the order that graphics hardware likes.
//!
//! Triangles by Sander, Nehab and Barczak, "Fast Triangle Reordering for Vertex Locality and Reduced Overdraw" (2007):
//! fans around vertices that are still in a cache of [`CACHE`] entries, then whole clusters sorted so that those facing
//! outwards come first. Vertices by first use. Nothing is added or lost; what comes out depends on the geometry alone.
//!
//! No picture uses this by default: where triangles lie in the same depth or blend, their order shows, and the software
//! adapter shades every vertex once whatever the order.

use glam::Vec3;

use crate::asset::Geometry;

/// Entries of the cache that is aimed at; also what [`misses_per_triangle`] is measured with.
pub const CACHE: usize = 16;

/// Orders triangles for vertex reuse and little overdraw, then vertices by first use.
pub fn order(geometry: &mut Geometry) {
    let (indices, clusters) = fan(&geometry.indices, geometry.positions.len());
    geometry.indices = outside_first(&geometry.positions, &indices, &clusters);
    by_first_use(geometry);
}

/// Vertices shaded a triangle with a first-in first-out cache of [`CACHE`] entries (ACMR): 3 at worst, about 0.5 at
/// best.
pub fn misses_per_triangle(indices: &[u32], vertex_count: usize) -> f64 {
    let mut entered = vec![0_u64; vertex_count];
    let mut time = CACHE as u64 + 1;
    let mut misses = 0_u64;
    for index in indices {
        let entered = &mut entered[*index as usize];
        if time - *entered > CACHE as u64 {
            *entered = time;
            time += 1;
            misses += 1;
        }
    }
    misses as f64 * 3.0 / (indices.len().max(1)) as f64
}

/// Triangles around each vertex: those of `v` stand at `starts[v] .. starts[v + 1]`.
fn around(indices: &[u32], vertex_count: usize) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0_u32; vertex_count + 1];
    indices.iter().for_each(|v| starts[*v as usize + 1] += 1);
    for v in 0..vertex_count {
        starts[v + 1] += starts[v];
    }
    let mut next = starts.clone();
    let mut triangles = vec![0_u32; indices.len()];
    for (corner, v) in indices.iter().enumerate() {
        triangles[next[*v as usize] as usize] = corner as u32 / 3;
        next[*v as usize] += 1;
    }
    (starts, triangles)
}

/// Out: indices in fans, and the triangles at which a new cluster starts.
fn fan(indices: &[u32], vertex_count: usize) -> (Vec<u32>, Vec<usize>) {
    let (starts, triangles) = around(indices, vertex_count);
    let mut live: Vec<u32> = starts.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let mut entered = vec![0_u64; vertex_count];
    let mut time = CACHE as u64 + 1;
    let mut done = vec![false; indices.len() / 3];
    let mut recent: Vec<u32> = Vec::new();
    let mut candidates: Vec<u32> = Vec::new();
    let mut out = Vec::with_capacity(indices.len());
    let mut clusters = Vec::new();
    let mut cursor = 0;
    let mut centre = None;
    loop {
        let Some(here) = centre else {
            // A dead end: the newest vertex with triangles left, else the first one.
            let found = loop {
                match recent.pop() {
                    Some(v) if live[v as usize] > 0 => break Some(v),
                    Some(_) => {}
                    None => {
                        while cursor < vertex_count && live[cursor] == 0 {
                            cursor += 1;
                        }
                        break (cursor < vertex_count).then_some(cursor as u32);
                    }
                }
            };
            let Some(found) = found else { return (out, clusters) };
            clusters.push(out.len() / 3);
            centre = Some(found);
            continue;
        };
        candidates.clear();
        for &triangle in &triangles[starts[here as usize] as usize..starts[here as usize + 1] as usize] {
            if std::mem::replace(&mut done[triangle as usize], true) {
                continue;
            }
            for &v in &indices[triangle as usize * 3..triangle as usize * 3 + 3] {
                out.push(v);
                recent.push(v);
                candidates.push(v);
                live[v as usize] -= 1;
                if time - entered[v as usize] > CACHE as u64 {
                    entered[v as usize] = time;
                    time += 1;
                }
            }
        }
        // The candidate that is oldest in the cache, if its fan still fits.
        let mut best = None;
        let mut best_age = -1_i64;
        for &v in &candidates {
            if live[v as usize] == 0 {
                continue;
            }
            let age = (time - entered[v as usize]) as i64;
            let age = if age + 2 * i64::from(live[v as usize]) <= CACHE as i64 { age } else { 0 };
            if age > best_age {
                (best, best_age) = (Some(v), age);
            }
        }
        centre = best;
    }
}

/// Clusters by how far out they lie along their own normal.
fn outside_first(positions: &[[f32; 3]], indices: &[u32], clusters: &[usize]) -> Vec<u32> {
    let corner = |index: usize| Vec3::from(positions[indices[index] as usize]);
    let sums = |triangles: std::ops::Range<usize>| {
        let (mut middle, mut normal, mut area) = (Vec3::ZERO, Vec3::ZERO, 0.0_f32);
        for triangle in triangles {
            let [a, b, c] = [0, 1, 2].map(|i| corner(triangle * 3 + i));
            let across = (b - a).cross(c - a);
            let size = across.length();
            middle += (a + b + c) * (size / 3.0);
            normal += across;
            area += size;
        }
        (middle, normal, area)
    };
    let count = indices.len() / 3;
    let ends = clusters.iter().skip(1).copied().chain([count]);
    let ranges: Vec<std::ops::Range<usize>> = clusters.iter().zip(ends).map(|(start, end)| *start..end).collect();
    let (middle, _, area) = sums(0..count);
    let centre = if area > 0.0 { middle / area } else { Vec3::ZERO };
    let mut ranked: Vec<(f32, usize)> = ranges
        .iter()
        .enumerate()
        .map(|(number, range)| {
            let (middle, normal, area) = sums(range.clone());
            let place = if area > 0.0 { middle / area } else { centre };
            ((place - centre).dot(normal.normalize_or_zero()), number)
        })
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    ranked.iter().flat_map(|(_, number)| indices[ranges[*number].start * 3..ranges[*number].end * 3].to_vec()).collect()
}

/// Numbers vertices in the order in which triangles first name them; those that none names go.
fn by_first_use(geometry: &mut Geometry) {
    let mut new_of = vec![u32::MAX; geometry.positions.len()];
    let mut kept = Vec::with_capacity(geometry.positions.len());
    for index in &mut geometry.indices {
        let new = &mut new_of[*index as usize];
        if *new == u32::MAX {
            *new = kept.len() as u32;
            kept.push(*index);
        }
        *index = *new;
    }
    fn pick<T: Copy>(values: &mut Vec<T>, kept: &[u32]) {
        if !values.is_empty() {
            *values = kept.iter().map(|i| values[*i as usize]).collect();
        }
    }
    pick(&mut geometry.positions, &kept);
    pick(&mut geometry.normals, &kept);
    pick(&mut geometry.tangents, &kept);
    pick(&mut geometry.uv0, &kept);
    pick(&mut geometry.uv1, &kept);
    pick(&mut geometry.colors, &kept);
}

#[cfg(test)]
mod tests {
    use stillframe_base::rng::Rng;

    use super::*;
    use crate::asset::Shape;
    use crate::bake::shape;

    fn corners(geometry: &Geometry) -> Vec<[[u32; 3]; 3]> {
        let mut out: Vec<[[u32; 3]; 3]> = geometry
            .indices
            .chunks_exact(3)
            .map(|t| {
                let corners = [0, 1, 2].map(|i| geometry.positions[t[i] as usize].map(f32::to_bits));
                let first = (0..3).min_by_key(|i| corners[*i]).expect("three");
                [corners[first], corners[(first + 1) % 3], corners[(first + 2) % 3]]
            })
            .collect();
        out.sort_unstable();
        out
    }

    #[test]
    fn nothing_is_lost_and_vertices_are_used_again() {
        let torus = Shape::Torus { major_radius_m: 1.0, minor_radius_m: 0.4, major_segments: 96, minor_segments: 48 };
        let mut geometry = shape(&torus);
        // Triangles in a random order, as scanners write them.
        let mut order_of: Vec<usize> = (0..geometry.indices.len() / 3).collect();
        Rng::new(5).stream("order", 0).shuffle(&mut order_of);
        geometry.indices = order_of.iter().flat_map(|t| geometry.indices[t * 3..t * 3 + 3].to_vec()).collect();
        let before = corners(&geometry);
        let count = geometry.positions.len();
        let shuffled = misses_per_triangle(&geometry.indices, count);
        order(&mut geometry);
        assert_eq!(corners(&geometry), before);
        assert_eq!(geometry.positions.len(), count);
        let ordered = misses_per_triangle(&geometry.indices, count);
        assert!(shuffled > 2.5 && ordered < 0.85, "{shuffled} then {ordered}");
        assert!(
            geometry
                .indices
                .iter()
                .scan(0, |most, i| {
                    let fits = *i <= *most;
                    *most = (*most).max(i + 1);
                    Some(fits)
                })
                .all(|fits| fits),
            "vertices come in the order of their use"
        );
        let mut again = geometry.clone();
        order(&mut again);
        assert_eq!(corners(&again), before);
    }
}
