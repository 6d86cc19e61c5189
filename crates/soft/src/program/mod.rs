//! Program: naga IR lowered once to a flat program over wide registers.
//!
//! In: a validated `naga::Module` with overrides applied. Out: [`Program`]. Never here: lanes, pixels.
//!
//! A register holds one 32-bit scalar for each of `LANES` lanes; vectors and matrices are several registers. A value
//! that is the same for the whole draw (or workgroup, under uniform control flow) lives in the uniform file, one word
//! each.
//!
//! The way: `lower` (naga to [`ir`]: scalars, functions inlined, folded as they are made by `build`) -> `prune` ->
//! `rate` (uniform or varying) -> `hoist` -> `fuse` -> `emit` (masks and jumps) -> `allocate` (registers) -> `encode`.

mod allocate;
mod build;
pub mod code;
mod emit;
mod encode;
mod error;
mod fuse;
mod hoist;
pub mod ir;
mod linear;
mod lower;
pub mod op;
mod order;
mod print;
mod prune;
mod rate;
pub mod scalar;
mod types;

use naga::{BuiltIn, ResourceBinding, ShaderStage};
use stillframe_base::lanes::LANES;

pub use error::LowerError;

use self::ir::{CallKind, Item, Kind, Memory, Region, SampleLevel};

/// Scalars of one variable or of workgroup memory, at most.
const WORDS_MAX: u32 = 1 << 20;
/// Words of private memory of one lane, at most.
const PRIVATE_WORDS_MAX: u32 = 1 << 13;
/// Registers of a program, at most.
const REGISTERS_MAX: u32 = 1 << 14;

/// The binding in `Program::resources` that stands for `Bindings::immediates`.
pub const IMMEDIATES: ResourceBinding = ResourceBinding { group: u32::MAX, binding: u32::MAX };

/// A lowered entry point.
#[derive(Debug)]
pub struct Program {
    pub stage: naga::ShaderStage,
    /// Shader and entry point, for messages.
    pub name: String,
    /// What the caller writes before `Machine::run`, only inputs that the program reads. A run uses them up: write all
    /// of them before every run. A `bool` may be any word but zero for true.
    pub inputs: Vec<Input>,
    /// Where the caller finds results after `Machine::run`. Several may share a register.
    pub outputs: Vec<Output>,
    /// What the program reads or writes, in slot order.
    pub resources: Vec<ResourceBinding>,
    /// Compute only; else `[1, 1, 1]`.
    pub workgroup_size: [u32; 3],
    pub traits: Traits,
    /// Runs once a draw, on the uniform file alone.
    pub(crate) prologue: Vec<code::Op>,
    pub(crate) ops: Vec<code::Op>,
    pub(crate) calls: Vec<code::PlacedCall>,
    /// The uniform file at first: constants, zero for what is computed.
    pub(crate) uniforms: Vec<u32>,
    /// Words of the uniform file that come from outside.
    pub(crate) roots: Vec<RootWord>,
    /// Offset of register 0 in words.
    pub(crate) registers_at: u32,
    /// Words of a register: the lanes of one run, at most.
    pub(crate) stride: u32,
    pub(crate) register_count: u32,
    /// Private memory in words a lane; it lies behind the registers.
    pub(crate) private_words: u32,
    pub(crate) workgroup_words: u32,
    pub(crate) table: Vec<u32>,
    /// Register of the lanes that may write; covered lanes before the run, those not discarded after it.
    pub(crate) write_mask: Option<Reg>,
    pub(crate) run_slots: u8,
    /// Workgroups that one run may hold side by side.
    pub(crate) groups_per_run: u32,
    /// Compute without `Traits::ordered`: axes along which more than one workgroup makes it ordered all the same.
    pub(crate) single_axes: [bool; 3],
    /// Slots of buffers and textures that the program writes.
    pub(crate) written: Vec<u16>,
}

/// A word of the uniform file that comes from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootWord {
    pub(crate) root: Root,
    pub(crate) word: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Root {
    BufferSize(u16),
    NumWorkgroups(u8),
    WorkgroupId(u8),
}

/// A varying register of the machine's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reg(pub u16);

/// One scalar input. A `vec3` at one location is three of these.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    pub what: Io,
    /// Component of the location or builtin vector.
    pub component: u8,
    pub scalar: naga::ScalarKind,
    pub reg: Reg,
}

/// One scalar output.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    pub what: Io,
    pub component: u8,
    pub scalar: naga::ScalarKind,
    pub reg: Reg,
}

/// What an input or output is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Io {
    Location {
        location: u32,
        interpolation: Option<naga::Interpolation>,
        sampling: Option<naga::Sampling>,
        /// Dual-source blending index, outputs only.
        blend_src: Option<u32>,
    },
    BuiltIn(naga::BuiltIn),
}

/// What the executors must know before running.
#[derive(Clone, Copy, Debug, Default)]
pub struct Traits {
    pub discards: bool,
    pub writes_depth: bool,
    pub writes_sample_mask: bool,
    /// Declares `sample_index`, or an input with `sample` sampling: run once a sample.
    pub per_sample: bool,
    /// Writes storage buffers or textures (or uses atomics).
    pub has_side_effects: bool,
    /// Workgroups or tiles must run in their defined order, on one thread (section 5 of the adapter's rules).
    pub ordered: bool,
    /// `@early_depth_test` forced.
    pub early_depth_forced: bool,
    /// Uses derivatives or implicit level of detail: helpers must be live.
    pub uses_quads: bool,
}

/// Lowers one entry point. Overrides must have been processed.
pub fn lower(shader: &crate::work::Shader, entry_index: usize) -> Result<Program, LowerError> {
    let crate::work::Shader { module, info } = shader;
    let point = &module.entry_points[entry_index];
    let lowered = lower::lower(module, info, point, info.get_entry_point(entry_index))?;
    let early = matches!(point.early_depth_test, Some(naga::EarlyDepthTest::Force));
    let size = if point.stage == ShaderStage::Compute { point.workgroup_size } else { [1; 3] };
    assemble(lowered, point.stage, point.name.clone(), size, early)
}

impl Program {
    /// The program as text, one instruction a line.
    pub fn disassemble(&self) -> String {
        print::disassemble(self)
    }
}

fn assemble(
    lowered: lower::Lowered,
    stage: ShaderStage,
    name: String,
    workgroup_size: [u32; 3],
    early_depth_forced: bool,
) -> Result<Program, LowerError> {
    let lower::Lowered { mut ir, resources } = lowered;
    ir.settle();
    prune::prune(&mut ir);
    let mut traits = traits(&ir, stage);
    let mut single_axes = [false; 3];
    if stage == ShaderStage::Compute && traits.ordered {
        let freedom = order::freedom(&ir, workgroup_size);
        traits.ordered = !freedom.unordered;
        single_axes = freedom.single;
    }
    traits.early_depth_forced = early_depth_forced;
    let written = written(&ir);
    let (stride, groups_per_run) = lanes(&ir, stage, workgroup_size, &traits);
    let mut rates = rate::rates(&ir, groups_per_run > 1);
    let prologue = hoist::hoist(&mut ir, &rates);
    fuse::fuse(&mut ir, &rates);
    let mut emitted = emit::emit(&mut ir, &mut rates, &prologue, stage == ShaderStage::Fragment);
    let input_values: Vec<ir::Val> = used_inputs(&ir, &rates, &emitted);
    let fixed = allocate::Fixed { inputs: &input_values, write_mask: emitted.write_mask, outputs: &emitted.outputs };
    allocate::merge_copies(&ir, &rates, &mut emitted.body, &fixed);
    let allocation = allocate::allocate(&ir, &rates, &emitted.body, &fixed)?;
    let layout = encode::Layout::new(&ir, &rates, &allocation, stride, [&emitted.prologue, &emitted.body]);
    let mut calls = Vec::new();
    let prologue = encode::encode(&layout, &emitted.prologue, 0, &mut calls);
    let ops = encode::encode(&layout, &emitted.body, emitted.label_count, &mut calls);
    let reg = |v: ir::Val| Reg(allocation.register[v.index()] as u16);
    let input = |v: &ir::Val| {
        let (what, component, scalar) = match ir.defs[v.index()].kind {
            Kind::Input(at) => {
                let i = ir.inputs[at as usize];
                (i.what, i.component, i.scalar)
            }
            Kind::WorkgroupId(axis) => (Io::BuiltIn(BuiltIn::WorkGroupId), axis, naga::ScalarKind::Uint),
            other => unreachable!("{other:?} is not an input"),
        };
        Input { what, component, scalar, reg: reg(*v) }
    };
    let inputs: Vec<Input> = input_values.iter().map(input).collect();
    let outputs = ir
        .outputs
        .iter()
        .zip(&emitted.outputs)
        .map(|(o, v)| Output { what: o.what, component: o.component, scalar: o.scalar, reg: reg(*v) })
        .collect();
    let (registers_at, uniforms, roots) = (layout.registers_at, layout.words, layout.roots);
    Ok(Program {
        stage,
        name,
        inputs,
        outputs,
        resources,
        workgroup_size,
        traits,
        prologue,
        ops,
        calls,
        uniforms,
        roots,
        registers_at,
        stride,
        register_count: allocation.register_count,
        private_words: ir.private_words,
        workgroup_words: ir.workgroup_words,
        write_mask: emitted.write_mask.map(reg),
        run_slots: emitted.run_slots,
        groups_per_run,
        single_axes,
        written,
        table: ir.table,
    })
}

/// Words of a register, and how many workgroups share one.
fn lanes(ir: &ir::Ir, stage: ShaderStage, size: [u32; 3], traits: &Traits) -> (u32, u32) {
    if stage != ShaderStage::Compute {
        return (LANES as u32, 1);
    }
    let count = size.iter().product::<u32>().max(1);
    // Some axes may turn out to need order when the grid is known; then workgroups go one by one all the same.
    let alone = ir.workgroup_words > 0 || traits.ordered;
    let groups = if alone { 1 } else { (LANES as u32 / count).max(1) };
    ((count * groups).next_multiple_of(16), groups)
}

/// Inputs that instructions or outputs mention, in the order of the entry point.
fn used_inputs(ir: &ir::Ir, rates: &rate::Rates, emitted: &emit::Emitted) -> Vec<ir::Val> {
    let mut seen = vec![false; ir.defs.len()];
    for inst in &emitted.body {
        allocate::operands(ir, inst, |v| seen[v.index()] = true);
    }
    for v in &emitted.outputs {
        seen[v.index()] = true;
    }
    let is_input = |v: &ir::Val| match ir.defs[v.index()].kind {
        Kind::Input(_) => true,
        Kind::WorkgroupId(_) => rates.varying(*v),
        _ => false,
    };
    let mut out: Vec<ir::Val> = (0..ir.defs.len() as u32).map(ir::Val).collect();
    out.retain(|v| seen[v.index()] && is_input(v));
    out.sort_by_key(|v| match ir.defs[v.index()].kind {
        Kind::Input(at) => (0, u32::from(at)),
        Kind::WorkgroupId(axis) => (1, u32::from(axis)),
        _ => (2, v.0),
    });
    out
}

fn traits(ir: &ir::Ir, stage: ShaderStage) -> Traits {
    let mut traits = Traits::default();
    let mut stores = false;
    each_item(&ir.body, &mut |item| match item {
        Item::Def(v) => {
            traits.uses_quads |= matches!(ir.defs[v.index()].kind, Kind::Derivative(_) | Kind::QuadFill);
        }
        Item::Call(at) => match ir.calls[*at as usize].kind {
            CallKind::Sample(sample) => {
                traits.uses_quads |= matches!(sample.level, SampleLevel::Auto | SampleLevel::Bias);
            }
            CallKind::ImageLoad { .. } => {}
            CallKind::ImageStore { .. } => stores = true,
            CallKind::Atomic { memory, .. } => {
                traits.has_side_effects |= matches!(memory, Memory::Storage(_));
                traits.ordered |= matches!(memory, Memory::Storage(_));
            }
        },
        Item::Store { memory: Memory::Storage(_), .. } => stores = true,
        Item::Discard => traits.discards = true,
        _ => {}
    });
    traits.has_side_effects |= stores;
    traits.ordered |= stores;
    if stage == ShaderStage::Fragment {
        let writes = |builtin: BuiltIn| ir.outputs.iter().any(|o| o.what == Io::BuiltIn(builtin));
        traits.writes_depth = writes(BuiltIn::FragDepth);
        traits.writes_sample_mask = writes(BuiltIn::SampleMask);
        // Declared is enough: what the optimiser leaves of an input must not decide where a stage runs.
        traits.per_sample = ir.inputs.iter().any(|i| {
            matches!(
                i.what,
                Io::BuiltIn(BuiltIn::SampleIndex) | Io::Location { sampling: Some(naga::Sampling::Sample), .. }
            )
        });
    }
    traits
}

/// Slots of resources that the program writes.
fn written(ir: &ir::Ir) -> Vec<u16> {
    let mut out = Vec::new();
    each_item(&ir.body, &mut |item| match item {
        Item::Store { memory: Memory::Storage(slot), .. } => out.push(*slot),
        Item::Call(at) => match ir.calls[*at as usize].kind {
            CallKind::ImageStore { texture, .. } => out.push(texture),
            CallKind::Atomic { memory: Memory::Storage(slot), .. } => out.push(slot),
            _ => {}
        },
        _ => {}
    });
    out.sort_unstable();
    out.dedup();
    out
}

fn each_item(region: &Region, each: &mut dyn FnMut(&Item)) {
    for item in region {
        each(item);
        match item {
            Item::If(i) => {
                each_item(&i.accept, each);
                each_item(&i.reject, each);
            }
            Item::Scope(s) => each_item(&s.body, each),
            Item::Loop(l) => each_item(&l.body, each),
            _ => {}
        }
    }
}
