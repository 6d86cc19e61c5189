//! `anim dump`: what a clip does to a model, as numbers.

use std::path::Path;

use serde_json::json;
use stillframe_base::tick::{FrameRate, Tick};
use stillframe_frames::{Picture, Samples, encode_npy};

use super::super::status::Failure;
use super::super::{Surroundings, inspect, json as words, report, stdout};
use super::args::{DumpArgs, DumpWord};
use crate::import::Model;
use crate::pose::{self, OfPoint, Playing, Pose};
use crate::scene::Wishes;
use crate::world;

/// Frames a second of `anim dump`.
const FRAMES_PER_SECOND: u32 = 30;

/// Writes the numbers and says whose they are.
pub fn run(args: &DumpArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    let files = |diagnostics| Failure::Files { diagnostics, edits: Vec::new() };
    let wishes = Wishes { clip: Some(args.clip.clone()), ..Wishes::default() };
    let (scene, model) = inspect::read(&args.model, &wishes, surroundings)?;
    report::diagnostics(&model.warnings, &[], surroundings);
    let clips = world::playing_clips(&scene.models[0], &model).map_err(files)?;
    let mut values = Vec::new();
    for frame in &args.frames.0 {
        let time = Tick::of_frame(i64::from(*frame), FrameRate::whole(FRAMES_PER_SECOND));
        let playing: Vec<Playing> = clips.iter().map(|clip| Playing { clip: *clip, time }).collect();
        values.extend(row(args.what, &model, &pose::pose(&model, &playing)).map_err(Failure::usage)?);
    }
    let names = names(args.what, &model);
    let channel_count = if args.what == DumpWord::Morphs { 1 } else { 3 };
    let frame_count = args.frames.0.len() as u32;
    let width = (values.len() / args.frames.0.len()) as u32 / channel_count;
    let table = Picture::new(width, frame_count, channel_count, Samples::F32(values))
        .map_err(|error| Failure::usage(format!("{}: {error}", args.model.display())))?;
    let bytes = encode_npy(&table);
    if args.output == Path::new("-") {
        return stdout::write(&bytes);
    }
    let write = surroundings.unfinished.write(&args.output, &bytes);
    write.map_err(|error| Failure::of_write(&args.output, &error))?;
    let mut shape = vec![frame_count, width];
    shape.extend((channel_count > 1).then_some(channel_count));
    if surroundings.json.is_some() {
        let fields = json!({ "file": args.output, "shape": shape, "frames": args.frames.0, "names": names });
        return words::line("anim_dump/1", fields, surroundings);
    }
    let shape: Vec<String> = shape.iter().map(u32::to_string).collect();
    stdout::line(&format!("{}  {}", args.output.display(), shape.join(" x ")))?;
    names.iter().enumerate().try_for_each(|(index, name)| stdout::line(&format!("{index:4} {name}")))
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
