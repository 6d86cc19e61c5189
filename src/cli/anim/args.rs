//! What people may type after `anim`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand, ValueEnum};

use crate::cli::moment::Frames;
use crate::scene::{ClipChoice, parse_clip};

/// Work with the clips of models and the clock that plays them
#[derive(ClapArgs, Debug)]
#[command(subcommand_required = true, arg_required_else_help = true, disable_help_subcommand = true)]
#[command(after_help = "\
Examples:
  stillframe anim dump figure.glb --clip walk --what positions -o walk.npy
  stillframe anim dump figure.glb --clip wave --frames 0,5,9..12 --what joints -o wave.npy
  stillframe anim dump model.glb --what normals -o rest.npy        as it is stored, no clip
  stillframe anim dump walker.toml --animator walker --what joints --frames 0..59 -o walk.npy
  stillframe anim dump walker.toml --what solvers -o reached.json
  stillframe anim inspect figure.glb                               what its clips are
  stillframe anim plot figure.glb --clip walk --joint Hips -o walk.svg
  stillframe anim plot figure.glb --clip walk --what error -o error.svg
  stillframe anim bake figure.glb --clip walk --fps 30 -o walk.npy
  stillframe anim compress figure.glb --clip walk --error-mm 0.1 -o walk.clip
  stillframe anim run script.toml                                  events and times, step by step
  stillframe anim run script.toml --json --against-oracle")]
pub struct AnimArgs {
    #[command(subcommand)]
    pub command: AnimCommand,
}

#[derive(Subcommand, Debug)]
pub enum AnimCommand {
    /// Write what a clip does to a model, or an animator to a figure, as numbers (.npy, .json), to check against other programs
    #[command(after_help = "\
positions, normals  [frame, point, 3], in metres and model space, +Y up. Points as the file
                    numbers them (FBX control points, glTF _VID), else vertices in order; of
                    several vertices that are one point the first; NaN where no triangle uses it
joints              [frame, joint, 3], of its skins; of all nodes where it has no skin
morphs              [frame, weight]
solvers             of an animator: what each solver reached for, in the world, what is left, its
                    passes, whether limits of joints hold it and whether it had to leave a straight
                    line first (JSON)
metrics             of frames one after the other (JSON): the largest change of a joint's angular
                    velocity from one frame to the next; the jump from the last pose to the first,
                    the way of the first joint over the ground taken out; how far --feet slide

A frame is 1/30 s from the clip's start; before its start and after its end the first and last
moment hold. Clips play as the file stores them. Of an animator a frame is 1/30 s from the scene's
start, and numbers are those behind its graph and its solvers, in the model's space, without the
way of its root; metrics have it.")]
    Dump(DumpArgs),
    /// Tell what clips are made of, what they do, and what may go wrong with them
    #[command(after_help = "\
Examples:
  stillframe anim inspect figure.glb
  stillframe anim inspect figure.glb --clip walk --json            for programs

What begins with ! wants a look: turns so far between keys that players differ, keys with another
sign, scales that mirror or differ by axis, clips that do not loop, weights that do not sum to 1.

baked   the clip as frames a fixed time apart, 16 bits a number, as the engine plays it: its size,
        that size against f32, and how far points 3 cm from a joint are from where they belong
root    what the first joint that moves in its parent does from the first pose to the last
seam    the last pose beside the first, what the root has travelled taken out
bounds  a box that the surface never leaves, from the boxes of its joints; of skins blended as matrices")]
    Inspect(AnimInspectArgs),
    /// Draw what a clip or an animator does as a chart (.svg)
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
    Plot(PlotArgs),
    /// Write a clip as frames a fixed time apart (.npy, .json), or clips as a texture for vertex shaders (.exr, .png, .npy)
    #[command(after_help = "\
Examples:
  stillframe anim bake figure.glb --clip walk -o walk.npy
  stillframe anim bake figure.glb --clip walk --what matrices --fps 15 -o walk.json
  stillframe anim bake figure.glb --what bones -o figure.exr       all clips, as crowds play them

trs       [frame, joint, 10]: translation, rotation (x y z w), scale, in the parent's space
matrices  [frame, joint, 12]: three rows of four, in the model's space
bones     a texture: of each joint of the skins the rows of the matrix that takes the surface from
          where it rests, three texels; shares of morphs behind them
vertices  a texture: of each vertex its position and its normal, two texels

Joints are those of the file's skins, nodes that the clip moves, and what is above these, parents
first; metres, +Y up. Numbers are those of the frames, which hold 16 bits each: how far they are
from the file is told. A .json names the joints and holds that report too.

Textures hold as many frames as --error-mm takes, one behind the other, texel by texel in rows, and
one clip behind the other; a .json beside them tells where, and how far clips are off. Texels are
numbers in .exr and .npy; in .png they are 16 bits each between a least and a most, in the .json.
A jump takes a frame of a sixtieth of a second; how far clips are off in jumps is told apart.")]
    Bake(BakeArgs),
    /// Make clips as small as an error bound lets them be, and tell what that costs
    #[command(
        after_help = "\
Examples:
  stillframe anim compress figure.glb
  stillframe anim compress figure.glb --clip walk --error-mm 0.1 -o walk.clip
  stillframe anim compress figure.glb --error-mm 1 --json          for programs
  stillframe anim compress figure.glb --clip walk --plot walk-error.svg
  stillframe anim compress figure.glb --clip walk --check walk.clip

error   how far points 3 cm (--shell-mm) from a joint are from where they belong, in the model's
        space, at five moments a sample: at most --error-mm, everywhere
tracks  translation, rotation and scale of each joint: those that move, those that do not, and
        those that do nothing at all
book    the textbook's compression beside it: as many frames a second, 16 bits a number, one range
        for the clip, no bound

Sizes are those of files; ratios are to f32, ten numbers a joint and sample. Clips whose keys are
evenly apart are sampled at these.

Exit status: 0 within the bound, 1 what --check looked at is not.",
        verbatim_doc_comment
    )]
    Compress(CompressArgs),
    /// Play a script of time control: a clip with events, how it is played, and steps, seeks, speeds
    #[command(after_help = "\
One row a step: time played, position on the unwrapped time line, local time in the clip, loops,
and the events that fired, in order. --json tells ticks (1/705600000 s) and 65536ths of a tick.

A script:

  [clip]
  length_s = 1.0
  events = [
    { name = \"left foot\", at_percent = 25 },
    { name = \"swing\", from_s = 0.5, to_s = 0.75 },
  ]
  [playback]
  mode = \"loop\"                   once, clamp, loop or ping-pong; repeat = 3 for three passes
  speed = \"-1/2\"
  [run]
  steps = [
    { step_frames = 1, times = 30 },
    { step_s = 2, until = \"left foot\" },
    { seek_percent = 50 }, { scrub_s = 0.9 }, { speed = 2 }, { leap_s = 3600 },
    \"pause\", \"resume\", \"play\",
  ]

Times end in _s, _frames (fps = 30), _ticks or _percent. [playback] also takes window_s = [A, B],
phase_s, reverse, at_end = \"stop\" or \"run-on\", and armed = false: what lies at the start is silent.

Exit status: 0 played, 1 the oracle has it otherwise, 2 a mistake in the script.")]
    Run(AnimRunArgs),
}

#[derive(ClapArgs, Debug)]
pub struct AnimRunArgs {
    /// A script (.toml); - is standard input
    pub script: PathBuf,
    /// Compare every row with a slow exact model of time control
    #[arg(long)]
    pub against_oracle: bool,
}

#[derive(ClapArgs, Debug)]
pub struct AnimInspectArgs {
    /// A model (.glb .gltf .fbx)
    pub model: PathBuf,
    /// A clip's name, `#N` (its number from 0), or all
    #[arg(long, value_name = "CLIP", default_value = "all", value_parser = parse_clip)]
    pub clip: ClipChoice,
}

#[derive(ClapArgs, Debug)]
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

#[derive(ClapArgs, Debug)]
pub struct BakeArgs {
    /// A model (.glb .gltf .fbx)
    pub model: PathBuf,
    /// A clip's name, or `#N` (its number from 0) [default: the only one; of textures, all]
    #[arg(long, value_name = "CLIP", value_parser = parse_clip)]
    pub clip: Option<ClipChoice>,
    /// Frames a second at least: so many more that the clip's end is a frame [default: 30]; textures have as many as they need
    #[arg(long, value_name = "F", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub fps: Option<u32>,
    /// What to write
    #[arg(long, value_name = "WHAT", default_value = "trs")]
    pub what: BakeWord,
    /// The largest error of textures, in millimetres [default: 1]
    #[arg(long, value_name = "MM", value_parser = millimetres)]
    pub error_mm: Option<f64>,
    /// The file, by its ending .npy or .json; - is standard output, as .npy; textures are .exr, .png or .npy
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BakeWord {
    Trs,
    Matrices,
    Bones,
    Vertices,
}

/// Frames a second of tables, where none are said.
pub const TABLE_FPS: u32 = 30;

/// The largest error of textures, where none is said: that of `[[crowd]]`s.
pub const TEXTURE_ERROR_MM: f64 = 1.0;

#[derive(ClapArgs, Debug)]
pub struct CompressArgs {
    /// A model (.glb .gltf .fbx)
    pub model: PathBuf,
    /// A clip's name, `#N` (its number from 0), or all [default: all; with -o, the only one]
    #[arg(long, value_name = "CLIP", value_parser = parse_clip)]
    pub clip: Option<ClipChoice>,
    /// The largest error that is accepted, in millimetres
    #[arg(long, value_name = "MM", default_value = "0.1", value_parser = millimetres)]
    pub error_mm: f64,
    /// Samples a second of clips whose keys are at odd times
    #[arg(long, value_name = "F", default_value = "30", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub fps: u32,
    /// How far points are from their joint that errors are told of, in millimetres: where its skin is
    #[arg(long, value_name = "MM", default_value = "30", value_parser = millimetres)]
    pub shell_mm: f64,
    /// Write the clip, of one (.clip)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Draw the error joint by joint over time, of one clip (.svg)
    #[arg(long, value_name = "OUT")]
    pub plot: Option<PathBuf>,
    /// Compress nothing: see how far a .clip is from the model's; further than --error-mm fails
    #[arg(long, value_name = "FILE", conflicts_with_all = ["output", "fps"])]
    pub check: Option<PathBuf>,
}

fn millimetres(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "a number is expected, as 0.1".to_string())?;
    // Below a millionth f32 itself is further off; beyond a metre there is no clip left.
    if (1e-6..=1e3).contains(&number) { Ok(number) } else { Err("0.000001 to 1000 is expected".to_string()) }
}

#[derive(ClapArgs, Debug)]
pub struct DumpArgs {
    /// A model (.glb .gltf .fbx .obj .stl .ply), or a scene (.toml) with animators
    pub model: PathBuf,
    /// A clip's name, `#N` (its number from 0), all, or none: the model as it is stored [default: none]
    #[arg(long, value_name = "CLIP", value_parser = parse_clip)]
    pub clip: Option<ClipChoice>,
    /// An animator of a scene [default: the only one]
    #[arg(long, value_name = "NAME", conflicts_with = "clip")]
    pub animator: Option<String>,
    /// Which of the nodes that wear it, with the names of those above: group/node [default: the first]
    #[arg(long, value_name = "NAME", conflicts_with = "clip")]
    pub node: Option<String>,
    /// Frames: A..B with both ends, or a list like 0,5,9..12
    #[arg(long, value_name = "LIST", default_value = "0", value_parser = Frames::parse)]
    pub frames: Frames,
    /// What to write
    #[arg(long, value_name = "WHAT")]
    pub what: DumpWord,
    /// Joints whose slides along the floor metrics tell, several with commas
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub feet: Vec<String>,
    /// Lower than this a joint of --feet is on the floor, in millimetres
    #[arg(long, value_name = "MM", default_value = "30", value_parser = millimetres)]
    pub floor_mm: f64,
    /// The file (.npy; of solvers and metrics .json); - is standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DumpWord {
    Positions,
    Normals,
    Joints,
    Morphs,
    Solvers,
    Metrics,
}
