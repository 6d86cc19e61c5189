//! Build: from a pose over time to a compressed clip, segment by segment, each decoded and compared before the next.

use glam::DQuat;
use stillframe_base::lanes::Isa;
use stillframe_base::tick::Tick;

use super::bytes::Head;
use super::check::{Errors, check};
use super::clip::{Form, Frames, LEVELS, Part, SEGMENT_INTERVALS_MAX, Track, block_tracks};
use super::grid::{Grid, MOMENTS};
use super::moving::Moving;
use super::segment::{Rig, Scratch, SegmentSource, TrackCode, levers_m};
use super::{ClipForm, CompressReport, CompressedClip, Compression, Decompress, keys, search, slerp};
use crate::RawClip;
use crate::pose::{JointBlock, NO_PARENT};
use crate::sample::source::{Source, frame_ticks_max, models, vertex_error_m};
use crate::sample::{ClipError, DTrs, RawPose, Skeleton};

/// Intervals of a segment.
const SEGMENT_INTERVALS: usize = 32;
const _: () = assert!(SEGMENT_INTERVALS <= SEGMENT_INTERVALS_MAX);

/// Frames for one of the source, where it bends too much for fewer: so many at the rate that was asked for.
const DENSITY_MAX: i64 = 16;

/// A thousandth more than was asked for is rounding.
const ROUNDING_PARTS: i64 = 1000;

/// A segment that is found to be off when it is decoded is coded again, so often.
const RETRIES: usize = 8;

/// For a bound so much smaller than what was missed.
const RETRY_SHARE: f64 = 0.9;

/// Compresses a clip of keys, one layer, rotations as quaternions.
pub fn compress_raw(
    clip: &RawClip,
    skeleton: &Skeleton,
    compression: &Compression,
) -> Result<(CompressedClip, CompressReport), ClipError> {
    let raw = RawPose::new(clip, skeleton)?;
    let keys = raw.key_times();
    compress(skeleton, raw.duration(), &keys, compression, &mut |at, pose: &mut [DTrs]| raw.sample(at, pose))
}

/// Compresses whatever gives a pose for a moment; `pose` and `keys` are as for [`bake`](crate::sample::bake).
///
/// The error is within the bound at every moment that the report names. Errors: a source that f32 itself cannot meet,
/// or that bends so much between two ticks.
pub fn compress(
    skeleton: &Skeleton,
    duration: Tick,
    keys: &[Tick],
    compression: &Compression,
    pose: &mut dyn FnMut(Tick, &mut [DTrs]),
) -> Result<(CompressedClip, CompressReport), ClipError> {
    compression.check()?;
    let mut source = Source::new(skeleton, duration, pose);
    let base = Grid::of(duration, keys, compression.rate, skeleton.joint_count())?;
    let asked = frame_ticks_max(duration, compression.rate)?.min(i128::from(i64::MAX)) as i64;
    // Keys may be far apart; what is compared with has no fewer frames than were asked for.
    let near = (base.frame_ticks - asked / ROUNDING_PARTS).max(1);
    let parts = near / asked + i64::from(near % asked > 0);
    let source_ticks = base.frame_ticks / parts + i64::from(base.frame_ticks % parts > 0);
    let source_grid = Grid::with_ticks(duration, source_ticks, skeleton.joint_count())?;
    let mut density = 1;
    let mut made = None;
    while base.frame_ticks % density == 0 {
        let frame_ticks = base.frame_ticks / density;
        let Ok(grid) = Grid::with_ticks(duration, frame_ticks, skeleton.joint_count()) else { break };
        match Builder::new(&mut source, grid, keys, compression)?.run()? {
            Outcome::Clip(clip) if is_seen(&clip.0, &mut source, asked, keys, compression)? => {
                made = Some(*clip);
                break;
            }
            Outcome::Jumps => break,
            _ if frame_ticks.saturating_mul(DENSITY_MAX) <= asked.min(base.frame_ticks) => break,
            _ => density *= 2,
        }
    }
    if let Some((_, report)) = &mut made {
        report.source_frame_count = source_grid.interval_count + 1;
        report.frames_per_source_frame = (density / parts + i64::from(density % parts > 0)) as usize;
    }
    // Many frames for few keys may take more than the keys themselves, which have no fewer numbers than this.
    let keys_bytes = |report: &CompressReport| keys.len() * report.moving_tracks * 12;
    match made {
        Some((clip, report)) if report.bytes <= keys_bytes(&report) || keys.is_empty() => Ok((clip, report)),
        made => {
            let as_keys = keys::compress(&mut source, source_grid, keys, compression).map(|(clip, mut report)| {
                report.source_frame_count = source_grid.interval_count + 1;
                (clip, report)
            });
            match (made, as_keys) {
                (Some(frames), Ok(as_keys)) if as_keys.1.bytes < frames.1.bytes => Ok(as_keys),
                (Some(frames), _) => Ok(frames),
                (None, as_keys) => as_keys,
            }
        }
    }
}

/// Whether a clip is within the bound at the rate that was asked for, too, where its frames are further apart: between
/// keys far from each other more may happen than keys tell.
fn is_seen(
    clip: &CompressedClip,
    source: &mut Source<'_>,
    asked: i64,
    keys: &[Tick],
    compression: &Compression,
) -> Result<bool, ClipError> {
    let ClipForm::Frames { frame_ticks, .. } = clip.form() else { return Ok(true) };
    if frame_ticks <= asked {
        return Ok(true);
    }
    let grid = Grid::with_ticks(source.duration, asked, source.skeleton.joint_count())?;
    match check(clip, source, grid, keys, compression) {
        Ok(_) => Ok(true),
        Err(ClipError::Error { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

enum Outcome {
    Clip(Box<(CompressedClip, CompressReport)>),
    /// Frames this far apart cannot follow the source.
    Bends,
    /// No frames can.
    Jumps,
}

struct Builder<'a, 'b> {
    source: &'a mut Source<'b>,
    grid: Grid,
    keys: &'a [Tick],
    bound_m: f64,
    rig: Rig<'a>,
    clip: CompressedClip,
    head: Head,
    budgets_m: Vec<f64>,
    scratch: Scratch,
    errors: Errors,
    bits: [usize; 24],
    strides: [usize; 8],
}

impl<'a, 'b> Builder<'a, 'b> {
    fn new(
        source: &'a mut Source<'b>,
        grid: Grid,
        keys: &'a [Tick],
        compression: &Compression,
    ) -> Result<Builder<'a, 'b>, ClipError> {
        let Compression { object_error_max_m: bound_m, shell_m, .. } = *compression;
        let skeleton = source.skeleton;
        let duration = source.duration;
        let poses = (0..=grid.interval_count).map(|frame| {
            let mut pose = Vec::new();
            source.push(grid.moment(frame, duration), &mut pose).map(|()| pose)
        });
        let Moving { tracks, constants, reach_m } = Moving::of(skeleton.parents(), poses)?;
        let joint_count = skeleton.joint_count();
        let mut tracks_of = vec![[None; 3]; joint_count];
        for (at, track) in tracks.iter().enumerate() {
            tracks_of[usize::from(track.joint)][track.part as usize] = Some(at as u32);
        }
        let turns = |joint: usize| tracks_of[joint][Part::Rotation as usize].is_some();
        let reaches_m = levers_m(skeleton.parents(), shell_m, &reach_m, |_| false);
        let levers_m = levers_m(skeleton.parents(), shell_m, &reach_m, turns);
        let still = (0..joint_count).map(|joint| DTrs::from(JointBlock::joint(&constants, joint))).collect();
        let parents = skeleton.parents();
        let rig = Rig { parents, shell_m, tracks: tracks.clone(), tracks_of, still, levers_m, reaches_m };
        let blocks = block_tracks(&tracks, constants.len());
        let frames = Frames::new(grid.frame_ticks, grid.interval_count, SEGMENT_INTERVALS);
        let clip = CompressedClip {
            joint_count,
            duration,
            constants,
            tracks,
            blocks,
            form: Form::Frames(frames),
            head: Vec::new(),
        };
        let head = Head::of(&clip);
        let budgets_m = search::first_budgets_m(&rig, bound_m);
        Ok(Builder {
            source,
            grid,
            keys,
            bound_m,
            rig,
            clip,
            head,
            budgets_m,
            scratch: Scratch::default(),
            errors: Errors::new(bound_m),
            bits: [0; 24],
            strides: [0; 8],
        })
    }

    fn run(mut self) -> Result<Outcome, ClipError> {
        for first in (0..self.grid.interval_count).step_by(SEGMENT_INTERVALS) {
            let count = SEGMENT_INTERVALS.min(self.grid.interval_count - first);
            let source = match self.read(first, count)? {
                Read::Segment(source) => source,
                Read::Jumps => return Ok(Outcome::Jumps),
                Read::Bends => return Ok(Outcome::Bends),
            };
            if !self.segment(first, count, &source) {
                return Ok(Outcome::Bends);
            }
        }
        let Builder { mut clip, head, errors, bits, strides, .. } = self;
        clip.head = head.finish();
        let kinds = clip.track_kinds();
        let report = CompressReport {
            form: clip.form(),
            joint_count: clip.joint_count,
            source_frame_count: 0,
            frames_per_source_frame: 1,
            bytes: clip.to_bytes().len(),
            default_tracks: kinds[0],
            constant_tracks: kinds[1],
            moving_tracks: kinds[2],
            object_m: errors.worst,
            object_p99_m: errors.p99_m(),
            bits,
            strides,
        };
        Ok(Outcome::Clip(Box::new((clip, report))))
    }

    /// Codes, decodes and compares one segment; whether it is within the bound.
    fn segment(&mut self, first: usize, count: usize, source: &SegmentSource) -> bool {
        // Errors of f32 and of the series in the job, which the search does not see.
        let mut bound_m = 0.985 * self.bound_m;
        for _ in 0..RETRIES {
            let budgets_m = &mut self.budgets_m;
            let found = search::search(&self.rig, source, bound_m, budgets_m, first == 0, &mut self.scratch);
            let Some(encoded) = found else { return false };
            let codes = encoded.codes;
            let CompressedClip { tracks, form, .. } = &mut self.clip;
            let Form::Frames(frames) = form else { unreachable!("the builder makes frames") };
            frames.push(tracks, &codes, count);
            let errors_m = self.measure(source, first + count);
            let worst_m = errors_m.iter().copied().fold(0.0, f64::max);
            if worst_m <= self.bound_m {
                for (i, error_m) in errors_m.iter().enumerate() {
                    let joint_count = self.rig.parents.len();
                    self.errors.note(*error_m, i % joint_count, source.moments[i / joint_count]);
                }
                self.head.segment(&self.clip.tracks, &codes, count);
                self.count(&codes);
                return true;
            }
            let Form::Frames(frames) = &mut self.clip.form else { unreachable!("the builder makes frames") };
            frames.pop();
            bound_m *= RETRY_SHARE * self.bound_m / worst_m;
        }
        false
    }

    fn count(&mut self, codes: &[TrackCode]) {
        for (track, code) in self.rig.tracks.iter().zip(codes) {
            let stride = if code.is_still() { LEVELS } else { usize::from(code.level) };
            self.strides[stride] += 1;
            for width in &code.widths[..track.part.width()] {
                self.bits[usize::from(*width)] += code.keys.len().max(1);
            }
        }
    }

    /// Errors of all joints at all moments of the last segment, as it is decoded.
    fn measure(&self, source: &SegmentSource, end: usize) -> Vec<f64> {
        let joint_count = self.rig.parents.len();
        let mut blocks = vec![JointBlock::IDENTITY; self.clip.constants.len()];
        let mut got = Vec::new();
        let mut errors_m = Vec::with_capacity(source.moment_models.len());
        for (at, want) in source.moments.iter().zip(source.moment_models.chunks_exact(joint_count.max(1))) {
            // The end of a segment is the next one's to decode.
            if end < self.grid.interval_count && *at >= self.grid.moment(end, self.clip.duration) {
                errors_m.resize(errors_m.len() + joint_count, 0.0);
                continue;
            }
            Decompress { isa: Isa::detect(), clip: &self.clip, at: *at, out: &mut blocks }.run();
            let locals = (0..joint_count).map(|joint| DTrs::from(JointBlock::joint(&blocks, joint)));
            models(locals, self.rig.parents, &mut got);
            errors_m.extend(want.iter().zip(&got).map(|(want, got)| vertex_error_m(want, got, self.rig.shell_m)));
        }
        errors_m
    }

    /// The poses of a segment.
    fn read(&mut self, first: usize, count: usize) -> Result<Read, ClipError> {
        let (joint_count, duration) = (self.rig.parents.len(), self.source.duration);
        let ticks = self.grid.frame_ticks;
        let mut moments = Vec::new();
        for frame in first..first + count {
            for i in 0..MOMENTS {
                let within = if i + 1 == MOMENTS { ticks - 1 } else { (i128::from(ticks) * i as i128 / 4) as i64 };
                moments.push(self.grid.moment(frame, duration).0.saturating_add(within).min(duration.0));
            }
        }
        moments.push(self.grid.moment(first + count, duration).0);
        let mut moments: Vec<Tick> = moments.into_iter().map(Tick).collect();
        let grid_moments = moments.len();
        // Keys between frames, and the ticks before keys.
        let (start, end) = (moments[0], moments[grid_moments - 1]);
        let near = self.keys.iter().flat_map(|key| [*key, *key - Tick(1)]);
        moments.extend(near.filter(|at| (start..end).contains(at)));
        moments[grid_moments..].sort_unstable();
        let (on_grid, extra) = moments.split_at(grid_moments);
        let mut extra: Vec<Tick> = extra.iter().copied().filter(|at| on_grid.binary_search(at).is_err()).collect();
        extra.dedup();
        moments.truncate(grid_moments);
        moments.extend(extra);

        let mut poses = Vec::with_capacity(moments.len() * joint_count);
        for (i, at) in moments.iter().enumerate() {
            if i == grid_moments {
                // Signs run on from the pose before, and these are not in order.
                let mut rest = Vec::new();
                for at in &moments[grid_moments..] {
                    let mut pose = Vec::new();
                    self.source.push(*at, &mut pose)?;
                    rest.extend(pose);
                }
                poses.extend(rest);
                break;
            }
            self.source.push(*at, &mut poses)?;
        }
        let mut moment_models = Vec::with_capacity(poses.len());
        let mut here = Vec::new();
        for pose in poses.chunks_exact(joint_count.max(1)) {
            models(pose.iter().copied(), self.rig.parents, &mut here);
            moment_models.extend(&here);
        }

        let n = count + 1;
        let mut source = SegmentSource {
            frame_count: n,
            locals: Vec::with_capacity(n * joint_count),
            models: Vec::with_capacity(n * joint_count),
            turns: Vec::with_capacity(n * joint_count),
            holds: vec![0; self.rig.tracks.len()],
            moments,
            moment_models,
        };
        for joint in 0..joint_count {
            for frame in 0..n {
                let at = frame * MOMENTS * joint_count + joint;
                source.locals.push(poses[at]);
                source.models.push(source.moment_models[at]);
                let parent = self.rig.parents[joint];
                let above =
                    if parent == NO_PARENT { DQuat::IDENTITY } else { source.turns[usize::from(parent) * n + frame] };
                source.turns.push(above * poses[at].rotation);
            }
        }
        for track in 0..self.rig.tracks.len() {
            for interval in 0..count {
                match self.between(track, interval, &poses) {
                    Between::Follows => {}
                    Between::Stays => source.holds[track] |= 1 << interval,
                    Between::Jumps => return Ok(Read::Jumps),
                    Between::Bends => return Ok(Read::Bends),
                }
            }
        }
        Ok(Read::Segment(source))
    }

    /// What a track does in an interval.
    fn between(&self, track: usize, interval: usize, poses: &[DTrs]) -> Between {
        let Track { joint, part } = self.rig.tracks[track];
        let joint_count = self.rig.parents.len();
        let value = |moment: usize| {
            let pose = &poses[(interval * MOMENTS + moment) * joint_count + usize::from(joint)];
            match part {
                Part::Rotation => pose.rotation.to_array(),
                Part::Translation => [pose.translation.x, pose.translation.y, pose.translation.z, 0.0],
                Part::Scale => [pose.scale.x, pose.scale.y, pose.scale.z, 0.0],
            }
        };
        let lever_m = match part {
            Part::Rotation => 2.0 * self.rig.reaches_m[usize::from(joint)],
            Part::Translation => 1.0,
            Part::Scale => self.rig.reaches_m[usize::from(joint)],
        };
        let apart_m =
            |a: [f64; 4], b: [f64; 4]| (0..4).map(|i| (a[i] - b[i]) * (a[i] - b[i])).sum::<f64>().sqrt() * lever_m;
        let (from, to, last) = (value(0), value(MOMENTS), value(MOMENTS - 1));
        let (mut off_m, mut moved_m) = (apart_m(last, to), apart_m(last, from));
        for quarter in 1..4 {
            let along = quarter as f64 / 4.0;
            let got = match part {
                Part::Rotation => slerp::slerp(from, to, along),
                _ => [0, 1, 2, 3].map(|i| from[i] + (to[i] - from[i]) * along),
            };
            off_m = off_m.max(apart_m(got, value(quarter)));
            moved_m = moved_m.max(apart_m(value(quarter), from));
        }
        let max_m = 0.3 * self.bound_m;
        if off_m <= max_m {
            Between::Follows
        } else if moved_m <= 0.02 * self.bound_m {
            Between::Stays
        } else if apart_m(last, to) > max_m && apart_m(last, value(MOMENTS - 2)) < apart_m(last, to) {
            Between::Jumps
        } else {
            Between::Bends
        }
    }
}

enum Read {
    Segment(SegmentSource),
    Bends,
    Jumps,
}

enum Between {
    Follows,
    Stays,
    Bends,
    Jumps,
}
