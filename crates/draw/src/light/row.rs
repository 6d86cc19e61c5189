//! Row: what a kind of light is to the renderer.

use glam::Vec3;

use super::AREA;
use super::extent::Extent;
use super::map::{Rays, Wanted};
use super::piece::Piece;
use super::reach::Reach;
use super::seen::Seen;
use crate::view::ShotLight;

/// What the WGSL of a kind reads of a light.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Terms {
    /// The colour times lux where rays are parallel, candela for lamps, nits for what has an area.
    pub color: Vec3,
    /// `light.terms` and `light.more.x`: what they mean, the kind's text says.
    pub own: [f32; 4],
    pub more: f32,
}

impl Terms {
    /// A light of this strength.
    pub fn new(light: &ShotLight, strength: f32) -> Terms {
        Terms { color: Vec3::from(light.color) * strength, ..Terms::default() }
    }
}

/// How light of a kind arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// From one direction. The text has `incident_<name>(light: Light, point: vec3f) -> Incident`, and surfaces do the
    /// rest with `lobes`.
    One,
    /// From many. The text also has `leaving_<name>(s: Surface, v: vec3f, light: Light, point: vec3f) -> vec3f`: what
    /// leaves towards the eye, and `gathered_<name>(s, v, light, point) -> Incident`: all of it as from one direction,
    /// for lighting models besides glTF's. `l` of its `incident` is towards where its shadow is cast from.
    Many,
}

/// What shines, where it has a size.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// Its shape, as it looks along a direction.
    pub extent: fn(&ShotLight, Vec3) -> Extent,
    /// One of its pieces.
    pub piece: fn(&ShotLight, Piece) -> ShotLight,
}

/// A kind of light.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Of the functions in its text and of `LIGHT_<NAME>`.
    pub name: &'static str,
    pub text: &'static str,
    /// Texts that its own stands on, besides those of glTF's lights.
    pub needs: &'static [&'static str],
    pub arrival: Arrival,
    /// Whether it reads the table of lobes. The text then also has `shown_<name>(light: Light, lobe: Lobe, point:
    /// vec3f) -> Shown`.
    pub lobes: bool,
    /// Whether occlusion of the material keeps it away.
    pub occluded: bool,
    /// What it reads of `values`.
    pub values: fn(&ShotLight) -> Vec<f32>,
    pub rays: Rays,
    pub body: Body,
    pub terms: fn(&ShotLight) -> Terms,
    /// What it can light: beyond, it sends exactly 0.
    pub reach: fn(&ShotLight) -> Reach,
    /// The maps of a light that casts shadows: one, or its six sides; none where no shadow can be seen.
    pub maps: fn(light: &ShotLight, seen: &Seen) -> Vec<Wanted>,
}

impl Row {
    /// What most lamps are; a row says what is different.
    pub const LAMP: Row = Row {
        name: "",
        text: "",
        needs: &[],
        arrival: Arrival::One,
        lobes: false,
        occluded: false,
        values: |_| Vec::new(),
        rays: Rays::FromPoint,
        body: Body { extent: |_, _| Extent::default(), piece: |light, _| light.clone() },
        terms: |light| Terms::new(light, 1.0),
        reach: |_| Reach::EVERYWHERE,
        maps: |light, seen| Wanted::lamp(light.position, None, seen),
    };

    /// What lights with an area are.
    pub const AREA: Row = Row { needs: &[AREA], arrival: Arrival::Many, lobes: true, ..Row::LAMP };

    /// Its number in WGSL goes by this name.
    pub fn constant(&self) -> String {
        format!("LIGHT_{}", self.name.to_uppercase())
    }
}
