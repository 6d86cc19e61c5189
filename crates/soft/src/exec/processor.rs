//! Processor: the threads and the instruction set that programs run on.

use stillframe_base::lanes::Isa;
use stillframe_base::par::Pool;

use super::machine::Machine;

#[derive(Debug)]
pub struct Processor {
    /// Runs tiles, chunks of vertices and workgroups.
    pub pool: Pool,
    pub isa: Isa,
    /// Instructions that loops may run in one block before it counts as endless.
    pub step_budget: u64,
}

impl Processor {
    /// A machine for one thread.
    pub fn machine(&self) -> Machine {
        Machine::new(self.isa, self.step_budget)
    }
}
