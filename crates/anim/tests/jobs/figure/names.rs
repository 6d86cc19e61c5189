//! Names and poses of one skeleton on another.

use glam::{Quat, Vec3};
use proptest::prelude::*;
use stillframe_anim::figure::{FigureError, NameMap, NameRules, Retarget};
use stillframe_anim::pose::{JobError, JointBlock, Trs};
use stillframe_anim::sample::Skeleton;

use super::rig::{poses, skeleton, turn, vector};

#[test]
fn names_meet_by_pairs_prefixes_and_loosely() {
    let source = skeleton(&["mixamorig:Hips", "mixamorig:Left_Arm", "mixamorig:Jaw", "Root"]);
    let target = skeleton(&["pelvis", "left arm", "jaw", "tail"]);
    let rules = NameRules { pairs: &[("mixamorig:Hips", "pelvis")], prefixes: &["mixamorig:"], loose: true };
    let map = NameMap::new(&source, &target, &rules).expect("names that are one each");
    assert_eq!(map.source_of(), [Some(0), Some(1), Some(2), None]);
    assert_eq!(map.unmatched().collect::<Vec<_>>(), [3]);
    assert_eq!(map.unused(), [3]);
    // Without rules names are equal or they are not.
    let map = NameMap::new(&source, &target, &NameRules::default()).expect("names that are one each");
    assert_eq!(map.source_of(), [None; 4]);
    let map = NameMap::new(&source, &source, &NameRules::default()).expect("names that are one each");
    assert_eq!(map.source_of(), [Some(0), Some(1), Some(2), Some(3)]);
}

#[test]
fn rules_that_do_not_fit_are_named() {
    let (source, target) = (skeleton(&["a", "b", "b"]), skeleton(&["x", "y", "z"]));
    let refused = |source: &Skeleton, pairs: &[(&str, &str)], loose| {
        NameMap::new(source, &target, &NameRules { pairs, prefixes: &[], loose }).expect_err("refused")
    };
    let rule = |name: &str, count| FigureError::Rule { name: name.to_owned(), count };
    assert_eq!(refused(&source, &[("q", "x")], false), rule("q", 0));
    assert_eq!(refused(&source, &[("b", "x")], false), rule("b", 2));
    assert_eq!(refused(&source, &[("a", "q")], false), rule("q", 0));
    assert_eq!(refused(&source, &[("a", "x"), ("a", "y")], false), rule("a", 2));
    let apart = skeleton(&["a", "b"]);
    assert_eq!(refused(&apart, &[("a", "x"), ("b", "x")], false), rule("x", 2));
    // Two of one name are no matter until the other side has it.
    let (alike, rules) = (skeleton(&["Arm_L", "arm l"]), NameRules { loose: true, ..NameRules::default() });
    assert!(NameMap::new(&alike, &target, &rules).is_ok());
    let arm = skeleton(&["ArmL", "x"]);
    let same = Err(FigureError::SameName { first: "Arm_L".into(), second: "arm l".into() });
    assert_eq!(NameMap::new(&alike, &arm, &rules), same);
    assert_eq!(NameMap::new(&arm, &alike, &rules), same);
    // A pair that names one of the two tells them apart.
    let rules = NameRules { pairs: &[("Arm_L", "x")], prefixes: &[], loose: true };
    let map = NameMap::new(&alike, &arm, &rules).expect("told apart");
    assert_eq!(map.source_of(), [Some(1), Some(0)]);
}

fn all_of(names: &[&str]) -> NameMap {
    let skeleton = skeleton(names);
    NameMap::new(&skeleton, &skeleton, &NameRules::default()).expect("names that are one each")
}

fn retarget(source_rest: &[Trs], target_rest: &[Trs], pose: &[Trs], first: f32) -> Vec<Trs> {
    let map = all_of(&["a", "b", "c", "d", "e"][..target_rest.len()]);
    let pose = JointBlock::pack(pose);
    let mut out = vec![JointBlock::IDENTITY; JointBlock::count_for(target_rest.len())];
    let mut ratios = vec![0.0; target_rest.len()];
    ratios[0] = first;
    Retarget { map: &map, source_rest, target_rest, pose: &pose, ratios: &ratios, out: &mut out }.run();
    (0..target_rest.len()).map(|joint| JointBlock::joint(&out, joint)).collect()
}

proptest! {
    #[test]
    fn rest_becomes_rest_and_the_same_skeleton_keeps_its_pose(rest in poses(), other in poses(), pose in poses()) {
        for (got, want) in retarget(&rest, &other, &rest, 2.0).iter().zip(&other) {
            prop_assert!(got.rotation.dot(want.rotation).abs() > 1.0 - 1e-6);
            prop_assert_eq!((got.translation, got.scale), (want.translation, want.scale));
        }
        for (joint, (got, want)) in retarget(&rest, &rest, &pose, 1.0).iter().zip(&pose).enumerate() {
            prop_assert!(got.rotation.dot(want.rotation).abs() > 1.0 - 1e-6);
            prop_assert!((got.scale - want.scale).abs().max_element() < 1e-6);
            let translation = if joint == 0 { want.translation } else { rest[joint].translation };
            prop_assert!((got.translation - translation).abs().max_element() < 1e-6);
        }
    }

    /// There and back: the turn beyond the rest is carried whole.
    #[test]
    fn there_and_back_is_the_pose(rest in poses(), other in poses(), pose in poses()) {
        let there = retarget(&rest, &other, &pose, 2.0);
        let back = retarget(&other, &rest, &there, 0.5);
        for (got, want) in back.iter().zip(&pose) {
            prop_assert!(got.rotation.dot(want.rotation).abs() > 1.0 - 1e-5);
            prop_assert!((got.scale - want.scale).abs().max_element() < 1e-5);
        }
        prop_assert!((back[0].translation - pose[0].translation).abs().max_element() < 1e-5);
    }

    #[test]
    fn a_turn_beyond_rest_is_that_turn(rest in turn(), other in turn(), beyond in turn(), moved in vector(1.0)) {
        let joint = |rotation| Trs { rotation, ..Trs::IDENTITY };
        let pose = Trs { rotation: rest * beyond, translation: moved, ..Trs::IDENTITY };
        let got = retarget(&[joint(rest)], &[joint(other)], &[pose], 0.5)[0];
        prop_assert!(got.rotation.dot(other * beyond).abs() > 1.0 - 1e-6);
        prop_assert!((got.translation - moved * 0.5).length() < 1e-6);
    }
}

#[test]
fn what_has_no_source_rests_and_shapes_are_checked() {
    let map = NameMap::new(&skeleton(&["a"]), &skeleton(&["a", "tail"]), &NameRules::default()).expect("one each");
    let rest = Trs { translation: Vec3::X, rotation: Quat::from_xyzw(1.0, 0.0, 0.0, 0.0), scale: Vec3::splat(3.0) };
    let (source_rest, target_rest) = ([Trs { scale: Vec3::ZERO, ..Trs::IDENTITY }], [rest; 2]);
    let (pose, mut out) = ([JointBlock::IDENTITY], [JointBlock::IDENTITY]);
    let mut job = Retarget {
        map: &map,
        source_rest: &source_rest,
        target_rest: &target_rest,
        pose: &pose,
        ratios: &[1.0; 2],
        out: &mut out,
    };
    assert_eq!(job.validate(), Ok(()));
    job.ratios = &[1.0];
    assert_eq!(job.validate(), Err(JobError::Length { what: "ratios of the target", count: 1, want: 2 }));
    (job.ratios, job.target_rest) = (&[1.0; 2], &target_rest[..1]);
    assert_eq!(job.validate(), Err(JobError::Length { what: "joints of the target", count: 1, want: 2 }));
    (job.target_rest, job.pose) = (&target_rest, &[]);
    assert_eq!(job.validate(), Err(JobError::Length { what: "blocks of the pose", count: 0, want: 1 }));
    (job.pose, job.source_rest) = (&[], &[]);
    let index = JobError::JointIndex { what: "joints of the map", entry: 0, joint: 0, count: 0 };
    assert_eq!(job.validate(), Err(index));
    (job.pose, job.source_rest) = (&pose, &source_rest);
    job.run();
    // A joint of no size at rest leaves the target's size.
    assert_eq!(out[0].lane(0), rest);
    assert_eq!(out[0].lane(1), rest);
}
