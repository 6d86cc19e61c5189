//! Seen: depth of what casts shadows and is in sight, at pixels' centres.

use super::super::lists;
use super::super::prepared::Wish;
use super::super::row::{Declare, Row, no_texts};
use crate::frame::{Eye, Format, How, Items, List, Part, Planner, Target, Use, View, ViewId};
use crate::material::Variant;

pub const ROW: Row =
    Row { name: "seen", declare: Declare::EachCamera(declare), record: lists::record, texts: no_texts };

pub const SEEN_DEPTH: &str = "seen_depth";

fn declare(wish: &Wish<'_>, camera: ViewId, planner: &mut Planner) {
    if !wish.lit[camera.0].switches.reads_seen() {
        return;
    }
    // At pixels' centres, whatever points the picture has.
    let eye = Eye::Middle { camera };
    let view = planner.add_view(View { eye, samples: 1, ..planner.view(camera) });
    let depth = planner.add_flat(camera, Target::texture(SEEN_DEPTH, Format::Depth32Float, [0; 2]));
    let list = planner.list(List { view, items: Items::Casters, variant: Variant::Depth });
    let how = How::Attach { clear: true, keep: true };
    let drawn = Use { target: depth, part: Part::WHOLE, how };
    planner.pass(ROW.name, ROW.name.to_string(), Some(view), vec![drawn], vec![list]);
}
