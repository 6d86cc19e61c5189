//! Evaluate: the pose that a state shows.
//!
//! Nodes come in the order of their list, each once; those that nobody reads are left out, and a node that only hands a
//! pose on makes no copy. Poses lie in a pool of buffers, which are given back after their last reader.

use std::fmt;

use stillframe_base::lanes::Isa;
use stillframe_base::tick::Tick;

use super::limit::bounded;
use super::memory::PoseMemory;
use super::node::{Delta, Kind, Layer, Op, Sync};
use super::partial::{PartJob, blend_parts};
use super::state::{Change, NodeState};
use super::weigh::Of;
use super::{DeltaSpace, FadePolicy, Graph, GraphState, LayerMode, PartialMode};
use crate::pose::{
    AddDeltas, AddMeshDeltas, Blend, BlendLayer, DeltaLayer, DeltaReference, JointBlock, LAYERS_MAX, MakeDelta,
    MakeMeshDelta, MaskedBlend, MaskedLayer,
};
use crate::sample::{Sample, UniformClip};
use crate::time::Weight;

/// Where a graph's clip has its poses from.
#[derive(Clone, Copy)]
pub enum ClipSource<'a> {
    Uniform(&'a UniformClip),
    /// One pose, whatever the time.
    Pose(&'a [JointBlock]),
    /// Whatever gives a pose for a moment of the clip, the same one each time: compressed clips, keys themselves.
    Function(&'a (dyn Fn(Tick, &mut [JointBlock]) + std::marker::Sync)),
}

impl fmt::Debug for ClipSource<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ClipSource::Uniform(_) => "Uniform",
            ClipSource::Pose(_) => "Pose",
            ClipSource::Function(_) => "Function",
        })
    }
}

impl ClipSource<'_> {
    fn sample(self, isa: Isa, at: Tick, out: &mut [JointBlock]) {
        match self {
            ClipSource::Uniform(clip) => Sample { isa, clip, at, out }.run(),
            ClipSource::Pose(pose) => out.copy_from_slice(pose),
            ClipSource::Function(pose) => pose(at, out),
        }
    }
}

/// Room for evaluations, of any number of characters one after the other. Holds nothing between two of them.
#[derive(Clone, Debug)]
pub struct GraphScratch {
    buffers: Vec<Vec<JointBlock>>,
    free: Vec<u16>,
    /// Of each buffer how many still read it.
    readers: Vec<u32>,
    /// Of each node how many read it, and the buffer that holds its pose.
    needs: Vec<u32>,
    place: Vec<u16>,
}

impl GraphScratch {
    pub fn new(graph: &Graph) -> GraphScratch {
        let count = graph.nodes.len();
        // Nodes hold at most one buffer each while they are read; one node may hold some more while it works.
        let buffer_count = count + LAYERS_MAX + 2;
        GraphScratch {
            buffers: vec![vec![JointBlock::IDENTITY; graph.block_count()]; buffer_count],
            free: (0..buffer_count as u16).rev().collect(),
            readers: vec![0; buffer_count],
            needs: vec![0; count],
            place: vec![0; count],
        }
    }

    fn take(&mut self) -> u16 {
        self.free.pop().unwrap_or_else(|| unreachable!("there is a buffer for every node and some more"))
    }

    fn pose(&self, buffer: u16) -> &[JointBlock] {
        &self.buffers[usize::from(buffer)]
    }

    fn of(&self, node: u16) -> &[JointBlock] {
        self.pose(self.place[usize::from(node)])
    }

    /// Writes a free buffer while others are read.
    fn write(&mut self, work: impl FnOnce(&GraphScratch, &mut [JointBlock])) -> u16 {
        let buffer = self.take();
        let mut out = std::mem::take(&mut self.buffers[usize::from(buffer)]);
        work(self, &mut out);
        self.buffers[usize::from(buffer)] = out;
        buffer
    }

    /// One reader of a node less.
    fn release(&mut self, node: u16) {
        let buffer = self.place[usize::from(node)];
        let readers = &mut self.readers[usize::from(buffer)];
        *readers -= 1;
        if *readers == 0 {
            self.free.push(buffer);
        }
    }
}

impl Graph {
    /// Writes the local pose that `state` shows now. Shown twice, or not at all, it is the same state for everything
    /// but what switches and machines remember of poses shown.
    ///
    /// Shapes: `clips` are those of the definition, in its order, for the graph's skeleton; `out` has the graph's
    ///         blocks.
    /// Panics where these differ, or `scratch` is another graph's.
    pub fn evaluate(
        &self,
        isa: Isa,
        state: &mut GraphState,
        clips: &[ClipSource<'_>],
        scratch: &mut GraphScratch,
        out: &mut [JointBlock],
    ) {
        assert_eq!(clips.len(), self.clips.len(), "a source a clip");
        assert_eq!(out.len(), self.rest.len(), "blocks of the pose");
        assert_eq!(scratch.needs.len(), self.nodes.len(), "the scratch of this graph");
        let mut memories = std::mem::take(&mut state.memories);
        let output = self.nodes.len() - 1;
        scratch.needs.fill(0);
        scratch.needs[output] = 1;
        for node in (0..=output).rev() {
            if scratch.needs[node] > 0 {
                let mut needs = std::mem::take(&mut scratch.needs);
                self.reads(node, state, |input| needs[usize::from(input)] += 1);
                scratch.needs = needs;
            }
        }
        let mut pass = Pass { graph: self, isa, state, clips, scratch, memories: &mut memories };
        for node in 0..=output {
            if pass.scratch.needs[node] > 0 && !self.nodes[node].is_merged {
                pass.node(node);
            }
        }
        out.copy_from_slice(scratch.of(output as u16));
        scratch.release(output as u16);
        state.memories = memories;
    }

    /// The inputs whose poses a node's pose is made of now.
    fn reads(&self, node: usize, state: &GraphState, mut visit: impl FnMut(u16)) {
        match &self.nodes[node].op {
            Op::Follow { .. } => {}
            Op::Delta { source, reference, space: _ } => [*source].into_iter().chain(*reference).for_each(visit),
            // What is below a layer shows through it, or is read all the same.
            Op::Layers { base, layers } => {
                visit(*base);
                layers.iter().filter(|layer| self.layer_weight(layer, state) > 0.0).for_each(|layer| visit(layer.node));
            }
            Op::Slot { input, .. } => visit(*input),
            _ => self.shares(node, state, state.time, Of::Any, |input, share| {
                if share > 0.0 {
                    visit(input);
                }
            }),
        }
    }

    fn layer_weight(&self, layer: &Layer, state: &GraphState) -> f32 {
        layer.weight.share(&state.parameters) * layer.mask.map_or(1.0, |mask| self.masks[usize::from(mask)].max)
    }
}

/// An evaluation under way.
struct Pass<'a> {
    graph: &'a Graph,
    isa: Isa,
    state: &'a GraphState,
    clips: &'a [ClipSource<'a>],
    scratch: &'a mut GraphScratch,
    memories: &'a mut [PoseMemory],
}

/// Poses and weights of one blend.
struct Layers<'a> {
    layers: [BlendLayer<'a>; LAYERS_MAX],
    count: usize,
}

impl<'a> Layers<'a> {
    const NONE: Layers<'a> = Layers { layers: [BlendLayer { pose: &[], weight: 0.0 }; LAYERS_MAX], count: 0 };

    fn push(&mut self, pose: &'a [JointBlock], weight: f32) {
        self.layers[self.count] = BlendLayer { pose, weight };
        self.count += 1;
    }

    fn blend(&self, isa: Isa, out: &mut [JointBlock]) {
        let layers = &self.layers[..self.count];
        let rest = layers.first().map_or(&[][..], |first| first.pose);
        Blend { isa, layers, rest, threshold: 0.0, out }.run();
    }
}

impl Pass<'_> {
    /// Makes the pose of a node, whose inputs have theirs.
    fn node(&mut self, node: usize) {
        let (graph, state, isa, clips) = (self.graph, self.state, self.isa, self.clips);
        let scratch = &mut *self.scratch;
        let mask = |mask: Option<u16>| mask.map(|mask| &*graph.masks[usize::from(mask)].rows);
        let rest = if graph.nodes[node].kind == Kind::Pose { &graph.rest } else { &graph.identity };
        let buffer = match &graph.nodes[node].op {
            Op::Clip { clip, timeline, .. } => {
                let NodeState::Clip(controller) = &state.nodes[node] else { unreachable!("a clip has a clock") };
                let at = controller.local(timeline).tick();
                scratch.write(|_, out| clips[usize::from(*clip)].sample(isa, at, out))
            }
            Op::Frame { clip, at } => scratch.write(|_, out| clips[usize::from(*clip)].sample(isa, *at, out)),
            Op::Follow { clip, leader, .. } => {
                let at = graph.follow(state, *clip, usize::from(*leader));
                scratch.write(|_, out| clips[usize::from(*clip)].sample(isa, at, out))
            }
            Op::Space { .. } => {
                let mut single = None;
                let mut count = 0;
                graph.gather(state, node, 1.0, &mut |input, _| {
                    single = Some(input);
                    count += 1;
                });
                match single {
                    Some(input) if count == 1 => scratch.place[usize::from(input)],
                    _ => scratch.write(|scratch, out| {
                        let mut layers = Layers::NONE;
                        graph.gather(state, node, 1.0, &mut |input, weight| layers.push(scratch.of(input), weight));
                        layers.blend(isa, out);
                    }),
                }
            }
            Op::Sync(sync) => self.sync(node, sync),
            Op::Switch(switch) => {
                let input = |i: u16| switch.inputs[usize::from(i)].node;
                self.change(*state.change(node), switch.policy, switch.memory, input)
            }
            Op::Machine(machine) => {
                let input = |i: u16| machine.states[usize::from(i)].node;
                self.change(*state.change(node), machine.policy, machine.memory, input)
            }
            Op::Delta { source, reference, space } => scratch.write(|scratch, out| {
                let reference = DeltaReference::Pose(reference.map_or(&graph.rest, |reference| scratch.of(reference)));
                let (frames, frame_blocks) = (scratch.of(*source), out.len());
                match space {
                    DeltaSpace::Local => {
                        MakeDelta { isa, frames, frame_blocks, reference, present: None, out }.run();
                    }
                    DeltaSpace::Mesh => {
                        MakeMeshDelta { isa, parents: &graph.parents, frames, reference, out }.run();
                    }
                }
            }),
            Op::Additive { base, deltas } => self.additive(*base, deltas),
            Op::Partial { inputs, mode } => scratch.write(|scratch, out| {
                let none = MaskedLayer { pose: rest, weight: 0.0, mask: None };
                let mut layers = [none; LAYERS_MAX];
                let mut count = 0;
                for part in inputs {
                    let weight = part.weight.value(&state.parameters);
                    if weight * part.mask.map_or(1.0, |own| graph.masks[usize::from(own)].max) > 0.0 {
                        layers[count] = MaskedLayer { pose: scratch.of(part.node), weight, mask: mask(part.mask) };
                        count += 1;
                    }
                }
                let layers = &layers[..count];
                match mode {
                    PartialMode::WeightedNlerp => MaskedBlend { isa, layers, rest, threshold: 0.0, out }.run(),
                    mode => blend_parts(&PartJob { mode: *mode, layers, rest, joint_count: graph.joint_count }, out),
                }
            }),
            Op::Layers { base, layers } => self.layers(*base, layers),
            Op::Slot { input, mask, .. } => self.slot(node, *input, *mask),
        };
        let scratch = &mut *self.scratch;
        scratch.place[node] = buffer;
        scratch.readers[usize::from(buffer)] += scratch.needs[node];
        self.release_inputs(node);
    }

    /// Gives back what a node has read; a merged input has read for it.
    fn release_inputs(&mut self, node: usize) {
        let (graph, state) = (self.graph, self.state);
        let scratch = &mut *self.scratch;
        if matches!(graph.nodes[node].op, Op::Space { .. }) {
            graph.gather(state, node, 1.0, &mut |input, _| scratch.release(input));
        } else {
            graph.reads(node, state, |input| scratch.release(input));
        }
    }

    fn sync(&mut self, node: usize, sync: &Sync) -> u16 {
        let NodeState::Sync(clock) = &self.state.nodes[node] else { unreachable!("a sync space has a clock") };
        let (isa, clips) = (self.isa, self.clips);
        let scratch = &mut *self.scratch;
        let shares = sync.shares(&self.state.parameters);
        let mut buffers = [(0, 0.0); super::space::Corners::MAX];
        let mut count = 0;
        for (member, share) in shares.iter() {
            let position = bounded(sync.group.position(clock, member));
            let at = sync.group.timeline(member).local(position).tick();
            let clip = clips[usize::from(sync.clips[member])];
            buffers[count] = (scratch.write(|_, out| clip.sample(isa, at, out)), share);
            count += 1;
        }
        let buffers = &buffers[..count];
        if let [(only, _)] = buffers {
            return *only;
        }
        let blended = scratch.write(|scratch, out| {
            let mut layers = Layers::NONE;
            buffers.iter().for_each(|(buffer, share)| layers.push(scratch.pose(*buffer), *share));
            layers.blend(isa, out);
        });
        scratch.free.extend(buffers.iter().map(|(buffer, _)| *buffer));
        blended
    }

    /// The pose of a switch or a machine.
    fn change(&mut self, change: Change, policy: FadePolicy, memory: Option<u16>, input: impl Fn(u16) -> u16) -> u16 {
        let (isa, at) = (self.isa, self.state.time);
        let scratch = &mut *self.scratch;
        let Some(memory) = memory else {
            debug_assert_eq!(policy, FadePolicy::Book);
            let weight = change.fade.map_or(Weight::ONE, |fade| fade.weight(at));
            if weight == Weight::ZERO || weight == Weight::ONE {
                let shown = if weight == Weight::ZERO { change.last } else { change.current };
                return scratch.place[usize::from(input(shown))];
            }
            return scratch.write(|scratch, out| {
                let mut layers = Layers::NONE;
                layers.push(scratch.of(input(change.last)), weight.rest().value());
                layers.push(scratch.of(input(change.current)), weight.value());
                layers.blend(isa, out);
            });
        };
        let memory = &mut self.memories[usize::from(memory)];
        let target = scratch.place[usize::from(input(change.current))];
        memory.begin(scratch.pose(target));
        let shown = if memory.is_fading(at) {
            scratch.write(|scratch, out| memory.show(isa, at, scratch.pose(target), out))
        } else {
            target
        };
        memory.remember(at, scratch.pose(shown));
        shown
    }

    /// Deltas that come one after the other and are of one space are added at once.
    fn additive(&mut self, base: u16, deltas: &[Delta]) -> u16 {
        let (graph, state, isa) = (self.graph, self.state, self.isa);
        let scratch = &mut *self.scratch;
        let below_all = scratch.place[usize::from(base)];
        let mut below = below_all;
        for run in
            deltas.chunk_by(|a, b| graph.nodes[usize::from(a.node)].kind == graph.nodes[usize::from(b.node)].kind)
        {
            let above = scratch.write(|scratch, out| {
                let none = DeltaLayer { delta: &graph.identity, weight: 0.0, mask: None };
                let mut layers = [none; LAYERS_MAX];
                let mut count = 0;
                for Delta { node, alpha, mask } in run {
                    let weight = alpha.share(&state.parameters);
                    if weight * mask.map_or(1.0, |own| graph.masks[usize::from(own)].max) > 0.0 {
                        let mask = mask.map(|own| &*graph.masks[usize::from(own)].rows);
                        layers[count] = DeltaLayer { delta: scratch.of(*node), weight, mask };
                        count += 1;
                    }
                }
                graph.add(isa, run[0].node, scratch.pose(below), &layers[..count], out);
            });
            if below != below_all {
                scratch.free.push(below);
            }
            below = above;
        }
        below
    }

    fn layers(&mut self, base: u16, layers: &[Layer]) -> u16 {
        let (graph, state, isa) = (self.graph, self.state, self.isa);
        let scratch = &mut *self.scratch;
        let below_all = scratch.place[usize::from(base)];
        let mut below = below_all;
        for layer in layers.iter().filter(|layer| graph.layer_weight(layer, state) > 0.0) {
            let weight = layer.weight.share(&state.parameters);
            let mask = layer.mask.map(|mask| &*graph.masks[usize::from(mask)].rows);
            let above = scratch.write(|scratch, out| {
                let (pose, rest) = (scratch.of(layer.node), scratch.pose(below));
                match layer.mode {
                    // Where the layer has not all the weight, what is below fills up.
                    LayerMode::Override => {
                        MaskedBlend { isa, layers: &[MaskedLayer { pose, weight, mask }], rest, threshold: 1.0, out }
                            .run();
                    }
                    LayerMode::Additive => {
                        graph.add(isa, layer.node, rest, &[DeltaLayer { delta: pose, weight, mask }], out);
                    }
                }
            });
            if below != below_all {
                scratch.free.push(below);
            }
            below = above;
        }
        below
    }

    fn slot(&mut self, node: usize, input: u16, mask: Option<u16>) -> u16 {
        let (graph, state, isa, clips) = (self.graph, self.state, self.isa, self.clips);
        let scratch = &mut *self.scratch;
        let below = scratch.place[usize::from(input)];
        let mut buffers = [(0, 0.0); super::state::SLOT_CLIPS_MAX];
        let mut count = 0;
        for playing in state.slot(node).iter().flatten() {
            let weight = playing.weight(state.time);
            if weight > Weight::ZERO {
                let timeline = &graph.clips[usize::from(playing.clip)].whole;
                let at = playing.at(timeline);
                let clip = clips[usize::from(playing.clip)];
                buffers[count] = (scratch.write(|_, out| clip.sample(isa, at, out)), weight.value());
                count += 1;
            }
        }
        let buffers = &buffers[..count];
        if buffers.is_empty() {
            return below;
        }
        let shown = scratch.write(|scratch, out| {
            let rest = scratch.pose(below);
            let mut layers = [MaskedLayer { pose: rest, weight: 0.0, mask: None }; super::state::SLOT_CLIPS_MAX];
            for (layer, (buffer, weight)) in layers.iter_mut().zip(buffers) {
                let mask = mask.map(|mask| &*graph.masks[usize::from(mask)].rows);
                *layer = MaskedLayer { pose: scratch.pose(*buffer), weight: *weight, mask };
            }
            MaskedBlend { isa, layers: &layers[..count], rest, threshold: 1.0, out }.run();
        });
        scratch.free.extend(buffers.iter().map(|(buffer, _)| *buffer));
        shown
    }
}

impl Graph {
    /// Adds deltas of the space that a node's are of.
    fn add(&self, isa: Isa, node: u16, base: &[JointBlock], deltas: &[DeltaLayer<'_>], out: &mut [JointBlock]) {
        match self.nodes[usize::from(node)].kind {
            Kind::Delta(DeltaSpace::Local) => AddDeltas { isa, base, deltas, out }.run(),
            Kind::Delta(DeltaSpace::Mesh) => AddMeshDeltas { isa, parents: &self.parents, base, deltas, out }.run(),
            Kind::Pose => unreachable!("compiling has checked that deltas are added"),
        }
    }

    /// The inputs of a space and of those merged into it, and the weight of each.
    fn gather(&self, state: &GraphState, node: usize, weight: f32, visit: &mut dyn FnMut(u16, f32)) {
        let Op::Space { space, inputs } = &self.nodes[node].op else { unreachable!("only spaces are merged") };
        for (point, share) in space.corners(&state.parameters).iter() {
            let input = inputs[point];
            if self.nodes[usize::from(input)].is_merged {
                self.gather(state, usize::from(input), weight * share, visit);
            } else {
                visit(input, weight * share);
            }
        }
    }

    /// The moment of a clip that stands at the leader's share of its length, rounded down to a tick.
    pub(super) fn follow(&self, state: &GraphState, clip: u16, leader: usize) -> Tick {
        let length = i128::from(self.clips[usize::from(clip)].whole.length().0);
        self.phase(state, leader).map_or(Tick::ZERO, |phase| Tick(phase.of(length) as i64))
    }
}
