//! What people may type.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

use crate::scene::{
    Background, CameraChoice, ClipChoice, Ground, Lighting, Tonemap, Up, parse_background, parse_clip, parse_look,
    parse_size,
};
use crate::take::{AdapterChoice, Dump};

use super::form::Form;
use super::moment::Frames;
use super::show::Show;
use super::stdin::KINDS;

/// Pictures of scenes and models: the same bits on every machine, with no window, no GPU and no driver
#[derive(Parser, Debug)]
#[command(name = "stillframe", version, max_term_width = 100, subcommand_required = true)]
#[command(arg_required_else_help = true, disable_help_subcommand = true)]
#[command(after_help = "\
Examples:
  stillframe render model.glb                   framed and lit, to model.png
  stillframe render scene.toml -o picture.png
  stillframe hash scene.toml                    the identity of its pixels
  stillframe inspect model.glb                  what is in the file
  stillframe COMMAND --help                     all that a command can do

Exit status: 0 all well, 2 bad usage or a bad input file, 3 internal error, 7 adapter not available,
8 environment (disk full, no permission), 101 a bug of ours, 130 interrupted.")]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
    /// No progress; complaints are still told
    #[arg(short, long, global = true, help_heading = "Messages")]
    pub quiet: bool,
    /// Tell what is done, and how long it took
    #[arg(short, long, global = true, help_heading = "Messages", conflicts_with = "quiet")]
    pub verbose: bool,
    /// For programs: JSON instead of words, complaints too, one object a line
    #[arg(long, global = true, help_heading = "Messages")]
    pub json: bool,
    /// Colour in messages; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = "Messages")]
    pub color: When,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    Auto,
    Always,
    Never,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    Render(Box<RenderArgs>),
    Hash(Box<HashArgs>),
    Inspect(InspectArgs),
    Check(CheckArgs),
    /// List the adapters that can draw on this machine
    #[command(after_help = "\
Examples:
  stillframe adapters
  stillframe adapters --json      for programs

`--adapter` of the other commands takes `soft`, `native`, or `native:` and a part of a name.")]
    Adapters,
    Fuzz(FuzzArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Make pictures of scenes (.toml) and models (.glb .gltf .fbx .obj .stl .ply)
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe render model.glb                             framed and lit, to model.png
  stillframe render scene.toml -o picture.png
  stillframe render scene.toml -o - > picture.png         to standard output
  stillframe render - < scene.toml -o picture.png         from standard input
  stillframe render model.glb --show                      in the terminal
  stillframe render model.glb --size 640x360 --look 0,1,3:0,0.5,0
  stillframe render *.glb -o pictures/                    one picture each
  stillframe render *.glb --sheet 4x2 -o sheet.png        side by side

  stillframe render scene.toml --frames 0..59 -o out/####.png
  stillframe render scene.toml --frames 0..59 -o moves.apng
  stillframe render scene.toml --frames 0,20,40 --sheet 3x1 -o sheet.png

  stillframe render scene.toml --aov depth -o depth.npy   metres, for numpy
  stillframe render scene.toml --aov color,normal,id -o layers.exr
  stillframe render scene.toml --set output.samples=1 --set node.ball.radius_m=0.5
  stillframe render model.glb --set material.teapot.roughness=0.1
  stillframe render scene.toml --dump wgsl                the shaders it needs, no picture")]
pub struct RenderArgs {
    /// Scenes (.toml), models (.glb .gltf .fbx .obj .stl .ply), or folders to search for scenes; - is standard input
    #[arg(required = true)]
    pub input: Vec<PathBuf>,
    /// The picture, by its ending .png, .apng, .exr or .npy; with #### for a frame's number; DIR/ for names made from the
    /// inputs'; - for standard output [default: the input's name with .png, here]
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// What to write where OUT has no ending [default: png]
    #[arg(long, value_name = "FORM", value_parser = words(Form::WORDS))]
    pub format: Option<Form>,
    /// Lay pictures out side by side, COLUMNSxROWS: the frames, or those of several inputs
    #[arg(long, value_name = "CxR", value_parser = sheet)]
    pub sheet: Option<[u32; 2]>,
    /// Show the picture in the terminal; a file is written only if -o names one
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "auto")]
    pub show: Option<Show>,
    #[command(flatten)]
    pub shot: ShotArgs,
    /// Print the pixel identity too
    #[arg(long, help_heading = "More to know")]
    pub hash: bool,
    /// Print the text form of one link of the chain instead of making a picture
    #[arg(long, value_name = "LINK", help_heading = "More to know", value_parser = dump_parser())]
    pub dump: Option<Dump>,
}

/// Print the pixel identity of scenes and models, one a line, sorted by name
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe hash scene.toml
  stillframe hash scenes                        every scene under the folder
  stillframe hash scenes --size 64x64 --threads 1
  stillframe hash scene.toml --aov color,depth,id
  stillframe hash scene.toml --frames 0..9

A line is the identity, the size and form of the pixels, and the name; @N is a frame, #NAME what it shows.
Two pictures with one identity have the same pixels, whatever files they are stored in.")]
pub struct HashArgs {
    /// Scenes, models, and folders to search for scenes; - is standard input
    #[arg(required = true)]
    pub input: Vec<PathBuf>,
    #[command(flatten)]
    pub shot: ShotArgs,
}

/// Tell what is wrong with scene files, and make no picture
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe check scene.toml
  stillframe check scenes                       every scene under the folder
  stillframe check scene.toml --set output.samples=4
  stillframe check scenes --json                for editors and other programs")]
pub struct CheckArgs {
    /// Scenes, and folders to search for scenes
    #[arg(required = true)]
    pub scene: Vec<PathBuf>,
    /// Write a value of the scene anew first
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub edits: Vec<String>,
    /// Print the scene with every default filled in, every include and parameter put in
    #[arg(long)]
    pub print: bool,
}

/// Tell what model files hold: nodes, materials, images, skins, morphs, clips
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe inspect model.glb
  stillframe inspect model.glb --json           for programs")]
pub struct InspectArgs {
    /// Models (.glb .gltf .fbx .obj .stl .ply); - is standard input
    #[arg(required = true)]
    pub file: Vec<PathBuf>,
}

/// Print what completes our words in a shell
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe completions bash > ~/.local/share/bash-completion/completions/stillframe
  stillframe completions zsh > ~/.zfunc/_stillframe
  stillframe completions fish > ~/.config/fish/completions/stillframe.fish
  stillframe completions powershell >> $PROFILE")]
pub struct CompletionsArgs {
    /// Which shell
    pub shell: clap_complete::Shell,
}

/// Print the manual's page of the program, or of a command
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe man > stillframe.1
  stillframe man render | man -l -")]
pub struct ManArgs {
    /// Which command
    pub command: Option<String>,
}

/// Try made-up files on the importers and the scene format, and tell what breaks
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe fuzz --list
  stillframe fuzz import --seed 7 --minutes 5
  stillframe fuzz import --replay model.glb     a finding, or any file

The last line reads `fuzz TARGET: N inputs, N findings`. Exit status: 0 no finding, 1 a finding.")]
pub struct FuzzArgs {
    /// What is tried; --list tells the targets
    #[arg(required_unless_present = "list")]
    pub target: Option<String>,
    /// The inputs follow from it: the same on every machine
    #[arg(long, value_name = "N", default_value = "0")]
    pub seed: u64,
    /// Inputs to try [default: 1000, or as many as the minutes allow]
    #[arg(long, value_name = "N")]
    pub runs: Option<u64>,
    /// How long to try
    #[arg(long, value_name = "M", value_parser = minutes)]
    pub minutes: Option<f64>,
    /// Try the input of a finding again; what lies in the file's folder belongs to it
    #[arg(long, value_name = "FILE")]
    pub replay: Option<PathBuf>,
    /// List the targets and their mutants
    #[arg(long)]
    pub list: bool,
    /// Plant a known fault, which must be found
    #[arg(long, value_name = "NAME")]
    pub mutant: Option<String>,
    /// An input that takes longer is a finding
    #[arg(long, value_name = "S", default_value = "10", value_parser = timeout)]
    pub timeout: f64,
    /// The folder for inputs that break something
    #[arg(short, long, value_name = "FOLDER", default_value = "target/stillframe/fuzz")]
    pub output: PathBuf,
    /// Be the process that tries them, with this folder to write to
    #[arg(long, value_name = "FOLDER", hide = true)]
    pub worker: Option<PathBuf>,
    /// The first input to try
    #[arg(long, value_name = "N", default_value = "0", hide = true)]
    pub from: u64,
}

/// What `render` and `hash` share.
#[derive(ClapArgs, Debug)]
pub struct ShotArgs {
    /// Size in pixels [default: the scene's; 1280x720 for a model]
    #[arg(long, value_name = "WxH", help_heading = "Picture", value_parser = parse_size)]
    pub size: Option<[u32; 2]>,
    /// Samples a pixel [default: the scene's; 4 for a model]
    #[arg(long, value_name = "N", help_heading = "Picture", value_parser = numbers(["1", "4"]))]
    pub samples: Option<u32>,
    /// Bits a channel of a PNG
    #[arg(long, value_name = "N", help_heading = "Picture", default_value = "8", value_parser = numbers(["8", "16"]))]
    pub bits: u32,
    /// What to show, several with commas: color, depth, normal, albedo, id, motion
    #[arg(long, value_name = "LIST", help_heading = "Picture", value_delimiter = ',', default_value = "color")]
    pub aov: Vec<String>,
    /// One of the scene's shots, by its name
    #[arg(long, value_name = "NAME", help_heading = "Picture")]
    pub shot: Option<String>,
    /// How linear light becomes the picture [default: agx]
    #[arg(long, value_name = "HOW", help_heading = "Picture", value_parser = words(Tonemap::WORDS))]
    pub tonemap: Option<Tonemap>,
    /// Multiply the light by 2 to this power first [default: 0]
    #[arg(long, value_name = "EV", help_heading = "Picture", allow_negative_numbers = true, value_parser = exposure)]
    pub exposure: Option<f32>,
    /// What is seen where nothing is: auto, transparent, environment, or a colour like #20242c
    #[arg(long, value_name = "WHAT", help_heading = "Picture", value_parser = parse_background)]
    pub background: Option<Background>,

    /// auto, a camera's NAME, or #N for a model's camera number N (from 0)
    #[arg(long, value_name = "WHICH", help_heading = "View", conflicts_with = "look")]
    pub camera: Option<String>,
    /// A camera in metres and vertical degrees, like 0,5,8.2:0,0.1,0.3:40
    #[arg(long, value_name = "EYE:TARGET[:FOV]", help_heading = "View", allow_hyphen_values = true, value_parser = parse_look)]
    pub look: Option<CameraChoice>,
    /// Which way is up in a model file [default: as the file says]
    #[arg(long, value_name = "AXIS", help_heading = "View", value_parser = words(Up::WORDS))]
    pub up: Option<Up>,

    /// Which lights shine; auto: a model's own, else three studio lights
    #[arg(long, value_name = "WHICH", help_heading = "Light", value_parser = words(Lighting::WORDS))]
    pub lights: Option<Lighting>,
    /// Whether a grey floor lies under a model; auto: only where the file has no lights
    #[arg(long, value_name = "WHETHER", help_heading = "Light", value_parser = words(Ground::WORDS))]
    pub ground: Option<Ground>,
    /// auto, sky, none, or a .hdr or .exr FILE
    #[arg(long, value_name = "WHICH", help_heading = "Light")]
    pub environment: Option<String>,
    /// Whether lights cast shadows [default: on]
    #[arg(long, value_name = "WHETHER", help_heading = "Light", value_parser = words(&[("on", true), ("off", false)]))]
    pub shadows: Option<bool>,
    /// Texture levels above this one are not used [default: all are]
    #[arg(long, value_name = "N", help_heading = "Light", value_parser = clap::value_parser!(u32).range(0..=15))]
    pub max_mip: Option<u32>,

    /// The moment shown, in seconds [default: 0]
    #[arg(long, value_name = "S", help_heading = "Time", allow_negative_numbers = true, value_parser = seconds, conflicts_with = "frame")]
    pub time: Option<f64>,
    /// The moment shown, as a frame's number
    #[arg(long, value_name = "N", help_heading = "Time", allow_negative_numbers = true)]
    pub frame: Option<i32>,
    /// Frames a second [default: 30]
    #[arg(long, value_name = "F", help_heading = "Time", value_parser = frames_a_second)]
    pub fps: Option<f64>,
    /// Several frames, both ends included; or a list like 1,4,9..12
    #[arg(long, value_name = "A..B", help_heading = "Time", allow_hyphen_values = true, value_parser = Frames::parse, conflicts_with_all = ["frame", "time"])]
    pub frames: Option<Frames>,
    /// Which clip moves the models: a name, #N (from 0), all at once, or none [default: none, unless the scene asks]
    #[arg(long, value_name = "NAME|#N|all|none", help_heading = "Time", value_parser = parse_clip)]
    pub clip: Option<ClipChoice>,

    /// Write a value anew: a scene's, like camera.main.fov_y_deg=30, or one of a model's material, like
    /// material.Brick.roughness=0.2; may stand several times
    #[arg(long = "set", value_name = "PATH=VALUE", help_heading = "Scene")]
    pub edits: Vec<String>,

    /// What comes on standard input: toml, glb, gltf ... [default: as it looks]
    #[arg(long, value_name = "KIND", help_heading = "Scene", value_parser = PossibleValuesParser::new(KINDS), hide_possible_values = true)]
    pub from: Option<String>,

    /// soft, native, or native:PART of an adapter's name
    #[arg(long, value_name = "WHICH", help_heading = "Machine", default_value = "soft", value_parser = adapter)]
    pub adapter: AdapterChoice,
    /// Threads of the software adapter; changes no pixel [default: one a core]
    #[arg(long, value_name = "N", help_heading = "Machine", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
    /// Import models anew, and keep nothing of them in the cache folder; changes no pixel
    #[arg(long, help_heading = "Machine")]
    pub no_cache: bool,
    /// Write times, memory and counts as JSON
    #[arg(long, value_name = "FILE", help_heading = "More to know")]
    pub stats: Option<PathBuf>,
}

/// One of some words, each with its meaning.
fn words<T: Clone + Send + Sync + 'static>(meanings: &'static [(&'static str, T)]) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(meanings.iter().map(|(word, _)| *word)).map(|word| {
        let found = meanings.iter().find(|(known, _)| *known == word);
        found.map(|(_, meaning)| meaning.clone()).expect("clap lets only the known words through")
    })
}

fn numbers<const N: usize>(known: [&'static str; N]) -> impl TypedValueParser<Value = u32> {
    PossibleValuesParser::new(known).map(|word| word.parse().expect("clap lets only the known numbers through"))
}

fn dump_parser() -> impl TypedValueParser<Value = Dump> {
    words(&[
        ("scene", Dump::Scene),
        ("world", Dump::World),
        ("shot", Dump::Shot),
        ("wgsl", Dump::Wgsl),
        ("keys", Dump::Keys),
        ("plan", Dump::Plan),
        ("program", Dump::Program),
    ])
}

/// `4x2`: columns and rows.
fn sheet(text: &str) -> Result<[u32; 2], String> {
    let sides = text.split_once(['x', 'X']).and_then(|(c, r)| Some([c.trim().parse().ok()?, r.trim().parse().ok()?]));
    match sides {
        Some([columns @ 1..=1024, rows @ 1..=1024]) => Ok([columns, rows]),
        _ => Err("COLUMNSxROWS, for example 4x2, each from 1 to 1024".into()),
    }
}

fn exposure(text: &str) -> Result<f32, String> {
    bounded(text, -64.0, 64.0).map(|n| n as f32)
}

fn seconds(text: &str) -> Result<f64, String> {
    bounded(text, -1e6, 1e6)
}

fn minutes(text: &str) -> Result<f64, String> {
    bounded(text, 0.0, 1e5)
}

fn timeout(text: &str) -> Result<f64, String> {
    bounded(text, 0.01, 1e5)
}

fn frames_a_second(text: &str) -> Result<f64, String> {
    bounded(text, 1e-3, 1e6)
}

fn bounded(text: &str, min: f64, max: f64) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (min..=max).contains(&number) => Ok(number),
        Ok(_) => Err(format!("from {min} to {max}")),
        Err(_) => Err("a number is expected".into()),
    }
}

fn adapter(text: &str) -> Result<AdapterChoice, String> {
    match text.split_once(':') {
        None if text == "soft" => Ok(AdapterChoice::Soft),
        None if text == "native" => Ok(AdapterChoice::Native(None)),
        Some(("native", part)) if !part.is_empty() => Ok(AdapterChoice::Native(Some(part.to_string()))),
        _ => Err("soft, native or native:PART".into()),
    }
}
