//! `[[crowd]]`: many figures of one model.

use glam::Vec3;

use super::animator::root::{ROOT_JOINT, RootMotion, RootPart, print_root_motion, root_motion};
use super::node::{Area, Refers};
use super::placement::{self, Placement};
use crate::scene::Scene;
use crate::scene::code;
use crate::scene::fields::Fields;
use crate::scene::key::{Key, List, choice, choices, flag, number, numbers, optional, required, rows, whole};
use crate::scene::printer::Printer;
use crate::scene::resolver::{OwnNames, Resolver};
use crate::scene::schema::{
    ANY, Kind, NOT_NEGATIVE, POINTS_MAX, POSITIVE, Range, Row, SECONDS, Type, VEC3, kind, range,
};
use crate::scene::text::syntax::Table;
use crate::scene::track::{Thing, Track};
use crate::scene::word::Word;

/// Most figures of a crowd, and of all crowds together.
const FIGURES_MAX: i64 = 1_000_000;
const CROWDS_MAX: usize = 256;
const LODS_MAX: usize = 16;
const RANGE_OF_TWO: Range = Range { min: 1e-6, max: 1e6, open: false };

pub(crate) static TABLE: Kind = Kind {
    exclusive: &[&[SIZE_M.name(), RADIUS_M.name()], &[LOOK_AT.name(), ROTATION_DEG.name(), ROTATION_QUAT.name()]],
    ..kind(
        "[[crowd]]",
        "Many figures of one model at random places, the same on every machine. Each plays one of the clips at a phase of its own. Poses are baked into textures in advance.",
        KEYS,
    )
};

const NAME: Key<Option<String>> =
    optional("name", Type::Text, "the model's name", "Name for `--set` and messages. Must be unique.");
const MODEL: Key<String> = required("model", Type::Name("model"), "The `[model.NAME]` to show.");
const CLIPS: Key<Vec<String>> =
    required("clips", Type::Names { what: "clip", max: POINTS_MAX }, "Each figure plays one of them.");
const COUNT: Key<u32> = required(
    "count",
    Type::Whole { min: 1, max: FIGURES_MAX },
    "Number of figures; at most 1,000,000 in all crowds together.",
);
const SIZE_M: Key<[f64; 3]> =
    numbers("size_m", &[10.0, 0.0, 10.0], NOT_NEGATIVE, "A box around its position, evenly filled.");
const RADIUS_M: Key<Option<f64>> =
    optional("radius_m", Type::Number(NOT_NEGATIVE), "none", "A level disk around its position instead.");
const TURN_DEG: Key<[f64; 2]> = numbers("turn_deg", &[0.0, 360.0], ANY, "Range of the random angle about +Y.");
const SCALE: Key<[f64; 2]> = numbers("scale", &[1.0, 1.0], RANGE_OF_TWO, "Range of the random scale.");
const SPEED: Key<[f64; 2]> = numbers("speed", &[1.0, 1.0], range(0.0, 1024.0), "Range of the random playback speed.");
const CHANGE_S: Key<Option<f64>> =
    optional("change_s", Type::Number(POSITIVE), "never", "Seconds after which a figure changes to another clip.");
const FADE_S: Key<f64> = number("fade_s", 0.3, SECONDS, "Duration of the fade at such a change.");
const ROOT_MOTION: Key<Vec<RootPart>> = choices(
    "root_motion",
    &[],
    "Which components of the root joint's motion move the figures, instead of their poses, as for an animator. Each figure starts from its place at 0 s.",
);
const SEED: Key<u64> = whole("seed", 0, 0, i64::MAX, "Seed of the random figures.");
const BAKING: Key<CrowdBaking> =
    choice("baking", "joints", "What the textures hold: matrices of joints, or positions of vertices.");
const ERROR_MM: Key<f64> = number("error_mm", 1.0, POSITIVE, "Largest distance by which baking may move a vertex.");
const LOD: Key<List> =
    optional("lod", Type::List(&LOD_TABLE), "none", "Levels of detail: models for figures that are farther away.");
const POSITION: Key<Vec3> = numbers("position", &[0.0, 0.0, 0.0], ANY, "Metres.");
const LOOK_AT: Key<Option<Vec3>> = optional("look_at", VEC3, "none", "Turns -Z towards this point, +Y upwards.");
const ROTATION_DEG: Key<Option<[f64; 3]>> =
    optional("rotation_deg", VEC3, "none", "Turns about the X axis, then Y, then Z, by these angles.");
const ROTATION_QUAT: Key<Option<[f32; 4]>> = optional(
    "rotation_quat",
    Type::Numbers { count: 4, range: ANY },
    "none",
    "A quaternion `[x, y, z, w]` of any length but 0.",
);
const MATERIAL: Key<Option<String>> = optional(
    "material",
    Type::Name("material"),
    "the model's own",
    "The `[material.NAME]` to use for the whole model.",
);
const CASTS_SHADOW: Key<bool> = flag("casts_shadow", true, "Whether the figures cast shadows.");
static KEYS: &[Row] = rows! {
    NAME, MODEL, CLIPS, COUNT, SIZE_M, RADIUS_M, TURN_DEG, SCALE, SPEED, CHANGE_S, FADE_S, ROOT_MOTION, ROOT_JOINT,
    SEED, BAKING, ERROR_MM, LOD, POSITION, LOOK_AT, ROTATION_DEG, ROTATION_QUAT, MATERIAL, CASTS_SHADOW
};

pub(crate) static LOD_TABLE: Kind = kind(
    "[[crowd.lod]]",
    "`lod = [{ from_m = 20.0, model = \"coarse\" }, { from_m = 200.0 }]`, by rising distance.",
    LOD_KEYS,
);

const FROM_M: Key<f64> = required("from_m", Type::Number(POSITIVE), "From this distance on.");
const LOD_MODEL: Key<Option<String>> = optional(
    "model",
    Type::Name("model"),
    "nothing is drawn",
    "Another model with the same joints. Clips that its file lacks come from the crowd's model, matched by joint names.",
);
static LOD_KEYS: &[Row] = rows! { FROM_M, LOD_MODEL };

/// `[[crowd]]`: figures of one model at random places, each somewhere else in one of some clips. Their poses are baked
/// into textures ahead of time and looked up by shaders.
#[derive(Clone, Debug, PartialEq)]
pub struct Crowd {
    pub name: String,
    /// Position in `Scene::models`.
    pub model: usize,
    /// Names of `[[clip]]`s, else of clips of the file. Each figure plays one of them.
    pub clips: Vec<String>,
    pub count: u32,
    /// Where they stand, about `placement`.
    pub area: Area,
    /// Each is turned about +Y by an angle between these two.
    pub turn_deg: [f64; 2],
    /// Each is as large as a number between these two.
    pub scale: [f64; 2],
    /// Each plays as fast as a number between these two.
    pub speed: [f64; 2],
    /// Each changes over to another of the clips every so many seconds; never where there is none.
    pub change_s: Option<f64>,
    /// What such a change takes.
    pub fade_s: f64,
    /// What of the root's way moves the figures instead of their poses; `None`: nothing.
    pub root_motion: Option<RootMotion>,
    pub seed: u64,
    pub baking: CrowdBaking,
    /// What baking may move a vertex by.
    pub error_mm: f64,
    pub lods: Vec<CrowdLod>,
    pub placement: Placement,
    /// Position in `Scene::materials`.
    pub material: Option<usize>,
    pub casts_shadow: bool,
}

/// What a texture holds of each frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CrowdBaking {
    /// Joints' matrices.
    #[default]
    Joints,
    /// Vertices' places and normals.
    Vertices,
}

impl Word for CrowdBaking {
    const WORDS: &'static [(&'static str, CrowdBaking)] =
        &[("joints", CrowdBaking::Joints), ("vertices", CrowdBaking::Vertices)];
}

/// How figures look that are farther from the eye.
#[derive(Clone, Debug, PartialEq)]
pub struct CrowdLod {
    /// From this distance on.
    pub from_m: f64,
    /// Position in `Scene::models`: another model of the same joints; `None`: nothing is drawn.
    pub model: Option<usize>,
}

pub(crate) fn crowds(resolver: &mut Resolver<'_>, tree: &Table, refers: &Refers<'_>) -> Vec<Crowd> {
    let written = resolver.few(tree.list("crowd"), CROWDS_MAX, "crowds");
    let mut own = OwnNames::new(resolver, written.iter().map(|(_, t)| *t), "crowd");
    let mut figures = 0i64;
    let mut crowds = Vec::new();
    for (_, table) in written {
        let crowd = crowd(resolver, table, refers, &mut own);
        let before = figures;
        figures += i64::from(crowd.count);
        if let (true, Some(entry)) = (before <= FIGURES_MAX && figures > FIGURES_MAX, table.entry_of(COUNT)) {
            let message =
                format!("all crowds together have {figures} figures, but at most {FIGURES_MAX} are supported");
            resolver.complain(code::TOO_MANY, entry.value.place, message);
        }
        crowds.push(crowd);
    }
    crowds
}

fn crowd(resolver: &mut Resolver<'_>, table: &Table, refers: &Refers<'_>, own: &mut OwnNames) -> Crowd {
    for key in [TURN_DEG, SCALE, SPEED] {
        let [low, high] = table.ask(key);
        if low > high {
            let message = format!("`{}` falls from {low} to {high}", key.name());
            resolver.complain_of(table, &[key.name()], code::WRONG_ORDER, message);
        }
    }
    if !table.has(CHANGE_S) {
        resolver.without_effect(table, FADE_S, "without `change_s`", None);
    }
    let mut lods: Vec<CrowdLod> = Vec::new();
    for (_, lod) in resolver.few(table.rows(LOD), LODS_MAX, "levels of detail of a crowd") {
        let from_m = lod.ask(FROM_M);
        if let Some(last) = lods.last().filter(|last| last.from_m >= from_m) {
            let message = format!("`from_m` is {from_m} after {}; distances must rise", last.from_m);
            resolver.complain_of(lod, &[FROM_M.name()], code::KEYS_ORDER, message);
        }
        let model = resolver.name(lod, LOD_MODEL, &refers.models);
        lods.push(CrowdLod { from_m, model });
    }
    let mut area = Area::Box { size_m: [0.0; 3] };
    area.fields(&mut Fields::Read(table), SIZE_M, RADIUS_M);
    Crowd {
        name: own.name(table, table.placed(MODEL).map_or("crowd", |(model, _)| model)),
        model: resolver.name(table, MODEL, &refers.models).unwrap_or(0),
        clips: table.ask(CLIPS),
        // Without a sound number, which the check has reported, there is one.
        count: table.ask(COUNT).max(1),
        area,
        turn_deg: table.ask(TURN_DEG),
        scale: table.ask(SCALE),
        speed: table.ask(SPEED),
        change_s: table.ask(CHANGE_S),
        fade_s: table.ask(FADE_S),
        root_motion: root_motion(resolver, table, ROOT_MOTION),
        seed: table.ask(SEED),
        baking: table.ask(BAKING),
        error_mm: table.ask(ERROR_MM),
        lods,
        placement: placement::placement(resolver, table, POSITION),
        material: resolver.name(table, MATERIAL, &refers.materials),
        casts_shadow: table.ask(CASTS_SHADOW),
    }
}

/// Complains of crowds whose models' proportions move: figures are baked once.
pub(crate) fn check_bodies(resolver: &mut Resolver<'_>, tree: &Table, scene: &Scene) {
    for ((_, table), crowd) in tree.list("crowd").zip(&scene.crowds) {
        let lods = table
            .rows(LOD)
            .zip(&crowd.lods)
            .filter_map(|((_, lod), of)| Some((of.model?, lod.value(LOD_MODEL.name())?)));
        let own = table.value(MODEL.name()).map(|written| (crowd.model, written));
        for (model, written) in own.into_iter().chain(lods) {
            let moves = |track: &Track| matches!(track.thing, Thing::Proportion(of, _) if of == model);
            if scene.tracks.iter().any(moves) {
                let name = &scene.models[model].name;
                let message = format!("the proportions of `{name}` move, but figures of crowds are baked once");
                let help = Some("write plain numbers there, or another model for the crowd".to_string());
                resolver.complain_with(code::NOT_MOVING, written.place, message, help);
            }
        }
    }
}

pub(crate) fn print(out: &mut Printer<'_>, crowd: &Crowd) {
    let Crowd {
        name,
        model,
        clips,
        count,
        area,
        turn_deg,
        scale,
        speed,
        change_s,
        fade_s,
        root_motion,
        seed,
        baking,
        error_mm,
        lods,
        placement,
        material,
        casts_shadow,
    } = crowd;
    let scene = out.scene;
    out.heading("[[crowd]]");
    out.name(NAME, Some(name));
    out.name(MODEL, Some(&scene.models[*model].name));
    out.line(CLIPS, clips.clone());
    out.line(COUNT, *count);
    area.clone().fields(&mut Fields::Print(out), SIZE_M, RADIUS_M);
    out.line(TURN_DEG, *turn_deg);
    out.line(SCALE, *scale);
    out.line(SPEED, *speed);
    if change_s.is_some() {
        out.line(CHANGE_S, *change_s);
        out.line(FADE_S, *fade_s);
    }
    print_root_motion(out, ROOT_MOTION, root_motion.as_ref());
    out.line(SEED, *seed);
    out.line(BAKING, *baking);
    out.line(ERROR_MM, *error_mm);
    let lod = |lod: &CrowdLod| {
        let model = lod.model.map(|model| scene.models[model].name.clone());
        out.inline().with(FROM_M, lod.from_m).with(LOD_MODEL, model)
    };
    let rows: Vec<_> = lods.iter().map(lod).collect();
    out.rows(LOD, rows);
    out.line(POSITION, placement.position);
    out.line(ROTATION_QUAT, Some(placement.rotation.to_array()));
    out.name(MATERIAL, material.map(|material| scene.materials[material].name.as_str()));
    out.line(CASTS_SHADOW, *casts_shadow);
}
