//! Values: what an expression of the IR is while one invocation runs.

use naga::{ArraySize, Handle, Module, ScalarKind, Type, TypeInner};

/// One scalar, tagged with its type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    Bool(bool),
    I32(i32),
    U32(u32),
    F32(f32),
}

impl Scalar {
    /// The zero of a scalar type.
    pub fn zero(kind: ScalarKind) -> Scalar {
        Scalar::from_bits(kind, 0)
    }

    /// The scalar of this kind whose 32 bits are `bits`; any bit set is true.
    pub fn from_bits(kind: ScalarKind, bits: u32) -> Scalar {
        match kind {
            ScalarKind::Bool => Scalar::Bool(bits != 0),
            ScalarKind::Sint => Scalar::I32(bits as i32),
            ScalarKind::Uint => Scalar::U32(bits),
            ScalarKind::Float => Scalar::F32(f32::from_bits(bits)),
            ScalarKind::AbstractInt | ScalarKind::AbstractFloat => unreachable!("validation leaves no abstract types"),
        }
    }

    /// The 32 bits as they are seen outside: every NaN is 0x7FC00000, true is 1.
    pub fn bits(self) -> u32 {
        match self {
            Scalar::Bool(v) => v as u32,
            Scalar::I32(v) => v as u32,
            Scalar::U32(v) => v,
            Scalar::F32(v) if v.is_nan() => 0x7FC0_0000,
            Scalar::F32(v) => v.to_bits(),
        }
    }

    pub fn kind(self) -> ScalarKind {
        match self {
            Scalar::Bool(_) => ScalarKind::Bool,
            Scalar::I32(_) => ScalarKind::Sint,
            Scalar::U32(_) => ScalarKind::Uint,
            Scalar::F32(_) => ScalarKind::Float,
        }
    }

    pub fn f32(self) -> f32 {
        match self {
            Scalar::F32(v) => v,
            other => unreachable!("{other:?} where validation promised a float"),
        }
    }

    pub fn bool(self) -> bool {
        match self {
            Scalar::Bool(v) => v,
            other => unreachable!("{other:?} where validation promised a bool"),
        }
    }

    /// An integer of either sign as a wide integer.
    pub fn int(self) -> i64 {
        match self {
            Scalar::I32(v) => v as i64,
            Scalar::U32(v) => v as i64,
            other => unreachable!("{other:?} where validation promised an integer"),
        }
    }
}

/// Two to four scalars of one type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vector {
    parts: [Scalar; 4],
    len: usize,
}

impl Vector {
    pub fn new(parts: &[Scalar]) -> Vector {
        let mut all = [Scalar::U32(0); 4];
        all[..parts.len()].copy_from_slice(parts);
        Vector { parts: all, len: parts.len() }
    }

    pub fn map(self, f: impl Fn(Scalar) -> Scalar) -> Vector {
        let parts: Vec<Scalar> = self.iter().map(|&s| f(s)).collect();
        Vector::new(&parts)
    }
}

impl std::ops::Deref for Vector {
    type Target = [Scalar];
    fn deref(&self) -> &[Scalar] {
        &self.parts[..self.len]
    }
}

impl std::ops::DerefMut for Vector {
    fn deref_mut(&mut self) -> &mut [Scalar] {
        &mut self.parts[..self.len]
    }
}

/// What an expression evaluates to.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Scalar(Scalar),
    Vector(Vector),
    /// The columns of a matrix, the elements of an array or the members of a struct.
    Composite(Vec<Value>),
    Pointer(Pointer),
    /// A texture or sampler.
    Handle(Handle<naga::GlobalVariable>),
}

impl Value {
    pub fn f32(v: f32) -> Value {
        Value::Scalar(Scalar::F32(v))
    }
    pub fn u32(v: u32) -> Value {
        Value::Scalar(Scalar::U32(v))
    }
    pub fn bool(v: bool) -> Value {
        Value::Scalar(Scalar::Bool(v))
    }
    pub fn floats(parts: &[f32]) -> Value {
        Value::Vector(Vector::new(&parts.iter().map(|&v| Scalar::F32(v)).collect::<Vec<_>>()))
    }
    pub fn uints(parts: &[u32]) -> Value {
        Value::Vector(Vector::new(&parts.iter().map(|&v| Scalar::U32(v)).collect::<Vec<_>>()))
    }

    /// A scalar for one part, else a vector.
    pub fn from_parts(parts: &[Scalar]) -> Value {
        match parts {
            [one] => Value::Scalar(*one),
            many => Value::Vector(Vector::new(many)),
        }
    }

    pub fn scalar(&self) -> Scalar {
        match self {
            Value::Scalar(s) => *s,
            other => unreachable!("{other:?} where validation promised a scalar"),
        }
    }

    pub fn vector(&self) -> Vector {
        match self {
            Value::Vector(v) => *v,
            other => unreachable!("{other:?} where validation promised a vector"),
        }
    }

    pub fn composite(&self) -> &[Value] {
        match self {
            Value::Composite(v) => v,
            other => unreachable!("{other:?} where validation promised a composite"),
        }
    }

    /// The scalars of a scalar or vector, left to right.
    pub fn parts(&self) -> Vec<Scalar> {
        match self {
            Value::Scalar(s) => vec![*s],
            Value::Vector(v) => v.to_vec(),
            other => unreachable!("{other:?} where validation promised a scalar or vector"),
        }
    }

    /// The parts of a float scalar or vector.
    pub fn f32s(&self) -> Vec<f32> {
        self.parts().into_iter().map(Scalar::f32).collect()
    }

    /// How many elements an index can choose from.
    pub fn len(&self) -> usize {
        match self {
            Value::Vector(v) => v.len(),
            Value::Composite(v) => v.len(),
            other => unreachable!("{other:?} is not indexed"),
        }
    }

    /// One element of a vector or composite.
    pub fn element(&self, index: usize) -> Value {
        match self {
            Value::Vector(v) => Value::Scalar(v[index]),
            Value::Composite(v) => v[index].clone(),
            other => unreachable!("{other:?} is not indexed"),
        }
    }

    /// The value at the end of a path of indices.
    pub fn at_path(&self, path: &[u32]) -> Value {
        match path {
            [] => self.clone(),
            [first, rest @ ..] => match self {
                Value::Composite(v) => v[*first as usize].at_path(rest),
                _ => self.element(*first as usize),
            },
        }
    }

    /// Replaces the value at the end of a path of indices.
    pub fn set_path(&mut self, path: &[u32], value: Value) {
        match (path, self) {
            ([], place) => *place = value,
            ([index], Value::Vector(v)) => v[*index as usize] = value.scalar(),
            ([first, rest @ ..], Value::Composite(v)) => v[*first as usize].set_path(rest, value),
            (path, place) => unreachable!("{place:?} has no element {path:?}"),
        }
    }
}

/// What a pointer points into.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Root {
    /// A function's variable; frames are counted from the entry point, which is 0.
    Local { frame: usize, variable: Handle<naga::LocalVariable> },
    /// A private variable: one for each invocation.
    Private(Handle<naga::GlobalVariable>),
    /// A workgroup variable: one for the whole workgroup.
    Workgroup(Handle<naga::GlobalVariable>),
    /// A uniform or storage buffer.
    Buffer { global: Handle<naga::GlobalVariable> },
}

/// A type that may have no place in the module's arena: the parts of vectors and matrices behind pointers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    Named(Handle<Type>),
    Vector(naga::VectorSize, naga::Scalar),
    Scalar(naga::Scalar),
}

impl Shape {
    /// The shape as a type of the IR.
    pub fn inner(self, module: &Module) -> TypeInner {
        match self {
            Shape::Named(ty) => module.types[ty].inner.clone(),
            Shape::Vector(size, scalar) => TypeInner::Vector { size, scalar },
            Shape::Scalar(scalar) => TypeInner::Scalar(scalar),
        }
    }
}

/// A pointer: variables are reached by a path of indices, buffers by a byte offset.
#[derive(Clone, Debug, PartialEq)]
pub struct Pointer {
    pub root: Root,
    pub shape: Shape,
    /// Variables only.
    pub path: Vec<u32>,
    /// Buffers only, from the start of the binding.
    pub offset_bytes: u64,
    /// Buffers only: some index on the way was out of bounds.
    pub outside: bool,
}

/// The zero value of a type.
pub fn zero(module: &Module, ty: &TypeInner) -> Value {
    match *ty {
        TypeInner::Scalar(scalar) | TypeInner::Atomic(scalar) => Value::Scalar(Scalar::zero(scalar.kind)),
        TypeInner::Vector { size, scalar } => {
            Value::Vector(Vector::new(&vec![Scalar::zero(scalar.kind); size as usize]))
        }
        TypeInner::Matrix { columns, rows, scalar } => {
            let column = Value::Vector(Vector::new(&vec![Scalar::zero(scalar.kind); rows as usize]));
            Value::Composite(vec![column; columns as usize])
        }
        TypeInner::Array { base, size: ArraySize::Constant(count), .. } => {
            Value::Composite(vec![zero(module, &module.types[base].inner); count.get() as usize])
        }
        TypeInner::Struct { ref members, .. } => {
            Value::Composite(members.iter().map(|m| zero(module, &module.types[m.ty].inner)).collect())
        }
        ref other => unreachable!("{other:?} has no zero value"),
    }
}
