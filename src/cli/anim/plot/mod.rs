//! `anim plot`: what a clip or an animator does, as a chart. `study::plot` draws it; `animator` plays what it draws of
//! a scene.

mod animator;

use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, ValueEnum};

use super::super::status::Failure;
use super::super::{Surroundings, json as words, session, stdout};
use super::isa;
use super::open::{failure, open_one};
use crate::scene::{ClipChoice, parse_clip};
use crate::study::plot::{self, Plot};
use crate::study::{Motion, StudyError};

/// Draw a chart of a clip or an animator (.svg)
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe anim plot figure.glb --clip walk --joint Hips,Hand.L -o walk.svg
  stillframe anim plot figure.glb --clip walk --what root -o path.svg
  stillframe anim plot figure.glb --clip walk --what error -o error.svg
  stillframe anim plot walker.toml --animator walker -o weights.svg

curves   translation, rotation (as axis times angle) and scale of joints, in the
         parent's space, with marks at the file's key frames
speed    how fast joints turn and move, in the model's space
root     the path of the root over the ground, seen from above, with time marks
error    the error of the clip when baked to frames at --fps, per joint, at
         points 3 cm from it
weights  weights of morph targets, with marks at the file's key frames

Without --joint, the joints that move most are drawn.

The chart of an animator shows each clip's share of the pose, its phase with
marks at its events, and the parameters that the graph reads. With masks, it is
for a joint that all masks include, or for the one that --joint names. The chart
is readable on light and dark pages.")]
pub struct PlotArgs {
    /// Model (.glb .gltf .fbx), or scene (.toml) with animators
    pub model: PathBuf,
    /// Clip by name, or `#N` counted from 0 [default: the only clip]
    #[arg(long, value_name = "CLIP", value_parser = parse_clip)]
    pub clip: Option<ClipChoice>,
    /// For a clip: what to draw [default: curves]
    #[arg(long, value_name = "WHAT")]
    pub what: Option<PlotWord>,
    /// Animator of the scene [default: the only one]
    #[arg(long, value_name = "NAME", conflicts_with_all = ["clip", "what", "fps"])]
    pub animator: Option<String>,
    /// For an animator: seconds to draw, from the scene's start [default: everything that the scene scripts, and each
    /// clip once]
    #[arg(long, value_name = "S", value_parser = plotted_seconds, conflicts_with_all = ["clip", "what", "fps"])]
    pub until: Option<f64>,
    /// Joints by name, separated by commas. For `weights`, morph targets. For an animator, the one joint whose
    /// pose is drawn
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub joint: Vec<String>,
    /// Frames per second, for `error`
    #[arg(long, value_name = "F", default_value = "30", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub fps: u32,
    /// Output file (.svg), or - for standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// Treat warnings as errors
    #[arg(long)]
    pub strict: bool,
}

fn plotted_seconds(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "expected a number such as 2.5".to_string())?;
    if (1e-3..=3600.0).contains(&number) { Ok(number) } else { Err("expected 0.001 to 3600".to_string()) }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlotWord {
    Curves,
    Speed,
    Root,
    Error,
    Weights,
}

pub fn run(args: &PlotArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    let is_svg = args.output.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"));
    if !is_svg && args.output != Path::new("-") {
        return Err(Failure::usage(format!("{}: the output must be .svg", args.output.display())));
    }
    if session::is_scene(&args.model) {
        return write(args, &animator::chart_of(args, surroundings)?, surroundings);
    }
    if args.animator.is_some() || args.until.is_some() {
        return Err(Failure::usage("--animator and --until need a scene, not a model"));
    }
    let (model, number) = open_one(&args.model, args.clip.as_ref(), args.strict, surroundings)?;
    let wrong = |error: StudyError| failure(&args.model, error);
    let motion = Motion::new(&model, number).map_err(wrong)?;
    let plot = Plot { motion: &motion, file: &file_name(&args.model), joints: &args.joint };
    let svg = match args.what.unwrap_or(PlotWord::Curves) {
        PlotWord::Curves => plot::curves(&plot),
        PlotWord::Speed => plot::speed(&plot),
        PlotWord::Root => plot::root(&plot),
        PlotWord::Error => plot::baked_error(&plot, isa()?, args.fps),
        PlotWord::Weights => plot::weights(&plot),
    };
    let svg = svg.map_err(wrong)?;
    write(args, &Chart { svg, of: ("clip", motion.clip().name.clone()) }, surroundings)
}

/// A chart, and what it is of: the word for it and its name.
struct Chart {
    svg: String,
    of: (&'static str, String),
}

fn write(args: &PlotArgs, Chart { svg, of: (what, name) }: &Chart, surroundings: &Surroundings) -> Result<(), Failure> {
    if args.output == Path::new("-") {
        return stdout::write(svg.as_bytes());
    }
    let write = surroundings.unfinished.write(&args.output, svg.as_bytes());
    write.map_err(|error| Failure::of_write(&args.output, &error))?;
    if surroundings.json.is_some() {
        let fields = serde_json::json!({ "file": args.output, *what: name });
        return words::line("anim-plot/1", fields, surroundings);
    }
    stdout::line(&args.output.display().to_string())
}

/// The file's name without its folder.
pub fn file_name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
