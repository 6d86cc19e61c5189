//! Random shader programs, as compute over storage buffers and as fragment stages.

use proptest::prelude::*;
use stillframe_soft::wgpu;

use crate::bound::{Textures, bind};
use crate::device::{Gpu, Outcome, Verdict, everywhere};
use crate::tape::{self, Tape};
use crate::wgsl::{Stage, Writer};

/// Ways to read the input words as every kind of value. `at` is the invocation's own number.
pub const READERS: &str = "
fn in_u32(i: u32) -> u32 { return words[(at * 16u + i) % 512u]; }
fn in_f32(i: u32) -> f32 { return bitcast<f32>(in_u32(i)); }
fn in_i32(i: u32) -> i32 { return bitcast<i32>(in_u32(i)); }
fn in_bool(i: u32) -> bool { return (in_u32(i) & 1u) == 1u; }
fn in_vec4_u32(i: u32) -> vec4<u32> { return vec4<u32>(in_u32(i), in_u32(i + 3u), in_u32(i + 7u), in_u32(i + 11u)); }
fn in_vec4_f32(i: u32) -> vec4<f32> { return bitcast<vec4<f32>>(in_vec4_u32(i)); }
fn in_vec4_i32(i: u32) -> vec4<i32> { return bitcast<vec4<i32>>(in_vec4_u32(i)); }
fn in_vec4_bool(i: u32) -> vec4<bool> { return (in_vec4_u32(i) & vec4<u32>(1u)) == vec4<u32>(1u); }
";

/// A compute case: text, workgroup counts, words.
#[derive(Clone, Debug)]
pub struct Compute {
    pub wgsl: String,
    /// The blob and the textures are read only.
    pub apart: bool,
    pub groups: [u32; 3],
    pub indirect: bool,
    pub words: Vec<u32>,
    pub uniforms: Vec<u32>,
    /// Where the uniforms and the words are bound.
    pub offsets: [u32; 2],
    pub blob: Vec<u32>,
    pub textures: bool,
}

pub fn input_words(tape: &mut Tape<'_>) -> Vec<u32> {
    let seeds: Vec<u32> = (0..48).map(|_| tape.bits()).collect();
    (0..512u32)
        .map(|i| if i < 48 { seeds[i as usize] } else { seeds[(i * 7 + i / 48) as usize % 48] ^ (i / 200) })
        .collect()
}

/// Words of a blob; not a whole number of elements of anything.
pub fn blob_words(data: &mut Tape<'_>, words: &[u32]) -> Vec<u32> {
    (0..300 + data.below(60)).map(|i| words[(i * 5) % 512]).collect()
}

impl Compute {
    pub fn from_tape(words: &[u32]) -> Compute {
        let (program, data) = words.split_at(words.len().saturating_sub(120));
        let mut data = Tape::new(data);
        let mut w = Writer::new(program, Stage::Compute);
        // Invocations that write nothing but words of their own: workgroups may run in any order, many at a time.
        let apart = data.chance(25);
        w.apart = apart;
        w.declare_structs();
        w.declare_blob("uni", true);
        w.declare_blob("blob", false);
        let access = if apart { "read" } else { "read_write" };
        w.line("@group(0) @binding(0) var<storage, read> words: array<u32>;");
        w.line("@group(0) @binding(1) var<storage, read_write> results: array<u32>;");
        w.line("@group(0) @binding(2) var<uniform> uni: uniType;");
        w.line(&format!("@group(0) @binding(3) var<storage, {access}> blob: blobType;"));
        w.line("@group(0) @binding(4) var<storage, read_write> counters: array<atomic<u32>, 4>;");
        w.line("@group(0) @binding(5) var<storage, read_write> signed_counters: array<atomic<i32>, 3>;");
        w.line("var<workgroup> shared_words: array<u32, 16>;");
        w.line("var<workgroup> shared_counters: array<atomic<u32>, 4>;");
        w.line("var<workgroup> shared_signed: array<atomic<i32>, 3>;");
        w.line("struct Immediate { a: vec4<u32>, b: f32 }");
        w.line("var<immediate> imm: Immediate;");
        let textures = data.chance(40);
        if textures {
            w.declare_textures(!apart);
        }
        w.declare_shared();
        w.line("var<private> at: u32;");
        w.line("var<private> cursor: u32;");
        match apart {
            false => {
                w.line("fn put(v: u32) { if (cursor < 64u) { results[at * 64u + cursor] = v; } cursor += 1u; }");
                w.early_return = " ".into();
            }
            true => {
                w.line("var<private> sums: array<u32, 16>;");
                w.line("fn put(v: u32) { sums[cursor % 16u] = sums[cursor % 16u] * 31u ^ v; cursor += 1u; }");
            }
        }
        w.line(READERS);
        w.see_words("imm.a");
        w.declare_privates();
        w.declare_tables();
        w.declare_functions();
        let sizes = ["64", "1", "5", "8, 8", "3, 5, 2", "256", "130", "4, 4, 4", "33, 9", "16, 8, 8"];
        let size = data.pick(&sizes);
        let mut groups =
            data.pick(&[[1, 1, 1], [2, 1, 1], [1, 2, 1], [1, 1, 2], [7, 1, 1], [1, 1, 1], [3, 2, 4], [1, 1, 1]]);
        let total: u32 = size.split(", ").map(|n| n.parse::<u32>().expect("a number")).product();
        if apart && total <= 64 {
            groups[0] *= 5;
        }
        w.line(&format!("@compute @workgroup_size({size})"));
        w.line("fn main(@builtin(local_invocation_index) local_index: u32, @builtin(workgroup_id) group: vec3<u32>,");
        w.line("        @builtin(num_workgroups) counts: vec3<u32>, @builtin(global_invocation_id) id: vec3<u32>,");
        w.line("        @builtin(local_invocation_id) local: vec3<u32>) {");
        w.line(&format!("    at = local_index + {total}u * (group.x + counts.x * (group.y + counts.y * group.z));"));
        w.line("    put(arrayLength(&blob.tail)); put(id.x ^ id.y ^ id.z); put(local.x + local.y * 64u + local.z * 4096u);");
        w.line("    put(bitcast<u32>(imm.b));");
        w.see_words("id.xyzz");
        w.body();
        if apart {
            w.line("    for (var k = 0u; k < 16u; k += 1u) { results[at * 16u + k] = sums[k]; }");
        }
        w.line("}");
        let words = input_words(&mut data);
        let uniforms = (0..512).map(|i| words[(i * 3) % 512]).collect();
        let blob = blob_words(&mut data, &words);
        let offsets = [data.pick(&[0, 256, 512]), data.pick(&[0, 256])];
        Compute { wgsl: w.finish(), apart, groups, indirect: data.chance(20), words, uniforms, offsets, blob, textures }
    }

    pub fn run(&self, gpu: &Gpu) -> Outcome {
        gpu.checked(|| {
            let storage = wgpu::BufferUsages::STORAGE;
            let buffers = [
                gpu.buffer(&self.words, storage),
                gpu.buffer(&vec![0; 2048 * 64], storage),
                gpu.buffer(&self.uniforms, wgpu::BufferUsages::UNIFORM),
                gpu.buffer(&self.blob, storage),
                gpu.buffer(&[1, 2, 3, 4], storage),
                gpu.buffer(&[5, 6, 7], storage),
            ];
            let module = gpu.module(&self.wgsl);
            let types = [
                wgpu::BufferBindingType::Storage { read_only: true },
                wgpu::BufferBindingType::Storage { read_only: false },
                wgpu::BufferBindingType::Uniform,
                wgpu::BufferBindingType::Storage { read_only: self.apart },
                wgpu::BufferBindingType::Storage { read_only: false },
                wgpu::BufferBindingType::Storage { read_only: false },
            ];
            // The words and the uniforms may be bound further on: so many bytes of them.
            let moved = [(0, 1536), (2, 1536)];
            let (layout, group) = bind(gpu, &buffers, &types, &moved, wgpu::ShaderStages::COMPUTE);
            let texture_group = self.textures.then(|| Textures::new(gpu, wgpu::ShaderStages::COMPUTE, !self.apart));
            let layouts: Vec<_> =
                [Some(&layout)].into_iter().chain(texture_group.iter().map(|t| Some(&t.layout))).collect();
            let pipeline_layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: None,
                bind_group_layouts: &layouts,
                immediate_size: 32,
            });
            let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: None,
                layout: Some(&pipeline_layout),
                module: &module,
                entry_point: Some("main"),
                compilation_options: Default::default(),
                cache: None,
            });
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            {
                let mut pass = encoder.begin_compute_pass(&Default::default());
                pass.set_pipeline(&pipeline);
                pass.set_bind_group(0, &group, &[self.offsets[1], self.offsets[0]]);
                if let Some(textures) = &texture_group {
                    pass.set_bind_group(1, &textures.group, &[]);
                }
                pass.set_immediates(0, bytemuck::cast_slice(&self.words[..8]));
                if self.indirect {
                    let arguments = gpu.buffer(&self.groups, wgpu::BufferUsages::INDIRECT);
                    pass.dispatch_workgroups_indirect(&arguments, 0);
                } else {
                    pass.dispatch_workgroups(self.groups[0], self.groups[1], self.groups[2]);
                }
            }
            gpu.queue.submit([encoder.finish()]);
            let mut results = [("results", 1), ("blob", 3), ("counters", 4), ("signed counters", 5)]
                .map(|(name, i)| (name.to_string(), gpu.read(&buffers[i])))
                .to_vec();
            results.extend(texture_group.iter().flat_map(|t| t.stored(gpu)));
            results
        })
    }
}

/// A fragment case: text, vertices of a few triangles, words.
#[derive(Clone, Debug)]
pub struct Fragment {
    pub wgsl: String,
    /// Eight words a vertex: clip position, varyings.
    pub vertices: Vec<u32>,
    pub words: Vec<u32>,
    pub uniforms: Vec<u32>,
    pub blob: Vec<u32>,
    pub writes_blob: bool,
    pub textures: bool,
}

/// Pixels on a side of the fragment cases' targets.
const SIDE: u32 = 16;

const VERTEX: &str = "
struct Vary {
    @builtin(position) position: vec4<f32>,
    @location(0) a: vec4<f32>,
    @location(1) @interpolate(linear) b: vec2<f32>,
    @location(2) @interpolate(flat) c: vec2<u32>,
    @location(3) @interpolate(perspective, centroid) d: vec3<f32>,
}
@vertex fn vertex(@location(0) position: vec4<f32>, @location(1) more: vec4<f32>, @builtin(vertex_index) index: u32) -> Vary {
    return Vary(position, more.wzyx, more.yz, vec2<u32>(index, bitcast<u32>(more.x)), more.xyz * 2.0);
}
var<private> vary: array<f32, 16>;
fn in_u32(i: u32) -> u32 { return words[(at * 5u + i * 3u) % 512u]; }
fn in_f32(i: u32) -> f32 { return vary[i]; }
fn in_i32(i: u32) -> i32 { return bitcast<i32>(in_u32(i)); }
fn in_bool(i: u32) -> bool { return (in_u32(i) & 1u) == 1u; }
fn in_vec4_u32(i: u32) -> vec4<u32> { return vec4<u32>(in_u32(i), in_u32(i + 3u), in_u32(i + 7u), in_u32(i + 11u)); }
fn in_vec4_f32(i: u32) -> vec4<f32> { return vec4<f32>(vary[i], vary[(i + 5u) % 16u], vary[(i + 2u) % 16u], vary[(i + 9u) % 16u]); }
fn in_vec4_i32(i: u32) -> vec4<i32> { return bitcast<vec4<i32>>(in_vec4_u32(i)); }
fn in_vec4_bool(i: u32) -> vec4<bool> { return (in_vec4_u32(i) & vec4<u32>(1u)) == vec4<u32>(1u); }
";

impl Fragment {
    pub fn from_tape(words: &[u32]) -> Fragment {
        let (program, data) = words.split_at(words.len().saturating_sub(160));
        let mut data = Tape::new(data);
        let mut w = Writer::new(program, Stage::Fragment);
        let writes_blob = data.chance(25);
        w.declare_structs();
        w.declare_blob("uni", true);
        if writes_blob {
            w.declare_blob("blob", false);
            w.line("@group(0) @binding(2) var<storage, read_write> blob: blobType;");
        }
        w.line("@group(0) @binding(0) var<storage, read> words: array<u32>;");
        w.line("@group(0) @binding(1) var<uniform> uni: uniType;");
        w.line("var<private> at: u32;");
        w.line("var<private> cursor: u32;");
        w.line("var<private> sums: array<u32, 16>;");
        w.line("fn put(v: u32) { sums[cursor % 16u] = sums[cursor % 16u] * 31u ^ v; cursor += 1u; }");
        w.line(VERTEX);
        let textures = data.chance(50);
        if textures {
            w.declare_textures(writes_blob);
        }
        w.declare_privates();
        w.declare_tables();
        w.declare_functions();
        w.line("struct Out { @location(0) a: vec4<u32>, @location(1) b: vec4<u32>, @location(2) c: vec4<u32>, @location(3) d: vec4<u32> }");
        w.line(
            "fn words_at(i: u32) -> vec4<u32> { return vec4<u32>(sums[i], sums[i + 1u], sums[i + 2u], sums[i + 3u]); }",
        );
        w.line("@fragment fn fragment(in: Vary, @builtin(front_facing) front: bool) -> Out {");
        w.line("    at = u32(in.position.x) + 16u * u32(in.position.y) + in.c.x;");
        w.line("    vary = array<f32, 16>(in.a.x, in.a.y, in.a.z, in.a.w, in.b.x, in.b.y, bitcast<f32>(in.c.y), in.d.x, in.d.y,");
        w.line(
            "        in.d.z, in.position.x, in.position.y, in.position.z, in.position.w, f32(front), in.a.x * in.b.y);",
        );
        w.line("    put(1u);");
        w.early_return = "Out(words_at(0u), words_at(4u), words_at(8u), words_at(12u))".into();
        w.body();
        w.line("    return Out(words_at(0u), words_at(4u), words_at(8u), words_at(12u));");
        w.line("}");
        let mut vertices = vec![];
        for _ in 0..3 * (1 + data.below(3)) {
            let v = data.word();
            let w = if v >> 24 & 3 == 0 { 0.5 + (v >> 26) as f32 / 16.0 } else { 1.0 };
            let position = [
                (v & 255) as f32 / 64.0 - 2.0,
                (v >> 8 & 255) as f32 / 64.0 - 2.0,
                (v >> 16 & 255) as f32 / 255.0,
                1.0,
            ];
            vertices.extend(position.map(|p| (p * w).to_bits()));
            vertices.extend((0..4).map(|_| data.float().to_bits()));
        }
        let words = input_words(&mut data);
        let uniforms = (0..256).map(|i| words[(i * 3) % 512]).collect();
        let blob = blob_words(&mut data, &words);
        Fragment { wgsl: w.finish(), vertices, words, uniforms, blob, writes_blob, textures }
    }

    pub fn run(&self, gpu: &Gpu) -> Outcome {
        gpu.checked(|| {
            let storage = wgpu::BufferUsages::STORAGE;
            let mut buffers =
                vec![gpu.buffer(&self.words, storage), gpu.buffer(&self.uniforms, wgpu::BufferUsages::UNIFORM)];
            let mut types =
                vec![wgpu::BufferBindingType::Storage { read_only: true }, wgpu::BufferBindingType::Uniform];
            if self.writes_blob {
                buffers.push(gpu.buffer(&self.blob, storage));
                types.push(wgpu::BufferBindingType::Storage { read_only: false });
            }
            let (layout, group) = bind(gpu, &buffers, &types, &[], wgpu::ShaderStages::FRAGMENT);
            let texture_group =
                self.textures.then(|| Textures::new(gpu, wgpu::ShaderStages::FRAGMENT, self.writes_blob));
            let layouts: Vec<_> =
                [Some(&layout)].into_iter().chain(texture_group.iter().map(|t| Some(&t.layout))).collect();
            let module = gpu.module(&self.wgsl);
            let format = wgpu::TextureFormat::Rgba32Uint;
            let pipeline_layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: None,
                bind_group_layouts: &layouts,
                immediate_size: 0,
            });
            let pipeline = gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: None,
                layout: Some(&pipeline_layout),
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: Some("vertex"),
                    compilation_options: Default::default(),
                    buffers: &[Some(wgpu::VertexBufferLayout {
                        array_stride: 32,
                        step_mode: wgpu::VertexStepMode::Vertex,
                        attributes: &wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32x4],
                    })],
                },
                primitive: Default::default(),
                depth_stencil: None,
                multisample: Default::default(),
                fragment: Some(wgpu::FragmentState {
                    module: &module,
                    entry_point: Some("fragment"),
                    compilation_options: Default::default(),
                    targets: &[const {
                        Some(wgpu::ColorTargetState {
                            format: wgpu::TextureFormat::Rgba32Uint,
                            blend: None,
                            write_mask: wgpu::ColorWrites::ALL,
                        })
                    }; 4],
                }),
                multiview_mask: None,
                cache: None,
            });
            let targets = [(); 4].map(|()| gpu.target(SIDE, format));
            let views = targets.each_ref().map(|t| t.create_view(&Default::default()));
            let vertices = gpu.buffer(&self.vertices, wgpu::BufferUsages::VERTEX);
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            {
                let attachments = views.each_ref().map(|view| {
                    Some(wgpu::RenderPassColorAttachment {
                        view,
                        depth_slice: None,
                        resolve_target: None,
                        ops: wgpu::Operations {
                            load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                            store: wgpu::StoreOp::Store,
                        },
                    })
                });
                let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                    color_attachments: &attachments,
                    ..Default::default()
                });
                pass.set_pipeline(&pipeline);
                pass.set_bind_group(0, &group, &[]);
                if let Some(textures) = &texture_group {
                    pass.set_bind_group(1, &textures.group, &[]);
                }
                pass.set_vertex_buffer(0, vertices.slice(..));
                pass.draw(0..self.vertices.len() as u32 / 8, 0..1);
            }
            gpu.queue.submit([encoder.finish()]);
            let mut results: Vec<(String, Vec<u32>)> =
                targets.iter().enumerate().map(|(i, t)| (format!("target {i}"), gpu.read_texture(t))).collect();
            if self.writes_blob {
                results.push(("blob".into(), gpu.read(&buffers[2])));
            }
            results.extend(texture_group.iter().flat_map(|t| t.stored(gpu)));
            results
        })
    }
}

/// What all ways agree on; the program is part of what differs.
pub fn agreed(wgsl: &str, run: impl Fn(&Gpu) -> Outcome) -> Result<Vec<(String, Vec<u32>)>, Verdict> {
    everywhere(run).map_err(|verdict| match verdict {
        Verdict::Differs(difference) => Verdict::Differs(format!("{difference}\n{wgsl}")),
        invalid => invalid,
    })
}

proptest! {
    #![proptest_config(tape::cases(200))]

    #[test]
    fn compute(words in tape::tapes(700)) {
        tape::judge(&words, |words| {
            let case = Compute::from_tape(words);
            agreed(&case.wgsl, |gpu| case.run(gpu))
        })?;
    }

    #[test]
    fn fragment(words in tape::tapes(700)) {
        tape::judge(&words, |words| {
            let case = Fragment::from_tape(words);
            agreed(&case.wgsl, |gpu| case.run(gpu))
        })?;
    }
}

/// The simplest compute case, but for its body.
fn computing(body: &str) -> Compute {
    let mut case = Compute::from_tape(&[]);
    case.wgsl = format!(
        "@group(0) @binding(0) var<storage, read> words: array<u32>;
@group(0) @binding(1) var<storage, read_write> results: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) local_index: u32) {{
{body}
}}
"
    );
    case
}

#[test]
fn lanes_that_all_return_under_a_branch_do_nothing_more() {
    let case = computing(
        "    results[0] = 5u;
    results[1] = 5u;
    if (local_index % 2u == 1u) {
        if (results[0] >= results[1]) { return; }
        results[0] = 7u;
    }
    results[2u + local_index] = words[local_index] + 1u;",
    );
    let results = agreed(&case.wgsl, |gpu| case.run(gpu)).expect("all agree");
    assert_eq!(results[0].1[..2], [5, 5]);
    assert!(results[0].1[2..66].iter().enumerate().all(|(i, &word)| (word == 0) == (i % 2 == 1)), "half returned");
}
