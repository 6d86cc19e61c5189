//! Random WGSL functions on the fast path and on the oracle: every lane must give the same bits.
//!
//! A program is read off a tape of numbers; a shorter or smaller tape is a simpler program, so proptest's shrinking
//! works.

use std::fmt::Write as _;

use proptest::prelude::*;
use stillframe_base::lanes::Isa;
use stillframe_soft::{Options, Probe, Value};
use stillframe_testkit::depth::cases;

struct Writer<'a> {
    tape: std::slice::Iter<'a, u16>,
    text: String,
    indent: usize,
    names: u32,
    /// Loops around, and whether `break` and `continue` may stand here.
    loops: u32,
    switches: u32,
    /// Whether `return` may stand here (not in `continuing`).
    returns: bool,
}

impl Writer<'_> {
    fn pick(&mut self, n: u16) -> u16 {
        self.tape.next().map_or(0, |x| x % n)
    }
    fn line(&mut self, line: &str) {
        writeln!(self.text, "{:1$}{line}", "", self.indent * 4).expect("text");
    }
    fn name(&mut self, start: &str) -> String {
        self.names += 1;
        format!("{start}{}", self.names)
    }

    fn uint(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.pick(9) {
                0 => "a".into(),
                1 => "b".into(),
                2 => "u0".into(),
                3 => "u1".into(),
                4 => format!("{}u", self.pick(40)),
                5 => "big[u0 % 24u]".into(),
                6 => "small[b & 3u]".into(),
                7 => "counter".into(),
                _ => "pair.n".into(),
            };
        }
        let x = self.uint(depth - 1);
        match self.pick(15) {
            0 => x,
            1 => format!("({x} + {})", self.uint(0)),
            2 => format!("({x} * {})", self.uint(0)),
            3 => format!("({x} ^ {})", self.uint(depth - 1)),
            4 => format!("({x} - u1)"),
            5 => format!("({x} / (u0 | 1u))"),
            6 => format!("({x} % (u1 + 3u))"),
            7 => format!("(u0 << ({x} & 31u))"),
            8 => format!("(u1 >> ({x} & 31u))"),
            9 => format!("select({x}, u1, {})", self.condition(depth - 1)),
            10 => format!("bitcast<u32>({})", self.float(depth - 1)),
            11 => format!("min({x}, max(u0, 7u))"),
            12 => format!("u32({})", self.float(depth - 1)),
            13 => format!("helper({x}, u1)"),
            _ => format!("countOneBits({x})"),
        }
    }

    fn float(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.pick(6) {
                0 => "x".into(),
                1 => "f0".into(),
                2 => "vector.y".into(),
                3 => "vector[u0 & 3u]".into(),
                4 => "pair.weight".into(),
                _ => format!("{}.5", self.pick(9)),
            };
        }
        let x = self.float(depth - 1);
        match self.pick(12) {
            0 => x,
            1 => format!("({x} + {})", self.float(0)),
            2 => format!("({x} * {})", self.float(depth - 1)),
            3 => format!("(f0 - {x})"),
            4 => format!("({x} / f0)"),
            5 => format!("min({x}, f0)"),
            6 => format!("floor({x})"),
            7 => format!("f32({})", self.uint(depth - 1)),
            8 => format!("dot(vector, vec4<f32>({x}, f0, 1.0, x))"),
            9 => format!("sqrt(abs({x}))"),
            10 => format!("clamp({x}, -2.0, f0)"),
            _ => format!("mix({x}, f0, 0.25)"),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        match self.pick(8) {
            0 => "a < b".into(),
            1 => format!("{} < u0", self.uint(depth)),
            2 => format!("({} & 1u) == 0u", self.uint(depth)),
            3 => format!("{} > x", self.float(depth)),
            4 => "a == 3u".into(),
            5 => format!("(u0 & 3u) != ({} & 3u)", self.uint(0)),
            6 => format!("a < b && ({} & 1u) == 1u", self.uint(0)),
            _ => format!("u1 > 100u || {} <= f0", self.float(0)),
        }
    }

    fn block(&mut self, statements: u16, depth: u32) {
        self.indent += 1;
        for _ in 0..statements {
            self.statement(depth);
        }
        self.indent -= 1;
    }

    fn statement(&mut self, depth: u32) {
        let kinds = if depth == 0 { 9 } else { 16 };
        match self.pick(kinds) {
            0 => {
                let e = self.uint(2);
                self.line(&format!("u0 = {e};"));
            }
            1 => {
                let e = self.float(2);
                self.line(&format!("f0 = {e};"));
            }
            2 => {
                let e = self.uint(1);
                self.line(&format!("u1 += {e};"));
            }
            3 => {
                let (i, e) = (self.uint(0), self.uint(1));
                self.line(&format!("big[({i}) % 24u] = {e};"));
            }
            4 => {
                let (i, e) = (self.uint(0), self.float(1));
                self.line(&format!("vector[({i}) & 3u] = {e};"));
            }
            5 => {
                let e = self.uint(1);
                self.line(&format!("small[u1 & 3u] = {e};"));
            }
            6 => {
                let e = self.float(1);
                self.line(&format!("pair.weight = {e}; pair.n += 1u;"));
            }
            7 => {
                let e = self.uint(1);
                self.line(&format!("change(&u1, &pair, {e});"));
            }
            8 => {
                let e = self.uint(0);
                self.line(&format!("counter += {e};"));
            }
            9 | 10 => self.branch(depth),
            11 => self.for_loop(depth),
            12 => self.bare_loop(depth),
            13 => self.switch(depth),
            14 => self.leave(),
            _ => {
                let n = self.name("n");
                let e = self.uint(2);
                self.line(&format!("let {n} = {e};"));
                self.line(&format!("u0 ^= {n};"));
            }
        }
    }

    fn branch(&mut self, depth: u32) {
        let c = self.condition(1);
        self.line(&format!("if {c} {{"));
        let n = 1 + self.pick(3);
        self.block(n, depth - 1);
        if self.pick(2) == 1 {
            self.line("} else {");
            let n = 1 + self.pick(3);
            self.block(n, depth - 1);
        }
        self.line("}");
    }

    fn leave(&mut self) {
        let c = self.condition(1);
        let mut ways = Vec::new();
        if self.returns {
            ways.push("return u0 ^ u1;");
        }
        if self.loops > 0 {
            ways.push("break;");
            ways.push("continue;");
        }
        if ways.is_empty() {
            return self.line("u0 += 1u;");
        }
        let way = ways[self.pick(ways.len() as u16) as usize];
        if way == "continue;" && self.switches > 0 && self.loops == 0 {
            return;
        }
        self.line(&format!("if {c} {{"));
        self.indent += 1;
        if self.pick(2) == 1 {
            self.line("u1 += 5u;");
        }
        self.line(way);
        self.indent -= 1;
        self.line("}");
    }

    fn for_loop(&mut self, depth: u32) {
        let i = self.name("i");
        let bound = match self.pick(4) {
            0 => "3u".to_owned(),
            1 => "(a & 7u)".to_owned(),
            2 => "min(u0, 5u)".to_owned(),
            _ => format!("{}u", self.pick(6)),
        };
        self.line(&format!("for (var {i} = 0u; {i} < {bound}; {i}++) {{"));
        self.loops += 1;
        let n = 1 + self.pick(4);
        self.block(n, depth - 1);
        self.indent += 1;
        self.line(&format!("u1 += {i};"));
        self.indent -= 1;
        self.loops -= 1;
        self.line("}");
    }

    fn bare_loop(&mut self, depth: u32) {
        let i = self.name("k");
        self.line(&format!("var {i} = 0u;"));
        self.line("loop {");
        self.loops += 1;
        let n = 1 + self.pick(4);
        self.block(n, depth - 1);
        self.indent += 1;
        self.line("continuing {");
        let outer = (self.loops, self.returns);
        (self.loops, self.returns) = (0, false);
        self.block(1, 0);
        (self.loops, self.returns) = outer;
        self.indent += 1;
        self.line(&format!("{i} += 1u;"));
        let c = match self.pick(3) {
            0 => format!("{i} >= 4u"),
            1 => format!("{i} > (b & 7u)"),
            _ => format!("{i} >= 6u || u0 == 9u"),
        };
        self.line(&format!("break if {c};"));
        self.indent -= 1;
        self.line("}");
        self.indent -= 1;
        self.loops -= 1;
        self.line("}");
    }

    fn switch(&mut self, depth: u32) {
        let e = self.uint(1);
        self.line(&format!("switch ({e}) & 7u {{"));
        let (outer, default_at) = (self.loops, self.pick(3));
        // `break` in a switch leaves the switch; that `continue` needs a loop is kept by leaving `loops` as it is.
        self.switches += 1;
        for case in 0..3u16 {
            let label = match (case == default_at, case) {
                (true, 0) => "default",
                (true, _) => "case 6u, default",
                (false, 0) => "case 0u, 1u",
                (false, 1) => "case 2u",
                (false, _) => "case 3u, 4u, 5u",
            };
            self.indent += 1;
            self.line(&format!("{label}: {{"));
            let n = 1 + self.pick(2);
            self.block(n, depth - 1);
            self.line("}");
            self.indent -= 1;
        }
        self.switches -= 1;
        self.loops = outer;
        self.line("}");
    }
}

const START: &str = "
struct Pair { weight: f32, n: u32 }
var<private> counter: u32 = 3u;
fn helper(p: u32, q: u32) -> u32 {
    if p > q { return p - q; }
    if (p & 1u) == 1u { counter += 1u; return q * 3u; }
    return counter ^ p;
}
fn change(target_word: ptr<function, u32>, pair: ptr<function, Pair>, by: u32) {
    for (var i = 0u; i < (by & 3u); i++) {
        if (*target_word & 1u) == 0u { *target_word += by; } else { (*pair).weight += 0.5; }
        if (*pair).n > 9u { return; }
        (*pair).n += i;
    }
}
fn f(a: u32, b: u32, x: f32) -> u32 {
    var u0 = a;
    var u1 = b;
    var f0 = x;
    var vector = vec4<f32>(x, 1.0, -2.0, 0.5);
    var small = array<u32, 4>(1u, 2u, 3u, 4u);
    var big: array<u32, 24>;
    var pair = Pair(0.25, 1u);
";
const END: &str = "    var sum = u0 * 31u + u1 + counter + pair.n + bitcast<u32>(f0 + pair.weight);
    for (var i = 0u; i < 24u; i++) { sum = sum * 7u + big[i]; }
    for (var i = 0u; i < 4u; i++) { sum = sum * 5u + small[i] + bitcast<u32>(vector[i]); }
    return sum;
}
";

fn text(tape: &[u16]) -> String {
    let mut w =
        Writer { tape: tape.iter(), text: START.to_owned(), indent: 0, names: 0, loops: 0, switches: 0, returns: true };
    let n = 2 + w.pick(8);
    w.block(n, 3);
    w.text + END
}

fn rows() -> Vec<[Value; 3]> {
    (0..70u32)
        .map(|k| {
            let (a, b) = (k % 11, (k * 7 + 3) % 13);
            [Value::U32(a), Value::U32(if k % 9 == 0 { u32::MAX - k } else { b }), Value::F32(k as f32 * 0.75 - 9.0)]
        })
        .collect()
}

fn compare(wgsl: &str, isa: Isa) -> Result<(), TestCaseError> {
    let on = |isa, plain| Options { threads: 1, isa, plain, step_budget: 10_000_000, ..Options::DEFAULT };
    let run = |options: &Options| {
        let probe = Probe::with_options(wgsl, options).map_err(|e| TestCaseError::fail(format!("{e}\n{wgsl}")))?;
        probe.call_many("f", &rows()).map_err(|e| TestCaseError::fail(format!("{e}\n{wgsl}")))
    };
    let (fast, slow) = (run(&on(Some(isa), false))?, run(&on(None, true))?);
    for (at, (fast, slow)) in fast.iter().zip(&slow).enumerate() {
        prop_assert_eq!(fast, slow, "row {} {:?} on {}\n{}", at, rows()[at], isa, wgsl);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(300), max_shrink_iters: 4000, ..ProptestConfig::default() })]

    #[test]
    fn lanes_agree_with_the_oracle(tape in prop::collection::vec(any::<u16>(), 1..220), isa in 0..8usize) {
        let isas = Isa::available();
        compare(&text(&tape), isas[isa % isas.len()])?;
    }
}
