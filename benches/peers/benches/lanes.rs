//! Which way to write lane loops: the 16-light shader of a full-screen pass as bytecode, run on 256 lanes by plain
//! loops in `#[target_feature]` twins (`per_isa!`) and by `fearless_simd`'s vectors, at every instruction set of this
//! machine. The figures of `docs/lanes.md`. `cargo bench --bench lanes` in this folder; the results are checked before
//! the clock runs.

use std::hint::black_box;
use std::time::Instant;

use fearless_simd::{Level, Simd, dispatch, f32x16, prelude::*};
use stillframe_base::lanes::{Block, Isa, LANES, per_isa};

/// Registers of the probe. 64 blocks are 64 KiB; the shader uses 37.
const REGISTERS: usize = 64;
const LIGHTS: usize = 16;

#[derive(Clone, Copy)]
enum Code {
    Add,
    Sub,
    Mul,
    Div,
    /// a * b + c, two roundings.
    MulAdd,
    /// With a uniform operand: one load less.
    AddU,
    MulU,
    /// u - a.
    SubFromU,
    MaxU,
    Sqrt,
    /// u / a.
    DivU,
}

#[derive(Clone, Copy)]
struct Op {
    code: Code,
    to: u8,
    a: u8,
    b: u8,
    c: u8,
    u: f32,
}

/// An assembler: registers are handed out and given back by hand.
struct Asm(Vec<Op>);

impl Asm {
    fn op(&mut self, code: Code, to: u8, a: u8, b: u8, c: u8, u: f32) {
        self.0.push(Op { code, to, a, b, c, u });
    }
    fn dot(&mut self, to: u8, a: u8, b: u8) {
        self.op(Code::Mul, to, a, b, 0, 0.0);
        self.op(Code::MulAdd, to, a + 1, b + 1, to, 0.0);
        self.op(Code::MulAdd, to, a + 2, b + 2, to, 0.0);
    }
    fn normalize(&mut self, v: u8, length_squared: u8, scratch: u8) {
        self.op(Code::Sqrt, scratch, length_squared, 0, 0, 0.0);
        self.op(Code::DivU, scratch, scratch, 0, 0, 1.0);
        (0..3).for_each(|i| self.op(Code::Mul, v + i, v + i, scratch, 0, 0.0));
    }
}

/// Registers: 0 position, 3 normal, 6 view, 9 albedo, 12 alpha^2, 13 k, 14 n.v, 15..18 sum, 18 light, 21 half, 24..
/// scratch.
fn program() -> Vec<Op> {
    use Code::{Add, AddU, Div, DivU, MaxU, Mul, MulAdd, MulU, Sub, SubFromU};
    let mut asm = Asm(Vec::new());
    for light in 0..LIGHTS {
        let place = [light as f32 * 0.7 - 5.0, 3.0 - light as f32 * 0.11, 2.0 + light as f32 * 0.05];
        let (l, h, s) = (18, 21, 24);
        for i in 0..3 {
            asm.op(SubFromU, l + i, i, 0, 0, place[i as usize]);
        }
        asm.dot(s, l, l);
        asm.normalize(l, s, s + 1);
        for i in 0..3 {
            asm.op(Add, h + i, l + i, 6 + i, 0, 0.0);
        }
        asm.dot(s + 1, h, h);
        asm.normalize(h, s + 1, s + 2);
        for (to, a, b) in [(s + 1, 3, l), (s + 2, 3, h), (s + 3, 6, h)] {
            asm.dot(to, a, b);
            asm.op(MaxU, to, to, 0, 0, 0.0);
        }
        // D = a2 / (pi ((n.h)^2 (a2 - 1) + 1)^2)
        asm.op(Mul, s + 4, s + 2, s + 2, 0, 0.0);
        asm.op(AddU, s + 5, 12, 0, 0, -1.0);
        asm.op(Mul, s + 4, s + 4, s + 5, 0, 0.0);
        asm.op(AddU, s + 4, s + 4, 0, 0, 1.0);
        asm.op(Mul, s + 4, s + 4, s + 4, 0, 0.0);
        asm.op(MulU, s + 4, s + 4, 0, 0, std::f32::consts::PI);
        asm.op(Div, s + 4, 12, s + 4, 0, 0.0);
        // G / (4 n.l n.v) = 1 / (4 (n.l (1 - k) + k) (n.v (1 - k) + k))
        asm.op(SubFromU, s + 5, 13, 0, 0, 1.0);
        asm.op(MulAdd, s + 6, s + 1, s + 5, 13, 0.0);
        asm.op(MulAdd, s + 7, 14, s + 5, 13, 0.0);
        asm.op(Mul, s + 6, s + 6, s + 7, 0, 0.0);
        asm.op(MulU, s + 6, s + 6, 0, 0, 4.0);
        asm.op(Div, s + 4, s + 4, s + 6, 0, 0.0);
        // F = f0 + (1 - f0) (1 - v.h)^5
        asm.op(SubFromU, s + 5, s + 3, 0, 0, 1.0);
        asm.op(Mul, s + 6, s + 5, s + 5, 0, 0.0);
        asm.op(Mul, s + 6, s + 6, s + 6, 0, 0.0);
        asm.op(Mul, s + 5, s + 5, s + 6, 0, 0.0);
        // Irradiance: n.l / d^2.
        asm.op(DivU, s + 7, s, 0, 0, 20.0 + light as f32);
        asm.op(Mul, s + 7, s + 7, s + 1, 0, 0.0);
        for i in 0..3 {
            asm.op(MulU, s + 6, 9 + i, 0, 0, 0.5);
            asm.op(SubFromU, s + 8, s + 6, 0, 0, 1.0);
            asm.op(MulAdd, s + 6, s + 8, s + 5, s + 6, 0.0);
            asm.op(SubFromU, s + 8, s + 6, 0, 0, 1.0);
            asm.op(Mul, s + 8, s + 8, 9 + i, 0, 0.0);
            asm.op(MulU, s + 8, s + 8, 0, 0, std::f32::consts::FRAC_1_PI);
            asm.op(MulAdd, s + 8, s + 6, s + 4, s + 8, 0.0);
            asm.op(MulU, s + 8, s + 8, 0, 0, 1.0 - 0.1 * i as f32);
            asm.op(MulAdd, 15 + i, s + 8, s + 7, 15 + i, 0.0);
        }
        asm.op(Sub, s, s, s, 0, 0.0);
    }
    asm.0
}

fn inputs() -> Vec<Block> {
    let mut file = vec![Block::ZERO; REGISTERS];
    for lane in 0..LANES {
        let (x, y) = ((lane % 16) as f32 * 0.1 - 0.8, (lane / 16) as f32 * 0.1 - 0.8);
        let n = (x * x + y * y + 1.0).sqrt();
        let values = [
            x,
            y,
            0.1 * x * y,
            x / n,
            y / n,
            1.0 / n,
            0.0,
            0.6,
            0.8,
            0.8,
            0.5 + 0.2 * x,
            0.3,
            0.09,
            0.21,
            0.7,
            0.0,
            0.0,
            0.0,
        ];
        for (block, value) in file.iter_mut().zip(values) {
            block.as_f32_mut()[lane] = value;
        }
    }
    file
}

/// Lanes of one step of a loop: read, work, write. Reading a whole step first lets `to` be an operand too.
const STEP: usize = 16;

#[inline(always)]
fn read(file: &[Block], register: u8, start: usize) -> [f32; STEP] {
    let mut lanes = [0.0; STEP];
    lanes.copy_from_slice(&file[usize::from(register)].as_f32()[start..start + STEP]);
    lanes
}

#[inline(always)]
fn write(file: &mut [Block], register: u8, start: usize, lanes: [f32; STEP]) {
    file[usize::from(register)].as_f32_mut()[start..start + STEP].copy_from_slice(&lanes);
}

/// The loop over steps and lanes, written out where it stands: a closure might stay a call.
macro_rules! steps {
    ($file:ident, $op:ident, $($arg:ident),+ => $value:expr) => {
        for start in (0..LANES).step_by(STEP) {
            let mut out = [0.0; STEP];
            $( let $arg = read($file, $op.$arg, start); )+
            for i in Isa::each::<LEVEL>(STEP) {
                $( let $arg = $arg[i]; )+
                out[i] = $value;
            }
            write($file, $op.to, start, out);
        }
    };
}

#[inline(always)]
fn one<const LEVEL: u8>(file: &mut [Block], op: Op) {
    let u = op.u;
    match op.code {
        Code::Add => steps!(file, op, a, b => a + b),
        Code::Sub => steps!(file, op, a, b => a - b),
        Code::Mul => steps!(file, op, a, b => a * b),
        Code::Div => steps!(file, op, a, b => a / b),
        Code::MulAdd => steps!(file, op, a, b, c => a * b + c),
        Code::AddU => steps!(file, op, a => a + u),
        Code::MulU => steps!(file, op, a => a * u),
        Code::SubFromU => steps!(file, op, a => u - a),
        Code::MaxU => steps!(file, op, a => if a < u { u } else { a }),
        Code::Sqrt => steps!(file, op, a => a.sqrt()),
        Code::DivU => steps!(file, op, a => u / a),
    }
}

per_isa! {
    /// The whole interpreter is one twin; kernels are arms of its match.
    fn matched(file: &mut [Block], ops: &[Op]) {
        for &op in ops {
            one::<LEVEL>(file, op);
        }
    }
}

macro_rules! kernels {
    ($($name:ident = $code:ident;)*) => {
        per_isa! { $( fn $name(file: &mut [Block], op: Op) { one::<LEVEL>(file, Op { code: Code::$code, ..op }) } )* }
        fn table(isa: Isa) -> Vec<fn(&mut [Block], Op)> {
            vec![$( $name(isa) ),*]
        }
    };
}
// In the order of `Code`.
kernels! {
    add = Add; sub = Sub; mul = Mul; div = Div; mul_add = MulAdd; add_u = AddU; mul_u = MulU; sub_from_u = SubFromU;
    max_u = MaxU; sqrt = Sqrt; div_u = DivU;
}

fn through_table(table: &[fn(&mut [Block], Op)], file: &mut [Block], ops: &[Op]) {
    for &op in ops {
        table[op.code as usize](file, op);
    }
}

/// The same steps, with `fearless_simd`'s vectors of 16.
macro_rules! vectors {
    ($simd:ident, $file:ident, $op:ident, $($arg:ident),+ => $value:expr) => {
        for start in (0..LANES).step_by(STEP) {
            $( let $arg = f32x16::simd_from($simd, read($file, $op.$arg, start)); )+
            let out: [f32; STEP] = $value.into();
            write($file, $op.to, start, out);
        }
    };
}

#[inline(always)]
fn fearless<S: Simd>(simd: S, file: &mut [Block], ops: &[Op]) {
    for &op in ops {
        let u = f32x16::splat(simd, op.u);
        match op.code {
            Code::Add => vectors!(simd, file, op, a, b => a + b),
            Code::Sub => vectors!(simd, file, op, a, b => a - b),
            Code::Mul => vectors!(simd, file, op, a, b => a * b),
            Code::Div => vectors!(simd, file, op, a, b => a / b),
            Code::MulAdd => vectors!(simd, file, op, a, b, c => a * b + c),
            Code::AddU => vectors!(simd, file, op, a => a + u),
            Code::MulU => vectors!(simd, file, op, a => a * u),
            Code::SubFromU => vectors!(simd, file, op, a => u - a),
            Code::MaxU => vectors!(simd, file, op, a => a.simd_lt(u).select(u, a)),
            Code::Sqrt => vectors!(simd, file, op, a => a.sqrt()),
            Code::DivU => vectors!(simd, file, op, a => u / a),
        }
    }
}

fn fearless_level(isa: Isa) -> Option<Level> {
    let level = Level::new();
    #[cfg(target_arch = "x86_64")]
    return match isa {
        Isa::Sse2 => level.as_sse2().map(Level::Sse2),
        Isa::Sse4 => level.as_sse4_2().map(Level::Sse4_2),
        Isa::Avx2 => level.as_avx2().map(Level::Avx2),
        Isa::Avx512 => level.as_avx512().map(Level::Avx512),
        _ => None,
    };
    #[cfg(target_arch = "aarch64")]
    return if isa == Isa::Neon { level.as_neon().map(Level::Neon) } else { None };
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    return None;
}

/// Median nanoseconds of one call, over 101 short rounds: shorter than a time slice, so that a busy machine spoils few.
#[allow(clippy::disallowed_methods, reason = "a bench reads the clock")]
fn median_ns(mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    let mut calls = 0u32;
    while start.elapsed().as_micros() < 200 {
        call();
        calls += 1;
    }
    let mut rounds: Vec<f64> = (0..101)
        .map(|_| {
            let start = Instant::now();
            (0..calls).for_each(|_| call());
            start.elapsed().as_nanos() as f64 / f64::from(calls)
        })
        .collect();
    rounds.sort_by(f64::total_cmp);
    rounds[50]
}

fn main() {
    let ops = program();
    println!("{} instructions for {LIGHTS} lights, {LANES} lanes; ms a frame of 512x512, medians", ops.len());
    println!("{:<8}{:>14}{:>14}{:>14}", "", "table, loops", "match, loops", "fearless_simd");
    let blocks = 512.0 * 512.0 / LANES as f64;
    let mut want: Option<Vec<Block>> = None;
    for isa in Isa::available() {
        let (kernels, whole) = (table(isa), matched(isa));
        let mut runs: Vec<Box<dyn FnMut(&mut [Block])>> =
            vec![Box::new(|file| through_table(&kernels, file, &ops)), Box::new(|file| whole(file, &ops))];
        if let Some(level) = fearless_level(isa) {
            let ops = &ops;
            runs.push(Box::new(move |file| dispatch!(level, simd => fearless(simd, file, ops))));
        }
        let mut line = format!("{isa:<8}");
        for run in &mut runs {
            let mut file = inputs();
            run(&mut file);
            assert_eq!(want.get_or_insert_with(|| file.clone())[15..18], file[15..18], "{isa}: other bits");
            line += &format!("{:>14.2}", median_ns(|| run(black_box(&mut file))) * blocks * 1e-6);
        }
        println!("{line}");
    }
}
