//! Block: texels of the compressed formats, BC1 to BC7. Rules: "Block compression".
//!
//! In: the bytes of one block, a place in it. Out: raw values before sRGB. Sources: the Direct3D 11 functional
//! specification, section 19.5 (BC1 to BC5); EXT_texture_compression_bptc, appendix (BC6H, BC7).

use stillframe_base::math::pack;
use wgpu_types as wgt;

use super::bptc;

/// Raw values of one texel of a block; `x` and `y` are 0 to 3.
pub fn raw(format: wgt::TextureFormat, block: &[u8; 16], x: u32, y: u32) -> [f32; 4] {
    use wgt::TextureFormat as F;
    let texel = y * 4 + x;
    match format {
        F::Bc1RgbaUnorm | F::Bc1RgbaUnormSrgb => color(&block[..8], texel, true).map(|v| v as f32),
        F::Bc2RgbaUnorm | F::Bc2RgbaUnormSrgb => {
            let [r, g, b, _] = color(&block[8..], texel, false);
            let alpha = u32::from(block[texel as usize / 2]) >> (texel % 2 * 4) & 15;
            [r, g, b, alpha * 17].map(|v| v as f32)
        }
        F::Bc3RgbaUnorm | F::Bc3RgbaUnormSrgb => {
            let [r, g, b, _] = color(&block[8..], texel, false).map(|v| v as f32);
            [r, g, b, line(&block[..8], texel, false)]
        }
        F::Bc4RUnorm => [line(&block[..8], texel, false), 0.0, 0.0, 1.0],
        F::Bc4RSnorm => [line(&block[..8], texel, true), 0.0, 0.0, 1.0],
        F::Bc5RgUnorm => [line(&block[..8], texel, false), line(&block[8..], texel, false), 0.0, 1.0],
        F::Bc5RgSnorm => [line(&block[..8], texel, true), line(&block[8..], texel, true), 0.0, 1.0],
        F::Bc6hRgbUfloat | F::Bc6hRgbFloat => {
            let halves = bptc::float(u128::from_le_bytes(*block), texel, format == F::Bc6hRgbFloat);
            let [r, g, b] = halves.map(pack::f32_from_f16);
            [r, g, b, 1.0]
        }
        F::Bc7RgbaUnorm | F::Bc7RgbaUnormSrgb => bptc::unorm(u128::from_le_bytes(*block), texel).map(|v| v as f32),
        _ => unreachable!("{format:?} is not offered"),
    }
}

/// Two colours of 5, 6 and 5 bits and two bits a texel. Three colours and transparent black only in BC1 (`punch`).
fn color(block: &[u8], texel: u32, punch: bool) -> [u32; 4] {
    let word = |at: usize| u32::from(u16::from_le_bytes([block[at], block[at + 1]]));
    let (low, high) = (word(0), word(2));
    let widen = |c: u32| {
        let (r, g, b) = (c >> 11, c >> 5 & 63, c & 31);
        [r << 3 | r >> 2, g << 2 | g >> 4, b << 3 | b >> 2]
    };
    let (a, b) = (widen(low), widen(high));
    let mix = |f: fn(u32, u32) -> u32| [f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2])];
    let four = !punch || low > high;
    let code = u32::from(block[4 + texel as usize / 4]) >> (texel % 4 * 2) & 3;
    let (rgb, alpha) = match (code, four) {
        (0, _) => (a, 255),
        (1, _) => (b, 255),
        (2, true) => (mix(|a, b| (2 * a + b + 1) / 3), 255),
        (2, false) => (mix(|a, b| (a + b).div_ceil(2)), 255),
        (_, true) => (mix(|a, b| (a + 2 * b + 1) / 3), 255),
        (_, false) => ([0; 3], 0),
    };
    [rgb[0], rgb[1], rgb[2], alpha]
}

/// Two ends of 8 bits and three bits a texel: eight steps, or six and the two extremes.
fn line(block: &[u8], texel: u32, signed: bool) -> f32 {
    let end = |byte: u8| if signed { i32::from(byte as i8).max(-127) } else { i32::from(byte) };
    let (a, b) = (end(block[0]), end(block[1]));
    let mut bytes = [0; 8];
    bytes[..6].copy_from_slice(&block[2..8]);
    let code = (u64::from_le_bytes(bytes) >> (texel * 3) & 7) as i32;
    let step = |n: i32| ((n + 1 - code) * a + (code - 1) * b) as f32 / n as f32;
    match code {
        0 => a as f32,
        1 => b as f32,
        _ if a > b => step(7),
        6 => {
            if signed {
                -127.0
            } else {
                0.0
            }
        }
        7 => {
            if signed {
                127.0
            } else {
                255.0
            }
        }
        _ => step(5),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgt::TextureFormat as F;

    /// A block whose bytes are `head` and then zeros.
    fn block(head: &[u8]) -> [u8; 16] {
        let mut block = [0; 16];
        block[..head.len()].copy_from_slice(head);
        block
    }

    #[test]
    fn four_colours_or_three_and_nothing() {
        // Red 31 and blue 31; codes 0, 1, 2, 3 in the first row.
        let four = block(&[0x00, 0xF8, 0x1F, 0x00, 0b1110_0100]);
        let three = block(&[0x1F, 0x00, 0x00, 0xF8, 0b1110_0100]);
        let row = |block: &[u8; 16], format: F| [0, 1, 2, 3].map(|x| raw(format, block, x, 0));
        let want = [[255., 0., 0., 255.], [0., 0., 255., 255.], [170., 0., 85., 255.], [85., 0., 170., 255.]];
        assert_eq!(row(&four, F::Bc1RgbaUnorm), want);
        let want = [[0., 0., 255., 255.], [255., 0., 0., 255.], [128., 0., 128., 255.], [0.; 4]];
        assert_eq!(row(&three, F::Bc1RgbaUnorm), want);
        // The colours of BC2 and BC3 never punch through.
        let mut explicit = block(&[0x0F, 0xF0]);
        explicit[8..].copy_from_slice(&three[..8]);
        assert_eq!(raw(F::Bc2RgbaUnorm, &explicit, 3, 0), [170., 0., 85., 255.]);
        assert_eq!(raw(F::Bc2RgbaUnorm, &explicit, 1, 0), [255., 0., 0., 0.]);
        assert_eq!(raw(F::Bc2RgbaUnorm, &explicit, 0, 0)[3], 255.0);
    }

    #[test]
    fn lines_of_eight_and_of_six_steps() {
        // Codes 0 to 7 in the first eight texels.
        let codes = 0o76543210u64.to_le_bytes();
        let with = |a: u8, b: u8| block(&[a, b, codes[0], codes[1], codes[2]]);
        let values =
            |block: &[u8; 16], format: F| [0, 1, 2, 3, 4, 5, 6, 7].map(|i| raw(format, block, i % 4, i / 4)[0]);
        let eight = [70., 0., 60., 50., 40., 30., 20., 10.];
        assert_eq!(values(&with(70, 0), F::Bc4RUnorm), eight);
        let six = [0., 50., 10., 20., 30., 40., 0., 255.];
        assert_eq!(values(&with(0, 50), F::Bc4RUnorm), six);
        let signed = [-127., 123., -77., -27., 23., 73., -127., 127.];
        assert_eq!(values(&with(0x80, 123), F::Bc4RSnorm), signed);
        assert_eq!(raw(F::Bc4RUnorm, &with(1, 0), 2, 0)[0], 6.0 / 7.0);
        let mut both = with(70, 0);
        both[8..].copy_from_slice(&with(0, 50)[..8]);
        assert_eq!(raw(F::Bc5RgUnorm, &both, 2, 0), [60.0, 10.0, 0.0, 1.0]);
        assert_eq!(raw(F::Bc3RgbaUnorm, &both, 2, 0)[3], 60.0);
    }
}
