//! Fuse: a product that only one sum uses becomes part of it: `a * b + c` in one instruction, still in two roundings.

use super::ir::*;
use super::op::Pure;
use super::rate::Rates;

/// Fuses inside each region.
pub fn fuse(ir: &mut Ir, rates: &Rates) {
    let mut uses = vec![0u32; ir.defs.len()];
    let mut body = std::mem::take(&mut ir.body);
    count(ir, &body, &mut uses);
    for output in &ir.outputs {
        uses[output.value.index()] += 1;
    }
    let mut fuser = Fuser { ir, rates, uses, home: Vec::new(), region_count: 0 };
    fuser.home = vec![u32::MAX; fuser.ir.defs.len()];
    fuser.region(&mut body);
    ir.body = body;
}

fn touch(uses: &mut [u32], v: Val) {
    if v != Val::NONE {
        uses[v.index()] += 1;
    }
}

fn count(ir: &Ir, region: &Region, uses: &mut [u32]) {
    for item in region {
        match item {
            Item::Def(v) => ir.defs[v.index()].args().for_each(|v| touch(uses, v)),
            Item::Call(at) => ir.calls[*at as usize].args.iter().for_each(|v| touch(uses, *v)),
            Item::Store { address, value, .. } => {
                touch(uses, *address);
                touch(uses, *value);
            }
            Item::Discard | Item::Leave { .. } => {}
            Item::If(i) => {
                touch(uses, i.condition);
                for p in &i.phis {
                    touch(uses, p.accept);
                    touch(uses, p.reject);
                }
                count(ir, &i.accept, uses);
                count(ir, &i.reject, uses);
            }
            Item::Scope(s) => {
                s.edges.iter().flatten().for_each(|v| touch(uses, *v));
                count(ir, &s.body, uses);
            }
            Item::Loop(l) => {
                for p in &l.phis {
                    touch(uses, p.init);
                    touch(uses, p.next);
                }
                l.edges.iter().flatten().for_each(|v| touch(uses, *v));
                count(ir, &l.body, uses);
            }
        }
    }
}

struct Fuser<'a> {
    ir: &'a mut Ir,
    rates: &'a Rates,
    uses: Vec<u32>,
    /// The region that defines a product which may still be fused.
    home: Vec<u32>,
    region_count: u32,
}

impl Fuser<'_> {
    fn region(&mut self, region: &mut Region) {
        let here = self.region_count;
        self.region_count += 1;
        for item in region.iter_mut() {
            match item {
                Item::Def(v) => self.definition(*v, here),
                Item::If(i) => {
                    self.region(&mut i.accept);
                    self.region(&mut i.reject);
                }
                Item::Scope(s) => self.region(&mut s.body),
                Item::Loop(l) => self.region(&mut l.body),
                _ => {}
            }
        }
        region.retain(|item| !matches!(item, Item::Def(v) if self.uses[v.index()] == 0));
    }

    fn definition(&mut self, v: Val, here: u32) {
        if !self.rates.varying(v) {
            return;
        }
        let Def { kind: Kind::Pure(op), args: [a, b, _] } = self.ir.defs[v.index()] else { return };
        let product = |this: &Self, x: Val| this.home[x.index()] == here && this.uses[x.index()] == 1;
        let (fused, from, other) = match op {
            Pure::FMul => {
                self.home[v.index()] = here;
                return;
            }
            Pure::FAdd if product(self, b) => (Pure::MulAdd, b, a),
            Pure::FAdd if product(self, a) => (Pure::MulAdd, a, b),
            Pure::FSub if product(self, b) => (Pure::NegMulAdd, b, a),
            Pure::FSub if product(self, a) => (Pure::MulSub, a, b),
            _ => return,
        };
        let [x, y, _] = self.ir.defs[from.index()].args;
        self.ir.defs[v.index()] = Def { kind: Kind::Pure(fused), args: [x, y, other] };
        self.uses[from.index()] = 0;
    }
}
