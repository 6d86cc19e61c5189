//! Fyrox: `Animation::tick`, with signals as events.

use fyrox_animation::core::pool::Handle;
use fyrox_animation::core::uuid::Uuid;
use fyrox_animation::{Animation, AnimationSignal};

use crate::{Clip, Controller, Mode};

pub struct Fyrox {
    animation: Animation<Handle<()>>,
}

impl Fyrox {
    pub fn new(clip: &Clip) -> Fyrox {
        let mut animation = Animation::default();
        animation.set_time_slice(0.0..clip.length_s);
        animation.set_loop(clip.mode == Mode::Loop).set_speed(clip.speed).set_time_position(clip.start_s);
        for (index, time_s) in clip.events_s.iter().enumerate() {
            animation.add_signal(AnimationSignal::new(Uuid::from_u128(index as u128), "", *time_s));
        }
        Fyrox { animation }
    }
}

impl Controller for Fyrox {
    fn step(&mut self, step_s: f32) -> Vec<usize> {
        // The engine's container ticks those that are enabled.
        if self.animation.is_enabled() {
            self.animation.tick(step_s);
        }
        self.animation.take_events().iter().map(|event| event.signal_id.as_u128() as usize).collect()
    }

    fn set_speed(&mut self, speed: f32) {
        self.animation.set_speed(speed);
    }

    fn seek(&mut self, to_s: f32) {
        self.animation.set_time_position(to_s);
    }

    fn set_paused(&mut self, is_paused: bool) {
        self.animation.set_enabled(!is_paused);
    }

    fn local_s(&self) -> f32 {
        self.animation.time_position()
    }
}
