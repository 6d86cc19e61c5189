//! `anim`: clips of models, and the clock that plays them. One file or folder per command; [`open`] is what they share.
//! What is found out about clips is [`study`](crate::study)'s work.

mod bake;
mod compress;
mod dump;
mod inspect;
pub mod open;
mod plot;
mod run;
mod texture;

use std::path::Path;

use clap::{Args as ClapArgs, Subcommand};

use super::status::Failure;
use super::{Surroundings, isa};
use crate::study::Numbers;
use bake::{BakeArgs, BakeWord};
use compress::CompressArgs;
use dump::DumpArgs;
use inspect::AnimInspectArgs;
use plot::PlotArgs;
use run::AnimRunArgs;

/// Inspect, measure, plot, bake and compress clips, and play time-control scripts
#[derive(ClapArgs, Debug)]
#[command(subcommand_required = true, arg_required_else_help = true, disable_help_subcommand = true)]
#[command(after_help = "\
Examples:
  stillframe anim inspect figure.glb
  stillframe anim dump figure.glb --clip walk --what positions -o walk.npy
  stillframe anim plot figure.glb --clip walk --joint Hips -o walk.svg
  stillframe anim bake figure.glb --clip walk --fps 30 -o walk.npy
  stillframe anim compress figure.glb --clip walk --error-mm 0.1 -o walk.clip
  stillframe anim run script.toml")]
pub struct AnimArgs {
    #[command(subcommand)]
    pub command: AnimCommand,
}

#[derive(Subcommand, Debug)]
pub enum AnimCommand {
    Dump(DumpArgs),
    Inspect(AnimInspectArgs),
    Plot(PlotArgs),
    Bake(BakeArgs),
    Compress(CompressArgs),
    Run(AnimRunArgs),
}

pub fn run(args: &AnimArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    // Every command reports an instruction set that the machine lacks, even if it runs few kernels.
    isa()?;
    match &args.command {
        AnimCommand::Dump(args) => dump::run(args, surroundings),
        AnimCommand::Inspect(args) => inspect::run(args, surroundings),
        AnimCommand::Plot(args) => plot::run(args, surroundings),
        AnimCommand::Bake(args) => match args.what {
            BakeWord::Bones => texture::run(args, texture::Items::Bones, surroundings),
            BakeWord::Vertices => texture::run(args, texture::Items::Vertices, surroundings),
            BakeWord::Trs => bake::run(args, Numbers::Trs, surroundings),
            BakeWord::Matrices => bake::run(args, Numbers::Matrices, surroundings),
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
