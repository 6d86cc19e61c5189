//! Noise: whether a picture that random samples made has the mean that it must have.
//!
//! Such a picture is never equal to its reference, and a tolerance that is wide enough for its noise is wide enough for
//! mistakes. The Z-test asks instead how likely the found means are if nothing is wrong: sure of a bias that is far
//! smaller than the noise, once there are samples enough. Every channel of every pixel is a test; the significance of
//! each is Šidák's share of the whole picture's, so that a larger picture is not more often wrong by chance.
//!
//! Source: the method of Mitsuba 3's tests (Z-test of each pixel against a mean and a variance that are known, Šidák
//! 1967 correction).

use stillframe_base::math::ops64;

use super::alike::{CompareError, check_alike};
use crate::picture::{Picture, SampleKind, Samples};

/// What random samples of each channel of each pixel must come to: both F32, of one size and format.
///
/// Known from a closed form, or from very many samples; then the error of its own must be small beside that of the
/// picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected<'a> {
    pub mean: &'a Picture,
    /// Of one sample.
    pub variance: &'a Picture,
}

/// What a Z-test found.
#[derive(Clone, Debug, PartialEq)]
pub struct NoiseTest {
    /// Channels of pixels: that many tests.
    pub test_count: u64,
    /// Of one of them.
    pub significance_each: f64,
    /// Those that are less likely than that. None where nothing is wrong, but for the part of pictures that the
    /// significance names.
    pub rejected_count: u64,
    pub worst: Outlier,
}

/// The least likely of all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outlier {
    pub x_px: u32,
    pub y_px: u32,
    pub channel: u32,
    /// Standard errors between what was found and what was expected; positive: too bright.
    pub z: f64,
    /// How likely a value at least as far off is; both sides.
    pub probability: f64,
}

/// Why there was nothing to test.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoiseError {
    #[error(transparent)]
    Unlike(#[from] CompareError),
    #[error("{0:?} samples: means, variances and what was found are linear floats")]
    Samples(SampleKind),
    #[error("a significance of {0}: it lies between 0 and 1")]
    Significance(f64),
    #[error("a mean of no samples")]
    NoSamples,
}

impl NoiseTest {
    /// Whether the picture may well have the mean that was expected.
    pub fn passes(&self) -> bool {
        self.rejected_count == 0
    }
}

/// Tests `found`, of which each value is the mean of `sample_count` samples. `significance`: the part of all sound
/// pictures that may be rejected by chance, such as 1e-6.
///
/// Where the variance is 0, as behind everything, a value must be the expected one to a few steps of its last bit.
/// Not-a-number is infinitely far off, on either side. The mean of samples is taken to be normally distributed: some
/// dozens are enough where they are bounded; heavy tails (paths that find a lamp once in a thousand samples) need more.
///
/// Errors: see [`NoiseError`].
pub fn noise_test(
    found: &Picture,
    sample_count: u32,
    expected: Expected<'_>,
    significance: f64,
) -> Result<NoiseTest, NoiseError> {
    check_alike(found, expected.mean)?;
    check_alike(found, expected.variance)?;
    if sample_count == 0 {
        return Err(NoiseError::NoSamples);
    }
    if !(significance > 0.0 && significance < 1.0) {
        return Err(NoiseError::Significance(significance));
    }
    let (values, means, variances) = (floats(found)?, floats(expected.mean)?, floats(expected.variance)?);
    let test_count = values.len() as u64;
    // 1 - (1 - significance)^(1 / count), which keeps its digits where it is tiny.
    let significance_each = -ops64::exp_m1(ops64::log_1p(-significance) / test_count as f64);
    let mut out = NoiseTest {
        test_count,
        significance_each,
        rejected_count: 0,
        worst: Outlier { probability: 2.0, ..Outlier::default() },
    };
    let channels = found.channel_count as usize;
    for (index, ((value, mean), variance)) in values.iter().zip(means).zip(variances).enumerate() {
        let z = standard_errors(f64::from(*value), f64::from(*mean), f64::from(*variance), sample_count);
        let probability = ops64::erfc(z.abs() / std::f64::consts::SQRT_2);
        out.rejected_count += u64::from(probability < significance_each);
        if probability < out.worst.probability {
            let (pixel, channel) = (index / channels, (index % channels) as u32);
            let (x, y) = (pixel % found.width_px as usize, pixel / found.width_px as usize);
            out.worst = Outlier { x_px: x as u32, y_px: y as u32, channel, z, probability };
        }
    }
    Ok(out)
}

fn floats(picture: &Picture) -> Result<&[f32], NoiseError> {
    match &picture.samples {
        Samples::F32(values) => Ok(values),
        other => Err(NoiseError::Samples(other.kind())),
    }
}

/// Steps of a value's last bit that sums of samples are rounded by.
const ROUNDING_ULP: f64 = 4.0;

fn standard_errors(value: f64, mean: f64, variance: f64, sample_count: u32) -> f64 {
    let rounding = ROUNDING_ULP * f64::from(f32::EPSILON) * mean.abs();
    let deviation = (variance.max(0.0) / f64::from(sample_count) + rounding * rounding).sqrt();
    let off = value - mean;
    if off == 0.0 {
        0.0
    } else if off.is_nan() || variance.is_nan() {
        f64::INFINITY
    } else {
        off / deviation
    }
}
