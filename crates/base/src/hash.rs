//! Hash: BLAKE3 of canonical bytes.
//!
//! In: values, written little-endian through a [`Writer`]. Out: a [`Digest`], printed as `b3:` and 64 hex digits. The
//! same value gives the same bytes on every machine: NaN is folded to 0x7FC00000 and -0 to 0 in floats, lengths go
//! before what they count. Never here: the layout of a struct, an address, a path.

use std::fmt;
use std::str::FromStr;

/// A BLAKE3 hash.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// The hash of plain bytes, as `b3sum` gives it.
    pub fn of_bytes(bytes: &[u8]) -> Digest {
        Digest(*blake3::hash(bytes).as_bytes())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("b3:")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A text that is not `b3:` and 64 lower-case hex digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotADigest;

impl fmt::Display for NotADigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a hash: `b3:` and 64 lower-case hex digits are expected")
    }
}

impl std::error::Error for NotADigest {}

impl FromStr for Digest {
    type Err = NotADigest;

    fn from_str(text: &str) -> Result<Digest, NotADigest> {
        let hex = text.strip_prefix("b3:").ok_or(NotADigest)?.as_bytes();
        let digit = |c: u8| match c {
            b'0'..=b'9' => Ok(c - b'0'),
            b'a'..=b'f' => Ok(c - b'a' + 10),
            _ => Err(NotADigest),
        };
        if hex.len() != 64 {
            return Err(NotADigest);
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(hex.as_chunks::<2>().0) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Ok(Digest(bytes))
    }
}

/// Collects values in canonical form. Start with a tag that names what is hashed, so that no two kinds share a hash.
#[derive(Clone, Debug)]
pub struct Writer {
    hasher: blake3::Hasher,
}

impl Writer {
    /// A writer for one kind of value; the tag (`"picture/1"`) is hashed first.
    pub fn new(tag: &str) -> Writer {
        let mut writer = Writer { hasher: blake3::Hasher::new() };
        writer.str(tag);
        writer
    }
    pub fn u8(&mut self, value: u8) {
        self.hasher.update(&[value]);
    }
    pub fn bool(&mut self, value: bool) {
        self.u8(u8::from(value));
    }
    pub fn u16(&mut self, value: u16) {
        self.hasher.update(&value.to_le_bytes());
    }
    pub fn u32(&mut self, value: u32) {
        self.hasher.update(&value.to_le_bytes());
    }
    pub fn u64(&mut self, value: u64) {
        self.hasher.update(&value.to_le_bytes());
    }
    pub fn i32(&mut self, value: i32) {
        self.hasher.update(&value.to_le_bytes());
    }
    pub fn i64(&mut self, value: i64) {
        self.hasher.update(&value.to_le_bytes());
    }
    /// The number: every NaN is one, and so are both zeros.
    pub fn f32(&mut self, value: f32) {
        self.u32(canonical_bits(value));
    }
    /// The number: every NaN is one, and so are both zeros.
    pub fn f64(&mut self, value: f64) {
        let bits = if value.is_nan() { 0x7FF8 << 48 } else { value.to_bits() };
        self.u64(if value == 0.0 { 0 } else { bits });
    }
    /// Numbers with their count before them.
    pub fn f32s(&mut self, values: &[f32]) {
        self.u64(values.len() as u64);
        let mut bytes = [0; 4096];
        for chunk in values.chunks(bytes.len() / 4) {
            for (to, value) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(chunk) {
                *to = canonical_bits(*value).to_le_bytes();
            }
            self.hasher.update(&bytes[..chunk.len() * 4]);
        }
    }
    /// Bytes with their count before them.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.u64(bytes.len() as u64);
        self.hasher.update(bytes);
    }
    /// Text with its length in bytes before it.
    pub fn str(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }
    /// A hash, as part of another.
    pub fn digest(&mut self, digest: &Digest) {
        self.hasher.update(&digest.0);
    }
    pub fn finish(&self) -> Digest {
        Digest(*self.hasher.finalize().as_bytes())
    }
}

/// Bits of an f32 as hashed by value: NaN is 0x7FC00000, -0 is 0.
pub fn canonical_bits(value: f32) -> u32 {
    if value.is_nan() {
        0x7FC0_0000
    } else if value == 0.0 {
        0
    } else {
        value.to_bits()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn print_and_parse() {
        let digest = Digest::of_bytes(b"");
        let text = "b3:af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262";
        assert_eq!(digest.to_string(), text);
        assert_eq!(text.parse(), Ok(digest));
        for bad in ["", "b3:", &text[3..], &text[..66], &text.to_uppercase(), &text.replace('f', "g")] {
            assert_eq!(bad.parse::<Digest>(), Err(NotADigest), "{bad}");
        }
    }

    #[test]
    fn bytes_are_little_endian_with_lengths() {
        let mut writer = Writer::new("t");
        writer.u8(1);
        writer.bool(true);
        writer.u16(0x0302);
        writer.u32(0x0706_0504);
        writer.i32(-1);
        writer.i64(-2);
        writer.u64(9);
        writer.f32(1.0);
        writer.f64(1.0);
        writer.str("ab");
        let want = [
            &[1u8, 0, 0, 0, 0, 0, 0, 0][..],
            b"t",
            &[1, 1, 2, 3, 4, 5, 6, 7],
            &[255; 4],
            &[254],
            &[255; 7],
            &[9],
            &[0; 7],
            &[0, 0, 0x80, 0x3F],
            &[0, 0, 0, 0, 0, 0, 0xF0, 0x3F],
            &[2, 0, 0, 0, 0, 0, 0, 0],
            b"ab",
        ];
        assert_eq!(writer.finish(), Digest::of_bytes(&want.concat()));
    }

    proptest! {
        #[test]
        fn equal_numbers_hash_equally(bits in any::<u32>(), sign in any::<bool>(), count in 1usize..3000) {
            let hash = |value: f32| {
                let mut writer = Writer::new("f");
                writer.f32s(&vec![value; count]);
                writer.f64(f64::from(value));
                writer.finish()
            };
            let (a, b) = (f32::from_bits(bits), f32::from_bits(bits ^ u32::from(sign) << 31));
            let same = a == b || a.is_nan() && b.is_nan();
            prop_assert_eq!(hash(a) == hash(b), same);
            let mut one_by_one = Writer::new("f");
            one_by_one.u64(count as u64);
            (0..count).for_each(|_| one_by_one.f32(a));
            one_by_one.f64(f64::from(a));
            prop_assert_eq!(one_by_one.finish(), hash(a));
        }
    }
}
