//! `[[animator.solver]]`: inverse kinematics on an animator's pose. One file per kind; `CASES` lists them.

mod aim;
mod chain;
mod copy_rotation;
mod feet;
mod limit;
mod share;
mod target;
mod twist;
mod two_bone;

use glam::Vec3;
use stillframe_anim::graph::Value;
use stillframe_anim::ik::CHAIN_MAX;

use super::{Parts, value};
use crate::scene::angle::direction;
use crate::scene::code;
use crate::scene::key::{Key, List, key, required, rows, words_of};
use crate::scene::printer::Printer;
use crate::scene::resolver::{Names, Resolver};
use crate::scene::schema::{Constant, Kind, Row, Type, UNIT, Variant, Variants, kind};
use crate::scene::text::syntax::{Place, Table};

pub(crate) use chain::BEND_TABLE;
pub use chain::{BendDef, ChainDef};
pub use feet::PlantingDef;
pub(crate) use limit::TABLE as LIMIT_TABLE;
pub use limit::{LimitDef, LimitKind};
pub use share::JointShare;
pub(crate) use share::TABLE as SHARE_TABLE;
pub(crate) use target::TABLE as TARGETS_TABLE;
pub use target::TargetDef;
use target::{TARGET, TARGETS};

/// One kind of solver: its keys, how it is read and how it is printed.
struct SolverCase {
    variant: Variant,
    is: fn(&SolverKind) -> bool,
    /// The names are those of the scene's nodes.
    read: fn(&mut Resolver<'_>, &Table, &Names) -> SolverKind,
    print: fn(&mut Printer<'_>, &SolverKind),
    /// The lists of joints, which come last.
    print_joints: fn(&mut Printer<'_>, &SolverKind),
}

static CASES: [SolverCase; 8] = [
    two_bone::CASE,
    aim::CASE,
    copy_rotation::CASE,
    chain::CCD,
    chain::JACOBIAN,
    chain::FABRIK,
    feet::CASE,
    twist::CASE,
];
static VARIANTS: [Variant; 8] = {
    let mut out = [CASES[0].variant; 8];
    let mut at = 0;
    while at < CASES.len() {
        out[at] = CASES[at].variant;
        at += 1;
    }
    out
};
static WORDS: [&str; 8] = words_of(&VARIANTS);

pub(crate) static TABLE: Kind = Kind {
    exclusive: &[&[TARGET.name(), TARGETS.name()]],
    needs: &[&[TARGET.name(), TARGETS.name()]],
    variants: Some(&Variants { selector: KIND.name(), default: None, cases: &VARIANTS }),
    ..kind("[[animator.solver]]", "A solver changes the pose so that a joint reaches or follows something.", KEYS)
};

const KIND: Key<String> = required("kind", Type::Choice(&WORDS), "The kind of solver.");
const WEIGHT: Key<Value> = key("weight", Type::Value(UNIT), Constant::Number(1.0), "Its weight.");
static KEYS: &[Row] = rows! { KIND, WEIGHT };
/// Of several kinds.
const JOINT: Key<String> = required("joint", Type::Text, "A joint's name in the model.");

const SOLVERS_MAX: usize = 256;

/// Inverse kinematics on top of the graph's pose.
#[derive(Clone, Debug, PartialEq)]
pub struct SolverDef {
    pub kind: SolverKind,
    /// How much of it, 0 to 1.
    pub weight: Value,
}

impl SolverDef {
    /// Nodes of the scene that it reaches for or bends towards.
    pub fn reached_nodes(&self) -> impl Iterator<Item = usize> {
        let (targets, other): (&[TargetDef], _) = match &self.kind {
            SolverKind::TwoBone { targets, pole, .. } => (targets, *pole),
            SolverKind::Aim { targets, eye, .. } => (targets, eye.pole),
            SolverKind::CopyRotation { targets, .. } => (targets, None),
            SolverKind::Ccd { chain, .. } | SolverKind::Jacobian { chain, .. } | SolverKind::Fabrik { chain, .. } => {
                (&chain.targets, None)
            }
            SolverKind::Feet { .. } | SolverKind::Twist { .. } => (&[], None),
        };
        targets.iter().map(|target| target.node).chain(other)
    }

    /// Nodes of the scene that it names.
    pub fn nodes_mut(&mut self) -> impl Iterator<Item = &mut usize> {
        let (targets, other): (&mut [TargetDef], _) = match &mut self.kind {
            SolverKind::TwoBone { targets, pole, .. } => (targets, pole.as_mut()),
            SolverKind::Aim { targets, eye, .. } => (targets, eye.pole.as_mut()),
            SolverKind::CopyRotation { targets, .. } => (targets, None),
            SolverKind::Ccd { chain, .. } | SolverKind::Jacobian { chain, .. } | SolverKind::Fabrik { chain, .. } => {
                (&mut chain.targets, None)
            }
            SolverKind::Feet { ground, .. } => (&mut [], ground.as_mut()),
            SolverKind::Twist { .. } => (&mut [], None),
        };
        targets.iter_mut().map(|target| &mut target.node).chain(other)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum SolverKind {
    /// Turns a joint's parent and grandparent so that it reaches its targets, the one between bent towards `pole`.
    TwoBone {
        joint: String,
        targets: Vec<TargetDef>,
        pole: Option<usize>,
        /// About which the middle joint bends where the limb is straight, in its own space; `None`: as the pose bends.
        bend_axis: Option<[f32; 3]>,
        /// The share of the limb's length from which on it comes nearer ever less.
        soften: f32,
    },
    /// Turns a joint so that its axis points at its targets. `shares` turn first, from the root side, each by its share
    /// of what is left.
    Aim { joint: String, axis: [f32; 3], eye: EyeDef, targets: Vec<TargetDef>, shares: Vec<JointShare> },
    /// Turns a joint from its rest pose as its targets are turned. `shares` turn first, from the root side.
    CopyRotation { joint: String, targets: Vec<TargetDef>, shares: Vec<JointShare> },
    /// Turns every joint of a chain in turn.
    Ccd { chain: ChainDef, limits: Vec<LimitDef> },
    /// Turns them all at once, a little.
    Jacobian { chain: ChainDef, limits: Vec<LimitDef> },
    /// Pulls the bones of a chain along.
    Fabrik { chain: ChainDef, bends: Vec<BendDef> },
    /// Stands each of these joints (ankles) on what `ground` (a node of the scene) and the nodes below it show, else on
    /// what all do, as high above it as the clip has it above 0, and lowers `hip` where a leg is too short.
    Feet { hip: String, ankles: Vec<String>, ground: Option<usize>, planting: PlantingDef },
    /// Turns joints above about their own bones by shares of how far `joint` is twisted from the rest pose; it stays
    /// turned as it is.
    Twist { joint: String, shares: Vec<JointShare> },
}

impl SolverKind {
    /// As scenes write it.
    pub fn word(&self) -> &'static str {
        self.case().variant.word
    }

    fn case(&self) -> &'static SolverCase {
        CASES.iter().find(|case| (case.is)(self)).expect("every kind has its case")
    }
}

/// How a joint looks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EyeDef {
    /// Where it looks from, in the joint's space.
    pub offset_m: [f32; 3],
    /// What of the joint is up; `None`: its Y axis, or Z where it looks along Y.
    pub up: Option<[f32; 3]>,
    /// What up turns towards; `None`: to where it is in the pose.
    pub pole: Option<usize>,
}

pub(super) fn solvers(
    resolver: &mut Resolver<'_>,
    list: Vec<(Place, &Table)>,
    parts: &Parts,
    nodes: &Names,
) -> Vec<SolverDef> {
    let mut out = Vec::new();
    for (_, table) in resolver.few(list.into_iter(), SOLVERS_MAX, "solvers of an animator") {
        let word = table.ask(KIND);
        // An unknown kind has been reported.
        let case = CASES.iter().find(|case| case.variant.word == word).unwrap_or(&CASES[0]);
        let kind = (case.read)(resolver, table, nodes);
        out.push(SolverDef { kind, weight: value(resolver, table, WEIGHT, parts) });
    }
    out
}

/// Tables under `key` that each name a joint, once.
fn joints<'a>(
    resolver: &mut Resolver<'_>,
    table: &'a Table,
    key: Key<List>,
    joint: Key<String>,
) -> Vec<(String, &'a Table)> {
    let list = resolver.few(table.rows(key), CHAIN_MAX, "joints of a solver");
    resolver.each_once(&list, joint);
    list.into_iter().map(|(_, table)| (table.ask(joint), table)).collect()
}

/// A direction under `key`, if one is written.
fn axis_of(resolver: &mut Resolver<'_>, table: &Table, key: Key<Option<[f32; 3]>>) -> Option<[f32; 3]> {
    let axis = table.ask(key)?;
    if direction(Vec3::from_array(axis)).is_none() {
        let message = format!("`{}` has no length", key.name());
        resolver.complain_of(table, &[key.name()], code::NO_DIRECTION, message);
    }
    Some(axis)
}

/// The name of a node of the scene, if there is one.
fn print_node(out: &mut Printer<'_>, key: Key<Option<String>>, node: Option<usize>) {
    out.name(key, node.map(|node| out.scene.nodes[node].name.as_str()));
}

pub(super) fn print(out: &mut Printer<'_>, solver: &SolverDef) {
    let SolverDef { kind, weight } = solver;
    out.heading("[[animator.solver]]");
    out.name(KIND, Some(kind.word()));
    (kind.case().print)(out, kind);
    out.line(WEIGHT, weight.clone());
    (kind.case().print_joints)(out, kind);
}
