//! Cameras of a scene.

use glam::{Quat, Vec3};

use super::CameraControl;

/// Where a camera without perspective ends, if nothing else is said.
pub(super) const ORTHOGRAPHIC_FAR_M: f32 = 1000.0;

/// Looks along its local -Z with +Y up.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    pub name: String,
    pub position: Vec3,
    pub rotation: Quat,
    pub projection: Projection,
    pub near_m: f32,
    /// `None`: infinitely far (reversed-Z).
    pub far_m: Option<f32>,
    /// What steers it from its start; position and rotation are then those of the scene's moment.
    pub control: Option<CameraControl>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Projection {
    Perspective { fov_y_rad: f32 },
    Orthographic { height_m: f32 },
}

/// Which camera makes the picture.
#[derive(Clone, Debug, PartialEq)]
pub enum CameraChoice {
    /// A camera of the scene file, by position in `Scene::cameras`.
    Scene(usize),
    /// A camera inside a model, by name or number; found when the model is loaded.
    ModelNamed(String),
    ModelNumber(usize),
    /// A model's first camera, else one that frames everything.
    Auto,
    /// `--look EYE:TARGET[:FOV]`.
    Look {
        eye: Vec3,
        target: Vec3,
        fov_y_rad: f32,
    },
}
