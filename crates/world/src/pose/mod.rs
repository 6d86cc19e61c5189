//! Pose: where a model's nodes stand at a moment, and what its geometry looks like there.
//!
//! In: a raw [`Model`](crate::import::Model) and the clips that play. Out: matrices, morph weights, bent geometry.
//! Never here: files, scenes, welding, wgpu. A pose is a pure function of the model and the time; matrices are
//! multiplied in f64 and rounded once.
//!
//! Source: glTF 2.0, 3.5 (transforms), 3.7.2.2 (morph targets), 3.7.3 (skins), 3.11 (animations); FBX as
//! `import::TransformStack` and `layered` say.

mod bend;
mod decompose;
mod keys;
mod layered;
mod local;
mod numbers;
mod place;
mod relative;

pub use bend::{Method, bend, bend_of, geometry_of, influence_list, method_of, posture, shares, tail_of};
pub use keys::{key_times, track_key_times};
pub use numbers::{MorphPlace, OfPoint, ends, joints, morph_places, points};
pub use place::{Playing, Pose, globals, morph_weights, pose};
pub use relative::locals;
