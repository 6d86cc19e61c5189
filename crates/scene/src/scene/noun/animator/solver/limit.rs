//! `limit`: how far joints of a chain may turn from the rest pose.

use glam::Vec3;

use super::joints;
use crate::scene::angle::direction;
use crate::scene::code;
use crate::scene::key::{Key, List, numbers, optional, required, rows, words_of};
use crate::scene::printer::{Inline, Printer};
use crate::scene::resolver::Resolver;
use crate::scene::schema::{Kind, Range, Row, Type, VEC3, Variant, Variants, kind, range};
use crate::scene::text::syntax::Table;

pub(super) const LIMITS: Key<List> =
    optional("limit", Type::List(&TABLE), "none", "Limits on how far joints of the chain may turn from the rest pose.");

pub(crate) static TABLE: Kind = Kind {
    variants: Some(&Variants { selector: KIND.name(), default: None, cases: &VARIANTS }),
    ..kind(
        "[[animator.solver.limit]]",
        "`limit = [{ joint = \"elbow\", kind = \"hinge\", axis = [1, 0, 0], range_deg = [0, 140] }]`: how far a joint may turn from its rest pose. A pose outside the limit is brought inside.",
        KEYS,
    )
};

const JOINT: Key<String> = required("joint", Type::Text, "A joint of the chain other than the tip. Must be unique.");
const KIND: Key<String> = required("kind", Type::Choice(&WORDS), "The kind of limit.");
const AXIS: Key<[f32; 3]> = required("axis", VEC3, "The axis, in the joint's space.");
static KEYS: &[Row] = rows! { JOINT, KIND, AXIS };

/// A limit's angles: any arc can be written, up to a whole turn.
const ARC_RANGE: Range = range(-360.0, 360.0);
const HALF_TURN_DEG: Type = Type::Number(range(0.0, 180.0));
const RANGE_DEG: Key<[f64; 2]> = required(
    "range_deg",
    Type::Numbers { count: 2, range: ARC_RANGE },
    "From the first angle to the second, a full turn at most.",
);
const SWING_MAX_DEG: Key<f64> =
    required("swing_max_deg", HALF_TURN_DEG, "How far the axis may lean from its direction at rest.");
const TWIST_DEG: Key<[f64; 2]> =
    numbers("twist_deg", &[-180.0, 180.0], ARC_RANGE, "Rotation about the axis, from the first angle to the second.");

static VARIANTS: [Variant; 2] = [
    Variant { word: "hinge", doc: "Turns about its axis only.", keys: &[RANGE_DEG.row] },
    Variant {
        word: "cone",
        doc: "The axis may lean, and the joint may turn about it.",
        keys: rows! { SWING_MAX_DEG, TWIST_DEG },
    },
];
static WORDS: [&str; 2] = words_of(&VARIANTS);

/// How far a joint may turn from its rest pose.
#[derive(Clone, Debug, PartialEq)]
pub struct LimitDef {
    pub joint: String,
    /// In the joint's space.
    pub axis: [f32; 3],
    pub kind: LimitKind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LimitKind {
    /// About the axis alone, between these two.
    Hinge { range_deg: [f64; 2] },
    /// The axis leans so far, and the joint turns about it between these two.
    Cone { swing_max_deg: f64, twist_deg: [f64; 2] },
}

pub(super) fn limits(resolver: &mut Resolver<'_>, table: &Table) -> Vec<LimitDef> {
    let mut out = Vec::new();
    for (joint, table) in joints(resolver, table, LIMITS, JOINT) {
        let axis = table.written(AXIS).unwrap_or([0.0, 0.0, 1.0]);
        if direction(Vec3::from_array(axis)).is_none() {
            resolver.complain_of(table, &[AXIS.name()], code::NO_DIRECTION, "`axis` has no length");
        }
        let kind = match table.placed(KIND) {
            Some(("cone", _)) => {
                LimitKind::Cone { swing_max_deg: table.ask(SWING_MAX_DEG), twist_deg: arc(resolver, table, TWIST_DEG) }
            }
            // Others than `hinge` have been reported.
            _ => LimitKind::Hinge { range_deg: arc(resolver, table, RANGE_DEG) },
        };
        out.push(LimitDef { joint, axis, kind });
    }
    out
}

/// Two angles that rise by a whole turn at most.
fn arc(resolver: &mut Resolver<'_>, table: &Table, key: Key<[f64; 2]>) -> [f64; 2] {
    let [min, max] = table.ask(key);
    let Some(entry) = table.entry_of(key) else { return [min, max] };
    let (name, place) = (key.name(), entry.value.place);
    if min > max {
        let message = format!("`{name}` falls from {min} to {max} degrees");
        let help = format!("write `{name} = [{max:?}, {min:?}]`");
        resolver.complain_with(code::WRONG_ORDER, place, message, Some(help));
    } else if max - min > 360.0 {
        let message = format!("`{name}` spans {} degrees, more than a full turn", max - min);
        let help = format!("`{name} = [-180.0, 180.0]` allows every angle");
        resolver.complain_with(code::OUT_OF_RANGE, place, message, Some(help));
    }
    [min, max]
}

pub(super) fn print(out: &mut Printer<'_>, limits: &[LimitDef]) {
    let rows: Vec<_> = limits.iter().map(|limit| row(out, limit)).collect();
    out.rows(LIMITS, rows);
}

fn row<'a>(out: &Printer<'a>, limit: &LimitDef) -> Inline<'a> {
    let row = out.inline().with(JOINT, limit.joint.clone());
    let row = match limit.kind {
        LimitKind::Hinge { range_deg } => row.named(KIND, "hinge").with(RANGE_DEG, range_deg),
        LimitKind::Cone { swing_max_deg, twist_deg } => {
            row.named(KIND, "cone").with(SWING_MAX_DEG, swing_max_deg).with(TWIST_DEG, twist_deg)
        }
    };
    row.with(AXIS, limit.axis)
}
