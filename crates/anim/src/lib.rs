#![doc = include_str!("../README.md")]
//!
//! # For maintainers
//!
//! In: raw types ([`RawClip`] and its parts), which importers fill: easy to edit, checkable, exact to the file. Out:
//! poses, vertices, events. Never here: files, scenes, wgpu, a clock. Sampling is a pure function of integer ticks
//! ([`stillframe_base::tick`]).
#![deny(unsafe_code)]

pub mod bounds;
mod clip;
pub mod compress;
pub mod crowd;
mod curve;
pub mod figure;
pub mod graph;
pub mod ik;
mod keyed;
pub mod metric;
pub mod morph;
pub mod pose;
pub mod root;
pub mod sample;
pub mod skin;
pub mod socket;
mod spacing;
pub mod time;

pub use clip::{LayerBlend, Property, RawClip, RawLayer, RawTrack, TrackValues};
pub use curve::{Curve, CurveKey, Extend, ExtendKind, Segment, Tangent};
pub use keyed::{Interpolation, Keyed, KeyedError, slerp};
