//! AVX2: eight lanes; a matrix is its first two rows in one vector and the third in half a one.
#![expect(unsafe_code, reason = "intrinsics; a value of `Avx2` proves that they may run")]

use std::arch::x86_64::*;

use super::{MatrixSource, ROW, Row, Wide, transpose4, vector};
use crate::lanes::Isa;

/// Proof of AVX2.
#[derive(Clone, Copy)]
pub struct Avx2(());

vector!(F32x8(__m256), _mm256_add_ps, _mm256_sub_ps, _mm256_mul_ps, _mm256_div_ps);

/// Rows 0 and 1, and row 2.
type Rows = (__m256, __m128);

impl Avx2 {
    /// # Safety
    /// The processor must have AVX2.
    #[inline(always)]
    pub unsafe fn new() -> Avx2 {
        Avx2(())
    }
}

/// A matrix times one whose rows each fill a vector.
#[inline(always)]
fn multiply_spread((xy, z): Rows, b0: __m256, b1: __m256, b2: __m256) -> Rows {
    // SAFETY: vectors exist only where a back end does.
    unsafe {
        let xy0 = _mm256_mul_ps(_mm256_permute_ps::<0x00>(xy), b0);
        let xy1 = _mm256_mul_ps(_mm256_permute_ps::<0x55>(xy), b1);
        let xy2 = _mm256_mul_ps(_mm256_permute_ps::<0xAA>(xy), b2);
        let z0 = _mm_mul_ps(_mm_permute_ps::<0x00>(z), _mm256_castps256_ps128(b0));
        let z1 = _mm_mul_ps(_mm_permute_ps::<0x55>(z), _mm256_castps256_ps128(b1));
        let z2 = _mm_mul_ps(_mm_permute_ps::<0xAA>(z), _mm256_castps256_ps128(b2));
        let xy_sum = _mm256_add_ps(_mm256_add_ps(xy0, xy1), xy2);
        let z_sum = _mm_add_ps(_mm_add_ps(z0, z1), z2);
        (_mm256_blend_ps::<0x88>(xy_sum, _mm256_add_ps(xy_sum, xy)), _mm_blend_ps::<0x8>(z_sum, _mm_add_ps(z_sum, z)))
    }
}

// SAFETY of every block below: `self` is the proof of AVX2. Reads and writes stay within a row: `part` is checked.
impl Wide for Avx2 {
    const ISA: Isa = Isa::Avx2;
    const WIDTH: usize = 8;
    type F32 = F32x8;
    type Matrix = Rows;
    type Matrices = [Rows; 8];

    #[inline(always)]
    fn splat(self, value: f32) -> F32x8 {
        F32x8(unsafe { _mm256_set1_ps(value) })
    }
    #[inline(always)]
    fn load(self, row: &Row, part: usize) -> F32x8 {
        assert!(part < ROW / 8, "part {part} of 2");
        F32x8(unsafe { _mm256_load_ps(row.0.as_ptr().add(part * 8)) })
    }
    #[inline(always)]
    fn store(self, value: F32x8, row: &mut Row, part: usize) {
        assert!(part < ROW / 8, "part {part} of 2");
        unsafe { _mm256_store_ps(row.0.as_mut_ptr().add(part * 8), value.0) }
    }
    #[inline(always)]
    fn stream(self, from: &Row, to: &mut Row) {
        // Miri knows no such stores; what lands in memory is the same.
        if cfg!(miri) {
            *to = *from;
            return;
        }
        for part in 0..ROW / 8 {
            let value = self.load(from, part);
            unsafe { _mm256_stream_ps(to.0.as_mut_ptr().add(part * 8), value.0) }
        }
    }
    #[inline(always)]
    fn fence(self) {
        if !cfg!(miri) {
            unsafe { _mm_sfence() }
        }
    }
    #[inline(always)]
    fn load_u8(self, bytes: &[u8; ROW], part: usize) -> F32x8 {
        assert!(part < ROW / 8, "part {part} of 2");
        unsafe {
            let eight = _mm_loadl_epi64(bytes.as_ptr().add(part * 8).cast());
            F32x8(_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(eight)))
        }
    }

    #[inline(always)]
    fn sqrt(self, a: F32x8) -> F32x8 {
        F32x8(unsafe { _mm256_sqrt_ps(a.0) })
    }
    #[inline(always)]
    fn sign(self, a: F32x8) -> F32x8 {
        F32x8(unsafe { _mm256_and_ps(a.0, _mm256_set1_ps(-0.0)) })
    }
    #[inline(always)]
    fn flip(self, a: F32x8, sign: F32x8) -> F32x8 {
        F32x8(unsafe { _mm256_xor_ps(a.0, sign.0) })
    }
    #[inline(always)]
    fn any_equal(self, a: F32x8, b: F32x8) -> bool {
        unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_EQ_OQ>(a.0, b.0)) != 0 }
    }
    #[inline(always)]
    fn any_less(self, a: F32x8, b: F32x8) -> bool {
        unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(a.0, b.0)) != 0 }
    }
    #[inline(always)]
    fn select_equal(self, a: F32x8, b: F32x8, yes: F32x8, no: F32x8) -> F32x8 {
        F32x8(unsafe { _mm256_blendv_ps(no.0, yes.0, _mm256_cmp_ps::<_CMP_EQ_OQ>(a.0, b.0)) })
    }
    #[inline(always)]
    fn select_less(self, a: F32x8, b: F32x8, yes: F32x8, no: F32x8) -> F32x8 {
        F32x8(unsafe { _mm256_blendv_ps(no.0, yes.0, _mm256_cmp_ps::<_CMP_LT_OQ>(a.0, b.0)) })
    }

    #[inline(always)]
    fn load_matrix(self, from: &Row) -> Rows {
        let from = from.0.as_ptr();
        unsafe { (_mm256_load_ps(from), _mm_load_ps(from.add(8))) }
    }
    #[inline(always)]
    fn store_matrix(self, matrix: Rows, to: &mut Row) {
        let to = to.0.as_mut_ptr();
        unsafe {
            _mm256_store_ps(to, matrix.0);
            _mm256_store_ps(to.add(8), _mm256_set_m128(_mm_setr_ps(0.0, 0.0, 0.0, 1.0), matrix.1));
        }
    }
    #[inline(always)]
    fn scale_matrix(self, (xy, z): Rows, factor: f32) -> Rows {
        unsafe { (_mm256_mul_ps(xy, _mm256_set1_ps(factor)), _mm_mul_ps(z, _mm_set1_ps(factor))) }
    }
    #[inline(always)]
    fn add_matrices(self, a: Rows, b: Rows) -> Rows {
        unsafe { (_mm256_add_ps(a.0, b.0), _mm_add_ps(a.1, b.1)) }
    }
    #[inline(always)]
    fn multiply(self, a: Rows, b: Rows) -> Rows {
        unsafe {
            let b0 = _mm256_permute2f128_ps::<0x00>(b.0, b.0);
            let b1 = _mm256_permute2f128_ps::<0x11>(b.0, b.0);
            multiply_spread(a, b0, b1, _mm256_set_m128(b.1, b.1))
        }
    }
    #[inline(always)]
    fn multiply_loaded(self, a: Rows, b: &Row) -> Rows {
        let b = b.0.as_ptr().cast::<__m128>();
        unsafe {
            let (b0, b1) = (_mm256_broadcast_ps(&*b), _mm256_broadcast_ps(&*b.add(1)));
            multiply_spread(a, b0, b1, _mm256_broadcast_ps(&*b.add(2)))
        }
    }
    #[inline(always)]
    fn lanes_of_matrices<S: MatrixSource<Self>>(self, source: S) -> [F32x8; 12] {
        // Four lanes and the four beside them meet in one vector, a row of each.
        #[inline(always)]
        fn pair(a: Rows, b: Rows) -> [__m256; 3] {
            // SAFETY: vectors exist only where a back end does.
            unsafe {
                [
                    _mm256_permute2f128_ps::<0x20>(a.0, b.0),
                    _mm256_permute2f128_ps::<0x31>(a.0, b.0),
                    _mm256_set_m128(b.1, a.1),
                ]
            }
        }
        let a = pair(source.matrix(self, 0), source.matrix(self, 4));
        let b = pair(source.matrix(self, 1), source.matrix(self, 5));
        let c = pair(source.matrix(self, 2), source.matrix(self, 6));
        let d = pair(source.matrix(self, 3), source.matrix(self, 7));
        unsafe {
            let [x0, x1, x2, x3] =
                transpose4!([a[0], b[0], c[0], d[0]], _mm256_unpacklo_ps, _mm256_unpackhi_ps, _mm256_shuffle_ps);
            let [y0, y1, y2, y3] =
                transpose4!([a[1], b[1], c[1], d[1]], _mm256_unpacklo_ps, _mm256_unpackhi_ps, _mm256_shuffle_ps);
            let [z0, z1, z2, z3] =
                transpose4!([a[2], b[2], c[2], d[2]], _mm256_unpacklo_ps, _mm256_unpackhi_ps, _mm256_shuffle_ps);
            [
                F32x8(x0),
                F32x8(x1),
                F32x8(x2),
                F32x8(x3),
                F32x8(y0),
                F32x8(y1),
                F32x8(y2),
                F32x8(y3),
                F32x8(z0),
                F32x8(z1),
                F32x8(z2),
                F32x8(z3),
            ]
        }
    }
    #[inline(always)]
    fn matrices_of_lanes(self, n: [F32x8; 12]) -> [Rows; 8] {
        #[inline(always)]
        fn low(x: __m256, y: __m256, z: __m256) -> Rows {
            // SAFETY: vectors exist only where a back end does.
            unsafe { (_mm256_permute2f128_ps::<0x20>(x, y), _mm256_castps256_ps128(z)) }
        }
        #[inline(always)]
        fn high(x: __m256, y: __m256, z: __m256) -> Rows {
            // SAFETY: vectors exist only where a back end does.
            unsafe { (_mm256_permute2f128_ps::<0x31>(x, y), _mm256_extractf128_ps::<1>(z)) }
        }
        unsafe {
            let x = transpose4!(
                [n[0].0, n[1].0, n[2].0, n[3].0],
                _mm256_unpacklo_ps,
                _mm256_unpackhi_ps,
                _mm256_shuffle_ps
            );
            let y = transpose4!(
                [n[4].0, n[5].0, n[6].0, n[7].0],
                _mm256_unpacklo_ps,
                _mm256_unpackhi_ps,
                _mm256_shuffle_ps
            );
            let z = transpose4!(
                [n[8].0, n[9].0, n[10].0, n[11].0],
                _mm256_unpacklo_ps,
                _mm256_unpackhi_ps,
                _mm256_shuffle_ps
            );
            [
                low(x[0], y[0], z[0]),
                low(x[1], y[1], z[1]),
                low(x[2], y[2], z[2]),
                low(x[3], y[3], z[3]),
                high(x[0], y[0], z[0]),
                high(x[1], y[1], z[1]),
                high(x[2], y[2], z[2]),
                high(x[3], y[3], z[3]),
            ]
        }
    }
}
