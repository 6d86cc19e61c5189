//! Fetch: surfaces of which the numbers of triangles are stored are shaded, each pixel once.

use super::super::fetch::VIEW_ENTRIES;
use super::super::frame::Frame;
use super::super::lists;
use super::super::row::{Declare, Row, no_texts};
use super::super::stretch::Stretch;
use super::drawing::Drawing;
use super::gbuffer::{DEPTH, IDS};
use super::lights::light_group;
use crate::frame::{Items, Pass, Planner, Use};
use crate::material::{Gbuffer, Kept, Variant};

pub const ROW: Row = Row { name: "fetch", declare: Declare::ByOthers, record, texts: no_texts };

/// Shades what is `stored`.
pub fn declare(drawing: &Drawing<'_>, stored: &[Use], planner: &mut Planner) {
    for picture in &drawing.pictures {
        let mut uses = drawing.reads(planner);
        uses.extend(stored);
        uses.extend(&picture.colors);
        let items = drawing.list(planner, Items::Kept(Kept::Stored(Gbuffer::Ids)), Variant::Fetched);
        planner.pass(ROW.name, drawing.named(ROW.name, picture.suffix), Some(drawing.view), uses, vec![items]);
    }
}

fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, stretch: &Stretch) {
    let lights = light_group(frame, pass);
    let [ids, depth] = [IDS, DEPTH].map(|name| frame.texture(pass, name).create_view(&Default::default()));
    let stored = [(1, wgpu::BindingResource::TextureView(&ids)), (2, wgpu::BindingResource::TextureView(&depth))];
    let mut render = frame.begin(encoder, pass, stretch);
    frame.set_view_with(&mut render, pass, VIEW_ENTRIES, &stored);
    if let Some(lights) = &lights {
        render.set_bind_group(1, lights, &[]);
    }
    lists::draw(frame, &mut render, pass, stretch);
}
