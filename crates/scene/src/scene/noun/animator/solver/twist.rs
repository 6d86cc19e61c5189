//! `kind = "twist"`.

use super::share::{self, TABLE as SHARE_TABLE};
use super::{JOINT, SolverCase, SolverKind};
use crate::scene::key::{Key, List, required, rows};
use crate::scene::schema::{Type, Variant};

const SHARE: Key<List> = required(
    "share",
    Type::List(&SHARE_TABLE),
    "Joints above it, each with its share of the twist: `[{ joint = \"forearm\", weight = 0.6 }, { joint = \"upper_arm\", weight = 0.1 }]`.",
);

pub(super) const CASE: SolverCase = SolverCase {
    variant: Variant {
        word: "twist",
        doc: "Spreads a joint's twist about its parent's bone, relative to the rest pose, over joints above it: a forearm follows a hand. Joints keep their places, and this joint keeps its rotation.",
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
