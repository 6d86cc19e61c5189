//! Laws of the state: a pure function of the position.

use proptest::prelude::*;
use proptest::sample::select;
use stillframe_anim::time::{AtEnd, Controller, Mode, Playback, Position, Repeat, Speed, Timeline, Track};
use stillframe_base::tick::Tick;
use stillframe_testkit::depth;

use super::drive::{advance, controller};
use stillframe_oracle::strategy::{cases, cases_of, lengths, moves, places, scripts, shares};
use stillframe_oracle::{Case, Op, cut, position};
use stillframe_oracle::{Entry, Heard, SUB, Script};
use stillframe_oracle::{Player, Real};

fn bare(playback: Playback) -> Timeline {
    Timeline::new(playback, &Track::default()).expect("in order")
}

/// A case with a place.
fn places_of(modes: Vec<Mode>) -> impl Strategy<Value = (Case, Position)> {
    cases_of(select(modes)).prop_flat_map(|case| {
        let places = places(&case);
        (Just(case), places)
    })
}

const LOOP: Mode = Mode::Loop(Repeat::Forever);
const PING_PONG: Mode = Mode::PingPong(Repeat::Forever);

#[test]
fn the_book_s_table() {
    for (mode, reverse, times) in [
        (Mode::Once, false, [0, 50, 100, 150, 200, -25]),
        (Mode::Clamp, false, [0, 50, 100, 100, 100, 0]),
        (LOOP, false, [0, 50, 0, 50, 0, 75]),
        (PING_PONG, false, [0, 50, 100, 50, 0, 25]),
        (Mode::Clamp, true, [100, 50, 0, 0, 0, 100]),
        (LOOP, true, [100, 50, 100, 50, 100, 25]),
        (PING_PONG, true, [100, 50, 0, 50, 100, 75]),
        (Mode::Loop(Repeat::Times(2)), false, [0, 50, 0, 50, 100, 0]),
        (Mode::PingPong(Repeat::Times(1)), false, [0, 50, 100, 100, 100, 0]),
    ] {
        let timeline = bare(Playback { reverse, ..Playback::new(Tick(0), Tick(100), mode) });
        let local = [0, 50, 100, 150, 200, -25].map(|at| timeline.local(Position::of_tick(Tick(at))).tick().0);
        assert_eq!(local, times, "{mode:?}, reverse {reverse}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(depth::cases(1024)))]

    #[test]
    fn p04_one_big_step_is_many_small_ones((case, start, speed, step) in moves(), shares in shares()) {
        let timeline = case.timeline();
        let (mut whole, mut parts) = (controller(start.sub_ticks(), speed), controller(start.sub_ticks(), speed));
        advance(&mut whole, &timeline, step);
        for step in cut(step, &shares) {
            advance(&mut parts, &timeline, step);
        }
        prop_assert_eq!(parts, whole);
        prop_assert_eq!(parts.local(&timeline), whole.local(&timeline));
    }

    #[test]
    fn p06_a_mirrored_speed_plays_the_mirrored_time(
        (case, start) in places_of(vec![LOOP, PING_PONG]), raw in -300_000..300_000i64, step in 0..100i64
    ) {
        let timeline = case.timeline();
        let min = i128::from(case.playback.min.0) * SUB;
        let length = i128::from(case.length()) * SUB;
        let x = start.sub_ticks() - min;
        let (mut one, mut other) = (controller(min + x, Speed::raw(raw)), controller(min - x, Speed::raw(-raw)));
        one.leap(&timeline, Tick(step)).expect("near");
        other.leap(&timeline, Tick(step)).expect("near");
        let forward = |controller: Controller| {
            let local = controller.local(&timeline).sub_ticks() - min;
            if case.playback.reverse { length - local } else { local }
        };
        if case.playback.mode == PING_PONG {
            prop_assert_eq!(one.local(&timeline), other.local(&timeline));
        } else if length > 0 {
            prop_assert_eq!(forward(one), (length - forward(other)) % length);
        }
    }

    #[test]
    fn p08_a_ping_pong_is_even_and_periodic_with_slope_one((case, place) in places_of(vec![PING_PONG])) {
        let timeline = case.timeline();
        let min = i128::from(case.playback.min.0) * SUB;
        let length = i128::from(case.length()) * SUB;
        let x = place.sub_ticks() - min;
        let local = |x: i128| timeline.local(position(min + x)).sub_ticks();
        prop_assert_eq!(local(x), local(-x));
        prop_assert_eq!(local(x), local(x + 2 * length));
        if length > 0 {
            prop_assert_eq!((local(x + 1) - local(x)).abs(), 1);
        }
    }

    #[test]
    fn p15_no_time_and_no_speed_change_nothing_and_a_pause_is_invisible(script in scripts(), at: prop::sample::Index) {
        let mut plain = Real::new(&script);
        let mut disturbed = Real::new(&script);
        let place = at.index(script.ops.len());
        for (number, op) in script.ops.iter().enumerate() {
            if number == place {
                let before = disturbed.controller;
                prop_assert_eq!(disturbed.play(&Op::Step(0)), Heard::default());
                disturbed.play(&Op::Speed(Speed::ZERO));
                prop_assert_eq!(disturbed.play(&Op::Step(1000)), Heard::default());
                disturbed.play(&Op::Speed(before.speed));
                disturbed.play(&Op::Pause(true));
                prop_assert_eq!(disturbed.play(&Op::Step(1000)), Heard::default());
                disturbed.play(&Op::Pause(before.paused));
                prop_assert_eq!(disturbed.controller, before);
            }
            prop_assert_eq!(plain.play(op), disturbed.play(op));
        }
        prop_assert_eq!(plain.controller, disturbed.controller);
    }

    #[test]
    fn p16_seek_is_silent_and_then_as_new((case, start, speed, step) in moves(), to: prop::sample::Index) {
        let timeline = case.timeline();
        let target = position([-1, 0, 1, 3][to.index(4)] * i128::from(case.length()) * SUB + start.sub_ticks());
        let mut sought = controller(start.sub_ticks(), speed);
        sought.armed = true;
        sought.seek(target);
        let mut fresh = controller(target.sub_ticks(), speed);
        prop_assert_eq!(sought, fresh);
        prop_assert_eq!(advance(&mut sought, &timeline, step), advance(&mut fresh, &timeline, step));
    }

    #[test]
    fn p17_scrub_fires_what_a_play_would((case, start, speed, step) in moves(), armed: bool) {
        let timeline = case.timeline();
        let mut played = Controller { armed, ..controller(start.sub_ticks(), speed) };
        let mut scrubbed = played;
        let target = position(start.sub_ticks() + i128::from(speed.sub_ticks_per_tick) * i128::from(step));
        let wanted = advance(&mut played, &timeline, step);
        let mut log: Vec<Entry> = Vec::new();
        scrubbed.paused = true;
        scrubbed.scrub(&timeline, target, |fired| log.push((fired.at.sub_ticks(), fired.signal)));
        prop_assert_eq!(log, wanted);
        prop_assert_eq!(scrubbed.position, played.position);
    }

    #[test]
    fn p19_a_change_of_speed_counts_from_then_on(
        case in cases(), raws in prop::collection::vec((-300_000..300_000i64, 0..50i64), 1..10)
    ) {
        let mut case = case;
        case.playback.at_end = AtEnd::RunOn;
        let timeline = case.timeline();
        let mut controller = Controller::play(&timeline);
        for (raw, step) in &raws {
            controller.speed = Speed::raw(*raw);
            advance(&mut controller, &timeline, *step);
        }
        let integral: i128 = raws.iter().map(|(raw, step)| i128::from(*raw) * i128::from(*step)).sum();
        prop_assert_eq!(controller.position.sub_ticks(), case.playback.phase.sub_ticks() + integral);
    }

    #[test]
    fn p20_no_length_is_local_min_and_one_tick_works(script in scripts(), length in 0..2i64) {
        let mut script = script;
        let min = script.case.playback.min.0;
        script.case.playback.max = Tick(min + length);
        for event in &mut script.case.events {
            event.begin = Tick(event.begin.0.clamp(min, min + length));
            event.end = Tick(event.end.0.clamp(min, min + length));
        }
        // Steps that fit other lengths would be millions of passes here.
        let short = |op: &Op| match op { Op::Step(step) => Op::Step(step % 64), other => *other };
        script.ops = script.ops.iter().map(short).filter(|op| matches!(op, Op::Step(_) | Op::Speed(_))).collect();
        script.case.playback.phase = position(i128::from(min - 2) * SUB);
        prop_assert_eq!(stillframe_oracle::judge(&script, &mut Real::new(&script)), Ok(()));
        if length == 0 {
            let mut real = Real::new(&script);
            for op in &script.ops {
                let before = real.controller.position.sub_ticks() - i128::from(min) * SUB;
                let log = real.play(op);
                prop_assert_eq!(real.local(), i128::from(min) * SUB);
                let after = real.controller.position.sub_ticks() - i128::from(min) * SUB;
                let arrives = before < 0 && after >= 0 || before > 0 && after <= 0;
                let once = usize::from(arrives || before == 0);
                for event in 0..script.case.events.len() as u32 {
                    let fires =
                        log.log.iter().filter(|(_, s)| *s == stillframe_anim::time::Signal::Point(event)).count();
                    prop_assert!(fires <= once, "{} fires", fires);
                }
            }
        }
    }

    #[test]
    fn p21_whole_loops_farther_on_nothing_changes(
        (case, start, speed, step) in moves(), times in -1i64 << 40..1 << 40, mode in select(vec![LOOP, PING_PONG])
    ) {
        let mut case = case;
        case.playback.mode = mode;
        let timeline = case.timeline();
        let far = i128::from(case.length()) * SUB * 2 * i128::from(times);
        let (mut near, mut moved) =
            (controller(start.sub_ticks(), speed), controller(start.sub_ticks() + far, speed));
        prop_assert_eq!(near.local(&timeline), moved.local(&timeline));
        let here = advance(&mut near, &timeline, step);
        let there: Vec<Entry> =
            advance(&mut moved, &timeline, step).into_iter().map(|(at, signal)| (at - far, signal)).collect();
        prop_assert_eq!(moved.position.sub_ticks() - far, near.position.sub_ticks());
        prop_assert_eq!(near.local(&timeline), moved.local(&timeline));
        // A window of no length does not repeat.
        prop_assert!(here == there || case.length() == 0);
    }

    #[test]
    fn p23_local_time_stays_in_the_window(script in scripts()) {
        let mut real = Real::new(&script);
        let playback = script.case.playback;
        let (min, max) = (i128::from(playback.min.0) * SUB, i128::from(playback.max.0) * SUB);
        for op in &script.ops {
            real.play(op);
            let local = real.local();
            if playback.mode != Mode::Once {
                prop_assert!(min <= local && local <= max);
            }
            if playback.mode == LOOP && min < max {
                let seam = if playback.reverse { min } else { max };
                prop_assert!(local != seam);
            }
        }
    }

    #[test]
    fn p35_reverse_is_the_mirrored_time_and_its_own_inverse(case in cases(), at in -200i128..200, sub in 0..SUB) {
        let place = position(at * SUB + sub);
        let mut turned = case.clone();
        turned.playback.reverse = !case.playback.reverse;
        let ends = (i128::from(case.playback.min.0) + i128::from(case.playback.max.0)) * SUB;
        let (local, mirrored) = (case.timeline().local(place).sub_ticks(), turned.timeline().local(place).sub_ticks());
        prop_assert!(local == ends - mirrored || case.length() == 0);
        turned.playback.reverse = !turned.playback.reverse;
        prop_assert_eq!(turned.timeline().local(place).sub_ticks(), local);
        // A reversed ping-pong is one that is shifted by a length.
        if case.playback.mode == PING_PONG {
            let shifted = position(place.sub_ticks() + i128::from(case.length()) * SUB);
            prop_assert_eq!(case.timeline().local(shifted).sub_ticks(), mirrored);
        }
    }

    #[test]
    fn p36_window_phase_and_speed_are_a_shift_and_a_scale(
        case in cases(), phase in -300i128 * SUB..300 * SUB, elapsed in 0..500i64, raw in -300_000..300_000i64
    ) {
        let playback = Playback { phase: position(phase), ..case.playback };
        let timeline = bare(playback);
        let plain = bare(Playback { min: Tick(0), max: Tick(case.length()), phase: Position::ZERO, ..playback });
        let min = i128::from(playback.min.0) * SUB;
        let place = timeline.position(Tick(elapsed), Speed::raw(raw)).expect("near");
        let c = i128::from(raw) * i128::from(elapsed) + phase;
        prop_assert_eq!(place.sub_ticks(), c);
        prop_assert_eq!(timeline.local(place).sub_ticks(), plain.local(position(c - min)).sub_ticks() + min);
        // A controller that plays from the phase on is there too, but for an end that stops it.
        let mut controller = Controller { speed: Speed::raw(raw), ..Controller::play(&timeline) };
        advance(&mut controller, &timeline, 0);
        controller.leap(&timeline, Tick(elapsed)).expect("near");
        prop_assert!(controller.position == place || playback.at_end == AtEnd::Stop);
    }

    #[test]
    fn p39_written_and_read_back_plays_on(script in scripts(), at: prop::sample::Index) {
        let (mut kept, mut written) = (Real::new(&script), Real::new(&script));
        let place = at.index(script.ops.len());
        for (number, op) in script.ops.iter().enumerate() {
            if number == place {
                let text = serde_json::to_string(&(written.controller, script.case.playback)).expect("plain data");
                let (controller, playback) = serde_json::from_str(&text).expect("just written");
                prop_assert_eq!(serde_json::to_string(&(controller, playback)).expect("plain data"), text);
                written.controller = controller;
                let case = Case { playback, events: script.case.events.clone() };
                written.timeline = case.timeline();
            }
            prop_assert_eq!(kept.play(op), written.play(op));
            prop_assert_eq!(kept.controller, written.controller);
        }
    }

    #[test]
    fn p22_a_huge_step_equals_the_closed_form(
        length in lengths(), share in 0..=4i64, mode in select(vec![LOOP, PING_PONG]), raw in select(vec![1i64, -1, 65_536, -131_072]),
        step in 1i64 << 40..1 << 45
    ) {
        let at = length * share / 4;
        let events = vec![stillframe_anim::time::Event::point(Tick(at))];
        let case = Case { playback: Playback::new(Tick(0), Tick(length), mode), events };
        let timeline = case.timeline();
        let mut controller = controller(1, Speed::raw(raw));
        let from = controller.position;
        controller.leap(&timeline, Tick(step)).expect("far from the limit");
        let way = i128::from(raw) * i128::from(step);
        prop_assert_eq!(controller.position.sub_ticks(), 1 + way);
        prop_assert_eq!(controller.local(&timeline).sub_ticks(), case.oracle().local(1 + way));
        // Any of the series n L + at, by solving for n: an interval of integers for each series.
        let count = timeline.count(0, from, controller.position).expect("a moment") as i128;
        let (length, at) = (i128::from(length) * SUB, i128::from(at) * SUB);
        if length == 0 {
            prop_assert_eq!(count, i128::from(raw < 0));
        } else {
            let (low, high) = if way > 0 { (2, 1 + way) } else { (1 + way, 0) };
            let series = |first: i128, period: i128| {
                let from = -(first - low).div_euclid(period);
                (high - first).div_euclid(period) - from + 1
            };
            let wanted = match mode {
                PING_PONG if at == 0 || at == length => series(at, 2 * length),
                PING_PONG => series(at, 2 * length) + series(-at, 2 * length),
                _ => series(at, length),
            };
            prop_assert_eq!(count, wanted);
        }
    }
}

#[test]
fn p40_threads_and_order_do_not_matter() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let strategy = scripts();
    let scripts: Vec<_> =
        (0..512).map(|_| strategy.new_tree(&mut runner).expect("scripts have no filter").current()).collect();
    let log = |script: &Script| {
        let mut real = Real::new(script);
        let log: Vec<Heard> = script.ops.iter().map(|op| real.play(op)).collect();
        (log, real.controller)
    };
    let in_order: Vec<_> = scripts.iter().map(log).collect();
    let mut backward: Vec<_> = scripts.iter().rev().map(log).collect();
    backward.reverse();
    assert!(in_order == backward);
    // Controllers side by side, an operation of each in turn.
    let mut players: Vec<Real> = scripts.iter().map(Real::new).collect();
    let mut logs = vec![Vec::new(); scripts.len()];
    for round in 0..12 {
        for (script, (player, log)) in scripts.iter().zip(players.iter_mut().zip(&mut logs)) {
            log.extend(script.ops.get(round).map(|op| player.play(op)));
        }
    }
    assert!(in_order.iter().map(|(log, _)| log).eq(&logs));
    let threaded: Vec<_> = std::thread::scope(|scope| {
        let parts: Vec<_> =
            scripts.chunks(64).map(|part| scope.spawn(move || part.iter().map(log).collect::<Vec<_>>())).collect();
        parts.into_iter().flat_map(|part| part.join().expect("no panic")).collect()
    });
    assert!(in_order == threaded);
}
