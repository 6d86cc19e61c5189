//! Bptc: texels of BC6H and BC7. The tables are the specification's.
//!
//! In: the 128 bits of a block, a texel of it. Out: integers of 8 bits, or bits of f16. Source:
//! EXT_texture_compression_bptc, appendix; tables M, P2, P3, A2, A3, MF and F under those names.

/// Table P2: the subset of each texel, one bit a texel.
#[rustfmt::skip]
pub(crate) const SUBSETS_2: [u16; 64] = [
    0xCCCC, 0x8888, 0xEEEE, 0xECC8, 0xC880, 0xFEEC, 0xFEC8, 0xEC80,
    0xC800, 0xFFEC, 0xFE80, 0xE800, 0xFFE8, 0xFF00, 0xFFF0, 0xF000,
    0xF710, 0x008E, 0x7100, 0x08CE, 0x008C, 0x7310, 0x3100, 0x8CCE,
    0x088C, 0x3110, 0x6666, 0x366C, 0x17E8, 0x0FF0, 0x718E, 0x399C,
    0xAAAA, 0xF0F0, 0x5A5A, 0x33CC, 0x3C3C, 0x55AA, 0x9696, 0xA55A,
    0x73CE, 0x13C8, 0x324C, 0x3BDC, 0x6996, 0xC33C, 0x9966, 0x0660,
    0x0272, 0x04E4, 0x4E40, 0x2720, 0xC936, 0x936C, 0x39C6, 0x639C,
    0x9336, 0x9CC6, 0x817E, 0xE718, 0xCCF0, 0x0FCC, 0x7744, 0xEE22,
];

/// Table P3: the subset of each texel, two bits a texel.
#[rustfmt::skip]
pub(crate) const SUBSETS_3: [u32; 64] = [
    0xAA68_5050, 0x6A5A_5040, 0x5A5A_4200, 0x5450_A0A8, 0xA5A5_0000, 0xA0A0_5050, 0x5555_A0A0, 0x5A5A_5050,
    0xAA55_0000, 0xAA55_5500, 0xAAAA_5500, 0x9090_9090, 0x9494_9494, 0xA4A4_A4A4, 0xA9A5_9450, 0x2A0A_4250,
    0xA594_5040, 0x0A42_5054, 0xA5A5_A500, 0x55A0_A0A0, 0xA8A8_5454, 0x6A6A_4040, 0xA4A4_5000, 0x1A1A_0500,
    0x0050_A4A4, 0xAAA5_9090, 0x1469_6914, 0x6969_1400, 0xA085_85A0, 0xAA82_1414, 0x50A4_A450, 0x6A5A_0200,
    0xA9A5_8000, 0x5090_A0A8, 0xA8A0_9050, 0x2424_2424, 0x00AA_5500, 0x2492_4924, 0x2449_9224, 0x50A5_0A50,
    0x500A_A550, 0xAAAA_4444, 0x6666_0000, 0xA5A0_A5A0, 0x50A0_50A0, 0x6928_6928, 0x44AA_AA44, 0x6666_6600,
    0xAA44_4444, 0x54A8_54A8, 0x9580_9580, 0x9696_9600, 0xA854_54A8, 0x8095_9580, 0xAA14_1414, 0x9696_0000,
    0xAAAA_1414, 0xA050_50A0, 0xA0A5_A5A0, 0x9600_0000, 0x4080_4080, 0xA9A8_A9A8, 0xAAAA_AA44, 0x2A4A_5254,
];

/// Table A2: the texel of subset 1 whose index is one bit shorter.
#[rustfmt::skip]
pub(crate) const ANCHORS_2: [u8; 64] = [
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,
    15, 2, 8, 2, 2, 8, 8, 15, 2, 8, 2, 2, 8, 8, 2, 2,
    15, 15, 6, 8, 2, 8, 15, 15, 2, 8, 2, 2, 2, 15, 15, 6,
    6, 2, 6, 8, 15, 15, 2, 2, 15, 15, 15, 15, 15, 2, 2, 15,
];

/// Table A3: the same of subsets 1 and 2 of three.
#[rustfmt::skip]
pub(crate) const ANCHORS_3: [[u8; 64]; 2] = [
    [
        3, 3, 15, 15, 8, 3, 15, 15, 8, 8, 6, 6, 6, 5, 3, 3,
        3, 3, 8, 15, 3, 3, 6, 10, 5, 8, 8, 6, 8, 5, 15, 15,
        8, 15, 3, 5, 6, 10, 8, 15, 15, 3, 15, 5, 15, 15, 15, 15,
        3, 15, 5, 5, 5, 8, 5, 10, 5, 10, 8, 13, 15, 12, 3, 3,
    ],
    [
        15, 8, 8, 3, 15, 15, 3, 8, 15, 15, 15, 15, 15, 15, 15, 8,
        15, 8, 15, 3, 15, 8, 15, 8, 3, 15, 6, 10, 15, 15, 10, 8,
        15, 3, 15, 10, 10, 8, 9, 10, 6, 15, 8, 15, 3, 6, 6, 8,
        15, 3, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 3, 15, 15, 8,
    ],
];

/// Weights of 64 by index, for 2, 3 and 4 bits.
const WEIGHTS_2: [i32; 4] = [0, 21, 43, 64];
const WEIGHTS_3: [i32; 8] = [0, 9, 18, 27, 37, 46, 55, 64];
const WEIGHTS_4: [i32; 16] = [0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64];

fn weight(index: u32, bits: u32) -> i32 {
    match bits {
        2 => WEIGHTS_2[index as usize],
        3 => WEIGHTS_3[index as usize],
        _ => WEIGHTS_4[index as usize],
    }
}

fn interpolate(a: i32, b: i32, weight: i32) -> i32 {
    ((64 - weight) * a + weight * b + 32) >> 6
}

fn subset(count: u32, partition: u32, texel: u32) -> u32 {
    match count {
        1 => 0,
        2 => u32::from(SUBSETS_2[partition as usize] >> texel & 1),
        _ => SUBSETS_3[partition as usize] >> (texel * 2) & 3,
    }
}

/// Whether a texel's index is one bit shorter.
fn is_anchor(count: u32, partition: u32, texel: u32) -> bool {
    texel == 0
        || count == 2 && texel == u32::from(ANCHORS_2[partition as usize])
        || count == 3 && ANCHORS_3.iter().any(|table| texel == u32::from(table[partition as usize]))
}

/// Bits read from the lowest on.
struct Bits {
    block: u128,
    at: u32,
}

impl Bits {
    fn take(&mut self, count: u32) -> u32 {
        let bits = self.block.checked_shr(self.at).unwrap_or(0) as u32 & (1u32 << count).wrapping_sub(1);
        self.at += count;
        bits
    }

    /// The index of one texel; the reader moves past the indices of all.
    fn index(&mut self, subsets: u32, partition: u32, texel: u32, bits: u32) -> u32 {
        let mut index = 0;
        for t in 0..16 {
            let read = self.take(bits - u32::from(is_anchor(subsets, partition, t)));
            if t == texel {
                index = read;
            }
        }
        index
    }
}

/// A row of table M.
struct Layout {
    subsets: u32,
    partition_bits: u32,
    rotation_bits: u32,
    selection_bits: u32,
    color_bits: u32,
    alpha_bits: u32,
    endpoint_p_bits: u32,
    shared_p_bits: u32,
    index_bits: u32,
    second_index_bits: u32,
}

const fn layout(row: [u32; 10]) -> Layout {
    Layout {
        subsets: row[0],
        partition_bits: row[1],
        rotation_bits: row[2],
        selection_bits: row[3],
        color_bits: row[4],
        alpha_bits: row[5],
        endpoint_p_bits: row[6],
        shared_p_bits: row[7],
        index_bits: row[8],
        second_index_bits: row[9],
    }
}

/// Table M.
const LAYOUTS: [Layout; 8] = [
    layout([3, 4, 0, 0, 4, 0, 1, 0, 3, 0]),
    layout([2, 6, 0, 0, 6, 0, 0, 1, 3, 0]),
    layout([3, 6, 0, 0, 5, 0, 0, 0, 2, 0]),
    layout([2, 6, 0, 0, 7, 0, 1, 0, 2, 0]),
    layout([1, 0, 2, 1, 5, 6, 0, 0, 2, 3]),
    layout([1, 0, 2, 0, 7, 8, 0, 0, 2, 2]),
    layout([1, 0, 0, 0, 7, 7, 1, 0, 4, 0]),
    layout([2, 6, 0, 0, 5, 5, 1, 0, 2, 0]),
];

/// The bits of a channel as the high bits of a byte, repeated below.
fn widen(value: u32, bits: u32) -> u32 {
    let high = value << (8 - bits);
    high | high >> bits
}

/// Red, green, blue and alpha of a texel of BC7, 0 to 255. The reserved mode gives zeros.
pub fn unorm(block: u128, texel: u32) -> [u32; 4] {
    let mode = (block as u8).trailing_zeros();
    let Some(layout) = LAYOUTS.get(mode as usize) else { return [0; 4] };
    let mut bits = Bits { block, at: mode + 1 };
    let partition = bits.take(layout.partition_bits);
    let rotation = bits.take(layout.rotation_bits);
    let selection = bits.take(layout.selection_bits);
    let ends = layout.subsets * 2;
    // By channel, then subset, then end.
    let mut channels = [[0u32; 6]; 4];
    for (index, channel) in channels.iter_mut().enumerate() {
        let count = if index < 3 { layout.color_bits } else { layout.alpha_bits };
        for end in &mut channel[..ends as usize] {
            *end = bits.take(count);
        }
    }
    let mut p_bits = 0;
    if layout.endpoint_p_bits + layout.shared_p_bits > 0 {
        p_bits = 1;
        for end in 0..ends as usize {
            if layout.endpoint_p_bits == 1 || end % 2 == 0 {
                let p = bits.take(1);
                let shared = layout.shared_p_bits == 1;
                for channel in &mut channels {
                    channel[end] = channel[end] << 1 | p;
                    if shared {
                        channel[end + 1] = channel[end + 1] << 1 | p;
                    }
                }
            }
        }
    }
    let first = bits.index(layout.subsets, partition, texel, layout.index_bits);
    let first = weight(first, layout.index_bits);
    let second = match layout.second_index_bits {
        0 => first,
        count => weight(bits.index(layout.subsets, partition, texel, count), count),
    };
    let (color, alpha) = if selection == 1 { (second, first) } else { (first, second) };
    let low = subset(layout.subsets, partition, texel) as usize * 2;
    let value = |channel: usize, count: u32, weight: i32| {
        let end = |end: usize| widen(channels[channel][end], count + p_bits) as i32;
        interpolate(end(low), end(low + 1), weight) as u32
    };
    let mut out = [0, 1, 2].map(|channel| value(channel, layout.color_bits, color));
    let mut opacity = if layout.alpha_bits > 0 { value(3, layout.alpha_bits, alpha) } else { 255 };
    if rotation > 0 {
        std::mem::swap(&mut opacity, &mut out[rotation as usize - 1]);
    }
    [out[0], out[1], out[2], opacity]
}

/// A row of tables MF and F.
struct Mode {
    number: u32,
    /// The other ends are offsets from the first.
    transformed: bool,
    two_subsets: bool,
    bits: u32,
    delta_bits: [u32; 3],
    /// Table F without the mode: where each bit goes, lowest first.
    fields: &'static str,
}

const MODES: [Mode; 14] = [
    Mode {
        number: 0,
        transformed: true,
        two_subsets: true,
        bits: 10,
        delta_bits: [5, 5, 5],
        fields: "g2[4],b2[4],b3[4],r0[9:0],g0[9:0],b0[9:0],r1[4:0],g3[4],g2[3:0],g1[4:0],b3[0],g3[3:0],b1[4:0],b3[1],b2[3:0],r2[4:0],b3[2],r3[4:0],b3[3]",
    },
    Mode {
        number: 1,
        transformed: true,
        two_subsets: true,
        bits: 7,
        delta_bits: [6, 6, 6],
        fields: "g2[5],g3[4],g3[5],r0[6:0],b3[0],b3[1],b2[4],g0[6:0],b2[5],b3[2],g2[4],b0[6:0],b3[3],b3[5],b3[4],r1[5:0],g2[3:0],g1[5:0],g3[3:0],b1[5:0],b2[3:0],r2[5:0],r3[5:0]",
    },
    Mode {
        number: 2,
        transformed: true,
        two_subsets: true,
        bits: 11,
        delta_bits: [5, 4, 4],
        fields: "r0[9:0],g0[9:0],b0[9:0],r1[4:0],r0[10],g2[3:0],g1[3:0],g0[10],b3[0],g3[3:0],b1[3:0],b0[10],b3[1],b2[3:0],r2[4:0],b3[2],r3[4:0],b3[3]",
    },
    Mode {
        number: 6,
        transformed: true,
        two_subsets: true,
        bits: 11,
        delta_bits: [4, 5, 4],
        fields: "r0[9:0],g0[9:0],b0[9:0],r1[3:0],r0[10],g3[4],g2[3:0],g1[4:0],g0[10],g3[3:0],b1[3:0],b0[10],b3[1],b2[3:0],r2[3:0],b3[0],b3[2],r3[3:0],g2[4],b3[3]",
    },
    Mode {
        number: 10,
        transformed: true,
        two_subsets: true,
        bits: 11,
        delta_bits: [4, 4, 5],
        fields: "r0[9:0],g0[9:0],b0[9:0],r1[3:0],r0[10],b2[4],g2[3:0],g1[3:0],g0[10],b3[0],g3[3:0],b1[4:0],b0[10],b2[3:0],r2[3:0],b3[1],b3[2],r3[3:0],b3[4],b3[3]",
    },
    Mode {
        number: 14,
        transformed: true,
        two_subsets: true,
        bits: 9,
        delta_bits: [5, 5, 5],
        fields: "r0[8:0],b2[4],g0[8:0],g2[4],b0[8:0],b3[4],r1[4:0],g3[4],g2[3:0],g1[4:0],b3[0],g3[3:0],b1[4:0],b3[1],b2[3:0],r2[4:0],b3[2],r3[4:0],b3[3]",
    },
    Mode {
        number: 18,
        transformed: true,
        two_subsets: true,
        bits: 8,
        delta_bits: [6, 5, 5],
        fields: "r0[7:0],g3[4],b2[4],g0[7:0],b3[2],g2[4],b0[7:0],b3[3],b3[4],r1[5:0],g2[3:0],g1[4:0],b3[0],g3[3:0],b1[4:0],b3[1],b2[3:0],r2[5:0],r3[5:0]",
    },
    Mode {
        number: 22,
        transformed: true,
        two_subsets: true,
        bits: 8,
        delta_bits: [5, 6, 5],
        fields: "r0[7:0],b3[0],b2[4],g0[7:0],g2[5],g2[4],b0[7:0],g3[5],b3[4],r1[4:0],g3[4],g2[3:0],g1[5:0],g3[3:0],b1[4:0],b3[1],b2[3:0],r2[4:0],b3[2],r3[4:0],b3[3]",
    },
    Mode {
        number: 26,
        transformed: true,
        two_subsets: true,
        bits: 8,
        delta_bits: [5, 5, 6],
        fields: "r0[7:0],b3[1],b2[4],g0[7:0],b2[5],g2[4],b0[7:0],b3[5],b3[4],r1[4:0],g3[4],g2[3:0],g1[4:0],b3[0],g3[3:0],b1[5:0],b2[3:0],r2[4:0],b3[2],r3[4:0],b3[3]",
    },
    Mode {
        number: 30,
        transformed: false,
        two_subsets: true,
        bits: 6,
        delta_bits: [6, 6, 6],
        fields: "r0[5:0],g3[4],b3[0],b3[1],b2[4],g0[5:0],g2[5],b2[5],b3[2],g2[4],b0[5:0],g3[5],b3[3],b3[5],b3[4],r1[5:0],g2[3:0],g1[5:0],g3[3:0],b1[5:0],b2[3:0],r2[5:0],r3[5:0]",
    },
    Mode {
        number: 3,
        transformed: false,
        two_subsets: false,
        bits: 10,
        delta_bits: [10, 10, 10],
        fields: "r0[9:0],g0[9:0],b0[9:0],r1[9:0],g1[9:0],b1[9:0]",
    },
    Mode {
        number: 7,
        transformed: true,
        two_subsets: false,
        bits: 11,
        delta_bits: [9, 9, 9],
        fields: "r0[9:0],g0[9:0],b0[9:0],r1[8:0],r0[10],g1[8:0],g0[10],b1[8:0],b0[10]",
    },
    Mode {
        number: 11,
        transformed: true,
        two_subsets: false,
        bits: 12,
        delta_bits: [8, 8, 8],
        fields: "r0[9:0],g0[9:0],b0[9:0],r1[7:0],r0[10:11],g1[7:0],g0[10:11],b1[7:0],b0[10:11]",
    },
    Mode {
        number: 15,
        transformed: true,
        two_subsets: false,
        bits: 16,
        delta_bits: [4, 4, 4],
        fields: "r0[9:0],g0[9:0],b0[9:0],r1[3:0],r0[10:15],g1[3:0],g0[10:15],b1[3:0],b0[10:15]",
    },
];

/// Bits of the ends of a block of mode `MODES[i]`: channel * 4 + end, and the bit there.
type Places = [(u8, u8); 77];

/// `MODES[i].fields`, bit by bit.
static PLACES: [(Places, usize); 14] = {
    let mut all = [([(0, 0); 77], 0); 14];
    let mut mode = 0;
    while mode < 14 {
        all[mode] = places(MODES[mode].fields.as_bytes());
        mode += 1;
    }
    all
};

/// Reads `r0[9:0],g2[4],...`: a falling range fills from its lowest bit, a rising one from its highest.
const fn places(text: &[u8]) -> (Places, usize) {
    let (mut out, mut count, mut at) = ([(0, 0); 77], 0, 0);
    while at < text.len() {
        let channel = match text[at] {
            b'r' => 0,
            b'g' => 1,
            _ => 2,
        };
        let variable = channel * 4 + text[at + 1] - b'0';
        at += 3;
        let mut ends = [0; 2];
        let mut which = 0;
        while text[at] != b']' {
            if text[at] == b':' {
                which = 1;
            } else {
                ends[which] = ends[which] * 10 + text[at] - b'0';
            }
            at += 1;
        }
        let [left, right] = if which == 1 { ends } else { [ends[0], ends[0]] };
        let mut bit = right;
        loop {
            out[count] = (variable, bit);
            count += 1;
            if bit == left {
                break;
            }
            bit = if left > right { bit + 1 } else { bit - 1 };
        }
        // Past the bracket and the comma.
        at += 2;
    }
    (out, count)
}

fn sign_extend(value: i32, bits: u32) -> i32 {
    value << (32 - bits) >> (32 - bits)
}

/// Bits of f16 of red, green and blue of a texel of BC6H. Reserved modes give zeros.
pub fn float(block: u128, texel: u32, signed: bool) -> [u16; 3] {
    let low = block as u32 & 3;
    let number = if low < 2 { low } else { block as u32 & 31 };
    let Some(index) = MODES.iter().position(|mode| mode.number == number) else { return [0; 3] };
    let mode = &MODES[index];
    let mut bits = Bits { block, at: if low < 2 { 2 } else { 5 } };
    let mut ends = [[0i32; 4]; 3];
    let (places, count) = &PLACES[index];
    for &(variable, bit) in &places[..*count] {
        ends[variable as usize / 4][variable as usize % 4] |= (bits.take(1) as i32) << bit;
    }
    let subsets = if mode.two_subsets { 2 } else { 1 };
    let partition = bits.take(if mode.two_subsets { 5 } else { 0 });
    let index_bits = if mode.two_subsets { 3 } else { 4 };
    let factor = weight(bits.index(subsets, partition, texel, index_bits), index_bits);
    let first = subset(subsets, partition, texel) as usize * 2;
    let mut out = [0; 3];
    for (channel, ends) in ends.iter_mut().enumerate() {
        if signed {
            ends[0] = sign_extend(ends[0], mode.bits);
        }
        for end in 1..4 {
            if signed || mode.transformed {
                ends[end] = sign_extend(ends[end], mode.delta_bits[channel]);
            }
            if mode.transformed {
                ends[end] = (ends[0] + ends[end]) & ((1 << mode.bits) - 1);
                if signed {
                    ends[end] = sign_extend(ends[end], mode.bits);
                }
            }
        }
        let [a, b] = [ends[first], ends[first + 1]].map(|end| unquantise(end, mode.bits, signed));
        out[channel] = finish(interpolate(a, b, factor), signed);
    }
    out
}

fn unquantise(value: i32, bits: u32, signed: bool) -> i32 {
    if signed {
        let size = value.abs();
        let wide = match size {
            _ if bits >= 16 => size,
            0 => 0,
            _ if size >= (1 << (bits - 1)) - 1 => 0x7FFF,
            _ => ((size << 15) + 0x4000) >> (bits - 1),
        };
        return if value < 0 { -wide } else { wide };
    }
    match value {
        _ if bits >= 15 => value,
        0 => 0,
        _ if value == (1 << bits) - 1 => 0xFFFF,
        _ => ((value << 15) + 0x4000) >> (bits - 1),
    }
}

/// The last scaling, to the bits of an f16.
fn finish(value: i32, signed: bool) -> u16 {
    if !signed {
        return ((value * 31) >> 6) as u16;
    }
    let size = ((value.abs() * 31) >> 5) as u16;
    if value < 0 { size | 0x8000 } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 3,000 blocks, every mode of BC7 among them: the same on every machine.
    fn blocks() -> Vec<u128> {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32
        };
        (0..3000u32)
            .map(|case| {
                let mut bytes = [0u8; 16];
                bytes.iter_mut().for_each(|byte| *byte = (next() >> 3) as u8);
                if case % 2 == 0 {
                    let mode = case / 2 % 9;
                    bytes[0] = (u32::from(bytes[0]) << (mode + 1) | 1 << mode) as u8;
                }
                u128::from_le_bytes(bytes)
            })
            .collect()
    }

    fn fold(hash: u64, value: u32) -> u64 {
        (hash ^ u64::from(value)).wrapping_mul(0x0000_0100_0000_01B3)
    }

    /// The hashes are those of bcdec_rs 0.2.1, another decoder, on the same blocks. It gives 0 where the specification
    /// gives -0.
    #[test]
    fn another_decoder_gives_the_same() {
        let mut hashes = [0xCBF2_9CE4_8422_2325u64; 3];
        for block in blocks() {
            for texel in 0..16 {
                for value in unorm(block, texel) {
                    hashes[0] = fold(hashes[0], value);
                }
                for (at, signed) in [(1, false), (2, true)] {
                    for value in float(block, texel, signed) {
                        hashes[at] = fold(hashes[at], if value == 0x8000 { 0 } else { u32::from(value) });
                    }
                }
            }
        }
        assert_eq!(hashes, [0xA1DD_72E4_9038_0D11, 0x1FD5_CA90_F00D_E0F0, 0x794E_294F_D523_FC3B]);
    }

    #[test]
    fn reserved_modes_are_black() {
        assert_eq!(unorm(0, 3), [0; 4]);
        for mode in [19, 23, 27, 31] {
            assert_eq!(float(u128::MAX << 5 | mode, 3, false), [0; 3]);
        }
    }
}
