//! Inputs: what a piece was made from, and what of it is not the reference's.

use std::collections::BTreeMap;
use std::path::Path;

use stillframe_frames::run::{InputChanges, Inputs};
use stillframe_frames::{LockLine, PixelHash};

use super::super::case::Piece;
use super::{Candidate, Judge};
use crate::scene::read_values;

/// What the pictures of a piece are made from.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PieceInputs {
    /// [`Inputs::print`] of it.
    pub text: String,
    /// Files that values stand in, by the values' paths, where that is not the scene's own.
    elsewhere: BTreeMap<String, String>,
    scene: String,
}

impl Judge<'_> {
    /// What a piece is made from: the values of its scene, and the files that were read for it.
    pub(super) fn inputs_of(&self, piece: &Piece, files: &[(String, Option<String>)]) -> PieceInputs {
        let mut inputs = Inputs::default();
        let mut elsewhere = BTreeMap::new();
        let own = self.setup.root.join(&piece.scene);
        let read = read_values(&own, &piece.edits).unwrap_or_default();
        for value in read.values {
            inputs.add_value(&value.path, &value.text);
            if value.file != own {
                elsewhere.insert(value.path, from_root(&value.file, &self.setup.root));
            }
        }
        read.orders.iter().for_each(|(path, names)| inputs.add_order(path, names));
        for (name, hash) in files {
            let Some(hash) = hash else { continue };
            inputs.add_file(&from_root(Path::new(name), &self.setup.root), &format!("b3:{hash}"));
        }
        PieceInputs { text: inputs.print(), elsewhere, scene: piece.scene.clone() }
    }

    /// What of a candidate's inputs is not what its reference was made from.
    pub(super) fn changed_inputs(&self, family: &str, line: &LockLine, candidate: &Candidate) -> InputChanges {
        if line.scene.is_some() && line.scene == candidate.scene_hash {
            return InputChanges::none();
        }
        // One that is broken says nothing; `store verify` reports it.
        let Some(old) = self.store.inputs(family, line).ok().flatten() else { return InputChanges::unknown() };
        let PieceInputs { text, elsewhere, scene } = &*candidate.inputs;
        let file_of = |path: &str| elsewhere.get(path).unwrap_or(scene).clone();
        Inputs::parse(text).changes_since(&Inputs::parse(&old), &file_of)
    }

    /// Whether a reference with this very picture names other passes or other inputs than the candidate's.
    pub(super) fn are_hashes_stale(&self, line: &LockLine, candidate: &Candidate) -> bool {
        let passes = candidate.passes_root.is_some() && line.passes != candidate.passes_root;
        passes || line.inputs != Some(PixelHash::of_text(&candidate.inputs.text))
    }
}

/// The name of a file from the project's folder, the same on every machine. One outside goes by its name alone.
fn from_root(path: &Path, root: &Path) -> String {
    let inside = if path.is_absolute() { path.strip_prefix(root).ok() } else { Some(path) };
    let name = inside.unwrap_or(Path::new(path.file_name().unwrap_or_default()));
    name.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}
