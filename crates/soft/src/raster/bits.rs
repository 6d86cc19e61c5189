//! Bits: sixteen comparisons become sixteen bits; floats become integers. The one place of the rasteriser that names an
//! instruction set.
#![expect(unsafe_code, reason = "movemask instructions, each behind its level; one bounded conversion")]

use stillframe_base::lanes::Isa;

use super::order::{ROW_X, ROW_Y};

/// Bit i is set where `v[i]` is negative.
///
/// For use inside `per_isa!` bodies, with their `LEVEL`: the intrinsics of a level are reached only in its own twin.
#[inline(always)]
pub fn negative<const LEVEL: u8>(v: &[i32; 16]) -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::*;
        if LEVEL == Isa::Avx512 as u8 {
            // SAFETY: LEVEL is Avx512 only inside the twin that `per_isa!` hands out after checking avx512f and
            // avx512dq; the load is unaligned and of 64 bytes, the size of `v`.
            return unsafe { u64::from(_mm512_movepi32_mask(_mm512_loadu_si512(v.as_ptr().cast()))) };
        }
        if LEVEL == Isa::Avx2 as u8 {
            // SAFETY: LEVEL is Avx2 only inside the twin handed out after checking avx2; two unaligned loads of 32
            // bytes are the 64 of `v`.
            return unsafe {
                let low = _mm256_movemask_ps(_mm256_loadu_ps(v.as_ptr().cast()));
                let high = _mm256_movemask_ps(_mm256_loadu_ps(v.as_ptr().add(8).cast()));
                (low | high << 8) as u64
            };
        }
        if LEVEL == Isa::Sse2 as u8 || LEVEL == Isa::Sse4 as u8 {
            // SAFETY: SSE2 is part of x86-64; four unaligned loads of 16 bytes are the 64 of `v`. Packing saturates,
            // which keeps signs.
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

/// `a x + b y` at the 16 lanes of two pixel rows. For use as `negative`, by hand for the same reason as `outside`.
#[inline(always)]
pub fn steps<const LEVEL: u8>(a: i32, b: i32) -> [i32; 16] {
    let mut out = [0; 16];
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::*;
        if LEVEL == Isa::Avx512 as u8 {
            // SAFETY: LEVEL is Avx512 only inside the twin that `per_isa!` hands out after checking avx512f; loads and
            // store are unaligned and of 64 bytes, the size of the tables and of `out`.
            unsafe {
                let x = _mm512_loadu_si512(ROW_X.as_ptr().cast());
                let y = _mm512_loadu_si512(ROW_Y.as_ptr().cast());
                let along_x = _mm512_mullo_epi32(_mm512_set1_epi32(a), x);
                let along_y = _mm512_mullo_epi32(_mm512_set1_epi32(b), y);
                _mm512_storeu_si512(out.as_mut_ptr().cast(), _mm512_add_epi32(along_x, along_y));
            }
            return out;
        }
    }
    for i in Isa::each::<LEVEL>(16) {
        out[i] = a * ROW_X[i] + b * ROW_Y[i];
    }
    out
}

/// Bit i is set where `pattern[k][i] + at[k]` is negative for any k.
///
/// For use as `negative`. By hand because the compiler cuts these sixteen lanes into pieces of all sizes.
#[inline(always)]
pub fn outside<const LEVEL: u8>(pattern: &[[i32; 16]; 3], at: [i32; 3]) -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::*;
        if LEVEL == Isa::Avx512 as u8 {
            // SAFETY: LEVEL is Avx512 only inside the twin that `per_isa!` hands out after checking avx512f and
            // avx512dq; the loads are unaligned and of 64 bytes, the size of a pattern.
            return unsafe {
                let a = _mm512_add_epi32(_mm512_loadu_si512(pattern[0].as_ptr().cast()), _mm512_set1_epi32(at[0]));
                let b = _mm512_add_epi32(_mm512_loadu_si512(pattern[1].as_ptr().cast()), _mm512_set1_epi32(at[1]));
                let c = _mm512_add_epi32(_mm512_loadu_si512(pattern[2].as_ptr().cast()), _mm512_set1_epi32(at[2]));
                u64::from(_mm512_movepi32_mask(_mm512_or_si512(_mm512_or_si512(a, b), c)))
            };
        }
        if LEVEL == Isa::Avx2 as u8 {
            let mut bits = 0;
            for half in 0..2 {
                // SAFETY: LEVEL is Avx2 only inside the twin handed out after checking avx2; the two unaligned loads of
                // 32 bytes of each pattern are the 64 it has.
                bits |= unsafe {
                    let from = half * 8;
                    let a = _mm256_loadu_si256(pattern[0].as_ptr().add(from).cast());
                    let b = _mm256_loadu_si256(pattern[1].as_ptr().add(from).cast());
                    let c = _mm256_loadu_si256(pattern[2].as_ptr().add(from).cast());
                    let a = _mm256_add_epi32(a, _mm256_set1_epi32(at[0]));
                    let b = _mm256_add_epi32(b, _mm256_set1_epi32(at[1]));
                    let c = _mm256_add_epi32(c, _mm256_set1_epi32(at[2]));
                    let any = _mm256_or_si256(_mm256_or_si256(a, b), c);
                    (_mm256_movemask_ps(_mm256_castsi256_ps(any)) as u64) << from
                };
            }
            return bits;
        }
    }
    let mut signs = [0; 16];
    for i in Isa::each::<LEVEL>(16) {
        signs[i] = (pattern[0][i] + at[0]) | (pattern[1][i] + at[1]) | (pattern[2][i] + at[2]);
    }
    negative::<LEVEL>(&signs)
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
        fn sums(pattern: &[[i32; 16]; 3], at: [i32; 3]) -> u64 { super::outside::<LEVEL>(pattern, at) }
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

    #[test]
    fn every_level_adds_before_it_looks() {
        let pattern = std::array::from_fn(|k| std::array::from_fn(|i| (i * (k + 3) % 7) as i32 * 10));
        for at in [[0, 0, 0], [-25, 0, 0], [0, -25, 0], [0, 0, -25], [-10, -35, -1], [-100, 5, 5]] {
            let want = (0..16).fold(0, |bits, i| bits | u64::from((0..3).any(|k| pattern[k][i] + at[k] < 0)) << i);
            for isa in Isa::available() {
                assert_eq!(sums(isa)(&pattern, at), want, "{isa}");
            }
        }
    }
}
