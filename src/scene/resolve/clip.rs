//! `[[clip]]`.

use stillframe_base::tick::Tick;

use super::super::animator::parse_source;
use super::super::syntax::Table;
use super::super::{ClipChoice, ClipEvent, ClipMarker, Moment, SceneClip, code};
use super::own_names::OwnNames;
use super::{Names, Resolver, ask};

/// Most clips of a scene, and moments of a clip.
const CLIPS_MAX: usize = 4096;
const MOMENTS_MAX: usize = 4096;

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
    SceneClip {
        model: resolver.name(table, "model", "model", code::UNKNOWN_MODEL, models).unwrap_or(0),
        source: source.unwrap_or_else(|| ClipChoice::Named(name.clone())),
        name,
        part_s,
        events,
        markers,
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
