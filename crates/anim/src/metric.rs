//! Metric: numbers that say how far a motion is from looking right. They are 0 where nothing is wrong.
//!
//! In: model or world matrices of joints, frame by frame, as any graph, player or solver makes them. Out: metres and
//! degrees, and where the worst is. Never here: thresholds, time (frames are a fixed time apart). All is f64.
//!
//! Source: foot sliding as the literature on motion editing measures it (the way of a foot while it is low); pops are
//! second differences of rotations, as vectors of axis times angle. The rest is ours.

use glam::{DMat3, DQuat, DVec3};
use stillframe_base::math::ops64;

use crate::pose::{Affine, JobError, check_length};

/// The largest of some number, and where it was found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Peak {
    pub value: f64,
    pub joint: usize,
    /// The later of the frames that it is between.
    pub frame: usize,
}

impl Peak {
    fn note(&mut self, value: f64, joint: usize, frame: usize) {
        if value > self.value {
            *self = Peak { value, joint, frame };
        }
    }
}

/// How far a foot slides: the sum of its horizontal ways (X and Z) between frames in both of which it is lower than
/// `height_max_m`.
///
/// Shapes: one position a frame, in the world, with the actor's motion in it. Units: metres; divide by what the actor
///         walked.
pub fn foot_slide_m(positions: &[DVec3], height_max_m: f64) -> f64 {
    let ways = positions.windows(2).filter(|pair| pair.iter().all(|foot| foot.y < height_max_m));
    ways.map(|pair| ((pair[1] - pair[0]) * DVec3::new(1.0, 0.0, 1.0)).length()).sum()
}

/// The largest change of a joint's angular velocity from one frame to the next: what is seen as a pop. Degrees a frame,
/// a frame.
///
/// Shapes: `frames` has whole frames of `joint_count` matrices; of fewer than three nothing is known and it is 0.
pub fn pop_deg_per_frame2(frames: &[Affine], joint_count: usize) -> Result<Peak, JobError> {
    check_frames(frames, joint_count)?;
    let mut worst = Peak::default();
    for joint in 0..joint_count {
        let (mut before, mut speed_before) = (None::<DQuat>, None::<DVec3>);
        for (frame, matrices) in frames.chunks_exact(joint_count).enumerate() {
            let now = turn_of(&matrices[joint]);
            let speed = before.map(|before| turn_vector_deg(now * before.conjugate()));
            if let (Some(speed), Some(speed_before)) = (speed, speed_before) {
                worst.note((speed - speed_before).length(), joint, frame);
            }
            (before, speed_before) = (Some(now), speed);
        }
    }
    Ok(worst)
}

/// What a joint moves and turns, at most, from one pose to another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Jump {
    pub distance_m: Peak,
    pub turn_deg: Peak,
}

/// The jump at a loop's seam: from the last frame to the first one of the next pass. Frames are those of the actor's
/// space, or of the world with the actor's motion in them, so that the first frame of the next pass is not that of this
/// one.
///
/// Shapes: one matrix a joint each.
pub fn seam_jump(last: &[Affine], next: &[Affine]) -> Result<Jump, JobError> {
    check_length("joints of the next pose", next.len(), last.len())?;
    let mut jump = Jump::default();
    for (joint, (last, next)) in last.iter().zip(next).enumerate() {
        jump.distance_m.note(column(last, 3).distance(column(next, 3)), joint, 1);
        jump.turn_deg.note(turn_vector_deg(turn_of(next) * turn_of(last).conjugate()).length(), joint, 1);
    }
    Ok(jump)
}

fn check_frames(frames: &[Affine], joint_count: usize) -> Result<(), JobError> {
    let whole = joint_count > 0 && frames.len().is_multiple_of(joint_count);
    if whole { Ok(()) } else { Err(JobError::Frames { count: frames.len(), frame_blocks: joint_count }) }
}

fn column(matrix: &Affine, i: usize) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|row| f64::from(matrix.0.0[4 * row + i])))
}

/// The rotation of a matrix: its axes made perpendicular, x first; the identity where they have no length.
fn turn_of(matrix: &Affine) -> DQuat {
    let x = column(matrix, 0).try_normalize();
    let y = x.and_then(|x| (column(matrix, 1) - x * x.dot(column(matrix, 1))).try_normalize());
    match (x, y) {
        (Some(x), Some(y)) => DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))).normalize(),
        _ => DQuat::IDENTITY,
    }
}

/// Axis times angle, the short way round.
fn turn_vector_deg(turn: DQuat) -> DVec3 {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let v = DVec3::new(turn.x, turn.y, turn.z);
    let (sin, angle) = (v.length(), 2.0 * ops64::atan2(v.length(), turn.w));
    if sin > 0.0 { v * (angle / sin).to_degrees() } else { DVec3::ZERO }
}
