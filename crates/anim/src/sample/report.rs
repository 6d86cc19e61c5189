//! Report: what baking has found in a clip and what it has cost.
//!
//! The measure of the object-space error is that of ACL: how far points near a joint are from where they belong, all
//! errors of its ancestors included.

use glam::DVec3;
use stillframe_base::lanes::Isa;
use stillframe_base::math::ops64;
use stillframe_base::tick::Tick;

use super::source::{Source, models};
use super::{ClipError, DTrs, Sample, UniformClip};
use crate::pose::{JointBlock, Trs};

/// How far from a joint, along each axis, the points lie at which errors are measured.
pub const VIRTUAL_VERTEX_M: f64 = 0.03;

/// Frames of a rotation that are nearer than this are interpolated as well as ...
pub const NLERP_KEY_ANGLE_DEG: f64 = 30.0;

/// ... this: the most that nlerp is from slerp there.
pub const NLERP_ERROR_MAX_DEG: f64 = 0.034;

/// Moments looked at between two frames, the first of them included.
const STEPS_PER_FRAME: i64 = 8;

/// The largest of some number, and where it was found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Worst {
    pub value: f64,
    pub joint: usize,
    pub at: Tick,
}

impl Worst {
    fn note(&mut self, value: f64, joint: usize, at: Tick) {
        if value > self.value {
            *self = Worst { value, joint, at };
        }
    }
}

/// What baking has found. Errors are the largest at eight moments a frame, at every key, and a tick before it; between
/// these they are at most a tenth larger as long as no rotation is off by a quarter turn.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipReport {
    pub joint_count: usize,
    pub frame_count: usize,
    pub frame_ticks: i64,
    /// In memory.
    pub bytes: usize,
    /// Joints whose rotation moves; all others are constant.
    pub moving_rotations: usize,
    pub moving_translations: usize,
    pub moving_scales: usize,
    /// Keys whose rotation has the other sign than the one before: the same rotation, but a player without care turns
    /// the long way.
    pub sign_flips: usize,
    /// Largest turn from one frame to the next: near 180, which way it goes is chance.
    pub key_angle_deg: Worst,
    pub rotation_deg: Worst,
    /// In the parent's space.
    pub translation_m: Worst,
    /// At points [`VIRTUAL_VERTEX_M`] from the joint, in the model's space.
    pub object_m: Worst,
}

impl ClipReport {
    /// What it would take as f32, ten numbers a joint and frame.
    pub fn raw_bytes(&self) -> usize {
        40 * self.joint_count * self.frame_count
    }

    /// The most that nlerp is from slerp between frames of this clip.
    pub fn nlerp_error_deg(&self) -> f64 {
        nlerp_error_deg(self.key_angle_deg.value)
    }
}

/// The most that nlerp is from slerp between rotations this far apart.
///
/// Half the angle of the way is `atan2(s sin a, 1 - s + s cos a)` where slerp has `s a`.
pub(super) fn nlerp_error_deg(key_angle_deg: f64) -> f64 {
    let half = key_angle_deg.to_radians() * 0.5;
    let (sin, cos) = ops64::sin_cos(half);
    let off = |s: f64| (ops64::atan2(s * sin, 1.0 - s + s * cos) - s * half).abs();
    (0..=256).map(|i| off(f64::from(i) / 512.0)).fold(0.0, f64::max).to_degrees() * 2.0
}

/// The angle between two unit rotations.
fn angle_deg(a: &DTrs, b: &DTrs) -> f64 {
    let chord = (a.rotation - b.rotation).length().min((a.rotation + b.rotation).length());
    (4.0 * ops64::asin((0.5 * chord).min(1.0))).to_degrees()
}

pub(super) struct Measured {
    pub rotation_deg: Worst,
    pub translation_m: Worst,
    pub object_m: Worst,
    pub key_angle_deg: Worst,
}

/// Plays a clip and compares it with its source.
pub(super) fn measure(
    clip: &UniformClip,
    source: &mut Source<'_>,
    frames: &[DTrs],
    keys: &[Tick],
) -> Result<Measured, ClipError> {
    let joint_count = clip.joint_count;
    let [mut rotation_deg, mut translation_m, mut object_m, mut key_angle_deg] = [Worst::default(); 4];
    for frame in 0..clip.segment_count {
        let (here, next) = frames[frame * joint_count..][..2 * joint_count].split_at(joint_count);
        for (joint, (a, b)) in here.iter().zip(next).enumerate() {
            key_angle_deg.note(angle_deg(a, b), joint, Tick(frame as i64 * clip.frame_ticks));
        }
    }

    let mut blocks = vec![JointBlock::IDENTITY; clip.blocks.len()];
    let parents = source.skeleton.parents();
    let (mut wanted, mut baked) = (Vec::new(), vec![DTrs::from(Trs::IDENTITY); joint_count]);
    let (mut wanted_models, mut baked_models) = (Vec::new(), Vec::new());
    for at in moments(clip, keys) {
        wanted.clear();
        source.push(at, &mut wanted)?;
        Sample { isa: Isa::detect(), clip, at, out: &mut blocks }.run();
        for joint in 0..joint_count {
            baked[joint] = JointBlock::joint(&blocks, joint).into();
            let rotation = baked[joint].rotation.normalize();
            rotation_deg.note(angle_deg(&wanted[joint], &DTrs { rotation, ..baked[joint] }), joint, at);
            translation_m.note(wanted[joint].translation.distance(baked[joint].translation), joint, at);
        }
        models(wanted.iter().copied(), parents, &mut wanted_models);
        models(baked.iter().copied(), parents, &mut baked_models);
        for (joint, (wanted, baked)) in wanted_models.iter().zip(&baked_models).enumerate() {
            for axis in DVec3::AXES {
                let vertex = axis * VIRTUAL_VERTEX_M;
                let off = wanted.transform_point3(vertex).distance(baked.transform_point3(vertex));
                object_m.note(off, joint, at);
            }
        }
    }
    Ok(Measured { rotation_deg, translation_m, object_m, key_angle_deg })
}

/// When errors are looked at.
fn moments(clip: &UniformClip, keys: &[Tick]) -> Vec<Tick> {
    let steps = clip.segment_count as i64 * STEPS_PER_FRAME;
    // A frame of more than 2^60 ticks is longer than any clip that is not one frame.
    let mut moments: Vec<Tick> = (0..=steps)
        .map(|step| Tick((i128::from(step) * i128::from(clip.frame_ticks) / i128::from(STEPS_PER_FRAME)) as i64))
        .collect();
    moments.extend(keys.iter().flat_map(|key| [*key, *key - Tick(1)]));
    moments.iter_mut().for_each(|at| *at = (*at).clamp(Tick::ZERO, clip.duration));
    moments.sort_unstable();
    moments.dedup();
    moments
}
