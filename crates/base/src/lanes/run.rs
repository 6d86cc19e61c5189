//! Run: a piece of work, compiled once for every instruction set, for crates that hold no `unsafe` of their own.
//!
//! In: a value that is [`Work`]. Out: what it gives, the same at every level. Beside [`per_isa!`](crate::per_isa): no
//! table of pointers, one call for a large piece of work.

use super::Isa;

/// Something to do at an instruction set.
///
/// `run` and all that it calls must be `#[inline(always)]`, else they are compiled for the base set only.
pub trait Work {
    type Out;
    /// `LEVEL` is the [`Isa`] that this copy is compiled for, as a number.
    fn run<const LEVEL: u8>(self) -> Self::Out;
}

impl Isa {
    /// Does `work` with the instructions of this level. Panics if this machine has none of them.
    ///
    /// ```
    /// use stillframe_base::lanes::{Isa, Work};
    ///
    /// struct Double<'a>(&'a mut [f32]);
    ///
    /// impl Work for Double<'_> {
    ///     type Out = ();
    ///     #[inline(always)]
    ///     fn run<const LEVEL: u8>(self) {
    ///         for i in Isa::each::<LEVEL>(self.0.len()) {
    ///             self.0[i] *= 2.0;
    ///         }
    ///     }
    /// }
    ///
    /// let mut values = [1.0, 2.5];
    /// Isa::detect().run(Double(&mut values));
    /// assert_eq!(values, [2.0, 5.0]);
    /// ```
    #[cfg_attr(
        target_arch = "x86_64",
        expect(unsafe_code, reason = "target-feature twins; the safety rests on the check of `self` alone")
    )]
    pub fn run<W: Work>(self, work: W) -> W::Out {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "sse3,ssse3,sse4.1,sse4.2,popcnt")]
        fn sse4<W: Work>(work: W) -> W::Out {
            work.run::<{ Isa::Sse4 as u8 }>()
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "sse3,ssse3,sse4.1,sse4.2,popcnt,avx,avx2,bmi1,bmi2,lzcnt")]
        fn avx2<W: Work>(work: W) -> W::Out {
            work.run::<{ Isa::Avx2 as u8 }>()
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "sse3,ssse3,sse4.1,sse4.2,popcnt,avx,avx2,bmi1,bmi2,lzcnt")]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
        fn avx512<W: Work>(work: W) -> W::Out {
            work.run::<{ Isa::Avx512 as u8 }>()
        }

        assert!(self.is_available(), "this machine cannot run `{self}` kernels");
        match self {
            #[cfg(target_arch = "x86_64")]
            Isa::Sse2 => work.run::<{ Isa::Sse2 as u8 }>(),
            // SAFETY: these three are unsafe to call only where their target features are missing, and the assertion
            // above says that they are there.
            #[cfg(target_arch = "x86_64")]
            Isa::Sse4 => unsafe { sse4(work) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => unsafe { avx2(work) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => unsafe { avx512(work) },
            #[cfg(target_arch = "aarch64")]
            Isa::Neon => work.run::<{ Isa::Neon as u8 }>(),
            _ => work.run::<{ Isa::Scalar as u8 }>(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Scaled<'a>(&'a [f32], f32);

    impl Work for Scaled<'_> {
        type Out = (u8, Vec<f32>);
        #[inline(always)]
        fn run<const LEVEL: u8>(self) -> (u8, Vec<f32>) {
            (LEVEL, Isa::each::<LEVEL>(self.0.len()).map(|i| self.0[i] * self.1 + 0.1).collect())
        }
    }

    #[test]
    fn each_level_runs_as_itself_and_agrees() {
        let values: Vec<f32> = (0..99).map(|i| i as f32 * 0.37 - 11.0).collect();
        let (_, want) = Isa::Scalar.run(Scaled(&values, 1.7));
        for isa in Isa::available() {
            assert_eq!(isa.run(Scaled(&values, 1.7)), (isa as u8, want.clone()), "{isa}");
        }
    }
}
