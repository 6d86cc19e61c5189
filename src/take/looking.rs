//! Looking at what a pass wrote: each format has colours for people.

use stillframe_base::math::pack::f32_from_f16;
use stillframe_frames::looking::{encoded, id_color, map_depth, motion, normal};
use stillframe_frames::{Picture, Samples};

use crate::frame::Format;
use crate::render::Texels;

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
