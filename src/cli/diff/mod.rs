//! `diff`: two pictures or animations, whatever files they lie in; exit statuses as diff(1) has them.

mod open;
mod told;

use std::io::BufRead;
use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, ValueEnum};
use serde_json::json;
use stillframe_base::par::Pool;
use stillframe_frames::{Picture, PngEffort, encode_png};

use super::show::Show;
use super::status::{self, Failure};
use super::{Surroundings, json as words, stdout};
use told::{Told, compare_files};

/// Compare two pictures; exit status 0 same, 1 different, 2 trouble
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe diff old.png new.png
  stillframe diff old.png new.png -o difference.png
  stillframe diff old.exr new.exr --layer normal --metric flip
  stillframe diff old.apng new.apng          every frame, and how long it stays
  stillframe diff b3:HEX new.png             a picture of the last run, by hash
  stillframe diff --stdin < pairs            one process for many pairs

Pictures with equal pixels are equal, whatever files they are stored in. A line
of `pairs` is a JSON list: [OLD, NEW] or [OLD, NEW, OUT].")]
pub struct DiffArgs {
    /// Old picture: PNG, EXR, NPY, JPEG, WebP, HDR ... or b3:HEX
    #[arg(required_unless_present = "stdin")]
    pub old: Option<PathBuf>,
    /// New picture, likewise
    #[arg(required_unless_present = "stdin")]
    pub new: Option<PathBuf>,
    /// Read pairs from standard input, one JSON list per line, and answer each with a line of JSON
    #[arg(long, conflicts_with_all = ["old", "new", "output", "show"])]
    pub stdin: bool,
    /// Write a picture of the difference (.png)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// What to print and draw: the difference of each pixel, or how visible it is. Exact numbers are always printed
    #[arg(long, value_name = "WHICH", default_value = "exact")]
    pub metric: MetricWord,
    /// Compare one layer of EXR files
    #[arg(long, value_name = "NAME")]
    pub layer: Option<String>,
    /// Show the picture of the difference in the terminal
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "auto")]
    pub show: Option<Show>,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricWord {
    Exact,
    Flip,
}

pub fn run(args: &DiffArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    let pool = Pool::new(0);
    if args.stdin {
        return pairs(args, &pool, surroundings);
    }
    let (Some(old), Some(new)) = (&args.old, &args.new) else { unreachable!("both are asked for") };
    let all = compare_files(args, old, new, &pool)?;
    let same = is_same(&all);
    tell(old, new, &all, same, surroundings)?;
    if let Some(picture) = all.iter().find_map(|told| told.picture.as_ref()) {
        if let Some(path) = &args.output {
            write(picture, path, surroundings)?;
        }
        if surroundings.json.is_none() {
            args.show.unwrap_or(Show::Auto).settled().draw(picture)?;
        }
    }
    if same { Ok(()) } else { Err(Failure::Several(status::FINDING)) }
}

/// Answers one pair per line until the input ends. Trouble with a pair is reported, and the next one read.
fn pairs(args: &DiffArgs, pool: &Pool, surroundings: &Surroundings) -> Result<(), Failure> {
    let surroundings = &surroundings.with_json();
    let mut worst = status::OK;
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| Failure::Environment(format!("standard input cannot be read: {error}")))?;
        let answered = pair(args, &line, pool, surroundings);
        worst = worst.max(match answered {
            Ok(same) => {
                if same {
                    status::OK
                } else {
                    status::FINDING
                }
            }
            Err(Failure::ReaderGone) => return Err(Failure::ReaderGone),
            Err(failure) => {
                words::line("diff/1", json!({ "error": failure.words() }), surroundings)?;
                status::USAGE
            }
        });
    }
    if worst == status::OK { Ok(()) } else { Err(Failure::Several(worst)) }
}

/// Whether the pictures of a line are the same.
fn pair(args: &DiffArgs, line: &str, pool: &Pool, surroundings: &Surroundings) -> Result<bool, Failure> {
    let wrong = || Failure::usage("each line must be a JSON list: [OLD, NEW] or [OLD, NEW, OUT]");
    // Some programs mark the start of what they write.
    let files: Vec<PathBuf> = serde_json::from_str(line.trim_start_matches('\u{feff}')).map_err(|_| wrong())?;
    let ([old, new] | [old, new, _]) = &files[..] else { return Err(wrong()) };
    let all = compare_files(args, old, new, pool)?;
    if let (Some(path), Some(picture)) = (files.get(2), all.iter().find_map(|told| told.picture.as_ref())) {
        write(picture, path, surroundings)?;
    }
    let same = is_same(&all);
    tell(old, new, &all, same, surroundings)?;
    Ok(same)
}

fn write(picture: &Picture, path: &Path, surroundings: &Surroundings) -> Result<(), Failure> {
    let bytes = encode_png(picture, PngEffort::Fast).map_err(|error| Failure::Fault(error.to_string()))?;
    surroundings.unfinished.write(path, &bytes).map_err(|error| Failure::of_write(path, &error))
}

fn is_same(all: &[Told]) -> bool {
    all.iter().all(Told::is_same)
}

fn tell(old: &Path, new: &Path, all: &[Told], same: bool, surroundings: &Surroundings) -> Result<(), Failure> {
    if surroundings.json.is_some() {
        let fields = json!({
            "old": old.display().to_string(), "new": new.display().to_string(), "same": same,
            "layers": all.iter().map(Told::json).collect::<Vec<_>>(),
        });
        return words::line("diff/1", fields, surroundings);
    }
    all.iter().flat_map(Told::lines).try_for_each(|line| stdout::line(&line))
}
