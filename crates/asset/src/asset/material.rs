//! Material instances: glTF's metallic-roughness values with every default filled in.

use super::{ImageId, Layers};

/// Index into `Store::materials`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MaterialId(pub u32);

/// A surface. Factors multiply textures; all colours are linear.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Material {
    pub name: String,
    pub base_color: [f32; 4],
    pub base_color_texture: Option<TextureSlot>,
    pub metallic: f32,
    /// Perceptual; alpha = roughness^2.
    pub roughness: f32,
    /// G = roughness, B = metallic.
    pub metallic_roughness_texture: Option<TextureSlot>,
    pub normal_texture: Option<TextureSlot>,
    pub normal_scale: f32,
    /// R.
    pub occlusion_texture: Option<TextureSlot>,
    pub occlusion_strength: f32,
    /// Radiance in nits: factor times emissive strength.
    pub emissive: [f32; 3],
    pub emissive_texture: Option<TextureSlot>,
    pub alpha_mode: AlphaMode,
    pub double_sided: bool,
    pub unlit: bool,
    /// What the renderer does not show yet; `None` where the file has nothing of it.
    pub layers: Option<Box<Layers>>,
}

impl Default for Material {
    /// Grey, roughness 0.5: what a shape without a material shows.
    fn default() -> Self {
        Material {
            name: String::new(),
            base_color: [0.5, 0.5, 0.5, 1.0],
            base_color_texture: None,
            metallic: 0.0,
            roughness: 0.5,
            metallic_roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
            occlusion_texture: None,
            occlusion_strength: 1.0,
            emissive: [0.0; 3],
            emissive_texture: None,
            alpha_mode: AlphaMode::Opaque,
            double_sided: false,
            unlit: false,
            layers: None,
        }
    }
}

/// How alpha is used.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum AlphaMode {
    Opaque,
    Mask { cutoff: f32 },
    Blend,
}

/// A texture as a material uses it.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct TextureSlot {
    pub image: ImageId,
    /// 0 or 1.
    pub uv_set: u32,
    pub transform: UvTransform,
    pub wrap: [Wrap; 2],
    pub mag_filter: Filter,
    pub min_filter: Filter,
    /// `None`: the base level only.
    pub mip_filter: Option<Filter>,
    /// 1 = off.
    pub anisotropy: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Wrap {
    Repeat,
    Mirror,
    Clamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Filter {
    Nearest,
    Linear,
}

/// `uv' = [x.0 x.1; y.0 y.1] * uv + offset`: offset, rotation and scale of KHR_texture_transform multiplied out.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct UvTransform {
    pub x: [f32; 2],
    pub y: [f32; 2],
    pub offset: [f32; 2],
}

impl UvTransform {
    pub const IDENTITY: UvTransform = UvTransform { x: [1.0, 0.0], y: [0.0, 1.0], offset: [0.0, 0.0] };
}
