//! The guard: looks through a file's bytes before the crate does, and writes them again in their plainest form.
//!
//! In: bytes. Out: a [`Plain`] file that [`fbxcel_dom`] can read without surprises. Never here: what a record means.
//!
//! Source: "FBX binary file format specification" (Blender developers' blog, 2013), and files of many programs. A
//! record is: where it ends, number and size of its values, name, values, records inside. Offsets have 32 bits before
//! version 7.5 and 64 from then on.
//!
//! Why it stands before the crate: `fbxcel` takes lengths on trust. One changed byte in a file of 21 KB makes it ask
//! for 4 GiB (`Vec::with_capacity` of what the file states); a list of a thousand bytes may unpack to a million; a name
//! that is not UTF-8 or an ending cut off end the reading; and its zlib takes ten times as long as ours. So the guard
//! checks every length, depth and size, and what it passes on has offsets of 64 bits, lists unpacked, texts of UTF-8,
//! an end to each list of records, and nothing behind the last one. The plain file is never whole in memory: what is
//! long stays in the file and is unpacked while it is read.

use std::io::{self, Read};

use flate2::bufread::ZlibDecoder;

use super::record::DEPTH_MAX;
use crate::import::{Fault, code};

pub const MAGIC: &[u8; 23] = b"Kaydara FBX Binary  \0\x1a\0";
/// The version that the plain form is written in.
const PLAIN_VERSION: u32 = 7500;
/// A record's head in that version, without its name; all zero, it ends a list of records.
const HEAD_BYTES: usize = 25;
/// Texts up to this length are copied, longer ones stay in the file.
const SHORT_BYTES: usize = 64;

/// Records at the top, and kinds of objects, that the importer reads. Values of an unknown kind are passed over in all
/// others.
const READ_AT_TOP: [&[u8]; 5] = [b"FBXHeaderExtension", b"GlobalSettings", b"Definitions", OBJECTS, b"Connections"];
const OBJECTS: &[u8] = b"Objects";
const READ_OBJECTS: [&[u8]; 13] = [
    b"AnimationCurve",
    b"AnimationCurveNode",
    b"AnimationLayer",
    b"AnimationStack",
    b"Deformer",
    b"Geometry",
    b"LayeredTexture",
    b"Material",
    b"Model",
    b"NodeAttribute",
    b"Pose",
    b"Texture",
    b"Video",
];

/// What the crate takes for a record, for a value and for a text, at most, while its lists of them grow.
const RECORD_BYTES: u64 = 400;
const VALUE_BYTES: u64 = 48;
const TEXT_BYTES: u64 = 16;

/// A file in its plainest form.
#[derive(Debug, Default)]
pub struct Plain<'a> {
    /// What is written anew: heads, numbers, short texts.
    own: Vec<u8>,
    pieces: Vec<Piece<'a>>,
    /// Bytes of all pieces.
    length: u64,
    /// What the crate's tree will take in memory, at most.
    tree_bytes: u64,
}

#[derive(Clone, Copy, Debug)]
enum Piece<'a> {
    /// So many of the next bytes of `own`.
    Own(usize),
    File(&'a [u8]),
    /// `length` bytes packed by zlib; where they lie in the file.
    Packed {
        bytes: &'a [u8],
        length: u64,
        at: usize,
    },
}

pub fn broken(at: usize, what: &str) -> Fault {
    Fault::new(code::CONTAINER, format!("broken FBX file: {what} at byte {at}"))
        .help("export the model again, or copy the file again")
}

/// The next bytes of a file.
pub struct Cursor<'a> {
    bytes: &'a [u8],
    pub at: usize,
}

impl<'a> Cursor<'a> {
    /// Begins at a place in the file.
    pub fn new(bytes: &'a [u8], at: usize) -> Cursor<'a> {
        Cursor { bytes, at }
    }

    pub fn take(&mut self, count: u64) -> Result<&'a [u8], Fault> {
        let left = (self.bytes.len() - self.at) as u64;
        if count > left {
            return Err(broken(self.at, "the file ends too early"));
        }
        let taken = &self.bytes[self.at..self.at + count as usize];
        self.at += count as usize;
        Ok(taken)
    }

    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        Ok(self.take(N as u64)?.try_into().expect("as many as were taken"))
    }

    pub fn u32(&mut self) -> Result<u32, Fault> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// An offset or a count of a record's head.
    fn word(&mut self, wide: bool) -> Result<u64, Fault> {
        if wide { Ok(u64::from_le_bytes(self.array()?)) } else { Ok(u64::from(self.u32()?)) }
    }
}

/// A record under way.
struct Open {
    /// Where it ends in the file.
    end: usize,
    /// Where its head is written in `own`.
    head: usize,
    /// Whether a list of records is to be ended: it has some, or nothing at all.
    listed: bool,
    /// Whether it is the list of objects.
    objects: bool,
    /// Whether the importer reads it.
    read: bool,
}

impl Open {
    /// A record below `around`; `None`: at the top.
    fn begin(end: usize, head: usize, name: &[u8], around: Option<&Open>) -> Open {
        let read = match around {
            None => READ_AT_TOP.contains(&name),
            Some(around) if around.objects => READ_OBJECTS.contains(&name),
            Some(around) => around.read,
        };
        Open { end, head, listed: false, objects: around.is_none() && name == OBJECTS, read }
    }
}

impl<'a> Plain<'a> {
    /// Looks through a file of version 7.x; 7400 is 7.4.
    ///
    /// Shapes: `bytes` starts with [`MAGIC`] and a version. Errors: broken structure.
    pub fn of(bytes: &'a [u8], version: u32) -> Result<Plain<'a>, Fault> {
        let wide = version >= 7500;
        let mut cursor = Cursor::new(bytes, MAGIC.len() + 4);
        let mut plain = Plain::default();
        plain.put(MAGIC);
        plain.put(&PLAIN_VERSION.to_le_bytes());
        let mut open: Vec<Open> = Vec::new();
        loop {
            while let Some(record) = open.pop_if(|record| cursor.at >= record.end) {
                if cursor.at > record.end {
                    return Err(broken(cursor.at, "a record is longer than its parent"));
                }
                plain.close(&record);
            }
            // The list at the top ends with an empty record; files cut off behind their last record are read, too.
            if open.is_empty() && bytes.len() - cursor.at < if wide { HEAD_BYTES } else { 13 } {
                break;
            }
            let at = cursor.at;
            let (end, value_count, value_bytes) = (cursor.word(wide)?, cursor.word(wide)?, cursor.word(wide)?);
            let [name_length] = cursor.array()?;
            if end == 0 {
                // An empty record ends the list of records.
                match open.last() {
                    Some(record) => cursor.at = record.end,
                    None => break,
                }
                continue;
            }
            let limit = open.last().map_or(bytes.len(), |record| record.end);
            let name = cursor.take(u64::from(name_length))?;
            if end > limit as u64 || end < cursor.at as u64 {
                return Err(broken(at, "a record ends outside its parent"));
            }
            let values_end = cursor.at as u64 + value_bytes.min(bytes.len() as u64);
            if values_end > end || value_count > value_bytes {
                return Err(broken(at, "a record is shorter than its values"));
            }
            if open.len() == DEPTH_MAX {
                return Err(broken(at, "records are nested more than 100 deep"));
            }
            if let Some(around) = open.last_mut() {
                around.listed = true;
            }
            let head = plain.open(value_count, name);
            let mut record = Open::begin(end as usize, head, name, open.last());
            let first = plain.length;
            let mut kept_count = 0;
            while kept_count < value_count {
                if cursor.at as u64 >= values_end {
                    return Err(broken(cursor.at, "a record has fewer values than it declares"));
                }
                let at = cursor.at;
                if !plain.value(&mut cursor)? {
                    if record.read {
                        return Err(broken(at, "a value has an unknown kind"));
                    }
                    // Its length is unknown, so the values behind it go, too.
                    plain.amend(head + 8, kept_count);
                    cursor.at = values_end as usize;
                    break;
                }
                kept_count += 1;
            }
            record.listed = kept_count == 0;
            open.push(record);
            if cursor.at as u64 > values_end {
                return Err(broken(at, "values are longer than their record declares"));
            }
            cursor.at = values_end as usize;
            plain.amend(head + 16, plain.length - first);
        }
        while let Some(record) = open.pop() {
            plain.close(&record);
        }
        plain.put(&[0; HEAD_BYTES]);
        Ok(plain)
    }

    /// What the crate's tree will take in memory, at most.
    pub fn tree_bytes(&self) -> u64 {
        self.tree_bytes
    }

    fn put(&mut self, bytes: &[u8]) {
        self.own.extend_from_slice(bytes);
        self.length += bytes.len() as u64;
        match self.pieces.last_mut() {
            Some(Piece::Own(count)) => *count += bytes.len(),
            _ => self.pieces.push(Piece::Own(bytes.len())),
        }
    }

    /// Bytes as they are.
    fn copy(&mut self, bytes: &'a [u8]) {
        if bytes.len() <= SHORT_BYTES {
            self.put(bytes);
        } else {
            self.length += bytes.len() as u64;
            self.pieces.push(Piece::File(bytes));
        }
    }

    /// Writes a number of a head that was not known before.
    fn amend(&mut self, at: usize, number: u64) {
        self.own[at..at + 8].copy_from_slice(&number.to_le_bytes());
    }

    /// Begins a record. Out: where its head is.
    fn open(&mut self, value_count: u64, name: &[u8]) -> usize {
        let head = self.own.len();
        self.put(&[0; HEAD_BYTES]);
        self.amend(head + 8, value_count);
        self.own[head + 24] = name.len() as u8;
        // A name keeps its length.
        let name: Vec<u8> = match str::from_utf8(name) {
            Ok(_) => name.to_vec(),
            Err(_) => name.iter().map(|byte| if byte.is_ascii() { *byte } else { b'?' }).collect(),
        };
        self.put(&name);
        // The list of values grows by doubling, from four on.
        let room = if value_count == 0 { 0 } else { value_count.next_power_of_two().max(4) };
        self.tree_bytes += RECORD_BYTES + room * VALUE_BYTES;
        head
    }

    fn close(&mut self, record: &Open) {
        if record.listed {
            self.put(&[0; HEAD_BYTES]);
        }
        self.amend(record.head, self.length);
    }

    /// Out: false, and nothing is written, if the value has an unknown kind.
    fn value(&mut self, cursor: &mut Cursor<'a>) -> Result<bool, Fault> {
        let at = cursor.at;
        let [kind] = cursor.array()?;
        let number_bytes = match kind {
            b'C' | b'B' => {
                let [byte] = cursor.array()?;
                self.put(&[b'C', letter(byte)]);
                return Ok(true);
            }
            // A whole number of one byte, which the crate does not know.
            b'Z' => {
                let [byte] = cursor.array()?;
                self.put(&[b'Y', byte, 0]);
                return Ok(true);
            }
            b'Y' => 2,
            b'I' | b'F' => 4,
            b'L' | b'D' => 8,
            b'S' | b'R' => {
                let length = cursor.u32()?;
                let bytes = cursor.take(u64::from(length))?;
                self.text(kind, bytes);
                return Ok(true);
            }
            b'b' | b'c' => return self.list(cursor, b'b', 1).map(|()| true),
            b'i' | b'f' => return self.list(cursor, kind, 4).map(|()| true),
            b'l' | b'd' => return self.list(cursor, kind, 8).map(|()| true),
            _ => return Ok(false),
        };
        cursor.take(number_bytes)?;
        self.put(&cursor.bytes[at..cursor.at]);
        Ok(true)
    }

    /// A text (`S`), of which what is no UTF-8 is replaced, or bytes (`R`).
    fn text(&mut self, kind: u8, bytes: &'a [u8]) {
        self.tree_bytes += bytes.len() as u64 + TEXT_BYTES;
        self.put(&[kind]);
        if kind == b'R' || str::from_utf8(bytes).is_ok() {
            self.put(&(bytes.len() as u32).to_le_bytes());
            self.copy(bytes);
            return;
        }
        // Three times as long at most; what does not fit a length of 32 bits is left out.
        let mended = String::from_utf8_lossy(bytes);
        let mut end = mended.len().min(u32::MAX as usize);
        while !mended.is_char_boundary(end) {
            end -= 1;
        }
        self.tree_bytes += end as u64;
        self.put(&(end as u32).to_le_bytes());
        self.put(&mended.as_bytes()[..end]);
    }

    fn list(&mut self, cursor: &mut Cursor<'a>, kind: u8, number_bytes: u64) -> Result<(), Fault> {
        let at = cursor.at;
        let (count, encoding, packed_bytes) = (cursor.u32()?, cursor.u32()?, cursor.u32()?);
        let length = u64::from(count) * number_bytes;
        let bytes = cursor.take(if encoding == 0 { length } else { u64::from(packed_bytes) })?;
        let Ok(plain_length) = u32::try_from(length) else {
            return Err(broken(at, "a list is larger than 4 GiB"));
        };
        // It grows by doubling, too.
        self.tree_bytes += length * 2;
        self.put(&[kind]);
        self.put(&count.to_le_bytes());
        self.put(&0_u32.to_le_bytes());
        self.put(&plain_length.to_le_bytes());
        match encoding {
            0 => self.copy(bytes),
            1 => {
                self.length += length;
                self.pieces.push(Piece::Packed { bytes, length, at });
            }
            _ => return Err(broken(at, "a list has an unknown compression")),
        }
        Ok(())
    }

    pub fn reader(&self) -> Reader<'_, 'a> {
        Reader { plain: self, piece: 0, own: 0, done: 0, unpacking: None, broken: None }
    }
}

/// Some programs write the letters T and Y, others 0 and 1; the last bit tells. The letters are what the crate expects.
fn letter(byte: u8) -> u8 {
    if byte & 1 == 1 { b'Y' } else { b'T' }
}

/// Reads a plain file from its beginning.
pub struct Reader<'p, 'a> {
    plain: &'p Plain<'a>,
    /// The piece under way, and how many of its bytes were read.
    piece: usize,
    done: u64,
    /// Bytes of `own` that were read.
    own: usize,
    unpacking: Option<ZlibDecoder<&'a [u8]>>,
    broken: Option<Fault>,
}

impl Reader<'_, '_> {
    /// What was wrong with a packed list.
    pub fn broken(self) -> Option<Fault> {
        self.broken
    }
}

impl Read for Reader<'_, '_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let Some(piece) = self.plain.pieces.get(self.piece).copied() else { return Ok(0) };
            let length = match piece {
                Piece::Own(count) => count as u64,
                Piece::File(bytes) => bytes.len() as u64,
                Piece::Packed { length, .. } => length,
            };
            if self.done == length {
                self.piece += 1;
                self.done = 0;
                continue;
            }
            let count = (length - self.done).min(out.len() as u64) as usize;
            let from = self.done as usize;
            let count = match piece {
                Piece::Own(_) => {
                    out[..count].copy_from_slice(&self.plain.own[self.own..self.own + count]);
                    self.own += count;
                    count
                }
                Piece::File(bytes) => {
                    out[..count].copy_from_slice(&bytes[from..from + count]);
                    count
                }
                Piece::Packed { bytes, at, .. } => {
                    let unpacking = self.unpacking.get_or_insert_with(|| ZlibDecoder::new(&[]));
                    if from == 0 {
                        unpacking.reset(bytes);
                    }
                    match unpacking.read(&mut out[..count]) {
                        Ok(read) if read > 0 || count == 0 => read,
                        _ => {
                            self.broken = Some(broken(at, "a compressed list has the wrong size"));
                            return Err(io::ErrorKind::InvalidData.into());
                        }
                    }
                }
            };
            self.done += count as u64;
            return Ok(count);
        }
    }
}
