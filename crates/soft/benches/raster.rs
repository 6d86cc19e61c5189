//! Milliseconds of steady frames that weigh on the rasteriser: small triangles, depth alone, filling, blending, many
//! draws, four samples. `cargo bench -p stillframe-soft --bench raster [-- FILTER]`; medians with one and with two
//! threads.

use std::time::Instant;

use pollster::block_on;
use stillframe_soft::{Options, wgpu};
use wgpu::util::DeviceExt;

/// Frames measured; the median is printed.
const ROUNDS: usize = 31;

struct Gpu {
    device: wgpu::Device,
    queue: wgpu::Queue,
}

impl Gpu {
    fn new(threads: usize) -> Gpu {
        let options = Options { threads, ..Options::default() };
        let adapter =
            block_on(stillframe_soft::instance(&options).request_adapter(&Default::default())).expect("adapter");
        let (device, queue) = block_on(adapter.request_device(&Default::default())).expect("device");
        Gpu { device, queue }
    }

    fn buffer(&self, contents: &[u8]) -> wgpu::Buffer {
        let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::INDEX | wgpu::BufferUsages::UNIFORM;
        self.device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: None, contents, usage })
    }

    fn view(&self, size: [u32; 2], format: wgpu::TextureFormat, samples: u32) -> wgpu::TextureView {
        let texture = self.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: samples,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        });
        texture.create_view(&Default::default())
    }
}

/// One workload.
struct Work {
    name: &'static str,
    size: [u32; 2],
    format: Option<wgpu::TextureFormat>,
    depth: bool,
    samples: u32,
    blend: bool,
    /// What a fragment gives.
    fragment: &'static str,
    scene: fn() -> Scene,
}

/// Position and uv; indices; how many draws they are cut into.
struct Scene {
    vertices: Vec<[f32; 5]>,
    indices: Vec<u32>,
    draws: u32,
}

const RGBA8: Option<wgpu::TextureFormat> = Some(wgpu::TextureFormat::Rgba8Unorm);
const PLAIN: Work = Work {
    name: "",
    size: [1024, 1024],
    format: RGBA8,
    depth: false,
    samples: 1,
    blend: false,
    fragment: "vec4f(v.uv, 0.5, 0.5)",
    scene: || layers(8),
};

const WORKS: &[Work] = &[
    Work {
        name: "393 k triangles, depth only, 2048",
        size: [2048, 2048],
        format: None,
        depth: true,
        scene: || sheet(443),
        ..PLAIN
    },
    Work {
        name: "131 k triangles, depth, one varying, 1280x720",
        size: [1280, 720],
        depth: true,
        scene: || sheet(256),
        ..PLAIN
    },
    Work {
        name: "131 k triangles, no depth, one constant, 1280x720",
        size: [1280, 720],
        fragment: "vec4f(1.0)",
        scene: || sheet(256),
        ..PLAIN
    },
    Work { name: "8 layers, one varying, 1024", ..PLAIN },
    Work { name: "8 layers, one varying, RGBA16F", format: Some(wgpu::TextureFormat::Rgba16Float), ..PLAIN },
    Work { name: "8 layers, one varying, sRGB", format: Some(wgpu::TextureFormat::Rgba8UnormSrgb), ..PLAIN },
    Work { name: "clear alone, 1024", scene: || layers(0), ..PLAIN },
    Work { name: "256 blended sprites, 1024", blend: true, scene: || sprites(256, 0.25), ..PLAIN },
    Work { name: "20 k blended particles of 8 pixels, 1024", blend: true, scene: || sprites(20_000, 0.016), ..PLAIN },
    Work { name: "16 k triangles at 4 samples, resolve, 1024", depth: true, samples: 4, scene: || sheet(90), ..PLAIN },
    Work { name: "2000 draws of 12 triangles, 1280x720", size: [1280, 720], depth: true, scene: boxes, ..PLAIN },
];

/// A wavy sheet of `side * side * 2` triangles over the whole target.
fn sheet(side: u32) -> Scene {
    let mut scene = Scene { vertices: Vec::new(), indices: Vec::new(), draws: 1 };
    for y in 0..=side {
        for x in 0..=side {
            let (u, v) = (x as f32 / side as f32, y as f32 / side as f32);
            let z = 0.5 + 0.2 * ((x % 7) as f32 / 7.0 - (y % 5) as f32 / 5.0);
            scene.vertices.push([u * 2.0 - 1.0, 1.0 - v * 2.0, z, u * 6.0, v * 6.0]);
        }
    }
    for y in 0..side {
        for x in 0..side {
            let a = y * (side + 1) + x;
            scene.indices.extend([a, a + side + 1, a + 1, a + 1, a + side + 1, a + side + 2]);
        }
    }
    scene
}

fn quad(scene: &mut Scene, x: f32, y: f32, width: f32, height: f32) {
    let a = scene.vertices.len() as u32;
    for (u, v) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
        scene.vertices.push([x + u * width, y + v * height, 0.5, u, v]);
    }
    scene.indices.extend([a, a + 2, a + 1, a + 1, a + 2, a + 3]);
}

fn layers(count: u32) -> Scene {
    let mut scene = Scene { vertices: Vec::new(), indices: Vec::new(), draws: count };
    (0..count).for_each(|_| quad(&mut scene, -1.0, -1.0, 2.0, 2.0));
    scene
}

fn sprites(count: u32, side: f32) -> Scene {
    let mut scene = Scene { vertices: Vec::new(), indices: Vec::new(), draws: 1 };
    for k in 0..count {
        let at = |p: u32| (k.wrapping_mul(p) >> 8 & 0xFFFF) as f32 / 65536.0 * (2.0 - side) - 1.0;
        quad(&mut scene, at(2_654_435_761), at(2_246_822_519), side, side);
    }
    scene
}

fn boxes() -> Scene {
    let mut scene = Scene { vertices: Vec::new(), indices: Vec::new(), draws: 2000 };
    for k in 0..2000 {
        let (x, y) = ((k % 50) as f32 / 25.0 - 1.0, (k / 50) as f32 / 20.0 - 1.0);
        (0..6).for_each(|face| quad(&mut scene, x + face as f32 * 0.004, y, 0.03, 0.04));
    }
    scene
}

fn frame<'a>(gpu: &'a Gpu, work: &'a Work) -> impl Fn() + 'a {
    let wgsl = format!(
        "struct V {{ @builtin(position) p: vec4f, @location(0) uv: vec2f }}
        @vertex fn vs(@location(0) p: vec3f, @location(1) uv: vec2f) -> V {{ return V(vec4f(p, 1.0), uv); }}
        @fragment fn fs(v: V) -> @location(0) vec4f {{ return {}; }}",
        work.fragment
    );
    let device = &gpu.device;
    let source = wgpu::ShaderSource::Wgsl(wgsl.into());
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
    let attributes = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x2];
    let targets: Vec<_> = work
        .format
        .map(|format| {
            let blend = work.blend.then_some(wgpu::BlendState::ALPHA_BLENDING);
            Some(wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL })
        })
        .into_iter()
        .collect();
    let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: None,
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("vs"),
            compilation_options: Default::default(),
            buffers: &[Some(wgpu::VertexBufferLayout {
                array_stride: 20,
                step_mode: wgpu::VertexStepMode::Vertex,
                attributes: &attributes,
            })],
        },
        primitive: Default::default(),
        depth_stencil: work.depth.then(|| wgpu::DepthStencilState {
            format: wgpu::TextureFormat::Depth32Float,
            depth_write_enabled: Some(true),
            depth_compare: Some(wgpu::CompareFunction::Less),
            stencil: Default::default(),
            bias: Default::default(),
        }),
        multisample: wgpu::MultisampleState { count: work.samples, ..Default::default() },
        fragment: work.format.map(|_| wgpu::FragmentState {
            module: &module,
            entry_point: Some("fs"),
            compilation_options: Default::default(),
            targets: &targets,
        }),
        multiview_mask: None,
        cache: None,
    });
    let scene = (work.scene)();
    let bytes = |words: Vec<u32>| words.into_iter().flat_map(u32::to_le_bytes).collect::<Vec<u8>>();
    let vertices = gpu.buffer(&bytes(scene.vertices.iter().flatten().map(|v| v.to_bits()).collect()));
    let count = scene.indices.len() as u32;
    let indices = gpu.buffer(&bytes(scene.indices));
    let color = work.format.map(|format| gpu.view(work.size, format, work.samples));
    let resolve = work.format.filter(|_| work.samples > 1).map(|format| gpu.view(work.size, format, 1));
    let depth = work.depth.then(|| gpu.view(work.size, wgpu::TextureFormat::Depth32Float, work.samples));
    move || {
        let mut encoder = device.create_command_encoder(&Default::default());
        let load = wgpu::LoadOp::Clear(wgpu::Color::BLACK);
        let store = wgpu::StoreOp::Store;
        let color = color.as_ref().map(|view| wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: resolve.as_ref(),
            ops: wgpu::Operations { load, store },
        });
        let depth = depth.as_ref().map(|view| wgpu::RenderPassDepthStencilAttachment {
            view,
            depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store }),
            stencil_ops: None,
        });
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                color_attachments: &[color],
                depth_stencil_attachment: depth,
                ..Default::default()
            });
            pass.set_pipeline(&pipeline);
            pass.set_vertex_buffer(0, vertices.slice(..));
            pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
            let part = count / scene.draws.max(1);
            for draw in 0..scene.draws {
                pass.draw_indexed(draw * part..(draw + 1) * part, 0, 0..1);
            }
        }
        gpu.queue.submit([encoder.finish()]);
        device.poll(wgpu::PollType::wait_indefinitely()).expect("poll");
    }
}

/// Milliseconds of the median frame.
#[allow(clippy::disallowed_methods, reason = "a bench reads the clock")]
fn median_ms(frame: impl Fn()) -> f64 {
    let mut rounds: Vec<f64> = (0..ROUNDS + 3)
        .map(|_| {
            let start = Instant::now();
            frame();
            start.elapsed().as_secs_f64() * 1e3
        })
        .skip(3)
        .collect();
    rounds.sort_by(f64::total_cmp);
    rounds[ROUNDS / 2]
}

fn main() {
    let filter = std::env::args().skip(1).find(|a| !a.starts_with('-')).unwrap_or_default();
    let gpus = [Gpu::new(1), Gpu::new(2)];
    println!("{:52} {:>9} {:>9} {:>7}", "ms a frame", "1 thread", "2 threads", "ratio");
    for work in WORKS.iter().filter(|work| work.name.contains(&filter)) {
        let [one, two] = [0, 1].map(|k| median_ms(frame(&gpus[k], work)));
        println!("{:52} {one:9.2} {two:9.2} {:7.2}", work.name, one / two);
    }
}
