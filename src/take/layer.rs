//! Layer: what the texels of each layer mean to people, as its row in `scene::LAYERS` says.

use std::collections::BTreeMap;
use std::sync::Arc;

use stillframe_base::math::pack::f32_from_f16;
use stillframe_frames::looking::{count, depth, encoded, id_color, map_depth, motion, normal, place, share, uv};
use stillframe_frames::{Picture, Samples};

use crate::frame::Format;
use crate::render::Texels;
use crate::scene::{Aov, Held, Looks};

/// What each eye has drawn of a layer, which it no longer holds then.
pub fn pictures(
    eyes: &mut [BTreeMap<String, Arc<Texels>>],
    (aov, name): (&Aov, &str),
    transparent: bool,
) -> Vec<Picture> {
    let texels = eyes.iter_mut().map(|eye| eye.remove(name).expect("it was asked for"));
    texels.map(|texels| picture(aov, Arc::unwrap_or_clone(texels), transparent)).collect()
}

/// Texels as the picture of what they show.
fn picture(aov: &Aov, texels: Texels, transparent: bool) -> Picture {
    let Texels { width_px, height_px, .. } = texels;
    let row = aov.row();
    let count = row.channels.len();
    let (channel_count, samples) = match row.held {
        Held::Color => return Picture { width_px, height_px, ..color(texels, transparent) },
        Held::Light if count < 4 => (count as u32, Samples::F32(first(&light_values(&texels), count))),
        Held::Light => channels(&light_values(&texels), transparent, Samples::F32),
        Held::Cube => channels(&light_values(&texels), false, Samples::F32),
        Held::Floats => (count as u32, Samples::F32(floats_of(&texels, count))),
        Held::FourthFloat => (1, Samples::F32(floats(&texels).chunks_exact(4).map(|texel| texel[3]).collect())),
        Held::Bits => (3, Samples::F32(first(&words(&texels), 3).into_iter().map(f32::from_bits).collect())),
        Held::Word => (1, Samples::U32(first(&words(&texels), 1))),
        Held::FourthWord => (1, Samples::U32(words(&texels).chunks_exact(4).map(|texel| texel[3]).collect())),
    };
    Picture { width_px, height_px, channel_count, samples }
}

/// A picture of `aov` as 8-bit texels that people can look at, as its row says. Colour stays as it is (linear colour is
/// encoded); depth falls from white at the nearest to dark grey at the farthest; normals are `0.5 + 0.5 n`; ids get
/// well-spread colours; motion has a hue by its direction (red to the right, cyan to the left) and is the brighter the
/// farther it goes, up to the farthest of the picture; shadow maps are the brighter the nearer to the light; shares are
/// grey; counts are the brighter the more, up to the most of the picture; places run from the least to the most of each
/// axis. Where nothing is, there is black.
pub fn for_looking(aov: &Aov, picture: &Picture) -> Picture {
    let Picture { width_px, height_px, channel_count, ref samples } = *picture;
    match colours(aov.row().looks, channel_count, samples) {
        Some((channel_count, texels)) => Picture { width_px, height_px, channel_count, samples: Samples::U8(texels) },
        None => picture.clone(),
    }
}

/// Numbers (so many a pixel) as 8-bit colours for people, and how many of these a pixel. `None`: they are colours.
fn colours(looks: Looks, channel_count: u32, samples: &Samples) -> Option<(u32, Vec<u8>)> {
    let texels = match (looks, samples) {
        (Looks::Light, _) => return light(channel_count, samples),
        (Looks::Ids, Samples::U32(ids)) => ids.iter().flat_map(|&id| id_color(id)).collect(),
        (Looks::Count, Samples::U32(counts)) => count(&counts.iter().map(|&n| n as f32).collect::<Vec<_>>()),
        (Looks::Count, _) => count(f32s(samples)?),
        (Looks::Ids, _) => return None,
        (Looks::Depth, _) => depth(f32s(samples)?),
        (Looks::Direction, _) => f32s(samples)?.chunks_exact(3).flat_map(normal).collect(),
        (Looks::Motion, _) => motion(f32s(samples)?),
        (Looks::MapDepth, _) => map_depth(f32s(samples)?),
        (Looks::Share, _) => share(f32s(samples)?),
        (Looks::Place, _) => place(f32s(samples)?),
        (Looks::Uv, _) => uv(f32s(samples)?),
    };
    Some((3, texels))
}

/// Encoded, without alpha.
fn light(channel_count: u32, samples: &Samples) -> Option<(u32, Vec<u8>)> {
    let values = f32s(samples)?;
    Some(match channel_count {
        4 => (3, encoded(&first(values, 3))),
        count => (count, encoded(values)),
    })
}

/// Colour of 8 bits stays where it is in memory: large pictures are not copied.
fn color(texels: Texels, transparent: bool) -> Picture {
    let Texels { width_px, height_px, .. } = texels;
    let (channel_count, samples) = match texels.format {
        Format::Rgba8UnormSrgb if transparent => (4, Samples::U8(texels.bytes)),
        Format::Rgba8UnormSrgb => (3, Samples::U8(without_fourth(texels.bytes))),
        Format::Rgba16Uint => channels(&bytemuck::pod_collect_to_vec(&texels.bytes), transparent, Samples::U16),
        _ => (4, Samples::F32(floats(&texels))),
    };
    Picture { width_px, height_px, channel_count, samples }
}

/// The first three of each four.
fn without_fourth(mut bytes: Vec<u8>) -> Vec<u8> {
    let count = bytes.len() / 4;
    for texel in 0..count {
        bytes.copy_within(4 * texel..4 * texel + 3, 3 * texel);
    }
    bytes.truncate(3 * count);
    bytes
}

fn f32s(samples: &Samples) -> Option<&[f32]> {
    match samples {
        Samples::F32(values) => Some(values),
        _ => None,
    }
}

fn floats(texels: &Texels) -> Vec<f32> {
    bytemuck::pod_collect_to_vec(&texels.bytes)
}

fn words(texels: &Texels) -> Vec<u32> {
    bytemuck::pod_collect_to_vec(&texels.bytes)
}

/// Light, in floats or in halves.
pub(super) fn light_values(texels: &Texels) -> Vec<f32> {
    if texels.format == Format::Rgba32Float {
        return floats(texels);
    }
    let halves: Vec<u16> = bytemuck::pod_collect_to_vec(&texels.bytes);
    halves.into_iter().map(f32_from_f16).collect()
}

/// Of each four.
fn first<T: Copy>(texels: &[T], count: usize) -> Vec<T> {
    texels.chunks_exact(4).flat_map(|texel| &texel[..count]).copied().collect()
}

/// The first `count` of each texel.
fn floats_of(texels: &Texels, count: usize) -> Vec<f32> {
    let values = floats(texels);
    if texels.format == Format::Rgba32Float { first(&values, count) } else { values }
}

/// Alpha stays only where it can differ from 1.
fn channels<T: Copy>(texels: &[T], transparent: bool, wrap: fn(Vec<T>) -> Samples) -> (u32, Samples) {
    if transparent { (4, wrap(texels.to_vec())) } else { (3, wrap(first(texels, 3))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(aov: &Aov, channel_count: u32, samples: Samples) -> Vec<u8> {
        let count = samples.len() as u32 / channel_count;
        match for_looking(aov, &Picture { width_px: count, height_px: 1, channel_count, samples }).samples {
            Samples::U8(texels) => texels,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn nothing_is_black_and_something_is_not() {
        assert_eq!(seen(&Aov::DEPTH, 1, Samples::F32(vec![0.0, 1.0, 3.0])), [0, 0, 0, 255, 255, 255, 40, 40, 40]);
        assert_eq!(seen(&Aov::NORMAL, 3, Samples::F32(vec![0.0, 0.0, 0.0, 0.0, 1.0, 0.0])), [0, 0, 0, 128, 255, 128]);
        assert_eq!(seen(&Aov::ALBEDO, 3, Samples::F32(vec![0.0, 0.5, 1.0])), [0, 188, 255]);
        let ids = seen(&Aov::ID, 1, Samples::U32(vec![0, 1, 2]));
        assert!(ids[..3] == [0; 3] && ids[3..].iter().all(|&v| v >= 80) && ids[3..6] != ids[6..9]);
        let motions = vec![0.0, 0.0, 4.0, 0.0, -2.0, 0.0];
        assert_eq!(seen(&Aov::MOTION, 2, Samples::F32(motions)), [0, 0, 0, 255, 0, 0, 0, 159, 159]);
        assert_eq!(seen(&Aov::COLOR, 3, Samples::U8(vec![1, 2, 3])), [1, 2, 3]);
        assert_eq!(without_fourth(vec![1, 2, 3, 9, 4, 5, 6, 9, 7, 8, 9, 9]), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(seen(&Aov::COLOR, 4, Samples::F32(vec![0.0, 0.5, 1.0, 1.0])), [0, 188, 255]);
    }
}
