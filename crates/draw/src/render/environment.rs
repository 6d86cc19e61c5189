//! Environment: what the passes of light from around, and those that use it, share on the device.

use super::adapter::Gpu;
use super::bind::{FRAGMENT, Layouts, SAMPLER, TEXTURE, TEXTURE_CUBE, UNIFORM, filled, group};
use super::job::AroundImage;
use super::ladder::Ladder;
use super::sky::Around;
use crate::shader::{ALBEDO_SIZE, Radiance, albedo_table};

#[derive(Debug)]
pub struct Surroundings {
    pub around: Around,
    /// Group 1 of texts with `radiance`.
    pub source_layout: wgpu::BindGroupLayout,
    pub source_group: wgpu::BindGroup,
    /// `Environment` of `shader/environment.wgsl`.
    pub uniform: wgpu::Buffer,
    pub albedo: wgpu::TextureView,
    pub sampler: wgpu::Sampler,
    pub texture_bytes: u64,
}

impl Surroundings {
    /// Uploads the environment's picture, if it is one, and the table.
    pub fn new(gpu: &Gpu, layouts: &mut Layouts, around: &Around, map: Option<AroundImage<'_>>) -> Surroundings {
        let (device, queue) = (&gpu.device, &gpu.queue);
        let source = bytemuck::cast_slice(&around.source);
        let source = filled(device, "radiance source", wgpu::BufferUsages::UNIFORM, source);
        let mut texture_bytes = 0;
        let (source_layout, source_group) = if let Radiance::Map | Radiance::Faces = around.radiance {
            let AroundImage { image, is_faces, .. } = map.expect("the world loads the picture that the scene names");
            let (layers, dimension, ty) = match is_faces {
                true => (6, wgpu::TextureViewDimension::Cube, TEXTURE_CUBE),
                false => (1, wgpu::TextureViewDimension::D2, TEXTURE),
            };
            let (texture, bytes) = super::texture::upload_map(gpu, image, layers, around.source[0][0]);
            texture_bytes += bytes;
            let view =
                texture.create_view(&wgpu::TextureViewDescriptor { dimension: Some(dimension), ..Default::default() });
            let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("radiance map"),
                address_mode_u: wgpu::AddressMode::Repeat,
                ..linear_sampler()
            });
            let entries = [(0, FRAGMENT, UNIFORM), (1, FRAGMENT, ty), (2, FRAGMENT, SAMPLER)];
            let layout = layouts.layout(device, "radiance map", &entries);
            let resources = [
                (0, source.as_entire_binding()),
                (1, wgpu::BindingResource::TextureView(&view)),
                (2, wgpu::BindingResource::Sampler(&sampler)),
            ];
            let group = group(device, "radiance map", &layout, &resources);
            (layout, group)
        } else {
            let layout = layouts.layout(device, "radiance source", &[(0, FRAGMENT, UNIFORM)]);
            let group = group(device, "radiance source", &layout, &[(0, source.as_entire_binding())]);
            (layout, group)
        };
        Surroundings {
            around: around.clone(),
            source_layout,
            source_group,
            uniform: filled(device, "environment", wgpu::BufferUsages::UNIFORM, &environment_bytes(around)),
            albedo: upload_albedo(device, queue),
            // Levels are chosen one by one: the next one may be another cube's, or nobody's.
            sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("environment"),
                mipmap_filter: wgpu::MipmapFilterMode::Nearest,
                ..linear_sampler()
            }),
            texture_bytes: texture_bytes + u64::from(ALBEDO_SIZE * ALBEDO_SIZE * 8),
        }
    }
}

/// `Environment` of `shader/environment.wgsl`.
fn environment_bytes(around: &Around) -> Vec<u8> {
    let ladder = around.ladder();
    let last = ladder.steps() - 1;
    let turn = [around.turn[0], around.turn[1], around.cube_scale * around.intensity, Ladder::roughness(last) as f32];
    let mut out: Vec<u8> = turn.iter().flat_map(|number| number.to_le_bytes()).collect();
    out.extend([last, ladder.levels() - 1, 0, 0].iter().flat_map(|word| word.to_le_bytes()));
    out
}

fn linear_sampler() -> wgpu::SamplerDescriptor<'static> {
    wgpu::SamplerDescriptor {
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        mipmap_filter: wgpu::MipmapFilterMode::Linear,
        ..Default::default()
    }
}

fn upload_albedo(device: &wgpu::Device, queue: &wgpu::Queue) -> wgpu::TextureView {
    let size = wgpu::Extent3d { width: ALBEDO_SIZE, height: ALBEDO_SIZE, depth_or_array_layers: 1 };
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("albedo table"),
        size,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba16Float,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(ALBEDO_SIZE * 8), rows_per_image: None };
    queue.write_texture(texture.as_image_copy(), bytemuck::cast_slice(&albedo_table()), layout, size);
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}
