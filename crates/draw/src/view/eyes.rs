//! Eyes: from where the picture of a scene is seen: by its camera, reflected by a mirror, by two eyes, or in all six
//! directions of a cube.
//!
//! In: a scene and its world. Out: cameras. Never here: what they see.

use glam::{DMat4, Mat3, Mat4, Vec3};

use super::ShotCamera;
use super::camera::{chosen, cube_cameras};
use super::matrix::product;
use crate::scene::{CameraChoice, Projection, Scene, Surround, ViewKind, direction};
use crate::world::World;

/// The camera of a scene in a world; of several eyes the first.
pub fn shot_camera(scene: &Scene, world: &World, turns: f64) -> ShotCamera {
    eyes(scene, world, turns).swap_remove(0)
}

/// The cameras of a scene's picture in a world: one, two of `stereo` from the left, or six of `cube` and `panorama` in
/// the order of [`cube_cameras`]. `turns`: how far they have gone round what they frame, if they do.
pub fn eyes(scene: &Scene, world: &World, turns: f64) -> Vec<ShotCamera> {
    let CameraChoice::View(at) = scene.camera else { return vec![chosen(scene, world, &scene.camera, turns)] };
    let view = &scene.views[at];
    let looking = || chosen(scene, world, &view.camera, turns);
    match view.kind {
        ViewKind::Camera => vec![looking()],
        ViewKind::Mirror { position, normal } => vec![reflected(&looking(), position, normal)],
        ViewKind::Cube(around) | ViewKind::Panorama(around) => {
            let Surround { placement, near_m, far_m } = around;
            cube_cameras(placement.position, Mat3::from_quat(placement.rotation), near_m, far_m).to_vec()
        }
        ViewKind::Stereo { eye_distance_m, convergence_m } => {
            let half_m = 0.5 * eye_distance_m;
            [-half_m, half_m].map(|right_m| beside(&looking(), right_m, convergence_m)).to_vec()
        }
    }
}

/// What a camera sees in a flat mirror, a plane by a point and its normal of any length: the same pixels show the
/// mirror and what is seen in it. It reflects the side that the camera is on.
pub fn reflected(camera: &ShotCamera, point: Vec3, normal: Vec3) -> ShotCamera {
    // One without length is only met between keys.
    let normal = direction(normal).unwrap_or(Vec3::Y);
    let [n, point] = [normal, point].map(Vec3::as_dvec3);
    let side = if n.dot(camera.position.as_dvec3() - point) < 0.0 { -1.0 } else { 1.0 };
    let n = n * side;
    let offset = n.dot(point);
    let column = |axis: glam::DVec3, w: f64| (axis - n * (2.0 * (n.dot(axis) - w * offset))).extend(w);
    let [x, y, z] = glam::DMat3::IDENTITY.to_cols_array_2d().map(|axis| column(axis.into(), 0.0));
    let reflection = DMat4::from_cols(x, y, z, column(glam::DVec3::ZERO, 1.0));
    ShotCamera {
        view_from_world: product(camera.view_from_world, reflection.as_mat4()),
        position: reflection.transform_point3(camera.position.as_dvec3()).as_vec3(),
        clip_plane: Some(n.extend(-offset).as_vec4()),
        ..camera.clone()
    }
}

/// The same camera so far to its right, looking in the same direction. What is at the distance `convergence_m` stays
/// where it was in the picture.
fn beside(camera: &ShotCamera, right_m: f32, convergence_m: Option<f32>) -> ShotCamera {
    let right = camera.view_from_world.row(0).truncate();
    let move_eye = Mat4::from_translation(Vec3::new(-right_m, 0.0, 0.0));
    let shift = convergence_m.map_or(0.0, |convergence_m| match camera.projection {
        Projection::Perspective { .. } => right_m / convergence_m,
        // All distances are alike.
        Projection::Orthographic { .. } => right_m,
    });
    let mut clip_from_view = camera.clip_from_view;
    if shift != 0.0 {
        let moved = clip_from_view.x_axis.x * shift;
        // x of clip space grows by so many w.
        for column in [0, 1, 2, 3] {
            let w = clip_from_view.col(column).w;
            clip_from_view.col_mut(column).x += moved * w;
        }
    }
    ShotCamera {
        view_from_world: product(move_eye, camera.view_from_world),
        clip_from_view,
        position: camera.position + right * right_m,
        ..camera.clone()
    }
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec4};
    use stillframe_base::math::camera::{look_at, orthographic, perspective};

    use super::super::matrix::inverse;
    use super::*;

    fn camera(clip_from_view: Mat4, projection: Projection, far_m: Option<f32>) -> ShotCamera {
        let position = Vec3::new(1.0, 2.0, 3.0);
        ShotCamera {
            view_from_world: look_at(position, Vec3::new(0.0, 0.3, -1.0), Vec3::Y),
            clip_from_view,
            position,
            projection,
            near_m: 0.1,
            far_m,
            clip_plane: None,
            lens: None,
        }
    }

    fn cameras() -> [ShotCamera; 3] {
        let fov_y_rad = 0.9;
        let perspective_of =
            |far_m| camera(perspective(fov_y_rad, 1.5, 0.1, far_m), Projection::Perspective { fov_y_rad }, far_m);
        let parallel = orthographic(6.0, 4.0, 0.1, 50.0);
        [
            perspective_of(None),
            perspective_of(Some(50.0)),
            camera(parallel, Projection::Orthographic { height_m: 4.0 }, Some(50.0)),
        ]
    }

    fn drawn(camera: &ShotCamera, point: Vec3) -> Vec4 {
        product(camera.drawn_from_view(), camera.view_from_world) * point.extend(1.0)
    }

    /// A mirror shows a point where its reflection would be seen. The near plane is the mirror; everything in front of
    /// it that the frustum holds is between near and far.
    #[test]
    fn mirrors_reflect_and_end_at_their_plane() {
        let (point, normal) = (Vec3::new(0.2, -0.5, -0.3), (Quat::from_rotation_z(0.3) * Vec3::Y).normalize());
        for camera in cameras() {
            let mirror = reflected(&camera, point, normal);
            let across = normal.any_orthonormal_vector();
            let mut seen = 0;
            for step in 0..400_u32 {
                let [u, v, h] = [7, 11, 13].map(|k| ((step * k) % 41) as f32 / 41.0);
                let foot = point + across * (u * 4.0 - 2.0) + normal.cross(across) * (v * 4.0 - 2.0);
                let height_m = h * 3.0 - 1.0;
                let (above, below) = (foot + normal * height_m, foot - normal * height_m);
                let in_mirror = drawn(&mirror, above);
                let direct = drawn(&camera, below);
                assert!((in_mirror.x - direct.x).abs() < 1e-4 && (in_mirror.y - direct.y).abs() < 1e-4, "{above}");
                assert!((in_mirror.w - direct.w).abs() < 1e-4, "{above}");
                let is_inside = direct.w > 0.1 && direct.x.abs() < direct.w && direct.y.abs() < direct.w;
                if !is_inside || height_m.abs() < 1e-3 {
                    continue;
                }
                seen += 1;
                // Reversed: nearer than the near plane is more than 1.
                assert_eq!(in_mirror.z < in_mirror.w, height_m > 0.0, "{in_mirror} at {height_m}");
                assert!(in_mirror.z > -1e-5, "{in_mirror} at {height_m}");
            }
            assert!(seen > 50, "{seen}");
            assert!(glam::Mat3::from_mat4(mirror.view_from_world).determinant() < 0.0);
        }
    }

    #[test]
    fn a_mirror_has_two_sides() {
        let [camera, ..] = cameras();
        let (one, other) = (reflected(&camera, Vec3::ZERO, Vec3::Y), reflected(&camera, Vec3::ZERO, Vec3::NEG_Y));
        assert_eq!(one, other);
    }

    /// What is at the distance of convergence is at the same place for both eyes, what is nearer crosses over.
    #[test]
    fn eyes_converge() {
        let [camera, ..] = cameras();
        let world_from_view = inverse(camera.view_from_world);
        let across = |eye: &ShotCamera, depth_m: f32| {
            let point = world_from_view.transform_point3(Vec3::new(0.3, -0.2, -depth_m));
            let clip = drawn(eye, point);
            clip.x / clip.w
        };
        let [left, right] = [-0.1, 0.1].map(|right_m| beside(&camera, right_m, Some(2.0)));
        assert!((across(&left, 2.0) - across(&camera, 2.0)).abs() < 1e-6);
        assert!((across(&left, 2.0) - across(&right, 2.0)).abs() < 1e-6);
        assert!(across(&left, 1.0) > across(&right, 1.0) && across(&left, 4.0) < across(&right, 4.0));
        let [left, right] = [-0.1, 0.1].map(|right_m| beside(&camera, right_m, None));
        assert!(across(&left, 1000.0) - across(&right, 1000.0) < 1e-3);
        assert!(across(&left, 2.0) > across(&right, 2.0));
    }
}
