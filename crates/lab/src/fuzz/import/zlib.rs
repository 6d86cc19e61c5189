//! Zlib streams and checksums, as PNG, EXR and FBX hold them, without compression.
//!
//! Source: RFC 1950 and 1951 (stored blocks).

/// Stored blocks, header and Adler-32.
pub fn stored(bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0x78, 0x01];
    let chunks: Vec<&[u8]> = if bytes.is_empty() { vec![&[]] } else { bytes.chunks(65_535).collect() };
    for (index, chunk) in chunks.iter().enumerate() {
        out.push(u8::from(index + 1 == chunks.len()));
        out.extend((chunk.len() as u16).to_le_bytes());
        out.extend((!(chunk.len() as u16)).to_le_bytes());
        out.extend_from_slice(chunk);
    }
    out.extend(adler32(bytes.iter().copied()).to_be_bytes());
    out
}

/// `copies * 258 + 1` zeros in about a thousandth of their size: one byte, then copies of 258, by the fixed codes.
pub fn zeros(copies: usize) -> Vec<u8> {
    let mut bits = Bits::default();
    // Last block, fixed codes.
    bits.low_first(0b011, 3);
    // Literal 0 is 00110000.
    bits.high_first(0b0011_0000, 8);
    for _ in 0..copies {
        // Length 258 is code 285: 11000101; distance 1 is 00000.
        bits.high_first(0b1100_0101, 8);
        bits.high_first(0, 5);
    }
    // The end is 0000000.
    bits.high_first(0, 7);
    let mut out = vec![0x78, 0x01];
    out.extend(bits.finish());
    out.extend(adler32(std::iter::repeat_n(0, copies * 258 + 1)).to_be_bytes());
    out
}

#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    open: u32,
    count: u32,
}

impl Bits {
    fn low_first(&mut self, bits: u32, count: u32) {
        self.open |= bits << self.count;
        self.count += count;
        while self.count >= 8 {
            self.bytes.push(self.open as u8);
            self.open >>= 8;
            self.count -= 8;
        }
    }
    fn high_first(&mut self, bits: u32, count: u32) {
        self.low_first(bits.reverse_bits() >> (32 - count), count);
    }
    fn finish(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.bytes.push(self.open as u8);
        }
        self.bytes
    }
}

fn adler32(bytes: impl Iterator<Item = u8>) -> u32 {
    let (mut a, mut b) = (1_u32, 0_u32);
    for byte in bytes {
        a = (a + u32::from(byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    b << 16 | a
}

pub fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_sums() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(adler32(b"Wikipedia".iter().copied()), 0x11E6_0398);
        assert_eq!(stored(b""), [0x78, 1, 1, 0, 0, 0xFF, 0xFF, 0, 0, 0, 1]);
    }
}
