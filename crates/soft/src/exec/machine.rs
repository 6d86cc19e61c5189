//! Machine: the loop that runs a program on one block, and the memory it needs.
#![expect(unsafe_code, reason = "registers are addressed by the offsets that the lowering made")]

use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use naga::{BuiltIn, ShaderStage};
use stillframe_base::lanes::{Block, Isa, LANES, LaneMask};

use super::kernels::{self, Kernel};
use super::lanes::LaneKernels;
use super::prepare::{Prepared, Resource, query, run_uniform};
use super::runs::{LANES_MAX, Runs};
use super::{memory, texture};
use crate::program::code::{A_VARIES, Arg, B_VARIES, NONE, Op, PlacedCall, SCALAR, SPECIAL, Special};
use crate::program::ir::{CallKind, Memory};
use crate::program::{Io, Program, Reg, Root};
use crate::work::Fault;

/// Register file, mask stack and workgroup memory of one worker thread; kept between draws, passes and frames.
#[derive(Debug)]
pub struct Machine {
    isa: Isa,
    step_budget: u64,
    kernels: Arc<[Kernel]>,
    lanes: LaneKernels,
    /// The uniform file, then registers, then private memory (`program::code`).
    file: Vec<Block>,
    layout: Layout,
    workgroup: Vec<u32>,
    saved: Vec<Runs>,
    /// Operands and results of texture calls that are not whole blocks.
    scratch: Vec<Block>,
    local_ids: LocalIds,
}

/// Where the program of the last `begin` has its registers in the file, in words.
#[derive(Clone, Copy, Debug)]
struct Layout {
    /// All that the program uses.
    words: usize,
    registers_at: usize,
    /// Lanes of a register.
    stride: usize,
}

impl Layout {
    fn of(program: &Program) -> Layout {
        let (registers_at, stride) = (program.registers_at as usize, program.stride as usize);
        let rows = program.register_count as usize + program.private_words as usize;
        Layout { words: registers_at + rows * stride, registers_at, stride }
    }

    fn at(&self, reg: Reg) -> usize {
        let at = self.registers_at + reg.0 as usize * self.stride;
        assert!(at + self.stride <= self.words, "register {} is not of the program that was begun", reg.0);
        at
    }
}

/// Local invocation ids by axis and index, as the registers want them.
#[derive(Debug, Default)]
struct LocalIds {
    ids: [Vec<u32>; 4],
    /// Of workgroups of this size, so many side by side.
    size: [u32; 3],
    groups: u32,
}

impl LocalIds {
    fn fill(&mut self, size: [u32; 3], groups: u32) {
        if (self.size, self.groups) == (size, groups) {
            return;
        }
        let count = size.iter().product::<u32>();
        self.ids.iter_mut().for_each(Vec::clear);
        for index in (0..groups).flat_map(|_| 0..count) {
            let values = [index % size[0], index / size[0] % size[1], index / (size[0] * size[1]), index];
            self.ids.iter_mut().zip(values).for_each(|(ids, v)| ids.push(v));
        }
        (self.size, self.groups) = (size, groups);
    }
}

/// What one run needs to know besides the machine.
struct Block256<'a> {
    program: &'a Program,
    prepared: &'a Prepared,
    lane_count: usize,
}

impl Machine {
    /// `step_budget`: instructions that loops may run in one block before it counts as endless.
    pub fn new(isa: Isa, step_budget: u64) -> Machine {
        Machine {
            isa,
            step_budget,
            kernels: kernels::table(isa).into(),
            lanes: LaneKernels::new(isa),
            file: Vec::new(),
            layout: Layout { words: 0, registers_at: 0, stride: LANES },
            workgroup: Vec::new(),
            saved: Vec::new(),
            scratch: vec![Block::ZERO; texture::ARGS_MAX + 4],
            local_ids: LocalIds::default(),
        }
    }

    /// Makes ready for `program`: grows the file, copies the uniform file. Call before writing inputs when the draw
    /// changes.
    pub fn begin(&mut self, program: &Program, prepared: &Prepared) {
        self.layout = Layout::of(program);
        // One block more than needed: `reg` hands out whole blocks.
        let blocks = self.layout.words.div_ceil(LANES) + 1;
        if self.file.len() < blocks {
            self.file.resize(blocks, Block::ZERO);
        }
        let words: &mut [u32] = bytemuck::cast_slice_mut(&mut self.file);
        words[..prepared.uniforms.len()].copy_from_slice(&prepared.uniforms);
        if self.saved.len() < program.run_slots as usize {
            self.saved.resize(program.run_slots as usize, Runs::NONE);
        }
    }

    /// A register. Lanes that the last run did not touch hold anything.
    pub fn reg(&self, reg: Reg) -> &Block {
        let at = self.layout.at(reg);
        assert!(self.layout.stride == LANES, "registers of this program are {} lanes", self.layout.stride);
        // SAFETY: `at` is a multiple of 16 words in a file aligned to 64 bytes, and a whole block lies behind it
        // (`begin`).
        unsafe { &*self.file.as_ptr().cast::<u32>().add(at).cast::<Block>() }
    }

    /// A register to write inputs to.
    pub fn reg_mut(&mut self, reg: Reg) -> &mut Block {
        let at = self.layout.at(reg);
        assert!(self.layout.stride == LANES, "registers of this program are {} lanes", self.layout.stride);
        // SAFETY: as in `reg`.
        unsafe { &mut *self.file.as_mut_ptr().cast::<u32>().add(at).cast::<Block>() }
    }

    /// Lanes `0..lane_count` are vertices.
    pub fn run_vertex(&mut self, program: &Program, prepared: &Prepared, lane_count: usize) -> Result<(), Fault> {
        self.run(&Block256 { program, prepared, lane_count })
    }

    /// Quads `0..quad_count` are live, helpers included; `covered` lanes may write. Returns the covered lanes not
    /// discarded.
    pub fn run_fragment(
        &mut self,
        program: &Program,
        prepared: &Prepared,
        quad_count: usize,
        covered: &LaneMask,
    ) -> Result<LaneMask, Fault> {
        if let Some(reg) = program.write_mask {
            let from_bits = self.lanes.from_bits;
            from_bits(covered, self.reg_mut(reg));
        }
        self.run(&Block256 { program, prepared, lane_count: quad_count * 4 })?;
        Ok(match program.write_mask {
            Some(reg) if program.traits.discards => (self.lanes.to_bits)(self.reg(reg)) & *covered,
            _ => *covered,
        })
    }

    /// Up to `Program::groups_per_run` workgroups of up to 1024 invocations side by side: in lock step, so barriers
    /// cost nothing.
    pub fn run_workgroups(
        &mut self,
        program: &Program,
        prepared: &Prepared,
        workgroup_ids: &[[u32; 3]],
    ) -> Result<(), Fault> {
        let size = program.workgroup_size.iter().product::<u32>() as usize;
        assert!(
            (1..=program.groups_per_run as usize).contains(&workgroup_ids.len()),
            "{} workgroups of at most {}",
            workgroup_ids.len(),
            program.groups_per_run
        );
        assert!(program.stage == ShaderStage::Compute, "workgroups belong to compute programs");
        self.local_ids.fill(program.workgroup_size, program.groups_per_run);
        for input in &program.inputs {
            let at = self.layout.at(input.reg);
            let words: &mut [u32] = bytemuck::cast_slice_mut(&mut self.file);
            let register = &mut words[at..at + size * workgroup_ids.len()];
            match input.what {
                Io::BuiltIn(BuiltIn::LocalInvocationId) => {
                    register.copy_from_slice(&self.local_ids.ids[input.component as usize][..register.len()]);
                }
                Io::BuiltIn(BuiltIn::LocalInvocationIndex) => {
                    register.copy_from_slice(&self.local_ids.ids[3][..register.len()]);
                }
                Io::BuiltIn(BuiltIn::WorkGroupId) => {
                    for (group, lanes) in workgroup_ids.iter().zip(register.chunks_mut(size)) {
                        lanes.fill(group[input.component as usize]);
                    }
                }
                other => unreachable!("{other:?} is not an input of a compute program"),
            }
        }
        let words: &mut [u32] = bytemuck::cast_slice_mut(&mut self.file);
        for root in &program.roots {
            if let Root::WorkgroupId(axis) = root.root {
                words[root.word as usize] = workgroup_ids[0][axis as usize];
            }
        }
        self.workgroup.clear();
        self.workgroup.resize(program.workgroup_words as usize, 0);
        self.run(&Block256 { program, prepared, lane_count: size * workgroup_ids.len() })
    }

    /// Runs a program from its first instruction to its end.
    fn run(&mut self, block: &Block256<'_>) -> Result<(), Fault> {
        let Block256 { program, prepared, lane_count } = *block;
        assert!(lane_count <= program.stride as usize, "{lane_count} lanes of {}", program.stride);
        assert!(
            program.registers_at as usize == self.layout.registers_at && program.stride as usize == self.layout.stride,
            "`begin` was called for another program"
        );
        if lane_count == 0 {
            return Ok(());
        }
        let mut runs = Runs::all(lane_count);
        let mut steps = 0u64;
        let file: *mut u32 = self.file.as_mut_ptr().cast();
        let ops = program.ops.as_slice();
        let kernels = self.kernels.clone();
        let mut at = 0usize;
        loop {
            let op = &ops[at];
            at += 1;
            if op.code < SCALAR {
                let kernel = kernels[op.code as usize];
                for run in runs.as_slice() {
                    let start = run.start as usize;
                    // SAFETY: runs lie inside `0..stride`, `op.dst` is a register of the file that `begin` has grown
                    // for this program, and no operand of the instruction overlaps it (`program::allocate`).
                    let dst =
                        unsafe { std::slice::from_raw_parts_mut(file.add(op.dst as usize + start), run.len as usize) };
                    // A kernel may look at the slots behind its instruction, so it gets a pointer into the row.
                    kernel(dst, file, unsafe { ops.as_ptr().add(at - 1) }, start);
                }
                at += op.extra as usize;
                continue;
            }
            if op.code < SPECIAL {
                // SAFETY: the uniform file lies before the registers.
                let uniforms = unsafe { std::slice::from_raw_parts_mut(file, self.layout.registers_at) };
                run_uniform(op, uniforms, &prepared.resources, &program.table);
                continue;
            }
            let special = Special::ALL[(op.code - SPECIAL) as usize];
            // SAFETY: a register of the file, which nothing else borrows while a mask is read.
            let register = |at: u32| unsafe { std::slice::from_raw_parts(file.add(at as usize), self.layout.stride) };
            match special {
                Special::Jump => at = op.imm as usize,
                Special::JumpIfZero => {
                    // SAFETY: a word of the uniform file.
                    if unsafe { *file.add(op.a as usize) } == 0 {
                        at = op.imm as usize;
                    }
                }
                Special::JumpIfNonZero => {
                    // SAFETY: a word of the uniform file.
                    if unsafe { *file.add(op.a as usize) } != 0 {
                        at = op.imm as usize;
                    }
                }
                Special::BranchNone => {
                    if self.lanes.masks.live(&runs, register(op.a), lane_count) == 0 {
                        at = op.imm as usize;
                    }
                }
                Special::BranchAll => {
                    if self.lanes.masks.all(&runs, register(op.a), lane_count) {
                        at = op.imm as usize;
                    }
                }
                Special::SaveRuns => self.saved[op.extra as usize] = runs,
                Special::Narrow => {
                    let live = self.lanes.masks.live(&runs, register(op.a), lane_count);
                    if live == 0 {
                        at = op.imm as usize;
                    } else {
                        runs = Runs::of_chunks(live);
                    }
                }
                Special::Widen => runs = self.saved[op.extra as usize],
                Special::Back => {
                    steps += u64::from(op.a);
                    if steps > self.step_budget {
                        return Err(Fault::StepBudget { shader: program.name.clone(), steps: self.step_budget });
                    }
                    at = op.imm as usize;
                }
                Special::End => return Ok(()),
                Special::LoadBuffer | Special::LoadTable | Special::Query => {
                    // SAFETY: the uniform file lies before the registers.
                    let uniforms = unsafe { std::slice::from_raw_parts_mut(file, self.layout.registers_at) };
                    run_uniform(op, uniforms, &prepared.resources, &program.table);
                }
                _ => self.special(special, op, block, &runs, file),
            }
        }
    }

    /// Instructions that read or write memory, or look across lanes.
    fn special(&mut self, special: Special, op: &Op, block: &Block256<'_>, runs: &Runs, file: *mut u32) {
        let Block256 { program, prepared, lane_count } = *block;
        // SAFETY of the three: offsets of this program's instructions, inside the file that `begin` has grown;
        // destinations overlap no operand.
        let lanes_of = |at: u32, start: usize, len: usize| unsafe {
            std::slice::from_raw_parts(file.add(at as usize + start), len)
        };
        let lanes_to = |at: u32, start: usize, len: usize| unsafe {
            std::slice::from_raw_parts_mut(file.add(at as usize + start), len)
        };
        let word = |at: u32| if at == NONE { 0 } else { unsafe { *file.add(at as usize) } };
        match special {
            Special::Call => return self.call(&program.calls[op.imm as usize], block, runs, file),
            Special::StoreBuffer | Special::StoreWorkgroup | Special::StorePrivate => {
                return self.store(special, op, block, runs, file);
            }
            Special::LoadWorkgroup => {
                let at = word(op.a).wrapping_add(op.imm) as usize;
                let value = self.workgroup.get(at).copied().unwrap_or_default();
                lanes_to(op.dst, 0, 1)[0] = value;
                return;
            }
            _ => {}
        }
        for run in runs.as_slice() {
            let (start, len) = (run.start as usize, run.len as usize);
            let dst = lanes_to(op.dst, start, len);
            match special {
                Special::EntryMask => {
                    for (i, lane) in dst.iter_mut().enumerate() {
                        let inside = start + i < lane_count;
                        let mask = if op.a == NONE { u32::MAX } else { lanes_of(op.a, start, len)[i] };
                        *lane = if inside { mask } else { 0 };
                    }
                }
                Special::GatherBuffer => match &prepared.resources[op.extra as usize] {
                    Resource::Words(words) => {
                        (self.lanes.gather)(dst, lanes_of(op.a, start, len), op.imm, words.as_slice());
                    }
                    _ => dst.fill(0),
                },
                Special::GatherWorkgroup => {
                    (self.lanes.gather)(dst, lanes_of(op.a, start, len), op.imm, &self.workgroup)
                }
                Special::GatherTable => (self.lanes.gather)(dst, lanes_of(op.a, start, len), op.imm, &program.table),
                Special::GatherPrivate | Special::LoadPrivate => {
                    let first = self.layout.registers_at + program.register_count as usize * self.layout.stride;
                    let private = lanes_of(first as u32, 0, program.private_words as usize * self.layout.stride);
                    if special == Special::GatherPrivate {
                        let address = lanes_of(op.a, start, len);
                        (self.lanes.gather_private)(dst, address, op.imm, private, self.layout.stride, start);
                    } else {
                        let last = program.private_words.max(1) - 1;
                        let row = word(op.a).wrapping_add(op.imm).min(last) as usize;
                        dst.copy_from_slice(&private[row * self.layout.stride + start..][..len]);
                    }
                }
                Special::Derivative => (self.lanes.derivative)(dst, lanes_of(op.a, start, len), op.extra),
                Special::QuadFill => {
                    (self.lanes.quad_fill)(dst, lanes_of(op.a, start, len), lanes_of(op.b, start, len));
                }
                Special::QueryLanes => {
                    let resource = &prepared.resources[op.extra as usize];
                    for (lane, level) in dst.iter_mut().zip(lanes_of(op.a, start, len)) {
                        *lane = query(resource, op.imm, *level);
                    }
                }
                other => unreachable!("{other:?} is handled before"),
            }
        }
    }

    /// Calls `each` for every active lane in ascending order.
    fn active_lanes(
        &self,
        mask: u32,
        block: &Block256<'_>,
        runs: &Runs,
        file: *const u32,
        mut each: impl FnMut(usize),
    ) {
        for run in runs.as_slice() {
            let end = (run.start as usize + run.len as usize).min(block.lane_count);
            for lane in run.start as usize..end {
                // SAFETY: a mask is a register of this program.
                if mask == NONE || unsafe { *file.add(mask as usize + lane) } != 0 {
                    each(lane);
                }
            }
        }
    }

    fn store(&mut self, special: Special, op: &Op, block: &Block256<'_>, runs: &Runs, file: *mut u32) {
        let Block256 { program, prepared, .. } = *block;
        let (a_step, b_step) = ((op.dst & A_VARIES != 0) as usize, (op.dst & B_VARIES != 0) as usize);
        // SAFETY: operands of this program's instruction, registers or single words by their flags.
        let address = |lane: usize| {
            let base = if op.a == NONE { 0 } else { unsafe { *file.add(op.a as usize + lane * a_step) } };
            base.wrapping_add(op.imm)
        };
        // SAFETY: as above.
        let value = |lane: usize| unsafe { *file.add(op.b as usize + lane * b_step) };
        match special {
            Special::StoreBuffer => {
                if let Resource::Words(words) = &prepared.resources[op.extra as usize] {
                    self.active_lanes(op.c, block, runs, file, |lane| words.set(address(lane), value(lane)));
                }
            }
            Special::StoreWorkgroup => {
                let mut workgroup = std::mem::take(&mut self.workgroup);
                self.active_lanes(op.c, block, runs, file, |lane| {
                    if let Some(word) = workgroup.get_mut(address(lane) as usize) {
                        *word = value(lane);
                    }
                });
                self.workgroup = workgroup;
            }
            _ => {
                let first = self.layout.registers_at + program.register_count as usize * self.layout.stride;
                let last = program.private_words.max(1) - 1;
                let stride = self.layout.stride;
                self.active_lanes(op.c, block, runs, file, |lane| {
                    let row = address(lane).min(last) as usize;
                    // SAFETY: a row of private memory, which lies behind the registers in the file.
                    unsafe { *file.add(first + row * stride + lane) = value(lane) };
                });
            }
        }
    }

    fn call(&mut self, call: &PlacedCall, block: &Block256<'_>, runs: &Runs, file: *mut u32) {
        if let CallKind::Atomic { .. } = call.kind {
            return self.atomic(call, block, runs, file);
        }
        let reached = runs.as_slice().last().map_or(0, |r| (r.start + r.len) as usize).min(block.lane_count);
        // Blocks of `LANES`, in their own memory where registers are not such blocks.
        for first in (0..reached).step_by(LANES) {
            let count = (reached - first).min(LANES);
            let whole = self.layout.stride == LANES;
            let mut scratch = std::mem::take(&mut self.scratch);
            let (inputs, results) = scratch.split_at_mut(texture::ARGS_MAX);
            for (arg, block) in call.args.iter().zip(inputs.iter_mut()) {
                let Arg { at, varies } = *arg;
                // SAFETY: an operand of this program: a word, or a register of `stride` lanes.
                unsafe {
                    if !varies {
                        block.0.fill(*file.add(at as usize));
                    } else if !whole {
                        let lanes = std::slice::from_raw_parts(file.add(at as usize + first), count);
                        block.0[..count].copy_from_slice(lanes);
                    }
                }
            }
            let mut args = [&inputs[0]; texture::ARGS_MAX];
            for ((arg, block), slot) in call.args.iter().zip(inputs.iter()).zip(args.iter_mut()) {
                *slot = if arg.varies && whole {
                    // SAFETY: a register of `LANES` lanes at a multiple of 16 words in a file aligned to 64 bytes;
                    // nothing writes registers while `sample` reads.
                    unsafe { &*file.add(arg.at as usize).cast::<Block>() }
                } else {
                    block
                };
            }
            let active = self.lane_mask(call.mask, first, count, file);
            if active.any() {
                let out: &mut [Block; 4] = results.try_into().expect("four results");
                texture::run(self.isa, &call.kind, &block.prepared.resources, &args[..call.args.len()], &active, out);
            }
            for (at, block) in call.results.iter().zip(results.iter()).filter(|(at, _)| **at != NONE) {
                // SAFETY: a register of this program.
                let lanes = unsafe { std::slice::from_raw_parts_mut(file.add(*at as usize + first), count) };
                lanes.copy_from_slice(&block.0[..count]);
            }
            self.scratch = scratch;
        }
    }

    /// Lanes `first .. first + count` of a mask register (or all of them), as bits from 0.
    fn lane_mask(&self, mask: u32, first: usize, count: usize, file: *const u32) -> LaneMask {
        if mask == NONE {
            return LaneMask::first_n(count);
        }
        let mut block = Block::ZERO;
        // SAFETY: a mask is a register of this program.
        let lanes = unsafe { std::slice::from_raw_parts(file.add(mask as usize + first), count) };
        block.0[..count].copy_from_slice(lanes);
        (self.lanes.to_bits)(&block)
    }

    fn atomic(&mut self, call: &PlacedCall, block: &Block256<'_>, runs: &Runs, file: *mut u32) {
        let CallKind::Atomic { memory, offset, fun } = call.kind else { unreachable!("called for atomics") };
        // SAFETY: operands of this program's instruction, registers or single words by their flags.
        let operand = |k: usize, lane: usize| match call.args.get(k) {
            Some(arg) if arg.at != NONE => unsafe { *file.add(arg.at as usize + if arg.varies { lane } else { 0 }) },
            _ => 0,
        };
        let mut workgroup = std::mem::take(&mut self.workgroup);
        let words: &[AtomicU32] = match memory {
            Memory::Storage(slot) => match &block.prepared.resources[slot as usize] {
                Resource::Words(words) => words.as_atomics(),
                _ => &[],
            },
            // SAFETY: `u32` and `AtomicU32` have one layout, and the memory is borrowed for writing.
            _ => unsafe { std::slice::from_raw_parts(workgroup.as_mut_ptr().cast(), workgroup.len()) },
        };
        for at in call.results.into_iter().filter(|at| *at != NONE) {
            for run in runs.as_slice() {
                // SAFETY: a register of this program.
                unsafe { std::slice::from_raw_parts_mut(file.add(at as usize + run.start as usize), run.len as usize) }
                    .fill(0);
            }
        }
        self.active_lanes(call.mask, block, runs, file, |lane| {
            let at = operand(0, lane).wrapping_add(offset) as usize;
            let Some(word) = words.get(at) else { return };
            let compare = operand(2, lane);
            let old = memory::atomic(word, fun, operand(1, lane), compare);
            let results = [old, if old == compare { u32::MAX } else { 0 }];
            for (at, value) in call.results.into_iter().zip(results).filter(|(at, _)| *at != NONE) {
                // SAFETY: a register of this program.
                unsafe { *file.add(at as usize + lane) = value };
            }
        });
        self.workgroup = workgroup;
    }
}

const _: () = assert!(LANES <= LANES_MAX);
