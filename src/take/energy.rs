//! Energy: the mean radiance of every level of light from around, for `--dump environment`.
//!
//! In: pictures of the layers `radiance.N` and `specular.N`. Out: a line each. Blurring moves light about and neither
//! adds nor takes any, so all lines are nearly the same.

use std::fmt::Write;

use stillframe_base::math::colour::luminance;
use stillframe_base::math::ops64;
use stillframe_frames::{Picture, Samples};

use crate::scene::Aov;

/// The mean over all directions; faces lie one below the other. Each texel counts by its exact solid angle.
pub fn mean(picture: &Picture) -> [f64; 3] {
    let Samples::F32(values) = &picture.samples else { unreachable!("cubes are floats") };
    let (size, channels) = (picture.width_px as usize, picture.channel_count as usize);
    let edge = |at: usize| 2.0 * at as f64 / size as f64 - 1.0;
    // Of the part of a face between its middle and a point.
    let corner = |x: f64, y: f64| ops64::atan2(x * y, (x * x + y * y + 1.0).sqrt());
    let (mut sum, mut whole) = ([0.0; 3], 0.0);
    for (at, texel) in values.chunks_exact(channels).enumerate() {
        let (column, row) = (at % size, at / size % size);
        let ([x, y], [right, below]) = ([edge(column), edge(row)], [edge(column + 1), edge(row + 1)]);
        let share = corner(right, below) - corner(x, below) - corner(right, y) + corner(x, y);
        whole += share;
        (0..3).for_each(|c| sum[c] += share * f64::from(texel[c]));
    }
    sum.map(|sum| sum / whole)
}

/// Name, width, mean, and how far its luminance is off that of the first line.
pub fn lines(pictures: &[(Aov, Picture)]) -> String {
    let light = |mean: [f64; 3]| f64::from(luminance(mean.map(|c| c as f32)));
    let mut out = String::new();
    let mut first = None;
    for (aov, picture) in pictures {
        let mean = mean(picture);
        let whole = *first.get_or_insert(light(mean));
        let off = if whole == 0.0 { 0.0 } else { light(mean) / whole - 1.0 };
        let [red, green, blue] = mean;
        let size = picture.width_px;
        _ = writeln!(out, "{aov} {size}x{size}: {red:.5} {green:.5} {blue:.5}, {:+.3} %", off * 100.0);
    }
    out
}
