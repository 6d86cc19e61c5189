//! Form: two pictures in one format, where that changes no pixel.
//!
//! In: pictures of files that store pixels otherwise. Out: the same pixels in the narrowest format that holds both. 8
//! bits are 16 bits with each sample times 257, grey is red, green and blue of one value, and a picture without alpha
//! is opaque. Never here: sRGB-encoded samples as linear floats or the reverse, since rounding would decide what is
//! equal.

use std::borrow::Cow;

use super::exact::Exact;
use crate::picture::{Picture, SampleKind, Samples};

/// `old` and `new` in one format, or as they are where no format holds both: whole numbers that are no colours, floats
/// of two channels, floats against encoded samples.
pub fn in_one_form<'a>(old: &'a Picture, new: &'a Picture) -> [Cow<'a, Picture>; 2] {
    let as_they_are = [Cow::Borrowed(old), Cow::Borrowed(new)];
    if old.format() == new.format() {
        return as_they_are;
    }
    let (Some(a), Some(b)) = (Parts::of(old), Parts::of(new)) else { return as_they_are };
    if a.is_float != b.is_float {
        return as_they_are;
    }
    let both = Parts {
        is_float: a.is_float,
        is_wide: a.is_wide || b.is_wide,
        is_coloured: a.is_coloured || b.is_coloured,
        has_alpha: a.has_alpha || b.has_alpha,
    };
    [(old, a), (new, b)].map(|(picture, parts)| match parts == both {
        true => Cow::Borrowed(picture),
        false => Cow::Owned(widened(picture, parts, both)),
    })
}

/// Whether two pictures are of one size and have equal pixels, however they are stored.
pub fn have_equal_pixels(old: &Picture, new: &Picture) -> bool {
    let [old, new] = in_one_form(old, new);
    Exact::of(&old, &new).is_ok_and(|exact| exact.is_same())
}

/// What a format can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Parts {
    is_float: bool,
    is_wide: bool,
    is_coloured: bool,
    has_alpha: bool,
}

impl Parts {
    fn of(picture: &Picture) -> Option<Parts> {
        let kind = picture.samples.kind();
        let is_float = kind == SampleKind::F32;
        // Two floats are a direction, not grey with alpha.
        if kind == SampleKind::U32 || is_float && picture.channel_count == 2 {
            return None;
        }
        Some(Parts {
            is_float,
            is_wide: kind == SampleKind::U16,
            is_coloured: picture.channel_count > 2,
            has_alpha: picture.channel_count.is_multiple_of(2),
        })
    }

    fn channel_count(self) -> u32 {
        let colours = if self.is_coloured { 3 } else { 1 };
        colours + u32::from(self.has_alpha)
    }
}

/// A picture of parts `from` with parts `to`, which are those or more.
fn widened(picture: &Picture, from: Parts, to: Parts) -> Picture {
    let samples = match &picture.samples {
        Samples::U8(values) if to.is_wide => {
            let wide: Vec<u16> = values.iter().map(|value| u16::from(*value) * 257).collect();
            Samples::U16(spread(&wide, from, to, u16::MAX))
        }
        Samples::U8(values) => Samples::U8(spread(values, from, to, u8::MAX)),
        Samples::U16(values) => Samples::U16(spread(values, from, to, u16::MAX)),
        Samples::F32(values) => Samples::F32(spread(values, from, to, 1.0)),
        Samples::U32(_) => unreachable!("numbers have no parts"),
    };
    Picture { channel_count: to.channel_count(), samples, ..*picture }
}

fn spread<T: Copy>(values: &[T], from: Parts, to: Parts, opaque: T) -> Vec<T> {
    let wide = from.channel_count() as usize;
    let mut out = Vec::with_capacity(values.len() / wide * to.channel_count() as usize);
    for texel in values.chunks_exact(wide) {
        let colours = &texel[..wide - usize::from(from.has_alpha)];
        match (colours, to.is_coloured) {
            ([grey], true) => out.extend([*grey; 3]),
            _ => out.extend_from_slice(colours),
        }
        if to.has_alpha {
            out.push(if from.has_alpha { texel[wide - 1] } else { opaque });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(channel_count: u32, samples: Samples) -> Picture {
        Picture::new(samples.len() as u32 / channel_count, 1, channel_count, samples).unwrap()
    }

    /// Pictures of a line show the same, those of different lines do not.
    #[test]
    fn diff_rgba_rgb() {
        let alike = [
            vec![
                of(1, Samples::U8(vec![7, 255])),
                of(2, Samples::U8(vec![7, 255, 255, 255])),
                of(3, Samples::U8(vec![7, 7, 7, 255, 255, 255])),
                of(4, Samples::U8(vec![7, 7, 7, 255, 255, 255, 255, 255])),
                of(1, Samples::U16(vec![7 * 257, 65535])),
                of(
                    4,
                    Samples::U16([[7 * 257; 3], [65535; 3]].iter().flat_map(|c| [c[0], c[1], c[2], 65535]).collect()),
                ),
            ],
            vec![
                of(1, Samples::U16(vec![7 * 257 + 1, 65535])),
                of(2, Samples::U16(vec![7 * 257 + 1, 65535, 65535, 65535])),
            ],
            vec![
                of(2, Samples::U8(vec![7, 254, 255, 255])),
                of(4, Samples::U8(vec![7, 7, 7, 254, 255, 255, 255, 255])),
            ],
            vec![of(3, Samples::U8(vec![7, 7, 8, 255, 255, 255]))],
            vec![
                of(1, Samples::F32(vec![0.5, 2.0])),
                of(3, Samples::F32(vec![0.5, 0.5, 0.5, 2.0, 2.0, 2.0])),
                of(4, Samples::F32(vec![0.5, 0.5, 0.5, 1.0, 2.0, 2.0, 2.0, 1.0])),
            ],
            vec![of(2, Samples::F32(vec![0.5, 1.0, 2.0, 1.0]))],
            vec![of(1, Samples::U32(vec![7, 255]))],
        ];
        for (line, pictures) in alike.iter().enumerate() {
            for (other_line, others) in alike.iter().enumerate() {
                for (left, right) in pictures.iter().flat_map(|left| others.iter().map(move |right| (left, right))) {
                    let (a, b) = (left.format(), right.format());
                    assert_eq!(
                        have_equal_pixels(left, right),
                        line == other_line,
                        "{a} of {line}, {b} of {other_line}"
                    );
                }
            }
        }
    }
}
