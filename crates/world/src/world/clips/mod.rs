//! Clips: which clip a name of the scene means, and how it comes to the model that plays it.
//!
//! In: a scene and its files. Out: rigs and clips for the families that play them, each made once. Never here: who
//! plays what.

mod find;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use stillframe_anim::root::RootParts;

use super::code;
use super::files::Files;
use crate::animate::{Borrowed, Rig, RigClip, RigPart};
use crate::import::Model;
use crate::pose::joints;
use crate::scene::{Owner, RootMotion, Scene, SceneClip};
use crate::source::{Diagnostic, near};
pub use find::Wanted;
use find::{BorrowedKey, Found, Lack};

/// The joint whose way is the actor's, and what of the way.
pub type Root = (u16, RootParts);

/// What a clip is baked for.
struct ClipKey<'a> {
    /// Of the model that plays it.
    file: &'a PathBuf,
    part: RigPart,
    root: Option<Root>,
}

/// Finds clips and rigs, and notes what is wrong with them.
pub struct Finder<'a> {
    pub scene: &'a Scene,
    pub files: &'a Files,
    pub errors: Vec<Diagnostic>,
    pub warnings: Vec<Diagnostic>,
    rigs: BTreeMap<&'a PathBuf, Option<Arc<Rig>>>,
    borrowed: Vec<(BorrowedKey<'a>, Option<Arc<Borrowed>>)>,
    /// What models lack of clips is reported once, not clip by clip.
    lacks: Vec<Lack<'a>>,
    clips: Vec<(ClipKey<'a>, Option<RigClip>)>,
}

/// A model that plays, with its rig.
#[derive(Clone, Copy)]
pub struct Rigged<'a> {
    pub model: &'a Model,
    pub rig: &'a Rig,
    pub root: Option<Root>,
}

impl<'a> Finder<'a> {
    pub fn new(scene: &'a Scene, files: &'a Files) -> Finder<'a> {
        Finder {
            scene,
            files,
            errors: Vec::new(),
            warnings: Vec::new(),
            rigs: BTreeMap::new(),
            borrowed: Vec::new(),
            lacks: Vec::new(),
            clips: Vec::new(),
        }
    }

    /// The file of a model of the scene, and the model; none where it could not be read, which has been reported.
    pub fn model(&self, number: usize) -> Option<(&'a PathBuf, &'a Model)> {
        let file = &self.scene.models[number].file;
        Some((file, self.files.models.get(file)?))
    }

    /// The rig of a model's file.
    pub fn rig(&mut self, file: &'a PathBuf, model: &Model) -> Option<Arc<Rig>> {
        if let Some(known) = self.rigs.get(file) {
            return known.clone();
        }
        let made = match Rig::new(model) {
            Ok(rig) => Some(Arc::new(rig)),
            Err(words) => {
                self.errors.push(Diagnostic::error(
                    code::RIG,
                    file,
                    format!("its nodes do not form a skeleton: {words}"),
                ));
                None
            }
        };
        self.rigs.insert(file, made.clone());
        made
    }

    /// The joint whose way is the actor's. Inner `None`: nothing of it is.
    #[expect(clippy::option_option, reason = "an error has been reported, or there is none to be found")]
    pub fn root(
        &mut self,
        owner: Owner<'_>,
        motion: Option<&RootMotion>,
        file: &Path,
        model: &Model,
        rig: &Rig,
    ) -> Option<Option<Root>> {
        let Some(motion) = motion else { return Some(None) };
        let names = rig.skeleton.names();
        let found = match &motion.joint {
            Some(name) => names.iter().position(|own| own == name),
            None => joints(model).into_iter().min(),
        };
        // A skeleton has no more joints than that.
        let joint = found.and_then(|joint| u16::try_from(joint).ok());
        if joint.is_none() {
            let name = motion.joint.as_deref().unwrap_or_default();
            let message = format!("{owner}: the file has no joint {name:?}");
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let error = Diagnostic::error(code::MODEL_NODE, file, message).help(near(name, &names));
            self.errors.push(self.scene.written.at(owner, &["root_joint"], name, error));
        }
        joint.map(|joint| Some((joint, motion.parts)))
    }

    /// A clip by the name that the scene gives it, else by the file's, ready to be played.
    pub fn clip(
        &mut self,
        wanted: &Wanted<'_>,
        file: &'a PathBuf,
        rigged: &Rigged<'_>,
    ) -> Option<(RigClip, Option<&'a SceneClip>)> {
        let Found { part, facts, file: home } = self.find(wanted)?;
        let root = rigged.root;
        let is =
            |own: &ClipKey<'_>| own.file == file && own.part.0.is(&part.0) && own.part.1 == part.1 && own.root == root;
        if let Some((_, known)) = self.clips.iter().find(|(own, _)| is(own)) {
            return known.clone().map(|clip| (clip, facts));
        }
        let made = match rigged.rig.clip(rigged.model, part.clone(), root) {
            Ok(clip) => Some(clip),
            Err(words) => {
                let message = format!("clip {:?}: {words}", wanted.name);
                self.errors.push(Diagnostic::error(code::RIG, home, message));
                None
            }
        };
        self.clips.push((ClipKey { file, part, root }, made.clone()));
        made.map(|clip| (clip, facts))
    }
}
