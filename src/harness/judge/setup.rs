//! Setup: what a judge needs to know before the first case. Plain data, so that a process can hand it to another.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use stillframe_frames::PixelHash;
use stillframe_frames::store::{Remote, Store, StoreAddress, StoreError, StoreOptions};

use super::super::project::Project;
use super::routes::Via;
use crate::cache::Cache;
use crate::fault::Fault;
use crate::take::{AdapterChoice, Capture, Settings};

/// How cases are run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Setup {
    /// The project's folder.
    pub root: PathBuf,
    pub references: References,
    /// The run's folder.
    pub run: PathBuf,
    /// `None`: everything is rendered.
    pub known: Option<Known>,
    pub rendering: Rendering,
    pub repeats: Repeats,
    /// Whether a case fails whose scene or models are warned about.
    pub strict: bool,
    /// A case that takes longer is told.
    pub slow_s: f64,
    /// Root of the old passes in the run's folder, where whoever drew the old picture again told them.
    pub old_passes: Option<PixelHash>,
    /// Changes with every build of this program that could draw otherwise.
    pub build: String,
    /// What runs one case again, but for its name.
    pub command: String,
}

/// What pictures are compared with.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct References {
    /// Folder of locks, absolute.
    pub folder: PathBuf,
    /// Where pictures are kept, as `stillframe.toml` names it.
    pub store: String,
    /// The program for object stores (one on the path, unless somebody knows better), and where it keeps what it
    /// fetched.
    pub remote: Option<(PathBuf, PathBuf)>,
    /// A larger picture is no reference.
    pub bytes_max: Option<u64>,
}

/// What earlier runs found out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Known {
    pub folder: PathBuf,
    /// Whether everything is rendered all the same, and held to it.
    pub distrust: bool,
}

/// How a picture is made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rendering {
    /// Models that are kept ready; `None`: nowhere.
    pub models: Option<PathBuf>,
    /// `None`: the software adapter; else a part of a native one's name.
    pub native: Option<String>,
    /// As [`Settings::threads`].
    pub threads: usize,
    /// How closely passes are looked at.
    pub look: Look,
    /// A mistake that is planted.
    pub fault: Option<Fault>,
}

/// How often a case is rendered, to see whether its picture stays the same.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Repeats {
    /// Once more, with one thread and in reverse order.
    pub audit: bool,
    /// By these other routes too.
    pub via: Vec<Via>,
    /// So often in the same way.
    pub count: u32,
}

impl Repeats {
    /// As many pictures as a case costs at most.
    pub fn pictures_max(&self) -> u32 {
        // One thread may take as long as two.
        let audit = if self.audit { 3 } else { 0 };
        self.count.max(1) + audit + self.via.iter().map(|via| via.pictures_max()).sum::<u32>()
    }
}

/// How closely passes are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Look {
    Off,
    /// A hash a pass; draws where something differs.
    #[default]
    Passes,
    /// Draws of every case.
    Draws,
}

impl Setup {
    /// A setup of a project with everything else as it is by default.
    pub fn of(project: &Project) -> Setup {
        Setup {
            root: project.root.clone(),
            references: References {
                folder: project.references(),
                store: project.config.store.clone(),
                remote: Some((PathBuf::from("stillframe-remote"), project.target().join("store"))),
                bytes_max: project.config.max_reference_bytes,
            },
            known: Some(Known { folder: project.target().join("known"), distrust: false }),
            repeats: Repeats { count: 1, ..Repeats::default() },
            slow_s: project.config.slow_s,
            build: build_id(),
            command: "stillframe test".into(),
            ..Setup::default()
        }
    }

    /// The store of references.
    ///
    /// Errors: an address that is none, a store that cannot be opened.
    pub fn open_store(&self) -> Result<Store, StoreError> {
        let References { folder, store, remote, bytes_max } = &self.references;
        let address = StoreAddress::parse(store).map_err(StoreError::from)?.under(&self.root);
        let options = StoreOptions {
            reference_bytes_max: *bytes_max,
            remote: remote.clone().map(|(program, cache)| Remote { program, cache }),
            ..StoreOptions::default()
        };
        Store::open(folder, address, options)
    }

    /// How its scenes are taken.
    pub fn settings(&self) -> Settings {
        let Rendering { models, native, threads, look, fault } = &self.rendering;
        Settings {
            adapter: match native {
                None => AdapterChoice::Soft,
                Some(part) => AdapterChoice::Native(Some(part.clone()).filter(|part| !part.is_empty())),
            },
            threads: *threads,
            capture: match look {
                Look::Off => Capture::Off,
                Look::Passes => Capture::Passes,
                Look::Draws => Capture::Draws,
            },
            cache: models.clone().map(Cache::new),
            scene_hash: true,
            fault: fault.clone(),
            ..Settings::default()
        }
    }
}

/// Changes with every build that could draw otherwise: the sources that pictures depend on.
pub fn build_id() -> String {
    format!("{} {}", env!("CARGO_PKG_VERSION"), env!("STILLFRAME_BUILD"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_picture_of_a_case_has_its_time() {
        let pictures = |audit, via: &[Via], count| Repeats { audit, via: via.to_vec(), count }.pictures_max();
        assert_eq!(pictures(false, &[], 0), 1);
        assert_eq!(pictures(false, &[Via::Threads, Via::Poison], 3), 7);
        assert_eq!(pictures(true, &[], 1), 4);
        let each: Vec<Via> = Via::WORDS.iter().map(|(_, via)| *via).filter(|via| *via != Via::All).collect();
        assert_eq!(pictures(false, &[Via::All], 1), pictures(false, &each, 1));
    }
}
