//! Encode: instructions with registers become [`Op`]s.

use super::allocate::{Allocation, operands};
use super::code::*;
use super::ir::*;
use super::linear::{Code, Inst};
use super::op::{IN_PLACE, Pure};
use super::rate::Rates;
use super::{Root, RootWord};

/// Word offsets of everything.
pub struct Layout<'a> {
    pub ir: &'a Ir,
    pub rates: &'a Rates,
    pub allocation: &'a Allocation,
    /// Words of a register.
    pub stride: u32,
    /// By value: its word in the uniform file, or [`NONE`].
    uniform: Vec<u32>,
    /// First values of the uniform file.
    pub words: Vec<u32>,
    pub roots: Vec<RootWord>,
    /// Offset of register 0.
    pub registers_at: u32,
}

impl<'a> Layout<'a> {
    /// Places every uniform value that `insts` mention: constants and roots first, then computed ones.
    pub fn new(
        ir: &'a Ir,
        rates: &'a Rates,
        allocation: &'a Allocation,
        stride: u32,
        insts: [&[Inst]; 2],
    ) -> Layout<'a> {
        let mut layout = Layout {
            ir,
            rates,
            allocation,
            stride,
            uniform: vec![NONE; ir.defs.len()],
            words: Vec::new(),
            roots: Vec::new(),
            registers_at: 0,
        };
        for computed in [false, true] {
            for inst in insts.into_iter().flatten() {
                operands(ir, inst, |v| layout.mention(v, computed));
                layout.mention(inst.dst, computed);
            }
        }
        layout.registers_at = (layout.words.len() as u32).next_multiple_of(16);
        layout
    }

    fn mention(&mut self, v: Val, computed: bool) {
        if v == Val::NONE || self.rates.varying(v) || self.uniform[v.index()] != NONE {
            return;
        }
        let word = self.words.len() as u32;
        let root = match self.ir.defs[v.index()].kind {
            Kind::Const(bits) => {
                if !computed {
                    let known = self.words.iter().position(|w| *w == bits);
                    // Only constants are here in the first round before any root is placed after them.
                    if let Some(at) = known.filter(|at| !self.roots.iter().any(|r| r.word as usize == *at)) {
                        self.uniform[v.index()] = at as u32;
                    } else {
                        self.uniform[v.index()] = word;
                        self.words.push(bits);
                    }
                }
                return;
            }
            Kind::BufferSize(slot) => Root::BufferSize(slot),
            Kind::NumWorkgroups(axis) => Root::NumWorkgroups(axis),
            Kind::WorkgroupId(axis) => Root::WorkgroupId(axis),
            _ => {
                if computed {
                    self.uniform[v.index()] = word;
                    self.words.push(0);
                }
                return;
            }
        };
        if !computed {
            self.uniform[v.index()] = word;
            self.words.push(0);
            self.roots.push(RootWord { root, word });
        }
    }

    /// Offset of register `r`.
    pub fn register(&self, r: u32) -> u32 {
        self.registers_at + r * self.stride
    }

    /// Offset of a value, [`NONE`] for none.
    pub fn at(&self, v: Val) -> u32 {
        if v == Val::NONE {
            return NONE;
        }
        if self.rates.varying(v) {
            let r = self.allocation.register[v.index()];
            assert!(r != u32::MAX, "value {} has no register", v.0);
            return self.register(r);
        }
        let word = self.uniform[v.index()];
        assert!(word != NONE, "value {} has no word", v.0);
        word
    }
}

/// Encodes a row. `calls` receives the calls with their operands placed.
pub fn encode(layout: &Layout<'_>, insts: &[Inst], label_count: u32, calls: &mut Vec<PlacedCall>) -> Vec<Op> {
    let mut ops = Vec::with_capacity(insts.len());
    let mut targets = vec![0u32; label_count as usize];
    // Whether the instruction before is surely run right before.
    let mut joined = false;
    for inst in insts {
        if let Code::Label(label) = inst.code {
            targets[label.0 as usize] = ops.len() as u32;
            joined = false;
        } else if inst.code != Code::Define {
            let next = op(layout, inst, calls);
            match ops.last_mut() {
                Some(last) if joined && continues(last, &next) => last.b += 1,
                _ => ops.push(next),
            }
            if let Code::Sum(at) = inst.code {
                ops.push(second_slot(layout, &layout.ir.sums[at as usize]));
            }
            joined = true;
        }
    }
    let count = ops.len() as u32;
    for (at, op) in ops.iter_mut().enumerate() {
        if op.code == SUM_OPERANDS {
            continue;
        }
        if let Some(special) = Special::of(op.code).filter(|s| s.jumps()) {
            op.imm = targets[op.imm as usize];
            assert!(op.imm < count, "a jump past the end");
            if special == Special::Back {
                op.a = at as u32 - op.imm + 1;
            }
        }
    }
    ops
}

/// Whether `next` loads the word behind those that `last` loads.
fn continues(last: &Op, next: &Op) -> bool {
    let load = Special::LoadBuffer.code();
    last.code == load
        && next.code == load
        && (last.extra, last.a) == (next.extra, next.a)
        && next.imm == last.imm + last.b
        && next.dst == last.dst + last.b
        && next.a.wrapping_sub(last.dst) >= last.b
}

fn op(layout: &Layout<'_>, inst: &Inst, calls: &mut Vec<PlacedCall>) -> Op {
    let [a, b, c] = inst.src.map(|v| layout.at(v));
    let varies = |v: Val| v != Val::NONE && layout.rates.varying(v);
    let mut out = Op { code: 0, extra: 0, dst: layout.at(inst.dst), a, b, c, imm: 0 };
    let special = |s: Special| s.code();
    out.code = match inst.code {
        Code::Pure(pure) if varies(inst.dst) => pure_code(layout, inst, pure),
        Code::Pure(pure) => SCALAR + pure as u16,
        Code::Sum(at) => {
            let sum = &layout.ir.sums[at as usize];
            let [(a0, b0), (a1, b1)] = [sum.products[0], sum.products[1]];
            (out.a, out.b, out.c, out.imm) = (layout.at(a0), layout.at(b0), layout.at(a1), layout.at(b1));
            out.extra = 1;
            sum_code(sum.products.len(), sum.uniform, sum.add != Val::NONE)
        }
        Code::Load(memory, offset) => {
            out.imm = offset;
            out.extra = slot_of(memory);
            special(match (memory, varies(inst.src[0])) {
                (Memory::Fixed(_) | Memory::Storage(_), false) => {
                    out.b = 1;
                    Special::LoadBuffer
                }
                (Memory::Fixed(_) | Memory::Storage(_), true) => Special::GatherBuffer,
                (Memory::Workgroup, false) => Special::LoadWorkgroup,
                (Memory::Workgroup, true) => Special::GatherWorkgroup,
                (Memory::Table, false) => Special::LoadTable,
                (Memory::Table, true) => Special::GatherTable,
                (Memory::Private, false) => Special::LoadPrivate,
                (Memory::Private, true) => Special::GatherPrivate,
            })
        }
        Code::Store(memory, offset) => {
            out.imm = offset;
            out.extra = slot_of(memory);
            out.dst = if varies(inst.src[0]) { A_VARIES } else { 0 } | if varies(inst.src[1]) { B_VARIES } else { 0 };
            special(match memory {
                Memory::Workgroup => Special::StoreWorkgroup,
                Memory::Private => Special::StorePrivate,
                _ => Special::StoreBuffer,
            })
        }
        Code::Call(at) => {
            let call = &layout.ir.calls[at as usize];
            let args = call.args.iter().map(|v| Arg { at: layout.at(*v), varies: varies(*v) }).collect();
            let results = call.results.map(|v| layout.at(v));
            out.imm = calls.len() as u32;
            out.a = NONE;
            calls.push(PlacedCall { kind: call.kind, args, results, mask: a });
            special(Special::Call)
        }
        Code::Derivative(kind) => {
            out.extra = match kind {
                Derivative::XCoarse => 0,
                Derivative::YCoarse => 1,
                Derivative::XFine => 2,
                Derivative::YFine => 3,
            };
            special(Special::Derivative)
        }
        Code::QuadFill => special(Special::QuadFill),
        Code::Query(slot, query) => {
            out.extra = slot;
            out.imm = match query {
                Query::Size(axis) => u32::from(axis),
                Query::Levels => 3,
                Query::Layers => 4,
                Query::Samples => 5,
            };
            special(if varies(inst.dst) { Special::QueryLanes } else { Special::Query })
        }
        Code::EntryMask => special(Special::EntryMask),
        Code::Jump(label) => {
            out.imm = label.0;
            special(Special::Jump)
        }
        Code::JumpIfZero(label) => {
            out.imm = label.0;
            special(Special::JumpIfZero)
        }
        Code::JumpIfNonZero(label) => {
            out.imm = label.0;
            special(Special::JumpIfNonZero)
        }
        Code::BranchNone(label) => {
            out.imm = label.0;
            special(Special::BranchNone)
        }
        Code::BranchAll(label) => {
            out.imm = label.0;
            special(Special::BranchAll)
        }
        Code::SaveRuns(slot) => {
            out.extra = u16::from(slot);
            special(Special::SaveRuns)
        }
        Code::Narrow(label) => {
            out.imm = label.0;
            special(Special::Narrow)
        }
        Code::Widen(slot) => {
            out.extra = u16::from(slot);
            special(Special::Widen)
        }
        Code::Back(label) => {
            out.imm = label.0;
            special(Special::Back)
        }
        Code::End => special(Special::End),
        Code::Label(_) | Code::Define => unreachable!("marks are not instructions"),
    };
    out
}

fn second_slot(layout: &Layout<'_>, sum: &Sum) -> Op {
    let factor = |k: usize| sum.products.get(k).map_or((NONE, NONE), |p| (layout.at(p.0), layout.at(p.1)));
    let ((dst, a), (b, c)) = (factor(2), factor(3));
    Op { code: SUM_OPERANDS, extra: 0, dst, a, b, c, imm: layout.at(sum.add) }
}

fn pure_code(layout: &Layout<'_>, inst: &Inst, pure: Pure) -> u16 {
    let uniform = |k: &usize| inst.src[*k] != Val::NONE && !layout.rates.varying(inst.src[*k]);
    let shape = (0..pure.arity()).filter(uniform).map(|k| 1u16 << k).sum::<u16>();
    let shape = shape | if inst.in_place { u16::from(IN_PLACE) } else { 0 };
    assert!(pure.has_shape(shape as u8), "no kernel for {} in shape {shape:#b}", pure.name());
    (pure as u16) << 4 | shape
}
