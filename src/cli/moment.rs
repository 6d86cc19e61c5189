//! Moment: which frames are pictured, and when they are.

use super::shot::{ShotArgs, frames_per_second};
use super::status::Failure;

/// A moment that is pictured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// Where a frame was asked for by its number.
    pub frame: Option<i32>,
    /// `None`: the moment that the scene shows.
    pub time_s: Option<f64>,
}

/// The moments that the arguments ask for.
pub fn moments(args: &ShotArgs) -> Result<Vec<Moment>, Failure> {
    let per_second = frames_per_second(args);
    let numbered = |frame: i32| Moment { frame: Some(frame), time_s: Some(f64::from(frame) / per_second) };
    match (&args.frames, args.frame) {
        (Some(frames), _) => Ok(frames.0.iter().copied().map(numbered).collect()),
        (None, Some(frame)) => Ok(vec![numbered(frame)]),
        (None, None) => {
            let motion = args.aov.iter().any(|aov| aov == "motion");
            if args.fps.is_some() && !motion {
                return Err(Failure::usage("`--fps` needs `--frame`, `--frames` or `--aov motion`"));
            }
            Ok(vec![Moment { frame: None, time_s: args.time }])
        }
    }
}
