//! A looping clock for `stillframe fuzz time --player`, with `time_player.toml` as its profile. Times are ticks or
//! seconds. A last argument plants a mistake: `one-wrap`, `seam`, `reversed`, `drift` or `pause`.
use serde_json::{Value, json};

#[derive(Default)]
struct Clock {
    length: f64,
    /// Of events, and last the end of the loop, where the lap is.
    places: Vec<f64>,
    speed: f64,
    is_paused: bool,
    position: f64,
}

/// `stem_s`, or `stem_ticks` with 65536ths in `stem_sub`.
fn time(line: &Value, stem: &str) -> f64 {
    let number = |unit: &str| line[format!("{stem}_{unit}")].as_f64();
    number("s").or(number("ticks")).unwrap_or(0.0) + number("sub").unwrap_or(0.0) / 65536.0
}

fn with(mut line: Value, stem: &str, time: f64) -> Value {
    line[format!("{stem}_s")] = json!(time);
    line[format!("{stem}_ticks")] = json!(time.floor());
    line[format!("{stem}_sub")] = json!(time.rem_euclid(1.0) * 65536.0);
    line
}

fn clock(line: &Value) -> Clock {
    let unit = if line["window_ticks"].is_null() { "s" } else { "ticks" };
    let length = line[format!("window_{unit}")][1].as_f64().expect("a time");
    let events = line[format!("event_{unit}")].as_array().expect("a list").iter();
    let places = events.map(|pair| pair[0].as_f64().expect("a time")).chain([length]).collect();
    let speed = line["speed"].as_f64().unwrap_or(time(line, "speed"));
    Clock { length, places, speed, is_paused: false, position: time(line, "phase") }
}

/// Moves, and lists what fires: forward in (from, to], backward in [to, from), the lap after a pass's last events.
fn advance(clock: &mut Clock, step: f64, mistake: &str) -> Vec<Value> {
    let (from, way) = (clock.position, step * clock.speed * if mistake == "drift" { 1.001 } else { 1.0 });
    clock.position += way;
    let Clock { length, ref places, position: to, .. } = *clock;
    let (first, mut last) = ((from.min(to) / length).floor() as i64 - 1, (from.max(to) / length).floor() as i64);
    last = if mistake == "one-wrap" { last.min(first + 2) } else { last };
    let mut fired: Vec<(f64, i64, usize)> = Vec::new();
    for pass in first..=last {
        let all = places.iter().enumerate().map(|(index, at)| (pass as f64 * length + at, pass, index));
        fired.extend(all.filter(|(at, ..)| if way > 0.0 { from < *at && *at <= to } else { to <= *at && *at < from }));
    }
    let is_lap = |index: usize| index + 1 == places.len();
    fired.retain(|(.., index)| mistake != "seam" || is_lap(*index) || places[*index] != length);
    fired.sort_by(|a, b| a.partial_cmp(b).expect("no time is NaN"));
    if (way < 0.0) != (mistake == "reversed") {
        fired.reverse();
    }
    let tell = |(at, _, index): (f64, i64, usize)| {
        let signal = if is_lap(index) { "lap" } else { "point" };
        with(json!({ "signal": signal, "event": format!("#{index}") }), "at", at)
    };
    fired.into_iter().map(tell).collect()
}

pub fn main() {
    let (mistake, mut own) = (std::env::args().next_back().unwrap_or_default(), Clock::default());
    for line in std::io::stdin().lines() {
        let line: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        let mut events = Vec::new();
        match line["do"].as_str() {
            Some("step") if own.is_paused && mistake != "pause" => {}
            Some("step") => events = advance(&mut own, time(&line, "step"), &mistake),
            Some("speed") => own.speed = line["speed"].as_f64().unwrap_or(time(&line, "speed")),
            Some("seek") => own.position = time(&line, "seek"),
            Some(word @ ("pause" | "resume")) => own.is_paused = word == "pause",
            _ => own = clock(&line),
        }
        let answer = with(json!({ "step": line["step"], "events": events }), "position", own.position);
        if line["do"] != "script" {
            println!("{}", with(answer, "local", own.position.rem_euclid(own.length)));
        }
    }
}
