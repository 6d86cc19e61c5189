//! Mask: one bit a lane, and the loops over its set bits.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not};

use super::LANES;

const WORDS: usize = LANES / 64;

/// One bit a lane; bit `i & 63` of word `i >> 6` is lane `i`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaneMask(pub [u64; WORDS]);

impl LaneMask {
    pub const NONE: LaneMask = LaneMask([0; WORDS]);
    pub const ALL: LaneMask = LaneMask([u64::MAX; WORDS]);

    /// Lanes `0..count`. A count over `LANES` is a bug and asserts.
    pub fn first_n(count: usize) -> LaneMask {
        assert!(count <= LANES, "{count} lanes of {LANES}");
        let mut mask = LaneMask::NONE;
        for (index, word) in mask.0.iter_mut().enumerate() {
            *word = match count.saturating_sub(index * 64) {
                0 => 0,
                n @ 1..64 => (1 << n) - 1,
                _ => u64::MAX,
            };
        }
        mask
    }

    /// The lanes whose bool is true.
    pub fn from_bools(bools: &[bool; LANES]) -> LaneMask {
        LaneMask::from_fn(|lane| bools[lane])
    }

    /// The lanes whose word is not zero: from a `Block` that holds WGSL booleans.
    #[inline(always)]
    pub fn from_words(words: &[u32; LANES]) -> LaneMask {
        LaneMask::from_fn(|lane| words[lane] != 0)
    }

    /// The lanes for which `f` is true.
    #[inline(always)]
    pub fn from_fn(f: impl Fn(usize) -> bool) -> LaneMask {
        let mut mask = LaneMask::NONE;
        for (index, word) in mask.0.iter_mut().enumerate() {
            let mut bits = 0;
            for bit in 0..64 {
                bits |= u64::from(f(index * 64 + bit)) << bit;
            }
            *word = bits;
        }
        mask
    }

    /// All ones in a set lane, zero elsewhere: the form in which loops select.
    #[inline(always)]
    pub fn to_words(self, words: &mut [u32; LANES]) {
        for (index, chunk) in words.as_chunks_mut::<64>().0.iter_mut().enumerate() {
            let bits = self.0[index];
            for (bit, word) in chunk.iter_mut().enumerate() {
                *word = 0u32.wrapping_sub((bits >> bit) as u32 & 1);
            }
        }
    }

    pub fn set(&mut self, lane: usize) {
        self.0[lane >> 6] |= 1 << (lane & 63);
    }
    pub fn clear(&mut self, lane: usize) {
        self.0[lane >> 6] &= !(1 << (lane & 63));
    }
    #[inline(always)]
    pub fn test(&self, lane: usize) -> bool {
        self.0[lane >> 6] >> (lane & 63) & 1 != 0
    }
    /// Number of set lanes.
    pub fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
    #[inline(always)]
    pub fn any(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) != 0
    }
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        !self.any()
    }
    pub fn all(&self) -> bool {
        *self == LaneMask::ALL
    }
    /// The lowest set lane.
    pub fn first(&self) -> Option<usize> {
        self.iter().next()
    }
    /// One past the highest set lane; 0 for none.
    pub fn end(&self) -> usize {
        (0..WORDS).rev().find(|&i| self.0[i] != 0).map_or(0, |i| i * 64 + 64 - self.0[i].leading_zeros() as usize)
    }
    /// Set here and not in `other`.
    #[inline(always)]
    #[must_use]
    pub fn and_not(self, other: LaneMask) -> LaneMask {
        self & !other
    }
    /// The set lanes, lowest first.
    pub fn iter(&self) -> SetLanes {
        SetLanes { words: self.0, index: 0 }
    }
}

/// Iterator over the set lanes of a mask, lowest first.
#[derive(Clone, Debug)]
pub struct SetLanes {
    words: [u64; WORDS],
    index: usize,
}

impl Iterator for SetLanes {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.index < WORDS {
            let word = &mut self.words[self.index];
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(self.index * 64 + bit);
            }
            self.index += 1;
        }
        None
    }
}

impl IntoIterator for &LaneMask {
    type Item = usize;
    type IntoIter = SetLanes;

    fn into_iter(self) -> SetLanes {
        self.iter()
    }
}

impl BitAnd for LaneMask {
    type Output = LaneMask;
    #[inline(always)]
    fn bitand(self, other: LaneMask) -> LaneMask {
        LaneMask(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl BitOr for LaneMask {
    type Output = LaneMask;
    #[inline(always)]
    fn bitor(self, other: LaneMask) -> LaneMask {
        LaneMask(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl BitXor for LaneMask {
    type Output = LaneMask;
    #[inline(always)]
    fn bitxor(self, other: LaneMask) -> LaneMask {
        LaneMask(std::array::from_fn(|i| self.0[i] ^ other.0[i]))
    }
}

impl Not for LaneMask {
    type Output = LaneMask;
    #[inline(always)]
    fn not(self) -> LaneMask {
        LaneMask(self.0.map(|word| !word))
    }
}

impl BitAndAssign for LaneMask {
    #[inline(always)]
    fn bitand_assign(&mut self, other: LaneMask) {
        *self = *self & other;
    }
}

impl BitOrAssign for LaneMask {
    #[inline(always)]
    fn bitor_assign(&mut self, other: LaneMask) {
        *self = *self | other;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn first_n_holds_exactly_n() {
        for count in 0..=LANES {
            let mask = LaneMask::first_n(count);
            assert_eq!((mask.count(), mask.end()), (count, count));
            assert_eq!(mask.iter().collect::<Vec<_>>(), (0..count).collect::<Vec<_>>());
        }
        assert!(LaneMask::first_n(LANES).all() && LaneMask::first_n(0).is_empty());
    }

    proptest! {
        #[test]
        fn acts_as_a_vector_of_bools(a in any::<[u64; WORDS]>(), b in any::<[u64; WORDS]>(), lane in 0..LANES) {
            let (ma, mb) = (LaneMask(a), LaneMask(b));
            let bools: [bool; LANES] = std::array::from_fn(|i| ma.test(i));
            prop_assert_eq!(LaneMask::from_bools(&bools), ma);
            prop_assert_eq!(ma.count(), bools.iter().filter(|b| **b).count());
            prop_assert_eq!(ma.iter().collect::<Vec<_>>(), (0..LANES).filter(|&i| bools[i]).collect::<Vec<_>>());
            prop_assert_eq!(ma.first(), bools.iter().position(|b| *b));
            prop_assert_eq!(ma.end(), bools.iter().rposition(|b| *b).map_or(0, |i| i + 1));
            for i in 0..LANES {
                prop_assert_eq!((ma & mb).test(i), ma.test(i) && mb.test(i));
                prop_assert_eq!((ma | mb).test(i), ma.test(i) || mb.test(i));
                prop_assert_eq!((ma ^ mb).test(i), ma.test(i) != mb.test(i));
                prop_assert_eq!(ma.and_not(mb).test(i), ma.test(i) && !mb.test(i));
            }
            let mut words = [7; LANES];
            ma.to_words(&mut words);
            prop_assert_eq!(words, bools.map(|b| 0u32.wrapping_sub(u32::from(b))));
            prop_assert_eq!(LaneMask::from_words(&words), ma);
            let mut one = ma;
            one.set(lane);
            prop_assert!(one.test(lane));
            one.clear(lane);
            prop_assert!(!one.test(lane));
            prop_assert_eq!(one.any(), ma.iter().any(|l| l != lane));
        }
    }
}
