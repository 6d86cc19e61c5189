//! Animation on plain data: no files, no scenes, no wgpu.
//!
//! Raw types ([`RawClip`] and what it holds) are what importers fill: easy to edit, checkable, exact to the file. Time is
//! integer ticks ([`stillframe_base::tick`]); sampling is a pure function of time, the same bits on every machine.
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

/// The example of the README holds.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
