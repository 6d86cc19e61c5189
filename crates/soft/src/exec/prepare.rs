//! Prepare: resources resolved and the uniform file computed, once a draw or dispatch.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use naga::ResourceBinding;
use stillframe_base::lanes::LANES;

use crate::program::code::{NONE, Op, SCALAR, Special};
use crate::program::op::Pure;
use crate::program::{IMMEDIATES, Program, Root};
use crate::store::{Buffer, Sampler, TextureView};
use crate::work::{Binding, Bindings, Fault};

/// A resource as programs use it.
#[derive(Debug)]
pub enum Resource {
    /// Nothing bound: reads as zero.
    None,
    Words(Words),
    Texture(Arc<TextureView>),
    Sampler(Arc<Sampler>),
}

/// The 32-bit words of a buffer binding.
#[derive(Debug)]
pub struct Words {
    start: *mut u32,
    count: usize,
    size_bytes: u32,
    /// Keeps the memory behind `start`.
    _owner: Owner,
}

#[derive(Debug)]
enum Owner {
    Buffer(#[expect(dead_code, reason = "held, never read")] Arc<Buffer>),
    Copy(#[expect(dead_code, reason = "held, never read")] Box<[u32]>),
}

// SAFETY: the words belong to `_owner`. A buffer's memory is shared between threads by design (`store::Memory`):
// programs that write are run on one thread, or write words of their own.
#[expect(unsafe_code, reason = "buffer words are shared like the buffer")]
unsafe impl Send for Words {}
// SAFETY: as above.
#[expect(unsafe_code, reason = "buffer words are shared like the buffer")]
unsafe impl Sync for Words {}

impl Words {
    #[expect(unsafe_code, reason = "the start of a binding inside its buffer")]
    fn of_buffer(buffer: &Arc<Buffer>, offset_bytes: u64, size_bytes: u64) -> Words {
        let held = buffer.memory.size_bytes() as u64;
        let offset = offset_bytes.min(held);
        let size_bytes = size_bytes.min(held - offset).min(u64::from(u32::MAX));
        assert!(offset.is_multiple_of(4), "a binding starts at byte {offset}");
        // SAFETY: `offset` is at most the size of the memory, by the line above.
        let start = unsafe { buffer.memory.as_ptr().add(offset as usize) };
        Words {
            start: start.cast(),
            count: size_bytes as usize / 4,
            size_bytes: size_bytes as u32,
            _owner: Owner::Buffer(buffer.clone()),
        }
    }

    fn of_copy(words: &[u32]) -> Words {
        // What lies beyond the words that were set reads as zero, so the size is of no concern.
        let mut copy: Box<[u32]> = words.into();
        Words {
            start: copy.as_mut_ptr(),
            count: copy.len(),
            size_bytes: copy.len() as u32 * 4,
            _owner: Owner::Copy(copy),
        }
    }

    /// Copies the words from `at` on, zero for those outside.
    #[inline(always)]
    #[expect(unsafe_code, reason = "a read of shared device memory")]
    pub fn copy_to(&self, at: u32, out: &mut [u32]) {
        for (at, word) in (at..).zip(out) {
            // SAFETY: read only inside the binding, by the comparison.
            *word = if (at as usize) < self.count { unsafe { self.start.add(at as usize).read() } } else { 0 };
        }
    }

    /// Writes the word at `at`, or nothing outside.
    #[inline(always)]
    #[expect(unsafe_code, reason = "a write of shared device memory")]
    pub fn set(&self, at: u32, word: u32) {
        if (at as usize) < self.count {
            // SAFETY: inside the binding by the comparison.
            unsafe { self.start.add(at as usize).write(word) }
        }
    }

    /// All words, for atomic changes.
    #[expect(unsafe_code, reason = "a view of shared device memory")]
    pub fn as_atomics(&self) -> &[AtomicU32] {
        // SAFETY: `count` words from `start` belong to the owner, and `AtomicU32` has the layout of `u32`.
        unsafe { std::slice::from_raw_parts(self.start.cast(), self.count) }
    }

    /// All words, while nobody writes them.
    #[inline(always)]
    #[expect(unsafe_code, reason = "a view of shared device memory")]
    pub fn as_slice(&self) -> &[u32] {
        // SAFETY: `count` words from `start` belong to the owner. Nobody writes them while one instruction reads:
        // writes are other instructions, and programs that write what others read run on one thread.
        unsafe { std::slice::from_raw_parts(self.start, self.count) }
    }
}

/// The uniform file after the uniform prologue, and the resolved resources: made once a draw or dispatch, shared by
/// threads.
#[derive(Debug)]
pub struct Prepared {
    pub(super) uniforms: Vec<u32>,
    pub(super) resources: Vec<Resource>,
}

impl Prepared {
    /// Resolves resources and runs what is uniform over the whole draw. `num_workgroups` is read by compute only.
    pub fn new(program: &Program, bindings: &Bindings, num_workgroups: [u32; 3]) -> Result<Prepared, Fault> {
        let resources: Vec<Resource> = program.resources.iter().map(|&key| resolve(bindings, key)).collect();
        let mut uniforms = program.uniforms.clone();
        for root in &program.roots {
            uniforms[root.word as usize] = match root.root {
                Root::BufferSize(slot) => match &resources[slot as usize] {
                    Resource::Words(words) => words.size_bytes,
                    _ => 0,
                },
                Root::NumWorkgroups(axis) => num_workgroups[axis as usize],
                Root::WorkgroupId(_) => 0,
            };
        }
        for op in &program.prologue {
            run_uniform(op, &mut uniforms, &resources, &program.table);
        }
        Ok(Prepared { uniforms, resources })
    }

    /// Whether the workgroups of a grid must run one after the other, in order.
    pub fn is_ordered(&self, program: &Program, num_workgroups: [u32; 3]) -> bool {
        let crossed = (0..3).any(|axis| program.single_axes[axis] && num_workgroups[axis] > 1);
        program.traits.ordered || crossed || aliased(program, &self.resources)
    }
}

/// Whether something that the program writes overlaps another of its resources.
fn aliased(program: &Program, resources: &[Resource]) -> bool {
    let meet = |a: &Resource, b: &Resource| match (a, b) {
        (Resource::Words(a), Resource::Words(b)) => {
            let (a0, b0) = (a.start.addr(), b.start.addr());
            a0 < b0 + b.count * 4 && b0 < a0 + a.count * 4
        }
        (Resource::Texture(a), Resource::Texture(b)) => Arc::ptr_eq(&a.texture, &b.texture),
        _ => false,
    };
    program.written.iter().any(|slot| {
        let one = &resources[*slot as usize];
        resources.iter().enumerate().any(|(at, other)| at != *slot as usize && meet(one, other))
    })
}

fn resolve(bindings: &Bindings, key: ResourceBinding) -> Resource {
    if key == IMMEDIATES {
        return Resource::Words(Words::of_copy(&bindings.immediates));
    }
    match bindings.get(key.group, key.binding) {
        Some(Binding::Buffer { buffer, offset_bytes, size_bytes }) => {
            Resource::Words(Words::of_buffer(buffer, *offset_bytes, *size_bytes))
        }
        Some(Binding::Texture(view)) => Resource::Texture(view.clone()),
        Some(Binding::Sampler(sampler)) => Resource::Sampler(sampler.clone()),
        None => Resource::None,
    }
}

/// Runs an instruction on the uniform file. Workgroup memory is not for this.
#[inline(always)]
pub(super) fn run_uniform(op: &Op, file: &mut [u32], resources: &[Resource], table: &[u32]) {
    let word = |file: &[u32], at: u32| if at == NONE { 0 } else { file[at as usize] };
    let value = match Special::of(op.code) {
        None => {
            let pure = Pure::ALL[(op.code - SCALAR) as usize];
            pure.evaluate([word(file, op.a), word(file, op.b), word(file, op.c)])
        }
        Some(Special::LoadBuffer) => {
            let at = word(file, op.a).wrapping_add(op.imm);
            let out = &mut file[op.dst as usize..][..op.b as usize];
            match &resources[op.extra as usize] {
                Resource::Words(words) => words.copy_to(at, out),
                _ => out.fill(0),
            }
            return;
        }
        Some(Special::LoadTable) => {
            table.get(word(file, op.a).wrapping_add(op.imm) as usize).copied().unwrap_or_default()
        }
        Some(Special::Query) => query(&resources[op.extra as usize], op.imm, word(file, op.a)),
        Some(other) => unreachable!("{other:?} is not uniform"),
    };
    file[op.dst as usize] = value;
}

/// Property `what` of a texture, at `level` if it is a size.
pub(super) fn query(resource: &Resource, what: u32, level: u32) -> u32 {
    let Resource::Texture(view) = resource else { return 0 };
    let level = view.base_mip + level.min(view.mip_count - 1);
    let planes = if view.texture.levels.is_empty() { &view.texture.stencil_levels } else { &view.texture.levels };
    let size = planes[level as usize];
    match what {
        0 => size.width,
        1 => size.height,
        2 => size.depth_or_layers,
        3 => view.mip_count,
        4 => match view.dimension {
            wgpu_types::TextureViewDimension::CubeArray => view.layer_count / 6,
            _ => view.layer_count,
        },
        _ => view.texture.sample_count,
    }
}

const _: () = assert!(LANES.is_multiple_of(super::runs::CHUNK));
