//! Image: texels by integer coordinates, read and written. Rules: "Load and store".

use stillframe_base::lanes::{Block, Isa, LANES, LaneMask};
use wgpu_types as wgt;

use super::axis::Corners;
use super::level;
use super::source::Source;
use super::texel::{self, Comparison, Grid, Raw, Texels, Whole};
use super::wide::{Compare, Kernel};
use crate::store::TextureView;

/// `textureLoad`: integer coordinates, zero outside. `sample` for multisampled views, `level` otherwise.
pub fn load(
    isa: Isa,
    view: &TextureView,
    coords: [&Block; 3],
    layer: Option<&Block>,
    level_or_sample: Option<&Block>,
    active: &LaneMask,
    out: &mut [Block; 4],
) {
    let source = Source::new(view);
    let sampled = view.texture.sample_count > 1;
    if wide(isa, view, &source, coords, layer, level_or_sample, active, out) {
        return;
    }
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

/// Whole blocks of lanes at a time: 2-D views of the formats of [`Kernel`], all lanes in the same level. False where
/// this is another case.
fn wide(
    isa: Isa,
    view: &TextureView,
    source: &Source<'_>,
    coords: [&Block; 3],
    layer: Option<&Block>,
    level_or_sample: Option<&Block>,
    active: &LaneMask,
    out: &mut [Block; 4],
) -> bool {
    static ZERO: Block = Block::ZERO;
    let count = active.end().next_multiple_of(16);
    let sampled = view.texture.sample_count > 1;
    let choice = level_or_sample.unwrap_or(&ZERO);
    let first = active.iter().next().map_or(0, |lane| choice.0[lane]);
    let level = if sampled { 0 } else { first };
    let is_one_level =
        || level::is_one_number(isa)(&choice.0, count) || active.iter().all(|lane| choice.0[lane] == first);
    if source.axes() != 2 || !(sampled || is_one_level()) {
        return false;
    }
    let (Some(kernel), Some(layout)) = (Kernel::new(source, false), source.levels.get(level as usize)) else {
        return false;
    };
    let end_bytes = layout.offset_bytes + layout.layer_bytes * layout.depth_or_layers as usize;
    if u32::try_from(end_bytes).is_err() {
        return false;
    }
    let grid = Grid {
        width: layout.width,
        height: layout.height,
        layers: source.layer_count,
        samples: view.texture.sample_count,
        start_bytes: (layout.offset_bytes + source.base_layer as usize * layout.layer_bytes) as u32,
        texel_bytes: layout.texel_bytes as u32,
        row_bytes: layout.row_bytes as u32,
        layer_bytes: layout.layer_bytes as u32,
        sample_bytes: source.format.bytes as u32,
    };
    let at = Whole {
        x: &coords[0].0,
        y: &coords[1].0,
        layer: &layer.unwrap_or(&ZERO).0,
        sample: if sampled { &choice.0 } else { &ZERO.0 },
    };
    let mut corners = Corners::new();
    let mut inside = [0; LANES];
    texel::places(isa)(&mut corners.offsets[0], &mut inside, &at, &grid, count);
    let raw: &mut Raw = bytemuck::cast_mut(out);
    let compare = Compare { reference: &[0.0; LANES], function: Comparison::new(wgt::CompareFunction::Always) };
    kernel.nearest(isa, source, &Texels { start: source.start(), corners: &corners }, compare, raw, count);
    kernel.finish(isa, &source.format, raw, count);
    if inside[..count].iter().fold(u32::MAX, |all, &lane| all & lane) == 0 {
        raw.iter_mut().for_each(|lanes| texel::keep(isa)(lanes, &inside, count));
    }
    true
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
