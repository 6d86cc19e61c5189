//! Figures: points, lines and triangles on the pixel grid. Which samples they cover, and what their planes are worth
//! there.
//!
//! Source: `docs/adapter-rules.md`, Geometry and Interpolation.

use wgpu_types::{DepthBiasState, FrontFace, TextureFormat};

use super::vertex::Vertex;
use crate::work::Viewport;

/// One point, line or triangle with its vertices in the framebuffer.
#[derive(Clone, Debug)]
pub struct Figure {
    /// One, two or three, in the order of assembly.
    pub corners: Vec<Corner>,
    /// The first vertex of the primitive before clipping: flat inputs.
    pub first: Vertex,
    pub primitive_index: u32,
    pub front_facing: bool,
}

/// A vertex after the viewport.
#[derive(Clone, Debug)]
pub struct Corner {
    pub vertex: Vertex,
    pub depth: f32,
    /// 1 / w.
    pub q: f32,
    /// Position in 1/256 pixel, y down.
    pub x: i64,
    pub y: i64,
}

/// Rounds pixels to 1/256 pixel.
pub fn snap(v: f32) -> i64 {
    (v * 256.0).round_ties_even() as i64
}

impl Corner {
    /// None where the framebuffer coordinates are no use.
    pub fn new(vertex: &Vertex, viewport: &Viewport) -> Option<Corner> {
        let [vx, vy, vz, vw] = vertex.position;
        // Whole pixels before the target are added when all is rounded.
        let late = [viewport.x, viewport.y].map(|at| if at < 0.0 && at.fract() == 0.0 { at } else { 0.0 });
        let fx = (viewport.x - late[0]) + (0.5 * (vx / vw + 1.0)) * viewport.width;
        let fy = (viewport.y - late[1]) + (0.5 * (1.0 - vy / vw)) * viewport.height;
        let fz = viewport.min_depth + (vz / vw) * (viewport.max_depth - viewport.min_depth);
        let limit = 2097152.0;
        let usable = fx.abs() <= limit && fy.abs() <= limit && vw > 0.0 && !fz.is_nan();
        usable.then(|| Corner {
            vertex: vertex.clone(),
            depth: fz,
            q: 1.0 / vw,
            x: snap(fx) + snap(late[0]),
            y: snap(fy) + snap(late[1]),
        })
    }
}

/// Twice the signed area, y down.
pub fn doubled_area(a: &Corner, b: &Corner, c: &Corner) -> i64 {
    (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)
}

/// Whether an area of this sign faces the front.
pub fn is_front(area: i64, front_face: FrontFace) -> bool {
    match front_face {
        FrontFace::Ccw => area < 0,
        FrontFace::Cw => area > 0,
    }
}

/// Sample positions in 1/256 pixel from the pixel's corner.
pub fn sample_at(sample_count: u32, sample: u32) -> (i64, i64) {
    match (sample_count, sample) {
        (4, 0) => (96, 32),
        (4, 1) => (224, 96),
        (4, 2) => (32, 160),
        (4, _) => (160, 224),
        _ => (128, 128),
    }
}

/// A linear function of the place inside one cell: the value at the cell's corner and its slopes.
#[derive(Clone, Copy, Debug)]
pub struct Plane {
    pub at_corner: f32,
    pub by_x: f32,
    pub by_y: f32,
}

impl Plane {
    /// `dx`, `dy`: pixels from the cell's corner.
    pub fn at(self, dx: f32, dy: f32) -> f32 {
        self.at_corner + (dx * self.by_x + dy * self.by_y)
    }
}

/// The two barycentric planes in f64: at the cell's corner, by x, by y.
struct Weights {
    one: [f64; 3],
    two: [f64; 3],
}

/// Everything that is interpolated, at one sample of one figure.
pub struct Place<'a> {
    figure: &'a Figure,
    weights: Weights,
    dx: f32,
    dy: f32,
}

impl Figure {
    pub fn is_triangle(&self) -> bool {
        self.corners.len() == 3
    }

    /// Whether the figure covers the sample at `(sx, sy)` of pixel `(i, j)`. Points and lines cover whole pixels.
    pub fn covers(&self, i: i64, j: i64, sx: i64, sy: i64) -> bool {
        match &self.corners[..] {
            [p] => (p.x >> 8, p.y >> 8) == (i, j),
            [p0, p1] => line_covers([p0.x, p0.y], [p1.x, p1.y], i, j),
            [a, b, c] => {
                let (b, c) = if doubled_area(a, b, c) < 0 { (c, b) } else { (b, c) };
                [(a, b), (b, c), (c, a)].into_iter().all(|(p, q)| {
                    let e = (q.x - p.x) as i128 * (sy - p.y) as i128 - (q.y - p.y) as i128 * (sx - p.x) as i128;
                    e > 0 || e == 0 && (q.y < p.y || q.y == p.y && q.x > p.x)
                })
            }
            _ => unreachable!("a figure has one to three corners"),
        }
    }

    /// `(sx, sy)` in 1/256 pixel, inside the cell whose corner is the 64-pixel grid point above and left of pixel `(i,
    /// j)`.
    pub fn at(&self, i: i64, j: i64, sx: i64, sy: i64) -> Place<'_> {
        let (ox, oy) = (i.div_euclid(64) * 64 * 256, j.div_euclid(64) * 64 * 256);
        Place {
            figure: self,
            weights: self.weights(ox, oy),
            dx: (sx - ox) as f32 / 256.0,
            dy: (sy - oy) as f32 / 256.0,
        }
    }

    fn weights(&self, ox: i64, oy: i64) -> Weights {
        let none = [0.0; 3];
        match &self.corners[..] {
            [a, b, c] => {
                let inv = 1.0 / doubled_area(a, b, c) as f64;
                let (x10, y10, x20, y20) = (b.x - a.x, b.y - a.y, c.x - a.x, c.y - a.y);
                let (px, py) = (ox - a.x, oy - a.y);
                Weights {
                    one: [px * y20 - py * x20, 256 * y20, -256 * x20].map(|v| v as f64 * inv),
                    two: [x10 * py - y10 * px, -256 * y10, 256 * x10].map(|v| v as f64 * inv),
                }
            }
            [a, b] => {
                let (dx, dy) = (b.x - a.x, b.y - a.y);
                let one = if dx.abs() >= dy.abs() {
                    let inv = 1.0 / dx as f64;
                    [(ox - a.x) as f64 * inv, 256.0 * inv, 0.0]
                } else {
                    let inv = 1.0 / dy as f64;
                    [(oy - a.y) as f64 * inv, 0.0, 256.0 * inv]
                };
                Weights { one, two: none }
            }
            _ => Weights { one: none, two: none },
        }
    }

    /// `f0, f1, f2` of a quantity by vertex: a line repeats its first, a point its only one.
    fn by_vertex<T: Copy>(&self, f: impl Fn(&Corner) -> T) -> [T; 3] {
        [0, 1, 2].map(|i| f(self.corners.get(i).unwrap_or(&self.corners[0])))
    }
}

/// Whether a line's diamonds choose pixel `(i, j)`.
fn line_covers(p0: [i64; 2], p1: [i64; 2], i: i64, j: i64) -> bool {
    let (dx, dy) = (p1[0] - p0[0], p1[1] - p0[1]);
    if dx == 0 && dy == 0 {
        return false;
    }
    let steep = dx.abs() < dy.abs();
    // With the roles of the axes exchanged, one text serves both.
    let turn = |[x, y]: [i64; 2]| if steep { [y, x] } else { [x, y] };
    let ([x0, y0], [x1, y1], [i, j]) = (turn(p0), turn(p1), turn([i, j]));
    let (dx, dy) = (x1 - x0, y1 - y0);
    if i < x0.min(x1) >> 8 || i > x0.max(x1) >> 8 {
        return false;
    }
    let xc = 256 * i + 128;
    // floor((y0 + dy (xc - x0) / dx) / 256) as one quotient with a positive divisor.
    let top = (y0 as i128 * dx as i128 + dy as i128 * (xc - x0) as i128) * dx.signum() as i128;
    if top.div_euclid(256 * dx.abs() as i128) != j as i128 {
        return false;
    }
    let yc = 256 * j + 128;
    let inside = |x: i64, y: i64| (x - xc).abs() + (y - yc).abs() < 128 || x == xc && y == yc - 128;
    !inside(x1, y1) && (x0.min(x1) <= xc && xc <= x0.max(x1) || inside(x0, y0))
}

fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

impl Place<'_> {
    /// The plane of a quantity.
    fn plane(&self, [f0, f1, f2]: [f32; 3]) -> Plane {
        let (d1, d2) = (f1 as f64 - f0 as f64, f2 as f64 - f0 as f64);
        let (one, two) = (self.weights.one, self.weights.two);
        Plane {
            at_corner: (f0 as f64 + (one[0] * d1 + two[0] * d2)) as f32,
            by_x: (one[1] * d1 + two[1] * d2) as f32,
            by_y: (one[2] * d1 + two[2] * d2) as f32,
        }
    }

    fn value(&self, plane: Plane) -> f32 {
        plane.at(self.dx, self.dy)
    }

    /// 1 / w.
    pub fn q(&self) -> f32 {
        self.value(self.plane(self.figure.by_vertex(|c| c.q)))
    }

    /// Depth with its bias, inside the viewport's range.
    pub fn depth(&self, bias: &DepthBiasState, format: Option<TextureFormat>, viewport: &Viewport) -> f32 {
        let depths = self.figure.by_vertex(|c| c.depth);
        let mut plane = self.plane(depths);
        if self.figure.is_triangle() && (bias.constant != 0 || bias.slope_scale != 0.0) {
            let slope = max(plane.by_x.abs(), plane.by_y.abs());
            let mut offset = bias.constant as f32 * bias_unit(format, depths) + bias.slope_scale * slope;
            if bias.clamp > 0.0 && offset > bias.clamp || bias.clamp < 0.0 && offset < bias.clamp {
                offset = bias.clamp;
            }
            plane.at_corner += offset;
        }
        clamp_depth(self.value(plane), viewport)
    }

    /// The weights of the second and third vertex.
    fn shares(&self, perspective: bool) -> [f32; 2] {
        let qs = self.figure.by_vertex(|c| c.q);
        let share = |weights: [f64; 3], q: f32| {
            let scale = if perspective { q as f64 } else { 1.0 };
            let [at_corner, by_x, by_y] = weights.map(|w| (w * scale) as f32);
            let p = self.value(Plane { at_corner, by_x, by_y });
            if perspective { p * (1.0 / self.q()) } else { p }
        };
        [share(self.weights.one, qs[1]), share(self.weights.two, qs[2])]
    }

    /// An interpolated value from what it is at the vertices.
    pub fn interpolated(&self, perspective: bool, of: impl Fn(&Corner) -> f32) -> f32 {
        let [a0, a1, a2] = self.figure.by_vertex(of);
        let [b1, b2] = self.shares(perspective);
        a0 + (b1 * (a1 - a0) + b2 * (a2 - a0))
    }
}

/// If not at least the viewport's minimum: that; if above its maximum: that.
#[expect(clippy::neg_cmp_op_on_partial_ord, reason = "NaN becomes the minimum")]
pub fn clamp_depth(z: f32, viewport: &Viewport) -> f32 {
    if !(z >= viewport.min_depth) {
        viewport.min_depth
    } else if z > viewport.max_depth {
        viewport.max_depth
    } else {
        z
    }
}

/// The smallest step of depth that a constant bias counts in.
fn bias_unit(format: Option<TextureFormat>, depths: [f32; 3]) -> f32 {
    match format {
        Some(TextureFormat::Depth16Unorm) => 1.0 / 65535.0,
        Some(TextureFormat::Depth24Plus | TextureFormat::Depth24PlusStencil8) => 1.0 / 16777215.0,
        _ => {
            let largest = depths.iter().map(|d| d.to_bits() >> 23 & 0xFF).max().expect("three vertices");
            f32::from_bits((largest.max(24) - 23) << 23)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner(x: f32, y: f32) -> Corner {
        let vertex = Vertex { position: [0.0; 4], values: vec![] };
        Corner { vertex, depth: 0.0, q: 1.0, x: snap(x), y: snap(y) }
    }

    fn figure(points: &[(f32, f32)]) -> Figure {
        let corners: Vec<Corner> = points.iter().map(|&(x, y)| corner(x, y)).collect();
        Figure { first: corners[0].vertex.clone(), corners, primitive_index: 0, front_facing: true }
    }

    #[test]
    fn two_triangles_share_an_edge_without_gap_or_overlap() {
        let a = figure(&[(0.5, 0.5), (7.5, 1.25), (6.5, 6.5)]);
        let b = figure(&[(0.5, 0.5), (6.5, 6.5), (1.5, 7.5)]);
        let whole = figure(&[(-9.0, -9.0), (30.0, -9.0), (-9.0, 30.0)]);
        let count =
            |f: &Figure| (0..64).filter(|p| f.covers(p % 8, p / 8, 256 * (p % 8) + 128, 256 * (p / 8) + 128)).count();
        for p in 0..64 {
            let at = |f: &Figure| f.covers(p % 8, p / 8, 256 * (p % 8) + 128, 256 * (p / 8) + 128);
            assert!(!(at(&a) && at(&b)), "pixel {p} twice");
        }
        assert_eq!(count(&whole), 64);
        assert!(count(&a) > 10 && count(&b) > 10);
    }

    #[test]
    fn lines_leave_their_last_pixel_to_the_next() {
        for (from, to, want) in [
            ((0.5, 0.5), (4.5, 0.5), vec![(0, 0), (1, 0), (2, 0), (3, 0)]),
            ((4.5, 0.5), (0.5, 0.5), vec![(1, 0), (2, 0), (3, 0), (4, 0)]),
            ((0.5, 0.5), (0.5, 2.5), vec![(0, 0), (0, 1)]),
            ((0.5, 0.5), (2.5, 2.5), vec![(0, 0), (1, 1)]),
        ] {
            let line = figure(&[from, to]);
            let got: Vec<(i64, i64)> =
                (0..25).map(|p| (p % 5, p / 5)).filter(|&(i, j)| line.covers(i, j, 0, 0)).collect();
            assert_eq!(got, want, "{from:?} to {to:?}");
        }
    }
}
