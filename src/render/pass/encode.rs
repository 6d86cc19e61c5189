//! Encode: the linear picture becomes the picture people get.

use super::super::bind::{FRAGMENT, TEXTURE_RAW, UNIFORM, filled, group, layout};
use super::super::frame::{Frame, format_of};
use super::super::pipeline::screen_pipeline;
use super::super::prepare::curve;
use super::written;
use crate::frame::Colour;
use crate::scene::Background;
use crate::shader;

pub fn record(encoder: &mut wgpu::CommandEncoder, frame: &Frame<'_>, colour: Colour) {
    let device = frame.device();
    let background = match frame.job.output.background {
        Background::Color([r, g, b]) => [r, g, b, 1.0],
        // Where there is no environment to be seen there is black.
        Background::Environment => [0.0, 0.0, 0.0, 1.0],
        Background::Transparent => [0.0; 4],
        Background::Auto => unreachable!("settled when the files were loaded"),
    };
    let uniform = filled(device, "encode", wgpu::BufferUsages::UNIFORM, bytemuck::cast_slice(&background));
    let layout = layout(device, "encode", &[(0, FRAGMENT, UNIFORM), (1, FRAGMENT, TEXTURE_RAW)]);
    let linear = frame.view("linear");
    let resources = [(0, uniform.as_entire_binding()), (1, wgpu::BindingResource::TextureView(&linear))];
    let group = group(device, "encode", &layout, &resources);
    let fragment = match colour {
        Colour::Srgb8 => "encode_8",
        Colour::Srgb16 => "encode_16",
        Colour::Linear32 => "encode_32",
    };
    let target = frame.target("encoded");
    let text = frame.text(shader::encode(curve(frame.job.output.tonemap)));
    let format = format_of(frame.planned("encoded").format);
    let pipeline = screen_pipeline(device, "encode", &text, fragment, &[Some(&layout)], format, None);
    let view = target.create_view(&wgpu::TextureViewDescriptor::default());
    let ops = written();
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("encode"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: &view,
            depth_slice: None,
            resolve_target: None,
            ops,
        })],
        ..Default::default()
    });
    pass.set_pipeline(&pipeline);
    pass.set_bind_group(0, &group, &[]);
    pass.draw(0..3, 0..1);
}
