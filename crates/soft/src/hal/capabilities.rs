//! Capabilities: features, limits and what each texture format can do. Only what works is listed.

use wgpu_hal as hal;
use wgpu_types as wgt;

/// Everything that wgpu may switch on.
pub fn features() -> wgt::Features {
    wgt::Features::DEPTH_CLIP_CONTROL
        | wgt::Features::DEPTH32FLOAT_STENCIL8
        | wgt::Features::TEXTURE_COMPRESSION_BC
        | wgt::Features::TEXTURE_COMPRESSION_BC_SLICED_3D
        | wgt::Features::TIMESTAMP_QUERY
        | wgt::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS
        | wgt::Features::INDIRECT_FIRST_INSTANCE
        | wgt::Features::RG11B10UFLOAT_RENDERABLE
        | wgt::Features::BGRA8UNORM_STORAGE
        | wgt::Features::FLOAT32_FILTERABLE
        | wgt::Features::FLOAT32_BLENDABLE
        | wgt::Features::DUAL_SOURCE_BLENDING
        | wgt::Features::TEXTURE_FORMAT_16BIT_NORM
        | wgt::Features::TEXTURE_ADAPTER_SPECIFIC_FORMAT_FEATURES
        | wgt::Features::ADDRESS_MODE_CLAMP_TO_ZERO
        | wgt::Features::ADDRESS_MODE_CLAMP_TO_BORDER
        | wgt::Features::PRIMITIVE_INDEX
        | wgt::Features::SHADER_EARLY_DEPTH_TEST
        | wgt::Features::CLEAR_TEXTURE
        | wgt::Features::MAPPABLE_PRIMARY_BUFFERS
        | wgt::Features::IMMEDIATES
}

/// The limits: WebGPU's defaults or better.
pub fn limits() -> wgt::Limits {
    wgt::Limits {
        max_texture_dimension_1d: 16384,
        max_texture_dimension_2d: 65536,
        max_texture_dimension_3d: 2048,
        max_texture_array_layers: 2048,
        max_bind_groups: 8,
        max_bindings_per_bind_group: 1000,
        max_dynamic_uniform_buffers_per_pipeline_layout: 16,
        max_dynamic_storage_buffers_per_pipeline_layout: 16,
        max_sampled_textures_per_shader_stage: 64,
        max_samplers_per_shader_stage: 32,
        max_storage_buffers_per_shader_stage: 16,
        max_storage_textures_per_shader_stage: 16,
        max_uniform_buffers_per_shader_stage: 16,
        max_uniform_buffer_binding_size: 64 << 10,
        max_storage_buffer_binding_size: 1 << 30,
        max_vertex_buffers: 16,
        max_buffer_size: 1 << 30,
        max_vertex_attributes: 32,
        max_vertex_buffer_array_stride: 2048,
        max_inter_stage_shader_variables: 28,
        max_color_attachments: 8,
        max_color_attachment_bytes_per_sample: 128,
        max_compute_workgroup_storage_size: 32 << 10,
        max_compute_invocations_per_workgroup: 1024,
        max_compute_workgroup_size_x: 1024,
        max_compute_workgroup_size_y: 1024,
        max_compute_workgroup_size_z: 64,
        max_immediate_size: 128,
        ..wgt::Limits::defaults()
    }
}

/// Limits with alignments. Copies need none; WebGPU's own rules come on top.
pub fn capabilities() -> hal::Capabilities {
    hal::Capabilities {
        limits: limits(),
        alignments: hal::Alignments {
            buffer_copy_offset: wgt::BufferSize::MIN,
            buffer_copy_pitch: wgt::BufferSize::MIN,
            uniform_bounds_check_alignment: wgt::BufferSize::MIN,
            raw_tlas_instance_size: 0,
            ray_tracing_scratch_buffer_alignment: 1,
            ray_tracing_pipeline_group_data_size: 1,
            ray_tracing_pipeline_group_data_alignment: 1,
            ray_tracing_pipeline_data_offset_alignment: 1,
        },
        downlevel: wgt::DownlevelCapabilities {
            flags: wgt::DownlevelFlags::compliant()
                | wgt::DownlevelFlags::ANISOTROPIC_FILTERING
                | wgt::DownlevelFlags::VERTEX_STORAGE
                | wgt::DownlevelFlags::NONBLOCKING_QUERY_RESOLVE,
            limits: wgt::DownlevelLimits {},
            shader_model: wgt::ShaderModel::Sm5,
        },
        cooperative_matrix_properties: Vec::new(),
    }
}

/// What a format can do: what WebGPU grants it under the features above, and four samples for 32-bit floats.
pub fn of_format(format: wgt::TextureFormat) -> hal::TextureFormatCapabilities {
    use hal::TextureFormatCapabilities as Caps;
    if !features().contains(format.required_features()) {
        return Caps::empty();
    }
    let granted = format.guaranteed_format_features(features());
    let (usages, mut flags) = (granted.allowed_usages, granted.flags);
    if matches!(format, wgt::TextureFormat::Rg32Float | wgt::TextureFormat::Rgba32Float) {
        flags |= wgt::TextureFormatFeatureFlags::MULTISAMPLE_X4 | wgt::TextureFormatFeatureFlags::MULTISAMPLE_RESOLVE;
    }
    let depth = format.is_depth_stencil_format();
    let renderable = usages.contains(wgt::TextureUsages::RENDER_ATTACHMENT);
    let storage = |access| usages.contains(wgt::TextureUsages::STORAGE_BINDING) && flags.contains(access);
    let mut caps = Caps::empty();
    caps.set(Caps::COPY_SRC, usages.contains(wgt::TextureUsages::COPY_SRC));
    caps.set(Caps::COPY_DST, usages.contains(wgt::TextureUsages::COPY_DST));
    caps.set(Caps::SAMPLED, usages.contains(wgt::TextureUsages::TEXTURE_BINDING));
    caps.set(Caps::SAMPLED_LINEAR, flags.contains(wgt::TextureFormatFeatureFlags::FILTERABLE));
    caps.set(Caps::STORAGE_READ_ONLY, storage(wgt::TextureFormatFeatureFlags::STORAGE_READ_ONLY));
    caps.set(Caps::STORAGE_WRITE_ONLY, storage(wgt::TextureFormatFeatureFlags::STORAGE_WRITE_ONLY));
    caps.set(Caps::STORAGE_READ_WRITE, storage(wgt::TextureFormatFeatureFlags::STORAGE_READ_WRITE));
    caps.set(Caps::COLOR_ATTACHMENT, renderable && !depth);
    caps.set(Caps::DEPTH_STENCIL_ATTACHMENT, renderable && depth);
    let blendable = flags.contains(wgt::TextureFormatFeatureFlags::BLENDABLE);
    caps.set(Caps::COLOR_ATTACHMENT_BLEND, renderable && blendable);
    caps.set(Caps::MULTISAMPLE_X4, renderable && flags.contains(wgt::TextureFormatFeatureFlags::MULTISAMPLE_X4));
    let resolve = flags.contains(wgt::TextureFormatFeatureFlags::MULTISAMPLE_RESOLVE);
    caps.set(Caps::MULTISAMPLE_RESOLVE, renderable && resolve);
    caps
}
