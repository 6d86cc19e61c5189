//! Wishes: what the user says about a model before it is read.

/// What the user wants of a model's import in place of what goes without saying.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wishes {
    /// What it may unpack to; `None`: as [`super::Budget`] says.
    pub max_bytes: Option<u64>,
    /// Width of lines and points, as a part of the diagonal of everything that the model shows; `None`:
    /// [`Wishes::STROKE_WIDTH_RATIO`].
    pub stroke_width_ratio: Option<f64>,
}

impl Wishes {
    /// Two pixels of a picture of 512 pixels that the model fills.
    pub const STROKE_WIDTH_RATIO: f64 = 1.0 / 256.0;

    /// The width that lines and points get.
    pub fn stroke_width_ratio(&self) -> f64 {
        self.stroke_width_ratio.unwrap_or(Wishes::STROKE_WIDTH_RATIO)
    }
}
