//! Shares of shapes beside joints.

use glam::Affine3A;
use stillframe_anim::crowd::{
    Actor, BakedBones, CrowdClip, CrowdError, CrowdReport, MovingShapes, Storage, Track, number_bounds,
};
use stillframe_anim::sample::DTrs;
use stillframe_base::math::ops64;
use stillframe_base::rng::Rng;
use stillframe_base::tick::Tick;

use super::bake::palette_of;
use super::puppet::{Puppet, RUN, Swing, WALK, baking};

const ERROR_M: f64 = 1e-3;
const REACHES_M: [f64; 14] = [0.02; 14];

/// The share of a shape of a clip at a moment: each swings on its own.
fn share(swing: &Swing, at: Tick, shape: usize) -> f64 {
    let along = at.0 as f64 / swing.length.0 as f64;
    ops64::sin(along * std::f64::consts::TAU * (1 + shape % 3) as f64) * (shape + 1) as f64 * 0.1
}

fn bake(puppet: &Puppet, swings: &[Swing], storage: Storage) -> (BakedBones, Vec<CrowdReport>) {
    let mut poses: Vec<_> =
        swings.iter().map(|swing| move |at: Tick, pose: &mut [DTrs]| swing.pose(at, pose)).collect();
    let mut clips: Vec<CrowdClip<'_>> = (poses.iter_mut().zip(swings))
        .map(|(pose, swing)| CrowdClip { length: swing.length, looping: swing.looping, keys: &[], pose })
        .collect();
    let shares = |swing: &Swing| {
        let swing = *swing;
        move |at: Tick, out: &mut [f64]| {
            out.iter_mut().enumerate().for_each(|(shape, out)| *out = share(&swing, at, shape));
        }
    };
    let mut shares: Vec<_> = swings.iter().map(shares).collect();
    let shares = shares.iter_mut().map(|shares| shares as &mut dyn FnMut(Tick, &mut [f64])).collect();
    let shapes = MovingShapes { reaches_m: &REACHES_M, shares };
    BakedBones::bake_shaped(puppet.rig(), &mut clips, shapes, &baking(storage, ERROR_M)).expect("it can be baked")
}

fn palette(baked: &BakedBones, actor: Actor) -> Vec<f32> {
    palette_of(baked, actor).iter().flat_map(|row| row.0).collect()
}

#[test]
fn shares_follow_their_clips_and_never_leave_their_bounds() {
    let (puppet, swings) = (Puppet::new(9), [WALK, RUN]);
    for storage in [Storage::F32, Storage::Ranged16] {
        let (baked, reports) = bake(&puppet, &swings, storage);
        assert_eq!(baked.frames.item_count(), puppet.joints.len() + 2);
        assert!(reports.iter().all(|report| report.error_max_m <= ERROR_M), "{reports:?}");
        let first = 12 * puppet.joints.len();
        let bounds = number_bounds(&baked.frames, first..first + REACHES_M.len());
        let mut rng = Rng::new(11).stream("shapes", 0);
        for _ in 0..300 {
            let (clip, phase) = (rng.below(2), rng.next_u32());
            let mut actor = Actor::new(Affine3A::IDENTITY, Track { clip, phase, speed: 0 });
            let numbers = palette(&baked, actor);
            let swing = &swings[clip as usize];
            let at = Tick(((i128::from(swing.length.0) * i128::from(phase)) >> 32) as i64);
            for (shape, bound) in bounds.iter().enumerate() {
                let (got, want) = (numbers[first + shape], share(swing, at, shape));
                let off_m = (f64::from(got) - want).abs() * REACHES_M[shape];
                // Measured at four moments a frame; between them it is hardly more.
                assert!(off_m <= 1.1 * ERROR_M, "shape {shape} at {phase}: {got} instead of {want}");
                assert!((bound[0] - 1e-6..=bound[1] + 1e-6).contains(&got), "{got} in {bound:?}");
            }
            // A fade goes straight, as that of joints does.
            actor.tracks[1] = Track { clip: 1 - clip, phase, speed: 0 };
            let other = palette(&baked, Actor::new(Affine3A::IDENTITY, actor.tracks[1]));
            actor.fade = 0.25;
            for ((got, a), b) in palette(&baked, actor).iter().zip(&numbers).zip(&other) {
                assert_eq!(*got, a + (b - a) * 0.25);
            }
        }
    }
}

#[test]
fn a_clip_without_its_shapes_is_told() {
    let puppet = Puppet::new(3);
    let mut pose = |at: Tick, pose: &mut [DTrs]| WALK.pose(at, pose);
    let mut clips = [CrowdClip { length: WALK.length, looping: true, keys: &[], pose: &mut pose }];
    let shapes = MovingShapes { reaches_m: &REACHES_M, shares: Vec::new() };
    let baked = BakedBones::bake_shaped(puppet.rig(), &mut clips, shapes, &baking(Storage::F32, ERROR_M));
    assert_eq!(baked, Err(CrowdError::Count { what: "clips of shapes", count: 0, want: 1 }));
}
