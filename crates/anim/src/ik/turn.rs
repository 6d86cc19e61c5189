//! Turn: directions and rotations between them, defined for every input.

use glam::{Quat, Vec3};
use stillframe_base::math::ops;

/// A vector of less size in every number has no direction.
pub const LENGTH_MIN: f32 = 1e-12;

/// The direction, unless there is none. No size overflows.
pub fn unit(v: Vec3) -> Option<Vec3> {
    let size = v.abs().max_element();
    if !(size >= LENGTH_MIN && size.is_finite()) {
        return None;
    }
    let v = v / size;
    Some(v / v.length())
}

/// Length without overflow on the way.
pub fn length(v: Vec3) -> f32 {
    let size = v.abs().max_element();
    if size >= LENGTH_MIN { (v / size).length() * size } else { 0.0 }
}

/// A unit vector at a right angle to a unit vector: away from the axis that is the farthest from it, x before y before
/// z.
pub fn perpendicular(v: Vec3) -> Vec3 {
    let a = v.abs();
    let axis = if a.x <= a.y && a.x <= a.z {
        Vec3::X
    } else if a.y <= a.z {
        Vec3::Y
    } else {
        Vec3::Z
    };
    let out = axis - v * v.dot(axis);
    out / out.length()
}

/// The direction of the part of `v` at a right angle to the unit vector `along`, unless they are parallel to 1e-4.
pub fn across(v: Vec3, along: Vec3) -> Option<Vec3> {
    let v = unit(v)?;
    let part = v - along * v.dot(along);
    if part.length() < 1e-4 {
        return None;
    }
    let part = part / part.length();
    // The first difference cancels where they are nearly parallel.
    unit(part - along * part.dot(along))
}

/// A turn about a unit axis.
pub fn turn(axis: Vec3, angle_rad: f32) -> Quat {
    let (sin, cos) = ops::sin_cos(angle_rad * 0.5);
    Quat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
}

pub fn normalized(q: Quat) -> Quat {
    let length = q.length();
    if length > LENGTH_MIN && length.is_finite() { q * (1.0 / length) } else { Quat::IDENTITY }
}

/// Half of the way, twice: exact for small angles, where an arc cosine is not.
fn arc_of_near(from: Vec3, to: Vec3) -> Quat {
    let Some(half) = unit(from + to) else { return Quat::IDENTITY };
    let v = from.cross(half);
    normalized(Quat::from_xyzw(v.x, v.y, v.z, from.dot(half)))
}

/// The shortest turn from one unit vector to another; where they are opposite, half a turn about the part of `hint`
/// across `from`, or about [`perpendicular`] where there is no such part.
pub fn arc(from: Vec3, to: Vec3, hint: Vec3) -> Quat {
    let dot = from.dot(to);
    if dot >= 0.0 {
        return arc_of_near(from, to);
    }
    let first = if (from + to).length_squared() > 1e-8 {
        arc_of_near(from, to)
    } else {
        let axis = across(hint, from).unwrap_or_else(|| perpendicular(from));
        Quat::from_xyzw(axis.x, axis.y, axis.z, 0.0)
    };
    // The larger the angle, the more rounding the half vector has: the rest is a small angle.
    normalized(arc_of_near(first * from, to) * first)
}

/// The turn about a unit axis from one unit vector across it to another. Unlike [`arc`] it keeps the axis where they
/// are opposite.
pub fn about(axis: Vec3, from: Vec3, to: Vec3) -> Quat {
    turn(axis, ops::atan2(axis.dot(from.cross(to)), from.dot(to)))
}

/// A part of a turn, the short way round.
pub fn share(whole: Quat, weight: f32) -> Quat {
    if weight == 1.0 {
        return whole;
    }
    between(Quat::IDENTITY, whole, weight)
}

/// nlerp, the short way round.
pub fn between(from: Quat, to: Quat, weight: f32) -> Quat {
    let to = if from.dot(to) < 0.0 { -to } else { to };
    normalized(from * (1.0 - weight) + to * weight)
}
