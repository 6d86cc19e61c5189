//! Math: WGSL's numeric builtins in terms of pure operations. The formulas are those of `docs/adapter-rules.md`.

use naga::{MathFunction as M, ScalarKind};

use super::*;
use crate::program::op::Pure;

impl<'a> Lower<'a> {
    pub(super) fn math(
        &mut self,
        f: &mut Frame<'a>,
        fun: M,
        args: [Option<Handle<Expression>>; 4],
    ) -> Result<Meaning, LowerError> {
        use ScalarKind::{Float, Sint};
        let first = args[0].expect("every function has an argument");
        let kind = self.scalar(f, first)?;
        let mut spans = [Span { start: 0, len: 0 }; 4];
        for (span, arg) in spans.iter_mut().zip(args) {
            if let Some(arg) = arg {
                *span = self.value_of(f, arg)?;
            }
        }
        let [a, b, c, d] = spans;
        let pick = |float: Pure, sint: Pure, uint: Pure| match kind {
            Float => float,
            Sint => sint,
            _ => uint,
        };
        Ok(match fun {
            M::Abs => match kind {
                Float => self.map1(Pure::FAbs, a),
                Sint => self.map1(Pure::IAbs, a),
                _ => Meaning::Value(a),
            },
            M::Min => self.map2(pick(Pure::FMin, Pure::IMin, Pure::UMin), a, b),
            M::Max => self.map2(pick(Pure::FMax, Pure::IMax, Pure::UMax), a, b),
            M::Clamp => match kind {
                Float => self.map3(Pure::FClamp, a, b, c),
                _ => {
                    let low = self.map2(pick(Pure::FMax, Pure::IMax, Pure::UMax), a, b);
                    let Meaning::Value(low) = low else { unreachable!("map2 gives a value") };
                    self.map2(pick(Pure::FMin, Pure::IMin, Pure::UMin), low, c)
                }
            },
            M::Saturate => {
                let (zero, one) = (self.b.f32(0.0), self.b.f32(1.0));
                let (zero, one) = (self.span(&[zero]), self.span(&[one]));
                self.map3(Pure::FClamp, a, zero, one)
            }
            M::Cos => self.map1(Pure::FCos, a),
            M::Cosh => self.map1(Pure::FCosh, a),
            M::Sin => self.map1(Pure::FSin, a),
            M::Sinh => self.map1(Pure::FSinh, a),
            M::Tan => self.map1(Pure::FTan, a),
            M::Tanh => self.map1(Pure::FTanh, a),
            M::Acos => self.map1(Pure::FAcos, a),
            M::Asin => self.map1(Pure::FAsin, a),
            M::Atan => self.map1(Pure::FAtan, a),
            M::Atan2 => self.map2(Pure::FAtan2, a, b),
            M::Asinh => self.map1(Pure::FAsinh, a),
            M::Acosh => self.map1(Pure::FAcosh, a),
            M::Atanh => self.map1(Pure::FAtanh, a),
            M::Radians => {
                let factor = self.b.u32(0x3C8E_FA35);
                let factor = self.span(&[factor]);
                self.map2(Pure::FMul, a, factor)
            }
            M::Degrees => {
                let factor = self.b.u32(0x4265_2EE1);
                let factor = self.span(&[factor]);
                self.map2(Pure::FMul, a, factor)
            }
            M::Ceil => self.map1(Pure::FCeil, a),
            M::Floor => self.map1(Pure::FFloor, a),
            M::Round => self.map1(Pure::FRound, a),
            M::Fract => self.map1(Pure::FFract, a),
            M::Trunc => self.map1(Pure::FTrunc, a),
            M::Modf => self.each1(a, 2, |b, x| {
                let whole = b.op1(Pure::FTrunc, x);
                [b.op2(Pure::FSub, x, whole), whole]
            }),
            M::Frexp => self.each1(a, 2, |b, x| [b.op1(Pure::FrexpFract, x), b.op1(Pure::FrexpExponent, x)]),
            M::Ldexp => self.map2(Pure::Ldexp, a, b),
            M::Exp => self.map1(Pure::FExp, a),
            M::Exp2 => self.map1(Pure::FExp2, a),
            M::Log => self.map1(Pure::FLog, a),
            M::Log2 => self.map1(Pure::FLog2, a),
            M::Pow => self.map2(Pure::FPow, a, b),
            M::Dot => {
                let v = self.dot(a, b, kind == Float);
                self.value(&[v])
            }
            M::Dot4I8Packed => self.map2(Pure::Dot4I8, a, b),
            M::Dot4U8Packed => self.map2(Pure::Dot4U8, a, b),
            M::Outer => {
                let mut values = Vec::new();
                for column in 0..b.len {
                    for row in 0..a.len {
                        let (x, y) = (self.at(a, row), self.at(b, column));
                        values.push(self.b.op2(Pure::FMul, x, y));
                    }
                }
                self.value(&values)
            }
            M::Cross => {
                let values = self.cross(a, b);
                self.value(&values)
            }
            M::Distance => {
                let Meaning::Value(difference) = self.map2(Pure::FSub, a, b) else {
                    unreachable!("map2 gives a value")
                };
                let v = self.length(difference);
                self.value(&[v])
            }
            M::Length => {
                let v = self.length(a);
                self.value(&[v])
            }
            M::Normalize => {
                let length = self.length(a);
                let length = self.span(&[length]);
                self.map2(Pure::FDiv, a, length)
            }
            M::FaceForward => {
                let side = self.dot(b, c, true);
                let zero = self.b.f32(0.0);
                let keep = self.b.op2(Pure::FLt, side, zero);
                self.each1(a, 1, |b, x| {
                    let negated = b.op1(Pure::FNeg, x);
                    [b.op3(Pure::Select, keep, x, negated), x]
                })
            }
            M::Reflect => {
                let dot = self.dot(b, a, true);
                let two = self.b.f32(2.0);
                let k = self.b.op2(Pure::FMul, two, dot);
                self.each2(a, b, |b, x, n| {
                    let along = b.op2(Pure::FMul, k, n);
                    b.op2(Pure::FSub, x, along)
                })
            }
            M::Refract => {
                let eta = self.at(c, 0);
                let dot = self.dot(b, a, true);
                let (zero, one) = (self.b.f32(0.0), self.b.f32(1.0));
                let square = self.b.op2(Pure::FMul, eta, eta);
                let dd = self.b.op2(Pure::FMul, dot, dot);
                let rest = self.b.op2(Pure::FSub, one, dd);
                let bent = self.b.op2(Pure::FMul, square, rest);
                let k = self.b.op2(Pure::FSub, one, bent);
                let total = self.b.op2(Pure::FLt, k, zero);
                let along = self.b.op2(Pure::FMul, eta, dot);
                let root = self.b.op1(Pure::FSqrt, k);
                let factor = self.b.op2(Pure::FAdd, along, root);
                self.each2(a, b, |b, x, n| {
                    let scaled = b.op2(Pure::FMul, eta, x);
                    let part = b.op2(Pure::FMul, factor, n);
                    let v = b.op2(Pure::FSub, scaled, part);
                    b.op3(Pure::Select, total, zero, v)
                })
            }
            M::Sign => match kind {
                Float => self.map1(Pure::FSign, a),
                _ => self.map1(Pure::ISign, a),
            },
            M::Fma => {
                let Meaning::Value(product) = self.map2(Pure::FMul, a, b) else { unreachable!("map2 gives a value") };
                self.map2(Pure::FAdd, product, c)
            }
            M::Mix => {
                let one = self.b.f32(1.0);
                let values: Vec<Val> = (0..a.len)
                    .map(|k| {
                        let (x, y) = (self.at(a, k), self.at(b, k));
                        let t = self.at(c, if c.len == 1 { 0 } else { k });
                        let rest = self.b.op2(Pure::FSub, one, t);
                        let left = self.b.op2(Pure::FMul, x, rest);
                        let right = self.b.op2(Pure::FMul, y, t);
                        self.b.op2(Pure::FAdd, left, right)
                    })
                    .collect();
                self.value(&values)
            }
            M::Step => self.each2(a, b, |b, edge, x| {
                let past = b.op2(Pure::FLe, edge, x);
                let one = b.f32(1.0);
                b.op2(Pure::And, past, one)
            }),
            M::SmoothStep => {
                let values: Vec<Val> = (0..c.len)
                    .map(|k| {
                        let low = self.at(a, if a.len == 1 { 0 } else { k });
                        let high = self.at(b, if b.len == 1 { 0 } else { k });
                        let x = self.at(c, k);
                        self.smoothstep(low, high, x)
                    })
                    .collect();
                self.value(&values)
            }
            M::Sqrt => self.map1(Pure::FSqrt, a),
            M::InverseSqrt => self.map1(Pure::FInverseSqrt, a),
            M::Inverse => return Err(LowerError::unsupported("the inverse of a matrix as a builtin")),
            M::Transpose => {
                let TypeInner::Matrix { columns, rows, .. } = *self.inner(f, first) else {
                    unreachable!("transpose takes a matrix");
                };
                let (columns, rows) = (columns as u32, rows as u32);
                let mut values = Vec::new();
                for r in 0..rows {
                    for c in 0..columns {
                        values.push(self.at(a, c * rows + r));
                    }
                }
                self.value(&values)
            }
            M::Determinant => {
                let v = self.determinant(a);
                self.value(&[v])
            }
            M::QuantizeToF16 => self.map1(Pure::QuantizeF16, a),
            M::CountTrailingZeros => self.map1(Pure::TrailingZeros, a),
            M::CountLeadingZeros => self.map1(Pure::LeadingZeros, a),
            M::CountOneBits => self.map1(Pure::CountOnes, a),
            M::ReverseBits => self.map1(Pure::ReverseBits, a),
            M::FirstTrailingBit => self.map1(Pure::FirstTrailing, a),
            M::FirstLeadingBit => self.map1(if kind == Sint { Pure::FirstLeadingI } else { Pure::FirstLeadingU }, a),
            M::ExtractBits => self.map3(if kind == Sint { Pure::ExtractI } else { Pure::ExtractU }, a, b, c),
            M::InsertBits => {
                let (offset, count) = (self.at(c, 0), self.at(d, 0));
                self.each2(a, b, |b, base, new| {
                    let mask = b.op2(Pure::InsertMask, offset, count);
                    let moved = b.op2(Pure::Shl, new, offset);
                    let inside = b.op2(Pure::And, moved, mask);
                    let outside = b.op2(Pure::AndNot, base, mask);
                    b.op2(Pure::Or, inside, outside)
                })
            }
            M::Pack4x8snorm
            | M::Pack4x8unorm
            | M::Pack2x16snorm
            | M::Pack2x16unorm
            | M::Pack2x16float
            | M::Pack4xI8
            | M::Pack4xU8
            | M::Pack4xI8Clamp
            | M::Pack4xU8Clamp => self.pack(fun, a),
            M::Unpack4x8snorm
            | M::Unpack4x8unorm
            | M::Unpack2x16snorm
            | M::Unpack2x16unorm
            | M::Unpack2x16float
            | M::Unpack4xI8
            | M::Unpack4xU8 => self.unpack(fun, a),
        })
    }

    pub(super) fn map3(&mut self, op: Pure, a: Span, b: Span, c: Span) -> Meaning {
        let values: Vec<Val> = (0..a.len)
            .map(|k| {
                let x = self.at(a, k);
                let y = self.at(b, if b.len == 1 { 0 } else { k });
                let z = self.at(c, if c.len == 1 { 0 } else { k });
                self.b.op3(op, x, y, z)
            })
            .collect();
        self.value(&values)
    }

    /// `count` results a component, first all the first ones.
    fn each1(&mut self, a: Span, count: usize, mut make: impl FnMut(&mut Builder, Val) -> [Val; 2]) -> Meaning {
        let results: Vec<[Val; 2]> = self.values(a).into_iter().map(|x| make(&mut self.b, x)).collect();
        let values: Vec<Val> = (0..count).flat_map(|k| results.iter().map(move |r| r[k])).collect();
        self.value(&values)
    }

    fn each2(&mut self, a: Span, b: Span, mut make: impl FnMut(&mut Builder, Val, Val) -> Val) -> Meaning {
        let values: Vec<Val> = (0..a.len)
            .map(|k| {
                let (x, y) = (self.at(a, k), self.at(b, k));
                make(&mut self.b, x, y)
            })
            .collect();
        self.value(&values)
    }

    /// Left to right.
    pub(super) fn dot(&mut self, a: Span, b: Span, float: bool) -> Val {
        let (mul, add) = if float { (Pure::FMul, Pure::FAdd) } else { (Pure::IMul, Pure::IAdd) };
        let mut sum = Val::NONE;
        for k in 0..a.len {
            let (x, y) = (self.at(a, k), self.at(b, k));
            let product = self.b.op2(mul, x, y);
            sum = if k == 0 { product } else { self.b.op2(add, sum, product) };
        }
        sum
    }

    fn length(&mut self, v: Span) -> Val {
        if v.len == 1 {
            let x = self.at(v, 0);
            return self.b.op1(Pure::FAbs, x);
        }
        let square = self.dot(v, v, true);
        self.b.op1(Pure::FSqrt, square)
    }

    fn cross(&mut self, a: Span, b: Span) -> [Val; 3] {
        [(1, 2), (2, 0), (0, 1)].map(|(i, j)| {
            let (ai, aj, bi, bj) = (self.at(a, i), self.at(a, j), self.at(b, i), self.at(b, j));
            self.difference_of_products(ai, bj, aj, bi)
        })
    }

    /// `a * b - c * d`.
    fn difference_of_products(&mut self, a: Val, b: Val, c: Val, d: Val) -> Val {
        let left = self.b.op2(Pure::FMul, a, b);
        let right = self.b.op2(Pure::FMul, c, d);
        self.b.op2(Pure::FSub, left, right)
    }

    fn smoothstep(&mut self, low: Val, high: Val, x: Val) -> Val {
        let (zero, one, two, three) = (self.b.f32(0.0), self.b.f32(1.0), self.b.f32(2.0), self.b.f32(3.0));
        let over = self.b.op2(Pure::FSub, x, low);
        let range = self.b.op2(Pure::FSub, high, low);
        let ratio = self.b.op2(Pure::FDiv, over, range);
        let t = self.b.op3(Pure::FClamp, ratio, zero, one);
        let square = self.b.op2(Pure::FMul, t, t);
        let twice = self.b.op2(Pure::FMul, two, t);
        let rest = self.b.op2(Pure::FSub, three, twice);
        self.b.op2(Pure::FMul, square, rest)
    }

    fn determinant(&mut self, m: Span) -> Val {
        match m.len {
            4 => {
                let [a, b, c, d] = [0, 3, 2, 1].map(|k| self.at(m, k));
                self.difference_of_products(a, b, c, d)
            }
            9 => {
                let column = |c: u32| Span { start: m.start + c * 3, len: 3 };
                let cross = self.cross(column(1), column(2));
                let cross = self.span(&cross);
                self.dot(column(0), cross, true)
            }
            _ => {
                // minor(c, r, q): rows r and q of columns c and c + 1.
                let mut minor = |c: u32, r: u32, q: u32| {
                    let [a, b, x, y] = [(c, r), (c + 1, q), (c + 1, r), (c, q)].map(|(c, r)| self.at(m, c * 4 + r));
                    self.difference_of_products(a, b, x, y)
                };
                let s = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)].map(|(r, q)| minor(0, r, q));
                let c = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)].map(|(r, q)| minor(2, r, q));
                let mut sum = self.b.op2(Pure::FMul, s[0], c[5]);
                for (k, op) in [(1, Pure::FSub), (2, Pure::FAdd), (3, Pure::FAdd), (4, Pure::FSub), (5, Pure::FAdd)] {
                    let product = self.b.op2(Pure::FMul, s[k], c[5 - k]);
                    sum = self.b.op2(op, sum, product);
                }
                sum
            }
        }
    }
}
