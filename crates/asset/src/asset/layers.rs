//! Layers: what lies over, under or in a surface beside its metallic-roughness base, as the file has it.
//!
//! Source: the KHR_materials extensions of glTF 2.0; every field keeps the extension's name, unit and default.

use super::TextureSlot;

/// `None` where the file says nothing. The renderer shows none of them yet: what imports them warns where they would
/// show.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Layers {
    /// Index of refraction; 0 makes every angle reflect all.
    pub ior: Option<f32>,
    pub specular: Option<Specular>,
    pub clearcoat: Option<Clearcoat>,
    pub sheen: Option<Sheen>,
    pub transmission: Option<Transmission>,
    pub diffuse_transmission: Option<DiffuseTransmission>,
    pub volume: Option<Volume>,
    pub anisotropy: Option<Anisotropy>,
    pub iridescence: Option<Iridescence>,
    /// 20 divided by the Abbe number.
    pub dispersion: Option<f32>,
}

/// Strength (A of its texture) and colour (RGB of its texture) of a dielectric's reflection.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Specular {
    pub strength: f32,
    pub strength_texture: Option<TextureSlot>,
    pub color: [f32; 3],
    pub color_texture: Option<TextureSlot>,
}

/// A clear varnish: strength (R), roughness (G) and a normal map of its own.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Clearcoat {
    pub strength: f32,
    pub strength_texture: Option<TextureSlot>,
    pub roughness: f32,
    pub roughness_texture: Option<TextureSlot>,
    pub normal_texture: Option<TextureSlot>,
    pub normal_scale: f32,
}

/// Fibres: colour (RGB) and roughness (A).
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Sheen {
    pub color: [f32; 3],
    pub color_texture: Option<TextureSlot>,
    pub roughness: f32,
    pub roughness_texture: Option<TextureSlot>,
}

/// Light that goes straight through a thin surface (R).
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Transmission {
    pub strength: f32,
    pub strength_texture: Option<TextureSlot>,
}

/// Light that is scattered through a thin surface: strength (A) and colour (RGB).
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct DiffuseTransmission {
    pub strength: f32,
    pub strength_texture: Option<TextureSlot>,
    pub color: [f32; 3],
    pub color_texture: Option<TextureSlot>,
}

/// What fills a closed surface: thickness (G) in the space of the mesh.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Volume {
    pub thickness_m: f32,
    pub thickness_texture: Option<TextureSlot>,
    /// After this way white light has `attenuation_color`; infinite where nothing is absorbed.
    pub attenuation_distance_m: f32,
    pub attenuation_color: [f32; 3],
}

/// Brushed surfaces: direction (RG) and strength (B).
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Anisotropy {
    pub strength: f32,
    /// Counter-clockwise from the tangent.
    pub rotation_rad: f32,
    pub texture: Option<TextureSlot>,
}

/// A thin film: strength (R) and thickness (G).
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Iridescence {
    pub strength: f32,
    pub strength_texture: Option<TextureSlot>,
    pub ior: f32,
    pub thickness_min_nm: f32,
    pub thickness_max_nm: f32,
    pub thickness_texture: Option<TextureSlot>,
}

impl Layers {
    /// Names of the layers that change what is seen, in glTF's words: a layer of no strength does not.
    pub fn shown_names(&self) -> Vec<&'static str> {
        let white = [1.0; 3];
        let rows = [
            ("clearcoat", self.clearcoat.as_ref().is_some_and(|c| c.strength > 0.0)),
            ("sheen", self.sheen.as_ref().is_some_and(|s| s.color != [0.0; 3])),
            ("transmission", self.transmission.as_ref().is_some_and(|t| t.strength > 0.0)),
            ("diffuse transmission", self.diffuse_transmission.as_ref().is_some_and(|t| t.strength > 0.0)),
            ("volume", self.volume.as_ref().is_some_and(|v| v.thickness_m > 0.0)),
            ("ior", self.ior.is_some_and(|ior| ior != 1.5)),
            (
                "specular",
                self.specular.as_ref().is_some_and(|s| {
                    s.strength != 1.0 || s.color != white || s.strength_texture.is_some() || s.color_texture.is_some()
                }),
            ),
            ("anisotropy", self.anisotropy.as_ref().is_some_and(|a| a.strength != 0.0)),
            ("iridescence", self.iridescence.as_ref().is_some_and(|i| i.strength > 0.0)),
            ("dispersion", self.dispersion.is_some_and(|d| d > 0.0)),
        ];
        rows.iter().filter(|(_, shows)| *shows).map(|(name, _)| *name).collect()
    }
}
