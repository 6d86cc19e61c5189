//! Bad input: a typed error, never a panic.

use stillframe_anim::pose::{JobError, JointBlock, Trs};
use stillframe_anim::sample::{Baking, ClipError, DTrs, RawJoint, Sample, Skeleton, bake, bake_raw};
use stillframe_anim::{
    Curve, CurveKey, Interpolation, Keyed, KeyedError, Property, RawClip, RawLayer, RawTrack, TrackValues,
};
use stillframe_base::lanes::Isa;
use stillframe_base::tick::{FrameRate, Tick};

use super::oracle::ticks;
use super::playing::at_rate;

fn skeleton() -> Skeleton {
    let joint = |node, parent| RawJoint { node, name: String::new(), parent, rest: Trs::IDENTITY };
    Skeleton::new(&[joint(0, None), joint(1, Some(0))]).expect("two joints")
}

fn keyed(width: usize, interpolation: Interpolation, values: &[f32]) -> TrackValues {
    let parts = if interpolation == Interpolation::Cubic { 3 } else { 1 };
    let times = (0..values.len() / width / parts).map(|i| ticks(i as f64)).collect();
    TrackValues::Keyed(Keyed::new(times, interpolation, width, values.to_vec()).expect("in order"))
}

fn clip(tracks: Vec<RawTrack>) -> RawClip {
    RawClip { name: String::new(), start: Tick::ZERO, end: ticks(1.0), layers: vec![RawLayer::base(tracks)] }
}

#[test]
fn bad_tracks_are_refused() {
    use Interpolation::{Cubic, Linear};
    use Property::{MorphWeights, Rotation, Scale, Translation};
    let track = |node, property, values| RawTrack { node, property, values };
    let still = || keyed(3, Linear, &[0.0; 3]);
    let curve = |times: [f64; 2], value: f64| TrackValues::Components {
        curves: vec![Some(Curve {
            keys: times.map(|at| CurveKey::linear(ticks(at), value)).to_vec(),
            ..Curve::default()
        })],
        rest: vec![0.0; 3],
    };
    let max = 1e9;
    let rows = [
        (
            vec![track(0, Translation, keyed(3, Linear, &[0.0, 0.0, 0.0, 0.0, f32::NAN, 0.0]))],
            ClipError::NotFinite { track: 0, key: 1 },
        ),
        (
            vec![track(0, Rotation, keyed(4, Linear, &[f32::INFINITY, 0.0, 0.0, 1.0]))],
            ClipError::NotFinite { track: 0, key: 0 },
        ),
        (vec![track(0, Scale, curve([0.0, 1.0], f64::NAN))], ClipError::NotFinite { track: 0, key: 0 }),
        (vec![track(0, Scale, curve([1.0, 1.0], 1.0))], ClipError::Order { track: 0, key: 1 }),
        (vec![track(0, Scale, curve([1.0, 0.5], 1.0))], ClipError::Order { track: 0, key: 1 }),
        (vec![track(0, Rotation, curve([0.0, 1.0], 1.0))], ClipError::Angles { track: 0 }),
        (vec![track(1, Rotation, still())], ClipError::Width { track: 0, width: 3, want: 4 }),
        (vec![track(1, Scale, keyed(1, Linear, &[1.0]))], ClipError::Width { track: 0, width: 1, want: 3 }),
        (
            vec![track(0, Scale, TrackValues::Components { curves: vec![None; 4], rest: vec![] })],
            ClipError::Width { track: 0, width: 4, want: 3 },
        ),
        (
            vec![track(1, Scale, still()), track(0, Scale, still()), track(1, Scale, still())],
            ClipError::Twice { first: 0, second: 2 },
        ),
        (vec![track(5, Scale, still()), track(6, Scale, still())], ClipError::OtherSkeleton { tracks: 2 }),
        // Tangents are not looked at key by key; what comes of them is.
        (
            vec![track(
                0,
                Scale,
                keyed(
                    3,
                    Cubic,
                    &[f32::NAN; 3]
                        .repeat(2)
                        .iter()
                        .chain(&[1.0; 3])
                        .chain(&[f32::NAN; 9])
                        .copied()
                        .collect::<Vec<f32>>(),
                ),
            )],
            ClipError::NotFinite { track: 0, key: 0 },
        ),
        (
            vec![track(1, Translation, keyed(3, Linear, &[3e9; 3]))],
            ClipError::OutOfRange { joint: 1, at: Tick::ZERO, max },
        ),
    ];
    for (tracks, want) in rows {
        assert_eq!(bake_raw(&clip(tracks), &skeleton(), &at_rate(30)).expect_err("refused"), want);
    }
    let tangents = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0, f32::NAN, 0.0, 0.0].repeat(2);
    let nan_tangent = clip(vec![track(0, Scale, keyed(3, Cubic, &tangents))]);
    let error = bake_raw(&nan_tangent, &skeleton(), &at_rate(30)).expect_err("refused");
    assert!(matches!(error, ClipError::OutOfRange { joint: 0, at: Tick(1..), .. }), "{error}");

    // What moves nothing of a skeleton without tracks for it is no mismatch.
    for tracks in
        [vec![], vec![track(5, MorphWeights, still())], vec![track(5, Scale, still()), track(0, Scale, still())]]
    {
        assert!(bake_raw(&clip(tracks), &skeleton(), &at_rate(30)).is_ok());
    }
    // What was read back may be anything.
    for (times, want) in [("[]", ClipError::NoKeys { track: 0 }), ("[5, 5]", ClipError::Order { track: 0, key: 1 })] {
        let text = format!(r#"{{"times":{times},"interpolation":"Linear","width":3,"values":[0,0,0,0,0,0]}}"#);
        let values = TrackValues::Keyed(serde_json::from_str(&text).expect("keys"));
        let error = bake_raw(&clip(vec![track(0, Scale, values)]), &skeleton(), &at_rate(30));
        assert_eq!(error.expect_err("refused"), want);
    }
    // Keys out of order do not even become a track.
    let unsorted = Keyed::new(vec![ticks(1.0), ticks(0.5)], Linear, 3, vec![0.0; 6]);
    assert_eq!(unsorted, Err(KeyedError::Order(1)));
}

#[test]
fn bad_spans_and_rates_are_refused() {
    let mut backward = clip(vec![]);
    backward.start = ticks(2.0);
    let span = ClipError::Span { start: ticks(2.0), end: ticks(1.0) };
    assert_eq!(bake_raw(&backward, &skeleton(), &at_rate(30)).expect_err("refused"), span);
    let mut endless = clip(vec![]);
    (endless.start, endless.end) = (Tick(i64::MIN), Tick(i64::MAX));
    assert!(matches!(bake_raw(&endless, &skeleton(), &at_rate(30)), Err(ClipError::Span { .. })));
    endless.start = Tick::ZERO;
    assert!(matches!(bake_raw(&endless, &skeleton(), &at_rate(30)), Err(ClipError::TooLong { .. })));
    // The longest clip there is, at frames as far apart as they get.
    let rate = FrameRate { frames: 1, seconds: u32::MAX };
    let (longest, _) = bake_raw(&endless, &skeleton(), &Baking { rate, object_error_max_m: None }).expect("5 frames");
    assert_eq!((longest.frame_count(), longest.place(Tick(i64::MAX))), (5, (3, 1.0)));

    let mut layered = clip(vec![]);
    layered.layers.push(RawLayer::base(vec![]));
    assert_eq!(bake_raw(&layered, &skeleton(), &at_rate(30)).expect_err("refused"), ClipError::Layers { count: 2 });
    layered.layers.clear();
    assert_eq!(bake_raw(&layered, &skeleton(), &at_rate(30)).expect_err("refused"), ClipError::Layers { count: 0 });

    for rate in [FrameRate { frames: 0, seconds: 1 }, FrameRate { frames: 1, seconds: 0 }] {
        let baking = Baking { rate, object_error_max_m: None };
        assert_eq!(bake_raw(&clip(vec![]), &skeleton(), &baking).expect_err("refused"), ClipError::Rate);
    }
    let backward = bake(&skeleton(), Tick(-1), &[], &at_rate(30), &mut |_, _| {});
    assert_eq!(backward.expect_err("refused"), ClipError::Span { start: Tick::ZERO, end: Tick(-1) });
}

#[test]
fn bad_poses_are_refused() {
    let max = 1e9;
    for bad in [f64::NAN, f64::INFINITY, 2e9] {
        let mut pose = |at: Tick, pose: &mut [DTrs]| pose[1].scale.z = if at < ticks(0.5) { 1.0 } else { bad };
        let error = bake(&skeleton(), ticks(1.0), &[], &at_rate(10), &mut pose).expect_err("refused");
        assert_eq!(error, ClipError::OutOfRange { joint: 1, at: ticks(0.5), max });
    }
    let mut flat = |_: Tick, pose: &mut [DTrs]| pose[0].rotation = glam::DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let error = bake(&skeleton(), ticks(1.0), &[], &at_rate(10), &mut flat).expect_err("refused");
    assert_eq!(error, ClipError::OutOfRange { joint: 0, at: Tick::ZERO, max });
}

#[test]
fn a_pose_of_another_skeleton_is_refused() {
    let (clip, _) = bake_raw(&clip(vec![]), &skeleton(), &at_rate(30)).expect("still");
    let mut out = [JointBlock::IDENTITY; 2];
    let job = Sample { isa: Isa::detect(), clip: &clip, at: Tick::ZERO, out: &mut out };
    assert_eq!(job.validate(), Err(JobError::Length { what: "blocks of the pose", count: 2, want: 1 }));
    let empty = Skeleton::new(&[]).expect("no joints");
    let (clip, report) = bake(&empty, ticks(1.0), &[], &at_rate(30), &mut |_, _| {}).expect("nothing");
    Sample { isa: Isa::detect(), clip: &clip, at: Tick::ZERO, out: &mut [] }.run();
    assert_eq!((report.joint_count, report.object_m.value), (0, 0.0));
}
