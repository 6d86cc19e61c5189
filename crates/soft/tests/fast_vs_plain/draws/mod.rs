//! Random draw state: triangles, lines and points of every sort through every fixed stage, on every kind of target.

use std::fmt::Write;

use proptest::prelude::*;
use stillframe_soft::wgpu;
use wgpu::{
    BlendFactor as Bf, BlendOperation as Bo, CompareFunction as Cf, StencilOperation as So, TextureFormat as Tf,
};

use crate::tape::{self, SPECIAL_FLOATS, Tape};

mod record;

/// One pass with all its draws.
#[derive(Clone, Debug)]
pub struct Pass {
    size: [u32; 2],
    samples: u32,
    colors: Vec<Option<Color>>,
    depth: Option<Depth>,
    draws: Vec<Draw>,
    /// The draws from here on are in a second pass, which loads what the first stored.
    second_from: usize,
    /// Targets are a mip level, a layer or a slice of a larger texture.
    place: Place,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Whole,
    Level,
    Layer,
    Slice,
}

#[derive(Clone, Debug)]
struct Color {
    format: Tf,
    /// The texture's own, where it differs from the view's.
    stored_as: Tf,
    clear: [f64; 4],
    resolve: bool,
}

#[derive(Clone, Debug)]
struct Depth {
    format: Tf,
    depth: f32,
    stencil: u32,
}

#[derive(Clone, Debug)]
struct Draw {
    wgsl: String,
    primitive: wgpu::PrimitiveState,
    depth_stencil: Option<wgpu::DepthStencilState>,
    multisample: wgpu::MultisampleState,
    targets: Vec<Option<wgpu::ColorTargetState>>,
    has_fragment: bool,
    buffers: Vec<VertexData>,
    index: Option<(wgpu::IndexFormat, Vec<u32>)>,
    viewport: Option<[f32; 6]>,
    scissor: Option<[u32; 4]>,
    blend_constant: [f64; 4],
    stencil_reference: u32,
    occlusion: bool,
    /// The fragment stage writes what it sees into a buffer, in order.
    logs: bool,
    /// Indices of the buffer before those that are bound.
    index_offset: usize,
    /// Vertices or indices: first and count; instances: first and count; base vertex.
    range: ([u32; 2], [u32; 2], i32),
    indirect: bool,
}

#[derive(Clone, Debug)]
struct VertexData {
    stride: u64,
    step: wgpu::VertexStepMode,
    attributes: Vec<wgpu::VertexAttribute>,
    words: Vec<u32>,
    offset: u64,
}

const COLOR_FORMATS: [Tf; 28] = [
    Tf::Rgba8Unorm,
    Tf::Rgba32Float,
    Tf::R8Unorm,
    Tf::Rg8Unorm,
    Tf::Rgba8UnormSrgb,
    Tf::Bgra8Unorm,
    Tf::Bgra8UnormSrgb,
    Tf::Rgb10a2Unorm,
    Tf::Rg11b10Ufloat,
    Tf::R16Float,
    Tf::Rg16Float,
    Tf::Rgba16Float,
    Tf::R32Float,
    Tf::Rg32Float,
    Tf::R16Unorm,
    Tf::Rgba16Unorm,
    Tf::Rgba16Snorm,
    Tf::R8Uint,
    Tf::R8Sint,
    Tf::Rgba8Uint,
    Tf::Rgba8Sint,
    Tf::Rgb10a2Uint,
    Tf::Rg16Sint,
    Tf::Rgba16Uint,
    Tf::R32Uint,
    Tf::R32Sint,
    Tf::Rg32Uint,
    Tf::Rgba32Sint,
];
const DEPTH_FORMATS: [Tf; 6] = [
    Tf::Depth32Float,
    Tf::Depth24Plus,
    Tf::Depth16Unorm,
    Tf::Depth24PlusStencil8,
    Tf::Depth32FloatStencil8,
    Tf::Stencil8,
];
const COMPARES: [Cf; 8] =
    [Cf::Always, Cf::Less, Cf::LessEqual, Cf::Greater, Cf::GreaterEqual, Cf::Equal, Cf::NotEqual, Cf::Never];
const FACTORS: [Bf; 13] = [
    Bf::One,
    Bf::Zero,
    Bf::Src,
    Bf::OneMinusSrc,
    Bf::SrcAlpha,
    Bf::OneMinusSrcAlpha,
    Bf::Dst,
    Bf::OneMinusDst,
    Bf::DstAlpha,
    Bf::OneMinusDstAlpha,
    Bf::SrcAlphaSaturated,
    Bf::Constant,
    Bf::OneMinusConstant,
];
const SECOND_FACTORS: [Bf; 4] = [Bf::Src1, Bf::OneMinusSrc1, Bf::Src1Alpha, Bf::OneMinusSrc1Alpha];
const STENCIL_OPERATIONS: [So; 8] = [
    So::Keep,
    So::Replace,
    So::IncrementClamp,
    So::DecrementClamp,
    So::Zero,
    So::Invert,
    So::IncrementWrap,
    So::DecrementWrap,
];
const FLOAT_ATTRIBUTES: [wgpu::VertexFormat; 26] = {
    use wgpu::VertexFormat::*;
    [
        Float32x4,
        Float32x3,
        Float32x2,
        Float32,
        Unorm8x4,
        Unorm8x2,
        Unorm8,
        Snorm8x4,
        Snorm8x2,
        Snorm8,
        Unorm16x4,
        Unorm16x2,
        Unorm16,
        Snorm16x4,
        Snorm16x2,
        Snorm16,
        Float16x4,
        Float16x2,
        Float16,
        Unorm10_10_10_2,
        Unorm8x4Bgra,
        Float32x4,
        Float32x4,
        Float32x3,
        Unorm8x4,
        Float16x4,
    ]
};
const UINT_ATTRIBUTES: [wgpu::VertexFormat; 10] = {
    use wgpu::VertexFormat::*;
    [Uint32x4, Uint32x3, Uint32x2, Uint32, Uint8x4, Uint8x2, Uint8, Uint16x4, Uint16x2, Uint16]
};
const SINT_ATTRIBUTES: [wgpu::VertexFormat; 10] = {
    use wgpu::VertexFormat::*;
    [Sint32x4, Sint32x3, Sint32x2, Sint32, Sint8x4, Sint8x2, Sint8, Sint16x4, Sint16x2, Sint16]
};

/// "f32", "i32" or "u32": what a fragment stage gives for a format.
pub fn sample_kind(format: Tf) -> &'static str {
    match format.sample_type(None, None) {
        Some(wgpu::TextureSampleType::Uint) => "u32",
        Some(wgpu::TextureSampleType::Sint) => "i32",
        _ => "f32",
    }
}

/// A coordinate of a clip position: near the view most of the time.
fn coordinate(tape: &mut Tape<'_>) -> f32 {
    let word = tape.word();
    match word & 31 {
        0..=17 => (word >> 8) as f32 / (1 << 23) as f32 - 1.0,
        18..=21 => [0.0, 1.0, -1.0, 0.5][(word >> 8) as usize & 3],
        22..=25 => ((word >> 8) as f32 / (1 << 23) as f32 - 1.0) * 3.0,
        // Pixel centres and corners of small targets.
        26 | 27 => ((word >> 8 & 63) as f32 / 32.0) - 1.0,
        28 => ((word >> 8) as f32 / (1 << 23) as f32 - 1.0) * 300.0,
        29 => ((word >> 8) as f32 / (1 << 23) as f32 - 1.0) * 1e6,
        30 if word & 0x700 == 0 => SPECIAL_FLOATS[(word >> 12) as usize % SPECIAL_FLOATS.len()],
        _ => (word >> 8) as f32 / (1 << 24) as f32,
    }
}

fn position(tape: &mut Tape<'_>) -> [f32; 4] {
    let (x, y) = (coordinate(tape), coordinate(tape));
    let word = tape.word();
    let z = match word & 15 {
        0..=11 => (word >> 8) as f32 / (1 << 24) as f32,
        12 => 0.0,
        13 => 1.0,
        _ => (word >> 8) as f32 / (1 << 23) as f32 - 0.5,
    };
    let w = match word >> 4 & 15 {
        0..=9 => return [x, y, z, 1.0],
        10 | 11 => 0.25 + (word >> 20) as f32 / 1024.0,
        12 => 0.001,
        13 => -0.5,
        14 => 0.0,
        _ => 100.0,
    };
    if word & 0x10000 == 0 { [x * w, y * w, z * w, w] } else { [x, y, z, w] }
}

impl Pass {
    pub fn from_tape(words: &[u32]) -> Pass {
        let t = &mut Tape::new(words);
        let size = t.pick(&[[8, 8], [16, 16], [1, 1], [7, 13], [33, 9], [70, 5], [67, 66]]);
        let samples = t.pick(&[1, 1, 4]);
        let features = wgpu::Features::all();
        let mut colors = vec![];
        let mut bytes = 0;
        for _ in 0..t.pick(&[1, 1, 2, 0, 3, 1, 6]) {
            let format = t.pick(&COLOR_FORMATS);
            let flags = format.guaranteed_format_features(features);
            let usable = flags.allowed_usages.contains(wgpu::TextureUsages::RENDER_ATTACHMENT)
                && (samples == 1 || flags.flags.contains(wgpu::TextureFormatFeatureFlags::MULTISAMPLE_X4));
            bytes += format.target_pixel_byte_cost().unwrap_or(16).next_multiple_of(4);
            let clear = std::array::from_fn(|_| t.float() as f64);
            let resolve = samples == 4
                && flags.flags.contains(wgpu::TextureFormatFeatureFlags::MULTISAMPLE_RESOLVE)
                && t.chance(70);
            let (plain, srgb) = (format.remove_srgb_suffix(), format.add_srgb_suffix());
            let stored_as = if t.chance(15) { if format == plain { srgb } else { plain } } else { format };
            colors.push((usable && bytes <= 128).then_some(Color { format, stored_as, clear, resolve }));
        }
        if colors.iter().all(Option::is_none) {
            colors.clear();
        }
        let wanted = t.chance(60) || colors.iter().all(Option::is_none);
        let depth = wanted.then(|| Depth {
            format: t.pick(&DEPTH_FORMATS),
            depth: t.pick(&[1.0, 0.0, 0.5]),
            stencil: t.pick(&[0, 1, 255, 0x55]),
        });
        let draws: Vec<Draw> =
            (0..1 + t.below(3)).map(|_| Draw::from_tape(t, size, samples, &colors, depth.as_ref())).collect();
        let second_from = if t.chance(30) { t.below(draws.len() + 1) } else { draws.len() };
        let mut place = Place::Whole;
        if samples == 1 && t.chance(30) {
            place = t.pick(&[Place::Level, Place::Layer, Place::Slice]);
        }
        Pass { size, samples, colors, depth, draws, second_from, place }
    }
}

/// One vertex of buffer 0.
fn vertex_words(t: &mut Tape<'_>, format: wgpu::VertexFormat, pad: u64, words: &mut Vec<u32>) {
    words.extend(position(t).map(f32::to_bits));
    words.extend((0..(format.size().next_multiple_of(4) + pad) / 4).map(|_| {
        let float = t.float();
        match t.word() {
            _ if format!("{format:?}").starts_with("Float32") => float.to_bits(),
            // The ends of what bytes and halves hold.
            word if word % 8 == 1 => 0x80FF_7F00u32.rotate_left(word >> 3 & 24) ^ (word >> 9 & 0x0001_0001),
            word => word,
        }
    }));
}

fn index_word(t: &mut Tape<'_>, strip: bool, vertex_count: u32) -> u32 {
    match t.word() {
        word if strip && word % 100 >= 85 => u32::MAX,
        // Outside of the vertices, where nothing but zeros is read.
        word if word % 100 == 50 => word >> 8,
        word => (word >> 8) % vertex_count,
    }
}

impl Draw {
    fn from_tape(
        t: &mut Tape<'_>,
        size: [u32; 2],
        samples: u32,
        colors: &[Option<Color>],
        depth: Option<&Depth>,
    ) -> Draw {
        use wgpu::PrimitiveTopology as Pt;
        let topology = t.pick(&[
            Pt::TriangleList,
            Pt::TriangleList,
            Pt::TriangleList,
            Pt::TriangleStrip,
            Pt::LineList,
            Pt::LineStrip,
            Pt::PointList,
        ]);
        let indexed = t.chance(40);
        let index_format = t.pick(&[wgpu::IndexFormat::Uint16, wgpu::IndexFormat::Uint32]);
        let primitive = wgpu::PrimitiveState {
            topology,
            strip_index_format: (topology.is_strip() && indexed).then_some(index_format),
            front_face: t.pick(&[wgpu::FrontFace::Ccw, wgpu::FrontFace::Cw]),
            cull_mode: t.pick(&[None, None, Some(wgpu::Face::Back), Some(wgpu::Face::Front)]),
            unclipped_depth: t.chance(20),
            ..Default::default()
        };
        let depth_stencil = depth.map(|d| depth_stencil(t, d.format, topology.is_triangles()));
        let first_alpha = colors.first().and_then(Option::as_ref).is_some_and(|c| {
            let blendable = c.format.guaranteed_format_features(wgpu::Features::all()).flags;
            c.format.components() == 4 && blendable.contains(wgpu::TextureFormatFeatureFlags::BLENDABLE)
        });
        let mut multisample = wgpu::MultisampleState { count: samples, ..Default::default() };
        if t.chance(20) {
            multisample.mask = t.pick(&[0b1010, 0b0101, 0b0111, 0, 0b1000]);
        }
        let writes_mask = t.chance(15);
        multisample.alpha_to_coverage_enabled = samples == 4 && first_alpha && !writes_mask && t.chance(40);
        let dual =
            colors.len() == 1 && colors[0].as_ref().is_some_and(|c| sample_kind(c.format) == "f32") && t.chance(25);
        let targets: Vec<Option<wgpu::ColorTargetState>> =
            colors.iter().map(|color| color.as_ref().map(|color| color_target(t, color.format, dual))).collect();
        let has_fragment = !colors.iter().all(Option::is_none) || t.chance(60);
        let stencil_only = depth.is_some_and(|d| d.format == Tf::Stencil8);
        let writes_depth = depth.is_some() && !stencil_only && t.chance(20);
        let float_format = t.pick(&FLOAT_ATTRIBUTES);
        let uint_format = t.pick(&UINT_ATTRIBUTES);
        let sint_format = t.pick(&SINT_ATTRIBUTES);
        let logs = has_fragment && t.chance(12);
        let options = Options { dual, writes_depth, writes_mask, samples, logs };
        let wgsl = shader(t, colors, &options);

        // Many vertices, more than a chunk of the fast path takes, only where they do not mean many pixels.
        let small = size[0] * size[1] <= 64;
        let many = if small { [700, 3500] } else { [60, 20] };
        let vertex_count = 1 + t.below(9) as u32 + t.pick(&[0, 0, 0, 0, 30, 0, 0, many[0], 0, 0, 0, many[1]]);
        let instances = t.pick(&[1, 1, 1, 2, 3]);
        let first_instance = if t.chance(20) { t.below(3) as u32 } else { 0 };
        let first = if t.chance(20) { t.below(4) as u32 } else { 0 };
        let base = if indexed && t.chance(30) { t.below(5) as i32 - 2 } else { 0 };
        let stored = first + vertex_count + base.max(0) as u32;
        // Buffer 0: positions and the float attribute side by side; buffer 1: the integers, perhaps by instance.
        // Few choices are left on the tape for many vertices: they come from a noise.
        let noise = crate::textures::noise(t.word(), if vertex_count > 50 { 40_000 } else { 0 });
        let mut far = Tape::new(&noise);
        let pad = t.pick(&[0, 4, 8]);
        let float_bytes = float_format.size().next_multiple_of(4);
        let stride = 16 + float_bytes + pad;
        let mut words = vec![];
        for i in 0..stored {
            if i < 50 || noise.is_empty() {
                vertex_words(t, float_format, pad, &mut words);
            } else {
                vertex_words(&mut far, float_format, pad, &mut words);
            }
        }
        let zero = VertexData {
            stride,
            step: wgpu::VertexStepMode::Vertex,
            attributes: vec![
                wgpu::VertexAttribute { format: wgpu::VertexFormat::Float32x4, offset: 0, shader_location: 0 },
                wgpu::VertexAttribute { format: float_format, offset: 16, shader_location: 1 },
            ],
            words,
            offset: 0,
        };
        let by_instance = t.chance(40);
        let (u, i) = (uint_format.size().next_multiple_of(4), sint_format.size().next_multiple_of(4));
        let count = if by_instance { first_instance + instances } else { stored };
        let offset = t.pick(&[0u64, 4, 16]);
        let words = (0..(offset + (u + i) * count as u64) / 4).map(|_| t.bits()).collect();
        let one = VertexData {
            stride: if t.chance(10) { 0 } else { u + i },
            step: if by_instance { wgpu::VertexStepMode::Instance } else { wgpu::VertexStepMode::Vertex },
            attributes: vec![
                wgpu::VertexAttribute { format: uint_format, offset: 0, shader_location: 2 },
                wgpu::VertexAttribute { format: sint_format, offset: u, shader_location: 3 },
            ],
            words,
            offset,
        };
        let index_offset = if indexed && t.chance(20) { 2 * t.below(4) } else { 0 };
        let index = indexed.then(|| {
            let strip = primitive.topology.is_strip();
            let list = (0..index_offset as u32 + first + vertex_count).map(|_| match noise.is_empty() {
                true => index_word(t, strip, vertex_count),
                false => index_word(&mut far, strip, vertex_count),
            });
            (index_format, list.collect())
        });
        let (width, height) = (size[0] as f32, size[1] as f32);
        let viewport = t.chance(35).then(|| {
            let shift = |t: &mut Tape<'_>, by: f32| (t.below(17) as f32 / 8.0 - 1.0) * by;
            let (low, high) = t.pick(&[(0.0, 1.0), (0.25, 0.75), (0.5, 0.5), (0.0, 0.1)]);
            let scale = t.pick(&[1.0, 0.5, 2.0, 0.37]);
            [shift(t, width), shift(t, height), width * scale, height * t.pick(&[1.0, 0.5, 1.7]), low, high]
        });
        let scissor = t.chance(30).then(|| {
            let (x, y) = (t.below(size[0] as usize + 1) as u32, t.below(size[1] as usize + 1) as u32);
            [x, y, t.below((size[0] - x) as usize + 1) as u32, t.below((size[1] - y) as usize + 1) as u32]
        });
        Draw {
            wgsl,
            primitive,
            depth_stencil,
            multisample,
            targets,
            has_fragment,
            buffers: vec![zero, one],
            index,
            viewport,
            scissor,
            blend_constant: std::array::from_fn(|_| t.float() as f64),
            stencil_reference: t.pick(&[0, 1, 0x55, 0xFF, 0x1FF]),
            occlusion: t.chance(30),
            logs,
            index_offset,
            range: ([first, vertex_count], [first_instance, instances], base),
            indirect: t.chance(20),
        }
    }
}

fn depth_stencil(t: &mut Tape<'_>, format: Tf, triangles: bool) -> wgpu::DepthStencilState {
    let has_depth = format != Tf::Stencil8;
    let face = |t: &mut Tape<'_>| wgpu::StencilFaceState {
        compare: t.pick(&COMPARES),
        fail_op: t.pick(&STENCIL_OPERATIONS),
        depth_fail_op: if has_depth { t.pick(&STENCIL_OPERATIONS) } else { So::Keep },
        pass_op: t.pick(&STENCIL_OPERATIONS),
    };
    let mut stencil = wgpu::StencilState::default();
    if format.has_stencil_aspect() && t.chance(80) {
        stencil = wgpu::StencilState {
            front: face(t),
            back: face(t),
            read_mask: t.pick(&[0xFF, 0x0F, 0, 0x1AA]),
            write_mask: t.pick(&[0xFF, 0x0F, 0, 0x1AA]),
        };
    }
    let mut bias = wgpu::DepthBiasState::default();
    if has_depth && triangles && t.chance(30) {
        bias = wgpu::DepthBiasState {
            constant: t.pick(&[0, 1, -3, 100_000, -700_000]),
            slope_scale: t.pick(&[0.0, 1.0, -2.5]),
            clamp: t.pick(&[0.0, 0.01, -0.01]),
        };
    }
    wgpu::DepthStencilState {
        format,
        depth_write_enabled: has_depth.then(|| !t.chance(30)),
        depth_compare: has_depth.then(|| {
            t.pick(&[
                Cf::Always,
                Cf::Less,
                Cf::LessEqual,
                Cf::Greater,
                Cf::GreaterEqual,
                Cf::Equal,
                Cf::NotEqual,
                Cf::Less,
            ])
        }),
        stencil,
        bias,
    }
}

fn color_target(t: &mut Tape<'_>, format: Tf, dual: bool) -> wgpu::ColorTargetState {
    let flags = format.guaranteed_format_features(wgpu::Features::all()).flags;
    let blendable = flags.contains(wgpu::TextureFormatFeatureFlags::BLENDABLE) && sample_kind(format) == "f32";
    let component = |t: &mut Tape<'_>| {
        let factor = |t: &mut Tape<'_>| if dual && t.chance(60) { t.pick(&SECOND_FACTORS) } else { t.pick(&FACTORS) };
        let operation = t.pick(&[Bo::Add, Bo::Add, Bo::Subtract, Bo::ReverseSubtract, Bo::Min, Bo::Max]);
        match operation {
            Bo::Min | Bo::Max => wgpu::BlendComponent { src_factor: Bf::One, dst_factor: Bf::One, operation },
            _ => wgpu::BlendComponent { src_factor: factor(t), dst_factor: factor(t), operation },
        }
    };
    let usual = [
        wgpu::BlendState::ALPHA_BLENDING,
        wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING,
        wgpu::BlendState { color: wgpu::BlendComponent::OVER, alpha: wgpu::BlendComponent::REPLACE },
        wgpu::BlendState::REPLACE,
    ];
    let blend = (blendable && t.chance(if dual { 100 } else { 60 })).then(|| match !dual && t.chance(25) {
        true => t.pick(&usual),
        false => wgpu::BlendState { color: component(t), alpha: component(t) },
    });
    let write_mask =
        if t.chance(25) { wgpu::ColorWrites::from_bits_truncate(t.word()) } else { wgpu::ColorWrites::ALL };
    wgpu::ColorTargetState { format, blend, write_mask }
}

struct Options {
    dual: bool,
    writes_depth: bool,
    writes_mask: bool,
    samples: u32,
    logs: bool,
}

/// The text of both stages.
fn shader(t: &mut Tape<'_>, colors: &[Option<Color>], options: &Options) -> String {
    let mut s = String::new();
    if options.dual {
        s += "enable dual_source_blending;\n";
    }
    let primitive = crate::device::features().contains(wgpu::Features::PRIMITIVE_INDEX) && t.chance(25);
    if primitive {
        s += "enable primitive_index;\n";
    }
    if options.logs {
        s += "@group(0) @binding(0) var<storage, read_write> log: array<atomic<u32>, 32>;\n";
    }
    let sampling = t.pick(&["center", "center", "centroid", if options.samples == 4 { "sample" } else { "center" }]);
    let flat = t.pick(&["first", "either"]);
    let _ = write!(
        s,
        "struct Vary {{
    @builtin(position) position: vec4<f32>,
    @location(0) @interpolate(perspective, {sampling}) a: vec4<f32>,
    @location(1) @interpolate(linear, center) b: vec3<f32>,
    @location(2) @interpolate(flat, {flat}) c: vec4<u32>,
    @location(3) @interpolate(flat, {flat}) d: vec2<i32>,
    @location(4) @interpolate(linear, centroid) e: f32,
}}
@vertex fn vertex(@location(0) position: vec4<f32>, @location(1) a: vec4<f32>, @location(2) c: vec4<u32>, @location(3) d: vec4<i32>,
        @builtin(vertex_index) vertex_index: u32, @builtin(instance_index) instance_index: u32) -> Vary {{
    var at = position;
    at.x = at.x + f32(instance_index) * 0.125 * at.w;
    return Vary(at, a, a.yzw * 0.5 + position.xyz, c ^ vec4<u32>(vertex_index, instance_index, 0u, 0u), d.xw, a.x - 0.25);
}}
"
    );
    let mut outputs = String::new();
    let mut values = vec![];
    for (location, color) in colors.iter().enumerate() {
        let Some(color) = color else { continue };
        let kind = sample_kind(color.format);
        let second = if options.dual { " @blend_src(0)" } else { "" };
        let _ = writeln!(outputs, "    @location({location}){second} o{location}: vec4<{kind}>,");
        let float = t.pick(&[
            "in.a",
            "vec4<f32>(in.b, 0.5)",
            "in.a * 0.25 + vec4<f32>(in.e)",
            "vec4<f32>(in.position.xy * 0.1, in.position.z, f32(front))",
            "vec4<f32>(in.c & vec4<u32>(255u)) / 255.0",
            "vec4<f32>(dpdx(in.a.x), dpdyFine(in.b.y), fwidth(in.e), in.position.w)",
            "vec4<f32>(0.25, 0.5, 0.75, in.e)",
        ]);
        values.push(match kind {
            "u32" => t.pick(&["in.c", "bitcast<vec4<u32>>(in.a)", "vec4<u32>(in.c.x, u32(front), 7u, 0u)"]).to_string(),
            "i32" => t.pick(&["vec4<i32>(in.d, in.d.yx)", "bitcast<vec4<i32>>(in.a)"]).to_string(),
            _ => float.to_string(),
        });
        if options.dual {
            outputs += "    @location(0) @blend_src(1) second: vec4<f32>,\n";
            values.push("vec4<f32>(in.b.zyx, in.e)".into());
        }
    }
    if options.writes_depth {
        outputs += "    @builtin(frag_depth) depth: f32,\n";
        values.push(t.pick(&["in.a.x", "in.position.z * 0.5", "in.e"]).into());
    }
    if options.writes_mask {
        outputs += "    @builtin(sample_mask) mask: u32,\n";
        values.push("in.c.y".into());
    }
    let mut inputs = "in: Vary, @builtin(front_facing) front: bool".to_string();
    if t.chance(if options.samples == 4 { 20 } else { 5 }) {
        inputs += ", @builtin(sample_index) sample: u32";
        if let Some(value) = values.first_mut()
            && colors.first().is_some_and(|c| c.as_ref().is_some_and(|c| sample_kind(c.format) == "f32"))
        {
            *value = format!("({value}) + vec4<f32>(f32(sample)) * 0.125");
        }
    }
    if t.chance(if options.samples == 4 { 20 } else { 5 }) {
        inputs += ", @builtin(sample_mask) covered: u32";
        if let Some(value) = values.first_mut()
            && colors.first().is_some_and(|c| c.as_ref().is_some_and(|c| sample_kind(c.format) == "f32"))
        {
            *value = format!("({value}) * (f32(covered) / 15.0)");
        }
    }
    if primitive {
        inputs += ", @builtin(primitive_index) primitive: u32";
        if let Some(value) = values.first_mut()
            && colors.first().is_some_and(|c| c.as_ref().is_some_and(|c| sample_kind(c.format) == "f32"))
        {
            *value = format!("({value}) + vec4<f32>(f32(primitive % 5u)) * 0.25");
        }
    }
    let early = crate::device::features().contains(wgpu::Features::SHADER_EARLY_DEPTH_TEST)
        && !options.writes_depth
        && t.chance(15);
    let early = if early { "@early_depth_test(force) " } else { "" };
    let log = match options.logs {
        true => {
            "let slot = atomicAdd(&log[0], 1u);
    atomicXor(&log[1u + slot % 31u], slot * 747796405u ^ bitcast<u32>(in.a.x) ^ in.c.x ^ u32(in.position.x) * 64u);"
        }
        false => "",
    };
    let discard =
        t.pick(&["", "", "if (fract(in.b.x * 3.0) < 0.4) { discard; }", "if (in.c.x % 3u == 1u) { discard; }"]);
    let result = if values.is_empty() {
        String::new()
    } else {
        let _ = writeln!(s, "struct Out {{\n{outputs}}}");
        " -> Out".into()
    };
    let _ = writeln!(s, "{early}@fragment fn fragment({inputs}){result} {{\n    {discard}\n    {log}");
    if !values.is_empty() {
        let _ = writeln!(s, "    return Out({});", values.join(", "));
    }
    s += "}\n";
    s
}

proptest! {
    #![proptest_config(tape::cases(300))]

    #[test]
    fn draws(words in tape::tapes(900)) {
        tape::judge(&words, |words| Pass::from_tape(words).agreed())?;
    }
}

/// The simplest pass, four samples if asked, drawing one triangle over everything with this fragment stage.
fn covering(samples: u32, fragment: &str) -> Pass {
    let mut pass = Pass::from_tape(&[]);
    let draw = &mut pass.draws[0];
    (pass.samples, draw.multisample.count, draw.range) = (samples, samples, ([0, 3], [0, 1], 0));
    draw.buffers.clear();
    draw.wgsl = format!(
        "@vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {{
    return vec4<f32>(f32(i & 1u) * 4.0 - 1.0, f32(i & 2u) * 2.0 - 1.0, 0.0, 1.0);
}}
{fragment}"
    );
    pass
}

#[test]
fn a_sample_index_that_nobody_reads_still_shades_by_the_sample() {
    let pass = covering(
        4,
        "@fragment fn fragment(@builtin(position) at: vec4<f32>, @builtin(sample_index) sample: u32) -> @location(0) vec4<f32> {
    return vec4<f32>(fract(at.xy), 0.0, 1.0);
}",
    );
    let results = pass.agreed().expect("all agree");
    let (_, words) = results.iter().find(|(name, _)| name == "color 0").expect("the target");
    let reds: Vec<f32> = words.chunks(4).take(4).map(|texel| f32::from_bits(texel[0])).collect();
    let at_samples = [96.0 / 255.0, 223.0 / 255.0, 32.0 / 255.0, 159.0 / 255.0];
    assert_eq!(reds, at_samples, "x of the four sample positions");
}
