//! Multipass: every item is shaded by a few lights at a time, and light is added up between (Diefenbach 1996). Then
//! comes what shines by itself, as forward.

use super::super::drawing::{Drawing, Opaque};
use super::super::{prepass, rounds};
use super::forward;
use crate::frame::Planner;

pub fn declare(drawing: &Drawing<'_>, planner: &mut Planner) {
    let lights = drawing.wish.job.looks[drawing.camera.0].shot.lights.len() as u32;
    let count = lights.div_ceil(drawing.wish.job.options.lights_per_draw);
    if count < 2 {
        forward::declare(drawing, planner);
        return;
    }
    let depth = prepass::declare(drawing, planner);
    rounds::declare(drawing, count, depth, planner);
    drawing.scene(Opaque::Rounds(depth), &[], planner);
}
