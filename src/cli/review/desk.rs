//! Desk: a run under review: what was said of each case, what a decision does, and how it is taken back.
//!
//! Accepting makes a reference at once; undoing it restores the old one.

use std::collections::BTreeMap;
use std::sync::Arc;

use stillframe_frames::run::{CaseRecord, Decision, Run, RunFolder, Verb};

use crate::cli::status::Failure;
use crate::cli::{accept, former, project};
use crate::harness::Project;

/// A run under review.
pub struct Desk {
    project: Project,
    pub run: Arc<Run>,
    /// The last word on each case.
    pub decisions: BTreeMap<String, Decision>,
    /// Grows with every decision.
    pub revision: u64,
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
        let mut locks = former::Locks::new(&store);
        let mut changes = Vec::new();
        let mut accepted = Vec::new();
        for decision in decisions {
            let record = self.record(decision)?;
            // The store knows, whoever it was that accepted: decisions tell only what was said.
            let is_reference = locks.is_reference(record)?;
            match decision.decision {
                Verb::Accept if !is_reference => {
                    changes.extend(accept::changes(&self.run, &mut locks, record, &decision.reason)?);
                    accepted.push(record);
                }
                Verb::Reject if is_reference => changes.extend(former::way_back(&self.run, record)?),
                _ => {}
            }
        }
        former::keep(&self.run, &mut locks, &accepted)?;
        store.accept(&changes).map_err(project::of_store)?;
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
