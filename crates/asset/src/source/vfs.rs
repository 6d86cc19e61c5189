//! Files under one root.
//!
//! Scene and model files name other files; none may reach outside the root, neither by `..` nor by a symbolic link.
//!
//! Names are compared with what the folders list, never by the rules of a machine's file system, so that a file is
//! found on every machine or on none. A name that differs only in case is found, with a warning, unless two files
//! fit. Names are not normalised: an accent as a character of its own is another name than a letter with an accent.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use stillframe_base::hash::Digest;
use stillframe_base::mistaken::{LFS_HELP, LFS_POINTER, is_lfs_pointer};
use stillframe_base::par::Pool;

use super::Diagnostic;
use super::content::{content_hash, content_hash_of_file};

/// Codes of complaints made here; docs/diagnostics.md explains them.
pub mod code {
    pub const FILE_MISSING: &str = "E0301";
    pub const OUTSIDE_ROOT: &str = "E0302";
    pub const NOT_READABLE: &str = "E0303";
    pub const FILE_TOO_LARGE: &str = "E0304";
    pub const FILE_NAME: &str = "E0305";
    pub const LFS_POINTER: &str = "E0306";
    pub const SEVERAL_SPELLINGS: &str = "E0307";
    pub const OTHER_SPELLING: &str = "W0351";
}

/// Reads files under a root, and those that the user named on the command line.
#[derive(Clone, Debug)]
pub struct Vfs {
    root: PathBuf,
    /// Links followed.
    real_root: PathBuf,
    /// Links followed.
    named: Vec<PathBuf>,
    /// Files that are no files: their bytes came another way.
    given: Vec<(PathBuf, Arc<[u8]>)>,
    file_max_bytes: u64,
    /// Warnings about names so far; clones share them.
    notes: Arc<Mutex<Vec<Diagnostic>>>,
}

impl Vfs {
    /// Largest file that is read, unless [`Vfs::with_limit`] says otherwise.
    pub const FILE_MAX_BYTES: u64 = 1 << 30;

    /// Files under `root`, a folder.
    ///
    /// Errors: the folder is not there or may not be entered.
    pub fn open(root: &Path) -> Result<Vfs, Diagnostic> {
        let real_root = fs::canonicalize(root).map_err(|error| {
            Diagnostic::error(code::NOT_READABLE, root, format!("cannot open the folder: {}", why(&error)))
        })?;
        let root = absolute(root);
        Ok(Vfs {
            root,
            real_root,
            named: Vec::new(),
            given: Vec::new(),
            file_max_bytes: Vfs::FILE_MAX_BYTES,
            notes: Arc::default(),
        })
    }

    /// The same with another limit on the size of a file.
    pub fn with_limit(self, file_max_bytes: u64) -> Vfs {
        Vfs { file_max_bytes, ..self }
    }

    /// Also lets `path` be read, wherever it lies: the user named it.
    pub fn allow(&mut self, path: &Path) {
        if let Ok(real) = fs::canonicalize(path) {
            self.named.push(real);
        }
    }

    /// Lets `path` be read as `bytes`, whether such a file is there or not.
    pub fn give(&mut self, path: &Path, bytes: Arc<[u8]>) {
        self.given.push((path.to_path_buf(), bytes));
    }

    /// Absolute, as it was given (links not followed).
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Warnings about the names of files that were found so far, each once, in an order that depends on them alone.
    pub fn notes(&self) -> Vec<Diagnostic> {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner).clone();
        super::sort(&mut notes);
        notes
    }

    /// The absolute path of the file that `name` means, seen from `folder` (absolute). `/` parts folders on every
    /// machine.
    ///
    /// Errors: the name is empty or absolute, leads outside the root, or no file is there. The complaint is about
    /// `folder`'s file; the caller puts its own file and span.
    pub fn locate(&self, folder: &Path, name: &str) -> Result<PathBuf, Diagnostic> {
        let path = Path::new(name);
        if name.is_empty() || name.contains('\0') {
            return Err(Diagnostic::error(code::FILE_NAME, folder, "expected a file name"));
        }
        if path.is_absolute() || path.components().any(|c| matches!(c, Component::Prefix(_) | Component::RootDir)) {
            return Err(Diagnostic::error(code::OUTSIDE_ROOT, folder, format!("`{name}` is an absolute path"))
                .help("write file names relative to the file that contains them"));
        }
        let path = plain(&absolute(folder).join(path));
        let inside = path.as_deref().is_some_and(|p| p.starts_with(&self.root) || p.starts_with(&self.real_root));
        let Some(path) = path.filter(|_| inside) else {
            return Err(self.outside(folder, name));
        };
        let missing = || {
            let missing = Diagnostic::error(code::FILE_MISSING, folder, format!("no file `{name}`"));
            Err(Diagnostic { help: nearby(&path), ..missing })
        };
        let path = match self.spelled(&path) {
            Ok(path) => path,
            Err(error) if error.code == code::FILE_MISSING => return missing(),
            Err(error) => return Err(Diagnostic { file: folder.to_path_buf(), ..error }),
        };
        match fs::canonicalize(&path) {
            Ok(real) if !real.starts_with(&self.real_root) => Err(self.outside(folder, name)),
            Ok(real) if real.is_dir() => {
                Err(Diagnostic::error(code::NOT_READABLE, folder, format!("`{name}` is a folder")))
            }
            Ok(_) => Ok(path),
            Err(error) if error.kind() == ErrorKind::NotFound => missing(),
            Err(error) => {
                Err(Diagnostic::error(code::NOT_READABLE, folder, format!("`{name}` cannot be read: {}", why(&error))))
            }
        }
    }

    /// The bytes of a file under the root, or one that the user named.
    ///
    /// Errors: it lies outside (links followed), is not there, is no plain file, is over the limit, or is what Git LFS
    ///         leaves in the place of a file.
    pub fn read(&self, path: &Path) -> Result<Vec<u8>, Diagnostic> {
        match self.given(path) {
            Some(bytes) => no_pointer(path, bytes.to_vec()),
            None => {
                let path = &self.checked(path)?;
                read_plain(path, self.file_max_bytes)
            }
        }
    }

    /// What tells the bytes of a file from others, without holding them: see [`content_hash`].
    ///
    /// Errors: those of [`Vfs::read`].
    pub fn content_hash(&self, path: &Path, pool: &Pool) -> Result<Digest, Diagnostic> {
        if let Some(bytes) = self.given(path) {
            return Ok(content_hash(bytes));
        }
        let path = &self.checked(path)?;
        let size_bytes = plain_size_bytes(path)?;
        if size_bytes > self.file_max_bytes {
            return Err(too_large(path, self.file_max_bytes));
        }
        content_hash_of_file(path, size_bytes, pool).map_err(|error| unreadable(path, &why(&error)))
    }

    fn given(&self, path: &Path) -> Option<&[u8]> {
        self.given.iter().find(|(given, _)| given == path).map(|(_, bytes)| &**bytes)
    }

    /// The path as folders spell it, if the file may be read.
    fn checked(&self, path: &Path) -> Result<PathBuf, Diagnostic> {
        let path = &self.spelled(path)?;
        let real = fs::canonicalize(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => Diagnostic { help: nearby(path), ..no_file(path) },
            _ => unreadable(path, &why(&error)),
        })?;
        if !real.starts_with(&self.real_root) && !self.named.contains(&real) {
            let message = "the file is outside the root, the folder that must contain all files";
            return Err(Diagnostic::error(code::OUTSIDE_ROOT, path, message));
        }
        Ok(path.clone())
    }

    /// A path below the root as its folders spell it; others as they are. Notes a spelling that differs.
    ///
    /// Errors: a folder does not list the name; it lists two that fit.
    fn spelled(&self, path: &Path) -> Result<PathBuf, Diagnostic> {
        let root = [&self.root, &self.real_root].into_iter().find(|root| path.starts_with(root));
        let Some(root) = root else { return Ok(path.to_path_buf()) };
        let below = path.strip_prefix(root).expect("it starts with it");
        let mut out = root.clone();
        for component in below.components() {
            match component {
                Component::Normal(name) => out.push(listed(&out, name, path)?),
                other => out.push(other),
            }
        }
        let found = out.strip_prefix(root).expect("it was pushed onto it");
        if found != below {
            let message = format!("`{}` is spelled `{}` in its folder", slashed(below), slashed(found));
            let note = Diagnostic::warning(code::OTHER_SPELLING, &out, message)
                .help("use one spelling for the name and the file");
            self.notes.lock().unwrap_or_else(PoisonError::into_inner).push(note);
        }
        Ok(out)
    }

    fn outside(&self, folder: &Path, name: &str) -> Diagnostic {
        let message = format!("`{name}` is outside the root, the folder that must contain all files");
        Diagnostic::error(code::OUTSIDE_ROOT, folder, message).help(
            "move the file below the root, or put an empty `stillframe.toml` in the folder that should be the root",
        )
    }
}

/// The absolute path (links not followed) of a file that the user named, wherever it lies.
///
/// Errors: it is not there, or is no plain file.
pub fn find_plain(path: &Path) -> Result<PathBuf, Diagnostic> {
    plain_size_bytes(path).map(|_| absolute(path))
}

/// The bytes of a file that the user named, wherever it lies.
///
/// Errors: it is not there, is no plain file, is over `max_bytes`, or is what Git LFS leaves in the place of a file.
pub fn read_plain(path: &Path, max_bytes: u64) -> Result<Vec<u8>, Diagnostic> {
    if plain_size_bytes(path)? > max_bytes {
        return Err(too_large(path, max_bytes));
    }
    let file = File::open(path).map_err(|error| unreadable(path, &why(&error)))?;
    let mut bytes = Vec::new();
    // One more byte than allowed tells a file that has grown since.
    file.take(max_bytes + 1).read_to_end(&mut bytes).map_err(|error| unreadable(path, &why(&error)))?;
    if bytes.len() as u64 > max_bytes { Err(too_large(path, max_bytes)) } else { no_pointer(path, bytes) }
}

/// Every reader would call a pointer something else: a broken picture, no model, a scene of mistakes.
fn no_pointer(path: &Path, bytes: Vec<u8>) -> Result<Vec<u8>, Diagnostic> {
    match is_lfs_pointer(&bytes) {
        true => Err(Diagnostic::error(code::LFS_POINTER, path, LFS_POINTER).help(LFS_HELP)),
        false => Ok(bytes),
    }
}

fn too_large(path: &Path, max_bytes: u64) -> Diagnostic {
    let message = format!("the file is larger than {} MB", max_bytes / 1_000_000);
    Diagnostic::error(code::FILE_TOO_LARGE, path, message)
}

fn plain_size_bytes(path: &Path) -> Result<u64, Diagnostic> {
    let metadata = fs::metadata(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Diagnostic { help: nearby(path), ..no_file(path) },
        _ => unreadable(path, &why(&error)),
    })?;
    if metadata.is_file() {
        return Ok(metadata.len());
    }
    Err(unreadable(path, if metadata.is_dir() { "it is a folder" } else { "it is not a regular file" }))
}

fn no_file(path: &Path) -> Diagnostic {
    Diagnostic::error(code::FILE_MISSING, path, "there is no such file")
}

fn unreadable(path: &Path, why: &str) -> Diagnostic {
    Diagnostic::error(code::NOT_READABLE, path, format!("the file cannot be read: {why}"))
}

/// An error of the file system in words that are the same on every machine, where we know them.
fn why(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "it does not exist".into(),
        ErrorKind::PermissionDenied => "permission denied".into(),
        ErrorKind::NotADirectory => "part of its path is not a folder".into(),
        _ => error.to_string(),
    }
}

/// The name in a folder that `name` means: the same, else the one that differs only in case.
fn listed(folder: &Path, name: &OsStr, path: &Path) -> Result<OsString, Diagnostic> {
    // A folder that may be entered but not listed.
    let Ok(entries) = fs::read_dir(folder) else { return Ok(name.to_os_string()) };
    let wanted = name.to_str().map(folded);
    let mut alike = Vec::new();
    for entry in entries.flatten() {
        let found = entry.file_name();
        if found == name {
            return Ok(found);
        }
        if wanted.is_some() && found.to_str().map(folded) == wanted {
            alike.push(found);
        }
    }
    alike.sort();
    match &alike[..] {
        [] => Err(Diagnostic { help: nearby(path), ..no_file(path) }),
        [only] => Ok(only.clone()),
        [first, second, ..] => {
            let [name, first, second] = [name, first, second].map(OsStr::to_string_lossy);
            let message = format!("`{name}` may be `{first}` or `{second}`, which differ only in case");
            Err(Diagnostic::error(code::SEVERAL_SPELLINGS, path, message).help("rename one of the files"))
        }
    }
}

/// A name without its case.
fn folded(name: &str) -> String {
    name.chars().flat_map(char::to_lowercase).collect()
}

/// A path with `/` between folders on every machine.
fn slashed(path: &Path) -> String {
    path.iter().map(OsStr::to_string_lossy).collect::<Vec<_>>().join("/")
}

fn nearby(path: &Path) -> Option<String> {
    let wrong = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = fs::read_dir(folder).ok()?.take(2000).flatten();
    let mut names: Vec<String> = entries.filter_map(|e| e.file_name().into_string().ok()).collect();
    names.sort();
    super::did_you_mean(wrong, names.iter().map(String::as_str)).map(|name| format!("did you mean `{name}`?"))
}

/// Without asking the file system whether it is there.
fn absolute(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    plain(&whole).unwrap_or(whole)
}

/// The path without `.` and `..`; `None` if it climbs over the top.
fn plain(path: &Path) -> Option<PathBuf> {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                if !out.pop() {
                    return None;
                }
            }
            other => out.push(other),
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with `root/in.txt`, `root/sub/`, `out.txt`, and links where the machine has them.
    fn folder(name: &str) -> PathBuf {
        let top = std::env::temp_dir().join(format!("stillframe-vfs-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&top);
        fs::create_dir_all(top.join("root/sub")).unwrap();
        fs::write(top.join("root/in.txt"), "in").unwrap();
        fs::write(top.join("out.txt"), "out").unwrap();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(top.join("out.txt"), top.join("root/link.txt")).unwrap();
            std::os::unix::fs::symlink("in.txt", top.join("root/good.txt")).unwrap();
        }
        top
    }

    #[test]
    fn names_stay_under_the_root() {
        let top = folder("locate");
        let vfs = Vfs::open(&top.join("root")).unwrap();
        let here = top.join("root");
        let sub = top.join("root/sub");
        let mut rows = vec![
            (&here, "in.txt", "ok"),
            (&sub, "../in.txt", "ok"),
            (&sub, "./.././in.txt", "ok"),
            (&here, "sub", code::NOT_READABLE),
            (&here, "inn.txt", code::FILE_MISSING),
            (&here, "../out.txt", code::OUTSIDE_ROOT),
            (&here, "sub/../../out.txt", code::OUTSIDE_ROOT),
            (&here, "../../../../../../../../../../../../etc/passwd", code::OUTSIDE_ROOT),
            (&here, "/etc/passwd", code::OUTSIDE_ROOT),
            (&here, "", code::FILE_NAME),
            (&here, "a\0b", code::FILE_NAME),
        ];
        if cfg!(unix) {
            rows.push((&here, "link.txt", code::OUTSIDE_ROOT));
            rows.push((&here, "good.txt", "ok"));
        }
        for (from, name, want) in rows {
            let got = vfs.locate(from, name);
            assert_eq!(got.as_ref().map_or_else(|d| d.code, |_| "ok"), want, "{name}: {got:?}");
        }
        let help = vfs.locate(&here, "inn.txt").unwrap_err().help;
        assert_eq!(help.as_deref(), Some("did you mean `in.txt`?"));
        fs::remove_dir_all(top).unwrap();
    }

    #[test]
    fn reading_follows_the_same_rules() {
        let top = folder("read");
        let mut vfs = Vfs::open(&top.join("root")).unwrap().with_limit(2);
        assert_eq!(vfs.read(&top.join("root/in.txt")), Ok(b"in".to_vec()));
        fs::write(top.join("root/large.txt"), "123").unwrap();
        let code_of = |vfs: &Vfs, path: &str| vfs.read(&top.join(path)).unwrap_err().code;
        assert_eq!(code_of(&vfs, "root/large.txt"), code::FILE_TOO_LARGE);
        assert_eq!(code_of(&vfs, "root/sub"), code::NOT_READABLE);
        assert_eq!(code_of(&vfs, "root/no.txt"), code::FILE_MISSING);
        assert_eq!(code_of(&vfs, "out.txt"), code::OUTSIDE_ROOT);
        if cfg!(unix) {
            assert_eq!(code_of(&vfs, "root/link.txt"), code::OUTSIDE_ROOT);
        }
        vfs.allow(&top.join("out.txt"));
        assert_eq!(code_of(&vfs, "out.txt"), code::FILE_TOO_LARGE);
        assert!(Vfs::open(&top.join("nowhere")).is_err());
        fs::remove_dir_all(top).unwrap();
    }

    /// What folders list decides, on every machine.
    #[test]
    fn names_in_other_case() {
        let top = folder("case");
        let root = top.join("root");
        fs::write(root.join("sub/Wood.PNG"), "wood").unwrap();
        let vfs = Vfs::open(&root).unwrap();
        assert_eq!(vfs.read(&root.join("in.txt")), Ok(b"in".to_vec()));
        assert_eq!(vfs.notes(), []);
        assert_eq!(vfs.read(&root.join("SUB/wood.png")), Ok(b"wood".to_vec()));
        assert_eq!(vfs.locate(&root.join("sub"), "../Sub/./WOOD.png"), Ok(root.join("sub/Wood.PNG")));
        assert_eq!(vfs.read(&root.join("SUB/wood.png")), Ok(b"wood".to_vec()));
        assert!(vfs.content_hash(&root.join("sub/wood.PNG"), &Pool::new(1)).is_ok());
        let notes = vfs.notes();
        let told: Vec<_> = notes.iter().map(|note| (note.code, note.message.as_str())).collect();
        let note = |name: &str| format!("`{name}` is spelled `sub/Wood.PNG` in its folder");
        let want = ["SUB/wood.png", "Sub/WOOD.png", "sub/wood.PNG"].map(note);
        assert_eq!(told, want.each_ref().map(|message| (code::OTHER_SPELLING, message.as_str())));
        // The exact name comes first; of two others nobody knows which one is meant. Not every machine can hold both.
        fs::write(root.join("sub/wood.png"), "second").unwrap();
        if fs::read_dir(root.join("sub")).unwrap().count() == 2 {
            assert_eq!(vfs.read(&root.join("sub/wood.png")), Ok(b"second".to_vec()));
            let error = vfs.read(&root.join("sub/WOOD.png")).unwrap_err();
            assert_eq!(error.code, code::SEVERAL_SPELLINGS);
            assert_eq!(error.message, "`WOOD.png` may be `Wood.PNG` or `wood.png`, which differ only in case");
            assert_eq!(vfs.locate(&root, "sub/WOOD.png").unwrap_err().code, code::SEVERAL_SPELLINGS);
        }
        // Letters and accents: one character or two are two names.
        fs::write(root.join("e\u{301}.txt"), "two").unwrap();
        assert_eq!(vfs.read(&root.join("E\u{301}.txt")), Ok(b"two".to_vec()));
        assert_eq!(vfs.read(&root.join("\u{e9}.txt")).unwrap_err().code, code::FILE_MISSING);
        fs::remove_dir_all(top).unwrap();
    }
}
