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

/// Whether `text`, parsed as TOML, stays small beside `total` bytes of memory that other texts of the scene take. What
/// it is, if it is no TOML, does not matter: the parser says so. Returns the bytes of all together.
pub fn weigh(text: &str, mut total: usize) -> Result<usize, TooMuch> {
    let bytes = text.as_bytes();
    // Open brackets, and whether a key (not a value) is being written.
    let mut open: Vec<u8> = Vec::new();
    let mut in_key = true;
    let mut dots = 0;
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        match byte {
            b'#' => {
                at = end_of_line(bytes, at);
                continue;
            }
            b'"' | b'\'' => {
                at = end_of_string(bytes, at);
                continue;
            }
            b'\n' if open.is_empty() => (in_key, dots) = (true, 0),
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
                in_key = byte == b'{' || (in_key && open.iter().all(|b| *b == b'h'));
                open.push(if byte == b'[' && in_key { b'h' } else { byte });
                if open.len() > DEPTH_MAX {
                    return Err(TooMuch { at, message: "brackets are nested too deeply" });
                }
            }
            b']' | b'}' => {
                open.pop();
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
        at += 1;
    }
    Ok(total)
}

fn end_of_line(bytes: &[u8], from: usize) -> usize {
    bytes[from..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |n| from + n)
}

/// Behind the string that starts at `from`: one line with one quote, any number of lines with three.
fn end_of_string(bytes: &[u8], from: usize) -> usize {
    let quote = bytes[from];
    let long = bytes[from..].starts_with(&[quote; 3]);
    let mut at = from + if long { 3 } else { 1 };
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if quote == b'"' => at += 1,
            b'\n' if !long => return at,
            byte if byte == quote && !long => return at + 1,
            byte if byte == quote && bytes[at..].starts_with(&[quote; 3]) => return at + 3,
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
            ("a.b.c.d.e.f.g=1\n".repeat(40_000), "too many"),
            (format!("a = [{}]", "{},".repeat(200_000)), "too many"),
            (format!("a = [{}]", "0,".repeat(800_000)), "too many"),
        ];
        for (text, part) in cases {
            let error = weigh(&text, 0).expect_err(part);
            assert!(error.message.contains(part) && error.at < text.len(), "{part}: {error:?}");
        }
    }
}
