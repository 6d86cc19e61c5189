//! Rounds: items in the light of a few lights at a time. Each pass begins with the sums that the one before has left,
//! so light is added up in the order of `forward`, and to the same bits.
//!
//! Every round draws the same items in the same order. Of surfaces of equal depth the last one that is drawn is kept,
//! the same one in each round: nothing is blended, so it alone has gone on with its light. Where it is one that is
//! shaded at once the first round leaves a blank, and the others draw nothing there.

use super::super::frame::Frame;
use super::super::lists;
use super::super::pipeline::ROUND_ENTRIES;
use super::super::row::{Declare, Row, no_texts};
use super::super::stretch::Stretch;
use super::drawing::{Drawing, reads};
use super::lights::light_group_with;
use crate::frame::{Format, How, Items, Part, Pass, Plan, Planner, Target, TargetId, Use};
use crate::material::{Kept, Round, Variant};

pub const ROW: Row = Row { name: "round", declare: Declare::ByOthers, record, texts: no_texts };

/// Light so far. Two layers, in turn: one is read, one is written.
const SUM: &str = "light_sum";

/// Declares `count` rounds, two or more, of items whose depth is there. The last one draws the pictures.
pub fn declare(drawing: &Drawing<'_>, count: u32, depth: TargetId, planner: &mut Planner) {
    let lit = drawing.wish.lit[drawing.camera.0].switches;
    let depth = Use { target: depth, part: Part::WHOLE, how: How::Test };
    let sums = Target { layers: 2, ..Target::texture(SUM, Format::Rgba32Float, [0; 2]) };
    let sums = planner.add_flat(drawing.view, sums);
    let layer = |number: u32, how| Use { target: sums, part: Part::layer(number % 2), how };
    for number in 0..count {
        let name = format!("{} {number}", ROW.name);
        let (round, lit) = match number {
            0 => (Round::First, lit),
            _ if number + 1 == count => (Round::Last, lit.without_around()),
            _ => (Round::Next, lit.without_around()),
        };
        let mut uses = reads(lit, drawing.camera, planner);
        uses.extend((number > 0).then(|| layer(number - 1, How::Sample)));
        let items = if round == Round::First { Items::Both(Kept::Light) } else { Items::Kept(Kept::Light) };
        let items = drawing.list(planner, items, Variant::Round(round));
        if round == Round::Last {
            for picture in &drawing.pictures {
                let uses = [&uses[..], &picture.colors, &[depth]].concat();
                planner.pass(ROW.name, drawing.named(&name, picture.suffix), Some(drawing.view), uses, vec![items]);
            }
            return;
        }
        uses.extend([layer(number, How::Attach { clear: true, keep: true }), depth]);
        planner.pass(ROW.name, drawing.named(&name, ""), Some(drawing.view), uses, vec![items]);
    }
}

/// The sums that a pass begins with.
fn before<'p>(plan: &Plan, pass: &'p Pass) -> Option<&'p Use> {
    pass.uses.iter().find(|usage| usage.how == How::Sample && plan.targets[usage.target.0].name == SUM)
}

/// How many rounds come before.
fn number(plan: &Plan, pass: &Pass) -> usize {
    let is_sum = |usage: &Use| plan.targets[usage.target.0].name == SUM;
    let earlier = plan.passes.iter().take_while(|other| other.name != pass.name || other.view != pass.view);
    earlier.filter(|other| other.view == pass.view && other.leaves().any(is_sum)).count()
}

fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, stretch: &Stretch) {
    let plan = &frame.prepared.plan;
    let camera = plan.camera(pass.view.expect("it is a camera's"));
    let lit = frame.prepared.lit[camera.0].switches;
    let sums = before(plan, pass).map(|usage| {
        frame.texture_of(usage.target).create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2),
            base_array_layer: usage.part.first_layer,
            array_layer_count: Some(1),
            ..Default::default()
        })
    });
    let lit = if sums.is_some() { lit.without_around() } else { lit };
    let each = frame.job.options.lights_per_draw as usize;
    let first = number(plan, pass) * each;
    let lights = light_group_with(frame, pass, lit, (&[], first..first + each));
    let mut render = frame.begin(encoder, pass, stretch);
    if let Some(sums) = &sums {
        frame.set_view_with(&mut render, pass, ROUND_ENTRIES, &[(1, wgpu::BindingResource::TextureView(sums))]);
    }
    render.set_bind_group(1, &lights, &[]);
    lists::draw(frame, &mut render, pass, stretch);
}
