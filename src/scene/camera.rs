//! Cameras of a scene.

use glam::{Quat, Vec3};

use super::{CameraControl, Scene};
use crate::source::did_you_mean;

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

impl Scene {
    /// The camera that `name` means: one of the scene file, else of a model, which is known later.
    pub(super) fn find_camera(&self, name: &str) -> Result<CameraChoice, (String, Option<String>)> {
        if let Some(at) = self.cameras.iter().position(|c| c.name == name) {
            return Ok(CameraChoice::Scene(at));
        }
        if !self.models.is_empty() {
            return Ok(CameraChoice::ModelNamed(name.to_string()));
        }
        let names = || self.cameras.iter().map(|c| c.name.as_str());
        let near = did_you_mean(name, names()).map(|n| format!("did you mean `{n}`?"));
        let all = || names().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
        let help = near.or_else(|| (!self.cameras.is_empty()).then(|| format!("there is {}", all())));
        Err((format!("there is no camera `{name}`"), help))
    }
}
