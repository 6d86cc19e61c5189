//! Pointer: access chains. Variables that live in values are addressed by slot, the others by word.

use super::*;
use crate::program::op::Pure;
use crate::program::types::Parts;

/// One computed index into something small enough to select from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Selected {
    index: Val,
    count: u32,
    /// Slots between neighbours.
    stride: u32,
}

#[derive(Clone, Debug)]
pub(super) enum Place {
    Slots {
        first: u32,
        /// First slot and number of slots of the whole variable.
        root: (u32, u32),
        selected: Vec<Selected>,
    },
    Memory {
        memory: Memory,
        /// Computed words, or none.
        address: Val,
        offset: u32,
    },
}

/// Whether words lie as in a buffer (WGSL's layout) or one after the other.
fn is_buffer(memory: Memory) -> bool {
    matches!(memory, Memory::Fixed(_) | Memory::Storage(_))
}

impl<'a> Lower<'a> {
    /// Pointer to part `index`, known now.
    pub(super) fn pointer_part(&mut self, at: u32, index: u32) -> Result<Meaning, LowerError> {
        let Pointer { place, ty } = self.pointers[at as usize].clone();
        if let Parts::Elements(e) = types::parts(self.module, ty)?
            && e.count == 0
        {
            let index = self.b.u32(index);
            return self.pointer_element(at, index);
        }
        let (part, flat, bytes) = types::part(self.module, ty, index)?;
        let place = match place {
            Place::Slots { first, root, selected } => Place::Slots { first: first + flat, root, selected },
            Place::Memory { memory, address, offset } => {
                let words = if is_buffer(memory) { bytes / 4 } else { flat };
                Place::Memory { memory, address, offset: offset + words }
            }
        };
        Ok(self.pointer(place, part))
    }

    /// Pointer to the element at a computed index.
    pub(super) fn pointer_element(&mut self, at: u32, index: Val) -> Result<Meaning, LowerError> {
        let Pointer { place, ty } = self.pointers[at as usize].clone();
        let Parts::Elements(e) = types::parts(self.module, ty)? else {
            return Err(LowerError::unsupported("a computed index into a structure"));
        };
        if e.count != 0
            && let Some(index) = self.b.constant(index)
        {
            match place {
                Place::Memory { memory, .. } if is_buffer(memory) && index >= e.count => {}
                _ => return self.pointer_part(at, index.min(e.count - 1)),
            }
        }
        let place = match place {
            Place::Slots { first, root, mut selected } => {
                selected.push(Selected { index, count: e.count, stride: e.flat });
                Place::Slots { first, root, selected }
            }
            Place::Memory { memory, address, offset } if is_buffer(memory) => {
                let length = match e.count {
                    0 => self.array_length(memory, offset, e.stride_bytes),
                    count => self.b.u32(count),
                };
                let checked = self.b.op2(Pure::CheckedIndex, index, length);
                let address = match (e.stride_bytes / 4, address.some()) {
                    (1, None) => checked,
                    (stride, base) => {
                        let stride = self.b.u32(stride);
                        let base = base.unwrap_or_else(|| self.b.u32(0));
                        self.b.op3(Pure::Address, checked, stride, base)
                    }
                };
                Place::Memory { memory, address, offset }
            }
            Place::Memory { memory, address, offset } => {
                let last = self.b.u32(e.count - 1);
                let clamped = self.b.op2(Pure::UMin, index, last);
                let stride = self.b.u32(e.flat);
                let words = self.b.op2(Pure::IMul, clamped, stride);
                let address = match address.some() {
                    None => words,
                    Some(base) => self.b.op2(Pure::IAdd, base, words),
                };
                Place::Memory { memory, address, offset }
            }
        };
        Ok(self.pointer(place, e.ty))
    }

    /// Elements of the runtime-sized array that starts `offset` words into a buffer.
    pub(super) fn array_length(&mut self, memory: Memory, offset: u32, stride_bytes: u32) -> Val {
        let (Memory::Fixed(slot) | Memory::Storage(slot)) = memory else {
            unreachable!("runtime-sized arrays live in buffers");
        };
        let size = self.b.root(Kind::BufferSize(slot));
        let start = self.b.u32(offset * 4);
        // A binding smaller than its fixed part is refused by validation; the minimum keeps the subtraction in range.
        let start = self.b.op2(Pure::UMin, start, size);
        let bytes = self.b.op2(Pure::ISub, size, start);
        let stride = self.b.u32(stride_bytes);
        self.b.op2(Pure::UDiv, bytes, stride)
    }

    pub(super) fn load(&mut self, at: u32) -> Result<Span, LowerError> {
        let Pointer { place, ty } = self.pointers[at as usize].clone();
        let count = types::flat_len(self.module, ty)?;
        let mut values = Vec::with_capacity(count as usize);
        match place {
            Place::Slots { first, selected, .. } => {
                for k in 0..count {
                    values.push(self.select_slot(first + k, &selected));
                }
            }
            Place::Memory { memory, address, offset } => {
                for (_, word) in self.words(ty, memory)? {
                    let kind = Kind::Load(memory, offset + word);
                    values.push(match memory {
                        Memory::Fixed(_) | Memory::Table => self.b.shared(kind, [address, Val::NONE, Val::NONE]),
                        _ => self.b.timed(kind, [address, Val::NONE, Val::NONE]),
                    });
                }
            }
        }
        Ok(self.span(&values))
    }

    pub(super) fn store(&mut self, at: u32, values: Span) -> Result<(), LowerError> {
        let Pointer { place, ty } = self.pointers[at as usize].clone();
        let values = self.values(values);
        match place {
            Place::Slots { first, selected, .. } => {
                for (k, value) in values.into_iter().enumerate() {
                    self.store_slot(first + k as u32, &selected, None, value);
                }
            }
            Place::Memory { memory, address, offset } => {
                for ((scalar, word), value) in self.words(ty, memory)?.into_iter().zip(values) {
                    let seen = scalar.kind == naga::ScalarKind::Float && is_buffer(memory);
                    let value = if seen { self.b.op1(Pure::Canonical, value) } else { value };
                    self.b.store(memory, address, offset + word, value);
                }
            }
        }
        Ok(())
    }

    /// Kind and word of each scalar of a type in this memory.
    fn words(&self, ty: Ty, memory: Memory) -> Result<Vec<(naga::Scalar, u32)>, LowerError> {
        let mut out = Vec::new();
        types::scalars(self.module, ty, 0, &mut |scalar, bytes| out.push((scalar, bytes / 4)))?;
        if !is_buffer(memory) {
            out.iter_mut().enumerate().for_each(|(at, o)| o.1 = at as u32);
        }
        Ok(out)
    }

    /// The value of a slot behind computed indices; an index past the end means the last element.
    fn select_slot(&mut self, slot: u32, selected: &[Selected]) -> Val {
        let Some((first, rest)) = selected.split_first() else { return self.b.slots[slot as usize] };
        let mut value = self.select_slot(slot + (first.count - 1) * first.stride, rest);
        for k in (0..first.count - 1).rev() {
            let other = self.select_slot(slot + k * first.stride, rest);
            let number = self.b.u32(k);
            let here = self.b.op2(Pure::IEq, first.index, number);
            value = self.b.op3(Pure::Select, here, other, value);
        }
        value
    }

    fn store_slot(&mut self, slot: u32, selected: &[Selected], condition: Option<Val>, value: Val) {
        let Some((first, rest)) = selected.split_first() else {
            let old = self.b.slots[slot as usize];
            self.b.slots[slot as usize] = match condition {
                None => value,
                Some(condition) => self.b.op3(Pure::Select, condition, value, old),
            };
            return;
        };
        for k in 0..first.count {
            let number = self.b.u32(k);
            let here = if k + 1 == first.count {
                self.b.op2(Pure::ULe, number, first.index)
            } else {
                self.b.op2(Pure::IEq, first.index, number)
            };
            let both = match condition {
                None => here,
                Some(condition) => self.b.op2(Pure::And, condition, here),
            };
            self.store_slot(slot + k * first.stride, rest, Some(both), value);
        }
    }

    /// Part of a value at a computed index, clamped.
    pub(super) fn value_element(&mut self, span: Span, ty: Ty, index: Val) -> Result<Span, LowerError> {
        let Parts::Elements(e) = types::parts(self.module, ty)? else {
            return Err(LowerError::unsupported("a computed index into a structure"));
        };
        if let Some(index) = self.b.constant(index) {
            let start = span.start + index.min(e.count - 1) * e.flat;
            return Ok(Span { start, len: e.flat });
        }
        if e.count * e.flat <= 16 {
            let mut values = Vec::with_capacity(e.flat as usize);
            for k in 0..e.flat {
                let mut value = self.at(span, (e.count - 1) * e.flat + k);
                for at in (0..e.count - 1).rev() {
                    let number = self.b.u32(at);
                    let here = self.b.op2(Pure::IEq, index, number);
                    let other = self.at(span, at * e.flat + k);
                    value = self.b.op3(Pure::Select, here, other, value);
                }
                values.push(value);
            }
            return Ok(self.span(&values));
        }
        let used = usage::Use { dynamic: true, stored: false };
        let home = self.place_variable(used, span, true)?;
        let place = self.place(home, ty)?;
        let Meaning::Pointer(at) = self.pointer(place, ty) else { unreachable!("a pointer was made") };
        let Meaning::Pointer(element) = self.pointer_element(at, index)? else { unreachable!("a pointer was made") };
        self.load(element)
    }
}
