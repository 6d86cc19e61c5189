//! `repro`: a case in one file, that proves itself anywhere.

use clap::{Args as ClapArgs, Subcommand};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::json;
use stillframe_base::bounded::Refusal;
use stillframe_base::par::Pool;
use stillframe_frames::{
    DecodeLimits, PassHash, Picture, PixelHash, decode_pictures, first_difference, parse_passes, print_passes,
};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::project::with_judge;
use super::status::{self, Failure};
use super::{Surroundings, bisect, json as words, project, stdout};
use crate::harness::{Capsule, Look, Piece, Project, build_id};

/// Pack a case into one self-checking file, or run such a file
#[derive(ClapArgs, Debug)]
#[command(subcommand_required = true, arg_required_else_help = true, disable_help_subcommand = true)]
pub struct ReproArgs {
    #[command(subcommand)]
    pub command: ReproCommand,
}

#[derive(Subcommand, Debug)]
pub enum ReproCommand {
    /// Pack a case, its files, its picture and the hashes of its passes
    #[command(after_help = "\
Examples:
  stillframe repro save shadow/cascade
  stillframe repro save 'light/spot[samples=4]' -o spot.sfr")]
    Save {
        /// Name of the case
        name: String,
        /// Output file [default: the case's name with .sfr, in the working folder]
        #[arg(short, long, value_name = "OUT")]
        output: Option<PathBuf>,
    },
    /// Render a packed case; exit status 0 same picture, 1 different
    #[command(after_help = "\
Examples:
  stillframe repro run spot.sfr                 needs no project")]
    Run {
        /// File written by `repro save`
        file: PathBuf,
    },
}

/// `capsule.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Manifest {
    schema: String,
    name: String,
    /// The build that made it, and its adapter.
    build: String,
    adapter: String,
    moment_s: f64,
    aov: String,
    size_px: [u32; 2],
    format: String,
    pixels: PixelHash,
    /// Every file with the hash of its bytes.
    files: Vec<(String, PixelHash)>,
}

const SCHEMA: &str = "capsule/1";
/// Bytes that a capsule may unpack to.
const UNPACKED_MAX_BYTES: u64 = 4 << 30;

pub fn run(args: &ReproArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    match &args.command {
        ReproCommand::Save { name, output } => save(name, output.as_deref(), surroundings),
        ReproCommand::Run { file } => replay(file, surroundings),
    }
}

fn save(name: &str, output: Option<&Path>, surroundings: &Surroundings) -> Result<(), Failure> {
    let project = project::project()?;
    let piece = bisect::piece(&project, name)?;
    let capsule = with_judge(&project, Look::Draws, surroundings, |judge| judge.capsule(&piece))?;
    let default =
        format!("{}.sfr", name.rsplit('/').next().unwrap_or(name).replace(['[', ']', '#', '@', '=', ','], "-"));
    let path = output.map_or_else(|| default.into(), Path::to_path_buf);
    let bytes = pack(name, &capsule).map_err(|error| Failure::Fault(error.to_string()))?;
    surroundings.unfinished.write(&path, &bytes).map_err(|error| Failure::of_write(&path, &error))?;
    if surroundings.json.is_some() {
        let fields = json!({ "file": path.display().to_string(), "bytes": bytes.len(), "pixels": capsule.picture.hash().to_string() });
        return words::line("repro/1", fields, surroundings);
    }
    stdout::line(&format!("{} ({} bytes): {}", path.display(), bytes.len(), capsule.picture.hash()))
}

/// The same capsule gives the same bytes: no dates, files in order.
fn pack(name: &str, capsule: &Capsule) -> Result<Vec<u8>, io::Error> {
    let manifest = Manifest {
        schema: SCHEMA.into(),
        name: name.into(),
        build: build_id(),
        adapter: capsule.adapter.clone(),
        moment_s: capsule.time_s,
        aov: capsule.aov.clone(),
        size_px: [capsule.picture.width_px, capsule.picture.height_px],
        format: capsule.picture.format().to_string(),
        pixels: capsule.picture.hash(),
        files: capsule.files.iter().map(|(name, bytes)| (name.clone(), hash_of(bytes))).collect(),
    };
    let mut zip = ZipWriter::new(io::Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    let mut add = |name: &str, bytes: &[u8]| -> Result<(), io::Error> {
        zip.start_file(name, options).map_err(io::Error::other)?;
        zip.write_all(bytes)
    };
    add("capsule.json", serde_json::to_string_pretty(&manifest).map_err(io::Error::other)?.as_bytes())?;
    add("scene.toml", capsule.scene.as_bytes())?;
    add("passes", print_passes(&capsule.passes).as_bytes())?;
    match stillframe_frames::encode_png(&capsule.picture, stillframe_frames::PngEffort::Fast) {
        Ok(png) => add("expected.png", &png)?,
        Err(_) => {
            let exr = stillframe_frames::encode_plain_exr(&capsule.picture, &Pool::new(1)).map_err(io::Error::other)?;
            add("expected.exr", &exr)?;
        }
    }
    for (name, bytes) in &capsule.files {
        add(&format!("files/{name}"), bytes)?;
    }
    Ok(zip.finish().map_err(io::Error::other)?.into_inner())
}

fn hash_of(bytes: &[u8]) -> PixelHash {
    PixelHash(*blake3::hash(bytes).as_bytes())
}

/// Renders a capsule, and says whether it gives what it says.
fn replay(file: &Path, surroundings: &Surroundings) -> Result<(), Failure> {
    let wrong = |message: String| Failure::usage(format!("{} is not a packed case: {message}", file.display()));
    let open = plain(file).map_err(|error| Failure::usage(format!("{} cannot be read: {error}", file.display())))?;
    let mut zip = ZipArchive::new(io::BufReader::new(open)).map_err(|error| wrong(error.to_string()))?;
    let mut left = UNPACKED_MAX_BYTES;
    let mut read = |name: &str| -> Result<Vec<u8>, Failure> {
        let entry = zip.by_name(name).map_err(|error| wrong(format!("{name}: {error}")))?;
        let mut bytes = Vec::new();
        entry.take(left + 1).read_to_end(&mut bytes).map_err(|error| wrong(format!("{name}: {error}")))?;
        left = left.checked_sub(bytes.len() as u64).ok_or_else(|| wrong("it unpacks to more than 4 GiB".into()))?;
        Ok(bytes)
    };
    let manifest: Manifest =
        serde_json::from_slice(&read("capsule.json")?).map_err(|error| wrong(format!("capsule.json: {error}")))?;
    if manifest.schema != SCHEMA {
        return Err(wrong(format!("`{}` is not `{SCHEMA}`", manifest.schema)));
    }
    let folder = std::env::temp_dir().join(format!("stillframe-repro-{}", std::process::id()));
    let removed = Removed(folder);
    let folder = &removed.0;
    for (name, hash) in &manifest.files {
        let inside = Path::new(name).components().all(|part| matches!(part, std::path::Component::Normal(_)));
        if !inside {
            return Err(wrong(format!("{name} is outside the folder")));
        }
        let bytes = read(&format!("files/{name}"))?;
        if hash_of(&bytes) != *hash {
            return Err(wrong(format!("{name} has other content than when it was packed")));
        }
        let path = folder.join(name);
        let parent = path.parent().expect("below the folder");
        fs::create_dir_all(parent).map_err(|error| Failure::of_write(parent, &error))?;
        fs::write(&path, bytes).map_err(|error| Failure::of_write(&path, &error))?;
    }
    let text =
        |name: &str, bytes: Vec<u8>| String::from_utf8(bytes).map_err(|_| wrong(format!("{name} is not UTF-8 text")));
    fs::create_dir_all(folder).map_err(|error| Failure::of_write(folder, &error))?;
    let scene = text("scene.toml", read("scene.toml")?)?;
    fs::write(folder.join("scene.toml"), scene).map_err(|error| Failure::of_write(folder, &error))?;
    fs::write(folder.join("stillframe.toml"), "").map_err(|error| Failure::of_write(folder, &error))?;
    let old = parse_passes(&text("passes", read("passes")?)?).map_err(|line| wrong(format!("passes:{line}")))?;

    let project = Project::around(folder)
        .map_err(|diagnostics| Failure::Files { diagnostics, edits: Vec::new() })?
        .expect("its file was written above");
    let piece = Piece::of_capsule(&manifest.name, "scene.toml", &manifest.aov);
    let made = with_judge(&project, Look::Draws, surroundings, |judge| judge.capsule(&piece))?;
    let same = made.picture.hash() == manifest.pixels;
    let first = first_difference(&old, &made.passes);
    if surroundings.json.is_some() {
        let fields = json!({
            "name": manifest.name, "match": same, "expected": manifest.pixels, "made": made.picture.hash(),
            "adapter": made.adapter, "made_with": manifest.build, "first_pass": first.map(|(pass, _)| pass),
        });
        words::line("repro/1", fields, surroundings)?;
    } else if same {
        stdout::line(&format!("match: {} is {} ({})", manifest.name, manifest.pixels, made.adapter))?;
    } else {
        stdout::line(&format!("mismatch: {} is {}, not {}", manifest.name, made.picture.hash(), manifest.pixels))?;
        if let Some((pass, draw)) = first {
            let draw = draw.map_or(String::new(), |draw| format!(", draw {} ({})", draw.index + 1, draw.name));
            stdout::line(&format!("first   pass {}/{} {}{draw}", pass.index + 1, pass.count, pass.name))?;
        }
        stdout::line(&format!(
            "made by {} with {}, drawn here with {}",
            manifest.build, manifest.adapter, made.adapter
        ))?;
    }
    if same { Ok(()) } else { Err(Failure::Several(status::FINDING)) }
}

/// What a capsule says that its case looks like.
#[derive(Debug)]
pub struct Expected {
    pub picture: Option<Picture>,
    pub passes: Vec<PassHash>,
}

/// Reads what a packed case expects; `None`: the file is not a packed case.
pub fn expected(file: &Path) -> Option<Expected> {
    let mut zip = ZipArchive::new(io::BufReader::new(plain(file).ok()?)).ok()?;
    let mut read = |name: &str| -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        zip.by_name(name).ok()?.take(UNPACKED_MAX_BYTES).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    };
    let passes = String::from_utf8(read("passes")?).ok()?;
    let picture = read("expected.png").or_else(|| read("expected.exr")).and_then(|bytes| picture(&bytes));
    Some(Expected { picture, passes: parse_passes(&passes).unwrap_or_default() })
}

/// Opens a file; a device or a pipe is an error.
fn plain(file: &Path) -> io::Result<File> {
    if fs::metadata(file)?.is_file() { File::open(file) } else { Err(Refusal::NotPlain.into()) }
}

/// The first picture of a file's bytes.
fn picture(bytes: &[u8]) -> Option<Picture> {
    let pictures = decode_pictures(bytes, &DecodeLimits::default()).ok()?;
    pictures.into_iter().next().map(|named| named.picture)
}

/// A folder that is removed in the end.
struct Removed(std::path::PathBuf);

impl Drop for Removed {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
