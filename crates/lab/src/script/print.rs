//! Print: a script as the text that reads back as the same script. Ticks throughout, fractions of a tick as 65536ths.

use std::fmt::Write;

use stillframe_anim::time::{AtEnd, Mode, Repeat, Speed};
use stillframe_oracle::{Op, SUB, Script};

/// The text of a script. Events are called by their number, as those without a name are.
pub fn print(script: &Script) -> String {
    let playback = script.case.playback;
    let (start, end) = script.case.clip();
    let mut out = String::from("[clip]\n");
    if start.0 != 0 {
        let _ = writeln!(out, "start_ticks = {}", start.0);
    }
    let _ = writeln!(out, "length_ticks = {}", sub_ticks((i128::from(end.0) - i128::from(start.0)) * SUB));
    if !script.case.events.is_empty() {
        out.push_str("events = [\n");
        for event in &script.case.events {
            let _ = match event.is_point() {
                true => writeln!(out, "  {{ at_ticks = {} }},", event.begin.0),
                false => writeln!(out, "  {{ from_ticks = {}, to_ticks = {} }},", event.begin.0, event.end.0),
            };
        }
        out.push_str("]\n");
    }
    let (mode, repeat) = match playback.mode {
        Mode::Once => ("once", Repeat::Forever),
        Mode::Clamp => ("clamp", Repeat::Forever),
        Mode::Loop(repeat) => ("loop", repeat),
        Mode::PingPong(repeat) => ("ping-pong", repeat),
    };
    let _ = write!(out, "\n[playback]\nmode = \"{mode}\"\n");
    if let Repeat::Times(times) = repeat {
        let _ = writeln!(out, "repeat = {times}");
    }
    if (start, end) != (playback.min, playback.max) {
        let _ = writeln!(out, "window_ticks = [{}, {}]", playback.min.0, playback.max.0);
    }
    if playback.reverse {
        out.push_str("reverse = true\n");
    }
    if playback.at_end == AtEnd::RunOn {
        out.push_str("at_end = \"run-on\"\n");
    }
    if playback.phase.sub_ticks() != i128::from(playback.min.0) * SUB {
        let _ = writeln!(out, "phase_ticks = {}", sub_ticks(playback.phase.sub_ticks()));
    }
    if script.speed != Speed::ONE {
        let _ = writeln!(out, "speed = {}", speed(script.speed));
    }
    if !script.armed {
        out.push_str("armed = false\n");
    }
    out.push_str("\n[run]\nsteps = [\n");
    for step in &script.ops {
        let _ = writeln!(out, "  {},", op(step));
    }
    out.push_str("]\n");
    out
}

fn op(op: &Op) -> String {
    match op {
        Op::Step(step) => format!("{{ step_ticks = {step} }}"),
        Op::Until(step, event) => format!("{{ step_ticks = {step}, until = \"#{event}\" }}"),
        Op::Leap(step) => format!("{{ leap_ticks = {step} }}"),
        Op::Speed(to) => format!("{{ speed = {} }}", speed(*to)),
        Op::Seek(place) => format!("{{ seek_ticks = {} }}", sub_ticks(place.sub_ticks())),
        Op::Scrub(place) => format!("{{ scrub_ticks = {} }}", sub_ticks(place.sub_ticks())),
        Op::Pause(true) => "\"pause\"".into(),
        Op::Pause(false) => "\"resume\"".into(),
        Op::Play => "\"play\"".into(),
    }
}

/// A number of ticks.
pub(super) fn sub_ticks(sub_ticks: i128) -> String {
    match (sub_ticks % SUB, i64::try_from(sub_ticks / SUB)) {
        (0, Ok(ticks)) => ticks.to_string(),
        _ => format!("\"{sub_ticks}/{SUB}\""),
    }
}

fn speed(speed: Speed) -> String {
    sub_ticks(i128::from(speed.sub_ticks_per_tick))
}
