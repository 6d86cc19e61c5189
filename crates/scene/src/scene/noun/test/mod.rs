//! `[test]`: what a test run does with a scene.

mod matrix;

use std::path::PathBuf;

use super::aov::{AOVS, Aov};
use crate::scene::code;
use crate::scene::key::{Inner, Key, key, number, optional, required, rows};
use crate::scene::printer::Printer;
use crate::scene::resolver::Resolver;
use crate::scene::schema::{CASES_MAX, Constant, Kind, Row, Type, UNIT, kind, range};
use crate::scene::text::param::Params;
use crate::scene::text::syntax::Table;
use crate::scene::text::toml::{self, list};

pub(crate) static TABLE: Kind = Kind {
    exclusive: &[&[TIMES_S.name(), FRAMES.name()]],
    ..kind("[test]", "How `stillframe test` tests the scene.", KEYS)
};

const WHY: Key<Option<String>> = optional("why", Type::Text, "none", "What would be wrong if the picture changed.");
const TAGS: Key<Vec<String>> =
    optional("tags", Type::Texts, "none", "Words by which the filter `tag:WORD` selects the test.");
const AOV: Key<Vec<Aov>> = key("aov", Type::Choices(AOVS), Constant::Words(&["color"]), "The layers to compare.");
const TIMES_S: Key<Vec<f64>> =
    optional("times_s", Type::Rising(range(-1e6, 1e6)), "the scene's own", "The moments to compare, in seconds.");
const FRAMES: Key<Vec<i64>> = optional(
    "frames",
    Type::RisingWholes { min: -1_000_000_000, max: 1_000_000_000 },
    "none",
    "The frames to compare, by number, at the rate `output.fps`.",
);
const MATRIX: Key<Inner> = optional(
    "matrix",
    Type::Matrix,
    "one case",
    "Values to try in turn, by path as in `--set`. `output.` may be left out: `samples = [1, 4]`. Several paths give every combination.",
);
const EQUALS: Key<Vec<String>> =
    optional("equals", Type::Files, "none", "Scenes that must give the same picture, bit for bit.");
const DIFFERS: Key<Vec<String>> = optional("differs", Type::Files, "none", "Scenes that must give another picture.");
const KNOWN_FAILURE: Key<Option<String>> = optional(
    "known_failure",
    Type::Text,
    "none",
    "Why the picture is known to be wrong: the test passes only while it fails.",
);
const TOLERANCE: Key<Option<f64>> = optional(
    "tolerance",
    Type::NumberOr(range(0.0, 255.0), &TOLERANCE_TABLE),
    "0",
    "By how many steps of 255 a channel may differ; more than 0 needs a `reason`.",
);
const REASON: Key<Option<String>> = optional("reason", Type::Text, "none", "Why this tolerance is needed.");
static KEYS: &[Row] = rows! {
    WHY, TAGS, AOV, TIMES_S, FRAMES, MATRIX, EQUALS, DIFFERS, KNOWN_FAILURE, TOLERANCE, REASON
};

pub(crate) static TOLERANCE_TABLE: Kind =
    kind("tolerance = { ... }", "The difference that is accepted.", TOLERANCE_KEYS);

const CHANNEL: Key<f64> =
    required("channel", Type::Number(range(0.0, 255.0)), "By how many steps of 255 a channel may differ.");
const SHARE: Key<f64> = number("share", 0.0, UNIT, "The share of pixels that may differ by more than that.");
static TOLERANCE_KEYS: &[Row] = rows! { CHANNEL, SHARE };

/// `[test]`, read by test runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Test {
    pub why: String,
    /// What filters choose it by.
    pub tags: Vec<String>,
    /// What is compared, each on its own.
    pub aov: Vec<Aov>,
    /// When; one case each.
    pub moments: Moments,
    /// Every combination of one value of each axis is a case.
    pub matrix: Vec<Axis>,
    /// Scenes whose picture must be the same, bit for bit; absolute. No reference is stored then.
    pub equals: Vec<PathBuf>,
    /// Scenes whose picture must be another one; absolute.
    pub differs: Vec<PathBuf>,
    /// Why the picture is known to be wrong: the test passes only while it fails.
    pub known_failure: Option<String>,
    pub tolerance: Option<Tolerance>,
}

/// The moments of a test.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Moments {
    /// The scene's own.
    #[default]
    Own,
    Seconds(Vec<f64>),
    /// By number, at the output's frames a second.
    Frames(Vec<i64>),
}

/// One value that is varied.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// As written, for the case's name: `samples`.
    pub name: String,
    /// As `--set` takes it: `output.samples`.
    pub path: String,
    /// As TOML.
    pub values: Vec<String>,
}

/// How much may differ; without one, nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Tolerance {
    /// Steps of 255 that a channel may differ by.
    pub channel: f64,
    /// Part of the pixels that may differ by more.
    pub share: f64,
    /// Why so much may.
    pub reason: String,
}

/// One combination of a matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// `[samples=4,sun=10]`; empty without a matrix.
    pub name: String,
    /// `--set` arguments.
    pub edits: Vec<String>,
}

/// `params_kept` gets the parameters that the matrix varies.
pub(crate) fn test(
    resolver: &mut Resolver<'_>,
    tree: &Table,
    params: &mut Params,
    params_kept: &mut Vec<(String, String)>,
) -> Option<Test> {
    let table = tree.table("test")?;
    let moments = moments(table);
    let matrix = matrix::axes(resolver, tree, table.table(MATRIX.name()), params, params_kept);
    let moment_count = match &moments {
        Moments::Own => 1,
        Moments::Seconds(all) => all.len(),
        Moments::Frames(all) => all.len(),
    };
    let count = matrix.iter().fold(moment_count, |all, axis| all.saturating_mul(axis.values.len()));
    if let (true, Some(entry)) = (count > CASES_MAX, table.entry_of(MATRIX)) {
        let message = format!("the test has {count} cases, but at most {CASES_MAX} are supported");
        resolver.complain(code::TOO_MANY, entry.value.place, message);
    }
    let tolerance = tolerance(resolver, table);
    Some(Test {
        why: table.ask(WHY).unwrap_or_default(),
        tags: table.ask(TAGS),
        aov: table.written(AOV).unwrap_or_default(),
        moments,
        matrix,
        equals: files(resolver, table, EQUALS),
        differs: files(resolver, table, DIFFERS),
        known_failure: table.ask(KNOWN_FAILURE),
        tolerance,
    })
}

fn moments(table: &Table) -> Moments {
    match (table.written(TIMES_S), table.written(FRAMES)) {
        (Some(times_s), _) => Moments::Seconds(times_s),
        (None, Some(frames)) => Moments::Frames(frames),
        (None, None) => Moments::Own,
    }
}

fn tolerance(resolver: &mut Resolver<'_>, table: &Table) -> Option<Tolerance> {
    let reason = table.ask(REASON).unwrap_or_default();
    let (channel, share) = match (table.ask(TOLERANCE), table.table(TOLERANCE.name())) {
        (Some(channel), _) => (channel, SHARE.default()),
        (None, Some(inner)) => (inner.ask(CHANNEL), inner.ask(SHARE)),
        (None, None) => (0.0, 0.0),
    };
    let some = channel > 0.0 || share > 0.0;
    match (table.entry_of(TOLERANCE), table.has(REASON)) {
        (Some(entry), false) if some => {
            let help = Some("add `reason = \"...\"`: why a smaller one is not possible".to_string());
            resolver.complain_with(code::NO_REASON, entry.key_place, "`tolerance` without a `reason`", help);
        }
        _ if !some => resolver.without_effect(table, REASON, "without a `tolerance` above 0", None),
        _ => {}
    }
    some.then_some(Tolerance { channel, share, reason })
}

/// Scenes to compare with, absolute.
fn files(resolver: &mut Resolver<'_>, table: &Table, key: Key<Vec<String>>) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for (name, place) in table.placed_list(key) {
        if !name.to_lowercase().ends_with(".toml") {
            let help = Some("write the file of a scene, for example \"other.toml\"".to_string());
            resolver.complain_with(code::FORMAT_NOT_YET, place, format!("`{name}` is not a scene file"), help);
            continue;
        }
        out.push(resolver.file_named(name, place));
    }
    out
}

pub(crate) fn print(out: &mut Printer<'_>, test: &Test) {
    let Test { why, tags, aov, moments, matrix, equals, differs, known_failure, tolerance } = test;
    out.heading("[test]");
    out.name(WHY, Some(why.as_str()).filter(|why| !why.is_empty()));
    if !tags.is_empty() {
        out.line(TAGS, tags.clone());
    }
    if !aov.is_empty() {
        out.line(AOV, aov.clone());
    }
    match moments {
        Moments::Own => {}
        Moments::Seconds(all) => out.line(TIMES_S, all.clone()),
        Moments::Frames(all) => out.line(FRAMES, all.clone()),
    }
    if !matrix.is_empty() {
        let axes: Vec<String> =
            matrix.iter().map(|axis| format!("{} = {}", quoted(&axis.name), list(axis.values.clone()))).collect();
        out.write(MATRIX.name(), &format!("{{ {} }}", axes.join(", ")));
    }
    for (key, files) in [(EQUALS, equals), (DIFFERS, differs)] {
        if !files.is_empty() {
            let names: Vec<String> = files.iter().map(|file| out.name_of(file)).collect();
            out.write(key.name(), &list(names));
        }
    }
    out.line(KNOWN_FAILURE, known_failure.clone());
    if let Some(Tolerance { channel, share, reason }) = tolerance {
        let inner = out.inline().with(CHANNEL, *channel).with(SHARE, *share);
        out.write(TOLERANCE.name(), &inner.text());
        out.name(REASON, Some(reason));
    }
}

/// A path as one key: in quotes where it has dots.
fn quoted(path: &str) -> String {
    if path.contains('.') { toml::text(path) } else { path.to_string() }
}

impl Test {
    /// Every combination of the matrix, the last axis fastest; one without edits where there is no matrix.
    pub fn variants(&self) -> Vec<Variant> {
        let mut out = vec![Variant { name: String::new(), edits: Vec::new() }];
        for axis in &self.matrix {
            let longer = |variant: &Variant, value: &String| {
                let mut edits = variant.edits.clone();
                edits.push(format!("{}={value}", axis.path));
                let separator = if variant.name.is_empty() { "" } else { "," };
                Variant { name: format!("{}{separator}{}={}", variant.name, axis.name, value.trim_matches('"')), edits }
            };
            out = out.iter().flat_map(|variant| axis.values.iter().map(move |value| longer(variant, value))).collect();
        }
        for variant in out.iter_mut().filter(|variant| !variant.name.is_empty()) {
            variant.name = format!("[{}]", variant.name);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_is_a_case() {
        let axis = |name: &str, path: &str, values: &[&str]| Axis {
            name: name.into(),
            path: path.into(),
            values: values.iter().map(|v| v.to_string()).collect(),
        };
        let mut test = Test::default();
        assert_eq!(test.variants(), [Variant { name: String::new(), edits: Vec::new() }]);
        test.matrix =
            vec![axis("samples", "output.samples", &["1", "4"]), axis("tonemap", "output.tonemap", &["\"agx\""])];
        let names: Vec<_> = test.variants().into_iter().map(|v| (v.name, v.edits.join(" "))).collect();
        let want = [
            ("[samples=1,tonemap=agx]", "output.samples=1 output.tonemap=\"agx\""),
            ("[samples=4,tonemap=agx]", "output.samples=4 output.tonemap=\"agx\""),
        ];
        assert_eq!(names, want.map(|(a, b)| (a.to_string(), b.to_string())));
    }
}
