//! Scripts: what is played and what is done to it, drawn with a bias to where clocks go wrong.

use proptest::prelude::*;
use proptest::sample::select;
use stillframe_anim::time::{AtEnd, Event, Mode, Playback, Position, Repeat, Speed, Timeline, Track};
use stillframe_base::tick::Tick;

use crate::oracle::{Oracle, SUB};

/// A clip and how it is played.
#[derive(Clone, Debug)]
pub struct Case {
    pub playback: Playback,
    pub events: Vec<Event>,
}

#[derive(Clone, Debug)]
pub enum Op {
    Step(i64),
    Speed(Speed),
    Seek(Position),
    Pause(bool),
    Scrub(Position),
}

#[derive(Clone, Debug)]
pub struct Script {
    pub case: Case,
    pub start: Position,
    pub speed: Speed,
    pub armed: bool,
    pub ops: Vec<Op>,
}

impl Case {
    pub fn timeline(&self) -> Timeline {
        let clip = |pick: fn(Tick, Tick) -> Tick, of: fn(&Event) -> Tick, end: Tick| {
            self.events.iter().map(of).fold(end, pick)
        };
        let start = clip(Tick::min, |event| event.begin, self.playback.min);
        let end = clip(Tick::max, |event| event.end, self.playback.max);
        let track = Track::new(start, end, self.events.clone()).expect("drawn in order");
        Timeline::new(self.playback, &track).expect("a drawn window is in order")
    }

    pub fn oracle(&self) -> Oracle {
        Oracle::new(self.playback, &self.events)
    }

    pub fn length(&self) -> i64 {
        self.playback.max.0 - self.playback.min.0
    }
}

pub fn position(sub_ticks: i128) -> Position {
    Position::new(sub_ticks).expect("tests stay far from the limit")
}

/// Lengths in ticks: degenerate ones, small ones, a second, long ones.
pub fn lengths() -> impl Strategy<Value = i64> {
    prop_oneof![
        4 => select(vec![0, 1, 2, 3, 7]),
        2 => 1..60i64,
        1 => select(vec![705_600_000, 940_800_000, 11_760_000]),
        1 => 1..1i64 << 40,
    ]
}

pub fn modes() -> impl Strategy<Value = Mode> {
    let repeat = prop_oneof![2 => Just(Repeat::Forever), 1 => (1..5u32).prop_map(Repeat::Times)];
    prop_oneof![
        1 => Just(Mode::Once),
        2 => Just(Mode::Clamp),
        4 => repeat.clone().prop_map(Mode::Loop),
        4 => repeat.prop_map(Mode::PingPong),
    ]
}

pub fn speeds() -> impl Strategy<Value = Speed> {
    prop_oneof![
        4 => select(vec![1, -1, 2, -2, 3, -3]).prop_map(Speed::whole),
        1 => Just(Speed::ZERO),
        2 => select(vec![SUB as i64 / 2, -(SUB as i64) / 2, 1, -1, SUB as i64 / 3, 49_151]).prop_map(Speed::raw),
        1 => (-4 * SUB as i64..4 * SUB as i64).prop_map(Speed::raw),
    ]
}

/// Moments and spans around a window: at its ends, inside, and a little outside.
fn events(min: i64, length: i64) -> impl Strategy<Value = Vec<Event>> {
    let time = prop_oneof![
        2 => Just(min),
        2 => Just(min + length),
        4 => (0..=length).prop_map(move |at| min + at),
        1 => (-3..=length.min(1 << 40) + 3).prop_map(move |at| min + at),
    ];
    let event = (time.clone(), time, prop::bool::weighted(0.3)).prop_map(|(a, b, span)| {
        if span { Event::span(Tick(a.min(b)), Tick(a.max(b))) } else { Event::point(Tick(a)) }
    });
    prop::collection::vec(event, 0..5).prop_map(|mut events| {
        events.sort_by_key(|event| event.begin);
        events
    })
}

/// Cases of one mode.
pub fn cases_of(modes: impl Strategy<Value = Mode>) -> impl Strategy<Value = Case> {
    let min = prop_oneof![3 => Just(0i64), 1 => -5..6i64, 1 => -1i64 << 40..1 << 40];
    (lengths(), min, modes, prop::bool::weighted(0.25), any::<bool>()).prop_flat_map(
        |(length, min, mode, reverse, stop)| {
            let at_end = if stop { AtEnd::Stop } else { AtEnd::RunOn };
            let playback = Playback { reverse, at_end, ..Playback::new(Tick(min), Tick(min + length), mode) };
            events(min, length).prop_map(move |events| Case { playback, events })
        },
    )
}

pub fn cases() -> impl Strategy<Value = Case> {
    cases_of(modes())
}

/// Places around the window: its borders and their neighbours, negative ones, events, anything within some loops.
pub fn places(case: &Case) -> impl Strategy<Value = Position> + use<> {
    let (min, length) = (i128::from(case.playback.min.0) * SUB, i128::from(case.length()) * SUB);
    let marks: Vec<i128> = case.events.iter().map(|event| i128::from(event.begin.0) * SUB).chain([min]).collect();
    prop_oneof![
        3 => (-3..4i128).prop_map(move |k| min + k * length),
        1 => (-3..4i128, -2..3i128).prop_map(move |(k, near)| min + k * length + near),
        2 => (select(marks), -2..3i128).prop_map(move |(mark, k)| mark + k * length),
        2 => (-2 * length - 3 * SUB..=3 * length + 3 * SUB).prop_map(move |x| min + x),
    ]
    .prop_map(position)
}

/// Steps: nothing, single ticks, whole lengths, the ways to events, any; never more than some dozens of loops.
pub fn steps(case: &Case) -> impl Strategy<Value = i64> + use<> {
    let (min, length) = (case.playback.min.0, case.length());
    let ways: Vec<i64> = case.events.iter().map(|event| (event.begin.0 - min).abs()).chain([0]).collect();
    prop_oneof![
        1 => Just(0i64),
        3 => 1..12i64,
        3 => (1..5i64).prop_map(move |times| times * length),
        2 => (select(ways), 0..3i64).prop_map(move |(way, times)| way + times * length),
        2 => 0..=3 * length + 5,
        1 => (1..6i64).prop_map(move |part| length / part),
    ]
}

fn ops(case: &Case) -> impl Strategy<Value = Vec<Op>> + use<> {
    let op = prop_oneof![
        10 => steps(case).prop_map(Op::Step),
        2 => speeds().prop_map(Op::Speed),
        1 => places(case).prop_map(Op::Seek),
        1 => any::<bool>().prop_map(Op::Pause),
        1 => places(case).prop_map(Op::Scrub),
    ];
    prop::collection::vec(op, 1..12)
}

pub fn scripts() -> impl Strategy<Value = Script> {
    cases().prop_flat_map(|case| {
        let parts = (places(&case), speeds(), prop::bool::weighted(0.2), ops(&case));
        (Just(case), parts).prop_map(|(case, (start, speed, armed, ops))| Script { case, start, speed, armed, ops })
    })
}

/// A case with a place in it, a speed, and a step.
pub fn moves() -> impl Strategy<Value = (Case, Position, Speed, i64)> {
    cases().prop_flat_map(|case| {
        let (places, steps) = (places(&case), steps(&case));
        (Just(case), places, speeds(), steps)
    })
}

/// Cuts a step at drawn shares; equal shares are steps of no time.
pub fn cut(step: i64, shares: &[u16]) -> Vec<i64> {
    let mut places: Vec<i64> =
        shares.iter().map(|share| (i128::from(step) * i128::from(*share) / 65_535) as i64).chain([0, step]).collect();
    places.sort_unstable();
    places.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

pub fn shares() -> impl Strategy<Value = Vec<u16>> {
    let share = prop_oneof![3 => any::<u16>(), 1 => select(vec![0, 16_384, 32_768, 65_535])];
    prop::collection::vec(share, 0..8)
}
