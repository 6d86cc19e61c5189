//! Open: a model file and the clips of it that a command is about.

use std::path::Path;

use crate::cli::status::Failure;
use crate::cli::{Surroundings, inspect, messages};
use crate::import::Model;
use crate::scene::{ClipChoice, Wishes};
use crate::study::StudyError;
use crate::world;

/// A model file, and the clips of it that are chosen. Prints the model's warnings; with `strict` they are errors.
pub fn open(
    file: &Path,
    clip: &ClipChoice,
    strict: bool,
    surroundings: &Surroundings,
) -> Result<(Model, Vec<usize>), Failure> {
    let wishes = Wishes { clip: Some(clip.clone()), ..Wishes::default() };
    let (scene, model) = inspect::read(file, &wishes, surroundings)?;
    messages::warnings(&model.warnings, &[], strict, surroundings)?;
    let clips = world::playing_clips(&scene, &scene.models[0], &model);
    let clips = clips.map_err(|diagnostics| Failure::Files { diagnostics, edits: Vec::new() })?;
    Ok((model, clips))
}

/// As [`open`], for what takes one clip: where none is named, the file's only one.
pub fn open_one(
    file: &Path,
    clip: Option<&ClipChoice>,
    strict: bool,
    surroundings: &Surroundings,
) -> Result<(Model, usize), Failure> {
    let (model, clips) = open(file, clip.unwrap_or(&ClipChoice::All), strict, surroundings)?;
    match clips[..] {
        [clip] => Ok((model, clip)),
        _ => {
            let names: Vec<String> = model.clips.iter().map(|clip| format!("{:?}", clip.name)).collect();
            let help = match names.is_empty() {
                true => "the file has no clips".to_string(),
                false => format!("--clip must be one of {}", names.join(", ")),
            };
            Err(Failure::Usage("choose a clip".into(), Some(help)))
        }
    }
}

/// What a clip that cannot be studied means for a shell. `file` is the model's.
pub fn failure(file: &Path, error: StudyError) -> Failure {
    match error {
        StudyError::Unknown { kind, name, names } => unknown(kind, &name, &names),
        StudyError::NoRoot { .. } => Failure::Usage(error.to_string(), Some("name a joint with --joint".to_string())),
        StudyError::NothingMoves { .. } => Failure::usage(error.to_string()),
        other => Failure::usage(format!("{}: {other}", file.display())),
    }
}

/// A name that there is not, and the nearest that there is.
pub fn unknown(kind: &str, name: &str, names: &[String]) -> Failure {
    let near = names
        .iter()
        .min_by(|a, b| strsim::damerau_levenshtein(a, name).cmp(&strsim::damerau_levenshtein(b, name)).then(a.cmp(b)));
    let help = near.map(|near| format!("did you mean \"{near}\"?"));
    Failure::Usage(format!("no {kind} \"{name}\""), help)
}
