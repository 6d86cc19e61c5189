//! Image tests as their users run them: the program itself, in projects made for each test.

#[path = "harness/attribution.rs"]
mod attribution;
#[path = "harness/between.rs"]
mod between;
#[path = "harness/choosing.rs"]
mod choosing;
#[path = "harness/ground.rs"]
mod ground;
#[path = "harness/shrinking.rs"]
mod shrinking;
#[path = "harness/statuses.rs"]
mod statuses;
#[path = "harness/tools.rs"]
mod tools;
#[path = "harness/world.rs"]
mod world;
