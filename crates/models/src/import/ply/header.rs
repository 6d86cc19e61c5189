//! The header of a PLY file: which elements it holds, and what each is made of.

use crate::import::{Fault, code};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Ascii,
    Little,
    Big,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    fn of(word: &str) -> Option<Scalar> {
        Some(match word {
            "char" | "int8" => Scalar::I8,
            "uchar" | "uint8" => Scalar::U8,
            "short" | "int16" => Scalar::I16,
            "ushort" | "uint16" => Scalar::U16,
            "int" | "int32" => Scalar::I32,
            "uint" | "uint32" => Scalar::U32,
            "float" | "float32" => Scalar::F32,
            "double" | "float64" => Scalar::F64,
            _ => return None,
        })
    }

    pub fn bytes(self) -> usize {
        match self {
            Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::F64 => 8,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    pub name: String,
    /// Of a list's entries.
    pub scalar: Scalar,
    /// How a list's length is stored; `None`: no list.
    pub count: Option<Scalar>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    pub name: String,
    pub count: u64,
    pub properties: Vec<Property>,
}

impl Element {
    /// The least that one takes in a binary file: lists may be empty.
    pub fn bytes_min(&self) -> usize {
        self.properties.iter().map(|p| p.count.unwrap_or(p.scalar).bytes()).sum()
    }

    pub fn is_fixed(&self) -> bool {
        self.properties.iter().all(|p| p.count.is_none())
    }

    pub fn position(&self, names: &[&str]) -> Option<usize> {
        self.properties.iter().position(|p| names.contains(&p.name.as_str()))
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    pub encoding: Encoding,
    pub elements: Vec<Element>,
    /// `comment` lines: the first names the program as a rule.
    pub comments: Vec<String>,
    /// Where the body starts.
    pub end: usize,
}

/// Properties of all elements; more are no model.
const PROPERTIES_MAX: usize = 1000;

impl Header {
    pub fn parse(bytes: &[u8]) -> Result<Header, Fault> {
        let wrong = |message: String| Fault::new(code::VALUE, message);
        let first = bytes.iter().position(|b| matches!(b, b'\n' | b'\r'));
        if !bytes.starts_with(b"ply") || !first.is_some_and(|end| bytes[3..end].trim_ascii().is_empty()) {
            return Err(Fault::new(code::NOT_A_MODEL, "not a PLY model").help("the first line must be `ply`"));
        }
        let mut out = Header { encoding: Encoding::Ascii, elements: Vec::new(), comments: Vec::new(), end: 0 };
        // A body may begin with the byte of a line feed, so the end of the first line is the end of all lines.
        let returns_alone = first.is_some_and(|end| bytes[end] == b'\r' && bytes.get(end + 1) != Some(&b'\n'));
        let mut has_format = false;
        let mut at = 0;
        let mut property_count = 0;
        for number in 1.. {
            let Some(length) = bytes[at..].iter().position(|b| *b == b'\n' || *b == b'\r') else {
                return Err(Fault::new(code::ENDS_EARLY, "the file ends inside its header"));
            };
            let line = String::from_utf8_lossy(&bytes[at..at + length]).into_owned();
            at += length;
            at += if !returns_alone && bytes[at..].starts_with(b"\r\n") { 2 } else { 1 };
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            match words[..] {
                ["ply"] | [] | ["obj_info", ..] => {}
                ["comment", ..] => {
                    if out.comments.len() < 100 {
                        out.comments.push(line["comment".len()..].trim().to_string());
                    }
                }
                ["format", encoding, version] => {
                    out.encoding = match encoding {
                        "ascii" => Encoding::Ascii,
                        "binary_little_endian" => Encoding::Little,
                        "binary_big_endian" => Encoding::Big,
                        _ => return Err(wrong(format!("line {number}: unknown format `{encoding}`"))),
                    };
                    if version != "1.0" {
                        return Err(wrong(format!("unsupported PLY version {version}; only 1.0 can be read")));
                    }
                    has_format = true;
                }
                ["element", name, count] => {
                    let count: u64 = count
                        .parse()
                        .map_err(|_| wrong(format!("line {number}: `{count}` is not a number of elements")))?;
                    out.elements.push(Element { name: name.to_string(), count, properties: Vec::new() });
                    property_count += 1;
                }
                ["property", ref rest @ ..] => {
                    let property = match *rest {
                        ["list", count, scalar, name] => (Some(Some(count)), scalar, name),
                        [scalar, name] => (Some(None), scalar, name),
                        _ => (None, "", ""),
                    };
                    let (Some(count), scalar, name) = property else {
                        return Err(wrong(format!("line {number}: a property needs a type and a name")));
                    };
                    let scalar = Scalar::of(scalar);
                    let count = count.map(|word| Scalar::of(word).filter(|s| !matches!(s, Scalar::F32 | Scalar::F64)));
                    let (Some(scalar), Some(count)) = (scalar, count.map_or(Some(None), |count| count.map(Some)))
                    else {
                        return Err(wrong(format!("line {number}: unknown property type")));
                    };
                    let Some(element) = out.elements.last_mut() else {
                        return Err(wrong(format!("line {number}: a property without an element")));
                    };
                    element.properties.push(Property { name: name.to_string(), scalar, count });
                    property_count += 1;
                }
                ["end_header"] => break,
                _ => return Err(wrong(format!("line {number} of the header is not valid"))),
            }
            if property_count > PROPERTIES_MAX {
                return Err(wrong(format!("the header has more than {PROPERTIES_MAX} entries")));
            }
        }
        if !has_format {
            return Err(wrong("the header has no `format` line".to_string()));
        }
        out.end = at;
        Ok(out)
    }
}
