//! `reject`: pictures of a run that are wrong. Nothing is rendered.

use clap::Args as ClapArgs;
use stillframe_frames::run::Verb;

use super::accept::{WhichArgs, chosen, refuse};
use super::status::Failure;
use super::{Surroundings, from};

/// Mark pictures of the last run as wrong; undoes an accept
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe reject shadow/cascade --reason 'acne at the far edge'
  stillframe reject --cluster c1

A picture that this run's `accept` made the reference is one no more: the former
reference comes back. If the run does not know it, nothing is changed.")]
pub struct RejectArgs {
    #[command(flatten)]
    pub which: WhichArgs,
    /// Reason, kept with the decision
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub reason: String,
}

pub fn run(args: &RejectArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    let (project, source) = from::open_here(args.which.from.as_deref())?;
    let chosen = chosen(&args.which, &source, Verb::Reject)?;
    refuse(&project, &source.run, &chosen, &args.reason, surroundings)
}
