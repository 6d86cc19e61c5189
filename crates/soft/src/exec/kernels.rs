//! Kernels: the wide form of every pure operation in every shape of the table, by instruction set.
//!
//! A kernel gets its destination as the lanes of one run, and finds its operands in the file through the instruction.
//! The destination is never also an operand (`program::allocate` sees to it), so the compiler may assume that they do
//! not overlap.
#![expect(unsafe_code, reason = "kernels read operands at offsets that the lowering made")]

use stillframe_base::lanes::{Isa, per_isa};
use stillframe_base::math::ops::{self, block};

use crate::program::code::{Op, SUM};
use crate::program::op::{Pure, pure_ops, shape};
use crate::program::scalar;

/// `(destination lanes, file, instruction, first lane)`.
pub type Kernel = fn(&mut [u32], *const u32, *const Op, usize);

/// The lanes `start ..` of the register at word `at`.
///
/// # Safety
/// `file + at + start` must start `len` words that nobody writes meanwhile.
#[inline(always)]
unsafe fn lanes<'a>(file: *const u32, at: u32, start: usize, len: usize) -> &'a [u32] {
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(file.add(at as usize + start), len) }
}

/// One word of the uniform file.
///
/// # Safety
/// `file + at` must be a word that nobody writes meanwhile.
#[inline(always)]
unsafe fn word(file: *const u32, at: u32) -> u32 {
    // SAFETY: the caller's promise.
    unsafe { *file.add(at as usize) }
}

/// SAFETY of every kernel below: the machine passes runs inside the registers it has grown to the program's size, and
/// the lowering placed every operand of the instruction inside the file and apart from the destination.
macro_rules! kernel {
    // Two passes for large arguments.
    (v f_sin) => { kernel!(@block sin); };
    (v f_cos) => { kernel!(@block cos); };
    (v f_tan) => { kernel!(@block tan); };
    (@block $name:ident) => {
        per_isa! {
            pub fn v(dst: &mut [u32], file: *const u32, op: *const Op, start: usize) {
                let op = unsafe { &*op };
                let a = unsafe { lanes(file, op.a, start, dst.len()) };
                block::$name::<LEVEL>(bytemuck::cast_slice_mut(dst), bytemuck::cast_slice(a));
            }
        }
    };
    // One instruction from SSE4 on; before that std's functions would be calls.
    (v f_floor) => { kernel!(@round |x: f32| x.floor(), ops::floor); };
    (v f_ceil) => { kernel!(@round |x: f32| x.ceil(), ops::ceil); };
    (v f_trunc) => { kernel!(@round |x: f32| x.trunc(), ops::trunc); };
    (v f_round) => { kernel!(@round |x: f32| x.round_ties_even(), ops::round_ties_even); };
    (v f_fract) => { kernel!(@round |x: f32| x - x.floor(), |x: f32| x - ops::floor(x)); };
    (@round $fast:expr, $plain:expr) => {
        per_isa! {
            pub fn v(dst: &mut [u32], file: *const u32, op: *const Op, start: usize) {
                let op = unsafe { &*op };
                let n = dst.len();
                let a = unsafe { lanes(file, op.a, start, n) };
                for i in Isa::each::<LEVEL>(n) {
                    let x = f32::from_bits(a[i]);
                    let y: f32 = if LEVEL >= Isa::Sse4 as u8 { ($fast)(x) } else { ($plain)(x) };
                    dst[i] = y.to_bits();
                }
            }
        }
    };
    (v $f:ident) => {
        per_isa! {
            pub fn v(dst: &mut [u32], file: *const u32, op: *const Op, start: usize) {
                let op = unsafe { &*op };
                let n = dst.len();
                let a = unsafe { lanes(file, op.a, start, n) };
                for i in Isa::each::<LEVEL>(n) { dst[i] = scalar::$f(a[i]); }
            }
        }
    };
    (u $f:ident) => {
        per_isa! {
            pub fn u(dst: &mut [u32], file: *const u32, op: *const Op, _start: usize) {
                let op = unsafe { &*op };
                let a = scalar::$f(unsafe { word(file, op.a) });
                for i in Isa::each::<LEVEL>(dst.len()) { dst[i] = a; }
            }
        }
    };
    (vv $f:ident) => {
        per_isa! {
            pub fn vv(dst: &mut [u32], file: *const u32, op: *const Op, start: usize) {
                let op = unsafe { &*op };
                let n = dst.len();
                let (a, b) = unsafe { (lanes(file, op.a, start, n), lanes(file, op.b, start, n)) };
                for i in Isa::each::<LEVEL>(n) { dst[i] = scalar::$f(a[i], b[i]); }
            }
        }
    };
    (vu $f:ident) => {
        per_isa! {
            pub fn vu(dst: &mut [u32], file: *const u32, op: *const Op, start: usize) {
                let op = unsafe { &*op };
                let n = dst.len();
                let (a, b) = unsafe { (lanes(file, op.a, start, n), word(file, op.b)) };
                for i in Isa::each::<LEVEL>(n) { dst[i] = scalar::$f(a[i], b); }
            }
        }
    };
    (uv $f:ident) => {
        per_isa! {
            pub fn uv(dst: &mut [u32], file: *const u32, op: *const Op, start: usize) {
                let op = unsafe { &*op };
                let n = dst.len();
                let (a, b) = unsafe { (word(file, op.a), lanes(file, op.b, start, n)) };
                for i in Isa::each::<LEVEL>(n) { dst[i] = scalar::$f(a, b[i]); }
            }
        }
    };
    (dv $f:ident) => {
        per_isa! {
            pub fn dv(dst: &mut [u32], file: *const u32, op: *const Op, start: usize) {
                let op = unsafe { &*op };
                let n = dst.len();
                let b = unsafe { lanes(file, op.b, start, n) };
                for i in Isa::each::<LEVEL>(n) { dst[i] = scalar::$f(dst[i], b[i]); }
            }
        }
    };
    (du $f:ident) => {
        per_isa! {
            pub fn du(dst: &mut [u32], file: *const u32, op: *const Op, _start: usize) {
                let op = unsafe { &*op };
                let b = unsafe { word(file, op.b) };
                for i in Isa::each::<LEVEL>(dst.len()) { dst[i] = scalar::$f(dst[i], b); }
            }
        }
    };
    (vvv $f:ident) => {
        per_isa! {
            pub fn vvv(dst: &mut [u32], file: *const u32, op: *const Op, start: usize) {
                let op = unsafe { &*op };
                let n = dst.len();
                let (a, b) = unsafe { (lanes(file, op.a, start, n), lanes(file, op.b, start, n)) };
                let c = unsafe { lanes(file, op.c, start, n) };
                for i in Isa::each::<LEVEL>(n) { dst[i] = scalar::$f(a[i], b[i], c[i]); }
            }
        }
    };
    (vvu $f:ident) => {
        per_isa! {
            pub fn vvu(dst: &mut [u32], file: *const u32, op: *const Op, start: usize) {
                let op = unsafe { &*op };
                let n = dst.len();
                let (a, b) = unsafe { (lanes(file, op.a, start, n), lanes(file, op.b, start, n)) };
                let c = unsafe { word(file, op.c) };
                for i in Isa::each::<LEVEL>(n) { dst[i] = scalar::$f(a[i], b[i], c); }
            }
        }
    };
    (vuv $f:ident) => {
        per_isa! {
            pub fn vuv(dst: &mut [u32], file: *const u32, op: *const Op, start: usize) {
                let op = unsafe { &*op };
                let n = dst.len();
                let (a, b) = unsafe { (lanes(file, op.a, start, n), word(file, op.b)) };
                let c = unsafe { lanes(file, op.c, start, n) };
                for i in Isa::each::<LEVEL>(n) { dst[i] = scalar::$f(a[i], b, c[i]); }
            }
        }
    };
    (vuu $f:ident) => {
        per_isa! {
            pub fn vuu(dst: &mut [u32], file: *const u32, op: *const Op, start: usize) {
                let op = unsafe { &*op };
                let n = dst.len();
                let a = unsafe { lanes(file, op.a, start, n) };
                let (b, c) = unsafe { (word(file, op.b), word(file, op.c)) };
                for i in Isa::each::<LEVEL>(n) { dst[i] = scalar::$f(a[i], b, c); }
            }
        }
    };
    (uvv $f:ident) => {
        per_isa! {
            pub fn uvv(dst: &mut [u32], file: *const u32, op: *const Op, start: usize) {
                let op = unsafe { &*op };
                let n = dst.len();
                let a = unsafe { word(file, op.a) };
                let b = unsafe { lanes(file, op.b, start, n) };
                let c = unsafe { lanes(file, op.c, start, n) };
                for i in Isa::each::<LEVEL>(n) { dst[i] = scalar::$f(a, b[i], c[i]); }
            }
        }
    };
    (uvu $f:ident) => {
        per_isa! {
            pub fn uvu(dst: &mut [u32], file: *const u32, op: *const Op, start: usize) {
                let op = unsafe { &*op };
                let n = dst.len();
                let a = unsafe { word(file, op.a) };
                let b = unsafe { lanes(file, op.b, start, n) };
                let c = unsafe { word(file, op.c) };
                for i in Isa::each::<LEVEL>(n) { dst[i] = scalar::$f(a, b[i], c); }
            }
        }
    };
    (uuv $f:ident) => {
        per_isa! {
            pub fn uuv(dst: &mut [u32], file: *const u32, op: *const Op, start: usize) {
                let op = unsafe { &*op };
                let n = dst.len();
                let a = unsafe { word(file, op.a) };
                let b = unsafe { word(file, op.b) };
                let c = unsafe { lanes(file, op.c, start, n) };
                for i in Isa::each::<LEVEL>(n) { dst[i] = scalar::$f(a, b, c[i]); }
            }
        }
    };
    (vvd $f:ident) => {
        per_isa! {
            pub fn vvd(dst: &mut [u32], file: *const u32, op: *const Op, start: usize) {
                let op = unsafe { &*op };
                let n = dst.len();
                let (a, b) = unsafe { (lanes(file, op.a, start, n), lanes(file, op.b, start, n)) };
                for i in Isa::each::<LEVEL>(n) { dst[i] = scalar::$f(a[i], b[i], dst[i]); }
            }
        }
    };
    (vud $f:ident) => {
        per_isa! {
            pub fn vud(dst: &mut [u32], file: *const u32, op: *const Op, start: usize) {
                let op = unsafe { &*op };
                let n = dst.len();
                let (a, b) = unsafe { (lanes(file, op.a, start, n), word(file, op.b)) };
                for i in Isa::each::<LEVEL>(n) { dst[i] = scalar::$f(a[i], b, dst[i]); }
            }
        }
    };
}

fn missing(_: &mut [u32], _: *const u32, _: *const Op, _: usize) {
    unreachable!("the lowering checks that there is a kernel");
}

/// `a0 * b0 + a1 * b1 (+ a2 * b2 (+ a3 * b3)) (+ add)`, left to right, each product and sum rounded.
macro_rules! sums {
    ($($name:ident $uniform:literal $add:literal: $($k:literal)+;)+) => {$(
        per_isa! {
            fn $name(dst: &mut [u32], file: *const u32, op: *const Op, start: usize) {
                let n = dst.len();
                // SAFETY: see `kernel`; a sum has two slots.
                let (op, more) = unsafe { (&*op, &*op.add(1)) };
                let at = [[op.a, op.b], [op.c, op.imm], [more.dst, more.a], [more.b, more.c]];
                let a = [$(unsafe { lanes(file, at[$k][0], start, n) }),+];
                let add = if $add { f32::from_bits(unsafe { word(file, more.imm) }) } else { 0.0 };
                if $uniform {
                    let b = [$(f32::from_bits(unsafe { word(file, at[$k][1]) })),+];
                    for i in Isa::each::<LEVEL>(n) {
                        let sum = left_to_right([$(f32::from_bits(a[$k][i]) * b[$k]),+]);
                        dst[i] = (if $add { sum + add } else { sum }).to_bits();
                    }
                } else {
                    let b = [$(unsafe { lanes(file, at[$k][1], start, n) }),+];
                    for i in Isa::each::<LEVEL>(n) {
                        let sum = left_to_right([$(f32::from_bits(a[$k][i]) * f32::from_bits(b[$k][i])),+]);
                        dst[i] = (if $add { sum + add } else { sum }).to_bits();
                    }
                }
            }
        }
    )+};
}

#[inline(always)]
fn left_to_right<const N: usize>(products: [f32; N]) -> f32 {
    let mut sum = products[0];
    for product in &products[1..] {
        sum += product;
    }
    sum
}

sums! {
    sum2 false false: 0 1;
    sum2_u true false: 0 1;
    sum2_add false true: 0 1;
    sum2_u_add true true: 0 1;
    sum3 false false: 0 1 2;
    sum3_u true false: 0 1 2;
    sum3_add false true: 0 1 2;
    sum3_u_add true true: 0 1 2;
    sum4 false false: 0 1 2 3;
    sum4_u true false: 0 1 2 3;
    sum4_add false true: 0 1 2 3;
    sum4_u_add true true: 0 1 2 3;
}

/// In the order of `program::code::sum_code`.
const SUMS: [fn(Isa) -> Kernel; 12] =
    [sum2, sum2_u, sum2_add, sum2_u_add, sum3, sum3_u, sum3_add, sum3_u_add, sum4, sum4_u, sum4_add, sum4_u_add];

macro_rules! kernels {
    ($($variant:ident $name:literal ($($arg:ident)+) [$($shape:ident)+] $function:ident;)+) => {
        $(
            #[allow(non_snake_case, clippy::not_unsafe_ptr_arg_deref)]
            mod $variant {
                #[allow(unused_imports, reason = "not every kernel needs all of them")]
                use super::{Isa, Op, block, lanes, ops, per_isa, scalar, word};
                $(kernel!($shape $function);)+
            }
        )+

        /// Kernels of all operations by `code`, for one instruction set.
        pub fn table(isa: Isa) -> Box<[Kernel]> {
            let mut table = vec![missing as Kernel; Pure::ALL.len() << 4];
            $($(
                table[(Pure::$variant as usize) << 4 | shape(stringify!($shape)) as usize] = $variant::$shape(isa);
            )+)+
            assert_eq!(table.len(), SUM as usize);
            table.extend(SUMS.iter().map(|kernel| kernel(isa)));
            table.into_boxed_slice()
        }
    };
}

pure_ops!(kernels);
