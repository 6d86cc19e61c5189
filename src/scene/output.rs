//! What comes out.

use super::Background;

#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    pub width_px: u32,
    pub height_px: u32,
    /// 1 or 4.
    pub samples: u32,
    pub tonemap: Tonemap,
    /// The linear picture is multiplied by 2^exposure_ev before tone mapping.
    pub exposure_ev: f32,
    pub background: Background,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tonemap {
    Agx,
    Aces,
    Neutral,
    None,
}

/// What a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aov {
    Color,
    /// Distance along the view axis, metres; 0 = nothing.
    Depth,
    /// World space, after the normal map.
    Normal,
    /// base colour * (1 - metallic).
    Albedo,
    /// Object number; 0 = nothing.
    Id,
    /// Pixels to where the surface point was one frame before, y down; 0 = nothing moved, or nothing is there.
    Motion,
}

impl Tonemap {
    /// As files and arguments spell them.
    pub const WORDS: &[(&str, Tonemap)] =
        &[("agx", Tonemap::Agx), ("aces", Tonemap::Aces), ("neutral", Tonemap::Neutral), ("none", Tonemap::None)];
}

impl Aov {
    /// As files and arguments spell them.
    pub const WORDS: &[(&str, Aov)] = &[
        ("color", Aov::Color),
        ("depth", Aov::Depth),
        ("normal", Aov::Normal),
        ("albedo", Aov::Albedo),
        ("id", Aov::Id),
        ("motion", Aov::Motion),
    ];

    pub fn parse(word: &str) -> Option<Aov> {
        Aov::WORDS.iter().find(|(known, _)| *known == word).map(|(_, aov)| *aov)
    }

    pub fn name(self) -> &'static str {
        Aov::WORDS.iter().find(|(_, aov)| *aov == self).map_or("", |(word, _)| word)
    }
}
