//! `tween`: a value between two others. It has no events.

use tween::{Linear, Looper, Oscillator, Tweener};

use crate::{Clip, Controller, Mode};

enum Kind {
    Once(Tweener<f32, f32, Linear>),
    Loop(Tweener<f32, f32, Looper<Linear>>),
    PingPong(Tweener<f32, f32, Oscillator<Linear>>),
}

pub struct Tween {
    kind: Kind,
    /// It has no speed of its own.
    speed: f32,
    is_paused: bool,
    local_s: f32,
}

impl Tween {
    pub fn new(clip: &Clip) -> Tween {
        let (length, start) = (clip.length_s, clip.start_s);
        let kind = match clip.mode {
            Mode::Once => Kind::Once(Tweener::new_at(0.0, length, length, Linear, start)),
            Mode::Loop => Kind::Loop(Tweener::new_at(0.0, length, length, Looper::new(Linear), start)),
            Mode::PingPong => Kind::PingPong(Tweener::new_at(0.0, length, length, Oscillator::new(Linear), start)),
        };
        Tween { kind, speed: clip.speed, is_paused: false, local_s: start }
    }
}

impl Controller for Tween {
    fn step(&mut self, step_s: f32) -> Vec<usize> {
        let by = if self.is_paused { 0.0 } else { step_s * self.speed };
        self.local_s = match &mut self.kind {
            Kind::Once(tweener) => tweener.move_by(by),
            Kind::Loop(tweener) => tweener.move_by(by),
            Kind::PingPong(tweener) => tweener.move_by(by),
        };
        Vec::new()
    }

    fn set_speed(&mut self, speed: f32) {
        self.speed = speed;
    }

    fn seek(&mut self, to_s: f32) {
        self.local_s = match &mut self.kind {
            Kind::Once(tweener) => tweener.move_to(to_s),
            Kind::Loop(tweener) => tweener.move_to(to_s),
            Kind::PingPong(tweener) => tweener.move_to(to_s),
        };
    }

    fn set_paused(&mut self, is_paused: bool) {
        self.is_paused = is_paused;
    }

    fn local_s(&self) -> f32 {
        self.local_s
    }
}
