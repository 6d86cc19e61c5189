//! Textures through wgpu: what every format promises is used once, on the adapter and on its oracle, which must agree
//! bit for bit; filtering is checked against numbers made by hand.

use pollster::block_on;
use stillframe_soft::{EVERY_FORMAT, Options, wgpu};
use wgpu::TextureFormat as F;
use wgpu::TextureFormatFeatureFlags as Flags;
use wgpu::util::DeviceExt;

use super::screen;

struct Gpu {
    adapter: wgpu::Adapter,
    device: wgpu::Device,
    queue: wgpu::Queue,
}

impl Gpu {
    fn new(plain: bool) -> Gpu {
        let instance = stillframe_soft::instance(&Options { plain, ..Options::default() });
        let adapter = block_on(instance.request_adapter(&Default::default())).expect("adapter");
        let desc = wgpu::DeviceDescriptor { required_features: adapter.features(), ..Default::default() };
        let (device, queue) = block_on(adapter.request_device(&desc)).expect("device");
        Gpu { adapter, device, queue }
    }

    /// The adapter and its oracle.
    fn both() -> [Gpu; 2] {
        [Gpu::new(false), Gpu::new(true)]
    }

    fn shader(&self, wgsl: &str) -> wgpu::ShaderModule {
        self.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(wgsl.into()),
        })
    }

    fn texture(&self, format: F, size: [u32; 3], mip_level_count: u32, usage: wgpu::TextureUsages) -> wgpu::Texture {
        self.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: size[2] },
            mip_level_count,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage,
            view_formats: &[],
        })
    }

    /// Fills one level of every layer with packed blocks.
    fn write(&self, texture: &wgpu::Texture, mip_level: u32, bytes: &[u8]) {
        let format = texture.format();
        let (block_width, block_height) = format.block_dimensions();
        let size = texture.size().mip_level_size(mip_level, wgpu::TextureDimension::D2);
        let size = size.physical_size(format);
        let rows = size.height / block_height;
        let row_bytes = size.width / block_width * format.block_copy_size(None).expect("copyable");
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row_bytes), rows_per_image: Some(rows) };
        let at = wgpu::TexelCopyTextureInfo { mip_level, ..texture.as_image_copy() };
        self.queue.write_texture(at, &bytes[..(row_bytes * rows * size.depth_or_array_layers) as usize], layout, size);
    }

    /// Runs a compute shader of one workgroup whose `@group(0)` ends with the output buffer, and reads that.
    fn compute(&self, wgsl: &str, resources: &[wgpu::BindingResource<'_>], out_bytes: u64) -> Vec<u32> {
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &self.shader(wgsl),
            entry_point: None,
            compilation_options: Default::default(),
            cache: None,
        });
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        let out = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: out_bytes,
            usage,
            mapped_at_creation: false,
        });
        let mut entries: Vec<_> = resources
            .iter()
            .enumerate()
            .map(|(i, resource)| wgpu::BindGroupEntry { binding: i as u32, resource: resource.clone() })
            .collect();
        entries.push(wgpu::BindGroupEntry { binding: resources.len() as u32, resource: out.as_entire_binding() });
        let layout = pipeline.get_bind_group_layout(0);
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &layout,
            entries: &entries,
        });
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(1, 1, 1);
        drop(pass);
        self.queue.submit([encoder.finish()]);
        self.read_buffer(&out).chunks(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
    }

    fn read_buffer(&self, from: &wgpu::Buffer) -> Vec<u8> {
        let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ;
        let desc = wgpu::BufferDescriptor { label: None, size: from.size(), usage, mapped_at_creation: false };
        let to = self.device.create_buffer(&desc);
        let mut encoder = self.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(from, 0, &to, 0, from.size());
        self.queue.submit([encoder.finish()]);
        to.slice(..).map_async(wgpu::MapMode::Read, |result| result.expect("mapped"));
        self.device.poll(wgpu::PollType::wait_indefinitely()).expect("poll");
        to.slice(..).get_mapped_range().expect("mapped").to_vec()
    }

    /// Every texel of level 0 of layer 0 as the shader sees it: four words a texel.
    fn load(&self, texture: &wgpu::Texture, aspect: wgpu::TextureAspect) -> Vec<u32> {
        let format = texture.format();
        let (scalar, bits) = match format.sample_type(Some(aspect), None) {
            Some(wgpu::TextureSampleType::Uint) => ("u32", "v"),
            Some(wgpu::TextureSampleType::Sint) => ("i32", "bitcast<vec4u>(v)"),
            _ => ("f32", "bitcast<vec4u>(v)"),
        };
        let wgsl = format!(
            "@group(0) @binding(0) var t: texture_2d<{scalar}>;
            @group(0) @binding(1) var<storage, read_write> out: array<vec4u>;
            @compute @workgroup_size(8, 8) fn main(@builtin(local_invocation_id) id: vec3u) {{
                let v = textureLoad(t, id.xy, 0);
                out[id.y * 8 + id.x] = {bits};
            }}"
        );
        let view = texture.create_view(&wgpu::TextureViewDescriptor {
            aspect,
            dimension: Some(wgpu::TextureViewDimension::D2),
            ..Default::default()
        });
        self.compute(&wgsl, &[wgpu::BindingResource::TextureView(&view)], 8 * 8 * 16)
    }
}

/// Bytes that differ everywhere, without NaN in any float format: exponents stay small.
fn pattern(count: usize, seed: u32) -> Vec<u8> {
    (0..count as u32).map(|i| ((i.wrapping_add(seed)).wrapping_mul(0x9E37_79B9) >> 24) as u8 & 0x3F).collect()
}

/// Runs a case on the adapter and on its oracle: equal words, not all the same.
fn agree(what: &str, gpus: &[Gpu; 2], case: impl Fn(&Gpu) -> Vec<u32>) {
    let [fast, plain] = gpus.each_ref().map(&case);
    let first = fast.iter().zip(&plain).position(|(a, b)| a != b);
    assert_eq!(first.map(|at| (at, fast[at], plain[at])), None, "{what}: word, adapter, oracle");
    assert!(fast.iter().any(|word| *word != fast[0]), "{what}: {:#x} everywhere", fast[0]);
}

fn features(gpu: &Gpu, format: F) -> wgpu::TextureFormatFeatures {
    gpu.adapter.get_texture_format_features(format)
}

#[test]
fn the_list_holds_every_format_that_is_reported() {
    let gpu = Gpu::new(false);
    for format in EVERY_FORMAT {
        assert!(!features(&gpu, format).allowed_usages.is_empty(), "{format:?}");
    }
    for format in [F::NV12, F::Etc2Rgb8Unorm, F::R64Uint] {
        assert!(features(&gpu, format).allowed_usages.is_empty(), "{format:?}");
    }
}

#[test]
fn every_sampled_format_is_loaded() {
    let gpus = Gpu::both();
    for format in EVERY_FORMAT {
        let aspect = wgpu::TextureAspect::All;
        if format.block_copy_size(None).is_none() || format == F::Depth32Float {
            continue;
        }
        agree(&format!("{format:?}"), &gpus, |gpu| {
            let usage = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST;
            let texture = gpu.texture(format, [8, 8, 1], 1, usage);
            gpu.write(&texture, 0, &pattern(1024, 3));
            gpu.load(&texture, aspect)
        });
    }
}

#[test]
fn every_filterable_format_is_filtered() {
    let gpus = Gpu::both();
    let wgsl = "@group(0) @binding(0) var t: texture_2d<f32>;
        @group(0) @binding(1) var s: sampler;
        @group(0) @binding(2) var<storage, read_write> out: array<vec4u>;
        @compute @workgroup_size(8, 8) fn main(@builtin(local_invocation_id) id: vec3u) {
            let at = vec2f(id.xy) * vec2f(0.191, 0.217) - vec2f(0.3, 0.2);
            out[id.y * 8 + id.x] = bitcast<vec4u>(textureSampleLevel(t, s, at, f32(id.x) * 0.3));
        }";
    for format in EVERY_FORMAT {
        if !features(&gpus[0], format).flags.contains(Flags::FILTERABLE) {
            continue;
        }
        for (number, address) in
            [wgpu::AddressMode::Repeat, wgpu::AddressMode::MirrorRepeat, wgpu::AddressMode::ClampToBorder]
                .into_iter()
                .enumerate()
        {
            agree(&format!("{format:?} {address:?}"), &gpus, |gpu| {
                let usage = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST;
                let texture = gpu.texture(format, [12, 8, 1], 3, usage);
                for level in 0..3 {
                    gpu.write(&texture, level, &pattern(2048, level + number as u32));
                }
                let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
                    address_mode_u: address,
                    address_mode_v: address,
                    mag_filter: wgpu::FilterMode::Linear,
                    min_filter: wgpu::FilterMode::Linear,
                    mipmap_filter: wgpu::MipmapFilterMode::Linear,
                    border_color: Some(wgpu::SamplerBorderColor::OpaqueWhite),
                    ..Default::default()
                });
                let view = texture.create_view(&Default::default());
                let resources = [wgpu::BindingResource::TextureView(&view), wgpu::BindingResource::Sampler(&sampler)];
                gpu.compute(wgsl, &resources, 8 * 8 * 16)
            });
        }
    }
}

#[test]
fn every_storage_format_is_written_and_read() {
    let gpus = Gpu::both();
    for format in EVERY_FORMAT {
        let features = features(&gpus[0], format);
        if !features.allowed_usages.contains(wgpu::TextureUsages::STORAGE_BINDING) {
            continue;
        }
        let name = format!("{format:?}").to_lowercase();
        let value = match format.sample_type(None, None) {
            Some(wgpu::TextureSampleType::Uint) => "vec4u(id.x, id.y * 3u, 77u, 400u + id.x)",
            Some(wgpu::TextureSampleType::Sint) => "vec4i(i32(id.x) - 4, i32(id.y) * 3, -77, 400)",
            _ => "vec4f(f32(id.x) / 7.0, f32(id.y) * -0.2, 0.3, 0.9)",
        };
        agree(&format!("{format:?}"), &gpus, |gpu| {
            let usage = wgpu::TextureUsages::STORAGE_BINDING | wgpu::TextureUsages::TEXTURE_BINDING;
            let texture = gpu.texture(format, [8, 8, 1], 1, usage);
            let wgsl = format!(
                "@group(0) @binding(0) var t: texture_storage_2d<{name}, write>;
                @group(0) @binding(1) var<storage, read_write> out: array<u32>;
                @compute @workgroup_size(8, 8) fn main(@builtin(local_invocation_id) id: vec3u) {{
                    textureStore(t, id.xy, {value});
                    textureStore(t, id.xy + vec2u(8, 0), {value});
                    out[0] = 1;
                }}"
            );
            let view = texture.create_view(&Default::default());
            gpu.compute(&wgsl, &[wgpu::BindingResource::TextureView(&view)], 16);
            gpu.load(&texture, wgpu::TextureAspect::All)
        });
    }
}

/// One triangle over the whole target; colours vary over it and overlap once.
fn draw(gpu: &Gpu, format: F, samples: u32, blend: Option<wgpu::BlendState>) -> Vec<u32> {
    let kind = match format.sample_type(None, None) {
        Some(wgpu::TextureSampleType::Uint) => "u32",
        Some(wgpu::TextureSampleType::Sint) => "i32",
        _ => "f32",
    };
    let scale = if kind == "f32" { "1.0" } else { "64.0" };
    let wgsl = format!(
        "@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {{
            let n = i % 3;
            let far = select(3.0, 1.3, i >= 3);
            return vec4f(select(-1.0, far, n == 1), select(-1.0, far, n == 2), 0.5, 1.0);
        }}
        @fragment fn fs(@builtin(position) p: vec4f) -> @location(0) vec4<{kind}> {{
            return vec4<{kind}>(vec4f(p.x * 0.11, p.y * 0.07, p.x * 0.05 + 0.2, 0.6) * {scale});
        }}"
    );
    let module = gpu.shader(&wgsl);
    let target = wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL };
    let pipeline = gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: None,
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: None,
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: Default::default(),
        depth_stencil: None,
        multisample: wgpu::MultisampleState { count: samples, ..Default::default() },
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: None,
            compilation_options: Default::default(),
            targets: &[Some(target)],
        }),
        multiview_mask: None,
        cache: None,
    });
    let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
    let single = gpu.texture(format, [8, 8, 1], 1, usage);
    let single_view = single.create_view(&Default::default());
    let many = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: single.size(),
        mip_level_count: 1,
        sample_count: samples,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    });
    let many_view = many.create_view(&Default::default());
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: if samples == 1 { &single_view } else { &many_view },
            depth_slice: None,
            resolve_target: (samples > 1).then_some(&single_view),
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color { r: 1.0, g: 0.25, b: 3.0, a: 0.5 }),
                store: wgpu::StoreOp::Store,
            },
        })],
        ..Default::default()
    });
    pass.set_pipeline(&pipeline);
    pass.draw(0..6, 0..1);
    drop(pass);
    gpu.queue.submit([encoder.finish()]);
    gpu.load(&single, wgpu::TextureAspect::All)
}

#[test]
fn every_colour_format_is_drawn_blended_and_resolved() {
    let gpus = Gpu::both();
    for format in EVERY_FORMAT.into_iter().filter(|format| !format.is_depth_stencil_format()) {
        let features = features(&gpus[0], format);
        if !features.allowed_usages.contains(wgpu::TextureUsages::RENDER_ATTACHMENT) {
            continue;
        }
        agree(&format!("{format:?}"), &gpus, |gpu| draw(gpu, format, 1, None));
        if features.flags.contains(Flags::BLENDABLE) {
            let blend = Some(wgpu::BlendState::ALPHA_BLENDING);
            agree(&format!("{format:?} blended"), &gpus, |gpu| draw(gpu, format, 1, blend));
        }
        if features.flags.contains(Flags::MULTISAMPLE_X4 | Flags::MULTISAMPLE_RESOLVE) {
            agree(&format!("{format:?} resolved"), &gpus, |gpu| draw(gpu, format, 4, None));
        }
    }
}

/// A texture of these levels, to be sampled.
fn sampled(gpu: &Gpu, format: F, [width, height]: [u32; 2], mip_level_count: u32, bytes: &[u8]) -> wgpu::TextureView {
    let desc = wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    };
    let order = wgpu::util::TextureDataOrder::LayerMajor;
    gpu.device.create_texture_with_data(&gpu.queue, &desc, order, bytes).create_view(&Default::default())
}

#[test]
fn bilinear_by_hand() {
    // A ramp of bytes 0, 255 / 3, 2 * 255 / 3, 255 in x; a step in y.
    let gpu = Gpu::new(false);
    let bytes = [0, 0, 85, 0, 170, 0, 255, 0, 0, 255, 85, 255, 170, 255, 255, 255];
    let view = sampled(&gpu, F::Rg8Unorm, [4, 2], 1, &bytes);
    let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        ..Default::default()
    });
    let wgsl = "@group(0) @binding(0) var t: texture_2d<f32>;
        @group(0) @binding(1) var s: sampler;
        @group(0) @binding(2) var<storage, read_write> out: array<vec2f>;
        @compute @workgroup_size(5) fn main(@builtin(local_invocation_index) i: u32) {
            var at = array(vec2f(0.125, 0.25), vec2f(0.25, 0.5), vec2f(0.5, 0.375), vec2f(1.0, 1.0), vec2f(-9.0, 0.75));
            out[i] = textureSampleLevel(t, s, at[i], 0.0).rg;
        }";
    let resources = [wgpu::BindingResource::TextureView(&view), wgpu::BindingResource::Sampler(&sampler)];
    let words = gpu.compute(wgsl, &resources, 40);
    let got: Vec<f32> = words.into_iter().map(f32::from_bits).collect();
    let third = 42.5f32 / 255.0;
    assert_eq!(got, [0.0, 0.0, third, 0.5, 0.5, 0.25, 1.0, 1.0, 0.0, 1.0]);
}

/// Rows of 0 and 1 in the first level, 0.5 in all others; a footprint of 16 texels by 1 along the rows. One isotropic
/// level is the fifth; 16 taps of the first see one row.
#[test]
fn anisotropy_by_hand() {
    let gpu = Gpu::new(false);
    let mut bytes: Vec<u8> = (0..64 * 64).map(|i| if i / 64 % 2 == 1 { 255 } else { 0 }).collect();
    bytes.extend((1..7).flat_map(|level| vec![51u8; (64 >> level) * (64 >> level)]));
    let view = sampled(&gpu, F::R8Unorm, [64, 64], 7, &bytes);
    let wgsl = "@group(0) @binding(0) var t: texture_2d<f32>;
        @group(0) @binding(1) var s: sampler;
        @group(0) @binding(2) var<storage, read_write> out: array<f32>;
        @compute @workgroup_size(2) fn main(@builtin(local_invocation_index) i: u32) {
            let at = vec2f(20.5, 5.5 + f32(i)) / 64.0;
            out[i] = textureSampleGrad(t, s, at, vec2f(0.25, 0.0), vec2f(0.0, 0.015625)).r;
        }";
    for (anisotropy_clamp, want) in [(1, [0.2, 0.2]), (16, [1.0, 0.0])] {
        let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            anisotropy_clamp,
            ..Default::default()
        });
        let resources = [wgpu::BindingResource::TextureView(&view), wgpu::BindingResource::Sampler(&sampler)];
        let got: Vec<f32> = gpu.compute(wgsl, &resources, 8).into_iter().map(f32::from_bits).collect();
        assert_eq!(got, want, "anisotropy {anisotropy_clamp}");
    }
}

/// What a fragment shader samples, as WGSL, and the texture that it needs.
struct Case {
    texture: &'static str,
    sampler: &'static str,
    dimension: wgpu::TextureViewDimension,
    format: F,
    expression: &'static str,
    anisotropy: u16,
}

#[test]
fn implicit_and_explicit_levels_agree_with_the_oracle_in_every_dimension() {
    use wgpu::TextureViewDimension as D;
    let gpus = Gpu::both();
    let case = |texture, dimension, format, expression| Case {
        texture,
        sampler: if format == F::Depth32Float { "sampler_comparison" } else { "sampler" },
        dimension,
        format,
        expression,
        anisotropy: 1,
    };
    let color = [
        case("texture_2d<f32>", D::D2, F::Rgba8Unorm, "textureSample(t, s, uv)"),
        case("texture_2d<f32>", D::D2, F::Rgba8UnormSrgb, "textureSampleBias(t, s, uv * 3.0, uv.x - 0.4)"),
        case(
            "texture_2d<f32>",
            D::D2,
            F::Rgba16Float,
            "textureSampleGrad(t, s, uv, vec2f(uv.y, 0.1), vec2f(0.02, uv.x))",
        ),
        case("texture_2d<f32>", D::D2, F::Rgba8Unorm, "textureSample(t, s, uv * 2.0, vec2i(3, -2))"),
        case("texture_2d<f32>", D::D2, F::Rgba8Unorm, "textureGather(2, t, s, uv, vec2i(-1, 1))"),
        case("texture_2d<f32>", D::D2, F::Rgba8Unorm, "textureSampleBaseClampToEdge(t, s, uv * 1.5 - 0.2)"),
        case("texture_2d_array<f32>", D::D2Array, F::Rgba8Unorm, "textureSample(t, s, uv * 2.0, i32(uv.x * 9.0) - 1)"),
        case(
            "texture_2d_array<f32>",
            D::D2Array,
            F::Rg8Snorm,
            "textureSampleLevel(t, s, uv, u32(uv.y * 6.0), uv.x * 4.0)",
        ),
        case("texture_cube<f32>", D::Cube, F::Rgba8UnormSrgb, "textureSample(t, s, d)"),
        case("texture_cube<f32>", D::Cube, F::Rgba16Float, "textureSampleLevel(t, s, d, uv.x * 4.0)"),
        case("texture_cube<f32>", D::Cube, F::Rgba8Unorm, "textureGather(1, t, s, d)"),
        case("texture_cube_array<f32>", D::CubeArray, F::R8Unorm, "textureSample(t, s, d, i32(uv.y * 3.0))"),
    ];
    for case in color {
        check(&gpus, &case);
        check(&gpus, &Case { anisotropy: 8, ..case });
    }
}

fn check(gpus: &[Gpu; 2], case: &Case) {
    agree(&format!("{} anisotropy {}", case.expression, case.anisotropy), gpus, |gpu| {
        let wgsl = format!(
            "@group(0) @binding(0) var t: {};
            @group(0) @binding(1) var s: {};
            @vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {{
                return vec4f(select(-1.0, 3.0, i == 1), select(-1.0, 3.0, i == 2), 0.5, 1.0);
            }}
            @fragment fn fs(@builtin(position) p: vec4f) -> @location(0) vec4f {{
                let uv = p.xy / vec2f(8.0, 23.0) + p.yx * p.y * 0.003 - 0.3;
                let d = vec3f(uv.x - 0.5, 0.7 - uv.y, 0.4 - uv.x * uv.y);
                return vec4f({});
            }}",
            case.texture, case.sampler, case.expression
        );
        let cube = matches!(case.dimension, wgpu::TextureViewDimension::Cube | wgpu::TextureViewDimension::CubeArray);
        let layers = match case.dimension {
            wgpu::TextureViewDimension::D2 => 1,
            wgpu::TextureViewDimension::Cube => 6,
            wgpu::TextureViewDimension::CubeArray => 12,
            _ => 4,
        };
        let usage = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST;
        let texture = gpu.texture(case.format, [16, if cube { 16 } else { 12 }, layers], 4, usage);
        for level in 0..4 {
            gpu.write(&texture, level, &pattern(65536, level));
        }
        let view =
            texture.create_view(&wgpu::TextureViewDescriptor { dimension: Some(case.dimension), ..Default::default() });
        let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
            address_mode_u: wgpu::AddressMode::Repeat,
            address_mode_v: wgpu::AddressMode::MirrorRepeat,
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            anisotropy_clamp: case.anisotropy,
            ..Default::default()
        });
        fragment(gpu, &wgsl, &[wgpu::BindingResource::TextureView(&view), wgpu::BindingResource::Sampler(&sampler)])
    });
}

/// Draws one triangle over 8x8 pixels of `Rgba32Float` and reads them.
fn fragment(gpu: &Gpu, wgsl: &str, resources: &[wgpu::BindingResource<'_>]) -> Vec<u32> {
    let pipeline = screen::pipeline(&gpu.device, wgsl, F::Rgba32Float);
    let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
    let target = gpu.texture(F::Rgba32Float, [8, 8, 1], 1, usage);
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    screen::draw(&gpu.device, &mut encoder, &pipeline, resources, &target);
    gpu.queue.submit([encoder.finish()]);
    gpu.load(&target, wgpu::TextureAspect::All)
}

#[test]
fn depth_is_written_by_passes_and_compared_by_samplers() {
    let gpus = Gpu::both();
    for format in EVERY_FORMAT.into_iter().filter(|format| format.has_depth_aspect()) {
        for (shape, dimension, at) in [
            ("2d", wgpu::TextureViewDimension::D2, "uv, 0.55"),
            ("cube", wgpu::TextureViewDimension::Cube, "vec3f(uv - 0.5, 0.4), 0.55"),
        ] {
            agree(&format!("{format:?} {shape}"), &gpus, |gpu| {
                let layers = if shape == "cube" { 6 } else { 1 };
                let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
                let texture = gpu.texture(format, [8, 8, layers], 1, usage);
                for layer in 0..layers {
                    draw_depth(gpu, &texture, layer);
                }
                let view = texture.create_view(&wgpu::TextureViewDescriptor {
                    dimension: Some(dimension),
                    aspect: wgpu::TextureAspect::DepthOnly,
                    ..Default::default()
                });
                let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
                    mag_filter: wgpu::FilterMode::Linear,
                    min_filter: wgpu::FilterMode::Linear,
                    compare: Some(wgpu::CompareFunction::LessEqual),
                    ..Default::default()
                });
                let wgsl = format!(
                    "@group(0) @binding(0) var t: texture_depth_{shape};
                    @group(0) @binding(1) var s: sampler_comparison;
                    @vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {{
                        return vec4f(select(-1.0, 3.0, i == 1), select(-1.0, 3.0, i == 2), 0.5, 1.0);
                    }}
                    @fragment fn fs(@builtin(position) p: vec4f) -> @location(0) vec4f {{
                        let uv = p.xy / 8.3;
                        return vec4f(textureSampleCompare(t, s, {at}), textureSampleCompareLevel(t, s, {at}), textureGatherCompare(t, s, {at}).xw);
                    }}"
                );
                let resources = [wgpu::BindingResource::TextureView(&view), wgpu::BindingResource::Sampler(&sampler)];
                fragment(gpu, &wgsl, &resources)
            });
        }
    }
}

/// A slope of depth over one layer.
fn draw_depth(gpu: &Gpu, texture: &wgpu::Texture, layer: u32) {
    let module = gpu.shader(
        "@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
            return vec4f(select(-1.0, 3.0, i == 1), select(-1.0, 3.0, i == 2), f32(i) * 0.4 + 0.1, 1.0);
        }",
    );
    let format = texture.format();
    let pipeline = gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: None,
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: None,
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: Default::default(),
        depth_stencil: Some(wgpu::DepthStencilState {
            format,
            depth_write_enabled: Some(true),
            depth_compare: Some(wgpu::CompareFunction::Always),
            stencil: Default::default(),
            bias: Default::default(),
        }),
        multisample: Default::default(),
        fragment: None,
        multiview_mask: None,
        cache: None,
    });
    let view = texture.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::D2),
        base_array_layer: layer,
        array_layer_count: Some(1),
        ..Default::default()
    });
    let stencil = wgpu::Operations { load: wgpu::LoadOp::Clear(7), store: wgpu::StoreOp::Store };
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
            view: &view,
            depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store: wgpu::StoreOp::Store }),
            stencil_ops: format.has_stencil_aspect().then_some(stencil),
        }),
        ..Default::default()
    });
    pass.set_pipeline(&pipeline);
    pass.draw(0..3, 0..1);
    drop(pass);
    gpu.queue.submit([encoder.finish()]);
}
