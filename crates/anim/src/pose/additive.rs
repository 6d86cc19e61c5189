//! Additive: deltas on top of a pose.
//!
//! Source: the additive layers of ozz's BlendingJob. Different: the delta is a turn in the joint's own frame, the order
//! is a promise, a weight of 0 keeps every bit. The share of a rotation is nlerp from the identity: against slerp it is
//! 0.3 degrees off for a delta of 60, 0.9 for 90.
//!
//! ```text
//! for each joint, for each delta in index order, alpha = weight * mask:
//!     translation += alpha * delta
//!     rotation     = unit(rotation * ((1 - alpha) * identity + alpha * delta))     delta negated unless its w > 0
//!     scale       *= (1 - alpha) + alpha * delta
//! ```

use std::ops::{Add, Mul, Sub};

use stillframe_base::lanes::{Isa, ROW, Row, Wide, WideWork};

use super::blend::{load3, load4, sign_of};
use super::mask::check_mask;
use super::{JobError, JointBlock, check_finite, check_length};

/// A delta of [`MakeDelta`](super::MakeDelta), how much of it, and where.
#[derive(Clone, Copy, Debug)]
pub struct DeltaLayer<'a> {
    pub delta: &'a [JointBlock],
    /// 0 to 1.
    pub weight: f32,
    /// 0 to 1 for each joint, a row a block; `None` is 1 everywhere.
    pub mask: Option<&'a [Row]>,
}

/// Adds deltas to a pose: local space, `base * delta`, in index order.
///
/// Shapes: `base`, every delta, every mask and `out` have the same number of blocks.
/// Exactness: where weight times mask is 0 a delta changes no bit. Deltas may have either sign; negating the base
/// negates the result.
pub struct AddDeltas<'a> {
    pub isa: Isa,
    pub base: &'a [JointBlock],
    pub deltas: &'a [DeltaLayer<'a>],
    pub out: &'a mut [JointBlock],
}

impl AddDeltas<'_> {
    /// Looks at every number.
    pub fn validate(&self) -> Result<(), JobError> {
        self.check_shape()?;
        check_numbers(self.base, self.deltas)
    }

    fn check_shape(&self) -> Result<(), JobError> {
        check_shape(self.base, self.deltas, self.out.len())
    }

    /// Writes `out`. Panics where lengths differ; other faults, which `validate` finds, may give poses that are not
    /// finite.
    pub fn run(self) {
        self.check_shape().unwrap_or_else(|error| panic!("{error}"));
        self.isa.run_wide(Kernel(self));
    }
}

pub(super) fn check_numbers(base: &[JointBlock], deltas: &[DeltaLayer<'_>]) -> Result<(), JobError> {
    check_finite("base pose", bytemuck::cast_slice(base))?;
    for (layer, &DeltaLayer { delta, weight, mask }) in deltas.iter().enumerate() {
        if !(0.0..=1.0).contains(&weight) {
            return Err(JobError::WeightRange { layer, weight });
        }
        check_finite("delta of a layer", bytemuck::cast_slice(delta))?;
        mask.map_or(Ok(()), |mask| check_mask(mask, base.len()))?;
    }
    Ok(())
}

pub(super) fn check_shape(base: &[JointBlock], deltas: &[DeltaLayer<'_>], count: usize) -> Result<(), JobError> {
    check_length("blocks of the base pose", base.len(), count)?;
    for layer in deltas {
        check_length("blocks of a delta", layer.delta.len(), count)?;
        layer.mask.map_or(Ok(()), |mask| check_length("rows of a mask", mask.len(), count))?;
    }
    Ok(())
}

struct Kernel<'a>(AddDeltas<'a>);

impl WideWork for Kernel<'_> {
    type Out = ();
    #[inline(always)]
    fn run<W: Wide>(self, wide: W) {
        let AddDeltas { base, deltas, out, .. } = self.0;
        for (b, (base, out)) in base.iter().zip(out).enumerate() {
            for part in 0..ROW / W::WIDTH {
                let part = wide.each(part);
                let q = load4(wide, &base.rotation, part);
                #[expect(clippy::redundant_closure, reason = "as in mesh space, where the order is the other one")]
                add_part(wide, (base, q), deltas, b, part, out, |q, share| multiply(q, share));
            }
        }
    }
}

/// The product of two quaternions, of lanes or alone.
#[inline(always)]
pub(super) fn multiply<T>(q: [T; 4], d: [T; 4]) -> [T; 4]
where
    T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T>,
{
    [
        ((q[3] * d[0] + q[0] * d[3]) + q[1] * d[2]) - q[2] * d[1],
        ((q[3] * d[1] + q[1] * d[3]) + q[2] * d[0]) - q[0] * d[2],
        ((q[3] * d[2] + q[2] * d[3]) + q[0] * d[1]) - q[1] * d[0],
        ((q[3] * d[3] - q[0] * d[0]) - q[1] * d[1]) - q[2] * d[2],
    ]
}

/// `q` is the base's rotation in the space of the deltas; `turn` puts a share of one to it.
#[inline(always)]
pub(super) fn add_part<W: Wide>(
    wide: W,
    (base, mut q): (&JointBlock, [W::F32; 4]),
    deltas: &[DeltaLayer<'_>],
    b: usize,
    part: usize,
    out: &mut JointBlock,
    turn: impl Fn([W::F32; 4], [W::F32; 4]) -> [W::F32; 4],
) {
    let (zero, one) = (wide.splat(0.0), wide.splat(1.0));
    let mut t = load3(wide, &base.translation, part);
    let mut s = load3(wide, &base.scale, part);
    for layer in deltas {
        let delta = &layer.delta[b];
        let mut alpha = wide.splat(layer.weight);
        if let Some(mask) = layer.mask {
            alpha = alpha * wide.load(&mask[b], part);
        }
        let rest = one - alpha;
        let d = load4(wide, &delta.rotation, part);
        let signed = wide.flip(alpha, sign_of(wide, d[3], d));
        let d = [signed * d[0], signed * d[1], signed * d[2], rest + signed * d[3]];
        let product = turn(q, d);
        // No product vanishes: the delta's w is not negative, so that its share is at least 0.7 long.
        let [x, y, z, w] = product;
        let factor = one / wide.sqrt(((x * x + y * y) + z * z) + w * w);
        for n in 0..4 {
            q[n] = wide.select_equal(alpha, zero, q[n], product[n] * factor);
        }
        let (dt, ds) = (load3(wide, &delta.translation, part), load3(wide, &delta.scale, part));
        for n in 0..3 {
            t[n] = wide.select_equal(alpha, zero, t[n], t[n] + alpha * dt[n]);
            s[n] = wide.select_equal(alpha, zero, s[n], s[n] * (rest + alpha * ds[n]));
        }
    }
    for n in 0..4 {
        wide.store(q[n], &mut out.rotation[n], part);
    }
    for n in 0..3 {
        wide.store(t[n], &mut out.translation[n], part);
        wide.store(s[n], &mut out.scale[n], part);
    }
}
