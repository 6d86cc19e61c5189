//! Whole clips: baked and played, within what the report says, to the same bits however frames are found and lanes are
//! wide.

use glam::{DAffine3, DQuat, DVec3};
use stillframe_anim::pose::{JointBlock, NO_PARENT};
use stillframe_anim::sample::{
    Baking, ClipError, ClipReport, DTrs, Sample, Skeleton, UniformClip, VIRTUAL_VERTEX_M, bake_raw,
};
use stillframe_anim::{Curve, Property, RawClip, RawLayer, RawTrack, TrackValues};
use stillframe_base::lanes::Isa;
use stillframe_base::tick::{FrameRate, TICKS_PER_SECOND, Tick};

use super::keyed::{RawKeys, turn_rad};
use super::pose::bits;
use super::{ClipMistake, compressed, curve, keyed, must, skeleton};
use crate::Choices;

/// Joints times frames that are baked here; and what is refused anyway.
const SAMPLES_MAX: i128 = 1 << 14;
const REFUSED: i128 = 1 << 25;

/// The same of what is compressed, and how long it may be: what frames cannot follow is looked at moment by moment.
const COMPRESSED_MAX: usize = 1 << 8;
const COMPRESSED_S_MAX: i128 = 2;

/// What moves a property, as the slow sampler reads it.
#[derive(Clone, Debug)]
enum Moving {
    Keys(RawKeys),
    Curves(Vec<Option<Curve>>, Vec<f64>),
}

#[derive(Clone, Debug)]
struct Track {
    node: usize,
    property: Property,
    moving: Moving,
}

fn track(choices: &mut Choices<'_>, nodes: &[usize]) -> Option<Track> {
    let node = if choices.one_in(20) || nodes.is_empty() { 2 } else { *choices.pick(nodes) };
    let property =
        choices.pick(&[Property::Rotation, Property::Translation, Property::Scale, Property::Visibility]).clone();
    let mut width = if property == Property::Rotation { 4 } else { 3 };
    if choices.one_in(60) {
        width = 1 + choices.below(5) as usize;
    }
    let moving = if choices.weighted(&[3, 1]) == 0 {
        let keys = keyed::draw(choices, width);
        // Those that are refused at once are the business of the keys' own check.
        keys.keyed().ok()?;
        Moving::Keys(keys)
    } else {
        let curves = (0..width.min(4)).map(|_| choices.one_in(2).then(|| curve::draw(choices))).collect();
        Moving::Curves(curves, (0..choices.below(4)).map(|_| f64::from(super::number(choices))).collect())
    };
    Some(Track { node, property, moving })
}

impl Track {
    fn raw(&self) -> RawTrack {
        let values = match &self.moving {
            Moving::Keys(keys) => TrackValues::Keyed(keys.keyed().expect("made before")),
            Moving::Curves(curves, rest) => TrackValues::Components { curves: curves.clone(), rest: rest.clone() },
        };
        RawTrack { node: self.node, property: self.property.clone(), values }
    }

    fn vector(&self, at: Tick) -> DVec3 {
        match &self.moving {
            Moving::Keys(keys) => DVec3::from_slice(&keys.sample(at).0),
            Moving::Curves(curves, rest) => DVec3::from_array(std::array::from_fn(|i| {
                let moved = curves.get(i).and_then(|curve| curve.as_ref()?.sample(at));
                moved.or(rest.get(i).copied()).unwrap_or(0.0)
            })),
        }
    }
}

/// The pose at a moment. None where a rotation hangs on rounding.
fn pose(skeleton: &Skeleton, tracks: &[Track], at: Tick) -> Option<Vec<DTrs>> {
    let of_joint = |(node, rest): (&usize, &stillframe_anim::pose::Trs)| {
        let mut pose = DTrs::from(*rest);
        pose.rotation = pose.rotation.normalize();
        for track in tracks.iter().filter(|track| track.node == *node) {
            match (&track.property, &track.moving) {
                (Property::Translation, _) => pose.translation = track.vector(at),
                (Property::Scale, _) => pose.scale = track.vector(at),
                (Property::Rotation, Moving::Keys(keys)) => pose.rotation = keys.rotation(at)?,
                _ => {}
            }
        }
        Some(pose)
    };
    skeleton.nodes().iter().zip(skeleton.rest()).map(of_joint).collect()
}

fn play(isa: Isa, clip: &UniformClip, at: Tick) -> Vec<JointBlock> {
    let mut out = vec![JointBlock::IDENTITY; JointBlock::count_for(clip.joint_count())];
    Sample { isa, clip, at, out: &mut out }.run();
    out
}

pub fn check(choices: &mut Choices<'_>, mistake: Option<ClipMistake>) -> Result<(), String> {
    let count = choices.weighted(&[1, 8, 8, 8, 4, 2]) + if choices.one_in(10) { 16 } else { 0 };
    let joints = skeleton::draw(choices, count, false);
    let Ok(skeleton) = Skeleton::new(&joints) else { return Ok(()) };
    let tracks: Vec<Track> = (0..choices.below(5)).filter_map(|_| track(choices, skeleton.nodes())).collect();
    let key_times = tracks.iter().flat_map(|track| match &track.moving {
        Moving::Keys(keys) => keys.times.clone(),
        Moving::Curves(curves, _) => curves.iter().flatten().flat_map(|c| &c.keys).map(|key| key.time).collect(),
    });
    let key_times: Vec<Tick> = key_times.collect();
    let (mut start, mut end) = match choices.weighted(&[4, 2]) {
        0 => (key_times.iter().min().copied().unwrap_or_default(), key_times.iter().max().copied().unwrap_or_default()),
        _ => (Tick(choices.between(-5, 5)), Tick(choices.between(-5, 3 * TICKS_PER_SECOND))),
    };
    if choices.one_in(40) {
        (start, end) = (end, start);
    }
    let rate = FrameRate {
        frames: choices.pick(&[30, 24, 60, 120, 1, 7, 0, u32::MAX]).to_owned(),
        seconds: *choices.pick(&[1, 1, 1, 1001, 0, u32::MAX]),
    };
    let span = i128::from(end.0) - i128::from(start.0);
    if rate.seconds > 0 {
        let frames = span * i128::from(rate.frames) / (i128::from(rate.seconds) * i128::from(TICKS_PER_SECOND)) + 2;
        let samples = frames.min(span + 2) * (count as i128).max(1);
        if (SAMPLES_MAX..REFUSED).contains(&samples) {
            return Ok(());
        }
    }
    let layers = vec![RawLayer::base(tracks.iter().map(Track::raw).collect()); if choices.one_in(60) { 2 } else { 1 }];
    let clip = RawClip { name: String::new(), start, end, layers };
    let shown = || format!("`{clip:?} of {joints:?} at {rate:?}`").replace('"', "");
    let baking = Baking { rate, object_error_max_m: None };
    let (baked, report) = match bake_raw(&clip, &skeleton, &baking) {
        Ok(done) => done,
        Err(error) => return refused(&error, &tracks, &clip, &skeleton, rate, &shown),
    };
    must!(
        span >= 0 && rate.frames > 0 && rate.seconds > 0 && clip.layers.len() == 1,
        "baked all the same: {}",
        shown()
    );
    let duration = Tick(span as i64);
    must!(baked.duration() == duration, "another length: {}", shown());
    played(choices, mistake, &baked, &report, &skeleton, &tracks, start, &shown)?;
    if baked.frame_count() * count > COMPRESSED_MAX || span > COMPRESSED_S_MAX * i128::from(TICKS_PER_SECOND) {
        return Ok(());
    }
    let slow = |at: Tick| pose(&skeleton, &tracks, at);
    compressed::check(choices, mistake, (&clip, &skeleton, rate), &slow, &shown)
}

/// A clip is refused for something that is wrong with it.
fn refused(
    error: &ClipError,
    tracks: &[Track],
    clip: &RawClip,
    skeleton: &Skeleton,
    rate: FrameRate,
    shown: &dyn Fn() -> String,
) -> Result<(), String> {
    let span = i128::from(clip.end.0) - i128::from(clip.start.0);
    let is_joint = |track: &Track| skeleton.joint_of_node(track.node).is_some();
    let curves = |track: usize| match tracks.get(track).map(|track| &track.moving) {
        Some(Moving::Curves(curves, _)) => curves.iter().flatten().collect(),
        _ => Vec::new(),
    };
    let is_true = match *error {
        ClipError::Span { .. } => span < 0 || span > i128::from(i64::MAX),
        ClipError::Rate => rate.frames == 0 || rate.seconds == 0,
        ClipError::TooLong { samples, max } => samples > max as u128 && span > 0,
        ClipError::Layers { count } => count == clip.layers.len() && count != 1,
        ClipError::OtherSkeleton { .. } => {
            !tracks.iter().any(|track| is_joint(track) && track.property != Property::Visibility)
        }
        ClipError::Twice { first, second } => {
            let same = |a: &Track, b: &Track| (a.node, &a.property) == (b.node, &b.property);
            first != second && same(&tracks[first], &tracks[second])
        }
        ClipError::NoKeys { .. } | ClipError::Error { .. } | ClipError::Shell { .. } => false,
        ClipError::Width { track, width, want } => {
            let is_want = want == if tracks[track].property == Property::Rotation { 4 } else { 3 };
            is_want && width != want
        }
        ClipError::Angles { track } => {
            tracks[track].property == Property::Rotation && matches!(tracks[track].moving, Moving::Curves(..))
        }
        ClipError::Order { track, .. } => curves(track).iter().any(|one| !curve::is_ordered(one)),
        ClipError::NotFinite { track, .. } => match &tracks[track].moving {
            Moving::Keys(keys) => !keys.is_finite(),
            Moving::Curves(..) => curves(track).iter().any(|one| !curve::is_finite(one)),
        },
        // Curves and tangents may lead anywhere between finite keys; and a rest pose, too.
        ClipError::OutOfRange { joint, .. } => joint < skeleton.joint_count(),
    };
    must!(is_true, "a clip is refused for what it is not: `{error:?} for` {}", shown());
    Ok(())
}

fn played(
    choices: &mut Choices<'_>,
    mistake: Option<ClipMistake>,
    baked: &UniformClip,
    report: &ClipReport,
    skeleton: &Skeleton,
    tracks: &[Track],
    start: Tick,
    shown: &dyn Fn() -> String,
) -> Result<(), String> {
    let joints = baked.joint_count();
    let duration = baked.duration();
    let segments = baked.frame_count() as i64 - 1;
    // Moments at which the report has looked, in any order.
    let eighth = |step: i64| Tick((i128::from(step) * i128::from(baked.frame_ticks()) / 8) as i64).min(duration);
    let steps = (0..6).map(|_| choices.between(0, 8 * segments)).map(eighth);
    let ends = [Tick::ZERO, duration];
    let mut cursor = 0;
    for at in steps.chain(ends).collect::<Vec<Tick>>() {
        let asked = match mistake {
            Some(ClipMistake::LateFrame) => Tick((at.0 - baked.frame_ticks()).max(0)),
            _ => at,
        };
        let got = play(Isa::detect(), baked, asked);
        for isa in Isa::available() {
            let same = bits(&play(isa, baked, asked), joints) == bits(&got, joints);
            must!(same, "other bits with {isa} at `{at:?}`: {}", shown());
        }
        // The frame, by a division, a cursor and asking each.
        let (frame, _) = baked.place(at);
        let frame_at = |frame: usize| i128::from(baked.frame_ticks()) * frame as i128;
        let last = segments as usize - 1;
        while cursor > 0 && frame_at(cursor) > i128::from(at.0) {
            cursor -= 1;
        }
        while cursor < last && frame_at(cursor + 1) <= i128::from(at.0) {
            cursor += 1;
        }
        let asked_each = (0..=last).rev().find(|frame| frame_at(*frame) <= i128::from(at.0)).unwrap_or(0);
        must!((cursor, asked_each) == (frame, frame), "another frame at `{at:?}`: {}", shown());
        let got: Vec<DTrs> = (0..joints).map(|joint| JointBlock::joint(&got, joint).into()).collect();
        let finite = |pose: &DTrs| pose.translation.is_finite() && pose.scale.is_finite() && pose.rotation.is_finite();
        must!(got.iter().all(finite), "a pose is not finite at `{at:?}`: {}", shown());
        let unit = |pose: &DTrs| (pose.rotation.length() - 1.0).abs() < 1e-6;
        must!(got.iter().all(unit), "a rotation is not unit at `{at:?}`: {}", shown());
        // Clips may begin long before time 0.
        let moment = Tick((i128::from(start.0) + i128::from(at.0)) as i64);
        let Some(wanted) = pose(skeleton, tracks, moment) else { continue };
        within_report(report, skeleton, &wanted, &got).map_err(|words| format!("{words} `at {at:?}`: {}", shown()))?;
    }
    Ok(())
}

/// How far a pose is from where it belongs, and what the report says.
fn within_report(report: &ClipReport, skeleton: &Skeleton, wanted: &[DTrs], got: &[DTrs]) -> Result<(), String> {
    let size = |pose: &DTrs| pose.translation.abs().max_element().max(pose.scale.abs().max_element());
    let largest = wanted.iter().map(size).fold(1.0, f64::max);
    let mut models: [Vec<DAffine3>; 2] = [Vec::new(), Vec::new()];
    // Lengths of scaled joints multiply.
    let mut reach = 1.0;
    for (joint, (wanted, got)) in wanted.iter().zip(got).enumerate() {
        let turn_deg = turn_rad(wanted.rotation, DQuat::normalize(got.rotation)).to_degrees();
        must!(turn_deg <= report.rotation_deg.value + 1e-5, "a rotation is `{turn_deg}` deg off");
        let off = wanted.translation.distance(got.translation);
        must!(off <= report.translation_m.value + 1e-9 * largest, "a translation is `{off}` m off");
        for (pose, models) in [wanted, got].into_iter().zip(&mut models) {
            let local = DAffine3::from_scale_rotation_translation(pose.scale, pose.rotation, pose.translation);
            let parent = skeleton.parents()[joint];
            models.push(if parent == NO_PARENT { local } else { models[usize::from(parent)] * local });
        }
        let matrix = models[0][joint];
        reach = f64::max(
            reach,
            matrix
                .matrix3
                .to_cols_array()
                .iter()
                .chain(&matrix.translation.to_array())
                .fold(0.0, |m: f64, x| m.max(x.abs())),
        );
        for axis in DVec3::AXES {
            let vertex = axis * VIRTUAL_VERTEX_M;
            let off = models[0][joint].transform_point3(vertex).distance(models[1][joint].transform_point3(vertex));
            must!(off <= report.object_m.value + 1e-7 * reach * largest, "a point is `{off}` m off");
        }
    }
    Ok(())
}
