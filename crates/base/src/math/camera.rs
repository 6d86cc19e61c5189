//! Camera: projections and views. Right-handed, looking down -Z, +Y up; clip space of wgpu with reversed Z: depth 1 at
//! the near plane, 0 at the far plane or at infinity. This is the place that decides it.
//!
//! In: metres and radians. Out: `clip_from_view` and `view_from_world` matrices (glam's column vectors).

use glam::{Mat4, Quat, Vec3, Vec4};

use super::ops;

/// Reversed-Z perspective: depth is `near (far - d) / (d (far - near))` at the distance d along the view axis, `near /
/// d` without a far plane.
pub fn perspective(fov_y_rad: f32, aspect: f32, near_m: f32, far_m: Option<f32>) -> Mat4 {
    let (sin, cos) = ops::sin_cos(fov_y_rad * 0.5);
    let scale = cos / sin;
    let (a, b) = match far_m {
        Some(far_m) => (near_m / (far_m - near_m), near_m * far_m / (far_m - near_m)),
        None => (0.0, near_m),
    };
    Mat4::from_cols(
        Vec4::new(scale / aspect, 0.0, 0.0, 0.0),
        Vec4::new(0.0, scale, 0.0, 0.0),
        Vec4::new(0.0, 0.0, a, -1.0),
        Vec4::new(0.0, 0.0, b, 0.0),
    )
}

/// Reversed-Z orthographic: a box of `width_m` x `height_m` about the view axis, from `near_m` to `far_m`.
pub fn orthographic(width_m: f32, height_m: f32, near_m: f32, far_m: f32) -> Mat4 {
    let depth = 1.0 / (far_m - near_m);
    Mat4::from_cols(
        Vec4::new(2.0 / width_m, 0.0, 0.0, 0.0),
        Vec4::new(0.0, 2.0 / height_m, 0.0, 0.0),
        Vec4::new(0.0, 0.0, depth, 0.0),
        Vec4::new(0.0, 0.0, far_m * depth, 1.0),
    )
}

/// The rotation that looks along `forward` (not zero) with `up` upwards; `world_from_view`. Where `up` is along
/// `forward` another is taken: Z, then X.
pub fn look_rotation(forward: Vec3, up: Vec3) -> Quat {
    let back = -forward.normalize();
    let right = [up, Vec3::Z, Vec3::X]
        .into_iter()
        .map(|up| up.normalize_or_zero().cross(back))
        .find(|right| right.length_squared() > 1e-8)
        .expect("one of two axes is not along forward")
        .normalize();
    let up = back.cross(right);
    Quat::from_mat3(&glam::Mat3::from_cols(right, up, back)).normalize()
}

/// `view_from_world` of a camera at `eye` that looks at `target` (another point).
pub fn look_at(eye: Vec3, target: Vec3, up: Vec3) -> Mat4 {
    view_from_world(eye, look_rotation(target - eye, up))
}

/// `view_from_world` of a camera at `eye`, turned by the unit quaternion `world_from_view`.
pub fn view_from_world(eye: Vec3, world_from_view: Quat) -> Mat4 {
    let view_from_world = world_from_view.conjugate();
    Mat4::from_rotation_translation(view_from_world, -(view_from_world * eye))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn depth(matrix: Mat4, distance: f32) -> f32 {
        let clip = matrix * Vec4::new(0.0, 0.0, -distance, 1.0);
        clip.z / clip.w
    }

    #[test]
    fn depth_is_reversed() {
        for (matrix, near, far) in [
            (perspective(1.0, 1.5, 0.1, Some(100.0)), 0.1, 100.0),
            (perspective(1.0, 1.5, 0.1, None), 0.1, 1e9),
            (orthographic(4.0, 2.0, 0.5, 20.0), 0.5, 20.0),
        ] {
            assert!((depth(matrix, near) - 1.0).abs() < 1e-5 && depth(matrix, far).abs() < 1e-6);
            assert!(depth(matrix, near * 2.0) > depth(matrix, near * 3.0));
        }
    }

    #[test]
    fn the_picture_s_edge_is_the_field_of_view() {
        let fov_y_rad = 0.7f32;
        let clip_from_view = perspective(fov_y_rad, 2.0, 0.1, None);
        let top = clip_from_view * Vec4::new(0.0, ops::tan(fov_y_rad * 0.5) * 3.0, -3.0, 1.0);
        assert!((top.y / top.w - 1.0).abs() < 1e-6);
        let side = clip_from_view * Vec4::new(ops::tan(fov_y_rad * 0.5) * 6.0, 0.0, -3.0, 1.0);
        assert!((side.x / side.w - 1.0).abs() < 1e-6);
        let corner = orthographic(3.0, 2.0, 0.0, 5.0);
        assert_eq!(corner * Vec4::new(1.5, -1.0, 0.0, 1.0), Vec4::new(1.0, -1.0, 1.0, 1.0));
    }

    #[test]
    fn up_along_the_view_still_gives_a_view() {
        for forward in [Vec3::Y, -Vec3::Y] {
            let view = look_rotation(forward, Vec3::Y);
            assert!((view * -Vec3::Z - forward).length() < 1e-6);
        }
        assert!((look_rotation(Vec3::Z, Vec3::Z) * Vec3::NEG_Z - Vec3::Z).length() < 1e-6);
    }

    proptest! {
        #[test]
        fn the_target_is_ahead(eye in prop::array::uniform3(-9.0f32..9.0), target in prop::array::uniform3(-9.0f32..9.0)) {
            let (eye, target) = (Vec3::from(eye), Vec3::from(target));
            prop_assume!((target - eye).length() > 0.1);
            let view = look_at(eye, target, Vec3::Y);
            let seen = view.transform_point3(target);
            prop_assert!(seen.truncate().length() < 1e-4 && (seen.z + (target - eye).length()).abs() < 1e-4);
            prop_assert!(view.transform_vector3(Vec3::Y).y > -1e-5);
            prop_assert!((view.determinant() - 1.0).abs() < 1e-5);
        }
    }
}
