//! Crowds: what is baked is what moves, within the error that was asked for; what the jobs give is what the formulas say, in any order and
//! at any time.

#[path = "crowd/bake.rs"]
mod bake;
#[path = "crowd/clock.rs"]
mod clock;
#[path = "crowd/cull.rs"]
mod cull;
#[path = "crowd/place.rs"]
mod place;
#[path = "crowd/puppet.rs"]
mod puppet;
#[path = "crowd/sample.rs"]
mod sample;
#[path = "crowd/shapes.rs"]
mod shapes;
#[path = "crowd/travel.rs"]
mod travel;
#[path = "crowd/vertices.rs"]
mod vertices;
