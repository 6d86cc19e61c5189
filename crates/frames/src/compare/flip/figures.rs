//! Figures of a map, as NVIDIA's program prints them.

use serde::{Deserialize, Serialize};

use super::FlipMap;
use crate::compare::mask::TILE_PX;

/// Figures of a map of FLIP errors, 0 to 1. A weighted quartile is the error at which that share of the sum of all
/// errors is reached, errors in ascending order. The authors advise to look at the mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FlipFigures {
    pub mean: f64,
    pub weighted_quartile_1: f64,
    pub weighted_median: f64,
    pub weighted_quartile_3: f64,
    pub min: f64,
    pub max: f64,
}

/// Steps of the range in which errors are counted first; the step that matters is then looked at exactly.
const STEPS: usize = 4096;

impl FlipMap {
    /// Mean error of all pixels: sums of tiles in their order, so that tiles without errors change nothing.
    pub fn mean(&self) -> f64 {
        let (width, height) = (self.width_px as usize, self.height_px as usize);
        let columns = self.width_px.div_ceil(TILE_PX);
        let mut sum = 0.0;
        for tile in &self.tiles {
            let (left, top) = ((tile % columns * TILE_PX) as usize, (tile / columns * TILE_PX) as usize);
            let right = (left + TILE_PX as usize).min(width);
            let mut part = 0.0;
            for y in top..(top + TILE_PX as usize).min(height) {
                part += self.errors[y * width + left..y * width + right].iter().fold(0.0, |sum, e| sum + f64::from(*e));
            }
            sum += part;
        }
        sum / self.errors.len() as f64
    }

    /// Tiles that were looked at.
    pub fn tile_count(&self) -> usize {
        self.tiles.len()
    }

    /// All figures; the quartiles are sums over all pixels.
    pub fn figures(&self) -> FlipFigures {
        let step_of = |error: f32| ((error * STEPS as f32) as usize).min(STEPS - 1);
        let mut sums = vec![0.0f64; STEPS];
        let (mut min, mut max) = (f32::INFINITY, 0.0f32);
        for error in &self.errors {
            sums[step_of(*error)] += f64::from(*error);
            min = min.min(*error);
            max = max.max(*error);
        }
        let total: f64 = sums.iter().sum();
        let quartile = |share: f64| {
            let goal = share * total;
            let mut reached = 0.0;
            for (step, sum) in sums.iter().enumerate() {
                if reached + sum > goal {
                    let mut inside: Vec<f32> = self.errors.iter().copied().filter(|e| step_of(*e) == step).collect();
                    inside.sort_unstable_by(f32::total_cmp);
                    let found = inside.iter().find(|error| {
                        reached += f64::from(**error);
                        reached > goal
                    });
                    return f64::from(*found.or(inside.last()).unwrap_or(&0.0));
                }
                reached += sum;
            }
            0.0
        };
        FlipFigures {
            mean: self.mean(),
            weighted_quartile_1: quartile(0.25),
            weighted_median: quartile(0.5),
            weighted_quartile_3: quartile(0.75),
            min: f64::from(min),
            max: f64::from(max),
        }
    }
}
