//! Statement: control flow and effects.
//!
//! Early exits are turned into plain joins where possible: what follows an `if` whose one branch ends in a jump belongs
//! to the other branch, and a jump to where the block would end anyway (its *tail*) is nothing. What remains are
//! leaves.

use naga::{AtomicFunction, Block, ScalarKind, Statement, SwitchCase, SwitchValue};

use super::*;
use crate::program::op::Pure;

/// The cases of a switch that run the same statements.
struct Group<'a> {
    values: Vec<u32>,
    default: bool,
    bodies: Vec<&'a Block>,
}

/// Whether control never falls off the end of a block.
fn ends(block: &[Statement]) -> bool {
    match block.last() {
        Some(Statement::Return { .. } | Statement::Break | Statement::Continue) => true,
        Some(Statement::Block(inner)) => ends(inner),
        Some(Statement::If { accept, reject, .. }) => ends(accept) && ends(reject),
        _ => false,
    }
}

impl<'a> Lower<'a> {
    /// Lowers statements. Falling off their end leads to the end of every scope in `tail`.
    pub(super) fn block(
        &mut self,
        f: &mut Frame<'a>,
        statements: &'a [Statement],
        tail: &[ScopeId],
    ) -> Result<(), LowerError> {
        for (at, statement) in statements.iter().enumerate() {
            if !self.b.alive {
                return Ok(());
            }
            let rest = &statements[at + 1..];
            let inner_tail = if rest.is_empty() { tail } else { &[] };
            match statement {
                Statement::Emit(range) => {
                    for handle in range.clone() {
                        self.evaluate(f, handle)?;
                    }
                }
                Statement::Block(inner) => self.block(f, inner, inner_tail)?,
                Statement::If { condition, accept, reject } => {
                    let condition = self.scalar_value(f, *condition)?;
                    if let Some(known) = self.b.constant(condition) {
                        self.block(f, if known != 0 { accept } else { reject }, inner_tail)?;
                        continue;
                    }
                    // With `Some(branch)` what follows belongs to that branch.
                    let follows = match (ends(accept), ends(reject)) {
                        (true, false) => Some(false),
                        (false, true) => Some(true),
                        _ => None,
                    };
                    let last = follows.is_some() || ends(accept) || rest.is_empty();
                    let mut open = self.b.open_if(condition);
                    for (side, branch) in [(true, accept), (false, reject)] {
                        let goes_on = follows == Some(side);
                        self.block(f, branch, if last && !goes_on { tail } else { &[] })?;
                        if goes_on && self.b.alive {
                            self.block(f, rest, tail)?;
                        }
                        if side {
                            self.b.begin_else(&mut open);
                        }
                    }
                    self.b.close_if(open);
                    if follows.is_some() || ends(accept) {
                        return Ok(());
                    }
                }
                Statement::Switch { selector, cases } => self.switch(f, *selector, cases, inner_tail)?,
                Statement::Loop { body, continuing, break_if } => self.repeat(f, body, continuing, *break_if)?,
                Statement::Break => {
                    let exit = match *f.targets.last().expect("break is in a loop or switch") {
                        Target::Loop { exit, .. } | Target::Switch { exit } => exit,
                    };
                    self.leave(exit, tail);
                    return Ok(());
                }
                Statement::Continue => {
                    let next = f.targets.iter().rev().find_map(|target| match *target {
                        Target::Loop { next, .. } => Some(next),
                        Target::Switch { .. } => None,
                    });
                    self.leave(next.expect("continue is in a loop"), tail);
                    return Ok(());
                }
                Statement::Return { value } => {
                    if let (Some(value), Some((first, _))) = (value, f.result) {
                        let span = self.value_of(f, *value)?;
                        for (k, v) in self.values(span).into_iter().enumerate() {
                            self.b.slots[first as usize + k] = v;
                        }
                    }
                    self.leave(f.scope, tail);
                    return Ok(());
                }
                Statement::Kill => self.b.discard(),
                // Lanes run in lock step: every barrier is passed by all at once.
                Statement::ControlBarrier(_) | Statement::MemoryBarrier(_) => {}
                Statement::Store { pointer, value } => {
                    let at = self.pointer_of(f, *pointer)?;
                    let values = self.value_of(f, *value)?;
                    self.store(at, values)?;
                }
                Statement::ImageStore { image, coordinate, array_index, value } => {
                    self.image_store(f, [*image, *coordinate, *value], *array_index)?;
                }
                Statement::Atomic { pointer, fun, value, result } => self.atomic(f, *pointer, fun, *value, *result)?,
                Statement::WorkGroupUniformLoad { pointer, result } => {
                    let at = self.pointer_of(f, *pointer)?;
                    f.meanings[result.index()] = Meaning::Value(self.load(at)?);
                }
                Statement::Call { function, arguments, result } => {
                    let mut meanings = Vec::with_capacity(arguments.len());
                    for argument in arguments {
                        meanings.push(self.meaning(f, *argument)?);
                    }
                    let usage = self.usages[function.index()].clone();
                    let value =
                        self.inline(&self.module.functions[*function], &self.info[*function], usage, meanings)?;
                    if let (Some(result), Some(span)) = (result, value) {
                        f.meanings[result.index()] = Meaning::Value(span);
                    }
                }
                Statement::ImageAtomic { .. } => return Err(LowerError::unsupported("atomics on textures")),
                Statement::RayQuery { .. } => return Err(LowerError::unsupported("ray queries")),
                Statement::RayPipelineFunction(_) => return Err(LowerError::unsupported("ray tracing pipelines")),
                Statement::SubgroupBallot { .. }
                | Statement::SubgroupGather { .. }
                | Statement::SubgroupCollectiveOperation { .. } => {
                    return Err(LowerError::unsupported("subgroup operations"));
                }
                Statement::CooperativeStore { .. } => return Err(LowerError::unsupported("cooperative matrices")),
            }
        }
        Ok(())
    }

    fn leave(&mut self, scope: ScopeId, tail: &[ScopeId]) {
        if !tail.contains(&scope) {
            self.b.leave(scope);
        }
    }

    fn switch(
        &mut self,
        f: &mut Frame<'a>,
        selector: Handle<Expression>,
        cases: &'a [SwitchCase],
        tail: &[ScopeId],
    ) -> Result<(), LowerError> {
        let selector = self.scalar_value(f, selector)?;
        let mut groups: Vec<Group<'a>> = Vec::new();
        let mut open: Option<Group<'a>> = None;
        for (at, case) in cases.iter().enumerate() {
            let group = open.get_or_insert(Group { values: Vec::new(), default: false, bodies: Vec::new() });
            match case.value {
                SwitchValue::I32(x) => group.values.push(x as u32),
                SwitchValue::U32(x) => group.values.push(x),
                SwitchValue::Default => group.default = true,
            }
            if case.fall_through && case.body.is_empty() {
                continue;
            }
            let mut group = open.take().expect("just inserted");
            for following in &cases[at..] {
                group.bodies.push(&following.body);
                if !following.fall_through {
                    break;
                }
            }
            groups.push(group);
        }
        groups.extend(open);
        let exit = self.b.open_scope();
        f.targets.push(Target::Switch { exit });
        let mut ends = vec![exit];
        ends.extend_from_slice(tail);
        let done = match self.b.constant(selector) {
            Some(known) => {
                let hit = groups.iter().find(|g| g.values.contains(&known)).or(groups.iter().find(|g| g.default));
                match hit {
                    Some(group) => self.bodies(f, group, &ends),
                    None => Ok(()),
                }
            }
            None => self.case_chain(f, selector, &groups, 0, &ends),
        };
        f.targets.pop();
        done?;
        self.b.close_scope(exit);
        Ok(())
    }

    fn bodies(&mut self, f: &mut Frame<'a>, group: &Group<'a>, tail: &[ScopeId]) -> Result<(), LowerError> {
        for (at, body) in group.bodies.iter().enumerate() {
            if self.b.alive {
                self.block(f, body, if at + 1 == group.bodies.len() { tail } else { &[] })?;
            }
        }
        Ok(())
    }

    /// The groups from `at` on, as a chain of ifs in source order.
    fn case_chain(
        &mut self,
        f: &mut Frame<'a>,
        selector: Val,
        groups: &[Group<'a>],
        at: usize,
        tail: &[ScopeId],
    ) -> Result<(), LowerError> {
        let Some(group) = groups.get(at) else { return Ok(()) };
        if at + 1 == groups.len() {
            // Exactly one group has the default, so what comes here belongs to the last one.
            return self.bodies(f, group, tail);
        }
        let condition = if group.default {
            let mut none = self.b.bool(true);
            for value in groups.iter().enumerate().filter(|(k, _)| *k != at).flat_map(|(_, g)| &g.values) {
                let value = self.b.u32(*value);
                let other = self.b.op2(Pure::INe, selector, value);
                none = self.b.op2(Pure::And, none, other);
            }
            none
        } else {
            let mut any = self.b.bool(false);
            for value in &group.values {
                let value = self.b.u32(*value);
                let same = self.b.op2(Pure::IEq, selector, value);
                any = self.b.op2(Pure::Or, any, same);
            }
            any
        };
        let mut open = self.b.open_if(condition);
        self.bodies(f, group, tail)?;
        self.b.begin_else(&mut open);
        self.case_chain(f, selector, groups, at + 1, tail)?;
        self.b.close_if(open);
        Ok(())
    }

    fn repeat(
        &mut self,
        f: &mut Frame<'a>,
        body: &'a Block,
        continuing: &'a Block,
        break_if: Option<Handle<Expression>>,
    ) -> Result<(), LowerError> {
        let mut stored = Vec::new();
        self.stored_slots(f, body, &mut stored);
        self.stored_slots(f, continuing, &mut stored);
        stored.sort_unstable();
        stored.dedup();
        let exit = self.b.open_loop(&stored);
        let next = self.b.open_scope();
        f.targets.push(Target::Loop { exit, next });
        let done = self.block(f, body, &[next]);
        f.targets.pop();
        done?;
        self.b.close_scope(next);
        if self.b.alive {
            self.block(f, continuing, &[])?;
        }
        if let (Some(condition), true) = (break_if, self.b.alive) {
            let condition = self.scalar_value(f, condition)?;
            match self.b.constant(condition) {
                Some(0) => {}
                Some(_) => self.b.leave(exit),
                None => {
                    let mut open = self.b.open_if(condition);
                    self.b.leave(exit);
                    self.b.begin_else(&mut open);
                    self.b.close_if(open);
                }
            }
        }
        self.b.close_loop(exit);
        Ok(())
    }

    /// Slots that a block may store into, through callees too.
    fn stored_slots(&self, f: &Frame<'a>, block: &'a Block, out: &mut Vec<u32>) {
        let root_slots = |root: Option<usage::Root>, out: &mut Vec<u32>| match root {
            Some(usage::Root::Local(local)) => {
                if let Home::Slots(first) = f.locals[local.index()] {
                    let ty = f.function.expect("locals belong to functions").local_variables[local].ty;
                    self.push_slots(first, ty, out);
                }
            }
            Some(usage::Root::Global(global)) => {
                if let Home::Slots(first) = self.homes[global.index()] {
                    self.push_slots(first, self.module.global_variables[global].ty, out);
                }
            }
            Some(usage::Root::Argument(at)) => {
                if let Meaning::Pointer(pointer) = f.arguments[at as usize]
                    && let Place::Slots { root: (first, count), .. } = self.pointers[pointer as usize].place
                {
                    out.extend(first..first + count);
                }
            }
            None => {}
        };
        usage::walk(block, &mut |statement| match statement {
            Statement::Store { pointer, .. } => root_slots(f.usage.roots[pointer.index()], out),
            Statement::Call { function, arguments, .. } => {
                let callee = &self.usages[function.index()];
                for (argument, used) in arguments.iter().zip(&callee.arguments) {
                    if used.stored {
                        root_slots(f.usage.roots[argument.index()], out);
                    }
                }
                for (global, used) in &callee.globals {
                    if used.stored {
                        root_slots(Some(usage::Root::Global(*global)), out);
                    }
                }
            }
            Statement::Return { .. } => {
                if let Some((first, count)) = f.result {
                    out.extend(first..first + count);
                }
            }
            _ => {}
        });
    }

    fn push_slots(&self, first: u32, ty: Handle<naga::Type>, out: &mut Vec<u32>) {
        let count = types::flat_len(self.module, Ty::Handle(ty)).expect("checked when the variable was placed");
        out.extend(first..first + count);
    }

    fn atomic(
        &mut self,
        f: &mut Frame<'a>,
        pointer: Handle<Expression>,
        fun: &AtomicFunction,
        value: Handle<Expression>,
        result: Option<Handle<Expression>>,
    ) -> Result<(), LowerError> {
        let at = self.pointer_of(f, pointer)?;
        let kind = self.scalar(f, value)?;
        let value = self.scalar_value(f, value)?;
        let Place::Memory { memory, address, offset } = self.pointers[at as usize].place else {
            unreachable!("atomics live in storage or workgroup memory");
        };
        if kind == ScalarKind::Float {
            return Err(LowerError::unsupported("atomics on f32"));
        }
        let signed = kind == ScalarKind::Sint;
        let mut args = vec![address, value];
        let mut result_count = 1;
        let op = match *fun {
            AtomicFunction::Add => AtomicOp::Add,
            AtomicFunction::Subtract => AtomicOp::Sub,
            AtomicFunction::And => AtomicOp::And,
            AtomicFunction::ExclusiveOr => AtomicOp::Xor,
            AtomicFunction::InclusiveOr => AtomicOp::Or,
            AtomicFunction::Min => {
                if signed {
                    AtomicOp::MinI
                } else {
                    AtomicOp::MinU
                }
            }
            AtomicFunction::Max => {
                if signed {
                    AtomicOp::MaxI
                } else {
                    AtomicOp::MaxU
                }
            }
            AtomicFunction::Exchange { compare: None } => AtomicOp::Exchange,
            AtomicFunction::Exchange { compare: Some(compare) } => {
                args.push(self.scalar_value(f, compare)?);
                result_count = 2;
                AtomicOp::CompareExchange
            }
        };
        let results = self.b.call(CallKind::Atomic { memory, offset, fun: op }, args, result_count);
        if let Some(result) = result {
            f.meanings[result.index()] = self.value(&results[..result_count]);
        }
        Ok(())
    }
}
