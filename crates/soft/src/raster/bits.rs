//! Bits: sixteen comparisons become sixteen bits; floats become integers. The one place of the rasteriser that names an
//! instruction set.
#![expect(unsafe_code, reason = "movemask instructions, each behind its level; one bounded conversion")]

use stillframe_base::lanes::Isa;

/// Bit i is set where `v[i]` is negative.
///
/// For use inside `per_isa!` bodies, with their `LEVEL`: the intrinsics of a level are reached only in its own twin.
#[inline(always)]
pub fn negative<const LEVEL: u8>(v: &[i32; 16]) -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::*;
        if LEVEL == Isa::Avx512 as u8 {
            // SAFETY: LEVEL is Avx512 only inside the twin that `per_isa!` hands out after checking avx512f and avx512dq;
            // the load is unaligned and of 64 bytes, the size of `v`.
            return unsafe { u64::from(_mm512_movepi32_mask(_mm512_loadu_si512(v.as_ptr().cast()))) };
        }
        if LEVEL == Isa::Avx2 as u8 {
            // SAFETY: LEVEL is Avx2 only inside the twin handed out after checking avx2; two unaligned loads of 32 bytes
            // are the 64 of `v`.
            return unsafe {
                let low = _mm256_movemask_ps(_mm256_loadu_ps(v.as_ptr().cast()));
                let high = _mm256_movemask_ps(_mm256_loadu_ps(v.as_ptr().add(8).cast()));
                (low | high << 8) as u64
            };
        }
        if LEVEL == Isa::Sse2 as u8 || LEVEL == Isa::Sse4 as u8 {
            // SAFETY: SSE2 is part of x86-64; four unaligned loads of 16 bytes are the 64 of `v`. Packing saturates, which
            // keeps signs.
            return unsafe {
                let at = |i: usize| _mm_loadu_si128(v.as_ptr().add(i * 4).cast());
                let low = _mm_packs_epi32(at(0), at(1));
                let high = _mm_packs_epi32(at(2), at(3));
                _mm_movemask_epi8(_mm_packs_epi16(low, high)) as u64
            };
        }
    }
    let mut bits = 0;
    for i in Isa::each::<LEVEL>(16) {
        bits |= u64::from(v[i] as u32 >> 31) << i;
    }
    bits
}

/// `v` as an integer, without the saturation that keeps a loop scalar. `v` lies within ±2^30; a NaN is a bug.
#[inline(always)]
pub fn small_int(v: f32) -> i32 {
    debug_assert!(v.abs() <= 1_073_741_824.0, "{v}");
    // SAFETY: callers bound `v` (the assertion above restates it), so the conversion is in range.
    unsafe { v.to_int_unchecked() }
}

#[cfg(test)]
mod tests {
    use stillframe_base::lanes::{Isa, per_isa};

    per_isa! {
        fn bits(v: &[i32; 16]) -> u64 { super::negative::<LEVEL>(v) }
    }

    #[test]
    fn every_level_gives_the_signs() {
        for isa in Isa::available() {
            for pattern in [0u64, 0xFFFF, 0xA53C, 0x8001, 0x7FFE] {
                let v = std::array::from_fn(|i| if pattern >> i & 1 == 1 { i32::MIN + i as i32 } else { i as i32 });
                assert_eq!(bits(isa)(&v), pattern, "{isa}");
            }
        }
    }
}
