//! Per-ISA kernels: one loop body, compiled once for every instruction set.

/// Compiles each function of the list for every instruction set of the target.
///
/// `fn add(out: &mut [f32; N], a: &[f32; N]) { body }` becomes `fn add(isa: Isa) -> fn(&mut [f32; N], &[f32; N])`: the
/// twin for `isa`, as a plain safe function pointer. Look it up once (a table by opcode, one per machine), call it
/// often. `add(isa)` panics if this machine cannot run `isa`: that check is what makes the returned pointer safe.
///
/// Inside the body the constant `LEVEL: u8` is the level it is compiled for (`Isa as u8`). Loops over
/// `Isa::each::<LEVEL>(count)` run one lane at a time at `Isa::Scalar` and vectorise elsewhere. Whatever the body calls
/// must be `#[inline(always)]`, else it is compiled for the base set only.
///
/// Shapes: arguments are names with types, passed as pointers, references, integers or floats; no generics. A reference
/// that is returned must have the lifetime that elision gives it.
///
/// ```
/// use stillframe_base::lanes::{Isa, LANES, per_isa};
///
/// per_isa! {
///     /// `out = a + b`, lane by lane.
///     pub fn add(out: &mut [f32; LANES], a: &[f32; LANES], b: &[f32; LANES]) {
///         for i in Isa::each::<LEVEL>(LANES) {
///             out[i] = a[i] + b[i];
///         }
///     }
/// }
///
/// type Binary = fn(&mut [f32; LANES], &[f32; LANES], &[f32; LANES]);
/// const TABLE: [fn(Isa) -> Binary; 1] = [add];
/// let kernels = TABLE.map(|kernel| kernel(Isa::detect()));
/// let mut out = [0.0; LANES];
/// kernels[0](&mut out, &[1.0; LANES], &[2.0; LANES]);
/// assert_eq!(out, [3.0; LANES]);
/// ```
#[macro_export]
macro_rules! per_isa {
    ($(
        $(#[$meta:meta])*
        $vis:vis fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)? $body:block
    )*) => {$(
        $(#[$meta])*
        #[expect(unsafe_code, reason = "target-feature twins; the safety rests on the check of `isa` alone")]
        $vis fn $name(isa: $crate::lanes::Isa) -> fn($($ty),*) $(-> $ret)? {
            use $crate::lanes::Isa as PerIsa;

            #[inline(always)]
            #[allow(clippy::extra_unused_type_parameters, reason = "a body need not look at its level")]
            fn body<const LEVEL: u8>($($arg: $ty),*) $(-> $ret)? $body

            fn scalar($($arg: $ty),*) $(-> $ret)? {
                body::<{ PerIsa::Scalar as u8 }>($($arg),*)
            }
            #[cfg(target_arch = "x86_64")]
            fn sse2($($arg: $ty),*) $(-> $ret)? {
                body::<{ PerIsa::Sse2 as u8 }>($($arg),*)
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "sse3,ssse3,sse4.1,sse4.2,popcnt")]
            fn sse4($($arg: $ty),*) $(-> $ret)? {
                body::<{ PerIsa::Sse4 as u8 }>($($arg),*)
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "sse3,ssse3,sse4.1,sse4.2,popcnt,avx,avx2,bmi1,bmi2,lzcnt")]
            fn avx2($($arg: $ty),*) $(-> $ret)? {
                body::<{ PerIsa::Avx2 as u8 }>($($arg),*)
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "sse3,ssse3,sse4.1,sse4.2,popcnt,avx,avx2,bmi1,bmi2,lzcnt")]
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
            fn avx512($($arg: $ty),*) $(-> $ret)? {
                body::<{ PerIsa::Avx512 as u8 }>($($arg),*)
            }
            #[cfg(target_arch = "aarch64")]
            fn neon($($arg: $ty),*) $(-> $ret)? {
                body::<{ PerIsa::Neon as u8 }>($($arg),*)
            }

            assert!(isa.is_available(), "this machine cannot run `{isa}` kernels");
            #[cfg(target_arch = "x86_64")]
            {
                let twin: unsafe fn($($ty),*) $(-> $ret)? = match isa {
                    PerIsa::Sse2 => sse2,
                    PerIsa::Sse4 => sse4,
                    PerIsa::Avx2 => avx2,
                    PerIsa::Avx512 => avx512,
                    _ => scalar,
                };
                // SAFETY: a twin is unsafe to call only where its target features are missing, and the assertion above
                // says that they are there. The two pointer types differ in `unsafe` alone; no argument is a vector
                // passed by value, so the features do not change the calling convention.
                unsafe { ::core::mem::transmute::<unsafe fn($($ty),*) $(-> $ret)?, fn($($ty),*) $(-> $ret)?>(twin) }
            }
            #[cfg(target_arch = "aarch64")]
            {
                let twin: unsafe fn($($ty),*) $(-> $ret)? = match isa {
                    PerIsa::Neon => neon,
                    _ => scalar,
                };
                // SAFETY: both twins are safe functions; the detour keeps one shape for all targets.
                unsafe { ::core::mem::transmute::<unsafe fn($($ty),*) $(-> $ret)?, fn($($ty),*) $(-> $ret)?>(twin) }
            }
            #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
            {
                let twin: unsafe fn($($ty),*) $(-> $ret)? = scalar;
                // SAFETY: the twin is a safe function; the detour keeps one shape for all targets.
                unsafe { ::core::mem::transmute::<unsafe fn($($ty),*) $(-> $ret)?, fn($($ty),*) $(-> $ret)?>(twin) }
            }
        }
    )*};
}

#[cfg(test)]
mod tests {
    use crate::lanes::{Isa, LANES};

    per_isa! {
        /// Squares plus one, with a private helper inside.
        fn square_plus(out: &mut [f32; LANES], a: &[f32; LANES], plus: f32) {
            #[inline(always)]
            fn square(x: f32) -> f32 { x * x }
            for i in Isa::each::<LEVEL>(LANES) {
                out[i] = square(a[i]) + plus;
            }
        }
        fn level() -> u8 { LEVEL }
        fn pick(a: &mut [u32], index: usize) -> &mut u32 { &mut a[index] }
    }

    #[test]
    fn each_twin_is_compiled_for_its_level_and_agrees() {
        let mut a = [0.0; LANES];
        for (i, a) in a.iter_mut().enumerate() {
            *a = i as f32 * 0.37 - 11.0;
        }
        let want = a.map(|a| a * a + 0.5);
        for isa in Isa::available() {
            assert_eq!(level(isa)(), isa as u8);
            let mut out = [0.0; LANES];
            square_plus(isa)(&mut out, &a, 0.5);
            assert_eq!(out, want, "{isa}");
            assert_eq!(*pick(isa)(&mut [4, 5, 6], 1), 5);
        }
    }

    #[test]
    fn a_level_of_another_machine_is_refused() {
        for isa in Isa::ALL.into_iter().filter(|isa| !isa.is_available()) {
            assert!(std::panic::catch_unwind(|| level(isa)).is_err(), "{isa}");
        }
    }
}
