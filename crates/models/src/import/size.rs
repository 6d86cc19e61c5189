//! Size: how many pixels a picture has across and down.

use crate::asset::Image;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    pub width_px: u32,
    pub height_px: u32,
}

impl Size {
    pub fn of(image: &Image) -> Size {
        Size { width_px: image.width_px, height_px: image.height_px }
    }

    pub fn texel_count(self) -> u64 {
        u64::from(self.width_px) * u64::from(self.height_px)
    }

    /// Those of the levels of a picture, largest first: halved, rounding down, at least 1.
    pub fn levels(self, count: u32) -> impl Iterator<Item = Size> {
        (0..count).map(move |level| Size {
            width_px: (self.width_px >> level).max(1),
            height_px: (self.height_px >> level).max(1),
        })
    }
}
