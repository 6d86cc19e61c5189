//! Motion: where each surface point was one frame before, at pixel centres, one sample.

use super::super::capture::Stretch;
use super::super::frame::Frame;
use super::{cleared, cleared_depth, draw};

pub fn record(encoder: &mut wgpu::CommandEncoder, frame: &Frame<'_>, stretch: &Stretch) {
    let (view, depth) = (frame.view("motion"), frame.view("motion_depth"));
    let ops = cleared(wgpu::Color::TRANSPARENT, stretch, true);
    let color = wgpu::RenderPassColorAttachment { view: &view, depth_slice: None, resolve_target: None, ops };
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("motion"),
        color_attachments: &[Some(color)],
        depth_stencil_attachment: Some(cleared_depth(&depth, stretch, false)),
        ..Default::default()
    });
    frame.set_view(&mut pass, 0);
    draw(&mut pass, frame, stretch.of(&frame.prepared.objects.motion, 0), 1);
}
