//! Store: buffers, textures, samplers and query sets as plain memory, and the one table of texel formats.
//!
//! In: descriptors that wgpu-core validated. Out: addressable texels. Never here: commands, shaders.

pub mod copy;
pub mod format;
mod memory;
mod texture;

use std::sync::Arc;

pub use memory::{Ledger, Memory};
use wgpu_types as wgt;

/// A buffer: bytes.
#[derive(Debug)]
pub struct Buffer {
    pub memory: Memory,
    pub size_bytes: u64,
}

/// A texture: every mip level of every layer in one run of memory.
///
/// Layout of a level: layer after layer (for 3-D: slice after slice), rows top to bottom, texels (or 4x4 blocks) left
/// to right, the samples of a texel side by side. Combined depth-stencil formats keep two planes: depth as f32 (all
/// depth formats but `Depth16Unorm` are f32 inside), stencil as u8.
#[derive(Debug)]
pub struct Texture {
    pub memory: Memory,
    pub format: wgt::TextureFormat,
    pub dimension: wgt::TextureDimension,
    pub size: wgt::Extent3d,
    pub sample_count: u32,
    /// By mip level, the colour or depth plane.
    pub levels: Vec<LevelLayout>,
    /// By mip level, the stencil plane; empty without stencil.
    pub stencil_levels: Vec<LevelLayout>,
}

/// Where one mip level's plane lies in the texture's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelLayout {
    pub width: u32,
    pub height: u32,
    /// Slices of a 3-D texture, layers otherwise.
    pub depth_or_layers: u32,
    pub offset_bytes: usize,
    pub row_bytes: usize,
    pub layer_bytes: usize,
    /// All samples of one texel, or one compressed block.
    pub texel_bytes: usize,
}

/// A view: a window on a texture, perhaps under another format of the same layout.
#[derive(Clone, Debug)]
pub struct TextureView {
    pub texture: Arc<Texture>,
    pub format: wgt::TextureFormat,
    pub dimension: wgt::TextureViewDimension,
    pub aspect: wgt::TextureAspect,
    pub base_mip: u32,
    pub mip_count: u32,
    pub base_layer: u32,
    pub layer_count: u32,
}

/// A sampler.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampler {
    pub address_modes: [wgt::AddressMode; 3],
    pub mag_filter: wgt::FilterMode,
    pub min_filter: wgt::FilterMode,
    pub mipmap_filter: wgt::MipmapFilterMode,
    pub lod_clamp: std::ops::Range<f32>,
    pub compare: Option<wgt::CompareFunction>,
    pub anisotropy_clamp: u16,
    pub border_color: Option<wgt::SamplerBorderColor>,
}

/// Results of occlusion or timestamp queries.
#[derive(Debug)]
pub struct QuerySet {
    pub values: Vec<std::sync::atomic::AtomicU64>,
}
