//! Disk: comparisons on a spiral that turns from pixel to pixel.

use super::hard::TEXEL;
use super::row::ShadowRow;
use crate::scene::key::{Key, number, rows};
use crate::scene::schema::range;

/// `spiral_turn`, `spiral_step`, `spiral_filter`.
pub(super) const SPIRAL: &str = include_str!("spiral.wgsl");

const RADIUS_MAX: f64 = 16.0;
const RADIUS_TEXELS: Key<f32> =
    number("radius_texels", 2.5, range(0.5, RADIUS_MAX), "Radius of the disk that is averaged, in texels.");

pub const ROW: ShadowRow = ShadowRow {
    name: "disk",
    doc: "The mean of 16 comparisons on a spiral, which turns by a hash of the pixel: noise in place of steps.",
    formula: "mean of `d <= map` over 16 texels of a spiral",
    source: "Vogel 1979; Mittring 2007 (turned from pixel to pixel); Jarzynski, Olano 2020 (PCG hash)",
    reach_texels: RADIUS_MAX as f32 + 0.5,
    keys: rows! { RADIUS_TEXELS },
    needs: &[TEXEL, SPIRAL],
    text: include_str!("disk.wgsl"),
    by_pixel: true,
    ..ShadowRow::DEPTH
};
