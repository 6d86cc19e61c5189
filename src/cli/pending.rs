//! `pending`: what waits for a decision.

use clap::Args as ClapArgs;
use std::collections::BTreeMap;
use std::path::PathBuf;

use stillframe_frames::review::changes;
use stillframe_frames::run::{CaseRecord, Run, RunFolder, Verb};
use stillframe_frames::store::{Change, LOCK_FILE, Store, patch};

use super::status::{self, Failure};
use super::{Surroundings, accept, former, from, git, json as words, project, stdout};
use crate::harness::Project;

/// List pictures that still need a decision; exit status 5 if there are any
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe pending
  stillframe pending --json
  stillframe pending --patch | git apply    lines of the lock files only")]
pub struct PendingArgs {
    /// Print the changes that accepting everything would make to the lock files
    #[arg(long)]
    pub patch: bool,
    /// Use another run: its folder or a zip file of it [default: the last run]
    #[arg(long, value_name = "RUN")]
    pub from: Option<PathBuf>,
}

pub fn run(args: &PendingArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    let (project, source) = from::open_here(args.from.as_deref())?;
    let store = project::store(&project)?;
    let mut waiting = Vec::new();
    let mut locks = former::Locks::new(&store);
    for record in source.run.records.iter().filter(|record| record.status.is_pending()) {
        // What the references are counts: somebody may have settled it by other means, or taken an accept back.
        let is_rejected = source.run.decision(record) == Some(Verb::Reject);
        if !is_rejected && !locks.is_reference(record)? {
            waiting.push(record);
        }
    }
    if args.patch {
        accept::faultless(&source.run)?;
        print_patch(&project, &store, &source.run, &waiting)?;
    } else {
        waiting.iter().try_for_each(|record| tell(record, surroundings))?;
    }
    if waiting.is_empty() { Ok(()) } else { Err(Failure::Several(status::PENDING)) }
}

fn tell(record: &CaseRecord, surroundings: &Surroundings) -> Result<(), Failure> {
    if surroundings.json.is_some() {
        let value = serde_json::to_value(record).map_err(|error| Failure::Fault(error.to_string()))?;
        return words::line("case/1", value, surroundings);
    }
    stdout::line(&format!("{:<8} {}", record.status.word().to_uppercase(), record.name))
}

/// What accepting would do to the locks, as `git apply` takes it. References of scenes are the software adapter's
/// alone.
fn print_patch(project: &Project, store: &Store, run: &Run, waiting: &[&CaseRecord]) -> Result<(), Failure> {
    let folder = RunFolder::open(&run.folder);
    let mut families: BTreeMap<String, Vec<Change>> = BTreeMap::new();
    let may_be =
        |record: &CaseRecord| record.hash.is_none() || record.adapter.starts_with("soft/") || !record.owner.is_scene();
    for record in waiting.iter().filter(|record| may_be(record)) {
        for change in changes(&folder, record).map_err(|error| Failure::of_write(&run.folder, &error))? {
            families.entry(change.case().0.to_string()).or_default().push(change);
        }
    }
    // Paths of a patch begin at the repository's root.
    let prefix = git::ask(&project.root, &["rev-parse", "--show-prefix"]).unwrap_or_default();
    for (family, changes) in families {
        let mut lock = store.lock(&family).map_err(project::of_store)?;
        for change in changes {
            match change {
                Change::Set { line, .. } => drop(lock.set(line)),
                Change::Remove { name, .. } => drop(lock.remove(&name)),
            }
        }
        let file = project.references().join(&family).join(LOCK_FILE);
        let old = store.lock_text(&family).map_err(project::of_store)?;
        let path = format!("{}{}", prefix.trim(), project.name_of(&file));
        stdout::write(patch(&path, old.as_deref(), &lock).as_bytes())?;
    }
    Ok(())
}
