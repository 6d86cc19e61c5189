//! Scalar: one lane, plain Rust; what the other back ends must equal, and what machines without one of them run.

use super::{MatrixSource, ROW, Row, Wide};
use crate::lanes::Isa;

/// One lane at a time.
#[derive(Clone, Copy)]
pub struct Scalar;

impl Wide for Scalar {
    const ISA: Isa = Isa::Scalar;
    const WIDTH: usize = 1;
    type F32 = f32;
    type Matrix = [f32; 12];
    type Matrices = [[f32; 12]; 1];

    #[inline(always)]
    fn each(self, index: usize) -> usize {
        std::hint::black_box(index)
    }

    #[inline(always)]
    fn splat(self, value: f32) -> f32 {
        value
    }
    #[inline(always)]
    fn load(self, row: &Row, part: usize) -> f32 {
        row.0[part]
    }
    #[inline(always)]
    fn store(self, value: f32, row: &mut Row, part: usize) {
        row.0[part] = value;
    }
    #[inline(always)]
    fn stream(self, from: &Row, to: &mut Row) {
        *to = *from;
    }
    #[inline(always)]
    fn fence(self) {}
    #[inline(always)]
    fn load_u8(self, bytes: &[u8; ROW], part: usize) -> f32 {
        f32::from(bytes[part])
    }

    #[inline(always)]
    fn sqrt(self, a: f32) -> f32 {
        a.sqrt()
    }
    #[inline(always)]
    fn sign(self, a: f32) -> f32 {
        f32::from_bits(a.to_bits() & 0x8000_0000)
    }
    #[inline(always)]
    fn flip(self, a: f32, sign: f32) -> f32 {
        f32::from_bits(a.to_bits() ^ sign.to_bits())
    }
    #[inline(always)]
    fn any_equal(self, a: f32, b: f32) -> bool {
        a == b
    }
    #[inline(always)]
    fn any_less(self, a: f32, b: f32) -> bool {
        a < b
    }
    #[inline(always)]
    fn select_equal(self, a: f32, b: f32, yes: f32, no: f32) -> f32 {
        if a == b { yes } else { no }
    }
    #[inline(always)]
    fn select_less(self, a: f32, b: f32, yes: f32, no: f32) -> f32 {
        if a < b { yes } else { no }
    }

    #[inline(always)]
    fn load_matrix(self, from: &Row) -> [f32; 12] {
        std::array::from_fn(|n| from.0[n])
    }
    #[inline(always)]
    fn store_matrix(self, matrix: [f32; 12], to: &mut Row) {
        to.0[..12].copy_from_slice(&matrix);
        to.0[12..].copy_from_slice(&[0.0, 0.0, 0.0, 1.0]);
    }
    #[inline(always)]
    fn scale_matrix(self, matrix: [f32; 12], factor: f32) -> [f32; 12] {
        std::array::from_fn(|n| matrix[n] * factor)
    }
    #[inline(always)]
    fn add_matrices(self, a: [f32; 12], b: [f32; 12]) -> [f32; 12] {
        std::array::from_fn(|n| a[n] + b[n])
    }
    #[inline(always)]
    fn multiply(self, a: [f32; 12], b: [f32; 12]) -> [f32; 12] {
        std::array::from_fn(|n| {
            let (i, j) = (n / 4 * 4, n % 4);
            let sum = (a[i] * b[j] + a[i + 1] * b[4 + j]) + a[i + 2] * b[8 + j];
            if j == 3 { sum + a[i + 3] } else { sum }
        })
    }
    #[inline(always)]
    fn lanes_of_matrices<S: MatrixSource<Self>>(self, source: S) -> [f32; 12] {
        source.matrix(self, 0)
    }
    #[inline(always)]
    fn matrices_of_lanes(self, numbers: [f32; 12]) -> [[f32; 12]; 1] {
        [numbers]
    }
}
