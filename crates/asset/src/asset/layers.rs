//! Layers: what lies over, under or in a surface beside its metallic-roughness base, as the file has it.
//!
//! Source: the KHR_materials extensions of glTF 2.0; every field keeps the extension's name, unit and default.

use super::{Lighting, Reflection, TextureSlot};

/// `None` where the file says nothing. [`Layers::lighting`] has what the renderer shows; what imports the others warns
/// where they would show.
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
    /// What a dielectric reflects.
    pub fn reflection(&self) -> Reflection {
        let (strength, color) = self.specular.as_ref().map_or((1.0, [1.0; 3]), |s| (s.strength, s.color));
        Reflection::new(self.ior.unwrap_or(1.5), strength, color)
    }

    /// The layers that the renderer shows, as parameters of glTF's model.
    pub fn lighting(&self) -> Lighting {
        let mut out = Lighting::default();
        let number = |value: f32| [value, 0.0, 0.0];
        if let Some(ior) = self.ior {
            out.set("ior", number(ior));
        }
        if let Some(specular) = &self.specular {
            out.set("specular", number(specular.strength));
            out.set("specular_color", specular.color);
        }
        if let Some(coat) = &self.clearcoat {
            out.set("clearcoat", number(unit(coat.strength)));
            out.set("clearcoat_roughness", number(unit(coat.roughness)));
        }
        if let Some(sheen) = &self.sheen {
            out.set("sheen_color", sheen.color.map(unit));
            out.set("sheen_roughness", number(unit(sheen.roughness)));
        }
        if let Some(anisotropy) = &self.anisotropy {
            out.set("anisotropy", number(unit(anisotropy.strength)));
            out.set("anisotropy_rotation_deg", number(anisotropy.rotation_rad * (180.0 / std::f32::consts::PI)));
        }
        if let Some(film) = &self.iridescence {
            out.set("iridescence", number(unit(film.strength)));
            out.set("iridescence_ior", number(film.ior.clamp(1.0, 5.0)));
            out.set("iridescence_thickness_nm", number(film.thickness_max_nm.clamp(0.0, 10_000.0)));
        }
        out
    }

    /// Names of the layers that would change what is seen and are not shown, in glTF's words: a layer of no strength
    /// does not.
    pub fn missing_names(&self) -> Vec<&'static str> {
        let has = |textures: &[&Option<TextureSlot>]| textures.iter().any(|texture| texture.is_some());
        let rows = [
            ("transmission", self.transmission.as_ref().is_some_and(|t| t.strength > 0.0)),
            ("diffuse transmission", self.diffuse_transmission.as_ref().is_some_and(|t| t.strength > 0.0)),
            ("volume", self.volume.as_ref().is_some_and(|v| v.thickness_m > 0.0)),
            ("specular texture", self.specular.as_ref().is_some_and(|s| has(&[&s.strength_texture, &s.color_texture]))),
            (
                "clearcoat texture",
                self.clearcoat.as_ref().is_some_and(|c| {
                    c.strength > 0.0 && has(&[&c.strength_texture, &c.roughness_texture, &c.normal_texture])
                }),
            ),
            (
                "sheen texture",
                self.sheen
                    .as_ref()
                    .is_some_and(|s| s.color != [0.0; 3] && has(&[&s.color_texture, &s.roughness_texture])),
            ),
            ("anisotropy texture", self.anisotropy.as_ref().is_some_and(|a| a.strength != 0.0 && has(&[&a.texture]))),
            (
                "iridescence texture",
                self.iridescence
                    .as_ref()
                    .is_some_and(|i| i.strength > 0.0 && has(&[&i.strength_texture, &i.thickness_texture])),
            ),
            ("dispersion", self.dispersion.is_some_and(|d| d > 0.0)),
        ];
        rows.iter().filter(|(_, shows)| *shows).map(|(name, _)| *name).collect()
    }
}

/// A share, whatever a file says.
fn unit(value: f32) -> f32 {
    value.clamp(0.0, 1.0)
}
