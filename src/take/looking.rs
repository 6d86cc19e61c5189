//! Looking: numbers become colours for people.

use stillframe_base::math::colour::srgb8_from_linear;
use stillframe_base::math::ops;
use stillframe_base::math::pack::f32_from_f16;
use stillframe_frames::{Picture, Samples};

use crate::frame::Format;
use crate::render::Texels;

pub fn encoded(values: &[f32]) -> Vec<u8> {
    values.iter().map(|&value| srgb8_from_linear(value)).collect()
}

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

pub fn normal(n: &[f32]) -> [u8; 3] {
    if n.iter().all(|&v| v == 0.0) {
        return [0; 3];
    }
    [0, 1, 2].map(|i| (n[i] * 127.5 + 128.0).clamp(0.0, 255.0) as u8)
}

/// Direction as a hue, length as brightness.
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

/// Colours of neighbouring ids differ: each byte from another part of a multiplicative hash, none dark.
pub fn id_color(id: u32) -> [u8; 3] {
    if id == 0 {
        return [0; 3];
    }
    let hash = id.wrapping_mul(0x9E37_79B1);
    let hash = (hash ^ hash >> 15).wrapping_mul(0x85EB_CA77);
    [0, 8, 16].map(|shift| 80 + ((hash >> shift) as u8 as u32 * 175 / 255) as u8)
}

/// What a pass wrote as a picture that people can look at: light is encoded without tone mapping, depth falls from
/// white to grey.
pub fn texels_for_looking(texels: &Texels) -> Picture {
    let Texels { format, width_px, height_px, ref bytes } = *texels;
    let floats = || -> Vec<f32> { bytemuck::pod_collect_to_vec(bytes) };
    let (channel_count, colors) = match format {
        Format::Rgba16Float => {
            let halves: Vec<u16> = bytemuck::pod_collect_to_vec(bytes);
            let color = |texel: &[u16]| encoded(&[texel[0], texel[1], texel[2]].map(f32_from_f16));
            (3, halves.chunks_exact(4).flat_map(color).collect())
        }
        Format::Rgba32Float => (3, floats().chunks_exact(4).flat_map(|texel| normal(&texel[..3])).collect()),
        Format::Rg32Float => (3, motion(&floats())),
        Format::Depth32Float => (3, map_depth(&floats())),
        Format::Rgba32Uint => {
            let words: Vec<u32> = bytemuck::pod_collect_to_vec(bytes);
            (3, words.chunks_exact(4).flat_map(|texel| id_color(texel[3])).collect())
        }
        Format::Rgba16Uint => {
            let words: Vec<u16> = bytemuck::pod_collect_to_vec(bytes);
            (3, words.chunks_exact(4).flat_map(|t| [t[0], t[1], t[2]].map(|v| (v >> 8) as u8)).collect())
        }
        Format::Rgba8UnormSrgb => (3, bytes.chunks_exact(4).flat_map(|t| [t[0], t[1], t[2]]).collect()),
    };
    Picture { width_px, height_px, channel_count, samples: Samples::U8(colors) }
}

/// Of a shadow map: reversed, 0 is nothing.
pub fn map_depth(values: &[f32]) -> Vec<u8> {
    let there = || values.iter().copied().filter(|&d| d > 0.0);
    let (far, near) = (there().fold(f32::INFINITY, f32::min), there().fold(0.0, f32::max));
    let grey = |d: f32| {
        let close = if near > far { (d - far) / (near - far) } else { 1.0 };
        if d > 0.0 { (40.0 + 215.0 * close) as u8 } else { 0 }
    };
    values.iter().flat_map(|&d| [grey(d); 3]).collect()
}
