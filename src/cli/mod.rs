//! Cli: arguments in, one command run, an exit status out. The only place that prints, and that reads arguments, the
//! terminal and the clock.
//!
//! One file a command, named as the command: [`adapters`], [`check`], [`hash`], [`inspect`], [`render`]. `args` is what people may type, `shot` what the
//! commands that take pictures share, `report` how complaints look, `status` what a shell sees.

mod adapters;
mod args;
mod check;
mod clock;
mod discover;
mod hash;
mod inspect;
mod progress;
mod render;
mod report;
mod shot;
mod stats;
mod status;
mod stdout;

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Instant;

use clap::{ColorChoice, CommandFactory, FromArgMatches};

use args::{Args, Command};

/// What every command needs of its surroundings.
struct Surroundings {
    /// When the program started.
    start: Instant,
    /// Whether complaints are coloured.
    color: bool,
    quiet: bool,
    verbose: bool,
}

/// Runs the program on its arguments.
pub fn main() -> ExitCode {
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
    let surroundings =
        Surroundings { start, color: report::wants_color(args.color), quiet: args.quiet, verbose: args.verbose };
    let done = match args.command {
        Command::Render(args) => render::run(&args, &surroundings),
        Command::Hash(args) => hash::run(&args, &surroundings),
        Command::Check(args) => check::run(&args, &surroundings),
        Command::Inspect(args) => inspect::run(&args, &surroundings),
        Command::Adapters(args) => adapters::run(&args),
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
