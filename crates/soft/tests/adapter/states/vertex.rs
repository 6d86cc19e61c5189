//! Vertices: how buffers are stepped through, and every format of an attribute.

use stillframe_soft::wgpu;
use wgpu::VertexFormat as F;

use super::super::raster::stage::*;
use super::{Row, Rule, every, row, ruled};

/// Bytes of which every format makes something else, and none a NaN.
const BYTES: [u8; 16] =
    [0x81, 0x3C, 0x92, 0x3E, 0x13, 0x3B, 0xA4, 0x3F, 0x55, 0xC0, 0x66, 0x40, 0x27, 0xBF, 0x78, 0xC1];

/// What a shader reads, as it is, in a picture of the same kind.
fn read(gpu: &Gpu, attribute: F, kind: Kind) -> Picture {
    let (scalar, format) = match kind {
        Kind::Float => ("f", wgpu::TextureFormat::Rgba32Float),
        Kind::Uint => ("u", wgpu::TextureFormat::Rgba32Uint),
        Kind::Sint => ("i", wgpu::TextureFormat::Rgba32Sint),
    };
    let wgsl = format!(
        "struct V {{ @builtin(position) p: vec4f, @location(0) @interpolate(flat) v: vec4{scalar} }}
        @vertex fn vs(@builtin(vertex_index) i: u32, @location(0) v: vec4{scalar}) -> V {{
            return V(vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.5, 1.0), v);
        }}
        @fragment fn fs(v: V) -> @location(0) vec4{scalar} {{ return v.v; }}"
    );
    let words = BYTES.as_chunks::<4>().0;
    let vertex = std::array::from_fn(|k| f32::from_le_bytes(words[k % 4]));
    let attributes = vec![wgpu::VertexAttribute { format: attribute, offset: 0, shader_location: 0 }];
    let layout = Layout { stride: 32, step_mode: wgpu::VertexStepMode::Instance, attributes };
    let step = Step { vertices: vec![vertex; 3], layout, ..Step::default() };
    draw_on(gpu, &Case { wgsl: &wgsl, formats: vec![format], steps: vec![step], ..Case::default() })
}

/// What a shader sees of a format.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Float,
    Uint,
    Sint,
}

fn formats(kind: Kind) -> Vec<(F, Rule)> {
    let all = every!(VertexFormat:
        Uint8 Uint8x2 Uint8x4 Sint8 Sint8x2 Sint8x4 Unorm8 Unorm8x2 Unorm8x4 Snorm8 Snorm8x2 Snorm8x4
        Uint16 Uint16x2 Uint16x4 Sint16 Sint16x2 Sint16x4 Unorm16 Unorm16x2 Unorm16x4 Snorm16 Snorm16x2 Snorm16x4
        Float16 Float16x2 Float16x4 Float32 Float32x2 Float32x3 Float32x4 Uint32 Uint32x2 Uint32x3 Uint32x4
        Sint32 Sint32x2 Sint32x3 Sint32x4 Float64 Float64x2 Float64x3 Float64x4 Unorm10_10_10_2 Unorm8x4Bgra);
    let of = |format: F| match format!("{format:?}").as_bytes()[0] {
        b'U' if !format!("{format:?}").starts_with("Unorm") => Kind::Uint,
        b'S' if !format!("{format:?}").starts_with("Snorm") => Kind::Sint,
        _ => Kind::Float,
    };
    let is_wide = |format| matches!(format, F::Float64 | F::Float64x2 | F::Float64x3 | F::Float64x4);
    let wide = Rule::With(wgpu::Features::VERTEX_ATTRIBUTE_64BIT);
    let rule = |format| (format, if is_wide(format) { wide } else { Rule::Always });
    all.into_iter().filter(|format| of(*format) == kind).map(rule).collect()
}

pub fn rows() -> Vec<Row> {
    // Strides of up to two vertices stay inside.
    let with = |gpu: &Gpu, layout| {
        let points = [(1.0, 2.0), (14.0, 1.0), (3.0, 13.0), (15.0, 15.0), (9.0, 2.0), (6.0, 11.0)];
        let vertices = points.iter().cycle().take(12).enumerate().map(|(k, &(x, y))| {
            let part = k as f32 / 12.0;
            at(square(), x, y, 0.5, [part, 1.0 - part, 0.5, 1.0])
        });
        let indices = Some((0..6).collect());
        let steps = vec![Step { vertices: vertices.collect(), indices, layout, ..Step::default() }];
        draw_on(gpu, &Case { steps, ..Case::default() })
    };
    let attribute = |offset, shader_location| wgpu::VertexAttribute { format: F::Float32x4, offset, shader_location };
    vec![
        row("buffer.array_stride", [32, 36, 64], move |gpu, &stride| with(gpu, Layout { stride, ..Layout::default() })),
        row("buffer.step_mode", every!(VertexStepMode: Vertex Instance), move |gpu, &step_mode| {
            // A shape for each instance: a position for all of its vertices is none.
            with(gpu, Layout { step_mode, ..Layout::default() })
        }),
        ruled("attribute.format (floats)", formats(Kind::Float), |gpu, &format| read(gpu, format, Kind::Float)),
        ruled("attribute.format (unsigned)", formats(Kind::Uint), |gpu, &format| read(gpu, format, Kind::Uint)),
        ruled("attribute.format (signed)", formats(Kind::Sint), |gpu, &format| read(gpu, format, Kind::Sint)),
        row("attribute.offset", [16, 12, 0], move |gpu, &offset| {
            with(gpu, Layout { attributes: vec![attribute(0, 0), attribute(offset, 1)], ..Layout::default() })
        }),
        row("attribute.shader_location", [[0, 1], [1, 0]], move |gpu, &[first, second]| {
            let attributes = vec![attribute(0, first), attribute(16, second)];
            with(gpu, Layout { attributes, ..Layout::default() })
        }),
    ]
}
