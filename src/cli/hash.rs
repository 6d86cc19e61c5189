//! `hash`: the pixel identity of every scene, one a line, sorted by name.

use stillframe_frames::Picture;

use super::args::HashArgs;
use super::discover::inputs;
use super::stats::Stats;
use super::status::{self, Failure};
use super::{Surroundings, report, shot, stdout};
use crate::scene::Aov;

pub fn run(args: &HashArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    let aovs = shot::aovs(&args.shot)?;
    let mut stats = Stats::new(surroundings.start);
    let mut worst = status::OK;
    let several = args.input.len() > 1 || args.input.iter().any(|i| i.is_dir());
    for input in inputs(&args.input)? {
        let settings = shot::settings(&args.shot, aovs.clone(), args.shot.bits as u8, None);
        let taken = shot::scene(&input.path, &args.shot)
            .and_then(|scene| shot::timed_take(&input.name, &scene, &settings, &args.shot.edits, surroundings));
        match taken {
            Ok((taken, take_stats)) => {
                for (aov, picture) in &taken.pictures {
                    let name = match aov {
                        Aov::Color => input.name.clone(),
                        other => format!("{}#{}", input.name, other.name()),
                    };
                    stdout::line(&line(picture, &name))?;
                }
                stats.takes.push(take_stats);
            }
            Err(failure) if several => {
                report::failure(&failure, surroundings);
                worst = status::worse(worst, failure.status());
            }
            Err(failure) => return Err(failure),
        }
    }
    stats.write(args.shot.stats.as_deref())?;
    if worst == status::OK { Ok(()) } else { Err(Failure::Several(worst)) }
}

/// `b3:HEX  WxH FORMAT  NAME`.
pub fn line(picture: &Picture, name: &str) -> String {
    format!("{}  {}x{} {}  {name}", picture.hash(), picture.width_px, picture.height_px, picture.format())
}
