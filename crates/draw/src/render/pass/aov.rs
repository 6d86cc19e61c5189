//! Aov: depth, normal, albedo and id at pixel centres, one sample.

use super::super::lists;
use super::super::prepared::Wish;
use super::super::row::{Declare, Row, no_texts};
use crate::frame::{Format, How, Items, List, Part, Planner, Target, Use, ViewId};
use crate::material::Variant;

pub const ROW: Row = Row { name: "aov", declare: Declare::EachCamera(declare), record: lists::record, texts: no_texts };

/// Normal, and depth.
const NORMAL_DEPTH: &str = "normal_depth";
/// Bits of the albedo, and the id.
const ALBEDO_ID: &str = "albedo_id";
const DEPTH: &str = "aov_depth";

fn declare(_: &Wish<'_>, view: ViewId, planner: &mut Planner) {
    let mut attach = |name, format, keep| {
        let target = planner.add_flat(view, Target::texture(name, format, [0; 2]));
        Use { target, part: Part::WHOLE, how: How::Attach { clear: true, keep } }
    };
    let uses = [
        attach(NORMAL_DEPTH, Format::Rgba32Float, true),
        attach(ALBEDO_ID, Format::Rgba32Uint, true),
        attach(DEPTH, Format::Depth32Float, false),
    ];
    for (layer, usage) in [("depth", uses[0]), ("normal", uses[0]), ("albedo", uses[1]), ("id", uses[1])] {
        planner.layer(layer.to_string(), usage.target, usage.part);
    }
    let items = planner.list(List { view, items: Items::Seen, variant: Variant::Aov });
    planner.pass(ROW.name, ROW.name.to_string(), Some(view), uses.to_vec(), vec![items]);
}
