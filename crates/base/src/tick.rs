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

    proptest! {
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
