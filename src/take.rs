//! Take: the whole chain as one function. Start reading here.
//!
//! In: a resolved [`Scene`] and [`Settings`]. Out: a [`Take`]: pictures, dumps and figures. Never here: arguments, the
//! clock, printing, files that are written.

mod looking;

use stillframe_base::lanes::Isa;
use stillframe_frames::{Picture, Samples};

use crate::frame::Colour;
use crate::render::{self, Choice, Drawn, Frame, Gpu, Job, RenderError, SoftOptions};
use crate::scene::{Aov, Background, Output, Scene};
use crate::source::Diagnostic;
use crate::view;
use crate::world::{self, Built};

pub use looking::for_looking;

/// How a scene is taken; what is taken stands in the scene itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    pub adapter: AdapterChoice,
    /// Worker threads of the software adapter; 0 = the environment's wish, else one a core. No pixel depends on it.
    pub threads: usize,
    /// Instruction set of the software adapter; `None` = the environment's wish, else the best one. No pixel depends on it.
    pub isa: Option<Isa>,
    /// What to picture, in order, each once.
    pub aovs: Vec<Aov>,
    /// Form of the colour picture: 8 or 16 are sRGB-encoded integers after tone mapping; 32 is linear f32 RGBA after
    /// exposure and before tone mapping, premultiplied (what EXR and NPY hold).
    pub bits: u8,
    /// The text form of one link instead of pictures.
    pub dump: Option<Dump>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { adapter: AdapterChoice::Soft, threads: 0, isa: None, aovs: vec![Aov::Color], bits: 8, dump: None }
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
    World,
    Shot,
    /// The shader text of every pipeline the scene needs.
    Wgsl,
    /// The keys of those pipelines.
    Keys,
    Plan,
    /// The software adapter's form of those shaders.
    Program,
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
    /// `object_names[id - 1]`: what the `id` picture's numbers mean.
    pub object_names: Vec<String>,
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

/// Takes the pictures that `settings` asks for of `scene`.
///
/// Errors: see [`TakeError`]. The same scene and settings give the same pictures, whatever the threads and the machine,
/// as long as the software adapter draws.
pub fn take(scene: &Scene, settings: &Settings, watch: &mut dyn FnMut(Stage)) -> Result<Take, TakeError> {
    let text = |text| Ok(Take { dump: Some(text), ..Take::default() });
    if settings.dump == Some(Dump::Scene) {
        return text(scene.print());
    }

    watch(Stage::Load);
    let vfs = scene.vfs().map_err(|diagnostic| TakeError::Scene(vec![diagnostic]))?;
    let Built { scene, world, store, environment, mut warnings } =
        world::build(scene, &|path| vfs.read(path)).map_err(TakeError::Scene)?;
    if settings.dump == Some(Dump::World) {
        return text(world::dump(&world, &store));
    }

    watch(Stage::Place);
    let shot = view::look(&scene, &world, &store);
    if settings.dump == Some(Dump::Shot) {
        return text(view::dump(&shot, &store));
    }

    watch(Stage::Prepare);
    let job = Job {
        shot: &shot,
        store: &store,
        environment: &scene.environment,
        environment_map: environment.as_ref(),
        output: &scene.output,
        max_mip: scene.max_mip,
        colour: settings.aovs.contains(&Aov::Color).then(|| settings.colour()),
        aov: settings.aovs.iter().any(|&aov| aov != Aov::Color),
    };
    let prepared = render::prepare(&job);
    match settings.dump {
        Some(Dump::Plan) => return text(prepared.plan.to_string()),
        Some(Dump::Keys) => return text(render::keys(&job, &prepared).iter().map(|key| format!("{key}\n")).collect()),
        Some(Dump::Wgsl) => return text(titled(render::texts(&job, &prepared))),
        Some(Dump::Program) => return text(titled(render::programs(&job, &prepared))),
        _ => {}
    }
    if prepared.shadows_left_out > 0 {
        let message = format!("{} lights cast no shadow: too many others do", prepared.shadows_left_out);
        warnings.push(Diagnostic::warning(SHADOWS_LEFT_OUT, &scene.root, message));
    }
    let gpu = Gpu::open(&settings.adapter())?;
    let mut frame = Frame::load(&gpu, job, &prepared)?;

    watch(Stage::Draw);
    frame.draw()?;

    watch(Stage::Read);
    let drawn = frame.read()?;
    let stats = Stats {
        adapter: gpu.name.clone(),
        contract: gpu.contract,
        passes: prepared.plan.passes.len() as u32,
        draws: drawn.draws,
        triangles: drawn.triangles,
        pipelines: drawn.pipelines,
        lights: shot.lights.len() as u32,
        shadow_maps: prepared.shadow_map_count(),
        target_bytes: prepared.plan.target_bytes(),
        texture_bytes: drawn.texture_bytes,
        buffer_bytes: drawn.buffer_bytes,
        device_peak_bytes: gpu.peak_bytes(),
    };
    let transparent = scene.output.background == Background::Transparent;
    let pictures = settings.aovs.iter().map(|&aov| (aov, picture(aov, &drawn, &scene.output, transparent))).collect();
    watch(Stage::Done);
    Ok(Take { pictures, object_names: shot.object_names, stats, warnings, dump: None })
}

/// Code of the warning that some lights cast no shadow.
const SHADOWS_LEFT_OUT: &str = "W0601";

impl Settings {
    fn colour(&self) -> Colour {
        match self.bits {
            8 => Colour::Srgb8,
            16 => Colour::Srgb16,
            32 => Colour::Linear32,
            bits => unreachable!("{bits} bits: the command line offers 8, 16 and 32"),
        }
    }

    fn adapter(&self) -> Choice {
        match &self.adapter {
            AdapterChoice::Soft => Choice::Soft(SoftOptions { threads: self.threads, isa: self.isa }),
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

fn titled(texts: Vec<(String, String)>) -> String {
    texts.iter().map(|(name, text)| format!("// ==== {name}\n{text}\n")).collect()
}

/// The texels of one output as a picture.
fn picture(aov: Aov, drawn: &Drawn, output: &Output, transparent: bool) -> Picture {
    let planned = "planned with the outputs";
    let exact = || drawn.normal_depth.as_ref().expect(planned).chunks_exact(4);
    let bits = || drawn.albedo_id.as_ref().expect(planned).chunks_exact(4);
    let (channel_count, samples) = match aov {
        Aov::Color => {
            let bytes = drawn.encoded.as_ref().expect(planned);
            let pixel_bytes = bytes.len() / (output.width_px as usize * output.height_px as usize);
            match pixel_bytes {
                4 => channels(bytes, transparent, Samples::U8),
                8 => channels(&bytemuck::pod_collect_to_vec(bytes), transparent, Samples::U16),
                _ => (4, Samples::F32(bytemuck::pod_collect_to_vec(bytes))),
            }
        }
        Aov::Depth => (1, Samples::F32(exact().map(|texel| texel[3]).collect())),
        Aov::Normal => (3, Samples::F32(exact().flat_map(|texel| [texel[0], texel[1], texel[2]]).collect())),
        Aov::Albedo => {
            let values = bits().flat_map(|texel| [texel[0], texel[1], texel[2]].map(f32::from_bits));
            (3, Samples::F32(values.collect()))
        }
        Aov::Id => (1, Samples::U32(bits().map(|texel| texel[3]).collect())),
    };
    Picture { width_px: output.width_px, height_px: output.height_px, channel_count, samples }
}

/// Alpha stays only where it can differ from 1.
fn channels<T: Copy>(texels: &[T], transparent: bool, wrap: fn(Vec<T>) -> Samples) -> (u32, Samples) {
    if transparent {
        return (4, wrap(texels.to_vec()));
    }
    (3, wrap(texels.chunks_exact(4).flat_map(|texel| [texel[0], texel[1], texel[2]]).collect()))
}
