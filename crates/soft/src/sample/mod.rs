//! Sample: texture lookups for a block of lanes.
//!
//! In: a view, a sampler, coordinates by lane. Out: four components by lane. The rules are in `docs/adapter-rules.md`.

use stillframe_base::lanes::{Block, Isa, LaneMask};

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

/// Samples for every lane of `0..lane_count` (in quads where derivatives are needed); lanes outside `active` may hold anything afterwards.
pub fn lookup(
    _isa: Isa,
    _view: &TextureView,
    _sampler: &Sampler,
    _lookup: &Lookup<'_>,
    _active: &LaneMask,
    _out: &mut [Block; 4],
) {
    unimplemented!()
}

/// `textureLoad`: integer coordinates, zero outside. `sample` for multisampled views, `level` otherwise.
pub fn load(
    _isa: Isa,
    _view: &TextureView,
    _coords: [&Block; 3],
    _layer: Option<&Block>,
    _level_or_sample: Option<&Block>,
    _active: &LaneMask,
    _out: &mut [Block; 4],
) {
    unimplemented!()
}

/// `textureStore` for active lanes in lane order; outside the texture nothing is written. Sample kind as the format's.
pub fn store(
    _view: &TextureView,
    _coords: [&Block; 3],
    _layer: Option<&Block>,
    _value: [&Block; 4],
    _active: &LaneMask,
) {
    unimplemented!()
}
