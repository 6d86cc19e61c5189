//! What surrounds a scene.

use std::path::PathBuf;

use super::angle::radians;

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
    /// Not decided until the files are loaded: see `Scene::settle`, after which this is gone.
    Auto,
    /// Black, no ambient light.
    None,
    Sky(Sky),
    /// Equirectangular EXR or HDR, absolute path; u = atan2(z, x) / 2 pi + 0.5, top row +Y.
    File(PathBuf),
    /// Constant radiance, linear.
    Uniform([f32; 3]),
    /// Radiance by the height `y` of the unit direction, linear: `mix(horizon, zenith, y)` above the horizon,
    /// `mix(horizon, ground, -y)` below.
    Gradient {
        zenith: [f32; 3],
        horizon: [f32; 3],
        ground: [f32; 3],
    },
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

impl Default for Sky {
    fn default() -> Sky {
        Sky {
            sun_elevation_rad: radians(35.0),
            sun_azimuth_rad: radians(45.0),
            turbidity: 2.5,
            ground_albedo: [0.3; 3],
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Background {
    /// Not decided until the files are loaded: see `Scene::settle`, after which this is gone.
    Auto,
    /// Linear.
    Color([f32; 3]),
    Environment,
    Transparent,
}
