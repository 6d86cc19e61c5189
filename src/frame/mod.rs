//! Frame: the plan of one picture: which passes run, in which order, what they read and write.
//!
//! In: a [`Request`]: sizes, samples, what is wanted. Out: a [`Plan`], with a text dump. Never here: wgpu, scenes, shaders.

mod build;
mod plan;

pub use build::{Colour, CubeRequest, Request, plan};
pub use plan::{Format, Output, Part, Pass, PassKind, Plan, Target, TargetId};
