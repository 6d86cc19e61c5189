//! Veils: what lets light through, into an array beside the depth maps of each kind.

use super::super::frame::Frame;
use super::super::lists;
use super::super::map::{keep_inside, map_of};
use super::super::prepared::Wish;
use super::super::row::{Declare, Row, no_texts};
use super::super::stretch::Stretch;
use super::moments::MOMENT_MAPS;
use super::shadow::{LOCAL_MAPS, SUN_MAPS};
use crate::frame::{Eye, Format, How, Items, List, Part, Pass, Planner, Target, Use, View, ViewId};
use crate::light::Bank;
use crate::material::Variant;

pub const ROW: Row = Row { name: "veils", declare: Declare::EachCamera(declare), record, texts: no_texts };

/// By bank.
pub const VEILS: [&str; Bank::ALL.len()] = [Bank::Sun.veils(), Bank::Local.veils(), Bank::Moments.veils()];

fn declare(wish: &Wish<'_>, camera: ViewId, planner: &mut Planner) {
    let maps = &wish.lit[camera.0].maps;
    // Of colours, and of a depth.
    let format = if wish.caps.draws_f32 { Format::Rgba32Float } else { Format::Rgba16Float };
    let mut number = 0;
    for ((bank, name), depths) in Bank::ALL.into_iter().zip(VEILS).zip([SUN_MAPS, LOCAL_MAPS, MOMENT_MAPS]) {
        let array = maps.array(bank);
        let veiled = || maps.views.iter().enumerate().filter(|(_, view)| view.is_veiled && view.bank == bank);
        if veiled().next().is_none() {
            continue;
        }
        if let Some(from) = wish.lender(camera, bank) {
            planner.lend(name, from, camera);
            continue;
        }
        let life = wish.map_life(camera, bank, name);
        let texture = Target::texture(name, format, [array.width_px(); 2]);
        let texture = Target { layers: array.layers, view: Some(camera), life, ..texture };
        let target = planner.add_target(texture);
        let opaque = planner.find(Some(camera), depths).expect("maps are declared before");
        let mut cleared = Vec::new();
        for (map, view) in veiled() {
            let layer = view.layer.expect("it is drawn");
            let part = Part::layer(layer);
            let eye = Eye::Map { camera, map };
            let seen = View { eye, width_px: view.size_px, height_px: view.size_px, samples: 1, mirrored: false };
            let id = planner.add_view(seen);
            let list = planner.list(List { view: id, items: Items::Veils, variant: Variant::Veil });
            let clear = !cleared.contains(&layer);
            cleared.push(layer);
            let attached = Use { target, part, how: How::Attach { clear, keep: true } };
            let tested = Use { target: opaque, part, how: How::Test };
            planner.pass(ROW.name, format!("{} {number}", ROW.name), Some(id), vec![attached, tested], vec![list]);
            number += 1;
        }
    }
}

fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, stretch: &Stretch) {
    let map = map_of(frame, pass);
    let mut render = frame.begin(encoder, pass, stretch);
    keep_inside(&mut render, map);
    lists::draw(frame, &mut render, pass, stretch);
}
