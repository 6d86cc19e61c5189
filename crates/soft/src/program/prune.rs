//! Prune: drops what nobody sees. An `If` without effect and without living phi goes, a loop likewise.
//!
//! In: settled [`Ir`]. Out: the same with dead definitions, calls, phis and constructs removed.

use super::ir::*;

/// Drops dead values and constructs.
pub fn prune(ir: &mut Ir) {
    let mut live = Live { seen: vec![false; ir.defs.len()] };
    for output in &ir.outputs {
        live.seen[output.value.index()] = true;
    }
    let mut body = std::mem::take(&mut ir.body);
    // Loops are walked until nothing changes, so one walk of the whole marks everything.
    live.region(ir, &body);
    sweep(ir, &live, &mut body);
    ir.body = body;
    for call in &mut ir.calls {
        for result in &mut call.results {
            if *result != Val::NONE && !live.seen[result.index()] {
                *result = Val::NONE;
            }
        }
    }
}

struct Live {
    seen: Vec<bool>,
}

fn has_effect(kind: &CallKind) -> bool {
    matches!(kind, CallKind::ImageStore { .. } | CallKind::Atomic { .. })
}

impl Live {
    fn mark(&mut self, v: Val) -> bool {
        v != Val::NONE && !std::mem::replace(&mut self.seen[v.index()], true)
    }

    fn call_lives(&self, call: &Call) -> bool {
        has_effect(&call.kind) || call.results.iter().any(|r| *r != Val::NONE && self.seen[r.index()])
    }

    /// Marks what a region needs, last item first. True if the region must be kept whatever its values.
    fn region(&mut self, ir: &Ir, region: &Region) -> bool {
        let mut needed = false;
        for item in region.iter().rev() {
            match item {
                Item::Def(v) => {
                    if self.seen[v.index()] {
                        ir.defs[v.index()].args().for_each(|a| {
                            self.mark(a);
                        });
                    }
                }
                Item::Call(at) => {
                    let call = &ir.calls[*at as usize];
                    if self.call_lives(call) {
                        needed |= has_effect(&call.kind);
                        call.args.iter().for_each(|a| {
                            self.mark(*a);
                        });
                    }
                }
                Item::Store { address, value, .. } => {
                    needed = true;
                    self.mark(*address);
                    self.mark(*value);
                }
                Item::Discard | Item::Leave { .. } => needed = true,
                Item::If(i) => needed |= self.branch(ir, i),
                Item::Scope(s) => {
                    for (at, phi) in s.phis.iter().enumerate() {
                        if self.seen[phi.index()] {
                            s.edges.iter().for_each(|e| {
                                self.mark(e[at]);
                            });
                        }
                    }
                    needed |= self.region(ir, &s.body);
                }
                Item::Loop(l) => needed |= self.repeat(ir, l),
            }
        }
        needed
    }

    fn branch(&mut self, ir: &Ir, i: &If) -> bool {
        let mut kept = false;
        for phi in &i.phis {
            if self.seen[phi.phi.index()] {
                kept = true;
                self.mark(phi.accept);
                self.mark(phi.reject);
            }
        }
        let accept = self.region(ir, &i.accept);
        let reject = self.region(ir, &i.reject);
        if kept || accept || reject {
            self.mark(i.condition);
        }
        accept || reject
    }

    fn repeat(&mut self, ir: &Ir, l: &Loop) -> bool {
        for (at, phi) in l.exit_phis.iter().enumerate() {
            if self.seen[phi.index()] {
                l.edges.iter().for_each(|e| {
                    self.mark(e[at]);
                });
            }
        }
        loop {
            self.region(ir, &l.body);
            let mut changed = false;
            for phi in &l.phis {
                if self.seen[phi.phi.index()] {
                    self.mark(phi.init);
                    changed |= self.mark(phi.next);
                }
            }
            if !changed {
                // Loops stay even without effect: one without end is the user's fault to see.
                return true;
            }
        }
    }
}

fn sweep(ir: &mut Ir, live: &Live, region: &mut Region) {
    let seen = |v: Val| live.seen[v.index()];
    region.retain_mut(|item| match item {
        Item::Def(v) => seen(*v),
        Item::Call(at) => live.call_lives(&ir.calls[*at as usize]),
        Item::Store { .. } | Item::Discard | Item::Leave { .. } => true,
        Item::If(i) => {
            sweep(ir, live, &mut i.accept);
            sweep(ir, live, &mut i.reject);
            i.phis.retain(|p| seen(p.phi));
            if i.phis.is_empty() && !i.accept.iter().chain(&i.reject).any(|i| kept_for_effect(ir, i)) {
                // Values that are used outside (where only one branch goes on) keep their construct.
                return !(i.accept.is_empty() && i.reject.is_empty());
            }
            true
        }
        Item::Scope(s) => {
            sweep(ir, live, &mut s.body);
            let keep: Vec<bool> = s.phis.iter().map(|p| seen(*p)).collect();
            retain_columns(&mut s.phis, &mut s.edges, &keep);
            true
        }
        Item::Loop(l) => {
            sweep(ir, live, &mut l.body);
            l.phis.retain(|p| seen(p.phi));
            let keep: Vec<bool> = l.exit_phis.iter().map(|p| seen(*p)).collect();
            retain_columns(&mut l.exit_phis, &mut l.edges, &keep);
            true
        }
    });
}

fn kept_for_effect(ir: &Ir, item: &Item) -> bool {
    match item {
        Item::Def(_) => false,
        Item::Call(at) => has_effect(&ir.calls[*at as usize].kind),
        Item::Store { .. } | Item::Discard | Item::Leave { .. } | Item::Loop(_) => true,
        Item::If(i) => !i.phis.is_empty() || i.accept.iter().chain(&i.reject).any(|i| kept_for_effect(ir, i)),
        Item::Scope(s) => s.body.iter().any(|i| kept_for_effect(ir, i)),
    }
}

fn retain_columns(phis: &mut Vec<Val>, edges: &mut [Vec<Val>], keep: &[bool]) {
    let mut kept = keep.iter();
    phis.retain(|_| *kept.next().expect("one flag a phi"));
    for edge in edges {
        let mut kept = keep.iter();
        edge.retain(|_| *kept.next().expect("one flag a phi"));
    }
}
