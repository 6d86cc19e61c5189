//! Pipeline: a shader's entry point with its overrides applied and lowered; states as wgpu describes them.

use std::sync::Arc;

use naga::back::pipeline_constants::process_overrides;
use wgpu_hal as hal;
use wgpu_types as wgt;

use super::resource::{Never, PipelineLayout, ShaderModule};
use crate::program;
use crate::work;

type RenderDescriptor<'a> = hal::RenderPipelineDescriptor<'a, PipelineLayout, ShaderModule, Never>;
type ComputeDescriptor<'a> = hal::ComputePipelineDescriptor<'a, PipelineLayout, ShaderModule, Never>;

/// A render pipeline; what the lowering cannot do is a link error that says so.
pub fn render(desc: &RenderDescriptor<'_>) -> Result<work::RenderPipeline, hal::PipelineError> {
    let hal::VertexProcessor::Standard { vertex_buffers, vertex_stage } = &desc.vertex_processor else {
        let message = "mesh shaders are not offered".to_owned();
        return Err(hal::PipelineError::Linkage(wgt::ShaderStages::MESH, message));
    };
    let fragment = desc.fragment_stage.as_ref().map(|s| stage(s, naga::ShaderStage::Fragment)).transpose()?;
    Ok(work::RenderPipeline {
        vertex: stage(vertex_stage, naga::ShaderStage::Vertex)?,
        fragment,
        vertex_buffers: vertex_buffers.iter().map(|slot| slot.as_ref().map(vertex_buffer)).collect(),
        primitive: desc.primitive,
        depth_stencil: desc.depth_stencil.clone(),
        multisample: desc.multisample,
        color_targets: desc.color_targets.to_vec(),
    })
}

/// A compute pipeline.
pub fn compute(desc: &ComputeDescriptor<'_>) -> Result<work::ComputePipeline, hal::PipelineError> {
    Ok(work::ComputePipeline { stage: stage(&desc.stage, naga::ShaderStage::Compute)? })
}

pub fn label(label: hal::Label<'_>) -> String {
    label.unwrap_or_default().to_owned()
}

fn vertex_buffer(layout: &hal::VertexBufferLayout<'_>) -> work::VertexBufferLayout {
    work::VertexBufferLayout {
        stride_bytes: layout.array_stride,
        step_mode: layout.step_mode,
        attributes: layout.attributes.to_vec(),
    }
}

fn stage(
    desc: &hal::ProgrammableStage<'_, ShaderModule>,
    stage: naga::ShaderStage,
) -> Result<work::Stage, hal::PipelineError> {
    let shader = specialise(&desc.module.shader, desc, stage)?;
    let is_entry = |e: &naga::EntryPoint| e.stage == stage && e.name == desc.entry_point;
    let entry_index = shader.module.entry_points.iter().position(is_entry);
    let entry_index = entry_index.ok_or(hal::PipelineError::EntryPoint(stage))?;
    let program = program::lower(&shader, entry_index).map_err(|error| {
        let message = format!("shader `{}`, entry point `{}`: {error}", desc.module.label, desc.entry_point);
        hal::PipelineError::Linkage(flags(stage), message)
    })?;
    Ok(work::Stage { shader, entry_index, program })
}

/// The module with the pipeline's constants in place of its overrides; the same module where it has none.
fn specialise(
    shader: &Arc<work::Shader>,
    desc: &hal::ProgrammableStage<'_, ShaderModule>,
    stage: naga::ShaderStage,
) -> Result<Arc<work::Shader>, hal::PipelineError> {
    if shader.module.overrides.is_empty() && desc.constants.is_empty() {
        return Ok(shader.clone());
    }
    let entry = Some((stage, desc.entry_point));
    let (module, info) = process_overrides(&shader.module, &shader.info, entry, desc.constants)
        .map_err(|error| hal::PipelineError::PipelineConstants(flags(stage), error.to_string()))?;
    Ok(Arc::new(work::Shader { module: module.into_owned(), info: info.into_owned() }))
}

fn flags(stage: naga::ShaderStage) -> wgt::ShaderStages {
    match stage {
        naga::ShaderStage::Vertex => wgt::ShaderStages::VERTEX,
        naga::ShaderStage::Fragment => wgt::ShaderStages::FRAGMENT,
        naga::ShaderStage::Compute => wgt::ShaderStages::COMPUTE,
        _ => wgt::ShaderStages::NONE,
    }
}
