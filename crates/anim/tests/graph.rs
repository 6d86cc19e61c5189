//! Pose graphs against oracles: clips by formula on a biped, poses made again from sampled clips, weights by hand.

#[path = "graph/additive.rs"]
mod additive;
#[path = "graph/biped.rs"]
mod biped;
#[path = "graph/errors.rs"]
mod errors;
#[path = "graph/events.rs"]
mod events;
#[path = "graph/found.rs"]
mod found;
#[path = "graph/laws.rs"]
mod laws;
#[path = "graph/machine.rs"]
mod machine;
#[path = "graph/monster.rs"]
mod monster;
#[path = "graph/partial.rs"]
mod partial;
#[path = "graph/share.rs"]
mod share;
#[path = "graph/slot.rs"]
mod slot;
#[path = "graph/spaces.rs"]
mod spaces;
#[path = "graph/spans.rs"]
mod spans;
#[path = "graph/switch.rs"]
mod switch;
#[path = "graph/sync.rs"]
mod sync;
#[path = "graph/travel.rs"]
mod travel;
