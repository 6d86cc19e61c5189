//! Level: which mip levels a lookup reads. Rules: "Level of detail" and "Anisotropy".

use stillframe_base::lanes::LANES;
use stillframe_base::math::ops;
use wgpu_types as wgt;

use super::source::Source;
use super::{Level, Lookup, cube};
use crate::store::Sampler;

/// A number a lane.
pub type Lanes = [f32; LANES];

/// Derivatives of normalised coordinates, by axis.
#[derive(Clone)]
struct Gradients {
    ddx: [Lanes; 3],
    ddy: [Lanes; 3],
}

/// What step 7 and the anisotropic taps need.
#[derive(Clone)]
pub struct Detail {
    /// After bias and clamps of the sampler.
    pub lambda: Lanes,
    /// Taps along the major axis; empty without anisotropy.
    pub taps: Option<Box<Taps>>,
}

/// Anisotropy, lane by lane.
#[derive(Clone)]
pub struct Taps {
    pub count: Lanes,
    /// Derivative of u and v along the major axis.
    pub major: [Lanes; 2],
}

/// `if a > b { a } else { b }`.
#[inline(always)]
pub fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// `if a < b { a } else { b }`.
#[inline(always)]
pub fn min(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
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
pub fn detail(source: &Source<'_>, sampler: &Sampler, lookup: &Lookup<'_>, count: usize) -> Detail {
    let mut lambda = [0.0; LANES];
    let mut taps = None;
    match &lookup.level {
        Level::Zero => {}
        Level::Exact(level) => lambda.copy_from_slice(level.as_f32()),
        Level::Auto { .. } | Level::Gradient { .. } => {
            let gradients = gradients(source, lookup, count);
            if is_anisotropic(source, sampler, lookup) {
                taps = Some(anisotropic(source, sampler, &gradients, &mut lambda, count));
            } else {
                isotropic(source, &gradients, &mut lambda, count);
            }
        }
    }
    if let Level::Auto { bias: Some(bias) } = &lookup.level {
        for i in 0..count {
            lambda[i] += min(max(bias.as_f32()[i], -16.0), 15.99);
        }
    }
    for lambda in &mut lambda[..count] {
        *lambda = min(max(*lambda, sampler.lod_clamp.start), sampler.lod_clamp.end);
    }
    Detail { lambda, taps }
}

/// Derivatives of the normalised coordinates; for cubes on each lane's face.
fn gradients(source: &Source<'_>, lookup: &Lookup<'_>, count: usize) -> Gradients {
    let mut out = Gradients { ddx: [[0.0; LANES]; 3], ddy: [[0.0; LANES]; 3] };
    let axes = if source.is_cube() { 3 } else { source.axes() };
    for axis in 0..axes {
        match &lookup.level {
            Level::Gradient { ddx, ddy } => {
                out.ddx[axis].copy_from_slice(ddx[axis].as_f32());
                out.ddy[axis].copy_from_slice(ddy[axis].as_f32());
            }
            _ => {
                let coords = lookup.coords[axis].as_f32();
                for quad in (0..count).step_by(4) {
                    let (dx, dy) = (coords[quad + 1] - coords[quad], coords[quad + 2] - coords[quad]);
                    out.ddx[axis][quad..quad + 4].fill(dx);
                    out.ddy[axis][quad..quad + 4].fill(dy);
                }
            }
        }
    }
    if source.is_cube() {
        for lane in 0..count {
            let direction = lookup.coords.map(|c| c.as_f32()[lane]);
            for derivative in [&mut out.ddx, &mut out.ddy] {
                let [du, dv] = on_cube(direction, [0, 1, 2].map(|axis| derivative[axis][lane]));
                derivative[0][lane] = du;
                derivative[1][lane] = dv;
            }
        }
    }
    out
}

/// The derivative of u and v on a direction's face, by the quotient rule.
fn on_cube(direction: [f32; 3], derivative: [f32; 3]) -> [f32; 2] {
    let face = cube::face(direction);
    let [s, t, ma] = cube::on_face(face, direction);
    let [ds, dt, dm] = cube::on_face(face, derivative);
    [0.5 * ((ds - s / ma * dm) / ma), 0.5 * ((dt - t / ma * dm) / ma)]
}

/// Squared length of a scaled derivative.
#[inline(always)]
fn square(axes: usize, derivative: [f32; 3], size: [f32; 3]) -> f32 {
    let scaled = [0, 1, 2].map(|axis| derivative[axis] * size[axis]);
    let mut sum = scaled[0] * scaled[0];
    for value in &scaled[1..axes] {
        sum += value * value;
    }
    sum
}

fn size(source: &Source<'_>) -> [f32; 3] {
    let level = &source.levels[0];
    [level.width as f32, level.height as f32, level.depth_or_layers as f32]
}

fn isotropic(source: &Source<'_>, gradients: &Gradients, lambda: &mut Lanes, count: usize) {
    let (axes, size) = (source.axes(), size(source));
    for lane in 0..count {
        let x2 = square(axes, [0, 1, 2].map(|axis| gradients.ddx[axis][lane]), size);
        let y2 = square(axes, [0, 1, 2].map(|axis| gradients.ddy[axis][lane]), size);
        lambda[lane] = 0.5 * ops::log2(max(x2, y2));
    }
}

fn anisotropic(
    source: &Source<'_>,
    sampler: &Sampler,
    gradients: &Gradients,
    lambda: &mut Lanes,
    count: usize,
) -> Box<Taps> {
    let mut taps = Box::new(Taps { count: [1.0; LANES], major: [[0.0; LANES]; 2] });
    let (size, limit) = (size(source), f32::from(sampler.anisotropy_clamp));
    for lane in 0..count {
        let x2 = square(2, [0, 1, 2].map(|axis| gradients.ddx[axis][lane]), size);
        let y2 = square(2, [0, 1, 2].map(|axis| gradients.ddy[axis][lane]), size);
        let (x, y) = (x2.sqrt(), y2.sqrt());
        let (p, s) = (max(x, y), min(x, y));
        let ratio = p / s;
        let within = if ratio < limit { ratio.ceil() } else { limit };
        let n = if p > s { within } else { 1.0 };
        let major = if x2 > y2 { &gradients.ddx } else { &gradients.ddy };
        taps.count[lane] = n;
        taps.major[0][lane] = major[0][lane];
        taps.major[1][lane] = major[1][lane];
        lambda[lane] = 0.5 * ops::log2(max(x2, y2) / (n * n));
    }
    taps
}

/// Step 7 for one lane: two levels and the fraction between them (0 with one level).
#[inline(always)]
pub fn pick(lambda: f32, level_count: usize, filter: wgt::MipmapFilterMode) -> (usize, usize, f32) {
    let last = (level_count - 1) as f32;
    let l = min(max(lambda, 0.0), last);
    match filter {
        wgt::MipmapFilterMode::Nearest => {
            let level = (l + 0.5).floor() as usize;
            (level, level, 0.0)
        }
        wgt::MipmapFilterMode::Linear => {
            let d = l.floor();
            (d as usize, (d as usize + 1).min(level_count - 1), l - d)
        }
    }
}
