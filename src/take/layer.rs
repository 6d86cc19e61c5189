//! Layer: what the texels of each layer mean to people: one row a kind.

use stillframe_base::math::pack::f32_from_f16;
use stillframe_frames::looking::{depth, encoded, id_color, map_depth, motion, normal};
use stillframe_frames::{Picture, Samples};

use crate::frame::Format;
use crate::render::Texels;
use crate::scene::Aov;

/// A kind of layer. The pass that leaves it names it with the same word.
#[derive(Clone, Copy, Debug)]
pub struct Layer {
    /// As files and arguments spell it, without a number.
    pub word: &'static str,
    /// Names of its channels in an EXR.
    pub channels: &'static [&'static str],
    /// Texels as numbers, and how many a pixel. `true`: alpha can differ from 1.
    numbers: fn(&Texels, bool) -> (u32, Samples),
    /// Numbers (so many a pixel) as 8-bit colours for people, and how many of these a pixel. `None`: they are colours.
    colours: fn(u32, &Samples) -> Option<(u32, Vec<u8>)>,
}

pub const LAYERS: &[Layer] = &[
    Layer { word: "color", channels: &["R", "G", "B", "A"], numbers: color, colours: light },
    Layer {
        word: "depth",
        channels: &["Z"],
        numbers: |texels, _| (1, Samples::F32(floats(texels).chunks_exact(4).map(|texel| texel[3]).collect())),
        colours: |_, samples| Some((3, depth(f32s(samples)?))),
    },
    Layer {
        word: "normal",
        channels: &["X", "Y", "Z"],
        numbers: |texels, _| (3, Samples::F32(first_three(&floats(texels)))),
        colours: |_, samples| Some((3, f32s(samples)?.chunks_exact(3).flat_map(normal).collect())),
    },
    Layer {
        word: "albedo",
        channels: &["R", "G", "B"],
        numbers: |texels, _| (3, Samples::F32(first_three(&words(texels)).into_iter().map(f32::from_bits).collect())),
        colours: light,
    },
    Layer {
        word: "id",
        channels: &["I"],
        numbers: |texels, _| (1, Samples::U32(words(texels).chunks_exact(4).map(|texel| texel[3]).collect())),
        colours: |_, samples| match samples {
            Samples::U32(ids) => Some((3, ids.iter().flat_map(|&id| id_color(id)).collect())),
            _ => None,
        },
    },
    Layer {
        word: "motion",
        channels: &["X", "Y"],
        numbers: |texels, _| (2, Samples::F32(floats(texels))),
        colours: |_, samples| Some((3, motion(f32s(samples)?))),
    },
    Layer {
        word: "linear",
        channels: &["R", "G", "B", "A"],
        numbers: |texels, transparent| channels(&light_values(texels), transparent, Samples::F32),
        colours: light,
    },
    Layer {
        word: "shadow",
        channels: &["Z"],
        numbers: |texels, _| (1, Samples::F32(floats(texels))),
        colours: |_, samples| Some((3, map_depth(f32s(samples)?))),
    },
    Layer { word: "radiance", channels: &["R", "G", "B"], numbers: cube, colours: light },
    Layer { word: "specular", channels: &["R", "G", "B"], numbers: cube, colours: light },
];

/// The row of what a picture shows.
pub fn layer(aov: Aov) -> &'static Layer {
    let name = aov.to_string();
    let word = name.split('.').next().unwrap_or_default();
    let row = LAYERS.iter().find(|layer| layer.word == word);
    row.unwrap_or_else(|| panic!("no layer is called {word}"))
}

/// Texels as the picture of what they show.
pub fn picture(aov: Aov, texels: &Texels, transparent: bool) -> Picture {
    let (channel_count, samples) = (layer(aov).numbers)(texels, transparent);
    Picture { width_px: texels.width_px, height_px: texels.height_px, channel_count, samples }
}

/// A picture of `aov` as 8-bit texels that people can look at. Colour stays as it is (linear colour is encoded); depth
/// falls from white at the nearest to dark grey at the farthest; normals are `0.5 + 0.5 n`; albedo is encoded; ids get
/// well-spread colours; motion has a hue by its direction (red to the right, cyan to the left) and is the brighter the
/// farther it goes, up to the farthest of the picture; shadow maps are the brighter the nearer to the light. Where
/// nothing is, there is black.
pub fn for_looking(aov: Aov, picture: &Picture) -> Picture {
    let Picture { width_px, height_px, channel_count, ref samples } = *picture;
    match (layer(aov).colours)(channel_count, samples) {
        Some((channel_count, texels)) => Picture { width_px, height_px, channel_count, samples: Samples::U8(texels) },
        None => picture.clone(),
    }
}

/// Encoded, without alpha.
fn light(channel_count: u32, samples: &Samples) -> Option<(u32, Vec<u8>)> {
    let values = f32s(samples)?;
    Some(match channel_count {
        4 => (3, encoded(&first_three(values))),
        count => (count, encoded(values)),
    })
}

fn color(texels: &Texels, transparent: bool) -> (u32, Samples) {
    match texels.format {
        Format::Rgba8UnormSrgb => channels(&texels.bytes, transparent, Samples::U8),
        Format::Rgba16Uint => channels(&bytemuck::pod_collect_to_vec(&texels.bytes), transparent, Samples::U16),
        _ => (4, Samples::F32(floats(texels))),
    }
}

fn cube(texels: &Texels, _: bool) -> (u32, Samples) {
    channels(&light_values(texels), false, Samples::F32)
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
fn light_values(texels: &Texels) -> Vec<f32> {
    if texels.format == Format::Rgba32Float {
        return floats(texels);
    }
    let halves: Vec<u16> = bytemuck::pod_collect_to_vec(&texels.bytes);
    halves.into_iter().map(f32_from_f16).collect()
}

/// Of each four.
fn first_three<T: Copy>(texels: &[T]) -> Vec<T> {
    texels.chunks_exact(4).flat_map(|texel| [texel[0], texel[1], texel[2]]).collect()
}

/// Alpha stays only where it can differ from 1.
fn channels<T: Copy>(texels: &[T], transparent: bool, wrap: fn(Vec<T>) -> Samples) -> (u32, Samples) {
    if transparent { (4, wrap(texels.to_vec())) } else { (3, wrap(first_three(texels))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(aov: Aov, channel_count: u32, samples: Samples) -> Vec<u8> {
        let count = samples.len() as u32 / channel_count;
        match for_looking(aov, &Picture { width_px: count, height_px: 1, channel_count, samples }).samples {
            Samples::U8(texels) => texels,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn nothing_is_black_and_something_is_not() {
        assert_eq!(seen(Aov::Depth, 1, Samples::F32(vec![0.0, 1.0, 3.0])), [0, 0, 0, 255, 255, 255, 40, 40, 40]);
        assert_eq!(seen(Aov::Normal, 3, Samples::F32(vec![0.0, 0.0, 0.0, 0.0, 1.0, 0.0])), [0, 0, 0, 128, 255, 128]);
        assert_eq!(seen(Aov::Albedo, 3, Samples::F32(vec![0.0, 0.5, 1.0])), [0, 188, 255]);
        let ids = seen(Aov::Id, 1, Samples::U32(vec![0, 1, 2]));
        assert!(ids[..3] == [0; 3] && ids[3..].iter().all(|&v| v >= 80) && ids[3..6] != ids[6..9]);
        let motions = vec![0.0, 0.0, 4.0, 0.0, -2.0, 0.0];
        assert_eq!(seen(Aov::Motion, 2, Samples::F32(motions)), [0, 0, 0, 255, 0, 0, 0, 159, 159]);
        assert_eq!(seen(Aov::Color, 3, Samples::U8(vec![1, 2, 3])), [1, 2, 3]);
        assert_eq!(seen(Aov::Color, 4, Samples::F32(vec![0.0, 0.5, 1.0, 1.0])), [0, 188, 255]);
    }

    /// Every word that a scene file knows has a row.
    #[test]
    fn every_word_has_a_row() {
        let numbered = Aov::NUMBERED.iter().map(|(word, of)| (word.trim_end_matches(".N"), of(3)));
        let mut words = Vec::new();
        for (word, aov) in Aov::WORDS.iter().copied().chain(numbered) {
            assert_eq!(layer(aov).word, word);
            words.push(word);
        }
        assert_eq!(words, LAYERS.iter().map(|layer| layer.word).collect::<Vec<_>>());
    }
}
