//! Moment: which frames are pictured, and when they are.

use super::shot::ShotArgs;
use super::status::Failure;

/// Default frames per second.
pub const FRAMES_PER_SECOND: f64 = 30.0;

/// A moment that is pictured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// Where a frame was asked for by its number.
    pub frame: Option<i32>,
    /// `None`: the moment that the scene shows.
    pub time_s: Option<f64>,
}

/// Numbers of frames, in order, as `--frames` takes them: `0..59`, `1,4,9..12`; ends are included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frames(pub Vec<i32>);

/// More are a mistake rather than a wish.
const FRAMES_MAX: i64 = 1_000_000;

impl Frames {
    pub fn parse(text: &str) -> Result<Frames, String> {
        let form = || format!("`{text}` is not a list of frames: write A..B including both, or a list like 1,4,9..12");
        let number = |text: &str| text.trim().parse::<i32>().map_err(|_| form());
        let mut out = Vec::new();
        for part in text.split(',') {
            let (first, last) = match part.split_once("..") {
                Some((first, last)) => (number(first)?, number(last.strip_prefix('=').unwrap_or(last))?),
                None => (number(part)?, number(part)?),
            };
            if last < first {
                return Err(format!("`{part}`: the last frame is before the first"));
            }
            if i64::from(last) - i64::from(first) + out.len() as i64 >= FRAMES_MAX {
                return Err(format!("`{text}`: more than {FRAMES_MAX} frames"));
            }
            out.extend(first..=last);
        }
        Ok(Frames(out))
    }
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

pub fn frames_per_second(args: &ShotArgs) -> f64 {
    args.fps.unwrap_or(FRAMES_PER_SECOND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_ranges_and_lists() {
        for (text, want) in
            [("0..3", vec![0, 1, 2, 3]), ("7", vec![7]), ("-1..1", vec![-1, 0, 1]), ("1,4, 9..=10", vec![1, 4, 9, 10])]
        {
            assert_eq!(Frames::parse(text), Ok(Frames(want)), "{text}");
        }
        for text in ["", "a", "3..1", "1..", "..2", "1...2", "0..2000000", "-2147483648..2147483647", "1,"] {
            assert!(Frames::parse(text).is_err(), "{text}");
        }
    }
}
