//! Compressed clips: within the bound at the moments that are promised, the same after a file, the same bits however
//! lanes are wide, and no damage to a file that is worse than an error.

use glam::{DAffine3, DVec3};
use stillframe_anim::RawClip;
use stillframe_anim::compress::{ClipForm, CompressedClip, Compression, Decompress, compress_raw};
use stillframe_anim::pose::{JointBlock, NO_PARENT};
use stillframe_anim::sample::{ClipError, DTrs, Skeleton};
use stillframe_base::lanes::Isa;
use stillframe_base::tick::{FrameRate, Tick};

use super::pose::bits;
use super::{ClipMistake, must};
use crate::Choices;

/// Moments that are looked at.
const MOMENTS: usize = 6;

/// What reaches further is left to baking.
const REACH_MAX_M: f64 = 1e4;

/// Compresses a clip that baking takes. `pose` is the slow sampler: none where a rotation hangs on rounding.
pub fn check(
    choices: &mut Choices<'_>,
    mistake: Option<ClipMistake>,
    (raw, skeleton, rate): (&RawClip, &Skeleton, FrameRate),
    pose: &dyn Fn(Tick) -> Option<Vec<DTrs>>,
    shown: &dyn Fn() -> String,
) -> Result<(), String> {
    let shell_m = *choices.pick(&[0.03, 0.03, 1e-3, 1.0]);
    let ends = [raw.start, Tick(raw.start.0 + (raw.end.0 - raw.start.0) / 2), raw.end];
    let reach_m =
        ends.into_iter().filter_map(pose).map(|pose| off(skeleton, &pose, &pose, shell_m).1).fold(1.0, f64::max);
    // For bounds that f32 cannot meet all moments are looked at before that is told: minutes.
    if reach_m > REACH_MAX_M {
        return Ok(());
    }
    let object_error_max_m = reach_m * *choices.pick(&[1e-3, 1e-4, 1e-2, 0.1]);
    let compression = Compression { rate, object_error_max_m, shell_m };
    let (clip, report) = match compress_raw(raw, skeleton, &compression) {
        Ok(done) => done,
        // Large numbers have no bits for a small bound, and denser frames may be more than are tried.
        Err(ClipError::Error { .. } | ClipError::TooLong { .. }) => return Ok(()),
        Err(error) => return Err(format!("`{error:?}` of what can be baked: {}", shown())),
    };
    must!(
        report.object_m.value <= object_error_max_m,
        "a report of more than the bound: `{:?}` {}",
        report.object_m,
        shown()
    );
    let bytes = clip.to_bytes();
    must!(bytes.len() == report.bytes, "another length than the report's: {}", shown());
    match CompressedClip::from_bytes(&bytes) {
        Ok(back) => must!(back == clip, "a file is another clip: {}", shown()),
        Err(error) => return Err(format!("a file of ours is refused, `{error}`: {}", shown())),
    }
    damaged(choices, &bytes, clip.joint_count()).map_err(|words| format!("{words}: {}", shown()))?;
    let duration = clip.duration();
    for _ in 0..MOMENTS {
        let at = match clip.form() {
            ClipForm::Frames { frame_ticks, frame_count } => {
                Tick((frame_ticks * choices.between(0, frame_count as i64)).min(duration.0))
            }
            ClipForm::Keys { .. } => *choices.pick(&[Tick::ZERO, duration]),
        };
        let asked = match mistake {
            Some(ClipMistake::LateKeyframe) => Tick((at.0 - report_step(report.form)).max(0)),
            _ => at,
        };
        let got = play(Isa::detect(), &clip, asked);
        for isa in Isa::available() {
            let same = bits(&play(isa, &clip, asked), clip.joint_count()) == bits(&got, clip.joint_count());
            must!(same, "other bits with {isa} at `{at:?}`: {}", shown());
        }
        let moment = Tick((i128::from(raw.start.0) + i128::from(at.0)) as i64);
        let Some(wanted) = pose(moment) else { continue };
        let got: Vec<DTrs> = (0..wanted.len()).map(|joint| JointBlock::joint(&got, joint).into()).collect();
        let (off_m, size) = off(skeleton, &wanted, &got, shell_m);
        // The two samplers and the report's own sums are not rounded alike.
        must!(off_m <= object_error_max_m + 1e-7 * size * size, "a point is `{off_m}` m off at `{at:?}`: {}", shown());
    }
    Ok(())
}

/// Ticks from one frame to the next; of keys, a tenth of a second.
fn report_step(form: ClipForm) -> i64 {
    match form {
        ClipForm::Frames { frame_ticks, .. } => frame_ticks,
        ClipForm::Keys { .. } => stillframe_base::tick::TICKS_PER_SECOND / 10,
    }
}

fn play(isa: Isa, clip: &CompressedClip, at: Tick) -> Vec<JointBlock> {
    let mut out = vec![JointBlock::IDENTITY; JointBlock::count_for(clip.joint_count())];
    Decompress { isa, clip, at, out: &mut out }.run();
    out
}

/// A file that was cut or changed is refused, or is a clip that can be played.
fn damaged(choices: &mut Choices<'_>, bytes: &[u8], joint_count: usize) -> Result<(), String> {
    let mut bytes = bytes.to_vec();
    match choices.below(2) {
        0 => bytes.truncate(choices.below(bytes.len() as u64 + 1) as usize),
        _ => {
            let at = choices.below(bytes.len() as u64) as usize;
            bytes[at] ^= 1 << choices.below(8);
        }
    }
    let Ok(clip) = CompressedClip::from_bytes(&bytes) else { return Ok(()) };
    let pose = play(Isa::detect(), &clip, Tick(clip.duration().0 / 3));
    let joints = (0..clip.joint_count().min(joint_count)).map(|joint| JointBlock::joint(&pose, joint));
    let finite = |joint: stillframe_anim::pose::Trs| {
        joint.translation.is_finite() && joint.rotation.is_finite() && joint.scale.is_finite()
    };
    must!(joints.into_iter().all(finite), "a damaged file plays what is not finite");
    Ok(())
}

/// How far points near the joints are from where they belong, and how large the numbers were that this was computed
/// from.
fn off(skeleton: &Skeleton, wanted: &[DTrs], got: &[DTrs], shell_m: f64) -> (f64, f64) {
    let mut models: [Vec<DAffine3>; 2] = [Vec::new(), Vec::new()];
    let (mut off_m, mut size) = (0.0_f64, 1.0_f64);
    for (joint, poses) in wanted.iter().zip(got).enumerate() {
        for (pose, models) in [poses.0, poses.1].into_iter().zip(&mut models) {
            size = size.max(pose.translation.abs().max_element()).max(pose.scale.abs().max_element());
            let turn = pose.rotation.normalize();
            let local = DAffine3::from_scale_rotation_translation(pose.scale, turn, pose.translation);
            let parent = skeleton.parents()[joint];
            models.push(if parent == NO_PARENT { local } else { models[usize::from(parent)] * local });
        }
        for axis in DVec3::AXES {
            let [wanted, got] = [0, 1].map(|i| models[i][joint].transform_point3(axis * shell_m));
            off_m = off_m.max(wanted.distance(got));
            size = size.max(wanted.abs().max_element());
        }
        size = models[0][joint].matrix3.to_cols_array().iter().fold(size, |size, number| size.max(number.abs()));
    }
    (off_m, size)
}
