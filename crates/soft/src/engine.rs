//! Engine: carries out work, on the fast path or on the oracle. One per device.
//!
//! In: a `work::RenderPass` or `work::Dispatch`. Out: what it writes, or the fault that ended it.

use crate::dispatch::{self, Machines};
use crate::exec::Processor;
use crate::plain;
use crate::raster::{self, Kept};
use crate::work::{Dispatch, Fault, RenderPass};

#[derive(Debug)]
pub struct Engine {
    processor: Processor,
    /// Run everything on the slow oracle (`plain`) instead. For tests.
    plain: bool,
    /// Memory kept between passes.
    kept: Kept,
    /// Machines of dispatches, kept likewise.
    machines: Machines,
}

impl Engine {
    pub fn new(processor: Processor, plain: bool) -> Engine {
        Engine { processor, plain, kept: Kept::default(), machines: Machines::default() }
    }

    pub fn run_pass(&self, pass: &RenderPass) -> Result<(), Fault> {
        match self.plain {
            true => plain::run_pass(pass, self.processor.step_budget),
            false => raster::run_pass(&self.processor, &self.kept, pass),
        }
    }

    pub fn run_dispatch(&self, dispatch: &Dispatch) -> Result<(), Fault> {
        match self.plain {
            true => plain::run_dispatch(dispatch, self.processor.step_budget),
            false => dispatch::run(&self.processor, &self.machines, dispatch),
        }
    }
}
