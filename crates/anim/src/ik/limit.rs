//! Limit: how far a joint may turn from its rest rotation.
//!
//! Source: swing and twist (Baerlocher 2001) where the book has Euler ranges, which have poles at 90 degrees.

use glam::{Quat, Vec3};
use std::f32::consts::{PI, TAU};
use stillframe_base::math::ops;

use super::IkError;
use super::chain::Chain;
use super::check::{check_direction, check_range};
use super::turn::{normalized, turn, unit};
use crate::pose::JobError;

/// Past a limit by less is on it.
const SLACK_RAD: f32 = 1e-6;

/// Nearer than this to an end of a limit is at it.
pub(super) const EDGE_RAD: f32 = 1e-3;

/// A rotation of a joint in its parent's frame, and what it may do from there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointLimit {
    /// The local rotation where all angles are 0.
    pub rest: Quat,
    pub limit: Limit,
}

/// Axes are in the frame of the rest rotation, of any length but 0. Ranges go from `min` up to `max`, in -2 pi to 2 pi,
/// and are at most a whole turn long, so that any arc can be written: -45 to 45 degrees, or 45 to 315.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    Free,
    /// Turns about the axis alone.
    Hinge {
        axis: Vec3,
        min_rad: f32,
        max_rad: f32,
    },
    /// The axis stays within `swing_max_rad` (0 to pi) of where it rests, and turns about it stay in a range.
    Cone {
        axis: Vec3,
        swing_max_rad: f32,
        twist_min_rad: f32,
        twist_max_rad: f32,
    },
}

impl JointLimit {
    pub const FREE: JointLimit = JointLimit { rest: Quat::IDENTITY, limit: Limit::Free };

    pub(super) fn validate(&self) -> Result<(), IkError> {
        check_range("length of a rest rotation", self.rest.length(), 0.999, 1.001)?;
        let check_arc = |min: f32, max: f32| {
            check_range("lower limit", min, -TAU, TAU)?;
            check_range("upper limit", max, min, TAU.min(min + TAU))
        };
        match self.limit {
            Limit::Free => Ok(()),
            Limit::Hinge { axis, min_rad, max_rad } => {
                check_direction("axis of a limit", axis)?;
                check_arc(min_rad, max_rad)
            }
            Limit::Cone { axis, swing_max_rad, twist_min_rad, twist_max_rad } => {
                check_direction("axis of a limit", axis)?;
                check_range("swing limit", swing_max_rad, 0.0, PI)?;
                check_arc(twist_min_rad, twist_max_rad)
            }
        }
    }

    /// The rotation in the middle of what is allowed, unless all is.
    pub fn middle(&self) -> Option<Quat> {
        let (axis, min_rad, max_rad) = match self.limit {
            Limit::Free => return None,
            Limit::Hinge { axis, min_rad, max_rad } => (axis, min_rad, max_rad),
            Limit::Cone { axis, twist_min_rad, twist_max_rad, .. } => (axis, twist_min_rad, twist_max_rad),
        };
        Some(normalized(self.rest * turn(unit(axis)?, (min_rad + max_rad) * 0.5)))
    }

    /// Whether `local` is at an end of what is allowed; ends of a whole turn are none.
    fn is_at_end(&self, local: Quat) -> bool {
        let turned = normalized(self.rest.conjugate() * local);
        let at_end = |angle_rad: f32, min_rad: f32, max_rad: f32| {
            let (middle, half) = ((min_rad + max_rad) * 0.5, (max_rad - min_rad) * 0.5);
            half < PI - EDGE_RAD && wrap(angle_rad - middle).abs() >= half - EDGE_RAD
        };
        let (Limit::Hinge { axis, .. } | Limit::Cone { axis, .. }) = self.limit else { return false };
        let Some(axis) = unit(axis) else { return false };
        let (swing, angle_rad) = swing_and_twist(turned, axis);
        match self.limit {
            Limit::Free => false,
            Limit::Hinge { min_rad, max_rad, .. } => at_end(angle_rad, min_rad, max_rad),
            Limit::Cone { swing_max_rad, twist_min_rad, twist_max_rad, .. } => {
                let swung = swing_max_rad < PI - EDGE_RAD && swing_angle(swing) >= swing_max_rad - EDGE_RAD;
                swung || at_end(angle_rad, twist_min_rad, twist_max_rad)
            }
        }
    }

    /// The nearest allowed rotation in the parent's frame, unless `local` is one.
    pub fn clamp(&self, local: Quat) -> Option<Quat> {
        let turned = normalized(self.rest.conjugate() * local);
        match self.limit {
            Limit::Free => None,
            Limit::Hinge { axis, min_rad, max_rad } => {
                let axis = unit(axis)?;
                let (swing, angle_rad) = swing_and_twist(turned, axis);
                let within = clamp_arc(angle_rad, min_rad, max_rad);
                let kept = (within - angle_rad).abs() <= SLACK_RAD && swing_angle(swing) <= SLACK_RAD;
                if kept { None } else { Some(normalized(self.rest * turn(axis, within))) }
            }
            Limit::Cone { axis, swing_max_rad, twist_min_rad, twist_max_rad } => {
                let axis = unit(axis)?;
                let (swing, angle_rad) = swing_and_twist(turned, axis);
                let within = clamp_arc(angle_rad, twist_min_rad, twist_max_rad);
                let swung_rad = swing_angle(swing);
                let swing_is_kept = swung_rad <= swing_max_rad + SLACK_RAD;
                if swing_is_kept && (within - angle_rad).abs() <= SLACK_RAD {
                    return None;
                }
                let swing = match unit(Vec3::new(swing.x, swing.y, swing.z)) {
                    Some(about) if !swing_is_kept => turn(if swing.w < 0.0 { -about } else { about }, swing_max_rad),
                    _ => swing,
                };
                Some(normalized(self.rest * (swing * turn(axis, within))))
            }
        }
    }
}

/// Whether a joint of a chain stands at an end of its limit.
pub(super) fn is_limited(limits: &[JointLimit], chain: &Chain) -> bool {
    limits.iter().zip(&chain.local).any(|(limit, local)| limit.is_at_end(*local))
}

/// One limit a joint that turns, or none at all; each sound.
pub(super) fn check_limits(limits: &[JointLimit], want: usize) -> Result<(), IkError> {
    let count = limits.len();
    if count != 0 && count != want {
        return Err(JobError::Length { what: "limits", count, want }.into());
    }
    limits.iter().try_for_each(JointLimit::validate)
}

/// The limit of a joint of a chain; free where there are none.
pub(super) fn limit_of(limits: &[JointLimit], i: usize) -> &JointLimit {
    limits.get(i).unwrap_or(&JointLimit::FREE)
}

/// `swing * turn(axis, angle)`, the swing across the axis; after a swing of half a turn there is no twist to tell.
pub(super) fn swing_and_twist(turned: Quat, axis: Vec3) -> (Quat, f32) {
    let along = Vec3::new(turned.x, turned.y, turned.z).dot(axis);
    if along * along + turned.w * turned.w < 1e-12 {
        return (turned, 0.0);
    }
    let angle_rad = wrap(2.0 * ops::atan2(along, turned.w));
    let twist = normalized(Quat::from_xyzw(axis.x * along, axis.y * along, axis.z * along, turned.w));
    (normalized(turned * twist.conjugate()), angle_rad)
}

fn swing_angle(swing: Quat) -> f32 {
    2.0 * ops::atan2(Vec3::new(swing.x, swing.y, swing.z).length(), swing.w.abs())
}

/// Into -pi to pi, from up to two turns away.
fn wrap(angle_rad: f32) -> f32 {
    angle_rad - TAU * ops::round_ties_even(angle_rad / TAU)
}

/// The angle, or the nearer end of the arc where it is outside; equal modulo a turn counts as the same.
pub(super) fn clamp_arc(angle_rad: f32, min_rad: f32, max_rad: f32) -> f32 {
    let (middle, half) = ((min_rad + max_rad) * 0.5, (max_rad - min_rad) * 0.5);
    let from_middle = wrap(angle_rad - middle);
    if from_middle.abs() <= half { angle_rad } else { middle + half.min(from_middle.abs()).copysign(from_middle) }
}
