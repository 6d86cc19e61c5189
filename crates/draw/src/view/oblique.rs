//! Oblique: projections whose near plane is any plane.
//!
//! After E. Lengyel, "Oblique View Frustum Depth Projection and Clipping", Journal of Game Development 1(2), 2005; here
//! for reversed depth from 0 to 1, and for frustums without an end.

use glam::{DMat4, DVec4, Mat4, Vec4};

use super::matrix::inverse;

/// The projection whose near plane is a plane in view space, given as the numbers of `x y z 1` that are positive where
/// something is seen. The far plane turns with it, as far away as keeps all of the frustum in front of it.
pub(super) fn oblique(clip_from_view: Mat4, plane: Vec4) -> Mat4 {
    let plane = plane.as_dvec4();
    // The corner of the far end that is farthest from the plane; a direction, where there is no end.
    let sign = |value: f64| if value < 0.0 { -1.0 } else { 1.0 };
    let corner = inverse(clip_from_view).as_dmat4() * DVec4::new(sign(plane.x), sign(plane.y), 0.0, 1.0);
    let w = clip_from_view.as_dmat4().row(3);
    let reach = plane.dot(corner);
    if !(reach > 0.0) {
        // All of the frustum is behind it.
        return clip_from_view;
    }
    let z = w - plane * (w.dot(corner) / reach);
    let rows = clip_from_view.as_dmat4().transpose();
    DMat4::from_cols(rows.x_axis, rows.y_axis, z, rows.w_axis).transpose().as_mat4()
}
