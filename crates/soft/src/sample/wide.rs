//! Wide: the common lookups, whole blocks at a time. Chooses kernels once a call; the kernels are in `axis` and
//! `texel`.
//!
//! Taken: 2-D, 2-D array and cube views of the formats of [`Texture`], without borders and gathers, one filter for
//! magnification and minification. Everything else is left to `each`, which defines the result.

use stillframe_base::lanes::{Block, Isa, LANES, LaneMask};
use wgpu_types as wgt;

use super::Lookup;
use super::axis::{self, Corners, Ends, LEVELS, Sizes, Wrap};
use super::cube::{self, Faces, Spots};
use super::each::Call;
use super::lanes::{self, Lanes, clamp_unit, max};
use super::level::{self, Lambda, Picked};
use super::source::Source;
use super::texel::{self, Comparison, Raw, Texels};
use crate::store::Sampler;
use crate::store::format::{Coding, Format, Scale};

/// Formats with kernels of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    Unorm8,
    Srgb8,
    Float16,
    Float32,
    OneUnorm8,
    OneFloat32,
    Depth16,
    Compare32,
    Compare16,
}

impl Kernel {
    pub fn new(source: &Source<'_>, compares: bool) -> Option<Kernel> {
        let format = &source.format;
        match (format.coding, format.components, compares) {
            (Coding::Float32, 1, true) => Some(Kernel::Compare32),
            (Coding::Depth16, 1, true) => Some(Kernel::Compare16),
            (_, _, true) => None,
            (Coding::Unorm8, 4, _) => Some(if format.srgb { Kernel::Srgb8 } else { Kernel::Unorm8 }),
            (Coding::Float16, 4, _) => Some(Kernel::Float16),
            (Coding::Float32, 4, _) => Some(Kernel::Float32),
            (Coding::Unorm8, 1, _) => Some(Kernel::OneUnorm8),
            (Coding::Float32, 1, _) => Some(Kernel::OneFloat32),
            (Coding::Depth16, 1, _) => Some(Kernel::Depth16),
            _ => None,
        }
    }

    /// Components that the kernel gives.
    fn components(self) -> usize {
        if matches!(self, Kernel::Unorm8 | Kernel::Srgb8 | Kernel::Float16 | Kernel::Float32) { 4 } else { 1 }
    }

    /// The texels at `at.corners.offsets[0]`, as they are in memory.
    pub fn nearest(
        self,
        isa: Isa,
        source: &Source<'_>,
        at: &Texels<'_>,
        compare: Compare<'_>,
        raw: &mut Raw,
        count: usize,
    ) {
        let swap = source.format.bgra;
        match self {
            Kernel::Unorm8 => texel::nearest_unorm8(isa)(raw, swap, at, count),
            Kernel::Srgb8 => texel::nearest_srgb8(isa)(raw, swap, at, count),
            Kernel::Float16 => texel::nearest_float16(isa)(raw, at, count),
            Kernel::Float32 => texel::nearest_float32(isa)(raw, at, count),
            Kernel::OneUnorm8 => texel::nearest_one_unorm8(isa)(raw, at, count),
            Kernel::OneFloat32 => texel::nearest_one_float32(isa)(raw, at, count),
            Kernel::Depth16 => texel::nearest_depth16(isa)(raw, at, count),
            Kernel::Compare32 => texel::nearest_compare32(isa)(raw, at, compare.reference, compare.function, count),
            Kernel::Compare16 => texel::nearest_compare16(isa)(raw, at, compare.reference, compare.function, count),
        }
    }

    /// What texels are in memory becomes what shaders see.
    pub fn finish(self, isa: Isa, format: &Format, raw: &mut Raw, count: usize) {
        let components = self.components();
        if !matches!(self, Kernel::Compare32 | Kernel::Compare16) {
            for (component, lanes) in raw.iter_mut().enumerate().take(components) {
                let scale = if component == 3 { format.scale_of_alpha() } else { format.scale() };
                if scale != Scale::ONE {
                    texel::scale(isa)(lanes, scale, count);
                }
            }
        }
        if components == 1 {
            raw[1][..count].fill(0.0);
            raw[2][..count].fill(0.0);
            raw[3][..count].fill(1.0);
        }
    }
}

/// What comparing kernels compare with, and how.
#[derive(Clone, Copy)]
pub struct Compare<'a> {
    pub reference: &'a Lanes,
    pub function: Comparison,
}

/// A lookup that has kernels.
struct Plan<'a> {
    isa: Isa,
    kernel: Kernel,
    call: &'a Call<'a>,
    linear: bool,
    wrap: [Wrap; 2],
    x: Sizes,
    y: Sizes,
    /// Bytes from the texture's start to a level, and from one layer to the next.
    level_bytes: [u32; LEVELS],
    layer_bytes: [u32; LEVELS],
    comparison: Comparison,
    count: usize,
}

/// The level that each lane reads.
#[derive(Clone, Copy)]
enum Levels<'a> {
    One(u32),
    Each(&'a [u32; LANES]),
}

/// Where each lane looks.
struct Lookups<'a> {
    u: &'a Lanes,
    v: &'a Lanes,
    /// Layer, or first layer of the cube; `None` where that is the view's first for all lanes.
    layer: Option<&'a [u32; LANES]>,
    /// Of comparisons.
    reference: &'a Lanes,
    cube: Option<&'a Spots>,
}

/// Tries the wide kernels: false where there are none for this call.
pub fn lookup(isa: Isa, call: &Call<'_>, active: &LaneMask, out: &mut [Block; 4]) -> bool {
    let Some(plan) = Plan::new(isa, call, active) else { return false };
    let lookup = call.lookup;
    let mut layers = None;
    if let Some(index) = lookup.layer {
        lanes::layers(isa)(layers.insert([0; LANES]), index.as_i32(), call.source.layers(), plan.count);
    }
    let layer = layers.as_ref();
    let mut clamped = None;
    let reference: &Lanes = match lookup.compare {
        Some(block) if call.source.clamps_reference => {
            let clamped = clamped.insert([0.0; LANES]);
            clamp_unit(isa)(clamped, block.as_f32(), plan.count);
            clamped
        }
        Some(block) => block.as_f32(),
        None => &[0.0; LANES],
    };
    if call.source.is_cube() {
        let mut spots = Spots { u: [0.0; LANES], v: [0.0; LANES], face: [0; LANES] };
        cube::locate(isa)(&mut spots, &lookup.coords.map(|c| c.as_f32()), plan.count);
        let at = Lookups { u: &spots.u, v: &spots.v, layer, reference, cube: Some(&spots) };
        plan.run(&at, out);
    } else {
        let (u, v) = (lookup.coords[0].as_f32(), lookup.coords[1].as_f32());
        plan.run(&Lookups { u, v, layer, reference, cube: None }, out);
    }
    true
}

impl<'a> Plan<'a> {
    fn new(isa: Isa, call: &'a Call<'a>, active: &LaneMask) -> Option<Plan<'a>> {
        let (source, sampler, lookup): (&Source<'_>, &Sampler, &Lookup<'_>) = (call.source, call.sampler, call.lookup);
        let last = source.levels.last()?;
        let end_bytes = last.offset_bytes + last.layer_bytes * last.depth_or_layers as usize;
        let small = u32::try_from(end_bytes).is_ok() && source.levels.len() <= LEVELS;
        if source.axes() != 2 || lookup.gather.is_some() || sampler.mag_filter != sampler.min_filter || !small {
            return None;
        }
        let kernel = Kernel::new(source, lookup.compare.is_some())?;
        let first = &source.levels[0];
        let wrap = if source.is_cube() {
            [Wrap::Clamp; 2]
        } else {
            let modes = sampler.address_modes;
            [Wrap::new(modes[0], first.width)?, Wrap::new(modes[1], first.height)?]
        };
        let function = sampler.compare.unwrap_or(wgt::CompareFunction::Always);
        let mut plan = Plan {
            isa,
            kernel,
            call,
            linear: sampler.mag_filter == wgt::FilterMode::Linear,
            wrap,
            x: Sizes::default(),
            y: Sizes::default(),
            level_bytes: [0; LEVELS],
            layer_bytes: [0; LEVELS],
            comparison: Comparison::new(function),
            count: active.end().next_multiple_of(16),
        };
        for (i, level) in source.levels.iter().enumerate() {
            let axis = |sizes: &mut Sizes, count: u32, stride: usize| {
                sizes.size[i] = count as f32;
                sizes.count[i] = count as i32;
                sizes.stride[i] = stride as u32;
            };
            axis(&mut plan.x, level.width, level.texel_bytes);
            axis(&mut plan.y, level.height, level.row_bytes);
            plan.level_bytes[i] = level.offset_bytes as u32;
            plan.layer_bytes[i] = level.layer_bytes as u32;
        }
        Some(plan)
    }

    fn run(&self, at: &Lookups<'_>, out: &mut [Block; 4]) {
        let raw: &mut Raw = bytemuck::cast_mut(out);
        match self.call.detail {
            None => self.level(at, Levels::One(0), raw),
            Some(detail) => match &detail.taps {
                None => self.levels(at, &detail.lambda, raw),
                Some(taps) => self.taps(at, detail, taps, raw),
            },
        }
        self.kernel.finish(self.isa, &self.call.source.format, raw, self.count);
    }

    /// Several taps along the major axis, each with its levels.
    fn taps(&self, at: &Lookups<'_>, detail: &level::Detail, taps: &level::Taps, raw: &mut Raw) {
        let most = taps.count[..self.count].iter().fold(1.0, |a, &b| max(b, a));
        if most <= 1.0 {
            return self.levels(at, &detail.lambda, raw);
        }
        let mut tap_raw = [[0.0; LANES]; 4];
        let (mut u, mut v) = (*at.u, *at.v);
        for number in 0..most as usize {
            let number = number as f32;
            level::move_tap(self.isa)(&mut u, at.u, &taps.major[0], &taps.count, number, self.count);
            level::move_tap(self.isa)(&mut v, at.v, &taps.major[1], &taps.count, number, self.count);
            let moved = Lookups { u: &u, v: &v, ..*at };
            self.levels(&moved, &detail.lambda, &mut tap_raw);
            for (sum, tap) in raw.iter_mut().zip(&tap_raw).take(self.kernel.components()) {
                texel::add_tap(self.isa)(sum, tap, number, &taps.count, self.count);
            }
        }
        for sum in raw.iter_mut().take(self.kernel.components()) {
            texel::divide(self.isa)(sum, &taps.count, self.count);
        }
    }

    /// One or two mip levels.
    fn levels(&self, at: &Lookups<'_>, lambda: &Lambda, raw: &mut Raw) {
        let filter = self.call.sampler.mipmap_filter;
        let level_count = self.call.source.levels.len();
        let lambda = match lambda {
            Lambda::One(lambda) => {
                let (near, far, fraction) = level::pick_one(*lambda, level_count, filter);
                self.level(at, Levels::One(near as u32), raw);
                if fraction != 0.0 {
                    self.mix_with(at, Levels::One(far as u32), &[fraction; LANES], raw);
                }
                return;
            }
            Lambda::Each(lambda) => lambda,
        };
        let mut picked = Picked::ZERO;
        let linear = filter == wgt::MipmapFilterMode::Linear;
        let mixes = level::pick(self.isa)(&mut picked, lambda, level_count, linear, self.count);
        self.level(at, Levels::Each(&picked.near), raw);
        if mixes {
            self.mix_with(at, Levels::Each(&picked.far), &picked.fraction, raw);
        }
    }

    /// The second of two levels.
    fn mix_with(&self, at: &Lookups<'_>, far: Levels<'_>, fraction: &Lanes, raw: &mut Raw) {
        let mut far_raw = [[0.0; LANES]; 4];
        self.level(at, far, &mut far_raw);
        for (near, far) in raw.iter_mut().zip(&far_raw).take(self.kernel.components()) {
            texel::mix(self.isa)(near, far, fraction, self.count);
        }
    }

    /// Filters within the level of each lane.
    fn level(&self, at: &Lookups<'_>, levels: Levels<'_>, raw: &mut Raw) {
        let (isa, count) = (self.isa, self.count);
        let levels = match levels {
            Levels::Each(levels) if level::is_one_number(isa)(levels, count) => Levels::One(levels[0]),
            levels => levels,
        };
        let mut corners = Corners::new();
        if let (Some(spots), true) = (at.cube, self.linear) {
            let mut same = None;
            let levels = match levels {
                Levels::One(level) => &*same.insert([level; LANES]),
                Levels::Each(levels) => levels,
            };
            if cube::leaves(isa)(spots, &self.x, levels, count) {
                let mut corner = [0; LANES];
                let faces =
                    Faces { x: &self.x, y: &self.y, level_bytes: &self.level_bytes, layer_bytes: &self.layer_bytes };
                let layers = at.layer.copied().unwrap_or([self.call.source.base_layer; LANES]);
                cube::seams(isa)(&mut corners, &mut corner, spots, &faces, &layers, levels, count);
                let most = cube::most(isa)(&corner, count);
                if most == 0 {
                    self.filter(0, &corners, at.reference, raw);
                    return;
                }
                self.across_corners(&corners, &corner, at.reference, raw);
                if most == cube::FAR {
                    for lane in (0..count).filter(|lane| corner[*lane] == cube::FAR) {
                        self.mend_far(at, spots, lane, levels[lane] as usize, raw);
                    }
                }
                return;
            }
        }
        match (levels, at.layer, at.cube) {
            (Levels::One(level), None, None) if self.linear => self.flat(&mut corners, at, level as usize, raw),
            _ => {
                self.corners(&mut corners, at, levels);
                self.filter(0, &corners, at.reference, raw);
            }
        }
    }

    /// Filters within one level of one layer.
    fn flat(&self, corners: &mut Corners, at: &Lookups<'_>, level: usize, raw: &mut Raw) {
        let (isa, count, offset, [wrap_x, wrap_y]) = (self.isa, self.count, self.call.lookup.offset, self.wrap);
        let base = self.base(level);
        let mut x = Ends { low: axis::scratch(), high: axis::scratch() };
        axis::x_linear_one(isa)(&mut x, &mut corners.weights[0], at.u, &self.x, level, offset[0], wrap_x, count);
        axis::y_linear_flat(isa)(corners, &x, at.v, &self.y, level, offset[1], wrap_y, count);
        self.filter(base as usize, corners, at.reference, raw);
    }

    /// Where a level's first layer of the view starts.
    fn base(&self, level: usize) -> u32 {
        self.level_bytes[level].wrapping_add(self.call.source.base_layer.wrapping_mul(self.layer_bytes[level]))
    }

    /// Addresses where every index is wrapped by itself.
    fn corners(&self, corners: &mut Corners, at: &Lookups<'_>, levels: Levels<'_>) {
        let (isa, count) = (self.isa, self.count);
        let mut base = axis::scratch();
        let first_layer = [self.call.source.base_layer; LANES];
        let mut faces = [0; LANES];
        let layers = at.layer.unwrap_or(&first_layer);
        let layers = match at.cube {
            Some(spots) => {
                faces.iter_mut().zip(layers).zip(&spots.face).for_each(|((sum, layer), face)| *sum = layer + face);
                &faces
            }
            None => layers,
        };
        match levels {
            Levels::One(level) => {
                let level = level as usize;
                texel::bases_one(isa)(&mut base, layers, self.level_bytes[level], self.layer_bytes[level], count);
            }
            Levels::Each(levels) => {
                texel::bases(isa)(&mut base, levels, layers, &self.level_bytes, &self.layer_bytes, count);
            }
        }
        let (offset, [wrap_x, wrap_y], sizes_x, sizes_y) = (self.call.lookup.offset, self.wrap, &self.x, &self.y);
        if !self.linear {
            for (coords, sizes, offset, wrap) in
                [(at.u, sizes_x, offset[0], wrap_x), (at.v, sizes_y, offset[1], wrap_y)]
            {
                match levels {
                    Levels::One(level) => {
                        axis::add_nearest_one(isa)(&mut base, coords, sizes, level as usize, offset, wrap, count);
                    }
                    Levels::Each(levels) => {
                        axis::add_nearest_each(isa)(&mut base, coords, sizes, levels, offset, wrap, count);
                    }
                }
            }
            corners.offsets[0] = base;
            return;
        }
        let mut x = Ends { low: axis::scratch(), high: axis::scratch() };
        let weight = &mut corners.weights[0];
        match levels {
            Levels::One(level) => {
                let level = level as usize;
                axis::x_linear_one(isa)(&mut x, weight, at.u, sizes_x, level, offset[0], wrap_x, count);
                axis::y_linear_one(isa)(corners, &base, &x, at.v, sizes_y, level, offset[1], wrap_y, count);
            }
            Levels::Each(levels) => {
                axis::x_linear_each(isa)(&mut x, weight, at.u, sizes_x, levels, offset[0], wrap_x, count);
                axis::y_linear_each(isa)(corners, &base, &x, at.v, sizes_y, levels, offset[1], wrap_y, count);
            }
        }
    }

    /// `base`: bytes from the texture's start to what the offsets count from.
    fn filter(&self, base: usize, corners: &Corners, reference: &Lanes, raw: &mut Raw) {
        let source = self.call.source;
        let at = &Texels { start: source.start().wrapping_add(base), corners };
        let (isa, count, function) = (self.isa, self.count, self.comparison);
        if !self.linear {
            return self.kernel.nearest(isa, source, at, Compare { reference, function }, raw, count);
        }
        let swap = source.format.bgra;
        match self.kernel {
            Kernel::Unorm8 => texel::linear_unorm8(isa)(raw, swap, at, count),
            Kernel::Srgb8 => texel::linear_srgb8(isa)(raw, swap, at, count),
            Kernel::Float16 => texel::linear_float16(isa)(raw, at, count),
            Kernel::Float32 => texel::linear_float32(isa)(raw, at, count),
            Kernel::OneUnorm8 => texel::linear_one_unorm8(isa)(raw, at, count),
            Kernel::OneFloat32 => texel::linear_one_float32(isa)(raw, at, count),
            Kernel::Depth16 => texel::linear_depth16(isa)(raw, at, count),
            Kernel::Compare32 => texel::linear_compare32(isa)(raw, at, reference, function, count),
            Kernel::Compare16 => texel::linear_compare16(isa)(raw, at, reference, function, count),
        }
    }

    /// Filters where some lanes look at the corner of a cube's face: three texels meet there, and the fourth is their
    /// mean.
    fn across_corners(&self, corners: &Corners, corner: &[u32; LANES], reference: &Lanes, raw: &mut Raw) {
        let (isa, source) = (self.isa, self.call.source);
        let compare = Compare { reference, function: self.comparison };
        let mut one = Corners::new();
        let mut texels = [[[0.0; LANES]; 4]; 4];
        for (offsets, texels) in corners.offsets.iter().zip(&mut texels) {
            one.offsets[0] = *offsets;
            let at = &Texels { start: source.start(), corners: &one };
            self.kernel.nearest(isa, source, at, compare, texels, self.count);
        }
        for component in 0..self.kernel.components() {
            let [a, b, c, d] = &texels;
            let texels = [&a[component], &b[component], &c[component], &d[component]];
            texel::mix_corners(isa)(&mut raw[component], texels, corner, corners, self.count);
        }
    }

    /// Does a lane again, alone, that looks in no direction.
    fn mend_far(&self, at: &Lookups<'_>, spots: &Spots, lane: usize, level: usize, raw: &mut Raw) {
        let face = spots.face[lane] as usize;
        let layer = at.layer.map_or(self.call.source.base_layer, |layers| layers[lane]);
        let coords = [at.u[lane], at.v[lane]];
        let value = self.call.cube_linear(coords, layer, face, level, at.reference[lane]);
        for (lanes, value) in raw.iter_mut().zip(value) {
            lanes[lane] = value;
        }
    }
}
