//! Cube: tables of colours of grading programs, Cube LUT Specification 1.0 (Adobe 2013).
//!
//! A file has lines of a keyword (`TITLE`, `DOMAIN_MIN`, `DOMAIN_MAX`, `LUT_1D_SIZE` or `LUT_3D_SIZE`), then a line of
//! red, green and blue for each colour; red changes fastest. `#` begins a comment. `LUT_1D_INPUT_RANGE` and
//! `LUT_3D_INPUT_RANGE` of other programs are read, too.
//!
//! In: bytes. Out: a [`Table`]. Never here: shaders.

use std::ops::Range;
use std::path::Path;

use stillframe_effects::Table;

use super::code;
use super::text::Plain;
use super::wrong::Wrong;
use crate::source::Diagnostic;

/// Largest sides, as the specification has them.
const CURVE_MAX: u32 = 65536;
const CUBE_MAX: u32 = 256;
/// More than any file of a large table needs.
const BYTES_MAX: usize = 1 << 30;

const EXPORT: &str = "export the table again as a .cube file";

/// A table of colours.
///
/// Errors: bytes that are no such file, too few or too many colours, numbers that make no sense.
pub fn table(file: &Path, bytes: &[u8]) -> Result<Table, Diagnostic> {
    let plain = Plain::lines(bytes);
    read(&plain.bytes).map_err(|wrong| wrong.diagnostic((code::COLOR_TABLE, ".cube"), file, bytes, &plain))
}

fn read(bytes: &[u8]) -> Result<Table, Wrong> {
    let mut kind: Option<(u32, u32)> = None;
    let mut domain = [[0.0f32; 3], [1.0; 3]];
    let mut colors: Vec<[f32; 3]> = Vec::new();
    let wrong = |words: String, at: &Range<usize>| Wrong { words, at: Some(at.clone()), help: EXPORT };
    if bytes.len() > BYTES_MAX {
        return Err(Wrong { words: "it is longer than 1 GiB".to_string(), at: None, help: EXPORT });
    }
    let mut start = 0;
    for line in bytes.split(|byte| *byte == b'\n') {
        let begins = start + line.len() - line.trim_ascii_start().len();
        start += line.len() + 1;
        let line = line.trim_ascii();
        let at = begins..begins + line.len();
        let Ok(text) = std::str::from_utf8(line) else {
            return Err(wrong("a line is not text".to_string(), &at));
        };
        let mut words = text.split_ascii_whitespace();
        let Some(first) = words.next().filter(|word| !word.starts_with('#')) else { continue };
        let rest: Vec<&str> = words.collect();
        let three = |words: &[&str]| match words {
            [a, b, c] => Some([number(a)?, number(b)?, number(c)?]),
            _ => None,
        };
        match first {
            "TITLE" => {}
            "DOMAIN_MIN" | "DOMAIN_MAX" => {
                let end = three(&rest).ok_or_else(|| wrong(format!("`{first}` needs three numbers"), &at))?;
                domain[usize::from(first == "DOMAIN_MAX")] = end;
            }
            "LUT_1D_INPUT_RANGE" | "LUT_3D_INPUT_RANGE" => match rest[..] {
                [low, high] if number(low).is_some() && number(high).is_some() => {
                    domain = [low, high].map(|end| [number(end).unwrap_or_default(); 3]);
                }
                _ => return Err(wrong(format!("`{first}` needs two numbers"), &at)),
            },
            "LUT_1D_SIZE" | "LUT_3D_SIZE" => {
                let (dimensions, most) = if first == "LUT_1D_SIZE" { (1, CURVE_MAX) } else { (3, CUBE_MAX) };
                let size = rest.first().filter(|_| rest.len() == 1).and_then(|word| word.parse().ok());
                let Some(size) = size.filter(|size| (2..=most).contains(size)) else {
                    return Err(wrong(format!("`{first}` is not a whole number from 2 to {most}"), &at));
                };
                if kind.is_some() {
                    let words = "it has a second table".to_string();
                    let help = "export one table alone: curves before a cube are not read";
                    return Err(Wrong { words, at: Some(at), help });
                }
                kind = Some((dimensions, size));
            }
            _ if first.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                return Err(wrong(format!("`{first}` is not a keyword of such files"), &at));
            }
            _ => {
                let color = three(&[&[first], &rest[..]].concat());
                colors.push(color.ok_or_else(|| wrong("a colour is not three numbers".to_string(), &at))?);
                let most = kind.map_or(0, |(dimensions, size)| size.pow(dimensions));
                if kind.is_none() {
                    return Err(wrong("a colour comes before the size of the table".to_string(), &at));
                }
                if colors.len() > most as usize {
                    return Err(wrong(format!("it has more than {most} colours"), &at));
                }
            }
        }
    }
    let whole = |words: String| Wrong { words, at: None, help: EXPORT };
    let Some((dimensions, size)) = kind else {
        return Err(whole("it has neither `LUT_1D_SIZE` nor `LUT_3D_SIZE`".to_string()));
    };
    let wanted = size.pow(dimensions) as usize;
    if colors.len() < wanted {
        return Err(whole(format!("it has {} colours of {wanted}", colors.len())));
    }
    if (0..3).any(|channel| domain[0][channel] >= domain[1][channel]) {
        return Err(whole("its domain ends where it begins, or before".to_string()));
    }
    Ok(Table { dimensions, size, domain, colors })
}

/// A number that half the range of floats holds.
fn number(word: &str) -> Option<f32> {
    word.parse::<f32>().ok().filter(|number| number.abs() < 1e18)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_both_kinds() {
        let text = "# made by hand\r\nTITLE \"a b\"\r\n\r\nLUT_1D_SIZE 2\r\nDOMAIN_MAX 2 2 2\r\n0 0 0\r\n1 0.5 .25\r\n";
        let found = table(Path::new("a.cube"), text.as_bytes()).unwrap();
        assert_eq!((found.dimensions, found.size, found.domain), (1, 2, [[0.0; 3], [2.0; 3]]));
        assert_eq!(found.colors, [[0.0; 3], [1.0, 0.5, 0.25]]);
        let cube = format!("LUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE -1 3\n{}", "0.5 0.5 0.5\n".repeat(8));
        let found = table(Path::new("a.cube"), cube.as_bytes()).unwrap();
        assert_eq!((found.dimensions, found.size, found.domain), (3, 2, [[-1.0; 3], [3.0; 3]]));
    }

    #[test]
    fn files_that_are_wrong_say_where() {
        for (text, words, place) in [
            ("", "neither `LUT_1D_SIZE` nor", None),
            ("LUT_3D_SIZE 1\n", "from 2 to 256", Some("LUT_3D_SIZE 1")),
            ("LUT_1D_SIZE 65537\n", "from 2 to 65536", Some("LUT_1D_SIZE 65537")),
            ("LUT_1D_SIZE 2\n0 0 0\n", "1 colours of 2", None),
            ("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n 2 2 2\n", "more than 2 colours", Some("2 2 2")),
            ("0 0 0\n", "before the size", Some("0 0 0")),
            ("LUT_1D_SIZE 2\n0 0\n", "not three numbers", Some("0 0")),
            ("LUT_1D_SIZE 2\n0 nan 0\n", "not three numbers", Some("0 nan 0")),
            ("LUT_1D_SIZE 2\n0 1e30 0\n", "not three numbers", Some("0 1e30 0")),
            ("LUT_1D_SIZE 2\nLUT_3D_SIZE 2\n", "second table", Some("LUT_3D_SIZE 2")),
            ("LUT_2D_SIZE 2\n", "not a keyword", Some("LUT_2D_SIZE 2")),
            ("DOMAIN_MIN 0 0\n", "needs three numbers", Some("DOMAIN_MIN 0 0")),
            ("LUT_1D_SIZE 2\nDOMAIN_MIN 1 0 0\n0 0 0\n1 1 1\n", "ends where it begins", None),
            ("\u{fffd}PNG\n", "not three numbers", Some("\u{fffd}PNG")),
        ] {
            let error = table(Path::new("a.cube"), text.as_bytes()).unwrap_err();
            assert_eq!(error.code, code::COLOR_TABLE);
            assert!(error.message.contains(words), "{text:?}: {}", error.message);
            assert_eq!(error.span.map(|span| &text[span]), place, "{text:?}");
        }
    }
}
