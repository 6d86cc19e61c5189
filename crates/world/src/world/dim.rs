//! Dim: lights of a model's file that leave everything dark.
//!
//! Files hold lamps in units of their programs, and some say next to nothing in ours. A picture that they leave black
//! without a word looks like a bug of the renderer.

use std::path::Path;

use glam::Vec3;
use stillframe_base::geom::Aabb;
use stillframe_base::math::ops;

use super::{Item, Origin, World, WorldLight, code};
use crate::asset::Material;
use crate::scene::{EnvironmentSource, LightKind, Scene};
use crate::source::Diagnostic;

/// With less light than this a white matte surface shows under a hundredth of what the studio's key light makes of it.
const DARK_LUX: f32 = 0.026;
/// Lights that are named.
const NAMED_MAX: usize = 4;

/// A warning if the lights of model files are all there is, and nothing gets more than [`DARK_LUX`] of them. `file` is
/// the model's.
pub fn dim_lights(scene: &Scene, world: &World, file: &Path) -> Option<Diagnostic> {
    let lit_otherwise = scene.environment.source != EnvironmentSource::None;
    if world.lights.is_empty() || lit_otherwise || world.lights.iter().any(|light| !light.from_model) {
        return None;
    }
    let subject = world.items.iter().filter(|item| !matches!(item.origin, Origin::Ground { .. }));
    let dark_lux = DARK_LUX / ops::exp2(scene.output.exposure_ev);
    for item in subject {
        let lux: f32 = world.lights.iter().map(|light| lux_at_most(light, item)).sum();
        if lux > dark_lux || glows(world.store.material(item.material)) {
            return None;
        }
    }
    let mut named: Vec<String> = world.lights.iter().take(NAMED_MAX).map(in_words).collect();
    if world.lights.len() > NAMED_MAX {
        named.push(format!("{} more", world.lights.len() - NAMED_MAX));
    }
    let message = format!("the lights of the file leave everything dark: {}", named.join(", "));
    let help = "`--lights studio` shows it under studio lights; `--exposure EV` makes it brighter";
    Some(Diagnostic::warning(code::DARK, file, message).help(help))
}

/// What an item gets of a light where its box is nearest to it.
fn lux_at_most(light: &WorldLight, item: &Item) -> f32 {
    let color = light.color.iter().copied().fold(0.0, f32::max);
    color
        * match light.kind {
            LightKind::Directional { illuminance_lux, .. } => illuminance_lux,
            LightKind::Point { intensity_cd, .. } | LightKind::Spot { intensity_cd, .. } => {
                let distance_m = distance_m(item.bounds, light.world_from_local.w_axis.truncate());
                intensity_cd / (distance_m * distance_m).max(f32::MIN_POSITIVE)
            }
            // No file of a model has such a light.
            _ => f32::INFINITY,
        }
}

/// From a point to the nearest one of a box's surface.
fn distance_m(bounds: Aabb, point: Vec3) -> f32 {
    let outside_m = point.distance(point.clamp(bounds.min, bounds.max));
    let inside_m = (point - bounds.min).min(bounds.max - point).min_element().max(0.0);
    outside_m.max(inside_m)
}

fn glows(material: &Material) -> bool {
    let shines = material.unlit || material.lighting.model.row().needs.shines;
    shines || material.emissive.iter().any(|channel| *channel > 0.0)
}

fn in_words(light: &WorldLight) -> String {
    let name = &light.name;
    match light.kind {
        LightKind::Directional { illuminance_lux, .. } => format!("{name:?} (directional, {illuminance_lux:.1e} lux)"),
        LightKind::Point { intensity_cd, .. } => format!("{name:?} (point, {intensity_cd:.1e} cd)"),
        LightKind::Spot { intensity_cd, .. } => format!("{name:?} (spot, {intensity_cd:.1e} cd)"),
        _ => format!("{name:?}"),
    }
}
