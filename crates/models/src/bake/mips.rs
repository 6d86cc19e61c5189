//! Mip levels: each texel is the mean of the area it covers on the level above, in the space where means make sense.
//!
//! Colour is averaged as linear light, weighted by alpha, so that hidden texels do not bleed; data is averaged as it
//! stands; normal maps are averaged as vectors and made unit again. Sizes halve rounding down, and where a side is odd
//! the box covers parts of texels. Sums run row by row, left to right, in f32.
//!
//! Means of alpha come ever nearer to its mean, so a cutoff leaves ever less of leaves, or ever more. Where the share
//! that it leaves is kept, alpha of each level is scaled (Castano 2010, "Computing alpha mipmaps"), as it is filtered
//! between texels. Deviation: small levels are looked at in 16 points a texel, larger ones in one.

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
    /// As `Color`; the share of the area that reaches this alpha, the bits of an f32, is that of the image itself.
    CutOut { least_bits: u32 },
}

impl MipUse {
    /// How texels are averaged.
    fn averaged(self) -> MipUse {
        if let MipUse::CutOut { .. } = self { MipUse::Color } else { self }
    }
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
    let kept = match use_ {
        MipUse::CutOut { least_bits } => Some(Kept::of(image, f32::from_bits(least_bits))),
        _ => None,
    };
    let use_ = use_.averaged();
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
        let scaled = kept.as_ref().map(|kept| kept.scaled(&plane));
        made.push(level_of(level, decode.encode(scaled.as_ref().unwrap_or(&plane.texels), &image.texels)));
        above = Some(plane);
    }
    levels.extend(made);
    levels
}

/// What a cutoff leaves of an image.
struct Kept {
    /// The share of its area.
    share: f32,
    least: f32,
}

/// Points a side of a texel where a level is looked at, and how many texels it has at most; a larger one is looked at
/// in the middles of its texels.
const POINTS: usize = 4;
const LOOKED_INTO_MAX: usize = 1 << 14;
/// Steps of the search for a scale: to the last bit of alpha.
const SEARCH_STEPS: u32 = 24;

impl Kept {
    fn of(image: &Image, least: f32) -> Kept {
        let alphas: Vec<f32> = match &image.texels {
            Texels::Rgba8(texels) => texels.iter().skip(3).step_by(4).map(|a| f32::from(*a) / 255.0).collect(),
            Texels::Rgba16(texels) => texels.iter().skip(3).step_by(4).map(|a| f32::from(*a) / 65535.0).collect(),
            Texels::Rgba32Float(texels) => texels.iter().skip(3).step_by(4).copied().collect(),
        };
        let size = [image.width_px, image.height_px].map(|px| px as usize);
        Kept { share: covered(&alphas, size, 1.0, least), least }
    }

    /// The same texels, of whose area the cutoff leaves the same share.
    fn scaled(&self, plane: &Plane) -> Vec<[f32; 4]> {
        let alphas: Vec<f32> = plane.texels.iter().map(|texel| texel[3]).collect();
        let size = [plane.width, plane.height].map(|px| px as usize);
        let scale = self.scale(&alphas, size);
        plane.texels.iter().map(|&[r, g, b, a]| [r, g, b, (a * scale).min(1.0)]).collect()
    }

    /// What alpha is multiplied with.
    fn scale(&self, alphas: &[f32], size: [usize; 2]) -> f32 {
        let off = |scale: f32| covered(alphas, size, scale, self.least) - self.share;
        let most = alphas.iter().copied().fold(0.0, f32::max);
        if off(1.0) == 0.0 || most <= 0.0 {
            return 1.0;
        }
        // All that is not clear reaches the cutoff at the one end, and nothing at the other.
        let thinnest = alphas.iter().copied().filter(|alpha| *alpha > 0.0).fold(1.0, f32::min);
        let (mut low, mut high) = (0.5 * self.least / most, 2.0 * self.least / thinnest);
        for _ in 0..SEARCH_STEPS {
            let middle = 0.5 * (low + high);
            match off(middle) < 0.0 {
                true => low = middle,
                false => high = middle,
            }
        }
        if off(high) <= -off(low) { high } else { low }
    }
}

/// The share of a level's area, repeated on all sides and filtered, where alpha times a scale reaches the cutoff.
fn covered(alphas: &[f32], [width, height]: [usize; 2], scale: f32, least: f32) -> f32 {
    let points = if alphas.len() <= LOOKED_INTO_MAX { POINTS } else { 1 };
    let mut count = 0;
    for y in 0..height * points {
        let (upper, lower, down) = neighbours(y, height, points);
        for x in 0..width * points {
            let (left, right, across) = neighbours(x, width, points);
            let at = |row: usize, column: usize| (alphas[row * width + column] * scale).min(1.0);
            let [above, below] = [upper, lower].map(|row| mix(at(row, left), at(row, right), across));
            count += usize::from(mix(above, below, down) >= least);
        }
    }
    count as f32 / (alphas.len() * points * points) as f32
}

/// The texels on both sides of a point, and how far it is from the first to the second.
fn neighbours(point: usize, size: usize, points: usize) -> (usize, usize, f32) {
    let at = (point as f32 + 0.5) / points as f32 + size as f32 - 0.5;
    let first = at as usize;
    (first % size, (first + 1) % size, at - first as f32)
}

fn mix(a: f32, b: f32, share: f32) -> f32 {
    a + (b - a) * share
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
        MipUse::CutOut { .. } => unreachable!("it is averaged as a colour"),
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
        MipUse::CutOut { .. } => unreachable!("it is averaged as a colour"),
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
            (_, MipUse::Color | MipUse::CutOut { .. }) => Decode::Srgb,
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
