//! `anim bake`: a clip as frames a fixed time apart, every joint in each, for programs that play tables.

use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, ValueEnum};
use glam::Affine3A;
use serde_json::{Value, json};
use stillframe_anim::pose::{Affine, JointBlock, LocalToModel, NO_PARENT};
use stillframe_anim::sample::{ClipReport, Sample, UniformClip};
use stillframe_base::lanes::Isa;
use stillframe_base::tick::{FrameRate, TICKS_PER_SECOND, Tick};
use stillframe_frames::encode_npy_f32;

use super::super::inspect::short;
use super::super::status::Failure;
use super::super::{Surroundings, json as words, stdout};
use super::motion::{self, Motion};
use super::{bytes_words, isa};
use crate::cli::values::millimetres;
use crate::scene::{ClipChoice, parse_clip};

/// Write a clip as frames a fixed time apart (.npy, .json), or clips as a texture for vertex shaders (.exr, .png, .npy)
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe anim bake figure.glb --clip walk -o walk.npy
  stillframe anim bake figure.glb --clip walk --what matrices --fps 15 -o walk.json
  stillframe anim bake figure.glb --what bones -o figure.exr       all clips, as crowds play them

trs       [frame, joint, 10]: translation, rotation (x y z w), scale, in the parent's space
matrices  [frame, joint, 12]: three rows of four, in the model's space
bones     a texture: of each joint of the skins the rows of the matrix that takes the surface from
          where it rests, three texels; shares of morphs behind them
vertices  a texture: of each vertex its position and its normal, two texels

Joints are those of the file's skins, nodes that the clip moves, and what is above these, parents
first; metres, +Y up. Numbers are those of the frames, which hold 16 bits each: how far they are
from the file is told. A .json names the joints and holds that report too.

Textures hold as many frames as --error-mm takes, one behind the other, texel by texel in rows, and
one clip behind the other; a .json beside them tells where, and how far clips are off. Texels are
numbers in .exr and .npy; in .png they are 16 bits each between a least and a most, in the .json.
A jump takes a frame of a sixtieth of a second; how far clips are off in jumps is told apart.")]
pub struct BakeArgs {
    /// A model (.glb .gltf .fbx)
    pub model: PathBuf,
    /// A clip's name, or `#N` (its number from 0) [default: the only one; of textures, all]
    #[arg(long, value_name = "CLIP", value_parser = parse_clip)]
    pub clip: Option<ClipChoice>,
    /// Frames a second at least: so many more that the clip's end is a frame [default: 30]; textures have as many as they need
    #[arg(long, value_name = "F", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub fps: Option<u32>,
    /// What to write
    #[arg(long, value_name = "WHAT", default_value = "trs")]
    pub what: BakeWord,
    /// The largest error of textures, in millimetres [default: 1]
    #[arg(long, value_name = "MM", value_parser = millimetres)]
    pub error_mm: Option<f64>,
    /// The file, by its ending .npy or .json; - is standard output, as .npy; textures are .exr, .png or .npy
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BakeWord {
    Trs,
    Matrices,
    Bones,
    Vertices,
}

/// Frames a second of tables, where none are said.
pub const TABLE_FPS: u32 = 30;

/// The largest error of textures, where none is said: that of `[[crowd]]`s.
pub const TEXTURE_ERROR_MM: f64 = 1.0;

/// A file that frames become, by its ending.
struct Form {
    ending: &'static str,
    write: fn(&Table<'_>) -> Vec<u8>,
}

const FORMS: &[Form] = &[Form { ending: "npy", write: npy }, Form { ending: "json", write: document }];

/// What is written of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    Trs,
    Matrices,
}

/// Frames as numbers, with whose they are.
struct Table<'a> {
    motion: &'a Motion<'a>,
    clip: &'a UniformClip,
    report: &'a ClipReport,
    what: Numbers,
    /// A frame after the other, a joint after the other.
    numbers: Vec<f32>,
}

pub fn run(args: &BakeArgs, what: Numbers, surroundings: &Surroundings) -> Result<(), Failure> {
    if args.error_mm.is_some() {
        return Err(Failure::usage("--error-mm bounds textures (--what bones, vertices); --fps is what tables have"));
    }
    let form = form(&args.output)?;
    let (model, number) = motion::open_one(&args.model, args.clip.as_ref(), surroundings)?;
    let wrong = |why: String| Failure::usage(format!("{}: {why}", args.model.display()));
    let motion = Motion::new(&model, number).map_err(wrong)?;
    let (clip, report) = motion.bake(FrameRate::whole(args.fps.unwrap_or(TABLE_FPS))).map_err(wrong)?;
    let numbers = frames(isa()?, &motion, &clip, what);
    let table = Table { motion: &motion, clip: &clip, report: &report, what, numbers };
    let bytes = (form.write)(&table);
    if args.output == Path::new("-") {
        return stdout::write(&bytes);
    }
    let write = surroundings.unfinished.write(&args.output, &bytes);
    write.map_err(|error| Failure::of_write(&args.output, &error))?;
    if surroundings.json.is_some() {
        let mut fields = table.about();
        fields["file"] = json!(args.output);
        return words::line("anim-bake/1", fields, surroundings);
    }
    table.told(&args.output).iter().try_for_each(|line| stdout::line(line))
}

/// Standard output takes what numpy reads.
fn form(output: &Path) -> Result<&'static Form, Failure> {
    if output == Path::new("-") {
        return Ok(&FORMS[0]);
    }
    let ending = output.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    FORMS.iter().find(|form| form.ending == ending).ok_or_else(|| {
        let known: Vec<String> = FORMS.iter().map(|form| format!(".{}", form.ending)).collect();
        Failure::usage(format!("{}: frames are written as {}", output.display(), known.join(" or ")))
    })
}

/// What the frames themselves hold, rounding to 16 bits included.
fn frames(isa: Isa, motion: &Motion<'_>, clip: &UniformClip, what: Numbers) -> Vec<f32> {
    let joint_count = clip.joint_count();
    let mut locals = vec![JointBlock::IDENTITY; JointBlock::count_for(joint_count)];
    let mut models = vec![Affine::IDENTITY; joint_count];
    let mut out = Vec::with_capacity(clip.frame_count() * joint_count * what.width());
    for frame in 0..clip.frame_count() {
        Sample { isa, clip, at: time_of(clip, frame), out: &mut locals }.run();
        match what {
            Numbers::Trs => {
                for joint in (0..joint_count).map(|joint| JointBlock::joint(&locals, joint)) {
                    out.extend(joint.translation.to_array());
                    out.extend(joint.rotation.to_array());
                    out.extend(joint.scale.to_array());
                }
            }
            Numbers::Matrices => {
                let (parents, root) = (motion.skeleton.parents(), &Affine::IDENTITY);
                LocalToModel { isa, parents, locals: &locals, root, models: &mut models }.run();
                for model in &models {
                    let model = Affine3A::from(*model);
                    for row in 0..3 {
                        out.extend([0, 1, 2].map(|column| model.matrix3.col(column)[row]));
                        out.push(model.translation[row]);
                    }
                }
            }
        }
    }
    out
}

fn time_of(clip: &UniformClip, frame: usize) -> Tick {
    Tick(frame as i64 * clip.frame_ticks()).min(clip.duration())
}

fn npy(table: &Table<'_>) -> Vec<u8> {
    encode_npy_f32(&table.shape(), &table.numbers)
}

fn document(table: &Table<'_>) -> Vec<u8> {
    let mut fields = table.about();
    let joint = |numbers: &[f32]| json!(numbers);
    let row = table.shape()[1..].iter().product::<usize>().max(1);
    let frame = |frame: &[f32]| frame.chunks_exact(table.what.width()).map(joint).collect::<Vec<Value>>();
    fields["frames"] = table.numbers.chunks_exact(row).map(frame).collect();
    format!("{}\n", words::document("anim-bake/1", fields)).into_bytes()
}

impl Table<'_> {
    fn shape(&self) -> [usize; 3] {
        [self.clip.frame_count(), self.clip.joint_count(), self.what.width()]
    }

    /// Everything but the numbers.
    fn about(&self) -> Value {
        let skeleton = &self.motion.skeleton;
        let joints = skeleton
            .names()
            .iter()
            .zip(skeleton.parents())
            .map(|(name, parent)| json!({ "name": name, "parent": (*parent != NO_PARENT).then_some(*parent) }));
        let place = |worst: stillframe_anim::sample::Worst| json!({ "value": worst.value, "joint": skeleton.names().get(worst.joint), "at_s": worst.at.seconds() });
        let report = self.report;
        json!({
            "clip": self.motion.clip().name,
            "what": self.what.word(),
            "shape": self.shape(),
            "frame_s": self.clip.frame_ticks() as f64 / TICKS_PER_SECOND as f64,
            "duration_s": self.clip.duration().seconds(),
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
        let [frames, joints, width] = self.shape();
        let report = self.report;
        let name = |joint: usize| self.motion.skeleton.names().get(joint).map_or("", String::as_str);
        let off = |worst: stillframe_anim::sample::Worst, scale: f64, unit: &str| {
            let (value, at) = (short((worst.value * scale) as f32), short(worst.at.seconds() as f32));
            if worst.value == 0.0 {
                "none".to_string()
            } else {
                format!("{value} {unit}, {} at {at} s", name(worst.joint))
            }
        };
        let frame_ms = self.clip.frame_ticks() as f64 * 1000.0 / TICKS_PER_SECOND as f64;
        vec![
            format!("{}  {frames} x {joints} x {width}  frame, joint, {}", output.display(), self.what.numbers()),
            format!("  frames         {frames}, {} ms apart", short(frame_ms as f32)),
            format!(
                "  moving         {} rotations, {} translations, {} scales of {joints} joints",
                report.moving_rotations, report.moving_translations, report.moving_scales
            ),
            format!("  in memory      {} (as f32 {})", bytes_words(report.bytes), bytes_words(report.raw_bytes())),
            format!("  turn a frame   {}", off(report.key_angle_deg, 1.0, "degrees at most")),
            format!("  error, 3 cm    {}", off(report.object_m, 1000.0, "mm at most")),
            format!("  of rotations   {}", off(report.rotation_deg, 1.0, "degrees at most")),
            format!("  of places      {}", off(report.translation_m, 1000.0, "mm at most")),
        ]
    }
}

impl Numbers {
    fn width(self) -> usize {
        match self {
            Numbers::Trs => 10,
            Numbers::Matrices => 12,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Numbers::Trs => "trs",
            Numbers::Matrices => "matrices",
        }
    }

    fn numbers(self) -> &'static str {
        match self {
            Numbers::Trs => "translation 3 rotation 4 (x y z w) scale 3, in the parent's space",
            Numbers::Matrices => "matrix by rows, 3 x 4, in the model's space",
        }
    }
}
