//! `pending`: what waits for a decision.

use super::args::PendingArgs;
use super::status::{self, Failure};
use super::{Surroundings, from, json as words, project, stdout};

pub fn run(args: &PendingArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    let project = project::project()?;
    let source = from::open(&project, args.from.as_deref())?;
    let store = project::store(&project)?;
    let mut count = 0;
    for record in source.run.pending() {
        // Somebody may have settled it by other means since.
        let (family, behaviour) = record.split_name();
        let line = store.lock(family).map_err(project::of_store)?.find(behaviour).cloned();
        if line.as_ref().map(|line| line.pixels) == record.hash {
            continue;
        }
        count += 1;
        if surroundings.json.is_some() {
            let value = serde_json::to_value(record).map_err(|error| Failure::Fault(error.to_string()))?;
            words::line("case/1", value, surroundings)?;
        } else {
            stdout::line(&format!("{:<8} {}", record.status.word().to_uppercase(), record.name))?;
        }
    }
    if count == 0 { Ok(()) } else { Err(Failure::Several(status::PENDING)) }
}
