//! Bind: layouts, groups and buffers, in short words.

use wgpu::{BindGroup, BindGroupLayout, BindingResource, BindingType, Buffer, BufferUsages, Device, ShaderStages};

pub const VERTEX: ShaderStages = ShaderStages::VERTEX;
pub const FRAGMENT: ShaderStages = ShaderStages::FRAGMENT;
pub const VERTEX_FRAGMENT: ShaderStages = ShaderStages::VERTEX_FRAGMENT;
pub const COMPUTE: ShaderStages = ShaderStages::COMPUTE;

pub const UNIFORM: BindingType = buffer(wgpu::BufferBindingType::Uniform, false);
/// A uniform whose place in its buffer is chosen when it is set.
pub const UNIFORM_AT: BindingType = buffer(wgpu::BufferBindingType::Uniform, true);
pub const STORAGE_READ: BindingType = buffer(wgpu::BufferBindingType::Storage { read_only: true }, false);
pub const STORAGE_WRITE: BindingType = buffer(wgpu::BufferBindingType::Storage { read_only: false }, false);
pub const SAMPLER: BindingType = BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
pub const COMPARISON: BindingType = BindingType::Sampler(wgpu::SamplerBindingType::Comparison);
pub const TEXTURE: BindingType = texture(true, wgpu::TextureViewDimension::D2);
pub const TEXTURE_UINT: BindingType = BindingType::Texture {
    sample_type: wgpu::TextureSampleType::Uint,
    view_dimension: wgpu::TextureViewDimension::D2,
    multisampled: false,
};
/// Read texel by texel only.
pub const TEXTURE_RAW: BindingType = texture(false, wgpu::TextureViewDimension::D2);
pub const TEXTURE_ARRAY: BindingType = texture(true, wgpu::TextureViewDimension::D2Array);
pub const TEXTURE_CUBE: BindingType = texture(true, wgpu::TextureViewDimension::Cube);
pub const TEXTURE_CUBES: BindingType = texture(true, wgpu::TextureViewDimension::CubeArray);
pub const TEXTURE_FACES: BindingType = texture(false, wgpu::TextureViewDimension::D2Array);
pub const DEPTH: BindingType = BindingType::Texture {
    sample_type: wgpu::TextureSampleType::Depth,
    view_dimension: wgpu::TextureViewDimension::D2,
    multisampled: false,
};
pub const DEPTH_ARRAY: BindingType = BindingType::Texture {
    sample_type: wgpu::TextureSampleType::Depth,
    view_dimension: wgpu::TextureViewDimension::D2Array,
    multisampled: false,
};

const fn buffer(ty: wgpu::BufferBindingType, has_dynamic_offset: bool) -> BindingType {
    BindingType::Buffer { ty, has_dynamic_offset, min_binding_size: None }
}

const fn texture(filterable: bool, view_dimension: wgpu::TextureViewDimension) -> BindingType {
    BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable },
        view_dimension,
        multisampled: false,
    }
}

/// `(binding, stages, type)`.
pub type Entry = (u32, ShaderStages, BindingType);

/// Layouts by what they hold, each made once.
#[derive(Debug, Default)]
pub struct Layouts {
    made: Vec<(Vec<Entry>, BindGroupLayout)>,
}

impl Layouts {
    #[cfg(test)]
    pub fn count(&self) -> usize {
        self.made.len()
    }

    pub fn layout(&mut self, device: &Device, label: &str, entries: &[Entry]) -> BindGroupLayout {
        if let Some((_, made)) = self.made.iter().find(|(known, _)| known == entries) {
            return made.clone();
        }
        let listed: Vec<_> = entries
            .iter()
            .map(|&(binding, visibility, ty)| wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None })
            .collect();
        let descriptor = wgpu::BindGroupLayoutDescriptor { label: Some(label), entries: &listed };
        let made = device.create_bind_group_layout(&descriptor);
        self.made.push((entries.to_vec(), made.clone()));
        made
    }
}

/// A group of `(binding, resource)`.
pub fn group(
    device: &Device,
    label: &str,
    layout: &BindGroupLayout,
    entries: &[(u32, BindingResource<'_>)],
) -> BindGroup {
    let entries: Vec<_> = entries
        .iter()
        .map(|(binding, resource)| wgpu::BindGroupEntry { binding: *binding, resource: resource.clone() })
        .collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some(label), layout, entries: &entries })
}

/// A buffer that holds `bytes`, or 16 zeros where there are none: no binding may be empty.
pub fn filled(device: &Device, label: &str, usage: BufferUsages, bytes: &[u8]) -> Buffer {
    let size = (bytes.len() as u64).max(16).next_multiple_of(4);
    let descriptor = wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: true };
    let buffer = device.create_buffer(&descriptor);
    if !bytes.is_empty() {
        let mut range =
            buffer.get_mapped_range_mut(..bytes.len().next_multiple_of(4) as u64).expect("mapped when made");
        range.slice(..bytes.len()).copy_from_slice(bytes);
    }
    buffer.unmap();
    buffer
}
