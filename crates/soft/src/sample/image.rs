//! Image: texels by integer coordinates, read and written. Rules: "Load and store".

use stillframe_base::lanes::{Block, Isa, LaneMask};
use wgpu_types as wgt;

use super::source::Source;
use crate::store::TextureView;

/// `textureLoad`: integer coordinates, zero outside. `sample` for multisampled views, `level` otherwise.
pub fn load(
    _isa: Isa,
    view: &TextureView,
    coords: [&Block; 3],
    layer: Option<&Block>,
    level_or_sample: Option<&Block>,
    active: &LaneMask,
    out: &mut [Block; 4],
) {
    let source = Source::new(view);
    let sampled = view.texture.sample_count > 1;
    for lane in active {
        let choice = level_or_sample.map_or(0, |block| block.0[lane]) as usize;
        let (level, sample) = if sampled { (0, choice as u32) } else { (choice, 0) };
        let place = source.levels.get(level).filter(|_| sample < view.texture.sample_count).and_then(|level| {
            let [x, y, layer] = inside(view, &source, level, coords, layer, lane)?;
            Some(source.bits(level, x, y, layer, sample))
        });
        for (block, bits) in out.iter_mut().zip(place.unwrap_or([0; 4])) {
            block.0[lane] = bits;
        }
    }
}

/// `textureStore` for active lanes in lane order; outside the texture nothing is written. Sample kind as the format's.
pub fn store(view: &TextureView, coords: [&Block; 3], layer: Option<&Block>, value: [&Block; 4], active: &LaneMask) {
    let source = Source::new(view);
    let level = &source.levels[0];
    for lane in active {
        if let Some([x, y, layer]) = inside(view, &source, level, coords, layer, lane) {
            let mut texel = [0; 16];
            let texel = &mut texel[..source.format.bytes];
            source.format.encode_bits(value.map(|block| block.0[lane]), texel);
            view.texture.memory.write(source.offset_bytes(level, x, y, layer), texel);
        }
    }
}

/// Column, row and layer (or slice) of a lane, if they are inside the level.
fn inside(
    view: &TextureView,
    source: &Source<'_>,
    level: &crate::store::LevelLayout,
    coords: [&Block; 3],
    layer: Option<&Block>,
    lane: usize,
) -> Option<[u32; 3]> {
    let axes = source.axes();
    let size = [level.width, level.height, level.depth_or_layers];
    let mut at = [0; 3];
    for axis in 0..axes {
        at[axis] = coords[axis].0[lane];
        if at[axis] >= size[axis] {
            return None;
        }
    }
    if view.dimension != wgt::TextureViewDimension::D3 {
        let index = layer.map_or(0, |block| block.0[lane]);
        if index >= source.layer_count {
            return None;
        }
        at[2] = source.base_layer + index;
    }
    Some(at)
}
