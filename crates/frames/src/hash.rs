//! Pixel identity: what must be equal for two pictures to be the same picture.
//!
//! BLAKE3 over, in order: the format's name with its length before it (u32, little-endian), width, height, number of
//! layers (u32 each, always 1 today), then the canonical little-endian samples with NaN folded to one. Minus zero and
//! zero differ: they are different results. File format, compression and metadata play no part.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use blake3::hazmat::{ChainingValue, HasherExt, Mode, merge_subtrees_non_root, merge_subtrees_root};
use stillframe_base::par::Pool;

use crate::Picture;
use crate::picture::{Samples, canonical_bits};

/// What a thread hashes at a time: a power of two, so that pieces are whole subtrees of BLAKE3's tree.
const PIECE_BYTES: usize = 256 << 10;

/// Identity of a picture's pixels; printed as `b3:` and 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PixelHash(pub [u8; 32]);

impl Picture {
    /// The picture's pixel identity.
    pub fn hash(&self) -> PixelHash {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.hash_head());
        self.each_canonical_block(&mut |block| {
            hasher.update(block);
        });
        PixelHash(*hasher.finalize().as_bytes())
    }

    /// [`Picture::hash`] on the threads of `pool`, for who waits for one picture.
    pub fn hash_on(&self, pool: &Pool) -> PixelHash {
        if pool.threads() == 1 { self.hash() } else { self.hash_of_pieces(PIECE_BYTES, pool) }
    }

    fn hash_of_pieces(&self, piece_bytes: usize, pool: &Pool) -> PixelHash {
        let head = self.hash_head();
        let byte_count = head.len() + self.samples.len() * self.samples.kind().byte_count();
        if byte_count <= piece_bytes {
            return self.hash();
        }
        let pieces = pool.map(byte_count.div_ceil(piece_bytes), |index| {
            let start = index * piece_bytes;
            let end = byte_count.min(start + piece_bytes);
            let mut hasher = blake3::Hasher::new();
            hasher.set_input_offset(start as u64);
            hasher.update(&head[start.min(head.len())..end.min(head.len())]);
            let samples = start.saturating_sub(head.len())..end.saturating_sub(head.len());
            hasher.update(&canonical_range(&self.samples, samples));
            hasher.finalize_non_root()
        });
        let (left, right) = halves(&pieces);
        PixelHash(*merge_subtrees_root(&merged(left), &merged(right), Mode::Hash).as_bytes())
    }

    /// What is hashed before the samples. Panics if the picture is unsound.
    fn hash_head(&self) -> Vec<u8> {
        if let Err(error) = self.check() {
            panic!("hash of an unsound picture: {error}");
        }
        let format = self.format().to_string();
        let mut head = (format.len() as u32).to_le_bytes().to_vec();
        head.extend_from_slice(format.as_bytes());
        for number in [self.width_px, self.height_px, 1] {
            head.extend_from_slice(&number.to_le_bytes());
        }
        head
    }
}

/// Pieces under the left child and under the right: on the left a power of two, as many as leave one for the right.
fn halves(pieces: &[ChainingValue]) -> (&[ChainingValue], &[ChainingValue]) {
    pieces.split_at(pieces.len().next_power_of_two() / 2)
}

/// The node above pieces that lie beside each other.
fn merged(pieces: &[ChainingValue]) -> ChainingValue {
    if let [piece] = pieces {
        return *piece;
    }
    let (left, right) = halves(pieces);
    merge_subtrees_non_root(&merged(left), &merged(right), Mode::Hash)
}

/// Some of the picture's canonical bytes.
fn canonical_range(samples: &Samples, bytes: Range<usize>) -> Cow<'_, [u8]> {
    let size = samples.kind().byte_count();
    let (first, end) = (bytes.start / size, bytes.end.div_ceil(size));
    let mut out: Vec<u8> = match samples {
        Samples::U8(v) => return Cow::Borrowed(&v[bytes]),
        Samples::U16(v) => v[first..end].iter().flat_map(|s| s.to_le_bytes()).collect(),
        Samples::U32(v) => v[first..end].iter().flat_map(|s| s.to_le_bytes()).collect(),
        Samples::F32(v) => v[first..end].iter().flat_map(|s| canonical_bits(*s).to_le_bytes()).collect(),
    };
    // Pieces need not begin or end with a sample.
    out.truncate(bytes.end - first * size);
    out.drain(..bytes.start - first * size);
    Cow::Owned(out)
}

impl PixelHash {
    /// The identity of a text, such as a list of hashes.
    pub fn of_text(text: &str) -> PixelHash {
        PixelHash(*blake3::hash(text.as_bytes()).as_bytes())
    }

    /// 64 hexadecimal digits, for names of files.
    pub fn hex(self) -> String {
        self.to_string().split_off("b3:".len())
    }
}

impl fmt::Display for PixelHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("b3:")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for PixelHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl serde::Serialize for PixelHash {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for PixelHash {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<PixelHash, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// Not `b3:` and 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a pixel hash is `b3:` and 64 lower-case hexadecimal digits")]
pub struct ParseHashError;

impl FromStr for PixelHash {
    type Err = ParseHashError;

    fn from_str(text: &str) -> Result<PixelHash, ParseHashError> {
        let digits = text.strip_prefix("b3:").ok_or(ParseHashError)?.as_bytes();
        let mut bytes = [0u8; 32];
        if digits.len() != 64 {
            return Err(ParseHashError);
        }
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Ok(PixelHash(bytes))
    }
}

fn digit(character: u8) -> Result<u8, ParseHashError> {
    match character {
        b'0'..=b'9' => Ok(character - b'0'),
        b'a'..=b'f' => Ok(character - b'a' + 10),
        _ => Err(ParseHashError),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Samples;

    fn floats(values: [f32; 4]) -> Picture {
        Picture::new(2, 2, 1, Samples::F32(values.to_vec())).unwrap()
    }

    /// The identity of one picture, spelt out, so that it can never change unnoticed.
    #[test]
    fn identity_is_pinned() {
        let picture = Picture::new(2, 1, 3, Samples::U8(vec![1, 2, 3, 4, 5, 6])).unwrap();
        let mut bytes = vec![4, 0, 0, 0];
        bytes.extend_from_slice(b"rgb8");
        bytes.extend_from_slice(&[2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(picture.hash().0, *blake3::hash(&bytes).as_bytes());
    }

    /// Sizes on both sides of one and several pieces, the smallest there are; samples that lie across their borders.
    #[test]
    fn pieces_change_no_hash() {
        let pools = [Pool::new(1), Pool::new(3), Pool::new(2).last_first()];
        let made = |count: usize, kind: usize| match kind {
            0 => Samples::U8((0..count).map(|i| (i * 37) as u8).collect()),
            1 => Samples::U16((0..count).map(|i| (i * 4099) as u16).collect()),
            2 => Samples::U32((0..count).map(|i| (i * 0x9E37_79B1) as u32).collect()),
            _ => Samples::F32((0..count).map(|i| if i % 7 == 0 { -f32::NAN } else { i as f32 }).collect()),
        };
        for kind in 0..4 {
            for width in [1, 250, 251, 252, 500, 1005, 1006, 1007, 1030, 2029, 2030, 2031, 3055, 4096, 5101, 9000] {
                let picture = Picture::new(width, 1, 1, made(width as usize, kind)).unwrap();
                for pool in &pools {
                    assert_eq!(picture.hash_of_pieces(1024, pool), picture.hash(), "{width} {}", picture.format());
                }
            }
            let large = Picture::new(600, 450, 4, made(1_080_000, kind)).unwrap();
            for pool in &pools {
                assert_eq!(large.hash_on(pool), large.hash(), "{}", large.format());
            }
        }
    }

    #[test]
    fn every_nan_is_one_and_signs_of_zero_are_two() {
        let quiet = floats([f32::from_bits(0x7FC0_0000), 1.0, 2.0, 3.0]);
        let other = floats([f32::from_bits(0xFFC0_1234), 1.0, 2.0, 3.0]);
        assert_eq!(quiet.hash(), other.hash());
        assert_ne!(floats([0.0, 1.0, 2.0, 3.0]).hash(), floats([-0.0, 1.0, 2.0, 3.0]).hash());
    }

    #[test]
    fn shape_and_type_are_part_of_it() {
        let samples = || Samples::U8(vec![9; 12]);
        let hashes = [
            Picture::new(2, 2, 3, samples()).unwrap().hash(),
            Picture::new(1, 4, 3, samples()).unwrap().hash(),
            Picture::new(4, 1, 3, samples()).unwrap().hash(),
            Picture::new(3, 1, 4, samples()).unwrap().hash(),
            Picture::new(1, 3, 1, Samples::U32(vec![0x0909_0909; 3])).unwrap().hash(),
        ];
        for (index, hash) in hashes.iter().enumerate() {
            assert!(!hashes[..index].contains(hash), "{index}");
        }
    }

    #[test]
    fn prints_and_parses() {
        let hash = floats([1.0; 4]).hash();
        assert_eq!(hash.to_string().len(), 3 + 64);
        assert_eq!(hash.to_string().parse(), Ok(hash));
        for text in ["", "b3:", "b3:00", "sha:00", &hash.to_string()[1..], &hash.to_string().to_uppercase()] {
            assert_eq!(text.parse::<PixelHash>(), Err(ParseHashError), "{text}");
        }
    }
}
