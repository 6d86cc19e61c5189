//! The book's scheme: what was wrong with it stays cured, and what it costs stays known.

use glam::{DQuat, DVec3};
use stillframe_anim::compress::book::BookClip;
use stillframe_anim::pose::Trs;
use stillframe_anim::sample::{DTrs, RawJoint, Skeleton};
use stillframe_base::tick::{FrameRate, TICKS_PER_SECOND, Tick};

fn made(rate: FrameRate, duration: Tick, mut pose: impl FnMut(Tick, &mut [DTrs])) -> BookClip {
    let joint = |node| RawJoint { node, name: String::new(), parent: None, rest: Trs::IDENTITY };
    let skeleton = Skeleton::new(&[joint(0), joint(1)]).expect("two roots");
    BookClip::new(&skeleton, duration, rate, &mut pose).expect("finite")
}

fn sampled(clip: &BookClip, at: Tick) -> [DTrs; 2] {
    let mut out = [DTrs::from(Trs::IDENTITY); 2];
    clip.sample(at, &mut out);
    out
}

/// Key times of whole milliseconds put frames of 30 a second up to half a millisecond off.
#[test]
fn d8_key_times_are_ticks() {
    let clip = made(FrameRate::whole(30), Tick(TICKS_PER_SECOND), |at, pose| pose[0].translation.x = at.seconds());
    let frame = Tick(TICKS_PER_SECOND / 30);
    assert!((sampled(&clip, frame)[0].translation.x - 1.0 / 30.0).abs() <= 1.0 / 65_534.0);
    assert!((sampled(&clip, Tick(frame.0 * 29))[0].translation.x - 29.0 / 30.0).abs() <= 1.0 / 65_534.0);
}

/// A constant track had three keys; runs inside a track keep both ends.
#[test]
fn d9_a_constant_track_has_one_key() {
    let clip = made(FrameRate::whole(10), Tick(TICKS_PER_SECOND), |_, _| {});
    assert_eq!(clip.key_count(), 6);
    let tenth = TICKS_PER_SECOND / 10;
    // 0 0 0 1 1 1 1 0 0 0 0: both ends of each run.
    let step = |at: Tick, pose: &mut [DTrs]| {
        pose[0].translation.x = f64::from((3 * tenth..7 * tenth).contains(&at.0));
    };
    let clip = made(FrameRate::whole(10), Tick(TICKS_PER_SECOND), step);
    assert_eq!(clip.key_count(), 5 + 6);
    for frame in 0..=10 {
        let at = Tick(frame * tenth);
        let mut want = [DTrs::from(Trs::IDENTITY); 2];
        step(at, &mut want);
        assert_eq!(sampled(&clip, at)[0].translation.x, want[0].translation.x, "frame {frame}");
    }
}

/// 0 divided by 0 where a range has no width, no identity, rotations not of unit length.
#[test]
fn d10_identity_is_exact_and_rotations_are_unit() {
    let clip = made(FrameRate::whole(30), Tick(TICKS_PER_SECOND), |at, pose| {
        pose[1].rotation = DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), at.seconds() * 2.0);
    });
    for frame in 0..60 {
        let [still, turning] = sampled(&clip, Tick(frame * TICKS_PER_SECOND / 60));
        assert_eq!((still.rotation, still.scale, still.translation), (DQuat::IDENTITY, DVec3::ONE, DVec3::ZERO));
        assert!((turning.rotation.length() - 1.0).abs() < 1e-15);
    }
}
