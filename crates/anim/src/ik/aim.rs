//! Aim: turns a chain of joints, the neck and the head, so that its end looks at the target.
//!
//! Source: ozz's IKAimJob (the ray from an offset through the target) along a chain, as its look-at sample does.
//! Different: joints go from the root to the end, each takes its share of what is left, and a target nearer than the
//! ray ever comes has a defined result.
//!
//! ```text
//! for each joint, o = eye - joint, f = forward, g = target - joint:
//!     t with |o + t f| = |g|, at least 0; turn o + t f to g, then about g until up is in the half-plane of the pole
//! ```

use glam::Vec3;

use super::chain::Chain;
use super::check::{POSITION_MAX_M, check_direction, check_range, check_vector};
use super::turn::{about, across, arc, length, share, unit};
use super::{IkError, Reach, Rig};

/// What counts as reached, of the distance from the last joint to the target.
const TOLERANCE: f32 = 1e-5;

/// A joint and its share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AimJoint {
    pub joint: u16,
    /// 0 to 1, of what the joints before have left; 1 for the last joint to aim exactly.
    pub weight: f32,
}

/// Turns joints so that the ray from an eye on the last one goes through the target.
///
/// [`Reach::distance_m`] is how far the ray passes from the target. Degenerate input: a joint on the target is not
/// turned; a target nearer to the last joint than the ray ever passes gets the ray's nearest point turned towards it,
/// unreached; a pole along the line of sight, or zero, leaves the twist as the shortest turns give it.
pub struct Aim<'a> {
    pub rig: Rig<'a>,
    /// From the root side to the one that looks, which is the last.
    pub joints: &'a [AimJoint],
    /// Model space, metres.
    pub target: Vec3,
    /// The eye, in the frame of the last joint.
    pub offset: Vec3,
    /// Line of sight, in the frame of the last joint; any length but 0.
    pub forward: Vec3,
    /// What shall be up, in the frame of the last joint; any length but 0, not along `forward`.
    pub up: Vec3,
    /// Direction in the model's space that `up` turns to; zero for none.
    pub pole: Vec3,
    /// 0 to 1.
    pub weight: f32,
}

impl Aim<'_> {
    /// Looks at every number.
    pub fn validate(&self) -> Result<(), IkError> {
        self.rig.validate()?;
        self.rig.check_chain(self.joints.iter().map(|joint| joint.joint), 1)?;
        self.joints.iter().try_for_each(|joint| check_range("weight of a joint", joint.weight, 0.0, 1.0))?;
        check_vector("target", self.target, POSITION_MAX_M)?;
        check_vector("offset", self.offset, POSITION_MAX_M)?;
        check_direction("forward", self.forward)?;
        check_direction("up", self.up)?;
        check_vector("pole", self.pole, f32::MAX)?;
        check_range("weight", self.weight, 0.0, 1.0)
    }

    /// Turns the joints.
    pub fn run(mut self) -> Reach {
        let mut chain = Chain::read(&self.rig, self.joints.iter().map(|joint| joint.joint));
        for (i, joint) in self.joints.iter().enumerate() {
            if joint.weight > 0.0 {
                self.turn_joint(&mut chain, i, joint.weight);
            }
        }
        let (eye, forward) = self.ray(&chain);
        let to_target = self.target - eye;
        let along = to_target.dot(forward).max(0.0);
        let distance_m = length(to_target - forward * along);
        let near = length(self.target - chain.end()).max(f32::MIN_POSITIVE);
        chain.write(&mut self.rig, self.weight);
        Reach { reached: distance_m <= TOLERANCE * near, distance_m, iterations: 0, blind: false, limited: false }
    }

    /// Eye and unit line of sight in the model's space.
    fn ray(&self, chain: &Chain) -> (Vec3, Vec3) {
        let rotation = chain.rotation[chain.count - 1];
        let forward = unit(self.forward).unwrap_or(Vec3::Z);
        (chain.end() + rotation * (self.offset * chain.end_scale), rotation * forward)
    }

    fn turn_joint(&self, chain: &mut Chain, i: usize, weight: f32) {
        let (eye, forward) = self.ray(chain);
        let (offset, to_target) = (eye - chain.position[i], self.target - chain.position[i]);
        let along = offset.dot(forward);
        let nearest_squared = (offset - forward * along).length_squared();
        let t = (to_target.length_squared() - nearest_squared).max(0.0).sqrt() - along;
        let (Some(from), Some(to)) = (unit(offset + forward * t.max(0.0)), unit(to_target)) else { return };
        let up = chain.rotation[chain.count - 1] * self.up;
        let swing = arc(from, to, up);
        let twist = match (across(swing * up, to), across(self.pole, to)) {
            (Some(up), Some(pole)) => about(to, up, pole),
            _ => glam::Quat::IDENTITY,
        };
        chain.turn(i, share(twist * swing, weight));
    }
}
