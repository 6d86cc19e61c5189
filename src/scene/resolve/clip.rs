//! `[[clip]]`.

use std::path::PathBuf;

use stillframe_base::tick::Tick;

use super::super::syntax::Table;
use super::super::words::parse_source;
use super::super::{ClipChoice, ClipEvent, ClipHome, ClipMarker, ClipNaming, Moment, SceneClip, code};
use super::own_names::OwnNames;
use super::{Names, Resolver, ask};

/// Most clips of a scene, and moments and other names of a clip.
const CLIPS_MAX: usize = 4096;
const MOMENTS_MAX: usize = 4096;
const RENAMES_MAX: usize = 4096;

pub(super) fn clips(resolver: &mut Resolver<'_>, tree: &Table, models: &Names) -> Vec<SceneClip> {
    let written = resolver.few(tree.list("clip"), CLIPS_MAX, "clips");
    let mut own = OwnNames::new(resolver, written.iter().map(|(_, t)| *t), "clip");
    written.iter().map(|(_, table)| clip(resolver, table, models, &mut own)).collect()
}

fn clip(resolver: &mut Resolver<'_>, table: &Table, models: &Names, own: &mut OwnNames) -> SceneClip {
    let name = own.name(table, "clip");
    let source = ask::text(table, "source").and_then(|text| parse_source(text).ok());
    let part_s = [ask::number(table, "start_s"), ask::number(table, "end_s")];
    let length_s = part_s[1].map(|end| end - part_s[0].unwrap_or(0.0));
    let is_short = length_s.is_some_and(|length| Tick::from_seconds(length) <= Tick::ZERO);
    if let (true, Some(entry)) = (is_short, table.entry("end_s")) {
        let message = format!("the part of clip `{name}` ends where it begins, or before");
        resolver.complain(code::WRONG_ORDER, entry.value.place, message);
    }
    let mut events = Vec::new();
    for (_, event) in resolver.few(table.list("event"), MOMENTS_MAX, "events of a clip") {
        let at = moment(resolver, event, ["at", "at_s"], length_s);
        let until = moment(resolver, event, ["until", "until_s"], length_s);
        let ends_first = match (at, until) {
            (Some(Moment::Seconds(at)), Some(Moment::Seconds(until)))
            | (Some(Moment::Share(at)), Some(Moment::Share(until))) => until <= at,
            _ => false,
        };
        if let (true, Some(entry)) = (ends_first, event.entry("until").or(event.entry("until_s"))) {
            resolver.complain(code::WRONG_ORDER, entry.value.place, "the span ends where it begins, or before");
        }
        let name = ask::text(event, "name").unwrap_or_default().to_string();
        events.push(ClipEvent { name, at: at.unwrap_or(Moment::Share(0.0)), until });
    }
    let mut markers = Vec::new();
    for (_, marker) in resolver.few(table.list("marker"), MOMENTS_MAX, "markers of a clip") {
        let at = moment(resolver, marker, ["at", "at_s"], length_s).unwrap_or(Moment::Share(0.0));
        markers.push(ClipMarker { name: ask::text(marker, "name").unwrap_or_default().to_string(), at });
    }
    let home = match table.entry("file") {
        Some(_) => ClipHome::File(clip_file(resolver, table)),
        None => ClipHome::Model(
            resolver.name(table, "model", "model", code::UNKNOWN_MODEL, models).unwrap_or(0),
            source.unwrap_or_else(|| ClipChoice::Named(name.clone())),
        ),
    };
    SceneClip { home, name, part_s, events, markers, naming: naming(resolver, table) }
}

/// A compressed clip.
fn clip_file(resolver: &mut Resolver<'_>, table: &Table) -> PathBuf {
    let file = resolver.file(table, "file");
    let is_clip = file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("clip"));
    if let (false, false, Some((_, place))) = (is_clip, file.as_os_str().is_empty(), ask::placed_text(table, "file")) {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let help = "clips of model files are named by `model`, a `[model.NAME]`, and `source`";
        let message = format!("`{name}` is no .clip");
        resolver.complain_with(code::FORMAT_NOT_YET, place, message, Some(help.to_string()));
    }
    file
}

fn naming(resolver: &mut Resolver<'_>, table: &Table) -> ClipNaming {
    let written = resolver.few(table.list("rename"), RENAMES_MAX, "other names of a clip");
    ["from", "to"].into_iter().for_each(|key| resolver.each_once(&written, key));
    let name = |table: &Table, key: &str| ask::text(table, key).unwrap_or_default().to_string();
    ClipNaming {
        renames: written.iter().map(|(_, table)| (name(table, "from"), name(table, "to"))).collect(),
        strip: ask::texts(table, "strip"),
        loose: ask::flag(table, "loose_names").unwrap_or(false),
        retarget: ask::flag(table, "retarget").unwrap_or(false),
    }
}

/// The moment under one of two keys: a share, or seconds, which lie within the part's length where that is known.
fn moment(resolver: &mut Resolver<'_>, table: &Table, keys: [&str; 2], length_s: Option<f64>) -> Option<Moment> {
    if let Some(share) = ask::number(table, keys[0]) {
        return Some(Moment::Share(share));
    }
    let seconds = ask::number(table, keys[1])?;
    if let (Some(length), Some(entry)) = (length_s.filter(|l| *l > 0.0 && seconds > *l), table.entry(keys[1])) {
        let message = format!("`{}` is {seconds}, but the clip's part is {length} s long", keys[1]);
        resolver.complain(code::OUT_OF_RANGE, entry.value.place, message);
    }
    Some(Moment::Seconds(seconds))
}
