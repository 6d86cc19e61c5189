//! SSE2: four lanes, of x86-64's base set.
#![expect(unsafe_code, reason = "intrinsics; a value of `Sse2` proves that they may run")]

use std::arch::x86_64::*;

use super::{MatrixSource, ROW, Row, Wide, transpose4, vector};
use crate::lanes::Isa;

/// Proof of SSE2.
#[derive(Clone, Copy)]
pub struct Sse2(());

vector!(F32x4(__m128), _mm_add_ps, _mm_sub_ps, _mm_mul_ps, _mm_div_ps);

impl Sse2 {
    /// # Safety
    /// The processor must have SSE2.
    #[inline(always)]
    pub unsafe fn new() -> Sse2 {
        Sse2(())
    }
}

#[inline(always)]
fn select(mask: __m128, yes: F32x4, no: F32x4) -> F32x4 {
    // SAFETY: vectors exist only where a back end does.
    F32x4(unsafe { _mm_or_ps(_mm_and_ps(mask, yes.0), _mm_andnot_ps(mask, no.0)) })
}

// SAFETY of every block below: `self` is the proof of SSE2. Reads and writes stay within a row: `part` is checked.
impl Wide for Sse2 {
    const ISA: Isa = Isa::Sse2;
    const WIDTH: usize = 4;
    type F32 = F32x4;
    type Matrix = [__m128; 3];
    type Matrices = [[__m128; 3]; 4];

    #[inline(always)]
    fn splat(self, value: f32) -> F32x4 {
        F32x4(unsafe { _mm_set1_ps(value) })
    }
    #[inline(always)]
    fn load(self, row: &Row, part: usize) -> F32x4 {
        assert!(part < ROW / 4, "part {part} of 4");
        F32x4(unsafe { _mm_load_ps(row.0.as_ptr().add(part * 4)) })
    }
    #[inline(always)]
    fn store(self, value: F32x4, row: &mut Row, part: usize) {
        assert!(part < ROW / 4, "part {part} of 4");
        unsafe { _mm_store_ps(row.0.as_mut_ptr().add(part * 4), value.0) }
    }
    #[inline(always)]
    fn stream(self, from: &Row, to: &mut Row) {
        // Miri knows no such stores; what lands in memory is the same.
        if cfg!(miri) {
            *to = *from;
            return;
        }
        for part in 0..ROW / 4 {
            let value = self.load(from, part);
            unsafe { _mm_stream_ps(to.0.as_mut_ptr().add(part * 4), value.0) }
        }
    }
    #[inline(always)]
    fn fence(self) {
        if !cfg!(miri) {
            unsafe { _mm_sfence() }
        }
    }
    #[inline(always)]
    fn load_u8(self, bytes: &[u8; ROW], part: usize) -> F32x4 {
        assert!(part < ROW / 4, "part {part} of 4");
        unsafe {
            let four = _mm_cvtsi32_si128(bytes.as_ptr().add(part * 4).cast::<i32>().read_unaligned());
            let zero = _mm_setzero_si128();
            F32x4(_mm_cvtepi32_ps(_mm_unpacklo_epi16(_mm_unpacklo_epi8(four, zero), zero)))
        }
    }

    #[inline(always)]
    fn sqrt(self, a: F32x4) -> F32x4 {
        F32x4(unsafe { _mm_sqrt_ps(a.0) })
    }
    #[inline(always)]
    fn sign(self, a: F32x4) -> F32x4 {
        F32x4(unsafe { _mm_and_ps(a.0, _mm_set1_ps(-0.0)) })
    }
    #[inline(always)]
    fn flip(self, a: F32x4, sign: F32x4) -> F32x4 {
        F32x4(unsafe { _mm_xor_ps(a.0, sign.0) })
    }
    #[inline(always)]
    fn any_equal(self, a: F32x4, b: F32x4) -> bool {
        unsafe { _mm_movemask_ps(_mm_cmpeq_ps(a.0, b.0)) != 0 }
    }
    #[inline(always)]
    fn any_less(self, a: F32x4, b: F32x4) -> bool {
        unsafe { _mm_movemask_ps(_mm_cmplt_ps(a.0, b.0)) != 0 }
    }
    #[inline(always)]
    fn select_equal(self, a: F32x4, b: F32x4, yes: F32x4, no: F32x4) -> F32x4 {
        select(unsafe { _mm_cmpeq_ps(a.0, b.0) }, yes, no)
    }
    #[inline(always)]
    fn select_less(self, a: F32x4, b: F32x4, yes: F32x4, no: F32x4) -> F32x4 {
        select(unsafe { _mm_cmplt_ps(a.0, b.0) }, yes, no)
    }

    #[inline(always)]
    fn load_matrix(self, from: &Row) -> [__m128; 3] {
        let from = from.0.as_ptr();
        unsafe { [_mm_load_ps(from), _mm_load_ps(from.add(4)), _mm_load_ps(from.add(8))] }
    }
    #[inline(always)]
    fn store_matrix(self, matrix: [__m128; 3], to: &mut Row) {
        let to = to.0.as_mut_ptr();
        unsafe {
            _mm_store_ps(to, matrix[0]);
            _mm_store_ps(to.add(4), matrix[1]);
            _mm_store_ps(to.add(8), matrix[2]);
            _mm_store_ps(to.add(12), _mm_setr_ps(0.0, 0.0, 0.0, 1.0));
        }
    }
    #[inline(always)]
    fn scale_matrix(self, [x, y, z]: [__m128; 3], factor: f32) -> [__m128; 3] {
        unsafe {
            let factor = _mm_set1_ps(factor);
            [_mm_mul_ps(x, factor), _mm_mul_ps(y, factor), _mm_mul_ps(z, factor)]
        }
    }
    #[inline(always)]
    fn add_matrices(self, a: [__m128; 3], b: [__m128; 3]) -> [__m128; 3] {
        unsafe { [_mm_add_ps(a[0], b[0]), _mm_add_ps(a[1], b[1]), _mm_add_ps(a[2], b[2])] }
    }
    #[inline(always)]
    fn multiply(self, [x, y, z]: [__m128; 3], b: [__m128; 3]) -> [__m128; 3] {
        #[inline(always)]
        fn row(a: __m128, b: [__m128; 3]) -> __m128 {
            // SAFETY: vectors exist only where a back end does.
            unsafe {
                let x = _mm_mul_ps(_mm_shuffle_ps::<0x00>(a, a), b[0]);
                let y = _mm_mul_ps(_mm_shuffle_ps::<0x55>(a, a), b[1]);
                let z = _mm_mul_ps(_mm_shuffle_ps::<0xAA>(a, a), b[2]);
                let last = _mm_castsi128_ps(_mm_setr_epi32(0, 0, 0, -1));
                // Adding -0.0 changes nothing, not even the sign of a zero.
                let moved = _mm_or_ps(_mm_and_ps(a, last), _mm_andnot_ps(last, _mm_set1_ps(-0.0)));
                _mm_add_ps(_mm_add_ps(_mm_add_ps(x, y), z), moved)
            }
        }
        [row(x, b), row(y, b), row(z, b)]
    }
    #[inline(always)]
    fn lanes_of_matrices<S: MatrixSource<Self>>(self, source: S) -> [F32x4; 12] {
        let [a, b, c, d] =
            [source.matrix(self, 0), source.matrix(self, 1), source.matrix(self, 2), source.matrix(self, 3)];
        unsafe {
            let [x0, x1, x2, x3] =
                transpose4!([a[0], b[0], c[0], d[0]], _mm_unpacklo_ps, _mm_unpackhi_ps, _mm_shuffle_ps);
            let [y0, y1, y2, y3] =
                transpose4!([a[1], b[1], c[1], d[1]], _mm_unpacklo_ps, _mm_unpackhi_ps, _mm_shuffle_ps);
            let [z0, z1, z2, z3] =
                transpose4!([a[2], b[2], c[2], d[2]], _mm_unpacklo_ps, _mm_unpackhi_ps, _mm_shuffle_ps);
            [
                F32x4(x0),
                F32x4(x1),
                F32x4(x2),
                F32x4(x3),
                F32x4(y0),
                F32x4(y1),
                F32x4(y2),
                F32x4(y3),
                F32x4(z0),
                F32x4(z1),
                F32x4(z2),
                F32x4(z3),
            ]
        }
    }
    #[inline(always)]
    fn matrices_of_lanes(self, n: [F32x4; 12]) -> [[__m128; 3]; 4] {
        unsafe {
            let x = transpose4!([n[0].0, n[1].0, n[2].0, n[3].0], _mm_unpacklo_ps, _mm_unpackhi_ps, _mm_shuffle_ps);
            let y = transpose4!([n[4].0, n[5].0, n[6].0, n[7].0], _mm_unpacklo_ps, _mm_unpackhi_ps, _mm_shuffle_ps);
            let z = transpose4!([n[8].0, n[9].0, n[10].0, n[11].0], _mm_unpacklo_ps, _mm_unpackhi_ps, _mm_shuffle_ps);
            [[x[0], y[0], z[0]], [x[1], y[1], z[1]], [x[2], y[2], z[2]], [x[3], y[3], z[3]]]
        }
    }
}
