//! Frames: numbers of many clips over time, as texels of one texture.
//!
//! A frame is the texels of all items (joints, vertices), behind each other, filled up with zeros to a multiple of four
//! texels; frames of a clip follow each other, and so do clips. Texel `i` lies at column `i % width`, row `i / width`;
//! the width is a power of two.

use std::borrow::Cow;

use stillframe_base::lanes::{ROW, Row};
use stillframe_base::tick::Tick;

use super::CrowdError;

/// How numbers are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// As they are: 16 bytes a texel.
    F32,
    /// As 16 bits between the smallest and the largest that the number has in its clip: 8 bytes a texel. What that
    /// costs grows with the size of the model, about 3e-5 of it: turns are rounded, too, and act on places in the mesh.
    Ranged16,
}

/// How large a texture may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureLimits {
    pub width_max: u32,
    pub height_max: u32,
}

impl Default for TextureLimits {
    /// What WebGPU promises everywhere.
    fn default() -> TextureLimits {
        TextureLimits { width_max: 8192, height_max: 8192 }
    }
}

/// Where a clip is in the texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BakedClip {
    pub length: Tick,
    /// Its last frame is its first.
    pub looping: bool,
    /// Frames after the first, 1 to 65535.
    pub segment_count: u32,
    pub first_texel: u32,
    /// The first texel of its ranges: of `min`, and behind them as many of `step`. 0 for texels of f32.
    pub first_range: u32,
}

/// Sixteen numbers of 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(C, align(32))]
pub(super) struct Plane(pub [u16; ROW]);

/// The numbers, in rows of sixteen (four texels).
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Store {
    F32(Vec<Row>),
    Ranged16 {
        planes: Vec<Plane>,
        /// Of each clip the rows of `min` of a frame, then those of `step`.
        ranges: Vec<Row>,
    },
}

/// Texels as they are copied to a texture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Texels<'a> {
    F32(&'a [[f32; 4]]),
    U16(&'a [[u16; 4]]),
}

/// Clips in one texture.
#[derive(Clone, Debug, PartialEq)]
pub struct BakedFrames {
    pub(super) item_count: usize,
    /// Texels of an item.
    pub(super) item_texels: usize,
    pub(super) clips: Vec<BakedClip>,
    pub(super) store: Store,
    pub(super) limits: TextureLimits,
}

impl BakedFrames {
    /// Joints or vertices.
    pub fn item_count(&self) -> usize {
        self.item_count
    }
    /// Texels of one frame: a multiple of four.
    pub fn frame_texels(&self) -> usize {
        self.frame_rows() * 4
    }
    /// Rows of sixteen numbers of one frame: what [`SampleCrowd`](super::SampleCrowd) writes for an actor.
    pub fn frame_rows(&self) -> usize {
        frame_rows(self.item_count * self.item_texels)
    }
    pub fn clips(&self) -> &[BakedClip] {
        &self.clips
    }
    /// In the order of their numbers, without what fills the texture's last row.
    pub fn texels(&self) -> Texels<'_> {
        match &self.store {
            Store::F32(rows) => Texels::F32(bytemuck::cast_slice(rows)),
            Store::Ranged16 { planes, .. } => Texels::U16(bytemuck::cast_slice(planes)),
        }
    }
    /// Texels of f32 with the ranges of 16-bit numbers; none for [`Storage::F32`].
    pub fn range_texels(&self) -> &[[f32; 4]] {
        match &self.store {
            Store::F32(_) => &[],
            Store::Ranged16 { ranges, .. } => bytemuck::cast_slice(ranges),
        }
    }
    /// Width and height of the texture: a power of two, and as many rows as are needed.
    pub fn size(&self) -> [u32; 2] {
        let count = match self.texels() {
            Texels::F32(texels) => texels.len(),
            Texels::U16(texels) => texels.len(),
        };
        let Ok(size) = texture_size(count as u64, self.limits) else { unreachable!("baking has found a size") };
        size
    }
    /// The texture's bytes, filled up with zeros to whole rows.
    pub fn texture_bytes(&self) -> Vec<u8> {
        let (bytes, texel_bytes): (Cow<'_, [u8]>, usize) = match self.texels() {
            Texels::F32(texels) => (bytemuck::cast_slice(texels).into(), 16),
            Texels::U16(texels) => (bytemuck::cast_slice(texels).into(), 8),
        };
        let [width, height] = self.size();
        let mut bytes = bytes.into_owned();
        bytes.resize(width as usize * height as usize * texel_bytes, 0);
        bytes
    }
    /// Writes the phase of every clip at a moment: what [`SampleCrowd`](super::SampleCrowd) and shaders are given.
    pub fn clip_phases(&self, now: Tick, out: &mut [u32]) {
        assert_eq!(out.len(), self.clips.len(), "a phase for each clip");
        for (clip, out) in self.clips.iter().zip(out) {
            *out = super::clip_phase(now, clip.length);
        }
    }

    /// The rows of a frame and of the next one, and the ranges of their clip.
    #[inline(always)]
    pub(super) fn segment(&self, clip: usize, frame: u32) -> Segment<'_> {
        let rows = self.frame_rows();
        let BakedClip { first_texel, first_range, .. } = self.clips[clip];
        let first = first_texel as usize / 4 + frame as usize * rows;
        match &self.store {
            Store::F32(all) => {
                let (from, to) = all[first..first + 2 * rows].split_at(rows);
                Segment::F32 { from, to }
            }
            Store::Ranged16 { planes, ranges } => {
                let (from, to) = planes[first..first + 2 * rows].split_at(rows);
                let first = first_range as usize / 4;
                let (min, step) = ranges[first..first + 2 * rows].split_at(rows);
                Segment::Ranged16 { from, to, min, step }
            }
        }
    }
}

/// Two frames between which a moment lies.
pub(super) enum Segment<'a> {
    F32 { from: &'a [Row], to: &'a [Row] },
    Ranged16 { from: &'a [Plane], to: &'a [Plane], min: &'a [Row], step: &'a [Row] },
}

/// Rows of sixteen numbers that hold so many texels.
pub(super) fn frame_rows(texels: usize) -> usize {
    texels.div_ceil(4)
}

/// As square as limits and powers of two let it be.
pub(super) fn texture_size(texels: u64, limits: TextureLimits) -> Result<[u32; 2], CrowdError> {
    let TextureLimits { width_max, height_max } = limits;
    let height = |width: u64| texels.div_ceil(width).max(1);
    let mut width = 4u64;
    while height(width) > width.min(u64::from(height_max)) && width * 2 <= u64::from(width_max) {
        width *= 2;
    }
    if width > u64::from(width_max) || height(width) > u64::from(height_max) {
        return Err(CrowdError::Texture { texels, width: width_max, height: height_max });
    }
    Ok([width as u32, height(width) as u32])
}

impl Store {
    /// Frames of a clip, `rows` rows each, of numbers that are finite.
    pub(super) fn of_frames(storage: Storage, frames: &[f64], rows: usize) -> Store {
        let numbers = rows * ROW;
        if storage == Storage::F32 {
            let row = |numbers: &[f64]| Row(std::array::from_fn(|lane| numbers[lane] as f32));
            return Store::F32(frames.chunks_exact(ROW).map(row).collect());
        }
        let mut ranges = vec![Row::ZERO; 2 * rows];
        for number in 0..numbers {
            let over_time = frames[number..].iter().step_by(numbers);
            let (low, high) = over_time
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(*value), high.max(*value)));
            let min = low as f32;
            ranges[number / ROW].0[number % ROW] = min;
            // What stands still, as an f32, has no step and keeps its value.
            let span = if high as f32 == min { 0.0 } else { high - f64::from(min) };
            ranges[rows + number / ROW].0[number % ROW] = (span / f64::from(u16::MAX)) as f32;
        }
        let quantised = |(number, value): (usize, &f64)| {
            let number = number % numbers;
            let min = f64::from(ranges[number / ROW].0[number % ROW]);
            let step = f64::from(ranges[rows + number / ROW].0[number % ROW]);
            // The cast clamps to what 16 bits hold.
            if step > 0.0 { ((value - min) / step).round_ties_even() as u16 } else { 0 }
        };
        let quantised: Vec<u16> = frames.iter().enumerate().map(quantised).collect();
        let planes = quantised.chunks_exact(ROW).map(|plane| Plane(std::array::from_fn(|lane| plane[lane]))).collect();
        Store::Ranged16 { planes, ranges }
    }

    pub(super) fn empty(storage: Storage) -> Store {
        match storage {
            Storage::F32 => Store::F32(Vec::new()),
            Storage::Ranged16 => Store::Ranged16 { planes: Vec::new(), ranges: Vec::new() },
        }
    }

    /// Texels of frames and of ranges.
    pub(super) fn texel_counts(&self) -> (usize, usize) {
        match self {
            Store::F32(rows) => (rows.len() * 4, 0),
            Store::Ranged16 { planes, ranges } => (planes.len() * 4, ranges.len() * 4),
        }
    }

    pub(super) fn append(&mut self, other: Store) {
        match (self, other) {
            (Store::F32(rows), Store::F32(others)) => rows.extend(others),
            (Store::Ranged16 { planes, ranges }, Store::Ranged16 { planes: others, ranges: other_ranges }) => {
                planes.extend(others);
                ranges.extend(other_ranges);
            }
            _ => unreachable!("clips of one texture are stored alike"),
        }
    }
}
