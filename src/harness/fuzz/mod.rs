//! Fuzz: inputs made from a seed, and laws that must hold whatever the input.
//!
//! In: a seed and a number, or the files of a finding. Out: the input, and whether it broke a law. Never here: the clock,
//! processes, printing. The same seed and number give the same input on every machine.
//!
//! One row of [`TARGETS`] a target: how an input is made and what is checked. An input that breaks a law becomes a
//! [`Finding`], is [`shrink`]ed while it still breaks one of the same kind, and ends as a folder of `tests/data/seeds`.
//! Mutants are faults planted in the checks here, never in shipped code: each must be found, else the fuzzer is blind.
//! (TigerBeetle's fuzzers taught the seed as bug report and the canary; AFL the mutations.)

mod case;
mod import;
pub mod law;
mod mutant;
mod mutate;
mod run;
mod scene;
mod shrink;

use std::path::Path;

use stillframe_base::rng::{Rng, Stream};

pub use case::Case;
pub use mutant::Mutant;
pub use run::{Bench, Finding, Kind, try_case};
pub use shrink::shrink;

/// Something to be fuzzed.
#[derive(Debug)]
pub struct Target {
    pub name: &'static str,
    /// What is tried and what must hold, in one line.
    pub doc: &'static str,
    /// Makes an input.
    make: fn(&mut Stream) -> Case,
    /// Whether the laws hold; else which one does not. `scratch` is a folder to write to.
    check: fn(&Case, &Path, Option<Mutant>) -> Result<(), String>,
    /// Faults of its own checks, beside those that every target has.
    own_mutants: &'static [Mutant],
}

/// Every target.
pub static TARGETS: &[Target] = &[
    Target {
        name: "scene",
        doc: "scene files with their arguments and included files: complaints point into the text, what is printed reads back the same",
        make: scene::make,
        check: scene::check,
        own_mutants: &[Mutant::LostLine, Mutant::Span],
    },
    Target {
        name: "import",
        doc: "model and picture files of every format: what is read keeps every promise to the renderer, small files stay small",
        make: import::make,
        check: import::check,
        own_mutants: &[Mutant::Index, Mutant::NotFinite],
    },
];

impl Target {
    pub fn named(name: &str) -> Option<&'static Target> {
        TARGETS.iter().find(|target| target.name == name)
    }

    /// Input `number` of a seed.
    pub fn case(&self, seed: u64, number: u64) -> Case {
        (self.make)(&mut Rng::new(seed).stream(&format!("fuzz/{}", self.name), number))
    }

    /// The faults that can be planted.
    pub fn mutants(&self) -> impl Iterator<Item = Mutant> {
        Mutant::OF_ALL.iter().chain(self.own_mutants).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_make_equal_inputs() {
        for target in TARGETS {
            let mut distinct = 0;
            for number in 0..50 {
                let case = target.case(7, number);
                assert_eq!(case, target.case(7, number), "{} {number}", target.name);
                distinct += usize::from(case != target.case(8, number));
            }
            assert!(distinct > 40, "{}: {distinct} of 50 inputs differ between seeds", target.name);
        }
    }
}
