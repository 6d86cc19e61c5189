//! Comparing: pictures of a program's tests beside their references.

use std::collections::BTreeMap;
use std::io;
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use stillframe_base::par::Pool;

use super::allowed::{Allowed, blanked};
use super::command::cargo_test;
use super::session::{Session, session_folder, settle, withdraw};
use super::{Settings, Update};
use crate::compare::{Bounds, Mask, Tolerance};
use crate::run::{CaseRecord, RunFolder, Status, Why, split_name};
use crate::store::{Ledger, Store, StoreAddress, StoreOptions};
use crate::{LockLine, Owner, Picture, difference_picture};

/// Tests of one package.
#[derive(Clone, Debug)]
pub struct Tests {
    root: PathBuf,
    adapter: String,
    settings: Settings,
    address: StoreAddress,
    allowed: Allowed,
}

/// The folder of references, from the package's.
const REFERENCES: &str = "references";

impl Tests {
    /// Tests whose references lie in `references/` below a folder: `Tests::at(env!("CARGO_MANIFEST_DIR"))`.
    ///
    /// Panics on a `STILLFRAME_UPDATE` that is none.
    pub fn at(folder: impl AsRef<Path>) -> Tests {
        let settings = Settings::from_env().unwrap_or_else(|message| panic!("{message}"));
        Tests {
            root: folder.as_ref().to_path_buf(),
            adapter: "unknown/0".into(),
            settings,
            address: StoreAddress::Git,
            allowed: Allowed::default(),
        }
    }

    /// Who made the pictures, as the lock names it: `soft/1` is the software adapter with pixel contract 1. References
    /// of another one are never compared with, unless there is a tolerance.
    pub fn made_by(self, adapter: &str) -> Tests {
        assert!(
            adapter.contains('/') && !adapter.contains(char::is_whitespace),
            "an adapter is written `soft/1`, not {adapter:?}"
        );
        Tests { adapter: adapter.into(), ..self }
    }

    /// How far a picture may be from its reference, and why it cannot be the same: a GPU's driver rounds differently,
    /// for example. The reference may be another adapter's then.
    ///
    /// Panics on a tolerance outside of 0..=255 steps or 0..=1 of the pixels, and on a reason that says nothing.
    pub fn tolerance(mut self, tolerance: Tolerance, reason: &str) -> Tests {
        let Tolerance { delta, share } = tolerance;
        assert!((0.0..=255.0).contains(&delta) && (0.0..=1.0).contains(&share), "no tolerance: {tolerance:?}");
        assert!(!reason.trim().is_empty(), "a tolerance needs a reason");
        self.allowed.tolerance = Some(tolerance);
        self.allowed.reason = reason.into();
        self
    }

    /// Leaves out a rectangle: a clock, a version number. Several add up.
    pub fn ignore(mut self, region: Bounds) -> Tests {
        self.allowed.ignored.push(region);
        self
    }

    /// Leaves out the pixels of a set of the picture's size.
    pub fn ignore_mask(mut self, mask: Mask) -> Tests {
        self.allowed.ignored_mask = Some(mask);
        self
    }

    /// Compares this rectangle alone. Several add up.
    pub fn only(mut self, region: Bounds) -> Tests {
        self.allowed.only.push(region);
        self
    }

    /// Another store than the pictures beside their lock lines.
    pub fn store(self, address: StoreAddress) -> Tests {
        Tests { address, ..self }
    }

    /// What the environment would say.
    pub fn settings(self, settings: Settings) -> Tests {
        Tests { settings, ..self }
    }

    /// Compares a picture with the reference `FAMILY/NAME`.
    ///
    /// Panics where it is not the reference's, with where and how much it differs and what to type.
    #[track_caller]
    pub fn assert(&self, name: &str, picture: &Picture) {
        if let Err(words) = self.check(name, picture) {
            panic!("{words}");
        }
    }

    /// [`Tests::assert`] for who wants the words.
    ///
    /// Errors: the words.
    #[track_caller]
    pub fn check(&self, name: &str, picture: &Picture) -> Result<(), String> {
        let elsewhere = also_asserted(&self.root, name, Location::caller());
        let store = self.open_store()?;
        let (family, behaviour) = split_name(name);
        let lock = store.lock(family).map_err(|error| error.to_string())?;
        let line = lock.find(behaviour);
        if line.is_some_and(|line| line.owner.is_scene() && line.scene.is_some()) {
            return Err(format!("{name}: this is the reference of a scene; give the picture another name"));
        }
        let ignored = self.allowed.ignored_of(picture).map_err(|words| format!("{name}: {words}"))?;
        let mut record = CaseRecord {
            name: name.into(),
            adapter: self.adapter.clone(),
            owner: Owner::Tests,
            size_px: [picture.width_px, picture.height_px],
            format: picture.format().to_string(),
            hash: Some(picture.hash()),
            want: line.map(|line| line.pixels),
            command: cargo_test(&self.settings),
            ..CaseRecord::default()
        };
        let mut old = None;
        let old_of = |line: &LockLine| store.picture(family, line).map_err(|error| error.to_string());
        record.status = self.status(line, picture, &mut record.message);
        if record.status == Status::Differs {
            old = line.map(old_of).transpose()?.flatten();
            match &old {
                Some(old) => {
                    let (old, new) = (blanked(old, ignored.as_ref()), blanked(picture, ignored.as_ref()));
                    match self.allowed.judge(&old, &new) {
                        Ok(()) => record.status = Status::Pass,
                        Err(words) => record.message = words,
                    }
                }
                None => record.add_message(&format!("the old picture is not in the store {}", self.address)),
            }
        }
        if let (Status::Pass, Some(line)) = (record.status, line)
            && let Err(error) = store.check_kept(family, line, Some(&Ledger::new(&self.runs().with_file_name("sound"))))
        {
            (record.status, record.message) = (Status::Damaged, Some(error.to_string()));
        }
        if record.status == Status::Pass && self.settings.update != Update::All {
            // A folder of runs that cannot be written is no reason to fail.
            let _ = withdraw(&self.runs(), &record);
            return Ok(());
        }
        if record.status.is_failure() {
            if let Some(ignored) = &ignored {
                record.add_message(&format!("{} pixels are not compared", ignored.pixel_count()));
            }
            if let Some(place) = elsewhere {
                record.add_message(&format!("{place} asserts a picture of this name, too"));
            }
        }
        let folder = self
            .keep(&mut record, [old.as_ref(), Some(picture)], ignored.as_ref())
            .map_err(|error| format!("{}: {error}", self.runs().display()))?;
        settle(&folder, &store, &self.settings, &[record])
    }

    /// What line and picture are to each other, before their pixels are looked at.
    fn status(&self, line: Option<&LockLine>, picture: &Picture, message: &mut Option<String>) -> Status {
        let Some(line) = line else { return Status::New };
        let format = picture.format();
        if (line.width_px, line.height_px, line.format) != (picture.width_px, picture.height_px, format) {
            *message = Some(format!(
                "{}x{} {format}, but the reference is {}x{} {}",
                picture.width_px, picture.height_px, line.width_px, line.height_px, line.format
            ));
            return Status::Size;
        }
        if line.adapter != self.adapter && self.allowed.tolerance.is_none() {
            *message = Some(format!("the reference was made by {}, this picture by {}", line.adapter, self.adapter));
            return Status::Adapter;
        }
        if line.pixels == picture.hash() { Status::Pass } else { Status::Differs }
    }

    /// Keeps the pictures of a failure, old and new, in the session's run.
    fn keep(
        &self,
        record: &mut CaseRecord,
        [old, new]: [Option<&Picture>; 2],
        ignored: Option<&Mask>,
    ) -> io::Result<RunFolder> {
        let session = Session {
            name: &self.settings.session,
            adapter: &self.adapter,
            references: REFERENCES,
            store: &self.address.to_string(),
        };
        let folder = session_folder(&self.runs(), &session)?;
        let pool = Pool::new(1);
        record.new_picture = new.map(|new| folder.keep(new, &pool)).transpose()?;
        if let (Some(old), Some(new)) = (old, new) {
            record.old_picture = Some(folder.keep(old, &pool)?);
            let (old, new) = (blanked(old, ignored), blanked(new, ignored));
            record.why_differs = Why::of(&old, &new, &pool);
            if let Ok(found) = crate::Differences::of(&old, &new) {
                record.diff_picture = Some(folder.keep(&difference_picture(&found), &pool)?);
            }
        }
        Ok(folder)
    }

    fn open_store(&self) -> Result<Store, String> {
        let address = self.address.clone().under(&self.root);
        Store::open(&self.root.join(REFERENCES), address, StoreOptions::default()).map_err(|error| error.to_string())
    }

    fn runs(&self) -> PathBuf {
        self.root.join("target").join("stillframe").join("runs")
    }
}

/// Where else this process asserts a picture of this name. Two with one name have one reference.
fn also_asserted(root: &Path, name: &str, place: &'static Location<'static>) -> Option<&'static Location<'static>> {
    static PLACES: Mutex<BTreeMap<(PathBuf, String), &'static Location<'static>>> = Mutex::new(BTreeMap::new());
    // A test that failed while it held the lock has left the map whole.
    let mut places = PLACES.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let first = *places.entry((root.to_path_buf(), name.to_string())).or_insert(place);
    (first != place).then_some(first)
}
