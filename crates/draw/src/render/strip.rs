//! Strip: how the levels of a cube are drawn: six faces side by side, then copied into it.

use super::bind::{filled, group};
use super::ladder::Place;
use super::shaders::Screen;
use crate::frame::Format;

const STRIP_FORMAT: Format = Format::Rgba16Float;

/// What draws strips: a text and the entry point of its fragment stage.
pub fn strip_screen<'a>(
    name: &'a str,
    text: String,
    fragment: &'static str,
    groups: &'a [&'a wgpu::BindGroupLayout],
) -> Screen<'a> {
    Screen { name, text, fragment, groups, formats: vec![STRIP_FORMAT], samples: 1, behind: false, over: false }
}

/// What a text reads that makes a strip of a cube, or of an array of them: numbers, the cube, how it is sampled.
pub fn cube_group(
    device: &wgpu::Device,
    name: &str,
    layout: &wgpu::BindGroupLayout,
    uniform: &[u8],
    cube: &wgpu::TextureView,
    sampler: &wgpu::Sampler,
) -> wgpu::BindGroup {
    let uniform = filled(device, name, wgpu::BufferUsages::UNIFORM, uniform);
    let resources = [
        (0, uniform.as_entire_binding()),
        (1, wgpu::BindingResource::TextureView(cube)),
        (2, wgpu::BindingResource::Sampler(sampler)),
    ];
    group(device, name, layout, &resources)
}

/// Draws the faces of a level and copies them into one of the cubes.
pub fn strip(
    encoder: &mut wgpu::CommandEncoder,
    device: &wgpu::Device,
    (pipeline, groups): (&wgpu::RenderPipeline, &[&wgpu::BindGroup]),
    cubes: &wgpu::Texture,
    place: Place,
) {
    let size = cubes.width() >> place.level;
    let strip = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("strip"),
        size: wgpu::Extent3d { width: size * 6, height: size, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: super::resources::format_of(STRIP_FORMAT),
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let view = strip.create_view(&wgpu::TextureViewDescriptor::default());
    let ops = wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT), store: wgpu::StoreOp::Store };
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
            mip_level: place.level,
            origin: wgpu::Origin3d { x: 0, y: 0, z: place.cube * 6 + face },
            ..cubes.as_image_copy()
        };
        let extent = wgpu::Extent3d { width: size, height: size, depth_or_array_layers: 1 };
        encoder.copy_texture_to_texture(from, to, extent);
    }
}
