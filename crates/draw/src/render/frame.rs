//! Frame: what passes record with: a job's things on the device.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU64;
use std::sync::Arc;

use glam::{Mat4, Vec3};
use stillframe_base::par::Pool;

use super::adapter::{Gpu, RenderError};
use super::bend::Bending;
use super::bind::{Entry, filled, group};
use super::environment::Surroundings;
use super::fetch::Fetching;
use super::geometry::{GeometryBuffer, upload};
use super::job::{Capture, Job, Look, Tile};
use super::object::Batch;
use super::pipeline::{Attached, MOVING_ENTRIES, OBJECT_ENTRIES, VIEW_ENTRIES, Wanted};
use super::prepared::Prepared;
use super::probe_upload::UploadedProbes;
use super::resources::{Stored, attachment, format_of, resources};
use super::shaders::Screen;
use super::stretch::Stretch;
use super::uniform::{VIEW_STRIDE_BYTES, ViewUniform};
use super::uploads::Uploads;
use crate::asset::is_same;
use crate::fault::{RenderFault, StateEdit};
use crate::frame::{Draw, Eye, How, Life, ListId, Part, Pass, Target, TargetId, View, ViewId};
use crate::material::{self, Variant};
use crate::view::product;

/// A job on the device.
#[derive(Debug)]
pub struct Frame<'a> {
    pub(super) gpu: &'a Gpu,
    pub job: &'a Job<'a>,
    pub prepared: &'a Prepared,
    pub(super) uploads: &'a mut Uploads,
    /// By target.
    stored: Vec<Option<Stored>>,
    groups: Groups,
    bending: Bending,
    fetching: Fetching,
    pub(super) buffer_bytes: u64,
    /// Arrays that several passes read, by what they hold.
    arrays: Vec<(Vec<u8>, wgpu::Buffer)>,
    /// Buffers that passes have made, by the target that says how large they are.
    pub lists: BTreeMap<TargetId, wgpu::Buffer>,
    /// Why a pass could not be recorded.
    pub trouble: Option<RenderError>,
}

/// Groups that passes share.
#[derive(Debug)]
struct Groups {
    /// What `views` is of.
    view_array: wgpu::Buffer,
    views: wgpu::BindGroup,
    objects: wgpu::BindGroup,
    /// Objects and where they were.
    moving: Option<wgpu::BindGroup>,
}

impl<'a> Frame<'a> {
    /// Uploads what the plan needs and makes every pipeline of items, but for what `uploads` holds already. No pixel
    /// depends on `pool`.
    ///
    /// Errors: memory.
    pub fn load(
        gpu: &'a Gpu,
        job: &'a Job<'a>,
        prepared: &'a Prepared,
        uploads: &'a mut Uploads,
        pool: &Pool,
    ) -> Result<Frame<'a>, RenderError> {
        let device = &gpu.device;
        items(gpu, job, prepared, uploads, pool);
        uploads.kept.fit_around(prepared.around.as_ref());
        uploads.kept.fit_casts(&prepared.lit[0].casts);
        let how = (job.memory, job.capture != Capture::Off);
        let stored =
            resources(device, &prepared.plan, how, &mut uploads.kept.targets, std::mem::take(&mut uploads.spare));

        let objects = &prepared.objects;
        let bytes = view_bytes(job, prepared, &uploads.shaders.fault);
        let layouts = &mut uploads.shaders.layouts;
        let views = filled(device, "views", wgpu::BufferUsages::UNIFORM, &bytes);
        let size = NonZeroU64::new(size_of::<ViewUniform>() as u64);
        let binding = wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer: &views, offset: 0, size });
        let view_group = group(device, "views", &layouts.layout(device, "view", VIEW_ENTRIES), &[(0, binding)]);
        let uniforms = bytemuck::cast_slice(&objects.uniforms);
        let array = filled(device, "objects", wgpu::BufferUsages::STORAGE, uniforms_or_one(uniforms));
        let object_layout = layouts.layout(device, "objects", OBJECT_ENTRIES);
        let object_group = group(device, "objects", &object_layout, &[(0, array.as_entire_binding())]);
        let motion = prepared.plan.drawn().any(|id| prepared.plan.lists[id.0].variant == Variant::Motion);
        let moving = motion.then(|| {
            let moving = bytemuck::cast_slice(&objects.moving);
            filled(device, "moving", wgpu::BufferUsages::STORAGE, uniforms_or_one(moving))
        });
        let moving_layout = layouts.layout(device, "moving", MOVING_ENTRIES);
        let moving_group = moving.as_ref().map(|moving| {
            let entries = [(0, array.as_entire_binding()), (1, moving.as_entire_binding())];
            group(device, "moving", &moving_layout, &entries)
        });
        let arrays = [&array, moving.as_ref().unwrap_or(&array)];
        let bending =
            Bending::new((device, &gpu.queue), job, objects, &uploads.geometries, &mut uploads.shaders, arrays);
        let drawn = (&uploads.geometries, &bending);
        let fetching = Fetching::new(device, objects, drawn, &mut uploads.shaders.layouts, &array);
        let held = uploads.geometry_bytes + views.size() + array.size();
        let buffer_bytes = held + bending.bytes + fetching.bytes;
        gpu.check()?;
        let groups = Groups { view_array: views, views: view_group, objects: object_group, moving: moving_group };
        Ok(Frame {
            gpu,
            job,
            prepared,
            uploads,
            stored,
            groups,
            bending,
            fetching,
            buffer_bytes,
            arrays: Vec::new(),
            lists: BTreeMap::new(),
            trouble: None,
        })
    }

    /// Leaves its targets for the next tile, which has the same.
    pub fn leave_targets(self) {
        let plan = &self.prepared.plan;
        let mut places = BTreeSet::new();
        for (id, target) in plan.used().filter(|(_, target)| target.life == Life::Picture) {
            if let (true, Some(Stored::Texture(texture))) = (places.insert(plan.places[id.0]), &self.stored[id.0]) {
                debug_assert_eq!(texture.format(), format_of(target.format.expect("it is a texture")));
                self.uploads.spare.push(texture.clone());
            }
        }
    }

    pub fn device(&self) -> &wgpu::Device {
        &self.gpu.device
    }

    pub fn queue(&self) -> &wgpu::Queue {
        &self.gpu.queue
    }

    /// An array that shaders read: uploaded once, however many passes ask for the same.
    pub fn array(&mut self, label: &str, bytes: &[u8]) -> wgpu::Buffer {
        if let Some((_, made)) = self.arrays.iter().find(|(held, _)| held == bytes) {
            return made.clone();
        }
        let made = filled(self.device(), label, wgpu::BufferUsages::STORAGE, bytes);
        self.arrays.push((bytes.to_vec(), made.clone()));
        made
    }

    /// What is planted in this frame.
    pub fn fault(&self) -> &RenderFault {
        &self.uploads.shaders.fault
    }

    /// A target that a pass uses, by its name. Asserts that it does.
    pub fn target(&self, pass: &Pass, name: &str) -> &Target {
        self.try_target(pass, name).map_or_else(
            || panic!("{} has not declared that it uses {name}", pass.name),
            |id| &self.prepared.plan.targets[id.0],
        )
    }

    fn try_target(&self, pass: &Pass, name: &str) -> Option<TargetId> {
        let used = pass.uses.iter().map(|usage| usage.target);
        used.into_iter().find(|id| self.prepared.plan.targets[id.0].name == name)
    }

    /// The texture of a target, if the pass uses it.
    pub fn try_texture(&self, pass: &Pass, name: &str) -> Option<wgpu::Texture> {
        match self.stored(self.try_target(pass, name)?) {
            Stored::Texture(texture) => Some(texture.clone()),
            Stored::Buffer(_) => panic!("{name} is a buffer"),
        }
    }

    /// The texture of a target.
    pub fn texture_of(&self, id: TargetId) -> wgpu::Texture {
        match self.stored(id) {
            Stored::Texture(texture) => texture.clone(),
            Stored::Buffer(_) => panic!("{} is a buffer", self.prepared.plan.targets[id.0].name),
        }
    }

    /// The texture of a target that the pass uses.
    pub fn texture(&self, pass: &Pass, name: &str) -> wgpu::Texture {
        self.try_texture(pass, name).unwrap_or_else(|| panic!("{} has not declared that it uses {name}", pass.name))
    }

    /// The buffer of a target that the pass uses.
    pub fn buffer(&self, pass: &Pass, name: &str) -> wgpu::Buffer {
        match self.try_target(pass, name).map(|id| self.stored(id)) {
            Some(Stored::Buffer(buffer)) => buffer.clone(),
            _ => panic!("{} has not declared that it uses a buffer {name}", pass.name),
        }
    }

    pub(super) fn stored(&self, id: TargetId) -> &Stored {
        self.stored[id.0].as_ref().expect("a pass touches it")
    }

    /// What is around, on the device; uploaded when it is first asked for.
    pub fn surroundings(&mut self) -> Arc<Surroundings> {
        let Uploads { kept, shaders, .. } = &mut *self.uploads;
        let make = || {
            let around = self.prepared.around.as_ref().expect("planned only where something is around");
            Arc::new(Surroundings::new(self.gpu, &mut shaders.layouts, around, self.job.environment_map))
        };
        Arc::clone(kept.surroundings.get_or_insert_with(make))
    }

    /// The job's probes on the device; uploaded when they are first asked for.
    pub fn probes(&mut self) -> Arc<UploadedProbes> {
        let probes = self.job.probes.expect("asked for only where there are some");
        if !self.uploads.probes.as_ref().is_some_and(|uploaded| uploaded.is_of(probes)) {
            self.uploads.probes = Some(Arc::new(UploadedProbes::new(self.gpu, probes)));
        }
        Arc::clone(self.uploads.probes.as_ref().expect("put there above"))
    }

    pub fn layout(&mut self, label: &str, entries: &[Entry]) -> wgpu::BindGroupLayout {
        self.uploads.shaders.layouts.layout(&self.gpu.device, label, entries)
    }

    /// Of group 0.
    pub fn view_layout(&mut self) -> wgpu::BindGroupLayout {
        self.layout("view", VIEW_ENTRIES)
    }

    /// Sets group 0 of a pass with more than its view: `more`, by the layout of `entries`.
    pub fn set_view_with(
        &mut self,
        render: &mut wgpu::RenderPass<'_>,
        pass: &Pass,
        entries: &[Entry],
        more: &[(u32, wgpu::BindingResource<'_>)],
    ) {
        let layout = self.layout("view", entries);
        let size = NonZeroU64::new(size_of::<ViewUniform>() as u64);
        let buffer = &self.groups.view_array;
        let binding = wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset: 0, size });
        let entries: Vec<_> = [(0, binding)].into_iter().chain(more.iter().cloned()).collect();
        let group = group(self.device(), "view", &layout, &entries);
        let ViewId(index) = pass.view.expect("it looks from somewhere");
        render.set_bind_group(0, &group, &[index as u32 * VIEW_STRIDE_BYTES as u32]);
    }

    pub fn screen(&mut self, screen: Screen<'_>) -> wgpu::RenderPipeline {
        self.uploads.shaders.screen(&self.gpu.device, screen)
    }

    pub fn grid(&mut self, entry: &str, text: &str, group: &wgpu::BindGroupLayout) -> wgpu::ComputePipeline {
        self.uploads.shaders.grid(&self.gpu.device, entry, text, &[Some(group)])
    }

    /// Begins a pass on its attachments; sets group 0 where it looks from somewhere.
    pub fn begin<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        pass: &Pass,
        stretch: &Stretch,
    ) -> wgpu::RenderPass<'e> {
        let view = |target: TargetId, part: Part| match self.stored(target) {
            Stored::Texture(texture) => attachment(texture, part.level, part.first_layer),
            Stored::Buffer(_) => unreachable!("a pass draws into a buffer"),
        };
        // Views, what is done to them, and where they are resolved.
        let mut colors: Vec<(wgpu::TextureView, Use, Option<wgpu::TextureView>)> = Vec::new();
        let mut depth = None;
        for usage in &pass.uses {
            match usage.how {
                How::Attach { clear, keep } => {
                    let made = (view(usage.target, usage.part), Some(Use { clear, keep }));
                    let format = self.prepared.plan.targets[usage.target.0].format;
                    match format.is_some_and(|format| format.is_depth()) {
                        true => depth = Some(made),
                        false => colors.push((made.0, Use { clear, keep }, None)),
                    }
                }
                How::Test => depth = Some((view(usage.target, usage.part), None)),
                How::Resolve => {
                    let resolved = colors.last_mut().expect("an attachment is declared before its resolve");
                    resolved.2 = Some(view(usage.target, usage.part));
                }
                _ => {}
            }
        }
        let colors: Vec<_> = colors
            .iter()
            .map(|(view, usage, resolved)| {
                let ops = usage.operations(stretch, wgpu::Color::TRANSPARENT);
                let resolve_target = resolved.as_ref();
                Some(wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target, ops })
            })
            .collect();
        // Reversed Z: 0 is as far as can be.
        let depth = depth.as_ref().map(|(view, usage)| wgpu::RenderPassDepthStencilAttachment {
            view,
            // Without operations it can only be tested against.
            depth_ops: usage.map(|usage| usage.operations(stretch, 0.0)),
            stencil_ops: None,
        });
        let mut begun = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some(&pass.name),
            color_attachments: &colors,
            depth_stencil_attachment: depth,
            ..Default::default()
        });
        if let Some(ViewId(index)) = pass.view {
            begun.set_bind_group(0, &self.groups.views, &[index as u32 * VIEW_STRIDE_BYTES as u32]);
            self.keep_to_tile(&mut begun, index);
        }
        begun
    }

    /// Where a camera draws a tile, it projects the whole picture, of which the target is a part.
    fn keep_to_tile(&self, render: &mut wgpu::RenderPass<'_>, view: usize) {
        let camera = match self.prepared.plan.views[view].eye {
            Eye::Camera => view,
            Eye::Sample { camera, .. } | Eye::Middle { camera } => camera.0,
            Eye::Map { .. } | Eye::Square { .. } => return,
        };
        let look = &self.job.looks[camera];
        if let Some(tile) = look.tile {
            let [x, y] = tile.origin_px.map(|px| -(px as f32));
            let [width, height] = look.size_px().map(|px| px as f32);
            render.set_viewport(x, y, width, height, 0.0, 1.0);
        }
    }

    /// Pipelines that draw this frame's items.
    pub(super) fn pipeline_count(&self) -> u32 {
        let plan = &self.prepared.plan;
        let mut wanted = BTreeSet::new();
        for pass in &plan.passes {
            let attached = Attached::of(plan, pass);
            for draw in &pass.draws {
                if let Draw::List(id) = draw {
                    wanted.extend(self.list(*id).iter().map(|batch| Wanted::new(batch, attached)));
                }
            }
        }
        wanted.len() as u32
    }

    /// How many draws it is; what is no list of items counts as one.
    pub fn count(&self, draw: &Draw) -> usize {
        match draw {
            Draw::List(id) => self.list(*id).len(),
            Draw::Screen(_) | Draw::Grid(_) => 1,
        }
    }

    pub fn list(&self, id: ListId) -> &[Batch] {
        &self.prepared.objects.lists[id.0]
    }

    /// Draws the part of a list that a stretch holds; the list begins at the pass's draw `at`.
    pub fn draw(&self, render: &mut wgpu::RenderPass<'_>, (pass, stretch): (&Pass, &Stretch), id: ListId, at: usize) {
        let attached = Attached::of(&self.prepared.plan, pass);
        let mut last: Option<(&Batch, Wanted)> = None;
        for batch in stretch.of(self.list(id), at) {
            let wanted = Wanted::new(batch, attached);
            let pipeline_changes = last.as_ref().is_none_or(|(_, before)| *before != wanted);
            if pipeline_changes {
                render.set_pipeline(self.uploads.pipelines.pipeline(&wanted));
            }
            let geometry_changes = pipeline_changes
                || last.as_ref().is_some_and(|(before, _)| {
                    (before.geometry, before.bent, before.crowd.map(|of| of.0))
                        != (batch.geometry, batch.bent, batch.crowd.map(|of| of.0))
                });
            if geometry_changes {
                render.set_bind_group(3, self.objects_of(batch), &[]);
            }
            let material_changes =
                pipeline_changes || last.is_some_and(|(before, _)| before.material != batch.material);
            if material_changes && let Some(group) = self.uploads.materials.group(batch.material, &batch.key) {
                render.set_bind_group(2, group, &[]);
            }
            let instances = batch.first..batch.first + batch.count;
            if batch.key.variant == Variant::Fetched {
                render.draw(0..6, instances);
                last = Some((batch, wanted));
                continue;
            }
            let geometry = &self.uploads.geometries[&batch.geometry];
            if geometry_changes {
                geometry.bind(render, &material::streams(&batch.key), self.bending.of(batch));
            }
            let from = if batch.is_reversed { geometry.index_count } else { 0 };
            render.draw_indexed(from..from + geometry.index_count, 0, instances);
            last = Some((batch, wanted));
        }
    }

    /// Group 3 of a batch.
    fn objects_of(&self, batch: &Batch) -> &wgpu::BindGroup {
        match (batch.key.bending, batch.key.variant) {
            (material::Bending::Vertex, _) => &self.bending.groups[&batch.geometry],
            (material::Bending::Crowd, _) => {
                let (crowds, _) = batch.crowd.expect("it is a crowd's");
                &self.bending.crowd_groups[&(batch.geometry, crowds[0])]
            }
            (_, Variant::Fetched) => self.fetching.group(batch.geometry, batch.bent),
            (_, Variant::Motion) => self.groups.moving.as_ref().expect("planned only where motion is wanted"),
            _ => &self.groups.objects,
        }
    }
}

/// What becomes of an attachment.
#[derive(Clone, Copy, Debug)]
struct Use {
    clear: bool,
    keep: bool,
}

impl Use {
    /// A pass that is recorded in stretches goes on with what the one before left.
    fn operations<V>(self, stretch: &Stretch, cleared: V) -> wgpu::Operations<V> {
        let load = if self.clear && stretch.is_first() { wgpu::LoadOp::Clear(cleared) } else { wgpu::LoadOp::Load };
        let store = if self.keep || !stretch.is_last() { wgpu::StoreOp::Store } else { wgpu::StoreOp::Discard };
        wgpu::Operations { load, store }
    }
}

/// Geometry, materials and pipelines of every batch that a pass draws.
fn items(gpu: &Gpu, job: &Job<'_>, prepared: &Prepared, uploads: &mut Uploads, pool: &Pool) {
    let device = &gpu.device;
    let Uploads { geometries, geometry_bytes, materials, pipelines, shaders, .. } = uploads;
    // Ids are those of one world: in the last picture they may have meant others.
    materials.forget();
    let mut needed = Vec::new();
    for pass in &prepared.plan.passes {
        let attached = Attached::of(&prepared.plan, pass);
        for draw in &pass.draws {
            if let Draw::List(id) = draw {
                needed.extend(prepared.objects.lists[id.0].iter().map(|batch| (batch, attached)));
            }
        }
    }
    let keys = needed.iter().map(|(batch, _)| (batch.material, &batch.key));
    materials.prepare(gpu.caps.texture_px_max, job.store, keys, job.max_mip, pool);
    let reversed: BTreeSet<_> =
        needed.iter().filter(|(batch, _)| batch.is_reversed).map(|(batch, _)| batch.geometry).collect();
    for (batch, attached) in needed {
        let layouts = &mut shaders.layouts;
        materials.ensure(gpu, layouts, job.store, batch.material, &batch.key, job.max_mip);
        pipelines.ensure(device, shaders, Wanted::new(batch, attached));
        let (id, geometry) = (batch.geometry, &job.store.geometries[batch.geometry]);
        let has_reverse = reversed.contains(&id);
        let serves =
            |uploaded: &GeometryBuffer| is_same(&uploaded.geometry, geometry) && (uploaded.has_reverse || !has_reverse);
        if !geometries.get(&id).is_some_and(serves) {
            let uploaded = upload(device, geometry, has_reverse);
            *geometry_bytes += uploaded.buffer.size();
            let old = geometries.insert(id, uploaded);
            *geometry_bytes -= old.map_or(0, |old| old.buffer.size());
        }
    }
}

/// A storage buffer is bound even where nothing is drawn: then it holds one object of zeros.
fn uniforms_or_one(bytes: &[u8]) -> &[u8] {
    const ONE: [u8; 128] = [0; 128];
    if bytes.is_empty() { &ONE } else { bytes }
}

/// What a camera sees at a point of its pixels, in sixteenths of a pixel from their centres.
fn camera_uniform(job: &Job<'_>, fault: &RenderFault, view: &View, (camera, at): (usize, [f32; 2])) -> ViewUniform {
    let look = &job.looks[camera];
    let Look { shot, output, .. } = look;
    // Other views than tiles of pictures are whole.
    let (size_px, tile) = match look.tile {
        Some(tile) => (look.size_px(), tile),
        None => ([view.width_px, view.height_px], Tile { origin_px: [0; 2], size_px: [view.width_px, view.height_px] }),
    };
    // Two units of clip space are the whole picture; up there is down here.
    let [x, y] = [0, 1].map(|axis| at[axis] / (8.0 * size_px[axis] as f32));
    let mut camera = shot.camera.clone();
    if !fault.has(StateEdit::MirrorUnclipped) {
        camera.clip_from_view = camera.drawn_from_view();
    }
    // Nothing is multiplied where nothing moves: zeros keep their signs.
    if at != [0.0; 2] {
        camera.clip_from_view = product(Mat4::from_translation(Vec3::new(-x, y, 0.0)), camera.clip_from_view);
    }
    ViewUniform::camera(&camera, size_px, tile, output.exposure_ev, shot.lights.len() as u32)
}

/// What shaders read of one of the plan's views.
pub fn view_uniform(job: &Job<'_>, prepared: &Prepared, fault: &RenderFault, id: ViewId) -> ViewUniform {
    // From where the picture is taken.
    let from =
        |camera: usize, at: [i8; 2]| [0, 1].map(|axis| f32::from(at[axis]) + 16.0 * job.looks[camera].shift_px[axis]);
    let view = &prepared.plan.views[id.0];
    match view.eye {
        Eye::Camera => camera_uniform(job, fault, view, (id.0, from(id.0, [0; 2]))),
        Eye::Sample { camera, at } => camera_uniform(job, fault, view, (camera.0, from(camera.0, at))),
        Eye::Middle { camera } => camera_uniform(job, fault, view, (camera.0, [0.0; 2])),
        Eye::Square { .. } => ViewUniform::square(view.width_px),
        Eye::Map { camera, map } => {
            let view = &prepared.lit[camera.0].maps.views[map];
            ViewUniform::map(view.clip_from_world, view.size_px)
        }
    }
}

/// The plan's views, at their offsets.
fn view_bytes(job: &Job<'_>, prepared: &Prepared, fault: &RenderFault) -> Vec<u8> {
    let mut out = Vec::new();
    for index in 0..prepared.plan.views.len() {
        let uniform = view_uniform(job, prepared, fault, ViewId(index));
        out.resize(index * VIEW_STRIDE_BYTES as usize, 0);
        out.extend_from_slice(bytemuck::bytes_of(&uniform));
    }
    out
}
