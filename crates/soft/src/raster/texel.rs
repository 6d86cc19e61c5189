//! Texel: lanes of colour become words of a tile and back.
//!
//! In: four components by lane. Out: the words that the texel's bytes make, little endian; formats below 32 bits use
//! the low bits of one word. The formats are `store::format`'s: common ones have kernels here, equal bit for bit to
//! that table, the others go through it texel by texel.

use stillframe_base::lanes::{Block, Isa, LANES, per_isa};
use stillframe_base::math::{colour, pack};
use wgpu_types::{ColorWrites, TextureAspect, TextureFormat};

use crate::store::format::{Coding, Format, Kind, Scale, canonical};

/// A colour format as tiles hold it.
#[derive(Clone, Copy, Debug)]
pub struct Texel {
    pub format: Format,
    /// Words of a sample: 1, 2 or 4.
    pub words: usize,
    path: Path,
}

/// Which kernels serve a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Path {
    Unorm8,
    Srgb8,
    Float16,
    Float32,
    Table,
}

impl Texel {
    pub fn new(format: TextureFormat) -> Texel {
        let format = Format::new(format, TextureAspect::All);
        let path = match format.coding {
            Coding::Unorm8 if format.srgb => Path::Srgb8,
            Coding::Unorm8 => Path::Unorm8,
            Coding::Float16 => Path::Float16,
            Coding::Float32 => Path::Float32,
            _ => Path::Table,
        };
        Texel { format, words: format.bytes.div_ceil(4), path }
    }

    /// The words of lanes `0..lanes`, from units of a float format or integers of the others.
    pub fn encode(&self, kernels: &Kernels, value: [&Block; 4], out: &mut [Block; 4], lanes: usize) {
        let lanes = lanes.next_multiple_of(16).min(LANES);
        let components = self.format.components as usize;
        match self.path {
            Path::Unorm8 => (kernels.encode_unorm8)(out, value, components, self.format.bgra, lanes),
            Path::Srgb8 => (kernels.encode_srgb8)(out, value, self.format.bgra, lanes),
            Path::Float16 => (kernels.encode_float16)(out, value, components, lanes),
            Path::Float32 => (kernels.encode_float32)(out, value, components, lanes),
            Path::Table => {
                for lane in 0..lanes {
                    let words = self.encode_one([0, 1, 2, 3].map(|k| value[k].0[lane]));
                    for k in 0..self.words {
                        out[k].0[lane] = words[k];
                    }
                }
            }
        }
    }

    /// The words of one texel.
    pub fn encode_one(&self, value: [u32; 4]) -> [u32; 4] {
        let mut bytes = [0; 16];
        self.format.encode_bits(value, &mut bytes[..self.format.bytes]);
        bytemuck::cast::<[u8; 16], [u32; 4]>(bytes).map(u32::from_le)
    }

    /// Units of a float format, of lanes `0..lanes`.
    pub fn decode(&self, kernels: &Kernels, words: &[Block; 4], out: &mut [Block; 4], lanes: usize) {
        let lanes = lanes.next_multiple_of(16).min(LANES);
        let components = self.format.components as usize;
        match self.path {
            Path::Unorm8 => (kernels.decode_unorm8)(out, words, components, self.format.bgra, lanes),
            Path::Srgb8 => (kernels.decode_srgb8)(out, words, self.format.bgra, lanes),
            Path::Float16 => (kernels.decode_float16)(out, words, components, lanes),
            Path::Float32 | Path::Table => {
                for lane in 0..lanes {
                    let bytes: [u8; 16] = bytemuck::cast([0, 1, 2, 3].map(|k| words[k].0[lane].to_le()));
                    let value = self.format.decode(&bytes[..self.format.bytes]);
                    for k in 0..4 {
                        out[k].0[lane] = value[k].to_bits();
                    }
                }
            }
        }
    }

    /// The bits of each word that a write mask lets through.
    pub fn write_bits(&self, mask: ColorWrites) -> [u32; 4] {
        let mut bits = [0; 4];
        let mut at = 0;
        for place in 0..self.format.components as usize {
            let size = match self.format.coding {
                Coding::Unorm1010102 | Coding::Uint1010102 => [10, 10, 10, 2][place],
                Coding::Float111110 => [11, 11, 10][place],
                _ => self.format.bytes * 8 / self.format.components as usize,
            };
            let component = if self.format.bgra && place < 3 { 2 - place } else { place };
            if mask.bits() >> component & 1 == 1 {
                bits[at / 32] |= (((1u64 << size) - 1) << (at % 32)) as u32;
            }
            at += size;
        }
        bits
    }

    /// What blending clamps its inputs to: the lowest value, for unorm and snorm.
    pub fn clamp_low(&self) -> Option<f32> {
        match self.format.coding {
            Coding::Unorm8 | Coding::Unorm16 | Coding::Unorm1010102 => Some(0.0),
            Coding::Snorm8 | Coding::Snorm16 => Some(-1.0),
            _ => None,
        }
    }

    /// Whether four equal samples resolve to the same bits: small significands, one pattern a value.
    pub fn mean_of_equals_is_itself(&self) -> bool {
        matches!(self.path, Path::Unorm8 | Path::Srgb8 | Path::Float16)
    }

    /// Whether the components are integers, which neither blend nor resolve.
    pub fn is_integer(&self) -> bool {
        self.format.kind != Kind::Float
    }
}

type Encode = fn(&mut [Block; 4], [&Block; 4], usize, usize);
type Encode8 = fn(&mut [Block; 4], [&Block; 4], usize, bool, usize);

/// The kernels of one instruction set.
#[derive(Clone, Copy, Debug)]
pub struct Kernels {
    encode_unorm8: Encode8,
    encode_srgb8: fn(&mut [Block; 4], [&Block; 4], bool, usize),
    encode_float16: Encode,
    encode_float32: Encode,
    decode_unorm8: fn(&mut [Block; 4], &[Block; 4], usize, bool, usize),
    decode_srgb8: fn(&mut [Block; 4], &[Block; 4], bool, usize),
    decode_float16: fn(&mut [Block; 4], &[Block; 4], usize, usize),
}

impl Kernels {
    pub fn new(isa: Isa) -> Kernels {
        Kernels {
            encode_unorm8: encode_unorm8(isa),
            encode_srgb8: encode_srgb8(isa),
            encode_float16: encode_float16(isa),
            encode_float32: encode_float32(isa),
            decode_unorm8: decode_unorm8(isa),
            decode_srgb8: decode_srgb8(isa),
            decode_float16: decode_float16(isa),
        }
    }
}

#[inline(always)]
fn unorm8(value: f32) -> u32 {
    pack::unorm_from_f32(value, 8)
}

#[inline(always)]
fn half(value: f32) -> u32 {
    u32::from(pack::f16_from_f32(value))
}

per_isa! {
    fn encode_unorm8(out: &mut [Block; 4], value: [&Block; 4], components: usize, bgra: bool, lanes: usize) {
        let [r, g, b, a] = value.map(|v| &v.as_f32()[..lanes]);
        let (r, b) = if bgra { (b, r) } else { (r, b) };
        let out = &mut out[0].0[..lanes];
        match components {
            1 => for i in Isa::each::<LEVEL>(lanes) {
                out[i] = unorm8(r[i]);
            },
            2 => for i in Isa::each::<LEVEL>(lanes) {
                out[i] = unorm8(r[i]) | unorm8(g[i]) << 8;
            },
            _ => for i in Isa::each::<LEVEL>(lanes) {
                out[i] = unorm8(r[i]) | unorm8(g[i]) << 8 | unorm8(b[i]) << 16 | unorm8(a[i]) << 24;
            },
        }
    }

    fn encode_srgb8(out: &mut [Block; 4], value: [&Block; 4], bgra: bool, lanes: usize) {
        let [r, g, b, a] = value.map(|v| &v.as_f32()[..lanes]);
        let (r, b) = if bgra { (b, r) } else { (r, b) };
        let out = &mut out[0].0[..lanes];
        for i in Isa::each::<LEVEL>(lanes) {
            let [r, g, b] = [r[i], g[i], b[i]].map(|v| u32::from(colour::srgb8_from_linear(v)));
            out[i] = r | g << 8 | b << 16 | unorm8(a[i]) << 24;
        }
    }

    fn encode_float16(out: &mut [Block; 4], value: [&Block; 4], components: usize, lanes: usize) {
        let [r, g, b, a] = value.map(|v| &v.as_f32()[..lanes]);
        let [low, high, ..] = out;
        let (low, high) = (&mut low.0[..lanes], &mut high.0[..lanes]);
        if components == 1 {
            for i in Isa::each::<LEVEL>(lanes) {
                low[i] = half(r[i]);
            }
        } else {
            for i in Isa::each::<LEVEL>(lanes) {
                low[i] = half(r[i]) | half(g[i]) << 16;
            }
        }
        if components == 4 {
            for i in Isa::each::<LEVEL>(lanes) {
                high[i] = half(b[i]) | half(a[i]) << 16;
            }
        }
    }

    fn encode_float32(out: &mut [Block; 4], value: [&Block; 4], components: usize, lanes: usize) {
        for k in 0..components {
            let (out, value) = (&mut out[k].0[..lanes], &value[k].as_f32()[..lanes]);
            for i in Isa::each::<LEVEL>(lanes) {
                out[i] = canonical(value[i]);
            }
        }
    }

    fn decode_unorm8(out: &mut [Block; 4], words: &[Block; 4], components: usize, bgra: bool, lanes: usize) {
        let words = &words[0].0[..lanes];
        for k in 0..4 {
            let out = &mut out[if bgra && k < 3 { 2 - k } else { k }].as_f32_mut()[..lanes];
            if k < components {
                let shift = 8 * k as u32;
                for i in Isa::each::<LEVEL>(lanes) {
                    let raw = (words[i] >> shift & 255) as i32 as f32;
                    out[i] = raw * SCALE_8.high + raw * SCALE_8.low;
                }
            } else {
                out.fill(if k == 3 { 1.0 } else { 0.0 });
            }
        }
    }

    fn decode_srgb8(out: &mut [Block; 4], words: &[Block; 4], bgra: bool, lanes: usize) {
        let words = &words[0].0[..lanes];
        for k in 0..3 {
            let out = &mut out[if bgra { 2 - k } else { k }].as_f32_mut()[..lanes];
            for i in Isa::each::<LEVEL>(lanes) {
                out[i] = colour::LINEAR_FROM_SRGB8[(words[i] >> (8 * k) & 255) as usize];
            }
        }
        let out = &mut out[3].as_f32_mut()[..lanes];
        for i in Isa::each::<LEVEL>(lanes) {
            let raw = (words[i] >> 24) as i32 as f32;
            out[i] = raw * SCALE_8.high + raw * SCALE_8.low;
        }
    }

    fn decode_float16(out: &mut [Block; 4], words: &[Block; 4], components: usize, lanes: usize) {
        for k in 0..4 {
            let (words, out) = (&words[k / 2].0[..lanes], &mut out[k].as_f32_mut()[..lanes]);
            if k < components {
                let shift = 16 * (k as u32 & 1);
                for i in Isa::each::<LEVEL>(lanes) {
                    out[i] = pack::f32_from_f16((words[i] >> shift) as u16);
                }
            } else {
                out.fill(if k == 3 { 1.0 } else { 0.0 });
            }
        }
    }
}

/// 8-bit unorm, as the table has it.
const SCALE_8: Scale = Format::new(TextureFormat::Rgba8Unorm, TextureAspect::All).scale();

#[cfg(test)]
mod tests {
    use super::*;

    /// Bits around everything that rounds or clamps.
    fn interesting() -> Vec<u32> {
        let mut bits = vec![0, 0x8000_0000, 0x7F80_0000, 0xFF80_0000, 0x7FC0_0000, 0xFFC0_1234, 0x7F80_0001, 1];
        for k in 0..2000u32 {
            bits.push(k.wrapping_mul(0x9E37_79B9));
            bits.push(0x3300_0000 + k * 0x1_0000 / 3 * 7);
            bits.push((k as f32 / 510.0 - 0.5).to_bits());
            bits.push(0x477F_E000 + k * 4);
        }
        bits
    }

    #[test]
    fn kernels_agree_with_the_table() {
        use TextureFormat as F;
        let bits = interesting();
        let mut value = [Block::ZERO; 4];
        for isa in Isa::available() {
            let kernels = Kernels::new(isa);
            for format in [
                F::R8Unorm,
                F::Rg8Unorm,
                F::Rgba8Unorm,
                F::Bgra8Unorm,
                F::Rgba8UnormSrgb,
                F::Bgra8UnormSrgb,
                F::R16Float,
                F::Rg16Float,
                F::Rgba16Float,
                F::R32Float,
                F::Rg32Float,
                F::Rgba32Float,
                F::Rgb10a2Unorm,
                F::Rgba8Snorm,
                F::Rg11b10Ufloat,
                F::R8Uint,
                F::Rgba16Sint,
                F::Rgba32Uint,
                F::Rgb10a2Uint,
            ] {
                let texel = Texel::new(format);
                for chunk in bits.chunks_exact(LANES) {
                    for lane in 0..LANES {
                        for k in 0..4 {
                            value[k].0[lane] = chunk[(lane + k * 37) % LANES];
                        }
                    }
                    let mut words = [Block::ZERO; 4];
                    texel.encode(&kernels, [&value[0], &value[1], &value[2], &value[3]], &mut words, LANES);
                    for lane in 0..LANES {
                        let want = texel.encode_one([0, 1, 2, 3].map(|k| value[k].0[lane]));
                        for k in 0..texel.words {
                            assert_eq!(words[k].0[lane], want[k], "{isa} {format:?} {:08x}", value[k].0[lane]);
                        }
                    }
                    if texel.is_integer() {
                        continue;
                    }
                    let mut out = [Block::ZERO; 4];
                    texel.decode(&kernels, &words, &mut out, LANES);
                    for lane in 0..LANES {
                        let bytes: [u8; 16] = bytemuck::cast([0, 1, 2, 3].map(|k| words[k].0[lane]));
                        let want = texel.format.decode(&bytes[..texel.format.bytes]);
                        for k in 0..4 {
                            assert_eq!(out[k].0[lane], want[k].to_bits(), "{isa} {format:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn masks_follow_the_components() {
        let bits = |format, mask| Texel::new(format).write_bits(mask);
        use ColorWrites as W;
        assert_eq!(bits(TextureFormat::Rgba8Unorm, W::RED)[0], 0xFF);
        assert_eq!(bits(TextureFormat::Bgra8Unorm, W::RED)[0], 0xFF_0000);
        assert_eq!(bits(TextureFormat::Rgba16Float, W::BLUE | W::ALPHA), [0, u32::MAX, 0, 0]);
        assert_eq!(bits(TextureFormat::Rgb10a2Unorm, W::GREEN)[0], 1023 << 10);
        assert_eq!(bits(TextureFormat::Rgba32Float, W::ALL), [u32::MAX; 4]);
        assert_eq!(bits(TextureFormat::R8Unorm, W::ALL)[0], 0xFF);
    }
}
