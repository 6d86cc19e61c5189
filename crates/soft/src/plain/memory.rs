//! Memory: what pointers reach. Variables are values with paths; buffers are bytes with naga's layout.
//!
//! In: pointers of the IR. Out: values. Source: `docs/adapter-rules.md`, Memory.

use naga::{ArraySize, Handle, Module, Type, TypeInner};

use super::bytes;
use super::group::Group;
use super::texture::Image;
use super::value::{self, Pointer, Root, Scalar, Shape, Value, Vector};
use crate::store;
use crate::work::Binding;

impl Group<'_> {
    /// The resource of a module-scope variable.
    pub fn resource(&self, global: Handle<naga::GlobalVariable>) -> &Binding {
        let at = self.module.global_variables[global].binding.expect("resources are bound");
        self.bindings.get(at.group, at.binding).expect("wgpu-core checked the bindings against the shader")
    }

    pub fn image(&self, handle: &Value) -> Image<'_> {
        let Value::Handle(global) = *handle else { unreachable!("{handle:?} is not an image") };
        let ty = &self.module.types[self.module.global_variables[global].ty].inner;
        match self.resource(global) {
            Binding::Texture(view) => Image::new(view, ty),
            other => unreachable!("{other:?} bound to an image"),
        }
    }

    pub fn sampler(&self, handle: &Value) -> &store::Sampler {
        let Value::Handle(global) = *handle else { unreachable!("{handle:?} is not a sampler") };
        match self.resource(global) {
            Binding::Sampler(sampler) => sampler,
            other => unreachable!("{other:?} bound to a sampler"),
        }
    }

    fn window(&self, global: Handle<naga::GlobalVariable>) -> Window<'_> {
        if self.module.global_variables[global].space == naga::AddressSpace::Immediate {
            return Window::Immediates(&self.bindings.immediates);
        }
        match self.resource(global) {
            Binding::Buffer { buffer, offset_bytes, size_bytes } => {
                Window::Buffer { memory: &buffer.memory, start_bytes: *offset_bytes, size_bytes: *size_bytes }
            }
            other => unreachable!("{other:?} bound to a buffer"),
        }
    }

    /// The pointer one step further. Out of bounds, variables take the last element and buffers are left alone.
    pub fn pointer_to_element(&self, pointer: &Pointer, index: u32) -> Pointer {
        let (shape, count, element_bytes) = match pointer.shape.inner(self.module) {
            TypeInner::Vector { size, scalar } => (Shape::Scalar(scalar), size as u32, 4),
            TypeInner::Matrix { columns, rows, scalar } => {
                (Shape::Vector(rows, scalar), columns as u32, column_bytes(rows))
            }
            TypeInner::Array { base, size: ArraySize::Constant(count), stride } => {
                (Shape::Named(base), count.get(), stride)
            }
            TypeInner::Array { base, stride, .. } => {
                (Shape::Named(base), self.runtime_length(&Value::Pointer(pointer.clone())), stride)
            }
            TypeInner::Struct { members, .. } => {
                let member = &members[index as usize];
                let mut next = Pointer { shape: Shape::Named(member.ty), ..pointer.clone() };
                next.offset_bytes += member.offset as u64;
                next.path.push(index);
                return next;
            }
            other => unreachable!("a pointer to {other:?} has no elements"),
        };
        let mut next = Pointer { shape, ..pointer.clone() };
        next.offset_bytes += index as u64 * element_bytes as u64;
        next.outside |= index >= count;
        next.path.push(index.min(count.saturating_sub(1)));
        next
    }

    /// Elements of a runtime-sized array: as many whole ones as the binding has room for.
    pub fn runtime_length(&self, pointer: &Value) -> u32 {
        let Value::Pointer(Pointer { root: Root::Buffer { global }, shape, offset_bytes, .. }) = pointer else {
            unreachable!("{pointer:?} is not a pointer to a runtime-sized array")
        };
        let TypeInner::Array { stride, .. } = shape.inner(self.module) else {
            unreachable!("{shape:?} is not an array");
        };
        let Window::Buffer { size_bytes, .. } = self.window(*global) else {
            unreachable!("immediates have no arrays of unknown length")
        };
        (size_bytes.saturating_sub(*offset_bytes) / stride as u64) as u32
    }

    /// Whether a scalar behind a pointer exists.
    pub fn is_inside(&self, pointer: &Value) -> bool {
        match pointer {
            Value::Pointer(Pointer { root: Root::Buffer { global }, outside, offset_bytes, .. }) => {
                !outside && self.window(*global).has_word(*offset_bytes)
            }
            _ => true,
        }
    }

    /// What stands behind a pointer.
    pub fn load(&self, pointer: &Value, lane: usize) -> Value {
        let Value::Pointer(pointer) = pointer else { unreachable!("{pointer:?} is not a pointer") };
        match pointer.root {
            Root::Local { frame, variable } => self.frames[frame].locals[variable.index()][lane].at_path(&pointer.path),
            Root::Private(global) => self.variables[global.index()][lane].at_path(&pointer.path),
            Root::Workgroup(global) => self.variables[global.index()][0].at_path(&pointer.path),
            Root::Buffer { .. } if pointer.outside => value::zero(self.module, &pointer.shape.inner(self.module)),
            Root::Buffer { global } => {
                self.window(global).read(self.module, &pointer.shape.inner(self.module), pointer.offset_bytes)
            }
        }
    }

    /// Puts a value behind a pointer. Helpers write to their own variables only.
    pub fn store(&mut self, pointer: &Value, lane: usize, value: Value) {
        let Value::Pointer(pointer) = pointer else { unreachable!("{pointer:?} is not a pointer") };
        let path = &pointer.path;
        match pointer.root {
            Root::Local { frame, variable } => {
                self.frames[frame].locals[variable.index()][lane].set_path(path, value);
            }
            Root::Private(global) => self.variables[global.index()][lane].set_path(path, value),
            Root::Workgroup(global) => self.variables[global.index()][0].set_path(path, value),
            Root::Buffer { global } if !pointer.outside && !self.helper[lane] => {
                self.window(global).write(self.module, &pointer.shape.inner(self.module), pointer.offset_bytes, &value);
            }
            Root::Buffer { .. } => {}
        }
    }
}

/// Bytes from one column of a matrix to the next.
fn column_bytes(rows: naga::VectorSize) -> u32 {
    match rows {
        naga::VectorSize::Bi => 8,
        naga::VectorSize::Tri | naga::VectorSize::Quad => 16,
    }
}

/// The words that a binding shows.
enum Window<'a> {
    Buffer { memory: &'a store::Memory, start_bytes: u64, size_bytes: u64 },
    Immediates(&'a [u32]),
}

impl Window<'_> {
    fn has_word(&self, offset: u64) -> bool {
        match self {
            Window::Buffer { size_bytes, .. } => offset + 4 <= *size_bytes,
            Window::Immediates(words) => offset / 4 < words.len() as u64,
        }
    }

    /// A word; zero outside.
    fn word(&self, offset: u64) -> u32 {
        match self {
            _ if !self.has_word(offset) => 0,
            Window::Buffer { memory, start_bytes, .. } => bytes::read_u32(memory, (start_bytes + offset) as usize),
            Window::Immediates(words) => words[offset as usize / 4],
        }
    }

    /// Writes a word; nothing outside.
    fn set_word(&self, offset: u64, word: u32) {
        match self {
            Window::Buffer { memory, start_bytes, .. } if self.has_word(offset) => {
                bytes::write_u32(memory, (start_bytes + offset) as usize, word);
            }
            Window::Buffer { .. } => {}
            Window::Immediates(_) => unreachable!("immediates are read only"),
        }
    }

    fn read_scalar(&self, scalar: naga::Scalar, offset: u64) -> Scalar {
        Scalar::from_bits(scalar.kind, self.word(offset))
    }

    fn read(&self, module: &Module, ty: &TypeInner, offset: u64) -> Value {
        match *ty {
            TypeInner::Scalar(scalar) | TypeInner::Atomic(scalar) => Value::Scalar(self.read_scalar(scalar, offset)),
            TypeInner::Vector { size, scalar } => {
                let parts: Vec<Scalar> = (0..size as u64).map(|i| self.read_scalar(scalar, offset + 4 * i)).collect();
                Value::Vector(Vector::new(&parts))
            }
            _ => {
                let part = |(ty, at): (TypeInner, u64)| self.read(module, &ty, offset + at);
                Value::Composite(elements(module, ty).into_iter().map(part).collect())
            }
        }
    }

    fn write(&self, module: &Module, ty: &TypeInner, offset: u64, value: &Value) {
        match (ty, value) {
            (_, Value::Scalar(scalar)) => self.set_word(offset, scalar.bits()),
            (_, Value::Vector(vector)) => {
                for (i, part) in vector.iter().enumerate() {
                    self.write(module, ty, offset + 4 * i as u64, &Value::Scalar(*part));
                }
            }
            (ty, Value::Composite(parts)) => {
                for ((ty, at), part) in elements(module, ty).into_iter().zip(parts) {
                    self.write(module, &ty, offset + at, part);
                }
            }
            (ty, value) => unreachable!("{value:?} written as {ty:?}"),
        }
    }
}

/// Type and offset in bytes of each element of a composite of fixed size.
fn elements(module: &Module, ty: &TypeInner) -> Vec<(TypeInner, u64)> {
    let named = |ty: Handle<Type>| module.types[ty].inner.clone();
    match *ty {
        TypeInner::Matrix { columns, rows, scalar } => (0..columns as u32)
            .map(|i| (TypeInner::Vector { size: rows, scalar }, (i * column_bytes(rows)) as u64))
            .collect(),
        TypeInner::Array { base, size: ArraySize::Constant(count), stride } => {
            (0..count.get()).map(|i| (named(base), (i * stride) as u64)).collect()
        }
        TypeInner::Struct { ref members, .. } => members.iter().map(|m| (named(m.ty), m.offset as u64)).collect(),
        ref other => unreachable!("{other:?} is not a composite of fixed size"),
    }
}
