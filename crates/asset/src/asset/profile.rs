//! Profile: how bright a lamp is in each direction.

use super::panel::Panel;

/// What the file of a light holds.
#[derive(Clone, Debug, PartialEq)]
pub enum LightFile {
    Profile(Profile),
    Panel(Panel),
}

impl LightFile {
    /// Asserts that it is one.
    pub fn profile(&self) -> &Profile {
        if let LightFile::Profile(profile) = self { profile } else { panic!("the light has no profile") }
    }

    /// Asserts that it is one.
    pub fn panel(&self) -> &Panel {
        if let LightFile::Panel(panel) = self { panel } else { panic!("the light has no picture") }
    }
}

/// Steps of half a degree from the axis to the other end of it.
pub const PROFILE_ROWS: usize = 361;
/// Steps of half a degree around the axis.
pub const PROFILE_COLUMNS: usize = 720;

/// Candela by direction, at every half degree.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// `PROFILE_COLUMNS` about the axis, from the light's X axis towards its Y axis, or 1 where all are alike; each has
    /// `PROFILE_ROWS` values, from the way that the light shines.
    pub candela: Vec<f32>,
}

impl Profile {
    /// 1 if it is the same all around its axis.
    pub fn columns(&self) -> u32 {
        (self.candela.len() / PROFILE_ROWS) as u32
    }

    /// Candela in the brightest direction.
    pub fn most_cd(&self) -> f32 {
        self.candela.iter().copied().fold(0.0, f32::max)
    }
}
