//! Reflection: how much light a dielectric surface sends back at once.

/// What a dielectric reflects; a metal reflects its base colour.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Reflection {
    /// At normal incidence, 0 to 1, linear.
    pub f0: [f32; 3],
    /// At grazing incidence.
    pub f90: f32,
}

impl Default for Reflection {
    /// An index of refraction of 1.5.
    fn default() -> Self {
        Reflection { f0: [Reflection::PLAIN_F0; 3], f90: 1.0 }
    }
}

impl Reflection {
    /// What an index of refraction of 1.5 makes.
    pub const PLAIN_F0: f32 = 0.04;

    /// By an index of refraction, a strength and a colour, as KHR_materials_ior and KHR_materials_specular have them.
    pub fn new(ior: f32, strength: f32, color: [f32; 3]) -> Reflection {
        let strength = strength.clamp(0.0, 1.0);
        Reflection { f0: Reflection::unlimited(ior, color).map(|f0| f0.min(1.0) * strength), f90: strength }
    }

    /// f0 of a strength of 1, which may be more than 1.
    pub fn unlimited(ior: f32, color: [f32; 3]) -> [f32; 3] {
        let root = (ior.max(0.0) - 1.0) / (ior.max(0.0) + 1.0);
        // 0.2 * 0.2 is not the nearest number to 0.04.
        let f0 = if ior == 1.5 { Reflection::PLAIN_F0 } else { root * root };
        color.map(|c| f0 * c.max(0.0))
    }

    /// Whether it is that of most materials.
    pub fn is_plain(&self) -> bool {
        *self == Reflection::default()
    }
}
