//! Lights of KHR_materials_common.
//!
//! They have a colour and no unit: a white matte surface that faces one shows its colour, of a light that decays at a
//! distance of one metre. So they shine with pi lux or pi candela, as those of FBX files do.

use std::collections::BTreeMap;
use std::f64::consts::{FRAC_PI_2, PI};

use serde_json::{Value, json};

use super::material::linear;
use super::{Object, Result, not_an_object, object};
use crate::import::{Fault, code};

/// Of 2.0.
pub struct Lights {
    pub list: Vec<Value>,
    /// By key in the file.
    pub positions: BTreeMap<String, usize>,
}

pub fn upgrade(old: &Object, warnings: &mut Vec<Fault>) -> Result<Lights> {
    let mut out = Lights { list: Vec::new(), positions: BTreeMap::new() };
    for (key, light) in object(old, "extensions").object("KHR_materials_common").object("lights").iter() {
        let path = format!("extensions.KHR_materials_common.lights.{key}");
        let light = light.as_object().ok_or_else(|| not_an_object(&path))?;
        let kind = light.get("type").and_then(Value::as_str).unwrap_or_default();
        let values = object(light, kind);
        let number = |key: &str, default: f64| values.get(key).and_then(Value::as_f64).unwrap_or(default);
        let color = values.get("color").and_then(linear).map_or([0.0; 3], |[r, g, b, _]| [r, g, b]);
        let decay: f64 = ["constantAttenuation", "linearAttenuation", "quadraticAttenuation"]
            .map(|key| number(key, 0.0))
            .iter()
            .sum();
        let intensity = if decay > 0.0 { PI / decay } else { PI };
        let new = match kind {
            "directional" => json!({ "type": kind, "color": color, "intensity": PI }),
            "point" => json!({ "type": kind, "color": color, "intensity": intensity }),
            "spot" => {
                let outer = (number("falloffAngle", PI) * 0.5).clamp(1e-3, FRAC_PI_2);
                let inner = if number("falloffExponent", 0.0) > 0.0 { 0.0 } else { outer * 0.99 };
                let cone = json!({ "innerConeAngle": inner, "outerConeAngle": outer });
                json!({ "type": kind, "color": color, "intensity": intensity, "spot": cone })
            }
            _ => {
                let message = format!("`{path}`: ignored a light of type {kind:?}");
                warnings.push(Fault::new(code::EXTENSION_IGNORED, message));
                continue;
            }
        };
        out.positions.insert(key.clone(), out.list.len());
        out.list.push(new);
    }
    Ok(out)
}
