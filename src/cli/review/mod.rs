//! `review`: what waits is looked at and settled, case by case or by cause. Nothing is rendered.

mod desk;
mod terminal;
mod web;

use clap::Args as ClapArgs;
use std::path::PathBuf;

use super::Surroundings;
use super::from;
use super::status::Failure;

/// Look at pending pictures and accept or reject them, in the terminal or a browser
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe review                    a accept, r reject, s skip, A/R a cluster
  stillframe review --web              a page at 127.0.0.1
  stillframe review --from artifact.zip      a run from another machine

Does not render. An accepted picture becomes a reference at once.")]
pub struct ReviewArgs {
    /// Use another run: its folder or a zip file of it [default: the last run]
    #[arg(long, value_name = "RUN")]
    pub from: Option<PathBuf>,
    /// Review in a browser
    #[arg(long)]
    pub web: bool,
    /// Port for --web; 0 takes any free one
    #[arg(long, value_name = "N", default_value = "7200", requires = "web")]
    pub port: u16,
    /// Open the browser
    #[arg(long, requires = "web")]
    pub open: bool,
}

pub fn run(args: &ReviewArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    let (project, source) = from::open_here(args.from.as_deref())?;
    let desk = desk::Desk::new(&project, &source.run);
    if args.web { web::serve(desk, args.port, args.open, surroundings) } else { terminal::review(desk, surroundings) }
}
