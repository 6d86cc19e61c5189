//! Sample: texture lookups for a block of lanes.
//!
//! In: a view, a sampler, coordinates by lane. Out: four components by lane. The rules are in `docs/adapter-rules.md`.

mod axis;
mod cube;
mod each;
mod image;
mod lanes;
mod level;
mod source;
#[cfg(test)]
mod tests;
mod texel;
mod wide;

use stillframe_base::lanes::{Block, Isa, LaneMask};

pub use image::{load, store};
use source::Source;

use crate::store::{Sampler, TextureView};

/// Level of detail of a lookup.
#[derive(Clone, Copy, Debug)]
pub enum Level<'a> {
    /// From the quad's derivatives of the coordinates (fragment stage), plus `bias` if given.
    Auto {
        bias: Option<&'a Block>,
    },
    Zero,
    Exact(&'a Block),
    /// Derivatives, one block a coordinate.
    Gradient {
        ddx: [&'a Block; 3],
        ddy: [&'a Block; 3],
    },
}

/// One `textureSample*` or `textureGather*` call. Blocks hold f32 bits but for `layer`, which holds i32 bits.
#[derive(Clone, Copy, Debug)]
pub struct Lookup<'a> {
    /// Unused coordinates repeat the first.
    pub coords: [&'a Block; 3],
    pub layer: Option<&'a Block>,
    pub level: Level<'a>,
    pub offset: [i32; 3],
    pub compare: Option<&'a Block>,
    /// Component for a gather; with `compare` a gather of comparisons.
    pub gather: Option<u8>,
}

/// Samples for every lane of `0..lane_count` (in quads where derivatives are needed); lanes outside `active` may hold
/// anything afterwards.
pub fn lookup(
    isa: Isa,
    view: &TextureView,
    sampler: &Sampler,
    lookup: &Lookup<'_>,
    active: &LaneMask,
    out: &mut [Block; 4],
) {
    let source = Source::new(view);
    let count = active.end().next_multiple_of(4);
    let detail = level::matters(&source, sampler, lookup).then(|| level::detail(isa, &source, sampler, lookup, count));
    let call = each::Call { source: &source, sampler, lookup, detail: detail.as_ref() };
    if wide::lookup(isa, &call, active, out) {
        return;
    }
    for lane in active {
        for (block, bits) in out.iter_mut().zip(call.lane(lane)) {
            block.0[lane] = bits;
        }
    }
}
