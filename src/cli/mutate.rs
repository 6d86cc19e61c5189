//! `mutate`: faults are planted one by one, and the cases that notice each are listed.

use clap::Args as ClapArgs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde_json::json;
use stillframe_frames::Filter;
use stillframe_frames::run::RunFolder;

use super::progress::Count;
use super::status::{self, Failure};
use super::{Surroundings, files, json as words, project, shot, stdout};
use crate::fault::{self, Fault};
use crate::harness::{Judge, Noticed, Piece, Project, Rendering, Score, Setup, score};
use crate::source::{count, did_you_mean};

/// Plant faults in the renderer one by one and list the cases that notice each
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe mutate
  stillframe mutate 'light/*' --fault brdf-without-pi
  stillframe mutate --faults my-faults.toml --json
  stillframe mutate --list

Exit status: 1 if a fault is not noticed by any case.")]
pub struct MutateArgs {
    /// Select cases by a part of their name, a glob (`shadow/*`), `=NAME`, `re:EXPRESSION` or `tag:WORD`. A case
    /// that matches any of them is selected
    pub filter: Vec<String>,
    /// File of your own faults [default: the built-in ones]
    #[arg(long, value_name = "FILE")]
    pub faults: Option<PathBuf>,
    /// Plant only this fault. Can be repeated
    #[arg(long, value_name = "NAME")]
    pub fault: Vec<String>,
    /// List the faults
    #[arg(long)]
    pub list: bool,
}

/// Faults that come with the program.
const FAULTS: &str = include_str!("../../tests/data/faults.toml");

pub fn run(args: &MutateArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    let faults = faults(args.faults.as_deref(), &args.fault)?;
    if args.list {
        return faults
            .iter()
            .try_for_each(|fault| stdout::line(&format!("{:<24} {:<10} {}", fault.name, fault.stage, fault.why)));
    }
    let project = project::project()?;
    let pieces = pieces(&project, &args.filter)?;
    let folder = project.target().join("mutate");
    let run = RunFolder::create(&folder).map_err(|error| Failure::of_write(&folder, &error))?;
    let setup = Setup {
        run: run.path().to_path_buf(),
        known: None,
        rendering: Rendering { models: shot::models_folder(), threads: 1, ..Rendering::default() },
        ..project::setup(&project)
    };
    let told = all(&setup, &pieces, &faults, surroundings);
    let _ = std::fs::remove_dir_all(run.path());
    let score = score(&faults, &told?);
    tell(&faults, &score, pieces.iter().map(|piece| piece.cases.len()).sum(), surroundings)?;
    if score.noticed_count == score.fault_count { Ok(()) } else { Err(Failure::Several(status::FINDING)) }
}

/// The faults of a file, or those that come with the program; only those of these names, if there are some.
pub fn faults(file: Option<&Path>, names: &[String]) -> Result<Vec<Fault>, Failure> {
    let (text, whose) = match file {
        None => (FAULTS.to_string(), "the program's faults".to_string()),
        Some(path) => (files::text(path)?, path.display().to_string()),
    };
    let all = fault::parse(&text).map_err(|message| Failure::usage(format!("{whose}: {message}")))?;
    if names.is_empty() {
        return Ok(all);
    }
    let unknown = names.iter().find(|name| all.iter().all(|fault| fault.name != **name));
    if let Some(name) = unknown {
        let known = all.iter().map(|fault| fault.name.as_str());
        let help = did_you_mean(name, known).map(|near| format!("did you mean `{near}`?"));
        return Err(Failure::Usage(format!("{whose}: no fault `{name}`"), help));
    }
    Ok(all.into_iter().filter(|fault| names.contains(&fault.name)).collect())
}

fn pieces(project: &Project, filter: &[String]) -> Result<Vec<Piece>, Failure> {
    let filters = project::filters(filter)?;
    let mut out = Vec::new();
    for scene in project::cases(project)? {
        if !scene.mistakes.is_empty() {
            return Err(Failure::Files { diagnostics: scene.mistakes, edits: Vec::new() });
        }
        for mut piece in scene.pieces {
            piece.cases.retain(|case| Filter::any_matches(&filters, &case.name, &piece.tags));
            if !piece.cases.is_empty() {
                out.push(piece);
            }
        }
    }
    if out.is_empty() { Err(Failure::NoMatch("no case matched".into(), None)) } else { Ok(out) }
}

/// Every piece with every fault, on all cores; results in the order of pieces.
fn all(
    setup: &Setup,
    pieces: &[Piece],
    faults: &[Fault],
    surroundings: &Surroundings,
) -> Result<Vec<Noticed>, Failure> {
    let workers = std::thread::available_parallelism().map_or(1, |count| count.get()).min(pieces.len());
    let progress = Count::start("scenes", pieces.len(), surroundings);
    let next = Mutex::new(0);
    let told: Mutex<Vec<(usize, Result<Vec<Noticed>, String>)>> = Mutex::new(Vec::new());
    let work = || -> Result<(), Failure> {
        let elapsed_ms = || surroundings.elapsed_ms();
        let mut judge = Judge::new(setup.clone(), &elapsed_ms).map_err(project::of_store)?;
        loop {
            let index = {
                let mut next = next.lock().expect("no holder panics");
                *next += 1;
                *next - 1
            };
            let Some(piece) = pieces.get(index) else { return Ok(()) };
            let noticed = judge.noticed(piece, faults);
            told.lock().expect("no holder panics").push((index, noticed));
            progress.step(0);
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })?;
    progress.end();
    let mut told = told.into_inner().expect("no holder panics");
    told.sort_by_key(|(index, _)| *index);
    let mut out = Vec::new();
    for (index, noticed) in told {
        out.extend(noticed.map_err(|message| Failure::usage(format!("{}: {message}", pieces[index].scene)))?);
    }
    Ok(out)
}

fn tell(faults: &[Fault], score: &Score, case_count: usize, surroundings: &Surroundings) -> Result<(), Failure> {
    let share = 100.0 * score.noticed_count as f64 / score.fault_count.max(1) as f64;
    if surroundings.json.is_some() {
        let mut value = serde_json::to_value(score).map_err(|error| Failure::Fault(error.to_string()))?;
        value["score_percent"] = json!(share);
        value["case_count"] = json!(case_count);
        return words::line("mutate/1", value, surroundings);
    }
    for (fault, (_, by)) in faults.iter().zip(&score.noticed) {
        let who = match by.len() {
            0 => "NOBODY".to_string(),
            1..=3 => by.join(", "),
            count => format!("{} and {} more", by[..2].join(", "), count - 2),
        };
        stdout::line(&format!("{:<24} {:<10} {who}", fault.name, fault.stage))?;
    }
    for (case, steps) in &score.blind_at {
        stdout::line(&format!("{case} alone notices a fault: a tolerance of {steps:.0}/255 would make it blind"))?;
    }
    let cases = count(case_count, "case", "cases");
    stdout::line(&format!(
        "{} of {} faults noticed by {cases}: score {share:.1} %",
        score.noticed_count, score.fault_count
    ))
}
