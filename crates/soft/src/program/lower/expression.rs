//! Expression: values, operators, conversions.

use naga::{BinaryOperator, Literal, RelationalFunction, ScalarKind, UnaryOperator};

use super::*;
use crate::program::op::Pure;
use crate::program::types::Parts;

impl<'a> Lower<'a> {
    fn expression_of(&self, f: &Frame<'a>, handle: Handle<Expression>) -> &'a Expression {
        match f.function {
            Some(function) => &function.expressions[handle],
            None => &self.module.global_expressions[handle],
        }
    }

    pub(super) fn inner(&self, f: &Frame<'a>, handle: Handle<Expression>) -> &'a TypeInner {
        let info = self.info;
        let resolution = match f.info {
            Some(function) => &function[handle].ty,
            None => &info[handle],
        };
        resolution.inner_with(&self.module.types)
    }

    /// The type of a value expression.
    pub(super) fn ty(&self, f: &Frame<'a>, handle: Handle<Expression>) -> Result<Ty, LowerError> {
        let info = self.info;
        let resolution = match f.info {
            Some(function) => &function[handle].ty,
            None => &info[handle],
        };
        match *resolution {
            naga::proc::TypeResolution::Handle(ty) => Ok(Ty::Handle(ty)),
            naga::proc::TypeResolution::Value(ref inner) => match *inner {
                TypeInner::Scalar(scalar) => Ok(Ty::Scalar(scalar)),
                TypeInner::Vector { size, scalar } => Ok(Ty::Vector(size, scalar)),
                TypeInner::Matrix { columns, rows, scalar } => Ok(Ty::Matrix(columns, rows, scalar)),
                ref other => Err(LowerError::unsupported(format!("values of type {}", types::name_of(other)))),
            },
        }
    }

    pub(super) fn scalar(&self, f: &Frame<'a>, handle: Handle<Expression>) -> Result<ScalarKind, LowerError> {
        Ok(types::scalar_of(self.module, self.ty(f, handle)?)?.kind)
    }

    /// What an expression stands for; computed now if it is not yet.
    pub(super) fn meaning(&mut self, f: &mut Frame<'a>, handle: Handle<Expression>) -> Result<Meaning, LowerError> {
        if let Meaning::Unknown = f.meanings[handle.index()] {
            self.evaluate(f, handle)?;
        }
        Ok(f.meanings[handle.index()])
    }

    pub(super) fn value_of(&mut self, f: &mut Frame<'a>, handle: Handle<Expression>) -> Result<Span, LowerError> {
        match self.meaning(f, handle)? {
            Meaning::Value(span) => Ok(span),
            other => unreachable!("a validated module uses {other:?} where it fits"),
        }
    }

    pub(super) fn scalar_value(&mut self, f: &mut Frame<'a>, handle: Handle<Expression>) -> Result<Val, LowerError> {
        let span = self.value_of(f, handle)?;
        Ok(self.at(span, 0))
    }

    pub(super) fn pointer_of(&mut self, f: &mut Frame<'a>, handle: Handle<Expression>) -> Result<u32, LowerError> {
        match self.meaning(f, handle)? {
            Meaning::Pointer(at) => Ok(at),
            other => unreachable!("a validated module uses {other:?} where it fits"),
        }
    }

    /// Computes an expression at this point, again if need be.
    pub(super) fn evaluate(&mut self, f: &mut Frame<'a>, handle: Handle<Expression>) -> Result<(), LowerError> {
        let meaning = match *self.expression_of(f, handle) {
            Expression::Literal(literal) => {
                let v = match literal {
                    Literal::F32(x) => self.b.f32(x),
                    Literal::U32(x) => self.b.u32(x),
                    Literal::I32(x) => self.b.u32(x as u32),
                    Literal::Bool(x) => self.b.bool(x),
                    other => return Err(LowerError::unsupported(format!("the literal {other:?}"))),
                };
                self.value(&[v])
            }
            Expression::Constant(constant) => Meaning::Value(self.global_value(self.module.constants[constant].init)?),
            Expression::Override(_) => return Err(LowerError::unsupported("an override that was not set")),
            Expression::ZeroValue(ty) => Meaning::Value(self.zero(Ty::Handle(ty))?),
            Expression::Compose { ref components, .. } => {
                let mut values = Vec::new();
                for component in components {
                    let span = self.value_of(f, *component)?;
                    values.extend(self.values(span));
                }
                self.value(&values)
            }
            Expression::Splat { size, value } => {
                let v = self.scalar_value(f, value)?;
                self.value(&vec![v; size as usize])
            }
            Expression::Swizzle { size, vector, pattern } => {
                let span = self.value_of(f, vector)?;
                let values: Vec<Val> =
                    pattern[..size as usize].iter().map(|component| self.at(span, *component as u32)).collect();
                self.value(&values)
            }
            Expression::AccessIndex { base, index } => match self.meaning(f, base)? {
                Meaning::Pointer(at) => self.pointer_part(at, index)?,
                Meaning::Value(span) => {
                    let ty = self.ty(f, base)?;
                    let (part, flat, _) = types::part(self.module, ty, index)?;
                    let len = types::flat_len(self.module, part)?;
                    Meaning::Value(Span { start: span.start + flat, len })
                }
                _ => return Err(LowerError::unsupported("arrays of textures or samplers")),
            },
            Expression::Access { base, index } => {
                let index = self.scalar_value(f, index)?;
                match self.meaning(f, base)? {
                    Meaning::Pointer(at) => self.pointer_element(at, index)?,
                    Meaning::Value(span) => {
                        let ty = self.ty(f, base)?;
                        Meaning::Value(self.value_element(span, ty, index)?)
                    }
                    _ => return Err(LowerError::unsupported("arrays of textures or samplers")),
                }
            }
            Expression::FunctionArgument(at) => f.arguments[at as usize],
            Expression::GlobalVariable(global) => self.global(global)?,
            Expression::LocalVariable(local) => {
                let function = f.function.expect("locals belong to functions");
                let ty = Ty::Handle(function.local_variables[local].ty);
                let place = self.place(f.locals[local.index()], ty)?;
                self.pointer(place, ty)
            }
            Expression::Load { pointer } => {
                let at = self.pointer_of(f, pointer)?;
                Meaning::Value(self.load(at)?)
            }
            Expression::Unary { op, expr } => {
                let kind = self.scalar(f, expr)?;
                let op = match (op, kind) {
                    (UnaryOperator::Negate, ScalarKind::Float) => Pure::FNeg,
                    (UnaryOperator::Negate, _) => Pure::INeg,
                    (UnaryOperator::LogicalNot | UnaryOperator::BitwiseNot, _) => Pure::Not,
                };
                let span = self.value_of(f, expr)?;
                self.map1(op, span)
            }
            Expression::Binary { op, left, right } => self.binary(f, op, left, right)?,
            Expression::Select { condition, accept, reject } => {
                let condition = self.value_of(f, condition)?;
                let accept = self.value_of(f, accept)?;
                let reject = self.value_of(f, reject)?;
                let values: Vec<Val> = (0..accept.len)
                    .map(|k| {
                        let c = self.at(condition, if condition.len == 1 { 0 } else { k });
                        let (a, r) = (self.at(accept, k), self.at(reject, k));
                        self.b.op3(Pure::Select, c, a, r)
                    })
                    .collect();
                self.value(&values)
            }
            Expression::Relational { fun, argument } => {
                let span = self.value_of(f, argument)?;
                match fun {
                    RelationalFunction::IsNan => self.map1(Pure::FIsNan, span),
                    RelationalFunction::IsInf => self.map1(Pure::FIsInf, span),
                    RelationalFunction::All | RelationalFunction::Any => {
                        let op = if fun == RelationalFunction::All { Pure::And } else { Pure::Or };
                        let values = self.values(span);
                        let v = values[1..].iter().fold(values[0], |acc, v| self.b.op2(op, acc, *v));
                        self.value(&[v])
                    }
                }
            }
            Expression::As { expr, kind, convert } => self.conversion(f, expr, kind, convert)?,
            Expression::Derivative { axis, ctrl, expr } => self.derivative(f, axis, ctrl, expr)?,
            Expression::Math { fun, arg, arg1, arg2, arg3 } => self.math(f, fun, [Some(arg), arg1, arg2, arg3])?,
            Expression::ArrayLength(pointer) => {
                let at = self.pointer_of(f, pointer)?;
                let Pointer { place, ty } = self.pointers[at as usize].clone();
                let (Place::Memory { memory, offset, .. }, Parts::Elements(e)) =
                    (place, types::parts(self.module, ty)?)
                else {
                    unreachable!("arrayLength is asked of arrays in buffers");
                };
                let length = self.array_length(memory, offset, e.stride_bytes);
                self.value(&[length])
            }
            Expression::ImageSample { .. } => self.image_sample(f, handle)?,
            Expression::ImageLoad { .. } => self.image_load(f, handle)?,
            Expression::ImageQuery { image, query } => self.image_query(f, image, query)?,
            Expression::CallResult(_)
            | Expression::AtomicResult { .. }
            | Expression::WorkGroupUniformLoadResult { .. } => {
                unreachable!("the statement that makes the result comes first")
            }
            Expression::RayQueryVertexPositions { .. }
            | Expression::RayQueryProceedResult
            | Expression::RayQueryGetIntersection { .. } => return Err(LowerError::unsupported("ray queries")),
            Expression::SubgroupBallotResult | Expression::SubgroupOperationResult { .. } => {
                return Err(LowerError::unsupported("subgroup operations"));
            }
            Expression::CooperativeLoad { .. } | Expression::CooperativeMultiplyAdd { .. } => {
                return Err(LowerError::unsupported("cooperative matrices"));
            }
        };
        f.meanings[handle.index()] = meaning;
        Ok(())
    }

    pub(super) fn expression(&self, f: &Frame<'a>, handle: Handle<Expression>) -> &'a Expression {
        self.expression_of(f, handle)
    }

    // ---- component by component ----

    pub(super) fn map1(&mut self, op: Pure, a: Span) -> Meaning {
        let values: Vec<Val> = self.values(a).into_iter().map(|a| self.b.op1(op, a)).collect();
        self.value(&values)
    }

    /// A scalar operand goes with every component of the other.
    pub(super) fn map2(&mut self, op: Pure, a: Span, b: Span) -> Meaning {
        let count = a.len.max(b.len);
        let values: Vec<Val> = (0..count)
            .map(|k| {
                let a = self.at(a, if a.len == 1 { 0 } else { k });
                let b = self.at(b, if b.len == 1 { 0 } else { k });
                self.b.op2(op, a, b)
            })
            .collect();
        self.value(&values)
    }

    fn binary(
        &mut self,
        f: &mut Frame<'a>,
        op: BinaryOperator,
        left: Handle<Expression>,
        right: Handle<Expression>,
    ) -> Result<Meaning, LowerError> {
        use BinaryOperator as B;
        use ScalarKind::{Float, Sint};
        let kind = self.scalar(f, left)?;
        let (a, b) = (self.value_of(f, left)?, self.value_of(f, right)?);
        if op == B::Multiply {
            let (ta, tb) = (self.inner(f, left), self.inner(f, right));
            match (ta, tb) {
                (TypeInner::Matrix { columns, rows, .. }, TypeInner::Vector { .. }) => {
                    let values = self.matrix_times(a, *columns as u32, *rows as u32, b, 0);
                    return Ok(self.value(&values));
                }
                (TypeInner::Vector { .. }, TypeInner::Matrix { columns, rows, .. }) => {
                    let rows = *rows as u32;
                    let values: Vec<Val> = (0..*columns as u32)
                        .map(|c| {
                            let column = Span { start: b.start + c * rows, len: rows };
                            self.dot(a, column, true)
                        })
                        .collect();
                    return Ok(self.value(&values));
                }
                (TypeInner::Matrix { columns, rows, .. }, TypeInner::Matrix { columns: many, .. }) => {
                    let mut values = Vec::new();
                    for j in 0..*many as u32 {
                        values.extend(self.matrix_times(a, *columns as u32, *rows as u32, b, j * *columns as u32));
                    }
                    return Ok(self.value(&values));
                }
                _ => {}
            }
        }
        let pick = |float: Pure, sint: Pure, uint: Pure| match kind {
            Float => float,
            Sint => sint,
            _ => uint,
        };
        let (op, swapped) = match op {
            B::Add => (pick(Pure::FAdd, Pure::IAdd, Pure::IAdd), false),
            B::Subtract => (pick(Pure::FSub, Pure::ISub, Pure::ISub), false),
            B::Multiply => (pick(Pure::FMul, Pure::IMul, Pure::IMul), false),
            B::Divide => (pick(Pure::FDiv, Pure::IDiv, Pure::UDiv), false),
            B::Modulo => (pick(Pure::FRem, Pure::IRem, Pure::URem), false),
            B::Equal => (pick(Pure::FEq, Pure::IEq, Pure::IEq), false),
            B::NotEqual => (pick(Pure::FNe, Pure::INe, Pure::INe), false),
            B::Less => (pick(Pure::FLt, Pure::ILt, Pure::ULt), false),
            B::LessEqual => (pick(Pure::FLe, Pure::ILe, Pure::ULe), false),
            B::Greater => (pick(Pure::FLt, Pure::ILt, Pure::ULt), true),
            B::GreaterEqual => (pick(Pure::FLe, Pure::ILe, Pure::ULe), true),
            B::And | B::LogicalAnd => (Pure::And, false),
            B::InclusiveOr | B::LogicalOr => (Pure::Or, false),
            B::ExclusiveOr => (Pure::Xor, false),
            B::ShiftLeft => (Pure::Shl, false),
            B::ShiftRight => (if kind == Sint { Pure::ShrI } else { Pure::ShrU }, false),
        };
        Ok(if swapped { self.map2(op, b, a) } else { self.map2(op, a, b) })
    }

    /// Matrix `a` times the vector that starts at scalar `from` of `v`.
    fn matrix_times(&mut self, a: Span, columns: u32, rows: u32, v: Span, from: u32) -> Vec<Val> {
        (0..rows)
            .map(|r| {
                let mut sum = Val::NONE;
                for c in 0..columns {
                    let (m, x) = (self.at(a, c * rows + r), self.at(v, from + c));
                    let product = self.b.op2(Pure::FMul, m, x);
                    sum = if c == 0 { product } else { self.b.op2(Pure::FAdd, sum, product) };
                }
                sum
            })
            .collect()
    }

    fn conversion(
        &mut self,
        f: &mut Frame<'a>,
        expr: Handle<Expression>,
        kind: ScalarKind,
        convert: Option<naga::Bytes>,
    ) -> Result<Meaning, LowerError> {
        use ScalarKind::{Bool, Float, Sint, Uint};
        let from = self.scalar(f, expr)?;
        let span = self.value_of(f, expr)?;
        let width_bytes = convert.unwrap_or(4);
        if kind != Bool && width_bytes != 4 {
            return Err(LowerError::unsupported(format!("{}-bit {kind:?} values", u32::from(width_bytes) * 8)));
        }
        let op = match (from, kind, convert.is_some()) {
            (Float, Sint | Uint, false) => Pure::Canonical,
            (_, _, false) => return Ok(Meaning::Value(span)),
            (Float, Sint, true) => Pure::FToI,
            (Float, Uint, true) => Pure::FToU,
            (Float, Bool, true) => Pure::FToBool,
            (Sint, Float, true) => Pure::IToF,
            (Uint, Float, true) => Pure::UToF,
            (Sint | Uint, Bool, true) => Pure::IToBool,
            (Bool, Float | Sint | Uint, true) => {
                let one = if kind == Float { self.b.f32(1.0) } else { self.b.u32(1) };
                let one = self.span(&[one]);
                return Ok(self.map2(Pure::And, span, one));
            }
            _ => return Ok(Meaning::Value(span)),
        };
        Ok(self.map1(op, span))
    }

    fn derivative(
        &mut self,
        f: &mut Frame<'a>,
        axis: naga::DerivativeAxis,
        control: naga::DerivativeControl,
        expr: Handle<Expression>,
    ) -> Result<Meaning, LowerError> {
        use naga::{DerivativeAxis as Axis, DerivativeControl as Control};
        let span = self.value_of(f, expr)?;
        let fine = control == Control::Fine;
        let (x, y) =
            if fine { (Derivative::XFine, Derivative::YFine) } else { (Derivative::XCoarse, Derivative::YCoarse) };
        let mut values = Vec::new();
        for k in 0..span.len {
            let v = self.at(span, k);
            let whole = self.b.timed(Kind::QuadFill, [v, Val::NONE, Val::NONE]);
            let mut along = |kind| self.b.timed(Kind::Derivative(kind), [whole, Val::NONE, Val::NONE]);
            values.push(match axis {
                Axis::X => along(x),
                Axis::Y => along(y),
                Axis::Width => {
                    let (dx, dy) = (along(x), along(y));
                    let (dx, dy) = (self.b.op1(Pure::FAbs, dx), self.b.op1(Pure::FAbs, dy));
                    self.b.op2(Pure::FAdd, dx, dy)
                }
            });
        }
        Ok(self.value(&values))
    }
}
