//! Directional: parallel light from far away. One map, fitted to what the camera sees.

use super::fit::fit_directional;
use super::map::{MapView, Rays};
use super::row::{Row, Terms};
use super::seen::Seen;
use crate::scene::LightKind;
use crate::view::ShotLight;

pub const ROW: Row = Row {
    name: "directional",
    text: include_str!("directional.wgsl"),
    rays: Rays::Parallel,
    map_count: 1,
    terms,
    maps,
};

fn terms(kind: &LightKind) -> Terms {
    let LightKind::Directional { illuminance_lux } = *kind else { unreachable!("it is of this row") };
    Terms { strength: illuminance_lux, own: [0.0; 4] }
}

fn maps(light: &ShotLight, seen: &Seen, size_px: u32, layer: u32) -> Vec<MapView> {
    let fitted = fit_directional(light.direction, &seen.volume, &seen.receivers, &seen.casters, size_px);
    let rays = Rays::Parallel;
    let view = |(clip_from_world, texel)| MapView { clip_from_world, texel_m: [texel, 0.0], layer, rays };
    fitted.map(view).into_iter().collect()
}
