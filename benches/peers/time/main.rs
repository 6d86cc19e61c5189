//! Time controllers of others, as players for `stillframe fuzz time --player 'time-peers NAME' --profile FILE`.
//!
//! Each is driven as its documentation says, in `f32` seconds. What it lacks is left to the profile.

mod bevy;
mod fyrox;
mod tween;

use serde_json::{Value, json};

/// What is played.
pub struct Clip {
    pub length_s: f32,
    /// Moments, in their order.
    pub events_s: Vec<f32>,
    pub mode: Mode,
    pub speed: f32,
    pub start_s: f32,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Mode {
    Once,
    Loop,
    PingPong,
}

/// A controller of somebody's.
pub trait Controller {
    /// Lets time pass. The indices of the events that fired, in order.
    fn step(&mut self, step_s: f32) -> Vec<usize>;
    fn set_speed(&mut self, speed: f32);
    fn seek(&mut self, to_s: f32);
    fn set_paused(&mut self, is_paused: bool);
    /// Time in the clip.
    fn local_s(&self) -> f32;
}

fn seconds(value: &Value) -> f32 {
    value.as_f64().expect("a time in seconds: `time = \"seconds\"` in the profile") as f32
}

fn clip(line: &Value) -> Clip {
    let events = line["event_s"].as_array().expect("a list of events");
    Clip {
        length_s: seconds(&line["window_s"][1]),
        events_s: events.iter().map(|pair| seconds(&pair[0])).collect(),
        mode: match line["mode"].as_str() {
            Some("loop") => Mode::Loop,
            Some("ping-pong") => Mode::PingPong,
            _ => Mode::Once,
        },
        speed: seconds(&line["speed"]),
        start_s: seconds(&line["phase_s"]),
    }
}

fn start(name: &str, clip: &Clip) -> Box<dyn Controller> {
    match name {
        "bevy" => Box::new(bevy::Bevy::new(clip)),
        "fyrox" => Box::new(fyrox::Fyrox::new(clip)),
        "tween" => Box::new(tween::Tween::new(clip)),
        _ => panic!("`{name}` is not a player: name bevy, fyrox or tween"),
    }
}

fn main() {
    let name = std::env::args().nth(1).expect("the name of a player: bevy, fyrox or tween");
    let mut player: Option<Box<dyn Controller>> = None;
    for line in std::io::stdin().lines() {
        let line: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        let word = line["do"].as_str().expect("what to do");
        if word == "script" {
            player = Some(start(&name, &clip(&line)));
            continue;
        }
        let player = player.as_mut().expect("a script before its steps");
        let mut events = Vec::new();
        match word {
            "step" => events = player.step(seconds(&line["step_s"])),
            "speed" => player.set_speed(seconds(&line["speed"])),
            "seek" => player.seek(seconds(&line["seek_s"])),
            "pause" | "resume" => player.set_paused(word == "pause"),
            _ => panic!("`{word}` is not in the profiles of these players"),
        }
        let events: Vec<Value> =
            events.iter().map(|index| json!({ "signal": "point", "event": format!("#{index}") })).collect();
        println!("{}", json!({ "step": line["step"], "local_s": player.local_s(), "events": events }));
    }
}
