//! Travel: actors go as far as the clips that they play, at any moment, over any number of seams.

use glam::{DQuat, DVec3};
use proptest::prelude::*;
use stillframe_anim::crowd::{SPEED_ONE, Track, clip_phase, travel_between};
use stillframe_anim::root::{Motion, RootParts, RootTrack};
use stillframe_anim::sample::DTrs;
use stillframe_base::math::ops64;
use stillframe_base::tick::{TICKS_PER_SECOND, Tick};

use super::puppet::Puppet;

const LENGTH: Tick = Tick(TICKS_PER_SECOND * 4 / 5);

/// The way of a clip that goes at an even pace: on a line, or on an arc.
pub fn arc(speed: f64, turn: f64, seconds: f64) -> Motion {
    let angle = turn * seconds;
    let (sine, cosine) = ops64::sin_cos(angle);
    let (half_sine, half_cosine) = ops64::sin_cos(0.5 * angle);
    let translation =
        if turn == 0.0 { DVec3::Z * (speed * seconds) } else { DVec3::new(1.0 - cosine, 0.0, sine) * (speed / turn) };
    Motion { translation, rotation: DQuat::from_xyzw(0.0, half_sine, 0.0, half_cosine) }
}

fn root(speed: f64, turn: f64) -> RootTrack {
    let mut pose = |at: Tick, pose: &mut [DTrs]| {
        let motion = arc(speed, turn, at.seconds());
        (pose[0].translation, pose[0].rotation) = (motion.translation, motion.rotation);
    };
    let frame_ticks = TICKS_PER_SECOND / 500;
    RootTrack::extract(&Puppet::new(2).skeleton, 0, RootParts::default(), (LENGTH, frame_ticks), &mut pose)
        .expect("the root is the first joint")
}

fn is_near(got: Motion, want: Motion, off_max_m: f64) -> bool {
    let turned = 1.0 - got.rotation.dot(want.rotation).abs();
    (got.translation - want.translation).length() <= off_max_m && turned <= off_max_m
}

proptest! {
    #[test]
    fn the_lower_bits_are_those_of_the_pose(
        now in any::<i32>(),
        ticks in 0..1_000_000i64,
        length in 0..1i64 << 40,
        phase in any::<u32>(),
        speed in -1000..1000i32,
    ) {
        let (now, length) = (Tick(i64::from(now) * 1_000_000 + ticks), Tick(length));
        let track = Track { clip: 0, phase, speed };
        prop_assert_eq!(track.unwrapped_phase(now, length) as u32, track.phase_at(clip_phase(now, length)));
    }

    #[test]
    fn a_way_is_the_sum_of_its_parts(from in -90.0..90.0f64, mid in -90.0..90.0f64, to in -90.0..90.0f64, phase in any::<u32>()) {
        let track = Track { clip: 0, phase, speed: SPEED_ONE * 5 / 4 };
        let at = |seconds: f64| track.unwrapped_phase(Tick::from_seconds(seconds), LENGTH);
        for root in [root(1.5, 0.0), root(1.2, 0.7)] {
            let whole = travel_between(&root, at(from), at(to));
            let parts = travel_between(&root, at(from), at(mid)).then(travel_between(&root, at(mid), at(to)));
            prop_assert!(is_near(whole, parts, 1e-9), "{:?} instead of {:?}", parts, whole);
            let want = arc(1.5, 0.0, 1.25 * (to - from));
            prop_assert!(root.travel(LENGTH).rotation.y != 0.0 || is_near(whole, want, 1e-6), "{:?}", whole);
        }
    }
}

#[test]
fn seams_add_nothing_however_many_there_are() {
    let track = Track { clip: 0, phase: 1 << 31, speed: SPEED_ONE };
    let year = Tick(365 * 86_400 * TICKS_PER_SECOND);
    for (speed, turn) in [(1.25, 0.0), (1.2, std::f64::consts::TAU / LENGTH.seconds() / 8.0)] {
        let root = root(speed, turn);
        // Eight loops of the arc are a whole circle.
        let way = |now: Tick| {
            travel_between(&root, track.unwrapped_phase(Tick::ZERO, LENGTH), track.unwrapped_phase(now, LENGTH))
        };
        let loops = (year.0 / LENGTH.0) as f64;
        let got = way(year);
        if turn == 0.0 {
            assert!((got.translation.z - loops * root.travel(LENGTH).translation.z).abs() < 1e-6, "{got:?}");
        } else {
            assert!(got.translation.length() < 3.0 * speed / turn, "on the circle: {got:?}");
        }
        assert!(is_near(way(Tick(0)), Motion::IDENTITY, 0.0));
        // Backward, too.
        assert!(is_near(way(Tick(-LENGTH.0 * 3)).then(way(Tick(LENGTH.0 * 3))), Motion::IDENTITY, 1e-9));
    }
}
