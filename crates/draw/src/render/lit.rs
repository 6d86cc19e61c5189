//! Lit: what lights one camera's items.

use super::caps::Caps;
use super::job::Look;
use super::sky::Around;
use crate::asset::Store;
use crate::light::{Maps, maps};
use crate::material::Switches;

#[derive(Clone, Debug, PartialEq)]
pub struct Lit {
    pub maps: Maps,
    pub switches: Switches,
}

/// Fits the maps of a shot's lights; nothing is lit where every item in sight shines by itself.
pub fn lit(look: &Look<'_>, store: &Store, around: Option<&Around>, caps: &Caps) -> Lit {
    let Look { shot, output, .. } = *look;
    let any_lit = shot.opaque.iter().chain(&shot.blended).any(|item| !store.material(item.material).unlit);
    let maps =
        if any_lit { maps(shot, store, [output.width_px, output.height_px], caps.layers_max) } else { Maps::default() };
    let switches = Switches {
        lights: !shot.lights.is_empty(),
        shadows: !maps.views.is_empty(),
        environment: any_lit && around.is_some_and(|around| around.intensity > 0.0),
    };
    Lit { maps, switches }
}
