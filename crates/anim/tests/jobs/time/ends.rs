//! Laws of ends: clamping, finishing, counting passes, and time that is left.

use proptest::prelude::*;
use proptest::sample::select;
use stillframe_anim::time::{AtEnd, Mode, Repeat, Signal, Speed, Step};
use stillframe_base::tick::Tick;
use stillframe_testkit::depth::cases;

use super::drive::{advance, controller};
use stillframe_oracle::SUB;
use stillframe_oracle::strategy::{cases_of, lengths, shares};
use stillframe_oracle::{Case, cut, position};

fn finishes(log: &[(i128, Signal)]) -> Vec<i128> {
    log.iter().filter(|(_, signal)| *signal == Signal::Finish).map(|(at, _)| *at).collect()
}

fn counted() -> impl Strategy<Value = Mode> {
    let times = (1..6u32).prop_map(Repeat::Times);
    prop_oneof![Just(Mode::Once), Just(Mode::Clamp), times.clone().prop_map(Mode::Loop), times.prop_map(Mode::PingPong)]
}

/// A way through a counted case, from outside of it, in whole ticks: (case, forward, ticks before it, ticks after it,
/// speed).
fn ways() -> impl Strategy<Value = (Case, bool, i64, i64, i64)> {
    (cases_of(counted()), any::<bool>(), 0..9i64, 0..9i64, select(vec![1i64, 2, 3]))
}

/// The passes' whole length in ticks.
fn total(case: &Case) -> i64 {
    case.oracle().passes.expect("counted") as i64 * case.length()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(1024)))]

    #[test]
    fn p12_after_the_end_nothing_fires_until_it_is_left(
        case in cases_of(counted()), steps in prop::collection::vec(0..3000i64, 1..10), beyond in 0..3i128, speed in 1..4i32
    ) {
        let timeline = case.timeline();
        let end = timeline.end().expect("counted").sub_ticks();
        let mut parked = controller(end + beyond, Speed::whole(speed));
        for step in steps {
            let local = parked.local(&timeline);
            prop_assert_eq!(advance(&mut parked, &timeline, step), vec![]);
            prop_assert!(case.playback.mode == Mode::Once || parked.local(&timeline) == local);
        }
        let armed_end = {
            let mut sought = parked;
            sought.seek(position(end - SUB));
            finishes(&advance(&mut sought, &timeline, 1)).len()
        };
        prop_assert_eq!(armed_end, 1);
    }

    #[test]
    fn p13_finished_fires_once_at_the_exact_place(
        (case, forward, before, after, speed) in ways(), shares in shares(), at_end in select(vec![AtEnd::Stop, AtEnd::RunOn])
    ) {
        let mut case = case;
        case.playback.at_end = at_end;
        let timeline = case.timeline();
        let (min, all) = (i128::from(case.playback.min.0) * SUB, i128::from(total(&case)) * SUB);
        let start = if forward { min - i128::from(before + 1) * SUB } else { min + all + i128::from(before + 1) * SUB };
        let goal = if forward { min + all } else { min };
        let mut controller = controller(start, Speed::whole(if forward { speed as i32 } else { -speed as i32 }));
        // Enough ticks for the whole way at any of these speeds.
        let step = total(&case) + before + 1 + after;
        let (mut log, mut told) = (Vec::new(), 0);
        for step in cut(step, &shares) {
            let from = controller.position;
            let mut ahead = controller;
            told += usize::from(ahead.leap(&timeline, Tick(step)).expect("near").finished);
            log.extend(advance(&mut controller, &timeline, step));
            prop_assert_eq!(ahead, controller);
            prop_assert!(controller.position >= from || !forward);
        }
        prop_assert_eq!(finishes(&log), vec![goal]);
        prop_assert_eq!(told, 1);
        // Where time runs on backward, spans that begin at the end are left after it.
        let mut after = advance(&mut controller, &timeline, 1000);
        after.retain(|(_, signal)| !matches!(signal, Signal::Leave(_)) || forward || at_end == AtEnd::Stop);
        prop_assert_eq!(after, vec![]);
        // After everything else of its instant.
        let last = log.iter().rposition(|(_, signal)| *signal == Signal::Finish).expect("told");
        let departed = |signal: &Signal| matches!(signal, Signal::Enter(_) | Signal::Leave(_));
        prop_assert!(log[last + 1..].iter().all(|(at, signal)| *at != goal || departed(signal)));
    }

    #[test]
    fn p13_an_endless_mode_never_finishes(
        case in cases_of(select(vec![Mode::Loop(Repeat::Forever), Mode::PingPong(Repeat::Forever)])), speed in -3..4i32, times in 0..9i64
    ) {
        let timeline = case.timeline();
        let mut controller = stillframe_anim::time::Controller::play(&timeline);
        controller.speed = Speed::whole(speed);
        let log = advance(&mut controller, &timeline, times * case.length() + 3 * case.length().min(1));
        prop_assert_eq!(finishes(&log), Vec::<i128>::new());
        prop_assert_eq!(timeline.end(), None);
    }

    #[test]
    fn p14_passes_are_counted_and_left_time_is_told(
        (case, forward, before, after, speed) in ways(), shares in shares(), at_end in select(vec![AtEnd::Stop, AtEnd::RunOn])
    ) {
        let mut case = case;
        case.playback.at_end = at_end;
        let timeline = case.timeline();
        let passes = case.oracle().passes.expect("counted");
        let (min, all) = (i128::from(case.playback.min.0) * SUB, i128::from(total(&case)) * SUB);
        let start = if forward { min - i128::from(before) * SUB } else { min + all + i128::from(before) * SUB };
        let raw = Speed::whole(if forward { speed as i32 } else { -speed as i32 });
        let mut controller = controller(start, raw);
        let step = total(&case) + before + after;
        let (mut log, mut beyond) = (Vec::new(), 0);
        for step in cut(step, &shares) {
            let told: Step = controller.leap(&timeline, Tick(step)).expect("near");
            beyond += told.beyond;
            if at_end == AtEnd::Stop {
                let way = (told.to.sub_ticks() - told.from.sub_ticks()).abs();
                prop_assert_eq!(way + told.beyond, i128::from(speed) * i128::from(step) * SUB);
            }
        }
        let mut again = stillframe_anim::time::Controller::at(position(start), raw);
        log.extend(advance(&mut again, &timeline, step));
        let laps = log.iter().filter(|(_, signal)| *signal == Signal::Lap).count() as i128;
        prop_assert_eq!(laps, if case.length() == 0 { 0 } else { passes });
        // Played and left make up the whole.
        let way = i128::from(speed) * i128::from(step) * SUB;
        prop_assert_eq!(beyond, way - i128::from(before) * SUB - all);
    }

    #[test]
    fn p14_a_following_clip_starts_with_the_time_that_is_left(
        first in lengths(), second in lengths(), raw in 1..400_000i64, step in 0..5000i64, shares in shares()
    ) {
        let clip = |length: i64| Case {
            playback: stillframe_anim::time::Playback::new(Tick(0), Tick(length), Mode::Clamp),
            events: vec![],
        };
        let (one, two) = (clip(first).timeline(), clip(second).timeline());
        let (mut a, mut b) = (controller(0, Speed::raw(raw)), controller(0, Speed::raw(raw)));
        for step in cut(step, &shares) {
            let left = a.leap(&one, Tick(step)).expect("near").beyond;
            let to = two.end().expect("a clamp ends").sub_ticks().min(b.position.sub_ticks() + left);
            b.seek(position(to));
        }
        let way = i128::from(raw) * i128::from(step);
        let (first, second) = (i128::from(first) * SUB, i128::from(second) * SUB);
        prop_assert_eq!(a.position.sub_ticks(), way.min(first));
        prop_assert_eq!(b.position.sub_ticks(), (way - first).clamp(0, second));
    }

    #[test]
    fn p43_time_leaves_the_end_at_once_or_after_the_overrun(
        (case, forward, _, overrun, speed) in ways(), back in 0..30i64, shares in shares()
    ) {
        for at_end in [AtEnd::Stop, AtEnd::RunOn] {
            let mut case = case.clone();
            case.playback.at_end = at_end;
            let timeline = case.timeline();
            let (min, all) = (i128::from(case.playback.min.0) * SUB, i128::from(total(&case)) * SUB);
            let (near, far, sign) = if forward { (min, min + all, 1) } else { (min + all, min, -1) };
            let mut controller = controller(near, Speed::whole(sign * speed as i32));
            // The whole way, then `overrun` ticks more; in parts.
            let way = total(&case) / speed + i64::from(total(&case) % speed != 0) + overrun;
            for step in cut(way, &shares) {
                advance(&mut controller, &timeline, step);
            }
            let past = i128::from(way * speed - total(&case)) * SUB;
            let reached = far + i128::from(sign) * if at_end == AtEnd::Stop { 0 } else { past };
            prop_assert_eq!(controller.position.sub_ticks(), reached);
            controller.speed = Speed::whole(-sign * speed as i32);
            for step in cut(back, &shares) {
                advance(&mut controller, &timeline, step);
            }
            let turned = reached - i128::from(sign) * i128::from(back * speed) * SUB;
            let wanted = if at_end == AtEnd::Stop {
                if forward { turned.max(near) } else { turned.min(near) }
            } else {
                turned
            };
            prop_assert_eq!(controller.position.sub_ticks(), wanted);
            if back > 0 && case.length() > 0 && at_end == AtEnd::Stop {
                prop_assert!(controller.position.sub_ticks() != far);
            }
        }
    }
}
