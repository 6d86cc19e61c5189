//! Work: what `hal` hands to the engine. Plain data with every handle resolved; `raster`, `dispatch` and `plain` all
//! read exactly this, so that the fast path and the oracle are interchangeable.
//!
//! In: recorded commands. Out: nothing; the engine writes into the textures and buffers named here.

use std::sync::Arc;

use crate::program::Program;
use crate::store::{Buffer, Sampler, TextureView};

/// A shader module after wgpu-core's validation: what both the lowering and the oracle read.
#[derive(Debug)]
pub struct Shader {
    /// The IR as wgpu-core gave it; overrides are not yet applied.
    pub module: naga::Module,
    /// naga's analysis of `module`.
    pub info: naga::valid::ModuleInfo,
}

/// One stage of a pipeline: the module with its overrides applied, and its lowered form.
#[derive(Debug)]
pub struct Stage {
    /// Module and info after `naga::back::pipeline_constants::process_overrides`. The oracle walks this.
    pub shader: Arc<Shader>,
    /// Index into `shader.module.entry_points`.
    pub entry_index: usize,
    /// The flat program of that entry point.
    pub program: Program,
}

/// What stands behind one `@group(g) @binding(b)`.
#[derive(Clone, Debug)]
pub enum Binding {
    /// Uniform or storage buffer; `offset_bytes` already includes the dynamic offset.
    Buffer { buffer: Arc<Buffer>, offset_bytes: u64, size_bytes: u64 },
    /// Sampled or storage texture.
    Texture(Arc<TextureView>),
    /// Sampler, comparison or not.
    Sampler(Arc<Sampler>),
}

/// One bind group: `(binding number, resource)` sorted by number.
#[derive(Clone, Debug, Default)]
pub struct BindGroup {
    pub entries: Vec<(u32, Binding)>,
}

/// The groups that a draw or dispatch sees; the index is the group number. `None` where the layout has no group.
/// Dynamic offsets are applied: two draws that differ only in offsets hold different `BindGroup`s.
#[derive(Clone, Debug, Default)]
pub struct Bindings {
    pub groups: Vec<Option<Arc<BindGroup>>>,
    /// `var<immediate>`, from byte 0 in words; what lies beyond reads as zero. wgpu-core's own checks of indirect
    /// arguments use it even where the device does not offer immediates.
    pub immediates: Vec<u32>,
}

impl Bindings {
    /// The resource at `@group(group) @binding(binding)`, if bound.
    pub fn get(&self, group: u32, binding: u32) -> Option<&Binding> {
        let entries = &self.groups.get(group as usize)?.as_ref()?.entries;
        let at = entries.binary_search_by_key(&binding, |e| e.0).ok()?;
        Some(&entries[at].1)
    }
}

/// A render pipeline. States are wgpu's own descriptions, which wgpu-core has validated.
#[derive(Debug)]
pub struct RenderPipeline {
    pub vertex: Stage,
    pub fragment: Option<Stage>,
    /// One entry a vertex buffer slot; `None` for an unused slot.
    pub vertex_buffers: Vec<Option<VertexBufferLayout>>,
    pub primitive: wgpu_types::PrimitiveState,
    pub depth_stencil: Option<wgpu_types::DepthStencilState>,
    pub multisample: wgpu_types::MultisampleState,
    pub color_targets: Vec<Option<wgpu_types::ColorTargetState>>,
}

impl RenderPipeline {
    /// Whether depth and stencil tests come before the fragment stage: it asks for that, or does nothing that would
    /// change what they see.
    pub fn tests_first(&self) -> bool {
        self.fragment.as_ref().is_none_or(|stage| {
            let t = &stage.program.traits;
            let changes = t.discards || t.writes_depth || t.writes_sample_mask || t.has_side_effects;
            t.early_depth_forced || !(changes || self.multisample.alpha_to_coverage_enabled)
        })
    }
}

/// Layout of one vertex buffer slot.
#[derive(Clone, Debug)]
pub struct VertexBufferLayout {
    pub stride_bytes: u64,
    pub step_mode: wgpu_types::VertexStepMode,
    pub attributes: Vec<wgpu_types::VertexAttribute>,
}

/// A compute pipeline.
#[derive(Debug)]
pub struct ComputePipeline {
    pub stage: Stage,
}

/// What happens to a target's texels when the pass starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Load<T> {
    Keep,
    Clear(T),
}

/// One colour attachment. `view` has one mip level and one layer (for 3-D textures `depth_slice` picks the slice).
#[derive(Clone, Debug)]
pub struct ColorTarget {
    pub view: Arc<TextureView>,
    pub depth_slice: u32,
    pub resolve: Option<Arc<TextureView>>,
    pub load: Load<wgpu_types::Color>,
    /// False: the texels may be anything after the pass (the resolve target, if any, is still written).
    pub store: bool,
}

/// The depth-stencil attachment.
#[derive(Clone, Debug)]
pub struct DepthStencilTarget {
    pub view: Arc<TextureView>,
    pub depth_load: Load<f32>,
    pub depth_store: bool,
    pub stencil_load: Load<u32>,
    pub stencil_store: bool,
}

/// A whole render pass.
#[derive(Debug)]
pub struct RenderPass {
    /// Size of every attachment in pixels.
    pub width_px: u32,
    pub height_px: u32,
    /// 1 or 4.
    pub sample_count: u32,
    pub color: Vec<Option<ColorTarget>>,
    pub depth_stencil: Option<DepthStencilTarget>,
    pub draws: Vec<Draw>,
    /// Receives passed-sample counts; indexed by `Draw::occlusion_query`.
    pub occlusion: Option<Arc<crate::store::QuerySet>>,
}

/// One draw call with all its state.
#[derive(Clone, Debug)]
pub struct Draw {
    pub pipeline: Arc<RenderPipeline>,
    pub bindings: Arc<Bindings>,
    /// Bound vertex buffers by slot.
    pub vertex_buffers: Arc<Vec<Option<BufferRange>>>,
    pub index: Option<IndexRange>,
    pub viewport: Viewport,
    pub scissor: Rect,
    pub blend_constant: [f32; 4],
    pub stencil_reference: u32,
    pub occlusion_query: Option<u32>,
    pub what: DrawKind,
}

#[derive(Clone, Debug)]
pub struct BufferRange {
    pub buffer: Arc<Buffer>,
    pub offset_bytes: u64,
    pub size_bytes: u64,
}

#[derive(Clone, Debug)]
pub struct IndexRange {
    pub range: BufferRange,
    pub format: wgpu_types::IndexFormat,
}

/// Viewport in pixels; depth range within 0..=1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    pub x: f32,
    pub y: f32,
    pub width: f32,
    pub height: f32,
    pub min_depth: f32,
    pub max_depth: f32,
}

/// Scissor in pixels, within the targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rect {
    pub x: u32,
    pub y: u32,
    pub width: u32,
    pub height: u32,
}

/// How many of what. Indirect arguments are read when the pass is executed, never when it is recorded.
#[derive(Clone, Debug)]
pub enum DrawKind {
    Direct { first_vertex: u32, vertex_count: u32, first_instance: u32, instance_count: u32 },
    Indexed { first_index: u32, index_count: u32, base_vertex: i32, first_instance: u32, instance_count: u32 },
    Indirect { arguments: Arc<Buffer>, offset_bytes: u64, indexed: bool },
}

/// One dispatch.
#[derive(Clone, Debug)]
pub struct Dispatch {
    pub pipeline: Arc<ComputePipeline>,
    pub bindings: Arc<Bindings>,
    pub groups: DispatchGroups,
}

#[derive(Clone, Debug)]
pub enum DispatchGroups {
    Direct([u32; 3]),
    Indirect { arguments: Arc<Buffer>, offset_bytes: u64 },
}

/// Why an executor gave up. Becomes a lost device whose message names the shader.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum Fault {
    /// `Options::step_budget` instructions were spent by one lane block.
    #[error("shader `{shader}`: no end after {steps} steps (a loop without end?)")]
    StepBudget { shader: String, steps: u64 },
}
