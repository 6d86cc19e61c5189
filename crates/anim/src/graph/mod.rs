//! Pose graphs: clips, spaces, switches, state machines and layers, joined to one pose.
//!
//! In: a [`GraphDef`], which people write by names, and the skeleton; then steps of whole ticks and numbers by
//! parameter. Out: a [`Graph`], which is checked and shared, a [`GraphState`] for each character, and from both local
//! poses, [`GraphEvent`]s in order and the ways of the clips' clocks ([`LeafMove`]) for root motion. Never here: files,
//! scenes, scripts, model space, allocation in a steady frame.
//!
//! **Two halves.** [`Graph::update`] is time: clocks, transitions, weights, events, all in whole ticks and the same
//! however time is cut. [`Graph::evaluate`] is poses: what the state shows now. It changes the state only in what
//! inertialisation and frozen poses remember, so leaving an evaluation out changes no clock, no weight and no event.
//!
//! **Time of parameters.** Parameters hold from the moment at which they are handed in until the next ones: an update
//! plays its step under the old ones, then decides under the new ones. A fade that begins has weight 0 in that moment.
//!
//! **Events.** What lies where a clock begins is told in the moment from which on it moves, so at the start by the
//! first update, also one of no time; then everything is told on arrival. A moment is told once for each time it is
//! passed, a span that begins ends once: where its clock leaves it, or where nobody tells its clock any more. Of a sync
//! space the leader is told, with the weight of all of it.
//!
//! **Activity.** A node is active while it has weight in the output (or gives a phase or a reference to one that has).
//! Clocks of other nodes stand still.
//!
//! Sources: the trees of "Game engine: principles and practice" volume 2, chapter 3, as data instead of objects;
//! post-order lists as in Bevy's animation graph; the leader rule of Unreal's sync groups; Bollo, "Inertialization",
//! GDC 2018.

mod clock;
mod compile;
mod decide;
mod def;
mod describe;
mod error;
mod evaluate;
mod event;
mod limit;
mod memory;
mod node;
mod partial;
mod share;
mod source;
mod space;
mod span;
mod state;
mod tell;
mod travel;
mod triangulation;
mod update;
mod weigh;

pub use def::{
    BranchDef, ClipDef, ClipNode, Compare, Condition, DeltaInput, DeltaSpace, Enter, FadePolicy, FadeTimes, GraphDef,
    LayerDef, LayerMode, MachineNode, MarkerDef, MaskDef, NodeDef, NodeKind, ParameterDef, PartialMode, PartialNode,
    PartialWeights, ReferenceDef, SlotNode, SpaceDef, SpaceNode, StateDef, SwitchNode, SyncSpaceNode, TransitionDef,
    Value,
};
pub use error::GraphError;
pub use evaluate::{ClipSource, GraphScratch};
pub use event::{EventPolicy, GraphEvent, GraphSignal, LeafMove};
pub use limit::{SPEED_MAX, STATE_TIME_MIN, TIME_MAX};
pub use node::Graph;
pub use share::ClipShare;
pub use state::{GraphState, Play, Shown};
