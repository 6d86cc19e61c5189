//! Motion: where each surface point was one frame before, at pixel centres, one sample.

use super::super::lists;
use super::super::prepared::Wish;
use super::super::row::{Declare, Row, no_texts};
use crate::frame::{Format, How, Items, List, Part, Planner, Target, Use, ViewId};
use crate::material::Variant;

pub const ROW: Row =
    Row { name: "motion", declare: Declare::EachCamera(declare), record: lists::record, texts: no_texts };

pub const MOTION: &str = "motion";
const DEPTH: &str = "motion_depth";

/// Declares it where no row has done so.
pub fn declare(_: &Wish<'_>, view: ViewId, planner: &mut Planner) {
    if planner.find(Some(view), MOTION).is_some() {
        return;
    }
    let mut attach = |name, format, keep| {
        let target = planner.add_flat(view, Target::texture(name, format, [0; 2]));
        Use { target, part: Part::WHOLE, how: How::Attach { clear: true, keep } }
    };
    let uses = vec![attach(MOTION, Format::Rg32Float, true), attach(DEPTH, Format::Depth32Float, false)];
    planner.layer(MOTION.to_string(), uses[0].target, Part::WHOLE);
    let items = planner.list(List { view, items: Items::Seen, variant: Variant::Motion });
    planner.pass(ROW.name, ROW.name.to_string(), Some(view), uses, vec![items]);
}
