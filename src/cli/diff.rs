//! `diff`: two pictures, whatever files they lie in; exit statuses as diff(1) has them.

use std::fs;
use std::io::BufRead;
use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, ValueEnum};
use serde_json::json;
use stillframe_base::par::Pool;
use stillframe_frames::compare::{CompareOptions, Comparison, FlipOptions, Where, flip, heat_picture};
use stillframe_frames::run::newest;
use stillframe_frames::{
    DecodeLimits, Exact, NamedPicture, Picture, PngEffort, Samples, Window, decode_pictures, difference_picture,
    encode_png,
};

use super::show::Show;
use super::status::{self, Failure};
use super::{Surroundings, json as words, stdout};
use crate::asset::Texels;
use crate::harness::Project;
use crate::import;

/// Compare two pictures; exit status 0 same, 1 different, 2 trouble
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe diff old.png new.png
  stillframe diff old.png new.png -o difference.png
  stillframe diff old.exr new.exr --layer normal --metric flip
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

/// What one layer's comparison came to.
struct Told {
    layer: String,
    comparison: Option<Comparison>,
    /// Why there is none.
    unlike: Option<String>,
    /// What shows the difference.
    picture: Option<Picture>,
}

pub fn run(args: &DiffArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    let pool = Pool::new(0);
    if args.stdin {
        return pairs(args, &pool, surroundings);
    }
    let (Some(old), Some(new)) = (&args.old, &args.new) else { unreachable!("both are asked for") };
    let all = layers(args, old, new, &pool)?;
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
    let files: Vec<PathBuf> = serde_json::from_str(line).map_err(|_| wrong())?;
    let ([old, new] | [old, new, _]) = &files[..] else { return Err(wrong()) };
    let all = layers(args, old, new, pool)?;
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

/// Every layer of both files.
fn layers(args: &DiffArgs, old_file: &Path, new_file: &Path, pool: &Pool) -> Result<Vec<Told>, Failure> {
    let (old, new) = (open(old_file)?, open(new_file)?);
    let wanted = |layer: &NamedPicture| args.layer.as_ref().is_none_or(|wanted| *wanted == layer.name);
    let mut all = Vec::new();
    for layer in old.iter().filter(|layer| wanted(layer)) {
        match new.iter().find(|other| other.name == layer.name) {
            Some(other) => all.push(compare(args, layer, other, pool)),
            None => all.push(alone(layer, old_file)),
        }
    }
    let is_new = |layer: &&NamedPicture| wanted(layer) && old.iter().all(|other| other.name != layer.name);
    all.extend(new.iter().filter(is_new).map(|layer| alone(layer, new_file)));
    if all.is_empty() {
        let names: Vec<&str> = old.iter().map(|layer| layer.name.as_str()).collect();
        let help = Some(format!("{} holds: {}", old_file.display(), names.join(", ")));
        return Err(Failure::Usage(format!("no layer `{}`", args.layer.as_deref().unwrap_or_default()), help));
    }
    Ok(all)
}

fn is_same(all: &[Told]) -> bool {
    all.iter().all(|told| told.comparison.as_ref().is_some_and(|found| found.differing_pixel_count == 0))
}

fn alone(layer: &NamedPicture, file: &Path) -> Told {
    let unlike = format!("only in {}", file.display());
    Told { layer: layer.name.clone(), comparison: None, unlike: Some(unlike), picture: None }
}

fn compare(args: &DiffArgs, old: &NamedPicture, new: &NamedPicture, pool: &Pool) -> Told {
    let layer = old.name.clone();
    let exact = match Exact::of(&old.picture, &new.picture) {
        Ok(exact) => exact,
        Err(error) => return Told { layer, comparison: None, unlike: Some(error.to_string()), picture: None },
    };
    let metric = args.metric;
    let options = CompareOptions { flip: (metric == MetricWord::Flip).then(FlipOptions::default) };
    let comparison = Comparison::of_exact(&old.picture, &new.picture, &exact, &options, pool);
    let picture = (comparison.differing_pixel_count > 0).then(|| picture(metric, old, new, &exact, pool));
    Told { layer, comparison: Some(comparison), unlike: None, picture }
}

/// The heat of FLIP where that was asked for, else how far each pixel is off.
fn picture(metric: MetricWord, old: &NamedPicture, new: &NamedPicture, exact: &Exact, pool: &Pool) -> Picture {
    let (old, new) = (&old.picture, &new.picture);
    let map = match metric {
        MetricWord::Flip => flip(old, new, &FlipOptions::default(), Where::Differing(exact), pool).ok(),
        MetricWord::Exact => None,
    };
    match map {
        Some(map) => heat_picture(&map),
        None => difference_picture(&stillframe_frames::Differences::of(old, new).expect("compared before")),
    }
}

fn tell(old: &Path, new: &Path, all: &[Told], same: bool, surroundings: &Surroundings) -> Result<(), Failure> {
    if surroundings.json.is_some() {
        let row = |told: &Told| json!({ "layer": told.layer, "unlike": told.unlike, "comparison": told.comparison });
        let fields = json!({
            "old": old.display().to_string(), "new": new.display().to_string(), "same": same,
            "layers": all.iter().map(row).collect::<Vec<_>>(),
        });
        return words::line("diff/1", fields, surroundings);
    }
    for told in all {
        let layer = if told.layer.is_empty() { String::new() } else { format!("{}: ", told.layer) };
        if let Some(unlike) = &told.unlike {
            stdout::line(&format!("{layer}{unlike}"))?;
        }
        let Some(found) = told.comparison.as_ref().filter(|found| found.differing_pixel_count > 0) else { continue };
        stdout::line(&format!("{layer}{}", figures(found)))?;
    }
    Ok(())
}

fn figures(found: &Comparison) -> String {
    let mut out = format!(
        "{} of {} px differ ({:.2} %)",
        found.differing_pixel_count,
        found.pixel_count,
        found.differing_share * 100.0
    );
    out += &match found.format.ends_with("32f") {
        true => format!(", max {:e}", found.delta_max),
        false => format!(", max {}/{}", found.delta_max, found.full_scale),
    };
    if found.ulp_max > 0 {
        out += &format!(" ({} ulp)", found.ulp_max);
    }
    out += &format!(", class {}", found.classes);
    if let Some(sign) = found.sign {
        out += &format!(", {}", sign.name());
    }
    if let Some(bounds) = found.bounds {
        out += &format!(", box {},{} {},{}", bounds.left_px, bounds.top_px, bounds.right_px, bounds.bottom_px);
    }
    if let Some(flip) = &found.flip {
        out += &format!(", FLIP mean {:.6}", flip.mean);
    }
    out
}

/// The pictures of a file, or the one that has this hash in the last run.
fn open(path: &Path) -> Result<Vec<NamedPicture>, Failure> {
    let path = &by_hash(path).unwrap_or_else(|| path.to_path_buf());
    let trouble = |message: String| Failure::usage(format!("{}: {message}", path.display()));
    let bytes = fs::read(path).map_err(|error| trouble(format!("cannot be read: {error}")))?;
    let limits = DecodeLimits::default();
    if bytes.starts_with(b"\x89PNG") || bytes.starts_with(b"\x93NUMPY") || bytes.starts_with(&[0x76, 0x2F, 0x31, 0x01])
    {
        return decode_pictures(&bytes, &limits).map_err(|error| trouble(error.to_string()));
    }
    let image = import::picture(path, &bytes)
        .map_err(|diagnostic| Failure::Files { diagnostics: vec![diagnostic], edits: Vec::new() })?;
    let samples = match image.texels {
        Texels::Rgba8(values) => Samples::U8(values),
        Texels::Rgba16(values) => Samples::U16(values),
        Texels::Rgba32Float(values) => Samples::F32(values),
    };
    let picture =
        Picture::new(image.width_px, image.height_px, 4, samples).map_err(|error| trouble(error.to_string()))?;
    let window = Window { left_px: 0, top_px: 0, width_px: picture.width_px, height_px: picture.height_px };
    let channels = ["R", "G", "B", "A"].map(str::to_string).to_vec();
    Ok(vec![NamedPicture { name: String::new(), channels, window, picture }])
}

/// `b3:HEX` names a picture of the project's last run.
fn by_hash(path: &Path) -> Option<PathBuf> {
    let hex = path.to_str()?.strip_prefix("b3:")?;
    let project = Project::around(&std::env::current_dir().ok()?).ok()??;
    let folder = newest(&project.runs())?.join("pictures");
    ["png", "exr"].iter().map(|ending| folder.join(format!("{hex}.{ending}"))).find(|path| path.exists())
}
