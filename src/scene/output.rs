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
    /// Frames a second.
    pub fps: f64,
    /// First and last frame of a sequence, both included; `None`: one picture.
    pub frames: Option<[i64; 2]>,
    /// What is pictured, each once.
    pub aov: Vec<Aov>,
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

/// Largest number of a frame, either way.
const FRAME_MAX: i64 = 1_000_000_000;

/// `A..B`: frames from A up to B, both included.
pub fn parse_frames(text: &str) -> Result<[i64; 2], String> {
    let number = |text: &str| text.trim().parse::<i64>().ok().filter(|n| n.abs() <= FRAME_MAX);
    let ends = text.split_once("..").and_then(|(first, last)| Some([number(first)?, number(last)?]));
    match ends {
        Some([first, last]) if first > last => Err(format!("`{text}`: the first frame stands behind the last")),
        Some(ends) => Ok(ends),
        None => Err(format!("`{text}` is no range of frames: FIRST..LAST, for example 0..47")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_frames() {
        assert_eq!(parse_frames("0..47"), Ok([0, 47]));
        assert_eq!(parse_frames("-3 .. -3"), Ok([-3, -3]));
        for text in ["", "5", "5..", "..5", "5..4", "a..b", "0..99999999999", "0...5"] {
            assert!(parse_frames(text).is_err(), "{text}");
        }
    }
}
