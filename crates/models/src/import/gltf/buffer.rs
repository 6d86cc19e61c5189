//! Bytes of a model: the container's chunk, files beside it, data URIs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::json::At;
use super::{Importer, Stop, meshopt};
use crate::import::{Budget, Fault, Read, code};

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
    if version != 2 {
        return Err(fault(format!("unsupported GLB version {version}: only version 2 can be read"))
            .help("export the model again as glTF 2.0"));
    }
    if length as usize > bytes.len() {
        return Err(fault(format!(
            "the GLB is incomplete: its header declares {length} bytes, but the file has {}",
            bytes.len()
        )));
    }
    let bytes = &bytes[..length as usize];
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

/// Bytes of a buffer or a picture, wherever they came from.
#[derive(Clone)]
pub enum Bytes<'a> {
    Chunk(&'a [u8]),
    Own(Rc<Vec<u8>>),
}

impl Bytes<'_> {
    pub fn get(&self) -> &[u8] {
        match self {
            Bytes::Chunk(bytes) => bytes,
            Bytes::Own(bytes) => bytes,
        }
    }
}

/// What URIs lead to. A file that several URIs name is read once.
pub struct Files<'a> {
    /// The model's own path.
    model: &'a Path,
    read: &'a Read<'a>,
    seen: BTreeMap<PathBuf, Rc<Vec<u8>>>,
}

impl<'a> Files<'a> {
    pub fn new(model: &'a Path, read: &'a Read<'a>) -> Files<'a> {
        Files { model, read, seen: BTreeMap::new() }
    }

    /// The bytes behind a URI: a data URI's own, or those of a file relative to the model.
    pub fn fetch(&mut self, uri: At<'_>, budget: &mut Budget) -> std::result::Result<Bytes<'static>, Stop> {
        let text = uri.str()?;
        if let Some(data) = text.strip_prefix("data:") {
            return Ok(Bytes::Own(Rc::new(data_uri(data).map_err(|m| uri.fault(code::BUFFER, m))?)));
        }
        // A % that begins no code stands for itself, and \ parts folders for who writes on Windows.
        let name = percent_decode(text).unwrap_or_else(|| text.to_string());
        let has_scheme = name.split(['/', '\\']).next().is_some_and(|first| first.contains(':'));
        if has_scheme || name.starts_with(['/', '\\']) || name.is_empty() || name.contains('\0') {
            let shown: String = name.chars().take(60).collect();
            let message = format!("{shown:?} is not the name of a file next to the model");
            return Err(uri.fault(code::BUFFER, message).help("use a relative path or a data URI").into());
        }
        let folder = self.model.parent().unwrap_or(Path::new(""));
        let path = folder.join(name.replace('\\', "/"));
        if let Some(bytes) = self.seen.get(&path) {
            return Ok(Bytes::Own(bytes.clone()));
        }
        let bytes = match (self.read)(&path) {
            Ok(bytes) => bytes,
            // A file may bear its codes in its name.
            Err(missing) if name != text => (self.read)(&folder.join(text)).map_err(|_| missing)?,
            Err(missing) => return Err(missing.into()),
        };
        let bytes = Rc::new(bytes);
        budget.read(bytes.len());
        self.seen.insert(path, bytes.clone());
        Ok(Bytes::Own(bytes))
    }
}

/// One entry of `buffers`: bytes and how many of them count.
pub struct Buffer<'a> {
    bytes: Bytes<'a>,
    length: usize,
}

/// Reads every buffer. The GLB chunk belongs to the first one without a URI.
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
            buffers.push(Buffer { bytes: Bytes::Chunk(&[]), length: 0 });
            continue;
        }
        let bytes = match (at.key("uri").some(), chunk) {
            (Some(uri), _) => files.fetch(uri, budget)?,
            (None, Some(chunk)) if index == 0 => Bytes::Chunk(chunk),
            (None, _) => {
                return Err(at.fault(code::BUFFER, "has no URI, and the file has no binary chunk").into());
            }
        };
        let found = bytes.get().len();
        if (found as u64) < length {
            return Err(at.fault(code::BUFFER, format!("declares {length} bytes, but has {found}")).into());
        }
        buffers.push(Buffer { bytes, length: length as usize });
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
            let bytes = match self.unpacked.get(&index) {
                Some(bytes) => bytes.clone(),
                None => {
                    let bytes = self.unpack(packed)?;
                    self.unpacked.insert(index, bytes.clone());
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

/// What stands behind `data:`.
fn data_uri(text: &str) -> std::result::Result<Vec<u8>, String> {
    let (kind, data) = text.split_once(',').ok_or("the data URI has no comma")?;
    if kind.ends_with(";base64") {
        base64(data.as_bytes())
    } else {
        percent_decode(data).map(String::into_bytes).ok_or_else(|| "a broken % sequence".to_string())
    }
}

/// RFC 4648, section 4; missing padding and broken lines are tolerated, anything behind padding is not.
fn base64(text: &[u8]) -> std::result::Result<Vec<u8>, String> {
    let joined: Vec<u8>;
    let text = if text.iter().any(u8::is_ascii_whitespace) {
        joined = text.iter().copied().filter(|c| !c.is_ascii_whitespace()).collect();
        &joined
    } else {
        text
    };
    let data_count = text.iter().position(|c| *c == b'=').unwrap_or(text.len());
    let (data, padding) = text.split_at(data_count);
    if padding.len() > 2 || padding.iter().any(|c| *c != b'=') || data.len() % 4 == 1 {
        return Err("the base64 text has the wrong length".to_string());
    }
    let mut out = Vec::with_capacity(data.len() / 4 * 3 + 2);
    let (mut bits, mut bit_count) = (0_u32, 0);
    for (index, c) in data.iter().enumerate() {
        let six = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return Err(format!("the base64 text has the byte 0x{c:02x} at {index}")),
        };
        bits = (bits << 6) | u32::from(six);
        bit_count += 6;
        if bit_count >= 8 {
            bit_count -= 8;
            out.push((bits >> bit_count) as u8);
            bits &= (1 << bit_count) - 1;
        }
    }
    Ok(out)
}

/// `None` for a broken sequence, or bytes that are no UTF-8.
fn percent_decode(text: &str) -> Option<String> {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let high = (bytes.next()? as char).to_digit(16)?;
            let low = (bytes.next()? as char).to_digit(16)?;
            out.push((high * 16 + low) as u8);
        } else {
            out.push(byte);
        }
    }
    String::from_utf8(out).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_rows() {
        for (text, want) in [("", ""), ("TQ==", "M"), ("TWE=", "Ma"), ("TWFu", "Man"), ("TWE", "Ma")] {
            assert_eq!(base64(text.as_bytes()), Ok(want.as_bytes().to_vec()), "{text}");
        }
        for text in ["T", "T===", "TQ==TQ==", "T!E=", "TWFu="] {
            let kept = base64(text.as_bytes());
            assert!(kept.is_err() || text == "TWFu=", "{text}: {kept:?}");
        }
        assert_eq!(base64(b"-_8"), Ok(vec![0xfb, 0xff]));
    }

    #[test]
    fn data_uris_and_percent() {
        assert_eq!(data_uri("application/octet-stream;base64,AAE="), Ok(vec![0, 1]));
        assert_eq!(data_uri("text/plain,a%20b"), Ok(b"a b".to_vec()));
        assert!(data_uri("no comma").is_err());
        assert_eq!(percent_decode("a%2Fb"), Some("a/b".to_string()));
        for broken in ["%", "%2", "%zz", "%ff"] {
            assert_eq!(percent_decode(broken), None, "{broken}");
        }
    }

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
        let mut old = good.clone();
        old[4] = 1;
        assert!(split_glb(&old).is_err());
        let long = [head(12 + 8 + 2), chunk(b"JSON", b"{}")].concat();
        let mut lies = long.clone();
        lies[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(split_glb(&lies).is_err());
        assert!(split_glb(&[head(12 + 10), chunk(b"WHAT", b"{}")].concat()).is_err());
    }
}
