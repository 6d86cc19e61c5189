//! Hoist: moves values to where they are computed least often: what is the same for a draw to the prologue, what a loop
//! does not change before the loop. Pure values have no traps, so computing them early is always allowed.

use super::ir::*;
use super::rate::{Rate, Rates};

/// Moves values outward; returns the prologue, in order.
pub fn hoist(ir: &mut Ir, rates: &Rates) -> Vec<Val> {
    let mut body = std::mem::take(&mut ir.body);
    let mut prologue = Vec::new();
    collect_prologue(ir, rates, &mut body, &mut prologue);
    let mut mover = Mover { ir, rates, depth: vec![0; ir.defs.len()], before: Vec::new(), conditional: vec![0] };
    mover.region(&mut body);
    ir.body = body;
    prologue
}

fn collect_prologue(ir: &Ir, rates: &Rates, region: &mut Region, out: &mut Vec<Val>) {
    region.retain_mut(|item| {
        match item {
            Item::Def(v) if rates.get(*v) == Rate::Draw && ir.defs[v.index()].kind != Kind::Phi => {
                out.push(*v);
                return false;
            }
            Item::If(i) => {
                collect_prologue(ir, rates, &mut i.accept, out);
                collect_prologue(ir, rates, &mut i.reject, out);
            }
            Item::Scope(s) => collect_prologue(ir, rates, &mut s.body, out),
            Item::Loop(l) => collect_prologue(ir, rates, &mut l.body, out),
            _ => {}
        }
        true
    });
}

struct Mover<'a> {
    ir: &'a Ir,
    rates: &'a Rates,
    /// Loops around the place where a value is defined.
    depth: Vec<u32>,
    /// By loop around: what moves before it.
    before: Vec<Vec<Item>>,
    /// By loop around (and outside): the conditions entered since.
    conditional: Vec<u32>,
}

impl Mover<'_> {
    fn movable(&self, v: Val) -> bool {
        let kind = self.ir.defs[v.index()].kind;
        matches!(kind, Kind::Pure(_) | Kind::Query(..) | Kind::Load(Memory::Fixed(_) | Memory::Table, _))
    }

    fn region(&mut self, region: &mut Region) {
        let items = std::mem::take(region);
        for mut item in items {
            let here = self.before.len() as u32;
            match &mut item {
                Item::Def(v) => {
                    let v = *v;
                    let mut level = here;
                    if self.movable(v) {
                        let least = self.ir.defs[v.index()].args().map(|a| self.depth[a.index()]).max().unwrap_or(0);
                        let anywhere = !self.rates.varying(v);
                        while level > least && (anywhere || self.conditional[level as usize] == 0) {
                            level -= 1;
                        }
                    }
                    self.depth[v.index()] = level;
                    if level < here {
                        self.before[level as usize].push(item);
                        continue;
                    }
                }
                Item::Call(_) | Item::Store { .. } | Item::Discard | Item::Leave { .. } => {
                    if let Item::Call(at) = item {
                        for result in self.ir.calls[at as usize].results {
                            if result != Val::NONE {
                                self.depth[result.index()] = here;
                            }
                        }
                    }
                }
                Item::If(i) => {
                    for (side, other_falls) in [(&mut i.accept, i.reject_falls), (&mut i.reject, i.accept_falls)] {
                        self.conditional[here as usize] += u32::from(other_falls);
                        self.region(side);
                        self.conditional[here as usize] -= u32::from(other_falls);
                    }
                    i.phis.iter().for_each(|p| self.depth[p.phi.index()] = here);
                }
                Item::Scope(s) => {
                    self.region(&mut s.body);
                    s.phis.iter().for_each(|p| self.depth[p.index()] = here);
                }
                Item::Loop(l) => {
                    self.before.push(Vec::new());
                    self.conditional.push(0);
                    l.phis.iter().for_each(|p| self.depth[p.phi.index()] = here + 1);
                    self.region(&mut l.body);
                    self.conditional.pop();
                    region.extend(self.before.pop().expect("pushed above"));
                    l.exit_phis.iter().for_each(|p| self.depth[p.index()] = here);
                }
            }
            region.push(item);
        }
    }
}
