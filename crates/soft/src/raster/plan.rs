//! Plan: what a pipeline asks of the rasteriser, settled once a pass.
//!
//! In: a `work::RenderPipeline` and the pass's targets. Out: [`Plan`]: what to fetch, what to interpolate, when to
//! test, where outputs go. Every decision is taken here, none in the loops.

use naga::{BuiltIn, Interpolation, Sampling, ScalarKind};
use wgpu_types as wgt;

use super::clip::Along;
use super::setup::Bias;
use super::texel::Texel;
use crate::program::{Io, Program, Reg};
use crate::store::TextureView;
use crate::work::{RenderPass, RenderPipeline};

/// An attribute that the vertex program reads.
#[derive(Clone, Copy, Debug)]
pub struct Attribute {
    /// Slot of the vertex buffer; `None` where no buffer provides the location.
    pub slot: Option<usize>,
    pub stride_bytes: u64,
    pub offset_bytes: u64,
    pub format: wgt::VertexFormat,
    pub per_instance: bool,
    /// By component.
    pub regs: [Option<Reg>; 4],
}

/// One word that goes from the vertex to the fragment program.
#[derive(Clone, Copy, Debug)]
pub struct Varying {
    /// The vertex program's output; `None` where it has none: zero.
    pub reg: Option<Reg>,
    pub along: Along,
}

/// Where a value is interpolated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Where {
    Center,
    Centroid,
    Sample,
}

/// What a fragment input is filled with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fill {
    /// The weights' index (`Where` + 3 for linear) and the varying.
    Weighted {
        weights: usize,
        varying: usize,
    },
    Flat {
        varying: usize,
    },
    /// Component of `position`.
    Position(u8),
    FrontFacing,
    SampleIndex,
    SampleMask,
    PrimitiveIndex,
    Zero,
}

/// One fragment input.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    pub reg: Reg,
    pub fill: Fill,
}

/// One colour target of a pipeline.
#[derive(Clone, Debug)]
pub struct Target {
    /// Index of the attachment.
    pub index: usize,
    pub texel: Texel,
    /// The program's outputs by component, of the first and the second source.
    pub source: [Option<Reg>; 4],
    pub second: [Option<Reg>; 4],
    pub blend: Option<wgt::BlendState>,
    /// Bits of each word that may change.
    pub write_bits: [u32; 4],
}

/// The fragment stage.
#[derive(Clone, Debug)]
pub struct Shade {
    pub inputs: Vec<Input>,
    /// Which weights are needed, by index as in `Fill::Weighted`.
    pub weights: [bool; 6],
    /// `position.w` is read.
    pub needs_q: bool,
    pub needs_perspective: bool,
    /// Coverage before tests is read: by centroids where tests come late, or as the mask itself.
    pub needs_cover: bool,
    pub per_sample: bool,
    pub ordered: bool,
    /// By location.
    pub targets: Vec<Target>,
    pub frag_depth: Option<Reg>,
    pub sample_mask: Option<Reg>,
    /// Alpha of location 0, where alpha to coverage asks for it. The outer `None`: it does not.
    pub coverage_alpha: Option<Option<Reg>>,
}

/// When the depth and stencil tests run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Before shading, with their writes.
    Early,
    /// After shading.
    Late,
}

/// Kinds of primitives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Point,
    Line,
    Triangle,
}

/// What the vertex program reads, and where it leaves the position.
#[derive(Clone, Debug)]
pub struct VertexPlan {
    pub attributes: Vec<Attribute>,
    pub vertex_index: Option<Reg>,
    pub instance_index: Option<Reg>,
    pub position: [Option<Reg>; 4],
}

/// Which faces are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Faces {
    /// Sign of the area of front faces.
    pub front_sign: i64,
    /// Cull triangles that face this way.
    pub cull_front: bool,
    pub cull_back: bool,
}

impl Faces {
    fn new(primitive: &wgt::PrimitiveState) -> Faces {
        Faces {
            front_sign: if primitive.front_face == wgt::FrontFace::Ccw { -1 } else { 1 },
            cull_front: primitive.cull_mode == Some(wgt::Face::Front),
            cull_back: primitive.cull_mode == Some(wgt::Face::Back),
        }
    }
}

/// The depth and stencil tests, where the pass's target has what they look at.
#[derive(Clone, Debug)]
pub struct TestPlan {
    pub when: When,
    /// Compare and write.
    pub depth: Option<(wgt::CompareFunction, bool)>,
    /// An early test without writes may take out samples that would fail late.
    pub reject: bool,
    pub stencil: Option<wgt::StencilState>,
    pub quantise: bool,
}

/// A pipeline, ready to draw into one pass.
#[derive(Clone, Debug)]
pub struct Plan {
    pub shape: Shape,
    pub strip: bool,
    pub faces: Faces,
    pub depth_clipped: bool,
    pub vertex: VertexPlan,
    pub varyings: Vec<Varying>,
    pub along: Vec<Along>,
    pub shade: Option<Shade>,
    pub tests: TestPlan,
    pub bias: Option<Bias>,
    /// Samples that the pipeline's mask lets through.
    pub mask: u32,
    pub needs_primitive: bool,
}

impl Plan {
    pub fn new(pipeline: &RenderPipeline, pass: &RenderPass) -> Plan {
        use wgt::PrimitiveTopology as T;
        let primitive = &pipeline.primitive;
        let mut varyings = Vec::new();
        let shade = shade(pipeline, pass, &mut varyings);
        let needs_primitive =
            shade.as_ref().is_some_and(|s| s.inputs.iter().any(|input| input.fill == Fill::PrimitiveIndex));
        let program = &pipeline.vertex.program;
        Plan {
            shape: match primitive.topology {
                T::PointList => Shape::Point,
                T::LineList | T::LineStrip => Shape::Line,
                T::TriangleList | T::TriangleStrip => Shape::Triangle,
            },
            strip: primitive.topology.is_strip(),
            faces: Faces::new(primitive),
            depth_clipped: !primitive.unclipped_depth,
            vertex: VertexPlan {
                attributes: attributes(pipeline),
                vertex_index: builtin(program, BuiltIn::VertexIndex),
                instance_index: builtin(program, BuiltIn::InstanceIndex),
                position: position(program),
            },
            along: varyings.iter().map(|v: &Varying| v.along).collect(),
            varyings,
            shade,
            tests: TestPlan::new(pipeline, pass),
            bias: match (&pipeline.depth_stencil, &pass.depth_stencil) {
                (Some(state), Some(_)) if primitive.topology.is_triangles() => Bias::new(state),
                _ => None,
            },
            mask: pipeline.multisample.mask as u32 & ((1 << pass.sample_count) - 1),
            needs_primitive,
        }
    }
}

impl TestPlan {
    fn new(pipeline: &RenderPipeline, pass: &RenderPass) -> TestPlan {
        use wgt::CompareFunction as C;
        let (depth, stencil) = depth_stencil(pipeline, pass);
        let fragment = pipeline.fragment.as_ref().map(|stage| &stage.program.traits);
        let late = !pipeline.tests_first();
        let monotonic = matches!(depth, Some((C::Less | C::LessEqual | C::Greater | C::GreaterEqual | C::Equal, _)));
        // What fails now fails later too: within a draw the stored depth moves one way only. Stencil would want to
        // know.
        let reject = late
            && monotonic
            && stencil.is_none()
            && fragment.is_some_and(|t| !t.writes_depth && !t.has_side_effects && !t.per_sample);
        let is_depth16 = |view: &TextureView| view.texture.format == wgt::TextureFormat::Depth16Unorm;
        let quantise =
            pipeline.depth_stencil.is_some() && pass.depth_stencil.as_ref().is_some_and(|t| is_depth16(&t.view));
        TestPlan { when: if late { When::Late } else { When::Early }, depth, reject, stencil, quantise }
    }
}

/// Depth's compare and write, and stencil: only what the pass's target has.
fn depth_stencil(
    pipeline: &RenderPipeline,
    pass: &RenderPass,
) -> (Option<(wgt::CompareFunction, bool)>, Option<wgt::StencilState>) {
    let (Some(state), Some(target)) = (&pipeline.depth_stencil, &pass.depth_stencil) else { return (None, None) };
    let texture = &target.view.texture;
    let compare = state.depth_compare.unwrap_or(wgt::CompareFunction::Always);
    let write = state.depth_write_enabled.unwrap_or(false);
    let idle = compare == wgt::CompareFunction::Always && !write;
    let depth = (!texture.levels.is_empty() && !idle).then_some((compare, write));
    let face_idle = |face: &wgt::StencilFaceState| {
        face.compare == wgt::CompareFunction::Always
            && face.pass_op == wgt::StencilOperation::Keep
            && (face.depth_fail_op == wgt::StencilOperation::Keep || depth.is_none())
    };
    let stencil_idle = face_idle(&state.stencil.front) && face_idle(&state.stencil.back);
    let stencil = (!texture.stencil_levels.is_empty() && !stencil_idle).then(|| state.stencil.clone());
    (depth, stencil)
}

fn builtin(program: &Program, wanted: BuiltIn) -> Option<Reg> {
    program.inputs.iter().find(|input| input.what == Io::BuiltIn(wanted)).map(|input| input.reg)
}

fn position(program: &Program) -> [Option<Reg>; 4] {
    let mut regs = [None; 4];
    for output in &program.outputs {
        if matches!(output.what, Io::BuiltIn(BuiltIn::Position { .. })) {
            regs[output.component as usize] = Some(output.reg);
        }
    }
    regs
}

fn attributes(pipeline: &RenderPipeline) -> Vec<Attribute> {
    let mut out: Vec<(u32, Attribute)> = Vec::new();
    for input in &pipeline.vertex.program.inputs {
        let Io::Location { location, .. } = input.what else { continue };
        let at = out.iter().position(|(known, _)| *known == location).unwrap_or_else(|| {
            let mut found = Attribute {
                slot: None,
                stride_bytes: 0,
                offset_bytes: 0,
                format: match input.scalar {
                    ScalarKind::Float => wgt::VertexFormat::Float32x4,
                    _ => wgt::VertexFormat::Uint32x4,
                },
                per_instance: false,
                regs: [None; 4],
            };
            for (slot, layout) in pipeline.vertex_buffers.iter().enumerate() {
                let Some(layout) = layout else { continue };
                let Some(attribute) = layout.attributes.iter().find(|a| a.shader_location == location) else {
                    continue;
                };
                found.slot = Some(slot);
                found.stride_bytes = layout.stride_bytes;
                found.offset_bytes = attribute.offset;
                found.format = attribute.format;
                found.per_instance = layout.step_mode == wgt::VertexStepMode::Instance;
            }
            out.push((location, found));
            out.len() - 1
        });
        out[at].1.regs[input.component as usize] = Some(input.reg);
    }
    out.into_iter().map(|(_, attribute)| attribute).collect()
}

/// How a location is interpolated: flat, or its weights.
fn weights_of(interpolation: Option<Interpolation>, sampling: Option<Sampling>, scalar: ScalarKind) -> Option<usize> {
    let at = match sampling {
        Some(Sampling::Centroid) => Where::Centroid,
        Some(Sampling::Sample) => Where::Sample,
        _ => Where::Center,
    };
    match interpolation {
        Some(Interpolation::Flat) => None,
        Some(Interpolation::Linear) => Some(at as usize + 3),
        None if scalar != ScalarKind::Float => None,
        _ => Some(at as usize),
    }
}

fn shade(pipeline: &RenderPipeline, pass: &RenderPass, varyings: &mut Vec<Varying>) -> Option<Shade> {
    let stage = pipeline.fragment.as_ref()?;
    let (program, traits) = (&stage.program, &stage.program.traits);
    let mut weights = [false; 6];
    let mut inputs = Vec::new();
    let per_sample = traits.per_sample && pass.sample_count > 1;
    for input in &program.inputs {
        let fill = match input.what {
            Io::Location { location, interpolation, sampling, .. } => {
                let weighted = weights_of(interpolation, sampling, input.scalar).map(|index| match index {
                    // Without several samples everything is at the centre.
                    _ if pass.sample_count == 1 => index / 3 * 3,
                    _ => index,
                });
                let along = match weighted {
                    None => Along::Flat,
                    Some(3..) => Along::Linear,
                    Some(_) => Along::Perspective,
                };
                let reg = pipeline.vertex.program.outputs.iter().find(|output| {
                    matches!(output.what, Io::Location { location: l, .. } if l == location)
                        && output.component == input.component
                });
                varyings.push(Varying { reg: reg.map(|output| output.reg), along });
                let varying = varyings.len() - 1;
                match weighted {
                    None => Fill::Flat { varying },
                    Some(index) => {
                        weights[index] = true;
                        Fill::Weighted { weights: index, varying }
                    }
                }
            }
            Io::BuiltIn(BuiltIn::Position { .. }) => Fill::Position(input.component),
            Io::BuiltIn(BuiltIn::FrontFacing) => Fill::FrontFacing,
            Io::BuiltIn(BuiltIn::SampleIndex) => Fill::SampleIndex,
            Io::BuiltIn(BuiltIn::SampleMask) => Fill::SampleMask,
            Io::BuiltIn(BuiltIn::PrimitiveIndex) => Fill::PrimitiveIndex,
            Io::BuiltIn(_) => Fill::Zero,
        };
        inputs.push(Input { reg: input.reg, fill });
    }
    let targets = targets(pipeline, pass, program);
    let coverage_alpha = pipeline.multisample.alpha_to_coverage_enabled.then(|| output(program, 0, false)[3]);
    let changes = traits.discards || traits.writes_depth || traits.writes_sample_mask || traits.has_side_effects;
    if targets.is_empty() && !changes && coverage_alpha.is_none() {
        varyings.clear();
        return None;
    }
    let out = |wanted: BuiltIn| program.outputs.iter().find(|o| o.what == Io::BuiltIn(wanted)).map(|o| o.reg);
    let needs_q = inputs.iter().any(|input| input.fill == Fill::Position(3));
    let has_centroids = weights[Where::Centroid as usize] || weights[Where::Centroid as usize + 3];
    Some(Shade {
        needs_perspective: weights[..3].contains(&true),
        needs_cover: has_centroids && !pipeline.tests_first()
            || inputs.iter().any(|input| input.fill == Fill::SampleMask),
        needs_q,
        weights,
        inputs,
        per_sample,
        ordered: traits.ordered,
        targets,
        frag_depth: out(BuiltIn::FragDepth),
        sample_mask: out(BuiltIn::SampleMask),
        coverage_alpha,
    })
}

/// The output registers at a location.
fn output(program: &Program, wanted: u32, second: bool) -> [Option<Reg>; 4] {
    let mut regs = [None; 4];
    for output in &program.outputs {
        if let Io::Location { location, blend_src, .. } = output.what
            && location == wanted
            && (blend_src == Some(1)) == second
        {
            regs[output.component as usize] = Some(output.reg);
        }
    }
    regs
}

fn targets(pipeline: &RenderPipeline, pass: &RenderPass, program: &Program) -> Vec<Target> {
    let mut out = Vec::new();
    for (index, (state, attachment)) in pipeline.color_targets.iter().zip(&pass.color).enumerate() {
        let (Some(state), Some(attachment)) = (state, attachment) else { continue };
        let texel = Texel::new(attachment.view.format);
        let source = output(program, index as u32, false);
        let write_bits = texel.write_bits(state.write_mask);
        if source == [None; 4] || write_bits == [0; 4] {
            continue;
        }
        let blend = state.blend.filter(|blend| !texel.is_integer() && *blend != wgt::BlendState::REPLACE);
        out.push(Target { index, texel, source, second: output(program, index as u32, true), blend, write_bits });
    }
    out
}
