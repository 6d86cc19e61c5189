//! Multipass: every item is shaded by a few lights at a time, and light is added up between (Diefenbach 1996). What
//! shines by itself is drawn forward, before.

use super::super::drawing::Drawing;
use super::super::{prepass, rounds};
use super::forward;
use crate::frame::Planner;
use crate::material::Kept;

pub fn declare(drawing: &Drawing<'_>, planner: &mut Planner) {
    let lights = drawing.wish.job.looks[drawing.camera.0].shot.lights.len() as u32;
    let count = lights.div_ceil(drawing.wish.job.options.lights_per_draw);
    if count < 2 {
        forward::declare(drawing, planner);
        return;
    }
    let depth = prepass::declare(drawing, planner);
    let (over, shaded) = drawing.left(Kept::Light, depth, &[], planner);
    rounds::declare(&over, count, depth, planner);
    over.scene(shaded, &[], planner);
}
