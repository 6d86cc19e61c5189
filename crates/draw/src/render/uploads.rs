//! Uploads: what stays on the device from one picture of a run to the next.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::capture::PassCapture;
use super::environment::Surroundings;
use super::geometry::Geometries;
use super::material::Materials;
use super::pipeline::Pipelines;
use super::probe_upload::UploadedProbes;
use super::resources::Stored;
use super::shaders::Shaders;
use super::sky::{Around, Smoothest};
use super::solid::Solids;
use crate::fault::RenderFault;

/// Geometry, materials, pipelines and light from around, each made when a picture first needs it. Things are those of
/// one scene, at any moment.
#[derive(Debug)]
pub struct Uploads {
    pub(super) geometries: Geometries,
    pub(super) geometry_bytes: u64,
    pub(super) materials: Materials,
    pub(super) pipelines: Pipelines,
    pub(super) shaders: Shaders,
    pub(super) kept: Kept,
    /// Targets of the last tile, for the next one.
    pub(super) spare: Vec<wgpu::Texture>,
    pub(super) probes: Option<Arc<UploadedProbes>>,
    pub(super) smoothest: Smoothest,
    pub(super) solids: Solids,
}

/// What is made once for what is around, and counts until that changes.
#[derive(Debug, Default)]
pub struct Kept {
    around: Option<Around>,
    pub surroundings: Option<Arc<Surroundings>>,
    /// By name.
    pub targets: BTreeMap<&'static str, Stored>,
    /// Of the passes that wrote them.
    pub captures: Vec<PassCapture>,
}

impl Uploads {
    /// Nothing is made yet. `fault` is in all that will be.
    pub fn new(fault: &RenderFault) -> Uploads {
        Uploads {
            geometries: Geometries::new(),
            geometry_bytes: 0,
            materials: Materials::default(),
            pipelines: Pipelines::default(),
            shaders: Shaders::new(fault),
            kept: Kept::default(),
            spare: Vec::new(),
            probes: None,
            smoothest: Smoothest::default(),
            solids: Solids::default(),
        }
    }

    /// What pictures of another scene can use too: pipelines know shaders, not things.
    pub fn for_another_scene(self) -> Uploads {
        let fault = self.shaders.fault.clone();
        Uploads { pipelines: self.pipelines, shaders: self.shaders, ..Uploads::new(&fault) }
    }
}

impl Kept {
    /// Names of targets that an earlier picture with the same surroundings has left.
    pub fn names(&self, around: Option<&Around>) -> Vec<&'static str> {
        if around.is_none() || self.around.as_ref() != around {
            return Vec::new();
        }
        self.targets.keys().copied().collect()
    }

    /// What is around that everything here is made for.
    pub fn around(&self) -> Option<&Around> {
        self.around.as_ref()
    }

    /// Forgets everything, unless it is for what is around now.
    pub fn fit(&mut self, around: Option<&Around>) {
        if self.around.as_ref() != around {
            *self = Kept { around: around.cloned(), ..Kept::default() };
        }
    }
}
