//! Lattice: numbers as whole steps, and the steps there are.
//!
//! A number is `min + step * q`: `min` is a whole number of steps rounded to f32, `q` has as many bits as the range of
//! a segment needs. Steps lie an eighth of an octave apart, so that the one byte of a step wastes 4 % of it on average.

use stillframe_base::math::ops64;

/// 2 to the power of -i / 8.
const EIGHTHS: [f64; 8] = [
    1.0,
    0.917_004_043_204_671_2,
    0.840_896_415_253_714_5,
    0.771_105_412_703_970_4,
    0.707_106_781_186_547_5,
    0.648_419_777_325_504_8,
    0.594_603_557_501_360_5,
    0.545_253_866_332_628_8,
];

/// The widest `q`: it is the fraction of an f32.
pub(super) const WIDTH_MAX: u32 = 23;

/// The bits of a minimum, sign included.
pub(super) const MIN_WIDTH_MAX: u32 = 52;

/// The step of a code: 16 for 0, half as much every eight.
pub(super) fn step(code: u8) -> f32 {
    let halvings = u32::from(code / 8);
    (EIGHTHS[usize::from(code % 8)] * 16.0 / f64::from(1u32 << halvings.min(31))) as f32
}

/// The largest step that is no larger than `step_max`, or the smallest there is.
pub(super) fn code_for(step_max: f64) -> u8 {
    let eighths = (-8.0 * ops64::log2(step_max / 16.0)).ceil();
    let mut code = eighths.clamp(0.0, 255.0) as u8;
    // The logarithm may be off by its last bit, and steps are rounded to f32.
    while code < 255 && f64::from(step(code)) > step_max {
        code += 1;
    }
    while code > 0 && f64::from(step(code - 1)) <= step_max {
        code -= 1;
    }
    code
}

/// The f32 that a minimum stands for.
pub(super) fn min_of(steps: i64, step: f32) -> f32 {
    (steps as f64 * f64::from(step)) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_fall_and_are_found() {
        for code in 1..=255u8 {
            let ratio = f64::from(step(code - 1)) / f64::from(step(code));
            assert!((ratio - 1.0905).abs() < 1e-3, "{code}: {ratio}");
            assert_eq!(code_for(f64::from(step(code))), code);
            assert_eq!(code_for(f64::from(step(code)) * 1.001), code);
        }
        assert_eq!((step(0), step(32), code_for(1e9), code_for(0.0), code_for(1e-30)), (16.0, 1.0, 0, 255, 255));
    }
}
