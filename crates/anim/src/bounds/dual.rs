//! Dual: a box for dual quaternion skinning.
//!
//! With weights `w_i` that sum to 1, rotations `q_i` and `p_i` where joint `i` alone puts a vertex, dual quaternion
//! linear blending puts it at
//!
//! ```text
//! b = sum w_i q_i,  p = sum p_i s_i  with  s_i = w_i q_i conj(b) / |b|^2,  sum s_i = 1
//! ```
//!
//! (the vector part; write each translation as `p_i - q_i v conj(q_i)` and the terms with `v` cancel). The real parts
//! of the `s_i` make a mean of the `p_i` where all `q_i` have no negative dot product with `b`; their vector parts sum
//! to 0, so they add at most `R sum |w_i sin f_i| / |b|`, `f_i` being the angle between `q_i` and `b` and `R` the
//! largest distance of the `p_i` from any one point. `|b|` is the mean of `cos f_i`, so the mean of `sin f_i` is at
//! most `sqrt(1 - |b|^2)`. Where no two `q_i` have a negative dot product, `|b|^2 >= sum w_i^2 >= 1/n`, and so
//!
//! ```text
//! |p - mean| <= R sqrt(1/|b|^2 - 1) <= R sqrt(n - 1)
//! ```
//!
//! Two joints have the point in the middle of their images, and reach the bound at half a turn; of more joints it is
//! the image of any one. Each joint's box is enlarged by that, with distances from the corners of what it shares with
//! others: a distance between two images of a point is convex, so that its largest value over a box is at a corner.
//!
//! Source: Kavan et al., "Geometric skinning with approximate dual quaternion blending", 2008, for the blending; the
//! bound is ours.

use glam::{DAffine3, DMat3, DVec3};
use stillframe_base::geom::Aabb;

use super::{BoundsError, JointBoxes};
use crate::pose::{Affine, check_finite};

/// The box of all vertices that a palette of rigid matrices moves under dual quaternion skinning, signs of the
/// quaternions chosen so that none has a negative dot product with that of a vertex's first joint.
///
/// Errors: [`BoundsError::TurnedApart`] where a vertex of three or more joints may be blended from quaternions that
///         cancel: there is no box.
/// (Any two joints have one.)
pub fn dual_quaternion_bounds(palette: &[Affine], boxes: &JointBoxes) -> Result<Aabb, BoundsError> {
    boxes.check_palette(palette.len())?;
    check_finite("palette", bytemuck::cast_slice(palette))?;
    let matrix = |joint: u16| {
        let rows: DMat3 = DMat3::from_cols_array_2d(
            &[0, 1, 2].map(|n: usize| [0, 1, 2].map(|i| f64::from(palette[usize::from(joint)].0.0[4 * n + i]))),
        );
        let shift = [0, 1, 2].map(|n| f64::from(palette[usize::from(joint)].0.0[4 * n + 3]));
        DAffine3 { matrix3: rows.transpose(), translation: DVec3::from_array(shift) }
    };
    let mut apart = vec![0.0f64; boxes.joints().len()];
    for &(first, second, bounds) in &boxes.shared {
        let (a, b) = (matrix(first), matrix(second));
        // The trace of the turn from one to the other is 1 + 2 cos.
        let trace = (a.matrix3.transpose() * b.matrix3).to_cols_array();
        if boxes.joints_max > 2 && trace[0] + trace[4] + trace[8] < 1.0 {
            return Err(BoundsError::TurnedApart { first, second });
        }
        let distance = |corner: glam::Vec3| {
            let corner = corner.as_dvec3();
            a.transform_point3(corner).distance(b.transform_point3(corner))
        };
        let furthest = bounds.corners().map(distance).into_iter().fold(0.0, f64::max);
        for joint in [first, second] {
            let at = boxes.joints().partition_point(|own| *own < joint);
            apart[at] = apart[at].max(furthest);
        }
    }
    let more = match boxes.joints_max {
        0..=2 => 0.5,
        count => (count as f64 - 1.0).sqrt(),
    };
    let mut out = Aabb::EMPTY;
    for ((&joint, bounds), apart) in boxes.joints().iter().zip(boxes.boxes()).zip(apart) {
        let matrix = matrix(joint);
        let (mut min, mut max, mut size) = (DVec3::INFINITY, DVec3::NEG_INFINITY, 0.0f64);
        for corner in bounds.corners() {
            let moved = matrix.transform_point3(corner.as_dvec3());
            (min, max) = (min.min(moved), max.max(moved));
            size = size.max(corner.as_dvec3().length() + matrix.translation.length());
        }
        // Blending divides: rounding of parts is that of linear blending, times the same factor.
        let by = DVec3::splat(more * apart + f64::from(boxes.slack()) * (1.0 + more) * size);
        out = out.union(Aabb::new((min - by).as_vec3(), (max + by).as_vec3()));
    }
    Ok(out)
}
