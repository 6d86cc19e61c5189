//! What is refused, and that nothing happens then.

use std::ops::ControlFlow;

use stillframe_anim::time::{
    Controller, Ease, Event, Fade, Mode, Pace, Playback, Position, Repeat, Speed, SyncClock, TimeError, Timeline,
    Track, Transition, Weight,
};
use stillframe_base::tick::Tick;

fn track(events: &[(i64, i64)]) -> Result<Track, TimeError> {
    Track::new(Tick(0), Tick(10), events.iter().map(|(a, b)| Event::span(Tick(*a), Tick(*b))).collect())
}

#[test]
fn tracks_are_checked() {
    assert!(track(&[(0, 0), (0, 10), (3, 3), (10, 10)]).is_ok());
    assert_eq!(track(&[(3, 3), (2, 2)]), Err(TimeError::EventOrder { index: 1 }));
    assert_eq!(track(&[(-1, 3)]), Err(TimeError::EventRange { index: 0 }));
    assert_eq!(track(&[(1, 1), (3, 11)]), Err(TimeError::EventRange { index: 1 }));
    assert_eq!(track(&[(4, 3)]), Err(TimeError::EventEnd { index: 0 }));
    let order = TimeError::WindowOrder { min: Tick(1), max: Tick(0) };
    assert_eq!(Track::new(Tick(1), Tick(0), vec![]), Err(order));
}

#[test]
fn playbacks_are_checked() {
    let made = |min, max, mode| Timeline::new(Playback::new(Tick(min), Tick(max), mode), &Track::default()).err();
    assert_eq!(made(5, 5, Mode::Loop(Repeat::Forever)), None);
    assert_eq!(made(i64::MIN, i64::MAX, Mode::PingPong(Repeat::Times(u32::MAX))), None);
    assert_eq!(made(5, 4, Mode::Once), Some(TimeError::WindowOrder { min: Tick(5), max: Tick(4) }));
    assert_eq!(made(0, 4, Mode::Loop(Repeat::Times(0))), Some(TimeError::NoPasses));
    assert_eq!(made(0, 4, Mode::PingPong(Repeat::Times(0))), Some(TimeError::NoPasses));
}

#[test]
fn overflow_is_an_error_and_nothing_has_happened() {
    assert_eq!(Position::new(Position::LIMIT + 1), Err(TimeError::Overflow));
    assert_eq!(Position::new(-Position::LIMIT - 1), Err(TimeError::Overflow));
    assert_eq!(Position::new(i128::MIN), Err(TimeError::Overflow));
    let track = Track::new(Tick(0), Tick(7), vec![Event::point(Tick(0))]).expect("in order");
    let endless =
        Timeline::new(Playback::new(Tick(0), Tick(7), Mode::Loop(Repeat::Forever)), &track).expect("in order");
    for (speed, step) in [(i64::MAX, i64::MAX), (i64::MIN, i64::MAX), (1 << 60, 1 << 61)] {
        let start = Controller { armed: true, ..Controller::at(Position::ZERO, Speed::raw(speed)) };
        let mut controller = start;
        let mut fired = 0;
        let done = controller.advance(&endless, Tick(step), |_| {
            fired += 1;
            ControlFlow::Continue(())
        });
        assert_eq!((done, fired, controller), (Err(TimeError::Overflow), 0, start));
        assert_eq!(controller.leap(&endless, Tick(step)), Err(TimeError::Overflow));
        assert_eq!(endless.position(Tick(step), Speed::raw(speed)), Err(TimeError::Overflow));
    }
    // At the limit itself everything still works, down to the last sub-tick.
    let limit = Position::new(Position::LIMIT).expect("the limit is inside");
    let mut controller = Controller::at(limit, Speed::raw(1));
    assert_eq!(controller.advance(&endless, Tick(1), |_| ControlFlow::Continue(())), Err(TimeError::Overflow));
    controller.speed = Speed::raw(-1);
    assert!(controller.advance(&endless, Tick(1), |_| ControlFlow::Continue(())).is_ok());
    assert_eq!(controller.position.sub_ticks(), Position::LIMIT - 1);
    assert!(endless.local(limit) < Position::of_tick(Tick(7)));
    assert!(endless.count(0, Position::ZERO, limit).expect("a moment") > 1 << 100);
    // A clip that ends stops any step, however long.
    let clip = Timeline::new(Playback::new(Tick(0), Tick(7), Mode::Clamp), &track).expect("in order");
    let mut controller = Controller::at(Position::ZERO, Speed::raw(i64::MAX));
    let step = controller.leap(&clip, Tick(i64::MAX)).expect("it stops");
    assert_eq!((controller.position, step.finished), (Position::of_tick(Tick(7)), true));
}

#[test]
fn time_does_not_run_back() {
    let clip = Timeline::new(Playback::default(), &Track::default()).expect("in order");
    let mut controller = Controller::play(&clip);
    let done = controller.advance(&clip, Tick(-1), |_| ControlFlow::Continue(()));
    assert_eq!(done, Err(TimeError::NegativeStep { step: Tick(-1) }));
}

#[test]
fn fades_are_checked() {
    assert_eq!(Fade::new(Tick(0), Tick(-1), Ease::Linear), Err(TimeError::FadeLength { length: Tick(-1) }));
    let long = Tick(Fade::LENGTH_MAX.0 + 1);
    assert_eq!(Fade::new(Tick(0), long, Ease::Linear), Err(TimeError::FadeLength { length: long }));
    let longest = Fade::new(Tick(i64::MIN), Fade::LENGTH_MAX, Ease::Smooth).expect("the longest");
    assert_eq!(longest.weight(Tick(i64::MAX)).value(), 1.0);
}

#[test]
fn what_is_read_is_checked() {
    let fade = Fade::new(Tick(3), Tick(8), Ease::Smooth).expect("short");
    let clock = SyncClock { leader: 2, pace: Pace::Blended, ..SyncClock::default() };
    let place = Controller::at(Position::new(-Position::LIMIT).expect("the limit is inside"), Speed::raw(-7));
    let transition = Transition::new(place, place, fade, Weight::raw(77), Tick(5));
    let text = serde_json::to_string(&(clock, transition)).expect("plain data");
    assert_eq!(serde_json::from_str::<(SyncClock, Transition)>(&text).expect("just written"), (clock, transition));
    let text = serde_json::to_string(&fade).expect("plain data");
    assert!(serde_json::from_str::<Fade>(&text.replace('8', "-8")).is_err());
    let text = serde_json::to_string(&place).expect("plain data");
    let limit = Position::LIMIT.to_string();
    let beyond = (Position::LIMIT + 1).to_string();
    assert!(text.contains(&limit));
    assert!(serde_json::from_str::<Controller>(&text.replace(&limit, &beyond)).is_err());
    assert_eq!(serde_json::from_str::<Weight>("18446744073709551615").expect("a number"), Weight::ONE);
}

#[test]
fn speeds_are_the_nearest() {
    for (times, raw) in [(1.0, 65_536), (-0.5, -32_768), (f64::NAN, 0), (1.0 / 65_536.0 / 2.0, 0), (1e300, i64::MAX)] {
        assert_eq!(Speed::nearest(times), Speed::raw(raw), "{times}");
    }
}
