//! `anim inspect`: what clips of a model are made of, what they do, and what would go wrong with them.
//!
//! `study` finds it out; `text` is for people, programs read the same fields.

mod text;

use std::path::PathBuf;

use clap::Args as ClapArgs;
use serde_json::json;

use super::super::status::Failure;
use super::super::{Surroundings, json as words, stdout};
use crate::cli::anim::open::{failure, open};
use crate::scene::{ClipChoice, parse_clip};
use crate::study::{Motion, clip_facts, weight_facts};

/// List what clips are made of, what they do and what may go wrong with them
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe anim inspect figure.glb
  stillframe anim inspect figure.glb --clip walk --json

Lines with ! may be mistakes: rotations so large that players disagree on their
direction, rotation keys with a changed sign, scales that mirror or differ by
axis, clips that do not loop, weights that do not sum to 1.

baked   the clip as frames at a fixed rate with 16 bits per number, as `anim
        bake` writes it: its size, the ratio to f32, and the error of points
        3 cm from a joint
root    the movement of the first moving joint, from the first pose to the last
seam    the difference between the last pose and the first, without the travel
        of the root
bounds  a box that the surface never leaves, built from boxes of its joints;
        only for skins that blend matrices")]
pub struct AnimInspectArgs {
    /// Model (.glb .gltf .fbx)
    pub model: PathBuf,
    /// Clip by name, `#N` counted from 0, or all
    #[arg(long, value_name = "CLIP", default_value = "all", value_parser = parse_clip)]
    pub clip: ClipChoice,
    /// Treat warnings as errors
    #[arg(long)]
    pub strict: bool,
}

pub fn run(args: &AnimInspectArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    let (model, clips) = open(&args.model, &args.clip, args.strict, surroundings)?;
    let mut facts = Vec::new();
    for number in clips {
        let motion = Motion::new(&model, number).map_err(|error| failure(&args.model, error))?;
        facts.push(clip_facts(&motion));
    }
    let skins = weight_facts(&model);
    let name = args.model.display().to_string();
    if surroundings.json.is_some() {
        let warnings = model.warnings.iter().map(|w| json!({ "code": w.code, "message": w.message, "help": w.help }));
        let fields = json!({
            "name": name,
            "format": model.format.name,
            "clips": facts,
            "skins": skins,
            "warnings": warnings.collect::<Vec<_>>(),
        });
        return stdout::line(&format!("{:#}", words::document("anim-inspect/1", fields)));
    }
    stdout::write(text::page(&name, &model, &facts, &skins).as_bytes())
}
