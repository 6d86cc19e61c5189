//! Files that are read whole, and never beyond a limit.
//!
//! A name that people write may lead to a device without an end, to a pipe that nobody writes into, or to a file that
//! is larger than the memory. Only plain files are opened here, and none over its limit is kept.

use std::error::Error;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Why a file is not read, though it is there. It is inside of the [`io::Error`]: [`refusal`] finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A folder.
    Folder,
    /// A device, a pipe, a socket.
    NotPlain,
    TooLarge {
        max_bytes: u64,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Folder => f.write_str("it is a folder"),
            Refusal::NotPlain => f.write_str("it is a device or a pipe, not a file"),
            Refusal::TooLarge { max_bytes } => write!(f, "it is larger than {}, the limit", Size(*max_bytes)),
        }
    }
}

impl Error for Refusal {}

impl From<Refusal> for io::Error {
    fn from(refusal: Refusal) -> io::Error {
        let kind = match refusal {
            Refusal::Folder => ErrorKind::IsADirectory,
            Refusal::NotPlain => ErrorKind::InvalidInput,
            Refusal::TooLarge { .. } => ErrorKind::FileTooLarge,
        };
        io::Error::new(kind, refusal)
    }
}

/// The refusal that an error is, if it is one.
pub fn refusal(error: &io::Error) -> Option<Refusal> {
    error.get_ref().and_then(|inner| inner.downcast_ref::<Refusal>()).copied()
}

/// Bytes as people write them.
struct Size(u64);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
        match units.into_iter().find(|(shift, _)| self.0 >= 1 << shift && self.0.trailing_zeros() >= *shift) {
            Some((shift, unit)) => write!(f, "{} {unit}", self.0 >> shift),
            None => write!(f, "{} bytes", self.0),
        }
    }
}

/// The bytes of a plain file of at most `max_bytes`. Links are followed.
///
/// Errors: those of the file system, and a [`Refusal`].
pub fn read(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    // Asked before it is opened: opening a pipe waits for somebody who writes.
    let known = fs::metadata(path)?;
    if known.is_dir() {
        return Err(Refusal::Folder.into());
    }
    if !known.is_file() {
        return Err(Refusal::NotPlain.into());
    }
    if known.len() > max_bytes {
        return Err(Refusal::TooLarge { max_bytes }.into());
    }
    read_from(File::open(path)?, known.len(), max_bytes)
}

/// The text of a plain file of at most `max_bytes`.
///
/// Errors: as [`read`], and what is not UTF-8.
pub fn read_text(path: &Path, max_bytes: u64) -> io::Result<String> {
    String::from_utf8(read(path, max_bytes)?).map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not UTF-8"))
}

/// What is left in a reader, of which about `expected_bytes` are expected.
///
/// Errors: those of reading, and [`Refusal::TooLarge`].
pub fn read_from(from: impl Read, expected_bytes: u64, max_bytes: u64) -> io::Result<Vec<u8>> {
    let expected = usize::try_from(expected_bytes.min(max_bytes)).map_err(io::Error::other)?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(expected).map_err(|_| io::Error::from(ErrorKind::OutOfMemory))?;
    // One byte more than allowed tells what has grown since.
    from.take(max_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes { Err(Refusal::TooLarge { max_bytes }.into()) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_hold_for_files_that_are_larger_than_they_say() {
        let path = std::env::temp_dir().join(format!("stillframe-bounded-{}", std::process::id()));
        fs::write(&path, b"12345").unwrap();
        assert_eq!(read(&path, 5).unwrap(), b"12345");
        let error = read(&path, 4).unwrap_err();
        assert_eq!(refusal(&error), Some(Refusal::TooLarge { max_bytes: 4 }));
        assert_eq!(error.to_string(), "it is larger than 4 bytes, the limit");
        let error = read_from(io::repeat(7), 0, 1 << 20).unwrap_err();
        assert_eq!(error.to_string(), "it is larger than 1 MiB, the limit");
        fs::write(&path, [b'a', 0xff]).unwrap();
        assert_eq!(read_text(&path, 9).unwrap_err().kind(), ErrorKind::InvalidData);
        fs::remove_file(&path).unwrap();
        assert_eq!(read(&path, 5).unwrap_err().kind(), ErrorKind::NotFound);
        assert_eq!(refusal(&read(&std::env::temp_dir(), 5).unwrap_err()), Some(Refusal::Folder));
    }

    #[cfg(unix)]
    #[test]
    fn devices_pipes_and_files_without_an_end_are_refused_at_once() {
        let folder = std::env::temp_dir().join(format!("stillframe-endless-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (link, pipe, vast) = (folder.join("link"), folder.join("pipe"), folder.join("vast"));
        std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
        assert_eq!(refusal(&read(&link, u64::MAX).unwrap_err()), Some(Refusal::NotPlain));
        // A pipe that nobody writes into keeps whoever opens it waiting.
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        assert_eq!(refusal(&read(&pipe, u64::MAX).unwrap_err()), Some(Refusal::NotPlain));
        File::create(&vast).unwrap().set_len(100 << 30).unwrap();
        let error = read(&vast, 4 << 30).unwrap_err();
        assert_eq!(error.to_string(), "it is larger than 4 GiB, the limit");
        fs::remove_dir_all(&folder).unwrap();
    }
}
