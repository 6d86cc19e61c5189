//! `fuzz`: inputs made from a seed, tried in a process of their own.
//!
//! The child tries inputs and says before each which one it is; the parent holds the clock. So an input that hangs,
//! fills the stack or the memory is a finding like any other, and the inputs behind it are tried all the same.

mod child;
mod work;

use clap::Args as ClapArgs;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;
use stillframe_frames::report::quoted;

use super::status::{self, Failure};
use super::values::{minutes, timeout};
use super::{Surroundings, clock, json as words, stderr, stdout};
use stillframe_lab::fuzz::{Case, Finding, Kind, Mutant, TARGETS, Target};

/// Fuzz the readers and the animation player with generated input and report failures
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe fuzz --list
  stillframe fuzz import --seed 7 --minutes 5
  stillframe fuzz time --runs 1000             scripts of time control
  stillframe fuzz import --replay model.glb    a finding, or any file

The last line is `fuzz TARGET: N inputs, N findings`.
Exit status: 0 no finding, 1 a finding.")]
pub struct FuzzArgs {
    /// What to fuzz; --list prints the targets
    #[arg(required_unless_present = "list")]
    pub target: Option<String>,
    /// Seed of the inputs; the same seed gives the same inputs on every machine
    #[arg(long, value_name = "N", default_value = "0")]
    pub seed: u64,
    /// Number of inputs [default: 1000, or as many as --minutes allows]
    #[arg(long, value_name = "N")]
    pub runs: Option<u64>,
    /// Stop after this many minutes
    #[arg(long, value_name = "M", value_parser = minutes)]
    pub minutes: Option<f64>,
    /// Run the input of a finding again, together with the files next to it
    #[arg(long, value_name = "FILE")]
    pub replay: Option<PathBuf>,
    /// List the targets and their mutants
    #[arg(long)]
    pub list: bool,
    /// Plant a known mistake, which the fuzzer must find
    #[arg(long, value_name = "NAME")]
    pub mutant: Option<String>,
    /// Seconds after which an input counts as hanging
    #[arg(long, value_name = "S", default_value = "10", value_parser = timeout)]
    pub timeout: f64,
    /// Folder for findings
    #[arg(short, long, value_name = "FOLDER", default_value = "target/stillframe/fuzz")]
    pub output: PathBuf,
    /// Write the inputs to this folder, as bytes for another fuzzer, instead of running them
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["replay", "mutant", "minutes"])]
    pub corpus: Option<PathBuf>,
    /// Run as the process that tries inputs, writing to this folder
    #[arg(long, value_name = "FOLDER", hide = true)]
    pub worker: Option<PathBuf>,
    /// First input to run
    #[arg(long, value_name = "N", default_value = "0", hide = true)]
    pub from: u64,
}

/// Different findings after which a run ends.
const FINDINGS_MAX: usize = 10;
/// Inputs of a run that says neither how many nor how long.
const RUNS: u64 = 1000;
const SHRINK_TRIES_MAX: usize = 3000;
const SHRINK_TIME: Duration = Duration::from_secs(20);

/// A finding, and the file of its input.
struct Told {
    finding: Finding,
    number: u64,
    /// Inputs that broke the same.
    count: usize,
    file: PathBuf,
    size_bytes: usize,
}

pub fn run(args: &FuzzArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    if args.list {
        return list(surroundings.json.is_some());
    }
    let name = args.target.as_deref().unwrap_or_default();
    let target = Target::named(name).ok_or_else(|| {
        let known: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        Failure::Usage(format!("unknown target `{name}`"), Some(format!("targets are {}", known.join(", "))))
    })?;
    let mutant = args.mutant.as_deref().map(|name| mutant(target, name)).transpose()?;
    if let Some(scratch) = &args.worker {
        return work::run(target, args, mutant, scratch, surroundings.heap);
    }
    if let Some(folder) = &args.corpus {
        return corpus(target, args, folder);
    }
    let scratch = std::env::temp_dir().join(format!("stillframe-fuzz-{}", std::process::id()));
    fs::create_dir_all(&scratch).map_err(|error| Failure::of_write(&scratch, &error))?;
    let outcome = try_all(target, args, &scratch, surroundings);
    let _ = fs::remove_dir_all(&scratch);
    let (inputs, found) = outcome?;
    tell(target, args, inputs, &found, surroundings.json.is_some())?;
    if found.is_empty() {
        if args.mutant.is_some() {
            stderr::note("the planted mutant was not found");
        }
        return Ok(());
    }
    Err(Failure::Several(status::FINDING))
}

/// Writes inputs as the bytes that mean them to another fuzzer, each named by its number.
fn corpus(target: &Target, args: &FuzzArgs, folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| Failure::of_write(folder, &error))?;
    let runs = args.runs.unwrap_or(RUNS);
    for number in 0..runs {
        let file = folder.join(format!("{}-{number}", args.seed));
        let bytes = target.bytes(args.seed, number);
        fs::write(&file, bytes).map_err(|error| Failure::of_write(&file, &error))?;
    }
    stdout::line(&format!("fuzz {}: {runs} inputs in {}", target.name, folder.display()))
}

fn mutant(target: &Target, name: &str) -> Result<Mutant, Failure> {
    let known: Vec<&str> = target.mutants().map(|mutant| mutant.row().0).collect();
    target.mutants().find(|mutant| mutant.row().0 == name).ok_or_else(|| {
        let help = format!("targets are {}", known.join(", "));
        Failure::Usage(format!("target `{}` has no mutant `{name}`", target.name), Some(help))
    })
}

fn list(as_json: bool) -> Result<(), Failure> {
    if as_json {
        let mutants = |target: &Target| -> Vec<_> {
            target.mutants().map(|m| json!({ "name": m.row().0, "doc": m.row().1 })).collect()
        };
        let row = |t: &Target| json!({ "name": t.name, "doc": t.doc, "mutants": mutants(t) });
        let rows: Vec<_> = TARGETS.iter().map(row).collect();
        let document = words::document("fuzz-targets/1", json!({ "targets": rows }));
        return stdout::line(&format!("{document:#}"));
    }
    for target in TARGETS {
        stdout::line(&format!("{:<8} {}", target.name, target.doc))?;
        for mutant in target.mutants() {
            let (name, doc) = mutant.row();
            stdout::line(&format!("  --mutant {name:<17} {doc}"))?;
        }
    }
    Ok(())
}

/// Tries every input; how many there were, and what was found.
fn try_all(
    target: &Target,
    args: &FuzzArgs,
    scratch: &Path,
    surroundings: &Surroundings,
) -> Result<(u64, Vec<Told>), Failure> {
    if let Some(file) = &args.replay {
        let case = load(file)?;
        let finding = child::replay(target, args, file, scratch)?;
        if let (None, Some(why)) = (&finding, target.refusal(&case)) {
            return Err(Failure::usage(format!("{}: not a valid input: {}", file.display(), why.trim_end())));
        }
        let told = |finding| Told { finding, number: 0, count: 1, file: file.clone(), size_bytes: case.size_bytes() };
        return Ok((1, finding.into_iter().map(told).collect()));
    }
    let end = args.minutes.map(|minutes| surroundings.start + Duration::from_secs_f64(minutes * 60.0));
    let runs = args.runs.unwrap_or(if end.is_some() { u64::MAX } else { RUNS });
    let mut found: Vec<(Finding, u64, usize)> = Vec::new();
    let mut next = 0;
    while next < runs && found.len() < FINDINGS_MAX && end.is_none_or(|end| clock::now() < end) {
        next = child::stretch(target, args, scratch, next..runs, end, &mut |finding, number| {
            match found.iter_mut().find(|(known, _, _)| same(known, &finding)) {
                Some((_, _, count)) => *count += 1,
                None => found.push((finding, number, 1)),
            }
            found.len() < FINDINGS_MAX
        })?;
        // One planted fault is enough.
        if args.mutant.is_some() && !found.is_empty() {
            break;
        }
    }
    let mut out = Vec::new();
    for (finding, number, count) in found {
        let (case, finding) = shrunk(target, args, scratch, finding, number)?;
        let folder = args.output.join(format!("{}-{}-{number}", target.name, args.seed));
        let file = save(&case, &folder)?;
        out.push(Told { finding, number, count, file, size_bytes: case.size_bytes() });
    }
    Ok((next, out))
}

/// Whether two findings are likely one fault: their words but for numbers and names.
fn same(a: &Finding, b: &Finding) -> bool {
    let words = |finding: &Finding| -> String {
        let mut quoted = false;
        finding
            .message
            .chars()
            .filter(|c| {
                quoted ^= matches!(c, '"' | '`');
                !quoted && !c.is_ascii_digit()
            })
            .collect()
    };
    a.kind == b.kind && words(a) == words(b)
}

/// The smallest input found that breaks a law of the same kind, and what it says.
fn shrunk(
    target: &Target,
    args: &FuzzArgs,
    scratch: &Path,
    finding: Finding,
    number: u64,
) -> Result<(Case, Finding), Failure> {
    let whole = target.case(args.seed, number);
    let end = clock::now() + SHRINK_TIME;
    let tries_max = match finding.kind {
        // Each waits.
        Kind::Hang => 12,
        // Each fills hundreds of megabytes.
        Kind::Memory => 60,
        Kind::Panic | Kind::Law | Kind::Crash => SHRINK_TRIES_MAX,
    };
    let folder = scratch.join("shrink");
    let mut last = finding.clone();
    let mut replays = child::Replays::new(target, args, scratch);
    let small = target.shrink(&whole, tries_max, &mut |case| {
        let again = (clock::now() < end).then(|| save(case, &folder).and_then(|file| replays.replay(&file)));
        match again {
            Some(Ok(Some(again))) if same(&again, &finding) => {
                last = again;
                true
            }
            _ => false,
        }
    });
    Ok((small, last))
}

/// Writes a case into a folder that holds nothing else then; the path of the input itself.
fn save(case: &Case, folder: &Path) -> Result<PathBuf, Failure> {
    let _ = fs::remove_dir_all(folder);
    case.save(folder).map_err(|error| Failure::of_write(folder, &error))
}

fn load(file: &Path) -> Result<Case, Failure> {
    Case::load(file).map_err(|error| Failure::usage(format!("{} cannot be read: {error}", file.display())))
}

fn tell(target: &Target, args: &FuzzArgs, inputs: u64, found: &[Told], as_json: bool) -> Result<(), Failure> {
    if as_json {
        let row = |told: &Told| {
            json!({
                "kind": told.finding.kind.word(),
                "message": told.finding.message,
                "seed": args.seed,
                "input": told.number,
                "count": told.count,
                "file": told.file.display().to_string(),
                "bytes": told.size_bytes,
            })
        };
        let document = words::document(
            "fuzz/1",
            json!({
                "target": target.name,
                "seed": args.seed,
                "mutant": args.mutant,
                "inputs": inputs,
                "findings": found.iter().map(row).collect::<Vec<_>>(),
            }),
        );
        return stdout::line(&format!("{document:#}"));
    }
    for told in found {
        stdout::line(&format!("{}: {}", told.finding.kind.word(), told.finding.message))?;
        if args.replay.is_none() {
            let times = if told.count == 1 { String::new() } else { format!(", and {} more", told.count - 1) };
            stdout::line(&format!("  seed {}, input {}{times}", args.seed, told.number))?;
            let file = told.file.display().to_string();
            stdout::line(&format!("  shrunk to {} bytes: {file}", told.size_bytes))?;
            stdout::line(&format!("  again: stillframe fuzz {} --replay {}", target.name, quoted(&file)))?;
        }
    }
    stdout::line(&format!("fuzz {}: {inputs} inputs, {} findings", target.name, found.len()))
}
