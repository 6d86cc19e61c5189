//! FABRIK: forward and backward reaching, a chain of many bones.
//!
//! Source: Aristidou and Lasenby 2011. Different: bends may be limited to cones, both ways, a straight chain
//! with the target on its line is bent first, and joints then turn by the shortest arcs, so that twist is kept.
//!
//! ```text
//! out of reach: all bones on the line to the target
//! repeat while |end - target| > tolerance:
//!     p[n] = target; for i = n - 1 to 0: p[i]     = p[i + 1] + d[i] unit(p[i] - p[i + 1]), the bend clamped
//!     p[0] = start;  for i = 0 to n - 1: p[i + 1] = p[i] + d[i] unit(p[i + 1] - p[i]), the bend clamped
//! ```

use glam::Vec3;
use stillframe_base::math::ops;

use super::chain::{CHAIN_MAX, Chain};
use super::check::{check_goal, check_range};
use super::limit::EDGE_RAD;
use super::straight::{bend_blind, lay_straight};
use super::turn::{across, arc, length, perpendicular, unit};
use super::{IkError, Reach, Rig};
use crate::pose::JobError;

/// Points stop this far inside the tolerance, so that the rounding of the turns that follow does not leave it.
const INSIDE: f32 = 0.9;

/// Places bones of a chain until the end is on the target.
///
/// A target out of reach straightens the chain towards it. With limits the result is the best pass, and bends of the
/// pose before that are too large are made small even where the end is on the target. Degenerate input: a point on top
/// of its neighbour keeps the bone's direction; bones without length turn nothing; a straight chain with the target on
/// its line is bent by 0.15 rad a joint first.
pub struct Fabrik<'a> {
    pub rig: Rig<'a>,
    /// From the start to the end, which is not turned.
    pub joints: &'a [u16],
    /// Largest angle between a bone and the one before, 0 to pi: one a joint but the first and the end, or none at all.
    pub bends_max_rad: &'a [f32],
    /// Model space, metres.
    pub target: Vec3,
    /// Direction in the model's space to which a straight chain is bent; zero for a fixed one.
    pub pole: Vec3,
    /// Distance that counts as reached.
    pub tolerance_m: f32,
    pub iterations_max: u32,
    /// 0 to 1.
    pub weight: f32,
}

/// Points of the chain and unit directions from each to the next.
struct Points {
    count: usize,
    position: [Vec3; CHAIN_MAX],
    direction: [Vec3; CHAIN_MAX],
    length: [f32; CHAIN_MAX],
}

impl Fabrik<'_> {
    /// Looks at every number.
    pub fn validate(&self) -> Result<(), IkError> {
        self.rig.validate()?;
        self.rig.check_chain(self.joints.iter().copied(), 2)?;
        let (count, want) = (self.bends_max_rad.len(), self.joints.len() - 2);
        if count != 0 && count != want {
            return Err(JobError::Length { what: "limits of bends", count, want }.into());
        }
        self.bends_max_rad
            .iter()
            .try_for_each(|&bend| check_range("limit of a bend", bend, 0.0, std::f32::consts::PI))?;
        check_goal(self.target, self.pole, self.tolerance_m, self.weight)
    }

    /// Turns the joints.
    pub fn run(mut self) -> Reach {
        let mut chain = Chain::read(&self.rig, self.joints.iter().copied());
        let (iterations, blind) = self.solve(&mut chain);
        let distance_m = length(chain.end() - self.target);
        let limited = self.is_limited(&chain);
        chain.write(&mut self.rig, self.weight);
        Reach { reached: distance_m <= self.tolerance_m, distance_m, iterations, blind, limited }
    }

    /// Passes, and whether the target was in the blind spot.
    fn solve(&self, chain: &mut Chain) -> (u32, bool) {
        let mut points = Points::of(chain);
        let bends_are_kept = self.bends_are_kept(&points);
        if bends_are_kept && length(chain.end() - self.target) <= self.tolerance_m {
            return (0, false);
        }
        if lay_straight(chain, self.target) {
            return (0, false);
        }
        let blind = bend_blind(chain, self.target, self.pole);
        if blind {
            points = Points::of(chain);
        }
        let mut best: Option<(f32, [Vec3; CHAIN_MAX])> = None;
        let (mut iterations, root) = (0, chain.position[0]);
        while iterations < self.iterations_max {
            points.reach_back(self.target, self.bends_max_rad);
            points.reach_forth(root, self.bends_max_rad);
            iterations += 1;
            let now_m = length(points.position[points.count - 1] - self.target);
            if best.is_none_or(|(best_m, _)| now_m < best_m) {
                best = Some((now_m, points.position));
            }
            if now_m <= self.tolerance_m * INSIDE {
                break;
            }
        }
        if let Some((_, position)) = best {
            for i in 0..chain.count - 1 {
                let (old, new) = (chain.position[i + 1] - chain.position[i], position[i + 1] - chain.position[i]);
                if let (Some(old), Some(new)) = (unit(old), unit(new)) {
                    chain.turn(i, arc(old, new, self.pole));
                }
            }
        }
        (iterations, blind)
    }

    /// Whether a bone stands at the largest angle to the one before.
    fn is_limited(&self, chain: &Chain) -> bool {
        let points = Points::of(chain);
        let at_end = |(i, &max): (usize, &f32)| {
            let (max, bend_cos) = ((max - EDGE_RAD).max(0.0), points.direction[i].dot(points.direction[i + 1]));
            max < std::f32::consts::PI - 2.0 * EDGE_RAD && bend_cos <= ops::cos(max)
        };
        self.bends_max_rad.iter().enumerate().any(at_end)
    }

    fn bends_are_kept(&self, points: &Points) -> bool {
        let bends = self.bends_max_rad.iter().enumerate();
        bends.into_iter().all(|(i, &max)| points.direction[i].dot(points.direction[i + 1]) >= ops::cos(max) - 1e-6)
    }
}

impl Points {
    fn of(chain: &Chain) -> Points {
        let mut points = Points {
            count: chain.count,
            position: chain.position,
            direction: [Vec3::X; CHAIN_MAX],
            length: [0.0; CHAIN_MAX],
        };
        for i in 0..chain.count - 1 {
            points.length[i] = chain.bone_length(i);
            let before = if i == 0 { Vec3::X } else { points.direction[i - 1] };
            points.direction[i] = unit(chain.position[i + 1] - chain.position[i]).unwrap_or(before);
        }
        points
    }

    fn reach_back(&mut self, target: Vec3, bends_max_rad: &[f32]) {
        let end = self.count - 1;
        self.position[end] = target;
        for i in (0..end).rev() {
            let mut direction = unit(self.position[i + 1] - self.position[i]).unwrap_or(self.direction[i]);
            // There is none between the last bone and what is beyond.
            if let Some(&max) = bends_max_rad.get(i) {
                direction = clamp_bend(self.direction[i + 1], direction, max);
            }
            self.direction[i] = direction;
            self.position[i] = self.position[i + 1] - direction * self.length[i];
        }
    }

    fn reach_forth(&mut self, root: Vec3, bends_max_rad: &[f32]) {
        self.position[0] = root;
        for i in 0..self.count - 1 {
            let mut direction = unit(self.position[i + 1] - self.position[i]).unwrap_or(self.direction[i]);
            if let Some(&max) = i.checked_sub(1).and_then(|bend| bends_max_rad.get(bend)) {
                direction = clamp_bend(self.direction[i - 1], direction, max);
            }
            self.direction[i] = direction;
            self.position[i + 1] = self.position[i] + direction * self.length[i];
        }
    }
}

/// The direction nearest to `direction` that is at most `max_rad` from `before`.
fn clamp_bend(before: Vec3, direction: Vec3, max_rad: f32) -> Vec3 {
    let (sin, cos) = ops::sin_cos(max_rad);
    if before.dot(direction) >= cos {
        return direction;
    }
    let aside = across(direction, before).unwrap_or_else(|| perpendicular(before));
    before * cos + aside * sin
}
