//! Pictures of a comparison, for people: 8 bit, whatever was compared.

use stillframe_base::lanes::{Isa, Work};

use super::alike::{CompareError, check_alike};
use super::exact::colour_count;
use super::flip::FlipMap;
use super::mask::Mask;
use crate::picture::{Picture, SampleKind, Samples};

/// Largest factor of a difference picture.
pub const DIFFERENCE_FACTOR_MAX: u32 = 128;

/// `|new - old| * factor` of each colour channel, cut at white. `factor` is held to 1..=[`DIFFERENCE_FACTOR_MAX`].
///
/// 8 and 16 bit samples as stored, floats as linear numbers of 0..=1; grey for one channel; whole numbers: white where
/// they differ. Where alpha alone differs its difference is shown in grey. Errors: pictures of another size or format.
pub fn difference_times(old: &Picture, new: &Picture, factor: u32) -> Result<Picture, CompareError> {
    let factor = factor.clamp(1, DIFFERENCE_FACTOR_MAX);
    check_alike(old, new)?;
    let samples = match (&old.samples, &new.samples, old.channel_count) {
        (Samples::U8(a), Samples::U8(b), 3) => byte_differences(a, b, factor),
        (Samples::U8(a), Samples::U8(b), 4) => {
            let mut out = vec![0; old.pixel_count() * 3];
            Isa::detect().run(ColourDifferences { old: a, new: b, factor: factor as i16, out: &mut out });
            out
        }
        _ => return drawn(old, new, 0, |step| byte(step.abs() * factor as f32 * 255.0)),
    };
    Ok(shown(old, samples))
}

/// Middle grey (128) where nothing differs, brighter where `new` is brighter, darker where it is darker: `128 + (new -
/// old) * factor / 2` of each colour channel, cut at black and white.
///
/// As [`difference_times`] otherwise.
pub fn signed_difference(old: &Picture, new: &Picture, factor: u32) -> Result<Picture, CompareError> {
    let factor = factor.clamp(1, DIFFERENCE_FACTOR_MAX) as f32;
    drawn(old, new, 128, |step| byte(128.0 + step * factor * 127.5))
}

/// White where pixels differ, else black; one channel.
pub fn mask_picture(mask: &Mask) -> Picture {
    let samples = (0..mask.height_px)
        .flat_map(|y| (0..mask.width_px).map(move |x| if mask.contains(x, y) { 255 } else { 0 }))
        .collect();
    Picture::new(mask.width_px, mask.height_px, 1, Samples::U8(samples)).expect("as large as the pictures compared")
}

/// FLIP's errors as heat: black over purple and orange to light yellow (magma).
pub fn heat_picture(map: &FlipMap) -> Picture {
    let samples = map.errors.iter().flat_map(|error| magma(*error)).collect();
    Picture::new(map.width_px, map.height_px, 3, Samples::U8(samples)).expect("as large as the pictures compared")
}

/// Every sixteenth colour of magma (Smith and van der Walt, matplotlib, CC0), and the last; between them lines, at most
/// 2 of 255 beside the 256 colours of the table.
const MAGMA: [[u8; 3]; 17] = [
    [0, 0, 4],
    [10, 8, 34],
    [29, 17, 71],
    [54, 16, 107],
    [81, 18, 124],
    [106, 28, 129],
    [131, 38, 129],
    [156, 46, 127],
    [183, 55, 121],
    [208, 65, 111],
    [231, 82, 99],
    [245, 107, 92],
    [252, 137, 97],
    [254, 167, 114],
    [254, 196, 136],
    [253, 226, 163],
    [252, 253, 191],
];

/// The colour of a value in 0..=1.
pub fn magma(value: f32) -> [u8; 3] {
    // Of 256 colours, the reference takes the nearest.
    let inside = if value > 0.0 { value.min(1.0) } else { 0.0 };
    let at = (inside * 255.0 + 0.5) as usize;
    let (step, part) = (at / 16, (at % 16) as i32);
    let width = if step == 15 { 15 } else { 16 };
    std::array::from_fn(|c| {
        let (low, high) = (i32::from(MAGMA[step][c]), i32::from(MAGMA[step + 1][c]));
        (low + ((high - low) * part * 2 + width).div_euclid(2 * width)) as u8
    })
}

/// A picture of `samples`, red, green and blue, of the size of `old`.
fn shown(old: &Picture, samples: Vec<u8>) -> Picture {
    Picture::new(old.width_px, old.height_px, 3, Samples::U8(samples)).expect("as large as the pictures compared")
}

/// `|b - a| * factor`, cut at 255, of each byte.
fn byte_differences(a: &[u8], b: &[u8], factor: u32) -> Vec<u8> {
    a.iter().zip(b).map(|(a, b)| byte_difference(*a, *b, factor as i16)).collect()
}

/// `factor` is [`DIFFERENCE_FACTOR_MAX`] at most, so that products fit.
#[inline(always)]
fn byte_difference(a: u8, b: u8, factor: i16) -> u8 {
    (i16::from(a.abs_diff(b)) * factor).min(255) as u8
}

/// [`byte_differences`] of four channels, without alpha; where alpha alone differs, its difference in all three. `out`
/// is 0.
struct ColourDifferences<'a> {
    old: &'a [u8],
    new: &'a [u8],
    factor: i16,
    out: &'a mut [u8],
}

impl Work for ColourDifferences<'_> {
    type Out = ();

    #[inline(always)]
    fn run<const LEVEL: u8>(self) {
        const STRETCH: usize = 64;
        let ColourDifferences { old, new, factor, out } = self;
        let stretches = old.chunks(STRETCH * 4).zip(new.chunks(STRETCH * 4)).zip(out.chunks_mut(STRETCH * 3));
        for ((old, new), out) in stretches.filter(|((old, new), _)| old != new) {
            let mut words = [[0u8; 4]; STRETCH];
            for ((to, a), b) in words.as_flattened_mut().iter_mut().zip(old).zip(new) {
                *to = byte_difference(*a, *b, factor);
            }
            let mut colours = [0u32; STRETCH];
            for (colour, word) in colours.iter_mut().zip(words) {
                let (light, alpha) = (u32::from_le_bytes(word) & 0x00FF_FFFF, u32::from_le_bytes(word) >> 24);
                *colour = if light == 0 { alpha * 0x0001_0101 } else { light };
            }
            // Four pixels are three words, and words are what is written fast.
            let mut packed = [[0u8; 12]; STRETCH / 4];
            for (to, four) in packed.iter_mut().zip(colours.as_chunks::<4>().0) {
                let [a, b, c, d] = *four;
                to[..4].copy_from_slice(&(a | b << 24).to_le_bytes());
                to[4..8].copy_from_slice(&(b >> 8 | c << 16).to_le_bytes());
                to[8..].copy_from_slice(&(c >> 16 | d << 8).to_le_bytes());
            }
            out.copy_from_slice(&packed.as_flattened()[..out.len()]);
        }
    }
}

fn byte(value: f32) -> u8 {
    // Casts cut at both ends.
    (value + 0.5) as u8
}

/// `of_step(new - old)` of each channel, `equal` where nothing differs.
fn drawn(old: &Picture, new: &Picture, equal: u8, of_step: impl Fn(f32) -> u8) -> Result<Picture, CompareError> {
    check_alike(old, new)?;
    let channels = old.channel_count as usize;
    let colours = colour_count(old.format());
    let mut out = vec![equal; old.pixel_count() * 3];
    match (&old.samples, &new.samples) {
        (Samples::U8(a), Samples::U8(b)) => {
            let table: Vec<u8> = (-255..=255).map(|step| of_step(step as f32 / 255.0)).collect();
            draw(a, b, channels, colours, &mut out, |a, b| table[(255 + i32::from(b) - i32::from(a)) as usize]);
        }
        (Samples::U16(a), Samples::U16(b)) => {
            draw(a, b, channels, colours, &mut out, |a, b| of_step((f32::from(b) - f32::from(a)) / 65535.0));
        }
        (Samples::F32(a), Samples::F32(b)) => draw(a, b, channels, colours, &mut out, |a, b| {
            let step = b - a;
            match (a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()), step.is_nan()) {
                (true, _) => equal,
                (_, true) => 255,
                _ => of_step(step),
            }
        }),
        (Samples::U32(a), Samples::U32(b)) => {
            draw(a, b, channels, 1, &mut out, |a, b| if a == b { equal } else { 255 });
        }
        _ => unreachable!("the formats are equal"),
    }
    debug_assert!(old.samples.kind() != SampleKind::U32 || colours == 0);
    Ok(shown(old, out))
}

/// The common case of [`draw`]: three colours, and alpha if there is a fourth channel.
#[inline(always)]
fn draw_colours<T: Copy + PartialEq, const CHANNELS: usize>(
    old: &[T],
    new: &[T],
    out: &mut [u8],
    shown: &impl Fn(T, T) -> u8,
) {
    let pixels = old.as_chunks::<CHANNELS>().0.iter().zip(new.as_chunks::<CHANNELS>().0);
    for ((a, b), out) in pixels.zip(out.as_chunks_mut::<3>().0) {
        *out = [shown(a[0], b[0]), shown(a[1], b[1]), shown(a[2], b[2])];
        if CHANNELS == 4 && a[..3] == b[..3] {
            *out = [shown(a[3], b[3]); 3];
        }
    }
}

fn draw<T: Copy + PartialEq>(
    old: &[T],
    new: &[T],
    channels: usize,
    colours: usize,
    out: &mut [u8],
    shown: impl Fn(T, T) -> u8,
) {
    // Equal stretches are passed over as slices.
    const STRETCH: usize = 64;
    let stretches = old.chunks(STRETCH * channels).zip(new.chunks(STRETCH * channels)).zip(out.chunks_mut(STRETCH * 3));
    for ((old, new), out) in stretches.filter(|((old, new), _)| old != new) {
        match (channels, colours) {
            (3, 3) => {
                draw_colours::<T, 3>(old, new, out, &shown);
                continue;
            }
            (4, 3) => {
                draw_colours::<T, 4>(old, new, out, &shown);
                continue;
            }
            _ => {}
        }
        let pixels = old.chunks_exact(channels).zip(new.chunks_exact(channels)).zip(out.as_chunks_mut::<3>().0);
        for ((a, b), out) in pixels {
            for c in 0..3 {
                let (a, b) = match colours {
                    // Grey.
                    0 | 1 => (a[0], b[0]),
                    _ if c < colours => (a[c], b[c]),
                    _ => continue,
                };
                out[c] = shown(a, b);
            }
            if colours < channels && colours > 0 && a[..colours] == b[..colours] {
                let last = channels - 1;
                *out = [shown(a[last], b[last]); 3];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(channels: u32, samples: Samples) -> Picture {
        Picture::new(samples.len() as u32 / channels, 1, channels, samples).unwrap()
    }

    fn bytes(picture: &Picture) -> &[u8] {
        let Samples::U8(samples) = &picture.samples else { panic!("8 bit") };
        samples
    }

    #[test]
    fn differences_are_drawn() {
        let old = picture(4, Samples::U8(vec![10, 10, 10, 255, 10, 10, 10, 255, 10, 10, 10, 200]));
        let new = picture(4, Samples::U8(vec![10, 10, 10, 255, 12, 5, 10, 255, 10, 10, 10, 190]));
        let drawn = difference_times(&old, &new, 4).unwrap();
        assert_eq!(bytes(&drawn), [0, 0, 0, 8, 20, 0, 40, 40, 40]);
        let signed = signed_difference(&old, &new, 2).unwrap();
        assert_eq!(bytes(&signed), [128, 128, 128, 130, 123, 128, 118, 118, 118]);
        assert_eq!(bytes(&difference_times(&old, &new, 100_000).unwrap())[3..6], [255, 255, 0]);
        assert!(difference_times(&old, &picture(3, Samples::U8(vec![0; 9])), 1).is_err());
    }

    /// Every difference under every factor, as the floats of other formats have it; 131 pixels, so that the last
    /// stretch is cut.
    #[test]
    fn bytes_are_drawn_as_floats_are() {
        for channels in [3, 4] {
            let samples = |of: fn(usize) -> usize| Samples::U8((0..channels * 131).map(|i| of(i) as u8).collect());
            // Pixels of equal colours and other alpha, of equal alpha, and equal ones.
            let old = picture(channels as u32, samples(|i| if i % 5 == 0 { 7 } else { i * 29 }));
            let new = picture(channels as u32, samples(|i| if i % 16 < 11 { i * 29 } else { i * i + 3 }));
            let alpha_alone = bytes(&old).chunks(channels).zip(bytes(&new).chunks(channels));
            assert!(channels == 3 || alpha_alone.into_iter().any(|(a, b)| a[..3] == b[..3] && a[3] != b[3]));
            for factor in 1..=DIFFERENCE_FACTOR_MAX {
                let want = drawn(&old, &new, 0, |step| byte(step.abs() * factor as f32 * 255.0)).unwrap();
                assert_eq!(difference_times(&old, &new, factor).unwrap(), want, "{channels} channels, {factor}");
            }
        }
        for factor in 1..=DIFFERENCE_FACTOR_MAX {
            for step in 0..=255u8 {
                let want = byte(f32::from(step) / 255.0 * factor as f32 * 255.0);
                assert_eq!(byte_difference(0, step, factor as i16), want, "{step} times {factor}");
            }
        }
    }

    #[test]
    fn every_format_is_drawn() {
        let floats = |v: [f32; 3]| picture(1, Samples::F32(v.to_vec()));
        let drawn = difference_times(&floats([0.0, 1.0, f32::NAN]), &floats([0.5, 1.0, 1.0]), 1).unwrap();
        assert_eq!(bytes(&drawn), [128, 128, 128, 0, 0, 0, 255, 255, 255]);
        let ids = |v: [u32; 2]| picture(1, Samples::U32(v.to_vec()));
        assert_eq!(bytes(&difference_times(&ids([1, 2]), &ids([1, 9]), 1).unwrap()), [0, 0, 0, 255, 255, 255]);
        let deep = |v: [u16; 2]| picture(2, Samples::U16(v.to_vec()));
        assert_eq!(bytes(&difference_times(&deep([0, 9]), &deep([257, 9]), 3).unwrap()), [3, 3, 3]);
    }

    #[test]
    fn magma_runs_from_black_to_yellow() {
        assert_eq!([magma(0.0), magma(1.0), magma(f32::NAN)], [MAGMA[0], MAGMA[16], MAGMA[0]]);
        // Colours of the full table.
        for (value, want) in
            [(64.0, [81, 18, 124]), (128.0, [183, 55, 121]), (200.0, [253, 152, 105]), (30.0, [26, 16, 66])]
        {
            let got = magma(value / 255.0);
            let apart = got.iter().zip(want).map(|(a, b): (_, i32)| (i32::from(*a) - b).abs()).max();
            assert!(apart <= Some(2), "{value}: {got:?} for {want:?}");
        }
    }

    #[test]
    fn masks_are_black_and_white() {
        let mut mask = Mask::empty(70, 2);
        mask.insert(69, 1);
        let drawn = mask_picture(&mask);
        assert_eq!((drawn.channel_count, bytes(&drawn).iter().position(|b| *b == 255)), (1, Some(139)));
    }
}
