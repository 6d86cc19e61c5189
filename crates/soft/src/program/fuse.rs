//! Fuse: a product that only one sum uses becomes part of it: `a * b + c` in one instruction, still in two roundings;
//! and a chain of them (a dot product, a matrix times a vector) becomes one sum of products.

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
        match op {
            Pure::FMul => {
                self.home[v.index()] = here;
                return;
            }
            Pure::FAdd | Pure::FSub => {}
            _ => return,
        }
        let is = |this: &Self, x: Val, op: Pure| {
            let inside = this.home[x.index()] == here && this.uses[x.index()] == 1;
            inside && this.ir.defs[x.index()].kind == Kind::Pure(op)
        };
        let (fused, from, other) = match op {
            Pure::FAdd if is(self, b, Pure::FMul) => (Pure::MulAdd, b, a),
            Pure::FAdd if is(self, a, Pure::FMul) => (Pure::MulAdd, a, b),
            Pure::FSub if is(self, b, Pure::FMul) => (Pure::NegMulAdd, b, a),
            Pure::FSub if is(self, a, Pure::FMul) => (Pure::MulSub, a, b),
            Pure::FAdd => return self.add_uniform(v, a, b, here),
            _ => return,
        };
        let [x, y, _] = self.ir.defs[from.index()].args;
        self.uses[from.index()] = 0;
        if fused == Pure::MulAdd && self.extend(v, (x, y), other, here) {
            return;
        }
        self.ir.defs[v.index()] = Def { kind: Kind::Pure(fused), args: [x, y, other] };
    }

    /// Factors with the uniform one second, and whether there is one.
    fn ordered(&self, (x, y): (Val, Val)) -> ((Val, Val), bool) {
        match (self.rates.varying(x), self.rates.varying(y)) {
            (false, _) => ((y, x), true),
            (_, varying) => ((x, y), !varying),
        }
    }

    /// `v = rest + product` as a longer sum, if `rest` is a product or sum of the same kind that nobody else needs.
    fn extend(&mut self, v: Val, product: (Val, Val), rest: Val, here: u32) -> bool {
        if self.home[rest.index()] != here || self.uses[rest.index()] != 1 {
            return false;
        }
        let (product, uniform) = self.ordered(product);
        let products = match self.ir.defs[rest.index()] {
            Def { kind: Kind::Pure(Pure::FMul), args: [x, y, _] } => {
                let (first, kind) = self.ordered((x, y));
                if kind != uniform {
                    return false;
                }
                vec![first, product]
            }
            Def { kind: Kind::Sum(at), .. } => {
                let sum = &self.ir.sums[at as usize];
                if sum.uniform != uniform || sum.products.len() == 4 || sum.add != Val::NONE {
                    return false;
                }
                let mut products = sum.products.clone();
                products.push(product);
                products
            }
            _ => return false,
        };
        self.uses[rest.index()] = 0;
        self.ir.sums.push(Sum { products, uniform, add: Val::NONE });
        let at = self.ir.sums.len() as u32 - 1;
        self.ir.defs[v.index()] = Def { kind: Kind::Sum(at), args: [Val::NONE; 3] };
        self.home[v.index()] = here;
        true
    }

    /// `v = a + b` where one is a sum and the other uniform.
    fn add_uniform(&mut self, v: Val, a: Val, b: Val, here: u32) {
        for (sum, add) in [(a, b), (b, a)] {
            if self.home[sum.index()] == here
                && self.uses[sum.index()] == 1
                && !self.rates.varying(add)
                && let Kind::Sum(at) = self.ir.defs[sum.index()].kind
                && self.ir.sums[at as usize].add == Val::NONE
            {
                self.uses[sum.index()] = 0;
                self.ir.sums[at as usize].add = add;
                self.ir.defs[v.index()] = self.ir.defs[sum.index()];
                return;
            }
        }
    }
}
