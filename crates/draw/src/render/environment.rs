//! Environment: the cubes, harmonics and tables of light from around, and the numbers that make them.

use glam::Vec3;
use stillframe_base::math::ops;

use super::adapter::Gpu;
use super::bind::{FRAGMENT, Layouts, SAMPLER, TEXTURE, UNIFORM, filled, group};
use super::sky::{Around, Cubes};
use crate::asset::Image;
use crate::shader::{ALBEDO_SIZE, Radiance, albedo_table};

/// What the passes that make the cubes, and those that use them, share.
#[derive(Debug)]
pub struct Surroundings {
    pub around: Around,
    /// Group 1 of texts with `radiance`.
    pub source_layout: wgpu::BindGroupLayout,
    pub source_group: wgpu::BindGroup,
    pub albedo: wgpu::TextureView,
    pub sampler: wgpu::Sampler,
    pub texture_bytes: u64,
}

impl Surroundings {
    /// Uploads the environment's picture, if it is one, and the table.
    pub fn new(gpu: &Gpu, layouts: &mut Layouts, around: &Around, map: Option<&Image>) -> Surroundings {
        let (device, queue) = (&gpu.device, &gpu.queue);
        let source = bytemuck::cast_slice(&around.source);
        let source = filled(device, "radiance source", wgpu::BufferUsages::UNIFORM, source);
        let mut texture_bytes = 0;
        let (source_layout, source_group) = if around.radiance == Radiance::Map {
            let image = map.expect("the world loads the picture that the scene names");
            let (texture, bytes) = super::texture::upload_map(gpu, image, around.source[0][0]);
            texture_bytes += bytes;
            let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
            let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("radiance map"),
                address_mode_u: wgpu::AddressMode::Repeat,
                ..linear_sampler()
            });
            let entries = [(0, FRAGMENT, UNIFORM), (1, FRAGMENT, TEXTURE), (2, FRAGMENT, SAMPLER)];
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
            albedo: upload_albedo(device, queue),
            sampler: device.create_sampler(&wgpu::SamplerDescriptor { label: Some("environment"), ..linear_sampler() }),
            texture_bytes: texture_bytes + u64::from(ALBEDO_SIZE * ALBEDO_SIZE * 8),
        }
    }
}

/// Of `Environment` of `shader/environment.wgsl`.
pub const ENVIRONMENT_BYTES: u32 = 160;

/// The part of it that comes before the harmonics.
pub fn environment_head(around: &Around) -> [f32; 4] {
    [around.turn[0], around.turn[1], around.cube_scale * around.intensity, (around.cubes.levels - 1) as f32]
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

/// Samples a lobe has at most: the length of the array in `shader/prefilter.wgsl`.
const SAMPLES_MAX: usize = 64;

/// `Prefilter` of `shader/prefilter.wgsl` for one level of the specular cube.
///
/// Hammersley points, GGX importance sampling; each sample reads the level whose texels are as large as its share of
/// the lobe, and one more, which costs no sharpness that the lobe has.
pub fn lobe(cubes: Cubes, level: u32) -> Vec<u8> {
    let roughness = level as f32 / (cubes.levels - 1) as f32;
    let alpha = (roughness * roughness).max(0.002025);
    let a2 = alpha * alpha;
    // A narrow lobe needs few samples: neighbouring ones would read the same texels.
    let count = if roughness < 0.2 { SAMPLES_MAX / 4 } else { SAMPLES_MAX / 2 };
    let texel_sr = 4.0 * std::f32::consts::PI / (6.0 * (cubes.size * cubes.size) as f32);
    let mut samples = [[0.0f32; 4]; SAMPLES_MAX];
    let mut weight = 0.0;
    let mut kept = 0;
    for i in 0..count {
        let u = (i as f32 + 0.5) / count as f32;
        let turn = (i as u32).reverse_bits() as f32 / 4294967296.0;
        let (sin_phi, cos_phi) = ops::sin_cos(turn * std::f32::consts::TAU);
        let cos2 = (1.0 - u) / (1.0 + (a2 - 1.0) * u);
        let (cos, sin) = (cos2.sqrt(), (1.0 - cos2).max(0.0).sqrt());
        let h = Vec3::new(sin * cos_phi, sin * sin_phi, cos);
        let l = h * (2.0 * h.z) - Vec3::Z;
        if l.z <= 0.0 {
            continue;
        }
        let d = h.z * h.z * (a2 - 1.0) + 1.0;
        // With n = v the density of l is D / 4.
        let pdf = a2 / (std::f32::consts::PI * d * d) * 0.25;
        let share_sr = 1.0 / (count as f32 * pdf);
        let lod = (0.5 * ops::log2(share_sr / texel_sr) + 1.0).max(0.0);
        samples[kept] = [l.x, l.y, l.z, lod];
        weight += l.z;
        kept += 1;
    }
    let mut out = Vec::with_capacity(16 + SAMPLES_MAX * 16);
    out.extend_from_slice(&(cubes.size >> level).to_le_bytes());
    out.extend_from_slice(&(kept as u32).to_le_bytes());
    out.extend_from_slice(&(1.0f32 / weight).to_le_bytes());
    out.extend_from_slice(&[0; 4]);
    out.extend_from_slice(bytemuck::cast_slice(&samples));
    out
}

/// The level whose texels the harmonics sum: faces of 32 texels, or all there are.
pub fn harmonics_level(cubes: Cubes) -> u32 {
    cubes.size.ilog2().saturating_sub(5)
}

/// `Solid` of `shader/harmonics.wgsl`: solid angles of the texels of a face that is `size` wide.
///
/// Each is the mean of 4 x 4 points of (1 + u^2 + v^2)^(-3/2), and all are scaled so that six faces make 4 pi.
pub fn solid_angles(size: u32, level: u32) -> Vec<u8> {
    let fine = f64::from(size) * 4.0;
    let mut values = Vec::with_capacity((size * size) as usize);
    for y in 0..size {
        for x in 0..size {
            let mut sum = 0.0;
            for j in 0..4 {
                for i in 0..4 {
                    let u = (f64::from(x * 4 + i) + 0.5) / fine * 2.0 - 1.0;
                    let v = (f64::from(y * 4 + j) + 0.5) / fine * 2.0 - 1.0;
                    let r2 = 1.0 + u * u + v * v;
                    sum += 1.0 / (r2 * r2.sqrt());
                }
            }
            values.push(sum);
        }
    }
    let scale = 4.0 * std::f64::consts::PI / 6.0 / values.iter().sum::<f64>();
    let mut out = Vec::with_capacity(8 + values.len() * 4);
    out.extend_from_slice(&size.to_le_bytes());
    out.extend_from_slice(&level.to_le_bytes());
    values.iter().for_each(|value| out.extend_from_slice(&((value * scale) as f32).to_le_bytes()));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(bytes: &[u8]) -> Vec<f32> {
        bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
    }

    #[test]
    fn six_faces_make_a_sphere() {
        for size in [4, 32] {
            let values = floats(&solid_angles(size, 0)[8..]);
            let sum: f64 = values.iter().map(|&v| f64::from(v)).sum::<f64>() * 6.0;
            assert!((sum - 4.0 * std::f64::consts::PI).abs() < 1e-5, "{sum}");
            // A corner's texel is about 5.2 times smaller than a middle one's.
            assert!(values[0] < values[(size * size / 2 + size / 2) as usize] * 0.5);
        }
    }

    #[test]
    fn samples_are_unit_and_weigh_one() {
        let cubes = Cubes { size: 64, levels: 5 };
        for level in 1..5 {
            let bytes = lobe(cubes, level);
            assert_eq!(bytes.len(), 16 + 64 * 16);
            let count = u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]) as usize;
            let values = floats(&bytes);
            let samples: Vec<&[f32]> = values[4..].chunks_exact(4).take(count).collect();
            let sum: f32 = samples.iter().map(|s| s[2]).sum();
            assert!((sum * values[2] - 1.0).abs() < 1e-5 && count >= 12, "{count}");
            for s in samples {
                let length = Vec3::new(s[0], s[1], s[2]).length();
                assert!((length - 1.0).abs() < 1e-4 && (0.0..8.0).contains(&s[3]), "{s:?}");
            }
        }
    }
}
