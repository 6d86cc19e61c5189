//! Lower: walks a naga entry point and builds [`Ir`]. Functions are inlined, every value becomes scalars.
//!
//! In: a valid module with overrides applied. Out: [`Ir`], the resources it names, or the name of what the adapter
//! lacks. Never here: lanes, registers, which values are uniform.

mod expression;
mod image;
mod io;
mod math;
mod pack;
mod pointer;
mod statement;
mod usage;

use std::rc::Rc;

use naga::valid::{FunctionInfo, ModuleInfo};
use naga::{AddressSpace, Expression, Function, GlobalVariable, Handle, Module, ResourceBinding, TypeInner};

use self::pointer::Place;
use self::usage::Usage;
use super::build::Builder;
use super::error::LowerError;
use super::ir::*;
use super::types::{self, Ty};

/// Scalars of a value: a range of `Lower::pool`.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: u32,
    len: u32,
}

/// What an expression stands for.
#[derive(Clone, Copy, Debug)]
enum Meaning {
    Unknown,
    Value(Span),
    /// Index into `Lower::pointers`.
    Pointer(u32),
    Texture(u16),
    Sampler(u16),
}

#[derive(Clone, Debug)]
struct Pointer {
    place: Place,
    ty: Ty,
}

/// Where a variable lives.
#[derive(Clone, Copy, Debug)]
enum Home {
    Unset,
    /// First slot of the builder.
    Slots(u32),
    /// First word.
    Memory(Memory, u32),
    Texture(u16),
    Sampler(u16),
}

/// One inlined instance of a function. Module-level expressions have a frame without function.
#[derive(Debug)]
struct Frame<'a> {
    function: Option<&'a Function>,
    info: Option<&'a FunctionInfo>,
    usage: Rc<Usage>,
    meanings: Vec<Meaning>,
    arguments: Vec<Meaning>,
    locals: Vec<Home>,
    scope: ScopeId,
    /// First slot and number of slots of the result.
    result: Option<(u32, u32)>,
    targets: Vec<Target>,
}

/// Where `break` and `continue` go.
#[derive(Clone, Copy, Debug)]
enum Target {
    Loop { exit: ScopeId, next: ScopeId },
    Switch { exit: ScopeId },
}

struct Lower<'a> {
    module: &'a Module,
    info: &'a ModuleInfo,
    b: Builder,
    pool: Vec<Val>,
    pointers: Vec<Pointer>,
    resources: Vec<ResourceBinding>,
    homes: Vec<Home>,
    constants: Vec<Option<Span>>,
    usages: Vec<Rc<Usage>>,
}

/// What `lower` makes of an entry point.
#[derive(Debug)]
pub struct Lowered {
    pub ir: Ir,
    /// `(group, binding)` by slot.
    pub resources: Vec<ResourceBinding>,
}

/// Lowers one entry point.
pub fn lower(
    module: &Module,
    info: &ModuleInfo,
    entry: &naga::EntryPoint,
    function_info: &FunctionInfo,
) -> Result<Lowered, LowerError> {
    let mut usages: Vec<Usage> = Vec::with_capacity(module.functions.len());
    for (handle, function) in module.functions.iter() {
        let usage = usage::analyse(module, &info[handle], function, &usages)?;
        usages.push(usage);
    }
    let function = &entry.function;
    let usage = usage::analyse(module, function_info, function, &usages)?;
    let mut lower = Lower {
        module,
        info,
        b: Builder::new(),
        pool: Vec::with_capacity(1024),
        pointers: Vec::new(),
        resources: Vec::new(),
        homes: vec![Home::Unset; module.global_variables.len()],
        constants: vec![None; module.global_expressions.len()],
        usages: usages.into_iter().map(Rc::new).collect(),
    };
    lower.place_private_globals(&usage)?;
    let arguments = lower.entry_arguments(entry)?;
    let values = lower.inline(function, function_info, Rc::new(usage), arguments)?;
    if let (Some(result), Some(span)) = (&function.result, values) {
        lower.entry_outputs(result, span)?;
    }
    let Lower { b, resources, .. } = lower;
    Ok(Lowered { ir: b.finish(), resources })
}

impl<'a> Lower<'a> {
    fn span(&mut self, values: &[Val]) -> Span {
        let start = self.pool.len() as u32;
        self.pool.extend_from_slice(values);
        Span { start, len: values.len() as u32 }
    }
    fn value(&mut self, values: &[Val]) -> Meaning {
        Meaning::Value(self.span(values))
    }
    fn at(&self, span: Span, k: u32) -> Val {
        assert!(k < span.len, "scalar {k} of {}", span.len);
        self.pool[(span.start + k) as usize]
    }
    fn values(&self, span: Span) -> Vec<Val> {
        self.pool[span.start as usize..(span.start + span.len) as usize].to_vec()
    }
    fn pointer(&mut self, place: Place, ty: Ty) -> Meaning {
        self.pointers.push(Pointer { place, ty });
        Meaning::Pointer(self.pointers.len() as u32 - 1)
    }
    fn zero(&mut self, ty: Ty) -> Result<Span, LowerError> {
        let len = types::flat_len(self.module, ty)?;
        let zero = self.b.u32(0);
        let start = self.pool.len() as u32;
        self.pool.resize(self.pool.len() + len as usize, zero);
        Ok(Span { start, len })
    }

    /// Private variables that the entry point reaches, with their first values.
    fn place_private_globals(&mut self, usage: &Usage) -> Result<(), LowerError> {
        for &(handle, used) in &usage.globals {
            let global = &self.module.global_variables[handle];
            if global.space != AddressSpace::Private {
                continue;
            }
            let ty = Ty::Handle(global.ty);
            let values = match global.init {
                Some(init) => self.global_value(init)?,
                None => self.zero(ty)?,
            };
            self.homes[handle.index()] = self.place_variable(used, values, global.init.is_some())?;
        }
        Ok(())
    }

    /// A home for a variable of this invocation. `constant` says that `values` never change unless stored.
    fn place_variable(&mut self, used: usage::Use, values: Span, constant: bool) -> Result<Home, LowerError> {
        let values = self.values(values);
        if !used.dynamic {
            let first = self.b.slots.len() as u32;
            self.b.slots.extend_from_slice(&values);
            return Ok(Home::Slots(first));
        }
        let bits: Option<Vec<u32>> = values.iter().map(|v| self.b.constant(*v)).collect();
        if let (false, true, Some(bits)) = (used.stored, constant, bits) {
            let first = self.b.ir.table.len() as u32;
            self.b.ir.table.extend(bits);
            return Ok(Home::Memory(Memory::Table, first));
        }
        let first = self.private(values.len() as u32)?;
        for (k, v) in values.into_iter().enumerate() {
            self.b.store(Memory::Private, Val::NONE, first + k as u32, v);
        }
        Ok(Home::Memory(Memory::Private, first))
    }

    /// Words of private memory, per lane.
    fn private(&mut self, words: u32) -> Result<u32, LowerError> {
        let first = self.b.ir.private_words;
        self.b.ir.private_words += words;
        if self.b.ir.private_words > super::PRIVATE_WORDS_MAX {
            let words = u64::from(self.b.ir.private_words);
            return Err(LowerError::TooLarge { what: "the private memory of a shader".into(), words });
        }
        Ok(first)
    }

    fn resource(&mut self, global: &GlobalVariable) -> Result<u16, LowerError> {
        let Some(binding) = &global.binding else {
            return Err(LowerError::unsupported("a resource without a binding"));
        };
        Ok(self.slot(*binding))
    }

    fn slot(&mut self, key: ResourceBinding) -> u16 {
        let known = self.resources.iter().position(|r| *r == key);
        let at = known.unwrap_or_else(|| {
            self.resources.push(key);
            self.resources.len() - 1
        });
        at as u16
    }

    /// What a global's expression stands for.
    fn global(&mut self, handle: Handle<GlobalVariable>) -> Result<Meaning, LowerError> {
        let global = &self.module.global_variables[handle];
        if let Home::Unset = self.homes[handle.index()] {
            self.homes[handle.index()] = match global.space {
                AddressSpace::Uniform => Home::Memory(Memory::Fixed(self.resource(global)?), 0),
                AddressSpace::Storage { access } => {
                    let slot = self.resource(global)?;
                    let writable = access.contains(naga::StorageAccess::STORE);
                    Home::Memory(if writable { Memory::Storage(slot) } else { Memory::Fixed(slot) }, 0)
                }
                AddressSpace::WorkGroup => {
                    let words = types::flat_len(self.module, Ty::Handle(global.ty))?;
                    let first = self.b.ir.workgroup_words;
                    self.b.ir.workgroup_words += words;
                    if self.b.ir.workgroup_words > super::WORDS_MAX {
                        let words = u64::from(self.b.ir.workgroup_words);
                        return Err(LowerError::TooLarge { what: "workgroup memory".into(), words });
                    }
                    Home::Memory(Memory::Workgroup, first)
                }
                AddressSpace::Handle => match self.module.types[global.ty].inner {
                    TypeInner::Image { class: naga::ImageClass::External, .. } => {
                        return Err(LowerError::unsupported("external textures"));
                    }
                    TypeInner::Image { .. } => Home::Texture(self.resource(global)?),
                    TypeInner::Sampler { .. } => Home::Sampler(self.resource(global)?),
                    ref other => return Err(LowerError::unsupported(format!("a {} resource", types::name_of(other)))),
                },
                AddressSpace::Immediate => Home::Memory(Memory::Fixed(self.slot(super::IMMEDIATES)), 0),
                AddressSpace::Private => unreachable!("private variables that are used have a place"),
                other => return Err(LowerError::unsupported(format!("address space {other:?}"))),
            };
        }
        let ty = Ty::Handle(global.ty);
        Ok(match self.homes[handle.index()] {
            Home::Texture(slot) => Meaning::Texture(slot),
            Home::Sampler(slot) => Meaning::Sampler(slot),
            home => {
                let place = self.place(home, ty)?;
                self.pointer(place, ty)
            }
        })
    }

    fn place(&self, home: Home, ty: Ty) -> Result<Place, LowerError> {
        Ok(match home {
            Home::Slots(first) => {
                let count = types::flat_len(self.module, ty)?;
                Place::Slots { first, root: (first, count), selected: Vec::new() }
            }
            Home::Memory(memory, offset) => Place::Memory { memory, address: Val::NONE, offset },
            other => unreachable!("{other:?} is not a variable"),
        })
    }

    /// The value of a module-level expression.
    fn global_value(&mut self, handle: Handle<Expression>) -> Result<Span, LowerError> {
        if let Some(span) = self.constants[handle.index()] {
            return Ok(span);
        }
        let mut frame = Frame {
            function: None,
            info: None,
            usage: Rc::default(),
            meanings: vec![Meaning::Unknown; self.module.global_expressions.len()],
            arguments: Vec::new(),
            locals: Vec::new(),
            scope: ScopeId(u32::MAX),
            result: None,
            targets: Vec::new(),
        };
        let span = self.value_of(&mut frame, handle)?;
        self.constants[handle.index()] = Some(span);
        Ok(span)
    }

    /// Puts the body of `function` here and gives its result.
    fn inline(
        &mut self,
        function: &'a Function,
        info: &'a FunctionInfo,
        usage: Rc<Usage>,
        arguments: Vec<Meaning>,
    ) -> Result<Option<Span>, LowerError> {
        let slot_count = self.b.slots.len();
        let mut frame = Frame {
            function: Some(function),
            info: Some(info),
            usage,
            meanings: vec![Meaning::Unknown; function.expressions.len()],
            arguments,
            locals: Vec::with_capacity(function.local_variables.len()),
            scope: ScopeId(u32::MAX),
            result: None,
            targets: Vec::new(),
        };
        if let Some(result) = &function.result {
            let zero = self.zero(Ty::Handle(result.ty))?;
            frame.result = Some((self.b.slots.len() as u32, zero.len));
            let values = self.values(zero);
            self.b.slots.extend(values);
        }
        for (handle, local) in function.local_variables.iter() {
            let values = match local.init {
                Some(init) => self.value_of(&mut frame, init)?,
                None => self.zero(Ty::Handle(local.ty))?,
            };
            let used = frame.usage.locals[handle.index()];
            let home = self.place_variable(used, values, true)?;
            frame.locals.push(home);
        }
        frame.scope = self.b.open_scope();
        let tail = [frame.scope];
        self.block(&mut frame, &function.body, &tail)?;
        self.b.close_scope(frame.scope);
        if !self.b.alive {
            // The body never ends. Whatever follows is never run; it still needs values.
            self.b.alive = true;
        }
        let result = frame.result.map(|(first, count)| {
            let values = self.b.slots[first as usize..(first + count) as usize].to_vec();
            self.span(&values)
        });
        self.b.slots.truncate(slot_count);
        Ok(result)
    }
}
