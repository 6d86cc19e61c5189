//! Time control: where in its clip an animation is, and which events it passes on the way. Exact in integers.
//!
//! In: a [`Playback`] (window, mode, passes, what happens at the end) and the events of a clip, compiled once to a
//! [`Timeline`]; then steps of whole ticks. Out: local time, and every [`Fired`] event in order, each exactly once
//! however the time is cut into steps. Never here: poses, files, floating-point time, allocation after
//! [`Timeline::new`].
//!
//! **Model.** A [`Controller`] holds one number that moves: the unwrapped [`Position`] `u` in sub-ticks (1/65536 of a
//! [`Tick`](stillframe_base::tick::Tick)). A tick of time moves it by the [`Speed`], also in sub-ticks. Local time is a
//! pure function of `u` ([`Timeline::local`]); nothing is wrapped, rounded or accumulated, so a second after three days
//! is as exact as the first.
//!
//! **Arrival.** Moving forward from `a` to `b` fires what happens in `(a, b]`, backward in `[b, a)`: an instant fires
//! when the position arrives at it. Where a loop begins again, the end of the old pass comes before the start of the
//! new one; several events of one instant come in the order of their list; backward, everything is in reverse. A turn
//! of a ping-pong is one instant and fires once.
//!
//! **Spans**, events with a begin and an end, are states: entered and left. Whether one is active is a function of the
//! position ([`Timeline::is_active`]: from its begin until just before its end, in the order of unwrapped time), so
//! forward they change on arrival and backward on departure, and between seeks every [`Signal::Enter`] has its
//! [`Signal::Leave`], also when a playhead turns round exactly on an edge. A span that touches the turn of a ping-pong
//! goes on through it.
//!
//! Sources: the modes and the time mapping are those of "Game engine: principles and practice" volume 2, section 2.1,
//! with the reverse modes of its exercise 2.1; its event rules (2.2) miss and repeat events and are replaced by the
//! rule above. Passes, their count and the value held at the end follow Web Animations level 1, section 4 (iterations,
//! fill). Sync groups follow the leader rule of Unreal's sync groups.

mod controller;
mod error;
mod event;
mod fade;
mod position;
mod sync;
mod timeline;
mod transition;
mod walk;

pub use controller::{Controller, Step};
pub use error::TimeError;
pub use event::{Event, Fired, Signal, Track};
pub use fade::{Ease, Fade, Weight};
pub use position::{Position, SUB_TICKS_PER_TICK, Speed};
pub use sync::{Marker, Pace, SyncClock, SyncGroup, SyncMember, SyncStep};
pub use timeline::{AtEnd, Mode, Playback, Repeat, Timeline};
pub use transition::{Side, SourceSeek, Transition};
