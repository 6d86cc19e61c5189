//! Tolerance: how much two adapters may differ, and how near a picture came to it. The exact gate has none.

use serde::{Deserialize, Serialize};

use super::alike::CompareError;
use super::differences::Differences;
use crate::picture::{Picture, SampleKind};

/// At most `share` of the pixels may differ by more than `delta` in any channel.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tolerance {
    /// In 1/255 of the range, whatever the samples; a float's range is 0..=1. Whole numbers differ or do not: any
    /// change is over every delta.
    pub delta: f64,
    /// Of all pixels, 0 to 1.
    pub share: f64,
}

/// A comparison under a tolerance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    pub passed: bool,
    /// Pixels that differ by more than the delta allowed.
    pub over_pixel_count: u64,
    /// The same of all pixels, 0 to 1.
    pub over_share: f64,
    /// Allowed share less that found: what is left, or below 0 what is missing.
    pub share_slack: f64,
    /// The smallest delta, in 1/255 of the range, that would pass with the share allowed; `None` if none would.
    pub delta_needed: Option<f64>,
    /// Allowed delta less that needed: what is left, or below 0 what is missing.
    pub delta_slack: Option<f64>,
}

impl Tolerance {
    /// Whether `new` is as near to `old` as asked, and by how much.
    ///
    /// Errors: pictures of another size or format.
    pub fn judge(&self, old: &Picture, new: &Picture) -> Result<Judgement, CompareError> {
        let differences = Differences::of(old, new)?;
        let is_number = old.format().kind == SampleKind::U32;
        let steps = 255.0 / f64::from(differences.full_scale);
        let mut deltas: Vec<f64> = differences
            .deltas
            .iter()
            .filter(|delta| **delta > 0.0)
            .map(|delta| if is_number { f64::INFINITY } else { f64::from(*delta) * steps })
            .collect();
        let pixel_count = old.pixel_count() as f64;
        // Written so that NaN allows nothing.
        let over_pixel_count = deltas.iter().filter(|delta| !(**delta <= self.delta)).count() as u64;
        let over_share = over_pixel_count as f64 / pixel_count;
        let allowed_count = (self.share * pixel_count).clamp(0.0, pixel_count) as usize;
        // The largest that may not be over: all larger ones are within the share.
        let needed = if allowed_count >= deltas.len() {
            0.0
        } else {
            let place = deltas.len() - 1 - allowed_count;
            *deltas.select_nth_unstable_by(place, f64::total_cmp).1
        };
        let delta_needed = needed.is_finite().then_some(needed);
        Ok(Judgement {
            passed: over_share <= self.share,
            over_pixel_count,
            over_share,
            share_slack: self.share - over_share,
            delta_needed,
            delta_slack: delta_needed.map(|needed| self.delta - needed),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Samples;

    fn grey(values: &[u8]) -> Picture {
        Picture::new(values.len() as u32, 1, 1, Samples::U8(values.to_vec())).unwrap()
    }

    #[test]
    fn slack_says_how_near_it_was() {
        let old = grey(&[0; 10]);
        let new = grey(&[0, 0, 0, 0, 0, 0, 0, 2, 5, 40]);
        for (delta, share, passed, over, needed) in [
            (0.0, 0.0, false, 3, 40.0),
            (4.0, 0.1, false, 2, 5.0),
            (5.0, 0.1, true, 1, 5.0),
            (4.0, 0.2, true, 2, 2.0),
            (0.0, 0.3, true, 3, 0.0),
            (40.0, 0.0, true, 0, 40.0),
            (0.0, 1.0, true, 3, 0.0),
        ] {
            let found = Tolerance { delta, share }.judge(&old, &new).unwrap();
            assert_eq!((found.passed, found.over_pixel_count), (passed, over), "{delta} {share}");
            assert_eq!(found.delta_needed, Some(needed), "{delta} {share}");
            assert_eq!(found.delta_slack, Some(delta - needed));
            assert!((found.share_slack - (share - over as f64 / 10.0)).abs() < 1e-12);
            // The delta needed is enough, and nothing below it is.
            let again = |delta: f64| Tolerance { delta, share }.judge(&old, &new).unwrap().passed;
            assert!(again(needed) && (needed == 0.0 || !again(needed - 0.5)), "{delta} {share}");
        }
    }

    #[test]
    fn other_samples_have_the_same_unit() {
        let deep = |v: u16| Picture::new(1, 1, 1, Samples::U16(vec![v])).unwrap();
        let float = |v: f32| Picture::new(1, 1, 1, Samples::F32(vec![v])).unwrap();
        let number = |v: u32| Picture::new(1, 1, 1, Samples::U32(vec![v])).unwrap();
        let none = Tolerance { delta: 0.0, share: 0.0 };
        assert_eq!(none.judge(&deep(0), &deep(514)).unwrap().delta_needed, Some(2.0));
        assert_eq!(none.judge(&float(0.0), &float(0.5)).unwrap().delta_needed, Some(127.5));
        assert_eq!(none.judge(&float(0.0), &float(f32::NAN)).unwrap().delta_needed, None);
        let wide = Tolerance { delta: 255.0, share: 0.0 };
        assert!(!wide.judge(&number(1), &number(2)).unwrap().passed);
        assert!(none.judge(&number(1), &number(1)).unwrap().passed);
        assert!(!Tolerance { delta: f64::NAN, share: 0.0 }.judge(&deep(0), &deep(1)).unwrap().passed);
    }
}
