//! Random programs as vertex stages: every vertex shows what it computed in a pixel of its own.

use proptest::prelude::*;
use stillframe_soft::wgpu;

use crate::bound::{Textures, bind};
use crate::device::{Gpu, Outcome};
use crate::shaders::{READERS, agreed, input_words};
use crate::tape::{self, Tape};
use crate::wgsl::{Stage, Writer};

/// A vertex case: text, words, how many vertices and instances.
#[derive(Clone, Debug)]
struct Vertices {
    wgsl: String,
    words: Vec<u32>,
    uniforms: Vec<u32>,
    textures: bool,
    count: u32,
    instances: u32,
    indices: Option<Vec<u32>>,
}

/// Pixels on a side of the targets.
const SIDE: u32 = 32;

const OUT: &str = "
struct Out {
    @builtin(position) position: vec4<f32>,
    @location(0) @interpolate(flat) a: vec4<u32>,
    @location(1) @interpolate(flat) b: vec4<u32>,
    @location(2) @interpolate(flat) c: vec4<u32>,
    @location(3) @interpolate(flat) d: vec4<u32>,
}
struct Texels { @location(0) a: vec4<u32>, @location(1) b: vec4<u32>, @location(2) c: vec4<u32>, @location(3) d: vec4<u32> }
@fragment fn fragment(in: Out) -> Texels { return Texels(in.a, in.b, in.c, in.d); }
fn words_at(i: u32) -> vec4<u32> { return vec4<u32>(sums[i], sums[i + 1u], sums[i + 2u], sums[i + 3u]); }
fn place() -> vec4<f32> {
    return vec4<f32>((f32(at % 32u) + 0.5) / 16.0 - 1.0, 1.0 - (f32(at / 32u) + 0.5) / 16.0, 0.0, 1.0);
}
";

impl Vertices {
    fn from_tape(words: &[u32]) -> Vertices {
        let (program, data) = words.split_at(words.len().saturating_sub(120));
        let mut data = Tape::new(data);
        let mut w = Writer::new(program, Stage::Vertex);
        w.declare_structs();
        w.declare_blob("uni", true);
        w.line("@group(0) @binding(0) var<storage, read> words: array<u32>;");
        w.line("@group(0) @binding(1) var<uniform> uni: uniType;");
        w.line("var<private> at: u32;");
        w.line("var<private> cursor: u32;");
        w.line("var<private> sums: array<u32, 16>;");
        w.line("fn put(v: u32) { sums[cursor % 16u] = sums[cursor % 16u] * 31u ^ v; cursor += 1u; }");
        w.line(READERS);
        w.line(OUT);
        w.line("var<immediate> imm: vec4<u32>;");
        w.see_words("imm");
        let textures = data.chance(40);
        if textures {
            w.declare_textures(false);
        }
        w.declare_privates();
        w.declare_tables();
        w.declare_functions();
        w.line("@vertex fn vertex(@builtin(vertex_index) index: u32, @builtin(instance_index) instance: u32) -> Out {");
        w.line("    at = index + 300u * instance;");
        w.early_return = "Out(place(), words_at(0u), words_at(4u), words_at(8u), words_at(12u))".into();
        w.body();
        w.line("    return Out(place(), words_at(0u), words_at(4u), words_at(8u), words_at(12u));");
        w.line("}");
        let words = input_words(&mut data);
        let uniforms = (0..256).map(|i| words[(i * 3) % 512]).collect();
        let count = data.pick(&[5, 70, 300, 1]);
        let instances = data.pick(&[1, 1, 3]);
        let indices = data.chance(30).then(|| (0..count).map(|i| (i * 7 + 3) % 64).collect());
        Vertices { wgsl: w.finish(), words, uniforms, textures, count, instances, indices }
    }

    fn run(&self, gpu: &Gpu) -> Outcome {
        gpu.checked(|| {
            let visibility = wgpu::ShaderStages::VERTEX;
            let buffers = [
                gpu.buffer(&self.words, wgpu::BufferUsages::STORAGE),
                gpu.buffer(&self.uniforms, wgpu::BufferUsages::UNIFORM),
            ];
            let types = [wgpu::BufferBindingType::Storage { read_only: true }, wgpu::BufferBindingType::Uniform];
            let (layout, group) = bind(gpu, &buffers, &types, &[], visibility);
            let textures = self.textures.then(|| Textures::new(gpu, visibility, false));
            let layouts: Vec<_> = [Some(&layout)].into_iter().chain(textures.iter().map(|t| Some(&t.layout))).collect();
            let module = gpu.module(&self.wgsl);
            let pipeline_layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: None,
                bind_group_layouts: &layouts,
                immediate_size: 16,
            });
            let format = wgpu::TextureFormat::Rgba32Uint;
            let pipeline = gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: None,
                layout: Some(&pipeline_layout),
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: Some("vertex"),
                    compilation_options: Default::default(),
                    buffers: &[],
                },
                primitive: wgpu::PrimitiveState { topology: wgpu::PrimitiveTopology::PointList, ..Default::default() },
                depth_stencil: None,
                multisample: Default::default(),
                fragment: Some(wgpu::FragmentState {
                    module: &module,
                    entry_point: Some("fragment"),
                    compilation_options: Default::default(),
                    targets: &[(); 4].map(|()| Some(format.into())),
                }),
                multiview_mask: None,
                cache: None,
            });
            let targets = [(); 4].map(|()| gpu.target(SIDE, format));
            let views = targets.each_ref().map(|t| t.create_view(&Default::default()));
            let indices = self.indices.as_ref().map(|list| gpu.buffer(list, wgpu::BufferUsages::INDEX));
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            {
                let attachments = views.each_ref().map(|view| {
                    Some(wgpu::RenderPassColorAttachment {
                        view,
                        depth_slice: None,
                        resolve_target: None,
                        ops: wgpu::Operations::default(),
                    })
                });
                let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                    color_attachments: &attachments,
                    ..Default::default()
                });
                pass.set_pipeline(&pipeline);
                pass.set_bind_group(0, &group, &[]);
                if let Some(textures) = &textures {
                    pass.set_bind_group(1, &textures.group, &[]);
                }
                pass.set_immediates(0, bytemuck::cast_slice(&self.words[..4]));
                match &indices {
                    Some(indices) => {
                        pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
                        pass.draw_indexed(0..self.count, 0, 0..self.instances);
                    }
                    None => pass.draw(0..self.count, 0..self.instances),
                }
            }
            gpu.queue.submit([encoder.finish()]);
            targets.iter().enumerate().map(|(i, t)| (format!("target {i}"), gpu.read_texture(t))).collect()
        })
    }
}

proptest! {
    #![proptest_config(tape::cases(100))]

    #[test]
    fn vertices(words in tape::tapes(700)) {
        tape::judge(&words, |words| {
            let case = Vertices::from_tape(words);
            agreed(&case.wgsl, |gpu| case.run(gpu))
        })?;
    }
}
