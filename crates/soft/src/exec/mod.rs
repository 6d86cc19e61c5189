//! Exec: lanes run a `Program`.
//!
//! In: a [`Program`], its resources, a block of up to `LANES` lanes. Out: registers, writes to storage.
//!
//! Lane order. Fragments: lane = quad * 4 + (y & 1) * 2 + (x & 1). Vertices and compute: lane = index within the block.
//! Pure operations run on all lanes; masks guard what can be seen (variables, memory, calls that need active lanes).

use stillframe_base::lanes::{Block, Isa, LaneMask};

use crate::program::{Program, Reg};
use crate::work::{Bindings, Fault};

/// The uniform file after the uniform prologue, and the resolved resources: made once a draw or dispatch, shared by threads.
#[derive(Debug)]
pub struct Prepared {}

impl Prepared {
    /// Resolves resources and runs what is uniform over the whole draw. `num_workgroups` is read by compute only.
    pub fn new(_program: &Program, _bindings: &Bindings, _num_workgroups: [u32; 3]) -> Result<Prepared, Fault> {
        unimplemented!()
    }
}

/// Register file, mask stack and workgroup memory of one worker thread; kept between draws, passes and frames.
#[derive(Debug)]
pub struct Machine {}

impl Machine {
    pub fn new(_isa: Isa, _step_budget: u64) -> Machine {
        unimplemented!()
    }
    /// Makes ready for `program`: grows the file, copies the uniform file. Call before writing inputs when the draw changes.
    pub fn begin(&mut self, _program: &Program, _prepared: &Prepared) {}
    pub fn reg(&self, _reg: Reg) -> &Block {
        unimplemented!()
    }
    pub fn reg_mut(&mut self, _reg: Reg) -> &mut Block {
        unimplemented!()
    }
    /// Lanes `0..lane_count` are vertices.
    pub fn run_vertex(&mut self, _program: &Program, _prepared: &Prepared, _lane_count: usize) -> Result<(), Fault> {
        unimplemented!()
    }
    /// Quads `0..quad_count` are live, helpers included; `covered` lanes may write. Returns the covered lanes not discarded.
    pub fn run_fragment(
        &mut self,
        _program: &Program,
        _prepared: &Prepared,
        _quad_count: usize,
        _covered: &LaneMask,
    ) -> Result<LaneMask, Fault> {
        unimplemented!()
    }
    /// One workgroup of any size up to 1024 invocations: in lock step, so barriers cost nothing.
    pub fn run_workgroup(
        &mut self,
        _program: &Program,
        _prepared: &Prepared,
        _workgroup_id: [u32; 3],
    ) -> Result<(), Fault> {
        unimplemented!()
    }
}
