//! Take: the whole chain as one function. Start reading here.
//!
//! In: a resolved [`Scene`] and [`Settings`]. Out: a [`Take`]: pictures, dumps and figures. Never here: arguments, the
//! clock, printing, files that are written.
//!
//! [`take()`] makes the pictures of one moment. A [`Sitting`] loads a scene once and pictures it at many.

mod accumulation;
mod empty;
mod energy;
mod equipment;
mod layer;
mod looking;
mod probes;
mod refusal;
mod replay;
mod shown;
mod sitting;
mod tiling;
mod together;
mod views;

use std::ops::Range;

use stillframe_base::lanes::Isa;
use stillframe_frames::Picture;

use crate::render::{Choice, Colour, RenderError, SoftOptions};
use crate::scene::{Aov, Display, Scene};
use crate::source::Diagnostic;

pub use crate::cache::Cache;
pub use crate::fault::Fault;
pub use crate::render::{Capture, DrawCapture, PassCapture, Skinning, Texels};
pub use accumulation::Partial;
pub use layer::for_looking;
pub use sitting::Sitting;

pub(crate) use crate::render::PIXEL_CONTRACT;
pub(crate) use equipment::Equipment;
pub(crate) use looking::{is_finite, texels_made_small};

/// How a scene is taken; what is taken stands in the scene itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    pub adapter: AdapterChoice,
    /// Worker threads of the software adapter; 0 = the environment's wish, else one a core. No pixel depends on it.
    pub threads: usize,
    /// Instruction set of the software adapter; `None` = the environment's wish, else the best one. No pixel depends on
    /// it.
    pub isa: Option<Isa>,
    /// What to picture, in order, each once.
    pub aovs: Vec<Aov>,
    /// Form of the colour picture: 8 or 16 are integers, encoded after tone mapping; 32 is linear f32 RGBA after
    /// exposure and before tone mapping, premultiplied (what EXR and NPY hold).
    pub bits: u8,
    /// Integers are codes of the scene's display, those of PQ always of 16 bits; otherwise of sRGB.
    pub for_display: bool,
    /// The text form of one link instead of pictures.
    pub dump: Option<Dump>,
    /// Seconds from one frame to the next: how far back motion looks.
    pub frame_s: f64,
    /// Where models are kept as they were baked, and light from around; `None`: nowhere. No pixel depends on it.
    pub cache: Option<Cache>,
    /// Work of the software adapter starts in reverse order. No pixel depends on it.
    pub last_first: bool,
    /// Who bends vertices. No pixel of the software adapter depends on it.
    pub skinning: Skinning,
    /// How closely passes are looked at.
    pub capture: Capture,
    /// A mistake that is planted, to see who notices; `None` for everybody else.
    pub fault: Option<Fault>,
    /// Whether [`Take::scene_hash`] is wanted; every file that is read is hashed for it.
    pub scene_hash: bool,
    /// The rows of pictures that are wanted, one of [`Sitting::bands`]; `None`: all of them.
    pub rows: Option<Range<u32>>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            adapter: AdapterChoice::Soft,
            threads: 0,
            isa: None,
            aovs: vec![Aov::COLOR],
            bits: 8,
            for_display: false,
            dump: None,
            frame_s: 1.0 / 30.0,
            cache: None,
            last_first: false,
            skinning: Skinning::Cpu,
            capture: Capture::Off,
            fault: None,
            scene_hash: false,
            rows: None,
        }
    }
}

/// Which adapter draws.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AdapterChoice {
    /// `stillframe-soft`: the same bits everywhere.
    #[default]
    Soft,
    /// The first of the machine's own whose name holds the part (any case), or simply the first.
    Native(Option<String>),
}

/// A link of the chain that has a text form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dump {
    Scene,
    /// What animators play, and what has happened so far.
    Animation,
    World,
    Shot,
    /// The shader text of every pipeline the scene needs.
    Wgsl,
    /// The keys of those pipelines.
    Keys,
    /// What nodes of materials compute.
    Graph,
    Plan,
    /// The software adapter's form of those shaders.
    Program,
    /// The mean radiance of every level of light from around: the one dump that draws.
    Environment,
}

/// Where the chain is. `watch` hears each stage as it begins, so that a clock outside can time them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Files are read, decoded and baked.
    Load,
    /// Nodes are placed, the camera looks.
    Place,
    /// The adapter opens, geometry and textures go up, pipelines are made.
    Prepare,
    /// Passes run.
    Draw,
    /// What passes wrote is read back and hashed.
    Capture,
    /// Texels come back and become pictures.
    Read,
    /// Nothing more comes.
    Done,
}

impl Stage {
    /// One lower-case word for progress lines and `--stats`.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Load => "load",
            Stage::Place => "place",
            Stage::Prepare => "prepare",
            Stage::Draw => "draw",
            Stage::Capture => "capture",
            Stage::Read => "read",
            Stage::Done => "done",
        }
    }
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Take {
    /// In the order asked for; empty when a dump was asked for.
    pub pictures: Vec<(Aov, Picture)>,
    /// What the colour picture's integers are codes of.
    pub display: Display,
    /// `object_names[id - 1]`: what the `id` picture's numbers mean.
    pub object_names: Vec<String>,
    /// `object_materials[id - 1]`: names of its parts' materials.
    pub object_materials: Vec<String>,
    /// Every pass in order, where they were looked at.
    pub captures: Vec<PassCapture>,
    /// `b3:HEX` of the scene's text form and of every file it reads, where it was asked for.
    pub scene_hash: Option<String>,
    pub stats: Stats,
    /// Things in people's files that were tolerated.
    pub warnings: Vec<Diagnostic>,
    pub dump: Option<String>,
}

/// Figures of one take; no times, these are the watcher's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Adapter name and `driver_info`.
    pub adapter: String,
    /// The software adapter's pixel contract; `None` on native adapters.
    pub contract: Option<u32>,
    pub passes: u32,
    pub draws: u32,
    /// Models that were found ready in the cache.
    pub models_found: u32,
    /// Submitted, over all passes, before culling of back faces.
    pub triangles: u64,
    pub pipelines: u32,
    pub lights: u32,
    pub shadow_maps: u32,
    /// Attachments, shadow maps and prefiltered cubes.
    pub target_bytes: u64,
    /// Images of materials and environments, all levels.
    pub texture_bytes: u64,
    /// Vertices, indices and uniforms.
    pub buffer_bytes: u64,
    /// The most bytes that buffers and textures of the software adapter held at once; `None` on native adapters.
    pub device_peak_bytes: Option<u64>,
    /// Pictures of views that were drawn for its surfaces.
    pub views: u32,
    /// Frames before it that were drawn for its effects.
    pub frames_before: u32,
}

impl Stats {
    /// Of two things that were drawn one after the other.
    pub(crate) fn and(self, other: Stats) -> Stats {
        Stats {
            passes: self.passes + other.passes,
            draws: self.draws + other.draws,
            triangles: self.triangles + other.triangles,
            pipelines: self.pipelines.max(other.pipelines),
            shadow_maps: self.shadow_maps + other.shadow_maps,
            target_bytes: self.target_bytes.max(other.target_bytes),
            texture_bytes: self.texture_bytes.max(other.texture_bytes),
            buffer_bytes: self.buffer_bytes.max(other.buffer_bytes),
            device_peak_bytes: self.device_peak_bytes.max(other.device_peak_bytes),
            ..self
        }
    }
}

/// Why nothing came of it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TakeError {
    /// Something is wrong with people's files. Exit status 2.
    #[error("{} in the scene's files", count_of(.0))]
    Scene(Vec<Diagnostic>),
    /// No such adapter, or it cannot do what is needed. Exit status 7.
    #[error("{0}")]
    Adapter(String),
    /// The disk or the machine's memory said no. Exit status 8.
    #[error("{0}")]
    World(String),
    /// The device was lost: a shader without end, out of device memory, or a driver's fault. Exit status 3.
    #[error("{0}")]
    Fault(String),
}

fn count_of(diagnostics: &[Diagnostic]) -> String {
    match diagnostics.len() {
        1 => diagnostics[0].message.clone(),
        count => format!("{count} mistakes"),
    }
}

/// Takes the pictures that `settings` asks for of `scene`, at the moment it shows.
///
/// Errors: see [`TakeError`]. The same scene and settings give the same pictures, whatever the threads and the machine,
/// as long as the software adapter draws.
pub fn take(scene: &Scene, settings: &Settings, watch: &mut dyn FnMut(Stage)) -> Result<Take, TakeError> {
    if settings.dump == Some(Dump::Scene) {
        return Ok(Take { dump: Some(scene.print()), ..Take::default() });
    }
    let taken = Sitting::begin(scene, settings, watch)?.at(scene.time_s, watch);
    watch(Stage::Done);
    taken
}

impl Settings {
    /// What integers of its pictures are codes of.
    fn display(&self, scene: &Scene) -> Display {
        if self.for_display && self.bits < 32 { scene.display } else { Display::Srgb }
    }

    fn colour(&self, display: Display) -> Colour {
        match self.bits {
            8 if display != Display::Rec2020Pq => Colour::Bits8(display),
            8 | 16 => Colour::Bits16(display),
            32 => Colour::Linear32,
            bits => unreachable!("{bits} bits: the command line offers 8, 16 and 32"),
        }
    }

    fn adapter(&self) -> Choice {
        match &self.adapter {
            AdapterChoice::Soft => {
                let (threads, isa, last_first) = (self.threads, self.isa, self.last_first);
                Choice::Soft(SoftOptions { threads, isa, last_first })
            }
            AdapterChoice::Native(part) => Choice::Native(part.clone()),
        }
    }
}

impl From<RenderError> for TakeError {
    fn from(error: RenderError) -> TakeError {
        match error {
            RenderError::Adapter(message) => TakeError::Adapter(message),
            RenderError::Memory(_) => TakeError::World(error.to_string()),
            RenderError::Fault(message) => TakeError::Fault(message),
        }
    }
}
