//! `anim run`: a script of time control, played and printed row by row.

use clap::Args as ClapArgs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use stillframe_anim::time::{SUB_TICKS_PER_TICK, Signal};
use stillframe_base::mistaken::utf8;
use stillframe_base::tick::TICKS_PER_SECOND;
use stillframe_oracle::{Entry, Op};

use crate::cli::status::{self, Failure};
use crate::cli::{Surroundings, json as words, stderr, stdin, stdout};
use crate::scene::code;
use crate::source::{Diagnostic, find_plain, read_plain};
use stillframe_lab::script::{self, Fault, Loaded, Row};

/// Play a time-control script: a clip with events, how it plays, and steps, seeks and speeds
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe anim run script.toml
  stillframe anim run script.toml --json --against-oracle

Prints one row per step: time played, position on the unwrapped time line, local
time in the clip, loops, and the events that fired, in order. --json prints
ticks (1/705600000 s) and 65536ths of a tick.

A script:

  [clip]
  length_s = 1.0
  events = [
    { name = \"left foot\", at_percent = 25 },
    { name = \"swing\", from_s = 0.5, to_s = 0.75 },
  ]
  [playback]
  mode = \"loop\"              # once, clamp, loop or ping-pong; repeat = 3
  speed = \"-1/2\"
  [run]
  steps = [
    { step_frames = 1, times = 30 },
    { step_s = 2, until = \"left foot\" },
    { seek_percent = 50 }, { scrub_s = 0.9 }, { speed = 2 }, { leap_s = 3600 },
    \"pause\", \"resume\", \"play\",
  ]

Times end in _s, _frames (with fps = 30), _ticks or _percent. [playback] also
takes window_s = [A, B], phase_s, reverse, at_end = \"stop\" or \"run-on\", and
armed = false, which silences events at the start.

Exit status: 0 played, 1 the oracle disagrees, 2 an error in the script.")]
pub struct AnimRunArgs {
    /// Script (.toml), or - for standard input
    pub script: PathBuf,
    /// Compare every row with a slow, exact model of time control
    #[arg(long)]
    pub against_oracle: bool,
}

pub fn run(args: &AnimRunArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    let files = |diagnostics| Failure::Files { diagnostics, edits: Vec::new() };
    let (text, file) = text(&args.script, surroundings)?;
    let loaded = script::read(&text, file).map_err(files)?;
    if surroundings.json.is_some() {
        let fields = json!({
            "script": file,
            "ticks_per_second": TICKS_PER_SECOND,
            "sub_ticks_per_tick": SUB_TICKS_PER_TICK as i64,
            "events": loaded.names,
        });
        words::line("anim-run/1", fields, surroundings)?;
    } else {
        stdout::line(&format!("{:>14} {:>20} {:>20} {:>6}  {}", "time", "position", "local", "loops", "events"))?;
    }
    let mut tell = |row: Row<'_>| match surroundings.json {
        Some(_) => stdout::line(&json_of(&row, &loaded).to_string()),
        None => stdout::line(&table_row(&row, &loaded)),
    };
    match script::play(&loaded, file, args.against_oracle, &mut tell) {
        Ok(()) => Ok(()),
        Err(Fault::Script(complaint)) => Err(files(vec![complaint])),
        Err(Fault::Oracle { number, difference }) => {
            stderr::note(&format!("step {number} differs from the oracle: {difference}"));
            Err(Failure::Several(status::FINDING))
        }
        Err(Fault::Told(failure)) => Err(failure),
    }
}

/// The script's text, and its name in diagnostics.
fn text<'a>(file: &'a Path, surroundings: &Surroundings) -> Result<(String, &'a Path), Failure> {
    let of_file = |diagnostic| Failure::Files { diagnostics: vec![diagnostic], edits: Vec::new() };
    let (bytes, name) = if stdin::is_meant(file) {
        let bytes = stdin::read()?;
        // Diagnostics point into this text.
        let _ = surroundings.stdin.set(bytes.clone());
        (bytes, Path::new(stdin::NAME))
    } else {
        let named = |diagnostic| of_file(Diagnostic { file: file.to_path_buf(), ..diagnostic });
        let absolute = find_plain(file).map_err(named)?;
        (read_plain(&absolute, script::TEXT_MAX_BYTES).map_err(named)?, file)
    };
    let text = utf8(bytes)
        .map_err(|error| of_file(Diagnostic::error(code::NOT_UTF8, name, error.message).help_if(error.help)))?;
    Ok((text, name))
}

fn verb(op: &Op) -> &'static str {
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
fn signal(signal: Signal, loaded: &Loaded) -> (&'static str, Option<&str>) {
    let name = |event: u32| Some(loaded.names[event as usize].as_str());
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

fn parts(sub_ticks: i128) -> (i128, i128) {
    (sub_ticks.div_euclid(SUB_TICKS_PER_TICK), sub_ticks.rem_euclid(SUB_TICKS_PER_TICK))
}

fn json_of(row: &Row<'_>, loaded: &Loaded) -> Value {
    let (position, local, beyond) = (parts(row.position.sub_ticks()), parts(row.local), parts(row.heard.beyond));
    let event = |(at, told): &Entry| {
        let ((word, name), at) = (signal(*told, loaded), parts(*at));
        json!({ "signal": word, "event": name, "at_ticks": number(at.0), "at_sub": number(at.1) })
    };
    let mut out = json!({
        "step": row.number,
        "do": verb(row.op),
        "tick": number(row.elapsed_ticks),
        "position_ticks": number(position.0),
        "position_sub": number(position.1),
        "local_ticks": number(local.0),
        "local_sub": number(local.1),
        "loops": number(row.loops),
        "events": row.heard.log.iter().map(event).collect::<Vec<_>>(),
        "finished": row.heard.finished,
        "beyond_ticks": number(beyond.0),
        "beyond_sub": number(beyond.1),
        "unspent_ticks": row.heard.unspent,
    });
    if let Op::Leap(_) = row.op {
        // A count that no 64 bits hold is as good as endless.
        let count = |(name, count): (&String, &Option<u128>)| {
            count.map(|count| {
                (name.clone(), u64::try_from(count).map_or_else(|_| count.to_string().into(), Value::from))
            })
        };
        let counts = loaded.names.iter().zip(&row.heard.counts).filter_map(count);
        out["counts"] = Value::Object(counts.collect());
    }
    out
}

fn table_row(row: &Row<'_>, loaded: &Loaded) -> String {
    let seconds = |sub_ticks: i128| {
        let second = SUB_TICKS_PER_TICK * i128::from(TICKS_PER_SECOND);
        // Rounded down to a microsecond, and only then written: a floor and a remainder beside it are two numbers.
        let whole = sub_ticks.div_euclid(second) * 1_000_000;
        let micros = whole + sub_ticks.rem_euclid(second) * 1_000_000 / second;
        let sign = if micros < 0 { "-" } else { "" };
        format!("{sign}{}.{:06} s", micros.abs() / 1_000_000, micros.abs() % 1_000_000)
    };
    let mut words: Vec<String> = row
        .heard
        .log
        .iter()
        .map(|(_, told)| match signal(*told, loaded) {
            ("point", Some(name)) => name.to_string(),
            (word, Some(name)) => format!("{word} {name}"),
            (word, None) => word.to_string(),
        })
        .collect();
    if let Op::Leap(_) = row.op {
        let counts = loaded.names.iter().zip(&row.heard.counts);
        words.extend(counts.filter_map(|(name, count)| count.map(|count| format!("{count} x {name}"))));
    }
    let verb = match row.op {
        Op::Step(_) | Op::Until(..) => String::new(),
        op => format!("({}) ", verb(op)),
    };
    let cut = if row.heard.unspent > 0 { format!("; {} ticks left", row.heard.unspent) } else { String::new() };
    let (time, position) = (seconds(row.elapsed_ticks * SUB_TICKS_PER_TICK), seconds(row.position.sub_ticks()));
    let (local, loops) = (seconds(row.local), row.loops);
    let line = format!("{time:>14} {position:>20} {local:>20} {loops:>6}  {verb}{}{cut}", words.join(", "));
    line.trim_end().to_string()
}
