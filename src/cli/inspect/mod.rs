//! `inspect`: what model files hold.
//!
//! `figures` are the sums that both outputs share, `text` is for people, `document` for programs.

mod document;
mod figures;
mod text;

use clap::Args as ClapArgs;
use std::path::{Path, PathBuf};

use super::discover::models_as_given;
use super::status::{self, Failure};
use super::values::memory;
use super::{Surroundings, messages, session, stdin, stdout};
use crate::import::{self, Model};
use crate::scene::{Scene, Wishes};
use crate::source::Diagnostic;
use crate::world::import_wishes;
use figures::Figures;

/// List what a model file holds: nodes, meshes, materials, skins, clips
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe inspect model.glb
  stillframe inspect model.glb --json           for programs")]
pub struct InspectArgs {
    /// Models (.glb .gltf .fbx .obj .stl .ply), folders of models, or - for standard input
    #[arg(required = true)]
    pub file: Vec<PathBuf>,
    /// Memory that a model and its pictures may take, like 2GiB or 512MiB [default: 120 MiB or 512 times the file's
    /// size, and 1 GiB for pictures]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    pub memory: Option<u64>,
    /// Treat warnings as errors
    #[arg(long)]
    pub strict: bool,
}

pub fn run(args: &InspectArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    let mut worst = status::OK;
    let files: Vec<PathBuf> = models_as_given(&args.file)?.into_iter().map(|input| input.path).collect();
    for index in 0..files.len() {
        match one(args, &files, index, surroundings) {
            Err(failure) if files.len() > 1 && failure.is_of_one_input() => {
                messages::failure(&failure, surroundings);
                worst = status::worse(worst, failure.status());
            }
            other => other?,
        }
    }
    if worst == status::OK { Ok(()) } else { Err(Failure::Several(worst)) }
}

fn one(args: &InspectArgs, files: &[PathBuf], index: usize, surroundings: &Surroundings) -> Result<(), Failure> {
    let (file, count) = (&files[index], files.len());
    let (_, model) = read(file, &Wishes { memory_max_bytes: args.memory, ..Wishes::default() }, surroundings)?;
    // A document holds the warnings itself.
    if args.strict || surroundings.json.is_none() {
        messages::warnings(&model.warnings, &[], args.strict, surroundings)?;
    }
    let figures = Figures::of(&model);
    let name = file.display().to_string();
    if surroundings.json.is_some() {
        let document = document::document(&name, &model, &figures);
        // One is for a look too; several are a stream.
        return stdout::line(&if count == 1 { format!("{document:#}") } else { document.to_string() });
    }
    let gap = if index > 0 { "\n" } else { "" };
    stdout::write(format!("{gap}{}", text::text(&name, &model, &figures)).as_bytes())
}

/// A model file, and the scene that would show it.
pub fn read(file: &Path, wishes: &Wishes, surroundings: &Surroundings) -> Result<(Scene, Model), Failure> {
    let files = |diagnostics: Vec<Diagnostic>| Failure::Files { diagnostics, edits: Vec::new() };
    let resolved = if stdin::is_meant(file) {
        session::model_of_stdin(wishes, None, surroundings)?
    } else if session::is_scene(file) {
        let help = "`stillframe render SCENE --dump world` lists what a scene holds".to_string();
        return Err(Failure::Usage("expected a model, not a scene".into(), Some(help)));
    } else {
        Scene::for_model(file, wishes).map_err(files)?
    };
    let vfs = resolved.scene.vfs().map_err(|d| files(vec![d]))?;
    let mut model =
        import::model_within(&resolved.scene.models[0].file, &|path| vfs.read(path), import_wishes(&resolved.scene))
            .map_err(files)?;
    model.warnings.extend(vfs.notes());
    Ok((resolved.scene, model))
}
