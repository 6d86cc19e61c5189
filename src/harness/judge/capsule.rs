//! Capsule: a case with everything that it is made of.

use stillframe_base::bounded;
use stillframe_frames::{PassHash, Picture};

use super::super::case::Piece;
use super::{Failed, Judge, Read, candidates_of, pass_hash, times_s_of};
use crate::scene::{Aov, Scene, Tolerance};
use crate::source::Vfs;
use crate::take::{Settings, Sitting};

/// What proves a picture: the scene in its printed form, the files that it reads, what came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Capsule {
    pub scene: String,
    /// Every file that was read, by its name from the scene's root.
    pub files: Vec<(String, Vec<u8>)>,
    pub time_s: f64,
    pub aov: String,
    pub adapter: String,
    pub picture: Picture,
    pub passes: Vec<PassHash>,
}

/// The first case of a piece, as who asks for one case alone sees it.
pub(super) struct FirstCase {
    /// The moment is part of it: whoever takes it knows no test.
    pub scene: Scene,
    pub aov: Aov,
    pub tolerance: Option<Tolerance>,
}

impl Judge<'_> {
    /// Errors: why it cannot be read, in words.
    pub(super) fn first_case(&self, piece: &Piece) -> Result<FirstCase, String> {
        let Read { scene, test, .. } = self.read(piece).map_err(|failed| failed.message)?;
        let case = piece.cases.first().ok_or("a piece has no cases")?;
        let time_s = times_s_of(&scene, &test)[case.moment];
        let aov = Aov::parse(&case.aov).ok_or_else(|| format!("`{}` is not a layer", case.aov))?;
        Ok(FirstCase { scene: Scene { time_s, ..scene }, aov, tolerance: test.tolerance })
    }

    /// The first case of a piece as a capsule.
    ///
    /// Errors: why there is no picture, in words.
    pub fn capsule(&mut self, piece: &Piece) -> Result<Capsule, String> {
        let words = |failed: Failed| failed.message;
        let FirstCase { scene, aov, .. } = self.first_case(piece)?;
        let time_s = scene.time_s;
        let settings = Settings { aovs: vec![aov.clone()], ..self.setup.settings() };
        let mut sitting =
            Sitting::begin_with(&mut self.equipment, &scene, &settings, &mut |_| ()).map_err(|e| words(e.into()))?;
        let take = sitting.at(time_s, &mut |_| ()).map_err(|error| words(error.into()))?;
        let mut files = Vec::new();
        for (path, hash) in sitting.files() {
            if hash.is_none() {
                continue;
            }
            let inside = path
                .strip_prefix(&scene.root)
                .map_err(|_| format!("{}: only files below the project's folder can be packed", path.display()))?;
            let name = inside.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
            files.push((
                name,
                bounded::read(path, Vfs::FILE_MAX_BYTES).map_err(|error| format!("{}: {error}", path.display()))?,
            ));
        }
        self.equipment = Some(sitting.end());
        let candidate = candidates_of(&take, time_s, &self.pool).into_iter().next().expect("one picture was asked for");
        Ok(Capsule {
            scene: scene.print(),
            files,
            time_s,
            aov: aov.to_string(),
            adapter: candidate.adapter,
            picture: candidate.picture,
            passes: take.captures.iter().map(pass_hash).collect(),
        })
    }
}
