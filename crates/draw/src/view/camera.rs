//! Cameras: choosing one, placing it, framing everything.

use glam::{Mat3, Mat4, Vec3};
use stillframe_base::geom::Aabb;
use stillframe_base::math::camera::{look_rotation, orthographic, perspective};
use stillframe_base::math::ops;

use super::ShotCamera;
use crate::scene::{CameraChoice, Projection};
use crate::world::World;

/// Vertical field of view of a camera that nobody described.
const FOV_Y_RAD: f32 = std::f32::consts::FRAC_PI_4;

/// From where everything is framed: three quarters from the front, a little above.
const FRAME_FROM: Vec3 = Vec3::new(0.5, 0.42, 1.0);

/// Share of the picture that the framed bounds may fill.
const FRAME_FILL: f32 = 0.9;

/// The nearest plane of a framing camera, as a share of its distance.
const FRAME_NEAR: f32 = 0.01;

const LOOK_NEAR_M: f32 = 0.01;

/// The camera that `choice` names, for a picture of this shape.
///
/// Names and numbers were settled when the world was built: they are there. `Auto` is a model's first camera, else the
/// scene's first, else one that frames everything ([`frame_all`]).
pub fn shot_camera(choice: &CameraChoice, world: &World, aspect: f32) -> ShotCamera {
    let from_model = |index: usize| world.cameras.iter().filter(|c| c.from_model).nth(index);
    let chosen = match choice {
        CameraChoice::Scene(index) => world.cameras.iter().filter(|c| !c.from_model).nth(*index),
        CameraChoice::ModelNamed(name) => world.cameras.iter().find(|c| c.from_model && c.name == *name),
        CameraChoice::ModelNumber(index) => from_model(*index),
        CameraChoice::Auto => from_model(0).or(world.cameras.first()),
        CameraChoice::Look { eye, target, fov_y_rad } => {
            return look_at(*eye, *target, *fov_y_rad, LOOK_NEAR_M, aspect);
        }
    };
    match chosen {
        Some(camera) => {
            let (eye, rotation) = rigid(camera.world_from_local);
            place(eye, rotation, camera.projection, camera.near_m, camera.far_m, aspect)
        }
        None => {
            assert!(*choice == CameraChoice::Auto, "the world has no camera {choice:?}");
            frame_all(world.subject_bounds, aspect)
        }
    }
}

/// A camera that sees all of `bounds`: 45 degrees high, from the direction (0.5, 0.42, 1), at the distance where the
/// corners just fill nine tenths of the picture. Empty bounds count as a cube of two metres about the origin.
pub fn frame_all(bounds: Aabb, aspect: f32) -> ShotCamera {
    let bounds = if bounds.is_empty() { Aabb::new(Vec3::NEG_ONE, Vec3::ONE) } else { bounds };
    let center = bounds.center();
    let half = bounds.half_size().max(Vec3::splat(1e-6));
    let back = FRAME_FROM.normalize();
    let right = Vec3::Y.cross(back).normalize();
    let up = back.cross(right);
    let (sin, cos) = ops::sin_cos(FOV_Y_RAD * 0.5);
    let tan_y = sin / cos * FRAME_FILL;
    let tan_x = tan_y * aspect;
    let mut distance = 0.0_f32;
    for corner in Aabb::new(-half, half).corners() {
        let (x, y, z) = (corner.dot(right).abs(), corner.dot(up).abs(), corner.dot(back));
        distance = distance.max(z + x / tan_x).max(z + y / tan_y);
    }
    look_at(center + back * distance, center, FOV_Y_RAD, distance * FRAME_NEAR, aspect)
}

fn look_at(eye: Vec3, target: Vec3, fov_y_rad: f32, near_m: f32, aspect: f32) -> ShotCamera {
    let forward = target - eye;
    let forward = if forward.length_squared() > 0.0 { forward } else { Vec3::NEG_Z };
    let rotation = Mat3::from_quat(look_rotation(forward, Vec3::Y));
    place(eye, rotation, Projection::Perspective { fov_y_rad }, near_m, None, aspect)
}

/// Position and rotation of a transform, its scale and shear left out.
fn rigid(world_from_local: Mat4) -> (Vec3, Mat3) {
    let position = world_from_local.w_axis.truncate();
    let back = world_from_local.z_axis.truncate().normalize_or(Vec3::Z);
    let right = world_from_local.y_axis.truncate().cross(back);
    let rotation = if right.length_squared() > 0.0 {
        let right = right.normalize();
        Mat3::from_cols(right, back.cross(right), back)
    } else {
        Mat3::from_quat(look_rotation(-back, Vec3::Y))
    };
    (position, rotation)
}

fn place(
    position: Vec3,
    rotation: Mat3,
    projection: Projection,
    near_m: f32,
    far_m: Option<f32>,
    aspect: f32,
) -> ShotCamera {
    let view_from_world = Mat4::from_mat3(rotation.transpose()) * Mat4::from_translation(-position);
    let clip_from_view = match projection {
        Projection::Perspective { fov_y_rad } => perspective(fov_y_rad, aspect, near_m, far_m),
        Projection::Orthographic { height_m } => {
            orthographic(height_m * aspect, height_m, near_m, far_m.unwrap_or(near_m + ORTHOGRAPHIC_DEPTH_M))
        }
    };
    ShotCamera { view_from_world, clip_from_view, position, projection, near_m, far_m }
}

/// How far an orthographic camera sees when nobody said.
const ORTHOGRAPHIC_DEPTH_M: f32 = 1000.0;
