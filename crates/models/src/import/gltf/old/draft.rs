//! Draft: extensions that files use under an earlier name, where the content is the same.

use serde_json::Value;

/// Earlier names, and today's.
const NAMES: [(&str, &str); 7] = [
    ("EXT_texture_transform", "KHR_texture_transform"),
    ("KHR_lights", "KHR_lights_punctual"),
    ("KHR_lights_common", "KHR_lights_punctual"),
    ("KHR_materials_cmnConstant", "KHR_materials_unlit"),
    ("KHR_quantized_geometry", "KHR_mesh_quantization"),
    ("KHR_texture_cttf", "KHR_texture_basisu"),
    ("MESHOPT_quantized_geometry", "KHR_mesh_quantization"),
];

/// Gives extensions that a document lists under an earlier name today's name, wherever they are used.
pub fn rename(document: &mut Value) {
    let mut found = Vec::new();
    for key in ["extensionsUsed", "extensionsRequired"] {
        for name in document.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(pair) = NAMES.iter().find(|(old, _)| name.as_str() == Some(*old)) {
                *name = Value::from(pair.1);
                found.push(*pair);
            }
        }
    }
    if !found.is_empty() {
        rename_below(document, &found);
    }
}

/// No deeper than the parser of JSON allows.
fn rename_below(value: &mut Value, pairs: &[(&'static str, &'static str)]) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(|item| rename_below(item, pairs)),
        Value::Object(members) => {
            if let Some(Value::Object(extensions)) = members.get_mut("extensions") {
                for (old, new) in pairs {
                    if let Some(content) = extensions.remove(*old) {
                        // Who writes both means the new one.
                        extensions.entry(*new).or_insert(content);
                    }
                }
            }
            members.values_mut().for_each(|member| rename_below(member, pairs));
        }
        _ => {}
    }
}
