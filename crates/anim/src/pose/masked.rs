//! Masked blend: the weighted mean of poses where every joint has weights of its own.
//!
//! Source: the joint weights of ozz's BlendingJob, the partial blend of skeleton branches. Different: what
//! [`Blend`](super::Blend) does differently, joint by joint; where one layer has all the weight of a joint, the joint
//! is copied.
//!
//! ```text
//! for each joint:
//!     w[i] = weight[i] * mask[i]; w[rest] = threshold - sum, at least 0, and 1 where nothing has weight
//!     only one w > 0: that layer's joint, bit for bit
//!     else: share[i] = w[i] / sum, the last one what is left of 1; then as in Blend, layers of w = 0 left out
//! ```

use stillframe_base::lanes::{Isa, ROW, Row, Wide, WideWork};

use super::blend::{LENGTH_SQUARED_MIN, load3, load4, sign_of};
use super::mask::check_mask;
use super::{JobError, JointBlock, LAYERS_MAX, check_finite, check_length};

/// A pose, how much it counts, and where.
#[derive(Clone, Copy, Debug)]
pub struct MaskedLayer<'a> {
    pub pose: &'a [JointBlock],
    /// Any scale: the sum of all is divided out, for each joint. Negative counts as 0.
    pub weight: f32,
    /// 0 to 1 for each joint, a row a block; `None` is 1 everywhere.
    pub mask: Option<&'a [Row]>,
}

/// Blends poses with masks.
///
/// Shapes: every pose, every mask, `rest` and `out` have the same number of blocks.
/// Weights: where those of a joint sum to less than `threshold`, the rest pose fills up; a joint without any is at
/// rest. Exactness: a joint whose weight is all one layer's is copied, bit for bit; with masks of 1 the bits are those
/// of [`Blend`](super::Blend); a layer whose mask is 0 at a joint does not change it (the sign of a zero apart).
pub struct MaskedBlend<'a> {
    pub isa: Isa,
    pub layers: &'a [MaskedLayer<'a>],
    pub rest: &'a [JointBlock],
    pub threshold: f32,
    pub out: &'a mut [JointBlock],
}

impl MaskedBlend<'_> {
    /// Looks at every number.
    pub fn validate(&self) -> Result<(), JobError> {
        self.check_shape()?;
        let mut sum = self.threshold;
        for (layer, &MaskedLayer { pose, weight, mask }) in self.layers.iter().enumerate() {
            if !weight.is_finite() {
                return Err(JobError::Weight { layer, weight });
            }
            sum += weight.max(0.0);
            check_finite("pose of a layer", bytemuck::cast_slice(pose))?;
            mask.map_or(Ok(()), |mask| check_mask(mask, self.out.len()))?;
        }
        check_finite("rest pose", bytemuck::cast_slice(self.rest))?;
        if sum.is_finite() { Ok(()) } else { Err(JobError::WeightSum { sum }) }
    }

    fn check_shape(&self) -> Result<(), JobError> {
        if self.layers.len() > LAYERS_MAX {
            return Err(JobError::LayerCount { count: self.layers.len(), max: LAYERS_MAX });
        }
        for layer in self.layers {
            check_length("blocks of a layer", layer.pose.len(), self.out.len())?;
            layer.mask.map_or(Ok(()), |mask| check_length("rows of a mask", mask.len(), self.out.len()))?;
        }
        check_length("blocks of the rest pose", self.rest.len(), self.out.len())
    }

    /// Writes `out`. Panics where lengths differ; other faults, which `validate` finds, give poses that are not finite.
    pub fn run(self) {
        self.check_shape().unwrap_or_else(|error| panic!("{error}"));
        let mut poses: [&[JointBlock]; LAYERS_MAX + 1] = [self.rest; LAYERS_MAX + 1];
        poses.iter_mut().zip(self.layers).for_each(|(pose, layer)| *pose = layer.pose);
        let poses = &poses[..=self.layers.len()];
        self.isa.run_wide(Kernel { layers: self.layers, poses, threshold: self.threshold, out: self.out });
    }
}

struct Kernel<'a> {
    layers: &'a [MaskedLayer<'a>],
    /// Those of the layers and then the rest pose.
    poses: &'a [&'a [JointBlock]],
    threshold: f32,
    out: &'a mut [JointBlock],
}

impl WideWork for Kernel<'_> {
    type Out = ();
    #[inline(always)]
    fn run<W: Wide>(self, wide: W) {
        for (b, out) in self.out.iter_mut().enumerate() {
            for part in 0..ROW / W::WIDTH {
                let part = wide.each(part);
                let mut shares =
                    Shares { shares: [wide.splat(0.0); LAYERS_MAX + 1], first: wide.splat(0.0), last: wide.splat(0.0) };
                share_out(wide, self.layers, self.threshold, b, part, &mut shares);
                blend_part(wide, self.poses, &shares, b, part, out);
            }
        }
    }
}

/// Shares of 1 by layer, and the numbers of the first and the last layer that has one.
struct Shares<W: Wide> {
    shares: [W::F32; LAYERS_MAX + 1],
    first: W::F32,
    last: W::F32,
}

#[inline(always)]
fn share_out<W: Wide>(wide: W, layers: &[MaskedLayer<'_>], threshold: f32, b: usize, part: usize, out: &mut Shares<W>) {
    let (zero, one) = (wide.splat(0.0), wide.splat(1.0));
    let rest = layers.len();
    let none = wide.splat(-1.0);
    let (mut sum, mut first, mut last) = (zero, none, none);
    for (i, layer) in layers.iter().enumerate() {
        let mut weight = wide.splat(if layer.weight > 0.0 { layer.weight } else { 0.0 });
        if let Some(mask) = layer.mask {
            weight = weight * wide.load(&mask[b], part);
        }
        out.shares[i] = weight;
        sum = sum + weight;
        let number = wide.splat(i as f32);
        last = wide.select_less(zero, weight, number, last);
        first = wide.select_less(first, zero, last, first);
    }
    let missing = wide.splat(threshold) - sum;
    let mut weight = wide.select_less(zero, missing, missing, zero);
    weight = wide.select_less(zero, sum + weight, weight, one);
    out.shares[rest] = weight;
    sum = sum + weight;
    last = wide.select_less(zero, weight, wide.splat(rest as f32), last);
    first = wide.select_less(first, zero, last, first);

    let mut before = zero;
    for (i, share) in out.shares[..=rest].iter_mut().enumerate() {
        let part_of_sum = *share / sum;
        let left = wide.select_less(before, one, one - before, part_of_sum);
        *share = wide.select_equal(last, wide.splat(i as f32), left, part_of_sum);
        before = before + *share;
    }
    (out.first, out.last) = (first, last);
}

#[inline(always)]
fn blend_part<W: Wide>(
    wide: W,
    poses: &[&[JointBlock]],
    shares: &Shares<W>,
    b: usize,
    part: usize,
    out: &mut JointBlock,
) {
    // The first rotation that counts gives the hemisphere.
    let mut q0 = load4(wide, &poses[0][b].rotation, part);
    for (i, pose) in poses.iter().enumerate().skip(1) {
        let (number, q) = (wide.splat(i as f32), load4(wide, &pose[b].rotation, part));
        for n in 0..4 {
            q0[n] = wide.select_equal(shares.first, number, q[n], q0[n]);
        }
    }
    let sign = sign_of(wide, q0[3], q0);
    let q0 = [wide.flip(q0[0], sign), wide.flip(q0[1], sign), wide.flip(q0[2], sign), wide.flip(q0[3], sign)];

    // A sum that starts at -0 is its first term, bit for bit.
    let mut q_sum = [wide.splat(-0.0); 4];
    let mut t_sum = [wide.splat(-0.0); 3];
    let mut s_sum = [wide.splat(-0.0); 3];
    for (pose, &share) in poses.iter().zip(&shares.shares) {
        if !wide.any_less(wide.splat(0.0), share) {
            continue;
        }
        let block = &pose[b];
        let q = load4(wide, &block.rotation, part);
        let dot = ((q[0] * q0[0] + q[1] * q0[1]) + q[2] * q0[2]) + q[3] * q0[3];
        let signed = wide.flip(share, sign_of(wide, dot, q));
        let (t, s) = (load3(wide, &block.translation, part), load3(wide, &block.scale, part));
        // Joints without a share keep their sum: a product with 0 would take the sign of its zeros, where a narrower
        // part leaves the layer out.
        let partly = wide.any_equal(share, wide.splat(0.0));
        let plus = |sum: W::F32, product: W::F32| {
            if partly { wide.select_less(wide.splat(0.0), share, sum + product, sum) } else { sum + product }
        };
        for n in 0..4 {
            q_sum[n] = plus(q_sum[n], signed * q[n]);
        }
        for n in 0..3 {
            t_sum[n] = plus(t_sum[n], share * t[n]);
            s_sum[n] = plus(s_sum[n], share * s[n]);
        }
    }
    let [x, y, z, w] = q_sum;
    let length_squared = ((x * x + y * y) + z * z) + w * w;
    let factor = wide.splat(1.0) / wide.sqrt(length_squared);
    // Rotations that cancel: the first one.
    let min = wide.splat(LENGTH_SQUARED_MIN);
    for n in 0..4 {
        q_sum[n] = wide.select_less(length_squared, min, q0[n], q_sum[n] * factor);
    }

    // Joints of one layer are that layer's.
    if wide.any_equal(shares.first, shares.last) {
        for (i, pose) in poses.iter().enumerate() {
            let (block, number) = (&pose[b], wide.splat(i as f32));
            // Two layers or more: a number that no layer has.
            let only = wide.select_equal(shares.first, shares.last, shares.first, wide.splat(-1.0));
            let q = load4(wide, &block.rotation, part);
            let (t, s) = (load3(wide, &block.translation, part), load3(wide, &block.scale, part));
            for n in 0..4 {
                q_sum[n] = wide.select_equal(only, number, q[n], q_sum[n]);
            }
            for n in 0..3 {
                t_sum[n] = wide.select_equal(only, number, t[n], t_sum[n]);
                s_sum[n] = wide.select_equal(only, number, s[n], s_sum[n]);
            }
        }
    }
    for n in 0..4 {
        wide.store(q_sum[n], &mut out.rotation[n], part);
    }
    for n in 0..3 {
        wide.store(t_sum[n], &mut out.translation[n], part);
        wide.store(s_sum[n], &mut out.scale[n], part);
    }
}
