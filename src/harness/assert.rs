//! Assert: scenes in ordinary `cargo test`, with the references, runs and reviews of `stillframe test`.

use std::path::Path;

use stillframe_frames::run::CaseRecord;
use stillframe_frames::testing::{Session, Settings, session_folder, settle};
use stillframe_frames::{Picture, PixelHash};

use super::case::listed;
use super::judge::{Judge, Setup, diagnostic_lines};
use super::project::Project;
use crate::scene::{Aov, Scene, Wishes, read};
use crate::take::{Settings as TakeSettings, take};

/// Asserts that every case of a scene is what its reference says: `assert_frame!("scenes/shadow/edge.toml")`, the path
/// from the package's folder. `STILLFRAME_UPDATE=missing|failing|all` writes references, as
/// [`stillframe_frames::testing`] says.
#[macro_export]
macro_rules! assert_frame {
    ($scene:expr) => {
        $crate::harness::assert_frame(env!("CARGO_MANIFEST_DIR"), $scene)
    };
}

/// What [`assert_frame!`] does.
///
/// Panics with the words of `stillframe test`.
#[track_caller]
pub fn assert_frame(folder: impl AsRef<Path>, scene: impl AsRef<Path>) {
    let settings = Settings::from_env().unwrap_or_else(|message| panic!("{message}"));
    if let Err(words) = check_frame(folder.as_ref(), scene.as_ref(), &settings) {
        panic!("{words}");
    }
}

/// [`assert_frame!`] for who wants the words.
///
/// Errors: the words.
pub fn check_frame(folder: &Path, scene: &Path, settings: &Settings) -> Result<(), String> {
    let project = Project::around(folder).map_err(|found| diagnostic_lines(&found))?;
    let project = project.ok_or_else(|| format!("{}: no `stillframe.toml` there or above", folder.display()))?;
    let listed = listed(&project, &folder.join(scene));
    if !listed.mistakes.is_empty() {
        return Err(diagnostic_lines(&listed.mistakes));
    }
    let told = |error: std::io::Error| format!("{}: {error}", project.runs().display());
    let adapter = format!("soft/{}", crate::take::PIXEL_CONTRACT);
    let session = Session {
        name: &settings.session,
        adapter: &adapter,
        references: &project.config.references,
        store: &project.config.store,
    };
    let run = session_folder(&project.runs(), &session).map_err(told)?;
    let setup = Setup { run: run.path().to_path_buf(), known: None, ..Setup::of(&project) };
    // Nothing that is told depends on how long it took.
    let mut judge = Judge::new(setup, &|| 0.0).map_err(|error| error.to_string())?;
    let records: Vec<CaseRecord> = listed.pieces.iter().flat_map(|piece| judge.piece(piece)).collect();
    let changed =
        |record: &CaseRecord| record.status.is_failure() || settings.writes(record.status) && record.passes_changed;
    let records: Vec<CaseRecord> = records.into_iter().filter(changed).collect();
    settle(&run, judge.store(), settings, &records)
}

/// A scene's picture, for tests that ask it something else than whether it changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    pub picture: Picture,
}

impl Frame {
    /// Renders the colour picture of a scene file at its own moment.
    ///
    /// Panics on mistakes of the scene, with all of them.
    #[track_caller]
    pub fn render(scene: impl AsRef<Path>) -> Frame {
        Frame::render_with(scene, &[])
    }

    /// The same with values written anew, as `--set` does: `&["output.samples=1"]`.
    #[track_caller]
    pub fn render_with(scene: impl AsRef<Path>, edits: &[&str]) -> Frame {
        let edits: Vec<String> = edits.iter().map(|edit| edit.to_string()).collect();
        let read = read(scene.as_ref(), &edits).unwrap_or_else(|found| panic!("{}", diagnostic_lines(&found)));
        Frame::of(&read.scene)
    }

    /// Renders a model file as `stillframe render FILE` does: framed, lit and on a floor, 1280x720, unless `wishes` say
    /// otherwise.
    ///
    /// Panics on mistakes of the file, with all of them.
    #[track_caller]
    pub fn of_model(file: impl AsRef<Path>, wishes: &Wishes) -> Frame {
        let read = Scene::for_model(file.as_ref(), wishes);
        Frame::of(&read.unwrap_or_else(|found| panic!("{}", diagnostic_lines(&found))).scene)
    }

    #[track_caller]
    fn of(scene: &Scene) -> Frame {
        let settings = TakeSettings { aovs: vec![Aov::COLOR], ..TakeSettings::default() };
        let taken = take(scene, &settings, &mut |_| ()).unwrap_or_else(|error| panic!("{error}"));
        Frame { picture: taken.pictures.into_iter().next().expect("one was asked for").1 }
    }

    pub fn hash(&self) -> PixelHash {
        self.picture.hash()
    }

    /// A texel's samples as 8-bit sRGB, alpha left out.
    pub fn texel(&self, x: u32, y: u32) -> [u8; 3] {
        let stillframe_frames::Samples::U8(values) = &self.picture.samples else {
            unreachable!("rendered with 8 bits");
        };
        let wide = self.picture.channel_count as usize;
        let at = (y as usize * self.picture.width_px as usize + x as usize) * wide;
        [values[at], values[at + 1], values[at + 2]]
    }
}
