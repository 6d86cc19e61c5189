//! Command: one recorded step, and how it is carried out.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use wgpu_hal as hal;
use wgpu_types as wgt;

use super::device::Shared;
use crate::store::{self, copy};
use crate::work::{self, Fault};

/// Everything between `begin_encoding` and `end_encoding`, in order.
#[derive(Debug)]
pub struct CommandBuffer {
    pub commands: Vec<Command>,
}

#[derive(Debug)]
pub enum Command {
    /// Zeroes bytes.
    ClearBuffer {
        buffer: Arc<store::Buffer>,
        range: Range<u64>,
    },
    CopyBuffer {
        from: Arc<store::Buffer>,
        to: Arc<store::Buffer>,
        regions: Vec<hal::BufferCopy>,
    },
    CopyTexture {
        from: Arc<store::Texture>,
        to: Arc<store::Texture>,
        regions: Vec<hal::TextureCopy>,
    },
    BufferToTexture {
        from: Arc<store::Buffer>,
        to: Arc<store::Texture>,
        regions: Vec<hal::BufferTextureCopy>,
    },
    TextureToBuffer {
        from: Arc<store::Texture>,
        to: Arc<store::Buffer>,
        regions: Vec<hal::BufferTextureCopy>,
    },
    /// Zeroes the queries that a pass begins.
    ZeroQueries {
        set: Arc<store::QuerySet>,
        indices: Vec<u32>,
    },
    /// Writes the next tick of the device's counter.
    Timestamp {
        set: Arc<store::QuerySet>,
        index: u32,
    },
    ResolveQueries {
        set: Arc<store::QuerySet>,
        range: Range<u32>,
        to: Arc<store::Buffer>,
        offset_bytes: u64,
        stride_bytes: u64,
    },
    RenderPass(Box<work::RenderPass>),
    Dispatch(Box<work::Dispatch>),
}

/// Carries out one command on the calling thread, which drives the executors' own threads.
pub fn execute(command: &Command, shared: &Shared) -> Result<(), Fault> {
    match command {
        Command::ClearBuffer { buffer, range } => {
            buffer.memory.fill(range.start as usize, (range.end - range.start) as usize, 0);
        }
        Command::CopyBuffer { from, to, regions } => {
            for region in regions {
                let (source, target) = (region.src_offset as usize, region.dst_offset as usize);
                to.memory.copy(target, &from.memory, source, region.size.get() as usize);
            }
        }
        Command::CopyTexture { from, to, regions } => {
            for copy in regions {
                for aspect in aspects(copy.src_base.aspect) {
                    let (source, target) = (region(&copy.src_base, aspect), region(&copy.dst_base, aspect));
                    copy::between(from, &source, to, &target, extent(&copy.size));
                }
            }
        }
        Command::BufferToTexture { from, to, regions } => {
            for copy in regions {
                for aspect in aspects(copy.texture_base.aspect) {
                    let target = region(&copy.texture_base, aspect);
                    copy::from_buffer(from, &copy.buffer_layout, to, &target, extent(&copy.size));
                }
            }
        }
        Command::TextureToBuffer { from, to, regions } => {
            for copy in regions {
                for aspect in aspects(copy.texture_base.aspect) {
                    let source = region(&copy.texture_base, aspect);
                    copy::to_buffer(from, &source, to, &copy.buffer_layout, extent(&copy.size));
                }
            }
        }
        Command::ZeroQueries { set, indices } => {
            for &index in indices {
                set.values[index as usize].store(0, Ordering::Relaxed);
            }
        }
        Command::Timestamp { set, index } => {
            set.values[*index as usize].store(shared.tick(), Ordering::Relaxed);
        }
        Command::ResolveQueries { set, range, to, offset_bytes, stride_bytes } => {
            for (at, index) in range.clone().enumerate() {
                let value = set.values[index as usize].load(Ordering::Relaxed);
                let offset_bytes = offset_bytes + at as u64 * stride_bytes;
                to.memory.write(offset_bytes as usize, &value.to_le_bytes());
            }
        }
        Command::RenderPass(pass) => shared.engine.run_pass(pass)?,
        Command::Dispatch(work) => shared.engine.run_dispatch(work)?,
    }
    Ok(())
}

/// The single aspects of a set; each is one plane.
fn aspects(set: hal::FormatAspects) -> impl Iterator<Item = wgt::TextureAspect> {
    let planes = [
        (hal::FormatAspects::COLOR, wgt::TextureAspect::All),
        (hal::FormatAspects::DEPTH, wgt::TextureAspect::DepthOnly),
        (hal::FormatAspects::STENCIL, wgt::TextureAspect::StencilOnly),
    ];
    planes.into_iter().filter(move |(flag, _)| set.contains(*flag)).map(|(_, aspect)| aspect)
}

/// Layers and slices are one axis for `store`: a texture has only one of them.
fn region(base: &hal::TextureCopyBase, aspect: wgt::TextureAspect) -> copy::Region {
    let origin = [base.origin.x, base.origin.y, base.origin.z + base.array_layer];
    copy::Region { aspect, level: base.mip_level, origin }
}

fn extent(size: &hal::CopyExtent) -> copy::Extent {
    [size.width, size.height, size.depth]
}
