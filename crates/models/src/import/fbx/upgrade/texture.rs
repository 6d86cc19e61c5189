//! Textures that lie on faces become textures of materials.
//!
//! Files of version 6 may hang a texture on a model and say in a layer of its mesh which faces have it. The materials
//! of those faces get it, unless they have textures of their own. Where two models dress one material in different
//! ways, it becomes two.

use std::collections::{BTreeMap, BTreeSet};

use fbxcel_dom::fbxcel::low::v7400::AttributeValue;

use super::Old;
use crate::import::fbx::document::short;
use crate::import::fbx::record::{self, Record};
use crate::import::{Fault, code};

/// Property and texture, by the position of a material among those of a model.
type Dress = BTreeMap<usize, BTreeMap<&'static str, i64>>;

/// The property of a material that a layer of textures is for; `None` for other layers, and for what no material of
/// ours has.
fn property_of_layer(name: &str) -> Option<&'static str> {
    let name = name.strip_prefix("LayerElement")?;
    if name == "Texture" {
        return Some("DiffuseColor");
    }
    match name.strip_suffix("Textures")?.trim_end_matches('_') {
        "Diffuse" => Some("DiffuseColor"),
        "Emissive" => Some("EmissiveColor"),
        "Transparent" => Some("TransparentColor"),
        "TransparencyFactor" => Some("TransparencyFactor"),
        "Bump" => Some("Bump"),
        "NormalMap" => Some("NormalMap"),
        _ => None,
    }
}

/// What a model shows.
#[derive(Default)]
struct Shown {
    /// Positions of links from materials.
    materials: Vec<usize>,
    /// Numbers of textures.
    textures: Vec<i64>,
}

fn numbers(layer: &Record, name: &str) -> Vec<f64> {
    layer.child(name).and_then(|list| record::reals(list.values.first()?)).unwrap_or_default()
}

impl Old<'_> {
    fn kind(&self, id: i64) -> &str {
        self.places.get(&id).map_or("", |at| self.objects[*at].name.as_str())
    }

    /// Hangs the textures of faces on materials.
    pub fn lay_textures(&mut self) -> Result<(), Fault> {
        let mut shown: BTreeMap<i64, Shown> = BTreeMap::new();
        let mut painted: BTreeSet<i64> = BTreeSet::new();
        for (at, link) in self.links.iter().enumerate() {
            match (self.kind(link.source), &link.property) {
                ("Material", None) => shown.entry(link.destination).or_default().materials.push(at),
                ("Texture", None) => shown.entry(link.destination).or_default().textures.push(link.source),
                ("Texture", Some(_)) => drop(painted.insert(link.destination)),
                _ => {}
            }
        }
        // How a material is dressed, and which one that is.
        let mut wardrobe: BTreeMap<(i64, BTreeMap<&str, i64>), i64> = BTreeMap::new();
        let bodies: Vec<(i64, i64)> = self.bodies.iter().map(|(model, body)| (*model, *body)).collect();
        for (model, body) in bodies {
            let Some(shown) = shown.get(&model).filter(|shown| !shown.textures.is_empty()) else { continue };
            for (slot, dress) in self.dress(body, shown) {
                let link = shown.materials[slot];
                let material = self.links[link].source;
                if painted.contains(&material) {
                    continue;
                }
                let key = (material, dress);
                if let Some(known) = wardrobe.get(&key) {
                    self.links[link].source = *known;
                    continue;
                }
                let worn =
                    wardrobe.range((material, BTreeMap::new())..).next().is_some_and(|((m, _), _)| *m == material);
                let own = if worn { self.copy(material)? } else { material };
                self.links[link].source = own;
                for (property, texture) in &key.1 {
                    self.link(*texture, own, Some(property))?;
                }
                wardrobe.insert(key, own);
            }
        }
        Ok(())
    }

    /// A second object like one.
    fn copy(&mut self, id: i64) -> Result<i64, Fault> {
        let at = self.places[&id];
        self.objects[at].spend_copy(self.budget)?;
        let mut copy = self.objects[at].clone();
        let id = self.fresh();
        copy.values[0] = AttributeValue::I64(id);
        self.place(copy)?;
        Ok(id)
    }

    /// What the layers of a mesh say.
    fn dress(&mut self, body: i64, shown: &Shown) -> Dress {
        let mut out = Dress::new();
        let mesh = &self.objects[self.places[&body]];
        let slots = mesh
            .child("LayerElementMaterial")
            .map(|layer| (layer.child_text("MappingInformationType") == Some("AllSame"), numbers(layer, "Materials")));
        let last = shown.materials.len().saturating_sub(1);
        let slot = |face: usize| match &slots {
            Some((true, list)) => list.first().map_or(0, |slot| *slot as usize),
            Some((false, list)) => list.get(face).map_or(0, |slot| *slot as usize),
            None => 0,
        };
        let mut surplus = false;
        let mut everywhere = BTreeSet::new();
        for layer in &mesh.inside {
            let Some(property) = property_of_layer(&layer.name) else { continue };
            let ids = numbers(layer, "TextureId");
            let texture =
                |number: &f64| (*number >= 0.0).then(|| shown.textures.get(*number as usize).copied()).flatten();
            match layer.child_text("MappingInformationType") {
                _ if shown.materials.is_empty() || everywhere.contains(property) => {}
                Some("AllSame") => {
                    let Some(texture) = texture(ids.first().unwrap_or(&0.0)) else { continue };
                    everywhere.insert(property);
                    for slot in 0..shown.materials.len() {
                        out.entry(slot).or_default().entry(property).or_insert(texture);
                    }
                }
                Some("ByPolygon") => {
                    for (face, number) in ids.iter().enumerate() {
                        let Some(texture) = texture(number) else { continue };
                        let dress = out.entry(slot(face).min(last)).or_default();
                        match dress.get(property) {
                            Some(other) => surplus |= *other != texture,
                            None => drop(dress.insert(property, texture)),
                        }
                    }
                }
                _ => {}
            }
        }
        if surplus {
            let name = short(super::own_name(mesh.text(1).unwrap_or_default()));
            let message = format!("the mesh {name:?} has several textures on faces of one material; using the first");
            self.warnings.push(Fault::new(code::TEXTURE_SKIPPED, message).help("use a material for each texture"));
        }
        out
    }
}
