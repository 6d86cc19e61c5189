//! Texels of the device become pictures.

use stillframe_base::math::pack::f32_from_f16;
use stillframe_frames::{Picture, Samples};

use crate::frame::Format;
use crate::render::Texels;
use crate::scene::Aov;

/// Texels as the picture of what they show.
pub fn picture(aov: Aov, texels: &Texels, transparent: bool) -> Picture {
    let floats = || bytemuck::pod_collect_to_vec::<u8, f32>(&texels.bytes);
    let words = || bytemuck::pod_collect_to_vec::<u8, u32>(&texels.bytes);
    let of_four = |values: Vec<f32>, wanted: std::ops::Range<usize>| {
        values.chunks_exact(4).flat_map(|texel| texel[wanted.clone()].to_vec()).collect()
    };
    let (channel_count, samples) = match aov {
        Aov::Color => match texels.format {
            Format::Rgba8UnormSrgb => channels(&texels.bytes, transparent, Samples::U8),
            Format::Rgba16Uint => channels(&bytemuck::pod_collect_to_vec(&texels.bytes), transparent, Samples::U16),
            _ => (4, Samples::F32(floats())),
        },
        Aov::Depth => (1, Samples::F32(of_four(floats(), 3..4))),
        Aov::Normal => (3, Samples::F32(of_four(floats(), 0..3))),
        Aov::Albedo => {
            let bits = words();
            let values = bits.chunks_exact(4).flat_map(|texel| [texel[0], texel[1], texel[2]].map(f32::from_bits));
            (3, Samples::F32(values.collect()))
        }
        Aov::Id => (1, Samples::U32(words().chunks_exact(4).map(|texel| texel[3]).collect())),
        Aov::Motion => (2, Samples::F32(floats())),
        Aov::Linear => channels(&from_halves(&texels.bytes), transparent, Samples::F32),
        Aov::Shadow(_) => (1, Samples::F32(floats())),
        Aov::Radiance(_) | Aov::Specular(_) => channels(&from_halves(&texels.bytes), false, Samples::F32),
    };
    Picture { width_px: texels.width_px, height_px: texels.height_px, channel_count, samples }
}

fn from_halves(bytes: &[u8]) -> Vec<f32> {
    let halves: Vec<u16> = bytemuck::pod_collect_to_vec(bytes);
    halves.into_iter().map(f32_from_f16).collect()
}

/// Alpha stays only where it can differ from 1.
fn channels<T: Copy>(texels: &[T], transparent: bool, wrap: fn(Vec<T>) -> Samples) -> (u32, Samples) {
    if transparent {
        return (4, wrap(texels.to_vec()));
    }
    (3, wrap(texels.chunks_exact(4).flat_map(|texel| [texel[0], texel[1], texel[2]]).collect()))
}
