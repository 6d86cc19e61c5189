//! Oracle: clips that a test knows key by key, and a plain sampler of them in f64.

use glam::{DQuat, DVec3, Quat, Vec3};
use proptest::prelude::*;
use stillframe_anim::pose::Trs;
use stillframe_anim::sample::{DTrs, RawJoint};
use stillframe_anim::{Interpolation, Keyed, Property, RawClip, RawLayer, RawTrack, TrackValues, slerp};
use stillframe_base::tick::{TICKS_PER_SECOND, Tick};

/// A track as a test has made it: for `Cubic` with in-tangent, value and out-tangent a key, else with the value thrice.
#[derive(Clone, Debug)]
pub struct Track {
    pub node: usize,
    pub property: Property,
    pub interpolation: Interpolation,
    pub keys: Vec<(Tick, [Vec<f32>; 3])>,
}

#[derive(Clone, Debug)]
pub struct Clip {
    pub joints: Vec<RawJoint>,
    pub tracks: Vec<Track>,
    pub start: Tick,
    pub end: Tick,
}

impl Track {
    pub fn keyed(&self) -> Keyed {
        let values = self.keys.iter().flat_map(|(_, parts)| match self.interpolation {
            Interpolation::Cubic => parts.concat(),
            _ => parts[1].clone(),
        });
        let times = self.keys.iter().map(|(time, _)| *time).collect();
        Keyed::new(times, self.interpolation, self.keys[0].1[1].len(), values.collect()).expect("in order")
    }

    /// The key at or before a moment, found by asking each.
    pub fn place(&self, at: Tick) -> (usize, f64) {
        let Some(key) = self.keys.iter().rposition(|(time, _)| *time <= at) else { return (0, 0.0) };
        let Some((next, _)) = self.keys.get(key + 1) else { return (key, 0.0) };
        let time = self.keys[key].0;
        (key, (at.0 - time.0) as f64 / (next.0 - time.0) as f64)
    }

    /// The value so far after a key.
    pub fn value(&self, (key, along): (usize, f64)) -> Vec<f64> {
        let wide = |numbers: &Vec<f32>| numbers.iter().map(|x| f64::from(*x)).collect::<Vec<f64>>();
        let (time, [_, from, leave]) = &self.keys[key];
        if along == 0.0 || self.interpolation == Interpolation::Step {
            return wide(from);
        }
        let (next, [arrive, to, _]) = &self.keys[key + 1];
        let (from, to, leave, arrive) = (wide(from), wide(to), wide(leave), wide(arrive));
        let span_s = (next.0 - time.0) as f64 / TICKS_PER_SECOND as f64;
        let (t, t2, t3) = (along, along * along, along * along * along);
        (0..from.len())
            .map(|i| match self.interpolation {
                Interpolation::Cubic => {
                    (2.0 * t3 - 3.0 * t2 + 1.0) * from[i]
                        + (t3 - 2.0 * t2 + t) * span_s * leave[i]
                        + (3.0 * t2 - 2.0 * t3) * to[i]
                        + (t3 - t2) * span_s * arrive[i]
                }
                _ => from[i] + (to[i] - from[i]) * along,
            })
            .collect()
    }

    pub fn rotation(&self, (key, along): (usize, f64)) -> DQuat {
        let quat = |numbers: &[f64]| DQuat::from_slice(numbers).normalize();
        if self.interpolation == Interpolation::Linear && along != 0.0 {
            return slerp(quat(&self.value((key, 0.0))), quat(&self.value((key + 1, 0.0))), along);
        }
        quat(&self.value((key, along)))
    }
}

impl Clip {
    pub fn raw(&self) -> RawClip {
        let track = |track: &Track| RawTrack {
            node: track.node,
            property: track.property.clone(),
            values: TrackValues::Keyed(track.keyed()),
        };
        let layers = vec![RawLayer::base(self.tracks.iter().map(track).collect())];
        RawClip { name: "clip".into(), start: self.start, end: self.end, layers }
    }

    pub fn duration(&self) -> Tick {
        self.end - self.start
    }

    /// The pose of the nodes so many ticks from the start.
    pub fn pose(&self, at: Tick, nodes: &[usize]) -> Vec<DTrs> {
        let at = self.start + at.clamp(Tick::ZERO, self.duration());
        let of_node = |node: &usize| {
            let joint = self.joints.iter().find(|joint| joint.node == *node).expect("a joint");
            let mut pose = DTrs::from(joint.rest);
            pose.rotation = pose.rotation.normalize();
            for track in self.tracks.iter().filter(|track| track.node == *node) {
                let place = track.place(at);
                match track.property {
                    Property::Translation => pose.translation = DVec3::from_slice(&track.value(place)),
                    Property::Scale => pose.scale = DVec3::from_slice(&track.value(place)),
                    _ => pose.rotation = track.rotation(place),
                }
            }
            pose
        };
        nodes.iter().map(of_node).collect()
    }

    /// Every moment at which a track has a key, and the tick before.
    pub fn key_moments(&self) -> Vec<Tick> {
        let times = self.tracks.iter().flat_map(|track| &track.keys).map(|(time, _)| *time - self.start);
        times.flat_map(|time| [time, time - Tick(1)]).collect()
    }
}

pub fn ticks(seconds: f64) -> Tick {
    Tick::from_seconds(seconds)
}

fn rotation() -> impl Strategy<Value = Quat> {
    prop::array::uniform4(-1.0f32..1.0).prop_map(|[x, y, z, w]| Quat::from_xyzw(x, y, z, w + 0.01).normalize())
}

fn vec3(around: f32, size: f32) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-size..size).prop_map(move |v| Vec3::from_array(v) + around)
}

/// Key times: from one to eight, between 0.1 s before the clip's start and 0.1 s past its end.
fn times() -> impl Strategy<Value = Vec<Tick>> {
    prop::collection::btree_set((1i64..70).prop_map(|n| n * (TICKS_PER_SECOND / 60) + n % 7 * 1234), 1..8)
        .prop_map(|times| times.into_iter().map(Tick).collect())
}

fn track(node: usize, property: Property) -> impl Strategy<Value = Track> {
    let interpolation = prop::sample::select(vec![Interpolation::Step, Interpolation::Linear, Interpolation::Cubic]);
    let part = (rotation(), vec3(0.0, 1.0), -1.0f32..1.0, any::<bool>());
    let parts = prop::collection::vec((part, vec3(0.0, 2.0)), 8);
    (interpolation, times(), parts).prop_map(move |(interpolation, times, parts)| {
        let mut before = Quat::IDENTITY;
        let key = |(time, ((turn, vector, w, near), slope)): (Tick, ((Quat, Vec3, f32, bool), Vec3))| {
            let (value, slope) = match property {
                Property::Rotation => {
                    // Every other key is almost half a turn from the one before, or is it with the other sign.
                    let half = Quat::from_xyzw(turn.x + 0.01, turn.y, turn.z, w * 0.01).normalize();
                    let mut turn = if near { before * half } else { turn };
                    // A cubic between opposite signs goes through no rotation at all: files must not have it.
                    if interpolation == Interpolation::Cubic && turn.dot(before) < 0.0 {
                        turn = -turn;
                    }
                    before = turn;
                    let slope = slope * 0.3;
                    (turn.to_array().to_vec(), slope.extend(w * 0.3).to_array().to_vec())
                }
                Property::Scale => ((vector * 0.3 + 1.0).to_array().to_vec(), slope.to_array().to_vec()),
                _ => (vector.to_array().to_vec(), slope.to_array().to_vec()),
            };
            (time, [slope.clone(), value, slope.iter().map(|x| -x).collect()])
        };
        let keys = times.into_iter().zip(parts).map(key).collect();
        Track { node, property: property.clone(), interpolation, keys }
    })
}

/// A joint, given whether it is a root and which of the joints before is else its parent.
fn joint() -> impl Strategy<Value = (Trs, bool, prop::sample::Index)> {
    let rest = (vec3(0.0, 0.3), rotation(), vec3(1.0, 0.2));
    let rest = rest.prop_map(|(translation, rotation, scale)| Trs { translation, rotation, scale });
    (rest, prop::bool::weighted(0.1), any::<prop::sample::Index>())
}

/// Joints in any order.
pub fn joints(count: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<RawJoint>> {
    prop::collection::vec(joint(), count)
        .prop_map(|joints| {
            let node = |i: usize| i * 3 + 1;
            let joint = |(i, (rest, root, parent)): (usize, &(Trs, bool, prop::sample::Index))| RawJoint {
                node: node(i),
                name: format!("joint {i}"),
                parent: if i == 0 || *root { None } else { Some(node(parent.index(i))) },
                rest: *rest,
            };
            joints.iter().enumerate().map(joint).collect::<Vec<RawJoint>>()
        })
        .prop_shuffle()
}

pub fn clip() -> impl Strategy<Value = Clip> {
    joints(1..24).prop_flat_map(|joints| {
        let tracks: Vec<_> = joints
            .iter()
            .map(|joint| {
                let of = |property| prop::option::weighted(0.6, track(joint.node, property));
                (of(Property::Rotation), of(Property::Translation), of(Property::Scale))
            })
            .collect();
        (Just(joints), tracks, 0i64..8, 0i64..70).prop_map(|(joints, tracks, start, span)| {
            let tracks: Vec<Track> = tracks.into_iter().flat_map(|(r, t, s)| [r, t, s]).flatten().collect();
            let frame = TICKS_PER_SECOND / 60;
            let start = Tick(start * frame);
            // Also clips of no length.
            Clip { joints, tracks, start, end: start + Tick(span * frame) }
        })
    })
}
