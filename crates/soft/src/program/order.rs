//! Order: whether workgroups may run at the same time. They may if no two of them can meet in memory that one writes.
//!
//! In: pruned [`Ir`] of a compute entry point. Out: [`Freedom`]. Three proofs are known, each for one buffer or
//! texture:
//!
//! 1. *Spans.* Every access is at an index `a * workgroup_id.x + local part`, the local part is below `a`: workgroup w
//!    touches `a * w .. a * w + a` alone. `data[global_invocation_id.x]` is of this kind.
//! 2. *Rows.* Every access is at the same index `(z * height + y) * width + x` of the global id, where it is known that
//!    `x < width` and `y < height` (the guard at the start of such programs), both constants so small that no grid
//!    makes the index wrap around.
//! 3. *Counters.* Every access is the same atomic, whose result nobody reads and whose order does not show: add, min,
//!    or ...
//!
//! Textures: every coordinate is of the first kind in its own axis. A buffer that is only read needs no proof.

use naga::BuiltIn;

use super::Io;
use super::ir::*;
use super::op::Pure;

/// When the order of workgroups cannot be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Freedom {
    /// False: always in order.
    pub unordered: bool,
    /// Axes along which there must be a single workgroup.
    pub single: [bool; 3],
}

/// An index as a sum with constant factors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Affine {
    group: [u64; 3],
    local: [u64; 3],
    /// Of `local_invocation_index`.
    index: u64,
    constant: u64,
}

/// Something known on the way to an access: `.0 < .1` as u32.
type Fact = (Val, Val);

/// Workgroups along an axis are fewer than this (`maxComputeWorkgroupsPerDimension`).
const GRID_MAX: u64 = 65536;

/// One access to memory that the program writes.
#[derive(Clone, Debug)]
enum Access {
    /// Element index (`NONE` for a fixed word) and stride in words, with the facts around it.
    Word {
        slot: u16,
        index: Val,
        stride: u32,
        rows: Option<[bool; 3]>,
    },
    Texel {
        slot: u16,
        coords: Vec<Val>,
    },
    /// An atomic without result whose order does not show.
    Counter {
        slot: u16,
        fun: AtomicOp,
    },
    /// Anything else.
    Other {
        slot: u16,
    },
}

/// Finds out for a workgroup of `size`.
pub fn freedom(ir: &Ir, size: [u32; 3]) -> Freedom {
    let mut finder = Finder { ir, size, facts: Vec::new(), accesses: Vec::new(), written: Vec::new() };
    finder.region(&ir.body);
    let mut out = Freedom { unordered: true, single: [false; 3] };
    let mut written = std::mem::take(&mut finder.written);
    written.sort_unstable();
    written.dedup();
    for slot in written {
        match finder.proof(slot) {
            Some(single) => (0..3).for_each(|axis| out.single[axis] |= single[axis]),
            None => return Freedom { unordered: false, single: [false; 3] },
        }
    }
    out
}

struct Finder<'a> {
    ir: &'a Ir,
    size: [u32; 3],
    facts: Vec<Fact>,
    accesses: Vec<Access>,
    written: Vec<u16>,
}

impl Finder<'_> {
    fn region(&mut self, region: &Region) {
        for item in region {
            match item {
                Item::Def(v) => {
                    let def = &self.ir.defs[v.index()];
                    if let Kind::Load(Memory::Storage(slot), _) = def.kind {
                        self.word(slot, def.args[0]);
                    }
                }
                Item::Store { memory: Memory::Storage(slot), address, .. } => {
                    self.written.push(*slot);
                    self.word(*slot, *address);
                }
                Item::Call(at) => self.call(&self.ir.calls[*at as usize]),
                Item::If(i) => {
                    let known = self.facts.len();
                    self.learn(i.condition, true);
                    self.region(&i.accept);
                    self.facts.truncate(known);
                    self.learn(i.condition, false);
                    self.region(&i.reject);
                    self.facts.truncate(known);
                }
                Item::Scope(s) => self.region(&s.body),
                Item::Loop(l) => self.region(&l.body),
                Item::Store { .. } | Item::Discard | Item::Leave { .. } => {}
            }
        }
    }

    fn call(&mut self, call: &Call) {
        match call.kind {
            CallKind::Sample(_) => {}
            CallKind::ImageLoad { texture, coords, .. } => {
                let coords = call.args[..coords as usize].to_vec();
                self.accesses.push(Access::Texel { slot: texture, coords });
            }
            CallKind::ImageStore { texture, coords, .. } => {
                self.written.push(texture);
                let coords = call.args[..coords as usize].to_vec();
                self.accesses.push(Access::Texel { slot: texture, coords });
            }
            CallKind::Atomic { memory: Memory::Storage(slot), fun, .. } => {
                self.written.push(slot);
                let silent = call.results.iter().all(|r| *r == Val::NONE);
                let ordered = matches!(fun, AtomicOp::Exchange | AtomicOp::CompareExchange);
                // Additions and subtractions change places; additions and minima do not.
                let fun = if fun == AtomicOp::Sub { AtomicOp::Add } else { fun };
                let counts = silent && !ordered;
                self.accesses.push(if counts { Access::Counter { slot, fun } } else { Access::Other { slot } });
            }
            CallKind::Atomic { .. } => {}
        }
    }

    fn pure(&self, v: Val) -> Option<(Pure, [Val; 3])> {
        let def = self.ir.defs[v.index()];
        match def.kind {
            Kind::Pure(op) => Some((op, def.args)),
            _ => None,
        }
    }

    /// What follows from `condition` being `truth`.
    fn learn(&mut self, condition: Val, truth: bool) {
        match (self.pure(condition), truth) {
            (Some((Pure::ULt, [a, b, _])), true) => self.facts.push((a, b)),
            (Some((Pure::ULe, [a, b, _])), false) => self.facts.push((b, a)),
            (Some((Pure::Not, [a, ..])), _) => self.learn(a, !truth),
            (Some((Pure::And, [a, b, _])), true) | (Some((Pure::Or, [a, b, _])), false) => {
                self.learn(a, truth);
                self.learn(b, truth);
            }
            (Some((Pure::AndNot, [a, b, _])), true) => {
                self.learn(a, true);
                self.learn(b, false);
            }
            _ => {}
        }
    }

    /// Records an access to a buffer, by the index of the outermost array on the way.
    fn word(&mut self, slot: u16, address: Val) {
        let mut at = address;
        let mut stride = 1;
        loop {
            match (at != Val::NONE).then(|| self.pure(at)).flatten() {
                Some((Pure::Address, [checked, step, base])) => {
                    if self.ir.constant(base) == Some(0) {
                        let Some(step) = self.ir.constant(step) else { break };
                        (at, stride) = (checked, step);
                    } else {
                        at = base;
                    }
                }
                Some((Pure::CheckedIndex, [index, ..])) => {
                    let rows = self.rows(index);
                    self.accesses.push(Access::Word { slot, index, stride, rows });
                    return;
                }
                _ => break,
            }
        }
        self.accesses.push(Access::Other { slot });
    }

    fn affine(&self, v: Val) -> Option<Affine> {
        let def = &self.ir.defs[v.index()];
        let mut out = Affine::default();
        match def.kind {
            Kind::Const(bits) => out.constant = u64::from(bits),
            Kind::WorkgroupId(axis) => out.group[axis as usize] = 1,
            Kind::Input(at) => {
                let input = &self.ir.inputs[at as usize];
                match input.what {
                    Io::BuiltIn(BuiltIn::LocalInvocationId) => out.local[input.component as usize] = 1,
                    Io::BuiltIn(BuiltIn::LocalInvocationIndex) => out.index = 1,
                    _ => return None,
                }
            }
            Kind::Pure(Pure::IAdd) => {
                let (a, b) = (self.affine(def.args[0])?, self.affine(def.args[1])?);
                out = a.combine(b, 1)?;
            }
            Kind::Pure(op @ (Pure::IMul | Pure::Shl)) => {
                let factor = u64::from(self.ir.constant(def.args[1])?);
                let factor = if op == Pure::Shl { 1 << (factor & 31) } else { factor };
                out = Affine::default().combine(self.affine(def.args[0])?, factor)?;
            }
            _ => return None,
        }
        Some(out)
    }

    /// The largest value of the part that differs inside a workgroup.
    fn local_max(&self, a: &Affine) -> u64 {
        let last = |axis: usize| u64::from(self.size[axis] - 1);
        let count = self.size.iter().map(|s| u64::from(*s)).product::<u64>();
        (0..3).map(|axis| a.local[axis] * last(axis)).sum::<u64>() + a.index * (count - 1) + a.constant
    }

    /// The factor of `workgroup_id[axis]`, if `v` depends on no other and the local part is smaller.
    fn span(&self, v: Val, axis: usize) -> Option<u64> {
        let a = self.affine(v)?;
        let factor = a.group[axis];
        let others = (0..3).any(|k| k != axis && a.group[k] != 0);
        let fits = factor.checked_mul(GRID_MAX)? <= 1 << 32;
        (!others && fits && self.local_max(&a) < factor).then_some(factor)
    }

    /// Whether `v` is the global invocation id of an axis.
    fn is_global_id(&self, v: Val, axis: usize) -> bool {
        let Some(a) = self.affine(v) else { return false };
        let mut want = Affine::default();
        want.group[axis] = u64::from(self.size[axis]);
        let mut local = want;
        local.local[axis] = 1;
        a == local || (self.size[axis] == 1 && a == want)
    }

    /// Whether it is known here that `v` is below `bound`.
    fn knows(&self, v: Val, bound: u32) -> bool {
        self.facts.iter().any(|(a, b)| *a == v && self.ir.constant(*b).is_some_and(|b| b <= bound))
    }

    /// Every way to read `v` as `high * bound + low`.
    fn splits(&self, v: Val) -> Vec<(Val, u32, Val)> {
        let mut out = Vec::new();
        let Some((Pure::IAdd, [a, b, _])) = self.pure(v) else { return out };
        for (product, low) in [(a, b), (b, a)] {
            match self.pure(product) {
                Some((Pure::IMul, [x, y, _])) => {
                    out.extend(self.ir.constant(y).map(|y| (x, y, low)));
                    out.extend(self.ir.constant(x).map(|x| (y, x, low)));
                }
                Some((Pure::Shl, [x, shift, _])) => {
                    out.extend(self.ir.constant(shift).map(|shift| (x, 1 << (shift & 31), low)));
                }
                _ => {}
            }
        }
        out
    }

    /// For an index `(z * height + y) * width + x` with what the facts must say: the axes that are missing.
    fn rows(&self, index: Val) -> Option<[bool; 3]> {
        let fits = |axis: usize, step: u64| GRID_MAX * u64::from(self.size[axis]) * step <= 1 << 32;
        for (high, width, x) in self.splits(index) {
            if !self.is_global_id(x, 0) || !self.knows(x, width) {
                continue;
            }
            let width = u64::from(width);
            if self.is_global_id(high, 1) && fits(1, width) {
                return Some([false, false, true]);
            }
            for (z, height, y) in self.splits(high) {
                let known = self.is_global_id(y, 1) && self.knows(y, height) && self.is_global_id(z, 2);
                if known && fits(2, width * u64::from(height)) {
                    return Some([false; 3]);
                }
            }
        }
        None
    }

    /// A proof for one resource: the axes along which there must be a single workgroup.
    fn proof(&self, slot: u16) -> Option<[bool; 3]> {
        let mine = |a: &&Access| match **a {
            Access::Word { slot: s, .. }
            | Access::Texel { slot: s, .. }
            | Access::Counter { slot: s, .. }
            | Access::Other { slot: s } => s == slot,
        };
        let accesses: Vec<&Access> = self.accesses.iter().filter(mine).collect();
        if let Access::Counter { fun: first, .. } = accesses[0] {
            let same = accesses.iter().all(|a| matches!(a, Access::Counter { fun, .. } if fun == first));
            return same.then_some([false; 3]);
        }
        if let Access::Texel { coords: first, .. } = accesses[0] {
            let mut factors = Vec::new();
            for access in &accesses {
                let Access::Texel { coords, .. } = access else { return None };
                factors.push(coords.iter().enumerate().map(|(axis, v)| self.span(*v, axis)).collect::<Vec<_>>());
            }
            let same = factors.iter().all(|f| *f == factors[0]);
            let known: Vec<bool> = (0..3).map(|axis| factors[0].get(axis).is_some_and(Option::is_some)).collect();
            let missing = [!known[0], !known[1], !known[2]];
            return (same && first.len() <= 3 && known.contains(&true)).then_some(missing);
        }
        let words: Option<Vec<(Val, u32, Option<[bool; 3]>)>> = accesses
            .iter()
            .map(|a| match a {
                Access::Word { index, stride, rows, .. } => Some((*index, *stride, *rows)),
                _ => None,
            })
            .collect();
        let words = words?;
        let (index, stride, _) = words[0];
        if words.iter().any(|w| w.1 != stride) {
            return None;
        }
        let spans: Option<Vec<u64>> = words.iter().map(|w| self.span(w.0, 0)).collect();
        if let Some(spans) = spans
            && spans.iter().all(|s| *s == spans[0])
        {
            return Some([false, true, true]);
        }
        let same = words.iter().all(|w| w.0 == index && w.2.is_some());
        same.then(|| words[0].2).flatten()
    }
}

impl Affine {
    /// `self + other * factor`, if nothing grows out of range.
    fn combine(self, other: Affine, factor: u64) -> Option<Affine> {
        let one = |a: u64, b: u64| b.checked_mul(factor)?.checked_add(a).filter(|x| *x <= u64::from(u32::MAX));
        let mut out = self;
        for axis in 0..3 {
            out.group[axis] = one(self.group[axis], other.group[axis])?;
            out.local[axis] = one(self.local[axis], other.local[axis])?;
        }
        out.index = one(self.index, other.index)?;
        out.constant = one(self.constant, other.constant)?;
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::lower;

    /// The freedom of a compute shader with `size` and `body`; `data` and `other` are writable arrays, `image` a
    /// storage texture.
    fn of(size: &str, body: &str) -> Freedom {
        let text = format!(
            "struct Item {{ a: f32, b: array<u32, 3> }}
            @group(0) @binding(0) var<storage, read_write> data: array<u32>;
            @group(0) @binding(1) var<storage, read_write> other: array<Item>;
            @group(0) @binding(2) var image: texture_storage_2d<rgba8unorm, write>;
            @group(0) @binding(3) var<uniform> dims: vec3<u32>;
            @group(0) @binding(4) var<storage, read_write> total: array<atomic<u32>, 4>;
            @group(0) @binding(5) var<storage, read> input: array<u32>;
            @compute @workgroup_size({size}) fn main(
                @builtin(global_invocation_id) id: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>,
                @builtin(local_invocation_index) index: u32, @builtin(local_invocation_id) local: vec3<u32>) {{ {body} }}"
        );
        let (module, info) = crate::probe::compile(&text).unwrap_or_else(|error| panic!("{error}"));
        let point = &module.entry_points[0];
        let mut ir = lower::lower(&module, &info, point, info.get_entry_point(0)).expect("lowers").ir;
        ir.settle();
        crate::program::prune::prune(&mut ir);
        freedom(&ir, point.workgroup_size)
    }

    #[test]
    fn workgroups_that_cannot_meet_are_unordered() {
        const ROW: [bool; 3] = [false, true, true];
        const PLANE: [bool; 3] = [false, false, true];
        for (size, body, want) in [
            ("64", "data[id.x] = input[id.x * 7u];", Some(ROW)),
            ("64", "if id.x < arrayLength(&data) { data[id.x] += 1u; }", Some(ROW)),
            ("64", "data[id.x * 3u] = 1u; data[id.x * 3u + 2u] = 2u;", Some(ROW)),
            ("64", "data[id.x * 3u] = 1u; data[id.x * 3u + 3u] = 2u;", None),
            ("64", "data[group.x * 64u + index] = 1u; data[group.x * 64u + (63u)] = data[id.x];", Some(ROW)),
            ("64", "data[group.x] = 1u;", Some(ROW)),
            ("64", "data[id.x] = data[id.x + 1u];", None),
            ("64", "data[input[id.x]] = 1u;", None),
            ("64", "other[id.x].b[input[id.x]] = u32(other[id.x].a);", Some(ROW)),
            ("64", "other[id.x].a = other[0].a;", None),
            ("64", "data[5] = 1u;", None),
            ("8, 8", "if id.x >= 80u || id.y >= 60u { return; } data[id.y * 80u + id.x] = 1u;", Some(PLANE)),
            ("8, 8", "data[id.y * 80u + id.x] = 1u;", None),
            ("8, 8", "if id.x < 81u { data[id.y * 80u + id.x] = 1u; }", None),
            // Twice this width and y = 4096 is y = 0.
            ("8, 8", "if id.x < 8193u { data[id.y * 8193u + id.x] = 1u; }", None),
            ("8, 8", "if id.x < dims.x { data[id.y * dims.x + id.x] = 1u; }", None),
            ("8, 8", "if all(id.xy < vec2(80u, 60u)) { data[id.x + 80u * id.y] = 1u; }", Some(PLANE)),
            ("8, 8", "if id.x < 64u { data[id.y * 64u + id.x] = 1u; }", Some(PLANE)),
            (
                "4, 4, 4",
                "if all(id < vec3(64u, 8u, 9u)) { data[(id.z * 8u + id.y) * 64u + id.x] = 1u; }",
                Some([false; 3]),
            ),
            ("8, 8", "textureStore(image, id.xy, vec4<f32>(1.0));", Some(PLANE)),
            ("8, 8", "textureStore(image, id.yx, vec4<f32>(1.0));", None),
            ("64", "atomicAdd(&total[input[id.x] & 3u], 1u);", Some([false; 3])),
            ("64", "atomicAdd(&total[0], 3u); atomicSub(&total[1], id.x);", Some([false; 3])),
            ("64", "atomicAdd(&total[0], 3u); atomicMin(&total[0], id.x);", None),
            ("64", "data[id.x] = atomicAdd(&total[0], 1u);", None),
            ("64", "atomicExchange(&total[0], 1u);", None),
        ] {
            let have = of(size, body);
            let want = want
                .map_or(Freedom { unordered: false, single: [false; 3] }, |single| Freedom { unordered: true, single });
            assert_eq!(have, want, "{body}");
        }
    }
}
