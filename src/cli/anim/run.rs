//! `anim run`: a script of time control, played and printed row by row.

use clap::Args as ClapArgs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use stillframe_anim::time::SUB_TICKS_PER_TICK;
use stillframe_base::tick::TICKS_PER_SECOND;
use stillframe_oracle::{Clock, Op, Profile};

use crate::cli::script_file::{self, of_files};
use crate::cli::status::{self, Failure};
use crate::cli::{Surroundings, json as words, stderr, stdout};
use stillframe_lab::script::line::{heading, row, signal, verb};
use stillframe_lab::script::{self, Fault, Loaded, Recorded, Row};

/// Largest recorded run: as many steps as a script may have, with some events each.
const RECORDING_MAX_BYTES: u64 = 1 << 28;

/// Play a time-control script: a clip with events, how it plays, and steps, seeks and speeds
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe anim run script.toml
  stillframe anim run script.toml --json --against-oracle
  stillframe anim run script.toml --against recorded.jsonl --profile own.toml

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
  speed = \"1/2\"
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

Exit status: 0 played, 1 the oracle or the recording disagrees, 2 an error in
a file.")]
pub struct AnimRunArgs {
    /// Script (.toml), or - for standard input
    pub script: PathBuf,
    /// Compare every row with a slow, exact model of time control
    #[arg(long)]
    pub against_oracle: bool,
    /// Compare with a run of another program: rows as --json prints them
    #[arg(long, value_name = "FILE")]
    pub against: Option<PathBuf>,
    /// What of the other run is compared, and how exactly (.toml)
    #[arg(long, value_name = "FILE", requires = "against")]
    pub profile: Option<PathBuf>,
}

pub fn run(args: &AnimRunArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    let (text, file) = script_file::text(&args.script, script::TEXT_MAX_BYTES, surroundings)?;
    let loaded = script::read(&text, file).map_err(of_files)?;
    let profile = match &args.profile {
        Some(file) => script_file::profile(file, surroundings)?,
        None => Profile::default(),
    };
    let other = args.against.as_deref().map(|file| script_file::text(file, RECORDING_MAX_BYTES, surroundings));
    let other = other.transpose()?;
    let recorded = other.as_ref().map(|(text, file)| Recorded::read(text, file, &loaded.script, &profile));
    let mut recorded = recorded.transpose().map_err(|complaint| of_files(vec![complaint]))?;
    if surroundings.json.is_some() {
        let mut fields = heading(&loaded.script, &loaded.names, Clock::Ticks);
        fields.insert("script".into(), file.display().to_string().into());
        words::line("anim-run/1", Value::Object(fields), surroundings)?;
    } else {
        stdout::line(&format!("{:>14} {:>20} {:>20} {:>6}  {}", "time", "position", "local", "loops", "events"))?;
    }
    let differs = |what: &str, number: usize, words: &str| {
        stderr::note(&format!("step {number} differs from {what}: {words}"));
        Failure::Several(status::FINDING)
    };
    let name = args.against.as_deref().unwrap_or(Path::new("")).display().to_string();
    let mut tell = |told: Row<'_>| {
        match surroundings.json {
            Some(_) => stdout::line(&Value::Object(row(&told, &loaded.names, Clock::Ticks)).to_string()),
            None => stdout::line(&table_row(&told, &loaded)),
        }?;
        let Some(recorded) = &mut recorded else { return Ok(()) };
        let difference = recorded.compare(&loaded.script, &loaded.names, told.number, told.op);
        match difference.map_err(|complaint| of_files(vec![complaint]))? {
            Some(words) => Err(differs(&name, told.number, &words)),
            None => Ok(()),
        }
    };
    // A recording is compared by the oracle's model, which ours must agree with then.
    let against_oracle = args.against_oracle || args.against.is_some();
    match script::play(&loaded, file, against_oracle, &mut tell) {
        Ok(()) => {}
        Err(Fault::Script(complaint)) => return Err(of_files(vec![complaint])),
        Err(Fault::Oracle { number, difference }) => return Err(differs("the oracle", number, &difference)),
        Err(Fault::Told(failure)) => return Err(failure),
    }
    match recorded.map_or(0, |recorded| recorded.spare(loaded.script.ops.len())) {
        0 => Ok(()),
        spare => {
            stderr::note(&format!("{name} has {spare} more rows than the script has steps"));
            Err(Failure::Several(status::FINDING))
        }
    }
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
        .map(|(_, told)| match signal(*told, &loaded.names) {
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
