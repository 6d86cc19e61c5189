//! Build: makes [`Ir`] while statements are walked. Values are numbered, folded and simplified as they are made,
//! variables become values, and phis appear where control flow joins.
//!
//! A *slot* is one scalar of a variable. `Builder::slots` holds the value that each slot has at the point being built.

use super::ir::*;
use super::op::Pure;

/// What is known of a construct that is still open.
#[derive(Debug)]
pub struct OpenIf {
    condition: Val,
    before: Vec<Val>,
    accept: Option<(Region, Vec<Val>, bool)>,
}

#[derive(Debug)]
struct OpenScope {
    id: ScopeId,
    slot_count: usize,
    edges: Vec<Vec<Val>>,
    mark: usize,
    /// Loop: `(slot, phi, init)` and the first value made inside.
    header: Option<(Vec<(u32, Val, Val)>, u32)>,
}

/// Pure values by operation and operands; entries are forgotten in the reverse order.
#[derive(Debug)]
struct Known {
    buckets: Vec<u32>,
    /// Bucket, next entry, value.
    entries: Vec<(u32, u32, Val)>,
}

impl Known {
    fn new() -> Known {
        Known { buckets: vec![u32::MAX; 1024], entries: Vec::new() }
    }
    fn bucket(&self, kind: &Kind, args: &[Val; 3]) -> u32 {
        let mut hash = match *kind {
            Kind::Const(bits) => u64::from(bits) ^ 0x51,
            Kind::Pure(op) => 0x1_0000 + op as u64,
            Kind::Load(memory, offset) => {
                let space = match memory {
                    Memory::Fixed(slot) => u64::from(slot),
                    Memory::Storage(slot) => 0x2_0000 | u64::from(slot),
                    Memory::Workgroup => 0x4_0000,
                    Memory::Private => 0x4_0001,
                    Memory::Table => 0x4_0002,
                };
                (space << 32) | u64::from(offset)
            }
            Kind::Query(slot, _) => 0x9_0000 + u64::from(slot),
            Kind::BufferSize(slot) => 0xA_0000 + u64::from(slot),
            _ => 0xB_0000,
        };
        for arg in args {
            hash = (hash ^ u64::from(arg.0)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            hash ^= hash >> 29;
        }
        (hash >> 20) as u32 & (self.buckets.len() as u32 - 1)
    }
    fn get(&self, ir: &Ir, kind: &Kind, args: &[Val; 3]) -> Option<Val> {
        let mut at = self.buckets[self.bucket(kind, args) as usize];
        while at != u32::MAX {
            let (_, next, v) = self.entries[at as usize];
            let def = &ir.defs[v.index()];
            if def.kind == *kind && def.args == *args {
                return Some(v);
            }
            at = next;
        }
        None
    }
    fn insert(&mut self, kind: &Kind, args: &[Val; 3], v: Val) {
        let bucket = self.bucket(kind, args);
        self.entries.push((bucket, self.buckets[bucket as usize], v));
        self.buckets[bucket as usize] = self.entries.len() as u32 - 1;
    }
    fn forget_to(&mut self, mark: usize) {
        while self.entries.len() > mark {
            let (bucket, next, _) = self.entries.pop().expect("longer than mark");
            self.buckets[bucket as usize] = next;
        }
    }
}

#[derive(Debug)]
pub struct Builder {
    pub ir: Ir,
    /// Value of each slot here.
    pub slots: Vec<Val>,
    /// False after a `Leave`: nothing can be reached until an end joins.
    pub alive: bool,
    regions: Vec<Region>,
    open: Vec<OpenScope>,
    known: Known,
    /// Constants, inputs and the like, which are everywhere.
    roots: Known,
}

const NO: Val = Val::NONE;

impl Builder {
    pub fn new() -> Builder {
        Builder {
            ir: Ir::default(),
            slots: Vec::new(),
            alive: true,
            regions: vec![Vec::new()],
            open: Vec::new(),
            known: Known::new(),
            roots: Known::new(),
        }
    }

    pub fn finish(mut self) -> Ir {
        assert!(self.open.is_empty() && self.regions.len() == 1, "every construct is closed");
        self.ir.body = self.regions.pop().expect("the outermost region");
        self.ir
    }

    fn push(&mut self, item: Item) {
        self.regions.last_mut().expect("an open region").push(item);
    }

    // ---- values ----

    /// A value that exists everywhere: constants, inputs, sizes.
    pub fn root(&mut self, kind: Kind) -> Val {
        if let Some(v) = self.roots.get(&self.ir, &kind, &[NO; 3]) {
            return v;
        }
        let v = self.ir.add(kind, [NO; 3]);
        self.roots.insert(&kind, &[NO; 3], v);
        v
    }
    pub fn u32(&mut self, bits: u32) -> Val {
        self.root(Kind::Const(bits))
    }
    pub fn f32(&mut self, x: f32) -> Val {
        self.u32(x.to_bits())
    }
    pub fn bool(&mut self, b: bool) -> Val {
        self.u32(if b { u32::MAX } else { 0 })
    }
    pub fn constant(&self, v: Val) -> Option<u32> {
        self.ir.constant(self.ir.find(v))
    }

    pub fn op1(&mut self, op: Pure, a: Val) -> Val {
        self.pure(op, [a, NO, NO])
    }
    pub fn op2(&mut self, op: Pure, a: Val, b: Val) -> Val {
        self.pure(op, [a, b, NO])
    }
    pub fn op3(&mut self, op: Pure, a: Val, b: Val, c: Val) -> Val {
        self.pure(op, [a, b, c])
    }

    /// A value without effect that may be shared and moved.
    pub fn pure(&mut self, op: Pure, args: [Val; 3]) -> Val {
        let mut args = args.map(|a| self.ir.find(a));
        let constants = args.map(|a| a.some().and_then(|a| self.ir.constant(a)));
        if constants[..op.arity()].iter().all(Option::is_some) {
            return self.u32(op.evaluate(constants.map(Option::unwrap_or_default)));
        }
        if let Some(v) = self.simplify(op, args, constants) {
            return v;
        }
        if op.commutes() && (constants[0].is_some() || (constants[1].is_none() && args[0] > args[1])) {
            args.swap(0, 1);
        }
        self.shared(Kind::Pure(op), args)
    }

    /// A value that depends on nothing but its operands.
    pub fn shared(&mut self, kind: Kind, args: [Val; 3]) -> Val {
        let args = args.map(|a| self.ir.find(a));
        if let Some(v) = self.known.get(&self.ir, &kind, &args) {
            return v;
        }
        let v = self.ir.add(kind, args);
        self.known.insert(&kind, &args, v);
        self.push(Item::Def(v));
        v
    }

    /// A value that depends on when it is made.
    pub fn timed(&mut self, kind: Kind, args: [Val; 3]) -> Val {
        let args = args.map(|a| self.ir.find(a));
        let v = self.ir.add(kind, args);
        self.push(Item::Def(v));
        v
    }

    /// Identities that hold bit for bit (NaN bits aside, which nobody sees).
    fn simplify(&mut self, op: Pure, [a, b, c]: [Val; 3], constants: [Option<u32>; 3]) -> Option<Val> {
        use Pure::*;
        const ONE: u32 = 0x3F80_0000;
        let [ka, kb, _] = constants;
        match op {
            Mov => return Some(a),
            Select => match ka {
                Some(0) => return Some(c),
                Some(_) => return Some(b),
                None if b == c => return Some(b),
                None if kb == Some(u32::MAX) && constants[2] != Some(0) => return Some(self.op2(Or, a, c)),
                None if constants[2] == Some(u32::MAX) && kb != Some(0) => {
                    let other = self.op1(Not, a);
                    return Some(self.op2(Or, other, b));
                }
                None if kb == Some(u32::MAX) && constants[2] == Some(0) => return Some(a),
                None if kb == Some(0) && constants[2] == Some(u32::MAX) => return Some(self.op1(Not, a)),
                // A constant of zero bits: `and` and `andnot` are cheaper.
                None if constants[2] == Some(0) => return Some(self.op2(And, a, b)),
                None if kb == Some(0) => return Some(self.op2(AndNot, c, a)),
                None => {
                    if let Some(inner) = self.operand_of(Not, a) {
                        return Some(self.op3(Select, inner, c, b));
                    }
                }
            },
            FMul if kb == Some(ONE) => return Some(a),
            FMul if ka == Some(ONE) => return Some(b),
            FMul if kb == Some(0xBF80_0000) => return Some(self.op1(FNeg, a)),
            FMul if ka == Some(0xBF80_0000) => return Some(self.op1(FNeg, b)),
            FDiv if kb == Some(ONE) => return Some(a),
            FDiv => {
                // By a power of two: the product with the reciprocal is the same real number, rounded once.
                let k = kb?;
                let exponent = (k >> 23) & 0xFF;
                if k & 0x007F_FFFF == 0 && (1..=253).contains(&exponent) {
                    let reciprocal = self.u32((k & 0x8000_0000) | ((254 - exponent) << 23));
                    return Some(self.op2(FMul, a, reciprocal));
                }
            }
            FSub if kb == Some(0) => return Some(a),
            FAdd if kb == Some(0x8000_0000) => return Some(a),
            FAdd => {
                if let Some(x) = self.operand_of(FNeg, b) {
                    return Some(self.op2(FSub, a, x));
                }
                if let Some(x) = self.operand_of(FNeg, a) {
                    return Some(self.op2(FSub, b, x));
                }
            }
            FSub => {
                if let Some(x) = self.operand_of(FNeg, b) {
                    return Some(self.op2(FAdd, a, x));
                }
            }
            FNeg => return self.operand_of(FNeg, a),
            FAbs => {
                if self.operand_of(FAbs, a).is_some() {
                    return Some(a);
                }
                if let Some(x) = self.operand_of(FNeg, a) {
                    return Some(self.op1(FAbs, x));
                }
            }
            FToBool | IToBool | Canonical if self.is_truth(a) => return Some(a),
            IAdd if kb == Some(0) => return Some(a),
            IAdd if ka == Some(0) => return Some(b),
            IAdd => {
                // (x + k1) + k2
                let (k2, Kind::Pure(IAdd)) = (kb?, self.ir.defs[a.index()].kind) else { return None };
                let [x, k1, _] = self.ir.defs[a.index()].args;
                let k1 = self.ir.constant(k1)?;
                let sum = self.u32(k1.wrapping_add(k2));
                return Some(self.op2(IAdd, x, sum));
            }
            ISub if kb == Some(0) => return Some(a),
            ISub if a == b => return Some(self.u32(0)),
            IMul if kb == Some(1) => return Some(a),
            IMul if ka == Some(1) => return Some(b),
            IMul if kb == Some(0) || ka == Some(0) => return Some(self.u32(0)),
            IMul => {
                if let Some(k) = kb.filter(|k| k.is_power_of_two()) {
                    let shift = self.u32(k.trailing_zeros());
                    return Some(self.op2(Shl, a, shift));
                }
            }
            UDiv => {
                if let Some(k) = kb.filter(|k| k.is_power_of_two()) {
                    let shift = self.u32(k.trailing_zeros());
                    return Some(self.op2(ShrU, a, shift));
                }
            }
            URem => {
                if let Some(k) = kb.filter(|k| k.is_power_of_two()) {
                    let mask = self.u32(k - 1);
                    return Some(self.op2(And, a, mask));
                }
            }
            Shl | ShrU | ShrI if kb.is_some_and(|k| k & 31 == 0) => return Some(a),
            And if a == b => return Some(a),
            And if kb == Some(0) || ka == Some(0) => return Some(self.u32(0)),
            And if kb == Some(u32::MAX) => return Some(a),
            And if ka == Some(u32::MAX) => return Some(b),
            And => {
                if let Some(x) = self.operand_of(Not, b) {
                    return Some(self.op2(AndNot, a, x));
                }
                if let Some(x) = self.operand_of(Not, a) {
                    return Some(self.op2(AndNot, b, x));
                }
            }
            AndNot if a == b || ka == Some(0) || kb == Some(u32::MAX) => return Some(self.u32(0)),
            AndNot if kb == Some(0) => return Some(a),
            AndNot if ka == Some(u32::MAX) => return Some(self.op1(Not, b)),
            Or if a == b => return Some(a),
            Or if kb == Some(0) => return Some(a),
            Or if ka == Some(0) => return Some(b),
            Or if kb == Some(u32::MAX) || ka == Some(u32::MAX) => return Some(self.u32(u32::MAX)),
            Xor if kb == Some(0) => return Some(a),
            Xor if ka == Some(0) => return Some(b),
            Not => return self.operand_of(Not, a),
            _ => {}
        }
        None
    }

    /// The operand of `v` if `v` is `op` of something.
    fn operand_of(&self, op: Pure, v: Val) -> Option<Val> {
        let def = &self.ir.defs[v.index()];
        (def.kind == Kind::Pure(op)).then_some(def.args[0])
    }

    /// Whether `v` is known to be all ones or zero.
    fn is_truth(&self, v: Val) -> bool {
        use Pure::*;
        matches!(
            self.ir.defs[v.index()].kind,
            Kind::Pure(FEq | FNe | FLt | FLe | FIsNan | FIsInf | IEq | INe | ILt | ILe | ULt | ULe | IToBool | FToBool)
        )
    }

    // ---- effects ----

    pub fn store(&mut self, memory: Memory, address: Val, offset: u32, value: Val) {
        self.push(Item::Store { memory, address, offset, value });
    }
    pub fn discard(&mut self) {
        self.push(Item::Discard);
    }
    /// Runs a call here and gives its first `result_count` results.
    pub fn call(&mut self, kind: CallKind, args: Vec<Val>, result_count: usize) -> [Val; 4] {
        let at = self.ir.calls.len() as u32;
        let handle = self.ir.add(Kind::Call(at), [NO; 3]);
        let mut results = [NO; 4];
        self.push(Item::Call(at));
        for (k, result) in results.iter_mut().enumerate().take(result_count) {
            *result = self.timed(Kind::Part(k as u8), [handle, NO, NO]);
        }
        self.ir.calls.push(Call { kind, args, results });
        results
    }

    // ---- control flow ----

    pub fn open_if(&mut self, condition: Val) -> OpenIf {
        self.regions.push(Vec::new());
        let mark = self.known.entries.len();
        self.open.push(OpenScope {
            id: ScopeId(u32::MAX),
            slot_count: self.slots.len(),
            edges: Vec::new(),
            mark,
            header: None,
        });
        OpenIf { condition: self.ir.find(condition), before: self.slots.clone(), accept: None }
    }

    pub fn begin_else(&mut self, open: &mut OpenIf) {
        let region = self.regions.pop().expect("the accepting region");
        let mut before = open.before.clone();
        std::mem::swap(&mut self.slots, &mut before);
        open.accept = Some((region, before, self.alive));
        self.alive = true;
        self.regions.push(Vec::new());
        let mark = self.open.last().expect("an open if").mark;
        self.known.forget_to(mark);
    }

    pub fn close_if(&mut self, open: OpenIf) {
        let reject = self.regions.pop().expect("the rejecting region");
        let scope = self.open.pop().expect("an open if");
        self.known.forget_to(scope.mark);
        let (accept, accept_slots, accept_falls) = open.accept.expect("begin_else was called");
        let reject_falls = self.alive;
        let mut phis = Vec::new();
        match (accept_falls, reject_falls) {
            (true, false) => self.slots = accept_slots,
            (true, true) => {
                for at in 0..scope.slot_count {
                    let (a, r) = (self.ir.find(accept_slots[at]), self.ir.find(self.slots[at]));
                    if a != r {
                        let phi = match phis.iter().find(|p: &&IfPhi| p.accept == a && p.reject == r) {
                            Some(same) => same.phi,
                            None => {
                                let phi = self.ir.add(Kind::Phi, [NO; 3]);
                                phis.push(IfPhi { phi, accept: a, reject: r });
                                phi
                            }
                        };
                        self.slots[at] = phi;
                    }
                }
            }
            (false, _) => {}
        }
        self.slots.truncate(scope.slot_count);
        self.alive = accept_falls || reject_falls;
        if accept_falls && reject_falls && self.is_cheap(&accept, &reject, &phis) {
            return self.flatten(open.condition, accept, reject, &phis);
        }
        self.push(Item::If(Box::new(If {
            condition: open.condition,
            accept,
            reject,
            accept_falls,
            reject_falls,
            phis,
        })));
    }

    /// Whether both branches are so short that they are better computed always and selected from. Short-circuit `&&`
    /// and `||` are of this kind.
    fn is_cheap(&self, accept: &Region, reject: &Region, phis: &[IfPhi]) -> bool {
        let cheap = |item: &Item| match item {
            Item::Def(v) => matches!(self.ir.defs[v.index()].kind, Kind::Pure(op) if op.is_cheap()),
            _ => false,
        };
        accept.len() + reject.len() <= 4 && phis.len() <= 3 && accept.iter().chain(reject).all(cheap)
    }

    fn flatten(&mut self, condition: Val, accept: Region, reject: Region, phis: &[IfPhi]) {
        for item in accept.into_iter().chain(reject) {
            if let Item::Def(v) = item {
                let Def { kind, args } = self.ir.defs[v.index()];
                self.known.insert(&kind, &args, v);
            }
            self.push(item);
        }
        for p in phis {
            let v = self.op3(Pure::Select, condition, p.accept, p.reject);
            self.ir.forward[p.phi.index()] = v;
        }
    }

    fn new_scope(&mut self) -> ScopeId {
        self.ir.scope_count += 1;
        ScopeId(self.ir.scope_count - 1)
    }

    pub fn open_scope(&mut self) -> ScopeId {
        let id = self.new_scope();
        self.regions.push(Vec::new());
        let mark = self.known.entries.len();
        self.open.push(OpenScope { id, slot_count: self.slots.len(), edges: Vec::new(), mark, header: None });
        id
    }

    /// Active lanes go to the end of `id`.
    pub fn leave(&mut self, id: ScopeId) {
        let snapshot = &self.slots;
        let scope = self.open.iter_mut().rfind(|s| s.id == id).expect("an open scope");
        scope.edges.push(snapshot[..scope.slot_count].to_vec());
        let edge = scope.edges.len() as u32 - 1;
        self.push(Item::Leave { scope: id, edge });
        self.alive = false;
    }

    pub fn close_scope(&mut self, id: ScopeId) {
        let body = self.regions.pop().expect("the scope's region");
        let mut scope = self.open.pop().expect("an open scope");
        assert_eq!(scope.id, id);
        if scope.edges.is_empty() {
            // Nobody leaves early: the body simply stands here, and what it computed stays known.
            self.slots.truncate(scope.slot_count);
            let region = self.regions.last_mut().expect("an open region");
            region.extend(body);
            return;
        }
        self.known.forget_to(scope.mark);
        let fall = self.alive.then_some(scope.edges.len() as u32);
        if self.alive {
            scope.edges.push(self.slots[..scope.slot_count].to_vec());
        }
        self.slots = scope.edges[0].clone();
        let (phis, edges) = self.join(&scope.edges, |_, _| true);
        self.alive = true;
        self.push(Item::Scope(Box::new(Scope { id, body, phis, edges, fall })));
    }

    /// Phis for the slots in which `edges` differ, or whose one value must not be used outside (`outside` is false).
    fn join(&mut self, edges: &[Vec<Val>], outside: impl Fn(&Ir, Val) -> bool) -> (Vec<Val>, Vec<Vec<Val>>) {
        let mut phis: Vec<Val> = Vec::new();
        let mut columns: Vec<Vec<Val>> = Vec::new();
        for at in 0..edges[0].len() {
            let column: Vec<Val> = edges.iter().map(|e| self.ir.find(e[at])).collect();
            if column.iter().all(|v| *v == column[0]) && outside(&self.ir, column[0]) {
                self.slots[at] = column[0];
                continue;
            }
            let known = columns.iter().position(|c| *c == column);
            let index = known.unwrap_or_else(|| {
                phis.push(self.ir.add(Kind::Phi, [NO; 3]));
                columns.push(column);
                phis.len() - 1
            });
            self.slots[at] = phis[index];
        }
        let rows = (0..edges.len()).map(|e| columns.iter().map(|c| c[e]).collect()).collect();
        (phis, rows)
    }

    /// `stored`: the slots that the loop may write.
    pub fn open_loop(&mut self, stored: &[u32]) -> ScopeId {
        let id = self.new_scope();
        let first = self.ir.defs.len() as u32;
        self.regions.push(Vec::new());
        let mark = self.known.entries.len();
        let header = stored
            .iter()
            .map(|&slot| {
                let phi = self.ir.add(Kind::Phi, [NO; 3]);
                let init = std::mem::replace(&mut self.slots[slot as usize], phi);
                (slot, phi, init)
            })
            .collect();
        self.open.push(OpenScope {
            id,
            slot_count: self.slots.len(),
            edges: Vec::new(),
            mark,
            header: Some((header, first)),
        });
        id
    }

    pub fn close_loop(&mut self, id: ScopeId) {
        let body = self.regions.pop().expect("the loop's region");
        let scope = self.open.pop().expect("an open loop");
        assert_eq!(scope.id, id);
        let (header, first) = scope.header.expect("a loop");
        self.known.forget_to(scope.mark);
        let falls = self.alive;
        let mut phis = Vec::new();
        for (slot, phi, init) in header {
            let init = self.ir.find(init);
            let next = if falls { self.ir.find(self.slots[slot as usize]) } else { init };
            if next == phi || next == init {
                self.ir.forward[phi.index()] = init;
            } else {
                phis.push(LoopPhi { phi, init, next });
            }
        }
        self.alive = !scope.edges.is_empty();
        let (mut exit_phis, mut edges) = (Vec::new(), Vec::new());
        if self.alive {
            self.slots = scope.edges[0].clone();
            (exit_phis, edges) = self.join(&scope.edges, |ir, v| {
                v.0 < first
                    || !matches!(
                        ir.defs[v.index()].kind,
                        Kind::Phi
                            | Kind::Pure(_)
                            | Kind::Load(..)
                            | Kind::Part(_)
                            | Kind::Derivative(_)
                            | Kind::QuadFill
                            | Kind::Query(..)
                    )
            });
        } else {
            self.slots.truncate(scope.slot_count);
        }
        self.push(Item::Loop(Box::new(Loop { id, phis, body, falls, exit_phis, edges })));
    }
}
