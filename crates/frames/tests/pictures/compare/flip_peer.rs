//! FLIP's means as NVIDIA's program finds them, for pairs that we make.

use stillframe_base::par::Pool;
use stillframe_frames::compare::{FlipOptions, Where, flip};

use stillframe_testkit::pairs;

/// Means by flip-evaluator 1.7 (PyPI), default settings; printed by `ci/flip-peer.py`, which compares the maps too
/// (largest difference of a pixel: 4.8e-5).
const MEANS: [(&str, f64); 8] = [
    ("ldr_lsb", 0.001574),
    ("ldr_edge", 0.003712),
    ("ldr_gain", 0.104460),
    ("ldr_missing", 0.002388),
    ("ldr_noise", 0.446491),
    ("hdr_edge", 0.005023),
    ("hdr_gain", 0.204722),
    ("hdr_missing", 0.003285),
];

#[test]
fn means_are_those_of_the_reference_implementation() {
    let pool = Pool::new(2);
    let pairs = pairs::all();
    assert_eq!(pairs.len(), MEANS.len());
    for ((name, old, new), (want_name, want)) in pairs.iter().zip(MEANS) {
        assert_eq!(*name, want_name);
        let mean = flip(old, new, &FlipOptions::default(), Where::Everywhere, &pool).unwrap().mean();
        assert!((mean - want).abs() < 2e-6, "{name}: {mean} where flip-evaluator finds {want}");
    }
}
