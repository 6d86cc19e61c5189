//! Lanes: loops over registers that are not pure operations: masks, quads, gathers, scatters of private memory.

use stillframe_base::lanes::{Block, Isa, LANES, LaneMask, per_isa};

use super::runs::MaskKernels;

/// The loops of this file, chosen once.
#[derive(Clone, Copy, Debug)]
pub struct LaneKernels {
    pub masks: MaskKernels,
    pub to_bits: fn(&Block) -> LaneMask,
    pub from_bits: fn(&LaneMask, &mut Block),
    pub derivative: fn(&mut [u32], &[u32], u16),
    pub quad_fill: fn(&mut [u32], &[u32], &[u32]),
    pub gather: fn(&mut [u32], &[u32], u32, &[u32]),
    pub gather_private: fn(&mut [u32], &[u32], u32, &[u32], usize, usize),
}

impl LaneKernels {
    pub fn new(isa: Isa) -> LaneKernels {
        LaneKernels {
            masks: MaskKernels { live_chunks: live_chunks(isa), all_set: all_set(isa) },
            to_bits: to_bits(isa),
            from_bits: from_bits(isa),
            derivative: derivative(isa),
            quad_fill: quad_fill(isa),
            gather: gather(isa),
            gather_private: gather_private(isa),
        }
    }
}

per_isa! {
    /// Bit k is set if one of the lanes `16 k .. 16 k + 16` is not zero.
    pub fn live_chunks(mask: &[u32]) -> u64 {
        let (chunks, rest) = mask.as_chunks::<16>();
        let mut bits = 0;
        for (k, chunk) in chunks.iter().enumerate() {
            // Of bools, not of words: one comparison of a whole vector.
            let mut any = false;
            for i in Isa::each::<LEVEL>(16) {
                any |= chunk[i] != 0;
            }
            bits |= u64::from(any) << k;
        }
        let last = rest.iter().any(|lane| *lane != 0);
        if last { bits | 1 << chunks.len() } else { bits }
    }

    /// All ones in every lane?
    pub fn all_set(mask: &[u32]) -> bool {
        let mut all = u32::MAX;
        for i in Isa::each::<LEVEL>(mask.len()) {
            all &= mask[i];
        }
        all == u32::MAX
    }

    /// The lanes that are not zero, as bits.
    pub fn to_bits(mask: &Block) -> LaneMask {
        let mut bits = [0u64; LANES / 64];
        for (k, word) in bits.iter_mut().enumerate() {
            let mut sum = 0;
            for i in Isa::each::<LEVEL>(64) {
                sum |= u64::from(mask.0[k * 64 + i] != 0) << i;
            }
            *word = sum;
        }
        LaneMask(bits)
    }

    /// Bits as all ones or zero.
    pub fn from_bits(mask: &LaneMask, out: &mut Block) {
        for k in 0..LANES / 64 {
            let bits = mask.0[k];
            for i in Isa::each::<LEVEL>(64) {
                out.0[k * 64 + i] = 0u32.wrapping_sub((bits >> i) as u32 & 1);
            }
        }
    }

    /// Differences inside each quad: along x or y, coarse or fine.
    pub fn derivative(out: &mut [u32], x: &[u32], kind: u16) {
        let quads = out.len() / 4;
        let (out, x) = (&mut out[..quads * 4], &x[..quads * 4]);
        let f = f32::from_bits;
        for q in Isa::each::<LEVEL>(quads) {
            let (at, v) = (q * 4, [x[q * 4], x[q * 4 + 1], x[q * 4 + 2], x[q * 4 + 3]].map(f));
            let (a, b) = match kind {
                0 => (v[1] - v[0], v[1] - v[0]),
                1 => (v[2] - v[0], v[2] - v[0]),
                2 => (v[1] - v[0], v[3] - v[2]),
                _ => (v[2] - v[0], v[3] - v[1]),
            };
            let (second, third) = if kind == 3 { (b, a) } else { (a, b) };
            out[at] = a.to_bits();
            out[at + 1] = second.to_bits();
            out[at + 2] = third.to_bits();
            out[at + 3] = b.to_bits();
        }
    }

    /// Lanes outside the mask take the value of the lowest lane of their quad inside it, if there is one.
    pub fn quad_fill(out: &mut [u32], x: &[u32], mask: &[u32]) {
        for q in Isa::each::<LEVEL>(out.len() / 4) {
            let quad = q * 4..q * 4 + 4;
            let first = quad.clone().find(|i| mask[*i] != 0).unwrap_or(q * 4);
            for i in quad {
                out[i] = x[if mask[i] != 0 { i } else { first }];
            }
        }
    }

    /// Words at `address + offset`, zero outside.
    pub fn gather(out: &mut [u32], address: &[u32], offset: u32, words: &[u32]) {
        let address = &address[..out.len()];
        let Some((&first, _)) = words.split_first() else { return out.fill(0) };
        let count = words.len().min(u32::MAX as usize) as u32;
        for i in Isa::each::<LEVEL>(out.len()) {
            let at = address[i].wrapping_add(offset);
            let inside = at < count;
            let word = if inside { words[at as usize] } else { first };
            out[i] = if inside { word } else { 0 };
        }
    }

    /// Lane i's own word `address + offset` of private memory: one `stride` a word.
    pub fn gather_private(out: &mut [u32], address: &[u32], offset: u32, memory: &[u32], stride: usize, start: usize) {
        let address = &address[..out.len()];
        let last = (memory.len() / stride).max(1) - 1;
        for i in Isa::each::<LEVEL>(out.len()) {
            let word = (address[i].wrapping_add(offset) as usize).min(last);
            out[i] = memory[word * stride + start + i];
        }
    }
}
