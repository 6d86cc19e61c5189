//! `anim`: clips of models, and the clock that plays them. One file a command, or a folder; [`motion`] is what they share.

pub mod args;
mod bake;
mod compress;
mod dump;
mod inspect;
mod motion;
mod plot;
mod run;
mod texture;

use std::path::Path;

use super::status::Failure;
use super::{Surroundings, isa};
use args::{AnimArgs, AnimCommand, BakeWord};

pub fn run(args: &AnimArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    // A wish that cannot be met is told by every command, also where few kernels run.
    isa()?;
    match &args.command {
        AnimCommand::Dump(args) => dump::run(args, surroundings),
        AnimCommand::Inspect(args) => inspect::run(args, surroundings),
        AnimCommand::Plot(args) => plot::run(args, surroundings),
        AnimCommand::Bake(args) => match args.what {
            BakeWord::Bones => texture::run(args, texture::Items::Bones, surroundings),
            BakeWord::Vertices => texture::run(args, texture::Items::Vertices, surroundings),
            BakeWord::Trs => bake::run(args, bake::Numbers::Trs, surroundings),
            BakeWord::Matrices => bake::run(args, bake::Numbers::Matrices, surroundings),
        },
        AnimCommand::Compress(args) => compress::run(args, surroundings),
        AnimCommand::Run(args) => run::run(args, surroundings),
    }
}

/// Whether standard output takes numbers, so that words go elsewhere.
pub fn writes_to_stdout(args: &AnimArgs) -> bool {
    let output = match &args.command {
        AnimCommand::Dump(args) => &args.output,
        AnimCommand::Plot(args) => &args.output,
        AnimCommand::Bake(args) => &args.output,
        AnimCommand::Inspect(_) | AnimCommand::Compress(_) | AnimCommand::Run(_) => return false,
    };
    output == Path::new("-")
}

/// A name that there is not, and the nearest that there is.
fn unknown(kind: &str, name: &str, names: &[String]) -> Failure {
    let near = names
        .iter()
        .min_by(|a, b| strsim::damerau_levenshtein(a, name).cmp(&strsim::damerau_levenshtein(b, name)).then(a.cmp(b)));
    let help = near.map(|near| format!("did you mean \"{near}\"?"));
    Failure::Usage(format!("there is no {kind} \"{name}\""), help)
}

/// `812 B`, `12.3 KB`, `4.56 MB`.
fn bytes_words(bytes: usize) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} KB", bytes as f64 / 1e3),
        _ => format!("{:.2} MB", bytes as f64 / 1e6),
    }
}
