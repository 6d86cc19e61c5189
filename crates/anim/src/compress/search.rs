//! Search: how much of the bound each track of a segment may use up.
//!
//! Budgets start in proportion to one over the root of the chains that end below a joint: where errors add up as those
//! of chance do and each halving costs a bit, that is where the sum of bits is least. Then, in the first segment, a few
//! times, every budget grows or shrinks by how far the worst joint below is from the bound, and what was cheapest
//! within the bound is kept. The next segment starts where the one before ended, and takes the first that is within the
//! bound; until then budgets shrink.
//!
//! Tried and dropped: following the errors in every segment, 1.3 to 1.6 times the work and 4 % larger, since budgets
//! near the root drift up.

use super::segment::{Encoded, Rig, Scratch, SegmentSource, encode};
use crate::pose::NO_PARENT;

/// Tries of the first segment with budgets that follow the errors; all others only shrink.
const TRIES_FIRST: usize = 10;
const SHRINKS: usize = 24;
const LOW: f64 = 0.4;
const HIGH: f64 = 4.0;

/// Budgets to begin with.
pub(super) fn first_budgets_m(rig: &Rig<'_>, bound_m: f64) -> Vec<f64> {
    let mut ends = vec![0.0_f64; rig.parents.len()];
    for joint in (0..rig.parents.len()).rev() {
        ends[joint] = ends[joint].max(1.0);
        if rig.parents[joint] != NO_PARENT {
            ends[usize::from(rig.parents[joint])] += ends[joint];
        }
    }
    rig.tracks.iter().map(|track| 0.4 * bound_m / ends[usize::from(track.joint)].sqrt()).collect()
}

/// The cheapest codes found whose errors at frames are within the bound.
pub(super) fn search(
    rig: &Rig<'_>,
    source: &SegmentSource,
    bound_m: f64,
    budgets_m: &mut Vec<f64>,
    first: bool,
    scratch: &mut Scratch,
) -> Option<Encoded> {
    let mut best: Option<(Encoded, Vec<f64>)> = None;
    let first_m = first_budgets_m(rig, bound_m);
    budgets_m.iter_mut().zip(&first_m).for_each(|(budget, first)| *budget = budget.clamp(LOW * first, HIGH * first));
    let mut below_m = vec![0.0; rig.parents.len()];
    for attempt in 0..SHRINKS {
        let encoded = encode(rig, source, budgets_m, scratch)?;
        let worst_m = encoded.errors_m.iter().copied().fold(0.0, f64::max);
        below_m.copy_from_slice(&encoded.errors_m);
        for joint in (0..rig.parents.len()).rev() {
            if rig.parents[joint] != NO_PARENT {
                let parent = usize::from(rig.parents[joint]);
                below_m[parent] = f64::max(below_m[parent], below_m[joint]);
            }
        }
        let within = worst_m <= bound_m;
        if within && best.as_ref().is_none_or(|(best, _)| encoded.bits < best.bits) {
            best = Some((encoded, budgets_m.clone()));
        }
        let tries = if first { TRIES_FIRST } else { 1 };
        if attempt + 1 >= tries && best.is_some() {
            break;
        }
        let least = if attempt + 1 >= tries { 0.5 } else { 0.7 };
        let most = if attempt + 1 >= tries { 1.0 } else { 1.5 };
        for ((budget, track), first) in budgets_m.iter_mut().zip(&rig.tracks).zip(&first_m) {
            let room = 0.96 * bound_m / below_m[usize::from(track.joint)].max(1e-3 * bound_m);
            *budget *= room.clamp(least, most);
            if attempt + 1 < tries {
                *budget = budget.clamp(LOW * first, HIGH * first);
            }
        }
    }
    let (best, budgets) = best?;
    *budgets_m = budgets;
    Some(best)
}
