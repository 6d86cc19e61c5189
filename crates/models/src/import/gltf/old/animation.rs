//! Animations of 1.0: samplers name parameters, which name accessors.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::names::{Names, named};
use super::{Object, Result, copy, not_an_object, object};
use crate::import::{Fault, code};

pub fn upgrade(old: &Object, names: &Names) -> Result<Value> {
    let mut out = Vec::new();
    for (key, path, from) in names.each(old, "animations")? {
        let mut to = Object::new();
        copy(from, &mut to, &["name"]);
        let mut to = named(&to, &key);
        let parameters = object(from, "parameters");
        let mut samplers = Vec::new();
        let mut positions = BTreeMap::new();
        for (name, sampler) in object(from, "samplers").iter() {
            let path = format!("{path}.samplers.{name}");
            let sampler = sampler.as_object().ok_or_else(|| not_an_object(&path))?;
            let mut to = Object::new();
            copy(sampler, &mut to, &["interpolation"]);
            for end in ["input", "output"] {
                let Some(parameter) = sampler.get(end) else { continue };
                let path = format!("{path}.{end}");
                // Some writers name the accessor itself.
                let accessor = parameter.as_str().and_then(|name| parameters.get(name)).unwrap_or(parameter);
                to.insert(end.into(), names.link("accessors", accessor, &path)?);
            }
            positions.insert(name.as_str(), samplers.len());
            samplers.push(Value::Object(to));
        }
        let channels = from.get("channels").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let mut new_channels = Vec::with_capacity(channels.len());
        for (index, channel) in channels.iter().enumerate() {
            let path = format!("{path}.channels[{index}]");
            let channel = channel.as_object().ok_or_else(|| not_an_object(&path))?;
            let sampler = channel.get("sampler").and_then(Value::as_str).unwrap_or_default();
            let Some(position) = positions.get(sampler) else {
                let message = format!("`{path}.sampler` refers to the sampler {sampler:?}, which does not exist");
                return Err(Fault::new(code::REFERENCE, message));
            };
            let target = object(channel, "target");
            let mut to = Object::new();
            if let Some(path) = target.get("path") {
                to.insert("path".into(), path.clone());
            }
            if let Some(node) = target.get("id") {
                to.insert("node".into(), names.link("nodes", node, &format!("{path}.target.id"))?);
            }
            new_channels.push(json!({ "sampler": position, "target": to }));
        }
        to.insert("samplers".into(), Value::Array(samplers));
        to.insert("channels".into(), Value::Array(new_channels));
        out.push(Value::Object(to));
    }
    Ok(Value::Array(out))
}
