//! Limit: how fast and how long a graph plays, and how many of a kind it has room for: clocks do not overflow, and
//! decisions end.

use stillframe_base::tick::{TICKS_PER_SECOND, Tick};

use crate::time::TimeError;

/// The fastest that a clip plays, either way.
pub const SPEED_MAX: f32 = 1024.0;

/// The latest time of a graph, 51 years: with it, [`SPEED_MAX`] and the lengths of clips no position of a clock can
/// overflow.
pub const TIME_MAX: Tick = Tick(1 << 60);

/// A machine keeps a state for a millisecond at least: rules that send it back and forth, which depend on nothing that
/// changes, would otherwise do so at every tick, since decisions do not depend on how steps are cut.
pub const STATE_TIME_MIN: Tick = Tick(TICKS_PER_SECOND / 1000);

/// Clips that a sync space has room for; one that stands at many points counts once.
pub(super) const SYNC_CLIPS_MAX: usize = 64;

/// Speeds, lengths and the time of a graph are limited so that nothing overflows.
pub(super) fn bounded<T>(result: Result<T, TimeError>) -> T {
    result.unwrap_or_else(|error| unreachable!("clocks of a graph are bounded: {error}"))
}
