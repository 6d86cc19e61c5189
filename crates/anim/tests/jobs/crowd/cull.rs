//! Cull: nobody who is seen is dropped, order is kept, and levels of detail follow distance alone.

use glam::{Affine3A, Quat, Vec3};
use proptest::prelude::*;
use stillframe_anim::crowd::{
    Actor, CrowdError, CullCrowd, SPEED_ONE, SampleCrowd, Storage, Track, Visible, affine_of, clip_bounds, joint_boxes,
    lod_of,
};
use stillframe_anim::skin::{Influence, InfluenceList};
use stillframe_base::geom::{Aabb, Frustum};
use stillframe_base::lanes::{Isa, Row};
use stillframe_base::math::camera::{look_at, perspective};
use stillframe_base::rng::Rng;
use stillframe_base::tick::Tick;
use stillframe_testkit::depth::cases;

use super::puppet::{FALL, Puppet, RUN, WALK, baking, to_f64};

fn body(joint_count: usize) -> (Vec<Vec3>, InfluenceList) {
    let mut random = Rng::new(2).stream("body", 0);
    let mut list = InfluenceList::new(joint_count, 4);
    let mut positions = Vec::new();
    for _ in 0..60 {
        positions.push(Vec3::from_array([(); 3].map(|()| random.range_f32(-1.0, 2.0))));
        let raw: Vec<Influence> = (0..3)
            .map(|_| Influence { joint: random.below(joint_count as u32) as u16, weight: random.range_f32(0.1, 1.0) })
            .collect();
        list.push(&raw).expect("good weights");
    }
    (positions, list)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(200)))]
    /// Every vertex of every actor, in any pose and fade, lies in its box; and if a camera sees one, the actor is kept.
    #[test]
    fn nobody_seen_is_dropped(seed in any::<u64>(), now in any::<i64>(), ranged in any::<bool>()) {
        let puppet = Puppet::new(7);
        let storage = if ranged { Storage::Ranged16 } else { Storage::F32 };
        let (baked, _) = puppet.bake(&[WALK, RUN, FALL], &baking(storage, 20e-3)).expect("clips");
        let frames = &baked.frames;
        let (positions, list) = body(frames.item_count());
        let bounds = clip_bounds(&baked, &joint_boxes(&positions, &list));

        let mut random = Rng::new(seed).stream("cull", 0);
        let mut signed = |reach: f32| random.range_f32(-reach, reach);
        let mut actors = Vec::new();
        for number in 0..12u32 {
            let q = Quat::from_xyzw(signed(1.0), signed(1.0), signed(1.0), signed(1.0) + 0.01).normalize();
            let world = Affine3A::from_scale_rotation_translation(
                Vec3::splat(1.2 + signed(0.8)), q, Vec3::new(signed(15.0), signed(3.0), signed(15.0)),
            );
            let track = |clip: u32, phase: f32| Track { clip: clip % 3, phase: (phase * 1e9) as i64 as u32, speed: SPEED_ONE };
            let mut actor = Actor::new(world, track(number, signed(2.0)));
            actor.tracks[1] = track(number / 3, signed(2.0));
            actor.fade = [0.0, 0.5 + signed(0.5), 1.0][number as usize % 3];
            actors.push(actor);
        }
        let eye = Vec3::new(signed(10.0), 2.0, signed(10.0));
        let target = eye + Vec3::new(signed(1.0), signed(0.3), signed(1.0)) + Vec3::X * 0.01;
        let clip_from_world = perspective(0.9, 1.5, 0.1, Some(30.0)) * look_at(eye, target, Vec3::Y);
        let frustum = Frustum::new(&clip_from_world);

        let mut visible = vec![Visible::default(); actors.len()];
        let job = CullCrowd {
            actors: &actors, bounds: &bounds, frustum: &frustum, eye, lod_distances_m: &[5.0, 12.0], visible: &mut visible,
        };
        prop_assert_eq!(job.validate(), Ok(()));
        let count = job.run();
        let kept = &visible[..count];
        prop_assert!(kept.is_sorted_by_key(|visible| visible.actor), "their order is kept");

        let everyone: Vec<Visible> = (0..actors.len() as u32).map(|actor| Visible { actor, lod: 0 }).collect();
        let mut phases = vec![0; 3];
        frames.clip_phases(Tick(now), &mut phases);
        let mut palettes = vec![Row::ZERO; actors.len() * frames.frame_rows()];
        SampleCrowd {
            isa: Isa::detect(), baked: frames, phases: &phases, actors: &actors, visible: &everyone, out: &mut palettes,
            stream: false,
        }.run();
        for (number, actor) in actors.iter().enumerate() {
            let palette = &palettes[number * frames.frame_rows()..(number + 1) * frames.frame_rows()];
            let mut own = bounds[actor.tracks[0].clip as usize];
            if actor.fade != 0.0 {
                own = own.union(bounds[actor.tracks[1].clip as usize]);
            }
            let mut seen = false;
            for (vertex, position) in positions.iter().enumerate() {
                let at: glam::DVec3 = list.of(vertex).iter()
                    .map(|i| to_f64(&affine_of(palette, usize::from(i.joint))).transform_point3(position.as_dvec3()) * f64::from(i.weight))
                    .sum();
                prop_assert!(own.contains(at.as_vec3()), "{} leaves {:?}", at, own);
                let world = actor.world_from_model().transform_point3(at.as_vec3());
                let clip = clip_from_world * world.extend(1.0);
                seen |= clip.x.abs() <= clip.w && clip.y.abs() <= clip.w && (0.0..=clip.w).contains(&clip.z);
            }
            let found = kept.iter().find(|visible| visible.actor == number as u32);
            prop_assert!(!seen || found.is_some(), "actor {number} is seen");
            if let Some(found) = found {
                let distance = Vec3::from(actor.world_from_model().translation).distance(eye);
                let want = if distance < 5.0 { 0 } else if distance < 12.0 { 1 } else { 2 };
                let near = (distance - 5.0).abs() < 1e-4 || (distance - 12.0).abs() < 1e-4;
                prop_assert!(found.lod == want || near);
            }
        }
    }
}

#[test]
fn levels_begin_at_their_distances() {
    let from = [10.0, 20.0, 20.0];
    for (distance, want) in [(0.0, 0), (9.99, 0), (10.0, 1), (19.99, 1), (20.0, 3), (1e6, 3)] {
        assert_eq!(lod_of(distance * distance, &from), want, "{distance}");
    }
    assert_eq!(lod_of(1e9, &[]), 0);
}

/// The host can ask for less detail than distance does, not for more.
#[test]
fn the_least_level_is_the_actor_s() {
    let frustum = Frustum::new(&(perspective(1.0, 1.0, 0.1, None) * look_at(Vec3::ZERO, Vec3::NEG_Z, Vec3::Y)));
    let bounds = [Aabb::new(Vec3::splat(-1.0), Vec3::splat(1.0)), Aabb::EMPTY];
    let at = |z: f32, clip: u32, lod_min: u32| {
        let mut actor =
            Actor::new(Affine3A::from_translation(Vec3::new(0.0, 0.0, z)), Track { clip, phase: 0, speed: 0 });
        actor.lod_min = lod_min;
        actor
    };
    // The third is behind the camera, the fourth has nothing to show.
    let actors = [at(-5.0, 0, 2), at(-50.0, 0, 0), at(5.0, 0, 0), at(-5.0, 1, 0)];
    let mut visible = [Visible::default(); 4];
    let job = |actors: &[Actor], room: usize, visible: &mut [Visible]| {
        let job = CullCrowd {
            actors,
            bounds: &bounds,
            frustum: &frustum,
            eye: Vec3::ZERO,
            lod_distances_m: &[10.0],
            visible: &mut visible[..room],
        };
        job.validate().map(|()| job.run())
    };
    assert_eq!(job(&actors, 4, &mut visible), Ok(2));
    assert_eq!(visible[..2], [Visible { actor: 0, lod: 2 }, Visible { actor: 1, lod: 1 }]);
    assert_eq!(job(&actors, 3, &mut visible), Err(CrowdError::Count { what: "room for actors", count: 3, want: 4 }));
    let lost = [at(f32::NAN, 0, 0)];
    assert_eq!(job(&lost, 4, &mut visible), Err(CrowdError::Actor { actor: 0, what: "its place is not finite" }));
    let clip = Err(CrowdError::Clip { actor: 0, track: 0, clip: 2, count: 2 });
    assert_eq!(job(&[at(0.0, 2, 0)], 4, &mut visible), clip);
    let mut fading = at(0.0, 0, 0);
    fading.fade = 2.0;
    let want = Err(CrowdError::Actor { actor: 0, what: "its fade is not in 0 to 1" });
    assert_eq!(job(&[fading], 4, &mut visible), want);
}
