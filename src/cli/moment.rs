//! Moment: which frames are pictured, and when they are.

use std::path::Path;

use super::form::Form;
use super::shot::ShotArgs;
use super::status::Failure;
use super::values::Frames;
use crate::scene::Output;

/// A moment that is pictured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// Where a frame was asked for by its number.
    pub frame: Option<i32>,
    /// `None`: the moment that the scene shows.
    pub time_s: Option<f64>,
}

/// The moments of one input.
#[derive(Clone, Debug, PartialEq)]
pub struct Moments {
    pub all: Vec<Moment>,
    /// Frames were asked for, by the arguments or the scene, though it may be one.
    pub is_sequence: bool,
    pub frames_per_second: f64,
}

/// Whether what is written holds a sequence: then a scene's own frames count.
pub fn holds_sequence(output: Option<&Path>, format: Option<Form>, is_sheet: bool) -> bool {
    let name = output.map(|path| path.to_string_lossy()).unwrap_or_default();
    let is_film = format == Some(Form::Apng) || output.is_some_and(|path| Form::of(path).ok() == Some(Form::Apng));
    is_sheet || is_film || name.contains("##")
}

/// Complains of flags that say nothing together.
pub fn check(args: &ShotArgs, holds_sequence: bool) -> Result<(), Failure> {
    let has_frames = args.frame.is_some() || args.frames.is_some() || holds_sequence;
    let has_motion = args.aov.iter().any(|aov| aov == "motion");
    match args.fps {
        Some(_) if !has_frames && !has_motion => {
            Err(Failure::usage("`--fps` needs `--frame`, `--frames` or `--aov motion`"))
        }
        _ => Ok(()),
    }
}

/// The moments that the arguments ask for, or else the scene whose output this is.
pub fn moments(args: &ShotArgs, output: &Output, holds_sequence: bool) -> Result<Moments, Failure> {
    let frames_per_second = args.fps.unwrap_or(output.fps);
    let numbered = |frame: i32| Moment { frame: Some(frame), time_s: Some(f64::from(frame) / frames_per_second) };
    let sequence = |frames: &Frames| Moments {
        all: frames.0.iter().copied().map(numbered).collect(),
        is_sequence: true,
        frames_per_second,
    };
    let own = output.frames.filter(|_| holds_sequence && args.time.is_none());
    Ok(match (&args.frames, args.frame, own) {
        (Some(frames), _, _) => sequence(frames),
        (None, Some(frame), _) => Moments { all: vec![numbered(frame)], is_sequence: false, frames_per_second },
        (None, None, Some([first, last])) => {
            let frames = Frames::parse(&format!("{first}..{last}"));
            sequence(&frames.map_err(|why| Failure::usage(format!("`frames` of the scene: {why}")))?)
        }
        (None, None, None) => {
            let shown = Moment { frame: None, time_s: args.time };
            Moments { all: vec![shown], is_sequence: false, frames_per_second }
        }
    })
}
