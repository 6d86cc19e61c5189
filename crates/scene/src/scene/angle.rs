//! Degrees of files to radians, sines and rotations: the same bits on every machine, exact at right angles.

use glam::{Quat, Vec3};

const RAD_PER_DEG: f64 = std::f64::consts::PI / 180.0;

/// Rounded once.
pub(crate) fn radians(angle_deg: f64) -> f32 {
    (angle_deg * RAD_PER_DEG) as f32
}

/// The shortest decimal number of degrees that [`radians`] turns into exactly `angle_rad`.
pub(crate) fn degrees(angle_rad: f32) -> f64 {
    let exact = f64::from(angle_rad) / RAD_PER_DEG;
    for digit_count in 0..17 {
        let short: f64 = format!("{exact:.digit_count$e}").parse().expect("a printed number");
        if radians(short) == angle_rad {
            return short;
        }
    }
    exact
}

/// Sine and cosine of degrees, exact at multiples of 90.
///
/// Taylor series up to the 17th power on at most 45 degrees: the remainder is below 2^-53.
pub(crate) fn sin_cos_deg(angle_deg: f64) -> (f64, f64) {
    let quarter = (angle_deg / 90.0).round();
    let rest = (angle_deg - quarter * 90.0) * RAD_PER_DEG;
    let square = rest * rest;
    let (mut sin, mut cos) = (0.0, 0.0);
    // Horner from the smallest term: sin / x - 1 and cos - 1.
    for power in (1..=8).rev() {
        let n = f64::from(2 * power);
        cos = -(square / (n * (n - 1.0))) * (1.0 + cos);
        sin = -(square / (n * (n + 1.0))) * (1.0 + sin);
    }
    let (sin, cos) = (rest + rest * sin, 1.0 + cos);
    match quarter.rem_euclid(4.0) as u32 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// The rotation by `angles_deg` about the fixed axes X, then Y, then Z: `Rz * Ry * Rx` (Blender's "XYZ Euler").
pub(crate) fn rotation_xyz(angles_deg: [f64; 3]) -> Quat {
    let half = angles_deg.map(|angle| sin_cos_deg(angle / 2.0));
    let about = |axis: usize| {
        let (sin, cos) = half[axis];
        let mut out = [0.0, 0.0, 0.0, cos];
        out[axis] = sin;
        out
    };
    let [x, y, z, w] = times(times(about(2), about(1)), about(0));
    Quat::from_xyzw(x as f32, y as f32, z as f32, w as f32)
}

/// Hamilton product of two quaternions, `[x, y, z, w]`.
fn times(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    ]
}

/// A unit quaternion. One that is a unit quaternion already (within float rounding) stays as it is, bit for bit.
///
/// `None` for one without length.
pub(crate) fn unit(rotation: [f32; 4]) -> Option<Quat> {
    let [x, y, z, w] = rotation.map(f64::from);
    let length_squared = x * x + y * y + z * z + w * w;
    if length_squared < 1e-12 {
        return None;
    }
    if (length_squared - 1.0).abs() < 1e-6 {
        return Some(Quat::from_array(rotation));
    }
    let scale = 1.0 / length_squared.sqrt();
    Some(Quat::from_array([x, y, z, w].map(|v| (v * scale) as f32)))
}

/// A vector of the length 1; `None` for one without length.
pub fn direction(of: Vec3) -> Option<Vec3> {
    let largest = of.abs().max_element();
    // Scaled first: squares of large and of tiny numbers leave the range of floats.
    if largest < 1e-9 { None } else { Some((of / largest).normalize()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn right_angles_are_exact() {
        for (angle, sin, cos) in [
            (0.0, 0.0, 1.0),
            (90.0, 1.0, 0.0),
            (180.0, 0.0, -1.0),
            (270.0, -1.0, 0.0),
            (360.0, 0.0, 1.0),
            (-90.0, -1.0, 0.0),
            (7290.0, 1.0, 0.0),
        ] {
            let (s, c) = sin_cos_deg(angle);
            assert_eq!((s, c), (sin, cos), "{angle}");
        }
    }

    /// Known values to the last but one bit of f64.
    #[test]
    fn other_angles_are_near() {
        let third = 3f64.sqrt() / 2.0;
        let half = 0.5f64.sqrt();
        for (angle, sin, cos) in
            [(30.0, 0.5, third), (60.0, third, 0.5), (45.0, half, half), (150.0, 0.5, -third), (-45.0, -half, half)]
        {
            let (s, c) = sin_cos_deg(angle);
            assert!((s - sin).abs() < 3e-16 && (c - cos).abs() < 3e-16, "{angle}: {s} {c}");
        }
        for step in -720..720 {
            let (s, c) = sin_cos_deg(f64::from(step) * 0.7);
            assert!((s * s + c * c - 1.0).abs() < 4e-16, "{step}");
        }
    }

    #[test]
    fn turned_about_x_then_y_then_z() {
        let turned = rotation_xyz([90.0, 0.0, 90.0]) * Vec3::Y;
        // +Y goes to +Z about X; about Z it stays.
        assert!((turned - Vec3::Z).length() < 1e-6, "{turned}");
        let turned = rotation_xyz([90.0, 90.0, 0.0]) * Vec3::Y;
        // +Y to +Z about X, then to +X about Y.
        assert!((turned - Vec3::X).length() < 1e-6, "{turned}");
    }

    #[test]
    fn degrees_come_back_short() {
        for angle in [45.0, 30.0, 0.1, 89.9, 120.0, 33.333, 1e-3, 0.0, -17.25] {
            assert_eq!(degrees(radians(angle)), angle);
        }
        for bits in (0x3000_0000u32..0x4100_0000).step_by(987_651) {
            let angle = f32::from_bits(bits);
            assert_eq!(radians(degrees(angle)), angle);
        }
    }

    #[test]
    fn units() {
        assert_eq!(unit([0.0; 4]), None);
        assert_eq!(unit([0.0, 3.0, 0.0, 4.0]), Some(Quat::from_xyzw(0.0, 0.6, 0.0, 0.8)));
        let odd = [0.5000001, 0.5, 0.5, 0.5];
        assert_eq!(unit(odd).map(|q| q.to_array()), Some(odd));
        assert_eq!(direction(Vec3::new(0.0, 1e9, 0.0)), Some(Vec3::Y));
        assert_eq!(direction(Vec3::splat(1e-12)), None);
    }
}
