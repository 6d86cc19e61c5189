//! Time control against its laws. `p01` to `p43` are the laws by number; the oracle is written from the definition, and players
//! with planted mistakes show that the judge sees them.

#[path = "laws/ends.rs"]
mod ends;
#[path = "laws/errors.rs"]
mod errors;
#[path = "laws/events.rs"]
mod events;
#[path = "laws/mistakes.rs"]
mod mistakes;
#[path = "laws/oracle.rs"]
mod oracle;
#[path = "laws/player.rs"]
mod player;
#[path = "laws/replies.rs"]
mod replies;
#[path = "laws/script.rs"]
mod script;
#[path = "laws/state.rs"]
mod state;
#[path = "laws/sync.rs"]
mod sync;
#[path = "laws/transitions.rs"]
mod transitions;
