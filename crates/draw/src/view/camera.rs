//! Cameras: choosing one, placing it, framing everything.

use glam::{DMat3, Mat3, Mat4, Vec3};
use stillframe_base::geom::{Aabb, Framed};
use stillframe_base::math::camera::{look_rotation, orthographic, perspective};
use stillframe_base::math::ops;

use super::{ShotCamera, ShotLens};
use crate::scene::{CameraChoice, Lens, Projection, Scene, Turn, View};
use crate::world::{World, framing};

const LOOK_NEAR_M: f32 = 0.01;

/// A camera of a scene in a world, which has gone round what it frames by some turns if it does. It is no view.
///
/// Names and numbers were settled when the world was built: they are there. `Auto` is a model's first camera, else the
/// scene's first, else one that frames everything.
pub(super) fn chosen(scene: &Scene, world: &World, choice: &CameraChoice, turns: f64) -> ShotCamera {
    let aspect = scene.output.width_px as f32 / scene.output.height_px as f32;
    let from_model = |index: usize| world.cameras.iter().filter(|c| c.from_model).nth(index);
    let chosen = match choice {
        CameraChoice::Scene(index) => world.cameras.iter().filter(|c| !c.from_model).nth(*index),
        CameraChoice::ModelNamed(name) => world.cameras.iter().find(|c| c.from_model && c.name == *name),
        CameraChoice::ModelNumber(index) => from_model(*index),
        CameraChoice::Auto => from_model(0).or(world.cameras.first()),
        CameraChoice::Frame(_) | CameraChoice::Look { .. } | CameraChoice::View(_) => None,
    };
    let camera = match (chosen, choice) {
        (Some(camera), _) => {
            let (eye, rotation) = rigid(camera.world_from_local);
            let lens = camera.lens.and_then(|lens| shot_lens(lens, camera.projection));
            let placed = place(eye, rotation, camera.projection, (camera.near_m, camera.far_m), aspect);
            ShotCamera { lens, ..placed }
        }
        (None, CameraChoice::Look { eye, target, fov_y_rad }) => look_at(*eye, *target, *fov_y_rad, aspect),
        (None, CameraChoice::Frame(view)) => frame(scene, world, *view, turns),
        (None, choice) => {
            assert!(*choice == CameraChoice::Auto, "the world has no camera {choice:?}");
            match scene.camera {
                // Nobody has measured what the camera of a view frames.
                CameraChoice::View(_) => frame_all(world.subject_bounds, aspect),
                _ => frame(scene, world, View::Auto, turns),
            }
        }
    };
    zoomed(camera, scene.output.zoom, aspect)
}

/// A camera that sees all of a world from one side: see [`View`].
fn frame(scene: &Scene, world: &World, view: View, turns: f64) -> ShotCamera {
    let framing = framing(scene, world).expect("it frames everything");
    // A world that nobody emitted has bounds alone.
    let reach = match world.subject_reach.is_empty() {
        true => framing.reach_of_bounds(world.subject_bounds),
        false => world.subject_reach,
    };
    framed(
        view,
        framing.framed(reach, Turn::sin_cos(turns)),
        scene.output.width_px as f32 / scene.output.height_px as f32,
    )
}

/// A camera that sees all of `bounds` from three quarters, as one of a picture of this shape does that frames
/// everything. Empty bounds count as a cube of two metres about the origin.
pub fn frame_all(bounds: Aabb, aspect: f32) -> ShotCamera {
    let framing = View::Auto.framing(aspect);
    framed(View::Auto, framing.framed(framing.reach_of_bounds(bounds), Turn::sin_cos(0.0)), aspect)
}

fn framed(view: View, framed: Framed, aspect: f32) -> ShotCamera {
    let rotation = DMat3::from_cols(framed.right, framed.up, framed.back).as_mat3();
    let (projection, far_m) = match (view.fov_y_rad(), framed.height_m) {
        (Some(fov_y_rad), _) => (Projection::Perspective { fov_y_rad }, None),
        (None, height_m) => {
            let height_m = height_m.expect("without perspective") as f32;
            (Projection::Orthographic { height_m }, Some(framed.far_m as f32))
        }
    };
    place(framed.eye.as_vec3(), rotation, projection, (framed.near_m as f32, far_m), aspect)
}

/// The same camera with a picture that is so much larger about its middle.
fn zoomed(camera: ShotCamera, zoom: f32, aspect: f32) -> ShotCamera {
    if zoom == 1.0 {
        return camera;
    }
    let projection = match camera.projection {
        Projection::Perspective { fov_y_rad } => {
            Projection::Perspective { fov_y_rad: 2.0 * ops::atan(ops::tan(fov_y_rad * 0.5) / zoom) }
        }
        Projection::Orthographic { height_m } => Projection::Orthographic { height_m: height_m / zoom },
    };
    let clip_from_view = clip_from_view(projection, camera.near_m, camera.far_m, aspect);
    ShotCamera { projection, clip_from_view, ..camera }
}

/// Where each face of a cube looks, and what is above there: +X -X +Y -Y +Z -Z.
pub const CUBE_FACES: [(Vec3, Vec3); 6] = [
    (Vec3::X, Vec3::Y),
    (Vec3::NEG_X, Vec3::Y),
    (Vec3::Y, Vec3::NEG_Z),
    (Vec3::NEG_Y, Vec3::Z),
    (Vec3::Z, Vec3::Y),
    (Vec3::NEG_Z, Vec3::Y),
];

/// Six cameras at a point, one a face of a cube in the order +X -X +Y -Y +Z -Z of these axes. Their pictures are the
/// faces as cube textures have them, left and right exchanged: a cube is seen from inside.
pub fn cube_cameras(eye: Vec3, axes: Mat3, near_m: f32, far_m: Option<f32>) -> [ShotCamera; 6] {
    CUBE_FACES.map(|(forward, up)| {
        let rotation = axes * Mat3::from_cols(forward.cross(up), up, -forward);
        let projection = Projection::Perspective { fov_y_rad: std::f32::consts::FRAC_PI_2 };
        place(eye, rotation, projection, (near_m, far_m), 1.0)
    })
}

fn look_at(eye: Vec3, target: Vec3, fov_y_rad: f32, aspect: f32) -> ShotCamera {
    let forward = target - eye;
    let forward = if forward.length_squared() > 0.0 { forward } else { Vec3::NEG_Z };
    let rotation = Mat3::from_quat(look_rotation(forward, Vec3::Y));
    place(eye, rotation, Projection::Perspective { fov_y_rad }, (LOOK_NEAR_M, None), aspect)
}

/// A lens of a camera's focal length, which zooming does not change: that is a larger picture of the same.
fn shot_lens(lens: Lens, projection: Projection) -> Option<ShotLens> {
    let Projection::Perspective { fov_y_rad } = projection else { return None };
    Some(ShotLens { diameter_m: lens.diameter_m(fov_y_rad), focus_m: lens.focus_m })
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

pub(super) fn place(
    position: Vec3,
    rotation: Mat3,
    projection: Projection,
    (near_m, far_m): (f32, Option<f32>),
    aspect: f32,
) -> ShotCamera {
    let view_from_world = Mat4::from_mat3(rotation.transpose()) * Mat4::from_translation(-position);
    let clip_from_view = clip_from_view(projection, near_m, far_m, aspect);
    ShotCamera { view_from_world, clip_from_view, position, projection, lens: None, near_m, far_m, clip_plane: None }
}

fn clip_from_view(projection: Projection, near_m: f32, far_m: Option<f32>, aspect: f32) -> Mat4 {
    match projection {
        Projection::Perspective { fov_y_rad } => perspective(fov_y_rad, aspect, near_m, far_m),
        Projection::Orthographic { height_m } => {
            orthographic(height_m * aspect, height_m, near_m, far_m.unwrap_or(near_m + ORTHOGRAPHIC_DEPTH_M))
        }
    }
}

/// How far an orthographic camera sees when nobody said.
const ORTHOGRAPHIC_DEPTH_M: f32 = 1000.0;
