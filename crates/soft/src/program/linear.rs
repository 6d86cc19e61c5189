//! Linear: instructions in a row, over values that have no registers yet.

use super::ir::{Derivative, Memory, Query, Val};
use super::op::Pure;

/// A place to jump to, before places have numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(pub u32);

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Code {
    Pure(Pure),
    /// A sum of the program; operands stand there.
    Sum(u32),
    /// Word at `src[0]` (or 0) + offset, to where the destination's rate says.
    Load(Memory, u32),
    /// Writes `src[1]` at `src[0]` (or 0) + offset for the lanes of `src[2]` (or all).
    Store(Memory, u32),
    /// A call of the program; operands stand there, the mask in `src[0]`.
    Call(u32),
    Derivative(Derivative),
    /// `src[0]`, completed in quads for lanes outside `src[1]`.
    QuadFill,
    Query(u16, Query),
    /// All ones for the lanes of the run that are in `src[0]` (or all).
    EntryMask,
    Jump(Label),
    JumpIfZero(Label),
    JumpIfNonZero(Label),
    /// Jumps if no active lane has `src[0]`.
    BranchNone(Label),
    /// Jumps if every lane has `src[0]`.
    BranchAll(Label),
    /// Keeps the runs in a slot.
    SaveRuns(u8),
    /// Narrows the runs to where `src[0]` has lanes; jumps if there are none.
    Narrow(Label),
    /// Takes the runs back from a slot.
    Widen(u8),
    /// Jumps back, counting steps.
    Back(Label),
    Label(Label),
    /// The destination exists from here on; it has no value yet.
    Define,
    End,
}

#[derive(Clone, Copy, Debug)]
pub struct Inst {
    pub code: Code,
    pub dst: Val,
    pub src: [Val; 3],
    /// The operand that the operation updates is the destination itself and not in `src`.
    pub in_place: bool,
}

impl Inst {
    pub fn new(code: Code, dst: Val, src: [Val; 3]) -> Inst {
        Inst { code, dst, src, in_place: false }
    }
}
