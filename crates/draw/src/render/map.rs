//! Map: the shadow map that a pass is for, and its part of its layer.

use super::frame::Frame;
use crate::frame::{Eye, Pass};
use crate::light::MapView;

/// The map that a pass is for.
pub fn map_of<'a>(frame: &Frame<'a>, pass: &Pass) -> &'a MapView {
    let view = pass.view.expect("it is a map's");
    let Eye::Map { camera, map } = frame.prepared.plan.views[view.0].eye else { unreachable!("it is a map's") };
    &frame.prepared.lit[camera.0].maps.views[map]
}

/// Draws into the map's part of its layer alone.
pub fn keep_inside(render: &mut wgpu::RenderPass<'_>, map: &MapView) {
    let [x, y] = map.corner_px.map(|at| at as f32);
    render.set_viewport(x, y, map.size_px as f32, map.size_px as f32, 0.0, 1.0);
}
