//! Blend: the weighted mean of poses, all layers in one pass.
//!
//! Source: weighted nlerp (Blow, "Understanding slerp, then not using it", 2004); the job's shape and the rest pose as
//! in ozz's BlendingJob. Different: one pass over all layers in registers; signs by the first layer, so that order is
//! not part of the meaning; shares that sum to exactly 1; exact `sqrt` and `/`.
//!
//! ```text
//! for each joint:
//!     q0 = rotation of layer 0, negated unless w > 0 (or w = 0 and x > 0, or ...)
//!     sum = share 0 * (t0, q0, s0)
//!     for layer i from 1:
//!         sum += share i * (ti, qi negated where qi . q0 < 0, si)
//!     out = sum, its rotation * (1 / sqrt(x x + y y + z z + w w))
//! ```

use stillframe_base::lanes::{Isa, ROW, Row, Wide, WideWork};

use super::{JobError, JointBlock, check_finite, check_length};

/// Layers that a blend has room for, the rest pose not counted.
pub const LAYERS_MAX: usize = 16;

/// Squared length under which a blended rotation has no direction: 2^-80.
pub(super) const LENGTH_SQUARED_MIN: f32 = 8.271_806e-25;

/// A pose and how much it counts.
#[derive(Clone, Copy, Debug)]
pub struct BlendLayer<'a> {
    pub pose: &'a [JointBlock],
    /// Any scale: the sum of all is divided out. Negative counts as 0.
    pub weight: f32,
}

/// Blends poses.
///
/// Shapes: every pose, `rest` and `out` have the same number of blocks.
/// Weights: where they sum to less than `threshold`, the rest pose fills up; so a sum that goes to 0 goes to rest
/// without a jump. Exactness: a layer that has all the weight is copied, bit for bit. Rotations may have either sign:
/// negating one changes no bit of a blend of two or more layers. The layers' order after the first changes only the
/// rounding.
pub struct Blend<'a> {
    pub isa: Isa,
    pub layers: &'a [BlendLayer<'a>],
    pub rest: &'a [JointBlock],
    pub threshold: f32,
    pub out: &'a mut [JointBlock],
}

impl Blend<'_> {
    /// Looks at every number.
    pub fn validate(&self) -> Result<(), JobError> {
        self.check_shape()?;
        for (layer, &BlendLayer { pose, weight }) in self.layers.iter().enumerate() {
            if !weight.is_finite() {
                return Err(JobError::Weight { layer, weight });
            }
            check_finite("pose of a layer", bytemuck::cast_slice(pose))?;
        }
        check_finite("rest pose", bytemuck::cast_slice(self.rest))?;
        let sum = self.layers.iter().fold(0.0, |sum, layer| sum + layer.weight.max(0.0)).max(self.threshold);
        if sum > 0.0 && sum.is_finite() { Ok(()) } else { Err(JobError::WeightSum { sum }) }
    }

    fn check_shape(&self) -> Result<(), JobError> {
        if self.layers.len() > LAYERS_MAX {
            return Err(JobError::LayerCount { count: self.layers.len(), max: LAYERS_MAX });
        }
        for layer in self.layers {
            check_length("blocks of a layer", layer.pose.len(), self.out.len())?;
        }
        check_length("blocks of the rest pose", self.rest.len(), self.out.len())
    }

    /// Writes `out`. Panics where lengths differ; other faults, which `validate` finds, give poses that are not finite.
    pub fn run(self) {
        self.check_shape().unwrap_or_else(|error| panic!("{error}"));
        match self.layers.len() {
            2 => self.run_few::<2>(),
            3 => self.run_few::<3>(),
            4 => self.run_few::<4>(),
            5 => self.run_few::<5>(),
            6 => self.run_few::<6>(),
            7 => self.run_few::<7>(),
            8 => self.run_few::<8>(),
            _ => self.run_many(),
        }
    }

    /// `N` layers that all count, and nothing for the rest pose: a kernel for each count, whose loops over layers are
    /// written out, takes a third to a half off.
    fn run_few<const N: usize>(self) {
        let Some(layers) = self.layers.first_chunk::<N>() else { unreachable!("{} layers", self.layers.len()) };
        let mut shares = layers.map(|layer| layer.weight);
        let sum = shares.iter().fold(0.0, |sum, weight| sum + weight);
        if !shares.iter().all(|weight| *weight > 0.0) || self.threshold - sum > 0.0 {
            return self.run_many();
        }
        share_out(&mut shares, sum);
        self.isa.run_wide(Few { layers, shares: &shares, out: self.out });
    }

    /// Any layers, those without weight left out.
    fn run_many(self) {
        let mut poses: [&[JointBlock]; LAYERS_MAX + 1] = [self.rest; LAYERS_MAX + 1];
        let mut shares = [0.0; LAYERS_MAX + 1];
        let (mut count, mut sum) = (0, 0.0);
        for layer in self.layers {
            if layer.weight > 0.0 {
                (poses[count], shares[count]) = (layer.pose, layer.weight);
                sum += layer.weight;
                count += 1;
            }
        }
        let rest = self.threshold - sum;
        if rest > 0.0 {
            (poses[count], shares[count]) = (self.rest, rest);
            sum += rest;
            count += 1;
        }
        let (poses, shares) = (&poses[..count], &mut shares[..count]);
        share_out(shares, sum);
        match *poses {
            [] => self.out.copy_from_slice(self.rest),
            [pose] => self.out.copy_from_slice(pose),
            _ => self.isa.run_wide(Many { poses, shares, out: self.out }),
        }
    }
}

/// From weights above 0 to shares of 1. The last is what is left of 1, so that joints without scale keep a scale of
/// exactly 1: the remainder of a sum s is rounded by at most 2^-25, and s plus it therefore to 1.
#[inline(always)]
fn share_out(weights: &mut [f32], sum: f32) {
    let Some((last, others)) = weights.split_last_mut() else { return };
    let mut before_last = 0.0;
    for weight in others {
        // Most sums are 1 already, and then no kernel waits for a division.
        if sum != 1.0 {
            *weight /= sum;
        }
        before_last += *weight;
    }
    *last = if before_last < 1.0 { 1.0 - before_last } else { *last / sum };
}

struct Few<'a, const N: usize> {
    layers: &'a [BlendLayer<'a>; N],
    shares: &'a [f32; N],
    out: &'a mut [JointBlock],
}

impl<const N: usize> WideWork for Few<'_, N> {
    type Out = ();
    #[inline(always)]
    fn run<W: Wide>(self, wide: W) {
        let Few { layers, shares, out } = self;
        let poses: [&[JointBlock]; N] = std::array::from_fn(|layer| &layers[layer].pose[..out.len()]);
        blend_blocks(wide, &poses, shares, out);
    }
}

struct Many<'a> {
    poses: &'a [&'a [JointBlock]],
    shares: &'a [f32],
    out: &'a mut [JointBlock],
}

impl WideWork for Many<'_> {
    type Out = ();
    #[inline(always)]
    fn run<W: Wide>(self, wide: W) {
        blend_blocks(wide, self.poses, self.shares, self.out);
    }
}

/// The sign of `key`, or where that is 0, of the first number of `rotation` that is not, from w on: odd in the
/// rotation.
#[inline(always)]
pub(super) fn sign_of<W: Wide>(wide: W, key: W::F32, [x, y, z, w]: [W::F32; 4]) -> W::F32 {
    let zero = wide.splat(0.0);
    let mut key = key;
    // Rare, and a branch costs less than four selections.
    if wide.any_equal(key, zero) {
        key = wide.select_equal(key, zero, w, key);
        key = wide.select_equal(key, zero, x, key);
        key = wide.select_equal(key, zero, y, key);
        key = wide.select_equal(key, zero, z, key);
    }
    wide.sign(key)
}

#[inline(always)]
pub(super) fn load4<W: Wide>(wide: W, rows: &[Row; 4], part: usize) -> [W::F32; 4] {
    [wide.load(&rows[0], part), wide.load(&rows[1], part), wide.load(&rows[2], part), wide.load(&rows[3], part)]
}

#[inline(always)]
pub(crate) fn load3<W: Wide>(wide: W, rows: &[Row; 3], part: usize) -> [W::F32; 3] {
    [wide.load(&rows[0], part), wide.load(&rows[1], part), wide.load(&rows[2], part)]
}

#[inline(always)]
fn blend_blocks<W: Wide>(wide: W, poses: &[&[JointBlock]], shares: &[f32], out: &mut [JointBlock]) {
    for (b, out) in out.iter_mut().enumerate() {
        for part in 0..ROW / W::WIDTH {
            let part = wide.each(part);
            blend_part(wide, poses, shares, b, part, out);
        }
    }
}

/// Ten sums and the first rotation are more than the registers of AVX2: there rotations come first, and the rest while
/// the square root and the division are under way. Vectors of a whole row have registers for all, and one loop is
/// faster.
#[inline(always)]
fn blend_part<W: Wide>(wide: W, poses: &[&[JointBlock]], shares: &[f32], b: usize, part: usize, out: &mut JointBlock) {
    let at_once = W::WIDTH == ROW;
    let first = &poses[0][b];
    let share = wide.splat(shares[0]);
    let q = load4(wide, &first.rotation, part);
    let sign = sign_of(wide, q[3], q);
    let q0 = [wide.flip(q[0], sign), wide.flip(q[1], sign), wide.flip(q[2], sign), wide.flip(q[3], sign)];
    let [mut x, mut y, mut z, mut w] = [share * q0[0], share * q0[1], share * q0[2], share * q0[3]];
    let mut moved = if at_once { weighted(wide, first, share, part) } else { [share; 6] };
    for (pose, share) in poses[1..].iter().zip(&shares[1..]) {
        let (block, share) = (&pose[b], wide.splat(*share));
        let q = load4(wide, &block.rotation, part);
        let dot = ((q[0] * q0[0] + q[1] * q0[1]) + q[2] * q0[2]) + q[3] * q0[3];
        // Negating the share negates the products, exactly.
        let signed = wide.flip(share, sign_of(wide, dot, q));
        (x, y, z, w) = (x + signed * q[0], y + signed * q[1], z + signed * q[2], w + signed * q[3]);
        if at_once {
            moved = sum(wide, moved, weighted(wide, block, share, part));
        }
    }
    let length_squared = ((x * x + y * y) + z * z) + w * w;
    let mut factor = wide.splat(1.0) / wide.sqrt(length_squared);
    // Rotations that cancel: the first one.
    let min = wide.splat(LENGTH_SQUARED_MIN);
    if wide.any_less(length_squared, min) {
        factor = wide.select_less(length_squared, min, wide.splat(1.0), factor);
        x = wide.select_less(length_squared, min, q0[0], x);
        y = wide.select_less(length_squared, min, q0[1], y);
        z = wide.select_less(length_squared, min, q0[2], z);
        w = wide.select_less(length_squared, min, q0[3], w);
    }
    if !at_once {
        moved = weighted(wide, first, share, part);
        for (pose, share) in poses[1..].iter().zip(&shares[1..]) {
            moved = sum(wide, moved, weighted(wide, &pose[b], wide.splat(*share), part));
        }
    }

    let [tx, ty, tz, sx, sy, sz] = moved;
    wide.store(tx, &mut out.translation[0], part);
    wide.store(ty, &mut out.translation[1], part);
    wide.store(tz, &mut out.translation[2], part);
    wide.store(sx, &mut out.scale[0], part);
    wide.store(sy, &mut out.scale[1], part);
    wide.store(sz, &mut out.scale[2], part);
    // Last, since what comes after them in the program waits with them for the division.
    wide.store(x * factor, &mut out.rotation[0], part);
    wide.store(y * factor, &mut out.rotation[1], part);
    wide.store(z * factor, &mut out.rotation[2], part);
    wide.store(w * factor, &mut out.rotation[3], part);
}

/// Translation and scale, times a share.
#[inline(always)]
fn weighted<W: Wide>(wide: W, block: &JointBlock, share: W::F32, part: usize) -> [W::F32; 6] {
    let [tx, ty, tz] = load3(wide, &block.translation, part);
    let [sx, sy, sz] = load3(wide, &block.scale, part);
    [share * tx, share * ty, share * tz, share * sx, share * sy, share * sz]
}

#[inline(always)]
fn sum<W: Wide>(_: W, a: [W::F32; 6], b: [W::F32; 6]) -> [W::F32; 6] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5]]
}
