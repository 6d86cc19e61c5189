//! The filters of FLIP as one-dimensional weights: at distance 0, 1, 2 ... pixels from the centre.
//!
//! Source: Andersson et al. 2020, section 4.1 (contrast sensitivity, weights of Johnson and Fairchild 2003) and 4.2
//! (edges and points). All are products of a filter of x and one of y; that of the blue-yellow channel is a sum of two
//! such products, so it has two here. Changed: weights too small to reach a bit of a sum are dropped (the colour
//! filters are as wide as the widest of them needs).

use stillframe_base::math::ops64;

use std::f64::consts::PI;

/// Of the achromatic, the red-green and (twice) the blue-yellow channel: amplitude and width of the contrast
/// sensitivity, degrees squared.
const SENSITIVITY: [(f64, f64); 4] = [(1.0, 0.0047), (1.0, 0.0053), (34.1, 0.04), (13.5, 0.025)];
/// Width of features (edges and points) that are seen, degrees.
const FEATURE_WIDTH_DEG: f64 = 0.082;
/// Below this part of the centre's, a weight changes no bit that counts.
const SMALLEST: f64 = 1.0 / (1u64 << 27) as f64;

/// One-dimensional filters for a viewing distance.
pub struct Filters {
    pub achromatic: Vec<f32>,
    pub red_green: Vec<f32>,
    pub blue_yellow: [Vec<f32>; 2],
    /// Of features: a Gaussian, its first derivative (odd: the weights are those to the right) and its second, of one
    /// length.
    pub smooth: Vec<f32>,
    pub edge: Vec<f32>,
    pub point: Vec<f32>,
}

impl Filters {
    /// Filters for `pixels_per_degree` of the field of view.
    pub fn new(pixels_per_degree: f32) -> Filters {
        let ppd = f64::from(pixels_per_degree);
        let widest = SENSITIVITY.iter().fold(0.0f64, |most, (_, b)| most.max(*b));
        let radius = (3.0 * (widest / (2.0 * PI * PI)).sqrt() * ppd).ceil() as usize;
        let [a, rg, by_1, by_2] = SENSITIVITY.map(|(amplitude, b)| -> Vec<f64> {
            // The square root of the factor, since x and y each bring it once.
            let factor = (amplitude * (PI / b).sqrt()).sqrt();
            (0..=radius).map(|i| i as f64 / ppd).map(|x| factor * ops64::exp(-PI * PI * x * x / b)).collect()
        });
        let both = (whole_sum(&by_1) * whole_sum(&by_1) + whole_sum(&by_2) * whole_sum(&by_2)).sqrt();

        let deviation = 0.5 * FEATURE_WIDTH_DEG * ppd;
        let feature_radius = (3.0 * deviation).ceil() as usize;
        let bell: Vec<f64> =
            (0..=feature_radius).map(|i| ops64::exp(-((i * i) as f64) / (2.0 * deviation * deviation))).collect();
        let edge: Vec<f64> = bell.iter().enumerate().map(|(i, g)| i as f64 * g).collect();
        let point: Vec<f64> =
            bell.iter().enumerate().map(|(i, g)| ((i * i) as f64 / (deviation * deviation) - 1.0) * g).collect();
        Filters {
            achromatic: scaled(&a, |_| 1.0 / whole_sum(&a)),
            red_green: scaled(&rg, |_| 1.0 / whole_sum(&rg)),
            blue_yellow: [scaled(&by_1, |_| 1.0 / both), scaled(&by_2, |_| 1.0 / both)],
            smooth: untrimmed(&bell, |_| 1.0 / whole_sum(&bell)),
            edge: untrimmed(&edge, |_| 1.0 / edge.iter().sum::<f64>()),
            // Positive weights sum to 1, negative ones to -1.
            point: untrimmed(&point, |w| {
                let side: Vec<f64> =
                    point.iter().map(|p| if (*p > 0.0) == (w > 0.0) { p.abs() } else { 0.0 }).collect();
                1.0 / whole_sum(&side)
            }),
        }
    }

    /// Pixels on each side that a result depends on.
    pub fn halo_px(&self) -> usize {
        let [by_1, by_2] = &self.blue_yellow;
        [&self.achromatic, &self.red_green, by_1, by_2, &self.smooth].iter().map(|f| f.len() - 1).max().unwrap_or(0)
    }
}

/// Of all weights, both sides.
fn whole_sum(weights: &[f64]) -> f64 {
    weights[0] + 2.0 * weights[1..].iter().sum::<f64>()
}

fn untrimmed(weights: &[f64], factor: impl Fn(f64) -> f64) -> Vec<f32> {
    weights.iter().map(|w| (w * factor(*w)) as f32).collect()
}

fn scaled(weights: &[f64], factor: impl Fn(f64) -> f64) -> Vec<f32> {
    let kept = weights.iter().take_while(|w| **w >= weights[0] * SMALLEST).count().max(2).min(weights.len());
    untrimmed(&weights[..kept], factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_sum_to_one() {
        for ppd in [10.0, 67.02, 200.0] {
            let filters = Filters::new(ppd);
            let sum = |weights: &[f32]| whole_sum(&weights.iter().map(|w| f64::from(*w)).collect::<Vec<_>>());
            assert!((sum(&filters.achromatic) - 1.0).abs() < 1e-6 && (sum(&filters.red_green) - 1.0).abs() < 1e-6);
            let [a, b] = [sum(&filters.blue_yellow[0]), sum(&filters.blue_yellow[1])];
            assert!((a * a + b * b - 1.0).abs() < 1e-6, "{a} {b}");
            assert!((sum(&filters.smooth) - 1.0).abs() < 1e-6 && sum(&filters.point).abs() < 1e-6);
            assert!((filters.edge.iter().sum::<f32>() - 1.0).abs() < 1e-6 && filters.edge[0] == 0.0);
        }
    }

    #[test]
    fn a_screen_at_arms_length_needs_ten_pixels() {
        let filters = Filters::new(67.02);
        assert_eq!(filters.halo_px(), 10);
        assert_eq!((filters.achromatic.len(), filters.smooth.len()), (7, 10));
    }
}
