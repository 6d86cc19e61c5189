//! Print: a program as text.

use std::fmt::Write;

use super::code::*;
use super::op::{IN_PLACE, Pure};
use super::{Io, Program, Root};

/// One instruction a line: number, name, destination, operands. `r` are registers, `u` words of the uniform file,
/// constants stand as hexadecimal words.
pub fn disassemble(p: &Program) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{:?} {} {:?}", p.stage, p.name, p.workgroup_size);
    let _ = writeln!(
        out,
        "registers {} x {}, uniforms {}, private {}, workgroup {}, table {}",
        p.register_count,
        p.stride,
        p.uniforms.len(),
        p.private_words,
        p.workgroup_words,
        p.table.len()
    );
    for input in &p.inputs {
        let _ = writeln!(out, "in  r{} = {}.{} {:?}", input.reg.0, io(&input.what), input.component, input.scalar);
    }
    for output in &p.outputs {
        let _ = writeln!(out, "out r{} = {}.{} {:?}", output.reg.0, io(&output.what), output.component, output.scalar);
    }
    if let Some(mask) = p.write_mask {
        let _ = writeln!(out, "may write: r{}", mask.0);
    }
    for (name, ops) in [("prologue", &p.prologue), ("body", &p.ops)] {
        if ops.is_empty() {
            continue;
        }
        let _ = writeln!(out, "{name}:");
        for (at, op) in ops.iter().enumerate().filter(|(_, op)| op.code != SUM_OPERANDS) {
            if (SUM..SCALAR).contains(&op.code) {
                let _ = writeln!(out, "{at:4}  {}", sum(p, op, &ops[at + 1]));
                continue;
            }
            let _ = writeln!(out, "{at:4}  {}", line(p, op));
        }
    }
    out
}

fn io(what: &Io) -> String {
    match what {
        Io::Location { location, .. } => format!("location {location}"),
        Io::BuiltIn(builtin) => format!("{builtin:?}"),
    }
}

fn operand(p: &Program, at: u32) -> String {
    if at == NONE {
        return "-".into();
    }
    if at >= p.registers_at {
        return format!("r{}", (at - p.registers_at) / p.stride);
    }
    if let Some(root) = p.roots.iter().find(|r| r.word == at) {
        return match root.root {
            Root::BufferSize(slot) => format!("size{slot}"),
            Root::NumWorkgroups(axis) => format!("groups.{axis}"),
            Root::WorkgroupId(axis) => format!("group.{axis}"),
        };
    }
    // Constants come first and nobody writes them.
    let written = p.prologue.iter().chain(&p.ops).any(|op| {
        let count = if op.code == Special::LoadBuffer.code() { op.b } else { 1 };
        (SCALAR..SUM_OPERANDS).contains(&op.code) && op.dst != NONE && at.wrapping_sub(op.dst) < count
    });
    if written { format!("u{at}") } else { format!("0x{:x}", p.uniforms[at as usize]) }
}

fn sum(p: &Program, op: &Op, more: &Op) -> String {
    let count = (op.code - SUM) as usize / 4 + 2;
    let factors = [(op.a, op.b), (op.c, op.imm), (more.dst, more.a), (more.b, more.c)];
    let mut out = format!("{:<14} {} =", "sum", operand(p, op.dst));
    for (k, (a, b)) in factors.into_iter().enumerate().take(count) {
        let _ = write!(out, "{} {} * {}", if k == 0 { "" } else { " +" }, operand(p, a), operand(p, b));
    }
    if more.imm != NONE {
        let _ = write!(out, " + {}", operand(p, more.imm));
    }
    out
}

fn line(p: &Program, op: &Op) -> String {
    let mut out = String::new();
    let name = |op: &Op| match Special::of(op.code) {
        Some(special) => special.name(),
        None if op.code >= SCALAR => Pure::ALL[(op.code - SCALAR) as usize].name(),
        None => Pure::ALL[(op.code >> 4) as usize].name(),
    };
    let _ = write!(out, "{:<14}", name(op));
    match Special::of(op.code) {
        None => {
            let (pure, in_place) = if op.code >= SCALAR {
                (Pure::ALL[(op.code - SCALAR) as usize], false)
            } else {
                (Pure::ALL[(op.code >> 4) as usize], op.code & u16::from(IN_PLACE) != 0)
            };
            let updated = if in_place { pure.updated() } else { None };
            let _ = write!(out, " {}", operand(p, op.dst));
            for (k, at) in [op.a, op.b, op.c].into_iter().enumerate().take(pure.arity()) {
                let text = if updated == Some(k) { "*".into() } else { operand(p, at) };
                let _ = write!(out, " {text}");
            }
        }
        Some(special) if special.jumps() => {
            let on = if special == Special::Back { "-".into() } else { operand(p, op.a) };
            let _ = write!(out, " {on} -> {}", op.imm);
        }
        Some(Special::Call) => {
            let call = &p.calls[op.imm as usize];
            let args: Vec<String> = call.args.iter().map(|a| operand(p, a.at)).collect();
            let results: Vec<String> = call.results.iter().map(|r| operand(p, *r)).collect();
            let mask = operand(p, call.mask);
            let _ = write!(out, " {} = {:?} ({}) mask {mask}", results.join(" "), call.kind, args.join(" "));
        }
        Some(Special::StoreBuffer | Special::StoreWorkgroup | Special::StorePrivate) => {
            let [a, b, c] = [op.a, op.b, op.c].map(|at| operand(p, at));
            let _ = write!(out, " #{} [{a} + {}] = {b} mask {c}", op.extra, op.imm);
        }
        Some(Special::LoadBuffer) => {
            let [dst, a] = [op.dst, op.a].map(|at| operand(p, at));
            let _ = write!(out, " {dst} #{} [{a} + {}] x {}", op.extra, op.imm, op.b);
        }
        Some(Special::End) => {}
        Some(_) => {
            let [dst, a, b] = [op.dst, op.a, op.b].map(|at| operand(p, at));
            let _ = write!(out, " {dst} {a} {b} #{} +{}", op.extra, op.imm);
        }
    }
    out.truncate(out.trim_end().len());
    out
}
