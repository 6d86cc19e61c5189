//! Visibility: which triangle a pixel shows is stored first; then its corners are fetched and the pixel is shaded, once
//! (Burns, Hunt 2013). What vertex shaders bend is drawn forward, before.

use super::super::drawing::Drawing;
use super::super::{fetch, gbuffer};
use crate::frame::Planner;
use crate::material::{Gbuffer, Kept};

pub fn declare(drawing: &Drawing<'_>, planner: &mut Planner) {
    let (stored, depth) = gbuffer::declare(drawing, Gbuffer::Ids, planner);
    let (over, shaded) = drawing.left(Kept::Stored(Gbuffer::Ids), depth, &[], planner);
    fetch::declare(&over, &stored, planner);
    over.scene(shaded, &[], planner);
}
