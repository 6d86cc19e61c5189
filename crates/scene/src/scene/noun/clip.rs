//! `[[clip]]`: clips under names of the scene's own, and what is known about them.

use std::path::PathBuf;

use stillframe_base::tick::Tick;

use super::model::{ClipChoice, parse_source};
use crate::scene::code;
use crate::scene::key::{Key, List, flag, key, optional, required, rows};
use crate::scene::printer::{Inline, Printer};
use crate::scene::resolver::{Names, OwnNames, Resolver};
use crate::scene::schema::{Constant, Kind, Row, SECONDS, Type, UNIT, kind};
use crate::scene::text::syntax::Table;

pub(crate) static TABLE: Kind = Kind {
    exclusive: &[&[MODEL.name(), FILE.name()], &[SOURCE.name(), FILE.name()]],
    needs: &[&[MODEL.name(), FILE.name()]],
    ..kind(
        "[[clip]]",
        "A named clip for animators and crowds, with its events and markers. It may be in the file of the model that it moves, in the file of another model, or in a `.clip` file. Joints and morph targets of other files are matched by name. A clip without a `[[clip]]` can be played by its name in its model's file.",
        KEYS,
    )
};

const NAME: Key<String> = required("name", Type::Text, "Name for animators and crowds. Must be unique.");
const MODEL: Key<Option<String>> =
    optional("model", Type::Name("model"), "none", "The `[model.NAME]` whose file holds it.");
const FILE: Key<Option<String>> =
    optional("file", Type::File, "none", "A `.clip` file from `anim compress -o` that holds it.");
const SOURCE: Key<Option<String>> =
    optional("source", Type::ClipSource, "its name", "The clip in the file: its name there, or `\"#N\"` (from 0).");
const START_S: Key<Option<f64>> =
    optional("start_s", Type::Number(SECONDS), "its start", "Start of the part to use. Times count from here.");
const END_S: Key<Option<f64>> = optional("end_s", Type::Number(SECONDS), "its end", "End of the part to use.");
const EVENT: Key<List> = optional("event", Type::List(&EVENT_TABLE), "none", "Named moments and spans.");
const MARKER: Key<List> = optional(
    "marker",
    Type::List(&MARKER_TABLE),
    "none",
    "Moments that several clips share, such as a foot touching the ground. Spaces of clips align them.",
);
const RENAME: Key<List> = optional(
    "rename",
    Type::List(&RENAME_TABLE),
    "none",
    "Joints and morph targets whose names differ from the model's.",
);
const STRIP: Key<Vec<String>> = key(
    "strip",
    Type::Texts,
    Constant::Words(&[]),
    "Prefixes of joint and morph target names to ignore, in the clip and in the model: `\"mixamorig:\"`.",
);
const LOOSE_NAMES: Key<bool> = flag(
    "loose_names",
    false,
    "Whether names are compared without case, spaces and the characters `_`, `-`, `.` and `:`.",
);
const RETARGET: Key<bool> = flag(
    "retarget",
    false,
    "For a body of other proportions. The body keeps the lengths of its bones, its joints turn from their rest pose as the clip's joints turn from theirs, and distances scale with the height of the hips. Otherwise joints have the rotations and relative places that they have in the clip's own file.",
);
static KEYS: &[Row] = rows! {
    NAME, MODEL, FILE, SOURCE, START_S, END_S, EVENT, MARKER, RENAME, STRIP, LOOSE_NAMES, RETARGET
};

pub(crate) static RENAME_TABLE: Kind = kind(
    "[[clip.rename]]",
    "`rename = [{ from = \"mixamorig:Hips\", to = \"pelvis\" }]`: joints and morph targets that have another name in the model.",
    RENAME_KEYS,
);

const FROM: Key<String> = required("from", Type::Text, "A joint or morph target of the clip's file. Must be unique.");
const TO: Key<String> =
    required("to", Type::Text, "The joint or morph target of the model that it moves. Must be unique.");
static RENAME_KEYS: &[Row] = rows! { FROM, TO };

const AT: Key<Option<f64>> = optional("at", Type::Number(UNIT), "none", "When, as a share of the clip's length.");
const AT_S: Key<Option<f64>> = optional("at_s", Type::Number(SECONDS), "none", "When, in seconds instead.");
/// When something is, as a share or in seconds.
type When = [Key<Option<f64>>; 2];

pub(crate) static EVENT_TABLE: Kind = Kind {
    exclusive: &[&[AT.name(), AT_S.name()], &[UNTIL.name(), UNTIL_S.name()]],
    needs: &[&[AT.name(), AT_S.name()]],
    ..kind(
        "[[clip.event]]",
        "`event = [{ name = \"left\", at = 0.25 }, { name = \"swing\", at_s = 0.1, until_s = 0.4 }]`: a moment, or a span if it has an end.",
        EVENT_KEYS,
    )
};

const EVENT_NAME: Key<String> = required("name", Type::Text, "Name of the event. Several events may share it.");
const UNTIL: Key<Option<f64>> =
    optional("until", Type::Number(UNIT), "none", "The end of a span, as a share of the clip's length.");
const UNTIL_S: Key<Option<f64>> =
    optional("until_s", Type::Number(SECONDS), "none", "The end of a span, in seconds instead.");
static EVENT_KEYS: &[Row] = rows! { EVENT_NAME, AT, AT_S, UNTIL, UNTIL_S };

pub(crate) static MARKER_TABLE: Kind = Kind {
    exclusive: &[&[AT.name(), AT_S.name()]],
    needs: &[&[AT.name(), AT_S.name()]],
    ..kind(
        "[[clip.marker]]",
        "`marker = [{ name = \"left\", at = 0.0 }, { name = \"right\", at = 0.5 }]`: clips that share a phase need the same names in the same order.",
        MARKER_KEYS,
    )
};

const MARKER_NAME: Key<String> = required("name", Type::Text, "Name of the marker.");
static MARKER_KEYS: &[Row] = rows! { MARKER_NAME, AT, AT_S };

/// Most clips of a scene, and moments and other names of a clip.
const CLIPS_MAX: usize = 4096;
const MOMENTS_MAX: usize = 4096;
const RENAMES_MAX: usize = 4096;

/// `[[clip]]`: a clip of a file under a name of the scene's own, with what is known about it.
///
/// Clips of a model's file that no `[[clip]]` names can be played on it by the names they have there.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneClip {
    pub name: String,
    pub home: ClipHome,
    /// A part of it; from its start and to its end where there is none. Moments count from where the part starts.
    pub part_s: [Option<f64>; 2],
    /// In the order in which they are written.
    pub events: Vec<ClipEvent>,
    /// Moments that clips share which are blended in one phase, such as a foot's contact.
    pub markers: Vec<ClipMarker>,
    /// How a model of another file finds what it moves.
    pub naming: ClipNaming,
}

/// Where a clip is.
#[derive(Clone, Debug, PartialEq)]
pub enum ClipHome {
    /// In the file of a model, by its position in `Scene::models`; there by name or by number.
    Model(usize, ClipChoice),
    /// Alone in a `.clip`, by its absolute path.
    File(PathBuf),
}

/// How joints and shapes of a clip's file are those of another model.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClipNaming {
    /// (in the clip's file, in the model).
    pub renames: Vec<(String, String)>,
    /// What names may begin with that is no part of them.
    pub strip: Vec<String>,
    /// Whether case and some signs are no part of names.
    pub loose: bool,
    /// Whether the model keeps its own proportions.
    pub retarget: bool,
}

/// A named moment of a clip, or a span of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipEvent {
    pub name: String,
    pub at: Moment,
    pub until: Option<Moment>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ClipMarker {
    pub name: String,
    pub at: Moment,
}

/// Where in a clip something is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moment {
    Seconds(f64),
    /// Of the clip's length, 0 to 1: stays where it is when the clip is scaled.
    Share(f64),
}

pub(crate) fn clips(resolver: &mut Resolver<'_>, tree: &Table, models: &Names) -> Vec<SceneClip> {
    let written = resolver.few(tree.list("clip"), CLIPS_MAX, "clips");
    let mut own = OwnNames::new(resolver, written.iter().map(|(_, t)| *t), "clip");
    written.iter().map(|(_, table)| clip(resolver, table, models, &mut own)).collect()
}

fn clip(resolver: &mut Resolver<'_>, table: &Table, models: &Names, own: &mut OwnNames) -> SceneClip {
    let name = own.name(table, "clip");
    let source = table.ask(SOURCE).and_then(|text| parse_source(&text).ok());
    let part_s = [table.ask(START_S), table.ask(END_S)];
    let length_s = part_s[1].map(|end| end - part_s[0].unwrap_or(0.0));
    if length_s.is_some_and(|length| Tick::from_seconds(length) <= Tick::ZERO) {
        let message = format!("the part of clip `{name}` ends at or before its start");
        resolver.complain_of(table, &[END_S.name()], code::WRONG_ORDER, message);
    }
    let mut events = Vec::new();
    for (_, event) in resolver.few(table.rows(EVENT), MOMENTS_MAX, "events of a clip") {
        let at = moment(resolver, event, [AT, AT_S], length_s);
        let until = moment(resolver, event, [UNTIL, UNTIL_S], length_s);
        let ends_first = match (at, until) {
            (Some(Moment::Seconds(at)), Some(Moment::Seconds(until)))
            | (Some(Moment::Share(at)), Some(Moment::Share(until))) => until <= at,
            _ => false,
        };
        if ends_first {
            let keys = [UNTIL.name(), UNTIL_S.name()];
            resolver.complain_of(event, &keys, code::WRONG_ORDER, "the span ends at or before its start");
        }
        events.push(ClipEvent { name: event.ask(EVENT_NAME), at: at.unwrap_or(Moment::Share(0.0)), until });
    }
    let mut markers = Vec::new();
    for (_, marker) in resolver.few(table.rows(MARKER), MOMENTS_MAX, "markers of a clip") {
        let at = moment(resolver, marker, [AT, AT_S], length_s).unwrap_or(Moment::Share(0.0));
        markers.push(ClipMarker { name: marker.ask(MARKER_NAME), at });
    }
    let home = if table.has(FILE) {
        ClipHome::File(clip_file(resolver, table))
    } else {
        ClipHome::Model(
            resolver.name(table, MODEL, models).unwrap_or(0),
            source.unwrap_or_else(|| ClipChoice::Named(name.clone())),
        )
    };
    SceneClip { home, name, part_s, events, markers, naming: naming(resolver, table) }
}

/// A compressed clip.
fn clip_file(resolver: &mut Resolver<'_>, table: &Table) -> PathBuf {
    let file = resolver.file(table, FILE);
    let is_clip = file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("clip"));
    if let (false, false, Some((_, place))) = (is_clip, file.as_os_str().is_empty(), table.placed(FILE)) {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let help = "use `model` (a `[model.NAME]`) and `source` for clips of model files";
        let message = format!("`{name}` is not a .clip file");
        resolver.complain_with(code::FORMAT_NOT_YET, place, message, Some(help.to_string()));
    }
    file
}

fn naming(resolver: &mut Resolver<'_>, table: &Table) -> ClipNaming {
    let written = resolver.few(table.rows(RENAME), RENAMES_MAX, "other names of a clip");
    [FROM, TO].into_iter().for_each(|key| resolver.each_once(&written, key));
    ClipNaming {
        renames: written.iter().map(|(_, table)| (table.ask(FROM), table.ask(TO))).collect(),
        strip: table.ask(STRIP),
        loose: table.ask(LOOSE_NAMES),
        retarget: table.ask(RETARGET),
    }
}

/// The moment under one of two keys; seconds lie within the part's length where that is known.
fn moment(resolver: &mut Resolver<'_>, table: &Table, [share, s]: When, length_s: Option<f64>) -> Option<Moment> {
    if let Some(share) = table.ask(share) {
        return Some(Moment::Share(share));
    }
    let seconds = table.ask(s)?;
    if let Some(length) = length_s.filter(|l| *l > 0.0 && seconds > *l) {
        let message = format!("`{}` is {seconds}, but the clip's part is {length} s long", s.name());
        resolver.complain_of(table, &[s.name()], code::OUT_OF_RANGE, message);
    }
    Some(Moment::Seconds(seconds))
}

pub(crate) fn print(out: &mut Printer<'_>, clip: &SceneClip) {
    let SceneClip { name, home, part_s, events, markers, naming } = clip;
    out.heading("[[clip]]");
    out.name(NAME, Some(name));
    match home {
        ClipHome::Model(model, source) => {
            out.name(MODEL, Some(&out.scene.models[*model].name));
            out.name(SOURCE, Some(&source.words()));
        }
        ClipHome::File(file) => out.file(FILE, file),
    }
    out.line(START_S, part_s[0]);
    out.line(END_S, part_s[1]);
    let row = |event: &ClipEvent| {
        let row = with_moment(out.inline().with(EVENT_NAME, event.name.clone()), [AT, AT_S], event.at);
        match event.until {
            Some(until) => with_moment(row, [UNTIL, UNTIL_S], until),
            None => row,
        }
    };
    let rows: Vec<_> = events.iter().map(row).collect();
    out.rows(EVENT, rows);
    let row =
        |marker: &ClipMarker| with_moment(out.inline().with(MARKER_NAME, marker.name.clone()), [AT, AT_S], marker.at);
    let rows: Vec<_> = markers.iter().map(row).collect();
    out.rows(MARKER, rows);
    let ClipNaming { renames, strip, loose, retarget } = naming;
    let row = |(from, to): &(String, String)| out.inline().with(FROM, from.clone()).with(TO, to.clone());
    let rows: Vec<_> = renames.iter().map(row).collect();
    out.rows(RENAME, rows);
    if !strip.is_empty() {
        out.line(STRIP, strip.clone());
    }
    if *loose {
        out.line(LOOSE_NAMES, true);
    }
    if *retarget {
        out.line(RETARGET, true);
    }
}

fn with_moment<'a>(row: Inline<'a>, [share, seconds]: When, moment: Moment) -> Inline<'a> {
    match moment {
        Moment::Share(at) => row.with(share, Some(at)),
        Moment::Seconds(at_s) => row.with(seconds, Some(at_s)),
    }
}
