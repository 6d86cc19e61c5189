//! Pictures in terminals, by the three ways terminals understand: escape sequences that carry a PNG (kitty, iTerm2) or
//! bands of six rows in palette colours (sixel).
//!
//! Sources: "Terminal graphics protocol", sw.kovidgoyal.net/kitty; "Inline Images Protocol", iterm2.com; "VT330/VT340
//! Programmer Reference Manual", chapter 14. Out of scope: finding out which terminal it is.

use stillframe_base::base64::base64;

use crate::picture::{Picture, Samples};

/// Bytes of text that kitty takes in one escape sequence.
const KITTY_CHUNK: usize = 4096;

/// A PNG file as kitty's escape sequences, made to fit `columns` text columns where that is said. The terminal sends no
/// reply.
pub fn kitty(png: &[u8], columns: Option<u32>) -> Vec<u8> {
    let text = base64(png);
    let chunks: Vec<&[u8]> = text.chunks(KITTY_CHUNK).collect();
    let mut out = Vec::with_capacity(text.len() + chunks.len() * 16);
    for (index, chunk) in chunks.iter().enumerate() {
        let more = u8::from(index + 1 < chunks.len());
        let fit = columns.map_or(String::new(), |c| format!(",c={c}"));
        let keys = if index == 0 { format!("a=T,f=100,q=2{fit},m={more}") } else { format!("m={more}") };
        out.extend_from_slice(format!("\x1b_G{keys};").as_bytes());
        out.extend_from_slice(chunk);
        out.extend_from_slice(b"\x1b\\");
    }
    out.push(b'\n');
    out
}

/// A PNG file as iTerm2's escape sequence, made to fit `columns` text columns where that is said.
pub fn iterm(png: &[u8], columns: Option<u32>) -> Vec<u8> {
    let width = columns.map_or("auto".to_string(), |c| c.to_string());
    let mut out =
        format!("\x1b]1337;File=inline=1;size={};width={width};preserveAspectRatio=1:", png.len()).into_bytes();
    out.extend(base64(png));
    out.extend_from_slice(b"\x07\n");
    out
}

/// Steps of red, green and blue in the palette: 252 colours, more of green, to which eyes are keenest.
const STEPS: [u32; 3] = [6, 7, 6];

/// An 8-bit picture as sixels: a fixed palette, dithered. Where alpha is below half nothing is drawn.
///
/// `None`: samples that are not 8-bit.
pub fn sixel(picture: &Picture) -> Option<Vec<u8>> {
    let Samples::U8(samples) = &picture.samples else { return None };
    let (width, height) = (picture.width_px as usize, picture.height_px as usize);
    let colors: Vec<Option<u8>> = (samples.chunks_exact(picture.channel_count as usize).enumerate())
        .map(|(index, texel)| nearest(texel, index % width, index / width))
        .collect();
    // Pixels are square; those that are not named keep what stands there.
    let mut out = format!("\x1bP0;1;0q\"1;1;{width};{height}").into_bytes();
    for color in 0..STEPS.iter().product::<u32>() {
        let [r, g, b] = levels(color).map(|(level, steps)| (level * 100 + (steps - 1) / 2) / (steps - 1));
        out.extend_from_slice(format!("#{color};2;{r};{g};{b}").as_bytes());
    }
    for band in colors.chunks(width * 6) {
        let mut used: Vec<u8> = band.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        for color in used {
            out.extend_from_slice(format!("#{color}").as_bytes());
            let column = |x: usize| {
                let rows = band.iter().skip(x).step_by(width).enumerate();
                rows.fold(0u8, |bits, (row, pixel)| bits | u8::from(*pixel == Some(color)) << row)
            };
            push_runs((0..width).map(column), &mut out);
            out.push(b'$');
        }
        out.push(b'-');
    }
    out.extend_from_slice(b"\x1b\\\n");
    Some(out)
}

/// Levels of a palette entry, each with the number of its steps.
fn levels(color: u32) -> [(u32, u32); 3] {
    let [r, g, b] = STEPS;
    [(color / (g * b), r), (color / b % g, g), (color % b, b)]
}

/// The palette entry of a pixel, dithered by where it stands.
fn nearest(texel: &[u8], x: usize, y: usize) -> Option<u8> {
    let (rgb, alpha) = match *texel {
        [v] => ([v; 3], 255),
        [v, a] => ([v; 3], a),
        [r, g, b] => ([r, g, b], 255),
        [r, g, b, a] => ([r, g, b], a),
        _ => unreachable!("a pixel has 1 to 4 channels"),
    };
    if alpha < 128 {
        return None;
    }
    // Bayer's matrix, 1 to 127 of 128.
    let (x, y) = (x as u32 & 7, y as u32 & 7);
    let bit = |v: u32, n: u32| v >> n & 1;
    let order = (0..3).fold(0, |sum, n| sum << 2 | bit(x ^ y, n) << 1 | bit(y, n));
    let threshold = 2 * order + 1;
    let color = rgb.iter().zip(STEPS).fold(0, |color, (value, steps)| {
        let scaled = u32::from(*value) * (steps - 1) * 128 / 255;
        color * steps + ((scaled + threshold) / 128).min(steps - 1)
    });
    Some(color as u8)
}

/// Columns as characters, four and more equal ones as a count.
fn push_runs(columns: impl Iterator<Item = u8>, out: &mut Vec<u8>) {
    let mut flush = |bits: u8, count: usize| {
        let character = 63 + bits;
        if count > 3 {
            out.extend_from_slice(format!("!{count}").as_bytes());
            out.push(character);
        } else {
            out.extend(std::iter::repeat_n(character, count));
        }
    };
    let mut run = (0, 0);
    for bits in columns {
        if run.1 > 0 && bits != run.0 {
            flush(run.0, run.1);
            run.1 = 0;
        }
        run = (bits, run.1 + 1);
    }
    // Empty columns at the end need not be said.
    if run.0 != 0 {
        flush(run.0, run.1);
    }
}

/// An 8-bit picture made at most `width_max_px` wide: each pixel the mean of those it covers. `None`: samples that are
/// not 8-bit.
pub fn shrunk(picture: &Picture, width_max_px: u32) -> Option<Picture> {
    let Samples::U8(samples) = &picture.samples else { return None };
    let (width, height) = (picture.width_px, picture.height_px);
    if width <= width_max_px || width_max_px == 0 {
        return Some(picture.clone());
    }
    let channels = picture.channel_count as usize;
    let new_height = ((u64::from(height) * u64::from(width_max_px)).div_ceil(u64::from(width)) as u32).max(1);
    let range = |at: u32, new: u32, old: u32| {
        let start = (u64::from(at) * u64::from(old) / u64::from(new)) as usize;
        let end = (u64::from(at + 1) * u64::from(old) / u64::from(new)) as usize;
        start..end.max(start + 1)
    };
    let mut out = Vec::with_capacity(width_max_px as usize * new_height as usize * channels);
    let row_len = width as usize * channels;
    let mut sums = vec![0u32; row_len];
    for y in 0..new_height {
        let rows = range(y, new_height, height);
        sums.fill(0);
        for row in samples[rows.start * row_len..rows.end * row_len].chunks_exact(row_len) {
            sums.iter_mut().zip(row).for_each(|(sum, sample)| *sum += u32::from(*sample));
        }
        for x in 0..width_max_px {
            let columns = range(x, width_max_px, width);
            let count = (columns.len() * rows.len()) as u32;
            for channel in 0..channels {
                let of_channel = sums[columns.start * channels + channel..columns.end * channels].iter();
                let sum: u32 = of_channel.step_by(channels).sum();
                out.push(((sum + count / 2) / count) as u8);
            }
        }
    }
    Picture::new(width_max_px, new_height, picture.channel_count, Samples::U8(out)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kitty_takes_chunks() {
        assert_eq!(kitty(b"foo", Some(80)), b"\x1b_Ga=T,f=100,q=2,c=80,m=0;Zm9v\x1b\\\n");
        let long = kitty(&[7; 5000], None);
        let text = String::from_utf8(long).unwrap();
        let parts: Vec<&str> = text.trim_end().split("\x1b\\").filter(|p| !p.is_empty()).collect();
        assert_eq!(parts.len(), 2);
        assert!(parts[0].starts_with("\x1b_Ga=T,f=100,q=2,m=1;") && parts[1].starts_with("\x1b_Gm=0;"));
        assert_eq!(parts[0].split_once(';').unwrap().1.len(), 4096);
    }

    #[test]
    fn iterm_takes_one() {
        let want = b"\x1b]1337;File=inline=1;size=3;width=auto;preserveAspectRatio=1:Zm9v\x07\n";
        assert_eq!(iterm(b"foo", None), want);
    }

    /// What a sixel terminal would draw: palette entries by pixel.
    fn drawn(sixels: &[u8], width: usize, height: usize) -> Vec<Option<u32>> {
        let text = std::str::from_utf8(sixels).unwrap();
        let body = text.strip_prefix(&format!("\x1bP0;1;0q\"1;1;{width};{height}")).unwrap();
        let body = body.strip_suffix("\x1b\\\n").unwrap().as_bytes();
        let mut out = vec![None; width * height];
        let (mut x, mut top, mut color, mut at, mut count) = (0, 0, 0, 0, 1);
        let number = |at: &mut usize| {
            let start = *at;
            while body[*at].is_ascii_digit() {
                *at += 1;
            }
            std::str::from_utf8(&body[start..*at]).unwrap().parse::<usize>().unwrap()
        };
        while at < body.len() {
            let byte = body[at];
            at += 1;
            match byte {
                b'#' => {
                    color = number(&mut at) as u32;
                    while body[at] == b';' {
                        at += 1;
                        number(&mut at);
                    }
                }
                b'!' => count = number(&mut at),
                b'$' => x = 0,
                b'-' => (x, top) = (0, top + 6),
                63..=126 => {
                    for _ in 0..std::mem::replace(&mut count, 1) {
                        for row in (0..6).filter(|row| (byte - 63) >> row & 1 == 1) {
                            out[(top + row) * width + x] = Some(color);
                        }
                        x += 1;
                    }
                }
                other => panic!("{}", other as char),
            }
        }
        out
    }

    #[test]
    fn sixels_draw_the_picture() {
        let (width, height) = (9u32, 14u32);
        let mut samples = Vec::new();
        for y in 0..height {
            for x in 0..width {
                samples.extend([if x < 7 { 255 } else { 0 }, 0, (y * 18) as u8, if y == 3 { 0 } else { 255 }]);
            }
        }
        let picture = Picture::new(width, height, 4, Samples::U8(samples)).unwrap();
        let drawn = drawn(&sixel(&picture).unwrap(), width as usize, height as usize);
        for (index, entry) in drawn.iter().enumerate() {
            let (x, y) = (index as u32 % width, index as u32 / width);
            let Some(entry) = entry else {
                assert_eq!(y, 3);
                continue;
            };
            let [(r, _), (g, _), (b, _)] = levels(*entry);
            assert_eq!((r, g), (if x < 7 { 5 } else { 0 }, 0), "{x} {y}");
            // Dithered: one of the two nearest steps.
            assert!((f64::from(b) - f64::from(y * 18) / 51.0).abs() < 1.0, "{x} {y}: {b}");
        }
        assert_eq!(sixel(&Picture::new(1, 1, 1, Samples::F32(vec![0.0])).unwrap()), None);
    }

    #[test]
    fn shrinking_takes_means() {
        let picture = Picture::new(4, 2, 1, Samples::U8(vec![0, 10, 20, 30, 10, 20, 30, 40])).unwrap();
        let small = shrunk(&picture, 2).unwrap();
        assert_eq!((small.width_px, small.height_px, small.samples), (2, 1, Samples::U8(vec![10, 30])));
        assert_eq!(shrunk(&picture, 4).unwrap(), picture);
        let line = Picture::new(1000, 1, 1, Samples::U8(vec![9; 1000])).unwrap();
        assert_eq!(shrunk(&line, 7).unwrap().samples, Samples::U8(vec![9; 7]));
    }
}
