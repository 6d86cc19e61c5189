//! Bytes that a model names: its container's chunk, files beside it, data URIs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::Stop;
use super::json::At;
use crate::import::base64::base64;
use crate::import::{Budget, Read, code};

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

/// What stands behind `data:`.
fn data_uri(text: &str) -> std::result::Result<Vec<u8>, String> {
    let (kind, data) = text.split_once(',').ok_or("the data URI has no comma")?;
    if kind.ends_with(";base64") {
        base64(data.as_bytes())
    } else {
        percent_decode(data).map(String::into_bytes).ok_or_else(|| "a broken % sequence".to_string())
    }
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
    fn data_uris_and_percent() {
        assert_eq!(data_uri("application/octet-stream;base64,AAE="), Ok(vec![0, 1]));
        assert_eq!(data_uri("text/plain,a%20b"), Ok(b"a b".to_vec()));
        assert!(data_uri("no comma").is_err());
        assert_eq!(percent_decode("a%2Fb"), Some("a/b".to_string()));
        for broken in ["%", "%2", "%zz", "%ff"] {
            assert_eq!(percent_decode(broken), None, "{broken}");
        }
    }
}
