//! Playing: a baked clip against its source.

use glam::{DAffine3, DQuat, DVec3, Quat, Vec3};
use proptest::prelude::*;
use stillframe_anim::pose::{JointBlock, NO_PARENT, Trs};
use stillframe_anim::sample::{
    Baking, ClipError, ClipReport, DTrs, NLERP_ERROR_MAX_DEG, NLERP_KEY_ANGLE_DEG, RawJoint, Sample, Skeleton,
    UniformClip, VIRTUAL_VERTEX_M, bake, bake_raw,
};
use stillframe_anim::{Curve, CurveKey, Property, RawClip, RawLayer, RawTrack, TrackValues};
use stillframe_base::hash::Digest;
use stillframe_base::lanes::Isa;
use stillframe_base::math::ops64;
use stillframe_base::rng::Rng;
use stillframe_base::tick::{FrameRate, TICKS_PER_SECOND, Tick};
use stillframe_testkit::depth::cases;

use super::oracle::{Clip, clip, ticks};

pub fn at_rate(rate: u32) -> Baking {
    Baking { rate: FrameRate::whole(rate), object_error_max_m: None }
}

pub fn play(isa: Isa, clip: &UniformClip, at: Tick) -> Vec<JointBlock> {
    let mut out = vec![JointBlock::IDENTITY; JointBlock::count_for(clip.joint_count())];
    let job = Sample { isa, clip, at, out: &mut out };
    assert_eq!(job.validate(), Ok(()));
    job.run();
    out
}

pub fn bits(pose: &[JointBlock]) -> Vec<u32> {
    bytemuck::cast_slice(pose).to_vec()
}

/// Worst rotation (deg), translation and virtual vertex (m) of a pose.
fn errors(skeleton: &Skeleton, want: &[DTrs], got: &[JointBlock]) -> [f64; 3] {
    let mut worst = [0.0f64; 3];
    let (mut want_models, mut got_models) = (Vec::<DAffine3>::new(), Vec::<DAffine3>::new());
    for (joint, want) in want.iter().enumerate() {
        let got = DTrs::from(got[joint / 16].lane(joint % 16));
        assert!((got.rotation.length() - 1.0).abs() < 3e-7, "{:?}", got.rotation);
        let turn = want.rotation.conjugate() * got.rotation;
        let turn_rad = 2.0 * ops64::atan2(turn.xyz().length(), turn.w.abs());
        worst[0] = worst[0].max(turn_rad.to_degrees());
        worst[1] = worst[1].max((want.translation - got.translation).length());
        for (pose, models) in [(want, &mut want_models), (&got, &mut got_models)] {
            let local = DAffine3::from_scale_rotation_translation(pose.scale, pose.rotation, pose.translation);
            let parent = skeleton.parents()[joint];
            let model = if parent == NO_PARENT { local } else { models[usize::from(parent)] * local };
            models.push(model);
        }
        for axis in DVec3::AXES {
            let vertex = axis * VIRTUAL_VERTEX_M;
            let off = want_models[joint].transform_point3(vertex) - got_models[joint].transform_point3(vertex);
            worst[2] = worst[2].max(off.length());
        }
    }
    worst
}

fn check(clip: &Clip, rate: u32, extra: &[f64]) -> Result<(), TestCaseError> {
    let skeleton = Skeleton::new(&clip.joints).expect("a forest");
    let (baked, report) = bake_raw(&clip.raw(), &skeleton, &at_rate(rate)).expect("well formed");
    let bound = [report.rotation_deg.value, report.translation_m.value, report.object_m.value];
    let ends = |at: Tick| at.clamp(Tick::ZERO, clip.duration());
    let steps = 8 * (baked.frame_count() as i64 - 1);
    let measured = (0..=steps).map(|step| Tick(step * baked.frame_ticks() / 8)).chain(clip.key_moments());
    // Two ways to the same number in f64; angles below 1e-6 degrees are lost in both.
    for at in measured.map(ends) {
        let off = errors(&skeleton, &clip.pose(at, skeleton.nodes()), &play(Isa::detect(), &baked, at));
        prop_assert!(off.iter().zip(bound).all(|(off, bound)| *off <= bound + 1e-6), "{:?} {:?} {:?}", at, off, bound);
    }
    // Between these moments errors are arcs whose tops are hardly higher, unless rotations are lost altogether: where
    // source and frames go round different ways the error has its edge of 180 degrees somewhere between two moments.
    if bound[0] > 90.0 {
        return Ok(());
    }
    for at in extra.iter().map(|share| ends(Tick((share * clip.duration().0 as f64) as i64))) {
        let off = errors(&skeleton, &clip.pose(at, skeleton.nodes()), &play(Isa::detect(), &baked, at));
        prop_assert!(
            off.iter().zip(bound).all(|(off, bound)| *off <= bound * 1.1 + 1e-6),
            "{:?} {:?} {:?}",
            at,
            off,
            bound
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(96)))]

    #[test]
    fn errors_are_within_the_report(clip in clip(), rate in prop::sample::select(vec![15, 24, 30, 60, 120]), extra in prop::collection::vec(-0.1f64..1.1, 20)) {
        check(&clip, rate, &extra)?;
    }

    #[test]
    fn every_instruction_set_gives_the_same_bits(clip in clip(), times in prop::collection::vec(-0.2f64..1.4, 12)) {
        let skeleton = Skeleton::new(&clip.joints).expect("a forest");
        let (baked, _) = bake_raw(&clip.raw(), &skeleton, &at_rate(30)).expect("well formed");
        for at in times.into_iter().map(ticks) {
            let want = bits(&play(Isa::Scalar, &baked, at));
            for isa in Isa::available() {
                prop_assert_eq!(&bits(&play(isa, &baked, at)), &want, "{}", isa);
            }
            // Outside the clip the nearer end holds.
            let within = at.clamp(Tick::ZERO, clip.duration());
            prop_assert_eq!(bits(&play(Isa::detect(), &baked, within)), want);
        }
    }

    /// Time from the start of the clip or of the file's clock, all the same; a moment is a moment in every direction.
    #[test]
    fn a_clip_that_begins_later_is_the_same_clip(clip in clip(), later in 0i64..1 << 60, times in prop::collection::vec(0.0f64..1.2, 6)) {
        let skeleton = Skeleton::new(&clip.joints).expect("a forest");
        let mut moved = clip.clone();
        let shift = |time: &mut Tick| *time += Tick(later);
        [&mut moved.start, &mut moved.end].into_iter().for_each(shift);
        moved.tracks.iter_mut().flat_map(|track| &mut track.keys).for_each(|(time, _)| shift(time));
        let here = bake_raw(&clip.raw(), &skeleton, &at_rate(30)).expect("well formed");
        let there = bake_raw(&moved.raw(), &skeleton, &at_rate(30)).expect("well formed");
        prop_assert_eq!(&here, &there);
        let forward: Vec<Vec<u32>> = times.iter().map(|at| bits(&play(Isa::detect(), &here.0, ticks(*at)))).collect();
        let backward: Vec<Vec<u32>> = times.iter().rev().map(|at| bits(&play(Isa::detect(), &here.0, ticks(*at)))).collect();
        prop_assert!(forward.iter().eq(backward.iter().rev()));
    }

    /// The bound that baking asserts, against the arc itself.
    #[test]
    fn nlerp_is_near_slerp(angle_deg in 0.0f64..NLERP_KEY_ANGLE_DEG, along in 0.0f64..1.0) {
        let half = (angle_deg * 0.5).to_radians();
        let (from, to) = (DQuat::IDENTITY, DQuat::from_xyzw(ops64::sin(half), 0.0, 0.0, ops64::cos(half)));
        let (slerp, nlerp) = (stillframe_anim::slerp(from, to, along), (from + (to - from) * along).normalize());
        let turn = slerp.conjugate() * nlerp;
        prop_assert!((2.0 * ops64::atan2(turn.x.abs(), turn.w)).to_degrees() <= NLERP_ERROR_MAX_DEG);
    }
}

fn swing(node: usize, parent: Option<usize>) -> RawJoint {
    let rest = Trs { translation: Vec3::new(0.0, 0.25, 0.0), rotation: Quat::IDENTITY, scale: Vec3::ONE };
    RawJoint { node, name: String::new(), parent, rest }
}

/// Forty joints in a chain, of which some move.
fn body(rate: u32) -> (UniformClip, ClipReport, Skeleton) {
    let joints: Vec<RawJoint> = (0..40).map(|node| swing(node, node.checked_sub(1))).collect();
    let skeleton = Skeleton::new(&joints).expect("a chain");
    let mut random = Rng::new(2).stream("body", 0);
    let phases: Vec<f64> = (0..40).map(|_| random.unit_f64() * 6.0).collect();
    let mut pose = |at: Tick, pose: &mut [DTrs]| {
        for (joint, out) in pose.iter_mut().enumerate() {
            let sin = ops64::sin(at.seconds() * 5.0 + phases[joint]);
            if joint % 3 != 1 {
                out.rotation = DQuat::from_xyzw(0.1 * sin, 0.0, 0.05 * sin * sin, 1.0);
            }
            if joint == 17 {
                out.translation += DVec3::new(sin, 0.0, 0.0);
            }
        }
    };
    let (clip, report) = bake(&skeleton, ticks(1.3), &[], &at_rate(rate), &mut pose).expect("a clip");
    (clip, report, skeleton)
}

#[test]
fn what_stands_still_is_the_rest_pose_bit_for_bit() {
    let (clip, report, skeleton) = body(30);
    assert_eq!((report.moving_rotations, report.moving_translations, report.moving_scales), (27, 1, 0));
    // Three blocks of rotations and one of translations: 15 planes of 32 bytes a frame, 40 frames.
    assert_eq!(report.frame_count, 40);
    assert_eq!(report.bytes, 15 * 32 * 40 + 15 * 128 + 3 * (640 + 24));
    assert_eq!(report.raw_bytes(), 40 * 40 * 40);
    for at in [0.0, 0.51, 1.3] {
        let pose = play(Isa::detect(), &clip, ticks(at));
        for joint in 0..48 {
            let (got, rest) = (pose[joint / 16].lane(joint % 16), skeleton.rest().get(joint));
            let rest = rest.copied().unwrap_or(Trs::IDENTITY);
            assert_eq!(got.scale, rest.scale, "joint {joint}");
            assert!(joint == 17 || got.translation == rest.translation, "joint {joint}");
            assert!((joint < 40 && joint % 3 != 1) || got.rotation == rest.rotation, "joint {joint}");
        }
    }
}

#[test]
fn more_frames_are_nearer() {
    let [coarse, fine] = [15, 60].map(|rate| body(rate).1);
    assert!(fine.object_m.value * 4.0 < coarse.object_m.value, "{:?} {:?}", fine.object_m, coarse.object_m);
    assert!(fine.key_angle_deg.value < coarse.key_angle_deg.value);
    assert!(coarse.nlerp_error_deg() < NLERP_ERROR_MAX_DEG);
}

#[test]
fn a_bound_that_is_not_kept_is_an_error() {
    let (_, report, skeleton) = body(30);
    let bake_within = |max_m: f64| {
        let baking = Baking { object_error_max_m: Some(max_m), ..at_rate(30) };
        let mut pose = |at: Tick, pose: &mut [DTrs]| pose[3].translation.x = at.seconds() * at.seconds();
        bake(&skeleton, ticks(1.0), &[], &baking, &mut pose).map(|(_, report)| report.object_m.value)
    };
    let worst_m = bake_within(1.0).expect("a metre is wide");
    assert!(worst_m > 1e-4 && worst_m < report.object_m.value.max(1e-2));
    assert_eq!(bake_within(worst_m), Ok(worst_m));
    assert_eq!(bake_within(1e-5), Err(ClipError::Error { worst_m, joint: 3, max_m: 1e-5 }));
    assert!(bake_within(f64::NAN).is_err());
}

#[test]
fn the_ends_are_frames_whatever_the_length() {
    for (length, rate) in [(0, 30), (1, 30), (7, 1), (TICKS_PER_SECOND / 30, 30), (TICKS_PER_SECOND * 4 / 3 + 5, 24)] {
        let skeleton = Skeleton::new(&[swing(0, None)]).expect("a joint");
        let ramp = |at: Tick| at.0 as f64 / length.max(1) as f64;
        let mut pose = |at: Tick, pose: &mut [DTrs]| pose[0].translation.x = ramp(at);
        let (clip, report) = bake(&skeleton, Tick(length), &[], &at_rate(rate), &mut pose).expect("a clip");
        assert_eq!(clip.duration(), Tick(length));
        assert!(report.translation_m.value < 1e-4, "{length}: {:?}", report.translation_m);
        // A length that is a few ticks too long, as files round it, widens the frames by less than a tick.
        assert!(clip.frame_ticks() <= TICKS_PER_SECOND / i64::from(rate) + 1, "{length}");
        for at in [-5, 0, length, length + 9] {
            let x = play(Isa::detect(), &clip, Tick(at))[0].lane(0).translation.x;
            assert!((f64::from(x) - ramp(Tick(at.clamp(0, length)))).abs() < 1e-6, "{length} at {at}: {x}");
        }
    }
}

#[test]
fn curves_of_components_are_baked() {
    let curve = |from: f64, to: f64| Curve {
        keys: vec![CurveKey::linear(ticks(1.0), from), CurveKey::linear(ticks(2.0), to)],
        ..Curve::default()
    };
    let track = |property, curves| RawTrack {
        node: 0,
        property,
        values: TrackValues::Components { curves, rest: vec![7.0, 8.0, 9.0] },
    };
    let tracks = vec![
        track(Property::Translation, vec![Some(curve(0.0, 4.0)), None]),
        track(Property::Scale, vec![None, None, Some(curve(1.0, 2.0))]),
    ];
    let clip =
        RawClip { name: String::new(), start: ticks(1.0), end: ticks(2.0), layers: vec![RawLayer::base(tracks)] };
    let skeleton = Skeleton::new(&[swing(0, None)]).expect("a joint");
    let (baked, report) = bake_raw(&clip, &skeleton, &at_rate(30)).expect("a clip");
    let pose = play(Isa::detect(), &baked, ticks(0.5))[0].lane(0);
    assert!((pose.translation - Vec3::new(2.0, 8.0, 9.0)).length() < 1e-4);
    assert!((pose.scale - Vec3::new(7.0, 8.0, 1.5)).length() < 1e-4);
    assert!(report.translation_m.value < 1e-4 && report.frame_count == 31);
}

/// The bits themselves: whoever changes an order of operations or the packing sees it here, on every machine.
#[test]
fn kernels_keep_their_bits() {
    let (clip, _, _) = body(30);
    for isa in Isa::available() {
        let poses: Vec<u32> = (0..100).flat_map(|i| bits(&play(isa, &clip, ticks(f64::from(i) * 0.0131)))).collect();
        let digest = Digest::of_bytes(bytemuck::cast_slice(&poses)).to_string()[..16].to_owned();
        assert_eq!(digest, "b3:ee0f1ac79c96a", "{isa}");
    }
}
