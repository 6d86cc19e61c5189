//! Looking: numbers become colours for people.
//!
//! In: the numbers of a buffer (linear light, depths in metres, unit vectors, motion in pixels, ids). Out: RGB bytes.

use stillframe_base::math::colour::srgb8_from_linear;
use stillframe_base::math::ops;

/// Light as sRGB bytes, one for each value.
pub fn encoded(values: &[f32]) -> Vec<u8> {
    values.iter().map(|&value| srgb8_from_linear(value)).collect()
}

/// Depths as grey, three bytes for each value: near is white, far is dark, 0 (nothing) is black.
pub fn depth(values: &[f32]) -> Vec<u8> {
    let there = || values.iter().copied().filter(|&d| d > 0.0);
    let (nearest, farthest) = (there().fold(f32::INFINITY, f32::min), there().fold(0.0, f32::max));
    let grey = |d: f32| {
        if d <= 0.0 {
            return 0;
        }
        let far = if farthest > nearest { (d - nearest) / (farthest - nearest) } else { 0.0 };
        (255.0 - 215.0 * far) as u8
    };
    values.iter().flat_map(|&d| [grey(d); 3]).collect()
}

/// A unit vector as a colour; zero is black.
pub fn normal(n: &[f32]) -> [u8; 3] {
    if n.iter().all(|&v| v == 0.0) {
        return [0; 3];
    }
    [0, 1, 2].map(|i| (n[i] * 127.5 + 128.0).clamp(0.0, 255.0) as u8)
}

/// Vectors of two numbers as colours, three bytes for each: direction as a hue, length as brightness.
pub fn motion(values: &[f32]) -> Vec<u8> {
    let length = |v: &[f32]| (v[0] * v[0] + v[1] * v[1]).sqrt();
    let farthest = values.chunks_exact(2).map(length).filter(|l| l.is_finite()).fold(0.0, f32::max);
    let color = |v: &[f32]| {
        let long = length(v);
        if !(long > 0.0) {
            return [0; 3];
        }
        // Turns of the hue circle, and three ramps a third of it apart.
        let turn = ops::atan2(v[1], v[0]) / std::f32::consts::TAU;
        let share = 0.25 + 0.75 * (long / farthest).min(1.0);
        [0.0, 2.0 / 3.0, 1.0 / 3.0].map(|offset| {
            let hue = turn + offset;
            let hue = hue - hue.floor();
            let ramp = ((hue * 6.0 - 3.0).abs() - 1.0).clamp(0.0, 1.0);
            (255.0 * share * ramp) as u8
        })
    };
    values.chunks_exact(2).flat_map(color).collect()
}

/// Numbers as grey, three bytes for each value: 0 is black, 1 is white.
pub fn share(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|&value| [(value * 255.0 + 0.5) as u8; 3]).collect()
}

/// How many of something, as grey: 0 is black, the most white.
pub fn count(values: &[f32]) -> Vec<u8> {
    let most = values.iter().copied().filter(|n| n.is_finite()).fold(0.0, f32::max);
    let scale = if most > 0.0 { 1.0 / most } else { 0.0 };
    share(&values.iter().map(|n| n * scale).collect::<Vec<_>>())
}

/// Places of three numbers: each axis from dark at its least to bright at its most. Where all three are 0 is nothing.
pub fn place(values: &[f32]) -> Vec<u8> {
    let is_there = |p: &&[f32]| p.iter().any(|&v| v != 0.0);
    let there = || values.chunks_exact(3).filter(is_there);
    let ends = [0, 1, 2].map(|axis| {
        let of_axis = || there().map(|p| p[axis]).filter(|v| v.is_finite());
        (of_axis().fold(f32::INFINITY, f32::min), of_axis().fold(f32::NEG_INFINITY, f32::max))
    });
    let color = |p: &[f32]| {
        [0, 1, 2].map(|axis| {
            let (least, most) = ends[axis];
            let at = if most > least { (p[axis] - least) / (most - least) } else { 0.5 };
            if p.iter().any(|&v| v != 0.0) { (40.0 + 215.0 * at) as u8 } else { 0 }
        })
    };
    values.chunks_exact(3).flat_map(color).collect()
}

/// Texture coordinates: what is behind the point of the first as red, of the second as green.
pub fn uv(values: &[f32]) -> Vec<u8> {
    let part = |v: f32| ((v - v.floor()) * 255.0 + 0.5) as u8;
    values.chunks_exact(2).flat_map(|uv| [part(uv[0]), part(uv[1]), 0]).collect()
}

/// Colours of neighbouring ids differ: each byte from another part of a multiplicative hash, none dark.
pub fn id_color(id: u32) -> [u8; 3] {
    if id == 0 {
        return [0; 3];
    }
    let hash = id.wrapping_mul(0x9E37_79B1);
    let hash = (hash ^ hash >> 15).wrapping_mul(0x85EB_CA77);
    [0, 8, 16].map(|shift| 80 + ((hash >> shift) as u8 as u32 * 175 / 255) as u8)
}

/// Depths of a reversed buffer (a shadow map) as grey, three bytes for each value: near is white, 0 (nothing) is black.
pub fn map_depth(values: &[f32]) -> Vec<u8> {
    map_greys(values).into_iter().flat_map(|grey| [grey; 3]).collect()
}

/// [`map_depth`] as one byte for each value.
pub fn map_greys(values: &[f32]) -> Vec<u8> {
    // Floats over 0 are in the order of their bits, which processors compare many at a time; one below, nothing and
    // NaN are the largest.
    let below = |d: &f32| d.to_bits().wrapping_sub(1);
    let infinite = f32::INFINITY.to_bits();
    let far = values.iter().map(below).fold(infinite - 1, u32::min) + 1;
    let near = values.iter().map(|d| if below(d) < infinite { d.to_bits() } else { 0 }).fold(0, u32::max);
    let (far, near) = (f32::from_bits(far), f32::from_bits(near));
    let grey = |d: f32| {
        let close = if near > far { (d - far) / (near - far) } else { 1.0 };
        if d > 0.0 { (40.0 + 215.0 * close) as u8 } else { 0 }
    };
    values.iter().map(|&d| grey(d)).collect()
}
