//! `anim dump`: what a clip does to a model, or an animator to a figure of a scene, as numbers. `subject` poses,
//! `metrics` judges motions.

mod metrics;
mod subject;

use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, ValueEnum};
use serde_json::{Value, json};
use stillframe_base::tick::{FrameRate, Tick};
use stillframe_frames::encode_npy_f32;

use super::super::status::Failure;
use super::super::{Surroundings, json as words, stdout};
use crate::cli::values::{Frames, millimetres};
use crate::import::Model;
use crate::pose::{self, OfPoint, Pose};
use crate::scene::{ClipChoice, parse_clip};
use subject::{Posed, Subject};

/// Write the poses of a clip or an animator as numbers (.npy, .json), to compare with other programs
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe anim dump figure.glb --clip walk --what positions -o walk.npy
  stillframe anim dump figure.glb --clip walk --what joints --frames 5 -o j.npy
  stillframe anim dump model.glb --what normals -o rest.npy
  stillframe anim dump walker.toml --frames 0..59 --what joints -o walk.npy
  stillframe anim dump walker.toml --what solvers -o reached.json

positions   [frame, point, 3] in metres of the model's space, +Y up. Points are
normals     those of the file (FBX control points, glTF _VID), else vertices in
            order. If a point has several vertices, the first one counts. NaN
            if no triangle uses the point
joints      [frame, joint, 3]: joints of the skins, or all nodes if there is no
            skin
morphs      [frame, weight]
solvers     For each solver of an animator: its target in world space, the
            remaining distance, its number of iterations, whether joint limits
            held it back, and whether it had to bend a straight chain first
            (JSON)
metrics     For consecutive frames (JSON): the largest change of a joint's
            angular velocity between frames; the jump from the last pose to the
            first, without the travel of the first joint; how far --feet slide

Frames are 1/30 s apart, from the start of the clip or of the animator's scene.
Before the start and after the end of a clip, its first and last pose hold. A
clip is sampled as the file stores it. An animator's numbers include its graph
and its solvers, but not its root motion, and are in the model's space. Metrics
also include root motion.")]
pub struct DumpArgs {
    /// Model (.glb .gltf .fbx .obj .stl .ply), or scene (.toml) with animators
    pub model: PathBuf,
    /// Clip by name, `#N` counted from 0, all, or none for the model as stored [default: none]
    #[arg(long, value_name = "CLIP", value_parser = parse_clip)]
    pub clip: Option<ClipChoice>,
    /// Animator of the scene [default: the only one]
    #[arg(long, value_name = "NAME", conflicts_with = "clip")]
    pub animator: Option<String>,
    /// Node with this animator, by its path: group/node [default: the first]
    #[arg(long, value_name = "NAME", conflicts_with = "clip")]
    pub node: Option<String>,
    /// Frames: A..B including both, or a list like 0,5,9..12
    #[arg(long, value_name = "LIST", default_value = "0", value_parser = Frames::parse)]
    pub frames: Frames,
    /// What to write
    #[arg(long, value_name = "WHAT")]
    pub what: DumpWord,
    /// For metrics: joints to measure for foot sliding, separated by commas
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub feet: Vec<String>,
    /// For metrics: height in mm below which a joint of --feet is on the floor
    #[arg(long, value_name = "MM", default_value = "30", value_parser = millimetres)]
    pub floor_mm: f64,
    /// Output file (.npy; .json for solvers and metrics), or - for standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// Treat warnings as errors
    #[arg(long)]
    pub strict: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DumpWord {
    Positions,
    Normals,
    Joints,
    Morphs,
    Solvers,
    Metrics,
}

/// Frames per second of `anim dump`.
const FRAMES_PER_SECOND: u32 = 30;

/// Of one file: 1 GiB.
const NUMBERS_MAX: usize = 1 << 28;

/// When a frame is.
fn time_of(frame: i32) -> Tick {
    Tick::of_frame(i64::from(frame), FrameRate::whole(FRAMES_PER_SECOND))
}

/// Writes the numbers and says whose they are.
pub fn run(args: &DumpArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    if !args.feet.is_empty() && args.what != DumpWord::Metrics {
        return Err(Failure::usage("--feet needs --what metrics"));
    }
    let mut subject = Subject::open(args, surroundings)?;
    match args.what {
        DumpWord::Solvers => {
            let document = solvers(args, &mut subject)?;
            write_document(args, "anim-solvers/1", document, surroundings)
        }
        DumpWord::Metrics => {
            let document = metrics::document(args, &mut subject)?;
            write_document(args, "anim-metrics/1", document, surroundings)
        }
        DumpWord::Positions | DumpWord::Normals | DumpWord::Joints | DumpWord::Morphs => {
            table(args, &mut subject, surroundings)
        }
    }
}

fn table(args: &DumpArgs, subject: &mut Subject, surroundings: &Surroundings) -> Result<(), Failure> {
    if args.output != Path::new("-") && !args.output.extension().is_some_and(|e| e.eq_ignore_ascii_case("npy")) {
        return Err(Failure::usage(format!("{}: the output must be .npy", args.output.display())));
    }
    let (of, frame_count) = (args.model.display(), args.frames.0.len());
    let mut values = Vec::new();
    for frame in &args.frames.0 {
        let Posed { pose, .. } = subject.at(time_of(*frame))?;
        let row = row(args.what, subject.model(), &pose).map_err(Failure::usage)?;
        if row.is_empty() {
            return Err(Failure::usage(format!("{of}: it has no {}", args.what.plural())));
        }
        if row.len().saturating_mul(frame_count) > NUMBERS_MAX {
            let help = format!("dump at most {} frames at once", (NUMBERS_MAX / row.len()).max(1));
            let why =
                format!("{frame_count} frames of {} numbers exceed the {NUMBERS_MAX} that a file can hold", row.len());
            return Err(Failure::Usage(format!("{of}: {why}"), Some(help)));
        }
        values.extend(row);
    }
    let names = names(args.what, subject.model());
    let channel_count = if args.what == DumpWord::Morphs { 1 } else { 3 };
    let mut shape = vec![frame_count, values.len() / frame_count / channel_count];
    shape.extend((channel_count > 1).then_some(channel_count));
    let bytes = encode_npy_f32(&shape, &values);
    if args.output == Path::new("-") {
        return stdout::write(&bytes);
    }
    write(args, &bytes, surroundings)?;
    if surroundings.json.is_some() {
        let fields = json!({ "file": args.output, "shape": shape, "frames": args.frames.0, "names": names });
        return words::line("anim_dump/1", fields, surroundings);
    }
    let shape: Vec<String> = shape.iter().map(usize::to_string).collect();
    stdout::line(&format!("{}  {}", args.output.display(), shape.join(" x ")))?;
    names.iter().enumerate().try_for_each(|(index, name)| stdout::line(&format!("{index:4} {name}")))
}

impl DumpWord {
    fn plural(self) -> &'static str {
        match self {
            DumpWord::Positions => "points",
            DumpWord::Normals => "normals",
            DumpWord::Joints => "joints",
            DumpWord::Morphs => "morphs",
            DumpWord::Solvers | DumpWord::Metrics => unreachable!("they are documents"),
        }
    }
}

fn write(args: &DumpArgs, bytes: &[u8], surroundings: &Surroundings) -> Result<(), Failure> {
    let write = surroundings.unfinished.write(&args.output, bytes);
    write.map_err(|error| Failure::of_write(&args.output, &error))
}

/// A document in a file, or on standard output.
fn write_document(args: &DumpArgs, schema: &str, fields: Value, surroundings: &Surroundings) -> Result<(), Failure> {
    let text = format!("{:#}\n", words::document(schema, fields));
    if args.output == Path::new("-") {
        return stdout::write(text.as_bytes());
    }
    write(args, text.as_bytes(), surroundings)?;
    match surroundings.json {
        Some(_) => words::line("anim_dump/1", json!({ "file": args.output, "frames": args.frames.0 }), surroundings),
        None => stdout::line(&args.output.display().to_string()),
    }
}

/// What solvers came to, frame by frame.
fn solvers(args: &DumpArgs, subject: &mut Subject) -> Result<Value, Failure> {
    let mut frames = Vec::new();
    for frame in &args.frames.0 {
        let time = time_of(*frame);
        let posed = subject.at(time)?;
        let solved = posed.solved.iter().map(|of| {
            json!({
                "number": of.number,
                "kind": of.kind,
                "joint": of.joint,
                "target": of.target.to_array(),
                "reached": of.reach.reached,
                "left_m": of.reach.distance_m,
                "passes": of.reach.iterations,
                "limited": of.reach.limited,
                "straight": of.reach.blind,
            })
        });
        let solved: Vec<Value> = solved.collect();
        frames.push(json!({ "frame": frame, "time_s": time.seconds(), "solvers": solved }));
    }
    let (animator, node) = subject.figure()?;
    Ok(json!({ "animator": animator, "node": node, "frames": frames }))
}

/// The numbers of one frame.
fn row(what: DumpWord, model: &Model, pose: &Pose) -> Result<Vec<f32>, String> {
    let flat = |points: Vec<[f32; 3]>| points.into_iter().flatten().collect();
    Ok(match what {
        DumpWord::Positions => flat(pose::points(model, pose, OfPoint::Position)?),
        DumpWord::Normals => flat(pose::points(model, pose, OfPoint::Normal)?),
        DumpWord::Joints => {
            let at = |node: usize| pose.model_from_local[node].w_axis.truncate().to_array();
            flat(pose::joints(model).into_iter().map(at).collect())
        }
        DumpWord::Morphs => pose.morph_weights.iter().flatten().map(|weight| *weight as f32).collect(),
        DumpWord::Solvers | DumpWord::Metrics => unreachable!("they are documents"),
    })
}

/// Whose numbers they are; points have none.
fn names(what: DumpWord, model: &Model) -> Vec<&str> {
    match what {
        DumpWord::Positions | DumpWord::Normals | DumpWord::Solvers | DumpWord::Metrics => Vec::new(),
        DumpWord::Joints => pose::joints(model).into_iter().map(|node| model.nodes[node].name.as_str()).collect(),
        DumpWord::Morphs => {
            model.nodes.iter().flat_map(|node| &node.morphs).map(|channel| channel.name.as_str()).collect()
        }
    }
}
