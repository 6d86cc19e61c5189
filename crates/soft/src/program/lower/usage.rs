//! Usage: what functions do to variables through pointers, before anything is lowered. Decides which variables become
//! values and which need memory, and which a loop may change.

use naga::{Block, Expression, Function, GlobalVariable, Handle, LocalVariable, Module, Statement, TypeInner};

use crate::program::error::LowerError;
use crate::program::types::{self, Ty};

/// An array of at most this many scalars is kept in values even if its index is computed: selecting is cheaper than
/// memory.
const SELECTED_SCALARS_MAX: u32 = 16;

/// The variable behind a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    Local(Handle<LocalVariable>),
    Argument(u32),
    Global(Handle<GlobalVariable>),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Use {
    /// Indexed by a computed value in an array too large to select from.
    pub dynamic: bool,
    pub stored: bool,
}

impl Use {
    fn merge(&mut self, other: Use) {
        self.dynamic |= other.dynamic;
        self.stored |= other.stored;
    }
}

/// What one function does, its callees included.
#[derive(Debug, Default)]
pub struct Usage {
    /// By expression.
    pub roots: Vec<Option<Root>>,
    pub locals: Vec<Use>,
    pub arguments: Vec<Use>,
    pub globals: Vec<(Handle<GlobalVariable>, Use)>,
}

impl Usage {
    fn at(&mut self, root: Root) -> &mut Use {
        match root {
            Root::Local(local) => &mut self.locals[local.index()],
            Root::Argument(at) => &mut self.arguments[at as usize],
            Root::Global(global) => {
                let known = self.globals.iter().position(|g| g.0 == global);
                let at = known.unwrap_or_else(|| {
                    self.globals.push((global, Use::default()));
                    self.globals.len() - 1
                });
                &mut self.globals[at].1
            }
        }
    }
}

/// The type that a pointer expression points to.
pub fn pointee(module: &Module, inner: &TypeInner) -> Option<Ty> {
    match *inner {
        TypeInner::Pointer { base, .. } => match module.types[base].inner {
            TypeInner::BindingArray { .. } => None,
            _ => Some(Ty::Handle(base)),
        },
        TypeInner::ValuePointer { size: Some(size), scalar, .. } => Some(Ty::Vector(size, scalar)),
        TypeInner::ValuePointer { size: None, scalar, .. } => Some(Ty::Scalar(scalar)),
        _ => None,
    }
}

/// The literal value of an index expression.
pub fn constant_index(module: &Module, function: &Function, index: Handle<Expression>) -> Option<u32> {
    let literal = |literal: &naga::Literal| match *literal {
        naga::Literal::U32(x) => Some(x),
        naga::Literal::I32(x) => Some(x as u32),
        _ => None,
    };
    match &function.expressions[index] {
        Expression::Literal(l) => literal(l),
        Expression::Constant(constant) => match &module.global_expressions[module.constants[*constant].init] {
            Expression::Literal(l) => literal(l),
            _ => None,
        },
        _ => None,
    }
}

/// Analyses `function`; `callees` holds the usage of every function that may be called.
pub fn analyse(
    module: &Module,
    info: &naga::valid::FunctionInfo,
    function: &Function,
    callees: &[Usage],
) -> Result<Usage, LowerError> {
    let mut usage = Usage {
        roots: vec![None; function.expressions.len()],
        locals: vec![Use::default(); function.local_variables.len()],
        arguments: vec![Use::default(); function.arguments.len()],
        globals: Vec::new(),
    };
    for (handle, expression) in function.expressions.iter() {
        let root = match *expression {
            Expression::LocalVariable(local) => Some(Root::Local(local)),
            Expression::GlobalVariable(global) => {
                // Read at least: known from here on.
                usage.at(Root::Global(global));
                Some(Root::Global(global))
            }
            Expression::FunctionArgument(at) => {
                let pointer = info[handle].ty.inner_with(&module.types).pointer_space().is_some();
                pointer.then_some(Root::Argument(at))
            }
            Expression::AccessIndex { base, .. } => usage.roots[base.index()],
            Expression::Access { base, index } => {
                let root = usage.roots[base.index()];
                if let Some(root) = root
                    && constant_index(module, function, index).is_none()
                    && let Some(ty) = pointee(module, info[base].ty.inner_with(&module.types))
                    && let types::Parts::Elements(e) = types::parts(module, ty)?
                    && (e.count == 0 || e.count * e.flat > SELECTED_SCALARS_MAX)
                {
                    usage.at(root).dynamic = true;
                }
                root
            }
            _ => None,
        };
        usage.roots[handle.index()] = root;
    }
    walk(&function.body, &mut |statement| match statement {
        Statement::Store { pointer, .. } | Statement::Atomic { pointer, .. } => {
            if let Some(root) = usage.roots[pointer.index()] {
                usage.at(root).stored = true;
            }
        }
        Statement::Call { function: callee, arguments, .. } => {
            let callee = &callees[callee.index()];
            for (argument, used) in arguments.iter().zip(&callee.arguments) {
                if let Some(root) = usage.roots[argument.index()] {
                    usage.at(root).merge(*used);
                }
            }
            for &(global, used) in &callee.globals {
                usage.at(Root::Global(global)).merge(used);
            }
        }
        _ => {}
    });
    Ok(usage)
}

/// Calls `each` with every statement of a block, nested ones included.
pub fn walk(block: &Block, each: &mut dyn FnMut(&Statement)) {
    for statement in block.iter() {
        each(statement);
        match statement {
            Statement::Block(inner) => walk(inner, each),
            Statement::If { accept, reject, .. } => {
                walk(accept, each);
                walk(reject, each);
            }
            Statement::Switch { cases, .. } => cases.iter().for_each(|case| walk(&case.body, each)),
            Statement::Loop { body, continuing, .. } => {
                walk(body, each);
                walk(continuing, each);
            }
            _ => {}
        }
    }
}
