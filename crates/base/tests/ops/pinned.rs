//! The bits of every function, as one hash each over a stride of arguments. A change here changes pixels: raise the
//! adapter's contract number with it. The same table holds on every machine: run this test there.

use stillframe_base::hash::Writer;
use stillframe_base::math::{colour, ops, ops64, pack};
use stillframe_base::rng::Rng;

const STRIDE: usize = 104_729;

fn bits() -> impl Iterator<Item = u32> {
    (0..=u32::MAX).step_by(STRIDE)
}

/// The first 16 hex digits of the hash of all results.
fn hash_of(results: impl Iterator<Item = u32>) -> String {
    let mut writer = Writer::new("bits");
    results.for_each(|bits| writer.u32(bits));
    writer.finish().to_string()[3..19].to_owned()
}

fn hash_of_64(function: fn(f64) -> f64) -> String {
    let results = bits().flat_map(|bits| {
        // Any exponent, and ordinary numbers.
        let wide = f64::from_bits(u64::from(bits) << 32 | u64::from(bits));
        [wide, f64::from(f32::from_bits(bits))].map(|x| function(x).to_bits())
    });
    hash_of(results.flat_map(|bits| [bits as u32, (bits >> 32) as u32]))
}

#[test]
fn bits_are_the_same_on_every_machine() {
    let mut got = Vec::new();
    for function in &stillframe_testkit::ops::UNARY {
        got.push((function.name, hash_of(bits().map(|x| (function.scalar)(f32::from_bits(x)).to_bits()))));
    }
    for function in &stillframe_testkit::ops::BINARY {
        let mut stream = Rng::new(1).stream(function.name, 0);
        let results = (0..40_000).map(|round| {
            let (mut x, mut y) = (f32::from_bits(stream.next_u32()), f32::from_bits(stream.next_u32()));
            if round % 2 == 0 {
                (x, y) = (stream.range_f32(-9.0, 9.0), stream.range_f32(-9.0, 9.0));
            }
            (function.scalar)(x, y).to_bits()
        });
        got.push((function.name, hash_of(results)));
    }
    let rounding =
        |x: f32| [ops::floor(x), ops::ceil(x), ops::trunc(x), ops::round_ties_even(x), ops::fract(x)].map(f32::to_bits);
    got.push(("rounding", hash_of(bits().flat_map(|x| rounding(f32::from_bits(x))))));
    let packing = |x: f32| [u32::from(pack::f16_from_f32(x)), pack::f11_from_f32(x), pack::f10_from_f32(x)];
    got.push(("packing", hash_of(bits().flat_map(|x| packing(f32::from_bits(x))))));
    let coding = |x: f32| [u32::from(colour::srgb8_from_linear(x)), colour::srgb_from_linear(x).to_bits()];
    got.push(("coding", hash_of(bits().map(|x| x >> 1).flat_map(|x| coding(f32::from_bits(x))))));
    for (name, function) in [
        ("sin 64", ops64::sin as fn(f64) -> f64),
        ("cos 64", ops64::cos),
        ("tan 64", ops64::tan),
        ("asin 64", ops64::asin),
        ("acos 64", ops64::acos),
        ("atan 64", ops64::atan),
        ("sinh 64", ops64::sinh),
        ("cosh 64", ops64::cosh),
        ("tanh 64", ops64::tanh),
        ("exp 64", ops64::exp),
        ("exp2 64", ops64::exp2),
        ("exp_m1 64", ops64::exp_m1),
        ("log 64", ops64::log),
        ("log2 64", ops64::log2),
        ("log10 64", ops64::log10),
        ("log_1p 64", ops64::log_1p),
        ("cbrt 64", ops64::cbrt),
        ("pow 64", |x| ops64::pow(x.abs(), 0.37)),
        ("hypot 64", |x| ops64::hypot(x, 1.5)),
        ("fmod 64", |x| ops64::fmod(x, 0.7)),
        ("atan2 64", |x| ops64::atan2(x, -0.3)),
    ] {
        got.push((name, hash_of_64(function)));
    }
    let got: Vec<(&str, &str)> = got.iter().map(|(name, hash)| (*name, hash.as_str())).collect();
    assert_eq!(got, PINNED, "{got:#?}");
}

const PINNED: &[(&str, &str)] = &[
    ("exp2", "778175614db17906"),
    ("exp", "55fad70961faec3a"),
    ("exp_m1", "c5015bc1489595a4"),
    ("log2", "c47ce24cd91d9e24"),
    ("log", "4b9d77ebbe5e6a28"),
    ("log10", "7de2ea4299e1dea2"),
    ("log_1p", "02ba6a5d92708c38"),
    ("sin", "013708aef6426c4e"),
    ("cos", "bc59faa0e8714d8f"),
    ("tan", "97549b9db6b5d6fe"),
    ("asin", "5c979001fe1234fa"),
    ("acos", "9f9a75a9ff38ca31"),
    ("atan", "24541a337ba151e0"),
    ("sinh", "2db53f5a402e4996"),
    ("cosh", "7eaf10f42bc3440d"),
    ("tanh", "6d28999185ec6cee"),
    ("asinh", "f810dc1aa27778dc"),
    ("acosh", "5f2dc551a72c1188"),
    ("atanh", "4a61e65942de0f3a"),
    ("cbrt", "7f8fe42b02eee122"),
    ("inverse_sqrt", "5589cfe9843609ac"),
    ("pow", "25b3eba7848f87bc"),
    ("atan2", "bc34b3c0ff94d304"),
    ("hypot", "acda478da8331dda"),
    ("rounding", "c49fd8df9b8d5a28"),
    ("packing", "30a0189554a7b19c"),
    ("coding", "a7ea81f3f95d3616"),
    ("sin 64", "fdf33c5c1b06010d"),
    ("cos 64", "e2dd4816c0925bfa"),
    ("tan 64", "322f4d326466409e"),
    ("asin 64", "6a629298fdabe40a"),
    ("acos 64", "8150b6731d271ce7"),
    ("atan 64", "20c32ec4f6562a33"),
    ("sinh 64", "0dd5374f8df82c4b"),
    ("cosh 64", "c7ca81fb90637e97"),
    ("tanh 64", "30a0604a65087aeb"),
    ("exp 64", "ea5d42453c115bf2"),
    ("exp2 64", "af816fa814fae7b3"),
    ("exp_m1 64", "199681ef0c9aed07"),
    ("log 64", "f6e476c8ecb5399d"),
    ("log2 64", "53440ba356c39295"),
    ("log10 64", "6fc51f94d0b34dd5"),
    ("log_1p 64", "0c5129a64159fafb"),
    ("cbrt 64", "e1047179301667fd"),
    ("pow 64", "ba375d8a556f125e"),
    ("hypot 64", "3b122c6d56e3454d"),
    ("fmod 64", "23d080b83e16b16e"),
    ("atan2 64", "2674c8767025f9ff"),
];
