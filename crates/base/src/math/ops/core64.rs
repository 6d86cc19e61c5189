//! Core in f64: what the colder f32 functions round at the end. Accurate to about 2^-39, so the one rounding to f32
//! decides.
//!
//! These are not f64 functions for others: arguments are what the callers here can give.

use super::pick;

/// 1.5 * 2^52.
pub(super) const ROUND_64: f64 = 6_755_399_441_055_744.0;
const LN2_HI: f64 = f64::from_bits(0x3FE6_2E42_FEE0_0000);
const LN2_LO: f64 = f64::from_bits(0x3DEA_39EF_3579_3C76);

/// `(e^r - 1 - r) / r^2` on [-ln 2 / 2, ln 2 / 2], relative error of e^r 2^-39.7.
const EXP: [f64; 7] = [
    0.500_000_000_042_717_9,
    0.166_666_667_845_225_2,
    0.041_666_664_403_530_47,
    0.008_333_281_784_838_496,
    0.001_388_919_726_511_497_4,
    0.000_199_089_540_393_666_45,
    2.470_827_262_844_367_3e-5,
];

/// `(ln((1 + s) / (1 - s)) / s - 2) / s^2` by powers of s^2 on |s| <= 0.2, relative error of the logarithm 2^-42.2.
const LN: [f64; 5] = [
    0.666_666_667_103_292_5,
    0.399_999_846_184_199_3,
    0.285_731_846_526_807_9,
    0.221_350_989_820_810_9,
    0.201_227_750_232_117_17,
];

/// `(atan(t) / t - 1) / t^2` by powers of t^2 on |t| <= tan(pi / 8), relative error 2^-40.2.
const ATAN: [f64; 7] = [
    -0.333_333_332_956_830_65,
    0.199_999_943_207_261_3,
    -0.142_854_233_847_071_1,
    0.111_039_993_332_222_92,
    -0.089_967_966_904_830_72,
    0.069_910_146_019_805_68,
    -0.037_920_636_334_710_156,
];

/// 2^n for n in -1022..=1023.
#[inline(always)]
fn power_of_two(n: i64) -> f64 {
    f64::from_bits((n.wrapping_add(1023) as u64) << 52)
}

/// `(2^n, e^r - 1)` with x = n ln 2 + r, for |x| < 700.
#[inline(always)]
fn exp_parts(x: f64) -> (f64, f64) {
    let shifted = x * std::f64::consts::LOG2_E + ROUND_64;
    let n = shifted.to_bits().wrapping_sub(ROUND_64.to_bits()) as i64;
    let whole = shifted - ROUND_64;
    let r = (x - whole * LN2_HI) - whole * LN2_LO;
    let [c0, c1, c2, c3, c4, c5, c6] = EXP;
    let tail = r * r * (c0 + r * (c1 + r * (c2 + r * (c3 + r * (c4 + r * (c5 + r * c6))))));
    (power_of_two(n), r + tail)
}

/// e^x for |x| < 700.
#[inline(always)]
pub(super) fn exp_64(x: f64) -> f64 {
    let (power, part) = exp_parts(x);
    power + power * part
}

/// e^x - 1 for |x| < 700.
#[inline(always)]
pub(super) fn exp_m1_64(x: f64) -> f64 {
    let (power, part) = exp_parts(x);
    (power - 1.0) + power * part
}

/// ln x for x positive, finite and normal.
#[inline(always)]
pub(super) fn ln_64(x: f64) -> f64 {
    let bits = x.to_bits() as i64;
    let shifted = bits.wrapping_sub(0x3FE5_5555_5555_5555);
    // The exponent as a float: put into the low bits of ROUND_64, since few machines convert an i64.
    let e = f64::from_bits(ROUND_64.to_bits().wrapping_add((shifted >> 52) as u64)) - ROUND_64;
    let m = f64::from_bits(bits.wrapping_sub(shifted & !0xF_FFFF_FFFF_FFFF) as u64);
    let f = m - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let [c0, c1, c2, c3, c4] = LN;
    let series = 2.0 + z * (c0 + z * (c1 + z * (c2 + z * (c3 + z * c4))));
    s * series + (e * LN2_LO + e * LN2_HI)
}

/// ln(1 + u) for u > -1 and finite.
#[inline(always)]
pub(super) fn ln_1p_64(u: f64) -> f64 {
    let w = 1.0 + u;
    ln_64(w) + (u - (w - 1.0)) / w
}

/// The angle of the point (x, y) with both given as f32 or better; signed zeros and infinities as C's `atan2`.
#[inline(always)]
pub(super) fn atan2_64(y: f64, x: f64) -> f64 {
    let (ay, ax) = (y.abs(), x.abs());
    let swap = ay > ax;
    let (small, large) = (pick(swap, ax, ay), pick(swap, ay, ax));
    // Infinities and (0, 0) become a plain pair with the same angle.
    let infinite = large == f64::INFINITY;
    let small = pick(infinite, pick(small == f64::INFINITY, 1.0, 0.0), small);
    let large = pick(infinite | (large == 0.0), 1.0, large);
    // tan(pi / 8): beyond it the angle is pi / 4 plus a smaller one, found by one and the same division.
    let steep = small > large * 0.414_213_562_373_095_03;
    let t = pick(steep, small - large, small) / pick(steep, small + large, large);
    let z = t * t;
    let [c0, c1, c2, c3, c4, c5, c6] = ATAN;
    let tail = z * (c0 + z * (c1 + z * (c2 + z * (c3 + z * (c4 + z * (c5 + z * c6))))));
    let angle = (t + t * tail) + pick(steep, std::f64::consts::FRAC_PI_4, 0.0);
    let angle = pick(swap, std::f64::consts::FRAC_PI_2 - angle, angle);
    let angle = pick(x.is_sign_negative(), std::f64::consts::PI - angle, angle);
    angle.copysign(y)
}
