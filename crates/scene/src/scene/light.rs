//! Lights of a scene, in physical units.

/// A light. It shines along its node's local -Z.
#[derive(Clone, Debug, PartialEq)]
pub struct Light {
    pub name: String,
    /// Linear, multiplies the photometric quantity.
    pub color: [f32; 3],
    pub kind: LightKind,
    pub shadow: bool,
    /// Position in `Scene::nodes` of the parent, if any.
    pub parent: Option<usize>,
    pub placement: super::Placement,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LightKind {
    Directional {
        illuminance_lux: f32,
    },
    Point {
        intensity_cd: f32,
        range_m: Option<f32>,
    },
    /// Half angles from the axis.
    Spot {
        intensity_cd: f32,
        range_m: Option<f32>,
        inner_rad: f32,
        outer_rad: f32,
    },
}
