//! Forward: every item is shaded as it is drawn.

use super::super::drawing::{Drawing, Opaque};
use super::super::prepass;
use crate::frame::Planner;

pub fn declare(drawing: &Drawing<'_>, planner: &mut Planner) {
    let opaque = match drawing.wants_prepass(planner) && !drawing.transmits() {
        true => Opaque::Covered(prepass::declare(drawing, planner)),
        false => Opaque::Here,
    };
    drawing.scene(opaque, &[], planner);
}
