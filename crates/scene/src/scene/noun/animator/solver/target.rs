//! `target` and `targets`: nodes that are reached for.

use crate::scene::code;
use crate::scene::key::{Key, List, number, optional, required, rows};
use crate::scene::printer::Printer;
use crate::scene::resolver::{Names, Resolver};
use crate::scene::schema::{Kind, Range, Row, Type, kind};
use crate::scene::text::syntax::{Place, Table};

pub(super) const TARGET: Key<Option<String>> =
    optional("target", Type::Name("node"), "`targets`", "A node of the scene.");
pub(super) const TARGETS: Key<List> =
    optional("targets", Type::List(&TABLE), "`target`", "Several nodes instead; the target is their weighted mean.");

pub(crate) static TABLE: Kind = kind(
    "[[animator.solver.targets]]",
    "`targets = [{ node = \"cup\", weight = 3.0 }, { node = \"mouth\" }]`: a quarter of the way from the cup to the mouth.",
    KEYS,
);

const NODE: Key<String> = required("node", Type::Name("node"), "A node of the scene.");
const WEIGHT: Key<f32> =
    number("weight", 1.0, Range { min: 1e-6, max: 1e6, open: false }, "Its weight relative to the others.");
static KEYS: &[Row] = rows! { NODE, WEIGHT };

const TARGETS_MAX: usize = 64;

/// A node that is reached for. Of several the point between, nearer to those of more weight.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetDef {
    pub node: usize,
    pub weight: f32,
}

/// Nodes under `target` or `targets`; the check has reported where neither is.
pub(super) fn targets(resolver: &mut Resolver<'_>, table: &Table, nodes: &Names) -> Vec<TargetDef> {
    if let Some(node) = resolver.name(table, TARGET, nodes) {
        return vec![TargetDef { node, weight: 1.0 }];
    }
    let list = resolver.few(table.rows(TARGETS), TARGETS_MAX, "targets of a solver");
    if list.is_empty() {
        resolver.complain_of(table, &[TARGETS.name()], code::WRONG_COUNT, "`targets` names no node");
    }
    let target = |(_, table): (Place, &Table)| TargetDef {
        node: resolver.name(table, NODE, nodes).unwrap_or(0),
        weight: table.ask(WEIGHT),
    };
    list.into_iter().map(target).collect()
}

pub(super) fn print(out: &mut Printer<'_>, targets: &[TargetDef]) {
    let name = |at: usize| out.scene.nodes[at].name.as_str();
    match targets {
        [TargetDef { node, weight: 1.0 }] => out.name(TARGET, Some(name(*node))),
        _ => {
            let row =
                |target: &TargetDef| out.inline().named(NODE, name(target.node)).with(WEIGHT, target.weight).text();
            let rows: Vec<String> = targets.iter().map(row).collect();
            out.write(TARGETS.name(), &crate::scene::text::toml::list(rows));
        }
    }
}
