//! Passes: one file each, a function that records it.

pub mod aov;
pub mod encode;
pub mod motion;
pub mod radiance;
pub mod scene;
pub mod shadow;
pub mod specular;

use super::capture::Stretch;
use super::frame::Frame;
use super::object::Batch;
use super::pipeline::Wanted;

/// Draws batches: pipeline, material, objects, streams and instances of each, set where they change.
pub fn draw(pass: &mut wgpu::RenderPass<'_>, frame: &Frame<'_>, batches: &[Batch], samples: u32) {
    let mut last: Option<(&Batch, Wanted)> = None;
    for batch in batches {
        let wanted = Wanted::new(batch, samples);
        let pipeline_changes = last.is_none_or(|(_, before)| before != wanted);
        if pipeline_changes {
            pass.set_pipeline(frame.pipelines.pipeline(&wanted));
        }
        let geometry_changes = pipeline_changes
            || last.is_some_and(|(before, _)| {
                (before.geometry, before.bent, before.crowd.map(|of| of.0))
                    != (batch.geometry, batch.bent, batch.crowd.map(|of| of.0))
            });
        if geometry_changes {
            pass.set_bind_group(3, frame.objects_of(batch), &[]);
        }
        let material_changes = pipeline_changes || last.is_some_and(|(before, _)| before.material != batch.material);
        if material_changes && let Some(group) = frame.materials.group(batch.material, &batch.key) {
            pass.set_bind_group(2, group, &[]);
        }
        let geometry = &frame.geometries[&batch.geometry];
        if geometry_changes {
            geometry.bind(pass, &crate::material::streams(&batch.key), frame.bent(batch));
        }
        pass.draw_indexed(0..geometry.index_count, 0, batch.first..batch.first + batch.count);
        last = Some((batch, wanted));
    }
}

/// What a colour target is when a stretch of a pass begins, and what becomes of it.
pub fn cleared(color: wgpu::Color, stretch: &Stretch, keep: bool) -> wgpu::Operations<wgpu::Color> {
    let load = if stretch.is_first() { wgpu::LoadOp::Clear(color) } else { wgpu::LoadOp::Load };
    wgpu::Operations { load, store: stored(stretch, keep) }
}

/// Reversed Z: 0 is as far as can be.
pub fn cleared_depth<'a>(
    view: &'a wgpu::TextureView,
    stretch: &Stretch,
    keep: bool,
) -> wgpu::RenderPassDepthStencilAttachment<'a> {
    let load = if stretch.is_first() { wgpu::LoadOp::Clear(0.0) } else { wgpu::LoadOp::Load };
    let depth_ops = Some(wgpu::Operations { load, store: stored(stretch, keep) });
    wgpu::RenderPassDepthStencilAttachment { view, depth_ops, stencil_ops: None }
}

fn stored(stretch: &Stretch, keep: bool) -> wgpu::StoreOp {
    if keep || !stretch.is_last() { wgpu::StoreOp::Store } else { wgpu::StoreOp::Discard }
}

/// A target that is written whole.
pub fn written() -> wgpu::Operations<wgpu::Color> {
    cleared(wgpu::Color::TRANSPARENT, &Stretch::all(1), true)
}
