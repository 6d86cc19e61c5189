//! Describe: graphs and states as text, the same on every machine.

use std::fmt::Write;

use stillframe_base::tick::Tick;

use super::node::{Node, Op};
use super::source::Source;
use super::space::Space;
use super::state::NodeState;
use super::{DeltaSpace, Graph, GraphState};
use crate::time::{Controller, Timeline};

impl Graph {
    /// A line a node, in the order of evaluation: its name, what it is, what it reads.
    pub fn describe(&self) -> String {
        let mut text = String::new();
        for (name, node) in self.names.iter().zip(&self.nodes) {
            let _ = writeln!(text, "{name}: {}", self.describe_node(node));
        }
        text
    }

    fn describe_node(&self, node: &Node) -> String {
        let name = |node: &u16| self.names[usize::from(*node)].clone();
        let list = |nodes: &mut dyn Iterator<Item = u16>| {
            nodes.map(|node| self.names[usize::from(node)].clone()).collect::<Vec<_>>().join(" ")
        };
        let clip = |clip: &u16| self.clips[usize::from(*clip)].name.clone();
        let masked = |mask: &Option<u16>| {
            mask.map_or(String::new(), |mask| format!(" in {}", self.masks[usize::from(mask)].name))
        };
        let source = |value: &Source| self.describe_source(*value);
        let mut text = match &node.op {
            Op::Clip { clip: own, timeline, speed } => {
                let playback = timeline.playback();
                let (min, max) = (seconds(playback.min), seconds(playback.max));
                format!("clip {}, {min} to {max} s, {:?}, speed {}", clip(own), playback.mode, source(speed))
            }
            Op::Frame { clip: own, at } => format!("frame {} s of {}", seconds(*at), clip(own)),
            Op::Follow { clip: own, leader, .. } => format!("clip {} in the phase of {}", clip(own), name(leader)),
            Op::Space { space, inputs } => {
                format!("{} of {}", self.describe_space(space), list(&mut inputs.iter().copied()))
            }
            Op::Sync(sync) => {
                let clips: Vec<String> =
                    sync.members.iter().map(|member| clip(&sync.clips[usize::from(*member)])).collect();
                let (space, clips) = (self.describe_space(&sync.space), clips.join(" "));
                format!("{space} of clips {clips} in one phase, {:?}, speed {}", sync.pace, source(&sync.speed))
            }
            Op::Switch(switch) => {
                let inputs = list(&mut switch.inputs.iter().map(|input| input.node));
                format!("switch by {} of {inputs}, {:?}", source(&switch.index), switch.policy)
            }
            Op::Delta { source, reference, space } => {
                let reference = reference.as_ref().map_or("the rest pose".to_string(), name);
                let space = match space {
                    DeltaSpace::Local => "",
                    DeltaSpace::Mesh => ", in mesh space",
                };
                format!("delta of {} to {reference}{space}", name(source))
            }
            Op::Additive { base, deltas } => {
                let delta =
                    |d: &super::node::Delta| format!(" + {} {}{}", source(&d.alpha), name(&d.node), masked(&d.mask));
                format!("{}{}", name(base), deltas.iter().map(delta).collect::<String>())
            }
            Op::Partial { inputs, mode } => {
                let part =
                    |p: &super::node::Part| format!("{} {}{}", source(&p.weight), name(&p.node), masked(&p.mask));
                let parts: Vec<String> = inputs.iter().map(part).collect();
                format!("partial {mode:?} of {}", parts.join(", "))
            }
            Op::Layers { base, layers } => {
                let layer = |l: &super::node::Layer| {
                    format!(", {:?} {} {}{}", l.mode, source(&l.weight), name(&l.node), masked(&l.mask))
                };
                format!("layers on {}{}", name(base), layers.iter().map(layer).collect::<String>())
            }
            Op::Machine(machine) => {
                let states = machine.names.iter().zip(&machine.states);
                let states: Vec<String> = states.map(|(own, state)| format!("{own} ({})", name(&state.node))).collect();
                let count = machine.transitions.len();
                format!("machine of {}, {count} transitions, {:?}", states.join(" "), machine.policy)
            }
            Op::Slot { input, mask, .. } => format!("slot over {}{}", name(input), masked(mask)),
        };
        if node.is_merged {
            text.push_str(", merged into its reader");
        }
        text
    }

    fn describe_source(&self, source: Source) -> String {
        match source {
            Source::Number(number) => format!("{number:.3}"),
            Source::Parameter(parameter) => self.parameters[usize::from(parameter)].name.clone(),
        }
    }

    fn describe_space(&self, space: &Space) -> String {
        let kind = match space {
            Space::Line { .. } => "line".to_string(),
            Space::Grid { columns, rows, .. } => format!("grid {} x {}", columns.0.len(), rows.0.len()),
            Space::Scatter { .. } => "scatter".to_string(),
        };
        let sources: Vec<String> = space.sources().into_iter().map(|source| self.describe_source(source)).collect();
        format!("{kind} by {}", sources.join(", "))
    }
}

impl GraphState {
    /// The time, then a line a node, in the order of evaluation: its weight, and of clocks the local time, of switches
    /// and machines what is shown and how far the fade is. What is not active is marked so.
    pub fn describe(&self, graph: &Graph) -> String {
        let mut text = format!("{} s", seconds(self.time));
        for (parameter, value) in graph.parameters.iter().zip(&self.parameters) {
            let _ = write!(text, " {}={value:.3}", parameter.name);
        }
        text.push('\n');
        for node in 0..graph.nodes.len() {
            let _ = writeln!(text, "{}: {}", graph.names[node], self.describe_node(graph, node));
        }
        text
    }

    fn describe_node(&self, graph: &Graph, node: usize) -> String {
        let mut text = if self.active[node] { format!("{:.3}", self.weights[node]) } else { "asleep".to_string() };
        let local = |timeline: &Timeline, controller: &Controller| seconds(controller.local(timeline).tick());
        match (&graph.nodes[node].op, &self.nodes[node]) {
            (Op::Clip { timeline, .. }, NodeState::Clip(controller)) => {
                let _ = write!(text, " at {} s", local(timeline, controller));
            }
            (Op::Sync(sync), NodeState::Sync(clock)) => {
                let leader = &graph.clips[usize::from(sync.clips[clock.leader])].name;
                let at = local(sync.group.timeline(clock.leader), &clock.controller);
                let _ = write!(text, " {leader} leads at {at} s");
            }
            (op, NodeState::Change(change)) => {
                let name = |input: u16| match op {
                    Op::Machine(machine) => &machine.names[usize::from(input)],
                    Op::Switch(switch) => &graph.names[usize::from(switch.inputs[usize::from(input)].node)],
                    _ => unreachable!("only switches and machines change over"),
                };
                let _ = write!(text, " shows {}", name(change.current));
                if let Some(fade) = change.fade {
                    let progress = fade.weight(self.time).value();
                    let _ = write!(text, " from {} {progress:.3}", name(change.last));
                }
            }
            (Op::Slot { .. }, NodeState::Slot(_)) => {
                for playing in self.slot(node).iter().flatten() {
                    let clip = &graph.clips[usize::from(playing.clip)];
                    let weight = playing.weight(self.time).value();
                    let at = if playing.is_at_end() {
                        seconds(clip.whole.length())
                    } else {
                        local(&clip.whole, &playing.controller)
                    };
                    let _ = write!(text, " plays {} {weight:.3} at {at} s", clip.name);
                }
            }
            (Op::Follow { clip, leader, .. }, _) => {
                let at = graph.follow(self, *clip, usize::from(*leader));
                let _ = write!(text, " at {} s", seconds(at));
            }
            _ => {}
        }
        text
    }
}

/// Seconds with four digits, rounded down, from integers.
fn seconds(time: Tick) -> String {
    let parts = i128::from(time.0) * 10_000 / i128::from(stillframe_base::tick::TICKS_PER_SECOND);
    let sign = if parts < 0 { "-" } else { "" };
    format!("{sign}{}.{:04}", parts.abs() / 10_000, parts.abs() % 10_000)
}
