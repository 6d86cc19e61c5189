//! What people may type. Long because it is one table: a struct and its help for every command.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

use crate::harness::Via;
use crate::scene::{
    Background, CameraChoice, ClipChoice, Ground, Lighting, Tonemap, Up, parse_background, parse_clip, parse_look,
    parse_size,
};
use crate::take::{AdapterChoice, Dump, Skinning};

use super::anim::args::AnimArgs;
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
  stillframe init && stillframe test            image tests: every scene is one
  stillframe COMMAND --help                     all that a command can do

Exit status: 0 all well, 1 pictures differ, or a finding, 2 bad usage or a bad input file, 3 crash, timeout or internal error,
4 no test matched, 5 references missing, extra or pending, 6 nondeterminism, 7 adapter not available or not the reference's,
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
    // The value is that of `bench --json FILE`, which stands in this one's place there; elsewhere it is a dash.
    #[arg(long, global = true, help_heading = "Messages", num_args = 0, default_missing_value = "-")]
    pub json: Option<PathBuf>,
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
    Anim(AnimArgs),
    Check(CheckArgs),
    /// List the adapters that can draw on this machine
    #[command(after_help = "\
Examples:
  stillframe adapters
  stillframe adapters --json      for programs

`--adapter` of the other commands takes `soft`, `native`, or `native:` and a part of a name.")]
    Adapters,
    Init(InitArgs),
    List(ListArgs),
    Test(Box<TestArgs>),
    Accept(AcceptArgs),
    Reject(RejectArgs),
    Pending(PendingArgs),
    Review(ReviewArgs),
    Report(ReportArgs),
    Diff(DiffArgs),
    Bisect(BisectArgs),
    Shrink(ShrinkArgs),
    Mutate(MutateArgs),
    Log(LogArgs),
    Store(StoreArgs),
    Repro(ReproArgs),
    /// Draw a built-in set of scenes in every way this machine can, and compare with what the program knows by heart
    #[command(after_help = "\
Examples:
  stillframe doctor
  stillframe doctor --json                      for programs

Exit status: 0 every picture is as it must be, 1 one is not.")]
    Doctor,
    Fuzz(FuzzArgs),
    Bench(BenchArgs),
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

/// Begin a project here: stillframe.toml, a first scene with its reference, a CI file
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe init
  stillframe init pictures --ci gitlab
  stillframe test                              green from the start

Files that are there already are left as they are.")]
pub struct InitArgs {
    /// The folder; it is made if need be
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// Which CI system gets a file
    #[arg(long, value_name = "WHICH", default_value = "github")]
    pub ci: CiSystem,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum CiSystem {
    Github,
    Gitlab,
    None,
}

/// List the cases of the project: every picture that `test` compares
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe list
  stillframe list shadow 'light/*' tag:slow
  stillframe list --json                        for programs")]
pub struct ListArgs {
    /// Parts of names, globs (`shadow/*`), `=NAME`, `re:EXPRESSION`, `tag:WORD`; any may match
    pub filter: Vec<String>,
}

/// Render the project's cases and compare them with their references
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe test
  stillframe test shadow 'light/*[samples=4]' tag:slow
  stillframe test --last-failed
  stillframe test --only-changed=origin/main
  stillframe test --partition hash:2/4 --report github --report junit=junit.xml
  stillframe test --via all                     by every other route, too
  stillframe test --identical-to origin/main    no pass of any case changed

What fails is looked at with `stillframe review` and settled with `stillframe accept` or `reject`.
The last line reads `N passed, N failed, N skipped`; cases whose inputs are those of an earlier run count as skipped.

Exit status: 0 all well, 1 pictures differ, 2 bad usage or a bad scene, 3 crash or timeout, 4 no test matched,
5 references missing or extra, 6 nondeterminism, 7 not the reference's adapter, 8 environment. Several at once: 3, 6, 7, 1, 5.")]
pub struct TestArgs {
    /// Parts of names, globs (`shadow/*`), `=NAME`, `re:EXPRESSION`, `tag:WORD`; any may match
    pub filter: Vec<String>,

    /// Only this part of the cases: slice:2/4, hash:2/4, or auto for what CI, Kubernetes or Slurm say
    #[arg(long, value_name = "PART", help_heading = "Which")]
    pub partition: Option<String>,
    /// Only what failed in the last run
    #[arg(long, help_heading = "Which")]
    pub last_failed: bool,
    /// Only what files that differ from a commit can reach
    #[arg(long, value_name = "REF", help_heading = "Which", require_equals = true)]
    pub only_changed: Option<String>,
    /// What it means that no test matched
    #[arg(long, value_name = "WHAT", default_value = "fail", help_heading = "Which")]
    pub no_tests: NoTests,

    /// Processes that render [default: one a core]
    #[arg(short, long, value_name = "N", help_heading = "How", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub jobs: Option<u32>,
    /// Seconds that a case may take [default: the project's]
    #[arg(long, value_name = "S", help_heading = "How", value_parser = timeout)]
    pub timeout: Option<f64>,
    /// Begin nothing more after so many failures
    #[arg(long, value_name = "N", help_heading = "How", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_failures: Option<u32>,
    /// Begin nothing more after the first failure
    #[arg(long, help_heading = "How", conflicts_with = "max_failures")]
    pub fail_fast: bool,
    /// Go on after failures; it is so anyway
    #[arg(long, help_heading = "How", conflicts_with = "fail_fast", hide = true)]
    pub no_fail_fast: bool,
    /// Render everything anew; what earlier runs found out must be the same
    #[arg(long, help_heading = "How")]
    pub no_cache: bool,
    /// soft, native, or native:PART of an adapter's name
    #[arg(long, value_name = "WHICH", help_heading = "How", default_value = "soft", value_parser = adapter)]
    pub adapter: AdapterChoice,
    /// How closely passes are looked at: a hash a pass, one a draw, or not at all
    #[arg(long, value_name = "WHAT", help_heading = "How", default_value = "passes")]
    pub capture: LookWord,

    /// Render each case so often; all must be equal
    #[arg(long, value_name = "N", help_heading = "More to ask", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub repeat_each: u32,
    /// Render each case again with one thread and in reverse order
    #[arg(long, help_heading = "More to ask")]
    pub audit: bool,
    /// Also render each case by other routes, or by all of them; every picture must be the same
    #[arg(long, value_name = "WHICH", value_delimiter = ',', help_heading = "More to ask", value_parser = words(Via::WORDS))]
    pub via: Vec<Via>,

    /// Prove that no picture and no pass of any case differs from what a commit's references say
    #[arg(long, value_name = "REF", help_heading = "More to ask")]
    pub identical_to: Option<String>,

    /// Old pictures that no store holds: drawn again by another build of stillframe, or from the scenes of a commit; one counts only where
    /// it has the reference's hash
    #[arg(long, value_name = "REF|PROGRAM", help_heading = "More to know")]
    pub base: Option<String>,
    /// Write html=PATH, junit=PATH or json=PATH; github: annotations and step summary
    #[arg(long, value_name = "WHAT", help_heading = "More to know", value_parser = ReportWish::parse)]
    pub report: Vec<ReportWish>,

    /// Plant a fault, to see what the report makes of it
    #[arg(long, value_name = "NAME", help_heading = "More to ask")]
    pub fault: Option<String>,

    /// Be a process that renders
    #[arg(long, hide = true)]
    pub worker: bool,
}

/// A report that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReportWish {
    Html(PathBuf),
    Junit(PathBuf),
    Json(PathBuf),
    Github,
}

impl ReportWish {
    fn parse(text: &str) -> Result<ReportWish, String> {
        match text.split_once('=') {
            None if text == "github" => Ok(ReportWish::Github),
            Some(("html", path)) if !path.is_empty() => Ok(ReportWish::Html(path.into())),
            Some(("junit", path)) if !path.is_empty() => Ok(ReportWish::Junit(path.into())),
            Some(("json", path)) if !path.is_empty() => Ok(ReportWish::Json(path.into())),
            _ => Err("html=PATH, junit=PATH, json=PATH or github".into()),
        }
    }
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoTests {
    Fail,
    Pass,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookWord {
    Passes,
    Draws,
    Off,
}

/// Take pictures of the last run as references, or forget those that are gone; renders nothing
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe accept shadow/cascade
  stillframe accept 'light/*' --reason 'lights fall off by the square now'
  stillframe accept --cluster c2
  stillframe accept --all
  stillframe accept --from artifact.zip --all       a run of another machine
  stillframe accept --from decisions.json           what the report's page has saved")]
pub struct AcceptArgs {
    #[command(flatten)]
    pub which: WhichArgs,
    /// Also take the hashes of passes where only these changed, not the picture
    #[arg(long)]
    pub passes: bool,
    /// Why, for whoever reads the run's decisions
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub reason: String,
}

/// Say that pictures of the last run are wrong: they wait no more
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe reject shadow/cascade --reason 'acne at the far edge'
  stillframe reject --cluster c1")]
pub struct RejectArgs {
    #[command(flatten)]
    pub which: WhichArgs,
    /// Why
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub reason: String,
}

/// Which of a run's cases.
#[derive(ClapArgs, Debug)]
pub struct WhichArgs {
    /// Parts of names, globs (`shadow/*`), `=NAME`, `re:EXPRESSION`, `tag:WORD`; any may match
    #[arg(required_unless_present_any = ["all", "cluster", "from"])]
    pub filter: Vec<String>,
    /// Everything that waits
    #[arg(long, conflicts_with = "filter")]
    pub all: bool,
    /// All cases of a cluster, as the run names it
    #[arg(long, value_name = "ID", conflicts_with_all = ["filter", "all"])]
    pub cluster: Option<String>,
    /// Another run: its folder, a zip file of it, or the page's decisions.json [default: the last one]
    #[arg(long, value_name = "RUN")]
    pub from: Option<PathBuf>,
}

/// Tell what waits for a decision; exit status 5 if anything does
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe pending
  stillframe pending --json                     for programs
  stillframe pending --patch | git apply        the lines of the locks alone, without the pictures")]
pub struct PendingArgs {
    /// Print what accepting all of it would change in the lock files, as a patch
    #[arg(long)]
    pub patch: bool,
    /// Another run: its folder, or a zip file of it [default: the last one]
    #[arg(long, value_name = "RUN")]
    pub from: Option<PathBuf>,
}

/// Look at what waits and settle it: in the terminal, or in a browser
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe review                             a accept, r reject, s skip, A/R for all of one cause
  stillframe review --web                       a page at 127.0.0.1, for this machine alone
  stillframe review --from artifact.zip         a run of another machine

Nothing is rendered. What is accepted becomes a reference at once.")]
pub struct ReviewArgs {
    /// Another run: its folder, or a zip file of it [default: the last one]
    #[arg(long, value_name = "RUN")]
    pub from: Option<PathBuf>,
    /// In a browser
    #[arg(long)]
    pub web: bool,
    /// The port of the page; 0: any that is free
    #[arg(long, value_name = "N", default_value = "7200", requires = "web")]
    pub port: u16,
    /// Open the browser
    #[arg(long, requires = "web")]
    pub open: bool,
}

/// Make a run's page anew, or one run of those of several machines
#[derive(ClapArgs, Debug)]
#[command(subcommand_required = true, arg_required_else_help = true, disable_help_subcommand = true)]
pub struct ReportArgs {
    #[command(subcommand)]
    pub command: ReportCommand,
}

#[derive(Subcommand, Debug)]
pub enum ReportCommand {
    /// Write the page of a run, and tell where it is
    Show {
        /// A run's folder, or a zip file of it [default: the last one]
        run: Option<PathBuf>,
        /// Where it goes [default: report.html in the run's folder]
        #[arg(short, long, value_name = "OUT")]
        output: Option<PathBuf>,
    },
    /// Join the parts of a run that several machines made
    #[command(after_help = "\
Examples:
  stillframe report merge stillframe-1 stillframe-2 -o report.html
  stillframe report merge artifacts/*.zip -o report.html

The joined run lies beside the page and can be reviewed: `stillframe review --from FOLDER`.
A part that is missing or was cut off is a failure.")]
    Merge {
        /// Runs: folders of them, or zip files
        #[arg(required = true)]
        runs: Vec<PathBuf>,
        /// The page
        #[arg(short, long, value_name = "OUT", default_value = "report.html")]
        output: PathBuf,
    },
}

/// Compare two pictures; exit status 0 the same, 1 different, 2 trouble
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe diff old.png new.png
  stillframe diff old.png new.png -o difference.png
  stillframe diff old.exr new.exr --layer normal --metric flip
  stillframe diff b3:HEX new.png                a picture of the last run, by its hash
  stillframe diff --stdin < pairs               one process for many: a line of JSON is [OLD, NEW] or [OLD, NEW, OUT]

Equal is what has equal pixels, whatever files they lie in. Terminals that can show the difference.")]
pub struct DiffArgs {
    /// PNG, EXR, NPY, JPEG, WebP, HDR ... or b3:HEX
    #[arg(required_unless_present = "stdin")]
    pub old: Option<PathBuf>,
    /// The same
    #[arg(required_unless_present = "stdin")]
    pub new: Option<PathBuf>,
    /// Read pairs from standard input, a JSON list a line, and answer each with a line of JSON
    #[arg(long, conflicts_with_all = ["old", "new", "output", "show"])]
    pub stdin: bool,
    /// A picture of the difference (.png)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// What is told beside the exact figures, and drawn: how far each pixel is off, or how people would see it
    #[arg(long, value_name = "WHICH", default_value = "exact")]
    pub metric: MetricWord,
    /// One layer of EXR files, by its name
    #[arg(long, value_name = "NAME")]
    pub layer: Option<String>,
    /// Show the picture in the terminal
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "auto")]
    pub show: Option<Show>,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricWord {
    Exact,
    Flip,
}

/// Find the pass and the draw where a case's picture begins to differ
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe bisect shadow/cascade                      from its reference
  stillframe bisect shadow/cascade --against main       from the scene as a commit has it
  stillframe bisect shadow/cascade --against target/stillframe/runs/000012

Exit status: 0 every pass is the same, 1 one differs.")]
pub struct BisectArgs {
    /// The case's name
    pub name: String,
    /// A commit, or a run's folder [default: the reference]
    #[arg(long, value_name = "REF|RUN")]
    pub against: Option<String>,
}

/// Make a case's scene as small as can be while it still fails
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe shrink shadow/cascade --against ../old/stillframe     while another build draws another picture
  stillframe shrink shadow/cascade --fault shadow-bias-zero        while a planted fault shows
  stillframe shrink shadow/cascade --while panics
  stillframe shrink shadow/cascade --while native-differs --adapter native:llvmpipe

Nodes, lights, cameras, materials, models, keys of curves, every single value and half of the pixels are taken away as
long as the answer stays yes. The small scene is a test of its own, beside the old one. Exit status: 0 it was written,
2 the scene does not do so in the first place.")]
pub struct ShrinkArgs {
    /// The case's name
    pub name: String,
    /// What the scene must go on doing
    #[arg(long = "while", value_name = "WHAT", default_value = "differs")]
    pub what: ShrinkWhile,
    /// Another stillframe: `differs` from it; with another WHAT, the one that is asked instead of this one
    #[arg(long, value_name = "PROGRAM")]
    pub against: Option<PathBuf>,
    /// `differs` where this fault is planted
    #[arg(long, value_name = "NAME", conflicts_with = "against")]
    pub fault: Option<String>,
    /// Faults of your own [default: those that come with the program]
    #[arg(long, value_name = "FILE", requires = "fault")]
    pub faults: Option<PathBuf>,
    /// For `native-differs`: native, or native:PART of an adapter's name
    #[arg(long, value_name = "WHICH", default_value = "native", value_parser = adapter)]
    pub adapter: AdapterChoice,
    /// Seconds until the smallest scene so far is taken
    #[arg(long, value_name = "S", default_value = "60", value_parser = timeout)]
    pub time_limit: f64,
    /// The new scene's file [default: beside the old one, with `_shrunk` at the end of its name]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// What a shrunk scene must go on doing.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShrinkWhile {
    /// Another program, or a planted fault, draws another picture
    Differs,
    /// Other threads or another order draw another picture
    Nondet,
    /// The program panics, or is ended by a signal
    Panics,
    /// A native adapter draws another picture, beyond the scene's tolerance
    NativeDiffers,
}

/// Plant faults in the renderer one by one, and tell which cases notice them
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe mutate
  stillframe mutate 'light/*' --fault brdf-without-pi
  stillframe mutate --faults my-faults.toml --json
  stillframe mutate --list

A fault that nobody notices could break unseen: exit status 1.")]
pub struct MutateArgs {
    /// Parts of names, globs (`shadow/*`), `=NAME`, `re:EXPRESSION`, `tag:WORD`; any may match
    pub filter: Vec<String>,
    /// Faults of your own [default: those that come with the program]
    #[arg(long, value_name = "FILE")]
    pub faults: Option<PathBuf>,
    /// Only the fault of this name; may stand several times
    #[arg(long, value_name = "NAME")]
    pub fault: Vec<String>,
    /// List the faults
    #[arg(long)]
    pub list: bool,
}

/// Tell who made a case's pictures, the newest first
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe log shadow/cascade")]
pub struct LogArgs {
    /// The case's name
    pub name: String,
}

/// Put a case into one file that proves itself anywhere, and run such a file
#[derive(ClapArgs, Debug)]
#[command(subcommand_required = true, arg_required_else_help = true, disable_help_subcommand = true)]
pub struct ReproArgs {
    #[command(subcommand)]
    pub command: ReproCommand,
}

#[derive(Subcommand, Debug)]
pub enum ReproCommand {
    /// Write a case, its files, its picture and the hashes of its passes into a capsule
    #[command(after_help = "\
Examples:
  stillframe repro save shadow/cascade
  stillframe repro save 'light/spot[samples=4]' -o spot.sfr")]
    Save {
        /// The case's name
        name: String,
        /// The capsule [default: the case's name with .sfr, here]
        #[arg(short, long, value_name = "OUT")]
        output: Option<PathBuf>,
    },
    /// Render a capsule; exit status 0 its picture, 1 another one
    #[command(after_help = "\
Examples:
  stillframe repro run spot.sfr                 needs no project")]
    Run { file: PathBuf },
}

/// Look after the references as a whole
#[derive(ClapArgs, Debug)]
#[command(subcommand_required = true, arg_required_else_help = true, disable_help_subcommand = true)]
pub struct StoreArgs {
    #[command(subcommand)]
    pub command: StoreCommand,
}

#[derive(Subcommand, Debug)]
pub enum StoreCommand {
    /// Decode every picture and compare it with its line; exit status 5 if anything is missing or broken
    Verify,
    /// Remove files that no line names
    Gc {
        /// List them only
        #[arg(long)]
        dry_run: bool,
    },
    /// Tell how many cases, files and bytes there are
    Stats,
    /// Upload pictures that the object store does not have; a second time moves nothing
    Push,
    /// Fetch pictures that are not here
    Pull,
    /// Write all pictures into a folder, by the names of their cases
    Export { folder: PathBuf },
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

/// Try made-up files, scripts and clips on what reads and plays them, and tell what breaks
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe fuzz --list
  stillframe fuzz import --seed 7 --minutes 5
  stillframe fuzz time --runs 1000              scripts of time control
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
    /// Write the inputs as bytes for another fuzzer into this folder instead of trying them
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["replay", "mutant", "minutes"])]
    pub corpus: Option<PathBuf>,
    /// Be the process that tries them, with this folder to write to
    #[arg(long, value_name = "FOLDER", hide = true)]
    pub worker: Option<PathBuf>,
    /// The first input to try
    #[arg(long, value_name = "N", default_value = "0", hide = true)]
    pub from: u64,
}

/// Time what the program is made of: animation, skinning, the machine's memory
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe bench --list
  stillframe bench anim/blend --rounds 5
  stillframe bench 'skin/*/10k' --rounds 5 --json skin.json
  stillframe bench anim/palette --isa all --rounds 5
  stillframe bench anim/time --save old && stillframe bench anim/time --against old

A figure is the median of the rounds; a case is timed in all its settings in turn, so that what
disturbs one disturbs all. Before that its result is looked at: finite, and the same bits at every
instruction set and number of threads. The ratio is time over time: above 1 is slower than before.
Names given to --save are files in target/stillframe/bench. Figures of different machines, and of
busy ones, do not compare; ratios of one run do.")]
pub struct BenchArgs {
    /// How names begin, globs (`skin/*/1m`), `=NAME`, `re:EXPRESSION`; any may match
    pub filter: Vec<String>,
    /// List the cases
    #[arg(long)]
    pub list: bool,
    /// Instruction sets, several with commas, or all [default: the fastest, or STILLFRAME_ISA]
    #[arg(long, value_name = "NAME")]
    pub isa: Option<String>,
    /// Threads of what uses several; one is timed beside it [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
    /// Samples of each [default: 101]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub rounds: Option<u32>,
    /// Write the figures as JSON; - is standard output, without a table
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Keep the figures under a name
    #[arg(long, value_name = "NAME")]
    pub save: Option<String>,
    /// Compare with figures that were kept
    #[arg(long, value_name = "NAME")]
    pub against: Option<String>,
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
    /// What to show, several with commas: color, depth, normal, albedo, id, motion; or
    /// what passes leave for each other: linear, shadow.N, radiance.N, specular.N
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
    /// Which clip moves the models, in place of animators: a name, #N (from 0), all at once, or none [default: none, unless the scene asks]
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
    /// Who bends skinned and morphed surfaces: the processor or a shader; changes no pixel of the software adapter [default: cpu]
    #[arg(long, value_name = "WHO", help_heading = "Machine", value_parser = words(Skinning::WORDS))]
    pub skinning: Option<Skinning>,
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

const DUMPS: &[(&str, Dump)] = &[
    ("scene", Dump::Scene),
    ("animation", Dump::Animation),
    ("world", Dump::World),
    ("shot", Dump::Shot),
    ("wgsl", Dump::Wgsl),
    ("keys", Dump::Keys),
    ("plan", Dump::Plan),
    ("program", Dump::Program),
];

fn dump_parser() -> impl TypedValueParser<Value = Dump> {
    words(DUMPS)
}

/// As the command line spells it.
pub fn dump_word(dump: Dump) -> &'static str {
    DUMPS.iter().find(|(_, of)| *of == dump).map_or("", |(word, _)| word)
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
