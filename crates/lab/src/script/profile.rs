//! Profile: the file that says what a controller can do and what it reports, as a [`Profile`].

use std::path::Path;

use stillframe_anim::time::AtEnd;
use stillframe_base::tick::TICKS_PER_SECOND;
use stillframe_oracle::{Clock, Drawn, ModeKind, OpKind, Profile, Reports, Speeds, Start};

use super::exact::Exact;
use super::keys::{At, Element, Found, Table};
use super::read::document;
use crate::scene::code;
use crate::source::{Diagnostic, sort};

const MODES: [(&str, ModeKind); 4] =
    [("once", ModeKind::Once), ("clamp", ModeKind::Clamp), ("loop", ModeKind::Loop), ("ping-pong", ModeKind::PingPong)];

const OPERATIONS: [(&str, OpKind); 8] = [
    ("step", OpKind::Step),
    ("speed", OpKind::Speed),
    ("seek", OpKind::Seek),
    ("pause", OpKind::Pause),
    ("scrub", OpKind::Scrub),
    ("until", OpKind::Until),
    ("leap", OpKind::Leap),
    ("play", OpKind::Play),
];

/// What a player may report.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Report {
    Position,
    Places,
    Laps,
    Ends,
    Ties,
}

const REPORTS: [(&str, Report); 5] = [
    ("position", Report::Position),
    ("places", Report::Places),
    ("laps", Report::Laps),
    ("ends", Report::Ends),
    ("ties", Report::Ties),
];

/// Reads a profile.
///
/// Errors: all mistakes of the text at once, in its order.
pub fn read_profile(text: &str, file: &Path) -> Result<Profile, Vec<Diagnostic>> {
    let document = document(text, file, "profile")?;
    let mut found = Found { file, text, list: Vec::new() };
    let whole = Table { table: document.as_table(), place: 0..text.len().min(1) };
    let profile = profile(&whole, &mut found);
    let mut list = found.list;
    sort(&mut list);
    if list.is_empty() { Ok(profile) } else { Err(list) }
}

fn profile<'a>(whole: &Table<'a>, found: &mut Found<'a>) -> Profile {
    whole.only(&["title", "time", "draw", "compare"], found);
    if let Some(title) = whole.value("title", found) {
        found.text_of(&title);
    }
    let mut profile = Profile::default();
    if let Some(at) = whole.value("time", found)
        && let Some(Clock::Seconds) = found.word(&at, &[("ticks", Clock::Ticks), ("seconds", Clock::Seconds)])
    {
        profile = Profile::seconds();
    }
    let (compare, draw) = (whole.child("compare", found), whole.child("draw", found));
    if let Some(table) = &compare {
        table.only(&["tolerance_ticks", "tolerance_s", "reports"], found);
        let keys = ["tolerance_ticks", "tolerance_s"].map(str::to_string);
        if let Some((unit, at)) = table.one_of(&keys, found)
            && let Some(ticks) = ticks(unit, &at, found)
        {
            profile.tolerance_ticks = ticks;
            if !(0..=TICKS_PER_SECOND).contains(&ticks) {
                found.tell(code::OUT_OF_RANGE, at.place, "expected a tolerance of 0 to 1 second");
                return profile;
            }
        }
        if let Some(reports) = words(table, "reports", &REPORTS, found) {
            let has = |what| reports.contains(&what);
            profile.reports = Reports {
                position: has(Report::Position),
                places: has(Report::Places),
                laps: has(Report::Laps),
                ends: has(Report::Ends),
                ties: has(Report::Ties),
            };
        }
    }
    let mut place = compare.map_or(0..0, |table| table.place);
    if let Some(table) = draw {
        drawn(&table, &mut profile.drawn, found);
        place = table.place;
    }
    // Whatever else is wrong was told.
    if found.list.is_empty()
        && let Err(why) = profile.validate()
    {
        found.tell(code::OUT_OF_RANGE, place, why);
    }
    profile
}

fn drawn<'a>(table: &Table<'a>, drawn: &mut Drawn, found: &mut Found<'a>) {
    let lists = ["modes", "operations", "at_end"];
    let flags = ["repeat", "reverse", "events", "spans", "windows", "outside", "long_steps"];
    let lengths = ["length_ticks", "length_s"];
    table.only(&[&lists[..], &flags, &["speeds", "start"], &lengths].concat(), found);
    drawn.modes = some(words(table, "modes", &MODES, found), table, "modes", found).unwrap_or(drawn.modes.clone());
    let operations = words(table, "operations", &OPERATIONS, found);
    drawn.operations = some(operations, table, "operations", found).unwrap_or(drawn.operations.clone());
    let at_end = words(table, "at_end", &[("stop", AtEnd::Stop), ("run-on", AtEnd::RunOn)], found);
    drawn.at_end = some(at_end, table, "at_end", found).unwrap_or(drawn.at_end.clone());
    let fields = [
        &mut drawn.repeats,
        &mut drawn.reverse,
        &mut drawn.events,
        &mut drawn.spans,
        &mut drawn.windows,
        &mut drawn.line,
        &mut drawn.long_steps,
    ];
    for (key, flag) in flags.into_iter().zip(fields) {
        if let Some(at) = table.value(key, found) {
            *flag = found.flag(&at).unwrap_or(*flag);
        }
    }
    if let Some(at) = table.value("speeds", found) {
        let speeds = [("any", Speeds::Any), ("forward", Speeds::Forward), ("one", Speeds::One)];
        drawn.speeds = found.word(&at, &speeds).unwrap_or_default();
    }
    if let Some(at) = table.value("start", found) {
        let starts = [("any", Start::Any), ("fires", Start::Fires), ("silent", Start::Silent)];
        drawn.start = found.word(&at, &starts).unwrap_or_default();
    }
    if let Some((unit, at)) = table.one_of(&lengths.map(str::to_string), found) {
        let ends: Vec<i64> = match at.value.as_array() {
            Some(values) => {
                let one = |value| At { value, place: value.span().unwrap_or(at.place.clone()) };
                values.iter().map(one).filter_map(|at| ticks(unit, &at, found)).collect()
            }
            None => Vec::new(),
        };
        match ends[..] {
            [shortest, longest] => drawn.length_ticks = [shortest, longest],
            _ => drop(found.tell(code::WRONG_COUNT, at.place, "expected the shortest and the longest length")),
        }
    }
}

/// Ticks, from ticks (0) or seconds (1).
fn ticks(unit: usize, at: &At<'_>, found: &mut Found<'_>) -> Option<i64> {
    let scale = if unit == 0 { 1 } else { i128::from(TICKS_PER_SECOND) };
    let ticks = found.exact(at)?.times(Exact::whole(scale)).map(Exact::nearest);
    let ticks = ticks.and_then(|ticks| i64::try_from(ticks).ok());
    if ticks.is_none() {
        found.tell(code::OUT_OF_RANGE, at.place.clone(), "the time is more than 414 years");
    }
    ticks
}

/// A list of words.
pub(crate) fn words<'a, T: Copy>(
    table: &Table<'a>,
    key: &str,
    words: &[(&str, T)],
    found: &mut Found<'a>,
) -> Option<Vec<T>> {
    table.table.get(key)?;
    let list = table.list(key, found);
    let mut out = Vec::new();
    for element in list {
        match element {
            Element::Value(at) => out.extend(found.word(&at, words)),
            Element::Table(table) => drop(found.tell(code::WRONG_TYPE, table.place, "expected a text")),
        }
    }
    Some(out)
}

/// A list that must not be empty; one that is leaves what there was.
pub(crate) fn some<'a, T>(list: Option<Vec<T>>, table: &Table<'a>, key: &str, found: &mut Found<'a>) -> Option<Vec<T>> {
    let list = list?;
    if list.is_empty() && found.list.is_empty() {
        let place = table.value(key, found).map_or(table.place.clone(), |at| at.place);
        found.tell(code::WRONG_COUNT, place, format!("`{key}` has nothing to draw from"));
    }
    if list.is_empty() { None } else { Some(list) }
}
