//! Mip levels: each texel is the mean of the area it covers on the level above, in the space where means make sense.
//!
//! Colour is averaged as linear light, weighted by alpha, so that hidden texels do not bleed; data is averaged as it
//! stands; normal maps are averaged as vectors and made unit again. Sizes halve rounding down, and where a side is odd
//! the box covers parts of texels. Sums run row by row, left to right, in f32.

use crate::asset::{Image, Texels};
use stillframe_base::math::colour;

/// What an image means, hence how it is averaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MipUse {
    /// 8- and 16-bit texels are sRGB, floats linear; alpha is coverage.
    Color,
    /// Roughness, metalness, occlusion: every channel by itself.
    Data,
    /// RGB is a direction, `2 c - 1`; alpha by itself.
    Normal,
}

/// Levels of a full chain: 1 + floor(log2(longer side)).
pub fn level_count(width_px: u32, height_px: u32) -> u32 {
    u32::BITS - width_px.max(height_px).max(1).leading_zeros()
}

/// Levels 1 and up, largest first, down to 1 x 1 or as many as `level_max` (the highest level wanted) allows. Level 0 is
/// the image itself and not repeated. Texels keep their type. Levels that the image stores are taken as they are; those
/// missing below are made from the smallest one stored.
pub fn mips(image: &Image, use_: MipUse, level_max: Option<u32>) -> Vec<Image> {
    let last = (level_count(image.width_px, image.height_px) - 1).min(level_max.unwrap_or(u32::MAX)) as usize;
    let level_of = |level: usize, texels: Texels| Image {
        name: image.name.clone(),
        width_px: (image.width_px >> level).max(1),
        height_px: (image.height_px >> level).max(1),
        texels,
        levels: Vec::new(),
    };
    let mut levels: Vec<Image> =
        image.levels.iter().take(last).enumerate().map(|(index, texels)| level_of(index + 1, texels.clone())).collect();
    if levels.len() == last {
        return levels;
    }
    let start = levels.last().unwrap_or(image);
    let decode = Decode::of(&start.texels, use_);
    let mut above = Plane { width: start.width_px, height: start.height_px, texels: decode.all(&start.texels) };
    for level in levels.len() + 1..=last {
        above = above.halved(use_);
        levels.push(level_of(level, decode.encode(&above.texels, &image.texels)));
    }
    levels
}

/// Texels as numbers whose mean makes sense.
struct Plane {
    width: u32,
    height: u32,
    texels: Vec<[f32; 4]>,
}

/// A texel of the level above and its share of the texel below.
type Shares = Vec<Vec<(u32, f32)>>;

/// For each texel of `to` along a side of `from`: which texels it covers, and how much of each. Shares sum to 1.
fn shares(from: u32, to: u32) -> Shares {
    let (from64, to64) = (u64::from(from), u64::from(to));
    (0..to64)
        .map(|place| {
            // In units of 1 / to of a texel, the box is [place * from, (place + 1) * from).
            let (start, end) = (place * from64, (place + 1) * from64);
            (start / to64..end.div_ceil(to64))
                .map(|texel| {
                    let covered = end.min((texel + 1) * to64) - start.max(texel * to64);
                    (texel as u32, covered as f32 / from64 as f32)
                })
                .collect()
        })
        .collect()
}

impl Plane {
    fn halved(&self, use_: MipUse) -> Plane {
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let columns = shares(self.width, width);
        let rows = shares(self.height, height);
        let mut texels = Vec::with_capacity(width as usize * height as usize);
        for row in &rows {
            for column in &columns {
                let mut sum = [0.0_f32; 4];
                let mut plain = [0.0_f32; 3];
                for (y, share_y) in row {
                    for (x, share_x) in column {
                        let texel = self.texels[*y as usize * self.width as usize + *x as usize];
                        let share = share_y * share_x;
                        let color_share = if use_ == MipUse::Color { share * texel[3] } else { share };
                        for channel in 0..3 {
                            sum[channel] += texel[channel] * color_share;
                            plain[channel] += texel[channel] * share;
                        }
                        sum[3] += texel[3] * share;
                    }
                }
                texels.push(finish(sum, plain, use_));
            }
        }
        Plane { width, height, texels }
    }
}

fn finish(sum: [f32; 4], plain: [f32; 3], use_: MipUse) -> [f32; 4] {
    let [r, g, b, a] = sum;
    match use_ {
        MipUse::Data => sum,
        // Where nothing is visible the colour still counts for linear filtering.
        MipUse::Color if a <= 0.0 => [plain[0], plain[1], plain[2], a],
        MipUse::Color => [r / a, g / a, b / a, a],
        MipUse::Normal => {
            let length = (r * r + g * g + b * b).sqrt();
            if length > 1e-6 { [r / length, g / length, b / length, a] } else { [0.0, 0.0, 1.0, a] }
        }
    }
}

/// How stored texels become numbers and back.
enum Decode {
    Srgb,
    Unorm,
    Direction,
    Float,
}

impl Decode {
    fn of(texels: &Texels, use_: MipUse) -> Decode {
        match (texels, use_) {
            (Texels::Rgba32Float(_), _) => Decode::Float,
            (_, MipUse::Normal) => Decode::Direction,
            (_, MipUse::Data) => Decode::Unorm,
            (_, MipUse::Color) => Decode::Srgb,
        }
    }

    fn all(&self, texels: &Texels) -> Vec<[f32; 4]> {
        match texels {
            Texels::Rgba8(bytes) => bytes
                .chunks_exact(4)
                .map(|t| {
                    let alpha = f32::from(t[3]) / 255.0;
                    let rgb = [t[0], t[1], t[2]].map(|c| match self {
                        Decode::Srgb => colour::LINEAR_FROM_SRGB8[c as usize],
                        Decode::Direction => f32::from(c) / 255.0 * 2.0 - 1.0,
                        _ => f32::from(c) / 255.0,
                    });
                    [rgb[0], rgb[1], rgb[2], alpha]
                })
                .collect(),
            Texels::Rgba16(words) => words
                .chunks_exact(4)
                .map(|t| {
                    let alpha = f32::from(t[3]) / 65535.0;
                    let rgb = [t[0], t[1], t[2]].map(|c| {
                        let unit = f32::from(c) / 65535.0;
                        match self {
                            Decode::Srgb => colour::linear_from_srgb(unit),
                            Decode::Direction => unit * 2.0 - 1.0,
                            _ => unit,
                        }
                    });
                    [rgb[0], rgb[1], rgb[2], alpha]
                })
                .collect(),
            Texels::Rgba32Float(floats) => floats.chunks_exact(4).map(|t| [t[0], t[1], t[2], t[3]]).collect(),
        }
    }

    fn encode(&self, texels: &[[f32; 4]], like: &Texels) -> Texels {
        match like {
            Texels::Rgba8(_) => Texels::Rgba8(
                texels
                    .iter()
                    .flat_map(|[r, g, b, a]| {
                        let rgb = [r, g, b].map(|c| match self {
                            Decode::Srgb => colour::srgb8_from_linear(*c),
                            Decode::Direction => code(c * 0.5 + 0.5, 255.0) as u8,
                            _ => code(*c, 255.0) as u8,
                        });
                        [rgb[0], rgb[1], rgb[2], code(*a, 255.0) as u8]
                    })
                    .collect(),
            ),
            Texels::Rgba16(_) => Texels::Rgba16(
                texels
                    .iter()
                    .flat_map(|[r, g, b, a]| {
                        let rgb = [r, g, b].map(|c| match self {
                            Decode::Srgb => code(colour::srgb_from_linear(*c), 65535.0) as u16,
                            Decode::Direction => code(c * 0.5 + 0.5, 65535.0) as u16,
                            _ => code(*c, 65535.0) as u16,
                        });
                        [rgb[0], rgb[1], rgb[2], code(*a, 65535.0) as u16]
                    })
                    .collect(),
            ),
            Texels::Rgba32Float(_) => Texels::Rgba32Float(texels.iter().flatten().copied().collect()),
        }
    }
}

/// The nearest whole step of 0..1.
fn code(unit: f32, steps: f32) -> u32 {
    (unit.clamp(0.0, 1.0) * steps + 0.5).floor() as u32
}
