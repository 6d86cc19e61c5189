//! Textures as materials use them.

use super::ImageId;

/// A texture as a material uses it.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct TextureSlot {
    pub image: ImageId,
    /// 0 or 1.
    pub uv_set: u32,
    /// It is read at the pixel's place in the picture, not at texture coordinates.
    pub on_screen: bool,
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
