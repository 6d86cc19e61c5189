//! Why two pictures differ, as far as they tell by themselves.

use stillframe_base::par::Pool;

use super::Why;
use crate::Picture;
use crate::compare::{CompareOptions, Comparison, FlipOptions, HistogramStep, in_one_form};

/// Tiles that a record lists.
const TILES_MAX: usize = 4096;
/// 2^-40.
const FIRST_FLOAT_STEP: f64 = 9.094947017729282e-13;

impl Why {
    /// The figures of a comparison; `None` where the pictures cannot be laid on each other, or are equal.
    pub fn of(old: &Picture, new: &Picture, pool: &Pool) -> Option<Why> {
        let options = CompareOptions { flip: Some(FlipOptions::default()) };
        let [old, new] = in_one_form(old, new);
        let found = Comparison::of(&old, &new, &options, pool).ok()?;
        let bounds = found.bounds?;
        Some(Why {
            pixels: found.differing_pixel_count,
            share: found.differing_share,
            // A number on one side alone is farther away than any.
            max: if found.non_finite_pixel_count > 0 { f64::INFINITY } else { found.delta_max },
            full_scale: found.full_scale,
            bounds_px: [bounds.left_px, bounds.top_px, bounds.right_px, bounds.bottom_px],
            class: found.classes.to_string(),
            sign: found.sign.map_or(String::new(), |sign| sign.name().to_string()),
            histogram: histogram(&found.histogram, found.format.ends_with("32f")),
            flip_mean: found.flip.map(|flip| flip.mean),
            tiles: (found.tiles.differing.iter())
                .take(TILES_MAX)
                .map(|tile| [tile % found.tiles.columns, tile / found.tiles.columns])
                .collect(),
            ..Why::default()
        })
    }
}

/// Counts of steps that begin at 1 (whole samples) or at 2^-40 (floats).
fn histogram(steps: &[HistogramStep], floats: bool) -> Vec<u64> {
    let mut out = Vec::new();
    for step in steps {
        let mut at = 0;
        let mut bound = if floats { FIRST_FLOAT_STEP } else { 1.0 };
        while bound < step.up_to && at < 128 {
            (at, bound) = (at + 1, bound * 2.0);
        }
        out.resize(out.len().max(at + 1), 0);
        out[at] += step.pixel_count;
    }
    out
}
