//! Raw: the pose that a raw clip has at a moment, in f64; what baking reads and is measured against.

use std::collections::BTreeMap;

use glam::{DQuat, DVec3};
use stillframe_base::tick::Tick;

use super::{ClipError, Skeleton};
use crate::pose::Trs;
use crate::{Curve, Interpolation, Property, RawClip, TrackValues, slerp};

/// Translation, rotation and scale of one joint relative to its parent, in f64.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DTrs {
    pub translation: DVec3,
    pub rotation: DQuat,
    pub scale: DVec3,
}

impl From<Trs> for DTrs {
    fn from(from: Trs) -> DTrs {
        DTrs {
            translation: from.translation.as_dvec3(),
            rotation: from.rotation.as_dquat(),
            scale: from.scale.as_dvec3(),
        }
    }
}

/// The tracks of a clip that move joints of a skeleton, checked.
pub struct RawPose<'a> {
    start: Tick,
    duration: Tick,
    /// The skeleton's, and what tracks that say the same at all times make of it.
    rest: Vec<DTrs>,
    /// All tracks, those that move first.
    tracks: Vec<(u16, &'a Property, &'a TrackValues)>,
    moving_count: usize,
}

impl<'a> RawPose<'a> {
    /// Tracks of nodes that are no joints, and of other properties, are left out.
    pub fn new(clip: &'a RawClip, skeleton: &Skeleton) -> Result<RawPose<'a>, ClipError> {
        let span = ClipError::Span { start: clip.start, end: clip.end };
        let duration = Tick(clip.end.0.checked_sub(clip.start.0).filter(|ticks| *ticks >= 0).ok_or(span)?);
        let [layer] = clip.layers.as_slice() else {
            return Err(ClipError::Layers { count: clip.layers.len() });
        };
        let mut tracks = Vec::new();
        let mut moving = 0;
        let mut seen = BTreeMap::new();
        for (number, track) in layer.tracks.iter().enumerate() {
            let want = match track.property {
                Property::Translation | Property::Scale => 3,
                Property::Rotation => 4,
                _ => continue,
            };
            moving += 1;
            let Some(joint) = skeleton.joint_of_node(track.node) else { continue };
            check(number, want, &track.values)?;
            if let Some(first) = seen.insert((joint, &track.property), number) {
                return Err(ClipError::Twice { first, second: number });
            }
            tracks.push((joint, &track.property, &track.values));
        }
        if tracks.is_empty() && moving > 0 {
            return Err(ClipError::OtherSkeleton { tracks: moving });
        }
        let rest = skeleton.rest().iter().map(|rest| DTrs::from(*rest)).collect();
        let (moving, still): (Vec<_>, Vec<_>) = tracks.into_iter().partition(|(_, _, values)| !is_constant(values));
        let mut pose = RawPose { start: clip.start, duration, rest, moving_count: moving.len(), tracks: moving };
        for (joint, property, values) in &still {
            set(&mut pose.rest[usize::from(*joint)], property, values, clip.start);
        }
        pose.tracks.extend(still);
        Ok(pose)
    }

    pub fn duration(&self) -> Tick {
        self.duration
    }

    /// Writes the pose `at` ticks from the clip's start; before it and after its end, that of the nearer one.
    ///
    /// Shapes: `out` has an entry a joint.
    pub fn sample(&self, at: Tick, out: &mut [DTrs]) {
        out.copy_from_slice(&self.rest);
        let at = self.start + at.clamp(Tick::ZERO, self.duration);
        for (joint, property, values) in &self.tracks[..self.moving_count] {
            set(&mut out[usize::from(*joint)], property, values, at);
        }
    }

    /// When tracks have keys, from the clip's start, in order; those outside the clip left out.
    pub fn key_times(&self) -> Vec<Tick> {
        let mut times: Vec<Tick> = Vec::new();
        // Exporters give all tracks the same times.
        let mut before: &[Tick] = &[];
        for (_, _, values) in &self.tracks {
            match values {
                TrackValues::Keyed(keyed) if keyed.times() == before => {}
                TrackValues::Keyed(keyed) => {
                    before = keyed.times();
                    times.extend(before);
                }
                TrackValues::Components { curves, .. } => {
                    times.extend(curves.iter().flatten().flat_map(|curve| &curve.keys).map(|key| key.time));
                }
            }
        }
        times.retain(|time| (self.start..=self.start + self.duration).contains(time));
        times.iter_mut().for_each(|time| *time -= self.start);
        times.sort_unstable();
        times.dedup();
        times
    }

    /// Keys of rotations that are turned by less than half a turn from the one before, but written with the other sign.
    pub fn sign_flips(&self) -> usize {
        let flips = |values: &TrackValues| match values {
            TrackValues::Keyed(keyed) => (1..keyed.times().len())
                .filter(|&key| {
                    let products = keyed.value(key - 1).iter().zip(keyed.value(key));
                    products.map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>() < 0.0
                })
                .count(),
            TrackValues::Components { .. } => 0,
        };
        let rotations = self.tracks.iter().filter(|(_, property, _)| **property == Property::Rotation);
        rotations.map(|(_, _, values)| flips(values)).sum()
    }
}

fn set(out: &mut DTrs, property: &Property, values: &TrackValues, at: Tick) {
    match (property, values) {
        (Property::Rotation, TrackValues::Keyed(keyed)) => out.rotation = keyed.sample_rotation(at),
        (Property::Translation, values) => out.translation = vector(values, at),
        (Property::Scale, values) => out.scale = vector(values, at),
        _ => unreachable!("`new` takes no other tracks"),
    }
}

/// Whether a track has the same bits at all times, as exporters write joints that do not move. Not all that do are
/// found.
fn is_constant(values: &TrackValues) -> bool {
    let TrackValues::Keyed(keyed) = values else { return false };
    let first = keyed.value(0);
    if keyed.interpolation() == Interpolation::Cubic || (1..keyed.times().len()).any(|key| keyed.value(key) != first) {
        return false;
    }
    // Between keys zeros lose their sign, and rotations are made unit a second time.
    match keyed.width() {
        4 => {
            let at_key = keyed.sample_rotation(keyed.times()[0]);
            slerp(at_key, at_key, 0.5).to_array() == at_key.to_array()
        }
        _ => first.iter().all(|number| *number != 0.0 || number.is_sign_positive()),
    }
}

fn vector(values: &TrackValues, at: Tick) -> DVec3 {
    let mut out = [0.0; 3];
    match values {
        TrackValues::Keyed(keyed) => keyed.sample(at, &mut out),
        TrackValues::Components { curves, rest } => {
            for (i, out) in out.iter_mut().enumerate() {
                let moved = curves.get(i).and_then(|curve| curve.as_ref()?.sample(at));
                *out = moved.unwrap_or_else(|| rest.get(i).copied().unwrap_or(0.0));
            }
        }
    }
    DVec3::from_array(out)
}

/// Raw types are open to whoever fills them, so nothing about them is certain.
fn check(track: usize, want: usize, values: &TrackValues) -> Result<(), ClipError> {
    match values {
        TrackValues::Keyed(keyed) => {
            if keyed.width() != want {
                return Err(ClipError::Width { track, width: keyed.width(), want });
            }
            // What was read back has not been through `Keyed::new`.
            if keyed.times().is_empty() {
                return Err(ClipError::NoKeys { track });
            }
            check_order(track, keyed.times().iter().copied())?;
            let finite = |key: &usize| keyed.value(*key).iter().all(|number| number.is_finite());
            match (0..keyed.times().len()).find(|key| !finite(key)) {
                Some(key) => Err(ClipError::NotFinite { track, key }),
                None => Ok(()),
            }
        }
        TrackValues::Components { .. } if want == 4 => Err(ClipError::Angles { track }),
        TrackValues::Components { curves, rest } => {
            if curves.len() > want || rest.len() > want {
                return Err(ClipError::Width { track, width: curves.len().max(rest.len()), want });
            }
            curves.iter().flatten().try_for_each(|curve| check_curve(track, curve))
        }
    }
}

fn check_curve(track: usize, curve: &Curve) -> Result<(), ClipError> {
    check_order(track, curve.keys.iter().map(|key| key.time))?;
    let bad = curve.keys.iter().position(|key| {
        let tangents = [key.arrive.slope, key.arrive.weight, key.leave.slope, key.leave.weight];
        !key.value.is_finite() || tangents.iter().any(|number| !number.is_finite())
    });
    bad.map_or(Ok(()), |key| Err(ClipError::NotFinite { track, key }))
}

fn check_order(track: usize, times: impl Iterator<Item = Tick> + Clone) -> Result<(), ClipError> {
    let late = times.clone().zip(times.skip(1)).position(|(a, b)| a >= b);
    late.map_or(Ok(()), |at| Err(ClipError::Order { track, key: at + 1 }))
}
