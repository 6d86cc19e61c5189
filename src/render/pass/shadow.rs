//! Shadow: depth from a light into one layer.

use super::super::capture::Stretch;
use super::super::frame::Frame;
use super::{cleared_depth, draw};
use crate::fault::StateEdit;

/// Records the map of `view_index` of the frame's maps.
pub fn record(encoder: &mut wgpu::CommandEncoder, frame: &Frame<'_>, view_index: usize, stretch: &Stretch) {
    let view = &frame.prepared.maps.views[view_index];
    let target = frame.target(if view.sun { "sun_maps" } else { "local_maps" });
    let layer = target.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::D2),
        base_array_layer: view.layer,
        array_layer_count: Some(1),
        ..Default::default()
    });
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("shadow"),
        depth_stencil_attachment: Some(cleared_depth(&layer, stretch, true)),
        ..Default::default()
    });
    frame.set_view(&mut pass, 1 + view_index);
    if frame.job.fault.has(StateEdit::ShadowLost) {
        return;
    }
    draw(&mut pass, frame, stretch.of(&frame.prepared.objects.casters[view_index], 0), 1);
}
