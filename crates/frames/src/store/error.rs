//! What can go wrong with a store, for people: each names the file and says what can be done.

use std::io;
use std::path::{Path, PathBuf};

use stillframe_base::bounded::refusal;

use crate::hash::PixelHash;
use crate::lock::LockError;
use crate::store::address::AddressError;

/// Why the store could not do what it was asked for. Whatever it is, what was accepted before is still there.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error(transparent)]
    Address(#[from] AddressError),
    #[error("{}: {}{}", .path.display(), .errors[0], and_more(.errors))]
    Lock { path: PathBuf, errors: Vec<LockError> },
    #[error("{} cannot be read: {source}", .path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{} cannot be written: {source}{}", .path.display(), advice(.source))]
    Write { path: PathBuf, source: io::Error },
    #[error("{place} is not a readable picture: {message}")]
    Unreadable { case: String, place: String, message: String },
    #[error("{place} is not the picture that frames.lock names for `{case}`: it is {got}, frames.lock says {want}")]
    NotThePicture { case: String, place: String, got: PixelHash, want: PixelHash },
    #[error(
        "{place} is not the list of passes that frames.lock names for `{case}`: it is {got}, frames.lock says {want}"
    )]
    NotThePasses { case: String, place: String, got: PixelHash, want: PixelHash },
    #[error(
        "{place} is not the list of inputs that frames.lock names for `{case}`: it is {got}, frames.lock says {want}"
    )]
    NotTheInputs { case: String, place: String, got: PixelHash, want: PixelHash },
    #[error("the picture of `{case}` is missing: there is no file {place}")]
    Missing { case: String, place: String },
    #[error("`{case}` has a list of passes, but its lock line names none")]
    PassesUnnamed { case: String },
    #[error("the picture of `{case}` takes {bytes} bytes, more than the {bytes_max} that a reference may take")]
    TooLarge { case: String, bytes: u64, bytes_max: u64 },
    #[error("`{case}` is to keep its picture, but the store has none with that hash")]
    NoPicture { case: String },
    #[error("`{name}` cannot be a family of references: {fault}")]
    Family { name: String, fault: &'static str },
    #[error("`{line}` cannot be in a lock file as it is: {message}")]
    Line { line: String, message: String },
    #[error("`{case}` is changed twice at once")]
    Twice { case: String },
    #[error("another program is changing {}; it was waited for {waited_ms} ms", .path.display())]
    Busy { path: PathBuf, waited_ms: u64 },
    #[error("{} is not the record of an interrupted change: {message}", .path.display())]
    Journal { path: PathBuf, message: String },
    #[error("the change is recorded but could not be finished; it is when the store is opened the next time: {} cannot be written: {source}", .path.display())]
    Unfinished { path: PathBuf, source: io::Error },
    #[error("a store at `{address}` needs the program stillframe-remote: {message}")]
    NoProgram { address: String, message: String },
    #[error("push and pull are for object stores, and this store is `{address}`")]
    NotRemote { address: String },
    #[error("{count} files would be lost, `{first}` first: the store {address} does not have them")]
    OnlyCopy { address: String, count: usize, first: String },
    #[error("{address}: {message}")]
    Remote { address: String, message: String },
}

impl StoreError {
    pub(crate) fn read(path: &Path) -> impl FnOnce(io::Error) -> StoreError {
        let path = path.to_path_buf();
        move |source| StoreError::Read { path, source }
    }

    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> StoreError {
        let path = path.to_path_buf();
        move |source| StoreError::Write { path, source }
    }

    /// Whether this machine, its disk or the network is in the way, rather than what stands in the store.
    pub fn is_environment(&self) -> bool {
        use StoreError::*;
        matches!(self, Read { .. } | Write { .. } | Busy { .. } | Unfinished { .. } | NoProgram { .. } | Remote { .. })
    }

    /// Whether something else than a file of a sensible size stands where a file is expected.
    pub(crate) fn is_refusal(&self) -> bool {
        matches!(self, StoreError::Read { source, .. } if refusal(source).is_some())
    }

    /// Whether a reference's picture is missing, cut short or another one than its line names.
    pub fn is_damage(&self) -> bool {
        use StoreError::*;
        matches!(self, Missing { .. } | Unreadable { .. } | NotThePicture { .. })
    }

    /// What to do about it, where there is something to say.
    pub fn help(&self) -> Option<&'static str> {
        use StoreError::*;
        Some(match self {
            Lock { .. } => {
                "solve the merge in frames.lock: keep the lines of both sides, sorted; `stillframe test` then says what is stale"
            }
            Missing { .. } | Unreadable { .. } | NotThePicture { .. } | NotThePasses { .. } => {
                "bring the file back from version control, or accept the case again"
            }
            TooLarge { .. } => {
                "make the picture smaller, raise the limit, or keep pictures outside of git (`dir:`, `s3://`)"
            }
            NoPicture { .. } => "accept the case with its picture",
            Busy { .. } => "try again when it has finished",
            Journal { .. } => "this file was changed or damaged; move it away, then run `stillframe store verify`",
            OnlyCopy { .. } => "`stillframe store copy --from git` copies them into it",
            NotRemote { .. } => "`stillframe store copy --from ADDRESS` copies from any other store",
            NoProgram { .. } => "`cargo install stillframe-remote` puts it where it is looked for",
            _ => return None,
        })
    }
}

fn and_more(errors: &[LockError]) -> String {
    match errors.len() {
        0 | 1 => String::new(),
        count => format!(" (and {} more)", count - 1),
    }
}

fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "; nothing was changed",
        io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => "; nothing was changed",
        _ => "",
    }
}
