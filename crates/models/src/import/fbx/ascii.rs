//! FBX as text: records as people can read them.
//!
//! In: the text of a file. Out: its [`Record`]s, and its version. Never here: what a record means.
//!
//! Sources: files of Autodesk's SDK and of Blender, and what `ufbx` 0.11 and assimp accept. A record is
//! `Name: value, value {` records inside `}`; a value is a number, a text in quotes, a bare letter or word, or a list
//! `*COUNT { a: number, number }`. A semicolon begins a comment. Ends of lines mean nothing but the end of a comment.
//! In a text `&quot;`, `&cr;` and `&lf;` stand for what texts cannot hold; `&` is itself everywhere else.

use std::ops::Range;

use fbxcel_dom::fbxcel::low::v7400::AttributeValue;

use super::record::{self, DEPTH_MAX, Numbers, Record};
use crate::import::number::{self, Number};
use crate::import::{Budget, Fault, code};

/// What is wrong, and where in the text.
pub type Misread = (Fault, Range<usize>);
type Result<T> = std::result::Result<T, Misread>;

/// Names that begin a file of FBX as text, where no comment says it.
const FIRST_NAMES: [&[u8]; 4] = [b"FBXHeaderExtension", b"FBXVersion", b"CreationTime", b"Objects"];

/// Whether a text is FBX: a comment at its top or its first record says so.
pub fn is_fbx(text: &[u8]) -> bool {
    let mut reader = Reader { text, at: 0 };
    let comments = reader.skip();
    let says = |line: &[u8]| line.windows(3).any(|word| word == b"FBX");
    if text[comments].split(|byte| *byte == b'\n').any(says) {
        return true;
    }
    let name = reader.word();
    reader.skip();
    FIRST_NAMES.contains(&name) && reader.peek() == Some(b':')
}

/// The version that the first comment names, as `7400`.
pub fn version_of(text: &[u8]) -> Option<u32> {
    let mut reader = Reader { text, at: 0 };
    let comments = reader.skip();
    let line = text[comments].split(|byte| *byte == b'\n').next()?;
    let words = String::from_utf8_lossy(line);
    let mut numbers = words.split_once("FBX ")?.1.split_whitespace().next()?.split('.');
    let mut digit = || numbers.next()?.parse::<u32>().ok().filter(|digit| *digit < 10);
    let (major, minor) = (digit()?, digit()?);
    Some(major * 1000 + minor * 100 + digit().unwrap_or(0) * 10)
}

/// Reads the records of a text.
///
/// Errors: what is no record, deeper than 100 records, more than the budget.
pub fn records(text: &[u8], budget: &mut Budget) -> Result<Vec<Record>> {
    record::spend_values(text.len(), budget).map_err(|fault| (fault, 0..0))?;
    let mut reader = Reader { text, at: 0 };
    let mut out = Vec::new();
    while reader.skip().end < text.len() {
        let start = reader.at;
        if reader.peek() == Some(b'}') {
            return Err(broken("`}` closes nothing", start..start + 1));
        }
        out.push(reader.record(0, budget)?);
    }
    Ok(out)
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

fn broken(what: impl AsRef<str>, place: Range<usize>) -> Misread {
    let fault = Fault::new(code::CONTAINER, format!("broken FBX file: {}", what.as_ref()));
    (fault.help("export the model again, or copy the file again"), place)
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'(' | b')' | b'|' | b'.')
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Goes to what is next, behind spaces and comments. Out: what was passed over.
    fn skip(&mut self) -> Range<usize> {
        let start = self.at;
        while let Some(byte) = self.peek() {
            match byte {
                b';' => {
                    let line_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
                    let rest = &self.text[self.at..];
                    self.at += rest.iter().position(line_end).unwrap_or(rest.len());
                }
                // Old programs end a text with a zero, as C does.
                0 => self.at += 1,
                byte if byte.is_ascii_whitespace() => self.at += 1,
                _ => break,
            }
        }
        start..self.at
    }

    /// What is next, for a message.
    fn found(&self) -> (String, Range<usize>) {
        match self.text.get(self.at..) {
            None | Some([]) => ("the end of the file".to_string(), self.text.len()..self.text.len()),
            Some(rest) => {
                let length = rest.iter().take(20).take_while(|byte| is_name(**byte)).count().max(1);
                let end = if rest[0].is_ascii() {
                    length
                } else {
                    (1..rest.len().min(4)).find(|end| rest[*end] & 0xC0 != 0x80).unwrap_or(rest.len().min(4))
                };
                (format!("{:?}", String::from_utf8_lossy(&rest[..end])), self.at..self.at + end)
            }
        }
    }

    fn expected<T>(&self, what: &str) -> Result<T> {
        let (found, place) = self.found();
        Err(broken(format!("{what} is expected, not {found}"), place))
    }

    /// Letters, digits and what else names have, maybe none.
    fn word(&mut self) -> &'a [u8] {
        let rest = &self.text[self.at..];
        let length = rest.iter().position(|byte| !is_name(*byte)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// A record's name with its colon.
    fn name(&mut self) -> Result<String> {
        let start = self.at;
        let name = match self.peek() {
            Some(b'"') => self.quoted()?,
            _ => String::from_utf8_lossy(self.word()).into_owned(),
        };
        let quoted = self.text.get(start) == Some(&b'"');
        if name.is_empty() && !quoted {
            return self.expected("the name of a record");
        }
        self.skip();
        if self.peek() != Some(b':') {
            return self.expected("a colon behind the name of a record");
        }
        self.at += 1;
        Ok(name)
    }

    /// The record at this place, which lies in so many others.
    fn record(&mut self, depth: usize, budget: &mut Budget) -> Result<Record> {
        let start = self.at;
        let name = self.name()?;
        let place = start..self.at;
        if depth == DEPTH_MAX {
            return Err(broken("records are nested more than 100 deep", place));
        }
        let mut record = Record { name, ..Record::default() };
        self.values(&mut record)?;
        record.spend(budget).map_err(|fault| (fault, place.clone()))?;
        self.skip();
        if self.peek() != Some(b'{') {
            return Ok(record);
        }
        self.at += 1;
        loop {
            self.skip();
            match self.peek() {
                Some(b'}') => break,
                None => return Err(broken(format!("the file ends within {:?}", short(&record.name)), place)),
                Some(_) => record.inside.push(self.record(depth + 1, budget)?),
            }
        }
        self.at += 1;
        Ok(record)
    }

    fn values(&mut self, record: &mut Record) -> Result<()> {
        let mut list = record::is_list(&record.name).then(Numbers::new);
        self.skip();
        // `Content: , "..."` begins with an empty value.
        if self.peek() == Some(b',') {
            self.at += 1;
        }
        loop {
            self.skip();
            let start = self.at;
            match self.peek() {
                Some(b'"') => {
                    let text = self.quoted()?;
                    if self.peek() == Some(b':') {
                        // Names of records stand in quotes where they hold spaces.
                        self.at = start;
                        break;
                    }
                    if list.is_none() {
                        record.values.push(AttributeValue::String(text));
                    }
                }
                Some(b'*') => {
                    record.values.push(self.list()?.into_value());
                    return Ok(());
                }
                Some(byte) if byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.') => {
                    match (self.number()?, &mut list) {
                        (Number::Whole(value), Some(list)) => list.whole(value),
                        (Number::Real(value), Some(list)) => list.real(value),
                        (Number::Whole(value), None) => record.values.push(record::whole(value)),
                        (Number::Real(value), None) => record.values.push(AttributeValue::F64(value)),
                    }
                }
                Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => {
                    let value = bare(self.word());
                    self.skip();
                    if self.peek() == Some(b':') {
                        self.at = start;
                        break;
                    }
                    match (value, &mut list) {
                        (Number::Whole(value), Some(list)) => list.whole(value),
                        (Number::Real(value), Some(list)) => list.real(value),
                        (Number::Whole(value), None) => record.values.push(record::whole(value)),
                        (Number::Real(value), None) => record.values.push(AttributeValue::F64(value)),
                    }
                }
                _ => break,
            }
            self.skip();
            if self.peek() != Some(b',') {
                break;
            }
            self.at += 1;
        }
        match list {
            // `Edges:` without a number is no list.
            Some(Numbers::Ints(list)) if list.is_empty() => {}
            Some(list) => record.values.push(list.into_value()),
            None => {}
        }
        Ok(())
    }

    /// `*COUNT { a: numbers }`. The count is what a program has said; the numbers count.
    fn list(&mut self) -> Result<Numbers> {
        let start = self.at;
        self.at += 1;
        let mut numbers = Numbers::new();
        if !matches!(self.number_at(), Some(Number::Whole(_))) {
            return self.expected("the count of a list");
        }
        self.skip();
        if self.peek() != Some(b'{') {
            return self.expected("`{` before the numbers of a list");
        }
        self.at += 1;
        self.skip();
        if self.peek().is_some_and(|byte| byte.is_ascii_alphabetic()) {
            self.name()?;
        }
        loop {
            self.skip();
            match self.peek() {
                Some(b'}') => break,
                Some(b',') => {
                    self.at += 1;
                    continue;
                }
                None => return Err(broken("the file ends within a list", start..start + 1)),
                Some(byte) if byte.is_ascii_alphabetic() => match bare(self.word()) {
                    Number::Whole(value) => numbers.whole(value),
                    Number::Real(value) => numbers.real(value),
                },
                Some(_) => match self.number()? {
                    Number::Whole(value) => numbers.whole(value),
                    Number::Real(value) => numbers.real(value),
                },
            }
        }
        self.at += 1;
        Ok(numbers)
    }

    fn number(&mut self) -> Result<Number> {
        match self.number_at() {
            Some(number) => Ok(number),
            None => self.expected("a number"),
        }
    }

    /// A number, also one that is none: `-1.#IND`, `1.#INF`, `-nan(ind)`, `-inf`.
    fn number_at(&mut self) -> Option<Number> {
        let start = self.at;
        let read = number::number(self.text, &mut self.at);
        let signed = matches!(self.text.get(start), Some(b'-' | b'+'));
        let special = match read {
            Some(_) => self.peek() == Some(b'#'),
            None if signed => {
                self.at = start + 1;
                self.peek().is_some_and(|byte| byte.is_ascii_alphabetic())
            }
            None => false,
        };
        if !special {
            return read;
        }
        if self.peek() == Some(b'#') {
            self.at += 1;
        }
        let infinite = self.word().to_ascii_lowercase().starts_with(b"inf");
        let size = if infinite { f64::INFINITY } else { f64::NAN };
        Some(Number::Real(if self.text[start] == b'-' { -size } else { size }))
    }

    /// A text in quotes; what is no UTF-8 is replaced.
    fn quoted(&mut self) -> Result<String> {
        let start = self.at;
        self.at += 1;
        let rest = &self.text[self.at..];
        let Some(length) = rest.iter().position(|byte| *byte == b'"') else {
            return Err(broken("a text has no closing quote", start..start + 1));
        };
        self.at += length + 1;
        let text = String::from_utf8_lossy(&rest[..length]);
        if !text.contains('&') {
            return Ok(text.into_owned());
        }
        Ok(text.replace("&quot;", "\"").replace("&cr;", "\r").replace("&lf;", "\n"))
    }
}

/// A word without quotes: a letter stands for its number, as `Y` for yes and `L` for linear.
fn bare(word: &[u8]) -> Number {
    match word.to_ascii_lowercase().as_slice() {
        word if word.starts_with(b"nan") => Number::Real(f64::NAN),
        b"inf" | b"infinity" => Number::Real(f64::INFINITY),
        _ => Number::Whole(word.first().map_or(0, |byte| i64::from(*byte))),
    }
}

fn short(name: &str) -> String {
    super::document::short(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Record>> {
        records(text.as_bytes(), &mut Budget::for_file(text.len()))
    }

    /// A record in one line, for comparison.
    fn told(record: &Record) -> String {
        let mut out = format!("{}{:?}", record.name, record.values);
        if !record.inside.is_empty() {
            out += &format!("{{{}}}", record.inside.iter().map(told).collect::<Vec<_>>().join(" "));
        }
        out
    }

    #[test]
    fn records_of_all_forms() {
        let all = |text: &str| {
            let read = read(text).unwrap_or_else(|(fault, at)| panic!("{text}: {} at {at:?}", fault.message));
            read.iter().map(told).collect::<Vec<_>>().join(" ")
        };
        for (text, want) in [
            ("a: 1, 2.5 , \"x\"\n", "a[I32(1), F64(2.5), String(\"x\")]"),
            ("a: 3000000000 b: -7", "a[I64(3000000000)] b[I32(-7)]"),
            ("a:  {\n\tb: 1\n\tc: {}\n}\r\nd: 2", "a[]{b[I32(1)] c[]} d[I32(2)]"),
            ("; a: 1 {\na: ; 1\n 2", "a[I32(2)]"),
            ("; one\r; two\ra: 2\rb: 3", "a[I32(2)] b[I32(3)]"),
            (
                "Vertices: *6 {\n\ta: 1,2,-3.5,\n4,5e2,6\n} b: 1",
                "Vertices[ArrF64([1.0, 2.0, -3.5, 4.0, 500.0, 6.0])] b[I32(1)]",
            ),
            ("Edges: *0 {\n}", "Edges[ArrI32([])]"),
            ("Vertices: 1,2,\n3 b: 1", "Vertices[ArrI32([1, 2, 3])] b[I32(1)]"),
            ("Edges: \nGeometryVersion: 124", "Edges[] GeometryVersion[I32(124)]"),
            (
                "Key: 0,1.5,U,s,0,0,n,46186158000,2,L",
                "Key[ArrF64([0.0, 1.5, 85.0, 115.0, 0.0, 0.0, 110.0, 46186158000.0, 2.0, 76.0])]",
            ),
            ("Shading: Y\nCulling: \"CullingOff\"", "Shading[I32(89)] Culling[String(\"CullingOff\")]"),
            ("a: \"say &quot;x&quot; & &lf;&cr;&amp;\"", "a[String(\"say \\\"x\\\" & \\n\\r&amp;\")]"),
            ("Content: ,\n\t\"AAAA\", \"BBBB\"", "Content[String(\"AAAA\"), String(\"BBBB\")]"),
            ("\"Tool Settings\": {\n\"a b\": 1\n}", "Tool Settings[]{a b[I32(1)]}"),
            ("a: 1.#INF, -1.#IND, -inf, nan", "a[F64(inf), F64(NaN), F64(-inf), F64(NaN)]"),
            ("a: 1, \"\"\u{0}", "a[I32(1), String(\"\")]"),
        ] {
            assert_eq!(all(text), want, "{text}");
        }
    }

    #[test]
    fn what_is_no_record_is_shown() {
        for (text, message, place) in [
            ("a: 1 }", "`}` closes nothing", "}"),
            ("a: {\n b: 1", "the file ends within \"a\"", "a:"),
            ("a: \"x", "a text has no closing quote", "\""),
            ("a: *x { a: 1 }", "the count of a list is expected, not \"x\"", "x"),
            ("a: *2 [", "`{` before the numbers of a list is expected, not \"[\"", "["),
            ("a: *2 { a: 1, ! }", "a number is expected, not \"!\"", "!"),
            ("a: *2 { a: 1, 2", "the file ends within a list", "*"),
            ("a: 1 2", "a colon behind the name of a record is expected, not the end of the file", ""),
            ("a: 1\n%", "the name of a record is expected, not \"%\"", "%"),
            ("a: -", "a number is expected, not the end of the file", ""),
        ] {
            let (fault, at) = read(text).expect_err(text);
            assert_eq!(fault.message, format!("broken FBX file: {message}"), "{text}");
            assert_eq!((fault.code, &text[at]), (code::CONTAINER, place), "{text}");
        }
        let deep = "a: {".repeat(101);
        assert!(read(&deep).expect_err("deep").0.message.contains("100 deep"));
        let many = "a:\n".repeat(300_000);
        assert_eq!(read(&many).expect_err("many").0.code, code::TOO_LARGE);
    }

    #[test]
    fn versions_and_beginnings() {
        for (text, is, version) in [
            ("; FBX 7.4.0 project file\n; ---\n\na: 1", true, Some(7400)),
            (";FBX 6.1.0 project file\r; x", true, Some(6100)),
            ("FBXHeaderExtension:  {", true, None),
            ("\n\n; written by hand, FBX\na:", true, None),
            ("glTF", false, None),
            ("solid x\n", false, None),
            ("", false, None),
        ] {
            assert_eq!((is_fbx(text.as_bytes()), version_of(text.as_bytes())), (is, version), "{text}");
        }
    }
}
