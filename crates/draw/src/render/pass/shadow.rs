//! Shadow: depth from a light into a part of an array.

use super::super::frame::Frame;
use super::super::lists;
use super::super::map::{keep_inside, map_of};
use super::super::prepared::Wish;
use super::super::row::{Declare, Row, no_texts};
use super::super::stretch::Stretch;
use super::moments::{self, MOMENT_MAPS, MOMENTS};
use crate::fault::StateEdit;
use crate::frame::{Eye, Format, How, Items, Life, List, Part, Pass, Planner, Target, Use, View, ViewId};
use crate::light::{Bank, MAP_LAYER};
use crate::material::Variant;

/// Maps of directional lights.
pub const SUN: Row = Row { name: "sun map", declare: Declare::EachCamera(declare_suns), record, texts: no_texts };
/// Maps of lights that shine from a point.
pub const LOCAL: Row = Row { name: "local map", declare: Declare::EachCamera(declare_locals), record, texts: no_texts };
/// Maps that moments are made of.
pub const MOMENT: Row =
    Row { name: "moment map", declare: Declare::EachCamera(declare_moments), record, texts: no_texts };

pub const SUN_MAPS: &str = Bank::Sun.maps();
pub const LOCAL_MAPS: &str = Bank::Local.maps();
fn declare_suns(wish: &Wish<'_>, camera: ViewId, planner: &mut Planner) {
    declare(wish, camera, planner, (SUN, SUN_MAPS, Bank::Sun));
}

fn declare_locals(wish: &Wish<'_>, camera: ViewId, planner: &mut Planner) {
    declare(wish, camera, planner, (LOCAL, LOCAL_MAPS, Bank::Local));
}

fn declare_moments(wish: &Wish<'_>, camera: ViewId, planner: &mut Planner) {
    declare(wish, camera, planner, (MOMENT, MOMENT_MAPS, Bank::Moments));
}

fn declare(wish: &Wish<'_>, camera: ViewId, planner: &mut Planner, (row, name, bank): (Row, &'static str, Bank)) {
    let maps = &wish.lit[camera.0].maps;
    let array = maps.array(bank);
    if array.layers == 0 {
        return;
    }
    if let Some(from) = wish.lender(camera, bank) {
        [name, MOMENTS].into_iter().for_each(|name| planner.lend(name, from, camera));
        return;
    }
    let size_px = [array.width_px(); 2];
    let fitted = || maps.views.iter().enumerate().filter(|(_, view)| view.bank == bank);
    // Depths that others are made of have done their work then.
    let life = if bank == Bank::Moments { Life::Picture } else { wish.map_life(camera, bank, name) };
    let texture = Target::texture(name, Format::Depth32Float, size_px);
    let depths = Target { layers: array.layers, view: Some(camera), life, ..texture };
    let target = planner.add_target(depths);
    let mut drawn = Vec::new();
    for (map, view) in fitted() {
        let Some(layer) = view.layer else { continue };
        let part = Part::layer(layer);
        let eye = Eye::Map { camera, map };
        let seen = View { eye, width_px: view.size_px, height_px: view.size_px, samples: 1, mirrored: false };
        let id = planner.add_view(seen);
        let list = planner.list(List { view: id, items: Items::Casters, variant: Variant::Depth });
        let attached = Use { target, part, how: How::Attach { clear: view.is_first(), keep: true } };
        let number = drawn.len();
        let name = if array.grid == 1 { layer as usize } else { number };
        planner.pass(row.name, format!("{} {name}", row.name), Some(id), vec![attached], vec![list]);
        planner.layer(format!("{MAP_LAYER}.{}", planner.count(Some(camera), MAP_LAYER)), target, part);
        drawn.push((id, view, name));
    }
    if bank == Bank::Moments {
        moments::declare(wish, camera, planner, (target, array), &drawn);
    }
}

fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, stretch: &Stretch) {
    let map = map_of(frame, pass);
    let mut render = frame.begin(encoder, pass, stretch);
    if frame.fault().has(StateEdit::ShadowLost) {
        return;
    }
    keep_inside(&mut render, map);
    lists::draw(frame, &mut render, pass, stretch);
}
