//! The Z-test of noisy pictures against samplers whose mean and variance are known.

use stillframe_base::rng::Rng;
use stillframe_frames::compare::{Expected, NoiseError, noise_test};
use stillframe_frames::{Picture, Samples};

const SIDE_PX: u32 = 8;

fn picture(values: Vec<f32>) -> Picture {
    Picture::new(SIDE_PX, SIDE_PX, 1, Samples::F32(values)).unwrap()
}

/// What each pixel must come to: samples are uniform between 0 and twice the mean.
fn mean_of(pixel: u32) -> f32 {
    (pixel + 1) as f32 / 8.0
}

fn expected() -> (Picture, Picture) {
    let means: Vec<f32> = (0..SIDE_PX * SIDE_PX).map(mean_of).collect();
    // Of a uniform value between 0 and w: w^2 / 12.
    let variances = means.iter().map(|mean| (2.0 * mean) * (2.0 * mean) / 12.0).collect();
    (picture(means), picture(variances))
}

/// The means of samples of a seed; `bias` in standard deviations of one sample, in one pixel.
fn sampled(seed: u64, sample_count: u32, bias: f32) -> Picture {
    let mut stream = Rng::new(seed).stream("noise", 0);
    let pixel = |pixel: u32| {
        let width = 2.0 * mean_of(pixel);
        let sum: f64 = (0..sample_count).map(|_| f64::from(width * stream.unit_f32())).sum();
        let shift = if pixel == 19 { bias * width / 12f32.sqrt() } else { 0.0 };
        (sum / f64::from(sample_count)) as f32 + shift
    };
    picture((0..SIDE_PX * SIDE_PX).map(pixel).collect())
}

#[test]
fn an_unbiased_sampler_passes_ten_thousand_seeds() {
    let (mean, variance) = expected();
    let expected = Expected { mean: &mean, variance: &variance };
    let mut rejected = 0;
    for seed in 0..10_000 {
        let found = sampled(seed, 32, 0.0);
        assert!(noise_test(&found, 32, expected, 1e-6).unwrap().passes(), "seed {seed}");
        rejected += u32::from(!noise_test(&found, 32, expected, 1e-2).unwrap().passes());
    }
    // One in a hundred is wrong by chance, as was asked for; uniform samples have thin tails, so some fewer.
    assert!((40..=120).contains(&rejected), "{rejected} of 10000");
}

#[test]
fn a_biased_sampler_fails_at_the_same_significance() {
    let (mean, variance) = expected();
    let expected = Expected { mean: &mean, variance: &variance };
    for seed in 0..40 {
        for (bias, sample_count) in [(0.1, 8192), (-0.1, 8192), (1.0, 100)] {
            let test = noise_test(&sampled(seed, sample_count, bias), sample_count, expected, 1e-6).unwrap();
            assert!(!test.passes(), "seed {seed}, bias {bias}: {:?}", test.worst);
            assert_eq!((test.worst.x_px, test.worst.y_px), (3, 2), "seed {seed}, bias {bias}");
            assert_eq!(test.worst.z > 0.0, bias > 0.0);
        }
    }
}

#[test]
fn what_has_no_noise_must_be_right() {
    let (mean, _) = expected();
    let still = picture(vec![0.0; 64]);
    let expected = Expected { mean: &mean, variance: &still };
    let test = |change: &dyn Fn(&mut [f32])| {
        let Samples::F32(mut values) = mean.samples.clone() else { unreachable!() };
        change(&mut values);
        noise_test(&picture(values), 16, expected, 1e-6).unwrap()
    };
    assert!(test(&|_| ()).passes());
    assert!(test(&|values| values[5] = values[5].next_up()).passes());
    for wrong in [f32::NAN, f32::INFINITY, 0.0, 0.751] {
        let found = test(&|values| values[5] = wrong);
        assert_eq!((found.rejected_count, found.worst.x_px, found.worst.y_px), (1, 5, 0), "{wrong}");
    }
}

#[test]
fn what_cannot_be_tested_is_an_error() {
    let (mean, variance) = expected();
    let expected = Expected { mean: &mean, variance: &variance };
    let other = Picture::new(4, 4, 1, Samples::F32(vec![0.0; 16])).unwrap();
    assert!(matches!(noise_test(&other, 1, expected, 0.01), Err(NoiseError::Unlike(_))));
    let bytes = Picture::new(SIDE_PX, SIDE_PX, 1, Samples::U8(vec![0; 64])).unwrap();
    let of_bytes = Expected { mean: &bytes, variance: &bytes };
    assert!(matches!(noise_test(&bytes, 1, of_bytes, 0.01), Err(NoiseError::Samples(_))));
    assert!(matches!(noise_test(&mean, 0, expected, 0.01), Err(NoiseError::NoSamples)));
    for significance in [0.0, 1.0, -1.0, f64::NAN] {
        assert!(matches!(noise_test(&mean, 1, expected, significance), Err(NoiseError::Significance(_))));
    }
}
