//! Passes: what is told to them between draws, and with a draw.

use stillframe_soft::wgpu;

use super::super::raster::stage::*;
use super::{Row, row};

/// Colours by the instance.
const INSTANCES: &str = "
struct V { @builtin(position) p: vec4f, @location(0) c: vec4f }
@vertex fn vs(@location(0) p: vec4f, @location(1) c: vec4f, @builtin(instance_index) i: u32) -> V {
    return V(vec4f(p.x * 0.3 + f32(i) * 0.4 - 0.6, p.y, p.zw), c / (1.0 + f32(i)));
}
@fragment fn fs(v: V) -> @location(0) vec4f { return v.c; }
";

pub fn rows() -> Vec<Row> {
    let one = |gpu: &Gpu, step| draw_on(gpu, &Case { steps: vec![step], ..Case::default() });
    let many = || shape(&[(1.0, 2.0), (14.0, 1.0), (3.0, 13.0), (15.0, 15.0), (9.0, 2.0), (6.0, 11.0)]);
    let depth = Some(wgpu::TextureFormat::Depth32Float);
    let constants = [[0.5, 0.5, 0.5, 0.5], [0.2, 0.5, 0.5, 0.5], [0.5, 0.2, 0.5, 0.5], [0.5, 0.5, 0.2, 0.5]];
    let constants = [&constants[..], &[[0.5, 0.5, 0.5, 0.2]]].concat();
    let viewports: [[f32; 6]; 5] = [
        [0.0, 0.0, 16.0, 16.0, 0.0, 1.0],
        [4.0, 0.0, 12.0, 16.0, 0.0, 1.0],
        [0.0, 4.0, 16.0, 12.0, 0.0, 1.0],
        [0.0, 0.0, 12.0, 16.0, 0.0, 1.0],
        [0.0, 0.0, 16.0, 12.0, 0.0, 1.0],
    ];
    let indexed = move |gpu: &Gpu, first, base_vertex, indices: &[u32]| {
        one(gpu, Step { vertices: many(), indices: Some(indices.to_vec()), first, base_vertex, ..Step::default() })
    };
    vec![
        row("pass.blend_constant", constants, move |gpu, &[r, g, b, a]| {
            let component = wgpu::BlendComponent {
                src_factor: wgpu::BlendFactor::Constant,
                dst_factor: wgpu::BlendFactor::Zero,
                operation: wgpu::BlendOperation::Add,
            };
            let blend = Some(wgpu::BlendState { color: component, alpha: component });
            one(
                gpu,
                Step { vertices: full(0.5, WHITE), blend, constant: wgpu::Color { r, g, b, a }, ..Step::default() },
            )
        }),
        row("pass.viewport", viewports, move |gpu, &viewport| {
            one(gpu, Step { vertices: many(), viewport: Some(viewport), ..Step::default() })
        }),
        row("pass.viewport (depths)", [[0.0, 1.0], [0.25, 1.0], [0.0, 0.75]], move |gpu, &[near, far]| {
            let viewport = Some([0.0, 0.0, 16.0, 16.0, near, far]);
            let step = Step { vertices: full(0.4, WHITE), writes_depth: true, viewport, ..Step::default() };
            let read = wgpu::TextureAspect::DepthOnly;
            draw_on(gpu, &Case { depth, read, steps: vec![step], ..Case::default() })
        }),
        row(
            "pass.scissor",
            [[0, 0, 16, 16], [3, 0, 13, 16], [0, 3, 16, 13], [0, 0, 13, 16], [0, 0, 16, 13], [0, 0, 0, 0]],
            move |gpu, &scissor| one(gpu, Step { vertices: many(), scissor: Some(scissor), ..Step::default() }),
        ),
        row("pass.draw (first vertex)", [0, 3], move |gpu, &first| {
            one(gpu, Step { vertices: many(), first, ..Step::default() })
        }),
        row("pass.draw_indexed (first index)", [0, 3], move |gpu, &first| indexed(gpu, first, 0, &[0, 1, 2, 3, 4, 5])),
        row("pass.draw_indexed (base vertex)", [0, 2, -1], move |gpu, &base| indexed(gpu, 0, base, &[1, 2, 3])),
        row("pass.draw (first instance)", [0, 1], move |gpu, &first_instance| {
            let step = Step { vertices: many(), instances: 2, first_instance, ..Step::default() };
            draw_on(gpu, &Case { wgsl: INSTANCES, steps: vec![step], ..Case::default() })
        }),
        row("pass.draw (instances)", [0, 1, 2], move |gpu, &instances| {
            let step = Step { vertices: many(), instances, ..Step::default() };
            draw_on(gpu, &Case { wgsl: INSTANCES, steps: vec![step], ..Case::default() })
        }),
        row("pass.vertex_buffer (offset)", [0, 32], move |gpu, &offset_bytes| {
            let vertices = many().into_iter().chain(many().into_iter().take(1)).collect();
            one(gpu, Step { vertices, offset_bytes, ..Step::default() })
        }),
        row("pass.color (clear)", [0.0, 1.0], move |gpu, &g| {
            draw_on(gpu, &Case { clear: wgpu::Color { r: 0.5, g, b: 0.5, a: 0.5 }, ..Case::default() })
        }),
        row("pass.depth (clear)", [0.0, 1.0], move |gpu, &depth_clear| {
            let read = wgpu::TextureAspect::DepthOnly;
            draw_on(gpu, &Case { depth, read, depth_clear, ..Case::default() })
        }),
        row("pass.stencil (clear)", [0, 7], move |gpu, &stencil_clear| {
            let (depth, read) = (Some(wgpu::TextureFormat::Stencil8), wgpu::TextureAspect::StencilOnly);
            draw_on(gpu, &Case { depth, read, stencil_clear, ..Case::default() })
        }),
    ]
}
