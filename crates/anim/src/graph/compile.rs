//! Compile: from names to numbers. What is checked here is trusted by everything after.

use std::collections::{BTreeMap, BTreeSet};

use stillframe_base::tick::Tick;

use super::def::*;
use super::node::{Choice, Clip, Delta, Layer, Machine, Mask, Node, Op, Part, Source, Switch, Sync, Test, Transition};
use super::space::{Corners, Space, SpaceFault};
use super::update::SYNC_CLIPS_MAX;
use super::{Graph, GraphError};
use crate::pose::{JointBlock, LAYERS_MAX, mask_of_branches};
use crate::sample::Skeleton;
use crate::time::{
    Ease, Fade, Marker, Mode, Playback, Position, Repeat, SyncGroup, SyncMember, TimeError, Timeline, Track,
};

/// The longest clip, 27 hours.
const DURATION_MAX: Tick = Tick(1 << 46);

/// How many times as long as another one a clip of one phase may be: faster leaders would leave the range of speeds.
const LENGTH_RATIO_MAX: i64 = 1 << 16;

/// As many of anything as numbers of 16 bits name.
const COUNT_MAX: usize = u16::MAX as usize;

impl Graph {
    /// Checks a definition and makes a graph of the nodes that reach its output. Joints of masks are those of `skeleton`.
    ///
    /// Errors: what is wrong first, by name. Nodes that do not reach the output are checked too.
    pub fn compile(def: &GraphDef, skeleton: &Skeleton) -> Result<Graph, GraphError> {
        let names = Names {
            parameters: names("parameter", def.parameters.iter().map(|parameter| &*parameter.name))?,
            clips: names("clip", def.clips.iter().map(|clip| &*clip.name))?,
            masks: names("mask", def.masks.iter().map(|mask| &*mask.name))?,
            nodes: names("node", def.nodes.iter().map(|node| &*node.name))?,
        };
        for ParameterDef { name, initial } in &def.parameters {
            finite(name, "initial value", *initial)?;
        }
        let tracks = def.clips.iter().map(track).collect::<Result<Vec<_>, _>>()?;
        let masks = def.masks.iter().map(|mask| compile_mask(mask, skeleton)).collect::<Result<Vec<_>, _>>()?;
        let order = order(def, &names)?;
        let mut place = vec![0; def.nodes.len()];
        for (at, node) in order.iter().enumerate() {
            place[*node] = at as u16;
        }
        let mut compiler =
            Compiler { def, skeleton, names, tracks, place, masks, nodes: Vec::new(), clocks: Vec::new() };
        for node in &order {
            compiler.push(&def.nodes[*node])?;
        }
        compiler.finish(&order)
    }
}

type NameMap<'a> = BTreeMap<&'a str, usize>;

struct Names<'a> {
    parameters: NameMap<'a>,
    clips: NameMap<'a>,
    masks: NameMap<'a>,
    nodes: NameMap<'a>,
}

fn names<'a>(what: &'static str, all: impl Iterator<Item = &'a str>) -> Result<NameMap<'a>, GraphError> {
    let mut map = BTreeMap::new();
    for (index, name) in all.enumerate() {
        if map.insert(name, index).is_some() {
            return Err(GraphError::Twice { what, name: name.to_string() });
        }
        if index >= COUNT_MAX {
            return Err(GraphError::TooMany { node: String::new(), count: index + 1, max: COUNT_MAX });
        }
    }
    Ok(map)
}

fn find(map: &NameMap<'_>, what: &'static str, node: &str, name: &str) -> Result<usize, GraphError> {
    let unknown = || GraphError::Unknown { node: node.to_string(), what, name: name.to_string() };
    map.get(name).copied().ok_or_else(unknown)
}

fn finite(node: &str, what: &'static str, value: f32) -> Result<f32, GraphError> {
    if value.is_finite() { Ok(value) } else { Err(GraphError::Range { node: node.to_string(), what, value }) }
}

fn ticks(node: &str, what: &'static str, value: Tick, max: Tick) -> Result<Tick, GraphError> {
    let good = Tick::ZERO <= value && value <= max;
    if good { Ok(value) } else { Err(GraphError::Ticks { node: node.to_string(), what, ticks: value.0 }) }
}

fn count(node: &str, what: &'static str, count: usize, want: usize) -> Result<(), GraphError> {
    if count == want { Ok(()) } else { Err(GraphError::Count { node: node.to_string(), what, count, want }) }
}

fn not_empty(node: &str, what: &'static str, count: usize) -> Result<(), GraphError> {
    if count > 0 { Ok(()) } else { Err(GraphError::Empty { node: node.to_string(), what }) }
}

fn few(node: &str, count: usize) -> Result<(), GraphError> {
    let max = LAYERS_MAX;
    if count <= max { Ok(()) } else { Err(GraphError::TooMany { node: node.to_string(), count, max }) }
}

/// The events of a clip.
fn track(clip: &ClipDef) -> Result<Track, GraphError> {
    ticks(&clip.name, "duration", clip.duration, DURATION_MAX)?;
    Track::new(Tick::ZERO, clip.duration, clip.events.clone())
        .map_err(|error| GraphError::Clip { clip: clip.name.clone(), error })
}

fn joint(owner: &str, skeleton: &Skeleton, name: &str) -> Result<u16, GraphError> {
    let unknown = || GraphError::UnknownJoint { owner: owner.to_string(), joint: name.to_string() };
    skeleton.joint_named(name).ok_or_else(unknown)
}

fn compile_mask(mask: &MaskDef, skeleton: &Skeleton) -> Result<Mask, GraphError> {
    let owner = format!("mask \"{}\"", mask.name);
    let branches = mask
        .branches
        .iter()
        .map(|branch| Ok((joint(&owner, skeleton, &branch.joint)?, branch.weight)))
        .collect::<Result<Vec<_>, GraphError>>()?;
    branch_mask(&mask.name, &owner, skeleton, mask.default, &branches)
}

fn branch_mask(
    name: &str,
    owner: &str,
    skeleton: &Skeleton,
    default: f32,
    branches: &[(u16, f32)],
) -> Result<Mask, GraphError> {
    for (index, (twice, _)) in branches.iter().enumerate() {
        if branches[..index].iter().any(|(other, _)| other == twice) {
            let joint = skeleton.names()[usize::from(*twice)].clone();
            return Err(GraphError::JointTwice { owner: owner.to_string(), joint });
        }
    }
    let rows = mask_of_branches(skeleton.parents(), default, branches)
        .map_err(|error| GraphError::Mask { mask: name.to_string(), error })?;
    let max = rows.iter().flat_map(|row| row.0).fold(0.0, f32::max);
    Ok(Mask { name: name.to_string(), rows, max })
}

/// Names of the nodes that a node reads, in order.
fn inputs(kind: &NodeKind) -> Vec<&str> {
    match kind {
        NodeKind::Clip(_) | NodeKind::Frame { .. } | NodeKind::SyncSpace(_) => Vec::new(),
        NodeKind::Follow { leader, .. } => vec![leader],
        NodeKind::Space(SpaceNode { inputs, .. })
        | NodeKind::Switch(SwitchNode { inputs, .. })
        | NodeKind::Partial(PartialNode { inputs, .. }) => inputs.iter().map(|input| &**input).collect(),
        NodeKind::Delta { source, reference: ReferenceDef::Rest } => vec![source],
        NodeKind::Delta { source, reference: ReferenceDef::Node(reference) } => vec![source, reference],
        NodeKind::Additive { base, deltas } => {
            [&**base].into_iter().chain(deltas.iter().map(|delta| &*delta.delta)).collect()
        }
        NodeKind::Layers { base, layers } => {
            [&**base].into_iter().chain(layers.iter().map(|layer| &*layer.node)).collect()
        }
        NodeKind::Machine(machine) => machine.states.iter().map(|state| &*state.node).collect(),
        NodeKind::Slot(slot) => vec![&slot.input],
    }
}

/// Nodes, inputs first, in the order in which they are read: those that reach the output, the output, and then the others.
fn order(def: &GraphDef, names: &Names<'_>) -> Result<Vec<usize>, GraphError> {
    let read = |node: &NodeDef| {
        inputs(&node.kind)
            .iter()
            .map(|input| find(&names.nodes, "node", &node.name, input))
            .collect::<Result<Vec<_>, _>>()
    };
    let reads = def.nodes.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let output = find(&names.nodes, "node", "", &def.output)?;
    let mut order = Vec::new();
    let (mut open, mut done) = (vec![false; reads.len()], vec![false; reads.len()]);
    // Depth first without recursion: people's files may be deep.
    for start in [output].into_iter().chain(0..reads.len()) {
        let mut path = vec![(start, 0)];
        while let Some((node, next)) = path.pop() {
            if done[node] {
                continue;
            }
            if next == 0 && std::mem::replace(&mut open[node], true) {
                return Err(GraphError::Cycle { node: def.nodes[node].name.clone() });
            }
            match reads[node].get(next) {
                Some(input) => path.extend([(node, next + 1), (*input, 0)]),
                None => {
                    done[node] = true;
                    order.push(node);
                }
            }
        }
    }
    Ok(order)
}

struct Compiler<'a> {
    def: &'a GraphDef,
    skeleton: &'a Skeleton,
    names: Names<'a>,
    tracks: Vec<Track>,
    /// Of each node of the definition its place in the order.
    place: Vec<u16>,
    masks: Vec<Mask>,
    nodes: Vec<Node>,
    /// Of each node so far those at and below it that have a state of their own.
    clocks: Vec<BTreeSet<u16>>,
}

impl Compiler<'_> {
    fn push(&mut self, node: &NodeDef) -> Result<(), GraphError> {
        let name = &*node.name;
        let at = self.nodes.len() as u16;
        let mut clocks = BTreeSet::new();
        for input in inputs(&node.kind) {
            clocks.extend(&self.clocks[usize::from(self.node(name, input)?)]);
        }
        let (op, is_delta) = self.op(name, &node.kind)?;
        if matches!(op, Op::Clip { .. } | Op::Sync(_) | Op::Switch(_) | Op::Machine(_)) {
            clocks.insert(at);
        }
        self.clocks.push(clocks);
        self.nodes.push(Node { op, is_delta, is_merged: false });
        Ok(())
    }

    fn finish(mut self, order: &[usize]) -> Result<Graph, GraphError> {
        let output = usize::from(self.node("", &self.def.output)?);
        self.nodes.truncate(output + 1);
        self.want_kind("", &self.def.output, false)?;
        let mut memory_count = 0;
        for node in &mut self.nodes {
            let (Op::Switch(Switch { policy, memory, .. }) | Op::Machine(Machine { policy, memory, .. })) =
                &mut node.op
            else {
                continue;
            };
            if *policy != FadePolicy::Book {
                *memory = Some(memory_count);
                memory_count += 1;
            }
        }
        merge(&mut self.nodes);
        let clips = self.def.clips.iter().zip(&self.tracks);
        let clip = |(clip, track): (&ClipDef, &Track)| {
            let playback = Playback::new(Tick::ZERO, clip.duration, Mode::Loop(Repeat::Forever));
            let whole =
                Timeline::new(playback, track).map_err(|error| GraphError::Clip { clip: clip.name.clone(), error })?;
            Ok(Clip { name: clip.name.clone(), whole })
        };
        let clips = clips.map(clip).collect::<Result<Vec<_>, GraphError>>()?;
        let event_weight_min = self.def.event_weight_min;
        if !(0.0..=1.0).contains(&event_weight_min) {
            let (node, what) = (String::new(), "least weight of events");
            return Err(GraphError::Range { node, what, value: event_weight_min });
        }
        let joint_count = self.skeleton.joint_count();
        Ok(Graph {
            names: order[..=output].iter().map(|node| self.def.nodes[*node].name.clone()).collect(),
            nodes: self.nodes,
            parameters: self.def.parameters.clone(),
            clips,
            masks: self.masks,
            rest: self.skeleton.rest_blocks(),
            identity: vec![JointBlock::IDENTITY; JointBlock::count_for(joint_count)],
            joint_count,
            event_weight_min,
            memory_count: usize::from(memory_count),
            root: None,
        })
    }

    fn node(&self, node: &str, name: &str) -> Result<u16, GraphError> {
        Ok(self.place[find(&self.names.nodes, "node", node, name)?])
    }

    fn clip(&self, node: &str, name: &str) -> Result<usize, GraphError> {
        find(&self.names.clips, "clip", node, name)
    }

    fn mask(&self, node: &str, name: &Option<String>) -> Result<Option<u16>, GraphError> {
        name.as_ref().map(|name| Ok(find(&self.names.masks, "mask", node, name)? as u16)).transpose()
    }

    fn parameter(&self, node: &str, name: &str) -> Result<u16, GraphError> {
        Ok(find(&self.names.parameters, "parameter", node, name)? as u16)
    }

    fn source(&self, node: &str, what: &'static str, value: &Value) -> Result<Source, GraphError> {
        match value {
            Value::Number(number) => Ok(Source::Number(finite(node, what, *number)?)),
            Value::Parameter(name) => Ok(Source::Parameter(self.parameter(node, name)?)),
        }
    }

    fn want_kind(&self, node: &str, input: &str, delta: bool) -> Result<u16, GraphError> {
        let place = self.node(node, input)?;
        let is_delta = self.nodes[usize::from(place)].is_delta;
        if is_delta == delta {
            return Ok(place);
        }
        let name = |delta: bool| if delta { "delta" } else { "pose" };
        Err(GraphError::Kind {
            node: node.to_string(),
            input: input.to_string(),
            is: name(is_delta),
            want: name(delta),
        })
    }

    /// Inputs that are all poses or all deltas, and which.
    fn alike<'n>(
        &self,
        node: &str,
        what: &'static str,
        inputs: impl Iterator<Item = &'n String>,
    ) -> Result<(Vec<u16>, bool), GraphError> {
        let mut places = Vec::new();
        let mut is_delta = None;
        for input in inputs {
            let place = self.node(node, input)?;
            let delta = *is_delta.get_or_insert(self.nodes[usize::from(place)].is_delta);
            places.push(self.want_kind(node, input, delta)?);
        }
        not_empty(node, what, places.len())?;
        Ok((places, is_delta == Some(true)))
    }

    fn op(&mut self, name: &str, kind: &NodeKind) -> Result<(Op, bool), GraphError> {
        let op = match kind {
            NodeKind::Clip(clip) => self.clip_op(name, clip)?,
            NodeKind::Frame { clip, at } => {
                let clip = self.clip(name, clip)?;
                Op::Frame { clip: clip as u16, at: ticks(name, "moment", *at, self.def.clips[clip].duration)? }
            }
            NodeKind::Follow { clip, leader } => {
                let clip = self.clip(name, clip)? as u16;
                let place = self.node(name, leader)?;
                let has_phase = match &self.nodes[usize::from(place)].op {
                    Op::Clip { timeline, .. } => timeline.length() > Tick::ZERO,
                    Op::Sync(_) => true,
                    _ => false,
                };
                if !has_phase {
                    return Err(GraphError::NoPhase { node: name.to_string(), leader: leader.clone() });
                }
                Op::Follow { clip, leader: place }
            }
            NodeKind::Space(SpaceNode { space, inputs }) => {
                let space = self.space(name, space)?;
                count(name, "inputs", inputs.len(), space.point_count())?;
                let (inputs, is_delta) = self.alike(name, "inputs", inputs.iter())?;
                return Ok((Op::Space { space, inputs: inputs.into() }, is_delta));
            }
            NodeKind::SyncSpace(node) => Op::Sync(self.sync_op(name, node)?),
            NodeKind::Switch(node) => return self.switch_op(name, node),
            NodeKind::Delta { source, reference } => {
                let source = self.want_kind(name, source, false)?;
                let reference = match reference {
                    ReferenceDef::Rest => None,
                    ReferenceDef::Node(node) => Some(self.want_kind(name, node, false)?),
                };
                return Ok((Op::Delta { source, reference }, true));
            }
            NodeKind::Additive { base, deltas } => {
                few(name, deltas.len())?;
                let delta = |delta: &DeltaInput| {
                    let node = self.want_kind(name, &delta.delta, true)?;
                    let alpha = self.source(name, "alpha", &delta.alpha)?;
                    Ok(Delta { node, alpha, mask: self.mask(name, &delta.mask)? })
                };
                let deltas = deltas.iter().map(delta).collect::<Result<_, GraphError>>()?;
                Op::Additive { base: self.want_kind(name, base, false)?, deltas }
            }
            NodeKind::Partial(node) => return self.partial_op(name, node),
            NodeKind::Layers { base, layers } => {
                let layer = |layer: &LayerDef| {
                    let node = self.want_kind(name, &layer.node, layer.mode == LayerMode::Additive)?;
                    let weight = self.source(name, "weight", &layer.weight)?;
                    Ok(Layer { node, weight, mask: self.mask(name, &layer.mask)?, mode: layer.mode })
                };
                let layers = layers.iter().map(layer).collect::<Result<_, GraphError>>()?;
                Op::Layers { base: self.want_kind(name, base, false)?, layers }
            }
            NodeKind::Machine(node) => return self.machine_op(name, node),
            NodeKind::Slot(SlotNode { input, mask, fade_in, fade_out }) => Op::Slot {
                input: self.want_kind(name, input, false)?,
                mask: self.mask(name, mask)?,
                fade_in: ticks(name, "fade", *fade_in, Fade::LENGTH_MAX)?,
                fade_out: ticks(name, "fade", *fade_out, Fade::LENGTH_MAX)?,
            },
        };
        Ok((op, false))
    }

    fn clip_op(&self, name: &str, node: &ClipNode) -> Result<Op, GraphError> {
        let clip = self.clip(name, &node.clip)?;
        let duration = self.def.clips[clip].duration;
        let (min, max) = node.window.unwrap_or((Tick::ZERO, duration));
        ticks(name, "window", min, duration)?;
        ticks(name, "window", max, duration)?;
        let phase = ticks(name, "phase", node.phase.unwrap_or(min), duration)?;
        let (reverse, at_end) = (node.reverse, node.at_end);
        let phase = Position::of_tick(phase);
        let playback = Playback { min, max, mode: node.mode, reverse, at_end, phase };
        let timeline = Timeline::new(playback, &self.tracks[clip]).map_err(|error| time(name, error))?;
        let speed = self.source(name, "speed", &node.speed)?;
        Ok(Op::Clip { clip: clip as u16, timeline: Box::new(timeline), speed })
    }

    fn space(&self, name: &str, def: &SpaceDef) -> Result<Space, GraphError> {
        let source = |value: &Value| self.source(name, "parameter", value);
        let node = || name.to_string();
        Space::new(def, source)?.map_err(|fault| match fault {
            SpaceFault::Empty => GraphError::Empty { node: node(), what: "points" },
            SpaceFault::Range(value) => GraphError::Range { node: node(), what: "place", value },
            SpaceFault::Same(first, second) => GraphError::SamePoint { node: node(), first, second },
            SpaceFault::Order(axis, index) => GraphError::GridOrder { node: node(), axis, index },
        })
    }

    fn sync_op(&self, name: &str, node: &SyncSpaceNode) -> Result<Sync, GraphError> {
        let space = self.space(name, &node.space)?;
        count(name, "clips", node.clips.len(), space.point_count())?;
        let (mut clips, mut members) = (Vec::new(), Vec::new());
        for clip in &node.clips {
            let clip = self.clip(name, clip)? as u16;
            let member = clips.iter().position(|other| *other == clip).unwrap_or(clips.len());
            if member == clips.len() {
                clips.push(clip);
            }
            members.push(member as u16);
        }
        let labels: BTreeSet<&str> =
            self.def.clips.iter().flat_map(|clip| clip.markers.iter().map(|marker| &*marker.name)).collect();
        let labels: BTreeMap<&str, u32> = labels.into_iter().zip(0..).collect();
        let mut lengths = Vec::new();
        let mut group = Vec::new();
        for clip in &clips {
            let (clip, track) = (&self.def.clips[usize::from(*clip)], &self.tracks[usize::from(*clip)]);
            let playback = Playback::new(Tick::ZERO, clip.duration, Mode::Loop(Repeat::Forever));
            let timeline = Timeline::new(playback, track).map_err(|error| time(name, error))?;
            let marker = |marker: &MarkerDef| Marker { at: marker.at, label: labels[&*marker.name] };
            let markers = if node.by_markers { clip.markers.iter().map(marker).collect() } else { Vec::new() };
            lengths.push(clip.duration);
            group.push(SyncMember { timeline, markers });
        }
        if clips.len() > SYNC_CLIPS_MAX {
            return Err(GraphError::TooMany { node: name.to_string(), count: clips.len(), max: SYNC_CLIPS_MAX });
        }
        let group = SyncGroup::new(group).map_err(|error| time(name, error))?;
        let (shortest, longest) = (lengths.iter().min().copied(), lengths.iter().max().copied());
        if let (Some(shortest), Some(longest)) = (shortest, longest)
            && longest.0 / shortest.0.max(1) > LENGTH_RATIO_MAX
        {
            let what = "the longest clip of one phase, against the shortest,";
            return Err(GraphError::Ticks { node: name.to_string(), what, ticks: longest.0 });
        }
        let speed = self.source(name, "speed", &node.speed)?;
        Ok(Sync { space, members: members.into(), clips: clips.into(), group, pace: node.pace, speed })
    }

    fn choices(&self, inputs: &[u16]) -> Box<[Choice]> {
        let clocks = |node: u16| self.clocks[usize::from(node)].iter().copied().collect();
        inputs.iter().map(|&node| Choice { node, clocks: clocks(node) }).collect()
    }

    fn switch_op(&self, name: &str, node: &SwitchNode) -> Result<(Op, bool), GraphError> {
        let (inputs, is_delta) = self.alike(name, "inputs", node.inputs.iter())?;
        let all = inputs.len();
        let lengths: Vec<Tick> = match &node.fade {
            FadeTimes::All(length) => vec![*length; all * all],
            FadeTimes::To(lengths) => {
                count(name, "fades", lengths.len(), all)?;
                lengths.repeat(all)
            }
            FadeTimes::FromTo(rows) => {
                count(name, "rows of fades", rows.len(), all)?;
                rows.iter().try_for_each(|row| count(name, "fades of a row", row.len(), all))?;
                rows.concat()
            }
        };
        let fades = lengths.iter().map(|length| fade(name, *length, node.ease)).collect::<Result<_, _>>()?;
        let index = self.source(name, "index", &node.index)?;
        let inputs = self.choices(&inputs);
        Ok((Op::Switch(Switch { index, inputs, fades, policy: node.policy, memory: None }), is_delta))
    }

    fn partial_op(&mut self, name: &str, node: &PartialNode) -> Result<(Op, bool), GraphError> {
        let (inputs, is_delta) = self.alike(name, "inputs", node.inputs.iter())?;
        few(name, inputs.len())?;
        let mut parts = Vec::new();
        match &node.weights {
            PartialWeights::Masks(weights) => {
                count(name, "weights", weights.len(), inputs.len())?;
                for (&node, (weight, mask)) in inputs.iter().zip(weights) {
                    let weight = self.source(name, "weight", weight)?;
                    parts.push(Part { node, weight, mask: self.mask(name, mask)? });
                }
            }
            PartialWeights::Joints(joints) => {
                let owner = format!("node \"{name}\"");
                let mut shares = Vec::new();
                for (joint_name, weights) in joints {
                    count(name, "weights of a joint", weights.len(), inputs.len())?;
                    let sum: f32 = weights.iter().sum();
                    let bad = weights.iter().copied().find(|weight| !(*weight >= 0.0));
                    if let Some(value) = bad.or((!(sum > 0.0 && sum.is_finite())).then_some(sum)) {
                        return Err(GraphError::Range { node: name.to_string(), what: "weight", value });
                    }
                    shares.push((joint(&owner, self.skeleton, joint_name)?, sum, weights));
                }
                for (input, &node) in inputs.iter().enumerate() {
                    let branches: Vec<(u16, f32)> =
                        shares.iter().map(|(joint, sum, weights)| (*joint, weights[input] / sum)).collect();
                    let default = if input == 0 { 1.0 } else { 0.0 };
                    let own = format!("{name}/{}", self.def.nodes[self.names.nodes[name]].kind.input_name(input));
                    parts.push(Part { node, weight: Source::Number(1.0), mask: Some(self.masks.len() as u16) });
                    self.masks.push(branch_mask(&own, &owner, self.skeleton, default, &branches)?);
                }
            }
        }
        Ok((Op::Partial { inputs: parts.into(), mode: node.mode }, is_delta))
    }

    fn machine_op(&self, name: &str, node: &MachineNode) -> Result<(Op, bool), GraphError> {
        let states = names("state", node.states.iter().map(|state| &*state.name))?;
        let state = |wanted: &str| Ok(find(&states, "state", name, wanted)? as u16);
        let (inputs, is_delta) = self.alike(name, "states", node.states.iter().map(|state| &state.node))?;
        let transition = |transition: &TransitionDef| {
            Ok(Transition {
                from: transition.from.as_deref().map(state).transpose()?,
                to: state(&transition.to)?,
                condition: self.test(name, &transition.condition)?,
                fade: fade(name, transition.fade, node.ease)?.length(),
                interruptible: transition.interruptible,
                enter: transition.enter,
            })
        };
        let mut by_priority: Vec<&TransitionDef> = node.transitions.iter().collect();
        by_priority.sort_by_key(|transition| std::cmp::Reverse(transition.priority));
        let transitions = by_priority.into_iter().map(transition).collect::<Result<_, GraphError>>()?;
        let machine = Machine {
            names: node.states.iter().map(|state| state.name.clone()).collect(),
            states: self.choices(&inputs),
            initial: state(&node.initial)?,
            transitions,
            policy: node.policy,
            memory: None,
            ease: node.ease,
        };
        Ok((Op::Machine(machine), is_delta))
    }

    fn test(&self, name: &str, condition: &Condition) -> Result<Test, GraphError> {
        let all = |conditions: &[Condition]| -> Result<Box<[Test]>, GraphError> {
            conditions.iter().map(|condition| self.test(name, condition)).collect()
        };
        Ok(match condition {
            Condition::Always => Test::Always,
            Condition::Compare { parameter, is, than } => Test::Compare {
                parameter: self.parameter(name, parameter)?,
                is: *is,
                than: finite(name, "number of a condition", *than)?,
            },
            Condition::TimeLeft { below } => {
                Test::TimeLeft { below: ticks(name, "time left", *below, Tick(i64::MAX))? }
            }
            Condition::And(conditions) => Test::And(all(conditions)?),
            Condition::Or(conditions) => Test::Or(all(conditions)?),
            Condition::Not(condition) => Test::Not(Box::new(self.test(name, condition)?)),
        })
    }
}

impl NodeKind {
    fn input_name(&self, input: usize) -> &str {
        inputs(self)[input]
    }
}

fn time(node: &str, error: TimeError) -> GraphError {
    GraphError::Time { node: node.to_string(), error }
}

fn fade(node: &str, length: Tick, ease: Ease) -> Result<Fade, GraphError> {
    Fade::new(Tick::ZERO, length, ease).map_err(|error| time(node, error))
}

/// Marks spaces whose inputs a space above takes for its own. A mean of means is one mean of all with the weights multiplied, but
/// for rotations, which are then brought to length one once instead of at every node; the difference is second order in their angles.
fn merge(nodes: &mut [Node]) {
    let mut readers = vec![0; nodes.len()];
    for node in nodes.iter() {
        each_read(&node.op, |input| readers[usize::from(input)] += 1);
    }
    // The most inputs that have weight at once.
    let mut fans = vec![1; nodes.len()];
    for at in 0..nodes.len() {
        let Op::Space { inputs, .. } = nodes[at].op.clone() else { continue };
        let space = |input: &u16| matches!(nodes[usize::from(*input)].op, Op::Space { .. });
        let own: Vec<u16> =
            inputs.iter().copied().filter(|input| space(input) && readers[usize::from(*input)] == 1).collect();
        let widest = own.iter().map(|input| fans[usize::from(*input)]).max().unwrap_or(1);
        fans[at] = Corners::MAX;
        if Corners::MAX * widest <= LAYERS_MAX {
            fans[at] = Corners::MAX * widest;
            own.iter().for_each(|input| nodes[usize::from(*input)].is_merged = true);
        }
    }
}

fn each_read(op: &Op, mut visit: impl FnMut(u16)) {
    match op {
        Op::Clip { .. } | Op::Frame { .. } | Op::Sync(_) => {}
        Op::Follow { leader, .. } => visit(*leader),
        Op::Space { inputs, .. } => inputs.iter().for_each(|input| visit(*input)),
        Op::Switch(switch) => switch.inputs.iter().for_each(|input| visit(input.node)),
        Op::Machine(machine) => machine.states.iter().for_each(|state| visit(state.node)),
        Op::Delta { source, reference } => [*source].into_iter().chain(*reference).for_each(visit),
        Op::Additive { base, deltas } => {
            [*base].into_iter().chain(deltas.iter().map(|delta| delta.node)).for_each(visit);
        }
        Op::Partial { inputs, .. } => inputs.iter().for_each(|input| visit(input.node)),
        Op::Layers { base, layers } => {
            [*base].into_iter().chain(layers.iter().map(|layer| layer.node)).for_each(visit);
        }
        Op::Slot { input, .. } => visit(*input),
    }
}
