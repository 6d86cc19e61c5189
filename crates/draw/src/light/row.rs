//! Row: what a kind of light is to the renderer.

use super::map::{MapView, Rays};
use super::seen::Seen;
use crate::scene::LightKind;
use crate::view::ShotLight;

/// What the WGSL of a kind reads of a light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    /// Multiplies the colour: lux where rays are parallel, else candela.
    pub strength: f32,
    /// `light.terms`: what they mean, the kind's text says.
    pub own: [f32; 4],
}

/// A kind of light.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Of `incident_<name>` in its text and of `LIGHT_<NAME>`.
    pub name: &'static str,
    /// WGSL: `fn incident_<name>(light: Light, point: vec3f) -> Incident`.
    pub text: &'static str,
    pub rays: Rays,
    /// Depth maps of a light that casts shadows: 1, or 6 around it in the order +X -X +Y -Y +Z -Z.
    pub map_count: u32,
    pub terms: fn(&LightKind) -> Terms,
    /// Its maps, `size_px` wide, in layers from `first_layer` on; none where no shadow can be seen.
    pub maps: fn(light: &ShotLight, seen: &Seen, size_px: u32, first_layer: u32) -> Vec<MapView>,
}

impl Row {
    /// Its number in WGSL goes by this name.
    pub fn constant(&self) -> String {
        format!("LIGHT_{}", self.name.to_uppercase())
    }
}
