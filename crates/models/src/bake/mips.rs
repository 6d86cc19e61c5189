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

/// Levels 1 and up, largest first, down to 1 x 1 or as many as `level_max` (the highest level wanted) allows. Level 0
/// is the image itself and not repeated. Texels keep their type. Levels that the image stores are taken as they are;
/// those missing below are made from the smallest one stored.
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
    let mut above: Option<Plane> = None;
    let mut made = Vec::new();
    for level in levels.len() + 1..=last {
        let plane = match &above {
            Some(plane) => halved([plane.width, plane.height], use_, |index| plane.texels[index]),
            None => {
                let size = [start.width_px, start.height_px];
                // The largest level is decoded where it is read: as numbers it would be four times the image.
                match &start.texels {
                    Texels::Rgba8(texels) => halved(size, use_, |index| decode.bytes(four(texels, index))),
                    Texels::Rgba16(texels) => halved(size, use_, |index| decode.words(four(texels, index))),
                    Texels::Rgba32Float(texels) => halved(size, use_, |index| four(texels, index)),
                }
            }
        };
        made.push(level_of(level, decode.encode(&plane.texels, &image.texels)));
        above = Some(plane);
    }
    levels.extend(made);
    levels
}

#[inline(always)]
fn four<T: Copy>(values: &[T], index: usize) -> [T; 4] {
    let texel = &values[index * 4..index * 4 + 4];
    [texel[0], texel[1], texel[2], texel[3]]
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

/// The level below one of this size, whose texels are asked for row by row.
#[inline(always)]
fn halved(size: [u32; 2], use_: MipUse, texel: impl Fn(usize) -> [f32; 4]) -> Plane {
    // A loop of its own for each use.
    match use_ {
        MipUse::Color => halved_for(size, MipUse::Color, texel),
        MipUse::Data => halved_for(size, MipUse::Data, texel),
        MipUse::Normal => halved_for(size, MipUse::Normal, texel),
    }
}

#[inline(always)]
fn halved_for([from_width, from_height]: [u32; 2], use_: MipUse, texel: impl Fn(usize) -> [f32; 4]) -> Plane {
    let (width, height) = ((from_width / 2).max(1), (from_height / 2).max(1));
    let mut texels = Vec::with_capacity(width as usize * height as usize);
    let stride = from_width as usize;
    if from_width % 2 == 0 && from_height % 2 == 0 {
        for upper in (0..height as usize).map(|row| row * 2 * stride) {
            for at in (0..width as usize).map(|column| upper + column * 2) {
                let mut sum = Sum::default();
                for index in [at, at + 1, at + stride, at + stride + 1] {
                    sum.add(texel(index), 0.25, use_);
                }
                texels.push(sum.finish(use_));
            }
        }
        return Plane { width, height, texels };
    }
    let columns = shares(from_width, width);
    let rows = shares(from_height, height);
    for row in &rows {
        for column in &columns {
            let mut sum = Sum::default();
            for (y, share_y) in row {
                for (x, share_x) in column {
                    sum.add(texel(*y as usize * stride + *x as usize), share_y * share_x, use_);
                }
            }
            texels.push(sum.finish(use_));
        }
    }
    Plane { width, height, texels }
}

/// Texels so far, each times its share.
#[derive(Default)]
struct Sum {
    weighted: [f32; 4],
    /// Without regard to alpha.
    plain: [f32; 3],
}

impl Sum {
    #[inline(always)]
    fn add(&mut self, texel: [f32; 4], share: f32, use_: MipUse) {
        let color_share = if use_ == MipUse::Color { share * texel[3] } else { share };
        for channel in 0..3 {
            self.weighted[channel] += texel[channel] * color_share;
            self.plain[channel] += texel[channel] * share;
        }
        self.weighted[3] += texel[3] * share;
    }

    #[inline(always)]
    fn finish(self, use_: MipUse) -> [f32; 4] {
        finish(self.weighted, self.plain, use_)
    }
}

#[inline(always)]
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

    #[inline(always)]
    fn bytes(&self, texel: [u8; 4]) -> [f32; 4] {
        let [r, g, b] = [texel[0], texel[1], texel[2]].map(|c| match self {
            Decode::Srgb => colour::LINEAR_FROM_SRGB8[c as usize],
            Decode::Direction => f32::from(c) / 255.0 * 2.0 - 1.0,
            _ => f32::from(c) / 255.0,
        });
        [r, g, b, f32::from(texel[3]) / 255.0]
    }

    #[inline(always)]
    fn words(&self, texel: [u16; 4]) -> [f32; 4] {
        let [r, g, b] = [texel[0], texel[1], texel[2]].map(|c| {
            let unit = f32::from(c) / 65535.0;
            match self {
                Decode::Srgb => colour::linear_from_srgb(unit),
                Decode::Direction => unit * 2.0 - 1.0,
                _ => unit,
            }
        });
        [r, g, b, f32::from(texel[3]) / 65535.0]
    }

    /// Texels of the same type as `like`.
    fn encode(&self, texels: &[[f32; 4]], like: &Texels) -> Texels {
        match like {
            Texels::Rgba8(_) => {
                let mut out = Vec::with_capacity(texels.len() * 4);
                for [r, g, b, a] in texels {
                    let [r, g, b] = [r, g, b].map(|c| match self {
                        Decode::Srgb => colour::srgb8_from_linear(*c),
                        Decode::Direction => code(c * 0.5 + 0.5, 255.0) as u8,
                        _ => code(*c, 255.0) as u8,
                    });
                    out.extend_from_slice(&[r, g, b, code(*a, 255.0) as u8]);
                }
                Texels::Rgba8(out)
            }
            Texels::Rgba16(_) => {
                let mut out = Vec::with_capacity(texels.len() * 4);
                for [r, g, b, a] in texels {
                    let [r, g, b] = [r, g, b].map(|c| match self {
                        Decode::Srgb => code(colour::srgb_from_linear(*c), 65535.0) as u16,
                        Decode::Direction => code(c * 0.5 + 0.5, 65535.0) as u16,
                        _ => code(*c, 65535.0) as u16,
                    });
                    out.extend_from_slice(&[r, g, b, code(*a, 65535.0) as u16]);
                }
                Texels::Rgba16(out)
            }
            Texels::Rgba32Float(_) => Texels::Rgba32Float(texels.as_flattened().to_vec()),
        }
    }
}

/// The nearest whole step of 0..1.
fn code(unit: f32, steps: f32) -> u32 {
    // What is not negative loses its fraction in the conversion.
    (unit.clamp(0.0, 1.0) * steps + 0.5) as u32
}
