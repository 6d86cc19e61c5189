//! Deferred: what surfaces are made of is stored first, and shaded once a pixel (Saito, Takahashi 1990; Hargreaves
//! 2004); with lists of lights, by those that can reach the tile (Andersson 2009; Lauritzen 2010). Then comes what
//! cannot be stored, as forward.

use super::super::drawing::{Drawing, Opaque};
use super::super::{gbuffer, tiles};
use crate::frame::Planner;
use crate::material::Gbuffer;

pub fn declare(drawing: &Drawing<'_>, how: Gbuffer, planner: &mut Planner) {
    let (stored, depth) = gbuffer::declare(drawing, how, planner);
    let lists = tiles::declare(drawing, depth, planner);
    gbuffer::declare_shade(drawing, &[&stored[..], &lists].concat(), planner);
    drawing.scene(Opaque::Stored(depth, how), &lists, planner);
}
