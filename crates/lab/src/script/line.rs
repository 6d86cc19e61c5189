//! Lines: a script, what is done, and what came of it, as JSON. `anim run --json` prints them, `anim run --against`
//! reads them, and `fuzz time --player` speaks them with a program; docs/fuzzing.md describes them.
//!
//! Positions are ticks, rounded down, under `_ticks` and the rest in 65536ths under `_sub`; or seconds under `_s`,
//! where a profile counts so.

use serde_json::{Map, Value, json};
use stillframe_anim::time::{AtEnd, Mode, Position, Repeat, SUB_TICKS_PER_TICK, Signal, Speed};
use stillframe_base::tick::TICKS_PER_SECOND;
use stillframe_oracle::{Answer, Clock, Entry, Heard, Op, Profile, SUB, Script};

use super::play::Row;

/// Fields of a line.
pub type Line = Map<String, Value>;

/// What an operation is called.
pub fn verb(op: &Op) -> &'static str {
    match op {
        Op::Step(_) | Op::Until(..) => "step",
        Op::Leap(_) => "leap",
        Op::Speed(_) => "speed",
        Op::Seek(_) => "seek",
        Op::Scrub(_) => "scrub",
        Op::Pause(true) => "pause",
        Op::Pause(false) => "resume",
        Op::Play => "play",
    }
}

/// What happened, and to which event.
pub fn signal(signal: Signal, names: &[String]) -> (&'static str, Option<&str>) {
    let name = |event: u32| Some(names[event as usize].as_str());
    match signal {
        Signal::Point(event) => ("point", name(event)),
        Signal::Enter(event) => ("enter", name(event)),
        Signal::Leave(event) => ("leave", name(event)),
        Signal::Lap => ("lap", None),
        Signal::Finish => ("finish", None),
    }
}

/// A number; as text where readers of JSON would lose its digits.
fn number(number: i128) -> Value {
    i64::try_from(number).map_or_else(|_| number.to_string().into(), Value::from)
}

/// Sub-ticks as seconds. What a profile in seconds draws is exact.
fn seconds(sub_ticks: i128) -> Value {
    json!(sub_ticks as f64 / SUB as f64 / TICKS_PER_SECOND as f64)
}

/// A position, by the names that begin with `stem`.
fn put_position(line: &mut Line, stem: &str, sub_ticks: i128, clock: Clock) {
    match clock {
        Clock::Ticks => {
            line.insert(format!("{stem}_ticks"), number(sub_ticks.div_euclid(SUB_TICKS_PER_TICK)));
            line.insert(format!("{stem}_sub"), number(sub_ticks.rem_euclid(SUB_TICKS_PER_TICK)));
        }
        Clock::Seconds => drop(line.insert(format!("{stem}_s"), seconds(sub_ticks))),
    }
}

/// The name and the value of whole ticks.
fn ticks(stem: &str, ticks: i64, clock: Clock) -> (String, Value) {
    match clock {
        Clock::Ticks => (format!("{stem}_ticks"), ticks.into()),
        Clock::Seconds => (format!("{stem}_s"), seconds(i128::from(ticks) * SUB)),
    }
}

fn put_speed(line: &mut Line, speed: Speed, clock: Clock) {
    let raw = speed.sub_ticks_per_tick;
    match clock {
        Clock::Ticks => line.insert("speed_sub".into(), raw.into()),
        Clock::Seconds => line.insert("speed".into(), json!(raw as f64 / SUB as f64)),
    };
}

/// The script itself: its clip, and how it is played. Of an event, the begin and the end.
pub fn heading(script: &Script, names: &[String], clock: Clock) -> Line {
    let playback = script.case.playback;
    let (mode, repeat) = match playback.mode {
        Mode::Once => ("once", Repeat::Times(1)),
        Mode::Clamp => ("clamp", Repeat::Times(1)),
        Mode::Loop(repeat) => ("loop", repeat),
        Mode::PingPong(repeat) => ("ping-pong", repeat),
    };
    let repeat = match repeat {
        Repeat::Times(times) => times.into(),
        Repeat::Forever => Value::Null,
    };
    let at_end = match playback.at_end {
        AtEnd::Stop => "stop",
        AtEnd::RunOn => "run-on",
    };
    let pair = |a: i64, b: i64| Value::from(vec![ticks("", a, clock).1, ticks("", b, clock).1]);
    let events: Vec<Value> = script.case.events.iter().map(|event| pair(event.begin.0, event.end.0)).collect();
    let mut line = Line::new();
    line.insert("ticks_per_second".into(), TICKS_PER_SECOND.into());
    line.insert("sub_ticks_per_tick".into(), (SUB_TICKS_PER_TICK as i64).into());
    line.insert("events".into(), names.into());
    line.insert(ticks("event", 0, clock).0, events.into());
    line.insert(ticks("window", 0, clock).0, pair(playback.min.0, playback.max.0));
    line.insert("mode".into(), mode.into());
    line.insert("repeat".into(), repeat);
    line.insert("reverse".into(), playback.reverse.into());
    line.insert("at_end".into(), at_end.into());
    line.insert("armed".into(), script.armed.into());
    put_position(&mut line, "phase", playback.phase.sub_ticks(), clock);
    put_speed(&mut line, script.speed, clock);
    line
}

/// What is done in step `index`.
pub fn order(index: usize, op: &Op, names: &[String], clock: Clock) -> Line {
    let mut line = Line::new();
    line.insert("step".into(), index.into());
    line.insert("do".into(), verb(op).into());
    match *op {
        Op::Step(step) | Op::Until(step, _) | Op::Leap(step) => line.extend([ticks(verb(op), step, clock)]),
        Op::Speed(speed) => put_speed(&mut line, speed, clock),
        Op::Seek(place) | Op::Scrub(place) => put_position(&mut line, verb(op), place.sub_ticks(), clock),
        Op::Pause(_) | Op::Play => {}
    }
    if let Op::Until(_, event) = op {
        line.insert("until".into(), names[*event as usize].as_str().into());
    }
    line
}

/// What was done, and what came of it.
pub fn row(row: &Row<'_>, names: &[String], clock: Clock) -> Line {
    let mut line = order(row.number, row.op, names, clock);
    let event = |(at, told): &Entry| {
        let (word, name) = signal(*told, names);
        let mut event = Line::new();
        event.insert("signal".into(), word.into());
        event.insert("event".into(), name.into());
        put_position(&mut event, "at", *at, clock);
        Value::Object(event)
    };
    line.insert("tick".into(), number(row.elapsed_ticks));
    put_position(&mut line, "position", row.position.sub_ticks(), clock);
    put_position(&mut line, "local", row.local, clock);
    line.insert("loops".into(), number(row.loops));
    line.insert("events".into(), row.heard.log.iter().map(event).collect());
    line.insert("finished".into(), row.heard.finished.into());
    put_position(&mut line, "beyond", row.heard.beyond, clock);
    line.extend([ticks("unspent", row.heard.unspent, clock)]);
    if let Op::Leap(_) = row.op {
        // A count that no 64 bits hold is as good as endless.
        let count = |(name, count): (&String, &Option<u128>)| {
            count.map(|count| {
                (name.clone(), u64::try_from(count).map_or_else(|_| count.to_string().into(), Value::from))
            })
        };
        let counts = names.iter().zip(&row.heard.counts).filter_map(count);
        line.insert("counts".into(), Value::Object(counts.collect()));
    }
    line
}

/// Whose answers are read, and what they answer.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    pub script: &'a Script,
    pub names: &'a [String],
    pub profile: &'a Profile,
    /// The step that is answered.
    pub index: usize,
    pub op: &'a Op,
}

/// Reads what a program says of a step.
///
/// Errors: what is wrong with the line, in words.
pub fn read_answer(text: &str, asked: &Asked<'_>) -> Result<Answer, String> {
    let short = |text: &str| text.chars().take(200).collect::<String>();
    let Ok(Value::Object(line)) = serde_json::from_str(text) else {
        return Err(format!("the answer is not a JSON object: `{}`", short(text)));
    };
    if let Some(error) = line.get("error").filter(|error| !error.is_null()) {
        return Err(format!("the answer is an error: `{}`", short(&error.to_string())));
    }
    match line.get("step").and_then(whole) {
        Some(step) if step == asked.index as i128 => {}
        Some(step) => return Err(format!("the answer is to step `{step}`, not `{}`", asked.index)),
        None => return Err("the answer has no `step`".into()),
    }
    let Profile { clock, reports, .. } = *asked.profile;
    let local = position(&line, "local", clock)?.ok_or_else(|| lacks("local", clock))?;
    let mut answer = Answer { local, ..Answer::default() };
    if reports.position {
        answer.position = position(&line, "position", clock)?.ok_or_else(|| lacks("position", clock))?;
    }
    let mut heard = Heard {
        finished: line.get("finished").and_then(Value::as_bool).unwrap_or(false),
        beyond: position(&line, "beyond", clock)?.unwrap_or(0),
        ..Heard::default()
    };
    let unspent = position(&line, "unspent", clock)?.unwrap_or(0);
    heard.unspent = i64::try_from(unspent.div_euclid(SUB)).map_err(|_| "`unspent` is too large")?;
    if let Some(events) = line.get("events") {
        let events = events.as_array().ok_or("`events` is not a list")?;
        heard.log = events.iter().map(|event| read_event(event, asked)).collect::<Result<_, _>>()?;
    }
    if let Op::Leap(_) = asked.op {
        let counts = line.get("counts").and_then(Value::as_object).ok_or("the answer to a leap has no `counts`")?;
        let count = |(event, name): (&stillframe_anim::time::Event, &String)| {
            // Of spans none are counted.
            let count = counts.get(name).filter(|_| event.is_point()).and_then(whole);
            count.and_then(|count| u128::try_from(count).ok())
        };
        heard.counts = asked.script.case.events.iter().zip(asked.names).map(count).collect();
    }
    answer.heard = heard;
    Ok(answer)
}

fn read_event(event: &Value, asked: &Asked<'_>) -> Result<Entry, String> {
    let line = event.as_object().ok_or_else(|| format!("an event is not an object: `{event}`"))?;
    let index = || {
        let name = line.get("event").and_then(Value::as_str).ok_or("an event has no name in `event`")?;
        let index = asked.names.iter().position(|known| known == name);
        index.map(|index| index as u32).ok_or_else(|| format!("there is no event `{name}`"))
    };
    let signal = match line.get("signal").and_then(Value::as_str) {
        Some("point") => Signal::Point(index()?),
        Some("enter") => Signal::Enter(index()?),
        Some("leave") => Signal::Leave(index()?),
        Some("lap") => Signal::Lap,
        Some("finish") => Signal::Finish,
        _ => return Err(format!("`signal` is none of point, enter, leave, lap and finish: `{event}`")),
    };
    let place = position(line, "at", asked.profile.clock)?;
    match (place, asked.profile.reports.places) {
        (None, true) => Err(lacks("at", asked.profile.clock)),
        (place, _) => Ok((place.unwrap_or(0), signal)),
    }
}

fn lacks(stem: &str, clock: Clock) -> String {
    let unit = match clock {
        Clock::Ticks => "ticks",
        Clock::Seconds => "s",
    };
    format!("the answer has no `{stem}_{unit}`")
}

/// A position in sub-ticks; none if it is not there.
fn position(line: &Line, stem: &str, clock: Clock) -> Result<Option<i128>, String> {
    let field = |unit: &str| {
        let name = format!("{stem}_{unit}");
        line.get(&name).filter(|value| !value.is_null()).map(|value| (name, value))
    };
    let sub_ticks = match clock {
        Clock::Ticks => {
            let Some((name, value)) = field("ticks") else { return Ok(None) };
            let ticks = whole(value).ok_or_else(|| format!("`{name}` is not an integer: `{value}`"))?;
            let sub = match field("sub") {
                Some((name, value)) => whole(value).ok_or_else(|| format!("`{name}` is not an integer: `{value}`"))?,
                None => 0,
            };
            ticks.checked_mul(SUB).and_then(|whole| whole.checked_add(sub))
        }
        Clock::Seconds => {
            let Some((name, value)) = field("s") else { return Ok(None) };
            let seconds = value.as_f64().ok_or_else(|| format!("`{name}` is not a number: `{value}`"))?;
            // The cast saturates.
            Some((seconds * TICKS_PER_SECOND as f64 * SUB as f64).round_ties_even() as i128)
        }
    };
    let is_near = |sub_ticks: &i128| sub_ticks.unsigned_abs() <= Position::LIMIT as u128;
    sub_ticks.filter(is_near).map(Some).ok_or_else(|| format!("`{stem}` is out of range"))
}

/// An integer, also one that is written as a text or with a zero behind the point.
fn whole(value: &Value) -> Option<i128> {
    match value {
        Value::Number(number) => {
            let exact = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
            let float = || number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() < 9e15);
            exact.or_else(|| float().map(|float| float as i128))
        }
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}
