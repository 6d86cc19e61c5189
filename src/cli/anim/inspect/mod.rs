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

/// Tell what clips are made of, what they do, and what may go wrong with them
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe anim inspect figure.glb
  stillframe anim inspect figure.glb --clip walk --json            for programs

What begins with ! wants a look: turns so far between keys that players differ, keys with another
sign, scales that mirror or differ by axis, clips that do not loop, weights that do not sum to 1.

baked   the clip as frames a fixed time apart, 16 bits a number, as the engine plays it: its size,
        that size against f32, and how far points 3 cm from a joint are from where they belong
root    what the first joint that moves in its parent does from the first pose to the last
seam    the last pose beside the first, what the root has travelled taken out
bounds  a box that the surface never leaves, from the boxes of its joints; of skins blended as matrices")]
pub struct AnimInspectArgs {
    /// A model (.glb .gltf .fbx)
    pub model: PathBuf,
    /// A clip's name, `#N` (its number from 0), or all
    #[arg(long, value_name = "CLIP", default_value = "all", value_parser = parse_clip)]
    pub clip: ClipChoice,
}

pub fn run(args: &AnimInspectArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    let (model, clips) = open(&args.model, &args.clip, surroundings)?;
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
