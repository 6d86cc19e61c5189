//! Blend: motions of several leaves as one.
//!
//! What is averaged are twists, the logarithms of motions: of leaves that move evenly, a mean of twists is the same
//! however time is cut, which a mean of translations and rotations is not where they turn.
//!
//! Source: exponential coordinates of rigid motions, Murray, Li and Sastry, "A mathematical introduction to robotic
//! manipulation", 1994, sections 2.3 and A.2. Ours is the choice of the short turn and the series near zero.

use glam::{DQuat, DVec3};
use stillframe_base::math::ops64;

use super::motion::unit;
use super::{Motion, RootError};

/// Below this angle series are as exact as f64.
const SERIES_BELOW_RAD: f64 = 1e-3;

/// The mean of motions by weight: of the leaves of a pose, with the weights of the pose, of which negative ones count
/// as 0 too; leaves that do not travel have the identity.
///
/// One motion alone, whatever its weight, comes back to the bit; no weight at all gives the identity. A motion that
/// turns by more than half a turn is taken the short way round: step more often than that where motions are blended.
/// Errors: a weight that is not finite.
pub fn blend_motions(motions: &[(Motion, f32)]) -> Result<Motion, RootError> {
    if let Some(motion) = motions.iter().position(|(_, weight)| !weight.is_finite()) {
        return Err(RootError::Weight { motion, weight: motions[motion].1 });
    }
    let mut weighted = motions.iter().filter(|(_, weight)| *weight > 0.0);
    if let (Some((only, _)), None) = (weighted.next(), weighted.next()) {
        return Ok(*only);
    }
    let sum: f64 = motions.iter().map(|(_, weight)| f64::from(weight.max(0.0))).sum();
    if sum == 0.0 {
        return Ok(Motion::IDENTITY);
    }
    let mut mean = Twist { turn: DVec3::ZERO, shift: DVec3::ZERO };
    for (motion, weight) in motions.iter().filter(|(_, weight)| *weight > 0.0) {
        let twist = Twist::of(*motion);
        let share = f64::from(*weight) / sum;
        mean.turn += twist.turn * share;
        mean.shift += twist.shift * share;
    }
    Ok(mean.motion())
}

/// A motion's logarithm: axis times angle, and the speed at the origin.
struct Twist {
    turn: DVec3,
    shift: DVec3,
}

impl Twist {
    fn of(motion: Motion) -> Twist {
        let q = if motion.rotation.w < 0.0 { -motion.rotation } else { motion.rotation };
        let (v, t) = (DVec3::new(q.x, q.y, q.z), motion.translation);
        let length = v.length();
        let angle = 2.0 * ops64::atan2(length, q.w);
        let turn =
            if angle < SERIES_BELOW_RAD { v * (2.0 * (1.0 + angle * angle / 24.0)) } else { v * (angle / length) };
        // (1 - angle/2 * cot(angle/2)) / angle^2
        let second = if angle < SERIES_BELOW_RAD {
            1.0 / 12.0 + angle * angle / 720.0
        } else {
            (1.0 - 0.5 * angle * (q.w / length)) / (angle * angle)
        };
        Twist { turn, shift: t - turn.cross(t) * 0.5 + turn.cross(turn.cross(t)) * second }
    }

    fn motion(&self) -> Motion {
        let Twist { turn, shift } = *self;
        let angle = turn.length();
        let sin = ops64::sin(angle);
        let (half_sin, half_cos) = ops64::sin_cos(0.5 * angle);
        let square = angle * angle;
        let near = angle < SERIES_BELOW_RAD;
        let half = if near { 0.5 - square / 48.0 } else { half_sin / angle };
        // (1 - cos) / angle^2 and (angle - sin) / angle^3
        let first = 2.0 * half * half;
        let second = if near { 1.0 / 6.0 - square / 120.0 } else { (angle - sin) / (square * angle) };
        let v = turn * half;
        Motion {
            translation: shift + turn.cross(shift) * first + turn.cross(turn.cross(shift)) * second,
            rotation: unit(DQuat::from_xyzw(v.x, v.y, v.z, half_cos)),
        }
    }
}
