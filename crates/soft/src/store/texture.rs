//! Texture: where every level, layer, row and texel lies.

use std::sync::Arc;

use wgpu_types as wgt;

use super::{Ledger, LevelLayout, Memory, Texture};

/// Bytes after the last texel that vector loads may touch.
const TAIL_BYTES: usize = 64;

impl Texture {
    /// A zeroed texture. `None` where its bytes pass the ledger's limit or the machine's memory.
    pub fn new(
        format: wgt::TextureFormat,
        dimension: wgt::TextureDimension,
        size: wgt::Extent3d,
        mip_count: u32,
        sample_count: u32,
        ledger: &Arc<Ledger>,
    ) -> Option<Texture> {
        let mut end_bytes = 0u128;
        let mut planes = |texel_bytes: u32| -> Option<Vec<LevelLayout>> {
            (0..mip_count)
                .map(|level| level_layout(format, dimension, size, level, texel_bytes * sample_count, &mut end_bytes))
                .collect()
        };
        let (color, stencil) = plane_bytes(format);
        let levels = match color {
            Some(bytes) => planes(bytes)?,
            None => Vec::new(),
        };
        let stencil_levels = match stencil {
            Some(bytes) => planes(bytes)?,
            None => Vec::new(),
        };
        let size_bytes = usize::try_from(end_bytes).ok()?.checked_add(TAIL_BYTES)?;
        let memory = Memory::charged(size_bytes, ledger)?;
        Some(Texture { memory, format, dimension, size, sample_count, levels, stencil_levels })
    }

    /// The plane of an aspect: stencil where only that is asked for or present, else colour or depth.
    pub fn plane(&self, aspect: wgt::TextureAspect) -> &[LevelLayout] {
        let stencil = aspect == wgt::TextureAspect::StencilOnly || self.levels.is_empty();
        if stencil { &self.stencil_levels } else { &self.levels }
    }
}

/// Bytes of one sample (or block) in the colour or depth plane and in the stencil plane, as stored.
fn plane_bytes(format: wgt::TextureFormat) -> (Option<u32>, Option<u32>) {
    use wgt::TextureFormat as F;
    match format {
        F::Stencil8 => (None, Some(1)),
        F::Depth16Unorm => (Some(2), None),
        F::Depth24Plus | F::Depth32Float => (Some(4), None),
        F::Depth24PlusStencil8 | F::Depth32FloatStencil8 => (Some(4), Some(1)),
        _ => (Some(format.block_copy_size(None).unwrap_or(4)), None),
    }
}

/// Lays out one level after `end_bytes`, which grows; every level starts on a cache line.
fn level_layout(
    format: wgt::TextureFormat,
    dimension: wgt::TextureDimension,
    size: wgt::Extent3d,
    level: u32,
    texel_bytes: u32,
    end_bytes: &mut u128,
) -> Option<LevelLayout> {
    let mip = size.mip_level_size(level, dimension);
    let (block_width, block_height) = format.block_dimensions();
    let row_bytes = u128::from(mip.width.div_ceil(block_width)) * u128::from(texel_bytes);
    let layer_bytes = row_bytes * u128::from(mip.height.div_ceil(block_height));
    let offset_bytes = end_bytes.next_multiple_of(64);
    *end_bytes = offset_bytes.checked_add(layer_bytes * u128::from(mip.depth_or_array_layers))?;
    Some(LevelLayout {
        width: mip.width,
        height: mip.height,
        depth_or_layers: mip.depth_or_array_layers,
        offset_bytes: usize::try_from(offset_bytes).ok()?,
        row_bytes: usize::try_from(row_bytes).ok()?,
        layer_bytes: usize::try_from(layer_bytes).ok()?,
        texel_bytes: texel_bytes as usize,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texture(format: wgt::TextureFormat, size: [u32; 3], mips: u32, samples: u32) -> Texture {
        let ledger = Arc::new(Ledger::new(1 << 30));
        let size = wgt::Extent3d { width: size[0], height: size[1], depth_or_array_layers: size[2] };
        Texture::new(format, wgt::TextureDimension::D2, size, mips, samples, &ledger).expect("memory")
    }

    #[test]
    fn levels_follow_each_other_and_keep_their_layers() {
        let t = texture(wgt::TextureFormat::Rgba8Unorm, [5, 3, 2], 3, 1);
        let sizes: Vec<_> = t.levels.iter().map(|l| (l.width, l.height, l.depth_or_layers)).collect();
        assert_eq!(sizes, [(5, 3, 2), (2, 1, 2), (1, 1, 2)]);
        assert_eq!(t.levels[0].row_bytes, 20);
        assert_eq!(t.levels[0].layer_bytes, 60);
        assert_eq!(t.levels[1].offset_bytes, 128);
    }

    #[test]
    fn blocks_samples_and_planes() {
        let bc = texture(wgt::TextureFormat::Bc1RgbaUnorm, [8, 8, 1], 4, 1);
        assert_eq!(bc.levels.iter().map(|l| l.row_bytes).collect::<Vec<_>>(), [16, 8, 8, 8]);
        let ms = texture(wgt::TextureFormat::Depth24PlusStencil8, [4, 4, 1], 1, 4);
        assert_eq!((ms.levels[0].texel_bytes, ms.stencil_levels[0].texel_bytes), (16, 4));
        assert_eq!(ms.stencil_levels[0].offset_bytes, 256);
        let stencil = texture(wgt::TextureFormat::Stencil8, [4, 4, 1], 1, 1);
        assert!(stencil.levels.is_empty());
        assert_eq!(stencil.plane(wgt::TextureAspect::All).len(), 1);
    }

    #[test]
    fn a_texture_that_no_machine_has_room_for_is_refused() {
        let ledger = Arc::new(Ledger::new(u64::MAX));
        let size = wgt::Extent3d { width: u32::MAX, height: u32::MAX, depth_or_array_layers: u32::MAX };
        let format = wgt::TextureFormat::Rgba32Float;
        assert!(Texture::new(format, wgt::TextureDimension::D2, size, 1, 1, &ledger).is_none());
    }
}
