//! Ladder: the roughnesses that reflections are made for, and the blurs that they are mixed from.
//!
//! The GGX lobe about a mirror direction (n = v = r, Karis 2013) is, with u = (1 - cos) / 2 and a = alpha^2,
//! (1 - 2 u) / (a + (1 - a) u)^2: an integral of von Mises-Fisher lobes exp(-2 k u) of all widths. So reflections of
//! narrow lobes are sums of a few blurs of what is around, each twice as wide as the next. Wide lobes, and the
//! widest blurs, are summed texel by texel over a small level.
//!
//! Steps of roughness are sixths of an octave: halfway between two, the mean of both is within 3 % of the truth at the
//! tip of a point light's reflection, and nearer everywhere else. Step 0 is roughness 1, which is Lambert's lobe, too.

use std::f64::consts::PI;

use stillframe_base::math::ops64;

use crate::frame::Part;

/// The level of the widest lobes: 16 texels a face.
const COARSE_PX: u32 = 16;
/// No level is finer, however fine the radiance is: a mirror shows the radiance itself.
const FINE_PX: u32 = 128;
/// Levels of blurs are no smaller where there are wider ones: a blur is read between its texels.
const BLUR_PX_MIN: u32 = 32;

/// Steps of the coarsest level, of each level above it, and of the finest one besides.
const COARSE_STEPS: u32 = 8;
const LEVEL_STEPS: u32 = 3;
const FINE_STEPS: u32 = 3;

/// Blurs wider than this one are summed, not blurred further.
pub const SUMMED_BLURS: u32 = 3;
/// Steps that are summed, not mixed; those below [`WIDE_STEPS`] over a level of half the width.
pub const SUMMED_STEPS: u32 = 7;
pub const WIDE_STEPS: u32 = 5;

/// A cube of an array of cubes with levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub cube: u32,
    pub level: u32,
}

impl Place {
    pub fn part(self) -> Part {
        Part { level: self.level, first_layer: 6 * self.cube, layers: 6 }
    }
}

/// The cubes of an environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ladder {
    /// Width of a face of the first level.
    pub size_px: u32,
}

impl Ladder {
    /// For a radiance cube this wide: a power of two. Below 16 it is the same everywhere, and one step is enough.
    pub fn new(radiance_px: u32) -> Ladder {
        Ladder { size_px: radiance_px.min(FINE_PX) }
    }

    pub fn is_single(self) -> bool {
        self.size_px < COARSE_PX
    }

    /// Levels of the array, the last one 16 texels wide.
    pub fn levels(self) -> u32 {
        if self.is_single() { 1 } else { (self.size_px / COARSE_PX).ilog2() + 1 }
    }

    pub fn steps(self) -> u32 {
        if self.is_single() { 1 } else { COARSE_STEPS + LEVEL_STEPS * (self.levels() - 1) + FINE_STEPS }
    }

    /// Cubes of the array of steps.
    pub fn step_cubes(self) -> u32 {
        match self.levels() {
            _ if self.is_single() => 1,
            1 => COARSE_STEPS + FINE_STEPS,
            _ => COARSE_STEPS,
        }
    }

    /// As `step_place` of `shader/environment.wgsl`.
    pub fn step(self, step: u32) -> Place {
        let last = self.levels() - 1;
        if step < COARSE_STEPS || last == 0 {
            return Place { cube: step, level: last };
        }
        let finer = ((step - COARSE_STEPS) / LEVEL_STEPS).min(last - 1);
        Place { cube: step - COARSE_STEPS - LEVEL_STEPS * finer, level: last - 1 - finer }
    }

    /// Roughness of a step.
    pub fn roughness(step: u32) -> f64 {
        ops64::exp2(-f64::from(step) / 6.0)
    }

    /// Steps that reflections of this roughness and of all above read.
    pub fn steps_for(self, roughness_min: f32) -> u32 {
        let at = -6.0 * ops64::log2(f64::from(roughness_min).max(1e-3));
        self.steps().min(at.max(0.0) as u32 + 2)
    }

    /// Blurs, the widest first; the last is as wide as a texel.
    pub fn blurs(self) -> u32 {
        2 * (self.size_px / 4).ilog2() + 1
    }

    /// Standard deviation of a blur along one axis, radians, read between its texels.
    pub fn blur_rad(blur: u32) -> f64 {
        PI / 8.0 * ops64::exp2(-f64::from(blur) / 2.0)
    }

    /// Width of a blur's faces.
    pub fn blur_px(self, blur: u32) -> u32 {
        match blur {
            0..SUMMED_BLURS => COARSE_PX,
            _ => (self.size_px >> ((self.blurs() - 1 - blur) / 2)).max(BLUR_PX_MIN.min(self.size_px)),
        }
    }

    pub fn blur(self, blur: u32) -> Place {
        let width = self.blur_px(blur);
        let cube = (0..blur).filter(|&wider| self.blur_px(wider) == width).count() as u32;
        Place { cube, level: (self.size_px / width).ilog2() }
    }

    /// Cubes of the array of blurs.
    pub fn blur_cubes(self) -> u32 {
        (0..self.blurs()).map(|blur| self.blur(blur).cube + 1).max().expect("there are blurs")
    }

    /// Angle of the six outer taps that make a blur of the next finer one (or of the radiance).
    ///
    /// Six taps of 1/12 at twice the deviation that is added, and one of 1/2, have the second and fourth moments of a
    /// Gaussian. Reading between texels adds a sixth of a texel's square, and the radiance is a box a texel wide.
    pub fn tap_rad(self, blur: u32) -> f64 {
        let texel2 = |width: u32| texel_rad(width) * texel_rad(width);
        let had = if blur + 1 == self.blurs() {
            0.25 * texel2(self.size_px)
        } else {
            let finer = Ladder::blur_rad(blur + 1);
            finer * finer
        };
        let wanted = Ladder::blur_rad(blur);
        2.0 * (wanted * wanted - texel2(self.blur_px(blur)) / 6.0 - had).sqrt()
    }

    /// Concentration of the lobe that is summed for a blur, texels of both cubes taken off.
    pub fn blur_kappa(blur: u32) -> f64 {
        let (wanted, texel) = (Ladder::blur_rad(blur), texel_rad(COARSE_PX));
        1.0 / (wanted * wanted - texel * texel * (1.0 / 12.0 + 1.0 / 6.0))
    }

    /// Blurs that are made: those that steps are mixed from, and those on the way to them.
    pub fn made(self) -> impl Iterator<Item = u32> {
        (0..self.blurs()).filter(|blur| *blur >= SUMMED_BLURS || blur % 2 == 0)
    }

    /// Blurs that steps are mixed from: every other one. Those between are on the way to them.
    pub fn mixed(self) -> impl Iterator<Item = u32> {
        (0..self.blurs()).step_by(2)
    }

    /// How much of each of these makes a step that is mixed. They sum to 1.
    ///
    /// Least squares over the angle, errors relative to the lobe; blurs as the von Mises-Fisher lobes that they are.
    pub fn mix(self, step: u32) -> Vec<f64> {
        const ANGLES: u32 = 320;
        // Below this (per steradian) errors count as absolute.
        const FLOOR: f64 = 0.02;
        let alpha = Ladder::roughness(step) * Ladder::roughness(step);
        let lobe = Ggx::new(alpha);
        let count = self.mixed().count();
        let mut normal = vec![vec![0.0; count]; count];
        let mut right = vec![0.0; count];
        for index in 0..ANGLES {
            // From 0.3 milliradians to 1.75 radians, evenly in the logarithm.
            let angle = 3e-4 * ops64::exp(f64::from(index) / f64::from(ANGLES - 1) * ops64::log(1.75 / 3e-4));
            let u = 0.5 * (1.0 - ops64::cos(angle));
            let wanted = lobe.at(u);
            let weight = 1.0 / (wanted + FLOOR);
            let row: Vec<f64> = self.mixed().map(|blur| von_mises_fisher(Ladder::blur_rad(blur), u) * weight).collect();
            for i in 0..count {
                for j in 0..count {
                    normal[i][j] += row[i] * row[j];
                }
                right[i] += row[i] * wanted * weight;
            }
        }
        // Neighbouring blurs are much alike: large opposite shares of them are not wanted.
        (0..count).for_each(|i| normal[i][i] += 1e-6);
        let mut out = solve(normal, right);
        let sum: f64 = out.iter().sum();
        out.iter_mut().for_each(|share| *share /= sum);
        out
    }
}

/// Angle of a texel in the middle of a face.
fn texel_rad(width_px: u32) -> f64 {
    PI / 2.0 / f64::from(width_px)
}

/// The lobe's density per steradian, by u.
struct Ggx {
    a: f64,
    scale: f64,
}

impl Ggx {
    fn new(alpha: f64) -> Ggx {
        let a = alpha * alpha;
        let b = 1.0 - a;
        let half = a + b * 0.5;
        let whole = ((b + 2.0 * a) * (1.0 / a - 1.0 / half) - 2.0 * ops64::log(half / a)) / (b * b);
        Ggx { a, scale: 1.0 / (4.0 * PI * whole) }
    }

    fn at(&self, u: f64) -> f64 {
        let d = self.a + (1.0 - self.a) * u;
        self.scale * (1.0 - 2.0 * u).max(0.0) / (d * d)
    }
}

fn von_mises_fisher(deviation_rad: f64, u: f64) -> f64 {
    let kappa = 1.0 / (deviation_rad * deviation_rad);
    ops64::exp(-2.0 * kappa * u) * kappa / (2.0 * PI * (1.0 - ops64::exp(-2.0 * kappa)))
}

/// Gauss and Jordan, for a symmetric positive matrix.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let count = right.len();
    for pivot in 0..count {
        let inverse = 1.0 / matrix[pivot][pivot];
        matrix[pivot].iter_mut().for_each(|value| *value *= inverse);
        right[pivot] *= inverse;
        let row = matrix[pivot].clone();
        for other in (0..count).filter(|&other| other != pivot) {
            let factor = matrix[other][pivot];
            matrix[other].iter_mut().zip(&row).for_each(|(value, of)| *value -= factor * of);
            right[other] -= factor * right[pivot];
        }
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_and_blur_has_a_place_of_its_own() {
        for size_px in [16, 32, 64, 128, 256] {
            let ladder = Ladder::new(size_px);
            let steps: Vec<Place> = (0..ladder.steps()).map(|step| ladder.step(step)).collect();
            let blurs: Vec<Place> = (0..ladder.blurs()).map(|blur| ladder.blur(blur)).collect();
            for (places, cubes) in [(&steps, ladder.step_cubes()), (&blurs, ladder.blur_cubes())] {
                for (index, place) in places.iter().enumerate() {
                    assert!(place.cube < cubes && place.level < ladder.levels(), "{size_px}: {place:?}");
                    assert!(!places[..index].contains(place), "{size_px}: {place:?} twice");
                }
            }
            assert_eq!(steps[0], Place { cube: 0, level: ladder.levels() - 1 });
            assert_eq!(blurs.last().expect("there are blurs").level, 0);
        }
        assert_eq!((Ladder::new(4).steps(), Ladder::new(4).levels(), Ladder::new(4).step_cubes()), (1, 1, 1));
    }

    #[test]
    fn steps_reach_down_to_the_smoothest_surface() {
        let ladder = Ladder::new(128);
        for (roughness, steps) in [(1.0, 2), (0.9, 2), (0.5, 8), (0.45, 8), (0.11, 20), (0.0, 20)] {
            assert_eq!(ladder.steps_for(roughness), steps, "{roughness}");
            let reached = Ladder::roughness(steps - 1) <= f64::from(roughness) || steps == ladder.steps();
            assert!(reached, "{roughness}");
        }
        assert_eq!(Ladder::new(4).steps_for(0.3), 1);
    }

    #[test]
    fn a_blur_is_the_finer_one_and_what_is_added() {
        let ladder = Ladder::new(128);
        for blur in SUMMED_BLURS..ladder.blurs() {
            let (texel, taps) = (texel_rad(ladder.blur_px(blur)), ladder.tap_rad(blur));
            assert!(taps > 0.9 * texel && taps < 6.0 * texel, "{blur}: {taps} of {texel}");
        }
        assert!((0..SUMMED_BLURS).all(|blur| Ladder::blur_kappa(blur) > 6.0));
    }

    /// The lobe against the sum of blurs, at angles that the fit did not use.
    #[test]
    fn mixed_lobes_are_the_lobes() {
        let ladder = Ladder::new(128);
        for step in SUMMED_STEPS..ladder.steps() {
            let alpha = Ladder::roughness(step) * Ladder::roughness(step);
            let (lobe, shares) = (Ggx::new(alpha), ladder.mix(step));
            let mixed = |u: f64| {
                let blurs = ladder.mixed().zip(&shares);
                blurs.map(|(blur, share)| share * von_mises_fisher(Ladder::blur_rad(blur), u)).sum::<f64>()
            };
            let mut worst = 0.0f64;
            for index in 0..100 {
                let angle = 0.5 * alpha + 0.9 * f64::from(index) / 100.0;
                let u = 0.5 * (1.0 - ops64::cos(angle));
                worst = worst.max((mixed(u) - lobe.at(u)).abs() / (lobe.at(u) + 0.02));
            }
            assert!(worst < 0.06, "step {step}: {worst}");
        }
    }
}
