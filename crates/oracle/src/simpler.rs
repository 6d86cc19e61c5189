//! Simpler: making a script small while it stays a finding.
//!
//! Source: Zeller and Hildebrandt 2002 (ddmin), on operations and events instead of bytes; then each number towards 0.

use stillframe_anim::time::{AtEnd, Event, Mode, Position, Repeat, Speed};
use stillframe_base::tick::Tick;

use crate::profile::Profile;
use crate::script::position;
use crate::{Op, SUB, Script};

/// The simplest script found that `still` holds for; `script` itself must. `still` is asked at most `tries_max` times.
pub fn shrink(script: &Script, tries_max: usize, still: impl FnMut(&Script) -> bool) -> Script {
    shrink_within(script, &Profile::default(), tries_max, still)
}

/// As [`shrink`], by scripts that a profile [holds](Profile::holds) only, if it holds `script`.
pub fn shrink_within(
    script: &Script,
    profile: &Profile,
    tries_max: usize,
    mut still: impl FnMut(&Script) -> bool,
) -> Script {
    let simpler = |script: &Script| simpler_within(script, profile);
    let mut best = script.clone();
    let mut tries_left = tries_max;
    loop {
        let before = best.clone();
        // Every kind of change once a round: one that always works a little must not use up all tries.
        let (mut index, mut candidates) = (0, simpler(&best));
        while let Some(candidate) = candidates.get(index) {
            if tries_left == 0 {
                return best;
            }
            tries_left -= 1;
            if still(candidate) {
                best = candidate.clone();
                candidates = simpler(&best);
            }
            index += 1;
        }
        if best == before {
            return best;
        }
    }
}

/// As [`simpler`], on the grid of a profile and with what it has.
fn simpler_within(script: &Script, profile: &Profile) -> Vec<Script> {
    let unit = profile.unit_ticks();
    if !profile.holds(script) {
        return simpler(script);
    }
    // Made simpler in units of the grid, so that what is halved stays on it.
    let mut list = simpler(&in_units(script, |number| number / i128::from(unit)));
    for script in &mut list {
        *script = in_units(script, |number| number * i128::from(unit));
    }
    list.retain(|script| profile.holds(script));
    list
}

/// Changes every time of a script.
fn in_units(script: &Script, change: impl Fn(i128) -> i128) -> Script {
    let mut script = script.clone();
    let ticks = |tick: Tick| Tick(change(i128::from(tick.0)) as i64);
    let playback = &mut script.case.playback;
    (playback.min, playback.max) = (ticks(playback.min), ticks(playback.max));
    for event in &mut script.case.events {
        *event = Event::span(ticks(event.begin), ticks(event.end));
    }
    for op in &mut script.ops {
        if let Op::Step(step) | Op::Until(step, _) | Op::Leap(step) = op {
            *step = change(i128::from(*step)) as i64;
        }
    }
    each_place(&mut script, &change);
    script
}

/// Scripts that are a little simpler, those first that leave most away. Following them from script to script ends.
pub fn simpler(script: &Script) -> Vec<Script> {
    let mut out = Vec::new();
    let mut add = |change: &dyn Fn(&mut Script)| {
        let mut candidate = script.clone();
        change(&mut candidate);
        if candidate != *script && candidate.case.try_timeline().is_ok() {
            out.push(candidate);
        }
    };
    let mut size = script.ops.len();
    while size > 0 {
        for at in (0..script.ops.len()).step_by(size).rev() {
            let end = (at + size).min(script.ops.len());
            add(&|candidate| drop(candidate.ops.drain(at..end)));
        }
        size /= 2;
    }
    if let Some(Op::Speed(speed)) = script.ops.first() {
        add(&|candidate| {
            candidate.speed = *speed;
            candidate.ops.remove(0);
        });
    }
    for index in (0..script.case.events.len()).rev() {
        add(&|candidate| without_event(candidate, index));
    }
    add(&|candidate| candidate.case.playback.reverse = false);
    add(&|candidate| candidate.armed = false);
    add(&|candidate| candidate.case.playback.at_end = AtEnd::Stop);
    for mode in simpler_modes(script.case.playback.mode) {
        add(&|candidate| candidate.case.playback.mode = mode);
    }
    for speed in simpler_speeds(script.speed) {
        add(&|candidate| candidate.speed = speed);
    }
    if !is_near(script) {
        return out;
    }
    let min = script.case.playback.min;
    add(&|candidate| shift(candidate, -min.0));
    let start = i128::from(min.0) * SUB;
    for way in nearer(script.case.playback.phase.sub_ticks() - start) {
        add(&|candidate| candidate.case.playback.phase = position(start + way));
    }
    for length in nearer(i128::from(script.case.length())).filter(|length| *length >= 0) {
        add(&|candidate| candidate.case.playback.max = Tick(min.0 + length as i64));
        // The same proportions, and the same loops with what comes after their starts.
        add(&|candidate| scale(candidate, length));
        add(&|candidate| refold(candidate, length));
    }
    for (index, event) in script.case.events.iter().enumerate() {
        if !event.is_point() {
            add(&|candidate| candidate.case.events[index] = Event::point(event.begin));
            add(&|candidate| candidate.case.events[index] = Event::point(event.end));
        }
        for tick in nearer(i128::from(event.begin.0)) {
            let (begin, length) = (Tick(tick as i64), event.end.0 - event.begin.0);
            add(&|candidate| candidate.case.events[index] = Event::span(begin, Tick(begin.0 + length)));
            add(&|candidate| with_its_places(candidate, index, begin));
        }
    }
    for (index, op) in script.ops.iter().enumerate() {
        for op in simpler_ops(*op) {
            add(&|candidate| candidate.ops[index] = op);
        }
    }
    out
}

/// Whether sums of two of its numbers stay far from every limit.
fn is_near(script: &Script) -> bool {
    const FAR: u64 = 1 << 60;
    let near = |place: Position| place.sub_ticks().unsigned_abs() < u128::from(FAR) << 16;
    let (start, end) = script.case.clip();
    let ends = [start, end].iter().all(|tick| tick.0.unsigned_abs() < FAR);
    let places = script.ops.iter().all(|op| !matches!(op, Op::Seek(place) | Op::Scrub(place) if !near(*place)));
    ends && places && near(script.case.playback.phase)
}

/// Numbers nearer to 0: 0 itself, whole ticks, then by halves of the way to 0 up to the next number.
fn nearer(number: i128) -> impl Iterator<Item = i128> {
    let parts = (1..127).map(move |shift| number >> shift).take_while(|part| *part != 0 && *part != -1);
    let all = [0, number / SUB * SUB].into_iter().chain(parts.map(move |part| number - part));
    all.chain([number - number.signum()]).filter(move |other| other.abs() < number.abs())
}

fn simpler_speeds(speed: Speed) -> Vec<Speed> {
    let raw = speed.sub_ticks_per_tick;
    let one = SUB as i64;
    let all = [one, -one, raw / 2, raw - raw.signum()];
    // 1 is simpler than -1, and that than all others but smaller ones.
    let rank = |raw: i64| {
        if raw == one {
            0
        } else if raw == -one {
            1
        } else {
            2 + raw.unsigned_abs()
        }
    };
    all.into_iter().filter(|other| rank(*other) < rank(raw)).map(Speed::raw).collect()
}

fn simpler_modes(mode: Mode) -> Vec<Mode> {
    match mode {
        Mode::Clamp => vec![],
        Mode::Once | Mode::Loop(Repeat::Forever) => vec![Mode::Clamp],
        Mode::Loop(Repeat::Times(times)) => vec![Mode::Clamp, Mode::Loop(Repeat::Times(times.max(2) - 1))],
        Mode::PingPong(Repeat::Forever) => vec![Mode::Clamp, Mode::Loop(Repeat::Forever)],
        Mode::PingPong(Repeat::Times(times)) => {
            vec![Mode::Clamp, Mode::Loop(Repeat::Times(times)), Mode::PingPong(Repeat::Times(times.max(2) - 1))]
        }
    }
}

fn simpler_ops(op: Op) -> Vec<Op> {
    let steps = |step: i64| nearer(i128::from(step)).map(|step| step as i64);
    match op {
        Op::Step(step) => steps(step).map(Op::Step).collect(),
        Op::Until(step, event) => {
            std::iter::once(Op::Step(step)).chain(steps(step).map(|s| Op::Until(s, event))).collect()
        }
        Op::Leap(step) => std::iter::once(Op::Step(step)).chain(steps(step).map(Op::Leap)).collect(),
        Op::Speed(speed) => simpler_speeds(speed).into_iter().map(Op::Speed).collect(),
        Op::Seek(place) => nearer(place.sub_ticks()).map(|place| Op::Seek(position(place))).collect(),
        Op::Scrub(place) => nearer(place.sub_ticks()).map(|place| Op::Scrub(position(place))).collect(),
        Op::Pause(_) | Op::Play => vec![],
    }
}

/// Takes an event away; steps that were cut at it are steps then, those of later events follow their event.
fn without_event(script: &mut Script, index: usize) {
    script.case.events.remove(index);
    for op in &mut script.ops {
        if let Op::Until(step, event) = *op {
            *op = match (event as usize).cmp(&index) {
                std::cmp::Ordering::Less => Op::Until(step, event),
                std::cmp::Ordering::Equal => Op::Step(step),
                std::cmp::Ordering::Greater => Op::Until(step, event - 1),
            };
        }
    }
}

/// Moves everything in time.
fn shift(script: &mut Script, ticks: i64) {
    let playback = &mut script.case.playback;
    (playback.min, playback.max) = (Tick(playback.min.0 + ticks), Tick(playback.max.0 + ticks));
    for event in &mut script.case.events {
        *event = Event::span(Tick(event.begin.0 + ticks), Tick(event.end.0 + ticks));
    }
    each_place(script, |place| place + i128::from(ticks) * SUB);
}

/// Moves an event, and the places that lie at its begin in some loop.
fn with_its_places(script: &mut Script, index: usize, begin: Tick) {
    let Event { begin: old, end } = script.case.events[index];
    let (ticks, length) = (begin.0 - old.0, i128::from(script.case.length()) * SUB);
    script.case.events[index] = Event::span(begin, Tick(end.0 + ticks));
    each_place(script, |place| {
        let way = place - i128::from(old.0) * SUB;
        let is_there = way == 0 || length > 0 && way % length == 0;
        if is_there { place + i128::from(ticks) * SUB } else { place }
    });
}

/// Makes loops shorter and keeps how many of them places and steps are away, and how much more.
fn refold(script: &mut Script, length: i128) {
    let (min, old) = (i128::from(script.case.playback.min.0), i128::from(script.case.length()));
    let fold = |way: i128, unit: i128| way.div_euclid(old * unit) * length * unit + way.rem_euclid(old * unit);
    script.case.playback.max = Tick((min + length) as i64);
    each_place(script, |place| min * SUB + fold(place - min * SUB, SUB));
    // An end stays an end.
    for event in &mut script.case.events {
        let at = |tick: Tick| if i128::from(tick.0) == min + old { Tick((min + length) as i64) } else { tick };
        *event = Event::span(at(event.begin), at(event.end));
    }
    for op in &mut script.ops {
        if let Op::Step(step) | Op::Until(step, _) | Op::Leap(step) = op {
            *step = fold(i128::from(*step), 1) as i64;
        }
    }
}

/// Changes the phase and where seeks and scrubs lead.
fn each_place(script: &mut Script, change: impl Fn(i128) -> i128) {
    let phase = &mut script.case.playback.phase;
    *phase = position(change(phase.sub_ticks()));
    for op in &mut script.ops {
        if let Op::Seek(place) | Op::Scrub(place) = op {
            *place = position(change(place.sub_ticks()));
        }
    }
}

/// Makes everything as much shorter as the window's length becomes.
fn scale(script: &mut Script, length: i128) {
    let (min, old) = (i128::from(script.case.playback.min.0), i128::from(script.case.length()));
    let ticks = |tick: Tick| Tick((min + (i128::from(tick.0) - min) * length / old) as i64);
    script.case.playback.max = Tick((min + length) as i64);
    // Far places have no room for the product; those stay.
    let place = |place: i128| (place - min * SUB).checked_mul(length).map_or(place, |way| min * SUB + way / old);
    each_place(script, place);
    for event in &mut script.case.events {
        *event = Event::span(ticks(event.begin), ticks(event.end));
    }
    for op in &mut script.ops {
        if let Op::Step(step) | Op::Until(step, _) | Op::Leap(step) = op {
            *step = (i128::from(*step) * length / old) as i64;
        }
    }
}
