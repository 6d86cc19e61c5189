//! Text of model files: byte order marks, UTF-16 and the line ends of other systems.
//!
//! In: a file's bytes. Out: the same text in UTF-8 (or whatever single bytes the file has), without a mark, in which a
//! line feed ends each line. Never here: what a line means.

use std::borrow::Cow;
use std::ops::Range;

use stillframe_base::mistaken::utf16;

/// The text of a file.
#[derive(Debug)]
pub struct Plain<'a> {
    pub bytes: Cow<'a, [u8]>,
    /// Where it starts in the file; `None` if places in it are no places in the file.
    start: Option<usize>,
}

impl<'a> Plain<'a> {
    /// Leaves out a byte order mark, and recodes UTF-16.
    pub fn of(bytes: &'a [u8]) -> Plain<'a> {
        if let [0xEF, 0xBB, 0xBF, text @ ..] = bytes {
            return Plain { bytes: Cow::Borrowed(text), start: Some(3) };
        }
        let Some(stored) = utf16(bytes) else { return Plain { bytes: Cow::Borrowed(bytes), start: Some(0) } };
        let word = if stored.is_big { u16::from_be_bytes } else { u16::from_le_bytes };
        let words = bytes[stored.start..].as_chunks::<2>().0.iter().map(|pair| word(*pair));
        let text: String = char::decode_utf16(words).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        Plain { bytes: Cow::Owned(text.into_bytes()), start: None }
    }

    /// The same with a line feed for every carriage return that stands alone.
    pub fn lines(bytes: &'a [u8]) -> Plain<'a> {
        let mut out = Plain::of(bytes);
        let is_alone = |bytes: &[u8], at: usize| bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n');
        if let Some(first) = (0..out.bytes.len()).find(|at| is_alone(&out.bytes, *at)) {
            let text = out.bytes.to_mut();
            for at in first..text.len() {
                if is_alone(text, at) {
                    text[at] = b'\n';
                }
            }
        }
        out
    }

    /// The place in the file of a place in the text; `None` if the text is recoded.
    pub fn span(&self, place: Range<usize>) -> Option<Range<usize>> {
        self.start.map(|start| place.start + start..place.end + start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_codes_and_line_ends() {
        let utf16 = |text: &str, bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
        let little = |text: &str| utf16(text, u16::to_le_bytes);
        let big = |text: &str| utf16(text, u16::to_be_bytes);
        for (file, want, place) in [
            (b"v 1\r\nv 2\n".to_vec(), "v 1\r\nv 2\n", Some(0..1)),
            (b"\xEF\xBB\xBFv 1".to_vec(), "v 1", Some(3..4)),
            (b"v 1\rv 2\r".to_vec(), "v 1\nv 2\n", Some(0..1)),
            (little("\u{feff}o \u{1f600}"), "o \u{1f600}", None),
            (big("\u{feff}o \u{e9}\r"), "o \u{e9}\n", None),
            (little("{ }"), "{ }", None),
            (big("{ }"), "{ }", None),
            (Vec::new(), "", Some(0..1)),
            (b"\xFF\xFE".to_vec(), "", None),
            // Half a pair, half a word.
            (vec![0xFF, 0xFE, b'o', 0, 0x00, 0xD8, 7], "o\u{fffd}", None),
        ] {
            let text = Plain::lines(&file);
            assert_eq!((String::from_utf8_lossy(&text.bytes).as_ref(), text.span(0..1)), (want, place), "{file:?}");
        }
    }
}
