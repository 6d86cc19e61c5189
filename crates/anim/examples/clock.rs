//! Prints what a walk cycle's clock tells: two steps of the feet, a hand that swings, at uneven frames and then
//! backward. `cargo run -p stillframe-anim --example clock`.

use std::ops::ControlFlow;

use stillframe_anim::time::{Controller, Event, Mode, Playback, Repeat, Signal, Speed, TimeError, Timeline, Track};
use stillframe_base::tick::Tick;

const NAMES: [&str; 3] = ["left foot", "hand", "right foot"];

fn main() -> Result<(), TimeError> {
    let second = Tick::from_seconds(1.0);
    let events = vec![
        Event::share(0, 2, Tick::ZERO, second),
        Event::span(Tick::from_seconds(0.25), Tick::from_seconds(0.75)),
        Event::share(1, 2, Tick::ZERO, second),
    ];
    let track = Track::new(Tick::ZERO, second, events)?;
    let walk = Timeline::new(Playback::new(Tick::ZERO, second, Mode::Loop(Repeat::Forever)), &track)?;
    let mut controller = Controller::play(&walk);
    for (frame, seconds) in [0.1, 0.016, 1.7, 0.0, 0.3].into_iter().enumerate() {
        controller.speed = if frame < 3 { Speed::ONE } else { Speed::whole(-2) };
        let mut lines = Vec::new();
        controller.advance(&walk, Tick::from_seconds(seconds), |fired| {
            let what = match fired.signal {
                Signal::Point(event) => NAMES[event as usize].to_string(),
                Signal::Enter(event) => format!("{} begins", NAMES[event as usize]),
                Signal::Leave(event) => format!("{} ends", NAMES[event as usize]),
                Signal::Lap => "a loop is over".to_string(),
                Signal::Finish => "the end".to_string(),
            };
            lines.push(format!("  {:6.3} s  {what}", fired.at.tick().seconds()));
            ControlFlow::Continue(())
        })?;
        println!("frame {frame}: {seconds} s, local time {:.3} s", controller.local(&walk).tick().seconds());
        lines.iter().for_each(|line| println!("{line}"));
    }
    Ok(())
}
