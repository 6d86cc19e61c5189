//! Texels: a picture as the device holds it, brought back.

use crate::frame::Format;

/// A level of a target, layers one below the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texels {
    pub format: Format,
    pub width_px: u32,
    pub height_px: u32,
    pub bytes: Vec<u8>,
}
