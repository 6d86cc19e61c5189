//! `kind = "hemisphere"`.

use super::LightKind;
use crate::scene::fields::{Case, case};
use crate::scene::key::{Key, color};
use crate::scene::schema::NUMBER_MAX;

const UP: Key<[f32; 3]> = color(
    "up",
    &[1.0, 1.0, 1.0],
    NUMBER_MAX,
    "Luminance of the upper half of the surroundings, nits. A white matte surface that faces up shows it.",
)
.moves();
const DOWN: Key<[f32; 3]> =
    color("down", &[0.2, 0.2, 0.2], NUMBER_MAX, "Luminance of the lower half of the surroundings, nits.").moves();

pub(super) const CASE: Case<LightKind> = case!(LightKind::Hemisphere, "hemisphere", "Soft light without shadows and highlights from two halves: above and below. Several add up.", { up: UP, down: DOWN });
