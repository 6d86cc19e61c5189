//! Visibility: which triangle a pixel shows is stored first; then its corners are fetched and the pixel is shaded, once
//! (Burns, Hunt 2013). Then comes what is bent by vertex shaders, as forward.

use super::super::drawing::{Drawing, Opaque};
use super::super::{fetch, gbuffer};
use crate::frame::Planner;
use crate::material::Gbuffer;

pub fn declare(drawing: &Drawing<'_>, planner: &mut Planner) {
    let (stored, depth) = gbuffer::declare(drawing, Gbuffer::Ids, planner);
    fetch::declare(drawing, &stored, planner);
    drawing.scene(Opaque::Stored(depth, Gbuffer::Ids), &[], planner);
}
