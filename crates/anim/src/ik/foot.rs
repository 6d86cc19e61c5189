//! Feet: legs that follow uneven ground, and a pelvis low enough for both.
//!
//! Source: foot placement as games have it, and ozz's foot IK sample. Different: the pelvis is filtered with a fixed
//! time constant, exact for any step; flat ground changes no bit.
//!
//! ```text
//! for each foot: rise = ground under it - the ground of the clip; plant = 1 up to plant_m over it, 0 from lift_m on
//! pelvis += (min(0, least rise) - pelvis) (1 - exp(-step / time constant))
//! ankle  += rise + height (1 / cos tilt - 1), of which `plant` parts; the pelvis's move for the rest
//! leg: two bones; foot: turned by the tilt, up to the ground's normal, at most tilt_max
//! ```

use glam::{Quat, Vec3};
use stillframe_base::math::ops;

use super::chain::Chain;
use super::check::{POSITION_MAX_M, check_direction, check_range, check_vector};
use super::turn::{across, share, turn};
use super::two_bone::bend;
use super::{IkError, Reach, Rig};
use crate::pose::check_length;

/// Where a ray straight down through the ankle met the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundHit {
    /// y in the model's space.
    pub height_m: f32,
    /// In the model's space; any length but 0.
    pub normal: Vec3,
}

/// A leg.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Foot {
    /// Hip, knee, ankle.
    pub joints: [u16; 3],
    /// As [`TwoBone::bend_axis`](super::TwoBone::bend_axis).
    pub bend_axis: Vec3,
    /// The ankle over the sole.
    pub ankle_height_m: f32,
    /// `None` where there is no ground: the leg goes with the pelvis.
    pub hit: Option<GroundHit>,
}

/// Places feet on the ground. Up is +y of the model.
///
/// Shapes: `reaches` has one entry a foot. The returned offset of the pelvis is what the next step takes as
///         `pelvis_before_m`.
/// Exactness: on flat ground at `ground_m`, with the pelvis at 0, no bit of the pose changes. Degenerate input: a
/// normal that points down tilts as a wall's does, straight down as straight up; the legs are those of
/// [`TwoBone`](super::TwoBone).
pub struct FootPlant<'a> {
    pub rig: Rig<'a>,
    /// What the hips hang on.
    pub pelvis: u16,
    pub feet: &'a [Foot],
    /// y of the ground that the pose was made for.
    pub ground_m: f32,
    /// A sole up to here over that ground stands.
    pub plant_m: f32,
    /// A sole from here on is in the air.
    pub lift_m: f32,
    pub tilt_max_rad: f32,
    pub pelvis_before_m: f32,
    pub step_s: f32,
    /// Of the pelvis; 0 moves it at once.
    pub time_constant_s: f32,
    /// 0 to 1, of what the ground does to the pose.
    pub weight: f32,
    pub reaches: &'a mut [Reach],
}

impl FootPlant<'_> {
    /// Looks at every number.
    pub fn validate(&self) -> Result<(), IkError> {
        self.rig.validate()?;
        check_length("reaches", self.reaches.len(), self.feet.len())?;
        self.rig.check_joint("pelvis", 0, self.pelvis)?;
        for foot in self.feet {
            self.rig.check_chain(foot.joints.into_iter(), 3)?;
            if !self.rig.is_below(foot.joints[0], self.pelvis) {
                return Err(IkError::NotBelow { joint: foot.joints[0], above: self.pelvis });
            }
            check_vector("bend axis", foot.bend_axis, f32::MAX)?;
            check_range("ankle height", foot.ankle_height_m, 0.0, POSITION_MAX_M)?;
            if let Some(hit) = foot.hit {
                check_range("ground height", hit.height_m, -POSITION_MAX_M, POSITION_MAX_M)?;
                check_direction("ground normal", hit.normal)?;
            }
        }
        check_range("ground of the pose", self.ground_m, -POSITION_MAX_M, POSITION_MAX_M)?;
        check_range("planted height", self.plant_m, -POSITION_MAX_M, POSITION_MAX_M)?;
        check_range("lifted height", self.lift_m, self.plant_m, POSITION_MAX_M)?;
        check_range("tilt", self.tilt_max_rad, 0.0, 1.5)?;
        check_range("pelvis", self.pelvis_before_m, -POSITION_MAX_M, POSITION_MAX_M)?;
        check_range("step", self.step_s, 0.0, f32::MAX)?;
        check_range("time constant", self.time_constant_s, 0.0, f32::MAX)?;
        check_range("weight", self.weight, 0.0, 1.0)
    }

    /// Moves the pelvis, bends the legs, turns the feet; gives the pelvis's offset, in metres.
    pub fn run(mut self) -> f32 {
        let rises = self.feet.iter().filter_map(|foot| foot.hit).map(|hit| hit.height_m - self.ground_m);
        let goal_m = rises.fold(0.0, |least: f32, rise| if rise < least { rise } else { least }) * self.weight;
        let left = if self.time_constant_s > 0.0 { ops::exp(-self.step_s / self.time_constant_s) } else { 0.0 };
        let pelvis_m = self.pelvis_before_m + (goal_m - self.pelvis_before_m) * (1.0 - left);
        if pelvis_m != 0.0 {
            let (rotation, scale) = self.rig.parent_frame(self.pelvis);
            self.rig.move_by(self.pelvis, rotation.conjugate() * Vec3::Y * (pelvis_m / scale));
        }
        for i in 0..self.feet.len() {
            self.reaches[i] = self.place(self.feet[i], pelvis_m);
        }
        pelvis_m
    }

    fn place(&mut self, foot: Foot, pelvis_m: f32) -> Reach {
        let in_place = Reach { reached: true, distance_m: 0.0, iterations: 0, blind: false, limited: false };
        let Some(hit) = foot.hit else { return in_place };
        let mut chain = Chain::read(&self.rig, foot.joints.into_iter());
        let sole_m = chain.end().y - pelvis_m - foot.ankle_height_m - self.ground_m;
        let plant = self.weight * plant_weight(sole_m, self.plant_m, self.lift_m);
        let (tilt, tilt_rad) = tilt_to(hit.normal, self.tilt_max_rad);
        let rise_m = hit.height_m - self.ground_m + foot.ankle_height_m * (1.0 / ops::cos(tilt_rad) - 1.0);
        let up_m = (rise_m - pelvis_m) * plant;
        if plant == 0.0 || (up_m == 0.0 && tilt_rad == 0.0) {
            return in_place;
        }
        let foot_before = chain.rotation[2];
        let target = chain.end() + Vec3::Y * up_m;
        let reach = bend(&mut chain, target, Vec3::ZERO, foot.bend_axis, 1.0);
        chain.turn(2, share(tilt, plant) * foot_before * chain.rotation[2].conjugate());
        chain.write(&mut self.rig, 1.0);
        reach
    }
}

/// 1 up to `plant_m`, 0 from `lift_m` on, a line between.
fn plant_weight(sole_m: f32, plant_m: f32, lift_m: f32) -> f32 {
    if sole_m <= plant_m {
        1.0
    } else if sole_m >= lift_m {
        0.0
    } else {
        (lift_m - sole_m) / (lift_m - plant_m)
    }
}

/// The turn from up to a normal and its angle, at most `max_rad`.
fn tilt_to(normal: Vec3, max_rad: f32) -> (Quat, f32) {
    let (Some(aside), Some(normal)) = (across(normal, Vec3::Y), super::turn::unit(normal)) else {
        return (Quat::IDENTITY, 0.0);
    };
    let angle_rad = ops::atan2(normal.dot(aside), normal.y).min(max_rad);
    (turn(Vec3::Y.cross(aside), angle_rad), angle_rad)
}
