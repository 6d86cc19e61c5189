//! Aov: depth, normal, albedo and id at pixel centres, one sample.

use super::super::capture::Stretch;
use super::super::frame::Frame;
use super::{cleared, cleared_depth, draw};

pub fn record(encoder: &mut wgpu::CommandEncoder, frame: &Frame<'_>, stretch: &Stretch) {
    let views = [frame.view("normal_depth"), frame.view("albedo_id")];
    let depth = frame.view("aov_depth");
    let color = views.each_ref().map(|view| {
        let ops = cleared(wgpu::Color::TRANSPARENT, stretch, true);
        Some(wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops })
    });
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("aov"),
        color_attachments: &color,
        depth_stencil_attachment: Some(cleared_depth(&depth, stretch, false)),
        ..Default::default()
    });
    frame.set_view(&mut pass, 0);
    draw(&mut pass, frame, stretch.of(&frame.prepared.objects.aov, 0), 1);
}
