//! `anim compress`: clips within an error bound, their size and error, and the textbook's to compare with.

use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;
use serde_json::{Value, json};
use stillframe_anim::compress::{ClipForm, CompressReport, CompressedClip, Compression, NamedClip};
use stillframe_anim::sample::Worst;
use stillframe_base::tick::{FrameRate, TICKS_PER_SECOND, Tick};

use super::super::status::{self, Failure};
use super::super::{Surroundings, json as words, stderr, stdout};
use super::isa;
use super::open::{failure, open, open_one};
use super::plot::file_name;
use crate::cli::values::millimetres as mm_of;
use crate::scene::{ClipChoice, parse_clip};
use crate::source::read_plain;
use crate::study::plot::{self, Plot};
use crate::study::{Compressed, Motion, StudyError, bytes_words, compressed, count, short, worst_off};

/// Compress clips within an error bound and print the size and the error
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "\
Examples:
  stillframe anim compress figure.glb
  stillframe anim compress figure.glb --clip walk --error-mm 0.1 -o walk.clip
  stillframe anim compress figure.glb --error-mm 1 --json
  stillframe anim compress figure.glb --clip walk --plot walk-error.svg
  stillframe anim compress figure.glb --clip walk --check walk.clip

error   largest distance of a point from its place in the file: points 3 cm
        (--shell-mm) from a joint, in the model's space, at five moments per
        sample. At most --error-mm everywhere
tracks  translation, rotation and scale of each joint: those that move, those
        that are constant, and those that are the identity
book    textbook compression, for comparison: the same frame rate, 16 bits per
        number, one range for the clip, no bound

Sizes are those of files. Ratios are to f32, ten numbers per joint and sample.
Clips with evenly spaced keys are sampled at those keys.

Exit status: 0 within the bound, 1 the clip of --check is not.",
    verbatim_doc_comment
)]
pub struct CompressArgs {
    /// Model (.glb .gltf .fbx)
    pub model: PathBuf,
    /// Clip by name, `#N` counted from 0, or all [default: all; with -o, the only one]
    #[arg(long, value_name = "CLIP", value_parser = parse_clip)]
    pub clip: Option<ClipChoice>,
    /// Largest error to accept, in mm
    #[arg(long, value_name = "MM", default_value = "0.1", value_parser = mm_of)]
    pub error_mm: f64,
    /// Sample rate for clips whose keys are unevenly spaced
    #[arg(long, value_name = "F", default_value = "30", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub fps: u32,
    /// Distance from the joint at which the error is measured, in mm
    #[arg(long, value_name = "MM", default_value = "30", value_parser = mm_of)]
    pub shell_mm: f64,
    /// Write one clip (.clip)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Draw the error of one clip, per joint over time (.svg)
    #[arg(long, value_name = "OUT")]
    pub plot: Option<PathBuf>,
    /// Compress nothing; compare a .clip with the model's clip and fail if the error exceeds --error-mm
    #[arg(long, value_name = "FILE", conflicts_with_all = ["output", "fps"])]
    pub check: Option<PathBuf>,
    /// Treat warnings as errors
    #[arg(long)]
    pub strict: bool,
}

/// Of a .clip that is checked; what a model can hold is less.
const CLIP_BYTES_MAX: u64 = 1 << 30;

/// A clip that is done.
struct Done {
    name: String,
    shell_m: f64,
    joints: Vec<String>,
    duration: Tick,
    compressed: Compressed,
}

pub fn run(args: &CompressArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    if let Some(output) = &args.output
        && !output.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("clip"))
    {
        return Err(Failure::usage(format!("{}: the output must be .clip", output.display())));
    }
    if let Some(plot) = &args.plot
        && !plot.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"))
    {
        return Err(Failure::usage(format!("{}: the output must be .svg", plot.display())));
    }
    if let Some(file) = &args.check {
        return check(args, file, surroundings);
    }
    let (model, clips) = if args.output.is_some() || args.plot.is_some() {
        let (model, clip) = open_one(&args.model, args.clip.as_ref(), args.strict, surroundings)?;
        (model, vec![clip])
    } else {
        open(&args.model, args.clip.as_ref().unwrap_or(&ClipChoice::All), args.strict, surroundings)?
    };
    let wrong = |error: StudyError| failure(&args.model, error);
    let shell_m = args.shell_mm * 1e-3;
    let rate = FrameRate::whole(args.fps);
    let compression = Compression { rate, object_error_max_m: args.error_mm * 1e-3, shell_m };
    let mut done = Vec::new();
    for number in clips {
        let motion = Motion::new(&model, number).map_err(wrong)?;
        let compressed = compressed(&motion, &compression).map_err(wrong)?;
        let clip = &compressed.clip;
        if let Some(output) = &args.output {
            let named = NamedClip::new(&motion.skeleton, clip.clone());
            let named = named.map_err(|error| Failure::usage(format!("{}: {error}", args.model.display())))?;
            let write = surroundings.unfinished.write(output, &named.to_bytes());
            write.map_err(|error| Failure::of_write(output, &error))?;
        }
        if let Some(plot) = &args.plot {
            draw(args, plot, &motion, clip, surroundings)?;
        }
        let joints = motion.skeleton.names().to_vec();
        let name = motion.clip().name.clone();
        done.push(Done { name, shell_m, joints, duration: motion.duration, compressed });
    }
    if surroundings.json.is_some() {
        let fields = json!({
            "name": args.model.display().to_string(),
            "error_max_mm": args.error_mm,
            "shell_mm": args.shell_mm,
            "file": args.output,
            "plot": args.plot,
            "clips": done.iter().map(Done::fields).collect::<Vec<_>>(),
        });
        return words::line("anim-compress/1", fields, surroundings);
    }
    let mut lines: Vec<String> = done.iter().flat_map(Done::told).collect();
    if done.len() > 1 {
        lines.push(sum(&done));
    }
    if let (Some(_), [Done { compressed: Compressed { left_out_count: left_out @ 1.., .. }, .. }]) =
        (&args.output, &done[..])
    {
        let tracks = count(*left_out, "track", "tracks");
        lines.push(format!("  left out       {tracks} of morph targets and visibility: a .clip holds only joints"));
    }
    lines.extend([&args.output, &args.plot].into_iter().flatten().map(|file| file.display().to_string()));
    lines.iter().try_for_each(|line| stdout::line(line))
}

/// The error of a clip as a heat map, at the moments that compressing looks at.
fn draw(
    args: &CompressArgs,
    file: &Path,
    motion: &Motion<'_>,
    clip: &CompressedClip,
    surroundings: &Surroundings,
) -> Result<(), Failure> {
    let plot = Plot { motion, file: &file_name(&args.model), joints: &[] };
    let svg = plot::compressed_error(&plot, isa()?, clip, args.shell_mm * 1e-3);
    let write = surroundings.unfinished.write(file, svg.as_bytes());
    write.map_err(|error| Failure::of_write(file, &error))
}

/// A file against the model's clip.
fn check(args: &CompressArgs, file: &Path, surroundings: &Surroundings) -> Result<(), Failure> {
    let (model, number) = open_one(&args.model, args.clip.as_ref(), args.strict, surroundings)?;
    let motion = Motion::new(&model, number).map_err(|error| failure(&args.model, error))?;
    let wrong = |why: String| Failure::usage(format!("{}: {why}", file.display()));
    let named = |diagnostic| Failure::Files { diagnostics: vec![diagnostic], edits: Vec::new() };
    let bytes = read_plain(file, CLIP_BYTES_MAX).map_err(named)?;
    let clip = match NamedClip::is_named(&bytes) {
        true => NamedClip::from_bytes(&bytes).map(NamedClip::into_clip),
        false => CompressedClip::from_bytes(&bytes),
    };
    let clip = clip.map_err(|error| wrong(error.to_string()))?;
    let object_m = worst_off(isa()?, &motion, &clip, args.shell_mm * 1e-3).map_err(|error| wrong(error.to_string()))?;
    if let Some(plot) = &args.plot {
        draw(args, plot, &motion, &clip, surroundings)?;
    }
    let is_within = object_m.value <= args.error_mm * 1e-3;
    let joint = motion.name(object_m.joint);
    if surroundings.json.is_some() {
        let fields = json!({
            "name": args.model.display().to_string(),
            "clip": motion.clip().name,
            "file": file,
            "error_max_mm": args.error_mm,
            "shell_mm": args.shell_mm,
            "worst_mm": { "value": object_m.value * 1e3, "joint": joint, "at_s": object_m.at.seconds() },
            "is_within": is_within,
            "plot": args.plot,
        });
        words::line("anim-compress-check/1", fields, surroundings)?;
    } else {
        let off = told(object_m, joint);
        stdout::line(&format!("{}  {off} from {}", file.display(), motion.clip().name))?;
        args.plot.iter().try_for_each(|plot| stdout::line(&plot.display().to_string()))?;
    }
    if is_within {
        return Ok(());
    }
    stderr::note(&format!("{}: the error exceeds {}", file.display(), millimetres(args.error_mm * 1e-3)));
    Err(Failure::Several(status::FINDING))
}

impl Done {
    fn name(&self, joint: usize) -> &str {
        self.joints.get(joint).map_or("", String::as_str)
    }

    fn ratio(&self, bytes: usize) -> f64 {
        self.compressed.report.raw_bytes() as f64 / bytes as f64
    }

    fn fields(&self) -> Value {
        let CompressReport { form, joint_count, source_frame_count, frames_per_source_frame, bytes, .. } =
            self.compressed.report;
        let error = |worst: Worst| json!({ "value": worst.value * 1e3, "joint": self.name(worst.joint), "at_s": worst.at.seconds() });
        let form = match form {
            ClipForm::Frames { frame_ticks, frame_count } => {
                json!({ "frames": frame_count, "frame_s": Tick(frame_ticks).seconds() })
            }
            ClipForm::Keys { count } => json!({ "keys": count }),
        };
        let [default, constant, moving] = [
            self.compressed.report.default_tracks,
            self.compressed.report.constant_tracks,
            self.compressed.report.moving_tracks,
        ];
        json!({
            "clip": self.name,
            "joints": joint_count,
            "duration_s": self.duration.seconds(),
            "samples": source_frame_count,
            "raw_bytes": self.compressed.report.raw_bytes(),
            "bytes": bytes,
            "ratio": self.ratio(bytes),
            "form": form,
            "frames_per_sample": frames_per_source_frame,
            "worst_mm": error(self.compressed.report.object_m),
            "p99_mm": self.compressed.report.object_p99_m * 1e3,
            "tracks": { "default": default, "constant": constant, "moving": moving, "left_out": self.compressed.left_out_count },
            "book": {
                "bytes": self.compressed.book.bytes,
                "ratio": self.ratio(self.compressed.book.bytes),
                "worst_mm": error(self.compressed.book.object_m),
            },
        })
    }

    fn told(&self) -> Vec<String> {
        let report = &self.compressed.report;
        let off = |worst: Worst| told(worst, self.name(worst.joint));
        let shell = format!("error, {} cm", short((self.shell_m * 100.0) as f32));
        let form = match report.form {
            ClipForm::Frames { frame_ticks, frame_count } => {
                let frame_ms = frame_ticks as f64 * 1000.0 / TICKS_PER_SECOND as f64;
                format!("{}, {} ms apart", count(frame_count, "frame", "frames"), short(frame_ms as f32))
            }
            ClipForm::Keys { count: keys } => {
                format!("{} as f32: frames cannot follow it", count(keys, "key", "keys"))
            }
        };
        let size = |bytes: usize| format!("{}, {} : 1", bytes_words(bytes), short(self.ratio(bytes) as f32));
        let joints = count(report.joint_count, "joint", "joints");
        let samples = count(report.source_frame_count, "sample", "samples");
        vec![
            format!("{}  {joints}, {} s, {samples}", self.name, seconds(self.duration)),
            format!("  as f32         {}, 40 bytes per joint and sample", bytes_words(report.raw_bytes())),
            format!("  compressed     {}; {form}", size(report.bytes)),
            format!("  {shell:<14} {}", off(report.object_m)),
            format!("                 99 % of joints and moments within {}", millimetres(report.object_p99_m)),
            format!(
                "  tracks         {} move, {} constant, {} identity",
                report.moving_tracks, report.constant_tracks, report.default_tracks
            ),
            format!(
                "  textbook       {}; error {}",
                size(self.compressed.book.bytes),
                off(self.compressed.book.object_m)
            ),
        ]
    }
}

/// Of several clips.
fn sum(done: &[Done]) -> String {
    let of = |bytes: fn(&Done) -> usize| done.iter().map(bytes).sum::<usize>();
    let [raw, bytes, book] = [
        of(|done| done.compressed.report.raw_bytes()),
        of(|done| done.compressed.report.bytes),
        of(|done| done.compressed.book.bytes),
    ];
    let ratio = |bytes: usize| short((raw as f64 / bytes as f64) as f32);
    let clips = count(done.len(), "clip", "clips");
    format!("{clips}  {}, {} : 1; textbook {} : 1", bytes_words(bytes), ratio(bytes), ratio(book))
}

fn told(worst: Worst, joint: &str) -> String {
    match worst.value > 0.0 {
        true => format!("{} at most, {joint} at {} s", millimetres(worst.value), seconds(worst.at)),
        false => "none".to_string(),
    }
}

/// Small errors keep their digits.
fn millimetres(metres: f64) -> String {
    let mm = metres * 1e3;
    if mm >= 0.1 { format!("{} mm", short(mm as f32)) } else { format!("{mm:.4} mm") }
}

fn seconds(at: Tick) -> String {
    short(at.seconds() as f32)
}
