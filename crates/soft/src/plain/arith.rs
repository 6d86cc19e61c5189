//! Operators, conversions and selections on values. Source: `docs/adapter-rules.md`, Arithmetic.

use naga::{BinaryOperator, RelationalFunction, ScalarKind, UnaryOperator};

use super::value::{Scalar, Value, Vector};

/// `op value`, part by part.
pub fn unary(op: UnaryOperator, value: &Value) -> Value {
    let one = |s: Scalar| match (op, s) {
        (UnaryOperator::Negate, Scalar::F32(v)) => Scalar::F32(-v),
        (UnaryOperator::Negate, Scalar::I32(v)) => Scalar::I32(v.wrapping_neg()),
        (UnaryOperator::LogicalNot, Scalar::Bool(v)) => Scalar::Bool(!v),
        (UnaryOperator::BitwiseNot, Scalar::I32(v)) => Scalar::I32(!v),
        (UnaryOperator::BitwiseNot, Scalar::U32(v)) => Scalar::U32(!v),
        (op, s) => unreachable!("{op:?} of {s:?}"),
    };
    match value {
        Value::Composite(columns) => Value::Composite(columns.iter().map(|c| unary(op, c)).collect()),
        Value::Vector(v) => Value::Vector(v.map(one)),
        other => Value::Scalar(one(other.scalar())),
    }
}

/// `left op right`: scalars, vectors, a scalar with a vector, and the products and sums of matrices.
pub fn binary(op: BinaryOperator, left: &Value, right: &Value) -> Value {
    use Value::{Composite, Scalar as S, Vector as V};
    match (left, right) {
        (S(a), S(b)) => S(scalar_binary(op, *a, *b)),
        (V(a), V(b)) => {
            let parts: Vec<Scalar> = a.iter().zip(b.iter()).map(|(&a, &b)| scalar_binary(op, a, b)).collect();
            V(Vector::new(&parts))
        }
        (S(a), V(b)) => V(b.map(|b| scalar_binary(op, *a, b))),
        (V(a), S(b)) => V(a.map(|a| scalar_binary(op, a, *b))),
        (Composite(a), Composite(b)) if op == BinaryOperator::Multiply => {
            Composite(b.iter().map(|column| matrix_by_vector(a, &column.vector())).collect())
        }
        (Composite(a), Composite(b)) => Composite(a.iter().zip(b).map(|(a, b)| binary(op, a, b)).collect()),
        (Composite(a), V(b)) => matrix_by_vector(a, b),
        (V(a), Composite(b)) => {
            let parts: Vec<Scalar> = b.iter().map(|column| sum_of_products(a, &column.vector())).collect();
            V(Vector::new(&parts))
        }
        (Composite(a), s @ S(_)) => Composite(a.iter().map(|column| binary(op, column, s)).collect()),
        (s @ S(_), Composite(b)) => Composite(b.iter().map(|column| binary(op, s, column)).collect()),
        (a, b) => unreachable!("{a:?} {op:?} {b:?}"),
    }
}

/// Sum of the columns times the parts of `v`, columns in order.
fn matrix_by_vector(columns: &[Value], v: &Vector) -> Value {
    let rows = columns[0].len();
    let parts: Vec<Scalar> = (0..rows)
        .map(|row| {
            let row_parts: Vec<Scalar> = columns.iter().map(|c| c.vector()[row]).collect();
            sum_of_products(&Vector::new(&row_parts), v)
        })
        .collect();
    Value::Vector(Vector::new(&parts))
}

/// `a.x * b.x + a.y * b.y + ...`, left to right: what `dot` and the matrix products are made of.
pub fn sum_of_products(a: &Vector, b: &Vector) -> Scalar {
    let mut products = a.iter().zip(b.iter()).map(|(&a, &b)| scalar_binary(BinaryOperator::Multiply, a, b));
    let first = products.next().expect("vectors have parts");
    products.fold(first, |sum, product| scalar_binary(BinaryOperator::Add, sum, product))
}

/// One operator on two scalars of one type (shifts take an unsigned right operand).
pub fn scalar_binary(op: BinaryOperator, left: Scalar, right: Scalar) -> Scalar {
    use BinaryOperator as Op;
    use Scalar::{Bool, F32, I32, U32};
    match (op, left, right) {
        (Op::Add, F32(a), F32(b)) => F32(a + b),
        (Op::Subtract, F32(a), F32(b)) => F32(a - b),
        (Op::Multiply, F32(a), F32(b)) => F32(a * b),
        (Op::Divide, F32(a), F32(b)) => F32(a / b),
        (Op::Modulo, F32(a), F32(b)) => F32(a - b * (a / b).trunc()),

        (Op::Add, I32(a), I32(b)) => I32(a.wrapping_add(b)),
        (Op::Subtract, I32(a), I32(b)) => I32(a.wrapping_sub(b)),
        (Op::Multiply, I32(a), I32(b)) => I32(a.wrapping_mul(b)),
        (Op::Divide, I32(a), I32(b)) => I32(a.checked_div(b).unwrap_or(a)),
        (Op::Modulo, I32(a), I32(b)) => I32(a.checked_rem(b).unwrap_or(0)),

        (Op::Add, U32(a), U32(b)) => U32(a.wrapping_add(b)),
        (Op::Subtract, U32(a), U32(b)) => U32(a.wrapping_sub(b)),
        (Op::Multiply, U32(a), U32(b)) => U32(a.wrapping_mul(b)),
        (Op::Divide, U32(a), U32(b)) => U32(a.checked_div(b).unwrap_or(a)),
        (Op::Modulo, U32(a), U32(b)) => U32(a.checked_rem(b).unwrap_or(0)),

        (Op::And, I32(a), I32(b)) => I32(a & b),
        (Op::InclusiveOr, I32(a), I32(b)) => I32(a | b),
        (Op::ExclusiveOr, I32(a), I32(b)) => I32(a ^ b),
        (Op::And, U32(a), U32(b)) => U32(a & b),
        (Op::InclusiveOr, U32(a), U32(b)) => U32(a | b),
        (Op::ExclusiveOr, U32(a), U32(b)) => U32(a ^ b),
        (Op::ShiftLeft, I32(a), U32(b)) => I32(a << (b % 32)),
        (Op::ShiftLeft, U32(a), U32(b)) => U32(a << (b % 32)),
        (Op::ShiftRight, I32(a), U32(b)) => I32(a >> (b % 32)),
        (Op::ShiftRight, U32(a), U32(b)) => U32(a >> (b % 32)),

        (Op::And | Op::LogicalAnd, Bool(a), Bool(b)) => Bool(a & b),
        (Op::InclusiveOr | Op::LogicalOr, Bool(a), Bool(b)) => Bool(a | b),
        (Op::ExclusiveOr, Bool(a), Bool(b)) => Bool(a ^ b),

        (Op::Equal, a, b) => Bool(compare(a, b, |o| o == Some(std::cmp::Ordering::Equal))),
        (Op::NotEqual, a, b) => Bool(!compare(a, b, |o| o == Some(std::cmp::Ordering::Equal))),
        (Op::Less, a, b) => Bool(compare(a, b, |o| o == Some(std::cmp::Ordering::Less))),
        (Op::Greater, a, b) => Bool(compare(a, b, |o| o == Some(std::cmp::Ordering::Greater))),
        (Op::LessEqual, a, b) => Bool(compare(a, b, |o| o.is_some_and(std::cmp::Ordering::is_le))),
        (Op::GreaterEqual, a, b) => Bool(compare(a, b, |o| o.is_some_and(std::cmp::Ordering::is_ge))),
        (op, a, b) => unreachable!("{a:?} {op:?} {b:?}"),
    }
}

/// Asks `test` about the order of two scalars; NaN has none.
fn compare(a: Scalar, b: Scalar, test: impl Fn(Option<std::cmp::Ordering>) -> bool) -> bool {
    test(match (a, b) {
        (Scalar::F32(a), Scalar::F32(b)) => a.partial_cmp(&b),
        (Scalar::I32(a), Scalar::I32(b)) => Some(a.cmp(&b)),
        (Scalar::U32(a), Scalar::U32(b)) => Some(a.cmp(&b)),
        (Scalar::Bool(a), Scalar::Bool(b)) => Some(a.cmp(&b)),
        (a, b) => unreachable!("{a:?} compared with {b:?}"),
    })
}

/// `all`, `any`.
pub fn relational(fun: RelationalFunction, value: &Value) -> Value {
    let parts = value.parts();
    match fun {
        RelationalFunction::All => Value::bool(parts.iter().all(|p| p.bool())),
        RelationalFunction::Any => Value::bool(parts.iter().any(|p| p.bool())),
        RelationalFunction::IsNan => each(&parts, |p| Scalar::Bool(p.f32().is_nan())),
        RelationalFunction::IsInf => each(&parts, |p| Scalar::Bool(p.f32().is_infinite())),
    }
}

fn each(parts: &[Scalar], f: impl Fn(Scalar) -> Scalar) -> Value {
    Value::from_parts(&parts.iter().map(|&p| f(p)).collect::<Vec<_>>())
}

/// `select(reject, accept, condition)`: whole when the condition is a scalar, part by part otherwise.
pub fn select(condition: &Value, accept: &Value, reject: &Value) -> Value {
    match condition {
        Value::Vector(conditions) => {
            let parts: Vec<Scalar> = conditions
                .iter()
                .zip(accept.parts().into_iter().zip(reject.parts()))
                .map(|(c, (accept, reject))| if c.bool() { accept } else { reject })
                .collect();
            Value::from_parts(&parts)
        }
        one => if one.scalar().bool() { accept } else { reject }.clone(),
    }
}

/// `T(value)`, part by part.
pub fn convert(value: &Value, kind: ScalarKind) -> Value {
    match value {
        Value::Composite(columns) => Value::Composite(columns.iter().map(|c| convert(c, kind)).collect()),
        other => each(&other.parts(), |p| convert_scalar(p, kind)),
    }
}

fn convert_scalar(from: Scalar, kind: ScalarKind) -> Scalar {
    use Scalar::{Bool, F32, I32, U32};
    match (from, kind) {
        (Bool(v), ScalarKind::Float) => F32(v as u32 as f32),
        (Bool(v), ScalarKind::Sint) => I32(v as i32),
        (Bool(v), ScalarKind::Uint) => U32(v as u32),
        (F32(v), ScalarKind::Bool) => Bool(v != 0.0),
        (I32(v), ScalarKind::Bool) => Bool(v != 0),
        (U32(v), ScalarKind::Bool) => Bool(v != 0),
        // Truncation, then the nearest float that the integer type can hold; NaN is zero.
        (F32(v), ScalarKind::Sint) => I32(v.clamp(-2147483648.0, 2147483520.0) as i32),
        (F32(v), ScalarKind::Uint) => U32(v.clamp(0.0, 4294967040.0) as u32),
        (I32(v), ScalarKind::Float) => F32(v as f32),
        (U32(v), ScalarKind::Float) => F32(v as f32),
        (I32(v), ScalarKind::Uint) => U32(v as u32),
        (U32(v), ScalarKind::Sint) => I32(v as i32),
        (same, _) => same,
    }
}

/// `bitcast<T>(value)`, part by part. A NaN shows its one pattern.
pub fn bitcast(value: &Value, kind: ScalarKind) -> Value {
    each(&value.parts(), |p| Scalar::from_bits(kind, p.bits()))
}
