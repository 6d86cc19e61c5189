//! Keys: when something in a clip may bend or jump.

use stillframe_anim::{RawClip, TrackValues};
use stillframe_base::tick::Tick;

/// Moments of all keys of a clip, those of layers' weights included, from its start; in order, each once. None lie
/// outside of it.
pub fn key_times(clip: &RawClip) -> Vec<Tick> {
    let mut times: Vec<Tick> = Vec::new();
    for layer in &clip.layers {
        times.extend(layer.weight.keys.iter().map(|key| key.time));
        for track in &layer.tracks {
            times.extend(track_key_times(&track.values));
        }
    }
    times.retain(|time| (clip.start..=clip.end).contains(time));
    times.iter_mut().for_each(|time| *time = Tick(time.0.saturating_sub(clip.start.0)));
    times.sort_unstable();
    times.dedup();
    times
}

/// Moments of a track's keys, in order; of curves each once.
pub fn track_key_times(values: &TrackValues) -> Vec<Tick> {
    match values {
        TrackValues::Keyed(keyed) => keyed.times().to_vec(),
        TrackValues::Components { curves, .. } => {
            let mut times: Vec<Tick> =
                curves.iter().flatten().flat_map(|curve| &curve.keys).map(|key| key.time).collect();
            times.sort_unstable();
            times.dedup();
            times
        }
    }
}
