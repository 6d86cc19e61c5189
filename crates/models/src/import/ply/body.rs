//! The body of a PLY file as a stream of numbers, in whatever encoding.

use super::header::{Encoding, Scalar};
use crate::import::number::{double, float};
use crate::import::{Fault, code};

/// Where reading stands.
pub struct Body<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
    encoding: Encoding,
}

fn early() -> Fault {
    Fault::new(code::ENDS_EARLY, "the file ends before everything that its header declares")
}

impl<'a> Body<'a> {
    pub fn new(bytes: &'a [u8], at: usize, encoding: Encoding) -> Body<'a> {
        Body { bytes, at, encoding }
    }

    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The next `count` bytes.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Fault> {
        let taken = self.at.checked_add(count).and_then(|end| self.bytes.get(self.at..end)).ok_or_else(early)?;
        self.at += count;
        Ok(taken)
    }

    /// The next number. Whole ones up to 32 bits are exact.
    #[inline]
    pub fn number(&mut self, scalar: Scalar) -> Result<f64, Fault> {
        if self.encoding == Encoding::Ascii {
            return self.word(scalar);
        }
        let big = self.encoding == Encoding::Big;
        let bytes = self.take(scalar.bytes())?;
        Ok(decode(bytes, scalar, big))
    }

    /// The next number with all the digits that the file has.
    pub fn exact(&mut self, scalar: Scalar) -> Result<f64, Fault> {
        if self.encoding != Encoding::Ascii {
            return self.number(scalar);
        }
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        let mut at = self.at;
        let exact = double(self.bytes, &mut at);
        let number = self.word(scalar)?;
        Ok(exact.filter(|_| at == self.at).unwrap_or(number))
    }

    fn word(&mut self, scalar: Scalar) -> Result<f64, Fault> {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        let start = self.at;
        if start >= self.bytes.len() {
            return Err(early());
        }
        let is_whole = !matches!(scalar, Scalar::F32 | Scalar::F64);
        let mut end = start;
        if is_whole && let Some(whole) = crate::import::number::integer(self.bytes, &mut end) {
            if self.bytes.get(end).is_none_or(u8::is_ascii_whitespace) {
                self.at = end;
                return Ok(whole as f64);
            }
            end = start;
        }
        if let Some(number) = float(self.bytes, &mut end)
            && self.bytes.get(end).is_none_or(u8::is_ascii_whitespace)
        {
            self.at = end;
            return Ok(f64::from(number));
        }
        while self.bytes.get(end).is_some_and(|b| !b.is_ascii_whitespace()) {
            end += 1;
        }
        let text = String::from_utf8_lossy(&self.bytes[start..end.min(start + 40)]).into_owned();
        self.at = end;
        match text.to_ascii_lowercase().trim_start_matches(['-', '+']) {
            "nan" | "inf" | "infinity" | "-nan(ind)" | "nan(ind)" | "1.#qnan" | "1.#ind" => Ok(f64::NAN),
            _ if text.parse::<f64>().is_ok() => Ok(f64::NAN),
            _ => Err(Fault::new(code::VALUE, format!("`{text}` at byte {start} is not a number"))),
        }
    }
}

#[inline]
pub fn decode(bytes: &[u8], scalar: Scalar, big: bool) -> f64 {
    macro_rules! read {
        ($type:ty) => {{
            let bytes = bytes[..size_of::<$type>()].try_into().expect("as many bytes as the scalar has");
            f64::from(if big { <$type>::from_be_bytes(bytes) } else { <$type>::from_le_bytes(bytes) })
        }};
    }
    match scalar {
        Scalar::I8 => read!(i8),
        Scalar::U8 => read!(u8),
        Scalar::I16 => read!(i16),
        Scalar::U16 => read!(u16),
        Scalar::I32 => read!(i32),
        Scalar::U32 => read!(u32),
        Scalar::F32 => read!(f32),
        Scalar::F64 => read!(f64),
    }
}
