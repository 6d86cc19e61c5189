//! Bend: streams of geometry as it is bent, made on the processor or on the device, and what a device needs to bend.
//!
//! Three ways to the same picture ([`Skinning`]): on the software adapter to the same bits.

use std::collections::BTreeMap;
use std::ops::Range;

use stillframe_anim::crowd::BakedClip;

use bytemuck::{Pod, Zeroable, cast_slice};

use super::bind::{
    COMPUTE, Entry, Layouts, STORAGE_READ, STORAGE_WRITE, TEXTURE_RAW, TEXTURE_UINT, UNIFORM, VERTEX, filled, group,
};
use super::geometry::{Geometries, GeometryBuffer};
use super::job::{Job, Skinning};
use super::object::{Batch, BentId, Objects};
use super::shaders::Shaders;
use crate::asset::{Bend, Bent, GeometryId};
use crate::material::Stream;
use crate::shader;

/// Positions, normals and tangents, one after the other as in a geometry's buffer.
#[derive(Debug)]
pub struct BentBuffer {
    buffer: wgpu::Buffer,
    streams: [Range<u64>; 3],
}

impl BentBuffer {
    /// The part that holds a stream; `None` where it is not bent.
    pub fn slice(&self, stream: Stream) -> Option<wgpu::BufferSlice<'_>> {
        let range = self.streams.get(stream as usize).filter(|range| !range.is_empty())?;
        Some(self.buffer.slice(range.clone()))
    }

    fn of(device: &wgpu::Device, bent: &Bent) -> BentBuffer {
        let parts: [&[u8]; 3] = [cast_slice(&bent.positions), cast_slice(&bent.normals), cast_slice(&bent.tangents)];
        let ends = [parts[0].len(), parts[0].len() + parts[1].len(), parts.map(<[u8]>::len).iter().sum()];
        let [a, b, c] = ends.map(|end| end as u64);
        let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::STORAGE;
        let buffer = filled(device, "bent", usage, &parts.concat());
        BentBuffer { buffer, streams: [0..a, a..b, b..c] }
    }
}

/// What is bent in one picture.
#[derive(Debug, Default)]
pub struct Bending {
    /// Unless vertex shaders bend.
    pub buffers: BTreeMap<BentId, BentBuffer>,
    /// Objects, and what bends this geometry; where devices bend.
    pub groups: BTreeMap<GeometryId, wgpu::BindGroup>,
    /// The same for figures of crowds, by geometry and crowd.
    pub crowd_groups: BTreeMap<(GeometryId, u32), wgpu::BindGroup>,
    pub bytes: u64,
}

/// `Streams` of `shader/bend_streams.wgsl`.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct StreamsUniform {
    vertex_count: u32,
    normals: u32,
    tangents: u32,
    row: u32,
    first: [u32; 2],
    pad: [u32; 2],
}

/// Vertices a row of workgroups, at most: what every device can be asked for.
const ROW_VERTICES: u32 = 65_535 * 64;

/// What bending alone reads: the other bindings are a vertex shader's.
const COMPUTE_TABLES: Range<u32> = 2..7;

/// Group 3 of vertex shaders that bend; of bindings 0 and 1, objects and where they were, not every text reads both.
pub fn bend_entries() -> Vec<Entry> {
    table_entries(VERTEX, 0..8)
}

/// Group 3 of vertex shaders that bend figures of crowds.
pub fn crowd_entries() -> Vec<Entry> {
    let mut entries = table_entries(VERTEX, 0..7);
    entries.extend([(8, VERTEX, TEXTURE_UINT), (9, VERTEX, TEXTURE_RAW)]);
    entries
}

fn table_entries(stages: wgpu::ShaderStages, bindings: Range<u32>) -> Vec<Entry> {
    bindings.map(|binding| (binding, stages, STORAGE_READ)).collect()
}

/// A texture that is read texel by texel.
fn upload(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    [width, height]: [u32; 2],
    format: wgpu::TextureFormat,
    bytes: &[u8],
) -> wgpu::TextureView {
    let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("baked frames"),
        size,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let bytes_per_row = Some((bytes.len() / height as usize) as u32);
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row, rows_per_image: None };
    queue.write_texture(texture.as_image_copy(), bytes, layout, size);
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

/// What shaders read of how a geometry is bent: where each vertex's lists start, its influences, its differences.
fn bend_tables(device: &wgpu::Device, bend: &Bend) -> [wgpu::Buffer; 3] {
    let array = |label, bytes: &[u8]| filled(device, label, wgpu::BufferUsages::STORAGE, bytes);
    // No binding is smaller than one of its elements.
    let deltas: &[u8] = if bend.deltas.is_empty() { &[0; 40] } else { cast_slice(&bend.deltas) };
    let (starts, influences) = (cast_slice(&bend.starts), cast_slice(&bend.influences));
    [array("starts", starts), array("influences", influences), array("deltas", deltas)]
}

impl Bending {
    /// Everything that is drawn bent. `arrays` are objects and where they were.
    pub fn new(
        gpu: (&wgpu::Device, &wgpu::Queue),
        job: &Job<'_>,
        objects: &Objects,
        geometries: &Geometries,
        shaders: &mut Shaders,
        arrays: [&wgpu::Buffer; 2],
    ) -> Bending {
        let device = gpu.0;
        let mut out = Bending::default();
        if !objects.crowds.is_empty() {
            out.crowds(gpu, job, objects, &mut shaders.layouts, arrays);
        }
        if objects.bents.is_empty() {
            return out;
        }
        // Those of all shots are the same.
        let bents = &job.looks[0].shot.bents;
        // What nothing bends is made anew at each moment.
        for (id, bent) in &objects.bents {
            if job.skinning == Skinning::Cpu || job.store.bend(id.0).is_none() {
                out.add(*id, BentBuffer::of(device, &bents[*bent as usize]));
            }
        }
        if job.skinning == Skinning::Cpu {
            return out;
        }
        let array = |label, bytes: &[u8]| filled(device, label, wgpu::BufferUsages::STORAGE, bytes);
        let joints: Vec<[f32; 4]> =
            bents.iter().flat_map(|bent| bent.posture.joints.iter().flatten().copied()).collect();
        let shares: Vec<f32> = bents.iter().flat_map(|bent| bent.posture.shares.iter().copied()).collect();
        let joints = array("joints", cast_slice(&joints));
        let shares = array("shares", cast_slice(&shares));
        let postures = array("postures", cast_slice(&objects.postures));
        out.bytes += joints.size() + shares.size() + postures.size();
        let is_compute = job.skinning == Skinning::Compute;
        let (stages, bindings) = if is_compute { (COMPUTE, COMPUTE_TABLES) } else { (VERTEX, 0..8) };
        let table_layout = &shaders.layouts.layout(device, "bend", &table_entries(stages, bindings.clone()));
        for (geometry, _) in objects.bents.keys() {
            let Some(bend) = job.store.bend(*geometry) else { continue };
            let tables = || {
                let [starts, influences, deltas] = bend_tables(device, bend);
                out.bytes += starts.size() + influences.size() + deltas.size();
                let buffers = [arrays[0], arrays[1], &starts, &influences, &deltas, &joints, &shares, &postures];
                let entries = (0..).zip(buffers.map(wgpu::Buffer::as_entire_binding));
                let entries: Vec<_> = entries.filter(|(binding, _)| bindings.contains(binding)).collect();
                group(device, "bend", table_layout, &entries)
            };
            out.groups.entry(*geometry).or_insert_with(tables);
        }
        if is_compute {
            out.compute(gpu, objects, geometries, shaders, table_layout);
        }
        out
    }

    /// A batch's geometry now and one frame before, where streams of their own hold it.
    pub fn of(&self, batch: &Batch) -> [Option<&BentBuffer>; 2] {
        match batch.bent {
            Some(bent) => bent.map(|bent| self.buffers.get(&(batch.geometry, bent))),
            None => [None; 2],
        }
    }

    /// What holds a geometry as it is bent, and where its positions, normals and tangents begin there, in bytes.
    pub fn shape(&self, id: &BentId) -> Option<(&wgpu::Buffer, [u64; 3])> {
        let bent = self.buffers.get(id)?;
        Some((&bent.buffer, [0, 1, 2].map(|at| bent.streams[at].start)))
    }

    /// Tables and textures of what figures of crowds draw.
    fn crowds(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        job: &Job<'_>,
        objects: &Objects,
        layouts: &mut Layouts,
        [object_array, moving_array]: [&wgpu::Buffer; 2],
    ) {
        let crowd_layout = layouts.layout(device, "crowd", &crowd_entries());
        let array = |label, bytes: &[u8]| filled(device, label, wgpu::BufferUsages::STORAGE, bytes);
        let figures = array("figures", cast_slice(&objects.figures));
        self.bytes += figures.size();
        let mut textures: BTreeMap<u32, (wgpu::TextureView, wgpu::TextureView, wgpu::Buffer)> = BTreeMap::new();
        for (geometry, crowd) in &objects.crowds {
            let frames = &job.looks[0].shot.crowds[*crowd as usize].frames;
            let (frame_view, range_view, clips) = textures.entry(*crowd).or_insert_with(|| {
                let clip = |clip: &BakedClip| {
                    [clip.first_texel, clip.segment_count, clip.first_range, frames.frame_texels() as u32]
                };
                let clips: Vec<[u32; 4]> = frames.clips().iter().map(clip).collect();
                let ranges = frames.range_texels();
                let width = (ranges.len() as u32).next_power_of_two().clamp(1, 4096);
                let mut bytes = cast_slice::<_, u8>(ranges).to_vec();
                let height = (ranges.len() as u32).div_ceil(width).max(1);
                bytes.resize(width as usize * height as usize * 16, 0);
                let ranges = upload(device, queue, [width, height], wgpu::TextureFormat::Rgba32Float, &bytes);
                let bytes = frames.texture_bytes();
                let frames = upload(device, queue, frames.size(), wgpu::TextureFormat::Rgba16Uint, &bytes);
                (frames, ranges, array("baked clips", cast_slice(&clips)))
            });
            let bend = job.store.bend(*geometry).expect("figures are bent");
            let [starts, influences, deltas] = bend_tables(device, bend);
            self.bytes += starts.size() + influences.size() + deltas.size();
            let buffers = [object_array, moving_array, &starts, &influences, &deltas, &figures, clips];
            let mut entries: Vec<_> = (0..).zip(buffers.map(wgpu::Buffer::as_entire_binding)).collect();
            entries.push((8, wgpu::BindingResource::TextureView(frame_view)));
            entries.push((9, wgpu::BindingResource::TextureView(range_view)));
            self.crowd_groups.insert((*geometry, *crowd), group(device, "crowd", &crowd_layout, &entries));
        }
    }

    fn add(&mut self, id: BentId, buffer: BentBuffer) {
        self.bytes += buffer.buffer.size();
        self.buffers.insert(id, buffer);
    }

    /// Bends on the device, before anything is drawn.
    fn compute(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        objects: &Objects,
        geometries: &Geometries,
        shaders: &mut Shaders,
        table_layout: &wgpu::BindGroupLayout,
    ) {
        let entries = [(0, COMPUTE, UNIFORM), (1, COMPUTE, STORAGE_READ), (2, COMPUTE, STORAGE_WRITE)];
        let stream_layout = shaders.layouts.layout(device, "bend streams", &entries);
        let groups = [Some(&stream_layout), None, None, Some(table_layout)];
        let pipeline = shaders.grid(device, "bend_streams", &shader::bend_streams(), &groups);
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder
            .begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some("bend streams"), timestamp_writes: None });
        pass.set_pipeline(&pipeline);
        for (id, bent) in &objects.bents {
            if !self.groups.contains_key(&id.0) {
                continue;
            }
            let rest = &geometries[&id.0];
            let [positions, normals, tangents] =
                [Stream::Position, Stream::Normal, Stream::Tangent].map(|stream| rest.streams[stream as usize].clone());
            let vertex_count = ((positions.end - positions.start) / 12) as u32;
            let uniform = StreamsUniform {
                vertex_count,
                normals: (normals.start / 4) as u32,
                tangents: (tangents.start / 4) as u32,
                row: ROW_VERTICES,
                first: objects.firsts[*bent as usize],
                pad: [0; 2],
            };
            let uniform = filled(device, "streams", wgpu::BufferUsages::UNIFORM, bytemuck::bytes_of(&uniform));
            let buffer = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("bent"),
                size: tangents.end,
                usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::STORAGE,
                mapped_at_creation: false,
            });
            let resources = [
                (0, uniform.as_entire_binding()),
                (1, rest.buffer.as_entire_binding()),
                (2, buffer.as_entire_binding()),
            ];
            pass.set_bind_group(0, &group(device, "bend streams", &stream_layout, &resources), &[]);
            pass.set_bind_group(3, &self.groups[&id.0], &[]);
            let rows = vertex_count.div_ceil(ROW_VERTICES);
            pass.dispatch_workgroups(vertex_count.min(ROW_VERTICES).div_ceil(64), rows, 1);
            self.add(*id, BentBuffer { buffer, streams: [positions, normals, tangents] });
        }
        drop(pass);
        queue.submit([encoder.finish()]);
    }
}

impl GeometryBuffer {
    /// Binds the streams a shader reads, in slot order, and the indices. `bent` and `before`: the geometry now and one
    /// frame before, where it is bent into streams of its own.
    pub fn bind(&self, pass: &mut wgpu::RenderPass<'_>, streams: &[Stream], [bent, before]: [Option<&BentBuffer>; 2]) {
        for (slot, &stream) in (0..).zip(streams) {
            let moved = match stream {
                Stream::PositionBefore => before.and_then(|before| before.slice(Stream::Position)),
                _ => bent.and_then(|bent| bent.slice(stream)),
            };
            let rest = || self.buffer.slice(self.streams[stream as usize].clone());
            pass.set_vertex_buffer(slot, moved.unwrap_or_else(rest));
        }
        pass.set_index_buffer(self.buffer.slice(self.indices.clone()), wgpu::IndexFormat::Uint32);
    }
}
