//! Entries: a ready model as a file.
//!
//! `MAGIC`, the manifest's length and its checksum (u64 each, little-endian), the manifest (postcard: everything but
//! the long lists, with their lengths and checksums of their pieces), then the lists one after the other as they lie in
//! memory. Checksums are XXH3: they tell damage. Names are BLAKE3: they tell contents apart. Pieces are read and summed
//! on all threads: at a few hundred megabytes the kernel's handing out of fresh memory is what takes longest.

use std::fs::File;
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use stillframe_base::hash::Digest;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::lists::{List, visit};
use super::{Access, Asked, Ready};
use crate::import;
use crate::source::{Diagnostic, Severity};

const MAGIC: &[u8; 8] = b"stillrdy";

/// Everything that a build's models depend on: another build reads none of this one's entries.
const BUILD: &str = concat!(env!("CARGO_PKG_VERSION"), " ", env!("STILLFRAME_SOURCES"));

/// Bytes that one checksum is over.
const PIECE_BYTES: usize = 1 << 20;
/// Bytes that are read and summed at once: they stay in the processor's cache between the two.
const CHUNK_BYTES: usize = 1 << 17;

/// What is written in front of the lists.
#[derive(Serialize, Deserialize)]
struct Manifest {
    asked: Vec<Asked>,
    warnings: Vec<Warning>,
    list_lengths: Vec<u64>,
    /// Of pieces of [`PIECE_BYTES`] of each list, one list after the other.
    checksums: Vec<u64>,
    /// Without the lists and the warnings.
    ready: Ready,
}

/// A complaint about a file that is named as the model's folder sees it.
#[derive(Serialize, Deserialize)]
struct Warning {
    code: String,
    file: PathBuf,
    span: Option<std::ops::Range<usize>>,
    message: String,
    help: Option<String>,
}

/// An entry that is about to be written.
pub struct Entry {
    manifest: Vec<u8>,
    lists_bytes: u64,
}

/// The entry's file name: of the model's bytes, of what its name says they are, and of this build. Few models have
/// strokes: their width is part of the entry.
pub fn name(file: &Path, hash: Digest, wishes: import::Wishes) -> String {
    let ending = file.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let order = if cfg!(target_endian = "little") { "little" } else { "big" };
    let mut hasher = blake3::Hasher::new();
    // What does not fit into the memory that is allowed has stand-ins.
    let memory = wishes.max_bytes.map_or(String::new(), |bytes| format!("{bytes}"));
    hasher.update(format!("{BUILD}\0{order}\0{ending}\0{memory}\0").as_bytes());
    hasher.update(&hash.0);
    format!("{}.model", hasher.finalize().to_hex())
}

impl Entry {
    /// `None` where the model cannot be told from another folder. `ready` comes back as it was.
    pub fn of(ready: &mut Ready, file: &Path, asked: Vec<Asked>) -> Option<Entry> {
        let folder = file.parent()?;
        let warnings =
            ready.model.warnings.iter().map(|warning| Warning::of(warning, folder)).collect::<Option<_>>()?;
        let mut list_lengths = Vec::new();
        let mut lists_bytes = 0;
        let mut checksums = Vec::new();
        let mut taken = Vec::new();
        visit(ready, &mut |list| {
            list_lengths.push(list.len() as u64);
            lists_bytes += list.bytes().len() as u64;
            checksums.extend(list.bytes().chunks(PIECE_BYTES).map(xxh3_64));
            taken.push(list.take());
        });
        let manifest = Manifest { asked, warnings, list_lengths, checksums, ready: std::mem::take(ready) };
        let text = postcard::to_stdvec(&manifest);
        *ready = manifest.ready;
        let mut taken = taken.into_iter();
        visit(ready, &mut |list| list.put(taken.next().expect("as many as were taken")));
        Some(Entry { manifest: text.ok()?, lists_bytes })
    }

    pub fn size_bytes(&self) -> u64 {
        24 + self.manifest.len() as u64 + self.lists_bytes
    }

    /// Errors: of the writer.
    pub fn write(&self, ready: &mut Ready, out: &mut dyn Write) -> io::Result<()> {
        let mut out = BufWriter::new(out);
        out.write_all(MAGIC)?;
        out.write_all(&(self.manifest.len() as u64).to_le_bytes())?;
        out.write_all(&xxh3_64(&self.manifest).to_le_bytes())?;
        out.write_all(&self.manifest)?;
        let mut done = Ok(());
        visit(ready, &mut |list| {
            if done.is_ok() {
                done = out.write_all(list.bytes());
            }
        });
        done.and_then(|()| out.flush())
    }
}

/// A part of a list that is to be read.
struct Piece<'a> {
    room: &'a mut [u8],
    /// In the entry.
    at: u64,
    checksum: u64,
    whole: bool,
}

/// The model of the entry at `path`, for a model file at `file`; `None` where the entry is not there or does not count.
pub fn read(path: &Path, file: &Path, access: &Access<'_>) -> Option<Ready> {
    let mut from = File::open(path).ok()?;
    let size = from.metadata().ok()?.len();
    let mut head = [0; 24];
    from.read_exact(&mut head).ok()?;
    let word = |at: usize| u64::from_le_bytes(head[at..at + 8].try_into().expect("eight bytes"));
    let (manifest_len, manifest_checksum) = (word(8), word(16));
    if &head[..8] != MAGIC || manifest_len > size.checked_sub(24)? {
        return None;
    }
    let mut manifest = vec![0; usize::try_from(manifest_len).ok()?];
    from.read_exact(&mut manifest).ok()?;
    if xxh3_64(&manifest) != manifest_checksum {
        return None;
    }
    let Manifest { asked, warnings, list_lengths, checksums, mut ready } = postcard::from_bytes(&manifest).ok()?;
    let folder = file.parent()?;
    for Asked { name, hash } in asked {
        if (access.content_hash)(&folder.join(name)).ok().map(|hash| hash.0) != hash {
            return None;
        }
    }
    ready.model.warnings =
        warnings.into_iter().map(|warning| warning.into_diagnostic(folder)).collect::<Option<_>>()?;
    let mut lists: Vec<&mut dyn List> = Vec::new();
    visit(&mut ready, &mut |list| lists.push(list));
    if lists.len() != list_lengths.len() {
        return None;
    }
    let mut at = 24 + manifest_len;
    let mut pieces = Vec::new();
    let mut checksums = checksums.into_iter();
    for (list, len) in lists.into_iter().zip(list_lengths) {
        // No more is ever asked for than the file holds.
        len.checked_mul(list.value_bytes() as u64).filter(|bytes| *bytes <= size - at)?;
        for room in list.room(usize::try_from(len).ok()?).chunks_mut(PIECE_BYTES) {
            let length = room.len() as u64;
            pieces.push(Piece { room, at, checksum: checksums.next()?, whole: false });
            at += length;
        }
    }
    if at != size || checksums.next().is_some() {
        return None;
    }
    let runs = pieces.len().div_ceil(access.pool.threads()).clamp(1, 16);
    access.pool.for_chunks_mut(&mut pieces, runs, |_, pieces| {
        let Ok(mut from) = File::open(path) else { return };
        for piece in pieces {
            piece.whole = piece.read(&mut from).is_ok_and(|checksum| checksum == piece.checksum);
        }
    });
    pieces.iter().all(|piece| piece.whole).then_some(ready)
}

impl Piece<'_> {
    /// Fills its room; out: the checksum of what came.
    fn read(&mut self, from: &mut File) -> io::Result<u64> {
        from.seek(SeekFrom::Start(self.at))?;
        let mut checksum = Xxh3::new();
        for chunk in self.room.chunks_mut(CHUNK_BYTES) {
            from.read_exact(chunk)?;
            checksum.update(chunk);
        }
        Ok(checksum.digest())
    }
}

impl Warning {
    fn of(warning: &Diagnostic, folder: &Path) -> Option<Warning> {
        let Diagnostic { code, severity: Severity::Warning, file, span, message, help } = warning else { return None };
        // Words that name the folder would lie about another one.
        let here = folder.to_string_lossy();
        let names_it = |words: &str| !here.is_empty() && words.contains(&*here);
        if names_it(message) || help.as_deref().is_some_and(names_it) || !import::code::WARNINGS.contains(code) {
            return None;
        }
        Some(Warning {
            code: code.to_string(),
            file: file.strip_prefix(folder).ok()?.to_path_buf(),
            span: span.clone(),
            message: message.clone(),
            help: help.clone(),
        })
    }

    fn into_diagnostic(self, folder: &Path) -> Option<Diagnostic> {
        let Warning { code, file, span, message, help } = self;
        let code = import::code::WARNINGS.iter().find(|known| **known == code)?;
        Some(Diagnostic { code, severity: Severity::Warning, file: folder.join(file), span, message, help })
    }
}
