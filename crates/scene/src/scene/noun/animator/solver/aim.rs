//! `kind = "aim"`.

use glam::Vec3;

use super::share::{self, TURN_SHARES};
use super::target::{self, TARGET, TARGETS};
use super::{EyeDef, JOINT, SolverCase, SolverKind, axis_of, print_node};
use crate::scene::angle::direction;
use crate::scene::code;
use crate::scene::key::{Key, numbers, optional, rows};
use crate::scene::schema::{ANY, Type, VEC3, Variant};

const AXIS: Key<[f32; 3]> =
    numbers("axis", &[0.0, 0.0, 1.0], ANY, "The axis that points at the target, in the joint's space.");
const OFFSET_M: Key<[f32; 3]> =
    numbers("offset_m", &[0.0, 0.0, 0.0], ANY, "The place that it looks from, such as an eye, in the joint's space.");
const UP: Key<Option<[f32; 3]>> =
    optional("up", VEC3, "its Y axis, or Z where `axis` is along Y", "The up axis, in the joint's space.");
const POLE: Key<Option<String>> =
    optional("pole", Type::Name("node"), "where it is in the pose", "The node that `up` turns towards.");

pub(super) const CASE: SolverCase = SolverCase {
    variant: Variant {
        word: "aim",
        doc: "Turns a joint so that its axis points at the target.",
        keys: rows! { JOINT, AXIS, OFFSET_M, UP, POLE, TARGET, TARGETS, TURN_SHARES },
    },
    is: |kind| matches!(kind, SolverKind::Aim { .. }),
    read: |resolver, table, nodes| {
        let axis = table.ask(AXIS);
        let targets = target::targets(resolver, table, nodes);
        if direction(Vec3::from_array(axis)).is_none() {
            resolver.complain_of(table, &[AXIS.name()], code::NO_DIRECTION, "`axis` has no length");
        }
        let eye = EyeDef {
            offset_m: table.ask(OFFSET_M),
            up: axis_of(resolver, table, UP),
            pole: resolver.name(table, POLE, nodes),
        };
        let shares = share::shares(resolver, table, TURN_SHARES);
        SolverKind::Aim { joint: table.ask(JOINT), axis, eye, targets, shares }
    },
    print: |out, kind| {
        let SolverKind::Aim { joint, axis, eye: EyeDef { offset_m, up, pole }, targets, .. } = kind else { return };
        out.line(JOINT, joint.clone());
        out.line(AXIS, *axis);
        out.line(OFFSET_M, *offset_m);
        target::print(out, targets);
        out.line(UP, *up);
        print_node(out, POLE, *pole);
    },
    print_joints: |out, kind| {
        let SolverKind::Aim { shares, .. } = kind else { return };
        share::print(out, TURN_SHARES, shares);
    },
};
