//! Samplers, and views of textures that they read.

use stillframe_soft::wgpu;
use wgpu::util::DeviceExt;

use super::super::raster::stage::*;
use super::super::screen;
use super::{Row, Rule, compares, every, row, ruled};

const SIDE: u32 = 16;

/// What is sampled.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Texture {
    /// 4x4 texels, three levels.
    Flat,
    /// The first of them alone.
    OneLevel,
    /// Two layers of them.
    Layers,
    /// 4x4x4 texels.
    Deep,
    /// Depths of 0 and 1 in turn.
    Depth,
}

impl Texture {
    fn declaration(self) -> &'static str {
        match self {
            Texture::Flat | Texture::OneLevel => "texture_2d<f32>",
            Texture::Layers => "texture_2d_array<f32>",
            Texture::Deep => "texture_3d<f32>",
            Texture::Depth => "texture_depth_2d",
        }
    }

    fn made(self, gpu: &Gpu) -> wgpu::Texture {
        let levels = if matches!(self, Texture::Flat | Texture::Layers) { 3 } else { 1 };
        let layers = match self {
            Texture::Deep => 4,
            Texture::Layers => 2,
            _ => 1,
        };
        let mut bytes: Vec<u8> = Vec::new();
        for layer in 0..layers {
            for level in 0..levels {
                let side = 4u8 >> level;
                let depth = |x: u8| if x.is_multiple_of(2) { [0, 0] } else { [255, 255] };
                for (y, x) in (0..side).flat_map(|y| (0..side).map(move |x| (y, x))) {
                    match self {
                        Texture::Depth => bytes.extend(depth(x)),
                        _ => bytes.extend([x * 60 + 20, y * 60 + 30, level as u8 * 100 + layer * 25, 200 - layer * 30]),
                    }
                }
            }
        }
        let is_depth = self == Texture::Depth;
        let format = if is_depth { wgpu::TextureFormat::Depth16Unorm } else { wgpu::TextureFormat::Rgba8Unorm };
        let descriptor = wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: 4, height: 4, depth_or_array_layers: u32::from(layers) },
            mip_level_count: levels,
            sample_count: 1,
            dimension: if self == Texture::Deep { wgpu::TextureDimension::D3 } else { wgpu::TextureDimension::D2 },
            format,
            usage: wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: if is_depth { &[] } else { &[wgpu::TextureFormat::Rgba8UnormSrgb] },
        };
        gpu.device.create_texture_with_data(&gpu.queue, &descriptor, wgpu::util::TextureDataOrder::LayerMajor, &bytes)
    }
}

type Sampler = wgpu::SamplerDescriptor<'static>;
type View = wgpu::TextureViewDescriptor<'static>;

/// A picture of `color`, an expression of a pixel's place `p`.
fn sampled(gpu: &Gpu, texture: Texture, view: &View, sampler: &Sampler, color: &str) -> Picture {
    let kind = if texture == Texture::Depth { "sampler_comparison" } else { "sampler" };
    let wgsl = format!(
        "@group(0) @binding(0) var t: {};
        @group(0) @binding(1) var s: {kind};
        @vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {{
            return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.5, 1.0);
        }}
        @fragment fn fs(@builtin(position) at: vec4f) -> @location(0) vec4f {{
            let p = at.xy;
            return vec4f({color});
        }}",
        texture.declaration()
    );
    let device = &gpu.device;
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let pipeline = screen::pipeline(device, &wgsl, format);
    let (view, sampler) = (texture.made(gpu).create_view(view), device.create_sampler(sampler));
    let resources = [wgpu::BindingResource::TextureView(&view), wgpu::BindingResource::Sampler(&sampler)];
    let target = self::texture(gpu, &Case::default(), format, 1);
    let mut encoder = device.create_command_encoder(&Default::default());
    screen::draw(device, &mut encoder, &pipeline, &resources, &target);
    let row_bytes = 256;
    let out = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: u64::from(SIDE * row_bytes),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row_bytes), rows_per_image: None };
    let into = wgpu::TexelCopyBufferInfo { buffer: &out, layout };
    encoder.copy_texture_to_buffer(target.as_image_copy(), into, target.size());
    gpu.queue.submit([encoder.finish()]);
    let rows = read(device, &out);
    let bytes = rows.chunks_exact(row_bytes as usize).flat_map(|row| &row[..SIDE as usize * 4]).copied().collect();
    Picture { width: SIDE as usize, texel: 4, bytes, queries: Vec::new() }
}

fn linear() -> Sampler {
    let (filter, address) = (wgpu::FilterMode::Linear, wgpu::AddressMode::Repeat);
    wgpu::SamplerDescriptor {
        address_mode_u: address,
        address_mode_v: address,
        address_mode_w: address,
        mag_filter: filter,
        min_filter: filter,
        mipmap_filter: wgpu::MipmapFilterMode::Linear,
        ..Default::default()
    }
}

pub fn rows(adapter: &wgpu::Adapter) -> Vec<Row> {
    let border = Rule::With(wgpu::Features::ADDRESS_MODE_CLAMP_TO_BORDER);
    let whole = View::default;
    let addresses = || {
        every!(AddressMode: ClampToEdge Repeat MirrorRepeat ClampToBorder)
            .map(|mode| (mode, if mode == wgpu::AddressMode::ClampToBorder { border } else { Rule::Always }))
    };
    let white = || Sampler { border_color: Some(wgpu::SamplerBorderColor::OpaqueWhite), ..Default::default() };
    let flat = move |gpu: &Gpu, sampler: &Sampler, color| sampled(gpu, Texture::Flat, &whole(), sampler, color);
    let one = move |gpu: &Gpu, sampler: &Sampler, color| sampled(gpu, Texture::OneLevel, &whole(), sampler, color);
    // From -1.5 to 2.5.
    let bordered = "textureSampleLevel(t, s, vec2f(p.x * 0.25 - 1.5, 0.6), 0.0)";
    let filters = || every!(FilterMode: Nearest Linear);
    let colors = |color: wgpu::SamplerBorderColor| {
        let is_zero = color == wgpu::SamplerBorderColor::Zero;
        (color, if is_zero { Rule::With(wgpu::Features::ADDRESS_MODE_CLAMP_TO_ZERO) } else { border })
    };
    use wgpu::SamplerBorderColor::{OpaqueBlack, OpaqueWhite, TransparentBlack, Zero};
    let in_border = move |gpu: &Gpu, &color: &wgpu::SamplerBorderColor| {
        let sampler = Sampler {
            address_mode_u: wgpu::AddressMode::ClampToBorder,
            border_color: Some(color),
            ..Default::default()
        };
        flat(gpu, &sampler, bordered)
    };
    // Whoever compares binds no other sampler.
    let comparisons = compares().map(|compare| (Some(compare), Rule::Always)).into_iter();
    let comparisons = comparisons.chain([(None, Rule::If(false))]);
    let anisotropic = wgpu::DownlevelFlags::ANISOTROPIC_FILTERING;
    let anisotropic = Rule::If(adapter.get_downlevel_capabilities().flags.contains(anisotropic));
    let mut rows = vec![
        ruled("sampler.address_mode_u", addresses(), move |gpu, &address_mode_u| {
            flat(gpu, &Sampler { address_mode_u, ..white() }, bordered)
        }),
        ruled("sampler.address_mode_v", addresses(), move |gpu, &address_mode_v| {
            let color = "textureSampleLevel(t, s, vec2f(0.6, p.y * 0.25 - 1.5), 0.0)";
            flat(gpu, &Sampler { address_mode_v, ..white() }, color)
        }),
        ruled("sampler.address_mode_w", addresses(), move |gpu, &address_mode_w| {
            let color = "textureSampleLevel(t, s, vec3f(0.6, 0.6, p.y * 0.25 - 1.5), 0.0)";
            sampled(gpu, Texture::Deep, &whole(), &Sampler { address_mode_w, ..white() }, color)
        }),
        row("sampler.mag_filter", filters(), move |gpu, &mag_filter| {
            flat(gpu, &Sampler { mag_filter, ..linear() }, "textureSample(t, s, p / 32.0)")
        }),
        row("sampler.min_filter", filters(), move |gpu, &min_filter| {
            one(gpu, &Sampler { min_filter, ..linear() }, "textureSample(t, s, p * 0.51 + 0.03)")
        }),
        row("sampler.mipmap_filter", every!(MipmapFilterMode: Nearest Linear), move |gpu, &mipmap_filter| {
            flat(gpu, &Sampler { mipmap_filter, ..linear() }, "textureSample(t, s, p * 0.37)")
        }),
        row("sampler.lod_min_clamp", [0.0, 0.5, 1.0], move |gpu, &lod_min_clamp| {
            flat(gpu, &Sampler { lod_min_clamp, ..linear() }, "textureSample(t, s, p / 32.0)")
        }),
        row("sampler.lod_max_clamp", [32.0, 0.5, 0.0], move |gpu, &lod_max_clamp| {
            flat(gpu, &Sampler { lod_max_clamp, ..linear() }, "textureSample(t, s, p * 0.9)")
        }),
        ruled("sampler.compare", comparisons, move |gpu, &compare| {
            // Less, equal and greater.
            let color = "textureSampleCompareLevel(t, s, vec2f(p.x / 16.0, 0.5), select(0.0, 1.0, p.y > 8.0))";
            sampled(gpu, Texture::Depth, &whole(), &Sampler { compare, ..Default::default() }, color)
        }),
        ruled(
            "sampler.anisotropy_clamp",
            [(1, Rule::Always), (2, anisotropic), (16, anisotropic)],
            move |gpu, &anisotropy_clamp| {
                let color = "textureSample(t, s, p * vec2f(0.9, 0.11))";
                flat(gpu, &Sampler { anisotropy_clamp, ..linear() }, color)
            },
        ),
        ruled("sampler.border_color", [TransparentBlack, OpaqueBlack, OpaqueWhite].map(colors), in_border),
        ruled("sampler.border_color (zero)", [Zero, OpaqueBlack].map(colors), in_border),
    ];
    rows.extend(views());
    rows
}

fn views() -> [Row; 5] {
    let whole = View::default;
    let at = "textureSampleLevel(t, s, p / 16.0, 2.0)";
    let flat = move |gpu: &Gpu, view: &View| sampled(gpu, Texture::Flat, view, &Sampler::default(), at);
    let layers = move |gpu: &Gpu, view: View| {
        let view = View { dimension: Some(wgpu::TextureViewDimension::D2Array), ..view };
        let color = "textureSampleLevel(t, s, p / 16.0, 1, 0.0)";
        sampled(gpu, Texture::Layers, &view, &Sampler::default(), color)
    };
    let formats = [wgpu::TextureFormat::Rgba8Unorm, wgpu::TextureFormat::Rgba8UnormSrgb];
    [
        row("view.format", formats, move |gpu, &format| flat(gpu, &View { format: Some(format), ..whole() })),
        row("view.base_mip_level", [0, 1], move |gpu, &base_mip_level| {
            let at = "textureSampleLevel(t, s, p / 16.0, 0.0)";
            sampled(gpu, Texture::Flat, &View { base_mip_level, ..whole() }, &Sampler::default(), at)
        }),
        row("view.mip_level_count", [None, Some(2), Some(1)], move |gpu, &mip_level_count| {
            flat(gpu, &View { mip_level_count, ..whole() })
        }),
        row("view.base_array_layer", [0, 1], move |gpu, &base_array_layer| {
            let color = "textureSampleLevel(t, s, p / 16.0, 0, 0.0)";
            let view = View { base_array_layer, dimension: Some(wgpu::TextureViewDimension::D2Array), ..whole() };
            sampled(gpu, Texture::Layers, &view, &Sampler::default(), color)
        }),
        row("view.array_layer_count", [None, Some(1)], move |gpu, &array_layer_count| {
            layers(gpu, View { array_layer_count, ..whole() })
        }),
    ]
}
