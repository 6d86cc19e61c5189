//! Op: the one table of pure operations. A row gives the variant, its name in listings, its operand shapes and its
//! meaning (a function of `scalar`); lowering, folding, printing, checking and the kernels of `exec` all come from it.
//!
//! A shape says for each operand whether it is varying (`v`), one word of the uniform file (`u`) or the destination
//! itself (`d`: the operation updates its register in place). A destination is never also a plain varying operand:
//! kernels rely on it.

use super::scalar;

/// Hands the table to a macro: `$then! { Variant "name" (operands) [shapes] function; ... }`.
macro_rules! pure_ops {
    ($then:ident) => {
        $then! {
            Mov "mov" (a) [v u] mov;
            Select "select" (a b c) [vvv vvu vuv vuu uvv uvu uuv vvd vud] select;
            FAdd "add.f" (a b) [vv vu dv du] f_add;
            FSub "sub.f" (a b) [vv vu uv dv du] f_sub;
            FMul "mul.f" (a b) [vv vu dv du] f_mul;
            FDiv "div.f" (a b) [vv vu uv] f_div;
            FRem "rem.f" (a b) [vv vu] f_rem;
            FMin "min.f" (a b) [vv vu uv] f_min;
            FMax "max.f" (a b) [vv vu uv] f_max;
            FClamp "clamp.f" (a b c) [vvv vuu] f_clamp;
            MulAdd "muladd.f" (a b c) [vvv vvu vuv vuu vvd vud] mul_add2;
            MulSub "mulsub.f" (a b c) [vvv vvu vuv vuu] mul_sub;
            NegMulAdd "negmuladd.f" (a b c) [vvv vvu vuv vuu vvd vud] neg_mul_add;
            FNeg "neg.f" (a) [v] f_neg;
            FAbs "abs.f" (a) [v] f_abs;
            FSign "sign.f" (a) [v] f_sign;
            FFloor "floor.f" (a) [v] f_floor;
            FCeil "ceil.f" (a) [v] f_ceil;
            FTrunc "trunc.f" (a) [v] f_trunc;
            FRound "round.f" (a) [v] f_round;
            FFract "fract.f" (a) [v] f_fract;
            FSqrt "sqrt.f" (a) [v] f_sqrt;
            FInverseSqrt "inversesqrt.f" (a) [v] f_inverse_sqrt;
            FExp "exp.f" (a) [v] f_exp;
            FExp2 "exp2.f" (a) [v] f_exp2;
            FLog "log.f" (a) [v] f_log;
            FLog2 "log2.f" (a) [v] f_log2;
            FPow "pow.f" (a b) [vv vu] f_pow;
            FSin "sin.f" (a) [v] f_sin;
            FCos "cos.f" (a) [v] f_cos;
            FTan "tan.f" (a) [v] f_tan;
            FAsin "asin.f" (a) [v] f_asin;
            FAcos "acos.f" (a) [v] f_acos;
            FAtan "atan.f" (a) [v] f_atan;
            FAtan2 "atan2.f" (a b) [vv] f_atan2;
            FSinh "sinh.f" (a) [v] f_sinh;
            FCosh "cosh.f" (a) [v] f_cosh;
            FTanh "tanh.f" (a) [v] f_tanh;
            FAsinh "asinh.f" (a) [v] f_asinh;
            FAcosh "acosh.f" (a) [v] f_acosh;
            FAtanh "atanh.f" (a) [v] f_atanh;
            FrexpFract "frexp.fract" (a) [v] frexp_fract;
            FrexpExponent "frexp.exp" (a) [v] frexp_exponent;
            Ldexp "ldexp" (a b) [vv] ldexp;
            FEq "eq.f" (a b) [vv vu] f_eq;
            FNe "ne.f" (a b) [vv vu] f_ne;
            FLt "lt.f" (a b) [vv vu uv] f_lt;
            FLe "le.f" (a b) [vv vu uv] f_le;
            FIsNan "isnan.f" (a) [v] f_is_nan;
            FIsInf "isinf.f" (a) [v] f_is_inf;
            IAdd "add.i" (a b) [vv vu dv du] i_add;
            ISub "sub.i" (a b) [vv vu uv] i_sub;
            IMul "mul.i" (a b) [vv vu] i_mul;
            INeg "neg.i" (a) [v] i_neg;
            IAbs "abs.i" (a) [v] i_abs;
            ISign "sign.i" (a) [v] i_sign;
            IDiv "div.i" (a b) [vv vu] i_div;
            UDiv "div.u" (a b) [vv vu] u_div;
            IRem "rem.i" (a b) [vv vu] i_rem;
            URem "rem.u" (a b) [vv vu] u_rem;
            IMin "min.i" (a b) [vv vu] i_min;
            IMax "max.i" (a b) [vv vu] i_max;
            UMin "min.u" (a b) [vv vu] u_min;
            UMax "max.u" (a b) [vv vu] u_max;
            And "and" (a b) [vv vu dv du] and;
            AndNot "andnot" (a b) [vv vu uv dv du] and_not;
            Or "or" (a b) [vv vu dv du] or;
            Xor "xor" (a b) [vv vu] xor;
            Not "not" (a) [v] not;
            Shl "shl" (a b) [vv vu uv] shl;
            ShrU "shr.u" (a b) [vv vu uv] shr_u;
            ShrI "shr.i" (a b) [vv vu uv] shr_i;
            IEq "eq.i" (a b) [vv vu] i_eq;
            INe "ne.i" (a b) [vv vu] i_ne;
            ILt "lt.i" (a b) [vv vu uv] i_lt;
            ILe "le.i" (a b) [vv vu uv] i_le;
            ULt "lt.u" (a b) [vv vu uv] u_lt;
            ULe "le.u" (a b) [vv vu uv] u_le;
            CountOnes "ones" (a) [v] count_ones;
            LeadingZeros "clz" (a) [v] leading_zeros;
            TrailingZeros "ctz" (a) [v] trailing_zeros;
            ReverseBits "reverse" (a) [v] reverse_bits;
            FirstLeadingU "firstlead.u" (a) [v] first_leading_u;
            FirstLeadingI "firstlead.i" (a) [v] first_leading_i;
            FirstTrailing "firsttrail" (a) [v] first_trailing;
            ExtractU "extract.u" (a b c) [vvv vuu] extract_u;
            ExtractI "extract.i" (a b c) [vvv vuu] extract_i;
            InsertMask "insertmask" (a b) [vv] insert_mask;
            Dot4I8 "dot4.i8" (a b) [vv vu] dot4_i8;
            Dot4U8 "dot4.u8" (a b) [vv vu] dot4_u8;
            CheckedIndex "index" (a b) [vv vu] checked_index;
            Address "address" (a b c) [vvv vuu vuv] address;
            FToI "f2i" (a) [v] f_to_i;
            FToU "f2u" (a) [v] f_to_u;
            IToF "i2f" (a) [v] i_to_f;
            UToF "u2f" (a) [v] u_to_f;
            IToBool "i2b" (a) [v] i_to_bool;
            FToBool "f2b" (a) [v] f_to_bool;
            Canonical "canon.f" (a) [v] canonical;
            ToF16 "f2h" (a) [v] to_f16;
            FromF16 "h2f" (a) [v] from_f16;
            QuantizeF16 "quantize.h" (a) [v] quantize_f16;
            Unorm8 "unorm8" (a) [v] unorm8;
            Unorm16 "unorm16" (a) [v] unorm16;
            Snorm8 "snorm8" (a) [v] snorm8;
            Snorm16 "snorm16" (a) [v] snorm16;
        }
    };
}
pub(crate) use pure_ops;

/// Operand shape as bits: bit k says that operand k is uniform, bit 3 that one operand is the destination.
pub type Shape = u8;

/// The bit of a [`Shape`] for an operation that updates its destination.
pub const IN_PLACE: Shape = 8;

/// The bits of a shape written as in the table.
pub const fn shape(text: &str) -> Shape {
    let text = text.as_bytes();
    let mut bits = 0;
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'u' => bits |= 1 << at,
            b'd' => bits |= IN_PLACE,
            _ => {}
        }
        at += 1;
    }
    bits
}

macro_rules! define {
    ($($variant:ident $name:literal ($($arg:ident)+) [$($shape:ident)+] $function:ident;)+) => {
        /// A pure operation on 32-bit words: no memory, no lanes, no traps.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        pub enum Pure { $($variant),+ }

        impl Pure {
            /// Every operation, in the order of the table.
            pub const ALL: &'static [Pure] = &[$(Pure::$variant),+];

            const NAMES: &'static [&'static str] = &[$($name),+];
            const ARITIES: &'static [u8] = &[$(0 $(+ { let _ = stringify!($arg); 1 })+),+];
            /// Bit s is set if the shape with bits s exists.
            const SHAPES: &'static [u16] = &[$(0 $(| 1 << shape(stringify!($shape)))+),+];
            /// Which operand is the destination in the in-place shapes.
            const UPDATED: &'static [u8] = &[$(updated(&[$(stringify!($shape)),+])),+];

            /// The value for operands known now. `args` beyond the arity are ignored.
            pub fn evaluate(self, args: [u32; 3]) -> u32 {
                match self {
                    $(Pure::$variant => {
                        let [$($arg,)+ ..] = args;
                        scalar::$function($($arg),+)
                    })+
                }
            }
        }
    };
}

const fn updated(shapes: &[&str]) -> u8 {
    let mut at = 0;
    while at < shapes.len() {
        let text = shapes[at].as_bytes();
        let mut k = 0;
        while k < text.len() {
            if text[k] == b'd' {
                return k as u8;
            }
            k += 1;
        }
        at += 1;
    }
    u8::MAX
}

pure_ops!(define);

impl Pure {
    /// The name in listings.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
    /// Number of operands, 1 to 3.
    pub fn arity(self) -> usize {
        Self::ARITIES[self as usize] as usize
    }
    /// Whether there is a kernel for this shape.
    pub fn has_shape(self, shape: Shape) -> bool {
        Self::SHAPES[self as usize] >> shape & 1 != 0
    }
    /// The operand that in-place shapes take from the destination, if there are such shapes.
    pub fn updated(self) -> Option<usize> {
        let at = Self::UPDATED[self as usize];
        (at != u8::MAX).then_some(at as usize)
    }
    /// Whether a kernel costs about as much as an addition.
    pub fn is_cheap(self) -> bool {
        use Pure::*;
        matches!(
            self,
            Mov | Select
                | FAdd
                | FSub
                | FMul
                | FMin
                | FMax
                | FClamp
                | FNeg
                | FAbs
                | FSign
                | FEq
                | FNe
                | FLt
                | FLe
                | IAdd
                | ISub
                | INeg
                | IMin
                | IMax
                | UMin
                | UMax
                | And
                | AndNot
                | Or
                | Xor
                | Not
                | Shl
                | ShrU
                | ShrI
                | IEq
                | INe
                | ILt
                | ILe
                | ULt
                | ULe
                | IToBool
                | FToBool
                | IToF
                | CheckedIndex
        )
    }
    /// Whether the first two operands may change places.
    pub fn commutes(self) -> bool {
        use Pure::*;
        matches!(
            self,
            FAdd | FMul
                | MulAdd
                | MulSub
                | NegMulAdd
                | FEq
                | FNe
                | IAdd
                | IMul
                | IMin
                | IMax
                | UMin
                | UMax
                | And
                | Or
                | Xor
                | IEq
                | INe
                | Dot4I8
                | Dot4U8
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_varying_kernel_and_a_name_of_its_own() {
        for (at, &op) in Pure::ALL.iter().enumerate() {
            assert_eq!(op as usize, at);
            assert!(op.has_shape(0), "{}", op.name());
            assert!(Pure::ALL[..at].iter().all(|other| other.name() != op.name()), "{}", op.name());
            let in_place = (0..16).any(|s| s & IN_PLACE != 0 && op.has_shape(s));
            assert_eq!(op.updated().is_some(), in_place, "{}", op.name());
        }
        assert_eq!((shape("vuu"), shape("du"), shape("vud")), (6, 10, 10));
    }
}
