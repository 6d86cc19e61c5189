//! Laws of events: every crossing fires once, in order, however time is cut.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::select;
use stillframe_anim::time::{AtEnd, Controller, Event, Mode, Playback, Repeat, Signal, Speed, Track};
use stillframe_base::tick::Tick;
use stillframe_testkit::depth::cases;

use super::drive::{advance, controller};
use stillframe_oracle::strategy::{cases_of, lengths, modes, moves, shares};
use stillframe_oracle::{Case, cut, position};
use stillframe_oracle::{Entry, SUB};

/// Moments and spans by number; laps and finishes out.
fn multiset(log: &[Entry]) -> BTreeMap<(i128, String), usize> {
    let mut out = BTreeMap::new();
    for (at, signal) in log {
        *out.entry((*at, format!("{signal:?}"))).or_insert(0) += 1;
    }
    out
}

fn points(log: &[Entry], event: u32) -> usize {
    log.iter().filter(|(_, signal)| *signal == Signal::Point(event)).count()
}

fn repeating() -> impl Strategy<Value = Mode> {
    select(vec![Mode::Loop(Repeat::Forever), Mode::PingPong(Repeat::Forever)])
}

/// A window from 0 with moments.
fn small(length: i64, mode: Mode, moments: &[i64]) -> Case {
    let events = moments.iter().map(|at| Event::point(Tick(*at))).collect();
    Case { playback: Playback::new(Tick(0), Tick(length), mode), events }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(1024)))]

    #[test]
    fn p01_events_are_the_same_for_any_partition(
        (case, start, speed, step) in moves(), shares in shares(), armed: bool
    ) {
        let timeline = case.timeline();
        let mut whole = controller(start.sub_ticks(), speed);
        whole.armed = armed;
        let mut parts = whole;
        let wanted = advance(&mut whole, &timeline, step);
        let heard: Vec<Entry> =
            cut(step, &shares).into_iter().flat_map(|step| advance(&mut parts, &timeline, step)).collect();
        prop_assert_eq!(multiset(&heard), multiset(&wanted));
    }

    #[test]
    fn what_lies_at_the_start_is_told_once_with_the_first_step_or_before_it((case, start, speed, step) in moves()) {
        prop_assume!(step > 0 && speed != Speed::ZERO);
        let timeline = case.timeline();
        let mut whole = Controller { armed: true, ..controller(start.sub_ticks(), speed) };
        let mut parts = whole;
        let wanted = advance(&mut whole, &timeline, step);
        let mut heard: Vec<Entry> = Vec::new();
        for _ in 0..2 {
            parts.announce(&timeline, |fired| heard.push((fired.at.sub_ticks(), fired.signal)));
        }
        heard.extend(advance(&mut parts, &timeline, step));
        prop_assert_eq!(heard, wanted);
        prop_assert_eq!(parts, whole);
    }

    #[test]
    fn p02_events_come_in_order_ties_by_index_and_mirrored_backward(
        (case, start, speed, step) in moves(), shares in shares()
    ) {
        let timeline = case.timeline();
        let (mut whole, mut parts) = (controller(start.sub_ticks(), speed), controller(start.sub_ticks(), speed));
        let wanted = advance(&mut whole, &timeline, step);
        let heard: Vec<Entry> =
            cut(step, &shares).into_iter().flat_map(|step| advance(&mut parts, &timeline, step)).collect();
        prop_assert_eq!(&heard, &wanted);
        prop_assert_eq!(&wanted, &case.oracle().fires(start.sub_ticks(), whole.position.sub_ticks()));
        let forward = speed > Speed::ZERO;
        for pair in heard.windows(2) {
            let ((x, x_signal), (y, y_signal)) = (pair[0], pair[1]);
            prop_assert!(if forward { x <= y } else { x >= y }, "{:?} then {:?}", pair[0], pair[1]);
            // Loops have two kinds of moments at a seam, with a lap between them.
            if let (true, Signal::Point(a), Signal::Point(b)) = (x == y, x_signal, y_signal) {
                prop_assert_eq!(forward, a < b, "ties {} and {}", a, b);
            }
        }
    }

    #[test]
    fn p03_fires_are_counted_by_a_closed_form((case, start, speed, step) in moves()) {
        let timeline = case.timeline();
        let mut controller = controller(start.sub_ticks(), speed);
        let log = advance(&mut controller, &timeline, step);
        // floor and ceil differences, a series at a time, as a second implementation.
        let (a, b) = (start.sub_ticks(), controller.position.sub_ticks());
        for (index, event) in case.events.iter().enumerate().filter(|(_, event)| event.begin == event.end) {
            let heard = points(&log, index as u32);
            prop_assert_eq!(timeline.count(index, start, controller.position), Some(heard as u128));
            let (min, length) = (i128::from(case.playback.min.0) * SUB, i128::from(case.length()) * SUB);
            let local = i128::from(event.begin.0) * SUB - min;
            if case.playback.mode != Mode::Loop(Repeat::Forever) || length == 0 || !(0..=length).contains(&local) {
                continue;
            }
            let at = min + if case.playback.reverse { length - local } else { local };
            let floor = |x: i128| (x - at).div_euclid(length);
            let ceil = |x: i128| -(at - x).div_euclid(length);
            let wanted = if a <= b { floor(b) - floor(a) } else { ceil(a) - ceil(b) };
            prop_assert_eq!(heard as i128, wanted);
        }
    }

    #[test]
    fn p05_both_ends_of_a_loop_fire_once_a_seam_the_end_first(
        length in lengths().prop_filter("a seam", |length| *length > 0), loops in 1..40usize, shares in shares(), backward: bool
    ) {
        let case = small(length, Mode::Loop(Repeat::Forever), &[0, length]);
        let timeline = case.timeline();
        let mut controller = controller(0, Speed::whole(if backward { -1 } else { 1 }));
        let log: Vec<Signal> = cut(length * loops as i64, &shares)
            .into_iter()
            .flat_map(|step| advance(&mut controller, &timeline, step))
            .map(|(_, signal)| signal)
            .collect();
        let mut seam = [Signal::Point(1), Signal::Lap, Signal::Point(0)];
        if backward {
            seam.reverse();
        }
        prop_assert_eq!(log, seam.repeat(loops));
    }

    #[test]
    fn p07_there_and_back_restores_the_position_and_fires_in_reverse((case, start, speed, step) in moves()) {
        let mut case = case;
        case.playback.at_end = AtEnd::RunOn;
        let timeline = case.timeline();
        let mut controller = controller(start.sub_ticks(), speed);
        let there = advance(&mut controller, &timeline, step);
        let far = controller.position;
        controller.speed = Speed::raw(-speed.sub_ticks_per_tick);
        let back = advance(&mut controller, &timeline, step);
        prop_assert_eq!(controller.position, start);
        // Moments: (a, b] against [a, b), so those of the two ends change places.
        let moments = |log: &[Entry]| -> Vec<Entry> {
            let inside = |at: i128| at != start.sub_ticks() && at != far.sub_ticks();
            log.iter().filter(|(at, signal)| matches!(signal, Signal::Point(_)) && inside(*at)).copied().collect()
        };
        let mut back_again = moments(&back);
        back_again.reverse();
        prop_assert_eq!(back_again, moments(&there));
        // Spans are states: what was entered is left again and the other way round, exactly.
        let edges = |log: &[Entry], turned: bool| -> Vec<Entry> {
            let mut edges: Vec<Entry> = log
                .iter()
                .filter_map(|(at, signal)| match (signal, turned) {
                    (Signal::Enter(i), false) | (Signal::Leave(i), true) => Some((*at, Signal::Enter(*i))),
                    (Signal::Leave(i), false) | (Signal::Enter(i), true) => Some((*at, Signal::Leave(*i))),
                    _ => None,
                })
                .collect();
            if turned {
                edges.reverse();
            }
            edges
        };
        prop_assert_eq!(edges(&back, true), edges(&there, false));
    }

    #[test]
    fn p09_an_event_on_a_border_of_steps_fires_once(
        case in cases_of(modes()), at in 0..=4i64, raw in 1..400_000i64, backward: bool, before in 1..20i64, after in 1..20i64
    ) {
        let mut case = case;
        case.playback.at_end = AtEnd::RunOn;
        let moment = Event::point(Tick(case.playback.min.0 + case.length() * at / 4));
        case.events.push(moment);
        case.events.sort_by_key(|event| event.begin);
        let event = case.events.iter().position(|event| *event == moment).expect("just put there");
        // Two steps that meet exactly at the moment's first place.
        let raw = if backward { -raw } else { raw };
        let oracle = case.oracle();
        let is_moment = |entry: &Entry| entry.1 == Signal::Point(event as u32);
        let first = oracle.fires(oracle.min - 1, oracle.min + oracle.length.max(1)).into_iter().find(is_moment);
        let (at, _) = first.expect("every pass has it");
        let timeline = case.timeline();
        let way = |ticks: i64| i128::from(raw) * i128::from(ticks);
        let mut controller = controller(at - way(before), Speed::raw(raw));
        let wanted = timeline.count(event, controller.position, position(at + way(after)));
        let here = |log: &[Entry]| log.iter().filter(|entry| is_moment(entry) && entry.0 == at).count();
        let mut log = advance(&mut controller, &timeline, before);
        prop_assert_eq!(controller.position.sub_ticks(), at);
        prop_assert_eq!(here(&log), 1);
        log.extend(advance(&mut controller, &timeline, after));
        prop_assert_eq!(here(&log), 1);
        prop_assert_eq!(Some(points(&log, event as u32) as u128), wanted);
    }

    #[test]
    fn p10_whole_lengths_fire_each_event_as_often(
        length in lengths().prop_filter("loops", |length| *length > 0),
        at in any::<prop::sample::Index>(), from in -3..4i64, near in 0..3i64, times in 1..20i64, backward: bool
    ) {
        let at = [0, length, length / 2, length / 3][at.index(4)];
        let timeline = small(length, Mode::Loop(Repeat::Forever), &[at]).timeline();
        let mut controller =
            controller(i128::from(from * length + near) * SUB, Speed::whole(if backward { -1 } else { 1 }));
        let log = advance(&mut controller, &timeline, times * length);
        prop_assert_eq!(points(&log, 0), times as usize);
        let log = advance(&mut controller, &timeline, length);
        prop_assert_eq!(points(&log, 0), 1);
    }

    #[test]
    fn p11_a_turn_fires_once_and_the_inside_twice(
        length in lengths().prop_filter("turns", |length| *length > 1),
        from in -3..4i64, near in 0..2i64, times in 1..20i64, backward: bool
    ) {
        let timeline = small(length, Mode::PingPong(Repeat::Forever), &[0, length / 2, length]).timeline();
        let mut controller =
            controller(i128::from(from * length + near) * SUB, Speed::whole(if backward { -1 } else { 1 }));
        let log = advance(&mut controller, &timeline, times * 2 * length);
        let counts = [0, 1, 2].map(|event| points(&log, event));
        prop_assert_eq!(counts, [1, 2, 1].map(|count| count * times as usize));
    }

    #[test]
    fn p37_shares_fire_at_one_local_tick_at_any_speed(
        length in lengths(), (part, whole) in (0..=1000u32, Just(1000u32)), min in -50..50i64,
        speed in (1..400_000i64).prop_map(Speed::raw), mode in repeating()
    ) {
        let (min, max) = (Tick(min), Tick(min + length));
        let event = Event::share(part, whole, min, max);
        let share = i128::from(length) * i128::from(part) / i128::from(whole);
        prop_assert_eq!(event.begin.0, min.0 + share as i64);
        let track = Track::new(min, max, vec![event]).expect("inside");
        let timeline =
            stillframe_anim::time::Timeline::new(Playback::new(min, max, mode), &track).expect("in order");
        let start = Speed::raw(speed.sub_ticks_per_tick);
        let mut controller = controller((i128::from(min.0) - 1) * SUB, start);
        let step = (2 * i128::from(length) + 2) * SUB / i128::from(speed.sub_ticks_per_tick) + 1;
        prop_assume!(step < 1 << 45);
        let log = advance(&mut controller, &timeline, step as i64);
        prop_assert!(points(&log, 0) > 0);
        for (at, signal) in log {
            if signal == Signal::Point(0) {
                // The seam is the end of one pass and the start of the next.
                let local = timeline.local(position(at)).sub_ticks();
                let at_seam = event.begin == max && local == i128::from(min.0) * SUB;
                prop_assert!(local == i128::from(event.begin.0) * SUB || at_seam);
            }
        }
    }

    #[test]
    fn spans_are_entered_and_left_in_turn_as_the_position_says((case, start, speed, step) in moves(), shares in shares()) {
        let timeline = case.timeline();
        let mut controller = controller(start.sub_ticks(), speed);
        let mut active: Vec<bool> =
            (0..case.events.len()).map(|event| timeline.is_active(event, controller.position)).collect();
        for (part, step) in cut(step, &shares).into_iter().enumerate() {
            if part % 3 == 2 {
                controller.speed = Speed::raw(-controller.speed.sub_ticks_per_tick);
            }
            for (_, signal) in advance(&mut controller, &timeline, step) {
                match signal {
                    Signal::Enter(i) => prop_assert!(!std::mem::replace(&mut active[i as usize], true), "{i} twice"),
                    Signal::Leave(i) => prop_assert!(std::mem::replace(&mut active[i as usize], false), "{i} unentered"),
                    _ => {}
                }
            }
            for (event, active) in active.iter().enumerate() {
                prop_assert_eq!(timeline.is_active(event, controller.position), *active, "event {}", event);
            }
        }
    }

    #[test]
    fn play_from_the_start_tells_what_lies_there(case in cases_of(modes()), step in 1..50i64) {
        let timeline = case.timeline();
        let mut played = stillframe_anim::time::Controller::play(&timeline);
        let start = played.position.sub_ticks();
        let log = advance(&mut played, &timeline, step);
        let mut wanted = case.oracle().announces(start, true);
        wanted.extend(case.oracle().fires(start, played.position.sub_ticks()));
        prop_assert_eq!(log, wanted);
        for (index, event) in case.events.iter().enumerate() {
            let starts = event.is_point() && !case.playback.reverse && event.begin == case.playback.min;
            prop_assert!(!starts || points(&case.oracle().announces(start, true), index as u32) == 1);
        }
    }
}
