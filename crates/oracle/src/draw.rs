//! Draw: scripts with a bias to where clocks go wrong. Lengths of 0, 1, 2, 3 and 7 ticks, steps that are whole lengths,
//! events at both ends, starts before the window, steps of no time.

use stillframe_anim::time::{AtEnd, Event, Mode, Playback, Position, Repeat, Speed};
use stillframe_base::tick::Tick;

use crate::script::position;
use crate::{Case, Choices, Op, SUB, Script};

/// Lengths in ticks: degenerate ones, small ones, a second and the like, long ones.
pub fn length(choices: &mut Choices<'_>) -> i64 {
    match choices.weighted(&[4, 2, 1, 1]) {
        0 => *choices.pick(&[0, 1, 2, 3, 7]),
        1 => choices.between(1, 59),
        2 => *choices.pick(&[705_600_000, 940_800_000, 11_760_000]),
        _ => choices.between(1, (1 << 40) - 1),
    }
}

pub fn mode(choices: &mut Choices<'_>) -> Mode {
    let repeat = |choices: &mut Choices<'_>| match choices.weighted(&[2, 1]) {
        0 => Repeat::Forever,
        _ => Repeat::Times(choices.between(1, 4) as u32),
    };
    match choices.weighted(&[2, 1, 4, 4]) {
        0 => Mode::Clamp,
        1 => Mode::Once,
        2 => Mode::Loop(repeat(choices)),
        _ => Mode::PingPong(repeat(choices)),
    }
}

pub fn speed(choices: &mut Choices<'_>) -> Speed {
    let sub = SUB as i64;
    match choices.weighted(&[4, 1, 2, 1]) {
        0 => Speed::whole(*choices.pick(&[1, -1, 2, -2, 3, -3])),
        1 => Speed::ZERO,
        2 => Speed::raw(*choices.pick(&[sub / 2, -sub / 2, 1, -1, sub / 3, 49_151])),
        _ => Speed::raw(choices.between(-4 * sub, 4 * sub - 1)),
    }
}

/// Moments and spans around a window: at its ends, inside, and a little outside.
fn events(choices: &mut Choices<'_>, min: i64, length: i64) -> Vec<Event> {
    let time = |choices: &mut Choices<'_>| match choices.weighted(&[2, 2, 4, 1]) {
        0 => min,
        1 => min + length,
        2 => min + choices.between(0, length),
        _ => min + choices.between(-3, length + 3),
    };
    let count = choices.below(5);
    let mut events: Vec<Event> = (0..count)
        .map(|_| {
            let (a, is_span) = (time(choices), choices.weighted(&[7, 3]) == 1);
            if !is_span {
                return Event::point(Tick(a));
            }
            let b = time(choices);
            Event::span(Tick(a.min(b)), Tick(a.max(b)))
        })
        .collect();
    events.sort_by_key(|event| event.begin);
    events
}

/// A case of some mode; its phase is the window's start.
pub fn case_of(choices: &mut Choices<'_>, mode: Mode) -> Case {
    let length = length(choices);
    let min = match choices.weighted(&[6, 1, 1]) {
        0 => 0,
        1 => choices.between(-5, 5),
        _ => choices.between(-1 << 40, (1 << 40) - 1),
    };
    let reverse = choices.weighted(&[3, 1]) == 1;
    let at_end = *choices.pick(&[AtEnd::Stop, AtEnd::RunOn]);
    let playback = Playback { reverse, at_end, ..Playback::new(Tick(min), Tick(min + length), mode) };
    Case { playback, events: events(choices, min, length) }
}

pub fn case(choices: &mut Choices<'_>) -> Case {
    let mode = mode(choices);
    case_of(choices, mode)
}

/// Places around the window: its borders and their neighbours, negative ones, events, anything within some loops.
pub fn place(choices: &mut Choices<'_>, case: &Case) -> Position {
    let (min, length) = (i128::from(case.playback.min.0) * SUB, i128::from(case.length()) * SUB);
    position(match choices.weighted(&[3, 1, 2, 2]) {
        0 => min + i128::from(*choices.pick(&[0, 1, -1, 2, -2, 3, -3])) * length,
        1 => min + choices.wide(-3, 3) * length + choices.wide(-2, 2),
        2 => {
            let index = choices.below(case.events.len() as u64 + 1) as usize;
            let mark = case.events.get(index).map_or(min, |event| i128::from(event.begin.0) * SUB);
            mark + choices.wide(-2, 2) * length
        }
        _ => min + choices.wide(-2 * length - 3 * SUB, 3 * length + 3 * SUB),
    })
}

/// Steps: nothing, single ticks, whole lengths, the ways to events, any; never more than some dozens of loops.
pub fn step(choices: &mut Choices<'_>, case: &Case) -> i64 {
    let (min, length) = (case.playback.min.0, case.length());
    match choices.weighted(&[1, 3, 3, 2, 2, 1]) {
        0 => 0,
        1 => choices.between(1, 11),
        2 => choices.between(1, 4) * length,
        3 => {
            let index = choices.below(case.events.len() as u64 + 1) as usize;
            let way = case.events.get(index).map_or(0, |event| (event.begin.0 - min).abs());
            way + choices.between(0, 2) * length
        }
        4 => choices.between(0, 3 * length + 5),
        _ => length / choices.between(1, 5),
    }
}

fn op(choices: &mut Choices<'_>, case: &Case) -> Op {
    match choices.weighted(&[20, 4, 2, 2, 2, 1, 1, 1]) {
        0 => Op::Step(step(choices, case)),
        1 => Op::Speed(speed(choices)),
        2 => Op::Seek(place(choices, case)),
        3 => Op::Pause(choices.below(2) == 1),
        4 => Op::Scrub(place(choices, case)),
        5 => Op::Until(step(choices, case), choices.below(case.events.len().max(1) as u64) as u32),
        6 => Op::Leap(step(choices, case)),
        _ => Op::Play,
    }
}

pub fn script(choices: &mut Choices<'_>) -> Script {
    let mut case = case(choices);
    case.playback.phase = place(choices, &case);
    let (speed, armed) = (speed(choices), choices.weighted(&[4, 1]) == 1);
    let count = choices.between(1, 11);
    let ops = (0..count).map(|_| op(choices, &case)).collect();
    Script { case, speed, armed, ops }
}

/// Shares of a step, to [`cut`](crate::cut) it at.
pub fn shares(choices: &mut Choices<'_>) -> Vec<u16> {
    let count = choices.below(8);
    let mut share = || match choices.weighted(&[1, 3]) {
        0 => *choices.pick(&[0, 16_384, 32_768, 65_535]),
        _ => choices.below(1 << 16) as u16,
    };
    (0..count).map(|_| share()).collect()
}
