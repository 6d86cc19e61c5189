//! Harness: image tests over scenes.
//!
//! In: a project's scenes. Out: records of cases for a run's folder (what is done with those is `stillframe-frames`').
//! Never here: printing, the clock, processes (all `cli`'s).
//!
//! [`project`](Project) is where things lie, [`case`](Piece) what is to be rendered, [`judge`](Judge) renders and
//! compares.

mod assert;
mod case;
mod discover;
mod doctor;
mod judge;
mod mutate;
mod project;
mod shrink;

pub use assert::{Frame, assert_frame, check_frame};
pub use case::{Case, Listed, Piece, list, listed};
pub use discover::scene_files;
pub use doctor::{Examined, Specimen, examine, specimens};
pub use judge::{Ask, Capsule, Clock, Judge, Look, Setup, Subject, Via, build_id, diagnostic_lines, known};
pub use mutate::{Noticed, Score, score};
pub use project::{Config, Group, PROJECT_FILE, Project};
pub use shrink::{Question, Shrunk, shrink};
