//! Frame: the plan of a picture or of several: which passes run, in which order, what they read, write and draw.
//!
//! In: what the rows of passes declare to a [`Planner`], and which layers are wanted. Out: a [`Plan`], with a text
//! dump. Never here: wgpu, scenes, shaders' texts, the name of any pass or target.

mod dump;
mod plan;
mod planner;
mod target;
mod view;

pub use plan::{Draw, How, Items, Layer, List, ListId, Output, Pass, Plan, Use};
pub use planner::{NotThere, Planner};
pub use target::{Format, Life, Part, Target, TargetId};
pub use view::{Eye, View, ViewId};
