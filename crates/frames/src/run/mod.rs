//! Run: what a test run leaves behind, so that reports, reviews and decisions never render again.
//!
//! ```text
//! target/stillframe/runs/000017/
//!   run.jsonl          a [`RunHeader`], a [`CaseRecord`] a case, a [`RunEnd`]
//!   pictures/HEX.png   pictures by pixel hash; .exr where PNG cannot hold the samples
//!   passes/HEX.passes  hashes of every pass by their root
//!   inputs/HEX.inputs  what went into a picture, by its hash
//!   decisions.jsonl    what people said, a [`Decision`] a line
//! ```
//!
//! In: what a harness found out. Out: lines and files. Never here: rendering, printing, the clock.

mod decision;
mod folder;
mod header;
mod inputs;
mod moved;
mod record;
mod status;
mod why;

pub use decision::{Decision, Verb, parse_decisions};
pub(crate) use folder::numbers;
pub use folder::{PictureName, Run, RunError, RunFolder, newest, prune, read_picture};
pub use header::{Cluster, RunEnd, RunHeader, cluster_id, clusters};
pub use inputs::{InputChange, InputChanges, Inputs};
pub use moved::pair_moved;
pub use record::{CaseRecord, ObjectShare, PassRecord, Place, Why, split_name};
pub use status::{Status, Tally, worst_exit_status};
