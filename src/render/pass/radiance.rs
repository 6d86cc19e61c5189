//! Radiance: the cube of what comes from around, all its levels, and its harmonics.

use super::super::bind::{
    COMPUTE, FRAGMENT, STORAGE_READ, STORAGE_WRITE, TEXTURE_FACES, UNIFORM, filled, group, layout,
};
use super::super::environment::{Surroundings, harmonics_level, solid_angles};
use super::super::frame::Frame;
use super::super::pipeline::{LINEAR, screen_pipeline};
use super::written;
use crate::shader;

/// Fills the first level from the source, then halves it down to one texel.
pub fn record(encoder: &mut wgpu::CommandEncoder, frame: &Frame<'_>, around: &Surroundings) {
    let device = frame.device();
    let cube = frame.target("radiance");
    let size = around.around.cubes.size;

    let mut words = size.to_le_bytes().to_vec();
    words.extend_from_slice(&(1.0 / around.around.cube_scale).to_le_bytes());
    let uniform = filled(device, "fill", wgpu::BufferUsages::UNIFORM, &words);
    let fill_layout = layout(device, "fill", &[(0, FRAGMENT, UNIFORM)]);
    let fill = group(device, "fill", &fill_layout, &[(0, uniform.as_entire_binding())]);
    let text = frame.text(shader::fill(around.around.radiance));
    let groups = [Some(&fill_layout), Some(&around.source_layout)];
    let pipeline = screen_pipeline(device, "fill", &text, "fill_strip", &groups, LINEAR, None);
    let bound = [&fill, &around.source_group];
    strip(encoder, device, &pipeline, &bound, cube, size, 0);

    if cube.mip_level_count() == 1 {
        return;
    }
    let halve_layout = layout(device, "halve", &[(0, FRAGMENT, UNIFORM), (1, FRAGMENT, TEXTURE_FACES)]);
    let groups = [Some(&halve_layout)];
    let pipeline = screen_pipeline(device, "halve", &frame.text(shader::halve()), "halve_strip", &groups, LINEAR, None);
    for level in 1..cube.mip_level_count() {
        // One level is bound at a time: the next one is written.
        let above = cube.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2Array),
            base_mip_level: level - 1,
            mip_level_count: Some(1),
            ..Default::default()
        });
        let words = [size >> level, 0];
        let uniform = filled(device, "halve", wgpu::BufferUsages::UNIFORM, bytemuck::cast_slice(&words));
        let resources = [(0, uniform.as_entire_binding()), (1, wgpu::BindingResource::TextureView(&above))];
        let halve = group(device, "halve", &halve_layout, &resources);
        strip(encoder, device, &pipeline, &[&halve], cube, size >> level, level);
    }
}

/// Draws the six faces of a level side by side and copies them into the cube.
pub fn strip(
    encoder: &mut wgpu::CommandEncoder,
    device: &wgpu::Device,
    pipeline: &wgpu::RenderPipeline,
    groups: &[&wgpu::BindGroup],
    cube: &wgpu::Texture,
    size: u32,
    level: u32,
) {
    let strip = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("strip"),
        size: wgpu::Extent3d { width: size * 6, height: size, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: LINEAR,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let view = strip.create_view(&wgpu::TextureViewDescriptor::default());
    let ops = written();
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("strip"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: &view,
            depth_slice: None,
            resolve_target: None,
            ops,
        })],
        ..Default::default()
    });
    pass.set_pipeline(pipeline);
    for (index, group) in (0..).zip(groups) {
        pass.set_bind_group(index, *group, &[]);
    }
    pass.draw(0..3, 0..1);
    drop(pass);
    for face in 0..6 {
        let from = wgpu::TexelCopyTextureInfo {
            origin: wgpu::Origin3d { x: face * size, y: 0, z: 0 },
            ..strip.as_image_copy()
        };
        let to = wgpu::TexelCopyTextureInfo {
            mip_level: level,
            origin: wgpu::Origin3d { x: 0, y: 0, z: face },
            ..cube.as_image_copy()
        };
        let extent = wgpu::Extent3d { width: size, height: size, depth_or_array_layers: 1 };
        encoder.copy_texture_to_texture(from, to, extent);
    }
}

/// Sums the harmonics of a small level into the environment's buffer.
pub fn record_harmonics(encoder: &mut wgpu::CommandEncoder, frame: &Frame<'_>, around: &Surroundings) {
    let device = frame.device();
    let level = harmonics_level(around.around.cubes);
    let solid = solid_angles(around.around.cubes.size >> level, level);
    let solid = filled(device, "solid angles", wgpu::BufferUsages::STORAGE, &solid);
    let entries = [(0, COMPUTE, STORAGE_READ), (1, COMPUTE, TEXTURE_FACES), (2, COMPUTE, STORAGE_WRITE)];
    let layout = layout(device, "harmonics", &entries);
    let faces = frame.target("radiance").create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::D2Array),
        ..Default::default()
    });
    let resources = [
        (0, solid.as_entire_binding()),
        (1, wgpu::BindingResource::TextureView(&faces)),
        (2, around.uniform.as_entire_binding()),
    ];
    let group = group(device, "harmonics", &layout, &resources);
    let source = wgpu::ShaderSource::Wgsl(frame.text(shader::harmonics()).into());
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some("harmonics"), source });
    let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("harmonics"),
        bind_group_layouts: &[Some(&layout)],
        immediate_size: 0,
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some("harmonics"),
        layout: Some(&pipeline_layout),
        module: &module,
        entry_point: Some("harmonics"),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
    pass.set_pipeline(&pipeline);
    pass.set_bind_group(0, &group, &[]);
    pass.dispatch_workgroups(1, 1, 1);
}
