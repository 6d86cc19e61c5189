//! Random storage textures: every format that has them, every shape, reads and writes inside and outside; and loads of
//! single samples of multisampled textures.

use proptest::prelude::*;
use stillframe_soft::wgpu;
use wgpu::{
    StorageTextureAccess as Access, TextureFormat as Tf, TextureFormatFeatureFlags as Flags,
    TextureViewDimension as Dim,
};

use crate::bound::bind;
use crate::device::{Gpu, Outcome, Verdict, everywhere};
use crate::draws::sample_kind;
use crate::tape::{self, Tape};

const FORMATS: [Tf; 43] = [
    Tf::Rgba8Unorm,
    Tf::R32Uint,
    Tf::Rgba8Snorm,
    Tf::Rgba8Uint,
    Tf::Rgba8Sint,
    Tf::Rgba16Uint,
    Tf::Rgba16Sint,
    Tf::Rgba16Float,
    Tf::R32Sint,
    Tf::R32Float,
    Tf::Rg32Uint,
    Tf::Rg32Sint,
    Tf::Rg32Float,
    Tf::Rgba32Uint,
    Tf::Rgba32Sint,
    Tf::Rgba32Float,
    Tf::Bgra8Unorm,
    Tf::R8Unorm,
    Tf::R8Snorm,
    Tf::R8Uint,
    Tf::R8Sint,
    Tf::Rg8Unorm,
    Tf::Rg8Snorm,
    Tf::Rg8Uint,
    Tf::Rg8Sint,
    Tf::R16Uint,
    Tf::R16Sint,
    Tf::R16Float,
    Tf::Rg16Uint,
    Tf::Rg16Sint,
    Tf::Rg16Float,
    Tf::R16Unorm,
    Tf::R16Snorm,
    Tf::Rg16Unorm,
    Tf::Rg16Snorm,
    Tf::Rgba16Unorm,
    Tf::Rgba16Snorm,
    Tf::Rgb10a2Uint,
    Tf::Rgb10a2Unorm,
    Tf::Rg11b10Ufloat,
    Tf::Rgba8Unorm,
    Tf::R32Uint,
    Tf::R32Float,
];

/// One storage texture and a program that uses it.
#[derive(Clone, Debug)]
struct Stores {
    format: Tf,
    dimension: wgpu::TextureDimension,
    view: Dim,
    access: Access,
    size: [u32; 3],
    mips: u32,
    mip: u32,
    layers: [u32; 2],
    groups: [u32; 2],
    wgsl: String,
    words: Vec<u32>,
}

impl Stores {
    fn from_tape(words: &[u32]) -> Stores {
        let t = &mut Tape::new(words);
        let usable = |format: &Tf| {
            let features = format.guaranteed_format_features(crate::device::features());
            crate::device::features().contains(format.required_features())
                && features.allowed_usages.contains(wgpu::TextureUsages::STORAGE_BINDING)
        };
        let format = Some(t.pick(&FORMATS)).filter(usable).unwrap_or(Tf::Rgba8Unorm);
        let flags = format.guaranteed_format_features(crate::device::features()).flags;
        let mut ways = vec![];
        for (flag, access) in [
            (Flags::STORAGE_WRITE_ONLY, Access::WriteOnly),
            (Flags::STORAGE_READ_ONLY, Access::ReadOnly),
            (Flags::STORAGE_READ_WRITE, Access::ReadWrite),
        ] {
            if flags.contains(flag) {
                ways.push(access);
            }
        }
        let access = t.pick(&ways);
        let view = t.pick(&[Dim::D2, Dim::D2Array, Dim::D3, Dim::D1]);
        let mut side = || t.pick(&[8u32, 5, 1, 16, 3]);
        let mut size = [side(), side(), side()];
        let dimension = match view {
            Dim::D1 => wgpu::TextureDimension::D1,
            Dim::D3 => wgpu::TextureDimension::D3,
            _ => wgpu::TextureDimension::D2,
        };
        if view == Dim::D1 {
            size[1] = 1;
        }
        if matches!(view, Dim::D1) {
            size[2] = 1;
        }
        let extent = wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: size[2] };
        let mips = if view == Dim::D1 { 1 } else { 1 + t.below(extent.max_mips(dimension) as usize) as u32 };
        let mip = t.below(mips as usize) as u32;
        let layers = match view {
            Dim::D2Array => {
                let first = t.below(size[2] as usize) as u32;
                [first, 1 + t.below((size[2] - first) as usize) as u32]
            }
            Dim::D2 => [t.below(size[2] as usize) as u32, 1],
            _ => [0, 1],
        };
        let wgsl = program(t, format, view, access);
        let words = (0..512).map(|_| t.bits()).collect();
        let groups = t.pick(&[[1, 1], [2, 1], [2, 2]]);
        Stores { format, dimension, view, access, size, mips, mip, layers, groups, wgsl, words }
    }

    fn run(&self, gpu: &Gpu) -> Outcome {
        gpu.checked(|| {
            let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size: wgpu::Extent3d { width: self.size[0], height: self.size[1], depth_or_array_layers: self.size[2] },
                mip_level_count: self.mips,
                sample_count: 1,
                dimension: self.dimension,
                format: self.format,
                usage: wgpu::TextureUsages::STORAGE_BINDING
                    | wgpu::TextureUsages::COPY_SRC
                    | wgpu::TextureUsages::COPY_DST,
                view_formats: &[],
            });
            let texel_bytes = self.format.block_copy_size(None).expect("a colour format");
            for mip_level in 0..self.mips {
                let mip = texture.size().mip_level_size(mip_level, self.dimension);
                let count = mip.width * mip.height * mip.depth_or_array_layers * texel_bytes;
                let data: Vec<u8> = crate::textures::noise(self.words[0] ^ mip_level, count as usize / 4 + 1)
                    .iter()
                    .flat_map(|word| word.to_le_bytes())
                    .take(count as usize)
                    .collect();
                gpu.queue.write_texture(
                    wgpu::TexelCopyTextureInfo { mip_level, ..texture.as_image_copy() },
                    &data,
                    wgpu::TexelCopyBufferLayout {
                        offset: 0,
                        bytes_per_row: Some(mip.width * texel_bytes),
                        rows_per_image: Some(mip.height),
                    },
                    mip,
                );
            }
            let view = texture.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(self.view),
                base_mip_level: self.mip,
                mip_level_count: Some(1),
                base_array_layer: self.layers[0],
                array_layer_count: Some(self.layers[1]),
                ..Default::default()
            });
            let ty = wgpu::BindingType::StorageTexture {
                access: self.access,
                format: self.format,
                view_dimension: self.view,
            };
            let out = compute(gpu, &self.wgsl, ty, &view, &self.words, self.groups);
            vec![("out".into(), out), ("texture".into(), gpu.read_texture(&texture))]
        })
    }
}

/// Three uses of the texture by every invocation.
fn program(t: &mut Tape<'_>, format: Tf, view: Dim, access: Access) -> String {
    let kind = sample_kind(format);
    let shape = match view {
        Dim::D1 => "1d",
        Dim::D2Array => "2d_array",
        Dim::D3 => "3d",
        _ => "2d",
    };
    let (name, access_name) = match access {
        Access::ReadOnly => (format!("{format:?}").to_lowercase(), "read"),
        Access::ReadWrite => (format!("{format:?}").to_lowercase(), "read_write"),
        _ => (format!("{format:?}").to_lowercase(), "write"),
    };
    let mut body = String::new();
    for _ in 0..1 + t.below(3) {
        let at = t.pick(&[
            "vec3<i32>(id)",
            "vec3<i32>(id.yxy)",
            "far",
            "vec3<i32>(id) - vec3<i32>(1, 2, 0)",
            "vec3<i32>(id) / 2",
        ]);
        let layer = t.pick(&["i32(id.x % 3u)", "far.z", "i32(id.y) - 1"]);
        let at = match view {
            Dim::D1 => format!("({at}).x"),
            Dim::D2 => format!("({at}).xy"),
            Dim::D2Array => format!("({at}).xy, {layer}"),
            _ => format!("vec3<i32>(({at}).xy, {layer})"),
        };
        let value = t.pick(&["raw", "raw.wzyx", "small"]);
        let value = match kind {
            "f32" if value == "small" => "fract(vec4<f32>(id.xyxy) * 0.3) * 3.0 - 1.5".into(),
            "f32" => format!("bitcast<vec4<f32>>({value})"),
            "i32" => format!("bitcast<vec4<i32>>({value})"),
            _ => value.to_string(),
        };
        let store = format!("textureStore(t, {at}, {value});");
        let load = format!("sum = sum * 3u + bitcast<vec4<u32>>(textureLoad(t, {at}));");
        let dimensions = match view {
            Dim::D1 => "sum.x += textureDimensions(t);",
            Dim::D2 => "sum += textureDimensions(t).xyxy;",
            Dim::D2Array => "sum += vec4<u32>(textureDimensions(t), textureNumLayers(t), 0u);",
            _ => "sum += vec4<u32>(textureDimensions(t), 0u);",
        };
        let line = match (access, t.below(5)) {
            (_, 4) => dimensions.into(),
            (Access::WriteOnly, _) | (Access::ReadWrite, 0 | 1) => store,
            _ => load,
        };
        let guard = t.chance(25);
        body += &if guard { format!("    if (id.x % 3u != 1u) {{ {line} }}\n") } else { format!("    {line}\n") };
    }
    format!(
        "@group(1) @binding(0) var t: texture_storage_{shape}<{name}, {access_name}>;
@group(0) @binding(0) var<storage, read> words: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<vec4<u32>>;
@compute @workgroup_size(9, 9) fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
    let k = id.x + 18u * id.y;
    let raw = vec4<u32>(words[k], words[(k + 11u) % 512u], words[(k + 23u) % 512u], words[(k + 37u) % 512u]);
    let small = raw % 7u;
    let far = bitcast<vec3<i32>>(raw.xyz >> vec3<u32>(28u)) - vec3<i32>(2);
    var sum = vec4<u32>(1u);
{body}    out[k] = sum;
}}
"
    )
}

/// Runs a program with `words`, an output of 512 vectors, and one texture; gives the output.
fn compute(
    gpu: &Gpu,
    wgsl: &str,
    ty: wgpu::BindingType,
    view: &wgpu::TextureView,
    words: &[u32],
    groups: [u32; 2],
) -> Vec<u32> {
    let visibility = wgpu::ShaderStages::COMPUTE;
    let buffers =
        [gpu.buffer(words, wgpu::BufferUsages::STORAGE), gpu.buffer(&vec![0; 4 * 512], wgpu::BufferUsages::STORAGE)];
    let types = [true, false].map(|read_only| wgpu::BufferBindingType::Storage { read_only });
    let (layout, group) = bind(gpu, &buffers, &types, &[], visibility);
    let texture_layout = gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: None,
        entries: &[wgpu::BindGroupLayoutEntry { binding: 0, visibility, ty, count: None }],
    });
    let texture_group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &texture_layout,
        entries: &[wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(view) }],
    });
    let module = gpu.module(wgsl);
    let pipeline_layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: None,
        bind_group_layouts: &[Some(&layout), Some(&texture_layout)],
        immediate_size: 0,
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
        pass.set_bind_group(0, &group, &[]);
        pass.set_bind_group(1, &texture_group, &[]);
        pass.dispatch_workgroups(groups[0], groups[1], 1);
    }
    gpu.queue.submit([encoder.finish()]);
    gpu.read(&buffers[1])
}

/// A multisampled texture, drawn into, whose samples are loaded at places inside and outside.
#[derive(Clone, Debug)]
struct Samples {
    format: Tf,
    wgsl: String,
    words: Vec<u32>,
}

const SAMPLED: [Tf; 9] = [
    Tf::Rgba8Unorm,
    Tf::Depth32Float,
    Tf::R8Uint,
    Tf::Rgba16Float,
    Tf::Rgba16Sint,
    Tf::Depth16Unorm,
    Tf::Rg8Unorm,
    Tf::Bgra8UnormSrgb,
    Tf::R16Float,
];

impl Samples {
    fn from_tape(words: &[u32]) -> Samples {
        let t = &mut Tape::new(words);
        let format = t.pick(&SAMPLED);
        let at = t.pick(&["vec2<i32>(id.xy)", "far.xy", "vec2<i32>(id.xy) - vec2<i32>(3)"]);
        let sample = t.pick(&["i32(id.x % 4u)", "far.z", "i32(id.y & 3u)"]);
        let (ty, load) = match format.has_depth_aspect() {
            true => ("texture_depth_multisampled_2d".into(), "vec4<f32>(textureLoad(t, at, s))"),
            false => (format!("texture_multisampled_2d<{}>", sample_kind(format)), "textureLoad(t, at, s)"),
        };
        let wgsl = format!(
            "@group(1) @binding(0) var t: {ty};
@group(0) @binding(0) var<storage, read> words: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<vec4<u32>>;
@compute @workgroup_size(8, 8) fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
    let k = id.x + 16u * id.y;
    let far = bitcast<vec3<i32>>(vec3<u32>(words[k], words[k + 99u], words[k + 7u]) >> vec3<u32>(28u, 28u, 29u)) - vec3<i32>(2);
    let at = {at};
    let s = {sample};
    out[k] = bitcast<vec4<u32>>({load}) ^ vec4<u32>(textureDimensions(t), textureNumSamples(t), 0u);
}}
@vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {{
    return vec4<f32>(f32(words[i] >> 8u) / 8388608.0 - 1.0, f32(words[i + 40u] >> 8u) / 8388608.0 - 1.0, f32(i) * 0.1, 1.0);
}}
@fragment fn fragment(@builtin(position) p: vec4<f32>) -> @location(0) vec4<{}> {{
    return vec4<{0}>(vec4<f32>(p.x * 0.1, p.y * 0.1, p.z, 1.0) * {});
}}
",
            sample_kind(format),
            if sample_kind(format) == "f32" { "1.0" } else { "100.0" }
        );
        let words = (0..512).map(|_| t.word()).collect();
        Samples { format, wgsl, words }
    }

    fn run(&self, gpu: &Gpu) -> Outcome {
        gpu.checked(|| {
            let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size: wgpu::Extent3d { width: 13, height: 11, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 4,
                dimension: wgpu::TextureDimension::D2,
                format: self.format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
                view_formats: &[],
            });
            let view = texture.create_view(&Default::default());
            self.draw(gpu, &view);
            let sample_type = match sample_kind(self.format) {
                "u32" => wgpu::TextureSampleType::Uint,
                "i32" => wgpu::TextureSampleType::Sint,
                _ if self.format.has_depth_aspect() => wgpu::TextureSampleType::Depth,
                _ => wgpu::TextureSampleType::Float { filterable: false },
            };
            let ty = wgpu::BindingType::Texture { sample_type, view_dimension: Dim::D2, multisampled: true };
            vec![("out".into(), compute(gpu, &self.wgsl, ty, &view, &self.words, [2, 2]))]
        })
    }

    /// Seven triangles.
    fn draw(&self, gpu: &Gpu, view: &wgpu::TextureView) {
        let words = gpu.buffer(&self.words, wgpu::BufferUsages::STORAGE);
        let types = [wgpu::BufferBindingType::Storage { read_only: true }];
        let (layout, group) = bind(gpu, std::slice::from_ref(&words), &types, &[], wgpu::ShaderStages::VERTEX);
        let module = gpu.module(&self.wgsl);
        let pipeline_layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let depth = self.format.has_depth_aspect();
        let targets = [Some(self.format.into())];
        let pipeline = gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: Some(&pipeline_layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vertex"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: Default::default(),
            depth_stencil: depth.then(|| wgpu::DepthStencilState {
                format: self.format,
                depth_write_enabled: Some(true),
                depth_compare: Some(wgpu::CompareFunction::Less),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: wgpu::MultisampleState { count: 4, ..Default::default() },
            fragment: (!depth).then(|| wgpu::FragmentState {
                module: &module,
                entry_point: Some("fragment"),
                compilation_options: Default::default(),
                targets: &targets,
            }),
            multiview_mask: None,
            cache: None,
        });
        let colors = [Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: None,
            ops: Default::default(),
        })];
        let store = wgpu::StoreOp::Store;
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                color_attachments: if depth { &[] } else { &colors },
                depth_stencil_attachment: depth.then_some(wgpu::RenderPassDepthStencilAttachment {
                    view,
                    depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(0.9), store }),
                    stencil_ops: None,
                }),
                ..Default::default()
            });
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &group, &[]);
            pass.draw(0..21, 0..1);
        }
        gpu.queue.submit([encoder.finish()]);
    }
}

fn described<T: std::fmt::Debug>(verdict: Verdict, case: &T, wgsl: &str) -> Verdict {
    match verdict {
        Verdict::Differs(difference) => Verdict::Differs(format!("{difference}\n{case:?}\n{wgsl}")),
        invalid => invalid,
    }
}

proptest! {
    #![proptest_config(tape::cases(100))]

    #[test]
    fn stores(words in tape::tapes(600)) {
        tape::judge(&words, |words| {
            let case = Stores::from_tape(words);
            everywhere(|gpu| case.run(gpu)).map_err(|v| described(v, &Stores { words: vec![], ..case.clone() }, &case.wgsl))
        })?;
    }

    #[test]
    fn samples(words in tape::tapes(600)) {
        tape::judge(&words, |words| {
            let case = Samples::from_tape(words);
            everywhere(|gpu| case.run(gpu)).map_err(|v| described(v, &Samples { words: vec![], ..case.clone() }, &case.wgsl))
        })?;
    }
}
