//! `accept`: pictures of a run become references. Nothing is rendered.

use clap::Args as ClapArgs;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::PathBuf;
use stillframe_frames::run::{CaseRecord, Decision, Run, RunFolder, RunHeader, Status, Verb};
use stillframe_frames::store::Change;
use stillframe_frames::{Filter, review};

use super::from::{self, Source};
use super::status::{self, Failure};
use super::{Surroundings, former, interrupt, json as words, messages, project, stderr, stdout};
use crate::harness::Project;

/// Accept the last run's pictures as references and drop references whose case no longer exists. Does not render
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe accept shadow/cascade
  stillframe accept 'light/*' --reason 'lights fall off by the square now'
  stillframe accept --cluster c2
  stillframe accept --new                           all without a reference
  stillframe accept --all
  stillframe accept --from artifact.zip --all       a run from another machine
  stillframe accept --from decisions.json           saved by the report page")]
pub struct AcceptArgs {
    #[command(flatten)]
    pub which: WhichArgs,
    /// Also accept changed hashes of passes and lists of inputs where the picture is unchanged
    #[arg(long)]
    pub passes: bool,
    /// Reason, kept in the lock line; `stillframe log` shows it
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub reason: String,
}

/// Which of a run's cases.
#[derive(ClapArgs, Debug)]
pub struct WhichArgs {
    /// Select cases by a part of their name, a glob (`shadow/*`), `=NAME`, `re:EXPRESSION` or `tag:WORD`. A case
    /// that matches any of them is selected
    #[arg(required_unless_present_any = ["all", "new", "cluster", "from"])]
    pub filter: Vec<String>,
    /// Select everything that is pending
    #[arg(long, conflicts_with = "filter")]
    pub all: bool,
    /// Select cases that have no reference yet
    #[arg(long, conflicts_with = "all")]
    pub new: bool,
    /// Select all cases of a cluster of the run
    #[arg(long, value_name = "ID", conflicts_with_all = ["filter", "all", "new"])]
    pub cluster: Option<String>,
    /// Use another run: its folder, a zip file of it, or a decisions.json from the report page [default: the last run]
    #[arg(long, value_name = "RUN")]
    pub from: Option<PathBuf>,
}

pub fn run(args: &AcceptArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    interrupt::watch(&surroundings.unfinished);
    let (project, source) = from::open_here(args.which.from.as_deref())?;
    let mut chosen = match chosen(&args.which, &source, Verb::Accept) {
        Err(Failure::NoMatch(..)) if args.passes => Vec::new(),
        other => other?,
    };
    if args.passes {
        chosen.extend(with_other_passes(&args.which, &source)?);
    }
    // With `--all` and `--new`, a case that cannot become a reference does not stop the others.
    let refused = if args.which.all || args.which.new { Refused::LeftOut } else { Refused::StopsAll };
    let taken = match take(&project, &source.run, &chosen, &args.reason, refused, surroundings) {
        some_left_out @ Err(Failure::Several(_)) => some_left_out,
        other => Ok(other?),
    };
    let rejected = said(&source, Verb::Reject);
    if !rejected.is_empty() {
        refuse(&project, &source.run, &rejected, &args.reason, surroundings)?;
    }
    taken
}

/// What a case that cannot become a reference does to those beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// Nothing is accepted.
    StopsAll,
    /// It is reported, and the others are accepted.
    LeftOut,
}

/// Makes the pictures of these records references, as one change.
///
/// Errors: the run has a planted fault; and by `refused` what each record has.
pub fn take(
    project: &Project,
    run: &Run,
    records: &[&CaseRecord],
    reason: &str,
    refused: Refused,
    surroundings: &Surroundings,
) -> Result<(), Failure> {
    faultless(run)?;
    let mut worst = status::OK;
    let mut leave_out = |failure: Failure| match refused {
        // A disk that fails once fails again: half of a decision is none.
        _ if matches!(failure, Failure::Environment(_)) => Err(failure),
        Refused::StopsAll => Err(failure),
        Refused::LeftOut => {
            messages::failure(&failure, surroundings);
            worst = status::worse(worst, failure.status());
            Ok(())
        }
    };
    let store = project::store(project)?;
    let mut locks = former::Locks::new(&store);
    let mut changes: Vec<(usize, Change)> = Vec::new();
    let mut taken: Vec<&CaseRecord> = Vec::new();
    for record in records {
        match self::changes(run, &mut locks, record, reason) {
            Ok(of_record) => {
                changes.extend(of_record.into_iter().map(|change| (taken.len(), change)));
                taken.push(record);
            }
            Err(failure) => leave_out(failure)?,
        }
    }
    let of_taken = |changes: &[(usize, Change)]| changes.iter().map(|(_, change)| change.clone()).collect::<Vec<_>>();
    former::keep(run, &mut locks, &taken)?;
    let accepted = match store.accept(&of_taken(&changes)) {
        Err(error) if refused == Refused::LeftOut && !error.is_environment() => {
            let found = store.refused(&of_taken(&changes));
            if found.is_empty() {
                return Err(project::of_store(error));
            }
            let mut left_out = BTreeMap::new();
            for (at, error) in found {
                left_out.entry(changes[at].0).or_insert(error);
            }
            changes.retain(|(record, _)| !left_out.contains_key(record));
            for (at, error) in left_out.into_iter().rev() {
                leave_out(project::of_case(taken.remove(at), error))?;
            }
            store.accept(&of_taken(&changes)).map_err(project::of_store)?
        }
        other => other.map_err(project::of_store)?,
    };
    decide(run, &taken, Verb::Accept, reason)?;
    tell(&taken, accepted.bytes, surroundings)?;
    if worst == status::OK { Ok(()) } else { Err(Failure::Several(worst)) }
}

fn tell(records: &[&CaseRecord], bytes: u64, surroundings: &Surroundings) -> Result<(), Failure> {
    if surroundings.json.is_some() {
        let names: Vec<&str> = records.iter().map(|record| record.name.as_str()).collect();
        return words::line("accept/1", json!({ "accepted": names, "bytes": bytes }), surroundings);
    }
    records.iter().try_for_each(|record| {
        let verb = if record.status == Status::Gone { "removed " } else { "accepted" };
        let from = record.moved_from.as_ref().map_or(String::new(), |from| format!(" (moved from {from})"));
        stdout::line(&format!("{verb} {}{from}", record.name))
    })
}

/// What accepting a record does to the store. A case that was moved keeps the reason of its reference.
pub fn changes(
    run: &Run,
    locks: &mut former::Locks<'_>,
    record: &CaseRecord,
    reason: &str,
) -> Result<Vec<Change>, Failure> {
    if record.status != Status::Gone {
        canonical(record)?;
    }
    let folder = RunFolder::open(&run.folder);
    let mut reason = reason.trim().to_string();
    if let Some(from) = record.moved_from.as_ref().filter(|_| reason.is_empty()) {
        reason = locks.line(from)?.map_or(reason, |line| line.reason.clone());
    }
    let mut changes = review::changes(&folder, record).map_err(|error| {
        let words = format!("{}: {error}", record.name);
        if is_of_record(&error) { Failure::usage(words) } else { Failure::Environment(words) }
    })?;
    for change in &mut changes {
        if let Change::Set { line, .. } = change {
            line.reason.clone_from(&reason);
        }
    }
    Ok(changes)
}

/// Whether the record or its files are at fault, rather than the disk.
fn is_of_record(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::*;
    matches!(error.kind(), NotFound | InvalidData | InvalidInput | IsADirectory | FileTooLarge | Other)
}

/// Records that pass, and whose passes are not the reference's.
fn with_other_passes<'a>(which: &WhichArgs, source: &'a Source) -> Result<Vec<&'a CaseRecord>, Failure> {
    let filters = project::filters(&which.filter)?;
    let records = source.run.records.iter().filter(|record| record.status == Status::Pass && record.passes_changed);
    Ok(records.filter(|record| Filter::any_matches(&filters, &record.name, &record.tags)).collect())
}

/// What a planted fault draws is wrong on purpose.
pub fn faultless(run: &Run) -> Result<(), Failure> {
    let RunHeader { id, fault, .. } = &run.header;
    if fault.is_empty() {
        return Ok(());
    }
    let help = "run `stillframe test` without `--fault`, then accept that run".to_string();
    Err(Failure::Usage(
        format!("run {id} has the planted fault `{fault}`: its pictures cannot become references"),
        Some(help),
    ))
}

/// References of scenes are made by the software adapter of this program's contract, so that everybody can make them
/// again. Those of a program's tests are made by whatever draws there.
fn canonical(record: &CaseRecord) -> Result<(), Failure> {
    let own = format!("soft/{}", stillframe_soft::PIXEL_CONTRACT);
    if record.adapter == own || !record.owner.is_scene() {
        return Ok(());
    }
    let help =
        "references must come from the software adapter: run `stillframe test` without `--adapter`, then accept that run"
            .to_string();
    Err(Failure::Usage(
        format!("{}: the picture is from adapter {}, not {own}", record.name, record.adapter),
        Some(help),
    ))
}

/// Marks the pictures of these records as wrong. Where one is the reference by now, the former reference comes back.
///
/// Errors: a former reference that is not known any more, and those of the store; nothing is rejected then.
pub fn refuse(
    project: &Project,
    run: &Run,
    records: &[&CaseRecord],
    reason: &str,
    surroundings: &Surroundings,
) -> Result<(), Failure> {
    let store = project::store(project)?;
    let mut locks = former::Locks::new(&store);
    let mut changes = Vec::new();
    let mut is_back = Vec::new();
    for record in records {
        let was_accepted = locks.is_reference(record)?;
        if was_accepted {
            changes.extend(former::way_back(run, record)?);
        }
        is_back.push(was_accepted);
    }
    store.accept(&changes).map_err(project::of_store)?;
    decide(run, records, Verb::Reject, reason)?;
    if surroundings.json.is_some() {
        let names: Vec<&str> = records.iter().map(|record| record.name.as_str()).collect();
        return words::line("reject/1", json!({ "rejected": names }), surroundings);
    }
    records.iter().zip(is_back).try_for_each(|(record, is_back)| {
        let back = if is_back { ", its former reference is back" } else { "" };
        stdout::line(&format!("rejected {}{back}", record.name))
    })
}

/// Writes decisions into the run's folder.
pub fn decide(run: &Run, records: &[&CaseRecord], verb: Verb, reason: &str) -> Result<(), Failure> {
    let decisions: Vec<Decision> = records.iter().map(|record| Decision::new(record, verb, reason)).collect();
    RunFolder::open(&run.folder).decide(&decisions).map_err(|error| Failure::of_write(&run.folder, &error))
}

/// The records that the arguments mean.
pub fn chosen<'a>(which: &WhichArgs, source: &'a Source, verb: Verb) -> Result<Vec<&'a CaseRecord>, Failure> {
    let run = &source.run;
    if run.end.is_none() && !run.header.is_open {
        stderr::note(&format!(
            "run {} is incomplete: {} of {} cases finished",
            run.header.id,
            run.records.len(),
            run.header.case_count
        ));
    }
    let by_page =
        !source.decisions.is_empty() && which.filter.is_empty() && which.cluster.is_none() && !which.all && !which.new;
    let records: Vec<&CaseRecord> = if by_page {
        said(source, verb)
    } else if let Some(id) = &which.cluster {
        let clusters = run.clusters();
        let known = || clusters.iter().map(|cluster| cluster.id.as_str()).collect::<Vec<_>>().join(", ");
        let cluster = clusters.iter().find(|cluster| cluster.id == *id).ok_or_else(|| {
            Failure::Usage(
                format!("run {} has no cluster `{id}`", run.header.id),
                Some(format!("clusters are {}", known())),
            )
        })?;
        run.records.iter().filter(|record| cluster.cases.contains(&record.name)).collect()
    } else {
        let filters = project::filters(&which.filter)?;
        run.records.iter().filter(|record| Filter::any_matches(&filters, &record.name, &record.tags)).collect()
    };
    let fits = |record: &CaseRecord| record.status.is_pending() && (!which.new || record.status == Status::New);
    let fitting: Vec<&CaseRecord> = records.iter().copied().filter(|record| fits(record)).collect();
    // A page may have decided nothing of this kind.
    if fitting.is_empty() && !by_page {
        let others: Vec<String> =
            records.iter().take(3).map(|record| format!("{} ({})", record.name, record.status)).collect();
        let help = (!others.is_empty()).then(|| format!("found: {}", others.join(", ")));
        return Err(Failure::NoMatch("no pending case matches".into(), help));
    }
    Ok(fitting)
}

/// What the page's file says, as far as the run still has these very pictures.
fn said(source: &Source, verb: Verb) -> Vec<&CaseRecord> {
    let meant = source.decisions.iter().filter(|decision| decision.decision == verb);
    meant
        .filter_map(|decision| {
            let record = source.run.find(&decision.name);
            if record.is_none_or(|record| record.hash != decision.hash) {
                stderr::note(&format!("{}: the last run has a different picture; not changed", decision.name));
                return None;
            }
            record
        })
        .collect()
}
