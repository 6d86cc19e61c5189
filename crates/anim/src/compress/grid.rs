//! Grid: the frames of a clip, and the moments between them that are looked at.

use stillframe_base::tick::{FrameRate, Tick};

use crate::sample::ClipError;
use crate::sample::source::{check_samples, frame_ticks_max};
use crate::spacing;

/// Moments looked at in an interval: quarters, and the last tick.
pub(super) const MOMENTS: usize = 5;

/// Frames a fixed time apart; the last may lie after the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    pub frame_ticks: i64,
    pub interval_count: usize,
}

impl Grid {
    /// The grid of the keys where they have one; else frames so near that a whole number of them makes the clip.
    pub fn of(duration: Tick, keys: &[Tick], rate: FrameRate, joint_count: usize) -> Result<Grid, ClipError> {
        let widest = frame_ticks_max(duration, rate)?;
        let of_keys = spacing::of_keys(duration, keys);
        if let Some(Ok(grid)) = of_keys.map(|ticks| Grid::with_ticks(duration, ticks, joint_count)) {
            return Ok(grid);
        }
        let widest = widest.min(i128::from(i64::MAX)) as i64;
        let count = duration.0 / widest + i64::from(duration.0 % widest > 0);
        let count = count.max(1);
        let frame_ticks = (duration.0 / count + i64::from(duration.0 % count > 0)).max(1);
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
