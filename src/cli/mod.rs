//! Cli: arguments in, one command run, an exit status out. The only place that prints, and that reads arguments, the
//! terminal and the clock.
//!
//! A command is one file or folder with the name of the command: its flags and its `run`. Its row is in [`args`]. What
//! commands share: `shot` and `session` (the flags of pictures, and an input that is pictured), `moment`, `form` and
//! `place` (when it is pictured, what kind of file it becomes and where), `project`, `from` and `test::output` (runs of
//! a project), `values` (what flags take), `messages` and `json` (how messages look to people and to programs),
//! `status` (exit statuses).

mod accept;
mod adapters;
mod anim;
mod args;
mod bench;
mod bisect;
mod check;
mod clock;
mod completions;
mod diff;
mod discover;
mod doctor;
mod encode;
mod files;
mod form;
mod former;
mod from;
mod fuzz;
mod git;
mod hash;
mod identical;
mod init;
mod inspect;
mod interrupt;
mod json;
mod kept;
mod last_words;
mod list;
mod log;
mod man;
mod material;
mod messages;
mod moment;
mod mutate;
mod partition;
mod pending;
mod place;
mod progress;
mod project;
mod reject;
mod render;
mod report;
mod repro;
mod review;
mod rows;
mod script_file;
mod session;
mod shot;
mod show;
mod shrink;
mod sizes;
mod stats;
mod status;
mod stderr;
mod stdin;
mod stdout;
mod store;
mod test;
mod values;

use clap::{ColorChoice, CommandFactory, FromArgMatches};
use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use stillframe_base::lanes::Isa;
use stillframe_frames::Unfinished;
use stillframe_heap::Counting;

use args::{Args, Command};
use json::Stream;
use status::Failure;

/// What every command needs of its surroundings.
struct Surroundings {
    /// When the program started.
    start: Instant,
    /// Whether messages are coloured.
    color: bool,
    quiet: bool,
    verbose: bool,
    /// Where messages for programs go, if programs read them.
    json: Option<Stream>,
    /// Files under way.
    unfinished: Arc<Unfinished>,
    /// Standard input, once it is read.
    stdin: OnceLock<Vec<u8>>,
    /// The program's allocator.
    heap: &'static Counting,
    /// Every command with its flags and help.
    command_line: fn() -> clap::Command,
}

/// What kernels of the processor run with: the environment's wish, else the best.
fn isa() -> Result<Isa, Failure> {
    crate::render::isa(None).map_err(|error| Failure::Adapter(error.to_string()))
}

impl Surroundings {
    /// The same, with every answer in JSON on standard output.
    fn with_json(&self) -> Surroundings {
        Surroundings {
            json: Some(Stream::Stdout),
            unfinished: self.unfinished.clone(),
            stdin: OnceLock::new(),
            ..*self
        }
    }

    /// Milliseconds since the program started.
    fn elapsed_ms(&self) -> f64 {
        clock::now().duration_since(self.start).as_secs_f64() * 1000.0
    }
}

/// Runs the program on its arguments.
pub fn main(heap: &'static Counting) -> ExitCode {
    let start = clock::now();
    std::panic::set_hook(Box::new(messages::panic));
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let help_color = match color_wish(&arguments) {
        Some("always") => ColorChoice::Always,
        Some("never") => ColorChoice::Never,
        _ => ColorChoice::Auto,
    };
    let parsed = Args::command()
        .color(help_color)
        .try_get_matches_from(arguments)
        .and_then(|matches| Args::from_arg_matches(&matches));
    let args = match parsed {
        Ok(args) => args,
        Err(error) => {
            // Help and version are errors to clap; they go to stdout with status 0. A closed pipe is nobody's mistake.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { status::USAGE } else { status::OK });
        }
    };
    let picture_on_stdout = match &args.command {
        Command::Render(args) => render::writes_to_stdout(args),
        Command::Anim(args) => anim::writes_to_stdout(args),
        _ => false,
    };
    // What `bench` writes as JSON is a file, not its words.
    let json_words = args.json.is_some() && !matches!(args.command, Command::Bench(_));
    let surroundings = Surroundings {
        start,
        color: messages::wants_color(args.color),
        quiet: args.quiet,
        verbose: args.verbose,
        json: json_words.then_some(if picture_on_stdout { Stream::Stderr } else { Stream::Stdout }),
        unfinished: Arc::default(),
        stdin: OnceLock::new(),
        heap,
        command_line: Args::command,
    };
    let done = args.command.run(&surroundings);
    ExitCode::from(match done {
        Ok(()) => status::OK,
        Err(failure) => {
            messages::failure(&failure, &surroundings);
            failure.status()
        }
    })
}

/// The word behind `--color`, found before the arguments are parsed, so that messages about arguments and help follow
/// it.
fn color_wish(arguments: &[OsString]) -> Option<&str> {
    let mut words = arguments.iter().filter_map(|a| a.to_str());
    while let Some(word) = words.next() {
        match word.strip_prefix("--color") {
            Some("") => return words.next(),
            Some(rest) if rest.starts_with('=') => return Some(&rest[1..]),
            _ => {}
        }
    }
    None
}
