//! Uploads: what stays on the device from one picture of a run to the next.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::capture::PassCapture;
use super::cast::Casts;
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
use crate::light::Bank;

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

/// What is made once for what is around or for what casts shadows, and counts until that changes.
#[derive(Debug, Default)]
pub struct Kept {
    around: Option<Around>,
    pub surroundings: Option<Arc<Surroundings>>,
    casts: Casts,
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
    /// Names of targets that an earlier picture has left, with the same surroundings or of equal casts.
    pub fn names(&self, around: Option<&Around>, casts: &Casts) -> Vec<&'static str> {
        let is_around = around.is_some() && self.around.as_ref() == around;
        let is_cast = |bank: Bank| {
            let [now, before] = [casts, &self.casts].map(|casts| casts[bank as usize].as_ref());
            now.is_some() && now == before
        };
        let names = self.targets.keys().copied();
        names.filter(|name| Bank::of(name).map_or(is_around, is_cast)).collect()
    }

    /// What is around that everything here is made for.
    pub fn around(&self) -> Option<&Around> {
        self.around.as_ref()
    }

    /// Forgets what is not for what is around now.
    pub fn fit_around(&mut self, around: Option<&Around>) {
        if self.around.as_ref() != around {
            self.around = around.cloned();
            self.surroundings = None;
            self.targets.retain(|name, _| Bank::of(name).is_some());
        }
    }

    /// Forgets maps of other casts.
    pub fn fit_casts(&mut self, casts: &Casts) {
        for bank in Bank::ALL {
            let (now, before) = (&casts[bank as usize], &mut self.casts[bank as usize]);
            if now.is_some() && now != before {
                before.clone_from(now);
                self.targets.retain(|name, _| Bank::of(name) != Some(bank));
            }
        }
    }
}
