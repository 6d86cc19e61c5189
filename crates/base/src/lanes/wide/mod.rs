//! Wide: explicit vectors of f32, one order of operations for every instruction set.
//!
//! In: rows of 16 floats. Out: the same bits from every back end: no fused multiply-add, no estimates, `sqrt` and `/`
//! correctly rounded. Never here: what a kernel computes. For kernels whose speed hangs on registers and shuffles
//! across lanes, where loops ([`per_isa!`](crate::per_isa)) are a lottery; the figures are in `docs/lanes.md`.
//!
//! A back end is a [`Wide`]: a value without size that only [`Isa::run_wide`](super::Isa::run_wide) makes, after it has
//! asked the processor. To hold one is the proof that its instructions may run, so kernels need no `unsafe`. All that a
//! kernel calls must be `#[inline(always)]`, and no closure may hold vectors: both would be compiled for the base set
//! only.

mod pick;
mod run;
mod scalar;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "x86_64")]
mod sse2;
#[cfg(test)]
mod tests;

use std::ops::{Add, Div, Mul, Sub};

pub use pick::Picked;
pub use run::WideWork;

use super::Isa;

/// Floats of one [`Row`]: what the widest vector holds.
pub const ROW: usize = 16;

/// Sixteen floats on a cache line: one number of 16 things, or the matrix of one thing as four rows of four.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(C, align(64))]
pub struct Row(pub [f32; ROW]);

impl Row {
    /// All zero.
    pub const ZERO: Row = Row([0.0; ROW]);
    /// The affine identity: rows (1 0 0 0), (0 1 0 0), (0 0 1 0), (0 0 0 1).
    pub const IDENTITY: Row = Row([1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
}

/// A back end: vectors of [`WIDTH`](Wide::WIDTH) lanes and affine matrices in registers.
///
/// Parts: a row is read and written in `ROW / WIDTH` parts; part `p` is its lanes `p * WIDTH ..`. Loops over parts and
/// lanes pass their index through [`each`](Wide::each). Signs: comparisons are those of IEEE 754, so that -0 equals 0.
/// Bits of NaN are not the same everywhere. Matrices: affine, by rows; in memory a [`Row`] whose last four floats are 0
/// 0 0 1.
pub trait Wide: Copy {
    /// What it is compiled for.
    const ISA: Isa;
    /// Lanes of one vector: 1, 4, 8 or 16.
    const WIDTH: usize;
    /// One vector.
    type F32: Copy
        + Add<Output = Self::F32>
        + Sub<Output = Self::F32>
        + Mul<Output = Self::F32>
        + Div<Output = Self::F32>;
    /// Three rows of four floats.
    type Matrix: Copy;
    /// A matrix a lane.
    type Matrices: AsRef<[Self::Matrix]>;

    /// The index itself, hidden from the optimiser at [`Isa::Scalar`] so that the loop stays one lane at a time.
    #[inline(always)]
    fn each(self, index: usize) -> usize {
        index
    }

    fn splat(self, value: f32) -> Self::F32;
    fn load(self, row: &Row, part: usize) -> Self::F32;
    fn store(self, value: Self::F32, row: &mut Row, part: usize);
    /// Copies a row past the caches, for results larger than they are: a whole line at once, since a line that is
    /// written in pieces between others costs eight times as much. Follow the last one with [`fence`](Wide::fence).
    fn stream(self, from: &Row, to: &mut Row);
    /// Puts streamed rows before all later stores.
    fn fence(self);
    /// Bytes as whole numbers.
    fn load_u8(self, bytes: &[u8; ROW], part: usize) -> Self::F32;

    /// Correctly rounded.
    fn sqrt(self, a: Self::F32) -> Self::F32;
    /// The sign bits alone: 0.0 or -0.0.
    fn sign(self, a: Self::F32) -> Self::F32;
    /// `a`, negated where `sign` (of [`sign`](Wide::sign)) is -0.0.
    fn flip(self, a: Self::F32, sign: Self::F32) -> Self::F32;
    /// Whether `a == b` in any lane.
    fn any_equal(self, a: Self::F32, b: Self::F32) -> bool;
    /// Whether `a < b` in any lane.
    fn any_less(self, a: Self::F32, b: Self::F32) -> bool;
    /// `yes` where `a == b`, else `no`.
    fn select_equal(self, a: Self::F32, b: Self::F32, yes: Self::F32, no: Self::F32) -> Self::F32;
    /// `yes` where `a < b`, else `no`.
    fn select_less(self, a: Self::F32, b: Self::F32, yes: Self::F32, no: Self::F32) -> Self::F32;

    fn load_matrix(self, from: &Row) -> Self::Matrix;
    /// Writes the rows and the last row 0 0 0 1.
    fn store_matrix(self, matrix: Self::Matrix, to: &mut Row);
    /// Every number times `factor`.
    fn scale_matrix(self, matrix: Self::Matrix, factor: f32) -> Self::Matrix;
    /// Number by number.
    fn add_matrices(self, a: Self::Matrix, b: Self::Matrix) -> Self::Matrix;
    /// `a * b`, affine. Row `i` is `(a[i][0] * b[0] + a[i][1] * b[1]) + a[i][2] * b[2]`, and its last number then `+
    /// a[i][3]`.
    fn multiply(self, a: Self::Matrix, b: Self::Matrix) -> Self::Matrix;
    /// [`multiply`](Wide::multiply) with `b` in memory, whose rows are then spread by the load.
    #[inline(always)]
    fn multiply_loaded(self, a: Self::Matrix, b: &Row) -> Self::Matrix {
        self.multiply(a, self.load_matrix(b))
    }
    /// The numbers of the matrices of `source`, by rows: number `n` of lane `l` is number `n` of `source.matrix(l)`.
    fn lanes_of_matrices<S: MatrixSource<Self>>(self, source: S) -> [Self::F32; 12];
    /// The matrix of every lane, the inverse of [`lanes_of_matrices`](Wide::lanes_of_matrices).
    fn matrices_of_lanes(self, numbers: [Self::F32; 12]) -> Self::Matrices;
}

/// What gives the matrix of a lane; a closure cannot be `#[inline(always)]`, `matrix` must be.
pub trait MatrixSource<W: Wide> {
    fn matrix(&self, wide: W, lane: usize) -> W::Matrix;
}

/// A vector of one instruction set with the four operations.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! vector {
    ($name:ident($raw:ty), $add:ident, $sub:ident, $mul:ident, $div:ident) => {
        /// A vector of this instruction set: there is one only where a back end made it.
        #[derive(Clone, Copy)]
        pub struct $name($raw);
        vector!(@ $name Add add $add);
        vector!(@ $name Sub sub $sub);
        vector!(@ $name Mul mul $mul);
        vector!(@ $name Div div $div);
    };
    (@ $name:ident $trait:ident $function:ident $intrinsic:ident) => {
        impl std::ops::$trait for $name {
            type Output = $name;
            #[inline(always)]
            fn $function(self, other: $name) -> $name {
                // SAFETY: a vector exists only where a back end does, and `run_wide` asked the processor before it made
                // one.
                $name(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    };
}

/// Four vectors as columns: within each group of four lanes, lane `i` of result `j` is lane `j` of argument `i`.
#[cfg(target_arch = "x86_64")]
macro_rules! transpose4 {
    ($v:expr, $low:ident, $high:ident, $shuffle:ident) => {{
        let [a, b, c, d] = $v;
        let (t0, t1, t2, t3) = ($low(a, b), $high(a, b), $low(c, d), $high(c, d));
        [$shuffle::<0x44>(t0, t2), $shuffle::<0xEE>(t0, t2), $shuffle::<0x44>(t1, t3), $shuffle::<0xEE>(t1, t3)]
    }};
}

#[cfg(target_arch = "x86_64")]
use transpose4;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use vector;
