//! Encoder: records commands. Draws and dispatches resolve all state when they are recorded.

use std::ops::Range;
use std::sync::Arc;

use wgpu_hal as hal;
use wgpu_types as wgt;

use super::Api;
use super::binding;
use super::command::{Command, CommandBuffer};
use super::resource::{
    BindGroup, Buffer, ComputePipeline, Never, PipelineLayout, QuerySet, RenderPipeline, Texture, TextureView,
};
use crate::store;
use crate::work::{self, Bindings, DispatchGroups, Draw, DrawKind, Load, RenderPass};

/// Bytes of one set of indirect draw arguments.
const DRAW_BYTES: u64 = 16;
const INDEXED_DRAW_BYTES: u64 = 20;

#[derive(Debug, Default)]
pub struct Encoder {
    commands: Vec<Command>,
    binds: Binds,
    render: Option<RenderState>,
    compute: Option<ComputeState>,
}

/// Bind groups and immediates of the current pass.
#[derive(Debug, Default)]
struct Binds {
    now: Bindings,
    /// `now` as the last draw saw it; gone once something is set.
    shared: Option<Arc<Bindings>>,
}

impl Binds {
    fn set_group(&mut self, index: u32, group: Arc<work::BindGroup>) {
        let groups = &mut self.now.groups;
        let index = index as usize;
        if groups.len() <= index {
            groups.resize(index + 1, None);
        }
        groups[index] = Some(group);
        self.shared = None;
    }

    fn set_immediates(&mut self, offset_bytes: u32, data: &[u32]) {
        let start = (offset_bytes / 4) as usize;
        let words = &mut self.now.immediates;
        if words.len() < start + data.len() {
            words.resize(start + data.len(), 0);
        }
        words[start..start + data.len()].copy_from_slice(data);
        self.shared = None;
    }

    fn shared(&mut self) -> Arc<Bindings> {
        self.shared.get_or_insert_with(|| Arc::new(self.now.clone())).clone()
    }
}

/// The pass being recorded and the state that the next draw sees.
#[derive(Debug)]
struct RenderState {
    pass: RenderPass,
    end_timestamp: Option<(Arc<store::QuerySet>, u32)>,
    pipeline: Option<Arc<work::RenderPipeline>>,
    vertex_buffers: Arc<Vec<Option<work::BufferRange>>>,
    index: Option<work::IndexRange>,
    viewport: work::Viewport,
    scissor: work::Rect,
    blend_constant: [f32; 4],
    stencil_reference: u32,
    occlusion_query: Option<u32>,
    /// Queries begun in this pass: they start at zero even where nothing is drawn.
    queries: Vec<u32>,
}

#[derive(Debug)]
struct ComputeState {
    pipeline: Option<Arc<work::ComputePipeline>>,
    end_timestamp: Option<(Arc<store::QuerySet>, u32)>,
}

impl Encoder {
    fn timestamp(&mut self, at: Option<(Arc<store::QuerySet>, u32)>) {
        if let Some((set, index)) = at {
            self.commands.push(Command::Timestamp { set, index });
        }
    }

    fn draw_what(&mut self, what: DrawKind) {
        let bindings = self.binds.shared();
        let Some(state) = &mut self.render else { return };
        let Some(pipeline) = state.pipeline.clone() else { return };
        let indexed = matches!(what, DrawKind::Indexed { .. } | DrawKind::Indirect { indexed: true, .. });
        state.pass.draws.push(Draw {
            pipeline,
            bindings,
            vertex_buffers: state.vertex_buffers.clone(),
            index: if indexed { state.index.clone() } else { None },
            viewport: state.viewport,
            scissor: state.scissor,
            blend_constant: state.blend_constant,
            stencil_reference: state.stencil_reference,
            occlusion_query: state.occlusion_query,
            what,
        });
    }

    fn draw_indirect_each(&mut self, buffer: &Buffer, offset: u64, count: u32, indexed: bool) {
        let stride_bytes = if indexed { INDEXED_DRAW_BYTES } else { DRAW_BYTES };
        for draw in 0..u64::from(count) {
            let offset_bytes = offset + draw * stride_bytes;
            self.draw_what(DrawKind::Indirect { arguments: buffer.0.clone(), offset_bytes, indexed });
        }
    }

    fn dispatch(&mut self, groups: DispatchGroups) {
        let bindings = self.binds.shared();
        let Some(pipeline) = self.compute.as_ref().and_then(|state| state.pipeline.clone()) else { return };
        self.commands.push(Command::Dispatch(Box::new(work::Dispatch { pipeline, bindings, groups })));
    }
}

/// The set and index that a pass writes at one end.
fn pass_timestamp(
    writes: &Option<hal::PassTimestampWrites<'_, QuerySet>>,
    index: impl Fn(&hal::PassTimestampWrites<'_, QuerySet>) -> Option<u32>,
) -> Option<(Arc<store::QuerySet>, u32)> {
    let writes = writes.as_ref()?;
    Some((writes.query_set.0.clone(), index(writes)?))
}

fn load<T>(ops: hal::AttachmentOps, clear: T) -> Load<T> {
    if ops.contains(hal::AttachmentOps::LOAD_CLEAR) { Load::Clear(clear) } else { Load::Keep }
}

fn color_target(attachment: &hal::ColorAttachment<'_, TextureView>) -> work::ColorTarget {
    work::ColorTarget {
        view: attachment.target.view.0.clone(),
        depth_slice: attachment.depth_slice.unwrap_or(0),
        resolve: attachment.resolve_target.as_ref().map(|target| target.view.0.clone()),
        load: load(attachment.ops, attachment.clear_value),
        store: attachment.ops.contains(hal::AttachmentOps::STORE),
    }
}

fn depth_stencil_target(attachment: &hal::DepthStencilAttachment<'_, TextureView>) -> work::DepthStencilTarget {
    work::DepthStencilTarget {
        view: attachment.target.view.0.clone(),
        depth_load: load(attachment.depth_ops, attachment.clear_value.0),
        depth_store: attachment.depth_ops.contains(hal::AttachmentOps::STORE),
        stencil_load: load(attachment.stencil_ops, attachment.clear_value.1),
        stencil_store: attachment.stencil_ops.contains(hal::AttachmentOps::STORE),
    }
}

impl RenderState {
    fn new(desc: &hal::RenderPassDescriptor<'_, QuerySet, TextureView>) -> RenderState {
        let (width, height) = (desc.extent.width, desc.extent.height);
        let pass = RenderPass {
            width_px: width,
            height_px: height,
            sample_count: desc.sample_count,
            color: desc.color_attachments.iter().map(|slot| slot.as_ref().map(color_target)).collect(),
            depth_stencil: desc.depth_stencil_attachment.as_ref().map(depth_stencil_target),
            draws: Vec::new(),
            occlusion: desc.occlusion_query_set.map(|set| set.0.clone()),
        };
        RenderState {
            pass,
            end_timestamp: pass_timestamp(&desc.timestamp_writes, |w| w.end_of_pass_write_index),
            pipeline: None,
            vertex_buffers: Arc::default(),
            index: None,
            viewport: work::Viewport {
                x: 0.0,
                y: 0.0,
                width: width as f32,
                height: height as f32,
                min_depth: 0.0,
                max_depth: 1.0,
            },
            scissor: work::Rect { x: 0, y: 0, width, height },
            blend_constant: [0.0; 4],
            stencil_reference: 0,
            occlusion_query: None,
            queries: Vec::new(),
        }
    }
}

impl hal::CommandEncoder for Encoder {
    type A = Api;

    unsafe fn begin_encoding(&mut self, _label: hal::Label<'_>) -> Result<(), hal::DeviceError> {
        Ok(())
    }
    unsafe fn discard_encoding(&mut self) {
        *self = Encoder::default();
    }
    unsafe fn end_encoding(&mut self) -> Result<CommandBuffer, hal::DeviceError> {
        Ok(CommandBuffer { commands: std::mem::take(self).commands })
    }
    unsafe fn reset_all<I: Iterator<Item = CommandBuffer>>(&mut self, command_buffers: I) {
        command_buffers.for_each(drop);
    }

    // One memory, one thread at a time: there is nothing to wait for or to lay out anew.

    unsafe fn transition_buffers<'a, T>(&mut self, _barriers: T)
    where
        T: Iterator<Item = hal::BufferBarrier<'a, Buffer>>,
    {
    }
    unsafe fn transition_textures<'a, T>(&mut self, _barriers: T)
    where
        T: Iterator<Item = hal::TextureBarrier<'a, Texture>>,
    {
    }

    // Copies

    unsafe fn clear_buffer(&mut self, buffer: &Buffer, range: hal::MemoryRange) {
        self.commands.push(Command::ClearBuffer { buffer: buffer.0.clone(), range });
    }
    unsafe fn copy_buffer_to_buffer<T: Iterator<Item = hal::BufferCopy>>(
        &mut self,
        src: &Buffer,
        dst: &Buffer,
        regions: T,
    ) {
        let regions = regions.collect();
        self.commands.push(Command::CopyBuffer { from: src.0.clone(), to: dst.0.clone(), regions });
    }
    unsafe fn copy_texture_to_texture<T: Iterator<Item = hal::TextureCopy>>(
        &mut self,
        src: &Texture,
        _src_usage: wgt::TextureUses,
        dst: &Texture,
        regions: T,
    ) {
        let regions = regions.collect();
        self.commands.push(Command::CopyTexture { from: src.0.clone(), to: dst.0.clone(), regions });
    }
    unsafe fn copy_buffer_to_texture<T: Iterator<Item = hal::BufferTextureCopy>>(
        &mut self,
        src: &Buffer,
        dst: &Texture,
        regions: T,
    ) {
        let regions = regions.collect();
        self.commands.push(Command::BufferToTexture { from: src.0.clone(), to: dst.0.clone(), regions });
    }
    unsafe fn copy_texture_to_buffer<T: Iterator<Item = hal::BufferTextureCopy>>(
        &mut self,
        src: &Texture,
        _src_usage: wgt::TextureUses,
        dst: &Buffer,
        regions: T,
    ) {
        let regions = regions.collect();
        self.commands.push(Command::TextureToBuffer { from: src.0.clone(), to: dst.0.clone(), regions });
    }

    // Bindings

    unsafe fn set_bind_group(
        &mut self,
        _layout: &PipelineLayout,
        index: u32,
        group: &BindGroup,
        dynamic_offsets: &[wgt::DynamicOffset],
    ) {
        self.binds.set_group(index, group.at(dynamic_offsets));
    }
    unsafe fn set_immediates(&mut self, _layout: &PipelineLayout, offset_bytes: u32, data: &[u32]) {
        self.binds.set_immediates(offset_bytes, data);
    }

    unsafe fn insert_debug_marker(&mut self, _label: &str) {}
    unsafe fn begin_debug_marker(&mut self, _group_label: &str) {}
    unsafe fn end_debug_marker(&mut self) {}

    // Queries

    unsafe fn begin_query(&mut self, _set: &QuerySet, index: u32) {
        if let Some(state) = &mut self.render {
            state.occlusion_query = Some(index);
            state.queries.push(index);
        }
    }
    unsafe fn end_query(&mut self, _set: &QuerySet, _index: u32) {
        if let Some(state) = &mut self.render {
            state.occlusion_query = None;
        }
    }
    unsafe fn write_timestamp(&mut self, set: &QuerySet, index: u32) {
        self.timestamp(Some((set.0.clone(), index)));
    }
    /// Nothing: a write replaces what was there. wgpu-core resets whole ranges, values that others wrote among them.
    unsafe fn reset_queries(&mut self, _set: &QuerySet, _range: Range<u32>) {}
    unsafe fn copy_query_results(
        &mut self,
        set: &QuerySet,
        range: Range<u32>,
        buffer: &Buffer,
        offset: wgt::BufferAddress,
        stride: wgt::BufferSize,
    ) {
        self.commands.push(Command::ResolveQueries {
            set: set.0.clone(),
            range,
            to: buffer.0.clone(),
            offset_bytes: offset,
            stride_bytes: stride.get(),
        });
    }

    // Render passes

    unsafe fn begin_render_pass(
        &mut self,
        desc: &hal::RenderPassDescriptor<'_, QuerySet, TextureView>,
    ) -> Result<(), hal::DeviceError> {
        self.timestamp(pass_timestamp(&desc.timestamp_writes, |w| w.beginning_of_pass_write_index));
        self.binds = Binds::default();
        self.render = Some(RenderState::new(desc));
        Ok(())
    }
    unsafe fn end_render_pass(&mut self) {
        let Some(state) = self.render.take() else { return };
        if let Some(set) = &state.pass.occlusion {
            self.commands.push(Command::ZeroQueries { set: set.clone(), indices: state.queries });
        }
        self.commands.push(Command::RenderPass(Box::new(state.pass)));
        self.timestamp(state.end_timestamp);
    }

    unsafe fn set_render_pipeline(&mut self, pipeline: &RenderPipeline) {
        if let Some(state) = &mut self.render {
            state.pipeline = Some(pipeline.0.clone());
        }
    }
    unsafe fn set_index_buffer<'a>(&mut self, binding: hal::BufferBinding<'a, Buffer>, format: wgt::IndexFormat) {
        if let Some(state) = &mut self.render {
            state.index = Some(work::IndexRange { range: binding::range(&binding), format });
        }
    }
    unsafe fn set_vertex_buffer<'a>(&mut self, index: u32, binding: hal::BufferBinding<'a, Buffer>) {
        if let Some(state) = &mut self.render {
            let slots = Arc::make_mut(&mut state.vertex_buffers);
            let index = index as usize;
            if slots.len() <= index {
                slots.resize(index + 1, None);
            }
            slots[index] = Some(binding::range(&binding));
        }
    }
    unsafe fn set_viewport(&mut self, rect: &hal::Rect<f32>, depth_range: Range<f32>) {
        if let Some(state) = &mut self.render {
            state.viewport = work::Viewport {
                x: rect.x,
                y: rect.y,
                width: rect.w,
                height: rect.h,
                min_depth: depth_range.start,
                max_depth: depth_range.end,
            };
        }
    }
    unsafe fn set_scissor_rect(&mut self, rect: &hal::Rect<u32>) {
        if let Some(state) = &mut self.render {
            state.scissor = work::Rect { x: rect.x, y: rect.y, width: rect.w, height: rect.h };
        }
    }
    unsafe fn set_stencil_reference(&mut self, value: u32) {
        if let Some(state) = &mut self.render {
            state.stencil_reference = value;
        }
    }
    unsafe fn set_blend_constants(&mut self, color: &[f32; 4]) {
        if let Some(state) = &mut self.render {
            state.blend_constant = *color;
        }
    }

    unsafe fn draw(&mut self, first_vertex: u32, vertex_count: u32, first_instance: u32, instance_count: u32) {
        if vertex_count > 0 && instance_count > 0 {
            self.draw_what(DrawKind::Direct { first_vertex, vertex_count, first_instance, instance_count });
        }
    }
    unsafe fn draw_indexed(
        &mut self,
        first_index: u32,
        index_count: u32,
        base_vertex: i32,
        first_instance: u32,
        instance_count: u32,
    ) {
        if index_count > 0 && instance_count > 0 {
            let what = DrawKind::Indexed { first_index, index_count, base_vertex, first_instance, instance_count };
            self.draw_what(what);
        }
    }
    unsafe fn draw_indirect(&mut self, buffer: &Buffer, offset: wgt::BufferAddress, draw_count: u32) {
        self.draw_indirect_each(buffer, offset, draw_count, false);
    }
    unsafe fn draw_indexed_indirect(&mut self, buffer: &Buffer, offset: wgt::BufferAddress, draw_count: u32) {
        self.draw_indirect_each(buffer, offset, draw_count, true);
    }

    // Compute passes

    unsafe fn begin_compute_pass(&mut self, desc: &hal::ComputePassDescriptor<'_, QuerySet>) {
        self.timestamp(pass_timestamp(&desc.timestamp_writes, |w| w.beginning_of_pass_write_index));
        self.binds = Binds::default();
        let end_timestamp = pass_timestamp(&desc.timestamp_writes, |w| w.end_of_pass_write_index);
        self.compute = Some(ComputeState { pipeline: None, end_timestamp });
    }
    unsafe fn end_compute_pass(&mut self) {
        let Some(state) = self.compute.take() else { return };
        self.timestamp(state.end_timestamp);
    }
    unsafe fn set_compute_pipeline(&mut self, pipeline: &ComputePipeline) {
        if let Some(state) = &mut self.compute {
            state.pipeline = Some(pipeline.0.clone());
        }
    }
    unsafe fn dispatch_workgroups(&mut self, count: [u32; 3]) {
        if !count.contains(&0) {
            self.dispatch(DispatchGroups::Direct(count));
        }
    }
    unsafe fn dispatch_workgroups_indirect(&mut self, buffer: &Buffer, offset: wgt::BufferAddress) {
        self.dispatch(DispatchGroups::Indirect { arguments: buffer.0.clone(), offset_bytes: offset });
    }

    // Not offered: wgpu-core refuses these calls without the features that lead here.

    unsafe fn draw_indirect_count(&mut self, _: &Buffer, _: u64, _: &Buffer, _: u64, _: u32) {
        unreachable!("MULTI_DRAW_INDIRECT_COUNT is not offered")
    }
    unsafe fn draw_indexed_indirect_count(&mut self, _: &Buffer, _: u64, _: &Buffer, _: u64, _: u32) {
        unreachable!("MULTI_DRAW_INDIRECT_COUNT is not offered")
    }
    unsafe fn draw_mesh_tasks(&mut self, _: u32, _: u32, _: u32) {
        unreachable!("EXPERIMENTAL_MESH_SHADER is not offered")
    }
    unsafe fn draw_mesh_tasks_indirect(&mut self, _: &Buffer, _: u64, _: u32) {
        unreachable!("EXPERIMENTAL_MESH_SHADER is not offered")
    }
    unsafe fn draw_mesh_tasks_indirect_count(&mut self, _: &Buffer, _: u64, _: &Buffer, _: u64, _: u32) {
        unreachable!("EXPERIMENTAL_MESH_SHADER is not offered")
    }
    unsafe fn begin_ray_tracing_pass(&mut self, _: &hal::RayTracingPassDescriptor<'_>) {
        unreachable!("EXPERIMENTAL_RAY_TRACING_PIPELINES is not offered")
    }
    unsafe fn end_ray_tracing_pass(&mut self) {
        unreachable!("EXPERIMENTAL_RAY_TRACING_PIPELINES is not offered")
    }
    unsafe fn set_ray_tracing_pipeline(&mut self, pipeline: &Never) {
        match *pipeline {}
    }
    unsafe fn trace_rays<'a>(
        &mut self,
        _: [u32; 3],
        _: hal::PipelineGroupData<'a, Buffer>,
        _: hal::PipelineGroupData<'a, Buffer>,
        _: hal::PipelineGroupData<'a, Buffer>,
    ) {
        unreachable!("EXPERIMENTAL_RAY_TRACING_PIPELINES is not offered")
    }
    unsafe fn copy_acceleration_structure_to_acceleration_structure(
        &mut self,
        src: &Never,
        _: &Never,
        _: wgt::AccelerationStructureCopy,
    ) {
        match *src {}
    }
    unsafe fn build_acceleration_structures<'a, T>(&mut self, _descriptor_count: u32, _descriptors: T)
    where
        Api: 'a,
        T: IntoIterator<Item = hal::BuildAccelerationStructureDescriptor<'a, Buffer, Never>>,
    {
    }
    unsafe fn place_acceleration_structure_barrier(&mut self, _barrier: hal::AccelerationStructureBarrier) {}
    unsafe fn read_acceleration_structure_compact_size(&mut self, structure: &Never, _: &Buffer) {
        match *structure {}
    }
    unsafe fn set_acceleration_structure_dependencies(_: &[&CommandBuffer], _: &[&Never]) {}
}
