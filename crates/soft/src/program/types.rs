//! Types: how a WGSL type becomes scalars, and where its words lie in a buffer.
//!
//! The flat form lists the scalars in order without padding: components, then columns, then elements or members.
//! Buffers use naga's offsets and strides (WGSL's layout rules).

use naga::{ArraySize, Handle, Module, Scalar, ScalarKind, Type, TypeInner, VectorSize};

use super::error::LowerError;

/// A type that may have no handle of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ty {
    Handle(Handle<Type>),
    Scalar(Scalar),
    Vector(VectorSize, Scalar),
    Matrix(VectorSize, VectorSize, Scalar),
}

/// The equal parts of an array, vector or matrix.
#[derive(Clone, Copy, Debug)]
pub struct Elements {
    pub ty: Ty,
    /// 0 for a runtime-sized array.
    pub count: u32,
    /// Scalars of one element.
    pub flat: u32,
    pub stride_bytes: u32,
}

/// What a type is made of.
#[derive(Clone, Copy, Debug)]
pub enum Parts<'a> {
    Scalar(Scalar),
    Elements(Elements),
    Members(&'a [naga::StructMember]),
}

fn check(scalar: Scalar) -> Result<Scalar, LowerError> {
    let fine = match scalar.kind {
        ScalarKind::Bool => true,
        ScalarKind::Float | ScalarKind::Sint | ScalarKind::Uint => scalar.width == 4,
        ScalarKind::AbstractInt | ScalarKind::AbstractFloat => false,
    };
    if fine {
        return Ok(scalar);
    }
    Err(LowerError::unsupported(format!("{}-bit {:?} scalars", u32::from(scalar.width) * 8, scalar.kind)))
}

pub fn parts(module: &Module, ty: Ty) -> Result<Parts<'_>, LowerError> {
    let vector = |size: VectorSize, scalar: Scalar| -> Result<Parts<'_>, LowerError> {
        let scalar = check(scalar)?;
        Ok(Parts::Elements(Elements { ty: Ty::Scalar(scalar), count: size as u32, flat: 1, stride_bytes: 4 }))
    };
    let matrix = |columns: VectorSize, rows: VectorSize, scalar: Scalar| -> Result<Parts<'_>, LowerError> {
        let scalar = check(scalar)?;
        let stride_bytes = if rows == VectorSize::Bi { 8 } else { 16 };
        let ty = Ty::Vector(rows, scalar);
        Ok(Parts::Elements(Elements { ty, count: columns as u32, flat: rows as u32, stride_bytes }))
    };
    match ty {
        Ty::Scalar(scalar) => Ok(Parts::Scalar(check(scalar)?)),
        Ty::Vector(size, scalar) => vector(size, scalar),
        Ty::Matrix(columns, rows, scalar) => matrix(columns, rows, scalar),
        Ty::Handle(handle) => match &module.types[handle].inner {
            TypeInner::Scalar(scalar) | TypeInner::Atomic(scalar) => Ok(Parts::Scalar(check(*scalar)?)),
            TypeInner::Vector { size, scalar } => vector(*size, *scalar),
            TypeInner::Matrix { columns, rows, scalar } => matrix(*columns, *rows, *scalar),
            TypeInner::Array { base, size, stride } => {
                let count = match size {
                    ArraySize::Constant(count) => count.get(),
                    ArraySize::Dynamic => 0,
                    ArraySize::Pending(_) => {
                        return Err(LowerError::unsupported("an array sized by an unset override"));
                    }
                };
                let ty = Ty::Handle(*base);
                Ok(Parts::Elements(Elements { ty, count, flat: flat_len(module, ty)?, stride_bytes: *stride }))
            }
            TypeInner::Struct { members, .. } => Ok(Parts::Members(members)),
            other => Err(LowerError::unsupported(format!("values of type {}", name_of(other)))),
        },
    }
}

/// Number of scalars of a value.
pub fn flat_len(module: &Module, ty: Ty) -> Result<u32, LowerError> {
    match parts(module, ty)? {
        Parts::Scalar(_) => Ok(1),
        Parts::Elements(e) => e.flat.checked_mul(e.count).filter(|n| *n <= super::WORDS_MAX).ok_or_else(|| {
            LowerError::TooLarge { what: "a variable".into(), words: u64::from(e.flat) * u64::from(e.count) }
        }),
        Parts::Members(members) => {
            let mut sum = 0u32;
            for member in members {
                sum += flat_len(module, Ty::Handle(member.ty))?;
                if sum > super::WORDS_MAX {
                    return Err(LowerError::TooLarge { what: "a variable".into(), words: u64::from(sum) });
                }
            }
            Ok(sum)
        }
    }
}

/// Part `index` of a composite: its type, first scalar and byte offset.
pub fn part(module: &Module, ty: Ty, index: u32) -> Result<(Ty, u32, u32), LowerError> {
    match parts(module, ty)? {
        Parts::Scalar(_) => Err(LowerError::unsupported("a part of a scalar")),
        Parts::Elements(e) => Ok((e.ty, e.flat * index, e.stride_bytes * index)),
        Parts::Members(members) => {
            let mut flat = 0;
            for member in &members[..index as usize] {
                flat += flat_len(module, Ty::Handle(member.ty))?;
            }
            let member = &members[index as usize];
            Ok((Ty::Handle(member.ty), flat, member.offset))
        }
    }
}

/// Calls `each` with kind and byte offset of every scalar, in flat order.
pub fn scalars(
    module: &Module,
    ty: Ty,
    offset_bytes: u32,
    each: &mut dyn FnMut(Scalar, u32),
) -> Result<(), LowerError> {
    match parts(module, ty)? {
        Parts::Scalar(scalar) => each(scalar, offset_bytes),
        Parts::Elements(e) => {
            for at in 0..e.count {
                scalars(module, e.ty, offset_bytes + at * e.stride_bytes, each)?;
            }
        }
        Parts::Members(members) => {
            for member in members {
                scalars(module, Ty::Handle(member.ty), offset_bytes + member.offset, each)?;
            }
        }
    }
    Ok(())
}

/// The scalar that a scalar, vector or matrix consists of.
pub fn scalar_of(module: &Module, ty: Ty) -> Result<Scalar, LowerError> {
    match parts(module, ty)? {
        Parts::Scalar(scalar) => Ok(scalar),
        Parts::Elements(e) => scalar_of(module, e.ty),
        Parts::Members(_) => Err(LowerError::unsupported("arithmetic on structures")),
    }
}

/// A type of the IR in words.
pub fn name_of(inner: &TypeInner) -> &'static str {
    match inner {
        TypeInner::Scalar(_) => "scalar",
        TypeInner::Vector { .. } => "vector",
        TypeInner::Matrix { .. } => "matrix",
        TypeInner::CooperativeMatrix { .. } => "cooperative matrix",
        TypeInner::Atomic(_) => "atomic",
        TypeInner::Pointer { .. } | TypeInner::ValuePointer { .. } => "pointer",
        TypeInner::Array { .. } => "array",
        TypeInner::Struct { .. } => "structure",
        TypeInner::Image { .. } => "texture",
        TypeInner::Sampler { .. } => "sampler",
        TypeInner::AccelerationStructure { .. } => "acceleration structure",
        TypeInner::RayQuery { .. } => "ray query",
        TypeInner::BindingArray { .. } => "binding array",
    }
}
