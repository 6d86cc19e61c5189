//! Frame: one picture on the device, from upload to texels.

use stillframe_base::par::Pool;

use super::adapter::{Gpu, RenderError};
use super::bend::{Bending, BentBuffer};
use super::bind::{FRAGMENT, UNIFORM, filled, group, layout};
use super::capture::{self, Capture, DrawCapture, PassCapture, Stretch, Texels, stretches};
use super::environment::Surroundings;
use super::geometry::{Geometries, upload};
use super::material::Materials;
use super::object::Batch;
use super::pass;
use super::pipeline::{LINEAR, Pipelines, Wanted, screen_pipeline};
use super::prepare::{Job, Prepared};
use super::readback;
use super::shadow::Maps;
use super::uniform::{LightUniform, MapUniform, VIEW_STRIDE_BYTES, ViewUniform};
use super::uploads::Uploads;
use crate::asset::is_same;
use crate::fault::{RenderFault, StateEdit};
use crate::frame::{Format, Part, PassKind, Target};
use crate::material;
use crate::scene::Background;
use crate::shader;

/// A picture on the device.
#[derive(Debug)]
pub struct Frame<'a> {
    gpu: &'a Gpu,
    pub(super) job: Job<'a>,
    pub(super) prepared: &'a Prepared,
    targets: Vec<wgpu::Texture>,
    pub(super) geometries: &'a Geometries,
    pub(super) materials: &'a Materials,
    pub(super) pipelines: &'a Pipelines,
    view_group: wgpu::BindGroup,
    object_group: wgpu::BindGroup,
    /// Objects and where they were.
    moving_group: Option<wgpu::BindGroup>,
    bending: Bending,
    pub(super) light_group: Option<wgpu::BindGroup>,
    surroundings: Option<&'a Surroundings>,
    /// Made by this picture or an earlier one.
    specular: Option<wgpu::Texture>,
    pub(super) background: Option<Backdrop>,
    buffer_bytes: u64,
    pending: Vec<readback::Pending>,
    captures: Vec<PassCapture>,
}

/// What draws the environment behind everything.
#[derive(Debug)]
pub struct Backdrop {
    pub pipeline: wgpu::RenderPipeline,
    pub source_group: wgpu::BindGroup,
    pub group: wgpu::BindGroup,
}

/// Texels of the outputs and figures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawn {
    /// As planned, with the names of their targets.
    pub outputs: Vec<(&'static str, Part, Texels)>,
    pub draws: u32,
    pub triangles: u64,
    pub pipelines: u32,
    pub texture_bytes: u64,
    pub buffer_bytes: u64,
    /// Every pass in order, where they were looked at.
    pub captures: Vec<PassCapture>,
}

/// The format of the device for one of the plan.
pub(super) fn format_of(format: Format) -> wgpu::TextureFormat {
    match format {
        Format::Rgba16Float => wgpu::TextureFormat::Rgba16Float,
        Format::Rgba32Float => wgpu::TextureFormat::Rgba32Float,
        Format::Rgba32Uint => wgpu::TextureFormat::Rgba32Uint,
        Format::Rg32Float => wgpu::TextureFormat::Rg32Float,
        Format::Rgba16Uint => wgpu::TextureFormat::Rgba16Uint,
        Format::Rgba8UnormSrgb => wgpu::TextureFormat::Rgba8UnormSrgb,
        Format::Depth32Float => wgpu::TextureFormat::Depth32Float,
    }
}

fn make_target(device: &wgpu::Device, target: &Target) -> wgpu::Texture {
    use wgpu::TextureUsages as Usage;
    let usage = match target.name {
        "radiance" | "specular" => Usage::TEXTURE_BINDING | Usage::COPY_DST | Usage::COPY_SRC,
        "sun_maps" | "local_maps" | "linear" => Usage::TEXTURE_BINDING | Usage::RENDER_ATTACHMENT | Usage::COPY_SRC,
        "encoded" | "normal_depth" | "albedo_id" | "motion" => Usage::RENDER_ATTACHMENT | Usage::COPY_SRC,
        _ => Usage::RENDER_ATTACHMENT,
    };
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some(target.name),
        size: wgpu::Extent3d { width: target.width_px, height: target.height_px, depth_or_array_layers: target.layers },
        mip_level_count: target.levels,
        sample_count: target.samples,
        dimension: wgpu::TextureDimension::D2,
        format: format_of(target.format),
        usage,
        view_formats: &[],
    })
}

impl Drawn {
    /// The texels of an output.
    pub fn texels(&self, place: (&str, Part)) -> &Texels {
        let found = self.outputs.iter().find(|(name, part, _)| (*name, *part) == place);
        &found.expect("every output comes back").2
    }
}

impl<'a> Frame<'a> {
    /// Uploads what the plan needs and makes every pipeline, but for what `uploads` holds already. No pixel depends on `pool`.
    ///
    /// Errors: memory, or a picture wider than the device's textures.
    pub fn load(
        gpu: &'a Gpu,
        job: Job<'a>,
        prepared: &'a Prepared,
        uploads: &'a mut Uploads,
        pool: &Pool,
    ) -> Result<Frame<'a>, RenderError> {
        let (device, queue) = (&gpu.device, &gpu.queue);
        let limit = device.limits().max_texture_dimension_2d;
        if job.output.width_px.max(job.output.height_px) > limit {
            return Err(RenderError::Adapter(format!(
                "{}: pictures are at most {limit} pixels wide and high, not {}x{}",
                gpu.name, job.output.width_px, job.output.height_px
            )));
        }
        let pipelines = uploads
            .pipelines
            .entry(prepared.switches)
            .or_insert_with(|| Pipelines::new(device, prepared.switches, job.fault));
        // Ids are those of one world: in the last picture they may have meant others.
        uploads.materials.forget();
        let (materials, geometries) = (&mut uploads.materials, &mut uploads.geometries);
        let objects = &prepared.objects;
        let mut needed = Vec::new();
        for pass in &prepared.plan.passes {
            match pass.kind {
                PassKind::Scene => {
                    let lit = objects.lit_opaque.iter().chain(&objects.lit_blended);
                    needed.extend(lit.map(|batch| (batch, job.output.samples)));
                    needed.extend(objects.casters.iter().flatten().map(|batch| (batch, 1)));
                }
                PassKind::Aov => needed.extend(objects.aov.iter().map(|batch| (batch, 1))),
                PassKind::Motion => needed.extend(objects.motion.iter().map(|batch| (batch, 1))),
                _ => {}
            }
        }
        let keys = needed.iter().map(|(batch, _)| (batch.material, &batch.key));
        materials.prepare(device, job.store, keys, job.max_mip, pool);
        for (batch, samples) in needed {
            materials.ensure((device, queue), job.store, batch.material, &batch.key, job.max_mip);
            pipelines.ensure(device, materials, Wanted::new(batch, samples));
            let (id, geometry) = (batch.geometry, &job.store.geometries[batch.geometry]);
            if geometries.get(&id).is_none_or(|uploaded| !is_same(&uploaded.geometry, geometry)) {
                let uploaded = upload(device, geometry);
                uploads.geometry_bytes += uploaded.buffer.size();
                let old = geometries.insert(id, uploaded);
                uploads.geometry_bytes -= old.map_or(0, |old| old.buffer.size());
            }
        }
        let targets: Vec<wgpu::Texture> =
            prepared.plan.targets.iter().map(|target| make_target(device, target)).collect();

        let views = view_bytes(&job, prepared);
        let views = filled(device, "views", wgpu::BufferUsages::UNIFORM, &views);
        let view_binding = wgpu::BufferBinding {
            buffer: &views,
            offset: 0,
            size: std::num::NonZeroU64::new(size_of::<ViewUniform>() as u64),
        };
        let view_entries = [(0, wgpu::BindingResource::Buffer(view_binding))];
        let view_group = group(device, "views", &pipelines.view_layout, &view_entries);
        let uniforms = bytemuck::cast_slice(&objects.uniforms);
        let array = filled(device, "objects", wgpu::BufferUsages::STORAGE, uniforms_or_one(uniforms));
        let object_group = group(device, "objects", &pipelines.object_layout, &[(0, array.as_entire_binding())]);
        let moving = prepared.plan.target("motion").map(|_| {
            let moving = bytemuck::cast_slice(&objects.moving);
            filled(device, "moving", wgpu::BufferUsages::STORAGE, uniforms_or_one(moving))
        });
        let moving_group = moving.as_ref().map(|moving| {
            let entries = [(0, array.as_entire_binding()), (1, moving.as_entire_binding())];
            group(device, "moving", &pipelines.moving_layout, &entries)
        });
        let layouts = [&pipelines.bend_layout, &pipelines.crowd_layout];
        let bending = Bending::new((device, queue), &job, objects, geometries, (layouts, &array, moving.as_ref()));
        let buffer_bytes = uploads.geometry_bytes + views.size() + array.size() + bending.bytes;

        let shines = prepared.switches.environment;
        let seen = job.output.background == Background::Environment && job.colour.is_some();
        match &prepared.around {
            Some(around) if shines || seen => {
                let made = uploads.surroundings.as_ref().is_some_and(|made| made.around == *around);
                if !made {
                    uploads.surroundings = Some(Surroundings::new(device, queue, around, job.environment_map));
                    uploads.specular = None;
                }
            }
            _ => (uploads.surroundings, uploads.specular) = (None, None),
        }
        if let Some(id) = prepared.plan.target("specular") {
            uploads.specular = Some(targets[id.0].clone());
        }
        let uploads: &'a Uploads = uploads;
        let pipelines = &uploads.pipelines[&prepared.switches];
        let surroundings = uploads.surroundings.as_ref();
        let background = surroundings
            .filter(|_| seen)
            .map(|around| backdrop(device, &pipelines.view_layout, around, job.output.samples, job.fault));
        let mut frame = Frame {
            gpu,
            job,
            prepared,
            targets,
            geometries: &uploads.geometries,
            materials: &uploads.materials,
            pipelines,
            view_group,
            object_group,
            moving_group,
            bending,
            light_group: None,
            surroundings,
            specular: uploads.specular.clone(),
            background,
            buffer_bytes,
            pending: Vec::new(),
            captures: Vec::new(),
        };
        frame.light_group = frame.make_light_group();
        gpu.check()?;
        Ok(frame)
    }

    /// Records and submits every pass of the plan, and the copies back. `looks` hears when looking at a pass begins (`true`) and when
    /// drawing goes on.
    pub fn draw(&mut self, looks: &mut dyn FnMut(bool)) -> Result<(), RenderError> {
        let mut encoder = self.encoder();
        for index in 0..self.prepared.plan.passes.len() {
            let planned = &self.prepared.plan.passes[index];
            let stretches = stretches(self.job.capture, self.draw_count(planned.kind));
            let mut draws = Vec::new();
            for stretch in &stretches {
                self.record(&mut encoder, planned.kind, stretch);
                if self.job.capture == Capture::Off {
                    continue;
                }
                let copies = capture::record(&mut encoder, self, planned.kind);
                self.gpu.queue.submit([std::mem::replace(&mut encoder, self.encoder()).finish()]);
                self.gpu.wait()?;
                looks(true);
                let (hash, texels) = copies.take(self, self.job.capture == Capture::Draws && stretch.is_last())?;
                if stretches.len() > 1 || self.job.capture == Capture::Draws {
                    draws.extend(self.name_of_draw(planned.kind, stretch.draws.start, hash));
                }
                if stretch.is_last() {
                    let (name, draws) = (planned.name(), std::mem::take(&mut draws));
                    self.captures.push(PassCapture { name, hash, draws, texels });
                }
                looks(false);
            }
        }
        let copies = self.prepared.plan.outputs.iter();
        let copies = copies
            .map(|out| readback::record(&self.gpu.device, &mut encoder, &self.targets[out.target.0], out.part))
            .collect();
        self.pending = copies;
        self.gpu.queue.submit([encoder.finish()]);
        self.gpu.wait()
    }

    fn encoder(&self) -> wgpu::CommandEncoder {
        self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
    }

    /// Records a stretch of a pass.
    fn record(&self, encoder: &mut wgpu::CommandEncoder, kind: PassKind, stretch: &Stretch) {
        match kind {
            PassKind::Radiance => pass::radiance::record(encoder, self, self.around()),
            PassKind::Harmonics => pass::radiance::record_harmonics(encoder, self, self.around()),
            PassKind::Prefilter => pass::specular::record(encoder, self, self.around()),
            PassKind::SunMap(layer) => pass::shadow::record(encoder, self, self.map_at(true, layer), stretch),
            PassKind::LocalMap(layer) => pass::shadow::record(encoder, self, self.map_at(false, layer), stretch),
            PassKind::Scene => pass::scene::record(encoder, self, stretch),
            PassKind::Aov => pass::aov::record(encoder, self, stretch),
            PassKind::Motion => pass::motion::record(encoder, self, stretch),
            PassKind::Encode => {
                let colour = self.job.colour.expect("planned only where colour is wanted");
                pass::encode::record(encoder, self, colour);
            }
        }
    }

    /// Draws of items; what is no list of items counts as none.
    fn draw_count(&self, kind: PassKind) -> usize {
        let objects = &self.prepared.objects;
        match kind {
            PassKind::SunMap(layer) => objects.casters[self.map_at(true, layer)].len(),
            PassKind::LocalMap(layer) => objects.casters[self.map_at(false, layer)].len(),
            PassKind::Scene => pass::scene::draw_count(self),
            PassKind::Aov => objects.aov.len(),
            PassKind::Motion => objects.motion.len(),
            PassKind::Radiance | PassKind::Harmonics | PassKind::Prefilter | PassKind::Encode => 0,
        }
    }

    /// Who the draw of this number is; `None` where a pass draws no items.
    fn name_of_draw(&self, kind: PassKind, index: usize, hash: blake3::Hash) -> Option<DrawCapture> {
        let objects = &self.prepared.objects;
        let batch = match kind {
            PassKind::SunMap(layer) => objects.casters[self.map_at(true, layer)].get(index),
            PassKind::LocalMap(layer) => objects.casters[self.map_at(false, layer)].get(index),
            PassKind::Scene => {
                let opaque = objects.lit_opaque.len();
                let blended_at = opaque + usize::from(self.background.is_some());
                if index == opaque && self.background.is_some() {
                    let [node, material] = ["background", ""].map(str::to_string);
                    return Some(DrawCapture { hash, node, material, pipeline: "background".to_string() });
                }
                if index < opaque { objects.lit_opaque.get(index) } else { objects.lit_blended.get(index - blended_at) }
            }
            PassKind::Aov => objects.aov.get(index),
            PassKind::Motion => objects.motion.get(index),
            _ => None,
        }?;
        let uniforms = &objects.uniforms[batch.first as usize..(batch.first + batch.count) as usize];
        let ids: Vec<u32> = uniforms.iter().map(|uniform| uniform.id).collect();
        Some(capture::named(batch, &ids, self.job.shot, self.job.store, hash))
    }

    /// The view of a planned map.
    fn map_at(&self, sun: bool, layer: u32) -> usize {
        let at = |view: &super::shadow::MapView| view.sun == sun && view.layer == layer;
        self.prepared.maps.views.iter().position(at).expect("every planned map has a view")
    }

    pub(super) fn around(&self) -> &Surroundings {
        self.surroundings.expect("planned only where light comes from around")
    }

    /// A shader's text as it is used.
    pub(super) fn text(&self, text: String) -> String {
        self.job.fault.edited(text)
    }

    /// Group 3 of a batch.
    pub(super) fn objects_of(&self, batch: &Batch) -> &wgpu::BindGroup {
        match (batch.key.bending, batch.key.variant) {
            (material::Bending::Vertex, _) => &self.bending.groups[&batch.geometry],
            (material::Bending::Crowd, _) => {
                let (crowds, _) = batch.crowd.expect("it is a crowd's");
                &self.bending.crowd_groups[&(batch.geometry, crowds[0])]
            }
            (_, material::Variant::Motion) => self.moving_group.as_ref().expect("planned only where motion is wanted"),
            _ => &self.object_group,
        }
    }

    /// A batch's geometry now and one frame before, where streams of their own hold it.
    pub(super) fn bent(&self, batch: &Batch) -> [Option<&BentBuffer>; 2] {
        match batch.bent {
            Some(bent) => bent.map(|bent| self.bending.buffers.get(&(batch.geometry, bent))),
            None => [None; 2],
        }
    }

    pub(super) fn gpu(&self) -> &Gpu {
        self.gpu
    }

    /// The texels of the outputs.
    pub fn read(mut self) -> Result<Drawn, RenderError> {
        let mut drawn = self.figures();
        drawn.captures = std::mem::take(&mut self.captures);
        let plan = &self.prepared.plan;
        for (output, pending) in plan.outputs.iter().zip(std::mem::take(&mut self.pending)) {
            let target = &plan.targets[output.target.0];
            let [width_px, height_px] = target.part_size(output.part);
            let texels = Texels { format: target.format, width_px, height_px, bytes: pending.take(self.gpu)? };
            drawn.outputs.push((target.name, output.part, texels));
        }
        Ok(drawn)
    }

    fn figures(&self) -> Drawn {
        let objects = &self.prepared.objects;
        let mut drawn = Drawn {
            pipelines: self.pipelines.count(),
            texture_bytes: self.materials.textures.bytes + self.surroundings.map_or(0, |around| around.texture_bytes),
            buffer_bytes: self.buffer_bytes,
            ..Drawn::default()
        };
        for planned in &self.prepared.plan.passes {
            let lists: Vec<&[Batch]> = match planned.kind {
                PassKind::Scene => vec![&objects.lit_opaque, &objects.lit_blended],
                PassKind::Aov => vec![&objects.aov],
                PassKind::Motion => vec![&objects.motion],
                _ => continue,
            };
            for batch in lists.into_iter().flatten() {
                drawn.draws += 1;
                drawn.triangles += u64::from(batch.count) * u64::from(self.geometries[&batch.geometry].index_count / 3);
            }
        }
        if self.job.colour.is_some() {
            for batch in objects.casters.iter().flatten() {
                drawn.draws += 1;
                drawn.triangles += u64::from(batch.count) * u64::from(self.geometries[&batch.geometry].index_count / 3);
            }
        }
        drawn
    }

    pub(super) fn device(&self) -> &wgpu::Device {
        &self.gpu.device
    }

    /// A planned target by name.
    pub(super) fn planned(&self, name: &str) -> &Target {
        let id = self.prepared.plan.target(name).unwrap_or_else(|| panic!("{name} is not planned"));
        &self.prepared.plan.targets[id.0]
    }

    pub(super) fn target(&self, name: &str) -> &wgpu::Texture {
        let id = self.prepared.plan.target(name).unwrap_or_else(|| panic!("{name} is not planned"));
        &self.targets[id.0]
    }

    pub(super) fn view(&self, name: &str) -> wgpu::TextureView {
        self.target(name).create_view(&wgpu::TextureViewDescriptor::default())
    }

    /// Sets group 0: view 0 is the camera's, the others are the maps'.
    pub(super) fn set_view(&self, pass: &mut wgpu::RenderPass<'_>, index: usize) {
        pass.set_bind_group(0, &self.view_group, &[index as u32 * VIEW_STRIDE_BYTES as u32]);
    }

    /// Group 1 of lit items.
    fn make_light_group(&self) -> Option<wgpu::BindGroup> {
        use wgpu::BindingResource::{Sampler, TextureView};
        let switches = self.prepared.switches;
        if switches == crate::material::Switches::default() || self.job.colour.is_none() {
            return None;
        }
        let device = self.device();
        let maps = &self.prepared.maps;
        let (lights, shadow_maps) = light_arrays(&self.job, maps);
        let usage = wgpu::BufferUsages::STORAGE;
        let lights = filled(device, "lights", usage, bytemuck::cast_slice(&lights));
        let shadow_maps = filled(device, "shadow maps", usage, bytemuck::cast_slice(&shadow_maps));
        let array = |name: &str| {
            let texture = match self.prepared.plan.target(name) {
                Some(id) => self.targets[id.0].clone(),
                // Nothing casts into this kind of map; the shader still names it.
                None => make_target(device, &NO_MAP),
            };
            texture.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::D2Array),
                ..Default::default()
            })
        };
        let compare = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("shadow"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            // Lit where the surface is as near to the light as the map says, or nearer.
            compare: Some(match self.job.fault.has(StateEdit::ShadowReversed) {
                true => wgpu::CompareFunction::Less,
                false => wgpu::CompareFunction::GreaterEqual,
            }),
            ..Default::default()
        });
        let (sun, local);
        let specular;
        let mut entries = Vec::new();
        if switches.lights {
            entries.push((0, lights.as_entire_binding()));
        }
        if switches.shadows {
            (sun, local) = (array("sun_maps"), array("local_maps"));
            entries.extend([
                (1, shadow_maps.as_entire_binding()),
                (2, TextureView(&sun)),
                (3, TextureView(&local)),
                (4, Sampler(&compare)),
            ]);
        }
        if switches.environment {
            let around = self.surroundings.expect("loaded where light comes from around");
            let cube = self.specular.as_ref().expect("made by this picture or an earlier one");
            specular = cube.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::Cube),
                ..Default::default()
            });
            entries.extend([
                (5, around.uniform.as_entire_binding()),
                (6, TextureView(&specular)),
                (7, TextureView(&around.albedo)),
                (8, Sampler(&around.sampler)),
            ]);
        }
        Some(group(device, "lights", &self.pipelines.light_layout, &entries))
    }
}

/// Stands in for maps that do not exist.
const NO_MAP: Target = Target {
    name: "sun_maps",
    format: Format::Depth32Float,
    width_px: 1,
    height_px: 1,
    layers: 1,
    levels: 1,
    samples: 1,
};

/// A storage buffer is bound even where nothing is drawn: then it holds one object of zeros.
fn uniforms_or_one(bytes: &[u8]) -> &[u8] {
    const ONE: [u8; 128] = [0; 128];
    if bytes.is_empty() { &ONE } else { bytes }
}

/// The camera's view and one a shadow map, at their offsets.
fn view_bytes(job: &Job<'_>, prepared: &Prepared) -> Vec<u8> {
    let size = [job.output.width_px, job.output.height_px];
    let lights = job.shot.lights.len() as u32;
    let camera = ViewUniform::camera(&job.shot.camera, size, job.output.exposure_ev, lights);
    let maps = prepared.maps.views.iter().map(|view| ViewUniform::map(view.clip_from_world));
    let mut out = Vec::new();
    for (index, view) in std::iter::once(camera).chain(maps).enumerate() {
        out.resize(index * VIEW_STRIDE_BYTES as usize, 0);
        out.extend_from_slice(bytemuck::bytes_of(&view));
    }
    out
}

fn light_arrays(job: &Job<'_>, maps: &Maps) -> (Vec<LightUniform>, Vec<MapUniform>) {
    let first = |index: usize| maps.first_of_light.get(index).copied().flatten();
    let lights = job.shot.lights.iter().enumerate();
    let lights = lights.map(|(index, light)| LightUniform::new(light, first(index))).collect();
    let map = |view: &super::shadow::MapView| MapUniform {
        clip_from_world: view.clip_from_world.to_cols_array_2d(),
        texel: view.texel_m,
        layer: view.layer as i32,
        size: if view.sun { maps.sun_size } else { maps.local_size } as f32,
    };
    (lights, maps.views.iter().map(map).collect())
}

fn backdrop(
    device: &wgpu::Device,
    view_layout: &wgpu::BindGroupLayout,
    surroundings: &Surroundings,
    samples: u32,
    fault: &RenderFault,
) -> Backdrop {
    let around = &surroundings.around;
    let turn = [around.turn[0], around.turn[1], around.intensity, 0.0];
    let uniform = filled(device, "backdrop", wgpu::BufferUsages::UNIFORM, bytemuck::cast_slice(&turn));
    let layout = layout(device, "backdrop", &[(0, FRAGMENT, UNIFORM)]);
    let group = group(device, "backdrop", &layout, &[(0, uniform.as_entire_binding())]);
    let text = fault.edited(shader::background(around.radiance));
    let groups = [Some(view_layout), Some(&surroundings.source_layout), Some(&layout)];
    let pipeline = screen_pipeline(device, "background", &text, "background", &groups, LINEAR, Some(samples));
    Backdrop { pipeline, source_group: surroundings.source_group.clone(), group }
}
