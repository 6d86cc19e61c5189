//! Source: a view made ready for lookups: its format, its levels, its layers.

use wgpu_types as wgt;

use super::lanes::Layers;
use crate::store::format::{Coding, Format, Kind};
use crate::store::{LevelLayout, TextureView};

/// What a lookup reads.
#[derive(Debug)]
pub struct Source<'a> {
    pub format: Format,
    /// Levels of the view, from its base on; never empty.
    pub levels: &'a [LevelLayout],
    pub dimension: wgt::TextureViewDimension,
    pub base_layer: u32,
    pub layer_count: u32,
    /// References are clamped to what the format can hold.
    pub clamps_reference: bool,
    /// Start of the texture's memory.
    start: *const u8,
}

// The pointer is read only, within the memory that the borrowed view keeps alive.
impl<'a> Source<'a> {
    pub fn new(view: &'a TextureView) -> Source<'a> {
        let plane = view.texture.plane(view.aspect);
        let end = (view.base_mip + view.mip_count) as usize;
        Source {
            format: Format::new(view.format, view.aspect),
            levels: &plane[view.base_mip as usize..end],
            dimension: view.dimension,
            base_layer: view.base_layer,
            layer_count: view.layer_count,
            clamps_reference: matches!(
                view.format,
                wgt::TextureFormat::Depth16Unorm
                    | wgt::TextureFormat::Depth24Plus
                    | wgt::TextureFormat::Depth24PlusStencil8
            ),
            start: view.texture.memory.as_ptr(),
        }
    }

    /// Start of the texture's memory.
    pub fn start(&self) -> *const u8 {
        self.start
    }

    pub fn is_cube(&self) -> bool {
        matches!(self.dimension, wgt::TextureViewDimension::Cube | wgt::TextureViewDimension::CubeArray)
    }

    /// Coordinates that address texels within a layer or volume.
    pub fn axes(&self) -> usize {
        match self.dimension {
            wgt::TextureViewDimension::D1 => 1,
            wgt::TextureViewDimension::D3 => 3,
            _ => 2,
        }
    }

    /// The layers that indices name.
    pub fn layers(&self) -> Layers {
        let faces = if self.is_cube() { 6 } else { 1 };
        Layers { base: self.base_layer, last: (self.layer_count / faces) as i32 - 1, faces }
    }

    /// Byte offset of a texel or of the block that holds it.
    pub fn offset_bytes(&self, level: &LevelLayout, x: u32, y: u32, layer: u32) -> usize {
        debug_assert!(x < level.width && y < level.height && layer < level.depth_or_layers);
        let shift = if matches!(self.format.coding, Coding::Block(_)) { 2 } else { 0 };
        let (x, y) = ((x >> shift) as usize, (y >> shift) as usize);
        level.offset_bytes + layer as usize * level.layer_bytes + y * level.row_bytes + x * level.texel_bytes
    }

    /// Copies the bytes of one sample of a texel, or of the block that holds it. `layer` is a slice for 3-D.
    #[expect(unsafe_code, reason = "shared device memory")]
    fn bytes(&self, level: &LevelLayout, x: u32, y: u32, layer: u32, sample: u32) -> [u8; 16] {
        let at = self.offset_bytes(level, x, y, layer) + sample as usize * self.format.bytes;
        let mut bytes = [0; 16];
        // SAFETY: x, y, layer and sample are inside the level (asserted where they are made), so the texel's at most 16
        // bytes lie inside the memory that the view behind `self` keeps alive; nobody writes while shaders read.
        unsafe { self.start.add(at).copy_to_nonoverlapping(bytes.as_mut_ptr(), self.format.bytes) };
        bytes
    }

    /// Raw values of a texel.
    pub fn raw(&self, level: &LevelLayout, x: u32, y: u32, layer: u32, sample: u32) -> [f32; 4] {
        let bytes = self.bytes(level, x, y, layer, sample);
        match self.format.coding {
            Coding::Block(_) => self.format.raw_in_block(&bytes, x & 3, y & 3),
            _ => self.format.raw(&bytes),
        }
    }

    /// Units or integers of a texel, as bits.
    pub fn bits(&self, level: &LevelLayout, x: u32, y: u32, layer: u32, sample: u32) -> [u32; 4] {
        if self.format.kind == Kind::Float {
            let raw = self.raw(level, x, y, layer, sample);
            [0, 1, 2, 3].map(|i| self.format.unit(i, raw[i]).to_bits())
        } else {
            self.format.integers(&self.bytes(level, x, y, layer, sample))
        }
    }
}
