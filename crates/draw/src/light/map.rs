//! Map: one depth map of a light, and arrays of them.

use glam::{Mat4, Vec3};
use stillframe_base::math::camera::{look_rotation, view_from_world};

use crate::view::product;

/// How a light's rays run. It decides which array its depth maps are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rays {
    Parallel,
    FromPoint,
}

/// One depth map: where it looks from and what its texels mean.
#[derive(Clone, Debug, PartialEq)]
pub struct MapView {
    pub clip_from_world: Mat4,
    /// A texel is `x + y * clip w` metres wide.
    pub texel_m: [f32; 2],
    pub layer: u32,
    /// Of its light: which array it is a layer of.
    pub rays: Rays,
}

/// An array of maps of one size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MapArray {
    pub layers: u32,
    pub size_px: u32,
}

/// Texels around a side of a point light's map, so that no filter looks over its edge.
const MARGIN_TEXELS: f32 = 6.0;

/// Nearer than this nothing casts a shadow: the distance below which light does not grow either.
const NEAR_M: f32 = 0.01;

/// Reversed Z without an end: depth is `NEAR_M / w`. `half`: tangent of the half angle that must fit.
pub fn perspective_map(eye: Vec3, forward: Vec3, half: f32, size_px: u32, layer: u32) -> MapView {
    let half = half * size_px as f32 / (size_px as f32 - 2.0 * MARGIN_TEXELS);
    let clip_from_view = Mat4::from_cols_array_2d(&[
        [1.0 / half, 0.0, 0.0, 0.0],
        [0.0, 1.0 / half, 0.0, 0.0],
        [0.0, 0.0, 0.0, -1.0],
        [0.0, 0.0, NEAR_M, 0.0],
    ]);
    let view = view_from_world(eye, look_rotation(forward, Vec3::Y));
    MapView {
        clip_from_world: product(clip_from_view, view),
        texel_m: [0.0, 2.0 * half / size_px as f32],
        layer,
        rays: Rays::FromPoint,
    }
}
