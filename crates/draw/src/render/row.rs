//! Row: everything about a kind of pass, as data and functions. `pass/mod.rs` is the table of them.

use super::frame::Frame;
use super::job::Job;
use super::prepared::{Prepared, Wish};
use super::stretch::Stretch;
use crate::frame::{Pass, Planner, ViewId};

/// A kind of pass.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub name: &'static str,
    pub declare: Declare,
    /// Records a stretch of one of its passes.
    pub record: fn(&mut Frame<'_>, &mut wgpu::CommandEncoder, &Pass, &Stretch),
    /// Shader texts that its passes use besides those of items, with their names.
    pub texts: fn(&Job<'_>, &Prepared, &Pass) -> Vec<(String, String)>,
}

/// How a row adds its targets, layers, lists and passes to a plan.
#[derive(Clone, Copy, Debug)]
pub enum Declare {
    /// For all cameras together, before anything of a camera.
    Once(fn(&Wish<'_>, &mut Planner)),
    /// For each camera.
    EachCamera(fn(&Wish<'_>, ViewId, &mut Planner)),
    /// Other rows declare its passes between their own.
    ByOthers,
}

/// The row that records a pass.
pub fn row_of<'a>(rows: &'a [Row], pass: &Pass) -> &'a Row {
    let wanted = pass.row;
    let found = rows.iter().find(|Row { name, .. }| *name == wanted);
    found.unwrap_or_else(|| panic!("{} is recorded by {wanted}, which the table of rows lacks", pass.name))
}

/// For rows without texts of their own.
pub fn no_texts(_: &Job<'_>, _: &Prepared, _: &Pass) -> Vec<(String, String)> {
    Vec::new()
}
