//! Project: clip positions become corners in the target, and clip codes.
//!
//! In: 256 lanes of clip positions, a viewport. Out: corners, codes. Rules: "Viewport", "Snapping" and the lists of
//! planes in "Geometry" of `docs/adapter-rules.md`.

use stillframe_base::lanes::{Block, Isa, LANES, per_isa};

use super::bits;
use super::setup::Corner;
use crate::work::Viewport;

/// The smallest w that is kept: 2^-126.
pub const W_MIN: f32 = f32::MIN_POSITIVE;
/// The guard band reaches this many half viewports, ...
const GUARD: f32 = 128.0;
/// ... and this many of viewports wider or higher than [`WIDE_PX`], which would else reach too far.
const GUARD_WIDE: f32 = 16.0;
const WIDE_PX: f32 = 16384.0;
/// Positions farther out, in pixels, are not drawn.
const REACH_PX: f32 = 2_097_152.0;

/// Outside the near, far, eye, right, left, top and bottom planes: bits 0 to 6, in the order of clipping.
pub const NEAR: u16 = 1;
pub const FAR: u16 = 2;
pub const EYE: u16 = 4;
/// Any of the seven planes.
pub const CLIPPED: u16 = 0x7F;
const RIGHT: u16 = 8;
/// Outside the view itself: x > w, x < -w, y > w, y < -w.
const VIEW: u16 = 0x80;
/// If all vertices share one of these the primitive is dropped.
pub const REJECTS: u16 = NEAR | FAR | EYE | 0x780;
/// A point with any of these is dropped.
pub const POINT_REJECTS: u16 = REJECTS;
/// A component is NaN or infinite.
pub const NOT_FINITE: u16 = 0x800;
/// The projected position does not fit.
pub const UNFIT: u16 = 0x1000;

/// Viewport as the formulas use it.
#[derive(Clone, Copy, Debug)]
pub struct Projection {
    pub x: f32,
    pub y: f32,
    pub width: f32,
    pub height: f32,
    pub min_depth: f32,
    pub depth_range: f32,
    /// `unclipped_depth` is false.
    pub depth_clipped: bool,
    /// Half viewports that are not cut off.
    pub guard: f32,
    /// What is added to corners, 1/256 pixel.
    pub origin: [i32; 2],
}

impl Projection {
    pub fn new(viewport: &Viewport, depth_clipped: bool) -> Projection {
        let ([x, y], origin) = ([viewport.x, viewport.y].map(before), [viewport.x, viewport.y].map(after));
        Projection {
            x,
            y,
            width: viewport.width,
            height: viewport.height,
            min_depth: viewport.min_depth,
            depth_range: viewport.max_depth - viewport.min_depth,
            depth_clipped,
            guard: guard(viewport),
            origin,
        }
    }

    /// The corner of a clip position, and whether it fits.
    #[inline(always)]
    pub fn corner(&self, p: [f32; 4]) -> (Corner, bool) {
        let fx = self.x + (0.5 * (p[0] / p[3] + 1.0)) * self.width;
        let fy = self.y + (0.5 * (1.0 - p[1] / p[3])) * self.height;
        let fz = self.min_depth + (p[2] / p[3]) * self.depth_range;
        let fits = fx.abs() <= REACH_PX && fy.abs() <= REACH_PX && p[3] > 0.0 && !fz.is_nan();
        let x = if fits { fx } else { 0.0 };
        let y = if fits { fy } else { 0.0 };
        (Corner { x: snap(x) + self.origin[0], y: snap(y) + self.origin[1], z: fz, q: 1.0 / p[3] }, fits)
    }
}

/// Whether a viewport begins whole pixels left of its target or above it: the target is a tile of a larger picture.
fn is_of_tile(at: f32) -> bool {
    at < 0.0 && at.floor() == at
}

/// What is added before rounding: nothing of a tile, so that its corners are those of the picture.
fn before(at: f32) -> f32 {
    if is_of_tile(at) { 0.0 } else { at }
}

/// What is added after it, 1/256 pixel.
fn after(at: f32) -> i32 {
    if is_of_tile(at) { (at.max(-REACH_PX) * 256.0) as i32 } else { 0 }
}

/// How many half viewports are not cut off.
pub fn guard(viewport: &Viewport) -> f32 {
    if viewport.width > WIDE_PX || viewport.height > WIDE_PX { GUARD_WIDE } else { GUARD }
}

/// A coordinate in pixels, not beyond ±2^22, in units of 1/256 pixel, half to even.
#[inline(always)]
pub fn snap(pixels: f32) -> i32 {
    let v = pixels * 256.0;
    // From 2^23 on every f32 is whole; below, adding 2^23 leaves no room for a fraction.
    let magic = 8_388_608f32.copysign(v);
    let rounded = if v.abs() < 8_388_608.0 { (v + magic) - magic } else { v };
    bits::small_int(rounded)
}

/// Signed distances to the seven planes; planes that do not apply give 0.
#[inline(always)]
pub fn distances(p: [f32; 4], depth_clipped: bool, guard: f32) -> [f32; 7] {
    let [x, y, z, w] = p;
    let (near, far) = if depth_clipped { (z, w - z) } else { (0.0, 0.0) };
    [near, far, w - W_MIN, guard * w - x, guard * w + x, guard * w - y, guard * w + y]
}

/// The codes of a clip position.
#[inline(always)]
pub fn codes(p: [f32; 4], depth_clipped: bool, guard: f32) -> u16 {
    let [x, y, _, w] = p;
    let mut code = 0;
    let d = distances(p, depth_clipped, guard);
    code |= if d[0] < 0.0 { NEAR } else { 0 };
    code |= if d[1] < 0.0 { FAR } else { 0 };
    code |= if d[2] < 0.0 { EYE } else { 0 };
    code |= if d[3] < 0.0 { RIGHT } else { 0 };
    code |= if d[4] < 0.0 { RIGHT << 1 } else { 0 };
    code |= if d[5] < 0.0 { RIGHT << 2 } else { 0 };
    code |= if d[6] < 0.0 { RIGHT << 3 } else { 0 };
    code |= if x > w { VIEW } else { 0 };
    code |= if x < -w { VIEW << 1 } else { 0 };
    code |= if y > w { VIEW << 2 } else { 0 };
    code |= if y < -w { VIEW << 3 } else { 0 };
    for c in p {
        code |= if c.to_bits() & 0x7F80_0000 == 0x7F80_0000 { NOT_FINITE } else { 0 };
    }
    code
}

per_isa! {
    /// Lanes `0..count`: `position` holds x, y, z, w.
    pub fn project(
        corners: &mut [Corner],
        out_codes: &mut [u16],
        position: [&Block; 4],
        projection: &Projection,
    ) {
        let count = corners.len().min(LANES).min(out_codes.len());
        let [x, y, z, w] = position;
        let (x, y, z, w) = (x.as_f32(), y.as_f32(), z.as_f32(), w.as_f32());
        let (corners, out_codes) = (&mut corners[..count], &mut out_codes[..count]);
        for i in Isa::each::<LEVEL>(count) {
            let p = [x[i], y[i], z[i], w[i]];
            let (corner, fits) = projection.corner(p);
            corners[i] = corner;
            out_codes[i] = codes(p, projection.depth_clipped, projection.guard) | if fits { 0 } else { UNFIT };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEW_100: Projection = Projection {
        x: 0.0,
        y: 0.0,
        width: 100.0,
        height: 50.0,
        min_depth: 0.0,
        depth_range: 1.0,
        depth_clipped: true,
        guard: GUARD,
        origin: [0; 2],
    };

    #[test]
    fn snaps_half_to_even() {
        let unit = 1.0 / 256.0;
        for (at, want) in [
            (0.5 * unit, 0),
            (1.5 * unit, 2),
            (2.5 * unit, 2),
            (-0.5 * unit, 0),
            (-1.5 * unit, -2),
            (2.500_001 * unit, 3),
            (10.0, 2560),
            (32767.5, 8_388_480),
            (32_768.25, 8_388_672),
            (2_097_152.0, 1 << 29),
            (-2_097_152.0, -(1 << 29)),
        ] {
            assert_eq!(snap(at), want, "{at}");
            assert_eq!((at * 256.0).round_ties_even() as i32, want, "{at}");
        }
    }

    #[test]
    fn corners_of_the_view() {
        for (p, x, y, z) in [
            ([-1.0, 1.0, 0.0, 1.0], 0, 0, 0.0),
            ([1.0, -1.0, 1.0, 1.0], 25600, 12800, 1.0),
            ([0.0, 0.0, 3.0, 3.0], 12800, 6400, 1.0),
        ] {
            let (corner, fits) = VIEW_100.corner(p);
            assert!(fits);
            assert_eq!((corner.x, corner.y, corner.z, corner.q), (x, y, z, 1.0 / p[3]));
        }
        assert!(!VIEW_100.corner([1.0, 0.0, 0.0, 0.0]).1);
        assert!(!VIEW_100.corner([1e9, 0.0, 0.0, 1.0]).1);
        assert!(!VIEW_100.corner([0.0, 0.0, 0.0, -1.0]).1);
    }

    #[test]
    fn codes_name_the_planes() {
        let code = |p| codes(p, true, GUARD);
        assert_eq!(code([0.0, 0.0, 0.5, 1.0]), 0);
        assert_eq!(code([0.0, 0.0, -0.5, 1.0]), NEAR);
        assert_eq!(codes([0.0, 0.0, -0.5, 1.0], false, GUARD), 0);
        assert_eq!(code([0.0, 0.0, 1.5, 1.0]), FAR);
        assert_eq!(code([2.0, 0.0, 0.5, 1.0]), VIEW);
        assert_eq!(code([0.0, -2.0, 0.5, 1.0]), VIEW << 3);
        assert_eq!(code([200.0, 0.0, 0.5, 1.0]), VIEW | RIGHT);
        assert_eq!(code([0.0, 0.0, 0.0, 0.0]) & (EYE | NEAR), EYE);
        assert_ne!(code([f32::NAN, 0.0, 0.5, 1.0]) & NOT_FINITE, 0);
        assert_ne!(code([0.0, 0.0, 0.5, f32::INFINITY]) & NOT_FINITE, 0);
    }

    #[test]
    fn every_level_projects_alike() {
        let mut position = [Block::ZERO; 4];
        for i in 0..LANES {
            let t = i as f32;
            let specials = [f32::NAN, f32::INFINITY, 1e30, -0.0, 1e-40];
            for (k, block) in position.iter_mut().enumerate() {
                let v = (t - 100.0) * [0.37, -0.21, 0.02, 0.05][k];
                block.as_f32_mut()[i] = if i % 17 == k { specials[i % 5] } else { v };
            }
        }
        let mut want = (vec![Corner::default(); 200], vec![0; 200]);
        project(Isa::Scalar)(&mut want.0, &mut want.1, position.each_ref(), &VIEW_100);
        for isa in Isa::available() {
            let mut got = (vec![Corner::default(); 200], vec![0; 200]);
            project(isa)(&mut got.0, &mut got.1, position.each_ref(), &VIEW_100);
            assert_eq!(got.1, want.1);
            let fit = want.1.iter().filter(|code| **code & (UNFIT | NOT_FINITE) == 0).count();
            assert!(fit > 50, "{fit}");
            for (i, (a, b)) in got.0.iter().zip(&want.0).enumerate() {
                if want.1[i] & (UNFIT | NOT_FINITE) == 0 {
                    assert_eq!(a, b);
                }
            }
        }
    }
}
