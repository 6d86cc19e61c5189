//! `diff`: two pictures, animations or folders of them, whatever files they lie in; exit statuses as diff(1) has them.

mod folders;
mod limits;
mod open;
mod page;
mod told;

use std::io::BufRead;
use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, ValueEnum};
use serde_json::{Value, json};
use stillframe_base::par::Pool;
use stillframe_frames::{Picture, PngEffort, encode_png};

use super::show::Show;
use super::status::{self, Failure};
use super::{Surroundings, json as words, stdout};
use limits::Limits;
use page::{Page, is_page};
use told::{Told, Wanted, compare_files};

/// Compare two pictures or folders; exit status 0 same, 1 different, 2 trouble
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe diff old.png new.png
  stillframe diff old.png new.png -o difference.png
  stillframe diff old.exr new.exr --layer normal --metric flip
  stillframe diff old.apng new.apng          every frame, and how long it stays
  stillframe diff expected actual -o diff.html   every picture of two folders
  stillframe diff expected actual --max-lsb 2 --share 0.001
  stillframe diff b3:HEX new.png             a picture of the last run, by hash
  stillframe diff --stdin < pairs            one process for many pairs

Pictures with equal pixels are equal, whatever files they are stored in. A line
of `pairs` is a JSON list: [OLD, NEW] or [OLD, NEW, OUT].

Pictures of folders are paired by their paths. Pictures that are in one folder
only are differences. If several limits are given, all must hold.")]
pub struct DiffArgs {
    /// Old picture: PNG, EXR, NPY, JPEG, WebP, HDR ... or b3:HEX, or a folder
    #[arg(required_unless_present = "stdin")]
    pub old: Option<PathBuf>,
    /// New picture, likewise
    #[arg(required_unless_present = "stdin")]
    pub new: Option<PathBuf>,
    /// Read pairs from standard input, one JSON list per line, and answer each with a line of JSON
    #[arg(long, conflicts_with_all = ["old", "new", "output", "show"])]
    pub stdin: bool,
    /// Write a picture of the difference (.png) or a page (.html)
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
    #[command(flatten)]
    pub limits: Limits,
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
    if old.is_dir() && new.is_dir() {
        return folders::run(args, [old, new], &pool, surroundings);
    }
    if let Some(folder) = [old, new].into_iter().find(|path| path.is_dir()) {
        let help = Some("compare two pictures or two folders".to_string());
        return Err(Failure::Usage(format!("{} is a folder, and the other is not", folder.display()), help));
    }
    let page = args.output.as_deref().filter(|out| is_page(out));
    let show = match surroundings.json {
        None => args.show.unwrap_or(Show::Auto).settled(),
        Some(_) => Show::Never,
    };
    let is_written = args.output.is_some() && page.is_none();
    let wanted = Wanted { difference: is_written || show != Show::Never, pairs: page.is_some() };
    let all = compare_files(args, old, new, wanted, &pool)?;
    let within = all_within(&all);
    tell(old, new, &all, surroundings)?;
    if let Some(out) = page {
        let name = new.file_name().unwrap_or(new.as_os_str()).to_string_lossy();
        let mut page = Page::begin(out, [old, new])?;
        page.pair(&name, &all, &pool)?;
        page.end(surroundings)?;
    }
    if let Some(picture) = all.iter().find_map(|told| told.picture.as_ref()) {
        if let Some(path) = args.output.as_ref().filter(|_| page.is_none()) {
            write(picture, path, surroundings)?;
        }
        show.draw(picture)?;
    }
    if within { Ok(()) } else { Err(Failure::Several(status::FINDING)) }
}

/// Answers one pair per line until the input ends. Trouble with a pair is reported, and the next one read.
fn pairs(args: &DiffArgs, pool: &Pool, surroundings: &Surroundings) -> Result<(), Failure> {
    let surroundings = &surroundings.with_json();
    let mut worst = status::OK;
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| Failure::Environment(format!("standard input cannot be read: {error}")))?;
        let answered = pair(args, &line, pool, surroundings);
        worst = worst.max(match answered {
            Ok(within) => {
                if within {
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

/// Whether the pictures of a line are the same, or within the limits.
fn pair(args: &DiffArgs, line: &str, pool: &Pool, surroundings: &Surroundings) -> Result<bool, Failure> {
    let wrong = || Failure::usage("each line must be a JSON list: [OLD, NEW] or [OLD, NEW, OUT]");
    // Some programs mark the start of what they write.
    let files: Vec<PathBuf> = serde_json::from_str(line.trim_start_matches('\u{feff}')).map_err(|_| wrong())?;
    let ([old, new] | [old, new, _]) = &files[..] else { return Err(wrong()) };
    let wanted = Wanted { difference: files.len() > 2, pairs: false };
    let all = compare_files(args, old, new, wanted, pool)?;
    if let (Some(path), Some(picture)) = (files.get(2), all.iter().find_map(|told| told.picture.as_ref())) {
        write(picture, path, surroundings)?;
    }
    tell(old, new, &all, surroundings)?;
    Ok(all_within(&all))
}

fn write(picture: &Picture, path: &Path, surroundings: &Surroundings) -> Result<(), Failure> {
    let bytes = encode_png(picture, PngEffort::Fast).map_err(|error| Failure::Fault(error.to_string()))?;
    surroundings.unfinished.write(path, &bytes).map_err(|error| Failure::of_write(path, &error))
}

fn is_same(all: &[Told]) -> bool {
    all.iter().all(Told::is_same)
}

fn all_within(all: &[Told]) -> bool {
    all.iter().all(Told::is_within)
}

fn fields(old: &Path, new: &Path, all: &[Told]) -> Value {
    json!({
        "old": old.display().to_string(), "new": new.display().to_string(), "same": is_same(all),
        "within": all_within(all), "layers": all.iter().map(Told::json).collect::<Vec<_>>(),
    })
}

fn tell(old: &Path, new: &Path, all: &[Told], surroundings: &Surroundings) -> Result<(), Failure> {
    if surroundings.json.is_some() {
        return words::line("diff/1", fields(old, new, all), surroundings);
    }
    all.iter().flat_map(Told::lines).try_for_each(|line| stdout::line(&line))
}
