//! Blend: the weighted mean of poses, all layers in one pass.
//!
//! Source: weighted nlerp (Blow, "Understanding slerp, then not using it", 2004); the job's shape and the rest pose as in ozz's
//! BlendingJob. Different: one pass over all layers in registers; signs by the first layer, so that order is not part of the
//! meaning; shares that sum to exactly 1; exact `sqrt` and `/`.
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
/// Weights: where they sum to less than `threshold`, the rest pose fills up; so a sum that goes to 0 goes to rest without a jump.
/// Exactness: a layer that has all the weight is copied, bit for bit. Rotations may have either sign: negating one changes no bit
/// of a blend of two or more layers. The layers' order after the first changes only the rounding.
pub struct Blend<'a> {
    pub isa: Isa,
    pub layers: &'a [BlendLayer<'a>],
    pub rest: &'a [JointBlock],
    pub threshold: f32,
    pub out: &'a mut [JointBlock],
}

/// Layers with weight, and their shares of 1.
struct Shares<'a> {
    poses: [&'a [JointBlock]; LAYERS_MAX + 1],
    shares: [f32; LAYERS_MAX + 1],
    count: usize,
}

impl<'a> Blend<'a> {
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
        let mut shares = Shares::NONE;
        self.share_out(&mut shares);
        match shares.count {
            0 => self.out.copy_from_slice(self.rest),
            1 => self.out.copy_from_slice(shares.poses[0]),
            _ => self.isa.run_wide(Kernel { shares: &shares, out: self.out }),
        }
    }

    /// Fills `shares`, which is empty: handed in, since a result of this size would be copied.
    fn share_out(&self, shares: &mut Shares<'a>) {
        let mut sum = 0.0;
        for layer in self.layers {
            if layer.weight > 0.0 {
                sum += layer.weight;
                shares.push(layer.pose, layer.weight);
            }
        }
        let rest = self.threshold - sum;
        if rest > 0.0 {
            sum += rest;
            shares.push(self.rest, rest);
        }

        // The last share is what is left of 1, so that joints without scale keep a scale of exactly 1: the remainder of a sum s is
        // rounded by at most 2^-25, and s plus it therefore to 1.
        let mut before_last = 0.0;
        let Some((last, others)) = shares.shares[..shares.count].split_last_mut() else { return };
        for share in others {
            *share /= sum;
            before_last += *share;
        }
        *last = if before_last < 1.0 { 1.0 - before_last } else { *last / sum };
    }
}

impl<'a> Shares<'a> {
    const NONE: Shares<'a> = Shares { poses: [&[]; LAYERS_MAX + 1], shares: [0.0; LAYERS_MAX + 1], count: 0 };

    fn push(&mut self, pose: &'a [JointBlock], weight: f32) {
        self.poses[self.count] = pose;
        self.shares[self.count] = weight;
        self.count += 1;
    }
}

struct Kernel<'a> {
    shares: &'a Shares<'a>,
    out: &'a mut [JointBlock],
}

/// The sign of `key`, or where that is 0, of the first number of `rotation` that is not, from w on: odd in the rotation.
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

impl WideWork for Kernel<'_> {
    type Out = ();
    #[inline(always)]
    fn run<W: Wide>(self, wide: W) {
        let count = self.shares.count;
        let (poses, shares) = (&self.shares.poses[..count], &self.shares.shares[..count]);
        for (b, out) in self.out.iter_mut().enumerate() {
            for part in 0..ROW / W::WIDTH {
                let part = wide.each(part);
                blend_part(wide, poses, shares, b, part, out);
            }
        }
    }
}

/// Ten sums and the first rotation are more than the registers of AVX2, so rotations come first, and the rest while the
/// square root and the division are under way.
#[inline(always)]
fn blend_part<W: Wide>(wide: W, poses: &[&[JointBlock]], shares: &[f32], b: usize, part: usize, out: &mut JointBlock) {
    let first = &poses[0][b];
    let share = wide.splat(shares[0]);
    let q = load4(wide, &first.rotation, part);
    let sign = sign_of(wide, q[3], q);
    let q0 = [wide.flip(q[0], sign), wide.flip(q[1], sign), wide.flip(q[2], sign), wide.flip(q[3], sign)];
    let [mut x, mut y, mut z, mut w] = [share * q0[0], share * q0[1], share * q0[2], share * q0[3]];
    for (pose, share) in poses[1..].iter().zip(&shares[1..]) {
        let q = load4(wide, &pose[b].rotation, part);
        let dot = ((q[0] * q0[0] + q[1] * q0[1]) + q[2] * q0[2]) + q[3] * q0[3];
        // Negating the share negates the products, exactly.
        let signed = wide.flip(wide.splat(*share), sign_of(wide, dot, q));
        (x, y, z, w) = (x + signed * q[0], y + signed * q[1], z + signed * q[2], w + signed * q[3]);
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

    let [t0, t1, t2] = load3(wide, &first.translation, part);
    let [mut tx, mut ty, mut tz] = [share * t0, share * t1, share * t2];
    let [s0, s1, s2] = load3(wide, &first.scale, part);
    let [mut sx, mut sy, mut sz] = [share * s0, share * s1, share * s2];
    for (pose, share) in poses[1..].iter().zip(&shares[1..]) {
        let (block, share) = (&pose[b], wide.splat(*share));
        let t = load3(wide, &block.translation, part);
        (tx, ty, tz) = (tx + share * t[0], ty + share * t[1], tz + share * t[2]);
        let s = load3(wide, &block.scale, part);
        (sx, sy, sz) = (sx + share * s[0], sy + share * s[1], sz + share * s[2]);
    }

    wide.store(x * factor, &mut out.rotation[0], part);
    wide.store(y * factor, &mut out.rotation[1], part);
    wide.store(z * factor, &mut out.rotation[2], part);
    wide.store(w * factor, &mut out.rotation[3], part);
    wide.store(tx, &mut out.translation[0], part);
    wide.store(ty, &mut out.translation[1], part);
    wide.store(tz, &mut out.translation[2], part);
    wide.store(sx, &mut out.scale[0], part);
    wide.store(sy, &mut out.scale[1], part);
    wide.store(sz, &mut out.scale[2], part);
}
