//! Emit: regions become a row of instructions; divergence becomes masks.
//!
//! In: [`Ir`] with rates. Out: [`Inst`]s. Never here: registers, encodings.
//!
//! A mask is an ordinary register of all ones and zeros. Pure operations run on all lanes of the current *runs* (ranges
//! of lanes); masks are made only where something can be seen: stores, calls with effects, loops, early exits, quad
//! completion. A scope that lanes leave at different times keeps the mask of those still inside in a variable, `live`.
//! Its phis are variables too: whoever leaves writes them under its own mask. Branches that cost more than a test are
//! skipped when no lane takes them, longer ones run only where there are such lanes.

use super::ir::*;
use super::linear::{Code, Inst, Label};
use super::op::{IN_PLACE, Pure};
use super::rate::{Rate, Rates};

/// A branch of at least this many instructions is worth a test, of this many worth narrowing the runs.
const TEST_COST: u32 = 6;
const NARROW_COST: u32 = 20;

/// Which lanes are active, apart from the lane count.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Active {
    All,
    Mask(Val),
}

#[derive(Clone, Copy, Debug)]
struct Open {
    id: ScopeId,
    /// `NONE` unless lanes leave one by one.
    live: Val,
    end: Label,
    narrowed: u32,
    /// Index into `Emitter::edges`.
    edges: u32,
    is_loop: bool,
}

/// What `emit` makes.
#[derive(Debug)]
pub struct Emitted {
    pub prologue: Vec<Inst>,
    pub body: Vec<Inst>,
    /// By output, a varying value.
    pub outputs: Vec<Val>,
    /// The lanes that may write, if effects or `discard` ask for it.
    pub write_mask: Option<Val>,
    pub label_count: u32,
    pub run_slots: u8,
}

struct Emitter<'a> {
    ir: &'a mut Ir,
    rates: &'a mut Rates,
    out: Vec<Inst>,
    open: Vec<Open>,
    /// Phis and incoming values of open scopes.
    edges: Vec<(Vec<Val>, Vec<Vec<Val>>)>,
    write_mask: Option<Val>,
    labels: u32,
    narrowed: u32,
    run_slots: u8,
    end: Label,
}

const NO: Val = Val::NONE;

/// Emits a program. `fragment`: effects and `discard` go through the mask of lanes that may write.
pub fn emit(ir: &mut Ir, rates: &mut Rates, prologue: &[Val], fragment: bool) -> Emitted {
    let body = std::mem::take(&mut ir.body);
    let masked = fragment && has_write(ir, &body);
    let mut e = Emitter {
        ir,
        rates,
        out: Vec::new(),
        open: Vec::new(),
        edges: Vec::new(),
        write_mask: None,
        labels: 0,
        narrowed: 0,
        run_slots: 0,
        end: Label(0),
    };
    for v in prologue {
        e.definition(*v, Active::All);
    }
    let prologue = std::mem::take(&mut e.out);
    e.end = e.label();
    if masked {
        let mask = e.variable();
        e.out.push(Inst::new(Code::Define, mask, [NO; 3]));
        e.write_mask = Some(mask);
    }
    e.region(&body, Active::All);
    e.place(e.end);
    let outputs: Vec<Val> = e.ir.outputs.iter().map(|o| o.value).collect();
    let outputs = outputs.into_iter().map(|v| e.varying(v)).collect();
    e.out.push(Inst::new(Code::End, NO, [NO; 3]));
    let Emitter { out, write_mask, labels, run_slots, .. } = e;
    Emitted { prologue, body: out, outputs, write_mask, label_count: labels, run_slots }
}

/// Whether a region has effects that helpers must not have, or makes helpers.
fn has_write(ir: &Ir, region: &[Item]) -> bool {
    region.iter().any(|item| match item {
        Item::Discard => true,
        Item::Store { memory, .. } => !matches!(memory, Memory::Private),
        Item::Call(at) => {
            matches!(ir.calls[*at as usize].kind, CallKind::ImageStore { .. } | CallKind::Atomic { .. })
        }
        Item::If(i) => has_write(ir, &i.accept) || has_write(ir, &i.reject),
        Item::Scope(s) => has_write(ir, &s.body),
        Item::Loop(l) => has_write(ir, &l.body),
        Item::Def(_) | Item::Leave { .. } => false,
    })
}

fn leaves(region: &[Item]) -> bool {
    region.iter().any(|item| match item {
        Item::Leave { .. } => true,
        Item::If(i) => leaves(&i.accept) || leaves(&i.reject),
        Item::Scope(s) => leaves(&s.body),
        Item::Loop(l) => leaves(&l.body),
        _ => false,
    })
}

impl Emitter<'_> {
    // ---- pieces ----

    fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels - 1)
    }
    fn place(&mut self, label: Label) {
        self.out.push(Inst::new(Code::Label(label), NO, [NO; 3]));
    }
    fn jump(&mut self, code: Code, on: Val) {
        self.out.push(Inst::new(code, NO, [on, NO, NO]));
    }
    /// A varying register of its own.
    fn variable(&mut self) -> Val {
        self.rates.of.push(Rate::Varying);
        self.ir.add(Kind::Variable, [NO; 3])
    }
    fn constant(&mut self, bits: u32) -> Val {
        self.rates.of.push(Rate::Draw);
        self.ir.add(Kind::Const(bits), [NO; 3])
    }
    fn real(&self, v: Val) -> Val {
        self.ir.find(v)
    }
    fn pure(&mut self, op: Pure, dst: Val, src: [Val; 3]) {
        let mut src = src.map(|v| self.real(v));
        if self.rates.varying(dst) {
            self.shape(op, &mut src, None);
        }
        self.out.push(Inst::new(Code::Pure(op), dst, src));
    }
    /// Brings operands into a shape that has a kernel: by exchange, else by copying uniform ones into registers.
    fn shape(&mut self, op: Pure, src: &mut [Val; 3], in_place: Option<usize>) {
        let bits = |this: &Self, src: &[Val; 3]| -> u8 {
            let uniform = |k: &usize| src[*k] != NO && !this.rates.varying(src[*k]);
            let shape = (0..op.arity()).filter(uniform).map(|k| 1u8 << k).sum::<u8>();
            shape | if in_place.is_some() { IN_PLACE } else { 0 }
        };
        let wanted = bits(self, src);
        if op.has_shape(wanted) {
            return;
        }
        if op.commutes() && !matches!(in_place, Some(0 | 1)) {
            let mut swapped = *src;
            swapped.swap(0, 1);
            if op.has_shape(bits(self, &swapped)) {
                *src = swapped;
                return;
            }
        }
        let least = (0..8u8)
            .filter(|copied| wanted & copied == *copied && op.has_shape(wanted & !copied))
            .min_by_key(|copied| copied.count_ones())
            .expect("the shape of registers alone has a kernel");
        for (k, v) in src.iter_mut().enumerate() {
            if least >> k & 1 != 0 {
                *v = self.new_pure(Pure::Mov, [*v, NO, NO]);
            }
        }
    }
    fn new_pure(&mut self, op: Pure, src: [Val; 3]) -> Val {
        let dst = self.variable();
        self.pure(op, dst, src);
        dst
    }
    /// `dst = op(dst, ...)`; the operand that is the destination is missing in `src`, the others stand where they
    /// belong.
    fn update(&mut self, op: Pure, dst: Val, src: [Val; 3]) {
        let mut src = src.map(|v| self.real(v));
        self.shape(op, &mut src, op.updated());
        self.out.push(Inst { code: Code::Pure(op), dst, src, in_place: true });
    }
    fn mov(&mut self, dst: Val, src: Val) {
        let src = self.real(src);
        if dst != src {
            self.pure(Pure::Mov, dst, [src, NO, NO]);
        }
    }
    /// `v` in a varying register.
    fn varying(&mut self, v: Val) -> Val {
        let v = self.real(v);
        if self.rates.varying(v) { v } else { self.new_pure(Pure::Mov, [v, NO, NO]) }
    }

    /// The innermost scope that lanes leave one by one.
    fn innermost_live(&self) -> Option<Open> {
        self.open.iter().rev().find(|o| o.live != NO).copied()
    }

    /// The mask of the active lanes that may write, or `NONE` for all.
    fn write_lanes(&mut self, active: Active) -> Val {
        match (active, self.write_mask) {
            (Active::All, None) => NO,
            (Active::All, Some(write)) => write,
            (Active::Mask(m), None) => m,
            (Active::Mask(m), Some(write)) => self.new_pure(Pure::And, [m, write, NO]),
        }
    }

    // ---- items ----

    /// Emits a region; gives the lanes active behind it.
    fn region(&mut self, region: &[Item], mut active: Active) -> Active {
        for item in region {
            match item {
                Item::Def(v) => self.definition(*v, active),
                Item::Call(at) => {
                    let effect =
                        !matches!(self.ir.calls[*at as usize].kind, CallKind::Sample(_) | CallKind::ImageLoad { .. });
                    let mask = match active {
                        _ if effect => self.write_lanes(active),
                        Active::All => NO,
                        Active::Mask(m) => m,
                    };
                    let args = std::mem::take(&mut self.ir.calls[*at as usize].args);
                    self.ir.calls[*at as usize].args = args.into_iter().map(|a| self.real(a)).collect();
                    self.out.push(Inst::new(Code::Call(*at), NO, [mask, NO, NO]));
                }
                Item::Store { memory, address, offset, value } => {
                    let mask = match (memory, active) {
                        (Memory::Private, Active::All) => NO,
                        (Memory::Private, Active::Mask(m)) => m,
                        _ => self.write_lanes(active),
                    };
                    let src = [self.real(*address), self.real(*value), mask];
                    self.out.push(Inst::new(Code::Store(*memory, *offset), NO, src));
                }
                Item::Discard => {
                    let write = self.write_mask.expect("discard asks for the mask");
                    match active {
                        Active::All => {
                            let zero = self.constant(0);
                            self.mov(write, zero);
                        }
                        Active::Mask(m) => self.update(Pure::AndNot, write, [NO, m, NO]),
                    }
                    // Nobody left who could be seen.
                    self.jump(Code::BranchNone(self.end), write);
                }
                Item::If(i) => active = self.branch(i, active),
                Item::Scope(s) => active = self.scope(s, active),
                Item::Loop(l) => active = self.repeat(l, active),
                Item::Leave { scope, edge } => self.leave(*scope, *edge, active),
            }
        }
        active
    }

    fn definition(&mut self, v: Val, active: Active) {
        let def = self.ir.defs[v.index()];
        let args = def.args.map(|a| self.real(a));
        let varying = self.rates.varying(v);
        let code = match def.kind {
            Kind::Pure(op) => return self.pure(op, v, args),
            Kind::Sum(at) => {
                let mut sum = self.ir.sums[at as usize].clone();
                sum.products.iter_mut().for_each(|p| *p = (self.real(p.0), self.real(p.1)));
                sum.add = self.real(sum.add);
                self.ir.sums[at as usize] = sum;
                Code::Sum(at)
            }
            Kind::Load(memory, offset) => Code::Load(memory, offset),
            Kind::Query(slot, query) => Code::Query(slot, query),
            Kind::Derivative(_) if !varying => return self.pure(Pure::FSub, v, [args[0], args[0], NO]),
            Kind::Derivative(kind) => Code::Derivative(kind),
            Kind::QuadFill => match active {
                Active::Mask(m) if varying => {
                    self.out.push(Inst::new(Code::QuadFill, v, [args[0], m, NO]));
                    return;
                }
                _ => {
                    self.ir.forward[v.index()] = args[0];
                    return;
                }
            },
            // The call writes its parts.
            Kind::Part(_) => return,
            other => unreachable!("{other:?} is not an instruction"),
        };
        self.out.push(Inst::new(code, v, args));
    }

    // ---- leaving ----

    fn leave(&mut self, scope: ScopeId, edge: u32, active: Active) {
        let at = self.open.iter().rposition(|o| o.id == scope).expect("the target is open");
        let target = self.open[at];
        let (phis, edges) = &self.edges[target.edges as usize];
        let pairs: Vec<(Val, Val)> = phis.iter().copied().zip(edges[edge as usize].iter().copied()).collect();
        if target.live == NO {
            for (phi, v) in pairs {
                self.mov(phi, v);
            }
            self.jump(Code::Jump(target.end), NO);
            return;
        }
        let Active::Mask(mask) = active else { unreachable!("inside a divergent scope there is a mask") };
        for (phi, v) in pairs {
            self.capture(phi, mask, v);
        }
        let lives: Vec<Val> = self.open[at..].iter().map(|o| o.live).filter(|l| *l != NO).collect();
        for live in lives.iter().rev().filter(|l| **l != mask) {
            self.update(Pure::AndNot, *live, [NO, mask, NO]);
        }
        if lives.contains(&mask) {
            let zero = self.constant(0);
            self.mov(mask, zero);
        }
    }

    /// `phi` takes `v` in the lanes of `mask`.
    fn capture(&mut self, phi: Val, mask: Val, v: Val) {
        if self.real(v) != phi {
            self.update(Pure::Select, phi, [mask, v, NO]);
        }
    }

    // ---- constructs ----

    fn branch(&mut self, i: &If, active: Active) -> Active {
        let condition = self.real(i.condition);
        if !self.rates.varying(condition) {
            return self.uniform_branch(i, condition, active);
        }
        if let Some(after) = self.leave_first(i, condition, active) {
            return after;
        }
        let accept_cost = self.cost(&i.accept);
        let reject_cost = self.cost(&i.reject);
        let accept_mask = self.needs_mask(&i.accept) || accept_cost >= NARROW_COST;
        let reject_mask = self.needs_mask(&i.reject) || reject_cost >= NARROW_COST;
        let accept_lanes = accept_mask.then(|| match active {
            Active::All => condition,
            Active::Mask(m) => self.new_pure(Pure::And, [m, condition, NO]),
        });
        let reject_lanes = reject_mask.then(|| match active {
            Active::All => self.new_pure(Pure::Not, [condition, NO, NO]),
            Active::Mask(m) => self.new_pure(Pure::AndNot, [m, condition, NO]),
        });
        self.guarded(&i.accept, accept_lanes, accept_cost, condition, Code::BranchNone);
        self.guarded(&i.reject, reject_lanes, reject_cost, condition, Code::BranchAll);
        for p in &i.phis {
            let (a, r) = (self.real(p.accept), self.real(p.reject));
            self.pure(Pure::Select, p.phi, [condition, a, r]);
        }
        self.after(active, leaves(&i.accept) || leaves(&i.reject))
    }

    /// The lanes active behind something in which some may have left outer scopes.
    fn after(&mut self, active: Active, left: bool) -> Active {
        match (left, self.innermost_live(), active) {
            (true, Some(open), Active::Mask(m)) if m != open.live => {
                Active::Mask(self.new_pure(Pure::And, [m, open.live, NO]))
            }
            _ => active,
        }
    }

    /// One branch of a varying condition, skipped or narrowed as it pays.
    fn guarded(&mut self, region: &[Item], lanes: Option<Val>, cost: u32, condition: Val, test: fn(Label) -> Code) {
        if region.is_empty() {
            return;
        }
        let skip = self.label();
        let inner = lanes.map_or(Active::All, Active::Mask);
        match lanes {
            Some(mask) if cost >= NARROW_COST => {
                let slot = self.run_slot();
                self.out.push(Inst::new(Code::SaveRuns(slot), NO, [NO; 3]));
                self.jump(Code::Narrow(skip), mask);
                self.narrowed += 1;
                self.region(region, inner);
                self.narrowed -= 1;
                self.place(skip);
                self.out.push(Inst::new(Code::Widen(slot), NO, [NO; 3]));
                return;
            }
            Some(mask) if cost >= TEST_COST => self.jump(Code::BranchNone(skip), mask),
            None if cost >= TEST_COST => self.jump(test(skip), condition),
            _ => {}
        }
        // Without a mask nothing inside asks which lanes are active.
        self.region(region, inner);
        self.place(skip);
    }

    fn run_slot(&mut self) -> u8 {
        self.run_slots = self.run_slots.checked_add(1).expect("fewer than 256 narrowed regions");
        self.run_slots - 1
    }

    /// `if (c) { rest } else { leave }` where exactly the lanes of the innermost scope are active: the leaving side
    /// comes first, and the scope's own mask then is the mask of the rest.
    fn leave_first(&mut self, i: &If, condition: Val, active: Active) -> Option<Active> {
        let open = self.innermost_live()?;
        if active != Active::Mask(open.live) {
            return None;
        }
        let only_leaves = |region: &Region| {
            let (last, before) = region.split_last()?;
            let Item::Leave { scope, edge } = *last else { return None };
            before.iter().all(|item| matches!(item, Item::Def(_))).then_some((scope, edge))
        };
        let (leaving, rest, (scope, edge), on_true) = match (only_leaves(&i.accept), only_leaves(&i.reject)) {
            (_, Some(to)) if !i.reject_falls => (&i.reject, &i.accept, to, false),
            (Some(to), _) if !i.accept_falls => (&i.accept, &i.reject, to, true),
            _ => return None,
        };
        let target = *self.open.iter().rfind(|o| o.id == scope).expect("the target is open");
        let has_phis = !self.edges[target.edges as usize].0.is_empty();
        if target.id == open.id && !has_phis && leaving.len() == 1 {
            self.update(if on_true { Pure::AndNot } else { Pure::And }, open.live, [NO, condition, NO]);
        } else {
            let op = if on_true { Pure::And } else { Pure::AndNot };
            let mask = self.new_pure(op, [open.live, condition, NO]);
            let skip = self.label();
            self.jump(Code::BranchNone(skip), mask);
            self.region(&leaving[..leaving.len() - 1], Active::Mask(mask));
            self.leave(scope, edge, Active::Mask(mask));
            self.place(skip);
        }
        let cost = self.cost(rest);
        if open.is_loop && self.narrowed == open.narrowed {
            // The loop takes its runs back at its end, so they may shrink here.
            self.jump(Code::Narrow(open.end), open.live);
        } else if cost >= TEST_COST && self.narrowed == open.narrowed {
            self.jump(Code::BranchNone(open.end), open.live);
        }
        Some(self.region(rest, active))
    }

    fn uniform_branch(&mut self, i: &If, condition: Val, active: Active) -> Active {
        if i.accept_falls && !i.reject_falls {
            // The way out comes first: then copies at the end of a loop's body merge (`allocate::merge_copies`).
            let stay = self.label();
            self.jump(Code::JumpIfNonZero(stay), condition);
            self.region(&i.reject, active);
            self.place(stay);
            self.region(&i.accept, active);
            return self.after(active, leaves(&i.accept) || leaves(&i.reject));
        }
        let (other, end) = (self.label(), self.label());
        self.jump(Code::JumpIfZero(other), condition);
        self.region(&i.accept, active);
        if i.accept_falls {
            for p in &i.phis {
                self.mov(p.phi, p.accept);
            }
        }
        // Also where all lanes have left: inside a divergent scope that is a matter of masks, and no jump.
        self.jump(Code::Jump(end), NO);
        self.place(other);
        self.region(&i.reject, active);
        if i.reject_falls {
            for p in &i.phis {
                self.mov(p.phi, p.reject);
            }
        }
        self.place(end);
        self.after(active, leaves(&i.accept) || leaves(&i.reject))
    }

    fn open_scope(&mut self, id: ScopeId, live: Val, phis: &[Val], edges: &[Vec<Val>], is_loop: bool) -> Open {
        self.edges.push((phis.to_vec(), edges.to_vec()));
        let end = self.label();
        let open = Open { id, live, end, narrowed: self.narrowed, edges: self.edges.len() as u32 - 1, is_loop };
        self.open.push(open);
        open
    }

    /// A variable with the active lanes of this run.
    fn live_mask(&mut self, active: Active) -> Val {
        let live = self.variable();
        let from = match active {
            Active::All => NO,
            Active::Mask(m) => m,
        };
        self.out.push(Inst::new(Code::EntryMask, live, [from, NO, NO]));
        live
    }

    fn scope(&mut self, s: &Scope, active: Active) -> Active {
        let divergent = self.rates.divergent[s.id.0 as usize];
        let live = if divergent { self.live_mask(active) } else { NO };
        for phi in &s.phis {
            self.out.push(Inst::new(Code::Define, *phi, [NO; 3]));
        }
        let open = self.open_scope(s.id, live, &s.phis, &s.edges, false);
        let inner = if divergent { Active::Mask(live) } else { active };
        self.region(&s.body, inner);
        if let Some(edge) = s.fall {
            for (phi, v) in s.phis.iter().zip(&s.edges[edge as usize]) {
                if divergent {
                    self.capture(*phi, live, *v);
                } else {
                    self.mov(*phi, *v);
                }
            }
        }
        self.open.pop();
        self.edges.pop();
        self.place(open.end);
        self.after(active, leaves(&s.body))
    }

    fn repeat(&mut self, l: &Loop, active: Active) -> Active {
        let divergent = self.rates.divergent[l.id.0 as usize];
        let live = if divergent { self.live_mask(active) } else { NO };
        for phi in &l.exit_phis {
            self.out.push(Inst::new(Code::Define, *phi, [NO; 3]));
        }
        for p in &l.phis {
            self.mov(p.phi, p.init);
        }
        let slot = divergent.then(|| self.run_slot());
        if let Some(slot) = slot {
            self.out.push(Inst::new(Code::SaveRuns(slot), NO, [NO; 3]));
        }
        let open = self.open_scope(l.id, live, &l.exit_phis, &l.edges, true);
        let header = self.label();
        self.place(header);
        if divergent && !self.begins_with_leave(&l.body) {
            self.jump(Code::Narrow(open.end), live);
        }
        self.region(&l.body, if divergent { Active::Mask(live) } else { active });
        if l.falls {
            let moves: Vec<(Val, Val)> = l.phis.iter().map(|p| (p.phi, self.real(p.next))).collect();
            self.parallel_moves(moves);
            self.jump(Code::Back(header), NO);
        }
        self.open.pop();
        self.edges.pop();
        self.place(open.end);
        if let Some(slot) = slot {
            self.out.push(Inst::new(Code::Widen(slot), NO, [NO; 3]));
        }
        self.after(active, leaves(&l.body))
    }

    /// Whether a loop's body narrows its runs right away (`leave_first`), so that the header need not.
    fn begins_with_leave(&self, body: &[Item]) -> bool {
        let first = body.iter().position(|item| !matches!(item, Item::Def(_)));
        let Some(at) = first else { return false };
        let Item::If(i) = &body[at] else { return false };
        let leaves_only = |region: &Region, falls: bool| {
            !falls
                && region.split_last().is_some_and(|(last, before)| {
                    matches!(last, Item::Leave { .. }) && before.iter().all(|item| matches!(item, Item::Def(_)))
                })
        };
        self.cost(&body[..at]) < TEST_COST
            && self.rates.varying(self.real(i.condition))
            && (leaves_only(&i.reject, i.reject_falls) || leaves_only(&i.accept, i.accept_falls))
    }

    /// Moves that all read before any writes.
    fn parallel_moves(&mut self, mut moves: Vec<(Val, Val)>) {
        moves.retain(|(dst, src)| dst != src);
        while !moves.is_empty() {
            let free = moves.iter().position(|(dst, _)| moves.iter().all(|(_, src)| src != dst));
            match free {
                Some(at) => {
                    let (dst, src) = moves.swap_remove(at);
                    self.mov(dst, src);
                }
                None => {
                    // A cycle: one value goes aside.
                    let src = moves[0].1;
                    self.rates.of.push(self.rates.get(src));
                    let aside = self.ir.add(Kind::Variable, [NO; 3]);
                    self.mov(aside, src);
                    moves[0].1 = aside;
                }
            }
        }
    }

    // ---- estimates ----

    /// Instructions of a region, roughly. Uniform ones cost little.
    fn cost(&self, region: &[Item]) -> u32 {
        region
            .iter()
            .map(|item| match item {
                Item::Def(v) => u32::from(self.rates.varying(*v)),
                Item::Call(_) => 40,
                Item::Store { .. } => 8,
                Item::Discard | Item::Leave { .. } => 2,
                Item::If(i) => 1 + self.cost(&i.accept) + self.cost(&i.reject) + i.phis.len() as u32,
                Item::Scope(s) => 1 + self.cost(&s.body) + s.phis.len() as u32,
                Item::Loop(_) => 1000,
            })
            .sum()
    }

    /// Whether something in a region asks which lanes are active.
    fn needs_mask(&self, region: &[Item]) -> bool {
        region.iter().any(|item| match item {
            Item::Def(v) => self.ir.defs[v.index()].kind == Kind::QuadFill && self.rates.varying(*v),
            Item::Call(_) | Item::Store { .. } | Item::Discard | Item::Leave { .. } | Item::Loop(_) => true,
            Item::If(i) => self.needs_mask(&i.accept) || self.needs_mask(&i.reject),
            Item::Scope(s) => self.rates.divergent[s.id.0 as usize] || self.needs_mask(&s.body),
        })
    }
}
