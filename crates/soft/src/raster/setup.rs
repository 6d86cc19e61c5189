//! Setup: the planes of a primitive, seen from one cell of 64x64 pixels.
//!
//! In: projected corners. Out: barycentric gradients, planes in f32. The formulas and their order are "Interpolation"
//! of `docs/adapter-rules.md`.

/// A vertex after the viewport: position in 1/256 pixel, depth, 1/w.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(16))]
pub struct Corner {
    pub x: i32,
    pub y: i32,
    pub z: f32,
    pub q: f32,
}

/// f(S) = c + (dx * x + dy * y), dx and dy in pixels from the cell's corner.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Plane {
    pub c: f32,
    pub x: f32,
    pub y: f32,
}

impl Plane {
    #[inline(always)]
    pub fn at(&self, dx: f32, dy: f32) -> f32 {
        self.c + (dx * self.x + dy * self.y)
    }
}

/// Weights of vertices 1 and 2: values at the cell's corner, and their change a pixel.
#[derive(Clone, Copy, Debug, Default)]
pub struct Barycentric {
    pub c1: f64,
    pub g1x: f64,
    pub g1y: f64,
    pub c2: f64,
    pub g2x: f64,
    pub g2y: f64,
}

/// Twice the signed area in (1/256 pixel)^2; y points down.
#[inline(always)]
pub fn area(v: &[Corner; 3]) -> i64 {
    let (x0, y0) = (i64::from(v[0].x), i64::from(v[0].y));
    (i64::from(v[1].x) - x0) * (i64::from(v[2].y) - y0) - (i64::from(v[2].x) - x0) * (i64::from(v[1].y) - y0)
}

impl Barycentric {
    /// `ox`, `oy`: the cell's corner in 1/256 pixel. The area is not zero.
    #[inline(always)]
    pub fn triangle(v: &[Corner; 3], ox: i32, oy: i32) -> Barycentric {
        let (x0, y0) = (i64::from(v[0].x), i64::from(v[0].y));
        let (x1, y1) = (i64::from(v[1].x) - x0, i64::from(v[1].y) - y0);
        let (x2, y2) = (i64::from(v[2].x) - x0, i64::from(v[2].y) - y0);
        let (ox, oy) = (i64::from(ox) - x0, i64::from(oy) - y0);
        let inv = 1.0 / (x1 * y2 - x2 * y1) as f64;
        Barycentric {
            c1: (ox * y2 - oy * x2) as f64 * inv,
            g1x: (256 * y2) as f64 * inv,
            g1y: (-256 * x2) as f64 * inv,
            c2: (x1 * oy - y1 * ox) as f64 * inv,
            g2x: (-256 * y1) as f64 * inv,
            g2y: (256 * x1) as f64 * inv,
        }
    }

    /// A line from `v[0]` to `v[1]`; not both differences are zero.
    pub fn line(v: &[Corner; 3], ox: i32, oy: i32) -> Barycentric {
        let dx = i64::from(v[1].x) - i64::from(v[0].x);
        let dy = i64::from(v[1].y) - i64::from(v[0].y);
        let mut out = Barycentric::default();
        if dx.abs() >= dy.abs() {
            let inv = 1.0 / dx as f64;
            out.c1 = (i64::from(ox) - i64::from(v[0].x)) as f64 * inv;
            out.g1x = 256.0 * inv;
        } else {
            let inv = 1.0 / dy as f64;
            out.c1 = (i64::from(oy) - i64::from(v[0].y)) as f64 * inv;
            out.g1y = 256.0 * inv;
        }
        out
    }

    /// The plane through `f` at the three vertices.
    #[inline(always)]
    pub fn plane(&self, f: [f32; 3]) -> Plane {
        let f0 = f64::from(f[0]);
        let (d1, d2) = (f64::from(f[1]) - f0, f64::from(f[2]) - f0);
        Plane {
            c: (f0 + (self.c1 * d1 + self.c2 * d2)) as f32,
            x: (self.g1x * d1 + self.g2x * d2) as f32,
            y: (self.g1y * d1 + self.g2y * d2) as f32,
        }
    }

    /// The planes of both weights times `q1` and `q2`: 1/w of their vertices for perspective, 1 for linear.
    #[inline(always)]
    pub fn weights(&self, q1: f32, q2: f32) -> [Plane; 2] {
        let (q1, q2) = (f64::from(q1), f64::from(q2));
        [
            Plane { c: (self.c1 * q1) as f32, x: (self.g1x * q1) as f32, y: (self.g1y * q1) as f32 },
            Plane { c: (self.c2 * q2) as f32, x: (self.g2x * q2) as f32, y: (self.g2y * q2) as f32 },
        ]
    }
}

/// What a depth bias is computed from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bias {
    pub constant: f32,
    pub slope: f32,
    pub clamp: f32,
    /// The smallest step of a unorm format; `None` for floats.
    pub step: Option<f32>,
}

impl Bias {
    /// `None` where neither constant nor slope asks for one.
    pub fn new(state: &wgpu_types::DepthStencilState) -> Option<Bias> {
        use wgpu_types::TextureFormat as F;
        let bias = &state.bias;
        if bias.constant == 0 && bias.slope_scale == 0.0 {
            return None;
        }
        let step = match state.format {
            F::Depth16Unorm => Some(1.0 / 65535.0),
            F::Depth24Plus | F::Depth24PlusStencil8 => Some(1.0 / 16_777_215.0),
            _ => None,
        };
        Some(Bias { constant: bias.constant as f32, slope: bias.slope_scale, clamp: bias.clamp, step })
    }

    /// The bias of a triangle with depth plane `plane` and vertex depths `z`.
    pub fn of(&self, plane: &Plane, z: [f32; 3]) -> f32 {
        let max = |a: f32, b: f32| if a > b { a } else { b };
        let step = self.step.unwrap_or_else(|| {
            let largest = max(max(z[0].abs(), z[1].abs()), z[2].abs());
            let exponent = (largest.to_bits() >> 23).max(24);
            f32::from_bits((exponent - 23) << 23)
        });
        let mut bias = self.constant * step + self.slope * max(plane.x.abs(), plane.y.abs());
        if self.clamp > 0.0 && bias > self.clamp {
            bias = self.clamp;
        }
        if self.clamp < 0.0 && bias < self.clamp {
            bias = self.clamp;
        }
        bias
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner(x: f32, y: f32, z: f32) -> Corner {
        Corner { x: (x * 256.0) as i32, y: (y * 256.0) as i32, z, q: 1.0 }
    }

    #[test]
    fn planes_pass_through_the_vertices() {
        let v = [corner(3.0, 5.0, 0.25), corner(40.5, 7.0, 0.5), corner(10.0, 60.0, 0.75)];
        let b = Barycentric::triangle(&v, 0, 0);
        let plane = b.plane([v[0].z, v[1].z, v[2].z]);
        for c in v {
            assert!((plane.at(c.x as f32 / 256.0, c.y as f32 / 256.0) - c.z).abs() < 1e-6);
        }
        let level = b.plane([0.3; 3]);
        assert_eq!(level, Plane { c: 0.3, x: 0.0, y: 0.0 });
    }

    #[test]
    fn cells_agree_on_a_plane() {
        let v = [corner(3.0, 5.0, 0.25), corner(1000.5, 7.0, 0.5), corner(10.0, 900.0, 0.75)];
        let near = Barycentric::triangle(&v, 0, 0).plane([0.25, 0.5, 0.75]);
        let far = Barycentric::triangle(&v, 64 * 256, 128 * 256).plane([0.25, 0.5, 0.75]);
        assert!((near.at(80.0, 140.0) - far.at(16.0, 12.0)).abs() < 1e-6);
    }

    #[test]
    fn bias_follows_the_format() {
        let plane = Plane { c: 0.5, x: 0.001, y: -0.002 };
        let bias = |constant, slope, clamp, step| Bias { constant, slope, clamp, step }.of(&plane, [0.1, 0.5, 0.25]);
        assert_eq!(bias(2.0, 0.0, 0.0, Some(1.0 / 65535.0)), 2.0 / 65535.0);
        // The largest depth is 0.5 = 2^-1: one step is 2^-24.
        assert_eq!(bias(3.0, 0.0, 0.0, None), 3.0 / 16_777_216.0);
        assert_eq!(bias(0.0, 2.0, 0.0, None), 0.004);
        assert_eq!(bias(0.0, 2.0, 0.001, None), 0.001);
        assert_eq!(bias(0.0, -2.0, -0.001, None), -0.001);
        assert_eq!(bias(0.0, -2.0, 0.001, None), -0.004);
    }

    #[test]
    fn lines_run_from_zero_to_one() {
        let v = [corner(10.0, 10.0, 0.0), corner(30.0, 12.0, 1.0), corner(10.0, 10.0, 0.0)];
        let plane = Barycentric::line(&v, 0, 0).plane([0.0, 1.0, 0.0]);
        assert!((plane.at(10.0, 99.0)).abs() < 1e-6 && (plane.at(30.0, -3.0) - 1.0).abs() < 1e-6);
    }
}
