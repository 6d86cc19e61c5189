//! Layers of materials: the KHR_materials extensions beside the base surface.
//!
//! They are read with their textures and kept.

use super::json::At;
use super::{Importer, Stop};
use crate::asset::{
    Anisotropy, Clearcoat, DiffuseTransmission, Iridescence, Layers, Sheen, Specular, Transmission, Volume,
};

type Result<T> = std::result::Result<T, Stop>;

/// The extensions that are read here.
pub const EXTENSIONS: [&str; 10] = [
    "KHR_materials_anisotropy",
    "KHR_materials_clearcoat",
    "KHR_materials_diffuse_transmission",
    "KHR_materials_dispersion",
    "KHR_materials_ior",
    "KHR_materials_iridescence",
    "KHR_materials_sheen",
    "KHR_materials_specular",
    "KHR_materials_transmission",
    "KHR_materials_volume",
];

impl<'a> Importer<'a> {
    /// The layers of a material; `None` where it names none.
    pub fn layers(&mut self, material: At<'a>) -> Result<Option<Box<Layers>>> {
        let all = material.key("extensions");
        if !EXTENSIONS.iter().any(|name| all.key(name).exists()) {
            return Ok(None);
        }
        self.budget.spend(size_of::<Layers>() as u64, &material.to_string())?;
        let white = [1.0; 3];
        let mut out = Layers::default();
        if let Some(at) = all.key("KHR_materials_ior").some() {
            out.ior = Some(at.key("ior").f32_or(1.5)?);
        }
        if let Some(at) = all.key("KHR_materials_dispersion").some() {
            out.dispersion = Some(at.key("dispersion").f32_or(0.0)?);
        }
        if let Some(at) = all.key("KHR_materials_specular").some() {
            out.specular = Some(Specular {
                strength: at.key("specularFactor").f32_or(1.0)?,
                strength_texture: self.texture(at.key("specularTexture"))?,
                color: at.key("specularColorFactor").floats()?.unwrap_or(white),
                color_texture: self.texture(at.key("specularColorTexture"))?,
            });
        }
        if let Some(at) = all.key("KHR_materials_clearcoat").some() {
            let normal = at.key("clearcoatNormalTexture");
            out.clearcoat = Some(Clearcoat {
                strength: at.key("clearcoatFactor").f32_or(0.0)?,
                strength_texture: self.texture(at.key("clearcoatTexture"))?,
                roughness: at.key("clearcoatRoughnessFactor").f32_or(0.0)?,
                roughness_texture: self.texture(at.key("clearcoatRoughnessTexture"))?,
                normal_texture: self.texture(normal)?,
                normal_scale: normal.key("scale").f32_or(1.0)?,
            });
        }
        if let Some(at) = all.key("KHR_materials_sheen").some() {
            out.sheen = Some(Sheen {
                color: at.key("sheenColorFactor").floats()?.unwrap_or([0.0; 3]),
                color_texture: self.texture(at.key("sheenColorTexture"))?,
                roughness: at.key("sheenRoughnessFactor").f32_or(0.0)?,
                roughness_texture: self.texture(at.key("sheenRoughnessTexture"))?,
            });
        }
        if let Some(at) = all.key("KHR_materials_transmission").some() {
            out.transmission = Some(Transmission {
                strength: at.key("transmissionFactor").f32_or(0.0)?,
                strength_texture: self.texture(at.key("transmissionTexture"))?,
            });
        }
        if let Some(at) = all.key("KHR_materials_diffuse_transmission").some() {
            out.diffuse_transmission = Some(DiffuseTransmission {
                strength: at.key("diffuseTransmissionFactor").f32_or(0.0)?,
                strength_texture: self.texture(at.key("diffuseTransmissionTexture"))?,
                color: at.key("diffuseTransmissionColorFactor").floats()?.unwrap_or(white),
                color_texture: self.texture(at.key("diffuseTransmissionColorTexture"))?,
            });
        }
        if let Some(at) = all.key("KHR_materials_volume").some() {
            out.volume = Some(Volume {
                thickness_m: at.key("thicknessFactor").f32_or(0.0)?,
                thickness_texture: self.texture(at.key("thicknessTexture"))?,
                attenuation_distance_m: at.key("attenuationDistance").f32_or(f32::INFINITY)?,
                attenuation_color: at.key("attenuationColor").floats()?.unwrap_or(white),
            });
        }
        if let Some(at) = all.key("KHR_materials_anisotropy").some() {
            out.anisotropy = Some(Anisotropy {
                strength: at.key("anisotropyStrength").f32_or(0.0)?,
                rotation_rad: at.key("anisotropyRotation").f32_or(0.0)?,
                texture: self.texture(at.key("anisotropyTexture"))?,
            });
        }
        if let Some(at) = all.key("KHR_materials_iridescence").some() {
            out.iridescence = Some(Iridescence {
                strength: at.key("iridescenceFactor").f32_or(0.0)?,
                strength_texture: self.texture(at.key("iridescenceTexture"))?,
                ior: at.key("iridescenceIor").f32_or(1.3)?,
                thickness_min_nm: at.key("iridescenceThicknessMinimum").f32_or(100.0)?,
                thickness_max_nm: at.key("iridescenceThicknessMaximum").f32_or(400.0)?,
                thickness_texture: self.texture(at.key("iridescenceThicknessTexture"))?,
            });
        }
        Ok(Some(Box::new(out)))
    }
}
