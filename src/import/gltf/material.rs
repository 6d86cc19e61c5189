//! Materials, textures and samplers.

use super::json::At;
use super::{Importer, Stop};
use crate::asset::{AlphaMode, Filter, ImageId, Material, TextureSlot, UvTransform, Wrap};
use crate::import::{Fault, code, image};
use stillframe_base::math::ops;

type Result<T> = std::result::Result<T, Fault>;

impl<'a> Importer<'a> {
    /// The position in the model's list of the material that `by` names; glTF's default where it names none.
    pub fn material(&mut self, by: At<'a>) -> std::result::Result<usize, Stop> {
        let number = by.opt_index()?;
        if let Some(position) = self.materials.get(&number) {
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
        self.materials.insert(number, position);
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
        let normal = at.key("normalTexture");
        let occlusion = at.key("occlusionTexture");
        Ok(Material {
            base_color: surface.key("baseColorFactor").floats()?.unwrap_or([1.0; 4]),
            base_color_texture: self.texture(surface.key("baseColorTexture"))?,
            metallic: surface.key("metallicFactor").f32_or(1.0)?,
            roughness: surface.key("roughnessFactor").f32_or(1.0)?,
            metallic_roughness_texture: self.texture(surface.key("metallicRoughnessTexture"))?,
            normal_texture: self.texture(normal)?,
            normal_scale: normal.key("scale").f32_or(1.0)?,
            occlusion_texture: self.texture(occlusion)?,
            occlusion_strength: occlusion.key("strength").f32_or(1.0)?,
            emissive: at.key("emissiveFactor").floats()?.unwrap_or([0.0; 3]).map(|e: f32| e * strength),
            emissive_texture: self.texture(at.key("emissiveTexture"))?,
            alpha_mode,
            double_sided: at.key("doubleSided").bool_or(false)?,
            unlit: at.key("extensions").key("KHR_materials_unlit").exists(),
            ..plain(name)
        })
    }

    /// A texture as a material names it. `None` with a warning where only a format that cannot be read is there.
    fn texture(&mut self, at: At<'a>) -> std::result::Result<Option<TextureSlot>, Stop> {
        if !at.exists() {
            return Ok(None);
        }
        let texture = self.root.key("textures").entry(at.key("index").index()?, at.key("index"))?;
        let Some(source) = texture.key("source").opt_index()? else {
            let message = "has no picture that can be read, and is not used";
            self.warnings.push(texture.fault(code::TEXTURE_SKIPPED, message));
            return Ok(None);
        };
        let transform = at.key("extensions").key("KHR_texture_transform");
        let uv_set = transform.key("texCoord").opt_index()?.unwrap_or(at.key("texCoord").u64_or(0)? as u32);
        if uv_set > 1 {
            let message = format!("uses texture coordinates {uv_set}; only 0 and 1 can be read, it is not used");
            self.warnings.push(at.fault(code::TEXTURE_SKIPPED, message));
            return Ok(None);
        }
        let sampler = match texture.key("sampler").opt_index()? {
            Some(index) => Some(self.root.key("samplers").entry(index, texture.key("sampler"))?),
            None => None,
        };
        let (wrap, mag_filter, min_filter, mip_filter) = read_sampler(sampler)?;
        let image = ImageId(self.image(source, texture.key("source"))? as u32);
        let transform = uv_transform(transform)?;
        Ok(Some(TextureSlot { image, uv_set, transform, wrap, mag_filter, min_filter, mip_filter, anisotropy: 1 }))
    }

    /// Decodes an image, once.
    fn image(&mut self, number: u32, by: At<'a>) -> std::result::Result<usize, Stop> {
        if let Some(position) = self.images.get(&number) {
            return Ok(*position);
        }
        let at = self.root.key("images").entry(number, by)?;
        let given = at.key("name").opt_str()?.or(at.key("uri").opt_str()?.filter(|u| !u.starts_with("data:")));
        let name = given.map_or_else(|| format!("image {number}"), str::to_string);
        let decoded = match at.key("bufferView").opt_index()? {
            Some(view) => {
                let (bytes, _) = self.view(view, at.key("bufferView"))?;
                image::decode(name, bytes, &mut self.budget)
            }
            None => {
                let bytes = self.files.fetch(at.key("uri"), &mut self.budget)?;
                image::decode(name, bytes.get(), &mut self.budget)
            }
        };
        let decoded = decoded.map_err(|f| Fault { message: format!("{at}: {}", f.message), ..f })?;
        self.model.images.push(decoded);
        let position = self.model.images.len() - 1;
        self.images.insert(number, position);
        Ok(position)
    }
}

/// A material with glTF's defaults: white, fully metallic, fully rough.
fn plain(name: String) -> Material {
    Material { name, base_color: [1.0; 4], metallic: 1.0, roughness: 1.0, ..Material::default() }
}

type Sampling = ([Wrap; 2], Filter, Filter, Option<Filter>);

/// Wrapping, magnification, minification and level filter. What is left open is linear everywhere.
fn read_sampler(at: Option<At<'_>>) -> Result<Sampling> {
    let Some(at) = at else {
        return Ok(([Wrap::Repeat; 2], Filter::Linear, Filter::Linear, Some(Filter::Linear)));
    };
    let wrap = |at: At<'_>| {
        Ok(match at.u64_or(10497)? {
            10497 => Wrap::Repeat,
            33648 => Wrap::Mirror,
            33071 => Wrap::Clamp,
            _ => return Err(at.wrong("10497, 33648 or 33071")),
        })
    };
    let mag = match at.key("magFilter").u64_or(9729)? {
        9728 => Filter::Nearest,
        9729 => Filter::Linear,
        _ => return Err(at.key("magFilter").wrong("9728 or 9729")),
    };
    let (min, mip) = match at.key("minFilter").u64_or(9987)? {
        9728 => (Filter::Nearest, None),
        9729 => (Filter::Linear, None),
        9984 => (Filter::Nearest, Some(Filter::Nearest)),
        9985 => (Filter::Linear, Some(Filter::Nearest)),
        9986 => (Filter::Nearest, Some(Filter::Linear)),
        9987 => (Filter::Linear, Some(Filter::Linear)),
        _ => return Err(at.key("minFilter").wrong("9728, 9729 or 9984 to 9987")),
    };
    Ok(([wrap(at.key("wrapS"))?, wrap(at.key("wrapT"))?], mag, min, mip))
}

/// KHR_texture_transform: offset * rotation * scale.
///
/// The extension's words ("rotate the UVs counter-clockwise", with v pointing down) and every viewer agree on the matrix
/// used here; the GLSL printed in the extension's text turns the other way (KhronosGroup/glTF issue 1563).
fn uv_transform(at: At<'_>) -> Result<UvTransform> {
    if !at.exists() {
        return Ok(UvTransform::IDENTITY);
    }
    let offset = at.key("offset").floats()?.unwrap_or([0.0; 2]);
    let [scale_x, scale_y] = at.key("scale").floats()?.unwrap_or([1.0; 2]);
    let angle_rad = at.key("rotation").f32_or(0.0)?;
    let (sin, cos) = ops::sin_cos(angle_rad);
    Ok(UvTransform { x: [cos * scale_x, sin * scale_y], y: [-sin * scale_x, cos * scale_y], offset })
}
