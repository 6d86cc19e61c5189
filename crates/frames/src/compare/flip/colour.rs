//! The colours of FLIP: linear RGB to a linear opponent space for filtering, and from there to Lab for differences.
//!
//! Source: Andersson et al. 2020, section 4.1: YCxCz (Flohr et al. 1993) and CIELAB with illuminant D65, the Hunt
//! effect, HyAB (Abasi et al. 2020). Changed: planes hold Y, X - Y and Y - Z of the white point's share; the factors
//! 116, 500 and 200 and the 16 of YCxCz cancel out around a linear filter. Matrices: sRGB's primaries, rational form.

use stillframe_base::math::ops;

/// Values a kernel works on side by side.
pub const WIDE: usize = 16;

pub type Wide = [f32; WIDE];

/// D65, Y = 1.
const WHITE: [f32; 3] = [0.950_428_545, 1.0, 1.088_900_371];

const XYZ_FROM_RGB: [[f64; 3]; 3] = [
    [10135552.0 / 24577794.0, 8788810.0 / 24577794.0, 4435075.0 / 24577794.0],
    [2613072.0 / 12288897.0, 8788810.0 / 12288897.0, 887015.0 / 12288897.0],
    [1425312.0 / 73733382.0, 8788810.0 / 73733382.0, 70074185.0 / 73733382.0],
];

const RGB_FROM_XYZ: [[f64; 3]; 3] = [
    [3.241003275, -1.537398934, -0.498615861],
    [-0.969224334, 1.875930071, 0.041554224],
    [0.055639423, -0.204011202, 1.057148933],
];

/// To and from shares of the white point.
const SHARE_FROM_RGB: [[f32; 3]; 3] = {
    let mut out = [[0.0; 3]; 3];
    let mut i = 0;
    while i < 9 {
        out[i / 3][i % 3] = (XYZ_FROM_RGB[i / 3][i % 3] / WHITE[i / 3] as f64) as f32;
        i += 1;
    }
    out
};

const RGB_FROM_SHARE: [[f32; 3]; 3] = {
    let mut out = [[0.0; 3]; 3];
    let mut i = 0;
    while i < 9 {
        out[i / 3][i % 3] = (RGB_FROM_XYZ[i / 3][i % 3] * WHITE[i % 3] as f64) as f32;
        i += 1;
    }
    out
};

#[inline(always)]
fn times(m: &[[f32; 3]; 3], v: [f32; 3]) -> [f32; 3] {
    [
        m[0][0] * v[0] + m[0][1] * v[1] + m[0][2] * v[2],
        m[1][0] * v[0] + m[1][1] * v[1] + m[1][2] * v[2],
        m[2][0] * v[0] + m[2][1] * v[1] + m[2][2] * v[2],
    ]
}

/// Linear RGB in 0..=1 as Y, X - Y and Y - Z.
#[inline(always)]
pub fn opponent(rgb: [f32; 3]) -> [f32; 3] {
    let [x, y, z] = times(&SHARE_FROM_RGB, rgb);
    [y, x - y, y - z]
}

/// The curve of CIELAB.
#[inline(always)]
fn lab_curve(share: f32) -> f32 {
    const DELTA: f32 = 6.0 / 29.0;
    let line = share * (1.0 / (3.0 * DELTA * DELTA)) + 4.0 / 29.0;
    let root = ops::cbrt(share);
    if share > DELTA * DELTA * DELTA { root } else { line }
}

#[inline(always)]
fn within(value: f32) -> f32 {
    // Written so that NaN would become 0, and so that it needs no branch.
    let above = if value > 0.0 { value } else { 0.0 };
    if above < 1.0 { above } else { 1.0 }
}

/// Filtered opponent values as L, a and b, with chroma weakened where it is dark.
#[inline(always)]
pub fn hunt_lab(opponent: [f32; 3]) -> [f32; 3] {
    let [y, cx, cz] = opponent;
    let rgb = times(&RGB_FROM_SHARE, [y + cx, y, y - cz]);
    let shares = times(&SHARE_FROM_RGB, [within(rgb[0]), within(rgb[1]), within(rgb[2])]);
    let [x, y, z] = [lab_curve(shares[0]), lab_curve(shares[1]), lab_curve(shares[2])];
    let l = 116.0 * y - 16.0;
    [l, 0.01 * l * (500.0 * (x - y)), 0.01 * l * (200.0 * (y - z))]
}

/// Distance of two colours: lightness by steps, chroma as the crow flies.
#[inline(always)]
pub fn hyab(a: [f32; 3], b: [f32; 3]) -> f32 {
    let (da, db) = (a[1] - b[1], a[2] - b[2]);
    (a[0] - b[0]).abs() + (da * da + db * db).sqrt()
}

/// Exponent of colour differences.
const SHAPE: f32 = 0.7;
/// Where the curve of differences bends, as a share of the largest, and what it reaches there.
const BEND: f32 = 0.4;
const BEND_VALUE: f32 = 0.95;

/// The largest difference there is, green to blue, and what follows from it.
#[derive(Clone, Copy)]
pub struct Largest {
    bend: f32,
    below: f32,
    above: f32,
}

impl Largest {
    pub fn new() -> Largest {
        let lab = |rgb| hunt_lab(opponent(rgb));
        let most = ops::pow(hyab(lab([0.0, 1.0, 0.0]), lab([0.0, 0.0, 1.0])), SHAPE);
        let bend = BEND * most;
        Largest { bend, below: BEND_VALUE / bend, above: (1.0 - BEND_VALUE) / (most - bend) }
    }
}

/// FLIP of a colour distance and a feature difference: 0 is none, 1 the largest.
#[inline(always)]
pub fn error(distance: f32, feature: f32, largest: &Largest) -> f32 {
    let c = ops::pow(distance, SHAPE);
    let near = c * largest.below;
    let far = BEND_VALUE + (c - largest.bend) * largest.above;
    let c = if c < largest.bend { near } else { far };
    within(ops::pow(c, 1.0 - feature.sqrt()))
}

/// What fits bright pictures onto a screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ToneMap {
    /// Narkowicz's fit of ACES, as the reference has it: the default there.
    #[default]
    Aces,
    Hable,
    /// By luminance.
    Reinhard,
}

impl ToneMap {
    /// `(a x^2 + b x + c) / (d x^2 + e x + f)`: coefficients of HDR-FLIP (Andersson et al. 2021, table 1).
    fn coefficients(self) -> [f32; 6] {
        match self {
            ToneMap::Aces => [0.6 * 0.6 * 2.51, 0.6 * 0.03, 0.0, 0.6 * 0.6 * 2.43, 0.6 * 0.59, 0.14],
            ToneMap::Hable => [0.231_683, 0.013_791, 0.0, 0.18, 0.3, 0.018],
            ToneMap::Reinhard => [0.0, 1.0, 0.0, 0.0, 1.0, 1.0],
        }
    }

    /// The value that becomes 0.85: where exposures begin and end.
    pub fn bright_value(self) -> f64 {
        let [a, b, c, d, e, f] = self.coefficients().map(f64::from);
        let (p, q, r) = (a - 0.85 * d, b - 0.85 * e, c - 0.85 * f);
        if p == 0.0 {
            return -r / q;
        }
        let half = -0.5 * q / p;
        half + (half * half - r / p).sqrt()
    }

    /// A linear colour, 0 and up, times `gain`, as it shows: linear in 0..=1.
    #[inline(always)]
    pub fn shown(self, rgb: [f32; 3], gain: f32) -> [f32; 3] {
        let rgb = rgb.map(|v| v * gain);
        if self == ToneMap::Reinhard {
            let luminance = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
            return rgb.map(|v| within(v / (1.0 + luminance)));
        }
        let [a, b, c, d, e, f] = self.coefficients();
        rgb.map(|v| {
            // Squares of what is beyond this would not fit; all of it is white.
            let v = if v < 1e9 { v } else { 1e9 };
            within((v * v * a + v * b + c) / (v * v * d + v * e + f))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_is_neutral_and_green_against_blue_is_the_most() {
        let [l, a, b] = hunt_lab(opponent([1.0; 3]));
        assert!((l - 100.0).abs() < 1e-3 && a.abs() < 1e-2 && b.abs() < 1e-2, "{l} {a} {b}");
        let largest = Largest::new();
        let lab = |rgb| hunt_lab(opponent(rgb));
        let most = error(hyab(lab([0.0, 1.0, 0.0]), lab([0.0, 0.0, 1.0])), 0.0, &largest);
        assert!((most - 1.0).abs() < 1e-6, "{most}");
        assert_eq!(error(0.0, 0.0, &largest), 0.0);
        assert!(error(1.0, 0.5, &largest) > error(1.0, 0.0, &largest));
    }

    #[test]
    fn tone_maps_reach_the_bright_value() {
        for map in [ToneMap::Aces, ToneMap::Hable, ToneMap::Reinhard] {
            let [r, ..] = map.shown([map.bright_value() as f32; 3], 1.0);
            assert!((r - 0.85).abs() < 1e-5, "{map:?}: {r}");
            let ends = [map.shown([0.0; 3], 4.0)[0], map.shown([f32::MAX; 3], 4.0)[0]];
            assert_eq!(ends[0], 0.0);
            assert!(ends[1] > 0.9 || map == ToneMap::Reinhard, "{map:?}: {}", ends[1]);
        }
    }
}
