//! Copy: texels between buffers and textures, block row by block row.
//!
//! Regions arrive as wgpu-core validated them: one array layer (or a run of slices of a 3-D texture), extents in
//! physical size, blocks whole. Depth is stored as it is copied, so no copy converts.

use wgpu_types as wgt;

use super::{Buffer, LevelLayout, Texture};

/// A box of texels within one level of one plane.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    pub aspect: wgt::TextureAspect,
    pub level: u32,
    /// Texels, and the first layer or slice.
    pub origin: [u32; 3],
}

/// Width and height in texels (rounded to blocks or not), layers or slices.
pub type Extent = [u32; 3];

/// One plane of a level and the block that it is made of.
struct Plane {
    layout: LevelLayout,
    block: (u32, u32),
}

impl Plane {
    fn new(texture: &Texture, region: &Region) -> Plane {
        Plane { layout: texture.plane(region.aspect)[region.level as usize], block: texture.format.block_dimensions() }
    }

    /// Blocks a row, and rows, of an extent.
    fn blocks(&self, extent: Extent) -> (usize, usize) {
        (extent[0].div_ceil(self.block.0) as usize, extent[1].div_ceil(self.block.1) as usize)
    }

    /// Byte offset of a block row of the region.
    fn row(&self, region: &Region, z: usize, row: usize) -> usize {
        let layout = &self.layout;
        let x = (region.origin[0] / self.block.0) as usize;
        let y = (region.origin[1] / self.block.1) as usize + row;
        let layer = region.origin[2] as usize + z;
        layout.offset_bytes + layer * layout.layer_bytes + y * layout.row_bytes + x * layout.texel_bytes
    }
}

/// The layout of texels in a buffer, in bytes from its start.
struct Rows {
    offset_bytes: usize,
    row_bytes: usize,
    layer_bytes: usize,
}

impl Rows {
    fn new(layout: &wgt::TexelCopyBufferLayout, plane: &Plane, extent: Extent) -> Rows {
        let (width, height) = plane.blocks(extent);
        let row_bytes = layout.bytes_per_row.map_or(width * plane.layout.texel_bytes, |bytes| bytes as usize);
        let rows = layout.rows_per_image.map_or(height, |rows| rows as usize);
        Rows { offset_bytes: layout.offset as usize, row_bytes, layer_bytes: row_bytes * rows }
    }
}

/// Buffer to texture.
pub fn from_buffer(
    buffer: &Buffer,
    layout: &wgt::TexelCopyBufferLayout,
    texture: &Texture,
    to: &Region,
    extent: Extent,
) {
    let plane = Plane::new(texture, to);
    let rows = Rows::new(layout, &plane, extent);
    let (width, height) = plane.blocks(extent);
    for z in 0..extent[2] as usize {
        for row in 0..height {
            let at = rows.offset_bytes + z * rows.layer_bytes + row * rows.row_bytes;
            texture.memory.copy(plane.row(to, z, row), &buffer.memory, at, width * plane.layout.texel_bytes);
        }
    }
}

/// Texture to buffer.
pub fn to_buffer(
    texture: &Texture,
    from: &Region,
    buffer: &Buffer,
    layout: &wgt::TexelCopyBufferLayout,
    extent: Extent,
) {
    let plane = Plane::new(texture, from);
    let rows = Rows::new(layout, &plane, extent);
    let (width, height) = plane.blocks(extent);
    for z in 0..extent[2] as usize {
        for row in 0..height {
            let at = rows.offset_bytes + z * rows.layer_bytes + row * rows.row_bytes;
            buffer.memory.copy(at, &texture.memory, plane.row(from, z, row), width * plane.layout.texel_bytes);
        }
    }
}

/// Texture to texture of the same block size; all samples travel.
pub fn between(from: &Texture, source: &Region, to: &Texture, target: &Region, extent: Extent) {
    let (read, write) = (Plane::new(from, source), Plane::new(to, target));
    assert_eq!(read.layout.texel_bytes, write.layout.texel_bytes, "copy between unlike formats");
    let (width, height) = read.blocks(extent);
    for z in 0..extent[2] as usize {
        for row in 0..height {
            let count_bytes = width * read.layout.texel_bytes;
            to.memory.copy(write.row(target, z, row), &from.memory, read.row(source, z, row), count_bytes);
        }
    }
}
