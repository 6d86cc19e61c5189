//! Playing: a compressed clip against its source, at moments that compressing has looked at and at others.

use glam::{DAffine3, DQuat, DVec3};
use proptest::prelude::*;
use stillframe_anim::compress::{ClipForm, CompressedClip, Compression, Decompress, compress, compress_raw};
use stillframe_anim::pose::{JobError, JointBlock, NO_PARENT, Trs};
use stillframe_anim::sample::{ClipError, DTrs, RawJoint, RawPose, Skeleton, VIRTUAL_VERTEX_M};
use stillframe_base::hash::Digest;
use stillframe_base::lanes::Isa;
use stillframe_base::math::ops64;
use stillframe_base::rng::Rng;
use stillframe_base::tick::{FrameRate, TICKS_PER_SECOND, Tick};
use stillframe_testkit::clips;
use stillframe_testkit::depth::cases;
use stillframe_testkit::worse;

use crate::sample::oracle::{clip, ticks};

pub fn within(object_error_max_m: f64) -> Compression {
    Compression { rate: FrameRate::whole(30), object_error_max_m, shell_m: VIRTUAL_VERTEX_M }
}

pub fn play(isa: Isa, clip: &CompressedClip, at: Tick) -> Vec<JointBlock> {
    let mut out = vec![JointBlock::IDENTITY; JointBlock::count_for(clip.joint_count())];
    let job = Decompress { isa, clip, at, out: &mut out };
    assert_eq!(job.validate(), Ok(()));
    job.run();
    out
}

fn model(pose: impl Iterator<Item = DTrs>, parents: &[u16]) -> Vec<DAffine3> {
    let mut models: Vec<DAffine3> = Vec::new();
    for (joint, parent) in pose.zip(parents) {
        let local = DAffine3::from_scale_rotation_translation(joint.scale, joint.rotation, joint.translation);
        models.push(if *parent == NO_PARENT { local } else { models[usize::from(*parent)] * local });
    }
    models
}

/// How far points near the joints are from where they belong, each joint's furthest.
pub fn errors_m(parents: &[u16], want: &[DTrs], got: impl Iterator<Item = DTrs>) -> Vec<f64> {
    errors_at_m(VIRTUAL_VERTEX_M, parents, want, got)
}

/// The same at points further out or nearer.
fn errors_at_m(shell_m: f64, parents: &[u16], want: &[DTrs], got: impl Iterator<Item = DTrs>) -> Vec<f64> {
    let unit = |pose: &DTrs| DTrs { rotation: pose.rotation.normalize(), ..*pose };
    let (want, got) = (model(want.iter().map(unit), parents), model(got, parents));
    let off = |(want, got): (&DAffine3, &DAffine3)| {
        let vertices = DVec3::AXES.map(|axis| axis * shell_m);
        let off_m = vertices.map(|v| want.transform_point3(v).distance(got.transform_point3(v)));
        // `max` passes over what is not a number.
        assert!(off_m.iter().all(|off_m| off_m.is_finite()), "{off_m:?}");
        off_m.into_iter().fold(0.0, worse)
    };
    want.iter().zip(&got).map(off).collect()
}

pub fn joints_of(pose: &[JointBlock], count: usize) -> impl Iterator<Item = DTrs> {
    (0..count).map(|joint| DTrs::from(JointBlock::joint(pose, joint)))
}

fn worst_m(skeleton: &Skeleton, want: &[DTrs], got: &[JointBlock]) -> f64 {
    errors_m(skeleton.parents(), want, joints_of(got, want.len())).into_iter().fold(0.0, worse)
}

/// Of each clip, the least ratio to f32 at 0.12 mm.
const RATIOS: [(&str, f64); 12] = [
    ("static", 400.0),
    ("idle", 48.0),
    ("walk", 21.2),
    ("run", 19.9),
    ("fast", 19.0),
    ("far root", 24.8),
    ("noisy", 14.2),
    ("fingers", 20.9),
    ("steps", 24.9),
    ("scales", 20.4),
    ("long", 33.0),
    ("random", 9.6),
];

/// At four moments a key, at the tick before each key, and at moments of no kind; forward, backward, at random: all the
/// same bits.
#[test]
fn the_bound_is_held_on_all_twelve() {
    let skeleton = clips::skeleton();
    let (mut raw_bytes, mut bytes) = (0, 0);
    let all = clips::all();
    assert_eq!(all.len(), RATIOS.len());
    for (raw, (name, least)) in all.into_iter().zip(RATIOS) {
        let bound_m = 0.12e-3;
        let (clip, report) = compress_raw(&raw, &skeleton, &within(bound_m)).expect("within the bound");
        assert!(matches!(clip.form(), ClipForm::Frames { .. }), "{}: {:?}", raw.name, clip.form());
        (raw_bytes, bytes) = (raw_bytes + report.raw_bytes(), bytes + report.bytes);
        let ratio = report.raw_bytes() as f64 / report.bytes as f64;
        assert!(raw.name == name && ratio >= least, "{}: {ratio} of {name}'s {least}", raw.name);
        let pose = RawPose::new(&raw, &skeleton).expect("well formed");
        let mut want = vec![DTrs::from(Trs::IDENTITY); clips::JOINTS];
        let mut found_m = 0.0_f64;
        for quarter in 0..=clip.duration().0 * 4 / clips::KEY_TICKS {
            let on = Tick(quarter * clips::KEY_TICKS / 4);
            for at in [on, Tick((on.0 - i64::from(quarter % 4 == 0)).max(0))] {
                pose.sample(at, &mut want);
                found_m = worse(found_m, worst_m(&skeleton, &want, &play(Isa::detect(), &clip, at)));
            }
        }
        assert!(found_m <= bound_m, "{}: {found_m}", raw.name);
        // The report's is the same number by another way.
        assert!((found_m - report.object_m.value).abs() < 1e-9, "{}: {found_m} {:?}", raw.name, report.object_m);
        assert!(report.object_p99_m <= report.object_m.value + bound_m / 256.0);

        let mut random = Rng::new(31).stream("moments", 0);
        for _ in 0..2000 {
            let at = Tick((random.unit_f64() * clip.duration().0 as f64) as i64);
            pose.sample(at, &mut want);
            let off_m = worst_m(&skeleton, &want, &play(Isa::detect(), &clip, at));
            assert!(off_m <= 1.1 * bound_m, "{}: {off_m} at {at:?}", raw.name);
        }
    }
    let ratio = raw_bytes as f64 / bytes as f64;
    assert!(ratio >= 22.5, "{ratio}");
}

#[test]
fn every_instruction_set_gives_the_same_bits() {
    let skeleton = clips::skeleton();
    for name in ["walk", "fast", "steps", "scales", "idle"] {
        let (clip, _) = compress_raw(&clips::named(name), &skeleton, &within(0.12e-3)).expect("within the bound");
        let mut random = Rng::new(37).stream("moments", 0);
        for _ in 0..200 {
            let at = Tick((random.unit_f64() * 1.2 * clip.duration().0 as f64) as i64 - TICKS_PER_SECOND);
            let want = play(Isa::Scalar, &clip, at);
            for isa in Isa::available() {
                let got = play(isa, &clip, at);
                assert!(
                    bytemuck::cast_slice::<_, u32>(&got) == bytemuck::cast_slice::<_, u32>(&want),
                    "{name} {isa} {at:?}"
                );
            }
        }
    }
}

/// The compressor itself gives the same bits everywhere: its files are what they were.
#[test]
fn files_are_the_same_everywhere() {
    let skeleton = clips::skeleton();
    let mut all = Vec::new();
    for name in ["walk", "fast", "steps", "scales"] {
        let raw = clips::named(name);
        let (clip, _) = compress_raw(&raw, &skeleton, &within(0.2e-3)).expect("within the bound");
        let (again, _) = compress_raw(&raw, &skeleton, &within(0.2e-3)).expect("within the bound");
        assert_eq!(clip, again);
        all.extend(clip.to_bytes());
    }
    assert_eq!(
        Digest::of_bytes(&all).to_string(),
        "b3:1b1f7aa4c69bbe6bd66a57db750030c68b96d41f592339a8cba9fdf2e46ebda5"
    );
}

fn two_joints() -> Skeleton {
    let rest = Trs { translation: glam::Vec3::new(0.0, 0.5, 0.0), ..Trs::IDENTITY };
    let joint = |node, parent| RawJoint { node, name: String::new(), parent, rest };
    Skeleton::new(&[joint(0, None), joint(1, Some(0))]).expect("two joints")
}

/// A jump that lies between frames, where no frames can follow: kept as keys, within the bound on both sides.
#[test]
fn a_jump_between_frames_is_kept_as_keys() {
    let jump = ticks(0.512_345);
    let mut pose = |at: Tick, pose: &mut [DTrs]| {
        pose[0].rotation = DQuat::from_rotation_z(if at < jump { 0.0 } else { 1.0 });
        pose[1].translation.x = 0.1 * at.seconds();
    };
    let bound_m = 1e-4;
    let made = compress(&two_joints(), ticks(1.0), &[jump], &within(bound_m), &mut pose);
    let (clip, report) = made.expect("within the bound");
    assert!(matches!(report.form, ClipForm::Keys { .. }), "{:?}", report.form);
    for at in [Tick::ZERO, jump - Tick(1), jump, jump + Tick(1), ticks(0.7), ticks(1.0)] {
        let mut want = vec![DTrs::from(Trs::IDENTITY); 2];
        want.iter_mut().for_each(|joint| joint.translation.y = 0.5);
        pose(at, &mut want);
        let off_m = worst_m(&two_joints(), &want, &play(Isa::detect(), &clip, at));
        assert!(off_m <= bound_m, "{off_m} at {at:?}");
    }
    assert_eq!(CompressedClip::from_bytes(&clip.to_bytes()), Ok(clip));
}

/// Rotations that bend much between frames: more frames, said in the report.
#[test]
fn a_curve_between_frames_raises_the_rate() {
    let mut pose = |at: Tick, pose: &mut [DTrs]| {
        pose[1].translation.x = 0.05 * ops64::sin(at.seconds() * 25.0);
    };
    let (_, report) = compress(&two_joints(), ticks(2.0), &[], &within(1e-4), &mut pose).expect("within the bound");
    assert!(matches!(report.form, ClipForm::Frames { .. }));
    assert!(report.frames_per_source_frame > 1, "{report:?}");
    assert!(report.object_m.value <= 1e-4);
}

/// What f32 has no numbers for is refused, not missed.
#[test]
fn what_cannot_be_held_is_an_error() {
    let mut pose = |at: Tick, pose: &mut [DTrs]| pose[0].translation.x = 1e6 + at.seconds() * 0.001;
    for (bound_m, good) in [(0.1, true), (1e-3, false), (0.0, false), (f64::NAN, false)] {
        let made = compress(&two_joints(), ticks(1.0), &[], &within(bound_m), &mut pose);
        assert_eq!(made.is_ok(), good, "{bound_m}");
        if let Err(error) = made {
            assert!(matches!(error, ClipError::Error { .. }), "{error}");
        }
    }
}

/// What is thick asks for finer rotations: the bound holds where its skin is, and the clip is larger.
#[test]
fn points_further_from_joints_are_held_too() {
    let (skeleton, raw) = (clips::skeleton(), clips::named("walk"));
    let source = RawPose::new(&raw, &skeleton).expect("it is the skeleton's");
    let mut bytes = Vec::new();
    for shell_m in [0.003, VIRTUAL_VERTEX_M, 0.3] {
        let (clip, report) =
            compress_raw(&raw, &skeleton, &Compression { shell_m, ..within(0.2e-3) }).expect("it moves");
        bytes.push(report.bytes);
        let mut want = vec![DTrs::from(Trs::IDENTITY); skeleton.joint_count()];
        let mut worst_m = 0.0_f64;
        for step in 0..=97 {
            let at = Tick((i128::from(clip.duration().0) * step / 97) as i64);
            source.sample(at, &mut want);
            let got = play(Isa::detect(), &clip, at);
            let off_m = errors_at_m(shell_m, skeleton.parents(), &want, joints_of(&got, want.len()));
            worst_m = off_m.into_iter().fold(worst_m, f64::max);
        }
        assert!(worst_m <= 0.2e-3 && worst_m > 0.02e-3, "{shell_m}: {worst_m}");
    }
    assert!(bytes.is_sorted() && bytes[0] < bytes[2], "{bytes:?}");
    for shell_m in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let made = compress_raw(&raw, &skeleton, &Compression { shell_m, ..within(0.2e-3) });
        assert!(matches!(made, Err(ClipError::Shell { .. })), "{shell_m}");
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

/// Keys as dense as ticks are noise, which a small file must not turn into gigabytes and minutes.
#[test]
fn noise_is_refused_soon() {
    let mut asked = 0_u64;
    let mut noise = |at: Tick, pose: &mut [DTrs]| {
        asked += 1;
        pose[1].translation.y = (at.0.wrapping_mul(0x9E37_79B9_7F4A_7C15_u64 as i64) >> 40) as f64 * 1e-6;
    };
    let made = compress(&two_joints(), ticks(2.0), &[], &within(1e-4), &mut noise);
    assert!(matches!(made, Err(ClipError::TooLong { .. })), "{made:?}");
    assert!(asked < 200_000, "{asked} poses");
}

#[test]
fn bad_input_is_refused() {
    let none = &mut |_: Tick, _: &mut [DTrs]| {};
    let made = compress(&two_joints(), Tick(-1), &[], &within(1e-4), none);
    assert_eq!(made.expect_err("refused"), ClipError::Span { start: Tick::ZERO, end: Tick(-1) });
    let rate = FrameRate { frames: 0, seconds: 1 };
    let made = compress(&two_joints(), ticks(1.0), &[], &Compression { rate, ..within(1e-4) }, none);
    assert_eq!(made.expect_err("refused"), ClipError::Rate);
    let made = compress(&two_joints(), Tick(i64::MAX), &[], &within(1e-4), none);
    assert!(matches!(made, Err(ClipError::TooLong { .. })));
    let mut bad = |at: Tick, pose: &mut [DTrs]| pose[1].scale.y = if at < ticks(0.5) { 1.0 } else { f64::NAN };
    let made = compress(&two_joints(), ticks(1.0), &[], &within(1e-4), &mut bad);
    assert!(matches!(made, Err(ClipError::OutOfRange { joint: 1, .. })));

    let (clip, _) = compress(&two_joints(), ticks(1.0), &[], &within(1e-4), none).expect("still");
    let mut out = [JointBlock::IDENTITY; 2];
    let job = Decompress { isa: Isa::detect(), clip: &clip, at: Tick::ZERO, out: &mut out };
    assert_eq!(job.validate(), Err(JobError::Length { what: "blocks of the pose", count: 2, want: 1 }));
    let empty = Skeleton::new(&[]).expect("no joints");
    let (clip, report) = compress(&empty, ticks(1.0), &[], &within(1e-4), none).expect("nothing");
    Decompress { isa: Isa::detect(), clip: &clip, at: Tick::ZERO, out: &mut [] }.run();
    assert_eq!((report.joint_count, report.object_m.value), (0, 0.0));
    assert_eq!(CompressedClip::from_bytes(&clip.to_bytes()), Ok(clip));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(48)))]
    /// Clips of steps, lines and cubics at any times, over any skeleton: within the bound at every key, before it, and
    /// between.
    #[test]
    fn any_clip_is_within_its_bound(clip in clip(), bound_m in 1e-4f64..1e-2, extra in prop::collection::vec(0.0f64..1.0, 20)) {
        let skeleton = Skeleton::new(&clip.joints).expect("a forest");
        let (made, report) = compress_raw(&clip.raw(), &skeleton, &within(bound_m)).expect("within the bound");
        prop_assert!(report.object_m.value <= bound_m);
        let quarters = (0..=clip.duration().0 * 4 * 30 / TICKS_PER_SECOND).map(|i| Tick(i * TICKS_PER_SECOND / 120));
        for at in quarters.chain(clip.key_moments()) {
            let at = at.clamp(Tick::ZERO, clip.duration());
            let off_m = worst_m(&skeleton, &clip.pose(at, skeleton.nodes()), &play(Isa::detect(), &made, at));
            prop_assert!(off_m <= 1.05 * bound_m + 1e-6, "{:?}: {} of {}, {:?}", at, off_m, bound_m, report);
        }
        for share in extra {
            let at = Tick((share * clip.duration().0 as f64) as i64);
            let off_m = worst_m(&skeleton, &clip.pose(at, skeleton.nodes()), &play(Isa::detect(), &made, at));
            prop_assert!(off_m <= 2.0 * bound_m, "{:?}: {} of {}, {:?}", at, off_m, bound_m, report);
        }
        prop_assert_eq!(CompressedClip::from_bytes(&made.to_bytes()), Ok(made.clone()));
        let at = Tick(clip.duration().0 / 3);
        for isa in Isa::available() {
            prop_assert_eq!(play(isa, &made, at), play(Isa::Scalar, &made, at));
        }
    }
}
