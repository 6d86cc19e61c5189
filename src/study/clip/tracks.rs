//! Tracks: what the tracks of a clip move, by property, and which of them hold one value.

use std::collections::BTreeMap;

use stillframe_anim::{Curve, Interpolation, Property, RawTrack, Segment, TrackValues};
use stillframe_base::tick::Tick;

use super::super::motion::{Motion, tracks};
use super::PropertyFacts;
use crate::pose::track_key_times;

/// A number whose extent is less, relative to its size or to 1, is constant: half the last bit of an f32.
const STILL: f64 = 6e-8;

pub(super) fn is_morph(property: &Property) -> bool {
    matches!(property, Property::MorphWeights | Property::MorphWeight(_))
}

fn word(property: &Property) -> String {
    match property {
        Property::Translation => "translation".to_string(),
        Property::Rotation => "rotation".to_string(),
        Property::Scale => "scale".to_string(),
        Property::MorphWeights | Property::MorphWeight(_) => "morphs".to_string(),
        Property::Visibility => "visibility".to_string(),
        Property::Other(name) => name.clone(),
    }
}

/// What tracks there are, by property.
pub(super) fn properties(motion: &Motion<'_>) -> Vec<PropertyFacts> {
    let mut out: Vec<PropertyFacts> = Vec::new();
    let mut all: Vec<&RawTrack> = tracks(motion.clip()).collect();
    all.sort_by(|a, b| a.property.cmp(&b.property));
    for track in all {
        let name = word(&track.property);
        if out.last().is_none_or(|last| last.property != name) {
            out.push(PropertyFacts { property: name, tracks: 0, keys: 0, interpolation: BTreeMap::new() });
        }
        let Some(last) = out.last_mut() else { continue };
        last.tracks += 1;
        let mut note = |kind| *last.interpolation.entry(kind).or_insert(0) += 1;
        match &track.values {
            TrackValues::Keyed(keyed) => {
                last.keys += keyed.times().len();
                note(match keyed.interpolation() {
                    Interpolation::Step => "step",
                    Interpolation::Linear => "linear",
                    Interpolation::Cubic => "cubic",
                });
            }
            TrackValues::Components { curves, .. } => {
                last.keys += curves.iter().flatten().map(|curve| curve.keys.len()).sum::<usize>();
                curves.iter().flatten().for_each(|curve| note(curve_kind(curve)));
            }
        }
    }
    out
}

/// The kind of a curve's segments, or that they differ.
fn curve_kind(curve: &Curve) -> &'static str {
    let mut kinds: Vec<&str> = curve.keys[..curve.keys.len().saturating_sub(1)]
        .iter()
        .map(|key| match key.then {
            Segment::Step | Segment::StepNext => "step",
            Segment::Linear => "linear",
            Segment::Cubic => "cubic",
        })
        .collect();
    kinds.dedup();
    match kinds[..] {
        [] => "one key",
        [kind] => kind,
        _ => "mixed",
    }
}

/// The values of a track at a moment of the clip's own time.
fn values(track: &RawTrack, at: Tick) -> Vec<f64> {
    match &track.values {
        TrackValues::Keyed(keyed) => {
            let mut out = vec![0.0; keyed.width()];
            keyed.sample(at, &mut out);
            out
        }
        TrackValues::Components { curves, rest } => (0..curves.len().max(rest.len()))
            .map(|i| {
                let moved = curves.get(i).and_then(|curve| curve.as_ref()?.sample(at));
                moved.unwrap_or_else(|| rest.get(i).copied().unwrap_or(0.0))
            })
            .collect(),
    }
}

/// Moments of keys and some between them.
fn looked_at(track: &RawTrack) -> Vec<Tick> {
    let keys = track_key_times(&track.values);
    let between = keys.windows(2).flat_map(|pair| {
        (1..4).map(|step| Tick((i128::from(pair[0].0) + between(pair[0], pair[1], step, 4)) as i64)).collect::<Vec<_>>()
    });
    keys.iter().copied().chain(between).collect()
}

/// Ticks that `step` of `steps` is from one moment to another.
pub(super) fn between(from: Tick, to: Tick, step: i64, steps: i64) -> i128 {
    (i128::from(to.0) - i128::from(from.0)) * i128::from(step) / i128::from(steps)
}

/// Node and property of each track that holds one value.
pub(super) fn constant(motion: &Motion<'_>) -> Vec<(String, String)> {
    let holds = |track: &&RawTrack| {
        let Some(first) = track_key_times(&track.values).first().map(|first| values(track, *first)) else {
            return true;
        };
        let still = |(a, b): (&f64, &f64)| (a - b).abs() <= STILL * a.abs().max(b.abs()).max(1.0);
        looked_at(track).iter().all(|at| values(track, *at).iter().zip(&first).all(still))
    };
    let held = tracks(motion.clip()).filter(holds);
    held.map(|track| (motion.model.nodes[track.node].name.clone(), word(&track.property))).collect()
}
