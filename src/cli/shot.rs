//! Shot: the flags that `render` and `hash` share, and the settings and wishes that they mean.

use clap::{Args as ClapArgs, builder::PossibleValuesParser};
use etcetera::BaseStrategy as _;
use std::path::PathBuf;

use super::status::Failure;
use super::stdin::KINDS;
use super::values::{Frames, adapter, exposure, frames_a_second, memory, numbers, one_of, seconds};
use crate::cache::Cache;
use crate::scene::{
    AOVS, Aov, Background, CameraChoice, CameraWish, ClipChoice, Display, EnvironmentWish, Ground, Lighting,
    RenderOptions, Shading, Style, Tonemap, Up, View, Wishes, aov_words, parse_background, parse_clip, parse_look,
    parse_size, parse_stroke_width, parse_zoom,
};
use crate::take::{AdapterChoice, Dump, Settings, Skinning};

/// What `render` and `hash` share.
#[derive(ClapArgs, Debug)]
pub struct ShotArgs {
    /// Size in pixels [default: the scene's; 1280x720 for a model]
    #[arg(long, value_name = "WxH", help_heading = "Picture", value_parser = parse_size)]
    pub size: Option<[u32; 2]>,
    /// Draw pictures with longer sides in tiles of NxN pixels, one after the other. A .png of colour then needs the
    /// memory of one row of tiles. Does not change pixels [default: the scene's; 1024 for sides over 8192]
    #[arg(long, value_name = "N", help_heading = "Picture", value_parser = numbers(RenderOptions::TILES_PX))]
    pub tile_px: Option<u32>,
    /// Samples per pixel [default: the scene's; 4 for a model]
    #[arg(long, value_name = "N", help_heading = "Picture", value_parser = numbers(["1", "4", "16"]))]
    pub samples: Option<u32>,
    /// Shade each surface once per pixel, or for each sample [default: the scene's; pixel for 4 samples, sample for 16]
    #[arg(long, value_name = "HOW", help_heading = "Picture", value_parser = one_of(Shading::WORDS))]
    pub shading: Option<Shading>,
    /// Bits per channel of a PNG
    #[arg(long, value_name = "N", help_heading = "Picture", default_value = "8", value_parser = numbers(["8", "16"]))]
    pub bits: u32,
    // Its help names the layers of the table.
    #[arg(long, value_name = "LIST", help = aov_help(), help_heading = "Picture", value_delimiter = ',', default_value = "color")]
    pub aov: Vec<String>,
    /// Render the scene's shot of this name
    #[arg(long, value_name = "NAME", help_heading = "Picture")]
    pub shot: Option<String>,
    /// Tone mapping [default: the scene's; agx for a model]
    #[arg(long, value_name = "HOW", help_heading = "Picture", value_parser = one_of(Tonemap::WORDS))]
    pub tonemap: Option<Tonemap>,
    /// Display that PNG and APNG files are for; rec2020_pq has 16 bits per channel [default: the scene's; srgb for a
    /// model]
    #[arg(long, value_name = "WHAT", help_heading = "Picture", value_parser = one_of(Display::WORDS))]
    pub display: Option<Display>,
    /// Multiply the light by 2 to the power of EV before tone mapping [default: the scene's; 0 for a model]
    #[arg(long, value_name = "EV", help_heading = "Picture", allow_negative_numbers = true, value_parser = exposure)]
    pub exposure: Option<f32>,
    /// What is behind the scene: auto, transparent, environment, or a colour like #20242c
    #[arg(long, value_name = "WHAT", help_heading = "Picture", value_parser = parse_background)]
    pub background: Option<Background>,
    /// Highest texture level to use; 0 uses the full size only [default: all levels]
    #[arg(long, value_name = "N", help_heading = "Picture", value_parser = clap::value_parser!(u32).range(0..=15))]
    pub max_mip: Option<u32>,
    /// Width of a model's lines and points, in pixels where the model fills the picture [default: the scene's; 2 for a
    /// model]
    #[arg(long, value_name = "PX", help_heading = "Picture", value_parser = parse_stroke_width)]
    pub stroke_width: Option<f32>,

    /// Camera: auto, its NAME, or #N of a model's cameras, counted from 0
    #[arg(long, value_name = "WHICH", help_heading = "View")]
    pub camera: Option<String>,
    /// Look from EYE to TARGET, in metres. FOV is the vertical field of view, in degrees: 0,5,8.2:0,0.1,0.3:40. Or
    /// how a model is shown: studio, with a soft shadow and ambient occlusion, or plain, which is faster. Can be given
    /// twice [default: studio for a model]
    #[arg(long, value_name = "EYE:TARGET[:FOV]|STYLE", help_heading = "View", allow_hyphen_values = true, value_parser = look)]
    pub look: Vec<LookWish>,
    /// Render the scene's view of this NAME, or all of its views. Or frame everything from one side, without
    /// perspective: front, side, top, iso ... auto: from three quarters, with perspective
    #[arg(long, value_name = "NAME|all|SIDE", help_heading = "View", value_parser = view, conflicts_with = "camera")]
    pub view: Option<ViewWish>,
    /// Enlarge the picture about its middle; less than 1 shows more [default: the scene's; 1 for a model]
    #[arg(long, value_name = "F", help_heading = "View", value_parser = parse_zoom)]
    pub zoom: Option<f32>,
    /// N frames in which a camera that frames everything goes round it once. Studio lights go with it. Clips play
    /// along, unless --time or --frame chooses a moment
    #[arg(long, value_name = "N", help_heading = "View", value_parser = clap::value_parser!(u32).range(2..=10_000), conflicts_with_all = ["camera", "frames"])]
    pub turntable: Option<u32>,
    /// Up axis of a model file [default: as the file says]
    #[arg(long, value_name = "AXIS", help_heading = "View", value_parser = one_of(Up::WORDS))]
    pub up: Option<Up>,

    /// Lights. auto: the model's own, or three studio lights if it has none
    #[arg(long, value_name = "WHICH", help_heading = "Light", value_parser = one_of(Lighting::WORDS))]
    pub lights: Option<Lighting>,
    /// Put a grey floor under a model. auto: only if the file has no lights
    #[arg(long, value_name = "WHETHER", help_heading = "Light", value_parser = one_of(Ground::WORDS))]
    pub ground: Option<Ground>,
    /// Environment: auto, sky, none, or a .hdr or .exr FILE
    #[arg(long, value_name = "WHICH", help_heading = "Light")]
    pub environment: Option<String>,
    /// Whether lights cast shadows [default: the scene's; on for a model]
    #[arg(long, value_name = "WHETHER", help_heading = "Light", value_parser = one_of(&[("on", true), ("off", false)]))]
    pub shadows: Option<bool>,

    /// Moment to show, in seconds [default: the scene's; 0 for a model]
    #[arg(long, value_name = "S", help_heading = "Time", allow_negative_numbers = true, value_parser = seconds, conflicts_with = "frame")]
    pub time: Option<f64>,
    /// Moment to show, as a frame number
    #[arg(long, value_name = "N", help_heading = "Time", allow_negative_numbers = true)]
    pub frame: Option<i32>,
    /// Frames per second [default: the scene's; 30 for a model]
    #[arg(long, value_name = "F", help_heading = "Time", value_parser = frames_a_second)]
    pub fps: Option<f64>,
    /// Several frames: A..B including both, or a list like 1,4,9..12 [default: for sequences, those of the scene]
    #[arg(long, value_name = "A..B", help_heading = "Time", allow_hyphen_values = true, value_parser = Frames::parse, conflicts_with_all = ["frame", "time"])]
    pub frames: Option<Frames>,
    /// Clip that moves the models, instead of their animators: a name, #N counted from 0, all at once, or none
    /// [default: none, unless the scene names one]
    #[arg(long, value_name = "NAME|#N|all|none", help_heading = "Time", value_parser = parse_clip)]
    pub clip: Option<ClipChoice>,

    /// Materials of a model: its variant of this name, or #N counted from 0. `inspect` lists them [default: as the
    /// file shows it]
    #[arg(long, value_name = "NAME|#N", help_heading = "Scene")]
    pub variant: Option<String>,
    /// Change a value of the scene, like camera.main.fov_y_deg=30, or of a model's material, like
    /// material.Brick.roughness=0.2. Can be repeated
    #[arg(long = "set", value_name = "PATH=VALUE", help_heading = "Scene")]
    pub edits: Vec<String>,

    /// Treat warnings as errors
    #[arg(long, help_heading = "Scene")]
    pub strict: bool,

    /// Format of standard input: toml, glb, gltf ... [default: detected]
    #[arg(long, value_name = "KIND", help_heading = "Scene", value_parser = PossibleValuesParser::new(KINDS), hide_possible_values = true)]
    pub from: Option<String>,

    /// Adapter: soft, native, or native:PART of an adapter's name
    #[arg(long, value_name = "WHICH", help_heading = "Machine", default_value = "soft", value_parser = adapter)]
    pub adapter: AdapterChoice,
    /// Deform skinned and morphed surfaces on the CPU or in a shader. The software adapter gives the same pixels
    /// [default: cpu]
    #[arg(long, value_name = "WHO", help_heading = "Machine", value_parser = one_of(Skinning::WORDS))]
    pub skinning: Option<Skinning>,
    /// Threads of the software adapter. Does not change pixels [default: one per core]
    #[arg(long, value_name = "N", help_heading = "Machine", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
    /// Memory that a model and its pictures may take, like 2GiB or 512MiB [default: 120 MiB or 512 times the file's
    /// size, and 1 GiB for pictures]
    #[arg(long, value_name = "SIZE", help_heading = "Machine", value_parser = memory)]
    pub memory: Option<u64>,
    /// Import models without the cache folder. Does not change pixels
    #[arg(long, help_heading = "Machine")]
    pub no_cache: bool,
    /// Write times, memory and counts as JSON
    #[arg(long, value_name = "FILE", help_heading = "Further output")]
    pub stats: Option<PathBuf>,
}

/// What `--view` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViewWish {
    /// A view of the scene, else everything from a side.
    Named(String),
    /// All views of the scene.
    All,
}

impl ViewWish {
    /// The side of this name, which counts where the scene has no view of it.
    pub fn side(&self) -> Option<View> {
        let ViewWish::Named(name) = self else { return None };
        View::WORDS.iter().find(|(word, _)| word == name).map(|(_, side)| *side)
    }
}

fn view(text: &str) -> Result<ViewWish, String> {
    match text {
        "" => Err("expected the name of a view, `all`, or a side like `front`".into()),
        "all" => Ok(ViewWish::All),
        name => Ok(ViewWish::Named(name.to_string())),
    }
}

/// Every layer by its word.
fn aov_help() -> String {
    format!("Layers, separated by commas: {}", aov_words())
}

/// The pictures that the arguments ask for, each once, in their order.
pub fn aovs(args: &ShotArgs) -> Result<Vec<Aov>, Failure> {
    let mut out = Vec::new();
    for word in &args.aov {
        let Some(aov) = Aov::parse(word) else {
            let known = || AOVS.iter().copied();
            let near = crate::source::did_you_mean(word, known()).map(|near| format!("did you mean `{near}`?"));
            let help = near.unwrap_or_else(|| format!("one of {}", known().collect::<Vec<_>>().join(", ")));
            return Err(Failure::Usage(format!("unknown layer `--aov {word}`"), Some(help)));
        };
        if !out.contains(&aov) {
            out.push(aov);
        }
    }
    Ok(out)
}

/// Frames last as long as those of `moments`: [`Settings::frame_s`] is theirs to set.
pub fn settings(args: &ShotArgs, aovs: Vec<Aov>, bits: u8, dump: Option<Dump>) -> Settings {
    Settings {
        adapter: args.adapter.clone(),
        threads: args.threads.unwrap_or(0) as usize,
        aovs,
        bits,
        dump,
        skinning: args.skinning.unwrap_or_default(),
        cache: if args.no_cache { None } else { cache() },
        ..Settings::default()
    }
}

/// What `--look` asks for.
#[derive(Clone, Debug)]
pub enum LookWish {
    From(CameraChoice),
    Style(Style),
}

fn look(text: &str) -> Result<LookWish, String> {
    match Style::WORDS.iter().find(|(word, _)| *word == text) {
        Some((_, style)) => Ok(LookWish::Style(*style)),
        None => parse_look(text).map(LookWish::From),
    }
}

/// What the flags ask of a scene.
pub fn wishes(args: &ShotArgs) -> Result<Wishes, Failure> {
    let mut styles =
        args.look.iter().filter_map(|wish| if let LookWish::Style(style) = wish { Some(*style) } else { None });
    let mut looks = args.look.iter().filter_map(|wish| if let LookWish::From(from) = wish { Some(from) } else { None });
    let look = looks.next();
    let others = [
        ("look", looks.next().is_some()),
        ("camera", args.camera.is_some()),
        ("view", args.view.is_some()),
        ("turntable", args.turntable.is_some()),
    ];
    if let (Some(_), Some((other, _))) = (look, others.iter().find(|(_, is_given)| *is_given)) {
        return Err(Failure::usage(format!("`--look EYE:TARGET` cannot be used with `--{other}`")));
    }
    let camera = match (look, args.camera.as_deref()) {
        _ if args.view.is_some() => args.view.as_ref().and_then(ViewWish::side).map(CameraWish::View),
        (Some(look), _) => Some(CameraWish::Look(look.clone())),
        (None, None) => None,
        (None, Some("auto")) => Some(CameraWish::Auto),
        (None, Some(name)) => Some(match name.strip_prefix('#') {
            Some(number) => {
                let number = number.parse().map_err(|_| {
                    Failure::usage(format!("`--camera {name}`: # must be followed by a number, counted from 0"))
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
    Ok(Wishes {
        size_px: args.size,
        tile_px: args.tile_px,
        samples: args.samples,
        shading: args.shading,
        camera,
        zoom: args.zoom,
        turns: args.turntable.is_some(),
        style: styles.next_back(),
        lighting: args.lights,
        ground: args.ground,
        environment,
        background: args.background,
        shadows: args.shadows,
        max_mip: args.max_mip,
        stroke_width_px: args.stroke_width,
        up: args.up,
        tonemap: args.tonemap,
        display: args.display,
        exposure_ev: args.exposure,
        // Each picture has its own moment.
        time_s: None,
        clip: args.clip.clone(),
        variant: args.variant.clone(),
        memory_max_bytes: args.memory,
    })
}

/// Ready models in the user's cache folder, where the machine has one: `$XDG_CACHE_HOME/stillframe/models` on Linux.
pub fn cache() -> Option<Cache> {
    models_folder().map(Cache::new)
}

/// Where ready models are kept.
pub fn models_folder() -> Option<PathBuf> {
    let folder = etcetera::base_strategy::choose_native_strategy().ok()?.cache_dir();
    Some(folder.join("stillframe").join("models"))
}
