//! NEON: four lanes, of AArch64's base set.
#![expect(unsafe_code, reason = "intrinsics; a value of `Neon` proves that they may run")]

use std::arch::aarch64::*;

use super::{MatrixSource, ROW, Row, Wide, vector};
use crate::lanes::Isa;

/// Proof of NEON.
#[derive(Clone, Copy)]
pub struct Neon(());

vector!(F32x4(float32x4_t), vaddq_f32, vsubq_f32, vmulq_f32, vdivq_f32);

impl Neon {
    /// # Safety
    /// The processor must have NEON.
    #[inline(always)]
    pub unsafe fn new() -> Neon {
        Neon(())
    }
}

/// Four vectors as columns: lane `i` of result `j` is lane `j` of argument `i`.
#[inline(always)]
fn transpose4(a: float32x4_t, b: float32x4_t, c: float32x4_t, d: float32x4_t) -> [float32x4_t; 4] {
    // SAFETY: vectors exist only where a back end does.
    unsafe {
        let (ab0, ab1) = (vzip1q_f32(a, b), vzip2q_f32(a, b));
        let (cd0, cd1) = (vzip1q_f32(c, d), vzip2q_f32(c, d));
        let low = (vreinterpretq_f64_f32(ab0), vreinterpretq_f64_f32(cd0));
        let high = (vreinterpretq_f64_f32(ab1), vreinterpretq_f64_f32(cd1));
        [
            vreinterpretq_f32_f64(vzip1q_f64(low.0, low.1)),
            vreinterpretq_f32_f64(vzip2q_f64(low.0, low.1)),
            vreinterpretq_f32_f64(vzip1q_f64(high.0, high.1)),
            vreinterpretq_f32_f64(vzip2q_f64(high.0, high.1)),
        ]
    }
}

// SAFETY of every block below: `self` is the proof of NEON. Reads and writes stay within a row: `part` is checked.
impl Wide for Neon {
    const ISA: Isa = Isa::Neon;
    const WIDTH: usize = 4;
    type F32 = F32x4;
    type Matrix = [float32x4_t; 3];
    type Matrices = [[float32x4_t; 3]; 4];

    #[inline(always)]
    fn splat(self, value: f32) -> F32x4 {
        F32x4(unsafe { vdupq_n_f32(value) })
    }
    #[inline(always)]
    fn load(self, row: &Row, part: usize) -> F32x4 {
        assert!(part < ROW / 4, "part {part} of 4");
        F32x4(unsafe { vld1q_f32(row.0.as_ptr().add(part * 4)) })
    }
    #[inline(always)]
    fn store(self, value: F32x4, row: &mut Row, part: usize) {
        assert!(part < ROW / 4, "part {part} of 4");
        unsafe { vst1q_f32(row.0.as_mut_ptr().add(part * 4), value.0) }
    }
    #[inline(always)]
    fn stream(self, from: &Row, to: &mut Row) {
        *to = *from;
    }
    #[inline(always)]
    fn fence(self) {}
    #[inline(always)]
    fn load_u8(self, bytes: &[u8; ROW], part: usize) -> F32x4 {
        let four: [u8; 4] = std::array::from_fn(|i| bytes[part * 4 + i]);
        unsafe {
            let four = vreinterpret_u8_u32(vdup_n_u32(u32::from_le_bytes(four)));
            F32x4(vcvtq_f32_u32(vmovl_u16(vget_low_u16(vmovl_u8(four)))))
        }
    }

    #[inline(always)]
    fn sqrt(self, a: F32x4) -> F32x4 {
        F32x4(unsafe { vsqrtq_f32(a.0) })
    }
    #[inline(always)]
    fn sign(self, a: F32x4) -> F32x4 {
        unsafe {
            let bits = vandq_u32(vreinterpretq_u32_f32(a.0), vdupq_n_u32(0x8000_0000));
            F32x4(vreinterpretq_f32_u32(bits))
        }
    }
    #[inline(always)]
    fn flip(self, a: F32x4, sign: F32x4) -> F32x4 {
        unsafe {
            let bits = veorq_u32(vreinterpretq_u32_f32(a.0), vreinterpretq_u32_f32(sign.0));
            F32x4(vreinterpretq_f32_u32(bits))
        }
    }
    #[inline(always)]
    fn any_equal(self, a: F32x4, b: F32x4) -> bool {
        unsafe { vmaxvq_u32(vceqq_f32(a.0, b.0)) != 0 }
    }
    #[inline(always)]
    fn any_less(self, a: F32x4, b: F32x4) -> bool {
        unsafe { vmaxvq_u32(vcltq_f32(a.0, b.0)) != 0 }
    }
    #[inline(always)]
    fn select_equal(self, a: F32x4, b: F32x4, yes: F32x4, no: F32x4) -> F32x4 {
        F32x4(unsafe { vbslq_f32(vceqq_f32(a.0, b.0), yes.0, no.0) })
    }
    #[inline(always)]
    fn select_less(self, a: F32x4, b: F32x4, yes: F32x4, no: F32x4) -> F32x4 {
        F32x4(unsafe { vbslq_f32(vcltq_f32(a.0, b.0), yes.0, no.0) })
    }

    #[inline(always)]
    fn load_matrix(self, from: &Row) -> [float32x4_t; 3] {
        let from = from.0.as_ptr();
        unsafe { [vld1q_f32(from), vld1q_f32(from.add(4)), vld1q_f32(from.add(8))] }
    }
    #[inline(always)]
    fn store_matrix(self, matrix: [float32x4_t; 3], to: &mut Row) {
        let to = to.0.as_mut_ptr();
        unsafe {
            vst1q_f32(to, matrix[0]);
            vst1q_f32(to.add(4), matrix[1]);
            vst1q_f32(to.add(8), matrix[2]);
            vst1q_f32(to.add(12), vld1q_f32(Row::IDENTITY.0.as_ptr().add(12)));
        }
    }
    #[inline(always)]
    fn scale_matrix(self, [x, y, z]: [float32x4_t; 3], factor: f32) -> [float32x4_t; 3] {
        unsafe { [vmulq_n_f32(x, factor), vmulq_n_f32(y, factor), vmulq_n_f32(z, factor)] }
    }
    #[inline(always)]
    fn add_matrices(self, a: [float32x4_t; 3], b: [float32x4_t; 3]) -> [float32x4_t; 3] {
        unsafe { [vaddq_f32(a[0], b[0]), vaddq_f32(a[1], b[1]), vaddq_f32(a[2], b[2])] }
    }
    #[inline(always)]
    fn multiply(self, [x, y, z]: [float32x4_t; 3], b: [float32x4_t; 3]) -> [float32x4_t; 3] {
        #[inline(always)]
        fn row(a: float32x4_t, b: [float32x4_t; 3]) -> float32x4_t {
            // SAFETY: vectors exist only where a back end does.
            unsafe {
                let x = vmulq_laneq_f32::<0>(b[0], a);
                let y = vmulq_laneq_f32::<1>(b[1], a);
                let z = vmulq_laneq_f32::<2>(b[2], a);
                // Adding -0.0 changes nothing, not even the sign of a zero.
                let moved = vcopyq_laneq_f32::<3, 3>(vdupq_n_f32(-0.0), a);
                vaddq_f32(vaddq_f32(vaddq_f32(x, y), z), moved)
            }
        }
        [row(x, b), row(y, b), row(z, b)]
    }
    #[inline(always)]
    fn lanes_of_matrices<S: MatrixSource<Self>>(self, source: S) -> [F32x4; 12] {
        let (a, b) = (source.matrix(self, 0), source.matrix(self, 1));
        let (c, d) = (source.matrix(self, 2), source.matrix(self, 3));
        let x = transpose4(a[0], b[0], c[0], d[0]);
        let y = transpose4(a[1], b[1], c[1], d[1]);
        let z = transpose4(a[2], b[2], c[2], d[2]);
        [
            F32x4(x[0]),
            F32x4(x[1]),
            F32x4(x[2]),
            F32x4(x[3]),
            F32x4(y[0]),
            F32x4(y[1]),
            F32x4(y[2]),
            F32x4(y[3]),
            F32x4(z[0]),
            F32x4(z[1]),
            F32x4(z[2]),
            F32x4(z[3]),
        ]
    }
    #[inline(always)]
    fn matrices_of_lanes(self, n: [F32x4; 12]) -> [[float32x4_t; 3]; 4] {
        let x = transpose4(n[0].0, n[1].0, n[2].0, n[3].0);
        let y = transpose4(n[4].0, n[5].0, n[6].0, n[7].0);
        let z = transpose4(n[8].0, n[9].0, n[10].0, n[11].0);
        [[x[0], y[0], z[0]], [x[1], y[1], z[1]], [x[2], y[2], z[2]], [x[3], y[3], z[3]]]
    }
}
