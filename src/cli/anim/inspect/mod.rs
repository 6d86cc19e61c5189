//! `anim inspect`: what clips of a model are made of, what they do, and what would go wrong with them.
//!
//! `clip` finds it out about a clip, `bounds` where it takes the model, `weights` about skins, `text` tells people; programs read the same fields.

mod bounds;
mod clip;
mod text;
mod weights;

use serde_json::json;

use super::super::status::Failure;
use super::super::{Surroundings, json as words, stdout};
use super::args::AnimInspectArgs;
use super::motion::{self, Motion};

pub fn run(args: &AnimInspectArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    let (model, clips) = motion::open(&args.model, &args.clip, surroundings)?;
    let mut facts = Vec::new();
    for number in clips {
        let motion = Motion::new(&model, number).map_err(|why| Failure::usage(format!("{:?}: {why}", args.model)))?;
        facts.push(clip::facts(&motion));
    }
    let skins = weights::facts(&model);
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
