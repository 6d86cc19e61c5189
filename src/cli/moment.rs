//! Moment: which frames are pictured, and when they are.

use std::path::Path;

use super::form::Form;
use super::shot::ShotArgs;
use super::status::Failure;
use super::values::Frames;
use crate::scene::{Output, Turn};

/// A moment that is pictured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// Where a frame was asked for by its number.
    pub frame: Option<i32>,
    /// `None`: the moment that the scene shows.
    pub time_s: Option<f64>,
    /// How far the camera has gone round, where it does.
    pub turn: Option<Turn>,
}

/// The moments of one input.
#[derive(Clone, Debug, PartialEq)]
pub struct Moments {
    pub all: Vec<Moment>,
    /// Frames were asked for, by the arguments or the scene, though it may be one.
    pub is_sequence: bool,
    pub frames_per_second: f64,
    /// What passes between two frames, seconds: nothing where one moment is shown from all sides.
    pub frame_s: f64,
}

/// Whether what is written holds a sequence: then a scene's own frames count.
pub fn holds_sequence(output: Option<&Path>, format: Option<Form>, is_sheet: bool) -> bool {
    let name = output.map(|path| path.to_string_lossy()).unwrap_or_default();
    let form = format.or_else(|| output.and_then(|path| Form::of(path).ok()));
    let is_film = form.is_some_and(Form::is_film);
    is_sheet || is_film || name.contains("##")
}

/// Complains of flags that say nothing together.
pub fn check(args: &ShotArgs, holds_sequence: bool) -> Result<(), Failure> {
    let has_frames = args.frame.is_some() || args.frames.is_some() || args.turntable.is_some() || holds_sequence;
    let has_motion = args.aov.iter().any(|aov| aov == "motion");
    match args.fps {
        Some(_) if !has_frames && !has_motion => {
            Err(Failure::usage("`--fps` needs `--frame`, `--frames`, `--turntable` or `--aov motion`"))
        }
        _ => Ok(()),
    }
}

/// The moments that the arguments ask for, or else the scene whose output this is.
pub fn moments(args: &ShotArgs, output: &Output, holds_sequence: bool) -> Result<Moments, Failure> {
    let frames_per_second = args.fps.unwrap_or(output.fps);
    let frame_s = 1.0 / frames_per_second;
    let time_of = |frame: i32| f64::from(frame) / frames_per_second;
    let numbered = |frame: i32| Moment { frame: Some(frame), time_s: Some(time_of(frame)), turn: None };
    let sequence = |frames: &Frames| Moments {
        all: frames.0.iter().copied().map(numbered).collect(),
        is_sequence: true,
        frames_per_second,
        frame_s,
    };
    if let Some(count) = args.turntable {
        let held_s = args.time.or(args.frame.map(time_of));
        let turned = |number: u32| {
            let frame = number as i32;
            let of = |number: i32| f64::from(number) / f64::from(count);
            let turn = Some(Turn { now: of(frame), before: of(frame - 1) });
            Moment { frame: Some(frame), time_s: Some(held_s.unwrap_or(time_of(frame))), turn }
        };
        let frame_s = if held_s.is_some() { 0.0 } else { frame_s };
        return Ok(Moments { all: (0..count).map(turned).collect(), is_sequence: true, frames_per_second, frame_s });
    }
    let own = output.frames.filter(|_| holds_sequence && args.time.is_none());
    Ok(match (&args.frames, args.frame, own) {
        (Some(frames), _, _) => sequence(frames),
        (None, Some(frame), _) => {
            Moments { all: vec![numbered(frame)], is_sequence: false, frames_per_second, frame_s }
        }
        (None, None, Some([first, last])) => {
            let frames = Frames::parse(&format!("{first}..{last}"));
            sequence(&frames.map_err(|why| Failure::usage(format!("`frames` of the scene: {why}")))?)
        }
        (None, None, None) => {
            let shown = Moment { frame: None, time_s: args.time, turn: None };
            Moments { all: vec![shown], is_sequence: false, frames_per_second, frame_s }
        }
    })
}
