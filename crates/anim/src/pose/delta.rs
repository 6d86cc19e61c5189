//! Delta: what a pose does beyond a reference pose.
//!
//! Source: additive animation as engines have it. The rotation is a turn in the joint's own frame, so that it follows
//! what it is added to; translation and scale are in the parent's.
//!
//! ```text
//! for each joint:
//!     translation = pose - reference
//!     rotation    = unit(inverse(reference) * pose)
//!     scale       = pose / reference, and 1 where the reference is less than 1e-4 in size
//! ```

use stillframe_base::lanes::{Isa, ROW, Row, Wide, WideWork};

use super::blend::{LENGTH_SQUARED_MIN, load3, load4};
use super::mask::check_mask;
use super::{JobError, JointBlock, check_finite, check_length};

/// A scale of less size has nothing that one can divide by.
const SCALE_MIN: f32 = 1e-4;

/// What a clip's frames are compared with.
#[derive(Clone, Copy, Debug)]
pub enum DeltaReference<'a> {
    /// The clip's own first frame.
    FirstFrame,
    /// One pose for every frame: the rest pose, or one picked from any clip.
    Pose(&'a [JointBlock]),
    /// Another clip, frame by frame.
    Frames(&'a [JointBlock]),
}

/// Makes deltas for [`AddDeltas`](super::AddDeltas) of the frames of a clip, one or many.
///
/// Shapes: `frames` and `out` have the same number of blocks, whole frames of `frame_blocks` each; `present` and a pose
///         have those
/// of one frame.
/// Exactness: a pose against itself is the identity, and where `present` is 0 the delta is the identity too.
pub struct MakeDelta<'a> {
    pub isa: Isa,
    pub frames: &'a [JointBlock],
    pub frame_blocks: usize,
    pub reference: DeltaReference<'a>,
    /// 0 for joints that the clip or the reference does not move; `None` is 1 everywhere.
    pub present: Option<&'a [Row]>,
    pub out: &'a mut [JointBlock],
}

impl MakeDelta<'_> {
    /// Looks at every number.
    pub fn validate(&self) -> Result<(), JobError> {
        self.check_shape()?;
        check_numbers(self.frames, self.reference)?;
        self.present.map_or(Ok(()), |mask| check_mask(mask, self.frame_blocks))
    }

    fn check_shape(&self) -> Result<(), JobError> {
        check_shape(self.frames, self.frame_blocks, self.reference, self.out.len())?;
        self.present.map_or(Ok(()), |mask| check_length("rows of a mask", mask.len(), self.frame_blocks))
    }

    /// Writes `out`. Panics where lengths differ.
    pub fn run(self) {
        self.check_shape().unwrap_or_else(|error| panic!("{error}"));
        self.isa.run_wide(Kernel(self));
    }
}

pub(super) fn check_numbers(frames: &[JointBlock], reference: DeltaReference<'_>) -> Result<(), JobError> {
    check_finite("frames", bytemuck::cast_slice(frames))?;
    match reference {
        DeltaReference::FirstFrame => Ok(()),
        DeltaReference::Pose(blocks) | DeltaReference::Frames(blocks) => {
            check_finite("reference", bytemuck::cast_slice(blocks))
        }
    }
}

pub(super) fn check_shape(
    frames: &[JointBlock],
    frame_blocks: usize,
    reference: DeltaReference<'_>,
    out_count: usize,
) -> Result<(), JobError> {
    let count = frames.len();
    if frame_blocks == 0 || !count.is_multiple_of(frame_blocks) {
        return Err(JobError::Frames { count, frame_blocks });
    }
    check_length("blocks of the deltas", out_count, count)?;
    match reference {
        DeltaReference::FirstFrame => Ok(()),
        DeltaReference::Pose(pose) => check_length("blocks of the reference", pose.len(), frame_blocks),
        DeltaReference::Frames(frames) => check_length("blocks of the reference", frames.len(), count),
    }
}

struct Kernel<'a>(MakeDelta<'a>);

impl WideWork for Kernel<'_> {
    type Out = ();
    #[inline(always)]
    fn run<W: Wide>(self, wide: W) {
        let MakeDelta { frames, frame_blocks, reference, present, out, .. } = self.0;
        for (i, (pose, out)) in frames.iter().zip(out).enumerate() {
            let b = i % frame_blocks;
            let reference = match reference {
                DeltaReference::FirstFrame => &frames[b],
                DeltaReference::Pose(pose) => &pose[b],
                DeltaReference::Frames(frames) => &frames[i],
            };
            for part in 0..ROW / W::WIDTH {
                let part = wide.each(part);
                delta_part(wide, pose, reference, part, out);
                if let Some(mask) = present {
                    keep_present(wide, wide.load(&mask[b], part), part, out);
                }
            }
        }
    }
}

#[inline(always)]
fn delta_part<W: Wide>(wide: W, pose: &JointBlock, reference: &JointBlock, part: usize, out: &mut JointBlock) {
    let (q, r) = (load4(wide, &pose.rotation, part), load4(wide, &reference.rotation, part));
    // inverse(r) * q, in pairs that cancel exactly where q is r.
    let turn = [
        (r[3] * q[0] - r[0] * q[3]) + (r[2] * q[1] - r[1] * q[2]),
        (r[3] * q[1] - r[1] * q[3]) + (r[0] * q[2] - r[2] * q[0]),
        (r[3] * q[2] - r[2] * q[3]) + (r[1] * q[0] - r[0] * q[1]),
        (r[3] * q[3] + r[0] * q[0]) + (r[1] * q[1] + r[2] * q[2]),
    ];
    store_turn(wide, turn, part, out);
    store_way(wide, pose, reference, part, out);
}

/// Stores a rotation to length one; of almost nothing the identity.
#[inline(always)]
pub(super) fn store_turn<W: Wide>(wide: W, mut d: [W::F32; 4], part: usize, out: &mut JointBlock) {
    let (zero, one) = (wide.splat(0.0), wide.splat(1.0));
    let length_squared = ((d[0] * d[0] + d[1] * d[1]) + d[2] * d[2]) + d[3] * d[3];
    let length = wide.sqrt(length_squared);
    let min = wide.splat(LENGTH_SQUARED_MIN);
    let identity = [zero, zero, zero, one];
    for n in 0..4 {
        // A division, since the product with an inverse would not make exactly 1 of 1.
        d[n] = wide.select_less(length_squared, min, identity[n], d[n] / length);
        wide.store(d[n], &mut out.rotation[n], part);
    }
}

/// Stores the difference of translations and the ratio of scales.
#[inline(always)]
pub(super) fn store_way<W: Wide>(
    wide: W,
    pose: &JointBlock,
    reference: &JointBlock,
    part: usize,
    out: &mut JointBlock,
) {
    let one = wide.splat(1.0);
    let (t, t_reference) = (load3(wide, &pose.translation, part), load3(wide, &reference.translation, part));
    let (s, s_reference) = (load3(wide, &pose.scale, part), load3(wide, &reference.scale, part));
    for n in 0..3 {
        wide.store(t[n] - t_reference[n], &mut out.translation[n], part);
        let size = wide.flip(s_reference[n], wide.sign(s_reference[n]));
        let divisor = wide.select_less(size, wide.splat(SCALE_MIN), one, s_reference[n]);
        let ratio = wide.select_less(size, wide.splat(SCALE_MIN), one, s[n] / divisor);
        wide.store(ratio, &mut out.scale[n], part);
    }
}

/// Puts the identity where `present` is 0.
#[inline(always)]
fn keep_present<W: Wide>(wide: W, present: W::F32, part: usize, out: &mut JointBlock) {
    let (zero, one) = (wide.splat(0.0), wide.splat(1.0));
    let (t, q, s) =
        (load3(wide, &out.translation, part), load4(wide, &out.rotation, part), load3(wide, &out.scale, part));
    for n in 0..4 {
        let identity = if n == 3 { one } else { zero };
        wide.store(wide.select_equal(present, zero, identity, q[n]), &mut out.rotation[n], part);
    }
    for n in 0..3 {
        wide.store(wide.select_equal(present, zero, zero, t[n]), &mut out.translation[n], part);
        wide.store(wide.select_equal(present, zero, one, s[n]), &mut out.scale[n], part);
    }
}
