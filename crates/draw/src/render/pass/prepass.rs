//! Prepass: depth that is drawn before anything is shaded.

use super::super::lists;
use super::super::row::{Declare, Row, no_texts};
use super::drawing::Drawing;
use crate::frame::{Format, Items, Planner, TargetId};
use crate::material::Variant;

pub const ROW: Row = Row { name: "depth", declare: Declare::ByOthers, record: lists::record, texts: no_texts };

const COVERED: &str = "covered";

/// Draws the depth of opaque items.
pub fn declare(drawing: &Drawing<'_>, planner: &mut Planner) -> TargetId {
    let depth = drawing.attach(planner, COVERED, Format::Depth32Float);
    let items = drawing.list(planner, Items::Opaque, Variant::Depth);
    planner.pass(ROW.name, drawing.named(ROW.name, ""), Some(drawing.view), vec![depth], vec![items]);
    depth.target
}
