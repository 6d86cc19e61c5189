//! Report: what a run tells people and other programs.
//!
//! In: a [`Run`](crate::run::Run), or several of one suite. Out: text and files: a page for browsers ([`html`]), JUnit
//! XML, JSON, what GitHub shows, the block that a terminal prints for a failure; several runs joined to one
//! ([`merge`]). Never here: rendering, comparing, printing, the environment, the clock.

mod failure;
mod github;
mod html;
mod json;
mod junit;
mod merge;
mod verdict;

pub(crate) use failure::update_word;
pub use failure::{Paint, Surroundings, advice, failure_block, head_line, quoted};
pub use github::{comment, github, step_summary};
pub use html::{Live, Page, PageOptions, html};
pub use json::{json, json_lines, line};
pub use junit::junit;
pub use merge::merge;
pub use verdict::{Verdict, verdict};

use crate::run::CaseRecord;

/// Whether a picture's name stays within the run's folder. Names come from files, which come from anywhere.
fn is_inside(name: &str) -> bool {
    !name.contains(['\\', ':', '"', '<', '&']) && name.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

/// Every picture that a record names and that lies within its run's folder.
pub fn pictures_of(record: &CaseRecord) -> impl Iterator<Item = &String> {
    let own = [&record.new_picture, &record.old_picture, &record.diff_picture, &record.object_picture];
    let of_passes = record.passes.iter().flat_map(|pass| [&pass.new_picture, &pass.old_picture]);
    own.into_iter().chain(of_passes).flatten().filter(|name| is_inside(name))
}
