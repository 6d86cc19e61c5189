//! CCD: cyclic coordinate descent, a chain with limits of any kind.
//!
//! Source: Wang and Chen 1991; limits by swing and twist after every turn. Different from the book: the number of
//! passes has a cap, a straight chain with the target on its line is bent first, a hinge turns by what its own axis can
//! do.
//!
//! ```text
//! repeat while |end - target| > tolerance:
//!     for each joint from the last before the end to the first:
//!         turn it so that the end lies on the line to the target; clamp it to its limit
//! ```

use glam::{Quat, Vec3};
use stillframe_base::math::ops;

use super::chain::{CHAIN_MAX, Chain};
use super::check::check_goal;
use super::limit::{check_limits, clamp_arc, is_limited, limit_of, swing_and_twist};
use super::straight::{bend_blind, lay_straight};
use super::turn::{arc, length, normalized, turn, unit};
use super::{IkError, JointLimit, Limit, Reach, Rig};

/// So many passes without a better one are the last: limits may make one worse before the next is better.
const STALL_PASSES: u32 = 8;

/// Turns joints of a chain, the last one before the end first, until the end is on the target.
///
/// Joints outside their limits are brought inside first, so limits hold for every input. Limits have corners where
/// every turn makes it worse: there the job begins once more from the middle of all limits, with the first joint first.
/// The result is the best pass. Without limits a target out of reach straightens the chain towards it. Degenerate
/// input: bones without length turn nothing; a target at the start is a target like others; a straight chain with the
/// target on its line is bent by 0.15 rad a joint before the first pass.
pub struct Ccd<'a> {
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

impl Ccd<'_> {
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
        let reach = Reach { limited: is_limited(self.limits, &chain), ..reach };
        chain.write(&mut self.rig, self.weight);
        reach
    }

    fn limit(&self, i: usize) -> &JointLimit {
        limit_of(self.limits, i)
    }

    fn solve(&self, chain: &mut Chain) -> Reach {
        let distance = |chain: &Chain| length(chain.end() - self.target);
        let reach = |distance_m: f32, iterations, blind| Reach {
            reached: distance_m <= self.tolerance_m,
            distance_m,
            iterations,
            blind,
            limited: false,
        };
        for i in 0..chain.count - 1 {
            self.clamp(chain, i);
        }
        let mut best_m = distance(chain);
        if best_m <= self.tolerance_m {
            return reach(best_m, 0, false);
        }
        let is_free = self.limits.iter().all(|limit| limit.limit == Limit::Free);
        if is_free && lay_straight(chain, self.target) {
            return reach(distance(chain), 0, false);
        }

        let mut best: [Quat; CHAIN_MAX] = chain.local;
        let (mut bent, mut from_start, mut iterations, mut best_at) = (false, false, 0, 0);
        let last = chain.count - 2;
        while iterations < self.iterations_max {
            if !bent && bend_blind(chain, self.target, self.pole) {
                bent = true;
                (0..chain.count - 1).for_each(|i| self.clamp(chain, i));
            }
            for i in 0..=last {
                self.turn_joint(chain, if from_start { i } else { last - i });
            }
            iterations += 1;
            let now_m = distance(chain);
            if now_m < best_m {
                (best_m, best, best_at) = (now_m, chain.local, iterations);
            }
            if now_m <= self.tolerance_m {
                break;
            }
            if iterations - best_at >= STALL_PASSES {
                if is_free || from_start {
                    break;
                }
                // A corner of the limits: once more, from where they leave the most room, the large turns first.
                (from_start, best_at) = (true, iterations);
                for i in 0..=last {
                    if let Some(local) = self.limit(i).middle() {
                        chain.set_local(i, local);
                    }
                }
            }
        }
        chain.local = best;
        chain.forward(0);
        reach(best_m, iterations, bent)
    }

    fn clamp(&self, chain: &mut Chain, i: usize) {
        if let Some(local) = self.limit(i).clamp(chain.local[i]) {
            chain.set_local(i, local);
        }
    }

    fn turn_joint(&self, chain: &mut Chain, i: usize) {
        let (to_end, to_target) = (chain.end() - chain.position[i], self.target - chain.position[i]);
        let (Some(from), Some(to)) = (unit(to_end), unit(to_target)) else { return };
        let JointLimit { rest, limit } = *self.limit(i);
        if let Limit::Hinge { axis, min_rad, max_rad } = limit {
            let Some(axis) = unit(axis) else { return };
            let hinge = normalized(chain.frame(i) * rest) * axis;
            let (along, across) = (hinge.dot(from) * hinge.dot(to), hinge.dot(from.cross(to)));
            let by_rad = ops::atan2(across, from.dot(to) - along);
            let (_, angle_rad) = swing_and_twist(normalized(rest.conjugate() * chain.local[i]), axis);
            chain.set_local(i, rest * turn(axis, clamp_arc(angle_rad + by_rad, min_rad, max_rad)));
        } else {
            chain.turn(i, arc(from, to, self.pole));
            self.clamp(chain, i);
        }
    }
}
