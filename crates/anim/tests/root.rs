//! Root motion: laws `p24` to `p28`, with the pose that is not taken apart as the oracle.

#[path = "root/blend.rs"]
mod blend;
#[path = "root/errors.rs"]
mod errors;
#[path = "root/laws.rs"]
mod laws;
#[path = "root/walk.rs"]
mod walk;
