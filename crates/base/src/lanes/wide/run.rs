//! Run: a kernel over [`Wide`] vectors, compiled once for every instruction set.

use super::{Wide, scalar::Scalar};
#[cfg(target_arch = "x86_64")]
use super::{avx2::Avx2, avx512::Avx512, sse2::Sse2};
use crate::lanes::Isa;

/// Something to do with vectors of any back end.
///
/// `run` and all that it calls must be `#[inline(always)]`, else they are compiled for the base set only.
pub trait WideWork {
    type Out;
    fn run<W: Wide>(self, wide: W) -> Self::Out;
}

impl Isa {
    /// Does `work` with vectors of this level (`sse4` has those of `sse2`). Panics if this machine has none of them.
    ///
    /// ```
    /// use stillframe_base::lanes::{Isa, ROW, Row, Wide, WideWork};
    ///
    /// struct Double<'a>(&'a mut [Row]);
    ///
    /// impl WideWork for Double<'_> {
    ///     type Out = ();
    ///     #[inline(always)]
    ///     fn run<W: Wide>(self, wide: W) {
    ///         for row in self.0 {
    ///             for part in 0..ROW / W::WIDTH {
    ///                 let value = wide.load(row, wide.each(part));
    ///                 wide.store(value + value, row, wide.each(part));
    ///             }
    ///         }
    ///     }
    /// }
    ///
    /// let mut rows = [Row([1.5; ROW]); 2];
    /// Isa::detect().run_wide(Double(&mut rows));
    /// assert_eq!(rows, [Row([3.0; ROW]); 2]);
    /// ```
    #[expect(
        unsafe_code,
        reason = "target-feature twins and their back ends; the safety rests on the check of `self` alone"
    )]
    pub fn run_wide<K: WideWork>(self, work: K) -> K::Out {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "sse3,ssse3,sse4.1,sse4.2,popcnt")]
        fn sse4<K: WideWork>(work: K) -> K::Out {
            // SAFETY: SSE2 is in x86-64's base set.
            work.run(unsafe { Sse2::new() })
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "sse3,ssse3,sse4.1,sse4.2,popcnt,avx,avx2,bmi1,bmi2,lzcnt")]
        fn avx2<K: WideWork>(work: K) -> K::Out {
            // SAFETY: this function may be called only where there is AVX2.
            work.run(unsafe { Avx2::new() })
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "sse3,ssse3,sse4.1,sse4.2,popcnt,avx,avx2,bmi1,bmi2,lzcnt")]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
        fn avx512<K: WideWork>(work: K) -> K::Out {
            // SAFETY: this function may be called only where there is AVX-512.
            work.run(unsafe { Avx512::new() })
        }

        assert!(self.is_available(), "this machine cannot run `{self}` kernels");
        match self {
            // SAFETY: SSE2 is in x86-64's base set.
            #[cfg(target_arch = "x86_64")]
            Isa::Sse2 => work.run(unsafe { Sse2::new() }),
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
            // SAFETY: NEON is in AArch64's base set.
            #[cfg(target_arch = "aarch64")]
            Isa::Neon => work.run(unsafe { super::neon::Neon::new() }),
            _ => work.run(Scalar),
        }
    }
}
