//! `review`: what waits is looked at and settled, case by case or by cause. Nothing is rendered.

mod desk;
mod terminal;
mod web;

use super::args::ReviewArgs;
use super::from;
use super::status::Failure;
use super::{Surroundings, project};

pub fn run(args: &ReviewArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    let project = project::project()?;
    let source = from::open(&project, args.from.as_deref())?;
    let desk = desk::Desk::new(&project, &source.run);
    if args.web { web::serve(desk, args.port, args.open, surroundings) } else { terminal::review(desk, surroundings) }
}
