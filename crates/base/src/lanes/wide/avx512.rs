//! AVX-512: sixteen lanes; a matrix is one vector, whose last four lanes say nothing.
#![expect(unsafe_code, reason = "intrinsics; a value of `Avx512` proves that they may run")]

use std::arch::x86_64::*;

use super::{MatrixSource, ROW, Row, Wide, transpose4, vector};
use crate::lanes::Isa;

/// Proof of AVX-512.
#[derive(Clone, Copy)]
pub struct Avx512(());

vector!(F32x16(__m512), _mm512_add_ps, _mm512_sub_ps, _mm512_mul_ps, _mm512_div_ps);

impl Avx512 {
    /// # Safety
    /// The processor must have AVX-512 F, BW, DQ, VL and CD.
    #[inline(always)]
    pub unsafe fn new() -> Avx512 {
        Avx512(())
    }
}

#[inline(always)]
fn mask_equal(a: F32x16, b: F32x16) -> __mmask16 {
    if cfg!(miri) {
        return mask_by_lane(a, b, |a, b| a == b);
    }
    // SAFETY: vectors exist only where a back end does.
    unsafe { _mm512_cmp_ps_mask::<_CMP_EQ_OQ>(a.0, b.0) }
}

#[inline(always)]
fn mask_less(a: F32x16, b: F32x16) -> __mmask16 {
    if cfg!(miri) {
        return mask_by_lane(a, b, |a, b| a < b);
    }
    // SAFETY: vectors exist only where a back end does.
    unsafe { _mm512_cmp_ps_mask::<_CMP_LT_OQ>(a.0, b.0) }
}

/// For Miri, which does not know comparisons of AVX-512 but most else: with it these kernels can be run on any machine.
fn mask_by_lane(a: F32x16, b: F32x16, holds: fn(f32, f32) -> bool) -> __mmask16 {
    // SAFETY: a vector is its lanes in order.
    let lanes = |v: F32x16| unsafe { std::mem::transmute::<__m512, [f32; ROW]>(v.0) };
    let (a, b) = (lanes(a), lanes(b));
    (0..ROW).fold(0, |mask, lane| mask | u16::from(holds(a[lane], b[lane])) << lane)
}

/// A matrix times one whose rows each fill a vector.
#[inline(always)]
fn multiply_spread(a: __m512, b0: __m512, b1: __m512, b2: __m512) -> __m512 {
    // SAFETY: vectors exist only where a back end does.
    unsafe {
        let x = _mm512_mul_ps(_mm512_permute_ps::<0x00>(a), b0);
        let y = _mm512_mul_ps(_mm512_permute_ps::<0x55>(a), b1);
        let z = _mm512_mul_ps(_mm512_permute_ps::<0xAA>(a), b2);
        let sum = _mm512_add_ps(_mm512_add_ps(x, y), z);
        _mm512_mask_add_ps(sum, 0x8888, sum, a)
    }
}

// SAFETY of every block below: `self` is the proof of AVX-512. Reads and writes are whole rows.
impl Wide for Avx512 {
    const ISA: Isa = Isa::Avx512;
    const WIDTH: usize = 16;
    type F32 = F32x16;
    type Matrix = __m512;
    type Matrices = [__m512; 16];

    #[inline(always)]
    fn splat(self, value: f32) -> F32x16 {
        F32x16(unsafe { _mm512_set1_ps(value) })
    }
    #[inline(always)]
    fn load(self, row: &Row, part: usize) -> F32x16 {
        assert!(part == 0, "part {part} of 1");
        F32x16(unsafe { _mm512_load_ps(row.0.as_ptr()) })
    }
    #[inline(always)]
    fn store(self, value: F32x16, row: &mut Row, part: usize) {
        assert!(part == 0, "part {part} of 1");
        unsafe { _mm512_store_ps(row.0.as_mut_ptr(), value.0) }
    }
    #[inline(always)]
    fn stream(self, from: &Row, to: &mut Row) {
        // Miri knows no such stores; what lands in memory is the same.
        if cfg!(miri) {
            *to = *from;
            return;
        }
        unsafe { _mm512_stream_ps(to.0.as_mut_ptr(), _mm512_load_ps(from.0.as_ptr())) }
    }
    #[inline(always)]
    fn fence(self) {
        if !cfg!(miri) {
            unsafe { _mm_sfence() }
        }
    }
    #[inline(always)]
    fn load_u8(self, bytes: &[u8; ROW], part: usize) -> F32x16 {
        assert!(part == 0, "part {part} of 1");
        unsafe { F32x16(_mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128(bytes.as_ptr().cast())))) }
    }

    #[inline(always)]
    fn sqrt(self, a: F32x16) -> F32x16 {
        F32x16(unsafe { _mm512_sqrt_ps(a.0) })
    }
    #[inline(always)]
    fn sign(self, a: F32x16) -> F32x16 {
        F32x16(unsafe { _mm512_and_ps(a.0, _mm512_set1_ps(-0.0)) })
    }
    #[inline(always)]
    fn flip(self, a: F32x16, sign: F32x16) -> F32x16 {
        F32x16(unsafe { _mm512_xor_ps(a.0, sign.0) })
    }
    #[inline(always)]
    fn any_equal(self, a: F32x16, b: F32x16) -> bool {
        mask_equal(a, b) != 0
    }
    #[inline(always)]
    fn any_less(self, a: F32x16, b: F32x16) -> bool {
        mask_less(a, b) != 0
    }
    #[inline(always)]
    fn select_equal(self, a: F32x16, b: F32x16, yes: F32x16, no: F32x16) -> F32x16 {
        F32x16(unsafe { _mm512_mask_blend_ps(mask_equal(a, b), no.0, yes.0) })
    }
    #[inline(always)]
    fn select_less(self, a: F32x16, b: F32x16, yes: F32x16, no: F32x16) -> F32x16 {
        F32x16(unsafe { _mm512_mask_blend_ps(mask_less(a, b), no.0, yes.0) })
    }

    #[inline(always)]
    fn load_matrix(self, from: &Row) -> __m512 {
        unsafe { _mm512_load_ps(from.0.as_ptr()) }
    }
    #[inline(always)]
    fn store_matrix(self, matrix: __m512, to: &mut Row) {
        unsafe {
            let last = _mm512_load_ps(Row::IDENTITY.0.as_ptr());
            _mm512_store_ps(to.0.as_mut_ptr(), _mm512_mask_blend_ps(0xF000, matrix, last));
        }
    }
    #[inline(always)]
    fn scale_matrix(self, matrix: __m512, factor: f32) -> __m512 {
        unsafe { _mm512_mul_ps(matrix, _mm512_set1_ps(factor)) }
    }
    #[inline(always)]
    fn add_matrices(self, a: __m512, b: __m512) -> __m512 {
        unsafe { _mm512_add_ps(a, b) }
    }
    #[inline(always)]
    fn multiply(self, a: __m512, b: __m512) -> __m512 {
        unsafe {
            let b0 = _mm512_shuffle_f32x4::<0x00>(b, b);
            let b1 = _mm512_shuffle_f32x4::<0x55>(b, b);
            let b2 = _mm512_shuffle_f32x4::<0xAA>(b, b);
            multiply_spread(a, b0, b1, b2)
        }
    }
    #[inline(always)]
    fn multiply_loaded(self, a: __m512, b: &Row) -> __m512 {
        let b = b.0.as_ptr();
        unsafe {
            let b0 = _mm512_broadcast_f32x4(_mm_load_ps(b));
            let b1 = _mm512_broadcast_f32x4(_mm_load_ps(b.add(4)));
            let b2 = _mm512_broadcast_f32x4(_mm_load_ps(b.add(8)));
            multiply_spread(a, b0, b1, b2)
        }
    }
    #[inline(always)]
    fn lanes_of_matrices<S: MatrixSource<Self>>(self, source: S) -> [F32x16; 12] {
        // A row of four lanes that lie four apart, in one vector.
        #[inline(always)]
        fn four(a: __m512, b: __m512, c: __m512, d: __m512) -> [__m512; 3] {
            // SAFETY: vectors exist only where a back end does.
            unsafe {
                let (ab, cd) = (_mm512_shuffle_f32x4::<0x44>(a, b), _mm512_shuffle_f32x4::<0x44>(c, d));
                let (ab_high, cd_high) = (_mm512_shuffle_f32x4::<0xEE>(a, b), _mm512_shuffle_f32x4::<0xEE>(c, d));
                [
                    _mm512_shuffle_f32x4::<0x88>(ab, cd),
                    _mm512_shuffle_f32x4::<0xDD>(ab, cd),
                    _mm512_shuffle_f32x4::<0x88>(ab_high, cd_high),
                ]
            }
        }
        macro_rules! four {
            ($first:literal) => {
                four(
                    source.matrix(self, $first),
                    source.matrix(self, $first + 4),
                    source.matrix(self, $first + 8),
                    source.matrix(self, $first + 12),
                )
            };
        }
        let (a, b, c, d) = (four!(0), four!(1), four!(2), four!(3));
        unsafe {
            let [x0, x1, x2, x3] =
                transpose4!([a[0], b[0], c[0], d[0]], _mm512_unpacklo_ps, _mm512_unpackhi_ps, _mm512_shuffle_ps);
            let [y0, y1, y2, y3] =
                transpose4!([a[1], b[1], c[1], d[1]], _mm512_unpacklo_ps, _mm512_unpackhi_ps, _mm512_shuffle_ps);
            let [z0, z1, z2, z3] =
                transpose4!([a[2], b[2], c[2], d[2]], _mm512_unpacklo_ps, _mm512_unpackhi_ps, _mm512_shuffle_ps);
            [
                F32x16(x0),
                F32x16(x1),
                F32x16(x2),
                F32x16(x3),
                F32x16(y0),
                F32x16(y1),
                F32x16(y2),
                F32x16(y3),
                F32x16(z0),
                F32x16(z1),
                F32x16(z2),
                F32x16(z3),
            ]
        }
    }
    #[inline(always)]
    fn matrices_of_lanes(self, n: [F32x16; 12]) -> [__m512; 16] {
        /// The four matrices whose rows lie in these vectors.
        #[inline(always)]
        fn four(x: __m512, y: __m512, z: __m512) -> [__m512; 4] {
            // SAFETY: vectors exist only where a back end does.
            unsafe {
                let (even, odd) = (_mm512_shuffle_f32x4::<0x88>(x, y), _mm512_shuffle_f32x4::<0xDD>(x, y));
                [
                    _mm512_shuffle_f32x4::<0x08>(even, z),
                    _mm512_shuffle_f32x4::<0x18>(odd, z),
                    _mm512_shuffle_f32x4::<0x2D>(even, z),
                    _mm512_shuffle_f32x4::<0x3D>(odd, z),
                ]
            }
        }
        unsafe {
            let x = transpose4!(
                [n[0].0, n[1].0, n[2].0, n[3].0],
                _mm512_unpacklo_ps,
                _mm512_unpackhi_ps,
                _mm512_shuffle_ps
            );
            let y = transpose4!(
                [n[4].0, n[5].0, n[6].0, n[7].0],
                _mm512_unpacklo_ps,
                _mm512_unpackhi_ps,
                _mm512_shuffle_ps
            );
            let z = transpose4!(
                [n[8].0, n[9].0, n[10].0, n[11].0],
                _mm512_unpacklo_ps,
                _mm512_unpackhi_ps,
                _mm512_shuffle_ps
            );
            let a = four(x[0], y[0], z[0]);
            let b = four(x[1], y[1], z[1]);
            let c = four(x[2], y[2], z[2]);
            let d = four(x[3], y[3], z[3]);
            [a[0], b[0], c[0], d[0], a[1], b[1], c[1], d[1], a[2], b[2], c[2], d[2], a[3], b[3], c[3], d[3]]
        }
    }
}
