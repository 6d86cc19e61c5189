//! `check`: errors and warnings of scene files and of the files they name, without rendering. `--print` writes a
//! scene's normal form.

use clap::Args as ClapArgs;
use std::path::{Path, PathBuf};

use super::discover::inputs;
use super::status::{self, Failure};
use super::{Surroundings, messages, shot, stderr, stdout};
use crate::scene::{Aov, Resolved, Scene, read};
use crate::source::{Diagnostic, count, sort};
use crate::take::{Dump, Settings, TakeError, take};
use crate::world::drifting_spaces;

/// Check scene files and print what is wrong with them, without rendering
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe check scene.toml
  stillframe check scenes                    every scene below the folder
  stillframe check scene.toml --no-models    the scene file alone
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
    /// Do not read the models, clips and pictures that scenes name
    #[arg(long)]
    pub no_models: bool,
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
    let mut warnings = warnings(&resolved);
    if !args.no_models {
        let of_files = warnings_of_files(&resolved.scene).map_err(|error| match error {
            TakeError::Scene(errors) => {
                let mut diagnostics = [errors, std::mem::take(&mut warnings)].concat();
                sort(&mut diagnostics);
                Failure::Files { diagnostics, edits: args.edits.clone() }
            }
            other => Failure::of_take(other, &args.edits),
        })?;
        // Of what a scene's text shows as well, the place is known.
        let is_new = |found: &Diagnostic| !warnings.iter().any(|own| own.message == found.message);
        let new: Vec<Diagnostic> = of_files.into_iter().filter(is_new).collect();
        warnings.extend(new);
        sort(&mut warnings);
    }
    messages::warnings(&warnings, &args.edits, args.strict, surroundings)?;
    if args.print {
        stdout::write(resolved.scene.print().as_bytes())?;
    }
    Ok(())
}

/// Does all that rendering a scene and its shots does, short of drawing. Out: warnings.
///
/// Errors: what is wrong with files, and what of them the scene names in vain.
fn warnings_of_files(scene: &Scene) -> Result<Vec<Diagnostic>, TakeError> {
    // What the scene's test compares is what it is there for.
    let tested = scene.test.as_ref().map_or(Vec::new(), |test| test.aov.clone());
    let aovs = if tested.is_empty() { vec![Aov::COLOR] } else { tested };
    let settings = Settings { aovs, dump: Some(Dump::Plan), cache: shot::cache(), ..Settings::default() };
    let mut out = take(scene, &settings, &mut |_| ())?.warnings;
    for own in &scene.shots {
        let of_shot = scene.for_shot(&own.name).map_err(|diagnostic| TakeError::Scene(vec![diagnostic]))?;
        out.extend(take(&of_shot, &settings, &mut |_| ())?.warnings);
    }
    for own in &scene.views {
        let of_view = scene.for_view(&own.name).map_err(|diagnostic| TakeError::Scene(vec![diagnostic]))?;
        out.extend(take(&of_view, &settings, &mut |_| ())?.warnings);
    }
    Ok(out)
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
