//! Images: decoded texels, top row first.

use std::sync::Arc;

use stillframe_base::id::Id;

/// Place in `Store::images`; in the materials of a model that of the model's own list.
pub type ImageId = Id<Arc<Image>>;

/// A decoded picture; the use (colour or data) decides later whether 8-bit texels are sRGB.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Image {
    /// File or index within the model, for messages.
    pub name: String,
    pub width_px: u32,
    pub height_px: u32,
    pub texels: Texels,
    /// Mip levels that the file stores, from level 1 on, each half the size of the one before (rounded down, at
    /// least 1) and of the same kind; none where the file has none.
    pub levels: Vec<Texels>,
}

/// Four components a texel, straight alpha, rows top to bottom without padding.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Texels {
    Rgba8(Vec<u8>),
    /// 16-bit PNG, formats with more than 8 bits a channel.
    Rgba16(Vec<u16>),
    /// EXR, Radiance HDR, BC6H and float formats: linear.
    Rgba32Float(Vec<f32>),
}
