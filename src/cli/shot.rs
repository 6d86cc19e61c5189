//! From arguments to a scene and settings: what `render` and `hash` share.

use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::scene::{Aov, CameraWish, EnvironmentWish, Resolved, Scene, Wishes, read};
use crate::source::Diagnostic;
use crate::take::{Dump, Settings, Stage, Take, take};

use super::args::ShotArgs;
use super::progress::Progress;
use super::stats::TakeStats;
use super::status::Failure;
use super::{Surroundings, clock, report};

/// Whether a path is read as a scene; everything else is a model.
pub fn is_scene(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("toml"))
}

/// The pictures that the arguments ask for, each once, in their order.
pub fn aovs(args: &ShotArgs) -> Result<Vec<Aov>, Failure> {
    let mut out = Vec::new();
    for word in &args.aov {
        let aov = match Aov::parse(word) {
            Some(aov) => aov,
            None if word == "motion" => return Err(Failure::not_yet("`--aov motion`")),
            None => {
                let known: Vec<&str> = Aov::WORDS.iter().map(|(word, _)| *word).collect();
                let near = crate::source::did_you_mean(word, known.iter().copied());
                let help = near.map_or(format!("one of {}", known.join(", ")), |n| format!("did you mean `{n}`?"));
                return Err(Failure::Usage(format!("`--aov {word}` is not known"), Some(help)));
            }
        };
        if !out.contains(&aov) {
            out.push(aov);
        }
    }
    Ok(out)
}

pub fn settings(args: &ShotArgs, aovs: Vec<Aov>, bits: u8, dump: Option<Dump>) -> Settings {
    Settings {
        adapter: args.adapter.clone(),
        threads: args.threads.unwrap_or(0) as usize,
        aovs,
        bits,
        dump,
        ..Settings::default()
    }
}

/// The scene or model `input`, as the arguments wish it.
pub fn scene(input: &Path, args: &ShotArgs) -> Result<Resolved, Failure> {
    let wishes = wishes(args)?;
    let files = |diagnostics: Vec<Diagnostic>| Failure::Files { diagnostics, edits: args.edits.clone() };
    if !is_scene(input) {
        if !args.edits.is_empty() {
            let help = Some("write a scene file that shows the model".to_string());
            return Err(Failure::Usage("`--set` writes a value of a scene file; a model has none".into(), help));
        }
        return Scene::for_model(input, &wishes).map_err(files);
    }
    let mut resolved = read(input, &args.edits).map_err(files)?;
    resolved.scene.wish(&wishes).map_err(|d| files(vec![d]))?;
    Ok(resolved)
}

fn wishes(args: &ShotArgs) -> Result<Wishes, Failure> {
    if args.frames.is_some() {
        return Err(Failure::not_yet("`--frames`"));
    }
    if args.fps.is_some() && args.frame.is_none() {
        return Err(Failure::usage("`--fps` has no meaning without `--frame`"));
    }
    let camera = match (&args.look, args.camera.as_deref()) {
        (Some(look), _) => Some(CameraWish::Look(look.clone())),
        (None, None) => None,
        (None, Some("auto")) => Some(CameraWish::Auto),
        (None, Some(name)) => Some(match name.strip_prefix('#') {
            Some(number) => {
                let number = number.parse().map_err(|_| {
                    Failure::usage(format!("`--camera {name}`: a number is expected behind #, counted from 0"))
                })?;
                CameraWish::Number(number)
            }
            None => CameraWish::Named(name.to_string()),
        }),
    };
    let environment = args.environment.as_deref().map(|word| match word {
        "auto" => EnvironmentWish::Auto,
        "sky" => EnvironmentWish::Sky,
        "none" => EnvironmentWish::None,
        file => EnvironmentWish::File(PathBuf::from(file)),
    });
    let frame_s = args.frame.map(|frame| f64::from(frame) / args.fps.unwrap_or(30.0));
    Ok(Wishes {
        size_px: args.size,
        samples: args.samples,
        camera,
        lighting: args.lights,
        ground: args.ground,
        environment,
        background: args.background,
        shadows: args.shadows,
        max_mip: args.max_mip,
        up: args.up,
        tonemap: args.tonemap,
        exposure_ev: args.exposure,
        time_s: args.time.or(frame_s),
        clip: args.clip.clone(),
    })
}

/// Takes the pictures, with progress on a terminal, warnings told, and each stage timed.
pub fn timed_take(
    name: &str,
    resolved: &Resolved,
    settings: &Settings,
    edits: &[String],
    surroundings: &Surroundings,
) -> Result<(Take, TakeStats), Failure> {
    report::diagnostics(&resolved.warnings, edits, surroundings);
    let progress = Progress::start(name, surroundings);
    let mut times: Vec<(Stage, Instant)> = Vec::new();
    let taken = take(&resolved.scene, settings, &mut |stage| {
        times.push((stage, clock::now()));
        progress.stage(stage);
    });
    progress.stop();
    let taken = taken.map_err(|error| Failure::of_take(error, edits))?;
    report::diagnostics(&taken.warnings, edits, surroundings);
    let stats = TakeStats::new(name, &resolved.scene, &times, &taken.stats);
    if surroundings.verbose {
        report::note(&stats.line());
    }
    Ok((taken, stats))
}
