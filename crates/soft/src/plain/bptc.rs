//! Bptc: BC7 and BC6H, one texel at a time. The tables of subsets and anchors are `store`'s; the decoding is not.
//!
//! In: 16 bytes, a texel. Out: integers of 8 bits, or the bits of f16. Source: the Direct3D 11 functional
//! specification.

use crate::store::format::bptc::{ANCHORS_2, ANCHORS_3, SUBSETS_2, SUBSETS_3};

/// Bits of a block from the lowest up.
struct Bits {
    left: u128,
}

impl Bits {
    fn take(&mut self, count: u32) -> u32 {
        let bits = self.left & ((1 << count) - 1);
        self.left >>= count;
        bits as u32
    }
}

/// The subset of a texel.
fn subset(count: u32, partition: u32, texel: u32) -> usize {
    match count {
        2 => (SUBSETS_2[partition as usize] >> texel & 1) as usize,
        3 => (SUBSETS_3[partition as usize] >> (2 * texel) & 3) as usize,
        _ => 0,
    }
}

/// The index of one texel; those of anchors lack their highest bit.
fn index(bits: &mut Bits, width: u32, count: u32, partition: u32, texel: u32) -> u32 {
    let p = partition as usize;
    let anchors: &[u8] = match count {
        2 => &[0, ANCHORS_2[p]],
        3 => &[0, ANCHORS_3[0][p], ANCHORS_3[1][p]],
        _ => &[0],
    };
    let mut own = 0;
    for at in 0..16 {
        let bits = bits.take(width - anchors.contains(&(at as u8)) as u32);
        if at == texel {
            own = bits;
        }
    }
    own
}

/// Between `a` and `b`; the weights are 64ths, rounded.
fn between(a: i32, b: i32, index: u32, width: u32) -> i32 {
    let steps = (1 << width) - 1;
    let weight = (64 * index as i32 + steps / 2) / steps;
    (a * (64 - weight) + b * weight + 32) >> 6
}

/// BC7: red, green, blue, alpha.
pub fn bc7(block: u128, texel: u32) -> [u8; 4] {
    let mode = block.trailing_zeros();
    if mode > 7 {
        return [0; 4];
    }
    // Subsets, partition bits, colour bits, alpha bits, index bits, second index bits.
    let (subsets, partition_bits, color, alpha, width, second_width) = [
        (3, 4, 4, 0, 3, 0),
        (2, 6, 6, 0, 3, 0),
        (3, 6, 5, 0, 2, 0),
        (2, 6, 7, 0, 2, 0),
        (1, 0, 5, 6, 2, 3),
        (1, 0, 7, 8, 2, 2),
        (1, 0, 7, 7, 4, 0),
        (2, 6, 5, 5, 2, 0),
    ][mode as usize];
    let mut bits = Bits { left: block >> (mode + 1) };
    let partition = bits.take(partition_bits);
    let rotation = if matches!(mode, 4 | 5) { bits.take(2) } else { 0 };
    let swapped = mode == 4 && bits.take(1) == 1;
    let ends = 2 * subsets as usize;
    let mut channels: Vec<Vec<u32>> =
        [color, color, color, alpha].iter().map(|&width| (0..ends).map(|_| bits.take(width)).collect()).collect();
    // Bits below the lowest: one an end, one a subset, or none.
    let low: Vec<Option<u32>> = match mode {
        0 | 3 | 6 | 7 => (0..ends).map(|_| Some(bits.take(1))).collect(),
        1 => [bits.take(1), bits.take(1)].iter().flat_map(|&bit| [Some(bit); 2]).collect(),
        _ => vec![None; ends],
    };
    for (channel, width) in channels.iter_mut().zip([color, color, color, alpha]) {
        for (value, low) in channel.iter_mut().zip(&low) {
            let (wide, width) = match low {
                Some(bit) if width > 0 => (*value << 1 | bit, width + 1),
                _ => (*value, width),
            };
            *value = if width == 0 { 255 } else { wide << (8 - width) | wide >> (2 * width - 8) };
        }
    }
    let first = index(&mut bits, width, subsets, partition, texel);
    let second = if second_width > 0 { index(&mut bits, second_width, 1, 0, texel) } else { first };
    let own = 2 * subset(subsets, partition, texel);
    let mut out: [u8; 4] = std::array::from_fn(|c| {
        let use_second = second_width > 0 && (c == 3) != swapped;
        let (index, width) = if use_second { (second, second_width) } else { (first, width) };
        between(channels[c][own] as i32, channels[c][own + 1] as i32, index, width) as u8
    });
    if rotation > 0 {
        out.swap(3, rotation as usize - 1);
    }
    out
}

/// The fields of BC6H's modes after the mode bits, lowest bit first: `w x y z` are the ends, `r g b` the channels;
/// `rw9-0` is bits 0 up to 9, `rw10-15` bits from 15 down to 10.
const FIELDS: [(u32, &str); 14] = [
    (0b00, "gy4 by4 bz4 rw9-0 gw9-0 bw9-0 rx4-0 gz4 gy3-0 gx4-0 bz0 gz3-0 bx4-0 bz1 by3-0 ry4-0 bz2 rz4-0 bz3"),
    (
        0b01,
        "gy5 gz4 gz5 rw6-0 bz0 bz1 by4 gw6-0 by5 bz2 gy4 bw6-0 bz3 bz5 bz4 rx5-0 gy3-0 gx5-0 gz3-0 bx5-0 by3-0 ry5-0 rz5-0",
    ),
    (0b00010, "rw9-0 gw9-0 bw9-0 rx4-0 rw10 gy3-0 gx3-0 gw10 bz0 gz3-0 bx3-0 bw10 bz1 by3-0 ry4-0 bz2 rz4-0 bz3"),
    (
        0b00110,
        "rw9-0 gw9-0 bw9-0 rx3-0 rw10 gz4 gy3-0 gx4-0 gw10 gz3-0 bx3-0 bw10 bz1 by3-0 ry3-0 bz0 bz2 rz3-0 gy4 bz3",
    ),
    (
        0b01010,
        "rw9-0 gw9-0 bw9-0 rx3-0 rw10 by4 gy3-0 gx3-0 gw10 bz0 gz3-0 bx4-0 bw10 by3-0 ry3-0 bz1 bz2 rz3-0 bz4 bz3",
    ),
    (0b01110, "rw8-0 by4 gw8-0 gy4 bw8-0 bz4 rx4-0 gz4 gy3-0 gx4-0 bz0 gz3-0 bx4-0 bz1 by3-0 ry4-0 bz2 rz4-0 bz3"),
    (0b10010, "rw7-0 gz4 by4 gw7-0 bz2 gy4 bw7-0 bz3 bz4 rx5-0 gy3-0 gx4-0 bz0 gz3-0 bx4-0 bz1 by3-0 ry5-0 rz5-0"),
    (
        0b10110,
        "rw7-0 bz0 by4 gw7-0 gy5 gy4 bw7-0 gz5 bz4 rx4-0 gz4 gy3-0 gx5-0 gz3-0 bx4-0 bz1 by3-0 ry4-0 bz2 rz4-0 bz3",
    ),
    (
        0b11010,
        "rw7-0 bz1 by4 gw7-0 by5 gy4 bw7-0 bz5 bz4 rx4-0 gz4 gy3-0 gx4-0 bz0 gz3-0 bx5-0 by3-0 ry4-0 bz2 rz4-0 bz3",
    ),
    (
        0b11110,
        "rw5-0 gz4 bz0 bz1 by4 gw5-0 gy5 by5 bz2 gy4 bw5-0 gz5 bz3 bz5 bz4 rx5-0 gy3-0 gx5-0 gz3-0 bx5-0 by3-0 ry5-0 rz5-0",
    ),
    (0b00011, "rw9-0 gw9-0 bw9-0 rx9-0 gx9-0 bx9-0"),
    (0b00111, "rw9-0 gw9-0 bw9-0 rx8-0 rw10 gx8-0 gw10 bx8-0 bw10"),
    (0b01011, "rw9-0 gw9-0 bw9-0 rx7-0 rw10-11 gx7-0 gw10-11 bx7-0 bw10-11"),
    (0b01111, "rw9-0 gw9-0 bw9-0 rx3-0 rw10-15 gx3-0 gw10-15 bx3-0 bw10-15"),
];

/// Widths of the first end and of the others by channel; whether the others are differences.
const WIDTHS: [(u32, [u32; 3], bool); 14] = [
    (10, [5, 5, 5], true),
    (7, [6, 6, 6], true),
    (11, [5, 4, 4], true),
    (11, [4, 5, 4], true),
    (11, [4, 4, 5], true),
    (9, [5, 5, 5], true),
    (8, [6, 5, 5], true),
    (8, [5, 6, 5], true),
    (8, [5, 5, 6], true),
    (6, [6, 6, 6], false),
    (10, [10, 10, 10], false),
    (11, [9, 9, 9], true),
    (12, [8, 8, 8], true),
    (16, [4, 4, 4], true),
];

fn sign_extend(value: i32, bits: u32) -> i32 {
    value << (32 - bits) >> (32 - bits)
}

/// BC6H: red, green, blue as f16.
pub fn bc6h(block: u128, texel: u32, signed: bool) -> [u16; 3] {
    let mut bits = Bits { left: block };
    let mut mode_bits = bits.take(2);
    if mode_bits > 1 {
        mode_bits |= bits.take(3) << 2;
    }
    let Some(mode) = FIELDS.iter().position(|(bits, _)| *bits == mode_bits) else { return [0; 3] };
    let mut ends = [[0i32; 4]; 3];
    for field in FIELDS[mode].1.split(' ') {
        let channel = "rgb".find(&field[..1]).expect("a channel");
        let end = "wxyz".find(&field[1..2]).expect("an end");
        let range: Vec<u32> = field[2..].split('-').map(|n| n.parse().expect("a bit")).collect();
        let (first, last) = (range[0], *range.last().expect("a bit"));
        let places: Vec<u32> = if first < last { (first..=last).rev().collect() } else { (last..=first).collect() };
        for place in places {
            ends[channel][end] |= (bits.take(1) as i32) << place;
        }
    }
    let (width, others, differences) = WIDTHS[mode];
    let subsets = if mode < 10 { 2 } else { 1 };
    let partition = if subsets == 2 { bits.take(5) } else { 0 };
    let index_width = if subsets == 2 { 3 } else { 4 };
    let index = index(&mut bits, index_width, subsets, partition, texel);
    let own = 2 * subset(subsets, partition, texel);
    std::array::from_fn(|channel| {
        let all = ends[channel];
        let end = |at: usize| {
            let mut value = all[at];
            if differences && at > 0 {
                value = (all[0] + sign_extend(value, others[channel])) & ((1 << width) - 1);
            }
            widened(if signed { sign_extend(value, width) } else { value }, width, signed)
        };
        let value = between(end(own), end(own + 1), index, index_width);
        match signed {
            false => ((value * 31) >> 6) as u16,
            true if value < 0 => ((-value * 31) >> 5) as u16 | 0x8000,
            true => ((value * 31) >> 5) as u16,
        }
    })
}

/// An end as 16 bits (15 and a sign).
fn widened(value: i32, width: u32, signed: bool) -> i32 {
    let magnitude = value.abs();
    let most = if signed { (1 << (width - 1)) - 1 } else { (1 << width) - 1 };
    let wide = match signed {
        false if width >= 15 => magnitude,
        true if width >= 16 => magnitude,
        _ if magnitude == 0 => 0,
        false if magnitude == most => 0xFFFF,
        true if magnitude >= most => 0x7FFF,
        false => ((magnitude << 16) + 0x8000) >> width,
        true => ((magnitude << 15) + 0x4000) >> (width - 1),
    };
    if value < 0 { -wide } else { wide }
}
