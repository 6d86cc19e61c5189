//! Bake: frames of a clip, as few as an error allows.
//!
//! 1. A frame at the lowest rate that is allowed, stored as it will be.
//! 2. What the run time would make of it is compared with the source at four times as many moments.
//! 3. While the error is too large, the number of frames grows as the error of linear interpolation asks (it falls with
//!    the square); numbers that put frames on the clip's keys come first, since there a clip of straight lines has no
//!    error at all.
//! 4. Between the last number that was too small and the first that was enough, half and half again.
//!
//! What jumps has its jump between two frames a sixtieth of a second apart at most, where it is a quick move; errors
//! are those elsewhere.
//!
//! The last frame of a loop is its first one, so that the seam is a segment like any other.

use stillframe_base::lanes::{Isa, ROW, Row};
use stillframe_base::math::ops64;
use stillframe_base::tick::{FrameRate, TICKS_PER_SECOND, Tick};

use super::frames::{BakedClip, BakedFrames, Storage, Store, TextureLimits, frame_rows, texture_size};
use super::{Actor, CrowdError, SampleCrowd, Track, Visible};
use crate::spacing;

/// Frames of a clip, at most: a phase tells no more apart.
pub const FRAMES_MAX: u64 = 1 << 16;

/// Numbers that are held while a clip is baked: 1 GiB.
const NUMBERS_MAX: u64 = 1 << 27;

/// Moments looked at between two frames, the first of them included.
const STEPS_PER_FRAME: usize = 4;

/// Frames a second at least of clips that jump: a jump takes one.
const JUMP_RATE: FrameRate = FrameRate { frames: 60, seconds: 1 };

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

/// What baking a clip has cost. Errors are those of the run time against the source, at four moments a frame; but for
/// those within a jump.
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
    /// Moments at which the clip jumps: each is a quick move, a frame long.
    pub jump_count: usize,
    /// How far anything is from where it belongs while it makes such a move; 0 without jumps.
    pub jump_error_max_m: f64,
}

/// Something that moves, as numbers.
pub(super) trait Source {
    fn item_count(&self) -> usize;
    fn item_texels(&self) -> usize;
    /// The numbers at a moment: four a texel, items behind each other.
    fn numbers(&mut self, at: Tick, out: &mut [f64]);
    /// How far an item is from where it belongs, in metres at some points, and how far its unit normal is from where
    /// that belongs.
    fn off(&self, item: usize, want: &[f64], got: &[f64], note: &mut dyn FnMut(f64, f64));
}

/// What is known of a clip before it is baked.
#[derive(Clone, Copy)]
pub(super) struct Span<'a> {
    pub length: Tick,
    pub looping: bool,
    /// Moments at which it may bend or jump, in any order.
    pub keys: &'a [Tick],
}

/// Bakes clips, each given by its source, into one texture.
pub(super) fn bake(
    sources: &mut [(Span<'_>, &mut dyn Source)],
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
    span: Span<'_>,
    source: &mut dyn Source,
    baking: &CrowdBaking,
) -> Result<(BakedFrames, CrowdReport), CrowdError> {
    if span.length < Tick::ZERO {
        return Err(CrowdError::Length { clip, length: span.length });
    }
    let (mut min, max) = (segments(span.length, baking.rate_min)?, segments(span.length, baking.rate_max)?);
    if max < min {
        return Err(CrowdError::Rate);
    }
    let numbers = (frame_rows(source.item_count() * source.item_texels()) * ROW).max(1) as u64;
    let frames_max = FRAMES_MAX.min(NUMBERS_MAX / numbers);
    if min >= frames_max {
        return Err(CrowdError::Frames { clip, frames: min + 1, max: frames_max });
    }
    let jumps = jumps(clip, span, source, baking.error_max_m)?;
    if !jumps.is_empty() {
        min = segments(span.length, JUMP_RATE)?.clamp(min, max);
    }
    let mut trial = Trial { clip, span, jumps: &jumps, source, baking, segments_max: max };
    let on_keys = on_keys(span, min..=max);
    let (mut too_few, mut enough) = (min - 1, min);
    let mut made = loop {
        if enough >= frames_max {
            return Err(CrowdError::Frames { clip, frames: enough + 1, max: frames_max });
        }
        let error_m = match trial.run(enough)? {
            Tried::Holds(made) => break made,
            Tried::Off { at, error_m } if enough == max => {
                let (frames, max_m) = (max as usize + 1, baking.error_max_m);
                return Err(CrowdError::Bound { clip, error_m, at, frames, max_m });
            }
            Tried::Off { error_m, .. } => error_m,
        };
        too_few = enough;
        let growth = (error_m / baking.error_max_m).sqrt().clamp(1.05, 4.0);
        let grown = ((enough as f64 * growth).ceil() as u64).clamp(enough + 1, max);
        enough = on_keys.iter().copied().find(|count| *count > enough).map_or(grown, |count| count.min(grown));
    };
    while enough - too_few > 1 {
        let middle = too_few + (enough - too_few) / 2;
        match trial.run(middle)? {
            Tried::Holds(fewer) => (made, enough) = (fewer, middle),
            Tried::Off { .. } => too_few = middle,
        }
    }
    Ok(*made)
}

/// Numbers of segments that put frames on keys, ascending: every key on a frame, every second, ...; and more frames
/// between.
fn on_keys(span: Span<'_>, allowed: std::ops::RangeInclusive<u64>) -> Vec<u64> {
    let Some(ticks) = spacing::of_keys(span.length, span.keys) else { return Vec::new() };
    let all = ((span.length.0 as f64 / ticks as f64).round() as u64).max(1);
    if (all as i64).saturating_mul(ticks).abs_diff(span.length.0) > spacing::ON_FRAME_TICKS as u64 + all {
        return Vec::new();
    }
    let fewer =
        (1..=all).take_while(|by| all / by >= *allowed.start()).filter(|by| all.is_multiple_of(*by)).map(|by| all / by);
    let more = (2..=16).chain((5..17).map(|doubled| 1 << doubled)).map(|times| all.saturating_mul(times));
    let mut counts: Vec<u64> = fewer.chain(more).filter(|count| allowed.contains(count)).collect();
    counts.sort_unstable();
    counts.dedup();
    counts
}

/// The keys at which a clip is elsewhere a tick before, in order.
fn jumps(clip: usize, span: Span<'_>, source: &mut dyn Source, error_max_m: f64) -> Result<Vec<Tick>, CrowdError> {
    let (item_count, item_texels) = (source.item_count(), source.item_texels());
    let mut poses = [(); 2].map(|()| vec![0.0; frame_rows(item_count * item_texels) * ROW]);
    let mut keys: Vec<Tick> =
        span.keys.iter().copied().filter(|key| *key > Tick::ZERO && *key <= span.length).collect();
    keys.sort_unstable();
    keys.dedup();
    let mut out = Vec::new();
    for key in keys {
        numbers_at(clip, source, key - Tick(1), &mut poses[0])?;
        numbers_at(clip, source, key, &mut poses[1])?;
        let mut off_m = 0.0_f64;
        for item in 0..item_count {
            let [before, after] = [0, 1].map(|i| item_of(&poses[i], item, item_texels));
            source.off(item, before, after, &mut |off, _| off_m = off_m.max(off));
        }
        if off_m > error_max_m {
            out.push(key);
        }
    }
    Ok(out)
}

/// A clip that is baked with one number of segments after the other.
struct Trial<'a, 'b> {
    clip: usize,
    span: Span<'a>,
    jumps: &'a [Tick],
    source: &'b mut dyn Source,
    baking: &'a CrowdBaking,
    /// Of these it is told how far they are off, and where: they are baked whatever a probe says.
    segments_max: u64,
}

enum Tried {
    Holds(Box<(BakedFrames, CrowdReport)>),
    Off { error_m: f64, at: Tick },
}

impl Trial<'_, '_> {
    fn run(&mut self, segment_count: u64) -> Result<Tried, CrowdError> {
        let max_m = self.baking.error_max_m;
        let is_cut = cut(self.span.length, self.jumps, segment_count as usize);
        if segment_count < self.segments_max {
            let error_m = probe(self.clip, self.span, self.source, &is_cut)?;
            if !(error_m <= max_m) {
                return Ok(Tried::Off { error_m, at: Tick::ZERO });
            }
        }
        let (baked, mut report) = attempt(self.clip, self.span, self.source, &is_cut, self.baking)?;
        report.jump_count = self.jumps.len();
        if report.error_max_m <= max_m {
            return Ok(Tried::Holds(Box::new((baked, report))));
        }
        Ok(Tried::Off { error_m: report.error_max_m, at: report.worst_at })
    }
}

/// Of so many segments, those within which a clip jumps: after their first frame and no later than their last.
fn cut(length: Tick, jumps: &[Tick], segment_count: usize) -> Vec<bool> {
    let mut out = vec![false; segment_count];
    let mut segment = 0;
    for jump in jumps {
        while segment + 1 < segment_count && moment(length, segment + 1, segment_count) < *jump {
            segment += 1;
        }
        out[segment] = true;
    }
    out
}

/// A clip this much longer than a whole number of frames has no frame more: its length was an f32 of seconds, and where
/// frames lie on its keys there are no corners between them.
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

/// The largest error in the middle of some segments without a jump, were frames exact: what is too much there need not
/// be baked to be seen.
fn probe(clip: usize, span: Span<'_>, source: &mut dyn Source, is_cut: &[bool]) -> Result<f64, CrowdError> {
    let (item_count, item_texels, segment_count) = (source.item_count(), source.item_texels(), is_cut.len());
    let mut frames = [(); 3].map(|()| vec![0.0; frame_rows(item_count * item_texels) * ROW]);
    let mut error_m = 0.0_f64;
    for probe in 0..PROBES.min(segment_count) {
        let segment = probe * segment_count / PROBES.min(segment_count);
        if is_cut[segment] {
            continue;
        }
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

/// A clip with a segment for each of `is_cut`, and what is wrong with it.
fn attempt(
    clip: usize,
    span: Span<'_>,
    source: &mut dyn Source,
    is_cut: &[bool],
    baking: &CrowdBaking,
) -> Result<(BakedFrames, CrowdReport), CrowdError> {
    let (item_count, item_texels, segment_count) = (source.item_count(), source.item_texels(), is_cut.len());
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
    let Span { length, looping, .. } = span;
    let baked = BakedClip { length, looping, segment_count: segment_count as u32, first_texel: 0, first_range: 0 };
    let baked = BakedFrames { item_count, item_texels, clips: vec![baked], store, limits: baking.limits };
    let mut report = measure(clip, &baked, source, is_cut)?;
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
fn measure(
    clip: usize,
    baked: &BakedFrames,
    source: &mut dyn Source,
    is_cut: &[bool],
) -> Result<CrowdReport, CrowdError> {
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
        jump_count: 0,
        jump_error_max_m: 0.0,
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
        let is_within_jump = is_cut[step / STEPS_PER_FRAME] && step % STEPS_PER_FRAME != 0;
        for item in 0..baked.item_count {
            let (want, got) = (item_of(&want, item, baked.item_texels), item_of(&got, item, baked.item_texels));
            source.off(item, want, got, &mut |off_m, off_normal| {
                if is_within_jump {
                    report.jump_error_max_m = report.jump_error_max_m.max(off_m);
                    return;
                }
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
