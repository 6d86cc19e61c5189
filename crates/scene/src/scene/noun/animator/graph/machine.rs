//! `kind = "machine"`: states with a pose each, and rules of when to go from one to another.

use stillframe_anim::graph::{Condition, Enter, MachineNode, NodeKind, StateDef, TransitionDef};

use super::super::condition;
use super::{EASE, FADE, NODE_NAME, NodeCase, POLICY, Reader, Want};
use crate::scene::code;
use crate::scene::key::{Key, List, choice, flag, key, optional, required, rows, whole};
use crate::scene::resolver::{Names, OwnNames};
use crate::scene::schema::{Constant, Kind, POINTS_MAX, Row, Type, Variant, kind};
use crate::scene::text::syntax::Table;

const INITIAL: Key<Option<String>> =
    optional("initial", Type::Name("state"), "the first one", "The state at the beginning.");
const STATE: Key<List> = required("state", Type::List(&STATE_TABLE), "Its states.");
const TRANSITION: Key<List> = optional("transition", Type::List(&TRANSITION_TABLE), "none", "Its transitions.");

pub(crate) static STATE_TABLE: Kind = kind(
    "[[animator.node.state]]",
    "`state = [{ name = \"idle\" }, { name = \"walking\", node = \"walk\" }]`.",
    STATE_KEYS,
);

const STATE_NAME: Key<String> = required("name", Type::Text, "Must be unique in the machine.");
const STATE_NODE: Key<Option<String>> =
    optional("node", NODE_NAME, "the one of its name", "The node whose pose it shows.");
static STATE_KEYS: &[Row] = rows! { STATE_NAME, STATE_NODE };

pub(crate) static TRANSITION_TABLE: Kind = kind(
    "[[animator.node.transition]]",
    "A transition. If several conditions hold, the transition with the highest priority is taken, then the one listed first.",
    TRANSITION_KEYS,
);

const FROM: Key<Option<String>> = optional("from", Type::Name("state"), "any state", "The state that is left.");
const TO: Key<String> = required("to", Type::Name("state"), "The state that is entered.");
const WHEN: Key<String> = key(
    "when",
    Type::Condition,
    Constant::Word("always"),
    "The condition: `speed > 0.1`, `time_left < 0.2` (seconds), `always`, joined by `and`, `or`, `not` and brackets; see [Conditions](#conditions).",
);
const PRIORITY: Key<i32> = whole("priority", 0, -1_000_000, 1_000_000, "Higher ones come first.");
const INTERRUPTIBLE: Key<bool> = flag("interruptible", false, "Whether another transition can interrupt its fade.");
const ENTER: Key<Enter> = choice(
    "enter",
    "restart",
    "Where the state's clips begin: at their own `phase_s`, where they were left, or at the phase that the previous state has reached.",
);
static TRANSITION_KEYS: &[Row] = rows! { FROM, TO, WHEN, FADE, PRIORITY, INTERRUPTIBLE, ENTER };

const TRANSITIONS_MAX: usize = 4096;

pub(super) const CASE: NodeCase = NodeCase {
    variant: Variant {
        word: "machine",
        doc: "A state machine: states with a pose each, and transitions between them.",
        keys: rows! { INITIAL, STATE, TRANSITION, POLICY, EASE },
    },
    is: |kind| matches!(kind, NodeKind::Machine(_)),
    read: |reader, table| NodeKind::Machine(machine(reader, table)),
    print: |out, kind| {
        let NodeKind::Machine(MachineNode { states, initial, transitions, policy, ease }) = kind else { return };
        out.name(INITIAL, Some(initial));
        out.line(POLICY, *policy);
        out.line(EASE, *ease);
        let state = |state: &StateDef| {
            out.inline().with(STATE_NAME, state.name.clone()).with(STATE_NODE, Some(state.node.clone()))
        };
        let rows: Vec<_> = states.iter().map(state).collect();
        out.all_rows(STATE, rows);
        let rule = |rule: &TransitionDef| {
            let row = out.inline().with(FROM, rule.from.clone()).with(TO, rule.to.clone());
            let row = match rule.condition {
                Condition::Always => row,
                _ => row.with(WHEN, condition::print(&rule.condition)),
            };
            let row = row.with(FADE, rule.fade).with(PRIORITY, rule.priority);
            row.with(INTERRUPTIBLE, rule.interruptible).with(ENTER, rule.enter)
        };
        let rows: Vec<_> = transitions.iter().map(rule).collect();
        out.rows(TRANSITION, rows);
    },
};

fn machine(reader: &mut Reader<'_, '_>, table: &Table) -> MachineNode {
    let written = reader.resolver.few(table.rows(STATE), POINTS_MAX, "states of a machine");
    reader.not_empty(table, STATE, written.len());
    let mut own = OwnNames::new(reader.resolver, written.iter().map(|(_, t)| *t), "state");
    let mut states = Vec::new();
    for (_, state) in &written {
        let name = own.name(state, "state");
        let node = match state.has(STATE_NODE) {
            true => reader.input(state, STATE_NODE, Want::Alike),
            false => reader.input(state, STATE_NAME, Want::Alike),
        };
        states.push(StateDef { node, name });
    }
    let names: Names = states.iter().enumerate().map(|(at, state)| (state.name.clone(), at)).collect();
    let mut transitions = Vec::new();
    for (_, rule) in reader.resolver.few(table.rows(TRANSITION), TRANSITIONS_MAX, "transitions of a machine") {
        let from = reader.part(rule, FROM, "state", &names);
        let to = reader.part(rule, TO, "state", &names).unwrap_or_default();
        transitions.push(TransitionDef {
            from,
            to,
            condition: condition_of(reader, rule),
            fade: rule.ask(FADE),
            priority: rule.ask(PRIORITY),
            interruptible: rule.ask(INTERRUPTIBLE),
            enter: rule.ask(ENTER),
        });
    }
    let first = || states.first().map_or(String::new(), |state| state.name.clone());
    let initial = reader.part(table, INITIAL, "state", &names).unwrap_or_else(first);
    MachineNode { initial, states, transitions, policy: table.ask(POLICY), ease: table.ask(EASE) }
}

fn condition_of(reader: &mut Reader<'_, '_>, rule: &Table) -> Condition {
    let Some((text, place)) = rule.placed(WHEN) else { return Condition::Always };
    match condition::parse(text) {
        Ok(parsed) => {
            for (name, at) in parsed.names {
                let place = place.inside(text, at);
                let parts = reader.parts;
                reader.resolver.part(&name, place, "parameter", &parts.parameters, &parts.animator);
            }
            parsed.condition
        }
        Err(error) => {
            let help = condition::advice(text, &error);
            reader.resolver.complain_with(code::BAD_CONDITION, place.inside(text, error.at), error.message, help);
            Condition::Always
        }
    }
}
