//! `share`: joints that go along.

use super::{JOINT, joints};
use crate::scene::key::{Key, List, optional, required, rows};
use crate::scene::printer::Printer;
use crate::scene::resolver::Resolver;
use crate::scene::schema::{Kind, Row, Type, UNIT, kind};
use crate::scene::text::syntax::Table;

pub(super) const TURN_SHARES: Key<List> = optional(
    "share",
    Type::List(&TABLE),
    "none",
    "Joints above it that turn first, starting nearest to the root, each by a share of what is left.",
);

pub(crate) static TABLE: Kind = kind(
    "[[animator.solver.share]]",
    "`share = [{ joint = \"spine\", weight = 0.2 }, { joint = \"neck\", weight = 0.5 }]`: joints that share the rotation.",
    KEYS,
);

const WEIGHT: Key<f32> = required(
    "weight",
    Type::Number(UNIT),
    "The share of what the joints before it have left. For a twist, the share of the whole twist.",
);
static KEYS: &[Row] = rows! { JOINT, WEIGHT };

/// How much a joint turns: of what is left, or of a twist.
#[derive(Clone, Debug, PartialEq)]
pub struct JointShare {
    pub joint: String,
    pub weight: f32,
}

pub(super) fn shares(resolver: &mut Resolver<'_>, table: &Table, key: Key<List>) -> Vec<JointShare> {
    let shares = joints(resolver, table, key, JOINT).into_iter();
    shares.map(|(joint, table)| JointShare { joint, weight: table.ask(WEIGHT) }).collect()
}

pub(super) fn print(out: &mut Printer<'_>, key: Key<List>, shares: &[JointShare]) {
    let row = |share: &JointShare| out.inline().with(JOINT, share.joint.clone()).with(WEIGHT, share.weight);
    let rows: Vec<_> = shares.iter().map(row).collect();
    out.rows(key, rows);
}
