//! Source: the poses that a clip has to meet, frame by frame and between.

use glam::{DAffine3, DQuat};
use stillframe_base::tick::{FrameRate, TICKS_PER_SECOND, Tick};

use crate::pose::NO_PARENT;
use crate::sample::{ClipError, DTrs, Skeleton};

/// As of baking: numbers further from 0 are refused.
const NUMBER_MAX: f64 = 1e9;

/// Joints times frames.
const SAMPLES_MAX: usize = 1 << 24;

/// Moments looked at in an interval: quarters, and the last tick.
pub(super) const MOMENTS: usize = 5;

/// Keys this far from a frame are on it: what times in f32 seconds are off by within a minute.
const ON_FRAME_TICKS: i64 = 1400;

/// Frames a fixed time apart; the last may lie after the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    pub frame_ticks: i64,
    pub interval_count: usize,
}

impl Grid {
    /// The grid of the keys where they have one that is not much denser than `rate`; else frames so near that a whole number of
    /// them makes the clip.
    pub fn of(duration: Tick, keys: &[Tick], rate: FrameRate, joint_count: usize) -> Result<Grid, ClipError> {
        if duration < Tick::ZERO {
            return Err(ClipError::Span { start: Tick::ZERO, end: duration });
        }
        if rate.frames == 0 || rate.seconds == 0 {
            return Err(ClipError::Rate);
        }
        let widest = (i128::from(rate.seconds) * i128::from(TICKS_PER_SECOND) / i128::from(rate.frames)).max(1);
        let widest = widest.min(i128::from(i64::MAX)) as i64;
        let on_grid = |ticks: i64| {
            let off = |key: &Tick| key.0.rem_euclid(ticks).min(ticks - key.0.rem_euclid(ticks));
            keys.len() > 2 && keys.iter().all(|key| off(key) <= ON_FRAME_TICKS)
        };
        let rates = [24, 25, 30, 48, 50, 60].map(|rate| TICKS_PER_SECOND / rate);
        let of_keys = std::iter::once(widest).chain(rates).find(|ticks| *ticks > 2 * ON_FRAME_TICKS && on_grid(*ticks));
        let frame_ticks = of_keys.unwrap_or_else(|| {
            let count = duration.0 / widest + i64::from(duration.0 % widest > 0);
            let count = count.max(1);
            (duration.0 / count + i64::from(duration.0 % count > 0)).max(1)
        });
        Grid::with_ticks(duration, frame_ticks, joint_count)
    }

    pub fn with_ticks(duration: Tick, frame_ticks: i64, joint_count: usize) -> Result<Grid, ClipError> {
        let intervals = (duration.0 / frame_ticks + i64::from(duration.0 % frame_ticks > 0)).max(1);
        let samples = (intervals as u128 + 1) * joint_count.max(1) as u128;
        if samples > SAMPLES_MAX as u128 {
            return Err(ClipError::TooLong { samples, max: SAMPLES_MAX });
        }
        Ok(Grid { frame_ticks, interval_count: intervals as usize })
    }

    pub fn moment(&self, frame: usize, duration: Tick) -> Tick {
        Tick((frame as i64).saturating_mul(self.frame_ticks)).min(duration)
    }
}

/// Poses of a source, checked.
pub(super) struct Source<'a> {
    pub skeleton: &'a Skeleton,
    pub duration: Tick,
    pub rest: Vec<DTrs>,
    /// How far the points are from joints that errors are told of.
    pub shell_m: f64,
    pub pose: &'a mut dyn FnMut(Tick, &mut [DTrs]),
}

impl Source<'_> {
    /// Adds a pose, its rotations of unit length and with the sign nearer to those of the pose before, if there is one.
    pub fn push(&mut self, at: Tick, out: &mut Vec<DTrs>) -> Result<(), ClipError> {
        let count = self.rest.len();
        let here = out.len();
        out.extend(&self.rest);
        (self.pose)(at, &mut out[here..]);
        for joint in 0..count {
            let now = checked(out[here + joint], joint, at)?;
            let before = if here == 0 { DQuat::IDENTITY } else { out[here - count + joint].rotation };
            let rotation = if now.rotation.dot(before) < 0.0 { -now.rotation } else { now.rotation };
            out[here + joint] = DTrs { rotation, ..now };
        }
        Ok(())
    }
}

fn checked(pose: DTrs, joint: usize, at: Tick) -> Result<DTrs, ClipError> {
    let length = pose.rotation.length();
    let inside = |numbers: [f64; 3]| numbers.iter().all(|number| number.abs() <= NUMBER_MAX);
    let good = inside(pose.translation.to_array())
        && inside(pose.scale.to_array())
        && inside([pose.rotation.x, pose.rotation.y, pose.rotation.z])
        && (1.0 / NUMBER_MAX..=NUMBER_MAX).contains(&length);
    if !good {
        return Err(ClipError::OutOfRange { joint, at, max: NUMBER_MAX });
    }
    Ok(DTrs { rotation: pose.rotation * (1.0 / length), ..pose })
}

/// From a joint's space to its parent's.
pub(super) fn affine(local: &DTrs) -> DAffine3 {
    DAffine3::from_scale_rotation_translation(local.scale, local.rotation, local.translation)
}

/// From joints' spaces to the model's.
pub(super) fn models(locals: impl Iterator<Item = DTrs>, parents: &[u16], out: &mut Vec<DAffine3>) {
    out.clear();
    for (local, &parent) in locals.zip(parents) {
        let local = affine(&local);
        out.push(if parent == NO_PARENT { local } else { out[usize::from(parent)] * local });
    }
}

/// How far points `shell_m` from a joint are from where they belong: the furthest of three. What is not a number is infinitely far.
pub(super) fn vertex_error_m(want: &DAffine3, got: &DAffine3, shell_m: f64) -> f64 {
    let (moved, turned) = (got.translation - want.translation, got.matrix3 - want.matrix3);
    let off = |axis: glam::DVec3| (moved + axis * shell_m).length_squared();
    let squares = [off(turned.x_axis), off(turned.y_axis), off(turned.z_axis)];
    if squares.iter().any(|square| square.is_nan()) {
        return f64::INFINITY;
    }
    squares.into_iter().fold(0.0, f64::max).sqrt()
}
