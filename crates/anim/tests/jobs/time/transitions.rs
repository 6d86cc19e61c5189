//! Laws of fades: weights over time, what they let through, and when they start.

use std::ops::ControlFlow;

use proptest::prelude::*;
use proptest::sample::select;
use stillframe_anim::time::{
    Controller, Ease, Fade, Fired, Position, Side, Signal, SourceSeek, Speed, Timeline, Transition, Weight,
};
use stillframe_base::tick::Tick;
use stillframe_testkit::depth;

use stillframe_oracle::SUB;
use stillframe_oracle::strategy::{cases, moves, places, shares};
use stillframe_oracle::{Case, cut, position};

const ONE: u128 = 1 << 32;

fn eases() -> impl Strategy<Value = Ease> {
    select(vec![Ease::Linear, Ease::Smooth])
}

/// `floor(2^32 w)` of a linear fade at `part / whole` ticks after its start, for small numbers.
fn linear(length: i64, part: i128, whole: i128) -> u64 {
    let (part, whole) = (part, whole * i128::from(length));
    if part < 0 {
        0
    } else if part >= whole {
        ONE as u64
    } else {
        ((part as u128) * ONE / whole as u128) as u64
    }
}

/// A pair of clips that play, with their timelines.
fn pairs() -> impl Strategy<Value = (Case, Position, Case, Position)> {
    (cases(), cases()).prop_flat_map(|(one, two)| {
        let (first, second) = (places(&one), places(&two));
        (Just(one), first, Just(two), second)
    })
}

type Heard = Vec<(Side, i128, Signal)>;

fn advance(transition: &mut Transition, timelines: (&Timeline, &Timeline), step: i64) -> Heard {
    let mut log = Vec::new();
    transition
        .advance(timelines.0, timelines.1, Tick(step), |side, fired| {
            log.push((side, fired.at.sub_ticks(), fired.signal));
        })
        .expect("near");
    log
}

fn of_side(log: &Heard, side: Side) -> Heard {
    log.iter().filter(|heard| heard.0 == side).copied().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(depth::cases(1024)))]

    #[test]
    fn p18_seek_in_a_transition_keeps_the_fade_and_moves_by_policy(
        (one, first, two, second) in pairs(), length in 0..200i64, before in 0..100i64, after in 0..100i64, way in -300..300i128
    ) {
        let timelines = (one.timeline(), two.timeline());
        let timelines = (&timelines.0, &timelines.1);
        let fade = Fade::new(Tick(3), Tick(length), Ease::Linear).expect("short");
        let start = Transition::new(
            Controller::at(first, Speed::ONE), Controller::at(second, Speed::ONE), fade, Weight::ZERO, Tick(0)
        );
        for policy in [SourceSeek::Follow, SourceSeek::Stay] {
            let (mut sought, mut plain) = (start, start);
            advance(&mut sought, timelines, before);
            advance(&mut plain, timelines, before);
            let to = position(sought.target.position.sub_ticks() + way * SUB + 17);
            sought.seek(to, policy).expect("near");
            prop_assert_eq!(sought.weight(), plain.weight());
            prop_assert_eq!(sought.fade, plain.fade);
            prop_assert_eq!(sought.target.position, to);
            let moved = sought.source.position.sub_ticks() - plain.source.position.sub_ticks();
            prop_assert_eq!(moved, if policy == SourceSeek::Follow { way * SUB + 17 } else { 0 });
            advance(&mut sought, timelines, after);
            advance(&mut plain, timelines, after);
            prop_assert_eq!(sought.weight(), plain.weight());
            prop_assert_eq!(sought.time(), Tick(before + after));
        }
    }

    #[test]
    fn p31_weights_sum_to_one_rise_and_are_exact_outside(
        start in -1000..1000i64, length in 0..3000i64, ease in eases(), times in prop::collection::vec(-2000..6000i64, 1..50)
    ) {
        let fade = Fade::new(Tick(start), Tick(length), ease).expect("short");
        let mut times = times;
        times.extend([start - 1, start, start + length, start + length + 1]);
        times.sort_unstable();
        let mut last = Weight::ZERO;
        for time in times {
            let weight = fade.weight(Tick(time));
            prop_assert!(weight >= last, "falls at {}", time);
            last = weight;
            prop_assert_eq!(u128::from(weight.parts()) + u128::from(weight.rest().parts()), ONE);
            prop_assert_eq!(weight.value() + (1.0 - weight.value()), 1.0);
            if time < start || time == start && length > 0 {
                prop_assert_eq!(weight, Weight::ZERO);
            }
            if time >= start + length {
                prop_assert_eq!(weight, Weight::ONE);
            } else if ease == Ease::Linear && time >= start {
                prop_assert_eq!(weight.parts(), linear(length, i128::from(time - start), 1));
            } else if time > start {
                let w = (time - start) as f64 / length as f64;
                prop_assert!((weight.parts() as f64 / ONE as f64 - w * w * (3.0 - 2.0 * w)).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn p31_weights_do_not_depend_on_steps(
        (one, first, two, second) in pairs(), length in 0..200i64, step in 0..400i64, ease in eases(), shares in shares()
    ) {
        let timelines = (one.timeline(), two.timeline());
        let fade = Fade::new(Tick(5), Tick(length), ease).expect("short");
        let mut transition = Transition::new(
            Controller::at(first, Speed::ONE), Controller::at(second, Speed::ONE), fade, Weight::ZERO, Tick(0)
        );
        let mut time = 0;
        for step in cut(step, &shares) {
            advance(&mut transition, (&timelines.0, &timelines.1), step);
            time += step;
            prop_assert_eq!(transition.weight(), fade.weight(Tick(time)));
        }
    }

    #[test]
    fn p32_events_are_heard_by_the_weight_at_their_own_time(
        (case, start, speed, step) in moves(), (two, second) in cases().prop_flat_map(|case| { let places = places(&case); (Just(case), places) }),
        from in -50..50i64, length in 0..200i64, threshold in 0..=8u64, shares in shares()
    ) {
        let step = step % 400;
        let timelines = (case.timeline(), two.timeline());
        let timelines = (&timelines.0, &timelines.1);
        let threshold = Weight::raw(threshold << 29);
        let fade = Fade::new(Tick(from), Tick(length), Ease::Linear).expect("short");
        let begin = Transition::new(
            Controller::at(start, speed), Controller::at(second, Speed::ONE), fade, threshold, Tick(0)
        );
        let (mut whole, mut parts) = (begin, begin);
        let heard = advance(&mut whole, timelines, step);
        let in_parts: Heard = cut(step, &shares).into_iter().flat_map(|step| advance(&mut parts, timelines, step)).collect();
        prop_assert_eq!(whole, parts);
        for side in [Side::Source, Side::Target] {
            prop_assert_eq!(of_side(&in_parts, side), of_side(&heard, side));
        }
        // The source's moments, by the rational time at which each lies.
        let all = case.oracle().fires(start.sub_ticks(), whole.source.position.sub_ticks());
        let pace = i128::from(speed.sub_ticks_per_tick).abs();
        let wanted: Heard = all
            .into_iter()
            .filter(|(at, signal)| {
                let since = (at - start.sub_ticks()).abs() - i128::from(from) * pace;
                let weight = if length == 0 {
                    if since >= 0 { ONE as u64 } else { 0 }
                } else {
                    linear(length, since, pace)
                };
                !matches!(signal, Signal::Point(_) | Signal::Enter(_)) || ONE as u64 - weight >= threshold.parts()
            })
            .map(|(at, signal)| (Side::Source, at, signal))
            .collect();
        prop_assert_eq!(of_side(&heard, Side::Source), wanted);
    }

    #[test]
    fn p33_a_transition_asked_for_by_an_event_starts_at_its_tick(
        (case, start, speed, step) in moves(), two in cases(), length in 0..50i64, shares in shares()
    ) {
        let step = step % 300;
        let (one, two) = (case.timeline(), two.timeline());
        let fade_of = |time: Tick| Fade::new(time, Tick(length), Ease::Linear).expect("short");
        // Plays until the first event, then fades from there on.
        let run = |steps: &[i64]| {
            let (mut playing, mut time) = (Controller::at(start, speed), Tick::ZERO);
            let (mut fading, mut log): (Option<Transition>, Heard) = (None, Vec::new());
            for step in steps {
                let mut left = Tick(*step);
                if fading.is_none() {
                    let mut asked = false;
                    let done = playing.advance(&one, left, |fired: Fired| {
                        log.push((Side::Source, fired.at.sub_ticks(), fired.signal));
                        asked |= matches!(fired.signal, Signal::Point(_));
                        if asked { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                    });
                    let unspent = done.expect("near").unspent;
                    time += left - unspent;
                    left = unspent;
                    let target = Controller::play(&two);
                    fading = asked.then(|| Transition::new(playing, target, fade_of(time), Weight::ZERO, time));
                }
                if let Some(fading) = &mut fading {
                    log.extend(advance(fading, (&one, &two), left.0));
                }
            }
            (fading, log)
        };
        let ticks = vec![1; step as usize];
        let (wanted, wanted_log) = run(&ticks);
        for steps in [vec![step], cut(step, &shares)] {
            let (fading, log) = run(&steps);
            prop_assert_eq!(fading, wanted);
            for side in [Side::Source, Side::Target] {
                prop_assert_eq!(of_side(&log, side), of_side(&wanted_log, side));
            }
        }
    }
}
