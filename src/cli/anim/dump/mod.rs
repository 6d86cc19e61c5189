//! `anim dump`: what a clip does to a model, or an animator to a figure of a scene, as numbers. `subject` poses, `metrics` judges motions.

mod metrics;
mod subject;

use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, ValueEnum};
use serde_json::{Value, json};
use stillframe_base::tick::{FrameRate, Tick};
use stillframe_frames::encode_npy_f32;

use super::super::status::Failure;
use super::super::{Surroundings, json as words, stdout};
use crate::cli::moment::Frames;
use crate::cli::values::millimetres;
use crate::import::Model;
use crate::pose::{self, OfPoint, Pose};
use crate::scene::{ClipChoice, parse_clip};
use subject::{Posed, Subject};

/// Write what a clip does to a model, or an animator to a figure, as numbers (.npy, .json), to check against other programs
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
positions, normals  [frame, point, 3], in metres and model space, +Y up. Points as the file
                    numbers them (FBX control points, glTF _VID), else vertices in order; of
                    several vertices that are one point the first; NaN where no triangle uses it
joints              [frame, joint, 3], of its skins; of all nodes where it has no skin
morphs              [frame, weight]
solvers             of an animator: what each solver reached for, in the world, what is left, its
                    passes, whether limits of joints hold it and whether it had to leave a straight
                    line first (JSON)
metrics             of frames one after the other (JSON): the largest change of a joint's angular
                    velocity from one frame to the next; the jump from the last pose to the first,
                    the way of the first joint over the ground taken out; how far --feet slide

A frame is 1/30 s from the clip's start; before its start and after its end the first and last
moment hold. Clips play as the file stores them. Of an animator a frame is 1/30 s from the scene's
start, and numbers are those behind its graph and its solvers, in the model's space, without the
way of its root; metrics have it.")]
pub struct DumpArgs {
    /// A model (.glb .gltf .fbx .obj .stl .ply), or a scene (.toml) with animators
    pub model: PathBuf,
    /// A clip's name, `#N` (its number from 0), all, or none: the model as it is stored [default: none]
    #[arg(long, value_name = "CLIP", value_parser = parse_clip)]
    pub clip: Option<ClipChoice>,
    /// An animator of a scene [default: the only one]
    #[arg(long, value_name = "NAME", conflicts_with = "clip")]
    pub animator: Option<String>,
    /// Which of the nodes that wear it, with the names of those above: group/node [default: the first]
    #[arg(long, value_name = "NAME", conflicts_with = "clip")]
    pub node: Option<String>,
    /// Frames: A..B with both ends, or a list like 0,5,9..12
    #[arg(long, value_name = "LIST", default_value = "0", value_parser = Frames::parse)]
    pub frames: Frames,
    /// What to write
    #[arg(long, value_name = "WHAT")]
    pub what: DumpWord,
    /// Joints whose slides along the floor metrics tell, several with commas
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub feet: Vec<String>,
    /// Lower than this a joint of --feet is on the floor, in millimetres
    #[arg(long, value_name = "MM", default_value = "30", value_parser = millimetres)]
    pub floor_mm: f64,
    /// The file (.npy; of solvers and metrics .json); - is standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
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

/// Frames a second of `anim dump`.
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
        return Err(Failure::usage("--feet are for --what metrics"));
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
        return Err(Failure::usage(format!("{}: numbers are written as .npy", args.output.display())));
    }
    let (of, frame_count) = (args.model.display(), args.frames.0.len());
    let mut values = Vec::new();
    for frame in &args.frames.0 {
        let Posed { pose, .. } = subject.at(time_of(*frame))?;
        let row = row(args.what, subject.model(), &pose).map_err(Failure::usage)?;
        if row.is_empty() {
            return Err(Failure::usage(format!("{of}: there are no {} in it", args.what.plural())));
        }
        if row.len().saturating_mul(frame_count) > NUMBERS_MAX {
            let help = format!("--frames of at most {} at once", (NUMBERS_MAX / row.len()).max(1));
            let why =
                format!("{frame_count} frames of {} numbers are more than the {NUMBERS_MAX} of a file", row.len());
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
