//! World: what of a script never changes, prepared for the model; and the compiled graph.

use stillframe_anim::graph::Graph;
use stillframe_anim::root::RootTrack;
use stillframe_anim::sample::Skeleton;
use stillframe_anim::time::{AtEnd, Event, Mode, Playback, Position, Repeat};
use stillframe_base::tick::Tick;

use super::script::{Clip, Frames, GraphScript, Kind, Part, Space};
use crate::{Oracle, SUB};

/// A script that can be played.
#[derive(Debug)]
pub struct World<'a> {
    pub script: &'a GraphScript,
    pub graph: Graph,
    pub skeleton: Skeleton,
    /// Of each clip.
    pub reels: Vec<Reel>,
    /// Of each node that is a clip.
    pub oracles: Vec<Option<Oracle>>,
    /// Of each node that is a sync space.
    pub groups: Vec<Vec<Member>>,
    /// Of each node that follows another one: each line that may lead it, with the events of its own clip.
    pub followed: Vec<Vec<Oracle>>,
    /// Nodes that reach the output, in the order of evaluation. The code under test names it; events come in it.
    pub order: Vec<usize>,
    /// Spaces whose inputs the space above takes for its own.
    pub is_merged: Vec<bool>,
    /// Of each node what it gives.
    pub kinds: Vec<Kind>,
    /// Of each mask the weights of the joints.
    pub masks: Vec<Vec<f32>>,
}

/// A clip that can be played.
#[derive(Debug)]
pub struct Reel {
    pub frames: Frames,
    /// All of it as an endless loop.
    pub line: Oracle,
    /// How far it travels. Of a graph without such clips nobody asks where its root goes.
    pub track: Option<RootTrack>,
}

/// A clip of a sync space: where its first border lies, and where they all do from there; the last is the length.
/// Sub-ticks.
#[derive(Clone, Debug)]
pub struct Member {
    pub clip: usize,
    pub origin: i128,
    pub borders: Vec<i128>,
}

/// What sampled clips have room for.
const JOINTS_MAX: usize = 16;

impl<'a> World<'a> {
    /// Errors: what is wrong with a script that was not drawn.
    pub fn new(script: &'a GraphScript) -> Result<World<'a>, String> {
        if script.parents.is_empty() || script.parents.len() > JOINTS_MAX {
            return Err(format!("{} joints, of 1 to {JOINTS_MAX}", script.parents.len()));
        }
        let skeleton = script.skeleton();
        let graph = Graph::compile(&script.def(), &skeleton).map_err(|error| format!("no graph: {error}"))?;
        let graph = if script.travels() { graph.with_root(0) } else { graph };
        let mut order = Vec::new();
        for place in 0..graph.node_count() {
            let number = graph.node_name(place).strip_prefix('n').and_then(|number| number.parse().ok());
            order.push(number.ok_or("a node of another name")?);
        }
        if order.last() != Some(&(script.nodes.len() - 1)) {
            return Err("the output is not the last node".into());
        }
        let mut kinds = Vec::new();
        for (node, part) in script.nodes.iter().enumerate() {
            let reads = part.reads();
            if reads.iter().any(|read| *read >= node) {
                return Err(format!("node {node} reads one that is not before it"));
            }
            kinds.push(part.kind(&kinds));
        }
        check_ops(script)?;
        let events = |clip: usize| -> Vec<Event> {
            script.clips[clip].events.iter().map(|[begin, end]| Event::span(Tick(*begin), Tick(*end))).collect()
        };
        let oracle = |part: &Part| match part {
            Part::Clip { clip, passes, reverse, run_on, window, phase, .. } => {
                let [min, max] = window.unwrap_or([0, script.clips[*clip].ticks]);
                let at_end = if *run_on { AtEnd::RunOn } else { AtEnd::Stop };
                let phase = Position::of_tick(Tick(phase.unwrap_or(min)));
                let (min, max, mode, reverse) = (Tick(min), Tick(max), passes.mode(), *reverse);
                Some(Oracle::new(Playback { min, max, mode, reverse, at_end, phase }, &events(*clip)))
            }
            _ => None,
        };
        let reel = |(clip, frames): (usize, Frames)| {
            let own = &script.clips[clip];
            let playback = Playback::new(Tick(0), Tick(own.ticks), Mode::Loop(Repeat::Forever));
            Reel { frames, line: Oracle::new(playback, &events(clip)), track: own.track(&skeleton) }
        };
        let oracles: Vec<Option<Oracle>> = script.nodes.iter().map(oracle).collect();
        let reels: Vec<Reel> = frames(script, &order, &skeleton).into_iter().enumerate().map(reel).collect();
        let groups: Vec<Vec<Member>> = script.nodes.iter().map(|part| members(script, part)).collect();
        let followed = |part: &Part| match part {
            Part::Follow { clip, leader } => {
                let of_group = groups[*leader].iter().map(|member| &reels[member.clip].line);
                let lines = oracles[*leader].iter().chain(of_group);
                lines.map(|line| Oracle::new(line.playback, &shares_of(script, *clip, &line.playback))).collect()
            }
            _ => Vec::new(),
        };
        Ok(World {
            followed: script.nodes.iter().map(followed).collect(),
            reels,
            oracles,
            groups,
            is_merged: merged(script, &order),
            masks: masks(script),
            script,
            graph,
            skeleton,
            order,
            kinds,
        })
    }

    pub fn joint_count(&self) -> usize {
        self.script.parents.len()
    }

    /// The weight of a mask at a joint; 1 without one.
    pub fn masked(&self, mask: Option<usize>, joint: usize) -> f64 {
        mask.map_or(1.0, |mask| f64::from(self.masks[mask][joint]))
    }

    /// The largest weight of a mask; 1 without one.
    pub fn mask_max(&self, mask: Option<usize>) -> f32 {
        mask.map_or(1.0, |mask| self.masks[mask].iter().copied().fold(0.0, f32::max))
    }
}

/// The events of a clip at their shares of another line's window, in whole ticks; what lasts lasts a tick at least.
fn shares_of(script: &GraphScript, clip: usize, line: &Playback) -> Vec<Event> {
    let Clip { ticks, events, .. } = &script.clips[clip];
    let window = i128::from(line.max.0 - line.min.0);
    let place = |at: i64| line.min.0 + (i128::from(at) * window).checked_div(i128::from(*ticks)).unwrap_or(0) as i64;
    let share = |&[begin, end]: &[i64; 2]| {
        let least = place(begin) + i64::from(end > begin);
        Event::span(Tick(place(begin)), Tick(place(end).max(least)))
    };
    events.iter().map(share).collect()
}

/// Poses of clips; of those that nothing shows only the first one.
fn frames(script: &GraphScript, order: &[usize], skeleton: &Skeleton) -> Vec<Frames> {
    use super::script::GraphOp;
    let mut is_shown = vec![false; script.clips.len()];
    for part in order.iter().map(|node| &script.nodes[*node]) {
        match part {
            Part::Clip { clip, .. } | Part::Frame { clip, .. } | Part::Follow { clip, .. } => is_shown[*clip] = true,
            Part::SyncSpace { clips, .. } => clips.iter().for_each(|clip| is_shown[*clip] = true),
            _ => {}
        }
    }
    for op in &script.steps {
        if let GraphOp::Play { clip, .. } = op {
            is_shown[*clip] = true;
        }
    }
    let clips = script.clips.iter().zip(is_shown);
    clips
        .map(|(clip, is_shown)| if is_shown { Frames::new(clip, skeleton) } else { Frames::still(clip, skeleton) })
        .collect()
}

fn check_ops(script: &GraphScript) -> Result<(), String> {
    use super::script::GraphOp;
    for op in &script.steps {
        let is_good = match op {
            GraphOp::Set { parameter, .. } => *parameter < script.parameters.len(),
            GraphOp::Play { node, clip, .. } => *node < script.nodes.len() && *clip < script.clips.len(),
            GraphOp::Stop { node } => *node < script.nodes.len(),
            GraphOp::Step(_) | GraphOp::Pose | GraphOp::Start | GraphOp::Store => true,
        };
        if !is_good {
            return Err(format!("{op:?} names something that there is not"));
        }
    }
    Ok(())
}

/// The different clips of a sync space, laid out from the markers that match the first clip's.
fn members(script: &GraphScript, part: &Part) -> Vec<Member> {
    let Part::SyncSpace { clips, by_markers, .. } = part else { return Vec::new() };
    let mut out: Vec<Member> = Vec::new();
    let labels: Vec<u32> = script.clips[clips[0]].markers.iter().map(|marker| marker.1).collect();
    for &clip in clips {
        if out.iter().any(|member| member.clip == clip) {
            continue;
        }
        let length = i128::from(script.clips[clip].ticks) * SUB;
        let markers = &script.clips[clip].markers;
        if !*by_markers || markers.is_empty() {
            out.push(Member { clip, origin: 0, borders: vec![0, length] });
            continue;
        }
        // Turned until the labels match: compiling has checked that they do.
        let mut turned = markers.clone();
        while turned.iter().map(|marker| marker.1).ne(labels.iter().copied()) {
            turned.rotate_left(1);
        }
        let origin = i128::from(turned[0].0) * SUB;
        let way = |at: i64| (i128::from(at) * SUB - origin).rem_euclid(length);
        let borders = turned.iter().map(|marker| way(marker.0)).chain([length]).collect();
        out.push(Member { clip, origin, borders });
    }
    out
}

/// A space is merged into a space that alone reads it, once, as long as no blend gets more than sixteen poses; every
/// space counts for four times the widest space that was merged into it.
fn merged(script: &GraphScript, order: &[usize]) -> Vec<bool> {
    let count = script.nodes.len();
    let mut readers = vec![0; count];
    for &node in order {
        script.nodes[node].reads().into_iter().for_each(|read| readers[read] += 1);
    }
    let (mut is_merged, mut width) = (vec![false; count], vec![1; count]);
    for &node in order {
        let Part::Space { inputs, .. } = &script.nodes[node] else { continue };
        let is_own = |input: &&usize| matches!(script.nodes[**input], Part::Space { .. }) && readers[**input] == 1;
        let own: Vec<usize> = inputs.iter().filter(is_own).copied().collect();
        let widest = own.iter().map(|input| width[*input]).max().unwrap_or(1);
        width[node] = 4;
        if 4 * widest <= 16 {
            width[node] = 4 * widest;
            own.into_iter().for_each(|input| is_merged[input] = true);
        }
    }
    is_merged
}

/// A joint has its own weight, else its parent's, else the default.
fn masks(script: &GraphScript) -> Vec<Vec<f32>> {
    let weight = |mask: &super::script::Mask, joint: usize| {
        let mut at = Some(joint);
        while let Some(joint) = at {
            if let Some((_, weight)) = mask.branches.iter().find(|branch| branch.0 == joint) {
                return *weight;
            }
            at = script.parent(joint);
        }
        mask.default
    };
    script.masks.iter().map(|mask| (0..script.parents.len()).map(|joint| weight(mask, joint)).collect()).collect()
}

impl Space {
    pub fn point_count(&self) -> usize {
        match self {
            Space::Line { at, .. } => at.len(),
            Space::Grid { columns, rows, .. } => columns.len() * rows.len(),
            Space::Scatter { at, .. } => at.len(),
        }
    }
}
