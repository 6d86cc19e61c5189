//! Setup: what a judge needs to know before the first case. Plain data, so that a process can hand it to another.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use stillframe_base::lanes::Isa;
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
    /// Folder of references, absolute.
    pub references: PathBuf,
    /// Where pictures are kept, as `stillframe.toml` names it.
    pub store: String,
    /// The program for object stores (one on the path, unless somebody knows better), and where it keeps what it
    /// fetched.
    pub remote: Option<(PathBuf, PathBuf)>,
    pub max_reference_bytes: Option<u64>,
    /// The run's folder.
    pub run: PathBuf,
    /// Folder of what earlier runs found out; `None`: everything is rendered.
    pub known: Option<PathBuf>,
    /// Whether everything is rendered all the same, and held to what earlier runs found out.
    pub distrust: bool,
    /// Models that are kept ready; `None`: nowhere.
    pub models: Option<PathBuf>,
    /// `None`: the software adapter; else a part of a native one's name.
    pub native: Option<String>,
    pub threads: usize,
    /// Name of an instruction set.
    pub isa: Option<String>,
    /// How closely passes are looked at.
    pub look: Look,
    /// Every case is rendered again, with one thread and in reverse order.
    pub audit: bool,
    /// Every case is rendered by these other routes too.
    pub via: Vec<Via>,
    /// How often each case is rendered.
    pub repeat: u32,
    pub slow_s: f64,
    /// Root of the old passes in the run's folder, where whoever drew the old picture again told them.
    pub old_passes: Option<PixelHash>,
    /// A mistake that is planted.
    pub fault: Option<Fault>,
    /// Changes with every build of this program that could draw otherwise.
    pub build: String,
    /// What runs one case again, but for its name.
    pub command: String,
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
            references: project.references(),
            store: project.config.store.clone(),
            remote: Some((PathBuf::from("stillframe-remote"), project.target().join("store"))),
            max_reference_bytes: project.config.max_reference_bytes,
            known: Some(project.target().join("known")),
            repeat: 1,
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
        let address = StoreAddress::parse(&self.store).map_err(StoreError::from)?.under(&self.root);
        let options = StoreOptions {
            reference_bytes_max: self.max_reference_bytes,
            remote: self.remote.clone().map(|(program, cache)| Remote { program, cache }),
            ..StoreOptions::default()
        };
        Store::open(&self.references, address, options)
    }

    /// How its scenes are taken.
    pub fn settings(&self) -> Settings {
        Settings {
            adapter: match &self.native {
                None => AdapterChoice::Soft,
                Some(part) => AdapterChoice::Native(Some(part.clone()).filter(|part| !part.is_empty())),
            },
            threads: self.threads,
            isa: self.isa.as_ref().and_then(|name| name.parse::<Isa>().ok()),
            capture: match self.look {
                Look::Off => Capture::Off,
                Look::Passes => Capture::Passes,
                Look::Draws => Capture::Draws,
            },
            cache: self.models.clone().map(Cache::new),
            scene_hash: true,
            fault: self.fault.clone(),
            ..Settings::default()
        }
    }
}

/// Changes with every build that could draw otherwise: the sources that pictures depend on.
pub fn build_id() -> String {
    format!("{} {}", env!("CARGO_PKG_VERSION"), env!("STILLFRAME_BUILD"))
}
