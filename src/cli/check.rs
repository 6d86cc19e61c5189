//! `check`: what is wrong with scene files; no picture.

use super::args::CheckArgs;
use super::discover::inputs;
use super::status::{self, Failure};
use super::{Surroundings, report};
use crate::scene::read;

pub fn run(args: &CheckArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    let mut worst = status::OK;
    let inputs = inputs(&args.scene)?;
    for input in &inputs {
        match read(&input.path, &args.edits) {
            Ok(resolved) => report::diagnostics(&resolved.warnings, &args.edits, surroundings),
            Err(diagnostics) => {
                let failure = Failure::Files { diagnostics, edits: args.edits.clone() };
                report::failure(&failure, surroundings);
                worst = status::worse(worst, failure.status());
            }
        }
    }
    if worst != status::OK {
        return Err(Failure::Several(worst));
    }
    if surroundings.verbose {
        report::note(&format!("{} without mistakes", report::count(inputs.len(), "scene")));
    }
    Ok(())
}
