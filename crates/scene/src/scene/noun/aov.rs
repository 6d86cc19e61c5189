//! Layers: the kinds of value that a picture can have per pixel, one row each.
//!
//! In: a word. Out: its row: what it means, its channels, how it is made and looked at. Words of files and of the
//! command line, channels of EXR files, shaders and pages of the documentation follow from the rows. Never here:
//! passes.

use std::fmt;
use std::sync::Arc;

use crate::scene::key::Plain;
use crate::scene::text::syntax::Value;
use crate::scene::text::toml::scene_text;

/// A kind of layer.
#[derive(Clone, Copy, Debug)]
pub struct AovRow {
    /// As files and arguments spell it; `.N` stands for a number, `.NAME` for the name of a light.
    pub spelt: &'static str,
    pub means: &'static str,
    /// Empty: it has none.
    pub unit: &'static str,
    /// Names of its channels in an EXR.
    pub channels: &'static [&'static str],
    pub held: Held,
    pub looks: Looks,
    /// What items draw into it; `None`: a pass leaves it that is there for the picture, too.
    pub shader: Option<Shader>,
}

/// What follows the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Whole,
    /// `.N`: a number.
    Number,
    /// `.NAME`: a light's.
    Light,
}

/// How texels hold it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// As the picture is wanted.
    Color,
    /// The first channels of four halves or floats.
    Light,
    /// The same, without alpha.
    Cube,
    /// The first floats of those of a texel.
    Floats,
    /// The fourth of four floats.
    FourthFloat,
    /// Bits of floats.
    Bits,
    /// The first of four words.
    Word,
    /// The fourth of four words.
    FourthWord,
}

/// How people look at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looks {
    /// Encoded; colours in 8 or 16 bits as they are.
    Light,
    /// White at the nearest, dark grey at the farthest.
    Depth,
    /// `0.5 + 0.5 n`.
    Direction,
    /// Well-spread colours.
    Ids,
    /// A hue by the direction, the brighter the farther.
    Motion,
    /// The brighter the nearer to the light.
    MapDepth,
    /// 0 is black, 1 is white.
    Share,
    /// Black is 0, white the most in the picture.
    Count,
    /// Each axis from the least to the most in the picture.
    Place,
    /// The parts behind the point, red and green.
    Uv,
}

/// What items draw into a layer of its own, at pixel centres.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shader {
    pub reads: Reads,
    /// An expression: as many numbers as the layer has channels. It knows `in`, and what `reads` says.
    pub wgsl: &'static str,
    /// Every surface is counted, also behind others.
    pub adds: bool,
}

/// What a shader of a layer reads, the more the further down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reads {
    /// Where it is: holes are cut out.
    Place,
    /// Also `base_color_level`: the level of detail of the base colour's texture.
    Texture,
    /// `s`, the surface.
    Surface,
    /// Also `emitted`.
    Emitted,
    /// Also `around`: light from around.
    Around,
    /// Also the lights of a list: `sum`, what leaves towards the eye of all of them, in their order; `arriving` of
    /// the last one, `reached`: whether its light comes here, `unshadowed`, by its depth maps, and `map_number`: which
    /// of them, from 1 on.
    Lights,
    /// Also the cluster's list: `list`.
    Lists,
    /// The sum as the picture has it, from light from around and emitted on: `total`.
    Everything,
}

const fn row(
    spelt: &'static str,
    means: &'static str,
    unit: &'static str,
    channels: &'static [&'static str],
    looks: Looks,
) -> AovRow {
    AovRow { spelt, means, unit, channels, held: Held::Floats, looks, shader: None }
}

const fn drawn(reads: Reads, wgsl: &'static str) -> Option<Shader> {
    Some(Shader { reads, wgsl, adds: false })
}

const RGB: &[&str] = &["R", "G", "B"];
const RGBA: &[&str] = &["R", "G", "B", "A"];
const XYZ: &[&str] = &["X", "Y", "Z"];
const EXPOSED: &str = "nits times exposure";
const NITS: &str = "nits";

/// Every kind of layer.
pub const LAYERS: &[AovRow] = &[
    AovRow { held: Held::Color, ..row("color", "The picture.", "", RGBA, Looks::Light) },
    AovRow { held: Held::FourthFloat, ..row("depth", "Distance along the view axis.", "metres", &["Z"], Looks::Depth) },
    row("normal", "Shading normal, after the normal map, in the world.", "unit vector", XYZ, Looks::Direction),
    AovRow { held: Held::Bits, ..row("albedo", "Base colour * (1 - metallic).", "", RGB, Looks::Light) },
    AovRow { held: Held::FourthWord, ..row("id", "Number of the object, from 1.", "", &["I"], Looks::Ids) },
    row(
        "motion",
        "Step to where the surface point was one frame before, y down.",
        "pixels",
        &["X", "Y"],
        Looks::Motion,
    ),
    AovRow {
        shader: drawn(Reads::Place, "unproject(in.position)"),
        ..row("position", "Place of the surface point in the world.", "metres", XYZ, Looks::Place)
    },
    AovRow {
        shader: drawn(Reads::Surface, "s.ng"),
        ..row(
            "normal_geometric",
            "Normal of the mesh, without the normal map, on the side that is seen.",
            "unit vector",
            XYZ,
            Looks::Direction,
        )
    },
    AovRow {
        shader: drawn(Reads::Place, "in.uv0"),
        ..row("uv", "First texture coordinates of the mesh.", "", &["U", "V"], Looks::Uv)
    },
    AovRow {
        shader: drawn(Reads::Surface, "s.roughness"),
        ..row("roughness", "Perceptual roughness, after textures.", "0 to 1", &["Z"], Looks::Share)
    },
    AovRow {
        shader: drawn(Reads::Surface, "s.metallic"),
        ..row("metallic", "How much of a metal it is, after textures.", "0 to 1", &["Z"], Looks::Share)
    },
    AovRow {
        shader: drawn(Reads::Emitted, "emitted"),
        ..row("emissive", "Light that the surface sends out by itself, before exposure.", NITS, RGB, Looks::Light)
    },
    AovRow {
        held: Held::Word,
        shader: drawn(Reads::Place, "in.material"),
        ..row("material_id", "Number of the material, from 1: one more than in `--dump shot`.", "", &["I"], Looks::Ids)
    },
    AovRow {
        held: Held::Word,
        shader: drawn(Reads::Place, "triangle + 1u"),
        ..row("primitive_id", "Number of the triangle in its mesh, from 1.", "", &["I"], Looks::Ids)
    },
    AovRow {
        shader: drawn(Reads::Texture, "base_color_level"),
        ..row(
            "mip_level",
            "Level of the base colour's texture that a pixel asks for, by the longer side of its footprint; 0 without one.",
            "levels",
            &["Z"],
            Looks::Count,
        )
    },
    AovRow {
        held: Held::Light,
        shader: Some(Shader { reads: Reads::Place, wgsl: "1.0", adds: true }),
        ..row("overdraw", "How many surfaces cover the pixel's centre, also behind others.", "", &["Z"], Looks::Count)
    },
    AovRow {
        shader: drawn(Reads::Around, "around"),
        ..row("ambient", "Light from around that leaves towards the eye, before exposure.", NITS, RGB, Looks::Light)
    },
    AovRow {
        shader: drawn(Reads::Lights, "sum"),
        ..row("direct", "Light of all lights that leaves towards the eye, before exposure.", NITS, RGB, Looks::Light)
    },
    AovRow {
        shader: drawn(Reads::Lights, "sum"),
        ..row("light.NAME", "Light of one light that leaves towards the eye, before exposure.", NITS, RGB, Looks::Light)
    },
    AovRow {
        shader: drawn(Reads::Lights, "unshadowed * reached"),
        ..row(
            "light_mask.NAME",
            "How much of a light arrives: 0 in its shadow, out of its range and outside its cone.",
            "0 to 1",
            &["Z"],
            Looks::Share,
        )
    },
    AovRow {
        shader: drawn(Reads::Lights, "unshadowed"),
        ..row(
            "shadow_mask.NAME",
            "How much of a light its depth maps let through; 1 for a light without shadows.",
            "0 to 1",
            &["Z"],
            Looks::Share,
        )
    },
    AovRow {
        shader: drawn(Reads::Lights, "map_number"),
        ..row(
            "shadow_map.NAME",
            "Which map of a light a point is looked up in, from 1 on: cascades from the camera on, or sides of a lamp, +X -X +Y -Y +Z -Z; 0 where it has none.",
            "",
            &["Z"],
            Looks::Count,
        )
    },
    AovRow {
        held: Held::Word,
        shader: drawn(Reads::Lists, "list.y - list.x"),
        ..row(
            "light_count",
            "How many lights the pixel asks: those of its cluster, or all of them.",
            "",
            &["N"],
            Looks::Count,
        )
    },
    AovRow {
        held: Held::Word,
        shader: drawn(Reads::Everything, "not_finite(total)"),
        ..row(
            "nan",
            "1 where the light of a surface is infinite or no number. Empty in a sound picture.",
            "",
            &["N"],
            Looks::Count,
        )
    },
    AovRow {
        held: Held::Light,
        ..row("linear", "The picture before tone mapping, without a plain background.", EXPOSED, RGBA, Looks::Light)
    },
    AovRow {
        ..row(
            "shadow.N",
            "Reversed depth from a light: the map of this number, those of directional lights first.",
            "",
            &["Z"],
            Looks::MapDepth,
        )
    },
    AovRow {
        held: Held::Cube,
        ..row(
            "radiance.N",
            "Light from around: this level of its cube, faces +x -x +y -y +z -z one below the other.",
            NITS,
            RGB,
            Looks::Light,
        )
    },
    AovRow {
        held: Held::Cube,
        ..row("specular.N", "The same, blurred for reflections, the rougher the higher.", NITS, RGB, Looks::Light)
    },
];

/// The words of every layer, for the table.
pub static AOVS: &[&str] = {
    const ALL: [&str; LAYERS.len()] = {
        let mut out = [""; LAYERS.len()];
        let mut at = 0;
        while at < LAYERS.len() {
            out[at] = LAYERS[at].spelt;
            at += 1;
        }
        out
    };
    &ALL
};

impl AovRow {
    /// Without what follows the dot.
    pub fn word(&self) -> &'static str {
        self.spelt.split('.').next().unwrap_or_default()
    }

    pub fn part(&self) -> Part {
        match self.spelt.split_once('.') {
            None => Part::Whole,
            Some((_, "NAME")) => Part::Light,
            Some(_) => Part::Number,
        }
    }

    /// Whether it shows how lights are brought to surfaces, and so is another one by every method.
    pub fn is_of_method(&self) -> bool {
        self.shader.is_some_and(|shader| shader.reads == Reads::Lists)
    }

    /// What passes leave for each other, and nobody else sees.
    fn is_between(&self) -> bool {
        self.spelt == "linear" || self.part() == Part::Number
    }
}

/// What a picture shows: a row, and what follows its word.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Aov {
    /// Index into [`LAYERS`].
    row: u8,
    of: Of,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Of {
    Whole,
    Number(u32),
    Light(Arc<str>),
}

impl Aov {
    pub const COLOR: Aov = Aov::whole(0);
    pub const DEPTH: Aov = Aov::whole(1);
    pub const NORMAL: Aov = Aov::whole(2);
    pub const ALBEDO: Aov = Aov::whole(3);
    pub const ID: Aov = Aov::whole(4);
    pub const MOTION: Aov = Aov::whole(5);

    const fn whole(row: u8) -> Aov {
        Aov { row, of: Of::Whole }
    }

    pub fn parse(word: &str) -> Option<Aov> {
        let find = |word: &str, part: Part| LAYERS.iter().position(|row| row.word() == word && row.part() == part);
        if let Some(row) = find(word, Part::Whole) {
            return Some(Aov::whole(row as u8));
        }
        let (word, rest) = word.split_once('.')?;
        if let Some(row) = find(word, Part::Light) {
            // The name of a layer is a part of names of files and of lists.
            let is_plain = |c: char| !c.is_control() && !"/\\#,\"".contains(c);
            let is_name = !rest.is_empty() && rest.chars().all(is_plain);
            return is_name.then(|| Aov { row: row as u8, of: Of::Light(rest.into()) });
        }
        let row = find(word, Part::Number)?;
        // Each has one name: no signs, no zeros before.
        let number: u32 = rest.parse().ok().filter(|number: &u32| number.to_string() == rest)?;
        Some(Aov { row: row as u8, of: Of::Number(number) })
    }

    pub fn row(&self) -> &'static AovRow {
        &LAYERS[usize::from(self.row)]
    }

    /// The light that it is about, by name.
    pub fn light(&self) -> Option<&str> {
        match &self.of {
            Of::Light(name) => Some(name),
            Of::Whole | Of::Number(_) => None,
        }
    }

    /// What passes leave for each other, and nobody else sees.
    pub fn is_between(&self) -> bool {
        self.row().is_between()
    }

    /// Whether its pixels are those of the camera's picture.
    pub fn is_as_seen(&self) -> bool {
        self.row().part() != Part::Number
    }
}

/// The words of every layer, with commas between.
pub fn aov_words() -> String {
    AOVS.join(", ")
}

/// The rows as a table of a page.
pub fn layers_markdown() -> String {
    let line = |row: &AovRow| {
        let channels = match row.part() {
            _ if row.word() == "color" => row.channels.join(" "),
            _ => row.channels.iter().map(|letter| format!("{}.{letter}", row.spelt)).collect::<Vec<_>>().join(" "),
        };
        let kind = if matches!(row.held, Held::Word | Held::FourthWord) { "whole" } else { "float" };
        format!("| `{}` | {} | {} | `{channels}` | {kind} |\n", row.spelt, row.means, row.unit)
    };
    let head = "| layer | value | unit | channels of EXR | numbers |\n| --- | --- | --- | --- | --- |\n";
    LAYERS.iter().fold(head.to_string(), |page, row| page + &line(row))
}

/// As a list of layers spells one: `shadow.N` for `shadow.12`, `light.NAME` for `light.sun`.
pub(crate) fn spelt(text: &str) -> Option<&'static str> {
    Aov::parse(text).map(|aov| aov.row().spelt)
}

impl Plain for Aov {
    fn read(value: &Value) -> Option<Aov> {
        Aov::parse(value.kind.text()?)
    }

    fn print(&self) -> Option<String> {
        Some(scene_text(&self.to_string()))
    }

    fn blank() -> Aov {
        Aov::COLOR
    }
}

/// As files and arguments spell it.
impl fmt::Display for Aov {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().word())?;
        match &self.of {
            Of::Whole => Ok(()),
            Of::Number(number) => write!(f, ".{number}"),
            Of::Light(name) => write!(f, ".{name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_layers() {
        for word in ["color", "motion", "linear", "shadow.0", "shadow.12", "specular.1", "light.Lamp 2.001", "uv"] {
            assert_eq!(Aov::parse(word).map(|aov| aov.to_string()).as_deref(), Some(word));
        }
        for word in [
            "",
            "colour",
            "shadow",
            "shadow.",
            "shadow.-1",
            "shadow.+1",
            "shadow.01",
            "color.0",
            "shadow.5000000000",
            "light",
            "light.",
            "light.a/b",
            "direct.sun",
        ] {
            assert_eq!(Aov::parse(word), None, "{word}");
        }
    }

    #[test]
    fn constants_are_the_rows_of_their_words() {
        for (aov, word) in [
            (Aov::COLOR, "color"),
            (Aov::DEPTH, "depth"),
            (Aov::NORMAL, "normal"),
            (Aov::ALBEDO, "albedo"),
            (Aov::ID, "id"),
            (Aov::MOTION, "motion"),
        ] {
            assert_eq!(aov.to_string(), word);
        }
    }

    /// What a row says of its texels fits what draws them.
    #[test]
    fn rows_are_sound() {
        for row in LAYERS {
            assert!(row.means.ends_with('.') && (1..=4).contains(&row.channels.len()), "{}", row.spelt);
            if let Some(shader) = row.shader {
                let held = if shader.adds { Held::Light } else { row.held };
                assert!(matches!(held, Held::Floats | Held::Word | Held::Light), "{}", row.spelt);
            }
        }
    }
}
