//! Mean: what was drawn before and added up, over its number, in place of what a camera sees now.

use super::super::bind::{TEXTURE_RAW, UNIFORM, filled};
use super::super::cover::{Cover, cover};
use super::super::frame::Frame;
use super::super::job::{Job, Sums, Tile};
use super::super::prepared::Prepared;
use super::super::resources;
use super::super::row::{Declare, Row};
use super::super::stretch::Stretch;
use crate::frame::{Draw, Format, How, Part, Pass, Planner, Target, TargetId, Use, ViewId};
use crate::shader;

/// A picture of sums has it in place of a scene's passes.
pub const ROW: Row = Row { name: "mean", declare: Declare::ByOthers, record, texts };

/// Declares what fills `into` of a camera.
pub fn declare(planner: &mut Planner, camera: ViewId, into: Target) -> TargetId {
    let target = planner.add_flat(camera, into);
    let written = Use { target, part: Part::WHOLE, how: How::Attach { clear: true, keep: true } };
    planner.pass(ROW.name, ROW.name.to_string(), Some(camera), vec![written], vec![Draw::Screen(ROW.name)]);
    target
}

fn texts(_: &Job<'_>, _: &Prepared, _: &Pass) -> Vec<(String, String)> {
    vec![(ROW.name.to_string(), shader::mean())]
}

fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, stretch: &Stretch) {
    let look = &frame.job.looks[pass.view.expect("it is a camera's").0];
    let Sums { texels, first_row, count } = look.sums.expect("it is declared for sums alone");
    let Tile { origin_px: [left, top], size_px: [width, height] } = look.drawn();
    let row_bytes = 16 * look.output.width_px;
    let usage = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST;
    let target =
        Target { width_px: width, height_px: height, ..Target::texture(ROW.name, Format::Rgba32Float, [0; 2]) };
    let sums = resources::texture(frame.device(), &target, Format::Rgba32Float, usage);
    let layout = wgpu::TexelCopyBufferLayout {
        offset: u64::from(top - first_row) * u64::from(row_bytes) + 16 * u64::from(left),
        bytes_per_row: Some(row_bytes),
        rows_per_image: Some(height),
    };
    let extent = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
    frame.queue().write_texture(sums.as_image_copy(), bytemuck::cast_slice(texels), layout, extent);
    let uniform = [1.0 / count as f32, 0.0, 0.0, 0.0];
    let uniform = filled(frame.device(), ROW.name, wgpu::BufferUsages::UNIFORM, bytemuck::cast_slice(&uniform));
    let sums = sums.create_view(&Default::default());
    let bound =
        &[(0, UNIFORM, uniform.as_entire_binding()), (1, TEXTURE_RAW, wgpu::BindingResource::TextureView(&sums))];
    let shown = Cover { name: ROW.name, text: shader::mean(), fragment: "mean", bound, over: false };
    cover(frame, encoder, (pass, stretch), shown);
}
