//! Compile: from names to numbers. What is checked here is trusted by everything after.

mod change;
mod check;
mod mask;
mod merge;
mod names;
mod op;
mod order;
mod partial;
mod sync;

use std::collections::BTreeSet;

use stillframe_base::tick::Tick;

use self::check::{finite, not_empty, ticks};
use self::mask::compile_mask;
use self::merge::merge;
use self::names::{Names, find, names};
use self::order::{inputs, order};
use super::def::*;
use super::node::{Clip, Kind, Machine, Mask, Node, Op, Switch};
use super::source::Source;
use super::{Graph, GraphError};
use crate::pose::JointBlock;
use crate::sample::Skeleton;
use crate::time::{Mode, Playback, Repeat, Timeline, Track};

/// The longest clip, 27 hours.
const DURATION_MAX: Tick = Tick(1 << 46);

/// Parts of the least weight of events by which a sum of rounded shares may miss it.
const WEIGHT_ERROR: f32 = 1e-5;

impl Graph {
    /// Checks a definition and makes a graph of the nodes that reach its output. Joints of masks are those of
    /// `skeleton`.
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

/// The events of a clip.
fn track(clip: &ClipDef) -> Result<Track, GraphError> {
    ticks(&clip.name, "duration", clip.duration, DURATION_MAX)?;
    Track::new(Tick::ZERO, clip.duration, clip.events.clone())
        .map_err(|error| GraphError::Clip { clip: clip.name.clone(), error })
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
        let (op, kind) = self.op(name, &node.kind)?;
        if matches!(op, Op::Clip { .. } | Op::Sync(_) | Op::Switch(_) | Op::Machine(_)) {
            clocks.insert(at);
        }
        self.clocks.push(clocks);
        self.nodes.push(Node { op, kind, is_merged: false, followers: Box::default() });
        Ok(())
    }

    fn finish(mut self, order: &[usize]) -> Result<Graph, GraphError> {
        let output = usize::from(self.node("", &self.def.output)?);
        self.nodes.truncate(output + 1);
        self.want("", &self.def.output, Kind::Pose)?;
        let mut followers = vec![Vec::new(); self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            if let Op::Follow { leader, .. } = node.op {
                followers[usize::from(leader)].push(at as u16);
            }
        }
        let mut memory_count = 0;
        for (node, followers) in self.nodes.iter_mut().zip(followers) {
            node.followers = followers.into();
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
            parents: self.skeleton.parents().to_vec(),
            identity: vec![JointBlock::IDENTITY; JointBlock::count_for(joint_count)],
            joint_count,
            // Weights are sums of rounded shares: what is whole in the mathematics is whole here.
            event_weight_min: event_weight_min * (1.0 - WEIGHT_ERROR),
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

    fn want(&self, node: &str, input: &str, want: Kind) -> Result<u16, GraphError> {
        let place = self.node(node, input)?;
        let is = self.nodes[usize::from(place)].kind;
        if is == want {
            return Ok(place);
        }
        // Where both are deltas their spaces tell them apart.
        let (is, want) = if is.word() == want.word() { (is.words(), want.words()) } else { (is.word(), want.word()) };
        Err(GraphError::Kind { node: node.to_string(), input: input.to_string(), is, want })
    }

    /// A delta of either space.
    fn want_delta(&self, node: &str, input: &str) -> Result<u16, GraphError> {
        match self.nodes[usize::from(self.node(node, input)?)].kind {
            kind @ Kind::Delta(_) => self.want(node, input, kind),
            Kind::Pose => self.want(node, input, Kind::Delta(DeltaSpace::Local)),
        }
    }

    /// Inputs that are all of one kind, and which.
    fn alike<'n>(
        &self,
        node: &str,
        what: &'static str,
        inputs: impl Iterator<Item = &'n String>,
    ) -> Result<(Vec<u16>, Kind), GraphError> {
        let mut places = Vec::new();
        let mut kind = None;
        for input in inputs {
            let place = self.node(node, input)?;
            let kind = *kind.get_or_insert(self.nodes[usize::from(place)].kind);
            places.push(self.want(node, input, kind)?);
        }
        not_empty(node, what, places.len())?;
        Ok((places, kind.unwrap_or(Kind::Pose)))
    }
}
