//! Stillframe's material graphs: a surface as nodes that are joined.
//!
//! ```text
//! Graph --check--> Problems      Graph --program(outputs)--> Program --functions--> WGSL
//!                                                            Program --expected--> values in f64 (the oracle)
//! ```
//!
//! In: nodes of kinds that the rows of `node` list, and what feeds their pins. Out: what is wrong, the WGSL of the
//! wanted outputs, its parameters and textures. Never here: files and their spans, shaders' other parts, devices.
//!
//! A [`Program`] holds what an output needs and nothing else: it is pruned, and equal sub-graphs are one. It does not
//! depend on the order or the names of the nodes of its graph, so that equal surfaces have equal shaders.

mod check;
mod emit;
mod eval;
mod form;
mod graph;
mod library;
mod node;
mod page;
mod program;
mod row;
mod text;

pub use check::{Problem, Spot, Stage, Wrong, check};
pub use emit::{arguments, declarations, functions, probed, read, sampler_binding, texture_binding};
pub use eval::{Around, Expected, expected};
pub use graph::{Graph, Input, Link, Node, NotFound, Output, REFUSED, Refused, find};
pub use node::{FAMILIES, Family, Kind, ROWS};
pub use page::markdown;
pub use program::{Bound, Program, Sampled, Source, Step, StepSetting};
pub use row::{Default, Geometry, GeometryValues, Meaning, Out, PINS_MAX, Pin, Row, Setting, Settled, Width};
