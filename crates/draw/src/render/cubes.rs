//! Cubes: light from around as bytes, so that whoever calls can keep it from one run to the next.
//!
//! In: a job, and uploads that hold the cubes or do not. Out: a name for them, of everything that they depend on, and
//! their texels. Never here: files. Bytes are those of `parts`, one after the other, rows without padding.

use super::adapter::{Gpu, RenderError};
use super::cast::Casts;
use super::job::{Capture, Job};
use super::pass::{radiance, specular};
use super::readback;
use super::resources::{Stored, texture, write_part};
use super::sky::Around;
use super::uploads::Uploads;
use crate::asset::Texels;
use crate::fault::RenderFault;
use crate::frame::{Part, Plan, Target, ViewId};
use crate::shader;

/// What the cubes are computed by besides shaders.
const SOURCES: [&str; 7] = [
    include_str!("ladder.rs"),
    include_str!("sky.rs"),
    include_str!("pass/radiance.rs"),
    include_str!("pass/sources.rs"),
    include_str!("pass/blur.rs"),
    include_str!("pass/specular.rs"),
    include_str!("pass/directions.rs"),
];

/// The targets that last, with the parts of them that anybody reads.
fn parts(around: &Around) -> [(Target, Vec<Part>); 2] {
    let (cube, cubes) = (radiance::target(around), specular::target(around));
    let ladder = around.ladder();
    let levels = cube.parts().collect();
    [(cube, levels), (cubes, (0..around.steps).map(|step| ladder.step(step).part()).collect())]
}

/// Names of the layers of light from around that a plan can leave.
pub fn around_layers(plan: &Plan) -> Vec<String> {
    let level = |kind: &str, level: u32| format!("{kind}.{level}");
    let is_there = |name: &String| plan.layer(ViewId(0), name).is_some();
    let of = |kind| (0..).map(move |number| level(kind, number)).take_while(is_there);
    of(radiance::RADIANCE).chain(of(specular::SPECULAR)).collect()
}

impl Uploads {
    /// The name of the cubes of what is around: equal names, equal texels. `None` where there are none to keep, they
    /// are here already, or somebody looks at how they are made.
    pub fn cubes_name(&mut self, gpu: &Gpu, job: &Job<'_>) -> Option<String> {
        let contract = gpu.contract?;
        if job.capture != Capture::Off || job.memory.poison || self.shaders.fault != RenderFault::default() {
            return None;
        }
        let around = super::prepare::around_of(job, &mut self.smoothest)?;
        if around.ladder().is_single() || !self.kept.names(Some(&around), &Casts::default()).is_empty() {
            return None;
        }
        let mut hasher = blake3::Hasher::new();
        let made_by = [
            shader::fill(around.radiance),
            shader::halve(around.radiance),
            shader::sources(),
            shader::blur(),
            shader::sum(),
            shader::prefilter(),
            shader::directions(),
        ];
        for text in SOURCES.into_iter().chain(made_by.iter().map(String::as_str)) {
            hasher.update(text.as_bytes());
        }
        let Around { cube_px, directions, steps, cube_scale, .. } = around;
        hasher.update(bytemuck::cast_slice(&[contract, cube_px, directions, steps, cube_scale.to_bits()]));
        hasher.update(bytemuck::cast_slice(&around.source));
        if let Some(map) = job.environment_map {
            hasher.update(bytemuck::cast_slice(&[map.image.width_px, map.image.height_px]));
            hasher.update(match &map.image.texels {
                Texels::Rgba8(texels) => texels,
                Texels::Rgba16(texels) => bytemuck::cast_slice(texels),
                Texels::Rgba32Float(texels) => bytemuck::cast_slice(texels),
            });
        }
        Some(hasher.finalize().to_hex().to_string())
    }

    /// Takes in cubes of the name that [`Uploads::cubes_name`] gave for this job; nothing, and `false`, where there
    /// are too few bytes or too many.
    pub fn take_in_cubes(&mut self, gpu: &Gpu, job: &Job<'_>, bytes: &[u8]) -> bool {
        let Some(around) = super::prepare::around_of(job, &mut self.smoothest) else { return false };
        let parts = parts(&around);
        let size = |target: &Target, part: &Part| {
            let [width, height] = target.part_size(*part);
            8 * width as usize * height as usize
        };
        let whole: usize = parts.iter().flat_map(|(target, of)| of.iter().map(|part| size(target, part))).sum();
        if whole != bytes.len() {
            return false;
        }
        self.kept.fit_around(Some(&around));
        let mut rest = bytes;
        for (target, of) in &parts {
            let format = target.format.expect("a cube is a texture");
            let usage =
                wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_SRC | wgpu::TextureUsages::COPY_DST;
            let texture = texture(&gpu.device, target, format, usage);
            for part in of {
                let (texels, after) = rest.split_at(size(target, part));
                rest = after;
                write_part(&gpu.queue, (&texture, target), *part, texels);
            }
            self.kept.targets.insert(target.name, Stored::Texture(texture));
        }
        true
    }

    /// The cubes as bytes, where the picture that was drawn last has made them.
    ///
    /// Errors: the device is lost.
    pub fn cubes(&self, gpu: &Gpu) -> Result<Option<Vec<u8>>, RenderError> {
        let Some(around) = self.kept.around() else { return Ok(None) };
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pending = Vec::new();
        for (target, of) in parts(around) {
            let Some(stored) = self.kept.targets.get(target.name) else { return Ok(None) };
            pending.extend(of.iter().map(|part| readback::record_part(&gpu.device, &mut encoder, stored, *part)));
        }
        gpu.queue.submit([encoder.finish()]);
        let mut out = Vec::new();
        for part in pending {
            out.extend(part.take(gpu)?);
        }
        Ok(Some(out))
    }
}
