//! Mesh delta: what a pose does beyond a reference pose, its rotations as turns of the model.
//!
//! Source: the additive animation that Unreal calls "mesh space". A turn keeps its axis in the model whatever the
//! joints below do: an aim offset points where it says on a figure that leans. Rotations in model space are products of
//! local ones along the parents; scale, also a mirroring one, has no part in them. Translation and scale are those of
//! [`MakeDelta`](super::MakeDelta).
//!
//! ```text
//! for each joint, parents before children:
//!     pose, reference = those of its parent * its own local rotations
//!     rotation        = unit(pose * inverse(reference))
//! ```

use stillframe_base::lanes::{Isa, ROW, Row, Wide, WideWork};

use super::additive::multiply;
use super::blend::load4;
use super::delta::{check_numbers, check_shape, store_turn, store_way};
use super::model::{check_joint_count, check_parents};
use super::{DeltaReference, JobError, JointBlock, NO_PARENT};

/// Makes deltas for [`AddMeshDeltas`](super::AddMeshDeltas) of the frames of a clip, one or many.
///
/// Shapes: `parents` has an entry a joint; `frames` and `out` have the same number of blocks, whole frames of the
///         joints' blocks; a pose
/// has those of one frame.
/// Exactness: a pose against itself is the identity. Joints that do not move of themselves turn with their parents.
pub struct MakeMeshDelta<'a> {
    pub isa: Isa,
    /// [`NO_PARENT`] for a root.
    pub parents: &'a [u16],
    pub frames: &'a [JointBlock],
    pub reference: DeltaReference<'a>,
    pub out: &'a mut [JointBlock],
}

impl MakeMeshDelta<'_> {
    /// Looks at every number.
    pub fn validate(&self) -> Result<(), JobError> {
        self.check_shape()?;
        check_parents(self.parents)?;
        check_numbers(self.frames, self.reference)
    }

    fn check_shape(&self) -> Result<(), JobError> {
        check_joint_count(self.parents)?;
        check_shape(self.frames, self.frame_blocks(), self.reference, self.out.len())
    }

    fn frame_blocks(&self) -> usize {
        JointBlock::count_for(self.parents.len())
    }

    /// Writes `out`. Panics where lengths differ or a parent is no joint.
    pub fn run(self) {
        self.check_shape().unwrap_or_else(|error| panic!("{error}"));
        let frame_blocks = self.frame_blocks();
        for (frame, out) in self.out.chunks_mut(frame_blocks).enumerate() {
            let at = frame * frame_blocks;
            let pose = &self.frames[at..at + frame_blocks];
            let reference = match self.reference {
                DeltaReference::FirstFrame => &self.frames[..frame_blocks],
                DeltaReference::Pose(pose) => pose,
                DeltaReference::Frames(frames) => &frames[at..at + frame_blocks],
            };
            // Rotations in model space. Those of the reference lie where translations and scales are written last.
            for (out, (pose, reference)) in out.iter_mut().zip(pose.iter().zip(reference)) {
                out.rotation = pose.rotation;
                for (row, from) in rows_of_reference(out).into_iter().zip(reference.rotation) {
                    *row = from;
                }
            }
            turn_along(self.parents, out, |block| block.rotation.each_mut());
            turn_along(self.parents, out, rows_of_reference);
            self.isa.run_wide(Kernel { pose, reference, out });
        }
    }
}

fn rows_of_reference(block: &mut JointBlock) -> [&mut Row; 4] {
    let [x, y, z] = &mut block.translation;
    [x, y, z, &mut block.scale[0]]
}

/// Makes rotations in model space of local ones, in place: one joint at a time, since each waits for its parent. That
/// is most of what a delta in mesh space costs: with eight lanes it takes about seven times as long as one in local
/// space.
pub(super) fn turn_along(parents: &[u16], pose: &mut [JointBlock], rows: impl Fn(&mut JointBlock) -> [&mut Row; 4]) {
    for (joint, &parent) in parents.iter().enumerate() {
        if parent != NO_PARENT {
            let parent = usize::from(parent);
            let q = rows(&mut pose[parent / ROW]).map(|row| row.0[parent % ROW]);
            let own = rows(&mut pose[joint / ROW]);
            let r = [0, 1, 2, 3].map(|n| own[n].0[joint % ROW]);
            for (row, number) in own.into_iter().zip(multiply(q, r)) {
                row.0[joint % ROW] = number;
            }
        }
    }
}

struct Kernel<'a> {
    pose: &'a [JointBlock],
    reference: &'a [JointBlock],
    out: &'a mut [JointBlock],
}

impl WideWork for Kernel<'_> {
    type Out = ();
    #[inline(always)]
    fn run<W: Wide>(self, wide: W) {
        for (out, (pose, reference)) in self.out.iter_mut().zip(self.pose.iter().zip(self.reference)) {
            for part in 0..ROW / W::WIDTH {
                let part = wide.each(part);
                let q = load4(wide, &out.rotation, part);
                let r = rows_of_reference(out).map(|row| wide.load(row, part));
                // q * inverse(r), in pairs that cancel exactly where q is r.
                let turn = [
                    (r[3] * q[0] - r[0] * q[3]) + (r[1] * q[2] - r[2] * q[1]),
                    (r[3] * q[1] - r[1] * q[3]) + (r[2] * q[0] - r[0] * q[2]),
                    (r[3] * q[2] - r[2] * q[3]) + (r[0] * q[1] - r[1] * q[0]),
                    (r[3] * q[3] + r[0] * q[0]) + (r[1] * q[1] + r[2] * q[2]),
                ];
                store_turn(wide, turn, part, out);
                store_way(wide, pose, reference, part, out);
            }
        }
    }
}
