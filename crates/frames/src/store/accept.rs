//! Changes of references: of several families at once, all or none.

use std::collections::{BTreeMap, BTreeSet};

use crate::lock::{Lock, LockLine};
use crate::picture::Picture;
use crate::store::blob::{self, BlobKey, BlobKind};
use crate::store::check::{check_file, check_picture, checked_inputs, checked_passes, checked_picture};
use crate::store::disk::{self, Guard};
use crate::store::error::StoreError;
use crate::store::journal::{self, Stage};
use crate::store::name::in_family;
use crate::store::open::{LOCK_FILE, Place, Store, check_family, git_path};

/// One case that changes.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "few, and most are large")]
pub enum Change {
    /// The case looks like this from now on.
    Set {
        family: String,
        line: LockLine,
        pixels: Pixels,
        /// What `line.passes` is the root of. None, though the line names one: it is in the store already.
        passes: Option<String>,
        /// What `line.inputs` is the hash of. None, though the line names one: it is in the store already.
        inputs: Option<String>,
    },
    /// There is no such case any more.
    Remove { family: String, name: String },
}

impl Change {
    /// Its family, and its name there.
    pub fn case(&self) -> (&str, &str) {
        match self {
            Change::Set { family, line, .. } => (family, &line.name),
            Change::Remove { family, name } => (family, name),
        }
    }
}

/// The picture of a change.
#[derive(Clone, Debug)]
pub enum Pixels {
    Picture(Picture),
    /// A PNG or EXR file, as a run leaves it. It is packed anew.
    Encoded(Vec<u8>),
    /// The store has it: only the rest of the line changes.
    Kept,
}

/// What a change did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accepted {
    pub added: usize,
    /// Lines that were there and are others now.
    pub changed: usize,
    pub removed: usize,
    /// Lines that were so already.
    pub unchanged: usize,
    /// Pictures and lists of passes that were written.
    pub files: usize,
    pub bytes: u64,
}

impl Store {
    /// Makes all of `changes` or none of them, whatever happens meanwhile: see [`crate::store`].
    ///
    /// Every picture is checked against its line first. For an object store the pictures stay here until
    /// [`Store::push`]. Errors: those checks, pictures over the limit, a case that is named twice, and everything that
    /// keeps files from being written; nothing is changed then.
    pub fn accept(&self, changes: &[Change]) -> Result<Accepted, StoreError> {
        if changes.is_empty() {
            return Ok(Accepted::default());
        }
        std::fs::create_dir_all(&self.references).map_err(StoreError::write(&self.references))?;
        let guard = Guard::take(&self.references, self.options.wait)?;
        journal::recover_held(&self.references, &guard)?;
        let prepared = self.prepare(changes)?;
        let folder_guard = self.by_content().map(|folder| folder.guard(self.options.wait)).transpose()?;
        let mut accepted = Accepted::default();
        let mut locks: BTreeMap<&str, (Lock, Lock)> = BTreeMap::new();
        for change in &prepared {
            if !locks.contains_key(change.family) {
                let lock = self.lock(change.family)?;
                locks.insert(change.family, (lock.clone(), lock));
            }
        }
        let mut stage = Stage::begin(&self.references, &guard)?;
        for change in &prepared {
            let (_, lock) = locks.get_mut(change.family).expect("read above");
            match &change.line {
                Some((line, files)) => {
                    match lock.set((*line).clone()) {
                        None => accepted.added += 1,
                        Some(old) if old == **line => accepted.unchanged += 1,
                        Some(_) => accepted.changed += 1,
                    }
                    self.write_files(change.family, line, files, &mut stage, folder_guard.as_ref(), &mut accepted)?;
                }
                None => {
                    accepted.removed += usize::from(lock.remove(change.name).is_some());
                    self.remove_files(change.family, change.name, &BlobKind::ALL, &mut stage)?;
                }
            }
        }
        for (family, (old, lock)) in &locks {
            if old == lock {
                continue;
            }
            let path = in_family(family, LOCK_FILE);
            if lock.lines().is_empty() {
                stage.remove(&path);
                if !family.is_empty() {
                    stage.remove_folder(family);
                }
            } else {
                stage.put(&path, lock.to_string().as_bytes())?;
            }
        }
        stage.commit()?;
        Ok(accepted)
    }

    /// Those of `changes` that [`Store::accept`] would refuse whatever the others are, by their places, and why.
    pub fn refused(&self, changes: &[Change]) -> Vec<(usize, StoreError)> {
        let mut seen = BTreeSet::new();
        let mut readable: BTreeSet<String> = BTreeSet::new();
        let mut refusal = |change: &Change| -> Option<StoreError> {
            let (family, name) = change.case();
            if !seen.insert((family.to_string(), name.to_string())) {
                return Some(StoreError::Twice { case: in_family(family, name) });
            }
            let checked = self.prepare(std::slice::from_ref(change)).map(drop);
            let mut lock = || -> Result<(), StoreError> {
                if !readable.contains(family) {
                    self.lock(family)?;
                    readable.insert(family.to_string());
                }
                Ok(())
            };
            checked.and_then(|()| lock()).err()
        };
        let all = changes.iter().map(&mut refusal).enumerate();
        all.filter_map(|(at, refusal)| Some((at, refusal?))).collect()
    }

    /// Everything that can be wrong with changes, before anything is touched.
    fn prepare<'a>(&self, changes: &'a [Change]) -> Result<Vec<Prepared<'a>>, StoreError> {
        let mut seen = BTreeSet::new();
        let mut out = Vec::new();
        for change in changes {
            let (family, name) = change.case();
            check_family(family)?;
            if !seen.insert((family, name)) {
                return Err(StoreError::Twice { case: in_family(family, name) });
            }
            let line = match change {
                Change::Remove { .. } => None,
                Change::Set { line, pixels, passes, inputs, .. } => {
                    check_line(line)?;
                    let files = self.files(family, line, pixels, passes.as_deref())?;
                    Some((line, Files { inputs: self.inputs_file(family, line, inputs.as_deref())?, ..files }))
                }
            };
            out.push(Prepared { family, name, line });
        }
        Ok(out)
    }

    /// The files of a case as they are to be; those that are not given must be in the store.
    fn files<'a>(
        &self,
        family: &str,
        line: &LockLine,
        pixels: &Pixels,
        passes: Option<&'a str>,
    ) -> Result<Files<'a>, StoreError> {
        let name = in_family(family, &line.name);
        let decoded;
        let picture = match pixels {
            Pixels::Picture(picture) => {
                check_picture(picture, line, name.clone(), "the new picture".into())?;
                Some(picture)
            }
            Pixels::Encoded(bytes) => {
                decoded = checked_picture(family, line, bytes, "the new picture".into())?;
                Some(&decoded)
            }
            Pixels::Kept => None,
        };
        if let Some(text) = passes {
            checked_passes(family, line, text.as_bytes().to_vec(), "the new list of passes".into())?;
        }
        if matches!(self.place, Place::None) {
            return Ok(Files { picture: None, passes: None, inputs: None });
        }
        // What is there stays there: another encoder's bytes are no reason for a change in version control.
        let key = BlobKey::of_picture(line);
        let (picture, length) = match (picture, self.kept(family, line, key)) {
            (_, Ok(Some(length))) => (None, length),
            (Some(picture), _) => {
                let bytes = blob::encode(picture);
                let length = bytes.len() as u64;
                (Some(bytes), length)
            }
            (None, Err(error)) => return Err(error),
            (None, Ok(None)) => return Err(StoreError::NoPicture { case: name }),
        };
        if let Some(bytes_max) = self.options.reference_bytes_max.filter(|max| length > *max) {
            return Err(StoreError::TooLarge { case: name, bytes: length, bytes_max });
        }
        let Some(key) = BlobKey::of_passes(line) else { return Ok(Files { picture, passes: None, inputs: None }) };
        let passes = match (passes, self.kept(family, line, key)) {
            (_, Ok(Some(_))) => None,
            (Some(text), _) => Some(text),
            (None, Err(error)) => return Err(error),
            (None, Ok(None)) => return Err(StoreError::NoPicture { case: format!("{name} (its list of passes)") }),
        };
        Ok(Files { picture, passes, inputs: None })
    }

    /// The list of inputs that has to be written; one that is not given must be in the store.
    fn inputs_file<'a>(
        &self,
        family: &str,
        line: &LockLine,
        inputs: Option<&'a str>,
    ) -> Result<Option<&'a str>, StoreError> {
        if let Some(text) = inputs {
            checked_inputs(family, line, text.as_bytes().to_vec(), "the new list of inputs".into())?;
        }
        let Some(key) = BlobKey::of_inputs(line).filter(|_| !matches!(self.place, Place::None)) else {
            return Ok(None);
        };
        match (inputs, self.kept(family, line, key)) {
            (_, Ok(Some(_))) => Ok(None),
            (Some(text), _) => Ok(Some(text)),
            (None, Err(error)) => Err(error),
            (None, Ok(None)) => {
                let name = in_family(family, &line.name);
                Err(StoreError::NoPicture { case: format!("{name} (its list of inputs)") })
            }
        }
    }

    /// Size of a file that is as its line says, if there is one. Nothing is asked over the network: what the case's own
    /// line named before counts as kept there, of no size.
    fn kept(&self, family: &str, line: &LockLine, key: BlobKey) -> Result<Option<u64>, StoreError> {
        if let Some((bytes, place)) = self.local_file(family, line, key)? {
            check_file(family, line, key, &bytes, place)?;
            return Ok(Some(bytes.len() as u64));
        }
        let Place::Remote { .. } = self.place else { return Ok(None) };
        let lock = self.lock(family)?;
        let is_named = lock.find(&line.name).is_some_and(|old| self.keys_of(old).contains(&key));
        Ok(is_named.then_some(0))
    }

    fn write_files(
        &self,
        family: &str,
        line: &LockLine,
        files: &Files<'_>,
        stage: &mut Stage<'_>,
        folder_guard: Option<&Guard>,
        accepted: &mut Accepted,
    ) -> Result<(), StoreError> {
        let picture = files.picture.as_deref().map(|bytes| (BlobKey::of_picture(line), bytes));
        let passes = files.passes.and_then(|text| Some((BlobKey::of_passes(line)?, text.as_bytes())));
        let inputs = files.inputs.and_then(|text| Some((BlobKey::of_inputs(line)?, text.as_bytes())));
        for (key, bytes) in picture.into_iter().chain(passes).chain(inputs) {
            match (self.by_content(), folder_guard) {
                (None, _) => stage.put(&git_path(family, &line.name, key.kind), bytes)?,
                (Some(folder), Some(guard)) => {
                    // Two cases of one change may share it.
                    if matches!(folder.read(key, key.max_bytes(line)), Ok(Some(kept)) if kept == bytes) {
                        continue;
                    }
                    folder.put(key, bytes, guard)?;
                }
                (Some(_), None) => unreachable!("a folder of files is locked before it is written"),
            }
            accepted.files += 1;
            accepted.bytes += bytes.len() as u64;
        }
        let picture_kind = BlobKey::of_picture(line).kind;
        let gone = BlobKind::ALL.into_iter().filter(|kind| match kind {
            BlobKind::Passes => line.passes.is_none(),
            BlobKind::Inputs => line.inputs.is_none(),
            kind => *kind != picture_kind,
        });
        self.remove_files(family, &line.name, &gone.collect::<Vec<_>>(), stage)
    }

    /// Files by content stay: other branches may name them, and `gc` removes those that nobody names.
    fn remove_files(
        &self,
        family: &str,
        name: &str,
        kinds: &[BlobKind],
        stage: &mut Stage<'_>,
    ) -> Result<(), StoreError> {
        if !matches!(self.place, Place::Git) {
            return Ok(());
        }
        for kind in kinds {
            let path = git_path(family, name, *kind);
            // A link is removed wherever it leads; a folder of that name is nobody's file.
            let known = disk::known(&disk::join(&self.references, &path))?;
            if known.is_some_and(|known| !known.is_dir()) {
                stage.remove(&path);
            }
        }
        Ok(())
    }
}

struct Prepared<'a> {
    family: &'a str,
    name: &'a str,
    line: Option<(&'a LockLine, Files<'a>)>,
}

/// What has to be written of a case.
struct Files<'a> {
    picture: Option<Vec<u8>>,
    passes: Option<&'a str>,
    inputs: Option<&'a str>,
}

/// A line must come back from the file as it is.
fn check_line(line: &LockLine) -> Result<(), StoreError> {
    let text = line.to_string();
    let message = match Lock::parse(&text) {
        Ok(lock) if lock.lines() == std::slice::from_ref(line) => return Ok(()),
        Ok(_) => "it is read as another line".into(),
        Err(errors) => errors[0].message.clone(),
    };
    Err(StoreError::Line { line: text, message })
}
