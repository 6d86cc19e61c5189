//! `hash`: the pixel hash of every scene, one per line, sorted by name.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use serde_json::json;
use stillframe_frames::Picture;

use super::discover::{Input, inputs_with_models};
use super::moment::{self, Moment, Moments, moments};
use super::session::{self, Session};
use super::shot::ShotArgs;
use super::stats::Stats;
use super::status::{self, Failure};
use super::{Surroundings, interrupt, json as words, messages, shot, stdout};
use crate::scene::Aov;
use crate::take::Settings;

/// Print the pixel hashes of scenes and models, one per line, sorted by name
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe hash scene.toml
  stillframe hash scenes                     every scene below the folder
  stillframe hash scenes --size 64x64 --threads 1
  stillframe hash scene.toml --aov color,depth,id
  stillframe hash scene.toml --frames 0..9

Each line has the hash, the size and format of the pixels, and the name. @N is a
frame, #NAME a layer. Two pictures with the same hash have the same pixels,
whatever files they are stored in.")]
pub struct HashArgs {
    /// Scenes, models, folders to search for scenes or else models, or - for standard input
    #[arg(required = true)]
    pub input: Vec<PathBuf>,
    #[command(flatten)]
    pub shot: ShotArgs,
}

pub fn run(args: &HashArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    interrupt::watch(&surroundings.unfinished);
    // Checked before anything is drawn, so that bad usage is reported once.
    shot::aovs(&args.shot)?;
    moment::check(&args.shot, false)?;
    let mut stats = Stats::new(surroundings.start);
    let mut worst = status::OK;
    let several = args.input.len() > 1 || args.input.iter().any(|i| i.is_dir());
    for input in inputs_with_models(&args.input)? {
        match one(args, &input, &mut stats, surroundings) {
            Err(failure) if several && failure.is_of_one_input() => {
                messages::failure(&failure, surroundings);
                worst = status::worse(worst, failure.status());
            }
            other => other?,
        }
    }
    stats.write(args.shot.stats.as_deref(), surroundings)?;
    if worst == status::OK { Ok(()) } else { Err(Failure::Several(worst)) }
}

fn one(args: &HashArgs, input: &Input, stats: &mut Stats, surroundings: &Surroundings) -> Result<(), Failure> {
    let resolved = session::scene(&input.path, &args.shot, surroundings)?;
    let Moments { all: moments, frame_s, .. } = moments(&args.shot, &resolved.scene.output, false)?;
    let settings = shot::settings(&args.shot, shot::aovs(&args.shot)?, args.shot.bits as u8, None);
    let settings = Settings { frame_s, for_display: true, ..settings };
    let mut session = Session::begin(&input.name, &resolved, &settings, &moments, &args.shot, surroundings)?;
    for view in session.views() {
        let name = session.show(view)?;
        for moment in &moments {
            let (taken, take_stats) = session.at(*moment)?;
            for (aov, picture) in &taken.pictures {
                tell(picture, &name, *moment, aov, surroundings)?;
            }
            stats.takes.push(take_stats);
        }
    }
    Ok(())
}

/// Prints a picture's identity.
pub fn tell(
    picture: &Picture,
    name: &str,
    moment: Moment,
    aov: &Aov,
    surroundings: &Surroundings,
) -> Result<(), Failure> {
    if surroundings.json.is_none() {
        return stdout::line(&line(picture, name, moment, aov));
    }
    let fields = json!({
        "name": name,
        "frame": moment.frame,
        "aov": aov.to_string(),
        "size_px": [picture.width_px, picture.height_px],
        "format": picture.format().to_string(),
        "pixels": picture.hash().to_string(),
    });
    words::line("hash/1", fields, surroundings)
}

/// `b3:HEX  WxH FORMAT  NAME@FRAME#AOV`, the last two where they say something.
pub fn line(picture: &Picture, name: &str, moment: Moment, aov: &Aov) -> String {
    let frame = moment.frame.map_or(String::new(), |frame| format!("@{frame}"));
    let aov = if *aov == Aov::COLOR { String::new() } else { format!("#{aov}") };
    let (width, height) = (picture.width_px, picture.height_px);
    format!("{}  {width}x{height} {}  {name}{frame}{aov}", picture.hash(), picture.format())
}
