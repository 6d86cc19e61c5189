//! What comes out.

use std::fmt;

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
    /// Light as the scene pass leaves it: exposed, before the tone map.
    Linear,
    /// Reversed depth from a light: the map of this number, those of directional lights first; 0 = nothing.
    Shadow(u32),
    /// Light from around: this level of its cube, faces +x, -x, +y, -y, +z, -z one below the other.
    Radiance(u32),
    /// The same, blurred for reflections: this level, the rougher the higher.
    Specular(u32),
}

impl Tonemap {
    /// As files and arguments spell them.
    pub const WORDS: &[(&str, Tonemap)] =
        &[("agx", Tonemap::Agx), ("aces", Tonemap::Aces), ("neutral", Tonemap::Neutral), ("none", Tonemap::None)];

    pub fn word(self) -> &'static str {
        Tonemap::WORDS.iter().find(|(_, tonemap)| *tonemap == self).map_or("", |(word, _)| word)
    }
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
        ("linear", Aov::Linear),
    ];

    /// Words that a number follows: `shadow.0`.
    pub const NUMBERED: &[(&str, fn(u32) -> Aov)] =
        &[("shadow", Aov::Shadow), ("radiance", Aov::Radiance), ("specular", Aov::Specular)];

    pub fn parse(word: &str) -> Option<Aov> {
        if let Some((_, aov)) = Aov::WORDS.iter().find(|(known, _)| *known == word) {
            return Some(*aov);
        }
        let (word, number) = word.split_once('.')?;
        let of = Aov::NUMBERED.iter().find(|(known, _)| *known == word)?.1;
        let number_of = number.parse().ok().map(of)?;
        // Each has one name: no signs, no zeros before.
        Some(number_of).filter(|aov| aov.to_string().ends_with(&format!(".{number}")))
    }

    /// What passes leave for each other, and nobody else sees.
    pub fn is_between(self) -> bool {
        matches!(self, Aov::Linear | Aov::Shadow(_) | Aov::Radiance(_) | Aov::Specular(_))
    }

    /// Whether its pixels are those of the camera's picture.
    pub fn is_as_seen(self) -> bool {
        !self.is_between() || self == Aov::Linear
    }
}

/// As files and arguments spell it.
impl fmt::Display for Aov {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Aov::Shadow(number) => write!(f, "shadow.{number}"),
            Aov::Radiance(level) => write!(f, "radiance.{level}"),
            Aov::Specular(level) => write!(f, "specular.{level}"),
            plain => f.write_str(Aov::WORDS.iter().find(|(_, aov)| aov == plain).map_or("", |(word, _)| word)),
        }
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
    fn words_and_layers() {
        for word in ["color", "motion", "linear", "shadow.0", "shadow.12", "radiance.3", "specular.1"] {
            assert_eq!(Aov::parse(word).map(|aov| aov.to_string()).as_deref(), Some(word));
        }
        for word in
            ["", "colour", "shadow", "shadow.", "shadow.-1", "shadow.+1", "shadow.01", "color.0", "shadow.5000000000"]
        {
            assert_eq!(Aov::parse(word), None, "{word}");
        }
    }

    #[test]
    fn ranges_of_frames() {
        assert_eq!(parse_frames("0..47"), Ok([0, 47]));
        assert_eq!(parse_frames("-3 .. -3"), Ok([-3, -3]));
        for text in ["", "5", "5..", "..5", "5..4", "a..b", "0..99999999999", "0...5"] {
            assert!(parse_frames(text).is_err(), "{text}");
        }
    }
}
