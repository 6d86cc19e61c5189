//! Twist: part of a hand's turn about the forearm goes into the forearm, and perhaps a little into the upper arm.
//!
//! Source: the book's section on full-body solvers, which distributes the wrist's twist with uneven weights and names
//! no formula. Swing and twist are parted as by Dobrowolski, "Swing-twist decomposition in Clifford algebra" (2015).
//!
//! ```text
//! a     = the last joint's place in its parent's frame, made unit
//! turn  = rotation * inverse(rest);  angle = 2 atan2(turn.xyz . a, turn.w), from -pi to pi
//! for each joint but the last: rotation in the model = turn about (next - joint) by share * angle * what it was
//! ```

use glam::Quat;
use stillframe_base::math::ops;

use super::chain::Chain;
use super::check::check_range;
use super::turn::{turn, unit};
use super::{IkError, Rig};

/// Turns joints about the bones to the next ones, and leaves every joint where it is and the last one turned as it is.
///
/// Degenerate input: a last joint that lies on its parent has no bone to turn about, and nothing is done; a bone
/// without length is not turned.
pub struct Twist<'a> {
    pub rig: Rig<'a>,
    /// Each the parent of the next. The last one is the joint that twists: a hand.
    pub joints: &'a [u16],
    /// Of the last joint's twist, one for each joint before it, 0 to 1: with 0.6 and 0.1 for forearm and upper arm 0.4
    /// are left at the wrist, 0.5 at the elbow and 0.1 at the shoulder.
    pub shares: &'a [f32],
    /// The last joint's rotation that is no twist, in its parent's frame.
    pub rest: Quat,
    /// 0 to 1.
    pub weight: f32,
}

impl Twist<'_> {
    /// Looks at every number.
    pub fn validate(&self) -> Result<(), IkError> {
        self.rig.validate()?;
        self.rig.check_chain(self.joints.iter().copied(), 2)?;
        for pair in self.joints.windows(2) {
            if self.rig.parents[usize::from(pair[1])] != pair[0] {
                return Err(IkError::NotBelow { joint: pair[1], above: pair[0] });
            }
        }
        crate::pose::check_length("shares", self.shares.len(), self.joints.len() - 1)?;
        self.shares.iter().try_for_each(|share| check_range("share of a joint", *share, 0.0, 1.0))?;
        check_range("length of the rest rotation", self.rest.length(), 0.999, 1.001)?;
        check_range("weight", self.weight, 0.0, 1.0)
    }

    /// Turns the joints; out: the twist in radians, from -pi to pi.
    pub fn run(mut self) -> f32 {
        let mut chain = Chain::read(&self.rig, self.joints.iter().copied());
        let last = chain.count - 1;
        // A bone is the next joint's place in the frame of the one before.
        let Some(axis) = chain.bone_direction(last - 1) else { return 0.0 };
        let mut by = chain.local[last] * self.rest.conjugate();
        if by.w < 0.0 {
            by = -by;
        }
        let angle_rad = 2.0 * ops::atan2(by.xyz().dot(axis), by.w);
        for (i, share) in self.shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
            let Some(bone) = unit(chain.position[i + 1] - chain.position[i]) else { continue };
            let by = turn(bone, share * angle_rad);
            chain.turn(i, by);
            chain.turn(i + 1, by.conjugate());
        }
        chain.write(&mut self.rig, self.weight);
        angle_rad
    }
}
