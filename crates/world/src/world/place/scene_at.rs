//! Scene at a moment: its values as they are then, with the models that it names.
//!
//! In: a scene, its models with their proportions. Out: what every link reads, and names of parts. Never here: poses.

use std::collections::BTreeMap;
use std::path::Path;

use glam::{DVec3, Mat4};
use stillframe_base::tick::Tick;

use crate::import::{self, Model};
use crate::scene::Scene;
use crate::world::tree::upright;
use crate::world::worn::{Wear, Worn};

/// What every link reads.
#[derive(Clone, Copy)]
pub struct SceneAt<'a> {
    /// Settled, without patterns, every value as it is at `time`.
    pub scene: &'a Scene,
    pub time: Tick,
    /// By model of the scene.
    pub bodies: &'a [Body<'a>],
    /// What is worn on what.
    pub worn: &'a BTreeMap<Wear, Worn>,
}

/// A model with its proportions at a moment.
#[derive(Clone, Copy)]
pub struct Body<'a> {
    pub model: &'a Model,
    /// By node: the joint from what it moves; none where that is the joint.
    pub joints: &'a [Mat4],
}

/// By position in the scene's models, in the model's nodes, and in the node's parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    pub model: usize,
    pub node: usize,
    pub part: usize,
}

impl Part {
    pub fn of(self, model: &Model) -> import::Part {
        model.nodes[self.node].parts[self.part]
    }
}

/// A geometry as its file has it.
#[derive(Clone, Copy)]
pub struct StoredGeometry<'a> {
    pub model: &'a Model,
    pub path: &'a Path,
    /// The first model of the scene with the same file.
    pub file: usize,
    pub geometry: usize,
}

impl<'a> SceneAt<'a> {
    pub fn model(&self, model: usize) -> &'a Model {
        self.bodies[model].model
    }

    /// Turned so that what shall be up is up, and where the file says.
    pub fn node_from_model(&self, model: usize) -> Mat4 {
        let turn = self.turned(model).unwrap_or(Mat4::IDENTITY);
        self.origin(model).map_or(turn, |origin| turn * Mat4::from_translation(origin.as_vec3()))
    }

    /// What turns a model so that what shall be up is up; `None`: nothing turns.
    pub fn turned(&self, model: usize) -> Option<Mat4> {
        upright(self.scene.models[model].up, self.model(model).format.up).map(Mat4::from_quat)
    }

    /// Where the file says that a model stands that is far from its origin. A bare one is shown at the origin.
    pub fn origin(&self, model: usize) -> Option<DVec3> {
        Some(self.model(model).origin).filter(|origin| *origin != DVec3::ZERO && !self.scene.bare_model)
    }

    /// The material of a part, in the variant that the scene wears: its position in the model's list.
    pub fn material(&self, part: Part) -> usize {
        let model = self.model(part.model);
        let variant = self.scene.models[part.model].variant.as_deref().and_then(|text| model.variant(text));
        model.material_of(part.node, part.part, variant)
    }

    pub fn file_number(&self, model: usize) -> usize {
        file_number(self.scene, model)
    }

    /// The geometry of a part as its file has it.
    pub fn stored(&self, part: Part) -> StoredGeometry<'a> {
        let model = self.model(part.model);
        StoredGeometry {
            model,
            path: &self.scene.models[part.model].file,
            file: self.file_number(part.model),
            geometry: part.of(model).geometry,
        }
    }
}

/// The first model with the same file: geometry and images are shared between them.
pub fn file_number(scene: &Scene, model: usize) -> usize {
    let file = &scene.models[model].file;
    scene.models.iter().position(|own| own.file == *file).expect("it is in the list itself")
}
