//! Subsurface: the light that enters surfaces which it leaves elsewhere, before they are drawn.
//!
//! They have a depth of their own, since what enters them behind other things leaves them next to these. Rows that draw
//! such surfaces declare this pass between their own.

use super::super::frame::Frame;
use super::super::lists;
use super::super::row::{Declare, Row, no_texts};
use super::super::stretch::Stretch;
use super::lights::{IRRADIANCE, light_group_of};
use crate::frame::{Draw, Format, How, Part, Pass, Planner, Target, Use, ViewId};

pub const ROW: Row = Row { name: "subsurface", declare: Declare::ByOthers, record, texts: no_texts };

/// Declares the pass of a view that draws `items` lit by `reads`, into light of this format. Out: how those who gather
/// it read it.
pub fn declare(
    planner: &mut Planner,
    (view, name): (ViewId, String),
    reads: Vec<Use>,
    items: Draw,
    format: Format,
) -> Vec<Use> {
    let [light, depth] = IRRADIANCE;
    let attached = [(light, format), (depth, Format::Depth32Float)].map(|(name, format)| {
        let target = planner.add_flat(view, Target::texture(name, format, [0; 2]));
        Use { target, part: Part::WHOLE, how: How::Attach { clear: true, keep: true } }
    });
    let uses = [reads, attached.to_vec()].concat();
    planner.pass(ROW.name, name, Some(view), uses, vec![items]);
    attached.map(|usage| Use { how: How::Sample, ..usage }).to_vec()
}

fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, stretch: &Stretch) {
    let camera = frame.prepared.plan.camera(pass.view.expect("it is a camera's"));
    let lit = &frame.prepared.lit[camera.0];
    let lights = light_group_of(frame, pass, lit.switches.of_irradiance(), &lit.clusters);
    let mut render = frame.begin(encoder, pass, stretch);
    render.set_bind_group(1, &lights, &[]);
    lists::draw(frame, &mut render, pass, stretch);
}
