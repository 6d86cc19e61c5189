//! Ticks: time as an integer. The one place where seconds become ticks and ticks seconds.

use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// Ticks a second. The "flick" (Facebook 2018): a whole number of ticks for a frame at 24, 25, 30, 48, 50, 60, 90, 100,
/// 120 frames a second and for a sample at 8, 16, 22.05, 24, 32, 44.1, 48, 88.2, 96, 192 kHz. 30 fps divided by 1.001
/// is not whole; [`Tick::of_frame`] rounds the frame's time, so nothing adds up.
pub const TICKS_PER_SECOND: i64 = 705_600_000;

/// A time, or a span of time, in ticks: 64 bits hold 414 years each way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tick(pub i64);

/// Frames a second as a fraction, in lowest terms or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FrameRate {
    pub frames: u32,
    /// At least 1.
    pub seconds: u32,
}

/// Rates at which people animate, those that fit most often first. Every one has whole ticks a frame.
const USUAL_RATES: [FrameRate; 12] = [
    FrameRate::whole(30),
    FrameRate::whole(24),
    FrameRate::whole(25),
    FrameRate::whole(60),
    FrameRate::whole(50),
    FrameRate::whole(48),
    FrameRate::whole(120),
    FrameRate::whole(100),
    FrameRate::whole(90),
    FrameRate { frames: 30_000, seconds: 1001 },
    FrameRate { frames: 24_000, seconds: 1001 },
    FrameRate { frames: 60_000, seconds: 1001 },
];

impl FrameRate {
    pub const fn whole(frames_per_second: u32) -> FrameRate {
        FrameRate { frames: frames_per_second, seconds: 1 }
    }
}

impl Tick {
    pub const ZERO: Tick = Tick(0);

    /// The tick nearest to a time in seconds, half to even; the end of the range for what is outside, zero for NaN.
    pub fn from_seconds(seconds: f64) -> Tick {
        Tick((seconds * TICKS_PER_SECOND as f64).round_ties_even() as i64)
    }
    /// The ticks that times stored as f32 mean: starts of frames at the first usual rate that fits all of them, else at
    /// any that fits each, else the ticks nearest to the f32.
    ///
    /// An f32 is up to half a unit of its last place off: `f32(6 / 30)` lies 3 ns behind frame 6, two ticks. A frame
    /// fits if the f32 is the one nearest to its start. Times keep their order.
    pub fn from_stored_seconds(seconds: &[f32]) -> Vec<Tick> {
        let of_rate = |rate: &FrameRate| seconds.iter().map(|s| stored_frame(*s, *rate)).collect::<Option<Vec<Tick>>>();
        if let Some(ticks) = USUAL_RATES.iter().find_map(of_rate) {
            return ticks;
        }
        let any = |seconds: &f32| USUAL_RATES.iter().find_map(|rate| stored_frame(*seconds, *rate));
        seconds.iter().map(|s| any(s).unwrap_or(Tick::from_seconds(f64::from(*s)))).collect()
    }

    /// The time in seconds: the f64 nearest to the quotient.
    pub fn seconds(self) -> f64 {
        self.0 as f64 / TICKS_PER_SECOND as f64
    }
    /// The start of frame `frame` at `rate`, rounded down to a tick. A rate of no frames is a bug and asserts.
    pub fn of_frame(frame: i64, rate: FrameRate) -> Tick {
        assert!(rate.frames > 0, "a rate of no frames");
        let ticks = i128::from(frame) * i128::from(rate.seconds) * i128::from(TICKS_PER_SECOND);
        Tick(ticks.div_euclid(i128::from(rate.frames)) as i64)
    }
    /// The frame that shows at this time: the last one that has started.
    pub fn frame(self, rate: FrameRate) -> i64 {
        assert!(rate.frames > 0 && rate.seconds > 0, "a rate of no frames or no seconds");
        // Frame n starts at floor(n s T / f): it has started at tick t when n s T < (t + 1) f.
        let span = i128::from(rate.seconds) * i128::from(TICKS_PER_SECOND);
        (((i128::from(self.0) + 1) * i128::from(rate.frames) - 1).div_euclid(span)) as i64
    }
    /// This time within a loop of `length` ticks: in `0..length`. A loop of no length is a bug and asserts.
    pub fn within(self, length: Tick) -> Tick {
        assert!(length.0 > 0, "a loop of {} ticks", length.0);
        Tick(self.0.rem_euclid(length.0))
    }
}

impl Add for Tick {
    type Output = Tick;
    fn add(self, other: Tick) -> Tick {
        Tick(self.0 + other.0)
    }
}
impl Sub for Tick {
    type Output = Tick;
    fn sub(self, other: Tick) -> Tick {
        Tick(self.0 - other.0)
    }
}
impl Neg for Tick {
    type Output = Tick;
    fn neg(self) -> Tick {
        Tick(-self.0)
    }
}
impl AddAssign for Tick {
    fn add_assign(&mut self, other: Tick) {
        self.0 += other.0;
    }
}
impl SubAssign for Tick {
    fn sub_assign(&mut self, other: Tick) {
        self.0 -= other.0;
    }
}

/// The start of the frame at `rate` whose nearest f32 is `seconds`, if there is one.
fn stored_frame(seconds: f32, rate: FrameRate) -> Option<Tick> {
    let number = (f64::from(seconds) * f64::from(rate.frames) / f64::from(rate.seconds)).round_ties_even();
    // Beyond this, products of frames would not be exact in an f64.
    let start = (number.abs() < 1e12).then(|| Tick::of_frame(number as i64, rate))?;
    (start.seconds() as f32 == seconds).then_some(start)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn usual_rates_are_whole() {
        for rate in [24, 25, 30, 48, 50, 60, 90, 100, 120, 8_000, 22_050, 44_100, 48_000, 96_000, 192_000] {
            assert_eq!(TICKS_PER_SECOND % rate, 0, "{rate}");
        }
    }

    #[test]
    fn seconds_at_the_ends() {
        assert_eq!(Tick::from_seconds(f64::NAN), Tick::ZERO);
        assert_eq!(Tick::from_seconds(f64::INFINITY), Tick(i64::MAX));
        assert_eq!(Tick::from_seconds(-1.5), Tick(-1_058_400_000));
        assert_eq!(Tick(-1).within(Tick(10)), Tick(9));
    }

    #[test]
    fn stored_times_are_frames() {
        for rate in USUAL_RATES {
            assert_eq!(TICKS_PER_SECOND * i64::from(rate.seconds) % i64::from(rate.frames), 0, "{rate:?}");
            let starts: Vec<Tick> = (-2000..20_000).map(|frame| Tick::of_frame(frame, rate)).collect();
            let stored: Vec<f32> = starts.iter().map(|start| start.seconds() as f32).collect();
            assert_eq!(Tick::from_stored_seconds(&stored), starts, "{rate:?}");
        }
        let one = |seconds: f32| Tick::from_stored_seconds(&[seconds])[0];
        assert_eq!(one(0.2), Tick(TICKS_PER_SECOND / 5));
        assert_ne!(Tick::from_seconds(f64::from(0.2_f32)), Tick(TICKS_PER_SECOND / 5));
        // A time that is no frame leaves the others theirs.
        let mixed = Tick::from_stored_seconds(&[0.2, 0.223_456_78, 0.7]);
        let odd = Tick::from_seconds(f64::from(0.223_456_78_f32));
        assert_eq!(mixed, [Tick(TICKS_PER_SECOND / 5), odd, Tick(TICKS_PER_SECOND / 10 * 7)]);
        for odd in [0.123_456_f32, 1e-9, 1e9, -7.654_321] {
            assert_eq!(one(odd), Tick::from_seconds(f64::from(odd)), "{odd}");
        }
        assert_eq!((one(f32::NAN), one(f32::INFINITY)), (Tick::ZERO, Tick(i64::MAX)));
    }

    proptest! {
        #[test]
        fn stored_times_keep_their_order(bits in 0_u32..0x4E00_0000, negative in any::<bool>()) {
            let value = |bits: u32| if negative { -f32::from_bits(bits) } else { f32::from_bits(bits) };
            let [near, far] = [value(bits), value(bits + 1)].map(|v| Tick::from_stored_seconds(&[v])[0]);
            let both = Tick::from_stored_seconds(&[value(bits), value(bits + 1)]);
            for [near, far] in [[near, far], [both[0], both[1]]] {
                prop_assert!(if negative { far <= near } else { near <= far }, "{:?} {:?}", near, far);
                let apart = (near - Tick::from_seconds(f64::from(value(bits)))).seconds().abs();
                let last_place = f64::from(f32::from_bits(bits + 1)) - f64::from(f32::from_bits(bits));
                prop_assert!(apart <= last_place * 0.5 + 1.0 / TICKS_PER_SECOND as f64, "{} s", apart);
            }
        }

        #[test]
        fn a_frame_starts_in_itself(frame in -1_000_000i64..1_000_000, frames in 1u32..100_000, seconds in 1u32..2000) {
            let rate = FrameRate { frames, seconds };
            let start = Tick::of_frame(frame, rate);
            prop_assert_eq!(start.frame(rate), frame);
            prop_assert_eq!((start - Tick(1)).frame(rate), frame - 1);
        }

        #[test]
        fn seconds_round_trip(ticks in -1i64 << 50..1 << 50) {
            prop_assert_eq!(Tick::from_seconds(Tick(ticks).seconds()), Tick(ticks));
        }
    }
}
