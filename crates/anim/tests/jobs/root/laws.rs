//! The laws of root motion, p24 to p28.

use glam::{DQuat, DVec3, Quat, Vec3};
use proptest::prelude::*;
use stillframe_anim::pose::Trs;
use stillframe_anim::root::{Motion, RootParts, RootRotation, move_actor};
use stillframe_anim::sample::DTrs;
use stillframe_anim::time::{Controller, Mode, Position, Repeat, Speed};
use stillframe_base::tick::Tick;

use super::walk::{Walk, all_parts, distance, key, trs, walks, yaw};

/// Products of a few f64 with numbers of at most about ten.
const ROUNDING: f64 = 1e-13;
/// A pose in f32 of numbers of at most about ten.
const POSE_ROUNDING: f64 = 4e-6;

fn at_tick(tick: i64) -> Position {
    Position::of_tick(Tick(tick))
}

fn actor_of(motion: Motion) -> DTrs {
    DTrs { translation: motion.translation, rotation: motion.rotation, scale: DVec3::ONE }
}

fn motion_of(actor: DTrs) -> Motion {
    Motion { translation: actor.translation, rotation: actor.rotation }
}

/// Steps forward whose whole numbers can be carried exactly: 3 m ahead, half a turn, in four frames of 16 ticks.
fn integers() -> Walk {
    let half_turn = DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0);
    Walk {
        keys: vec![
            key([1.0, 2.0, 0.0], DQuat::IDENTITY),
            key([1.0, 2.0, 4.0], DQuat::IDENTITY),
            key([3.0, 2.0, 4.0], DQuat::IDENTITY),
            key([3.0, 2.0, 5.0], half_turn),
            key([1.0, 2.0, 3.0], half_turn),
        ],
        frame_ticks: 16,
        above: Trs::IDENTITY,
    }
}

fn any_actor() -> impl Strategy<Value = Motion> {
    (prop::array::uniform3(-5.0f64..5.0), -3.0f64..3.0)
        .prop_map(|(t, angle)| Motion { translation: DVec3::from_array(t), rotation: yaw(angle) })
}

proptest! {
    #[test]
    fn p24_travel_and_the_pose_in_place_make_the_pose(
        walk in walks(), parts in all_parts(), actor in any_actor(), along in 0.0f64..=1.0, reverse in any::<bool>(),
    ) {
        let (track, duration) = (walk.track(parts), walk.duration().0);
        let timeline = walk.timeline(Mode::Loop(Repeat::Forever), reverse);
        // Within the first loop: the end of a loop is the start of the next, which goes on.
        let tick = ((duration as f64 * along) as i64).min(duration - 1);
        let shown = timeline.local(at_tick(tick)).tick();
        let start = timeline.local(Position::ZERO).tick();
        let moved = actor.then(track.between(&timeline, Position::ZERO, at_tick(tick)));
        let with = moved.then(walk.in_place(&track, shown));
        // The actor stands where the clip's first key is; reversed, a clip begins at its end.
        let without = actor.then(track.travel(start).inverse()).then(walk.in_model(shown));
        prop_assert!(distance(with, without) < 10.0 * POSE_ROUNDING, "{with:?} and {without:?}");
        if !reverse {
            prop_assert!(distance(with, actor.then(walk.in_model(shown))) < 10.0 * POSE_ROUNDING);
        }
    }

    #[test]
    fn p24_what_is_taken_is_not_in_the_pose(walk in walks(), parts in all_parts(), along in 0.0f64..=1.0) {
        let track = walk.track(parts);
        let at = Tick((walk.duration().0 as f64 * along) as i64);
        let (first, now) = (walk.in_model(Tick::ZERO), walk.in_place(&track, at));
        let travel = track.travel(at);
        if parts == RootParts::ALL {
            // Also between keys: nlerp of products with one rotation is the product of nlerps.
            prop_assert!(distance(now, first) < 10.0 * POSE_ROUNDING, "{now:?} and {first:?}");
        }
        if parts.rotation == RootRotation::Stay && parts.horizontal {
            prop_assert!((now.translation.x - first.translation.x).abs() < 10.0 * POSE_ROUNDING);
            prop_assert!((now.translation.z - first.translation.z).abs() < 10.0 * POSE_ROUNDING);
        }
        if !parts.horizontal && !parts.vertical {
            prop_assert_eq!(travel.translation, DVec3::ZERO);
        }
        if parts.rotation != RootRotation::Full {
            prop_assert_eq!((travel.rotation.x, travel.rotation.z), (0.0, 0.0));
            // Turning about the vertical moves nothing up or down.
            prop_assert!(parts.vertical || travel.translation.y == 0.0);
        }
        if parts.rotation == RootRotation::Stay {
            prop_assert_eq!(travel.rotation, DQuat::IDENTITY);
        }
    }

    #[test]
    fn p25_loops_are_powers_of_one(walk in walks(), parts in all_parts(), count in 0i64..200, reverse in any::<bool>()) {
        let (track, duration) = (walk.track(parts), walk.duration().0);
        let timeline = walk.timeline(Mode::Loop(Repeat::Forever), reverse);
        let one = track.between(&timeline, Position::ZERO, at_tick(duration));
        let all = track.between(&timeline, Position::ZERO, at_tick(duration * count));
        prop_assert!(distance(all, one.power(i128::from(count))) < ROUNDING * (20.0 + 10.0 * (count * count) as f64));
        let mut product = Motion::IDENTITY;
        for _ in 0..count {
            product = product.then(one);
        }
        prop_assert!(distance(all, product) < ROUNDING * (20.0 + 10.0 * (count * count) as f64), "{all:?} and {product:?}");
    }

    #[test]
    fn p25_any_partition_travels_as_far(
        walk in walks(), parts in all_parts(), start in -5000i64..5000, steps in prop::collection::vec(0i64..4000, 0..30),
        actor in any_actor(),
    ) {
        let (track, timeline) = (walk.track(parts), walk.forever());
        let (mut at, mut stepped) = (start, actor_of(actor));
        let mut furthest = 1.0f64;
        for step in &steps {
            move_actor(&mut stepped, &track.between(&timeline, at_tick(at), at_tick(at + step)));
            furthest = furthest.max(stepped.translation.abs().max_element());
            at += step;
        }
        let mut whole = actor_of(actor);
        move_actor(&mut whole, &track.between(&timeline, at_tick(start), at_tick(at)));
        // To 1 ulp of f32 of the way that it went.
        let ulp = furthest * f64::from(f32::EPSILON);
        prop_assert!(distance(motion_of(whole), motion_of(stepped)) < ulp, "{whole:?} and {stepped:?}");
    }

    /// From where it stood at some position, an actor is in the same place to the bit, however time was cut.
    #[test]
    fn p25_from_an_anchor_partitions_give_the_same_bits(
        walk in walks(), parts in all_parts(), speed in 1i64..200_000, cuts in prop::collection::vec(0i64..900, 1..20),
    ) {
        let (track, timeline) = (walk.track(parts), walk.forever());
        let place = |steps: &[i64]| {
            let mut controller = Controller::at(Position::ZERO, Speed::raw(speed));
            for step in steps {
                controller.leap(&timeline, Tick(*step)).expect("small numbers");
            }
            track.between(&timeline, Position::ZERO, controller.position)
        };
        let (cut, whole) = (place(&cuts), place(&[cuts.iter().sum()]));
        prop_assert_eq!(cut, whole);
    }

    /// Whole numbers and half turns are carried without rounding: equality is exact.
    #[test]
    fn p25_a_clip_of_whole_numbers_is_exact(
        start in -2000i64..2000, steps in prop::collection::vec(0i64..500, 0..30), jump in -(1i64 << 30)..1 << 30,
    ) {
        let walk = integers();
        let (track, timeline) = (walk.track(RootParts { vertical: true, ..RootParts::default() }), walk.forever());
        // Rotations stand at keys alone: between the third and the fourth they turn.
        let at_key = |tick: i64| if (32..48).contains(&tick.rem_euclid(64)) { tick.div_euclid(64) * 64 + 32 } else { tick };
        let mut at = at_key(start);
        let (first, mut product) = (at, Motion::IDENTITY);
        for step in &steps {
            let next = at_key(at + step);
            product = product.then(track.between(&timeline, at_tick(at), at_tick(next)));
            at = next;
        }
        let whole = track.between(&timeline, at_tick(first), at_tick(at));
        prop_assert_eq!(whole.translation, product.translation);
        prop_assert_eq!(whole.rotation.dot(product.rotation).abs(), 1.0);
        // An even number of loops turns round and comes home or goes on by twice the way; far away it is exact too.
        let one = track.between(&timeline, Position::ZERO, at_tick(64));
        let pair = one.then(one);
        let far = track.between(&timeline, Position::ZERO, at_tick(128 * jump));
        prop_assert_eq!(far.translation, pair.translation * jump as f64);
    }

    #[test]
    fn p26_back_is_the_inverse_of_forth(
        walk in walks(), parts in all_parts(), a in -9000i64..9000, b in -9000i64..9000, repeat in 1u32..4, kind in 0usize..5,
    ) {
        let track = walk.track(parts);
        let mode = [
            Mode::Once, Mode::Clamp, Mode::Loop(Repeat::Forever), Mode::Loop(Repeat::Times(repeat)), Mode::PingPong(Repeat::Forever),
        ][kind];
        for reverse in [false, true] {
            let timeline = walk.timeline(mode, reverse);
            let forth = track.between(&timeline, at_tick(a), at_tick(b));
            let back = track.between(&timeline, at_tick(b), at_tick(a));
            let size = 1.0 + forth.translation.length();
            prop_assert!(distance(forth.then(back), Motion::IDENTITY) < 1e3 * ROUNDING * size, "{forth:?} and {back:?}");
        }
        // Reversed, a clip goes back on the way it came: where it shows moment t of one, it has that of the other.
        let (forward, reversed) = (walk.timeline(mode, false), walk.timeline(mode, true));
        let mirrored = |tick: i64| walk.duration().0 - tick;
        if matches!(mode, Mode::Once | Mode::Clamp | Mode::Loop(Repeat::Forever)) {
            // At a seam itself the two show its two sides; the travel across it is the same.
            let forth = track.between(&forward, at_tick(a), at_tick(b));
            let back = track.between(&reversed, at_tick(mirrored(a)), at_tick(mirrored(b)));
            let size = 1.0 + forth.translation.length();
            prop_assert!(distance(forth, back) < 1e3 * ROUNDING * size, "{forth:?} and {back:?}");
        }
    }

    #[test]
    fn p27_a_ping_pong_comes_home(walk in walks(), parts in all_parts(), from in -9000i64..9000, periods in -4i64..5) {
        let track = walk.track(parts);
        for reverse in [false, true] {
            let timeline = walk.timeline(Mode::PingPong(Repeat::Forever), reverse);
            let to = from + periods * 2 * walk.duration().0;
            // To the bit: it is where it was.
            prop_assert_eq!(track.between(&timeline, at_tick(from), at_tick(to)), Motion::IDENTITY);
            // And what is between two moments of its way back is what a forward clip has between the two.
            let mid = from + walk.duration().0 / 2;
            let [a, b] = [from, mid].map(|tick| timeline.local(at_tick(tick)).tick());
            let got = track.between(&timeline, at_tick(from), at_tick(mid));
            prop_assert_eq!(got, track.travel(a).until(track.travel(b)));
        }
    }

    #[test]
    fn p28_seeking_moves_nothing(
        walk in walks(), parts in all_parts(), ops in prop::collection::vec((any::<bool>(), 0i64..5000), 1..20),
    ) {
        let (track, timeline) = (walk.track(parts), walk.forever());
        let mut controller = Controller::at(Position::ZERO, Speed::ONE);
        let (mut all, mut steps_alone) = (Motion::IDENTITY, Motion::IDENTITY);
        for (seek, ticks) in ops {
            if seek {
                controller.seek(at_tick(ticks));
                let stay = controller.leap(&timeline, Tick::ZERO).expect("no time");
                prop_assert_eq!(track.step(&timeline, &stay), Motion::IDENTITY);
            } else {
                let before = controller.position;
                let step = controller.leap(&timeline, Tick(ticks)).expect("a short step");
                all = all.then(track.step(&timeline, &step));
                steps_alone = steps_alone.then(track.between(&timeline, before, controller.position));
            }
        }
        prop_assert_eq!(all, steps_alone);
    }

    /// Over a seam an actor is no faster than the clip is anywhere: it does not jump back to the start.
    #[test]
    fn p28_the_seam_is_no_faster_than_the_clip(
        walk in walks(), parts in all_parts(), dt in 1i64..400, from in 0i64..9000, reverse in any::<bool>(),
    ) {
        let (track, duration) = (walk.track(parts), walk.duration().0);
        let timeline = walk.timeline(Mode::Loop(Repeat::Forever), reverse);
        // Metres a tick of the point at the actor's origin, by brute force within one pass, tick by tick.
        let mut fastest = 0.0f64;
        for tick in 0..duration {
            let step = track.travel(Tick(tick)).until(track.travel(Tick(tick + 1)));
            let back = track.travel(Tick(tick + 1)).until(track.travel(Tick(tick)));
            fastest = fastest.max(step.translation.length()).max(back.translation.length());
        }
        let step = track.between(&timeline, at_tick(from), at_tick(from + dt));
        prop_assert!(step.translation.length() <= fastest * dt as f64 * (1.0 + 1e-9) + 1e-12, "{step:?}, {fastest} a tick");
    }
}

/// The reference is the clip's first key (D17): an actor does not jump by what the joint happened to hold before.
#[test]
fn d17_the_first_key_is_where_the_actor_stands() {
    let walk = integers();
    let track = walk.track(RootParts::ALL);
    assert_eq!(track.travel(Tick::ZERO), Motion::IDENTITY);
    // The rest pose of the root is the origin; its first key is not.
    assert_ne!(walk.keys[0].translation, DVec3::ZERO);
    assert_eq!(walk.in_place(&track, Tick(64)).translation, walk.keys[0].translation);
}

/// The book's demonstration: ten loops of two metres ahead end twenty metres ahead; with a quarter turn a loop, four
/// come home.
#[test]
fn loops_go_on_from_each_other() {
    let straight =
        Walk { keys: vec![key([0.0, 1.0, 0.0], DQuat::IDENTITY), key([0.0, 1.0, 2.0], DQuat::IDENTITY)], ..integers() };
    let track = straight.track(RootParts::default());
    let ten = track.between(&straight.forever(), Position::ZERO, at_tick(160));
    assert_eq!(ten, Motion { translation: DVec3::Z * 20.0, rotation: DQuat::IDENTITY });

    let turning = Walk {
        keys: vec![
            key([0.0; 3], DQuat::IDENTITY),
            key([0.0, 0.0, 2.0], DQuat::IDENTITY),
            key([0.0, 0.0, 2.0], yaw(std::f64::consts::FRAC_PI_2)),
        ],
        ..integers()
    };
    let track = turning.track(RootParts::default());
    let four = track.between(&turning.forever(), at_tick(5), at_tick(5 + 4 * 32));
    assert!(distance(four, Motion::IDENTITY) < 1e-14, "{four:?}");
}

/// A counted loop ends where its last pass does and does not travel on.
#[test]
fn a_counted_loop_stops() {
    let walk = integers();
    let track = walk.track(RootParts { vertical: true, ..RootParts::default() });
    let (thrice, forever) = (walk.timeline(Mode::Loop(Repeat::Times(3)), false), walk.forever());
    let end = at_tick(3 * 64);
    assert_eq!(track.between(&thrice, Position::ZERO, end), track.between(&forever, Position::ZERO, end));
    for beyond in [1, 64, 1000] {
        assert_eq!(track.between(&thrice, end, at_tick(3 * 64 + beyond)), Motion::IDENTITY);
        assert_eq!(track.between(&thrice, at_tick(-beyond), Position::ZERO), Motion::IDENTITY);
    }
    let clamp = walk.timeline(Mode::Clamp, false);
    assert_eq!(track.between(&clamp, at_tick(-9), at_tick(1000)), track.travel(Tick(64)));
}

/// A clip of one key, or of no length, goes nowhere in any mode.
#[test]
fn no_length_no_motion() {
    let walk = Walk { keys: vec![key([1.0, 2.0, 3.0], yaw(1.0))], frame_ticks: 16, above: Trs::IDENTITY };
    let track = walk.track(RootParts::ALL);
    for mode in [Mode::Once, Mode::Clamp, Mode::Loop(Repeat::Forever), Mode::PingPong(Repeat::Forever)] {
        let timeline = walk.timeline(mode, false);
        assert_eq!(track.between(&timeline, at_tick(-100), at_tick(100)), Motion::IDENTITY, "{mode:?}");
    }
}

/// A window within the clip loops over that window alone.
#[test]
fn a_window_travels_its_own_way() {
    let walk = integers();
    let track = walk.track(RootParts { vertical: true, ..RootParts::default() });
    let playback = stillframe_anim::time::Playback::new(Tick(0), Tick(16), Mode::Loop(Repeat::Forever));
    let none = stillframe_anim::time::Track::new(Tick(0), Tick(64), Vec::new()).expect("no events");
    let timeline = stillframe_anim::time::Timeline::new(playback, &none).expect("a window");
    assert_eq!(track.between(&timeline, Position::ZERO, at_tick(160)).translation, DVec3::Z * 40.0);
}

/// An armature that is turned and scaled above the root, as exporters write it: travel is in the model's space, metres.
#[test]
fn travel_is_in_the_model_s_space() {
    let quarter = Quat::from_xyzw(-0.5f32.sqrt(), 0.0, 0.0, 0.5f32.sqrt());
    let walk = Walk {
        // Ahead is along the armature's Y, in centimetres.
        keys: vec![key([0.0, 0.0, 90.0], DQuat::IDENTITY), key([0.0, -200.0, 90.0], DQuat::IDENTITY)],
        frame_ticks: 16,
        above: trs(Vec3::new(0.0, 0.5, 0.0), quarter, 0.01),
    };
    let track = walk.track(RootParts::default());
    let travel = track.travel(Tick(16));
    assert!(travel.translation.distance(DVec3::Z * 2.0) < 1e-6, "{travel:?}");
    assert!(walk.in_place(&track, Tick(16)).translation.distance(DVec3::Y * 1.4) < 1e-6);
}

/// Steps of an actor that is scaled are as much longer.
#[test]
fn actors_move_in_their_own_frame() {
    let mut actor =
        DTrs { translation: DVec3::X, rotation: DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0), scale: DVec3::splat(2.0) };
    move_actor(&mut actor, &Motion { translation: DVec3::Z, rotation: DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0) });
    assert_eq!(actor.translation, DVec3::new(1.0, 0.0, -2.0));
    assert_eq!(actor.rotation.w.abs(), 1.0);
}
