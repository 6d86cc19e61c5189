//! The types of the one table of kinds and keys: what a scene file may say. Checks, the JSON schema, docs/scene.md and
//! the paths of `--set` follow from it.
//!
//! In: rows, which the files of the nouns hold. Out: what may be under a key. Never here: a kind or a key; `noun` lists
//! the kinds.

use super::text::syntax::{Kind as Written, Place, Value};
use super::text::toml;
use super::track::Thing;

/// A table of a scene file.
#[derive(Debug)]
pub struct Kind {
    /// As a heading of a file: `[output]`, `[camera.NAME]`, `[[node]]`; without brackets for inline tables.
    pub title: &'static str,
    pub doc: &'static str,
    pub keys: &'static [Row],
    /// At most one key of each group may stand.
    pub exclusive: &'static [&'static [&'static str]],
    /// At least one key of each group must stand; of those groups all of whose keys may.
    pub needs: &'static [&'static [&'static str]],
    /// Keys that exist only beside certain words.
    pub variants: Option<&'static Variants>,
    /// Pairs of numbers of which the second stays larger while they move.
    pub rising: &'static [Rising],
    /// What moving values of such a table belong to, by the positions of the table in its lists; `None`: to what the
    /// table is part of.
    pub thing: Option<fn(&[usize]) -> Thing>,
}

/// Two keys whose numbers keep their order at every time.
#[derive(Debug)]
pub struct Rising {
    pub low: &'static str,
    pub high: &'static str,
    /// Where `high` is not written, and it has no default, but this key is written: what counts.
    pub beside: Option<(&'static str, f64)>,
}

/// A key of a table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub name: &'static str,
    pub ty: Type,
    pub default: Default,
    pub doc: &'static str,
    /// Whether `{ keys = ... }` may stand for its value.
    pub moves: bool,
}

/// What counts where a key is not written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Default {
    /// It must be written.
    Required,
    /// In words.
    Words(&'static str),
    Value(Constant),
}

/// A value that the table holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Constant {
    Flag(bool),
    Whole(i64),
    Number(f64),
    Word(&'static str),
    Wholes(&'static [i64]),
    Numbers(&'static [f64]),
    Words(&'static [&'static str]),
}

/// What a value must be.
#[derive(Clone, Copy, Debug)]
pub enum Type {
    Text,
    Bool,
    Number(Range),
    Whole {
        min: i64,
        max: i64,
    },
    /// A list of exactly `count` numbers.
    Numbers {
        count: usize,
        range: Range,
    },
    Wholes {
        count: usize,
        min: i64,
        max: i64,
    },
    /// A number for all axes, or one an axis; none is 0.
    Scale,
    /// `"#rrggbb"` (sRGB) or a list of linear numbers; with alpha also `"#rrggbbaa"` and a fourth number.
    Color {
        alpha: bool,
        max: f64,
    },
    /// A colour or one of the words.
    ColorOr(&'static [&'static str]),
    /// One of the words.
    Choice(&'static [&'static str]),
    /// One of the numbers.
    ChoiceOf(&'static [i64]),
    /// A list of the words, each once; `shadow.N` stands for `shadow.0`, `shadow.1` and so on,
    /// `light.NAME` for `light.` and any name.
    Choices(&'static [&'static str]),
    /// One of the words, or a list of two.
    ChoicePair(&'static [&'static str]),
    /// The name of a file, relative to the scene file.
    File,
    /// A file's name or a list of them.
    Files,
    /// A text or a list of them, each once.
    Texts,
    /// A list of numbers, rising.
    Rising(Range),
    /// A list of whole numbers, rising.
    RisingWholes {
        min: i64,
        max: i64,
    },
    /// `"A..B"`: frames from A up to B, both included.
    Frames,
    /// A clip's name, `"#N"`, `"all"` or `"none"`.
    Clip,
    /// `[param]`: a value a name.
    Params,
    /// `[test.matrix]`: a list of values a path.
    Matrix,
    /// A number, or a table that says more.
    NumberOr(Range, &'static Kind),
    /// A flag, a word of the table's variants, or the table.
    FlagOr(&'static Kind),
    /// The name of a thing of the scene.
    Name(&'static str),
    /// `rows` lists of `columns` numbers each.
    Rows {
        rows: usize,
        columns: usize,
    },
    /// `EYE:TARGET[:FOV]`.
    Look,
    /// A texture's file, or a table.
    Texture(&'static Kind),
    /// `[kind]`
    Table(&'static Kind),
    /// `[kind.NAME]`
    Named(&'static Kind),
    /// `[[kind]]`
    List(&'static Kind),
    /// What `keys` of a key-framed value holds: `[seconds, value]` each.
    KeyFrames,
    /// A name that can stand in formulas and conditions: a letter, then letters, digits and `_`.
    Identifier,
    /// A number, or the name of a parameter of an animator.
    Value(Range),
    /// A list of exactly `count` of those.
    Values {
        count: usize,
        range: Range,
    },
    /// A list of names, from one on; the same one may stand again.
    Names {
        what: &'static str,
        max: usize,
    },
    /// A list of numbers, from one on.
    NumbersUpTo {
        max: usize,
        range: Range,
    },
    /// A list of pairs of numbers, from one on.
    PairsUpTo {
        max: usize,
        range: Range,
    },
    /// A list of lists of numbers.
    RowsUpTo {
        max: usize,
        range: Range,
    },
    /// A clip of a file: its name, or `"#N"`.
    ClipSource,
    /// What a transition waits for.
    Condition,
    /// A number, two to four of them, or a colour.
    Literal,
    /// The same, or an output of a node of the material: `"node.output"`.
    Pin,
    /// An output of a node of the material.
    Link,
    /// A number or a colour, or an output of a node of the material.
    OrLink(&'static Type),
}

/// Bounds of a number; never NaN or infinite.
#[derive(Debug, Clone, Copy)]
pub struct Range {
    pub min: f64,
    pub max: f64,
    /// Whether the bounds themselves are out.
    pub open: bool,
}

/// Keys by the word under `selector`.
#[derive(Debug)]
pub struct Variants {
    pub selector: &'static str,
    /// The word that counts where none is written.
    pub default: Option<&'static str>,
    pub cases: &'static [Variant],
}

#[derive(Clone, Copy, Debug)]
pub struct Variant {
    pub word: &'static str,
    pub doc: &'static str,
    pub keys: &'static [Row],
}

/// No number of a scene is larger: products of three of them still fit into an f32.
pub const NUMBER_MAX: f64 = 1e9;

/// Most cases of one scene: moments times combinations of its matrix.
pub(crate) const CASES_MAX: usize = 1024;
/// Most points of a space, inputs of a switch, states of a machine, clips of a crowd.
pub(crate) const POINTS_MAX: usize = 256;

pub const ANY: Range = Range { min: -NUMBER_MAX, max: NUMBER_MAX, open: false };
pub const POSITIVE: Range = Range { min: 0.0, max: NUMBER_MAX, open: true };
pub const NOT_NEGATIVE: Range = Range { min: 0.0, max: NUMBER_MAX, open: false };
pub const UNIT: Range = Range { min: 0.0, max: 1.0, open: false };

pub const fn range(min: f64, max: f64) -> Range {
    Range { min, max, open: false }
}

/// A kind of plain keys.
pub(crate) const fn kind(title: &'static str, doc: &'static str, keys: &'static [Row]) -> Kind {
    Kind { title, doc, keys, exclusive: &[], needs: &[], variants: None, rising: &[], thing: None }
}

pub(crate) const VEC3: Type = Type::Numbers { count: 3, range: ANY };
pub(crate) const COLOR: Type = Type::Color { alpha: false, max: NUMBER_MAX };
/// Clips, fades and moments of them are no longer than a day.
pub(crate) const SECONDS: Range = range(0.0, 86_400.0);

impl Constant {
    /// As if it were written.
    pub(crate) fn value(self) -> Value {
        let place = Place { source: 0, start: 0, end: 0 };
        let list = |values: Vec<Written>| Written::List(values.into_iter().map(|kind| Value { kind, place }).collect());
        let kind = match self {
            Constant::Flag(flag) => Written::Bool(flag),
            Constant::Whole(number) => Written::Whole(number),
            Constant::Number(number) => Written::Float(number),
            Constant::Word(word) => Written::Text(word.to_string()),
            Constant::Wholes(numbers) => list(numbers.iter().map(|n| Written::Whole(*n)).collect()),
            Constant::Numbers(numbers) => list(numbers.iter().map(|n| Written::Float(*n)).collect()),
            Constant::Words(words) => list(words.iter().map(|word| Written::Text(word.to_string())).collect()),
        };
        Value { kind, place }
    }

    /// As TOML, which is JSON too: numbers, texts, lists and flags are written alike.
    pub fn text(self) -> String {
        toml::value(&self.value())
    }
}

impl Type {
    /// Without the outputs of nodes that may stand for it.
    pub fn unlinked(&self) -> &Type {
        match self {
            Type::OrLink(inner) => inner,
            _ => self,
        }
    }
}

/// Whether a text under a key that takes links is one: `node.output`. Colours begin with `#`.
pub(crate) fn is_link(text: &str) -> bool {
    !text.starts_with('#') && text.contains('.')
}

impl Kind {
    /// The keys that may stand in a table whose selector (if it has one) reads `word`.
    pub fn keys_beside(&self, word: Option<&str>) -> impl Iterator<Item = &'static Row> {
        let case = self.variants.and_then(|v| {
            let word = word.or(v.default)?;
            v.cases.iter().find(|c| c.word == word)
        });
        self.keys.iter().chain(case.map_or(&[][..], |c| c.keys))
    }

    /// The key of that name among the common ones and all variants'.
    pub fn key_anywhere(&self, name: &str) -> Option<&'static Row> {
        let cases = self.variants.map_or(&[][..], |v| v.cases);
        self.keys.iter().chain(cases.iter().flat_map(|c| c.keys)).find(|k| k.name == name)
    }
}

impl Kind {
    /// The words of its variants.
    pub fn words(&self) -> Vec<&'static str> {
        self.variants.map_or(&[][..], |v| v.cases).iter().map(|case| case.word).collect()
    }
}

impl Range {
    pub fn holds(&self, number: f64) -> bool {
        if self.open { number > self.min && number <= self.max } else { number >= self.min && number <= self.max }
    }

    /// `from 0 to 1`, `above 0`, `0 or more`.
    pub fn words(&self) -> String {
        let far = self.max >= NUMBER_MAX;
        match (self.open, far) {
            (true, true) => format!("above {}", self.min),
            (true, false) => format!("above {} and at most {}", self.min, self.max),
            (false, true) if self.min > -NUMBER_MAX => format!("{} or more", self.min),
            (false, true) => format!("from {:e} to {:e}", self.min, self.max),
            (false, false) => format!("from {} to {}", self.min, self.max),
        }
    }
}
