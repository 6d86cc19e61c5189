//! Dispatch: one compute grid, workgroups in a fixed order.
use crate::work::{Dispatch, Engine, Fault};

/// Runs every workgroup of `dispatch`; on several threads only where no result can depend on it.
pub fn run(_engine: &Engine, _dispatch: &Dispatch) -> Result<(), Fault> {
    unimplemented!()
}
