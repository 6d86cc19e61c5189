//! Looking through a whole store: what is missing, broken, too large or dead, and how much there is.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;

use crate::hash::PixelHash;
use crate::lock::{Lock, LockLine};
use crate::store::blob::{BlobKey, BlobKind};
use crate::store::check::check_file;
use crate::store::disk::{self, Guard};
use crate::store::error::StoreError;
use crate::store::folder::{Folder, Stored};
use crate::store::name::in_family;
use crate::store::open::{Place, Store, git_path};

/// Something about a store that somebody should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub kind: FindingKind,
    /// `family/name`, where it is about a case.
    pub case: Option<String>,
    /// For people: names the file.
    pub message: String,
}

/// What kind of thing was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingKind {
    /// A lock file that cannot be read.
    Lock,
    /// A lock line's picture or list of passes is nowhere.
    Missing,
    /// A file that is no picture.
    Unreadable,
    /// A file that is another picture, or another list, than its lock line says.
    Other,
    /// A picture over the limit.
    TooLarge,
    /// Waits to be pushed to the object store.
    Unpushed,
    /// A file that no lock line names: `gc` removes it.
    Dead,
    /// Left by an interrupted write; harmless, and removed by `gc`.
    Leftover,
}

impl FindingKind {
    /// Whether the store is not whole because of it.
    pub fn is_fault(self) -> bool {
        use FindingKind::*;
        match self {
            Lock | Missing | Unreadable | Other | TooLarge => true,
            Unpushed | Dead | Leftover => false,
        }
    }

    pub fn name(self) -> &'static str {
        use FindingKind::*;
        match self {
            Lock => "lock",
            Missing => "missing",
            Unreadable => "unreadable",
            Other => "other",
            TooLarge => "too-large",
            Unpushed => "unpushed",
            Dead => "dead",
            Leftover => "leftover",
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.name(), self.message)
    }
}

/// What [`Store::verify`] saw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Faults first, by kind, then as they stand in the store.
    pub findings: Vec<Finding>,
    pub cases: usize,
    /// Files whose every pixel was looked at.
    pub files: usize,
}

impl Verified {
    /// Nothing is missing, broken or too large.
    pub fn is_whole(&self) -> bool {
        !self.findings.iter().any(|finding| finding.kind.is_fault())
    }
}

/// Sizes of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    pub families: Vec<FamilyStats>,
    pub cases: usize,
    /// Files that lock lines name, each once.
    pub files: usize,
    pub bytes: u64,
}

/// Sizes of one family. A file that two cases share counts once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FamilyStats {
    pub family: String,
    pub cases: usize,
    pub files: usize,
    pub bytes: u64,
    /// Files that lock lines name and that are not here.
    pub missing: usize,
}

/// A file that no lock line names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadFile {
    /// Path of the file, or its address in an object store.
    pub place: String,
    pub bytes: u64,
    pub(super) site: Site,
    pub(super) is_leftover: bool,
}

/// Where a dead file is, for the one who removes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Site {
    Path(PathBuf),
    ByContent(BlobKey),
    Away(BlobKey),
}

/// A file that a lock line names.
#[derive(Clone, Copy)]
struct File<'a> {
    family: &'a str,
    line: &'a LockLine,
    key: BlobKey,
}

impl Store {
    /// Looks at every lock line and every file: each picture is decoded and its pixels hashed.
    ///
    /// An object store is asked what it has; what is not here is not fetched for this: [`Store::pull`] does that.
    /// Errors: only what keeps it from looking; everything else is a finding.
    pub fn verify(&self) -> Result<Verified, StoreError> {
        let _guard = self.read_guard()?;
        let mut verified = Verified::default();
        let (locks, mut findings) = self.locks()?;
        let mut seen = BTreeSet::new();
        let mut files = Vec::new();
        for (family, lock) in &locks {
            for line in lock.lines() {
                verified.cases += 1;
                // A file by content may be another case's as well.
                let keys = self.keys_of(line).into_iter();
                files.extend(keys.filter(|key| self.by_content().is_none() || seen.insert(*key)).map(|key| File {
                    family,
                    line,
                    key,
                }));
            }
        }
        let away = match &self.place {
            Place::Remote { link, .. } => link.sizes(&files.iter().map(|file| file.key).collect::<Vec<_>>())?,
            _ => vec![None; files.len()],
        };
        for (file, away) in files.iter().zip(away) {
            let (is_here, finding) = self.verify_file(file, away.is_some())?;
            verified.files += usize::from(is_here);
            findings.extend(finding);
        }
        for dead in self.dead_files(&[])? {
            let (kind, what) = match dead.is_leftover {
                true => (FindingKind::Leftover, "was left by an interrupted write"),
                false => (FindingKind::Dead, "is named by no lock line"),
            };
            let message = format!("{} {what} ({} bytes)", dead.place, dead.bytes);
            findings.push(Finding { kind, case: None, message });
        }
        findings.sort_by_key(|finding| finding.kind);
        verified.findings = findings;
        Ok(verified)
    }

    /// Every family's lock; those that cannot be read are findings.
    pub(super) fn locks(&self) -> Result<(Vec<(String, Lock)>, Vec<Finding>), StoreError> {
        let (mut locks, mut findings) = (Vec::new(), Vec::new());
        for family in self.families()? {
            match self.lock(&family) {
                Ok(lock) => locks.push((family, lock)),
                Err(StoreError::Lock { path, errors }) => findings.extend(errors.iter().map(|error| Finding {
                    kind: FindingKind::Lock,
                    case: None,
                    message: format!("{}: {error}", path.display()),
                })),
                Err(error) => return Err(error),
            }
        }
        Ok((locks, findings))
    }

    /// The files that a line names, where the store keeps any.
    pub(super) fn keys_of(&self, line: &LockLine) -> Vec<BlobKey> {
        match self.place {
            Place::None => Vec::new(),
            _ => {
                let texts = BlobKey::of_passes(line).into_iter().chain(BlobKey::of_inputs(line));
                [BlobKey::of_picture(line)].into_iter().chain(texts).collect()
            }
        }
    }

    /// Whether the file is on this machine, and what is to be said about it. `is_away`: an object store has it.
    fn verify_file(&self, file: &File<'_>, is_away: bool) -> Result<(bool, Option<Finding>), StoreError> {
        let File { family, line, key } = *file;
        let name = in_family(family, &line.name);
        let finding = |kind, message: String| Some(Finding { kind, case: Some(name.clone()), message });
        let found = match self.local_file(family, line, key) {
            Err(error @ StoreError::Unreadable { .. }) => {
                return Ok((true, finding(FindingKind::Unreadable, error.to_string())));
            }
            found => found?,
        };
        let Some((bytes, place)) = found else {
            let what = match key.kind {
                BlobKind::Passes => "list of passes",
                BlobKind::Inputs => "list of inputs",
                _ => "picture",
            };
            let at = self.path_of(family, &line.name, key).map(|path| format!(": no file {}", path.display()));
            let message = format!("`{name}` has no {what}{}", at.unwrap_or_default());
            return Ok((false, if is_away { None } else { finding(FindingKind::Missing, message) }));
        };
        let bytes_max = self.options.reference_bytes_max.unwrap_or(u64::MAX);
        let found = match check_file(family, line, key, &bytes, place) {
            Err(error @ StoreError::Unreadable { .. }) => finding(FindingKind::Unreadable, error.to_string()),
            Err(error) => finding(FindingKind::Other, error.to_string()),
            Ok(()) if bytes.len() as u64 > bytes_max && key == BlobKey::of_picture(line) => {
                let error = StoreError::TooLarge { case: name.clone(), bytes: bytes.len() as u64, bytes_max };
                finding(FindingKind::TooLarge, error.to_string())
            }
            Ok(()) => match &self.place {
                Place::Remote { link, .. } if !is_away => {
                    let message = format!("`{name}` waits to be pushed to {}", link.place_of(key));
                    finding(FindingKind::Unpushed, message)
                }
                _ => None,
            },
        };
        Ok((true, found))
    }

    /// Files that no lock line and nothing in `keep` names. Folders of families whose lock cannot be read are left out.
    pub(super) fn dead_files(&self, keep: &[PixelHash]) -> Result<Vec<DeadFile>, StoreError> {
        let mut named_paths = BTreeSet::new();
        let mut named_keys = BTreeSet::new();
        let mut unknown = BTreeSet::new();
        let families = self.families()?;
        // Beside families there may be any files; beside their lock files, files are theirs.
        let root = families.iter().find(|family| family.is_empty()).cloned();
        for family in families {
            let lock = match self.lock(&family) {
                Ok(lock) => lock,
                Err(StoreError::Lock { .. }) => {
                    unknown.insert(family);
                    continue;
                }
                Err(error) => return Err(error),
            };
            for line in lock.lines() {
                for key in self.keys_of(line) {
                    named_keys.insert(key);
                    if matches!(self.place, Place::Git) {
                        named_paths.insert(git_path(&family, &line.name, key.kind));
                    }
                }
            }
        }
        let mut out = Vec::new();
        for folder in root.into_iter().chain(self.folders()?).filter(|folder| !unknown.contains(folder)) {
            for entry in disk::list(&disk::join(&self.references, &folder))? {
                let name = entry.file_name().to_string_lossy().into_owned();
                let is_ours = name.rsplit_once('.').is_some_and(|(_, end)| BlobKind::of_extension(end).is_some());
                let known = entry.metadata().map_err(StoreError::read(&entry.path()))?;
                if is_ours && known.is_file() && !named_paths.contains(&in_family(&folder, &name)) {
                    out.push(dead_path(entry.path(), known.len(), false));
                }
            }
        }
        if !unknown.is_empty() {
            return Ok(out);
        }
        let is_dead = |stored: &Stored| !named_keys.contains(&stored.key) && !keep.contains(&stored.key.hash);
        if let Some(folder) = self.by_content() {
            out.extend(folder.list()?.into_iter().filter(is_dead).map(|stored| DeadFile {
                place: folder.path_of(stored.key).display().to_string(),
                bytes: stored.bytes,
                site: Site::ByContent(stored.key),
                is_leftover: false,
            }));
            out.extend(self.leftovers(folder)?);
        }
        Ok(out)
    }

    /// Files of the object store that no lock line and nothing in `keep` names.
    pub(super) fn dead_away(&self, keep: &[PixelHash]) -> Result<Vec<DeadFile>, StoreError> {
        let Place::Remote { link, .. } = &self.place else { return Ok(Vec::new()) };
        let named = self.named()?;
        let is_dead = |stored: &Stored| !named.contains_key(&stored.key) && !keep.contains(&stored.key.hash);
        Ok(link
            .list()?
            .into_iter()
            .filter(is_dead)
            .map(|stored| DeadFile {
                place: link.place_of(stored.key),
                bytes: stored.bytes,
                site: Site::Away(stored.key),
                is_leftover: false,
            })
            .collect())
    }

    /// Files of interrupted writes; none while somebody writes, since they are that one's.
    fn leftovers(&self, folder: &Folder) -> Result<Vec<DeadFile>, StoreError> {
        let paths = folder.leftovers()?;
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        let _guard: Guard = match folder.guard(std::time::Duration::ZERO) {
            Ok(guard) => guard,
            Err(_) => return Ok(Vec::new()),
        };
        let size = |path: &PathBuf| std::fs::metadata(path).map_or(0, |known| known.len());
        Ok(folder
            .leftovers()?
            .into_iter()
            .map(|path| {
                let bytes = size(&path);
                dead_path(path, bytes, true)
            })
            .collect())
    }

    /// Counts and sizes, by family, of what is on this machine.
    ///
    /// Errors: a lock that cannot be read, and those of reading.
    pub fn stats(&self) -> Result<Stats, StoreError> {
        let mut stats = Stats::default();
        let mut all: BTreeMap<String, u64> = BTreeMap::new();
        for family in self.families()? {
            let lock = self.lock(&family)?;
            let mut files: BTreeMap<String, Option<u64>> = BTreeMap::new();
            for line in lock.lines() {
                for key in self.keys_of(line) {
                    let path = self.path_of(&family, &line.name, key).expect("a store that keeps files has paths");
                    let bytes = match std::fs::metadata(&path) {
                        Ok(known) => Some(known.len()),
                        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
                        Err(error) => return Err(StoreError::read(&path)(error)),
                    };
                    files.insert(path.to_string_lossy().into_owned(), bytes);
                }
            }
            let here = || files.values().flatten();
            stats.families.push(FamilyStats {
                family,
                cases: lock.lines().len(),
                files: here().count(),
                bytes: here().sum(),
                missing: files.len() - here().count(),
            });
            stats.cases += lock.lines().len();
            all.extend(files.into_iter().filter_map(|(path, bytes)| Some((path, bytes?))));
        }
        stats.files = all.len();
        stats.bytes = all.values().sum();
        Ok(stats)
    }
}

fn dead_path(path: PathBuf, bytes: u64, is_leftover: bool) -> DeadFile {
    DeadFile { place: path.display().to_string(), bytes, site: Site::Path(path), is_leftover }
}
