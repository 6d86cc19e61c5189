//! What a store and the program `stillframe-remote` say to each other over the program's standard input and output.
//!
//! A message is one line of JSON; the bytes of a file follow it directly where the message says how many. The program
//! begins with a [`Hello`]; then it answers each [`Request`] with one [`Reply`], in order, and a request for a list
//! with one or more. Several requests may be under way. It ends when its input does.

use std::io::{self, BufRead, ErrorKind, Read, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Of these messages. A program of another version is refused.
pub const VERSION: u32 = 1;
/// Longest line that is read.
const LINE_BYTES_MAX: u64 = 16 << 20;
/// Largest file that is read: a picture of floats at the largest size may take more, but no test keeps such a
/// reference.
pub const FILE_BYTES_MAX: u64 = 1 << 30;
/// Keys in one request or reply.
pub const KEYS_MAX: usize = 500;

/// The first line of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// [`VERSION`].
    pub stillframe_remote: u32,
    /// Of the program.
    pub version: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// Sizes of files, none for those that are not there.
    Exists {
        keys: Vec<String>,
    },
    Get {
        key: String,
    },
    /// Stores a file unless there is one; `bytes` bytes follow.
    Put {
        key: String,
        bytes: u64,
    },
    List {
        prefix: String,
    },
    Delete {
        keys: Vec<String>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// In order of the keys asked for.
    Sizes {
        sizes: Vec<Option<u64>>,
    },
    /// `bytes` bytes follow.
    Found {
        bytes: u64,
    },
    Absent,
    Stored,
    /// Was there before.
    Known,
    /// Keys and sizes; another such reply follows while there is more.
    Listed {
        files: Vec<(String, u64)>,
        has_more: bool,
    },
    Deleted {
        count: u64,
    },
    Failed {
        trouble: Trouble,
        message: String,
    },
}

/// Why a request failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trouble {
    /// No credentials, or not these.
    Denied,
    /// No such bucket, container or host.
    NoSuchPlace,
    /// No answer in time, whatever was tried.
    Unreachable,
    /// An answer that makes no sense, or does not keep what was sent.
    Broken,
}

impl Request {
    /// How many bytes follow.
    pub fn byte_count(&self) -> u64 {
        match self {
            Request::Put { bytes, .. } => *bytes,
            _ => 0,
        }
    }
}

impl Reply {
    /// How many bytes follow.
    pub fn byte_count(&self) -> u64 {
        match self {
            Reply::Found { bytes } => *bytes,
            _ => 0,
        }
    }
}

/// Writes a message and the bytes that belong to it.
pub fn write(to: &mut dyn Write, message: &impl Serialize, bytes: &[u8]) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    to.write_all(&line)?;
    to.write_all(bytes)
}

/// Reads a message without the bytes that belong to it; none at the end of the input.
///
/// Errors: cut short, too long, not the JSON that is expected.
pub fn read<T: DeserializeOwned>(from: &mut dyn BufRead) -> io::Result<Option<T>> {
    let mut line = Vec::new();
    from.take(LINE_BYTES_MAX).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.pop() != Some(b'\n') {
        return Err(io::Error::new(ErrorKind::UnexpectedEof, "a message is cut short"));
    }
    Ok(Some(serde_json::from_slice(&line)?))
}

/// Reads the bytes that belong to a message. Memory grows with what arrives, not with what is announced.
pub fn read_bytes(from: &mut dyn BufRead, count: u64) -> io::Result<Vec<u8>> {
    if count > FILE_BYTES_MAX {
        return Err(io::Error::new(ErrorKind::InvalidData, format!("a file of {count} bytes is too large")));
    }
    let mut bytes = Vec::new();
    from.take(count).read_to_end(&mut bytes)?;
    if bytes.len() as u64 != count {
        return Err(io::Error::new(ErrorKind::UnexpectedEof, "a file is cut short"));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_back_with_their_bytes() {
        let mut stream = Vec::new();
        let put = Request::Put { key: "ab/cd.png".into(), bytes: 3 };
        let list = Request::List { prefix: String::new() };
        write(&mut stream, &put, b"\n\n\0").unwrap();
        write(&mut stream, &list, b"").unwrap();
        assert_eq!(String::from_utf8_lossy(&stream).lines().next(), Some(r#"{"put":{"key":"ab/cd.png","bytes":3}}"#));
        let mut from = &stream[..];
        assert_eq!(read::<Request>(&mut from).unwrap(), Some(put.clone()));
        assert_eq!(read_bytes(&mut from, put.byte_count()).unwrap(), b"\n\n\0");
        assert_eq!(read::<Request>(&mut from).unwrap(), Some(list));
        assert_eq!(read::<Request>(&mut from).unwrap(), None);
    }

    #[test]
    fn what_is_cut_short_or_no_message_is_an_error() {
        for text in ["{", "{}\n", "\"absent\"", "null\n", "\u{0}\n"] {
            assert!(read::<Reply>(&mut text.as_bytes()).is_err(), "{text:?}");
        }
        assert_eq!(read::<Reply>(&mut &b"\"absent\"\n"[..]).unwrap(), Some(Reply::Absent));
        assert!(read_bytes(&mut &b"abc"[..], 4).is_err());
        assert!(read_bytes(&mut &b"abc"[..], u64::MAX).is_err());
    }
}
