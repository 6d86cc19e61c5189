//! Scene: opaque items, the background, blended items, and the resolve.

use super::super::capture::Stretch;
use super::super::frame::Frame;
use super::{cleared, cleared_depth, draw};

/// Opaque batches, the background where there is one, blended batches.
pub fn draw_count(frame: &Frame<'_>) -> usize {
    let objects = &frame.prepared.objects;
    objects.lit_opaque.len() + usize::from(frame.background.is_some()) + objects.lit_blended.len()
}

pub fn record(encoder: &mut wgpu::CommandEncoder, frame: &Frame<'_>, stretch: &Stretch) {
    let samples = frame.job.output.samples;
    let linear = frame.view("linear");
    let depth = frame.view("depth");
    // Nothing is there yet: no light, no coverage.
    let (target, resolve) = match samples {
        1 => (linear, None),
        _ => (frame.view("samples"), Some(&linear)),
    };
    let color = wgpu::RenderPassColorAttachment {
        view: &target,
        depth_slice: None,
        resolve_target: resolve,
        ops: cleared(wgpu::Color::TRANSPARENT, stretch, samples == 1),
    };
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("scene"),
        color_attachments: &[Some(color)],
        depth_stencil_attachment: Some(cleared_depth(&depth, stretch, false)),
        ..Default::default()
    });
    let objects = &frame.prepared.objects;
    frame.set_view(&mut pass, 0);
    if let Some(lights) = &frame.light_group {
        pass.set_bind_group(1, lights, &[]);
    }
    let background_at = objects.lit_opaque.len();
    draw(&mut pass, frame, stretch.of(&objects.lit_opaque, 0), samples);
    if let Some(background) = frame.background.as_ref().filter(|_| stretch.holds(background_at)) {
        pass.set_pipeline(&background.pipeline);
        pass.set_bind_group(1, &background.source_group, &[]);
        pass.set_bind_group(2, &background.group, &[]);
        pass.draw(0..3, 0..1);
        if let Some(lights) = &frame.light_group {
            pass.set_bind_group(1, lights, &[]);
        }
    }
    let blended_at = background_at + usize::from(frame.background.is_some());
    draw(&mut pass, frame, stretch.of(&objects.lit_blended, blended_at), samples);
}
