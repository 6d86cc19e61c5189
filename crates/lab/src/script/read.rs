//! Read: from text to a [`Script`], or everything that is wrong with it.

use std::ops::Range;
use std::path::Path;

use stillframe_anim::time::{AtEnd, Event, Mode, Playback, Position, Repeat, Speed};
use stillframe_base::tick::{TICKS_PER_SECOND, Tick};
use stillframe_oracle::{Case, Op, SUB, Script};
use toml_edit::Document;

use super::code as own;
use super::exact::Exact;
use super::keys::{At, Element, Found, Table, near};
use crate::scene::{code, toml_document};
use crate::source::{Diagnostic, sort};

/// Largest script file.
pub const TEXT_MAX_BYTES: u64 = 1_000_000;
/// Steps of a script, repeated ones counted each.
pub const OPS_MAX: usize = 100_000;
const EVENTS_MAX: usize = 1000;

/// A script that can be played, and where its parts stand in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    pub script: Script,
    /// Of each event; `#0` and so on where none is written.
    pub names: Vec<String>,
    /// Of each operation: the step in the text.
    pub places: Vec<Range<usize>>,
}

/// What numbers of time are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Ticks,
    Seconds,
    Frames,
    Percent,
}

const UNITS: [(&str, Unit); 4] =
    [("ticks", Unit::Ticks), ("s", Unit::Seconds), ("frames", Unit::Frames), ("percent", Unit::Percent)];

/// Reads a script.
///
/// Errors: all mistakes of the text at once, in its order.
pub fn read(text: &str, file: &Path) -> Result<Loaded, Vec<Diagnostic>> {
    let document = document(text, file, "script")?;
    let mut found = Found { file, text, list: Vec::new() };
    let whole = Table { table: document.as_table(), place: 0..text.len().min(1) };
    let loaded = script(&whole, &mut found);
    let mut list = found.list;
    sort(&mut list);
    match loaded {
        Some(loaded) if list.is_empty() => Ok(loaded),
        _ => Err(list),
    }
}

/// The TOML of a text; `what` it is.
pub(crate) fn document<'a>(text: &'a str, file: &Path, what: &str) -> Result<Document<&'a str>, Vec<Diagnostic>> {
    if text.len() as u64 > TEXT_MAX_BYTES {
        let message = format!("the {what} is larger than {TEXT_MAX_BYTES} bytes");
        return Err(vec![Diagnostic::error(code::TOO_MUCH, file, message)]);
    }
    toml_document(text, &mut 0).map_err(|error| {
        let code = if error.is_too_much { code::TOO_MUCH } else { code::SYNTAX };
        vec![Diagnostic::error(code, file, error.message).at(error.span)]
    })
}

/// The clip's length in ticks, and how long a frame is: what units mean.
#[derive(Clone, Copy)]
struct Scale {
    start: Tick,
    length: i128,
    frames_per_second: Exact,
}

impl Scale {
    /// Ticks from the clip's time 0. Percents count from the clip's start.
    fn ticks(&self, number: Exact, unit: Unit) -> Option<Exact> {
        let ticks = match unit {
            Unit::Ticks => number,
            Unit::Seconds => number.times(Exact::whole(i128::from(TICKS_PER_SECOND)))?,
            Unit::Frames => {
                number.times(Exact::whole(i128::from(TICKS_PER_SECOND)))?.divided_by(self.frames_per_second)?
            }
            Unit::Percent => {
                let way = number.times(Exact::whole(self.length))?.divided_by(Exact::whole(100))?;
                way.plus(Exact::whole(i128::from(self.start.0)))?
            }
        };
        Some(ticks)
    }

    /// The nearest tick; a percent rounds down, as [`Event::share`] does.
    fn tick(&self, at: &At<'_>, unit: Unit, found: &mut Found<'_>) -> Option<Tick> {
        let ticks = self.ticks(found.exact(at)?, unit);
        let whole = ticks.map(|ticks| if unit == Unit::Percent { ticks.floor() } else { ticks.nearest() });
        let tick = whole.and_then(|ticks| i64::try_from(ticks).ok()).map(Tick);
        if tick.is_none() {
            found.tell(code::OUT_OF_RANGE, at.place.clone(), "the time is more than 414 years");
        }
        tick
    }

    /// The nearest sub-tick.
    fn position(&self, at: &At<'_>, unit: Unit, found: &mut Found<'_>) -> Option<Position> {
        let ticks = self.ticks(found.exact(at)?, unit);
        let sub_ticks = ticks.and_then(|ticks| ticks.times(Exact::whole(SUB)));
        let position = sub_ticks.and_then(|sub_ticks| Position::new(sub_ticks.nearest()).ok());
        if position.is_none() {
            found.tell(code::OUT_OF_RANGE, at.place.clone(), "the position is beyond 2^104 ticks");
        }
        position
    }
}

fn unit_keys(stem: &str) -> Vec<String> {
    UNITS.iter().map(|(unit, _)| format!("{stem}_{unit}")).collect()
}

/// A time under `stem_ticks`, `stem_s`, ...
fn timed<'a>(table: &Table<'a>, stem: &str, found: &mut Found<'a>) -> Option<(At<'a>, Unit)> {
    table.one_of(&unit_keys(stem), found).map(|(index, at)| (at, UNITS[index].1))
}

fn known<'k>(plain: &[&'k str], timed: &'k [Vec<String>]) -> Vec<&'k str> {
    plain.iter().copied().chain(timed.iter().flatten().map(String::as_str)).collect()
}

fn script<'a>(whole: &Table<'a>, found: &mut Found<'a>) -> Option<Loaded> {
    whole.only(&["title", "fps", "clip", "playback", "run"], found);
    if let Some(title) = whole.value("title", found) {
        found.text_of(&title);
    }
    let mut frames_per_second = Exact::whole(30);
    if let Some(at) = whole.value("fps", found)
        && let Some(rate) = found.exact(&at)
    {
        frames_per_second = rate;
        if !rate.is_positive() {
            found.tell(code::OUT_OF_RANGE, at.place, "expected a rate above 0 frames per second");
            frames_per_second = Exact::whole(30);
        }
    }
    let clip = whole.child("clip", found);
    if clip.is_none() && whole.table.get("clip").is_none() {
        let help = Some("add `[clip]` with `length_s = 1.0`".to_string());
        found.tell_help(code::MISSING_KEY, whole.place.clone(), "the script needs a clip".into(), help);
    }
    let clip = clip?;
    let scale = clip_scale(&clip, frames_per_second, found)?;
    let (events, names) = events(&clip, &scale, found);
    let (playback, speed, armed) = playback(whole.child("playback", found), &scale, found)?;
    let (mut ops, mut places) = (Vec::new(), Vec::new());
    if let Some(run) = whole.child("run", found) {
        run.only(&["steps"], found);
        for element in run.list("steps", found) {
            step(element, &scale, &names, &mut ops, &mut places, found);
        }
    }
    Some(Loaded { script: Script { case: Case { playback, events }, speed, armed, ops }, names, places })
}

fn clip_scale<'a>(clip: &Table<'a>, frames_per_second: Exact, found: &mut Found<'a>) -> Option<Scale> {
    clip.only(&known(&["events"], &[unit_keys("start"), unit_keys("length")]), found);
    let mut scale = Scale { start: Tick::ZERO, length: 0, frames_per_second };
    if let Some((at, unit)) = not_percent(timed(clip, "start", found), found) {
        scale.start = scale.tick(&at, unit, found)?;
    }
    let Some((at, unit)) = not_percent(timed(clip, "length", found), found) else {
        let help = Some("add `length_s`, `length_frames` or `length_ticks`".to_string());
        found.tell_help(code::MISSING_KEY, clip.place.clone(), "the clip needs a length".into(), help);
        return None;
    };
    // A clip may be as long as all ticks, which is one bit more than a tick holds.
    let length = scale.ticks(found.exact(&at)?, unit).map(Exact::nearest);
    let end = length.filter(|length| *length >= 0).and_then(|length| length.checked_add(i128::from(scale.start.0)));
    match (length, end.map(i64::try_from)) {
        (Some(length), Some(Ok(_))) => scale.length = length,
        _ => {
            found.tell(code::OUT_OF_RANGE, at.place, "expected a length of 0 to 414 years");
            return None;
        }
    }
    Some(scale)
}

/// Shares of a clip mean nothing before it has a length.
fn not_percent<'a>(timed: Option<(At<'a>, Unit)>, found: &mut Found<'a>) -> Option<(At<'a>, Unit)> {
    if let Some((at, Unit::Percent)) = &timed {
        found.tell(code::UNKNOWN_KEY, at.place.clone(), "percentages are of the clip's length");
        return None;
    }
    timed
}

/// Events in the order in which they begin, each with its name.
fn events<'a>(clip: &Table<'a>, scale: &Scale, found: &mut Found<'a>) -> (Vec<Event>, Vec<String>) {
    let mut out: Vec<(Event, String)> = Vec::new();
    let stems = [unit_keys("at"), unit_keys("from"), unit_keys("to")];
    let end = i128::from(scale.start.0) + scale.length;
    for (number, element) in clip.list("events", found).into_iter().enumerate() {
        let table = match element {
            Element::Table(table) => table,
            Element::Value(at) => {
                found.tell(code::WRONG_TYPE, at.place, "expected an event such as `{ name = \"step\", at_s = 0.5 }`");
                continue;
            }
        };
        if number == EVENTS_MAX {
            found.tell(code::TOO_MUCH, table.place, format!("more than {EVENTS_MAX} events"));
            break;
        }
        table.only(&known(&["name"], &stems), found);
        let mut name = format!("#{number}");
        if let Some(at) = table.value("name", found)
            && let Some(own) = found.text_of(&at)
        {
            if own.is_empty() || own.starts_with('#') {
                found.tell(code::EMPTY_NAME, at.place, "expected a name that is neither empty nor a number");
            } else if out.iter().any(|(_, known)| *known == own) {
                found.tell(code::NAME_TWICE, at.place, format!("the event \"{own}\" exists already"));
            }
            name = own;
        }
        let tick = |stem: &str, found: &mut Found<'a>| {
            let (at, unit) = timed(&table, stem, found)?;
            Some((scale.tick(&at, unit, found)?, at.place))
        };
        let complaints = found.list.len();
        let (at, from, to) = (tick("at", found), tick("from", found), tick("to", found));
        let event = match (at, from, to) {
            (Some((at, _)), None, None) => Event::point(at),
            (None, Some((from, place)), Some((to, _))) if from > to => {
                found.tell(own::EVENT_OUTSIDE, place, "the event ends before it starts");
                continue;
            }
            (None, Some((from, _)), Some((to, _))) => Event::span(from, to),
            _ => {
                if found.list.len() == complaints {
                    let message = "an event needs `at_s`, or both `from_s` and `to_s` (or _ticks, _frames, _percent)";
                    found.tell(code::MISSING_KEY, table.place, message);
                }
                continue;
            }
        };
        if event.begin < scale.start || i128::from(event.end.0) > end {
            found.tell(own::EVENT_OUTSIDE, table.place, "the event is outside its clip");
            continue;
        }
        out.push((event, name));
    }
    out.sort_by_key(|(event, _)| event.begin);
    out.into_iter().unzip()
}

fn playback<'a>(table: Option<Table<'a>>, scale: &Scale, found: &mut Found<'a>) -> Option<(Playback, Speed, bool)> {
    let end = Tick((i128::from(scale.start.0) + scale.length) as i64);
    let mut playback = Playback::new(scale.start, end, Mode::Clamp);
    let (mut speed, mut armed) = (Speed::ONE, true);
    let Some(table) = table else { return Some((playback, speed, armed)) };
    let stems = [unit_keys("window"), unit_keys("phase")];
    table.only(&known(&["mode", "repeat", "reverse", "at_end", "speed", "armed"], &stems), found);
    if let Some((at, unit)) = timed(&table, "window", found) {
        let ends: Vec<Tick> = match at.value.as_array() {
            Some(values) => {
                let one = |value| At { value, place: value.span().unwrap_or(at.place.clone()) };
                values.iter().map(one).filter_map(|at| scale.tick(&at, unit, found)).collect()
            }
            None => Vec::new(),
        };
        match ends[..] {
            [min, max] if min <= max => (playback.min, playback.max) = (min, max),
            [_, _] => {
                found.tell(code::WRONG_ORDER, at.place, "the window ends before it starts");
            }
            _ => {
                found.tell(code::WRONG_COUNT, at.place, "expected a list of two times");
            }
        }
        playback.phase = Position::of_tick(playback.min);
    }
    if let Some((at, unit)) = timed(&table, "phase", found) {
        playback.phase = scale.position(&at, unit, found).unwrap_or_default();
    }
    let mut repeat = Repeat::Forever;
    let repeat_at = table.value("repeat", found);
    if let Some(at) = &repeat_at
        && let Some(times) = found.whole(at, 1..=i64::from(u32::MAX))
    {
        repeat = Repeat::Times(times as u32);
    }
    if let Some(at) = table.value("mode", found) {
        let modes = [
            ("once", Mode::Once),
            ("clamp", Mode::Clamp),
            ("loop", Mode::Loop(repeat)),
            ("ping-pong", Mode::PingPong(repeat)),
        ];
        playback.mode = found.word(&at, &modes).unwrap_or_default();
    }
    if let Some(at) = repeat_at.filter(|_| matches!(playback.mode, Mode::Once | Mode::Clamp)) {
        found.tell(code::WITHOUT_EFFECT, at.place, "only `loop` and `ping-pong` can repeat");
    }
    if let Some(at) = table.value("at_end", found) {
        playback.at_end = found.word(&at, &[("stop", AtEnd::Stop), ("run-on", AtEnd::RunOn)]).unwrap_or_default();
    }
    let flag = |key: &str, value: &mut bool, found: &mut Found<'a>| {
        if let Some(at) = table.value(key, found) {
            *value = found.flag(&at).unwrap_or(*value);
        }
    };
    flag("reverse", &mut playback.reverse, found);
    flag("armed", &mut armed, found);
    if let Some(at) = table.value("speed", found) {
        speed = speed_of(&at, found).unwrap_or_default();
    }
    Some((playback, speed, armed))
}

fn speed_of(at: &At<'_>, found: &mut Found<'_>) -> Option<Speed> {
    let raw = found.exact(at)?.times(Exact::whole(SUB)).map(Exact::nearest);
    let speed = raw.and_then(|raw| i64::try_from(raw).ok()).map(Speed::raw);
    if speed.is_none() {
        found.tell(code::OUT_OF_RANGE, at.place.clone(), "expected a speed of at most 2^47");
    }
    speed
}

const WORDS: [(&str, Op); 3] = [("pause", Op::Pause(true)), ("resume", Op::Pause(false)), ("play", Op::Play)];

fn step<'a>(
    element: Element<'a>,
    scale: &Scale,
    names: &[String],
    ops: &mut Vec<Op>,
    places: &mut Vec<Range<usize>>,
    found: &mut Found<'a>,
) {
    let (op, times, place) = match element {
        Element::Value(at) => (found.word(&at, &WORDS), 1, at.place),
        Element::Table(table) => {
            let stems = [unit_keys("step"), unit_keys("leap"), unit_keys("seek"), unit_keys("scrub")];
            let keys: Vec<String> = stems.iter().flatten().cloned().chain(["speed".to_string()]).collect();
            table.only(&known(&["speed", "until", "times"], &stems), found);
            let times = table.value("times", found).and_then(|at| found.whole(&at, 1..=OPS_MAX as i64)).unwrap_or(1);
            let op = match table.one_of(&keys, found) {
                Some((index, at)) => one_step(index, &at, &table, scale, names, found),
                None => {
                    let message = "expected `step_s`, `leap_s`, `seek_s`, `scrub_s` (or _ticks, _frames) or `speed`";
                    found.tell(code::MISSING_KEY, table.place.clone(), message);
                    None
                }
            };
            (op, times as usize, table.place)
        }
    };
    let Some(op) = op else { return };
    if ops.len() + times > OPS_MAX {
        // Once is enough.
        if !found.list.iter().any(|complaint| complaint.code == code::TOO_MUCH) {
            found.tell(code::TOO_MUCH, place, format!("more than {OPS_MAX} steps"));
        }
        return;
    }
    ops.extend(std::iter::repeat_n(op, times));
    places.extend(std::iter::repeat_n(place, times));
}

/// The operation under key `index`: four units of each of four stems, then the speed.
fn one_step<'a>(
    index: usize,
    at: &At<'a>,
    table: &Table<'a>,
    scale: &Scale,
    names: &[String],
    found: &mut Found<'a>,
) -> Option<Op> {
    let until = table.value("until", found);
    if let Some(until) = until.as_ref().filter(|_| index / UNITS.len() != 0) {
        found.tell(code::WITHOUT_EFFECT, until.place.clone(), "only steps can have `until`");
    }
    let Some((_, unit)) = UNITS.get(index % UNITS.len()).filter(|_| index < 4 * UNITS.len()) else {
        return speed_of(at, found).map(Op::Speed);
    };
    if index / UNITS.len() >= 2 {
        let place = scale.position(at, *unit, found)?;
        return Some(if index / UNITS.len() == 2 { Op::Seek(place) } else { Op::Scrub(place) });
    }
    // Spans of time have no start.
    let span = Scale { start: Tick::ZERO, ..*scale };
    let step = span.tick(at, *unit, found)?;
    if step < Tick::ZERO {
        let help = Some("use a negative `speed` to play backward".to_string());
        found.tell_help(code::OUT_OF_RANGE, at.place.clone(), "time cannot run backward".into(), help);
        return None;
    }
    if index / UNITS.len() == 1 {
        return Some(Op::Leap(step.0));
    }
    let Some(until) = until else { return Some(Op::Step(step.0)) };
    let name = found.text_of(&until)?;
    match names.iter().position(|known| *known == name) {
        Some(event) => Some(Op::Until(step.0, event as u32)),
        None => {
            let help = near(&name, names.iter().map(String::as_str));
            found.tell_help(own::UNKNOWN_EVENT, until.place, format!("no event \"{name}\""), help);
            None
        }
    }
}
