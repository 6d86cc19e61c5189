//! Coats: `--set material.NAME.KEY=VALUE` of a bare model, which has no file that values could be written into.

use std::path::Path;

use crate::scene::{Resolved, Scene, code, resolve_text};
use crate::source::Diagnostic;

/// What people write, and the place of it in a scene that shows the model.
const WRITTEN: &str = "material.";
const PLACE: &str = "model.m.override.";

impl Scene {
    /// Lays what the arguments say over the materials of a bare model; pictures that they name are looked for beside
    /// the model.
    ///
    /// Errors: as those of a scene's `[model.NAME.override.MATERIAL]`, with places in the arguments. Whether the model
    ///         has
    /// such a material is known when it is loaded.
    pub fn coat(&mut self, edits: &[String]) -> Result<(), Vec<Diagnostic>> {
        if edits.is_empty() {
            return Ok(());
        }
        let name_of = |index: usize| match edits.len() {
            1 => "--set".to_string(),
            _ => format!("--set ({})", index + 1),
        };
        let mut placed = Vec::new();
        let mut found = Vec::new();
        for (index, edit) in edits.iter().enumerate() {
            match edit.strip_prefix(WRITTEN) {
                Some(rest) => placed.push(format!("{PLACE}{rest}")),
                None => {
                    let end = edit.find(['.', '=']).unwrap_or(edit.len());
                    let message = "for a model, only values of its materials can be set";
                    let error = Diagnostic::error(code::SET_PATH, name_of(index), message).at(0..end);
                    found.push(error.help("`material.NAME.KEY=VALUE`, for example `material.Brick.roughness=0.2`"));
                }
            }
        }
        if !found.is_empty() {
            return Err(found);
        }
        let model = &self.models[0];
        let folder = model.file.parent().unwrap_or(Path::new("/"));
        // A scene that shows the model, for the rules of its table.
        let file =
            model.file.file_name().unwrap_or_default().to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
        let text = format!("title = \"x\"\n[camera.m]\n[model.m]\nfile = \"{file}\"\n[[node]]\nmodel = \"m\"\n");
        let vfs = self.vfs().map_err(|diagnostic| vec![diagnostic])?;
        let Resolved { scene, .. } = resolve_text(&text, &model.file, folder, &vfs, &placed)
            .map_err(|found| found.into_iter().map(as_written).collect::<Vec<_>>())?;
        self.models[0].overrides = scene.models.into_iter().next().map(|model| model.overrides).unwrap_or_default();
        Ok(())
    }
}

/// The same with its place in what people wrote.
fn as_written(mut diagnostic: Diagnostic) -> Diagnostic {
    let longer = PLACE.len() - WRITTEN.len();
    if diagnostic.file.to_string_lossy().starts_with("--set")
        && let Some(span) = &mut diagnostic.span
    {
        *span = span.start.saturating_sub(longer)..span.end.saturating_sub(longer);
    }
    diagnostic
}
