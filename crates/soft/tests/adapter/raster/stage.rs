//! Stage: a picture described as data, drawn in every way that must give the same bits.

use pollster::block_on;
pub use stillframe_soft::wgpu;
use stillframe_soft::{Isa, Options};
use wgpu::util::DeviceExt;

pub const COLOR: &str = "
struct V { @builtin(position) p: vec4f, @location(0) c: vec4f }
@vertex fn vs(@location(0) p: vec4f, @location(1) c: vec4f) -> V { return V(p, c); }
@fragment fn fs(v: V) -> @location(0) vec4f { return v.c; }
";

/// A device of one way to run.
pub struct Gpu {
    pub name: String,
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
}

impl Gpu {
    pub fn new(name: &str, options: Options) -> Gpu {
        let adapter =
            block_on(stillframe_soft::instance(&options).request_adapter(&Default::default())).expect("adapter");
        let descriptor = wgpu::DeviceDescriptor {
            required_features: adapter.features(),
            required_limits: adapter.limits(),
            ..Default::default()
        };
        let (device, queue) = block_on(adapter.request_device(&descriptor)).expect("device");
        Gpu { name: name.to_owned(), device, queue }
    }

    /// Every way that must give the same picture; the first is compared with.
    pub fn all() -> Vec<Gpu> {
        let base = Options { threads: 1, isa: None, ..Options::DEFAULT };
        let mut out = vec![Gpu::new("oracle", Options { plain: true, ..base.clone() })];
        out.push(Gpu::new("last first", Options { threads: 2, last_first: true, ..base.clone() }));
        for threads in [1, 2, 8] {
            out.push(Gpu::new(&format!("{threads} threads"), Options { threads, ..base.clone() }));
        }
        for isa in Isa::available() {
            out.push(Gpu::new(isa.name(), Options { isa: Some(isa), ..base.clone() }));
        }
        out
    }
}

/// What differs from picture to picture.
#[derive(Clone, Debug)]
pub struct Case<'a> {
    pub wgsl: &'a str,
    pub size: [u32; 2],
    pub formats: Vec<wgpu::TextureFormat>,
    pub clear: wgpu::Color,
    pub samples: u32,
    pub depth: Option<wgpu::TextureFormat>,
    pub depth_clear: f32,
    pub stencil_clear: u32,
    pub steps: Vec<Step>,
    /// Reads depth or stencil instead of the first colour.
    pub read: wgpu::TextureAspect,
    pub queries: u32,
}

/// One draw with its pipeline.
#[derive(Clone, Debug)]
pub struct Step {
    /// Position and colour.
    pub vertices: Vec<[f32; 8]>,
    pub layout: Layout,
    /// Of the buffer of vertices.
    pub offset_bytes: u64,
    /// As words, whatever their format.
    pub indices: Option<Vec<u32>>,
    pub index_format: wgpu::IndexFormat,
    /// The first vertex or index.
    pub first: u32,
    pub base_vertex: i32,
    pub instances: u32,
    pub first_instance: u32,
    pub entry: [&'static str; 2],
    pub constants: &'static [(&'static str, f64)],
    /// A mask of views; 0: there is one.
    pub views: u32,
    /// False: no fragment stage.
    pub shades: bool,
    pub primitive: wgpu::PrimitiveState,
    pub blend: Option<wgpu::BlendState>,
    pub writes: wgpu::ColorWrites,
    pub constant: wgpu::Color,
    pub compare: wgpu::CompareFunction,
    pub writes_depth: bool,
    pub bias: wgpu::DepthBiasState,
    pub stencil: wgpu::StencilState,
    pub reference: u32,
    pub mask: u64,
    pub alpha_to_coverage: bool,
    pub viewport: Option<[f32; 6]>,
    pub scissor: Option<[u32; 4]>,
    pub query: Option<u32>,
}

/// How the buffer of vertices is read.
#[derive(Clone, Debug)]
pub struct Layout {
    pub stride: u64,
    pub step_mode: wgpu::VertexStepMode,
    pub attributes: Vec<wgpu::VertexAttribute>,
}

impl Default for Layout {
    fn default() -> Self {
        let attributes = wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32x4].to_vec();
        Layout { stride: 32, step_mode: wgpu::VertexStepMode::Vertex, attributes }
    }
}

impl Default for Case<'_> {
    fn default() -> Self {
        Case {
            wgsl: COLOR,
            size: [16, 16],
            formats: vec![wgpu::TextureFormat::Rgba8Unorm],
            clear: wgpu::Color::TRANSPARENT,
            samples: 1,
            depth: None,
            depth_clear: 1.0,
            stencil_clear: 0,
            steps: Vec::new(),
            read: wgpu::TextureAspect::All,
            queries: 0,
        }
    }
}

impl Default for Step {
    fn default() -> Self {
        Step {
            vertices: Vec::new(),
            layout: Layout::default(),
            offset_bytes: 0,
            indices: None,
            index_format: wgpu::IndexFormat::Uint32,
            first: 0,
            base_vertex: 0,
            instances: 1,
            first_instance: 0,
            entry: ["vs", "fs"],
            constants: &[],
            views: 0,
            shades: true,
            primitive: wgpu::PrimitiveState::default(),
            blend: None,
            writes: wgpu::ColorWrites::ALL,
            constant: wgpu::Color::BLACK,
            compare: wgpu::CompareFunction::Always,
            writes_depth: false,
            bias: wgpu::DepthBiasState::default(),
            stencil: wgpu::StencilState::default(),
            reference: 0,
            mask: !0,
            alpha_to_coverage: false,
            viewport: None,
            scissor: None,
            query: None,
        }
    }
}

/// A picture's bytes, row by row without padding, and the query results.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    pub width: usize,
    pub texel: usize,
    pub bytes: Vec<u8>,
    pub queries: Vec<u64>,
}

impl Picture {
    pub fn at(&self, x: usize, y: usize) -> &[u8] {
        let at = (y * self.width + x) * self.texel;
        &self.bytes[at..at + self.texel]
    }
    pub fn rgba(&self, x: usize, y: usize) -> [u8; 4] {
        self.at(x, y).try_into().expect("4 bytes a texel")
    }
    pub fn f32(&self, x: usize, y: usize) -> f32 {
        f32::from_le_bytes(self.at(x, y)[..4].try_into().expect("4 bytes"))
    }
    pub fn floats(&self, x: usize, y: usize) -> Vec<f32> {
        self.at(x, y).chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().expect("4 bytes"))).collect()
    }
    /// Of a 16-bit float format.
    pub fn halves(&self, x: usize, y: usize) -> Vec<f32> {
        let half = |b: &[u8]| stillframe_base::math::pack::f32_from_f16(u16::from_le_bytes([b[0], b[1]]));
        self.at(x, y).chunks_exact(2).map(half).collect()
    }
    /// Rows as text: `#` where the first byte is not zero.
    pub fn map(&self) -> Vec<String> {
        let rows = self.bytes.chunks_exact(self.width * self.texel);
        rows.map(|row| row.chunks_exact(self.texel).map(|t| if t[0] == 0 { '.' } else { '#' }).collect()).collect()
    }
    pub fn count(&self) -> usize {
        self.map().iter().flat_map(|row| row.chars()).filter(|&c| c == '#').count()
    }
}

/// Draws on every device and compares.
pub fn draw(case: &Case<'_>) -> Picture {
    let gpus = Gpu::all();
    let first = draw_on(&gpus[0], case);
    for gpu in &gpus[1..] {
        let other = draw_on(gpu, case);
        if other != first {
            let at = first.bytes.iter().zip(&other.bytes).position(|(a, b)| a != b);
            let place = at.map(|at| (at / first.texel % first.width, at / first.texel / first.width));
            panic!("{} differs from the oracle at {place:?}\n{:?}\n{:?}", gpu.name, first.map(), other.map());
        }
    }
    first
}

pub fn texture(gpu: &Gpu, case: &Case<'_>, format: wgpu::TextureFormat, samples: u32) -> wgpu::Texture {
    let usage = wgpu::TextureUsages::RENDER_ATTACHMENT;
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: case.size[0], height: case.size[1], depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: samples,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: if samples == 1 { usage | wgpu::TextureUsages::COPY_SRC } else { usage },
        view_formats: &[],
    })
}

pub fn pipeline(gpu: &Gpu, case: &Case<'_>, step: &Step, module: &wgpu::ShaderModule) -> wgpu::RenderPipeline {
    let integer =
        |f: wgpu::TextureFormat| !matches!(f.sample_type(None, None), Some(wgpu::TextureSampleType::Float { .. }));
    let targets: Vec<_> = case
        .formats
        .iter()
        .map(|&format| {
            let blend = step.blend.filter(|_| !integer(format));
            Some(wgpu::ColorTargetState { format, blend, write_mask: step.writes })
        })
        .collect();
    let depth_stencil = case.depth.map(|format| wgpu::DepthStencilState {
        format,
        depth_write_enabled: Some(step.writes_depth),
        depth_compare: Some(step.compare),
        stencil: step.stencil.clone(),
        bias: step.bias,
    });
    let constants = || wgpu::PipelineCompilationOptions { constants: step.constants, ..Default::default() };
    gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: None,
        layout: None,
        vertex: wgpu::VertexState {
            module,
            entry_point: Some(step.entry[0]),
            compilation_options: constants(),
            buffers: &[Some(wgpu::VertexBufferLayout {
                array_stride: step.layout.stride,
                step_mode: step.layout.step_mode,
                attributes: &step.layout.attributes,
            })],
        },
        primitive: step.primitive,
        depth_stencil,
        multisample: wgpu::MultisampleState {
            count: case.samples,
            mask: step.mask,
            alpha_to_coverage_enabled: step.alpha_to_coverage,
        },
        fragment: step.shades.then(|| wgpu::FragmentState {
            module,
            entry_point: Some(step.entry[1]),
            compilation_options: constants(),
            targets: &targets,
        }),
        multiview_mask: std::num::NonZeroU32::new(step.views),
        cache: None,
    })
}

pub fn draw_on(gpu: &Gpu, case: &Case<'_>) -> Picture {
    let device = &gpu.device;
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(case.wgsl.into()),
    });
    let view = |t: &wgpu::Texture| t.create_view(&Default::default());
    let colors: Vec<_> = case.formats.iter().map(|&format| texture(gpu, case, format, case.samples)).collect();
    let resolved: Vec<_> = case.formats.iter().map(|&format| texture(gpu, case, format, 1)).collect();
    let (color_views, resolve_views): (Vec<_>, Vec<_>) =
        (colors.iter().map(view).collect(), resolved.iter().map(view).collect());
    let depth = case.depth.map(|format| texture(gpu, case, format, case.samples));
    let depth_view = depth.as_ref().map(view);
    let queries = (case.queries > 0).then(|| {
        device.create_query_set(&wgpu::QuerySetDescriptor {
            label: None,
            ty: wgpu::QueryType::Occlusion,
            count: case.queries,
        })
    });
    let mut encoder = device.create_command_encoder(&Default::default());
    let attachments: Vec<_> = (0..colors.len())
        .map(|k| {
            Some(wgpu::RenderPassColorAttachment {
                view: &color_views[k],
                depth_slice: None,
                resolve_target: (case.samples > 1).then(|| &resolve_views[k]),
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(case.clear), store: wgpu::StoreOp::Store },
            })
        })
        .collect();
    let kept: Vec<_> = case
        .steps
        .iter()
        .map(|step| {
            let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::INDEX;
            let buffer = |contents: &[u8]| {
                device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: None, contents, usage })
            };
            let vertices: Vec<u8> = step.vertices.iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
            let indices =
                step.indices.as_ref().map(|i| buffer(&i.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>()));
            (pipeline(gpu, case, step, &module), buffer(&vertices), indices)
        })
        .collect();
    {
        let stencil = case.depth.is_some_and(|f| f.has_stencil_aspect());
        let has_depth = case.depth.is_some_and(|f| f.has_depth_aspect());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: None,
            color_attachments: &attachments,
            depth_stencil_attachment: depth_view.as_ref().map(|view| wgpu::RenderPassDepthStencilAttachment {
                view,
                depth_ops: has_depth.then_some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(case.depth_clear),
                    store: wgpu::StoreOp::Store,
                }),
                stencil_ops: stencil.then_some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(case.stencil_clear),
                    store: wgpu::StoreOp::Store,
                }),
            }),
            timestamp_writes: None,
            occlusion_query_set: queries.as_ref(),
            multiview_mask: None,
        });
        for (step, (pipeline, vertices, indices)) in case.steps.iter().zip(&kept) {
            pass.set_pipeline(pipeline);
            pass.set_vertex_buffer(0, vertices.slice(step.offset_bytes..));
            pass.set_blend_constant(step.constant);
            pass.set_stencil_reference(step.reference);
            let [x, y, w, h, near, far] =
                step.viewport.unwrap_or([0.0, 0.0, case.size[0] as f32, case.size[1] as f32, 0.0, 1.0]);
            pass.set_viewport(x, y, w, h, near, far);
            let [x, y, w, h] = step.scissor.unwrap_or([0, 0, case.size[0], case.size[1]]);
            pass.set_scissor_rect(x, y, w, h);
            if let Some(query) = step.query {
                pass.begin_occlusion_query(query);
            }
            let instances = step.first_instance..step.first_instance + step.instances;
            match indices {
                Some(buffer) => {
                    pass.set_index_buffer(buffer.slice(..), step.index_format);
                    let count = buffer.size() / step.index_format.byte_size() as u64;
                    pass.draw_indexed(step.first..count as u32, step.base_vertex, instances);
                }
                None => {
                    let skipped = (step.offset_bytes / step.layout.stride) as u32;
                    pass.draw(step.first..step.vertices.len() as u32 - skipped, instances);
                }
            }
            if step.query.is_some() {
                pass.end_occlusion_query();
            }
        }
    }
    let source = match (case.read, &depth) {
        (wgpu::TextureAspect::All, _) => resolved_or(case, &colors, &resolved),
        (_, Some(depth)) => depth,
        _ => unreachable!("no depth to read"),
    };
    let texel = source.format().block_copy_size(Some(case.read)).expect("a copyable aspect") as usize;
    let (row, height) = ((case.size[0] as usize * texel).next_multiple_of(256), case.size[1]);
    let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ;
    let size = (row * height as usize) as u64;
    let target = device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false });
    encoder.copy_texture_to_buffer(
        wgpu::TexelCopyTextureInfo { texture: source, mip_level: 0, origin: wgpu::Origin3d::ZERO, aspect: case.read },
        wgpu::TexelCopyBufferInfo {
            buffer: &target,
            layout: wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row as u32), rows_per_image: None },
        },
        source.size(),
    );
    let count = u64::from(case.queries) * 8;
    let query_buffer = |usage| {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: count.max(8),
            usage,
            mapped_at_creation: false,
        })
    };
    let query_target = query_buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC);
    let query_read = query_buffer(usage);
    if let Some(set) = &queries {
        encoder.resolve_query_set(set, 0..case.queries, &query_target, 0);
        encoder.copy_buffer_to_buffer(&query_target, 0, &query_read, 0, count);
    }
    gpu.queue.submit([encoder.finish()]);
    let bytes = read(device, &target);
    let bytes = bytes.chunks_exact(row).flat_map(|r| &r[..case.size[0] as usize * texel]).copied().collect();
    let results = read(device, &query_read);
    let queries = results
        .chunks_exact(8)
        .take(case.queries as usize)
        .map(|b| u64::from_le_bytes(b.try_into().expect("8")))
        .collect();
    Picture { width: case.size[0] as usize, texel, bytes, queries }
}

pub fn resolved_or<'a>(
    case: &Case<'_>,
    colors: &'a [wgpu::Texture],
    resolved: &'a [wgpu::Texture],
) -> &'a wgpu::Texture {
    if case.samples > 1 { &resolved[0] } else { &colors[0] }
}

pub fn read(device: &wgpu::Device, buffer: &wgpu::Buffer) -> Vec<u8> {
    buffer.slice(..).map_async(wgpu::MapMode::Read, |result| result.expect("mapped"));
    device.poll(wgpu::PollType::wait_indefinitely()).expect("poll");
    let bytes = buffer.slice(..).get_mapped_range().expect("mapped").to_vec();
    buffer.unmap();
    bytes
}

pub const WHITE: [f32; 4] = [1.0; 4];

/// A vertex at a pixel position of a target of `size`, y down, with depth and colour.
pub fn at(size: [u32; 2], x: f32, y: f32, z: f32, c: [f32; 4]) -> [f32; 8] {
    [x / size[0] as f32 * 2.0 - 1.0, 1.0 - y / size[1] as f32 * 2.0, z, 1.0, c[0], c[1], c[2], c[3]]
}

pub fn square() -> [u32; 2] {
    [16, 16]
}

/// A white shape of pixel positions on a 16x16 target.
pub fn shape(points: &[(f32, f32)]) -> Vec<[f32; 8]> {
    points.iter().map(|&(x, y)| at(square(), x, y, 0.5, WHITE)).collect()
}

/// Two triangles over the whole target.
pub fn full(z: f32, c: [f32; 4]) -> Vec<[f32; 8]> {
    [(-1.0, 1.0), (1.0, 1.0), (-1.0, -1.0), (-1.0, -1.0), (1.0, 1.0), (1.0, -1.0)]
        .iter()
        .map(|&(x, y)| [x, y, z, 1.0, c[0], c[1], c[2], c[3]])
        .collect()
}

pub fn topology(topology: wgpu::PrimitiveTopology) -> wgpu::PrimitiveState {
    wgpu::PrimitiveState { topology, ..Default::default() }
}

pub fn one(step: Step) -> Picture {
    draw(&Case { steps: vec![step], ..Case::default() })
}
