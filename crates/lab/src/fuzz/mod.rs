//! Fuzz: inputs made from a seed, and laws that must hold whatever the input.
//!
//! In: a seed and a number, or the files of a finding. Out: the input, and whether it broke a law. Never here: the
//! clock, processes, printing. The same seed and number give the same input on every machine.
//!
//! One row of [`TARGETS`] a target: how an input is made and what is checked. An input that breaks a law becomes a
//! [`Finding`], is made small while it still breaks one of the same kind, and ends as a folder of `tests/data/seeds`.
//! Mutants are faults planted in the checks here, never in shipped code: each must be found, else the fuzzer is blind.
//! (TigerBeetle's fuzzers taught the seed as bug report and the canary; AFL the mutations.)

mod case;
mod clip;
mod graph;
mod import;
pub mod law;
mod materialx;
mod mutant;
mod mutate;
pub mod pose;
mod run;
mod scene;
mod shrink;
pub mod time;

use std::path::Path;

use stillframe_base::rng::{Rng, Stream};

pub use case::Case;
pub use mutant::Mutant;
pub use run::{Bench, Finding, Kind, try_case};
use shrink::shrink;

/// Random bytes that are an input: enough for most.
const BYTES: usize = 256;

/// As [`shrink()`], for what has parts.
pub type OwnShrink = fn(&Case, usize, &mut dyn FnMut(&Case) -> bool) -> Option<Case>;

/// Something to be fuzzed.
#[derive(Debug)]
pub struct Target {
    pub name: &'static str,
    /// What is tried and what must hold, in one line.
    pub doc: &'static str,
    /// Makes an input.
    pub make: fn(&mut Stream) -> Case,
    /// Whether the laws hold; else which one does not. `scratch` is a folder to write to.
    pub check: fn(&Case, &Path, Option<Mutant>) -> Result<(), String>,
    /// The input that bytes of another fuzzer mean.
    pub of_bytes: fn(&[u8]) -> Case,
    /// Why nothing of an input was tried beyond reading it; `None` where any input is one.
    pub refusal: Option<fn(&Case) -> Option<String>>,
    /// Bytes that mean an input; `None` where any bytes mean one, so that random ones will do.
    pub to_bytes: Option<fn(&Case) -> Vec<u8>>,
    /// Makes an input small in its own way; `None` where that is not possible. Without it only bytes are taken away.
    pub own_shrink: Option<OwnShrink>,
    /// Faults of its own checks, beside those that every target has.
    pub own_mutants: &'static [Mutant],
}

/// Every target that draws nothing.
pub static TARGETS: &[Target] = &[
    Target {
        name: "scene",
        doc: "scene files with arguments and includes: diagnostics and printed scenes",
        make: scene::make,
        check: scene::check,
        of_bytes: scene::of_bytes,
        refusal: None,
        to_bytes: Some(|case| case.bytes.clone()),
        own_shrink: None,
        own_mutants: &[Mutant::LostLine, Mutant::Span],
    },
    Target {
        name: "import",
        doc: "model and picture files of all formats: valid results, bounded memory",
        make: import::make,
        check: import::check,
        of_bytes: import::of_bytes,
        refusal: None,
        to_bytes: Some(import::to_bytes),
        own_shrink: None,
        own_mutants: &[Mutant::Index, Mutant::NotFinite],
    },
    Target {
        name: "time",
        doc: "time-control scripts: events, ends and positions equal an exact oracle's",
        make: time::make,
        check: time::check,
        of_bytes: time::of_bytes,
        refusal: Some(time::refusal),
        to_bytes: None,
        own_shrink: Some(time::shrink),
        own_mutants: &Mutant::MISTAKES,
    },
    Target {
        name: "clip",
        doc: "keys, curves, skeletons and clips: rejected, or equal to a slow sampler",
        make: clip::make,
        check: clip::check,
        of_bytes: clip::of_bytes,
        refusal: None,
        to_bytes: None,
        own_shrink: None,
        own_mutants: &Mutant::CLIP_MISTAKES,
    },
    Target {
        name: "graph",
        doc: "pose graphs: clocks, fades, events and poses equal a slow model's",
        make: graph::make,
        check: graph::check,
        of_bytes: graph::of_bytes,
        refusal: Some(graph::refusal),
        to_bytes: None,
        own_shrink: Some(graph::shrink),
        own_mutants: &Mutant::GRAPH_MISTAKES,
    },
    Target {
        name: "pose",
        doc: "blends, hierarchies and skinned vertices: equal to an oracle in f64",
        make: pose::make,
        check: pose::check,
        of_bytes: pose::of_bytes,
        refusal: Some(pose::refusal),
        to_bytes: None,
        own_shrink: Some(pose::shrink),
        own_mutants: &Mutant::POSE_MISTAKES,
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

    /// The input that bytes mean which another fuzzer has made.
    pub fn case_of_bytes(&self, bytes: &[u8]) -> Case {
        (self.of_bytes)(bytes)
    }

    /// Why nothing of an input was tried but that it is refused. For whoever has a file of his own tried: the laws hold
    /// of it then, but say nothing.
    pub fn refusal(&self, case: &Case) -> Option<String> {
        self.refusal.and_then(|refusal| refusal(case))
    }

    /// Bytes for another fuzzer to begin with: input `number` of a seed, without what lies beside it.
    pub fn bytes(&self, seed: u64, number: u64) -> Vec<u8> {
        match self.to_bytes {
            Some(to_bytes) => to_bytes(&self.case(seed, number)),
            None => {
                let mut stream = Rng::new(seed).stream(&format!("fuzz/{}/bytes", self.name), number);
                mutate::noise(&mut stream, BYTES)
            }
        }
    }

    /// The smallest case found that `still` holds for, which is asked at most `tries_max` times; `case` itself must
    /// hold.
    pub fn shrink(&self, case: &Case, tries_max: usize, still: &mut dyn FnMut(&Case) -> bool) -> Case {
        let own = self.own_shrink.and_then(|own| own(case, tries_max, still));
        own.unwrap_or_else(|| shrink(case, tries_max, still))
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
