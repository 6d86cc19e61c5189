//! What surrounds a scene.

use std::path::PathBuf;

#[derive(Clone, Debug, PartialEq)]
pub struct Environment {
    pub source: EnvironmentSource,
    /// Multiplies radiance.
    pub intensity: f32,
    /// About +Y, counter-clockwise seen from above.
    pub rotation_rad: f32,
}

#[derive(Clone, Debug, PartialEq)]
pub enum EnvironmentSource {
    /// Black, no ambient light.
    None,
    Sky(Sky),
    /// Equirectangular EXR or HDR, absolute path; u = atan2(z, x) / 2 pi + 0.5, top row +Y.
    File(PathBuf),
    /// Constant radiance, linear.
    Uniform([f32; 3]),
}

/// The procedural sky. `shader` holds its formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sky {
    pub sun_elevation_rad: f32,
    /// From +X towards +Z.
    pub sun_azimuth_rad: f32,
    /// Relative amount of haze, >= 1.
    pub turbidity: f32,
    pub ground_albedo: [f32; 3],
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Background {
    /// Linear.
    Color([f32; 3]),
    Environment,
    Transparent,
}
