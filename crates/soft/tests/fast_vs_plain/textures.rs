//! Random textures, views, samplers and coordinates through every lookup of the shading language.

use proptest::prelude::*;
use stillframe_soft::wgpu;
use wgpu::{TextureFormat as Tf, TextureViewDimension as Dim};

use crate::device::{Gpu, Outcome, Verdict, everywhere};
use crate::draws::sample_kind;
use crate::tape::{self, Tape};

/// One texture with its view and sampler, and what a fragment stage asks of them.
#[derive(Clone, Debug)]
pub struct Lookup {
    format: Tf,
    dimension: wgpu::TextureDimension,
    size: [u32; 3],
    mips: u32,
    view: Dim,
    /// The view's own format: the sRGB twin, now and then.
    viewed_as: Tf,
    aspect: wgpu::TextureAspect,
    base_mip: u32,
    mip_count: u32,
    base_layer: u32,
    layer_count: u32,
    sampler: SamplerState,
    /// Bytes of the texture come from this seed.
    seed: u32,
    wgsl: String,
    coordinates: Vec<u32>,
    uniforms: Vec<u32>,
}

#[derive(Clone, Debug)]
struct SamplerState {
    address: [wgpu::AddressMode; 3],
    mag: wgpu::FilterMode,
    min: wgpu::FilterMode,
    mip: wgpu::MipmapFilterMode,
    lod: [f32; 2],
    compare: Option<wgpu::CompareFunction>,
    anisotropy: u16,
    border: Option<wgpu::SamplerBorderColor>,
}

const FORMATS: [Tf; 51] = [
    Tf::Rgba8Unorm,
    Tf::Rgba32Float,
    Tf::Rgba8UnormSrgb,
    Tf::R8Unorm,
    Tf::Rg8Unorm,
    Tf::R8Snorm,
    Tf::Rg8Snorm,
    Tf::Rgba8Snorm,
    Tf::Bgra8Unorm,
    Tf::Bgra8UnormSrgb,
    Tf::Rgb10a2Unorm,
    Tf::Rg11b10Ufloat,
    Tf::Rgb9e5Ufloat,
    Tf::R16Float,
    Tf::Rg16Float,
    Tf::Rgba16Float,
    Tf::R32Float,
    Tf::Rg32Float,
    Tf::R16Unorm,
    Tf::Rg16Unorm,
    Tf::Rgba16Unorm,
    Tf::R16Snorm,
    Tf::Rgba16Snorm,
    Tf::R8Uint,
    Tf::Rgba8Sint,
    Tf::Rgb10a2Uint,
    Tf::R16Sint,
    Tf::Rgba16Uint,
    Tf::R32Uint,
    Tf::Rgba32Sint,
    Tf::Depth32Float,
    Tf::Depth16Unorm,
    Tf::Depth24Plus,
    Tf::Depth24PlusStencil8,
    Tf::Depth32FloatStencil8,
    Tf::Stencil8,
    Tf::Bc1RgbaUnorm,
    Tf::Bc1RgbaUnormSrgb,
    Tf::Bc2RgbaUnorm,
    Tf::Bc3RgbaUnorm,
    Tf::Bc4RUnorm,
    Tf::Bc4RSnorm,
    Tf::Bc5RgSnorm,
    Tf::Bc6hRgbUfloat,
    Tf::Bc6hRgbFloat,
    Tf::Bc7RgbaUnorm,
    Tf::Bc2RgbaUnormSrgb,
    Tf::Bc3RgbaUnormSrgb,
    Tf::Bc5RgUnorm,
    Tf::Bc7RgbaUnormSrgb,
    Tf::Rg16Snorm,
];

/// Pixels on a side of the target.
const SIDE: u32 = 16;

impl Lookup {
    pub fn from_tape(words: &[u32]) -> Lookup {
        let t = &mut Tape::new(words);
        let mut format = t.pick(&FORMATS);
        if !crate::device::features().contains(format.required_features()) {
            format = Tf::Rgba8Unorm;
        }
        let depth = format.has_depth_aspect();
        let stencil = format == Tf::Stencil8 || format.has_stencil_aspect() && t.chance(40);
        let aspect = match (depth, stencil) {
            (true, false) if format.has_stencil_aspect() => wgpu::TextureAspect::DepthOnly,
            (true, true) => wgpu::TextureAspect::StencilOnly,
            _ => wgpu::TextureAspect::All,
        };
        let depth = depth && !stencil;
        let blocks = format.block_dimensions().0 > 1;
        let mut view =
            t.pick(&[Dim::D2, Dim::D2, Dim::D2Array, Dim::Cube, Dim::CubeArray, Dim::D3, Dim::D1, Dim::Cube]);
        if format.is_depth_stencil_format() && matches!(view, Dim::D1 | Dim::D3) || blocks && view == Dim::D1 {
            view = Dim::D2;
        }
        let mut side = || t.pick(&[4u32, 8, 1, 2, 3, 5, 7, 16, 17]);
        let (mut width, mut height, mut depth_px) = (side(), side(), side());
        if blocks {
            (width, height) = (width.div_ceil(4) * 4, height.div_ceil(4) * 4);
        }
        let total_layers = match view {
            Dim::D2Array => 1 + t.below(4) as u32,
            Dim::Cube => 6,
            Dim::CubeArray => 6 * (1 + t.below(2) as u32),
            Dim::D2 => 1 + t.below(2) as u32,
            _ => 1,
        };
        let dimension = match view {
            Dim::D1 => wgpu::TextureDimension::D1,
            Dim::D3 => wgpu::TextureDimension::D3,
            _ => wgpu::TextureDimension::D2,
        };
        match view {
            Dim::D1 => height = 1,
            Dim::Cube | Dim::CubeArray => height = width,
            _ => {}
        }
        if view != Dim::D3 {
            depth_px = total_layers;
        }
        let size = [width, height, depth_px];
        let extent = wgpu::Extent3d { width, height, depth_or_array_layers: depth_px };
        let most = if view == Dim::D1 { 1 } else { extent.max_mips(dimension) };
        let mips = 1 + t.below(most as usize) as u32;
        let base_mip = t.below(mips as usize) as u32;
        let mip_count = 1 + t.below((mips - base_mip) as usize) as u32;
        let layer_count = match view {
            Dim::D2Array => 1 + t.below(total_layers as usize) as u32,
            Dim::Cube => 6,
            Dim::CubeArray => total_layers,
            _ => 1,
        };
        let base_layer = if view == Dim::D3 { 0 } else { t.below((total_layers - layer_count) as usize + 1) as u32 };
        let mut sampler = SamplerState::from_tape(t, depth);
        if stencil || sample_kind(format) != "f32" {
            (sampler.mag, sampler.min, sampler.mip) =
                (wgpu::FilterMode::Nearest, wgpu::FilterMode::Nearest, wgpu::MipmapFilterMode::Nearest);
            sampler.anisotropy = 1;
        }
        let (plain, srgb) = (format.remove_srgb_suffix(), format.add_srgb_suffix());
        let twin = t.chance(15) && !format.is_depth_stencil_format();
        let viewed_as = if twin { if format == plain { srgb } else { plain } } else { format };
        let seed = t.word();
        let wgsl = shader(t, format, view, depth, stencil, &sampler);
        let many = noise(t.word(), 4096);
        let mut more = Tape::new(&many);
        let coordinates = (0..SIDE * SIDE * 4)
            .map(|_| {
                let word = more.word();
                match word & 15 {
                    0..=7 => ((word >> 8) as f32 / (1 << 23) as f32 - 0.5).to_bits(),
                    8..=11 => ((word >> 8 & 63) as f32 / 16.0 - 1.0).to_bits(),
                    12 => ((word >> 8) as f32 / (1 << 18) as f32 - 30.0).to_bits(),
                    _ => more.float().to_bits(),
                }
            })
            .collect();
        let scale = t.pick(&[0.0625f32, 0.01, 0.3, 1.0, 0.0, 20.0]);
        let mut uniforms: Vec<u32> = (0..12)
            .map(|i| {
                let v = (t.word() >> 8) as f32 / (1 << 23) as f32 - 1.0;
                (if i < 8 { v * scale } else { v }).to_bits()
            })
            .collect();
        uniforms.extend((0..4).map(|_| t.float().to_bits()));
        Lookup {
            format,
            dimension,
            size,
            mips,
            view,
            viewed_as,
            aspect,
            base_mip,
            mip_count,
            base_layer,
            layer_count,
            sampler,
            seed,
            wgsl,
            coordinates,
            uniforms,
        }
    }
}

impl SamplerState {
    fn from_tape(t: &mut Tape<'_>, depth: bool) -> SamplerState {
        use wgpu::AddressMode as Am;
        let mode = |t: &mut Tape<'_>| t.pick(&[Am::ClampToEdge, Am::Repeat, Am::MirrorRepeat, Am::ClampToBorder]);
        let address = [mode(t), mode(t), mode(t)];
        let filter = |t: &mut Tape<'_>| t.pick(&[wgpu::FilterMode::Linear, wgpu::FilterMode::Nearest]);
        let mut sampler = SamplerState {
            address,
            mag: filter(t),
            min: filter(t),
            mip: t.pick(&[wgpu::MipmapFilterMode::Linear, wgpu::MipmapFilterMode::Nearest]),
            lod: t.pick(&[[0.0, 32.0], [0.0, 0.0], [0.5, 2.0], [1.3, 1.3]]),
            compare: None,
            anisotropy: t.pick(&[1, 1, 2, 4, 16]),
            border: None,
        };
        if depth && t.chance(60) {
            use wgpu::CompareFunction as Cf;
            sampler.compare = Some(t.pick(&[
                Cf::Less,
                Cf::LessEqual,
                Cf::Greater,
                Cf::GreaterEqual,
                Cf::Equal,
                Cf::NotEqual,
                Cf::Always,
                Cf::Never,
            ]));
        }
        if sampler.anisotropy > 1 {
            (sampler.mag, sampler.min, sampler.mip) =
                (wgpu::FilterMode::Linear, wgpu::FilterMode::Linear, wgpu::MipmapFilterMode::Linear);
        }
        if address.contains(&Am::ClampToBorder) {
            use wgpu::SamplerBorderColor as Bc;
            sampler.border = Some(t.pick(&[Bc::TransparentBlack, Bc::OpaqueBlack, Bc::OpaqueWhite, Bc::Zero]));
        }
        sampler
    }

    fn filters(&self) -> bool {
        self.mag == wgpu::FilterMode::Linear
            || self.min == wgpu::FilterMode::Linear
            || self.mip == wgpu::MipmapFilterMode::Linear
    }
}

/// A fragment stage that makes up to three lookups and adds their bits.
fn shader(t: &mut Tape<'_>, format: Tf, view: Dim, depth: bool, stencil: bool, sampler: &SamplerState) -> String {
    let kind = if stencil { "u32" } else { sample_kind(format) };
    let shape = match view {
        Dim::D1 => "1d",
        Dim::D2 => "2d",
        Dim::D2Array => "2d_array",
        Dim::Cube => "cube",
        Dim::CubeArray => "cube_array",
        Dim::D3 => "3d",
    };
    let ty = if depth { format!("texture_depth_{shape}") } else { format!("texture_{shape}<{kind}>") };
    let compare = sampler.compare.is_some();
    let sampler_ty = if compare { "sampler_comparison" } else { "sampler" };
    let (swizzle, axes) = match view {
        Dim::D1 => (".x", 1),
        Dim::D2 | Dim::D2Array => (".xy", 2),
        _ => (".xyz", 3),
    };
    let layered = matches!(view, Dim::D2Array | Dim::CubeArray);
    let cube = matches!(view, Dim::Cube | Dim::CubeArray);
    let layer = if layered { ", layer" } else { "" };
    let c = format!("c{swizzle}");
    let derivatives = format!("gx{swizzle}, gy{swizzle}");
    let mut body = String::new();
    for _ in 0..1 + t.below(3) {
        let offset = if !cube && axes > 1 && t.chance(30) {
            let mut part = || t.below(16) as i32 - 8;
            match axes {
                2 => format!(", vec2<i32>({}, {})", part(), part()),
                _ => format!(", vec3<i32>({}, {}, {})", part(), part(), part()),
            }
        } else {
            String::new()
        };
        let one = |text: String| format!("vec4<u32>(bitcast<u32>({text}), 0u, 0u, 0u)");
        let four = |text: String| format!("bitcast<vec4<u32>>({text})");
        let wide = |text: String| if depth { one(text) } else { four(text) };
        let mut ways: Vec<String> = vec![];
        let integer = kind != "f32";
        if compare {
            ways.push(one(format!("textureSampleCompare(t, s, {c}{layer}, reference{offset})")));
            ways.push(one(format!("textureSampleCompareLevel(t, s, {c}{layer}, reference{offset})")));
            if axes > 1 && view != Dim::D3 {
                ways.push(four(format!("textureGatherCompare(t, s, {c}{layer}, reference{offset})")));
            }
        } else {
            if !integer {
                let level = if depth { "i32(level)" } else { "level" };
                ways.push(wide(format!("textureSample(t, s, {c}{layer}{offset})")));
                if view == Dim::D1 {
                    ways.push(four(format!("textureSampleLevel(t, s, {c}, level)")));
                } else {
                    ways.push(wide(format!("textureSampleLevel(t, s, {c}{layer}, {level}{offset})")));
                    if !depth {
                        ways.push(four(format!("textureSampleBias(t, s, {c}{layer}, bias{offset})")));
                        ways.push(four(format!("textureSampleGrad(t, s, {c}{layer}, {derivatives}{offset})")));
                    }
                }
                if view == Dim::D2 && !depth {
                    ways.push(four("textureSampleBaseClampToEdge(t, s, c.xy)".into()));
                }
            }
            if axes > 1 && view != Dim::D3 {
                let component = if depth { String::new() } else { format!("{}, ", t.below(4)) };
                ways.push(four(format!("textureGather({component}t, s, {c}{layer}{offset})")));
            }
        }
        if !cube {
            let at = format!("i{swizzle}");
            let at_layer = if layered { ", layer" } else { "" };
            ways.push(wide(format!("textureLoad(t, {at}{at_layer}, i.w)")));
        }
        let size = match axes {
            1 => "vec4<u32>(textureDimensions(t, i.w), 0u, 0u, 0u)",
            3 if !cube => "vec4<u32>(textureDimensions(t, i.w), 0u)",
            _ => "vec4<u32>(textureDimensions(t, i.w), textureDimensions(t))",
        };
        ways.push(size.into());
        let count = if layered { "textureNumLayers(t)" } else { "7u" };
        ways.push(format!("vec4<u32>(textureNumLevels(t), {count}, 0u, 0u)"));
        let way = t.pick(&ways);
        let guard = t.chance(20);
        let line = format!("sum = sum * 3u + {way};");
        body += &if guard { format!("    if (p.x % 3u != 1u) {{ {line} }}\n") } else { format!("    {line}\n") };
    }
    // One triangle over everything, or many small ones whose quads are cut.
    let small = t.chance(30);
    let corner = if small {
        "let h = (i * 747796405u + 2891336453u) ^ ((i / 3u) * 277803737u);
    return vec4<f32>(f32(h >> 8u & 255u) / 128.0 - 1.0, f32(h >> 16u & 255u) / 128.0 - 1.0, 0.0, 1.0);"
    } else {
        "return vec4<f32>(f32(i & 1u) * 4.0 - 1.0, f32(i & 2u) * 2.0 - 1.0, 0.0, 1.0);"
    };
    let use_buffer = t.chance(50);
    let from = if use_buffer { "coordinates[p.y * 16u + p.x]" } else { "u.base + u.x * f32(p.x) + u.y * f32(p.y)" };
    format!(
        "@group(0) @binding(0) var t: {ty};
@group(0) @binding(1) var s: {sampler_ty};
struct Uniforms {{ x: vec4<f32>, y: vec4<f32>, base: vec4<f32>, more: vec4<f32> }}
@group(0) @binding(2) var<uniform> u: Uniforms;
@group(0) @binding(3) var<storage, read> coordinates: array<vec4<f32>>;
@vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {{
    {corner}
}}
@fragment fn fragment(@builtin(position) position: vec4<f32>) -> @location(0) vec4<u32> {{
    let p = vec2<u32>(position.xy);
    let c = {from};
    let raw = coordinates[p.x * 16u + p.y];
    let i = vec4<i32>(i32(p.x), i32(p.y), i32(raw.x * 4.0), i32(raw.y * 3.0));
    let layer = i32(raw.w * 4.0) - 1;
    let level = raw.z * 4.0 - 1.0;
    let bias = raw.x * 8.0;
    let gx = raw.xyz * u.x.x;
    let gy = raw.zwx * u.y.y;
    let reference = raw.y;
    var sum = vec4<u32>(1u);
{body}    return sum;
}}
"
    )
}

/// A row of pseudo-random words.
pub fn noise(seed: u32, count: usize) -> Vec<u32> {
    let mut state = seed | 1;
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(747796405).wrapping_add(2891336453);
            let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277803737);
            (word >> 22) ^ word
        })
        .collect()
}

impl Lookup {
    /// What all ways agree on; the lookup is part of what differs.
    pub fn agreed(&self) -> Result<Vec<(String, Vec<u32>)>, Verdict> {
        everywhere(|gpu| self.run(gpu)).map_err(|verdict| match verdict {
            Verdict::Differs(difference) => {
                let show = Lookup { coordinates: vec![], ..self.clone() };
                Verdict::Differs(format!("{difference}\n{show:?}\n{}", self.wgsl))
            }
            invalid => invalid,
        })
    }

    pub fn run(&self, gpu: &Gpu) -> Outcome {
        gpu.checked(|| {
            let [width, height, depth_or_array_layers] = self.size;
            let rendered = self.format.is_depth_stencil_format();
            let fill = if rendered { wgpu::TextureUsages::RENDER_ATTACHMENT } else { wgpu::TextureUsages::COPY_DST };
            let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size: wgpu::Extent3d { width, height, depth_or_array_layers },
                mip_level_count: self.mips,
                sample_count: 1,
                dimension: self.dimension,
                format: self.format,
                usage: wgpu::TextureUsages::TEXTURE_BINDING | fill,
                view_formats: if self.viewed_as == self.format { &[] } else { std::slice::from_ref(&self.viewed_as) },
            });
            if rendered {
                self.render(gpu, &texture)
            } else {
                self.upload(gpu, &texture)
            }
            let view = texture.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(self.view),
                format: (self.viewed_as != self.format).then_some(self.viewed_as),
                aspect: self.aspect,
                base_mip_level: self.base_mip,
                mip_level_count: Some(self.mip_count),
                base_array_layer: self.base_layer,
                array_layer_count: Some(self.layer_count),
                ..Default::default()
            });
            self.look_up(gpu, &view)
        })
    }

    fn upload(&self, gpu: &Gpu, texture: &wgpu::Texture) {
        let block = self.format.block_dimensions().0;
        let block_bytes = self.format.block_copy_size(None).expect("a colour format");
        for mip_level in 0..self.mips {
            let mip = texture.size().mip_level_size(mip_level, self.dimension);
            let (columns, rows) = (mip.width.div_ceil(block), mip.height.div_ceil(block));
            let layers = mip.depth_or_array_layers;
            let bytes = (columns * rows * layers * block_bytes) as usize;
            let mut data: Vec<u8> =
                noise(self.seed ^ mip_level, bytes.div_ceil(4)).iter().flat_map(|w| w.to_le_bytes()).collect();
            if self.format == Tf::Rgba32Float || self.format == Tf::R32Float || self.format == Tf::Rg32Float {
                for texel in data.chunks_exact_mut(4) {
                    let word = u32::from_le_bytes(texel.try_into().expect("four bytes"));
                    if word % 31 != 0 {
                        texel.copy_from_slice(&((word >> 8) as f32 / (1 << 20) as f32 - 8.0).to_le_bytes());
                    }
                }
            }
            let padded = wgpu::Extent3d { width: columns * block, height: rows * block, depth_or_array_layers: layers };
            gpu.queue.write_texture(
                wgpu::TexelCopyTextureInfo { mip_level, ..texture.as_image_copy() },
                &data[..bytes],
                wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(columns * block_bytes),
                    rows_per_image: Some(rows),
                },
                padded,
            );
        }
    }

    /// Depth and stencil are drawn: depth by the pixel, the stencil a value a column.
    fn render(&self, gpu: &Gpu, texture: &wgpu::Texture) {
        let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(
                "@vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(i & 1u) * 4.0 - 1.0, f32(i & 2u) * 2.0 - 1.0, 0.0, 1.0);
}
@fragment fn depth(@builtin(position) p: vec4<f32>) -> @builtin(frag_depth) f32 {
    return fract(p.x * 0.37 + p.y * 0.61 + p.x * p.y * 0.13);
}
@fragment fn stencil() {}"
                    .into(),
            ),
        });
        let layout = gpu.device.create_pipeline_layout(&Default::default());
        let has_depth = self.format.has_depth_aspect();
        let face = wgpu::StencilFaceState { pass_op: wgpu::StencilOperation::Replace, ..Default::default() };
        let has_stencil = self.format.has_stencil_aspect();
        let stencil = if has_stencil {
            wgpu::StencilState { front: face, back: face, read_mask: 255, write_mask: 255 }
        } else {
            Default::default()
        };
        let pipeline = gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vertex"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: Default::default(),
            depth_stencil: Some(wgpu::DepthStencilState {
                format: self.format,
                depth_write_enabled: has_depth.then_some(true),
                depth_compare: has_depth.then_some(wgpu::CompareFunction::Always),
                stencil,
                bias: Default::default(),
            }),
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some(if has_depth { "depth" } else { "stencil" }),
                compilation_options: Default::default(),
                targets: &[],
            }),
            multiview_mask: None,
            cache: None,
        });
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        for mip in 0..self.mips {
            for layer in 0..self.size[2] {
                let view = texture.create_view(&wgpu::TextureViewDescriptor {
                    dimension: Some(Dim::D2),
                    base_mip_level: mip,
                    mip_level_count: Some(1),
                    base_array_layer: layer,
                    array_layer_count: Some(1),
                    ..Default::default()
                });
                let store = wgpu::StoreOp::Store;
                let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                    depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                        view: &view,
                        depth_ops: has_depth.then_some(wgpu::Operations { load: wgpu::LoadOp::Clear(0.5), store }),
                        stencil_ops: has_stencil.then_some(wgpu::Operations { load: wgpu::LoadOp::Clear(9), store }),
                    }),
                    ..Default::default()
                });
                pass.set_pipeline(&pipeline);
                let (width, height) = (self.size[0] >> mip, self.size[1] >> mip);
                for column in 0..width.max(1) {
                    pass.set_stencil_reference(self.seed.rotate_left(column * 3 + layer + mip) & 0xFF);
                    pass.set_scissor_rect(column, 0, 1, height.max(1));
                    pass.draw(0..3, 0..1);
                }
            }
        }
        gpu.queue.submit([encoder.finish()]);
    }

    fn look_up(&self, gpu: &Gpu, view: &wgpu::TextureView) -> Vec<(String, Vec<u32>)> {
        let s = &self.sampler;
        let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
            label: None,
            address_mode_u: s.address[0],
            address_mode_v: s.address[1],
            address_mode_w: s.address[2],
            mag_filter: s.mag,
            min_filter: s.min,
            mipmap_filter: s.mip,
            lod_min_clamp: s.lod[0],
            lod_max_clamp: s.lod[1],
            compare: s.compare,
            anisotropy_clamp: s.anisotropy,
            border_color: s.border,
        });
        let stencil = self.aspect == wgpu::TextureAspect::StencilOnly || self.format == Tf::Stencil8;
        let kind = if stencil { "u32" } else { sample_kind(self.format) };
        let sample_type = match kind {
            "u32" => wgpu::TextureSampleType::Uint,
            "i32" => wgpu::TextureSampleType::Sint,
            _ if self.format.has_depth_aspect() => wgpu::TextureSampleType::Depth,
            _ => wgpu::TextureSampleType::Float { filterable: s.filters() },
        };
        let sampler_type = match s.compare {
            Some(_) => wgpu::SamplerBindingType::Comparison,
            None if s.filters() => wgpu::SamplerBindingType::Filtering,
            None => wgpu::SamplerBindingType::NonFiltering,
        };
        let buffer = |ty| wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None };
        let types = [
            wgpu::BindingType::Texture { sample_type, view_dimension: self.view, multisampled: false },
            wgpu::BindingType::Sampler(sampler_type),
            buffer(wgpu::BufferBindingType::Uniform),
            buffer(wgpu::BufferBindingType::Storage { read_only: true }),
        ];
        let entries: Vec<_> = types
            .into_iter()
            .zip(0..)
            .map(|(ty, binding)| wgpu::BindGroupLayoutEntry {
                binding,
                visibility: wgpu::ShaderStages::FRAGMENT,
                ty,
                count: None,
            })
            .collect();
        let layout =
            gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries });
        let pipeline_layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let module = gpu.module(&self.wgsl);
        let format = Tf::Rgba32Uint;
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
            depth_stencil: None,
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fragment"),
                compilation_options: Default::default(),
                targets: &[Some(format.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        let uniforms = gpu.buffer(&self.uniforms, wgpu::BufferUsages::UNIFORM);
        let coordinates = gpu.buffer(&self.coordinates, wgpu::BufferUsages::STORAGE);
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(view) },
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(&sampler) },
                wgpu::BindGroupEntry { binding: 2, resource: uniforms.as_entire_binding() },
                wgpu::BindGroupEntry { binding: 3, resource: coordinates.as_entire_binding() },
            ],
        });
        let target = gpu.target(SIDE, format);
        let target_view = target.create_view(&Default::default());
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &target_view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: Default::default(),
                })],
                ..Default::default()
            });
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &group, &[]);
            pass.draw(0..if self.wgsl.contains("2891336453u") { 30 } else { 3 }, 0..1);
        }
        gpu.queue.submit([encoder.finish()]);
        vec![("target".into(), gpu.read_texture(&target))]
    }
}

proptest! {
    #![proptest_config(tape::cases(400))]

    #[test]
    fn textures(words in tape::tapes(400)) {
        tape::judge(&words, |words| Lookup::from_tape(words).agreed())?;
    }
}

/// The simplest lookup, but for what its fragment stage returns.
fn returning(result: &str) -> Lookup {
    let mut lookup = Lookup::from_tape(&[]);
    let (head, _) = lookup.wgsl.split_once("    var sum").expect("the generator's text");
    lookup.wgsl = format!("{head}    return {result};\n}}\n");
    lookup
}

#[test]
fn a_base_clamp_keeps_nan_off_the_border() {
    let mut lookup = returning(
        "bitcast<vec4<u32>>(textureSampleBaseClampToEdge(t, s, vec2<f32>(bitcast<f32>(0x7FC00000u + p.x), 0.25)))",
    );
    lookup.sampler.address = [wgpu::AddressMode::ClampToBorder; 3];
    lookup.sampler.border = Some(wgpu::SamplerBorderColor::TransparentBlack);
    let results = lookup.agreed().expect("all agree");
    assert!(results[0].1[..4].iter().any(|&word| word != 0), "a texel, not the border");
}
