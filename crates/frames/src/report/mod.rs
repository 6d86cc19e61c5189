//! Report: what a run tells people and other programs.
//!
//! In: a [`Run`](crate::run::Run), or several of one suite. Out: text and files: a page for browsers ([`html`]), JUnit XML, JSON, what
//! GitHub shows, the block that a terminal prints for a failure. Never here: rendering, comparing, printing, the environment, the clock.

mod failure;
mod html;
mod verdict;

pub use failure::{Paint, Surroundings, advice, failure_block};
pub use html::{Live, Page, PageOptions, html};
pub use verdict::{Verdict, verdict};
