//! Forward plus: depth first, then lists of lights that can reach it, then every item (Harada, McKee, Yang 2012).

use super::super::drawing::{Drawing, Opaque};
use super::super::{prepass, tiles};
use crate::frame::Planner;

pub fn declare(drawing: &Drawing<'_>, planner: &mut Planner) {
    let depth = prepass::declare(drawing, planner);
    let lists = tiles::declare(drawing, depth, planner);
    drawing.scene(Opaque::Covered(depth), &lists, planner);
}
