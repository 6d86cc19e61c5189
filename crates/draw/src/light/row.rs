//! Row: what a kind of light is to the renderer.

use super::map::{Rays, Wanted};
use super::reach::Reach;
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
    pub terms: fn(&LightKind) -> Terms,
    /// What it can light: beyond, `incident` is exactly 0.
    pub reach: fn(light: &ShotLight) -> Reach,
    /// The maps of a light that casts shadows: one, or its six sides; none where no shadow can be seen.
    pub maps: fn(light: &ShotLight, seen: &Seen) -> Vec<Wanted>,
}

impl Row {
    /// Its number in WGSL goes by this name.
    pub fn constant(&self) -> String {
        format!("LIGHT_{}", self.name.to_uppercase())
    }
}
