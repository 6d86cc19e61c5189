//! Uploads: what stays on the device from one picture of a run to the next.

use std::collections::BTreeMap;

use super::environment::Surroundings;
use super::geometry::Geometries;
use super::material::Materials;
use super::pipeline::Pipelines;
use super::sky::Around;
use crate::material::Switches;

/// Geometry, materials, pipelines and light from around, each made when a picture first needs it. Things are those of one scene, at any
/// moment.
#[derive(Debug, Default)]
pub struct Uploads {
    pub(super) geometries: Geometries,
    pub(super) materials: Materials,
    pub(super) pipelines: BTreeMap<Switches, Pipelines>,
    pub(super) surroundings: Option<Surroundings>,
    /// The cube that the surroundings were prefiltered into.
    pub(super) specular: Option<wgpu::Texture>,
    pub(super) geometry_bytes: u64,
}

impl Uploads {
    /// What pictures of another scene can use too: pipelines know shaders, not things.
    pub fn for_another_scene(self) -> Uploads {
        Uploads { pipelines: self.pipelines, ..Uploads::default() }
    }

    /// Whether the cubes of `around` have been made by an earlier picture.
    pub(super) fn has_cubes_of(&self, around: &Around) -> bool {
        self.specular.is_some() && self.surroundings.as_ref().is_some_and(|made| made.around == *around)
    }
}
