//! Bake: errors are within what was asked for, loops close, and textures hold what their tables say.

use glam::DVec3;
use proptest::prelude::*;
use stillframe_anim::crowd::{
    Actor, BakedBones, CrowdBaking, CrowdClip, CrowdError, CrowdReport, SampleCrowd, Storage, Texels, TextureLimits,
    Track, Visible, affine_of, phase_once,
};
use stillframe_anim::sample::DTrs;
use stillframe_base::lanes::{Isa, Row};
use stillframe_base::tick::{FrameRate, TICKS_PER_SECOND, Tick};
use stillframe_testkit::depth::cases;
use stillframe_testkit::worse;

use super::puppet::{FALL, Puppet, RUN, Swing, WALK, baking, to_f64};

/// The palette at a moment of a clip.
pub fn palette_at(baked: &BakedBones, clip: u32, at: Tick) -> Vec<Row> {
    let frames = &baked.frames;
    let phase = phase_once(at, frames.clips()[clip as usize].length);
    palette_of(baked, Actor::new(glam::Affine3A::IDENTITY, Track { clip, phase, speed: 0 }))
}

/// The palette of an actor.
pub fn palette_of(baked: &BakedBones, actor: Actor) -> Vec<Row> {
    let frames = &baked.frames;
    let mut out = vec![Row::ZERO; frames.frame_rows()];
    let phases = vec![0; frames.clips().len()];
    let (actors, visible) = ([actor], [Visible { actor: 0, lod: 0 }]);
    let job = SampleCrowd {
        isa: Isa::detect(),
        baked: frames,
        phases: &phases,
        actors: &actors,
        visible: &visible,
        out: &mut out,
        stream: false,
    };
    assert_eq!(job.validate(), Ok(()));
    job.run();
    out
}

/// The largest error at points 3 and 15 cm from joints, at a moment, measured here.
fn error_m(puppet: &Puppet, baked: &BakedBones, clip: u32, swing: &Swing, at: Tick) -> f64 {
    let got = palette_at(baked, clip, at);
    let mut worst = 0.0f64;
    for (joint, want) in puppet.palette(swing, at).iter().enumerate() {
        let bind = to_f64(&puppet.inverse_binds[joint]).inverse();
        for point in DVec3::AXES.iter().flat_map(|axis| [*axis * 0.03, *axis * 0.15]) {
            let vertex = bind.transform_point3(point);
            let got = to_f64(&affine_of(&got, joint)).transform_point3(vertex);
            worst = worse(worst, want.transform_point3(vertex).distance(got));
        }
    }
    worst
}

#[test]
fn the_error_is_what_was_asked_for() {
    let puppet = Puppet::new(9);
    let swings = [WALK, RUN, FALL];
    for storage in [Storage::F32, Storage::Ranged16] {
        let mut before = usize::MAX;
        for error_max_m in [0.5e-3, 2e-3, 10e-3] {
            let (baked, reports) = puppet.bake(&swings, &baking(storage, error_max_m)).expect("rates are enough");
            for (clip, (swing, report)) in swings.iter().zip(&reports).enumerate() {
                assert!(report.error_max_m <= error_max_m, "{report:?}");
                assert!(report.error_rms_m <= report.error_max_m);
                // Not more frames than it takes: the error is not far below.
                assert!(report.error_max_m > 0.5 * error_max_m || report.frame_count <= 9, "{report:?}");
                // Other moments than those of the baker; the worst of a segment is its middle, which it has seen.
                for k in 0..500 {
                    let at = Tick(swing.length.0 / 500 * k);
                    let error = error_m(&puppet, &baked, clip as u32, swing, at);
                    assert!(error <= error_max_m * 1.02, "{error} at {k} of clip {clip}, {report:?}");
                }
            }
            let bytes = reports.iter().map(|report| report.bytes).sum();
            assert!(bytes < before, "a larger error takes less");
            before = bytes;
        }
    }
}

/// 16 bits cost next to nothing for a body of two metres: less than 0.2 mm in the mean, at half the size. (It grows
/// with the size: turns are rounded, too, and act on places in the mesh.)
#[test]
fn sixteen_bits_are_enough() {
    let puppet = Puppet::new(9);
    let rate = FrameRate::whole(60);
    let bake = |storage| {
        let baking = CrowdBaking { rate_min: rate, rate_max: rate, ..baking(storage, 1.0) };
        puppet.bake(&[WALK], &baking).expect("any error will do").1[0]
    };
    let (exact, ranged) = (bake(Storage::F32), bake(Storage::Ranged16));
    assert_eq!(exact.frame_count, ranged.frame_count);
    let added = (ranged.error_rms_m * ranged.error_rms_m - exact.error_rms_m * exact.error_rms_m).max(0.0).sqrt();
    assert!(added < 0.2e-3, "{added} m rms");
    assert!(ranged.bytes * 10 < exact.bytes * 7, "{} and {}", ranged.bytes, exact.bytes);
}

#[test]
fn the_last_frame_of_a_loop_is_its_first() {
    let puppet = Puppet::new(5);
    for storage in [Storage::F32, Storage::Ranged16] {
        let (baked, reports) = puppet.bake(&[FALL, WALK], &baking(storage, 2e-3)).expect("rates are enough");
        let frames = &baked.frames;
        let clip = frames.clips()[1];
        let (first, count) = (clip.first_texel as usize, frames.frame_texels());
        let last = first + clip.segment_count as usize * count;
        match frames.texels() {
            Texels::F32(texels) => assert_eq!(texels[first..first + count], texels[last..last + count]),
            Texels::U16(texels) => assert_eq!(texels[first..first + count], texels[last..last + count]),
        }
        assert_eq!(reports[1].frame_count, clip.segment_count as usize + 1);
        assert!(reports[0].gap_m > 0.1 && reports[1].gap_m < 1e-9, "{reports:?}");
        // Across the seam there is no jump: less than a frame's motion, which is far less than the clip's.
        let before = palette_at(&baked, 1, Tick(WALK.length.0 - 1));
        let after = palette_at(&baked, 1, Tick::ZERO);
        for (a, b) in before.iter().flat_map(|r| r.0).zip(after.iter().flat_map(|r| r.0)) {
            assert!((a - b).abs() < 1e-4, "{a} {b}");
        }
    }
}

#[test]
fn clips_that_cannot_be_baked() {
    let puppet = Puppet::new(5);
    let usual = baking(Storage::F32, 2e-3);
    let error = |swings: &[Swing], baking: &CrowdBaking| puppet.bake(swings, baking).expect_err("it cannot be baked");
    let open = Swing { swings: 1.1, ..WALK };
    assert!(matches!(error(&[WALK, open], &usual), CrowdError::LoopOpen { clip: 1, .. }));
    let slow = CrowdBaking { rate_max: FrameRate::whole(5), ..usual };
    assert!(matches!(error(&[WALK], &slow), CrowdError::Bound { clip: 0, frames: 6, .. }));
    let none = CrowdBaking { rate_max: FrameRate { frames: 0, seconds: 1 }, ..usual };
    assert_eq!(error(&[WALK], &none), CrowdError::Rate);
    let fewer = CrowdBaking { rate_max: FrameRate::whole(4), ..usual };
    assert_eq!(error(&[WALK], &fewer), CrowdError::Rate);
    let length = Tick(-1);
    assert_eq!(error(&[Swing { length, ..WALK }], &usual), CrowdError::Length { clip: 0, length });
    let long = Swing { length: Tick(i64::MAX), ..WALK };
    assert!(matches!(error(&[long], &usual), CrowdError::Frames { clip: 0, .. }));
    // 85 joints are all that a square of 256 holds one frame of, in the book; here frames run on from row to row.
    let limits = TextureLimits { width_max: 8, height_max: 8 };
    let (width, height) = (8, 8);
    assert!(matches!(
        error(&[WALK], &CrowdBaking { limits, ..usual }),
        CrowdError::Texture { width: w, height: h, .. } if (w, h) == (width, height)
    ));
    let wild = Swing { reach_rad: f64::NAN, ..WALK };
    assert!(matches!(error(&[wild], &usual), CrowdError::NotFinite { clip: 0, .. }));

    let mut rig = puppet.rig();
    rig.inverse_binds = &rig.inverse_binds[1..];
    let bake = |rig| BakedBones::bake(rig, &mut [], &usual).expect_err("no such rig");
    assert_eq!(bake(rig), CrowdError::Count { what: "inverse bind matrices", count: 2, want: 3 });
    let mut rig = puppet.rig();
    rig.joints = &[0, 5, 1];
    assert_eq!(bake(rig), CrowdError::JointIndex { joint: 1, of: 5, count: 5 });
    let flat = vec![stillframe_anim::pose::Affine(Row::ZERO); 3];
    let mut rig = puppet.rig();
    rig.inverse_binds = &flat;
    assert_eq!(bake(rig), CrowdError::Bind { joint: 0 });
}

/// A chain whose root goes straight from one key to the next: to and fro every `step`, or at once.
fn bake_keyed(
    puppet: &Puppet,
    (keys, step): (usize, Tick),
    at_once: bool,
    error_max_m: f64,
    are_told: bool,
) -> Result<CrowdReport, CrowdError> {
    let place = |key: usize| 0.3 * f64::from((key * key % 7) as u32) * if key == keys { 0.0 } else { 1.0 };
    let mut pose = |at: Tick, pose: &mut [DTrs]| {
        let (key, within) = ((at.0 / step.0) as usize, (at.0 % step.0) as f64 / step.0 as f64);
        let along = if at_once || key == keys { 0.0 } else { within };
        pose[0].translation.x += place(key) + (place(key + 1) - place(key)) * along;
    };
    let times: Vec<Tick> = (0..=keys as i64).map(|key| Tick(key * step.0)).collect();
    let told = if are_told { &times[..] } else { &[] };
    let length = Tick(step.0 * keys as i64);
    let mut clips = [CrowdClip { length, looping: true, keys: told, pose: &mut pose }];
    let rates = (FrameRate::whole(10), FrameRate::whole(240));
    let baking = CrowdBaking { rate_min: rates.0, rate_max: rates.1, ..baking(Storage::F32, error_max_m) };
    Ok(BakedBones::bake(puppet.rig(), &mut clips, &baking)?.1[0])
}

/// Where frames fall on the keys there is no error, at the rate of the keys or where theirs is low at the least
/// multiple that is allowed.
#[test]
fn frames_lie_on_keys() {
    let puppet = Puppet::new(3);
    let step = |rate: i64| Tick(TICKS_PER_SECOND / rate);
    for (rate, keys, want) in [(30, 30, 31), (60, 40, 41), (25, 35, 36), (4, 4, 13)] {
        let report = bake_keyed(&puppet, (keys, step(rate)), false, 1e-3, true).expect("keys can be followed");
        assert_eq!(report.frame_count, want, "{rate} a second: {report:?}");
        assert!(report.error_max_m < 1e-5, "{report:?}");
        // A bound that no other number of frames holds is no trouble.
        let finer = bake_keyed(&puppet, (keys, step(rate)), false, 1e-5, true).expect("keys can be followed");
        assert_eq!(finer.frame_count, want, "{rate} a second: {finer:?}");
        // Who knows nothing of keys needs more.
        let unknown = bake_keyed(&puppet, (keys, step(rate)), false, 1e-5, false);
        assert!(unknown.is_err() || unknown.is_ok_and(|report| report.frame_count >= want), "{rate}");
    }
    // As few as hold the bound: a larger one takes fewer than keys there are.
    let coarse = bake_keyed(&puppet, (30, step(30)), false, 0.5, true).expect("keys can be followed");
    assert!(coarse.frame_count < 31, "{coarse:?}");
}

/// A jump takes a frame of a sixtieth of a second; before and after it there is no error.
#[test]
fn jumps_take_a_frame() {
    let puppet = Puppet::new(3);
    let report = bake_keyed(&puppet, (4, Tick(TICKS_PER_SECOND / 4)), true, 1e-3, true).expect("jumps are held");
    assert_eq!((report.frame_count, report.jump_count), (61, 4), "{report:?}");
    assert!(report.error_max_m < 1e-5 && report.jump_error_max_m > 0.2, "{report:?}");
    let unknown = bake_keyed(&puppet, (4, Tick(TICKS_PER_SECOND / 4)), true, 1e-3, false);
    assert!(matches!(unknown, Err(CrowdError::Bound { clip: 0, frames: 241, .. })), "{unknown:?}");
}

/// A clip of no length is a pose, and a rig of no joints is nothing.
#[test]
fn the_smallest_clips() {
    let puppet = Puppet::new(5);
    let still = Swing { length: Tick::ZERO, ..WALK };
    for storage in [Storage::F32, Storage::Ranged16] {
        let (baked, reports) = puppet.bake(&[still], &baking(storage, 1e-3)).expect("a pose");
        assert_eq!(reports[0].frame_count, 2);
        let got = palette_at(&baked, 0, Tick::ZERO);
        for (joint, want) in puppet.palette(&still, Tick::ZERO).iter().enumerate() {
            assert!((to_f64(&affine_of(&got, joint)).translation - want.translation).length() < 1e-6);
        }
        let (nobody, _) = puppet.skeleton_alone().bake(&[WALK], &baking(storage, 1e-3)).expect("nothing");
        assert_eq!(palette_at(&nobody, 0, Tick::ZERO), []);
        let (empty, _) = puppet.bake(&[], &baking(storage, 1e-3)).expect("no clips");
        assert_eq!(empty.frames.size(), [4, 1]);
    }
}

impl Puppet {
    fn skeleton_alone(&self) -> Puppet {
        Puppet { skeleton: self.skeleton.clone(), joints: vec![], inverse_binds: vec![] }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(24)))]
    /// The texture is as large as its limits let it be, holds every texel once, in order, and zeros behind them.
    #[test]
    fn textures_fit_their_limits(joints in 1usize..40, width_bits in 2u32..10, height_max in 1u32..200, ranged in any::<bool>()) {
        let puppet = Puppet::new(joints);
        let limits = TextureLimits { width_max: (1 << width_bits) + 1, height_max };
        let storage = if ranged { Storage::Ranged16 } else { Storage::F32 };
        let swings = [WALK, RUN];
        match puppet.bake(&swings, &CrowdBaking { limits, ..baking(storage, 20e-3) }) {
            Ok((baked, _)) => {
                let frames = &baked.frames;
                let [width, height] = frames.size();
                prop_assert!(width.is_power_of_two() && width <= limits.width_max && height <= height_max);
                let (bytes, texels): (&[u8], usize) = match frames.texels() {
                    Texels::F32(texels) => (bytemuck::cast_slice(texels), texels.len()),
                    Texels::U16(texels) => (bytemuck::cast_slice(texels), texels.len()),
                };
                let whole = frames.texture_bytes();
                prop_assert_eq!(whole.len(), width as usize * height as usize * if ranged { 8 } else { 16 });
                prop_assert_eq!(&whole[..bytes.len()], bytes);
                prop_assert!(whole[bytes.len()..].iter().all(|byte| *byte == 0));
                // Clips lie behind each other without gaps.
                let mut next = 0;
                for clip in frames.clips() {
                    prop_assert_eq!(clip.first_texel as usize, next);
                    next += (clip.segment_count as usize + 1) * frames.frame_texels();
                }
                prop_assert_eq!(next, texels);
            }
            Err(CrowdError::Texture { texels, .. }) => {
                prop_assert!(texels.div_ceil(1 << width_bits) > u64::from(height_max));
            }
            Err(other) => return Err(TestCaseError::fail(other.to_string())),
        }
    }
}
