//! Pack: the packing and unpacking builtins.

use naga::MathFunction as M;

use super::*;
use crate::program::op::Pure;

impl<'a> Lower<'a> {
    /// Fields of `bits` bits, the first lowest.
    fn join(&mut self, fields: &[Val], bits: u32) -> Meaning {
        let mut word = fields[0];
        for (k, field) in fields.iter().enumerate().skip(1) {
            let shift = self.b.u32(k as u32 * bits);
            let moved = self.b.op2(Pure::Shl, *field, shift);
            word = self.b.op2(Pure::Or, word, moved);
        }
        self.value(&[word])
    }

    pub(super) fn pack(&mut self, fun: M, a: Span) -> Meaning {
        let values = self.values(a);
        let each = |b: &mut Builder, op: Pure| -> Vec<Val> { values.iter().map(|x| b.op1(op, *x)).collect() };
        let (fields, bits) = match fun {
            M::Pack4x8snorm => (each(&mut self.b, Pure::Snorm8), 8),
            M::Pack4x8unorm => (each(&mut self.b, Pure::Unorm8), 8),
            M::Pack2x16snorm => (each(&mut self.b, Pure::Snorm16), 16),
            M::Pack2x16unorm => (each(&mut self.b, Pure::Unorm16), 16),
            M::Pack2x16float => (each(&mut self.b, Pure::ToF16), 16),
            _ => {
                let clamp = match fun {
                    M::Pack4xI8Clamp => Some((Pure::IMax, Pure::IMin, -128i32 as u32, 127)),
                    M::Pack4xU8Clamp => Some((Pure::UMax, Pure::UMin, 0, 255)),
                    _ => None,
                };
                let fields = values
                    .iter()
                    .map(|x| {
                        let mut x = *x;
                        if let Some((max, min, low, high)) = clamp {
                            let (low, high) = (self.b.u32(low), self.b.u32(high));
                            x = self.b.op2(max, x, low);
                            x = self.b.op2(min, x, high);
                        }
                        let mask = self.b.u32(0xFF);
                        self.b.op2(Pure::And, x, mask)
                    })
                    .collect();
                (fields, 8)
            }
        };
        self.join(&fields, bits)
    }

    pub(super) fn unpack(&mut self, fun: M, a: Span) -> Meaning {
        let word = self.at(a, 0);
        let (count, bits, signed) = match fun {
            M::Unpack4x8snorm | M::Unpack4xI8 => (4, 8, true),
            M::Unpack4x8unorm | M::Unpack4xU8 => (4, 8, false),
            M::Unpack2x16snorm => (2, 16, true),
            _ => (2, 16, false),
        };
        let values: Vec<Val> = (0..count)
            .map(|k| {
                let field = self.field(word, k * bits, bits, signed);
                match fun {
                    M::Unpack4x8snorm => self.norm(field, 127.0, true),
                    M::Unpack4x8unorm => self.norm(field, 255.0, false),
                    M::Unpack2x16snorm => self.norm(field, 32767.0, true),
                    M::Unpack2x16unorm => self.norm(field, 65535.0, false),
                    M::Unpack2x16float => self.b.op1(Pure::FromF16, field),
                    _ => field,
                }
            })
            .collect();
        self.value(&values)
    }

    fn field(&mut self, word: Val, offset: u32, bits: u32, signed: bool) -> Val {
        let up = self.b.u32(32 - bits - offset);
        let down = self.b.u32(32 - bits);
        let high = self.b.op2(Pure::Shl, word, up);
        self.b.op2(if signed { Pure::ShrI } else { Pure::ShrU }, high, down)
    }

    fn norm(&mut self, field: Val, n: f32, signed: bool) -> Val {
        let n = self.b.f32(n);
        // Fields have at most 16 bits, so the signed conversion serves both.
        let x = self.b.op1(Pure::IToF, field);
        let x = self.b.op2(Pure::FDiv, x, n);
        if !signed {
            return x;
        }
        let low = self.b.f32(-1.0);
        self.b.op2(Pure::FMax, x, low)
    }
}
