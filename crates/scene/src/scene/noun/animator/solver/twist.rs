//! `kind = "twist"`.

use super::share::{self, TABLE as SHARE_TABLE};
use super::{JOINT, SolverCase, SolverKind};
use crate::scene::key::{Key, List, required, rows};
use crate::scene::schema::{Type, Variant};

const SHARE: Key<List> = required(
    "share",
    Type::List(&SHARE_TABLE),
    "Joints above it, each by how much of the twist it follows: `[{ joint = \"forearm\", weight = 0.6 }, { joint = \"upper_arm\", weight = 0.1 }]`.",
);

pub(super) const CASE: SolverCase = SolverCase {
    variant: Variant {
        word: "twist",
        doc: "Spreads how far a joint is twisted about its parent's bone, against the rest pose, over joints above: forearms follow a hand. No joint leaves its place, and this one stays turned as it is.",
        keys: rows! { JOINT, SHARE },
    },
    is: |kind| matches!(kind, SolverKind::Twist { .. }),
    read: |resolver, table, _| {
        let shares = share::shares(resolver, table, SHARE);
        SolverKind::Twist { joint: table.ask(JOINT), shares }
    },
    print: |out, kind| {
        let SolverKind::Twist { joint, .. } = kind else { return };
        out.line(JOINT, joint.clone());
    },
    print_joints: |out, kind| {
        let SolverKind::Twist { shares, .. } = kind else { return };
        share::print(out, SHARE, shares);
    },
};
