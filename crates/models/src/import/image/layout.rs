//! Layouts: how DDS and KTX2 lay out the texels of a level, and how these become ours.
//!
//! Blocks are decoded by `bcdec_rs`. One channel becomes grey. Two channels are taken as a normal map's x and y: blue
//! gets the third component of the unit vector. Missing alpha is 1.

use stillframe_base::math::pack::{f32_from_f16, f32_from_rg11b10, f32_from_rgb9e5};

use crate::asset::Texels;
use crate::import::size::Size;

/// Texels of one level, row by row or block by block, without padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    Bc1,
    Bc2,
    Bc3,
    Bc4 {
        signed: bool,
    },
    Bc5 {
        signed: bool,
    },
    Bc6h {
        signed: bool,
    },
    Bc7,
    /// Little-endian pixels of 1 to 4 bytes; masks of red, green, blue, alpha (0: not there). `grey`: red counts for
    /// all.
    Masks {
        pixel_bytes: u8,
        masks: [u32; 4],
        grey: bool,
    },
    /// This many 8-bit channels, red first.
    Unorm8(u8),
    Unorm16(u8),
    Half(u8),
    Float(u8),
    /// Three 9-bit mantissas with a common exponent.
    Rgb9e5,
    /// Unsigned floats of 11, 11 and 10 bits.
    Rg11b10,
}

/// Pixels of 4 bytes, blue first.
pub const BGRA8: Layout = Layout::Masks { pixel_bytes: 4, masks: [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000], grey: false };
pub const BGRX8: Layout = Layout::Masks { pixel_bytes: 4, masks: [0xFF_0000, 0xFF00, 0xFF, 0], grey: false };
pub const BGR8: Layout = Layout::Masks { pixel_bytes: 3, masks: [0xFF_0000, 0xFF00, 0xFF, 0], grey: false };
pub const RGB10A2: Layout =
    Layout::Masks { pixel_bytes: 4, masks: [0x3FF, 0xF_FC00, 0x3FF0_0000, 0xC000_0000], grey: false };
pub const B5G6R5: Layout = Layout::Masks { pixel_bytes: 2, masks: [0xF800, 0x7E0, 0x1F, 0], grey: false };
pub const B5G5R5A1: Layout = Layout::Masks { pixel_bytes: 2, masks: [0x7C00, 0x3E0, 0x1F, 0x8000], grey: false };
pub const B4G4R4A4: Layout = Layout::Masks { pixel_bytes: 2, masks: [0xF00, 0xF0, 0xF, 0xF000], grey: false };

impl Layout {
    /// Bytes of a level of this size in the file.
    pub fn level_bytes(self, size: Size) -> u64 {
        let texel_count = size.texel_count();
        let block_count = u64::from(size.width_px.div_ceil(4)) * u64::from(size.height_px.div_ceil(4));
        match self {
            Layout::Bc1 | Layout::Bc4 { .. } => block_count * 8,
            Layout::Bc2 | Layout::Bc3 | Layout::Bc5 { .. } | Layout::Bc6h { .. } | Layout::Bc7 => block_count * 16,
            Layout::Masks { pixel_bytes, .. } => texel_count * u64::from(pixel_bytes),
            Layout::Unorm8(channels) => texel_count * u64::from(channels),
            Layout::Unorm16(channels) | Layout::Half(channels) => texel_count * u64::from(channels) * 2,
            Layout::Float(channels) => texel_count * u64::from(channels) * 4,
            Layout::Rgb9e5 | Layout::Rg11b10 => texel_count * 4,
        }
    }

    /// Bytes of a decoded texel.
    pub fn kept_bytes(self) -> u64 {
        match self {
            Layout::Bc1 | Layout::Bc2 | Layout::Bc3 | Layout::Bc7 | Layout::Unorm8(_) => 4,
            Layout::Bc4 { signed } | Layout::Bc5 { signed } => {
                if signed {
                    8
                } else {
                    4
                }
            }
            Layout::Masks { masks, .. } => {
                if is_deep(masks) {
                    8
                } else {
                    4
                }
            }
            Layout::Unorm16(_) => 8,
            Layout::Bc6h { .. } | Layout::Half(_) | Layout::Float(_) | Layout::Rgb9e5 | Layout::Rg11b10 => 16,
        }
    }

    /// Decodes a level; `bytes` are as many as [`Layout::level_bytes`] says.
    pub fn decode(self, size: Size, bytes: &[u8]) -> Texels {
        let half = |at: &[u8]| f32_from_f16(u16::from_le_bytes([at[0], at[1]]));
        let word = |at: &[u8]| u32::from_le_bytes([at[0], at[1], at[2], at[3]]);
        let float = |at: &[u8]| f32::from_bits(word(at));
        let opaque = |[r, g, b]: [f32; 3]| [r, g, b, 1.0];
        match self {
            Layout::Bc1 => Texels::Rgba8(blocks(size, bytes, 8, 0_u8, |b, out| bcdec_rs::bc1(b, out, 16))),
            Layout::Bc2 => Texels::Rgba8(blocks(size, bytes, 16, 0_u8, |b, out| bcdec_rs::bc2(b, out, 16))),
            Layout::Bc3 => Texels::Rgba8(blocks(size, bytes, 16, 0_u8, |b, out| bcdec_rs::bc3(b, out, 16))),
            Layout::Bc7 => Texels::Rgba8(blocks(size, bytes, 16, 0_u8, |b, out| bcdec_rs::bc7(b, out, 16))),
            Layout::Bc4 { signed: false } => Texels::Rgba8(blocks(size, bytes, 8, 0_u8, |b, out| {
                let mut one = [0; 16];
                bcdec_rs::bc4(b, &mut one, 4, false);
                one.iter().zip(out.chunks_exact_mut(4)).for_each(|(v, t)| t.copy_from_slice(&[*v, *v, *v, 255]));
            })),
            Layout::Bc4 { signed: true } => Texels::Rgba16(blocks(size, bytes, 8, 0_u16, |b, out| {
                let mut one = [0.0; 16];
                bcdec_rs::bc4_float(b, &mut one, 4, true);
                for (v, texel) in one.iter().zip(out.chunks_exact_mut(4)) {
                    let code = code16(v * 0.5 + 0.5);
                    texel.copy_from_slice(&[code, code, code, 65535]);
                }
            })),
            Layout::Bc5 { signed: false } => Texels::Rgba8(blocks(size, bytes, 16, 0_u8, |b, out| {
                let mut two = [0; 32];
                bcdec_rs::bc5(b, &mut two, 8, false);
                two.chunks_exact(2)
                    .zip(out.chunks_exact_mut(4))
                    .for_each(|(v, t)| t.copy_from_slice(&unit8(v[0], v[1])));
            })),
            Layout::Bc5 { signed: true } => Texels::Rgba16(blocks(size, bytes, 16, 0_u16, |b, out| {
                let mut two = [0.0; 32];
                bcdec_rs::bc5_float(b, &mut two, 8, true);
                for (v, texel) in two.chunks_exact(2).zip(out.chunks_exact_mut(4)) {
                    let codes = [v[0], v[1], third(v[0], v[1])].map(|c| code16(c * 0.5 + 0.5));
                    texel.copy_from_slice(&[codes[0], codes[1], codes[2], 65535]);
                }
            })),
            Layout::Bc6h { signed } => Texels::Rgba32Float(blocks(size, bytes, 16, 0.0_f32, |b, out| {
                let mut three = [0; 48];
                bcdec_rs::bc6h_half(b, &mut three, 12, signed);
                for (v, texel) in three.chunks_exact(3).zip(out.chunks_exact_mut(4)) {
                    let [r, g, b] = [v[0], v[1], v[2]].map(f32_from_f16);
                    texel.copy_from_slice(&[r, g, b, 1.0]);
                }
            })),
            Layout::Masks { pixel_bytes, masks, grey } => masked(bytes, pixel_bytes as usize, masks, grey),
            Layout::Unorm8(channels) => Texels::Rgba8(each(bytes, channels, 1, |v| match *v {
                [grey] => [grey, grey, grey, 255],
                [x, y] => unit8(x, y),
                [r, g, b] => [r, g, b, 255],
                _ => [v[0], v[1], v[2], v[3]],
            })),
            Layout::Unorm16(channels) => Texels::Rgba16(each(bytes, channels, 2, |v| {
                let at = |i: usize| u16::from_le_bytes([v[i * 2], v[i * 2 + 1]]);
                match channels {
                    1 => [at(0), at(0), at(0), 65535],
                    2 => {
                        let [x, y] = [at(0), at(1)].map(|v| f32::from(v) / 65535.0 * 2.0 - 1.0);
                        [at(0), at(1), code16(third(x, y) * 0.5 + 0.5), 65535]
                    }
                    3 => [at(0), at(1), at(2), 65535],
                    _ => [at(0), at(1), at(2), at(3)],
                }
            })),
            Layout::Half(channels) => Texels::Rgba32Float(each(bytes, channels, 2, |v| floats(v, 2, half))),
            Layout::Float(channels) => Texels::Rgba32Float(each(bytes, channels, 4, |v| floats(v, 4, float))),
            Layout::Rgb9e5 => Texels::Rgba32Float(each(bytes, 4, 1, |v| opaque(f32_from_rgb9e5(word(v))))),
            Layout::Rg11b10 => Texels::Rgba32Float(each(bytes, 4, 1, |v| opaque(f32_from_rg11b10(word(v))))),
        }
    }
}

/// Decodes blocks of 4 x 4 texels; those at the right and bottom edges are cut.
fn blocks<T: Copy>(size: Size, bytes: &[u8], block_bytes: usize, zero: T, decode: impl Fn(&[u8], &mut [T])) -> Vec<T> {
    let (width, height) = (size.width_px as usize, size.height_px as usize);
    let mut out = vec![zero; width * height * 4];
    let mut block = [zero; 64];
    let across = width.div_ceil(4);
    for (number, bytes) in bytes.chunks_exact(block_bytes).enumerate() {
        decode(bytes, &mut block);
        let (left, top) = (number % across * 4, number / across * 4);
        let columns = (width - left).min(4);
        for row in 0..(height - top).min(4) {
            let start = ((top + row) * width + left) * 4;
            out[start..start + columns * 4].copy_from_slice(&block[row * 16..row * 16 + columns * 4]);
        }
    }
    out
}

fn each<T>(bytes: &[u8], channels: u8, channel_bytes: usize, texel: impl Fn(&[u8]) -> [T; 4]) -> Vec<T> {
    bytes.chunks_exact(usize::from(channels) * channel_bytes).flat_map(texel).collect()
}

fn floats(bytes: &[u8], channel_bytes: usize, read: impl Fn(&[u8]) -> f32) -> [f32; 4] {
    let at = |i: usize| read(&bytes[i * channel_bytes..]);
    match bytes.len() / channel_bytes {
        1 => [at(0), at(0), at(0), 1.0],
        2 => [at(0), at(1), third(at(0), at(1)), 1.0],
        3 => [at(0), at(1), at(2), 1.0],
        _ => [at(0), at(1), at(2), at(3)],
    }
}

/// The third component of a unit vector.
fn third(x: f32, y: f32) -> f32 {
    (1.0 - x * x - y * y).max(0.0).sqrt()
}

fn unit8(x: u8, y: u8) -> [u8; 4] {
    let [fx, fy] = [x, y].map(|v| f32::from(v) / 255.0 * 2.0 - 1.0);
    [x, y, ((third(fx, fy) * 0.5 + 0.5) * 255.0 + 0.5).floor() as u8, 255]
}

fn code16(unit: f32) -> u16 {
    (unit.clamp(0.0, 1.0) * 65535.0 + 0.5).floor() as u16
}

/// Whether some channel has more than 8 bits.
fn is_deep(masks: [u32; 4]) -> bool {
    masks.iter().any(|mask| mask.count_ones() > 8)
}

fn masked(bytes: &[u8], pixel_bytes: usize, masks: [u32; 4], grey: bool) -> Texels {
    let channel = |pixel: u32, mask: u32, steps: u64, missing: u64| {
        if mask == 0 {
            return missing;
        }
        let value = u64::from((pixel & mask) >> mask.trailing_zeros());
        let most = u64::from(mask >> mask.trailing_zeros());
        (value * steps + most / 2) / most
    };
    let texel = |pixel: &[u8], steps: u64| {
        let mut word = [0; 4];
        word[..pixel.len()].copy_from_slice(pixel);
        let word = u32::from_le_bytes(word);
        let [r, g, b] = [0, 1, 2].map(|c| channel(word, masks[c], steps, 0));
        let a = channel(word, masks[3], steps, steps);
        if grey { [r, r, r, a] } else { [r, g, b, a] }
    };
    let pixels = bytes.chunks_exact(pixel_bytes);
    if is_deep(masks) {
        Texels::Rgba16(pixels.flat_map(|p| texel(p, 65535).map(|v| v as u16)).collect())
    } else {
        Texels::Rgba8(pixels.flat_map(|p| texel(p, 255).map(|v| v as u8)).collect())
    }
}
