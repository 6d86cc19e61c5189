//! `kind = "copy_rotation"`.

use super::share::{self, TURN_SHARES};
use super::target::{self, TARGET, TARGETS};
use super::{JOINT, SolverCase, SolverKind};
use crate::scene::key::rows;
use crate::scene::schema::Variant;

pub(super) const CASE: SolverCase = SolverCase {
    variant: Variant {
        word: "copy_rotation",
        doc: "Turns a joint from its rest pose as the target is turned in the figure's space: a back takes the rotation of a head.",
        keys: rows! { JOINT, TARGET, TARGETS, TURN_SHARES },
    },
    is: |kind| matches!(kind, SolverKind::CopyRotation { .. }),
    read: |resolver, table, nodes| {
        let targets = target::targets(resolver, table, nodes);
        let shares = share::shares(resolver, table, TURN_SHARES);
        SolverKind::CopyRotation { joint: table.ask(JOINT), targets, shares }
    },
    print: |out, kind| {
        let SolverKind::CopyRotation { joint, targets, .. } = kind else { return };
        out.line(JOINT, joint.clone());
        target::print(out, targets);
    },
    print_joints: |out, kind| {
        let SolverKind::CopyRotation { shares, .. } = kind else { return };
        share::print(out, TURN_SHARES, shares);
    },
};
