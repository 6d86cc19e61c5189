//! Buffers: their bytes, and those of their views.

use std::cell::Cell;

use super::bytes::{Bytes, Files};
use super::json::At;
use super::{Importer, Stop, meshopt};
use crate::import::{Budget, Fault, code};

type Result<T> = std::result::Result<T, Fault>;

/// A GLB file cut into its document and its binary chunk.
///
/// Source: glTF 2.0, 4.4. Unknown chunks are skipped; bytes behind the stated length are ignored.
pub fn split_glb(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>)> {
    let fault = |message: String| Fault::new(code::CONTAINER, message);
    let word =
        |at: usize| -> Option<u32> { bytes.get(at..at + 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])) };
    let (Some(version), Some(length)) = (word(4), word(8)) else {
        return Err(fault(format!("the GLB header is incomplete: {} of 12 bytes", bytes.len())));
    };
    if !(1..=2).contains(&version) {
        return Err(fault(format!("unsupported GLB version {version}: versions 1 and 2 can be read"))
            .help("export the model again as glTF 2.0"));
    }
    if length as usize > bytes.len() {
        return Err(fault(format!(
            "the GLB is incomplete: its header declares {length} bytes, but the file has {}",
            bytes.len()
        )));
    }
    let bytes = &bytes[..length as usize];
    if version == 1 {
        return split_first(bytes);
    }
    let (mut json, mut bin) = (None, None);
    let mut at = 12;
    while at < bytes.len() {
        let (Some(size), Some(kind)) = (word(at), word(at + 4)) else {
            return Err(fault(format!("a chunk header is incomplete at byte {at}")));
        };
        let start = at + 8;
        let Some(chunk) = start.checked_add(size as usize).and_then(|end| bytes.get(start..end)) else {
            return Err(fault(format!(
                "the chunk at byte {at} declares {size} bytes, but {} are left",
                bytes.len().saturating_sub(start)
            )));
        };
        match kind {
            0x4E4F_534A if json.is_none() => json = Some(chunk),
            0x004E_4942 if bin.is_none() => bin = Some(chunk),
            _ => {}
        }
        at = start + size as usize;
    }
    Ok((json.ok_or_else(|| fault("the GLB has no JSON chunk".to_string()))?, bin))
}

/// The same of version 1: the length of the document, 0 for JSON, the document, the body.
///
/// Source: KHR_binary_glTF of glTF 1.0.
fn split_first(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>)> {
    let fault = |message: String| Fault::new(code::CONTAINER, message);
    let Some(([a, b, c, d, format @ ..], rest)) = bytes.get(12..).and_then(|rest| rest.split_first_chunk::<8>()) else {
        return Err(fault(format!("the GLB header is incomplete: {} of 20 bytes", bytes.len())));
    };
    if *format != [0; 4] {
        return Err(fault(format!("unsupported content format {} of GLB version 1", u32::from_le_bytes(*format)))
            .help("export the model again as glTF 2.0"));
    }
    let size = u32::from_le_bytes([*a, *b, *c, *d]);
    let Some((json, body)) = rest.split_at_checked(size as usize) else {
        return Err(fault(format!("the document declares {size} bytes, but {} are left", rest.len())));
    };
    Ok((json, Some(body)))
}

/// One entry of `buffers`: bytes and how many of them count.
pub struct Buffer<'a> {
    bytes: Bytes<'a>,
    length: usize,
    /// Why it cannot be read.
    lost: Option<Fault>,
    /// Whether something asked for its bytes.
    wanted: Cell<bool>,
}

impl<'a> Buffer<'a> {
    fn new(bytes: Bytes<'a>, length: usize) -> Buffer<'a> {
        Buffer { bytes, length, lost: None, wanted: Cell::new(false) }
    }

    fn lost(why: Fault) -> Buffer<'a> {
        Buffer { lost: Some(why), ..Buffer::new(Bytes::Chunk(&[]), 0) }
    }

    /// What is wrong with it, if nobody has asked for its bytes.
    pub fn unused_fault(&self) -> Option<&Fault> {
        self.lost.as_ref().filter(|_| !self.wanted.get())
    }
}

/// Reads every buffer. The GLB chunk belongs to the first one without a URI. One that cannot be read is a fault when
/// its bytes are asked for.
pub fn read_buffers<'a>(
    root: At<'a>,
    chunk: Option<&'a [u8]>,
    files: &mut Files<'a>,
    budget: &mut Budget,
) -> std::result::Result<Vec<Buffer<'a>>, Stop> {
    let mut buffers = Vec::new();
    for (index, at) in root.key("buffers").items()?.enumerate() {
        let length = at.key("byteLength").u64()?;
        if meshopt::is_fallback(at)? {
            buffers.push(Buffer::new(Bytes::Chunk(&[]), 0));
            continue;
        }
        let read = match (at.key("uri").some(), chunk) {
            (Some(uri), _) => files.fetch(uri, budget).map_err(|stop| match stop {
                Stop::Fault(fault) => fault,
                // Of another file: its message does not say which buffer it is.
                Stop::Other(told) => Fault { message: format!("{uri}: {}", told.message), ..told.into() },
            }),
            (None, Some(chunk)) if index == 0 => Ok(Bytes::Chunk(chunk)),
            (None, _) => Err(at.fault(code::BUFFER, "has no URI, and the file has no binary chunk")),
        };
        let enough = |bytes: Bytes<'a>| match bytes.get().len() {
            found if (found as u64) < length => {
                Err(at.fault(code::BUFFER, format!("declares {length} bytes, but has {found}")))
            }
            _ => Ok(bytes),
        };
        buffers.push(match read.and_then(enough) {
            Ok(bytes) => Buffer::new(bytes, length as usize),
            Err(why) => Buffer::lost(why),
        });
    }
    Ok(buffers)
}

impl<'a> Importer<'a> {
    /// Bytes of a buffer view, and its stride where it states one. A compressed view is unpacked once.
    pub fn view(&mut self, index: u32, by: At<'a>) -> Result<(Bytes<'a>, Option<u64>)> {
        let at = self.root.key("bufferViews").entry(index, by)?;
        let stride = match at.key("byteStride").some() {
            None => None,
            Some(stride) => Some(stride.u64()?).filter(|s| (1..=1 << 16).contains(s)),
        };
        if stride.is_none() && at.key("byteStride").exists() {
            return Err(at.key("byteStride").wrong("4 to 252"));
        }
        if let Some(packed) = meshopt::extension(at) {
            let bytes = match self.known.unpacked.get(&index) {
                Some(bytes) => bytes.clone(),
                None => {
                    let bytes = self.unpack(packed)?;
                    self.known.unpacked.insert(index, bytes.clone());
                    bytes
                }
            };
            return Ok((bytes, stride));
        }
        Ok((Bytes::Chunk(self.stretch(at)?), stride))
    }

    /// The bytes that `buffer`, `byteOffset` and `byteLength` of an object name.
    pub fn stretch(&self, at: At<'a>) -> Result<&'a [u8]> {
        let number = at.key("buffer").index()?;
        self.root.key("buffers").entry(number, at.key("buffer"))?;
        let buffer = &self.buffers[number as usize];
        buffer.wanted.set(true);
        if let Some(why) = &buffer.lost {
            return Err(why.clone());
        }
        let bytes = &buffer.bytes.get()[..buffer.length];
        let (offset, length) = (at.key("byteOffset").u64_or(0)?, at.key("byteLength").u64()?);
        let end = offset.checked_add(length).filter(|end| *end <= bytes.len() as u64).ok_or_else(|| {
            let message =
                format!("{length} bytes from byte {offset} exceed the {} bytes of `buffers[{number}]`", bytes.len());
            at.fault(code::ACCESSOR_RANGE, message)
        })?;
        Ok(&bytes[offset as usize..end as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_containers() {
        let head = |length: u32| [b"glTF".as_slice(), &2_u32.to_le_bytes(), &length.to_le_bytes()].concat();
        let chunk = |kind: &[u8; 4], data: &[u8]| {
            [(data.len() as u32).to_le_bytes().as_slice(), kind.as_slice(), data].concat()
        };
        let good = [head(12 + 10 + 12), chunk(b"JSON", b"{}"), chunk(b"BIN\0", b"abcd")].concat();
        assert_eq!(split_glb(&good), Ok((b"{}".as_slice(), Some(b"abcd".as_slice()))));
        for cut in 0..good.len() {
            assert!(split_glb(&good[..cut]).is_err(), "cut at {cut}");
        }
        for (version, says) in [(1, "content format"), (3, "version 3")] {
            let mut other = good.clone();
            other[4] = version;
            assert!(split_glb(&other).expect_err("no such format").message.contains(says), "{version}");
        }
        let first =
            [b"glTF".as_slice(), &1_u32.to_le_bytes(), &26_u32.to_le_bytes(), &[2, 0, 0, 0, 0, 0, 0, 0], b"{}abcd"];
        let first = first.concat();
        assert_eq!(split_glb(&first), Ok((b"{}".as_slice(), Some(b"abcd".as_slice()))));
        for cut in 0..first.len() {
            assert!(split_glb(&first[..cut]).is_err(), "cut at {cut}");
        }
        let mut lies = first.clone();
        lies[12] = 7;
        assert!(split_glb(&lies).is_err());
        let long = [head(12 + 8 + 2), chunk(b"JSON", b"{}")].concat();
        let mut lies = long.clone();
        lies[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(split_glb(&lies).is_err());
        assert!(split_glb(&[head(12 + 10), chunk(b"WHAT", b"{}")].concat()).is_err());
    }
}
