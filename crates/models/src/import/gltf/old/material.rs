//! Materials of 1.0: values by the names that exporters share, for a technique or for KHR_materials_common.
//!
//! Shaders are not run. `diffuse`, `emission`, `specular`, `shininess` and `transparency` become metallic-roughness, as
//! the MTL files of OBJ models do; colours are sRGB, as their shaders show them.

use serde_json::{Value, json};
use stillframe_base::math::colour;

use super::names::{Names, named};
use super::{Members, Object, Result, object};

/// WebGL's names of what a technique enables.
const BLEND: u64 = 3042;
const CULL_FACE: u64 = 2884;

/// The values of one material, wherever they stand.
struct Values<'d> {
    places: [Members<'d>; 3],
    names: &'d Names,
    path: &'d str,
}

impl Values<'_> {
    fn find(&self, name: &str) -> Option<&Value> {
        let value = self.places.iter().find_map(|place| place.get(name))?;
        // Parameters of techniques, and of some writers, are objects.
        if value.is_object() { value.get("value") } else { Some(value) }
    }

    fn number(&self, name: &str) -> Option<f64> {
        let value = self.find(name)?;
        value.as_f64().or_else(|| value.get(0).and_then(Value::as_f64))
    }

    fn color(&self, name: &str) -> Option<[f64; 4]> {
        self.find(name).and_then(linear)
    }

    /// A texture where the value is the name of one.
    fn texture(&self, name: &str) -> Result<Option<Value>> {
        let Some(value) = self.find(name) else { return Ok(None) };
        let Some(key) = [Some(value), value.get(0)].into_iter().flatten().find(|value| value.is_string()) else {
            return Ok(None);
        };
        let index = self.names.link("textures", key, &format!("{}.values.{name}", self.path))?;
        Ok(Some(json!({ "index": index })))
    }
}

/// A colour as linear numbers; alpha as it is.
pub fn linear(value: &Value) -> Option<[f64; 4]> {
    let list = value.as_array().filter(|list| (3..=4).contains(&list.len()))?;
    let mut out = [1.0; 4];
    for (index, number) in list.iter().enumerate() {
        let number = number.as_f64()?;
        out[index] = if index < 3 { f64::from(colour::linear_from_srgb(number as f32)) } else { number };
    }
    Some(out)
}

/// A material of 2.0. In: key, path and members.
pub fn upgrade(old: &Object, names: &Names, (key, path, from): (String, String, &Object)) -> Result<Value> {
    let common = object(from, "extensions").object("KHR_materials_common");
    let technique = object(old, "techniques").object(from.get("technique").and_then(Value::as_str).unwrap_or_default());
    let places = [common.object("values"), object(from, "values"), technique.object("parameters")];
    let values = Values { places, names, path: &path };
    let word = common.get("technique").and_then(Value::as_str).unwrap_or_default();
    let enabled = technique.object("states").get("enable").and_then(Value::as_array);
    let enables = |state: u64| enabled.is_some_and(|list| list.iter().any(|item| item.as_u64() == Some(state)));
    let is_set = |key: &str| {
        let stated = common.get(key).or_else(|| values.find(key));
        stated.and_then(|value| value.as_bool().or(value.get(0).and_then(Value::as_bool)))
    };

    // Without light, what is shown is what it sends itself.
    let is_constant = word == "CONSTANT";
    let base = if is_constant && values.find("emission").is_some() { "emission" } else { "diffuse" };
    let mut color = values.color(base).unwrap_or(if values.texture(base)?.is_some() { [1.0; 4] } else { GREY });
    if let Some(opacity) = values.number("transparency") {
        color[3] *= opacity;
    }
    let mut surface =
        json!({ "baseColorFactor": color, "metallicFactor": 0.0, "roughnessFactor": roughness(&values, word) });
    if let Some(texture) = values.texture(base)? {
        surface["baseColorTexture"] = texture;
    }
    let mut to = Object::new();
    super::copy(from, &mut to, &["name", "extras"]);
    let mut to = named(&to, &key);
    to.insert("pbrMetallicRoughness".into(), surface);
    if is_constant {
        to.insert("extensions".into(), json!({ "KHR_materials_unlit": {} }));
    } else {
        if let Some(texture) = values.texture("emission")? {
            to.insert("emissiveTexture".into(), texture);
            to.insert("emissiveFactor".into(), json!([1.0, 1.0, 1.0]));
        }
        if let Some([r, g, b, _]) = values.color("emission") {
            to.insert("emissiveFactor".into(), json!([r, g, b]));
        }
    }
    if is_set("transparent") == Some(true) || enables(BLEND) || color[3] < 1.0 {
        to.insert("alphaMode".into(), json!("BLEND"));
    }
    let shows_both = is_set("doubleSided").unwrap_or(technique.0.is_some() && !enables(CULL_FACE));
    to.insert("doubleSided".into(), json!(shows_both));
    Ok(Value::Object(to))
}

/// What 1.0 shows without values, in linear numbers.
const GREY: [f64; 4] = [0.214, 0.214, 0.214, 1.0];

/// Blinn-Phong's exponent as a microfacet width (Walter et al. 2007), where something shines.
fn roughness(values: &Values<'_>, technique: &str) -> f64 {
    let shines = values.color("specular").is_some_and(|[r, g, b, _]| r.max(g).max(b) > 0.0)
        || values.find("specular").is_some_and(|value| value.is_string());
    match values.number("shininess") {
        Some(exponent) if shines && technique != "LAMBERT" => (2.0 / (exponent.max(0.0) + 2.0)).sqrt().sqrt(),
        _ => 1.0,
    }
}
