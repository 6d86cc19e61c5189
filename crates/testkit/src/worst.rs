//! Worst: the largest of errors. `f32::max` passes over NaN, so a test that asks for the largest error by it holds
//! where everything is NaN.

/// The larger of two errors; NaN is larger than any number.
pub fn worse<T: PartialOrd + Copy>(a: T, b: T) -> T {
    let is_nan = |x: T| x.partial_cmp(&x).is_none();
    if is_nan(a) || (!is_nan(b) && b <= a) { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_is_the_worst() {
        assert_eq!([worse(1.0, 2.0), worse(2.0, 1.0), worse(-0.5_f64, -1.0)], [2.0, 2.0, -0.5]);
        assert!(worse(f32::NAN, 1.0).is_nan() && worse(1.0, f32::NAN).is_nan());
        assert!([0.1, f64::NAN, 0.3].into_iter().fold(0.0, worse).is_nan());
    }
}
