//! Fetch: vertex attributes become words by lane.
//!
//! In: a bound range, a layout, one index a lane. Out: four components a lane. Whatever does not lie wholly inside the
//! range reads as bytes of zero; missing components are (0, 0, 0, 1).

use stillframe_base::lanes::Block;
use wgpu_types::VertexFormat;

use crate::work::BufferRange;

/// Where an attribute's elements lie.
#[derive(Clone, Copy, Debug)]
pub struct Stream<'a> {
    /// `None`: no buffer is bound, everything reads as zero.
    pub range: Option<&'a BufferRange>,
    pub stride_bytes: u64,
    pub offset_bytes: u64,
    pub format: VertexFormat,
}

/// Working memory.
#[derive(Debug, Default)]
pub struct Scratch {
    bytes: Vec<u8>,
    span: Vec<u8>,
}

/// Reads element `indices[lane]` for each lane.
pub fn fetch(stream: &Stream<'_>, indices: &[u32], out: &mut [Block; 4], scratch: &mut Scratch) {
    let size = stream.format.size() as usize;
    let Scratch { bytes, span } = scratch;
    gather(stream, indices, size, bytes, span);
    let bytes = &bytes[..];
    use VertexFormat as F;
    match stream.format {
        F::Uint8 | F::Uint8x2 | F::Uint8x4 => whole(out, bytes, size, 1, |b: [u8; 1]| u32::from(b[0])),
        F::Sint8 | F::Sint8x2 | F::Sint8x4 => whole(out, bytes, size, 1, |b: [u8; 1]| i32::from(b[0] as i8) as u32),
        F::Unorm8 | F::Unorm8x2 | F::Unorm8x4 => real(out, bytes, size, |b: [u8; 1]| f32::from(b[0]) / 255.0),
        F::Snorm8 | F::Snorm8x2 | F::Snorm8x4 => {
            real(out, bytes, size, |b: [u8; 1]| snorm(f32::from(b[0] as i8) / 127.0))
        }
        F::Uint16 | F::Uint16x2 | F::Uint16x4 => whole(out, bytes, size, 1, |b| u32::from(u16::from_le_bytes(b))),
        F::Sint16 | F::Sint16x2 | F::Sint16x4 => {
            whole(out, bytes, size, 1, |b| i32::from(i16::from_le_bytes(b)) as u32)
        }
        F::Unorm16 | F::Unorm16x2 | F::Unorm16x4 => {
            real(out, bytes, size, |b| f32::from(u16::from_le_bytes(b)) / 65535.0);
        }
        F::Snorm16 | F::Snorm16x2 | F::Snorm16x4 => {
            real(out, bytes, size, |b| snorm(f32::from(i16::from_le_bytes(b)) / 32767.0));
        }
        F::Float16 | F::Float16x2 | F::Float16x4 => real(out, bytes, size, |b| half(u16::from_le_bytes(b))),
        F::Float32 | F::Float32x2 | F::Float32x3 | F::Float32x4 => {
            whole(out, bytes, size, 1f32.to_bits(), u32::from_le_bytes);
        }
        F::Uint32 | F::Uint32x2 | F::Uint32x3 | F::Uint32x4 | F::Sint32 | F::Sint32x2 | F::Sint32x3 | F::Sint32x4 => {
            whole(out, bytes, size, 1, u32::from_le_bytes);
        }
        F::Float64 | F::Float64x2 | F::Float64x3 | F::Float64x4 => {
            real(out, bytes, size, |b| f64::from_le_bytes(b) as f32)
        }
        F::Unorm10_10_10_2 => {
            for (lane, b) in bytes.as_chunks::<4>().0.iter().enumerate() {
                let v = u32::from_le_bytes(*b);
                for k in 0..3 {
                    out[k].as_f32_mut()[lane] = (v >> (10 * k) & 1023) as f32 / 1023.0;
                }
                out[3].as_f32_mut()[lane] = (v >> 30) as f32 / 3.0;
            }
        }
        F::Unorm8x4Bgra => {
            for (lane, b) in bytes.as_chunks::<4>().0.iter().enumerate() {
                for (k, from) in [2, 1, 0, 3].into_iter().enumerate() {
                    out[k].as_f32_mut()[lane] = f32::from(b[from]) / 255.0;
                }
            }
        }
    }
}

/// Copies the elements side by side into `bytes`. `span` is working memory.
fn gather(stream: &Stream<'_>, indices: &[u32], size: usize, bytes: &mut Vec<u8>, span: &mut Vec<u8>) {
    bytes.resize(indices.len() * size, 0);
    let Some(range) = stream.range else {
        bytes.fill(0);
        return;
    };
    let end = (range.buffer.memory.size_bytes() as u64).min(range.offset_bytes.saturating_add(range.size_bytes));
    let length = end.saturating_sub(range.offset_bytes);
    let (low, high) = indices.iter().fold((u32::MAX, 0), |(low, high), &i| (low.min(i), high.max(i)));
    // No overflow: an index has 32 bits, a stride 12.
    let start_of = |index: u32| u64::from(index) * stream.stride_bytes + stream.offset_bytes;
    let (first, last) = (start_of(low), start_of(high) + size as u64);
    if last <= length && last - first <= (indices.len() * size * 8) as u64 {
        // All inside and close together: one copy, then short strides.
        span.resize((last - first) as usize, 0);
        range.buffer.memory.read((range.offset_bytes + first) as usize, span);
        let stride = stream.stride_bytes as usize;
        match size {
            4 => pick::<4>(span, stride, low, indices, bytes),
            8 => pick::<8>(span, stride, low, indices, bytes),
            12 => pick::<12>(span, stride, low, indices, bytes),
            16 => pick::<16>(span, stride, low, indices, bytes),
            _ => {
                for (&index, out) in indices.iter().zip(bytes.chunks_exact_mut(size)) {
                    let at = (index - low) as usize * stride;
                    out.copy_from_slice(&span[at..at + size]);
                }
            }
        }
        return;
    }
    for (&index, out) in indices.iter().zip(bytes.chunks_exact_mut(size)) {
        let start = start_of(index);
        if start + size as u64 <= length {
            range.buffer.memory.read((range.offset_bytes + start) as usize, out);
        } else {
            out.fill(0);
        }
    }
}

fn pick<const SIZE: usize>(span: &[u8], stride: usize, low: u32, indices: &[u32], bytes: &mut [u8]) {
    for (&index, out) in indices.iter().zip(bytes.as_chunks_mut::<SIZE>().0) {
        let at = (index - low) as usize * stride;
        *out = span[at..at + SIZE].try_into().expect("SIZE bytes");
    }
}

fn whole<const N: usize>(out: &mut [Block; 4], bytes: &[u8], size: usize, one: u32, read: impl Fn([u8; N]) -> u32) {
    let count = size / N;
    let lanes = bytes.len() / size;
    let words = bytes.as_chunks::<N>().0;
    for k in 0..4 {
        if k < count {
            for lane in 0..lanes {
                out[k].0[lane] = read(words[lane * count + k]);
            }
        } else {
            out[k].0[..lanes].fill(if k == 3 { one } else { 0 });
        }
    }
}

fn real<const N: usize>(out: &mut [Block; 4], bytes: &[u8], size: usize, read: impl Fn([u8; N]) -> f32) {
    whole(out, bytes, size, 1f32.to_bits(), |b| read(b).to_bits());
}

fn snorm(v: f32) -> f32 {
    if v < -1.0 { -1.0 } else { v }
}

/// An f16 as f32, exactly; a NaN becomes the one NaN.
pub fn half(bits: u16) -> f32 {
    let (sign, exponent, mantissa) = (u32::from(bits >> 15) << 31, bits >> 10 & 31, u32::from(bits & 1023));
    match exponent {
        0 => {
            let magnitude = mantissa as f32 * (1.0 / 16_777_216.0);
            f32::from_bits(magnitude.to_bits() | sign)
        }
        31 if mantissa != 0 => f32::from_bits(0x7FC0_0000),
        31 => f32::from_bits(sign | 0x7F80_0000),
        _ => f32::from_bits(sign | (u32::from(exponent) + 112) << 23 | mantissa << 13),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::store::{Buffer, Memory};

    fn read(format: VertexFormat, data: &[u8], stride: u64, indices: &[u32]) -> Vec<[u32; 4]> {
        let memory = Memory::zeroed(data.len() + 8).expect("memory");
        memory.write(0, &[0xFF; 4]);
        memory.write(4, data);
        let buffer = Arc::new(Buffer { size_bytes: memory.size_bytes() as u64, memory });
        let range = BufferRange { buffer, offset_bytes: 4, size_bytes: data.len() as u64 };
        let stream = Stream { range: Some(&range), stride_bytes: stride, offset_bytes: 0, format };
        let mut out = [Block::ZERO; 4];
        fetch(&stream, indices, &mut out, &mut Scratch::default());
        (0..indices.len()).map(|lane| std::array::from_fn(|k| out[k].0[lane])).collect()
    }

    #[test]
    fn formats_decode_as_written() {
        use VertexFormat as F;
        let f = f32::to_bits;
        let one = f(1.0);
        for (format, bytes, want) in [
            (F::Uint8, &[200u8, 1, 2, 3][..], [200, 0, 0, 1]),
            (F::Sint8x2, &[200, 1, 2, 3], [-56i32 as u32, 1, 0, 1]),
            (F::Unorm8x4, &[0, 255, 51, 128], [0, one, f(0.2), f(128.0 / 255.0)]),
            (F::Unorm8x4Bgra, &[0, 255, 51, 128], [f(0.2), one, 0, f(128.0 / 255.0)]),
            (F::Snorm8x4, &[0x80, 0x81, 127, 0], [f(-1.0), f(-1.0), one, 0]),
            (F::Uint16x2, &[1, 2, 3, 4], [0x0201, 0x0403, 0, 1]),
            (F::Sint16, &[0xFE, 0xFF, 0, 0], [-2i32 as u32, 0, 0, 1]),
            (F::Unorm16x2, &[0xFF, 0xFF, 0, 0], [one, 0, 0, one]),
            (F::Snorm16x2, &[0, 0x80, 0xFF, 0x7F], [f(-1.0), one, 0, one]),
            (F::Float16x2, &[0, 0x3C, 1, 0x80], [one, f(-5.960_464_5e-8), 0, one]),
            (F::Float16x2, &[0, 0xFC, 1, 0x7E], [f(f32::NEG_INFINITY), 0x7FC0_0000, 0, one]),
            (F::Float32, &[0, 0, 128, 63], [one, 0, 0, one]),
            (F::Sint32, &[255; 4], [u32::MAX, 0, 0, 1]),
            (F::Float64, &1.5f64.to_le_bytes(), [f(1.5), 0, 0, one]),
            (F::Unorm10_10_10_2, &(1023u32 | 3 << 30).to_le_bytes(), [one, 0, 0, one]),
        ] {
            assert_eq!(read(format, bytes, 0, &[0])[0], want, "{format:?}");
        }
    }

    #[test]
    fn outside_reads_zero() {
        let data: Vec<u8> = (1..=16).collect();
        let got = read(VertexFormat::Uint8x4, &data, 6, &[0, 2, 3, u32::MAX]);
        assert_eq!(got, [[1, 2, 3, 4], [13, 14, 15, 16], [0; 4], [0; 4]]);
    }

    #[test]
    fn halves_widen_like_f64_says() {
        for bits in 0..=u16::MAX {
            let (e, m) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
            let magnitude = match e {
                0 => m / 16_777_216.0,
                31 if m == 0.0 => f64::INFINITY,
                31 => f64::NAN,
                _ => (1.0 + m / 1024.0) * f64::from_bits(((e - 15 + 1023) as u64) << 52),
            };
            let want = if bits >> 15 == 1 { -magnitude } else { magnitude };
            let got = half(bits);
            assert!(got.is_nan() && want.is_nan() || f64::from(got).to_bits() == want.to_bits(), "{bits:04x}");
        }
    }
}
