//! Specular: the cube prefiltered by GGX, one level a roughness.

use super::super::bind::{FRAGMENT, SAMPLER, TEXTURE_CUBE, UNIFORM, filled, group, layout};
use super::super::environment::{Surroundings, lobe};
use super::super::frame::Frame;
use super::super::pipeline::{LINEAR, screen_pipeline};
use super::radiance::strip;
use crate::shader;

pub fn record(encoder: &mut wgpu::CommandEncoder, frame: &Frame<'_>, around: &Surroundings) {
    let device = frame.device();
    let cubes = around.around.cubes;
    let (radiance, specular) = (frame.target("radiance"), frame.target("specular"));
    // A mirror shows what is there.
    let faces = wgpu::Extent3d { width: cubes.size, height: cubes.size, depth_or_array_layers: 6 };
    encoder.copy_texture_to_texture(radiance.as_image_copy(), specular.as_image_copy(), faces);
    if cubes.levels == 1 {
        return;
    }
    let entries = [(0, FRAGMENT, UNIFORM), (1, FRAGMENT, TEXTURE_CUBE), (2, FRAGMENT, SAMPLER)];
    let layout = layout(device, "prefilter", &entries);
    let groups = [Some(&layout)];
    let text = frame.text(shader::prefilter());
    let pipeline = screen_pipeline(device, "prefilter", &text, "prefilter_strip", &groups, LINEAR, None);
    let view = radiance.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::Cube),
        ..Default::default()
    });
    for level in 1..cubes.levels {
        let uniform = filled(device, "prefilter", wgpu::BufferUsages::UNIFORM, &lobe(cubes, level));
        let resources = [
            (0, uniform.as_entire_binding()),
            (1, wgpu::BindingResource::TextureView(&view)),
            (2, wgpu::BindingResource::Sampler(&around.sampler)),
        ];
        let group = group(device, "prefilter", &layout, &resources);
        strip(encoder, device, &pipeline, &[&group], specular, cubes.size >> level, level);
    }
}
