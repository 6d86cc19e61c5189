//! Definition: a graph as people write it, by names. Any values may stand here;
//! [`Graph::compile`](super::Graph::compile) checks them.

use stillframe_base::tick::Tick;

use crate::time::{AtEnd, Ease, Event, Mode, Pace, Repeat};

/// A graph by names. Nodes may stand in any order and feed any number of others; without cycles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GraphDef {
    /// Numbers that scripts set.
    pub parameters: Vec<ParameterDef>,
    /// What is known of the clips; poses are handed in when a graph is evaluated, in this order.
    pub clips: Vec<ClipDef>,
    pub masks: Vec<MaskDef>,
    pub nodes: Vec<NodeDef>,
    /// The node whose pose is the graph's.
    pub output: String,
    /// Moments are told and spans begin where the weight of what tells them, at their own time, is at least this: of a
    /// clip, of a clip that follows another, of a clip in a slot; of a sync space, of which only the leader is told,
    /// that of the whole space, so that steps between four clips of a quarter each are heard. Nothing of weight 0 is
    /// told. A span that has begun ends whatever its weight is then; one that was too light to begin does not end. A
    /// weight that misses it by a hundred-thousandth of it has reached it: weights are sums of rounded shares.
    pub event_weight_min: f32,
}

/// A number by name.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterDef {
    pub name: String,
    pub initial: f32,
}

/// What a graph must know of a clip to keep its time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClipDef {
    pub name: String,
    /// The clip's time is `0..=duration`.
    pub duration: Tick,
    /// In the order in which they begin; told by their place in this list.
    pub events: Vec<Event>,
    /// Moments that clips of a sync space share, such as a foot's contact: by the time they come in.
    pub markers: Vec<MarkerDef>,
}

/// A named moment of a clip.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkerDef {
    pub at: Tick,
    pub name: String,
}

/// Weights of joints, 0 to 1: a joint has that of its own entry, else its parent's, else `default`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MaskDef {
    pub name: String,
    pub default: f32,
    pub branches: Vec<BranchDef>,
}

/// A joint and all below it.
#[derive(Clone, Debug, PartialEq)]
pub struct BranchDef {
    pub joint: String,
    pub weight: f32,
}

/// A node by name.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeDef {
    pub name: String,
    pub kind: NodeKind,
}

/// A number that a node reads: fixed, or a parameter by name.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Number(f32),
    Parameter(String),
}

impl Value {
    pub fn parameter(name: &str) -> Value {
        Value::Parameter(name.to_string())
    }
}

impl Default for Value {
    fn default() -> Value {
        Value::Number(1.0)
    }
}

/// What a node does. Inputs are names of nodes.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeKind {
    /// A clip with a clock of its own.
    Clip(ClipNode),
    /// One moment of a clip.
    Frame { clip: String, at: Tick },
    /// A clip that stands where another clip's phase puts it: at the same share of its length. The forms of additive
    /// clips that scale their source and reference to a carrier are this. Its events are told where the leader passes
    /// the same shares of its way, rounded down to ticks of that; of a sync space the clip that leads counts, and where
    /// another one does, the follower is put where that one is: silently over moments, but spans end and begin.
    Follow { clip: String, leader: String },
    /// A weighted mean of poses: those next to a point of a line, a grid or a triangulation.
    Space(SpaceNode),
    /// The same over clips in one phase, their lengths scaled to a common one.
    SyncSpace(SyncSpaceNode),
    /// One of many poses; changing over takes time.
    Switch(SwitchNode),
    /// What a pose does beyond a reference: a delta, for additive nodes. Spaces, switches, machines and partial nodes
    /// of deltas are deltas; all inputs of one must be of one space.
    Delta { source: String, reference: ReferenceDef, space: DeltaSpace },
    /// Deltas on top of a pose, in order, of either space.
    Additive { base: String, deltas: Vec<DeltaInput> },
    /// A mean of poses with weights joint by joint.
    Partial(PartialNode),
    /// Poses over or on top of a pose, one after the other, each with a weight and a mask.
    Layers { base: String, layers: Vec<LayerDef> },
    /// States with a pose each, and rules of when to go from one to another.
    Machine(MachineNode),
    /// Plays clips on demand over its input: [`Graph::play`](super::Graph::play).
    Slot(SlotNode),
}

/// A clip with a clock of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipNode {
    pub clip: String,
    pub mode: Mode,
    pub reverse: bool,
    pub at_end: AtEnd,
    /// A part of the clip; all of it where there is none.
    pub window: Option<(Tick, Tick)>,
    /// Where it starts, in clip time; at the start of its window where there is none.
    pub phase: Option<Tick>,
    /// Limited to [`SPEED_MAX`](super::SPEED_MAX) either way.
    pub speed: Value,
}

impl ClipNode {
    /// All of a clip in an endless loop.
    pub fn looped(clip: &str) -> ClipNode {
        ClipNode { mode: Mode::Loop(Repeat::Forever), ..ClipNode::once(clip) }
    }

    /// All of a clip once; then its last pose holds.
    pub fn once(clip: &str) -> ClipNode {
        ClipNode {
            clip: clip.to_string(),
            mode: Mode::Clamp,
            reverse: false,
            at_end: AtEnd::Stop,
            window: None,
            phase: None,
            speed: Value::Number(1.0),
        }
    }
}

/// How parameters give weights to points. What lies outside of a space counts as the nearest point of it.
#[derive(Clone, Debug, PartialEq)]
pub enum SpaceDef {
    /// Points on a line, in any order; the two neighbours of the parameter have weight.
    Line { parameter: Value, at: Vec<f32> },
    /// Points at the crossings of columns and rows, both rising; the four corners of the parameters' cell have weight.
    /// Inputs are listed row by row.
    Grid { parameters: [Value; 2], columns: Vec<f32>, rows: Vec<f32> },
    /// Points anywhere, joined by a Delaunay triangulation; the corners of the parameters' triangle have weight.
    Scatter { parameters: [Value; 2], at: Vec<[f32; 2]> },
}

/// A space of poses.
#[derive(Clone, Debug, PartialEq)]
pub struct SpaceNode {
    pub space: SpaceDef,
    /// A node for each point.
    pub inputs: Vec<String>,
}

/// A space of clips in one phase. All of them loop.
#[derive(Clone, Debug, PartialEq)]
pub struct SyncSpaceNode {
    pub space: SpaceDef,
    /// A clip for each point. One clip may stand at many.
    pub clips: Vec<String>,
    /// Whether the clips' markers are matched, or only whole loops.
    pub by_markers: bool,
    pub pace: Pace,
    /// Limited to [`SPEED_MAX`](super::SPEED_MAX) either way.
    pub speed: Value,
}

/// How a pose changes over to another one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FadePolicy {
    /// At once; what was shown and its speed die away on top of the new pose.
    #[default]
    Inertial,
    /// What was shown last stands still and is faded out.
    Frozen,
    /// Both play while one is faded out, as in the book: a change of mind goes on with the weight of the fade under
    /// way, and going back is a cut, so that poses jump.
    Book,
}

/// Ticks that a change over takes.
#[derive(Clone, Debug, PartialEq)]
pub enum FadeTimes {
    /// The same for all.
    All(Tick),
    /// By what is changed to, as the book's listing has it.
    To(Vec<Tick>),
    /// By what is left and what is changed to: `[from][to]`.
    FromTo(Vec<Vec<Tick>>),
}

/// One of many poses.
#[derive(Clone, Debug, PartialEq)]
pub struct SwitchNode {
    /// Its whole part, limited to the inputs there are, is the number of the input.
    pub index: Value,
    pub inputs: Vec<String>,
    pub fade: FadeTimes,
    pub policy: FadePolicy,
    pub ease: Ease,
}

/// What a delta is the difference to.
#[derive(Clone, Debug, PartialEq)]
pub enum ReferenceDef {
    /// The skeleton's rest pose.
    Rest,
    /// The pose of a node: a frame, or a clip that plays.
    Node(String),
}

/// Where the turns of a delta are turns of; translations and scales are the same in both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DeltaSpace {
    /// Of each joint's own frame: they follow whatever they are added to, as [`MakeDelta`](crate::pose::MakeDelta) has
    /// it.
    #[default]
    Local,
    /// Of the model, which engines call mesh space: an aim offset points the same way whatever the spine below it does,
    /// as [`MakeMeshDelta`](crate::pose::MakeMeshDelta) has it. Joints that a mask leaves out keep their rotation in
    /// the model.
    Mesh,
}

/// A delta and how much of it, 0 to 1, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct DeltaInput {
    pub delta: String,
    pub alpha: Value,
    pub mask: Option<String>,
}

/// A mean of poses with weights joint by joint; those of a joint are divided by their sum, and a joint without any is
/// at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct PartialNode {
    pub inputs: Vec<String>,
    pub weights: PartialWeights,
    pub mode: PartialMode,
}

/// Where inputs of a partial node count.
#[derive(Clone, Debug, PartialEq)]
pub enum PartialWeights {
    /// Of each input a weight, not negative, and a mask.
    Masks(Vec<(Value, Option<String>)>),
    /// Of each named joint a weight for every input, not negative and not all 0: they count for it and all below it,
    /// down to the next named one. The first input has the rest.
    Joints(Vec<(String, Vec<f32>)>),
}

/// How rotations of several inputs become one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PartialMode {
    /// The weighted sum of quaternions in one hemisphere, to length one.
    #[default]
    WeightedNlerp,
    /// The product of their powers, as the book has it: depends on the inputs' order.
    PowerProduct,
    /// The weighted sum of matrices, taken apart again: the book's fast way.
    MatrixSum,
}

/// How a layer comes on top of what is below.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LayerMode {
    /// Takes its place by its weight.
    #[default]
    Override,
    /// Is added; the input is a delta.
    Additive,
}

/// A pose over what is below.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerDef {
    pub node: String,
    /// 0 to 1; what is outside counts as the nearer end.
    pub weight: Value,
    pub mask: Option<String>,
    pub mode: LayerMode,
}

/// States and transitions.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineNode {
    pub states: Vec<StateDef>,
    /// The state at the beginning.
    pub initial: String,
    pub transitions: Vec<TransitionDef>,
    pub policy: FadePolicy,
    pub ease: Ease,
}

/// A state and the node that it shows.
#[derive(Clone, Debug, PartialEq)]
pub struct StateDef {
    pub name: String,
    pub node: String,
}

/// A rule of when to go from one state to another. Of several that hold, the one with the highest priority is taken,
/// then the one listed first. One whose state is already there does nothing. A state is kept for
/// [`STATE_TIME_MIN`](super::STATE_TIME_MIN) at least.
#[derive(Clone, Debug, PartialEq)]
pub struct TransitionDef {
    /// From any state where there is none.
    pub from: Option<String>,
    pub to: String,
    pub condition: Condition,
    /// Ticks that the change over takes.
    pub fade: Tick,
    pub priority: i32,
    /// Whether others may be taken before this one's fade is over.
    pub interruptible: bool,
    pub enter: Enter,
}

/// Where clips of a state begin that is entered. Those that are playing already play on in every case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Enter {
    /// At their phase.
    #[default]
    Restart,
    /// Where they were left.
    Resume,
    /// At the share of a loop that the state before has reached.
    Sync,
}

/// What a transition waits for.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    Always,
    Compare {
        parameter: String,
        is: Compare,
        than: f32,
    },
    /// Less is left of the state's clip than this, in ticks of played time: to its end, or to the end of its present
    /// loop. Of spaces the input with the most weight counts, of other nodes the first or the one shown.
    TimeLeft {
        below: Tick,
    },
    /// All of these; true where there is none.
    And(Vec<Condition>),
    /// One of these; false where there is none.
    Or(Vec<Condition>),
    Not(Box<Condition>),
}

/// A comparison of a parameter with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compare {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
}

/// A place for clips on demand.
#[derive(Clone, Debug, PartialEq)]
pub struct SlotNode {
    pub input: String,
    pub mask: Option<String>,
    pub fade_in: Tick,
    /// Begins when the clip ends or is stopped.
    pub fade_out: Tick,
}
