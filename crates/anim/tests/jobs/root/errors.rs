//! What is not taken apart.

use glam::{DQuat, DVec3};
use stillframe_anim::pose::Trs;
use stillframe_anim::root::{RootError, RootParts, RootTrack};
use stillframe_anim::sample::DTrs;
use stillframe_base::tick::Tick;

use super::walk::{Walk, key};

fn walk() -> Walk {
    Walk {
        keys: vec![key([0.0; 3], DQuat::IDENTITY), key([1.0; 3], DQuat::IDENTITY)],
        frame_ticks: 8,
        above: Trs::IDENTITY,
    }
}

fn extract(joint: u16, span: (Tick, i64), pose: &mut dyn FnMut(Tick, &mut [DTrs])) -> Result<RootTrack, RootError> {
    RootTrack::extract(&walk().skeleton(), joint, RootParts::ALL, span, pose)
}

#[test]
fn each_fault_is_named() {
    let span = (Tick(8), 8);
    let mut still = |_: Tick, _: &mut [DTrs]| {};
    assert_eq!(extract(3, span, &mut still), Err(RootError::Joint { joint: 3, count: 3 }));
    for (duration, frame_ticks) in [(Tick(-1), 8), (Tick(8), 0), (Tick(8), -1)] {
        assert_eq!(extract(1, (duration, frame_ticks), &mut still), Err(RootError::Span { duration, frame_ticks }));
    }
    assert!(matches!(extract(1, (Tick(i64::MAX), 1), &mut still), Err(RootError::TooLong { .. })));
    let nan = |at: Tick, joints: &mut [DTrs]| {
        if at == Tick(8) {
            joints[1].translation.y = f64::NAN;
        }
    };
    assert_eq!(extract(1, span, &mut { nan }), Err(RootError::NotFinite { joint: 1, at: Tick(8) }));
    let flat = |_: Tick, joints: &mut [DTrs]| joints[1].rotation = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    assert_eq!(extract(1, span, &mut { flat }), Err(RootError::NotFinite { joint: 1, at: Tick(0) }));
    let sways = |at: Tick, joints: &mut [DTrs]| joints[0].translation.x = at.0 as f64;
    assert_eq!(extract(2, span, &mut { sways }), Err(RootError::AboveMoves { joint: 0, at: Tick(8) }));
    let squeezed = |_: Tick, joints: &mut [DTrs]| joints[0].scale = DVec3::new(1.0, 2.0, 1.0);
    assert_eq!(extract(1, span, &mut { squeezed }), Err(RootError::AboveScale { joint: 0 }));
    assert!(extract(0, span, &mut { sways }).is_ok());
}

/// Travel of a root on its side has no yaw to speak of and must not be noise.
#[test]
fn half_a_turn_over_has_no_yaw() {
    let over = DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0);
    let walk = Walk { keys: vec![key([0.0; 3], DQuat::IDENTITY), key([0.0; 3], over)], ..walk() };
    assert_eq!(walk.track(RootParts::default()).travel(Tick(8)).rotation, DQuat::IDENTITY);
    let pose = walk.in_place(&walk.track(RootParts::default()), Tick(8));
    assert!((pose.rotation.dot(over).abs() - 1.0).abs() < 1e-12);
}
