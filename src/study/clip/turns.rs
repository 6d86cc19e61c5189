//! Turns: how far rotations turn from a key to the next, where they jump, and keys written with the other sign.

use glam::{DQuat, DVec3};
use stillframe_anim::sample::Worst;
use stillframe_anim::{Interpolation, Keyed, Property, RawTrack, TrackValues};
use stillframe_base::tick::Tick;

use super::super::motion::{Motion, angle_deg, tracks};
use super::tracks::between;
use super::{Place, Turns};
use crate::import::{EulerOrder, Local, euler};
use crate::pose::track_key_times;

/// From here on, which way round a rotation goes is nearly chance.
const UNDECIDED_DEG: f64 = 170.0;

/// Keys of round angles are not exact.
const SLACK_DEG: f64 = 1e-3;

/// Steps in which the way from a key to the next is followed.
const STEPS_PER_KEY: i64 = 16;

/// How far each key of each rotation turns on its way to the next.
pub(super) fn turns(motion: &Motion<'_>) -> Turns {
    let mut out = Turns::default();
    let (mut worst, mut jump) = (Worst::default(), Worst::default());
    for track in tracks(motion.clip()).filter(|track| track.property == Property::Rotation) {
        let order = match &motion.model.nodes[track.node].local {
            Local::Stack(stack) => stack.order,
            _ => EulerOrder::Xyz,
        };
        for pair in track_key_times(&track.values).windows(2) {
            let turned = turn(&track.values, order, pair[0], pair[1]);
            out.over_30_deg += usize::from(turned > 30.0 + SLACK_DEG);
            out.over_90_deg += usize::from(turned > 90.0 + SLACK_DEG);
            let short_way =
                matches!(&track.values, TrackValues::Keyed(k) if k.interpolation() == Interpolation::Linear);
            out.undecided += usize::from(short_way && turned > UNDECIDED_DEG);
            if turned > worst.value {
                worst = Worst { value: turned, joint: track.node, at: pair[1] };
            }
            if let TrackValues::Keyed(keyed) = &track.values {
                // A tick before the key there is still what a step keeps.
                let before = keyed.sample_rotation(pair[1] - Tick(1));
                let jumped = match keyed.interpolation() {
                    Interpolation::Step => angle_deg(before, keyed.sample_rotation(pair[1])),
                    _ => 0.0,
                };
                out.jumps += usize::from(jumped > SLACK_DEG);
                if jumped > jump.value.max(SLACK_DEG) {
                    jump = Worst { value: jumped, joint: track.node, at: pair[1] };
                }
            }
        }
    }
    let place = |worst: Worst| {
        (worst.value > 0.0).then(|| Place {
            value: worst.value,
            joint: motion.model.nodes[worst.joint].name.clone(),
            at_s: worst.at.seconds() - motion.clip().start.seconds(),
        })
    };
    (out.worst, out.jump_worst) = (place(worst), place(jump));
    out
}

/// Degrees on the way from one moment to another; a step does not turn, it jumps.
fn turn(values: &TrackValues, order: EulerOrder, from: Tick, to: Tick) -> f64 {
    let at = |tick: Tick| -> DQuat {
        match values {
            TrackValues::Keyed(keyed) => keyed.sample_rotation(tick),
            TrackValues::Components { curves, rest } => {
                let angle = |i: usize| {
                    let moved = curves.get(i).and_then(|curve| curve.as_ref()?.sample(tick));
                    moved.unwrap_or_else(|| rest.get(i).copied().unwrap_or(0.0))
                };
                euler(DVec3::new(angle(0), angle(1), angle(2)), order)
            }
        }
    };
    let steps = match values {
        TrackValues::Keyed(keyed) if keyed.interpolation() == Interpolation::Step => return 0.0,
        // Along the shortest arc.
        TrackValues::Keyed(keyed) if keyed.interpolation() == Interpolation::Linear => 1,
        _ => STEPS_PER_KEY,
    };
    let way: Vec<DQuat> =
        (0..=steps).map(|step| at(Tick((i128::from(from.0) + between(from, to, step, steps)) as i64))).collect();
    way.windows(2).map(|pair| angle_deg(pair[0], pair[1])).sum()
}

/// Keys of a rotation whose numbers have the other sign than those of the key before.
pub(super) fn sign_flips(track: &RawTrack) -> usize {
    let flips = |keyed: &Keyed| {
        let dot = |key: usize| {
            let products = keyed.value(key - 1).iter().zip(keyed.value(key));
            products.map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>()
        };
        (1..keyed.times().len()).filter(|key| dot(*key) < 0.0).count()
    };
    match &track.values {
        TrackValues::Keyed(keyed) => flips(keyed),
        TrackValues::Components { .. } => 0,
    }
}
