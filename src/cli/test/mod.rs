//! `test`: every case is rendered, compared by hash, and what fails is explained.

mod args;
mod base;
mod choose;
mod keep;
pub mod output;
mod shared;
mod worker;
mod workers;

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::json;
use stillframe_base::par::Pool;
use stillframe_frames::report::quoted;
use stillframe_frames::run::{
    CaseRecord, Run, RunEnd, RunFolder, RunHeader, Status, Tally, clusters, pair_moved, worst_exit_status,
};
use stillframe_frames::{Filter, Lock};

use super::progress::Count;
use super::status::{self, Failure};
use super::{Surroundings, identical, json as words, project, shot, stderr};
use crate::harness::{Known, Listed, Look, Piece, Project, Rendering, Repeats, Setup};
use crate::take::AdapterChoice;
use args::LookWord;
pub use args::TestArgs;
use base::Base;

pub fn run(args: &TestArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    if args.worker {
        return worker::run(surroundings);
    }
    let project = project::with_scenes()?;
    let listed = if project.is_marked() { project::cases(&project)? } else { Vec::new() };
    let mut chosen = choose::choose(args, &project, &listed)?;
    tell_others(&chosen, surroundings);
    if chosen.tasks.is_empty() && chosen.records.is_empty() {
        return nothing(args, &chosen);
    }
    let unwritable = |error: std::io::Error| Failure::of_write(&project.runs(), &error);
    let in_use = keep::InUse::take(&project.runs()).map_err(unwritable)?;
    let folder = RunFolder::create(&project.runs()).map_err(unwritable)?;
    let setup = setup(args, &project, &folder)?;
    let case_count = chosen.tasks.iter().map(|task| task.piece.cases.len()).sum::<usize>() + chosen.records.len();
    let header = RunHeader {
        id: folder.id(),
        command: std::env::args().skip(1).collect(),
        adapter: adapter_identity(&setup),
        commit: super::git::commit(&project.root).unwrap_or_default(),
        partition: chosen.partition.map_or(String::new(), |partition| partition.to_string()),
        fault: args.fault.clone().unwrap_or_default(),
        store: project.config.store.clone(),
        case_count: case_count as u32,
        ..RunHeader::default()
    };
    write_line(&folder, "run/1", &header)?;
    keep_gone(&mut chosen.records, &project, &folder)?;
    let base = args.base.as_ref().map(|word| Base::open(&project, word)).transpose()?;
    let shared = shared::fetch(&project, &setup, &chosen.tasks);
    let done = all(args, chosen, base.as_ref(), &folder, &setup, case_count, surroundings)?;
    if let Some(shared) = shared {
        shared.add();
    }
    let run = finish(&folder, done, surroundings)?;
    let page = output::files(args, &run, surroundings)?;
    output::summary(&run, page.as_deref(), surroundings)?;
    // Old runs go only once there is a new one.
    in_use.prune(folder.path(), project.config.kept_runs).map_err(unwritable)?;
    if let Some(reference) = &args.identical_to {
        return identical::compare(&project, &run, reference, surroundings);
    }
    let end = run.end.as_ref().expect("written above");
    if end.exit_status == status::OK { Ok(()) } else { Err(Failure::Several(end.exit_status)) }
}

/// What goes is looked at before: the reference's picture joins the run, where this machine has it.
fn keep_gone(records: &mut [CaseRecord], project: &Project, folder: &RunFolder) -> Result<(), Failure> {
    if records.iter().all(|record| record.status != Status::Gone) {
        return Ok(());
    }
    let store = project::store(project)?;
    let mut locks: BTreeMap<String, Lock> = BTreeMap::new();
    for record in records.iter_mut().filter(|record| record.status == Status::Gone) {
        let (family, name) = record.split_name();
        if !locks.contains_key(family) {
            locks.insert(family.to_string(), store.lock(family).map_err(project::of_store)?);
        }
        let Some(line) = locks[family].find(name) else { continue };
        let picture = store.picture(family, line);
        (record.want, record.size_px) = (Some(line.pixels), [line.width_px, line.height_px]);
        record.format = line.format.to_string();
        let picture = picture.unwrap_or_else(|error| {
            record.add_message(&format!("cannot show the reference: {error}"));
            None
        });
        let Some(picture) = picture else { continue };
        let kept = folder.keep(&picture, &Pool::new(1)).map_err(|error| Failure::of_write(folder.path(), &error))?;
        record.old_picture = Some(kept);
    }
    Ok(())
}

/// References that are none of this command's business.
fn tell_others(chosen: &choose::Chosen, surroundings: &Surroundings) {
    let count = chosen.of_tests;
    if count > 0 && !surroundings.quiet && surroundings.json.is_none() {
        let (verb, references) = if count == 1 { ("belongs", "reference") } else { ("belong", "references") };
        stderr::note(&format!("{count} {references} {verb} to tests of a program: `cargo test` compares them"));
    }
}

/// No case matched: a failure of its own.
fn nothing(args: &TestArgs, chosen: &choose::Chosen) -> Result<(), Failure> {
    if chosen.excused || args.no_tests == args::NoTests::Pass {
        stderr::note("0 passed, 0 failed, 0 skipped");
        return Ok(());
    }
    stderr::note("no test matched (use `--no-tests=pass` to allow this)");
    Err(Failure::Several(status::NO_TESTS))
}

/// Everything that is judged, in the order in which it ended.
struct Done {
    records: Vec<CaseRecord>,
    /// Cases that were not begun, since enough had failed.
    left_out: usize,
    /// Whether all that is run has ended.
    is_over: bool,
}

fn all(
    args: &TestArgs,
    chosen: choose::Chosen,
    base: Option<&Base>,
    folder: &RunFolder,
    setup: &Setup,
    case_count: usize,
    surroundings: &Surroundings,
) -> Result<Done, Failure> {
    let failures_max = if args.fail_fast { Some(1) } else { args.max_failures };
    let progress = Count::start("cases", case_count, surroundings);
    let mut done = Done { records: Vec::new(), left_out: 0, is_over: false };
    let mut failed = 0;
    let mut trouble = None;
    let pieces: Vec<Piece> = match base {
        Some(_) => chosen.tasks.iter().map(|task| task.piece.clone()).collect(),
        None => Vec::new(),
    };
    // A new case can be a gone one under another name, so both are printed last.
    let (mut held, others): (Vec<_>, Vec<_>) =
        chosen.records.into_iter().partition(|record| record.status == Status::Gone);
    failed += held.len() as u32;
    let may_be_moved = |record: &CaseRecord, held: &[CaseRecord]| record.status == Status::New && !held.is_empty();
    let mut take = |of_piece: Vec<CaseRecord>, done: &mut Done, held: &mut Vec<CaseRecord>| {
        for mut record in of_piece {
            if may_be_moved(&record, held) {
                failed += 1;
                progress.step(failed);
                held.push(record);
                continue;
            }
            if let Some(base) = base
                && let Err(failure) = base.show_old(&mut record, &pieces, setup, surroundings)
            {
                trouble.get_or_insert(failure);
            }
            let is_held = matches!(record.status, Status::Gone | Status::Moved | Status::New) && done.is_over;
            if record.status.is_failure() && !is_held {
                failed += 1;
            }
            if !is_held {
                progress.step(failed);
            }
            output::as_it_ends(&record, &progress, surroundings);
            if let Err(failure) = write_line(folder, "case/1", &record) {
                trouble.get_or_insert(failure);
            }
            done.records.push(record);
        }
        trouble.is_none() && failures_max.is_none_or(|most| failed < most)
    };
    take(others, &mut done, &mut held);
    let jobs = jobs(args, chosen.tasks.len());
    workers::run(chosen.tasks, jobs, setup, &mut |of_piece| take(of_piece, &mut done, &mut held));
    pair_moved(&mut held);
    done.is_over = true;
    take(std::mem::take(&mut held), &mut done, &mut held);
    progress.end();
    let moved = done.records.iter().filter(|record| record.moved_from.is_some()).count();
    done.left_out = case_count - done.records.len() - moved;
    match trouble {
        Some(failure) => Err(failure),
        None => Ok(done),
    }
}

/// Workers: one per core, at most one per task.
fn jobs(args: &TestArgs, tasks: usize) -> u32 {
    let cores = std::thread::available_parallelism().map_or(1, |count| count.get());
    args.jobs.unwrap_or(cores as u32).clamp(1, tasks.max(1) as u32)
}

/// Writes the end, and reads the run as everybody else will.
fn finish(folder: &RunFolder, done: Done, surroundings: &Surroundings) -> Result<Run, Failure> {
    let mut records = done.records;
    records.sort_by(|a, b| a.name.cmp(&b.name));
    let clusters = clusters(&mut records);
    let tally = Tally::of(records.iter().map(|record| record.status));
    let tally = Tally { skipped: tally.skipped + done.left_out as u32, ..tally };
    let mut exit_status = worst_exit_status(records.iter().map(|record| record.status.exit_status()));
    if done.left_out > 0 {
        stderr::note(&format!("{} cases were not run: too many failures", done.left_out));
        exit_status = worst_exit_status([exit_status, status::FINDING]);
    }
    let wall_ms = surroundings.elapsed_ms();
    write_line(folder, "run-end/1", &RunEnd { tally, exit_status, wall_ms, clusters })?;
    Run::read(folder.path()).map_err(|error| Failure::Environment(error.to_string()))
}

fn write_line(folder: &RunFolder, schema: &str, value: &impl serde::Serialize) -> Result<(), Failure> {
    let value = serde_json::to_value(value).map_err(|error| Failure::Fault(error.to_string()))?;
    let line = words::text(schema, &value);
    folder.add_lines(&format!("{line}\n")).map_err(|error| Failure::of_write(folder.path(), &error))
}

fn setup(args: &TestArgs, project: &Project, folder: &RunFolder) -> Result<Setup, Failure> {
    let cores = std::thread::available_parallelism().map_or(1, |count| count.get());
    let mut command = "stillframe test".to_string();
    let native = match &args.adapter {
        AdapterChoice::Soft => None,
        AdapterChoice::Native(part) => Some(part.clone().unwrap_or_default()),
    };
    if let Some(part) = &native {
        command += &if part.is_empty() {
            " --adapter native".into()
        } else {
            format!(" --adapter {}", quoted(&format!("native:{part}")))
        };
    }
    if args.strict {
        command += " --strict";
    }
    // Repeating a failure must render it again.
    command += " --no-cache";
    let plain = project::setup(project);
    let known = plain.known.filter(|_| args.fault.is_none());
    Ok(Setup {
        run: folder.path().to_path_buf(),
        known: known.map(|known| Known { distrust: args.no_cache, ..known }),
        rendering: Rendering {
            models: shot::models_folder(),
            native,
            threads: (cores / args.jobs.map_or(cores, |jobs| jobs as usize).max(1)).max(1),
            look: match args.capture {
                LookWord::Passes => Look::Passes,
                LookWord::Draws => Look::Draws,
                LookWord::Off => Look::Off,
            },
            fault: match &args.fault {
                Some(name) => super::mutate::faults(None, std::slice::from_ref(name))?.pop(),
                None => None,
            },
        },
        strict: args.strict,
        repeats: repeats(args),
        command,
        ..plain
    })
}

fn adapter_identity(setup: &Setup) -> String {
    match &setup.rendering.native {
        None => format!("soft/{}", stillframe_soft::PIXEL_CONTRACT),
        Some(part) => format!("native:{part}"),
    }
}

fn repeats(args: &TestArgs) -> Repeats {
    Repeats { audit: args.audit, via: args.via.clone(), count: args.repeat_each }
}

/// How long a piece may take.
fn timeout(args: &TestArgs, project: &Project, case_count: usize) -> Duration {
    let pictures = case_count.max(1) as f64 * f64::from(repeats(args).pictures_max());
    Duration::from_secs_f64(args.timeout.unwrap_or(project.config.timeout_s) * pictures)
}

/// The listed cases whose names and tags the filters choose, for other commands.
pub fn names(listed: &[Listed], filters: &[Filter]) -> Vec<serde_json::Value> {
    let mut out = Vec::new();
    for scene in listed {
        for piece in &scene.pieces {
            for case in &piece.cases {
                if Filter::any_matches(filters, &case.name, &piece.tags) {
                    out.push(json!({
                        "name": case.name,
                        "scene": piece.scene,
                        "aov": case.aov,
                        "edits": piece.edits,
                        "tags": piece.tags,
                        "why": piece.why,
                        "mistakes": scene.mistakes.len(),
                    }));
                }
            }
        }
    }
    out
}

/// Names of a run's failures.
pub fn failed_names(run: &Run) -> Vec<String> {
    let failed = run.records.iter().filter(|record| record.status.is_failure() && record.status != Status::Gone);
    failed.map(|record| record.name.clone()).collect()
}
