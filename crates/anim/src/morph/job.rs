//! Job: the base and a weighted sum of differences.
//!
//! ```text
//! for each block: for each of its targets in order, if its weight is not 0, in lanes where a difference is not 0:
//!     position += weight * position difference, normal and tangent likewise
//! where a normal or tangent has changed: divided by its length; the base's where there is no length left (MorphDirections::Unit)
//! ```
//!
//! Lanes without a difference keep their bits, -0 too: so a target gives the same bits whether it lists the vertices
//! that it leaves or not.

use stillframe_base::lanes::{Isa, ROW, Row, Wide, WideWork};

use super::{MorphError, MorphSet};
use crate::pose::{check_finite, check_length, load3};
use crate::skin::VertexBlock;

/// Squares of lengths below this are no direction.
const LENGTH_SQUARED_MIN: f32 = 1e-20;

/// What becomes of normals and tangents that targets have changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MorphDirections {
    /// They are made unit.
    #[default]
    Unit,
    /// They are the sums: of the length that comes out, for a skin that makes them unit or for somebody who wants no
    /// other numbers.
    Summed,
}

/// Moves vertices towards targets. Run it before skins.
///
/// Shapes: `weights` has one entry a target; `vertices` and `out` have the blocks of the set's vertices.
/// Weights: any; 0 to 1 stays within [`MorphSet::vertex_boxes`]. Targets are added in order, each exactly as often as
/// its weight says. Normals and tangents are of unit length where a target has changed them (unless [`MorphDirections`]
/// says otherwise), and the base's bits where none has; a tangent is not made perpendicular to its normal again.
pub struct Morph<'a> {
    pub isa: Isa,
    pub set: &'a MorphSet,
    pub weights: &'a [f32],
    pub directions: MorphDirections,
    pub vertices: &'a [VertexBlock],
    pub out: &'a mut [VertexBlock],
}

impl Morph<'_> {
    /// Looks at every number. A set is checked when it is made.
    pub fn validate(&self) -> Result<(), MorphError> {
        self.check_shape()?;
        if let Some(target) = self.weights.iter().position(|weight| !weight.is_finite()) {
            return Err(MorphError::Weight { target, weight: self.weights[target] });
        }
        Ok(check_finite("vertices", bytemuck::cast_slice(self.vertices))?)
    }

    fn check_shape(&self) -> Result<(), MorphError> {
        check_length("weights of targets", self.weights.len(), self.set.target_count)?;
        check_length("blocks of the mesh", self.vertices.len(), self.set.ends.len())?;
        Ok(check_length("blocks written", self.out.len(), self.vertices.len())?)
    }

    /// Writes `out`. Panics where lengths differ; other faults, which `validate` finds, give vertices that are not
    /// finite.
    pub fn run(self) {
        self.check_shape().unwrap_or_else(|error| panic!("{error}"));
        self.isa.run_wide(Kernel(self));
    }
}

struct Kernel<'a>(Morph<'a>);

impl WideWork for Kernel<'_> {
    type Out = ();
    #[inline(always)]
    fn run<W: Wide>(self, wide: W) {
        let Morph { set, weights, directions, vertices, out, .. } = self.0;
        let mut start = 0;
        for ((vertices, out), &end) in vertices.iter().zip(out).zip(&set.ends) {
            let entries = start..end as usize;
            start = end as usize;
            let targets = &set.targets[entries.clone()];
            if targets.iter().all(|target| weights[usize::from(*target)] == 0.0) {
                *out = *vertices;
                continue;
            }
            let positions = &set.positions[entries.clone()];
            for part in 0..ROW / W::WIDTH {
                let part = wide.each(part);
                let mut sum = load3(wide, &vertices.position, part);
                for (target, delta) in targets.iter().zip(positions) {
                    sum = add(wide, sum, delta, weights[usize::from(*target)], part);
                }
                store3(wide, sum, &mut out.position, part);
            }
            if set.frames.is_empty() {
                (out.normal, out.tangent) = (vertices.normal, vertices.tangent);
                continue;
            }
            let frames = &set.frames[entries];
            for part in 0..ROW / W::WIDTH {
                let part = wide.each(part);
                let (normal, tangent) = (load3(wide, &vertices.normal, part), load3(wide, &vertices.tangent, part));
                let (mut normals, mut tangents) = (normal, tangent);
                for (target, [of_normal, of_tangent]) in targets.iter().zip(frames) {
                    let weight = weights[usize::from(*target)];
                    normals = add(wide, normals, of_normal, weight, part);
                    tangents = add(wide, tangents, of_tangent, weight, part);
                }
                if directions == MorphDirections::Unit {
                    normals = unit_where_changed(wide, normal, normals);
                    tangents = unit_where_changed(wide, tangent, tangents);
                }
                store3(wide, normals, &mut out.normal, part);
                store3(wide, tangents, &mut out.tangent, part);
            }
        }
    }
}

#[inline(always)]
fn store3<W: Wide>(wide: W, v: [W::F32; 3], rows: &mut [Row; 3], part: usize) {
    for n in 0..3 {
        wide.store(v[n], &mut rows[n], part);
    }
}

/// One target more; none at all for a weight of 0.
#[inline(always)]
fn add<W: Wide>(wide: W, sum: [W::F32; 3], delta: &[Row; 3], weight: f32, part: usize) -> [W::F32; 3] {
    if weight == 0.0 {
        return sum;
    }
    let (zero, weight, delta) = (wide.splat(0.0), wide.splat(weight), load3(wide, delta, part));
    let mut out = sum;
    for n in 0..3 {
        out[n] = wide.select_equal(delta[n], zero, sum[n], sum[n] + delta[n] * weight);
    }
    out
}

#[inline(always)]
fn unit_where_changed<W: Wide>(wide: W, base: [W::F32; 3], sum: [W::F32; 3]) -> [W::F32; 3] {
    let length_squared = (sum[0] * sum[0] + sum[1] * sum[1]) + sum[2] * sum[2];
    let (length, min) = (wide.sqrt(length_squared), wide.splat(LENGTH_SQUARED_MIN));
    let mut out = base;
    for n in 0..3 {
        out[n] = wide.select_less(length_squared, min, base[n], sum[n] / length);
    }
    // What is the same in all three numbers has not changed.
    for n in 0..3 {
        let same = wide.select_equal(sum[2], base[2], base[n], out[n]);
        let same = wide.select_equal(sum[1], base[1], same, out[n]);
        out[n] = wide.select_equal(sum[0], base[0], same, out[n]);
    }
    out
}
