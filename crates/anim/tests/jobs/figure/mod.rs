//! Figures: parts on one skeleton, bodies of other proportions, names, and poses for another skeleton.

mod bodies;
mod names;
mod parts;
mod rig;
