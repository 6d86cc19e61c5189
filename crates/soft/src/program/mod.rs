//! Program: naga IR lowered once to a flat program over wide registers.
//!
//! In: a validated `naga::Module` with overrides applied. Out: [`Program`]. Never here: lanes, pixels.
//!
//! A register holds one 32-bit scalar for each of `LANES` lanes; vectors and matrices are several registers. A value that
//! is the same for the whole draw (or workgroup, under uniform control flow) lives in the uniform file, one word each.

/// A lowered entry point.
#[derive(Debug)]
pub struct Program {
    pub stage: naga::ShaderStage,
    /// Shader and entry point, for messages.
    pub name: String,
    /// What the caller writes before `Machine::run`, only inputs that the program reads.
    pub inputs: Vec<Input>,
    /// Where the caller finds results after `Machine::run`.
    pub outputs: Vec<Output>,
    /// `@group @binding` pairs that the program reads or writes, in slot order.
    pub resources: Vec<(u32, u32)>,
    /// Compute only; else `[1, 1, 1]`.
    pub workgroup_size: [u32; 3],
    pub traits: Traits,
    // the lowering's own fields (ops, constants, register counts ...) follow; `pub(crate)`.
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
    /// Reads `sample_index`, or an input with `sample` sampling: run once a sample.
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

/// Why an entry point cannot be lowered.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("{what} is not supported")]
pub struct LowerError {
    pub what: String,
}

/// Lowers one entry point. Until the lowering is there: a program that does nothing.
pub fn lower(shader: &crate::work::Shader, entry_index: usize) -> Result<Program, LowerError> {
    let entry = &shader.module.entry_points[entry_index];
    Ok(Program {
        stage: entry.stage,
        name: entry.name.clone(),
        inputs: Vec::new(),
        outputs: Vec::new(),
        resources: Vec::new(),
        workgroup_size: entry.workgroup_size,
        traits: Traits::default(),
    })
}
