//! Each: a lookup of one lane, for every view, format and sampler. Slow and complete: the wide kernels take the common
//! cases away from here and must agree with it bit for bit. Rules: `docs/adapter-rules.md`, "Textures".

use wgpu_types as wgt;

use super::lanes::{max, min};
use super::level::{self, Detail};
use super::source::Source;
use super::{Lookup, cube};
use crate::store::format::Kind;
use crate::store::{LevelLayout, Sampler};

/// The texels of one footprint: indices by axis, before the address mode, and weights.
struct Footprint {
    low: [i32; 3],
    weight: [f32; 3],
}

/// Everything that is the same for all lanes of a lookup.
pub struct Call<'a> {
    pub source: &'a Source<'a>,
    pub sampler: &'a Sampler,
    pub lookup: &'a Lookup<'a>,
    pub detail: Option<&'a Detail>,
}

/// Where a lane looks, in one layer or face.
#[derive(Clone, Copy)]
struct At {
    /// Normalised coordinates.
    coords: [f32; 3],
    /// First layer of the array element.
    layer: u32,
    /// Face of a cube, else 0.
    face: usize,
    reference: f32,
}

fn clean(x: f32) -> f32 {
    min(max(x, -1_073_741_824.0), 1_073_741_824.0)
}

fn lerp(a: [f32; 4], b: [f32; 4], w: f32) -> [f32; 4] {
    [0, 1, 2, 3].map(|i| a[i] + (b[i] - a[i]) * w)
}

impl Call<'_> {
    /// The result of one lane, as bits.
    pub fn lane(&self, lane: usize) -> [u32; 4] {
        let at = self.at(lane);
        if let Some(component) = self.lookup.gather {
            return self.gather(&at, component as usize);
        }
        let raw = match self.detail.and_then(|detail| detail.taps.as_ref()) {
            Some(taps) if taps.count[lane] > 1.0 => {
                let n = taps.count[lane];
                let mut sum = [0.0; 4];
                for tap in 0..n as usize {
                    let t = (tap as f32 + 0.5) / n - 0.5;
                    let mut moved = at;
                    moved.coords[0] = at.coords[0] + taps.major[0][lane] * t;
                    moved.coords[1] = at.coords[1] + taps.major[1][lane] * t;
                    let value = self.levels(&moved, lane);
                    sum = if tap == 0 { value } else { [0, 1, 2, 3].map(|i| sum[i] + value[i]) };
                }
                sum.map(|value| value / n)
            }
            _ => self.levels(&at, lane),
        };
        self.units(raw)
    }

    /// Raw values to what the shader sees; a comparison's result is that already.
    fn units(&self, raw: [f32; 4]) -> [u32; 4] {
        if self.lookup.compare.is_some() {
            return raw.map(f32::to_bits);
        }
        [0, 1, 2, 3].map(|i| self.source.format.unit(i, raw[i]).to_bits())
    }

    fn at(&self, lane: usize) -> At {
        let coords = self.lookup.coords.map(|block| block.as_f32()[lane]);
        let layer = self.source.layers().at(self.lookup.layer.map_or(0, |block| block.as_i32()[lane]));
        let mut reference = self.lookup.compare.map_or(0.0, |block| block.as_f32()[lane]);
        if self.source.clamps_reference {
            reference = min(max(reference, 0.0), 1.0);
        }
        if !self.source.is_cube() {
            return At { coords, layer, face: 0, reference };
        }
        let face = cube::Face::new(coords);
        let [s, t, ma] = face.project(coords);
        let coords = [s / ma * 0.5 + 0.5, t / ma * 0.5 + 0.5, 0.0];
        At { coords, layer, face: face.index() as usize, reference }
    }

    /// Both mip levels.
    fn levels(&self, at: &At, lane: usize) -> [f32; 4] {
        let levels = self.source.levels;
        let lambda = self.detail.map_or(0.0, |detail| detail.lambda.at(lane));
        let filter = if lambda <= 0.0 { self.sampler.mag_filter } else { self.sampler.min_filter };
        let (low, high, fraction) = level::pick_one(lambda, levels.len(), self.sampler.mipmap_filter);
        let near = self.filtered(at, &levels[low], filter);
        if fraction == 0.0 {
            return near;
        }
        lerp(near, self.filtered(at, &levels[high], filter), fraction)
    }

    /// A linear footprint on the face of a cube whose first layer is `layer`.
    pub fn cube_linear(&self, coords: [f32; 2], layer: u32, face: usize, level: usize, reference: f32) -> [f32; 4] {
        let at = At { coords: [coords[0], coords[1], 0.0], layer, face, reference };
        self.filtered(&at, &self.source.levels[level], wgt::FilterMode::Linear)
    }

    fn filtered(&self, at: &At, level: &LevelLayout, filter: wgt::FilterMode) -> [f32; 4] {
        let axes = self.source.axes();
        match filter {
            wgt::FilterMode::Nearest => {
                let index = self.nearest(at, level);
                self.texel(at, level, index)
            }
            wgt::FilterMode::Linear => {
                let foot = self.footprint(at, level);
                let slice = |z: i32| {
                    let row = |y: i32| {
                        let at_x = |x: i32| self.texel(at, level, [foot.low[0] + x, y, z]);
                        lerp(at_x(0), at_x(1), foot.weight[0])
                    };
                    if axes == 1 {
                        return row(0);
                    }
                    lerp(row(foot.low[1]), row(foot.low[1] + 1), foot.weight[1])
                };
                if axes < 3 {
                    return slice(0);
                }
                lerp(slice(foot.low[2]), slice(foot.low[2] + 1), foot.weight[2])
            }
        }
    }

    fn nearest(&self, at: &At, level: &LevelLayout) -> [i32; 3] {
        let size = [level.width, level.height, level.depth_or_layers];
        let mut index = [0; 3];
        for axis in 0..self.source.axes() {
            index[axis] = clean(at.coords[axis] * size[axis] as f32).floor() as i32 + self.lookup.offset[axis];
            if self.source.is_cube() {
                index[axis] = index[axis].clamp(0, size[axis] as i32 - 1);
            }
        }
        index
    }

    fn footprint(&self, at: &At, level: &LevelLayout) -> Footprint {
        let size = [level.width, level.height, level.depth_or_layers];
        let mut foot = Footprint { low: [0; 3], weight: [0.0; 3] };
        for axis in 0..self.source.axes() {
            let x = clean(at.coords[axis] * size[axis] as f32 - 0.5);
            let f = x.floor();
            foot.weight[axis] = x - f;
            foot.low[axis] = f as i32 + self.lookup.offset[axis];
        }
        foot
    }

    /// Raw value (or comparison's result) of the texel at unwrapped indices.
    fn texel(&self, at: &At, level: &LevelLayout, index: [i32; 3]) -> [f32; 4] {
        if self.source.is_cube() {
            return self.cube_texel(at, level, index);
        }
        match self.wrap(level, index) {
            Some([x, y, z]) => {
                let layer = if self.source.axes() == 3 { z } else { at.layer };
                self.compared(self.source.raw(level, x, y, layer, 0), at.reference)
            }
            None => self.compared(self.border(), at.reference),
        }
    }

    fn cube_texel(&self, at: &At, level: &LevelLayout, index: [i32; 3]) -> [f32; 4] {
        let n = level.width as i32;
        let read = |x: i32, y: i32| {
            let place = cube::across(cube::Place { face: at.face, x, y }, n);
            let layer = at.layer + place.face as u32;
            self.compared(self.source.raw(level, place.x as u32, place.y as u32, layer, 0), at.reference)
        };
        // Far outside only for directions without a face (zero, NaN): the nearest texel outside.
        let [x, y] = [index[0].clamp(-1, n), index[1].clamp(-1, n)];
        let inside = |i: i32| (0..n).contains(&i);
        if inside(x) || inside(y) {
            return read(x, y);
        }
        let (near_x, near_y) = (x.clamp(0, n - 1), y.clamp(0, n - 1));
        let b = read(x, near_y);
        if self.lookup.gather.is_some() {
            return b;
        }
        let (a, c) = (read(near_x, near_y), read(near_x, y));
        [0, 1, 2, 3].map(|i| ((a[i] + b[i]) + c[i]) * f32::from_bits(0x3EAA_AAAB))
    }

    /// Indices inside the level; `None` for the border.
    fn wrap(&self, level: &LevelLayout, index: [i32; 3]) -> Option<[u32; 3]> {
        let size = [level.width, level.height, level.depth_or_layers];
        let mut out = [0; 3];
        for axis in 0..self.source.axes() {
            out[axis] = wrap(self.sampler.address_modes[axis], index[axis], size[axis] as i32)? as u32;
        }
        Some(out)
    }

    fn border(&self) -> [f32; 4] {
        use wgt::SamplerBorderColor as Border;
        let ones = match self.sampler.border_color {
            Some(Border::OpaqueWhite) => [true; 4],
            Some(Border::OpaqueBlack) => [false, false, false, true],
            Some(Border::TransparentBlack | Border::Zero) | None => [false; 4],
        };
        [0, 1, 2, 3].map(|i| self.source.format.raw_of_border(i, ones[i]))
    }

    fn compared(&self, raw: [f32; 4], reference: f32) -> [f32; 4] {
        if self.lookup.compare.is_none() {
            return raw;
        }
        let holds = compare(self.sampler.compare.unwrap_or(wgt::CompareFunction::Always), reference, raw[0]);
        [if holds { 1.0 } else { 0.0 }; 4]
    }

    fn gather(&self, at: &At, component: usize) -> [u32; 4] {
        let level = &self.source.levels[0];
        let foot = self.footprint(at, level);
        [(0, 1), (1, 1), (1, 0), (0, 0)].map(|(x, y)| {
            let index = [foot.low[0] + x, foot.low[1] + y, 0];
            if self.source.format.kind != Kind::Float {
                return self.integer_texel(at, level, index, component);
            }
            let raw = self.texel(at, level, index);
            if self.lookup.compare.is_some() { raw[0].to_bits() } else { self.units(raw)[component] }
        })
    }

    /// One integer component of the texel at unwrapped indices.
    fn integer_texel(&self, at: &At, level: &LevelLayout, index: [i32; 3], component: usize) -> u32 {
        if self.source.is_cube() {
            let n = level.width as i32;
            let [x, y] = [index[0].clamp(-1, n), index[1].clamp(-1, n)];
            let y = if (0..n).contains(&x) { y } else { y.clamp(0, n - 1) };
            let place = cube::across(cube::Place { face: at.face, x, y }, n);
            let layer = at.layer + place.face as u32;
            return self.source.bits(level, place.x as u32, place.y as u32, layer, 0)[component];
        }
        match self.wrap(level, index) {
            Some([x, y, _]) => self.source.bits(level, x, y, at.layer, 0)[component],
            None => self.border()[component] as u32,
        }
    }
}

/// An index inside `0..n`; `None` for the border.
pub fn wrap(mode: wgt::AddressMode, index: i32, n: i32) -> Option<i32> {
    match mode {
        wgt::AddressMode::ClampToEdge => Some(index.clamp(0, n - 1)),
        wgt::AddressMode::Repeat => Some(index.rem_euclid(n)),
        wgt::AddressMode::MirrorRepeat => {
            let m = index.rem_euclid(2 * n);
            Some(if m < n { m } else { 2 * n - 1 - m })
        }
        wgt::AddressMode::ClampToBorder => (0..n).contains(&index).then_some(index),
    }
}

/// `reference op texel`.
#[inline(always)]
pub fn compare(function: wgt::CompareFunction, reference: f32, texel: f32) -> bool {
    match function {
        wgt::CompareFunction::Never => false,
        wgt::CompareFunction::Less => reference < texel,
        wgt::CompareFunction::Equal => reference == texel,
        wgt::CompareFunction::LessEqual => reference <= texel,
        wgt::CompareFunction::Greater => reference > texel,
        wgt::CompareFunction::NotEqual => reference != texel,
        wgt::CompareFunction::GreaterEqual => reference >= texel,
        wgt::CompareFunction::Always => true,
    }
}
