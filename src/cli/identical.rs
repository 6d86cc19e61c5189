//! `test --identical-to REF`: proof that nothing that is drawn has changed, pass by pass.

use std::collections::BTreeMap;

use stillframe_frames::Lock;
use stillframe_frames::run::{CaseRecord, Run};

use super::status::{self, Failure};
use super::{Surroundings, git, json as words, stdout};
use crate::harness::Project;

/// Compares every picture and every pass of a run with what the locks of a commit say.
pub fn compare(project: &Project, run: &Run, reference: &str, surroundings: &Surroundings) -> Result<(), Failure> {
    let commit = git::ask(&project.root, &["rev-parse", "--short=12", &format!("{reference}^{{commit}}")])?;
    let commit = commit.trim().to_string();
    let mut locks: BTreeMap<String, Lock> = BTreeMap::new();
    let (mut equal, mut targets, mut changed, mut unknown) = (0, 0, Vec::new(), Vec::new());
    for record in &run.records {
        let (family, behaviour) = record.split_name();
        if !locks.contains_key(family) {
            let file = project.name_of(&project.references().join(family).join("frames.lock"));
            let text = git::text_at(&project.root, &commit, &file)?.unwrap_or_default();
            let lock =
                Lock::parse(&text).map_err(|errors| Failure::usage(format!("{commit}:{file}: {}", errors[0])))?;
            locks.insert(family.to_string(), lock);
        }
        match locks[family].find(behaviour) {
            Some(line) if Some(line.pixels) != record.hash => changed.push((record, "the picture")),
            Some(line) if line.passes.is_none() || record.passes_root.is_none() => unknown.push(record),
            Some(line) if line.passes != record.passes_root => changed.push((record, "a pass, but not the picture")),
            Some(_) => {
                equal += 1;
                targets += record.pass_count;
            }
            None => unknown.push(record),
        }
    }
    let adapter = &run.header.adapter;
    let verdict = changed.is_empty() && unknown.is_empty() && equal > 0;
    if surroundings.json.is_some() {
        let names = |records: &[&CaseRecord]| records.iter().map(|r| r.name.clone()).collect::<Vec<_>>();
        let changed: Vec<&CaseRecord> = changed.iter().map(|(record, _)| *record).collect();
        let fields = serde_json::json!({
            "identical": verdict, "commit": commit, "adapter": adapter, "cases": equal, "targets": targets,
            "changed": names(&changed), "unknown": names(&unknown),
        });
        words::line("identical/1", fields, surroundings)?;
    } else {
        for (record, what) in &changed {
            stdout::line(&format!("changed {}: {what}", record.name))?;
        }
        for record in &unknown {
            stdout::line(&format!("unknown {}: {commit} has no hashes of its passes", record.name))?;
        }
        if verdict {
            stdout::line(&format!(
                "identical to {commit}: {equal} cases, {targets} targets, 0 bits changed ({adapter})"
            ))?;
        }
    }
    if verdict { Ok(()) } else { Err(Failure::Several(status::FINDING)) }
}
