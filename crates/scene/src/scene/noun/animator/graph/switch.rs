//! `kind = "switch"`: one of many poses.

use stillframe_anim::graph::{FadeTimes, NodeKind, SwitchNode, Value};
use stillframe_base::tick::Tick;

use super::{EASE, FADE, NODE_NAMES, NodeCase, POLICY, Reader};
use crate::scene::key::{Key, optional, required, rows};
use crate::scene::schema::{POINTS_MAX, SECONDS, Type, Variant, range};
use crate::scene::text::syntax::Table;

const INDEX: Key<Value> =
    required("index", Type::Value(range(0.0, 255.0)), "Which one, counted from 0. Only the whole part counts.");
const SWITCH_INPUTS: Key<Vec<String>> = required("inputs", NODE_NAMES, "The nodes to choose from.");
const FADE_TO_S: Key<Vec<Tick>> = optional(
    "fade_to_s",
    Type::NumbersUpTo { max: POINTS_MAX, range: SECONDS },
    "none",
    "Duration of the fade to each input.",
);
const FADE_FROM_TO_S: Key<Vec<Vec<Tick>>> = optional(
    "fade_from_to_s",
    Type::RowsUpTo { max: POINTS_MAX, range: SECONDS },
    "none",
    "Duration of each fade: for each input that is left, a list with one number for each input that is entered.",
);

/// Only one of these can hold.
pub(super) const FADES: [&str; 3] = [FADE.name(), FADE_TO_S.name(), FADE_FROM_TO_S.name()];

pub(super) const CASE: NodeCase = NodeCase {
    variant: Variant {
        word: "switch",
        doc: "Selects one of several poses.",
        keys: rows! { INDEX, SWITCH_INPUTS, FADE, FADE_TO_S, FADE_FROM_TO_S, POLICY, EASE },
    },
    is: |kind| matches!(kind, NodeKind::Switch(_)),
    read: |reader, table| {
        let index = reader.value(table, INDEX);
        let inputs = reader.inputs(table, SWITCH_INPUTS);
        NodeKind::Switch(SwitchNode {
            index,
            inputs,
            fade: fade(reader, table),
            policy: table.ask(POLICY),
            ease: table.ask(EASE),
        })
    },
    print: |out, kind| {
        let NodeKind::Switch(SwitchNode { index, inputs, fade, policy, ease }) = kind else { return };
        out.line(INDEX, index.clone());
        out.line(SWITCH_INPUTS, inputs.clone());
        match fade {
            FadeTimes::All(tick) => out.line(FADE, *tick),
            FadeTimes::To(to) => out.line(FADE_TO_S, to.clone()),
            FadeTimes::FromTo(rows) => out.line(FADE_FROM_TO_S, rows.clone()),
        }
        out.line(POLICY, *policy);
        out.line(EASE, *ease);
    },
};

fn fade(reader: &mut Reader<'_, '_>, table: &Table) -> FadeTimes {
    let input_count = table.length(SWITCH_INPUTS);
    if table.has(FADE_TO_S) {
        reader.count(table, FADE_TO_S, table.length(FADE_TO_S), input_count, "the inputs are");
        FadeTimes::To(table.ask(FADE_TO_S))
    } else if table.has(FADE_FROM_TO_S) {
        let rows = table.ask(FADE_FROM_TO_S);
        reader.count(table, FADE_FROM_TO_S, table.length(FADE_FROM_TO_S), input_count, "the inputs are");
        if let Some(row) = rows.iter().find(|row| row.len() != input_count && rows.len() == input_count) {
            reader.count(table, FADE_FROM_TO_S, row.len(), input_count, "in each of its lists the inputs are");
        }
        FadeTimes::FromTo(rows)
    } else {
        FadeTimes::All(table.ask(FADE))
    }
}
