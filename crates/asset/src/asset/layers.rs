//! Layers: what lies over, under or in a surface beside its metallic-roughness base, as the file has it.
//!
//! Source: the KHR_materials extensions of glTF 2.0; every field keeps the extension's name, unit and default.

use super::{Lighting, Reflection, Slot, TextureSlot, Textures, textures};

/// `None` where the file says nothing. [`Layers::lighting`] and [`Layers::textures`] are what the renderer shows.
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

    /// Them as parameters of glTF's model.
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
            out.set("clearcoat_normal_scale", number(coat.normal_scale.clamp(-100.0, 100.0)));
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
            out.set("iridescence_thickness_min_nm", number(film.thickness_min_nm.clamp(0.0, 10_000.0)));
        }
        if let Some(transmission) = &self.transmission {
            out.set("transmission", number(unit(transmission.strength)));
        }
        if let Some(volume) = &self.volume {
            let distance_m = volume.attenuation_distance_m;
            out.set("thickness_m", number(volume.thickness_m.clamp(0.0, 1e6)));
            out.set("attenuation_color", volume.attenuation_color.map(unit));
            out.set("attenuation_distance_m", number(if distance_m < 1e9 { distance_m.max(0.0) } else { 0.0 }));
        }
        if let Some(dispersion) = self.dispersion {
            out.set("dispersion", number(dispersion.clamp(0.0, 100.0)));
        }
        if let Some(scattered) = &self.diffuse_transmission {
            out.set("diffuse_transmission", number(unit(scattered.strength)));
            out.set("diffuse_transmission_color", scattered.color.map(unit));
        }
        out
    }

    /// Their textures.
    pub fn textures(&self) -> Textures {
        let (specular, coat, sheen) = (self.specular.as_ref(), self.clearcoat.as_ref(), self.sheen.as_ref());
        let (brushed, film) = (self.anisotropy.as_ref(), self.iridescence.as_ref());
        let scattered = self.diffuse_transmission.as_ref();
        textures([
            (Slot::Specular, specular.and_then(|of| of.strength_texture.clone())),
            (Slot::SpecularColor, specular.and_then(|of| of.color_texture.clone())),
            (Slot::Clearcoat, coat.and_then(|of| of.strength_texture.clone())),
            (Slot::ClearcoatRoughness, coat.and_then(|of| of.roughness_texture.clone())),
            (Slot::ClearcoatNormal, coat.and_then(|of| of.normal_texture.clone())),
            (Slot::SheenColor, sheen.and_then(|of| of.color_texture.clone())),
            (Slot::SheenRoughness, sheen.and_then(|of| of.roughness_texture.clone())),
            (Slot::Anisotropy, brushed.and_then(|of| of.texture.clone())),
            (Slot::Iridescence, film.and_then(|of| of.strength_texture.clone())),
            (Slot::IridescenceThickness, film.and_then(|of| of.thickness_texture.clone())),
            (Slot::Transmission, self.transmission.as_ref().and_then(|of| of.strength_texture.clone())),
            (Slot::Thickness, self.volume.as_ref().and_then(|of| of.thickness_texture.clone())),
            (Slot::DiffuseTransmission, scattered.and_then(|of| of.strength_texture.clone())),
            (Slot::DiffuseTransmissionColor, scattered.and_then(|of| of.color_texture.clone())),
        ])
    }
}

/// A share, whatever a file says.
fn unit(value: f32) -> f32 {
    value.clamp(0.0, 1.0)
}
