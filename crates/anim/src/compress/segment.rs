//! Segment: a run of frames as codes of its tracks, each after the joint above it.
//!
//! The rotation to be coded is not the one of the source but the one that turns the parent *as it is decoded* to where
//! the joint is turned in the source; the same for translations. So a rotation is wrong in the model's space by its own
//! rounding alone, and what adds up along a chain is that times the length of one bone.

use glam::{DAffine3, DQuat, DVec3};
use stillframe_base::tick::Tick;

use super::clip::{LEVELS, Part, Track, stride};
use super::lattice::{WIDTH_MAX, code_for, min_of, step};
use super::slerp::{slerp, unit};
use crate::pose::NO_PARENT;
use crate::sample::DTrs;
use crate::sample::source::{affine, vertex_error_m};

/// What is the same in all segments of a clip.
pub(super) struct Rig<'a> {
    pub parents: &'a [u16],
    /// As of [`Compression`](super::Compression).
    pub shell_m: f64,
    pub tracks: Vec<Track>,
    /// Of each joint, its tracks by part.
    pub tracks_of: Vec<[Option<u32>; 3]>,
    /// What does not move is as in this pose.
    pub still: Vec<DTrs>,
    /// How far a turn of the joint by a radian moves what no joint below corrects, in metres.
    pub levers_m: Vec<f64>,
    /// How far it moves anything below, in metres: between frames nothing is corrected.
    pub reaches_m: Vec<f64>,
}

/// The frames of a segment, those of a joint side by side: `joint * frame_count + frame`.
pub(super) struct SegmentSource {
    pub frame_count: usize,
    pub locals: Vec<DTrs>,
    pub models: Vec<DAffine3>,
    /// Products of rotations alone.
    pub turns: Vec<DQuat>,
    /// Of each track the intervals in which it stays and then jumps.
    pub holds: Vec<u64>,
    /// Every moment to look at, and where joints are then: moment by moment.
    pub moments: Vec<Tick>,
    pub moment_models: Vec<DAffine3>,
}

/// A track in a segment.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TrackCode {
    pub level: u8,
    pub hold: u64,
    pub step: u8,
    /// The number that is left out, and whether it is below 0.
    pub left_out: Option<(u8, bool)>,
    pub mins: [i64; 4],
    pub widths: [u8; 4],
    /// None where it stands still.
    pub keys: Vec<[u32; 4]>,
}

impl TrackCode {
    /// Whether it has no keys: one value for the segment.
    pub fn is_still(&self) -> bool {
        self.widths == [0; 4]
    }
    pub fn key_bits(&self) -> u32 {
        self.widths.iter().map(|width| u32::from(*width)).sum()
    }
}

/// A segment in codes, and what they cost.
#[derive(Clone, Debug, Default)]
pub(super) struct Encoded {
    pub codes: Vec<TrackCode>,
    /// Bits of all keys.
    pub bits: usize,
    /// The largest error of a joint at frames.
    pub errors_m: Vec<f64>,
}

/// Room for one joint after the other.
#[derive(Default)]
pub(super) struct Scratch {
    wanted: Vec<[f64; 4]>,
    decoded: Vec<[f64; 4]>,
    locals: Vec<DTrs>,
    models: Vec<DAffine3>,
    turns: Vec<DQuat>,
}

/// Codes a segment; `budgets_m` say of each track how far it may move a point.
pub(super) fn encode(
    rig: &Rig<'_>,
    source: &SegmentSource,
    budgets_m: &[f64],
    scratch: &mut Scratch,
) -> Option<Encoded> {
    let (joint_count, n) = (rig.parents.len(), source.frame_count);
    let mut out =
        Encoded { codes: vec![TrackCode::default(); rig.tracks.len()], bits: 0, errors_m: vec![0.0; joint_count] };
    scratch.models.resize(joint_count * n, DAffine3::IDENTITY);
    scratch.turns.resize(joint_count * n, DQuat::IDENTITY);
    for joint in 0..joint_count {
        let parent = Some(usize::from(rig.parents[joint])).filter(|_| rig.parents[joint] != NO_PARENT);
        let raw = &source.locals[joint * n..][..n];
        scratch.locals.clear();
        scratch.locals.resize(n, rig.still[joint]);
        for part in Part::ALL {
            let Some(track) = rig.tracks_of[joint][part as usize] else { continue };
            let track = track as usize;
            scratch.wanted.clear();
            for frame in 0..n {
                let at = joint * n + frame;
                let above = parent.map(|parent| parent * n + frame);
                let wanted = match part {
                    Part::Rotation => {
                        let own = raw[frame].rotation;
                        let turn = above.map_or(own, |above| scratch.turns[above].conjugate() * source.turns[at]);
                        let turn = if turn.dot(own) < 0.0 { -turn } else { turn };
                        (turn * (1.0 / turn.length_squared().sqrt())).to_array()
                    }
                    Part::Translation => {
                        let own = raw[frame].translation;
                        let place = source.models[at].translation;
                        let moved = above.map_or(own, |above| scratch.models[above].inverse().transform_point3(place));
                        // A parent of size 0 has no way back.
                        let (off, size) = ((moved - own).length_squared().sqrt(), own.length_squared().sqrt());
                        vector(if off < 0.1 * (1.0 + size) { moved } else { own })
                    }
                    Part::Scale => vector(raw[frame].scale),
                };
                scratch.wanted.push(wanted);
            }
            let tolerance = budgets_m[track]
                / match part {
                    Part::Rotation => 2.0 * rig.levers_m[joint],
                    Part::Translation => 1.0,
                    Part::Scale => rig.levers_m[joint],
                };
            let tolerance = if part == Part::Rotation { tolerance.min(TURN_MAX) } else { tolerance };
            let code = code(part, &scratch.wanted, tolerance, source.holds[track], &mut scratch.decoded)?;
            out.bits += code.key_bits() as usize * code.keys.len();
            out.codes[track] = code;
            for (local, [x, y, z, w]) in scratch.locals.iter_mut().zip(&scratch.decoded) {
                match part {
                    Part::Rotation => local.rotation = DQuat::from_xyzw(*x, *y, *z, *w),
                    Part::Translation => local.translation = DVec3::new(*x, *y, *z),
                    Part::Scale => local.scale = DVec3::new(*x, *y, *z),
                }
            }
        }
        for (frame, local) in scratch.locals.iter().enumerate() {
            let at = joint * n + frame;
            let (mut model, mut turn) = (affine(local), local.rotation);
            if let Some(parent) = parent {
                model = scratch.models[parent * n + frame] * model;
                turn = scratch.turns[parent * n + frame] * turn;
            }
            out.errors_m[joint] = out.errors_m[joint].max(vertex_error_m(&source.models[at], &model, rig.shell_m));
            scratch.models[at] = model;
            scratch.turns[at] = turn;
        }
    }
    Some(out)
}

fn vector(v: DVec3) -> [f64; 4] {
    [v.x, v.y, v.z, 0.0]
}

fn distance(a: &[f64; 4], b: &[f64; 4]) -> f64 {
    (0..4).map(|i| (a[i] - b[i]) * (a[i] - b[i])).sum::<f64>().sqrt()
}

fn between(part: Part, a: [f64; 4], b: [f64; 4], along: f64) -> [f64; 4] {
    match part {
        Part::Rotation => slerp(a, b, along),
        _ => [0, 1, 2, 3].map(|i| a[i] + (b[i] - a[i]) * along),
    }
}

/// What a rotation may be off by, as a distance of quaternions, however little it moves: a quarter of a radian.
const TURN_MAX: f64 = 0.125;

/// Share of the tolerance that may be lost between keys.
const BETWEEN_SHARE: f64 = 0.6;

/// Codes a track and decodes it again at every frame; none where its numbers do not fit.
fn code(part: Part, wanted: &[[f64; 4]], tolerance: f64, hold: u64, decoded: &mut Vec<[f64; 4]>) -> Option<TrackCode> {
    let interval_count = wanted.len() - 1;
    let left_out = if part == Part::Rotation { left_out(wanted) } else { None };
    let kept: [bool; 4] =
        [0, 1, 2, 3].map(|i| i < part.width() && left_out.is_none_or(|(out, _)| i != usize::from(out)));
    // What is put in again is wrong by more than what it is made of, the smaller it is.
    let least = left_out.map_or(1.0, |(i, _)| wanted.iter().map(|q| q[usize::from(i)].abs()).fold(1.0, f64::min));
    let tolerance = tolerance * (2.0 * least).min(1.0);

    if let Some(code) = still(part, wanted, tolerance, left_out, kept) {
        decode(part, &code, interval_count, decoded);
        return Some(code);
    }
    let mut best: Option<(usize, TrackCode)> = None;
    for level in 0..LEVELS {
        let stride = stride(level, interval_count);
        if hold != 0 && level > 0 {
            break;
        }
        if stride > interval_count
            || !interval_count.is_multiple_of(stride)
            || (level + 1 == LEVELS && stride.is_power_of_two() && stride <= 32)
        {
            continue;
        }
        let Some(lost) = lost_between(part, wanted, stride, BETWEEN_SHARE * tolerance) else { break };
        let keys = wanted.iter().step_by(stride);
        let Some(code) = lay_out(keys, tolerance - lost, level, hold, left_out, kept) else { continue };
        let bits = code.key_bits() as usize * (interval_count / stride + 1);
        if best.as_ref().is_none_or(|(least, _)| bits < *least) {
            best = Some((bits, code));
        }
    }
    let (_, mut code) = best?;
    if code.is_still() {
        let code = TrackCode { level: LEVELS as u8 - 1, hold: 0, ..code };
        decode(part, &code, interval_count, decoded);
        return Some(code);
    }
    let stride = stride(usize::from(code.level), interval_count);
    let step_f64 = f64::from(step(code.step));
    let mins = code.mins.map(|min| f64::from(min_of(min, step(code.step))));
    code.keys = wanted
        .iter()
        .step_by(stride)
        .map(|value| {
            [0, 1, 2, 3].map(|i| {
                let max = (1u64 << code.widths[i]) - 1;
                (((value[i] - mins[i]) / step_f64).round_ties_even().max(0.0) as u64).min(max) as u32
            })
        })
        .collect();
    decode(part, &code, interval_count, decoded);
    Some(code)
}

/// The number of a rotation that stays furthest from 0 and on one side of it.
fn left_out(wanted: &[[f64; 4]]) -> Option<(u8, bool)> {
    let least = |i: usize| {
        let (min, max) = wanted.iter().fold((f64::MAX, f64::MIN), |(min, max), q| (min.min(q[i]), max.max(q[i])));
        if min > 0.0 { min } else { -max }
    };
    let mut best = (0.3, None);
    for i in 0..4 {
        if least(i) > best.0 {
            best = (least(i), Some((i as u8, wanted[0][i] < 0.0)));
        }
    }
    best.1
}

/// A track that hardly moves in this segment: one value.
fn still(
    part: Part,
    wanted: &[[f64; 4]],
    tolerance: f64,
    left_out: Option<(u8, bool)>,
    kept: [bool; 4],
) -> Option<TrackCode> {
    let middle = [0, 1, 2, 3].map(|i| {
        let (min, max) = wanted.iter().fold((f64::MAX, f64::MIN), |(min, max), v| (min.min(v[i]), max.max(v[i])));
        0.5 * (min + max)
    });
    let middle = if part == Part::Rotation { unit(middle) } else { middle };
    if wanted.iter().any(|value| distance(value, &middle) > BETWEEN_SHARE * tolerance) {
        return None;
    }
    let code = code_for((1.0 - BETWEEN_SHARE) * tolerance);
    let step = f64::from(step(code));
    let mins = [0, 1, 2, 3].map(|i| if kept[i] { (middle[i] / step).round_ties_even() as i64 } else { 0 });
    Some(TrackCode { level: LEVELS as u8 - 1, step: code, left_out, mins, ..TrackCode::default() })
}

/// The most that is lost between keys a stride apart; none where it is more than `max`.
fn lost_between(part: Part, wanted: &[[f64; 4]], stride: usize, max: f64) -> Option<f64> {
    let mut lost = 0.0_f64;
    for key in (0..wanted.len() - 1).step_by(stride) {
        for i in 1..stride {
            let got = between(part, wanted[key], wanted[key + stride], i as f64 / stride as f64);
            lost = lost.max(distance(&got, &wanted[key + i]));
            if lost > max {
                return None;
            }
        }
    }
    Some(lost)
}

/// Step, minima and widths of keys; of steps that need the same bits the smallest.
fn lay_out<'a>(
    keys: impl Iterator<Item = &'a [f64; 4]>,
    step_max: f64,
    level: usize,
    hold: u64,
    left_out: Option<(u8, bool)>,
    kept: [bool; 4],
) -> Option<TrackCode> {
    let (mut low, mut high) = ([f64::MAX; 4], [f64::MIN; 4]);
    for key in keys {
        for i in 0..4 {
            (low[i], high[i]) = (low[i].min(key[i]), high[i].max(key[i]));
        }
    }
    let with_step = |code: u8| {
        let step_f64 = f64::from(step(code));
        let (mut mins, mut widths) = ([0i64; 4], [0u8; 4]);
        for i in (0..4).filter(|i| kept[*i]) {
            mins[i] = (low[i] / step_f64).round_ties_even() as i64;
            let min = f64::from(min_of(mins[i], step(code)));
            let levels = ((high[i] - min) / step_f64).round_ties_even().max(0.0);
            if levels >= f64::from(1u32 << WIDTH_MAX)
                || mins[i].unsigned_abs() >> (super::lattice::MIN_WIDTH_MAX - 2) > 0
            {
                return None;
            }
            widths[i] = super::bits::bit_width(levels as u64) as u8;
        }
        Some(TrackCode { level: level as u8, hold, step: code, left_out, mins, widths, keys: Vec::new() })
    };
    // Where the range is too wide for so small a step, the smallest one there is bits for; whether it does is the
    // search's to see.
    let first = code_for(step_max);
    let (first, mut out) = (0..=first).rev().find_map(|code| Some((code, with_step(code)?)))?;
    let bits = out.key_bits();
    for code in first.saturating_add(1)..=first.saturating_add(7) {
        match with_step(code) {
            Some(next) if next.key_bits() == bits => out = next,
            _ => break,
        }
    }
    Some(out)
}

/// What the job will make of a track, at every frame.
fn decode(part: Part, code: &TrackCode, interval_count: usize, out: &mut Vec<[f64; 4]>) {
    out.clear();
    let step = step(code.step);
    let mins = code.mins.map(|min| min_of(min, step));
    let still = [0u32; 4];
    let key = |i: usize| code.keys.get(i).unwrap_or(&still);
    let stride = stride(usize::from(code.level), interval_count);
    for frame in 0..=interval_count {
        let at = (frame / stride).min((interval_count / stride).saturating_sub(1));
        let along = (frame - at * stride) as f64 / stride as f64;
        let (from, to) = (key(at), key(at + 1));
        out.push(if part == Part::Rotation {
            let quat = |key: &[u32; 4]| {
                let mut q = [0, 1, 2, 3].map(|i| f64::from(mins[i]) + f64::from(step) * f64::from(key[i]));
                if let Some((i, negative)) = code.left_out {
                    let rest = (1.0 - q.iter().map(|x| x * x).sum::<f64>()).max(0.0).sqrt();
                    q[usize::from(i)] = if negative { -rest } else { rest };
                }
                q
            };
            slerp(quat(from), quat(to), along)
        } else {
            [0, 1, 2, 3].map(|i| {
                let (from, to) = (from[i] as f32, to[i] as f32);
                f64::from(mins[i] + step * (from + (to - from) * along as f32))
            })
        });
    }
}

/// How far a turn of each joint moves what no joint below corrects; every joint that `turns` does.
///
/// Shapes: `reach_m` is the longest way from a joint's parent to it, `shell_m` that to the points beyond the last one.
pub(super) fn levers_m(parents: &[u16], shell_m: f64, reach_m: &[f64], turns: impl Fn(usize) -> bool) -> Vec<f64> {
    let mut levers = vec![shell_m; parents.len()];
    for joint in (0..parents.len()).rev() {
        if parents[joint] != NO_PARENT {
            let parent = usize::from(parents[joint]);
            let beyond = if turns(joint) { 0.0 } else { levers[joint] };
            levers[parent] = levers[parent].max(reach_m[joint] + beyond);
        }
    }
    levers
}
