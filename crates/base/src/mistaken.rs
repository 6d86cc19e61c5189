//! Mistaken: what a file may hold instead of what its name promises.
//!
//! In: a file's bytes. Out: whether they stand for something else, and the words that say so. Never here: what the
//! right bytes would mean.

/// What a Git LFS pointer is called in messages.
pub const LFS_POINTER: &str = "this is a Git LFS pointer, not the file itself";
/// What to do about one.
pub const LFS_HELP: &str = "run `git lfs pull`";

/// Pointers are shorter.
const POINTER_MAX_BYTES: usize = 1024;

/// Whether bytes are the text that Git LFS leaves in place of a file that was not fetched.
///
/// Source: "Git LFS Specification", version 1; its first versions had another address.
pub fn is_lfs_pointer(bytes: &[u8]) -> bool {
    const STARTS: [&[u8]; 2] =
        [b"version https://git-lfs.github.com/spec/", b"version https://hawser.github.com/spec/"];
    bytes.len() < POINTER_MAX_BYTES && STARTS.iter().any(|start| bytes.starts_with(start))
}

/// How text in UTF-16 is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Utf16 {
    /// Whether the first byte of a unit is the high one.
    pub is_big: bool,
    /// Where the text starts: behind its mark, if there is one.
    pub start: usize,
}

/// How bytes are text in UTF-16, if they are: they start with its mark, or every other one of the first four is zero.
pub fn utf16(bytes: &[u8]) -> Option<Utf16> {
    let (is_big, start) = match *bytes {
        [0xFF, 0xFE, ..] => (false, 2),
        [0xFE, 0xFF, ..] => (true, 2),
        [a, 0, b, 0, ..] if a != 0 && b != 0 => (false, 0),
        [0, a, 0, b, ..] if a != 0 && b != 0 => (true, 0),
        _ => return None,
    };
    Some(Utf16 { is_big, start })
}

/// Bytes as text; else why they are none, and what to do about it.
pub fn utf8(bytes: Vec<u8>) -> Result<String, NotText> {
    if is_lfs_pointer(&bytes) {
        return Err(NotText { message: LFS_POINTER.into(), help: Some(LFS_HELP) });
    }
    if utf16(&bytes).is_some() {
        return Err(NotText { message: "the file is UTF-16 text".into(), help: Some("save it as UTF-8") });
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        NotText { message: format!("the file is not UTF-8 text: invalid byte at {at}"), help: None }
    })
}

/// Why bytes are no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotText {
    pub message: String,
    pub help: Option<&'static str>,
}

impl NotText {
    /// Both in one line.
    pub fn words(&self) -> String {
        match self.help {
            Some(help) => format!("{} ({help})", self.message),
            None => self.message.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stand_ins_are_known() {
        let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n";
        assert!(is_lfs_pointer(pointer) && !is_lfs_pointer(&pointer.repeat(40)) && !is_lfs_pointer(b"version 1\n"));
        let stored = |text: &str, is_big: bool| -> Vec<u8> {
            let bytes = |unit: u16| if is_big { unit.to_be_bytes() } else { unit.to_le_bytes() };
            text.encode_utf16().flat_map(bytes).collect()
        };
        for is_big in [false, true] {
            // Only the first letters need to be Latin ones where there is no mark.
            for (text, start) in [("\u{feff}\u{4e00}", 2), ("title = 1", 0), ("# \u{7acb}\u{4f53}", 0)] {
                assert_eq!(utf16(&stored(text, is_big)), Some(Utf16 { is_big, start }), "{text:?}");
            }
        }
        for text in ["", "a", "title", "\u{feff}title", "\0\0\0\0", "a\0b"] {
            assert_eq!(utf16(text.as_bytes()), None, "{text:?}");
        }
        assert_eq!(utf8(b"a\xFF".to_vec()).unwrap_err().message, "the file is not UTF-8 text: invalid byte at 1");
        assert_eq!(utf8(pointer.to_vec()).unwrap_err().help, Some("run `git lfs pull`"));
        assert_eq!(utf8("\u{feff}a".into()).as_deref(), Ok("\u{feff}a"));
    }
}
