//! `shadow`: how a light's shadows are drawn.
//!
//! In: what is written under `shadow` of a light. Out: a [`Shadow`]: a technique with its numbers. Never here: maps,
//! passes, devices.
//!
//! A technique is one file with its [`ShadowRow`], its WGSL beside it, and its line in `techniques!`.

mod cascades;
mod cube;
mod disk;
mod esm;
mod evsm;
mod hard;
mod msm;
mod page;
mod pcf;
mod pcss;
mod row;
mod tent3;
mod vsm;

pub use page::shadows_markdown;
pub use row::{MapLayout, Serves, ShadowReads, ShadowRow};

use crate::scene::code;
use crate::scene::key::{Key, choice, flag, key, number, optional, row as typed, rows};
use crate::scene::printer::Printer;
use crate::scene::resolver::Resolver;
use crate::scene::schema::{Constant, Kind, NOT_NEGATIVE, Range, Row, Type, Variant, Variants, kind, range};
use crate::scene::text::syntax::{Kind as Written, Table};
use crate::scene::word::Word;

use super::LightKind;

/// How a light's shadows are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shadow {
    pub technique: ShadowTechnique,
    /// Width of each of its maps; `None`: what the picture can show.
    pub size_px: Option<u32>,
    pub fit: ShadowFit,
    /// Along the surface's normal and towards the light, in texels.
    pub offset_texels: [f32; 2],
    /// How far from a point things in sight cast shadows that maps miss; 0: none is looked for.
    pub contact_m: f32,
    /// Whether blended surfaces and glass cast shadows, too.
    pub transparent: bool,
    /// What the technique's keys hold, in their order.
    pub own: [f32; OWN_MAX],
}

/// Most keys of a technique.
pub const OWN_MAX: usize = 4;
/// What a key of a technique holds that is not written and that the light itself answers. No key can be so small.
const OF_LIGHT: f32 = -1.0;

impl Default for Shadow {
    fn default() -> Shadow {
        Shadow::new(ShadowTechnique::default())
    }
}

impl Shadow {
    /// The technique with its defaults.
    pub fn new(technique: ShadowTechnique) -> Shadow {
        let mut own = [0.0; OWN_MAX];
        for (value, row) in own.iter_mut().zip(technique.row().keys) {
            *value = number_of(row).default();
        }
        Shadow {
            technique,
            size_px: None,
            fit: ShadowFit::default(),
            offset_texels: technique.row().offset_texels,
            contact_m: CONTACT_M.default(),
            transparent: false,
            own,
        }
    }

    /// What its key named so holds; `None` where the technique lacks it, or the light itself answers.
    pub fn value(&self, name: &str) -> Option<f32> {
        let at = self.technique.row().keys.iter().position(|row| row.name == name)?;
        Some(self.own[at]).filter(|value| *value != OF_LIGHT)
    }

    /// As it is written.
    pub fn text(&self) -> String {
        let word = self.technique.row().name;
        if *self == Shadow::default() {
            return "true".to_string();
        }
        if *self == Shadow::new(self.technique) {
            return format!("{word:?}");
        }
        let mut parts = vec![format!("technique = {word:?}")];
        let mut add = |name: &str, value: Option<String>| parts.extend(value.map(|value| format!("{name} = {value}")));
        use crate::scene::key::Plain;
        add(SIZE_PX.name(), self.size_px.print());
        if self.fit != ShadowFit::default() {
            add(FIT.name(), self.fit.print());
        }
        add(NORMAL_OFFSET.name(), self.offset_texels[0].print());
        add(DEPTH_OFFSET.name(), self.offset_texels[1].print());
        if self.contact_m != CONTACT_M.default() {
            add(CONTACT_M.name(), self.contact_m.print());
        }
        if self.transparent {
            add(TRANSPARENT.name(), self.transparent.print());
        }
        for (row, value) in self.technique.row().keys.iter().zip(self.own) {
            if value == OF_LIGHT {
                continue;
            }
            let text = match row.ty {
                Type::Whole { .. } => (value as i64).print(),
                _ => value.print(),
            };
            add(row.name, text);
        }
        format!("{{ {} }}", parts.join(", "))
    }
}

/// What the maps of a light hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShadowFit {
    /// Where shadows are seen, and no more.
    #[default]
    Tight,
    /// A ball around what the camera sees, in whole texels: shadows keep still while the camera moves.
    Stable,
    /// Where shadows are seen, by the depth of every pixel of the picture.
    Seen,
    /// Where shadows are seen, with more texels near the camera.
    Lispsm,
    /// All of the scene: nothing depends on the camera.
    Scene,
}

impl Word for ShadowFit {
    const WORDS: &'static [(&'static str, ShadowFit)] = &[
        ("tight", ShadowFit::Tight),
        ("stable", ShadowFit::Stable),
        ("seen", ShadowFit::Seen),
        ("lispsm", ShadowFit::Lispsm),
        ("scene", ShadowFit::Scene),
    ];
}

/// The table: words, rows, and the enum.
macro_rules! techniques {
    ($($(#[$doc:meta])* $id:ident => $row:expr,)+) => {
        /// A technique of shadows.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
        pub enum ShadowTechnique {
            $($(#[$doc])* $id,)+
        }

        impl ShadowTechnique {
            pub const ALL: &'static [ShadowTechnique] = &[$(ShadowTechnique::$id),+];
            pub const WORDS: &'static [&'static str] = &[$($row.name),+];

            pub fn row(self) -> &'static ShadowRow {
                match self {
                    $(ShadowTechnique::$id => const { &$row },)+
                }
            }
        }

        static VARIANTS: &[Variant] = &[$(Variant { word: $row.name, doc: $row.doc, keys: $row.keys }),+];
    };
}

techniques! {
    /// What `shadow = true` means.
    #[default]
    Tent3 => tent3::ROW,
    Hard => hard::ROW,
    Pcf2 => pcf::ROWS[0],
    Pcf3 => pcf::ROWS[1],
    Pcf4 => pcf::ROWS[2],
    Pcf5 => pcf::ROWS[3],
    Pcf6 => pcf::ROWS[4],
    Pcf7 => pcf::ROWS[5],
    Disk => disk::ROW,
    Pcss => pcss::ROW,
    Esm => esm::ROW,
    Vsm => vsm::ROW,
    Evsm2 => evsm::ROW_2,
    Evsm4 => evsm::ROW_4,
    Msm => msm::ROW,
    Csm => cascades::ROW,
    Cube => cube::ROW,
}

impl ShadowTechnique {
    /// Its number in shaders.
    pub fn number(self) -> u32 {
        let place = ShadowTechnique::ALL.iter().position(|own| *own == self);
        place.expect("all are in the list") as u32
    }

    fn of_word(word: &str) -> Option<ShadowTechnique> {
        ShadowTechnique::ALL.iter().copied().find(|technique| technique.row().name == word)
    }
}

/// Words of other renderers for techniques that are not here, and why.
const REFUSED: &[(&str, &str)] = &[
    ("epsm", "is not here: it avoids singular cases of perspective maps, which `csm` does not have"),
    ("psm", "is not here: its maps have singular cases, which `fit = \"lispsm\"` does not have"),
    ("lssm", "is a fit here: `fit = \"lispsm\"` goes with many techniques"),
    ("tsm", "is not here: `csm` and `fit = \"lispsm\"` give more texels to near shadows"),
    (
        "volumes",
        "is not here: it has no answer on blended surfaces and behind glass; `hard` with a wide `size_px` is as sharp",
    ),
    ("projected", "is not here: it darkens the light of other lamps, too; every technique here is for one light"),
    ("paraboloid", "is not here: its maps bend wide triangles; `cube` has six maps without that"),
    ("contact", "is not a technique: `contact_m` of a shadow adds it to any of them"),
];

/// Why a word that could be a technique's is none, where `words` are those of techniques.
pub(crate) fn refused(words: &[&str], text: &str) -> Option<&'static str> {
    let found = REFUSED.iter().find(|(word, _)| *word == text && words == ShadowTechnique::WORDS);
    found.map(|(_, why)| *why)
}

pub(crate) static TABLE: Kind = Kind {
    variants: Some(&Variants { selector: TECHNIQUE.name(), default: Some(DEFAULT), cases: VARIANTS }),
    ..kind(
        "shadow = { ... }",
        "`true` is `\"tent3\"`, a word is that technique with its defaults. docs/shadows.md compares them.",
        KEYS,
    )
};

const DEFAULT: &str = tent3::ROW.name;
/// Wider maps are refused by some devices once a light has six of them.
const SIZE_MAX: i64 = 4096;
const OFFSETS: Range = range(0.0, 64.0);

const TECHNIQUE: Key<String> =
    key("technique", Type::Choice(ShadowTechnique::WORDS), Constant::Word(DEFAULT), "How shadows are drawn.");
const SIZE_PX: Key<Option<u32>> = optional(
    "size_px",
    Type::Whole { min: 32, max: SIZE_MAX },
    "what the picture can show",
    "Width of each depth map of the light.",
);
const FIT: Key<ShadowFit> = choice(
    "fit",
    "tight",
    "What the maps of a directional light hold: where shadows are seen, by the bounds of things (`tight`) or by the depth of every pixel (`seen`); or a ball around what the camera sees, in whole texels, so that shadows keep still while the camera moves (`stable`). `lispsm` is `tight` with more texels near the camera. Maps of `csm` are `stable` where `tight` is written. Of all lights: all of the scene (`scene`), so that cameras and pictures share the maps until something moves.",
);
const NORMAL_OFFSET: Key<f32> = key(
    "normal_offset_texels",
    Type::Number(OFFSETS),
    Constant::Number(0.1),
    "How far a point is moved along its surface's normal before it is looked up, in widths of a texel. If not written, 0 for `esm` and `evsm2`: with them, no surface shadows itself.",
);
const DEPTH_OFFSET: Key<f32> = key(
    "depth_offset_texels",
    Type::Number(OFFSETS),
    Constant::Number(0.5),
    "How far a point is moved towards the light before it is looked up, in widths of a texel. If not written, 0 for `esm` and `evsm2`.",
);
const CONTACT_M: Key<f32> = number(
    "contact_m",
    0.0,
    NOT_NEGATIVE,
    "What casts shadows and is in sight is also looked for in the picture's depth, this far from a point towards the light. This finds small things that the map misses. 0: off.",
);
const TRANSPARENT: Key<bool> = flag(
    "transparent",
    false,
    "Whether blended surfaces and glass cast shadows, too, as dark and as coloured as they are.",
);
static KEYS: &[Row] = rows! { TECHNIQUE, SIZE_PX, FIT, NORMAL_OFFSET, DEPTH_OFFSET, CONTACT_M, TRANSPARENT };

pub(super) const SHADOW: Key<bool> = key(
    "shadow",
    Type::FlagOr(&TABLE),
    Constant::Flag(true),
    "Whether the light casts shadows, and how: `true`, `false`, a technique, or a table.",
);

/// A technique's key, whose value is a number.
const fn number_of(row: &Row) -> Key<f32> {
    typed(row.name, row.ty, row.default, row.doc)
}

/// Whether a technique's map can have more texels in one place than in another.
fn takes_perspective(row: &ShadowRow) -> bool {
    row.layout == MapLayout::Fitted && row.reads == ShadowReads::Depth && !row.is_metric
}

/// The shadow that a light asks for; `None`: it casts none.
pub(super) fn shadow(resolver: &mut Resolver<'_>, light: &Table, kind: &LightKind) -> Option<Shadow> {
    let empty = Table::default();
    let Some(value) = light.value(SHADOW.name()) else { return Some(Shadow::default()) };
    let (word, table, place) = match &value.kind {
        Written::Bool(false) => return None,
        Written::Text(word) => (word.clone(), &empty, value.place),
        Written::Table(table) => {
            let place = table.placed(TECHNIQUE).map_or(value.place, |(_, place)| place);
            (table.ask(TECHNIQUE), table, place)
        }
        _ => return Some(Shadow::default()),
    };
    // A wrong word has been reported.
    let technique = ShadowTechnique::of_word(&word).unwrap_or_default();
    let row = technique.row();
    let is_parallel = matches!(kind, LightKind::Directional { .. });
    if !row.serves.serves(is_parallel) {
        let (this, those) = match is_parallel {
            true => ("a directional light", "lights that shine from a point"),
            false => ("a light that shines from a point", "directional lights"),
        };
        let message = format!("`{word}` is for {those}, and this is {this}");
        let fitting = ShadowTechnique::ALL.iter().map(|technique| technique.row());
        let fitting = fitting.filter(|row| row.serves.serves(is_parallel)).map(|row| format!("`{}`", row.name));
        let help = format!("one of {}", fitting.collect::<Vec<_>>().join(", "));
        resolver.complain_with(code::WRONG_SHADOW, place, message, Some(help));
    }
    let fit = table.ask(FIT);
    if row.layout == MapLayout::Cascades && fit == ShadowFit::Scene {
        resolver.without_effect(table, FIT, "with cascades, which are fitted to the camera's depth", Some("remove it"));
    } else if !is_parallel && fit != ShadowFit::Scene {
        resolver.without_effect(table, FIT, "with a light that shines from a point", Some("remove it"));
    }
    if fit == ShadowFit::Lispsm && is_parallel && !takes_perspective(row) {
        let place = table.placed(FIT).map_or(place, |(_, place)| place);
        let message = format!("`fit = \"lispsm\"` is not for `{word}`");
        let fitting = ShadowTechnique::ALL.iter().map(|technique| technique.row());
        let fitting = fitting.filter(|row| takes_perspective(row)).map(|row| format!("`{}`", row.name));
        let help = format!("it is for {}", fitting.collect::<Vec<_>>().join(", "));
        resolver.complain_with(code::WRONG_SHADOW, place, message, Some(help));
    }
    let mut own = [0.0; OWN_MAX];
    let asked = |key: Key<f32>, unwritten: Option<f32>| {
        let written = table.ask(key);
        unwritten.filter(|_| !table.has(key)).unwrap_or(written)
    };
    for ((value, key), of_light) in own.iter_mut().zip(row.keys).zip((row.of_light)(kind)) {
        *value = asked(number_of(key), of_light.then_some(OF_LIGHT));
    }
    let [along_normal, to_light] = row.offset_texels.map(Some);
    Some(Shadow {
        technique,
        size_px: table.ask(SIZE_PX),
        fit,
        offset_texels: [asked(NORMAL_OFFSET, along_normal), asked(DEPTH_OFFSET, to_light)],
        contact_m: table.ask(CONTACT_M),
        transparent: table.ask(TRANSPARENT),
        own,
    })
}

pub(super) fn print(out: &mut Printer<'_>, shadow: Option<Shadow>) {
    let text = shadow.map_or("false".to_string(), |shadow| shadow.text());
    out.write(SHADOW.name(), &text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_words_and_numbers_of_their_own() {
        let mut words = ShadowTechnique::WORDS.to_vec();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), ShadowTechnique::ALL.len());
        for technique in ShadowTechnique::ALL {
            let row = technique.row();
            assert!(row.keys.len() <= OWN_MAX, "{}", row.name);
            assert_eq!(ShadowTechnique::of_word(row.name), Some(*technique));
        }
    }
}
