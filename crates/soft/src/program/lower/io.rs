//! Io: what an entry point reads and writes: locations and builtins, scalar by scalar.

use naga::{Binding, BuiltIn, FunctionResult, ScalarKind};

use super::*;
use crate::program::Io;
use crate::program::op::Pure;

impl<'a> Lower<'a> {
    pub(super) fn entry_arguments(&mut self, entry: &naga::EntryPoint) -> Result<Vec<Meaning>, LowerError> {
        let size = entry.workgroup_size;
        let function = &entry.function;
        let mut out = Vec::new();
        for argument in &function.arguments {
            let ty = Ty::Handle(argument.ty);
            let values = match &argument.binding {
                Some(binding) => self.bound_input(ty, binding, size)?,
                None => {
                    let TypeInner::Struct { members, .. } = &self.module.types[argument.ty].inner else {
                        return Err(LowerError::unsupported("an entry point's argument without a binding"));
                    };
                    let mut values = Vec::new();
                    for member in members {
                        let Some(binding) = &member.binding else {
                            return Err(LowerError::unsupported("an entry point's member without a binding"));
                        };
                        values.extend(self.bound_input(Ty::Handle(member.ty), binding, size)?);
                    }
                    values
                }
            };
            out.push(self.value(&values));
        }
        Ok(out)
    }

    /// One input for each scalar of `ty`.
    fn location(&mut self, ty: Ty, what: Io) -> Result<Vec<Val>, LowerError> {
        let mut kinds = Vec::new();
        types::scalars(self.module, ty, 0, &mut |scalar, _| kinds.push(scalar.kind))?;
        Ok(kinds.into_iter().enumerate().map(|(component, kind)| self.input(what, component as u8, kind)).collect())
    }

    fn input(&mut self, what: Io, component: u8, scalar: ScalarKind) -> Val {
        let wanted = IrInput { what, component, scalar };
        let known = self.b.ir.inputs.iter().position(|i| *i == wanted);
        let at = known.unwrap_or_else(|| {
            self.b.ir.inputs.push(wanted);
            self.b.ir.inputs.len() - 1
        });
        let v = self.b.root(Kind::Input(at as u16));
        // Callers may write any word but zero for true.
        if scalar == ScalarKind::Bool { self.b.op1(Pure::IToBool, v) } else { v }
    }

    fn bound_input(&mut self, ty: Ty, binding: &Binding, size: [u32; 3]) -> Result<Vec<Val>, LowerError> {
        match *binding {
            Binding::Location { location, interpolation, sampling, blend_src, .. } => {
                self.location(ty, Io::Location { location, interpolation, sampling, blend_src })
            }
            Binding::BuiltIn(builtin) => self.builtin_input(ty, builtin, size),
        }
    }

    fn builtin_input(&mut self, ty: Ty, builtin: BuiltIn, size: [u32; 3]) -> Result<Vec<Val>, LowerError> {
        let what = Io::BuiltIn(builtin);
        Ok(match builtin {
            BuiltIn::VertexIndex
            | BuiltIn::InstanceIndex
            | BuiltIn::Position { .. }
            | BuiltIn::FrontFacing
            | BuiltIn::SampleIndex
            | BuiltIn::SampleMask
            | BuiltIn::PrimitiveIndex => self.location(ty, what)?,
            BuiltIn::LocalInvocationId => (0..3).map(|k| self.local_id(k, size)).collect(),
            // In a row of invocations the index is the id.
            BuiltIn::LocalInvocationIndex if size[1] == 1 && size[2] == 1 => vec![self.local_id(0, size)],
            BuiltIn::LocalInvocationIndex => vec![self.input(what, 0, ScalarKind::Uint)],
            BuiltIn::GlobalInvocationId => (0..3)
                .map(|k| {
                    let group = self.b.root(Kind::WorkgroupId(k));
                    let side = self.b.u32(size[k as usize]);
                    let start = self.b.op2(Pure::IMul, group, side);
                    let local = self.local_id(k, size);
                    self.b.op2(Pure::IAdd, local, start)
                })
                .collect(),
            BuiltIn::WorkGroupId => (0..3).map(|k| self.b.root(Kind::WorkgroupId(k))).collect(),
            BuiltIn::WorkGroupSize => size.iter().map(|side| self.b.u32(*side)).collect(),
            BuiltIn::NumWorkGroups => (0..3).map(|k| self.b.root(Kind::NumWorkgroups(k))).collect(),
            other => return Err(LowerError::unsupported(format!("the builtin input {other:?}"))),
        })
    }

    fn local_id(&mut self, axis: u8, size: [u32; 3]) -> Val {
        if size[axis as usize] == 1 {
            return self.b.u32(0);
        }
        self.input(Io::BuiltIn(BuiltIn::LocalInvocationId), axis, ScalarKind::Uint)
    }

    pub(super) fn entry_outputs(&mut self, result: &FunctionResult, span: Span) -> Result<(), LowerError> {
        let ty = Ty::Handle(result.ty);
        match &result.binding {
            Some(binding) => self.outputs(ty, bound_output(binding)?, span),
            None => {
                let TypeInner::Struct { members, .. } = &self.module.types[result.ty].inner else {
                    return Err(LowerError::unsupported("an entry point's result without a binding"));
                };
                let mut start = span.start;
                for member in members {
                    let Some(binding) = &member.binding else {
                        return Err(LowerError::unsupported("an entry point's member without a binding"));
                    };
                    let ty = Ty::Handle(member.ty);
                    let len = types::flat_len(self.module, ty)?;
                    self.outputs(ty, bound_output(binding)?, Span { start, len })?;
                    start += len;
                }
                Ok(())
            }
        }
    }

    fn outputs(&mut self, ty: Ty, what: Io, span: Span) -> Result<(), LowerError> {
        let mut kinds = Vec::new();
        types::scalars(self.module, ty, 0, &mut |scalar, _| kinds.push(scalar.kind))?;
        for (component, scalar) in kinds.into_iter().enumerate() {
            let value = self.at(span, component as u32);
            self.b.ir.outputs.push(IrOutput { what, component: component as u8, scalar, value });
        }
        Ok(())
    }
}

fn bound_output(binding: &Binding) -> Result<Io, LowerError> {
    match *binding {
        Binding::Location { location, interpolation, sampling, blend_src, .. } => {
            Ok(Io::Location { location, interpolation, sampling, blend_src })
        }
        Binding::BuiltIn(
            builtin @ (BuiltIn::Position { .. } | BuiltIn::FragDepth | BuiltIn::SampleMask | BuiltIn::ClipDistances),
        ) => Ok(Io::BuiltIn(builtin)),
        Binding::BuiltIn(other) => Err(LowerError::unsupported(format!("the builtin output {other:?}"))),
    }
}
