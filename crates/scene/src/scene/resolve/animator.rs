//! `[[animator]]`: all but its graph's nodes.

use glam::Vec3;
use stillframe_anim::graph::{BranchDef, ClipNode, GraphDef, MaskDef, NodeDef, NodeKind, ParameterDef, Value};
use stillframe_anim::ik::CHAIN_MAX;
use stillframe_base::tick::Tick;

use super::super::angle::direction;
use super::super::syntax::{Kind, Place, Table, Value as Written};
use super::super::words::{CLIP_ENDS, mode_of};
use super::super::{
    Animator, AnimatorMorph, BendDef, ChainDef, EyeDef, JointShare, LimitDef, LimitKind, MaskShape, PlantingDef,
    PlayDef, RootMotion, SolverDef, SolverKind, TargetDef, code,
};
use super::own_names::OwnNames;
use super::{MORPHS_MAX, Names, Resolver, ask, graph};

const ANIMATORS_MAX: usize = 4096;
const PARAMETERS_MAX: usize = 256;
const MASKS_MAX: usize = 256;
const BRANCHES_MAX: usize = 4096;
const PLAYS_MAX: usize = 4096;
const SOLVERS_MAX: usize = 256;
const TARGETS_MAX: usize = 64;

/// What nodes of the scene must know of animators.
pub(super) struct Heads<'a> {
    tables: Vec<&'a Table>,
    names: Vec<String>,
    /// Positions by name.
    pub at: Names,
    /// Which model each moves.
    pub models: Vec<Option<usize>>,
}

pub(super) fn heads<'a>(resolver: &mut Resolver<'_>, tree: &'a Table, models: &Names) -> Heads<'a> {
    let tables: Vec<&Table> =
        resolver.few(tree.list("animator"), ANIMATORS_MAX, "animators").into_iter().map(|(_, table)| table).collect();
    let mut own = OwnNames::new(resolver, tables.iter().copied(), "animator");
    let names: Vec<String> = tables.iter().map(|table| own.name(table, "animator")).collect();
    let at = names.iter().enumerate().map(|(at, name)| (name.clone(), at)).collect();
    let model = |table: &&Table| resolver.name(table, "model", "model", code::UNKNOWN_MODEL, models);
    Heads { models: tables.iter().map(model).collect(), tables, names, at }
}

/// `nodes`: those of the scene.
pub(super) fn animators(resolver: &mut Resolver<'_>, heads: &Heads<'_>, nodes: &Names) -> Vec<Animator> {
    let all = heads.tables.iter().zip(&heads.names).zip(&heads.models);
    all.map(|((table, name), model)| animator(resolver, table, name, model.unwrap_or(0), nodes)).collect()
}

/// What the nodes of a graph refer to, by name.
pub(super) struct Parts {
    /// In messages.
    pub animator: String,
    pub parameters: Names,
    pub masks: Names,
}

fn animator(resolver: &mut Resolver<'_>, table: &Table, name: &str, model: usize, nodes: &Names) -> Animator {
    let parameters = parameters(resolver, table);
    let (masks, mask_shapes): (Vec<MaskDef>, Vec<Vec<MaskShape>>) = masks(resolver, table).into_iter().unzip();
    let parts = Parts {
        animator: name.to_string(),
        parameters: parameters.iter().enumerate().map(|(at, p)| (p.name.clone(), at)).collect(),
        masks: masks.iter().enumerate().map(|(at, m)| (m.name.clone(), at)).collect(),
    };
    let (graph_nodes, output) = match table.entry("clip") {
        Some(_) => {
            let kind = NodeKind::Clip(clip_node(resolver, table, &parts));
            (vec![NodeDef { name: "clip".to_string(), kind }], "clip".to_string())
        }
        None => {
            for key in ["mode", "reverse", "passes", "at_end", "window_s", "phase_s", "speed"] {
                if let (Some(entry), Some(_)) = (table.entry(key), table.entry("node")) {
                    let help = Some("write it in a `[[animator.node]]` of `kind = \"clip\"`".to_string());
                    let message = format!("`{key}` has no effect without `clip`");
                    resolver.complain_with(code::WITHOUT_EFFECT, entry.key_place, message, help);
                }
            }
            graph::nodes(resolver, table, &parts)
        }
    };
    let slots = graph_nodes.iter().enumerate().filter(|(_, node)| matches!(node.kind, NodeKind::Slot(_)));
    let slots = slots.map(|(at, node)| (node.name.clone(), at)).collect();
    Animator {
        name: name.to_string(),
        model,
        mask_shapes,
        morphs: morphs(resolver, table, &parts),
        plays: plays(resolver, table, name, &slots),
        solvers: solvers(resolver, table, &parts, nodes),
        graph: GraphDef {
            parameters,
            clips: Vec::new(),
            masks,
            nodes: graph_nodes,
            output,
            event_weight_min: ask::float(table, "event_weight_min").unwrap_or(0.5),
        },
        rate_hz: ask::number(table, "rate_hz").unwrap_or(60.0),
        root_motion: root_motion(resolver, table),
    }
}

pub(super) fn root_motion(resolver: &mut Resolver<'_>, table: &Table) -> Option<RootMotion> {
    let parts = RootMotion::parts(&ask::words(table, "root_motion"));
    if let (None, Some(entry)) = (parts, table.entry("root_joint")) {
        let help = Some("say what it takes: `root_motion = [\"horizontal\", \"yaw\"]`".to_string());
        resolver.complain_with(
            code::WITHOUT_EFFECT,
            entry.key_place,
            "`root_joint` has no effect without `root_motion`",
            help,
        );
    }
    parts.map(|parts| RootMotion { joint: ask::text(table, "root_joint").map(str::to_string), parts })
}

fn parameters(resolver: &mut Resolver<'_>, table: &Table) -> Vec<ParameterDef> {
    let written = resolver.few(table.list("parameter"), PARAMETERS_MAX, "parameters of an animator");
    let mut own = OwnNames::new(resolver, written.iter().map(|(_, t)| *t), "parameter");
    let parameter = |(_, table): &(Place, &Table)| ParameterDef {
        name: own.name(table, "parameter"),
        initial: ask::float(table, "value").unwrap_or(0.0),
    };
    written.iter().map(parameter).collect()
}

fn masks(resolver: &mut Resolver<'_>, table: &Table) -> Vec<(MaskDef, Vec<MaskShape>)> {
    let written = resolver.few(table.list("mask"), MASKS_MAX, "masks of an animator");
    let mut own = OwnNames::new(resolver, written.iter().map(|(_, t)| *t), "mask");
    let mut masks = Vec::new();
    for (_, table) in &written {
        let branches = resolver.few(table.list("branch"), BRANCHES_MAX, "branches of a mask");
        resolver.each_once(&branches, "joint");
        let branch = |(_, table): &(Place, &Table)| BranchDef {
            joint: ask::text(table, "joint").unwrap_or_default().to_string(),
            weight: ask::float(table, "weight").unwrap_or(1.0),
        };
        let shapes = resolver.few(table.list("shape"), BRANCHES_MAX, "shapes of a mask");
        resolver.each_once(&shapes, "name");
        let shape = |(_, table): &(Place, &Table)| MaskShape {
            name: ask::text(table, "name").unwrap_or_default().to_string(),
            weight: ask::float(table, "weight").unwrap_or(1.0),
        };
        let mask = MaskDef {
            name: own.name(table, "mask"),
            default: ask::float(table, "default").unwrap_or(0.0),
            branches: branches.iter().map(branch).collect(),
        };
        masks.push((mask, shapes.iter().map(shape).collect()));
    }
    masks
}

fn morphs(resolver: &mut Resolver<'_>, table: &Table, parts: &Parts) -> Vec<AnimatorMorph> {
    let written = resolver.few(table.list("morph"), MORPHS_MAX, "shapes of an animator");
    resolver.each_once(&written, "name");
    let mut out = Vec::new();
    for (_, table) in written {
        out.push(AnimatorMorph {
            name: ask::text(table, "name").unwrap_or_default().to_string(),
            weight: value(resolver, table, "weight", parts, 1.0),
            over_clips: ask::flag(table, "over_clips").unwrap_or(false),
        });
    }
    out
}

/// The clip that is played by the keys of `table`, which is an animator or a node of one.
pub(super) fn clip_node(resolver: &mut Resolver<'_>, table: &Table, parts: &Parts) -> ClipNode {
    let word = ask::text(table, "mode").unwrap_or("loop");
    if let (Some(entry), "once" | "clamp") = (table.entry("passes"), word) {
        let help = Some("it belongs to `mode = \"loop\"` and `mode = \"ping_pong\"`".to_string());
        let message = format!("`passes` has no effect beside `mode = \"{word}\"`");
        resolver.complain_with(code::WITHOUT_EFFECT, entry.key_place, message, help);
    }
    let window: Option<[Tick; 2]> = ask::numbers(table, "window_s").map(|ends| ends.map(Tick::from_seconds));
    if let (Some(_), Some(entry)) = (window.filter(|[start, end]| start >= end), table.entry("window_s")) {
        resolver.complain(code::WRONG_ORDER, entry.value.place, "`window_s` ends where it begins, or before");
    }
    ClipNode {
        clip: ask::text(table, "clip").unwrap_or_default().to_string(),
        mode: mode_of(word, ask::whole(table, "passes").unwrap_or(0)),
        reverse: ask::flag(table, "reverse").unwrap_or(false),
        at_end: ask::choice(table, "at_end", CLIP_ENDS).unwrap_or_default(),
        window: window.map(|[start, end]| (start, end)),
        phase: ask::number(table, "phase_s").map(Tick::from_seconds),
        speed: value(resolver, table, "speed", parts, 1.0),
    }
}

/// A number, or a parameter by name.
pub(super) fn value(resolver: &mut Resolver<'_>, table: &Table, key: &str, parts: &Parts, default: f32) -> Value {
    table.value(key).map_or(Value::Number(default), |written| value_of(resolver, written, parts))
}

pub(super) fn value_of(resolver: &mut Resolver<'_>, written: &Written, parts: &Parts) -> Value {
    match &written.kind {
        Kind::Text(name) => {
            resolver.part(name, written.place, "parameter", &parts.parameters, &parts.animator);
            Value::Parameter(name.clone())
        }
        other => Value::Number(other.number().map_or(0.0, |n| n as f32)),
    }
}

fn plays(resolver: &mut Resolver<'_>, table: &Table, animator: &str, slots: &Names) -> Vec<PlayDef> {
    let mut out = Vec::new();
    for (place, play) in resolver.few(table.list("play"), PLAYS_MAX, "plays of an animator") {
        let slot = match ask::placed_text(play, "slot") {
            Some((name, place)) => {
                resolver.part(name, place, "slot", slots, animator);
                name.to_string()
            }
            None if slots.len() == 1 => slots.keys().next().cloned().unwrap_or_default(),
            None => {
                let help = match slots.is_empty() {
                    true => "add a `[[animator.node]]` of `kind = \"slot\"`".to_string(),
                    false => format!("add `slot`: there is {}", super::some_of(slots)),
                };
                let message = format!("animator `{animator}` has {} slots: which one is not said", slots.len());
                resolver.complain_with(code::MISSING_KEY, place, message, Some(help));
                String::new()
            }
        };
        let clip = ask::text(play, "clip").map(str::to_string);
        for key in ["speed", "passes"] {
            if let (Some(entry), None) = (play.entry(key), &clip) {
                let message = format!("`{key}` has no effect without `clip`");
                resolver.complain(code::WITHOUT_EFFECT, entry.key_place, message);
            }
        }
        out.push(PlayDef {
            at_s: ask::number(play, "at_s").unwrap_or(0.0),
            slot,
            clip,
            speed: ask::number(play, "speed").unwrap_or(1.0),
            passes: Some(ask::whole(play, "passes").unwrap_or(1)).filter(|passes| *passes > 0),
        });
    }
    // Those of one moment in the order of the file.
    out.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
    out
}

fn solvers(resolver: &mut Resolver<'_>, table: &Table, parts: &Parts, nodes: &Names) -> Vec<SolverDef> {
    let written = resolver.few(table.list("solver"), SOLVERS_MAX, "solvers of an animator");
    let mut out = Vec::new();
    for (_, table) in written {
        let text = |key: &str| ask::text(table, key).unwrap_or_default().to_string();
        let kind = match ask::text(table, "kind") {
            Some("aim") => {
                let axis = ask::vector(table, "axis").unwrap_or(Vec3::Z);
                let targets = targets(resolver, table, nodes);
                if let (None, Some(entry)) = (direction(axis), table.entry("axis")) {
                    resolver.complain(code::NO_DIRECTION, entry.value.place, "`axis` has no length");
                }
                let eye = EyeDef {
                    offset_m: ask::floats(table, "offset_m").unwrap_or_default(),
                    up: axis_of(resolver, table, "up"),
                    pole: resolver.name(table, "pole", "node", code::UNKNOWN_NODE, nodes),
                };
                SolverKind::Aim {
                    joint: text("joint"),
                    axis: axis.to_array(),
                    eye,
                    targets,
                    shares: shares(resolver, table),
                }
            }
            Some("ccd") => {
                let chain = chain(table, targets(resolver, table, nodes));
                SolverKind::Ccd { chain, limits: limits(resolver, table) }
            }
            Some("jacobian") => {
                let chain = chain(table, targets(resolver, table, nodes));
                SolverKind::Jacobian { chain, limits: limits(resolver, table) }
            }
            Some("fabrik") => {
                let chain = chain(table, targets(resolver, table, nodes));
                SolverKind::Fabrik { chain, bends: bends(resolver, table) }
            }
            Some("feet") => {
                let ground = resolver.name(table, "ground", "node", code::UNKNOWN_NODE, nodes);
                let planting = planting(resolver, table);
                SolverKind::Feet { hip: text("hip"), ankles: ask::texts(table, "ankles"), ground, planting }
            }
            Some("copy_rotation") => {
                let targets = targets(resolver, table, nodes);
                SolverKind::CopyRotation { joint: text("joint"), targets, shares: shares(resolver, table) }
            }
            Some("twist") => SolverKind::Twist { joint: text("joint"), shares: shares(resolver, table) },
            // Others than `two_bone` have been told.
            _ => {
                let pole = resolver.name(table, "pole", "node", code::UNKNOWN_NODE, nodes);
                SolverKind::TwoBone {
                    joint: text("joint"),
                    targets: targets(resolver, table, nodes),
                    pole,
                    bend_axis: axis_of(resolver, table, "bend_axis"),
                    soften: ask::float(table, "soften").unwrap_or(1.0),
                }
            }
        };
        out.push(SolverDef { kind, weight: value(resolver, table, "weight", parts, 1.0) });
    }
    out
}

/// A direction under `key`, if one is written.
fn axis_of(resolver: &mut Resolver<'_>, table: &Table, key: &str) -> Option<[f32; 3]> {
    let (axis, place) = (ask::vector(table, key)?, table.entry(key)?.value.place);
    if direction(axis).is_none() {
        resolver.complain(code::NO_DIRECTION, place, format!("`{key}` has no length"));
    }
    Some(axis.to_array())
}

fn planting(resolver: &mut Resolver<'_>, table: &Table) -> PlantingDef {
    let usual = PlantingDef::default();
    let float = |key: &str, usual: f32| ask::float(table, key).unwrap_or(usual);
    let out = PlantingDef {
        plant_m: float("plant_m", usual.plant_m),
        lift_m: float("lift_m", usual.lift_m),
        tilt_max_deg: ask::number(table, "tilt_max_deg").unwrap_or(usual.tilt_max_deg),
        reach_up_m: float("reach_up_m", usual.reach_up_m),
        reach_down_m: float("reach_down_m", usual.reach_down_m),
    };
    let written = table.entry("lift_m").or(table.entry("plant_m"));
    if let (true, Some(entry)) = (out.lift_m < out.plant_m, written) {
        let message = format!("soles are in the air from {} m on, and stand up to {} m", out.lift_m, out.plant_m);
        let help = "`lift_m` is `plant_m` or more".to_string();
        resolver.complain_with(code::WRONG_ORDER, entry.value.place, message, Some(help));
    }
    out
}

/// Nodes under `target` or `targets`; the check has told where neither is.
fn targets(resolver: &mut Resolver<'_>, table: &Table, nodes: &Names) -> Vec<TargetDef> {
    if let Some(node) = resolver.name(table, "target", "node", code::UNKNOWN_NODE, nodes) {
        return vec![TargetDef { node, weight: 1.0 }];
    }
    let list = resolver.few(table.list("targets"), TARGETS_MAX, "targets of a solver");
    if let (Some(entry), true) = (table.entry("targets"), list.is_empty()) {
        resolver.complain(code::WRONG_COUNT, entry.value.place, "`targets` names no node");
    }
    let target = |(_, table): (Place, &Table)| TargetDef {
        node: resolver.name(table, "node", "node", code::UNKNOWN_NODE, nodes).unwrap_or(0),
        weight: ask::float(table, "weight").unwrap_or(1.0),
    };
    list.into_iter().map(target).collect()
}

fn chain(table: &Table, targets: Vec<TargetDef>) -> ChainDef {
    let text = |key: &str| ask::text(table, key).unwrap_or_default().to_string();
    ChainDef {
        root: text("root"),
        tip: text("tip"),
        targets,
        tolerance_m: ask::float(table, "tolerance_m").unwrap_or(1e-4),
        iterations_max: ask::whole(table, "iterations").unwrap_or(64),
    }
}

/// Tables under `key` that each name a joint, once.
fn joints<'a>(resolver: &mut Resolver<'_>, table: &'a Table, key: &str) -> Vec<(String, &'a Table)> {
    let list = resolver.few(table.list(key), CHAIN_MAX, "joints of a solver");
    resolver.each_once(&list, "joint");
    let joint = |table: &Table| ask::text(table, "joint").unwrap_or_default().to_string();
    list.into_iter().map(|(_, table)| (joint(table), table)).collect()
}

fn shares(resolver: &mut Resolver<'_>, table: &Table) -> Vec<JointShare> {
    let shares = joints(resolver, table, "share").into_iter();
    shares.map(|(joint, table)| JointShare { joint, weight: ask::float(table, "weight").unwrap_or(1.0) }).collect()
}

fn bends(resolver: &mut Resolver<'_>, table: &Table) -> Vec<BendDef> {
    let bends = joints(resolver, table, "bend").into_iter();
    bends.map(|(joint, table)| BendDef { joint, max_deg: ask::number(table, "max_deg").unwrap_or(180.0) }).collect()
}

fn limits(resolver: &mut Resolver<'_>, table: &Table) -> Vec<LimitDef> {
    let mut out = Vec::new();
    for (joint, table) in joints(resolver, table, "limit") {
        let axis = ask::vector(table, "axis").unwrap_or(Vec3::Z);
        if let (None, Some(entry)) = (direction(axis), table.entry("axis")) {
            resolver.complain(code::NO_DIRECTION, entry.value.place, "`axis` has no length");
        }
        let kind = match ask::text(table, "kind") {
            Some("cone") => LimitKind::Cone {
                swing_max_deg: ask::number(table, "swing_max_deg").unwrap_or(0.0),
                twist_deg: arc(resolver, table, "twist_deg").unwrap_or([-180.0, 180.0]),
            },
            // Others than `hinge` have been told.
            _ => LimitKind::Hinge { range_deg: arc(resolver, table, "range_deg").unwrap_or([0.0; 2]) },
        };
        out.push(LimitDef { joint, axis: axis.to_array(), kind });
    }
    out
}

/// Two angles that rise by a whole turn at most.
fn arc(resolver: &mut Resolver<'_>, table: &Table, key: &str) -> Option<[f64; 2]> {
    let [min, max] = ask::numbers(table, key)?;
    let place = table.entry(key)?.value.place;
    if min > max {
        let message = format!("`{key}` falls from {min} to {max} degrees");
        let help = format!("`{key} = [{max:?}, {min:?}]` goes up");
        resolver.complain_with(code::WRONG_ORDER, place, message, Some(help));
    } else if max - min > 360.0 {
        let message = format!("`{key}` is {} degrees long, more than a whole turn", max - min);
        let help = format!("`{key} = [-180.0, 180.0]` is every angle");
        resolver.complain_with(code::OUT_OF_RANGE, place, message, Some(help));
    }
    Some([min, max])
}
