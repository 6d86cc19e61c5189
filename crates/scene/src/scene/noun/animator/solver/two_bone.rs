//! `kind = "two_bone"`.

use super::target::{self, TARGET, TARGETS};
use super::{JOINT, SolverCase, SolverKind, axis_of, print_node};
use crate::scene::key::{Key, number, optional, rows};
use crate::scene::schema::{Type, VEC3, Variant, range};

const POLE: Key<Option<String>> =
    optional("pole", Type::Name("node"), "as the pose bends", "The node that the elbow or knee points to.");
const BEND_AXIS: Key<Option<[f32; 3]>> = optional(
    "bend_axis",
    VEC3,
    "as the pose bends",
    "The axis of the elbow or knee, in its own space. A positive rotation bends a straight limb.",
);
const SOFTEN: Key<f32> = number(
    "soften",
    1.0,
    range(1e-3, 1.0),
    "The share of the limb's length up to which it follows exactly. Beyond, it follows less and less, so that it never snaps straight.",
);

pub(super) const CASE: SolverCase = SolverCase {
    variant: Variant {
        word: "two_bone",
        doc: "An arm or a leg: turns the joint's parent and grandparent.",
        keys: rows! { JOINT, TARGET, TARGETS, POLE, BEND_AXIS, SOFTEN },
    },
    is: |kind| matches!(kind, SolverKind::TwoBone { .. }),
    read: |resolver, table, nodes| {
        let pole = resolver.name(table, POLE, nodes);
        SolverKind::TwoBone {
            joint: table.ask(JOINT),
            targets: target::targets(resolver, table, nodes),
            pole,
            bend_axis: axis_of(resolver, table, BEND_AXIS),
            soften: table.ask(SOFTEN),
        }
    },
    print: |out, kind| {
        let SolverKind::TwoBone { joint, targets, pole, bend_axis, soften } = kind else { return };
        out.line(JOINT, joint.clone());
        target::print(out, targets);
        out.line(SOFTEN, *soften);
        print_node(out, POLE, *pole);
        out.line(BEND_AXIS, *bend_axis);
    },
    print_joints: |_, _| (),
};
