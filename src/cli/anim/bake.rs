//! `anim bake`: a clip as frames a fixed time apart, every joint in each, for programs that play tables.

use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, ValueEnum};
use serde_json::{Value, json};
use stillframe_anim::pose::NO_PARENT;
use stillframe_base::tick::{FrameRate, TICKS_PER_SECOND};
use stillframe_frames::encode_npy_f32;

use super::super::status::Failure;
use super::super::{Surroundings, json as words, stdout};
use super::isa;
use super::open::{failure, open_one};
use crate::cli::values::millimetres;
use crate::scene::{ClipChoice, parse_clip};
use crate::study::{self, Motion, Numbers, StudyError, Table, bytes_words, short};

/// Write a clip as frames at a fixed rate (.npy, .json), or clips as a texture for vertex shaders (.exr, .png,
/// .npy)
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe anim bake figure.glb --clip walk -o walk.npy
  stillframe anim bake figure.glb --clip walk --what matrices --fps 15 -o w.json
  stillframe anim bake figure.glb --what bones -o figure.exr     all clips

trs       [frame, joint, 10]: translation, rotation (x y z w) and scale, in the
          parent's space
matrices  [frame, joint, 12]: three rows of four, in the model's space
bones     a texture: for each joint of the skins, the rows of the matrix from
          the rest pose, in three texels, then the weights of morph targets
vertices  a texture: for each vertex, its position and its normal, in two texels

Joints are those of the skins, the nodes that the clip moves, and their parents;
parents come first. Units are metres, +Y is up. A frame holds 16 bits per
number; the error against the file is printed. A .json also holds the names of
the joints and that report.

A texture has as many frames as --error-mm needs. Frames follow each other, clip
by clip, in rows of texels. A .json next to it lists the place and the error
of each clip. Texels are plain numbers in .exr and .npy. In .png they are 16
bits between a minimum and a maximum, which the .json contains. A jump takes a
frame of 1/60 s; its error is listed separately.")]
pub struct BakeArgs {
    /// Model (.glb .gltf .fbx)
    pub model: PathBuf,
    /// Clip by name, or `#N` counted from 0 [default: the only one; all for textures]
    #[arg(long, value_name = "CLIP", value_parser = parse_clip)]
    pub clip: Option<ClipChoice>,
    /// Minimum frames per second; more if needed to end on a frame [default: 30]. Textures have as many as they
    /// need
    #[arg(long, value_name = "F", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub fps: Option<u32>,
    /// What to write
    #[arg(long, value_name = "WHAT", default_value = "trs")]
    pub what: BakeWord,
    /// Largest error of a texture, in mm [default: 1]
    #[arg(long, value_name = "MM", value_parser = millimetres)]
    pub error_mm: Option<f64>,
    /// Output file: .npy or .json, or - for standard output as .npy; .exr, .png or .npy for textures
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// Treat warnings as errors
    #[arg(long)]
    pub strict: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BakeWord {
    Trs,
    Matrices,
    Bones,
    Vertices,
}

/// Default frames per second of tables.
pub const TABLE_FPS: u32 = 30;

/// Default largest error of textures, as for `[[crowd]]`.
pub const TEXTURE_ERROR_MM: f64 = 1.0;

/// A file that frames become, by its ending.
struct Form {
    ending: &'static str,
    write: fn(&Named<'_>) -> Vec<u8>,
}

const FORMS: &[Form] = &[Form { ending: "npy", write: npy }, Form { ending: "json", write: document }];

/// Frames as numbers, with the names of their joints.
struct Named<'a> {
    motion: &'a Motion<'a>,
    table: &'a Table,
}

pub fn run(args: &BakeArgs, what: Numbers, surroundings: &Surroundings) -> Result<(), Failure> {
    if args.error_mm.is_some() {
        return Err(Failure::usage("--error-mm is for textures (--what bones, vertices); use --fps for tables"));
    }
    let form = form(&args.output)?;
    let (model, number) = open_one(&args.model, args.clip.as_ref(), args.strict, surroundings)?;
    let wrong = |error: StudyError| failure(&args.model, error);
    let motion = Motion::new(&model, number).map_err(wrong)?;
    let rate = FrameRate::whole(args.fps.unwrap_or(TABLE_FPS));
    let table = study::table(isa()?, &motion, rate, what).map_err(wrong)?;
    let named = Named { motion: &motion, table: &table };
    let bytes = (form.write)(&named);
    if args.output == Path::new("-") {
        return stdout::write(&bytes);
    }
    let write = surroundings.unfinished.write(&args.output, &bytes);
    write.map_err(|error| Failure::of_write(&args.output, &error))?;
    if surroundings.json.is_some() {
        let mut fields = named.about();
        fields["file"] = json!(args.output);
        return words::line("anim-bake/1", fields, surroundings);
    }
    named.told(&args.output).iter().try_for_each(|line| stdout::line(line))
}

/// Standard output takes what numpy reads.
fn form(output: &Path) -> Result<&'static Form, Failure> {
    if output == Path::new("-") {
        return Ok(&FORMS[0]);
    }
    let ending = output.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    FORMS.iter().find(|form| form.ending == ending).ok_or_else(|| {
        let known: Vec<String> = FORMS.iter().map(|form| format!(".{}", form.ending)).collect();
        Failure::usage(format!("{}: the output must be {}", output.display(), known.join(" or ")))
    })
}

fn npy(named: &Named<'_>) -> Vec<u8> {
    encode_npy_f32(&named.table.shape(), &named.table.values)
}

fn document(named: &Named<'_>) -> Vec<u8> {
    let mut fields = named.about();
    let Table { numbers, values, .. } = named.table;
    let joint = |numbers: &[f32]| json!(numbers);
    let row = named.table.shape()[1..].iter().product::<usize>().max(1);
    let frame = |frame: &[f32]| frame.chunks_exact(numbers.width()).map(joint).collect::<Vec<Value>>();
    fields["frames"] = values.chunks_exact(row).map(frame).collect();
    format!("{}\n", words::document("anim-bake/1", fields)).into_bytes()
}

impl Named<'_> {
    /// Everything but the numbers.
    fn about(&self) -> Value {
        let skeleton = &self.motion.skeleton;
        let joints = skeleton
            .names()
            .iter()
            .zip(skeleton.parents())
            .map(|(name, parent)| json!({ "name": name, "parent": (*parent != NO_PARENT).then_some(*parent) }));
        let place = |worst: stillframe_anim::sample::Worst| json!({ "value": worst.value, "joint": skeleton.names().get(worst.joint), "at_s": worst.at.seconds() });
        let Table { clip, report, numbers, .. } = self.table;
        json!({
            "clip": self.motion.clip().name,
            "what": word(*numbers),
            "shape": self.table.shape(),
            "frame_s": clip.frame_ticks() as f64 / TICKS_PER_SECOND as f64,
            "duration_s": clip.duration().seconds(),
            "joints": joints.collect::<Vec<_>>(),
            "report": {
                "bytes": report.bytes,
                "raw_bytes": report.raw_bytes(),
                "moving_rotations": report.moving_rotations,
                "moving_translations": report.moving_translations,
                "moving_scales": report.moving_scales,
                "frame_turn_deg": place(report.key_angle_deg),
                "rotation_deg": place(report.rotation_deg),
                "translation_m": place(report.translation_m),
                "object_m": place(report.object_m),
            },
        })
    }

    fn told(&self, output: &Path) -> Vec<String> {
        let [frames, joints, width] = self.table.shape();
        let Table { clip, report, numbers, .. } = self.table;
        let name = |joint: usize| self.motion.skeleton.names().get(joint).map_or("", String::as_str);
        let off = |worst: stillframe_anim::sample::Worst, scale: f64, unit: &str| {
            let (value, at) = (short((worst.value * scale) as f32), short(worst.at.seconds() as f32));
            if worst.value == 0.0 {
                "none".to_string()
            } else {
                format!("{value} {unit}, {} at {at} s", name(worst.joint))
            }
        };
        let frame_ms = clip.frame_ticks() as f64 * 1000.0 / TICKS_PER_SECOND as f64;
        vec![
            format!("{}  {frames} x {joints} x {width}  frame, joint, {}", output.display(), order(*numbers)),
            format!("  frames         {frames}, {} ms apart", short(frame_ms as f32)),
            format!(
                "  moving         {} rotations, {} translations, {} scales of {joints} joints",
                report.moving_rotations, report.moving_translations, report.moving_scales
            ),
            format!("  in memory      {} (as f32 {})", bytes_words(report.bytes), bytes_words(report.raw_bytes())),
            format!("  turn per frame {}", off(report.key_angle_deg, 1.0, "degrees at most")),
            format!("  error, 3 cm    {}", off(report.object_m, 1000.0, "mm at most")),
            format!("  rotations      {}", off(report.rotation_deg, 1.0, "degrees at most")),
            format!("  translations   {}", off(report.translation_m, 1000.0, "mm at most")),
        ]
    }
}

fn word(numbers: Numbers) -> &'static str {
    match numbers {
        Numbers::Trs => "trs",
        Numbers::Matrices => "matrices",
    }
}

/// Which numbers a joint has, in order.
fn order(numbers: Numbers) -> &'static str {
    match numbers {
        Numbers::Trs => "translation 3 rotation 4 (x y z w) scale 3, in the parent's space",
        Numbers::Matrices => "matrix by rows, 3 x 4, in the model's space",
    }
}
