//! `fuzz`: inputs made from a seed, tried in a process of their own.
//!
//! The child tries inputs and says before each which one it is; the parent holds the clock. So an input that hangs,
//! fills the stack or the memory is a finding like any other, and the inputs behind it are tried all the same. With
//! `--player` the process is somebody's own program.

mod child;
mod effect;
mod game;
mod player;
mod program;
mod work;

use clap::Args as ClapArgs;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;
use stillframe_frames::report::quoted;

use super::script_file::{limits, profile};
use super::status::{self, Failure};
use super::values::{minutes, timeout};
use super::{Surroundings, clock, json as words, stderr, stdout};
use game::{OfPoses, OfTime};
use player::Game;
use stillframe_lab::fuzz::{Case, Finding, Kind, Mutant, TARGETS, Target};
use stillframe_oracle::Profile;
use stillframe_oracle::pose::Limits;

/// Fuzz the readers and the animation player with generated input and report failures
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe fuzz --list
  stillframe fuzz import --seed 7 --minutes 5
  stillframe fuzz time --runs 1000             scripts of time control
  stillframe fuzz effect --runs 1000           graphs of post effects
  stillframe fuzz import --replay model.glb    a finding, or any file
  stillframe fuzz time --player COMMAND --profile clock.toml
  stillframe fuzz time --corpus scripts --as-files

A player is a program that plays scripts on a time controller of your own, or
blends and skins (target pose). It reads lines of JSON and answers each with a
line; docs/fuzzing.md describes them. It is started once, and again after it
dies, hangs or is wrong.

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
    /// Run the input of a finding again, together with the files next to it; of a
    /// folder, every input
    #[arg(long, value_name = "PATH")]
    pub replay: Option<PathBuf>,
    /// List the targets and their mutants
    #[arg(long)]
    pub list: bool,
    /// Plant a known mistake, which the fuzzer must find
    #[arg(long, value_name = "NAME")]
    pub mutant: Option<String>,
    /// Test this program instead of the built-in controller (targets time and pose)
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["mutant", "corpus"])]
    pub player: Option<String>,
    /// What the player can do and reports, and how exactly (.toml) [default: everything, exactly]
    #[arg(long, value_name = "FILE")]
    pub profile: Option<PathBuf>,
    /// Seconds after which an input, or a player's step, counts as hanging
    #[arg(long, value_name = "S", default_value = "10", value_parser = timeout)]
    pub timeout: f64,
    /// Folder for findings
    #[arg(short, long, value_name = "FOLDER", default_value = "target/stillframe/fuzz")]
    pub output: PathBuf,
    /// Write the inputs to this folder, as bytes for another fuzzer, instead of running them
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["replay", "mutant", "minutes"])]
    pub corpus: Option<PathBuf>,
    /// Write the corpus as files that people can read, instead of bytes: each input in a folder
    #[arg(long, requires = "corpus")]
    pub as_files: bool,
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
    /// A text that is shown.
    script: Option<String>,
}

pub fn run(args: &FuzzArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    if args.list {
        return list(surroundings.json.is_some());
    }
    let name = args.target.as_deref().unwrap_or_default();
    let target = targets().find(|target| target.name == name).ok_or_else(|| {
        let known: Vec<&str> = targets().map(|target| target.name).collect();
        Failure::Usage(format!("unknown target `{name}`"), Some(format!("targets are {}", known.join(", "))))
    })?;
    let mutant = args.mutant.as_deref().map(|name| mutant(target, name)).transpose()?;
    if let Some(scratch) = &args.worker {
        return work::run(target, args, mutant, scratch, surroundings.heap);
    }
    let is_asked = args.player.is_some() || args.as_files;
    if args.profile.is_some() && !(is_asked && ["time", "pose"].contains(&target.name)) {
        let help = "use it with `--player`, or with `--corpus` and `--as-files`".to_string();
        return Err(Failure::Usage("`--profile` is of players of `fuzz time` and `fuzz pose`".into(), Some(help)));
    }
    if target.name == "pose" {
        let game = OfPoses(args.profile.as_deref().map_or(Ok(Limits::default()), |file| limits(file, surroundings))?);
        if args.player.is_some() || args.corpus.is_some() {
            return asked(target, args, &game, surroundings);
        }
    } else if target.name == "time" {
        let profile = args.profile.as_deref().map_or(Ok(Profile::default()), |file| profile(file, surroundings))?;
        if args.player.is_some() || args.corpus.is_some() {
            return asked(target, args, &OfTime(profile), surroundings);
        }
    } else if args.player.is_some() {
        let help = "`fuzz time` and `fuzz pose` have players".to_string();
        return Err(Failure::Usage(format!("target `{name}` has no players"), Some(help)));
    } else if let Some(folder) = &args.corpus {
        return corpus(target, args, folder, |number| target.case(args.seed, number));
    }
    let scratch = std::env::temp_dir().join(format!("stillframe-fuzz-{}", std::process::id()));
    fs::create_dir_all(&scratch).map_err(|error| Failure::of_write(&scratch, &error))?;
    let outcome = try_all(target, args, &scratch, surroundings);
    let _ = fs::remove_dir_all(&scratch);
    let (inputs, found) = outcome?;
    end(target, args, inputs, &found, surroundings)
}

/// Inputs for somebody's program: played on it, or written for it.
fn asked<G: Game>(target: &Target, args: &FuzzArgs, game: &G, surroundings: &Surroundings) -> Result<(), Failure> {
    if let Some(folder) = &args.corpus {
        // Inputs are for other programs, which have no use for damaged ones.
        return corpus(target, args, folder, |number| game.case(&game.drawn(args.seed, number)));
    }
    let command = args.player.as_deref().unwrap_or_default();
    let (inputs, found) = player::try_all(target, args, command, game, surroundings)?;
    end(target, args, inputs, &found, surroundings)
}

/// Reports a run.
fn end(
    target: &Target,
    args: &FuzzArgs,
    inputs: u64,
    found: &[Told],
    surroundings: &Surroundings,
) -> Result<(), Failure> {
    tell(target, args, inputs, found, surroundings.json.is_some())?;
    if found.is_empty() {
        if args.mutant.is_some() {
            stderr::note("the planted mutant was not found");
        }
        return Ok(());
    }
    Err(Failure::Several(status::FINDING))
}

/// Writes inputs, each named by its number: as the bytes that mean them to another fuzzer, or as the files that they
/// are.
fn corpus(target: &Target, args: &FuzzArgs, folder: &Path, case: impl Fn(u64) -> Case) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| Failure::of_write(folder, &error))?;
    let runs = args.runs.unwrap_or(RUNS);
    for number in 0..runs {
        let path = folder.join(format!("{}-{number}", args.seed));
        if args.as_files {
            save(&case(number), &path)?;
        } else {
            fs::write(&path, target.bytes(args.seed, number)).map_err(|error| Failure::of_write(&path, &error))?;
        }
    }
    stdout::line(&format!("fuzz {}: {runs} inputs in {}", target.name, folder.display()))
}

/// The inputs under a path: a file is one, and a folder has one in each of its folders and files.
fn inputs_of(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let entries = |folder: &Path| -> Result<Vec<PathBuf>, Failure> {
        let list = fs::read_dir(folder).and_then(|list| list.map(|entry| Ok(entry?.path())).collect());
        let mut list: Vec<PathBuf> =
            list.map_err(|error| Failure::usage(format!("{} cannot be read: {error}", folder.display())))?;
        list.sort();
        Ok(list)
    };
    // Of several files, that which is not there for another's sake.
    let main = |files: &[PathBuf]| {
        let named = |stem: &str| files.iter().find(|file| file.file_stem().is_some_and(|known| known == stem)).cloned();
        ["scene", "model", "picture", "script", "graph", "clip", "pose"].iter().find_map(|stem| named(stem))
    };
    let mut out = Vec::new();
    for entry in entries(path)? {
        if !entry.is_dir() {
            out.push(entry);
            continue;
        }
        let files = entries(&entry)?;
        let input = main(&files).or_else(|| files.first().cloned());
        out.push(input.ok_or_else(|| Failure::usage(format!("{}: no input in it", entry.display())))?);
    }
    if out.is_empty() {
        return Err(Failure::usage(format!("{}: no input in it", path.display())));
    }
    Ok(out)
}

fn mutant(target: &Target, name: &str) -> Result<Mutant, Failure> {
    let known: Vec<&str> = target.mutants().map(|mutant| mutant.row().0).collect();
    target.mutants().find(|mutant| mutant.row().0 == name).ok_or_else(|| {
        let help = format!("targets are {}", known.join(", "));
        Failure::Usage(format!("target `{}` has no mutant `{name}`", target.name), Some(help))
    })
}

/// Every target.
fn targets() -> impl Iterator<Item = &'static Target> {
    TARGETS.iter().chain([&effect::EFFECT])
}

fn list(as_json: bool) -> Result<(), Failure> {
    if as_json {
        let mutants = |target: &Target| -> Vec<_> {
            target.mutants().map(|m| json!({ "name": m.row().0, "doc": m.row().1 })).collect()
        };
        let row = |t: &Target| json!({ "name": t.name, "doc": t.doc, "mutants": mutants(t) });
        let rows: Vec<_> = targets().map(row).collect();
        let document = words::document("fuzz-targets/1", json!({ "targets": rows }));
        return stdout::line(&format!("{document:#}"));
    }
    for target in targets() {
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
    if let Some(path) = &args.replay {
        let files = inputs_of(path)?;
        let mut out = Vec::new();
        for file in &files {
            let case = load(file)?;
            let finding = child::replay(target, args, file, scratch)?;
            if let (None, Some(why)) = (&finding, target.refusal(&case)) {
                return Err(Failure::usage(format!("{}: not a valid input: {}", file.display(), why.trim_end())));
            }
            let (file, size_bytes) = (file.clone(), case.size_bytes());
            let told = |finding| Told { finding, number: 0, count: 1, file, size_bytes, script: None };
            out.extend(finding.map(told));
        }
        return Ok((files.len() as u64, out));
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
        out.push(Told { finding, number, count, file, size_bytes: case.size_bytes(), script: None });
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
    let tries_max = shrink_tries_max(finding.kind);
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

fn shrink_tries_max(kind: Kind) -> usize {
    match kind {
        // Each waits.
        Kind::Hang => 12,
        // Each fills hundreds of megabytes.
        Kind::Memory => 60,
        Kind::Panic | Kind::Law | Kind::Crash => SHRINK_TRIES_MAX,
    }
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
                "script": told.script,
            })
        };
        let document = words::document(
            "fuzz/1",
            json!({
                "target": target.name,
                "seed": args.seed,
                "mutant": args.mutant,
                "player": args.player,
                "inputs": inputs,
                "findings": found.iter().map(row).collect::<Vec<_>>(),
            }),
        );
        return stdout::line(&format!("{document:#}"));
    }
    for told in found {
        stdout::line(&format!("{}: {}", told.finding.kind.word(), told.finding.message))?;
        if let Some(path) = &args.replay {
            if path.is_dir() {
                stdout::line(&format!("  {}", told.file.display()))?;
            }
        } else {
            let times = if told.count == 1 { String::new() } else { format!(", and {} more", told.count - 1) };
            stdout::line(&format!("  seed {}, input {}{times}", args.seed, told.number))?;
            let file = told.file.display().to_string();
            stdout::line(&format!("  shrunk to {} bytes: {file}", told.size_bytes))?;
            let mut again = format!("stillframe fuzz {}", target.name);
            if let Some(player) = &args.player {
                again.push_str(&format!(" --player {}", quoted(player)));
            }
            if let Some(profile) = &args.profile {
                again.push_str(&format!(" --profile {}", quoted(&profile.display().to_string())));
            }
            stdout::line(&format!("  again: {again} --replay {}", quoted(&file)))?;
        }
        for line in told.script.iter().flat_map(|script| script.lines()) {
            stdout::line(format!("    {line}").trim_end())?;
        }
    }
    stdout::line(&format!("fuzz {}: {inputs} inputs, {} findings", target.name, found.len()))
}
