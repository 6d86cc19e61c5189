//! Exposures of HDR-FLIP: from the one that shows the brightest part of the reference well to the one that shows its
//! median well.
//!
//! Source: Andersson et al. 2021, section 3.2. Changed, for pictures that the paper does not speak of: where half the
//! reference or more is black the median of what is not counts; where all is, the test picture is asked; the number of
//! exposures has an end.

use serde::{Deserialize, Serialize};
use stillframe_base::math::ops64;

use super::colour::ToneMap;
use super::source::colour;
use crate::picture::{Picture, Samples};

/// Most exposures that are looked at.
pub const EXPOSURES_MAX: u32 = 32;

/// `count` exposures, equally far from each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exposures {
    /// Powers of two by which colours are multiplied.
    pub start_ev: f64,
    pub stop_ev: f64,
    pub count: u32,
}

impl Exposures {
    /// As the paper computes them.
    pub fn of(reference: &Picture, test: &Picture, tone_map: ToneMap) -> Exposures {
        let bright = tone_map.bright_value();
        let Some((median, most)) = levels(reference).or_else(|| levels(test)) else {
            return Exposures { start_ev: 0.0, stop_ev: 0.0, count: 1 };
        };
        let ev = |luminance: f64| ops64::log2(bright / luminance).clamp(-100.0, 100.0);
        let (start_ev, stop_ev) = (ev(most), ev(median));
        let count = ((stop_ev - start_ev).ceil() as u32).clamp(2, EXPOSURES_MAX);
        Exposures { start_ev, stop_ev, count }
    }

    pub(super) fn is_sound(&self) -> bool {
        let ordered = self.start_ev <= self.stop_ev && self.start_ev.abs() <= 100.0 && self.stop_ev.abs() <= 100.0;
        ordered && (1..=EXPOSURES_MAX).contains(&self.count)
    }

    /// What colours are multiplied by.
    pub(super) fn gains(&self) -> Vec<f32> {
        let step = (self.stop_ev - self.start_ev) / f64::from(self.count.max(2) - 1);
        (0..self.count).map(|i| ops64::exp2(self.start_ev + f64::from(i) * step) as f32).collect()
    }
}

/// Median and maximum of the luminance; `None` if all is black.
fn levels(picture: &Picture) -> Option<(f64, f64)> {
    let Samples::F32(samples) = &picture.samples else { return None };
    let mut values = match picture.channel_count {
        1 => luminances::<1>(samples),
        2 => luminances::<2>(samples),
        3 => luminances::<3>(samples),
        _ => luminances::<4>(samples),
    };
    let most = values.iter().fold(0.0f32, |most, v| most.max(*v));
    if most == 0.0 {
        return None;
    }
    let mut middle = median(&mut values);
    if middle == 0.0 {
        values.retain(|v| *v > 0.0);
        middle = median(&mut values);
    }
    Some((middle, f64::from(most)))
}

fn luminances<const CHANNELS: usize>(samples: &[f32]) -> Vec<f32> {
    let of = |[r, g, b]: [f32; 3]| 0.2126 * r + 0.7152 * g + 0.0722 * b;
    samples.as_chunks().0.iter().map(|pixel| of(colour::<CHANNELS>(pixel)).min(f32::MAX)).collect()
}

/// The mean of the two in the middle, as the reference implementation takes them: the lower middle one and the next.
fn median(values: &mut [f32]) -> f64 {
    let lower = (values.len() / 2).saturating_sub(1);
    let (_, low, above) = values.select_nth_unstable_by(lower, f32::total_cmp);
    let low = f64::from(*low);
    let next = above.iter().fold(f32::INFINITY, |least, v| least.min(*v));
    if next.is_finite() { (low + f64::from(next)) * 0.5 } else { low }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grey(values: &[f32]) -> Picture {
        Picture::new(values.len() as u32, 1, 1, Samples::F32(values.to_vec())).unwrap()
    }

    #[test]
    fn exposures_run_from_the_brightest_to_the_median() {
        let map = ToneMap::Reinhard;
        // What becomes 0.85 under x / (1 + x).
        assert!((map.bright_value() - 0.85 / 0.15).abs() < 1e-6);
        let found = Exposures::of(&grey(&[0.0, 1.0, 1.0, 16.0]), &grey(&[9.0; 4]), map);
        assert!((found.stop_ev - found.start_ev - 4.0).abs() < 1e-6, "{found:?}");
        assert_eq!(found.gains().len(), found.count as usize);
        assert!((f64::from(found.gains()[0]) - map.bright_value() / 16.0).abs() < 1e-6);
    }

    #[test]
    fn black_hostile_and_single_pixels_have_exposures_too() {
        let black = grey(&[0.0; 5]);
        assert_eq!(Exposures::of(&black, &black, ToneMap::Aces), Exposures { start_ev: 0.0, stop_ev: 0.0, count: 1 });
        for values in [&[f32::INFINITY, f32::NAN, -1.0][..], &[1e-40, 1e38, 1e38], &[3.0], &[0.0, 0.0, 5.0]] {
            let found = Exposures::of(&grey(values), &black, ToneMap::Aces);
            assert!(
                found.is_sound() && found.gains().iter().all(|g| g.is_finite() && *g > 0.0),
                "{values:?} {found:?}"
            );
        }
        let other = Exposures::of(&grey(&[0.0; 4]), &grey(&[2.0; 4]), ToneMap::Aces);
        assert_eq!((other.start_ev, other.count), (other.stop_ev, 2));
    }
}
