//! Draw: scripts with a bias to where clocks go wrong. Lengths of 0, 1, 2, 3 and 7 ticks, steps that are whole lengths,
//! events at both ends, starts before the window, steps of no time.
//!
//! Everything is drawn within a [`Profile`]: what a controller lacks has no weight, and times are on the profile's
//! grid. The default profile takes the same choices as no profile.

use stillframe_anim::time::{Event, Mode, Playback, Position, Repeat, Speed};
use stillframe_base::tick::Tick;

use crate::profile::{ModeKind, OpKind, Profile, SPEED_MAX, Speeds, Start};
use crate::script::position;
use crate::{Case, Choices, Op, SUB, Script};

/// Lengths in ticks: degenerate ones, small ones, a second and the like, long ones.
pub fn length(choices: &mut Choices<'_>) -> i64 {
    length_within(choices, &Profile::default())
}

fn length_within(choices: &mut Choices<'_>, profile: &Profile) -> i64 {
    let unit = profile.unit_ticks();
    let length = match choices.weighted(&[4, 2, 1, 1]) {
        0 => choices.pick(&[0, 1, 2, 3, 7]) * unit,
        1 => choices.between(1, 59) * unit,
        2 => profile.ticks(*choices.pick(&[705_600_000, 940_800_000, 11_760_000])),
        _ => profile.ticks(choices.between(1, (1 << 40) - 1)),
    };
    let [shortest, longest] = profile.drawn.length_ticks;
    // Both ends on the grid.
    let shortest = shortest / unit * unit + if shortest % unit > 0 { unit } else { 0 };
    length.min(profile.ticks(longest)).max(shortest)
}

/// The weight of what a profile may leave away.
fn if_any(is_there: bool, weight: u64) -> u64 {
    if is_there { weight } else { 0 }
}

pub fn mode(choices: &mut Choices<'_>) -> Mode {
    mode_within(choices, &Profile::default())
}

fn mode_within(choices: &mut Choices<'_>, profile: &Profile) -> Mode {
    let repeat = |choices: &mut Choices<'_>| match choices.weighted(&[2, if_any(profile.drawn.repeats, 1)]) {
        0 => Repeat::Forever,
        _ => Repeat::Times(choices.between(1, 4) as u32),
    };
    let weight = |kind, weight| if_any(profile.drawn.modes.contains(&kind), weight);
    let weights = [
        weight(ModeKind::Clamp, 2),
        weight(ModeKind::Once, 1),
        weight(ModeKind::Loop, 4),
        weight(ModeKind::PingPong, 4),
    ];
    match choices.weighted(&weights) {
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
        _ => Speed::raw(choices.between(-SPEED_MAX * sub, SPEED_MAX * sub - 1)),
    }
}

fn speed_within(choices: &mut Choices<'_>, profile: &Profile) -> Speed {
    match profile.drawn.speeds {
        Speeds::Any => speed(choices),
        Speeds::Forward => Speed::raw(speed(choices).sub_ticks_per_tick.abs()),
        Speeds::One => Speed::ONE,
    }
}

/// Moments and spans around a window: at its ends, inside, and a little outside.
fn events(choices: &mut Choices<'_>, min: i64, length: i64, profile: &Profile) -> Vec<Event> {
    let unit = profile.unit_ticks();
    let time = |choices: &mut Choices<'_>| match choices.weighted(&[2, 2, 4, if_any(profile.drawn.windows, 1)]) {
        0 => min,
        1 => min + length,
        2 => min + profile.ticks(choices.between(0, length)),
        _ => min + profile.ticks(choices.between(-3 * unit, length + 3 * unit)),
    };
    let count = if profile.drawn.events { choices.below(5) } else { 0 };
    let mut events: Vec<Event> = (0..count)
        .map(|_| {
            let (a, is_span) = (time(choices), choices.weighted(&[7, if_any(profile.drawn.spans, 3)]) == 1);
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
    case_within(choices, mode, &Profile::default())
}

fn case_within(choices: &mut Choices<'_>, mode: Mode, profile: &Profile) -> Case {
    let (length, unit) = (length_within(choices, profile), profile.unit_ticks());
    let windows = profile.drawn.windows;
    let far = profile.drawn.length_ticks[1].min((1 << 40) - 1);
    let min = match choices.weighted(&[6, if_any(windows, 1), if_any(windows, 1)]) {
        0 => 0,
        1 => choices.between(-5, 5) * unit,
        _ => profile.ticks(choices.between(-far - 1, far)),
    };
    let reverse = choices.weighted(&[3, if_any(profile.drawn.reverse, 1)]) == 1;
    let at_end = *choices.pick(&profile.drawn.at_end);
    let playback = Playback { reverse, at_end, ..Playback::new(Tick(min), Tick(min + length), mode) };
    Case { playback, events: events(choices, min, length, profile) }
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
    step_within(choices, case, &Profile::default())
}

fn step_within(choices: &mut Choices<'_>, case: &Case, profile: &Profile) -> i64 {
    let (min, length) = (case.playback.min.0, case.length());
    let step = match choices.weighted(&[1, 3, 3, 2, 2, 1]) {
        0 => 0,
        1 => choices.between(1, 11) * profile.unit_ticks(),
        2 => choices.between(1, 4) * length,
        3 => {
            let index = choices.below(case.events.len() as u64 + 1) as usize;
            let way = case.events.get(index).map_or(0, |event| (event.begin.0 - min).abs());
            way + choices.between(0, 2) * length
        }
        4 => profile.ticks(choices.between(0, 3 * length + 5)),
        _ => profile.ticks(length / choices.between(1, 5)),
    };
    let longest = profile.step_max(case);
    if step > longest { profile.ticks(choices.between(0, longest)) } else { step }
}

fn op(choices: &mut Choices<'_>, script: &Script, profile: &Profile) -> Op {
    let (case, drawn) = (&script.case, &profile.drawn);
    let weight = |kind, weight| if_any(drawn.operations.contains(&kind), weight);
    let place = |choices: &mut Choices<'_>| {
        let place = place(choices, case).sub_ticks();
        position(profile.place(script, place))
    };
    let weights = [
        weight(OpKind::Step, 20),
        if_any(drawn.speeds != Speeds::One, weight(OpKind::Speed, 4)),
        weight(OpKind::Seek, 2),
        weight(OpKind::Pause, 2),
        weight(OpKind::Scrub, 2),
        weight(OpKind::Until, 1),
        weight(OpKind::Leap, 1),
        if_any(drawn.start != Start::Silent, weight(OpKind::Play, 1)),
    ];
    match choices.weighted(&weights) {
        0 => Op::Step(step_within(choices, case, profile)),
        1 => Op::Speed(speed_within(choices, profile)),
        2 => Op::Seek(place(choices)),
        3 => Op::Pause(choices.below(2) == 1),
        4 => Op::Scrub(place(choices)),
        5 => {
            let step = step_within(choices, case, profile);
            match choices.below(case.events.len().max(1) as u64) as u32 {
                // Nothing to be cut at.
                _ if case.events.is_empty() => Op::Step(step),
                event => Op::Until(step, event),
            }
        }
        6 => Op::Leap(step_within(choices, case, profile)),
        _ => Op::Play,
    }
}

/// A script of anything that the model can do.
pub fn script(choices: &mut Choices<'_>) -> Script {
    script_within(choices, &Profile::default())
}

/// A script of what a profile has. A profile that is not [valid](Profile::validate) is a bug and asserts.
pub fn script_within(choices: &mut Choices<'_>, profile: &Profile) -> Script {
    let mode = mode_within(choices, profile);
    let mut script = Script { case: case_within(choices, mode, profile), ..Script::default() };
    let phase = place(choices, &script.case).sub_ticks();
    script.case.playback.phase = position(profile.place(&script, phase));
    script.speed = speed_within(choices, profile);
    script.armed = match profile.drawn.start {
        Start::Any => choices.weighted(&[4, 1]) == 1,
        Start::Fires => true,
        Start::Silent => false,
    };
    let count = choices.between(1, 11);
    script.ops = (0..count).map(|_| op(choices, &script, profile)).collect();
    script
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
