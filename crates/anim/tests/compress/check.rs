//! Check: clips against their sources, joint by joint, at any distance from the joints.

use stillframe_anim::compress::{CompressedClip, Compression, check, compress, compress_raw, error_map};
use stillframe_anim::pose::Trs;
use stillframe_anim::sample::{ClipError, DTrs, RawJoint, RawPose, Skeleton, VIRTUAL_VERTEX_M};
use stillframe_base::lanes::Isa;
use stillframe_base::tick::{TICKS_PER_SECOND, Tick};

use super::clips;
use super::oracle::ticks;
use super::playing::{errors_at_m, errors_m, joints_of, play, within};

/// What an independent measure finds at quarters of keys.
fn worst_m(clip: &CompressedClip, pose: &RawPose<'_>, skeleton: &Skeleton, shell_m: f64) -> f64 {
    let mut want = vec![DTrs::from(Trs::IDENTITY); clips::JOINTS];
    let mut worst_m = 0.0;
    for at in (0..=clip.duration().0).step_by(clips::KEY_TICKS as usize / 4).map(Tick) {
        pose.sample(at, &mut want);
        let got = play(Isa::detect(), clip, at);
        let errors_m = errors_at_m(shell_m, skeleton.parents(), &want, joints_of(&got, clips::JOINTS));
        worst_m = errors_m.into_iter().fold(worst_m, f64::max);
    }
    worst_m
}

/// Points further out move further when a joint turns: the same bound there takes more bytes, and a clip made for near points is off.
#[test]
fn the_bound_is_held_at_the_shell_that_is_asked() {
    let skeleton = clips::skeleton();
    let raw = clips::named("walk");
    let pose = RawPose::new(&raw, &skeleton).expect("well formed");
    let keys = pose.key_times();
    let bound_m = 0.2e-3;
    let made = |shell_m| {
        let compression = Compression { shell_m, ..within(bound_m) };
        let (clip, report) = compress_raw(&raw, &skeleton, &compression).expect("within the bound");
        let mut source = |at, out: &mut [DTrs]| pose.sample(at, out);
        let checked = check(&clip, &skeleton, &keys, &compression, &mut source).expect("within the bound");
        assert!((checked.object_m.value - report.object_m.value).abs() < 1e-12, "{checked:?} {report:?}");
        assert!(checked.moment_count >= 4 * (keys.len() - 1), "{checked:?}");
        assert!(worst_m(&clip, &pose, &skeleton, shell_m) <= bound_m, "{shell_m}");
        (clip, report.bytes)
    };
    let [(near, near_bytes), (_, middle_bytes), (_, far_bytes)] = [0.01, VIRTUAL_VERTEX_M, 0.5].map(made);
    assert!(near_bytes < middle_bytes && middle_bytes < far_bytes, "{near_bytes} {middle_bytes} {far_bytes}");
    assert!(worst_m(&near, &pose, &skeleton, 0.5) > bound_m);
    let far = Compression { shell_m: 0.5, ..within(bound_m) };
    let off = check(&near, &skeleton, &keys, &far, &mut |at, out: &mut [DTrs]| pose.sample(at, out));
    assert!(matches!(off, Err(ClipError::Error { worst_m, .. }) if worst_m > bound_m), "{off:?}");
}

#[test]
fn shells_that_are_none_are_refused() {
    let skeleton = clips::skeleton();
    for shell_m in [0.0, -0.03, f64::NAN, f64::INFINITY] {
        let compression = Compression { shell_m, ..within(1e-3) };
        let none = &mut |_: Tick, _: &mut [DTrs]| {};
        let (clip, _) = compress(&skeleton, ticks(1.0), &[], &within(1e-3), none).expect("still");
        let error = check(&clip, &skeleton, &[], &compression, none).expect_err("refused");
        assert!(matches!(error, ClipError::Shell { .. }), "{shell_m}: {error}");
    }
}

/// A bound that allows any turn at all still makes poses.
#[test]
fn a_bound_beyond_all_turns_is_held() {
    let skeleton = clips::skeleton();
    for (bound_m, shell_m) in [(10.0, 1e-6), (1e3, VIRTUAL_VERTEX_M)] {
        let compression = Compression { shell_m, ..within(bound_m) };
        let (clip, report) = compress_raw(&clips::named("random"), &skeleton, &compression).expect("within the bound");
        assert!(report.object_m.value <= bound_m);
        let pose = play(Isa::detect(), &clip, ticks(1.0));
        for joint in joints_of(&pose, clips::JOINTS) {
            assert!((joint.rotation.length() - 1.0).abs() < 1e-5, "{joint:?}");
        }
    }
}

#[test]
fn the_map_has_every_joint_at_every_moment() {
    let skeleton = clips::skeleton();
    let raw = clips::named("scales");
    let (clip, report) = compress_raw(&raw, &skeleton, &within(0.2e-3)).expect("within the bound");
    let pose = RawPose::new(&raw, &skeleton).expect("well formed");
    let mut moments: Vec<Tick> = (0..50).rev().map(|i| Tick(i * TICKS_PER_SECOND / 7)).collect();
    moments.extend([report.object_m.at, Tick(-5), ticks(100.0)]);
    let mut source = |at, out: &mut [DTrs]| pose.sample(at, out);
    let map = error_map(&clip, &skeleton, &moments, VIRTUAL_VERTEX_M, &mut source).expect("poses");
    assert_eq!((map.joint_count, map.moments.len()), (clips::JOINTS, moments.len()));
    assert_eq!((map.moments[51], map.moments[52]), (Tick::ZERO, clip.duration()));
    let mut want = vec![DTrs::from(Trs::IDENTITY); clips::JOINTS];
    for (moment, at) in map.moments.iter().enumerate() {
        pose.sample(*at, &mut want);
        let got = play(Isa::detect(), &clip, *at);
        let errors_m = errors_m(skeleton.parents(), &want, joints_of(&got, clips::JOINTS));
        for (joint, (got_m, want_m)) in map.moment(moment).iter().zip(&errors_m).enumerate() {
            assert!((got_m - want_m).abs() < 1e-9, "joint {joint} at {at:?}: {got_m}, {want_m}");
        }
    }
    // The moment that the report names is among them.
    assert_eq!(map.worst(), report.object_m);
}

#[test]
fn clips_of_other_skeletons_are_refused() {
    let none = &mut |_: Tick, _: &mut [DTrs]| {};
    let (clip, _) = compress(&clips::skeleton(), ticks(1.0), &[], &within(1e-3), none).expect("still");
    let joint = RawJoint { node: 0, name: String::new(), parent: None, rest: Trs::IDENTITY };
    let other = Skeleton::new(&[joint]).expect("one joint");
    let want = ClipError::Joints { joints: clips::JOINTS, want: 1 };
    assert_eq!(check(&clip, &other, &[], &within(1e-3), none), Err(want.clone()));
    assert_eq!(error_map(&clip, &other, &[], VIRTUAL_VERTEX_M, none), Err(want));
}

/// A clip that was made of something else is off, and by how much and where is told.
#[test]
fn another_source_is_noticed() {
    let skeleton = clips::skeleton();
    let mut swing = |at: Tick, pose: &mut [DTrs]| pose[3].rotation = glam::DQuat::from_rotation_x(at.seconds());
    let (clip, _) = compress(&skeleton, ticks(1.0), &[], &within(1e-3), &mut swing).expect("within the bound");
    let mut moved = |at: Tick, pose: &mut [DTrs]| {
        swing(at, pose);
        // Between two frames only, where no key is: at four moments a frame one is hit.
        if (ticks(0.505)..ticks(0.51)).contains(&at) {
            pose[66].translation.x += 0.5;
        }
    };
    let error = check(&clip, &skeleton, &[], &within(1e-3), &mut moved).expect_err("off");
    assert!(matches!(error, ClipError::Error { worst_m, joint: 66, .. } if (worst_m - 0.5).abs() < 2e-3), "{error}");
}
