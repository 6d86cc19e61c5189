//! Base: what made the references, at hand. It draws again the old pictures that no store holds.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use stillframe_base::par::Pool;
use stillframe_frames::print_passes;
use stillframe_frames::run::{CaseRecord, RunFolder, Status};

use crate::cli::status::Failure;
use crate::cli::{Surroundings, git, project, repro};
use crate::harness::{Case, Judge, Piece, Project, Setup};

/// A program, and the project's folder that it runs in.
pub struct Base {
    program: PathBuf,
    root: PathBuf,
    /// The scenes of a commit, removed in the end.
    _checkout: Option<git::Checkout>,
}

impl Base {
    /// The file of a program, or a commit, whose scenes this program draws.
    pub fn open(project: &Project, word: &str) -> Result<Base, Failure> {
        let path = Path::new(word);
        if path.is_file() {
            let program = path
                .canonicalize()
                .map_err(|error| Failure::usage(format!("{} cannot be run: {error}", path.display())))?;
            return Ok(Base { program, root: project.root.clone(), _checkout: None });
        }
        let program = std::env::current_exe()
            .map_err(|error| Failure::Environment(format!("cannot find this program: {error}")))?;
        let checkout = git::checkout(&project.root, word)?;
        Ok(Base { program, root: checkout.path().to_path_buf(), _checkout: Some(checkout) })
    }

    /// Judges a case again whose reference is known by its hash alone, with the old picture and the old passes in the
    /// run's folder. What the base draws counts only if it has that hash.
    ///
    /// Errors: the run's folder cannot be written.
    pub fn show_old(
        &self,
        record: &mut CaseRecord,
        pieces: &[Piece],
        setup: &Setup,
        surroundings: &Surroundings,
    ) -> Result<(), Failure> {
        let (Status::Differs, None, Some(want)) = (record.status, &record.old_picture, record.want) else {
            return Ok(());
        };
        let folder = RunFolder::open(&setup.run);
        let capsule = folder.path().join("base.sfr");
        let mut command = Command::new(&self.program);
        command.args(["repro", "save", &record.name, "-o"]).arg(&capsule).current_dir(&self.root);
        let ran = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        let expected = ran.ok().filter(|status| status.success()).and_then(|_| repro::expected(&capsule));
        let _ = std::fs::remove_file(&capsule);
        let Some(expected) = expected else {
            record.add_message("the base has no picture of this case");
            return Ok(());
        };
        let Some(old) = expected.picture.filter(|old| old.hash() == want) else {
            record.add_message("the base's picture is not the reference: its scene or its build differs");
            return Ok(());
        };
        let told = |error: std::io::Error| Failure::of_write(folder.path(), &error);
        folder.keep(&old, &Pool::new(1)).map_err(told)?;
        let old_passes = Some(folder.keep_passes(&print_passes(&expected.passes)).map_err(told)?);
        let is_own = |case: &Case| case.name == record.name;
        let Some(piece) = pieces.iter().find(|piece| piece.cases.iter().any(is_own)) else { return Ok(()) };
        let cases = piece.cases.iter().filter(|case| is_own(case)).cloned().collect();
        let setup = Setup { known: None, old_passes, ..setup.clone() };
        let elapsed_ms = || surroundings.elapsed_ms();
        let mut judge = Judge::new(setup, &elapsed_ms).map_err(project::of_store)?;
        if let Some(anew) = judge.piece(&Piece { cases, ..piece.clone() }).pop() {
            *record = anew;
        }
        Ok(())
    }
}
