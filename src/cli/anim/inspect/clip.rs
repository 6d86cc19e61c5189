//! Clip: what is found out about one.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DQuat, DVec3};
use serde::Serialize;
use stillframe_anim::sample::{DTrs, Worst};
use stillframe_anim::{Curve, Interpolation, Keyed, Property, RawTrack, Segment, TrackValues};
use stillframe_base::tick::{FrameRate, Tick};

use super::super::motion::{Motion, angle_deg, heading_deg, moves_node, tracks, yaw_deg};
use super::bounds::{self, Bounds};
use crate::import::{EulerOrder, Local, euler};
use crate::pose::track_key_times;

/// Frames a second that clips are measured at, and that lengths are told in.
pub const FRAMES_PER_SECOND: u32 = 30;

/// Frames a second that baking is tried at.
const BAKED_AT: [u32; 3] = [15, 30, 60];

/// From here on, which way round a rotation goes is nearly chance.
const UNDECIDED_DEG: f64 = 170.0;

/// Keys of round angles are not exact.
const SLACK_DEG: f64 = 1e-3;

/// Steps in which the way from a key to the next is followed.
const STEPS_PER_KEY: i64 = 16;

/// Sides of a scale that differ by less, relative to the larger, are one.
const EVEN: f64 = 1e-4;

/// A number whose extent is less, relative to its size or to 1, is constant: half the last bit of an f32.
const STILL: f64 = 6e-8;

#[derive(Debug, Serialize)]
pub struct ClipFacts {
    pub name: String,
    pub start_s: f64,
    pub duration_s: f64,
    /// At [`FRAMES_PER_SECOND`], the last one included.
    pub frames: usize,
    pub layers: usize,
    /// Nodes of skins that tracks move, other nodes, and nodes whose morphs do.
    pub joints_moved: Vec<String>,
    pub nodes_moved: Vec<String>,
    pub morphs_moved: Vec<String>,
    /// By property.
    pub tracks: Vec<PropertyFacts>,
    /// Tracks that hold one value: node and property.
    pub constant: Vec<(String, String)>,
    pub turns: Turns,
    /// Keys written with the other sign than the one before, though less than half a turn away.
    pub sign_flips: usize,
    pub scale_not_uniform: Vec<String>,
    pub scale_negative: Vec<String>,
    pub baked: Vec<Baked>,
    /// Why it cannot be baked.
    pub not_baked: Option<String>,
    pub root: Option<Root>,
    pub seam: Seam,
    /// In the model's space; none where nothing is drawn, or not known.
    pub bounds: Option<Bounds>,
    /// Why there are none.
    pub no_bounds: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct PropertyFacts {
    pub property: String,
    pub tracks: usize,
    pub keys: usize,
    /// Tracks, or curves where components are curves of their own, by kind.
    pub interpolation: BTreeMap<&'static str, usize>,
}

/// How far rotations turn from a key to the next.
#[derive(Debug, Default, Serialize)]
pub struct Turns {
    pub over_30_deg: usize,
    pub over_90_deg: usize,
    pub undecided: usize,
    pub worst: Option<Place>,
    /// Keys that a step comes to, from another rotation.
    pub jumps: usize,
    /// The largest of these.
    pub jump_worst: Option<Place>,
}

/// A number and where it was found.
#[derive(Clone, Debug, Serialize)]
pub struct Place {
    pub value: f64,
    pub joint: String,
    pub at_s: f64,
}

#[derive(Debug, Serialize)]
pub struct Baked {
    pub frames_per_second: u32,
    pub frames: usize,
    pub bytes: usize,
    /// The same poses as f32.
    pub raw_bytes: usize,
    /// Of points 3 cm from a joint, in the model's space.
    pub worst_mm: Place,
    pub rotation_deg: Place,
    /// Largest turn from a frame to the next.
    pub frame_turn_deg: Place,
}

/// What a loop does to the joint that carries the others.
#[derive(Debug, Serialize)]
pub struct Root {
    pub joint: String,
    /// Over the ground, from the first pose to the last.
    pub travel_m: f64,
    /// 0 is +Z, 90 is +X; none where it comes back.
    pub heading_deg: Option<f64>,
    pub rise_m: f64,
    /// About the model's up axis.
    pub turn_deg: f64,
    /// Length of the way over the ground.
    pub path_m: f64,
    pub speed_m_s: Option<f64>,
}

/// The last pose beside the first, what the root has travelled taken out.
#[derive(Debug, Serialize)]
pub struct Seam {
    pub rotation_deg: Place,
    pub position_mm: Place,
}

pub fn facts(motion: &Motion<'_>) -> ClipFacts {
    let clip = motion.clip();
    let duration_s = motion.duration.seconds();
    let of_skins: BTreeSet<usize> =
        motion.model.skins.iter().flat_map(|skin| &skin.joints).map(|joint| joint.node).collect();
    let moved = |wanted: &dyn Fn(&RawTrack) -> bool| {
        let nodes: BTreeSet<usize> = tracks(clip).filter(|track| wanted(track)).map(|track| track.node).collect();
        nodes.into_iter().map(|node| motion.model.nodes[node].name.clone()).collect()
    };
    let root = motion.root();
    let (scale_not_uniform, scale_negative) = scales(motion);
    let baked: Result<Vec<Baked>, String> = BAKED_AT.iter().map(|rate| baked(motion, *rate)).collect();
    let not_baked = baked.as_ref().err().cloned();
    let (bounds, no_bounds) = match bounds::of(motion) {
        Ok(bounds) => (Some(bounds), None),
        Err(why) => (None, Some(why)),
    };
    ClipFacts {
        name: clip.name.clone(),
        start_s: clip.start.seconds(),
        duration_s,
        frames: motion.duration.frame(FrameRate::whole(FRAMES_PER_SECOND)) as usize + 1,
        layers: clip.layers.len(),
        joints_moved: moved(&|track| moves_node(&track.property) && of_skins.contains(&track.node)),
        nodes_moved: moved(&|track| moves_node(&track.property) && !of_skins.contains(&track.node)),
        morphs_moved: moved(&|track| is_morph(&track.property)),
        tracks: properties(motion),
        constant: constant(motion),
        turns: turns(motion),
        sign_flips: tracks(clip).filter(|track| track.property == Property::Rotation).map(sign_flips).sum(),
        scale_not_uniform,
        scale_negative,
        baked: baked.unwrap_or_default(),
        not_baked,
        root: root.map(|root| travel(motion, root)),
        seam: seam(motion, root),
        bounds,
        no_bounds,
    }
}

fn is_morph(property: &Property) -> bool {
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

fn properties(motion: &Motion<'_>) -> Vec<PropertyFacts> {
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
fn between(from: Tick, to: Tick, step: i64, steps: i64) -> i128 {
    (i128::from(to.0) - i128::from(from.0)) * i128::from(step) / i128::from(steps)
}

fn constant(motion: &Motion<'_>) -> Vec<(String, String)> {
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

/// How far each key of each rotation turns on its way to the next.
fn turns(motion: &Motion<'_>) -> Turns {
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

fn sign_flips(track: &RawTrack) -> usize {
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

/// Joints whose scale is uneven, and those whose scale mirrors, at some frame.
fn scales(motion: &Motion<'_>) -> (Vec<String>, Vec<String>) {
    let mut found = vec![[false; 2]; motion.skeleton.joint_count()];
    for at in frames(motion) {
        for (found, DTrs { scale, .. }) in found.iter_mut().zip(motion.locals(at)) {
            let size = scale.abs();
            found[0] |= size.max_element() - size.min_element() > EVEN * size.max_element();
            found[1] |= scale.min_element() < 0.0;
        }
    }
    let named = |which: usize| {
        let joints = (0..found.len()).filter(|joint| found[*joint][which]);
        joints.map(|joint| motion.name(joint).to_string()).collect()
    };
    (named(0), named(1))
}

/// Moments a frame apart, the clip's end included.
fn frames(motion: &Motion<'_>) -> Vec<Tick> {
    let count = motion.duration.seconds() * f64::from(FRAMES_PER_SECOND);
    // More are no more precise.
    motion.moments((count.ceil() as usize + 1).min(100_000))
}

fn baked(motion: &Motion<'_>, frames_per_second: u32) -> Result<Baked, String> {
    let (_, report) = motion.bake(FrameRate::whole(frames_per_second))?;
    let place = |worst: Worst, scale: f64| Place {
        value: worst.value * scale,
        joint: if motion.skeleton.joint_count() == 0 { String::new() } else { motion.name(worst.joint).to_string() },
        at_s: worst.at.seconds(),
    };
    Ok(Baked {
        frames_per_second,
        frames: report.frame_count,
        bytes: report.bytes,
        raw_bytes: report.raw_bytes(),
        worst_mm: place(report.object_m, 1000.0),
        rotation_deg: place(report.rotation_deg, 1.0),
        frame_turn_deg: place(report.key_angle_deg, 1.0),
    })
}

fn travel(motion: &Motion<'_>, root: usize) -> Root {
    let places: Vec<_> = frames(motion).into_iter().map(|at| motion.models(&motion.locals(at))[root]).collect();
    let (first, last) = (places[0], places[places.len() - 1]);
    let level = |v: DVec3| DVec3::new(v.x, 0.0, v.z);
    let way = last.translation - first.translation;
    let travel_m = level(way).length();
    let turned = |a: &glam::DAffine3| a.to_scale_rotation_translation().1;
    let path = places.windows(2).map(|pair| level(pair[1].translation - pair[0].translation).length());
    let duration_s = motion.duration.seconds();
    Root {
        joint: motion.name(root).to_string(),
        travel_m,
        heading_deg: (travel_m > TRAVEL_MIN_M).then(|| heading_deg(way)),
        rise_m: way.y,
        turn_deg: yaw_deg(turned(&last) * turned(&first).inverse()),
        path_m: path.sum(),
        speed_m_s: (duration_s > 0.0).then(|| travel_m / duration_s),
    }
}

/// A root that ends nearer to where it began has come back.
pub const TRAVEL_MIN_M: f64 = 1e-3;

fn seam(motion: &Motion<'_>, root: Option<usize>) -> Seam {
    let [first, last] = [Tick::ZERO, motion.duration].map(|at| motion.locals(at));
    let [from, to] = [&first, &last].map(|locals| motion.models(locals));
    // What is above the root travels with it.
    let counts = |joint: usize| root.is_none_or(|root| joint > root);
    let carried = |models: &[glam::DAffine3], joint: usize| match root {
        Some(root) => models[root].inverse().transform_point3(models[joint].translation),
        None => models[joint].translation,
    };
    let (mut rotation, mut position) = (Worst::default(), Worst::default());
    let note = |worst: &mut Worst, value: f64, joint: usize| {
        if value > worst.value {
            *worst = Worst { value, joint, at: motion.duration };
        }
    };
    for joint in (0..first.len()).filter(|joint| counts(*joint)) {
        note(&mut rotation, angle_deg(first[joint].rotation, last[joint].rotation), joint);
        note(&mut position, carried(&from, joint).distance(carried(&to, joint)), joint);
    }
    let place = |worst: Worst, scale: f64| Place {
        value: worst.value * scale,
        joint: if first.is_empty() { String::new() } else { motion.name(worst.joint).to_string() },
        at_s: worst.at.seconds(),
    };
    Seam { rotation_deg: place(rotation, 1.0), position_mm: place(position, 1000.0) }
}
