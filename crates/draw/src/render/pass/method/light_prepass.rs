//! Light prepass: what light needs of surfaces is stored first, light is added up, and surfaces are drawn in it (Engel
//! 2008). What sums do not hold is drawn forward, before.

use super::super::drawing::Drawing;
use super::super::{gbuffer, sums};
use super::forward;
use crate::frame::Planner;
use crate::material::{Gbuffer, Kept};

pub fn declare(drawing: &Drawing<'_>, planner: &mut Planner) {
    let Some(kind) = drawing.wish.lit[drawing.camera.0].sums else {
        // Nothing shines.
        forward::declare(drawing, planner);
        return;
    };
    let (stored, depth) = gbuffer::declare(drawing, Gbuffer::Shape, planner);
    let (over, shaded) = drawing.left(Kept::Stored(Gbuffer::Shape), depth, &[], planner);
    sums::declare(&over, kind, (&stored, depth), planner);
    over.scene(shaded, &[], planner);
}
