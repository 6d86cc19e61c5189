//! Lit: what lights one camera's items.

use super::caps::Caps;
use super::cast::{Cast, Casts};
use super::chain::Chain;
use super::job::{Job, Look};
use super::sky::Around;
use crate::asset::{Store, scatters, transmits};
use crate::fault::{RenderFault, StateEdit};
use crate::light::{self, Kinds, Maps, Techniques, TileGrid, TileInputs, clusters, maps, tile_inputs};
use crate::material::Switches;
use crate::scene::{Asks, Output, Shading, ShadowFit, Sums};
use crate::view::Shot;

#[derive(Clone, Debug, PartialEq)]
pub struct Lit {
    pub maps: Maps,
    /// What the maps of each array are drawn from.
    pub casts: Casts,
    pub switches: Switches,
    /// Empty where pixels ask other lights than those of clusters.
    pub clusters: Vec<u32>,
    /// What lists of tiles are made from, where pixels ask them.
    pub tiles: Option<TileInputs>,
    /// Light is added up first.
    pub sums: Option<Sums>,
    /// Something in sight shows what is behind it, or reflects what is in sight.
    pub transmits: bool,
    /// What is lit reflects what is in sight, where it is smoother than this.
    pub mirrors: Option<f32>,
    /// Light that enters something in sight leaves it elsewhere.
    pub scatters: bool,
}

impl Lit {
    /// Whether samples are drawn one after the other: light that enters surfaces is gathered from pixels of one sample.
    pub fn is_by_sample(&self, output: &Output) -> bool {
        output.shading() == Shading::Sample || self.scatters && output.samples > 1
    }
}

/// Fits the maps of a shot's lights; nothing is lit where every item in sight shines by itself, and no effect reads
/// lights.
/// `chain`: its effects.
pub fn lit(
    look: &Look<'_>,
    job: &Job<'_>,
    (around, chain): (Option<&Around>, &Chain),
    caps: &Caps,
    fault: &RenderFault,
) -> Lit {
    let (Look { shot, output, .. }, store) = (*look, job.store);
    let seen = || shot.opaque.iter().chain(&shot.blended).map(|item| store.material(item.material));
    let any_lit = seen().any(|material| !material.unlit);
    let air_m = chain.air_m();
    let is_read = any_lit || air_m.is_some();
    let maps = if is_read { shadow_maps((look, air_m), store, caps, fault) } else { Maps::default() };
    let casts = Cast::all(&maps, shot, store);
    let transmits = seen().any(transmits);
    let is_around = any_lit && around.is_some_and(|around| around.intensity > 0.0 || job.probes.is_some());
    let reflection = chain.reflection.as_ref().filter(|_| is_around);
    let mirrors = reflection.map(|(values, _)| values.number("roughness_max"));
    let transmits = transmits || mirrors.is_some();
    let switches = Switches {
        lights: !shot.lights.is_empty(),
        shadows: !maps.views.is_empty(),
        techniques: Techniques::of_maps(&maps.views),
        asks: asks(shot, job, transmits),
        behind: false,
        sums: None,
        subsurface: false,
        environment: is_around,
        occluded: false,
        reflects: false,
        probes: any_lit && job.probes.is_some(),
        kinds: Kinds::of(shot.lights.iter().map(|light| light::number(&light.kind)))
            .with_functions(!shot.functions.is_empty()),
    };
    let is_read = switches.environment || switches.kinds.reads_occlusion();
    let switches = Switches { occluded: is_read && chain.occlusion_count > 0, ..switches };
    let size_px = [output.width_px, output.height_px];
    let sums = job.options.lighting.row().sums.filter(|_| switches.lights && !transmits);
    let tiles = TileGrid::new(size_px, shot.lights.len() as u32);
    let tiles = (switches.asks == Asks::Tiles).then(|| tile_inputs(shot, tiles));
    let clusters = if switches.asks == Asks::Clusters { clusters(shot, size_px) } else { Vec::new() };
    let is_lit = switches.lights || switches.environment;
    let scatters = is_lit && shot.opaque.iter().any(|item| scatters(store.material(item.material)));
    Lit { maps, casts, switches, clusters, tiles, sums, transmits, mirrors, scatters }
}

/// Which lights a pixel asks. What shows what is behind it is drawn forward, whatever the method: nothing makes tiles.
fn asks(shot: &Shot, job: &Job<'_>, transmits: bool) -> Asks {
    match job.options.lighting.row().asks {
        _ if shot.lights.is_empty() => Asks::All,
        Asks::Tiles if transmits => Asks::All,
        asks => asks,
    }
}

fn shadow_maps((look, air_m): (&Look<'_>, Option<f32>), store: &Store, caps: &Caps, fault: &RenderFault) -> Maps {
    let Look { shot, output, sights, .. } = *look;
    // As for a picture of one pixel.
    let coarse = fault.has(StateEdit::ShadowCoarse);
    let size_px = if coarse { [1; 2] } else { [output.width_px, output.height_px] };
    if fault.has(StateEdit::ShadowFitItself) {
        // Nothing that is seen is known as the caster that it is.
        let mut strange = shot.clone();
        strange.casters.iter_mut().chain(&mut strange.veils).for_each(|caster| caster.object_id = u32::MAX);
        return maps(&strange, store, (size_px, caps.layers_max), (sights, air_m));
    }
    if fault.has(StateEdit::ShadowFitBounds) {
        let mut bounded = shot.clone();
        bounded.lights.iter_mut().flat_map(|light| &mut light.shadow).for_each(|shadow| shadow.fit = ShadowFit::Tight);
        return maps(&bounded, store, (size_px, caps.layers_max), (None, air_m));
    }
    maps(shot, store, (size_px, caps.layers_max), (sights, air_m))
}
