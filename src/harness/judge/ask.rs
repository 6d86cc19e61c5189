//! Ask: whether a scene's text still does something, for whoever makes it smaller.

use std::path::PathBuf;

use stillframe_frames::{Differences, Picture, PixelHash};

use super::super::case::Piece;
use super::Judge;
use super::capsule::FirstCase;
use super::verdict::share_beyond;
use crate::fault::Fault;
use crate::scene::{Aov, Scene, Tolerance, resolve_text};
use crate::source::Vfs;
use crate::take::{AdapterChoice, Settings};

/// What can be asked without another program.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask {
    /// Whether a planted fault changes the picture.
    Fault(Box<Fault>),
    /// Whether other threads or another order give another picture.
    Unsteady,
    /// Whether the native adapter whose name holds this draws another picture, beyond the scene's tolerance.
    Native(String),
}

/// A case as a scene's text that lies in `folder`.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    pub text: String,
    pub folder: PathBuf,
    root: PathBuf,
    pub aov: Aov,
    tolerance: Option<Tolerance>,
}

impl Judge<'_> {
    /// The first case of a piece as a scene of its own, in the folder that its file lies in.
    ///
    /// Errors: why it cannot be read, in words.
    pub fn subject(&self, piece: &Piece, folder: PathBuf) -> Result<Subject, String> {
        let FirstCase { scene, aov, tolerance, .. } = self.first_case(piece)?;
        let scene = Scene { params: Vec::new(), ..scene };
        let text = scene.print_in(&folder);
        Ok(Subject { text, folder, root: scene.root, aov, tolerance })
    }

    /// Whether a text in the subject's place does what is asked. One that is no scene, or has no picture, does not.
    pub fn answer(&mut self, subject: &Subject, text: &str, ask: &Ask) -> bool {
        let Some(scene) = scene_of(subject, text, &[]) else { return false };
        let Some(own) = self.picture_as(&scene, subject, "", |_| ()) else { return false };
        match ask {
            Ask::Fault(fault) => {
                // A mistake of the scene counts where the scene has such a thing.
                let faulty = scene_of(subject, text, &fault.set).unwrap_or(scene);
                let other =
                    self.picture_as(&faulty, subject, "fault", |settings| settings.fault = Some((**fault).clone()));
                other.is_some_and(|other| other.hash() != own.hash())
            }
            Ask::Unsteady => {
                let one = self.picture_as(&scene, subject, "1 thread", |settings| settings.threads = 1);
                let reverse = self.picture_as(&scene, subject, "reverse order", |settings| {
                    (settings.threads, settings.last_first) = (2, true);
                });
                [one, reverse].into_iter().flatten().any(|other| other.hash() != own.hash())
            }
            Ask::Native(part) => {
                let part = Some(part.clone()).filter(|part| !part.is_empty());
                let native = AdapterChoice::Native(part);
                let other = self.picture_as(&scene, subject, "native", |settings| settings.adapter = native.clone());
                other.is_some_and(|other| is_beyond(&own, &other, subject.tolerance.as_ref()))
            }
        }
    }

    /// What a text shows here; `None`: it is no scene, or there is no picture.
    pub fn hash_of(&mut self, subject: &Subject, text: &str) -> Option<PixelHash> {
        let scene = scene_of(subject, text, &[])?;
        Some(self.picture_as(&scene, subject, "", |_| ())?.hash())
    }

    /// The picture as other settings make it, with equipment that is kept under a name.
    fn picture_as(
        &mut self,
        scene: &Scene,
        subject: &Subject,
        name: &str,
        change: impl Fn(&mut Settings),
    ) -> Option<Picture> {
        let mut settings = Settings { aovs: vec![subject.aov.clone()], scene_hash: false, ..self.setup.settings() };
        change(&mut settings);
        let take = self.take_as(name, scene, &settings, scene.time_s, false);
        take.ok()?.pictures.into_iter().next().map(|(_, picture)| picture)
    }
}

fn scene_of(subject: &Subject, text: &str, edits: &[String]) -> Option<Scene> {
    let vfs = Vfs::open(&subject.root).ok()?;
    let name = std::path::Path::new("shrunk.toml");
    resolve_text(text, name, &subject.folder, &vfs, edits).ok().map(|resolved| resolved.scene)
}

fn is_beyond(old: &Picture, new: &Picture, tolerance: Option<&Tolerance>) -> bool {
    let Ok(differences) = Differences::of(old, new) else { return true };
    let (channel, share) = tolerance.map_or((0.0, 0.0), |tolerance| (tolerance.channel, tolerance.share));
    share_beyond(&differences, channel) > share
}
