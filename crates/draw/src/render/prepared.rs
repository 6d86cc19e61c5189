//! Prepared: a job thought through, and what rows of passes see of it while they declare.

use std::collections::BTreeSet;

use super::caps::Caps;
use super::cast::Cast;
use super::chain::Chain;
use super::job::Job;
use super::lit::Lit;
use super::object::Objects;
use super::shade::Shade;
use super::sky::Around;
use crate::frame::{Eye, Life, Plan, ViewId};
use crate::light::{Bank, MAP_LAYER};

/// What rows know while they declare their passes.
#[derive(Debug)]
pub struct Wish<'a> {
    pub job: &'a Job<'a>,
    /// What the device can do.
    pub caps: &'a Caps,
    /// By camera.
    pub lit: &'a [Lit],
    /// Effects, by camera.
    pub chains: &'a [Chain],
    /// `None` where nothing comes from around.
    pub around: Option<&'a Around>,
    /// Names of targets that an earlier picture of the sitting has left: with the same around, or of equal casts.
    pub left: &'a [&'static str],
}

impl Wish<'_> {
    /// What is around, where any camera's items are lit by it, or it is seen blurred.
    pub fn shining(&self) -> Option<&Around> {
        self.around.filter(|around| around.blur > 0.0 || self.lit.iter().any(|lit| lit.switches.environment))
    }

    /// The same, where its reflections are mixed from blurs.
    pub fn blurred(&self) -> Option<&Around> {
        self.shining().filter(|around| around.directions == 0 && !around.ladder().is_single())
    }

    /// How long a target counts that depends on what is around alone. It stays for later pictures. All such targets are
    /// made again where somebody wants to see one of them.
    pub fn life(&self, name: &str) -> Life {
        let is_looked_at = self.left.iter().any(|kind| self.wants(kind));
        if self.left.contains(&name) && !is_looked_at { Life::Earlier } else { Life::Sitting }
    }

    /// An earlier camera whose maps in an array are those of a camera.
    pub fn lender(&self, camera: ViewId, bank: Bank) -> Option<ViewId> {
        let cast = |camera: usize| self.lit[camera].casts[bank as usize].as_ref();
        (0..camera.0).find(|other| cast(*other).is_some() && cast(*other) == cast(camera.0)).map(ViewId)
    }

    /// How long a target of maps counts: the first camera's stay for later pictures. They are made again where somebody
    /// wants to see them.
    pub fn map_life(&self, camera: ViewId, bank: Bank, name: &str) -> Life {
        let lasts = self.lit[camera.0].casts[bank as usize].as_ref().is_some_and(Cast::lasts);
        match camera.0 == 0 && lasts {
            true if self.left.contains(&name) && !self.wants(MAP_LAYER) => Life::Earlier,
            true => Life::Sitting,
            false => Life::Picture,
        }
    }

    /// Whether a layer of this kind is wanted: `shadow` of `shadow.3`.
    pub fn wants(&self, kind: &str) -> bool {
        let names = self.job.looks.iter().flat_map(|look| look.layers);
        names.into_iter().any(|name| name.split('.').next() == Some(kind))
    }
}

/// A job thought through.
#[derive(Clone, Debug, PartialEq)]
pub struct Prepared {
    pub plan: Plan,
    /// By camera.
    pub(super) lit: Vec<Lit>,
    /// By camera.
    pub(super) chains: Vec<Chain>,
    pub(super) around: Option<Around>,
    pub(super) objects: Objects,
    /// By camera: what shades stored surfaces.
    pub(super) shades: Vec<Vec<Shade>>,
}

impl Prepared {
    pub fn shadow_map_count(&self) -> u32 {
        let views: BTreeSet<ViewId> = self.plan.passes.iter().filter_map(|pass| pass.view).collect();
        views.into_iter().filter(|view| self.is_map(*view)).count() as u32
    }

    fn is_map(&self, view: ViewId) -> bool {
        matches!(self.plan.views[view.0].eye, Eye::Map { .. })
    }
}
