//! Euler: angles in degrees, as people write them, to unit quaternions and back.
//!
//! Convention: `rotation_deg = [x, y, z]` turns about the fixed X axis first, then Y, then Z (modelling tools call it "XYZ
//! Euler"): `world_from_local = Rz * Ry * Rx`. Right-handed: positive turns are counter-clockwise seen from the axis' tip.

use glam::{Quat, Vec3};

use super::ops;

/// Sine and cosine of an angle in degrees: exact at multiples of 90, within 1 ulp elsewhere.
pub fn sin_cos_deg(angle_deg: f32) -> (f32, f32) {
    if !angle_deg.is_finite() {
        return (ops::NAN, ops::NAN);
    }
    let turn = ops::fmod(angle_deg, 360.0);
    let quarter = ops::round_ties_even(turn * (1.0 / 90.0));
    let rest_rad = (f64::from(turn - quarter * 90.0) * (std::f64::consts::PI / 180.0)) as f32;
    let (sin, cos) = ops::sin_cos(rest_rad);
    match quarter as i32 & 3 {
        0 => (sin, cos),
        1 => (cos, 0.0 - sin),
        2 => (0.0 - sin, 0.0 - cos),
        _ => (0.0 - cos, sin),
    }
}

/// The rotation of angles in degrees about the fixed axes X, then Y, then Z. A unit quaternion for finite angles.
pub fn quat_from_degrees(rotation_deg: Vec3) -> Quat {
    let [(sx, cx), (sy, cy), (sz, cz)] = (rotation_deg * 0.5).to_array().map(sin_cos_deg);
    Quat::from_xyzw(
        sx * cy * cz - cx * sy * sz,
        cx * sy * cz + sx * cy * sz,
        cx * cy * sz - sx * sy * cz,
        cx * cy * cz + sx * sy * sz,
    )
}

/// Angles in degrees that give `rotation` (a unit quaternion): Y in [-90, 90], the others in [-180, 180]. Where Y is at an end
/// only the sum of the others is determined: X is 0 then.
pub fn degrees_from_quat(rotation: Quat) -> Vec3 {
    const DEGREES: f32 = 180.0 / std::f32::consts::PI;
    let [x, y, z, w] = rotation.to_array();
    let sin_y = 2.0 * (w * y - z * x);
    if sin_y.abs() > 0.999_999 {
        let z_rad = ops::atan2(2.0 * (w * z - x * y), 1.0 - 2.0 * (x * x + z * z));
        return Vec3::new(0.0, 90f32.copysign(sin_y), z_rad * DEGREES);
    }
    let x_rad = ops::atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y));
    let z_rad = ops::atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z));
    Vec3::new(x_rad, ops::asin(sin_y), z_rad) * DEGREES
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn right_angles_are_exact() {
        for (angle_deg, want) in [
            (0.0, (0.0, 1.0)),
            (90.0, (1.0, 0.0)),
            (-90.0, (-1.0, 0.0)),
            (180.0, (0.0, -1.0)),
            (270.0, (-1.0, 0.0)),
            (3690.0, (1.0, 0.0)),
        ] {
            assert_eq!(sin_cos_deg(angle_deg), want, "{angle_deg}");
        }
        assert!(sin_cos_deg(f32::INFINITY).0.is_nan());
    }

    #[test]
    fn each_axis_turns_counter_clockwise() {
        for (rotation_deg, from, to) in [
            (Vec3::X * 90.0, Vec3::Y, Vec3::Z),
            (Vec3::Y * 90.0, Vec3::Z, Vec3::X),
            (Vec3::Z * 90.0, Vec3::X, Vec3::Y),
            // X first, then Z: Y goes to Z and stays there.
            (Vec3::new(90.0, 0.0, 90.0), Vec3::Y, Vec3::Z),
            (Vec3::new(90.0, 90.0, 0.0), Vec3::Y, Vec3::X),
        ] {
            let got = quat_from_degrees(rotation_deg) * from;
            assert!((got - to).length() < 1e-6, "{rotation_deg}: {got}");
        }
    }

    proptest! {
        #[test]
        fn degrees_against_f64(angle_deg in -1e6f32..1e6) {
            let want = (f64::from(angle_deg) % 360.0).to_radians();
            let (sin, cos) = sin_cos_deg(angle_deg);
            prop_assert!((f64::from(sin) - libm::sin(want)).abs() < 1.5e-7);
            prop_assert!((f64::from(cos) - libm::cos(want)).abs() < 1.5e-7);
        }

        #[test]
        fn angles_round_trip_as_rotations(x in -360.0f32..360.0, y in -360.0f32..360.0, z in -360.0f32..360.0, flat in any::<bool>()) {
            let rotation = quat_from_degrees(Vec3::new(x, if flat { 90.0 } else { y }, z));
            prop_assert!((rotation.length() - 1.0).abs() < 1e-6);
            let again = quat_from_degrees(degrees_from_quat(rotation));
            for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                prop_assert!((rotation * axis - again * axis).length() < 4e-3, "{} {}", rotation, again);
            }
        }
    }
}
