//! Figures: parts on one skeleton, bodies of other proportions, names, and poses for another skeleton.

#[path = "figure/bodies.rs"]
mod bodies;
#[path = "figure/names.rs"]
mod names;
#[path = "figure/parts.rs"]
mod parts;
#[path = "figure/rig.rs"]
mod rig;
