//! Bits of special cases, and lanes against scalars at every instruction set. Errors against f64: `tests/ops/error.rs`.

use proptest::prelude::*;

use super::block;
use super::*;
use crate::lanes::{Isa, LANES, per_isa};

type Lanes = [f32; LANES];

const INF: f32 = f32::INFINITY;

#[test]
fn special_values_to_the_bit() {
    type Case = (&'static str, fn(f32) -> f32, f32, f32);
    let cases: &[Case] = &[
        ("exp2", exp2, -INF, 0.0),
        ("exp2", exp2, INF, INF),
        ("exp2", exp2, -149.0, 1e-45),
        ("exp2", exp2, -150.0, 0.0),
        ("exp2", exp2, 127.0, f32::from_bits(254 << 23)),
        ("exp2", exp2, 128.0, INF),
        ("exp2", exp2, -0.0, 1.0),
        ("exp", exp, -INF, 0.0),
        ("exp", exp, INF, INF),
        ("exp", exp, 0.0, 1.0),
        ("exp_m1", exp_m1, -0.0, -0.0),
        ("exp_m1", exp_m1, -INF, -1.0),
        ("log2", log2, 0.0, -INF),
        ("log2", log2, -0.0, -INF),
        ("log2", log2, -1.0, NAN),
        ("log2", log2, INF, INF),
        ("log2", log2, 1e-45, -149.0),
        ("log2", log2, 1.0, 0.0),
        ("log2", log2, 8.0, 3.0),
        ("log", log, 1.0, 0.0),
        ("log", log, -INF, NAN),
        ("log10", log10, 1000.0, 3.0),
        ("log_1p", log_1p, -0.0, -0.0),
        ("log_1p", log_1p, -1.0, -INF),
        ("sin", sin, -0.0, -0.0),
        ("sin", sin, INF, NAN),
        ("sin", sin, -INF, NAN),
        ("cos", cos, -0.0, 1.0),
        ("cos", cos, INF, NAN),
        ("tan", tan, -0.0, -0.0),
        ("asin", asin, -0.0, -0.0),
        ("asin", asin, 1.0, std::f32::consts::FRAC_PI_2),
        ("asin", asin, 1.000_000_1, NAN),
        ("acos", acos, 1.0, 0.0),
        ("acos", acos, -1.0, std::f32::consts::PI),
        ("acos", acos, -2.0, NAN),
        ("atan", atan, -0.0, -0.0),
        ("atan", atan, INF, std::f32::consts::FRAC_PI_2),
        ("sinh", sinh, -0.0, -0.0),
        ("sinh", sinh, -INF, -INF),
        ("cosh", cosh, -INF, INF),
        ("tanh", tanh, -INF, -1.0),
        ("tanh", tanh, -0.0, -0.0),
        ("asinh", asinh, -INF, -INF),
        ("asinh", asinh, -0.0, -0.0),
        ("acosh", acosh, 1.0, 0.0),
        ("acosh", acosh, 0.5, NAN),
        ("atanh", atanh, -1.0, -INF),
        ("atanh", atanh, 2.0, NAN),
        ("atanh", atanh, -0.0, -0.0),
        ("cbrt", cbrt, -0.0, -0.0),
        ("cbrt", cbrt, -27.0, -3.0),
        ("cbrt", cbrt, -INF, -INF),
        ("inverse_sqrt", inverse_sqrt, -0.0, -INF),
        ("inverse_sqrt", inverse_sqrt, -1.0, NAN),
        ("inverse_sqrt", inverse_sqrt, INF, 0.0),
        ("inverse_sqrt", inverse_sqrt, 4.0, 0.5),
        ("fract", fract, -0.25, 0.75),
        ("fract", fract, INF, NAN),
        ("floor", floor, -0.0, -0.0),
        ("ceil", ceil, -0.5, -0.0),
        ("trunc", trunc, -0.5, -0.0),
        ("round_ties_even", round_ties_even, 2.5, 2.0),
        ("round_ties_even", round_ties_even, -0.5, -0.0),
    ];
    for &(name, f, x, want) in cases {
        assert_eq!(f(x).to_bits(), want.to_bits(), "{name}({x:?}) = {:?}, not {want:?}", f(x));
        // A NaN of any kind gives the one NaN.
        for nan in [0x7FC0_0000u32, 0xFFC0_0000, 0x7F80_0001, 0xFFFF_FFFF] {
            assert_eq!(f(f32::from_bits(nan)).to_bits(), 0x7FC0_0000, "{name}(NaN {nan:#x})");
        }
    }
}

#[test]
fn powers_as_ieee_754_says() {
    for (x, y, want) in [
        (NAN, 0.0, 1.0),
        (1.0, NAN, 1.0),
        (1.0, -INF, 1.0),
        (-1.0, INF, 1.0),
        (-1.0, -INF, 1.0),
        (2.0, NAN, NAN),
        (NAN, 1.0, NAN),
        (0.0, -1.0, INF),
        (-0.0, -1.0, -INF),
        (-0.0, -2.0, INF),
        (-0.0, -INF, INF),
        (0.0, 3.0, 0.0),
        (-0.0, 3.0, -0.0),
        (-0.0, 2.0, 0.0),
        (-0.0, 0.5, 0.0),
        (-INF, 3.0, -INF),
        (-INF, 2.0, INF),
        (-INF, -3.0, -0.0),
        (-INF, 0.5, INF),
        (INF, -1.0, 0.0),
        (INF, 0.1, INF),
        (0.5, INF, 0.0),
        (0.5, -INF, INF),
        (-0.5, -INF, INF),
        (-1.5, INF, INF),
        (-2.0, 3.0, -8.0),
        (-2.0, 2.0, 4.0),
        (-2.0, -1.0, -0.5),
        (-2.0, 0.5, NAN),
        (-8.0, 1.0 / 3.0, NAN),
        (-1.0, 16_777_215.0, -1.0),
        (-1.0, 16_777_216.0, 1.0),
        (-1.0, 8_388_609.0, -1.0),
        (-1.0, 8_388_607.5, NAN),
        (2.0, -149.0, 1e-45),
        (2.0, 128.0, INF),
        (1e-45, 1.0, 1e-45),
        (-3.0, -INF, 0.0),
        (0.0, 0.0, 1.0),
        (INF, 0.0, 1.0),
    ] {
        assert_eq!(pow(x, y).to_bits(), want.to_bits(), "pow({x:?}, {y:?}) = {:?}, not {want:?}", pow(x, y));
    }
}

#[test]
fn angles_as_c_says() {
    use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI};
    for (y, x, want) in [
        (0.0, 0.0, 0.0),
        (-0.0, 0.0, -0.0),
        (0.0, -0.0, PI),
        (-0.0, -0.0, -PI),
        (0.0, -1.0, PI),
        (-0.0, 1.0, -0.0),
        (1.0, 0.0, FRAC_PI_2),
        (-1.0, -0.0, -FRAC_PI_2),
        (INF, INF, FRAC_PI_4),
        (INF, -INF, 3.0 * FRAC_PI_4),
        (-INF, 1.0, -FRAC_PI_2),
        (1.0, INF, 0.0),
        (-1.0, INF, -0.0),
        (1.0, -INF, PI),
        (NAN, 1.0, NAN),
        (1.0, NAN, NAN),
    ] {
        assert_eq!(atan2(y, x).to_bits(), want.to_bits(), "atan2({y:?}, {x:?}) = {:?}, not {want:?}", atan2(y, x));
    }
}

#[test]
fn choice_and_conversion() {
    assert!(subnormals_are_kept());
    assert_eq!((min(NAN, 1.0).to_bits(), min(1.0, NAN), max(1.0, NAN)), (NAN.to_bits(), 1.0, 1.0));
    assert_eq!((min(-0.0, 0.0).to_bits(), max(-0.0, 0.0).to_bits()), (0x8000_0000, 0x8000_0000));
    assert_eq!(clamp(3.0, 0.0, 1.0), 1.0);
    for (x, signed, unsigned) in [
        (0.0, 0, 0),
        (-1.9, -1, 0),
        (1.9, 1, 1),
        (NAN, 0, 0),
        (INF, 2_147_483_520, 4_294_967_040),
        (-INF, i32::MIN, 0),
        (3e9, 2_147_483_520, 3_000_000_000),
        (2_147_483_648.0, 2_147_483_520, 2_147_483_648),
        (-3e9, i32::MIN, 0),
    ] {
        assert_eq!((to_i32(x), to_u32(x)), (signed, unsigned), "{x}");
    }
    assert_eq!((fmod(-7.5, 2.0), fmod(7.5, -2.0), fmod(1.0, 0.0).to_bits()), (-1.5, 1.5, NAN.to_bits()));
}

macro_rules! lanes_of {
    ($($name:ident),*) => {
        per_isa! { $( fn $name(out: &mut Lanes, x: &Lanes) { block::$name::<LEVEL>(out, x) } )* }
    };
}
mod lanes {
    use super::*;

    lanes_of!(exp2, exp, exp_m1, log2, log, log10, log_1p, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh);
    lanes_of!(cbrt, inverse_sqrt, fract);
    per_isa! {
           fn sin(out: &mut Lanes, x: &Lanes) { block::sin::<LEVEL>(out, x) }
           fn cos(out: &mut Lanes, x: &Lanes) { block::cos::<LEVEL>(out, x) }
           fn tan(out: &mut Lanes, x: &Lanes) { block::tan::<LEVEL>(out, x) }
           fn floor(out: &mut Lanes, x: &Lanes) { block::floor::<LEVEL>(out, x) }
           fn ceil(out: &mut Lanes, x: &Lanes) { block::ceil::<LEVEL>(out, x) }
           fn trunc(out: &mut Lanes, x: &Lanes) { block::trunc::<LEVEL>(out, x) }
           fn round_ties_even(out: &mut Lanes, x: &Lanes) { block::round_ties_even::<LEVEL>(out, x) }
           fn pow(out: &mut Lanes, x: &Lanes, y: &Lanes) { block::pow::<LEVEL>(out, x, y) }
           fn atan2(out: &mut Lanes, x: &Lanes, y: &Lanes) { block::atan2::<LEVEL>(out, x, y) }
           fn hypot(out: &mut Lanes, x: &Lanes, y: &Lanes) { block::hypot::<LEVEL>(out, x, y) }
           fn to_i32(out: &mut Lanes, x: &Lanes) {
               for i in Isa::each::<LEVEL>(LANES) { out[i] = f32::from_bits(super::to_i32(x[i]) as u32) }
    }
           fn to_u32(out: &mut Lanes, x: &Lanes) { for i in Isa::each::<LEVEL>(LANES) { out[i] = f32::from_bits(super::to_u32(x[i])) }
    }
       }

    type Unary = (&'static str, fn(f32) -> f32, fn(Isa) -> fn(&mut Lanes, &Lanes));
    pub const UNARY: [Unary; 28] = [
        ("exp2", super::exp2, exp2),
        ("exp", super::exp, exp),
        ("exp_m1", super::exp_m1, exp_m1),
        ("log2", super::log2, log2),
        ("log", super::log, log),
        ("log10", super::log10, log10),
        ("log_1p", super::log_1p, log_1p),
        ("asin", super::asin, asin),
        ("acos", super::acos, acos),
        ("atan", super::atan, atan),
        ("sinh", super::sinh, sinh),
        ("cosh", super::cosh, cosh),
        ("tanh", super::tanh, tanh),
        ("asinh", super::asinh, asinh),
        ("acosh", super::acosh, acosh),
        ("atanh", super::atanh, atanh),
        ("cbrt", super::cbrt, cbrt),
        ("inverse_sqrt", super::inverse_sqrt, inverse_sqrt),
        ("fract", super::fract, fract),
        ("sin", super::sin, sin),
        ("cos", super::cos, cos),
        ("tan", super::tan, tan),
        ("floor", super::floor, floor),
        ("ceil", super::ceil, ceil),
        ("trunc", super::trunc, trunc),
        ("round_ties_even", super::round_ties_even, round_ties_even),
        ("to_i32", |x| f32::from_bits(super::to_i32(x) as u32), to_i32),
        ("to_u32", |x| f32::from_bits(super::to_u32(x)), to_u32),
    ];
    type Binary = (&'static str, fn(f32, f32) -> f32, fn(Isa) -> fn(&mut Lanes, &Lanes, &Lanes));
    pub const BINARY: [Binary; 3] =
        [("pow", super::pow, pow), ("atan2", super::atan2, atan2), ("hypot", super::hypot, hypot)];
}

/// Any bits, or numbers of ordinary size.
fn number() -> impl Strategy<Value = f32> {
    prop_oneof![any::<u32>().prop_map(f32::from_bits), -150.0f32..150.0, -4.0f32..4.0, (-20i8..20).prop_map(f32::from)]
}

fn block_of_numbers() -> impl Strategy<Value = Box<Lanes>> {
    prop::collection::vec(number(), LANES).prop_map(|v| Box::new(std::array::from_fn(|i| v[i])))
}

proptest! {
    #[test]
    fn lanes_give_what_scalars_give(x in block_of_numbers(), y in block_of_numbers()) {
        let mut out = [0.0; LANES];
        for isa in Isa::available() {
            for (name, scalar, lanes) in lanes::UNARY {
                lanes(isa)(&mut out, &x);
                for i in 0..LANES {
                    prop_assert_eq!(out[i].to_bits(), scalar(x[i]).to_bits(), "{} of {:?} at {}", name, x[i], isa);
                }
            }
            for (name, scalar, lanes) in lanes::BINARY {
                lanes(isa)(&mut out, &x, &y);
                for i in 0..LANES {
                    let want = scalar(x[i], y[i]).to_bits();
                    prop_assert_eq!(out[i].to_bits(), want, "{} of {:?} and {:?} at {}", name, x[i], y[i], isa);
                }
            }
        }
    }

    #[test]
    fn rounding_is_std_s(x in number()) {
        let canon = |x: f32| canonical(x).to_bits();
        prop_assert_eq!(floor(x).to_bits(), canon(x.floor()));
        prop_assert_eq!(ceil(x).to_bits(), canon(x.ceil()));
        prop_assert_eq!(trunc(x).to_bits(), canon(x.trunc()));
        prop_assert_eq!(round_ties_even(x).to_bits(), canon(x.round_ties_even()));
        let inside = x.clamp(-2_147_483_648.0, 2_147_483_520.0);
        prop_assert_eq!(to_i32(x), inside as i32);
        prop_assert_eq!(to_u32(x), x.min(4_294_967_040.0) as u32 * u32::from(!x.is_nan()));
        prop_assert_eq!(sin_cos(x).0.to_bits(), sin(x).to_bits());
        prop_assert_eq!(sin_cos(x).1.to_bits(), cos(x).to_bits());
    }
}
