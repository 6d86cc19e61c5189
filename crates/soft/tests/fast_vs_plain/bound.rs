//! Bound: buffers and textures that random programs find in their bind groups.

use stillframe_soft::wgpu;

use crate::device::Gpu;

/// The textures of `effects`, filled and bound.
pub struct Textures {
    pub layout: wgpu::BindGroupLayout,
    pub group: wgpu::BindGroup,
    stored: Vec<wgpu::Texture>,
}

impl Textures {
    pub fn new(gpu: &Gpu, visibility: wgpu::ShaderStages, stored: bool) -> Textures {
        use wgpu::{TextureFormat as Tf, TextureUsages as Tu, TextureViewDimension as Dim};
        let texture = |size: u32, layers: u32, mips: u32, format, usage| {
            let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size: wgpu::Extent3d { width: size, height: size - 1, depth_or_array_layers: layers },
                mip_level_count: mips,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: Tu::COPY_DST | Tu::COPY_SRC | usage,
                view_formats: &[],
            });
            for mip_level in 0..mips {
                let mip = texture.size().mip_level_size(mip_level, wgpu::TextureDimension::D2);
                let data: Vec<u8> = (0..4 * mip.width * mip.height * layers)
                    .map(|i| (i.wrapping_add(7 * mip_level).wrapping_mul(0x9E37_79B1) >> 23) as u8)
                    .collect();
                gpu.queue.write_texture(
                    wgpu::TexelCopyTextureInfo { mip_level, ..texture.as_image_copy() },
                    &data,
                    wgpu::TexelCopyBufferLayout {
                        offset: 0,
                        bytes_per_row: Some(4 * mip.width),
                        rows_per_image: Some(mip.height),
                    },
                    mip,
                );
            }
            texture
        };
        let tex = texture(8, 1, 3, Tf::Rgba8Unorm, Tu::TEXTURE_BINDING);
        let utex = texture(7, 3, 2, Tf::Rgba8Uint, Tu::TEXTURE_BINDING);
        let mut kept = vec![];
        if stored {
            kept.push(texture(8, 1, 1, Tf::R32Uint, Tu::STORAGE_BINDING));
            kept.push(texture(8, 2, 1, Tf::Rgba8Snorm, Tu::STORAGE_BINDING));
        }
        let sampler = |filter, mipmap_filter| {
            gpu.device.create_sampler(&wgpu::SamplerDescriptor {
                address_mode_u: wgpu::AddressMode::MirrorRepeat,
                address_mode_v: wgpu::AddressMode::Repeat,
                mag_filter: filter,
                min_filter: filter,
                mipmap_filter,
                ..Default::default()
            })
        };
        let linear = sampler(wgpu::FilterMode::Linear, wgpu::MipmapFilterMode::Linear);
        let nearest = sampler(wgpu::FilterMode::Nearest, wgpu::MipmapFilterMode::Nearest);
        let view = |texture: &wgpu::Texture, dimension| {
            texture.create_view(&wgpu::TextureViewDescriptor { dimension: Some(dimension), ..Default::default() })
        };
        let sampled = |sample_type, view_dimension| wgpu::BindingType::Texture {
            sample_type,
            view_dimension,
            multisampled: false,
        };
        let storage =
            |access, format, view_dimension| wgpu::BindingType::StorageTexture { access, format, view_dimension };
        let mut types = vec![
            sampled(wgpu::TextureSampleType::Float { filterable: true }, Dim::D2),
            wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
            sampled(wgpu::TextureSampleType::Uint, Dim::D2Array),
            wgpu::BindingType::Sampler(wgpu::SamplerBindingType::NonFiltering),
        ];
        let (tex, utex) = (view(&tex, Dim::D2), view(&utex, Dim::D2Array));
        let views: Vec<_> = kept.iter().zip([Dim::D2, Dim::D2Array]).map(|(t, d)| view(t, d)).collect();
        let mut resources = vec![
            wgpu::BindingResource::TextureView(&tex),
            wgpu::BindingResource::Sampler(&linear),
            wgpu::BindingResource::TextureView(&utex),
            wgpu::BindingResource::Sampler(&nearest),
        ];
        if stored {
            types.push(storage(wgpu::StorageTextureAccess::ReadWrite, Tf::R32Uint, Dim::D2));
            types.push(storage(wgpu::StorageTextureAccess::WriteOnly, Tf::Rgba8Snorm, Dim::D2Array));
            resources.extend(views.iter().map(wgpu::BindingResource::TextureView));
        }
        let entries: Vec<_> = types
            .into_iter()
            .zip(0..)
            .map(|(ty, binding)| wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None })
            .collect();
        let layout =
            gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries });
        let entries: Vec<_> = resources
            .into_iter()
            .zip(0..)
            .map(|(resource, binding)| wgpu::BindGroupEntry { binding, resource })
            .collect();
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &layout,
            entries: &entries,
        });
        Textures { layout, group, stored: kept }
    }

    /// What the programs have left in the textures that they may write.
    pub fn stored(&self, gpu: &Gpu) -> Vec<(String, Vec<u32>)> {
        self.stored.iter().map(|t| (format!("{:?}", t.format()), gpu.read_texture(t))).collect()
    }
}

/// A bind group of buffers, 0 and up; those of `moved` have dynamic offsets, and so many bytes are bound.
pub fn bind(
    gpu: &Gpu,
    buffers: &[wgpu::Buffer],
    types: &[wgpu::BufferBindingType],
    moved: &[(u32, u32)],
    visibility: wgpu::ShaderStages,
) -> (wgpu::BindGroupLayout, wgpu::BindGroup) {
    let moves = |binding: u32| moved.iter().find(|m| m.0 == binding).map(|m| m.1);
    let entries: Vec<wgpu::BindGroupLayoutEntry> = types
        .iter()
        .zip(0..)
        .map(|(&ty, binding)| {
            let has_dynamic_offset = moves(binding).is_some();
            let ty = wgpu::BindingType::Buffer { ty, has_dynamic_offset, min_binding_size: None };
            wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None }
        })
        .collect();
    let layout =
        gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries });
    let entries: Vec<wgpu::BindGroupEntry<'_>> = buffers
        .iter()
        .zip(0..)
        .map(|(buffer, binding)| {
            let size = moves(binding).and_then(|bytes| std::num::NonZeroU64::new(bytes.into()));
            let resource = wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset: 0, size });
            wgpu::BindGroupEntry { binding, resource }
        })
        .collect();
    let group =
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout: &layout, entries: &entries });
    (layout, group)
}
