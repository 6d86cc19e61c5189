//! Looking at what a pass wrote: each format has colours for people.

use stillframe_base::math::pack::f32_from_f16;
use stillframe_frames::looking::{encoded, id_color, map_depth, map_greys, motion, normal};
use stillframe_frames::terminal::shrunk;
use stillframe_frames::{Picture, Samples};

use crate::frame::Format;
use crate::render::Texels;

/// [`texels_for_looking`] made at most `width_max_px` wide.
pub fn texels_made_small(texels: &Texels, width_max_px: u32) -> Picture {
    let Format::Depth32Float = texels.format else {
        let picture = texels_for_looking(texels);
        return shrunk(&picture, width_max_px).unwrap_or(picture);
    };
    // Depth maps are the largest of all, and have one sample in three channels.
    let Texels { width_px, height_px, ref bytes, .. } = *texels;
    let greys = map_greys(&bytemuck::pod_collect_to_vec::<u8, f32>(bytes));
    let grey = Picture { width_px, height_px, channel_count: 1, samples: Samples::U8(greys) };
    let small = shrunk(&grey, width_max_px).unwrap_or(grey);
    let Samples::U8(greys) = &small.samples else { unreachable!("as it was") };
    let colors = greys.iter().flat_map(|grey| [*grey; 3]).collect();
    Picture { channel_count: 3, samples: Samples::U8(colors), ..small }
}

/// What a pass wrote as a picture that people can look at: light is encoded without tone mapping, depth falls from
/// white to grey.
pub fn texels_for_looking(texels: &Texels) -> Picture {
    let Texels { format, width_px, height_px, ref bytes } = *texels;
    let floats = || -> Vec<f32> { bytemuck::pod_collect_to_vec(bytes) };
    let (channel_count, colors) = match format {
        Format::Rgba16Float => {
            let halves: Vec<u16> = bytemuck::pod_collect_to_vec(bytes);
            let linear: Vec<f32> =
                halves.chunks_exact(4).flat_map(|texel| [texel[0], texel[1], texel[2]].map(f32_from_f16)).collect();
            (3, encoded(&linear))
        }
        Format::Rgba32Float => {
            let texels = floats();
            let colors = match are_directions(&texels) {
                true => texels.chunks_exact(4).flat_map(|texel| normal(&texel[..3])).collect(),
                false => {
                    let linear: Vec<f32> =
                        texels.chunks_exact(4).flat_map(|texel| [texel[0], texel[1], texel[2]]).collect();
                    encoded(&linear)
                }
            };
            (3, colors)
        }
        Format::Rg32Float => (3, motion(&floats())),
        Format::Depth32Float | Format::R32Float => (3, map_depth(&floats())),
        Format::Rgba32Uint => {
            let words: Vec<u32> = bytemuck::pod_collect_to_vec(bytes);
            (3, words.chunks_exact(4).flat_map(|texel| id_color(texel[3])).collect())
        }
        Format::Rg32Uint => {
            let words: Vec<u32> = bytemuck::pod_collect_to_vec(bytes);
            (3, words.chunks_exact(2).flat_map(|texel| id_color(texel[0])).collect())
        }
        Format::Rgba16Uint => {
            let words: Vec<u16> = bytemuck::pod_collect_to_vec(bytes);
            (3, words.chunks_exact(4).flat_map(|t| [t[0], t[1], t[2]].map(|v| (v >> 8) as u8)).collect())
        }
        Format::Rgba8UnormSrgb => (3, bytes.chunks_exact(4).flat_map(|t| [t[0], t[1], t[2]]).collect()),
    };
    Picture { width_px, height_px, channel_count, samples: Samples::U8(colors) }
}

/// Whether all of its numbers are finite.
pub fn is_finite(texels: &Texels) -> bool {
    match texels.format {
        Format::Rgba32Float | Format::Rg32Float | Format::R32Float | Format::Depth32Float => {
            texels.bytes.as_chunks::<4>().0.iter().all(|float| f32::from_le_bytes(*float).is_finite())
        }
        Format::Rgba16Float => {
            let exponent = |half: &[u8; 2]| u16::from_le_bytes(*half) & 0x7C00;
            texels.bytes.as_chunks::<2>().0.iter().all(|half| exponent(half) != 0x7C00)
        }
        Format::Rgba32Uint | Format::Rg32Uint | Format::Rgba16Uint | Format::Rgba8UnormSrgb => true,
    }
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

    /// A shorter way, not another picture.
    #[test]
    fn small_depth_maps_are_shrunk_pictures() {
        let values: Vec<f32> = (0..37 * 23).map(|at| if at % 5 == 0 { 0.0 } else { at as f32 * 0.01 }).collect();
        let bytes = bytemuck::cast_slice(&values).to_vec();
        let texels = Texels { format: Format::Depth32Float, width_px: 37, height_px: 23, bytes };
        for width_px in [5, 36, 37, 100] {
            let want = shrunk(&texels_for_looking(&texels), width_px).unwrap();
            assert_eq!(texels_made_small(&texels, width_px), want, "{width_px}");
        }
    }

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
