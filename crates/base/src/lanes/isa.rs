//! Isa: which instruction set the kernels run on. Every level gives the same bits; only the speed differs.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

/// Instruction sets that kernels are compiled for. Every level gives the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Isa {
    /// One lane at a time: loops over [`each`](Isa::each) are kept from vectorising. Slow; the witness for the others.
    Scalar,
    /// x86-64's base set.
    Sse2,
    /// SSE up to 4.2 and `popcnt`.
    Sse4,
    /// AVX2 with `bmi1`, `bmi2`, `lzcnt`; never FMA, which would be another result.
    Avx2,
    /// AVX-512 F, BW, DQ, VL, CD.
    Avx512,
    /// AArch64's base set.
    Neon,
}

/// Why a name is not an instruction set to run on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IsaError {
    /// No such name.
    Unknown(String),
    /// A level that this machine cannot run.
    Unavailable(Isa),
}

impl Isa {
    /// Every level, slowest first.
    pub const ALL: [Isa; 6] = [Isa::Scalar, Isa::Sse2, Isa::Sse4, Isa::Avx2, Isa::Avx512, Isa::Neon];

    /// The levels that this machine can run, slowest first.
    pub fn available() -> Vec<Isa> {
        Isa::ALL.into_iter().filter(|isa| isa.is_available()).collect()
    }

    /// The fastest level that this machine can run.
    pub fn detect() -> Isa {
        Isa::ALL.into_iter().rfind(|isa| isa.is_available()).unwrap_or(Isa::Scalar)
    }

    /// Whether this machine can run this level.
    #[inline]
    pub fn is_available(self) -> bool {
        // Asked at each look-up of a kernel, so what std keeps feature by feature is folded into one word, a bit a
        // level.
        static AVAILABLE: OnceLock<u8> = OnceLock::new();
        let available = AVAILABLE
            .get_or_init(|| Isa::ALL.into_iter().fold(0, |bits, isa| bits | u8::from(isa.is_supported()) << isa as u8));
        available >> self as u8 & 1 == 1
    }

    /// Asks the processor for exactly what [`per_isa!`](crate::per_isa) enables.
    fn is_supported(self) -> bool {
        match self {
            Isa::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Isa::Sse2 => true,
            #[cfg(target_arch = "x86_64")]
            Isa::Sse4 => {
                is_x86_feature_detected!("sse3")
                    && is_x86_feature_detected!("ssse3")
                    && is_x86_feature_detected!("sse4.1")
                    && is_x86_feature_detected!("sse4.2")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => {
                Isa::Sse4.is_supported()
                    && is_x86_feature_detected!("avx")
                    && is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("lzcnt")
            }
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => {
                Isa::Avx2.is_supported()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512cd")
            }
            #[cfg(target_arch = "aarch64")]
            Isa::Neon => true,
            _ => false,
        }
    }

    /// The name used by `STILLFRAME_ISA` and `driver_info`.
    pub fn name(self) -> &'static str {
        match self {
            Isa::Scalar => "scalar",
            Isa::Sse2 => "sse2",
            Isa::Sse4 => "sse4",
            Isa::Avx2 => "avx2",
            Isa::Avx512 => "avx512",
            Isa::Neon => "neon",
        }
    }

    /// `0..count` for a kernel compiled for `LEVEL`. At [`Isa::Scalar`] the compiler cannot see the index, so the loop
    /// stays one lane at a time; elsewhere it is the plain range.
    #[inline(always)]
    pub fn each<const LEVEL: u8>(count: usize) -> impl Iterator<Item = usize> {
        (0..count).map(|i| if LEVEL == Isa::Scalar as u8 { std::hint::black_box(i) } else { i })
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Isa {
    type Err = IsaError;

    /// A name of a level that this machine can run; anything else is an error, never silently another level.
    fn from_str(name: &str) -> Result<Isa, IsaError> {
        let isa = Isa::ALL.into_iter().find(|isa| isa.name() == name);
        let isa = isa.ok_or_else(|| IsaError::Unknown(name.to_owned()))?;
        if isa.is_available() { Ok(isa) } else { Err(IsaError::Unavailable(isa)) }
    }
}

impl fmt::Display for IsaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |isas: &[Isa]| isas.iter().map(|isa| isa.name()).collect::<Vec<_>>().join(", ");
        match self {
            IsaError::Unknown(name) => write!(f, "no instruction set `{name}` (one of {})", list(&Isa::ALL)),
            IsaError::Unavailable(isa) => {
                write!(f, "this machine cannot run `{isa}` (it has {})", list(&Isa::available()))
            }
        }
    }
}

impl std::error::Error for IsaError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_or_are_refused() {
        for isa in Isa::ALL {
            let want = if isa.is_available() { Ok(isa) } else { Err(IsaError::Unavailable(isa)) };
            assert_eq!(isa.to_string().parse::<Isa>(), want);
        }
        for name in ["", "AVX2", "avx", "sse", "avx2 "] {
            assert_eq!(name.parse::<Isa>(), Err(IsaError::Unknown(name.to_owned())));
        }
    }

    #[test]
    fn one_architecture_only() {
        let available = Isa::available();
        assert_eq!(available[0], Isa::Scalar);
        assert_eq!(available.last(), Some(&Isa::detect()));
        assert!(!(Isa::Sse2.is_available() && Isa::Neon.is_available()));
        assert!(IsaError::Unknown("x".into()).to_string().contains("scalar, sse2"));
    }

    #[test]
    fn each_visits_all_in_order() {
        assert_eq!(Isa::each::<{ Isa::Scalar as u8 }>(5).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert_eq!(Isa::each::<{ Isa::Avx2 as u8 }>(3).collect::<Vec<_>>(), [0, 1, 2]);
    }
}
