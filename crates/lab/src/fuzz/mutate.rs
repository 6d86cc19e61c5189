//! Changes of bytes and texts, and numbers that are often mishandled.

use stillframe_base::rng::Stream;

use super::run::SMALL_BYTES;

/// Whole numbers at the edges of their types.
pub const WHOLES: &[i64] = &[
    0,
    1,
    2,
    3,
    4,
    5,
    7,
    8,
    15,
    16,
    31,
    32,
    63,
    64,
    100,
    127,
    128,
    255,
    256,
    1000,
    4095,
    4096,
    32767,
    32768,
    65535,
    65536,
    1 << 20,
    1 << 24,
    i32::MAX as i64,
    1 << 31,
    u32::MAX as i64,
    1 << 32,
    1 << 40,
    1 << 62,
    i64::MAX,
    -1,
    -2,
    -128,
    -32768,
    i32::MIN as i64,
    i64::MIN,
];

/// Numbers at the edges of theirs.
pub const FLOATS: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    1e-3,
    1e-30,
    1e-45,
    5e-324,
    1e30,
    3.4e38,
    -3.4e38,
    1e39,
    1e308,
    -1e308,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    16777217.0,
    2147483648.0,
    4294967296.0,
    9007199254740993.0,
    0.1,
    90.0,
    179.999,
];

/// A number in `low..=high`.
pub fn between(stream: &mut Stream, low: usize, high: usize) -> usize {
    low + stream.below((high - low + 1) as u32) as usize
}

/// A float that is mostly harmless.
pub fn float(stream: &mut Stream) -> f32 {
    match stream.below(24) {
        0 => *stream.pick(FLOATS) as f32,
        1 => f32::from_bits(stream.next_u32()),
        2 => stream.range_f32(-1e6, 1e6),
        _ => stream.range_f32(-2.0, 2.0),
    }
}

/// Random bytes.
pub fn noise(stream: &mut Stream, count: usize) -> Vec<u8> {
    (0..count).map(|_| stream.next_u32() as u8).collect()
}

/// One to eight changes; headers (the first 200 bytes) are met more often than their size says.
pub fn bytes(stream: &mut Stream, bytes: &mut Vec<u8>) {
    for _ in 0..between(stream, 1, 8) {
        if bytes.is_empty() {
            bytes.push(stream.next_u32() as u8);
            continue;
        }
        let reach = if stream.one_in(2) { bytes.len().min(200) } else { bytes.len() };
        let at = stream.below(reach as u32) as usize;
        match stream.below(12) {
            0 | 1 => bytes[at] = stream.next_u32() as u8,
            2 => bytes[at] ^= 1 << stream.below(8),
            3 => bytes[at] = *stream.pick(&[0, 1, 0x7F, 0x80, 0xFF]),
            4..=6 => {
                let number = *stream.pick(WHOLES) as u64;
                let size = *stream.pick(&[2, 4, 4, 8]);
                let mut word = number.to_le_bytes()[..size].to_vec();
                if stream.one_in(3) {
                    word.reverse();
                }
                write(bytes, at, &word);
            }
            7 => write(bytes, at, &(*stream.pick(FLOATS) as f32).to_le_bytes()),
            8 => {
                let count = between(stream, 1, 40).min(bytes.len() - at);
                bytes.drain(at..at + count);
            }
            9 => {
                let count = between(stream, 1, 40);
                let new = noise(stream, count);
                bytes.splice(at..at, new);
            }
            10 => {
                let count = between(stream, 1, 200).min(bytes.len() - at);
                let copy = bytes[at..at + count].to_vec();
                let to = stream.below(bytes.len() as u32) as usize;
                bytes.splice(to..to, copy);
            }
            _ if stream.one_in(2) => bytes.truncate(at),
            _ => {
                let to = stream.below(bytes.len() as u32) as usize;
                bytes.swap(at, to);
            }
        }
    }
}

/// A few bytes become very many of themselves, up to what still counts as a small input: nests, long names, long lists.
pub fn swell(stream: &mut Stream, bytes: &mut Vec<u8>) {
    if bytes.is_empty() {
        return;
    }
    let reach = if stream.one_in(2) { 4 } else { 200 };
    let at = stream.below(bytes.len() as u32) as usize;
    let piece = bytes[at..bytes.len().min(at + between(stream, 1, reach))].to_vec();
    let room = SMALL_BYTES.saturating_sub(bytes.len() + 1);
    let times = *stream.pick(&[10, 1000, room / piece.len(), room / piece.len()]);
    bytes.splice(at..at, piece.repeat(times.min(room / piece.len())));
}

fn write(bytes: &mut [u8], at: usize, word: &[u8]) {
    let end = (at + word.len()).min(bytes.len());
    bytes[at..end].copy_from_slice(&word[..end - at]);
}

/// One to six changes of a text: lines and words move, numbers become others, words of `words` are put in.
pub fn text(stream: &mut Stream, text: &mut String, words: &[&str]) {
    for _ in 0..between(stream, 1, 6) {
        let lines: Vec<String> = text.split_inclusive('\n').map(str::to_string).collect();
        if lines.is_empty() {
            text.push_str(stream.pick::<&str>(words));
            continue;
        }
        let line = stream.below(lines.len() as u32) as usize;
        let mut lines = lines;
        match stream.below(10) {
            0 => drop(lines.remove(line)),
            1 => {
                let to = stream.below(lines.len() as u32) as usize;
                let copy = lines[line].clone();
                lines.insert(to, copy);
            }
            2 => {
                let to = stream.below(lines.len() as u32) as usize;
                lines.swap(line, to);
            }
            3 | 4 => lines[line] = numbers_changed(stream, &lines[line]),
            5 | 6 => {
                let at = border(stream, &lines[line]);
                lines[line].insert_str(at, stream.pick::<&str>(words));
            }
            7 => {
                let (a, b) = (border(stream, &lines[line]), border(stream, &lines[line]));
                lines[line].drain(a.min(b)..a.max(b));
            }
            8 => {
                let at = border(stream, &lines[line]);
                let letter = char::from_u32(stream.below(0x2_0000)).unwrap_or('\u{1F980}');
                lines[line].insert(at, letter);
            }
            _ => {
                let words: Vec<&str> = lines[line].split(' ').collect();
                let mut words: Vec<String> = words.into_iter().map(str::to_string).collect();
                let (a, b) = (stream.below(words.len() as u32) as usize, stream.below(words.len() as u32) as usize);
                words.swap(a, b);
                lines[line] = words.join(" ");
            }
        }
        *text = lines.concat();
    }
}

/// A place between two characters.
fn border(stream: &mut Stream, text: &str) -> usize {
    let mut at = stream.below(text.len() as u32 + 1) as usize;
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The text with one of its numbers turned into another.
fn numbers_changed(stream: &mut Stream, line: &str) -> String {
    let starts: Vec<usize> = (0..line.len())
        .filter(|at| {
            let digit = |at: usize| line.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
            digit(*at) && (*at == 0 || !digit(*at - 1))
        })
        .collect();
    if starts.is_empty() {
        return line.to_string();
    }
    let start = *stream.pick(&starts);
    let end = line[start..].find(|c: char| !c.is_ascii_digit() && c != '.').map_or(line.len(), |n| start + n);
    let number = number_text(stream);
    format!("{}{number}{}", &line[..start], &line[end..])
}

/// A number as people and programs write them, and as they should not.
pub fn number_text(stream: &mut Stream) -> String {
    match stream.below(8) {
        0 => format!("{:e}", stream.pick(FLOATS)),
        1 => format!("{:?}", stream.pick(FLOATS)),
        2 | 3 => stream.pick(WHOLES).to_string(),
        4 => format!("{:?}", stream.range_f32(-1000.0, 1000.0)),
        5 => (*stream.pick(&[
            "1e400",
            "0x10",
            "1_000",
            "-",
            "+1",
            "1.",
            ".5",
            "1e",
            "00",
            "99999999999999999999",
            "nan",
            "-inf",
        ]))
        .to_string(),
        _ => stream.below(300).to_string(),
    }
}
