//! The pairs that are shown to FLIP and to NVIDIA's program.

use stillframe_base::rng::Rng;
use stillframe_frames::{Picture, Samples};

use crate::pictures::{self, Change};

/// `(name, reference, test)`.
pub fn all() -> Vec<(&'static str, Picture, Picture)> {
    let ldr = |name, change| {
        let (old, new) = pictures::pair(192, 160, 3, change);
        (name, old, new)
    };
    let hdr = |name, (width, height), change| {
        let (old, new) = pictures::bright_pair(width, height, change);
        (name, old, new)
    };
    let (noise, other_noise) = (noise(101, 67, 1), noise(101, 67, 2));
    vec![
        ldr("ldr_lsb", Change::Lsb),
        ldr("ldr_edge", Change::Edge),
        ldr("ldr_gain", Change::Gain),
        ldr("ldr_missing", Change::Missing),
        ("ldr_noise", noise, other_noise),
        hdr("hdr_edge", (192, 160), Change::Edge),
        hdr("hdr_gain", (97, 61), Change::Gain),
        hdr("hdr_missing", (192, 160), Change::Missing),
    ]
}

/// Every colour there is, without order: all extremes of the colour part.
fn noise(width: u32, height: u32, seed: u64) -> Picture {
    let mut stream = Rng::new(seed).stream("noise", 0);
    let samples = (0..width * height * 3).map(|_| (stream.next_u32() >> 24) as u8).collect();
    Picture::new(width, height, 3, Samples::U8(samples)).unwrap()
}
