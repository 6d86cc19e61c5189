//! Pack: small number formats, by integer arithmetic alone, so that no platform's conversion shows.
//!
//! In: f32. Out: bits of normalised integers, f16, 11- and 10-bit floats, shared exponents, octahedral directions; and
//! back. Everything that rounds, rounds to nearest even but the normalised integers, whose rule is `floor(x * max +
//! 0.5)`.

use super::ops;

/// `x` in [0, 1] as an integer of `bits` (at most 16) bits: clamp, NaN 0, `floor(x * max + 0.5)` in f32: the rule of
/// texel writes. (WGSL's `pack` built-ins compute the sum exactly, in f64.)
#[inline(always)]
pub fn unorm_from_f32(x: f32, bits: u32) -> u32 {
    let x = ops::unless_nan(x, 0.0);
    let inside = if x > 0.0 { x } else { 0.0 };
    let inside = if inside < 1.0 { inside } else { 1.0 };
    ops::to_i32(inside * ((1u32 << bits) - 1) as f32 + 0.5) as u32
}

/// The number that a normalised integer of `bits` (at most 24) bits stands for: one division.
#[inline(always)]
pub fn f32_from_unorm(value: u32, bits: u32) -> f32 {
    value as i32 as f32 / ((1u32 << bits) - 1) as i32 as f32
}

/// `x` in [-1, 1] as a signed integer of `bits` (at most 16) bits: clamp, NaN 0, `floor(x * max + 0.5)`.
#[inline(always)]
pub fn snorm_from_f32(x: f32, bits: u32) -> i32 {
    let x = ops::unless_nan(x, 0.0);
    let inside = if x > -1.0 { x } else { -1.0 };
    let inside = if inside < 1.0 { inside } else { 1.0 };
    ops::to_i32(ops::floor(inside * ((1u32 << (bits - 1)) - 1) as i32 as f32 + 0.5))
}

/// The number that a signed normalised integer stands for; the lowest one, too, is -1.
#[inline(always)]
pub fn f32_from_snorm(value: i32, bits: u32) -> f32 {
    let x = value as f32 / ((1u32 << (bits - 1)) - 1) as i32 as f32;
    if x > -1.0 { x } else { -1.0 }
}

/// A float with 5 bits of exponent and `mantissa_bits` of mantissa from |x|: nearest even, over the largest to
/// infinity.
#[inline(always)]
fn small_float_from_size(size_bits: u32, mantissa_bits: u32) -> u32 {
    let shift = 23 - mantissa_bits;
    let infinity = 31 << mantissa_bits;
    // Normal: rebias the exponent and round in place; the carry may reach the exponent, as it should.
    let even = size_bits >> shift & 1;
    let normal = size_bits.wrapping_sub(112 << 23).wrapping_add((1 << (shift - 1)) - 1 + even) >> shift;
    // Subnormal: adding 2^(9 - mantissa_bits), whose last place is their step, makes the addition round.
    let step = (136 - mantissa_bits) << 23;
    let subnormal = (f32::from_bits(size_bits) + f32::from_bits(step)).to_bits().wrapping_sub(step);
    let finite = if size_bits < 113 << 23 { subnormal } else { normal };
    if finite > infinity || size_bits >= 143 << 23 { infinity } else { finite }
}

/// The size of a float with 5 bits of exponent and `mantissa_bits` of mantissa.
#[inline(always)]
fn size_from_small_float(bits: u32, mantissa_bits: u32) -> f32 {
    let infinity = 31 << mantissa_bits;
    // 2^112 rebiases, exactly, subnormals too.
    let finite = f32::from_bits(bits << (23 - mantissa_bits)) * f32::from_bits(239 << 23);
    let special = if bits == infinity { f32::INFINITY } else { ops::NAN };
    if bits < infinity { finite } else { special }
}

/// The f16 nearest to `x`, half to even; NaN gives 0x7E00, numbers from 65520 on infinity.
#[inline(always)]
pub fn f16_from_f32(x: f32) -> u16 {
    let bits = x.to_bits();
    let size = bits & 0x7FFF_FFFF;
    let sign = bits >> 16 & 0x8000;
    let half = small_float_from_size(size, 10) | sign;
    (if size > 0x7F80_0000 { 0x7E00 } else { half }) as u16
}

/// The f32 equal to an f16; every NaN gives 0x7FC00000.
#[inline(always)]
pub fn f32_from_f16(half: u16) -> f32 {
    let size = size_from_small_float(u32::from(half) & 0x7FFF, 10);
    let signed = f32::from_bits(size.to_bits() | (u32::from(half) & 0x8000) << 16);
    if size.is_nan() { ops::NAN } else { signed }
}

/// A float without sign, 5 bits of exponent and 6 (an 11-bit float) or 5 (a 10-bit float) of mantissa, nearest to `x`:
/// negative numbers give 0, NaN the NaN with the highest mantissa bit.
#[inline(always)]
fn unsigned_float_from_f32(x: f32, mantissa_bits: u32) -> u32 {
    let number = ops::unless_nan(x, 0.0);
    let positive = if number > 0.0 { number } else { 0.0 };
    let number = small_float_from_size(positive.to_bits(), mantissa_bits);
    if x.is_nan() { 63 << (mantissa_bits - 1) } else { number }
}

/// The 11-bit float nearest to `x`.
#[inline(always)]
pub fn f11_from_f32(x: f32) -> u32 {
    unsigned_float_from_f32(x, 6)
}

/// The 10-bit float nearest to `x`.
#[inline(always)]
pub fn f10_from_f32(x: f32) -> u32 {
    unsigned_float_from_f32(x, 5)
}

/// The f32 equal to an 11-bit float.
#[inline(always)]
pub fn f32_from_f11(bits: u32) -> f32 {
    size_from_small_float(bits & 0x7FF, 6)
}

/// The f32 equal to a 10-bit float.
#[inline(always)]
pub fn f32_from_f10(bits: u32) -> f32 {
    size_from_small_float(bits & 0x3FF, 5)
}

/// `Rg11b10Ufloat`: red in the low bits.
pub fn rg11b10_from_f32([r, g, b]: [f32; 3]) -> u32 {
    f11_from_f32(r) | f11_from_f32(g) << 11 | f10_from_f32(b) << 22
}

/// The numbers of an `Rg11b10Ufloat` texel.
pub fn f32_from_rg11b10(bits: u32) -> [f32; 3] {
    [f32_from_f11(bits), f32_from_f11(bits >> 11), f32_from_f10(bits >> 22)]
}

/// The numbers of an `Rgb9e5Ufloat` texel, exactly: red in the low bits. Source: EXT_texture_shared_exponent, section
/// 3.8.1.
pub fn f32_from_rgb9e5(bits: u32) -> [f32; 3] {
    let scale = f32::from_bits(((bits >> 27) + 127 - 24) << 23);
    [0, 9, 18].map(|shift| (bits >> shift & 0x1FF) as f32 * scale)
}

/// A unit direction folded onto a square, each side in [-1, 1]. Source: Cigolle et al. 2014, "oct". The zero vector
/// gives +Z.
pub fn octahedron_from_direction([x, y, z]: [f32; 3]) -> [f32; 2] {
    let size = x.abs() + y.abs() + z.abs();
    if size == 0.0 {
        return [0.0, 0.0];
    }
    let (u, v) = (x / size, y / size);
    if z >= 0.0 { [u, v] } else { [(1.0 - v.abs()).copysign(x), (1.0 - u.abs()).copysign(y)] }
}

/// The unit direction of a point of that square.
pub fn direction_from_octahedron([u, v]: [f32; 2]) -> [f32; 3] {
    let z = 1.0 - u.abs() - v.abs();
    let (x, y) = if z >= 0.0 { (u, v) } else { ((1.0 - v.abs()).copysign(u), (1.0 - u.abs()).copysign(v)) };
    let length = (x * x + y * y + z * z).sqrt();
    [x / length, y / length, z / length]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The number that bits of a small float stand for, by its definition.
    fn by_definition(bits: u32, mantissa_bits: u32) -> f64 {
        let (exponent, mantissa) = ((bits >> mantissa_bits) as i32, f64::from(bits & ((1 << mantissa_bits) - 1)));
        let one = f64::from(1u32 << mantissa_bits);
        match exponent {
            0 => mantissa / one * power_of_two_64(-14),
            31 if mantissa == 0.0 => f64::INFINITY,
            31 => f64::NAN,
            _ => (1.0 + mantissa / one) * power_of_two_64(exponent - 15),
        }
    }

    #[test]
    fn small_floats_by_definition_and_back() {
        for (mantissa_bits, encode, decode) in [
            (10u32, (|x| u32::from(f16_from_f32(x))) as fn(f32) -> u32, (|b| f32_from_f16(b as u16)) as fn(u32) -> f32),
            (6, f11_from_f32, f32_from_f11),
            (5, f10_from_f32, f32_from_f10),
        ] {
            let infinity = 31u32 << mantissa_bits;
            for bits in 0..32u32 << mantissa_bits {
                let value = decode(bits);
                let want = by_definition(bits, mantissa_bits);
                if bits > infinity {
                    assert_eq!(value.to_bits(), 0x7FC0_0000);
                    assert_eq!(encode(value), infinity | 1 << (mantissa_bits - 1));
                    continue;
                }
                assert_eq!(f64::from(value), want);
                assert_eq!(encode(value), bits);
                if bits + 1 < infinity {
                    // The number half way to the next goes to the even one, its neighbours to their side.
                    let half = ((want + by_definition(bits + 1, mantissa_bits)) / 2.0) as f32;
                    assert_eq!(encode(half), bits + (bits & 1), "{half}");
                    assert_eq!((encode(half.next_down()), encode(half.next_up())), (bits, bits + 1), "{half}");
                }
            }
        }
        for (x, want) in [(65_519.996, 0x7BFF), (65_520.0, 0x7C00), (-1e9, 0xFC00), (-0.0, 0x8000), (-5.97e-8, 0x8001)]
        {
            assert_eq!(f16_from_f32(x), want, "{x}");
        }
        assert_eq!((f16_from_f32(f32::INFINITY), f16_from_f32(-f32::NAN)), (0x7C00, 0x7E00));
        assert_eq!(f32_from_f16(0x8001), -f32_from_f16(1));
        assert_eq!((f11_from_f32(-1.0), f10_from_f32(f32::NEG_INFINITY), f11_from_f32(1e9)), (0, 0, 0x7C0));
    }

    #[test]
    fn normalised_integers_round_trip() {
        for bits in [1, 2, 8, 10, 16] {
            for value in 0..1u32 << bits {
                assert_eq!(unorm_from_f32(f32_from_unorm(value, bits), bits), value);
            }
        }
        for bits in [8, 16] {
            let largest = (1i32 << (bits - 1)) - 1;
            for value in -largest..=largest {
                assert_eq!(snorm_from_f32(f32_from_snorm(value, bits), bits), value);
            }
            assert_eq!(f32_from_snorm(-largest - 1, bits), -1.0);
        }
        for nan in [0x7FC0_0000, 0xFFC0_0000, 0x7F80_0001, 0xFF80_0001, 0x7FFF_FFFF].map(f32::from_bits) {
            assert_eq!((unorm_from_f32(nan, 8), snorm_from_f32(nan, 8)), (0, 0));
            assert_eq!((f16_from_f32(nan), f11_from_f32(nan), f10_from_f32(nan)), (0x7E00, 0x7E0, 0x3F0));
            assert_eq!(rgb9e5_from_f32([nan; 3]), 0);
        }
        for (x, unsigned, signed) in [
            (f32::NAN, 0, 0),
            (f32::INFINITY, 255, 127),
            (-2.0, 0, -127),
            (0.5, 128, 64),
            (-0.5, 0, -63),
            (0.001_960_8, 1, 0),
            (0.001_960_7, 0, 0),
        ] {
            assert_eq!((unorm_from_f32(x, 8), snorm_from_f32(x, 8)), (unsigned, signed), "{x}");
        }
    }

    /// The inverse, as the extension writes it.
    fn rgb9e5_from_f32(rgb: [f32; 3]) -> u32 {
        const LARGEST: f32 = 65_408.0; // 511 / 512 * 2^16
        let inside = rgb
            .map(|x| ops::unless_nan(x, 0.0))
            .map(|x| if x > 0.0 { if x < LARGEST { x } else { LARGEST } } else { 0.0 });
        let largest = inside.into_iter().fold(0.0, ops::max);
        // floor(log2(largest)) + 1 + 15, at least 0; a subnormal's exponent is far below.
        let exponent = ((largest.to_bits() >> 23) as i32 - 127 + 16).max(0);
        // mantissa = floor(x / 2^(exponent - 24) + 0.5), in powers of two: exact but for the floor.
        let scaled = |x: f32, exponent: i32| (f64::from(x) * power_of_two_64(24 - exponent) + 0.5) as u32;
        let exponent = if scaled(largest, exponent) == 512 { exponent + 1 } else { exponent };
        let [r, g, b] = inside.map(|x| scaled(x, exponent));
        r | g << 9 | b << 18 | (exponent as u32) << 27
    }

    fn power_of_two_64(n: i32) -> f64 {
        f64::from_bits(((n + 1023) as u64) << 52)
    }

    #[test]
    fn shared_exponents() {
        for (rgb, want) in [
            ([0.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
            ([1.0, 0.5, 0.25], [1.0, 0.5, 0.25]),
            ([1e9, f32::NAN, -1.0], [65_408.0, 0.0, 0.0]),
            ([511.9, 0.4, 0.6], [512.0, 0.0, 0.0]),
            ([65_408.0, 64.0, 63.9], [65_408.0, 128.0, 0.0]),
            ([0.5 / 8_388_608.0, 1e-45, 0.0], [0.5 / 8_388_608.0, 0.0, 0.0]),
        ] {
            assert_eq!(f32_from_rgb9e5(rgb9e5_from_f32(rgb)), want, "{rgb:?}");
        }
    }

    proptest! {
        #[test]
        fn shared_exponents_are_near(rgb in prop::array::uniform3(0.0f32..60_000.0), scale in 0i32..20) {
            let rgb = rgb.map(|x| x / (1u32 << scale) as f32);
            let largest = rgb.into_iter().fold(0.0, f32::max);
            let got = f32_from_rgb9e5(rgb9e5_from_f32(rgb));
            for i in 0..3 {
                prop_assert!((got[i] - rgb[i]).abs() <= largest / 511.0 + 1e-7);
            }
            prop_assert_eq!(rgb9e5_from_f32(got), rgb9e5_from_f32(rgb));
            let small = f32_from_rg11b10(rg11b10_from_f32(rgb));
            for i in 0..3 {
                prop_assert!((small[i] - rgb[i]).abs() <= rgb[i] / 32.0 + 1e-6);
            }
        }

        #[test]
        fn directions_round_trip(v in prop::array::uniform3(-1.0f32..1.0)) {
            let length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
            prop_assume!(length > 1e-3);
            let v = v.map(|x| x / length);
            let square = octahedron_from_direction(v);
            prop_assert!(square.iter().all(|x| x.abs() <= 1.0));
            let back = direction_from_octahedron(square);
            for i in 0..3 {
                prop_assert!((back[i] - v[i]).abs() < 1e-6, "{:?} {:?}", v, back);
            }
        }
    }
}
