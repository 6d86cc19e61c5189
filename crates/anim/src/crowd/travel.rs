//! Travel: how far actors go, from the same phases that their poses are looked up with.
//!
//! A track's phase counts loops, too, where it is not cut to 32 bits. Between two such phases lies a motion, whatever
//! was shown in between: a number of whole loops costs a power, so that a moment after a year costs what the first
//! second does, and seams add nothing.

use stillframe_base::tick::Tick;

use super::{SPEED_ONE, Track};
use crate::root::{Motion, RootTrack};

impl Track {
    /// Where in the clip it is at a moment, in 2^-32 of the clip's length, with the loops before: the lower 32 bits are
    /// [`Track::phase_at`] of [`clip_phase`](super::clip_phase), to the bit. The phase alone for a clip of no length.
    ///
    /// Loops are counted from the one that the track is in at time 0.
    pub fn unwrapped_phase(&self, now: Tick, length: Tick) -> i128 {
        let span = i128::from(length.0) * i128::from(SPEED_ONE);
        // Both below 2^63, so that the product fits.
        let loops = if span <= 0 { 0 } else { (i128::from(now.0) << 32).div_euclid(span) };
        i128::from(self.phase) + loops * i128::from(self.speed)
    }
}

/// The motion of a clip between two unwrapped phases, in the actor's frame at the first.
pub fn travel_between(root: &RootTrack, from: i128, to: i128) -> Motion {
    let length = i128::from(root.duration().0);
    let at = |phase: i128| root.travel(Tick(((length * (phase & 0xffff_ffff)) >> 32) as i64));
    let loops = (to >> 32) - (from >> 32);
    if loops == 0 {
        return at(from).until(at(to));
    }
    // From one loop's first moment to the next one's.
    let seam = root.travel(root.duration());
    at(from).until(seam.power(loops).then(at(to)))
}
