//! Ir: a program between naga and bytecode. Scalar values in single assignment, control flow as a tree of regions.
//!
//! In: what `lower` builds. Out: what `rate`, `hoist` and `emit` read. Never here: lanes, registers, masks.
//!
//! There are four constructs. `If` joins its two ends. `Scope` is a block that a `Leave` may end early: function bodies
//! (for `return`), loop bodies (for `continue`) and switches (for `break`). `Loop` repeats its body and ends only by a
//! `Leave`. Where ends join, values meet in phis.

use super::op::Pure;

/// A scalar value of 32 bits: an index into [`Ir::defs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Val(pub u32);

impl Val {
    /// No value.
    pub const NONE: Val = Val(u32::MAX);

    pub fn index(self) -> usize {
        self.0 as usize
    }
    pub fn some(self) -> Option<Val> {
        (self != Val::NONE).then_some(self)
    }
}

/// How a value comes about. Operands are in [`Def::args`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Const(u32),
    Pure(Pure),
    /// Entry of [`Ir::inputs`], varying.
    Input(u16),
    /// Component of `num_workgroups`, the same for the whole dispatch.
    NumWorkgroups(u8),
    /// Component of `workgroup_id`, the same for a workgroup.
    WorkgroupId(u8),
    /// Size of a buffer binding in bytes.
    BufferSize(u16),
    /// Where control flow joins; the operands stand in the construct.
    Phi,
    /// The word at `args[0]` (or 0) + `offset`.
    Load(Memory, u32),
    /// `args[0]` from another lane of the quad, or the difference.
    Derivative(Derivative),
    /// `args[0]`, completed inside each quad for lanes that are not active.
    QuadFill,
    /// Size, level count ... of a texture; the level, if any, is `args[0]`.
    Query(u16, Query),
    /// A call of [`Ir::calls`] (texture or atomic); its results are [`Kind::Part`]s.
    Call(u32),
    /// Result number k of the call `args[0]`.
    Part(u8),
    /// Entry of [`Ir::sums`].
    Sum(u32),
    /// A register made by `emit`: written more than once.
    Variable,
}

/// Where words live.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Memory {
    /// A buffer that nobody writes while the program runs.
    Fixed(u16),
    /// A storage buffer that may be written.
    Storage(u16),
    Workgroup,
    /// Per lane.
    Private,
    /// Constant words.
    Table,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Derivative {
    XCoarse,
    YCoarse,
    XFine,
    YFine,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Query {
    /// Width, height, depth of the level.
    Size(u8),
    Levels,
    /// Layers, or cubes of a cube array.
    Layers,
    Samples,
}

#[derive(Clone, Copy, Debug)]
pub struct Def {
    pub kind: Kind,
    pub args: [Val; 3],
}

impl Def {
    pub fn args(&self) -> impl Iterator<Item = Val> + use<> {
        self.args.into_iter().take_while(|a| *a != Val::NONE)
    }
}

/// A sum of products of varying values, left to right: made by `fuse`.
#[derive(Clone, Debug)]
pub struct Sum {
    /// 2 to 4. The second factors are all varying or all uniform.
    pub products: Vec<(Val, Val)>,
    pub uniform: bool,
    /// A uniform value added last, or `NONE`.
    pub add: Val,
}

impl Sum {
    pub fn args(&self) -> impl Iterator<Item = Val> + '_ {
        let factors = self.products.iter().flat_map(|p| [p.0, p.1]);
        factors.chain(self.add.some())
    }
}

/// An operation with many operands or with effects.
#[derive(Clone, Debug)]
pub struct Call {
    pub kind: CallKind,
    pub args: Vec<Val>,
    /// By result number; `NONE` where nobody asked.
    pub results: [Val; 4],
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CallKind {
    /// Operands in the order coordinates, layer, level values, comparison reference.
    Sample(Sample),
    /// Operands: coordinates, layer, level or sample number.
    ImageLoad { texture: u16, coords: u8, arrayed: bool, leveled: bool },
    /// Operands: coordinates, layer, four components.
    ImageStore { texture: u16, coords: u8, arrayed: bool },
    /// Operands: address (`NONE` for 0), value, compare. Results: old value, exchanged.
    Atomic { memory: Memory, offset: u32, fun: AtomicOp },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    pub texture: u16,
    pub sampler: u16,
    pub coords: u8,
    pub arrayed: bool,
    pub level: SampleLevel,
    pub offset: [i32; 3],
    pub compare: bool,
    pub gather: Option<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleLevel {
    Auto,
    Bias,
    Zero,
    Exact,
    Gradient,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicOp {
    Add,
    Sub,
    And,
    Or,
    Xor,
    MinI,
    MaxI,
    MinU,
    MaxU,
    Exchange,
    CompareExchange,
}

/// Name of a [`Scope`] or [`Loop`], the target of a [`Item::Leave`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScopeId(pub u32);

pub type Region = Vec<Item>;

#[derive(Debug)]
pub enum Item {
    /// Computes a value here.
    Def(Val),
    /// Runs a call here (its parts follow as definitions).
    Call(u32),
    /// Writes `value` at `address` (or 0) + `offset`.
    Store {
        memory: Memory,
        address: Val,
        offset: u32,
        value: Val,
    },
    /// Makes helpers of the active lanes.
    Discard,
    If(Box<If>),
    Scope(Box<Scope>),
    Loop(Box<Loop>),
    /// Active lanes go to the end of `scope`; `edge` counts the ways there.
    Leave {
        scope: ScopeId,
        edge: u32,
    },
}

#[derive(Debug)]
pub struct If {
    pub condition: Val,
    pub accept: Region,
    pub reject: Region,
    /// Whether some lane may come to the end of the block.
    pub accept_falls: bool,
    pub reject_falls: bool,
    pub phis: Vec<IfPhi>,
}

#[derive(Clone, Copy, Debug)]
pub struct IfPhi {
    pub phi: Val,
    pub accept: Val,
    pub reject: Val,
}

#[derive(Debug)]
pub struct Scope {
    pub id: ScopeId,
    pub body: Region,
    pub phis: Vec<Val>,
    /// By edge, then by phi. Dead edges are empty.
    pub edges: Vec<Vec<Val>>,
    /// The edge of falling off the end, if that happens.
    pub fall: Option<u32>,
}

#[derive(Debug)]
pub struct Loop {
    pub id: ScopeId,
    pub phis: Vec<LoopPhi>,
    pub body: Region,
    /// Whether the body's end is reached: else there is no second iteration.
    pub falls: bool,
    pub exit_phis: Vec<Val>,
    /// By edge, then by exit phi.
    pub edges: Vec<Vec<Val>>,
}

#[derive(Clone, Copy, Debug)]
pub struct LoopPhi {
    pub phi: Val,
    pub init: Val,
    pub next: Val,
}

/// A scalar that the caller writes, before unused ones are dropped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IrInput {
    pub what: super::Io,
    pub component: u8,
    pub scalar: naga::ScalarKind,
}

/// A scalar result.
#[derive(Clone, Copy, Debug)]
pub struct IrOutput {
    pub what: super::Io,
    pub component: u8,
    pub scalar: naga::ScalarKind,
    pub value: Val,
}

/// A whole entry point.
#[derive(Debug, Default)]
pub struct Ir {
    pub defs: Vec<Def>,
    /// Values that turned out to be others.
    pub forward: Vec<Val>,
    pub calls: Vec<Call>,
    pub sums: Vec<Sum>,
    pub body: Region,
    pub inputs: Vec<IrInput>,
    pub outputs: Vec<IrOutput>,
    /// Words of [`Memory::Table`].
    pub table: Vec<u32>,
    /// Words of workgroup memory, and per lane of private memory.
    pub workgroup_words: u32,
    pub private_words: u32,
    pub scope_count: u32,
}

impl Ir {
    /// The value that stands for `v` now.
    pub fn find(&self, mut v: Val) -> Val {
        while v != Val::NONE && self.forward[v.index()] != v {
            v = self.forward[v.index()];
        }
        v
    }
    pub fn add(&mut self, kind: Kind, args: [Val; 3]) -> Val {
        let v = Val(self.defs.len() as u32);
        self.defs.push(Def { kind, args });
        self.forward.push(v);
        v
    }
    pub fn constant(&self, v: Val) -> Option<u32> {
        match self.defs[v.index()].kind {
            Kind::Const(bits) => Some(bits),
            _ => None,
        }
    }
    /// Replaces every operand by what stands for it now. Afterwards `find` is the identity on all operands.
    pub fn settle(&mut self) {
        for at in 0..self.defs.len() {
            self.defs[at].args = self.defs[at].args.map(|a| self.find(a));
        }
        for at in 0..self.calls.len() {
            let args = std::mem::take(&mut self.calls[at].args);
            self.calls[at].args = args.into_iter().map(|a| self.find(a)).collect();
        }
        let mut outputs = std::mem::take(&mut self.outputs);
        outputs.iter_mut().for_each(|o| o.value = self.find(o.value));
        self.outputs = outputs;
        let mut body = std::mem::take(&mut self.body);
        self.settle_region(&mut body);
        self.body = body;
    }

    fn settle_region(&self, region: &mut Region) {
        for item in region.iter_mut() {
            match item {
                Item::Def(_) | Item::Call(_) | Item::Discard | Item::Leave { .. } => {}
                Item::Store { address, value, .. } => {
                    *address = self.find(*address);
                    *value = self.find(*value);
                }
                Item::If(i) => {
                    i.condition = self.find(i.condition);
                    for phi in &mut i.phis {
                        phi.accept = self.find(phi.accept);
                        phi.reject = self.find(phi.reject);
                    }
                    i.phis.retain(|p| self.find(p.phi) == p.phi);
                    self.settle_region(&mut i.accept);
                    self.settle_region(&mut i.reject);
                }
                Item::Scope(s) => {
                    let Scope { phis, edges, body, .. } = &mut **s;
                    self.settle_edges(phis, edges);
                    self.settle_region(body);
                }
                Item::Loop(l) => {
                    for phi in &mut l.phis {
                        phi.init = self.find(phi.init);
                        phi.next = self.find(phi.next);
                    }
                    l.phis.retain(|p| self.find(p.phi) == p.phi);
                    let Loop { exit_phis, edges, body, .. } = &mut **l;
                    self.settle_edges(exit_phis, edges);
                    self.settle_region(body);
                }
            }
        }
    }

    fn settle_edges(&self, phis: &mut Vec<Val>, edges: &mut [Vec<Val>]) {
        for edge in edges.iter_mut() {
            let mut at = 0;
            edge.retain_mut(|v| {
                *v = self.find(*v);
                at += 1;
                self.find(phis[at - 1]) == phis[at - 1]
            });
        }
        phis.retain(|p| self.find(*p) == *p);
    }
}
