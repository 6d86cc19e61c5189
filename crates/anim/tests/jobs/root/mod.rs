//! Root motion: laws `p24` to `p28`, with the pose that is not taken apart as the oracle.

mod blend;
mod errors;
mod laws;
mod walk;
