//! Harness: image tests over scenes.
//!
//! In: a project's scenes. Out: records of cases for a run's folder (what is done with those is `stillframe-frames`').
//! Never here: printing, the clock, processes (all `cli`'s).
//!
//! A test calls [`assert_frame!`](crate::assert_frame) for a scene with references, and [`Frame::render`] to ask a
//! picture something else. [`Project`] is where things lie, and [`list`] finds its cases.
//!
//! The command line has the rest: `judge` renders and compares, `shrink` makes scenes smaller, `mutate` counts who
//! notices faults, `doctor` examines the machine, `discover` finds scenes.

mod assert;
mod case;
mod discover;
mod doctor;
mod judge;
mod mutate;
mod project;
mod shrink;

pub use assert::{Frame, assert_frame, check_frame};
pub use case::{Case, Listed, Piece, list};
pub use project::{Config, Group, Project};
pub use stillframe_frames::testing::{Settings, Update};

pub(crate) use case::listed;
pub(crate) use discover::{files_below, scene_files};
pub(crate) use doctor::examine;
pub(crate) use judge::{
    Ask, Capsule, Judge, Known, Look, References, Rendering, Repeats, Setup, Subject, Via, build_id, diagnostic_lines,
    known,
};
pub(crate) use mutate::{Noticed, Score, score};
pub(crate) use shrink::{Question, Shrunk, shrink};
