//! `kind = "delta"` and `"additive"`: differences of poses, and poses with some on top.

use stillframe_anim::graph::{DeltaInput, DeltaSpace, NodeKind, ReferenceDef, Value};
use stillframe_anim::pose::LAYERS_MAX;

use super::{BASE, NODE_NAME, NodeCase, ON_MASK, Want};
use crate::scene::key::{Key, List, choice, key, optional, required, rows};
use crate::scene::schema::{Constant, Kind, Row, Type, UNIT, Variant, kind};

const SOURCE: Key<String> = required("source", NODE_NAME, "The pose.");
const REFERENCE: Key<Option<String>> = optional("reference", NODE_NAME, "the rest pose", "The reference pose.");
const SPACE: Key<DeltaSpace> = choice(
    "space",
    "local",
    "The space of its rotations: each joint's own, which follows the pose that it is added to, or the model's, in which an aim offset points the same way however the spine leans.",
);
const ADD: Key<List> = required("add", Type::List(&ADD_TABLE), "The deltas, in order.");

pub(crate) static ADD_TABLE: Kind =
    kind("[[animator.node.add]]", "`add = [{ delta = \"lean\", alpha = \"tilt\" }]`.", ADD_KEYS);

const DELTA: Key<String> = required("delta", NODE_NAME, "A node that gives a delta.");
const ALPHA: Key<Value> = key("alpha", Type::Value(UNIT), Constant::Number(1.0), "Its weight.");
static ADD_KEYS: &[Row] = rows! { DELTA, ALPHA, ON_MASK };

pub(super) const DELTA_CASE: NodeCase = NodeCase {
    variant: Variant {
        word: "delta",
        doc: "The difference between a pose and a reference pose, for additive nodes and layers.",
        keys: rows! { SOURCE, REFERENCE, SPACE },
    },
    is: |kind| matches!(kind, NodeKind::Delta { .. }),
    read: |reader, table| NodeKind::Delta {
        source: reader.input(table, SOURCE, Want::Pose),
        reference: match table.has(REFERENCE) {
            true => ReferenceDef::Node(reader.input(table, REFERENCE, Want::Pose)),
            false => ReferenceDef::Rest,
        },
        space: table.ask(SPACE),
    },
    print: |out, kind| {
        let NodeKind::Delta { source, reference, space } = kind else { return };
        out.line(SOURCE, source.clone());
        match reference {
            ReferenceDef::Rest => {}
            ReferenceDef::Node(reference) => out.name(REFERENCE, Some(reference)),
        }
        out.line(SPACE, *space);
    },
};

pub(super) const ADDITIVE_CASE: NodeCase = NodeCase {
    variant: Variant { word: "additive", doc: "Adds deltas to a pose.", keys: rows! { BASE, ADD } },
    is: |kind| matches!(kind, NodeKind::Additive { .. }),
    read: |reader, table| {
        let base = reader.input(table, BASE, Want::Pose);
        let mut deltas = Vec::new();
        for (_, add) in table.rows(ADD) {
            deltas.push(DeltaInput {
                delta: reader.input(add, DELTA, Want::Delta),
                alpha: reader.value(add, ALPHA),
                mask: reader.mask(add),
            });
        }
        reader.at_most(table, ADD, LAYERS_MAX);
        NodeKind::Additive { base, deltas }
    },
    print: |out, kind| {
        let NodeKind::Additive { base, deltas } = kind else { return };
        out.line(BASE, base.clone());
        let row = |add: &DeltaInput| {
            let row = out.inline().with(DELTA, add.delta.clone()).with(ALPHA, add.alpha.clone());
            row.with(ON_MASK, add.mask.clone())
        };
        let rows: Vec<_> = deltas.iter().map(row).collect();
        out.all_rows(ADD, rows);
    },
};
