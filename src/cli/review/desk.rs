//! Desk: a run under review: what was said of each case, what a decision does, and how it is taken back.
//!
//! Accepting makes a reference at once; undoing it restores the old one.

use std::collections::BTreeMap;
use std::sync::Arc;

use stillframe_frames::run::{CaseRecord, Decision, Run, RunFolder, Status, Verb};
use stillframe_frames::store::{Change, Pixels, Store};

use crate::cli::status::Failure;
use crate::cli::{accept, project};
use crate::harness::Project;

/// A run under review.
pub struct Desk {
    project: Project,
    pub run: Arc<Run>,
    /// The last word on each case.
    pub decisions: BTreeMap<String, Decision>,
    /// Grows with every decision.
    pub revision: u64,
    /// What brings the references back that this review has replaced, by case.
    undo: BTreeMap<String, Change>,
}

impl Desk {
    pub fn new(project: &Project, run: &Run) -> Desk {
        let still_meant =
            |(name, said): (&String, &Decision)| run.find(name).is_some_and(|record| record.hash == said.hash);
        let decisions = run.decisions.iter().filter(|pair| still_meant(*pair));
        Desk {
            project: project.clone(),
            run: Arc::new(run.clone()),
            decisions: decisions.map(|(name, said)| (name.clone(), said.clone())).collect(),
            revision: 1,
            undo: BTreeMap::new(),
        }
    }

    /// Cases that wait, in order.
    pub fn waiting(&self) -> Vec<CaseRecord> {
        let open = |record: &&CaseRecord| record.status.is_pending() && !self.decisions.contains_key(&record.name);
        self.run.records.iter().filter(open).cloned().collect()
    }

    /// Takes decisions: all of them, or none where one cannot be.
    pub fn decide(&mut self, decisions: &[Decision]) -> Result<(), Failure> {
        let store = project::store(&self.project)?;
        let mut changes = Vec::new();
        let mut undo = self.undo.clone();
        for decision in decisions {
            let record = self.record(decision)?;
            // The store knows, whoever it was that accepted: decisions tell only what was said.
            let is_reference = is_reference(&store, record)?;
            match decision.decision {
                Verb::Accept if !is_reference => {
                    undo.insert(record.name.clone(), way_back(&store, record)?);
                    changes.push(accept::change(&self.run, record)?);
                }
                Verb::Reject if is_reference => {
                    let back = undo.remove(&record.name).ok_or_else(|| accepted_before(record))?;
                    changes.push(back);
                }
                _ => {}
            }
        }
        store.accept(&changes).map_err(project::of_store)?;
        self.undo = undo;
        RunFolder::open(&self.run.folder)
            .decide(decisions)
            .map_err(|error| Failure::of_write(&self.run.folder, &error))?;
        for decision in decisions {
            self.decisions.insert(decision.name.clone(), decision.clone());
        }
        self.revision += 1;
        Ok(())
    }

    fn record(&self, decision: &Decision) -> Result<&CaseRecord, Failure> {
        let record = self.run.find(&decision.name).filter(|record| record.status.is_pending());
        let record = record.ok_or_else(|| Failure::usage(format!("{}: not pending", decision.name)))?;
        if record.hash != decision.hash {
            return Err(Failure::usage(format!("{}: the run has a different picture", decision.name)));
        }
        Ok(record)
    }
}

/// Whether the reference is already what accepting the record makes it.
fn is_reference(store: &Store, record: &CaseRecord) -> Result<bool, Failure> {
    let (family, name) = record.split_name();
    let lock = store.lock(family).map_err(project::of_store)?;
    Ok(match lock.find(name) {
        Some(line) if record.status == Status::Damaged && store.check_kept(family, line, None).is_err() => false,
        Some(line) => Some(line.pixels) == record.hash && line.adapter == record.adapter,
        None => record.status == Status::Gone,
    })
}

/// The change that makes a case's reference what it is now.
fn way_back(store: &Store, record: &CaseRecord) -> Result<Change, Failure> {
    let (family, name) = record.split_name();
    let lock = store.lock(family).map_err(project::of_store)?;
    let Some(line) = lock.find(name) else {
        return Ok(Change::Remove { family: family.to_string(), name: name.to_string() });
    };
    // A picture that the store has lost cannot come back; its line can.
    let picture = store.picture(family, line).ok().flatten();
    let passes = store.passes(family, line).ok().flatten();
    Ok(Change::Set {
        family: family.to_string(),
        line: line.clone(),
        pixels: picture.map_or(Pixels::Kept, Pixels::Picture),
        passes,
    })
}

/// A decision must not say other than what the references are.
fn accepted_before(record: &CaseRecord) -> Failure {
    let help = "restore the old reference from version control".to_string();
    Failure::Usage(format!("{}: was accepted before this review started", record.name), Some(help))
}
