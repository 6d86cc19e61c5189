//! `bisect`: the pass and the draw where a case's picture begins to differ.

use clap::Args as ClapArgs;
use serde_json::json;
use stillframe_frames::run::{CaseRecord, Run, split_name};
use stillframe_frames::{PassHash, first_difference, parse_passes};

use super::status::{self, Failure};
use super::{Surroundings, from, git, json as words, project, stdout};
use crate::harness::{Listed, Look, Piece, Project};

/// Find the first pass and draw in which a case differs
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe bisect shadow/cascade                  from its reference
  stillframe bisect shadow/cascade --against main   from a commit's scene
  stillframe bisect shadow/cascade --against target/stillframe/runs/000012

Exit status: 0 all passes are the same, 1 some pass differs.")]
pub struct BisectArgs {
    /// Name of the case
    pub name: String,
    /// Compare with a commit or a run's folder [default: the reference]
    #[arg(long, value_name = "REF|RUN")]
    pub against: Option<String>,
}

pub fn run(args: &BisectArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    let project = project::project()?;
    let piece = piece(&project, &args.name)?;
    let new = draws(&project, &piece, surroundings)?;
    let (old, whose) = match &args.against {
        None => (stored(&project, &args.name)?, "the reference".to_string()),
        Some(against) => other(&project, &args.name, against, surroundings)?,
    };
    if old.is_empty() {
        let help =
            "accept the case again, so that its reference has hashes of passes, or use `--against REF`".to_string();
        return Err(Failure::Usage(format!("{}: {whose} has no hashes of passes", args.name), Some(help)));
    }
    let found = first_difference(&old, &new);
    if surroundings.json.is_some() {
        let (pass, draw) = found.clone().map_or((None, None), |(pass, draw)| (Some(pass), draw));
        let fields = json!({ "name": args.name, "against": whose, "same": found.is_none(), "first_pass": pass, "first_draw": draw });
        words::line("bisect/1", fields, surroundings)?;
    } else {
        match &found {
            None => stdout::line(&format!("{}: every pass equals that of {whose}", args.name))?,
            Some((pass, draw)) => {
                stdout::line(&format!("pass {}/{} {}", pass.index + 1, pass.count, pass.name))?;
                match draw {
                    Some(draw) => {
                        stdout::line(&format!("draw {}/{} {}", draw.index + 1, draw.count, draw.name))?;
                        stdout::line(&format!("pipeline {}", draw.pipeline))?;
                    }
                    None => stdout::line(&format!("no draw to name: {whose} has no hashes of draws"))?,
                }
            }
        }
    }
    if found.is_none() { Ok(()) } else { Err(Failure::Several(status::FINDING)) }
}

/// The piece of one case, and that case alone.
pub fn piece(project: &Project, name: &str) -> Result<Piece, Failure> {
    let listed: Vec<Listed> = project::cases(project)?;
    let broken =
        listed.iter().find(|scene| !scene.mistakes.is_empty() && name.starts_with(&scene.pieces[0].cases[0].name));
    if let Some(scene) = broken {
        return Err(Failure::Files { diagnostics: scene.mistakes.clone(), edits: Vec::new() });
    }
    let mut pieces = listed.into_iter().flat_map(|scene| scene.pieces);
    let found = pieces.find(|piece| piece.cases.iter().any(|case| case.name == name));
    let mut piece = found.ok_or_else(|| {
        let help = Some("`stillframe list` lists the cases".to_string());
        Failure::NoMatch(format!("no case `{name}`"), help)
    })?;
    piece.cases.retain(|case| case.name == name);
    Ok(piece)
}

/// Every pass and draw of a case, as it is now.
fn draws(project: &Project, piece: &Piece, surroundings: &Surroundings) -> Result<Vec<PassHash>, Failure> {
    project::with_judge(project, Look::Draws, surroundings, |judge| judge.passes(piece))
}

/// What the reference holds.
fn stored(project: &Project, name: &str) -> Result<Vec<PassHash>, Failure> {
    let (family, behaviour) = split_name(name);
    let store = project::store(project)?;
    let lock = store.lock(family).map_err(project::of_store)?;
    let line = lock.find(behaviour).ok_or_else(|| Failure::NoMatch(format!("{name} has no reference"), None))?;
    let text = store.passes(family, line).map_err(project::of_store)?.unwrap_or_default();
    Ok(parse_passes(&text).unwrap_or_default())
}

/// What a run, a commit's files or another program make of the case.
fn other(
    project: &Project,
    name: &str,
    against: &str,
    surroundings: &Surroundings,
) -> Result<(Vec<PassHash>, String), Failure> {
    let path = std::path::Path::new(against);
    if path.exists() {
        let source = from::open(project, Some(path))?;
        let record =
            source.run.find(name).ok_or_else(|| Failure::NoMatch(format!("{against} has no case `{name}`"), None))?;
        return Ok((of_record(&source.run, record)?, format!("run {}", source.run.header.id)));
    }
    let checkout = git::checkout(&project.root, against)?;
    let there = Project::around(checkout.path())
        .map_err(|diagnostics| Failure::Files { diagnostics, edits: Vec::new() })?
        .ok_or_else(|| Failure::usage(format!("{against} has no stillframe.toml")))?;
    let piece = piece(&there, name)?;
    Ok((draws(&there, &piece, surroundings)?, format!("the scene of {against}")))
}

fn of_record(run: &Run, record: &CaseRecord) -> Result<Vec<PassHash>, Failure> {
    let read = record.passes_root.map(|root| run.passes(root)).transpose();
    let text = read.map_err(|error| Failure::Environment(format!("{}: {error}", run.folder.display())))?;
    Ok(parse_passes(&text.flatten().unwrap_or_default()).unwrap_or_default())
}
