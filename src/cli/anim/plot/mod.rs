//! `anim plot`: what a clip or an animator does, as a chart. One file a kind of chart; `chart`, `axis` and `svg` draw them.

mod animator;
mod axis;
mod chart;
mod curves;
pub mod error;
mod root;
mod speed;
mod svg;
mod weights;

use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, ValueEnum};
use stillframe_base::tick::Tick;

use super::super::inspect::short;
use super::super::status::Failure;
use super::super::{Surroundings, json as words, session, stdout};
use super::motion::{self, Motion, STILL_M, angle_deg};
use super::unknown;
use crate::scene::{ClipChoice, parse_clip};

/// Draw what a clip or an animator does as a chart (.svg)
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe anim plot figure.glb --clip walk --joint Hips,Hand.L -o walk.svg
  stillframe anim plot figure.glb --clip walk --what root -o path.svg
  stillframe anim plot walker.toml --animator walker -o weights.svg

curves   translation, rotation (as a vector: axis times angle) and scale of joints, in the parent's
         space, with marks at the file's keys
speed    how fast joints turn and move, in the model's space
root     the way of the root over the ground, seen from above, with marks in time
error    how far the clip as frames is from the file, joint by joint, at points 3 cm from each
weights  morph weights, with marks at the file's keys

Without --joint, those that move most.

Of an animator: how much of the pose each clip has, where in it the clip is (its phase), with marks
at its events, and the numbers that its graph reads. With masks that is so for a joint that all of
them have, or for the one that --joint names. The chart suits light and dark pages.")]
pub struct PlotArgs {
    /// A model (.glb .gltf .fbx), or a scene (.toml) with animators
    pub model: PathBuf,
    /// A clip's name, or `#N` (its number from 0) [default: the only one]
    #[arg(long, value_name = "CLIP", value_parser = parse_clip)]
    pub clip: Option<ClipChoice>,
    /// What to draw of a clip [default: curves]
    #[arg(long, value_name = "WHAT")]
    pub what: Option<PlotWord>,
    /// An animator of a scene [default: the only one]
    #[arg(long, value_name = "NAME", conflicts_with_all = ["clip", "what", "fps"])]
    pub animator: Option<String>,
    /// Seconds from the scene's start that are drawn of an animator [default: all that the scene scripts, and each clip once]
    #[arg(long, value_name = "S", value_parser = plotted_seconds, conflicts_with_all = ["clip", "what", "fps"])]
    pub until: Option<f64>,
    /// Joints by name, several with commas; of `weights`, morphs; of an animator, whose pose it is
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub joint: Vec<String>,
    /// Frames a second, for `error`
    #[arg(long, value_name = "F", default_value = "30", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub fps: u32,
    /// The file (.svg); - is standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
}

fn plotted_seconds(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "a number is expected, as 2.5".to_string())?;
    if (1e-3..=3600.0).contains(&number) { Ok(number) } else { Err("0.001 to 3600 is expected".to_string()) }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlotWord {
    Curves,
    Speed,
    Root,
    Error,
    Weights,
}

/// Moments at which joints are compared for how much they move.
const CHOICE_MOMENTS: usize = 33;

/// What a chart is made of.
struct Plot<'a> {
    motion: &'a Motion<'a>,
    args: &'a PlotArgs,
}

pub fn run(args: &PlotArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    let is_svg = args.output.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"));
    if !is_svg && args.output != Path::new("-") {
        return Err(Failure::usage(format!("{}: charts are written as .svg", args.output.display())));
    }
    if session::is_scene(&args.model) {
        return write(args, &animator::chart_of(args, surroundings)?, surroundings);
    }
    if args.animator.is_some() || args.until.is_some() {
        return Err(Failure::usage("--animator and --until draw an animator of a scene; this is a model"));
    }
    let (model, number) = motion::open_one(&args.model, args.clip.as_ref(), surroundings)?;
    let wrong = |why: String| Failure::usage(format!("{}: {why}", args.model.display()));
    let motion = Motion::new(&model, number).map_err(wrong)?;
    let plot = Plot { motion: &motion, args };
    let svg = match args.what.unwrap_or(PlotWord::Curves) {
        PlotWord::Curves => curves::chart_of(&plot)?,
        PlotWord::Speed => speed::chart_of(&plot)?,
        PlotWord::Root => root::chart_of(&plot)?,
        PlotWord::Error => error::chart_of(&plot)?,
        PlotWord::Weights => weights::chart_of(&plot)?,
    };
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

/// The file's name without its folder, the clip and its length.
pub fn about(model: &Path, motion: &Motion<'_>) -> String {
    let file = model.file_name().unwrap_or_default().to_string_lossy();
    format!("{file}, clip {}, {} s", motion.clip().name, short(motion.duration.seconds() as f32))
}

impl Plot<'_> {
    fn duration_s(&self) -> f64 {
        self.motion.duration.seconds()
    }

    fn about(&self) -> String {
        about(&self.args.model, self.motion)
    }

    /// Moments close enough for smooth lines.
    fn moments(&self) -> Vec<Tick> {
        let count = (self.duration_s() * 120.0).ceil().clamp(64.0, 600.0);
        self.motion.moments(count as usize + 1)
    }

    /// The joints that were named; else the `most` that move most, by `score`, in the skeleton's order.
    fn joints(&self, most: usize, score: fn(&Motion<'_>) -> Vec<f64>) -> Result<Chosen, Failure> {
        let names = self.motion.skeleton.names();
        if !self.args.joint.is_empty() {
            let find =
                |name: &String| names.iter().position(|own| own == name).ok_or_else(|| unknown("joint", name, names));
            return Ok(Chosen { joints: self.args.joint.iter().map(find).collect::<Result<_, _>>()?, of: None });
        }
        let scores = score(self.motion);
        let mut moving: Vec<usize> = (0..scores.len()).filter(|joint| scores[*joint] > STILL_M).collect();
        if moving.is_empty() {
            return Err(Failure::usage(format!("clip {:?} moves no joint", self.motion.clip().name)));
        }
        let of = moving.len();
        moving.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
        moving.truncate(most);
        moving.sort_unstable();
        Ok(Chosen { joints: moving, of: Some(of) })
    }
}

/// Joints of a chart, and of how many they are those that move most.
struct Chosen {
    joints: Vec<usize>,
    of: Option<usize>,
}

impl Chosen {
    /// Why these, where nobody has named them.
    fn words(&self) -> String {
        match self.of {
            Some(of) if of > self.joints.len() => format!("; the {} that move most of {of} joints", self.joints.len()),
            _ => String::new(),
        }
    }
}

/// How much every joint moves in its parent: degrees it turns, and a metre it goes as much as 180 of them.
fn moved_in_parent(motion: &Motion<'_>) -> Vec<f64> {
    let poses: Vec<_> = motion.moments(CHOICE_MOMENTS).into_iter().map(|at| motion.locals(at)).collect();
    let moved = |joint: usize| {
        let steps = poses.windows(2).map(|pair| {
            let (a, b) = (&pair[0][joint], &pair[1][joint]);
            angle_deg(a.rotation, b.rotation)
                + 180.0 * (a.translation.distance(b.translation) + a.scale.distance(b.scale))
        });
        // Rounding is no motion.
        steps.filter(|step| *step > 1e-4).sum()
    };
    (0..motion.skeleton.joint_count()).map(moved).collect()
}

/// How far every joint goes in the model, in metres.
fn moved_in_model(motion: &Motion<'_>) -> Vec<f64> {
    let poses: Vec<_> =
        motion.moments(CHOICE_MOMENTS).into_iter().map(|at| motion.models(&motion.locals(at))).collect();
    let moved = |joint: usize| {
        poses.windows(2).map(|pair| pair[0][joint].translation.distance(pair[1][joint].translation)).sum()
    };
    let moved: Vec<f64> = (0..motion.skeleton.joint_count()).map(moved).collect();
    // Where nothing goes anywhere, joints may still turn in their places.
    match moved.iter().any(|moved_m| *moved_m > STILL_M) {
        true => moved,
        false => moved_in_parent(motion),
    }
}
