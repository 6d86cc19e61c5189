//! Specular-glossiness materials as metallic-roughness ones.
//!
//! Source: KHR_materials_pbrSpecularGlossiness (archived) and the conversion in its appendix: the metallic that gives
//! the same reflection at normal incidence is the root of a quadratic equation; the base colour lies between what the
//! diffuse and what the specular colour ask for. Textures are turned texel by texel at the size of the larger picture.

use super::json::At;
use super::material::is_lost;
use super::{Importer, Stop};
use crate::asset::{Image, ImageId, Material, Slot, Texels, TextureSlot};
use stillframe_base::math::colour;

/// Reflection of a dielectric at normal incidence.
const DIELECTRIC: f32 = 0.04;

/// Below this there is nothing to divide by.
const SMALL: f32 = 1e-6;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Gloss {
    diffuse: [f32; 4],
    specular: [f32; 3],
    glossiness: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Metal {
    base_color: [f32; 4],
    metallic: f32,
    roughness: f32,
}

impl<'a> Importer<'a> {
    /// Replaces a material's base by what its specular-glossiness extension says, where it has one.
    pub fn gloss(&mut self, at: At<'a>, material: &mut Material) -> std::result::Result<(), Stop> {
        let Some(at) = at.key("extensions").key("KHR_materials_pbrSpecularGlossiness").some() else { return Ok(()) };
        let mut factors = Gloss {
            diffuse: at.key("diffuseFactor").floats()?.unwrap_or([1.0; 4]),
            specular: at.key("specularFactor").floats()?.unwrap_or([1.0; 3]),
            glossiness: at.key("glossinessFactor").f32_or(1.0)?,
        };
        let diffuse = self.color_texture(at.key("diffuseTexture"))?;
        let specular = self.texture(at.key("specularGlossinessTexture"))?;
        if is_lost(at.key("specularGlossinessTexture"), &specular) {
            factors.specular = [DIELECTRIC; 3];
        }
        material.textures.remove(&Slot::MetallicRoughness);
        material.textures.remove(&Slot::BaseColor);
        material.textures.extend(diffuse.clone().map(|texture| (Slot::BaseColor, texture)));
        let strongest = factors.specular.iter().copied().fold(0.0, f32::max);
        if specular.is_none() && (diffuse.is_none() || strongest <= DIELECTRIC) {
            let metal = metal_of(factors);
            material.base_color = if diffuse.is_some() { factors.diffuse } else { metal.base_color };
            material.metallic = metal.metallic;
            material.roughness = metal.roughness;
            return Ok(());
        }
        let (base, surface) = self.turn(factors, diffuse.as_ref(), specular.as_ref())?;
        let laid = diffuse.or(specular).expect("one of the two");
        let slot = |image: usize| TextureSlot { image: ImageId::new(image as u32), ..laid.clone() };
        material.base_color = [1.0; 4];
        material.metallic = 1.0;
        material.roughness = 1.0;
        material.textures.insert(Slot::BaseColor, slot(base));
        material.textures.insert(Slot::MetallicRoughness, slot(surface));
        Ok(())
    }

    /// Makes the pictures of base colour and of metallic and roughness. Out: their positions.
    fn turn(
        &mut self,
        factors: Gloss,
        diffuse: Option<&TextureSlot>,
        specular: Option<&TextureSlot>,
    ) -> std::result::Result<(usize, usize), Stop> {
        let images = &self.model.images;
        let image = |slot: &TextureSlot| &images[slot.image.index()];
        let (diffuse, specular) = (diffuse.map(image), specular.map(image));
        let largest = diffuse.into_iter().chain(specular).max_by_key(|i| i.width_px).expect("one of the two");
        let (width_px, height_px, name) = (largest.width_px, largest.height_px, largest.name.clone());
        let bytes = u64::from(width_px) * u64::from(height_px) * 8;
        self.budget.spend_picture(bytes, "specular-glossiness pictures")?;
        let (mut base, mut surface) = (Vec::new(), Vec::new());
        for y in 0..height_px {
            for x in 0..width_px {
                let at = |image: &Image| {
                    let near = |v: u32, to: u32, of: u32| (u64::from(v) * u64::from(to) / u64::from(of)) as usize;
                    let (x, y) = (near(x, image.width_px, width_px), near(y, image.height_px, height_px));
                    linear_texel(image, y * image.width_px as usize + x)
                };
                let (d, s) = (diffuse.map_or([1.0; 4], at), specular.map_or([1.0; 4], at));
                let metal = metal_of(Gloss {
                    diffuse: [0, 1, 2, 3].map(|c| factors.diffuse[c] * d[c]),
                    specular: [0, 1, 2].map(|c| factors.specular[c] * s[c]),
                    glossiness: factors.glossiness * s[3],
                });
                let [r, g, b, a] = metal.base_color;
                base.extend([r, g, b].map(colour::srgb8_from_linear));
                base.push(byte(a));
                surface.extend([255, byte(metal.roughness), byte(metal.metallic), 255]);
            }
        }
        let mut push = |what: &str, texels| {
            let name = format!("{name} ({what})");
            self.model.images.push(Image {
                name,
                width_px,
                height_px,
                texels: Texels::Rgba8(texels),
                levels: Vec::new(),
            });
            self.model.images.len() - 1
        };
        Ok((push("base colour", base), push("metallic, roughness", surface)))
    }
}

fn byte(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

/// A texel with linear colour; alpha as it is.
fn linear_texel(image: &Image, index: usize) -> [f32; 4] {
    let at = index * 4;
    match &image.texels {
        Texels::Rgba8(t) => {
            let rgb = [0, 1, 2].map(|c| colour::LINEAR_FROM_SRGB8[usize::from(t[at + c])]);
            [rgb[0], rgb[1], rgb[2], f32::from(t[at + 3]) / 255.0]
        }
        Texels::Rgba16(t) => {
            let rgb = [0, 1, 2].map(|c| colour::linear_from_srgb(f32::from(t[at + c]) / 65535.0));
            [rgb[0], rgb[1], rgb[2], f32::from(t[at + 3]) / 65535.0]
        }
        Texels::Rgba32Float(t) => [t[at], t[at + 1], t[at + 2], t[at + 3]],
    }
}

/// How bright a colour looks.
fn brightness([r, g, b]: [f32; 3]) -> f32 {
    (0.299 * r * r + 0.587 * g * g + 0.114 * b * b).sqrt()
}

fn metal_of(gloss: Gloss) -> Metal {
    let [r, g, b, alpha] = gloss.diffuse;
    let diffuse = [r, g, b];
    let strongest = gloss.specular.iter().copied().fold(0.0, f32::max);
    let not_specular = 1.0 - strongest;
    let metallic = metallic_of(brightness(diffuse), brightness(gloss.specular), not_specular);
    let base = [0, 1, 2].map(|c| {
        let from_diffuse = diffuse[c] * not_specular / (1.0 - DIELECTRIC) / (1.0 - metallic).max(SMALL);
        let from_specular = (gloss.specular[c] - DIELECTRIC * (1.0 - metallic)) / metallic.max(SMALL);
        (from_diffuse + (from_specular - from_diffuse) * metallic * metallic).clamp(0.0, 1.0)
    });
    Metal {
        base_color: [base[0], base[1], base[2], alpha],
        metallic,
        roughness: (1.0 - gloss.glossiness).clamp(0.0, 1.0),
    }
}

/// The root between 0 and 1 of the equation that keeps diffuse and specular brightness.
fn metallic_of(diffuse: f32, specular: f32, not_specular: f32) -> f32 {
    if specular < DIELECTRIC {
        return 0.0;
    }
    let a = DIELECTRIC;
    let b = diffuse * not_specular / (1.0 - DIELECTRIC) + specular - 2.0 * DIELECTRIC;
    let c = DIELECTRIC - specular;
    let discriminant = (b * b - 4.0 * a * c).max(0.0);
    ((-b + discriminant.sqrt()) / (2.0 * a)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_surfaces() {
        let gloss = |diffuse: [f32; 3], specular: [f32; 3]| {
            let [r, g, b] = diffuse;
            metal_of(Gloss { diffuse: [r, g, b, 0.5], specular, glossiness: 0.75 })
        };
        let near = |a: [f32; 3], b: [f32; 3]| (0..3).all(|c| (a[c] - b[c]).abs() < 1e-3);
        // A dielectric keeps its diffuse colour.
        let plastic = gloss([0.8, 0.2, 0.1], [0.04; 3]);
        assert!(plastic.metallic < 1e-3 && near(plastic.base_color[..3].try_into().expect("three"), [0.8, 0.2, 0.1]));
        assert_eq!((plastic.base_color[3], plastic.roughness), (0.5, 0.25));
        // A metal shows its specular colour.
        let gold = gloss([0.0; 3], [1.0, 0.77, 0.34]);
        assert!(gold.metallic > 0.999 && near(gold.base_color[..3].try_into().expect("three"), [1.0, 0.77, 0.34]));
        assert_eq!(gloss([0.5; 3], [0.0; 3]).metallic, 0.0);
    }
}
