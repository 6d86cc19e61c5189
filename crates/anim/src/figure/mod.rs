//! Figure: parts that are worn on one skeleton, bodies of other proportions, and poses of one skeleton on another.
//!
//! In: names of joints, inverse binds, rest poses, model matrices. Out: which joint is which ([`Figure`], [`NameMap`]),
//! inverse binds that make a body fat or thin ([`body_binds`], [`BlendBinds`], [`hung_binds`]), poses for another
//! skeleton ([`Retarget`]). Never here: meshes, textures, files.
//!
//! All of these leave clips alone: they are shared, and only what is between joints and vertices is another.
//!
//! Source: "Game engine: principles and practice" volume 2, sections 5.2 and 5.3. Its second formula of 5.3 lacks the
//! joint itself (D28); the first is built here. Weights of a body, which it leaves open, blend matrices.

mod bind;
mod error;
mod names;
mod parts;
mod retarget;

pub use bind::{BlendBinds, body_binds, hung_binds};
pub use error::{FigureError, PartJoint};
pub use names::{NameMap, NameRules};
pub use parts::{Figure, Part, RawPart};
pub use retarget::Retarget;
