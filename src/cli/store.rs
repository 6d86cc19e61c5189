//! `store`: the references as a whole.

use clap::{Args as ClapArgs, Subcommand};
use serde_json::json;
use std::path::PathBuf;
use stillframe_frames::store::{Moved, Store, Sweep};

use super::status::{self, Failure};
use super::{Surroundings, json as words, project, stderr, stdout};
use crate::harness::Project;
use crate::source::count;

/// Check, clean up and transfer the store of references
#[derive(ClapArgs, Debug)]
#[command(subcommand_required = true, arg_required_else_help = true, disable_help_subcommand = true)]
pub struct StoreArgs {
    #[command(subcommand)]
    pub command: StoreCommand,
}

#[derive(Subcommand, Debug)]
pub enum StoreCommand {
    /// Decode every picture and compare it with its line in the lock file; exit
    /// status 5 if a picture is missing or broken
    Verify,
    /// Remove pictures that no lock file names
    Gc {
        /// Only list them
        #[arg(long)]
        dry_run: bool,
    },
    /// Print the number of cases, files and bytes
    Stats,
    /// Upload pictures that the object store does not have
    Push,
    /// Download pictures that are missing here
    Pull,
    /// Copy pictures that are missing here from another store
    Copy {
        /// Address of the other store, as in `stillframe.toml`: git, dir:PATH, s3://...
        #[arg(long, value_name = "ADDRESS")]
        from: String,
    },
    /// Write all pictures to a folder, named after their cases
    Export {
        /// Folder to write to
        folder: PathBuf,
    },
}

pub fn run(args: &StoreArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    let project = project::with_references()?;
    let store = project::store(&project)?;
    if store.recovery().is_some() && surroundings.json.is_none() {
        stderr::note("completed an interrupted change");
    }
    match &args.command {
        StoreCommand::Verify => verify(&store, surroundings),
        StoreCommand::Gc { dry_run } => sweep(&store, *dry_run, surroundings),
        StoreCommand::Stats => stats(&store, surroundings),
        StoreCommand::Push => moved("pushed", store.push().map_err(project::of_store)?, surroundings),
        StoreCommand::Pull => moved("pulled", store.pull().map_err(project::of_store)?, surroundings),
        StoreCommand::Copy { from } => {
            let other = other(&project, from)?;
            moved("copied", store.copy_from(&other).map_err(project::of_store)?, surroundings)
        }
        StoreCommand::Export { folder } => {
            let exported = store.export(folder).map_err(project::of_store)?;
            if surroundings.json.is_some() {
                let fields = json!({ "files": exported.files, "missing": exported.missing });
                return words::line("store-export/1", fields, surroundings);
            }
            exported.missing.iter().for_each(|case| stderr::note(&format!("{case}: the store has no picture")));
            stdout::line(&format!("{} in {}", count(exported.files, "file", "files"), folder.display()))
        }
    }
}

/// Another store of the same references.
fn other(project: &Project, address: &str) -> Result<Store, Failure> {
    let mut elsewhere = project.clone();
    elsewhere.config.store = address.into();
    project::store(&elsewhere)
}

fn moved(word: &str, moved: Moved, surroundings: &Surroundings) -> Result<(), Failure> {
    if surroundings.json.is_some() {
        let Moved { files, bytes, known, ref missing } = moved;
        let fields = json!({ "what": word, "files": files, "bytes": bytes, "known": known, "missing": missing });
        words::line("store-moved/1", fields, surroundings)?;
    } else {
        moved.missing.iter().for_each(|case| stderr::note(&format!("{case}: no picture here or in the other store")));
        let files = count(moved.files, "file", "files");
        stdout::line(&format!("{word} {files}, {} bytes; {} already there", moved.bytes, moved.known))?;
    }
    if moved.missing.is_empty() { Ok(()) } else { Err(Failure::Several(status::PENDING)) }
}

fn verify(store: &Store, surroundings: &Surroundings) -> Result<(), Failure> {
    let verified = store.verify().map_err(project::of_store)?;
    for finding in &verified.findings {
        if surroundings.json.is_some() {
            let (kind, fault) = (finding.kind.name(), finding.kind.is_fault());
            let fields = json!({ "kind": kind, "fault": fault, "case": finding.case, "message": finding.message });
            words::line("store-finding/1", fields, surroundings)?;
        } else {
            stdout::line(&finding.to_string())?;
        }
    }
    if surroundings.json.is_some() {
        let fields = json!({ "whole": verified.is_whole(), "cases": verified.cases, "files": verified.files });
        words::line("store-verify/1", fields, surroundings)?;
    } else {
        let word = if verified.is_whole() { "whole" } else { "not whole" };
        let cases = count(verified.cases, "case", "cases");
        stdout::line(&format!("{word}: {cases}, {} looked at", count(verified.files, "file", "files")))?;
    }
    if verified.is_whole() { Ok(()) } else { Err(Failure::Several(status::PENDING)) }
}

fn sweep(store: &Store, is_dry_run: bool, surroundings: &Surroundings) -> Result<(), Failure> {
    let dead = store.sweep(&Sweep { is_dry_run, ..Sweep::default() }).map_err(project::of_store)?;
    for file in &dead {
        let path = file.place.to_string();
        if surroundings.json.is_some() {
            let fields = json!({ "file": path, "bytes": file.bytes, "removed": !is_dry_run });
            words::line("store-gc/1", fields, surroundings)?;
        } else {
            stdout::line(&format!("{} {path}", if is_dry_run { "dead   " } else { "removed" }))?;
        }
    }
    if surroundings.json.is_none() {
        let bytes: u64 = dead.iter().map(|file| file.bytes).sum();
        stdout::line(&format!("{}, {bytes} bytes", count(dead.len(), "file", "files")))?;
    }
    Ok(())
}

fn stats(store: &Store, surroundings: &Surroundings) -> Result<(), Failure> {
    let stats = store.stats().map_err(project::of_store)?;
    if surroundings.json.is_some() {
        let families = stats.families.iter().map(|of| {
            json!({ "family": of.family, "cases": of.cases, "files": of.files, "bytes": of.bytes, "missing": of.missing })
        });
        let families: Vec<_> = families.collect();
        let fields = json!({ "cases": stats.cases, "files": stats.files, "bytes": stats.bytes, "families": families });
        return words::line("store-stats/1", fields, surroundings);
    }
    stdout::line(&format!("{:<24} {:>6} {:>6} {:>12}", "family", "cases", "files", "bytes"))?;
    for of in &stats.families {
        let missing = if of.missing > 0 { format!("  {} missing", of.missing) } else { String::new() };
        let family = if of.family.is_empty() { "." } else { &of.family };
        stdout::line(&format!("{family:<24} {:>6} {:>6} {:>12}{missing}", of.cases, of.files, of.bytes))?;
    }
    stdout::line(&format!("{:<24} {:>6} {:>6} {:>12}", "all", stats.cases, stats.files, stats.bytes))
}
