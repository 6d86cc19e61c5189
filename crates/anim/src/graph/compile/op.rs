//! Op: what one node of a definition becomes.

use stillframe_base::tick::Tick;

use super::super::GraphError;
use super::super::def::*;
use super::super::node::{Delta, Kind, Layer, Op};
use super::super::space::{Space, SpaceFault};
use super::Compiler;
use super::check::{count, few, ticks};
use crate::time::{Event, Fade, Playback, Position, TimeError, Timeline, Track};

impl Compiler<'_> {
    pub(super) fn op(&mut self, name: &str, kind: &NodeKind) -> Result<(Op, Kind), GraphError> {
        let op = match kind {
            NodeKind::Clip(clip) => self.clip_op(name, clip)?,
            NodeKind::Frame { clip, at } => {
                let clip = self.clip(name, clip)?;
                Op::Frame { clip: clip as u16, at: ticks(name, "moment", *at, self.def.clips[clip].duration)? }
            }
            NodeKind::Follow { clip, leader } => {
                let clip = self.clip(name, clip)? as u16;
                let place = self.node(name, leader)?;
                let led: Vec<&Timeline> = match &self.nodes[usize::from(place)].op {
                    Op::Clip { timeline, .. } if timeline.length() > Tick::ZERO => vec![timeline],
                    Op::Sync(sync) => (0..sync.clips.len()).map(|member| sync.group.timeline(member)).collect(),
                    _ => return Err(GraphError::NoPhase { node: name.to_string(), leader: leader.clone() }),
                };
                let own = &self.def.clips[usize::from(clip)];
                let lines = led.into_iter().map(|line| followed(line, own).map_err(|error| time(name, error)));
                Op::Follow { clip, leader: place, lines: lines.collect::<Result<_, _>>()? }
            }
            NodeKind::Space(SpaceNode { space, inputs }) => {
                let space = self.space(name, space)?;
                count(name, "inputs", inputs.len(), space.point_count())?;
                let (inputs, kind) = self.alike(name, "inputs", inputs.iter())?;
                return Ok((Op::Space { space, inputs: inputs.into() }, kind));
            }
            NodeKind::SyncSpace(node) => Op::Sync(self.sync_op(name, node)?),
            NodeKind::Switch(node) => return self.switch_op(name, node),
            NodeKind::Delta { source, reference, space } => {
                let source = self.want(name, source, Kind::Pose)?;
                let reference = match reference {
                    ReferenceDef::Rest => None,
                    ReferenceDef::Node(node) => Some(self.want(name, node, Kind::Pose)?),
                };
                return Ok((Op::Delta { source, reference, space: *space }, Kind::Delta(*space)));
            }
            NodeKind::Additive { base, deltas } => {
                few(name, deltas.len())?;
                let delta = |delta: &DeltaInput| {
                    let node = self.want_delta(name, &delta.delta)?;
                    let alpha = self.source(name, "alpha", &delta.alpha)?;
                    Ok(Delta { node, alpha, mask: self.mask(name, &delta.mask)? })
                };
                let deltas = deltas.iter().map(delta).collect::<Result<_, GraphError>>()?;
                Op::Additive { base: self.want(name, base, Kind::Pose)?, deltas }
            }
            NodeKind::Partial(node) => return self.partial_op(name, node),
            NodeKind::Layers { base, layers } => {
                let layer = |layer: &LayerDef| {
                    let node = match layer.mode {
                        LayerMode::Override => self.want(name, &layer.node, Kind::Pose)?,
                        LayerMode::Additive => self.want_delta(name, &layer.node)?,
                    };
                    let weight = self.source(name, "weight", &layer.weight)?;
                    Ok(Layer { node, weight, mask: self.mask(name, &layer.mask)?, mode: layer.mode })
                };
                let layers = layers.iter().map(layer).collect::<Result<_, GraphError>>()?;
                Op::Layers { base: self.want(name, base, Kind::Pose)?, layers }
            }
            NodeKind::Machine(node) => return self.machine_op(name, node),
            NodeKind::Slot(SlotNode { input, mask, fade_in, fade_out }) => Op::Slot {
                input: self.want(name, input, Kind::Pose)?,
                mask: self.mask(name, mask)?,
                fade_in: ticks(name, "fade", *fade_in, Fade::LENGTH_MAX)?,
                fade_out: ticks(name, "fade", *fade_out, Fade::LENGTH_MAX)?,
            },
        };
        Ok((op, Kind::Pose))
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

    pub(super) fn space(&self, name: &str, def: &SpaceDef) -> Result<Space, GraphError> {
        let source = |value: &Value| self.source(name, "parameter", value);
        let node = || name.to_string();
        Space::new(def, source)?.map_err(|fault| match fault {
            SpaceFault::Empty => GraphError::Empty { node: node(), what: "points" },
            SpaceFault::Range(value) => GraphError::Range { node: node(), what: "place", value },
            SpaceFault::Same(first, second) => GraphError::SamePoint { node: node(), first, second },
            SpaceFault::Order(axis, index) => GraphError::GridOrder { node: node(), axis, index },
        })
    }
}

/// Another clip's line with the events of this clip at the same shares of its window, each rounded down to a tick.
/// Spans stay spans.
fn followed(line: &Timeline, clip: &ClipDef) -> Result<Timeline, TimeError> {
    let playback = *line.playback();
    let (length, of) = (i128::from(line.length().0), i128::from(clip.duration.0.max(1)));
    // Clips are no longer than 2^46 ticks.
    let place = |at: Tick| Tick(playback.min.0 + (i128::from(at.0) * length / of) as i64);
    let events = clip.events.iter().map(|event| match (place(event.begin), place(event.end)) {
        (at, _) if event.is_point() => Event::point(at),
        // What begins before the clip's end begins a tick before the window's end, or sooner.
        (begin, end) => Event::span(begin, end.max(Tick(begin.0 + 1))),
    });
    Timeline::new(playback, &Track::new(playback.min, playback.max, events.collect())?)
}

pub(super) fn time(node: &str, error: TimeError) -> GraphError {
    GraphError::Time { node: node.to_string(), error }
}
