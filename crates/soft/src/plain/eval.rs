//! Expressions: what each one is worth, by the rules of the page of naga's `ir` module ("Expression evaluation time").
//!
//! Every expression that a running block emits is evaluated for all invocations of the group, running or not:
//! expressions have no effects, and quads need the values of their neighbours. Only statements look at who is running.

use std::rc::Rc;

use naga::{DerivativeAxis, DerivativeControl, Expression, Function, Handle, Literal, Module, TypeInner};

use super::arith;
use super::builtin;
use super::group::Group;
use super::texture;
use super::value::{self, Pointer, Root, Scalar, Shape, Value, Vector};

/// Evaluates an expression that depends on its operands alone; `None` for all others.
pub fn pure(
    module: &Module,
    expression: &Expression,
    operand: &mut dyn FnMut(Handle<Expression>) -> Value,
) -> Option<Value> {
    Some(match *expression {
        Expression::Literal(literal) => Value::Scalar(match literal {
            Literal::F32(v) => Scalar::F32(v),
            Literal::U32(v) => Scalar::U32(v),
            Literal::I32(v) => Scalar::I32(v),
            Literal::Bool(v) => Scalar::Bool(v),
            other => unreachable!("{other:?} needs a feature that the adapter does not offer"),
        }),
        Expression::Constant(constant) => global(module, module.constants[constant].init),
        Expression::ZeroValue(ty) => value::zero(module, &module.types[ty].inner),
        Expression::Compose { ty, ref components } => {
            let components = components.iter().map(|&c| operand(c));
            match module.types[ty].inner {
                TypeInner::Vector { .. } => {
                    Value::Vector(Vector::new(&components.flat_map(|c| c.parts()).collect::<Vec<_>>()))
                }
                _ => Value::Composite(components.collect()),
            }
        }
        Expression::Access { base, index } => {
            let base = operand(base);
            if matches!(base, Value::Pointer(_) | Value::Handle(_)) {
                return None;
            }
            let index = operand(index).scalar().int() as u32;
            base.element((index as usize).min(base.len() - 1))
        }
        Expression::AccessIndex { base, index } => {
            let base = operand(base);
            if matches!(base, Value::Pointer(_) | Value::Handle(_)) {
                return None;
            }
            base.element(index as usize)
        }
        Expression::Splat { size, value } => Value::Vector(Vector::new(&vec![operand(value).scalar(); size as usize])),
        Expression::Swizzle { size, vector, pattern } => {
            let from = operand(vector).vector();
            let parts: Vec<Scalar> = pattern[..size as usize].iter().map(|&c| from[c as usize]).collect();
            Value::Vector(Vector::new(&parts))
        }
        Expression::Unary { op, expr } => arith::unary(op, &operand(expr)),
        Expression::Binary { op, left, right } => arith::binary(op, &operand(left), &operand(right)),
        Expression::Select { condition, accept, reject } => {
            arith::select(&operand(condition), &operand(accept), &operand(reject))
        }
        Expression::Relational { fun, argument } => arith::relational(fun, &operand(argument)),
        Expression::Math { fun, arg, arg1, arg2, arg3 } => {
            let mut arguments = vec![operand(arg)];
            arguments.extend([arg1, arg2, arg3].into_iter().flatten().map(operand));
            builtin::math(fun, &arguments)
        }
        Expression::As { expr, kind, convert: Some(_) } => arith::convert(&operand(expr), kind),
        Expression::As { expr, kind, convert: None } => arith::bitcast(&operand(expr), kind),
        _ => return None,
    })
}

/// A module-scope expression: constants and initial values.
pub fn global(module: &Module, handle: Handle<Expression>) -> Value {
    pure(module, &module.global_expressions[handle], &mut |operand| global(module, operand))
        .expect("global expressions are constant")
}

impl Group<'_> {
    /// Evaluates `handle` for all invocations and keeps the values until the expression is evaluated again.
    pub fn evaluate(&mut self, handle: Handle<Expression>) {
        let function = self.frame().function;
        let lanes = 0..self.lane_count;
        let values: Vec<Value> = match function.expressions[handle] {
            Expression::FunctionArgument(index) => self.frame().arguments[index as usize].to_vec(),
            Expression::LocalVariable(variable) => {
                let root = Root::Local { frame: self.frames.len() - 1, variable };
                let shape = Shape::Named(function.local_variables[variable].ty);
                vec![
                    Value::Pointer(Pointer { root, shape, path: vec![], offset_bytes: 0, outside: false });
                    self.lane_count
                ]
            }
            Expression::GlobalVariable(variable) => vec![self.global_variable(variable); self.lane_count],
            Expression::Access { base, index } => {
                let bases = self.values(base);
                let indices = self.values(index);
                lanes.map(|lane| self.access(&bases[lane], indices[lane].scalar().int() as u32)).collect()
            }
            Expression::AccessIndex { base, index } => {
                let bases = self.values(base);
                lanes.map(|lane| self.access(&bases[lane], index)).collect()
            }
            Expression::Load { pointer } => {
                let pointers = self.values(pointer);
                lanes.map(|lane| self.load(&pointers[lane], lane)).collect()
            }
            Expression::ArrayLength(pointer) => {
                let pointers = self.values(pointer);
                lanes.map(|lane| Value::u32(self.runtime_length(&pointers[lane]))).collect()
            }
            Expression::Derivative { axis, ctrl, expr } => {
                let values = self.values(expr);
                let values = self.completed(&values);
                lanes.map(|lane| derivative(&values, lane, axis, ctrl)).collect()
            }
            Expression::ImageSample { .. } => self.image_sample(function, handle),
            Expression::ImageLoad { image, coordinate, array_index, sample, level } => {
                let images = self.values(image);
                let coordinates = self.values(coordinate);
                let layers = array_index.map(|h| self.values(h));
                let level_or_samples = sample.or(level).map(|h| self.values(h));
                lanes
                    .map(|lane| {
                        let image = self.image(&images[lane]);
                        let layer = layers.as_ref().map(|l| l[lane].scalar().int());
                        let last = level_or_samples.as_ref().map(|l| l[lane].scalar().int());
                        let at = ints(&coordinates[lane]);
                        texture::load(&image, &at, layer, last)
                    })
                    .collect()
            }
            Expression::ImageQuery { image, query } => {
                let images = self.values(image);
                let levels = match query {
                    naga::ImageQuery::Size { level: Some(level) } => Some(self.values(level)),
                    _ => None,
                };
                lanes
                    .map(|lane| {
                        let level = levels.as_ref().map(|l| l[lane].scalar().int());
                        texture::query(&self.image(&images[lane]), query, level)
                    })
                    .collect()
            }
            ref other => lanes
                .map(|lane| {
                    pure(self.module, other, &mut |operand| self.value(operand, lane))
                        .unwrap_or_else(|| unreachable!("{other:?} needs a feature that the adapter does not offer"))
                })
                .collect(),
        };
        self.frame_mut().values[handle.index()] = Some(Rc::new(values));
    }

    /// The values of an expression; those that no statement emits are evaluated here.
    pub fn values(&mut self, handle: Handle<Expression>) -> Rc<Vec<Value>> {
        if self.frame().values[handle.index()].is_none() {
            self.evaluate(handle);
        }
        self.frame().values[handle.index()].clone().expect("just evaluated")
    }

    /// The value of an expression for one invocation.
    pub fn value(&mut self, handle: Handle<Expression>, lane: usize) -> Value {
        if self.frame().values[handle.index()].is_none() {
            self.evaluate(handle);
        }
        self.frame().values[handle.index()].as_ref().expect("just evaluated")[lane].clone()
    }

    /// Values of whole quads: an invocation that is not running stands in with the lowest one of its quad that is.
    fn completed(&self, values: &[Value]) -> Vec<Value> {
        (0..values.len())
            .map(|lane| {
                let quad = lane & !3;
                let runs = |lane: &usize| *lane < values.len() && self.active[*lane];
                let from = if runs(&lane) { lane } else { (quad..quad + 4).find(runs).unwrap_or(lane) };
                values[from].clone()
            })
            .collect()
    }

    fn global_variable(&self, variable: Handle<naga::GlobalVariable>) -> Value {
        let global = &self.module.global_variables[variable];
        let root = match global.space {
            naga::AddressSpace::Handle => return Value::Handle(variable),
            naga::AddressSpace::Private => Root::Private(variable),
            naga::AddressSpace::WorkGroup => Root::Workgroup(variable),
            _ => Root::Buffer { global: variable },
        };
        Value::Pointer(Pointer { root, shape: Shape::Named(global.ty), path: vec![], offset_bytes: 0, outside: false })
    }

    /// One element: of a value, or of what a pointer points to.
    fn access(&self, base: &Value, index: u32) -> Value {
        match base {
            Value::Pointer(pointer) => Value::Pointer(self.pointer_to_element(pointer, index)),
            other => other.element((index as usize).min(other.len() - 1)),
        }
    }

    /// `textureSample*` and `textureGather*`. Implicit levels take their derivatives from the quad's coordinates.
    fn image_sample(&mut self, function: &Function, handle: Handle<Expression>) -> Vec<Value> {
        let Expression::ImageSample {
            image,
            sampler,
            gather,
            coordinate,
            array_index,
            offset,
            level,
            depth_ref,
            clamp_to_edge,
        } = function.expressions[handle]
        else {
            unreachable!("asked for an image sample")
        };
        let images = self.values(image);
        let samplers = self.values(sampler);
        let coordinates = self.values(coordinate);
        let completed = self.completed(&coordinates);
        let layers = array_index.map(|h| self.values(h));
        let offsets = offset.map(|h| self.values(h));
        let references = depth_ref.map(|h| self.values(h));
        let mut level_values = |h: Handle<Expression>| self.values(h);
        let (exact, bias, gradient) = match level {
            naga::SampleLevel::Auto | naga::SampleLevel::Zero => (None, None, None),
            naga::SampleLevel::Exact(h) => (Some(level_values(h)), None, None),
            naga::SampleLevel::Bias(h) => (None, Some(level_values(h)), None),
            naga::SampleLevel::Gradient { x, y } => (None, None, Some((level_values(x), level_values(y)))),
        };
        (0..self.lane_count)
            .map(|lane| {
                let level = match level {
                    naga::SampleLevel::Zero => texture::Level::Exact(0.0),
                    naga::SampleLevel::Exact(_) => {
                        texture::Level::Exact(float_of(&exact.as_ref().expect("evaluated above")[lane]))
                    }
                    naga::SampleLevel::Gradient { .. } => {
                        let (x, y) = gradient.as_ref().expect("evaluated above");
                        texture::Level::Gradient { x: x[lane].f32s(), y: y[lane].f32s(), bias: 0.0 }
                    }
                    // A gather looks at the base level and asks for no derivatives.
                    _ if gather.is_some() => texture::Level::Exact(0.0),
                    naga::SampleLevel::Auto | naga::SampleLevel::Bias(_) => {
                        let along = |axis| derivative(&completed, lane, axis, DerivativeControl::None).f32s();
                        texture::Level::Gradient {
                            x: along(DerivativeAxis::X),
                            y: along(DerivativeAxis::Y),
                            bias: bias.as_ref().map_or(0.0, |b| b[lane].scalar().f32()),
                        }
                    }
                };
                let lookup = texture::Lookup {
                    coordinates: coordinates[lane].f32s(),
                    layer: layers.as_ref().map(|l| l[lane].scalar().int()),
                    level,
                    offset: offsets.as_ref().map_or(vec![0; 3], |o| ints(&o[lane])),
                    reference: references.as_ref().map(|r| r[lane].scalar().f32()),
                    gather: gather.map(|component| component as usize),
                    clamp_to_edge,
                };
                let image = self.image(&images[lane]);
                let sampler = self.sampler(&samplers[lane]);
                texture::sample(&image, sampler, &lookup)
            })
            .collect()
    }
}

/// Levels of depth textures may be integers.
fn float_of(level: &Value) -> f32 {
    match level.scalar() {
        Scalar::F32(v) => v,
        integer => integer.int() as f32,
    }
}

fn ints(value: &Value) -> Vec<i64> {
    value.parts().into_iter().map(Scalar::int).collect()
}

/// The difference inside a quad: invocation `y * 2 + x`. The fine form takes the invocation's own row or column, the
/// coarse and the plain form the first.
fn derivative(values: &[Value], lane: usize, axis: DerivativeAxis, control: DerivativeControl) -> Value {
    let quad = lane & !3;
    let own = match control {
        DerivativeControl::Fine => lane & 3,
        DerivativeControl::Coarse | DerivativeControl::None => 0,
    };
    let difference = |from: usize, to: usize| {
        arith::binary(naga::BinaryOperator::Subtract, &values[quad + to], &values[quad + from])
    };
    let x = difference(own & 2, own | 1);
    let y = difference(own & 1, own | 2);
    match axis {
        DerivativeAxis::X => x,
        DerivativeAxis::Y => y,
        DerivativeAxis::Width => {
            let length = |v: Value| builtin::math(naga::MathFunction::Abs, &[v]);
            arith::binary(naga::BinaryOperator::Add, &length(x), &length(y))
        }
    }
}
