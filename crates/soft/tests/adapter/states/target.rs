//! Targets: their formats, blending and write masks.

use stillframe_soft::wgpu;

use super::super::raster::stage::*;
use super::{Row, Rule, every, row, ruled};

/// Writes a second colour, too.
const DUAL: &str = "
enable dual_source_blending;
struct V { @builtin(position) p: vec4f, @location(0) c: vec4f }
struct F { @location(0) @blend_src(0) first: vec4f, @location(0) @blend_src(1) second: vec4f }
@vertex fn vs(@location(0) p: vec4f, @location(1) c: vec4f) -> V { return V(p, c); }
@fragment fn fs(v: V) -> F { return F(v.c, v.c.zxyw * 0.7 + 0.1); }
";

const KEEP: wgpu::BlendComponent = wgpu::BlendComponent {
    src_factor: wgpu::BlendFactor::Zero,
    dst_factor: wgpu::BlendFactor::One,
    operation: wgpu::BlendOperation::Add,
};

fn factors() -> [wgpu::BlendFactor; 17] {
    every!(BlendFactor: Zero One Src OneMinusSrc SrcAlpha OneMinusSrcAlpha Dst OneMinusDst DstAlpha OneMinusDstAlpha
        SrcAlphaSaturated Constant OneMinusConstant Src1 OneMinusSrc1 Src1Alpha OneMinusSrc1Alpha)
}

fn is_dual(factor: wgpu::BlendFactor) -> bool {
    use wgpu::BlendFactor as F;
    matches!(factor, F::Src1 | F::OneMinusSrc1 | F::Src1Alpha | F::OneMinusSrc1Alpha)
}

/// Two colours of different alpha over a third one.
fn blended(gpu: &Gpu, is_dual: bool, blend: Option<wgpu::BlendState>) -> Picture {
    let half = |x, c| Step {
        vertices: full(0.5, c),
        scissor: Some([x, 0, 8, 16]),
        blend,
        constant: wgpu::Color { r: 0.15, g: 0.25, b: 0.85, a: 0.45 },
        ..Step::default()
    };
    draw_on(
        gpu,
        &Case {
            wgsl: if is_dual { DUAL } else { COLOR },
            formats: vec![wgpu::TextureFormat::Rgba16Float],
            clear: wgpu::Color { r: 0.2, g: 0.4, b: 0.65, a: 0.6 },
            steps: vec![half(0, [0.9, 0.5, 0.3, 0.35]), half(8, [0.8, 0.6, 0.1, 0.95])],
            ..Case::default()
        },
    )
}

/// Factors with their rules.
fn factor_rules(factors: &[wgpu::BlendFactor]) -> Vec<(wgpu::BlendFactor, Rule)> {
    let rule = |&factor| {
        let dual = Rule::With(wgpu::Features::DUAL_SOURCE_BLENDING);
        (factor, if is_dual(factor) { dual } else { Rule::Always })
    };
    factors.iter().map(rule).collect()
}

pub fn rows() -> Vec<Row> {
    use wgpu::BlendFactor as F;
    let zero = wgpu::BlendComponent { dst_factor: F::Zero, ..KEEP };
    let color = |color| Some(wgpu::BlendState { color, alpha: KEEP });
    let alpha = |alpha| Some(wgpu::BlendState { color: KEEP, alpha });
    let source = move |factor| wgpu::BlendComponent { src_factor: factor, ..zero };
    let target = |factor| wgpu::BlendComponent { dst_factor: factor, ..KEEP };
    let operation = |operation| wgpu::BlendComponent { src_factor: F::One, dst_factor: F::One, operation };
    let operations = || every!(BlendOperation: Add Subtract ReverseSubtract Min Max);
    // A factor's alpha is the same whether the colour or its alpha is named, and a saturated alpha's is 1.
    let by_alpha = [F::Zero, F::One, F::SrcAlpha, F::OneMinusSrcAlpha, F::DstAlpha, F::OneMinusDstAlpha, F::Constant];
    let by_alpha = [&by_alpha[..], &[F::OneMinusConstant, F::Src1Alpha, F::OneMinusSrc1Alpha]].concat();
    let by_color = [F::Zero, F::Src, F::OneMinusSrc, F::Dst, F::OneMinusDst, F::SrcAlphaSaturated, F::Src1];
    let by_color = [&by_color[..], &[F::OneMinusSrc1]].concat();
    let of_alpha = |name, factors: &[F], component: fn(F) -> wgpu::BlendComponent| {
        ruled(name, factor_rules(factors), move |gpu, &factor| blended(gpu, is_dual(factor), alpha(component(factor))))
    };
    let alpha_source: fn(F) -> wgpu::BlendComponent =
        |factor| wgpu::BlendComponent { src_factor: factor, dst_factor: F::Zero, ..KEEP };
    vec![
        row(
            "target.format",
            [wgpu::TextureFormat::Rgba8Unorm, wgpu::TextureFormat::Rgba8UnormSrgb, wgpu::TextureFormat::Bgra8Unorm],
            |gpu, &format| {
                let steps = vec![Step { vertices: full(0.5, [0.2, 0.5, 0.7, 1.0]), ..Step::default() }];
                draw_on(gpu, &Case { formats: vec![format], steps, ..Case::default() })
            },
        ),
        row("target.blend", [None, Some(wgpu::BlendState::ALPHA_BLENDING)], |gpu, &blend| blended(gpu, false, blend)),
        row(
            "target.write_mask",
            [
                wgpu::ColorWrites::ALL,
                wgpu::ColorWrites::RED,
                wgpu::ColorWrites::GREEN,
                wgpu::ColorWrites::BLUE,
                wgpu::ColorWrites::ALPHA,
                wgpu::ColorWrites::empty(),
            ],
            |gpu, &writes| {
                let steps = vec![Step { vertices: full(0.5, WHITE), writes, ..Step::default() }];
                draw_on(gpu, &Case { steps, ..Case::default() })
            },
        ),
        ruled("blend.color.src_factor", factor_rules(&factors()), move |gpu, &factor| {
            blended(gpu, is_dual(factor), color(source(factor)))
        }),
        ruled("blend.color.dst_factor", factor_rules(&factors()), move |gpu, &factor| {
            blended(gpu, is_dual(factor), color(target(factor)))
        }),
        row("blend.color.operation", operations(), move |gpu, &of| blended(gpu, false, color(operation(of)))),
        of_alpha("blend.alpha.src_factor", &by_alpha, alpha_source),
        of_alpha("blend.alpha.src_factor (colours)", &by_color, alpha_source),
        of_alpha("blend.alpha.dst_factor", &by_alpha, target),
        of_alpha("blend.alpha.dst_factor (colours)", &by_color, target),
        row("blend.alpha.operation", operations(), move |gpu, &of| blended(gpu, false, alpha(operation(of)))),
    ]
}
