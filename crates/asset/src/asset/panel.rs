//! Panel: the picture that a light shows, filtered for how much of it a surface sees at once.

/// Widths and heights of the levels.
pub const PANEL_SIDES: [usize; 10] = [128, 128, 64, 32, 16, 16, 16, 8, 8, 1];

/// Levels of a picture. Texels of the first are the picture's own; each further one is the mean of what a matte surface
/// sees of the panel that faces it, from a distance of 1/64, 1/32 ... 2 of the root of the panel's area; the last one
/// is the mean of all.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Linear red, green and blue, levels one after the other, rows from the top.
    pub values: Vec<f32>,
}

/// Distance that a level is for, in roots of the panel's area; the first is for what touches it.
pub fn panel_distance(level: usize) -> f64 {
    if level == 0 { 0.0 } else { (1u32 << (level - 1)) as f64 / 64.0 }
}
