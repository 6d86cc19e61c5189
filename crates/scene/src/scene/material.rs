//! Materials written in scene files.

use std::path::PathBuf;

use crate::asset::{AlphaMode, Filter, UvTransform, Wrap};

/// `[material.NAME]`, every default filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneMaterial {
    pub name: String,
    pub values: MaterialOverride,
}

/// What is written of a material; `None` keeps the model's (or the default) value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MaterialOverride {
    pub base_color: Option<[f32; 4]>,
    pub base_color_texture: Option<TextureChoice>,
    pub metallic: Option<f32>,
    pub roughness: Option<f32>,
    pub metallic_roughness_texture: Option<TextureChoice>,
    pub normal_texture: Option<TextureChoice>,
    pub normal_scale: Option<f32>,
    pub occlusion_texture: Option<TextureChoice>,
    pub occlusion_strength: Option<f32>,
    pub emissive: Option<[f32; 3]>,
    pub emissive_texture: Option<TextureChoice>,
    pub alpha_mode: Option<AlphaMode>,
    pub double_sided: Option<bool>,
    pub unlit: Option<bool>,
}

/// What is written under a texture's key.
#[derive(Clone, Debug, PartialEq)]
pub enum TextureChoice {
    /// `"none"`: the model's own is taken away.
    None,
    File(TexturePath),
}

/// A texture named by a scene file.
#[derive(Clone, Debug, PartialEq)]
pub struct TexturePath {
    /// Absolute.
    pub file: PathBuf,
    pub uv_set: u32,
    pub transform: UvTransform,
    pub wrap: [Wrap; 2],
    pub mag_filter: Filter,
    pub min_filter: Filter,
    pub mip_filter: Option<Filter>,
    pub anisotropy: u16,
}
