//! `kind = "ccd"`, `"jacobian"` and `"fabrik"`: chains of joints whose tip reaches something.

use super::limit::{self, LIMITS};
use super::target::{self, TARGET, TARGETS, TargetDef};
use super::{SolverCase, SolverKind, joints};
use crate::scene::key::{Key, List, number, optional, required, rows, whole};
use crate::scene::printer::Printer;
use crate::scene::resolver::{Names, Resolver};
use crate::scene::schema::{Kind, Row, Type, Variant, kind, range};
use crate::scene::text::syntax::Table;

const ROOT: Key<String> = required("root", Type::Text, "The chain's first joint.");
const TIP: Key<String> = required("tip", Type::Text, "The joint that must reach the target. It is below the root.");
const TOLERANCE: Key<f32> =
    number("tolerance_m", 0.0001, range(0.0, 1e6), "Distance at which the tip counts as having reached the target.");
const ITERATIONS: Key<u32> = whole("iterations", 64, 1, 10_000, "Maximum number of iterations over the chain.");
const BENDS: Key<List> = optional(
    "bend",
    Type::List(&BEND_TABLE),
    "none",
    "Limits on the angle between a bone and the one before it. For small angles, `ccd` gets closer.",
);

pub(crate) static BEND_TABLE: Kind = kind(
    "[[animator.solver.bend]]",
    "`bend = [{ joint = \"elbow\", max_deg = 60 }]`: a cone around the bone before it.",
    BEND_KEYS,
);

const JOINT: Key<String> =
    required("joint", Type::Text, "The joint where the bone begins. Neither the first joint of the chain nor the tip.");
const MAX_DEG: Key<f64> =
    required("max_deg", Type::Number(range(0.0, 180.0)), "The largest angle between the two bones.");
static BEND_KEYS: &[Row] = rows! { JOINT, MAX_DEG };

/// A chain from `root` to `tip`, whose tip shall reach its targets.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainDef {
    pub root: String,
    pub tip: String,
    pub targets: Vec<TargetDef>,
    pub tolerance_m: f32,
    pub iterations_max: u32,
}

/// The largest angle between the bone that begins at a joint and the one before.
#[derive(Clone, Debug, PartialEq)]
pub struct BendDef {
    pub joint: String,
    pub max_deg: f64,
}

pub(super) const CCD: SolverCase = SolverCase {
    variant: Variant {
        word: "ccd",
        doc: "Turns the joints of a chain one after the other, from the tip (cyclic coordinate descent).",
        keys: rows! { ROOT, TIP, TARGET, TARGETS, TOLERANCE, ITERATIONS, LIMITS },
    },
    is: |kind| matches!(kind, SolverKind::Ccd { .. }),
    read: |resolver, table, nodes| {
        let chain = chain(resolver, table, nodes);
        SolverKind::Ccd { chain, limits: limit::limits(resolver, table) }
    },
    print,
    print_joints,
};

pub(super) const JACOBIAN: SolverCase = SolverCase {
    variant: Variant {
        word: "jacobian",
        doc: "Turns all joints of a chain at once in small steps (Jacobian transpose). It is slower and spreads the bend over the chain.",
        keys: rows! { ROOT, TIP, TARGET, TARGETS, TOLERANCE, ITERATIONS, LIMITS },
    },
    is: |kind| matches!(kind, SolverKind::Jacobian { .. }),
    read: |resolver, table, nodes| {
        let chain = chain(resolver, table, nodes);
        SolverKind::Jacobian { chain, limits: limit::limits(resolver, table) }
    },
    print,
    print_joints,
};

pub(super) const FABRIK: SolverCase = SolverCase {
    variant: Variant {
        word: "fabrik",
        doc: "Pulls a chain's joints along, alternately from the tip and from the root (FABRIK).",
        keys: rows! { ROOT, TIP, TARGET, TARGETS, TOLERANCE, ITERATIONS, BENDS },
    },
    is: |kind| matches!(kind, SolverKind::Fabrik { .. }),
    read: |resolver, table, nodes| {
        let chain = chain(resolver, table, nodes);
        let bends = joints(resolver, table, BENDS, JOINT).into_iter();
        let bends = bends.map(|(joint, table)| BendDef { joint, max_deg: table.ask(MAX_DEG) }).collect();
        SolverKind::Fabrik { chain, bends }
    },
    print,
    print_joints,
};

fn chain(resolver: &mut Resolver<'_>, table: &Table, nodes: &Names) -> ChainDef {
    ChainDef {
        root: table.ask(ROOT),
        tip: table.ask(TIP),
        targets: target::targets(resolver, table, nodes),
        tolerance_m: table.ask(TOLERANCE),
        iterations_max: table.ask(ITERATIONS),
    }
}

fn print(out: &mut Printer<'_>, kind: &SolverKind) {
    let (SolverKind::Ccd { chain, .. } | SolverKind::Jacobian { chain, .. } | SolverKind::Fabrik { chain, .. }) = kind
    else {
        return;
    };
    let ChainDef { root, tip, targets, tolerance_m, iterations_max } = chain;
    out.line(ROOT, root.clone());
    out.line(TIP, tip.clone());
    target::print(out, targets);
    out.line(TOLERANCE, *tolerance_m);
    out.line(ITERATIONS, *iterations_max);
}

fn print_joints(out: &mut Printer<'_>, kind: &SolverKind) {
    match kind {
        SolverKind::Ccd { limits, .. } | SolverKind::Jacobian { limits, .. } => limit::print(out, limits),
        SolverKind::Fabrik { bends, .. } => {
            let row = |bend: &BendDef| out.inline().with(JOINT, bend.joint.clone()).with(MAX_DEG, bend.max_deg);
            let rows: Vec<_> = bends.iter().map(row).collect();
            out.rows(BENDS, rows);
        }
        _ => {}
    }
}
