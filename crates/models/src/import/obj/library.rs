//! MTL: material libraries, with the physically based keys that Blender and others write.
//!
//! Sources: Wavefront, "MTL material format" (1995); Clara.io, "Extending Wavefront MTL to Support Physically-Based
//! Rendering". The rules where these leave a choice stand in docs/import.md.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::super::image::Seen;
use super::super::stand_in::{self, StandIn};
use super::super::text::Plain;
use super::super::{Budget, Fault, Model, Read, code, flat};
use super::texture::{self, Map};
use crate::asset::{AlphaMode, Image, ImageId, Material, Slot, TextureSlot, textures};
use crate::import::number::float;
use crate::source::{Diagnostic, Severity};

/// A material as the file says it; what it leaves open is `None`.
#[derive(Clone, Debug, Default)]
struct Entry {
    diffuse: Option<[f32; 3]>,
    emissive: Option<[f32; 3]>,
    alpha: Option<f32>,
    shininess: Option<f32>,
    roughness: Option<f32>,
    metallic: Option<f32>,
    maps: BTreeMap<&'static str, Map>,
    /// Keys with a value other than 0 that change nothing yet.
    ignored: Vec<&'static str>,
}

/// Keys of maps, by their names in lower case.
const MAPS: [(&str, &str); 12] = [
    ("map_kd", "color"),
    ("map_d", "alpha"),
    ("map_ke", "emissive"),
    ("map_pr", "roughness"),
    ("map_pm", "metallic"),
    ("map_bump", "bump"),
    ("bump", "bump"),
    ("norm", "normal"),
    ("map_kn", "normal"),
    ("map_norm", "normal"),
    ("map_emissive", "emissive"),
    ("map_rma", "orm"),
];

const IGNORED: [&str; 6] = ["Pc", "Ps", "aniso", "map_Pc", "map_Ps", "disp"];

/// The materials of a model: those that libraries describe, and those that faces name.
pub struct Library<'a> {
    file: &'a Path,
    read: &'a Read<'a>,
    budget: Budget,
    entries: BTreeMap<String, (PathBuf, Entry)>,
    /// In the order in which faces name them.
    used: Vec<String>,
    numbers: BTreeMap<String, usize>,
    loaded: Vec<String>,
    warnings: Vec<Diagnostic>,
}

impl<'a> Library<'a> {
    pub fn new(file: &'a Path, read: &'a Read<'a>, budget: Budget) -> Library<'a> {
        Library {
            file,
            read,
            budget,
            entries: BTreeMap::new(),
            used: Vec::new(),
            numbers: BTreeMap::new(),
            loaded: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Reads what `mtllib` names: one file, whose name may hold blanks, or several.
    pub fn load(&mut self, names: &str) {
        if names.is_empty() || self.loaded.iter().any(|l| l == names) || self.loaded.len() > 64 {
            return;
        }
        self.loaded.push(names.to_string());
        let folder = self.file.parent().unwrap_or(Path::new("")).to_path_buf();
        let whole = folder.join(names.replace('\\', "/"));
        let mut found = (self.read)(&whole).map(|bytes| vec![(whole, bytes)]);
        if found.is_err() && names.contains(char::is_whitespace) {
            let each: Vec<(PathBuf, Vec<u8>)> = names
                .split_whitespace()
                .take(64)
                .filter_map(|name| {
                    let path = folder.join(name.replace('\\', "/"));
                    (self.read)(&path).ok().map(|bytes| (path, bytes))
                })
                .collect();
            if !each.is_empty() {
                found = Ok(each);
            }
        }
        match found {
            Ok(files) => {
                for (path, bytes) in files {
                    self.budget.read(bytes.len());
                    self.parse(&path, &bytes);
                }
            }
            Err(why) => {
                let message = format!("ignored the material library {names:?}: {}", why.message);
                self.warnings.push(Diagnostic::warning(code::LIBRARY_MISSING, self.file, message));
            }
        }
    }

    fn parse(&mut self, path: &Path, bytes: &[u8]) {
        let plain = Plain::lines(bytes);
        let text = String::from_utf8_lossy(&plain.bytes);
        let mut current: Option<(String, Entry)> = None;
        for line in text.lines() {
            let line = line.trim();
            let (word, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
            let rest = rest.trim();
            if word.eq_ignore_ascii_case("newmtl") {
                self.keep(path, current.take());
                current = Some((rest.to_string(), Entry::default()));
                continue;
            }
            let Some((_, entry)) = &mut current else { continue };
            let lower = word.to_ascii_lowercase();
            if let Some((_, kind)) = MAPS.iter().find(|(key, _)| *key == lower) {
                if let Some(map) = Map::parse(rest) {
                    entry.maps.insert(kind, map);
                }
                continue;
            }
            // How much `d -halo` shows through depends on the angle; its number is what it is seen from the front.
            let numbers = numbers(rest.strip_prefix("-halo").unwrap_or(rest));
            match lower.as_str() {
                "kd" => entry.diffuse = color(&numbers),
                "ke" => entry.emissive = color(&numbers),
                "d" => entry.alpha = numbers.first().copied(),
                "tr" => entry.alpha = entry.alpha.or(numbers.first().map(|t| 1.0 - t)),
                "ns" => entry.shininess = numbers.first().copied(),
                "pr" => entry.roughness = numbers.first().copied(),
                "pm" => entry.metallic = numbers.first().copied(),
                _ => {
                    let known = IGNORED.iter().find(|key| key.eq_ignore_ascii_case(word));
                    let is_used =
                        lower.starts_with("map") || lower == "disp" || numbers.first().is_some_and(|n| *n != 0.0);
                    entry.ignored.extend(known.filter(|_| is_used));
                }
            }
        }
        self.keep(path, current);
    }

    fn keep(&mut self, path: &Path, entry: Option<(String, Entry)>) {
        if let Some((name, entry)) = entry {
            self.entries.entry(name).or_insert((path.to_path_buf(), entry));
        }
    }

    /// The number of the material that faces name; nameless is the plain one.
    pub fn number(&mut self, name: &str) -> usize {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        self.used.push(name.to_string());
        self.numbers.insert(name.to_string(), self.used.len() - 1);
        self.used.len() - 1
    }

    /// Adds the materials, in the order of their numbers, and their pictures. `has_colors`: positions have colours.
    /// Out: what may still be spent.
    ///
    /// Errors: pictures that unpack to more than the budget allows.
    pub fn finish(mut self, model: &mut Model, has_colors: bool) -> Result<Budget, Fault> {
        let mut pictures = Pictures::default();
        for name in std::mem::take(&mut self.used) {
            let plain = Material { name: name.clone(), ..flat::material(has_colors) };
            let Some((path, entry)) = self.entries.get(&name).cloned() else {
                if !name.is_empty() {
                    let message = format!("material {name:?} is not in any library; using a plain one");
                    self.warnings.push(Diagnostic::warning(code::LIBRARY_MISSING, self.file, message));
                }
                model.materials.push(plain);
                continue;
            };
            let material = self.material(plain, &path, &entry, &mut pictures, model)?;
            model.materials.push(material);
        }
        model.warnings.append(&mut self.warnings);
        Ok(self.budget)
    }

    fn material(
        &mut self,
        plain: Material,
        path: &Path,
        entry: &Entry,
        pictures: &mut Pictures,
        model: &mut Model,
    ) -> Result<Material, Fault> {
        let mut out = plain;
        for key in &entry.ignored {
            let message = format!("material {:?}: ignored `{key}`", out.name);
            self.warnings.push(Diagnostic::warning(code::EXTENSION_IGNORED, path, message));
        }
        let mut slot = |library: &mut Library<'a>, kind: &str| -> Result<Option<(usize, TextureSlot)>, Fault> {
            let Some(map) = entry.maps.get(kind) else { return Ok(None) };
            let image = match library.picture(path, &map.name, pictures, model) {
                Some(image) => image,
                None if kind == "color" => pictures.stand_in.image(model, &mut library.budget)?,
                None => return Ok(None),
            };
            Ok(Some((image, map.slot(image))))
        };
        let base = slot(self, "color")?;
        let [r, g, b] = match (entry.diffuse, &base) {
            (Some(color), None) => color,
            // Black beside a picture is what exporters write who mean the picture alone.
            (Some(color), Some(_)) if color != [0.0; 3] => color,
            (_, Some(_)) => [1.0; 3],
            (None, None) => [out.base_color[0], out.base_color[1], out.base_color[2]],
        };
        let alpha = entry.alpha.unwrap_or(1.0).clamp(0.0, 1.0);
        out.base_color = [r, g, b, alpha];
        if alpha < 1.0 {
            out.alpha_mode = AlphaMode::Blend;
        }
        out.metallic = entry.metallic.unwrap_or(0.0).clamp(0.0, 1.0);
        out.roughness = match (entry.roughness, entry.shininess) {
            (Some(roughness), _) => roughness.clamp(0.0, 1.0),
            // Blinn-Phong's exponent as a microfacet width (Walter et al. 2007): alpha^2 = 2 / (Ns + 2).
            (None, Some(exponent)) => (2.0 / (exponent.max(0.0) + 2.0)).sqrt().sqrt(),
            (None, None) => out.roughness,
        };
        let emissive = slot(self, "emissive")?;
        let black = entry.emissive.is_none_or(|e| e == [0.0; 3]);
        out.emissive = match (&emissive, entry.maps.contains_key("emissive")) {
            (Some(_), _) if black => [1.0; 3],
            // Without the picture that says what glows, nothing does.
            (None, true) => [0.0; 3],
            _ => entry.emissive.unwrap_or([0.0; 3]),
        };
        out.textures = textures([(Slot::Emissive, emissive.map(|(_, slot)| slot))]);
        let (cut, rough, metal) = (slot(self, "alpha")?, slot(self, "roughness")?, slot(self, "metallic")?);
        let orm = slot(self, "orm")?;
        let normal = match slot(self, "normal")? {
            Some(found) => Some((found, entry.maps["normal"].strength)),
            None => slot(self, "bump")?.map(|found| (found, entry.maps["bump"].strength)),
        };
        out.textures.extend(base.as_ref().map(|(_, slot)| (Slot::BaseColor, slot.clone())));
        if let Some((mask, mask_slot)) = cut {
            let merged = texture::with_alpha(&model.images, base.as_ref().map(|(image, _)| *image), mask);
            let image = pictures.add(model, &mut self.budget, merged)?;
            let slot = base.map_or(mask_slot, |(_, slot)| slot);
            out.textures.insert(Slot::BaseColor, TextureSlot { image, ..slot });
            out.alpha_mode = AlphaMode::Mask { cutoff: 0.5 };
        }
        if rough.is_some() || metal.is_some() {
            let channel = |kind: &str| entry.maps.get(kind).and_then(|map| map.channel);
            let images = [&rough, &metal].map(|found| found.as_ref().map(|(image, _)| *image));
            let packed = texture::packed(&model.images, images, [channel("roughness"), channel("metallic")]);
            let image = pictures.add(model, &mut self.budget, packed)?;
            // A map counts for itself where no number stands beside it.
            out.roughness =
                if rough.is_some() { entry.roughness.filter(|r| *r > 0.0).unwrap_or(1.0) } else { out.roughness };
            out.metallic =
                if metal.is_some() { entry.metallic.filter(|m| *m > 0.0).unwrap_or(1.0) } else { out.metallic };
            let (_, slot) = rough.or(metal).expect("one is there");
            out.textures.insert(Slot::MetallicRoughness, TextureSlot { image, ..slot });
        } else if let Some((image, slot)) = orm {
            // Red roughness, green metalness, blue occlusion.
            let packed = texture::packed(&model.images, [Some(image), Some(image)], [Some(0), Some(1)]);
            let image = pictures.add(model, &mut self.budget, packed)?;
            (out.roughness, out.metallic) = (1.0, 1.0);
            out.textures.insert(Slot::MetallicRoughness, TextureSlot { image, ..slot });
        }
        if let Some(((image, slot), strength)) = normal {
            if texture::is_grey(&model.images[image]) {
                let message = format!("material {:?}: height maps are not supported; use a normal map", out.name);
                self.warnings.push(Diagnostic::warning(code::TEXTURE_SKIPPED, path, message));
            } else {
                out.textures.insert(Slot::Normal, slot);
                out.normal_scale = strength;
            }
        }
        Ok(out)
    }

    /// The place of a picture in the model; `None` with a warning where it cannot be had.
    fn picture(&mut self, library: &Path, name: &str, pictures: &mut Pictures, model: &mut Model) -> Option<usize> {
        let folder = library.parent().unwrap_or(Path::new(""));
        let name = name.replace('\\', "/");
        if let Some(found) = pictures.places.get(&name) {
            return *found;
        }
        // Then, as paths of other machines do not lead anywhere, beside the library.
        let own = name.rsplit('/').next().unwrap_or(&name);
        let tried = (self.read)(&folder.join(&name)).or_else(|why| match (self.read)(&folder.join(own)) {
            Ok(bytes) if own != name => Ok(bytes),
            _ => Err(why),
        });
        let decoded = tried.map_err(Fault::from).and_then(|bytes| {
            self.budget.read(bytes.len());
            pictures.seen.position(own.to_string(), &bytes, &mut model.images, &mut self.budget)
        });
        let place = match decoded {
            Ok(position) => Some(position),
            Err(why) => {
                let told = stand_in::warning(format!("the picture {name:?}"), why);
                self.warnings.push(told.in_file(library, Severity::Warning));
                None
            }
        };
        pictures.places.insert(name, place);
        place
    }
}

/// Pictures by their names in the libraries.
#[derive(Default)]
struct Pictures {
    places: BTreeMap<String, Option<usize>>,
    seen: Seen,
    stand_in: StandIn,
}

impl Pictures {
    /// A picture made of others; equal ones are kept once.
    fn add(&mut self, model: &mut Model, budget: &mut Budget, image: Image) -> Result<ImageId, Fault> {
        if let Some(Some(place)) = self.places.get(&image.name) {
            return Ok(ImageId::new(*place as u32));
        }
        budget.spend_picture(u64::from(image.width_px) * u64::from(image.height_px) * 4, &image.name)?;
        self.places.insert(image.name.clone(), Some(model.images.len()));
        model.images.push(image);
        Ok(ImageId::new(model.images.len() as u32 - 1))
    }
}

/// Finite numbers at the start of a line.
fn numbers(text: &str) -> Vec<f32> {
    text.split_whitespace()
        .map_while(|word| {
            let mut at = 0;
            float(word.as_bytes(), &mut at).filter(|_| at == word.len())
        })
        .take(4)
        .collect()
}

/// One number means grey.
fn color(numbers: &[f32]) -> Option<[f32; 3]> {
    match numbers {
        [grey] => Some([grey.max(0.0); 3]),
        [r, g, b, ..] => Some([r.max(0.0), g.max(0.0), b.max(0.0)]),
        _ => None,
    }
}
