//! Target `pose`: blends, deltas, hierarchies and skinned vertices, answered by the jobs of `stillframe-anim` at every
//! instruction set of the machine, beside an oracle in f64. An input is the line that a player is asked.

use std::path::Path;

use stillframe_base::lanes::Isa;
use stillframe_base::rng::{Rng, Stream};
use stillframe_oracle::Choices;
use stillframe_oracle::pose::{self, Limits, Task};

use super::{Case, Mutant};
use crate::posing;

const NAME: &str = "pose.json";

/// Task `number` of a seed, within limits.
pub fn drawn(limits: &Limits, seed: u64, number: u64) -> Task {
    let mut stream = Rng::new(seed).stream("fuzz/pose", number);
    pose::task(&mut Choices::Random(&mut stream), limits)
}

/// A task as an input.
pub fn case_of(task: &Task) -> Case {
    Case::new(NAME, format!("{}\n", posing::line(task, 0)).into_bytes())
}

pub fn make(stream: &mut Stream) -> Case {
    case_of(&pose::task(&mut Choices::Random(stream), &Limits::default()))
}

/// The task that bytes choose.
pub fn of_bytes(bytes: &[u8]) -> Case {
    case_of(&pose::task(&mut Choices::Bytes(bytes), &Limits::default()))
}

pub fn refusal(case: &Case) -> Option<String> {
    posing::read(&String::from_utf8_lossy(&case.bytes)).err()
}

/// Reads a task and judges the answers of the jobs, or that of a program with a planted mistake.
pub fn check(case: &Case, _scratch: &Path, mutant: Option<Mutant>) -> Result<(), String> {
    let Ok(task) = posing::read(&String::from_utf8_lossy(&case.bytes)) else { return Ok(()) };
    let limits = Limits::default();
    if let Some(Mutant::PoseMistake(mistake)) = mutant {
        return pose::judge(&task, &limits, &pose::planted(&task, limits.mean, mistake));
    }
    for isa in Isa::available() {
        if let Some(answer) = pose::own(&task, isa)? {
            pose::judge(&task, &limits, &answer).map_err(|words| format!("{}: {words}", isa.name()))?;
        }
    }
    Ok(())
}

/// The simplest task that is still a finding. None for a text that is no task.
pub fn shrink(case: &Case, tries_max: usize, still: &mut dyn FnMut(&Case) -> bool) -> Option<Case> {
    let whole = posing::read(&String::from_utf8_lossy(&case.bytes)).ok()?;
    if case_of(&whole) != *case && !still(&case_of(&whole)) {
        return None;
    }
    Some(case_of(&pose::shrink(&whole, &Limits::default(), tries_max, |task| still(&case_of(task)))))
}
