//! Allocate: varying values get registers, by linear scan.
//!
//! In: a row of instructions. Out: a register for every varying value that occurs. First copies are merged away where
//! the value can be made in its destination. A destination never shares a register with an operand of its instruction,
//! unless the instruction says `in_place`: kernels rely on it. A value that lives at a loop's header and is needed
//! inside lives to the loop's end.
//!
//! Source: Poletto and Sarkar, Linear Scan Register Allocation, 1999; live intervals without holes, no spilling (the
//! file grows instead).

use super::error::LowerError;
use super::ir::{Ir, Kind, Val};
use super::linear::{Code, Inst, Label};
use super::op::{IN_PLACE, Pure};
use super::rate::Rates;

/// Where values live.
#[derive(Debug)]
pub struct Allocation {
    /// By value: the register, or `u32::MAX`.
    pub register: Vec<u32>,
    pub register_count: u32,
}

/// Values that must be there at the start, and to the end.
#[derive(Clone, Copy, Debug)]
pub struct Fixed<'a> {
    pub inputs: &'a [Val],
    pub write_mask: Option<Val>,
    pub outputs: &'a [Val],
}

/// Operands of an instruction, calls and sums included.
pub fn operands(ir: &Ir, inst: &Inst, mut each: impl FnMut(Val)) {
    inst.src.into_iter().filter(|v| *v != Val::NONE).for_each(&mut each);
    if inst.in_place {
        each(inst.dst);
    }
    match inst.code {
        Code::Call(at) => ir.calls[at as usize].args.iter().copied().filter(|v| *v != Val::NONE).for_each(each),
        Code::Sum(at) => ir.sums[at as usize].args().for_each(each),
        _ => {}
    }
}

/// Values that an instruction writes.
fn results(ir: &Ir, inst: &Inst, mut each: impl FnMut(Val)) {
    if inst.dst != Val::NONE {
        each(inst.dst);
    }
    if let Code::Call(at) = inst.code {
        ir.calls[at as usize].results.into_iter().filter(|v| *v != Val::NONE).for_each(each);
    }
}

/// `(header, end)` positions of all loops, inner ones first.
fn loops(insts: &[Inst]) -> Vec<(u32, u32)> {
    let mut headers: Vec<(Label, u32)> = Vec::new();
    let mut out = Vec::new();
    for (at, inst) in insts.iter().enumerate() {
        match inst.code {
            Code::Label(label) => headers.push((label, at as u32)),
            Code::Back(label) => {
                let header = headers.iter().rfind(|h| h.0 == label).expect("a loop's header comes first").1;
                out.push((header, at as u32));
            }
            _ => {}
        }
    }
    out
}

struct Intervals {
    start: Vec<u32>,
    end: Vec<u32>,
    defs: Vec<u32>,
}

fn intervals(ir: &Ir, rates: &Rates, insts: &[Inst], fixed: &Fixed<'_>) -> Intervals {
    let count = ir.defs.len();
    let mut i = Intervals { start: vec![u32::MAX; count], end: vec![0; count], defs: vec![0; count] };
    for v in fixed.inputs.iter().chain(&fixed.write_mask) {
        i.start[v.index()] = 0;
    }
    for (at, inst) in insts.iter().enumerate() {
        let at = at as u32;
        operands(ir, inst, |v| {
            if rates.varying(v) {
                i.start[v.index()] = i.start[v.index()].min(at);
                i.end[v.index()] = at;
            }
        });
        results(ir, inst, |v| {
            if rates.varying(v) {
                i.start[v.index()] = i.start[v.index()].min(at);
                i.end[v.index()] = i.end[v.index()].max(at);
                i.defs[v.index()] += 1;
            }
        });
    }
    for v in fixed.outputs.iter().chain(&fixed.write_mask) {
        i.end[v.index()] = insts.len() as u32;
    }
    for (header, end) in loops(insts) {
        for at in 0..count {
            if i.start[at] < header && i.end[at] > header && i.end[at] < end {
                i.end[at] = end;
            }
        }
    }
    i
}

/// Makes a value in the register it would be copied to, where nothing else needs that register meanwhile.
pub fn merge_copies(ir: &Ir, rates: &Rates, insts: &mut Vec<Inst>, fixed: &Fixed<'_>) {
    let spans = intervals(ir, rates, insts, fixed);
    let mut last_def = vec![u32::MAX; ir.defs.len()];
    // A value that was renamed no longer has the interval computed above.
    let mut touched = vec![false; ir.defs.len()];
    let mut dropped = vec![false; insts.len()];
    for at in 0..insts.len() {
        let inst = insts[at];
        let (dst, src) = (inst.dst, inst.src[0]);
        let is_copy = inst.code == Code::Pure(Pure::Mov) && !inst.in_place && rates.varying(dst) && rates.varying(src);
        if is_copy
            && spans.end[src.index()] == at as u32
            && spans.defs[src.index()] == 1
            && !touched[src.index()]
            && !matches!(ir.defs[src.index()].kind, Kind::Input(_))
            && last_def[src.index()] != u32::MAX
            && merge(ir, rates, insts, last_def[src.index()] as usize, at, src, dst)
        {
            dropped[at] = true;
            touched[dst.index()] = true;
            last_def[dst.index()] = last_def[src.index()];
            continue;
        }
        results(ir, &inst, |v| last_def[v.index()] = at as u32);
    }
    let mut flags = dropped.iter();
    insts.retain(|_| !flags.next().expect("one flag an instruction"));
}

/// Renames `src`, made at `from` and last used by the copy at `to`, to `dst`. False if `dst` is in the way.
fn merge(ir: &Ir, rates: &Rates, insts: &mut [Inst], from: usize, to: usize, src: Val, dst: Val) -> bool {
    let maker = insts[from];
    if matches!(maker.code, Code::Call(_) | Code::Define) || maker.in_place {
        return false;
    }
    let mut clear = true;
    for inst in &insts[from + 1..to] {
        operands(ir, inst, |v| clear &= v != dst);
        results(ir, inst, |v| clear &= v != dst);
        // Calls and sums keep their operands aside, out of reach of the renaming.
        clear &= match inst.code {
            Code::Call(at) => !ir.calls[at as usize].args.contains(&src),
            Code::Sum(at) => ir.sums[at as usize].args().all(|v| v != src),
            _ => true,
        };
    }
    if let Code::Sum(at) = maker.code {
        clear &= ir.sums[at as usize].args().all(|v| v != dst);
    }
    if !clear {
        return false;
    }
    let mut made = maker;
    made.dst = dst;
    if maker.src.contains(&dst) {
        let Code::Pure(op) = maker.code else { return false };
        let Some(updated) = op.updated() else { return false };
        if made.src[updated] != dst && op.commutes() && updated < 2 {
            made.src.swap(0, 1);
        }
        if made.src.iter().filter(|v| **v == dst).count() != 1 || made.src[updated] != dst {
            return false;
        }
        made.src[updated] = Val::NONE;
        made.in_place = true;
        let uniform = |k: &usize| made.src[*k] != Val::NONE && !rates.varying(made.src[*k]);
        let shape = (0..op.arity()).filter(uniform).map(|k| 1 << k).sum::<u8>() | IN_PLACE;
        if !op.has_shape(shape) {
            return false;
        }
    }
    insts[from] = made;
    for inst in &mut insts[from + 1..to] {
        inst.src.iter_mut().filter(|v| **v == src).for_each(|v| *v = dst);
    }
    true
}

/// Gives registers, inputs first.
pub fn allocate(ir: &Ir, rates: &Rates, insts: &[Inst], fixed: &Fixed<'_>) -> Result<Allocation, LowerError> {
    let spans = intervals(ir, rates, insts, fixed);
    let mut order: Vec<u32> = (0..ir.defs.len() as u32).filter(|v| spans.start[*v as usize] != u32::MAX).collect();
    let rank = |v: u32| fixed.inputs.iter().position(|i| i.0 == v).unwrap_or(usize::MAX);
    order.sort_by_key(|v| (spans.start[*v as usize], if spans.start[*v as usize] == 0 { rank(*v) } else { 0 }, *v));
    let mut register = vec![u32::MAX; ir.defs.len()];
    let mut register_count = 0;
    // `(end, register)` of values that live now, and registers that are free.
    let mut living: Vec<(u32, u32)> = Vec::new();
    let mut free: Vec<u32> = Vec::new();
    for v in order {
        let (start, end) = (spans.start[v as usize], spans.end[v as usize]);
        living.retain(|&(end, r)| {
            let lives = end >= start;
            if !lives {
                free.push(r);
            }
            lives
        });
        let lowest = free.iter().enumerate().min_by_key(|(_, r)| **r).map(|(at, _)| at);
        let r = match lowest {
            Some(at) => free.swap_remove(at),
            None => {
                register_count += 1;
                register_count - 1
            }
        };
        register[v as usize] = r;
        living.push((end, r));
    }
    if register_count > super::REGISTERS_MAX {
        return Err(LowerError::TooLarge { what: "a shader's register file".into(), words: u64::from(register_count) });
    }
    Ok(Allocation { register, register_count })
}
