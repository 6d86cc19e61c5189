//! `anim dump`: what a clip does to a model, as numbers.

use std::path::Path;

use serde_json::json;
use stillframe_base::tick::{FrameRate, Tick};
use stillframe_frames::encode_npy_f32;

use super::super::status::Failure;
use super::super::{Surroundings, inspect, json as words, report, stdout};
use super::args::{DumpArgs, DumpWord};
use crate::import::Model;
use crate::pose::{self, OfPoint, Playing, Pose};
use crate::scene::Wishes;
use crate::world;

/// Frames a second of `anim dump`.
const FRAMES_PER_SECOND: u32 = 30;

/// Of one file: 1 GiB.
const NUMBERS_MAX: usize = 1 << 28;

/// Writes the numbers and says whose they are.
pub fn run(args: &DumpArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    if args.output != Path::new("-") && !args.output.extension().is_some_and(|e| e.eq_ignore_ascii_case("npy")) {
        return Err(Failure::usage(format!("{}: numbers are written as .npy", args.output.display())));
    }
    let files = |diagnostics| Failure::Files { diagnostics, edits: Vec::new() };
    let wrong = |why: String| Failure::usage(format!("{}: {why}", args.model.display()));
    let wishes = Wishes { clip: Some(args.clip.clone()), ..Wishes::default() };
    let (scene, model) = inspect::read(&args.model, &wishes, surroundings)?;
    report::diagnostics(&model.warnings, &[], surroundings);
    let clips = world::playing_clips(&scene.models[0], &model).map_err(files)?;
    let mut values = Vec::new();
    for frame in &args.frames.0 {
        let time = Tick::of_frame(i64::from(*frame), FrameRate::whole(FRAMES_PER_SECOND));
        let playing: Vec<Playing> = clips.iter().map(|clip| Playing { clip: *clip, time }).collect();
        let row = row(args.what, &model, &pose::pose(&model, &playing)).map_err(Failure::usage)?;
        if row.is_empty() {
            return Err(wrong(format!("there are no {} in it", args.what.plural())));
        }
        let number_count = row.len().saturating_mul(args.frames.0.len());
        if number_count > NUMBERS_MAX {
            let frames = args.frames.0.len();
            let help = format!("--frames of at most {} at once", (NUMBERS_MAX / row.len()).max(1));
            let why = format!("{frames} frames of {} numbers are more than the {NUMBERS_MAX} of a file", row.len());
            return Err(Failure::Usage(format!("{}: {why}", args.model.display()), Some(help)));
        }
        values.extend(row);
    }
    let names = names(args.what, &model);
    let channel_count = if args.what == DumpWord::Morphs { 1 } else { 3 };
    let frame_count = args.frames.0.len();
    let mut shape = vec![frame_count, values.len() / frame_count / channel_count];
    shape.extend((channel_count > 1).then_some(channel_count));
    let bytes = encode_npy_f32(&shape, &values);
    if args.output == Path::new("-") {
        return stdout::write(&bytes);
    }
    let write = surroundings.unfinished.write(&args.output, &bytes);
    write.map_err(|error| Failure::of_write(&args.output, &error))?;
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
        }
    }
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
    })
}

/// Whose numbers they are; points have none.
fn names(what: DumpWord, model: &Model) -> Vec<&str> {
    match what {
        DumpWord::Positions | DumpWord::Normals => Vec::new(),
        DumpWord::Joints => pose::joints(model).into_iter().map(|node| model.nodes[node].name.as_str()).collect(),
        DumpWord::Morphs => {
            model.nodes.iter().flat_map(|node| &node.morphs).map(|channel| channel.name.as_str()).collect()
        }
    }
}
