//! Light prepass: what light needs of surfaces is stored first, light is added up, and surfaces are drawn in it (Engel
//! 2008). Then comes what sums do not hold, as forward.

use super::super::drawing::{Drawing, Opaque};
use super::super::{gbuffer, sums};
use super::forward;
use crate::frame::Planner;
use crate::material::Gbuffer;

pub fn declare(drawing: &Drawing<'_>, planner: &mut Planner) {
    let Some(kind) = drawing.wish.lit[drawing.camera.0].sums else {
        // Nothing shines.
        forward::declare(drawing, planner);
        return;
    };
    let (stored, depth) = gbuffer::declare(drawing, Gbuffer::Shape, planner);
    sums::declare(drawing, kind, (&stored, depth), planner);
    drawing.scene(Opaque::Stored(depth, Gbuffer::Shape), &[], planner);
}
