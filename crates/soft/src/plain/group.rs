//! Group: invocations that advance in lock step, statement by statement, each with a flag that says whether it runs.
//!
//! In: an entry point, what it is bound to, one set of inputs an invocation. Out: one result an invocation, and what
//! was written to memory. A quad of fragments is a group of four, a workgroup a group of its size, a vertex a group of
//! one: so derivatives find their neighbours and barriers have nothing to do.

use std::rc::Rc;

use naga::{Block, Expression, Function, Handle, Module, Statement, SwitchValue};

use super::arith;
use super::eval;
use super::texture;
use super::value::{self, Value};
use crate::work::{Bindings, Fault, Stage};

/// One flag an invocation.
pub type Mask = Vec<bool>;

/// Invocations of one entry point.
pub struct Group<'a> {
    pub module: &'a Module,
    pub bindings: &'a Bindings,
    pub lane_count: usize,
    pub frames: Vec<Frame<'a>>,
    /// By module-scope variable: one value an invocation for private ones, a single one for workgroup ones, else none.
    pub variables: Vec<Vec<Value>>,
    /// Invocations that run the present statement.
    pub active: Mask,
    /// Invocations without effects: outside the primitive, or discarded.
    pub helper: Mask,
    /// Invocations that executed `discard`.
    pub discarded: Mask,
    name: &'a str,
    steps_left: u64,
    step_budget: u64,
}

/// One function while it runs.
pub struct Frame<'a> {
    pub function: &'a Function,
    /// By argument, by invocation.
    pub arguments: Vec<Rc<Vec<Value>>>,
    /// By expression, by invocation; none before its first evaluation.
    pub values: Vec<Option<Rc<Vec<Value>>>>,
    /// By local variable, by invocation.
    pub locals: Vec<Vec<Value>>,
    /// What the function returns, by invocation.
    result: Vec<Option<Value>>,
}

/// Who has left the innermost loop or switch early.
struct Jumps {
    broke: Mask,
    continued: Mask,
}

impl Jumps {
    fn none(lane_count: usize) -> Jumps {
        Jumps { broke: vec![false; lane_count], continued: vec![false; lane_count] }
    }
}

fn both(a: &Mask, b: impl Fn(usize) -> bool) -> Mask {
    a.iter().enumerate().map(|(lane, &on)| on && b(lane)).collect()
}

fn add(to: &mut Mask, from: &Mask) {
    to.iter_mut().zip(from).for_each(|(to, &from)| *to |= from);
}

fn any(mask: &Mask) -> bool {
    mask.contains(&true)
}

impl<'a> Group<'a> {
    /// A group before its first statement: private and workgroup variables have their initial values.
    pub fn new(stage: &'a Stage, bindings: &'a Bindings, lane_count: usize, step_budget: u64) -> Group<'a> {
        let module = &stage.shader.module;
        let variables = module
            .global_variables
            .iter()
            .map(|(_, variable)| {
                let copies = match variable.space {
                    naga::AddressSpace::Private => lane_count,
                    naga::AddressSpace::WorkGroup => 1,
                    _ => return vec![],
                };
                let first = match variable.init {
                    Some(init) => eval::global(module, init),
                    None => value::zero(module, &module.types[variable.ty].inner),
                };
                vec![first; copies]
            })
            .collect();
        Group {
            module,
            bindings,
            lane_count,
            frames: vec![],
            variables,
            active: vec![true; lane_count],
            helper: vec![false; lane_count],
            discarded: vec![false; lane_count],
            name: &module.entry_points[stage.entry_index].name,
            steps_left: step_budget,
            step_budget,
        }
    }

    /// Runs the entry point for the invocations of `running`, the helpers among them included. One result an
    /// invocation, none for functions without.
    pub fn run(
        &mut self,
        function: &'a Function,
        arguments: Vec<Vec<Value>>,
        running: Mask,
    ) -> Result<Vec<Option<Value>>, Fault> {
        self.call(function, arguments.into_iter().map(Rc::new).collect(), running)
    }

    pub fn frame(&self) -> &Frame<'a> {
        self.frames.last().expect("a function is running")
    }

    pub fn frame_mut(&mut self) -> &mut Frame<'a> {
        self.frames.last_mut().expect("a function is running")
    }

    /// Whether the invocation's writes are seen.
    pub fn writes(&self, active: &Mask, lane: usize) -> bool {
        active[lane] && !self.helper[lane]
    }

    fn call(
        &mut self,
        function: &'a Function,
        arguments: Vec<Rc<Vec<Value>>>,
        active: Mask,
    ) -> Result<Vec<Option<Value>>, Fault> {
        self.frames.push(Frame {
            function,
            arguments,
            values: vec![None; function.expressions.len()],
            locals: vec![],
            result: vec![None; self.lane_count],
        });
        for (_, variable) in function.local_variables.iter() {
            let first = match variable.init {
                Some(init) => self.values(init).to_vec(),
                None => vec![value::zero(self.module, &self.module.types[variable.ty].inner); self.lane_count],
            };
            self.frame_mut().locals.push(first);
        }
        let mut jumps = Jumps::none(self.lane_count);
        self.block(&function.body, active, &mut jumps)?;
        Ok(self.frames.pop().expect("pushed above").result)
    }

    /// Runs a block for `active`; gives back who arrives at its end.
    fn block(&mut self, block: &'a Block, mut active: Mask, jumps: &mut Jumps) -> Result<Mask, Fault> {
        for statement in block.iter() {
            if !any(&active) {
                break;
            }
            self.spend_step()?;
            active = self.statement(statement, active, jumps)?;
        }
        Ok(active)
    }

    fn spend_step(&mut self) -> Result<(), Fault> {
        self.steps_left = self
            .steps_left
            .checked_sub(1)
            .ok_or_else(|| Fault::StepBudget { shader: self.name.to_string(), steps: self.step_budget })?;
        Ok(())
    }

    fn statement(&mut self, statement: &'a Statement, active: Mask, jumps: &mut Jumps) -> Result<Mask, Fault> {
        let nobody = || vec![false; self.lane_count];
        match *statement {
            Statement::Emit(ref range) => {
                self.active.clone_from(&active);
                for handle in range.clone() {
                    self.evaluate(handle);
                }
            }
            Statement::Block(ref block) => return self.block(block, active, jumps),
            Statement::If { condition, ref accept, ref reject } => {
                let conditions = self.values(condition);
                let holds = |lane: usize| conditions[lane].scalar().bool();
                let mut after = self.block(accept, both(&active, holds), jumps)?;
                add(&mut after, &self.block(reject, both(&active, |lane| !holds(lane)), jumps)?);
                return Ok(after);
            }
            Statement::Switch { selector, ref cases } => return self.switch(selector, cases, active, jumps),
            Statement::Loop { ref body, ref continuing, break_if } => {
                return self.repeat(body, continuing, break_if, active);
            }
            Statement::Break => {
                add(&mut jumps.broke, &active);
                return Ok(nobody());
            }
            Statement::Continue => {
                add(&mut jumps.continued, &active);
                return Ok(nobody());
            }
            Statement::Return { value } => {
                if let Some(value) = value {
                    let values = self.values(value);
                    for lane in (0..self.lane_count).filter(|&lane| active[lane]) {
                        self.frame_mut().result[lane] = Some(values[lane].clone());
                    }
                }
                return Ok(vec![false; self.lane_count]);
            }
            Statement::Kill => {
                add(&mut self.helper, &active);
                add(&mut self.discarded, &active);
            }
            // In lock step every invocation has already arrived, and every write is already seen.
            Statement::ControlBarrier(_) | Statement::MemoryBarrier(_) => {}
            Statement::Store { pointer, value } => {
                let pointers = self.values(pointer);
                let values = self.values(value);
                for lane in (0..self.lane_count).filter(|&lane| active[lane]) {
                    self.store(&pointers[lane], lane, values[lane].clone());
                }
            }
            Statement::ImageStore { image, coordinate, array_index, value } => {
                let images = self.values(image);
                let coordinates = self.values(coordinate);
                let layers = array_index.map(|h| self.values(h));
                let values = self.values(value);
                for lane in (0..self.lane_count).filter(|&lane| self.writes(&active, lane)) {
                    let at: Vec<i64> = coordinates[lane].parts().iter().map(|p| p.int()).collect();
                    let layer = layers.as_ref().map(|l| l[lane].scalar().int());
                    texture::store(&self.image(&images[lane]), &at, layer, &values[lane].parts());
                }
            }
            Statement::Atomic { pointer, fun, value, result } => self.atomic(pointer, fun, value, result, &active),
            Statement::WorkGroupUniformLoad { pointer, result } => {
                let pointers = self.values(pointer);
                let loaded = (0..self.lane_count).map(|lane| self.load(&pointers[lane], lane)).collect();
                self.frame_mut().values[result.index()] = Some(Rc::new(loaded));
            }
            Statement::Call { function, ref arguments, result } => {
                let arguments = arguments.iter().map(|&argument| self.values(argument)).collect();
                let callee = &self.module.functions[function];
                let returned = self.call(callee, arguments, active.clone())?;
                if let (Some(result), Some(returns)) = (result, callee.result.as_ref()) {
                    let none = value::zero(self.module, &self.module.types[returns.ty].inner);
                    let returned = returned.into_iter().map(|v| v.unwrap_or_else(|| none.clone())).collect();
                    self.frame_mut().values[result.index()] = Some(Rc::new(returned));
                }
            }
            ref other => unreachable!("{other:?} needs a feature that the adapter does not offer"),
        }
        Ok(active)
    }

    fn switch(
        &mut self,
        selector: Handle<Expression>,
        cases: &'a [naga::SwitchCase],
        active: Mask,
        jumps: &mut Jumps,
    ) -> Result<Mask, Fault> {
        let selectors = self.values(selector);
        let is = |lane: usize, value: SwitchValue| match value {
            SwitchValue::I32(v) => selectors[lane].scalar().int() == v as i64,
            SwitchValue::U32(v) => selectors[lane].scalar().int() == v as i64,
            SwitchValue::Default => false,
        };
        let mut inner = Jumps::none(self.lane_count);
        let mut after = vec![false; self.lane_count];
        let mut falling = vec![false; self.lane_count];
        for case in cases {
            let mut entering = both(&active, |lane| match case.value {
                SwitchValue::Default => !cases.iter().any(|other| is(lane, other.value)),
                value => is(lane, value),
            });
            add(&mut entering, &falling);
            let end = self.block(&case.body, entering, &mut inner)?;
            falling = vec![false; self.lane_count];
            add(if case.fall_through { &mut falling } else { &mut after }, &end);
        }
        add(&mut after, &falling);
        add(&mut after, &inner.broke);
        add(&mut jumps.continued, &inner.continued);
        Ok(after)
    }

    fn repeat(
        &mut self,
        body: &'a Block,
        continuing: &'a Block,
        break_if: Option<Handle<Expression>>,
        active: Mask,
    ) -> Result<Mask, Fault> {
        let mut running = active;
        let mut after = vec![false; self.lane_count];
        while any(&running) {
            self.spend_step()?;
            let mut jumps = Jumps::none(self.lane_count);
            let mut round = self.block(body, running, &mut jumps)?;
            add(&mut round, &jumps.continued);
            add(&mut after, &jumps.broke);
            running = self.block(continuing, round, &mut Jumps::none(self.lane_count))?;
            if let (Some(condition), true) = (break_if, any(&running)) {
                let conditions = self.values(condition);
                let ends = |lane: usize| conditions[lane].scalar().bool();
                add(&mut after, &both(&running, ends));
                running = both(&running, |lane| !ends(lane));
            }
        }
        Ok(after)
    }

    /// An atomic operation, one invocation after another.
    fn atomic(
        &mut self,
        pointer: Handle<Expression>,
        fun: naga::AtomicFunction,
        value: Handle<Expression>,
        result: Option<Handle<Expression>>,
        active: &Mask,
    ) {
        use naga::{AtomicFunction as Af, BinaryOperator as Op, MathFunction};
        let pointers = self.values(pointer);
        let operands = self.values(value);
        let compares = match fun {
            Af::Exchange { compare: Some(compare) } => Some(self.values(compare)),
            _ => None,
        };
        let mut results = vec![];
        for lane in 0..self.lane_count {
            let operand = &operands[lane];
            let kind = operand.scalar().kind();
            let mut old = Value::Scalar(super::value::Scalar::zero(kind));
            let mut exchanged = false;
            if self.writes(active, lane) && self.is_inside(&pointers[lane]) {
                old = self.load(&pointers[lane], lane);
                let new = match fun {
                    Af::Add => arith::binary(Op::Add, &old, operand),
                    Af::Subtract => arith::binary(Op::Subtract, &old, operand),
                    Af::And => arith::binary(Op::And, &old, operand),
                    Af::ExclusiveOr => arith::binary(Op::ExclusiveOr, &old, operand),
                    Af::InclusiveOr => arith::binary(Op::InclusiveOr, &old, operand),
                    Af::Min => super::builtin::math(MathFunction::Min, &[old.clone(), operand.clone()]),
                    Af::Max => super::builtin::math(MathFunction::Max, &[old.clone(), operand.clone()]),
                    Af::Exchange { compare: None } => operand.clone(),
                    Af::Exchange { compare: Some(_) } => {
                        exchanged = compares.as_ref().expect("evaluated above")[lane] == old;
                        if exchanged { operand.clone() } else { old.clone() }
                    }
                };
                self.store(&pointers[lane], lane, new);
            }
            results.push(match compares {
                Some(_) => Value::Composite(vec![old, Value::bool(exchanged)]),
                None => old,
            });
        }
        if let Some(result) = result {
            self.frame_mut().values[result.index()] = Some(Rc::new(results));
        }
    }
}
