//! `[[animator.node]]`: the nodes of an animator's graph. One file per kind or few; `CASES` lists them.
//!
//! Names are found and lists counted here; `order` reports circles, and poses where deltas belong.

mod additive;
mod clip;
mod layers;
mod machine;
mod order;
mod partial;
mod slot;
mod space;
mod switch;

use stillframe_anim::graph::{FadePolicy, NodeDef, NodeKind, Value};
use stillframe_anim::time::Ease;
use stillframe_base::tick::Tick;

use super::Parts;
use crate::scene::code;
use crate::scene::key::{Key, List, choice, number, optional, required, rows, words_of};
use crate::scene::printer::Printer;
use crate::scene::resolver::{Names, OwnNames, Resolver};
use crate::scene::schema::{Kind, POINTS_MAX, Range, Row, SECONDS, Type, Variant, Variants, kind, range};
use crate::scene::text::syntax::{Place, Table};

pub(crate) use additive::ADD_TABLE;
pub(crate) use layers::LAYER_TABLE;
pub(crate) use machine::{STATE_TABLE, TRANSITION_TABLE};
use order::{Feed, Want};
pub(crate) use partial::{INPUT_TABLE, JOINT_TABLE};

/// One kind of node: its keys, how it is read and how it is printed.
struct NodeCase {
    variant: Variant,
    is: fn(&NodeKind) -> bool,
    read: fn(&mut Reader<'_, '_>, &Table) -> NodeKind,
    print: fn(&mut Printer<'_>, &NodeKind),
}

static CASES: [NodeCase; 13] = [
    clip::CLIP,
    clip::FRAME,
    clip::FOLLOW,
    space::LINE,
    space::GRID,
    space::SCATTER,
    switch::CASE,
    additive::DELTA_CASE,
    additive::ADDITIVE_CASE,
    partial::CASE,
    layers::CASE,
    machine::CASE,
    slot::CASE,
];
static VARIANTS: [Variant; 13] = {
    let mut out = [CASES[0].variant; 13];
    let mut at = 0;
    while at < CASES.len() {
        out[at] = CASES[at].variant;
        at += 1;
    }
    out
};
static WORDS: [&str; 13] = words_of(&VARIANTS);

pub(crate) static TABLE: Kind = Kind {
    exclusive: &[&["inputs", "clips"], &["input", "inputs"], &["input", "joint"], &switch::FADES],
    needs: &[&["inputs", "clips"], &["input", "inputs"]],
    variants: Some(&Variants { selector: KIND.name(), default: None, cases: &VARIANTS }),
    ..kind(
        "[[animator.node]]",
        "A node of an animator's graph makes a pose from clips or from the poses of other nodes. Any number of nodes can read it; cycles are not allowed.",
        KEYS,
    )
};

const NAME: Key<Option<String>> =
    optional("name", Type::Text, "its kind", "Name for other nodes. Must be unique in the animator.");
const KIND: Key<String> = required("kind", Type::Choice(&WORDS), "The kind of node.");
static KEYS: &[Row] = rows! { NAME, KIND };

/// Farther from 0, differences are not exact enough.
const PLACE: Range = range(-1e6, 1e6);
const NODE_NAME: Type = Type::Name("node of the graph");
const NODE_NAMES: Type = Type::Names { what: "node of the graph", max: POINTS_MAX };
const INPUTS: Key<Vec<String>> = optional("inputs", NODE_NAMES, "none", "A node for each point.");
const POLICY: Key<FadePolicy> = choice(
    "policy",
    "inertial",
    "How poses change: `inertial` shows the new pose at once and lets the difference fade, `frozen` holds the last pose while it fades out, `book` plays both.",
);
const EASE: Key<Ease> = choice("ease", "linear", "How the weight grows: linearly, or as 3 t^2 - 2 t^3.");
const FADE: Key<Tick> = number("fade_s", 0.2, SECONDS, "Duration of the fade.");
const BASE: Key<String> = required("base", NODE_NAME, "The pose below.");
const ON_MASK: Key<Option<String>> = optional("mask", Type::Name("mask"), "every joint", "The joints that it affects.");

const NODES_MAX: usize = 1024;

/// The nodes of an animator, and the name of its output.
pub(super) fn nodes(
    resolver: &mut Resolver<'_>,
    list: Vec<(Place, &Table)>,
    output: Option<(&str, Place)>,
    parts: &Parts,
) -> (Vec<NodeDef>, String) {
    let written = resolver.few(list.into_iter(), NODES_MAX, "nodes of an animator");
    let mut own = OwnNames::new(resolver, written.iter().map(|(_, t)| *t), "node");
    let own: Vec<String> =
        written.iter().map(|(_, table)| own.name(table, table.placed(KIND).map_or("node", |(word, _)| word))).collect();
    let names: Names = own.iter().enumerate().map(|(at, name)| (name.clone(), at)).collect();
    let mut reader = Reader { resolver, parts, names: &names, reads: Vec::new() };
    let mut nodes = Vec::with_capacity(written.len());
    let mut feeds: Vec<Vec<Feed>> = Vec::with_capacity(written.len());
    for ((_, table), name) in written.iter().zip(own) {
        let word = table.ask(KIND);
        // An unknown kind has been reported.
        let case = CASES.iter().find(|case| case.variant.word == word).unwrap_or(&CASES[0]);
        let kind = (case.read)(&mut reader, table);
        nodes.push(NodeDef { name, kind });
        feeds.push(std::mem::take(&mut reader.reads));
    }
    let output = match output {
        Some((name, place)) => resolver.part(name, place, "node", &names, &parts.animator).map(|at| (at, place)),
        None => written.last().map(|(place, _)| (nodes.len() - 1, *place)),
    };
    order::check(resolver, &nodes, &feeds, output);
    let output = output.and_then(|(at, _)| nodes.get(at)).map_or(String::new(), |node| node.name.clone());
    (nodes, output)
}

/// Reads one node.
struct Reader<'r, 'a> {
    resolver: &'r mut Resolver<'a>,
    parts: &'r Parts,
    names: &'r Names,
    /// The nodes that it has named.
    reads: Vec<Feed>,
}

impl Reader<'_, '_> {
    /// The node under `key`.
    fn input<T>(&mut self, table: &Table, key: Key<T>, want: Want) -> String {
        let Some((name, place)) = table.placed(key) else { return String::new() };
        self.read(name, place, want)
    }

    fn read(&mut self, name: &str, place: Place, want: Want) -> String {
        if let Some(input) = self.resolver.part(name, place, "node", self.names, &self.parts.animator) {
            self.reads.push(Feed { input, place, want });
        }
        name.to_string()
    }

    fn inputs(&mut self, table: &Table, key: Key<Vec<String>>) -> Vec<String> {
        table.placed_list(key).into_iter().map(|(name, at)| self.read(name, at, Want::Alike)).collect()
    }

    fn value(&mut self, table: &Table, key: Key<Value>) -> Value {
        super::value(self.resolver, table, key, self.parts)
    }

    /// The parameters that a list names are there.
    fn check_parameters(&mut self, table: &Table, key: Key<Vec<Value>>) {
        for (name, place) in table.placed_list(key) {
            self.resolver.part(name, place, "parameter", &self.parts.parameters, &self.parts.animator);
        }
    }

    fn mask(&mut self, table: &Table) -> Option<String> {
        let masks = &self.parts.masks;
        self.part(table, ON_MASK, "mask", masks)
    }

    /// The name under `key` of another part, which must be there.
    fn part<T>(&mut self, table: &Table, key: Key<T>, what: &str, names: &Names) -> Option<String> {
        let (name, place) = table.placed(key)?;
        self.resolver.part(name, place, what, names, &self.parts.animator);
        Some(name.to_string())
    }

    fn at_most(&mut self, table: &Table, key: Key<List>, max: usize) {
        if let Some((place, _)) = table.rows(key).nth(max) {
            let message = format!("`{}` appears more than {max} times in one node", key.name());
            self.resolver.complain(code::TOO_MANY, place, message);
        }
    }

    /// Complains about a list under `key` that has not as many entries as `want`, which is what `what` says.
    /// Nothing is wanted only where that has been reported.
    fn count<T>(&mut self, table: &Table, key: Key<T>, count: usize, want: usize, what: &str) {
        if count != want && want > 0 {
            let message = format!("`{}` has {count} entries, but {what} {want}", key.name());
            self.resolver.complain_of(table, &[key.name()], code::WRONG_COUNT, message);
        }
    }

    fn not_empty(&mut self, table: &Table, key: Key<List>, count: usize) {
        if count == 0 {
            let message = format!("`{}` is empty; expected at least one", key.name());
            self.resolver.complain_of(table, &[key.name()], code::WRONG_COUNT, message);
        }
    }
}

pub(super) fn print(out: &mut Printer<'_>, node: &NodeDef) {
    let case = CASES.iter().find(|case| (case.is)(&node.kind)).expect("every kind has its case");
    out.heading("[[animator.node]]");
    out.name(NAME, Some(&node.name));
    out.name(KIND, Some(case.variant.word));
    (case.print)(out, &node.kind);
}
