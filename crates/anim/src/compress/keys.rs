//! Keys: a clip in f32 at times of its own, where frames cannot follow it.
//!
//! Times are those of the source's keys, the ticks before them, and as many between as the bound asks for: an interval
//! that is off at a quarter, half or three quarters of it is halved.

use stillframe_base::tick::Tick;

use super::bytes::Head;
use super::check::check;
use super::clip::{Form, Keys, Part, block_tracks};
use super::grid::Grid;
use super::moving::Moving;
use super::{CompressReport, CompressedClip, Compression};
use crate::sample::source::{SAMPLES_MAX, Source, models, vertex_error_m};
use crate::sample::{ClipError, DTrs};

/// Smaller bounds are met by luck alone: f32 is not so exact a metre from the origin.
const BOUND_MIN_M: f64 = 1e-8;

/// Keys for each moment that must be one, and for the clip. What asks for more is noise between its keys, or a bound
/// that f32 cannot meet: halving would go on to single ticks.
const KEYS_OF_MOMENT_MAX: usize = 64;
const KEYS_OF_CLIP: usize = 4096;

/// A halved interval counts as well followed up to this share of the bound.
const SHARE: f64 = 0.5;

pub(super) fn compress(
    source: &mut Source<'_>,
    grid: Grid,
    keys: &[Tick],
    compression: &Compression,
) -> Result<(CompressedClip, CompressReport), ClipError> {
    let (skeleton, duration) = (source.skeleton, source.duration);
    let times = times(source, grid, keys, compression)?;
    // One after the other, so that signs run on.
    let mut poses: Vec<DTrs> = Vec::new();
    for at in &times {
        source.push(*at, &mut poses)?;
    }
    let joint_count = skeleton.joint_count();
    let frames = poses.chunks_exact(joint_count.max(1));
    let Moving { tracks, constants, .. } =
        Moving::of(skeleton.parents(), frames.clone().map(|pose| Ok(pose.to_vec())))?;
    let blocks = block_tracks(&tracks, constants.len());
    let mut laid_out = Keys::new(times, &blocks);
    for pose in frames {
        let mut rows = laid_out.still_rows(&blocks, &constants);
        for track in &tracks {
            let DTrs { rotation, translation, scale } = pose[usize::from(track.joint)];
            let values = match track.part {
                Part::Rotation => rotation.as_quat().to_array(),
                Part::Translation => translation.as_vec3().extend(0.0).to_array(),
                Part::Scale => scale.as_vec3().extend(0.0).to_array(),
            };
            laid_out.set(&blocks, &mut rows, *track, values);
        }
        laid_out.rows.extend(rows);
    }
    let mut clip = CompressedClip {
        joint_count,
        duration,
        constants,
        tracks,
        blocks,
        form: Form::Keys(laid_out),
        head: Vec::new(),
    };
    let mut head = Head::of(&clip);
    let Form::Keys(laid_out) = &clip.form else { unreachable!("keys were made") };
    laid_out.write(&mut head, &clip.blocks, &clip.tracks);
    clip.head = head.finish();

    let errors = check(&clip, source, grid, keys, compression)?;
    let kinds = clip.track_kinds();
    let report = CompressReport {
        form: clip.form(),
        joint_count,
        source_frame_count: 0,
        frames_per_source_frame: 1,
        bytes: clip.to_bytes().len(),
        default_tracks: kinds[0],
        constant_tracks: kinds[1],
        moving_tracks: kinds[2],
        object_m: errors.worst,
        object_p99_m: errors.p99_m(),
        bits: [0; 24],
        strides: [0; 8],
    };
    Ok((clip, report))
}

/// Not rounded to f32: what that costs no number of keys brings back.
fn blend(a: &DTrs, b: &DTrs, along: f64) -> DTrs {
    let rotation = super::slerp::slerp(a.rotation.to_array(), b.rotation.to_array(), along);
    DTrs {
        translation: a.translation.lerp(b.translation, along),
        rotation: glam::DQuat::from_array(rotation),
        scale: a.scale.lerp(b.scale, along),
    }
}

/// Where keys are needed.
fn times(
    source: &mut Source<'_>,
    grid: Grid,
    keys: &[Tick],
    compression: &Compression,
) -> Result<Vec<Tick>, ClipError> {
    let Compression { object_error_max_m: bound_m, shell_m, .. } = *compression;
    let (skeleton, duration) = (source.skeleton, source.duration);
    let frames = (0..=grid.interval_count).map(|frame| grid.moment(frame, duration));
    let mut times: Vec<Tick> = frames.chain(keys.iter().flat_map(|key| [*key, *key - Tick(1)])).collect();
    times.retain(|at| (Tick::ZERO..=duration).contains(at));
    times.sort_unstable();
    times.dedup();
    if times.len() == 1 {
        times.push(Tick(times[0].0 + 1));
    }
    let keys_max = times.len() * KEYS_OF_MOMENT_MAX + KEYS_OF_CLIP;
    let joint_count = skeleton.joint_count().max(1);
    let samples_max = SAMPLES_MAX.min(keys_max * joint_count);
    let mut out = vec![times[0]];
    // Intervals to look at, the next one last.
    let mut open: Vec<(Tick, Tick)> = times.windows(2).rev().map(|pair| (pair[0], pair[1])).collect();
    let (mut want_models, mut got_models) = (Vec::new(), Vec::new());
    while let Some((start, end)) = open.pop() {
        let samples = (out.len() + open.len()) * joint_count;
        if samples > samples_max {
            return Err(ClipError::TooLong { samples: samples as u128, max: samples_max });
        }
        let span = end.0 - start.0;
        let mut off_m = 0.0_f64;
        if span > 1 {
            let quarters = [0, 1, 2, 3, 4].map(|i| Tick(start.0 + (i128::from(span) * i / 4) as i64));
            let mut poses = Vec::new();
            for at in quarters {
                source.push(at, &mut poses)?;
            }
            let count = skeleton.joint_count();
            let pose = |i: usize| &poses[i * count..][..count];
            for i in 1..4 {
                let along = (quarters[i].0 - start.0) as f64 / span as f64;
                let got = pose(0).iter().zip(pose(4)).map(|(a, b)| blend(a, b, along));
                models(pose(i).iter().copied(), skeleton.parents(), &mut want_models);
                models(got, skeleton.parents(), &mut got_models);
                let pairs = want_models.iter().zip(&got_models);
                off_m = pairs.fold(off_m, |off_m, (want, got)| off_m.max(vertex_error_m(want, got, shell_m)));
            }
        }
        if off_m > SHARE * bound_m && bound_m >= BOUND_MIN_M {
            let middle = Tick(start.0 + span / 2);
            open.extend([(middle, end), (start, middle)]);
        } else {
            out.push(end);
        }
    }
    Ok(out)
}
