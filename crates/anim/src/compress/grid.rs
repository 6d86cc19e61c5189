//! Grid: the frames of a clip, and the moments between them that are looked at.

use stillframe_base::tick::{FrameRate, TICKS_PER_SECOND, Tick};

use crate::sample::ClipError;
use crate::sample::source::{check_samples, frame_ticks_max};

/// Moments looked at in an interval: quarters, and the last tick.
pub(super) const MOMENTS: usize = 5;

/// Keys this far from a frame are on it: what times in f32 seconds are off by within a minute.
const ON_FRAME_TICKS: i64 = 1400;

/// Frames a fixed time apart; the last may lie after the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    pub frame_ticks: i64,
    pub interval_count: usize,
}

impl Grid {
    /// The grid of the keys where they have one that is not much denser than `rate`; else frames so near that a whole number of
    /// them makes the clip.
    pub fn of(duration: Tick, keys: &[Tick], rate: FrameRate, joint_count: usize) -> Result<Grid, ClipError> {
        let widest = frame_ticks_max(duration, rate)?;
        let widest = widest.min(i128::from(i64::MAX)) as i64;
        let on_grid = |ticks: i64| {
            let off = |key: &Tick| key.0.rem_euclid(ticks).min(ticks - key.0.rem_euclid(ticks));
            keys.len() > 2 && keys.iter().all(|key| off(key) <= ON_FRAME_TICKS)
        };
        let rates = [24, 25, 30, 48, 50, 60].map(|rate| TICKS_PER_SECOND / rate);
        let of_keys = std::iter::once(widest).chain(rates).find(|ticks| *ticks > 2 * ON_FRAME_TICKS && on_grid(*ticks));
        let frame_ticks = of_keys.unwrap_or_else(|| {
            let count = duration.0 / widest + i64::from(duration.0 % widest > 0);
            let count = count.max(1);
            (duration.0 / count + i64::from(duration.0 % count > 0)).max(1)
        });
        Grid::with_ticks(duration, frame_ticks, joint_count)
    }

    pub fn with_ticks(duration: Tick, frame_ticks: i64, joint_count: usize) -> Result<Grid, ClipError> {
        let intervals = (duration.0 / frame_ticks + i64::from(duration.0 % frame_ticks > 0)).max(1);
        check_samples(intervals as u128 + 1, joint_count)?;
        Ok(Grid { frame_ticks, interval_count: intervals as usize })
    }

    pub fn moment(&self, frame: usize, duration: Tick) -> Tick {
        Tick((frame as i64).saturating_mul(self.frame_ticks)).min(duration)
    }
}
