//! `[[animator.node]]`: the nodes of an animator's graph. Names are found, lists counted; circles and poses that stand where deltas
//! belong are told.

use std::collections::BTreeSet;

use stillframe_anim::graph::{
    Condition, DeltaInput, DeltaSpace, FadeTimes, LayerDef, LayerMode, MachineNode, NodeDef, NodeKind, PartialNode,
    PartialWeights, ReferenceDef, SlotNode, SpaceDef, SpaceNode, StateDef, SwitchNode, SyncSpaceNode, TransitionDef,
    Value,
};
use stillframe_anim::pose::LAYERS_MAX;
use stillframe_base::tick::Tick;

use super::super::code;
use super::super::condition;
use super::super::schema::POINTS_MAX;
use super::super::syntax::{Kind, Place, Table};
use super::super::words::{DELTA_SPACES, EASES, ENTERS, FADE_POLICIES, LAYER_MODES, PACES, PARTIAL_MODES};
use super::animator::{Parts, clip_node, value, value_of};
use super::own_names::OwnNames;
use super::{Names, Resolver, ask};

const NODES_MAX: usize = 1024;
const TRANSITIONS_MAX: usize = 4096;

/// The nodes of an animator, and the name of its output.
pub(super) fn nodes(resolver: &mut Resolver<'_>, animator: &Table, parts: &Parts) -> (Vec<NodeDef>, String) {
    let written = resolver.few(animator.list("node"), NODES_MAX, "nodes of an animator");
    let mut own = OwnNames::new(resolver, written.iter().map(|(_, t)| *t), "node");
    let own: Vec<String> =
        written.iter().map(|(_, table)| own.name(table, ask::text(table, "kind").unwrap_or("node"))).collect();
    let names: Names = own.iter().enumerate().map(|(at, name)| (name.clone(), at)).collect();
    let mut reader = Reader { resolver, parts, names: &names, feeds: Vec::new(), reads: Vec::new() };
    let mut nodes = Vec::with_capacity(written.len());
    for ((_, table), name) in written.iter().zip(own) {
        let kind = reader.kind(table);
        nodes.push(NodeDef { name, kind });
        let reads = std::mem::take(&mut reader.reads);
        reader.feeds.push(reads);
    }
    let feeds = std::mem::take(&mut reader.feeds);
    let output = match ask::placed_text(animator, "output") {
        Some((name, place)) => resolver.part(name, place, "node", &names, &parts.animator).map(|at| (at, place)),
        None => written.last().map(|(place, _)| (nodes.len() - 1, *place)),
    };
    check(resolver, &nodes, &feeds, output);
    let output = output.and_then(|(at, _)| nodes.get(at)).map_or(String::new(), |node| node.name.clone());
    (nodes, output)
}

/// That a node reads another one.
struct Feed {
    input: usize,
    place: Place,
    want: Want,
}

/// What a node that is read must be.
#[derive(Clone, Copy, PartialEq)]
enum Want {
    Pose,
    Delta,
    /// As the first input is.
    Alike,
    /// A clip with a phase.
    Clock,
}

struct Reader<'r, 'a> {
    resolver: &'r mut Resolver<'a>,
    parts: &'r Parts,
    names: &'r Names,
    /// Of each node so far.
    feeds: Vec<Vec<Feed>>,
    /// Of the present one.
    reads: Vec<Feed>,
}

impl Reader<'_, '_> {
    fn kind(&mut self, table: &Table) -> NodeKind {
        let clip = || ask::text(table, "clip").unwrap_or_default().to_string();
        let seconds = |key: &str, default: f64| Tick::from_seconds(ask::number(table, key).unwrap_or(default));
        match ask::text(table, "kind") {
            Some("frame") => NodeKind::Frame { clip: clip(), at: seconds("at_s", 0.0) },
            Some("follow") => NodeKind::Follow { clip: clip(), leader: self.input(table, "leader", Want::Clock) },
            Some(word @ ("line" | "grid" | "scatter")) => self.space(table, word),
            Some("switch") => self.switch(table),
            Some("delta") => NodeKind::Delta {
                source: self.input(table, "source", Want::Pose),
                reference: match table.entry("reference") {
                    Some(_) => ReferenceDef::Node(self.input(table, "reference", Want::Pose)),
                    None => ReferenceDef::Rest,
                },
                space: ask::choice(table, "space", DELTA_SPACES).unwrap_or_default(),
            },
            Some("additive") => {
                let base = self.input(table, "base", Want::Pose);
                let delta = |(_, add): (Place, &Table)| DeltaInput {
                    delta: self.input(add, "delta", Want::Delta),
                    alpha: self.value(add, "alpha", 1.0),
                    mask: self.mask(add),
                };
                let list: Vec<_> = table.list("add").collect();
                let deltas = list.into_iter().map(delta).collect();
                self.at_most(table, "add", LAYERS_MAX);
                NodeKind::Additive { base, deltas }
            }
            Some("partial") => self.partial(table),
            Some("layers") => {
                let base = self.input(table, "base", Want::Pose);
                let list: Vec<_> = table.list("layer").collect();
                let layers = list.into_iter().map(|(_, layer)| self.layer(layer)).collect();
                self.at_most(table, "layer", LAYERS_MAX);
                NodeKind::Layers { base, layers }
            }
            Some("machine") => self.machine(table),
            Some("slot") => NodeKind::Slot(SlotNode {
                input: self.input(table, "input", Want::Pose),
                mask: self.mask(table),
                fade_in: seconds("fade_in_s", 0.2),
                fade_out: seconds("fade_out_s", 0.2),
            }),
            // Others than `clip` have been told.
            _ => NodeKind::Clip(clip_node(self.resolver, table, self.parts)),
        }
    }

    /// The node under `key`.
    fn input(&mut self, table: &Table, key: &str, want: Want) -> String {
        let Some((name, place)) = ask::placed_text(table, key) else { return String::new() };
        self.read(name, place, want)
    }

    fn read(&mut self, name: &str, place: Place, want: Want) -> String {
        if let Some(input) = self.resolver.part(name, place, "node", self.names, &self.parts.animator) {
            self.reads.push(Feed { input, place, want });
        }
        name.to_string()
    }

    fn inputs(&mut self, table: &Table) -> Vec<String> {
        ask::placed_words(table, "inputs").into_iter().map(|(name, at)| self.read(name, at, Want::Alike)).collect()
    }

    fn value(&mut self, table: &Table, key: &str, default: f32) -> Value {
        value(self.resolver, table, key, self.parts, default)
    }

    fn mask(&mut self, table: &Table) -> Option<String> {
        let (name, place) = ask::placed_text(table, "mask")?;
        self.resolver.part(name, place, "mask", &self.parts.masks, &self.parts.animator);
        Some(name.to_string())
    }

    fn at_most(&mut self, table: &Table, key: &str, max: usize) {
        if let Some((place, _)) = table.list(key).nth(max) {
            self.resolver.complain(code::TOO_MANY, place, format!("`{key}` stands more than {max} times in one node"));
        }
    }

    /// Complains about a list under `key` that has not as many entries as `want`, which is what `what` says.
    /// Nothing is wanted only where that has been told.
    fn count(&mut self, table: &Table, key: &str, count: usize, want: usize, what: &str) {
        if let (true, Some(entry)) = (count != want && want > 0, table.entry(key)) {
            let message = format!("`{key}` has {count} entries, but {what} {want}");
            self.resolver.complain(code::WRONG_COUNT, entry.value.place, message);
        }
    }

    fn space(&mut self, table: &Table, word: &str) -> NodeKind {
        let pair = |reader: &mut Self| match table.value("parameters").map(|v| &v.kind) {
            Some(Kind::List(values)) if values.len() == 2 => {
                [0, 1].map(|n| value_of(reader.resolver, &values[n], reader.parts))
            }
            _ => [Value::Number(0.0), Value::Number(0.0)],
        };
        let (space, point_count) = match word {
            "line" => {
                let at = ask::floats_of(table, "at");
                self.each_apart(table, &at.iter().map(|x| [*x, 0.0]).collect::<Vec<_>>());
                let count = ask::length(table, "at");
                (SpaceDef::Line { parameter: self.value(table, "parameter", 0.0), at }, count)
            }
            "grid" => {
                let (columns, rows) = (ask::floats_of(table, "columns"), ask::floats_of(table, "rows"));
                self.rising(table, "columns", &columns);
                self.rising(table, "rows", &rows);
                let count = ask::length(table, "columns") * ask::length(table, "rows");
                (SpaceDef::Grid { parameters: pair(self), columns, rows }, count)
            }
            _ => {
                let at = ask::pairs(table, "at");
                self.each_apart(table, &at);
                let count = ask::length(table, "at");
                (SpaceDef::Scatter { parameters: pair(self), at }, count)
            }
        };
        if table.entry("clips").is_some() {
            let clips: Vec<String> =
                ask::placed_words(table, "clips").into_iter().map(|(name, _)| name.to_string()).collect();
            self.count(table, "clips", ask::length(table, "clips"), point_count, &format!("the {word}'s points are"));
            return NodeKind::SyncSpace(SyncSpaceNode {
                space,
                clips,
                by_markers: ask::flag(table, "by_markers").unwrap_or(true),
                pace: ask::choice(table, "pace", PACES).unwrap_or_default(),
                speed: self.value(table, "speed", 1.0),
            });
        }
        for key in ["by_markers", "pace", "speed"] {
            if let Some(entry) = table.entry(key) {
                let message = format!("`{key}` has no effect without `clips`");
                self.resolver.complain(code::WITHOUT_EFFECT, entry.key_place, message);
            }
        }
        let inputs = self.inputs(table);
        self.count(table, "inputs", ask::length(table, "inputs"), point_count, &format!("the {word}'s points are"));
        NodeKind::Space(SpaceNode { space, inputs })
    }

    /// Points of a space lie in different places, in the precision that counts.
    fn each_apart(&mut self, table: &Table, points: &[[f32; 2]]) {
        let mut seen = BTreeSet::new();
        // Both zeros are one place.
        let bits = |x: f32| (x + 0.0).to_bits();
        let same = points.iter().position(|point| !seen.insert(point.map(bits)));
        if let (Some(at), Some(Kind::List(values))) = (same, table.value("at").map(|v| &v.kind)) {
            let first = points.iter().position(|p| *p == points[at]).unwrap_or(0);
            let place = values.get(at).map_or(Place { source: 0, start: 0, end: 0 }, |value| value.place);
            let message = format!("points {first} and {at} of the space lie in one place");
            self.resolver.complain(code::NAME_TWICE, place, message);
        }
    }

    /// What rises in double precision may stand still in single precision, which counts.
    fn rising(&mut self, table: &Table, key: &str, values: &[f32]) {
        let stands = values.windows(2).any(|pair| pair[0] == pair[1]);
        if let (true, Some(entry)) = (stands, table.entry(key)) {
            let message = format!("two of `{key}` are too near to each other");
            self.resolver.complain(code::KEYS_ORDER, entry.value.place, message);
        }
    }

    fn switch(&mut self, table: &Table) -> NodeKind {
        let index = self.value(table, "index", 0.0);
        let inputs = self.inputs(table);
        let input_count = ask::length(table, "inputs");
        let tick = |seconds: &f64| Tick::from_seconds(*seconds);
        let fade = if table.entry("fade_to_s").is_some() {
            let times = ask::numbers_of(table, "fade_to_s");
            self.count(table, "fade_to_s", ask::length(table, "fade_to_s"), input_count, "the inputs are");
            FadeTimes::To(times.iter().map(tick).collect())
        } else if table.entry("fade_from_to_s").is_some() {
            let rows = ask::number_rows(table, "fade_from_to_s");
            self.count(table, "fade_from_to_s", ask::length(table, "fade_from_to_s"), input_count, "the inputs are");
            if let Some(row) = rows.iter().find(|row| row.len() != input_count && rows.len() == input_count) {
                self.count(table, "fade_from_to_s", row.len(), input_count, "in each of its lists the inputs are");
            }
            FadeTimes::FromTo(rows.iter().map(|row| row.iter().map(tick).collect()).collect())
        } else {
            FadeTimes::All(Tick::from_seconds(ask::number(table, "fade_s").unwrap_or(0.2)))
        };
        NodeKind::Switch(SwitchNode {
            index,
            inputs,
            fade,
            policy: ask::choice(table, "policy", FADE_POLICIES).unwrap_or_default(),
            ease: ask::choice(table, "ease", EASES).unwrap_or_default(),
        })
    }

    fn partial(&mut self, table: &Table) -> NodeKind {
        let mode = ask::choice(table, "mode", PARTIAL_MODES).unwrap_or_default();
        if table.entry("input").is_some() {
            let list: Vec<_> = table.list("input").collect();
            self.at_most(table, "input", LAYERS_MAX);
            self.not_empty(table, "input", list.len());
            let (mut inputs, mut weights) = (Vec::new(), Vec::new());
            for (_, part) in list {
                inputs.push(self.input(part, "node", Want::Alike));
                weights.push((self.value(part, "weight", 1.0), self.mask(part)));
            }
            return NodeKind::Partial(PartialNode { inputs, weights: PartialWeights::Masks(weights), mode });
        }
        let inputs = self.inputs(table);
        if let (true, Some(entry)) = (inputs.len() > LAYERS_MAX, table.entry("inputs")) {
            let message = format!("`inputs` has {} names, but {LAYERS_MAX} is the most here", inputs.len());
            self.resolver.complain(code::TOO_MANY, entry.value.place, message);
        }
        if let (Some(entry), None) = (table.entry("inputs"), table.entry("joint")) {
            let help = Some("or write `input = [{ node = \"...\" }]`, with a weight and a mask each".to_string());
            let message = "`inputs` needs `joint` beside it: which joints say how much they count";
            self.resolver.complain_with(code::MISSING_KEY, entry.key_place, message, help);
        }
        let list: Vec<_> = table.list("joint").collect();
        self.not_empty(table, "joint", list.len());
        self.resolver.each_once(&list, "name");
        let mut joints = Vec::new();
        for (_, joint) in list {
            let weights = ask::floats_of(joint, "weights");
            self.count(joint, "weights", ask::length(joint, "weights"), ask::length(table, "inputs"), "the inputs are");
            let is_nothing = !weights.is_empty() && weights.iter().all(|w| *w == 0.0);
            if let (true, Some(entry)) = (is_nothing, joint.entry("weights")) {
                let message = "all of `weights` are 0: no input is left";
                self.resolver.complain(code::OUT_OF_RANGE, entry.value.place, message);
            }
            joints.push((ask::text(joint, "name").unwrap_or_default().to_string(), weights));
        }
        NodeKind::Partial(PartialNode { inputs, weights: PartialWeights::Joints(joints), mode })
    }

    fn not_empty(&mut self, table: &Table, key: &str, count: usize) {
        if let (0, Some(entry)) = (count, table.entry(key)) {
            let message = format!("`{key}` is empty: at least one is expected");
            self.resolver.complain(code::WRONG_COUNT, entry.value.place, message);
        }
    }

    fn layer(&mut self, table: &Table) -> LayerDef {
        let mode = ask::choice(table, "mode", LAYER_MODES).unwrap_or_default();
        let want = if mode == LayerMode::Additive { Want::Delta } else { Want::Pose };
        LayerDef {
            node: self.input(table, "node", want),
            weight: self.value(table, "weight", 1.0),
            mask: self.mask(table),
            mode,
        }
    }

    fn machine(&mut self, table: &Table) -> NodeKind {
        let written = self.resolver.few(table.list("state"), POINTS_MAX, "states of a machine");
        self.not_empty(table, "state", written.len());
        let mut own = OwnNames::new(self.resolver, written.iter().map(|(_, t)| *t), "state");
        let mut states = Vec::new();
        for (_, state) in &written {
            let name = own.name(state, "state");
            let key = if state.entry("node").is_some() { "node" } else { "name" };
            states.push(StateDef { node: self.input(state, key, Want::Alike), name });
        }
        let names: Names = states.iter().enumerate().map(|(at, state)| (state.name.clone(), at)).collect();
        let mut transitions = Vec::new();
        for (_, rule) in self.resolver.few(table.list("transition"), TRANSITIONS_MAX, "transitions of a machine") {
            let mut state = |key: &str| {
                let (name, place) = ask::placed_text(rule, key)?;
                self.resolver.part(name, place, "state", &names, &self.parts.animator);
                Some(name.to_string())
            };
            let (from, to) = (state("from"), state("to").unwrap_or_default());
            transitions.push(TransitionDef {
                from,
                to,
                condition: self.condition(rule),
                fade: Tick::from_seconds(ask::number(rule, "fade_s").unwrap_or(0.2)),
                priority: ask::signed(rule, "priority").unwrap_or(0),
                interruptible: ask::flag(rule, "interruptible").unwrap_or(false),
                enter: ask::choice(rule, "enter", ENTERS).unwrap_or_default(),
            });
        }
        let initial = match ask::placed_text(table, "initial") {
            Some((name, place)) => {
                self.resolver.part(name, place, "state", &names, &self.parts.animator);
                name.to_string()
            }
            None => states.first().map_or(String::new(), |state| state.name.clone()),
        };
        NodeKind::Machine(MachineNode {
            states,
            initial,
            transitions,
            policy: ask::choice(table, "policy", FADE_POLICIES).unwrap_or_default(),
            ease: ask::choice(table, "ease", EASES).unwrap_or_default(),
        })
    }

    fn condition(&mut self, rule: &Table) -> Condition {
        let Some((text, place)) = ask::placed_text(rule, "when") else { return Condition::Always };
        match condition::parse(text) {
            Ok(parsed) => {
                for (name, at) in parsed.names {
                    let place = place.inside(text, at);
                    self.resolver.part(&name, place, "parameter", &self.parts.parameters, &self.parts.animator);
                }
                parsed.condition
            }
            Err(error) => {
                self.resolver.complain(code::BAD_CONDITION, place.inside(text, error.at), error.message);
                Condition::Always
            }
        }
    }
}

/// Circles; then poses and deltas where the other belongs. `output`: which node, and where that is said.
fn check(resolver: &mut Resolver<'_>, nodes: &[NodeDef], feeds: &[Vec<Feed>], output: Option<(usize, Place)>) {
    let Some(order) = order(resolver, nodes, feeds) else { return };
    // Of deltas their space.
    let mut deltas: Vec<Option<DeltaSpace>> = vec![None; nodes.len()];
    for at in order {
        let first = feeds[at].first().map(|feed| (feed.input, deltas[feed.input]));
        for feed in &feeds[at] {
            let (input, delta) = (&nodes[feed.input], deltas[feed.input]);
            let name = &input.name;
            // Two deltas are told apart by their spaces.
            let mut is = what(delta, false);
            let (wrong, want, help) = match (feed.want, first) {
                (Want::Pose, _) => (delta.is_some(), "a pose".to_string(), "an `additive` node lays deltas on a pose"),
                (Want::Delta, _) => (delta.is_none(), "a delta".to_string(), "a `delta` node makes one of a pose"),
                (Want::Alike, Some((other, own))) => {
                    let both = delta.is_some() && own.is_some();
                    is = what(delta, both);
                    let want = format!("{} as `{}` beside it", what(own, both), nodes[other].name);
                    let help = if both { "give their `delta` nodes the same `space`" } else { "mix poses with poses" };
                    (delta != own, want, help)
                }
                (Want::Alike, None) => unreachable!("this feed is one"),
                (Want::Clock, _) => {
                    let has = matches!(input.kind, NodeKind::Clip(_) | NodeKind::SyncSpace(_));
                    (!has, "a `clip` or a space of `clips`".to_string(), "only those have a place in a loop")
                }
            };
            if wrong {
                let message = match feed.want {
                    Want::Clock => format!("`{name}` has no phase, but {want} is expected"),
                    _ => format!("`{name}` is {is}, but {want} is expected"),
                };
                resolver.complain_with(code::WRONG_PART, feed.place, message, Some(help.to_string()));
            }
        }
        deltas[at] = match &nodes[at].kind {
            NodeKind::Delta { space, .. } => Some(*space),
            NodeKind::Space(_) | NodeKind::Switch(_) | NodeKind::Partial(_) | NodeKind::Machine(_) => {
                first.and_then(|(_, delta)| delta)
            }
            _ => None,
        };
    }
    if let Some((at, place)) = output.filter(|(at, _)| deltas[*at].is_some()) {
        let message = format!("the output `{}` is a delta, but a pose is expected", nodes[at].name);
        let help = Some("an `additive` node lays deltas on a pose".to_string());
        resolver.complain_with(code::WRONG_PART, place, message, help);
    }
}

/// What a node is: a delta with or without its space, or a pose.
fn what(delta: Option<DeltaSpace>, with_space: bool) -> &'static str {
    match delta {
        None => "a pose",
        Some(_) if !with_space => "a delta",
        Some(DeltaSpace::Local) => "a delta in local space",
        Some(DeltaSpace::Mesh) => "a delta in mesh space",
    }
}

/// Nodes, each behind those that it reads; `None` where some run in a circle, which is told.
fn order(resolver: &mut Resolver<'_>, nodes: &[NodeDef], feeds: &[Vec<Feed>]) -> Option<Vec<usize>> {
    let mut order = Vec::with_capacity(nodes.len());
    // 0 unseen, 1 on the present path, 2 done.
    let mut state = vec![0u8; nodes.len()];
    for start in 0..nodes.len() {
        let mut path: Vec<(usize, usize)> = if state[start] == 0 { vec![(start, 0)] } else { Vec::new() };
        while let Some((node, next)) = path.last_mut() {
            state[*node] = 1;
            let Some(feed) = feeds[*node].get(*next) else {
                state[*node] = 2;
                order.push(*node);
                path.pop();
                continue;
            };
            *next += 1;
            match state[feed.input] {
                0 => path.push((feed.input, 0)),
                1 => {
                    let first = path.iter().position(|(node, _)| *node == feed.input).unwrap_or(0);
                    let mut names: Vec<String> =
                        path[first..].iter().take(8).map(|(node, _)| format!("`{}`", nodes[*node].name)).collect();
                    if path.len() - first > 8 {
                        names.push("...".into());
                    }
                    names.push(format!("`{}`", nodes[feed.input].name));
                    let message = format!("nodes read each other in a circle: {}", names.join(" reads "));
                    resolver.complain(code::GRAPH_CIRCLE, feed.place, message);
                    return None;
                }
                _ => {}
            }
        }
    }
    Some(order)
}
