//! Wide: the common lookups, whole blocks at a time. Chooses kernels once a call; the kernels are in `axis` and `texel`.
//!
//! Taken: 2-D, 2-D array and cube views of the formats of [`Texture`], without borders and gathers, one filter for
//! magnification and minification. Everything else is left to `each`, which defines the result.

use stillframe_base::lanes::{Block, Isa, LANES, LaneMask};
use wgpu_types as wgt;

use super::Lookup;
use super::axis::{self, Ends, LEVELS, Sizes, Wrap};
use super::cube::{self, Faces, Spots};
use super::each::Call;
use super::level::{self, Lanes, Picked};
use super::source::Source;
use super::texel::{self, Comparison, Corners, Raw, Texels};
use crate::store::Sampler;
use crate::store::format::{Coding, Scale};

/// Formats with kernels of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kernel {
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
    fn new(source: &Source<'_>, compares: bool) -> Option<Kernel> {
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

    fn is_one(self) -> bool {
        !matches!(self, Kernel::Unorm8 | Kernel::Srgb8 | Kernel::Float16 | Kernel::Float32)
    }
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

/// Raw values of one level, in the form that the kernel gives.
#[derive(Clone)]
struct Values {
    four: Raw,
    one: Lanes,
}

/// Where each lane looks.
struct Lookups<'a> {
    u: &'a Lanes,
    v: &'a Lanes,
    /// Layer, or first layer of the cube.
    layer: &'a [u32; LANES],
    reference: &'a Lanes,
    cube: Option<&'a Spots>,
}

/// Tries the wide kernels: false where there are none for this call.
pub fn lookup(isa: Isa, call: &Call<'_>, active: &LaneMask, out: &mut [Block; 4]) -> bool {
    let Some(plan) = Plan::new(isa, call, active) else { return false };
    let lookup = call.lookup;
    let mut layer = [call.source.base_layer; LANES];
    if let Some(index) = lookup.layer {
        for lane in 0..plan.count {
            layer[lane] = call.source.layer(index.as_i32()[lane]);
        }
    }
    let mut reference = [0.0; LANES];
    if let Some(block) = lookup.compare {
        reference = *block.as_f32();
        if call.source.clamps_reference {
            reference.iter_mut().for_each(|r| *r = level::min(level::max(*r, 0.0), 1.0));
        }
    }
    if call.source.is_cube() {
        let mut spots = Spots { u: [0.0; LANES], v: [0.0; LANES], face: [0; LANES] };
        cube::locate(isa)(&mut spots, &lookup.coords.map(|c| c.as_f32()), plan.count);
        let at = Lookups { u: &spots.u, v: &spots.v, layer: &layer, reference: &reference, cube: Some(&spots) };
        plan.run(&at, out);
    } else {
        let (u, v) = (lookup.coords[0].as_f32(), lookup.coords[1].as_f32());
        plan.run(&Lookups { u, v, layer: &layer, reference: &reference, cube: None }, out);
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
        let mut values = Values { four: Raw::ZERO, one: [0.0; LANES] };
        match self.call.detail {
            None => self.level(at, &[0; LANES], &mut values),
            Some(detail) => match &detail.taps {
                None => self.levels(at, &detail.lambda, &mut values),
                Some(taps) => self.taps(at, detail, taps, &mut values),
            },
        }
        let format = &self.call.source.format;
        if self.kernel.is_one() {
            let scale = if self.call.lookup.compare.is_some() { Scale::ONE } else { format.scale() };
            texel::finish_one(self.isa)(out, &values.one, scale, self.count);
        } else {
            let (color, alpha) = (format.scale(), format.scale_of_alpha());
            texel::finish(self.isa)(out, &values.four, color, alpha, format.bgra, self.count);
        }
    }

    /// Several taps along the major axis, each with its levels.
    fn taps(&self, at: &Lookups<'_>, detail: &level::Detail, taps: &level::Taps, values: &mut Values) {
        let most = taps.count[..self.count].iter().fold(1.0, |a, &b| level::max(b, a));
        if most <= 1.0 {
            return self.levels(at, &detail.lambda, values);
        }
        let mut tap_values = values.clone();
        let (mut u, mut v) = (*at.u, *at.v);
        for tap in 0..most as usize {
            for lane in 0..self.count {
                let n = taps.count[lane];
                let t = (tap as f32 + 0.5) / n - 0.5;
                let moved = (at.u[lane] + taps.major[0][lane] * t, at.v[lane] + taps.major[1][lane] * t);
                (u[lane], v[lane]) = if n > 1.0 { moved } else { (at.u[lane], at.v[lane]) };
            }
            let moved = Lookups { u: &u, v: &v, ..*at };
            self.levels(&moved, &detail.lambda, &mut tap_values);
            if self.kernel.is_one() {
                for lane in 0..self.count {
                    let sum = if tap == 0 { tap_values.one[lane] } else { values.one[lane] + tap_values.one[lane] };
                    values.one[lane] = if (tap as f32) < taps.count[lane] { sum } else { values.one[lane] };
                }
            } else {
                texel::add_tap(self.isa)(&mut values.four, &tap_values.four, tap as f32, &taps.count, self.count);
            }
        }
        if self.kernel.is_one() {
            values.one.iter_mut().zip(&taps.count).for_each(|(sum, n)| *sum /= n);
        } else {
            texel::divide_by_taps(self.isa)(&mut values.four, &taps.count, self.count);
        }
    }

    /// One or two mip levels.
    fn levels(&self, at: &Lookups<'_>, lambda: &Lanes, values: &mut Values) {
        let mut picked = Picked::ZERO;
        let linear = self.call.sampler.mipmap_filter == wgt::MipmapFilterMode::Linear;
        let level_count = self.call.source.levels.len();
        let mixes = level::pick(self.isa)(&mut picked, lambda, level_count, linear, self.count);
        self.level(at, &picked.near, values);
        if !mixes {
            return;
        }
        let mut far = Values { four: Raw::ZERO, one: [0.0; LANES] };
        self.level(at, &picked.far, &mut far);
        if self.kernel.is_one() {
            texel::mix_one(self.isa)(&mut values.one, &far.one, &picked.fraction, self.count);
        } else {
            texel::mix(self.isa)(&mut values.four, &far.four, &picked.fraction, self.count);
        }
    }

    /// Filters within the level of each lane.
    fn level(&self, at: &Lookups<'_>, levels: &[u32; LANES], values: &mut Values) {
        let (isa, count) = (self.isa, self.count);
        let mut corners = Corners::ZERO;
        match at.cube {
            Some(spots) if self.linear && cube::leaves(isa)(spots, &self.x, levels, count) => {
                let mut corner = [0; LANES];
                let faces =
                    Faces { x: &self.x, y: &self.y, level_bytes: &self.level_bytes, layer_bytes: &self.layer_bytes };
                cube::seams(isa)(&mut corners, &mut corner, spots, &faces, at.layer, levels, count);
                self.filter(&corners, at.reference, values);
                for lane in LaneMask::from_words(&corner).iter().filter(|&lane| lane < count) {
                    self.mend_corner(at, spots, lane, levels[lane] as usize, values);
                }
            }
            _ => {
                self.corners(&mut corners, at, levels);
                self.filter(&corners, at.reference, values);
            }
        }
    }

    /// Addresses where every index is wrapped by itself.
    fn corners(&self, corners: &mut Corners, at: &Lookups<'_>, levels: &[u32; LANES]) {
        let (isa, count) = (self.isa, self.count);
        let mut layers = *at.layer;
        if let Some(spots) = at.cube {
            layers.iter_mut().zip(&spots.face).for_each(|(layer, face)| *layer += face);
        }
        let first = levels[0] as usize;
        let one_level = levels[..count].iter().fold(0, |all, &level| all | (level ^ levels[0])) == 0;
        let mut base = [0; LANES];
        if one_level {
            texel::bases_one(isa)(&mut base, &layers, self.level_bytes[first], self.layer_bytes[first], count);
        } else {
            texel::bases(isa)(&mut base, levels, &layers, &self.level_bytes, &self.layer_bytes, count);
        }
        let (mut x, mut y) = (Ends::ZERO, Ends::ZERO);
        let offset = self.call.lookup.offset;
        for (ends, coords, sizes, axis) in [(&mut x, at.u, &self.x, 0), (&mut y, at.v, &self.y, 1)] {
            let (offset, wrap) = (offset[axis], self.wrap[axis]);
            match (one_level, self.linear) {
                (true, true) => axis::linear_one(isa)(ends, coords, sizes, first, offset, wrap, count),
                (true, false) => axis::nearest_one(isa)(ends, coords, sizes, first, offset, wrap, count),
                (false, true) => axis::linear_each(isa)(ends, coords, sizes, levels, offset, wrap, count),
                (false, false) => axis::nearest_each(isa)(ends, coords, sizes, levels, offset, wrap, count),
            }
        }
        texel::corners(isa)(corners, &base, &x, &y, count);
    }

    fn filter(&self, corners: &Corners, reference: &Lanes, values: &mut Values) {
        let at = &Texels { start: self.call.source.start(), corners };
        let (isa, count, compare) = (self.isa, self.count, self.comparison);
        let (four, one) = (&mut values.four, &mut values.one);
        match (self.kernel, self.linear) {
            (Kernel::Unorm8, true) => texel::linear_unorm8(isa)(four, at, count),
            (Kernel::Unorm8, false) => texel::nearest_unorm8(isa)(four, at, count),
            (Kernel::Srgb8, true) => texel::linear_srgb8(isa)(four, at, count),
            (Kernel::Srgb8, false) => texel::nearest_srgb8(isa)(four, at, count),
            (Kernel::Float16, true) => texel::linear_float16(isa)(four, at, count),
            (Kernel::Float16, false) => texel::nearest_float16(isa)(four, at, count),
            (Kernel::Float32, true) => texel::linear_float32(isa)(four, at, count),
            (Kernel::Float32, false) => texel::nearest_float32(isa)(four, at, count),
            (Kernel::OneUnorm8, true) => texel::linear_one_unorm8(isa)(one, at, count),
            (Kernel::OneUnorm8, false) => texel::nearest_one_unorm8(isa)(one, at, count),
            (Kernel::OneFloat32, true) => texel::linear_one_float32(isa)(one, at, count),
            (Kernel::OneFloat32, false) => texel::nearest_one_float32(isa)(one, at, count),
            (Kernel::Depth16, true) => texel::linear_depth16(isa)(one, at, count),
            (Kernel::Depth16, false) => texel::nearest_depth16(isa)(one, at, count),
            (Kernel::Compare32, true) => texel::linear_compare32(isa)(one, at, reference, compare, count),
            (Kernel::Compare32, false) => texel::nearest_compare32(isa)(one, at, reference, compare, count),
            (Kernel::Compare16, true) => texel::linear_compare16(isa)(one, at, reference, compare, count),
            (Kernel::Compare16, false) => texel::nearest_compare16(isa)(one, at, reference, compare, count),
        }
    }

    /// Does a lane at the corner of a cube's face again, alone.
    fn mend_corner(&self, at: &Lookups<'_>, spots: &Spots, lane: usize, level: usize, values: &mut Values) {
        let face = spots.face[lane] as usize;
        let (coords, layer) = ([at.u[lane], at.v[lane]], at.layer[lane]);
        let mut raw = self.call.cube_linear(coords, layer, face, level, at.reference[lane]);
        values.one[lane] = raw[0];
        if self.call.source.format.bgra {
            // Kernels leave the order of memory to `finish`.
            raw.swap(0, 2);
        }
        values.four.0[lane] = raw;
    }
}
