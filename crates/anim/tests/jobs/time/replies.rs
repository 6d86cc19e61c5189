//! Law of replies: what a callback does inside of a step takes effect at the tick of its event.

use std::ops::ControlFlow;

use proptest::prelude::*;
use stillframe_anim::time::{Controller, Fired, Signal, Speed, Timeline};
use stillframe_base::tick::Tick;
use stillframe_testkit::depth::cases;

use stillframe_oracle::Entry;
use stillframe_oracle::strategy::{moves, places, speeds};
use stillframe_oracle::{Case, position};

/// What a callback answers to an event: one of the things that games do.
#[derive(Clone, Copy, Debug)]
enum Reply {
    Seek(i128),
    Speed(Speed),
    Stop,
    PlayAgain,
}

fn replies(case: &Case) -> impl Strategy<Value = Vec<Option<Reply>>> + use<> {
    let reply = prop_oneof![
        2 => Just(None),
        2 => places(case).prop_map(|place| Some(Reply::Seek(place.sub_ticks()))),
        2 => speeds().prop_map(|speed| Some(Reply::Speed(speed))),
        1 => Just(Some(Reply::Stop)),
        1 => Just(Some(Reply::PlayAgain)),
    ];
    prop::collection::vec(reply, 5)
}

/// Plays `step` ticks, answering the first event of each tick that has a reply. How many pieces were played, too.
fn play(
    controller: &mut Controller,
    timeline: &Timeline,
    step: i64,
    replies: &[Option<Reply>],
    log: &mut Vec<Entry>,
) -> usize {
    let (mut left, mut pieces) = (Tick(step), 0);
    loop {
        let mut answer = None;
        let done = controller.advance(timeline, left, |fired: Fired| {
            log.push((fired.at.sub_ticks(), fired.signal));
            let (Signal::Point(event) | Signal::Enter(event) | Signal::Leave(event)) = fired.signal else {
                return ControlFlow::Continue(());
            };
            if answer.is_none() {
                answer = replies[event as usize];
            }
            if answer.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        left = done.expect("near").unspent;
        pieces += 1;
        match answer {
            Some(Reply::Seek(place)) => controller.seek(position(place)),
            Some(Reply::Speed(speed)) => controller.speed = speed,
            Some(Reply::Stop) => controller.paused = true,
            Some(Reply::PlayAgain) => {
                *controller = Controller { speed: controller.speed, ..Controller::play(timeline) }
            }
            None => {}
        }
        if left == Tick::ZERO {
            return pieces;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(1024)))]

    #[test]
    fn p38_replies_in_events_are_those_of_steps_of_one_tick(
        ((case, start, speed, step), replies, armed) in moves()
            .prop_flat_map(|parts| { let replies = replies(&parts.0); (Just(parts), replies, any::<bool>()) })
    ) {
        let step = step % 500;
        let timeline = case.timeline();
        let mut whole = Controller { armed, ..Controller::at(start, speed) };
        let mut ticks = whole;
        let (mut heard, mut wanted) = (Vec::new(), Vec::new());
        let pieces = play(&mut whole, &timeline, step, &replies, &mut heard);
        for _ in 0..step {
            play(&mut ticks, &timeline, 1, &replies, &mut wanted);
        }
        prop_assert_eq!(heard, wanted);
        prop_assert_eq!(whole, ticks);
        // Every piece but the last takes a tick at least: it ends.
        prop_assert!(pieces as i64 <= step.max(1));
    }

    #[test]
    fn the_tick_of_a_signal_is_the_step_of_one_tick_that_tells_it((case, start, speed, step) in moves()) {
        let step = step % 500;
        let timeline = case.timeline();
        let (mut whole, mut ticks) = (Controller::at(start, speed), Controller::at(start, speed));
        let (mut heard, mut wanted) = (Vec::new(), Vec::new());
        whole.advance(&timeline, Tick(step), |fired| {
            heard.push((fired.ticks_into_step().0, fired.signal));
            ControlFlow::Continue(())
        }).expect("near");
        for tick in 1..=step {
            ticks.advance(&timeline, Tick(1), |fired| {
                wanted.push((tick, fired.signal));
                ControlFlow::Continue(())
            }).expect("near");
        }
        prop_assert_eq!(heard, wanted);
    }
}
