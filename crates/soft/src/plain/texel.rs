//! Texels: bytes to raw values, raw values to units, values to bytes. A texel is a little-endian string of bits.
//!
//! In: one texel's bytes and its format. Out: four components. Source: `docs/adapter-rules.md`, Formats and "Raw values
//! and units".

use wgpu_types::{ColorWrites, TextureAspect, TextureFormat};

use super::value::Scalar;

/// How one component is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    Unorm(u32),
    Snorm(u32),
    Uint(u32),
    Sint(u32),
    F32,
    F16,
    /// A float without sign: five bits of exponent above this many of mantissa.
    Unsigned(u32),
    /// Eight bits of an sRGB colour.
    Srgb,
}

impl Part {
    fn bits(self) -> u32 {
        match self {
            Part::Unorm(n) | Part::Snorm(n) | Part::Uint(n) | Part::Sint(n) => n,
            Part::F32 => 32,
            Part::F16 => 16,
            Part::Unsigned(mantissa) => 5 + mantissa,
            Part::Srgb => 8,
        }
    }
}

/// `(component, how it is kept)` from the lowest bit up; empty for formats that are not plain strings of bits.
fn parts(format: TextureFormat) -> Vec<(usize, Part)> {
    use Part::{F16, F32, Sint, Snorm, Srgb, Uint, Unorm, Unsigned};
    use TextureFormat as Tf;
    let same = |count: usize, part: Part| (0..count).map(|c| (c, part)).collect::<Vec<_>>();
    match format {
        Tf::R8Unorm => same(1, Unorm(8)),
        Tf::R8Snorm => same(1, Snorm(8)),
        Tf::R8Uint => same(1, Uint(8)),
        Tf::R8Sint => same(1, Sint(8)),
        Tf::R16Uint => same(1, Uint(16)),
        Tf::R16Sint => same(1, Sint(16)),
        Tf::R16Unorm => same(1, Unorm(16)),
        Tf::R16Snorm => same(1, Snorm(16)),
        Tf::R16Float => same(1, F16),
        Tf::Rg8Unorm => same(2, Unorm(8)),
        Tf::Rg8Snorm => same(2, Snorm(8)),
        Tf::Rg8Uint => same(2, Uint(8)),
        Tf::Rg8Sint => same(2, Sint(8)),
        Tf::R32Uint => same(1, Uint(32)),
        Tf::R32Sint => same(1, Sint(32)),
        Tf::R32Float => same(1, F32),
        Tf::Rg16Uint => same(2, Uint(16)),
        Tf::Rg16Sint => same(2, Sint(16)),
        Tf::Rg16Unorm => same(2, Unorm(16)),
        Tf::Rg16Snorm => same(2, Snorm(16)),
        Tf::Rg16Float => same(2, F16),
        Tf::Rgba8Unorm => same(4, Unorm(8)),
        Tf::Rgba8UnormSrgb => vec![(0, Srgb), (1, Srgb), (2, Srgb), (3, Unorm(8))],
        Tf::Rgba8Snorm => same(4, Snorm(8)),
        Tf::Rgba8Uint => same(4, Uint(8)),
        Tf::Rgba8Sint => same(4, Sint(8)),
        Tf::Bgra8Unorm => vec![(2, Unorm(8)), (1, Unorm(8)), (0, Unorm(8)), (3, Unorm(8))],
        Tf::Bgra8UnormSrgb => vec![(2, Srgb), (1, Srgb), (0, Srgb), (3, Unorm(8))],
        Tf::Rgb10a2Uint => vec![(0, Uint(10)), (1, Uint(10)), (2, Uint(10)), (3, Uint(2))],
        Tf::Rgb10a2Unorm => vec![(0, Unorm(10)), (1, Unorm(10)), (2, Unorm(10)), (3, Unorm(2))],
        Tf::Rg11b10Ufloat => vec![(0, Unsigned(6)), (1, Unsigned(6)), (2, Unsigned(5))],
        Tf::Rg32Uint => same(2, Uint(32)),
        Tf::Rg32Sint => same(2, Sint(32)),
        Tf::Rg32Float => same(2, F32),
        Tf::Rgba16Uint => same(4, Uint(16)),
        Tf::Rgba16Sint => same(4, Sint(16)),
        Tf::Rgba16Unorm => same(4, Unorm(16)),
        Tf::Rgba16Snorm => same(4, Snorm(16)),
        Tf::Rgba16Float => same(4, F16),
        Tf::Rgba32Uint => same(4, Uint(32)),
        Tf::Rgba32Sint => same(4, Sint(32)),
        Tf::Rgba32Float => same(4, F32),
        _ => vec![],
    }
}

/// Bytes of one texel of a format that is a plain string of bits.
#[cfg(test)]
pub fn texel_bytes(format: TextureFormat) -> usize {
    parts(format).iter().map(|(_, part)| part.bits()).sum::<u32>() as usize / 8
}

/// Whether a view of this format and aspect shows the stencil.
pub fn is_stencil(format: TextureFormat, aspect: TextureAspect) -> bool {
    aspect == TextureAspect::StencilOnly || format == TextureFormat::Stencil8
}

/// Whether the components are integers.
pub fn is_integer(format: TextureFormat, aspect: TextureAspect) -> Option<naga::ScalarKind> {
    if is_stencil(format, aspect) {
        return Some(naga::ScalarKind::Uint);
    }
    match parts(format).first() {
        Some((_, Part::Uint(_))) => Some(naga::ScalarKind::Uint),
        Some((_, Part::Sint(_))) => Some(naga::ScalarKind::Sint),
        _ => None,
    }
}

fn bit_string(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |all, &byte| all << 8 | byte as u128)
}

/// Decodes the bytes of one texel of an uncompressed format to raw values.
pub fn raw(format: TextureFormat, aspect: TextureAspect, bytes: &[u8]) -> [Scalar; 4] {
    use TextureFormat as Tf;
    let all = bit_string(bytes);
    let depth = |v: f32| [Scalar::F32(v), Scalar::F32(0.0), Scalar::F32(0.0), Scalar::F32(1.0)];
    match format {
        _ if is_stencil(format, aspect) => [Scalar::U32(all as u32), Scalar::U32(0), Scalar::U32(0), Scalar::U32(1)],
        Tf::Depth16Unorm => depth(all as f32 / 65535.0),
        Tf::Depth24Plus | Tf::Depth24PlusStencil8 | Tf::Depth32Float | Tf::Depth32FloatStencil8 => {
            depth(f32::from_bits(all as u32))
        }
        Tf::Rgb9e5Ufloat => {
            let scale = power_of_two((all >> 27) as i32 - 24);
            let part = |at: u32| Scalar::F32((all >> at & 0x1FF) as f32 * scale);
            [part(0), part(9), part(18), Scalar::F32(1.0)]
        }
        _ => {
            let zero_one = match is_integer(format, aspect) {
                Some(naga::ScalarKind::Sint) => [Scalar::I32(0), Scalar::I32(1)],
                Some(_) => [Scalar::U32(0), Scalar::U32(1)],
                None => [Scalar::F32(0.0), Scalar::F32(1.0)],
            };
            let mut out = [zero_one[0], zero_one[0], zero_one[0], zero_one[1]];
            let mut at = 0;
            for (component, part) in parts(format) {
                out[component] = raw_part(part, (all >> at) as u32 & (u32::MAX >> (32 - part.bits())));
                at += part.bits();
            }
            out
        }
    }
}

fn raw_part(part: Part, bits: u32) -> Scalar {
    let signed = |n: u32| (bits << (32 - n)) as i32 >> (32 - n);
    match part {
        Part::Unorm(_) => Scalar::F32(bits as f32),
        Part::Snorm(n) => Scalar::F32(signed(n).max(-((1 << (n - 1)) - 1)) as f32),
        Part::Uint(_) => Scalar::U32(bits),
        Part::Sint(n) => Scalar::I32(signed(n)),
        Part::F32 => Scalar::F32(f32::from_bits(bits)),
        Part::F16 => Scalar::F32(f16_to_f32(bits as u16)),
        Part::Unsigned(mantissa) => Scalar::F32(small_to_f32(bits, mantissa)),
        Part::Srgb => Scalar::F32(srgb_to_linear(bits as f64 / 255.0) as f32),
    }
}

/// The two constants whose products with an integer sum up to it divided by 2^n - 1, correctly rounded.
fn unit_constants(bits: u32) -> (f32, f32) {
    let (high, low) = match bits {
        2 => (0x3EAAAAA8, 0x33AAAAAB),
        7 => (0x3C010200, 0x31810204),
        8 => (0x3B808000, 0x33808081),
        10 => (0x3A802000, 0x30802008),
        15 => (0x38000000, 0x30800100),
        16 => (0x37800000, 0x2F800080),
        other => unreachable!("no format has {other} bits"),
    };
    (f32::from_bits(high), f32::from_bits(low))
}

/// What one of a component is as a raw value.
fn raw_one(part: Option<Part>) -> f32 {
    match part {
        Some(Part::Unorm(n)) => ((1u32 << n) - 1) as f32,
        Some(Part::Snorm(n)) => ((1u32 << (n - 1)) - 1) as f32,
        _ => 1.0,
    }
}

fn part_of(format: TextureFormat, component: usize) -> Option<Part> {
    let format = super::block::as_uncompressed(format).unwrap_or(format);
    parts(format).into_iter().find(|(c, _)| *c == component).map(|(_, part)| part)
}

/// Raw values, filtered or not, as the shader sees them.
pub fn unit(format: TextureFormat, raw: [f32; 4]) -> [f32; 4] {
    std::array::from_fn(|c| match part_of(format, c) {
        Some(Part::Unorm(n)) => scaled(raw[c], unit_constants(n)),
        Some(Part::Snorm(n)) => scaled(raw[c], unit_constants(n - 1)),
        _ => raw[c],
    })
}

fn scaled(raw: f32, (high, low): (f32, f32)) -> f32 {
    raw * high + raw * low
}

/// A colour of zeros and ones as raw values; components that the format lacks stay 0, 0, 0, 1.
pub fn raw_of_border(format: TextureFormat, color: [f32; 4]) -> [f32; 4] {
    let depth = format.is_depth_stencil_format();
    std::array::from_fn(|c| match part_of(format, c) {
        None if depth && c == 0 => color[0],
        None if parts(super::block::as_uncompressed(format).unwrap_or(format)).is_empty() && c < 3 && !depth => {
            color[c]
        }
        None => [0.0, 0.0, 0.0, 1.0][c],
        part => color[c] * raw_one(part),
    })
}

/// The border colour of an integer format; components that it lacks read 0, 0, 1. Stencil takes the first.
pub fn border_integers(format: TextureFormat, color: [f32; 4]) -> [i32; 4] {
    let stencil = format.is_depth_stencil_format();
    std::array::from_fn(|c| {
        let there = part_of(format, c).is_some() || (stencil && c == 0);
        if there { color[c] as i32 } else { [0, 0, 0, 1][c] }
    })
}

/// Writes four components as a texel of a plain format: colours to targets, values of `textureStore`.
pub fn encode(format: TextureFormat, value: &[Scalar]) -> Vec<u8> {
    let mut all = 0u128;
    let mut at = 0;
    for (component, part) in parts(format) {
        let bits = encode_part(part, value.get(component).copied().unwrap_or(Scalar::F32(0.0)));
        all |= (bits as u128) << at;
        at += part.bits();
    }
    all.to_le_bytes()[..at as usize / 8].to_vec()
}

/// The new texel where the mask says so, else the stored one.
pub fn merged(format: TextureFormat, stored: &[u8], new: &[u8], mask: ColorWrites) -> Vec<u8> {
    let mut changed = 0u128;
    let mut at = 0;
    for (component, part) in parts(format) {
        if mask.bits() >> component & 1 == 1 {
            changed |= ((1u128 << part.bits()) - 1) << at;
        }
        at += part.bits();
    }
    let all = bit_string(stored) & !changed | bit_string(new) & changed;
    all.to_le_bytes()[..stored.len()].to_vec()
}

fn encode_part(part: Part, value: Scalar) -> u32 {
    match (part, value) {
        (Part::Unorm(n), Scalar::F32(v)) => unorm(v, n),
        (Part::Snorm(n), Scalar::F32(v)) => {
            let v = if v.is_nan() { 0.0 } else { v.clamp(-1.0, 1.0) };
            let steps = (v * ((1u32 << (n - 1)) - 1) as f32 + 0.5).floor() as i32;
            steps as u32 & (u32::MAX >> (32 - n))
        }
        (Part::Uint(n), value) => value.int().clamp(0, (1i64 << n) - 1) as u32,
        (Part::Sint(n), value) => {
            let v = value.int().clamp(-(1i64 << (n - 1)), (1i64 << (n - 1)) - 1);
            v as u32 & (u32::MAX >> (32 - n))
        }
        (Part::F32, value) => value.bits(),
        (Part::F16, Scalar::F32(v)) => f32_to_f16(v) as u32,
        (Part::Unsigned(mantissa), Scalar::F32(v)) if v.is_nan() => 31 << mantissa | 1 << (mantissa - 1),
        (Part::Unsigned(mantissa), Scalar::F32(v)) => f32_to_small(v.max(0.0), mantissa),
        (Part::Srgb, Scalar::F32(v)) => srgb_code(v),
        (part, value) => unreachable!("{value:?} written as {part:?}"),
    }
}

/// The nearest of 2^n steps from 0 to 1.
pub fn unorm(v: f32, bits: u32) -> u32 {
    let v = if v.is_nan() { 0.0 } else { v.clamp(0.0, 1.0) };
    (v * ((1u64 << bits) - 1) as f32 + 0.5).floor() as u32
}

fn power_of_two(exponent: i32) -> f32 {
    f32::from_bits(((exponent + 127) as u32) << 23)
}

/// Widens a float of five exponent bits (bias 15) above `mantissa` bits.
fn small_to_f32(bits: u32, mantissa: u32) -> f32 {
    let fraction = (bits & ((1 << mantissa) - 1)) as f32 / (1u32 << mantissa) as f32;
    match bits >> mantissa {
        0 => fraction * power_of_two(-14),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::from_bits(0x7FC0_0000),
        exponent => (1.0 + fraction) * power_of_two(exponent as i32 - 15),
    }
}

/// Rounds a float that is not negative to five exponent bits above `mantissa` bits, to nearest, ties to even.
fn f32_to_small(v: f32, mantissa: u32) -> u32 {
    let infinity = 31 << mantissa;
    if v.is_infinite() {
        return infinity;
    }
    let exponent = ((v.to_bits() >> 23) as i32 - 127).max(-14);
    // In f64 the quotient by a power of two is exact.
    let steps = v as f64 / (power_of_two(exponent) as f64 / (1u32 << mantissa) as f64);
    let code = steps.round_ties_even() as i64 + (((exponent + 14) as i64) << mantissa);
    code.min(infinity as i64) as u32
}

pub fn f16_to_f32(bits: u16) -> f32 {
    let magnitude = small_to_f32(bits as u32 & 0x7FFF, 10);
    if bits & 0x8000 != 0 && !magnitude.is_nan() { -magnitude } else { magnitude }
}

pub fn f32_to_f16(v: f32) -> u16 {
    if v.is_nan() {
        return 0x7E00;
    }
    (v.is_sign_negative() as u16) << 15 | f32_to_small(v.abs(), 10) as u16
}

/// The sRGB curve for 0..=1 in f64: `((v + 0.055) / 1.055)^2.4` as a square times a fifth root by Newton's steps.
fn srgb_to_linear(v: f64) -> f64 {
    if v <= 0.04045 {
        return v / 12.92;
    }
    let base = (v + 0.055) / 1.055;
    let square = base * base;
    let mut root = 1.0f64;
    for _ in 0..60 {
        let fourth = root * root * root * root;
        root -= (fourth * root - square) / (5.0 * fourth);
    }
    square * root
}

/// The largest code whose threshold `v` reaches; thresholds grow with their codes.
fn srgb_code(v: f32) -> u32 {
    let (mut reached, mut beyond) = (0, 256);
    while beyond - reached > 1 {
        let middle = (reached + beyond) / 2;
        if v >= srgb_threshold(middle) {
            reached = middle;
        } else {
            beyond = middle;
        }
    }
    reached
}

/// The smallest f32 whose code is at least `k`.
fn srgb_threshold(k: u32) -> f32 {
    let exact = srgb_to_linear((k as f64 - 0.5) / 255.0);
    let near = exact as f32;
    if (near as f64) < exact { f32::from_bits(near.to_bits() + 1) } else { near }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_short_code_survives_a_round_trip() {
        for format in [
            TextureFormat::R8Unorm,
            TextureFormat::R8Snorm,
            TextureFormat::R16Unorm,
            TextureFormat::R16Snorm,
            TextureFormat::R16Float,
            TextureFormat::R8Uint,
            TextureFormat::R16Sint,
        ] {
            let bytes = texel_bytes(format);
            for code in 0..1u32 << (8 * bytes) {
                let texel = &code.to_le_bytes()[..bytes];
                let raw = raw(format, TextureAspect::All, texel);
                let value = match is_integer(format, TextureAspect::All) {
                    Some(_) => raw,
                    None => unit(format, raw.map(Scalar::f32)).map(Scalar::F32),
                };
                let back = encode(format, &value);
                let nan = matches!(value[0], Scalar::F32(v) if v.is_nan());
                let lowest = format!("{format:?}").contains("Snorm") && code == 1 << (8 * bytes - 1);
                assert!(back == texel || nan || lowest, "{format:?} {code:#x}: {value:?} gave {back:?}");
            }
        }
    }

    #[test]
    fn units_are_correctly_rounded_quotients() {
        for (format, steps) in [
            (TextureFormat::R8Unorm, 255),
            (TextureFormat::R16Unorm, 65535),
            (TextureFormat::Rgb10a2Unorm, 1023),
            (TextureFormat::R8Snorm, 127),
            (TextureFormat::R16Snorm, 32767),
        ] {
            for i in 0..=steps {
                let got = unit(format, [i as f32, 0.0, 0.0, 1.0])[0];
                assert_eq!(got, i as f32 / steps as f32, "{format:?} {i}");
            }
        }
    }

    #[test]
    fn small_floats() {
        for (value, code) in
            [(0.0, 0), (1.0, 15 << 6), (65024.0, 0x7BF), (65400.0, 0x7C0), (f32::INFINITY, 0x7C0), (6.1e-5, 0x040)]
        {
            assert_eq!(f32_to_small(value, 6), code, "{value}");
        }
        assert_eq!(f32_to_f16(65504.0), 0x7BFF);
        assert_eq!(f32_to_f16(65519.9), 0x7BFF);
        assert_eq!(f32_to_f16(65520.0), 0x7C00);
        assert_eq!(f32_to_f16(-5.9604645e-8), 0x8001);
    }
}
