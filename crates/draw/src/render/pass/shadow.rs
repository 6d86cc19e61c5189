//! Shadow: depth from a light into one layer of an array.

use super::super::frame::Frame;
use super::super::lists;
use super::super::prepared::Wish;
use super::super::row::{Declare, Row, no_texts};
use super::super::stretch::Stretch;
use crate::fault::StateEdit;
use crate::frame::{Eye, Format, How, Items, List, Part, Pass, Planner, Target, Use, View, ViewId};
use crate::light::{MapArray, Rays};
use crate::material::Variant;

/// Maps of directional lights.
pub const SUN: Row = Row { name: "sun map", declare: Declare::EachCamera(declare_suns), record, texts: no_texts };
/// Maps of lights that shine from a point.
pub const LOCAL: Row = Row { name: "local map", declare: Declare::EachCamera(declare_locals), record, texts: no_texts };

pub const SUN_MAPS: &str = "sun_maps";
pub const LOCAL_MAPS: &str = "local_maps";
/// Layers, those of directional lights first.
const LAYER: &str = "shadow";

fn declare_suns(wish: &Wish<'_>, camera: ViewId, planner: &mut Planner) {
    declare(wish, camera, planner, Rays::Parallel);
}

fn declare_locals(wish: &Wish<'_>, camera: ViewId, planner: &mut Planner) {
    declare(wish, camera, planner, Rays::FromPoint);
}

fn declare(wish: &Wish<'_>, camera: ViewId, planner: &mut Planner, rays: Rays) {
    let maps = &wish.lit[camera.0].maps;
    let (row, name) = match rays {
        Rays::Parallel => (SUN, SUN_MAPS),
        Rays::FromPoint => (LOCAL, LOCAL_MAPS),
    };
    let MapArray { layers, size_px } = maps.array(rays);
    if layers == 0 {
        return;
    }
    let fitted = maps.views.iter().enumerate().filter(|(_, view)| view.rays == rays);
    let maps = Target { layers, view: Some(camera), ..Target::texture(name, Format::Depth32Float, [size_px; 2]) };
    let target = planner.add_target(maps);
    for (map, view) in fitted {
        let Some(layer) = view.layer else { continue };
        let part = Part::layer(layer);
        let eye = Eye::Map { camera, map };
        let view = View { eye, width_px: size_px, height_px: size_px, samples: 1, mirrored: false };
        let view = planner.add_view(view);
        let list = planner.list(List { view, items: Items::Casters, variant: Variant::Depth });
        let attached = Use { target, part, how: How::Attach { clear: true, keep: true } };
        planner.pass(row.name, format!("{} {}", row.name, part.first_layer), Some(view), vec![attached], vec![list]);
        planner.layer(format!("{LAYER}.{}", planner.count(Some(camera), LAYER)), target, part);
    }
}

fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, stretch: &Stretch) {
    if frame.fault().has(StateEdit::ShadowLost) {
        frame.begin(encoder, pass, stretch);
        return;
    }
    lists::record(frame, encoder, pass, stretch);
}
