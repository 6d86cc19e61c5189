//! Alike: whether two pictures can be laid on each other, and what keeps them apart.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::picture::Picture;

/// Two pictures that cannot be laid on each other: of another size, another format, or both.
///
/// Sizes are in pixels, width first; formats as [`Format`](crate::Format) prints them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub struct CompareError {
    pub left_size_px: [u32; 2],
    pub right_size_px: [u32; 2],
    pub left_format: String,
    pub right_format: String,
}

/// What differs between two pictures that cannot be laid on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unlike {
    Size,
    Format,
    Both,
}

impl CompareError {
    pub fn unlike(&self) -> Unlike {
        match (self.left_size_px == self.right_size_px, self.left_format == self.right_format) {
            (false, false) => Unlike::Both,
            (false, true) => Unlike::Size,
            _ => Unlike::Format,
        }
    }
}

impl fmt::Display for CompareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([lw, lh], [rw, rh]) = (self.left_size_px, self.right_size_px);
        let (left, right) = (&self.left_format, &self.right_format);
        write!(f, "{lw}x{lh} {left} against {rw}x{rh} {right}: only pictures of one size and format are compared")
    }
}

/// Errors: see [`CompareError`].
pub(crate) fn check_alike(left: &Picture, right: &Picture) -> Result<(), CompareError> {
    let size = |p: &Picture| [p.width_px, p.height_px];
    if size(left) == size(right) && left.format() == right.format() {
        return Ok(());
    }
    Err(CompareError {
        left_size_px: size(left),
        right_size_px: size(right),
        left_format: left.format().to_string(),
        right_format: right.format().to_string(),
    })
}
