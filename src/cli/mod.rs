//! Cli: arguments in, one command run, an exit status out. The only place that prints, and that reads arguments, the
//! terminal and the clock.
//!
//! One file a command, named as the command: [`adapters`], [`check`], [`completions`], [`fuzz`], [`hash`], [`inspect`], [`render`]. `args` is what
//! people may type, `shot` what the commands that take pictures share, `moment` when they are taken, `form` and `place` what they become and
//! where they go, `report` how complaints look, `json` the same for programs, `status` what a shell sees.

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
mod form;
mod from;
mod fuzz;
mod git;
mod hash;
mod identical;
mod init;
mod inspect;
mod interrupt;
mod json;
mod list;
mod log;
mod moment;
mod mutate;
mod partition;
mod pending;
mod place;
mod progress;
mod project;
mod render;
mod report;
mod repro;
mod review;
mod runs;
mod shot;
mod show;
mod shrink;
mod sizes;
mod stats;
mod status;
mod stdin;
mod stdout;
mod store;
mod test;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use clap::{ColorChoice, CommandFactory, FromArgMatches};
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
    /// Whether complaints are coloured.
    color: bool,
    quiet: bool,
    verbose: bool,
    /// Whether programs read what is told, and where.
    json: Option<Stream>,
    /// Files under way.
    unfinished: Arc<Unfinished>,
    /// What came on standard input, once somebody asked.
    stdin: OnceLock<Vec<u8>>,
    /// The program's allocator.
    heap: &'static Counting,
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
    std::panic::set_hook(Box::new(report::panic));
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
        Command::Render(args) => args.output.as_deref() == Some(Path::new("-")),
        Command::Anim(args) => anim::writes_to_stdout(args),
        _ => false,
    };
    // What `bench` writes as JSON is a file, not its words.
    let json_words = args.json.is_some() && !matches!(args.command, Command::Bench(_));
    let surroundings = Surroundings {
        start,
        color: report::wants_color(args.color),
        quiet: args.quiet,
        verbose: args.verbose,
        json: json_words.then_some(if picture_on_stdout { Stream::Stderr } else { Stream::Stdout }),
        unfinished: Arc::default(),
        stdin: OnceLock::new(),
        heap,
    };
    if matches!(args.command, Command::Render(_) | Command::Hash(_) | Command::Accept(_) | Command::Shrink(_)) {
        interrupt::watch(&surroundings.unfinished);
    }
    let done = match args.command {
        Command::Render(args) => render::run(&args, &surroundings),
        Command::Hash(args) => hash::run(&args, &surroundings),
        Command::Check(args) => check::run(&args, &surroundings),
        Command::Inspect(args) => inspect::run(&args, &surroundings),
        Command::Anim(args) => anim::run(&args, &surroundings),
        Command::Adapters => adapters::run(&surroundings),
        Command::Init(args) => init::run(&args, &surroundings),
        Command::List(args) => list::run(&args, &surroundings),
        Command::Test(args) => test::run(&args, &surroundings),
        Command::Accept(args) => accept::accept(&args, &surroundings),
        Command::Reject(args) => accept::reject(&args, &surroundings),
        Command::Pending(args) => pending::run(&args, &surroundings),
        Command::Review(args) => review::run(&args, &surroundings),
        Command::Report(args) => runs::run(&args, &surroundings),
        Command::Diff(args) => diff::run(&args, &surroundings),
        Command::Bisect(args) => bisect::run(&args, &surroundings),
        Command::Mutate(args) => mutate::run(&args, &surroundings),
        Command::Shrink(args) => shrink::run(&args, &surroundings),
        Command::Log(args) => log::run(&args, &surroundings),
        Command::Store(args) => store::run(&args, &surroundings),
        Command::Repro(args) => repro::run(&args, &surroundings),
        Command::Doctor => doctor::run(&surroundings),
        Command::Fuzz(args) => fuzz::run(&args, &surroundings),
        Command::Bench(args) => bench::run(&args, &surroundings),
        Command::Completions(args) => completions::completions(&args),
        Command::Man(args) => completions::man(&args),
    };
    ExitCode::from(match done {
        Ok(()) => status::OK,
        Err(failure) => {
            report::failure(&failure, &surroundings);
            failure.status()
        }
    })
}

/// The word behind `--color`, found before the arguments are parsed, so that their own complaints and help follow it.
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
