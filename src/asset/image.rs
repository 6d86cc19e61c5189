//! Images: decoded texels, top row first.

/// Index into `Store::images`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ImageId(pub u32);

/// A decoded picture; the use (colour or data) decides later whether 8-bit texels are sRGB.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// File or index within the model, for messages.
    pub name: String,
    pub width_px: u32,
    pub height_px: u32,
    pub texels: Texels,
}

/// Four components a texel, straight alpha, rows top to bottom without padding.
#[derive(Clone, Debug, PartialEq)]
pub enum Texels {
    Rgba8(Vec<u8>),
    /// 16-bit PNG.
    Rgba16(Vec<u16>),
    /// EXR and Radiance HDR: linear.
    Rgba32Float(Vec<f32>),
}
