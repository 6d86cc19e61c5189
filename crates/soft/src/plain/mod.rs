//! Plain: the oracle. Walks naga IR and pixels one by one, imports neither `program`, `exec`, `sample`, `raster` nor lanes.
//!
//! In: the same `work` as the fast path. Out: the same bits.

use crate::work::{Dispatch, Fault, RenderPass};

/// Executes a pass one pixel at a time.
pub fn run_pass(_pass: &RenderPass, _step_budget: u64) -> Result<(), Fault> {
    unimplemented!()
}

/// Executes a dispatch; the invocations of a workgroup advance in lock step.
pub fn run_dispatch(_dispatch: &Dispatch, _step_budget: u64) -> Result<(), Fault> {
    unimplemented!()
}
