//! Block compression: 4x4 texels in 8 or 16 bytes. Source: the Direct3D 11 functional specification with the choices of
//! `docs/adapter-rules.md`, Block compression.

use wgpu_types::TextureFormat;

use super::bptc;
use super::texel::f16_to_f32;
use super::value::Scalar;

/// The plain format whose raw values a compressed format has.
pub fn as_uncompressed(format: TextureFormat) -> Option<TextureFormat> {
    use TextureFormat as Tf;
    Some(match format {
        Tf::Bc1RgbaUnorm | Tf::Bc2RgbaUnorm | Tf::Bc3RgbaUnorm | Tf::Bc7RgbaUnorm => Tf::Rgba8Unorm,
        Tf::Bc1RgbaUnormSrgb | Tf::Bc2RgbaUnormSrgb | Tf::Bc3RgbaUnormSrgb | Tf::Bc7RgbaUnormSrgb => Tf::Rgba8UnormSrgb,
        Tf::Bc4RUnorm => Tf::R8Unorm,
        Tf::Bc4RSnorm => Tf::R8Snorm,
        Tf::Bc5RgUnorm => Tf::Rg8Unorm,
        Tf::Bc5RgSnorm => Tf::Rg8Snorm,
        Tf::Bc6hRgbUfloat | Tf::Bc6hRgbFloat => Tf::Rgb9e5Ufloat,
        _ => return None,
    })
}

pub fn is_compressed(format: TextureFormat) -> bool {
    as_uncompressed(format).is_some()
}

/// The raw value of one texel of a block.
pub fn raw(format: TextureFormat, block: &[u8], x: u32, y: u32) -> [Scalar; 4] {
    use TextureFormat as Tf;
    let at = (y * 4 + x) as usize;
    let eight = |bytes: [u8; 4]| {
        let plain = as_uncompressed(format).expect("a compressed format");
        super::texel::raw(plain, wgpu_types::TextureAspect::All, &bytes)
    };
    let single = |r: f32, g: f32| [Scalar::F32(r), Scalar::F32(g), Scalar::F32(0.0), Scalar::F32(1.0)];
    match format {
        Tf::Bc1RgbaUnorm | Tf::Bc1RgbaUnormSrgb => eight(color(block, at, true)),
        Tf::Bc2RgbaUnorm | Tf::Bc2RgbaUnormSrgb => {
            let [r, g, b, _] = color(&block[8..], at, false);
            eight([r, g, b, (block[at / 2] >> (at % 2 * 4) & 15) * 17])
        }
        Tf::Bc3RgbaUnorm | Tf::Bc3RgbaUnormSrgb => {
            let [r, g, b, _] = color(&block[8..], at, false);
            let [r, g, b, _] = eight([r, g, b, 255]);
            [r, g, b, Scalar::F32(ramp(block, at, false))]
        }
        Tf::Bc4RUnorm | Tf::Bc4RSnorm => single(ramp(block, at, format == Tf::Bc4RSnorm), 0.0),
        Tf::Bc5RgUnorm | Tf::Bc5RgSnorm => {
            let signed = format == Tf::Bc5RgSnorm;
            single(ramp(block, at, signed), ramp(&block[8..], at, signed))
        }
        Tf::Bc7RgbaUnorm | Tf::Bc7RgbaUnormSrgb => eight(bptc::bc7(whole(block), at as u32)),
        Tf::Bc6hRgbUfloat | Tf::Bc6hRgbFloat => {
            let [r, g, b] = bptc::bc6h(whole(block), at as u32, format == Tf::Bc6hRgbFloat).map(f16_to_f32);
            [r, g, b, 1.0].map(Scalar::F32)
        }
        other => unreachable!("{other:?} is not a block format"),
    }
}

fn whole(block: &[u8]) -> u128 {
    u128::from_le_bytes(block.try_into().expect("16 bytes"))
}

/// Two 5:6:5 colours and a two-bit choice a texel. With three colours (first not above second) the fourth is
/// transparent.
fn color(block: &[u8], at: usize, may_be_three: bool) -> [u8; 4] {
    let ends = [0, 2].map(|i| u16::from_le_bytes([block[i], block[i + 1]]) as u32);
    let wide = ends.map(|c| {
        let (r, g, b) = (c >> 11, c >> 5 & 63, c & 31);
        [r << 3 | r >> 2, g << 2 | g >> 4, b << 3 | b >> 2]
    });
    let choice = block[4 + at / 4] >> (at % 4 * 2) & 3;
    let three = may_be_three && ends[0] <= ends[1];
    let mix = |f: &dyn Fn(u32, u32) -> u32| {
        let c: [u32; 3] = std::array::from_fn(|i| f(wide[0][i], wide[1][i]));
        [c[0] as u8, c[1] as u8, c[2] as u8, 255]
    };
    match (choice, three) {
        (0, _) => mix(&|a, _| a),
        (1, _) => mix(&|_, b| b),
        (2, true) => mix(&|a, b| (a + b).div_ceil(2)),
        (2, false) => mix(&|a, b| (2 * a + b + 1) / 3),
        (_, true) => [0; 4],
        (_, false) => mix(&|a, b| (a + 2 * b + 1) / 3),
    }
}

/// Two ends and a three-bit choice a texel: a number of 0..=255 or -127..=127.
fn ramp(block: &[u8], at: usize, signed: bool) -> f32 {
    let end = |byte: u8| if signed { (byte as i8 as i32).max(-127) } else { byte as i32 };
    let (a, b) = (end(block[0]), end(block[1]));
    let bits = block[2..8].iter().rev().fold(0u64, |all, &byte| all << 8 | byte as u64);
    let choice = (bits >> (3 * at) & 7) as i32;
    let steps = if a > b { 7 } else { 5 };
    let k = choice - 1;
    match choice {
        0 => a as f32,
        1 => b as f32,
        6 if steps == 5 => {
            if signed {
                -127.0
            } else {
                0.0
            }
        }
        7 if steps == 5 => {
            if signed {
                127.0
            } else {
                255.0
            }
        }
        _ => ((steps - k) * a + k * b) as f32 / steps as f32,
    }
}
