//! Format: the one table of texel formats.
//!
//! In: bytes of a texel. Out: four components, as raw values (what filtering works on), as units (what a shader sees)
//! or as integers; and back. The rules are in `docs/adapter-rules.md`, sections "Textures" and "Formats". Combined
//! depth-stencil formats are looked up by aspect: each plane is a format of its own.

mod block;
pub(crate) mod bptc;
mod every;

pub use every::EVERY_FORMAT;
use stillframe_base::math::{colour, ops, pack};
use wgpu_types as wgt;

/// How the bytes of one texel are laid out and coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    Unorm8,
    Snorm8,
    Uint8,
    Sint8,
    Unorm16,
    Snorm16,
    Uint16,
    Sint16,
    Float16,
    Uint32,
    Sint32,
    Float32,
    /// 10, 10, 10 and 2 bits, red lowest.
    Unorm1010102,
    Uint1010102,
    /// Unsigned floats of 11, 11 and 10 bits, red lowest.
    Float111110,
    /// Three mantissas and one exponent.
    Float9995,
    /// Depth of 16 bits: reads as the unit already.
    Depth16,
    /// A block of 4x4 texels.
    Block(wgt::TextureFormat),
}

/// What the components are to a shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Float,
    Uint,
    Sint,
}

/// One format, or one plane of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    pub coding: Coding,
    /// Components present, from red.
    pub components: u8,
    /// Colour is sRGB coded.
    pub srgb: bool,
    /// Blue first.
    pub bgra: bool,
    pub kind: Kind,
    /// Bytes of one sample, or of one block.
    pub bytes: usize,
}

/// `raw * HIGH + raw * LOW` is the unit; exact division for every integer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    pub high: f32,
    pub low: f32,
}

impl Scale {
    /// Raw values are units.
    pub const ONE: Scale = Scale { high: 1.0, low: 0.0 };
    const BITS_2: Scale = Scale::new(0x3EAA_AAA8, 0x33AA_AAAB);
    const BITS_7: Scale = Scale::new(0x3C01_0200, 0x3181_0204);
    const BITS_8: Scale = Scale::new(0x3B80_8000, 0x3380_8081);
    const BITS_10: Scale = Scale::new(0x3A80_2000, 0x3080_2008);
    const BITS_15: Scale = Scale::new(0x3800_0000, 0x3080_0100);
    pub const BITS_16: Scale = Scale::new(0x3780_0000, 0x2F80_0080);

    const fn new(high: u32, low: u32) -> Scale {
        Scale { high: f32::from_bits(high), low: f32::from_bits(low) }
    }

    /// The unit of a raw value.
    #[inline(always)]
    pub fn apply(self, raw: f32) -> f32 {
        // Not for infinities, whose product with 0 is a NaN.
        if self.low == 0.0 { raw } else { raw * self.high + raw * self.low }
    }
}

impl Format {
    /// Looks up a format; `aspect` picks the plane of a combined depth-stencil format.
    pub const fn new(format: wgt::TextureFormat, aspect: wgt::TextureAspect) -> Format {
        use wgt::TextureFormat as F;
        let stencil = matches!(aspect, wgt::TextureAspect::StencilOnly);
        let (coding, components) = match format {
            F::R8Unorm => (Coding::Unorm8, 1),
            F::R8Snorm => (Coding::Snorm8, 1),
            F::R8Uint | F::Stencil8 => (Coding::Uint8, 1),
            F::R8Sint => (Coding::Sint8, 1),
            F::R16Uint => (Coding::Uint16, 1),
            F::R16Sint => (Coding::Sint16, 1),
            F::R16Unorm => (Coding::Unorm16, 1),
            F::R16Snorm => (Coding::Snorm16, 1),
            F::R16Float => (Coding::Float16, 1),
            F::Rg8Unorm => (Coding::Unorm8, 2),
            F::Rg8Snorm => (Coding::Snorm8, 2),
            F::Rg8Uint => (Coding::Uint8, 2),
            F::Rg8Sint => (Coding::Sint8, 2),
            F::R32Uint => (Coding::Uint32, 1),
            F::R32Sint => (Coding::Sint32, 1),
            F::R32Float => (Coding::Float32, 1),
            F::Rg16Uint => (Coding::Uint16, 2),
            F::Rg16Sint => (Coding::Sint16, 2),
            F::Rg16Unorm => (Coding::Unorm16, 2),
            F::Rg16Snorm => (Coding::Snorm16, 2),
            F::Rg16Float => (Coding::Float16, 2),
            F::Rgba8Unorm | F::Rgba8UnormSrgb | F::Bgra8Unorm | F::Bgra8UnormSrgb => (Coding::Unorm8, 4),
            F::Rgba8Snorm => (Coding::Snorm8, 4),
            F::Rgba8Uint => (Coding::Uint8, 4),
            F::Rgba8Sint => (Coding::Sint8, 4),
            F::Rgb9e5Ufloat => (Coding::Float9995, 3),
            F::Rgb10a2Uint => (Coding::Uint1010102, 4),
            F::Rgb10a2Unorm => (Coding::Unorm1010102, 4),
            F::Rg11b10Ufloat => (Coding::Float111110, 3),
            F::Rg32Uint | F::R64Uint => (Coding::Uint32, 2),
            F::Rg32Sint => (Coding::Sint32, 2),
            F::Rg32Float => (Coding::Float32, 2),
            F::Rgba16Uint => (Coding::Uint16, 4),
            F::Rgba16Sint => (Coding::Sint16, 4),
            F::Rgba16Unorm => (Coding::Unorm16, 4),
            F::Rgba16Snorm => (Coding::Snorm16, 4),
            F::Rgba16Float => (Coding::Float16, 4),
            F::Rgba32Uint => (Coding::Uint32, 4),
            F::Rgba32Sint => (Coding::Sint32, 4),
            F::Rgba32Float => (Coding::Float32, 4),
            F::Depth16Unorm => (Coding::Depth16, 1),
            F::Depth24PlusStencil8 | F::Depth32FloatStencil8 if stencil => (Coding::Uint8, 1),
            F::Depth24Plus | F::Depth32Float | F::Depth24PlusStencil8 | F::Depth32FloatStencil8 => (Coding::Float32, 1),
            F::Bc4RUnorm | F::Bc4RSnorm => (Coding::Block(format), 1),
            F::Bc5RgUnorm | F::Bc5RgSnorm => (Coding::Block(format), 2),
            F::Bc6hRgbUfloat | F::Bc6hRgbFloat => (Coding::Block(format), 3),
            // Formats of features that are not offered end here too; none of their textures can be made.
            _ => (Coding::Block(format), 4),
        };
        let srgb = matches!(
            format,
            F::Rgba8UnormSrgb
                | F::Bgra8UnormSrgb
                | F::Bc1RgbaUnormSrgb
                | F::Bc2RgbaUnormSrgb
                | F::Bc3RgbaUnormSrgb
                | F::Bc7RgbaUnormSrgb
        );
        Format {
            coding,
            components,
            srgb,
            bgra: matches!(format, F::Bgra8Unorm | F::Bgra8UnormSrgb),
            kind: coding.kind(),
            bytes: coding.bytes(components as usize),
        }
    }

    /// The factor from raw values to units; sRGB colour has none, its alpha `scale_of_alpha`.
    pub const fn scale(&self) -> Scale {
        if self.srgb { Scale::ONE } else { self.coding.scale() }
    }

    /// The factor for the fourth component.
    pub const fn scale_of_alpha(&self) -> Scale {
        match self.coding {
            _ if self.components < 4 => Scale::ONE,
            Coding::Unorm1010102 => Scale::BITS_2,
            coding => coding.scale(),
        }
    }

    /// The unit of a raw value of one component; absent components are units already.
    pub fn unit(&self, component: usize, raw: f32) -> f32 {
        if component >= self.components as usize {
            raw
        } else if component == 3 {
            self.scale_of_alpha().apply(raw)
        } else {
            self.scale().apply(raw)
        }
    }

    /// Raw value of a border colour's component: the unit 0 or 1.
    pub fn raw_of_border(&self, component: usize, one: bool) -> f32 {
        if component >= self.components as usize {
            return if component == 3 { 1.0 } else { 0.0 };
        }
        let full = match self.coding {
            Coding::Unorm1010102 if component == 3 => 3.0,
            _ if self.srgb && component < 3 => 1.0,
            coding => coding.full(),
        };
        if one { full } else { 0.0 }
    }

    /// Raw values of one texel (not of a block), absent components 0, 0, 0, 1. For integers see `integers`.
    pub fn raw(&self, texel: &[u8]) -> [f32; 4] {
        let mut out = [0.0, 0.0, 0.0, 1.0];
        let count = self.components as usize;
        match self.coding {
            Coding::Unorm8 => (0..count).for_each(|i| out[i] = f32::from(texel[i])),
            Coding::Snorm8 => (0..count).for_each(|i| out[i] = f32::from((texel[i] as i8).max(-127))),
            Coding::Unorm16 => (0..count).for_each(|i| out[i] = f32::from(word16(texel, i))),
            Coding::Snorm16 => (0..count).for_each(|i| out[i] = f32::from((word16(texel, i) as i16).max(-32767))),
            Coding::Float16 => (0..count).for_each(|i| out[i] = pack::f32_from_f16(word16(texel, i))),
            Coding::Float32 => (0..count).for_each(|i| out[i] = f32::from_bits(word32(texel, i))),
            Coding::Unorm1010102 => {
                let bits = word32(texel, 0);
                out = [bits & 0x3FF, bits >> 10 & 0x3FF, bits >> 20 & 0x3FF, bits >> 30].map(|v| v as f32);
            }
            Coding::Float111110 => {
                out[..3].copy_from_slice(&pack::f32_from_rg11b10(word32(texel, 0)));
            }
            Coding::Float9995 => out[..3].copy_from_slice(&pack::f32_from_rgb9e5(word32(texel, 0))),
            Coding::Depth16 => out[0] = Scale::BITS_16.apply(f32::from(word16(texel, 0))),
            Coding::Uint8 | Coding::Uint16 | Coding::Uint32 | Coding::Uint1010102 => {
                out = self.integers(texel).map(|v| v as f32);
            }
            Coding::Sint8 | Coding::Sint16 | Coding::Sint32 => out = self.integers(texel).map(|v| v as i32 as f32),
            Coding::Block(_) => unreachable!("blocks are decoded by `block`"),
        }
        if self.bgra {
            out.swap(0, 2);
        }
        if self.srgb {
            for value in &mut out[..3] {
                *value = colour::LINEAR_FROM_SRGB8[*value as usize];
            }
        }
        out
    }

    /// Raw values of one texel of a block; `x` and `y` are 0 to 3.
    pub fn raw_in_block(&self, block: &[u8; 16], x: u32, y: u32) -> [f32; 4] {
        let Coding::Block(format) = self.coding else { unreachable!("{:?} has no blocks", self.coding) };
        let mut out = block::raw(format, block, x, y);
        if self.srgb {
            for value in &mut out[..3] {
                *value = colour::LINEAR_FROM_SRGB8[*value as usize];
            }
        }
        out
    }

    /// What a shader sees of one texel of a float format.
    pub fn decode(&self, texel: &[u8]) -> [f32; 4] {
        let raw = self.raw(texel);
        [0, 1, 2, 3].map(|i| self.unit(i, raw[i]))
    }

    /// Components of an integer format as bits, absent ones 0, 0, 0, 1.
    pub fn integers(&self, texel: &[u8]) -> [u32; 4] {
        let mut out = [0, 0, 0, 1];
        let count = self.components as usize;
        match self.coding {
            Coding::Uint8 => (0..count).for_each(|i| out[i] = u32::from(texel[i])),
            Coding::Sint8 => (0..count).for_each(|i| out[i] = texel[i] as i8 as u32),
            Coding::Uint16 => (0..count).for_each(|i| out[i] = u32::from(word16(texel, i))),
            Coding::Sint16 => (0..count).for_each(|i| out[i] = word16(texel, i) as i16 as u32),
            Coding::Uint32 | Coding::Sint32 => (0..count).for_each(|i| out[i] = word32(texel, i)),
            Coding::Uint1010102 => {
                let bits = word32(texel, 0);
                out = [bits & 0x3FF, bits >> 10 & 0x3FF, bits >> 20 & 0x3FF, bits >> 30];
            }
            _ => unreachable!("{:?} holds no integers", self.coding),
        }
        out
    }

    /// Four components as bits: units of a float format, integers of the others.
    #[cfg(test)]
    pub fn decode_bits(&self, texel: &[u8]) -> [u32; 4] {
        match self.kind {
            Kind::Float => self.decode(texel).map(f32::to_bits),
            Kind::Uint | Kind::Sint => self.integers(texel),
        }
    }

    /// Writes units to one texel of a float format; `texel` is `bytes` long.
    pub fn encode(&self, value: [f32; 4], texel: &mut [u8]) {
        let mut value = value;
        if self.bgra {
            value.swap(0, 2);
        }
        let count = self.components as usize;
        match self.coding {
            Coding::Unorm8 if self.srgb => {
                (0..3).for_each(|i| texel[i] = colour::srgb8_from_linear(value[i]));
                texel[3] = pack::unorm_from_f32(value[3], 8) as u8;
            }
            Coding::Unorm8 => (0..count).for_each(|i| texel[i] = pack::unorm_from_f32(value[i], 8) as u8),
            Coding::Snorm8 => (0..count).for_each(|i| texel[i] = pack::snorm_from_f32(value[i], 8) as u8),
            Coding::Unorm16 | Coding::Depth16 => {
                (0..count).for_each(|i| put16(texel, i, pack::unorm_from_f32(value[i], 16) as u16));
            }
            Coding::Snorm16 => (0..count).for_each(|i| put16(texel, i, pack::snorm_from_f32(value[i], 16) as u16)),
            Coding::Float16 => (0..count).for_each(|i| put16(texel, i, pack::f16_from_f32(value[i]))),
            Coding::Float32 => (0..count).for_each(|i| put32(texel, i, canonical(value[i]))),
            Coding::Unorm1010102 => {
                let [r, g, b] = [value[0], value[1], value[2]].map(|v| pack::unorm_from_f32(v, 10));
                put32(texel, 0, r | g << 10 | b << 20 | pack::unorm_from_f32(value[3], 2) << 30);
            }
            Coding::Float111110 => {
                put32(texel, 0, pack::rg11b10_from_f32([value[0], value[1], value[2]]));
            }
            _ => unreachable!("{:?} is not written as float", self.coding),
        }
    }

    /// Writes integers, as bits of the format's kind, to one texel; out of range is clamped.
    pub fn encode_integers(&self, value: [u32; 4], texel: &mut [u8]) {
        let count = self.components as usize;
        let signed = |i: usize, low: i32, high: i32| (value[i] as i32).clamp(low, high);
        match self.coding {
            Coding::Uint8 => (0..count).for_each(|i| texel[i] = value[i].min(255) as u8),
            Coding::Sint8 => (0..count).for_each(|i| texel[i] = signed(i, -128, 127) as u8),
            Coding::Uint16 => (0..count).for_each(|i| put16(texel, i, value[i].min(65535) as u16)),
            Coding::Sint16 => (0..count).for_each(|i| put16(texel, i, signed(i, -32768, 32767) as u16)),
            Coding::Uint32 | Coding::Sint32 => (0..count).for_each(|i| put32(texel, i, value[i])),
            Coding::Uint1010102 => {
                let [r, g, b] = [value[0], value[1], value[2]].map(|v| v.min(1023));
                put32(texel, 0, r | g << 10 | b << 20 | value[3].min(3) << 30);
            }
            _ => unreachable!("{:?} holds no integers", self.coding),
        }
    }

    /// Writes four components given as bits of the format's kind.
    pub fn encode_bits(&self, value: [u32; 4], texel: &mut [u8]) {
        match self.kind {
            Kind::Float => self.encode(value.map(f32::from_bits), texel),
            Kind::Uint | Kind::Sint => self.encode_integers(value, texel),
        }
    }
}

impl Coding {
    const fn kind(self) -> Kind {
        match self {
            Coding::Uint8 | Coding::Uint16 | Coding::Uint32 | Coding::Uint1010102 => Kind::Uint,
            Coding::Sint8 | Coding::Sint16 | Coding::Sint32 => Kind::Sint,
            _ => Kind::Float,
        }
    }

    const fn bytes(self, components: usize) -> usize {
        use wgt::TextureFormat as F;
        match self {
            Coding::Unorm8 | Coding::Snorm8 | Coding::Uint8 | Coding::Sint8 => components,
            Coding::Unorm16 | Coding::Snorm16 | Coding::Uint16 | Coding::Sint16 | Coding::Float16 => components * 2,
            Coding::Uint32 | Coding::Sint32 | Coding::Float32 => components * 4,
            Coding::Unorm1010102 | Coding::Uint1010102 | Coding::Float111110 | Coding::Float9995 => 4,
            Coding::Depth16 => 2,
            Coding::Block(F::Bc1RgbaUnorm | F::Bc1RgbaUnormSrgb | F::Bc4RUnorm | F::Bc4RSnorm) => 8,
            Coding::Block(_) => 16,
        }
    }

    const fn scale(self) -> Scale {
        use wgt::TextureFormat as F;
        match self {
            Coding::Unorm8 => Scale::BITS_8,
            Coding::Snorm8 | Coding::Block(F::Bc4RSnorm | F::Bc5RgSnorm) => Scale::BITS_7,
            Coding::Unorm16 => Scale::BITS_16,
            Coding::Snorm16 => Scale::BITS_15,
            Coding::Unorm1010102 => Scale::BITS_10,
            Coding::Block(F::Bc6hRgbUfloat | F::Bc6hRgbFloat) => Scale::ONE,
            Coding::Block(_) => Scale::BITS_8,
            _ => Scale::ONE,
        }
    }

    /// The raw value of 1.
    const fn full(self) -> f32 {
        use wgt::TextureFormat as F;
        match self {
            Coding::Unorm8 => 255.0,
            Coding::Snorm8 | Coding::Block(F::Bc4RSnorm | F::Bc5RgSnorm) => 127.0,
            Coding::Unorm16 => 65535.0,
            Coding::Snorm16 => 32767.0,
            Coding::Unorm1010102 => 1023.0,
            Coding::Block(F::Bc6hRgbUfloat | F::Bc6hRgbFloat) => 1.0,
            Coding::Block(_) => 255.0,
            _ => 1.0,
        }
    }
}

/// Bits of a float that leaves the adapter: one NaN.
#[inline(always)]
pub fn canonical(value: f32) -> u32 {
    ops::canonical(value).to_bits()
}

fn word16(bytes: &[u8], index: usize) -> u16 {
    u16::from_le_bytes([bytes[index * 2], bytes[index * 2 + 1]])
}

fn word32(bytes: &[u8], index: usize) -> u32 {
    let at = index * 4;
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn put16(bytes: &mut [u8], index: usize, value: u16) {
    bytes[index * 2..index * 2 + 2].copy_from_slice(&value.to_le_bytes());
}

fn put32(bytes: &mut [u8], index: usize, value: u32) {
    bytes[index * 4..index * 4 + 4].copy_from_slice(&value.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgt::TextureFormat as F;

    fn format(format: F) -> Format {
        Format::new(format, wgt::TextureAspect::All)
    }

    #[test]
    fn scales_divide_exactly() {
        for (scale, full) in [
            (Scale::BITS_2, 3u32),
            (Scale::BITS_7, 127),
            (Scale::BITS_8, 255),
            (Scale::BITS_10, 1023),
            (Scale::BITS_15, 32767),
            (Scale::BITS_16, 65535),
        ] {
            for raw in 0..=full {
                let (got, want) = (scale.apply(raw as f32), raw as f32 / full as f32);
                assert_eq!(got.to_bits(), want.to_bits(), "{raw} of {full}");
                assert_eq!(scale.apply(-(raw as f32)).to_bits() & 0x7FFF_FFFF, want.to_bits());
            }
        }
    }

    #[test]
    fn texels_by_hand() {
        let third = 1.0 / 3.0;
        for (what, bytes, want) in [
            (F::R8Unorm, &[255][..], [1.0, 0.0, 0.0, 1.0]),
            (F::Rg8Snorm, &[0x80, 127], [-1.0, 1.0, 0.0, 1.0]),
            (F::Rgba8Unorm, &[0, 51, 102, 255], [0.0, 0.2, 0.4, 1.0]),
            (F::Bgra8Unorm, &[0, 51, 255, 102], [1.0, 0.2, 0.0, 0.4]),
            (F::Rgba8UnormSrgb, &[0, 255, 0, 51], [0.0, 1.0, 0.0, 0.2]),
            (F::R16Float, &[0x00, 0x3C], [1.0, 0.0, 0.0, 1.0]),
            (F::Rg32Float, &[0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0], [1.0, -2.0, 0.0, 1.0]),
            (F::Rgb10a2Unorm, &[0xFF, 0x03, 0, 0x40], [1.0, 0.0, 0.0, third]),
            (F::Rg11b10Ufloat, &[0xC0, 0x03, 0x1E, 0x78], [1.0, 1.0, 1.0, 1.0]),
            (F::Rgba16Snorm, &[1, 0x80, 0, 0x80, 0xFF, 0x7F, 0, 0], [-1.0, -1.0, 1.0, 0.0]),
            (F::Depth16Unorm, &[0xFF, 0xFF], [1.0, 0.0, 0.0, 1.0]),
        ] {
            assert_eq!(format(what).decode(bytes), want, "{what:?}");
        }
        assert_eq!(format(F::Rgba8Sint).integers(&[0xFF, 0x80, 1, 0]), [u32::MAX, 0xFFFF_FF80, 1, 0]);
        assert_eq!(format(F::R32Uint).integers(&[1, 2, 0, 0]), [513, 0, 0, 1]);
        assert_eq!(format(F::Rgb10a2Uint).integers(&[0xFF, 0x03, 0, 0xC0]), [1023, 0, 0, 3]);
    }

    #[test]
    fn what_is_written_is_read_back() {
        // Every 8-bit and 16-bit code is a fixed point of decode, then encode.
        let mut texel = [0; 2];
        for code in 0..=u16::MAX {
            let bytes = code.to_le_bytes();
            for what in [F::R16Unorm, F::Depth16Unorm, F::R16Float, F::R16Uint, F::R16Sint, F::Rg8Unorm, F::Rg8Uint] {
                let f = format(what);
                if what == F::R16Float && code & 0x7FFF > 0x7C00 {
                    continue;
                }
                f.encode_bits(f.decode_bits(&bytes), &mut texel);
                assert_eq!(texel, bytes, "{what:?}");
            }
            if code as i16 > i16::MIN {
                let f = format(F::R16Snorm);
                f.encode_bits(f.decode_bits(&bytes), &mut texel);
                assert_eq!(texel, bytes, "R16Snorm");
            }
        }
    }

    #[test]
    fn writing_clamps_rounds_and_has_one_nan() {
        let written = |what: F, value: [f32; 4]| {
            let f = format(what);
            let mut texel = vec![0; f.bytes];
            f.encode(value, &mut texel);
            texel
        };
        let nan = f32::NAN;
        assert_eq!(written(F::Rgba8Unorm, [nan, -1.0, 2.0, 0.5]), [0, 0, 255, 128]);
        assert_eq!(written(F::Rgba8Snorm, [nan, -2.0, 2.0, -0.5]), [0, 0x81, 127, (-63i8) as u8]);
        assert_eq!(written(F::Bgra8UnormSrgb, [1.0, 0.0, 0.0, 1.0]), [0, 0, 255, 255]);
        assert_eq!(written(F::R32Float, [-nan, 0.0, 0.0, 0.0]), 0x7FC0_0000u32.to_le_bytes());
        assert_eq!(written(F::R16Float, [nan, 0.0, 0.0, 0.0]), 0x7E00u16.to_le_bytes());
        assert_eq!(written(F::Rgb10a2Unorm, [1.0, 0.0, 0.0, 1.0 / 3.0]), (1023u32 | 1 << 30).to_le_bytes());
        assert_eq!(written(F::Depth16Unorm, [0.5, 9.0, 9.0, 9.0]), 32768u16.to_le_bytes());
        let f = format(F::Rgba8Sint);
        let mut texel = [0; 4];
        f.encode_integers([200, -200i32 as u32, 5, -5i32 as u32], &mut texel);
        assert_eq!(texel, [127, 0x80, 5, 0xFB]);
    }

    #[test]
    fn the_table_agrees_with_wgpu_on_bytes_and_kinds() {
        for what in EVERY_FORMAT {
            for aspect in [wgt::TextureAspect::All, wgt::TextureAspect::StencilOnly, wgt::TextureAspect::DepthOnly] {
                let f = Format::new(what, aspect);
                if let Some(bytes) = what.block_copy_size(Some(aspect)) {
                    assert_eq!(f.bytes as u32, bytes, "{what:?} {aspect:?}");
                }
                let kind = match what.sample_type(Some(aspect), None) {
                    Some(wgt::TextureSampleType::Uint) => Kind::Uint,
                    Some(wgt::TextureSampleType::Sint) => Kind::Sint,
                    Some(_) => Kind::Float,
                    None => continue,
                };
                assert_eq!(f.kind, kind, "{what:?} {aspect:?}");
            }
            assert_eq!(format(what).srgb, what.is_srgb(), "{what:?}");
            if !what.has_stencil_aspect() {
                assert_eq!(format(what).components, what.components(), "{what:?}");
            }
        }
    }
}
