//! Sums: light that arrives at stored surfaces is added up, and surfaces are drawn in it.

use super::super::frame::Frame;
use super::super::lists;
use super::super::row::{Declare, Row, no_texts};
use super::super::stretch::Stretch;
use super::drawing::{Drawing, reads};
use super::gbuffer;
use super::lights::{light_group_of, sum_targets};
use crate::frame::{Format, How, Items, Pass, Planner, TargetId, Use};
use crate::material::{Gbuffer, Kept, Switches, Variant};
use crate::scene::Sums;

pub const SUMS: Row = Row { name: "sums", declare: Declare::ByOthers, record: gbuffer::record, texts: gbuffer::texts };
pub const SURFACES: Row = Row { name: "surfaces", declare: Declare::ByOthers, record, texts: no_texts };

/// Adds light up for what is `stored`, and draws these surfaces; their depth is there.
pub fn declare(drawing: &Drawing<'_>, sums: Sums, (stored, depth): (&[Use], TargetId), planner: &mut Planner) {
    let attached = sum_targets(sums).iter().map(|name| drawing.attach(planner, name, Format::Rgba32Float));
    let attached: Vec<Use> = attached.collect();
    let lights = drawing.wish.lit[drawing.camera.0].switches.without_around();
    let mut uses = reads(lights, drawing.camera, planner);
    uses.extend(stored);
    uses.extend(&attached);
    planner.pass(SUMS.name, drawing.named(SUMS.name, ""), Some(drawing.view), uses, vec![gbuffer::SCREENS]);
    for picture in &drawing.pictures {
        let around = Switches { shadows: false, ..drawing.wish.lit[drawing.camera.0].switches };
        let mut uses = reads(around, drawing.camera, planner);
        uses.extend(attached.iter().map(|usage| Use { how: How::Sample, ..*usage }));
        uses.extend(&picture.colors);
        uses.push(Use { target: depth, how: How::Test, ..attached[0] });
        let items = drawing.list(planner, Items::Kept(Kept::Stored(Gbuffer::Shape)), Variant::Summed(sums));
        let name = drawing.named(SURFACES.name, picture.suffix);
        planner.pass(SURFACES.name, name, Some(drawing.view), uses, vec![items]);
    }
}

fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, stretch: &Stretch) {
    let camera = frame.prepared.plan.camera(pass.view.expect("it is a camera's"));
    let lit = &frame.prepared.lit[camera.0];
    let switches = lit.switches.summed(lit.sums.expect("declared only where light is added up"));
    let lights = light_group_of(frame, pass, switches, &[]);
    let mut render = frame.begin(encoder, pass, stretch);
    render.set_bind_group(1, &lights, &[]);
    lists::draw(frame, &mut render, pass, stretch);
}
