//! Targets: one sample of one texel at a time, and the load, store and resolve operations.
//!
//! Source: `docs/adapter-rules.md`, Output.

use wgpu_types::{Color, TextureAspect, TextureFormat};

use super::bytes;
use super::texel;
use super::value::Scalar;
use crate::store::{LevelLayout, TextureView};
use crate::work::{ColorTarget, DepthStencilTarget, Load};

/// A single level and layer of a texture.
#[derive(Clone, Copy)]
pub struct Target<'a> {
    view: &'a TextureView,
    pub format: TextureFormat,
    layout: LevelLayout,
    layer: u32,
    sample_count: u32,
}

impl<'a> Target<'a> {
    /// The colour or depth plane.
    pub fn new(view: &'a TextureView, slice: u32) -> Target<'a> {
        let layout = view.texture.levels[view.base_mip as usize];
        let layer = view.base_layer + slice;
        Target { view, format: view.format, layout, layer, sample_count: view.texture.sample_count }
    }

    /// The depth plane, if the format has one.
    pub fn depth(target: &'a DepthStencilTarget) -> Option<Target<'a>> {
        let format = target.view.texture.format;
        (format != TextureFormat::Stencil8).then(|| Target { format, ..Target::new(&target.view, 0) })
    }

    /// The stencil plane, if the format has one.
    pub fn stencil(target: &'a DepthStencilTarget) -> Option<Target<'a>> {
        let view = &target.view;
        let layout = *view.texture.stencil_levels.get(view.base_mip as usize)?;
        let sample_count = view.texture.sample_count;
        Some(Target { view, format: TextureFormat::Stencil8, layout, layer: view.base_layer, sample_count })
    }

    /// Where a sample lies, and how many bytes it has.
    fn place(&self, x: u32, y: u32, sample: u32) -> (usize, usize) {
        let size = self.layout.texel_bytes / self.sample_count as usize;
        let at = self.layout.offset_bytes
            + self.layer as usize * self.layout.layer_bytes
            + y as usize * self.layout.row_bytes
            + x as usize * self.layout.texel_bytes
            + sample as usize * size;
        (at, size)
    }

    pub fn bytes(&self, x: u32, y: u32, sample: u32) -> Vec<u8> {
        let (at, size) = self.place(x, y, sample);
        (at..at + size).map(|at| bytes::read::<1>(&self.view.texture.memory, at)[0]).collect()
    }

    pub fn set_bytes(&self, x: u32, y: u32, sample: u32, new: &[u8]) {
        let (at, size) = self.place(x, y, sample);
        assert_eq!(size, new.len(), "a sample of {:?}", self.format);
        for (i, &byte) in new.iter().enumerate() {
            bytes::write(&self.view.texture.memory, at + i, [byte]);
        }
    }

    /// The stored colour as linear floats.
    pub fn color(&self, x: u32, y: u32, sample: u32) -> [f32; 4] {
        let raw = texel::raw(self.format, TextureAspect::All, &self.bytes(x, y, sample));
        texel::unit(self.format, raw.map(Scalar::f32))
    }

    fn for_each_sample(&self, mut f: impl FnMut(u32, u32, u32)) {
        for y in 0..self.layout.height {
            for x in 0..self.layout.width {
                for sample in 0..self.sample_count {
                    f(x, y, sample);
                }
            }
        }
    }

    fn fill(&self, texel: &[u8]) {
        self.for_each_sample(|x, y, sample| self.set_bytes(x, y, sample, texel));
    }
}

/// A clear colour as a target's texel.
fn clear_texel(format: TextureFormat, color: Color) -> Vec<u8> {
    let channels = [color.r, color.g, color.b, color.a];
    let value = channels.map(|v| match texel::is_integer(format, TextureAspect::All) {
        Some(naga::ScalarKind::Sint) => Scalar::I32(v as i32),
        Some(_) => Scalar::U32(v as u32),
        None => Scalar::F32(v as f32),
    });
    texel::encode(format, &value)
}

/// What a depth becomes when it is stored.
pub fn depth_bytes(format: TextureFormat, depth: f32) -> Vec<u8> {
    match format {
        TextureFormat::Depth16Unorm => (texel::unorm(depth, 16) as u16).to_le_bytes().to_vec(),
        _ => Scalar::F32(depth).bits().to_le_bytes().to_vec(),
    }
}

/// Load operations.
pub fn load(colors: &[Option<ColorTarget>], depth_stencil: Option<&DepthStencilTarget>) {
    for color in colors.iter().flatten() {
        if let Load::Clear(value) = color.load {
            let target = Target::new(&color.view, color.depth_slice);
            target.fill(&clear_texel(target.format, value));
        }
    }
    if let Some(both) = depth_stencil {
        if let (Load::Clear(depth), Some(target)) = (both.depth_load, Target::depth(both)) {
            target.fill(&depth_bytes(target.format, depth));
        }
        if let (Load::Clear(stencil), Some(target)) = (both.stencil_load, Target::stencil(both)) {
            target.fill(&[stencil as u8]);
        }
    }
}

/// Resolves: the mean of four samples in linear space.
pub fn resolve(colors: &[Option<ColorTarget>]) {
    for color in colors.iter().flatten() {
        let Some(into) = &color.resolve else { continue };
        let from = Target::new(&color.view, color.depth_slice);
        let into = Target::new(into, 0);
        into.for_each_sample(|x, y, _| {
            let s = [0, 1, 2, 3].map(|sample| from.color(x, y, sample));
            let mean: [f32; 4] = std::array::from_fn(|c| (((s[0][c] + s[1][c]) + s[2][c]) + s[3][c]) * 0.25);
            into.set_bytes(x, y, 0, &texel::encode(into.format, &mean.map(Scalar::F32)));
        });
    }
}
