//! Motion: a rigid transform in f64, with products that cancel exactly.

use glam::{DQuat, DVec3};

use crate::pose::Affine;
use crate::sample::DTrs;

/// A turn, then a shift. The rotation is of unit length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    pub translation: DVec3,
    pub rotation: DQuat,
}

impl Motion {
    /// No motion.
    pub const IDENTITY: Motion = Motion { translation: DVec3::ZERO, rotation: DQuat::IDENTITY };

    /// This motion, and then `next` in the place that this one leads to: the product `self * next`.
    #[must_use]
    pub fn then(self, next: Motion) -> Motion {
        Motion {
            translation: self.translation + turned(self.rotation, next.translation),
            rotation: product(self.rotation, next.rotation),
        }
    }

    /// What leads back.
    #[must_use]
    pub fn inverse(self) -> Motion {
        let rotation = self.rotation.conjugate();
        Motion { translation: -turned(rotation, self.translation), rotation }
    }

    /// From `self` to `to`: `self^-1 * to`. The identity to the bit where they are the same.
    #[must_use]
    pub fn until(self, to: Motion) -> Motion {
        let back = self.rotation.conjugate();
        Motion { translation: turned(back, to.translation - self.translation), rotation: product(back, to.rotation) }
    }

    /// `count` of these one after the other, for less than 0 those of the inverse. By squaring: 2 products for each bit
    /// of `count`.
    ///
    /// Exactness: that of f64 where the rotation is none or half a turn and translations are whole numbers; else the
    /// angle is off by `count` times what the one motion's is.
    #[must_use]
    pub fn power(self, count: i128) -> Motion {
        let mut square = if count < 0 { self.inverse() } else { self };
        let mut left = count.unsigned_abs();
        let mut out = Motion::IDENTITY;
        while left > 0 {
            if left & 1 == 1 {
                out = out.then(square);
            }
            left >>= 1;
            if left > 0 {
                square = square.then(square);
            }
        }
        out
    }

    /// The nearest matrix in f32.
    pub fn to_affine(self) -> Affine {
        glam::DAffine3::from_rotation_translation(self.rotation, self.translation).as_affine3a().into()
    }
}

/// Moves an actor by a motion in its own frame: `actor * motion`. An even scale of the actor makes its steps longer;
/// one that is not even is taken by axis.
pub fn move_actor(actor: &mut DTrs, motion: &Motion) {
    actor.translation += turned(actor.rotation, actor.scale * motion.translation);
    actor.rotation = product(actor.rotation, motion.rotation);
}

/// `a * b`, made unit. Its terms stand in pairs that cancel where `b` is the conjugate of `a`.
pub(super) fn product(a: DQuat, b: DQuat) -> DQuat {
    let x = (a.w * b.x + a.x * b.w) + (a.y * b.z - a.z * b.y);
    let y = (a.w * b.y + a.y * b.w) + (a.z * b.x - a.x * b.z);
    let z = (a.w * b.z + a.z * b.w) + (a.x * b.y - a.y * b.x);
    let w = (a.w * b.w - a.x * b.x) - (a.y * b.y + a.z * b.z);
    unit(DQuat::from_xyzw(x, y, z, w))
}

/// Divided by its length, so that a length of 1 changes nothing.
pub(super) fn unit(q: DQuat) -> DQuat {
    let length = (((q.x * q.x + q.y * q.y) + q.z * q.z) + q.w * q.w).sqrt();
    DQuat::from_xyzw(q.x / length, q.y / length, q.z / length, q.w / length)
}

/// `v + 2 u x (u x v + w v)`: exact for whole numbers where the rotation is none or half a turn about an axis.
pub(super) fn turned(q: DQuat, v: DVec3) -> DVec3 {
    let u = DVec3::new(q.x, q.y, q.z);
    v + u.cross(u.cross(v) + v * q.w) * 2.0
}
