//! Journey: ways of the root, one after the other and blended by their logarithms, with what may be wrong of
//! them.
//!
//! They turn about the vertical alone, so that a turn is an angle and the ground a plane of complex numbers.

use glam::{DVec2, DVec3};
use stillframe_anim::root::Motion;
use stillframe_base::math::ops64;

/// A turn about the vertical, in radians and any number of times round, then a shift; and how far weights of f32 and
/// other cuts may be from them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Journey {
    pub shift: DVec3,
    pub turn: f64,
    pub shift_error: f64,
    pub turn_error: f64,
    /// The length of the way, which what is wrong of a turn is multiplied by.
    pub length: f64,
    /// By how much turns that are blended have turned: from half a turn on it depends on the cuts which way is the
    /// short one.
    pub spin: f64,
}

const ROUNDING: f64 = 1e-9;

fn turned(shift: DVec3, turn: f64) -> DVec3 {
    let (sine, cosine) = ops64::sin_cos(turn);
    DVec3::new(cosine * shift.x + sine * shift.z, shift.y, cosine * shift.z - sine * shift.x)
}

/// An angle the short way round.
pub fn short(turn: f64) -> f64 {
    let whole = std::f64::consts::TAU;
    turn - whole * (turn / whole).round()
}

/// The ground as complex numbers, in which a turn is a factor.
fn on_ground(shift: DVec3) -> DVec2 {
    DVec2::new(shift.x, -shift.z)
}

/// The shift of a turn that goes on at one speed, of a speed of 1: `(e^(i turn) - 1) / (i turn)`.
fn arc(turn: f64) -> DVec2 {
    if turn.abs() < 1e-5 {
        return DVec2::new(1.0 - turn * turn / 6.0, turn / 2.0);
    }
    let (sine, cosine) = ops64::sin_cos(turn);
    DVec2::new(sine, 1.0 - cosine) / turn
}

impl Journey {
    pub fn of(motion: &Motion) -> Journey {
        let turn = 2.0 * ops64::atan2(motion.rotation.y, motion.rotation.w);
        Journey { shift: motion.translation, turn, ..Journey::default() }
    }

    pub fn then(self, next: Journey) -> Journey {
        Journey {
            shift: self.shift + turned(next.shift, self.turn),
            turn: self.turn + next.turn,
            shift_error: self.shift_error + next.shift_error,
            turn_error: self.turn_error + next.turn_error,
            length: self.length + next.length,
            spin: self.spin + next.spin,
        }
    }

    pub fn inverse(self) -> Journey {
        Journey { shift: turned(-self.shift, -self.turn), turn: -self.turn, ..self }
    }

    /// Whether another one is the same but for what may be wrong of this one.
    pub fn is_near(&self, other: &Journey) -> bool {
        if self.spin > std::f64::consts::PI - 1e-3 {
            return true;
        }
        let shift = self.shift_error + self.turn_error * self.length + ROUNDING * (1.0 + self.length);
        let turn = self.turn_error + ROUNDING * (1.0 + self.turn.abs());
        (self.shift - other.shift).length() <= shift && short(self.turn - other.turn).abs() <= turn
    }

    /// The mean by weights of 1 in all, of the motions' logarithms; turns are taken the short way round.
    pub fn mean(parts: &[(Journey, f64)]) -> Journey {
        let (mut speed, mut height, mut turn) = (DVec2::ZERO, 0.0, 0.0);
        for (journey, share) in parts {
            let own = short(journey.turn);
            let (way, arc) = (on_ground(journey.shift), arc(own));
            let over = DVec2::new(arc.x, -arc.y).rotate(way) / arc.length_squared();
            speed += over * *share;
            height += journey.shift.y * share;
            turn += own * share;
        }
        let ground = arc(turn).rotate(speed);
        Journey { shift: DVec3::new(ground.x, height, -ground.y), turn, ..Journey::default() }
    }
}
