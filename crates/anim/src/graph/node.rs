//! Node: what a definition becomes. Names are numbers, lists are checked, inputs come before the nodes that read them.

use stillframe_base::lanes::Row;
use stillframe_base::tick::Tick;

use super::def::{Compare, DeltaSpace, Enter, FadePolicy, LayerMode, ParameterDef, PartialMode};
use super::source::Source;
use super::space::{Corners, Space};
use crate::pose::JointBlock;
use crate::time::{Ease, Fade, Pace, SyncGroup, Timeline};

/// A checked graph, for one skeleton. Made once, shared by all characters that play it.
#[derive(Clone, Debug)]
pub struct Graph {
    pub(super) names: Vec<String>,
    /// Inputs before those that read them; the last one is the output.
    pub(super) nodes: Vec<Node>,
    pub(super) parameters: Vec<ParameterDef>,
    pub(super) clips: Vec<Clip>,
    pub(super) masks: Vec<Mask>,
    pub(super) rest: Vec<JointBlock>,
    /// Of each joint, as the skeleton has them.
    pub(super) parents: Vec<u16>,
    /// The delta that changes nothing.
    pub(super) identity: Vec<JointBlock>,
    pub(super) joint_count: usize,
    pub(super) event_weight_min: f32,
    /// Nodes that remember poses.
    pub(super) memory_count: usize,
    /// The joint that travels.
    pub(super) root: Option<u16>,
}

#[derive(Clone, Debug)]
pub(super) struct Clip {
    pub name: String,
    /// All of it in an endless loop, with its events.
    pub whole: Timeline,
}

#[derive(Clone, Debug)]
pub(super) struct Mask {
    pub name: String,
    pub rows: Vec<Row>,
    /// The largest of its weights.
    pub max: f32,
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub op: Op,
    pub kind: Kind,
    /// A space whose one reader, a space too, takes its inputs for its own.
    pub is_merged: bool,
    /// Nodes that follow this one.
    pub followers: Box<[u16]>,
}

/// What a node gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Pose,
    Delta(DeltaSpace),
}

impl Kind {
    pub fn word(self) -> &'static str {
        match self {
            Kind::Pose => "pose",
            Kind::Delta(_) => "delta",
        }
    }

    /// As [`word`](Kind::word), and of a delta its space.
    pub fn words(self) -> &'static str {
        match self {
            Kind::Pose => "pose",
            Kind::Delta(DeltaSpace::Local) => "delta in local space",
            Kind::Delta(DeltaSpace::Mesh) => "delta in mesh space",
        }
    }
}

/// What a node does; inputs are places in the list of nodes.
#[derive(Clone, Debug)]
pub(super) enum Op {
    Clip {
        clip: u16,
        timeline: Box<Timeline>,
        speed: Source,
    },
    Frame {
        clip: u16,
        at: Tick,
    },
    /// `lines`: of each clip that may lead its line, with the events of the clip that follows.
    Follow {
        clip: u16,
        leader: u16,
        lines: Box<[Timeline]>,
    },
    Space {
        space: Space,
        inputs: Box<[u16]>,
    },
    Sync(Sync),
    Switch(Switch),
    Delta {
        source: u16,
        reference: Option<u16>,
        space: DeltaSpace,
    },
    Additive {
        base: u16,
        deltas: Box<[Delta]>,
    },
    Partial {
        inputs: Box<[Part]>,
        mode: PartialMode,
    },
    Layers {
        base: u16,
        layers: Box<[Layer]>,
    },
    Machine(Machine),
    Slot {
        input: u16,
        mask: Option<u16>,
        fade_in: Tick,
        fade_out: Tick,
    },
}

/// Clips in one phase.
#[derive(Clone, Debug)]
pub(super) struct Sync {
    pub space: Space,
    /// Of each point its clip's place in the group: one clip may stand at many.
    pub members: Box<[u16]>,
    /// Of each member of the group.
    pub clips: Box<[u16]>,
    pub group: SyncGroup,
    pub pace: Pace,
    pub speed: Source,
}

impl Sync {
    /// Members with weight, and how much: at most four.
    pub fn shares(&self, parameters: &[f32]) -> Corners {
        self.space.corners(parameters).gather(&self.members)
    }
}

/// One of many inputs.
#[derive(Clone, Debug)]
pub(super) struct Switch {
    pub index: Source,
    pub inputs: Box<[Choice]>,
    /// `[from * count + to]`.
    pub fades: Box<[Fade]>,
    pub policy: FadePolicy,
    pub memory: Option<u16>,
}

/// An input of a switch or a machine.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub node: u16,
    /// Nodes at and below it that have a state of their own, rising.
    pub clocks: Box<[u16]>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Delta {
    pub node: u16,
    pub alpha: Source,
    pub mask: Option<u16>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub node: u16,
    pub weight: Source,
    pub mask: Option<u16>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Layer {
    pub node: u16,
    pub weight: Source,
    pub mask: Option<u16>,
    pub mode: LayerMode,
}

#[derive(Clone, Debug)]
pub(super) struct Machine {
    pub names: Box<[String]>,
    pub states: Box<[Choice]>,
    pub initial: u16,
    /// By priority, then as listed.
    pub transitions: Box<[Transition]>,
    pub policy: FadePolicy,
    pub memory: Option<u16>,
    pub ease: Ease,
}

#[derive(Clone, Debug)]
pub(super) struct Transition {
    pub from: Option<u16>,
    pub to: u16,
    pub condition: Test,
    pub fade: Tick,
    pub interruptible: bool,
    pub enter: Enter,
}

/// A condition with its parameters found.
#[derive(Clone, Debug)]
pub(super) enum Test {
    Always,
    Compare { parameter: u16, is: Compare, than: f32 },
    TimeLeft { below: Tick },
    And(Box<[Test]>),
    Or(Box<[Test]>),
    Not(Box<Test>),
}

impl Graph {
    /// Nodes that reach the output; the last one is the output.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }
    /// The name of a node by its place in the order of evaluation.
    pub fn node_name(&self, node: usize) -> &str {
        &self.names[node]
    }
    /// The place of a node in the order of evaluation. None also for nodes that do not reach the output.
    pub fn node(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|own| own == name)
    }
    /// Parameters in the order in which their values are handed in.
    pub fn parameters(&self) -> &[ParameterDef] {
        &self.parameters
    }
    pub fn parameter(&self, name: &str) -> Option<usize> {
        self.parameters.iter().position(|own| own.name == name)
    }
    /// Clips in the order in which they are handed in.
    pub fn clip_names(&self) -> impl Iterator<Item = &str> {
        self.clips.iter().map(|clip| &*clip.name)
    }
    pub fn clip(&self, name: &str) -> Option<usize> {
        self.clips.iter().position(|own| own.name == name)
    }
    pub fn joint_count(&self) -> usize {
        self.joint_count
    }
    /// Blocks of a pose.
    pub fn block_count(&self) -> usize {
        self.rest.len()
    }

    /// The line on which a [`LeafMove`](super::LeafMove)'s positions lie. A node without a clock is a bug and asserts.
    pub fn leaf_timeline(&self, leaf: &super::LeafMove) -> &Timeline {
        match &self.nodes[usize::from(leaf.node)].op {
            Op::Clip { timeline, .. } => timeline,
            Op::Sync(sync) => sync.group.timeline(usize::from(leaf.part)),
            Op::Slot { .. } => &self.clips[usize::from(leaf.clip)].whole,
            _ => unreachable!("node {} has no clock", leaf.node),
        }
    }
}
