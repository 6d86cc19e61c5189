//! Caps: what a device can do, asked once when it is opened. Preparing reads them, so that nothing asks a device later.
//!
//! | what | asked for | where a device has less |
//! | --- | --- | --- |
//! | `texture_px_max` | 8192, everywhere the same | a larger picture is refused (E0603); an image starts at its first level that fits |
//! | `picture_px_max` | 65536, at least 8192 | a larger picture is refused (E0603) |
//! | `layers_max` | 256, everywhere the same | of more shadow maps several share a layer |
//! | `cube_layers_max` | 2048, at least 256 | more light probes are refused (E0603) |
//! | `storage_bytes_max` | 1 GiB, at least 128 MiB | more items are refused (E0603) |
//! | `attachment_bytes_max` | 128 a sample, at least 32 | a pass that draws into more is refused (E0603) |
//! | `sampled_textures_max` | 64 a stage, at least 16 | a material with more textures is refused (E0603) |
//! | `samplers_max` | 32 a stage, at least 16 | the same |
//! | `filters_f32` | where there is | for passes: nothing needs it yet |
//! | `counts_triangles` | where there is | the layer `primitive_id` is not there (E0602), `lighting = "visibility"` is refused (E0603) |
//! | `draws_f32` | where there is | linear pictures in floats keep 11 significant bits |
//!
//! `texture_px_max` and `layers_max` are not asked for in any other size: pictures depend on them.

/// Layers of an array texture that every device has.
const PORTABLE_LAYERS: u32 = 256;

/// Width and height of a texture that every device has.
const TEXTURE_PX: u32 = 8192;
/// No picture is wider or higher.
const PICTURE_PX: u32 = 65536;

/// What a device can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caps {
    /// Width and height of a texture.
    pub texture_px_max: u32,
    /// Width and height of a picture that is drawn in tiles.
    pub picture_px_max: u32,
    /// Of an array texture.
    pub layers_max: u32,
    /// Of an array of cubes.
    pub cube_layers_max: u32,
    /// Of one storage binding.
    pub storage_bytes_max: u64,
    /// Of all colour attachments of a pass together, for one sample.
    pub attachment_bytes_max: u32,
    /// Textures that one stage of a pipeline reads.
    pub sampled_textures_max: u32,
    /// Of one stage.
    pub samplers_max: u32,
    /// Linear filters read `Rgba32Float`.
    pub filters_f32: bool,
    /// `Rgba32Float` can be blended into, with four samples that are resolved.
    pub draws_f32: bool,
    /// Shaders know the number of their triangle.
    pub counts_triangles: bool,
}

impl Caps {
    /// What every device can do: WebGPU's defaults.
    pub const PORTABLE: Caps = Caps {
        texture_px_max: TEXTURE_PX,
        picture_px_max: TEXTURE_PX,
        layers_max: PORTABLE_LAYERS,
        cube_layers_max: PORTABLE_LAYERS,
        storage_bytes_max: 128 << 20,
        attachment_bytes_max: 32,
        sampled_textures_max: 16,
        samplers_max: 16,
        filters_f32: false,
        draws_f32: false,
        counts_triangles: false,
    };

    /// What the software adapter can do. Dumps are made for it, where no device is opened.
    pub const SOFT: Caps = Caps {
        picture_px_max: PICTURE_PX,
        cube_layers_max: 2048,
        storage_bytes_max: 1 << 30,
        attachment_bytes_max: 128,
        sampled_textures_max: 64,
        samplers_max: 32,
        filters_f32: true,
        draws_f32: true,
        counts_triangles: true,
        ..Caps::PORTABLE
    };

    /// What is asked for of an adapter.
    pub fn asked(adapter: &wgpu::Adapter) -> (wgpu::Features, wgpu::Limits) {
        let features = wgpu::Features::FLOAT32_FILTERABLE
            | wgpu::Features::FLOAT32_BLENDABLE
            | wgpu::Features::PRIMITIVE_INDEX
            | wgpu::Features::TEXTURE_ADAPTER_SPECIFIC_FORMAT_FEATURES;
        let (has, defaults) = (adapter.limits(), wgpu::Limits::default());
        // Never less than every device has.
        let within = |has: u32, least: u32, most: u32| has.min(most).max(least);
        let within_bytes = |has: u64, least: u64| has.min(1 << 30).max(least);
        let limits = wgpu::Limits {
            max_texture_dimension_2d: within(
                has.max_texture_dimension_2d,
                defaults.max_texture_dimension_2d,
                PICTURE_PX,
            ),
            max_storage_buffer_binding_size: within_bytes(
                has.max_storage_buffer_binding_size,
                defaults.max_storage_buffer_binding_size,
            ),
            max_buffer_size: within_bytes(has.max_buffer_size, defaults.max_buffer_size),
            max_color_attachment_bytes_per_sample: within(
                has.max_color_attachment_bytes_per_sample,
                defaults.max_color_attachment_bytes_per_sample,
                128,
            ),
            max_texture_array_layers: within(has.max_texture_array_layers, defaults.max_texture_array_layers, 2048),
            max_sampled_textures_per_shader_stage: within(
                has.max_sampled_textures_per_shader_stage,
                defaults.max_sampled_textures_per_shader_stage,
                64,
            ),
            max_samplers_per_shader_stage: within(
                has.max_samplers_per_shader_stage,
                defaults.max_samplers_per_shader_stage,
                32,
            ),
            ..defaults
        };
        (features & adapter.features(), limits)
    }

    /// What has come of it.
    pub fn of(adapter: &wgpu::Adapter, device: &wgpu::Device) -> Caps {
        use wgpu::TextureFormatFeatureFlags as Flags;
        let (features, limits) = (device.features(), device.limits());
        let f32 = match features.contains(wgpu::Features::TEXTURE_ADAPTER_SPECIFIC_FORMAT_FEATURES) {
            true => adapter.get_texture_format_features(wgpu::TextureFormat::Rgba32Float).flags,
            false => Flags::empty(),
        };
        Caps {
            texture_px_max: TEXTURE_PX,
            picture_px_max: limits.max_texture_dimension_2d,
            layers_max: PORTABLE_LAYERS,
            cube_layers_max: limits.max_texture_array_layers,
            storage_bytes_max: limits.max_storage_buffer_binding_size,
            attachment_bytes_max: limits.max_color_attachment_bytes_per_sample,
            sampled_textures_max: limits.max_sampled_textures_per_shader_stage,
            samplers_max: limits.max_samplers_per_shader_stage,
            filters_f32: features.contains(wgpu::Features::FLOAT32_FILTERABLE),
            draws_f32: f32.contains(Flags::BLENDABLE | Flags::MULTISAMPLE_X4 | Flags::MULTISAMPLE_RESOLVE),
            counts_triangles: features.contains(wgpu::Features::PRIMITIVE_INDEX),
        }
    }
}
