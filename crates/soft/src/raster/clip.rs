//! Clip: polygons and lines against near, far, eye and guard-band planes.
//!
//! In: clip positions and varyings of a primitive. Out: a polygon of at most ten vertices. Sutherland and Hodgman 1974,
//! plane after plane; a new vertex always runs from the inside to the outside end, so that neighbours agree on it.

use super::project::distances;

/// Three vertices and seven planes, each adding at most one.
#[cfg(test)]
const VERTICES_MAX: usize = 10;

/// How a varying is carried along a clipped edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Along {
    Perspective,
    Linear,
    /// Taken from the primitive's first vertex.
    Flat,
}

/// A polygon's vertices: positions, and varyings side by side, `along.len()` words a vertex.
#[derive(Clone, Debug, Default)]
pub struct Polygon {
    pub positions: Vec<[f32; 4]>,
    pub varyings: Vec<u32>,
}

impl Polygon {
    pub fn clear(&mut self) {
        self.positions.clear();
        self.varyings.clear();
    }

    pub fn push(&mut self, position: [f32; 4], varyings: &[u32]) {
        self.positions.push(position);
        self.varyings.extend_from_slice(varyings);
    }

    fn push_from(&mut self, other: &Polygon, index: usize, stride: usize) {
        self.push(other.positions[index], &other.varyings[index * stride..(index + 1) * stride]);
    }

    /// The point where the edge from `a` (inside, distance `da`) to `b` (outside, `db`) meets the plane.
    fn push_between(&mut self, other: &Polygon, (a, da): (usize, f32), (b, db): (usize, f32), along: &[Along]) {
        let t = db / (db - da);
        let (pa, pb) = (other.positions[a], other.positions[b]);
        let position: [f32; 4] = std::array::from_fn(|k| t * pa[k] + (1.0 - t) * pb[k]);
        let u = (t * pa[3]) / position[3];
        self.positions.push(position);
        let stride = along.len();
        for (k, along) in along.iter().enumerate() {
            let (va, vb) = (other.varyings[a * stride + k], other.varyings[b * stride + k]);
            let (fa, fb) = (f32::from_bits(va), f32::from_bits(vb));
            self.varyings.push(match along {
                Along::Perspective => (t * fa + (1.0 - t) * fb).to_bits(),
                Along::Linear => (u * fa + (1.0 - u) * fb).to_bits(),
                Along::Flat => va,
            });
        }
    }
}

/// Clips `polygon` (3 vertices; flat varyings already the first vertex's) in place; `spare` is working memory. An empty
/// polygon remains where nothing is left.
pub fn clip_polygon(polygon: &mut Polygon, spare: &mut Polygon, along: &[Along], (depth_clipped, guard): (bool, f32)) {
    for plane in 0..7 {
        let count = polygon.positions.len();
        let d = |index: usize| distances(polygon.positions[index], depth_clipped, guard)[plane];
        if (0..count).all(|index| d(index) >= 0.0) {
            continue;
        }
        spare.clear();
        for current in 0..count {
            let next = (current + 1) % count;
            let (dc, dn) = (d(current), d(next));
            if dc >= 0.0 {
                spare.push_from(polygon, current, along.len());
                if !(dn >= 0.0) {
                    spare.push_between(polygon, (current, dc), (next, dn), along);
                }
            } else if dn >= 0.0 {
                spare.push_between(polygon, (next, dn), (current, dc), along);
            }
        }
        std::mem::swap(polygon, spare);
        if polygon.positions.len() < 3 {
            polygon.clear();
            return;
        }
    }
}

/// The same for a line of two vertices.
pub fn clip_line(line: &mut Polygon, spare: &mut Polygon, along: &[Along], (depth_clipped, guard): (bool, f32)) {
    for plane in 0..7 {
        let d: [f32; 2] = std::array::from_fn(|i| distances(line.positions[i], depth_clipped, guard)[plane]);
        match (d[0] >= 0.0, d[1] >= 0.0) {
            (true, true) => continue,
            (false, false) => {
                line.clear();
                return;
            }
            (first, _) => {
                let (inside, outside) = if first { (0, 1) } else { (1, 0) };
                spare.clear();
                for end in 0..2 {
                    if end == inside {
                        spare.push_from(line, end, along.len());
                    } else {
                        spare.push_between(line, (inside, d[inside]), (outside, d[outside]), along);
                    }
                }
                std::mem::swap(line, spare);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clip(vertices: &[([f32; 4], f32)], along: Along) -> Vec<([f32; 4], f32)> {
        let (mut polygon, mut spare) = (Polygon::default(), Polygon::default());
        for (position, value) in vertices {
            polygon.push(*position, &[value.to_bits()]);
        }
        let run = if vertices.len() == 2 { clip_line } else { clip_polygon };
        run(&mut polygon, &mut spare, &[along], (true, 128.0));
        polygon.positions.iter().copied().zip(polygon.varyings.iter().map(|v| f32::from_bits(*v))).collect()
    }

    #[test]
    fn near_plane_cuts_one_corner() {
        let inside = [([0.0, 0.0, 0.5, 1.0], 0.0), ([1.0, 0.0, 0.5, 1.0], 1.0), ([0.0, 1.0, 0.5, 1.0], 2.0)];
        assert_eq!(clip(&inside, Along::Perspective), inside);
        let mut cut = inside;
        cut[2].0[2] = -0.5;
        let got = clip(&cut, Along::Perspective);
        assert_eq!(got.len(), 4);
        assert_eq!(got[2], ([0.5, 0.5, 0.0, 1.0], 1.5));
        assert_eq!(got[3], ([0.0, 0.5, 0.0, 1.0], 1.0));
        for vertex in &mut cut {
            vertex.0[2] = -1.0;
        }
        assert!(clip(&cut, Along::Perspective).is_empty());
    }

    #[test]
    fn linear_values_are_linear_on_the_screen() {
        // From w = 1 to w = 3, cut half way in clip space: on the screen that is a quarter of the way from a.
        let line = [([0.0, 0.0, 1.0, 1.0], 0.0), ([3.0, 0.0, -1.0, 3.0], 4.0)];
        let got = clip(&line, Along::Linear);
        let (p, value) = got[1];
        assert_eq!(p, [1.5, 0.0, 0.0, 2.0]);
        assert_eq!(value, 4.0 * (p[0] / p[3]) / 1.0);
        assert_eq!(clip(&line, Along::Perspective)[1].1, 2.0);
    }

    #[test]
    fn neighbours_share_the_new_vertex() {
        let (a, b) = (([0.3, 0.1, 0.7, 1.1], 0.3), ([-0.2, 0.9, -0.33, 0.9], 0.8));
        let one = clip(&[a, b, ([0.0, 0.0, 0.5, 1.0], 0.0)], Along::Perspective);
        let two = clip(&[b, a, ([1.0, 1.0, 0.5, 1.0], 0.0)], Along::Perspective);
        let at_near = |v: &Vec<([f32; 4], f32)>| v.iter().copied().filter(|p| p.0[2].abs() < 1e-6).collect::<Vec<_>>();
        assert!(at_near(&one).iter().any(|p| at_near(&two).contains(p)));
    }

    #[test]
    fn nothing_survives_behind_the_eye() {
        let p = |x: f32, w: f32| ([x, 0.1, 0.5 * w, w], 0.0);
        let got = clip(&[p(0.0, 1.0), p(1.0, -1.0), p(2.0, 2.0)], Along::Perspective);
        assert!(got.iter().all(|(p, _)| p[3] > 0.0), "{got:?}");
        assert!(got.len() >= 3 && got.len() <= VERTICES_MAX);
    }
}
