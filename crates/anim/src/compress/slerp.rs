//! Slerp: from a rotation to the next at even speed, with nothing but products.
//!
//! ```text
//! nlerp(a, b, t') = slerp(a, b, t)   where t' = sin(t h) / (sin((1 - t) h) + sin(t h)),  cos h = a . b
//! t' = t + t (t - 1/2) (t - 1) x K(x, u),   x = 1 - a . b,  u = (t - 1/2)^2
//! ```
//!
//! Source: the form of the correction is that of Kapoulkine, "Approximating slerp", 2015. Changed: K is our own minimax
//! fit over turns up to 182 degrees, of six powers of x and four of u: 3e-6 rad at most. For turns below 45 degrees
//! three terms are within 4e-7.

use stillframe_base::lanes::Wide;

/// Keys of a rotation no further apart than this, as the dot product of their quaternions, are near: 45 degrees.
pub(super) const NEAR_DOT: f64 = 0.9239;

const FAR: [[f64; 6]; 4] = [
    [0.6685956449, 0.1155037646, 0.09145092463, -0.05607458300, 0.04169938109, -0.002821900213],
    [-0.02960624996, 0.8787314328, -1.037163731, 2.033777598, -1.443606588, 0.4518602932],
    [-0.2212655714, 1.340481123, -2.820814368, 4.061968466, -2.042237038, 0.4494574918],
    [1.493222499, -11.01899686, 29.73195628, -35.91238324, 19.50889183, -2.430995235],
];

const NEAR: [f64; 3] = [2.0 / 3.0, 0.136, 0.56];

/// `t'` in lanes.
#[inline(always)]
pub(super) fn eased<W: Wide>(wide: W, dot: W::F32, along: W::F32, far: bool) -> W::F32 {
    let c = |value: f64| wide.splat(value as f32);
    let x = c(1.0) - dot;
    let middle = along - c(0.5);
    let u = middle * middle;
    let k = if far {
        let mut k = c(0.0);
        for row in FAR.iter().rev() {
            let mut of_x = c(row[5]);
            for coefficient in row[..5].iter().rev() {
                of_x = of_x * x + c(*coefficient);
            }
            k = k * u + of_x;
        }
        k
    } else {
        c(NEAR[0]) + x * (c(NEAR[1]) + c(NEAR[2]) * u)
    };
    along + along * middle * (along - c(1.0)) * (x * k)
}

/// `1 / sqrt(square)` where that is 0.955 to 1.01, as between near keys: the series of `(1 - e)` to the power of -1/2,
/// up to the fifth power of `e`.
#[inline(always)]
pub(super) fn inverse_root<W: Wide>(wide: W, square: W::F32) -> W::F32 {
    let c = |value: f64| wide.splat(value as f32);
    let e = c(1.0) - square;
    let e2 = e * e;
    let low = c(0.5) + c(0.375) * e;
    let high = (c(0.3125) + c(0.2734375) * e) + e2 * c(0.24609375);
    c(1.0) + e * (low + e2 * high)
}

/// From `a` to `b`, neither needing more than about unit length; the sign of `b` is the way that is gone.
pub(super) fn slerp(a: [f64; 4], b: [f64; 4], along: f64) -> [f64; 4] {
    let x = 1.0 - (0..4).map(|i| a[i] * b[i]).sum::<f64>();
    let middle = along - 0.5;
    let u = middle * middle;
    let k = if x <= 1.0 - NEAR_DOT {
        NEAR[0] + x * (NEAR[1] + NEAR[2] * u)
    } else {
        FAR.iter().rev().fold(0.0, |k, row| k * u + row.iter().rev().fold(0.0, |of_x, c| of_x * x + c))
    };
    let t = along + along * middle * (along - 1.0) * x * k;
    unit([0, 1, 2, 3].map(|i| a[i] + (b[i] - a[i]) * t))
}

/// Of length one; what has no length stays.
pub(super) fn unit(q: [f64; 4]) -> [f64; 4] {
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 0.0 { q.map(|x| x / length) } else { q }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;
    use stillframe_base::lanes::{Isa, ROW, Row, WideWork};
    use stillframe_base::math::ops64;

    struct Eased {
        dot: f32,
        along: f32,
        far: bool,
    }

    impl WideWork for Eased {
        type Out = f32;
        #[inline(always)]
        fn run<W: Wide>(self, wide: W) -> f32 {
            let mut row = Row([0.0; ROW]);
            wide.store(eased(wide, wide.splat(self.dot), wide.splat(self.along), self.far), &mut row, 0);
            row.0[0]
        }
    }

    struct InverseRoot(f32);

    impl WideWork for InverseRoot {
        type Out = f32;
        #[inline(always)]
        fn run<W: Wide>(self, wide: W) -> f32 {
            let mut row = Row([0.0; ROW]);
            wide.store(inverse_root(wide, wide.splat(self.0)), &mut row, 0);
            row.0[0]
        }
    }

    #[test]
    fn near_squares_have_inverse_roots() {
        for i in 0..=1000 {
            let square = (0.955 + 0.055 * f64::from(i) / 1000.0) as f32;
            let want = 1.0 / f64::from(square).sqrt();
            for isa in Isa::available() {
                let off = (f64::from(isa.run_wide(InverseRoot(square))) - want).abs();
                assert!(off <= 1.3e-7, "{off} at {square}, {isa}");
            }
        }
    }

    /// Against the sines themselves, to the bounds that the page gives; the lanes against this.
    #[test]
    fn even_speed_to_180_degrees() {
        for step in 0..=180 {
            let half_rad = f64::from(step).to_radians() / 2.0;
            let (sin, cos) = ops64::sin_cos(half_rad);
            let to = DQuat::from_xyzw(sin * 0.6, -sin * 0.8, 0.0, cos);
            for i in 0..=64 {
                let along = f64::from(i) / 64.0;
                let (s, c) = ops64::sin_cos(half_rad * along);
                let want = DQuat::from_xyzw(s * 0.6, -s * 0.8, 0.0, c);
                let got = DQuat::from_array(slerp(DQuat::IDENTITY.to_array(), to.to_array(), along));
                let off_rad = 2.0 * (got - want).length();
                let max_rad = if step < 45 { 4e-7 } else { 3.1e-6 };
                assert!(off_rad <= max_rad, "{off_rad} rad at {along} of {step} degrees");

                let far = cos < NEAR_DOT;
                for isa in Isa::available() {
                    let t = isa.run_wide(Eased { dot: cos as f32, along: along as f32, far });
                    let nlerp = unit([0, 1, 2, 3].map(|i| {
                        DQuat::IDENTITY.to_array()[i]
                            + (to.to_array()[i] - DQuat::IDENTITY.to_array()[i]) * f64::from(t)
                    }));
                    let off = 2.0 * (DQuat::from_array(nlerp) - got).length();
                    assert!(off <= 5e-7, "{off} rad at {along} of {step} degrees, {isa}");
                }
            }
        }
    }
}
