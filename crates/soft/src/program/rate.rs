//! Rate: how often a value changes. The same for a draw, the same for all lanes that are active together, or by lane.
//!
//! In: pruned [`Ir`]. Out: a rate for every value, and which scopes lanes leave one by one. A fixed point: everything
//! starts as the same for the draw and rises.

use super::ir::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rate {
    /// Depends on buffers that nobody writes, constants and sizes alone: computed once a draw.
    Draw,
    /// One word, computed in place.
    Uniform,
    Varying,
}

#[derive(Debug)]
pub struct Rates {
    pub of: Vec<Rate>,
    /// By scope: whether lanes leave it at different times.
    pub divergent: Vec<bool>,
    changed: bool,
}

impl Rates {
    pub fn get(&self, v: Val) -> Rate {
        self.of[v.index()]
    }
    pub fn varying(&self, v: Val) -> bool {
        self.of[v.index()] == Rate::Varying
    }

    fn raise(&mut self, v: Val, rate: Rate) {
        if self.of[v.index()] < rate {
            self.of[v.index()] = rate;
            self.changed = true;
        }
    }
    fn raise_scope(&mut self, scope: ScopeId) {
        if !std::mem::replace(&mut self.divergent[scope.0 as usize], true) {
            self.changed = true;
        }
    }
}

/// Rates of all values. `workgroup_varies`: several workgroups share a block, so their number differs by lane.
pub fn rates(ir: &Ir, workgroup_varies: bool) -> Rates {
    let of = ir
        .defs
        .iter()
        .map(|def| match def.kind {
            Kind::Input(_) => Rate::Varying,
            Kind::WorkgroupId(_) if workgroup_varies => Rate::Varying,
            Kind::WorkgroupId(_) => Rate::Uniform,
            _ => Rate::Draw,
        })
        .collect();
    let mut rates = Rates { of, divergent: vec![false; ir.scope_count as usize], changed: true };
    while rates.changed {
        rates.changed = false;
        region(ir, &mut rates, &ir.body, &mut Vec::new());
    }
    rates
}

/// What encloses a point: a scope, or an `If` whose condition varies.
#[derive(Clone, Copy)]
enum Around {
    Scope(ScopeId),
    Varying,
}

fn region(ir: &Ir, rates: &mut Rates, items: &Region, around: &mut Vec<Around>) {
    for item in items {
        match item {
            Item::Def(v) => {
                let rate = definition(ir, rates, *v);
                rates.raise(*v, rate);
            }
            Item::Call(_) | Item::Store { .. } | Item::Discard => {}
            Item::If(i) => branch(ir, rates, i, around),
            Item::Scope(s) => {
                around.push(Around::Scope(s.id));
                region(ir, rates, &s.body, around);
                around.pop();
                join(rates, s.id, &s.phis, &s.edges, Rate::Uniform);
            }
            Item::Loop(l) => repeat(ir, rates, l, around),
            Item::Leave { scope, .. } => {
                let mut apart = false;
                for at in around.iter().rev() {
                    match *at {
                        Around::Varying => apart = true,
                        Around::Scope(inner) if inner == *scope => break,
                        Around::Scope(inner) => apart |= rates.divergent[inner.0 as usize],
                    }
                }
                if apart {
                    // Lanes that leave an outer scope leave the inner ones too.
                    for at in around.iter().rev() {
                        if let Around::Scope(inner) = *at {
                            rates.raise_scope(inner);
                            if inner == *scope {
                                break;
                            }
                        }
                    }
                }
            }
        }
    }
}

fn definition(ir: &Ir, rates: &Rates, v: Val) -> Rate {
    let def = &ir.defs[v.index()];
    let args = def.args().map(|a| rates.get(a)).max().unwrap_or(Rate::Draw);
    match def.kind {
        Kind::Pure(_) | Kind::Query(..) => args,
        Kind::Load(Memory::Fixed(_) | Memory::Table, _) => args,
        Kind::Load(Memory::Storage(_) | Memory::Workgroup, _) => args.max(Rate::Uniform),
        Kind::Load(Memory::Private, _) => Rate::Varying,
        // Of the same value in a quad there is nothing to complete, and no difference.
        Kind::QuadFill | Kind::Derivative(_) => args,
        Kind::Call(_) | Kind::Part(_) => Rate::Varying,
        _ => rates.get(v),
    }
}

fn branch(ir: &Ir, rates: &mut Rates, i: &If, around: &mut Vec<Around>) {
    let varying = rates.varying(i.condition);
    if varying {
        around.push(Around::Varying);
    }
    region(ir, rates, &i.accept, around);
    region(ir, rates, &i.reject, around);
    if varying {
        around.pop();
    }
    for p in &i.phis {
        let least = if varying { Rate::Varying } else { Rate::Uniform };
        rates.raise(p.phi, least.max(rates.get(p.accept)).max(rates.get(p.reject)));
    }
}

fn repeat(ir: &Ir, rates: &mut Rates, l: &Loop, around: &mut Vec<Around>) {
    for p in &l.phis {
        rates.raise(p.phi, Rate::Uniform.max(rates.get(p.init)).max(rates.get(p.next)));
    }
    around.push(Around::Scope(l.id));
    region(ir, rates, &l.body, around);
    around.pop();
    for p in &l.phis {
        rates.raise(p.phi, rates.get(p.next));
    }
    join(rates, l.id, &l.exit_phis, &l.edges, Rate::Uniform);
}

fn join(rates: &mut Rates, id: ScopeId, phis: &[Val], edges: &[Vec<Val>], least: Rate) {
    let least = if rates.divergent[id.0 as usize] { Rate::Varying } else { least };
    for (at, phi) in phis.iter().enumerate() {
        let most = edges.iter().map(|e| rates.get(e[at])).max().unwrap_or(Rate::Draw);
        rates.raise(*phi, least.max(most));
    }
}
