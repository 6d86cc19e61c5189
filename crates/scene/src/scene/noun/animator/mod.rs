//! `[[animator]]`: what moves models.
//!
//! `graph` holds the nodes, `solver` inverse kinematics; `unread` warns about parts that nothing reads.

pub(crate) mod condition;
pub(crate) mod graph;
pub(crate) mod mask;
pub(crate) mod play;
mod playback;
pub(crate) mod root;
pub(crate) mod solver;
pub(crate) mod unread;
mod words;

use stillframe_anim::graph::{GraphDef, MaskDef, NodeDef, NodeKind, ParameterDef, Value};

use super::node::MORPH_RANGE;
use crate::scene::fields::Fields;
use crate::scene::key::{Key, List, Moved, choices, flag, key, number, optional, required, rows};
use crate::scene::printer::Printer;
use crate::scene::resolver::{MORPHS_MAX, Names, OwnNames, Resolver};
use crate::scene::schema::{ANY, Constant, Kind, Row, Type, UNIT, kind, range};
use crate::scene::text::syntax::{Place, Table};
use crate::scene::track::Thing;

pub use mask::MaskShape;
pub use play::PlayDef;
use playback::{AT_END, MODE, PASSES, PHASE, PLAY_SPEED, REVERSE, WINDOW};
pub use root::RootMotion;
use root::{ROOT_JOINT, RootPart};
pub use solver::{
    BendDef, ChainDef, EyeDef, JointShare, LimitDef, LimitKind, PlantingDef, SolverDef, SolverKind, TargetDef,
};

pub(crate) static TABLE: Kind = Kind {
    exclusive: &[&[CLIP.name(), NODE.name()], &[CLIP.name(), OUTPUT.name()]],
    needs: &[&[CLIP.name(), NODE.name()]],
    ..kind(
        "[[animator]]",
        "An animator gives a model its pose, by one clip or by a graph. Nodes of the scene refer to it by `animator`. All of them show the same pose, except for solvers, which reach from each node's own place.",
        KEYS,
    )
};

const NAME: Key<String> = required("name", Type::Text, "Name for nodes. Must be unique.");
const MODEL: Key<String> = required("model", Type::Name("model"), "The `[model.NAME]` that it moves.");
const CLIP: Key<Option<String>> = optional("clip", Type::Name("clip"), "none", "Short form: plays only this clip.");
const PARAMETER: Key<List> =
    optional("parameter", Type::List(&PARAMETER_TABLE), "none", "Numbers that nodes of its graph read.");
const MASK: Key<List> =
    optional("mask", Type::List(&mask::TABLE), "none", "Weights of joints, to limit layers, deltas and slots.");
const MORPH: Key<List> = optional(
    "morph",
    Type::List(&MORPH_TABLE),
    "none",
    "Weights of morph targets that no clip moves, as numbers or parameters.",
);
const NODE: Key<List> = optional("node", Type::List(&graph::TABLE), "none", "The nodes of its graph, in any order.");
const OUTPUT: Key<Option<String>> =
    optional("output", Type::Name("node of its graph"), "the last node", "The node whose pose is shown.");
const PLAY: Key<List> =
    optional("play", Type::List(&play::TABLE), "none", "Clips that slots of its graph play, and when.");
const SOLVER: Key<List> = optional(
    "solver",
    Type::List(&solver::TABLE),
    "none",
    "Inverse kinematics, applied to the graph's pose in this order.",
);
const RATE_HZ: Key<f64> = number(
    "rate_hz",
    60.0,
    range(1.0, 1000.0),
    "Updates per second, the first at 0 s. Parameters and conditions are read at each update.",
);
const ROOT_MOTION: Key<Vec<RootPart>> = choices(
    "root_motion",
    &[],
    "Which components of the root joint's motion move the nodes that use the animator, instead of the pose. Walking needs `[\"horizontal\", \"yaw\"]`. `yaw` is the rotation about +Y, `rotation` all rotation.",
);
const EVENT_WEIGHT_MIN: Key<f32> = number(
    "event_weight_min",
    0.5,
    UNIT,
    "Clips with less weight than this in the pose report no events. A space that shares one phase counts as a whole.",
);
static KEYS: &[Row] = rows! {
    NAME, MODEL, CLIP, MODE, REVERSE, PASSES, AT_END, WINDOW, PHASE, PLAY_SPEED, PARAMETER, MASK, MORPH, NODE, OUTPUT,
    PLAY, SOLVER, RATE_HZ, ROOT_MOTION, ROOT_JOINT, EVENT_WEIGHT_MIN
};

pub(crate) static PARAMETER_TABLE: Kind = Kind {
    thing: Some(|at| Thing::Parameter(at[0], at[1])),
    ..kind(
        "[[animator.parameter]]",
        "`parameter = [{ name = \"speed\", value = { keys = [[0.0, 0.0], [2.0, 3.0]] } }]`: a named number. A key of the graph that takes a \"number or parameter\" accepts the name in quotes.",
        PARAMETER_KEYS,
    )
};

const PARAMETER_NAME: Key<String> = required("name", Type::Identifier, "Letters, digits and `_`.");
const PARAMETER_VALUE: Key<f32> = number("value", 0.0, ANY, "The number.").moves();
static PARAMETER_KEYS: &[Row] = rows! { PARAMETER_NAME, PARAMETER_VALUE };

pub(crate) static MORPH_TABLE: Kind = kind(
    "[[animator.morph]]",
    "`morph = [{ name = \"smile\", weight = \"mood\" }]`: a morph target's weight, instead of the stored one. A clip that moves the morph target replaces this weight in proportion to its share of the pose; a delta is added to it.",
    MORPH_KEYS,
);

const MORPH_NAME: Key<String> =
    required("name", Type::Text, "A morph target's name in the model, on any of its nodes. Must be unique.");
const MORPH_WEIGHT: Key<Value> = key("weight", Type::Value(MORPH_RANGE), Constant::Number(1.0), "Its weight.");
const MORPH_OVER_CLIPS: Key<bool> = flag("over_clips", false, "Whether it overrides clips that move the morph target.");
static MORPH_KEYS: &[Row] = rows! { MORPH_NAME, MORPH_WEIGHT, MORPH_OVER_CLIPS };

const ANIMATORS_MAX: usize = 4096;
const PARAMETERS_MAX: usize = 256;

/// `[[animator]]`: a graph that gives a model its pose. Each node of the scene that wears it shows the same pose.
#[derive(Clone, Debug, PartialEq)]
pub struct Animator {
    pub name: String,
    /// Position in `Scene::models`.
    pub model: usize,
    /// Its parameters hold the values of the scene's moment; those that change have tracks (`Thing::Parameter`).
    /// Without clips: what is known of them stands in the files, which are read later.
    pub graph: GraphDef,
    /// By mask of the graph: shapes that have weights of their own there.
    pub mask_shapes: Vec<Vec<MaskShape>>,
    /// Shapes that numbers and parameters drive.
    pub morphs: Vec<AnimatorMorph>,
    /// What slots are asked to play, by rising time.
    pub plays: Vec<PlayDef>,
    /// In the order in which they are solved.
    pub solvers: Vec<SolverDef>,
    /// Updates a second, at 0 s and from then on: parameters and conditions are looked at then.
    pub rate_hz: f64,
    /// What of the root's way moves the nodes that wear it instead of the pose; `None`: nothing.
    pub root_motion: Option<RootMotion>,
}

/// The weight that the shapes of a name have instead of the stored one, whichever nodes wear them.
#[derive(Clone, Debug, PartialEq)]
pub struct AnimatorMorph {
    pub name: String,
    pub weight: Value,
    /// Whether it counts whatever clips do with the shape.
    pub over_clips: bool,
}

/// What nodes of the scene must know of animators.
pub(crate) struct Heads<'a> {
    tables: Vec<&'a Table>,
    names: Vec<String>,
    /// Positions by name.
    pub at: Names,
    /// Which model each moves.
    pub models: Vec<Option<usize>>,
}

pub(crate) fn heads<'a>(resolver: &mut Resolver<'_>, tree: &'a Table, models: &Names) -> Heads<'a> {
    let tables: Vec<&Table> =
        resolver.few(tree.list("animator"), ANIMATORS_MAX, "animators").into_iter().map(|(_, table)| table).collect();
    let mut own = OwnNames::new(resolver, tables.iter().copied(), "animator");
    let names: Vec<String> = tables.iter().map(|table| own.name(table, "animator")).collect();
    let at = names.iter().enumerate().map(|(at, name)| (name.clone(), at)).collect();
    let model = |table: &&Table| resolver.name(table, MODEL, models);
    Heads { models: tables.iter().map(model).collect(), tables, names, at }
}

/// `nodes`: those of the scene.
pub(crate) fn animators(resolver: &mut Resolver<'_>, heads: &Heads<'_>, nodes: &Names) -> Vec<Animator> {
    let all = heads.tables.iter().zip(&heads.names).zip(&heads.models);
    all.map(|((table, name), model)| animator(resolver, table, name, model.unwrap_or(0), nodes)).collect()
}

/// What the nodes of a graph refer to, by name.
pub(crate) struct Parts {
    /// In messages.
    pub animator: String,
    pub parameters: Names,
    pub masks: Names,
}

fn animator(resolver: &mut Resolver<'_>, table: &Table, name: &str, model: usize, nodes: &Names) -> Animator {
    let parameters = parameters(resolver, table);
    let masks = mask::masks(resolver, table.rows(MASK).collect());
    let (masks, mask_shapes): (Vec<MaskDef>, Vec<Vec<MaskShape>>) = masks.into_iter().unzip();
    let parts = Parts {
        animator: name.to_string(),
        parameters: parameters.iter().enumerate().map(|(at, p)| (p.name.clone(), at)).collect(),
        masks: masks.iter().enumerate().map(|(at, m)| (m.name.clone(), at)).collect(),
    };
    let (graph_nodes, output) = if table.has(CLIP) {
        let kind = NodeKind::Clip(playback::playback(resolver, table, CLIP, &parts));
        (vec![NodeDef { name: "clip".to_string(), kind }], "clip".to_string())
    } else {
        if table.has(NODE) {
            let help = "write it in a `[[animator.node]]` of `kind = \"clip\"`";
            for row in playback::KEYS {
                resolver.without_effect_of(table, row.name, "without `clip`", Some(help));
            }
        }
        graph::nodes(resolver, table.rows(NODE).collect(), table.placed(OUTPUT), &parts)
    };
    let slots = graph_nodes.iter().enumerate().filter(|(_, node)| matches!(node.kind, NodeKind::Slot(_)));
    let slots = slots.map(|(at, node)| (node.name.clone(), at)).collect();
    Animator {
        name: name.to_string(),
        model,
        mask_shapes,
        morphs: morphs(resolver, table, &parts),
        plays: play::plays(resolver, table.rows(PLAY).collect(), name, &slots),
        solvers: solver::solvers(resolver, table.rows(SOLVER).collect(), &parts, nodes),
        graph: GraphDef {
            parameters,
            clips: Vec::new(),
            masks,
            nodes: graph_nodes,
            output,
            event_weight_min: table.ask(EVENT_WEIGHT_MIN),
        },
        rate_hz: table.ask(RATE_HZ),
        root_motion: root::root_motion(resolver, table, ROOT_MOTION),
    }
}

fn parameters(resolver: &mut Resolver<'_>, table: &Table) -> Vec<ParameterDef> {
    let written = resolver.few(table.rows(PARAMETER), PARAMETERS_MAX, "parameters of an animator");
    let mut own = OwnNames::new(resolver, written.iter().map(|(_, t)| *t), "parameter");
    let parameter = |(_, table): &(Place, &Table)| ParameterDef {
        name: own.name(table, "parameter"),
        initial: table.ask(PARAMETER_VALUE),
    };
    written.iter().map(parameter).collect()
}

fn morphs(resolver: &mut Resolver<'_>, table: &Table, parts: &Parts) -> Vec<AnimatorMorph> {
    let written = resolver.few(table.rows(MORPH), MORPHS_MAX, "shapes of an animator");
    resolver.each_once(&written, MORPH_NAME);
    let mut out = Vec::new();
    for (_, table) in written {
        out.push(AnimatorMorph {
            name: table.ask(MORPH_NAME),
            weight: value(resolver, table, MORPH_WEIGHT, parts),
            over_clips: table.ask(MORPH_OVER_CLIPS),
        });
    }
    out
}

/// A number, or a parameter that is there.
fn value(resolver: &mut Resolver<'_>, table: &Table, key: Key<Value>, parts: &Parts) -> Value {
    if let Some((name, place)) = table.placed(key) {
        resolver.part(name, place, "parameter", &parts.parameters, &parts.animator);
    }
    table.ask(key)
}

pub(crate) fn print(out: &mut Printer<'_>, at: usize, animator: &Animator) {
    let Animator { name, model, graph, mask_shapes, morphs, plays, solvers, rate_hz, root_motion } = animator;
    out.heading("[[animator]]");
    out.name(NAME, Some(name));
    out.name(MODEL, Some(&out.scene.models[*model].name));
    out.name(OUTPUT, Some(&graph.output));
    out.line(RATE_HZ, *rate_hz);
    root::print_root_motion(out, ROOT_MOTION, root_motion.as_ref());
    out.line(EVENT_WEIGHT_MIN, graph.event_weight_min);
    for (number, parameter) in graph.parameters.iter().enumerate() {
        out.begin(Thing::Parameter(at, number), "[[animator.parameter]]");
        out.name(PARAMETER_NAME, Some(&parameter.name));
        out.line(PARAMETER_VALUE, parameter.initial);
    }
    for (mask, shapes) in graph.masks.iter().zip(mask_shapes) {
        mask::print(out, mask, shapes);
    }
    for AnimatorMorph { name, weight, over_clips } in morphs {
        out.heading("[[animator.morph]]");
        out.name(MORPH_NAME, Some(name));
        out.line(MORPH_WEIGHT, weight.clone());
        out.line(MORPH_OVER_CLIPS, *over_clips);
    }
    graph.nodes.iter().for_each(|node| graph::print(out, node));
    plays.iter().for_each(|play| play::print(out, play));
    solvers.iter().for_each(|solver| solver::print(out, solver));
}

pub(crate) fn parameter_moved(parameter: &mut ParameterDef, moved: Moved<'_>) {
    Fields::Move(moved).field(PARAMETER_VALUE, &mut parameter.initial);
}
