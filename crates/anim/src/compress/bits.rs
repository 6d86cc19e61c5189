//! Bits: numbers of any width one after the other, the low bit of each first.

/// Writes.
#[derive(Clone, Debug, Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    /// Bits written.
    len: usize,
}

impl BitWriter {
    /// The low `width` bits, at most 56, of `value`.
    pub fn put(&mut self, value: u64, width: u32) {
        debug_assert!(width <= 56 && value >> width == 0, "{value} in {width} bits");
        self.bytes.resize((self.len + width as usize).div_ceil(8), 0);
        let mut value = value << (self.len % 8);
        for byte in &mut self.bytes[self.len / 8..] {
            *byte |= value as u8;
            value >>= 8;
        }
        self.len += width as usize;
    }
    /// The bytes, the last one filled up with zeros.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

/// Reads what a [`BitWriter`] wrote.
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> BitReader<'a> {
    pub fn new(bytes: &'a [u8]) -> BitReader<'a> {
        BitReader { bytes, at: 0 }
    }
    /// The next `width` bits, at most 56; none where there are fewer.
    pub fn take(&mut self, width: u32) -> Option<u64> {
        let end = self.at.checked_add(width as usize).filter(|end| end.div_ceil(8) <= self.bytes.len())?;
        let mut value = 0;
        for (i, byte) in self.bytes[self.at / 8..end.div_ceil(8)].iter().enumerate() {
            value |= u64::from(*byte) << (8 * i);
        }
        let value = value >> (self.at % 8) & ((1 << width) - 1);
        self.at = end;
        Some(value)
    }
    /// How many bytes have been begun; none where bits of the last one that have not been taken are not 0.
    pub fn whole_bytes(&mut self) -> Option<usize> {
        let left = self.at.next_multiple_of(8) - self.at;
        (self.take(left as u32)? == 0).then_some(self.at / 8)
    }
    /// Whether all that is left are zeros that fill the last byte.
    pub fn is_done(&mut self) -> bool {
        let left = self.bytes.len() * 8 - self.at;
        left < 8 && self.take(left as u32) == Some(0)
    }
}

/// Small numbers of either sign as small numbers.
pub(super) fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

pub(super) fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// Bits that hold a number.
pub(super) fn bit_width(value: u64) -> u32 {
    64 - value.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_put_is_taken(numbers in prop::collection::vec((any::<u64>(), 0u32..=56), 0..50)) {
            let mut writer = BitWriter::default();
            let low = |value: u64, width: u32| value & ((1 << width) - 1);
            numbers.iter().for_each(|(value, width)| writer.put(low(*value, *width), *width));
            let bytes = writer.finish();
            let mut reader = BitReader::new(&bytes);
            for (value, width) in &numbers {
                prop_assert_eq!(reader.take(*width), Some(low(*value, *width)));
            }
            prop_assert_eq!(reader.take(8), None);
            prop_assert!(reader.is_done());
        }

        #[test]
        fn zigzag_comes_back(value in any::<i64>()) {
            prop_assert_eq!(unzigzag(zigzag(value)), value);
            prop_assert!(bit_width(zigzag(value)) <= bit_width(value.unsigned_abs()) + 1);
        }
    }
}
