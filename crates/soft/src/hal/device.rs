//! Device: makes resources, and keeps what they share.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use wgpu_hal as hal;
use wgpu_types as wgt;

use super::adapter::Settings;
use super::encoder::Encoder;
use super::queue::Queue;
use super::resource::{
    BindGroup, BindGroupLayout, Buffer, ComputePipeline, Fence, Never, PipelineLayout, QuerySet, RenderPipeline,
    Sampler, ShaderModule, Texture, TextureView,
};
use super::{Api, pipeline, resource};
use crate::engine::Engine;
use crate::store::{self, Ledger, Memory};
use crate::work::{self, Fault};

/// What a device and its queue have in common.
#[derive(Debug)]
pub struct Shared {
    pub engine: Engine,
    pub ledger: Arc<Ledger>,
    /// Ticks handed out to timestamp queries.
    ticks: AtomicU64,
    /// Why the device was lost.
    fault: Mutex<Option<Fault>>,
    /// Held while commands run, which alone write textures.
    running: Mutex<()>,
}

impl Shared {
    pub fn new(settings: &Settings) -> Shared {
        Shared {
            engine: settings.engine(),
            ledger: Arc::new(Ledger::new(settings.memory_limit_bytes)),
            ticks: AtomicU64::new(0),
            fault: Mutex::new(None),
            running: Mutex::new(()),
        }
    }

    /// The next tick: 1, 2, 3 ... in order of execution, whatever the clock says.
    pub fn tick(&self) -> u64 {
        self.ticks.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Does something while no command of another thread runs.
    pub fn exclusive<T>(&self, work: impl FnOnce() -> T) -> T {
        let _running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        work()
    }

    /// The fault that lost the device.
    pub fn fault(&self) -> Option<Fault> {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn alive(&self) -> Result<(), hal::DeviceError> {
        if self.fault().is_some() { Err(hal::DeviceError::Lost) } else { Ok(()) }
    }

    /// Remembers a fault and says what it is to wgpu-core, whose errors carry no text.
    pub fn fail(&self, fault: Fault) -> hal::DeviceError {
        let error = match fault {
            Fault::StepBudget { .. } => hal::DeviceError::Lost,
        };
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(fault);
        error
    }
}

#[derive(Debug)]
pub struct Device {
    pub shared: Arc<Shared>,
}

impl hal::Device for Device {
    type A = Api;

    unsafe fn create_buffer(&self, desc: &hal::BufferDescriptor<'_>) -> Result<Buffer, hal::DeviceError> {
        let size = usize::try_from(desc.size).map_err(|_| hal::DeviceError::OutOfMemory)?;
        let memory = Memory::charged(size, &self.shared.ledger).ok_or(hal::DeviceError::OutOfMemory)?;
        Ok(Buffer(Arc::new(store::Buffer { memory, size_bytes: desc.size })))
    }
    unsafe fn destroy_buffer(&self, _buffer: Buffer) {}
    unsafe fn add_raw_buffer(&self, _buffer: &Buffer) {}

    /// Buffers live in host memory, so a mapping is the memory itself.
    unsafe fn map_buffer(
        &self,
        buffer: &Buffer,
        range: hal::MemoryRange,
    ) -> Result<hal::BufferMapping, hal::DeviceError> {
        let memory = &buffer.0.memory;
        assert!(range.end <= memory.size_bytes() as u64, "mapping {range:?} of {} bytes", memory.size_bytes());
        let start = memory.as_ptr().wrapping_add(range.start as usize);
        let ptr = NonNull::new(start).ok_or(hal::DeviceError::Unexpected)?;
        Ok(hal::BufferMapping { ptr, is_coherent: true })
    }
    unsafe fn unmap_buffer(&self, _buffer: &Buffer) {}
    unsafe fn flush_mapped_ranges<I>(&self, _buffer: &Buffer, _ranges: I) {}
    unsafe fn invalidate_mapped_ranges<I>(&self, _buffer: &Buffer, _ranges: I) {}

    unsafe fn create_texture(&self, desc: &hal::TextureDescriptor<'_>) -> Result<Texture, hal::DeviceError> {
        let ledger = &self.shared.ledger;
        let (levels, samples) = (desc.mip_level_count, desc.sample_count);
        let texture = store::Texture::new(desc.format, desc.dimension, desc.size, levels, samples, ledger);
        Ok(Texture(Arc::new(texture.ok_or(hal::DeviceError::OutOfMemory)?)))
    }
    unsafe fn destroy_texture(&self, _texture: Texture) {}
    unsafe fn add_raw_texture(&self, _texture: &Texture) {}

    unsafe fn create_texture_view(
        &self,
        texture: &Texture,
        desc: &hal::TextureViewDescriptor<'_>,
    ) -> Result<TextureView, hal::DeviceError> {
        Ok(TextureView(Arc::new(resource::view(&texture.0, desc))))
    }
    unsafe fn destroy_texture_view(&self, _view: TextureView) {}
    unsafe fn create_sampler(&self, desc: &hal::SamplerDescriptor<'_>) -> Result<Sampler, hal::DeviceError> {
        Ok(Sampler(Arc::new(resource::sampler(desc))))
    }
    unsafe fn destroy_sampler(&self, _sampler: Sampler) {}

    unsafe fn create_command_encoder(
        &self,
        _desc: &hal::CommandEncoderDescriptor<'_, Queue>,
    ) -> Result<Encoder, hal::DeviceError> {
        Ok(Encoder::default())
    }

    unsafe fn create_bind_group_layout(
        &self,
        desc: &hal::BindGroupLayoutDescriptor<'_>,
    ) -> Result<BindGroupLayout, hal::DeviceError> {
        let mut entries = desc.entries.to_vec();
        entries.sort_by_key(|entry| entry.binding);
        Ok(BindGroupLayout { entries })
    }
    unsafe fn destroy_bind_group_layout(&self, _layout: BindGroupLayout) {}
    unsafe fn create_pipeline_layout(
        &self,
        _desc: &hal::PipelineLayoutDescriptor<'_, BindGroupLayout>,
    ) -> Result<PipelineLayout, hal::DeviceError> {
        Ok(PipelineLayout)
    }
    unsafe fn destroy_pipeline_layout(&self, _layout: PipelineLayout) {}

    unsafe fn create_bind_group(
        &self,
        desc: &hal::BindGroupDescriptor<'_, BindGroupLayout, Buffer, Sampler, TextureView, Never>,
    ) -> Result<BindGroup, hal::DeviceError> {
        Ok(resource::bind_group(desc))
    }
    unsafe fn destroy_bind_group(&self, _group: BindGroup) {}

    unsafe fn create_shader_module(
        &self,
        desc: &hal::ShaderModuleDescriptor<'_>,
        shader: hal::ShaderInput<'_>,
    ) -> Result<ShaderModule, hal::ShaderError> {
        let hal::ShaderInput::Naga(naga) = shader else {
            return Err(hal::ShaderError::Compilation("only naga modules are taken".to_owned()));
        };
        let shader = Arc::new(work::Shader { module: naga.module.into_owned(), info: naga.info });
        Ok(ShaderModule { label: pipeline::label(desc.label), shader })
    }
    unsafe fn destroy_shader_module(&self, _module: ShaderModule) {}
    unsafe fn create_render_pipeline(
        &self,
        desc: &hal::RenderPipelineDescriptor<'_, PipelineLayout, ShaderModule, Never>,
    ) -> Result<RenderPipeline, hal::PipelineError> {
        Ok(RenderPipeline(Arc::new(pipeline::render(desc)?)))
    }
    unsafe fn destroy_render_pipeline(&self, _pipeline: RenderPipeline) {}
    unsafe fn create_compute_pipeline(
        &self,
        desc: &hal::ComputePipelineDescriptor<'_, PipelineLayout, ShaderModule, Never>,
    ) -> Result<ComputePipeline, hal::PipelineError> {
        Ok(ComputePipeline(Arc::new(pipeline::compute(desc)?)))
    }
    unsafe fn destroy_compute_pipeline(&self, _pipeline: ComputePipeline) {}

    unsafe fn create_query_set(
        &self,
        desc: &wgt::QuerySetDescriptor<hal::Label<'_>>,
    ) -> Result<QuerySet, hal::DeviceError> {
        let values = (0..desc.count).map(|_| AtomicU64::new(0)).collect();
        Ok(QuerySet(Arc::new(store::QuerySet { values })))
    }
    unsafe fn destroy_query_set(&self, _set: QuerySet) {}

    unsafe fn create_fence(&self) -> Result<Fence, hal::DeviceError> {
        Ok(Fence::default())
    }
    unsafe fn destroy_fence(&self, _fence: Fence) {}
    unsafe fn get_fence_value(&self, fence: &Fence) -> Result<hal::FenceValue, hal::DeviceError> {
        Ok(fence.0.load(Ordering::Acquire))
    }
    /// Submissions are done when `submit` returns: a value that is not there will not come.
    unsafe fn wait(
        &self,
        fence: &Fence,
        value: hal::FenceValue,
        _timeout: Option<Duration>,
    ) -> Result<bool, hal::DeviceError> {
        self.shared.alive()?;
        Ok(fence.0.load(Ordering::Acquire) >= value)
    }

    unsafe fn start_graphics_debugger_capture(&self) -> bool {
        false
    }
    unsafe fn stop_graphics_debugger_capture(&self) {}

    fn get_internal_counters(&self) -> wgt::HalCounters {
        wgt::HalCounters::default()
    }
    fn check_if_oom(&self) -> Result<(), hal::DeviceError> {
        Ok(())
    }

    // Not offered: no feature that leads here is reported.

    unsafe fn create_pipeline_cache(
        &self,
        _desc: &hal::PipelineCacheDescriptor<'_>,
    ) -> Result<Never, hal::PipelineCacheError> {
        Err(hal::DeviceError::Unexpected.into())
    }
    unsafe fn destroy_pipeline_cache(&self, cache: Never) {
        match cache {}
    }
    unsafe fn create_ray_tracing_pipeline(
        &self,
        _desc: &hal::RayTracingPipelineDescriptor<'_, PipelineLayout, ShaderModule, Never>,
    ) -> Result<Never, hal::PipelineError> {
        Err(hal::DeviceError::Unexpected.into())
    }
    unsafe fn destroy_ray_tracing_pipeline(&self, pipeline: Never) {
        match pipeline {}
    }
    unsafe fn get_raytracing_pipeline_group_data(
        &self,
        pipeline: &Never,
        _groups: std::ops::Range<u32>,
    ) -> Result<Vec<u8>, hal::DeviceError> {
        match *pipeline {}
    }
    unsafe fn create_acceleration_structure(
        &self,
        _desc: &hal::AccelerationStructureDescriptor<'_>,
    ) -> Result<Never, hal::DeviceError> {
        Err(hal::DeviceError::Unexpected)
    }
    unsafe fn get_acceleration_structure_build_sizes(
        &self,
        _desc: &hal::GetAccelerationStructureBuildSizesDescriptor<'_, Buffer>,
    ) -> hal::AccelerationStructureBuildSizes {
        hal::AccelerationStructureBuildSizes::default()
    }
    unsafe fn get_acceleration_structure_device_address(&self, structure: &Never) -> wgt::BufferAddress {
        match *structure {}
    }
    unsafe fn destroy_acceleration_structure(&self, structure: Never) {
        match structure {}
    }
    fn tlas_instance_to_bytes(&self, _instance: hal::TlasInstance) -> Vec<u8> {
        Vec::new()
    }
}
