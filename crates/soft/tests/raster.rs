//! Drawing, driven through wgpu: each rule of "Geometry", "Interpolation" and "Output" as pixels that can be worked out by
//! hand. Long because it is a table of pictures, one a rule. Every picture is drawn with 1, 2 and 8 threads, at every instruction set and by the oracle; all must be equal.

use pollster::block_on;
use stillframe_soft::{Isa, Options, wgpu};
use wgpu::util::DeviceExt;

const COLOR: &str = "
struct V { @builtin(position) p: vec4f, @location(0) c: vec4f }
@vertex fn vs(@location(0) p: vec4f, @location(1) c: vec4f) -> V { return V(p, c); }
@fragment fn fs(v: V) -> @location(0) vec4f { return v.c; }
";

/// A device of one way to run.
struct Gpu {
    name: String,
    device: wgpu::Device,
    queue: wgpu::Queue,
}

impl Gpu {
    fn new(name: &str, options: Options) -> Gpu {
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
    fn all() -> Vec<Gpu> {
        let base = Options { threads: 1, isa: None, ..Options::DEFAULT };
        let mut out = vec![Gpu::new("oracle", Options { plain: true, ..base.clone() })];
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
#[derive(Clone)]
struct Case<'a> {
    wgsl: &'a str,
    size: [u32; 2],
    formats: Vec<wgpu::TextureFormat>,
    clear: wgpu::Color,
    samples: u32,
    depth: Option<wgpu::TextureFormat>,
    depth_clear: f32,
    stencil_clear: u32,
    steps: Vec<Step>,
    /// Reads depth or stencil instead of the first colour.
    read: wgpu::TextureAspect,
    queries: u32,
}

/// One draw with its pipeline.
#[derive(Clone)]
struct Step {
    /// Position and colour.
    vertices: Vec<[f32; 8]>,
    indices: Option<Vec<u32>>,
    instances: u32,
    entry: [&'static str; 2],
    /// False: no fragment stage.
    shades: bool,
    primitive: wgpu::PrimitiveState,
    blend: Option<wgpu::BlendState>,
    writes: wgpu::ColorWrites,
    constant: wgpu::Color,
    compare: wgpu::CompareFunction,
    writes_depth: bool,
    bias: wgpu::DepthBiasState,
    stencil: wgpu::StencilState,
    reference: u32,
    mask: u64,
    alpha_to_coverage: bool,
    viewport: Option<[f32; 6]>,
    scissor: Option<[u32; 4]>,
    query: Option<u32>,
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
            indices: None,
            instances: 1,
            entry: ["vs", "fs"],
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
struct Picture {
    width: usize,
    texel: usize,
    bytes: Vec<u8>,
    queries: Vec<u64>,
}

impl Picture {
    fn at(&self, x: usize, y: usize) -> &[u8] {
        let at = (y * self.width + x) * self.texel;
        &self.bytes[at..at + self.texel]
    }
    fn rgba(&self, x: usize, y: usize) -> [u8; 4] {
        self.at(x, y).try_into().expect("4 bytes a texel")
    }
    fn f32(&self, x: usize, y: usize) -> f32 {
        f32::from_le_bytes(self.at(x, y)[..4].try_into().expect("4 bytes"))
    }
    fn floats(&self, x: usize, y: usize) -> Vec<f32> {
        self.at(x, y).chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().expect("4 bytes"))).collect()
    }
    /// Of a 16-bit float format.
    fn halves(&self, x: usize, y: usize) -> Vec<f32> {
        let half = |b: &[u8]| stillframe_base::math::pack::f32_from_f16(u16::from_le_bytes([b[0], b[1]]));
        self.at(x, y).chunks_exact(2).map(half).collect()
    }
    /// Rows as text: `#` where the first byte is not zero.
    fn map(&self) -> Vec<String> {
        let rows = self.bytes.chunks_exact(self.width * self.texel);
        rows.map(|row| row.chunks_exact(self.texel).map(|t| if t[0] == 0 { '.' } else { '#' }).collect()).collect()
    }
    fn count(&self) -> usize {
        self.map().iter().flat_map(|row| row.chars()).filter(|&c| c == '#').count()
    }
}

/// Draws on every device and compares.
fn draw(case: &Case<'_>) -> Picture {
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

fn texture(gpu: &Gpu, case: &Case<'_>, format: wgpu::TextureFormat, samples: u32) -> wgpu::Texture {
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

fn pipeline(gpu: &Gpu, case: &Case<'_>, step: &Step, module: &wgpu::ShaderModule) -> wgpu::RenderPipeline {
    let attributes = wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32x4];
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
    gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: None,
        layout: None,
        vertex: wgpu::VertexState {
            module,
            entry_point: Some(step.entry[0]),
            compilation_options: Default::default(),
            buffers: &[Some(wgpu::VertexBufferLayout {
                array_stride: 32,
                step_mode: wgpu::VertexStepMode::Vertex,
                attributes: &attributes,
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
            compilation_options: Default::default(),
            targets: &targets,
        }),
        multiview_mask: None,
        cache: None,
    })
}

fn draw_on(gpu: &Gpu, case: &Case<'_>) -> Picture {
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
            pass.set_vertex_buffer(0, vertices.slice(..));
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
            match indices {
                Some(buffer) => {
                    pass.set_index_buffer(buffer.slice(..), wgpu::IndexFormat::Uint32);
                    pass.draw_indexed(0..step.indices.as_ref().expect("indices").len() as u32, 0, 0..step.instances);
                }
                None => pass.draw(0..step.vertices.len() as u32, 0..step.instances),
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

fn resolved_or<'a>(case: &Case<'_>, colors: &'a [wgpu::Texture], resolved: &'a [wgpu::Texture]) -> &'a wgpu::Texture {
    if case.samples > 1 { &resolved[0] } else { &colors[0] }
}

fn read(device: &wgpu::Device, buffer: &wgpu::Buffer) -> Vec<u8> {
    buffer.slice(..).map_async(wgpu::MapMode::Read, |result| result.expect("mapped"));
    device.poll(wgpu::PollType::wait_indefinitely()).expect("poll");
    let bytes = buffer.slice(..).get_mapped_range().expect("mapped").to_vec();
    buffer.unmap();
    bytes
}

const WHITE: [f32; 4] = [1.0; 4];

/// A vertex at a pixel position of a target of `size`, y down, with depth and colour.
fn at(size: [u32; 2], x: f32, y: f32, z: f32, c: [f32; 4]) -> [f32; 8] {
    [x / size[0] as f32 * 2.0 - 1.0, 1.0 - y / size[1] as f32 * 2.0, z, 1.0, c[0], c[1], c[2], c[3]]
}

fn square() -> [u32; 2] {
    [16, 16]
}

/// A white shape of pixel positions on a 16x16 target.
fn shape(points: &[(f32, f32)]) -> Vec<[f32; 8]> {
    points.iter().map(|&(x, y)| at(square(), x, y, 0.5, WHITE)).collect()
}

/// Two triangles over the whole target.
fn full(z: f32, c: [f32; 4]) -> Vec<[f32; 8]> {
    [(-1.0, 1.0), (1.0, 1.0), (-1.0, -1.0), (-1.0, -1.0), (1.0, 1.0), (1.0, -1.0)]
        .iter()
        .map(|&(x, y)| [x, y, z, 1.0, c[0], c[1], c[2], c[3]])
        .collect()
}

fn topology(topology: wgpu::PrimitiveTopology) -> wgpu::PrimitiveState {
    wgpu::PrimitiveState { topology, ..Default::default() }
}

fn one(step: Step) -> Picture {
    draw(&Case { steps: vec![step], ..Case::default() })
}

// Geometry.

#[test]
fn shared_edges_belong_to_one_triangle() {
    // Two triangles over pixel centres, added up: every pixel of the square once.
    let p = [(2.5, 2.5), (12.5, 2.5), (2.5, 12.5), (2.5, 12.5), (12.5, 2.5), (12.5, 12.5)];
    let add = wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::One,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Add,
    };
    let quarter = |v: [f32; 8]| [v[0], v[1], v[2], v[3], 64.0 / 255.0, 0.0, 0.0, 0.0];
    let vertices = shape(&p).into_iter().map(quarter).collect();
    let picture = one(Step { vertices, blend: Some(wgpu::BlendState { color: add, alpha: add }), ..Step::default() });
    for y in 0..16 {
        for x in 0..16 {
            let inside = (2..12).contains(&x) && (2..12).contains(&y);
            assert_eq!(picture.rgba(x, y)[0], if inside { 64 } else { 0 }, "({x}, {y})");
        }
    }
}

#[test]
fn corners_snap_half_to_even() {
    // A left edge at 3.5 + k/512 pixels: the centre 3.5 is covered where the edge snaps to 3.5.
    for (k, covers) in [(0, true), (1, true), (2, false), (-1, true), (-2, true), (3, false)] {
        let x = 3.5 + k as f32 / 512.0;
        let p = [(x, -1.0), (14.0, -1.0), (x, 40.0)];
        let picture = one(Step { vertices: shape(&p), ..Step::default() });
        assert_eq!(picture.rgba(3, 3)[0] != 0, covers, "{k}/512");
    }
}

#[test]
fn faces_are_culled_by_their_winding() {
    let clockwise = shape(&[(1.0, 1.0), (15.0, 1.0), (1.0, 15.0)]);
    let count = |cull_mode, front_face| {
        let primitive = wgpu::PrimitiveState { cull_mode, front_face, ..Default::default() };
        one(Step { vertices: clockwise.clone(), primitive, ..Step::default() }).count()
    };
    use wgpu::{Face, FrontFace};
    let drawn = count(None, FrontFace::Ccw);
    assert!(drawn > 80);
    assert_eq!(count(Some(Face::Back), FrontFace::Cw), drawn);
    assert_eq!(count(Some(Face::Back), FrontFace::Ccw), 0);
    assert_eq!(count(Some(Face::Front), FrontFace::Ccw), drawn);
    assert_eq!(count(Some(Face::Front), FrontFace::Cw), 0);
}

#[test]
fn scissor_and_viewport_cut() {
    let vertices = full(0.5, WHITE);
    let scissor = one(Step { vertices: vertices.clone(), scissor: Some([3, 4, 5, 6]), ..Step::default() });
    assert_eq!(scissor.count(), 30);
    assert_eq!(scissor.rgba(3, 4), [255; 4]);
    assert_eq!(scissor.rgba(7, 9), [255; 4]);
    // A triangle much larger than the viewport stays inside of it.
    let big = vec![
        [-9.0, -9.0, 0.5, 1.0, 1.0, 1.0, 1.0, 1.0],
        [99.0, -9.0, 0.5, 1.0, 1.0, 1.0, 1.0, 1.0],
        [-9.0, 99.0, 0.5, 1.0, 1.0, 1.0, 1.0, 1.0],
    ];
    let viewport =
        one(Step { vertices: big.clone(), viewport: Some([2.0, 5.0, 4.0, 3.0, 0.0, 1.0]), ..Step::default() });
    assert_eq!(viewport.count(), 12);
    assert_eq!(viewport.rgba(5, 7), [255; 4]);
    // Half pixels: centres at 2.5 are inside of a box from 2.5, those at 6.5 outside of one to 6.5.
    let halves = one(Step { vertices: big, viewport: Some([2.5, 5.0, 4.0, 3.0, 0.0, 1.0]), ..Step::default() });
    assert_eq!(halves.map()[5], "..####..........");
}

#[test]
fn strips_restart_and_keep_their_winding() {
    let primitive = wgpu::PrimitiveState {
        topology: wgpu::PrimitiveTopology::TriangleStrip,
        strip_index_format: Some(wgpu::IndexFormat::Uint32),
        cull_mode: Some(wgpu::Face::Back),
        front_face: wgpu::FrontFace::Cw,
        ..Default::default()
    };
    let vertices =
        shape(&[(0.0, 0.0), (4.0, 0.0), (0.0, 4.0), (4.0, 4.0), (8.0, 8.0), (12.0, 8.0), (8.0, 12.0), (12.0, 12.0)]);
    let step = Step { vertices, indices: Some(vec![0, 1, 2, 3, u32::MAX, 4, 5, 6, 7]), primitive, ..Step::default() };
    let picture = one(step);
    assert_eq!(picture.count(), 32);
    assert_eq!((picture.rgba(3, 3)[0], picture.rgba(6, 6)[0], picture.rgba(11, 11)[0]), (255, 0, 255));
}

#[test]
fn lines_and_points_draw_their_pixels() {
    use wgpu::PrimitiveTopology as T;
    let lines = |t, p: &[(f32, f32)]| one(Step { vertices: shape(p), primitive: topology(t), ..Step::default() });
    let line = lines(T::LineList, &[(1.5, 2.5), (5.5, 2.5), (3.5, 9.5), (3.5, 5.5)]);
    assert_eq!(line.map()[2], ".####...........");
    assert_eq!((line.rgba(3, 9)[0], line.rgba(3, 6)[0], line.rgba(3, 5)[0]), (255, 255, 0));
    // A closed strip has no gap and no pixel of its corners twice: 4 sides of 8 pixels.
    let strip = lines(T::LineStrip, &[(2.5, 2.5), (10.5, 2.5), (10.5, 10.5), (2.5, 10.5), (2.5, 2.5)]);
    assert_eq!(strip.count(), 32);
    let diagonal = lines(T::LineList, &[(0.5, 0.5), (15.5, 15.5)]);
    assert!((0..15).all(|k| diagonal.rgba(k, k)[0] == 255) && diagonal.count() == 15);
    let points = lines(T::PointList, &[(0.5, 0.5), (3.99, 7.01), (15.0, 15.9), (16.5, 3.0), (-0.1, 3.0)]);
    assert_eq!(points.count(), 3);
    assert_eq!((points.rgba(3, 7)[0], points.rgba(15, 15)[0]), (255, 255));
}

#[test]
fn near_and_far_planes_cut_and_odd_positions_draw_nothing() {
    // Depth runs from -1 to 2 over the width: only 0..=1 is drawn, a third of 18 pixels.
    let wide = [18, 4];
    let v = |x: f32, y: f32, z: f32| at(wide, x, y, z, WHITE);
    let ramp = vec![
        v(0.0, 0.0, -1.0),
        v(18.0, 0.0, 2.0),
        v(0.0, 4.0, -1.0),
        v(0.0, 4.0, -1.0),
        v(18.0, 0.0, 2.0),
        v(18.0, 4.0, 2.0),
    ];
    let picture =
        draw(&Case { size: wide, steps: vec![Step { vertices: ramp.clone(), ..Step::default() }], ..Case::default() });
    assert!(picture.map().iter().all(|row| row == "......######......"), "{:?}", picture.map());
    let unclipped = wgpu::PrimitiveState { unclipped_depth: true, ..Default::default() };
    let steps = vec![Step { vertices: ramp, primitive: unclipped, ..Step::default() }];
    assert_eq!(draw(&Case { size: wide, steps, ..Case::default() }).count(), 72);
    // Behind the eye, through the eye, not numbers.
    let p = |x: f32, y: f32, w: f32| [x, y, 0.5 * w, w, 1.0, 1.0, 1.0, 1.0];
    for bad in [
        vec![p(-1.0, -1.0, -1.0), p(1.0, -1.0, -1.0), p(0.0, 1.0, -1.0)],
        vec![p(0.0, 0.0, 0.0); 3],
        vec![p(f32::NAN, 0.0, 1.0), p(1.0, 0.0, 1.0), p(0.0, 1.0, 1.0)],
        vec![p(0.0, 0.0, 1.0), p(f32::INFINITY, 0.0, 1.0), p(0.0, 1.0, 1.0)],
        vec![p(0.0, 0.0, 1.0), p(0.5, 0.0, f32::NAN), p(0.0, 1.0, 1.0)],
    ] {
        assert_eq!(one(Step { vertices: bad, ..Step::default() }).count(), 0);
    }
    // One corner behind the eye: the rest is drawn, and everywhere equal.
    let through = vec![p(-0.5, -0.5, 1.0), p(0.5, -0.5, 1.0), p(0.0, 3.0, -2.0)];
    assert!(one(Step { vertices: through, ..Step::default() }).count() > 40);
}

// Interpolation.

#[test]
fn perspective_linear_and_flat() {
    let wgsl = "
        struct V { @builtin(position) p: vec4f, @location(0) a: f32, @location(1) @interpolate(linear) b: f32,
                   @location(2) @interpolate(flat) c: f32 }
        @vertex fn vs(@location(0) p: vec4f, @location(1) c: vec4f) -> V { return V(p, c.x, c.x, c.x); }
        @fragment fn fs(v: V) -> @location(0) vec4f { return vec4f(v.a, v.b, v.c, v.p.w); }";
    // The right side is three times as far: at the middle of the screen perspective gives 1 / (1 + 3) of the way.
    let v = |x: f32, y: f32, w: f32, c: f32| [x * w, y * w, 0.5 * w, w, c, 0.0, 0.0, 0.0];
    let vertices = vec![v(-1.0, 19.0, 1.0, 0.0), v(-1.0, -9.0, 1.0, 0.0), v(1.0, -9.0, 3.0, 1.0)];
    let case = Case {
        wgsl,
        size: [15, 15],
        formats: vec![wgpu::TextureFormat::Rgba32Float],
        steps: vec![Step { vertices, ..Step::default() }],
        ..Case::default()
    };
    let middle = draw(&case).floats(7, 7);
    for (got, want) in middle.iter().zip([0.25, 0.5, 0.0, 2.0 / 3.0]) {
        assert!((got - want).abs() < 1e-6, "{middle:?}");
    }
}

#[test]
fn equal_values_keep_their_bits() {
    let c = [0.1, 0.7, 1.0 / 3.0, 12345.678];
    let v = |x: f32, y: f32, w: f32| [x * w, y * w, 0.3 * w, w, c[0], c[1], c[2], c[3]];
    let vertices = vec![v(-0.9, 0.8, 1.3), v(-0.7, -0.95, 4.1), v(0.93, -0.2, 0.77)];
    let formats = vec![wgpu::TextureFormat::Rgba32Float];
    let picture =
        draw(&Case { size: [70, 70], formats, steps: vec![Step { vertices, ..Step::default() }], ..Case::default() });
    let mut hits = 0;
    for y in 0..70 {
        for x in 0..70 {
            let got = picture.floats(x, y);
            if got[3] != 0.0 {
                assert_eq!(got, c);
                hits += 1;
            }
        }
    }
    assert!(hits > 500, "{hits}");
}

#[test]
fn builtins_tell_where_a_fragment_is() {
    let wgsl = "
        @vertex fn vs(@location(0) p: vec4f, @builtin(vertex_index) i: u32, @builtin(instance_index) n: u32)
            -> @builtin(position) vec4f { return p + vec4f(f32(n) * 1.0, 0, 0, 0); }
        @fragment fn fs(@builtin(position) p: vec4f, @builtin(front_facing) front: bool)
            -> @location(0) vec4f { return vec4f(p.xyz, select(1.0, 2.0, front)); }";
    let vertices = vec![
        at(square(), 0.0, 0.0, 0.25, WHITE),
        at(square(), 8.0, 0.0, 0.25, WHITE),
        at(square(), 0.0, 16.0, 0.25, WHITE),
    ];
    let formats = vec![wgpu::TextureFormat::Rgba32Float];
    let step = Step { vertices, instances: 2, ..Step::default() };
    let picture = draw(&Case { wgsl, formats, steps: vec![step], ..Case::default() });
    assert_eq!(picture.floats(2, 3), [2.5, 3.5, 0.25, 1.0]);
    assert_eq!(picture.floats(9, 5), [9.5, 5.5, 0.25, 1.0]);
}

// Depth and stencil.

/// Depth 0.5 under a second layer of depth `z`, compared with `compare`: whether the second passes.
fn second_passes(
    format: wgpu::TextureFormat,
    compare: wgpu::CompareFunction,
    z: f32,
    bias: wgpu::DepthBiasState,
) -> bool {
    let under = Step { vertices: full(0.5, [1.0, 0.0, 0.0, 1.0]), writes_depth: true, ..Step::default() };
    let over = Step { vertices: full(z, [0.0, 1.0, 0.0, 1.0]), compare, bias, writes_depth: true, ..Step::default() };
    let picture = draw(&Case { depth: Some(format), size: [8, 8], steps: vec![under, over], ..Case::default() });
    picture.rgba(3, 3)[1] == 255
}

#[test]
fn depth_compares() {
    use wgpu::CompareFunction as C;
    for (compare, below, equal, above) in [
        (C::Never, false, false, false),
        (C::Less, true, false, false),
        (C::Equal, false, true, false),
        (C::LessEqual, true, true, false),
        (C::Greater, false, false, true),
        (C::NotEqual, true, false, true),
        (C::GreaterEqual, false, true, true),
        (C::Always, true, true, true),
    ] {
        for (z, want) in [(0.25, below), (0.5, equal), (0.75, above)] {
            for format in [wgpu::TextureFormat::Depth32Float, wgpu::TextureFormat::Depth16Unorm] {
                assert_eq!(second_passes(format, compare, z, Default::default()), want, "{format:?} {compare:?} {z}");
            }
        }
    }
}

#[test]
fn sixteen_bits_of_depth_are_compared_as_stored() {
    // 0.5 is stored as 32768; a little more is the same number, a step more is not.
    let greater =
        |z| second_passes(wgpu::TextureFormat::Depth16Unorm, wgpu::CompareFunction::Greater, z, Default::default());
    assert!(!greater(0.5 + 1.0 / 200_000.0));
    assert!(greater(0.5 + 1.0 / 65535.0));
}

#[test]
fn bias_moves_by_its_unit() {
    let bias = |constant| wgpu::DepthBiasState { constant, ..Default::default() };
    let less = |format, constant| second_passes(format, wgpu::CompareFunction::Less, 0.5, bias(constant));
    for format in [
        wgpu::TextureFormat::Depth32Float,
        wgpu::TextureFormat::Depth16Unorm,
        wgpu::TextureFormat::Depth24Plus,
        wgpu::TextureFormat::Depth24PlusStencil8,
    ] {
        assert!(!less(format, 0) && !less(format, 1) && less(format, -1), "{format:?}");
    }
    // Slope: depth rises by 1/16 a pixel; a factor of 1 lifts it by that much.
    let sloped = |slope_scale: f32, clamp: f32| {
        let v = |x: f32, y: f32| at(square(), x, y, x / 16.0, WHITE);
        let vertices = vec![v(0.0, 0.0), v(16.0, 0.0), v(0.0, 16.0)];
        let bias = wgpu::DepthBiasState { constant: 0, slope_scale, clamp };
        let step = Step { vertices, writes_depth: true, bias, ..Step::default() };
        let depth = Some(wgpu::TextureFormat::Depth32Float);
        let read = wgpu::TextureAspect::DepthOnly;
        draw(&Case { depth, read, steps: vec![step], ..Case::default() }).f32(4, 4)
    };
    assert_eq!(sloped(0.0, 0.0), 4.5 / 16.0);
    assert_eq!(sloped(1.0, 0.0), 5.5 / 16.0);
    assert_eq!(sloped(4.0, 0.125), 6.5 / 16.0);
}

#[test]
fn a_fragment_may_give_its_depth() {
    let wgsl = "
        struct V { @builtin(position) p: vec4f, @location(0) c: vec4f }
        struct F { @location(0) c: vec4f, @builtin(frag_depth) z: f32 }
        @vertex fn vs(@location(0) p: vec4f, @location(1) c: vec4f) -> V { return V(p, c); }
        @fragment fn fs(v: V) -> F { return F(v.c, v.c.r * 2.0 - 0.5); }";
    let value = |r: f32| {
        let step = Step { vertices: full(0.1, [r, 0.0, 0.0, 1.0]), writes_depth: true, ..Step::default() };
        let case = Case {
            wgsl,
            depth: Some(wgpu::TextureFormat::Depth32Float),
            read: wgpu::TextureAspect::DepthOnly,
            ..Case::default()
        };
        draw(&Case { steps: vec![step], ..case }).f32(3, 3)
    };
    assert_eq!([value(0.5), value(1.0), value(0.0)], [0.5, 1.0, 0.0]);
}

#[test]
fn stencil_operations_and_masks() {
    use wgpu::{CompareFunction as C, StencilOperation as S};
    let face =
        |compare, pass_op, fail_op, depth_fail_op| wgpu::StencilFaceState { compare, fail_op, depth_fail_op, pass_op };
    let run = |front: wgpu::StencilFaceState, clear: u32, reference: u32, masks: (u32, u32), compare: C| {
        let stencil = wgpu::StencilState { front, back: front, read_mask: masks.0, write_mask: masks.1 };
        let step = Step { vertices: full(0.5, WHITE), stencil, reference, compare, ..Step::default() };
        let case =
            Case { depth: Some(wgpu::TextureFormat::Depth24PlusStencil8), stencil_clear: clear, ..Case::default() };
        draw(&Case { read: wgpu::TextureAspect::StencilOnly, steps: vec![step], ..case }).at(5, 5)[0]
    };
    for (op, clear, want) in [
        (S::Keep, 7, 7),
        (S::Zero, 7, 0),
        (S::Replace, 7, 0x5A),
        (S::Invert, 0x0F, 0xF0),
        (S::IncrementClamp, 255, 255),
        (S::IncrementClamp, 7, 8),
        (S::DecrementClamp, 0, 0),
        (S::IncrementWrap, 255, 0),
        (S::DecrementWrap, 0, 255),
    ] {
        let always = face(C::Always, op, S::Keep, S::Keep);
        assert_eq!(run(always, clear, 0x15A, (!0, !0), C::Always), want, "{op:?} {clear}");
    }
    let replace = face(C::Always, S::Replace, S::Keep, S::Keep);
    assert_eq!(run(replace, 0xF0, 0x3C, (!0, 0x0F), C::Always), 0xFC);
    let equal = face(C::Equal, S::Zero, S::Invert, S::Keep);
    assert_eq!(run(equal, 0x13, 0x23, (0x0F, !0), C::Always), 0);
    assert_eq!(run(equal, 0x13, 0x23, (!0, !0), C::Always), 0xEC);
    let depth_fails = face(C::Always, S::Zero, S::Zero, S::Replace);
    assert_eq!(run(depth_fails, 1, 9, (!0, !0), C::Never), 9);
}

#[test]
fn both_sides_have_their_stencil() {
    use wgpu::{CompareFunction as C, StencilOperation as S};
    let face =
        |pass_op| wgpu::StencilFaceState { compare: C::Always, fail_op: S::Keep, depth_fail_op: S::Keep, pass_op };
    let stencil =
        wgpu::StencilState { front: face(S::IncrementClamp), back: face(S::Replace), read_mask: !0, write_mask: !0 };
    let mut vertices = shape(&[(0.0, 0.0), (8.0, 0.0), (0.0, 8.0), (8.0, 8.0), (8.0, 16.0), (16.0, 8.0)]);
    vertices.truncate(6);
    let step = Step { vertices, stencil, reference: 77, ..Step::default() };
    let case =
        Case { depth: Some(wgpu::TextureFormat::Stencil8), read: wgpu::TextureAspect::StencilOnly, ..Case::default() };
    let picture = draw(&Case { steps: vec![step], ..case });
    assert_eq!((picture.at(1, 1)[0], picture.at(9, 9)[0], picture.at(15, 1)[0]), (77, 1, 0));
}

#[test]
fn early_and_late_tests_agree() {
    // Discard in a checker pattern, with depth, over many small triangles in random order; the oracle is the judge.
    let wgsl = "
        struct V { @builtin(position) p: vec4f, @location(0) c: vec4f }
        @vertex fn vs(@location(0) p: vec4f, @location(1) c: vec4f) -> V { return V(p, c); }
        @fragment fn fs(v: V) -> @location(0) vec4f {
            if ((u32(v.p.x) ^ u32(v.p.y)) & 1u) == 0u { discard; }
            return v.c;
        }
        @fragment fn forced(v: V) -> @location(0) vec4f { return v.c; }";
    let size = [100, 90];
    let mut state = 1u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32
    };
    let mut vertices = Vec::new();
    for _ in 0..300 {
        let (x, y, c) = (random() * 100.0, random() * 90.0, [random(), random(), random(), 1.0]);
        for _ in 0..3 {
            vertices.push(at(size, x + random() * 30.0 - 15.0, y + random() * 30.0 - 15.0, random(), c));
        }
    }
    for entry in [["vs", "fs"], ["vs", "forced"]] {
        for format in [wgpu::TextureFormat::Depth32Float, wgpu::TextureFormat::Depth16Unorm] {
            for samples in [1, 4] {
                let step = Step {
                    vertices: vertices.clone(),
                    entry,
                    compare: wgpu::CompareFunction::Less,
                    writes_depth: true,
                    query: Some(0),
                    ..Step::default()
                };
                let picture = draw(&Case {
                    wgsl,
                    size,
                    samples,
                    depth: Some(format),
                    queries: 1,
                    steps: vec![step],
                    ..Case::default()
                });
                assert!(picture.count() > 500 && picture.queries[0] > 500);
            }
        }
    }
}

// Colour.

#[test]
fn blending_by_the_formula() {
    let over = wgpu::BlendState::ALPHA_BLENDING;
    let under = Step { vertices: full(0.5, [1.0, 0.5, 0.0, 1.0]), ..Step::default() };
    let step = Step { vertices: full(0.5, [0.0, 1.0, 1.0, 0.25]), blend: Some(over), ..Step::default() };
    let picture =
        draw(&Case { formats: vec![wgpu::TextureFormat::Rgba32Float], steps: vec![under, step], ..Case::default() });
    assert_eq!(picture.floats(3, 3), [0.75, 0.625, 0.25, 1.0]);
    let component = |src_factor, dst_factor, operation| wgpu::BlendComponent { src_factor, dst_factor, operation };
    use wgpu::{BlendFactor as F, BlendOperation as O};
    for (color, want) in [
        (component(F::One, F::One, O::Add), [192, 255, 102]),
        (component(F::One, F::One, O::Subtract), [0, 77, 0]),
        (component(F::One, F::One, O::ReverseSubtract), [140, 0, 0]),
        (component(F::One, F::One, O::Min), [26, 102, 51]),
        (component(F::One, F::One, O::Max), [166, 179, 51]),
        (component(F::Dst, F::Zero, O::Add), [17, 72, 10]),
        (component(F::Constant, F::OneMinusConstant, O::Add), [96, 141, 51]),
        (component(F::Zero, F::SrcAlpha, O::Add), [83, 51, 26]),
    ] {
        let dst = [166.0 / 255.0, 102.0 / 255.0, 51.0 / 255.0, 1.0];
        let src = [26.0 / 255.0, 179.0 / 255.0, 51.0 / 255.0, 0.5];
        let under = Step { vertices: full(0.5, dst), ..Step::default() };
        let blend = Some(wgpu::BlendState { color, alpha: wgpu::BlendComponent::REPLACE });
        let constant = wgpu::Color { r: 0.5, g: 0.5, b: 0.5, a: 0.5 };
        let step = Step { vertices: full(0.5, src), blend, constant, ..Step::default() };
        let got = draw(&Case { size: [4, 4], steps: vec![under, step], ..Case::default() }).rgba(1, 1);
        assert_eq!(got, [want[0], want[1], want[2], 128], "{color:?}");
    }
}

#[test]
fn a_pixel_drawn_often_in_one_draw_is_blended_in_order() {
    // Thirty full-screen layers in one draw, each half transparent: the same as one after the other.
    let layers: Vec<[f32; 4]> = (0..30).map(|k| [k as f32 / 30.0, 1.0 - k as f32 / 30.0, 0.3, 0.5]).collect();
    let blend = Some(wgpu::BlendState::ALPHA_BLENDING);
    let together = Step { vertices: layers.iter().flat_map(|&c| full(0.5, c)).collect(), blend, ..Step::default() };
    let apart = layers.iter().map(|&c| Step { vertices: full(0.5, c), blend, ..Step::default() }).collect();
    let size = [3, 2];
    let one = draw(&Case { size, steps: vec![together], ..Case::default() });
    assert_eq!(one, draw(&Case { size, steps: apart, ..Case::default() }));
}

#[test]
fn write_masks_keep_what_they_hide() {
    let clear = wgpu::Color { r: 0.2, g: 0.4, b: 0.6, a: 0.8 };
    for format in [wgpu::TextureFormat::Rgba8Unorm, wgpu::TextureFormat::Bgra8Unorm] {
        let writes = wgpu::ColorWrites::RED | wgpu::ColorWrites::ALPHA;
        let step = Step { vertices: full(0.5, WHITE), writes, ..Step::default() };
        let picture = draw(&Case { formats: vec![format], clear, steps: vec![step], ..Case::default() });
        let want = if format == wgpu::TextureFormat::Rgba8Unorm { [255, 102, 153, 255] } else { [153, 102, 255, 255] };
        assert_eq!(picture.rgba(1, 1), want);
    }
}

#[test]
fn srgb_is_encoded_and_blended_in_linear_light() {
    let under = Step { vertices: full(0.5, [1.0, 1.0, 1.0, 1.0]), ..Step::default() };
    let over = Step {
        vertices: full(0.5, [0.0, 0.0, 0.0, 0.5]),
        blend: Some(wgpu::BlendState::ALPHA_BLENDING),
        ..Step::default()
    };
    let formats = vec![wgpu::TextureFormat::Rgba8UnormSrgb];
    let picture = draw(&Case { formats, steps: vec![under, over], ..Case::default() });
    assert_eq!(picture.rgba(1, 1), [188, 188, 188, 255]);
}

#[test]
fn every_float_format_takes_a_colour() {
    use wgpu::TextureFormat as F;
    for (format, want) in [
        (F::R8Unorm, vec![64]),
        (F::Rg8Unorm, vec![64, 128]),
        (F::Rgba8Unorm, vec![64, 128, 255, 0]),
        (F::Bgra8Unorm, vec![255, 128, 64, 0]),
        (F::R16Float, vec![0x00, 0x34]),
        (F::Rg16Float, vec![0x00, 0x34, 0x00, 0x38]),
        (F::Rgba16Float, vec![0x00, 0x34, 0x00, 0x38, 0x00, 0x40, 0x00, 0xBC]),
        (F::R32Float, 0.25f32.to_le_bytes().to_vec()),
        (F::Rgb10a2Unorm, (256u32 | 512 << 10 | 1023 << 20).to_le_bytes().to_vec()),
        (F::Rg11b10Ufloat, (0x340u32 | 0x380 << 11 | 0x200 << 22).to_le_bytes().to_vec()),
    ] {
        let step = Step { vertices: full(0.5, [0.25, 0.5, 2.0, -1.0]), ..Step::default() };
        let picture = draw(&Case { formats: vec![format], steps: vec![step], ..Case::default() });
        assert_eq!(picture.at(2, 2), want, "{format:?}");
    }
}

#[test]
fn integer_targets_clamp() {
    use wgpu::TextureFormat as F;
    let wgsl = "
        @vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f { return p; }
        @fragment fn fs() -> @location(0) vec4u { return vec4u(7, 300, 70000, 1); }
        @fragment fn signed() -> @location(0) vec4i { return vec4i(-7, -300, 70000, 1); }";
    for (format, fragment, want) in [
        (F::Rgba8Uint, "fs", vec![7u8, 255, 255, 1]),
        (F::Rgba16Uint, "fs", vec![7, 0, 44, 1, 255, 255, 1, 0]),
        (F::Rg8Sint, "signed", vec![249, 128]),
        (F::R32Sint, "signed", vec![249, 255, 255, 255]),
        (F::Rgb10a2Uint, "fs", (7u32 | 300 << 10 | 1023 << 20 | 1 << 30).to_le_bytes().to_vec()),
    ] {
        let step = Step { vertices: full(0.5, WHITE), entry: ["vs", fragment], ..Step::default() };
        let picture = draw(&Case { wgsl, formats: vec![format], steps: vec![step], ..Case::default() });
        assert_eq!(picture.at(2, 2), want, "{format:?}");
    }
}

#[test]
fn several_targets_take_their_own_output() {
    let wgsl = "
        struct F { @location(0) a: vec4f, @location(2) c: vec4f, @location(1) b: u32 }
        @vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f { return p; }
        @fragment fn fs() -> F { return F(vec4f(1, 0, 0, 1), vec4f(0, 0.5, 0, 1), 9u); }";
    use wgpu::TextureFormat as F;
    let order = [F::Rgba8Unorm, F::R32Uint, F::Rgba16Float];
    let step = Step { vertices: full(0.5, WHITE), ..Step::default() };
    let picture = draw(&Case { wgsl, formats: order.to_vec(), steps: vec![step], ..Case::default() });
    assert_eq!(picture.rgba(3, 3), [255, 0, 0, 255]);
}

// Several samples.

#[test]
fn samples_are_where_webgpu_puts_them() {
    // A right half that begins at x = 8 + k/16: the samples' x are 2, 6, 10 and 14 sixteenths.
    for (sixteenths, covered) in [(0, 4), (2, 4), (3, 3), (6, 3), (7, 2), (10, 2), (11, 1), (14, 1), (15, 0)] {
        let x = 8.0 + sixteenths as f32 / 16.0;
        let p = [(x, 0.0), (16.0, 0.0), (x, 16.0), (x, 16.0), (16.0, 0.0), (16.0, 16.0)];
        let picture =
            draw(&Case { samples: 4, steps: vec![Step { vertices: shape(&p), ..Step::default() }], ..Case::default() });
        assert_eq!(picture.rgba(8, 8)[0], [0, 64, 128, 191, 255][covered], "{sixteenths}/16");
        assert_eq!(picture.rgba(9, 8)[0], 255);
    }
}

#[test]
fn masks_choose_samples() {
    for (mask, want) in [(0, 0), (1, 64), (0b1010, 128), (0b0111, 191), (!0, 255)] {
        let step = Step { vertices: full(0.5, WHITE), mask, ..Step::default() };
        assert_eq!(draw(&Case { samples: 4, steps: vec![step], ..Case::default() }).rgba(3, 3)[0], want);
    }
    for (alpha, want) in [(0.0, 0), (0.1, 0), (0.125, 64), (0.5, 128), (0.9, 255), (2.0, 255)] {
        let step = Step { vertices: full(0.5, [1.0, 1.0, 1.0, alpha]), alpha_to_coverage: true, ..Step::default() };
        assert_eq!(draw(&Case { samples: 4, steps: vec![step], ..Case::default() }).rgba(3, 3)[0], want, "{alpha}");
    }
    let wgsl = "
        struct F { @location(0) c: vec4f, @builtin(sample_mask) m: u32 }
        @vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f { return p; }
        @fragment fn fs(@builtin(sample_mask) m: u32) -> F { return F(vec4f(f32(m) / 15.0), 0x15u); }";
    let step = Step { vertices: full(0.5, WHITE), ..Step::default() };
    assert_eq!(draw(&Case { wgsl, samples: 4, steps: vec![step], ..Case::default() }).rgba(3, 3)[0], 128);
}

#[test]
fn shading_once_a_sample_when_asked() {
    let wgsl = "
        struct V { @builtin(position) p: vec4f, @location(0) @interpolate(perspective, sample) c: vec4f }
        @vertex fn vs(@location(0) p: vec4f, @location(1) c: vec4f) -> V { return V(p, c); }
        @fragment fn fs(v: V) -> @location(0) vec4f { return v.c; }
        @fragment fn index(@builtin(sample_index) s: u32, @builtin(position) p: vec4f) -> @location(0) vec4f {
            return vec4f(f32(s), p.x, p.y, 1.0);
        }";
    let ramp: Vec<_> = full(0.5, WHITE)
        .into_iter()
        .map(|mut v| {
            v[4] = (v[0] + 1.0) * 8.0;
            v
        })
        .collect();
    let formats = vec![wgpu::TextureFormat::Rgba16Float];
    let run = |fragment| {
        let step = Step { vertices: ramp.clone(), entry: ["vs", fragment], ..Step::default() };
        draw(&Case { wgsl, samples: 4, formats: formats.clone(), steps: vec![step], ..Case::default() })
    };
    // The mean of the samples' positions is the centre; of their numbers 1.5.
    assert!((run("fs").halves(3, 3)[0] - 3.5).abs() < 4e-3);
    assert_eq!(run("index").halves(3, 5), [1.5, 3.5, 5.5, 1.0]);
}

#[test]
fn centroids_stay_inside() {
    // A value that is x in pixels, on a triangle that begins at 8.5 and so misses the centre of pixel 8's left samples.
    let wgsl = "
        struct V { @builtin(position) p: vec4f, @location(0) @interpolate(perspective, centroid) a: f32, @location(1) b: f32 }
        @vertex fn vs(@location(0) p: vec4f, @location(1) c: vec4f) -> V { return V(p, c.x, c.x); }
        @fragment fn fs(v: V) -> @location(0) vec4f { return vec4f(v.a, v.b, 0, 1); }";
    let v = |x: f32, y: f32| at(square(), x, y, 0.5, [x, 0.0, 0.0, 0.0]);
    let left = 8.6;
    let vertices = vec![v(left, 0.0), v(16.0, 0.0), v(left, 16.0), v(left, 16.0), v(16.0, 0.0), v(16.0, 16.0)];
    let clear = wgpu::Color { r: 0.0, g: 0.0, b: 0.0, a: 0.0 };
    let case = Case { wgsl, samples: 4, formats: vec![wgpu::TextureFormat::Rgba16Float], clear, ..Case::default() };
    let got = draw(&Case { steps: vec![Step { vertices, ..Step::default() }], ..case }).halves(8, 4);
    // Samples 1 (x = 8.875) and 3 (8.625) are covered: the centroid is sample 1, the centre 8.5.
    assert!((got[0] - 8.875 * 0.5).abs() < 4e-3 && (got[1] - 8.5 * 0.5).abs() < 4e-3, "{got:?}");
}

#[test]
fn samples_have_their_own_depth() {
    // Two crossing slopes at four samples: the edge between them is smooth, and counted exactly.
    let v = |x: f32, y: f32, z: f32, c| at(square(), x, y, z, c);
    let slope = |a: f32, b: f32, c: [f32; 4]| {
        vec![
            v(0.0, 0.0, a, c),
            v(16.0, 0.0, b, c),
            v(0.0, 16.0, a, c),
            v(0.0, 16.0, a, c),
            v(16.0, 0.0, b, c),
            v(16.0, 16.0, b, c),
        ]
    };
    let step = |vertices, query| Step {
        vertices,
        compare: wgpu::CompareFunction::Less,
        writes_depth: true,
        query: Some(query),
        ..Step::default()
    };
    let steps = vec![step(slope(0.2, 0.8, [1.0, 0.0, 0.0, 1.0]), 0), step(slope(0.83, 0.2, [0.0, 1.0, 0.0, 1.0]), 1)];
    let picture = draw(&Case {
        samples: 4,
        depth: Some(wgpu::TextureFormat::Depth32Float),
        queries: 2,
        steps,
        ..Case::default()
    });
    assert_eq!(picture.queries[0], 1024);
    let mixed = (0..16).filter(|&x| (1..255).contains(&picture.rgba(x, 8)[0])).count();
    assert_eq!(mixed, 1);
}

// Size.

#[test]
fn many_tiles_many_chunks_and_instances() {
    // 5,000 small triangles twice over 300x200 pixels, shared corners, alpha blended: order and bins matter.
    let size = [300, 200];
    let mut vertices = Vec::new();
    for y in 0..51 {
        for x in 0..51 {
            let jitter = ((x * 7 + y * 13) % 5) as f32 * 0.3;
            vertices.push(at(
                size,
                x as f32 * 6.1 - 2.0 + jitter,
                y as f32 * 4.1 - 2.0,
                0.5,
                [x as f32 / 50.0, y as f32 / 50.0, 0.5, 0.4],
            ));
        }
    }
    let mut indices = Vec::new();
    for y in 0..50u32 {
        for x in 0..50u32 {
            let k = y * 51 + x;
            indices.extend([k, k + 1, k + 51, k + 51, k + 1, k + 52]);
        }
    }
    let step = Step {
        vertices,
        indices: Some(indices),
        instances: 2,
        blend: Some(wgpu::BlendState::ALPHA_BLENDING),
        ..Step::default()
    };
    let picture = draw(&Case { size, steps: vec![step], ..Case::default() });
    assert!(picture.count() > 59_000);
}
