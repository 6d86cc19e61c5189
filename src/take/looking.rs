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
        Format::Rgba32Float => {
            let texels = floats();
            let colors = match are_directions(&texels) {
                true => texels.chunks_exact(4).flat_map(|texel| normal(&texel[..3])).collect(),
                false => texels.chunks_exact(4).flat_map(|texel| encoded(&texel[..3])).collect(),
            };
            (3, colors)
        }
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

/// Whether the first three of each four are of unit length, or nothing: light is not.
fn are_directions(texels: &[f32]) -> bool {
    let is = |texel: &[f32]| {
        let square: f32 = texel[..3].iter().map(|x| x * x).sum();
        square == 0.0 || (square - 1.0).abs() < 1e-3
    };
    texels.chunks_exact(4).all(is)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_light_or_directions() {
        let seen = |values: &[f32; 8]| {
            let bytes = bytemuck::cast_slice(values).to_vec();
            match texels_for_looking(&Texels { format: Format::Rgba32Float, width_px: 2, height_px: 1, bytes }).samples
            {
                Samples::U8(colors) => colors,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(seen(&[0.0, 0.0, 1.0, 7.0, 0.0, 0.0, 0.0, 0.0])[..3], [128, 128, 255]);
        assert_eq!(seen(&[0.0, 0.0, 1.0, 1.0, 0.25, 0.25, 0.25, 1.0]), [0, 0, 255, 137, 137, 137]);
    }
}
