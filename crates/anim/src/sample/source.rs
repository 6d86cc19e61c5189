//! Source: a pose over time as clips are made of it, checked; and where its joints are in the model's space.

use glam::{DAffine3, DQuat, DVec3};
use stillframe_base::tick::{FrameRate, TICKS_PER_SECOND, Tick};

use super::{ClipError, DTrs, Skeleton};
use crate::pose::{NO_PARENT, Trs};

/// Numbers further from 0 are refused: f32 has no millimetres there, and sums of them no end.
pub(crate) const NUMBER_MAX: f64 = 1e9;

/// Joints times frames: 1.3 GB while a clip is made.
pub(crate) const SAMPLES_MAX: usize = 1 << 24;

/// A number that moves by less, relative to its size or to 1, stands still: half the last bit of an f32.
const STILL: f64 = 6e-8;

/// Poses of a source, checked.
pub(crate) struct Source<'a> {
    pub skeleton: &'a Skeleton,
    pub duration: Tick,
    rest: Vec<DTrs>,
    pose: &'a mut dyn FnMut(Tick, &mut [DTrs]),
}

impl<'a> Source<'a> {
    /// `pose` is as for [`bake`](super::bake).
    pub fn new(skeleton: &'a Skeleton, duration: Tick, pose: &'a mut dyn FnMut(Tick, &mut [DTrs])) -> Source<'a> {
        let rest = skeleton.rest().iter().map(|rest| DTrs::from(*rest)).collect();
        Source { skeleton, duration, rest, pose }
    }

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

/// A joint's pose with a unit rotation.
fn checked(pose: DTrs, joint: usize, at: Tick) -> Result<DTrs, ClipError> {
    let length = pose.rotation.length_squared().sqrt();
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

/// How many ticks frames of a clip may be apart.
pub(crate) fn frame_ticks_max(duration: Tick, rate: FrameRate) -> Result<i128, ClipError> {
    if duration < Tick::ZERO {
        return Err(ClipError::Span { start: Tick::ZERO, end: duration });
    }
    if rate.frames == 0 || rate.seconds == 0 {
        return Err(ClipError::Rate);
    }
    Ok((i128::from(rate.seconds) * i128::from(TICKS_PER_SECOND) / i128::from(rate.frames)).max(1))
}

/// Refuses clips that take more memory than anybody meant.
pub(crate) fn check_samples(frames: u128, joint_count: usize) -> Result<(), ClipError> {
    let samples = frames * joint_count.max(1) as u128;
    if samples > SAMPLES_MAX as u128 {
        return Err(ClipError::TooLong { samples, max: SAMPLES_MAX });
    }
    Ok(())
}

/// Whether a number of this range stands still.
pub(crate) fn is_still((min, max): &(f64, f64)) -> bool {
    max - min <= STILL * min.abs().max(max.abs()).max(1.0)
}

pub(crate) fn to_f32(pose: &DTrs) -> Trs {
    Trs { translation: pose.translation.as_vec3(), rotation: pose.rotation.as_quat(), scale: pose.scale.as_vec3() }
}

/// From a joint's space to its parent's.
pub(crate) fn affine(local: &DTrs) -> DAffine3 {
    DAffine3::from_scale_rotation_translation(local.scale, local.rotation, local.translation)
}

/// From joints' spaces to the model's.
pub(crate) fn models(locals: impl Iterator<Item = DTrs>, parents: &[u16], out: &mut Vec<DAffine3>) {
    out.clear();
    for (local, &parent) in locals.zip(parents) {
        let local = affine(&local);
        out.push(if parent == NO_PARENT { local } else { out[usize::from(parent)] * local });
    }
}

/// How far points near a joint are from where they belong: the furthest of three, `shell_m` from it along its axes.
/// What is not a number is infinitely far.
pub(crate) fn vertex_error_m(want: &DAffine3, got: &DAffine3, shell_m: f64) -> f64 {
    let (moved, turned) = (got.translation - want.translation, got.matrix3 - want.matrix3);
    let off = |axis: DVec3| (moved + axis * shell_m).length_squared();
    let squares = [off(turned.x_axis), off(turned.y_axis), off(turned.z_axis)];
    if squares.iter().any(|square| square.is_nan()) {
        return f64::INFINITY;
    }
    squares.into_iter().fold(0.0, f64::max).sqrt()
}
