//! Two bones: an arm or a leg, in closed form.
//!
//! Source: the law of cosines; soft limit after Nicholas ("Maya's soft IK", 2009): past a share of its length the reach
//! approaches the full length exponentially, so that the knee does not pop straight. The upper bone turns so that the
//! old plane of the bend becomes the new one, hence the lower one turns like a hinge.
//!
//! ```text
//! u = unit(target - start), d = clamp(soft(|target - start|), |a - b|, a + b), v = unit(pole - u (pole . u))
//! c = (a a + d d - b b) / (2 a d), mid = start + a (c u + sqrt(1 - c c) v), end = start + d u
//! ```

use glam::Vec3;
use stillframe_base::math::ops;

use super::chain::Chain;
use super::check::{POSITION_MAX_M, check_range, check_vector};
use super::turn::{about, across, arc, length, perpendicular, unit};
use super::{IkError, Reach, Rig};

/// A bend of less sine is straight: its plane is rounding.
const BEND_SINE_MIN: f32 = 1e-3;

/// What counts as reached, of the chain's length.
const TOLERANCE: f32 = 1e-5;

/// Turns two joints so that a third is on the target.
///
/// Out of reach, or too near: the end is on the line from the start to the target, as far as it goes. Degenerate input:
/// a target at the start keeps the line to the end as it was; equal bones then fold at a right angle to it; a bone
/// without length turns nothing; a pole along the line, or zero, means the bend as it is, and for a straight chain
/// without `bend_axis` a fixed direction across it.
pub struct TwoBone<'a> {
    pub rig: Rig<'a>,
    /// Start, middle, end: hip, knee, ankle.
    pub joints: [u16; 3],
    /// Where the end shall be; model space, metres.
    pub target: Vec3,
    /// Direction in the model's space to which the middle bends, from the start; any length, zero for the bend as it
    /// is.
    pub pole: Vec3,
    /// Axis of the middle joint in its own frame, about which positive turns bend a straight chain; any length, zero to
    /// read it from the pose, which says nothing where the chain is straight.
    pub bend_axis: Vec3,
    /// The share of the length up to which the end follows exactly: over 0, to 1 for no soft limit.
    pub soften: f32,
    /// 0 to 1.
    pub weight: f32,
}

impl TwoBone<'_> {
    /// Looks at every number.
    pub fn validate(&self) -> Result<(), IkError> {
        self.rig.validate()?;
        self.rig.check_chain(self.joints.into_iter(), 3)?;
        check_vector("target", self.target, POSITION_MAX_M)?;
        check_vector("pole", self.pole, f32::MAX)?;
        check_vector("bend axis", self.bend_axis, f32::MAX)?;
        check_range("soften", self.soften, 1e-3, 1.0)?;
        check_range("weight", self.weight, 0.0, 1.0)
    }

    /// Turns the first two joints.
    pub fn run(mut self) -> Reach {
        let mut chain = Chain::read(&self.rig, self.joints.into_iter());
        let reach = bend(&mut chain, self.target, self.pole, self.bend_axis, self.soften);
        chain.write(&mut self.rig, self.weight);
        reach
    }
}

/// Solves a chain of three joints.
pub(super) fn bend(chain: &mut Chain, target: Vec3, pole: Vec3, bend_axis: Vec3, soften: f32) -> Reach {
    let [start, mid, end] = [chain.position[0], chain.position[1], chain.position[2]];
    let (upper, lower, line) = (mid - start, end - mid, end - start);
    let (a, b) = (chain.bone_length(0), chain.bone_length(1));
    let wanted = length(target - start);
    let directions = [target - start, line, upper, lower];
    let u = directions.into_iter().find_map(unit).unwrap_or(Vec3::Y);
    let d = soft(wanted, soften, a + b).clamp((a - b).abs(), a + b);

    // The normal of the bend: positive turns about it lead from the upper bone's direction to the lower one's.
    let upper_unit = unit(upper);
    let normal = upper_unit.and_then(|upper| {
        let lower = unit(lower).unwrap_or(upper);
        let read = upper.cross(lower);
        let read = if read.length() > BEND_SINE_MIN { unit(read) } else { None };
        across(chain.rotation[1] * bend_axis, upper).or(read)
    });
    let carried = normal.map(|normal| match unit(line) {
        Some(line) => arc(line, u, normal) * normal,
        None => normal,
    });
    let v = across(pole, u)
        .or_else(|| carried.and_then(|normal| across(u.cross(normal), u)))
        .unwrap_or_else(|| perpendicular(u));
    let new_normal = v.cross(u);

    let c = if a * d > 0.0 { ((a * a + d * d - b * b) / (2.0 * a * d)).clamp(-1.0, 1.0) } else { 0.0 };
    let new_upper = u * c + v * (1.0 - c * c).max(0.0).sqrt();
    if let (Some(old), Some(new)) = (upper_unit, unit(new_upper)) {
        let swing = arc(old, new, normal.unwrap_or(new_normal));
        let twist = match normal.and_then(|normal| across(swing * normal, new)) {
            Some(normal) => about(new, normal, across(new_normal, new).unwrap_or(normal)),
            None => glam::Quat::IDENTITY,
        };
        chain.turn(0, twist * swing);
    }
    let new_end = start + u * d;
    if let (Some(old), Some(new)) = (unit(chain.end() - chain.position[1]), unit(new_end - chain.position[1])) {
        chain.turn(1, arc(old, new, new_normal));
    }
    Reach {
        reached: (d - wanted).abs() <= TOLERANCE * (a + b),
        distance_m: length(chain.end() - target),
        iterations: 0,
        blind: false,
        limited: false,
    }
}

/// The distance itself to `soften` of the length, then ever less more, never all of it.
fn soft(distance: f32, soften: f32, length: f32) -> f32 {
    let exact = length * soften;
    let rest = length - exact;
    if distance > exact && rest > 0.0 { exact + rest * (1.0 - ops::exp((exact - distance) / rest)) } else { distance }
}
