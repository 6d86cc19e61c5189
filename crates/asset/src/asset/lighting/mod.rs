//! Lighting models: how surfaces turn light that arrives into light that leaves, as rows.
//!
//! In: nothing. Out: of each model its name, its parameters with their defaults and ranges, its WGSL, and what it
//! claims, which tests hold it to. Never here: scenes, textures, keys of shaders.
//!
//! A model is one file with its row, its WGSL next to it, and its line in `models!`.

mod row;

use serde::{Deserialize, Serialize};

use super::Slots;
pub use row::{Case, Hook, Layer, LightingModel, Limit, Needs, Param, ParamKind};
use row::{IOR, SPECULAR, SPECULAR_COLOR, color, flag, number, roughness_of_power, turn};

/// The table: the file of each model's row. The first is what materials have that name none.
macro_rules! models {
    ($($file:ident),+ $(,)?) => {
        $(mod $file;)+

        pub const MODELS: &[LightingModel] = &[$($file::ROW),+];
    };
}

models! {
    gltf,
    lambert,
    half_lambert,
    oren_nayar,
    eon,
    burley,
    minnaert,
    phong,
    blinn,
    schlick_specular,
    strauss,
    ashikhmin_shirley,
    cook_torrance,
    ward,
    ward_aniso,
    toon,
    cloth,
    standard,
    hair,
    matcap,
    openpbr,
    custom,
}

/// Place in [`MODELS`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ModelId(u8);

impl ModelId {
    pub const GLTF: ModelId = ModelId(0);

    pub fn all() -> impl Iterator<Item = ModelId> {
        (0..MODELS.len() as u8).map(ModelId)
    }

    pub fn of_name(name: &str) -> Option<ModelId> {
        ModelId::all().find(|id| id.row().name == name)
    }

    pub fn row(self) -> &'static LightingModel {
        &MODELS[usize::from(self.0)]
    }
}

/// A model with a value for each of its parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lighting {
    pub model: ModelId,
    /// In the order of the row; a number is the first of three.
    pub values: Vec<[f32; 3]>,
}

impl Default for Lighting {
    /// glTF's, without layers.
    fn default() -> Lighting {
        Lighting::new(ModelId::GLTF)
    }
}

impl Lighting {
    /// With every default.
    pub fn new(model: ModelId) -> Lighting {
        Lighting { model, values: model.row().params.iter().map(|param| param.kind.default()).collect() }
    }

    /// The value of a parameter; the model has it.
    pub fn value(&self, name: &str) -> [f32; 3] {
        let at = self.model.row().param(name);
        self.values[at.unwrap_or_else(|| panic!("`{}` has no `{name}`", self.model.row().name))]
    }

    /// Replaces the value of a parameter; the model has it.
    pub fn set(&mut self, name: &str, value: [f32; 3]) {
        let at = self.model.row().param(name);
        self.values[at.unwrap_or_else(|| panic!("`{}` has no `{name}`", self.model.row().name))] = value;
    }

    /// Layers that change what is seen with these textures, by bits in the order of the row.
    pub fn layers(&self, textures: Slots) -> u16 {
        let rows = self.model.row().layers;
        let is_there = |layer: &Layer| {
            let has_texture = layer.slots.is_empty() || layer.slots.iter().any(|slot| textures.has(*slot));
            let is_alone = layer.unless.is_empty() || self.value(layer.unless) == [0.0; 3];
            has_texture && is_alone && layer.weights.iter().all(|weight| self.value(weight) != [0.0; 3])
        };
        let is_replaced = |name: &str| rows.iter().any(|other| other.instead_of == name && is_there(other));
        let laid = rows.iter().enumerate().filter(|(_, layer)| is_there(layer) && !is_replaced(layer.name));
        laid.fold(0, |bits, (at, _)| bits | 1 << at)
    }

    /// Those layers, from below.
    pub fn laid(&self, textures: Slots) -> impl Iterator<Item = &'static Layer> {
        let (bits, rows) = (self.layers(textures), self.model.row().layers.iter().enumerate());
        rows.filter(move |(at, _)| bits >> at & 1 == 1).map(|(_, layer)| layer)
    }

    /// Names of those layers.
    pub fn layer_names(&self, textures: Slots) -> Vec<&'static str> {
        self.laid(textures).map(|layer| layer.name).collect()
    }

    /// The least roughness of its mirrors on a surface of this roughness.
    pub fn smoothest(&self, roughness: f32) -> f32 {
        (self.model.row().smoothest)(self, roughness)
    }

    /// What the WGSL struct of the model holds with these layers, in its layout: a colour starts at a multiple of four
    /// floats.
    pub fn floats(&self, layers: u16) -> Vec<f32> {
        let mut out: Vec<f32> = Vec::new();
        for param in self.model.row().read(layers) {
            param.kind.store(self.value(param.name), &mut out);
        }
        out.resize(out.len().next_multiple_of(4), 0.0);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::Slot;

    #[test]
    fn names_are_names_of_their_own() {
        for (at, model) in MODELS.iter().enumerate() {
            assert!(MODELS[..at].iter().all(|other| other.name != model.name), "{}", model.name);
            for (at, param) in model.params.iter().enumerate() {
                assert!(model.params[..at].iter().all(|other| other.name != param.name), "{}", param.name);
            }
        }
        assert_eq!(ModelId::of_name("gltf"), Some(ModelId::GLTF));
        assert_eq!(ModelId::of_name("glft"), None);
    }

    /// Every name that a row mentions is one.
    #[test]
    fn rows_name_what_there_is() {
        for model in MODELS {
            let settings = model.cases.iter().flat_map(|case| case.set).chain(model.limits.iter().flat_map(|l| l.set));
            for (name, _) in settings {
                assert!(*name == "roughness" || model.param(name).is_some(), "{}: `{name}`", model.name);
            }
            for layer in model.layers {
                let is_named = |name: &str| name.is_empty() || model.layers.iter().any(|other| other.name == name);
                assert!(is_named(layer.instead_of), "{}: `{}`", model.name, layer.name);
                for weight in layer.weights.iter().chain((!layer.unless.is_empty()).then_some(&layer.unless)) {
                    assert!(model.param(weight).is_some(), "{}: `{weight}`", model.name);
                }
            }
            let weights: Vec<&str> = model.layers.iter().flat_map(|layer| layer.weights).copied().collect();
            for param in model.params {
                assert!(param.of.is_empty() || weights.contains(&param.of), "{}: `{}`", model.name, param.name);
            }
            for slot in model.slots {
                let row = slot.row();
                assert!(row.of.is_empty() || weights.contains(&row.of), "{}: `{}`", model.name, row.key);
                assert!(row.fills.is_empty() || model.param(row.fills).is_some(), "{}: `{}`", model.name, row.key);
            }
            for limit in model.limits {
                let other = ModelId::of_name(limit.of).expect("a model").row();
                for (name, _) in limit.other_set {
                    assert!(other.param(name).is_some(), "{}: `{name}`", model.name);
                }
            }
            assert!(!model.cases.is_empty(), "{} is tested", model.name);
        }
    }

    #[test]
    fn a_plain_surface_has_no_layers() {
        let mut lighting = Lighting::default();
        assert_eq!(lighting.layers(Slots::default()), 0);
        lighting.set("clearcoat", [0.5, 0.0, 0.0]);
        assert_eq!(lighting.layer_names(Slots::default()), ["clearcoat"]);
        // A layer that needs a texture takes the place of the one that does not.
        assert_eq!(lighting.layer_names([Slot::ClearcoatNormal].into_iter().collect()), ["bumped_clearcoat"]);
    }
}
