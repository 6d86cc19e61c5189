//! Metrics against motions whose numbers are known by arithmetic.

use glam::{Affine3A, DVec3, Quat, Vec3};
use stillframe_anim::metric::{Peak, foot_slide_m, pop_deg_per_frame2, seam_jump};
use stillframe_anim::pose::{Affine, JobError};
use stillframe_base::math::ops;

fn about_y(angle_deg: f32) -> Affine {
    let half = 0.5 * angle_deg.to_radians();
    let turn = Quat::from_xyzw(0.0, ops::sin(half), 0.0, ops::cos(half));
    // Size and place of a joint do not matter to how it turns.
    Affine3A::from_scale_rotation_translation(Vec3::new(2.0, 1.0, 3.0), turn, Vec3::splat(angle_deg)).into()
}

/// A foot is down for half of a pass and lifted for the other half; the actor goes ahead by `ahead_m` a frame.
fn foot(ahead_m: f64) -> Vec<DVec3> {
    let at = |frame: i64| {
        let phase = frame.rem_euclid(20);
        let (back, height) = if phase <= 10 { (0.1 * phase as f64, 0.0) } else { (2.0 - 0.1 * phase as f64, 0.3) };
        DVec3::new(0.2, height, ahead_m * frame as f64 - back)
    };
    (0..60).map(at).collect()
}

#[test]
fn feet_that_stay_do_not_slide_and_others_do_in_proportion() {
    assert!(foot_slide_m(&foot(0.1), 0.01) < 1e-12);
    // Three passes of ten steps on the ground each.
    for more in [0.01, 0.02, 0.05] {
        assert!((foot_slide_m(&foot(0.1 + more), 0.01) - 30.0 * more).abs() < 1e-9, "{more}");
    }
    assert_eq!(foot_slide_m(&foot(1.0), -1.0), 0.0);
    assert_eq!(foot_slide_m(&[], 1.0), 0.0);
}

#[test]
fn pops_are_changes_of_angular_velocity() {
    let still = about_y(0.0);
    let even: Vec<Affine> = (0..30).flat_map(|frame| [still, about_y(40.0 * frame as f32)]).collect();
    let worst = pop_deg_per_frame2(&even, 2).expect("whole frames");
    assert!(worst.value < 1e-3, "{worst:?}");
    // Joint 1 stops from one frame to the next.
    let stopped: Vec<Affine> = (0..30).flat_map(|frame| [still, about_y(10.0 * frame.min(17) as f32)]).collect();
    let worst = pop_deg_per_frame2(&stopped, 2).expect("whole frames");
    assert!((worst.value - 10.0).abs() < 1e-3 && (worst.joint, worst.frame) == (1, 18), "{worst:?}");
    // A jump turns there and stops again: the velocity comes and goes.
    let jumps: Vec<Affine> = (0..9).map(|frame| about_y(if frame < 5 { 0.0 } else { 30.0 })).collect();
    assert!((pop_deg_per_frame2(&jumps, 1).expect("whole frames").value - 30.0).abs() < 1e-3);
    assert_eq!(pop_deg_per_frame2(&jumps[..2], 1), Ok(Peak::default()));
    assert_eq!(pop_deg_per_frame2(&jumps, 2), Err(JobError::Frames { count: 9, frame_blocks: 2 }));
    assert_eq!(pop_deg_per_frame2(&[], 0), Err(JobError::Frames { count: 0, frame_blocks: 0 }));
}

#[test]
fn seams_jump_by_what_joints_move_and_turn() {
    let (last, mut next) = ([about_y(5.0); 3], [about_y(5.0); 3]);
    let none = seam_jump(&last, &next).expect("three each");
    assert_eq!((none.distance_m.value, none.turn_deg.value < 1e-5), (0.0, true));
    next[2] = about_y(-15.0);
    let jump = seam_jump(&last, &next).expect("three each");
    assert!((jump.turn_deg.value - 20.0).abs() < 1e-4 && jump.turn_deg.joint == 2, "{jump:?}");
    assert!((jump.distance_m.value - 20.0 * 3f64.sqrt()).abs() < 1e-5);
    let length = JobError::Length { what: "joints of the next pose", count: 2, want: 3 };
    assert_eq!(seam_jump(&last, &next[..2]), Err(length));
}
