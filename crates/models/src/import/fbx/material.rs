//! Materials: Lambert, Phong, and what Blender, Maya and 3ds Max write for physically based ones.
//!
//! Out: metallic-roughness values. Colours are taken as linear. A texture takes the place of the value it hangs on, as
//! in the programs that write the files; factors stay.
//!
//! Shininess becomes roughness by `1 - sqrt(shininess) / 10`, the inverse of what Blender's exporter writes
//! (`shininess = (10 (1 - roughness))^2`, io_scene_fbx) and what its importer reads. `ReflectionFactor` is the
//! metalness in Blender's files; in others it says how much of the surroundings a Phong surface mirrors, and is left
//! out.
//!
//! Names of properties: Autodesk's documentation of the Physical and PBR materials of 3ds Max, of Stingray PBS and
//! Standard Surface in Maya, as files hold them (`3dsMax|Parameters|base_color`, `Maya|baseColor`,
//! `Maya|TEX_color_map`).

use std::collections::BTreeMap;

use super::Importer;
use super::document::{Document, Object, Properties, short, text};
use super::texture::{self, Pack, Slot};
use crate::asset::{self, AlphaMode, Filter, ImageId, Material, Reflection, TextureSlot, textures};
use crate::import::{Fault, code};

/// A material that was made.
#[derive(Clone, Debug)]
pub struct Made {
    /// Position in `Model::materials`.
    pub position: usize,
    /// Names of the texture coordinates that its textures use as 0 and 1.
    pub uv_names: Vec<String>,
}

/// Values and textures by the last part of their names: `base_color` for `3dsMax|Parameters|base_color`.
struct Inputs<'t, 'd> {
    properties: Properties<'t, 'd>,
    /// Own properties whose names have parts.
    long_names: BTreeMap<String, String>,
    /// Ids of textures, by the short name of the property they hang on.
    textures: BTreeMap<String, i64>,
}

/// What names an input may have; values and textures.
type Names = (&'static [&'static str], &'static [&'static str]);

const BASE: Names = (
    &["base_color", "baseColor", "basecolor"],
    &["base_color_map", "baseColor", "base_color", "basecolor_map", "TEX_color_map", "baseColorMap"],
);
const METALNESS: Names = (
    &["metalness", "metallic", "base_metalness"],
    &["metalness_map", "metalness", "metallic_map", "TEX_metallic_map", "metalnessMap", "base_metalness_map"],
);
const ROUGHNESS: Names = (
    &["roughness", "specularRoughness", "specular_roughness"],
    &["roughness_map", "Roughness_Map", "specularRoughness", "specular_roughness", "TEX_roughness_map", "roughnessMap"],
);
const GLOSSINESS: Names = (&["glossiness"], &["glossiness_map", "glossiness"]);
const SPECULAR: Names = (&["specular", "Specular"], &["specular_map", "Specular_map"]);
const EMISSION: Names = (
    &["emit_color", "emissionColor", "emission_color", "emissive"],
    &["emit_color_map", "emission_map", "emissionColor", "emission_color", "emission_color_map", "TEX_emissive_map"],
);
const EMISSION_WEIGHT: &[&str] = &["emission", "emissive_intensity", "emission_weight"];
const NORMAL: &[&str] =
    &["NormalMap", "normalCamera", "norm_map", "normal_map", "bump_map", "TEX_normal_map", "norm", "normalMap", "bump"];
const OCCLUSION: &[&str] = &["ao_map", "TEX_ao_map", "ambientOcclusionMap", "ao"];
const OPACITY: Names = (
    &["opacity", "geometry_opacity", "Alpha"],
    &["opacity_map", "cutout_map", "opacity", "geometry_opacity_map", "AlphaMap"],
);

impl<'t, 'd> Inputs<'t, 'd> {
    fn of(document: &'d Document<'t>, object: &Object<'t>) -> Inputs<'t, 'd> {
        let properties = document.properties(object);
        let last = |name: &[u8]| text(name.rsplit(|byte| *byte == b'|').next().unwrap_or(name));
        let mut long_names = BTreeMap::new();
        for name in properties.names().filter(|name| name.contains(&b'|')) {
            long_names.entry(last(name)).or_insert_with(|| text(name));
        }
        let mut textures = BTreeMap::new();
        for connection in document.onto(object.id) {
            if let Some(property) = connection.property {
                textures.entry(last(property)).or_insert(connection.source);
            }
        }
        Inputs { properties, long_names, textures }
    }

    fn color(&self, names: &[&str]) -> Option<[f64; 3]> {
        names.iter().find_map(|name| self.properties.color(self.long_names.get(*name)?))
    }

    fn float(&self, names: &[&str]) -> Option<f64> {
        names.iter().find_map(|name| self.properties.float(self.long_names.get(*name)?))
    }

    /// The texture of an input, unless a switch says that it is not in use.
    fn texture(&self, names: &[&str]) -> Option<i64> {
        names.iter().find_map(|name| {
            let id = self.textures.get(*name)?;
            let switch = match name.strip_prefix("TEX_") {
                Some(rest) => format!("use_{rest}"),
                None => format!("{name}_on"),
            };
            self.float(&[switch.as_str()]).is_none_or(|on| on >= 0.5).then_some(*id)
        })
    }

    /// Whether the material has the properties of a physically based one.
    fn is_physical(&self) -> bool {
        BASE.0.iter().any(|name| self.long_names.contains_key(*name))
    }
}

/// A material before its textures are packed and its texture coordinates numbered.
#[derive(Default)]
struct Draft {
    base: [f64; 3],
    base_texture: Option<Slot>,
    metalness: f64,
    metalness_texture: Option<Slot>,
    roughness: f64,
    roughness_texture: Option<Slot>,
    /// The roughness texture holds its opposite.
    gloss: bool,
    emission: [f64; 3],
    emission_texture: Option<Slot>,
    normal_texture: Option<Slot>,
    normal_scale: f64,
    occlusion_texture: Option<Slot>,
    opacity: f64,
    opacity_texture: Option<Slot>,
    reflection: Reflection,
}

/// What a material of Maya, Arnold or 3ds Max reflects, by its index of refraction, weight and colour.
fn reflection(inputs: &Inputs<'_, '_>, glossy: bool) -> Reflection {
    let ior = inputs.float(&["specularIOR", "specular_IOR", "specular_ior", "trans_ior"]).unwrap_or(1.5);
    // In materials of specular and glossiness, these names mean the reflection itself.
    let weight = inputs.float(&["specular", "specular_weight", "reflectivity"]).filter(|_| !glossy);
    let color = inputs.color(&["specularColor", "specular_color", "refl_color"]).filter(|_| !glossy);
    Reflection::new(ior as f32, weight.unwrap_or(1.0) as f32, color.unwrap_or([1.0; 3]).map(|c| c as f32))
}

impl<'t> Importer<'t, '_> {
    /// The material of an id; a plain one for none.
    pub fn material(&mut self, id: Option<i64>, double_sided: bool) -> Result<Made, Fault> {
        if let Some(made) = self.known.materials.get(&(id, double_sided)) {
            return Ok(made.clone());
        }
        let document = self.document;
        let object = id.and_then(|id| document.object(id));
        let (name, draft) = match object {
            None => (String::new(), Draft { base: [0.8; 3], roughness: 0.5, opacity: 1.0, ..Draft::default() }),
            Some(object) => (object.name(), self.draft(object)),
        };
        self.budget.spend((size_of::<Material>() + name.len()) as u64, "materials")?;
        let mut uv_names = Vec::new();
        let material = self.finish(name, draft, &mut uv_names);
        self.model.materials.push(Material { double_sided, ..material });
        let made = Made { position: self.model.materials.len() - 1, uv_names };
        self.known.materials.insert((id, double_sided), made.clone());
        Ok(made)
    }

    fn draft(&mut self, object: &Object<'t>) -> Draft {
        let document = self.document;
        let inputs = Inputs::of(document, object);
        if inputs.is_physical() { self.physical(&inputs) } else { self.phong(object, &inputs) }
    }

    fn slot(&mut self, id: Option<i64>) -> Option<Slot> {
        self.texture(id?)
    }

    fn color_slot(&mut self, id: Option<i64>) -> Option<Slot> {
        self.color_texture(id?)
    }

    fn physical(&mut self, inputs: &Inputs<'t, '_>) -> Draft {
        let part = |value: Option<f64>, other: f64| value.unwrap_or(other).clamp(0.0, 1.0);
        let weight = part(inputs.float(&["base_weight", "base"]), 1.0);
        let mut base = inputs.color(BASE.0).unwrap_or([0.8; 3]);
        let mut metalness = part(inputs.float(METALNESS.0), 0.0);
        // Max writes 1 for "glossiness" and 2 for "roughness"; the Physical Material turns its roughness round.
        let gloss_mode = inputs.float(&["useGlossiness"]).is_some_and(|mode| (0.5..1.5).contains(&mode));
        let inverse = inputs.float(&["roughness_inv"]).is_some_and(|on| on >= 0.5);
        let glossy = gloss_mode || inputs.float(ROUGHNESS.0).is_none() && inputs.float(GLOSSINESS.0).is_some();
        let rough_names = if glossy { GLOSSINESS } else { ROUGHNESS };
        let gloss = glossy || inverse;
        let stored = inputs.float(rough_names.0).or(inputs.float(ROUGHNESS.0)).or(inputs.float(GLOSSINESS.0));
        let roughness = part(stored, 0.5);
        let roughness_texture = self.slot(inputs.texture(rough_names.1).or(inputs.texture(ROUGHNESS.1)));
        if glossy && inputs.float(METALNESS.0).is_none() {
            // Specular and glossiness: as much metal as the reflection is stronger than a dielectric's 4 %.
            if let Some(specular) = inputs.color(SPECULAR.0) {
                let strongest = specular.iter().copied().fold(0.0, f64::max);
                metalness = ((strongest - 0.04) / 0.96).clamp(0.0, 1.0);
                base = [0, 1, 2].map(|c| base[c] + (specular[c] - base[c]) * metalness);
            }
        }
        let base_texture = self.color_slot(inputs.texture(BASE.1));
        let metalness_texture = self.slot(inputs.texture(METALNESS.1));
        let emission_weight = inputs.float(EMISSION_WEIGHT).unwrap_or(1.0).max(0.0);
        let glow = inputs.texture(EMISSION.1);
        let emission_texture = self.slot(glow);
        let emission = match (&emission_texture, glow) {
            (Some(_), _) => [1.0; 3],
            // Without the picture that says what glows, nothing does.
            (None, Some(_)) => [0.0; 3],
            (None, None) => inputs.color(EMISSION.0).unwrap_or([0.0; 3]),
        };
        let opacity = inputs.color(OPACITY.0).map_or(1.0, |[r, g, b]| (r + g + b) / 3.0);
        Draft {
            base: if base_texture.is_some() { [weight; 3] } else { base.map(|c| c * weight) },
            base_texture,
            metalness: if metalness_texture.is_some() { 1.0 } else { metalness },
            metalness_texture,
            roughness: match (&roughness_texture, gloss) {
                (Some(_), _) => 1.0,
                (None, true) => 1.0 - roughness,
                (None, false) => roughness,
            },
            roughness_texture,
            gloss,
            emission: emission.map(|c| c * emission_weight),
            emission_texture,
            normal_texture: self.normal(inputs),
            normal_scale: 1.0,
            occlusion_texture: self.slot(inputs.texture(OCCLUSION)),
            opacity: part(Some(opacity), 1.0),
            opacity_texture: self.slot(inputs.texture(OPACITY.1)),
            reflection: reflection(inputs, glossy),
        }
    }

    fn phong(&mut self, object: &Object<'t>, inputs: &Inputs<'t, '_>) -> Draft {
        let p = &inputs.properties;
        let factor = |name: &str, other: f64| p.float(name).unwrap_or(other).clamp(0.0, 1e6);
        let model = object.at.child_text("ShadingModel").or(p.text("ShadingModel")).map(text).unwrap_or_default();
        let lambert = model.eq_ignore_ascii_case("lambert");
        let shininess = p.float("ShininessExponent").or(p.float("Shininess"));
        let roughness = match shininess {
            Some(shininess) if !lambert => (1.0 - shininess.max(0.0).sqrt() / 10.0).clamp(0.0, 1.0),
            _ => 1.0,
        };
        let diffuse = factor("DiffuseFactor", 1.0);
        let base_texture = self.color_slot(inputs.texture(&["DiffuseColor", "Diffuse"]));
        let base = p.color("DiffuseColor").or(p.color("Diffuse")).unwrap_or([0.8; 3]);
        let glow = factor("EmissiveFactor", 1.0);
        let glowing = inputs.texture(&["EmissiveColor", "Emissive"]);
        let emission_texture = self.slot(glowing);
        let emission = match glowing {
            Some(_) => [0.0; 3],
            None => p.color("EmissiveColor").or(p.color("Emissive")).unwrap_or([0.0; 3]),
        };
        let (roughness_texture, metalness_texture) = if self.blender.is_some() {
            let rough = self.slot(inputs.texture(&["Shininess", "ShininessExponent"]));
            (rough, self.slot(inputs.texture(&["ReflectionFactor"])))
        } else {
            (None, None)
        };
        let metalness = if self.blender.is_some() { factor("ReflectionFactor", 0.0).min(1.0) } else { 0.0 };
        // Transparency is the colour times the factor; Blender puts it all into the factor, and its colour means
        // something else.
        let through = p.color("TransparentColor").unwrap_or([0.0; 3]);
        let through = if self.blender.is_some() { 1.0 } else { (through[0] + through[1] + through[2]) / 3.0 };
        let transparency =
            through * p.float("TransparencyFactor").unwrap_or(if self.blender.is_some() { 0.0 } else { 1.0 });
        let clear = inputs.texture(&["TransparentColor", "TransparencyFactor", "Opacity"]);
        let opacity_texture = self.slot(clear);
        Draft {
            base: if base_texture.is_some() { [diffuse; 3] } else { base.map(|c| c * diffuse) },
            base_texture,
            metalness: if metalness_texture.is_some() { 1.0 } else { metalness },
            metalness_texture,
            roughness: if roughness_texture.is_some() { 1.0 } else { roughness },
            roughness_texture,
            gloss: false,
            emission: if emission_texture.is_some() { [glow; 3] } else { emission.map(|c| c * glow) },
            emission_texture,
            normal_texture: self.normal(inputs),
            normal_scale: factor("BumpFactor", 1.0),
            occlusion_texture: None,
            opacity: if clear.is_some() { 1.0 } else { (1.0 - transparency).clamp(0.0, 1.0) },
            opacity_texture,
            reflection: match p.float("SpecularFactor").filter(|_| self.blender.is_some()) {
                // Blender writes half of its level, which is one half where f0 is 0.04.
                Some(half) => Reflection::new(1.5, half as f32 * 4.0, [(half as f32 * 4.0).max(1.0); 3]),
                None => Reflection::default(),
            },
        }
    }

    /// The normal map. Many programs hang it where heights belong; heights themselves are left out.
    fn normal(&mut self, inputs: &Inputs<'t, '_>) -> Option<Slot> {
        if let Some(id) = inputs.texture(NORMAL) {
            return self.texture(id);
        }
        let slot = self.slot(inputs.texture(&["Bump"]))?;
        if texture::is_normal_map(&self.model.images[slot.image]) {
            return Some(slot);
        }
        let name = short(&self.model.images[slot.image].name);
        let message = format!("ignored the bump map {name:?}");
        self.warn(Fault::new(code::TEXTURE_SKIPPED, message).help("bake it into a normal map"));
        None
    }

    /// Packs pictures, numbers texture coordinates.
    fn finish(&mut self, name: String, mut draft: Draft, uv_names: &mut Vec<String>) -> Material {
        let alpha_mode = self.alpha(&mut draft);
        let surface = self.surface(&draft);
        let mut used = |slot: Option<Slot>, warn: &mut dyn FnMut(Fault)| -> Option<TextureSlot> {
            let slot = slot?;
            let place = uv_names.iter().position(|name| *name == slot.uv_name).unwrap_or_else(|| {
                uv_names.push(slot.uv_name.clone());
                uv_names.len() - 1
            });
            if place > 1 {
                let set = short(&slot.uv_name);
                let message = format!("ignored a texture that uses a third set of texture coordinates, {set:?}");
                warn(Fault::new(code::TEXTURE_SKIPPED, message));
                return None;
            }
            Some(TextureSlot {
                image: ImageId::new(slot.image as u32),
                uv_set: place as u32,
                on_screen: false,
                transform: slot.transform,
                wrap: slot.wrap,
                mag_filter: Filter::Linear,
                min_filter: Filter::Linear,
                mip_filter: Some(Filter::Linear),
                anisotropy: 1,
            })
        };
        let mut faults = Vec::new();
        let mut warn = |fault: Fault| faults.push(fault);
        let [r, g, b] = draft.base.map(|c| c.clamp(0.0, 1.0) as f32);
        let material = Material {
            name,
            base_color: [r, g, b, draft.opacity as f32],
            metallic: draft.metalness as f32,
            roughness: draft.roughness as f32,
            normal_scale: draft.normal_scale.clamp(0.0, 100.0) as f32,
            emissive: draft.emission.map(|c| c.clamp(0.0, 1e6) as f32),
            textures: textures([
                (asset::Slot::BaseColor, used(draft.base_texture, &mut warn)),
                (asset::Slot::MetallicRoughness, used(surface, &mut warn)),
                (asset::Slot::Normal, used(draft.normal_texture, &mut warn)),
                (asset::Slot::Occlusion, used(draft.occlusion_texture, &mut warn)),
                (asset::Slot::Emissive, used(draft.emission_texture, &mut warn)),
            ]),
            alpha_mode,
            reflection: draft.reflection,
            ..Material::default()
        };
        faults.into_iter().for_each(|fault| self.warn(fault));
        material
    }

    /// How much shows through. Where a texture says it, a picture of only clear and solid texels is cut out at one
    /// half, any other blended.
    fn alpha(&mut self, draft: &mut Draft) -> AlphaMode {
        let Some(alpha) = draft.opacity_texture.clone() else {
            return if draft.opacity < 1.0 { AlphaMode::Blend } else { AlphaMode::Opaque };
        };
        let Some(base) = &mut draft.base_texture else {
            let message = "ignored a transparency texture on a material without a colour texture";
            self.warn(Fault::new(code::TEXTURE_SKIPPED, message));
            return AlphaMode::Opaque;
        };
        if base.image != alpha.image {
            let pack = Pack::Alpha { color: base.image, alpha: alpha.image };
            match self.packed(pack) {
                Some(image) => base.image = image,
                None => return AlphaMode::Opaque,
            }
        }
        match texture::alpha_of(&self.model.images[base.image]) {
            (false, _) => AlphaMode::Opaque,
            (true, true) => AlphaMode::Mask { cutoff: 0.5 },
            (true, false) => AlphaMode::Blend,
        }
    }

    /// One texture of roughness and metalness.
    fn surface(&mut self, draft: &Draft) -> Option<Slot> {
        let (roughness, metalness) = (&draft.roughness_texture, &draft.metalness_texture);
        let slot = roughness.as_ref().or(metalness.as_ref())?;
        let [roughness, metalness] = [roughness, metalness].map(|slot| slot.as_ref().map(|slot| slot.image));
        // One picture for both has its channels where they belong; one for roughness alone, too, where nothing is
        // metal.
        let direct = !draft.gloss && (roughness == metalness || metalness.is_none() && draft.metalness == 0.0);
        let image =
            if direct { slot.image } else { self.packed(Pack::Surface { roughness, gloss: draft.gloss, metalness })? };
        Some(Slot { image, ..slot.clone() })
    }
}
