//! How much memory a text may unfold to, before it is parsed.
//!
//! A parsed table takes some thousand times the two bytes that can write one (`a.b.c = 1` is three tables), and
//! brackets nested deep take the parser more than linear time. Scenes need neither, so both have a limit that can be
//! told in a sentence.

/// Bytes of memory for each thing that the text writes, measured on the parser with some room.
const TABLE_BYTES: usize = 1200;
const KEY_BYTES: usize = 600;
const VALUE_BYTES: usize = 300;
const TOTAL_MAX_BYTES: usize = 200_000_000;
/// Brackets in brackets; a texture's matrix in a table in a list needs five.
const DEPTH_MAX: usize = 16;
/// Dots in one key.
const DOTS_MAX: usize = 16;

/// What is too much, and the byte where it becomes so.
#[derive(Debug, PartialEq)]
pub struct TooMuch {
    pub at: usize,
    pub message: &'static str,
}

/// What a text weighs, together with those before it.
#[derive(Debug, PartialEq)]
pub struct Weight {
    pub bytes: usize,
    /// The byte behind a bracket that closes no open one, or another one: what follows is not weighed, and must not be
    /// parsed. The parser goes on after such a mistake and forgets how deep it is.
    pub stray: Option<usize>,
}

/// Whether `text`, parsed as TOML, stays small beside `before` bytes of memory that other texts of the scene take. What
/// it is, if it is no TOML, does not matter: the parser says so.
pub fn weigh(text: &str, before: usize) -> Result<Weight, TooMuch> {
    let mut total = before;
    // Open brackets, and whether a key (not a value) is being written.
    let mut open: Vec<u8> = Vec::new();
    let mut in_key = true;
    let mut dots = 0;
    for Token { at, first } in Tokens::of(text) {
        match first {
            b'\n' | b'\r' if open.is_empty() => (in_key, dots) = (true, 0),
            b'=' => {
                total += KEY_BYTES;
                (in_key, dots) = (false, 0);
            }
            b'.' if in_key => {
                total += TABLE_BYTES;
                dots += 1;
                if dots > DOTS_MAX {
                    return Err(TooMuch { at, message: "a key has too many dots" });
                }
            }
            b'[' | b'{' => {
                total += TABLE_BYTES;
                // A heading's brackets hold a key.
                in_key = first == b'{' || (in_key && open.iter().all(|b| *b == HEADING));
                open.push(if first == b'[' && in_key { HEADING } else { first });
                if open.len() > DEPTH_MAX {
                    return Err(TooMuch { at, message: "brackets are nested too deeply" });
                }
            }
            b']' | b'}' => {
                let closes = match open.pop() {
                    Some(b'{') => first == b'}',
                    Some(_) => first == b']',
                    None => false,
                };
                if !closes {
                    return Ok(Weight { bytes: total, stray: Some(at + 1) });
                }
                in_key = false;
                dots = 0;
            }
            b',' => {
                total += VALUE_BYTES;
                (in_key, dots) = (open.last() == Some(&b'{'), 0);
            }
            _ => {}
        }
        if total > TOTAL_MAX_BYTES {
            return Err(TooMuch { at, message: "the text has too many tables, keys and values" });
        }
    }
    Ok(Weight { bytes: total, stray: None })
}

/// An open bracket of a heading.
const HEADING: u8 = b'h';

/// What the parser takes as one thing; its first byte says what it is.
struct Token {
    at: usize,
    first: u8,
}

/// The tokens of a text, cut where the parser (`toml_parser` 1.1) cuts them, also where the text is no TOML: a bracket
/// that one side takes for part of a string would hide how deep the other side goes.
struct Tokens<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Tokens<'_> {
    fn of(text: &str) -> Tokens<'_> {
        let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Tokens { bytes: text.as_bytes(), at: mark }
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let at = self.at;
        let first = *self.bytes.get(at)?;
        self.at = match first {
            b'.' | b'=' | b',' | b'[' | b']' | b'{' | b'}' | b'\n' | b' ' | b'\t' => at + 1,
            b'\r' => at + if self.bytes.get(at + 1) == Some(&b'\n') { 2 } else { 1 },
            b'#' => end_of(self.bytes, at, b"\r\n"),
            b'"' | b'\'' => end_of_string(self.bytes, at),
            // Quotes within a word begin no string.
            _ => end_of(self.bytes, at, b".=,[]{} \t#\r\n"),
        };
        Some(Token { at, first })
    }
}

/// The first of these bytes from `from` on, or the end.
fn end_of(bytes: &[u8], from: usize, stops: &[u8]) -> usize {
    bytes[from..].iter().position(|b| stops.contains(b)).map_or(bytes.len(), |n| from + n)
}

/// Behind the string that starts at `from`: one line with one quote, any number of lines with three.
fn end_of_string(bytes: &[u8], from: usize) -> usize {
    let quote = bytes[from];
    let long = bytes[from..].starts_with(&[quote; 3]);
    let mut at = from + if long { 3 } else { 1 };
    while at < bytes.len() {
        match bytes[at] {
            // Of what is escaped, only these could be taken for something else.
            b'\\' if quote == b'"' && matches!(bytes.get(at + 1), Some(b'\\' | b'"')) => at += 1,
            b'\n' if !long => return at,
            byte if byte == quote && !long => return at + 1,
            byte if byte == quote && bytes[at..].starts_with(&[quote; 3]) => {
                // Up to two quotes before the three that end it are part of it.
                let more = bytes[at + 3..].iter().take(2).take_while(|byte| **byte == quote).count();
                return at + 3 + more;
            }
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_texts_pass() {
        let line =
            "[material.a]\nbase_color_texture = { file = 'a.png', matrix = [[1.0, 0.5], [0.25, 1.0], [0.0, 0.0]] }\n";
        assert!(weigh(&line.repeat(2000), 0).is_ok());
        assert!(weigh(&"position = [1.5, 2.5, 3.5]\n".repeat(70_000), 0).is_ok());
        // Neither strings nor comments count.
        let quoted = "a = '[[[[[[[[[[[[[[[[[[[[[[[[['\n# [[[[[[[[[[[[[[[[[[[[[[[[\nb = \"\\\"[[[[[[[[[[[[[[[[[[[[[\"\n";
        assert!(weigh(quoted, 0).is_ok());
        assert!(weigh("a = '''\n[[[[[[[[[[[[[[[[[[[[[[[\n'''\nb = \"\"\"[[[[[[[[[[[[[[[[[[[[[[[[[\"\"\"\n", 0).is_ok());
        assert!(weigh("a = '[[\n[b]\n", 0).is_ok(), "an open string ends with its line");
        assert!(weigh(&"s = { a = [1] }\n".repeat(10_000), 0).unwrap().stray.is_none());
    }

    #[test]
    fn what_unfolds_is_refused() {
        let cases = [
            ("[".repeat(17), "nested"),
            (format!("a = {}", "[".repeat(17)), "nested"),
            (format!("a = {}", "{a=".repeat(17)), "nested"),
            (format!("a{} = 1", ".b".repeat(17)), "dots"),
            (format!("[a{}]", ".b".repeat(17)), "dots"),
            (format!("a = {{ b = 1, c{} = 1 }}", ".b".repeat(17)), "dots"),
            // What is no string for the parser hides nothing, and what is one does.
            (format!("a=x\"{}", "[".repeat(17)), "nested"),
            (format!("# a\r{}", "[".repeat(17)), "nested"),
            (format!("a=\"\"\"x\"\"\"\"\"{}", "[".repeat(17)), "nested"),
            (format!("a=\'\'\'x\'\'\'\'{}", "[".repeat(17)), "nested"),
            (format!("a=\"x\\\n{}", "[".repeat(17)), "nested"),
            ("s=[{},\n".repeat(17), "nested"),
            ("a.b.c.d.e.f.g=1\n".repeat(40_000), "too many"),
            (format!("a = [{}]", "{},".repeat(200_000)), "too many"),
            (format!("a = [{}]", "0,".repeat(800_000)), "too many"),
        ];
        for (text, part) in cases {
            let error = weigh(&text, 0).expect_err(part);
            assert!(error.message.contains(part) && error.at < text.len(), "{part}: {error:?}");
        }
    }
    /// The parser loses count of brackets that do not match: nothing behind the first is given to it.
    #[test]
    fn fuzz_scene_abort() {
        for (text, stray) in [
            ("s={{}]\n".repeat(10_000), 6),
            ("s=[{]\n".repeat(10_000), 5),
            ("a = ]".to_string(), 5),
            ("}".to_string(), 1),
            ("[a}\n".to_string(), 3),
            ("a = '}' # }\nb = \"}\" ]".to_string(), 21),
        ] {
            assert_eq!(weigh(&text, 0).unwrap().stray, Some(stray), "{text:.40}");
        }
    }
}
