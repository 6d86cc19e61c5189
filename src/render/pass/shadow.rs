//! Shadow: depth from a light into one layer.

use super::super::frame::Frame;
use super::{cleared_depth, draw};

/// Records the map of `view_index` of the frame's maps.
pub fn record(encoder: &mut wgpu::CommandEncoder, frame: &Frame<'_>, view_index: usize) {
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
        depth_stencil_attachment: Some(cleared_depth(&layer, true)),
        ..Default::default()
    });
    frame.set_view(&mut pass, 1 + view_index);
    pass.set_bind_group(3, &frame.object_group, &[]);
    draw(&mut pass, frame, &frame.prepared.objects.casters[view_index], 1);
}
