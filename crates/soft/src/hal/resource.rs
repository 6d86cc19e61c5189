//! Resource: what wgpu-core holds. Each is a reference to plain data of `store` or `work`, or a little data itself.

use std::any::Any;
use std::borrow::Borrow;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use wgpu_hal as hal;
use wgpu_types as wgt;

use super::adapter::{Adapter, Instance};
use super::command::CommandBuffer;
use super::device::Device;
use super::encoder::Encoder;
use super::queue::Queue;
use super::{Api, binding};
use crate::{store, work};

#[derive(Debug)]
pub struct Buffer(pub Arc<store::Buffer>);

#[derive(Debug)]
pub struct Texture(pub Arc<store::Texture>);

#[derive(Debug)]
pub struct TextureView(pub Arc<store::TextureView>);

#[derive(Debug)]
pub struct Sampler(pub Arc<store::Sampler>);

#[derive(Debug)]
pub struct QuerySet(pub Arc<store::QuerySet>);

/// The value of the last submission that is done.
#[derive(Debug, Default)]
pub struct Fence(pub AtomicU64);

/// Entries, ascending by binding number.
#[derive(Debug)]
pub struct BindGroupLayout {
    pub entries: Vec<wgt::BindGroupLayoutEntry>,
}

/// Resources by binding number.
#[derive(Debug)]
pub struct BindGroup {
    pub group: Arc<work::BindGroup>,
    /// Indices into `group.entries` that take the dynamic offsets, in order.
    pub dynamic: Vec<usize>,
}

/// Nothing to remember: bindings are looked up by number.
#[derive(Debug)]
pub struct PipelineLayout;

#[derive(Debug)]
pub struct ShaderModule {
    pub label: String,
    pub shader: Arc<work::Shader>,
}

#[derive(Debug)]
pub struct RenderPipeline(pub Arc<work::RenderPipeline>);

#[derive(Debug)]
pub struct ComputePipeline(pub Arc<work::ComputePipeline>);

/// What this adapter does not have: surfaces, acceleration structures, ray tracing pipelines, pipeline caches.
#[derive(Debug)]
pub enum Never {}

macro_rules! resources {
    ($($type:ty: $($marker:ident)*;)*) => {$(
        impl hal::DynResource for $type {
            fn as_any(&self) -> &dyn Any {
                self
            }
            fn as_any_mut(&mut self) -> &mut dyn Any {
                self
            }
        }
        $(impl hal::$marker for $type {})*
    )*};
}

resources! {
    Instance: ;
    Adapter: ;
    Device: ;
    Queue: ;
    Encoder: ;
    CommandBuffer: DynCommandBuffer;
    Buffer: DynBuffer;
    Texture: DynTexture;
    TextureView: DynTextureView;
    Sampler: DynSampler;
    QuerySet: DynQuerySet;
    Fence: DynFence;
    BindGroupLayout: DynBindGroupLayout;
    BindGroup: DynBindGroup;
    PipelineLayout: DynPipelineLayout;
    ShaderModule: DynShaderModule;
    RenderPipeline: DynRenderPipeline;
    ComputePipeline: DynComputePipeline;
    Never: DynSurfaceTexture DynAccelerationStructure DynRayTracingPipeline DynPipelineCache;
}

impl Borrow<Texture> for Never {
    fn borrow(&self) -> &Texture {
        match *self {}
    }
}

impl Borrow<dyn hal::DynTexture> for Never {
    fn borrow(&self) -> &dyn hal::DynTexture {
        match *self {}
    }
}

impl hal::Surface for Never {
    type A = Api;

    unsafe fn configure(&self, _: &Device, _: &hal::SurfaceConfiguration) -> Result<(), hal::SurfaceError> {
        match *self {}
    }
    unsafe fn unconfigure(&self, _: &Device) {
        match *self {}
    }
    unsafe fn acquire_texture(
        &self,
        _: Option<Duration>,
        _: &Fence,
    ) -> Result<hal::AcquiredSurfaceTexture<Api>, hal::SurfaceError> {
        match *self {}
    }
    unsafe fn discard_texture(&self, _: Never) {
        match *self {}
    }
}

type BindGroupDescriptor<'a> = hal::BindGroupDescriptor<'a, BindGroupLayout, Buffer, Sampler, TextureView, Never>;

/// Resolves the entries of a bind group. The layout says which list an entry's index counts in.
pub fn bind_group(desc: &BindGroupDescriptor<'_>) -> BindGroup {
    let mut group = work::BindGroup::default();
    let mut dynamic = Vec::new();
    for layout in &desc.layout.entries {
        let Some(entry) = desc.entries.iter().find(|entry| entry.binding == layout.binding) else { continue };
        let index = entry.resource_index as usize;
        let resource = match layout.ty {
            wgt::BindingType::Buffer { has_dynamic_offset, .. } => {
                if has_dynamic_offset {
                    dynamic.push(group.entries.len());
                }
                let work::BufferRange { buffer, offset_bytes, size_bytes } = binding::range(&desc.buffers[index]);
                work::Binding::Buffer { buffer, offset_bytes, size_bytes }
            }
            wgt::BindingType::Sampler(_) => work::Binding::Sampler(desc.samplers[index].0.clone()),
            wgt::BindingType::Texture { .. } | wgt::BindingType::StorageTexture { .. } => {
                work::Binding::Texture(desc.textures[index].view.0.clone())
            }
            wgt::BindingType::AccelerationStructure { .. } | wgt::BindingType::ExternalTexture => continue,
        };
        group.entries.push((layout.binding, resource));
    }
    BindGroup { group: Arc::new(group), dynamic }
}

impl BindGroup {
    /// The group as a draw sees it; shared where no offset moves anything.
    pub fn at(&self, offsets: &[wgt::DynamicOffset]) -> Arc<work::BindGroup> {
        if offsets.iter().all(|&offset| offset == 0) {
            return self.group.clone();
        }
        let mut group = work::BindGroup::clone(&self.group);
        for (&index, &offset) in self.dynamic.iter().zip(offsets) {
            if let work::Binding::Buffer { offset_bytes, .. } = &mut group.entries[index].1 {
                *offset_bytes += u64::from(offset);
            }
        }
        Arc::new(group)
    }
}

/// Sampler as `store` keeps it.
pub fn sampler(desc: &hal::SamplerDescriptor<'_>) -> store::Sampler {
    store::Sampler {
        address_modes: desc.address_modes,
        mag_filter: desc.mag_filter,
        min_filter: desc.min_filter,
        mipmap_filter: desc.mipmap_filter,
        lod_clamp: desc.lod_clamp.clone(),
        compare: desc.compare,
        anisotropy_clamp: desc.anisotropy_clamp,
        border_color: desc.border_color,
    }
}

/// View as `store` keeps it: every count is written out.
pub fn view(texture: &Arc<store::Texture>, desc: &hal::TextureViewDescriptor<'_>) -> store::TextureView {
    let range = &desc.range;
    let mips = texture.plane(range.aspect).len() as u32;
    let layers = match texture.dimension {
        wgt::TextureDimension::D2 => texture.size.depth_or_array_layers,
        wgt::TextureDimension::D1 | wgt::TextureDimension::D3 => 1,
    };
    store::TextureView {
        texture: texture.clone(),
        format: desc.format,
        dimension: desc.dimension,
        aspect: range.aspect,
        base_mip: range.base_mip_level,
        mip_count: range.mip_level_count.unwrap_or(mips.saturating_sub(range.base_mip_level)),
        base_layer: range.base_array_layer,
        layer_count: range.array_layer_count.unwrap_or(layers.saturating_sub(range.base_array_layer)),
    }
}
