//! Code: the bytecode. One [`Op`] an instruction, operands as word offsets into the machine's file.
//!
//! The file is one run of words: the uniform file (constants first), then registers of `stride` words each, then
//! private memory, one `stride` a word. Codes below [`SCALAR`] are kernels over lanes, `pure << 4 | shape`; from
//! [`SCALAR`] on the same operations on single words of the uniform file; from [`SPECIAL`] on everything else.

use super::ir::{CallKind, Memory};
use super::op::Pure;

/// First code of sums of products: see [`sum_code`]. Their operands go on in a second slot.
pub const SUM: u16 = (Pure::ALL.len() as u16) << 4;
/// First code of the operations on uniform words.
pub const SCALAR: u16 = 0x1000;
/// First code of what is not a pure operation.
pub const SPECIAL: u16 = 0x2000;
/// Code of a sum of 2 to 4 products. Operands: a, b, c, imm of the first slot are the factors of the first two
/// products; dst, a, b, c of the second those of the others, its imm what is added last.
pub const fn sum_code(count: usize, uniform: bool, add: bool) -> u16 {
    SUM + (count as u16 - 2) * 4 + uniform as u16 + 2 * add as u16
}

/// Marks the second slot of a sum.
pub const SUM_OPERANDS: u16 = u16::MAX;

/// An operand that is not there.
pub const NONE: u32 = u32::MAX;

/// One instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Op {
    pub code: u16,
    /// Resource slot, run slot or variant, by code; of a kernel the number of slots that follow with operands.
    pub extra: u16,
    pub dst: u32,
    pub a: u32,
    pub b: u32,
    pub c: u32,
    /// Jump target, word offset or call number, by code.
    pub imm: u32,
}

macro_rules! specials {
    ($($(#[$meta:meta])* $variant:ident $name:literal;)+) => {
        /// Instructions that are not pure operations.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u16)]
        pub enum Special { $($(#[$meta])* $variant),+ }

        impl Special {
            pub const ALL: &'static [Special] = &[$(Special::$variant),+];
            const NAMES: &'static [&'static str] = &[$($name),+];
        }
    };
}

specials! {
    /// To `imm`.
    Jump "jump";
    /// To `imm` if the uniform word `a` is zero.
    JumpIfZero "jump.zero";
    /// To `imm` if the uniform word `a` is not zero.
    JumpIfNonZero "jump.nonzero";
    /// To `imm` if no lane of the runs has `a`.
    BranchNone "branch.none";
    /// To `imm` if all lanes of the runs have `a`.
    BranchAll "branch.all";
    /// Keeps the runs in slot `extra`.
    SaveRuns "runs.save";
    /// Narrows the runs to the lanes of `a`; to `imm` if there are none.
    Narrow "runs.narrow";
    /// Takes the runs of slot `extra`.
    Widen "runs.widen";
    /// To `imm`, adding `a` steps.
    Back "jump.back";
    /// `dst` = lanes of the run that are in `a`.
    EntryMask "mask";
    /// `b` uniform words from `dst` on = words from `a` + `imm` on of buffer `extra`, zero outside.
    LoadBuffer "load.buffer";
    LoadWorkgroup "load.workgroup";
    LoadTable "load.table";
    /// Varying `dst` = word `a` + `imm`, by lane.
    GatherBuffer "gather.buffer";
    GatherWorkgroup "gather.workgroup";
    GatherTable "gather.table";
    GatherPrivate "gather.private";
    /// Varying `dst` = private word `a` (uniform) + `imm`.
    LoadPrivate "load.private";
    /// Word `a` + `imm` = `b` for the lanes of `c`; `dst` holds [`A_VARIES`] and [`B_VARIES`].
    StoreBuffer "store.buffer";
    StoreWorkgroup "store.workgroup";
    StorePrivate "store.private";
    /// Call number `imm`.
    Call "call";
    /// `extra`: 0 x coarse, 1 y coarse, 2 x fine, 3 y fine.
    Derivative "derivative";
    /// `dst` = `a` completed for lanes outside `b`.
    QuadFill "quadfill";
    /// Uniform `dst` = property `imm` of texture `extra` (level `a`).
    Query "query";
    /// The same with a level by lane.
    QueryLanes "query.lanes";
    End "end";
}

/// Flags in `dst` of stores.
pub const A_VARIES: u32 = 1;
pub const B_VARIES: u32 = 2;

impl Special {
    pub fn code(self) -> u16 {
        SPECIAL + self as u16
    }
    pub fn of(code: u16) -> Option<Special> {
        Special::ALL.get(code.checked_sub(SPECIAL)? as usize).copied()
    }
    pub fn name(self) -> &'static str {
        Special::NAMES[self as usize]
    }
    pub fn jumps(self) -> bool {
        use Special::*;
        matches!(self, Jump | JumpIfZero | JumpIfNonZero | BranchNone | BranchAll | Narrow | Back)
    }
}

/// An operand of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arg {
    /// Word offset, or [`NONE`].
    pub at: u32,
    pub varies: bool,
}

/// A call with its operands placed.
#[derive(Clone, Debug)]
pub struct PlacedCall {
    pub kind: CallKind,
    pub args: Vec<Arg>,
    /// Word offsets of registers, [`NONE`] where nobody asked.
    pub results: [u32; 4],
    /// Register, or [`NONE`] for all lanes.
    pub mask: u32,
}

/// The resource slot of a buffer.
pub fn slot_of(memory: Memory) -> u16 {
    match memory {
        Memory::Fixed(slot) | Memory::Storage(slot) => slot,
        Memory::Workgroup | Memory::Private | Memory::Table => 0,
    }
}
