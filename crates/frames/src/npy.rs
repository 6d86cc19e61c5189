//! NumPy arrays: format 1.0 is written (little-endian, C order); 1.0 to 3.0 are read, little-endian, C order.
//!
//! Source: NEP 1 and the description in `numpy.lib.format`.

use crate::picture::{Picture, Samples, canonical_bits};

const MAGIC: &[u8] = b"\x93NUMPY";

/// Numbers with a shape, the last axis fastest.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    pub shape: Vec<usize>,
    pub values: Values,
}

/// `f2` becomes f32 exactly.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    F32(Vec<f32>),
    F64(Vec<f64>),
}

/// Why bytes are not an array that is read here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NpyError {
    #[error("not an NPY file")]
    Magic,
    #[error("the NPY file is broken: {0}")]
    Broken(&'static str),
    #[error("NPY type `{0}` is not read here")]
    Type(String),
}

/// The bytes of an NPY file of `picture`: `[h, w]` for one channel, else `[h, w, channels]`. NaN is folded to one.
pub fn encode_npy(picture: &Picture) -> Vec<u8> {
    let kind = match picture.samples {
        Samples::U8(_) => "|u1",
        Samples::U16(_) => "<u2",
        Samples::U32(_) => "<u4",
        Samples::F32(_) => "<f4",
    };
    let shape = [picture.height_px, picture.width_px, picture.channel_count].map(|side| side as usize);
    let mut out = header(kind, if shape[2] == 1 { &shape[..2] } else { &shape });
    picture.each_canonical_block(&mut |block| out.extend_from_slice(block));
    out
}

/// The bytes of an NPY file of numbers in C order. NaN is folded to one.
///
/// Shapes: `values` has as many numbers as the product of `shape`; anything else is a bug and asserts.
pub fn encode_npy_f32(shape: &[usize], values: &[f32]) -> Vec<u8> {
    assert_eq!(values.len(), shape.iter().product::<usize>(), "numbers of an array of {shape:?}");
    let mut out = header("<f4", shape);
    out.extend(values.iter().flat_map(|value| canonical_bits(*value).to_le_bytes()));
    out
}

/// Magic, version, length and words together fill whole 64-byte blocks, the last byte a newline.
fn header(kind: &str, shape: &[usize]) -> Vec<u8> {
    let mut sides: Vec<String> = shape.iter().map(usize::to_string).collect();
    if sides.len() == 1 {
        // As Python writes a tuple of one.
        sides.push(String::new());
    }
    let sides = sides.join(", ");
    let mut words =
        format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({}), }}", sides.trim_end_matches(' '));
    while !(MAGIC.len() + 4 + words.len() + 1).is_multiple_of(64) {
        words.push(' ');
    }
    words.push('\n');
    let mut out = Vec::new();
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&[1, 0]);
    out.extend_from_slice(&(words.len() as u16).to_le_bytes());
    out.extend_from_slice(words.as_bytes());
    out
}

/// The array in an NPY file.
///
/// Errors: another format, Fortran order, big-endian, types other than unsigned 8 to 32, signed 32 and 64, and floats;
/// fewer bytes than the shape needs. Allocates no more than the file's own size (twice for `f2`).
pub fn decode_npy(bytes: &[u8]) -> Result<Array, NpyError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(NpyError::Magic)?;
    let cut = NpyError::Broken("cut short");
    let (length, rest) = match rest {
        [1, 0, a, b, rest @ ..] => (u16::from_le_bytes([*a, *b]) as usize, rest),
        [2 | 3, 0, a, b, c, d, rest @ ..] => (u32::from_le_bytes([*a, *b, *c, *d]) as usize, rest),
        _ => return Err(NpyError::Broken("unknown version")),
    };
    if length > rest.len() {
        return Err(cut);
    }
    let (header, body) = rest.split_at(length);
    let header = std::str::from_utf8(header).map_err(|_| NpyError::Broken("header is not text"))?;
    let kind = quoted(after(header, "'descr'")?).ok_or(NpyError::Broken("no type"))?;
    if !after(header, "'fortran_order'")?.starts_with("False") {
        return Err(NpyError::Broken("Fortran order"));
    }
    let shape = shape(after(header, "'shape'")?)?;
    let count = shape.iter().try_fold(1usize, |all, side| all.checked_mul(*side));
    let count = count.ok_or(NpyError::Broken("shape too large"))?;
    let width = match kind {
        "|u1" | "<u1" => 1,
        "<u2" | "<f2" => 2,
        "<u4" | "<i4" | "<f4" => 4,
        "<i8" | "<f8" => 8,
        other => return Err(NpyError::Type(other.to_string())),
    };
    let body = count.checked_mul(width).and_then(|n| body.get(..n)).ok_or(cut)?;
    let values = match kind {
        "<u2" => Values::U16(body.as_chunks().0.iter().map(|b| u16::from_le_bytes(*b)).collect()),
        "<u4" => Values::U32(body.as_chunks().0.iter().map(|b| u32::from_le_bytes(*b)).collect()),
        "<i4" => Values::I32(body.as_chunks().0.iter().map(|b| i32::from_le_bytes(*b)).collect()),
        "<i8" => Values::I64(body.as_chunks().0.iter().map(|b| i64::from_le_bytes(*b)).collect()),
        "<f2" => Values::F32(body.as_chunks().0.iter().map(|b| from_half(u16::from_le_bytes(*b))).collect()),
        "<f4" => Values::F32(body.as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect()),
        "<f8" => Values::F64(body.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect()),
        _ => Values::U8(body.to_vec()),
    };
    Ok(Array { shape, values })
}

/// What follows `key` and its colon.
fn after<'a>(header: &'a str, key: &str) -> Result<&'a str, NpyError> {
    let rest = header.split_once(key).ok_or(NpyError::Broken("a key is missing in the header"))?.1;
    Ok(rest.trim_start().strip_prefix(':').ok_or(NpyError::Broken("no colon in the header"))?.trim_start())
}

fn quoted(text: &str) -> Option<&str> {
    text.strip_prefix('\'')?.split_once('\'').map(|(inner, _)| inner)
}

fn shape(text: &str) -> Result<Vec<usize>, NpyError> {
    let bad = NpyError::Broken("bad shape");
    let inner = text.strip_prefix('(').and_then(|t| t.split_once(')')).ok_or(bad.clone())?.0;
    let sides = inner.split(',').map(str::trim).filter(|s| !s.is_empty());
    sides.map(|side| side.parse().map_err(|_| bad.clone())).collect()
}

/// Exact.
fn from_half(bits: u16) -> f32 {
    let (sign, exponent, fraction) = (u32::from(bits >> 15) << 31, u32::from(bits >> 10 & 31), u32::from(bits & 1023));
    match exponent {
        0 => {
            let value = fraction as f32 / 16_777_216.0;
            f32::from_bits(value.to_bits() | sign)
        }
        31 => f32::from_bits(canonical_bits(f32::from_bits(sign | 0x7F80_0000 | fraction << 13))),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | fraction << 13),
    }
}

impl Array {
    /// The array as a picture.
    ///
    /// Shapes: `[h, w]` or `[h, w, 1..=4]`. `None` for other shapes and for values that pictures do not hold.
    pub fn into_picture(self) -> Option<Picture> {
        let (height, width, channels) = match *self.shape {
            [h, w] => (h, w, 1),
            [h, w, c] => (h, w, c),
            _ => return None,
        };
        let samples = match self.values {
            Values::U8(v) => Samples::U8(v),
            Values::U16(v) => Samples::U16(v),
            Values::U32(v) => Samples::U32(v),
            Values::F32(v) => Samples::F32(v),
            Values::I32(_) | Values::I64(_) | Values::F64(_) => return None,
        };
        let side = |n: usize| u32::try_from(n).ok();
        Picture::new(side(width)?, side(height)?, side(channels)?, samples).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_is_numpys() {
        let picture = Picture::new(3, 2, 1, Samples::F32(vec![0.0, 1.0, 2.0, 3.0, 4.0, f32::NAN])).unwrap();
        let bytes = encode_npy(&picture);
        assert_eq!(&bytes[..10], b"\x93NUMPY\x01\x00\x76\x00");
        let text = std::str::from_utf8(&bytes[10..128]).unwrap();
        assert_eq!(text.trim_end(), "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }");
        assert!(text.ends_with(" \n"));
        assert_eq!(bytes.len(), 128 + 24);
        assert_eq!(encode_npy_f32(&[2, 3], &[0.0, 1.0, 2.0, 3.0, 4.0, -f32::NAN]), bytes);
        for shape in [&[6][..], &[1, 2, 3], &[2, 1, 1, 3]] {
            let read = decode_npy(&encode_npy_f32(shape, &[1.0; 6])).unwrap();
            assert_eq!(read, Array { shape: shape.to_vec(), values: Values::F32(vec![1.0; 6]) });
        }
    }

    #[test]
    fn halves_are_exact() {
        for (bits, value) in [
            (0x0000, 0.0),
            (0x3C00, 1.0),
            (0xC000, -2.0),
            (0x7BFF, 65504.0),
            (0x0001, 5.960_464_5e-8),
            (0x0400, 6.103_515_6e-5),
            (0x3555, 0.333_251_95),
            (0xFC00, f32::NEG_INFINITY),
        ] {
            assert_eq!(from_half(bits), value, "{bits:04x}");
        }
        assert!(from_half(0x7E00).is_nan());
    }

    #[test]
    fn what_is_not_read_says_so() {
        let good = encode_npy(&Picture::new(1, 1, 1, Samples::U8(vec![1])).unwrap());
        let swap = |from: &str, to: &str| {
            let text: Vec<u8> = good.clone();
            let at = text.windows(from.len()).position(|w| w == from.as_bytes()).unwrap();
            [&text[..at], to.as_bytes(), &text[at + from.len()..]].concat()
        };
        assert!(decode_npy(&good).is_ok());
        assert_eq!(decode_npy(b"PK"), Err(NpyError::Magic));
        assert_eq!(decode_npy(&swap("|u1", ">f4")), Err(NpyError::Type(">f4".into())));
        assert_eq!(decode_npy(&swap("(1, 1)", "(1, 9)")), Err(NpyError::Broken("cut short")));
        assert_eq!(decode_npy(&swap("False", "True ")), Err(NpyError::Broken("Fortran order")));
        assert_eq!(decode_npy(&swap("(1, 1)", "[1, 1]")), Err(NpyError::Broken("bad shape")));
        assert_eq!(decode_npy(&good[..40]), Err(NpyError::Broken("cut short")));
    }
}
