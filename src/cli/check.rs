//! `check`: errors and warnings of scene files, without rendering. `--print` writes a scene's normal form.

use clap::Args as ClapArgs;
use std::path::{Path, PathBuf};

use super::discover::inputs;
use super::status::{self, Failure};
use super::{Surroundings, messages, stderr, stdout};
use crate::scene::{Resolved, read};
use crate::source::{Diagnostic, count, sort};
use crate::world::drifting_spaces;

/// Check scene files and print what is wrong with them, without rendering
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe check scene.toml
  stillframe check scenes                    every scene below the folder
  stillframe check scene.toml --set output.samples=4
  stillframe check scenes --json             for editors and other programs")]
pub struct CheckArgs {
    /// Scenes, or folders to search for scenes
    #[arg(required = true)]
    pub scene: Vec<PathBuf>,
    /// Change a value of the scene first. Can be repeated
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub edits: Vec<String>,
    /// Print the scene with all defaults, includes and parameters filled in
    #[arg(long)]
    pub print: bool,
    /// Treat warnings as errors
    #[arg(long)]
    pub strict: bool,
}

pub fn run(args: &CheckArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    let mut worst = status::OK;
    let inputs = inputs(&args.scene)?;
    if args.print && inputs.len() > 1 {
        let help = Some("name one scene".to_string());
        return Err(Failure::Usage("`--print` needs one scene".into(), help));
    }
    for input in &inputs {
        if let Err(failure) = one(args, &input.path, surroundings) {
            if !failure.is_of_one_input() {
                return Err(failure);
            }
            messages::failure(&failure, surroundings);
            worst = status::worse(worst, failure.status());
        }
    }
    if worst != status::OK {
        return Err(Failure::Several(worst));
    }
    if surroundings.verbose {
        stderr::note(&format!("{}: no errors", count(inputs.len(), "scene", "scenes")));
    }
    Ok(())
}

fn one(args: &CheckArgs, file: &Path, surroundings: &Surroundings) -> Result<(), Failure> {
    let resolved =
        read(file, &args.edits).map_err(|diagnostics| Failure::Files { diagnostics, edits: args.edits.clone() })?;
    messages::warnings(&warnings(&resolved), &args.edits, args.strict, surroundings)?;
    if args.print {
        stdout::write(resolved.scene.print().as_bytes())?;
    }
    Ok(())
}

/// Warnings about a scene without errors. Models are read only where their clips' lengths make a difference.
fn warnings(resolved: &Resolved) -> Vec<Diagnostic> {
    let mut out = resolved.warnings.clone();
    if !resolved.free_spaces.is_empty()
        && let Ok(vfs) = resolved.scene.vfs()
    {
        out.extend(drifting_spaces(&resolved.scene, &resolved.free_spaces, &|path| vfs.read(path)));
        sort(&mut out);
    }
    out
}
