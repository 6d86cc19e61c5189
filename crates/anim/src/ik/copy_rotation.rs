//! Copy rotation: turns a chain of joints, the back and the neck, until its last one is turned as it should be.
//!
//! Source: the book's section on full-body solvers, which takes the head's rotation and spreads it over the spine with
//! decreasing weights, without a formula. Shares are those of [`Aim`](super::Aim).
//!
//! ```text
//! for each joint from the root side: turn it by its share of rotation * inverse(rotation of the last joint)
//! ```

use glam::Quat;

use super::chain::Chain;
use super::check::check_range;
use super::turn::share;
use super::{AimJoint, IkError, Reach, Rig};

/// What counts as turned, as half of the sine of the angle that is left.
const TOLERANCE: f32 = 1e-4;

/// Turns joints so that the last one has a rotation.
///
/// [`Reach::distance_m`] is 0: nothing is to be in a place. Degenerate input: half a turn goes the way that its numbers
/// say.
pub struct CopyRotation<'a> {
    pub rig: Rig<'a>,
    /// From the root side to the one that has the rotation in the end, which is the last.
    pub joints: &'a [AimJoint],
    /// In the model's space, of length 1.
    pub rotation: Quat,
    /// 0 to 1.
    pub weight: f32,
}

impl CopyRotation<'_> {
    /// Looks at every number.
    pub fn validate(&self) -> Result<(), IkError> {
        self.rig.validate()?;
        self.rig.check_chain(self.joints.iter().map(|joint| joint.joint), 1)?;
        self.joints.iter().try_for_each(|joint| check_range("weight of a joint", joint.weight, 0.0, 1.0))?;
        check_range("length of a rotation", self.rotation.length(), 0.999, 1.001)?;
        check_range("weight", self.weight, 0.0, 1.0)
    }

    /// Turns the joints.
    pub fn run(mut self) -> Reach {
        let mut chain = Chain::read(&self.rig, self.joints.iter().map(|joint| joint.joint));
        let last = chain.count - 1;
        for (i, joint) in self.joints.iter().enumerate().filter(|(_, joint)| joint.weight > 0.0) {
            let left = self.rotation * chain.rotation[last].conjugate();
            chain.turn(i, share(left, joint.weight));
        }
        let left = self.rotation * chain.rotation[last].conjugate();
        chain.write(&mut self.rig, self.weight);
        let reached = left.xyz().length() <= TOLERANCE;
        Reach { reached, distance_m: 0.0, iterations: 0, blind: false, limited: false }
    }
}
