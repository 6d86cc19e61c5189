//! Seen: depth of what casts shadows and is in sight, at pixels' centres; and of all that is seen, at all of their
//! points.

use super::super::lists;
use super::super::prepared::Wish;
use super::super::row::{Declare, Row, no_texts};
use super::accumulate::sample_points;
use crate::frame::{Eye, Format, How, Items, List, Part, Planner, Target, TargetId, Use, View, ViewId};
use crate::material::Variant;
use crate::scene::Output;

pub const ROW: Row =
    Row { name: "seen", declare: Declare::EachCamera(declare), record: lists::record, texts: no_texts };

/// Depth of opaque surfaces, for effects and what lighting reads of the screen.
pub const OPAQUE: Row =
    Row { name: "effect depth", declare: Declare::ByOthers, record: lists::record, texts: no_texts };

pub const SEEN_DEPTH: &str = "seen_depth";
pub const OPAQUE_DEPTH: &str = "effect_depth";
/// The share of light from around that arrives at a pixel's surface, and how far that is along the view axis: what
/// effects of occlusion leave.
pub const OCCLUSIONS: &str = "occlusions";

/// Layers of the depth of opaque surfaces at all points of pixels that are shaded, by their numbers.
pub const SIGHTS: &str = "sights";

/// Those points of a picture, in sixteenths of a pixel from its centres.
pub fn points(output: &Output) -> Vec<[i8; 2]> {
    let others = if output.samples > 1 { sample_points(output.samples) } else { &[] };
    [&[[0, 0]], others].concat()
}

fn declare(wish: &Wish<'_>, camera: ViewId, planner: &mut Planner) {
    if wish.wants(SIGHTS) {
        declare_sights(wish, camera, planner);
    }
    declare_casters(wish, camera, planner);
}

fn declare_sights(wish: &Wish<'_>, camera: ViewId, planner: &mut Planner) {
    for (number, at) in points(wish.job.looks[camera.0].output).into_iter().enumerate() {
        let view = planner.add_view(View { eye: Eye::Sample { camera, at }, samples: 1, ..planner.view(camera) });
        let depth = planner.add_flat(view, Target::texture(SIGHTS, Format::Depth32Float, [0; 2]));
        // What is seen through others is shaded, too.
        let list = planner.list(List { view, items: Items::Whole, variant: Variant::Depth });
        let drawn = Use { target: depth, part: Part::WHOLE, how: How::Attach { clear: true, keep: true } };
        planner.pass(ROW.name, format!("{SIGHTS} {number}"), Some(view), vec![drawn], vec![list]);
        planner.layer(format!("{SIGHTS}.{number}"), depth, Part::WHOLE);
    }
}

fn declare_casters(wish: &Wish<'_>, camera: ViewId, planner: &mut Planner) {
    if !wish.lit[camera.0].switches.reads_seen() {
        return;
    }
    declare_depth(planner, camera, (ROW.name, SEEN_DEPTH), Items::Casters);
}

/// Depth of opaque surfaces, which is drawn once.
pub fn opaque_depth(planner: &mut Planner, camera: ViewId) -> TargetId {
    let known = planner.find(Some(camera), OPAQUE_DEPTH);
    known.unwrap_or_else(|| declare_depth(planner, camera, (OPAQUE.name, OPAQUE_DEPTH), Items::Opaque))
}

/// Declares a pass of some row that draws depth of a camera's items into a target, at pixels' centres, whatever points
/// the picture has.
fn declare_depth(
    planner: &mut Planner,
    camera: ViewId,
    (row, target): (&'static str, &'static str),
    items: Items,
) -> TargetId {
    let view = planner.add_view(View { eye: Eye::Middle { camera }, samples: 1, ..planner.view(camera) });
    let depth = planner.add_flat(camera, Target::texture(target, Format::Depth32Float, [0; 2]));
    let list = planner.list(List { view, items, variant: Variant::Depth });
    let drawn = Use { target: depth, part: Part::WHOLE, how: How::Attach { clear: true, keep: true } };
    planner.pass(row, row.to_string(), Some(view), vec![drawn], vec![list]);
    depth
}
