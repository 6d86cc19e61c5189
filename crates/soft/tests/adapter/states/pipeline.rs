//! Pipelines' own states: primitives, depth, samples, stages.

use stillframe_soft::wgpu;

use super::super::raster::stage::*;
use super::{Row, Rule, compares, every, row, ruled};

pub fn rows(adapter: &wgpu::Adapter) -> Vec<Row> {
    let mut rows = primitives();
    rows.extend(depths());
    rows.extend(samples(adapter));
    rows.extend(stages());
    rows
}

fn one_on(gpu: &Gpu, step: Step) -> Picture {
    draw_on(gpu, &Case { steps: vec![step], ..Case::default() })
}

/// A triangle that turns counter-clockwise and one that turns clockwise.
fn two_ways() -> Vec<[f32; 8]> {
    shape(&[(1.0, 1.0), (1.0, 9.0), (7.0, 1.0), (9.0, 1.0), (15.0, 1.0), (9.0, 12.0)])
}

fn primitives() -> Vec<Row> {
    use wgpu::IndexFormat::{Uint16, Uint32};
    let points = || shape(&[(2.5, 2.5), (13.5, 3.5), (4.5, 12.5), (12.5, 13.5), (8.5, 5.5), (3.5, 8.5)]);
    let primitive = wgpu::PrimitiveState::default;
    let strip = move |strip_index_format, index_format, indices: &[u32]| Step {
        vertices: points(),
        indices: Some(indices.to_vec()),
        index_format,
        primitive: wgpu::PrimitiveState {
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            strip_index_format,
            ..primitive()
        },
        ..Step::default()
    };
    let formats = [(Some(Uint16), Uint16), (Some(Uint32), Uint32), (None, Uint32), (Some(Uint16), Uint32)];
    // wgpu refuses strips with indices of another format than the pipeline's.
    let formats = formats.map(|(of_pipeline, of_buffer)| {
        ((of_pipeline, of_buffer), if of_pipeline == Some(of_buffer) { Rule::Always } else { Rule::If(false) })
    });
    let modes = every!(PolygonMode: Fill Line Point).map(|mode| {
        let rule = match mode {
            wgpu::PolygonMode::Fill => Rule::Always,
            wgpu::PolygonMode::Line => Rule::With(wgpu::Features::POLYGON_MODE_LINE),
            wgpu::PolygonMode::Point => Rule::With(wgpu::Features::POLYGON_MODE_POINT),
        };
        (mode, rule)
    });
    vec![
        row(
            "primitive.topology",
            every!(PrimitiveTopology: PointList LineList LineStrip TriangleList TriangleStrip),
            move |gpu, &is| one_on(gpu, Step { vertices: points(), primitive: topology(is), ..Step::default() }),
        ),
        ruled("primitive.strip_index_format", formats, move |gpu, &(of_pipeline, of_buffer)| {
            one_on(gpu, strip(of_pipeline, of_buffer, &[1, 2, 3, 4]))
        }),
        row("primitive.strip_index_format (restart)", [u32::MAX, 3], move |gpu, &middle| {
            one_on(gpu, strip(Some(Uint32), Uint32, &[0, 1, 2, middle, 3, 4, 5]))
        }),
        row("primitive.front_face", every!(FrontFace: Ccw Cw), move |gpu, &front_face| {
            let primitive = wgpu::PrimitiveState { front_face, cull_mode: Some(wgpu::Face::Back), ..primitive() };
            one_on(gpu, Step { vertices: two_ways(), primitive, ..Step::default() })
        }),
        row("primitive.cull_mode", [None, Some(wgpu::Face::Front), Some(wgpu::Face::Back)], move |gpu, &cull_mode| {
            let primitive = wgpu::PrimitiveState { cull_mode, ..primitive() };
            one_on(gpu, Step { vertices: two_ways(), primitive, ..Step::default() })
        }),
        ruled("primitive.polygon_mode", modes, move |gpu, &polygon_mode| {
            let primitive = wgpu::PrimitiveState { polygon_mode, ..primitive() };
            one_on(gpu, Step { vertices: two_ways(), primitive, ..Step::default() })
        }),
        ruled(
            "primitive.unclipped_depth",
            [(false, Rule::Always), (true, Rule::With(wgpu::Features::DEPTH_CLIP_CONTROL))],
            move |gpu, &unclipped_depth| {
                let beyond = |x, y, z| at(square(), x, y, z, WHITE);
                let vertices = vec![beyond(0.0, 0.0, 0.5), beyond(16.0, 0.0, 1.5), beyond(0.0, 16.0, -0.5)];
                let primitive = wgpu::PrimitiveState { unclipped_depth, ..primitive() };
                one_on(gpu, Step { vertices, primitive, ..Step::default() })
            },
        ),
        ruled(
            "primitive.conservative",
            [(false, Rule::Always), (true, Rule::With(wgpu::Features::CONSERVATIVE_RASTERIZATION))],
            move |gpu, &conservative| {
                let primitive = wgpu::PrimitiveState { conservative, ..primitive() };
                one_on(gpu, Step { vertices: two_ways(), primitive, ..Step::default() })
            },
        ),
    ]
}

const DEPTH: Option<wgpu::TextureFormat> = Some(wgpu::TextureFormat::Depth32Float);

fn depths() -> Vec<Row> {
    let less =
        |vertices| Step { vertices, compare: wgpu::CompareFunction::Less, writes_depth: true, ..Step::default() };
    // Depths after drawing a slope with a bias.
    let biased = |gpu: &Gpu, bias: wgpu::DepthBiasState| {
        let slope = |x, y, z| at(square(), x, y, z, WHITE);
        let vertices = vec![slope(0.0, 0.0, 0.2), slope(16.0, 0.0, 0.6), slope(0.0, 16.0, 0.3)];
        let step = Step { vertices, writes_depth: true, bias, ..Step::default() };
        let read = wgpu::TextureAspect::DepthOnly;
        draw_on(gpu, &Case { depth: DEPTH, read, steps: vec![step], ..Case::default() })
    };
    let none = wgpu::DepthBiasState::default;
    vec![
        row(
            "depth.format",
            [wgpu::TextureFormat::Depth16Unorm, wgpu::TextureFormat::Depth32Float],
            move |gpu, &format| {
                // Nearer by less than 16 bits can tell.
                let (red, green) = ([1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0]);
                let steps = vec![less(full(0.4, red)), less(full(0.399999, green))];
                draw_on(gpu, &Case { depth: Some(format), steps, ..Case::default() })
            },
        ),
        row("depth.depth_write_enabled", [false, true], move |gpu, &writes_depth| {
            let near = Step { writes_depth, ..less(full(0.3, WHITE)) };
            let steps = vec![near, less(full(0.6, [1.0, 0.0, 0.0, 1.0]))];
            draw_on(gpu, &Case { depth: DEPTH, steps, ..Case::default() })
        }),
        row("depth.depth_compare", compares(), move |gpu, &compare| {
            let column = |(k, z): (usize, f32)| Step {
                vertices: full(z, WHITE),
                compare,
                scissor: Some([k as u32 * 4, 0, 4, 16]),
                ..Step::default()
            };
            let steps = [0.25, 0.5, 0.75].into_iter().enumerate().map(column).collect();
            draw_on(gpu, &Case { depth: DEPTH, depth_clear: 0.5, steps, ..Case::default() })
        }),
        row("bias.constant", [0, 1 << 16, -(1 << 16)], move |gpu, &constant| {
            biased(gpu, wgpu::DepthBiasState { constant, ..none() })
        }),
        row("bias.slope_scale", [0.0, 1.5, -1.5], move |gpu, &slope_scale| {
            biased(gpu, wgpu::DepthBiasState { slope_scale, ..none() })
        }),
        row("bias.clamp", [0.0, 0.01], move |gpu, &clamp| {
            biased(gpu, wgpu::DepthBiasState { slope_scale: 1.5, clamp, ..none() })
        }),
        row("bias.clamp (downwards)", [0.0, -0.01], move |gpu, &clamp| {
            biased(gpu, wgpu::DepthBiasState { slope_scale: -1.5, clamp, ..none() })
        }),
    ]
}

fn samples(adapter: &wgpu::Adapter) -> Vec<Row> {
    let flags = adapter.get_texture_format_features(wgpu::TextureFormat::Rgba8Unorm).flags;
    let counts = [1, 2, 3, 4, 8, 16]
        .map(|count| (count, if count == 1 { Rule::Always } else { Rule::If(flags.sample_count_supported(count)) }));
    let edge = || shape(&[(1.3, 1.1), (14.7, 2.9), (3.1, 15.3)]);
    let on_four = |gpu: &Gpu, step| draw_on(gpu, &Case { samples: 4, steps: vec![step], ..Case::default() });
    vec![
        ruled("multisample.count", counts, move |gpu, &samples| {
            let steps = vec![Step { vertices: edge(), ..Step::default() }];
            draw_on(gpu, &Case { samples, steps, ..Case::default() })
        }),
        row("multisample.mask", [!0, 0, 1, 0b0111], move |gpu, &mask| {
            on_four(gpu, Step { vertices: full(0.5, WHITE), mask, ..Step::default() })
        }),
        row("multisample.alpha_to_coverage_enabled", [false, true], move |gpu, &alpha_to_coverage| {
            on_four(gpu, Step { vertices: full(0.5, [1.0, 1.0, 1.0, 0.5]), alpha_to_coverage, ..Step::default() })
        }),
    ]
}

const STAGES: &str = "
struct V { @builtin(position) p: vec4f, @location(0) c: vec4f }
override shade: f32 = 1.0;
override reach: f32 = 1.0;
@vertex fn vs(@location(0) p: vec4f, @location(1) c: vec4f) -> V { return V(vec4f(p.xy * reach, p.zw), c); }
@vertex fn smaller(@location(0) p: vec4f, @location(1) c: vec4f) -> V { return V(vec4f(p.xy * 0.5, p.zw), c); }
@fragment fn fs(v: V) -> @location(0) vec4f { return v.c * shade; }
@fragment fn green(v: V) -> @location(0) vec4f { return vec4f(0, 1, 0, 1); }
";

fn stages() -> Vec<Row> {
    let stage = |gpu: &Gpu, step| draw_on(gpu, &Case { wgsl: STAGES, steps: vec![step], ..Case::default() });
    let whole = || Step { vertices: full(0.5, WHITE), ..Step::default() };
    let many = wgpu::Features::MULTIVIEW;
    vec![
        row("stage.entry_point", [["vs", "fs"], ["smaller", "fs"], ["vs", "green"]], move |gpu, &entry| {
            stage(gpu, Step { entry, ..whole() })
        }),
        row(
            "constants.constants",
            [&[][..], &[("shade", 0.5)], &[("reach", 0.5)]],
            move |gpu, &constants: &&'static [(&str, f64)]| stage(gpu, Step { constants, ..whole() }),
        ),
        row("pipeline.fragment", [true, false], move |gpu, &shades| {
            // Without colours only depth can tell that it drew.
            let step = Step { shades, writes_depth: true, ..whole() };
            let formats = if shades { vec![wgpu::TextureFormat::Rgba8Unorm] } else { Vec::new() };
            let read = if shades { wgpu::TextureAspect::All } else { wgpu::TextureAspect::DepthOnly };
            draw_on(gpu, &Case { formats, read, depth: DEPTH, steps: vec![step], ..Case::default() })
        }),
        ruled("pipeline.multiview_mask", [(0, Rule::Always), (0b11, Rule::With(many))], move |gpu, &views| {
            stage(gpu, Step { views, ..whole() })
        }),
    ]
}
