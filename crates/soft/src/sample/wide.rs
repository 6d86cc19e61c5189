//! Wide: the common lookups, whole blocks at a time. Chooses kernels once a call; the kernels are in `axis` and `texel`.
//!
//! Taken: 2-D, 2-D array and cube views of the formats of [`Texture`], without borders and gathers, one filter for
//! magnification and minification. Everything else is left to `each`, which defines the result.

use stillframe_base::lanes::{Block, Isa, LANES, LaneMask};
use wgpu_types as wgt;

use super::axis::{self, Ends, LEVELS, Sizes, Wrap};
use super::each::Call;
use super::level::{self, Lanes};
use super::source::Source;
use super::texel::{self, Comparison, Raw, Texels};
use super::{Lookup, cube};
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
    layer: &'a [u32; LANES],
    reference: &'a Lanes,
    /// Cube faces of the lanes.
    face: Option<&'a [u32; LANES]>,
}

/// Which level each lane reads.
enum Levels<'a> {
    One(usize),
    Each(&'a [u32; LANES]),
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
        let (mut u, mut v, mut faces) = ([0.0; LANES], [0.0; LANES], [0; LANES]);
        for lane in 0..plan.count {
            let direction = lookup.coords.map(|c| c.as_f32()[lane]);
            let face = cube::face(direction);
            let [s, t, ma] = cube::on_face(face, direction);
            (u[lane], v[lane], faces[lane]) = (s / ma * 0.5 + 0.5, t / ma * 0.5 + 0.5, face as u32);
            layer[lane] += face as u32;
        }
        let at = Lookups { u: &u, v: &v, layer: &layer, reference: &reference, face: Some(&faces) };
        plan.run(&at, out);
    } else {
        let (u, v) = (lookup.coords[0].as_f32(), lookup.coords[1].as_f32());
        plan.run(&Lookups { u, v, layer: &layer, reference: &reference, face: None }, out);
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
            None => self.level(at, &Levels::One(0), &mut values),
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
        let (mut low, mut high, mut fraction) = ([0; LANES], [0; LANES], [0.0; LANES]);
        let level_count = self.call.source.levels.len();
        let filter = self.call.sampler.mipmap_filter;
        let mut mixes = false;
        for lane in 0..self.count {
            let (near, far, between) = level::pick(lambda[lane], level_count, filter);
            (low[lane], high[lane], fraction[lane]) = (near as u32, far as u32, between);
            mixes |= between != 0.0;
        }
        self.level(at, &Levels::new(&low, self.count), values);
        if !mixes {
            return;
        }
        let mut far = Values { four: Raw::ZERO, one: [0.0; LANES] };
        self.level(at, &Levels::new(&high, self.count), &mut far);
        if self.kernel.is_one() {
            texel::mix_one(self.isa)(&mut values.one, &far.one, &fraction, self.count);
        } else {
            texel::mix(self.isa)(&mut values.four, &far.four, &fraction, self.count);
        }
    }

    /// Filters within the levels given.
    fn level(&self, at: &Lookups<'_>, levels: &Levels<'_>, values: &mut Values) {
        let mut base = [0; LANES];
        for lane in 0..self.count {
            let level = levels.of(lane);
            base[lane] = self.level_bytes[level].wrapping_add(at.layer[lane].wrapping_mul(self.layer_bytes[level]));
        }
        let (mut x, mut y) = (Ends::ZERO, Ends::ZERO);
        let offset = self.call.lookup.offset;
        self.axis(&mut x, at.u, &self.x, levels, offset[0], self.wrap[0]);
        self.axis(&mut y, at.v, &self.y, levels, offset[1], self.wrap[1]);
        let texels = Texels { start: self.call.source.start(), base: &base, x: &x, y: &y };
        self.filter(&texels, at.reference, values);
        if let Some(faces) = at.face.filter(|_| self.linear) {
            self.mend_edges(at, faces, levels, values);
        }
    }

    fn axis(&self, ends: &mut Ends, u: &Lanes, sizes: &Sizes, levels: &Levels<'_>, offset: i32, wrap: Wrap) {
        let (isa, count) = (self.isa, self.count);
        match (levels, self.linear) {
            (Levels::One(level), true) => axis::linear_one(isa)(ends, u, sizes, *level, offset, wrap, count),
            (Levels::One(level), false) => axis::nearest_one(isa)(ends, u, sizes, *level, offset, wrap, count),
            (Levels::Each(levels), true) => axis::linear_each(isa)(ends, u, sizes, levels, offset, wrap, count),
            (Levels::Each(levels), false) => axis::nearest_each(isa)(ends, u, sizes, levels, offset, wrap, count),
        }
    }

    fn filter(&self, at: &Texels<'_>, reference: &Lanes, values: &mut Values) {
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

    /// Does lanes whose footprint crosses the edge of a cube's face again, one by one.
    fn mend_edges(&self, at: &Lookups<'_>, faces: &[u32; LANES], levels: &Levels<'_>, values: &mut Values) {
        for lane in 0..self.count {
            let level = levels.of(lane);
            let n = self.x.size[level];
            let inside = |u: f32| u * n - 0.5 >= 0.0 && u * n - 0.5 < n - 1.0;
            if !(inside(at.u[lane]) && inside(at.v[lane])) {
                let face = faces[lane];
                let (coords, first) = ([at.u[lane], at.v[lane]], at.layer[lane] - face);
                let mut raw = self.call.cube_linear(coords, first, face as usize, level, at.reference[lane]);
                values.one[lane] = raw[0];
                if self.call.source.format.bgra {
                    // Kernels leave the order of memory to `finish`.
                    raw.swap(0, 2);
                }
                values.four.0[lane] = raw;
            }
        }
    }
}

impl Levels<'_> {
    /// Notices when all lanes are in one level.
    fn new(levels: &[u32; LANES], count: usize) -> Levels<'_> {
        let first = levels[0];
        let all_one = levels[..count].iter().fold(true, |same, &level| same & (level == first));
        if all_one { Levels::One(first as usize) } else { Levels::Each(levels) }
    }

    #[inline(always)]
    fn of(&self, lane: usize) -> usize {
        match self {
            Levels::One(level) => *level,
            Levels::Each(levels) => levels[lane] as usize & (LEVELS - 1),
        }
    }
}
