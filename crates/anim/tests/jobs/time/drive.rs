//! Driving: controllers at places, and what they say.

use std::ops::ControlFlow;

use stillframe_anim::time::{Controller, Speed, Timeline};
use stillframe_base::tick::Tick;
use stillframe_oracle::{Entry, position};

/// A controller at a place with a speed.
pub fn controller(place: i128, speed: Speed) -> Controller {
    Controller::at(position(place), speed)
}

/// Steps and collects.
pub fn advance(controller: &mut Controller, timeline: &Timeline, step: i64) -> Vec<Entry> {
    let mut log = Vec::new();
    controller
        .advance(timeline, Tick(step), |fired| {
            log.push((fired.at.sub_ticks(), fired.signal));
            ControlFlow::Continue(())
        })
        .expect("far from the limit");
    log
}
