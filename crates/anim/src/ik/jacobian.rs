//! Jacobian transpose: all joints of a chain at once, down the slope of the distance.
//!
//! Source: Wolovich and Elliott 1984; the size of the step after Buss, "Introduction to Inverse Kinematics", 2004: the
//! one that would be the best if the end moved along a line. Different: no joint turns more than 0.2 rad at once, a
//! step that leads away is taken back and tried again at half its size, joints have limits, a straight chain with the
//! target on its line is bent first.
//!
//! ```text
//! repeat while |end - target| > tolerance:
//!     e = target - end; for each joint: turn[j] = (end - p[j]) x e, of which a hinge keeps the part along its axis
//!     J J'e = sum of turn[j] x (end - p[j]), step = (e . J J'e) / (J J'e . J J'e)
//!     turn all joints by step * turn[j], at most 0.2 rad each; clamp them to their limits
//! ```

use glam::{Quat, Vec3};

use super::chain::{CHAIN_MAX, Chain};
use super::check::check_goal;
use super::limit::{check_limits, clamp_arc, is_limited, limit_of, swing_and_twist};
use super::straight::{bend_blind, lay_straight};
use super::turn::{length, normalized, turn, unit};
use super::{IkError, JointLimit, Limit, Reach, Rig};

/// How far a joint turns at once: past it the end does not move along a line.
const TURN_MAX_RAD: f32 = 0.2;
/// Steps this much smaller than the best one are the last.
const SHARE_MIN: f32 = 1.0 / 1024.0;

/// Turns all joints of a chain a little, again and again, until the end is on the target.
///
/// Slower than [`Ccd`](super::Ccd) and [`Fabrik`](super::Fabrik), and the bends are spread over the chain. Joints
/// outside their limits are brought inside first; then no pass makes the distance larger. Corners of limits, where
/// every step does, end it. Without limits a target out of reach straightens the chain towards it. Degenerate input:
/// bones without length turn nothing; a target at the start is a target like others; a straight chain with the target
/// on its line is bent by 0.15 rad a joint before the first pass.
pub struct JacobianTranspose<'a> {
    pub rig: Rig<'a>,
    /// From the start to the end, which is not turned.
    pub joints: &'a [u16],
    /// One a joint but the end, or none at all.
    pub limits: &'a [JointLimit],
    /// Model space, metres.
    pub target: Vec3,
    /// Direction in the model's space to which a straight chain is bent; zero for a fixed one.
    pub pole: Vec3,
    /// Distance that counts as reached.
    pub tolerance_m: f32,
    pub iterations_max: u32,
    /// 0 to 1. Between them, limits hold if they hold for the pose before.
    pub weight: f32,
}

impl JacobianTranspose<'_> {
    /// Looks at every number.
    pub fn validate(&self) -> Result<(), IkError> {
        self.rig.validate()?;
        self.rig.check_chain(self.joints.iter().copied(), 2)?;
        check_limits(self.limits, self.joints.len() - 1)?;
        check_goal(self.target, self.pole, self.tolerance_m, self.weight)
    }

    /// Turns the joints.
    pub fn run(mut self) -> Reach {
        let mut chain = Chain::read(&self.rig, self.joints.iter().copied());
        let reach = self.solve(&mut chain);
        chain.write(&mut self.rig, self.weight);
        reach
    }

    fn limit(&self, i: usize) -> &JointLimit {
        limit_of(self.limits, i)
    }

    fn solve(&self, chain: &mut Chain) -> Reach {
        self.clamp(chain);
        let is_free = self.limits.iter().all(|limit| limit.limit == Limit::Free);
        let (mut blind, mut iterations) = (false, 0);
        if self.distance_m(chain) > self.tolerance_m && !(is_free && lay_straight(chain, self.target)) {
            (blind, iterations) = self.descend(chain);
        }
        let distance_m = self.distance_m(chain);
        let limited = is_limited(self.limits, chain);
        Reach { reached: distance_m <= self.tolerance_m, distance_m, iterations, blind, limited }
    }

    /// Goes down the slope as far as it leads. Says whether the chain was bent first, and the passes.
    fn descend(&self, chain: &mut Chain) -> (bool, u32) {
        let (unbent_m, unbent) = (self.distance_m(chain), chain.local);
        let blind = self.iterations_max > 0 && bend_blind(chain, self.target, self.pole);
        self.clamp(chain);
        let (mut best_m, mut best) = (self.distance_m(chain), chain.local);
        let (mut share, mut iterations) = (1.0f32, 0);
        while best_m > self.tolerance_m && share >= SHARE_MIN && iterations < self.iterations_max {
            if !self.step(chain, share) {
                break;
            }
            iterations += 1;
            let now_m = self.distance_m(chain);
            if now_m < best_m {
                (best_m, best, share) = (now_m, chain.local, (share * 2.0).min(1.0));
            } else {
                share *= 0.5;
                chain.local = best;
                chain.forward(0);
            }
        }
        // Limits may undo a bend and leave it with less than there was before.
        chain.local = if best_m <= unbent_m { best } else { unbent };
        chain.forward(0);
        (blind, iterations)
    }

    fn distance_m(&self, chain: &Chain) -> f32 {
        length(chain.end() - self.target)
    }

    fn clamp(&self, chain: &mut Chain) {
        for i in 0..chain.count - 1 {
            if let Some(local) = self.limit(i).clamp(chain.local[i]) {
                chain.set_local(i, local);
            }
        }
    }

    /// Turns all joints by a share of the step. Says whether there is a slope to go down.
    fn step(&self, chain: &mut Chain, share: f32) -> bool {
        let (end, left) = (chain.end(), self.target - chain.end());
        let mut turns = [Vec3::ZERO; CHAIN_MAX];
        let (mut moved, mut largest) = (Vec3::ZERO, 0.0f32);
        for i in 0..chain.count - 1 {
            let arm = end - chain.position[i];
            turns[i] = self.allowed(chain, i, arm.cross(left));
            moved += turns[i].cross(arm);
            largest = largest.max(length(turns[i]));
        }
        let (along, squared) = (left.dot(moved), moved.length_squared());
        if !(along > 0.0 && squared > 0.0 && largest > 0.0) {
            return false;
        }
        let step = (along / squared).min(TURN_MAX_RAD / largest) * share;
        // Frames of joints are read before anything is placed anew, so the turns are those of one pose.
        for i in 0..chain.count - 1 {
            let by_rad = turns[i] * step;
            let Some(axis) = unit(by_rad) else { continue };
            let local = chain.frame(i).conjugate() * (turn(axis, length(by_rad)) * chain.rotation[i]);
            chain.give(i, self.within(chain, i, local, by_rad));
        }
        chain.forward(0);
        true
    }

    /// The part of a turn that the joint can do: of a hinge the part along its axis, nothing where it is at that end of
    /// its arc.
    fn allowed(&self, chain: &Chain, i: usize, wanted: Vec3) -> Vec3 {
        let JointLimit { rest, limit: Limit::Hinge { axis, min_rad, max_rad } } = *self.limit(i) else {
            return wanted;
        };
        let Some(axis) = unit(axis) else { return Vec3::ZERO };
        let hinge = normalized(chain.frame(i) * rest) * axis;
        let along = hinge.dot(wanted);
        let (_, angle_rad) = swing_and_twist(normalized(rest.conjugate() * chain.local[i]), axis);
        let probe_rad = angle_rad + 1e-4f32.copysign(along);
        if clamp_arc(probe_rad, min_rad, max_rad) == probe_rad { hinge * along } else { Vec3::ZERO }
    }

    /// What the limit leaves of a new rotation; a hinge turns by its own angle, so that an arc of more than half a turn
    /// has two ends.
    fn within(&self, chain: &Chain, i: usize, local: Quat, by_rad: Vec3) -> Quat {
        let JointLimit { rest, limit } = *self.limit(i);
        if let Limit::Hinge { axis, min_rad, max_rad } = limit {
            let Some(axis) = unit(axis) else { return chain.local[i] };
            let by_rad = (normalized(chain.frame(i) * rest) * axis).dot(by_rad);
            let (_, angle_rad) = swing_and_twist(normalized(rest.conjugate() * chain.local[i]), axis);
            return rest * turn(axis, clamp_arc(angle_rad + by_rad, min_rad, max_rad));
        }
        self.limit(i).clamp(local).unwrap_or(local)
    }
}
