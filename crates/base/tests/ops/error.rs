//! Every function of `math::ops` against f64: a stride over all arguments, the places where formulas change, random
//! pairs.

use proptest::prelude::*;
use stillframe_testkit::depth::{cases, is_nightly};

use stillframe_testkit::ops::{BINARY, UNARY, error_ulp, worst};

/// A prime: about 900,000 arguments of each function, over all exponents and both signs; sixteen times as many in the
/// nightly run.
fn stride() -> usize {
    if is_nightly() { 293 } else { 4783 }
}

#[test]
fn strided_over_all_arguments() {
    for function in &UNARY {
        let (error, at) = worst(function, (0..=u32::MAX).step_by(stride()));
        assert!(error <= function.ulp, "{}({at:e}): {error} ulp", function.name);
    }
}

#[test]
fn densely_around_special_places() {
    let places = [
        0.0f32,
        1.0,
        2.0,
        0.5,
        2.0 / 3.0,
        4.0 / 3.0,
        0.25,
        88.72284,
        -87.33655,
        -103.97208,
        127.999_99,
        -126.0,
        -149.0,
        std::f32::consts::FRAC_PI_4,
        std::f32::consts::FRAC_PI_2,
        std::f32::consts::PI,
        11.0,
        16.0,
        1_048_576.0,
        f32::MIN_POSITIVE,
        f32::MAX,
        0.414_213_57,
        1e-30,
        89.4,
        8_388_608.0,
        16_777_216.0,
        f32::INFINITY,
        6.381_837e37,
    ];
    for function in &UNARY {
        for place in places {
            for sign in [0, 0x8000_0000u32] {
                let centre = place.to_bits() ^ sign;
                let near = (0..1000).map(|i| centre.wrapping_add(i).wrapping_sub(500));
                let (error, at) = worst(function, near);
                assert!(error <= function.ulp, "{}({at:e}): {error} ulp", function.name);
            }
        }
    }
}

#[test]
fn the_measure_sees_faults() {
    assert_eq!(error_ulp(1.0, 1.0), 0.0);
    assert_eq!(error_ulp(1.0 + f32::EPSILON, 1.0), 1.0);
    assert_eq!(error_ulp(0.0, -0.0), f64::INFINITY);
    assert_eq!(error_ulp(-f32::NAN, f64::NAN), f64::INFINITY);
    assert_eq!(error_ulp(f32::INFINITY, f64::from(f32::MAX)), 1.0);
    assert_eq!(error_ulp(1e-45, 0.0), 1.0);
}

/// Any bits, or numbers of ordinary size.
fn number() -> impl Strategy<Value = f32> {
    prop_oneof![any::<u32>().prop_map(f32::from_bits), -150.0f32..150.0, -4.0f32..4.0, (-20i8..20).prop_map(f32::from)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(20_000), failure_persistence: None, ..Default::default() })]
    #[test]
    fn pairs(x in number(), y in number()) {
        for function in &BINARY {
            let error = error_ulp((function.scalar)(x, y), (function.oracle)(f64::from(x), f64::from(y)));
            prop_assert!(error <= function.ulp, "{}({:e}, {:e}): {} ulp", function.name, x, y, error);
        }
    }
}
