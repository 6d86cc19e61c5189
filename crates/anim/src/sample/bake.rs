//! Bake: from a pose over time to a uniform clip.
//!
//! 1. A pose a frame, rotations with the sign that is nearer to the frame before.
//! 2. What has the same value in all frames is constant; blocks of sixteen joints that are constant need no planes.
//! 3. 16 bits a number, over the range that the joint has in the clip.
//! 4. The result is played and compared with the source.

use stillframe_base::lanes::{ROW, Row};
use stillframe_base::tick::{FrameRate, Tick};

use super::report::{Measured, measure};
use super::source::{Source, check_samples, frame_ticks_max, is_still, to_f32};
use super::uniform::{BlockPlanes, Plane, Range, UniformClip};
use super::{ClipError, ClipReport, DTrs, RawPose, Skeleton};
use crate::RawClip;
use crate::pose::{JointBlock, Trs};

/// What lengths may be rounded by, as a part of a frame: keys of files are told in f32 seconds.
const ROUNDING_PARTS: i128 = 1000;

/// How a clip is baked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Baking {
    /// Frames are at most this far apart (a thousandth more where the clip's length was rounded), and so much nearer
    /// that a whole number of them makes the clip: its end is a frame.
    pub rate: FrameRate,
    /// Largest error that is accepted, in metres, at [`VIRTUAL_VERTEX_M`](super::VIRTUAL_VERTEX_M); any where there is
    /// none.
    pub object_error_max_m: Option<f64>,
}

/// Bakes a clip of keys, one layer, rotations as quaternions.
pub fn bake_raw(clip: &RawClip, skeleton: &Skeleton, baking: &Baking) -> Result<(UniformClip, ClipReport), ClipError> {
    let raw = RawPose::new(clip, skeleton)?;
    let keys = raw.key_times();
    let (baked, mut report) =
        bake(skeleton, raw.duration(), &keys, baking, &mut |at, pose: &mut [DTrs]| raw.sample(at, pose))?;
    report.sign_flips = raw.sign_flips();
    Ok((baked, report))
}

/// Bakes whatever gives a pose for a moment: clips of layers, simulations, other clips.
///
/// `pose` is given the rest pose and writes what differs at a moment from 0 to `duration`, asked in any order and more
/// than once; its rotations may have any length but 0. `keys` are moments at which the source may bend or jump: the
/// error is looked at there, too.
pub fn bake(
    skeleton: &Skeleton,
    duration: Tick,
    keys: &[Tick],
    baking: &Baking,
    pose: &mut dyn FnMut(Tick, &mut [DTrs]),
) -> Result<(UniformClip, ClipReport), ClipError> {
    let joint_count = skeleton.joint_count();
    let (segment_count, frame_ticks) = spacing(duration, baking.rate, joint_count)?;
    let mut source = Source::new(skeleton, duration, pose);
    let frames = frames(&mut source, segment_count, frame_ticks)?;
    let mut packer = Packer::new(&frames, joint_count);
    let count = JointBlock::count_for(joint_count);
    let blocks: Vec<BlockPlanes> = (0..count).map(|block| packer.block(block)).collect();
    let packed = packer.quantise();
    let Packer { moving, ranges, .. } = packer;
    let first: Vec<Trs> = frames[..joint_count].iter().map(to_f32).collect();
    let clip = UniformClip {
        joint_count,
        duration,
        frame_ticks,
        segment_count,
        blocks,
        constants: JointBlock::pack(&first),
        ranges,
        frames: packed,
    };
    let Measured { rotation_deg, translation_m, object_m, key_angle_deg } = measure(&clip, &mut source, &frames, keys)?;
    let report = ClipReport {
        joint_count,
        frame_count: clip.frame_count(),
        frame_ticks,
        bytes: clip.bytes(),
        moving_rotations: moving[0],
        moving_translations: moving[1],
        moving_scales: moving[2],
        sign_flips: 0,
        key_angle_deg,
        rotation_deg,
        translation_m,
        object_m,
    };
    if key_angle_deg.value < super::NLERP_KEY_ANGLE_DEG {
        let nlerp = report.nlerp_error_deg();
        assert!(nlerp <= super::NLERP_ERROR_MAX_DEG, "nlerp is {nlerp} deg off at {key_angle_deg:?}");
    }
    match baking.object_error_max_m {
        Some(max_m) if !(object_m.value <= max_m) => {
            Err(ClipError::Error { worst_m: object_m.value, joint: object_m.joint, max_m })
        }
        _ => Ok((clip, report)),
    }
}

/// How many segments, and of how many ticks: the last frame lies at the end or less than a tick a segment past it.
fn spacing(duration: Tick, rate: FrameRate, joint_count: usize) -> Result<(usize, i64), ClipError> {
    let widest = frame_ticks_max(duration, rate)?;
    let ticks = i128::from(duration.0);
    // Lengths of files are rounded: one that is a hair over a whole number of frames must not get another frame, since
    // no key would lie on one then.
    let slack = widest / ROUNDING_PARTS;
    let segments = ((ticks - slack + widest - 1) / widest).max(1);
    check_samples((segments + 1) as u128, joint_count)?;
    Ok((segments as usize, ((ticks + segments - 1) / segments).max(1) as i64))
}

/// A pose a frame.
fn frames(source: &mut Source<'_>, segment_count: usize, frame_ticks: i64) -> Result<Vec<DTrs>, ClipError> {
    let mut frames: Vec<DTrs> = Vec::with_capacity((segment_count + 1) * source.skeleton.joint_count());
    for frame in 0..=segment_count {
        source.push(Tick((frame as i64).saturating_mul(frame_ticks)).min(source.duration), &mut frames)?;
    }
    Ok(frames)
}

/// The ten numbers of a pose: rotation, translation, scale.
fn numbers(pose: &DTrs) -> [f64; 10] {
    let ([rx, ry, rz, rw], [tx, ty, tz], [sx, sy, sz]) =
        (pose.rotation.to_array(), pose.translation.to_array(), pose.scale.to_array());
    [rx, ry, rz, rw, tx, ty, tz, sx, sy, sz]
}

/// Lays out planes, block by block.
struct Packer<'a> {
    frames: &'a [DTrs],
    joint_count: usize,
    /// Smallest and largest of the ten numbers of each joint.
    extents: Vec<[(f64, f64); 10]>,
    /// Rotations, translations and scales that move.
    moving: [usize; 3],
    /// Of each plane: its block and which of the ten numbers it holds.
    planes: Vec<(usize, usize)>,
    ranges: Vec<Range>,
}

impl<'a> Packer<'a> {
    fn new(frames: &'a [DTrs], joint_count: usize) -> Packer<'a> {
        let mut extents = vec![[(f64::INFINITY, f64::NEG_INFINITY); 10]; joint_count];
        for frame in frames.chunks_exact(joint_count.max(1)) {
            for (extent, pose) in extents.iter_mut().zip(frame) {
                for ((min, max), number) in extent.iter_mut().zip(numbers(pose)) {
                    (*min, *max) = (min.min(number), max.max(number));
                }
            }
        }
        Packer { frames, joint_count, extents, moving: [0; 3], planes: Vec::new(), ranges: Vec::new() }
    }

    fn block(&mut self, block: usize) -> BlockPlanes {
        BlockPlanes {
            rotation: self.property(block, 0, 0..4),
            translation: self.property(block, 1, 4..7),
            scale: self.property(block, 2, 7..10),
        }
    }

    /// Planes of one property of a block, if any joint of it moves.
    fn property(&mut self, block: usize, property: usize, which: std::ops::Range<usize>) -> Option<u32> {
        let joints = block * ROW..self.joint_count.min((block + 1) * ROW);
        let moves = |joint: &usize| !self.extents[*joint][which.clone()].iter().all(is_still);
        let moving: Vec<bool> = joints.clone().map(|joint| moves(&joint)).collect();
        let count = moving.iter().filter(|moves| **moves).count();
        if count == 0 {
            return None;
        }
        self.moving[property] += count;
        let at = self.planes.len() as u32;
        for number in which {
            // Lanes that stand still, with a joint or without, hold one value exactly.
            let mut range =
                Range { min: Row([numbers(&DTrs::from(Trs::IDENTITY))[number] as f32; ROW]), step: Row::ZERO };
            for (lane, joint) in joints.clone().enumerate() {
                let (min, max) = self.extents[joint][number];
                range.min.0[lane] = min as f32;
                if moving[lane] {
                    range.step.0[lane] = ((max - f64::from(min as f32)) / f64::from(u16::MAX)) as f32;
                } else {
                    range.min.0[lane] = numbers(&self.frames[joint])[number] as f32;
                }
            }
            self.ranges.push(range);
            self.planes.push((block, number));
        }
        Some(at)
    }
}

impl Packer<'_> {
    /// Every plane of every frame.
    fn quantise(&self) -> Vec<Plane> {
        let mut out = Vec::with_capacity(self.planes.len() * self.frames.len() / self.joint_count.max(1));
        for frame in self.frames.chunks_exact(self.joint_count.max(1)) {
            for (range, &(block, number)) in self.ranges.iter().zip(&self.planes) {
                let mut plane = Plane([0; ROW]);
                for (lane, pose) in frame[block * ROW..].iter().take(ROW).enumerate() {
                    let (min, step) = (f64::from(range.min.0[lane]), f64::from(range.step.0[lane]));
                    if step > 0.0 {
                        // The cast clamps to what 16 bits hold.
                        plane.0[lane] = ((numbers(pose)[number] - min) / step).round_ties_even() as u16;
                    }
                }
                out.push(plane);
            }
        }
        out
    }
}
