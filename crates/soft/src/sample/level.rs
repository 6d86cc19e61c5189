//! Level: which mip levels a lookup reads. Rules: "Level of detail" and "Anisotropy".
//!
//! In: coordinates or derivatives by lane. Out: lambda by lane, then levels and fractions. Quads share what they share:
//! automatic levels of flat views are computed once a quad.

#![expect(unsafe_code, reason = "unchecked conversions whose range is settled the line before")]

use stillframe_base::lanes::{Isa, LANES, per_isa};
use stillframe_base::math::ops;
use wgpu_types as wgt;

use super::lanes::{Lanes, Lanes3, max, min};
use super::source::Source;
use super::{Level, Lookup, cube};
use crate::store::Sampler;

/// Lambda of every lane.
#[derive(Clone)]
#[expect(clippy::large_enum_variant, reason = "lives on the stack for one lookup")]
pub enum Lambda {
    /// The same for all.
    One(f32),
    Each(Lanes),
}

impl Lambda {
    pub fn at(&self, lane: usize) -> f32 {
        match self {
            Lambda::One(lambda) => *lambda,
            Lambda::Each(lanes) => lanes[lane],
        }
    }
}

/// What step 7 and the anisotropic taps need.
#[derive(Clone)]
pub struct Detail {
    /// After bias and clamps of the sampler.
    pub lambda: Lambda,
    /// Taps along the major axis; absent without anisotropy.
    pub taps: Option<Box<Taps>>,
}

/// Anisotropy, lane by lane.
#[derive(Clone)]
pub struct Taps {
    pub count: Lanes,
    /// Derivative of u and v along the major axis.
    pub major: [Lanes; 2],
}

/// Levels that a lane reads, and the weight of the second.
#[derive(Clone)]
pub struct Picked {
    pub near: [u32; LANES],
    pub far: [u32; LANES],
    pub fraction: Lanes,
}

impl Picked {
    pub const ZERO: Picked = Picked { near: [0; LANES], far: [0; LANES], fraction: [0.0; LANES] };
}

/// Whether lambda can change what is read.
pub fn matters(source: &Source<'_>, sampler: &Sampler, lookup: &Lookup<'_>) -> bool {
    lookup.gather.is_none() && (source.levels.len() > 1 || sampler.mag_filter != sampler.min_filter)
        || is_anisotropic(source, sampler, lookup)
}

/// Whether a lookup takes several taps.
pub fn is_anisotropic(source: &Source<'_>, sampler: &Sampler, lookup: &Lookup<'_>) -> bool {
    let flat = matches!(source.dimension, wgt::TextureViewDimension::D2 | wgt::TextureViewDimension::D2Array);
    let derived = matches!(lookup.level, Level::Auto { .. } | Level::Gradient { .. });
    sampler.anisotropy_clamp > 1 && flat && derived && lookup.gather.is_none()
}

/// Lambda for lanes `0..count`, a multiple of 4.
pub fn detail(isa: Isa, source: &Source<'_>, sampler: &Sampler, lookup: &Lookup<'_>, count: usize) -> Detail {
    let (low, high) = (sampler.lod_clamp.start, sampler.lod_clamp.end);
    let one = |lambda: f32| Detail { lambda: Lambda::One(min(max(lambda, low), high)), taps: None };
    match &lookup.level {
        Level::Zero => one(0.0),
        Level::Exact(level) if is_one_number(isa)(&level.0, count) => one(level.as_f32()[0]),
        Level::Exact(level) => {
            let mut lambda = *level.as_f32();
            clamp(isa)(&mut lambda, low, high, count);
            Detail { lambda: Lambda::Each(lambda), taps: None }
        }
        Level::Auto { .. } | Level::Gradient { .. } => derived(isa, source, sampler, lookup, count),
    }
}

/// `detail` from derivatives.
fn derived(isa: Isa, source: &Source<'_>, sampler: &Sampler, lookup: &Lookup<'_>, count: usize) -> Detail {
    let mut lambda = [0.0; LANES];
    let mut found = None;
    let level = &source.levels[0];
    let size = [level.width as f32, level.height as f32, level.depth_or_layers as f32];
    let (mut ddx, mut ddy) = ([[0.0; LANES]; 3], [[0.0; LANES]; 3]);
    let axes = if source.is_cube() { 3 } else { source.axes() };
    // Differences are one number a quad, in lanes 0..count / 4, until they are spread; gradients are given lane by
    // lane.
    let in_quads = !matches!(lookup.level, Level::Gradient { .. });
    for axis in 0..axes {
        if let Level::Gradient { ddx: given_x, ddy: given_y } = &lookup.level {
            ddx[axis].copy_from_slice(given_x[axis].as_f32());
            ddy[axis].copy_from_slice(given_y[axis].as_f32());
        } else {
            quad_differences(isa)(&mut ddx[axis], &mut ddy[axis], lookup.coords[axis].as_f32(), count);
        }
    }
    let spread = |lanes: &mut Lanes| {
        if in_quads {
            spread(lanes, count);
        }
    };
    let numbers = if in_quads { count / 4 } else { count };
    if source.is_cube() {
        ddx.iter_mut().chain(&mut ddy).for_each(spread);
        cube_gradients(isa)(&mut ddx, &mut ddy, &lookup.coords.map(|c| c.as_f32()), count);
        isotropic(isa)(&mut lambda, &ddx, &ddy, &size, 2, count);
    } else if is_anisotropic(source, sampler, lookup) {
        let mut taps = Box::new(Taps { count: [1.0; LANES], major: [[0.0; LANES]; 2] });
        let limit = f32::from(sampler.anisotropy_clamp);
        anisotropic(isa)(&mut lambda, &mut taps, &ddx, &ddy, &size, limit, numbers);
        spread(&mut lambda);
        spread(&mut taps.count);
        taps.major.iter_mut().for_each(spread);
        found = Some(taps);
    } else {
        isotropic(isa)(&mut lambda, &ddx, &ddy, &size, axes, numbers);
        spread(&mut lambda);
    }
    if let Level::Auto { bias: Some(bias) } = &lookup.level {
        add_bias(isa)(&mut lambda, bias.as_f32(), count);
    }
    clamp(isa)(&mut lambda, sampler.lod_clamp.start, sampler.lod_clamp.end, count);
    Detail { lambda: Lambda::Each(lambda), taps: found }
}

/// From one number a quad to one a lane.
fn spread(lanes: &mut Lanes, count: usize) {
    for quad in (0..count / 4).rev() {
        let value = lanes[quad];
        lanes[quad * 4..quad * 4 + 4].fill(value);
    }
}

/// Squared length of a scaled derivative.
#[inline(always)]
fn square(axes: usize, derivative: &Lanes3, size: &[f32; 3], lane: usize) -> f32 {
    let scaled = |axis: usize| derivative[axis][lane] * size[axis];
    let mut sum = scaled(0) * scaled(0);
    for axis in 1..axes {
        sum += scaled(axis) * scaled(axis);
    }
    sum
}

per_isa! {
    /// Whether lanes `0..count` hold the same bits.
    pub fn is_one_number(lanes: &[u32; LANES], count: usize) -> bool {
        let mut differences = 0;
        for i in Isa::each::<LEVEL>(count.min(LANES)) {
            differences |= lanes[i] ^ lanes[0];
        }
        differences == 0
    }
    /// Derivatives of a coordinate, one a quad.
    pub fn quad_differences(ddx: &mut Lanes, ddy: &mut Lanes, coords: &Lanes, count: usize) {
        for (quad, lanes) in coords[..count].as_chunks::<4>().0.iter().enumerate() {
            ddx[quad] = lanes[1] - lanes[0];
            ddy[quad] = lanes[2] - lanes[0];
        }
    }
    pub fn isotropic(out: &mut Lanes, ddx: &Lanes3, ddy: &Lanes3, size: &[f32; 3], axes: usize, count: usize) {
        #[inline(always)]
        fn each<const LEVEL: u8>(out: &mut Lanes, ddx: &Lanes3, ddy: &Lanes3, size: &[f32; 3], axes: usize, count: usize) {
            for i in Isa::each::<LEVEL>(count) {
                let m2 = max(square(axes, ddx, size, i), square(axes, ddy, size, i));
                out[i] = 0.5 * ops::log2(m2);
            }
        }
        match axes {
            1 => each::<LEVEL>(out, ddx, ddy, size, 1, count),
            2 => each::<LEVEL>(out, ddx, ddy, size, 2, count),
            _ => each::<LEVEL>(out, ddx, ddy, size, 3, count),
        }
    }
    pub fn anisotropic(lambda: &mut Lanes, taps: &mut Taps, ddx: &Lanes3, ddy: &Lanes3, size: &[f32; 3], limit: f32, count: usize) {
        for i in Isa::each::<LEVEL>(count) {
            let (x2, y2) = (square(2, ddx, size, i), square(2, ddy, size, i));
            let (x, y) = (x2.sqrt(), y2.sqrt());
            let (p, s) = (max(x, y), min(x, y));
            let ratio = p / s;
            let within = if ratio < limit { ops::ceil(ratio) } else { limit };
            let n = if p > s { within } else { 1.0 };
            taps.count[i] = n;
            taps.major[0][i] = if x2 > y2 { ddx[0][i] } else { ddy[0][i] };
            taps.major[1][i] = if x2 > y2 { ddx[1][i] } else { ddy[1][i] };
            lambda[i] = 0.5 * ops::log2(max(x2, y2) / (n * n));
        }
    }
    /// Derivatives of directions become those of u and v on each lane's face, by the quotient rule.
    pub fn cube_gradients(ddx: &mut Lanes3, ddy: &mut Lanes3, direction: &[&Lanes; 3], count: usize) {
        for i in Isa::each::<LEVEL>(count) {
            let at = [direction[0][i], direction[1][i], direction[2][i]];
            let face = cube::Face::new(at);
            let [s, t, ma] = face.project(at);
            let (sc, tc) = (s / ma, t / ma);
            let [ds, dt, dm] = face.project([ddx[0][i], ddx[1][i], ddx[2][i]]);
            (ddx[0][i], ddx[1][i]) = (0.5 * ((ds - sc * dm) / ma), 0.5 * ((dt - tc * dm) / ma));
            let [ds, dt, dm] = face.project([ddy[0][i], ddy[1][i], ddy[2][i]]);
            (ddy[0][i], ddy[1][i]) = (0.5 * ((ds - sc * dm) / ma), 0.5 * ((dt - tc * dm) / ma));
        }
    }
    pub fn add_bias(lambda: &mut Lanes, bias: &Lanes, count: usize) {
        for i in Isa::each::<LEVEL>(count) {
            lambda[i] += min(max(bias[i], -16.0), 15.99);
        }
    }
    pub fn clamp(lambda: &mut Lanes, low: f32, high: f32, count: usize) {
        for i in Isa::each::<LEVEL>(count) {
            lambda[i] = min(max(lambda[i], low), high);
        }
    }
    /// Coordinates of tap `number` along the major axis; lanes with one tap stay.
    pub fn move_tap(out: &mut Lanes, coords: &Lanes, major: &Lanes, taps: &Lanes, number: f32, count: usize) {
        for i in Isa::each::<LEVEL>(count) {
            let t = (number + 0.5) / taps[i] - 0.5;
            let moved = coords[i] + major[i] * t;
            out[i] = if taps[i] > 1.0 { moved } else { coords[i] };
        }
    }
    /// Step 7: two levels a lane. True where some lane has a fraction.
    pub fn pick(out: &mut Picked, lambda: &Lanes, level_count: usize, linear: bool, count: usize) -> bool {
        let mut mixes = false;
        if linear {
            for i in Isa::each::<LEVEL>(count) {
                let (near, far, fraction) = pick_linear(lambda[i], level_count);
                (out.near[i], out.far[i], out.fraction[i]) = (near, far, fraction);
                mixes |= fraction != 0.0;
            }
        } else {
            for i in Isa::each::<LEVEL>(count) {
                out.near[i] = pick_nearest(lambda[i], level_count);
                out.fraction[i] = 0.0;
            }
        }
        mixes
    }
}

/// A number from 0 to 15 and a half, without its fraction.
#[inline(always)]
fn whole(l: f32) -> i32 {
    // SAFETY: callers clamp to 0 ..= the last level, at most 15, plus a half; a NaN does not survive the clamp.
    unsafe { l.to_int_unchecked::<i32>() }
}

#[inline(always)]
fn pick_nearest(lambda: f32, level_count: usize) -> u32 {
    let l = min(max(lambda, 0.0), (level_count as i32 - 1) as f32);
    whole(l + 0.5) as u32
}

#[inline(always)]
fn pick_linear(lambda: f32, level_count: usize) -> (u32, u32, f32) {
    let last = level_count as i32 - 1;
    let l = min(max(lambda, 0.0), last as f32);
    let near = whole(l);
    let far = if near < last { near + 1 } else { last };
    (near as u32, far as u32, l - near as f32)
}

/// Step 7 for one lane: two levels and the fraction between them (0 with one level).
pub fn pick_one(lambda: f32, level_count: usize, filter: wgt::MipmapFilterMode) -> (usize, usize, f32) {
    match filter {
        wgt::MipmapFilterMode::Nearest => {
            let level = pick_nearest(lambda, level_count) as usize;
            (level, level, 0.0)
        }
        wgt::MipmapFilterMode::Linear => {
            let (near, far, fraction) = pick_linear(lambda, level_count);
            (near as usize, far as usize, fraction)
        }
    }
}
