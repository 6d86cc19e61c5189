//! Comparison: everything a report tells of two pictures, as plain data.

use serde::{Deserialize, Serialize};
use stillframe_base::par::Pool;

use super::alike::CompareError;
use super::class::{Classes, classes};
use super::exact::{Exact, HistogramStep, Sign, Signs};
use super::flip::{FlipFigures, FlipOptions, Where, flip};
use super::mask::{Bounds, Tiles};
use super::regions::{Regions, regions};
use crate::picture::{Picture, SampleKind};

/// The difference of two pictures of one size and format. All numbers are finite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Width and height.
    pub size_px: [u32; 2],
    /// As [`Format`](crate::Format) prints it: `rgb8`, `rgba32f` ...
    pub format: String,
    pub pixel_count: u64,
    pub differing_pixel_count: u64,
    /// Of all pixels, 0 to 1.
    pub differing_share: f64,
    /// Largest difference of a channel (alpha included), in the samples' unit: 0..=255, 0..=65535, whole numbers, or
    /// linear floats.
    pub delta_max: f64,
    /// What a delta is a share of: 255, 65535, or 1.
    pub full_scale: f64,
    /// Of floats: how many numbers lie between two samples at most; 0 for others.
    pub ulp_max: u32,
    /// Of floats: pixels that are a number on one side alone. They count as differing and have no delta.
    pub non_finite_pixel_count: u64,
    /// Of the differing pixels.
    pub bounds: Option<Bounds>,
    /// Differing pixels by the size of their delta, in the samples' unit.
    pub histogram: Vec<HistogramStep>,
    pub classes: Classes,
    /// `None` where nothing differs.
    pub sign: Option<Sign>,
    pub signs: Signs,
    pub tiles: Tiles,
    pub regions: Regions,
    /// Perceptual error, 0 to 1; `None` if it was not asked for, and for whole numbers.
    pub flip: Option<FlipFigures>,
}

/// What is computed beside the exact figures.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CompareOptions {
    /// FLIP, over the tiles that differ.
    pub flip: Option<FlipOptions>,
}

impl Comparison {
    /// The difference of `new` from `old`.
    ///
    /// Errors: pictures of another size or format; what differs stands in the error.
    pub fn of(old: &Picture, new: &Picture, options: &CompareOptions, pool: &Pool) -> Result<Comparison, CompareError> {
        let exact = Exact::of(old, new)?;
        Ok(Comparison::of_exact(old, new, &exact, options, pool))
    }

    /// [`Comparison::of`] for who has the exact comparison of the same two pictures already.
    pub fn of_exact(old: &Picture, new: &Picture, exact: &Exact, options: &CompareOptions, pool: &Pool) -> Comparison {
        let flip_map = |options: &FlipOptions| flip(old, new, options, Where::Differing(exact), pool).ok();
        Comparison {
            size_px: [exact.width_px, exact.height_px],
            format: exact.format.to_string(),
            pixel_count: exact.pixel_count(),
            differing_pixel_count: exact.differing_pixel_count,
            differing_share: exact.differing_pixel_count as f64 / exact.pixel_count() as f64,
            delta_max: exact.delta_max,
            full_scale: match exact.format.kind {
                SampleKind::U8 => 255.0,
                SampleKind::U16 => 65535.0,
                SampleKind::U32 | SampleKind::F32 => 1.0,
            },
            ulp_max: exact.ulp_max,
            non_finite_pixel_count: exact.non_finite_pixel_count,
            bounds: exact.mask.bounds(),
            histogram: exact.histogram.clone(),
            classes: classes(old, new, exact),
            sign: exact.sign(),
            signs: exact.signs,
            tiles: exact.mask.tiles(),
            regions: regions(&exact.mask),
            flip: options.flip.as_ref().and_then(flip_map).map(|map| map.figures()),
        }
    }

    pub fn is_same(&self) -> bool {
        self.differing_pixel_count == 0
    }
}
