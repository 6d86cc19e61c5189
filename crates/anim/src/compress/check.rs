//! Check: how far a compressed clip is from its source.

use glam::DAffine3;
use stillframe_base::lanes::Isa;
use stillframe_base::tick::Tick;

use super::grid::Grid;
use super::{ClipForm, CompressedClip, Compression, Decompress};
use crate::pose::JointBlock;
use crate::sample::source::{Source, models, vertex_error_m};
use crate::sample::{ClipError, DTrs, Skeleton, Worst};

/// How far each joint of a clip is from where it belongs, at some moments.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorMap {
    pub joint_count: usize,
    pub moments: Vec<Tick>,
    /// In metres, in the model's space: those of all joints at the first moment, at the second, ... : `moment * joint_count + joint`.
    /// The furthest of three points, `shell_m` from the joint along its axes; infinite where there is no number.
    pub errors_m: Vec<f64>,
}

impl ErrorMap {
    /// Of all joints at a moment.
    pub fn moment(&self, moment: usize) -> &[f64] {
        &self.errors_m[moment * self.joint_count..][..self.joint_count]
    }

    /// The largest of all, the first of equals.
    pub fn worst(&self) -> Worst {
        let mut worst = Worst::default();
        for (moment, at) in self.moments.iter().enumerate() {
            for (joint, error_m) in self.moment(moment).iter().enumerate() {
                if *error_m > worst.value {
                    worst = Worst { value: *error_m, joint, at: *at };
                }
            }
        }
        worst
    }
}

/// What [`check`] has found of a clip that is within its bound.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckReport {
    pub moment_count: usize,
    /// At points [`Compression::shell_m`] from the joint, in the model's space.
    pub object_m: Worst,
    /// 99 of 100 joints and moments are no worse than this, to a 256th of the bound.
    pub object_p99_m: f64,
}

/// The errors of a compressed clip against its source, joint by joint and moment by moment.
///
/// Shapes: the clip has the skeleton's joints. `pose` is as for [`bake`](crate::sample::bake).
/// Moments: in any order; outside the clip its nearer end is asked of both.
/// Units: `shell_m` is as of [`Compression`].
/// Errors: poses that are no poses, clips of other skeletons.
pub fn error_map(
    clip: &CompressedClip,
    skeleton: &Skeleton,
    moments: &[Tick],
    shell_m: f64,
    pose: &mut dyn FnMut(Tick, &mut [DTrs]),
) -> Result<ErrorMap, ClipError> {
    let joint_count = skeleton.joint_count();
    let mut source = Source::new(skeleton, clip.duration, pose);
    let mut measure = Measure::new(clip, skeleton, shell_m)?;
    let mut out = ErrorMap { joint_count, moments: Vec::new(), errors_m: Vec::new() };
    for at in moments {
        let at = (*at).clamp(Tick::ZERO, clip.duration);
        out.errors_m.extend(measure.errors_m(&mut source, at)?);
        out.moments.push(at);
    }
    Ok(out)
}

/// Holds a compressed clip to the bound of `compression`, whoever has made it.
///
/// Looked at are the quarters of the source's frames, those of its keys where they have a rate, and of the clip's own; the ticks before
/// frames; all `keys`, and the ticks before them; for clips of keys, the middles between those.
/// Errors: [`ClipError::Error`] names the worst joint of a clip that is off; as of [`error_map`] and [`compress`](super::compress).
pub fn check(
    clip: &CompressedClip,
    skeleton: &Skeleton,
    keys: &[Tick],
    compression: &Compression,
    pose: &mut dyn FnMut(Tick, &mut [DTrs]),
) -> Result<CheckReport, ClipError> {
    compression.check()?;
    let mut source = Source::new(skeleton, clip.duration, pose);
    let grid = Grid::of(clip.duration, keys, compression.rate, skeleton.joint_count())?;
    check_source(clip, &mut source, grid, keys, compression)
}

pub(super) fn check_source(
    clip: &CompressedClip,
    source: &mut Source<'_>,
    grid: Grid,
    keys: &[Tick],
    compression: &Compression,
) -> Result<CheckReport, ClipError> {
    let max_m = compression.object_error_max_m;
    let mut errors = Errors::new(max_m);
    let mut measure = Measure::new(clip, source.skeleton, compression.shell_m)?;
    let moments = moments(clip, grid, keys);
    for at in &moments {
        for (joint, error_m) in measure.errors_m(source, *at)?.enumerate() {
            errors.note(error_m, joint, *at);
        }
    }
    let Worst { value: worst_m, joint, .. } = errors.worst;
    // Also where the bound is no number.
    if !(worst_m <= max_m) {
        return Err(ClipError::Error { worst_m, joint, max_m });
    }
    Ok(CheckReport { moment_count: moments.len(), object_m: errors.worst, object_p99_m: errors.p99_m() })
}

/// In order, each once.
fn moments(clip: &CompressedClip, grid: Grid, keys: &[Tick]) -> Vec<Tick> {
    let mut moments: Vec<Tick> = quarters(grid.frame_ticks, grid.interval_count).collect();
    match clip.form() {
        ClipForm::Frames { frame_ticks, .. } if frame_ticks == grid.frame_ticks => {}
        ClipForm::Frames { frame_ticks, frame_count } => moments.extend(quarters(frame_ticks, frame_count - 1)),
        ClipForm::Keys { .. } => {
            let times = clip.key_times();
            moments.extend(times);
            moments.extend(times.windows(2).map(|pair| Tick(pair[0].0 + (pair[1].0 - pair[0].0) / 2)));
        }
    }
    moments.extend(keys.iter().flat_map(|key| [*key, *key - Tick(1)]));
    moments.iter_mut().for_each(|at| *at = (*at).clamp(Tick::ZERO, clip.duration));
    moments.sort_unstable();
    moments.dedup();
    moments
}

/// Quarters of frames, and the ticks before frames.
fn quarters(frame_ticks: i64, interval_count: usize) -> impl Iterator<Item = Tick> {
    (0..=interval_count as i128 * 4).flat_map(move |quarter| {
        let at = i128::from(frame_ticks) * quarter / 4;
        [at - i128::from(quarter % 4 == 0), at].map(|at| Tick(at.clamp(0, i128::from(i64::MAX)) as i64))
    })
}

/// Room to compare one pose after the other.
struct Measure<'a> {
    clip: &'a CompressedClip,
    parents: &'a [u16],
    shell_m: f64,
    want: Vec<DTrs>,
    blocks: Vec<JointBlock>,
    want_models: Vec<DAffine3>,
    got_models: Vec<DAffine3>,
}

impl<'a> Measure<'a> {
    fn new(clip: &'a CompressedClip, skeleton: &'a Skeleton, shell_m: f64) -> Result<Measure<'a>, ClipError> {
        let (joints, want) = (clip.joint_count, skeleton.joint_count());
        if joints != want {
            return Err(ClipError::Joints { joints, want });
        }
        Ok(Measure {
            clip,
            parents: skeleton.parents(),
            shell_m,
            want: Vec::new(),
            blocks: vec![JointBlock::IDENTITY; clip.constants.len()],
            want_models: Vec::new(),
            got_models: Vec::new(),
        })
    }

    fn errors_m(&mut self, source: &mut Source<'_>, at: Tick) -> Result<impl Iterator<Item = f64> + '_, ClipError> {
        self.want.clear();
        source.push(at, &mut self.want)?;
        Decompress { isa: Isa::detect(), clip: self.clip, at, out: &mut self.blocks }.run();
        models(self.want.iter().copied(), self.parents, &mut self.want_models);
        let got = (0..self.clip.joint_count).map(|joint| DTrs::from(JointBlock::joint(&self.blocks, joint)));
        models(got, self.parents, &mut self.got_models);
        let pairs = self.want_models.iter().zip(&self.got_models);
        Ok(pairs.map(|(want, got)| vertex_error_m(want, got, self.shell_m)))
    }
}

/// Errors as they are found.
pub(super) struct Errors {
    pub worst: Worst,
    /// 256ths of the bound, and all above.
    bins: [usize; 258],
    bound_m: f64,
}

impl Errors {
    pub fn new(bound_m: f64) -> Errors {
        Errors { worst: Worst::default(), bins: [0; 258], bound_m }
    }
    pub fn note(&mut self, error_m: f64, joint: usize, at: Tick) {
        if error_m > self.worst.value {
            self.worst = Worst { value: error_m, joint, at };
        }
        self.bins[((error_m / self.bound_m * 256.0).ceil() as usize).min(257)] += 1;
    }
    pub fn p99_m(&self) -> f64 {
        let rest = self.bins.iter().sum::<usize>() / 100;
        let mut above = 0;
        let bin = (0..258).rev().find(|bin| {
            above += self.bins[*bin];
            above > rest
        });
        bin.unwrap_or(0) as f64 / 256.0 * self.bound_m
    }
}
