//! `kind = "line"`, `"grid"` and `"scatter"`: spaces of clips or poses.

use std::collections::BTreeSet;

use stillframe_anim::graph::{NodeKind, SpaceDef, SpaceNode, SyncSpaceNode, Value};
use stillframe_anim::time::Pace;

use super::super::words::SPEED_RANGE;
use super::{INPUTS, NodeCase, PLACE, Reader};
use crate::scene::code;
use crate::scene::key::{Key, choice, flag, key, optional, required, rows};
use crate::scene::printer::Printer;
use crate::scene::schema::{Constant, POINTS_MAX, Type, Variant};
use crate::scene::text::syntax::{Kind as Written, Table};

const CLIPS: Key<Vec<String>> = optional(
    "clips",
    Type::Names { what: "clip", max: POINTS_MAX },
    "none",
    "A clip for each point instead. The clips loop in one phase, scaled to a common length.",
);
const BY_MARKERS: Key<bool> =
    flag("by_markers", true, "With `clips`: whether to align their markers, or only whole loops.");
const PACE: Key<Pace> = choice(
    "pace",
    "leader",
    "With `clips`: whether to play at the speed of the clip with the most weight, or to let a loop take the mean of their lengths.",
);
const SYNC_SPEED: Key<Value> =
    key("speed", Type::Value(SPEED_RANGE), Constant::Number(1.0), "With `clips`: their playback speed.");
const PARAMETERS: Key<Vec<Value>> =
    required("parameters", Type::Values { count: 2, range: PLACE }, "Position in the space, along x and along y.");
const PARAMETER: Key<Value> = required("parameter", Type::Value(PLACE), "The number.");
const LINE_AT: Key<Vec<f32>> =
    required("at", Type::NumbersUpTo { max: POINTS_MAX, range: PLACE }, "Positions of the points, in any order.");
const COLUMNS: Key<Vec<f32>> = required("columns", Type::Rising(PLACE), "Positions of the columns along x.");
const ROWS: Key<Vec<f32>> = required("rows", Type::Rising(PLACE), "Positions of the rows along y.");
const SCATTER_AT: Key<Vec<[f32; 2]>> =
    required("at", Type::PairsUpTo { max: POINTS_MAX, range: PLACE }, "Positions of the points: `[[x, y], ...]`.");

/// The points of a space: how many there are by what is written.
struct Points {
    space: SpaceDef,
    count: usize,
    /// For messages.
    word: &'static str,
}

pub(super) const LINE: NodeCase = NodeCase {
    variant: Variant {
        word: "line",
        doc: "Blends the two points next to a position on a line.",
        keys: rows! { PARAMETER, LINE_AT, INPUTS, CLIPS, BY_MARKERS, PACE, SYNC_SPEED },
    },
    is: |kind| space_of(kind).is_some_and(|space| matches!(space, SpaceDef::Line { .. })),
    read: |reader, table| {
        let at = table.ask(LINE_AT);
        each_apart(reader, table, LINE_AT, &at.iter().map(|x| [*x, 0.0]).collect::<Vec<_>>());
        let space = SpaceDef::Line { parameter: reader.value(table, PARAMETER), at };
        node(reader, table, Points { space, count: table.length(LINE_AT), word: "line" })
    },
    print: |out, kind| {
        let Some(SpaceDef::Line { parameter, at }) = space_of(kind) else { return };
        out.line(PARAMETER, parameter.clone());
        out.line(LINE_AT, at.clone());
        print_inputs(out, kind);
    },
};

pub(super) const GRID: NodeCase = NodeCase {
    variant: Variant {
        word: "grid",
        doc: "Blends the four points around a position in a grid. Points are listed row by row.",
        keys: rows! { PARAMETERS, COLUMNS, ROWS, INPUTS, CLIPS, BY_MARKERS, PACE, SYNC_SPEED },
    },
    is: |kind| space_of(kind).is_some_and(|space| matches!(space, SpaceDef::Grid { .. })),
    read: |reader, table| {
        let (columns, rows) = (table.ask(COLUMNS), table.ask(ROWS));
        rising(reader, table, COLUMNS, &columns);
        rising(reader, table, ROWS, &rows);
        let space = SpaceDef::Grid { parameters: parameters(reader, table), columns, rows };
        node(reader, table, Points { space, count: table.length(COLUMNS) * table.length(ROWS), word: "grid" })
    },
    print: |out, kind| {
        let Some(SpaceDef::Grid { parameters, columns, rows }) = space_of(kind) else { return };
        out.line(PARAMETERS, parameters.to_vec());
        out.line(COLUMNS, columns.clone());
        out.line(ROWS, rows.clone());
        print_inputs(out, kind);
    },
};

pub(super) const SCATTER: NodeCase = NodeCase {
    variant: Variant {
        word: "scatter",
        doc: "Blends the three points around a position among points anywhere.",
        keys: rows! { PARAMETERS, SCATTER_AT, INPUTS, CLIPS, BY_MARKERS, PACE, SYNC_SPEED },
    },
    is: |kind| space_of(kind).is_some_and(|space| matches!(space, SpaceDef::Scatter { .. })),
    read: |reader, table| {
        let at = table.ask(SCATTER_AT);
        each_apart(reader, table, SCATTER_AT, &at);
        let space = SpaceDef::Scatter { parameters: parameters(reader, table), at };
        node(reader, table, Points { space, count: table.length(SCATTER_AT), word: "scatter" })
    },
    print: |out, kind| {
        let Some(SpaceDef::Scatter { parameters, at }) = space_of(kind) else { return };
        out.line(PARAMETERS, parameters.to_vec());
        out.line(SCATTER_AT, at.clone());
        print_inputs(out, kind);
    },
};

fn space_of(kind: &NodeKind) -> Option<&SpaceDef> {
    match kind {
        NodeKind::Space(node) => Some(&node.space),
        NodeKind::SyncSpace(node) => Some(&node.space),
        _ => None,
    }
}

fn parameters(reader: &mut Reader<'_, '_>, table: &Table) -> [Value; 2] {
    reader.check_parameters(table, PARAMETERS);
    table.ask(PARAMETERS).try_into().unwrap_or([Value::Number(0.0), Value::Number(0.0)])
}

fn node(reader: &mut Reader<'_, '_>, table: &Table, points: Points) -> NodeKind {
    let Points { space, count, word } = points;
    let what = format!("the {word}'s points are");
    if table.has(CLIPS) {
        reader.count(table, CLIPS, table.length(CLIPS), count, &what);
        return NodeKind::SyncSpace(SyncSpaceNode {
            space,
            clips: table.ask(CLIPS),
            by_markers: table.ask(BY_MARKERS),
            pace: table.ask(PACE),
            speed: reader.value(table, SYNC_SPEED),
        });
    }
    for key in [BY_MARKERS.name(), PACE.name(), SYNC_SPEED.name()] {
        reader.resolver.without_effect_of(table, key, "without `clips`", None);
    }
    let inputs = reader.inputs(table, INPUTS);
    reader.count(table, INPUTS, table.length(INPUTS), count, &what);
    NodeKind::Space(SpaceNode { space, inputs })
}

/// Points of a space lie in different places, in the precision that counts.
fn each_apart<T>(reader: &mut Reader<'_, '_>, table: &Table, key: Key<T>, points: &[[f32; 2]]) {
    let mut seen = BTreeSet::new();
    // Both zeros are one place.
    let bits = |x: f32| (x + 0.0).to_bits();
    let same = points.iter().position(|point| !seen.insert(point.map(bits)));
    if let (Some(at), Some(Written::List(values))) = (same, table.value(key.name()).map(|v| &v.kind)) {
        let first = points.iter().position(|p| *p == points[at]).unwrap_or(0);
        let message = format!("points {first} and {at} of the space are at the same place");
        if let Some(value) = values.get(at) {
            reader.resolver.complain(code::NAME_TWICE, value.place, message);
        }
    }
}

/// What rises in double precision may stand still in single precision, which counts.
fn rising<T>(reader: &mut Reader<'_, '_>, table: &Table, key: Key<T>, values: &[f32]) {
    if values.windows(2).any(|pair| pair[0] == pair[1]) {
        let message = format!("two of `{}` are too near to each other", key.name());
        reader.resolver.complain_of(table, &[key.name()], code::KEYS_ORDER, message);
    }
}

fn print_inputs(out: &mut Printer<'_>, kind: &NodeKind) {
    match kind {
        NodeKind::Space(node) => out.line(INPUTS, node.inputs.clone()),
        NodeKind::SyncSpace(SyncSpaceNode { space: _, clips, by_markers, pace, speed }) => {
            out.line(CLIPS, clips.clone());
            out.line(BY_MARKERS, *by_markers);
            out.line(PACE, *pace);
            out.line(SYNC_SPEED, speed.clone());
        }
        _ => {}
    }
}
