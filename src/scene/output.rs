//! What comes out.

use std::fmt;

use super::{Background, Scene};

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

/// Which lights shine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lighting {
    /// The file's own if it has any, else the studio. Gone after [`Scene::settle`].
    Auto,
    /// Those of the scene file and of its models.
    File,
    /// The three-light studio and nothing else. Gone after [`Scene::settle`], which puts its lights into the scene.
    Studio,
    /// None at all.
    None,
}

/// Whether a floor is put under everything: grey, [`Scene::GROUND_ROUGHNESS`] rough, facing +Y, at the height of the lowest point
/// of everything loaded, centred under it, fading into the background ([`Scene::GROUND_RADII_RATIO`]).
/// The floor comes last of all objects, is named `ground`, receives shadows, casts none, and plays no part when a
/// camera is framed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// On for a file without lights of its own. Gone after [`Scene::settle`].
    Auto,
    On,
    Off,
}

impl Lighting {
    /// As files and arguments spell them.
    pub const WORDS: &[(&str, Lighting)] =
        &[("auto", Lighting::Auto), ("file", Lighting::File), ("studio", Lighting::Studio), ("none", Lighting::None)];
}

impl Ground {
    /// As files and arguments spell them.
    pub const WORDS: &[(&str, Ground)] = &[("auto", Ground::Auto), ("on", Ground::On), ("off", Ground::Off)];
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
    /// Light as the scene pass leaves it, before exposure and tone map.
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

impl Scene {
    /// Longest side of a picture.
    pub const SIDE_MAX_PX: u32 = 16384;
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
}
