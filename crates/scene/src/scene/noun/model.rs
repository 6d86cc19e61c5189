//! `[model.NAME]`: models that a scene names, and bodies of other proportions.

use std::path::{Path, PathBuf};

use glam::Vec3;
use stillframe_base::tick::Tick;

use super::material::{self, MaterialOverride};
use crate::asset::ModelFormat;
use crate::scene::code;
use crate::scene::fields::Fields;
use crate::scene::key::{Key, List, Moved, Named, Plain, choice, flag, key, number, numbers, optional, required, rows};
use crate::scene::printer::Printer;
use crate::scene::resolver::Resolver;
use crate::scene::schema::{ANY, Constant, Kind, Row, Type, kind, range};
use crate::scene::text::syntax::{Table, Value};
use crate::scene::text::toml;
use crate::scene::track::Thing;
use crate::scene::word::Word;

pub(crate) static TABLE: Kind =
    kind("[model.NAME]", "A model file. It is read once, no matter how many nodes show it.", KEYS);

const FILE: Key<String> = required("file", Type::File, "A model: `.glb`, `.gltf`, `.fbx`, `.obj`, `.stl` or `.ply`.");
const NODE: Key<Vec<String>> = optional(
    "node",
    Type::Texts,
    "all of it",
    "Show only the model's nodes of these names and all nodes below them. They keep their places in the model.",
);
const MESH: Key<Vec<String>> = optional(
    "mesh",
    Type::Texts,
    "every mesh",
    "Show only nodes whose mesh has one of these names. With `node`, a node must meet both conditions.",
);
const UP: Key<Up> = choice("up", "auto", "The up axis of the file, if the file does not state it or is wrong.");
const SKINNING: Key<SkinBlend> = choice(
    "skinning",
    "file",
    "How the joints of a vertex are blended: as the file says (glTF: `linear`; FBX: `linear`, dual quaternions, or both blended); as matrices; as dual quaternions, which keep the volume of limbs that twist; or about optimised centres of rotation (Le and Hodgins 2016), which do that too and do not bulge where limbs bend. Centres are found when the model is loaded.",
);
const PROPORTION: Key<List> = optional(
    "proportion",
    Type::List(&PROPORTION_TABLE),
    "the file's",
    "Changes of proportion: what a joint moves becomes larger, smaller or displaced, under the same clips.",
);
const OVERRIDE: Key<Named> = optional(
    "override",
    Type::Named(&material::TABLE),
    "none",
    "Changes to the model's materials, by their names; `\"*\"` changes all of them.",
);
const VARIANT: Key<Option<String>> = optional(
    "variant",
    Type::Text,
    "the materials that the file shows without one",
    "The file's set of materials of this name (KHR_materials_variants), or `\"#N\"` (from 0); `stillframe inspect` lists them.",
);
const CLIP: Key<ClipChoice> = key(
    "clip",
    Type::Clip,
    Constant::Word("none"),
    "The clip of the file that moves the model: a name, `\"#N\"` (from 0), `\"all\"` at once, or `\"none\"` for the nodes as stored.",
);
const CLIP_TIME_S: Key<f64> =
    number("clip_time_s", 0.0, range(-1e6, 1e6), "The time in the clip at the scene's second 0.");
const CLIP_SPEED: Key<f64> =
    number("clip_speed", 1.0, range(-1e3, 1e3), "Playback speed; a negative speed plays backwards.");
static KEYS: &[Row] =
    rows! { FILE, NODE, MESH, UP, SKINNING, PROPORTION, OVERRIDE, VARIANT, CLIP, CLIP_TIME_S, CLIP_SPEED };

pub(crate) static PROPORTION_TABLE: Kind = Kind {
    thing: Some(|at| Thing::Proportion(at[0], at[1])),
    ..kind(
        "[[model.NAME.proportion]]",
        "`proportion = [{ joint = \"spine\", scale = [1.3, 1.0, 1.2] }]`: everything that a joint moves (vertices, meshes, attached nodes) is scaled and then moved in the joint's own space. Joints stay where clips put them. Limbs that bend are blended as dual quaternions only if the scale is uniform.",
        PROPORTION_KEYS,
    )
};

const JOINT: Key<String> = required("joint", Type::Text, "A joint's name in the model. Must be unique.");
const SCALE: Key<Vec3> =
    key("scale", Type::Scale, Constant::Number(1.0), "One factor, or one for each of the joint's axes.");
const POSITION: Key<Vec3> = numbers("position", &[0.0, 0.0, 0.0], ANY, "A displacement in the joint's space.");
const BRANCH: Key<bool> = flag("branch", false, "Whether the change also applies to what the joints below it move.");
const WEIGHT: Key<f32> = number("weight", 1.0, range(-10.0, 10.0), "Weight of the change: 0 is the file's body, 1 is the full `scale` and `position`. Vertices move in a straight line from one to the other, and beyond.").moves();
static PROPORTION_KEYS: &[Row] = rows! { JOINT, SCALE, POSITION, BRANCH, WEIGHT };

/// More joints of one model than these are not given other proportions.
const PROPORTIONS_MAX: usize = 1024;

/// `[model.NAME]`: a file, used by nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    pub name: String,
    /// Absolute path of the file.
    pub file: PathBuf,
    /// Material overrides by the model's material name; `"*"` is every material.
    pub overrides: Vec<(String, MaterialOverride)>,
    /// Only the sub-trees under the nodes of these names; all of it where there is none.
    pub nodes: Vec<String>,
    /// Only nodes that show meshes of these names; every one where there is none.
    pub meshes: Vec<String>,
    /// Which way is up in the file.
    pub up: Up,
    pub skinning: SkinBlend,
    pub proportions: Vec<Proportion>,
    /// A set of the file's materials: its name, or `#N`.
    pub variant: Option<String>,
    pub clip: ClipChoice,
    /// Where in the clip the scene's second 0 is.
    pub clip_time_s: f64,
    /// Seconds of the clip a second of the scene.
    pub clip_speed: f64,
}

/// `[[model.NAME.proportion]]`: what a joint moves is larger, or stands elsewhere, than the file has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Proportion {
    pub joint: String,
    /// In the joint's own space.
    pub position: Vec3,
    pub scale: Vec3,
    /// Whether what joints below it move goes along.
    pub branch: bool,
    /// 0: as the file has it, 1: all of it.
    pub weight: f32,
}

/// Which way is up in a model file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Up {
    /// What the file's format says (glTF: +Y; STL and PLY: +Z).
    Auto,
    Y,
    /// Turned by -90 degrees about +X, so that the file's +Z becomes +Y.
    Z,
}

impl Up {
    /// As files and arguments spell them.
    pub const WORDS: &[(&str, Up)] = &[("auto", Up::Auto), ("y", Up::Y), ("z", Up::Z)];
}

impl Word for Up {
    const WORDS: &'static [(&'static str, Up)] = Up::WORDS;
}

/// How joints that pull at one vertex are blended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SkinBlend {
    /// As the file says.
    #[default]
    File,
    /// As matrices: limbs that twist grow thin.
    Linear,
    /// As dual quaternions: volumes stay, bends bulge.
    DualQuaternion,
    /// As dual quaternions about optimised centres of rotation: neither.
    CentresOfRotation,
}

impl Word for SkinBlend {
    const WORDS: &'static [(&'static str, SkinBlend)] = &[
        ("file", SkinBlend::File),
        ("linear", SkinBlend::Linear),
        ("dual_quaternion", SkinBlend::DualQuaternion),
        ("centres_of_rotation", SkinBlend::CentresOfRotation),
    ];
}

/// Which clips of a file move it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ClipChoice {
    /// It stands as its nodes are stored.
    #[default]
    None,
    /// Every one at once.
    All,
    /// In the order of the file, from 0.
    Number(usize),
    Named(String),
}

impl ClipChoice {
    /// As [`parse_clip`] takes it.
    pub fn words(&self) -> String {
        match self {
            ClipChoice::None => "none".to_string(),
            ClipChoice::All => "all".to_string(),
            ClipChoice::Number(number) => format!("#{number}"),
            ClipChoice::Named(name) => name.clone(),
        }
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

/// A clip of a file: `"#N"`, or its name.
pub(crate) fn parse_source(text: &str) -> Result<ClipChoice, String> {
    match text.strip_prefix('#') {
        None => Ok(ClipChoice::Named(text.to_string())),
        Some(number) => match number.parse() {
            Ok(number) => Ok(ClipChoice::Number(number)),
            Err(_) => Err(format!("`{text}`: a clip's number follows #, for example #0")),
        },
    }
}

impl Plain for ClipChoice {
    fn read(value: &Value) -> Option<ClipChoice> {
        parse_clip(value.kind.text()?).ok()
    }

    fn print(&self) -> Option<String> {
        Some(toml::scene_text(&self.words()))
    }

    fn blank() -> ClipChoice {
        ClipChoice::None
    }
}

impl Model {
    /// Where its clips are when the scene is at `time`.
    pub fn clip_tick(&self, time: Tick) -> Tick {
        if (self.clip_time_s, self.clip_speed) == (0.0, 1.0) {
            return time;
        }
        Tick::from_seconds(self.clip_time_s + time.seconds() * self.clip_speed)
    }

    /// A file, as it is.
    pub fn plain(name: String, file: PathBuf) -> Model {
        Model {
            name,
            file,
            overrides: Vec::new(),
            nodes: Vec::new(),
            meshes: Vec::new(),
            up: Up::Auto,
            skinning: SkinBlend::File,
            proportions: Vec::new(),
            variant: None,
            clip: ClipChoice::None,
            clip_time_s: 0.0,
            clip_speed: 1.0,
        }
    }
}

pub(crate) fn models(resolver: &mut Resolver<'_>, tree: &Table) -> Vec<Model> {
    let mut out = Vec::new();
    for (name, _, table) in tree.named("model") {
        let file = resolver.file(table, FILE);
        if let (false, Some((_, place))) = (file.as_os_str().is_empty(), table.placed(FILE))
            && let Err((message, help)) = check_format(&file)
        {
            resolver.complain_with(code::FORMAT_NOT_YET, place, message, help);
        }
        let overrides = table.named(OVERRIDE.name());
        let overrides =
            overrides.map(|(name, _, t)| (name.to_string(), material::override_of(resolver, t))).collect::<Vec<_>>();
        let written = resolver.few(table.rows(PROPORTION), PROPORTIONS_MAX, "proportions of a model");
        resolver.each_once(&written, JOINT);
        let clip = table.ask(CLIP);
        if clip == ClipChoice::None {
            let help = Some("add `clip = \"all\"`, or remove it");
            for key in [CLIP_TIME_S, CLIP_SPEED] {
                resolver.without_effect(table, key, "without `clip`", help);
            }
        }
        out.push(Model {
            overrides,
            nodes: table.ask(NODE),
            meshes: table.ask(MESH),
            up: table.ask(UP),
            proportions: written.iter().map(|(_, table)| proportion(table)).collect(),
            skinning: table.ask(SKINNING),
            variant: table.ask(VARIANT),
            clip,
            clip_time_s: table.ask(CLIP_TIME_S),
            clip_speed: table.ask(CLIP_SPEED),
            ..Model::plain(name.to_string(), file)
        });
    }
    out
}

fn proportion(table: &Table) -> Proportion {
    let mut out =
        Proportion { joint: String::new(), position: Vec3::ZERO, scale: Vec3::ONE, branch: false, weight: 0.0 };
    proportion_fields(&mut Fields::Read(table), &mut out);
    out
}

fn proportion_fields(on: &mut Fields<'_, '_>, proportion: &mut Proportion) {
    let Proportion { joint, position, scale, branch, weight } = proportion;
    on.field(JOINT, joint);
    on.field(POSITION, position);
    on.field(SCALE, scale);
    on.field(BRANCH, branch);
    on.field(WEIGHT, weight);
}

pub(crate) fn proportion_moved(proportion: &mut Proportion, moved: Moved<'_>) {
    proportion_fields(&mut Fields::Move(moved), proportion);
}

/// Whether models of this file's kind are read; else what to say and what to do.
pub(crate) fn check_format(file: &Path) -> Result<(), (String, Option<String>)> {
    if ModelFormat::of(file).is_some() {
        return Ok(());
    }
    let (message, help) = ModelFormat::refusal(file);
    Err((message, Some(help)))
}

pub(crate) fn print(out: &mut Printer<'_>, at: usize, model: &Model) {
    let Model {
        name,
        file,
        overrides,
        nodes,
        meshes,
        up,
        skinning,
        proportions,
        variant,
        clip,
        clip_time_s,
        clip_speed,
    } = model;
    out.heading(&format!("[model.{}]", toml::key(name)));
    out.file(FILE, file);
    out.names(NODE, nodes);
    out.names(MESH, meshes);
    out.line(UP, *up);
    out.line(SKINNING, *skinning);
    let rows = proportions.iter().enumerate().map(|(number, proportion)| {
        let mut row = out.inline().of(Thing::Proportion(at, number));
        proportion_fields(&mut Fields::Inline(&mut row), &mut proportion.clone());
        row
    });
    let rows: Vec<_> = rows.collect();
    out.rows(PROPORTION, rows);
    out.name(VARIANT, variant.as_deref());
    if *clip != ClipChoice::None {
        out.line(CLIP, clip.clone());
        out.line(CLIP_TIME_S, *clip_time_s);
        out.line(CLIP_SPEED, *clip_speed);
    }
    for (number, (material, values)) in overrides.iter().enumerate() {
        let heading = format!("[model.{}.override.{}]", toml::key(name), toml::key(material));
        out.begin(Thing::Override(at, number), &heading);
        material::print(out, values);
    }
}
