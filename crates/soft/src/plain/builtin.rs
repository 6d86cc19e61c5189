//! Built-in functions of values. Source: `docs/adapter-rules.md`, Arithmetic; transcendental functions are those of
//! `base`.

use naga::{BinaryOperator, MathFunction as Mf};
use stillframe_base::math::ops;

use super::arith::{binary, sum_of_products};
use super::texel::{f16_to_f32, f32_to_f16};
use super::value::{Scalar, Value, Vector};

/// `fun(arguments)`.
pub fn math(fun: Mf, arguments: &[Value]) -> Value {
    match fun {
        Mf::Modf => pair(&arguments[0], |x| Scalar::F32(x - x.trunc()), |x| Scalar::F32(x.trunc())),
        Mf::Frexp => pair(&arguments[0], |x| Scalar::F32(frexp(x).0), |x| Scalar::I32(frexp(x).1)),
        Mf::Dot => Value::Scalar(sum_of_products(&arguments[0].vector(), &arguments[1].vector())),
        Mf::Cross => cross(&arguments[0], &arguments[1]),
        Mf::Length => length(&arguments[0]),
        Mf::Distance => length(&binary(BinaryOperator::Subtract, &arguments[0], &arguments[1])),
        Mf::Normalize => binary(BinaryOperator::Divide, &arguments[0], &length(&arguments[0])),
        Mf::FaceForward => {
            let facing = dot(&arguments[1], &arguments[2]) < 0.0;
            map(&arguments[..1], |p| F32(if facing { p[0].f32() } else { -p[0].f32() }))
        }
        Mf::Reflect => {
            let k = Value::f32(2.0 * dot(&arguments[1], &arguments[0]));
            let along = binary(BinaryOperator::Multiply, &k, &arguments[1]);
            binary(BinaryOperator::Subtract, &arguments[0], &along)
        }
        Mf::Refract => refract(&arguments[0], &arguments[1], arguments[2].scalar().f32()),
        Mf::Outer => {
            let columns = arguments[1].vector();
            Value::Composite(
                columns.iter().map(|&b| binary(BinaryOperator::Multiply, &arguments[0], &Value::Scalar(b))).collect(),
            )
        }
        Mf::Transpose => transpose(&arguments[0]),
        Mf::Determinant => Value::f32(determinant(&arguments[0])),
        Mf::Dot4I8Packed
        | Mf::Dot4U8Packed
        | Mf::Pack4x8snorm
        | Mf::Pack4x8unorm
        | Mf::Pack2x16snorm
        | Mf::Pack2x16unorm
        | Mf::Pack2x16float
        | Mf::Pack4xI8
        | Mf::Pack4xU8
        | Mf::Pack4xI8Clamp
        | Mf::Pack4xU8Clamp => Value::Scalar(pack(fun, arguments)),
        Mf::Unpack4x8snorm
        | Mf::Unpack4x8unorm
        | Mf::Unpack2x16snorm
        | Mf::Unpack2x16unorm
        | Mf::Unpack2x16float
        | Mf::Unpack4xI8
        | Mf::Unpack4xU8 => unpack(fun, arguments[0].scalar().int() as u32),
        // The third argument may be a scalar beside vectors.
        Mf::Mix => map(arguments, |p| {
            let (a, b, t) = (p[0].f32(), p[1].f32(), p[2].f32());
            F32(a * (1.0 - t) + b * t)
        }),
        _ => map(arguments, |p| by_part(fun, p)),
    }
}

use Scalar::{F32, I32, U32};

/// Applies `f` to the parts of all arguments side by side; a scalar stands beside every part of a vector.
fn map(arguments: &[Value], f: impl Fn(&[Scalar]) -> Scalar) -> Value {
    let parts: Vec<Vec<Scalar>> = arguments.iter().map(Value::parts).collect();
    let count = parts.iter().map(Vec::len).max().expect("functions have arguments");
    let results: Vec<Scalar> =
        (0..count).map(|i| f(&parts.iter().map(|p| p[if p.len() == 1 { 0 } else { i }]).collect::<Vec<_>>())).collect();
    Value::from_parts(&results)
}

/// The structs of `modf` and `frexp`.
fn pair(x: &Value, first: impl Fn(f32) -> Scalar, second: impl Fn(f32) -> Scalar) -> Value {
    let one = std::slice::from_ref(x);
    Value::Composite(vec![map(one, |p| first(p[0].f32())), map(one, |p| second(p[0].f32()))])
}

/// `b < a ? b : a`.
fn min(a: Scalar, b: Scalar) -> Scalar {
    if super::arith::scalar_binary(BinaryOperator::Less, b, a).bool() { b } else { a }
}

/// `a < b ? b : a`.
fn max(a: Scalar, b: Scalar) -> Scalar {
    if super::arith::scalar_binary(BinaryOperator::Less, a, b).bool() { b } else { a }
}

fn clamp(x: Scalar, low: Scalar, high: Scalar) -> Scalar {
    min(max(x, low), high)
}

fn saturate(x: f32) -> f32 {
    clamp(F32(x), F32(0.0), F32(1.0)).f32()
}

/// Functions that look at one part of each argument.
fn by_part(fun: Mf, p: &[Scalar]) -> Scalar {
    match (fun, p[0]) {
        (Mf::Min, a) => min(a, p[1]),
        (Mf::Max, a) => max(a, p[1]),
        (Mf::Clamp, x) => clamp(x, p[1], p[2]),
        (_, F32(x)) => F32(match fun {
            Mf::Atan2 => ops::atan2(x, p[1].f32()),
            Mf::Pow => ops::pow(x, p[1].f32()),
            Mf::Step => (x <= p[1].f32()) as u32 as f32,
            Mf::Fma => x * p[1].f32() + p[2].f32(),
            Mf::Ldexp => ldexp(x, p[1].int()),
            Mf::SmoothStep => {
                let t = saturate((p[2].f32() - x) / (p[1].f32() - x));
                (t * t) * (3.0 - 2.0 * t)
            }
            _ => of_float(fun, x),
        }),
        (_, I32(x)) => of_int(fun, x, p),
        (_, U32(x)) => of_uint(fun, x, p),
        (fun, x) => unreachable!("{fun:?} of {x:?}"),
    }
}

fn of_float(fun: Mf, x: f32) -> f32 {
    match fun {
        Mf::Abs => x.abs(),
        Mf::Saturate => saturate(x),
        Mf::Cos => ops::cos(x),
        Mf::Sin => ops::sin(x),
        Mf::Tan => ops::tan(x),
        Mf::Acos => ops::acos(x),
        Mf::Asin => ops::asin(x),
        Mf::Atan => ops::atan(x),
        Mf::Sinh => (ops::exp(x) - ops::exp(-x)) * 0.5,
        Mf::Cosh => (ops::exp(x) + ops::exp(-x)) * 0.5,
        Mf::Tanh => {
            let t = ops::exp(-2.0 * x.abs());
            let positive: f32 = (1.0 - t) / (1.0 + t);
            positive.copysign(x)
        }
        Mf::Asinh => {
            let a = x.abs();
            ops::log(a + (a * a + 1.0).sqrt()).copysign(x)
        }
        Mf::Acosh => ops::log(x + (x * x - 1.0).sqrt()),
        Mf::Atanh => ops::log((1.0 + x) / (1.0 - x)) * 0.5,
        Mf::Radians => x * f32::from_bits(0x3C8E_FA35),
        Mf::Degrees => x * f32::from_bits(0x4265_2EE1),
        Mf::Ceil => x.ceil(),
        Mf::Floor => x.floor(),
        Mf::Round => x.round_ties_even(),
        Mf::Fract => x - x.floor(),
        Mf::Trunc => x.trunc(),
        Mf::Exp => ops::exp(x),
        Mf::Exp2 => ops::exp2(x),
        Mf::Log => ops::log(x),
        Mf::Log2 => ops::log2(x),
        Mf::Sign if x > 0.0 => 1.0,
        Mf::Sign if x < 0.0 => -1.0,
        Mf::Sign => 0.0,
        Mf::Sqrt => x.sqrt(),
        Mf::InverseSqrt => 1.0 / x.sqrt(),
        Mf::QuantizeToF16 => f16_to_f32(f32_to_f16(x)),
        other => unreachable!("{other:?} of a float"),
    }
}

fn of_int(fun: Mf, x: i32, p: &[Scalar]) -> Scalar {
    I32(match fun {
        Mf::Abs => x.wrapping_abs(),
        Mf::Sign => x.signum(),
        Mf::CountTrailingZeros => x.trailing_zeros() as i32,
        Mf::CountLeadingZeros => x.leading_zeros() as i32,
        Mf::CountOneBits => x.count_ones() as i32,
        Mf::ReverseBits => x.reverse_bits(),
        Mf::FirstTrailingBit => (0..32).find(|at| x >> at & 1 == 1).unwrap_or(-1),
        Mf::FirstLeadingBit => (0..31).rev().find(|at| (x >> at & 1 == 1) != (x < 0)).unwrap_or(-1),
        Mf::ExtractBits => {
            let (offset, count) = bit_range(p[1], p[2]);
            if count == 0 { 0 } else { ((x as i64) << (64 - offset - count) >> (64 - count)) as i32 }
        }
        Mf::InsertBits => insert_bits(x as u32, p) as i32,
        other => unreachable!("{other:?} of an integer"),
    })
}

fn of_uint(fun: Mf, x: u32, p: &[Scalar]) -> Scalar {
    U32(match fun {
        Mf::Abs => x,
        Mf::CountTrailingZeros => x.trailing_zeros(),
        Mf::CountLeadingZeros => x.leading_zeros(),
        Mf::CountOneBits => x.count_ones(),
        Mf::ReverseBits => x.reverse_bits(),
        Mf::FirstTrailingBit => (0..32).find(|at| x >> at & 1 == 1).unwrap_or(u32::MAX),
        Mf::FirstLeadingBit => (0..32).rev().find(|at| x >> at & 1 == 1).unwrap_or(u32::MAX),
        Mf::ExtractBits => {
            let (offset, count) = bit_range(p[1], p[2]);
            (x as u64 >> offset & ((1u64 << count) - 1)) as u32
        }
        Mf::InsertBits => insert_bits(x, p),
        other => unreachable!("{other:?} of an unsigned integer"),
    })
}

/// Offset and count of `extractBits` and `insertBits`, cut to 32 bits.
fn bit_range(offset: Scalar, count: Scalar) -> (i64, i64) {
    let offset = offset.int().min(32);
    (offset, count.int().min(32 - offset))
}

fn insert_bits(base: u32, p: &[Scalar]) -> u32 {
    let (offset, count) = bit_range(p[2], p[3]);
    let mask = ((1u64 << count) - 1) << offset;
    let new = (p[1].int() as u64) << offset;
    (base as u64 & !mask | new & mask) as u32
}

fn frexp(x: f32) -> (f32, i32) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    // As an f64 the number is normal, so its exponent field tells all.
    let bits = (x as f64).to_bits();
    let exponent = (bits >> 52 & 0x7FF) as i32 - 1022;
    let fraction = f64::from_bits(bits & !(0x7FF << 52) | 1022 << 52);
    (fraction as f32, exponent)
}

fn ldexp(x: f32, exponent: i64) -> f32 {
    let scale = f64::from_bits(((exponent.clamp(-300, 300) + 1023) as u64) << 52);
    (x as f64 * scale) as f32
}

fn dot(a: &Value, b: &Value) -> f32 {
    sum_of_products(&a.vector(), &b.vector()).f32()
}

fn length(v: &Value) -> Value {
    Value::f32(match v {
        Value::Scalar(s) => s.f32().abs(),
        vector => dot(vector, vector).sqrt(),
    })
}

fn cross(a: &Value, b: &Value) -> Value {
    let (a, b) = (a.f32s(), b.f32s());
    Value::floats(&[a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
}

fn refract(a: &Value, n: &Value, eta: f32) -> Value {
    let d = dot(n, a);
    let k = 1.0 - (eta * eta) * (1.0 - d * d);
    map(&[a.clone(), n.clone()], |p| {
        F32(if k < 0.0 { 0.0 } else { eta * p[0].f32() - (eta * d + k.sqrt()) * p[1].f32() })
    })
}

fn transpose(m: &Value) -> Value {
    let columns: Vec<Vector> = m.composite().iter().map(Value::vector).collect();
    let row = |r: usize| Value::Vector(Vector::new(&columns.iter().map(|c| c[r]).collect::<Vec<_>>()));
    Value::Composite((0..columns[0].len()).map(row).collect())
}

fn determinant(m: &Value) -> f32 {
    let columns = m.composite();
    let at = |c: usize, r: usize| columns[c].vector()[r].f32();
    // A 2x2 determinant of rows r0 and r1 of columns c and c + 1.
    let minor = |c: usize, r0: usize, r1: usize| at(c, r0) * at(c + 1, r1) - at(c + 1, r0) * at(c, r1);
    match columns.len() {
        2 => minor(0, 0, 1),
        3 => dot(&columns[0], &cross(&columns[1], &columns[2])),
        _ => {
            let s = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)].map(|(r0, r1)| minor(0, r0, r1));
            let c = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)].map(|(r0, r1)| minor(2, r0, r1));
            s[0] * c[5] - s[1] * c[4] + s[2] * c[3] + s[3] * c[2] - s[4] * c[1] + s[5] * c[0]
        }
    }
}

/// `floor(0.5 + n * x)` with x clamped; exact in f64, NaN is zero.
fn normalized(x: f32, low: f64, n: f64) -> u32 {
    if x.is_nan() { 0 } else { (0.5 + n * (x as f64).clamp(low, 1.0)).floor() as i32 as u32 }
}

fn pack(fun: Mf, arguments: &[Value]) -> Scalar {
    let dot4 = |signed: fn(u32) -> i64| {
        let [a, b] = [0, 1].map(|i| arguments[i].scalar().int() as u32);
        (0..4).map(|i| signed(a >> (8 * i) & 0xFF) * signed(b >> (8 * i) & 0xFF)).sum::<i64>()
    };
    let bytes = |bits: u32, f: &dyn Fn(Scalar) -> u32| {
        let parts = arguments[0].parts();
        let mask = (1u32 << bits) - 1;
        U32(parts.iter().enumerate().fold(0, |all, (i, &p)| all | (f(p) & mask) << (bits * i as u32)))
    };
    match fun {
        Mf::Dot4I8Packed => I32(dot4(|byte| byte as u8 as i8 as i64) as i32),
        Mf::Dot4U8Packed => U32(dot4(|byte| byte as i64) as u32),
        Mf::Pack4x8snorm => bytes(8, &|p| normalized(p.f32(), -1.0, 127.0)),
        Mf::Pack4x8unorm => bytes(8, &|p| normalized(p.f32(), 0.0, 255.0)),
        Mf::Pack2x16snorm => bytes(16, &|p| normalized(p.f32(), -1.0, 32767.0)),
        Mf::Pack2x16unorm => bytes(16, &|p| normalized(p.f32(), 0.0, 65535.0)),
        Mf::Pack2x16float => bytes(16, &|p| f32_to_f16(p.f32()) as u32),
        Mf::Pack4xI8 | Mf::Pack4xU8 => bytes(8, &|p| p.int() as u32),
        Mf::Pack4xI8Clamp => bytes(8, &|p| p.int().clamp(-128, 127) as u32),
        Mf::Pack4xU8Clamp => bytes(8, &|p| p.int().clamp(0, 255) as u32),
        other => unreachable!("{other:?} does not pack"),
    }
}

fn unpack(fun: Mf, word: u32) -> Value {
    let bytes = word.to_le_bytes();
    let halves = [word as u16, (word >> 16) as u16];
    match fun {
        Mf::Unpack4x8snorm => Value::floats(&bytes.map(|v| (v as i8 as f32 / 127.0).max(-1.0))),
        Mf::Unpack4x8unorm => Value::floats(&bytes.map(|v| v as f32 / 255.0)),
        Mf::Unpack2x16snorm => Value::floats(&halves.map(|v| (v as i16 as f32 / 32767.0).max(-1.0))),
        Mf::Unpack2x16unorm => Value::floats(&halves.map(|v| v as f32 / 65535.0)),
        Mf::Unpack2x16float => Value::floats(&halves.map(f16_to_f32)),
        Mf::Unpack4xI8 => Value::from_parts(&bytes.map(|v| I32(v as i8 as i32))),
        Mf::Unpack4xU8 => Value::uints(&bytes.map(|v| v as u32)),
        other => unreachable!("{other:?} does not unpack"),
    }
}
