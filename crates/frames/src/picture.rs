//! A picture: rows top to bottom, samples interleaved, no padding.

/// Pixels of one layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    pub width_px: u32,
    pub height_px: u32,
    /// 1..=4.
    pub channel_count: u32,
    pub samples: Samples,
}

/// `width_px * height_px * channel_count` values. 8 and 16 bit are sRGB-encoded with straight alpha; floats are linear.
#[derive(Clone, Debug, PartialEq)]
pub enum Samples {
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    F32(Vec<f32>),
}
