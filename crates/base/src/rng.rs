//! Rng: random numbers as a function of (seed, name, index, position). No state but a position, no floats inside.
//!
//! In: a seed, and for each use a name (`"particles/fire"`) and an index. Out: a [`Stream`], independent of all others.
//! Never here: global state, the clock. Source: Philox 4x32 with 10 rounds (Salmon et al. 2011, "Parallel random
//! numbers: as easy as 1, 2, 3"); the key is the first 8 bytes of BLAKE3 of seed and name.

/// A seed, from which streams are made by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rng {
    pub seed: u64,
}

impl Rng {
    pub const fn new(seed: u64) -> Rng {
        Rng { seed }
    }

    /// The stream of `name` for the item `index` (particle, lane, case).
    pub fn stream(self, name: &str, index: u64) -> Stream {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.seed.to_le_bytes());
        hasher.update(name.as_bytes());
        let [k0, k1, k2, k3, k4, k5, k6, k7, ..] = *hasher.finalize().as_bytes();
        let key = [u32::from_le_bytes([k0, k1, k2, k3]), u32::from_le_bytes([k4, k5, k6, k7])];
        Stream { key, index, position: 0 }
    }
}

/// One sequence of random numbers. Copy it to replay it; set `position` to jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    key: [u32; 2],
    index: u64,
    /// Numbers of 32 bits taken so far.
    pub position: u64,
}

impl Stream {
    /// The number at `position`, without moving.
    pub fn at(&self, position: u64) -> u32 {
        let block = position / 4;
        let counter = [block as u32, (block >> 32) as u32, self.index as u32, (self.index >> 32) as u32];
        philox(counter, self.key)[(position % 4) as usize]
    }
    /// 32 random bits.
    pub fn next_u32(&mut self) -> u32 {
        let number = self.at(self.position);
        self.position = self.position.wrapping_add(1);
        number
    }
    /// 64 random bits: the first number is the low half.
    pub fn next_u64(&mut self) -> u64 {
        u64::from(self.next_u32()) | u64::from(self.next_u32()) << 32
    }
    /// A number in [0, 1): 24 bits divided by 2^24, so exact and even.
    pub fn unit_f32(&mut self) -> f32 {
        (self.next_u32() >> 8) as f32 * (1.0 / 16_777_216.0)
    }
    /// A number in [0, 1) of 53 bits.
    pub fn unit_f64(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }
    /// A number in [low, high), or `low` if they are equal; the written formula `low + (high - low) * unit`.
    pub fn range_f32(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit_f32()
    }
    /// A number in `0..count`, each as likely (Lemire 2019, with rejection). No number to choose is a bug and asserts.
    pub fn below(&mut self, count: u32) -> u32 {
        assert!(count > 0, "a number below 0");
        let reject_under = count.wrapping_neg() % count;
        loop {
            let product = u64::from(self.next_u32()) * u64::from(count);
            if product as u32 >= reject_under {
                return (product >> 32) as u32;
            }
        }
    }
    /// True once in `count` times, on average.
    pub fn one_in(&mut self, count: u32) -> bool {
        self.below(count) == 0
    }
    /// One of `items`. None to choose from is a bug and asserts.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u32) as usize]
    }
    /// Every order as likely (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}

/// Philox 4x32, 10 rounds.
fn philox(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for _ in 0..10 {
        let a = u64::from(counter[0]) * 0xD251_1F53;
        let b = u64::from(counter[2]) * 0xCD9E_8D57;
        counter = [(b >> 32) as u32 ^ counter[1] ^ key[0], b as u32, (a >> 32) as u32 ^ counter[3] ^ key[1], a as u32];
        key = [key[0].wrapping_add(0x9E37_79B9), key[1].wrapping_add(0xBB67_AE85)];
    }
    counter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_answers_of_the_paper_s_library() {
        for (counter, key, want) in [
            ([0; 4], [0; 2], [0x6627_E8D5, 0xE169_C58D, 0xBC57_AC4C, 0x9B00_DBD8]),
            ([!0; 4], [!0; 2], [0x408F_276D, 0x41C8_3B0E, 0xA20B_C7C6, 0x6D54_51FD]),
            (
                [0x243F_6A88, 0x85A3_08D3, 0x1319_8A2E, 0x0370_7344],
                [0xA409_3822, 0x299F_31D0],
                [0xD16C_FE09, 0x94FD_CCEB, 0x5001_E420, 0x2412_6EA1],
            ),
        ] {
            assert_eq!(philox(counter, key), want);
        }
    }

    #[test]
    fn streams_are_pinned_and_apart() {
        let rng = Rng::new(7);
        let mut fire = rng.stream("particles/fire", 0);
        let first: [u32; 6] = std::array::from_fn(|_| fire.next_u32());
        assert_eq!(first, std::array::from_fn(|i| rng.stream("particles/fire", 0).at(i as u64)));
        for other in
            [rng.stream("particles/fire", 1), rng.stream("particles/ice", 0), Rng::new(8).stream("particles/fire", 0)]
        {
            assert!((0..6).all(|i| other.at(i) != first[i as usize]));
        }
        // Any change of these numbers moves every scene that uses chance.
        assert_eq!(first[..2], [307_473_911, 3_963_705_374]);
    }

    #[test]
    fn numbers_are_even_and_inside() {
        let mut stream = Rng::new(1).stream("even", 0);
        let mut counts = [0u32; 7];
        let mut sum = 0.0;
        for _ in 0..70_000 {
            counts[stream.below(7) as usize] += 1;
            let unit = stream.unit_f32();
            assert!((0.0..1.0).contains(&unit));
            sum += f64::from(unit);
            assert!((0.0..1.0).contains(&stream.unit_f64()));
            assert!((-2.0..3.0).contains(&stream.range_f32(-2.0, 3.0)));
        }
        assert!(counts.iter().all(|&count| count.abs_diff(10_000) < 400), "{counts:?}");
        assert!((sum / 70_000.0 - 0.5).abs() < 0.005, "{sum}");
    }

    #[test]
    fn shuffles_reach_every_order() {
        let mut stream = Rng::new(3).stream("orders", 0);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..400 {
            let mut items = [0, 1, 2, 3];
            stream.shuffle(&mut items);
            seen.insert(items);
        }
        assert_eq!(seen.len(), 24);
        assert!([5, 6].contains(stream.pick(&[5, 6])));
    }
}
