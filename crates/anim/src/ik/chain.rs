//! Chain: some joints of a pose, each below the one before, as solvers see them: turns and rigid bones.
//!
//! ```text
//! rotation[i]     = rotation[i - 1] * between[i] * local[i]
//! position[i + 1] = position[i] + rotation[i] * bone[i]
//! ```

use glam::{Quat, Vec3};
use stillframe_base::lanes::ROW;

use super::IkError;
use super::check::{POSITION_MAX_M, check_vector};
use super::turn::{between, length, normalized, unit};
use crate::pose::{JobError, JointBlock, NO_PARENT, Trs, check_finite, check_length, check_parents};

/// Joints that a chain has room for.
pub const CHAIN_MAX: usize = 64;

/// How uneven a scale may be.
const SCALE_UNEVEN_MAX: f32 = 1e-5;

/// A local pose that a solver changes.
///
/// Shapes: `parents` has one entry a joint, parents before children; `locals` their blocks.
pub struct Rig<'a> {
    /// [`NO_PARENT`] for a root.
    pub parents: &'a [u16],
    pub locals: &'a mut [JointBlock],
}

/// What a solver came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// Whether the target was reached, within the tolerance of the job.
    pub reached: bool,
    /// What is left between the end and the target.
    pub distance_m: f32,
    /// Passes over the chain; 0 where the solution is in closed form or there was nothing to do.
    pub iterations: u32,
    /// Whether the target was in the blind spot of solvers that go on until they are near: the chain was straight and
    /// the target on its line, where every turn towards it is a turn by nothing. The chain was bent first.
    pub blind: bool,
    /// Whether a joint of the solution stands at an end of its limit: where the target was not reached, that is what
    /// stopped it, or helped to.
    pub limited: bool,
}

/// A joint in the frame of another: a turn, an even scale, a place.
#[derive(Clone, Copy)]
struct Frame {
    position: Vec3,
    rotation: Quat,
    scale: f32,
}

impl Rig<'_> {
    pub(super) fn validate(&self) -> Result<(), IkError> {
        check_length("blocks of the local pose", self.locals.len(), JointBlock::count_for(self.parents.len()))?;
        check_parents(self.parents)?;
        Ok(check_finite("local pose", bytemuck::cast_slice(self.locals))?)
    }

    fn local(&self, joint: u16) -> Trs {
        JointBlock::joint(self.locals, usize::from(joint))
    }

    pub(super) fn check_joint(&self, what: &'static str, entry: usize, joint: u16) -> Result<(), IkError> {
        let (joint, count) = (usize::from(joint), self.parents.len());
        if joint < count { Ok(()) } else { Err(JobError::JointIndex { what, entry, joint, count }.into()) }
    }

    pub(super) fn is_below(&self, joint: u16, above: u16) -> bool {
        let mut at = joint;
        while at != NO_PARENT && at != above {
            at = self.parents[usize::from(at)];
        }
        joint != above && at == above
    }

    /// From the joint above, or from the model where that is [`NO_PARENT`]; `joint` is below it.
    fn frame(&self, joint: u16, above: u16) -> Frame {
        let mut out = Frame { position: Vec3::ZERO, rotation: Quat::IDENTITY, scale: 1.0 };
        let mut at = joint;
        while at != above {
            let local = self.local(at);
            out.position = local.translation + local.rotation * (out.position * local.scale.x);
            out.rotation = local.rotation * out.rotation;
            out.scale *= local.scale.x;
            at = self.parents[usize::from(at)];
        }
        out
    }

    /// Rotation and scale of what `joint` hangs on, in the model.
    pub(super) fn parent_frame(&self, joint: u16) -> (Quat, f32) {
        let parent = self.parents[usize::from(joint)];
        let frame = self.frame(parent, NO_PARENT);
        (normalized(frame.rotation), frame.scale)
    }

    pub(super) fn set_rotation(&mut self, joint: u16, rotation: Quat) {
        let (block, lane) = (&mut self.locals[usize::from(joint) / ROW], usize::from(joint) % ROW);
        for (row, number) in block.rotation.iter_mut().zip(rotation.to_array()) {
            row.0[lane] = number;
        }
    }

    pub(super) fn move_by(&mut self, joint: u16, by: Vec3) {
        let (block, lane) = (&mut self.locals[usize::from(joint) / ROW], usize::from(joint) % ROW);
        for n in 0..3 {
            block.translation[n].0[lane] += by[n];
        }
    }

    /// Joints of a chain and what is above them.
    pub(super) fn check_chain(&self, joints: impl ExactSizeIterator<Item = u16>, min: usize) -> Result<(), IkError> {
        let count = joints.len();
        if !(min..=CHAIN_MAX).contains(&count) {
            return Err(IkError::ChainLength { count, min, max: CHAIN_MAX });
        }
        let mut above = NO_PARENT;
        for (entry, joint) in joints.enumerate() {
            self.check_joint("joints of a chain", entry, joint)?;
            if !self.is_below(joint, above) {
                return Err(IkError::NotBelow { joint, above });
            }
            above = joint;
        }
        let end = above;
        let mut at = self.parents[usize::from(end)];
        while at != NO_PARENT {
            let scale = self.local(at).scale;
            let even = (scale - scale.x).abs().max_element() <= scale.x * SCALE_UNEVEN_MAX;
            if !(even && scale.x > 1e-4) {
                return Err(IkError::Scale { joint: at });
            }
            check_vector("position of a joint", self.frame(at, NO_PARENT).position, POSITION_MAX_M)?;
            at = self.parents[usize::from(at)];
        }
        check_vector("position of a joint", self.frame(end, NO_PARENT).position, POSITION_MAX_M)
    }
}

/// Joints from the first to the end, and their positions and rotations in the model.
pub struct Chain {
    pub count: usize,
    joints: [u16; CHAIN_MAX],
    /// From the frame of the joint before to the one that the joint turns in.
    between: [Quat; CHAIN_MAX],
    pub local: [Quat; CHAIN_MAX],
    bone: [Vec3; CHAIN_MAX],
    pub rotation: [Quat; CHAIN_MAX],
    pub position: [Vec3; CHAIN_MAX],
    /// Scale of the last joint in the model, its own apart.
    pub end_scale: f32,
    /// A bit for each joint that was turned: the others keep their bits.
    turned: u64,
}

impl Chain {
    /// Reads a chain of which `check_chain` is true.
    pub fn read(rig: &Rig<'_>, joints: impl Iterator<Item = u16>) -> Chain {
        let mut chain = Chain {
            count: 0,
            joints: [0; CHAIN_MAX],
            between: [Quat::IDENTITY; CHAIN_MAX],
            local: [Quat::IDENTITY; CHAIN_MAX],
            bone: [Vec3::ZERO; CHAIN_MAX],
            rotation: [Quat::IDENTITY; CHAIN_MAX],
            position: [Vec3::ZERO; CHAIN_MAX],
            end_scale: 1.0,
            turned: 0,
        };
        let (mut above, mut scale) = (NO_PARENT, 1.0);
        for (i, joint) in joints.enumerate() {
            let local = rig.local(joint);
            let parent = rig.frame(rig.parents[usize::from(joint)], above);
            let offset = parent.position + parent.rotation * (local.translation * parent.scale);
            if i == 0 {
                chain.position[0] = offset;
            } else {
                chain.bone[i - 1] = offset * scale;
            }
            (chain.joints[i], chain.count) = (joint, i + 1);
            chain.between[i] = normalized(parent.rotation);
            chain.local[i] = normalized(local.rotation);
            chain.end_scale = scale * parent.scale;
            scale = chain.end_scale * local.scale.x;
            above = joint;
        }
        chain.forward(0);
        chain
    }

    pub fn end(&self) -> Vec3 {
        self.position[self.count - 1]
    }

    pub fn bone_length(&self, i: usize) -> f32 {
        length(self.bone[i])
    }

    /// In the frame of the joint where it begins.
    pub fn bone_direction(&self, i: usize) -> Option<Vec3> {
        unit(self.bone[i])
    }

    /// Of all bones.
    pub fn length(&self) -> f32 {
        (0..self.count - 1).fold(0.0, |sum, i| sum + self.bone_length(i))
    }

    /// The frame that a joint turns in.
    pub fn frame(&self, i: usize) -> Quat {
        if i == 0 { self.between[0] } else { self.rotation[i - 1] * self.between[i] }
    }

    /// Places joints from `first` on.
    pub fn forward(&mut self, first: usize) {
        for i in first..self.count {
            if i > 0 {
                self.position[i] = self.position[i - 1] + self.rotation[i - 1] * self.bone[i - 1];
            }
            self.rotation[i] = normalized(self.frame(i) * self.local[i]);
        }
    }

    /// Gives a joint a rotation in the frame that it turns in, and places nothing yet.
    pub fn give(&mut self, i: usize, local: Quat) {
        self.local[i] = normalized(local);
        self.turned |= 1 << i;
    }

    /// Gives a joint a rotation in the frame that it turns in.
    pub fn set_local(&mut self, i: usize, local: Quat) {
        self.give(i, local);
        self.forward(i);
    }

    /// Turns a joint, and what hangs on it, by a rotation of the model's space.
    pub fn turn(&mut self, i: usize, by: Quat) {
        self.set_local(i, self.frame(i).conjugate() * (by * self.rotation[i]));
    }

    /// Writes the rotations of joints that were turned.
    pub fn write(&self, rig: &mut Rig<'_>, weight: f32) {
        for i in (0..self.count).filter(|i| self.turned >> i & 1 == 1 && weight > 0.0) {
            let joint = self.joints[i];
            let before = rig.local(joint).rotation;
            rig.set_rotation(joint, if weight == 1.0 { self.local[i] } else { between(before, self.local[i], weight) });
        }
    }
}
