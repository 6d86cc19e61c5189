//! Metrics: how far a motion is from looking right, as numbers that are 0 where nothing is wrong.

use glam::{Affine3A, DVec3, Mat4, Vec3};
use stillframe_anim::metric::{Peak, foot_slide_m, pop_deg_per_frame2, seam_jump};
use stillframe_anim::pose::Affine;

use super::StudyError;

/// Fewer frames have no change of a speed.
pub const FRAMES_MIN: usize = 3;

/// The joints of a figure at one frame.
pub struct MotionPose {
    pub world_from_model: Mat4,
    /// Shape: one per joint, the first the one that carries the others.
    pub model_from_joint: Vec<Mat4>,
}

/// The metrics of frames in a row.
pub struct Metrics {
    /// Largest change of a joint's angular velocity from one frame to the next.
    pub pop_deg_per_frame2: JointPeak,
    /// From the last pose to the first, in metres, without what the first joint has travelled over the ground.
    pub seam_m: JointPeak,
    /// The same, in degrees.
    pub seam_deg: JointPeak,
    /// Shape: one per foot.
    pub feet: Vec<Foot>,
}

/// The largest of a number.
pub struct JointPeak {
    pub value: f64,
    pub joint: usize,
    /// Position in the frames.
    pub frame: usize,
}

/// How far a foot slides over the ground.
pub struct Foot {
    pub joint: usize,
    pub slide_m: f64,
}

/// Judges frames of equal length in a row. `feet` are joints; one lower than `floor_m` is on the floor.
///
/// Errors: fewer than [`FRAMES_MIN`] frames, or frames of other joint counts.
pub fn metrics(frames: &[MotionPose], feet: &[usize], floor_m: f64) -> Result<Metrics, StudyError> {
    let joint_count = frames.first().map_or(0, |frame| frame.model_from_joint.len());
    if frames.len() < FRAMES_MIN || frames.iter().any(|frame| frame.model_from_joint.len() != joint_count) {
        return Err(StudyError::TooFewFrames { count: frames.len() });
    }
    let affine = |matrix: Mat4| Affine::from(Affine3A::from_mat4(matrix));
    let in_world = |frame: &MotionPose, joint: usize| frame.world_from_model * frame.model_from_joint[joint];
    let world: Vec<Affine> =
        frames.iter().flat_map(|frame| (0..joint_count).map(move |joint| affine(in_world(frame, joint)))).collect();
    let [first, last] = [&frames[0], &frames[frames.len() - 1]].map(|frame| &frame.model_from_joint);
    let pop = pop_deg_per_frame2(&world, joint_count)?;
    // What a clip walks is not a jump.
    let walked = match (first.first(), last.first()) {
        (Some(first), Some(last)) => (last.w_axis - first.w_axis).truncate() * Vec3::new(1.0, 0.0, 1.0),
        _ => Vec3::ZERO,
    };
    let next: Vec<Affine> = first.iter().map(|matrix| affine(Mat4::from_translation(walked) * *matrix)).collect();
    let last: Vec<Affine> = last.iter().map(|matrix| affine(*matrix)).collect();
    let seam = seam_jump(&last, &next)?;
    let foot = |joint: usize| {
        let way: Vec<DVec3> = frames.iter().map(|frame| in_world(frame, joint).w_axis.truncate().as_dvec3()).collect();
        // A sum of nothing is -0.
        Foot { joint, slide_m: foot_slide_m(&way, floor_m) + 0.0 }
    };
    let peak = |Peak { value, joint, frame }: Peak| JointPeak { value, joint, frame };
    Ok(Metrics {
        pop_deg_per_frame2: peak(pop),
        seam_m: peak(seam.distance_m),
        seam_deg: peak(seam.turn_deg),
        feet: feet.iter().map(|joint| foot(*joint)).collect(),
    })
}
