//! Materials: the metallic-roughness base and what lies over it.

use super::json::At;
use super::{Importer, Stop};
use crate::asset::{AlphaMode, Material, Slot, TextureSlot, textures};

impl<'a> Importer<'a> {
    /// The position in the model's list of the material that `by` names; glTF's default where it names none.
    pub fn material(&mut self, by: At<'a>) -> std::result::Result<usize, Stop> {
        let number = by.opt_index()?;
        if let Some(position) = self.known.materials.get(&number) {
            return Ok(*position);
        }
        let material = match number {
            None => plain(String::new()),
            Some(number) => {
                let at = self.root.key("materials").entry(number, by)?;
                let given = at.key("name").opt_str()?.filter(|n| !n.is_empty());
                let name = given.map_or_else(|| format!("material {number}"), str::to_string);
                self.read_material(at, name)?
            }
        };
        self.model.materials.push(material);
        let position = self.model.materials.len() - 1;
        self.known.materials.insert(number, position);
        Ok(position)
    }

    fn read_material(&mut self, at: At<'a>, name: String) -> std::result::Result<Material, Stop> {
        let surface = at.key("pbrMetallicRoughness");
        let strength =
            at.key("extensions").key("KHR_materials_emissive_strength").key("emissiveStrength").f32_or(1.0)?;
        let cutoff = at.key("alphaCutoff").f32_or(0.5)?;
        let mode = at.key("alphaMode");
        let alpha_mode = match mode.opt_str()?.unwrap_or("OPAQUE") {
            "OPAQUE" => AlphaMode::Opaque,
            "MASK" => AlphaMode::Mask { cutoff },
            "BLEND" => AlphaMode::Blend,
            _ => return Err(mode.wrong("\"OPAQUE\", \"MASK\" or \"BLEND\"").into()),
        };
        let shine = surface.key("metallicRoughnessTexture");
        let metallic_roughness_texture = self.texture(shine)?;
        let glow = at.key("emissiveTexture");
        let emissive_texture = self.texture(glow)?;
        let normal = at.key("normalTexture");
        let occlusion = at.key("occlusionTexture");
        let layers = self.layers(at)?;
        let lost = [is_lost(shine, &metallic_roughness_texture), is_lost(glow, &emissive_texture)];
        let mut out = Material {
            base_color: surface.key("baseColorFactor").floats()?.unwrap_or([1.0; 4]),
            // Without the picture that says what is metal and what glows, nothing is and nothing does.
            metallic: if lost[0] { 0.0 } else { surface.key("metallicFactor").f32_or(1.0)? },
            roughness: surface.key("roughnessFactor").f32_or(1.0)?,
            normal_scale: normal.key("scale").f32_or(1.0)?,
            occlusion_strength: occlusion.key("strength").f32_or(1.0)?,
            emissive: if lost[1] {
                [0.0; 3]
            } else {
                at.key("emissiveFactor").floats()?.unwrap_or([0.0; 3]).map(|e: f32| e * strength)
            },
            textures: textures([
                (Slot::BaseColor, self.color_texture(surface.key("baseColorTexture"))?),
                (Slot::MetallicRoughness, metallic_roughness_texture),
                (Slot::Normal, self.texture(normal)?),
                (Slot::Occlusion, self.texture(occlusion)?),
                (Slot::Emissive, emissive_texture),
            ]),
            alpha_mode,
            double_sided: at.key("doubleSided").bool_or(false)?,
            unlit: at.key("extensions").key("KHR_materials_unlit").exists(),
            reflection: layers.as_ref().map(|layers| layers.reflection()).unwrap_or_default(),
            lighting: layers.as_ref().map(|layers| layers.lighting()).unwrap_or_default(),
            layers,
            ..plain(name)
        };
        out.textures.extend(out.layers.as_ref().map(|layers| layers.textures()).unwrap_or_default());
        self.gloss(at, &mut out)?;
        Ok(out)
    }
}

/// Whether the document names a texture that cannot be used.
pub fn is_lost(at: At<'_>, texture: &Option<TextureSlot>) -> bool {
    at.exists() && texture.is_none()
}

/// A material with glTF's defaults: white, fully metallic, fully rough.
fn plain(name: String) -> Material {
    Material { name, base_color: [1.0; 4], metallic: 1.0, roughness: 1.0, ..Material::default() }
}
