//! Probe upload: the cubes of probes as arrays on the device.

use std::sync::Arc;

use super::adapter::Gpu;
use super::bind::filled;
use super::probes::{Probes, words};
use super::resources::{texture, write_part};
use crate::frame::{Format, Part, Target};

/// Probes on the device.
#[derive(Debug)]
pub struct UploadedProbes {
    probes: Arc<Probes>,
    pub uniform: wgpu::Buffer,
    pub specular: wgpu::TextureView,
    pub mirrored: wgpu::TextureView,
}

impl UploadedProbes {
    pub fn new(gpu: &Gpu, probes: &Arc<Probes>) -> UploadedProbes {
        let (device, count, ladder) = (&gpu.device, probes.places.len() as u32, probes.ladder());
        assert_eq!(probes.cubes.len(), probes.places.len(), "every probe that is drawn has its cubes");
        let usage = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST;
        let cubes = |name, size_px, levels, cubes: u32| {
            let one = Target::cube(name, Format::Rgba16Float, size_px, levels);
            let target = Target { layers: 6 * cubes * count, ..one.clone() };
            (texture(device, &target, Format::Rgba16Float, usage), one)
        };
        let (mirrored, flat) = cubes("probe radiance", probes.cube_px, 1, 1);
        let (specular, steps) = cubes("probe specular", ladder.size_px, ladder.levels(), ladder.step_cubes());
        for (number, of) in (0..).zip(&probes.cubes) {
            let whole = Part { layers: 6, ..Part::WHOLE };
            write_part(&gpu.queue, (&mirrored, &flat), Part { first_layer: 6 * number, ..whole }, &of.radiance);
            for (step, texels) in (0..).zip(&of.steps) {
                let part = ladder.step(step).part();
                let first_layer = part.first_layer + 6 * ladder.step_cubes() * number;
                write_part(&gpu.queue, (&specular, &steps), Part { first_layer, ..part }, texels);
            }
        }
        let view = |texture: &wgpu::Texture| {
            texture.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::CubeArray),
                ..Default::default()
            })
        };
        UploadedProbes {
            probes: probes.clone(),
            uniform: filled(device, "probes", wgpu::BufferUsages::UNIFORM, bytemuck::cast_slice(&words(probes))),
            specular: view(&specular),
            mirrored: view(&mirrored),
        }
    }

    pub fn is_of(&self, probes: &Arc<Probes>) -> bool {
        Arc::ptr_eq(&self.probes, probes)
    }
}
