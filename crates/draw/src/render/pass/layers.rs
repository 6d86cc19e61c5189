//! Layers: what items draw for a row of `scene::LAYERS`, at pixel centres, one sample: a pass for each that is wanted.

use super::super::frame::Frame;
use super::super::job::Look;
use super::super::lists;
use super::super::prepared::Wish;
use super::super::row::{Declare, Row, no_texts};
use super::super::stretch::Stretch;
use super::drawing;
use super::lights::light_group_of;
use crate::frame::{Format, How, Items, List, Part, Pass, Planner, Target, Use, ViewId};
use crate::light::Asks;
use crate::light::one_list;
use crate::material::{LayerId, Variant};
use crate::scene::{Aov, AovRow, Held, Reads};
use crate::view::ShotLight;

pub const ROW: Row = Row { name: "layer", declare: Declare::EachCamera(declare), record, texts: no_texts };

const DEPTH: &str = "layer_depth";

/// A row, and which of its layers are wanted: their names, and of a light its number.
type Wanted = (&'static AovRow, Vec<(String, Option<u32>)>);

fn wanted(look: &Look<'_>) -> Vec<Wanted> {
    let mut out: Vec<Wanted> = Vec::new();
    for name in look.layers {
        let Some(aov) = Aov::parse(name).filter(|aov| aov.row().shader.is_some()) else { continue };
        let light = aov.light().map(|name| light_number(&look.shot.lights, name));
        if light == Some(None) {
            continue;
        }
        let entry = (name.clone(), light.flatten());
        match out.iter_mut().find(|(row, _)| row.spelt == aov.row().spelt) {
            Some((_, entries)) if entries.contains(&entry) => {}
            Some((_, entries)) => entries.push(entry),
            None => out.push((aov.row(), vec![entry])),
        }
    }
    out
}

/// The first light of this name; else the one of this number.
fn light_number(lights: &[ShotLight], name: &str) -> Option<u32> {
    let by_name = lights.iter().position(|light| light.name == name);
    let by_number = || name.parse().ok().filter(|number| *number < lights.len());
    by_name.or_else(by_number).map(|number| number as u32)
}

fn declare(wish: &Wish<'_>, view: ViewId, planner: &mut Planner) {
    for (row, entries) in wanted(&wish.job.looks[view.0]) {
        let id = LayerId::of(row).expect("it has a shader");
        if id.counts_triangles() && !wish.caps.counts_triangles {
            continue;
        }
        let format = match row.held {
            Held::Word => Format::Rgba32Uint,
            // The one that every device adds into.
            _ if id.shader().adds => Format::Rgba16Float,
            _ => Format::Rgba32Float,
        };
        let target = Target { layers: entries.len() as u32, ..Target::texture(row.spelt, format, [0; 2]) };
        let target = planner.add_flat(view, target);
        let depth = planner.find(Some(view), DEPTH);
        let depth =
            depth.unwrap_or_else(|| planner.add_flat(view, Target::texture(DEPTH, Format::Depth32Float, [0; 2])));
        let reads = drawing::reads(wish.lit[view.0].switches.of_layer(id), view, planner);
        for (index, (name, _)) in entries.into_iter().enumerate() {
            let part = Part::layer(index as u32);
            let mut uses = reads.clone();
            uses.push(Use { target, part, how: How::Attach { clear: true, keep: true } });
            uses.push(Use { target: depth, part: Part::WHOLE, how: How::Attach { clear: true, keep: false } });
            let items = planner.list(List { view, items: Items::Seen, variant: Variant::Layer(id) });
            planner.pass(ROW.name, format!("{} {name}", ROW.name), Some(view), uses, vec![items]);
            planner.layer(name, target, part);
        }
    }
}

fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, stretch: &Stretch) {
    let camera = frame.prepared.plan.camera(pass.view.expect("it is a camera's")).0;
    let lit = &frame.prepared.lit[camera];
    let look = &frame.job.looks[camera];
    let written = pass.leaves().next().expect("it writes a layer");
    let name = frame.prepared.plan.targets[written.target.0].name;
    let all = wanted(look);
    let (row, entries) = all.iter().find(|(row, _)| row.spelt == name).expect("it was declared");
    let id = LayerId::of(row).expect("it has a shader");
    let list = match entries[written.part.first_layer as usize].1 {
        Some(light) => one_list(&[light]),
        None if id.reads() == Reads::Lists && lit.switches.asks == Asks::Clusters => lit.clusters.clone(),
        None => one_list(&(0..look.shot.lights.len() as u32).collect::<Vec<_>>()),
    };
    let switches = lit.switches.of_layer(id);
    let lights = light_group_of(frame, pass, switches, &list);
    let mut render = frame.begin(encoder, pass, stretch);
    if let Some(lights) = &lights {
        render.set_bind_group(1, lights, &[]);
    }
    lists::draw(frame, &mut render, pass, stretch);
}
