//! Check: how far a compressed clip is from its source.

use glam::DAffine3;
use stillframe_base::lanes::Isa;
use stillframe_base::tick::Tick;

use super::grid::Grid;
use super::{ClipForm, CompressedClip, Compression, Decompress};
use crate::pose::JointBlock;
use crate::sample::source::{Source, models, vertex_error_m};
use crate::sample::{ClipError, DTrs, Skeleton, Worst};

/// Holds a compressed clip to the bound of `compression`.
///
/// Looked at are the quarters of the source's frames, those of its keys where they have a rate, and of the clip's own;
/// the ticks before frames; all `keys`, and the ticks before them; for clips of keys, the middles between those.
/// Errors: [`ClipError::Error`] names the worst joint of a clip that is off; poses that are no poses.
pub(super) fn check(
    clip: &CompressedClip,
    source: &mut Source<'_>,
    grid: Grid,
    keys: &[Tick],
    compression: &Compression,
) -> Result<Errors, ClipError> {
    let max_m = compression.object_error_max_m;
    let mut errors = Errors::new(max_m);
    let mut measure = Measure::new(clip, source.skeleton, compression.shell_m);
    for at in moments(clip, grid, keys) {
        for (joint, error_m) in measure.errors_m(source, at)?.enumerate() {
            errors.note(error_m, joint, at);
        }
    }
    let Worst { value: worst_m, joint, .. } = errors.worst;
    // Also where the bound is no number.
    if !(worst_m <= max_m) {
        return Err(ClipError::Error { worst_m, joint, max_m });
    }
    Ok(errors)
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
    fn new(clip: &'a CompressedClip, skeleton: &'a Skeleton, shell_m: f64) -> Measure<'a> {
        Measure {
            clip,
            parents: skeleton.parents(),
            shell_m,
            want: Vec::new(),
            blocks: vec![JointBlock::IDENTITY; clip.constants.len()],
            want_models: Vec::new(),
            got_models: Vec::new(),
        }
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
