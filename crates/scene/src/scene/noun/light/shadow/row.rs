//! Row: what a technique of shadows is.

use super::super::LightKind;
use super::OWN_MAX;
use crate::scene::schema::Row;

/// A technique of shadows.
#[derive(Clone, Copy, Debug)]
pub struct ShadowRow {
    /// The word of scene files, and of its functions in WGSL.
    pub name: &'static str,
    pub doc: &'static str,
    /// What share of the light arrives, in the words of docs/shadows.md.
    pub formula: &'static str,
    pub source: &'static str,
    pub serves: Serves,
    pub layout: MapLayout,
    pub reads: ShadowReads,
    /// How far from a point it reads, in texels.
    pub reach_texels: f32,
    /// Its own keys, numbers all of them; at most `OWN_MAX`.
    pub keys: &'static [Row],
    /// Which keys, in their order, the light itself answers where they are not written: they hold `OF_LIGHT`.
    pub of_light: fn(&LightKind) -> [bool; OWN_MAX],
    /// Along the normal and towards the light, where nothing else is written.
    pub offset_texels: [f32; 2],
    /// Texts that its own stands on.
    pub needs: &'static [&'static str],
    /// `shadow_<name>(maps, p: MapPoint) -> f32`, or without `maps` where it reads moments.
    pub text: &'static str,
    /// It reads where the pixel is.
    pub by_pixel: bool,
    /// Its filter is as wide as distances say, so maps have one scale.
    pub is_metric: bool,
}

/// Whose rays a technique can follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Serves {
    All,
    Parallel,
    FromPoint,
}

impl Serves {
    pub fn serves(self, is_parallel: bool) -> bool {
        match self {
            Serves::All => true,
            Serves::Parallel => is_parallel,
            Serves::FromPoint => !is_parallel,
        }
    }

    pub fn words(self) -> &'static str {
        match self {
            Serves::All => "all lights",
            Serves::Parallel => "directional lights",
            Serves::FromPoint => "lights from a point",
        }
    }
}

/// Which maps a light has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapLayout {
    /// As few as hold what is seen.
    Fitted,
    /// One for each part of the camera's depth.
    Cascades,
    /// Six, one for each side of a cube.
    Sides,
}

/// What of its maps it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShadowReads {
    Depth,
    /// Means of functions of the distance `t` from the light, 0 to 1 over what the map holds: a WGSL expression of
    /// four numbers that also knows the technique's keys as `own`.
    Moments {
        of: &'static str,
    },
}

impl ShadowRow {
    /// What most techniques are; a row says what is different.
    pub const DEPTH: ShadowRow = ShadowRow {
        name: "",
        doc: "",
        formula: "",
        source: "",
        serves: Serves::All,
        layout: MapLayout::Fitted,
        reads: ShadowReads::Depth,
        reach_texels: 1.5,
        keys: &[],
        of_light: |_| [false; OWN_MAX],
        offset_texels: [0.1, 0.5],
        needs: &[],
        text: "",
        by_pixel: false,
        is_metric: false,
    };
}
