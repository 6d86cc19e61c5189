//! Words and short texts of scene files and arguments: what each means.
//!
//! In: one word or text. Out: its value, or one line that says what is expected. Never here: places, tables.

use glam::Vec3;
use stillframe_anim::graph::{DeltaSpace, Enter, FadePolicy, LayerMode, PartialMode};
use stillframe_anim::time::{AtEnd, Ease, Mode, Pace, Repeat};

use super::angle::{direction, radians};
use super::color::parse_hex;
use super::schema::NUMBER_MAX;
use super::{Background, CameraChoice, ClipChoice, Scene};

pub(super) const CLIP_ENDS: &[(&str, AtEnd)] = &[("stop", AtEnd::Stop), ("run_on", AtEnd::RunOn)];
pub(super) const PACES: &[(&str, Pace)] = &[("leader", Pace::Leader), ("blended", Pace::Blended)];
pub(super) const FADE_POLICIES: &[(&str, FadePolicy)] =
    &[("inertial", FadePolicy::Inertial), ("frozen", FadePolicy::Frozen), ("book", FadePolicy::Book)];
pub(super) const EASES: &[(&str, Ease)] = &[("linear", Ease::Linear), ("smooth", Ease::Smooth)];
pub(super) const PARTIAL_MODES: &[(&str, PartialMode)] =
    &[("nlerp", PartialMode::WeightedNlerp), ("power", PartialMode::PowerProduct), ("matrix", PartialMode::MatrixSum)];
pub(super) const DELTA_SPACES: &[(&str, DeltaSpace)] = &[("local", DeltaSpace::Local), ("mesh", DeltaSpace::Mesh)];
pub(super) const LAYER_MODES: &[(&str, LayerMode)] =
    &[("override", LayerMode::Override), ("additive", LayerMode::Additive)];
pub(super) const ENTERS: &[(&str, Enter)] =
    &[("restart", Enter::Restart), ("resume", Enter::Resume), ("sync", Enter::Sync)];

/// The mode of a clip; `passes` counts only where it repeats.
pub(super) fn mode_of(word: &str, passes: u32) -> Mode {
    let repeat = match passes {
        0 => Repeat::Forever,
        times => Repeat::Times(times),
    };
    match word {
        "once" => Mode::Once,
        "clamp" => Mode::Clamp,
        "ping_pong" => Mode::PingPong(repeat),
        _ => Mode::Loop(repeat),
    }
}

/// The word of a mode, and its passes where it repeats.
pub(super) fn mode_word(mode: Mode) -> (&'static str, Option<u32>) {
    let passes = |repeat| match repeat {
        Repeat::Forever => 0,
        Repeat::Times(times) => times,
    };
    match mode {
        Mode::Once => ("once", None),
        Mode::Clamp => ("clamp", None),
        Mode::Loop(repeat) => ("loop", Some(passes(repeat))),
        Mode::PingPong(repeat) => ("ping_pong", Some(passes(repeat))),
    }
}

/// `WxH` in pixels, as `--size` takes it.
pub fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let sides = text.split_once(['x', 'X']).and_then(|(w, h)| Some([w.trim().parse().ok()?, h.trim().parse().ok()?]));
    let sides: [u32; 2] = sides.ok_or_else(|| format!("`{text}` is no size: WIDTHxHEIGHT, for example 640x360"))?;
    match sides.iter().all(|side| (1..=Scene::SIDE_MAX_PX).contains(side)) {
        true => Ok(sides),
        false => Err(format!("`{text}`: each side is from 1 to {} pixels", Scene::SIDE_MAX_PX)),
    }
}

/// `auto`, `transparent`, `environment` or `#rrggbb`, as `--background` takes it.
pub fn parse_background(text: &str) -> Result<Background, String> {
    match text {
        "auto" => Ok(Background::Auto),
        "transparent" => Ok(Background::Transparent),
        "environment" => Ok(Background::Environment),
        _ => match parse_hex(text, false) {
            Some([r, g, b, _]) => Ok(Background::Color([r, g, b])),
            None => Err("auto, transparent, environment, or a colour like #20242c".into()),
        },
    }
}

/// `all`, `none`, `#N` or a name, as `--clip` takes it.
pub fn parse_clip(text: &str) -> Result<ClipChoice, String> {
    Ok(match (text, text.strip_prefix('#')) {
        ("all", _) => ClipChoice::All,
        ("none", _) => ClipChoice::None,
        ("", _) => return Err("all, none, #N (from 0), or a clip's name".into()),
        (_, Some(number)) => match number.parse() {
            Ok(number) => ClipChoice::Number(number),
            Err(_) => return Err(format!("`{text}`: a clip's number follows #, for example #0")),
        },
        _ => ClipChoice::Named(text.to_string()),
    })
}

/// `EYE:TARGET[:FOV]`, as `--look` takes it: `0,5,8.2:0,0.1,0.3:40`, metres and vertical degrees (45 if not said).
pub fn parse_look(text: &str) -> Result<CameraChoice, String> {
    let form = || format!("`{text}` is no view: EYE:TARGET[:FOV], for example 0,5,8.2:0,0.1,0.3:40");
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|n| n.abs() <= NUMBER_MAX);
    let point = |text: &str| {
        let values: Vec<f32> = text.split(',').map(|t| number(t).map(|n| n as f32)).collect::<Option<_>>()?;
        <[f32; 3]>::try_from(values).ok().map(Vec3::from_array)
    };
    let parts: Vec<&str> = text.split(':').collect();
    let (eye, target, fov) = match parts[..] {
        [eye, target] => (eye, target, "45"),
        [eye, target, fov] => (eye, target, fov),
        _ => return Err(form()),
    };
    let (eye, target) = (point(eye).ok_or_else(form)?, point(target).ok_or_else(form)?);
    let fov_y_deg = number(fov).ok_or_else(form)?;
    if !(0.01..=179.0).contains(&fov_y_deg) {
        return Err(format!("`{text}`: the angle of view is from 0.01 to 179 degrees"));
    }
    if direction(target - eye).is_none() {
        return Err(format!("`{text}`: the eye stands on its target"));
    }
    Ok(CameraChoice::Look { eye, target, fov_y_rad: radians(fov_y_deg) })
}

/// A clip of a file: `"#N"`, or its name.
pub(super) fn parse_source(text: &str) -> Result<ClipChoice, String> {
    match text.strip_prefix('#') {
        None => Ok(ClipChoice::Named(text.to_string())),
        Some(number) => match number.parse() {
            Ok(number) => Ok(ClipChoice::Number(number)),
            Err(_) => Err(format!("`{text}`: a clip's number follows #, for example #0")),
        },
    }
}

/// Largest number of a frame, either way.
const FRAME_MAX: i64 = 1_000_000_000;

/// `A..B`: frames from A up to B, both included.
pub fn parse_frames(text: &str) -> Result<[i64; 2], String> {
    let number = |text: &str| text.trim().parse::<i64>().ok().filter(|n| n.abs() <= FRAME_MAX);
    let ends = text.split_once("..").and_then(|(first, last)| Some([number(first)?, number(last)?]));
    match ends {
        Some([first, last]) if first > last => Err(format!("`{text}`: the first frame stands behind the last")),
        Some(ends) => Ok(ends),
        None => Err(format!("`{text}` is no range of frames: FIRST..LAST, for example 0..47")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(parse_size("640x360"), Ok([640, 360]));
        assert_eq!(parse_size("16384X1"), Ok([16384, 1]));
        for text in ["", "640", "0x5", "5x0", "100000x1", "16385x1", "-1x5", "ax5", "1x2x3", "99999999999x1"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn looks() {
        let look = parse_look("0,5,8.2:0,0.1,0.3:40").unwrap();
        let want = CameraChoice::Look {
            eye: Vec3::new(0.0, 5.0, 8.2),
            target: Vec3::new(0.0, 0.1, 0.3),
            fov_y_rad: radians(40.0),
        };
        assert_eq!(look, want);
        assert!(parse_look("1,2,3:4,5,6").is_ok());
        for text in [
            "",
            "1,2,3",
            "1,2:3,4,5",
            "1,2,3:1,2,3",
            "1,2,3:4,5,6:0",
            "1,2,3:4,5,6:180",
            "1,2,3:nan,5,6",
            "1,2,3:4,5,1e30",
            "1,2,3:4,5,6:7:8",
        ] {
            assert!(parse_look(text).is_err(), "{text}");
        }
    }

    #[test]
    fn ranges_of_frames() {
        assert_eq!(parse_frames("0..47"), Ok([0, 47]));
        assert_eq!(parse_frames("-3 .. -3"), Ok([-3, -3]));
        for text in ["", "5", "5..", "..5", "5..4", "a..b", "0..99999999999", "0...5"] {
            assert!(parse_frames(text).is_err(), "{text}");
        }
    }
}
