//! `anim`: clips of models. One file a command.

mod dump;

use std::path::Path;

use super::Surroundings;
use super::args::{AnimArgs, AnimCommand};
use super::status::Failure;

pub fn run(args: &AnimArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    match &args.command {
        AnimCommand::Dump(args) => dump::run(args, surroundings),
    }
}

/// Whether standard output takes numbers, so that words go elsewhere.
pub fn writes_to_stdout(args: &AnimArgs) -> bool {
    match &args.command {
        AnimCommand::Dump(args) => args.output == Path::new("-"),
    }
}
