//! Tile: the memory in which 64x64 pixels of all attachments live while a pass draws into them.
//!
//! In: attachments with their load and store operations. Out: texels written once, resolves. Never here: primitives.

use wgpu_types as wgt;

use super::depth::{Bounds, TilePlane, clamp, quantise};
use super::order::{BLOCKS, TILE_AREA, TILE_PX};
use super::scene::Kernels;
use super::surface::{Rows, Surface, TileBox};
use super::texel::Texel;
use crate::store::TextureView;
use crate::work::{ColorTarget, DepthStencilTarget, Load, RenderPass};
use stillframe_base::lanes::{Block, LANES};

/// One colour attachment of a pass.
#[derive(Clone, Copy, Debug)]
pub struct Color<'a> {
    pub surface: Surface<'a>,
    pub texel: Texel,
    /// Words of the clear colour.
    pub clear: Option<[u32; 4]>,
    pub store: bool,
    pub resolve: Option<(Surface<'a>, Texel)>,
}

/// The depth or stencil plane of a pass's attachment.
#[derive(Clone, Copy, Debug)]
pub struct Plane<'a> {
    pub surface: Surface<'a>,
    /// The word of the clear value, as the tile holds it.
    pub clear: Option<u32>,
    pub store: bool,
}

/// All attachments of a pass.
#[derive(Clone, Debug)]
pub struct Attachments<'a> {
    pub samples: usize,
    pub colors: Vec<Option<Color<'a>>>,
    pub depth: Option<Plane<'a>>,
    pub stencil: Option<Plane<'a>>,
    /// Depth is 16-bit unorm: integers in f32 in the tile.
    pub quantised: bool,
}

fn color_surface(view: &TextureView, slice: u32, samples: usize) -> Surface<'_> {
    let layout = &view.texture.levels[view.base_mip as usize];
    Surface::new(&view.texture.memory, layout, (view.base_layer + slice) as usize, samples)
}

impl<'a> Attachments<'a> {
    pub fn new(pass: &'a RenderPass) -> Attachments<'a> {
        let samples = pass.sample_count as usize;
        let color = |target: &'a ColorTarget| {
            let texel = Texel::new(target.view.format);
            let clear = match target.load {
                Load::Keep => None,
                Load::Clear(color) => Some(texel.encode_one(clear_bits(&texel, color))),
            };
            let resolve = target.resolve.as_ref().map(|view| (color_surface(view, 0, 1), Texel::new(view.format)));
            let surface = color_surface(&target.view, target.depth_slice, samples);
            Color { surface, texel, clear, store: target.store, resolve }
        };
        let both = pass.depth_stencil.as_ref();
        let quantised = both.is_some_and(|b| b.view.texture.format == wgt::TextureFormat::Depth16Unorm);
        Attachments {
            samples,
            colors: pass.color.iter().map(|target| target.as_ref().map(color)).collect(),
            depth: both.and_then(|both| depth_plane(both, samples, quantised)),
            stencil: both.and_then(|both| stencil_plane(both, samples)),
            quantised,
        }
    }

    /// The operations of a round that is not the last: everything is stored, nothing resolved.
    #[must_use]
    pub fn between_rounds(&self) -> Attachments<'a> {
        let mut out = self.clone();
        for color in out.colors.iter_mut().flatten() {
            color.store = true;
            color.resolve = None;
        }
        for plane in [&mut out.depth, &mut out.stencil].into_iter().flatten() {
            plane.store = true;
        }
        out
    }

    /// After a round: what was cleared is kept from here on.
    pub fn keep_contents(&mut self) {
        for color in self.colors.iter_mut().flatten() {
            color.clear = None;
        }
        for plane in [&mut self.depth, &mut self.stencil].into_iter().flatten() {
            plane.clear = None;
        }
    }

    /// Whether a tile without primitives has anything to do.
    pub fn touch_empty_tiles(&self) -> bool {
        let color = |c: &Color<'_>| c.clear.is_some() || c.resolve.is_some();
        let plane = |p: &Plane<'_>| p.clear.is_some();
        self.colors.iter().flatten().any(color)
            || self.depth.as_ref().is_some_and(plane)
            || self.stencil.as_ref().is_some_and(plane)
    }
}

fn depth_plane(both: &DepthStencilTarget, samples: usize, quantised: bool) -> Option<Plane<'_>> {
    let texture = &both.view.texture;
    let layout = texture.levels.get(both.view.base_mip as usize)?;
    let surface = Surface::new(&texture.memory, layout, both.view.base_layer as usize, samples);
    let clear = match both.depth_load {
        Load::Keep => None,
        Load::Clear(z) if quantised => Some(quantise(clamp(z, 0.0, 1.0)).to_bits()),
        Load::Clear(z) => Some(z.to_bits()),
    };
    Some(Plane { surface, clear, store: both.depth_store })
}

fn stencil_plane(both: &DepthStencilTarget, samples: usize) -> Option<Plane<'_>> {
    let texture = &both.view.texture;
    let layout = texture.stencil_levels.get(both.view.base_mip as usize)?;
    let surface = Surface::new(&texture.memory, layout, both.view.base_layer as usize, samples);
    let clear = match both.stencil_load {
        Load::Keep => None,
        Load::Clear(value) => Some(value & 0xFF),
    };
    Some(Plane { surface, clear, store: both.stencil_store })
}

/// A clear colour as bits of the format's kind.
fn clear_bits(texel: &Texel, color: wgt::Color) -> [u32; 4] {
    use crate::store::format::Kind;
    [color.r, color.g, color.b, color.a].map(|v| match texel.format.kind {
        Kind::Float => (v as f32).to_bits(),
        Kind::Uint => v as u32,
        Kind::Sint => v as i32 as u32,
    })
}

/// The planes of one thread's tile. Kept between tiles and passes.
#[derive(Debug)]
pub struct Tile {
    pub at: TileBox,
    /// By attachment, then by sample and word.
    pub colors: Vec<Vec<Box<TilePlane>>>,
    /// By sample, as f32.
    pub depth: Vec<Box<TilePlane>>,
    pub stencil: Vec<Box<TilePlane>>,
    pub bounds: Bounds,
    rows: Box<Rows>,
    resolve: Box<[[Block; 4]; 3]>,
}

impl Default for Tile {
    fn default() -> Tile {
        Tile {
            at: TileBox { x: 0, y: 0, width: 0, height: 0 },
            colors: Vec::new(),
            depth: Vec::new(),
            stencil: Vec::new(),
            bounds: Bounds::unknown(),
            rows: Box::default(),
            resolve: Box::new([[Block::ZERO; 4]; 3]),
        }
    }
}

impl Tile {
    /// Goes to a tile of the target.
    pub fn place(&mut self, pass: &RenderPass, x: usize, y: usize) {
        let (left, top) = (x * TILE_PX, y * TILE_PX);
        self.at = TileBox {
            x: left,
            y: top,
            width: TILE_PX.min(pass.width_px as usize - left),
            height: TILE_PX.min(pass.height_px as usize - top),
        };
    }

    /// Carries out the load operations.
    pub fn load(&mut self, attachments: &Attachments<'_>) {
        let samples = attachments.samples;
        let rows = &mut *self.rows;
        self.colors.resize_with(attachments.colors.len().max(self.colors.len()), Vec::new);
        for (color, planes) in attachments.colors.iter().zip(&mut self.colors) {
            let Some(color) = color else { continue };
            let words = color.texel.words;
            resize(planes, samples * words);
            match color.clear {
                Some(clear) => {
                    for (k, plane) in planes.iter_mut().enumerate() {
                        plane.0.fill(clear[k % words]);
                    }
                }
                None => color.surface.read(&self.at, planes, rows),
            }
        }
        if let Some(depth) = &attachments.depth {
            resize(&mut self.depth, samples);
            match depth.clear {
                Some(clear) => {
                    self.depth.iter_mut().for_each(|plane| plane.0.fill(clear));
                    self.bounds = Bounds::splat(f32::from_bits(clear));
                }
                None => {
                    depth.surface.read(&self.at, &mut self.depth, rows);
                    if attachments.quantised {
                        self.depth.iter_mut().for_each(|p| p.0.iter_mut().for_each(|v| *v = (*v as f32).to_bits()));
                    }
                    self.bounds = measured(&self.depth);
                }
            }
        } else {
            self.depth.clear();
        }
        if let Some(stencil) = &attachments.stencil {
            resize(&mut self.stencil, samples);
            match stencil.clear {
                Some(clear) => self.stencil.iter_mut().for_each(|plane| plane.0.fill(clear)),
                None => stencil.surface.read(&self.at, &mut self.stencil, rows),
            }
        }
    }

    /// Carries out the resolves and the store operations.
    pub fn store(&mut self, attachments: &Attachments<'_>, kernels: &Kernels) {
        for (index, color) in attachments.colors.iter().enumerate() {
            let Some(color) = color else { continue };
            if color.store {
                color.surface.write(&self.at, &self.colors[index], &mut self.rows);
            }
            if let Some((surface, texel)) = &color.resolve {
                self.resolve(index, attachments.samples, &color.texel, texel, kernels);
                // The first sample's planes hold the result: the tile is done with.
                surface.write(&self.at, &self.colors[index], &mut self.rows);
            }
        }
        if let Some(depth) = &attachments.depth
            && depth.store
        {
            if attachments.quantised {
                for plane in &mut self.depth {
                    plane.0.iter_mut().for_each(|v| *v = f32::from_bits(*v) as u32);
                }
            }
            depth.surface.write(&self.at, &self.depth, &mut self.rows);
        }
        if let Some(stencil) = &attachments.stencil
            && stencil.store
        {
            stencil.surface.write(&self.at, &self.stencil, &mut self.rows);
        }
    }

    /// What load and store do where nothing is drawn between them, without the detour through the tile.
    pub fn clear_only(&mut self, attachments: &Attachments<'_>, kernels: &Kernels) {
        for (index, color) in attachments.colors.iter().enumerate() {
            let Some(color) = color else { continue };
            if let (Some(words), true) = (color.clear, color.store) {
                color.surface.fill(&self.at, words, &mut self.rows);
            }
            if let Some((surface, texel)) = &color.resolve {
                let words = color.texel.words;
                self.colors.resize_with(attachments.colors.len().max(self.colors.len()), Vec::new);
                let planes = &mut self.colors[index];
                resize(planes, attachments.samples * words);
                match color.clear {
                    Some(clear) => {
                        for (k, plane) in planes.iter_mut().enumerate() {
                            plane.0.fill(clear[k % words]);
                        }
                    }
                    None => color.surface.read(&self.at, planes, &mut self.rows),
                }
                self.resolve(index, attachments.samples, &color.texel, texel, kernels);
                surface.write(&self.at, &self.colors[index], &mut self.rows);
            }
        }
        if let Some(depth) = &attachments.depth
            && let (Some(word), true) = (depth.clear, depth.store)
        {
            let word = if attachments.quantised { f32::from_bits(word) as u32 } else { word };
            depth.surface.fill(&self.at, [word, 0, 0, 0], &mut self.rows);
        }
        if let Some(stencil) = &attachments.stencil
            && let (Some(word), true) = (stencil.clear, stencil.store)
        {
            stencil.surface.fill(&self.at, [word, 0, 0, 0], &mut self.rows);
        }
    }

    /// The mean of the samples of attachment `index` becomes the words of its first sample.
    fn resolve(&mut self, index: usize, samples: usize, from: &Texel, into: &Texel, kernels: &Kernels) {
        let planes = &mut self.colors[index];
        let words = from.words;
        let [stored, sum, next] = &mut *self.resolve;
        for start in (0..TILE_AREA).step_by(LANES) {
            let group = start..start + LANES;
            let same =
                |w: usize| (1..samples).all(|s| planes[s * words + w].0[group.clone()] == planes[w].0[group.clone()]);
            if from.mean_of_equals_is_itself() && from.format == into.format && (0..words).all(same) {
                continue;
            }
            for s in 0..samples {
                for w in 0..words {
                    stored[w].0.copy_from_slice(&planes[s * words + w].0[group.clone()]);
                }
                from.decode(&kernels.texel, stored, if s == 0 { sum } else { next }, LANES);
                if s > 0 {
                    for k in 0..4 {
                        let (sum, next) = (sum[k].as_f32_mut(), next[k].as_f32());
                        sum.iter_mut().zip(next).for_each(|(sum, next)| *sum += next);
                    }
                }
            }
            sum.iter_mut().for_each(|block| block.as_f32_mut().iter_mut().for_each(|v| *v *= 0.25));
            into.encode(&kernels.texel, sum.each_ref(), stored, LANES);
            for w in 0..into.words {
                planes[w].0[group.clone()].copy_from_slice(&stored[w].0);
            }
        }
    }
}

fn resize(planes: &mut Vec<Box<TilePlane>>, count: usize) {
    planes.resize_with(count, TilePlane::boxed);
}

fn measured(planes: &[Box<TilePlane>]) -> Bounds {
    let mut bounds = Bounds { low: [f32::INFINITY; BLOCKS], high: [f32::NEG_INFINITY; BLOCKS], age: [0; BLOCKS] };
    for plane in planes {
        for (block, values) in plane.as_f32().as_chunks::<64>().0.iter().enumerate() {
            for &z in values {
                bounds.low[block] = if z < bounds.low[block] { z } else { bounds.low[block] };
                bounds.high[block] = if z > bounds.high[block] { z } else { bounds.high[block] };
            }
        }
    }
    bounds
}
