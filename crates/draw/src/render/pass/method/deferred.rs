//! Deferred: what surfaces are made of is stored first, and shaded once a pixel (Saito, Takahashi 1990; Hargreaves
//! 2004); with lists of lights, by those that can reach the tile (Andersson 2009; Lauritzen 2010). What
//! cannot be stored is drawn forward, before.

use super::super::drawing::Drawing;
use super::super::{gbuffer, tiles};
use crate::frame::Planner;
use crate::material::{Gbuffer, Kept};

pub fn declare(drawing: &Drawing<'_>, how: Gbuffer, planner: &mut Planner) {
    let (stored, depth) = gbuffer::declare(drawing, how, planner);
    let lists = tiles::declare(drawing, depth, planner);
    let (over, shaded) = drawing.left(Kept::Stored(how), depth, &lists, planner);
    gbuffer::declare_shade(&over, &[&stored[..], &lists].concat(), planner);
    over.scene(shaded, &lists, planner);
}
