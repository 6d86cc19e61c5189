//! Bake: frames of a clip, as few as an error allows.
//!
//! 1. A frame at the lowest rate that is allowed, stored as it will be.
//! 2. What the run time would make of it is compared with the source at four times as many moments.
//! 3. While the error is too large, the number of frames grows as the error of linear interpolation asks (it falls with the square).
//!
//! The last frame of a loop is its first one, so that the seam is a segment like any other.

use stillframe_base::lanes::{Isa, ROW, Row};
use stillframe_base::math::ops64;
use stillframe_base::tick::{FrameRate, TICKS_PER_SECOND, Tick};

use super::frames::{BakedClip, BakedFrames, Storage, Store, TextureLimits, frame_rows, texture_size};
use super::{Actor, CrowdError, SampleCrowd, Track, Visible};

/// Frames of a clip, at most: a phase tells no more apart.
pub const FRAMES_MAX: u64 = 1 << 16;

/// Numbers that are held while a clip is baked: 1 GiB.
const NUMBERS_MAX: u64 = 1 << 27;

/// Moments looked at between two frames, the first of them included.
const STEPS_PER_FRAME: usize = 4;

/// How clips are baked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrowdBaking {
    pub storage: Storage,
    /// Largest error that is accepted.
    pub error_max_m: f64,
    /// Frames a second to begin with ...
    pub rate_min: FrameRate,
    /// ... and at most. Rates are rounded up to whole frames of the clip.
    pub rate_max: FrameRate,
    pub limits: TextureLimits,
}

/// What baking a clip has cost. Errors are those of the run time against the source, at four moments a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrowdReport {
    /// The last one, which is the first one of a loop, included.
    pub frame_count: usize,
    /// Of texels and ranges.
    pub bytes: usize,
    pub error_max_m: f64,
    pub error_rms_m: f64,
    /// The worst moment, and the joint or vertex.
    pub worst_at: Tick,
    pub worst_item: usize,
    /// Largest angle between a normal and where it belongs; 0 for joints.
    pub normal_error_max_deg: f64,
    /// How far apart the two ends are; of clips that do not loop, too.
    pub gap_m: f64,
}

/// Something that moves, as numbers.
pub(super) trait Source {
    fn item_count(&self) -> usize;
    fn item_texels(&self) -> usize;
    /// The numbers at a moment: four a texel, items behind each other.
    fn numbers(&mut self, at: Tick, out: &mut [f64]);
    /// How far an item is from where it belongs, in metres at some points, and how far its unit normal is from where that belongs.
    fn off(&self, item: usize, want: &[f64], got: &[f64], note: &mut dyn FnMut(f64, f64));
}

/// What is known of a clip before it is baked.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub length: Tick,
    pub looping: bool,
}

/// Bakes clips, each given by its source, into one texture.
pub(super) fn bake(
    sources: &mut [(Span, &mut dyn Source)],
    item_count: usize,
    item_texels: usize,
    baking: &CrowdBaking,
) -> Result<(BakedFrames, Vec<CrowdReport>), CrowdError> {
    let mut all = BakedFrames {
        item_count,
        item_texels,
        clips: Vec::new(),
        store: Store::empty(baking.storage),
        limits: baking.limits,
    };
    let mut reports = Vec::new();
    for (clip, (span, source)) in sources.iter_mut().enumerate() {
        let (mut one, report) = bake_clip(clip, *span, *source, baking)?;
        let (texels, ranges) = all.store.texel_counts();
        let (own_texels, own_ranges) = one.store.texel_counts();
        // Texels are named by numbers of 32 bits, which the limits of the texture imply.
        texture_size((texels + own_texels) as u64, baking.limits)?;
        texture_size((ranges + own_ranges) as u64, baking.limits)?;
        let Some(mut baked) = one.clips.pop() else { unreachable!("one clip was baked") };
        (baked.first_texel, baked.first_range) = (texels as u32, ranges as u32);
        all.clips.push(baked);
        all.store.append(one.store);
        reports.push(report);
    }
    Ok((all, reports))
}

fn bake_clip(
    clip: usize,
    span: Span,
    source: &mut dyn Source,
    baking: &CrowdBaking,
) -> Result<(BakedFrames, CrowdReport), CrowdError> {
    if span.length < Tick::ZERO {
        return Err(CrowdError::Length { clip, length: span.length });
    }
    let (min, max) = (segments(span.length, baking.rate_min)?, segments(span.length, baking.rate_max)?);
    if max < min {
        return Err(CrowdError::Rate);
    }
    let numbers = (frame_rows(source.item_count() * source.item_texels()) * ROW).max(1) as u64;
    let frames_max = FRAMES_MAX.min(NUMBERS_MAX / numbers);
    let mut segment_count = min;
    loop {
        if segment_count >= frames_max {
            return Err(CrowdError::Frames { clip, frames: segment_count + 1, max: frames_max });
        }
        let mut error_m = 0.0;
        if segment_count < max {
            error_m = probe(clip, span, source, segment_count as usize)?;
        }
        if error_m <= baking.error_max_m {
            let (baked, report) = attempt(clip, span, source, segment_count as usize, baking)?;
            if report.error_max_m <= baking.error_max_m {
                return Ok((baked, report));
            }
            if segment_count == max {
                let (error_m, frames) = (report.error_max_m, report.frame_count);
                return Err(CrowdError::Bound { clip, error_m, frames, max_m: baking.error_max_m });
            }
            error_m = report.error_max_m;
        }
        let growth = (error_m / baking.error_max_m).sqrt().clamp(1.05, 4.0);
        segment_count = ((segment_count as f64 * growth).ceil() as u64).clamp(segment_count + 1, max);
    }
}

/// A clip this much longer than a whole number of frames has no frame more: its length was an f32 of seconds, and where frames lie on
/// its keys there are no corners between them.
const NEAR_TICKS: i64 = 1400;

/// Segments that are no longer than a frame of this rate, but for rounding: at least 1.
fn segments(length: Tick, rate: FrameRate) -> Result<u64, CrowdError> {
    if rate.frames == 0 || rate.seconds == 0 {
        return Err(CrowdError::Rate);
    }
    let frames = i128::from(length.0.saturating_sub(NEAR_TICKS).max(0)) * i128::from(rate.frames);
    let second = i128::from(rate.seconds) * i128::from(TICKS_PER_SECOND);
    Ok(u64::try_from((frames + second - 1) / second).unwrap_or(u64::MAX).max(1))
}

/// Segments that are looked at before a clip is baked.
const PROBES: usize = 16;

/// The largest error in the middle of some segments, were frames exact: what is too much there need not be baked to be seen.
fn probe(clip: usize, span: Span, source: &mut dyn Source, segment_count: usize) -> Result<f64, CrowdError> {
    let (item_count, item_texels) = (source.item_count(), source.item_texels());
    let mut frames = [(); 3].map(|()| vec![0.0; frame_rows(item_count * item_texels) * ROW]);
    let mut error_m = 0.0_f64;
    for probe in 0..PROBES.min(segment_count) {
        let segment = probe * segment_count / PROBES.min(segment_count);
        for (half, frame) in frames.iter_mut().enumerate() {
            numbers_at(clip, source, moment(span.length, 2 * segment + half, 2 * segment_count), frame)?;
        }
        let [from, want, to] = &mut frames;
        to.iter_mut().zip(&*from).for_each(|(to, from)| *to = 0.5 * (*from + *to));
        for item in 0..item_count {
            let (want, got) = (item_of(want, item, item_texels), item_of(to, item, item_texels));
            source.off(item, want, got, &mut |off_m, _| error_m = error_m.max(off_m));
        }
    }
    Ok(error_m)
}

/// The moment `step` of `count` of a clip.
fn moment(length: Tick, step: usize, count: usize) -> Tick {
    Tick((i128::from(length.0) * step as i128 / count as i128) as i64)
}

/// A clip with so many segments, and what is wrong with it.
fn attempt(
    clip: usize,
    span: Span,
    source: &mut dyn Source,
    segment_count: usize,
    baking: &CrowdBaking,
) -> Result<(BakedFrames, CrowdReport), CrowdError> {
    let (item_count, item_texels) = (source.item_count(), source.item_texels());
    let rows = frame_rows(item_count * item_texels);
    let numbers = rows * ROW;
    let mut frames = vec![0.0; (segment_count + 1) * numbers];
    for (frame, out) in frames.chunks_exact_mut(numbers.max(1)).enumerate() {
        numbers_at(clip, source, moment(span.length, frame, segment_count), out)?;
    }
    let mut gap_m = 0.0f64;
    let (first, rest) = frames.split_at_mut(numbers);
    let last = &mut rest[(segment_count - 1) * numbers..];
    for item in 0..item_count {
        source.off(item, item_of(first, item, item_texels), item_of(last, item, item_texels), &mut |off, _| {
            gap_m = gap_m.max(off);
        });
    }
    if span.looping {
        if gap_m > baking.error_max_m {
            return Err(CrowdError::LoopOpen { clip, gap_m, max_m: baking.error_max_m });
        }
        last.copy_from_slice(first);
    }

    let store = Store::of_frames(baking.storage, &frames, rows);
    let Span { length, looping } = span;
    let baked = BakedClip { length, looping, segment_count: segment_count as u32, first_texel: 0, first_range: 0 };
    let baked = BakedFrames { item_count, item_texels, clips: vec![baked], store, limits: baking.limits };
    let mut report = measure(clip, &baked, source)?;
    report.gap_m = gap_m;
    Ok((baked, report))
}

fn numbers_at(clip: usize, source: &mut dyn Source, at: Tick, out: &mut [f64]) -> Result<(), CrowdError> {
    source.numbers(at, out);
    // Beyond f32 nothing can be stored.
    match out.iter().position(|number| !(*number as f32).is_finite()) {
        Some(number) => Err(CrowdError::NotFinite { clip, at, number }),
        None => Ok(()),
    }
}

fn item_of(numbers: &[f64], item: usize, item_texels: usize) -> &[f64] {
    &numbers[item * item_texels * 4..(item + 1) * item_texels * 4]
}

/// Plays a clip as the run time does and compares it with its source.
fn measure(clip: usize, baked: &BakedFrames, source: &mut dyn Source) -> Result<CrowdReport, CrowdError> {
    let rows = baked.frame_rows();
    let BakedClip { length, segment_count, .. } = baked.clips[0];
    let bytes = match &baked.store {
        Store::F32(rows) => size_of_val(&**rows),
        Store::Ranged16 { planes, ranges } => size_of_val(&**planes) + size_of_val(&**ranges),
    };
    let mut report = CrowdReport {
        frame_count: segment_count as usize + 1,
        bytes,
        error_max_m: 0.0,
        error_rms_m: 0.0,
        worst_at: Tick::ZERO,
        worst_item: 0,
        normal_error_max_deg: 0.0,
        gap_m: 0.0,
    };
    let (mut sum, mut count, mut normal_off) = (0.0, 0usize, 0.0_f64);
    let mut want = vec![0.0; rows * ROW];
    let mut made = vec![Row::ZERO; rows];
    let steps = segment_count as usize * STEPS_PER_FRAME;
    for step in 0..steps {
        // The phase of the moment, up: rounding down would be the frame before.
        let phase = (((step as u64) << 32).div_ceil(steps as u64)) as u32;
        let at = moment(length, step, steps);
        numbers_at(clip, source, at, &mut want)?;
        let mut actor = Actor::new(glam::Affine3A::IDENTITY, Track { clip: 0, phase, speed: 0 });
        actor.fade = 0.0;
        let visible = [Visible { actor: 0, lod: 0 }];
        let job = SampleCrowd {
            isa: Isa::detect(),
            baked,
            phases: &[0],
            actors: &[actor],
            visible: &visible,
            out: &mut made,
            stream: false,
        };
        job.run();
        let got: Vec<f64> = made.iter().flat_map(|row| row.0).map(f64::from).collect();
        for item in 0..baked.item_count {
            let (want, got) = (item_of(&want, item, baked.item_texels), item_of(&got, item, baked.item_texels));
            source.off(item, want, got, &mut |off_m, off_normal| {
                sum += off_m * off_m;
                count += 1;
                if off_m > report.error_max_m {
                    (report.error_max_m, report.worst_at, report.worst_item) = (off_m, at, item);
                }
                normal_off = normal_off.max(off_normal);
            });
        }
    }
    // The chord of the unit sphere.
    report.normal_error_max_deg = (2.0 * ops64::asin((0.5 * normal_off).min(1.0))).to_degrees();
    report.error_rms_m = (sum / count.max(1) as f64).sqrt();
    Ok(report)
}
