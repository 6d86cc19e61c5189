//! `window` and `cone`: how the light of a lamp ends, far away and off its axis.

use crate::scene::key::{Key, choice};
use crate::scene::word::Word;

/// How a lamp's light fades towards its range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Window {
    /// 1/d^2 times sat(1 - (d/r)^4): KHR_lights_punctual.
    #[default]
    Gltf,
    /// 1/d^2 times the square of that: Karis 2013.
    Smooth,
    /// sat(1 - d/r) without 1/d^2.
    Linear,
}

impl Word for Window {
    const WORDS: &'static [(&'static str, Window)] =
        &[("gltf", Window::Gltf), ("smooth", Window::Smooth), ("linear", Window::Linear)];
}

/// How the light of a spot fades between its two angles, by the share s of the way between their cosines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rim {
    /// s^2: KHR_lights_punctual.
    #[default]
    Gltf,
    /// s^falloff.
    Book,
}

impl Word for Rim {
    const WORDS: &'static [(&'static str, Rim)] = &[("gltf", Rim::Gltf), ("book", Rim::Book)];
}

pub(super) const WINDOW: Key<Window> = choice(
    "window",
    "gltf",
    "How the light ends at its range r: `gltf` times sat(1 - (d/r)^4), `smooth` times the square of that, or `linear`: sat(1 - d/r) instead of 1/d^2, as many engines have it; `intensity_cd` then is the illuminance in lux at the light.",
);
