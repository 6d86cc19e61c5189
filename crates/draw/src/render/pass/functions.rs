//! Functions: what multiplies lights by their direction, each material on a square of its own.

use super::super::lists;
use super::super::prepared::Wish;
use super::super::row::{Declare, Row, no_texts};
use crate::frame::{Eye, Format, How, Items, List, Part, Planner, Target, Use, View, ViewId};
use crate::material::Variant;

pub const ROW: Row =
    Row { name: "function", declare: Declare::EachCamera(declare), record: lists::record, texts: no_texts };

/// One layer a material.
pub const FUNCTIONS: &str = "functions";
const DEPTH: &str = "function_depth";
const SIZE_PX: u32 = 512;

fn declare(wish: &Wish<'_>, camera: ViewId, planner: &mut Planner) {
    let count = wish.job.looks[camera.0].shot.functions.len() as u32;
    if !wish.lit[camera.0].switches.kinds.has_functions() {
        return;
    }
    let flat = |name, format| Target { view: Some(camera), ..Target::texture(name, format, [SIZE_PX; 2]) };
    let maps = planner.add_target(Target { layers: count, ..flat(FUNCTIONS, Format::Rgba16Float) });
    let depth = planner.add_target(flat(DEPTH, Format::Depth32Float));
    for number in 0..count {
        let eye = Eye::Square { camera };
        let view = planner.add_view(View { eye, width_px: SIZE_PX, height_px: SIZE_PX, samples: 1, mirrored: false });
        let list = planner.list(List { view, items: Items::Function(number), variant: Variant::Lit });
        let uses = vec![
            Use { target: maps, part: Part::layer(number), how: How::Attach { clear: true, keep: true } },
            Use { target: depth, part: Part::WHOLE, how: How::Attach { clear: true, keep: false } },
        ];
        planner.pass(ROW.name, format!("{} {number}", ROW.name), Some(view), uses, vec![list]);
    }
}
