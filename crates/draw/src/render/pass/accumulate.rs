//! Accumulate: pictures of the same view, a sample a pixel each, become their mean.
//!
//! Rows whose pictures are drawn sample by sample declare these passes between their own.

use super::super::bind::{TEXTURE_RAW, UNIFORM, filled};
use super::super::cover::{Cover, cover};
use super::super::frame::Frame;
use super::super::job::Job;
use super::super::prepared::Prepared;
use super::super::row::{Declare, Row};
use super::super::stretch::Stretch;
use crate::frame::{Draw, Eye, Format, How, Part, Pass, Planner, Target, TargetId, Use, View, ViewId};
use crate::shader;

pub const ROW: Row = Row { name: "accumulate", declare: Declare::ByOthers, record, texts };

const SUM: &str = "sum";
const SAMPLE: &str = "sample";

/// Where four samples lie, in sixteenths of a pixel from its centre: where multisampling has them.
pub const FOUR: [[i8; 2]; 4] = [[-2, -6], [6, -2], [-6, 2], [2, 6]];

/// The middles of a pixel's sixteen squares, row by row.
const SIXTEEN: [[i8; 2]; 16] = {
    let mut out = [[0; 2]; 16];
    let mut at = 0;
    while at < 16 {
        out[at] = [4 * (at as i8 % 4) - 6, 4 * (at as i8 / 4) - 6];
        at += 1;
    }
    out
};

/// Where so many samples lie.
pub fn sample_points(count: u32) -> &'static [[i8; 2]] {
    let points: &[[i8; 2]] = if count == 4 { &FOUR } else { &SIXTEEN };
    assert_eq!(points.len(), count as usize, "4 or 16 samples");
    points
}

/// Declares what draws `count` samples a pixel into `into`, of a camera. `declare` declares the pass of a sample: its
/// number, its view, and the target of `format` that its colours go into.
pub fn declare(
    (planner, camera): (&mut Planner, ViewId),
    count: u32,
    (into, format): (Target, Format),
    mut declare: impl FnMut(&mut Planner, usize, ViewId, TargetId),
) -> TargetId {
    let points = sample_points(count);
    let into = planner.add_flat(camera, into);
    let mut sum = None;
    for (number, &at) in points.iter().enumerate() {
        let view = planner.add_view(View { eye: Eye::Sample { camera, at }, samples: 1, ..planner.view(camera) });
        let name = if sum.is_none() { SUM } else { SAMPLE };
        let sample = planner.add_flat(view, Target::texture(name, format, [0; 2]));
        declare(planner, number, view, sample);
        sum = Some(match sum {
            None => sample,
            Some(before) => {
                let is_last = number + 1 == points.len();
                let after = match is_last {
                    true => into,
                    false => planner.add_flat(view, Target::texture(SUM, Format::Rgba32Float, [0; 2])),
                };
                let read = |target| Use { target, part: Part::WHOLE, how: How::Sample };
                let how = How::Attach { clear: true, keep: true };
                // The sum that is read stands before the one that is written: both have one name.
                let uses = vec![read(before), read(sample), Use { target: after, part: Part::WHOLE, how }];
                let name = format!("{} {number}", ROW.name);
                planner.pass(ROW.name, name, Some(camera), uses, vec![Draw::Screen(ROW.name)]);
                after
            }
        });
    }
    into
}

fn texts(_: &Job<'_>, _: &Prepared, _: &Pass) -> Vec<(String, String)> {
    vec![(ROW.name.to_string(), shader::accumulate())]
}

fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, stretch: &Stretch) {
    let look = &frame.job.looks[pass.view.expect("it is a camera's").0];
    let written = pass.writes().next().expect("it writes the sum").target;
    let is_last = frame.prepared.plan.targets[written.0].name != SUM;
    let scale = if is_last { 1.0 / look.output.samples as f32 } else { 1.0 };
    let uniform = [scale, 0.0, 0.0, 0.0];
    let uniform = filled(frame.device(), ROW.name, wgpu::BufferUsages::UNIFORM, bytemuck::cast_slice(&uniform));
    let [sum, sample] = [SUM, SAMPLE].map(|name| frame.texture(pass, name).create_view(&Default::default()));
    let bound = &[
        (0, UNIFORM, uniform.as_entire_binding()),
        (1, TEXTURE_RAW, wgpu::BindingResource::TextureView(&sum)),
        (2, TEXTURE_RAW, wgpu::BindingResource::TextureView(&sample)),
    ];
    let text = shader::accumulate();
    let shown = Cover { name: ROW.name, text, fragment: "accumulate", bound, over: false };
    cover(frame, encoder, (pass, stretch), shown);
}
